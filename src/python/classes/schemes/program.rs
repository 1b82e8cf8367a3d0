//! Rules as programs.

use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString, PyTuple};

use super::fields::Fields;
use super::path::path_named;
use super::scheme::Scheme;
use crate::error::Error;
use crate::python::convert::arrays::{fill_array, with_type_of};
use crate::schemes::{self, Bits, FEW, Keep, ProgramRounds, Source};
use crate::sha2_lanes::Path;

/// The rule of a game, in instructions on single values of a round.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Program {
    program: schemes::Program,
}

#[pymethods]
impl Program {
    /// A program of instructions, each with its name, the registers of its inputs, and numbers, doubles as their bits;
    /// `results` are the registers of an outcome.
    #[new]
    fn new(instructions: Vec<(String, Vec<usize>, Vec<i64>)>, results: Vec<usize>) -> PyResult<Self> {
        Ok(Self { program: schemes::Program::new(instructions, results)? })
    }

    /// The outcome of one round of single values, doubles or 64-bit integers: an array of a shape, or one value if the
    /// shape is empty; `None` if fields may be arrays.
    fn one<'py>(
        &self,
        scheme: &Scheme,
        positional: &Bound<'py, PyTuple>,
        named: &Bound<'py, PyDict>,
        doubles: bool,
        shape: Vec<usize>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = positional.py();
        let plain = |value: &Bound<'py, PyAny>| {
            value.is_exact_instance_of::<PyString>()
                || value.is_exact_instance_of::<PyInt>()
                || value.is_exact_instance_of::<PyBytes>()
        };
        if !positional.iter().all(|value| plain(&value)) || !named.iter().all(|(_, value)| plain(&value)) {
            return Ok(None);
        }
        let fields = scheme.bind(positional, named)?;
        let borrowed = fields.borrow(py)?;
        let values = fields.values(&borrowed);
        let source = Source { scheme: &scheme.scheme, fields: &values };
        let rounds = ProgramRounds::on(Path::Scalar, &self.program, source)?;
        fn array<'py, T: Bits + Element>(
            py: Python<'py>,
            outcome: &[T],
            shape: Vec<usize>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let values = PyArray1::from_slice(py, outcome);
            Ok(if shape.len() > 1 { values.reshape(shape)?.into_any() } else { values.into_any() })
        }
        Ok(Some(match (shape.is_empty(), doubles) {
            (true, true) => rounds.one::<f64>()?[0].into_pyobject(py)?.into_any(),
            (true, false) => rounds.one::<i64>()?[0].into_pyobject(py)?.into_any(),
            (false, true) => array(py, &rounds.one::<f64>()?, shape)?,
            (false, false) => array(py, &rounds.one::<i64>()?, shape)?,
        }))
    }

    /// Plays all rounds into an array of doubles or of 64-bit integers, as outcomes are.
    #[pyo3(signature = (scheme, fields, out, *, threads=None, progress=None, path=None))]
    #[allow(clippy::too_many_arguments)]
    fn play(
        &self,
        py: Python<'_>,
        scheme: &Scheme,
        fields: &Fields,
        out: &Bound<'_, PyUntypedArray>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        path: Option<&str>,
    ) -> PyResult<()> {
        // As for streams, features aren't detected for rounds that are read one by one.
        let path = if path.is_none() && fields.rounds <= FEW { Path::Scalar } else { path_named(path)? };
        if out.len() != fields.rounds * self.program.width() {
            return Err(Error::value("out", "must have room for the outcomes of all rounds").into());
        }
        let borrowed = fields.borrow(py)?;
        let values = fields.values(&borrowed);
        let source = Source { scheme: &scheme.scheme, fields: &values };
        let rounds = ProgramRounds::on(path, &self.program, source)?;
        let keep = |first: usize, fingerprints: &[[u64; 2]]| {
            if let Some(kept) = &fields.fingerprints {
                kept.keep(first, fingerprints);
            }
        };
        let keep = fields.fingerprints.is_some().then_some(&keep as Keep<'_>);
        with_type_of!(
            &out.dtype(),
            T of i64 f64 => fill_array::<T>(out, progress, |out, tick| rounds.fill(out, threads, keep, tick)),
            else Err(Error::type_("out", "must be of int64 or float64").into())
        )
    }
}
