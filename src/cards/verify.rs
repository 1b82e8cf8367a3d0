//! Verification of logged rounds at tables: the parts that all card games share.

use super::Pack;
use crate::logs::column::{Cell, Column};
use crate::logs::findings::{Expected, Finding, Verdict};
use crate::logs::lists::{Item, Items};
use crate::logs::number::{Number, trim_spaces};

/// The columns of a log of card games.
pub struct CardLog<'a> {
    /// The pack that the cards come from.
    pub pack: &'a Pack,
    /// The outcome's field number, and the outcomes as logged.
    pub outcome: (u8, Column<'a>),
    /// The field number of the player's choices, with its column if the log has one.
    pub choice: (u8, Option<Column<'a>>),
    /// The number of cards of an outcome.
    pub cards: usize,
    /// Whether more cards can be computed than were passed.
    pub open: bool,
    /// Whether to report correct rows as well, with the expected outcomes.
    pub every: bool,
}

impl CardLog<'_> {
    /// A finding about a row's outcome.
    pub fn of_outcome(&self, row: usize, verdict: Verdict, expected: Expected) -> Finding {
        Finding { row, field: self.outcome.0, verdict, expected }
    }

    /// The finding for an outcome that was compared with the recomputed one.
    pub fn agrees(&self, row: usize, same: bool, expected: Expected) -> Finding {
        self.of_outcome(row, if same { Verdict::Right } else { Verdict::Mismatch }, expected)
    }

    /// The finding for an invalid choice of the player.
    pub fn of_choice(&self, row: usize, verdict: Verdict, expected: Expected) -> Finding {
        Finding { row, field: self.choice.0, verdict, expected }
    }

    /// Whether a round that lacks cards could get more.
    pub fn has_more(&self, dealt: &[i64]) -> bool {
        self.open && is_open(dealt)
    }

    /// Compares logged cards with those dealt. If names are logged, cards of one name are equal.
    pub fn compare(&self, row: usize, logged: &[i64], named: bool, dealt: &[i64]) -> Finding {
        let dealt = dealt.iter().map(|&number| if named { self.pack.first(number) } else { number });
        let same = dealt.clone().eq(logged.iter().copied());
        // Most rows are correct, and then expected cards are only written if asked for.
        if same && !self.every {
            return self.of_outcome(row, Verdict::Right, Expected::Nothing);
        }
        self.agrees(row, same, expected_cards(&dealt.collect::<Vec<_>>()))
    }

    /// Parses a row's outcome: cards by number or name (in a list, a JSON list or separated by spaces), or a number.
    pub fn read(&self, row: usize, items: &mut Items) -> Logged {
        let cell = self.outcome.1.read(row, items);
        let bad = Logged::Unreadable(if cell.is_blank() { Verdict::Missing } else { Verdict::Malformed });
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

    /// Parses a list of cards.
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
            Some(cards) if cards.is_empty() => Logged::Unreadable(Verdict::Missing),
            Some(cards) if items.is_flat() => {
                let first = |number| if named { self.pack.first(number) } else { number };
                Logged::Cards { cards: cards.into_iter().map(first).collect(), named }
            }
            _ => Logged::Unreadable(Verdict::Malformed),
        }
    }
}

/// A word of a cell with a player's decisions, or an item of its list.
#[derive(Clone, Copy, Debug)]
pub enum Word<'a> {
    /// A text without blanks and commas around it.
    Text(&'a str),
    /// A number in a list.
    Number(Number),
    /// A number that is the cell.
    Alone(Number),
    /// A boolean.
    Truth(bool),
}

/// Calls `take` with the words of a cell: the items of a list, of a list as JSON or Python writes it, or what commas
/// and blanks separate. Returns whether there is anything in the cell; `None` if it, or a word, can't be read.
pub fn each_word(
    cell: &Cell<'_>,
    items: &mut Items,
    mut take: impl FnMut(Word<'_>) -> Option<()>,
) -> Option<bool> {
    if cell.is_blank() {
        return Some(false);
    }
    if let Cell::Number(number) = cell {
        return take(Word::Alone(*number)).map(|()| true);
    }
    if !cell.is_list(items) {
        let Cell::Text(text) = cell else { return None };
        let text = std::str::from_utf8(trim_spaces(text)).ok()?;
        let inside = text.strip_prefix('[').map_or(Some(text), |rest| rest.strip_suffix(']'))?;
        let quotes = if inside.len() < text.len() { "'\"" } else { "" };
        let apart = |letter: char| letter == ',' || letter.is_whitespace() || quotes.contains(letter);
        let mut words = inside.split(apart).filter(|word| !word.is_empty()).peekable();
        if quotes.is_empty() {
            words.peek()?;
        }
        return words.try_for_each(|word| take(Word::Text(word))).map(|()| true);
    }
    if !items.is_flat() {
        return None;
    }
    for item in &items.list {
        take(match item {
            Item::Text(range) => Word::Text(std::str::from_utf8(items.text(range)).ok()?.trim()),
            Item::Number(number) => Word::Number(*number),
            Item::Truth(held) => Word::Truth(*held),
            Item::Digits(_) | Item::Other => return None,
        })?;
    }
    Some(true)
}

/// A logged outcome.
pub enum Logged {
    /// Cards, as numbers of the pack.
    Cards {
        /// The cards in the order logged.
        cards: Vec<i64>,
        /// Whether any card was logged by name; its number is then the first one with that name.
        named: bool,
    },
    /// The amount paid or won.
    Number(Number),
    /// Neither cards nor a number.
    Unreadable(Verdict),
}

/// Whether more cards could follow: the deal doesn't end because a digest ran out.
pub fn is_open(dealt: &[i64]) -> bool {
    dealt.last().is_none_or(|&card| card >= 0)
}

/// Cards as the expected outcome.
pub fn expected_cards(cards: &[i64]) -> Expected {
    Expected::Cells { cells: cards.into(), shape: [cards.len()].into() }
}
