//! Rounds that come twice in a log.
//!
//! What is compared is what is hashed: a row is known by the first bits of its own hash, so that two
//! spellings of one round are the same, whatever the log's columns. Rows are kept as 16 bytes each, in
//! [`Sorted`] parts: 87 bits of the hash, of which nobody finds two alike with fewer than 2^43 of them.

use std::io;

use super::sorted::{Record, Sorted};

/// Bits that tell a row: its place in the log, and whether it failed.
const ROW_BITS: u32 = 40;

/// A row: 64 bits of its fingerprint; 23 more of them, its place in the log, and whether it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
pub struct Row(u64, u64);

impl Row {
    /// The row at a place, by a hash of what is hashed for its round.
    #[inline]
    pub fn new(hash: [u64; 2], place: u64, failed: bool) -> Self {
        debug_assert!(place >> ROW_BITS == 0);
        Self(hash[0], hash[1] >> (ROW_BITS + 1) << (ROW_BITS + 1) | place << 1 | u64::from(failed))
    }

    pub fn fingerprint(self) -> (u64, u64) {
        (self.0, self.1 >> (ROW_BITS + 1))
    }

    pub fn place(self) -> u64 {
        self.1 >> 1 & ((1 << ROW_BITS) - 1)
    }

    fn failed(self) -> bool {
        self.1 & 1 == 1
    }
}

impl Record for Row {
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

/// Where rows are in a log.
#[derive(Clone, Copy, Debug)]
pub enum Places<'a> {
    /// One after another.
    From(u64),
    Each(&'a [i64]),
}

impl Places<'_> {
    #[inline]
    pub fn get(&self, row: usize) -> u64 {
        match self {
            Self::From(first) => first + row as u64,
            Self::Each(places) => places[row] as u64,
        }
    }
}

/// The first of many by their places, as many as are asked for.
#[derive(Debug)]
pub struct First<T> {
    most: usize,
    heap: std::collections::BinaryHeap<(u64, T)>,
}

impl<T: Ord> First<T> {
    pub fn new(most: usize) -> Self {
        Self { most, heap: std::collections::BinaryHeap::new() }
    }

    pub fn push(&mut self, place: u64, what: T) {
        if self.most > 0 {
            self.heap.push((place, what));
            if self.heap.len() > self.most {
                self.heap.pop();
            }
        }
    }

    /// What came with each place, and the place; in the order of places.
    pub fn into_vec(self) -> Vec<(T, u64)> {
        self.heap.into_sorted_vec().into_iter().map(|(place, what)| (what, place)).collect()
    }
}

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// How many rows have the round of an earlier one.
    pub rows: u64,
    /// How many of these hadn't failed.
    pub right: u64,
    /// The earliest row with this round, and the row: the first of these by row, as many as were asked for.
    pub first: Vec<(u64, u64)>,
}

/// The rows of a log so far.
pub type Replays = Sorted<Row>;

impl Replays {
    /// Finds all repeats; `tell` gets each of them, in no order: the earliest row, and the row.
    pub fn find(
        &mut self,
        most: usize,
        threads: Option<usize>,
        mut tell: impl FnMut(u64, u64) + Send,
    ) -> io::Result<Repeats> {
        let mut repeats = Repeats::default();
        let mut first = First::new(most);
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
    use crate::logs::sorted::RECORDS_IN_A_RUN;

    /// A thousand different hashes, some of which come again and again.
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
            [(0, 0), (1, 0), (20_000, usize::MAX), (600_000, 20_000), (600_000, RECORDS_IN_A_RUN)]
        {
            let mut replays = Replays::new(room);
            replays.extend((0..rows).map(|row| Row::new(hash(row), row, row % 3 == 0)));
            let mut told = 0;
            let found = replays.find(1000, None, |earlier, row| {
                assert!(earlier < row);
                told += 1;
            });
            assert_eq!(found.unwrap(), slow(rows));
            assert_eq!(told, slow(rows).rows);
            assert_eq!(replays.kept(), rows);
            // Asked again, and sent elsewhere.
            assert_eq!(replays.find(0, None, |_, _| {}).unwrap().rows, told);
            let mut other = Replays::default();
            other.extend_from_bytes(&replays.to_bytes().unwrap());
            assert_eq!(other.find(1000, None, |_, _| {}).unwrap(), slow(rows));
        }
    }

    #[test]
    fn logs_are_joined_in_their_order() {
        let (mut whole, mut next) = (Replays::new(20_000), Replays::new(20_000));
        whole.extend((0..300_000).map(|row| Row::new(hash(row), row, row % 3 == 0)));
        next.extend((300_000..700_000).map(|row| Row::new(hash(row), row - 300_000, row % 3 == 0)));
        whole.append(&mut next, 300_000).unwrap();
        assert_eq!(whole.find(1000, None, |_, _| {}).unwrap(), slow(700_000));
    }
}
