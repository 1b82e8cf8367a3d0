//! Logged hands of video poker, verified: the ten cards, the final five, or their pay.

use super::holds::{Hold, HoldSums};
use super::paytable::Paytable;
use super::play::{RoundCards, best_hold, draw, row as row_of};
use crate::cards::verify::{CardLog, Logged, expected_cards};
use crate::logs::column::Column;
use crate::logs::findings::{Expected, SettledHand, Verdict};
use crate::logs::lists::{Item, Items};
use crate::logs::number::Number;
use crate::schemes::{Judge, Judgment};

/// Verifies hands at a machine with a paytable.
pub struct PokerJudge<'a, Sums: Fn() -> &'a HoldSums + Sync> {
    /// The paytable of the machine.
    pub paytable: &'a Paytable,
    /// The number of units in a bet; pays are whole numbers of units.
    pub unit: i64,
    /// The values of holds, for logs without the player's holds.
    pub sums: Sums,
    /// The columns of the log.
    pub log: CardLog<'a>,
}

impl<'a, Sums: Fn() -> &'a HoldSums + Sync> Judge for PokerJudge<'a, Sums> {
    fn judge(&self, row: usize, dealt: &[i64], items: &mut Items) -> Option<Judgment> {
        let log = &self.log;
        let only =
            |finding| Some(Judgment { finding, assumed: false, partial: false, unplayed: false, hand: None });
        let Some(numbers) = dealt.first_chunk::<10>() else {
            return only(log.of_outcome(row, Verdict::Malformed, Expected::Nothing));
        };
        let cards: RoundCards = log.pack.told_apart(numbers);
        let hold = match log.choice.1.as_ref().map_or(Ok(None), |column| read(column, row, items)) {
            Ok(hold) => hold,
            Err(verdict) => return only(log.of_choice(row, verdict)),
        };
        let logged = log.read(row, items);
        // Ten cards and no hold leave open what was held; elsewhere the best one is assumed.
        let held = match (&logged, hold) {
            (_, Some(hold)) => Some(hold),
            (Logged::Cards { cards: logged, .. }, None) if logged.len() != 5 => None,
            (Logged::Unreadable(_), None) => None,
            _ => Some(best_hold((self.sums)(), &cards).unwrap_or(0)),
        };
        let pays = held.and_then(|held| row_of(self.paytable, draw(&cards, held)));
        let pays = pays.map(|paid| self.paytable.rows()[paid].pays);
        let finding = match (logged, held) {
            (Logged::Cards { cards: logged, named }, _) if logged.len() == 10 => {
                log.compare(row, &logged, named, numbers)
            }
            (Logged::Cards { cards: logged, named }, Some(held)) if logged.len() == 5 => {
                log.compare(row, &logged, named, &draw(numbers, held))
            }
            (Logged::Number(number), _) => match pays {
                Some(above) => {
                    let exact = matches!(number, Number::Ratio { .. });
                    let expected = Expected::Ratio { above, below: self.unit, exact };
                    log.agrees(row, number.is_ratio(above, self.unit), expected)
                }
                // The round has too few cards, so no pay is correct.
                None => log.agrees(row, false, Expected::Nothing),
            },
            (Logged::Unreadable(verdict), _) => log.of_outcome(row, verdict, expected_cards(numbers)),
            (Logged::Cards { .. }, _) => log.of_outcome(row, Verdict::Malformed, expected_cards(numbers)),
        };
        let hand = pays.map(|returned| SettledHand { row, returned, staked: self.unit });
        let assumed = held.is_some() && hold.is_none();
        Some(Judgment { finding, assumed, partial: false, unplayed: false, hand })
    }
}

/// Parses a hold: five booleans or positions from 1, as a list or JSON; `None` for an empty cell.
fn read(column: &Column<'_>, row: usize, items: &mut Items) -> Result<Option<Hold>, Verdict> {
    let cell = column.read(row, items);
    if cell.is_blank() {
        return Ok(None);
    }
    if !cell.is_list(items) || !items.is_flat() {
        return Err(Verdict::Malformed);
    }
    let truths = items.list.len() == 5 && items.list.iter().all(|item| matches!(item, Item::Truth(_)));
    let mut hold = 0;
    for (place, item) in items.list.iter().enumerate() {
        let bit = match item {
            Item::Truth(held) if truths => u8::from(*held) << place,
            Item::Number(number) => match number.as_whole() {
                Some(position @ 1..=5) if hold >> (position - 1) & 1 == 0 => 1 << (position - 1),
                _ => return Err(Verdict::Malformed),
            },
            _ => return Err(Verdict::Malformed),
        };
        hold |= bit;
    }
    Ok(Some(hold))
}
