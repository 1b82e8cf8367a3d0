//! Hands of a log, recomputed: the ten cards, the final five, or what they pay.

use super::holds::{Hold, HoldSums};
use super::paytable::Paytable;
use super::play::{Cards, best_hold, deck, draw, row};
use crate::crypto_games::deal::{Hash, deal};
use crate::crypto_games::verify::{Judgment, Log, Logged, Scratch, expected_cards, outcome};
use crate::logs::column::Column;
use crate::logs::findings::{Expected, Kind};
use crate::logs::lists::{Item, Items};
use crate::logs::number::Number;

/// The game of a log.
pub struct Game<'a, Sums: Fn() -> &'a HoldSums + Sync> {
    pub paytable: &'a Paytable,
    /// Units of a bet: pays are whole numbers of them.
    pub unit: i64,
    /// What holds are worth, where a log leaves them out.
    pub sums: Sums,
}

impl<'a, Sums: Fn() -> &'a HoldSums + Sync> Game<'a, Sums> {
    /// Recomputes a row.
    pub fn judge(&self, log: &Log<'_>, at: usize, hash: &Hash, scratch: &mut Scratch) -> Judgment {
        let mut cards: Cards = [0; 10];
        let deck = deck(self.paytable);
        deal(hash, deck, &mut cards);
        let hold = match log.choice.1.as_ref().map_or(Ok(None), |column| read(column, at, &mut scratch.items))
        {
            Ok(hold) => hold,
            Err(kind) => return Judgment::of_choice(kind),
        };
        let final_hand = || draw(&cards, hold.unwrap_or_else(|| best_hold((self.sums)(), &cards)));
        let logged = outcome(&log.outcome.1, at, deck, &mut scratch.items, &mut scratch.logged);
        let judgment = match logged {
            Logged::Unreadable(kind) => return Judgment::of_outcome(kind, expected_cards(&cards)),
            Logged::Cards { named } => {
                let as_logged = |card| if named { deck.namesake(card) } else { card };
                match scratch.logged.len() {
                    10 => {
                        let cards = cards.map(as_logged);
                        return Judgment::agrees(scratch.logged == cards, expected_cards(&cards));
                    }
                    5 => {
                        let hand = final_hand().map(as_logged);
                        Judgment::agrees(scratch.logged == hand, expected_cards(&hand))
                    }
                    _ => return Judgment::of_outcome(Kind::Malformed, expected_cards(&cards)),
                }
            }
            Logged::Number(number) => match row(self.paytable, final_hand()) {
                Some(row) => {
                    let above = self.paytable.rows()[row].pays;
                    let exact = matches!(number, Number::Ratio { .. });
                    let expected = Expected::Ratio { above, below: self.unit, exact };
                    Judgment::agrees(number.is_ratio(above, self.unit), expected)
                }
                // The hash ran out: no pay is right.
                None => Judgment::agrees(false, Expected::Nothing),
            },
        };
        Judgment { assumed: hold.is_none(), ..judgment }
    }
}

/// Reads a hold: five booleans or positions from 1, as a list or as JSON; nothing where a cell is empty.
fn read(column: &Column<'_>, row: usize, items: &mut Items) -> Result<Option<Hold>, Kind> {
    let cell = column.read(row, items);
    if cell.is_blank() {
        return Ok(None);
    }
    if !cell.is_list(items) || !items.is_flat() {
        return Err(Kind::Malformed);
    }
    let truths = items.list.iter().filter(|item| matches!(item, Item::Truth(_))).count();
    let mut hold = 0;
    for (place, item) in items.list.iter().enumerate() {
        let bit = match item {
            Item::Truth(held) if truths == 5 && items.list.len() == 5 => u8::from(*held) << place,
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
