//! Rows of a log that are kept, to be looked through together at its end.

use std::sync::{Mutex, MutexGuard};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};

use super::arrays::contiguous;
use super::audit::{Fingerprints, joined};
use super::verify::Verdicts;
use crate::error::Error;
use crate::logs::fingerprints::Fingerprint;
use crate::logs::{listings, pairs, replays, runs, sample};
use crate::parallel::lock;

/// Earlier rows and rows.
type RowPairs = Vec<(u64, u64)>;

/// A key and what is known of it; keys and what comes with them are whole numbers of 128 bits.
type Known = (u128, u64, u64, u128, Option<u64>);

/// A file of rows that can't be read again.
fn lost(error: std::io::Error) -> PyErr {
    PyOSError::new_err(format!("the rows kept of a log can't be read: {error}"))
}

/// A class of kept rows. `made_of` are the arguments that make it empty again.
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
            /// What is sent elsewhere.
            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, $arguments, Bound<'py, PyBytes>>> {
                let $made_of = &mut *slf.get().lock();
                let bytes = $made_of.to_bytes().map_err(lost)?;
                Ok((slf.get_type(), $of, PyBytes::new(slf.py(), &bytes)))
            }

            fn __setstate__(&self, bytes: &[u8]) {
                self.lock().extend_from_bytes(bytes);
            }

            /// How many rows aren't kept, since there was no room for them.
            #[getter]
            fn lost(&self) -> u64 {
                self.lock().lost()
            }

            /// Adds those of the part of a log that follows these rows.
            fn append(&self, other: &Self, rows: u64) -> PyResult<()> {
                if std::ptr::eq(self, other) {
                    return Err(Error::value("other", "must be other rows than these").into());
                }
                self.lock().append(&mut other.lock(), rows).map_err(lost)
            }

            $($own)*
        }
    };
}

/// A class, what an empty object of it is made of, and what is in it.
type Reduced<'py, T, U> = (Bound<'py, PyType>, T, U);

/// Rows with a number: their keys are what these fingerprints are together, and `there` says which rows count. Where
/// texts mean the same in several spellings, `spelled` are the fingerprints of the texts as they are.
#[derive(FromPyObject)]
pub struct NumberedRows<'py> {
    keys: Vec<Fingerprints<'py>>,
    spelled: Option<Vec<Fingerprints<'py>>>,
    numbers: PyReadonlyArray1<'py, i64>,
    places: PyReadonlyArray1<'py, i64>,
    there: PyReadonlyArray1<'py, bool>,
    times: Option<PyReadonlyArray1<'py, i64>>,
}

kept! {
    /// Rows with a key and a number, kept by the key. Those whose numbers go on one by one, or stay where they may,
    /// are one run.
    Runs(runs::Runs), all: (bool,) = (all.may_stay,), {
        /// With room for this number of runs in memory.
        #[new]
        #[pyo3(signature = (may_stay, most_in_memory=None))]
        fn new(may_stay: bool, most_in_memory: Option<usize>) -> Self {
            Self(Mutex::new(runs::Runs::new(may_stay, most_in_memory)))
        }

        /// Adds rows where they are there.
        fn extend(&self, py: Python<'_>, rows: NumberedRows<'_>) -> PyResult<()> {
            let NumberedRows { keys, spelled, numbers, places, there, times } = rows;
            let (numbers, places, there) = (numbers.as_array(), places.as_array(), there.as_array());
            let times = times.as_ref().map(|times| times.as_array());
            let rows = numbers.len();
            let keys = joined(py, &keys, rows)?;
            let spelled = spelled.as_ref().map(|spelled| joined(py, spelled, rows)).transpose()?;
            if places.len() != rows || there.len() != rows || times.is_some_and(|times| times.len() != rows) {
                return Err(Error::value("numbers", "must be as many as places").into());
            }
            py.detach(|| {
                let mut all = self.lock();
                for row in (0..rows).filter(|&row| there[row]) {
                    let key = keys.at(row);
                    let time = times.map_or(runs::NEVER, |times| times[row]);
                    let spelled = spelled.as_ref().map_or(key, |spelled| spelled.at(row));
                    all.push(key, spelled, numbers[row], time, places[row] as u64);
                }
            });
            Ok(())
        }

        /// Looks through the numbers of each key; `most` rows are named of each kind. Times that are less than `apart`
        /// from each other are in no order.
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
    /// Rows with a key and a value, to find keys that come with several values.
    Pairs(pairs::Pairs), all: () = (), {
        /// With room for this number of pairs in memory.
        #[new]
        #[pyo3(signature = (most_in_memory=None))]
        fn new(most_in_memory: Option<usize>) -> Self {
            Self(Mutex::new(most_in_memory.map_or_else(pairs::Pairs::default, pairs::Pairs::new)))
        }

        /// Adds rows where there are both: keys and values are what these fingerprints are together.
        fn extend(
            &self,
            py: Python<'_>,
            keys: Vec<Fingerprints<'_>>,
            values: Vec<Fingerprints<'_>>,
            places: PyReadonlyArray1<'_, i64>,
            there: PyReadonlyArray1<'_, bool>,
        ) -> PyResult<()> {
            let (places, there) = (contiguous(&places), contiguous(&there));
            let (keys, values) = (joined(py, &keys, places.len())?, joined(py, &values, places.len())?);
            let rows = rows_of(&places, &there)?;
            py.detach(|| {
                let mut all = self.lock();
                rows.for_each(|(row, place)| all.add(keys.at(row), values.at(row), place));
            });
            Ok(())
        }

        /// The same rows with their values for keys.
        fn turned(&self, py: Python<'_>) -> PyResult<Self> {
            let turned = py.detach(|| self.lock().turned()).map_err(lost)?;
            Ok(Self(Mutex::new(turned)))
        }

        /// Looks for keys with several values: how many keys, how many rows have another value than their key's
        /// first, and the first of these with an earlier one.
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
    /// The rounds of a log so far, to find those that come twice.
    Replays(replays::Replays), all: () = (), {
        /// With room for this number of rows in memory.
        #[new]
        #[pyo3(signature = (most_in_memory=None))]
        fn new(most_in_memory: Option<usize>) -> Self {
            Self(Mutex::new(most_in_memory.map_or_else(replays::Replays::default, replays::Replays::new)))
        }

        /// How many rows are compared.
        #[getter]
        fn compared(&self) -> u64 {
            self.lock().kept()
        }

        /// Keeps the rounds of verified rows, once.
        fn keep(&self, py: Python<'_>, verdicts: &Verdicts) {
            let rounds = verdicts.take_rounds();
            py.detach(|| self.lock().extend(rounds));
        }

        /// How many rows repeat the round of an earlier one; how many of these hadn't failed; the first of
        /// these by row, as many as asked for, and all in no order if asked for: earlier row, row.
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

        /// Adds rows: the fingerprints of all but their times, and their times, the lowest number where there is none.
        fn extend(
            &self,
            py: Python<'_>,
            fingerprints: Vec<Fingerprints<'_>>,
            places: PyReadonlyArray1<'_, i64>,
            times: PyReadonlyArray1<'_, i64>,
        ) -> PyResult<()> {
            let (places, times) = (contiguous(&places), contiguous(&times));
            if times.len() != places.len() {
                return Err(Error::value("times", "must be as many as places").into());
            }
            let all = joined(py, &fingerprints, places.len())?;
            let rows = places.iter().zip(&*times).enumerate();
            let rows =
                rows.map(|(row, (&place, &time))| listings::Listing::new(all.at(row), place as u64, time));
            py.detach(|| self.lock().extend(rows));
            Ok(())
        }

        /// Rows that are listed again, each behind the first with the same; how many of these have the same time, and
        /// how many rows of the others have none.
        fn twice(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<(RowPairs, u64, u64)> {
            let found = py.detach(|| self.lock().twice(threads)).map_err(lost)?;
            Ok((found.pairs, found.timed, found.untimed))
        }
    }
}

/// The rows where there is something, and their places in the log.
fn rows_of<'a>(places: &'a [i64], there: &'a [bool]) -> PyResult<impl Iterator<Item = (usize, u64)> + 'a> {
    if there.len() != places.len() {
        return Err(Error::value("there", "must be as many as places").into());
    }
    let rows = places.iter().zip(there).enumerate();
    Ok(rows.filter(|(_, (_, there))| **there).map(|(row, (place, _))| (row, *place as u64)))
}

/// What is known of some of a log's keys, those that a seed draws: how many rows have them, the first row and what
/// came with it, and the first row with which something else came.
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

    /// What is sent elsewhere: how many keys and the seed; how much a key that is kept draws, and the states.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (usize, u64), (u64, Vec<Known>)> {
        let (most, seed, limit) = lock(&slf.get().0).drawing();
        (slf.get_type(), (most, seed), (limit, slf.get().states()))
    }

    fn __setstate__(&self, state: (u64, Vec<Known>)) {
        let mut all = lock(&self.0);
        let ((most, seed, _), (limit, states)) = (all.drawing(), state);
        let states = states.into_iter().map(|(key, rows, place, other, another)| {
            (as_fingerprint(key), sample::State { rows, place, other: as_fingerprint(other), another })
        });
        *all = sample::Sample::of((most, seed, limit), states);
    }

    /// Adds rows where there is a key, and returns those whose keys are new and kept; `others` come with the keys.
    #[pyo3(signature = (keys, places, others=None))]
    fn extend<'py>(
        &self,
        py: Python<'py>,
        keys: Fingerprints<'_>,
        places: PyReadonlyArray1<'_, i64>,
        others: Option<Fingerprints<'_>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let places = contiguous(&places);
        let (keys, others) = ([keys], others.map(|others| [others]));
        let keys = joined(py, &keys, places.len())?;
        let others = others.as_ref().map(|others| joined(py, others, places.len())).transpose()?;
        let other = |row: usize| others.as_ref().map_or([0; 2], |others| others.at(row));
        let rows = places.iter().enumerate().map(|(row, &place)| (keys.at(row), other(row), place as u64));
        let new = py.detach(|| lock(&self.0).extend(rows));
        Ok(PyArray1::from_iter(py, new.into_iter().map(|row| row as i64)))
    }

    /// Adds what is known of the rows that follow.
    fn append(&self, later: &Self, rows: u64) {
        let later = lock(&later.0).clone();
        lock(&self.0).merge(&later, rows);
    }

    /// Keys, how many rows have each, the first row, what came with it, the first row with something else.
    fn states(&self) -> Vec<Known> {
        let known = |(key, state): (Fingerprint, sample::State)| {
            (as_number(key), state.rows, state.place, as_number(state.other), state.another)
        };
        lock(&self.0).states().into_iter().map(known).collect()
    }

    /// How many different keys there are, about: exactly, where all are kept.
    #[getter]
    fn different(&self) -> f64 {
        lock(&self.0).different()
    }
}
