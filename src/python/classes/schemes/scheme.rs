//! Schemes, as defined in Python.

use std::sync::Arc;

use numpy::PyReadonlyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyMapping, PyMappingProxy, PySequence, PyString, PyTuple};

use super::fields::{Binding, Fields};
use super::function::PyFunction;
use super::hash::{Hash, digests, hash_of, label_of};
use super::numbers::whole;
use super::path::path_named;
use super::text::{shown, text_of, wrong_type};
use crate::error::Error;
use crate::games::views::Weigh;
use crate::python::convert::arrays::{Array, contiguous, new_filled};
use crate::python::convert::mistakes::Mistakes;
use crate::schemes::{self, Algorithm, AsDrawn, Below, FieldKind, Parts, ReadOn, Source, Spelling, Template};

/// A hash, and the conversion of its digests to draws.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Scheme {
    pub scheme: schemes::Scheme,
    pub binding: Binding,
    /// The checked parts of the definition, as Python stores them.
    #[pyo3(get)]
    parts: Py<PyDict>,
}

/// The arguments of a Python `Scheme`.
#[derive(FromPyObject)]
struct SchemeArguments<'py> {
    hash: Bound<'py, PyAny>,
    bits: Bound<'py, PyAny>,
    words: Bound<'py, PyAny>,
    below: Bound<'py, PyAny>,
    digits: Bound<'py, PyAny>,
    read_on: Bound<'py, PyAny>,
    first_cursor: Bound<'py, PyAny>,
    fields: Bound<'py, PyAny>,
    defaults: Bound<'py, PyAny>,
    commitment: Bound<'py, PyAny>,
    beacon: Bound<'py, PyAny>,
    function: Bound<'py, PyAny>,
    vectorized: Bound<'py, PyAny>,
}

/// The continuation of a round after a digest is used up.
enum Next<'py> {
    Cursors(u64),
    Hash(Bound<'py, Hash>),
}

impl<'py> SchemeArguments<'py> {
    fn hash(&self) -> PyResult<Bound<'py, Hash>> {
        let hash = hash_of(&self.hash).ok_or_else(|| wrong_type("hash", "a Hash", &self.hash))?;
        if hash.get().named.raw {
            return Err(Error::value("hash", "must not be raw: that is for hashes within others").into());
        }
        Ok(hash)
    }

    /// The number of bits in a word; `None` if the range of each draw decides.
    fn bits(&self) -> PyResult<Option<u64>> {
        let least = if self.function.is_none() { 4 } else { 1 };
        if !self.bits.is_instance_of::<PyString>() || !self.bits.eq(RANGE)? {
            return whole("bits", &self.bits, least, 64).map(Some);
        }
        if self.function.is_none() {
            return Ok(None);
        }
        Err(Error::value("bits", "must be a number if a function makes the words, got \"range\"").into())
    }

    fn read_on(&self) -> PyResult<Option<Next<'py>>> {
        optional(&self.read_on, |given| match hash_of(given) {
            Some(hash) if hash.get().named.names.iter().any(|name| name == DIGEST) => Ok(Next::Hash(hash)),
            Some(_) => {
                let problem = format!("must be a hash of {{digest}}, got {}", shown(given));
                Err(Error::value("read_on", problem).into())
            }
            None => whole("read_on", given, 1, 1 << 63).map(Next::Cursors),
        })
    }

    /// The names of the fields, in order.
    fn fields(&self, hash: &Hash) -> PyResult<Vec<String>> {
        let next = hash_of(&self.read_on);
        let after = next.iter().flat_map(|next| &next.get().named.names).filter(|name| *name != DIGEST);
        let mut own: Vec<String> = Vec::new();
        for name in hash.named.names.iter().chain(after) {
            if !own.contains(name) {
                own.push(name.clone());
            }
        }
        let refuse = |argument: &str, problem: String| Err(Error::value(argument, problem).into());
        if own.is_empty() {
            let such = "such as {server_seed}";
            return refuse("hash", format!("must have a field in braces, {such}, got {}", shown(&self.hash)));
        }
        if self.fields.is_none() {
            return Ok(own);
        }
        let allowed = "a sequence of str";
        if self.fields.is_instance_of::<PyString>() || self.fields.cast::<PySequence>().is_err() {
            return Err(wrong_type("fields", allowed, &self.fields));
        }
        let text = |name: PyResult<Bound<'_, PyAny>>| text_of("fields", allowed, &name?);
        let names = self.fields.try_iter()?.map(text).collect::<PyResult<Vec<_>>>()?;
        if let Some(lacking) = own.iter().find(|name| !names.contains(name)) {
            return refuse(
                "fields",
                format!("lacks '{lacking}', which the hash has: add it, or leave fields out"),
            );
        }
        if let Some(place) = names.iter().position(|name| !own.contains(name)) {
            let name = shown(&self.fields.get_item(place)?);
            return refuse(
                "fields",
                format!("has {name}, which isn't in the hash: remove it, or add it there"),
            );
        }
        if names.len() != own.len() {
            return refuse("fields", format!("must have each name once, got {}", names.join(", ")));
        }
        Ok(names)
    }

    /// The defaults of optional fields, by name.
    fn defaults(&self, hash: &Hash, fields: &[String]) -> PyResult<Bound<'py, PyDict>> {
        let py = self.defaults.py();
        let mapping = self.defaults.cast::<PyMapping>();
        let mapping = mapping.map_err(|_| wrong_type("defaults", "a mapping", &self.defaults))?;
        let checked = PyDict::new(py);
        for item in mapping.items()?.iter() {
            let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
            let name = key.cast::<PyString>().map(|name| name.to_string_lossy()).unwrap_or_default();
            let is_label = name == LABEL && hash.named.hash.has_label();
            if !is_label && !fields.iter().any(|field| *field == name) {
                let problem = format!("must name fields ({}), got {}", fields.join(", "), shown(&key));
                return Err(Error::value("defaults", problem).into());
            }
            let value = match default(&name, value) {
                Ok(value) => value,
                Err(error) => {
                    let errors = py.import(intern!(py, "provably_fair._core.errors"))?;
                    return Err(PyErr::from_value(errors.call_method1("placed", (error, "", "", key))?));
                }
            };
            checked.set_item(key, value)?;
        }
        Ok(checked)
    }

    fn commitment(&self, fields: &[String]) -> PyResult<Option<Bound<'py, Hash>>> {
        optional(&self.commitment, |given| {
            let hash = hash_of(given).ok_or_else(|| wrong_type("commitment", "a Hash or None", given))?;
            let named = &hash.get().named;
            let problem = if named.hash.has_cursor() || named.hash.has_label() {
                "must not have {cursor} or {label}: it is one hash of a seed".to_owned()
            } else if named.hash.algorithm == Algorithm::Nothing {
                "must be a hash, got one whose name is \"none\"".to_owned()
            } else if !named.names.iter().any(|name| fields.contains(name)) {
                format!("must be of {}, got {}", fields.join(" or "), shown(given))
            } else {
                return Ok(hash);
            };
            Err(Error::value("commitment", problem).into())
        })
    }
}

/// The checked value, or `None` for Python's None.
fn optional<'py, T>(
    value: &Bound<'py, PyAny>,
    check: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { check(value).map(Some) }
}

/// Checks the default of a field or of the label: text or a number.
fn default<'py>(name: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, kind) = (value.py(), FieldKind::of(name));
    let value = match value.cast::<PyBytes>().map(|bytes| std::str::from_utf8(bytes.as_bytes())) {
        Ok(Ok(text)) => PyString::new(py, text).into_any(),
        Ok(Err(_)) => return Err(Error::value("defaults", "must be UTF-8, got other bytes").into()),
        Err(_) => value,
    };
    if value.is_instance_of::<PyString>() {
        return Ok(value.str()?.into_any());
    }
    if name == LABEL || kind == FieldKind::Text {
        return Err(wrong_type("defaults", "str", &value));
    }
    Ok(PyInt::new(py, whole("defaults", &value, 0, u64::MAX)?).into_any())
}

/// The field for the digest in `read_on` hashes, the `bits` of words as wide as a draw's range, and the field for
/// labels.
const DIGEST: &str = "digest";
const RANGE: &str = "range";
const LABEL: &str = "label";

#[pymethods]
impl Scheme {
    /// Creates a scheme from the arguments of a Python `Scheme`. All errors are raised together.
    #[new]
    fn new(py: Python<'_>, given: SchemeArguments<'_>) -> PyResult<Self> {
        let mut mistakes = Mistakes::new(py, "Scheme.");
        let hash = mistakes.keep("hash", given.hash())?;
        let text = |beacon: &_| text_of("beacon", "str or None", beacon);
        let beacon = mistakes.keep("beacon", optional(&given.beacon, text))?;
        let refused = || wrong_type("function", "callable", &given.function);
        let callable = |made: &Bound<'_, PyAny>| made.is_callable().then_some(()).ok_or_else(refused);
        mistakes.keep("function", optional(&given.function, callable))?;
        let bits = mistakes.keep("bits", given.bits())?;
        let read_on = mistakes.keep("read_on", given.read_on())?;
        let words = optional(&given.words, |words| whole("words", words, 1, 128));
        let words = mistakes.keep("words", words)?;
        let first_cursor = whole("first_cursor", &given.first_cursor, 0, u64::MAX);
        let first_cursor = mistakes.keep("first_cursor", first_cursor)?;
        let rules = Below::ALL.map(|rule| format!("{:?}", rule.word())).join(", ");
        let below = mistakes.keep("below", text_of("below", &rules, &given.below))?;
        let digits = optional(&given.digits, |digits| whole("digits", digits, 1, 15));
        let digits = mistakes.keep("digits", digits)?;
        let (mut fields, mut defaults, mut commitment) = (None, None, None);
        if let Some(hash) = &hash {
            fields = mistakes.keep("fields", given.fields(hash.get()))?;
            if let Some(fields) = &fields {
                defaults = mistakes.keep("defaults", given.defaults(hash.get(), fields))?;
                commitment = mistakes.keep("commitment", given.commitment(fields))?.flatten();
            }
        }
        // Wrong parts are replaced by valid ones, so that the rest can be checked as well.
        let mut mistaken: Vec<&str> = Parts::ALL.into_iter().filter(|part| mistakes.has(part)).collect();
        let known = match (&hash, &fields, &defaults, &read_on) {
            (Some(hash), Some(fields), Some(_), Some(_)) => hash.get().named.among(fields),
            _ => None,
        };
        let known = known.unwrap_or_else(|| {
            mistaken.push("read_on");
            schemes::Hash { algorithm: Algorithm::Sha512, message: Template(Vec::new()), key: None }
        });
        let fields = fields.unwrap_or_default();
        let next = read_on.as_ref().and_then(Option::as_ref).and_then(|next| match next {
            Next::Cursors(step) => Some(ReadOn::Cursors(*step)),
            Next::Hash(next) => {
                next.get().named.among(&[&*fields, &[DIGEST.to_owned()]].concat()).map(ReadOn::Hash)
            }
        });
        let function = optional(&given.function, |function| {
            let vectorized = given.vectorized.is_truthy()?;
            let bits = bits.flatten().unwrap_or(8) as u32;
            let function = PyFunction { function: function.clone().unbind(), vectorized, bits };
            Ok(Arc::new(function) as Arc<dyn schemes::Function>)
        })?;
        let parts = Parts {
            bits: bits.flatten().map(|bits| bits as i64),
            words: words.flatten().map(|words| words as i64),
            below: below.as_deref().unwrap_or_default(),
            digits: digits.flatten().map(|digits| digits as i64),
            first_cursor: first_cursor.unwrap_or_default(),
            read_on: next,
            function,
        };
        let scheme = schemes::Scheme::corrected(known, parts, &mistaken).map_err(|errors| {
            for error in errors {
                mistakes.add(error.argument().to_owned(), error.into());
            }
        });
        mistakes.report()?;
        let (Ok(scheme), Some(defaults), Some(beacon)) = (scheme, defaults, beacon) else {
            unreachable!("all mistakes were reported")
        };
        let commitment = commitment.as_ref().map(|hash| &hash.get().named);
        let uses = scheme.uses(&schemes::spellings(&fields, commitment, beacon.as_deref()));
        let parts = PyDict::new(py);
        match bits.flatten() {
            Some(bits) => parts.set_item("bits", bits)?,
            None => parts.set_item("bits", RANGE)?,
        }
        if let Some(Some(Next::Cursors(step))) = read_on {
            parts.set_item("read_on", step)?;
        }
        parts.set_item("words", words.flatten())?;
        parts.set_item("first_cursor", first_cursor)?;
        parts.set_item("below", below)?;
        parts.set_item("digits", digits.flatten())?;
        let names = fields.iter().map(|name| PyString::intern(py, name));
        parts.set_item("fields", PyTuple::new(py, names)?)?;
        parts.set_item("defaults", PyMappingProxy::new(py, defaults.as_mapping()))?;
        Ok(Self { scheme, binding: Binding::new(fields.into(), uses, defaults), parts: parts.unbind() })
    }

    /// The same scheme without rules of spelling.
    fn in_any_spelling(&self, py: Python<'_>) -> Self {
        let uses = self.scheme.uses(&vec![None; self.binding.names.len()]);
        let binding = self.binding.with_uses(py, uses);
        Self { scheme: self.scheme.clone(), binding, parts: self.parts.clone_ref(py) }
    }

    /// The fields of rounds from values in order or by name.
    pub fn bind(&self, positional: &Bound<'_, PyTuple>, named: &Bound<'_, PyDict>) -> PyResult<Fields> {
        self.binding.bind(positional, named)
    }

    /// The fields of rounds from values as `Binding::made` takes them.
    #[pyo3(signature = (values, rounds=None))]
    fn fields(
        &self,
        py: Python<'_>,
        values: Vec<(String, Bound<'_, PyAny>)>,
        rounds: Option<usize>,
    ) -> PyResult<Fields> {
        self.binding.of_kinds(py, values, rounds)
    }

    /// The whole-number fields of fixed width, with the largest value of each.
    #[getter]
    fn widths(&self) -> Vec<(&str, u64)> {
        self.binding.those(|each| each.most)
    }

    /// The fields with a required spelling, and its description.
    #[getter]
    fn spelled(&self) -> Vec<(&str, String)> {
        self.binding.those(|each| each.spelling.filter(|one| one.is_one()).map(Spelling::described))
    }

    /// The size of a digest in bytes; `None` if it equals that of the message.
    #[getter]
    fn size(&self) -> Option<usize> {
        self.scheme.hash().algorithm.size()
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
        let hash = self.scheme.hash();
        let cursor = whole("cursor", cursor, 0, hash.last_cursor().unwrap_or(u64::MAX))?;
        if cursor > 0 && !hash.has_cursor() {
            let problem = format!("must be 0, as no template of the scheme has {{cursor}}, got {cursor}");
            return Err(Error::value("cursor", problem).into());
        }
        let label = label_of(label)?.or_else(|| self.binding.label.clone()).unwrap_or_default();
        let fields = self.binding.bind(positional, named)?;
        digests(positional.py(), hash, &fields, cursor, Some(&label), threads, path)
    }

    /// The number of words used from a digest.
    #[getter]
    fn words(&self) -> usize {
        self.scheme.cut().words
    }

    /// The number of bits in a number; `None` if words don't give numbers.
    #[getter]
    fn number_bits(&self) -> Option<u32> {
        self.scheme.has_numbers().then(|| self.scheme.number_bits())
    }

    /// The kind of a field's values: "number", "text", or "any" for either.
    fn kind_of(&self, name: &str) -> &'static str {
        self.binding.kind_of(name).word()
    }

    /// The number of words in a round; `None` if there is no limit.
    #[getter]
    fn words_of_round(&self) -> Option<usize> {
        self.scheme.words_of_round()
    }

    /// Whether words are rejected, so that every answer has the same weight.
    #[getter]
    fn passes_over(&self) -> bool {
        self.scheme.below().passes_over()
    }

    /// An upper bound on the distance of a draw from the uniform distribution: of a number, or of one of `0..n`.
    #[pyo3(signature = (n=None))]
    fn distance_bound(&self, n: Option<u64>) -> f64 {
        schemes::distance_bound(&self.scheme, n)
    }

    /// For each of `answers`, the weight of all smaller answers of `below(n)`; and the total weight.
    fn weights_below(&self, py: Python<'_>, n: i64, answers: Vec<u64>) -> PyResult<(Vec<u128>, u128)> {
        let n = self.scheme.check_n("n", n)?;
        let words = AsDrawn::new(&self.scheme)?;
        Ok(py.detach(|| (answers.iter().map(|&answer| words.up_to(n, answer)).collect(), words.total(n))))
    }

    /// Converts words, which have as many bits as a number needs, to numbers.
    fn numbers_of(&self, words: PyReadonlyArray1<'_, u64>) -> PyResult<Array<f64>> {
        self.scheme.check_numbers()?;
        // With words by range, a number uses the upper 52 of its 56 bits.
        let more = if self.scheme.cut().by_range { 4 } else { 0 };
        Ok(contiguous(&words).iter().map(|&word| self.scheme.number(word << more)).collect())
    }

    /// The number of a word; if `chosen`, with all digits, as used for choosing from a range.
    fn number(&self, word: u64, chosen: bool) -> PyResult<f64> {
        self.scheme.check_numbers()?;
        Ok(if chosen { self.scheme.exact_number(word) } else { self.scheme.number(word) })
    }

    /// The first numbers: shape `(count,)` for a single round, `(N, count)` for many.
    #[pyo3(signature = (fields, count, *, threads=None, path=None))]
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        fields: &Fields,
        count: usize,
        threads: Option<usize>,
        path: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let path = path_named(path)?;
        let borrowed = fields.borrow(py)?;
        let values = fields.values(&borrowed);
        let shape: Vec<_> = fields.many.then_some(values.rounds()).into_iter().chain([count]).collect();
        let source = Source { scheme: &self.scheme, fields: &values };
        new_filled(py, &shape, None, |out, tick| {
            schemes::fill_numbers(path, source, count, out, threads, tick)
        })
    }
}
