//! A random sample of a log's keys, with complete statistics of each.
//!
//! This is bottom-k sampling (Cohen and Kaplan, "Summarizing data using bottom-k sketches", 2007): each key
//! gets a pseudo-random rank from a seeded hash, and the `most` keys with the lowest ranks are kept. The
//! sample depends neither on the order of rows nor on how a log is split, parts can be merged, and a kept key
//! has been counted in all of its rows. The highest rank kept estimates the number of different keys.

use sha2::{Digest, Sha256};

use super::fingerprints::Fingerprint;
use super::interner::Interner;

/// The statistics of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyState {
    /// The number of rows with the key.
    pub rows: u64,
    /// The first of these rows, and the value in it.
    pub place: u64,
    /// The value in the first row.
    pub other: Fingerprint,
    /// The first row with another value.
    pub another: Option<u64>,
}

impl KeyState {
    /// One row with a value.
    #[cfg(test)]
    fn of((other, place): (Fingerprint, u64)) -> Self {
        Self { rows: 1, place, other, another: None }
    }

    /// Merges the statistics of later rows.
    fn join(&mut self, later: &Self) {
        self.rows += later.rows;
        if self.another.is_none() {
            self.another = if later.other == self.other { later.another } else { Some(later.place) };
        }
    }
}

/// A sample of keys with their statistics.
#[derive(Clone, Debug)]
pub struct Sample {
    most: usize,
    seed: u64,
    /// The coefficients of the rank function a * key + b.
    draw: [u128; 2],
    /// The highest rank kept.
    limit: u64,
    keys: Interner<Fingerprint>,
    /// The statistics, in the order of the keys' numbers.
    states: Vec<KeyState>,
}

impl Sample {
    /// Makes an empty sample of at most `most` keys. Without the seed, nobody can craft keys that are sampled
    /// or avoid it.
    pub fn new(most: usize, seed: u64) -> Self {
        let hash = Sha256::digest(seed.to_be_bytes());
        let draw = std::array::from_fn(|index| u128::from_be_bytes(hash.as_chunks().0[index]));
        Self { most, seed, draw, limit: u64::MAX, keys: Interner::default(), states: Vec::new() }
    }

    /// The rank of a key. Ranks are uniform and pairwise independent, by multiply-shift hashing
    /// (Dietzfelbinger, 1996).
    #[inline]
    fn drawn(&self, key: Fingerprint) -> u64 {
        (self.draw[0].wrapping_mul(u128::from(key[0])).wrapping_add(self.draw[1]) >> 64) as u64
    }

    /// Adds the next rows, or runs of rows with a key (0 for none). Returns those whose keys are new and kept.
    pub fn extend(&mut self, rows: impl Iterator<Item = (Fingerprint, KeyState)>) -> Vec<usize> {
        let mut new = Vec::new();
        for (row, (key, state)) in rows.enumerate() {
            let drawn = self.drawn(key);
            if key != [0; 2] && drawn <= self.limit && self.add(key, state) {
                new.push((row, drawn));
            }
        }
        self.trim();
        new.retain(|(_, drawn)| *drawn <= self.limit);
        new.into_iter().map(|(row, _)| row).collect()
    }

    /// Merges the sample of the next part of the log; `rows_before` precede it.
    pub fn merge(&mut self, later: &Self, rows_before: u64) {
        for (&key, state) in later.keys.keys().iter().zip(&later.states) {
            let another = state.another.map(|place| place + rows_before);
            self.add(key, KeyState { place: state.place + rows_before, another, ..*state });
        }
        self.limit = self.limit.min(later.limit);
        self.drop_others();
        self.trim();
    }

    /// Adds the statistics of later rows; returns whether their key is new.
    fn add(&mut self, key: Fingerprint, state: KeyState) -> bool {
        let number = self.keys.number(key);
        if let Some(known) = self.states.get_mut(number) {
            known.join(&state);
            return false;
        }
        self.states.push(state);
        if self.states.len() > 2 * self.most {
            self.trim();
        }
        true
    }

    fn trim(&mut self) {
        if self.states.len() > self.most {
            let mut drawn: Vec<_> = self.keys.keys().iter().map(|key| self.drawn(*key)).collect();
            let (_, limit, _) = drawn.select_nth_unstable(self.most - 1);
            self.limit = *limit;
            self.drop_others();
        }
    }

    fn drop_others(&mut self) {
        let (keys, states) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.states));
        for (&key, state) in keys.keys().iter().zip(states) {
            if self.drawn(key) <= self.limit {
                self.keys.number(key);
                self.states.push(state);
            }
        }
    }

    /// The statistics by key, in ascending order of keys.
    pub fn states(&self) -> Vec<(Fingerprint, KeyState)> {
        let mut states: Vec<_> = self.keys.keys().iter().copied().zip(self.states.iter().copied()).collect();
        states.sort_unstable_by_key(|(key, _)| *key);
        states
    }

    /// An estimate of the number of different keys, exact if all are kept: (k - 1) / u, where u is the
    /// highest kept rank as a fraction of all.
    pub fn different(&self) -> f64 {
        if self.limit == u64::MAX {
            self.states.len() as f64
        } else {
            (self.most - 1) as f64 / ((self.limit as f64 + 1.0) / 2f64.powi(64))
        }
    }

    /// The parameters of the sample: size, seed and highest rank kept.
    pub fn drawing(&self) -> (usize, u64, u64) {
        (self.most, self.seed, self.limit)
    }

    /// Restores a sample from its parameters and statistics.
    pub fn of(
        (most, seed, limit): (usize, u64, u64),
        states: impl IntoIterator<Item = (Fingerprint, KeyState)>,
    ) -> Self {
        let mut sample = Self { limit, ..Self::new(most, seed) };
        for (key, state) in states {
            sample.add(key, state);
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_change_nothing_and_all_is_known_of_those_that_are_kept() {
        let mut state = 5u64;
        let rows: Vec<(Fingerprint, Fingerprint, u64)> = (0..20_000)
            .map(|place| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let key = (state >> 33) % 3000;
                ([key.wrapping_mul(0x9e37_79b9_7f4a_7c15), 1], [0, (state >> 20) % 3 / 2], place)
            })
            .collect();
        let mut whole = Sample::new(100, 7);
        let states = |rows: &[(Fingerprint, Fingerprint, u64)]| -> Vec<_> {
            rows.iter().map(|row| (row.0, KeyState::of((row.1, row.2)))).collect()
        };
        whole.extend(states(&rows).into_iter());
        assert_eq!(whole.states().len(), 100);
        assert!((2000.0..4000.0).contains(&whole.different()));
        for (key, found) in whole.states() {
            let own: Vec<_> = rows.iter().filter(|row| row.0 == key).collect();
            let another = own.iter().find(|row| row.1 != own[0].1).map(|row| row.2);
            let all = KeyState { rows: own.len() as u64, place: own[0].2, other: own[0].1, another };
            assert_eq!(found, all);
        }
        for cuts in [vec![1], vec![10_000], vec![3, 4, 50, 19_999]] {
            let (mut joined, mut pieces) = (Sample::new(100, 7), Sample::new(100, 7));
            let mut start = 0;
            for end in cuts.into_iter().chain([rows.len()]) {
                let mut part = Sample::new(100, 7);
                let moved: Vec<_> =
                    rows[start..end].iter().map(|row| (row.0, row.1, row.2 - start as u64)).collect();
                part.extend(states(&moved).into_iter());
                joined.merge(&part, start as u64);
                pieces.extend(states(&rows[start..end]).into_iter());
                start = end;
            }
            for sample in [joined, pieces] {
                assert_eq!((sample.drawing(), sample.states()), (whole.drawing(), whole.states()));
            }
        }
        let mut few = Sample::new(100, 7);
        assert_eq!(
            few.extend(
                [(7, 0), (7, 1), (9, 2), (0, 3)]
                    .map(|(key, place)| ([key; 2], KeyState::of(([1; 2], place))))
                    .into_iter()
            ),
            [0, 2]
        );
        assert_eq!(few.different(), 2.0);
        // Rows with the same values one by one, and as runs.
        let of_run = |rows, place| ([7; 2], KeyState { rows, ..KeyState::of(([1; 2], place)) });
        few.extend([of_run(3, 4), of_run(2, 9)].into_iter());
        let mut alone = Sample::new(100, 7);
        alone.extend([0, 1, 4, 5, 6, 9, 10].map(|place| of_run(1, place)).into_iter());
        assert_eq!(few.states()[0], alone.states()[0]);
    }
}
