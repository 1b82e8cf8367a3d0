//! Rounds of a log, recomputed: the first cards of the shoe, or what the player's actions win.

use super::replay::settle;
use super::rules::{Action, Rules};
use crate::crypto_games::deal::{Deck, Hash, deal};
use crate::crypto_games::verify::{Judgment, Log, Logged, Scratch, expected_cards, outcome};
use crate::logs::column::{Cell, Column};
use crate::logs::findings::{Expected, Kind};
use crate::logs::lists::{Item, Items};
use crate::logs::number::{Number, trim_spaces};

/// Cards of the shoe, at most.
const MAX_CARDS: usize = 208;
/// Cards that are shown of a shoe whose logged cards can't be read.
const SHOWN_CARDS: usize = 20;

/// Recomputes a row.
pub fn judge(rules: &Rules, log: &Log<'_>, at: usize, hash: &Hash, scratch: &mut Scratch) -> Judgment {
    let Scratch { items, logged, dealt } = scratch;
    let mut shoe = |cards: usize, named: bool| {
        dealt.resize(cards, 0);
        deal(hash, Deck::Blackjack, dealt);
        if named {
            dealt.iter_mut().for_each(|card| *card = Deck::Blackjack.namesake(*card));
        }
        expected_cards(dealt)
    };
    let choice = log.choice.1.as_ref();
    match outcome(&log.outcome.1, at, Deck::Blackjack, items, logged) {
        Logged::Cards { named } if logged.len() <= MAX_CARDS => {
            let expected = shoe(logged.len(), named);
            Judgment::agrees(dealt == logged, expected)
        }
        Logged::Number(number) => match net(rules, choice, at, hash, items) {
            Ok(net) => {
                let (below, exact) = (rules.units(), matches!(number, Number::Ratio { .. }));
                let expected = Expected::Ratio { above: net, below, exact };
                Judgment::agrees(number.is_ratio(net, below), expected)
            }
            Err(kind) => Judgment::of_choice(kind),
        },
        other => {
            let kind = if let Logged::Unreadable(kind) = other { kind } else { Kind::Malformed };
            let expected = match choice {
                None => shoe(SHOWN_CARDS, false),
                Some(_) => net(rules, choice, at, hash, items).map_or(Expected::Nothing, |above| {
                    Expected::Ratio { above, below: rules.units(), exact: false }
                }),
            };
            Judgment::of_outcome(kind, expected)
        }
    }
}

/// What the player's actions win, in units; what is wrong with them, where they can't be played.
fn net(
    rules: &Rules,
    choice: Option<&Column<'_>>,
    row: usize,
    hash: &Hash,
    items: &mut Items,
) -> Result<i64, Kind> {
    let mut actions = Vec::with_capacity(8);
    let read = choice.map_or(Ok(()), |column| read(column, row, items, &mut actions));
    let blank = actions.is_empty() && read.is_ok();
    let mut cards = [0i16; 64];
    deal(hash, Deck::Blackjack, &mut cards);
    let mut shoe = [0u8; 64];
    let mut count = 0;
    for card in cards.iter().filter_map(|&card| u8::try_from(card).ok()) {
        shoe[count] = card;
        count += 1;
    }
    let net = read.ok().and_then(|()| settle(rules, &shoe[..count], &actions));
    net.ok_or(if blank { Kind::Missing } else { Kind::Malformed })
}

/// Reads actions: a list, a JSON list, or words with commas or spaces between them.
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
