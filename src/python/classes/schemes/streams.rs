//! The draws of rounds.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::fields::Fields;
use super::path::path_named;
use super::scheme::Scheme;
use crate::error::{Error, Result};
use crate::python::convert::arrays::new_filled;
use crate::schemes::{self, Among, At, Source, Work};
use crate::sha2_lanes::Path;

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
        let mut streams = schemes::Streams::new(first, rounds, ahead);
        // Rounds one by one need no lanes, so the processor isn't asked for them: a virtual machine takes longer to
        // answer than to play such a round.
        let path = match path {
            None if streams.one_by_one() => Path::Scalar,
            path => path_named(path)?,
        };
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

    /// The first `k` different ones of `0..n`, as int64 of shape (rounds, k); -1 after a round's words are used up.
    fn distinct<'py>(&mut self, py: Python<'py>, n: i64, k: usize) -> PyResult<Bound<'py, PyAny>> {
        let n = self.scheme.get().scheme.check_n("n", n)?;
        self.draw(py, Some(k), |streams, work, out| streams.distinct(work, n, out))
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
