//! Draws of rounds.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::fields::Fields;
use super::path::path_named;
use super::scheme::Scheme;
use crate::error::{Error, Result};
use crate::parallel::Tick;
use crate::python::convert::arrays::{fill_array, new_filled};
use crate::schemes::{self, DigestId, Limit, Source, Work};
use crate::sha2_lanes::Path;

/// The input and output of one hash in a round.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct HashedRound {
    /// The key of the HMAC, if there is one.
    key: Option<Py<PyBytes>>,
    /// The hashed message.
    message: Py<PyBytes>,
    /// The digest.
    digest: Py<PyBytes>,
    /// The digest's words, in hexadecimal.
    words: Vec<String>,
}

/// The origin of a word.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct DrawnWord {
    /// The cursor of its digest.
    cursor: u64,
    /// The number of times that this digest was hashed again.
    again: u64,
    /// The index in the digest of the word that was used.
    taken: usize,
    /// The number of bits in the word.
    bits: u32,
    /// The word.
    word: u64,
    /// The words rejected before it.
    passed: Vec<u64>,
}

/// The draws of rounds `first`, `first + 1`, ...; each call continues where the previous one stopped.
#[pyclass(module = "provably_fair._engine")]
pub struct Streams {
    scheme: Py<Scheme>,
    fields: Py<Fields>,
    streams: schemes::Streams,
    first: usize,
    /// The label of the draws.
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
        // Detecting the processor's features can take longer in a virtual machine than playing a round. Rounds
        // played one by one don't use lanes, so detection is skipped.
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

    /// The number of words drawn and skipped so far.
    #[getter]
    fn place(&self) -> u64 {
        self.streams.place()
    }

    /// Whether the scheme hashes the label.
    #[getter]
    fn has_label(&self) -> bool {
        self.scheme.get().scheme.hash().has_label()
    }

    /// The draws of the same rounds from the beginning, under another label.
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

    /// The key (if any), message, digest and words of one hash in a round.
    fn digest(&self, py: Python<'_>, round: usize, cursor: u64, again: u64) -> PyResult<HashedRound> {
        let borrowed = self.fields.get().borrow(py)?;
        let values = self.fields.get().values(&borrowed).labeled(self.label.as_deref().map(str::as_bytes));
        let call =
            self.scheme.get().scheme.explain(&values, self.first + round, DigestId { cursor, again })?;
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
        let bits = self.scheme.get().scheme.cut().bits;
        let width = bits.div_ceil(4) as usize;
        let words = (0..call.digest.words(bits)).map(|i| format!("{:0width$x}", call.digest.word(bits, i)));
        Ok(HashedRound {
            key: call.key.as_deref().map(bytes),
            message: bytes(&call.message),
            digest: bytes(call.digest.bytes()),
            words: words.collect(),
        })
    }

    /// Skips words.
    fn skip(&mut self, count: u64) {
        self.streams.skip(count);
    }

    /// The next words, as uint64.
    fn words<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, None, None, |streams, work, out| streams.words(work, out))
    }

    /// The next numbers, as float64.
    fn numbers<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, None, None, |streams, work, out| streams.numbers(work, out))
    }

    /// The next draws from `0..n`, as int64; `n` may be an int64 array with one value per round.
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
            return self
                .draw(py, None, None, |streams, work, out| streams.below(work, Limit::Each(each), out));
        }
        let n = scheme.check_n("n", n.extract()?)?;
        self.draw(py, None, None, |streams, work, out| streams.below(work, Limit::One(n), out))
    }

    /// `k` elements of `0..n` without replacement, as int64 of shape (rounds, k); uses `k` numbers.
    fn sample<'py>(&mut self, py: Python<'py>, n: usize, k: usize) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, Some(k), None, |streams, work, out| streams.sample(work, n, out))
    }

    /// The first `k` different draws from `0..n`, as int64 of shape (rounds, k), in a new array or in a given one; -1
    /// once a round's words are used up.
    #[pyo3(signature = (n, k, into=None))]
    fn distinct<'py>(
        &mut self,
        py: Python<'py>,
        n: i64,
        k: usize,
        into: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = self.scheme.get().scheme.check_n("n", n)?;
        self.draw(py, Some(k), into, |streams, work, out| streams.distinct(work, n, out))
    }

    /// Permutations of `0..n` by backward swaps (Fisher-Yates), as int64 of shape (rounds, n); uses `n - 1` numbers.
    fn swaps<'py>(&mut self, py: Python<'py>, n: usize) -> PyResult<Bound<'py, PyAny>> {
        self.draw(py, Some(n), None, |streams, work, out| streams.swaps(work, n, out))
    }

    /// The origin of the last word of a round; only recorded for few rounds.
    fn drawn(&self, round: usize) -> Option<DrawnWord> {
        let schemes::WordOrigin { at, taken, bits, word, passed } = self.streams.drawn(round)?.clone();
        Some(DrawnWord { cursor: at.cursor, again: at.again, taken, bits, word, passed })
    }
}

impl Streams {
    /// Has the streams write into a given array that has a row for each round, or into a new one.
    fn draw<'py, T: numpy::Element>(
        &mut self,
        py: Python<'py>,
        width: Option<usize>,
        into: Option<Bound<'py, PyAny>>,
        draw: impl FnOnce(&mut schemes::Streams, &mut Work<'_, '_>, &mut [T]) -> Result<()> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Self { scheme, fields, streams, first, label, threads, path } = self;
        let borrowed = fields.get().borrow(py)?;
        let values = fields.get().values(&borrowed).labeled(label.as_deref().map(str::as_bytes));
        let source = Source { scheme: &scheme.get().scheme, fields: &values };
        let shape: Vec<_> = [streams.rounds()].into_iter().chain(width).collect();
        let fill = |out: &mut [T], tick: Tick<'_>| {
            draw(streams, &mut Work { source, path: *path, threads: *threads, tick }, out)
        };
        let drawn = match into {
            Some(array) => fill_array(&array, None, fill).map(|()| array)?,
            None => new_filled(py, &shape, None, fill)?,
        };
        if let (Some(kept), Some(fingerprints)) = (&fields.get().fingerprints, streams.take_fingerprints()) {
            kept.keep(*first, &fingerprints);
        }
        Ok(drawn)
    }
}
