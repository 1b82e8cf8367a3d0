//! Messages and keys that differ in one number only, in one block: a nonce, or the index of a salt.
//!
//! Their blocks are written once, and then only the digits: of numbers that increase slowly, mostly the last two.

use crate::sha2_lanes::{SharedWords, WIDEST};
use crate::strings::Decimal;

/// Texts of one block of `B` bytes around a number, which may be in several places.
pub struct Numbered<const B: usize> {
    /// The texts before, between and after its places.
    texts: Vec<Vec<u8>>,
    /// The number of bytes hashed before, of messages; keys end in zeros.
    before: Option<usize>,
}

impl<const B: usize> Numbered<B> {
    /// For texts around the places of a number.
    pub fn new(texts: Vec<Vec<u8>>, before: Option<usize>) -> Self {
        Self { texts, before }
    }

    /// The block around a number of so many digits, where these end, and what all such blocks share; `None` if it
    /// doesn't fit.
    fn around<S: SharedWords<B>>(&self, digits: usize) -> Option<([u8; B], Vec<usize>, S)> {
        let length = self.texts.iter().map(Vec::len).sum::<usize>() + digits * (self.texts.len() - 1);
        if length + self.before.map_or(0, |_| 1 + B / 8) > B {
            return None;
        }
        let (mut block, mut ends, mut varying) = ([0; B], Vec::new(), 0);
        let mut place = 0;
        for text in &self.texts {
            block[place..place + text.len()].copy_from_slice(text);
            let start = place + text.len();
            place = start + digits;
            if place <= length {
                ends.push(place);
                for word in start / (B / 16)..=(place - 1) / (B / 16) {
                    varying |= 1 << word;
                }
            }
        }
        if let Some(before) = self.before {
            block[length] = 0x80;
            *block.last_chunk_mut().expect("a block") = (8 * (before + length) as u64).to_be_bytes();
        }
        let shared = S::of(&block, varying);
        Some((block, ends, shared))
    }
}

/// Writes numbers into blocks that are otherwise equal.
pub struct Writer<'n, S, const B: usize> {
    numbered: &'n Numbered<B>,
    blocks: [[u8; B]; WIDEST],
    /// The number of digits of the numbers in the blocks; 0 if there are none yet.
    digits: usize,
    /// The places where the digits end.
    ends: Vec<usize>,
    shared: Option<S>,
    /// The number in each block, without its last two digits; 0 if it isn't known.
    hundreds: [u64; WIDEST],
}

impl<'n, S: SharedWords<B>, const B: usize> Writer<'n, S, B> {
    /// A writer of empty blocks.
    pub fn new(numbered: &'n Numbered<B>) -> Self {
        let blocks = [[0; B]; WIDEST];
        Self { numbered, blocks, digits: 0, ends: Vec::new(), shared: None, hundreds: [0; WIDEST] }
    }

    /// Writes a number into each of some blocks, and returns these and what they share; `None` if they don't fit, or
    /// if the numbers differ in length.
    #[inline(always)]
    pub fn write(&mut self, count: usize, number: impl Fn(usize) -> u64) -> Option<(&[[u8; B]], &S)> {
        let digits_of = |lane: usize| number(lane).checked_ilog10().map_or(1, |log| log as usize + 1);
        let digits = digits_of(0);
        // Of numbers that don't go on from those in the blocks, nothing is written in vain.
        let go_on = self.digits == digits && self.hundreds[0] == number(0) / 100;
        if !go_on && (1..count).any(|lane| digits_of(lane) != digits) {
            return None;
        }
        if self.digits != digits {
            let (block, ends, shared) = self.numbered.around(digits)?;
            self.blocks.fill(block);
            (self.digits, self.ends, self.shared) = (digits, ends, Some(shared));
            self.hundreds = [0; WIDEST];
        }
        for (lane, (block, known)) in self.blocks[..count].iter_mut().zip(&mut self.hundreds).enumerate() {
            let number = number(lane);
            let (hundreds, last) = (number / 100, (number % 100) as u8);
            if hundreds == *known && hundreds != 0 {
                for &end in &self.ends {
                    block[end - 2..end].copy_from_slice(&[b'0' + last / 10, b'0' + last % 10]);
                }
                continue;
            }
            let decimal = Decimal::new(number);
            if decimal.text().len() != digits {
                return None;
            }
            for &end in &self.ends {
                block[end - digits..end].copy_from_slice(decimal.text());
            }
            *known = hundreds;
        }
        Some((&self.blocks[..count], self.shared.as_ref()?))
    }
}
