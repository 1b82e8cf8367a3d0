//! Rounds that occur twice in a log.
//!
//! Rows are compared by a hash of the round's own input, so two notations of the same round are equal,
//! whatever the columns. A row takes 16 bytes in [`Sorted`] storage, 87 bits of which are from the hash: a
//! collision takes 2^43 rows.

use std::io;

use super::findings::Findings;
use super::sorted::{Sortable, Sorted};

/// The number of low bits that hold a row's position and whether it failed.
const ROW_BITS: u32 = 40;

/// A row: 64 bits of its fingerprint, then 23 more, its position, and whether it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
pub struct RowDigest(u64, u64);

impl RowDigest {
    /// The row at a position, given a hash of its round's input.
    #[inline]
    pub fn new(hash: [u64; 2], place: u64, failed: bool) -> Self {
        debug_assert!(place >> ROW_BITS == 0);
        Self(hash[0], hash[1] >> (ROW_BITS + 1) << (ROW_BITS + 1) | place << 1 | u64::from(failed))
    }

    /// The bits of the hash that are kept.
    pub fn fingerprint(self) -> (u64, u64) {
        (self.0, self.1 >> (ROW_BITS + 1))
    }

    /// The position in the log.
    pub fn place(self) -> u64 {
        self.1 >> 1 & ((1 << ROW_BITS) - 1)
    }

    fn failed(self) -> bool {
        self.1 & 1 == 1
    }
}

impl Sortable for RowDigest {
    const BYTES: usize = 16;

    fn key(&self) -> u64 {
        self.0
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend((u128::from(self.0) << 64 | u128::from(self.1)).to_be_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let both = bytes.iter().fold(0, |both, &byte| both << 8 | u128::from(byte));
        Self((both >> 64) as u64, both as u64)
    }

    fn moved(self, rows: u64) -> Self {
        Self(self.0, self.1 + (rows << 1))
    }
}

/// The positions of rows in a log.
#[derive(Clone, Copy, Debug)]
pub enum RowPlaces<'a> {
    /// Consecutive positions from this one on.
    From(u64),
    /// The position of each row.
    Each(&'a [i64]),
}

impl RowPlaces<'_> {
    /// The position of a row.
    #[inline]
    pub fn get(&self, row: usize) -> u64 {
        match self {
            Self::From(first) => first + row as u64,
            Self::Each(places) => places[row] as u64,
        }
    }
}

/// The findings, and the rows among which repeated rounds are found.
pub type Verified = (Findings, Vec<RowDigest>);

/// Keeps the `most` entries with the lowest positions.
#[derive(Debug)]
pub struct Earliest<T> {
    most: usize,
    heap: std::collections::BinaryHeap<(u64, T)>,
}

impl<T: Ord> Earliest<T> {
    /// Keeps at most `most` entries.
    pub fn new(most: usize) -> Self {
        Self { most, heap: std::collections::BinaryHeap::new() }
    }

    /// Adds an entry at a position.
    pub fn push(&mut self, place: u64, what: T) {
        if self.most > 0 {
            self.heap.push((place, what));
            if self.heap.len() > self.most {
                self.heap.pop();
            }
        }
    }

    /// The entries with their positions, in ascending order.
    pub fn into_vec(self) -> Vec<(T, u64)> {
        self.heap.into_sorted_vec().into_iter().map(|(place, what)| (what, place)).collect()
    }
}

/// The repeated rounds of a log.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// The number of rows that repeat an earlier row's round.
    pub rows: u64,
    /// The number of these rows that hadn't failed.
    pub right: u64,
    /// The first repeats, each as the earliest row of the round and the repeating row.
    pub first: Vec<(u64, u64)>,
}

/// The rows of a log so far.
pub type Replays = Sorted<RowDigest>;

impl Replays {
    /// Finds all repeats, and lists the `most` first ones. `tell` receives each one, in no particular order,
    /// as the earliest row and the repeating row.
    pub fn find(
        &mut self,
        most: usize,
        threads: Option<usize>,
        mut tell: impl FnMut(u64, u64) + Send,
    ) -> io::Result<Repeats> {
        let mut repeats = Repeats::default();
        let mut first = Earliest::new(most);
        self.each_repeated(threads, |rows| {
            for same in rows.chunk_by(|one, next| one.fingerprint() == next.fingerprint()) {
                let earliest = same[0].place();
                for row in &same[1..] {
                    repeats.rows += 1;
                    repeats.right += u64::from(!row.failed());
                    tell(earliest, row.place());
                    first.push(row.place(), earliest);
                }
            }
        })?;
        repeats.first = first.into_vec();
        Ok(repeats)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::logs::sorted::RECORDS_PER_BATCH;

    /// One of a thousand different hashes, which recur.
    fn hash(row: u64) -> [u64; 2] {
        let mut word = (row * row) % 9973;
        let mut next = || {
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            word ^ word >> 31
        };
        [next(), next()]
    }

    fn slow(rows: u64) -> Repeats {
        let mut first = HashMap::new();
        let mut repeats = Repeats::default();
        for row in 0..rows {
            let earlier = *first.entry(hash(row)).or_insert(row);
            if earlier != row {
                repeats.rows += 1;
                repeats.right += u64::from(row % 3 != 0);
                if repeats.first.len() < 1000 {
                    repeats.first.push((earlier, row));
                }
            }
        }
        repeats
    }

    #[test]
    fn repeats_are_those_of_a_table_of_all_rows() {
        for (rows, room) in
            [(0, 0), (1, 0), (20_000, usize::MAX), (600_000, 20_000), (600_000, RECORDS_PER_BATCH)]
        {
            let mut replays = Replays::new(room);
            replays.extend((0..rows).map(|row| RowDigest::new(hash(row), row, row % 3 == 0)));
            let mut told = 0;
            let found = replays.find(1000, None, |earlier, row| {
                assert!(earlier < row);
                told += 1;
            });
            assert_eq!(found.unwrap(), slow(rows));
            assert_eq!(told, slow(rows).rows);
            assert_eq!(replays.kept(), rows);
            // The rows can be searched again, and restored from bytes.
            assert_eq!(replays.find(0, None, |_, _| {}).unwrap().rows, told);
            let mut other = Replays::default();
            other.extend_from_bytes(&replays.to_bytes().unwrap());
            assert_eq!(other.find(1000, None, |_, _| {}).unwrap(), slow(rows));
        }
    }

    #[test]
    fn logs_are_joined_in_their_order() {
        let (mut whole, mut next) = (Replays::new(20_000), Replays::new(20_000));
        whole.extend((0..300_000).map(|row| RowDigest::new(hash(row), row, row % 3 == 0)));
        next.extend((300_000..700_000).map(|row| RowDigest::new(hash(row), row - 300_000, row % 3 == 0)));
        whole.append(&mut next, 300_000).unwrap();
        assert_eq!(whole.find(1000, None, |_, _| {}).unwrap(), slow(700_000));
    }
}
