//! Collecting the errors of several arguments, to raise them together.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

/// The errors found so far in the arguments of a constructor.
pub struct Mistakes<'py> {
    py: Python<'py>,
    /// The prefix of the arguments' names.
    place: &'static str,
    /// The errors, each with the argument to report it under, which may differ from the one that it names.
    found: Vec<(String, PyErr)>,
}

impl<'py> Mistakes<'py> {
    pub fn new(py: Python<'py>, place: &'static str) -> Self {
        Self { py, place, found: Vec::new() }
    }

    /// Returns the checked value, or records its error and returns `None`.
    pub fn keep<T>(&mut self, argument: &str, checked: PyResult<T>) -> PyResult<Option<T>> {
        let error = match checked {
            Ok(found) => return Ok(Some(found)),
            Err(error) => error,
        };
        if !error.is_instance_of::<PyValueError>(self.py) && !error.is_instance_of::<PyTypeError>(self.py) {
            return Err(error);
        }
        let errors = self.py.import(intern!(self.py, "provably_fair._core.errors"))?;
        let placed = errors.call_method1(intern!(self.py, "placed"), (error, self.place))?;
        self.add(argument.to_owned(), PyErr::from_value(placed));
        Ok(None)
    }

    /// Records an error that already names its place.
    pub fn add(&mut self, argument: String, error: PyErr) {
        self.found.push((argument, error));
    }

    pub fn has(&self, argument: &str) -> bool {
        self.found.iter().any(|(known, _)| known == argument)
    }

    /// Raises one exception for all recorded errors, if there are any.
    pub fn report(self) -> PyResult<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let mistakes = self.py.import(intern!(self.py, "provably_fair._core.mistakes"))?;
        Err(PyErr::from_value(mistakes.call_method1(intern!(self.py, "as_one"), (self.found,))?))
    }
}
