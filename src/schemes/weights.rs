//! Whether a scheme can answer a game's draws, and how probable its answers are.

use std::ops::Range;

use super::scheme::{Below, Scheme};
use crate::error::{Error, Result};
use crate::games::draw::Draws;
use crate::games::game::AnyGame;
use crate::games::views::{Weigh, first_where};

/// The draws of a game if each is answered with 0: the words that it reads, and its range.
pub fn draws_of(game: &dyn AnyGame, words_below: impl Fn(u64) -> usize) -> Vec<(Range<u64>, u64)> {
    struct Trial<F> {
        words_below: F,
        next: u64,
        drawn: Vec<(Range<u64>, u64)>,
    }

    impl<F: Fn(u64) -> usize> Draws for Trial<F> {
        fn below(&mut self, n: u64) -> u64 {
            let start = self.next;
            self.next += (self.words_below)(n) as u64;
            self.drawn.push((start..self.next, n));
            0
        }

        fn skip(&mut self, count: usize) {
            self.next += count as u64;
        }
    }

    let mut trial = Trial { words_below, next: 0, drawn: Vec::new() };
    game.answer(&mut trial, &mut vec![0; game.form().cells()]);
    trial.drawn
}

/// Checks that a scheme can answer all draws of a game; returns the number of words up to the last one read.
pub fn check(game: &dyn AnyGame, scheme: &Scheme) -> Result<u64> {
    let drawn = draws_of(game, |n| scheme.words_below(n.max(1)));
    let largest = drawn.iter().map(|(_, n)| *n).max().unwrap_or(0);
    scheme.check_n("n of the game's draws", largest as i64)?;
    Ok(drawn.last().map_or(0, |(words, _)| words.end))
}

/// An upper bound on the distance of a draw from uniform: of one of `n`, in total variation; of a number, as the
/// largest difference of the probabilities up to any number.
pub fn distance_bound(scheme: &Scheme, n: Option<u64>) -> f64 {
    let power = |bits: u32| 0.5f64.powi(bits as i32);
    let Some(n) = n else { return power(scheme.number_bits().min(52)) };
    if scheme.below().passes_over() {
        return 0.0;
    }
    // Under `Nearest`, the first and the last answer have half as many words as the others.
    let ends = if scheme.below() == Below::Nearest { 1.0 / n as f64 } else { 0.0 };
    ends + n as f64
        * power(match scheme.below() {
            Below::Digest => 8 * scheme.hash().algorithm.size().unwrap_or(8) as u32,
            Below::Double => 50, // even and odd doubles of each binade, each short of a whole cycle
            _ if scheme.cut().by_range => scheme.bits_below(n.max(1)),
            _ => scheme.cut().bits.min(52),
        })
}

/// The number of acceptable bytes that share their last two decimal digits.
const BYTES_OF_A_DECIMAL: u128 = 3;

/// Weighs the answers of draws as a scheme draws them: each by the number of words that give it.
///
/// Where the rule is arithmetic of whole numbers the count is a formula. Products in doubles round, by rules that no
/// formula has; but they never fall when the word rises, so bisection finds the first word of each answer: 64 steps,
/// however many words there are.
pub struct AsDrawn<'a>(&'a Scheme);

impl<'a> AsDrawn<'a> {
    /// Refuses schemes that draw from whole digests: 256 bits and more don't fit the weights.
    pub fn new(scheme: &'a Scheme) -> Result<Self> {
        if !scheme.below().is_whole() {
            return Ok(Self(scheme));
        }
        Err(Error::value("law", "can't be that of whole digests as drawn: ask for law=\"ideal\""))
    }
}

impl Weigh for AsDrawn<'_> {
    fn total(&self, n: u64) -> u128 {
        match self.0.below() {
            Below::Decimal => u128::from(n) * BYTES_OF_A_DECIMAL,
            _ => u128::from(self.0.last_accepted(n)) + 1,
        }
    }

    fn up_to(&self, n: u64, answer: u64) -> u128 {
        let (all, n, wanted) = (self.total(n), u128::from(n), u128::from(answer));
        match self.0.below() {
            Below::Scale => first_where(all, |word| self.0.scaled(word, n as u64) >= answer),
            Below::Decimal => wanted * BYTES_OF_A_DECIMAL,
            Below::Nearest => first_where(all, |word| self.0.answer(word, n as u64) >= answer),
            Below::Multiply => (wanted << self.0.bits_below(n as u64)).div_ceil(n),
            _ => all / n * wanted + wanted.min(all % n),
        }
    }
}
