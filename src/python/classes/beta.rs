//! The incomplete beta function.

use pyo3::prelude::*;

use crate::beta;

/// The continued fraction of the incomplete beta function.
#[pyfunction]
pub fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    beta::fraction(a, b, x)
}
