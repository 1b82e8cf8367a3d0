//! A paytable's exact return under optimal play or any other strategy.
//!
//! Deals that differ only by a permutation of suits are played alike, so 134,459 deals represent all 2,598,960. The
//! return is counted by the transform of [`super::holds`] run backwards (its transpose): each deal's hold adds
//! signed coefficients to sets of cards, which are pushed up to the hands that contain them. Draws aren't
//! enumerated.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::deck::{DrawCounts, JOKER};
use super::holds::{Hold, HoldSums, Order};
use super::paytable::Paytable;
use super::ranking::Hand;
use super::sequence::{ORDERS, Places, RISING, in_sequence, orders, royal_holds};
use super::subsets::{add_from_smaller, sets, subset_numbers};
use crate::parallel::lock;

/// A deal that represents all deals equal to it up to a permutation of suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonicalDeal {
    /// The cards, in increasing order.
    pub hand: Hand,
    /// The number of deals that it represents.
    pub weight: u8,
}

/// The representative deals of a paytable's deck, in a fixed order: 134,459 for 52 cards if all suits pay alike.
pub fn deals(paytable: &Paytable) -> &'static [CanonicalDeal] {
    deals_of(paytable.wild().deck() - JOKER, paytable.suits())
}

/// The representative deals of a deck with `jokers` jokers; suits with equal numbers may be permuted.
pub fn deals_of(jokers: u8, suits: [u8; 4]) -> &'static [CanonicalDeal] {
    type ByDeck = BTreeMap<(u8, [u8; 4]), &'static [CanonicalDeal]>;
    static KNOWN: Mutex<ByDeck> = Mutex::new(BTreeMap::new());
    let mut known = lock(&KNOWN);
    // Leaked, since there are at most 45 of them.
    known.entry((jokers, suits)).or_insert_with(|| Box::leak(new_deals(jokers, suits).into_boxed_slice()))
}

fn new_deals(jokers: u8, suits: [u8; 4]) -> Vec<CanonicalDeal> {
    let by_size: [Vec<u16>; 6] = std::array::from_fn(|size| {
        (0..1 << 13).filter(|ranks: &u16| ranks.count_ones() as usize == size).collect()
    });
    let mut deals = Vec::with_capacity(200_000);
    for held in 0..=jokers {
        let first = deals.len();
        add_suits(&by_size, suits, &mut Vec::new(), usize::from(5 - held), &mut deals);
        for deal in &mut deals[first..] {
            for (place, joker) in (5 - held..5).zip(JOKER..) {
                deal.hand[usize::from(place)] = joker;
            }
            // With two jokers, a deal with one of them represents the deals with the other.
            if held < jokers && held > 0 {
                deal.weight *= 2;
            }
        }
    }
    deals
}

/// Chooses the ranks of each suit in turn. The ranks of a suit, read as a number, must not exceed those of the last
/// earlier suit that it may be exchanged with; that selects one deal of each class.
fn add_suits(
    by_size: &[Vec<u16>; 6],
    suits: [u8; 4],
    chosen: &mut Vec<u16>,
    left: usize,
    deals: &mut Vec<CanonicalDeal>,
) {
    let suit = chosen.len();
    let alike = |suit: usize| (0..suit).filter(move |&other| suits[other] == suits[suit]);
    if suit == 4 {
        let mut cards = (0..JOKER).filter(|&card| chosen[usize::from(card / 13)] >> (card % 13) & 1 == 1);
        let hand = std::array::from_fn(|_| cards.next().unwrap_or_default());
        // The number of permutations of the exchangeable suits that change the deal.
        let arrangements: usize = (0..4).map(|suit| alike(suit).count() + 1).product();
        let without_effect: usize = (0..4)
            .map(|suit| alike(suit).filter(|&other| chosen[other] == chosen[suit]).count() + 1)
            .product();
        deals.push(CanonicalDeal { hand, weight: (arrangements / without_effect) as u8 });
        return;
    }
    let most = alike(suit).next_back().map_or(u16::MAX, |other| chosen[other]);
    for size in if suit == 3 { left..=left } else { 0..=left } {
        for &ranks in by_size[size].iter().take_while(|&&ranks| ranks <= most) {
            chosen.push(ranks);
            add_suits(by_size, suits, chosen, left - size, deals);
            chosen.pop();
        }
    }
}

/// The total count of all deals and draws, each in all orders that are told apart, in the units of [`count`].
pub fn total(paytable: &Paytable) -> i64 {
    let deck = paytable.wild().deck();
    sets(deck, 5) as i64 * DrawCounts::of(deck).common * paytable.orders().pow(2)
}

/// The count of each row of a paytable, to be divided by [`total`].
pub type RowCounts = Vec<i64>;

/// The hold of one of the [`deals`] in some of the orders of its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// The deal.
    pub deal: &'static CanonicalDeal,
    /// The hold, with bit `i` for the `i`-th card in increasing order.
    pub hold: Hold,
    /// The number of orders, of [`Paytable::orders`], in which it is played.
    pub orders: u8,
    /// The number of directions in which a royal flush from this hold may be in sequence.
    pub directions: u8,
}

impl Play {
    /// For each suit: how many of 120 royal flushes from the hold are in sequence.
    pub fn in_sequence(&self) -> [i64; 4] {
        let found = i64::from(self.directions) * in_sequence(self.hold);
        royal_holds(&self.deal.hand).map(|hold| if hold == self.hold { found } else { 0 })
    }

    /// The value of the hold over the common number of draws, with pays multiplied by [`Paytable::orders`].
    fn worth(&self, paytable: &Paytable, sums: &HoldSums) -> i64 {
        let pays = paytable.royal_rows().map(|row| paytable.rows()[row].pays);
        let sequential = paytable.sequential().map_or(0, |(row, _)| paytable.rows()[row].pays);
        let more = self.in_sequence().into_iter().zip(pays).map(|(found, pay)| found * (sequential - pay));
        let hold = usize::from(self.hold);
        let scale = DrawCounts::of(paytable.wild().deck()).scale();
        (sums.values_without_order(&self.deal.hand)[hold] + more.sum::<i64>()) * scale[hold]
    }
}

/// The best hold of every deal. It may depend on the order of the cards if royal flushes in sequence pay more.
pub fn best_plays(paytable: &Paytable, sums: &HoldSums) -> Vec<Play> {
    if paytable.sequential().is_none() {
        return plays(paytable, |_, deal| Ok::<_, fn(&Places) -> Hold>(sums.best(&deal.hand, Order::Given)));
    }
    plays(paytable, |_, deal| sums.best_by_places(&deal.hand))
}

/// The given hold of every deal, whatever the order of its cards.
pub fn plays_of(paytable: &Paytable, holds: &[Hold]) -> Vec<Play> {
    plays(paytable, |number, _| Ok::<_, fn(&Places) -> Hold>(holds[number]))
}

/// The plays of every deal, given its hold or its hold by the positions of its cards.
fn plays<ByPlaces: Fn(&Places) -> Hold>(
    paytable: &Paytable,
    held: impl Fn(usize, &'static CanonicalDeal) -> Result<Hold, ByPlaces>,
) -> Vec<Play> {
    let deals = deals(paytable);
    let mut plays: Vec<Play> = Vec::with_capacity(deals.len());
    let sequence = paytable.sequential().map(|(_, sequence)| sequence);
    let all = if sequence.is_some() { orders() } else { vec![RISING] };
    for (number, deal) in deals.iter().enumerate() {
        let first = plays.len();
        let mut add = |hold, orders, directions| {
            let known =
                plays[first..].iter_mut().find(|play| (play.hold, play.directions) == (hold, directions));
            match known {
                Some(play) => play.orders += orders,
                None => plays.push(Play { deal, hold, orders, directions }),
            }
        };
        let held = held(number, deal);
        let royal = royal_holds(&deal.hand);
        match (sequence, held) {
            (None, Ok(hold)) => add(hold, 1, 0),
            // Positions matter only to holds that can become a royal flush.
            (Some(sequence), Ok(hold)) if hold == 0 || !royal.contains(&hold) => {
                add(hold, ORDERS as u8, if royal.contains(&hold) { sequence.directions() } else { 0 });
            }
            (sequence, held) => {
                for places in &all {
                    let hold = held.as_ref().map_or_else(|by_places| by_places(places), |hold| *hold);
                    let fits = sequence.filter(|_| royal.contains(&hold));
                    add(hold, 1, fits.map_or(0, |sequence| sequence.fits(&deal.hand, hold, places)));
                }
            }
        }
    }
    plays
}

/// The loss of each of the [`deals`] against its best hold, over the common number of draws, on average over the
/// orders of its cards.
pub fn losses(paytable: &Paytable, sums: &HoldSums, holds: &[Hold]) -> Vec<i64> {
    let scale = DrawCounts::of(paytable.wild().deck()).scale();
    let loss = |(deal, &hold): (&CanonicalDeal, &Hold)| {
        let values = sums.values(&deal.hand, Order::Anywhere);
        let worth = |hold: Hold| values[usize::from(hold)] * scale[usize::from(hold)];
        worth(sums.best(&deal.hand, Order::Anywhere)) - worth(hold)
    };
    deals(paytable).iter().zip(holds).map(loss).collect()
}

/// The sum over all deals of the squared pay of their hold over the common number of draws. The covariance of hands
/// drawn from one deal follows from it.
pub fn squares(paytable: &Paytable, sums: &HoldSums, plays: &[Play]) -> i128 {
    let square = |play: &Play| {
        let worth = i128::from(play.worth(paytable, sums));
        i128::from(play.deal.weight) * i128::from(play.orders) * worth * worth
    };
    plays.iter().map(square).sum()
}

/// The count of each row if all deals are played like this.
pub fn count(paytable: &Paytable, plays: &[Play]) -> RowCounts {
    let hands = paytable.hands();
    let deck = paytable.wild().deck();
    let scale = DrawCounts::of(deck).scale();
    let mut coefficients = [0, 1, 2, 3, 4].map(|size| vec![0i64; sets(deck, size)]);
    let mut by_kind = vec![0i64; hands.kinds.len()];
    let mut in_sequence = [0; 4];
    for play in plays {
        let hold = usize::from(play.hold);
        let numbers = subset_numbers(&play.deal.hand);
        let weight = i64::from(play.deal.weight) * i64::from(play.orders) * scale[hold];
        for set in (hold..32).filter(|set| set & hold == hold) {
            let size = set.count_ones();
            let sign = 1 - 2 * i64::from((size - play.hold.count_ones()) % 2);
            if size == 5 {
                by_kind[usize::from(hands.of[numbers[31] as usize])] += sign * weight;
            } else {
                coefficients[size as usize][numbers[set] as usize] += sign * weight;
            }
        }
        if play.directions > 0 {
            for (sum, found) in in_sequence.iter_mut().zip(play.in_sequence()) {
                *sum += weight * found;
            }
        }
    }
    // A set reaches each hand that contains it once for each order of the missing cards. Sets that lack k cards are
    // therefore weighted by 120 / k!, and all counts come out multiplied by 120. They stay below 10^18. Intermediate
    // sums may exceed that if orders are told apart, and are taken modulo 2^64.
    push::<1>(deck, &mut coefficients, 5);
    push::<2>(deck, &mut coefficients, 20);
    push::<3>(deck, &mut coefficients, 60);
    push::<4>(deck, &mut coefficients, 120);
    for count in &mut by_kind {
        *count = count.wrapping_mul(120);
    }
    add_from_smaller::<5>(deck, &coefficients[4], |hand, reached| {
        let count = &mut by_kind[usize::from(hands.of[hand])];
        *count = count.wrapping_add(reached);
    });
    let mut counts = vec![0; paytable.rows().len()];
    for (kind, count) in by_kind.into_iter().enumerate() {
        counts[paytable.row_of_kind(kind as u16)] += count / 120 * paytable.orders();
    }
    if let Some((row, _)) = paytable.sequential() {
        for (other, found) in paytable.royal_rows().into_iter().zip(in_sequence) {
            counts[row] += found;
            counts[other] -= found;
        }
    }
    counts
}

/// Weights the coefficients of the sets of `SIZE` cards and adds those of their subsets.
fn push<const SIZE: usize>(deck: u8, coefficients: &mut [Vec<i64>; 5], weight: i64) {
    let (smaller, larger) = coefficients.split_at_mut(SIZE);
    let (smaller, larger) = (&smaller[SIZE - 1], &mut larger[0]);
    add_from_smaller::<SIZE>(deck, smaller, |set, reached| {
        larger[set] = larger[set].wrapping_mul(weight).wrapping_add(reached);
    });
}

#[cfg(test)]
mod tests {
    use super::super::paytable::tests::paytable;
    use super::*;

    #[test]
    fn deals_stand_for_all() {
        let table = paytable([800, 50, 25, 9, 6, 4, 3, 2, 1], &[], "J");
        let deals = deals(&table);
        assert_eq!(deals.len(), 134_459);
        let all: usize = deals.iter().map(|deal| usize::from(deal.weight)).sum();
        assert_eq!(all, sets(52, 5));
        let mut numbers: Vec<u32> = deals.iter().map(|deal| subset_numbers(&deal.hand)[31]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 134_459);
        assert!(deals.iter().all(|deal| deal.hand.is_sorted()));
    }
}
