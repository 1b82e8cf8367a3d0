//! The values of rounds' fields.

use std::sync::{Arc, Mutex};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyInt, PyList, PyMemoryView, PySequence, PyString, PyTuple};

use super::numbers::{described, numbers};
use super::text::shown;
use crate::error::{Error, Result};
use crate::parallel::lock;
use crate::python::convert::strings::{HeldTexts, TextArgument};
use crate::schemes::{self, FieldKind, FieldUse, Values};
use crate::strings::{Texts, broadcast, broadcast_to};

/// The fields of a hash or of a scheme.
pub struct Binding {
    /// The names of the fields, in the order of arguments.
    pub names: Arc<[String]>,
    /// The requirements on each field.
    pub uses: Vec<FieldUse>,
    /// The default label of draws.
    pub label: Option<String>,
    kinds: Vec<FieldKind>,
    /// The values of fields that are omitted.
    defaults: Py<PyDict>,
}

impl Binding {
    pub fn new(names: Arc<[String]>, uses: Vec<FieldUse>, defaults: Bound<'_, PyDict>) -> Self {
        let label = defaults.get_item("label").ok().flatten().and_then(|label| label.extract().ok());
        // A field whose default is text also accepts text.
        let is_text = |name: &str| matches!(defaults.get_item(name), Ok(Some(value)) if value.is_instance_of::<PyString>());
        let kind = |name: &String| match FieldKind::of(name) {
            FieldKind::Number if is_text(name) => FieldKind::Any,
            kind => kind,
        };
        let kinds = names.iter().map(kind).collect();
        Self { names, uses, label, kinds, defaults: defaults.unbind() }
    }

    /// The kind of a field's values; for an unknown field, the kind that its name implies.
    pub fn kind_of(&self, name: &str) -> FieldKind {
        let known = self.names.iter().position(|known| known == name);
        known.map_or_else(|| FieldKind::of(name), |place| self.kinds[place])
    }

    /// The same fields with other requirements.
    pub fn with_uses(&self, py: Python<'_>, uses: Vec<FieldUse>) -> Self {
        Self::new(self.names.clone(), uses, self.defaults.bind(py).clone())
    }

    /// A property of each field's use, with the field's name; fields without the property are left out.
    pub fn those<T>(&self, said: impl Fn(&FieldUse) -> Option<T>) -> Vec<(&str, T)> {
        self.names.iter().zip(&self.uses).filter_map(|(name, each)| Some((&**name, said(each)?))).collect()
    }

    /// The fields of rounds from values in order or by name.
    pub fn bind<'py>(
        &self,
        positional: &Bound<'py, PyTuple>,
        named: &Bound<'py, PyDict>,
    ) -> PyResult<Fields> {
        let py = positional.py();
        let refuse = |name: &str, problem: String| Err(Error::type_(name, problem).into());
        if positional.len() > self.names.len() {
            let all = self.names.join(", ");
            return refuse("fields", format!("must be {all}, got {} values for them", positional.len()));
        }
        let mut values: Vec<Option<Bound<'py, PyAny>>> = positional.iter().map(Some).collect();
        values.resize(self.names.len(), None);
        for (name, value) in named {
            let text = name.cast::<PyString>()?.to_string_lossy();
            let Some(place) = self.names.iter().position(|known| *known == text) else {
                let all = self.names.join(", ");
                return refuse("fields", format!("must be among {all}, got {}", shown(&name)));
            };
            if values[place].replace(value).is_some() {
                return refuse(&text, "must be given once, got it both by position and by name".to_owned());
            }
        }
        for (name, value) in self.names.iter().zip(&mut values) {
            if value.as_ref().is_none_or(|given| given.is_none())
                && let Some(default) = self.defaults.bind(py).get_item(name)?
            {
                *value = Some(default);
            }
        }
        if let Some(lacking) = values.iter().position(Option::is_none) {
            let problem = format!("must be given: the fields are {}", self.names.join(", "));
            return refuse(&self.names[lacking], problem);
        }
        let each = self.names.iter().zip(&self.kinds).zip(values.into_iter().flatten());
        let values = each.map(|((name, &kind), value)| OwnedValues::new(name, kind, &listed(value)?));
        self.fields(py, values.collect::<PyResult<_>>()?, None)
    }

    /// The fields of rounds from values of explicit kinds, given as names of `FieldKind`. A field may also be
    /// generated, which needs the number of `rounds`: a `"counter"` from its first number, `"salts"` from the series'
    /// name and its first number.
    pub fn of_kinds(
        &self,
        py: Python<'_>,
        values: Vec<(String, Bound<'_, PyAny>)>,
        rounds: Option<usize>,
    ) -> PyResult<Fields> {
        if values.len() != self.names.len() {
            return Err(Error::value("values", "must be one for each field").into());
        }
        let values = self.names.iter().zip(values).map(|(name, (kind, value))| {
            Ok(match kind.as_str() {
                "counter" => OwnedValues::Counter { start: value.extract()? },
                "salts" => {
                    let (seed, start) = value.extract()?;
                    OwnedValues::Salts { seed, start }
                }
                "number" => OwnedValues::new(name, FieldKind::Number, &value)?,
                "any" => OwnedValues::new(name, FieldKind::Any, &value)?,
                _ => OwnedValues::new(name, FieldKind::Text, &value)?,
            })
        });
        self.fields(py, values.collect::<PyResult<_>>()?, rounds)
    }

    fn fields(&self, py: Python<'_>, values: Vec<OwnedValues>, rounds: Option<usize>) -> PyResult<Fields> {
        let lengths: Vec<_> =
            self.names.iter().zip(&values).map(|(name, values)| (&**name, values.len())).collect();
        let found = broadcast(&lengths)?;
        let fields = Fields {
            values,
            names: self.names.clone(),
            rounds: rounds.or(found).unwrap_or(1),
            given: rounds.is_some(),
            many: found.is_some() || rounds.is_some(),
            label: self.label.clone(),
            fingerprints: None,
        };
        let borrowed = fields.borrow(py)?;
        let values = fields.values(&borrowed);
        let check = || values.check(&self.names, &self.uses);
        if fields.many { py.detach(check) } else { check() }?;
        drop(borrowed);
        Ok(fields)
    }
}

/// Converts a sequence other than a list, such as a range, to a list.
fn listed(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    let readable = value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyList>()
        || value.is_instance_of::<PyTuple>()
        || value.is_instance_of::<PyUntypedArray>()
        || value.is_instance_of::<PyByteArray>()
        || value.is_instance_of::<PyMemoryView>();
    if readable || value.cast::<PySequence>().is_err() {
        return Ok(value);
    }
    value.py().get_type::<PyList>().call1((value,))
}

/// The values of many rounds' fields.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Fields {
    values: Vec<OwnedValues>,
    names: Arc<[String]>,
    pub rounds: usize,
    /// Whether the number of rounds was given rather than inferred.
    given: bool,
    /// Whether any value is an array, so that results are arrays over rounds.
    #[pyo3(get)]
    pub many: bool,
    pub label: Option<String>,
    pub fingerprints: Option<PrintStore>,
}

/// A store for the fingerprints of rounds' first digests, so that they needn't be hashed again.
#[derive(Clone)]
pub struct PrintStore {
    all: Arc<Mutex<Vec<[u64; 2]>>>,
    /// The indices of these rounds among all; `None` if these are all.
    rounds: Option<Arc<[u32]>>,
}

impl PrintStore {
    /// Stores the fingerprints of rounds from `first` on.
    pub fn keep(&self, first: usize, fingerprints: &[[u64; 2]]) {
        let mut all = lock(&self.all);
        for (round, &fingerprint) in (first..).zip(fingerprints) {
            all[self.rounds.as_ref().map_or(round, |rounds| rounds[round] as usize)] = fingerprint;
        }
    }
}

/// The values of a field, kept beyond a call.
pub enum OwnedValues {
    Texts(HeldTexts<Py<PyArray1<u8>>>),
    Numbers { numbers: Vec<u64>, many: bool },
    Counter { start: u64 },
    Salts { seed: String, start: u64 },
}

/// A read-only borrow of a field's numpy array, if it has one, which prevents writes during a call.
pub type Borrowed<'py> = Option<PyReadonlyArray1<'py, u8>>;

#[pymethods]
impl Fields {
    fn __len__(&self) -> usize {
        self.rounds
    }

    /// The rounds at these indices.
    fn take(&self, py: Python<'_>, rounds: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let rounds = rounds.as_slice()?;
        if rounds.iter().any(|&round| round as usize >= self.rounds) {
            return Err(Error::value("rounds", format!("must be below {}", self.rounds)).into());
        }
        let fingerprints = self.fingerprints.as_ref().map(|PrintStore { all, rounds: known }| {
            let place = |&round: &u32| known.as_ref().map_or(round, |known| known[round as usize]);
            PrintStore { all: all.clone(), rounds: Some(rounds.iter().map(place).collect()) }
        });
        let borrowed = self.borrow(py)?;
        let values = self.values(&borrowed).each().map(|values| OwnedValues::take(values, rounds)).collect();
        let names = self.names.clone();
        let label = self.label.clone();
        Ok(Self { values, names, rounds: rounds.len(), given: true, many: true, label, fingerprints })
    }
}

impl Fields {
    /// The fields of a log's rows, with a store for fingerprints.
    pub fn of_log(
        names: Arc<[String]>,
        values: Vec<OwnedValues>,
        rows: usize,
        label: Option<String>,
    ) -> Self {
        let fingerprints = Some(PrintStore { all: Arc::new(Mutex::new(vec![[0; 2]; rows])), rounds: None });
        Self { values, names, rounds: rows, given: true, many: true, label, fingerprints }
    }

    /// The number of rounds when broadcast with another array; `None` for a single round.
    pub fn rounds_with(&self, other: Option<(&str, usize)>) -> Result<Option<usize>> {
        let other = other.map(|(name, length)| (name, Some(length)));
        if self.given {
            broadcast_to(self.rounds, other.as_slice())?;
            return Ok(Some(self.rounds));
        }
        let own = self.names.iter().zip(&self.values).map(|(name, values)| (&**name, values.len()));
        broadcast(&own.chain(other).collect::<Vec<_>>())
    }

    /// The fingerprints stored so far; [0, 0] for other rounds.
    pub fn fingerprints(&self) -> Vec<[u64; 2]> {
        self.fingerprints.as_ref().map(|fingerprints| lock(&fingerprints.all).clone()).unwrap_or_default()
    }

    pub fn borrow<'py>(&self, py: Python<'py>) -> PyResult<Vec<Borrowed<'py>>> {
        let borrow = |values: &OwnedValues| {
            let OwnedValues::Texts(HeldTexts::Fixed { fields, .. }) = values else { return Ok(None) };
            let shared =
                |_| Error::value("seeds", "must not be an array that is written to while it is read");
            fields.bind(py).try_readonly().map(Some).map_err(|error| shared(error).into())
        };
        self.values.iter().map(borrow).collect()
    }

    pub fn values<'a>(&'a self, borrowed: &'a [Borrowed<'_>]) -> schemes::Fields<'a> {
        self.values_of(borrowed, self.many.then_some(self.rounds))
    }

    /// Like `values`, for this number of rounds.
    pub fn values_of<'a>(
        &'a self,
        borrowed: &'a [Borrowed<'_>],
        rounds: Option<usize>,
    ) -> schemes::Fields<'a> {
        let values = self.values.iter().zip(borrowed).map(|(values, borrowed)| match values {
            OwnedValues::Texts(texts) => {
                Values::Texts(texts.texts_in(|_| borrowed.as_ref().expect("the array of the field")))
            }
            OwnedValues::Numbers { numbers, .. } => Values::Numbers(numbers),
            OwnedValues::Counter { start } => Values::Counter { start: *start },
            OwnedValues::Salts { seed, start } => Values::Salts { seed: seed.as_bytes(), start: *start },
        });
        schemes::Fields::new(values.collect(), rounds).labeled(self.label.as_deref().map(str::as_bytes))
    }
}

impl OwnedValues {
    /// Holds text or arrays of text, whole numbers or arrays of them, or either, as the field's kind allows.
    fn new(name: &str, kind: FieldKind, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if kind != FieldKind::Text {
            if let Some((numbers, many)) = numbers(name, value)? {
                return Ok(Self::Numbers { numbers, many });
            }
            if kind == FieldKind::Number {
                let got = described(value);
                let problem = format!("must be a whole number or a one-dimensional array of them, got {got}");
                return Err(Error::type_(name, problem).into());
            }
        }
        Ok(Self::of_text(TextArgument::new(name, value)?))
    }

    fn of_text(text: TextArgument<'_>) -> Self {
        Self::Texts(text.map(|fields| Bound::clone(&fields).unbind()))
    }

    /// Holds texts, reduced to a single one if all of them are equal.
    pub fn narrow(text: TextArgument<'_>) -> Self {
        match text.texts().narrow() {
            Texts::One(one) if text.len().is_some() => Self::one(one),
            _ => Self::of_text(text),
        }
    }

    /// Holds one text for all rounds.
    fn one(text: &[u8]) -> Self {
        Self::Texts(HeldTexts::Packed { bytes: text.to_vec(), ends: vec![0, text.len()] })
    }

    /// Holds nonnegative whole numbers.
    pub fn whole(numbers: Vec<u64>) -> Self {
        Self::Numbers { numbers, many: true }
    }

    /// Holds the values of some rounds.
    fn take(values: &Values<'_>, rounds: &[u32]) -> Self {
        if let Values::Texts(texts) = values
            && let Some(one) = texts.constant().or_else(|| Texts::Picked { texts, rows: rounds }.same())
        {
            return Self::one(one);
        }
        match values {
            Values::Texts(_) | Values::Salts { .. } => {
                let (mut bytes, mut ends) = (Vec::new(), vec![0]);
                for &round in rounds {
                    values.write(round as usize, &mut bytes);
                    ends.push(bytes.len());
                }
                Self::Texts(HeldTexts::Packed { bytes, ends })
            }
            Values::Numbers([one]) => Self::Numbers { numbers: vec![*one], many: true },
            Values::Numbers(_) | Values::Counter { .. } => {
                let numbers = rounds.iter().filter_map(|&round| values.number(round as usize));
                Self::Numbers { numbers: numbers.collect(), many: true }
            }
        }
    }

    fn len(&self) -> Option<usize> {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Numbers { numbers, many } => many.then_some(numbers.len()),
            Self::Counter { .. } | Self::Salts { .. } => None,
        }
    }
}
