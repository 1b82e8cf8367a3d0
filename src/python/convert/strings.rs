//! Text arguments from Python: str, bytes, or arrays of either.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray, LargeStringArray,
    StringArray, StringViewArray,
};
use arrow_schema::DataType;
use numpy::{PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};

use super::arrow::{self, Chunks};
use crate::error::Error;
use crate::strings::{Foreign, Texts};

/// Texts that can be read without the GIL. `A` holds a numpy array of type `S`, which is read in place.
pub enum HeldTexts<A> {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    Fixed {
        fields: A,
        width: usize,
        len: usize,
    },
    /// Concatenated copies: text `i` is `bytes[ends[i]..ends[i + 1]]`.
    Packed {
        bytes: Vec<u8>,
        ends: Vec<usize>,
    },
    /// An Arrow array, read in place.
    Arrow(ArrayRef),
    /// Dictionary-encoded texts.
    Keyed {
        texts: ArrayRef,
        keys: Vec<u32>,
    },
}

/// Texts borrowed for the duration of a call.
pub type TextArgument<'py> = HeldTexts<PyReadonlyArray1<'py, u8>>;

/// The types that are accepted, for error messages.
const ALLOWED: &str = "str, bytes, or a one-dimensional array of them";
const MASKED: &str = "must be text or bytes, got a masked element";

/// The handling of values that aren't text.
pub trait Refuse {
    /// Handles a row without text. If it returns `Ok`, the row's text is empty.
    fn cell(&mut self, row: usize, cell: NoText<'_, '_>) -> PyResult<()>;

    /// The error for a value that can't be text as a whole.
    fn whole(&self, got: String) -> PyErr;
}

/// The value found in place of a text.
pub enum NoText<'a, 'py> {
    Object(&'a Bound<'py, PyAny>),
    Surrogate,
    /// A code point above U+10FFFF: numpy's texts can contain them, and so can the Python strings made from
    /// them.
    Beyond,
    Null,
    Masked,
}

/// Raises an error at the first row without text; holds the argument's name.
struct Argument<'a>(&'a str);

impl Refuse for Argument<'_> {
    fn cell(&mut self, row: usize, cell: NoText<'_, '_>) -> PyResult<()> {
        let name = self.0;
        let error = match cell {
            NoText::Object(item) => {
                let got = if item.is_none() || item.is_instance_of::<PyFloat>() {
                    item.to_string()
                } else {
                    type_name(item)
                };
                Error::type_(name, format_args!("must be text or bytes, got {got}"))
            }
            NoText::Surrogate => not_unicode(name),
            NoText::Beyond => beyond(name),
            NoText::Null => Error::value(name, "must be text or bytes, got null"),
            NoText::Masked => Error::value(name, MASKED),
        };
        Err(error.at(row).into())
    }

    fn whole(&self, got: String) -> PyErr {
        Error::type_(self.0, format!("must be {ALLOWED}, got {got}")).into()
    }
}

impl<'py> TextArgument<'py> {
    /// Reads the argument `name`.
    pub fn new(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(one) = Self::single(name, value)? {
            return Ok(one);
        }
        Self::many(name, value, &mut Argument(name))
    }

    /// Reads an array of texts; `refuse` handles values that aren't text.
    pub fn many(name: &str, value: &Bound<'py, PyAny>, refuse: &mut dyn Refuse) -> PyResult<Self> {
        if let Ok(list) = value.cast::<PyList>() {
            return Self::pack(list.len(), list.iter(), refuse);
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return Self::pack(tuple.len(), tuple.iter(), refuse);
        }
        if let Ok(array) = value.cast::<PyUntypedArray>() {
            return Self::from_numpy(name, array, refuse);
        }
        let py = value.py();
        // Polars exports columns of Python objects as meaningless bytes.
        let objects = value.getattr(intern!(py, "dtype")).is_ok_and(|dtype| dtype.to_string() == "Object");
        if !objects && arrow::is_exported(value)? {
            let chunks = arrow::chunks(value);
            if chunks.as_ref().is_ok_and(|chunks| chunks.are_uuids) {
                // As in a list: their bytes aren't what was hashed.
                let to_list = if value.hasattr(intern!(py, "tolist"))? { "tolist" } else { "to_pylist" };
                let list = value.call_method0(to_list)?.cast_into::<PyList>()?;
                return Self::pack(list.len(), list.iter(), refuse);
            }
            let read = chunks.and_then(|chunks| Self::from_arrow(&chunks, refuse));
            match (read, value.getattr(intern!(py, "to_numpy"))) {
                // A column of Python objects can be read, but not through Arrow.
                (Err(error), Ok(to_numpy)) if !error.is_instance_of::<PyValueError>(py) => {
                    let array = to_numpy.call0().map_err(|_| error)?;
                    return Self::from_numpy(name, array.cast::<PyUntypedArray>()?, refuse);
                }
                (done, _) => return done,
            }
        }
        if let Ok(to_numpy) = value.getattr(intern!(py, "to_numpy")) {
            return Self::from_numpy(name, to_numpy.call0()?.cast::<PyUntypedArray>()?, refuse);
        }
        Err(refuse.whole(type_name(value)))
    }

    /// Reads a single text; `None` if the value is something else.
    pub fn single(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(text) = value.cast::<PyString>() {
            return match PyBackedStr::try_from(text.clone()) {
                Ok(text) if is_utf8(&text) => Ok(Some(Self::Text(text))),
                Ok(_) => Err(beyond(name).into()),
                Err(_) => Err(not_unicode(name).into()),
            };
        }
        Ok(value.cast::<PyBytes>().ok().map(|bytes| Self::Bytes(PyBackedBytes::from(bytes.clone()))))
    }

    fn pack(
        len: usize,
        items: impl Iterator<Item = Bound<'py, PyAny>>,
        refuse: &mut dyn Refuse,
    ) -> PyResult<Self> {
        let mut bytes = Vec::with_capacity(len.saturating_mul(64));
        let mut ends = Vec::with_capacity(len + 1);
        ends.push(0);
        for (row, item) in items.enumerate() {
            if let Ok(text) = item.cast::<PyString>() {
                match text.to_str() {
                    Ok(text) if is_utf8(text) => bytes.extend_from_slice(text.as_bytes()),
                    Ok(_) => refuse.cell(row, NoText::Beyond)?,
                    Err(_) => refuse.cell(row, NoText::Surrogate)?,
                }
            } else if let Ok(text) = item.cast::<PyBytes>() {
                bytes.extend_from_slice(text.as_bytes());
            } else {
                refuse.cell(row, NoText::Object(&item))?;
            }
            ends.push(bytes.len());
        }
        Ok(Self::Packed { bytes, ends })
    }

    fn from_numpy(name: &str, array: &Bound<'py, PyUntypedArray>, refuse: &mut dyn Refuse) -> PyResult<Self> {
        let py = array.py();
        if array.hasattr(intern!(py, "mask"))? {
            return Self::from_masked(name, array, refuse);
        }
        match array.ndim() {
            0 => {
                let item = array.call_method0(intern!(py, "item"))?;
                return Self::single(name, &item)?.ok_or_else(|| refuse.whole(type_name(&item)));
            }
            1 => {}
            n => {
                return Err(Error::value(name, format!("must be {ALLOWED}, got {n} dimensions")).into());
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
                let points = view.extract::<PyReadonlyArray1<'py, u32>>()?;
                Self::decode(points.as_slice()?, width / 4, len, refuse)
            }
            b'O' | b'T' => {
                let list = array.call_method0(intern!(py, "tolist"))?.cast_into::<PyList>()?;
                Self::pack(len, list.iter(), refuse)
            }
            // An empty array may have any type: numpy and Polars give it a numeric one.
            _ if len == 0 => Self::pack(0, std::iter::empty(), refuse),
            _ => Err(refuse.whole(format!("an array of {dtype}"))),
        }
    }

    /// Reads a masked array, of which each masked element is refused.
    fn from_masked(
        name: &str,
        array: &Bound<'py, PyUntypedArray>,
        refuse: &mut dyn Refuse,
    ) -> PyResult<Self> {
        let py = array.py();
        let numpy = py.import(intern!(py, "numpy"))?;
        let mask = numpy.getattr(intern!(py, "ma"))?.call_method1("getmaskarray", (array,))?;
        if array.ndim() == 1 {
            for row in numpy.call_method1("flatnonzero", (mask,))?.try_iter()? {
                refuse.cell(row?.extract()?, NoText::Masked)?;
            }
        } else if mask.call_method0("any")?.extract()? {
            return Err(Error::value(name, MASKED).into());
        }
        Self::from_numpy(name, numpy.call_method1("asarray", (array,))?.cast()?, refuse)
    }

    /// Decodes numpy's type `U`: fields of code points, padded with zeros.
    fn decode(points: &[u32], width: usize, len: usize, refuse: &mut dyn Refuse) -> PyResult<Self> {
        let mut bytes = Vec::with_capacity(points.len());
        let mut ends = Vec::with_capacity(len + 1);
        ends.push(0);
        for row in 0..len {
            let field = &points[row * width..(row + 1) * width];
            let used = field.iter().rposition(|&point| point != 0).map_or(0, |last| last + 1);
            let start = bytes.len();
            if field.iter().fold(0, |all, point| all | point) < 0x80 {
                bytes.extend(field[..used].iter().map(|&point| point as u8));
                ends.push(bytes.len());
                continue;
            }
            for &point in &field[..used] {
                match char::from_u32(point) {
                    Some(letter) => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
                    None => {
                        let beyond = point > u32::from(char::MAX);
                        refuse.cell(row, if beyond { NoText::Beyond } else { NoText::Surrogate })?;
                        bytes.truncate(start);
                        break;
                    }
                }
            }
            ends.push(bytes.len());
        }
        Ok(Self::Packed { bytes, ends })
    }

    /// Reads Arrow data: a single array in place, several by copying.
    fn from_arrow(chunks: &Chunks, refuse: &mut dyn Refuse) -> PyResult<Self> {
        if let [array] = chunks.arrays.as_slice() {
            return Self::from_array(array, refuse);
        }
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for chunk in &chunks.arrays {
            let held = Self::from_array(chunk, &mut Shifted { rows: ends.len() - 1, refuse: &mut *refuse })?;
            for row in 0..chunk.len() {
                bytes.extend_from_slice(held.texts().get(row));
                ends.push(bytes.len());
            }
        }
        Ok(Self::Packed { bytes, ends })
    }

    /// Reads one Arrow array in place.
    pub fn from_array(array: &ArrayRef, refuse: &mut dyn Refuse) -> PyResult<Self> {
        // An empty list may have any type, chosen by its library.
        if array.is_empty() {
            return Self::pack(0, std::iter::empty(), refuse);
        }
        let Some(held) = Self::in_place(array) else {
            return Err(refuse.whole(format!("Arrow data of {}", array.data_type())));
        };
        if let Some(nulls) = array.logical_nulls().filter(|nulls| nulls.null_count() > 0) {
            for row in (0..array.len()).filter(|&row| nulls.is_null(row)) {
                refuse.cell(row, NoText::Null)?;
            }
        }
        Ok(held)
    }

    /// The texts of an Arrow array, whatever those of nulls; `None` for other types.
    pub fn in_place(array: &ArrayRef) -> Option<Self> {
        let nothing = || Self::Packed { bytes: Vec::new(), ends: vec![0; array.len() + 1] };
        match array.data_type() {
            DataType::Null => Some(nothing()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let texts = dictionary.values();
                let Some(last) = texts.len().checked_sub(1) else { return Some(nothing()) };
                arrow_texts(texts)?;
                let keys = match dictionary.keys().as_primitive_opt::<Int32Type>() {
                    Some(keys) => keys.values().iter().map(|&key| (key as u32).min(last as u32)).collect(),
                    None => dictionary.normalized_keys().into_iter().map(|key| key as u32).collect(),
                };
                Some(Self::Keyed { texts: texts.clone(), keys })
            }
            _ => arrow_texts(array).map(|_| Self::Arrow(array.clone())),
        }
    }

    /// The texts as the core reads them.
    pub fn texts(&self) -> Texts<'_> {
        self.texts_in(|fields| fields)
    }
}

impl<A> HeldTexts<A> {
    /// The number of texts, or `None` for one that serves all rounds.
    pub fn len(&self) -> Option<usize> {
        match self {
            Self::Text(_) | Self::Bytes(_) => None,
            Self::Fixed { len, .. } => Some(*len),
            Self::Packed { ends, .. } => Some(ends.len() - 1),
            Self::Arrow(array) => Some(array.len()),
            Self::Keyed { keys, .. } => Some(keys.len()),
        }
    }

    /// The texts as the core reads them; `read` accesses the numpy array.
    pub fn texts_in<'a>(&'a self, read: impl FnOnce(&'a A) -> &'a PyReadonlyArray1<'a, u8>) -> Texts<'a> {
        match self {
            Self::Text(text) => Texts::One(text.as_bytes()),
            Self::Bytes(bytes) => Texts::One(bytes),
            Self::Fixed { fields, width, len } => {
                let bytes = read(fields).as_slice().expect("made contiguous");
                Texts::Fixed { bytes, width: *width, len: *len }
            }
            Self::Packed { bytes, ends } => Texts::Packed { bytes, ends },
            Self::Arrow(array) => arrow_texts(array).expect("checked"),
            Self::Keyed { texts, keys } => Texts::Keyed { texts: foreign(texts).expect("checked"), keys },
        }
    }

    /// Converts the holder of the numpy array.
    pub fn map<B>(self, hold: impl FnOnce(A) -> B) -> HeldTexts<B> {
        match self {
            Self::Text(text) => HeldTexts::Text(text),
            Self::Bytes(bytes) => HeldTexts::Bytes(bytes),
            Self::Fixed { fields, width, len } => HeldTexts::Fixed { fields: hold(fields), width, len },
            Self::Packed { bytes, ends } => HeldTexts::Packed { bytes, ends },
            Self::Arrow(array) => HeldTexts::Arrow(array),
            Self::Keyed { texts, keys } => HeldTexts::Keyed { texts, keys },
        }
    }
}

/// Forwards to another handler, with row numbers moved by the rows before.
struct Shifted<'r> {
    rows: usize,
    refuse: &'r mut dyn Refuse,
}

impl Refuse for Shifted<'_> {
    fn cell(&mut self, row: usize, cell: NoText<'_, '_>) -> PyResult<()> {
        self.refuse.cell(self.rows + row, cell)
    }

    fn whole(&self, got: String) -> PyErr {
        self.refuse.whole(got)
    }
}

/// The texts of an Arrow array, in place; `None` for other types.
pub fn arrow_texts(array: &ArrayRef) -> Option<Texts<'_>> {
    Some(match array.data_type() {
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            Texts::Short { bytes: array.value_data(), ends: array.value_offsets() }
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            Texts::Long { bytes: array.value_data(), ends: array.value_offsets() }
        }
        DataType::Binary => {
            let array = array.as_binary::<i32>();
            Texts::Short { bytes: array.value_data(), ends: array.value_offsets() }
        }
        DataType::LargeBinary => {
            let array = array.as_binary::<i64>();
            Texts::Long { bytes: array.value_data(), ends: array.value_offsets() }
        }
        _ => Texts::Foreign(foreign(array)?),
    })
}

/// Random access to the texts of an Arrow array; `None` for other types.
fn foreign(array: &ArrayRef) -> Option<&dyn Foreign> {
    Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>(),
        DataType::LargeUtf8 => array.as_string::<i64>(),
        DataType::Utf8View => array.as_string_view(),
        DataType::Binary => array.as_binary::<i32>(),
        DataType::LargeBinary => array.as_binary::<i64>(),
        DataType::BinaryView => array.as_binary_view(),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary(),
        _ => return None,
    })
}

macro_rules! foreign {
    ($($array:ty, |$value:ident| $bytes:expr;)*) => {$(
        impl Foreign for $array {
            fn text(&self, i: usize) -> &[u8] {
                let $value = self.value(i);
                $bytes
            }

            fn count(&self) -> usize {
                Array::len(self)
            }
        }
    )*};
}
foreign! {
    StringArray, |text| text.as_bytes();
    LargeStringArray, |text| text.as_bytes();
    StringViewArray, |text| text.as_bytes();
    BinaryArray, |bytes| bytes;
    LargeBinaryArray, |bytes| bytes;
    BinaryViewArray, |bytes| bytes;
    FixedSizeBinaryArray, |bytes| bytes;
}

/// The array in contiguous, aligned memory; a view of received bytes may have neither.
pub fn contiguous<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "require"), (array, py.None(), "CAE"))
}

/// Whether a Python string is valid UTF-8: pyo3 doesn't check that its code points exist.
pub fn is_utf8(text: &str) -> bool {
    std::str::from_utf8(text.as_bytes()).is_ok()
}

/// The error for a text with a code point above U+10FFFF.
pub fn beyond(name: &str) -> Error {
    Error::value(name, "must be text that UTF-8 can encode, got text with a code point above U+10FFFF")
}

fn not_unicode(name: &str) -> Error {
    Error::value(name, "must be text that UTF-8 can encode, got text with a lone surrogate")
}

pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string())
}
