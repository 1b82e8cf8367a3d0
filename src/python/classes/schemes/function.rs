//! Words computed by a Python function.

use std::ops::Range;

use numpy::{PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString, PyTuple};

use super::numbers::is_integer;
use crate::error::{Error, Result};
use crate::schemes::{self, Digest, Values};

/// A Python function that computes a round's words.
#[derive(Debug)]
pub struct PyFunction {
    pub function: Py<PyAny>,
    /// Whether the function is called once for many rounds, with arrays.
    pub vectorized: bool,
    pub bits: u32,
}

impl PyFunction {
    /// The values of a field in some rounds, as Python objects.
    fn values<'py>(
        &self,
        py: Python<'py>,
        values: &Values<'_>,
        rounds: Range<usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut text = Vec::new();
        let each = |round| {
            if let Some(number) = values.number(round) {
                return Ok(number.into_pyobject(py)?.into_any());
            }
            text.clear();
            values.write(round, &mut text);
            Ok(match std::str::from_utf8(&text) {
                Ok(text) => PyString::new(py, text).into_any(),
                Err(_) => PyBytes::new(py, &text).into_any(),
            })
        };
        rounds.map(each).collect()
    }

    /// Checks a word that the function returned.
    fn check(&self, word: &Bound<'_, PyAny>) -> PyResult<u64> {
        let found = if is_integer(word)? { word.extract().ok() } else { None };
        found.filter(|&word: &u64| word <= u64::MAX >> (64 - self.bits)).ok_or_else(|| {
            let problem = format!("must give whole numbers below 2**{}, got {word}", self.bits);
            Error::value("function", problem).of("Scheme").into()
        })
    }

    fn ask(
        &self,
        py: Python<'_>,
        fields: &schemes::Fields<'_>,
        rounds: Range<usize>,
        count: usize,
    ) -> PyResult<Vec<Vec<u64>>> {
        let columns = fields.each().map(|values| self.values(py, values, rounds.clone()));
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        let function = self.function.bind(py);
        if !self.vectorized {
            let words = |round: usize| {
                let values = columns.iter().map(|column| column[round].clone());
                let mut given = function.call1(PyTuple::new(py, values)?)?;
                if given.is_instance_of::<PyMemoryView>() {
                    given = given.call_method0(intern!(py, "tobytes"))?;
                }
                if let Ok(bytes) = given.extract::<PyBackedBytes>() {
                    let digest = Digest::long(&bytes);
                    if !self.bits.is_multiple_of(4) {
                        return Err(Error::value(
                            "bits",
                            "must be a multiple of 4 if the function returns bytes",
                        )
                        .of("Scheme")
                        .into());
                    }
                    let words = digest.words(self.bits).min(count);
                    return Ok((0..words).map(|index| digest.word(self.bits, index)).collect());
                }
                let Ok(words) = given.try_iter() else {
                    let problem =
                        format!("must give whole numbers or bytes, got {}", given.get_type().name()?);
                    return Err(Error::type_("function", problem).of("Scheme").into());
                };
                words.take(count).map(|word| self.check(&word?)).collect()
            };
            return (0..rounds.len()).map(words).collect();
        }
        let numpy = py.import(intern!(py, "numpy"))?;
        let arrays = columns.into_iter().zip(fields.each()).map(|(column, values)| {
            let kind = if values.number(rounds.start).is_some() { "uint64" } else { "object" };
            numpy.call_method1(intern!(py, "array"), (column, kind))
        });
        let mut arguments = arrays.collect::<PyResult<Vec<_>>>()?;
        arguments.push(count.into_pyobject(py)?.into_any());
        let given = function.call1(PyTuple::new(py, arguments)?)?;
        let given = numpy.call_method1(intern!(py, "asarray"), (given,))?;
        let array = given.cast::<PyUntypedArray>()?;
        if !matches!(array.dtype().kind(), b'i' | b'u')
            || array.ndim() != 2
            || array.shape()[0] != rounds.len()
        {
            let problem = format!(
                "must give an array of whole numbers of shape ({}, count) if it is vectorized, got {:?} of {}",
                rounds.len(),
                array.shape(),
                array.dtype()
            );
            return Err(Error::value("function", problem).of("Scheme").into());
        }
        if array.len() > 0 {
            self.check(&array.call_method0(intern!(py, "max"))?)?;
            self.check(&array.call_method0(intern!(py, "min"))?)?;
        }
        let width = array.shape()[1];
        let flat = array.call_method1(intern!(py, "astype"), ("uint64",))?.call_method0("ravel")?;
        let flat = flat.extract::<PyReadonlyArray1<'_, u64>>()?;
        let flat = flat.as_slice()?;
        Ok((0..rounds.len()).map(|round| flat[round * width..(round + 1) * width].to_vec()).collect())
    }
}

impl schemes::Function for PyFunction {
    fn words(
        &self,
        fields: &schemes::Fields<'_>,
        rounds: Range<usize>,
        count: usize,
    ) -> Result<Vec<Vec<u64>>> {
        Python::attach(|py| self.ask(py, fields, rounds, count).map_err(Error::foreign))
    }
}
