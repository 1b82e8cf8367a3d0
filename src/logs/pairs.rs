//! Keys that come with conflicting values.
//!
//! A key is a server seed and its value the commitment, or the other way round; or a key is a salt and its
//! value the pair of seeds. Consecutive rows with the same pair are merged into one record. Records are
//! [`Sorted`], which bounds the memory.

use std::io;

use super::fingerprints::Fingerprint;
use super::replays::Earliest;
use super::sorted::{Sortable, Sorted, put_words, read_words};

/// The number of bits for a record's row count.
const ROWS_BITS: u32 = 24;

/// Consecutive rows with the same key and value, each stored as 96 bits of its fingerprint: a collision takes
/// 2^48 texts. In a log of salts each row is a record, so the audit's speed depends on their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    key: u64,
    low_key: u32,
    low_value: u32,
    value: u64,
    /// The position of the first row, and the number of rows.
    rows: u64,
}

impl Pair {
    fn new(key: Fingerprint, value: Fingerprint, place: u64, rows: u64) -> Self {
        let [low_key, low_value] = [key, value].map(|fingerprint| (fingerprint[1] >> 32) as u32);
        Self { key: key[0], low_key, low_value, value: value[0], rows: place << ROWS_BITS | rows }
    }

    fn whole_key(&self) -> (u64, u32) {
        (self.key, self.low_key)
    }

    fn whole_value(&self) -> (u64, u32) {
        (self.value, self.low_value)
    }

    fn place(&self) -> u64 {
        self.rows >> ROWS_BITS
    }

    fn count(&self) -> u64 {
        self.rows & ((1 << ROWS_BITS) - 1)
    }
}

impl Sortable for Pair {
    const BYTES: usize = 32;

    fn key(&self) -> u64 {
        self.key
    }

    fn rows(&self) -> u64 {
        self.count()
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        let low = u64::from(self.low_key) << 32 | u64::from(self.low_value);
        put_words([self.key, low, self.value, self.rows], bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let [key, low, value, rows] = read_words(bytes);
        Self { key, low_key: (low >> 32) as u32, low_value: low as u32, value, rows }
    }

    fn moved(self, rows: u64) -> Self {
        Self { rows: self.rows + (rows << ROWS_BITS), ..self }
    }
}

/// The keys that come with conflicting values.
#[derive(Debug, Default, PartialEq)]
pub struct Conflicts {
    /// The number of these keys.
    pub keys: u64,
    /// The number of rows with another value than the first row of their key.
    pub rows: u64,
    /// The first of these rows, each after the first row of its key.
    pub first: Vec<(u64, u64)>,
}

/// The pairs of a log so far.
pub type Pairs = Sorted<Pair>;

impl Pairs {
    /// Adds the next consecutive rows, fewer than 2^24.
    #[inline]
    pub fn add(&mut self, key: Fingerprint, value: Fingerprint, place: u64, rows: u64) {
        let pair = Pair::new(key, value, place, rows);
        if let Some(last) = self.last_mut() {
            let before = last.count();
            let next = last.place() + before == place && before + rows < 1 << ROWS_BITS;
            if next && last.whole_key() == pair.whole_key() && last.whole_value() == pair.whole_value() {
                last.rows += rows;
                return;
            }
        }
        self.push(pair);
    }

    /// Finds the keys with conflicting values; at most `most` rows are listed.
    pub fn several(&mut self, most: usize, threads: Option<usize>) -> io::Result<Conflicts> {
        let mut found = Conflicts::default();
        let mut first = Earliest::new(most);
        self.each_repeated(threads, |records| {
            for same in records.chunk_by(|one, next| one.whole_key() == next.whole_key()) {
                if same[0].whole_value() == same[same.len() - 1].whole_value() {
                    continue;
                }
                let Some(earliest) = same.iter().min_by_key(|pair| pair.place()) else { continue };
                found.keys += 1;
                for other in same.iter().filter(|pair| pair.whole_value() != earliest.whole_value()) {
                    found.rows += other.count();
                    for place in (other.place()..).take(other.count().min(most as u64) as usize) {
                        first.push(place, earliest.place());
                    }
                }
            }
        })?;
        found.first = first.into_vec();
        Ok(found)
    }

    /// The same rows with keys and values swapped.
    pub fn turned(&mut self) -> io::Result<Self> {
        let mut turned = self.emptied();
        self.each(|pair| {
            let Pair { key, low_key, low_value, value, rows } = pair;
            turned.push(Pair { key: value, low_key: low_value, low_value: low_key, value: key, rows });
        })?;
        Ok(turned)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn pairs(rows: &[(u64, u64)], room: usize) -> Pairs {
        let mut pairs = Pairs::new(room);
        for (place, &(key, value)) in rows.iter().enumerate() {
            pairs.add([key, key << 32], [value, value << 32], place as u64, 1);
        }
        pairs
    }

    #[test]
    fn keys_with_several_values_are_found() {
        let mut all = pairs(&[(1, 7), (1, 7), (2, 5), (1, 8), (1, 8), (2, 5), (1, 7)], 0);
        let found = all.several(10, None).unwrap();
        assert_eq!(found, Conflicts { keys: 1, rows: 2, first: vec![(0, 3), (0, 4)] });
        assert_eq!(all.turned().unwrap().several(10, None).unwrap().keys, 0);
        all.add([9, 9 << 32], [5, 5 << 32], 7, 1);
        let found = all.turned().unwrap().several(10, None).unwrap();
        assert_eq!(found, Conflicts { keys: 1, rows: 1, first: vec![(2, 7)] });
    }

    #[test]
    fn all_is_as_a_table_says_however_rows_are_cut() {
        let mut state = 3u64;
        let rows: Vec<(u64, u64)> = (0..400_000u64)
            .map(|row| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let key = if state >> 63 == 1 { row / 7 } else { (state >> 33) % 50_000 };
                (key.wrapping_mul(0x9e37_79b9_7f4a_7c15), key * 3 + u64::from(state >> 40 & 255 == 0))
            })
            .collect();
        let (mut firsts, mut expected, mut keys) = (HashMap::new(), Conflicts::default(), HashMap::new());
        for (place, (key, value)) in rows.iter().enumerate() {
            let (earliest, first) = *firsts.entry(key).or_insert((place, value));
            if first != value {
                keys.insert(key, ());
                expected.rows += 1;
                if expected.first.len() < 100 {
                    expected.first.push((earliest as u64, place as u64));
                }
            }
        }
        expected.keys = keys.len() as u64;
        assert_eq!(pairs(&rows, 20_000).several(100, None).unwrap(), expected);
        assert_eq!(pairs(&rows, usize::MAX).several(100, None).unwrap(), expected);
        for cut in [1, 123_456, 399_999] {
            let mut whole = pairs(&rows[..cut], 20_000);
            let mut sent = Pairs::default();
            sent.extend_from_bytes(&pairs(&rows[cut..], 20_000).to_bytes().unwrap());
            whole.append(&mut sent, cut as u64).unwrap();
            assert_eq!(whole.several(100, None).unwrap(), expected);
        }
    }
}
