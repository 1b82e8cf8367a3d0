//! A log's columns as Python passes them.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBool, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::arrays::with_type_of;
use super::arrow;
use super::strings::{NoText, Refuse, TextArgument, arrow_texts, beyond, contiguous, is_utf8};
use crate::error::Error;
use crate::logs::column::{Bits, Column, Ends, Numbers, Object, Truths, Valid};
use crate::logs::findings::Kind;
use crate::logs::number::Number;

/// Lists inside lists, at most.
const DEEPEST: usize = 100;

/// Reads the text of this field, which has this number of rows unless one text stands for all of them, and the rows in
/// which there is none.
pub fn text_field<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
    rows: usize,
) -> PyResult<(TextArgument<'py>, Vec<(usize, Kind)>)> {
    if let Some(text) = TextArgument::single(name, value)? {
        return Ok((text, Vec::new()));
    }
    let mut reading = Reading { name, column: value, bad: Vec::new() };
    let texts = TextArgument::many(name, value, &mut reading)?;
    check_rows(name, texts.len().unwrap_or(rows), rows)?;
    Ok((texts, reading.bad))
}

/// Reads on where a row has no text.
struct Reading<'a, 'py> {
    name: &'a str,
    column: &'a Bound<'py, PyAny>,
    bad: Vec<(usize, Kind)>,
}

impl Refuse for Reading<'_, '_> {
    fn cell(&mut self, row: usize, cell: NoText<'_, '_>) -> PyResult<()> {
        let kind = match cell {
            NoText::Null | NoText::Masked => Kind::Missing,
            NoText::Object(object) if is_missing(object)? => Kind::Missing,
            NoText::Object(_) | NoText::Surrogate => Kind::Malformed,
            NoText::Beyond => return Err(beyond(self.name).at(row).into()),
        };
        self.bad.push((row, kind));
        Ok(())
    }

    fn whole(&self, got: String) -> PyErr {
        let got = type_of(self.column).unwrap_or(got);
        Error::type_(self.name, format!("must be text, got {got}: seeds are text, 007 isn't 7")).into()
    }
}

/// The type of a column's values, as its library calls it.
pub fn type_of(column: &Bound<'_, PyAny>) -> Option<String> {
    let described = column.getattr("type").or_else(|_| column.getattr("dtype")).ok()?;
    described.str().ok().map(|text| text.to_string())
}

fn check_rows(name: &str, got: usize, rows: usize) -> PyResult<()> {
    if got == rows {
        return Ok(());
    }
    Err(Error::value(name, format!("must have {rows} rows, got {got}")).into())
}

/// A column, held so that it can be read without Python.
pub struct HeldColumn<'py> {
    memory: Memory<'py>,
    /// Bits of the floats in it that are narrower than doubles.
    pub narrow: Option<u8>,
}

enum Memory<'py> {
    /// Text, and whether there is any; nothing where all rows have one.
    Texts(TextArgument<'py>, Vec<bool>),
    Arrow(ArrayRef),
    /// numpy's, with the shape of a row.
    Numbers(NumpyNumbers<'py>, Box<[usize]>),
    Truths(PyReadonlyArray1<'py, bool>, Box<[usize]>),
    Objects(Vec<Object>),
    /// Values of a type that no field has.
    Others,
}

macro_rules! numpy_numbers {
    ($($kind:ident $type:ty),*) => {
        enum NumpyNumbers<'py> {
            $($kind(PyReadonlyArray1<'py, $type>),)*
        }

        impl NumpyNumbers<'_> {
            fn numbers(&self) -> Numbers<'_> {
                match self {
                    $(Self::$kind(array) => Numbers::$kind(array.as_slice().expect("made contiguous")),)*
                }
            }
        }

        $(impl<'py> From<PyReadonlyArray1<'py, $type>> for NumpyNumbers<'py> {
            fn from(array: PyReadonlyArray1<'py, $type>) -> Self {
                Self::$kind(array)
            }
        })*
    };
}
numpy_numbers!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64);

impl<'py> HeldColumn<'py> {
    /// Reads the column of this field, which has this number of rows unless one text stands for all of them.
    pub fn new(name: &str, value: &Bound<'py, PyAny>, rows: usize) -> PyResult<Self> {
        if let Ok(Some(text)) = TextArgument::single(name, value) {
            return Ok(Self { memory: Memory::Texts(text, Vec::new()), narrow: None });
        }
        check_rows(name, value.len()?, rows)?;
        if let Ok(list) = value.cast::<PyList>() {
            return Self::objects(list.iter());
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return Self::objects(tuple.iter());
        }
        if let Ok(array) = value.cast::<PyUntypedArray>() {
            return Self::from_numpy(name, array, rows);
        }
        if arrow::is_exported(value)? {
            let chunks = arrow::chunks(value)?;
            if let [array] = chunks.arrays.as_slice()
                && let Some(column) = Self::from_array(array)?
            {
                return Ok(column);
            }
            // Of types that are rare in logs.
            let narrow = narrow(&chunks.data_type);
            let list = value.call_method0("to_pylist").or_else(|_| value.call_method0("to_list"))?;
            return Ok(Self { narrow, ..Self::objects(list.cast::<PyList>()?.iter())? });
        }
        Err(Error::type_(name, format!("must be a column, got {}", value.get_type().name()?)).into())
    }

    fn objects(cells: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<Self> {
        let mut narrow = None;
        let objects = cells.map(|cell| object(&cell, 0, &mut narrow)).collect::<PyResult<_>>()?;
        Ok(Self { memory: Memory::Objects(objects), narrow })
    }

    fn from_numpy(name: &str, array: &Bound<'py, PyUntypedArray>, rows: usize) -> PyResult<Self> {
        let py = array.py();
        let dtype = array.dtype();
        let shape = Box::from(&array.shape()[1..]);
        let flat = |kind: &str| {
            let values = array.call_method(
                intern!(py, "astype"),
                (kind,),
                Some(&[("copy", false)].into_py_dict(py)?),
            )?;
            let values = values.call_method1(intern!(py, "reshape"), (-1,))?;
            contiguous(&values)
        };
        let memory = match dtype.kind() {
            b'i' | b'u' | b'f' => {
                let native = match dtype.kind() {
                    // Halves, and floats that are wider than doubles.
                    b'f' if dtype.itemsize() != 4 => "f8".to_owned(),
                    kind => format!("{}{}", char::from(kind), dtype.itemsize()),
                };
                let flat = flat(&native)?;
                let kind = flat.cast::<PyUntypedArray>()?.dtype();
                with_type_of!(
                    &kind,
                    T of i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 =>
                        Memory::Numbers(flat.extract::<PyReadonlyArray1<'py, T>>()?.into(), shape),
                    else return Err(Error::type_(name, format!("must be numbers, got {dtype}")).into())
                )
            }
            b'b' => Memory::Truths(flat("?")?.extract()?, shape),
            b'S' | b'U' if shape.is_empty() => {
                let (texts, bad) = text_field(name, array.as_any(), rows)?;
                if bad.is_empty() {
                    Memory::Texts(texts, Vec::new())
                } else {
                    return Self::objects(array.call_method0("tolist")?.cast::<PyList>()?.iter());
                }
            }
            b'M' | b'm' | b'c' | b'V' => Memory::Others,
            _ => return Self::objects(array.call_method0("tolist")?.cast::<PyList>()?.iter()),
        };
        debug_assert!(array.shape()[0] == rows);
        Ok(Self { memory, narrow: narrow_floats(&dtype) })
    }

    /// One Arrow array, if it is of a type that is read where it lies.
    fn from_array(array: &ArrayRef) -> PyResult<Option<Self>> {
        let narrow = narrow(array.data_type());
        if let DataType::Dictionary(_, values) = array.data_type() {
            if !values.is_string() && !values.is_binary() && **values != DataType::Utf8View {
                return Ok(None);
            }
            let mut nulls = Nulls { rows: array.len(), valid: Vec::new() };
            let texts = TextArgument::from_array(array, &mut nulls)?;
            return Ok(Some(Self { memory: Memory::Texts(texts, nulls.valid), narrow }));
        }
        let known = arrow_column(array).is_some();
        Ok(known.then(|| Self { memory: Memory::Arrow(array.clone()), narrow }))
    }

    /// The column, for the core.
    pub fn column(&self) -> Column<'_> {
        match &self.memory {
            Memory::Texts(texts, valid) => Column::Texts {
                texts: texts.texts(),
                valid: if valid.is_empty() { Valid::All } else { Valid::Flags(valid) },
            },
            Memory::Arrow(array) => arrow_column(array).expect("checked"),
            Memory::Numbers(numbers, shape) => {
                in_lists(Column::Numbers { numbers: numbers.numbers(), valid: Valid::All }, shape)
            }
            Memory::Truths(truths, shape) => {
                let truths = Truths::Bytes(truths.as_slice().expect("made contiguous"));
                in_lists(Column::Truths { truths, valid: Valid::All }, shape)
            }
            Memory::Objects(objects) => Column::Objects(objects),
            Memory::Others => Column::Others(Valid::All),
        }
    }

    /// Refuses a column whose values can't be dice.
    pub fn check_dice(&self, name: &str) -> PyResult<()> {
        let got = match self.column() {
            Column::Truths { .. } => "truths",
            Column::Others(Valid::All) => "values of another type",
            _ => return Ok(()),
        };
        Err(Error::type_(name, format!("must be text, whole numbers or lists of faces, got {got}")).into())
    }
}

/// The cells of a column, in lists of a shape.
fn in_lists<'a>(cells: Column<'a>, shape: &[usize]) -> Column<'a> {
    shape.iter().rev().fold(cells, |items, &each| Column::Lists {
        ends: Ends::Each(each),
        items: Box::new(items),
        valid: Valid::All,
    })
}

/// Marks the rows that have no text; nothing where all have one.
struct Nulls {
    rows: usize,
    valid: Vec<bool>,
}

impl Refuse for Nulls {
    fn cell(&mut self, row: usize, _: NoText<'_, '_>) -> PyResult<()> {
        self.valid.resize(self.rows, true);
        self.valid[row] = false;
        Ok(())
    }

    fn whole(&self, got: String) -> PyErr {
        Error::type_("outcomes", format!("must be of one type, got {got}")).into()
    }
}

/// An Arrow array as it lies in memory; `None` where its type is read in another way.
fn arrow_column(array: &ArrayRef) -> Option<Column<'_>> {
    fn numbers<'a, T: ArrowPrimitiveType>(
        array: &'a ArrayRef,
        make: impl Fn(&'a [T::Native]) -> Numbers<'a>,
    ) -> Column<'a> {
        Column::Numbers { numbers: make(array.as_primitive::<T>().values()), valid: valid(array) }
    }
    if let Some(texts) = arrow_texts(array) {
        return Some(Column::Texts { texts, valid: valid(array) });
    }
    Some(match array.data_type() {
        DataType::Int8 => numbers::<Int8Type>(array, Numbers::I8),
        DataType::Int16 => numbers::<Int16Type>(array, Numbers::I16),
        DataType::Int32 => numbers::<Int32Type>(array, Numbers::I32),
        DataType::Int64 => numbers::<Int64Type>(array, Numbers::I64),
        DataType::UInt8 => numbers::<UInt8Type>(array, Numbers::U8),
        DataType::UInt16 => numbers::<UInt16Type>(array, Numbers::U16),
        DataType::UInt32 => numbers::<UInt32Type>(array, Numbers::U32),
        DataType::UInt64 => numbers::<UInt64Type>(array, Numbers::U64),
        DataType::Float32 => numbers::<Float32Type>(array, Numbers::F32),
        DataType::Float64 => numbers::<Float64Type>(array, Numbers::F64),
        &DataType::Decimal128(_, scale) => {
            numbers::<Decimal128Type>(array, |digits| Numbers::Decimals { digits, scale: scale.into() })
        }
        DataType::Boolean => {
            let values = array.as_boolean().values();
            let bits = Bits { bytes: values.values(), offset: values.offset() };
            Column::Truths { truths: Truths::Bits(bits), valid: valid(array) }
        }
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            let items = Box::new(arrow_column(lists.values())?);
            Column::Lists { ends: Ends::Short(lists.value_offsets()), items, valid: valid(array) }
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let items = Box::new(arrow_column(lists.values())?);
            Column::Lists { ends: Ends::Long(lists.value_offsets()), items, valid: valid(array) }
        }
        DataType::FixedSizeList(_, each) => {
            let items = Box::new(arrow_column(array.as_fixed_size_list().values())?);
            Column::Lists { ends: Ends::Each(*each as usize), items, valid: valid(array) }
        }
        DataType::Null => Column::Others(Valid::None),
        _ => return None,
    })
}

fn valid(array: &ArrayRef) -> Valid<'_> {
    match array.nulls() {
        Some(nulls) if nulls.null_count() > 0 => {
            let bits = nulls.inner();
            Valid::Bits(Bits { bytes: bits.values(), offset: bits.offset() })
        }
        _ => Valid::All,
    }
}

/// Bits of the floats of a numpy type that are narrower than doubles.
fn narrow_floats(dtype: &Bound<'_, PyArrayDescr>) -> Option<u8> {
    (dtype.kind() == b'f' && dtype.itemsize() < 8).then(|| 8 * dtype.itemsize() as u8)
}

/// Bits of the floats of an Arrow type that are narrower than doubles.
fn narrow(kind: &DataType) -> Option<u8> {
    match kind {
        DataType::Float16 => Some(16),
        DataType::Float32 => Some(32),
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _) => narrow(field.data_type()),
        DataType::Dictionary(_, values) => narrow(values),
        DataType::RunEndEncoded(_, values) => narrow(values.data_type()),
        _ => None,
    }
}

/// Whether there is nothing in a cell: None, NaN, or pandas' NA and NaT.
fn is_missing(cell: &Bound<'_, PyAny>) -> PyResult<bool> {
    if cell.is_none() {
        return Ok(true);
    }
    if let Ok(float) = cell.cast::<PyFloat>() {
        return Ok(float.value().is_nan());
    }
    let kind = cell.get_type();
    let name = kind.name()?;
    let name = name.to_str().unwrap_or("");
    Ok(matches!(name, "NAType" | "NaTType")
        || (name.starts_with("float") && cell.extract::<f64>().is_ok_and(f64::is_nan)))
}

/// A cell of any kind, or an item of lists of this depth. `narrow` becomes the bits of a float that is narrower than a
/// double.
fn object(cell: &Bound<'_, PyAny>, depth: usize, narrow: &mut Option<u8>) -> PyResult<Object> {
    if let Ok(text) = cell.cast::<PyString>() {
        return Ok(match text.to_str() {
            Ok(text) if is_utf8(text) => Object::Text(text.as_bytes().into()),
            _ => Object::Other,
        });
    }
    if let Ok(float) = cell.cast::<PyFloat>() {
        return Ok(match Number::float(float.value()) {
            Some(number) => Object::Number(number),
            None if float.value().is_nan() => Object::Missing,
            None => Object::Other,
        });
    }
    if let Ok(truth) = cell.cast::<PyBool>() {
        return Ok(Object::Truth(truth.is_true()));
    }
    if let Ok(whole) = cell.cast::<PyInt>() {
        return whole_number(whole.as_any());
    }
    if cell.is_none() {
        return Ok(Object::Missing);
    }
    if let Ok(bytes) = cell.cast::<PyBytes>() {
        return Ok(Object::Text(bytes.as_bytes().into()));
    }
    if cell.is_instance_of::<PyList>() || cell.is_instance_of::<PyTuple>() {
        if depth > DEEPEST {
            return Ok(Object::Other);
        }
        let items = cell.try_iter()?.map(|item| object(&item?, depth + 1, narrow));
        return items.collect::<PyResult<_>>().map(Object::List);
    }
    if let Ok(array) = cell.cast::<PyUntypedArray>() {
        *narrow = narrow_floats(&array.dtype()).or(*narrow);
        return object(&array.call_method0("tolist")?, depth, narrow);
    }
    of_another_type(cell, narrow)
}

/// Numbers of other types than Python's own, and what stands for nothing.
fn of_another_type(cell: &Bound<'_, PyAny>, narrow: &mut Option<u8>) -> PyResult<Object> {
    let py = cell.py();
    if is_missing(cell)? {
        return Ok(Object::Missing);
    }
    if let Ok(dtype) = cell.getattr(intern!(py, "dtype"))
        && cell.hasattr(intern!(py, "item"))?
    {
        let kind: char = dtype.getattr("kind").and_then(|kind| kind.extract()).unwrap_or('V');
        let size: u8 = dtype.getattr("itemsize").and_then(|size| size.extract()).unwrap_or(0);
        return match (kind, size) {
            ('b', _) => Ok(Object::Truth(cell.is_truthy()?)),
            ('i' | 'u', _) => whole_number(&cell.call_method0(intern!(py, "item"))?),
            ('f', _) => {
                let value: f64 = cell.extract()?;
                if size < 8 {
                    *narrow = Some(8 * size);
                }
                let number = if size == 4 { Number::Single(value as f32) } else { Number::Double(value) };
                Ok(if value.is_finite() { Object::Number(number) } else { Object::Other })
            }
            _ => Ok(Object::Other),
        };
    }
    let kind = cell.get_type();
    let kind = (kind.module()?.to_string(), kind.name()?.to_string());
    match (kind.0.as_str(), kind.1.as_str()) {
        ("decimal", "Decimal") => {
            let text = cell.str()?;
            Ok(Number::parse(text.to_str()?.as_bytes()).map_or(Object::Other, Object::Number))
        }
        ("fractions", "Fraction") => {
            let part = |name| cell.getattr(name).and_then(|part| part.extract::<i128>());
            Ok(Object::Number(match (part("numerator"), part("denominator")) {
                (Ok(above), Ok(below)) => Number::Ratio { above, below },
                _ => Number::Beyond,
            }))
        }
        _ => Ok(Object::Other),
    }
}

fn whole_number(value: &Bound<'_, PyAny>) -> PyResult<Object> {
    if let Ok(number) = value.extract::<i64>() {
        return Ok(Object::Number(Number::whole(number.into())));
    }
    // Of more digits than Python writes there is no outcome.
    let Ok(text) = value.call_method0("__repr__") else { return Ok(Object::Number(Number::Beyond)) };
    let text: String = text.extract()?;
    Ok(match text.parse() {
        Ok(number) => Object::Number(Number::whole(number)),
        Err(_) => Object::Digits(text.into_bytes().into()),
    })
}
