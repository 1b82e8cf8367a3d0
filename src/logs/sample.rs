//! What is known of some of a log's keys: of those with the smallest fingerprints.
//!
//! Which keys are kept depends on neither the order of rows nor how they are cut, and what is known of a key that
//! is kept is all that there is to know: no part of the log can have dropped it.

use std::collections::HashMap;

/// What is known of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// How many rows have it.
    pub rows: u64,
    /// The first of them, and what came with it.
    pub place: u64,
    pub other: u64,
    /// The first row in which something else came with it.
    pub another: Option<u64>,
}

impl State {
    /// Adds what is known of later rows.
    fn join(&mut self, later: &Self) {
        self.rows += later.rows;
        if self.another.is_none() {
            self.another = if later.other == self.other { later.another } else { Some(later.place) };
        }
    }
}

/// The states of keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    most: usize,
    /// No key above this one is kept.
    limit: u64,
    states: HashMap<u64, State>,
}

impl Sample {
    /// Of this number of keys.
    pub fn new(most: usize) -> Self {
        Self { most, limit: u64::MAX, states: HashMap::new() }
    }

    /// Adds the next rows: their keys, 0 where there is none, and what comes with them. Returns the rows whose
    /// keys are new here.
    pub fn extend(&mut self, rows: impl Iterator<Item = (u64, u64, u64)>) -> Vec<usize> {
        let mut new = Vec::new();
        let mut open: Option<(u64, State)> = None;
        for (row, (key, other, place)) in rows.enumerate() {
            if key == 0 || key > self.limit {
                continue;
            }
            let state = State { rows: 1, place, other, another: None };
            match &mut open {
                Some((last, known)) if *last == key => known.join(&state),
                _ => {
                    if !self.states.contains_key(&key) {
                        new.push(row);
                    }
                    if let Some((last, known)) = open.replace((key, state)) {
                        self.add(last, known);
                    }
                }
            }
        }
        if let Some((key, state)) = open {
            self.add(key, state);
        }
        self.trim(self.most);
        new
    }

    /// Adds the states of later rows.
    pub fn merge(&mut self, later: &Self, rows_before: u64) {
        for (&key, state) in &later.states {
            let another = state.another.map(|place| place + rows_before);
            self.add(key, State { place: state.place + rows_before, another, ..*state });
        }
        self.limit = self.limit.min(later.limit);
        self.states.retain(|&key, _| key <= self.limit);
        self.trim(self.most);
    }

    fn add(&mut self, key: u64, state: State) {
        self.states.entry(key).and_modify(|known| known.join(&state)).or_insert(state);
        if self.states.len() > 2 * self.most {
            self.trim(self.most);
        }
    }

    fn trim(&mut self, most: usize) {
        if self.states.len() > most {
            let mut keys: Vec<_> = self.states.keys().copied().collect();
            let (_, limit, _) = keys.select_nth_unstable(most - 1);
            self.limit = *limit;
            self.states.retain(|&key, _| key <= self.limit);
        }
    }

    /// The states by key, in the order of the keys.
    pub fn states(&self) -> Vec<(u64, State)> {
        let mut states: Vec<_> = self.states.iter().map(|(key, state)| (*key, *state)).collect();
        states.sort_unstable_by_key(|(key, _)| *key);
        states
    }

    /// How many different keys there are, about: exactly, where all are kept.
    pub fn different(&self) -> f64 {
        if self.limit == u64::MAX {
            self.states.len() as f64
        } else {
            (self.most - 1) as f64 / ((self.limit as f64 + 1.0) / 2f64.powi(64))
        }
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// A sample that was sent.
    pub fn of(most: usize, limit: u64, states: impl IntoIterator<Item = (u64, State)>) -> Self {
        Self { most, limit, states: states.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_change_nothing_and_all_is_known_of_those_that_are_kept() {
        let mut state = 5u64;
        let rows: Vec<(u64, u64, u64)> = (0..20_000)
            .map(|place| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let key = (state >> 33) % 3000;
                (key.wrapping_mul(0x9e37_79b9_7f4a_7c15), (state >> 20) % 3 / 2, place)
            })
            .collect();
        let mut whole = Sample::new(100);
        whole.extend(rows.iter().copied());
        assert_eq!(whole.states().len(), 100);
        assert!((2000.0..4000.0).contains(&whole.different()));
        for (key, found) in whole.states() {
            let own: Vec<_> = rows.iter().filter(|row| row.0 == key).collect();
            let another = own.iter().find(|row| row.1 != own[0].1).map(|row| row.2);
            let all = State { rows: own.len() as u64, place: own[0].2, other: own[0].1, another };
            assert_eq!(found, all);
        }
        for cuts in [vec![1], vec![10_000], vec![3, 4, 50, 19_999]] {
            let (mut joined, mut pieces) = (Sample::new(100), Sample::new(100));
            let mut start = 0;
            for end in cuts.into_iter().chain([rows.len()]) {
                let mut part = Sample::new(100);
                part.extend(rows[start..end].iter().map(|row| (row.0, row.1, row.2 - start as u64)));
                joined.merge(&part, start as u64);
                pieces.extend(rows[start..end].iter().copied());
                start = end;
            }
            assert_eq!(joined, whole);
            assert_eq!(pieces, whole);
        }
        let mut few = Sample::new(100);
        assert_eq!(few.extend([(7, 1, 0), (7, 1, 1), (9, 1, 2), (0, 1, 3)].into_iter()), [0, 2]);
        assert_eq!(few.different(), 2.0);
    }
}
