//! Progress reports to Python, and interrupts from it.

use pyo3::prelude::*;

use crate::error::{Error, Result};
use crate::parallel::Tick;

/// Runs `work` without the GIL. The tick passed to it has to be called from the thread that entered the
/// engine; it calls `callback` with the number of rounds done, and checks for Ctrl-C. An exception raised
/// there is returned.
pub fn reported<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(Tick<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let mut tick = |done| report(done, callback.as_ref(), &mut raised);
    let done = py.detach(|| work(&mut tick));
    match raised {
        Some(raised) => Err(raised),
        None => Ok(done?),
    }
}

/// One tick of [`reported`], apart from it so that it is compiled once.
fn report(done: u64, callback: Option<&Py<PyAny>>, raised: &mut Option<PyErr>) -> Result<()> {
    let result = Python::attach(|py| {
        py.check_signals()?;
        match callback {
            Some(callback) => callback.call1(py, (done,)).map(drop),
            None => Ok(()),
        }
    });
    result.map_err(|error| {
        *raised = Some(error);
        Error::interrupted()
    })
}
