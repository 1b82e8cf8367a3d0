//! Bets that a log lists twice, as in overlapping exports.
//!
//! Rows are compared by a hash of all cells except the time, and by the time. A row without a time may have had any,
//! so it counts as a repetition of another row with the same cells, once.

use std::collections::HashMap;
use std::io;

use super::replays::RowDigest;
use super::runs::NEVER;
use super::sorted::{Sortable, Sorted};

/// A row, known by a hash of all its cells except the time, with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listing(RowDigest, i64);

impl Listing {
    /// The row at a position, given a hash of all its cells except the time.
    #[inline]
    pub fn new(hash: [u64; 2], place: u64, time: i64) -> Self {
        Self(RowDigest::new(hash, place, false), time)
    }
}

impl Sortable for Listing {
    const BYTES: usize = RowDigest::BYTES + size_of::<i64>();

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
        bytes.extend(self.1.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (row, time) = bytes.split_at(RowDigest::BYTES);
        Self(RowDigest::read(row), i64::from_le_bytes(time.as_chunks().0[0]))
    }

    fn moved(self, rows: u64) -> Self {
        Self(self.0.moved(rows), self.1)
    }
}

/// Rows that are listed again.
#[derive(Debug, Default, PartialEq)]
pub struct RepeatedListings {
    /// Pairs of the first row and its repetition, in no particular order.
    pub pairs: Vec<(u64, u64)>,
    /// The number of repetitions with the same time.
    pub timed: u64,
    /// The number of other rows without a time.
    pub untimed: u64,
}

/// The rows of a log so far.
pub type Listings = Sorted<Listing>;

impl Listings {
    /// Finds the rows that are listed again.
    pub fn twice(&mut self, threads: Option<usize>) -> io::Result<RepeatedListings> {
        let mut found = RepeatedListings::default();
        self.each_repeated(threads, |listings| {
            for same in listings.chunk_by(|one, next| one.0.fingerprint() == next.0.fingerprint()) {
                found.add(same);
            }
        })?;
        Ok(found)
    }
}

impl RepeatedListings {
    /// Adds rows that differ in nothing or in their times alone, in the order of the log.
    fn add(&mut self, same: &[Listing]) {
        let Some((&Listing(first, time), others)) = same.split_first() else { return };
        let mut of_time = HashMap::from([(time, first.place())]);
        let mut any = time == NEVER && !others.is_empty();
        self.untimed += u64::from(any);
        for &Listing(row, time) in others {
            let earliest = *of_time.entry(time).or_insert(row.place());
            if time == NEVER {
                self.untimed += 1;
                self.pairs.push((first.place(), row.place()));
            } else if earliest != row.place() {
                self.timed += 1;
                self.pairs.push((earliest, row.place()));
            } else if std::mem::take(&mut any) {
                self.pairs.push((first.place(), row.place()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_time_is_taken_for_one_other() {
        let times = [NEVER, 5, 7, 5, NEVER, 7, 9];
        let mut cut = Listings::default();
        let mut listings = Listings::default();
        for (place, time) in (0..).zip(times) {
            listings.extend([Listing::new([7, 9 << 50], place, time)]);
            let mut one = Listings::default();
            one.extend([Listing::new([7, 9 << 50], 0, time)]);
            let mut sent = Listings::default();
            sent.extend_from_bytes(&one.to_bytes().unwrap());
            cut.append(&mut sent, place).unwrap();
        }
        listings.extend([Listing::new([7, 8 << 50], 7, 5), Listing::new([8, 9 << 50], 8, 5)]);
        for mut all in [listings, cut] {
            let found = all.twice(None).unwrap();
            assert_eq!(found.pairs, [(0, 1), (1, 3), (0, 4), (2, 5)]);
            assert_eq!((found.timed, found.untimed), (2, 2));
        }
    }
}
