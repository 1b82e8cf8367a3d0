//! numpy arrays: new ones, filled without the GIL, and the Rust type of a dtype.

use std::borrow::Cow;

use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, dtype};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::progress::reported;
use crate::error::{Error, Result};
use crate::parallel::Tick;

/// Runs code with `$T` the type of a dtype's elements, if it is one of those listed, else other code.
macro_rules! with_type_of {
    ($dtype:expr, $T:ident of $($type:ident)* => $run:expr, else $other:expr) => {{
        let dtype: &pyo3::Bound<'_, numpy::PyArrayDescr> = $dtype;
        $(if numpy::PyArrayDescrMethods::is_equiv_to(dtype, &numpy::dtype::<$type>(dtype.py())) {
            type $T = $type;
            $run
        } else)* {
            $other
        }
    }};
}

pub(super) use with_type_of;

/// A new array; where numpy can't make one so large, the error says so.
pub fn new_array<'py>(
    py: Python<'py>,
    shape: &[usize],
    dtype: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import(intern!(py, "numpy"))?;
    numpy.call_method1(intern!(py, "empty"), (PyTuple::new(py, shape)?, dtype)).map_err(|error| {
        if error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyMemoryError>(py) {
            let rounds = shape.first().copied().unwrap_or(1);
            PyMemoryError::new_err(format!(
                "an array for {rounds} rounds doesn't fit the memory: {}",
                error.value(py)
            ))
        } else {
            error
        }
    })
}

/// A new array, filled by work that reports to Python.
pub fn new_filled<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    progress: Option<Py<PyAny>>,
    fill: impl FnOnce(&mut [T], Tick<'_>) -> Result<()> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let array = new_array(py, shape, &dtype::<T>(py).into_any())?;
    fill_array(&array, progress, fill)?;
    Ok(array)
}

/// Fills a contiguous array by work that reports to Python.
pub fn fill_array<T: Element>(
    array: &Bound<'_, PyAny>,
    progress: Option<Py<PyAny>>,
    fill: impl FnOnce(&mut [T], Tick<'_>) -> Result<()> + Send,
) -> PyResult<()> {
    let py = array.py();
    let flat = array.call_method1(intern!(py, "reshape"), (-1,))?.cast_into::<PyArray1<T>>()?;
    let mut flat =
        flat.try_readwrite().map_err(|_| Error::value("out", "must not share memory with an input"))?;
    let out = flat.as_slice_mut()?;
    reported(py, progress, |tick| fill(out, tick))
}

/// An array's values, one after the other.
pub fn contiguous<'a, T: Element + Copy>(array: &'a PyReadonlyArray1<'_, T>) -> Cow<'a, [T]> {
    array.as_slice().map_or_else(|_| Cow::Owned(array.as_array().to_vec()), Cow::Borrowed)
}
