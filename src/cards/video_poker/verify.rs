//! Logged hands of video poker, verified: the ten cards, the final five, or their pay.

use super::holds::{Hold, HoldSums};
use super::paytable::Paytable;
use super::play::{Cards, best_hold, draw, row as row_of};
use crate::cards::verify::{Logged, Logs, expected_cards};
use crate::logs::column::Column;
use crate::logs::findings::{Expected, Finding, Kind};
use crate::logs::lists::{Item, Items};
use crate::logs::number::Number;
use crate::schemes::Judge;

/// Verifies hands at a machine with a paytable.
pub struct Table<'a, Sums: Fn() -> &'a HoldSums + Sync> {
    /// The paytable of the machine.
    pub paytable: &'a Paytable,
    /// The number of units in a bet; pays are whole numbers of units.
    pub unit: i64,
    /// The values of holds, for logs without the player's holds.
    pub sums: Sums,
    /// The columns of the log.
    pub logs: Logs<'a>,
}

impl<'a, Sums: Fn() -> &'a HoldSums + Sync> Judge for Table<'a, Sums> {
    fn judge(&self, row: usize, dealt: &[i64], items: &mut Items) -> Option<(Finding, bool)> {
        let logs = &self.logs;
        let Some(numbers) = dealt.first_chunk::<10>() else {
            return Some((logs.of_outcome(row, Kind::Malformed, Expected::Nothing), false));
        };
        let cards: Cards = logs.pack.told_apart(numbers);
        let hold = match logs.choice.1.as_ref().map_or(Ok(None), |column| read(column, row, items)) {
            Ok(hold) => hold,
            Err(kind) => return Some((logs.of_choice(row, kind), false)),
        };
        let held = || hold.unwrap_or_else(|| best_hold((self.sums)(), &cards).unwrap_or(0));
        let finding = match logs.read(row, items) {
            Logged::Unreadable(kind) => {
                return Some((logs.of_outcome(row, kind, expected_cards(numbers)), false));
            }
            Logged::Cards { cards: logged, named } => match logged.len() {
                10 => return Some((logs.compare(row, &logged, named, numbers), false)),
                5 => logs.compare(row, &logged, named, &draw(numbers, held())),
                _ => {
                    return Some((logs.of_outcome(row, Kind::Malformed, expected_cards(numbers)), false));
                }
            },
            Logged::Number(number) => match row_of(self.paytable, draw(&cards, held())) {
                Some(paid) => {
                    let above = self.paytable.rows()[paid].pays;
                    let exact = matches!(number, Number::Ratio { .. });
                    let expected = Expected::Ratio { above, below: self.unit, exact };
                    logs.agrees(row, number.is_ratio(above, self.unit), expected)
                }
                // The round has too few cards, so no pay is correct.
                None => logs.agrees(row, false, Expected::Nothing),
            },
        };
        Some((finding, hold.is_none()))
    }
}

/// Parses a hold: five booleans or positions from 1, as a list or JSON; `None` for an empty cell.
fn read(column: &Column<'_>, row: usize, items: &mut Items) -> Result<Option<Hold>, Kind> {
    let cell = column.read(row, items);
    if cell.is_blank() {
        return Ok(None);
    }
    if !cell.is_list(items) || !items.is_flat() {
        return Err(Kind::Malformed);
    }
    let truths = items.list.len() == 5 && items.list.iter().all(|item| matches!(item, Item::Truth(_)));
    let mut hold = 0;
    for (place, item) in items.list.iter().enumerate() {
        let bit = match item {
            Item::Truth(held) if truths => u8::from(*held) << place,
            Item::Number(number) => match number.as_whole() {
                Some(position @ 1..=5) if hold >> (position - 1) & 1 == 0 => 1 << (position - 1),
                _ => return Err(Kind::Malformed),
            },
            _ => return Err(Kind::Malformed),
        };
        hold |= bit;
    }
    Ok(Some(hold))
}
