//! The exact value of all 32 holds of a hand, and the best of them.
//!
//! For every set S of up to five cards, let A(S) be the sum of the pays of all hands that contain S. If H is held
//! from a deal D, the possible final hands are those that contain H and no other card of D. By inclusion and
//! exclusion their pays add up to
//!
//! ```text
//! V(H) = sum over S with H <= S <= D of (-1)^(|S| - |H|) A(S)
//! ```
//!
//! This is a Moebius transform over the subsets of D: 80 subtractions for all 32 holds, in exact integers.

use super::deck::{DeckHands, DrawCounts, JOKER, Wild};
use super::paytable::{Paytable, ace_high};
use super::ranking::Hand;
pub use super::ranking::Hold;
use super::sequence::{Places, SequentialRoyal, in_sequence, royal_holds};
use super::subsets::{add_to_smaller, sets, subset_numbers};
use crate::cards::card;

/// The holds of 0, 1, 2, 3 and 4 cards, as bits.
const HOLDS_BY_SIZE: [&[usize]; 5] = [
    &[0],
    &[1, 2, 4, 8, 16],
    &[3, 5, 6, 9, 10, 12, 17, 18, 20, 24],
    &[7, 11, 13, 14, 19, 21, 22, 25, 26, 28],
    &[15, 23, 27, 29, 30],
];

/// Checks that five numbers are different cards of a deck.
pub fn check_hand(cards: [i64; 5], wild: Wild) -> Result<Hand, BadHand> {
    let mut hand = [0; 5];
    for (index, &card) in cards.iter().enumerate() {
        match card {
            -1 => return Err(BadHand::NoCard),
            _ if !(0..i64::from(wild.deck())).contains(&card) => {
                return Err(BadHand::NotACard(card, wild.deck() - 1));
            }
            _ if cards[..index].contains(&card) => return Err(BadHand::Twice(card)),
            _ => hand[index] = card as u8,
        }
    }
    Ok(hand)
}

/// The reason why five numbers aren't a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadHand {
    /// A card is missing: the hash ran out.
    NoCard,
    /// A card occurs twice.
    Twice(i64),
    /// A number isn't a card of the deck, whose last card is given.
    NotACard(i64, u8),
}

impl std::fmt::Display for BadHand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadHand::NoCard => write!(f, "must be five cards, got -1: the hash ran out"),
            BadHand::Twice(card) => {
                let name = match *card as u8 {
                    JOKER.. => "joker".to_owned(),
                    card => card::name(Some(card)),
                };
                write!(f, "must be five different cards, got {card} ({name}) twice")
            }
            BadHand::NotACard(card, last) => write!(f, "must be cards from 0 to {last}, got {card}"),
        }
    }
}

/// The sums A(S) of one paytable.
pub struct HoldSums {
    wild: Wild,
    hands: &'static DeckHands,
    /// The pay of each kind of hand, multiplied by [`Paytable::orders`].
    pays: Vec<i64>,
    /// A(S) for the sets of 0 to 4 cards, by set number.
    sums: [Vec<i64>; 5],
    /// The factor that brings each hold's sum to the common number of draws.
    scale: [i64; 32],
    /// The royal flushes in sequence, and by how much they pay more than others of each suit.
    sequence: Option<(SequentialRoyal, [i64; 4])>,
}

/// The order of a hand's cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As given.
    Given,
    /// Any order, with equal probability.
    Anywhere,
}

impl HoldSums {
    /// The sums of a paytable's pays, multiplied by [`Paytable::orders`].
    pub fn new(paytable: &Paytable) -> Self {
        let pays = paytable.pays().into_iter().map(|pay| pay * paytable.orders()).collect();
        let sequence = paytable.sequential().map(|(row, sequence)| {
            let more =
                paytable.royal_rows().map(|other| paytable.rows()[row].pays - paytable.rows()[other].pays);
            (sequence, more)
        });
        Self { sequence, ..Self::of(paytable, pays) }
    }

    /// The sums of any values of hands, given by kind.
    pub fn of(paytable: &Paytable, pays: Vec<i64>) -> Self {
        let hands = paytable.hands();
        let deck = paytable.wild().deck();
        let mut sums = [0, 1, 2, 3, 4].map(|size| vec![0i64; sets(deck, size)]);
        add_to_smaller::<5>(deck, &mut sums[4], |hand| pays[usize::from(hands.of[hand])]);
        collect::<4>(deck, &mut sums);
        collect::<3>(deck, &mut sums);
        collect::<2>(deck, &mut sums);
        collect::<1>(deck, &mut sums);
        Self { wild: paytable.wild(), hands, pays, sums, scale: DrawCounts::of(deck).scale(), sequence: None }
    }

    /// The wild cards.
    pub fn wild(&self) -> Wild {
        self.wild
    }

    /// For each of the 32 holds: the sum of the pays over all [`DrawCounts::ways`] to draw.
    pub fn values(&self, hand: &Hand, order: Order) -> [i64; 32] {
        let (sorted, places) = sort(hand);
        let values = self.sorted_values(&sorted, order, &places);
        let mut in_order = [0; 32];
        for (hold, value) in values.into_iter().enumerate() {
            in_order[usize::from(unsort(hold as u8, &places))] = value;
        }
        in_order
    }

    /// The hold with the highest value. Of several such holds it is the one that
    ///
    /// 1. holds the most cards,
    /// 2. of those, holds the higher ranks (wild cards, then aces, are the highest), compared from the top,
    /// 3. of those, holds the cards whose suits have the higher cards in the deal,
    /// 4. of those, holds the cards further to the left.
    ///
    /// Only the last step depends on the order of the cards or on which suit is which, and it chooses among holds
    /// that differ by a permutation of suits.
    #[inline]
    pub fn best(&self, hand: &Hand, order: Order) -> Hold {
        let (sorted, places) = sort(hand);
        let best = best_of(&self.sorted_values(&sorted, order, &places), &self.scale);
        if best.is_power_of_two() {
            return unsort(best.trailing_zeros() as u8, &places);
        }
        let ties = (0..32).filter(|hold| best >> hold & 1 == 1).map(|hold| unsort(hold, &places));
        first_by_tie_rule(hand, self.wild, ties)
    }

    /// Like [`Self::values`], for a hand whose cards are in increasing order and have these positions.
    #[inline]
    pub(super) fn sorted_values(&self, sorted: &Hand, order: Order, places: &Places) -> [i64; 32] {
        let mut values = self.values_without_order(sorted);
        if let Some((sequence, more)) = self.sequence {
            for (hold, more) in royal_holds(sorted).into_iter().zip(more) {
                // Out of 120 royal flushes from the hold.
                let found = match order {
                    Order::Given => i64::from(sequence.fits(sorted, hold, places)) * in_sequence(hold),
                    Order::Anywhere => i64::from(sequence.directions()),
                };
                values[usize::from(hold)] += found * more;
            }
        }
        values
    }

    /// The best hold (see [`Self::best`]) of a hand whose cards are in increasing order: one for all positions of
    /// the cards, or a function of the positions.
    pub(super) fn best_by_places(&self, sorted: &Hand) -> Result<Hold, impl Fn(&Places) -> Hold> {
        let values = self.values_without_order(sorted);
        let anywhere = self.best(sorted, Order::Anywhere);
        let worth =
            |hold: Hold, more: i64| (values[usize::from(hold)] + more) * self.scale[usize::from(hold)];
        let (sequence, more) = self.sequence.unwrap_or((SequentialRoyal { reversible: false }, [0; 4]));
        let royal = royal_holds(sorted);
        // An empty hold is the same in every order.
        let nothing =
            royal.iter().zip(more).filter(|(hold, _)| **hold == 0).map(|(_, more)| more).sum::<i64>()
                * i64::from(sequence.directions());
        let least = (0..32).map(|hold| worth(hold, if hold == 0 { nothing } else { 0 })).max();
        let candidates: Vec<(Hold, i64)> =
            royal.into_iter().zip(more).filter(|&(hold, more)| hold != 0 && more != 0).collect();
        let most = |&(hold, more): &(Hold, i64)| {
            Some(worth(hold, more * in_sequence(hold) * i64::from(sequence.directions())))
        };
        if candidates.iter().all(|candidate| most(candidate) < least) {
            return Ok(anywhere);
        }
        let values = Box::new(values);
        Err(move |places: &Places| {
            let mut values = *values;
            values[0] += nothing;
            for &(hold, more) in &candidates {
                values[usize::from(hold)] +=
                    i64::from(sequence.fits(sorted, hold, places)) * in_sequence(hold) * more;
            }
            let best = best_of(&values, &self.scale);
            if best.is_power_of_two() {
                return best.trailing_zeros() as u8;
            }
            first_by_tie_rule(sorted, self.wild, (0..32).filter(|hold| best >> hold & 1 == 1))
        })
    }

    /// Like [`Self::values`], for a hand whose cards are in increasing order, if royal flushes in sequence paid like
    /// others.
    #[inline]
    pub(super) fn values_without_order(&self, sorted: &Hand) -> [i64; 32] {
        let numbers = subset_numbers(sorted);
        let mut values = [0; 32];
        for (sums, holds) in self.sums.iter().zip(HOLDS_BY_SIZE) {
            for &hold in holds {
                values[hold] = sums[numbers[hold] as usize];
            }
        }
        values[31] = self.pays[usize::from(self.hands.of[numbers[31] as usize])];
        for card in 0..5 {
            for holds in values.chunks_exact_mut(2 << card) {
                let (without, with) = holds.split_at_mut(1 << card);
                for (without, with) in without.iter_mut().zip(with) {
                    *without -= *with;
                }
            }
        }
        values
    }
}

/// Adds the sums of the sets of `SIZE` cards to those of their subsets of one card less.
fn collect<const SIZE: usize>(deck: u8, sums: &mut [Vec<i64>; 5]) {
    let (smaller, larger) = sums.split_at_mut(SIZE);
    let (smaller, larger) = (&mut smaller[SIZE - 1], &larger[0]);
    add_to_smaller::<SIZE>(deck, smaller, |set| larger[set]);
    // Each hand was counted once for each of its other cards.
    for sum in smaller {
        *sum /= 6 - SIZE as i64;
    }
}

/// The cards in increasing order, with their former positions.
#[inline]
fn sort(hand: &Hand) -> (Hand, [u8; 5]) {
    let mut keys: [u16; 5] = std::array::from_fn(|place| u16::from(hand[place]) << 8 | place as u16);
    keys.sort_unstable();
    (keys.map(|key| (key >> 8) as u8), keys.map(|key| key as u8))
}

/// Converts a hold of the sorted hand to one of the hand.
#[inline]
fn unsort(hold: Hold, positions: &[u8; 5]) -> Hold {
    (0..5).map(|card| (hold >> card & 1) << positions[card]).sum()
}

/// The holds with the highest value, as bits.
#[inline]
fn best_of(values: &[i64; 32], scale: &[i64; 32]) -> u32 {
    // With a common number of draws, the sums are in proportion to the holds' values.
    let mut scaled = *values;
    for (value, scale) in scaled.iter_mut().zip(scale) {
        *value *= scale;
    }
    let most = scaled.iter().copied().fold(0, i64::max);
    scaled.iter().rev().fold(0, |bits, &value| bits << 1 | u32::from(value == most))
}

/// The hold that comes first by the tie rule of [`HoldSums::best`].
fn first_by_tie_rule(hand: &Hand, wild: Wild, holds: impl Iterator<Item = Hold>) -> Hold {
    let key = tie_key(hand, wild);
    holds.max_by_key(|&hold| key(hold)).unwrap_or(0)
}

/// A key that is greatest for the hold that comes first by the tie rule of [`HoldSums::best`].
pub(super) fn tie_key(hand: &Hand, wild: Wild) -> impl Fn(Hold) -> (u32, u8) {
    let mut suits = [0u16; 4];
    for &card in hand.iter().filter(|&&card| !wild.has(card)) {
        suits[usize::from(card::suit(card))] |= 1 << ace_high(card::rank(card));
    }
    let key = |place: &usize| match hand[*place] {
        // Above the aces; which wild card it is doesn't matter.
        card if wild.has(card) => (14, 0),
        card => (ace_high(card::rank(card)), suits[usize::from(card::suit(card))]),
    };
    let mut places = [0, 1, 2, 3, 4];
    // A stable sort: equal cards stay in the order they were dealt.
    places.sort_by_key(|place| std::cmp::Reverse(key(place)));
    move |hold| (hold.count_ones(), places.iter().fold(0, |bits, &place| bits << 1 | (hold >> place & 1)))
}

#[cfg(test)]
mod tests {
    use super::super::paytable::Pays;
    use super::super::paytable::tests::{paytable, spec};
    use super::super::ranking::tests::hand;
    use super::*;

    /// Enumerates all draws to a hold.
    fn by_drawing(table: &Paytable, hand: &Hand, hold: Hold) -> i64 {
        fn draw(table: &Paytable, taken: &mut Vec<u8>, deal: &Hand, from: u8) -> i64 {
            if let Ok(full) = <Hand>::try_from(taken.as_slice()) {
                return table.rows()[table.row(&full)].pays;
            }
            (from..table.wild().deck())
                .filter(|card| !deal.contains(card))
                .map(|card| {
                    taken.push(card);
                    let sum = draw(table, taken, deal, card + 1);
                    taken.pop();
                    sum
                })
                .sum()
        }
        let mut taken: Vec<u8> =
            (0..5).filter(|place| hold >> place & 1 == 1).map(|place| hand[place]).collect();
        draw(table, &mut taken, hand, 0)
    }

    #[test]
    fn values_equal_drawing_every_way() {
        let table = paytable([500, 75, 20, 9, 6, 4, 3, 2, 1], &[], "J");
        let sums = HoldSums::new(&table);
        for names in ["J♣ 5♥ 8♣ A♣ 2♣", "Kd Qd Jd Td 9d", "7s 7h 7d 2c 2s"] {
            let hand = hand(names);
            let values = sums.values(&hand, Order::Given);
            for hold in 0..32 {
                assert_eq!(values[usize::from(hold)], by_drawing(&table, &hand, hold), "{hold}");
            }
        }
        let mut pays = spec([800, 50, 20, 7, 5, 3, 2, 1, 1], &[], "K");
        let fives = vec![(Some("A".to_owned()), 300), (Some("2-K".to_owned()), 200)];
        let wild = [("wild_royal_flush", vec![(None, 100)]), ("five_of_a_kind", fives)];
        pays.families.extend(wild.map(|(family, groups)| (family.to_owned(), groups)));
        for (wild, hand) in [
            (Wild::Rank(1), hand("2♣ 5♥ 8♣ A♣ 2♦")),
            (Wild::Rank(0), hand("Kd Qd Jd Ad 9d")),
            (Wild::Jokers(1), [52, 5, 18, 44, 9]),
            (Wild::Jokers(2), [7, 53, 20, 52, 12]),
        ] {
            let table = Paytable::new(&Pays { wild, ..pays.clone() }).unwrap();
            let values = HoldSums::new(&table).values(&hand, Order::Given);
            for hold in (0..32).filter(|hold: &u8| hold.count_ones() > 0) {
                assert_eq!(values[usize::from(hold)], by_drawing(&table, &hand, hold), "{wild:?} {hold}");
            }
        }
    }

    #[test]
    fn ties_do_not_depend_on_order_or_suits() {
        // If every hold is worth nothing, all five cards are held.
        let nothing = HoldSums::new(&paytable([0; 9], &[], "J"));
        assert_eq!(nothing.best(&hand("2s 9h 7d 5c Jc"), Order::Given), 0b11111);
        let ties =
            |names: &str, holds: &[u8]| first_by_tie_rule(&hand(names), Wild::No, holds.iter().copied());
        // More cards first, then higher ranks with the ace on top.
        assert_eq!(ties("2s Kh Ad 5c Jc", &[0b00100, 0b00011]), 0b00011);
        assert_eq!(ties("2s Kh Ad 5c Jc", &[0b10010, 0b01100]), 0b01100);
        // Of two kings the one whose suit has the queen.
        assert_eq!(ties("Ks Kh 7d Qh Jc", &[0b00001, 0b00010]), 0b00010);
        assert_eq!(ties("Kh Ks 7d Qh Jc", &[0b00001, 0b00010]), 0b00001);
        // Nothing distinguishes the kings: the left one.
        assert_eq!(ties("Kh Ks 7d Qd Jc", &[0b00001, 0b00010]), 0b00001);
    }

    #[test]
    fn hands_are_checked() {
        assert_eq!(check_hand([0, 1, 2, 3, 51], Wild::No), Ok([0, 1, 2, 3, 51]));
        let refused = |cards| check_hand(cards, Wild::No).unwrap_err().to_string();
        assert_eq!(refused([0, 1, 2, 3, 52]), "must be cards from 0 to 51, got 52");
        assert_eq!(refused([49, 1, 49, 3, 4]), "must be five different cards, got 49 (J♣) twice");
        assert_eq!(refused([49, 1, -1, 3, 4]), "must be five cards, got -1: the hash ran out");
    }
}
