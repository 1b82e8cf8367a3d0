//! Mistakes in several arguments, told all at once.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

/// What is wrong with the arguments of something that is made, collected while they are checked.
pub struct Mistakes<'py> {
    py: Python<'py>,
    /// What precedes the arguments' names.
    place: &'static str,
    /// The argument under which each is told, which needn't be the one that it is about.
    found: Vec<(String, PyErr)>,
}

impl<'py> Mistakes<'py> {
    pub fn new(py: Python<'py>, place: &'static str) -> Self {
        Self { py, place, found: Vec::new() }
    }

    /// What an argument was found to be; None where it is mistaken, which is kept.
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

    /// Keeps an error that has its place.
    pub fn add(&mut self, argument: String, error: PyErr) {
        self.found.push((argument, error));
    }

    pub fn has(&self, argument: &str) -> bool {
        self.found.iter().any(|(known, _)| known == argument)
    }

    /// One exception that tells of all that was found, if anything was.
    pub fn told(self) -> PyResult<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let mistakes = self.py.import(intern!(self.py, "provably_fair._core.mistakes"))?;
        Err(PyErr::from_value(mistakes.call_method1(intern!(self.py, "as_one"), (self.found,))?))
    }
}
