//! Hashes, as defined in Python.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList, PyString, PyTuple};

use super::fields::{Binding, Fields};
use super::numbers::whole;
use super::path::path_named;
use super::text::{InPython, text_of, wrong_type};
use crate::error::Error;
use crate::python::convert::arrays::{fill_array, new_array, new_filled};
use crate::python::convert::mistakes::Mistakes;
use crate::python::convert::progress::reported;
use crate::python::convert::strings::TextArgument;
use crate::schemes::{self, Algorithm, Chain, Named, Template, Templates};

/// A hash of templates over named fields.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Hash {
    pub named: Named,
    binding: Binding,
}

/// The engine's object of a Python `Hash`.
pub fn hash_of<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, Hash>> {
    value.getattr(intern!(value.py(), "_core")).ok()?.cast_into().ok()
}

/// Parses the template of a message or key.
fn template(name: &str, value: &Bound<'_, PyAny>, templates: &mut Templates) -> PyResult<Template> {
    let is_part = |value: &Bound<'_, PyAny>| value.is_instance_of::<PyString>() || hash_of(value).is_some();
    let many = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    let parts: Vec<_> = if many { value.try_iter()?.collect::<PyResult<_>>()? } else { vec![value.clone()] };
    if parts.is_empty() || !many && !is_part(value) {
        let what = if name == "key" { "a template, a Hash or None" } else { "str, a Hash" };
        return Err(wrong_type(name, &format!("{what}, or a list of such parts"), value));
    }
    if let Some(wrong) = parts.iter().find(|part| !is_part(part)) {
        return Err(wrong_type(name, "a list of templates and hashes", wrong));
    }
    let mut template = Template(Vec::new());
    for part in &parts {
        if let Some(hash) = hash_of(part) {
            templates.include(&hash.get().named, &mut template);
        } else if let Some(TextArgument::Text(text)) = TextArgument::single(name, part)? {
            templates.read(name, &text, &InPython(value.py()), &mut template)?;
        }
    }
    Ok(template)
}

#[pymethods]
impl Hash {
    /// Creates a hash from the name of its algorithm and the parts (templates and hashes) of its message and key.
    /// `raw` means that hashes containing it use its bytes instead of hex text. All errors are raised together.
    #[new]
    fn new(
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        message: &Bound<'_, PyAny>,
        key: &Bound<'_, PyAny>,
        raw: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let mut mistakes = Mistakes::new(py, "Hash.");
        let known = mistakes.keep("name", text_of("name", "str", name))?;
        let flag = raw.cast::<PyBool>().map(|raw| raw.is_true());
        let raw = mistakes.keep("raw", flag.map_err(|_| wrong_type("raw", "bool", raw)))?;
        let mut templates = Templates::default();
        let message = mistakes.keep("message", template("message", message, &mut templates))?;
        let keyed = (!key.is_none()).then(|| template("key", key, &mut templates)).transpose();
        let keyed = mistakes.keep("key", keyed)?;
        let algorithm = known.map(|name| Ok(Algorithm::from_name("name", &name)?));
        let algorithm = algorithm.map(|known| mistakes.keep("name", known)).transpose()?.flatten();
        if algorithm == Some(Algorithm::Nothing) && !key.is_none() {
            let unkeyed = Error::value("key", "isn't supported with the name \"none\"");
            mistakes.keep::<()>("key", Err(unkeyed.into()))?;
        }
        mistakes.report()?;
        let (Some(algorithm), Some(message), Some(key), Some(raw)) = (algorithm, message, keyed, raw) else {
            unreachable!("all mistakes were reported")
        };
        let named = templates.hash(algorithm, message, key, raw);
        let uses = named.hash.uses(&vec![None; named.names.len()]);
        let binding = Binding::new(named.names.clone().into(), uses, PyDict::new(py));
        Ok(Self { named, binding })
    }

    /// The names of its fields, in the order of arguments.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.named.names)
    }

    /// The fields whose hex text is decoded to bytes.
    #[getter]
    fn hex_fields(&self) -> Vec<&str> {
        self.named.hex()
    }

    /// The size of a digest in bytes; `None` if it equals that of the message.
    #[getter]
    fn size(&self) -> Option<usize> {
        self.named.hash.algorithm.size()
    }

    /// Whether the hash depends on the cursor.
    #[getter]
    fn has_cursor(&self) -> bool {
        self.named.hash.has_cursor()
    }

    /// The digests of rounds at a cursor: `bytes` for a single round, an array `(N, size)` for many.
    #[pyo3(signature = (positional, named, cursor, label, *, threads=None, path=None))]
    fn digests<'py>(
        &self,
        positional: &Bound<'py, PyTuple>,
        named: &Bound<'py, PyDict>,
        cursor: &Bound<'py, PyAny>,
        label: &Bound<'py, PyAny>,
        threads: Option<usize>,
        path: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let hash = &self.named.hash;
        let cursor = whole("cursor", cursor, 0, hash.last_cursor().unwrap_or(u64::MAX))?;
        let label = label_of(label)?;
        if hash.has_label() && label.is_none() {
            return Err(Error::type_("label", "must be given: a template has {label}").into());
        }
        let fields = self.binding.bind(positional, named)?;
        digests(positional.py(), hash, &fields, cursor, label.as_deref(), threads, path)
    }

    /// For a hash of one field: the hashes before one on a chain, nearest first, as an array of hex text.
    #[pyo3(signature = (game_hash, count, *, progress=None))]
    fn previous<'py>(
        &self,
        py: Python<'py>,
        game_hash: &str,
        count: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let chain = Chain::new(&self.named.hash);
        let array = new_array(py, &[count], &PyString::new(py, &format!("S{}", chain.width())).into_any())?;
        let bytes = array.call_method1(intern!(py, "view"), ("u1",))?;
        fill_array(&bytes, progress, |out, tick| chain.fill(game_hash.as_bytes(), out, tick))?;
        Ok(array)
    }

    /// The hash a number of steps before one on a chain.
    #[pyo3(signature = (game_hash, steps, *, progress=None))]
    fn before(
        &self,
        py: Python<'_>,
        game_hash: &str,
        steps: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let mut found = game_hash.as_bytes().to_vec();
        let chain = Chain::new(&self.named.hash);
        reported(py, progress, |tick| {
            let mut left = steps;
            chain.walk(game_hash.as_bytes(), steps, tick, |text| {
                left -= 1;
                if left == 0 {
                    found.copy_from_slice(text);
                }
                true
            })
        })?;
        Ok(String::from_utf8_lossy(&found).into_owned())
    }

    /// The number of steps by which one hash on a chain precedes another; `None` if that exceeds `limit`.
    #[pyo3(signature = (game_hash, other, limit, *, progress=None))]
    fn steps(
        &self,
        py: Python<'_>,
        game_hash: &str,
        other: &str,
        limit: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<u64>> {
        if game_hash == other {
            return Ok(Some(0));
        }
        let chain = Chain::new(&self.named.hash);
        let mut found = false;
        let steps = reported(py, progress, |tick| {
            chain.walk(game_hash.as_bytes(), limit, tick, |text| {
                found = text == other.as_bytes();
                !found
            })
        })?;
        Ok(found.then_some(steps))
    }
}

/// Checks a label for digests.
pub fn label_of(label: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    (!label.is_none()).then(|| text_of("label", "str", label)).transpose()
}

/// The digests of a hash of rounds.
pub fn digests<'py>(
    py: Python<'py>,
    hash: &schemes::Hash,
    fields: &Fields,
    cursor: u64,
    label: Option<&str>,
    threads: Option<usize>,
    path: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let path = path_named(path)?;
    let borrowed = fields.borrow(py)?;
    let values = fields.values(&borrowed).labeled(label.map(str::as_bytes));
    if !fields.many {
        return Ok(PyBytes::new(py, hash.digest(&values, 0, cursor).bytes()).into_any());
    }
    let first = || if values.rounds() == 0 { 0 } else { hash.digest(&values, 0, cursor).bytes().len() };
    let shape = [values.rounds(), hash.algorithm.size().unwrap_or_else(first)];
    new_filled(py, &shape, None, |out, tick| {
        schemes::fill_digests(path, hash, &values, cursor, out, threads, tick)
    })
}
