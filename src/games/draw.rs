//! The draws of a game. Their source decides what comes out: the numbers of a round's seeds give its outcome, a
//! recorder its walk-through, an enumerator the law.

use std::hint::select_unpredictable;

/// The largest range that [`Draws::shuffle`] takes.
pub const MAX_SHUFFLE: usize = 64;

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

    /// The number of ones among the next `count` coins.
    #[inline]
    fn coins(&mut self, count: usize) -> u64 {
        (0..count).map(|_| self.coin()).sum()
    }

    /// The first `taken.len()` elements of a random permutation of `0..n`, by Fisher-Yates: each is taken from the
    /// remaining ones. Uses `n - 1` numbers, however many elements are taken.
    #[inline]
    fn shuffle(&mut self, n: usize, taken: &mut [i64]) {
        fisher_yates(self, n, taken);
    }

    /// Starts part `index`, from 0, of the outcome (a row, a ball, a spin), and names its draws, for walk-throughs.
    #[inline]
    fn part(&mut self, _name: &'static str, _index: usize, _draws: &'static str) {}

    /// Names an intermediate value of the game's formula, for walk-throughs.
    #[inline]
    fn note(&mut self, _formula: &'static str, _value: f64) {}
}

/// The default of [`Draws::shuffle`]. The rest stays in increasing order, so the elements taken determine it.
#[inline]
pub(crate) fn fisher_yates(draws: &mut (impl Draws + ?Sized), n: usize, taken: &mut [i64]) {
    debug_assert!(n <= MAX_SHUFFLE && taken.len() < n);
    let mut sorted = [0; MAX_SHUFFLE];
    for (step, cell) in taken.iter_mut().enumerate() {
        // Each smaller element taken before shifts the place by one; the larger ones move up to make room.
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
