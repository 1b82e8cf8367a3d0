//! Whole numbers from Python, single or in arrays.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use numpy::{PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::error::{Error, Result};
use crate::python::convert::arrow;
use crate::python::convert::columns::type_of;
use crate::python::convert::strings::type_name;

/// Checks a single whole number from `least` to `most`, of any type that Python accepts as an index.
pub fn whole(name: &str, value: &Bound<'_, PyAny>, least: u64, most: u64) -> PyResult<u64> {
    let arguments = value.py().import(intern!(value.py(), "provably_fair._core.arguments"))?;
    arguments.call_method1(intern!(value.py(), "integer"), (name, value, least, most))?.extract()
}

/// Converts whole numbers; also returns whether they came as an array. `None` if the value is something else.
pub fn numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u64>, bool)>> {
    let py = value.py();
    if is_integer(value)? {
        return Ok(Some((vec![number(name, value)?], false)));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return listed(name, value);
    }
    let arrow = arrow::is_exported(value)?;
    let array = if value.is_instance_of::<PyUntypedArray>() {
        value.clone()
    } else if arrow && !value.hasattr(intern!(py, "dtype"))? {
        return arrow_numbers(name, value);
    } else if let Ok(to_numpy) = value.getattr(intern!(py, "to_numpy")) {
        to_numpy.call0()?
    } else {
        return Ok(None);
    };
    let Ok(array) = array.cast::<PyUntypedArray>() else { return Ok(None) };
    if array.hasattr(intern!(py, "mask"))? {
        let arguments = py.import(intern!(py, "provably_fair._core.arguments"))?;
        arguments.call_method1(intern!(py, "refuse_masked"), (name, array))?;
        let plain = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "asarray"), (array,))?;
        return numbers(name, &plain);
    }
    match (array.dtype().kind(), array.ndim()) {
        (b'i' | b'u' | b'O', 0) => numbers(name, &array.call_method0(intern!(py, "item"))?),
        // An empty array may have any type: numpy and Polars give it a numeric or null one.
        (_, 1) if array.is_empty() => Ok(Some((Vec::new(), true))),
        (b'O', 1) => listed(name, &array.call_method0(intern!(py, "tolist"))?),
        (b'i' | b'u', 1) => {
            if array.dtype().kind() == b'i' {
                let least = array.call_method0(intern!(py, "min"))?;
                if least.lt(0)? {
                    let row = array.call_method1(intern!(py, "__lt__"), (0,))?.call_method0("argmax")?;
                    let value = array.get_item(&row)?;
                    return Err(out_of_range(name, value).at(row.extract()?).into());
                }
            }
            let wide = array.call_method1(intern!(py, "astype"), ("uint64",))?;
            let wide = wide.extract::<PyReadonlyArray1<'_, u64>>()?;
            Ok(Some((wide.as_array().to_vec(), true)))
        }
        (b'i' | b'u', n) => Err(Error::value(
            name,
            format!("must be a whole number or a one-dimensional array of them, got {n} dimensions"),
        )
        .into()),
        _ => Ok(None),
    }
}

/// The numbers of a list, if its first element is a whole number.
fn listed(name: &str, list: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u64>, bool)>> {
    let mut numbers = Vec::with_capacity(list.len()?);
    for (row, item) in list.try_iter()?.enumerate() {
        let item = item?;
        if is_integer(&item)? {
            numbers.push(number(name, &item).map_err(|error| error.at(row))?);
        } else if row == 0 && (item.is_instance_of::<PyString>() || item.is_instance_of::<PyBytes>()) {
            return Ok(None);
        } else {
            let problem = format!("must be a whole number, got {}", described(&item));
            return Err(Error::type_(name, problem).at(row).into());
        }
    }
    Ok(Some((numbers, true)))
}

/// The numbers of Arrow data, if its type is one of whole numbers.
fn arrow_numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u64>, bool)>> {
    let chunks = arrow::chunks(value)?;
    let mut numbers = Vec::new();
    for chunk in &chunks.arrays {
        macro_rules! try_types {
            ($($type:ty),*) => {$(
                if let Some(array) = chunk.as_primitive_opt::<$type>() {
                    for item in array.iter() {
                        let row = numbers.len();
                        let item = item.ok_or_else(|| {
                            Error::value(name, "must be a whole number, got null").at(row)
                        })?;
                        let checked = u64::try_from(item).map_err(|_| out_of_range(name, item).at(row))?;
                        numbers.push(checked);
                    }
                    continue;
                }
            )*};
        }
        if chunk.is_empty() {
            continue;
        }
        try_types!(Int64Type, UInt64Type, Int32Type, UInt32Type, Int16Type, UInt16Type, Int8Type, UInt8Type);
        return Ok(None);
    }
    Ok(Some((numbers, true)))
}

/// Whether a value is a whole number of Python or numpy, and not a boolean.
pub fn is_integer(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    if value.is_instance_of::<PyInt>() {
        return Ok(!value.is_instance_of::<PyBool>());
    }
    if value.is_instance_of::<PyUntypedArray>() {
        return Ok(false);
    }
    value.is_instance(&py.import(intern!(py, "numpy"))?.getattr(intern!(py, "integer"))?)
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> Result<u64> {
    value.extract().map_err(|_| out_of_range(name, value))
}

fn out_of_range(name: &str, value: impl std::fmt::Display) -> Error {
    Error::value(name, format_args!("must be from 0 to 2**64 - 1, got {value}"))
}

/// A description, for error messages, of a value that isn't a whole number.
pub fn described(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() || value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyBool>() {
        return value.to_string();
    }
    match value.cast::<PyUntypedArray>() {
        // numpy's constant for a masked element, as an item of a list.
        Ok(array) if array.ndim() == 0 && array.hasattr("mask").unwrap_or(false) => "a masked element".into(),
        Ok(array) => format!("an array of {}", array.dtype()),
        Err(_) => match type_of(value) {
            Some(of) => format!("a {} of {of}", type_name(value)),
            None => match first(value) {
                Some(item) => format!("a {} of {}", type_name(value), type_name(&item)),
                None => type_name(value),
            },
        },
    }
}

/// The first item of a list or a tuple.
fn first<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let listed = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    if listed { value.get_item(0).ok() } else { None }
}
