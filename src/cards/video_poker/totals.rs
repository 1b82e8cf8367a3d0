//! The distribution of the total pay of several hands that are drawn from one hold, each from its own deck.
//!
//! Given the deal the hands are independent, so the numbers of ways to each total are powers of one hand's, as
//! polynomials. Deals whose holds have the same number of draws to each pay are computed together; there are a few
//! thousand classes of them.

use std::collections::BTreeMap;

use super::analysis::Play;
use super::deck::DrawCounts;
use super::holds::HoldSums;
use super::paytable::Paytable;
use crate::error::Result;
use crate::parallel::{self, Tick};

/// A whole number of up to 384 bits, lowest word first.
pub type U384 = [u64; 6];

/// Total pays, with the number of ways to each.
pub struct Totals {
    /// The total pays, increasing.
    pub values: Vec<i64>,
    /// By the number of cards held: the number of ways to each total, over all deals and draws in all orders. Each
    /// hand contributes a factor of [`DrawCounts::ways`] times [`Paytable::orders`].
    pub ways: [Vec<U384>; 6],
}

/// Computes the distribution for up to ten hands, whose numbers of ways fit in 384 bits.
pub fn totals(
    paytable: &Paytable,
    plays: &[Play],
    hands: usize,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<Totals> {
    let mut pays: Vec<i64> = paytable.rows().iter().map(|row| row.pays).collect();
    pays.sort_unstable();
    pays.dedup();
    let classes: Vec<_> = classes(paytable, plays, &pays).into_iter().collect();

    // The totals of 0, 1, ... hands, and the index of each total plus one more hand's pay.
    let mut values = vec![0];
    let mut steps: Vec<(Vec<usize>, usize)> = Vec::with_capacity(hands);
    for _ in 0..hands {
        let sums: Vec<i64> =
            values.iter().flat_map(|value| pays.iter().map(move |pay| value + pay)).collect();
        values = sums.clone();
        values.sort_unstable();
        values.dedup();
        let places = sums.iter().map(|sum| values.binary_search(sum).unwrap_or_default()).collect();
        steps.push((places, values.len()));
    }

    let none = || std::array::from_fn::<_, 6, _>(|_| vec![[0; 6]; values.len()]);
    let work = |ways: &mut [Vec<U384>; 6], part: &[(Class, u64)]| {
        for ((held, counts), weight) in part {
            let mut found = vec![[1, 0, 0, 0, 0, 0]];
            let bits = 64 - counts.iter().sum::<i64>().leading_zeros() as usize;
            for (step, (places, length)) in steps.iter().enumerate() {
                let mut next = vec![[0; 6]; *length];
                let words = (step + 1) * bits / 64 + 1;
                for (known, places) in found.iter().zip(places.chunks_exact(pays.len())) {
                    if known.iter().any(|&word| word > 0) {
                        for (&place, &count) in places.iter().zip(counts).filter(|(_, count)| **count > 0) {
                            add_product(&mut next[place][..words], &known[..words], count as u64);
                        }
                    }
                }
                found = next;
            }
            for (sum, found) in ways[*held as usize].iter_mut().zip(&found) {
                add_product(sum, found, *weight);
            }
        }
        part.len() as u64
    };
    let threads = parallel::threads(threads, classes.len(), CLASSES_AT_A_TIME);
    let parts = parallel::run(classes.chunks(CLASSES_AT_A_TIME), threads, tick, none, work)?;
    let mut ways = none();
    for part in &parts {
        for (sums, found) in ways.iter_mut().zip(part) {
            for (sum, found) in sums.iter_mut().zip(found) {
                add_product(sum, found, 1);
            }
        }
    }
    Ok(Totals { values, ways })
}

/// Classes that a thread takes at a time.
const CLASSES_AT_A_TIME: usize = 64;

/// The number of cards held, and the number of draws to each of the pays.
type Class = (u32, Vec<i64>);

/// The number of deals in each class, counting their orders.
fn classes(paytable: &Paytable, plays: &[Play], pays: &[i64]) -> BTreeMap<Class, u64> {
    let by_kind = paytable.pays();
    let level = |pay: i64| pays.binary_search(&pay).unwrap_or_default();
    let royal = paytable.royal_rows().map(|row| level(paytable.rows()[row].pays));
    let sequential = paytable.sequential().map_or(0, |(row, _)| level(paytable.rows()[row].pays));
    let draws = DrawCounts::of(paytable.wild().deck()).ways;
    // The lowest pay is that of all remaining draws.
    let mut counts = vec![vec![0; pays.len()]; plays.len()];
    for (level, &pay) in pays.iter().enumerate().skip(1) {
        let sums = HoldSums::of(paytable, by_kind.iter().map(|&other| i64::from(other == pay)).collect());
        for (counts, play) in counts.iter_mut().zip(plays) {
            counts[level] =
                sums.values_without_order(&play.deal.hand)[usize::from(play.hold)] * paytable.orders();
        }
    }
    let mut classes = BTreeMap::new();
    for (mut counts, play) in counts.into_iter().zip(plays) {
        let held = play.hold.count_ones();
        counts[0] = draws[held as usize] * paytable.orders() - counts.iter().sum::<i64>();
        for (found, royal) in play.in_sequence().into_iter().zip(royal) {
            counts[royal] -= found;
            counts[sequential] += found;
        }
        *classes.entry((held, counts)).or_default() += u64::from(play.deal.weight) * u64::from(play.orders);
    }
    classes
}

/// Adds a product to a sum.
fn add_product(sum: &mut [u64], value: &[u64], times: u64) {
    let mut carry = 0_u128;
    for (sum, &word) in sum.iter_mut().zip(value) {
        carry += u128::from(*sum) + u128::from(word) * u128::from(times);
        *sum = carry as u64;
        carry >>= 64;
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::{best_plays, count, deals};
    use super::super::paytable::tests::paytable;
    use super::*;
    use crate::parallel::no_tick;

    #[test]
    fn one_hand_has_the_counts_of_the_analysis() {
        let table = paytable([800, 50, 25, 9, 6, 4, 3, 2, 1], &[], "J");
        let plays = best_plays(&table, &HoldSums::new(&table));
        let found = totals(&table, &plays, 1, Some(2), &mut no_tick).unwrap();
        assert_eq!(found.values, [0, 1, 2, 3, 4, 6, 9, 25, 50, 800]);
        let draws = DrawCounts::of(52);
        let mut expected = count(&table, &plays);
        expected.reverse();
        for (place, expected) in expected.into_iter().enumerate() {
            let scale = |held: usize| draws.common / draws.ways[held];
            let sum: i64 = (0..6).map(|held| found.ways[held][place][0] as i64 * scale(held)).sum();
            assert_eq!(sum, expected);
        }
        assert!(classes(&table, &plays, &found.values).len() < deals(&table).len() / 10);
    }

    #[test]
    fn carries_reach_the_highest_word() {
        let mut sum = [u64::MAX, u64::MAX, u64::MAX, u64::MAX, u64::MAX, 0];
        add_product(&mut sum, &[1, 0, 0, 0, 0, 0], 1);
        assert_eq!(sum, [0, 0, 0, 0, 0, 1]);
        add_product(&mut sum, &[u64::MAX, 0, 0, 0, 0, 0], u64::MAX);
        assert_eq!(sum, [1, u64::MAX - 1, 0, 0, 0, 1]);
    }
}
