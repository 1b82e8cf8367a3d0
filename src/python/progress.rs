//! Long work reports to Python, and stops when Python wants it to.

use pyo3::prelude::*;

use crate::error::{Error, Result};
use crate::parallel::Tick;

/// Does work without the GIL. Its tick, to be called from the thread that entered the engine, calls a Python function
/// with the number of rounds done, and looks for Ctrl-C: what Python raises there is what becomes of the work.
pub fn reported<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(Tick<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let mut tick = |done| {
        let told = Python::attach(|py| {
            py.check_signals()?;
            match &callback {
                Some(callback) => callback.call1(py, (done,)).map(drop),
                None => Ok(()),
            }
        });
        told.map_err(|error| {
            raised = Some(error);
            Error::interrupted()
        })
    };
    let done = py.detach(|| work(&mut tick));
    match raised {
        Some(raised) => Err(raised),
        None => Ok(done?),
    }
}
