//! Converting Rust values to Python objects.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A tuple of Python objects made from `values`.
pub fn objects<T: Into<pyo3::PyClassInitializer<T>> + PyClass>(
    py: Python<'_>,
    values: impl IntoIterator<Item = T>,
) -> PyResult<Py<PyTuple>> {
    let values = values.into_iter().map(|value| Py::new(py, value)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, values)?.unbind())
}
