//! How a record comes to be: a hidden Markov model, row by row, down the chain.
//!
//! From the game of one row the next row is mostly the next game, or one after a hole. Rarely two rows are swapped,
//! a row is there twice, rows of no game come between, or the record goes on elsewhere or not at all. A row shows
//! its game's outcome, or, misread, any outcome with its probability in the game. All probabilities of what may
//! come next sum to at most 1, so that the likelihood of a series, divided by that of independent outcomes, has an
//! expectation of at most 1 where outcomes are independent (Markov's inequality makes it a p-value).
//!
//! The constants were chosen on made records that nothing else is measured on (`planted` of `tests/locating`, seeds
//! from 1,000,000 on; those below 1,000 are measured). What is rare in the model must not outweigh a misread row
//! between its neighbors: a row twice with a hole just there, a long hole after which a few rows fit by chance, a
//! record that leaves the chain near its end. A row twice must outweigh one of no game, also of a roll of fifteen.
//! Of 2e-4, 1e-4 and 2e-5 for a swapped pair, each names the same changed rows, and 590, 584 and 571 of 712 swapped
//! pairs in 500 records.

/// The probability that a cell isn't its game's outcome.
pub const MISREAD: f64 = 1e-3;
/// That the next two rows are swapped.
pub const SWAP: f64 = 1e-4;
/// That the next row is the same game again.
pub const TWICE: f64 = 1e-8;
/// That the next row is of no game, and that it isn't the last such row.
pub const FOREIGN: f64 = 1e-10;
pub const FOREIGN_AGAIN: f64 = 0.5;
/// That the record goes on anywhere on the chain.
pub const JUMP: f64 = 1e-5;
/// That it leaves the chain, that it comes (back) to it, and that it begins on it.
pub const LEAVE: f64 = 1e-6;
pub const ENTER: f64 = 1e-3;
pub const BEGIN: f64 = 0.99;
/// That the next row is the next game, or one after a hole.
pub const GO_ON: f64 = 1.0 - TWICE - FOREIGN - JUMP - LEAVE;
pub const GO_ON_FOREIGN: f64 = 1.0 - FOREIGN_AGAIN - LEAVE;

/// Lengths of holes: none, or of two geometric laws, short and long.
#[derive(Clone, Copy, Debug)]
pub struct Holes {
    pub none: f64,
    /// The probability of a hole of one game, of each law, and what each further game multiplies it by.
    pub short: f64,
    pub short_again: f64,
    pub long: f64,
    pub long_again: f64,
}

const LONG_SHARE: f64 = 0.002;
const LONG_MEAN: f64 = 60.0;

impl Holes {
    /// Of a probability that there is a hole, and the mean length of short ones, at least 1.
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

/// A series and the chain it may lie on, as symbols; negative ones are equal to no other. `reversed` reads both
/// from their ends.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub rows: &'a [i32],
    pub chain: &'a [i32],
    /// One over the probability of each symbol.
    pub ratios: &'a [f64],
    pub reversed: bool,
}

impl Record<'_> {
    #[inline]
    pub fn row(&self, index: usize) -> i32 {
        if self.reversed { self.rows[self.rows.len() - 1 - index] } else { self.rows[index] }
    }

    #[inline]
    pub fn game(&self, place: usize) -> i32 {
        if self.reversed { self.chain[self.chain.len() - 1 - place] } else { self.chain[place] }
    }

    /// What a match of a symbol is worth: the ratio of its probabilities in the model and by chance.
    #[inline]
    pub fn matched(&self, symbol: i32) -> f64 {
        if symbol < 0 { 1.0 } else { (1.0 - MISREAD) * self.ratios[symbol as usize] + MISREAD }
    }
}
