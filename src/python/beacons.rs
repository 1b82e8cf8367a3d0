//! Signatures of beacons.

use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::arrays::{contiguous, new_filled};
use super::strings::TextArgument;
use crate::beacons::{self, Key, Messages};
use crate::strings::broadcast;

/// The signature in G2 of a message, by a secret key that was published since.
#[pyfunction]
pub fn bls_sign<'py>(
    py: Python<'py>,
    secret_key: &[u8],
    message: &[u8],
    tag: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let signature = py.detach(|| beacons::sign(secret_key, message, tag))?;
    Ok(PyBytes::new(py, &signature))
}

/// A public key of BLS12-381.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct BlsKey(Key);

#[pymethods]
impl BlsKey {
    #[new]
    fn new(public_key: &[u8], tag: &[u8]) -> PyResult<Self> {
        Ok(Self(Key::new(public_key, tag)?))
    }

    /// The bytes of a signature.
    #[getter]
    fn signature_size(&self) -> usize {
        self.0.signature_size()
    }

    /// Of each row: 0 a wrong signature of the message, 1 the right one, 2 nothing that could be one.
    #[pyo3(signature = (messages, signatures, *, threads=None, progress=None))]
    fn verify<'py>(
        &self,
        messages: &Bound<'py, PyAny>,
        signatures: &Bound<'py, PyAny>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let messages = TextArgument::new("message", messages)?;
        let texts = messages.texts();
        let lengths = ("message", texts.len());
        self.rows(signatures, &[lengths], Messages::Texts(texts), threads, progress)
    }

    /// The same of rounds of drand, with the signatures of the rounds before where they are chained.
    #[pyo3(signature = (rounds, signatures, previous=None, *, threads=None, progress=None))]
    fn verify_rounds<'py>(
        &self,
        rounds: PyReadonlyArray1<'py, u64>,
        signatures: &Bound<'py, PyAny>,
        previous: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let previous = previous.map(|value| TextArgument::new("previous_signature", value)).transpose()?;
        let previous = previous.as_ref().map(TextArgument::texts);
        let lengths = [
            ("round", Some(rounds.len())),
            ("previous_signature", previous.as_ref().and_then(|it| it.len())),
        ];
        let rounds = contiguous(&rounds);
        self.rows(signatures, &lengths, Messages::Rounds { rounds: &rounds, previous }, threads, progress)
    }
}

impl BlsKey {
    fn rows<'py>(
        &self,
        signatures: &Bound<'py, PyAny>,
        lengths: &[(&str, Option<usize>)],
        messages: Messages<'_>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = signatures.py();
        let signatures = TextArgument::new("signature", signatures)?;
        let texts = signatures.texts();
        let rows = broadcast(&[lengths, &[("signature", texts.len())]].concat())?.unwrap_or(1);
        new_filled(py, &[rows], progress, |out, tick| {
            beacons::verify(&self.0, &messages, &texts, out, threads, tick)
        })
    }
}
