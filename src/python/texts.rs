//! Seeds as Python passes them: text, bytes, or many of either.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use numpy::{PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};
use pyo3_arrow::input::AnyArray;

use crate::texts::Texts;

/// A text argument, held so that it can be read without Python.
pub enum TextArgument<'py> {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    /// numpy's `S`, as it lies in memory.
    Fixed {
        fields: PyReadonlyArray1<'py, u8>,
        width: usize,
        len: usize,
    },
    /// Copied one after another: text `i` is `bytes[ends[i]..ends[i + 1]]`.
    Packed {
        bytes: Vec<u8>,
        ends: Vec<usize>,
    },
}

/// What may be passed.
const ALLOWED: &str = "str, bytes, or a one-dimensional array of them";

impl<'py> TextArgument<'py> {
    /// Reads the argument called `name`.
    pub fn new(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(one) = Self::single(name, value)? {
            return Ok(one);
        }
        if let Ok(list) = value.cast::<PyList>() {
            return Self::pack(name, list.len(), list.iter());
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return Self::pack(name, tuple.len(), tuple.iter());
        }
        if let Ok(array) = value.cast::<PyUntypedArray>() {
            return Self::from_numpy(name, array);
        }
        let py = value.py();
        if value.hasattr(intern!(py, "__arrow_c_stream__"))?
            || value.hasattr(intern!(py, "__arrow_c_array__"))?
        {
            match (Self::from_arrow(name, value), value.getattr(intern!(py, "to_numpy"))) {
                // A series of Python objects can be read, though not as Arrow's text.
                (Err(error), Ok(to_numpy)) if !error.is_instance_of::<PyValueError>(py) => {
                    let array = to_numpy.call0().map_err(|_| error)?;
                    return Self::from_numpy(name, array.cast::<PyUntypedArray>()?);
                }
                (done, _) => return done,
            }
        }
        if let Ok(to_numpy) = value.getattr(intern!(py, "to_numpy")) {
            return Self::from_numpy(name, to_numpy.call0()?.cast::<PyUntypedArray>()?);
        }
        Err(wrong_type(name, value))
    }

    /// A single text, if that is what the value is.
    fn single(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(text) = value.cast::<PyString>() {
            return match PyBackedStr::try_from(text.clone()) {
                Ok(text) => Ok(Some(Self::Text(text))),
                Err(_) => Err(not_unicode(name)),
            };
        }
        Ok(value.cast::<PyBytes>().ok().map(|bytes| Self::Bytes(PyBackedBytes::from(bytes.clone()))))
    }

    fn pack(name: &str, len: usize, items: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<Self> {
        let mut bytes = Vec::with_capacity(len.saturating_mul(64));
        let mut ends = Vec::with_capacity(len + 1);
        ends.push(0);
        for (row, item) in items.enumerate() {
            if let Ok(text) = item.cast::<PyString>() {
                match text.to_str() {
                    Ok(text) => bytes.extend_from_slice(text.as_bytes()),
                    Err(_) => return Err(not_unicode(&at(name, row))),
                }
            } else if let Ok(text) = item.cast::<PyBytes>() {
                bytes.extend_from_slice(text.as_bytes());
            } else {
                return Err(not_text(&at(name, row), &item));
            }
            ends.push(bytes.len());
        }
        Ok(Self::Packed { bytes, ends })
    }

    fn from_numpy(name: &str, array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let py = array.py();
        if array.hasattr(intern!(py, "mask"))? {
            return Self::from_masked(name, array);
        }
        match array.ndim() {
            0 => {
                let item = array.call_method0(intern!(py, "item"))?;
                return Self::single(name, &item)?.ok_or_else(|| wrong_type(name, &item));
            }
            1 => {}
            n => {
                return Err(PyValueError::new_err(format!("{name} must be {ALLOWED}, got {n} dimensions")));
            }
        }
        let dtype = array.dtype();
        let width = dtype.itemsize();
        let len = array.len();
        match dtype.kind() {
            b'S' => {
                let contiguous = contiguous(array.as_any())?;
                let fields = contiguous.call_method1(intern!(py, "view"), ("u1",))?.extract()?;
                Ok(Self::Fixed { fields, width, len })
            }
            b'U' => {
                let native = dtype.call_method1(intern!(py, "newbyteorder"), ("=",))?;
                let array = array.call_method1(intern!(py, "astype"), (native,))?;
                let view = contiguous(&array)?.call_method1(intern!(py, "view"), ("u4",))?;
                Self::decode(name, view.extract::<PyReadonlyArray1<'py, u32>>()?.as_slice()?, width / 4, len)
            }
            b'O' | b'T' => {
                let list = array.call_method0(intern!(py, "tolist"))?.cast_into::<PyList>()?;
                Self::pack(name, len, list.iter())
            }
            // numpy, like Polars, has a type of numbers for nothing in particular.
            _ if len == 0 => Self::pack(name, 0, std::iter::empty()),
            _ => Err(PyTypeError::new_err(format!("{name} must be {ALLOWED}, got an array of {dtype}"))),
        }
    }

    /// A masked array, if nothing in it is masked.
    fn from_masked(name: &str, array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let py = array.py();
        let numpy = py.import(intern!(py, "numpy"))?;
        let mask = numpy.getattr("ma")?.call_method1("getmaskarray", (array,))?;
        if mask.call_method0("any")?.extract::<bool>()? {
            let row: usize = mask.call_method0("argmax")?.extract()?;
            return Err(PyValueError::new_err(format!(
                "{} must be text or bytes, got a masked element",
                at(name, row)
            )));
        }
        Self::from_numpy(name, numpy.call_method1("asarray", (array,))?.cast()?)
    }

    /// numpy's `U`: fields of code points, padded with zeros.
    fn decode(name: &str, points: &[u32], width: usize, len: usize) -> PyResult<Self> {
        let mut bytes = Vec::with_capacity(points.len());
        let mut ends = Vec::with_capacity(len + 1);
        ends.push(0);
        for row in 0..len {
            let field = &points[row * width..(row + 1) * width];
            let used = field.iter().rposition(|&point| point != 0).map_or(0, |last| last + 1);
            for &point in &field[..used] {
                match char::from_u32(point) {
                    Some(ascii) if ascii.is_ascii() => bytes.push(ascii as u8),
                    Some(other) => bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
                    None => return Err(not_unicode(&at(name, row))),
                }
            }
            ends.push(bytes.len());
        }
        Ok(Self::Packed { bytes, ends })
    }

    fn from_arrow(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let chunks = value.extract::<AnyArray>()?.into_chunked_array()?;
        let len: usize = chunks.chunks().iter().map(|chunk| chunk.len()).sum();
        let mut bytes = Vec::with_capacity(len.saturating_mul(64));
        let mut ends = Vec::with_capacity(len + 1);
        ends.push(0);
        for chunk in chunks.chunks() {
            let texts = arrow_texts(chunk).ok_or_else(|| {
                PyTypeError::new_err(format!(
                    "{name} must be {ALLOWED}, got Arrow data of {}",
                    chunk.data_type()
                ))
            })?;
            for text in texts {
                let text = text.ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "{} must be text or bytes, got null",
                        at(name, ends.len() - 1)
                    ))
                })?;
                bytes.extend_from_slice(text);
                ends.push(bytes.len());
            }
        }
        Ok(Self::Packed { bytes, ends })
    }

    /// The texts, for the core.
    pub fn texts(&self) -> Texts<'_> {
        match self {
            Self::Text(text) => Texts::One(text.as_bytes()),
            Self::Bytes(bytes) => Texts::One(bytes),
            Self::Fixed { fields, width, len } => {
                Texts::Fixed { bytes: fields.as_slice().expect("made contiguous"), width: *width, len: *len }
            }
            Self::Packed { bytes, ends } => Texts::Packed { bytes, ends },
        }
    }
}

/// The texts of an Arrow array, nulls as `None`; `None` for an array of something else.
fn arrow_texts<'a>(array: &'a dyn Array) -> Option<Box<dyn Iterator<Item = Option<&'a [u8]>> + 'a>> {
    // An empty list has the type that its library gives to nothing in particular.
    if array.is_empty() {
        return Some(Box::new(std::iter::empty()));
    }
    let bytes = |text: Option<&'a str>| text.map(str::as_bytes);
    Some(match array.data_type() {
        DataType::Utf8 => Box::new(array.as_string::<i32>().iter().map(bytes)),
        DataType::LargeUtf8 => Box::new(array.as_string::<i64>().iter().map(bytes)),
        DataType::Utf8View => Box::new(array.as_string_view().iter().map(bytes)),
        DataType::Binary => Box::new(array.as_binary::<i32>().iter()),
        DataType::LargeBinary => Box::new(array.as_binary::<i64>().iter()),
        DataType::BinaryView => Box::new(array.as_binary_view().iter()),
        DataType::FixedSizeBinary(_) => Box::new(array.as_fixed_size_binary().iter()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values: Vec<_> = arrow_texts(dictionary.values())?.collect();
            // Without values all keys are null.
            let keys = if values.is_empty() { vec![0; array.len()] } else { dictionary.normalized_keys() };
            Box::new(keys.into_iter().enumerate().map(move |(row, key)| {
                if dictionary.keys().is_null(row) { None } else { values.get(key).copied().flatten() }
            }))
        }
        _ => return None,
    })
}

fn contiguous<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    array.py().import(intern!(array.py(), "numpy"))?.call_method1("ascontiguousarray", (array,))
}

/// The name of an element: `salt[3]`.
fn at(name: &str, row: usize) -> String {
    format!("{name}[{row}]")
}

fn not_unicode(name: &str) -> PyErr {
    PyValueError::new_err(format!(
        "{name} must be text that UTF-8 can encode, got text with a lone surrogate"
    ))
}

fn not_text(name: &str, item: &Bound<'_, PyAny>) -> PyErr {
    let got =
        if item.is_none() || item.is_instance_of::<PyFloat>() { item.to_string() } else { type_name(item) };
    PyTypeError::new_err(format!("{name} must be text or bytes, got {got}"))
}

fn wrong_type(name: &str, value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{name} must be {ALLOWED}, got {}", type_name(value)))
}

pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string())
}
