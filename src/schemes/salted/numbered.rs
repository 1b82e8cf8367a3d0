//! Messages that differ in one number only, in one block: a nonce, or the index of a salt.
//!
//! Their blocks are written once, and then only the digits: of numbers that increase slowly, mostly the last two.

use crate::sha2_lanes::WIDEST;
use crate::sha2_lanes::sha256::{self, BLOCK, Shared};
use crate::strings::Decimal;

/// The bytes of a block.
pub type BlockBytes = [u8; BLOCK];

/// Messages of one block around a number.
pub struct Numbered {
    beginning: Vec<u8>,
    ending: Vec<u8>,
    before: usize,
}

impl Numbered {
    /// For messages between two texts, after `before` bytes.
    pub fn new(beginning: &[u8], ending: &[u8], before: usize) -> Self {
        Self { beginning: beginning.to_vec(), ending: ending.to_vec(), before }
    }

    /// The block around a number of so many digits, and what all such blocks share; `None` if it doesn't fit.
    fn around(&self, digits: usize) -> Option<(BlockBytes, Shared)> {
        let start = self.beginning.len();
        let length = start + digits + self.ending.len();
        if length + 9 > BLOCK {
            return None;
        }
        let mut block = [0; BLOCK];
        block[..start].copy_from_slice(&self.beginning);
        block[start + digits..length].copy_from_slice(&self.ending);
        block[length] = 0x80;
        *block.last_chunk_mut().expect("a block") = (8 * (self.before + length) as u64).to_be_bytes();
        let varying = (start / 4..=(start + digits - 1) / 4).map(|word| 1 << word).sum();
        Some((block, Shared::new(&sha256::words(&block), varying)))
    }
}

/// Writes numbers into blocks that are otherwise equal.
pub struct Writer<'n> {
    numbered: &'n Numbered,
    /// The number of digits of the numbers in the blocks; 0 if the blocks hold something else.
    digits: usize,
    shared: Option<Shared>,
    /// The number in each block, without its last two digits; 0 if it isn't known.
    hundreds: [u64; WIDEST],
}

impl<'n> Writer<'n> {
    /// A writer of blocks that hold something else.
    pub fn new(numbered: &'n Numbered) -> Self {
        Self { numbered, digits: 0, shared: None, hundreds: [0; WIDEST] }
    }

    /// Notes that the blocks were overwritten.
    pub fn forget(&mut self) {
        self.digits = 0;
    }

    /// Writes a number into each block, and returns what the blocks share; `None` if they don't fit, or if the numbers
    /// differ in length.
    #[inline(always)]
    pub fn write(&mut self, blocks: &mut [BlockBytes], number: impl Fn(usize) -> u64) -> Option<&Shared> {
        let digits = number(0).checked_ilog10().map_or(1, |log| log as usize + 1);
        if self.digits != digits {
            let (block, shared) = self.numbered.around(digits)?;
            blocks.fill(block);
            (self.digits, self.shared, self.hundreds) = (digits, Some(shared), [0; WIDEST]);
        }
        let start = self.numbered.beginning.len();
        let end = start + digits;
        for ((lane, block), known) in blocks.iter_mut().enumerate().zip(&mut self.hundreds) {
            let number = number(lane);
            let (hundreds, last) = (number / 100, (number % 100) as u8);
            if hundreds == *known && hundreds != 0 {
                block[end - 2..end].copy_from_slice(&[b'0' + last / 10, b'0' + last % 10]);
                continue;
            }
            let decimal = Decimal::new(number);
            if decimal.text().len() != digits {
                self.digits = 0;
                return None;
            }
            block[start..end].copy_from_slice(decimal.text());
            *known = hundreds;
        }
        self.shared.as_ref()
    }
}
