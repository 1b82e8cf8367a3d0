//! Logged rounds of blackjack, verified: the first cards of the shoe, or the net win of the player's actions, which
//! are played beside cards as well.

use super::replay::{Round, settle};
use super::rules::{Action, Rules};
use crate::cards::card::NO_CARD;
use crate::cards::verify::{CardLog, Logged, expected_cards, is_open};
use crate::logs::column::{Cell, Column};
use crate::logs::findings::{Expected, SettledHand, Verdict};
use crate::logs::lists::{Item, Items};
use crate::logs::number::{Number, trim_spaces};
use crate::schemes::{Judge, Judgment};

/// The maximum number of cards used in a round.
const MOST_CARDS: usize = 64;
/// The number of cards shown as expected if the logged cards can't be parsed.
const SHOWN_CARDS: usize = 20;

/// Verifies rounds at a blackjack table.
pub struct BlackjackJudge<'a> {
    /// The rules by which hands are settled.
    pub rules: &'a Rules,
    /// The columns of the log.
    pub log: CardLog<'a>,
}

impl Judge for BlackjackJudge<'_> {
    fn judge(&self, row: usize, dealt: &[i64], items: &mut Items) -> Option<Judgment> {
        let log = &self.log;
        let logged = log.read(row, items);
        let (lacks, played) = (log.has_more(dealt), self.play(row, dealt, items));
        // Whether more cards might make the actions possible.
        let is_short = lacks && matches!(played, Err(Verdict::Malformed));
        let units = self.rules.units();
        let net = |exact| match &played {
            Ok(round) => Expected::Ratio { above: round.net(self.rules), below: units, exact },
            Err(_) => Expected::Nothing,
        };
        let (mut partial, mut unplayed) = (false, false);
        let finding = match logged {
            Logged::Cards { .. } | Logged::Number(_) if is_short => return None,
            Logged::Cards { cards, named } if cards.len() <= dealt.len() => {
                unplayed = matches!(played, Err(Verdict::Malformed));
                partial =
                    cards.len() < played.as_ref().map_or(log.cards, |round| round.dealt().min(log.cards));
                log.compare(row, &cards, named, &dealt[..cards.len()])
            }
            Logged::Cards { .. } if lacks => return None,
            // A log may have more cells than a digest has cards.
            Logged::Cards { cards, named } if cards.len() <= log.pack.size() && !is_open(dealt) => {
                let mut padded = dealt.to_vec();
                padded.resize(cards.len(), NO_CARD.into());
                log.compare(row, &cards, named, &padded)
            }
            Logged::Number(number) => match &played {
                Ok(round) => {
                    let exact = matches!(number, Number::Ratio { .. });
                    log.agrees(row, number.is_ratio(round.net(self.rules), units), net(exact))
                }
                Err(verdict) => log.of_choice(row, *verdict),
            },
            other => {
                let verdict = if let Logged::Unreadable(known) = other { known } else { Verdict::Malformed };
                if log.choice.1.is_some() && is_short {
                    return None;
                }
                let cards = || expected_cards(&dealt[..SHOWN_CARDS.min(dealt.len())]);
                let expected = if log.choice.1.is_some() { net(false) } else { cards() };
                log.of_outcome(row, verdict, expected)
            }
        };
        let hand = played.ok().map(|round| SettledHand {
            row,
            returned: units + round.net(self.rules),
            staked: round.staked(self.rules),
        });
        Some(Judgment { finding, assumed: false, partial, unplayed, hand })
    }
}

impl BlackjackJudge<'_> {
    /// The round of the player's actions, or the kind of mistake: illegal actions, or too few cards.
    fn play(&self, row: usize, dealt: &[i64], items: &mut Items) -> Result<Round, Verdict> {
        let mut actions = Vec::with_capacity(8);
        let choice = self.log.choice.1.as_ref();
        let read = choice.map_or(Ok(()), |column| read(column, row, items, &mut actions));
        let blank = actions.is_empty() && read.is_ok();
        let mut cards = [0; MOST_CARDS];
        let count = self.log.pack.at_table(dealt, &mut cards);
        let round = read.ok().and_then(|()| settle(self.rules, &cards[..count], &actions).ok());
        // Without a column nobody knows whether a player insured, though the hand ends by itself.
        if choice.is_none() && round.as_ref().is_some_and(|round| round.was_offered(self.rules)) {
            return Err(Verdict::Missing);
        }
        round.ok_or(if blank { Verdict::Missing } else { Verdict::Malformed })
    }
}

/// Parses actions: a list, a JSON list, or words separated by commas or spaces.
fn read(column: &Column<'_>, row: usize, items: &mut Items, out: &mut Vec<Action>) -> Result<(), Verdict> {
    let action = |word: &[u8]| Action::ALL.iter().copied().find(|action| action.word().as_bytes() == word);
    let cell = column.read(row, items);
    if let Cell::Text(text) = cell
        && !trim_spaces(text).starts_with(b"[")
    {
        let text = std::str::from_utf8(text).map_err(|_| Verdict::Malformed)?;
        for word in text.split([',', ' ', '\t', '\n', '\r', '\x0b', '\x0c']).filter(|word| !word.is_empty()) {
            out.push(action(word.as_bytes()).ok_or(Verdict::Malformed)?);
        }
        return Ok(());
    }
    if cell.is_blank() {
        return Ok(());
    }
    if !cell.is_list(items) || !items.is_flat() {
        return Err(Verdict::Malformed);
    }
    for item in &items.list {
        let Item::Text(range) = item else { return Err(Verdict::Malformed) };
        out.push(action(items.text(range)).ok_or(Verdict::Malformed)?);
    }
    Ok(())
}
