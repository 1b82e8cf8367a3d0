//! Sets of up to five of the 52 cards, numbered.
//!
//! A set of cards c0 < c1 < ... has the number C(c0, 1) + C(c1, 2) + ... (colexicographic order),
//! which runs through 0..C(52, size) without gaps.

/// `CHOOSE[n][k]`: how many ways there are to take `k` of `n` cards.
pub const CHOOSE: [[u32; 6]; 53] = {
    let mut table = [[0; 6]; 53];
    let mut n = 0;
    while n < 53 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 6 && k <= n {
            table[n][k] = table[n - 1][k - 1] + if k < n { table[n - 1][k] } else { 0 };
            k += 1;
        }
        n += 1;
    }
    table
};

/// How many sets of `size` cards there are.
pub const fn sets(size: usize) -> usize {
    CHOOSE[52][size] as usize
}

/// How many cards each subset of four cards has.
const SIZES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// The numbers of all 32 subsets of five cards in rising order; bit `i` of the index says that
/// card `i` is in the subset.
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

/// Visits every set of `SIZE` cards in the order of their numbers, with the cards in rising order
/// and the numbers of the `SIZE` smaller sets that lack one of its cards.
#[inline]
pub fn for_each_set<const SIZE: usize>(mut visit: impl FnMut(usize, &[u8; SIZE], &[usize; SIZE])) {
    let mut cards: [u8; SIZE] = std::array::from_fn(|card| card as u8);
    for number in 0..sets(SIZE) {
        let choose = |card: usize, size: usize| CHOOSE[usize::from(cards[card])][size] as usize;
        let mut without = [0; SIZE];
        // Cards below the one left out keep their place, cards above it move down by one.
        let mut below = 0;
        let mut above: usize = (1..SIZE).map(|card| choose(card, card)).sum();
        for (card, smaller) in without.iter_mut().enumerate() {
            *smaller = below + above;
            below += choose(card, card + 1);
            if card + 1 < SIZE {
                above -= choose(card + 1, card + 1);
            }
        }
        visit(number, &cards, &without);

        // The next set: raise the lowest card that has room, and put those below it back.
        let mut card = 0;
        while card + 1 < SIZE && cards[card] + 1 == cards[card + 1] {
            cards[card] = card as u8;
            card += 1;
        }
        if let Some(raised) = cards.get_mut(card) {
            *raised += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_without_gaps_and_name_the_smaller_sets() {
        assert_eq!(sets(5), 2_598_960);
        let mut expected = 0;
        for_each_set::<5>(|number, cards, without| {
            assert_eq!(number, expected);
            expected += 1;
            let numbers = subset_numbers(cards);
            assert_eq!(numbers[31] as usize, number);
            for card in 0..5 {
                assert_eq!(numbers[31 ^ 1 << card] as usize, without[card]);
            }
        });
        assert_eq!(expected, sets(5));
    }

    #[test]
    fn the_smallest_sets() {
        let mut singles = Vec::new();
        for_each_set::<1>(|number, cards, without| {
            assert_eq!(*without, [0]);
            singles.push((number, cards[0]));
        });
        assert!(singles.iter().all(|&(number, card)| number == usize::from(card)));
        assert_eq!(singles.len(), 52);
    }
}
