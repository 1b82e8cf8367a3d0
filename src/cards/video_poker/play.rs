//! Rounds of video poker: ten cards, of which five are dealt and the others are draws.

use super::holds::{BadHand, Hold, HoldSums, Order, check_hand};
use super::paytable::Paytable;
use crate::cards::card::NO_CARD;
use crate::error;
use crate::parallel::{self, Tick};

/// Rounds that a thread plays at a time.
pub const ROUNDS_AT_A_TIME: usize = 1024;

/// The cards of a round: the deal, then the draws; -1 where the hash ran out.
pub type RoundCards = [i64; 10];

/// The hand after the draw: discards are replaced from left to right by the sixth and further cards. A card is -1 if
/// the hash ran out before it.
pub fn draw(cards: &RoundCards, hold: Hold) -> [i64; 5] {
    let mut next = cards[5..].iter();
    std::array::from_fn(|place| match hold >> place & 1 {
        1 => cards[place],
        _ => next.next().copied().unwrap_or(i64::from(NO_CARD)),
    })
}

/// The paytable's row for a final hand; `None` if a card is missing.
pub fn row(paytable: &Paytable, hand: [i64; 5]) -> Option<usize> {
    let hand = check_hand(hand, paytable.wild()).ok()?;
    Some(paytable.row(&hand))
}

/// The best hold of a round; no cards if the hash ran out during the deal.
pub fn best_hold(sums: &HoldSums, cards: &RoundCards) -> Result<Hold, BadHand> {
    let [first, second, third, fourth, fifth, ..] = *cards;
    match check_hand([first, second, third, fourth, fifth], sums.wild()) {
        Ok(hand) => Ok(sums.best(&hand, Order::Given)),
        Err(BadHand::NoCard) => Ok(0),
        Err(bad) => Err(bad),
    }
}

/// The count of each row in rounds, with the best holds or one hold for all. Rounds with missing cards aren't
/// counted.
pub fn tally(
    paytable: &Paytable,
    sums: &HoldSums,
    rounds: &[RoundCards],
    hold: Option<Hold>,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> error::Result<Vec<u64>> {
    let rows = paytable.rows().len();
    let work = |counts: &mut Vec<u64>, rounds: &[RoundCards]| {
        for cards in rounds {
            let hold = hold.unwrap_or_else(|| best_hold(sums, cards).unwrap_or(0));
            if let Some(row) = row(paytable, draw(cards, hold)) {
                counts[row] += 1;
            }
        }
        rounds.len() as u64
    };
    let threads = parallel::threads(threads, rounds.len(), ROUNDS_AT_A_TIME);
    let parts = rounds.chunks(ROUNDS_AT_A_TIME);
    let counts = parallel::run(parts, threads, tick, || vec![0; rows], work)?;
    Ok((0..rows).map(|row| counts.iter().map(|counts| counts[row]).sum()).collect())
}

#[cfg(test)]
mod tests {
    use super::super::paytable::tests::paytable;
    use super::*;
    use crate::parallel::no_tick;

    const CARDS: RoundCards = [49, 17, 46, 39, 40, 28, 30, 36, 21, 44];

    #[test]
    fn the_documents_hand_draws_to_a_pair_of_jacks() {
        let table = paytable([500, 75, 20, 9, 6, 4, 3, 2, 1], &[], "J");
        let hand = draw(&CARDS, 0b01001);
        assert_eq!(hand, [49, 28, 30, 39, 36]);
        let row = row(&table, hand).unwrap();
        assert_eq!((table.rows()[row].name.as_str(), table.rows()[row].pays), ("jacks or better", 1));
    }

    #[test]
    fn a_missing_card_matters_only_where_it_is_needed() {
        let table = paytable([500, 75, 20, 9, 6, 4, 3, 2, 1], &[], "J");
        let short = [49, 17, 46, 39, 40, 28, -1, -1, -1, -1];
        assert!(row(&table, draw(&short, 0b11101)).is_some());
        assert_eq!(row(&table, draw(&short, 0b01101)), None);
    }

    #[test]
    fn tallies_do_not_depend_on_threads_and_leave_out_what_lacks_cards() {
        let table = paytable([500, 75, 20, 9, 6, 4, 3, 2, 1], &[], "J");
        let sums = HoldSums::new(&table);
        let rounds: Vec<_> = (0..5000).map(|first| CARDS.map(|card| (card * 7 + first) % 52)).collect();
        let count = |threads| tally(&table, &sums, &rounds, None, Some(threads), &mut no_tick).unwrap();
        assert_eq!(count(1), count(3));
        assert_eq!(count(1).iter().sum::<u64>(), 5000);
        let none = tally(&table, &sums, &[[-1; 10]; 3], None, None, &mut no_tick).unwrap();
        assert_eq!(none.iter().sum::<u64>(), 0);
    }
}
