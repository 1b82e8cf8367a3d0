//! FPClub's dice: arrays and text in, the core's answers out.

use numpy::{Element, PyReadonlyArray1, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::arrays::{new_filled, with_type_of};
use super::objects::objects;
use crate::error::{Error, Result};
use crate::fpclub::combined::{combine_into, complete_into, format_typed, md5_digits};
use crate::fpclub::hashed::{
    Algorithm, Edit, Property, Record, find_repair, parse_hash, parse_log, write_log,
};
use crate::fpclub::{Face, check_faces, parse_digits, push_digits};

/// A property of a record: `MI` with the values `length:0`, `game:0`.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct FpclubProperty {
    /// Its name.
    name: String,
    /// Its values, escapes undone.
    values: Py<PyTuple>,
}

/// A published hash in lowercase, and the name of its algorithm.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct FpclubHash {
    /// Its hexadecimal digits.
    text: String,
    /// "md5" or "sha256".
    algorithm: &'static str,
}

/// The single edit that makes digits match a hash.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct FpclubRepair {
    /// "insert", "delete", "substitute" or "swap".
    kind: &'static str,
    /// Where.
    index: usize,
    /// The die put in or taken out.
    die: Option<u8>,
    /// The repaired digits.
    digits: String,
}

/// Runs code with `$T` the type of an array's integers.
macro_rules! for_integer_type {
    ($array:expr, |$T:ident| $call:expr) => {
        with_type_of!(
            &$array.cast::<PyUntypedArray>()?.dtype(),
            $T of u8 i64 i8 u16 i16 u32 i32 u64 => $call,
            else Err(Error::type_("array", "must hold integers of 8 to 64 bits").into())
        )
    };
}

/// Raises ValueError, naming the argument and the index, unless all values are faces.
#[pyfunction]
pub fn fpclub_check_faces(py: Python<'_>, argument: &str, array: &Bound<'_, PyAny>) -> PyResult<()> {
    for_integer_type!(array, |T| {
        let array: PyReadonlyArrayDyn<'_, T> = array.extract()?;
        let (values, shape) = (array.as_slice()?, array.shape().to_vec());
        Ok(py.detach(|| check_faces(argument, values, &shape))?)
    })
}

/// The throws of two equally long contiguous arrays of faces of one type.
#[pyfunction]
pub fn fpclub_combine<'py>(
    first: &Bound<'py, PyAny>,
    second: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    for_integer_type!(first, |T| zip_with::<T>(first, second, combine_into))
}

/// The faces completing one player's to the throws.
#[pyfunction]
pub fn fpclub_complete<'py>(
    known: &Bound<'py, PyAny>,
    throws: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    for_integer_type!(known, |T| zip_with::<T>(known, throws, complete_into))
}

/// Two slices in, one out.
type Rule<T> = fn(&[T], &[T], &mut [T]) -> Result<()>;

fn zip_with<'py, T: Element + Face + Sync>(
    one: &Bound<'py, PyAny>,
    two: &Bound<'py, PyAny>,
    rule: Rule<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = one.py();
    let (one, two): (PyReadonlyArray1<'_, T>, PyReadonlyArray1<'_, T>) = (one.extract()?, two.extract()?);
    let (one, two) = (one.as_slice()?, two.as_slice()?);
    new_filled(py, &[one.len()], None, |out, _| rule(one, two, out))
}

/// Digits: ASCII, so always text.
fn text(digits: Vec<u8>) -> String {
    digits.into_iter().map(char::from).collect()
}

/// At most `dice` dice made of random bytes.
#[pyfunction]
pub fn fpclub_digits_from_bytes(py: Python<'_>, bytes: &[u8], dice: usize) -> String {
    let mut digits = Vec::new();
    py.detach(|| push_digits(bytes, dice, &mut digits));
    text(digits)
}

/// Reads digits from text; `dice` is how many there must be, if fixed.
#[pyfunction]
#[pyo3(signature = (argument, text, dice=None))]
pub fn fpclub_parse_digits(
    py: Python<'_>,
    argument: &str,
    text: &[u8],
    dice: Option<usize>,
) -> PyResult<String> {
    Ok(self::text(py.detach(|| parse_digits(argument, text, dice))?))
}

/// Dice from the MD5 generator.
#[pyfunction]
pub fn fpclub_md5_digits(py: Python<'_>, seed: &[u8], dice: usize) -> String {
    text(py.detach(|| md5_digits(seed, dice)))
}

/// What "Format" makes of typed text.
#[pyfunction]
pub fn fpclub_format_typed(py: Python<'_>, argument: &str, typed: &str) -> PyResult<String> {
    Ok(text(py.detach(|| format_typed(argument, typed))?))
}

/// The hash of bytes, in hexadecimal.
#[pyfunction]
pub fn fpclub_hash(py: Python<'_>, text: &[u8], algorithm: &str) -> PyResult<String> {
    let algorithm = Algorithm::from_name("hash", algorithm)?;
    Ok(py.detach(|| algorithm.hash(text)))
}

/// Reads a published hash.
#[pyfunction]
pub fn fpclub_parse_hash(argument: &str, text: &str) -> PyResult<FpclubHash> {
    let (text, algorithm) = parse_hash(argument, text)?;
    Ok(FpclubHash { text, algorithm: algorithm.name() })
}

/// Properties as Python has them: pairs of a name and values.
type Properties = Vec<(String, Vec<String>)>;

fn from_pairs(pairs: Properties) -> Vec<Property> {
    pairs.into_iter().map(|(name, values)| Property { name, values }).collect()
}

fn to_objects(py: Python<'_>, record: &Record) -> PyResult<Py<PyTuple>> {
    let property = |property: &Property| {
        let values = PyTuple::new(py, &property.values)?.unbind();
        Ok(FpclubProperty { name: property.name.clone(), values })
    };
    objects(py, record.properties().iter().map(property).collect::<PyResult<Vec<_>>>()?)
}

/// The properties of a record, as a log would have them.
#[pyfunction]
pub fn fpclub_check_record(py: Python<'_>, argument: &str, properties: Properties) -> PyResult<Py<PyTuple>> {
    to_objects(py, &Record::new(argument, from_pairs(properties))?)
}

/// The records of a log, each a tuple of its properties.
#[pyfunction]
pub fn fpclub_parse_log(py: Python<'_>, argument: &str, text: &[u8]) -> PyResult<Vec<Py<PyTuple>>> {
    let records = py.detach(|| parse_log(argument, text))?;
    records.iter().map(|record| to_objects(py, record)).collect()
}

/// The text of a log.
#[pyfunction]
pub fn fpclub_write_log(py: Python<'_>, records: Vec<Properties>) -> String {
    let records: Vec<Vec<Property>> = records.into_iter().map(from_pairs).collect();
    py.detach(|| write_log(records.iter().map(Vec::as_slice)))
}

/// The single edit that makes digits match a hash.
#[pyfunction]
pub fn fpclub_find_repair(py: Python<'_>, digits: &str, expected: &str) -> PyResult<Option<FpclubRepair>> {
    let (expected, algorithm) = parse_hash("expected", expected)?;
    let digits = digits.as_bytes();
    let repair = py.detach(|| find_repair(digits, &expected, algorithm));
    Ok(repair.map(|repair| {
        let (kind, digit) = match repair.edit {
            Edit::Insert(digit) => ("insert", Some(digit)),
            Edit::Delete => ("delete", Some(digits[repair.index])),
            Edit::Substitute(digit) => ("substitute", Some(digit)),
            Edit::Swap => ("swap", None),
        };
        FpclubRepair {
            kind,
            index: repair.index,
            die: digit.map(|digit| digit - b'0'),
            digits: text(repair.apply(digits)),
        }
    }))
}
