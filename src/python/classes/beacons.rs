//! Signatures of public beacons.

use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::beacons::{self, PublicKey, Signed};
use crate::python::convert::arrays::{contiguous, new_filled};
use crate::python::convert::strings::TextArgument;
use crate::strings::broadcast;

/// Signs a message in G2 with a secret key that has been published.
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
pub struct BlsKey(PublicKey);

#[pymethods]
impl BlsKey {
    #[new]
    fn new(public_key: &[u8], tag: &[u8]) -> PyResult<Self> {
        Ok(Self(PublicKey::new(public_key, tag)?))
    }

    /// The size of a signature in bytes.
    #[getter]
    fn signature_size(&self) -> usize {
        self.0.signature_size()
    }

    /// Verdicts by row: 0 for an invalid signature of the message, 1 for a valid one, 2 for a malformed one.
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
        self.rows(signatures, &[lengths], Signed::Texts(texts), threads, progress)
    }

    /// Verdicts on the signatures of drand rounds; on chained networks, `previous` has the signatures of the
    /// rounds before.
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
        self.rows(signatures, &lengths, Signed::Rounds { rounds: &rounds, previous }, threads, progress)
    }
}

impl BlsKey {
    fn rows<'py>(
        &self,
        signatures: &Bound<'py, PyAny>,
        lengths: &[(&str, Option<usize>)],
        messages: Signed<'_>,
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
