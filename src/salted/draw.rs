//! The draws a game may ask for. Who answers them decides what comes out: the numbers of a round's
//! seeds give its outcome, a recorder its walk-through, an enumerator the law.

use std::hint::select_unpredictable;

/// The largest range that [`Draws::shuffle`] takes.
pub const LARGEST_SHUFFLE: usize = 64;

/// A source of draws. Numbers are used in order, eight to a block of 64 bytes.
pub trait Draws {
    /// `floor(number * n)` of the next number: one of `0..n`.
    fn below(&mut self, n: u64) -> u64;

    /// Passes over the next `count` numbers.
    fn skip(&mut self, count: usize);

    /// 0 or 1.
    #[inline]
    fn coin(&mut self) -> u64 {
        self.below(2)
    }

    /// How many of the next `count` numbers give 1: so many coins.
    #[inline]
    fn coins(&mut self, count: usize) -> u64 {
        (0..count).map(|_| self.coin()).sum()
    }

    /// The first `taken.len()` elements of a random permutation of `0..n`, by Fisher-Yates: element by
    /// element is taken out of what is left. Uses `n - 1` numbers, however many elements are taken.
    #[inline]
    fn shuffle(&mut self, n: usize, taken: &mut [i64]) {
        fisher_yates(self, n, taken);
    }

    /// Says that what follows makes up part `index`, from 0, of the outcome (a row, a ball, a spin), and
    /// what its draws are called, for whoever wants to show it.
    #[inline]
    fn part(&mut self, _name: &'static str, _index: usize, _draws: &'static str) {}

    /// Names an intermediate value of the game's formula, for whoever wants to show it.
    #[inline]
    fn note(&mut self, _formula: &'static str, _value: f64) {}
}

/// A source of draws behind a reference, for games whose type isn't known.
pub(super) struct Any<'a>(pub &'a mut dyn Draws);

impl Draws for Any<'_> {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    fn skip(&mut self, count: usize) {
        self.0.skip(count);
    }

    fn coin(&mut self) -> u64 {
        self.0.coin()
    }

    fn coins(&mut self, count: usize) -> u64 {
        self.0.coins(count)
    }

    fn shuffle(&mut self, n: usize, taken: &mut [i64]) {
        self.0.shuffle(n, taken);
    }

    fn part(&mut self, name: &'static str, index: usize, draws: &'static str) {
        self.0.part(name, index, draws);
    }

    fn note(&mut self, formula: &'static str, value: f64) {
        self.0.note(formula, value);
    }
}

/// What [`Draws::shuffle`] does. What is left stays in increasing order, so it is enough to know what was
/// taken.
#[inline]
pub(super) fn fisher_yates(draws: &mut (impl Draws + ?Sized), n: usize, taken: &mut [i64]) {
    debug_assert!(n <= LARGEST_SHUFFLE && taken.len() < n);
    let mut sorted = [0; LARGEST_SHUFFLE];
    for (step, cell) in taken.iter_mut().enumerate() {
        // An element that was taken before moves the place of those after it; from the first one that
        // doesn't, they make room.
        let place = draws.below((n - step) as u64) as u8;
        let (mut carried, mut passed) = (place, 0);
        for other in &mut sorted[..step] {
            let before = *other <= carried;
            let stays = select_unpredictable(before, *other, carried);
            carried = select_unpredictable(before, carried + 1, *other);
            passed += u8::from(before);
            *other = stays;
        }
        sorted[step] = carried;
        *cell = i64::from(place + passed);
    }
    draws.skip(n - 1 - taken.len());
}

/// Finds out which blocks of numbers a game reads: every draw is answered with 0.
#[derive(Default)]
pub struct Planner {
    next: usize,
    cursors: Vec<u64>,
}

impl Planner {
    /// The cursors that were needed, in increasing order.
    pub fn cursors(self) -> Vec<u64> {
        self.cursors
    }
}

impl Draws for Planner {
    fn below(&mut self, _n: u64) -> u64 {
        let cursor = (self.next / 8) as u64;
        if self.cursors.last() != Some(&cursor) {
            self.cursors.push(cursor);
        }
        self.next += 1;
        0
    }

    fn skip(&mut self, count: usize) {
        self.next += count;
    }
}

/// Answers the first draw with a given value: what a game of a single number makes of it.
pub struct Forced {
    value: u64,
    asked: Vec<u64>,
    noted: f64,
}

impl Forced {
    /// A source whose first draw gives `value`, further ones 0.
    pub fn new(value: u64) -> Self {
        Self { value, asked: Vec::new(), noted: 0.0 }
    }

    /// The ranges `n` that were asked for, in order.
    pub fn asked(&self) -> &[u64] {
        &self.asked
    }

    /// The value that was noted last; 0 without one.
    pub fn noted(&self) -> f64 {
        self.noted
    }
}

impl Draws for Forced {
    fn below(&mut self, n: u64) -> u64 {
        self.asked.push(n);
        if self.asked.len() == 1 { self.value } else { 0 }
    }

    fn skip(&mut self, _count: usize) {}

    fn note(&mut self, _formula: &'static str, value: f64) {
        self.noted = value;
    }
}
