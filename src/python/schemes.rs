//! Hashes and schemes as data, chains of hashes, the fields of rounds, and their draws.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use numpy::{
    PyArray1, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::arrays::{fill_array, new_array, new_filled};
use super::arrow;
use super::columns::{HeldColumn, type_of};
use super::progress::reported;
use super::strings::{HeldTexts, TextArgument, type_name};
use crate::error::{Error, Result};
use crate::games::numbers::to_precision as to_precision_of;
use crate::games::views::Weigh;
use crate::parallel::lock;
use crate::schemes::{
    self, Algorithm, Among, At, Chain, Digest, Parts, Piece, Reached, ReadOn, SchemeWords, Source, Spelling,
    Template, Text, Use, Values, Width, Work,
};
use crate::sha2_lanes::Path;
use crate::strings::{Texts, broadcast, broadcast_to};

/// A template as Python hands it over: literal bytes, and names of what stands between them.
type Pieces = Vec<(String, Py<PyAny>)>;

/// A hash of templates over named fields.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Hash {
    pub(super) hash: schemes::Hash,
    /// What the fields are called.
    pub(super) names: Vec<String>,
    /// What each field must be.
    uses: Vec<Use>,
    /// What draws are called as long as they aren't called something else.
    label: Option<String>,
}

#[pymethods]
impl Hash {
    /// The pieces of a template are `("literal", bytes)`, `("field", index)`, `("bytes", index)`, `("utf8", index)`,
    /// `("cursor", None)`, `("label", None)`, whole numbers of a width as `("digits" | "little" | "big", (index, width))`,
    /// whose index is None for the cursor, and `("hash" | "raw", Hash)`, which has the same fields. `also` is
    /// another hash of these and more fields. Unless `proven_bytes` is None, published values have one spelling, and so do
    /// the fields that it names.
    #[new]
    #[pyo3(signature = (algorithm, message, key, names, *, label=None, also=None, proven_bytes=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        algorithm: &str,
        message: Pieces,
        key: Option<Pieces>,
        names: Vec<String>,
        label: Option<String>,
        also: Option<&Self>,
        proven_bytes: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let algorithm = Algorithm::from_name("name", algorithm)?;
        let key = key.map(|key| template(py, key)).transpose()?;
        let hash = schemes::Hash { algorithm, message: template(py, message)?, key };
        if hash.fields() > names.len() {
            return Err(Error::value("names", "must have one for every field").into());
        }
        let spelling = |name: &String| {
            let proven_bytes = proven_bytes.as_ref()?;
            Spelling::of_published(name).or(proven_bytes.contains(name).then_some(Spelling::Hex(None)))
        };
        let mut uses = hash.uses(&names.iter().map(spelling).collect::<Vec<_>>());
        for (own, other) in uses.iter_mut().zip(also.iter().flat_map(|also| &also.uses)) {
            *own = own.and(*other);
        }
        Ok(Self { hash, names, uses, label })
    }

    /// The bytes of a digest; None where it is as long as its message.
    #[getter]
    fn size(&self) -> Option<usize> {
        self.hash.algorithm.size()
    }

    /// The largest cursor that is written; None where no template has one.
    #[getter]
    fn last_cursor(&self) -> Option<u64> {
        self.hash.last_cursor()
    }

    /// Whether what draws are called is hashed.
    #[getter]
    fn has_label(&self) -> bool {
        self.hash.has_label()
    }

    /// For each field the largest whole number that it can be; None where it has no width of its own.
    #[getter]
    fn most(&self) -> Vec<Option<u64>> {
        self.uses.iter().map(|each| each.most).collect()
    }

    /// For each field the one spelling of its text, in words; None where it may be spelled in several ways.
    #[getter]
    fn spelled(&self) -> Vec<Option<String>> {
        let one = |spelling: &Spelling| *spelling > Spelling::Bytes;
        self.uses.iter().map(|each| each.spelling.filter(one).map(Spelling::described)).collect()
    }

    /// The digests at a cursor: `bytes` for one round of single values, `(N, size)` for many.
    #[pyo3(signature = (fields, cursor, *, label=None, threads=None, path=None))]
    fn digests<'py>(
        &self,
        py: Python<'py>,
        fields: &Fields,
        cursor: u64,
        label: Option<&str>,
        threads: Option<usize>,
        path: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let path = path_named(path)?;
        let borrowed = fields.borrow(py)?;
        let mut values = fields.values(&borrowed);
        if let Some(label) = label {
            values = values.labeled(Some(label.as_bytes()));
        }
        if !fields.many {
            return Ok(PyBytes::new(py, self.hash.digest(&values, 0, cursor).bytes()).into_any());
        }
        let first =
            || if values.rounds() == 0 { 0 } else { self.hash.digest(&values, 0, cursor).bytes().len() };
        let shape = [values.rounds(), self.size().unwrap_or_else(first)];
        new_filled(py, &shape, None, |out, tick| {
            schemes::fill_digests(path, &self.hash, &values, cursor, out, threads, tick)
        })
    }

    /// Of a hash of one field: the hashes before one of a chain, nearest first, as an array of hex text.
    #[pyo3(signature = (game_hash, count, *, progress=None))]
    fn previous<'py>(
        &self,
        py: Python<'py>,
        game_hash: &str,
        count: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let chain = Chain::new(&self.hash);
        let array = new_array(py, &[count], &PyString::new(py, &format!("S{}", chain.width())).into_any())?;
        let bytes = array.call_method1(intern!(py, "view"), ("u1",))?;
        fill_array(&bytes, progress, |out, tick| chain.fill(game_hash.as_bytes(), out, tick))?;
        Ok(array)
    }

    /// The hash a number of steps before one of a chain.
    #[pyo3(signature = (game_hash, steps, *, progress=None))]
    fn before(
        &self,
        py: Python<'_>,
        game_hash: &str,
        steps: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let mut found = game_hash.as_bytes().to_vec();
        let chain = Chain::new(&self.hash);
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

    /// How many steps before one hash of a chain another one is; `None` where it isn't within `limit`.
    #[pyo3(signature = (game_hash, other, limit, *, progress=None))]
    fn steps(
        &self,
        py: Python<'_>,
        game_hash: &str,
        other: &str,
        limit: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<usize>> {
        if game_hash == other {
            return Ok(Some(0));
        }
        let chain = Chain::new(&self.hash);
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

fn template(py: Python<'_>, pieces: Pieces) -> PyResult<Template> {
    let numbered = |value: &Bound<'_, PyAny>, width: fn(usize) -> Width| -> PyResult<Piece> {
        let (field, size): (Option<usize>, usize) = value.extract()?;
        Ok(field.map_or(Piece::CursorOf(width(size)), |field| Piece::Number(field, width(size))))
    };
    let nested =
        |value: &Bound<'_, PyAny>| -> PyResult<_> { Ok(Box::new(value.cast::<Hash>()?.get().hash.clone())) };
    let piece = |(kind, value): (String, Py<PyAny>)| {
        let value = value.bind(py);
        Ok(match &*kind {
            "literal" => Piece::Literal(value.extract()?),
            "field" => Piece::Field(value.extract()?),
            "bytes" => Piece::Bytes(value.extract()?),
            "utf8" => Piece::Utf8(value.extract()?),
            "cursor" => Piece::Cursor,
            "label" => Piece::Label,
            "digits" => numbered(value, Width::Digits)?,
            "little" => numbered(value, |size| Width::Bytes { size, little: true })?,
            "big" => numbered(value, |size| Width::Bytes { size, little: false })?,
            "hash" => Piece::Hash(nested(value)?, false),
            "raw" => Piece::Hash(nested(value)?, true),
            _ => return Err(Error::value("pieces", format!("must be of a known kind, got {kind:?}")).into()),
        })
    };
    pieces.into_iter().map(piece).collect::<PyResult<_>>().map(Template)
}

/// The numbers of games on chains, by their hashes and the hashes that their chains end in.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct GameNumbers {
    chains: Mutex<Chains>,
    hash: schemes::Hash,
    limit: u64,
}

#[derive(Default)]
struct Chains {
    by_end: HashMap<Text, schemes::GameNumbers>,
    /// Steps that may still be taken, of all chains together.
    budget: u64,
}

/// The numbers of rows' games, the places of their ends, and these ends.
type Numbered<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Vec<String>);

/// Ends of chains that are kept from one batch to the next.
const MOST_ENDS: usize = 64;

#[pymethods]
impl GameNumbers {
    #[new]
    fn new(hash: &Hash, limit: u64, budget: u64) -> PyResult<Self> {
        if Chain::new(&hash.hash).width() != 64 {
            return Err(Error::value("hash", "must be one of 32 bytes").into());
        }
        let chains = Mutex::new(Chains { budget, ..Chains::default() });
        Ok(Self { chains, hash: hash.hash.clone(), limit })
    }

    /// For each row the number of its game: 0 where it isn't on the chain, -1 where its end isn't reached within
    /// the limit, -2 where the budget didn't allow as many steps; and the place of its chain's end among those that
    /// come up, -1 where there is no hash. Rows with a number in `said` are on the chain in exactly as many steps,
    /// or not at all.
    #[pyo3(signature = (hashes, ends, said, rows, *, progress=None))]
    fn of<'py>(
        &self,
        py: Python<'py>,
        hashes: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
        said: PyReadonlyArray1<'py, i64>,
        rows: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Numbered<'py>> {
        let (hashes, ends) =
            (HeldColumn::new("game_hash", hashes, rows)?, HeldColumn::new("terminating", ends, rows)?);
        let (hashes, ends, said) = (hashes.column(), ends.column(), said.as_slice()?);
        if said.len() != rows {
            return Err(Error::value("said", "must be as many as rows").into());
        }
        let (numbers, which, ends) = reported(py, progress, |tick| {
            let mut chains = lock(&self.chains);
            let (mut numbers, mut which) = (vec![0; rows], vec![-1; rows]);
            let mut by_end: Vec<(Text, Vec<usize>)> = Vec::new();
            let mut places = HashMap::new();
            let hashes = hashes.hashes(rows);
            for (row, end) in ends.hashes(rows).into_iter().enumerate() {
                let Some(end) = end else { continue };
                let place = *places.entry(end).or_insert_with(|| {
                    by_end.push((end, Vec::new()));
                    by_end.len() - 1
                });
                which[row] = place as i64;
                by_end[place].1.push(row);
            }
            let Chains { by_end: chains, budget } = &mut *chains;
            // The chains with the most rows come first, lest others spend the budget.
            let mut order: Vec<_> = by_end.iter().collect();
            order.sort_by_key(|(_, rows)| Reverse(rows.len()));
            for (end, rows) in order {
                if chains.len() >= MOST_ENDS {
                    chains.retain(|known, chain| known == end || chain.has_games());
                }
                if chains.len() >= MOST_ENDS {
                    chains.retain(|known, _| known == end);
                }
                let chain = chains
                    .entry(*end)
                    .or_insert_with(|| schemes::GameNumbers::new(self.hash.clone(), *end, self.limit));
                let some: Vec<_> = rows.iter().copied().filter(|&row| hashes[row].is_some()).collect();
                let asked = some.iter().filter_map(|&row| Some((hashes[row]?, said[row].max(0) as u64)));
                let found = chain.of(&asked.collect::<Vec<_>>(), budget, tick)?;
                for (row, reached) in some.into_iter().zip(found) {
                    numbers[row] = match reached {
                        Reached::In(steps) => steps as i64,
                        Reached::Elsewhere => 0,
                        Reached::NotWithin => -1,
                        Reached::NotWalked => -2,
                    };
                }
            }
            let ends = by_end.into_iter().map(|(end, _)| String::from_utf8_lossy(&end).into_owned());
            Ok((numbers, which, ends.collect()))
        })?;
        Ok((PyArray1::from_vec(py, numbers), PyArray1::from_vec(py, which), ends))
    }
}

/// Numbers in `[0, 1)` as JavaScript's `Number(number.toPrecision(digits))` has them.
#[pyfunction]
pub fn to_precision<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray1<'py, f64>,
    digits: u32,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let made =
        numbers.as_slice()?.iter().map(|&number| to_precision_of(number, digits.clamp(1, 15))).collect();
    Ok(PyArray1::from_vec(py, made))
}

/// Says how the game of each row follows that of the row before, which is `before` for the first one: 0 the
/// same, 1 the next game, -1 the previous one, 2 none of these.
#[pyfunction]
pub fn chain_links<'py>(
    py: Python<'py>,
    before: &str,
    hashes: &Bound<'py, PyAny>,
    rows: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let held = HeldColumn::new("game_hash", hashes, rows)?;
    let links = {
        let column = held.column();
        py.detach(|| schemes::links(before.as_bytes().try_into().ok(), &column.hashes(rows)))
    };
    Ok(PyArray1::from_vec(py, links))
}

/// What makes a round's words in Python.
#[derive(Debug)]
struct PyFunction {
    function: Py<PyAny>,
    /// Whether it is called once for many rounds, with arrays.
    vectorized: bool,
    bits: u32,
    /// How many fields it is given: the first ones of rounds that have others, too.
    fields: usize,
}

impl PyFunction {
    /// The values of a field.
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

    /// A word that it gave.
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
        let columns = fields.each().take(self.fields).map(|values| self.values(py, values, rounds.clone()));
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        let function = self.function.bind(py);
        if !self.vectorized {
            let words = |round: usize| {
                let values = columns.iter().map(|column| column[round].clone());
                let given = function.call1(PyTuple::new(py, values)?)?;
                if let Ok(bytes) = given.extract::<PyBackedBytes>() {
                    let digest = Digest::long(&bytes);
                    if !self.bits.is_multiple_of(4) {
                        return Err(Error::value(
                            "bits",
                            "must be a multiple of 4 where a function gives bytes",
                        )
                        .of("Scheme")
                        .into());
                    }
                    let words = digest.words(self.bits).min(count);
                    return Ok((0..words).map(|index| digest.word(self.bits, index)).collect());
                }
                given.try_iter()?.take(count).map(|word| self.check(&word?)).collect()
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
                "must give an array of whole numbers of shape ({}, count) where it is vectorized, got {:?} of {}",
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

/// A hash, and what is made of its digests.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Scheme {
    pub(super) scheme: schemes::Scheme,
    /// What its draws are called.
    pub(super) label: Option<String>,
    /// What each field must be.
    pub(super) uses: Vec<Use>,
}

#[pymethods]
impl Scheme {
    /// `bits` is None where the range of a draw says how many bytes it takes; `read_on` a number of cursors, or a
    /// hash of the fields and the digest; `function` what makes the words, and whether it is vectorized.
    #[new]
    #[pyo3(signature = (hash, bits, words, below, first_cursor, read_on=None, function=None))]
    fn new(
        hash: &Hash,
        bits: Option<i64>,
        words: Option<i64>,
        below: &str,
        first_cursor: u64,
        read_on: Option<&Bound<'_, PyAny>>,
        function: Option<(Py<PyAny>, bool)>,
    ) -> PyResult<Self> {
        let read_on = read_on
            .map(|given| {
                Ok::<_, PyErr>(match given.cast::<Hash>() {
                    Ok(hash) => ReadOn::Hash(hash.get().hash.clone()),
                    Err(_) => ReadOn::Cursors(given.extract()?),
                })
            })
            .transpose()?;
        let function = function.map(|(function, vectorized)| {
            let bits = bits.unwrap_or(8).clamp(1, 64) as u32;
            let fields = hash.names.len();
            Arc::new(PyFunction { function, vectorized, bits, fields }) as Arc<dyn schemes::Function>
        });
        let parts = Parts { bits, words, below, first_cursor, read_on, function };
        let scheme = schemes::Scheme::of(hash.hash.clone(), parts)?;
        Ok(Self { scheme, label: hash.label.clone(), uses: hash.uses.clone() })
    }

    /// How many words of a digest are used.
    #[getter]
    fn words(&self) -> usize {
        self.scheme.cut().words
    }

    /// How many words a digest has.
    #[getter]
    fn available(&self) -> usize {
        self.scheme.cut().available
    }

    /// The bits of a number; None where words make none.
    #[getter]
    fn number_bits(&self) -> Option<u32> {
        self.scheme.has_numbers().then(|| self.scheme.number_bits())
    }

    /// The weights of the answers of `below(n)` below each of `answers`, and of all.
    fn weights_below(&self, py: Python<'_>, n: i64, answers: Vec<u64>) -> PyResult<(Vec<u128>, u128)> {
        let n = self.scheme.check_n("n", n)?;
        let words = SchemeWords::new(&self.scheme)?;
        Ok(py.detach(|| (answers.iter().map(|&answer| words.up_to(n, answer)).collect(), words.total(n))))
    }

    /// The numbers of words.
    fn numbers_of<'py>(
        &self,
        py: Python<'py>,
        words: PyReadonlyArray1<'py, u64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.scheme.check_numbers()?;
        let numbers = words.as_slice()?.iter().map(|&word| self.scheme.number(word)).collect();
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// The number of a word.
    fn number(&self, word: u64) -> PyResult<f64> {
        self.scheme.check_numbers()?;
        Ok(self.scheme.number(word))
    }

    /// The first numbers: `(count,)` for one round of single values, `(N, count)` for many.
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

/// What was hashed in a round.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct HashedRound {
    /// The key of HMAC, if there is one.
    key: Option<Py<PyBytes>>,
    /// What was hashed.
    message: Py<PyBytes>,
    /// The digest.
    digest: Py<PyBytes>,
    /// Its words, in hexadecimal.
    words: Vec<String>,
}

/// Where a word came from.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct DrawnWord {
    /// The cursor of its digest.
    cursor: u64,
    /// How often this digest was hashed again before.
    again: u64,
    /// The index, in the digest, of the word that was taken.
    taken: usize,
    /// How many bits it has.
    bits: u32,
    /// The word.
    word: u64,
    /// The words before it that were passed over.
    passed: Vec<u64>,
}

/// The values of the fields of many rounds.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Fields {
    held: Vec<Held>,
    names: Vec<String>,
    rounds: usize,
    /// Whether the number of rounds was given, rather than found.
    given: bool,
    /// Whether there are arrays, so that results are arrays of rounds, rather than one round of single values.
    #[pyo3(get)]
    many: bool,
    label: Option<String>,
    fingerprints: Option<Fingerprints>,
}

/// Where the fingerprints of rounds' first digests are kept, so that nobody has to hash again for them.
#[derive(Clone)]
struct Fingerprints {
    all: Arc<Mutex<Vec<[u64; 2]>>>,
    /// The rounds among all, where these aren't all.
    rounds: Option<Arc<[u32]>>,
}

impl Fingerprints {
    /// Keeps the fingerprints of rounds from `first` on.
    fn keep(&self, first: usize, fingerprints: &[[u64; 2]]) {
        let mut all = lock(&self.all);
        for (round, &fingerprint) in (first..).zip(fingerprints) {
            all[self.rounds.as_ref().map_or(round, |rounds| rounds[round] as usize)] = fingerprint;
        }
    }
}

/// The values of a field, held beyond a call.
pub enum Held {
    Texts(HeldTexts<Py<PyArray1<u8>>>),
    Numbers { numbers: Vec<u64>, many: bool },
    Counter { start: u64 },
    Salts { seed: String, start: u64 },
}

/// numpy's array of a field that has one, which nobody may write to during a call.
pub type Borrowed<'py> = Option<PyReadonlyArray1<'py, u8>>;

#[pymethods]
impl Fields {
    /// One value for each of the hash's fields: text, or arrays of it, where its `kind` is `"text"`, whole
    /// numbers or arrays of them where it is `"number"`, either where it is `"any"`; the number of the
    /// first where it is `"counter"`, and name and number of the first where it is `"salts"`. These two
    /// want `rounds`.
    #[new]
    #[pyo3(signature = (hash, values, rounds=None))]
    fn new(
        py: Python<'_>,
        hash: &Hash,
        values: Vec<(String, Bound<'_, PyAny>)>,
        rounds: Option<usize>,
    ) -> PyResult<Self> {
        if values.len() != hash.names.len() {
            return Err(Error::value("values", "must be one for each field").into());
        }
        let held: Vec<_> = hash
            .names
            .iter()
            .zip(values)
            .map(|(name, (kind, value))| Held::new(name, &kind, &value))
            .collect::<PyResult<_>>()?;
        let lengths: Vec<_> =
            hash.names.iter().zip(&held).map(|(name, held)| (&**name, held.len())).collect();
        let found = broadcast(&lengths)?;
        let fields = Self {
            held,
            names: hash.names.clone(),
            rounds: rounds.or(found).unwrap_or(1),
            given: rounds.is_some(),
            many: found.is_some() || rounds.is_some(),
            label: hash.label.clone(),
            fingerprints: None,
        };
        let borrowed = fields.borrow(py)?;
        let values = fields.values(&borrowed);
        py.detach(|| values.check(&hash.names, &hash.uses))?;
        drop(borrowed);
        Ok(fields)
    }

    fn __len__(&self) -> usize {
        self.rounds
    }

    /// Some of the rounds, by their numbers.
    fn take(&self, py: Python<'_>, rounds: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let rounds = rounds.as_slice()?;
        if rounds.iter().any(|&round| round as usize >= self.rounds) {
            return Err(Error::value("rounds", format!("must be below {}", self.rounds)).into());
        }
        let fingerprints = self.fingerprints.as_ref().map(|Fingerprints { all, rounds: known }| {
            let place = |&round: &u32| known.as_ref().map_or(round, |known| known[round as usize]);
            Fingerprints { all: all.clone(), rounds: Some(rounds.iter().map(place).collect()) }
        });
        let borrowed = self.borrow(py)?;
        let held = self.values(&borrowed).each().map(|values| Held::take(values, rounds)).collect();
        let names = self.names.clone();
        let label = self.label.clone();
        Ok(Self { held, names, rounds: rounds.len(), given: true, many: true, label, fingerprints })
    }
}

impl Fields {
    /// The fields of rows of a log. The fingerprints of their first digests are kept.
    pub fn of_log(names: Vec<String>, held: Vec<Held>, rows: usize, label: Option<String>) -> Self {
        let fingerprints = Some(Fingerprints { all: Arc::new(Mutex::new(vec![[0; 2]; rows])), rounds: None });
        Self { held, names, rounds: rows, given: true, many: true, label, fingerprints }
    }

    /// How many rounds these are together with another array; `None` for one of single values.
    pub fn rounds_with(&self, other: Option<(&str, usize)>) -> Result<Option<usize>> {
        let other = other.map(|(name, length)| (name, Some(length)));
        if self.given {
            broadcast_to(self.rounds, other.as_slice())?;
            return Ok(Some(self.rounds));
        }
        let own = self.names.iter().zip(&self.held).map(|(name, held)| (&**name, held.len()));
        broadcast(&own.chain(other).collect::<Vec<_>>())
    }

    /// The fingerprints that are known; [0, 0] elsewhere.
    pub fn fingerprints(&self) -> Vec<[u64; 2]> {
        self.fingerprints.as_ref().map(|fingerprints| lock(&fingerprints.all).clone()).unwrap_or_default()
    }

    pub fn borrow<'py>(&self, py: Python<'py>) -> PyResult<Vec<Borrowed<'py>>> {
        let borrow = |held: &Held| {
            let Held::Texts(HeldTexts::Fixed { fields, .. }) = held else { return Ok(None) };
            let shared =
                |_| Error::value("seeds", "must not be an array that is written to while it is read");
            fields.bind(py).try_readonly().map(Some).map_err(|error| shared(error).into())
        };
        self.held.iter().map(borrow).collect()
    }

    pub fn values<'a>(&'a self, borrowed: &'a [Borrowed<'_>]) -> schemes::Fields<'a> {
        self.values_of(borrowed, self.many.then_some(self.rounds))
    }

    /// The same for this number of rounds.
    pub fn values_of<'a>(
        &'a self,
        borrowed: &'a [Borrowed<'_>],
        rounds: Option<usize>,
    ) -> schemes::Fields<'a> {
        let values = self.held.iter().zip(borrowed).map(|(held, borrowed)| match held {
            Held::Texts(texts) => {
                Values::Texts(texts.texts_in(|_| borrowed.as_ref().expect("the array of the field")))
            }
            Held::Numbers { numbers, .. } => Values::Numbers(numbers),
            Held::Counter { start } => Values::Counter { start: *start },
            Held::Salts { seed, start } => Values::Salts { seed: seed.as_bytes(), start: *start },
        });
        schemes::Fields::new(values.collect(), rounds).labeled(self.label.as_deref().map(str::as_bytes))
    }
}

impl Held {
    fn new(name: &str, kind: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        match kind {
            "counter" => return Ok(Self::Counter { start: value.extract()? }),
            "salts" => {
                let (seed, start) = value.extract()?;
                return Ok(Self::Salts { seed, start });
            }
            "number" | "any" => {
                if let Some((numbers, many)) = numbers(name, value)? {
                    return Ok(Self::Numbers { numbers, many });
                }
                if kind == "number" {
                    return Err(Error::type_(
                        name,
                        format!(
                            "must be a whole number or a one-dimensional array of them, got {}",
                            described(value)
                        ),
                    )
                    .into());
                }
            }
            _ => {}
        }
        Ok(Self::of_text(TextArgument::new(name, value)?))
    }

    fn of_text(text: TextArgument<'_>) -> Self {
        Self::Texts(text.map(|fields| Bound::clone(&fields).unbind()))
    }

    /// Texts; one for all rounds where these all have the same.
    pub fn narrow(text: TextArgument<'_>) -> Self {
        match text.texts().narrow() {
            Texts::One(one) if text.len().is_some() => Self::one(one),
            _ => Self::of_text(text),
        }
    }

    /// A text for all rounds.
    fn one(text: &[u8]) -> Self {
        Self::Texts(HeldTexts::Packed { bytes: text.to_vec(), ends: vec![0, text.len()] })
    }

    /// Whole numbers that aren't negative.
    pub fn whole(numbers: Vec<i64>) -> Self {
        Self::Numbers { numbers: numbers.into_iter().map(|number| number as u64).collect(), many: true }
    }

    /// The values of some rounds.
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

/// Whole numbers, and whether they came as an array; `None` where the value is something else.
fn numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u64>, bool)>> {
    let py = value.py();
    if is_integer(value)? {
        return Ok(Some((vec![number(name, value)?], false)));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return listed(name, value);
    }
    let arrow = arrow::is_exported(value)?;
    let array = if value.is_instance_of::<PyUntypedArray>() {
        value.clone()
    } else if arrow && !value.hasattr(intern!(py, "dtype"))? {
        return arrow_numbers(name, value);
    } else if let Ok(to_numpy) = value.getattr(intern!(py, "to_numpy")) {
        to_numpy.call0()?
    } else {
        return Ok(None);
    };
    let Ok(array) = array.cast::<PyUntypedArray>() else { return Ok(None) };
    if array.hasattr(intern!(py, "mask"))? {
        return Ok(None);
    }
    match (array.dtype().kind(), array.ndim()) {
        (b'i' | b'u' | b'O', 0) => numbers(name, &array.call_method0(intern!(py, "item"))?),
        // numpy, like Polars, has a type of its own for nothing in particular.
        (_, 1) if array.is_empty() => Ok(Some((Vec::new(), true))),
        (b'O', 1) => listed(name, &array.call_method0(intern!(py, "tolist"))?),
        (b'i' | b'u', 1) => {
            if array.dtype().kind() == b'i' {
                let least = array.call_method0(intern!(py, "min"))?;
                if least.lt(0)? {
                    let row = array.call_method1(intern!(py, "__lt__"), (0,))?.call_method0("argmax")?;
                    let value = array.get_item(&row)?;
                    return Err(out_of_range(name, value).at(row.extract()?).into());
                }
            }
            let wide = array.call_method1(intern!(py, "astype"), ("uint64",))?;
            let wide = wide.extract::<PyReadonlyArray1<'_, u64>>()?;
            Ok(Some((wide.as_array().to_vec(), true)))
        }
        (b'i' | b'u', n) => Err(Error::value(
            name,
            format!("must be a whole number or a one-dimensional array of them, got {n} dimensions"),
        )
        .into()),
        _ => Ok(None),
    }
}

/// The numbers of a list, if its first element is one.
fn listed(name: &str, list: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u64>, bool)>> {
    let mut numbers = Vec::with_capacity(list.len()?);
    for (row, item) in list.try_iter()?.enumerate() {
        let item = item?;
        if is_integer(&item)? {
            numbers.push(number(name, &item).map_err(|error| error.at(row))?);
        } else if row == 0 && (item.is_instance_of::<PyString>() || item.is_instance_of::<PyBytes>()) {
            return Ok(None);
        } else {
            let problem = format!("must be a whole number, got {}", described(&item));
            return Err(Error::type_(name, problem).at(row).into());
        }
    }
    Ok(Some((numbers, true)))
}

/// The numbers of Arrow data, if it is of whole numbers.
fn arrow_numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u64>, bool)>> {
    let chunks = arrow::chunks(value)?;
    let mut numbers = Vec::new();
    for chunk in &chunks.arrays {
        macro_rules! try_types {
            ($($type:ty),*) => {$(
                if let Some(array) = chunk.as_primitive_opt::<$type>() {
                    for item in array.iter() {
                        let row = numbers.len();
                        let item = item.ok_or_else(|| {
                            Error::value(name, "must be a whole number, got null").at(row)
                        })?;
                        let checked = u64::try_from(item).map_err(|_| out_of_range(name, item).at(row))?;
                        numbers.push(checked);
                    }
                    continue;
                }
            )*};
        }
        if chunk.is_empty() {
            continue;
        }
        try_types!(Int64Type, UInt64Type, Int32Type, UInt32Type, Int16Type, UInt16Type, Int8Type, UInt8Type);
        return Ok(None);
    }
    Ok(Some((numbers, true)))
}

/// Whether the value is a whole number, of Python or numpy; booleans aren't.
fn is_integer(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    if value.is_instance_of::<PyInt>() {
        return Ok(!value.is_instance_of::<PyBool>());
    }
    if value.is_instance_of::<PyUntypedArray>() {
        return Ok(false);
    }
    value.is_instance(&py.import(intern!(py, "numpy"))?.getattr(intern!(py, "integer"))?)
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> Result<u64> {
    value.extract().map_err(|_| out_of_range(name, value))
}

fn out_of_range(name: &str, value: impl std::fmt::Display) -> Error {
    Error::value(name, format_args!("must be from 0 to 2**64 - 1, got {value}"))
}

/// What a message says of a value that isn't a whole number.
fn described(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() || value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyBool>() {
        return value.to_string();
    }
    match value.cast::<PyUntypedArray>() {
        Ok(array) => format!("an array of {}", array.dtype()),
        Err(_) => match type_of(value) {
            Some(of) => format!("a {} of {of}", type_name(value)),
            None => type_name(value),
        },
    }
}

/// The draws of rounds `first`, `first + 1`, ...: each call goes on where the one before ended.
#[pyclass(module = "provably_fair._engine")]
pub struct Streams {
    scheme: Py<Scheme>,
    fields: Py<Fields>,
    streams: schemes::Streams,
    first: usize,
    /// What its draws are called.
    #[pyo3(get)]
    label: Option<String>,
    threads: Option<usize>,
    path: Path,
}

#[pymethods]
impl Streams {
    #[new]
    #[pyo3(signature = (scheme, fields, first=0, rounds=None, *, ahead=0, threads=1, path=None))]
    fn new(
        scheme: Py<Scheme>,
        fields: Py<Fields>,
        first: usize,
        rounds: Option<usize>,
        ahead: u64,
        threads: Option<usize>,
        path: Option<&str>,
    ) -> PyResult<Self> {
        let all = fields.get().rounds;
        let rounds = rounds.unwrap_or(all.saturating_sub(first));
        if first.checked_add(rounds).is_none_or(|end| end > all) {
            return Err(Error::value("first", format!("and rounds must lie within {all} rounds")).into());
        }
        let path = path_named(path)?;
        let mut streams = schemes::Streams::new(first, rounds, ahead);
        if fields.get().fingerprints.is_some() {
            streams.want_fingerprints();
        }
        let label = fields.get().label.clone();
        Ok(Self { scheme, fields, streams, first, label, threads, path })
    }

    fn __len__(&self) -> usize {
        self.streams.rounds()
    }

    /// How many words were drawn and skipped so far.
    #[getter]
    fn place(&self) -> u64 {
        self.streams.place()
    }

    /// Whether the scheme hashes that.
    #[getter]
    fn has_label(&self) -> bool {
        self.scheme.get().scheme.hash().has_label()
    }

    /// The draws of the same rounds from the beginning, called something else.
    fn labeled(&self, py: Python<'_>, label: String) -> Self {
        Self {
            scheme: self.scheme.clone_ref(py),
            fields: self.fields.clone_ref(py),
            streams: schemes::Streams::new(self.first, self.streams.rounds(), 0),
            first: self.first,
            label: Some(label),
            threads: self.threads,
            path: self.path,
        }
    }

    /// What is hashed for a digest of a round: the key, if there is one, the message, the digest, and its words.
    fn digest(&self, py: Python<'_>, round: usize, cursor: u64, again: u64) -> PyResult<HashedRound> {
        let borrowed = self.fields.get().borrow(py)?;
        let values = self.fields.get().values(&borrowed).labeled(self.label.as_deref().map(str::as_bytes));
        let hashed = self.scheme.get().scheme.explain(&values, self.first + round, At { cursor, again })?;
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
        let bits = self.scheme.get().scheme.cut().bits;
        let width = bits.div_ceil(4) as usize;
        let words =
            (0..hashed.digest.words(bits)).map(|i| format!("{:0width$x}", hashed.digest.word(bits, i)));
        Ok(HashedRound {
            key: hashed.key.as_deref().map(bytes),
            message: bytes(&hashed.message),
            digest: bytes(hashed.digest.bytes()),
            words: words.collect(),
        })
    }

    /// Passes over words.
    fn skip(&mut self, count: u64) {
        self.streams.skip(count);
    }

    /// The next words, as uint64.
    fn words<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, None, |streams, work, out| streams.words(work, out))
    }

    /// The next numbers, as float64.
    fn numbers<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, None, |streams, work, out| streams.numbers(work, out))
    }

    /// The next ones of `0..n`, as int64; `n` may be an int64 array of one for each round.
    fn below<'py>(&mut self, py: Python<'py>, n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let scheme = self.scheme.clone_ref(py);
        let scheme = &scheme.get().scheme;
        if let Ok(array) = n.cast::<PyArray1<i64>>() {
            let array = array.readonly();
            let each = array.as_slice()?;
            if each.len() != self.streams.rounds() {
                return Err(Error::value(
                    "n",
                    format!(
                        "must be one number or one for each of the {} rounds, got {}",
                        self.streams.rounds(),
                        each.len()
                    ),
                )
                .into());
            }
            for (row, &n) in each.iter().enumerate() {
                scheme.check_n("n", n).map_err(|error| error.at(row))?;
            }
            return self.draw(py, None, |streams, work, out| streams.below(work, Among::Each(each), out));
        }
        let n = scheme.check_n("n", n.extract()?)?;
        self.draw(py, None, |streams, work, out| streams.below(work, Among::One(n), out))
    }

    /// `k` elements of `0..n` by removal, as int64 of shape (rounds, k); uses `k` numbers.
    fn sample<'py>(&mut self, py: Python<'py>, n: usize, k: usize) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, Some(k), |streams, work, out| streams.sample(work, n, out))
    }

    /// Permutations of `0..n` by swaps backward, as int64 of shape (rounds, n); uses `n - 1` numbers.
    fn swaps<'py>(&mut self, py: Python<'py>, n: usize) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, Some(n), |streams, work, out| streams.swaps(work, n, out))
    }

    /// Where the last word of a round came from, where there are few rounds.
    fn drawn(&self, round: usize) -> Option<DrawnWord> {
        let schemes::Drawn { at, taken, bits, word, passed } = self.streams.drawn(round)?.clone();
        Some(DrawnWord { cursor: at.cursor, again: at.again, taken, bits, word, passed })
    }
}

impl Streams {
    /// Lets the streams write into a new array, which has a row for each round.
    fn draw<'py, T: numpy::Element>(
        &mut self,
        py: Python<'py>,
        width: Option<usize>,
        draw: impl FnOnce(&mut schemes::Streams, &mut Work<'_, '_>, &mut [T]) -> Result<()> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Self { scheme, fields, streams, first, label, threads, path } = self;
        let borrowed = fields.get().borrow(py)?;
        let values = fields.get().values(&borrowed).labeled(label.as_deref().map(str::as_bytes));
        let source = Source { scheme: &scheme.get().scheme, fields: &values };
        let shape: Vec<_> = [streams.rounds()].into_iter().chain(width).collect();
        let drawn = new_filled(py, &shape, None, |out, tick| {
            draw(streams, &mut Work { source, path: *path, threads: *threads, tick }, out)
        })?;
        if let (Some(kept), Some(fingerprints)) = (&fields.get().fingerprints, streams.take_fingerprints()) {
            kept.keep(*first, &fingerprints);
        }
        Ok(drawn)
    }
}

/// The names of the ways in which this machine can compute hashes, the fastest first.
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
