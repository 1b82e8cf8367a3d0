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
use crate::logs::column::{Bits, Column, Ends, Numbers, Object, Valid};
use crate::logs::findings::Verdict;
use crate::logs::number::Number;

/// The maximum nesting depth of lists.
const DEEPEST: usize = 100;

/// Reads a field of text and the indices of rows without text. The field has `rows` rows, or a single text
/// for all.
pub fn text_field<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
    rows: usize,
) -> PyResult<(TextArgument<'py>, Vec<(usize, Verdict)>)> {
    if let Some(text) = TextArgument::single(name, value)? {
        return Ok((text, Vec::new()));
    }
    let mut reading = CollectBlanks { name, column: value, bad: Vec::new() };
    let texts = TextArgument::many(name, value, &mut reading)?;
    check_rows(name, texts.len().unwrap_or(rows), rows)?;
    Ok((texts, reading.bad))
}

/// Collects the rows without text instead of raising an error.
struct CollectBlanks<'a, 'py> {
    name: &'a str,
    column: &'a Bound<'py, PyAny>,
    bad: Vec<(usize, Verdict)>,
}

impl Refuse for CollectBlanks<'_, '_> {
    fn cell(&mut self, row: usize, cell: NoText<'_, '_>) -> PyResult<()> {
        let verdict = match cell {
            NoText::Null | NoText::Masked => Verdict::Missing,
            NoText::Object(object) if is_missing(object)? => Verdict::Missing,
            NoText::Object(_) | NoText::Surrogate => Verdict::Malformed,
            NoText::Beyond => return Err(beyond(self.name).at(row).into()),
        };
        self.bad.push((row, verdict));
        Ok(())
    }

    fn whole(&self, got: String) -> PyErr {
        let got = type_of(self.column).unwrap_or(got);
        Error::type_(self.name, format!("must be text, got {got}: seeds are text, 007 isn't 7")).into()
    }
}

/// The name of the column's type in its own library.
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

/// A column that can be read without the GIL.
pub struct HeldColumn<'py> {
    memory: HeldValues<'py>,
    /// The bits of its floats, if narrower than a double's.
    pub narrow: Option<u8>,
}

enum HeldValues<'py> {
    /// Texts, and a mask of the rows that have one, empty if all do.
    Texts(TextArgument<'py>, Vec<bool>),
    Arrow(ArrayRef),
    /// A numpy array, and the shape of a row.
    Numbers(NumpyNumbers<'py>, Box<[usize]>),
    Truths(PyReadonlyArray1<'py, bool>, Box<[usize]>),
    Objects(Vec<Object>),
    /// Values of a type that no field accepts.
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
    /// Reads the column of a field, which has `rows` rows or a single text for all.
    pub fn new(name: &str, value: &Bound<'py, PyAny>, rows: usize) -> PyResult<Self> {
        if let Ok(Some(text)) = TextArgument::single(name, value) {
            return Ok(Self { memory: HeldValues::Texts(text, Vec::new()), narrow: None });
        }
        check_rows(name, value.len()?, rows)?;
        if let Ok(list) = value.cast::<PyList>() {
            return Self::objects(list.iter(), Floats::default());
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return Self::objects(tuple.iter(), Floats::default());
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
            // A type that is rare in logs: read as Python objects.
            let list = value.call_method0("to_pylist").or_else(|_| value.call_method0("to_list"))?;
            return Self::objects(list.cast::<PyList>()?.iter(), Floats::of(narrow(&chunks.data_type)));
        }
        Err(Error::type_(name, format!("must be a column, got {}", value.get_type().name()?)).into())
    }

    fn objects(cells: impl Iterator<Item = Bound<'py, PyAny>>, mut floats: Floats) -> PyResult<Self> {
        let objects = cells.map(|cell| object(&cell, 0, &mut floats)).collect::<PyResult<_>>()?;
        Ok(Self { memory: HeldValues::Objects(objects), narrow: floats.narrow })
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
        let items = || {
            let list = array.call_method0("tolist")?.cast_into::<PyList>()?;
            Self::objects(list.iter(), Floats::default())
        };
        let memory = match dtype.kind() {
            b'i' | b'u' | b'f' => {
                let native = match dtype.kind() {
                    // Half precision, and floats wider than a double.
                    b'f' if dtype.itemsize() != 4 => "f8".to_owned(),
                    kind => format!("{}{}", char::from(kind), dtype.itemsize()),
                };
                let flat = flat(&native)?;
                let kind = flat.cast::<PyUntypedArray>()?.dtype();
                with_type_of!(
                    &kind,
                    T of i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 =>
                        HeldValues::Numbers(flat.extract::<PyReadonlyArray1<'py, T>>()?.into(), shape),
                    else return Err(Error::type_(name, format!("must be numbers, got {dtype}")).into())
                )
            }
            b'b' => HeldValues::Truths(flat("?")?.extract()?, shape),
            b'S' | b'U' if shape.is_empty() => {
                let (texts, bad) = text_field(name, array.as_any(), rows)?;
                if !bad.is_empty() {
                    return items();
                }
                HeldValues::Texts(texts, Vec::new())
            }
            b'M' | b'm' | b'c' | b'V' => HeldValues::Others,
            _ => return items(),
        };
        debug_assert!(array.shape()[0] == rows);
        Ok(Self { memory, narrow: narrow_floats(&dtype) })
    }

    /// Holds an Arrow array in place; `None` if its type has to be converted.
    fn from_array(array: &ArrayRef) -> PyResult<Option<Self>> {
        let narrow = narrow(array.data_type());
        if let DataType::Dictionary(_, values) = array.data_type() {
            if !values.is_string() && !values.is_binary() && **values != DataType::Utf8View {
                return Ok(None);
            }
            let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
            let valid = nulls.map(|nulls| nulls.iter().collect()).unwrap_or_default();
            let texts = TextArgument::in_place(array);
            return Ok(texts.map(|texts| Self { memory: HeldValues::Texts(texts, valid), narrow }));
        }
        let known = arrow_column(array).is_some();
        Ok(known.then(|| Self { memory: HeldValues::Arrow(array.clone()), narrow }))
    }

    /// The column as the core reads it.
    pub fn column(&self) -> Column<'_> {
        match &self.memory {
            HeldValues::Texts(texts, valid) => Column::Texts {
                texts: texts.texts(),
                valid: if valid.is_empty() { Valid::All } else { Valid::Flags(valid) },
            },
            HeldValues::Arrow(array) => arrow_column(array).expect("checked"),
            HeldValues::Numbers(numbers, shape) => {
                in_lists(Column::Numbers { numbers: numbers.numbers(), valid: Valid::All }, shape)
            }
            HeldValues::Truths(truths, shape) => {
                let truths = Valid::Flags(truths.as_slice().expect("made contiguous"));
                in_lists(Column::Truths { truths, valid: Valid::All }, shape)
            }
            HeldValues::Objects(objects) => Column::Objects(objects),
            HeldValues::Others => Column::Others(Valid::All),
        }
    }

    /// Checks that the column's type can hold dice.
    pub fn check_dice(&self, name: &str) -> PyResult<()> {
        let got = match self.column() {
            Column::Truths { .. } => "truths",
            Column::Others(Valid::All) => "values of another type",
            _ => return Ok(()),
        };
        Err(Error::type_(name, format!("must be text, whole numbers or lists of faces, got {got}")).into())
    }
}

/// Groups cells into nested lists of a shape.
fn in_lists<'a>(cells: Column<'a>, shape: &[usize]) -> Column<'a> {
    shape.iter().rev().fold(cells, |items, &each| Column::Lists {
        ends: Ends::Each(each),
        items: Box::new(items),
        valid: Valid::All,
    })
}

/// An Arrow array in place; `None` if its type has to be converted.
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
            Column::Truths { truths: Valid::Bits(bits), valid: valid(array) }
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

/// The bits of a numpy type's floats, if narrower than a double's.
fn narrow_floats(dtype: &Bound<'_, PyArrayDescr>) -> Option<u8> {
    (dtype.kind() == b'f' && dtype.itemsize() < 8).then(|| 8 * dtype.itemsize() as u8)
}

/// The bits of an Arrow type's floats, if narrower than a double's.
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

/// Whether a cell is empty: None, NaN, or pandas' NA and NaT.
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

/// The types of the floats in cells.
#[derive(Clone, Copy, Default)]
struct Floats {
    /// The bits of the narrowest float, if narrower than a double's.
    narrow: Option<u8>,
    /// Whether Python's floats are singles, converted from a column or an array of these.
    single: bool,
}

impl Floats {
    fn of(narrow: Option<u8>) -> Self {
        Self { narrow, single: narrow == Some(32) }
    }

    /// Adds floats of this many bits, if narrower than a double's.
    fn add(&mut self, narrow: Option<u8>) {
        self.narrow = self.narrow.into_iter().chain(narrow).min();
    }
}

/// Converts a cell, or an item of a list at this depth.
fn object(cell: &Bound<'_, PyAny>, depth: usize, floats: &mut Floats) -> PyResult<Object> {
    if let Ok(text) = cell.cast::<PyString>() {
        return Ok(match text.to_str() {
            Ok(text) if is_utf8(text) => Object::Text(text.as_bytes().into()),
            _ => Object::Other,
        });
    }
    if let Ok(float) = cell.cast::<PyFloat>() {
        return Ok(match Number::float(float.value()) {
            Some(Number::Double(value)) if floats.single => Object::Number(Number::Single(value as f32)),
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
        let items = cell.try_iter()?.map(|item| object(&item?, depth + 1, floats));
        return items.collect::<PyResult<_>>().map(Object::List);
    }
    if let Ok(array) = cell.cast::<PyUntypedArray>() {
        let narrow = narrow_floats(&array.dtype());
        floats.add(narrow);
        return object(&array.call_method0("tolist")?, depth, &mut Floats::of(narrow));
    }
    of_another_type(cell, floats)
}

/// Converts numbers of types other than Python's own, and markers of missing values.
fn of_another_type(cell: &Bound<'_, PyAny>, floats: &mut Floats) -> PyResult<Object> {
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
                floats.add((size < 8).then_some(8 * size));
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
    // Python refuses to write numbers of this length, and no outcome is that large.
    let Ok(text) = value.call_method0("__repr__") else { return Ok(Object::Number(Number::Beyond)) };
    let text: String = text.extract()?;
    Ok(match text.parse() {
        Ok(number) => Object::Number(Number::whole(number)),
        Err(_) => Object::Digits(text.into_bytes().into()),
    })
}
