//! Rounds of card games, compared with a log: what tables have in common.

use super::Pack;
use crate::logs::column::{Cell, Column};
use crate::logs::findings::{Expected, Finding, Kind};
use crate::logs::lists::{Item, Items};
use crate::logs::number::Number;

/// The columns of a log of rounds at a table.
pub struct Logs<'a> {
    /// The pack that the cards are of.
    pub pack: &'a Pack,
    /// The number of the outcomes' field, and what is logged.
    pub outcome: (u8, Column<'a>),
    /// The same of what the player did, where the log has it.
    pub choice: (u8, Option<Column<'a>>),
    /// Whether more cards can be had than are given.
    pub open: bool,
    /// Whether rows that are right are reported as well, with what was expected of them.
    pub every: bool,
}

impl Logs<'_> {
    /// The finding of a row's outcome.
    pub fn of_outcome(&self, row: usize, kind: Kind, expected: Expected) -> Finding {
        Finding { row, field: self.outcome.0, kind, expected }
    }

    /// Of an outcome that is what was recomputed, or not.
    pub fn agrees(&self, row: usize, same: bool, expected: Expected) -> Finding {
        self.of_outcome(row, if same { Kind::Right } else { Kind::Mismatch }, expected)
    }

    /// Of what the player did, which can't be.
    pub fn of_choice(&self, row: usize, kind: Kind) -> Finding {
        Finding { row, field: self.choice.0, kind, expected: Expected::Nothing }
    }

    /// Whether a round that lacks cards may have more.
    pub fn has_more(&self, dealt: &[i64]) -> bool {
        self.open && is_open(dealt)
    }

    /// Compares logged cards with those dealt, of which those of one name are alike where a name is logged.
    pub fn compare(&self, row: usize, logged: &[i64], named: bool, dealt: &[i64]) -> Finding {
        let dealt = dealt.iter().map(|&number| if named { self.pack.first(number) } else { number });
        let same = dealt.clone().eq(logged.iter().copied());
        // Nearly all rows are right, and nobody asks what they should have been.
        if same && !self.every {
            return self.of_outcome(row, Kind::Right, Expected::Nothing);
        }
        self.agrees(row, same, expected_cards(&dealt.collect::<Vec<_>>()))
    }

    /// Reads the outcome of a row: cards by number or name, in a list, a JSON list or between spaces; or a number.
    pub fn read(&self, row: usize, items: &mut Items) -> Logged {
        let cell = self.outcome.1.read(row, items);
        let bad = Logged::Unreadable(if cell.is_blank() { Kind::Missing } else { Kind::Malformed });
        match cell {
            Cell::Number(number) => Logged::Number(number),
            Cell::Digits(_) => Logged::Number(Number::Beyond),
            Cell::Text(text) => {
                if let Some(number) = Number::parse(text).or_else(|| Number::parse_ratio(text)) {
                    return Logged::Number(number);
                }
                let Ok(text) = std::str::from_utf8(text) else { return bad };
                if text.trim_start().starts_with('[') {
                    return if items.parse(text.as_bytes()) { self.listed(items) } else { bad };
                }
                match text.split_whitespace().map(|name| self.pack.parse(name).ok()).collect() {
                    Some(cards) if !text.trim().is_empty() => Logged::Cards { cards, named: true },
                    _ => bad,
                }
            }
            Cell::List => self.listed(items),
            Cell::Missing | Cell::Other => bad,
        }
    }

    /// The cards of a list.
    fn listed(&self, items: &Items) -> Logged {
        let mut named = false;
        let card = |item: &Item| match item {
            Item::Number(number) => number.as_whole().and_then(|card| i64::try_from(card).ok()),
            Item::Text(range) => {
                named = true;
                let name = std::str::from_utf8(items.text(range)).ok();
                name.and_then(|name| self.pack.parse(name).ok())
            }
            _ => None,
        };
        let cards: Option<Vec<i64>> = items.list.iter().map(card).collect();
        match cards {
            Some(cards) if cards.is_empty() => Logged::Unreadable(Kind::Missing),
            Some(cards) if items.is_flat() => {
                let first = |number| if named { self.pack.first(number) } else { number };
                Logged::Cards { cards: cards.into_iter().map(first).collect(), named }
            }
            _ => Logged::Unreadable(Kind::Malformed),
        }
    }
}

/// An outcome as it is logged.
pub enum Logged {
    /// Cards, by their numbers in the pack.
    Cards {
        /// The cards in the order logged.
        cards: Vec<i64>,
        /// Whether any of them has a name. Others may have the same: each is then the first that has it.
        named: bool,
    },
    /// The amounts paid or won.
    Number(Number),
    /// Neither.
    Unreadable(Kind),
}

/// Whether cards don't end with those of a digest that is used up.
pub fn is_open(dealt: &[i64]) -> bool {
    dealt.last().is_none_or(|&card| card >= 0)
}

/// Cards as what was expected.
pub fn expected_cards(cards: &[i64]) -> Expected {
    Expected::Cells { cells: cards.into(), shape: [cards.len()].into() }
}
