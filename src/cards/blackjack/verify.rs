//! Logged rounds of blackjack, verified: the first cards of the shoe, or the net win of the player's actions.

use super::replay::settle;
use super::rules::{Action, Rules};
use crate::cards::card::NO_CARD;
use crate::cards::verify::{Logged, Logs, expected_cards, is_open};
use crate::logs::column::{Cell, Column};
use crate::logs::findings::{Expected, Finding, Kind};
use crate::logs::lists::{Item, Items};
use crate::logs::number::{Number, trim_spaces};
use crate::schemes::Judge;

/// The maximum number of cards used in a round.
const MOST_CARDS: usize = 64;
/// The number of cards shown as expected if the logged cards can't be parsed.
const SHOWN_CARDS: usize = 20;

/// Verifies rounds at a blackjack table.
pub struct Table<'a> {
    /// The rules by which hands are settled.
    pub rules: &'a Rules,
    /// The columns of the log.
    pub logs: Logs<'a>,
}

impl Judge for Table<'_> {
    fn judge(&self, row: usize, dealt: &[i64], items: &mut Items) -> Option<(Finding, bool)> {
        let logs = &self.logs;
        let finding = match logs.read(row, items) {
            Logged::Cards { cards, named } if cards.len() <= dealt.len() => {
                logs.compare(row, &cards, named, &dealt[..cards.len()])
            }
            Logged::Cards { .. } if logs.has_more(dealt) => return None,
            // A log may have more cells than a digest has cards.
            Logged::Cards { cards, named } if cards.len() <= logs.pack.size() && !is_open(dealt) => {
                let mut padded = dealt.to_vec();
                padded.resize(cards.len(), NO_CARD.into());
                logs.compare(row, &cards, named, &padded)
            }
            Logged::Number(number) => match self.net(row, dealt, items) {
                Ok(net) => {
                    let (below, exact) = (self.rules.units(), matches!(number, Number::Ratio { .. }));
                    let expected = Expected::Ratio { above: net, below, exact };
                    logs.agrees(row, number.is_ratio(net, below), expected)
                }
                Err(Kind::Malformed) if logs.has_more(dealt) => return None,
                Err(kind) => logs.of_choice(row, kind),
            },
            other => {
                let kind = if let Logged::Unreadable(kind) = other { kind } else { Kind::Malformed };
                let net = logs.choice.1.as_ref().map(|_| self.net(row, dealt, items));
                let expected = match net {
                    None => expected_cards(&dealt[..SHOWN_CARDS.min(dealt.len())]),
                    Some(Err(Kind::Malformed)) if logs.has_more(dealt) => return None,
                    Some(net) => net.map_or(Expected::Nothing, |above| Expected::Ratio {
                        above,
                        below: self.rules.units(),
                        exact: false,
                    }),
                };
                logs.of_outcome(row, kind, expected)
            }
        };
        Some((finding, false))
    }
}

impl Table<'_> {
    /// The net win of the player's actions, in units, or the kind of mistake: illegal actions, or too few cards.
    fn net(&self, row: usize, dealt: &[i64], items: &mut Items) -> Result<i64, Kind> {
        let mut actions = Vec::with_capacity(8);
        let choice = self.logs.choice.1.as_ref();
        let read = choice.map_or(Ok(()), |column| read(column, row, items, &mut actions));
        let blank = actions.is_empty() && read.is_ok();
        let mut cards = [0; MOST_CARDS];
        let count = self.logs.pack.at_table(dealt, &mut cards);
        let net = read.ok().and_then(|()| settle(self.rules, &cards[..count], &actions));
        net.ok_or(if blank { Kind::Missing } else { Kind::Malformed })
    }
}

/// Parses actions: a list, a JSON list, or words separated by commas or spaces.
fn read(column: &Column<'_>, row: usize, items: &mut Items, actions: &mut Vec<Action>) -> Result<(), Kind> {
    let action = |word: &[u8]| Action::ALL.iter().copied().find(|action| action.word().as_bytes() == word);
    let cell = column.read(row, items);
    if let Cell::Text(text) = cell
        && !trim_spaces(text).starts_with(b"[")
    {
        let text = std::str::from_utf8(text).map_err(|_| Kind::Malformed)?;
        for word in text.split([',', ' ', '\t', '\n', '\r', '\x0b', '\x0c']).filter(|word| !word.is_empty()) {
            actions.push(action(word.as_bytes()).ok_or(Kind::Malformed)?);
        }
        return Ok(());
    }
    if cell.is_blank() {
        return Ok(());
    }
    if !cell.is_list(items) || !items.is_flat() {
        return Err(Kind::Malformed);
    }
    for item in &items.list {
        let Item::Text(range) = item else { return Err(Kind::Malformed) };
        actions.push(action(items.text(range)).ok_or(Kind::Malformed)?);
    }
    Ok(())
}
