//! Rows of a log that an audit keeps until its end: runs, pairs, replays and samples.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};

use super::audit::{Fingerprints, fields_of, joined};
use super::verify::Verdicts;
use crate::error::Error;
use crate::logs::fingerprints::Fingerprint;
use crate::logs::row_sets::RowSets;
use crate::logs::{listings, pairs, replays, runs, sample};
use crate::parallel::lock;
use crate::python::convert::arrays::{Array, contiguous};

/// Pairs of an earlier row and a later row.
type RowPairs = Vec<(u64, u64)>;

/// A key with its statistics: the key, its number of rows, its first row, the value there, and the first row
/// with another value. Keys and values are 128-bit whole numbers.
type KnownKey = (u128, u64, u64, u128, Option<u64>);

/// The error of a temporary file that can't be read back.
fn lost(error: std::io::Error) -> PyErr {
    PyOSError::new_err(format!("the temporary file of the log's rows can't be read: {error}"))
}

/// Defines a class around kept rows. `made_of` are the arguments that create an empty object.
macro_rules! kept {
    ($(#[$about:meta])* $name:ident($all:ty), $made_of:ident: $arguments:ty = $of:expr, { $($own:item)* }) => {
        $(#[$about])*
        #[pyclass(frozen, module = "provably_fair._engine")]
        pub struct $name(Mutex<$all>);

        impl $name {
            pub fn lock(&self) -> MutexGuard<'_, $all> {
                lock(&self.0)
            }
        }

        #[pymethods]
        impl $name {
            /// Supports pickling.
            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, $arguments, Bound<'py, PyBytes>>> {
                let $made_of = &mut *slf.get().lock();
                let bytes = $made_of.to_bytes().map_err(lost)?;
                Ok((slf.get_type(), $of, PyBytes::new(slf.py(), &bytes)))
            }

            fn __setstate__(&self, bytes: &[u8]) {
                self.lock().extend_from_bytes(bytes);
            }

            /// The number of rows dropped for lack of space.
            #[getter]
            fn lost(&self) -> u64 {
                self.lock().lost()
            }

            /// Appends the rows kept of the next part of the log; `rows` precede it.
            fn append(&self, other: &Self, rows: u64) -> PyResult<()> {
                if std::ptr::eq(self, other) {
                    return Err(Error::value("other", "must be another object than this one").into());
                }
                self.lock().append(&mut other.lock(), rows).map_err(lost)
            }

            $($own)*
        }
    };
}

/// The state of a pickled object: its class, the arguments of its constructor, and its contents.
type Pickled<'py, T, U> = (Bound<'py, PyType>, T, U);

/// Sets of rows with the same cells, as `row_sets` finds them.
#[derive(FromPyObject)]
pub struct GivenSets<'py> {
    firsts: PyReadonlyArray1<'py, i64>,
    which: Option<PyReadonlyArray1<'py, u32>>,
}

/// Sets of as many `rows`; each row is a set by itself without `given`.
fn sets_of(given: Option<&GivenSets<'_>>, rows: usize) -> PyResult<RowSets> {
    let Some(given) = given else { return Ok(RowSets { firsts: (0..rows).collect(), which: None }) };
    let firsts: Vec<usize> = given.firsts.as_array().iter().map(|&row| row as usize).collect();
    let which: Option<Vec<u32>> = given.which.as_ref().map(|which| contiguous(which).into_owned());
    let start = firsts.first().is_none_or(|&first| first == 0);
    let fit = start && firsts.is_sorted() && firsts.last().is_none_or(|&last| last < rows);
    let each = which
        .as_ref()
        .is_none_or(|which| which.len() == rows && which.iter().all(|&set| (set as usize) < firsts.len()));
    if !(fit && each) {
        return Err(Error::value("sets", "must be of these rows").into());
    }
    Ok(RowSets { firsts, which })
}

/// Rows with a key and a number. The key combines these fingerprints, of which there is one for each of the
/// `sets`; `there` masks the rows that count, and where several spellings mean the same, `spelled` has the
/// fingerprints of the texts as written.
#[derive(FromPyObject)]
pub struct NumberedRows<'py> {
    keys: Vec<Fingerprints<'py>>,
    sets: Option<GivenSets<'py>>,
    spelled: Option<Vec<Fingerprints<'py>>>,
    numbers: PyReadonlyArray1<'py, i64>,
    places: PyReadonlyArray1<'py, i64>,
    there: PyReadonlyArray1<'py, bool>,
    times: Option<PyReadonlyArray1<'py, i64>>,
}

kept! {
    /// Rows with a number, kept by key. Consecutive numbers are merged into one run, as are repeated ones if
    /// `may_stay`.
    Runs(runs::Runs), all: (bool,) = (all.may_stay,), {
        /// Creates an empty object for this number of runs in memory.
        #[new]
        #[pyo3(signature = (may_stay, most_in_memory=None))]
        fn new(may_stay: bool, most_in_memory: Option<usize>) -> Self {
            Self(Mutex::new(runs::Runs::new(may_stay, most_in_memory)))
        }

        /// Adds the rows that `there` masks.
        fn extend(&self, py: Python<'_>, rows: NumberedRows<'_>) -> PyResult<()> {
            let NumberedRows { keys, sets, spelled, numbers, places, there, times } = rows;
            let (numbers, places, there) = (contiguous(&numbers), contiguous(&places), contiguous(&there));
            let times = times.as_ref().map(contiguous);
            let rows = numbers.len();
            let sets = sets_of(sets.as_ref(), rows)?;
            let keys = joined(py, &keys, sets.firsts.len())?;
            let spelled =
                spelled.as_ref().map(|spelled| joined(py, spelled, sets.firsts.len())).transpose()?;
            let timed = times.as_ref().is_none_or(|times| times.len() == rows);
            if places.len() != rows || there.len() != rows || !timed {
                return Err(Error::value("numbers", "must be one per place").into());
            }
            let all_rows = runs::NumberedRows {
                numbers: &numbers,
                places: &places,
                there: &there,
                times: times.as_deref(),
            };
            py.detach(|| {
                let mut all = self.lock();
                let spelled = |set| spelled.as_ref().map_or(keys.at(set), |spelled| spelled.at(set));
                sets.each_run(rows, |set, some| match some.len() {
                    1 if !there[some.start] => {}
                    1 => {
                        let Range { start: row, .. } = some;
                        let (time, place) = (all_rows.time(row), places[row] as u64);
                        all.push(keys.at(set), spelled(set), numbers[row], time, place);
                    }
                    _ => all.extend(keys.at(set), spelled(set), &all_rows.some(some)),
                });
            });
            Ok(())
        }

        /// Examines the numbers of each key; lists at most `most` rows of each kind. Times closer than
        /// `apart` are considered simultaneous.
        #[pyo3(signature = (most, threads, apart=1))]
        fn numbers<'py>(
            &self,
            py: Python<'py>,
            most: usize,
            threads: Option<usize>,
            apart: i64,
        ) -> PyResult<Bound<'py, PyDict>> {
            let found = py.detach(|| self.lock().numbers(most, threads, apart)).map_err(lost)?;
            let dict = PyDict::new(py);
            macro_rules! set {
                ($($name:ident),*) => {{ $(dict.set_item(stringify!($name), found.$name)?;)* }};
            }
            set!(missing, gaps, again, returned, times_reversed, turned, scattered);
            set!(after_gaps, restarts, returns, before_their_time, turns);
            Ok(dict)
        }
    }
}

kept! {
    /// Rows with a key and a value, to find keys with conflicting values.
    Pairs(pairs::Pairs), all: () = (), {
        /// Creates an empty object for this number of pairs in memory.
        #[new]
        #[pyo3(signature = (most_in_memory=None))]
        fn new(most_in_memory: Option<usize>) -> Self {
            Self(Mutex::new(most_in_memory.map_or_else(pairs::Pairs::default, pairs::Pairs::new)))
        }

        /// Adds the rows of the sets that have both a key and a value, each a combination of several fingerprints;
        /// without `sets`, each row is one.
        #[pyo3(signature = (keys, values, places, there, sets=None))]
        fn extend(
            &self,
            py: Python<'_>,
            keys: Vec<Fingerprints<'_>>,
            values: Vec<Fingerprints<'_>>,
            places: PyReadonlyArray1<'_, i64>,
            there: PyReadonlyArray1<'_, bool>,
            sets: Option<GivenSets<'_>>,
        ) -> PyResult<()> {
            let (places, there) = (contiguous(&places), contiguous(&there));
            let sets = sets_of(sets.as_ref(), places.len())?;
            let count = sets.firsts.len();
            let (keys, values) = (joined(py, &keys, count)?, joined(py, &values, count)?);
            if there.len() != count {
                return Err(Error::value("there", "must be one per key").into());
            }
            py.detach(|| {
                let mut all = self.lock();
                sets.each_run(places.len(), |set, rows| {
                    let places = &places[rows];
                    let near = places.chunk_by(|one, next| next - one == 1);
                    for near in near.flat_map(|near| near.chunks(1 << 16)) {
                        if there[set] {
                            all.add(keys.at(set), values.at(set), near[0] as u64, near.len() as u64);
                        }
                    }
                });
            });
            Ok(())
        }

        /// The same rows with keys and values swapped.
        fn turned(&self, py: Python<'_>) -> PyResult<Self> {
            let turned = py.detach(|| self.lock().turned()).map_err(lost)?;
            Ok(Self(Mutex::new(turned)))
        }

        /// Finds the keys with conflicting values. Returns their number, the number of rows with another
        /// value than the first row of their key, and the first of these rows, each after the first row of
        /// its key.
        fn several(
            &self,
            py: Python<'_>,
            most: usize,
            threads: Option<usize>,
        ) -> PyResult<(u64, u64, RowPairs)> {
            let found = py.detach(|| self.lock().several(most, threads)).map_err(lost)?;
            Ok((found.keys, found.rows, found.first))
        }
    }
}

kept! {
    /// The rounds of a log so far, to find those that occur twice.
    Replays(replays::Replays), all: () = (), {
        /// Creates an empty object for this number of rows in memory.
        #[new]
        #[pyo3(signature = (most_in_memory=None))]
        fn new(most_in_memory: Option<usize>) -> Self {
            Self(Mutex::new(most_in_memory.map_or_else(replays::Replays::default, replays::Replays::new)))
        }

        /// The number of rows kept.
        #[getter]
        fn compared(&self) -> u64 {
            self.lock().kept()
        }

        /// Takes the rounds of verified rows, which can be taken once only.
        fn keep(&self, py: Python<'_>, verdicts: &Verdicts) {
            let rounds = verdicts.take_rounds();
            py.detach(|| self.lock().extend(rounds));
        }

        /// Finds repeated rounds. Returns the number of rows that repeat an earlier round; how many of these
        /// hadn't failed; the `first` ones of them; and, if `every`, all of them, in no particular order. A
        /// repeat is a pair of the earlier and the repeating row.
        fn find(
            &self,
            py: Python<'_>,
            first: usize,
            every: bool,
            threads: Option<usize>,
        ) -> PyResult<(u64, u64, RowPairs, RowPairs)> {
            let mut all = Vec::new();
            let found = py.detach(|| {
                self.lock().find(first, threads, |earlier, row| {
                    if every {
                        all.push((earlier, row));
                    }
                })
            });
            let repeats = found.map_err(lost)?;
            Ok((repeats.rows, repeats.right, repeats.first, all))
        }
    }
}

kept! {
    /// The rows of a log so far, to find bets that are listed twice.
    Listings(listings::Listings), all: () = (), {
        #[new]
        fn new() -> Self {
            Self(Mutex::default())
        }

        /// Adds rows: the fingerprints of fields that rarely change and of those that often do, words of others that
        /// do, and the times; the smallest int64 means no time.
        fn extend(
            &self,
            py: Python<'_>,
            steady: Vec<Fingerprints<'_>>,
            often: Vec<Fingerprints<'_>>,
            words: Vec<PyReadonlyArray1<'_, u64>>,
            places: PyReadonlyArray1<'_, i64>,
            times: PyReadonlyArray1<'_, i64>,
        ) -> PyResult<()> {
            let (places, times) = (contiguous(&places), contiguous(&times));
            let words: Vec<_> = words.iter().map(contiguous).collect();
            if times.len() != places.len() || words.iter().any(|words| words.len() != places.len()) {
                return Err(Error::value("times", "must be one per place, and so must words").into());
            }
            let (steady, often) = (fields_of(&steady, places.len())?, fields_of(&often, places.len())?);
            py.detach(|| self.lock().extend(&steady, &often, &words, &places, &times));
            Ok(())
        }

        /// Pairs of rows, the first and its repetition; how many repetitions have the same time; and how many other
        /// rows have none.
        fn twice(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<(RowPairs, u64, u64)> {
            let found = py.detach(|| self.lock().twice(threads)).map_err(lost)?;
            Ok((found.pairs, found.timed, found.untimed))
        }
    }
}

/// A sample of a log's keys, drawn by a seed, with statistics: the number of rows with the key, the first one
/// and the value in it, and the first row with another value.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Sample(Mutex<sample::Sample>);

fn as_number([high, low]: Fingerprint) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

fn as_fingerprint(number: u128) -> Fingerprint {
    [(number >> 64) as u64, number as u64]
}

#[pymethods]
impl Sample {
    #[new]
    fn new(most: usize, seed: u64) -> Self {
        Self(Mutex::new(sample::Sample::new(most, seed)))
    }

    /// Supports pickling: the size and the seed, then the highest rank kept and the statistics.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Pickled<'py, (usize, u64), (u64, Vec<KnownKey>)> {
        let (most, seed, limit) = lock(&slf.get().0).drawing();
        (slf.get_type(), (most, seed), (limit, slf.get().states()))
    }

    fn __setstate__(&self, state: (u64, Vec<KnownKey>)) {
        let mut all = lock(&self.0);
        let ((most, seed, _), (limit, states)) = (all.drawing(), state);
        let states = states.into_iter().map(|(key, rows, place, other, another)| {
            (as_fingerprint(key), sample::KeyState { rows, place, other: as_fingerprint(other), another })
        });
        *all = sample::Sample::of((most, seed, limit), states);
    }

    /// Adds rows, or runs of as many rows with a key as `counts` says; those without a key are skipped. Returns
    /// the rows whose keys are new and kept. `others` are the values, one per run.
    #[pyo3(signature = (keys, places, others=None, counts=None))]
    fn extend(
        &self,
        py: Python<'_>,
        keys: Fingerprints<'_>,
        places: PyReadonlyArray1<'_, i64>,
        others: Option<Fingerprints<'_>>,
        counts: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Array<i64>> {
        let (places, counts) = (contiguous(&places), counts.as_ref().map(contiguous));
        if counts.as_ref().is_some_and(|counts| counts.len() != places.len()) {
            return Err(Error::value("counts", "must be one per place").into());
        }
        let (keys, others) = ([keys], others.map(|others| [others]));
        let keys = joined(py, &keys, places.len())?;
        let others = others.as_ref().map(|others| joined(py, others, places.len())).transpose()?;
        let other = |row: usize| others.as_ref().map_or([0; 2], |others| others.at(row));
        let state = |(row, &place): (usize, &i64)| {
            let rows = counts.as_ref().map_or(1, |counts| counts[row] as u64);
            (keys.at(row), sample::KeyState { rows, place: place as u64, other: other(row), another: None })
        };
        let new = py.detach(|| lock(&self.0).extend(places.iter().enumerate().map(state)));
        Ok(Array::of_indices(new))
    }

    /// Merges the sample of the next part of the log; `rows` precede it.
    fn append(&self, later: &Self, rows: u64) {
        let later = lock(&later.0).clone();
        lock(&self.0).merge(&later, rows);
    }

    /// The sampled keys with their statistics, in ascending order.
    fn states(&self) -> Vec<KnownKey> {
        let known = |(key, state): (Fingerprint, sample::KeyState)| {
            (as_number(key), state.rows, state.place, as_number(state.other), state.another)
        };
        lock(&self.0).states().into_iter().map(known).collect()
    }

    /// An estimate of the number of different keys, exact if all are kept.
    #[getter]
    fn different(&self) -> f64 {
        lock(&self.0).different()
    }
}
