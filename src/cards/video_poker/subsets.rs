//! Numbers for sets of up to five cards of a deck.
//!
//! A set of cards c0 < c1 < ... has the number C(c0, 1) + C(c1, 2) + ... (colexicographic order, or the
//! combinatorial number system). The numbers run through 0..C(deck, size) without gaps, and the sets of a larger
//! deck follow those of a smaller one.

/// The size of the largest deck: 52 cards and two jokers.
pub const LARGEST_DECK: u8 = 54;

/// `CHOOSE[n][k]`: the binomial coefficient, n choose k.
pub const CHOOSE: [[u32; 6]; LARGEST_DECK as usize + 1] = {
    let mut table = [[1, 0, 0, 0, 0, 0]; LARGEST_DECK as usize + 1];
    let mut n = 1;
    while n <= LARGEST_DECK as usize {
        let mut k = 1;
        while k < 6 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of sets of `size` cards from a deck.
pub const fn sets(deck: u8, size: usize) -> usize {
    CHOOSE[deck as usize][size] as usize
}

/// The number of cards of each subset of four cards.
const SIZES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// The numbers of all 32 subsets of five cards in increasing order; bit `i` of the index means that card `i` is in
/// the subset.
#[inline]
pub fn subset_numbers(sorted: &[u8; 5]) -> [u32; 32] {
    let mut numbers = [0; 32];
    for (card, &value) in sorted.iter().enumerate() {
        let choose = &CHOOSE[usize::from(value)];
        for lower in 0..1usize << card {
            numbers[lower | 1 << card] = numbers[lower] + choose[usize::from(SIZES[lower]) + 1];
        }
    }
    numbers
}

/// A run of sets that differ only in their lowest card.
pub struct SetRun<const SIZE: usize> {
    /// The cards of the first set, in increasing order; the lowest is 0.
    pub cards: [u8; SIZE],
    /// The number of sets; their lowest cards are 0..length.
    pub length: usize,
    /// The number of the first set; the others follow.
    pub number: usize,
    /// The number of the set without the lowest card, the same for all.
    pub without_lowest: usize,
    /// The number of the first set without card 1, 2, ...; those for the other sets follow.
    pub without: [usize; SIZE],
}

/// Visits all sets of `SIZE` cards of a deck in the order of their numbers, run by run.
#[inline]
pub fn for_each_run<const SIZE: usize>(deck: u8, mut visit: impl FnMut(SetRun<SIZE>)) {
    let mut cards: [u8; SIZE] = std::array::from_fn(|card| card as u8);
    let mut number = 0;
    while number < sets(deck, SIZE) {
        let choose = |card: usize, size: usize| CHOOSE[usize::from(cards[card])][size] as usize;
        // Cards below the removed one keep their index, cards above it move down by one.
        let without_lowest = (1..SIZE).map(|card| choose(card, card)).sum();
        let mut without = [0; SIZE];
        let (mut below, mut above) = (0, without_lowest);
        for (card, smaller) in without.iter_mut().enumerate().skip(1) {
            above -= choose(card, card);
            *smaller = below + above;
            below += choose(card, card + 1);
        }
        let length = cards.get(1).map_or(usize::from(deck), |&second| usize::from(second));
        visit(SetRun { cards, length, number, without_lowest, without });
        number += length;

        // The next run: raise the lowest card but one that has room, and reset those below it.
        let mut card = 1;
        while card + 1 < SIZE && cards[card] + 1 == cards[card + 1] {
            cards[card] = card as u8;
            card += 1;
        }
        if let Some(raised) = cards.get_mut(card) {
            *raised += 1;
        }
    }
}

/// Adds the value of every set of `SIZE` cards to each of its subsets of one card less.
pub fn add_to_smaller<const SIZE: usize>(deck: u8, smaller: &mut [i64], value: impl Fn(usize) -> i64) {
    for_each_run::<SIZE>(deck, |run| {
        let mut values = [0; LARGEST_DECK as usize];
        let values = &mut values[..run.length];
        for (lowest, slot) in values.iter_mut().enumerate() {
            *slot = value(run.number + lowest);
        }
        smaller[run.without_lowest] += values.iter().sum::<i64>();
        for first in &run.without[1..] {
            for (sum, value) in smaller[*first..][..run.length].iter_mut().zip(&*values) {
                *sum += value;
            }
        }
    });
}

/// Passes on, for every set of `SIZE` cards, the sum of its subsets of one card less, modulo 2^64.
pub fn add_from_smaller<const SIZE: usize>(deck: u8, smaller: &[i64], mut receive: impl FnMut(usize, i64)) {
    for_each_run::<SIZE>(deck, |run| {
        let mut sums = [smaller[run.without_lowest]; LARGEST_DECK as usize];
        let sums = &mut sums[..run.length];
        for first in &run.without[1..] {
            for (sum, value) in sums.iter_mut().zip(&smaller[*first..][..run.length]) {
                *sum = sum.wrapping_add(*value);
            }
        }
        for (lowest, sum) in sums.iter().enumerate() {
            receive(run.number + lowest, *sum);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_without_gaps_and_name_the_smaller_sets() {
        assert_eq!(sets(52, 5), 2_598_960);
        let mut expected = 0;
        for_each_run::<5>(54, |run| {
            for lowest in 0..run.length {
                let mut cards = run.cards;
                cards[0] = lowest as u8;
                let numbers = subset_numbers(&cards);
                assert_eq!(numbers[31] as usize, expected);
                assert_eq!(run.number + lowest, expected);
                assert_eq!(numbers[0b11110] as usize, run.without_lowest);
                for card in 1..5 {
                    assert_eq!(numbers[31 ^ 1 << card] as usize, run.without[card] + lowest);
                }
                expected += 1;
            }
        });
        assert_eq!(expected, sets(54, 5));
    }

    #[test]
    fn values_go_down_and_come_up() {
        // Every pair contributes to its two cards, and every card is in 51 pairs.
        let mut cards = vec![0; 52];
        add_to_smaller::<2>(52, &mut cards, |_| 1);
        assert_eq!(cards, vec![51; 52]);
        let cards: Vec<i64> = (0..52).collect();
        let mut pairs = vec![0; sets(52, 2)];
        add_from_smaller::<2>(52, &cards, |pair, sum| pairs[pair] = sum);
        assert_eq!(pairs[..4], [1, 2, 3, 3]);
        let mut none = vec![0];
        add_to_smaller::<1>(52, &mut none, |card| card as i64);
        assert_eq!(none, [51 * 26]);
    }
}
