//! Columns of 64-bit words, packed into few bytes.
//!
//! Only the bits are kept between the lowest and the highest one in which any word differs from the first:
//! none of a column that stays the same, and few of small numbers, or of amounts such as 0.5 and 20. Other
//! columns take 8 bytes a row, as they are.

use super::sorted::{put_words, read_words};

/// The first word, and how many bits lower and how many bytes wide the differences are.
const HEAD: usize = size_of::<u64>() + 2;

/// Appends a column.
pub fn put_column<I: ExactSizeIterator<Item = u64> + Clone>(words: I, bytes: &mut Vec<u8>) {
    let count = words.len();
    let first = words.clone().next().unwrap_or(0);
    let differ = words.clone().fold(0, |differ, word| differ | (word ^ first));
    let shift = if differ == 0 { 0 } else { differ.trailing_zeros() };
    let width = (u64::BITS - (differ >> shift).leading_zeros()).div_ceil(8) as usize;
    put_words([first], bytes);
    bytes.extend([shift as u8, width as u8]);
    if width == 0 {
        return;
    }
    let start = bytes.len();
    bytes.resize(start + length(count, width), 0);
    // Widths that are known at compile time take half the time.
    let fill: [Fill<I>; 8] = [
        fill::<1, I>,
        fill::<2, I>,
        fill::<3, I>,
        fill::<4, I>,
        fill::<5, I>,
        fill::<6, I>,
        fill::<7, I>,
        fill::<8, I>,
    ];
    fill[width - 1](words, first, shift, &mut bytes[start..]);
}

/// Packs words, given the first one and how many bits lower the differences are.
type Fill<I> = fn(I, u64, u32, &mut [u8]);

fn fill<const WIDTH: usize, I: Iterator<Item = u64>>(words: I, first: u64, shift: u32, bytes: &mut [u8]) {
    for (difference, word) in bytes.as_chunks_mut::<WIDTH>().0.iter_mut().zip(words) {
        difference.copy_from_slice(&((word ^ first) >> shift).to_le_bytes()[..WIDTH]);
    }
}

/// The bytes of differences, the last of which has a whole word, so that each can be read as one.
fn length(count: usize, width: usize) -> usize {
    if width == 0 || count == 0 { 0 } else { width * (count - 1) + size_of::<u64>() }
}

/// A packed column.
#[derive(Clone, Copy, Debug)]
pub struct PackedColumn<'a> {
    first: u64,
    shift: u8,
    width: usize,
    differences: &'a [u8],
}

impl<'a> PackedColumn<'a> {
    /// Takes a column of `count` words from the beginning of `bytes`.
    pub fn take(bytes: &mut &'a [u8], count: usize) -> Self {
        let (head, rest) = bytes.split_at(HEAD);
        let ([first], width) = (read_words(head), usize::from(head[HEAD - 1]));
        let (differences, rest) = rest.split_at(length(count, width));
        *bytes = rest;
        Self { first, shift: head[HEAD - 2], width, differences }
    }

    /// Whether all rows have the same word.
    pub fn is_constant(&self) -> bool {
        self.width == 0
    }

    /// The word of a row.
    #[inline]
    pub fn get(&self, row: usize) -> u64 {
        if self.width == 0 {
            return self.first;
        }
        let [whole] = read_words(&self.differences[row * self.width..]);
        let difference = whole & (u64::MAX >> (u64::BITS - 8 * self.width as u32));
        self.first ^ difference << self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_take_the_bytes_in_which_they_differ() {
        let amounts = [0.5f64, 20.0, 0.0, 1.0, 10.0].map(f64::to_bits);
        let columns: [(&[u64], usize); 9] = [
            (&[], 0),
            (&[7], 0),
            (&[u64::MAX; 5], 0),
            (&[0, 255, 3], 1),
            (&[1 << 40, 1 << 40 | 256, 1 << 40], 1),
            (&[1 << 40, 1 << 40 | 257, 1 << 40], 2),
            (&amounts, 2),
            (&[i64::MIN as u64, 1, 2], 8),
            (&[5, 1 << 50, 1], 7),
        ];
        let mut bytes = Vec::new();
        let mut ends = Vec::new();
        for (words, _) in columns {
            put_column(words.iter().copied(), &mut bytes);
            ends.push(bytes.len());
        }
        let mut rest = &*bytes;
        for ((words, width), end) in columns.into_iter().zip(ends) {
            let column = PackedColumn::take(&mut rest, words.len());
            assert_eq!(bytes.len() - rest.len(), end);
            assert_eq!(column.width, width);
            assert_eq!(column.is_constant(), width == 0);
            assert!(words.iter().enumerate().all(|(row, &word)| column.get(row) == word));
        }
        assert!(rest.is_empty());
    }
}
