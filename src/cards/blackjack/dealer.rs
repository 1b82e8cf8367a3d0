//! The exact probabilities of the dealer's results, given the cards already seen.
//!
//! The dealer makes no choices, so for one upcard the hands that end at 17 to 21 are a fixed list of multisets, each
//! reached in a known number of orders. They are stored as a walk in which each step adds a card to an earlier
//! state, and which is run for several shoes at once.

use std::collections::BTreeMap;

use fearless_simd::{Level, Simd};

use super::player::{ACE, Counts, Shape, TEN, pack};
use super::rules::{Dealer, Rules};

/// The probability of each of the dealer's results, by `Dealer as usize`.
pub type Chances = [f64; Dealer::ALL.len()];

/// The number of cards of each rank, from aces (0) to kings (12).
pub type Ranks = [u16; 13];

/// The cards of a shoe before the deal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shoe {
    /// The number of cards of each value; with replacement, the probabilities.
    counts: [f64; 10],
    /// The number of cards of each of the four ranks that count ten.
    tens: [f64; 4],
    finite: bool,
}

impl Shoe {
    /// The shoe of a number of decks, or the infinite shoe.
    pub fn new(decks: Option<u8>) -> Self {
        let each = decks.map_or(1.0 / 13.0, |decks| 4.0 * f64::from(decks));
        Self::of([each; 13], decks.is_some())
    }

    /// The shoe with this many cards of each rank, from aces to kings.
    pub fn of_ranks(ranks: &Ranks) -> Self {
        Self::of(ranks.map(f64::from), true)
    }

    fn of(ranks: [f64; 13], finite: bool) -> Self {
        let tens = std::array::from_fn(|ten| ranks[TEN + ten]);
        let all_tens = tens.iter().sum();
        let counts = std::array::from_fn(|value| if value == TEN { all_tens } else { ranks[value] });
        Shoe { counts, tens, finite }
    }

    /// The total of all cards, with aces counted as one.
    pub fn hard_total(&self) -> f64 {
        self.counts.iter().zip(1u8..).map(|(count, value)| count * f64::from(value)).sum()
    }

    /// Whether dealing a card changes the probabilities of the next.
    pub fn finite(&self) -> bool {
        self.finite
    }

    /// The number of cards of each value left after removing `seen`; with the infinite shoe, the probabilities.
    /// Impossible shoes have negative counts.
    pub fn left(&self, seen: &Counts) -> [f64; 10] {
        std::array::from_fn(|value| {
            self.counts[value] - if self.finite { f64::from(seen[value]) } else { 0.0 }
        })
    }

    /// The ways in which a pair of tens can be of one rank, with this upcard: the probability of each among all
    /// pairs of tens, and the tens that are left then.
    pub fn pairs_of_one_rank(&self, upcard: usize) -> Vec<(f64, TenRank)> {
        let one = if self.finite { 1.0 } else { 0.0 };
        let all = self.counts[TEN];
        let mut ways: Vec<(f64, TenRank)> = Vec::new();
        let mut add = |chance: f64, left: f64, all: f64| {
            let rank = TenRank { left, all, fewer: one };
            match ways.iter_mut().find(|(_, known)| *known == rank) {
                Some((sum, _)) => *sum += chance,
                None => ways.push((chance, rank)),
            }
        };
        for (place, &rank) in self.tens.iter().enumerate() {
            if upcard != TEN {
                add(rank / all * (rank - one) / (all - one), rank - 2.0 * one, all - 2.0 * one);
                continue;
            }
            for (up, &count) in self.tens.iter().enumerate() {
                let (rank, all) = (rank - if place == up { one } else { 0.0 }, all - one);
                let chance = count / self.counts[TEN] * rank / all * (rank - one) / (all - one);
                add(chance, rank - 2.0 * one, all - 2.0 * one);
            }
        }
        ways.retain(|(chance, _)| *chance > 0.0);
        ways
    }

    /// The probability of each value for the next card after removing `seen`; `None` if they can't be removed.
    /// `not_under` is a value that the dealer's hole card, itself one of the unseen cards, is known not to have.
    pub fn next(&self, seen: &Counts, not_under: Option<usize>) -> Option<[f64; 10]> {
        let left = self.left(seen);
        if left.iter().any(|&count| count < 0.0) {
            return None;
        }
        if !self.finite() {
            return Some(left);
        }
        let all: f64 = left.iter().sum();
        Some(match not_under {
            None => left.map(|count| count / all),
            Some(excluded) => {
                // Bayes' theorem: a card of another value could itself be the hole card.
                let others = all - left[excluded];
                if others < 1.0 {
                    return None;
                }
                std::array::from_fn(|value| {
                    let share = left[value] / (all - 1.0);
                    if value == excluded { share } else { share * (others - 1.0) / others }
                })
            }
        })
    }
}

/// The tens left of one rank after a pair of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TenRank {
    /// The number left of this rank.
    pub left: f64,
    /// The number left of all four ranks.
    pub all: f64,
    /// The decrease of both counts per card: 0 with the infinite shoe.
    fewer: f64,
}

impl TenRank {
    /// The share of this rank among the tens after removing `gone` more cards of it.
    pub fn share(&self, gone: usize) -> f64 {
        let gone = self.fewer * gone as f64;
        if self.all > gone { ((self.left - gone) / (self.all - gone)).max(0.0) } else { 0.0 }
    }
}

/// The value of the hole card that makes a blackjack with this upcard.
pub fn blackjack_card(upcard: usize) -> Option<usize> {
    match upcard {
        ACE => Some(TEN),
        TEN => Some(ACE),
        _ => None,
    }
}

/// The number of shoes computed at once.
const LANES: usize = 8;
/// An upper bound on the cards that the dealer can draw, in all and of one value.
const MAX_CARDS: usize = 20;
const MAX_OF_A_VALUE: usize = 20;

/// A step of the walk: one more card of a dealer's hand.
struct TreeStep {
    /// The card's value, and the number of cards of that value drawn before, in one index.
    card: u8,
    /// The number of cards drawn before.
    depth: u8,
    /// The result if a hand ends here.
    result: Dealer,
    /// The number of orders in which a hand ends here; zero if none does.
    orders: f64,
}

/// The dealer's play with one upcard.
pub struct DealerTree {
    upcard: usize,
    steps: Vec<TreeStep>,
}

impl DealerTree {
    /// Lists the finished hands that begin with `upcard`.
    pub fn new(rules: &Rules, upcard: usize) -> Self {
        // Hands with their number of orders: finished ones, and those that take another card in the next pass.
        let mut finished: BTreeMap<u64, (Counts, Dealer, f64)> = BTreeMap::new();
        let mut open = BTreeMap::from([(0, ([0; 10], 1.0))]);
        while !open.is_empty() {
            let mut longer: BTreeMap<u64, (Counts, f64)> = BTreeMap::new();
            for (drawn, orders) in open.into_values() {
                for value in 0..10 {
                    if drawn == [0; 10] && blackjack_card(upcard) == Some(value) {
                        continue;
                    }
                    let mut drawn = drawn;
                    drawn[value] += 1;
                    let mut hand = drawn;
                    hand[upcard] += 1;
                    let shape = Shape::of(&hand);
                    let end = rules.dealer_end(shape.total);
                    if rules.dealer_draws(shape.total, shape.soft) {
                        longer.entry(pack(&drawn)).or_insert((drawn, 0.0)).1 += orders;
                    } else if end != Dealer::Bust {
                        finished.entry(pack(&drawn)).or_insert((drawn, end, 0.0)).2 += orders;
                    }
                }
            }
            open = longer;
        }
        DealerTree { upcard, steps: as_walk(finished.into_values()) }
    }

    /// The dealer's probabilities for each multiset of seen cards (without the upcard). They are meaningless where
    /// `seen` is impossible.
    pub fn chances(&self, shoe: &Shoe, seen: &[Counts]) -> Vec<Chances> {
        let level = Level::new();
        let mut all = Vec::with_capacity(seen.len());
        for group in seen.chunks(LANES) {
            let mut shoes = [[0.0; LANES]; 10];
            for (lane, cards) in group.iter().enumerate() {
                let mut gone = *cards;
                gone[self.upcard] += 1;
                for (value, count) in shoe.left(&gone).into_iter().enumerate() {
                    shoes[value][lane] = count.max(0.0);
                }
            }
            let lanes = fearless_simd::dispatch!(level, simd => simd.vectorize(
                #[inline(always)]
                || self.walk(shoe.finite(), &shoes),
            ));
            all.extend(
                (0..group.len()).map(|lane| -> Chances { std::array::from_fn(|result| lanes[result][lane]) }),
            );
        }
        all
    }

    /// Runs the walk for one group of shoes.
    #[inline(always)]
    fn walk(&self, finite: bool, shoes: &[[f64; LANES]; 10]) -> [[f64; LANES]; Dealer::ALL.len()] {
        let mut left = [[0.0; LANES]; 10 * MAX_OF_A_VALUE];
        for (card, left) in left.iter_mut().enumerate() {
            let gone = if finite { (card % MAX_OF_A_VALUE) as f64 } else { 0.0 };
            *left = shoes[card / MAX_OF_A_VALUE].map(|count| (count - gone).max(0.0));
        }
        // The probability of cards in one order is the product of the numbers left of each value over the product of
        // the numbers of all cards left; the latter depends only on how many are drawn.
        let mut ways = [[1.0; LANES]; MAX_CARDS];
        let mut ended = [[[0.0; LANES]; Dealer::ALL.len()]; MAX_CARDS];
        for step in &self.steps {
            let depth = usize::from(step.depth);
            let (left, before) = (&left[usize::from(step.card)], ways[depth]);
            let here: [f64; LANES] = std::array::from_fn(|lane| before[lane] * left[lane]);
            ways[depth + 1] = here;
            if step.orders > 0.0 {
                let sum = &mut ended[depth + 1][step.result as usize];
                for lane in 0..LANES {
                    sum[lane] += step.orders * here[lane];
                }
            }
        }
        let all: [f64; LANES] = std::array::from_fn(|lane| shoes.iter().map(|count| count[lane]).sum());
        let mut chances = [[0.0; LANES]; Dealer::ALL.len()];
        let mut order = [1.0; LANES];
        for (depth, ended) in ended.iter().enumerate().skip(1) {
            if finite {
                for lane in 0..LANES {
                    order[lane] /= (all[lane] - (depth - 1) as f64).max(1.0);
                }
            }
            for (chances, ended) in chances.iter_mut().zip(ended) {
                for lane in 0..LANES {
                    chances[lane] += ended[lane] * order[lane];
                }
            }
        }
        for lane in 0..LANES {
            // An empty shoe has no probabilities.
            let blackjack = match blackjack_card(self.upcard) {
                Some(card) if all[lane] > 0.0 => shoes[card][lane] / all[lane],
                _ => 0.0,
            };
            let made: f64 = chances.iter().map(|result| result[lane]).sum();
            chances[Dealer::Blackjack as usize][lane] = blackjack;
            chances[Dealer::Bust as usize][lane] = 1.0 - made - blackjack;
        }
        chances
    }
}

/// Orders the finished hands so that hands with the same first cards share their steps.
fn as_walk(finished: impl Iterator<Item = (Counts, Dealer, f64)>) -> Vec<TreeStep> {
    let mut hands: Vec<(Vec<u8>, Dealer, f64)> = finished
        .map(|(counts, result, orders)| {
            let cards = (0..10u8).flat_map(|v| (0..counts[usize::from(v)]).map(move |_| v)).collect();
            (cards, result, orders)
        })
        .collect();
    hands.sort_by(|a, b| a.0.cmp(&b.0));
    let mut steps: Vec<TreeStep> = Vec::new();
    let mut current: Vec<u8> = Vec::new();
    for (cards, result, orders) in hands {
        let shared = cards.iter().zip(&current).take_while(|(a, b)| a == b).count();
        for depth in shared..cards.len() {
            let value = cards[depth];
            let before = cards[..depth].iter().filter(|&&card| card == value).count() as u8;
            let card = value * MAX_OF_A_VALUE as u8 + before;
            steps.push(TreeStep { card, depth: depth as u8, result: Dealer::Bust, orders: 0.0 });
        }
        let last = steps.last_mut().expect("a dealer's hand has cards");
        (last.result, last.orders) = (result, orders);
        current = cards;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Dealer22, Soft17};
    use super::*;

    /// The dealer's probabilities by dealing every order of cards.
    fn dealt(rules: &Rules, shoe: &Shoe, seen: &Counts, hand: &Counts) -> Chances {
        let shape = Shape::of(hand);
        let mut chances = [0.0; Dealer::ALL.len()];
        if shape.cards > 1 && !rules.dealer_draws(shape.total, shape.soft) {
            let blackjack = shape.cards == 2 && shape.total == 21;
            let result = if blackjack { Dealer::Blackjack } else { rules.dealer_end(shape.total) };
            chances[result as usize] = 1.0;
            return chances;
        }
        let next = shoe.next(seen, None).unwrap();
        for value in 0..10 {
            if next[value] > 0.0 {
                let (mut seen, mut hand) = (*seen, *hand);
                seen[value] += 1;
                hand[value] += 1;
                for (chance, part) in chances.iter_mut().zip(dealt(rules, shoe, &seen, &hand)) {
                    *chance += next[value] * part;
                }
            }
        }
        chances
    }

    #[test]
    fn the_next_card_where_the_hole_card_is_known_not_to_be_one() {
        let shoe = Shoe::new(Some(1));
        let seen = [2, 0, 1, 0, 0, 3, 0, 0, 0, 5];
        let left = shoe.left(&seen);
        let all: f64 = left.iter().sum();
        for excluded in [ACE, TEN] {
            // Every possible hole card, and then every next card.
            let mut expected = [0.0; 10];
            for hole in (0..10).filter(|&hole| hole != excluded) {
                let mut rest = left;
                rest[hole] -= 1.0;
                for (chance, rest) in expected.iter_mut().zip(rest) {
                    *chance += left[hole] / (all - left[excluded]) * rest / (all - 1.0);
                }
            }
            let found = shoe.next(&seen, Some(excluded)).unwrap();
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-15, "{found} {expected}");
            }
        }
        assert_eq!(shoe.next(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 0], None), None);
        assert!(shoe.next(&[4, 0, 0, 0, 0, 0, 0, 0, 0, 0], None).is_some());
    }

    #[test]
    fn the_walk_agrees_with_dealing_every_order() {
        for soft_17 in [Soft17::Hit, Soft17::Stand] {
            let dealer_22 = if soft_17 == Soft17::Hit { Dealer22::Push } else { Dealer22::Bust };
            let rules = Rules { soft_17, dealer_22, ..Rules::default() };
            for decks in [Some(1), Some(4), None] {
                let shoe = &Shoe::new(decks);
                for upcard in [ACE, 1, 5, TEN] {
                    let tree = DealerTree::new(&rules, upcard);
                    let seen: [Counts; 3] =
                        [[0; 10], [0, 0, 0, 0, 2, 0, 0, 0, 0, 1], [3, 1, 0, 2, 0, 0, 0, 1, 0, 0]];
                    for (seen, chances) in seen.iter().zip(tree.chances(shoe, &seen)) {
                        let (mut gone, mut hand) = (*seen, [0; 10]);
                        gone[upcard] += 1;
                        hand[upcard] += 1;
                        for (a, b) in chances.iter().zip(dealt(&rules, shoe, &gone, &hand)) {
                            assert!((a - b).abs() < 1e-13, "{a} {b}");
                        }
                    }
                }
            }
        }
    }
}
