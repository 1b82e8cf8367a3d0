//! Creating and filling numpy arrays, and mapping dtypes to Rust types.

use std::borrow::Cow;

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, dtype};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::progress::reported;
use crate::error::{Error, Result};
use crate::parallel::Tick;

/// Evaluates code with `$T` bound to the Rust type of a dtype, if it is one of those listed.
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

pub(crate) use with_type_of;

/// Values that Python gets as an array.
pub struct Array<T>(pub Vec<T>);

impl Array<i64> {
    /// Indices, such as those of rows.
    pub fn of_indices(indices: impl IntoIterator<Item = usize>) -> Self {
        indices.into_iter().map(|index| index as i64).collect()
    }
}

impl<T> FromIterator<T> for Array<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<'py, T: Element> IntoPyObject<'py> for Array<T> {
    type Target = PyArray1<T>;
    type Output = Bound<'py, Self::Target>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Ok(PyArray1::from_vec(py, self.0))
    }
}

/// Rows of `N` values, which Python gets as an array of two dimensions.
pub struct RowArray<T, const N: usize>(pub Vec<[T; N]>);

impl<'py, T: Element, const N: usize> IntoPyObject<'py> for RowArray<T, N> {
    type Target = PyArray2<T>;
    type Output = Bound<'py, Self::Target>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let shape = [self.0.len(), N];
        PyArray1::from_vec(py, self.0.into_flattened()).reshape(shape)
    }
}

/// Creates an uninitialized array; a failed allocation becomes an error.
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
                "an array for {rounds} rounds doesn't fit into memory: {}",
                error.value(py)
            ))
        } else {
            error
        }
    })
}

/// Creates an array and fills it by work that reports progress to Python.
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

/// Fills a contiguous array by work that reports progress to Python.
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

/// The values of an array in contiguous memory, copied if necessary.
pub fn contiguous<'a, T: Element + Copy>(array: &'a PyReadonlyArray1<'_, T>) -> Cow<'a, [T]> {
    array.as_slice().map_or_else(|_| Cow::Owned(array.as_array().to_vec()), Cow::Borrowed)
}
