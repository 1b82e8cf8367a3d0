//! Long work reports to Python, and stops when Python wants it to.

use pyo3::prelude::*;

use crate::error::{Error, Result};

/// Calls a Python function with the number of rounds done, and looks for Ctrl-C.
pub struct Progress {
    callback: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Progress {
    pub fn new(callback: Option<Py<PyAny>>) -> Self {
        Self { callback, raised: None }
    }

    /// To be called from the thread that entered the engine, now and then.
    pub fn tick(&mut self, done: u64) -> Result<()> {
        let outcome = Python::attach(|py| {
            py.check_signals()?;
            match &self.callback {
                Some(callback) => callback.call1(py, (done,)).map(drop),
                None => Ok(()),
            }
        });
        outcome.map_err(|raised| {
            self.raised = Some(raised);
            Error::interrupted()
        })
    }

    /// The work's result, or what Python raised in the middle of it.
    pub fn finish<T>(&mut self, result: Result<T>) -> PyResult<T> {
        match self.raised.take() {
            Some(raised) => Err(raised),
            None => Ok(result?),
        }
    }
}
