//! Implementations of hashing.

use pyo3::prelude::*;

use crate::error::Error;
use crate::sha2_lanes::Path;

/// The names of the paths on which this machine can compute hashes, fastest first.
#[pyfunction]
pub fn paths() -> Vec<String> {
    Path::all().into_iter().map(|(name, _)| name).collect()
}

pub fn path_named(name: Option<&str>) -> PyResult<Path> {
    let Some(wanted) = name else { return Ok(Path::best()) };
    Path::all().into_iter().find(|(name, _)| name == wanted).map(|(_, path)| path).ok_or_else(|| {
        Error::value("path", format!("must be one of {}, got {wanted:?}", paths().join(", "))).into()
    })
}
