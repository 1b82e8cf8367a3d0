//! The hidden Markov model of a record, row by row, down the chain.
//!
//! The next row is usually the next game, or one after a hole. Rarely, two rows are swapped, a row is repeated, rows
//! that belong to no game are inserted, or the record continues elsewhere on the chain or leaves it. A row shows its
//! game's outcome or, if misread, one drawn from the game's distribution. The probabilities of all that can come next
//! sum to at most 1. So the likelihood ratio of a series to independent outcomes has an expectation of at most 1 if
//! the outcomes are independent, and by Markov's inequality its inverse is a p-value.
//!
//! The constants were chosen on simulated records that no measurement uses (`planted` of `tests/locating`, seeds from
//! 1,000,000 up; those below 1,000 are measured). Rare events must not outweigh a misread row between its neighbors:
//! a repeated row beside a missing game (which is therefore named as misread), a long hole after which a few rows
//! match by chance, a record that leaves the chain near its end. A repeated row must outweigh a row of no game, even
//! for a roll with 15 outcomes. With 2e-4, 1e-4 and 2e-5 for a swapped pair the same changed rows are named, and 590,
//! 584 and 571 of 712 swapped pairs in 500 records.

/// The probability that a row is misread.
pub const MISREAD: f64 = 1e-3;
/// The probability that the next two rows are swapped.
pub const SWAP: f64 = 1e-4;
/// The probability that the next row repeats the same game.
pub const TWICE: f64 = 1e-8;
/// The probability that the next row belongs to no game, and that another such row follows.
pub const FOREIGN: f64 = 1e-10;
pub const FOREIGN_AGAIN: f64 = 0.5;
/// The probability that the record continues at any place of the chain.
pub const JUMP: f64 = 1e-5;
/// The probabilities that the record leaves the chain, enters it later, and begins on it.
pub const LEAVE: f64 = 1e-6;
pub const ENTER: f64 = 1e-3;
pub const BEGIN: f64 = 0.99;
/// The probability that the next row is the next game, or one after a hole.
pub const GO_ON: f64 = 1.0 - TWICE - FOREIGN - JUMP - LEAVE;
pub const GO_ON_FOREIGN: f64 = 1.0 - FOREIGN_AGAIN - LEAVE;

/// The distribution of lengths of holes: none, or one of two geometric laws, short and long.
#[derive(Clone, Copy, Debug)]
pub struct Holes {
    /// The probability of no hole.
    pub none: f64,
    /// For each law, the probability of a hole of one game, and the factor of each further game.
    pub short: f64,
    /// The factor per further game of short holes.
    pub short_again: f64,
    /// The probability of a long hole of one game.
    pub long: f64,
    /// The factor per further game of long holes.
    pub long_again: f64,
}

const LONG_SHARE: f64 = 0.002;
const LONG_MEAN: f64 = 60.0;

impl Holes {
    /// The distribution with this probability of a hole and this mean length of short holes, at least 1.
    pub fn new(share: f64, mean: f64) -> Self {
        Self {
            none: 1.0 - share,
            short: share * (1.0 - LONG_SHARE) / mean,
            short_again: 1.0 - 1.0 / mean,
            long: share * LONG_SHARE / LONG_MEAN,
            long_again: 1.0 - 1.0 / LONG_MEAN,
        }
    }
}

/// A series and the chain it may lie on, as symbols; negative ones match nothing. `reversed` reads both from the end.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    /// The symbols of the record.
    pub rows: &'a [i32],
    /// The symbols of the chain.
    pub chain: &'a [i32],
    /// One over the probability of each symbol.
    pub ratios: &'a [f64],
    /// Whether to read both from their ends.
    pub reversed: bool,
}

impl Record<'_> {
    /// The symbol of a row.
    #[inline]
    pub fn row(&self, index: usize) -> i32 {
        if self.reversed { self.rows[self.rows.len() - 1 - index] } else { self.rows[index] }
    }

    /// The symbol of a game on the chain.
    #[inline]
    pub fn game(&self, place: usize) -> i32 {
        if self.reversed { self.chain[self.chain.len() - 1 - place] } else { self.chain[place] }
    }

    /// The likelihood ratio of a match: the symbol's probability in the model, divided by that of independent outcomes.
    #[inline]
    pub fn matched(&self, symbol: i32) -> f64 {
        if symbol < 0 { 1.0 } else { (1.0 - MISREAD) * self.ratios[symbol as usize] + MISREAD }
    }
}
