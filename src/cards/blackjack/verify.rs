//! Logged rounds of blackjack, verified: the first cards of the shoe, or the net win of the player's actions, which
//! are played beside cards as well.

use super::replay::{Cards, Round, settle, value};
use super::rules::{Action, Rules, Soft17};
use crate::cards::card::NO_CARD;
use crate::cards::verify::{CardLog, Logged, Word, each_word, expected_cards, is_open};
use crate::logs::column::Column;
use crate::logs::findings::{Expected, Held, SettledHand, Shown, Verdict};
use crate::logs::lists::Items;
use crate::logs::number::Number;
use crate::schemes::{Judge, Judgment};

/// The maximum number of cards used in a round.
const MOST_CARDS: usize = 64;
/// The value of an ace.
const ACE: usize = 0;
/// The number of cards shown as expected if the logged cards can't be parsed.
const SHOWN_CARDS: usize = 20;
/// What is expected instead of actions that can't be played.
const ILLEGAL: &str = "actions that these cards and the rules allow";

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
        let (lacks, played) = (log.has_more(dealt), self.play(self.rules, row, dealt, items));
        // Whether more cards might make the actions possible.
        let is_short = lacks && matches!(played, Err((Verdict::Malformed, _)));
        let units = self.rules.units();
        let net = |exact| match &played {
            Ok(round) => Expected::Ratio { above: round.net(self.rules), below: units, exact },
            Err(_) => Expected::Nothing,
        };
        let (mut compared, mut unplayed) = (None, false);
        let shown = self.shown(row, dealt, &logged, played.as_ref().ok(), items);
        let finding = match logged {
            Logged::Cards { .. } | Logged::Number(_) if is_short => return None,
            Logged::Cards { cards, named } if cards.len() <= dealt.len() => {
                unplayed = matches!(played, Err((Verdict::Malformed, _)));
                let all = played.as_ref().map_or(log.cards, |round| round.dealt().min(log.cards));
                compared = Some(if cards.len() < all { Held::Part } else { Held::Cards });
                log.compare(row, &cards, named, &dealt[..cards.len()])
            }
            Logged::Cards { .. } if lacks => return None,
            // A log may have more cells than a digest has cards.
            Logged::Cards { cards, named } if cards.len() <= log.pack.size() && !is_open(dealt) => {
                compared = Some(Held::Cards);
                let mut padded = dealt.to_vec();
                padded.resize(cards.len(), NO_CARD.into());
                log.compare(row, &cards, named, &padded)
            }
            Logged::Number(number) => match &played {
                Ok(round) => {
                    compared = Some(Held::Net);
                    let exact = matches!(number, Number::Ratio { .. });
                    log.agrees(row, number.is_ratio(round.net(self.rules), units), net(exact))
                }
                Err((verdict, allowed)) => {
                    let allowed = Some(*allowed).filter(|allowed| !allowed.is_empty());
                    let expected =
                        allowed.map_or(Expected::Nothing, |allowed| Expected::Text(allowed.into()));
                    log.of_choice(row, *verdict, expected)
                }
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
            shown,
        });
        Some(Judgment { finding, assumed: false, compared, unplayed, hand })
    }
}

impl BlackjackJudge<'_> {
    /// What a row shows of the dealer, who plays by the rules, or by the others on a soft 17.
    fn shown(
        &self,
        row: usize,
        dealt: &[i64],
        logged: &Logged,
        played: Option<&Round>,
        items: &mut Items,
    ) -> Shown {
        let Some(round) = played else { return Shown::default() };
        let units = self.rules.units();
        let shows = |round: &Round| match logged {
            Logged::Number(number) => number.is_ratio(round.net(self.rules), units),
            Logged::Cards { cards, .. } => cards.len() == round.dealt(),
            Logged::Unreadable(_) => false,
        };
        let mut shown = Shown { whole: shows(round), ..Shown::default() };
        let dealer = round.dealer.as_slice();
        let totals = |cards: usize| Cards::of(&dealer[..cards]).shape();
        let is_soft_17 = |cards| (totals(cards).total, totals(cards).soft) == (17, true);
        // Only an ace makes a total soft, and most hands have none.
        if dealer.iter().any(|&card| value(card) == ACE) && (2..=dealer.len()).any(is_soft_17) {
            let stands = self.rules.soft_17 == Soft17::Stand;
            let other = Rules { soft_17: if stands { Soft17::Hit } else { Soft17::Stand }, ..*self.rules };
            if let Ok(round) = self.play(&other, row, dealt, items)
                && shows(&round) != shown.whole
            {
                shown.soft_17 = if stands == shown.whole { 1 } else { 2 };
                shown.whole = true;
            }
        }
        if let Logged::Cards { cards, .. } = logged
            && let Some(missing) = round.dealt().checked_sub(cards.len())
            && (1..=dealer.len() - 2).contains(&missing)
        {
            let total = totals(dealer.len() - missing).total;
            shown.early = if total < 17 { total } else { 0 };
        }
        shown
    }

    /// The round of the player's actions under rules, or the kind of mistake and what is allowed: the cell can't be read, the
    /// actions are illegal, or there are too few cards.
    fn play(
        &self,
        rules: &Rules,
        row: usize,
        dealt: &[i64],
        items: &mut Items,
    ) -> Result<Round, (Verdict, &'static str)> {
        let mut actions = Vec::with_capacity(8);
        let choice = self.log.choice.1.as_ref();
        if choice.is_some_and(|column| read(column, row, items, &mut actions).is_none()) {
            return Err((Verdict::Malformed, FORMS));
        }
        let mut cards = [0; MOST_CARDS];
        let count = self.log.pack.at_table(dealt, &mut cards);
        let round = settle(rules, &cards[..count], &actions).ok();
        // Without a column nobody knows whether a player insured, though the hand ends by itself.
        if choice.is_none() && round.as_ref().is_some_and(|round| round.was_offered(rules)) {
            return Err((Verdict::Missing, ""));
        }
        let mistake = if actions.is_empty() { (Verdict::Missing, "") } else { (Verdict::Malformed, ILLEGAL) };
        round.ok_or(mistake)
    }
}

/// The forms of a cell with actions.
pub const FORMS: &str = "words (hit, stand, double, split, surrender, insure, even_money) or letters (H, S, D, P, R, I, E), \
                         apart or together";

/// Parses actions, in any case: words or the letters of charts, in a list, or separated by commas, blanks or, letters
/// alone, by nothing. `None` for a cell that isn't actions.
pub fn read(column: &Column<'_>, row: usize, items: &mut Items, out: &mut Vec<Action>) -> Option<()> {
    let cell = column.read(row, items);
    each_word(&cell, items, |word| {
        let Word::Text(word) = word else { return None };
        if let Some(action) = Action::of_word(word) {
            out.push(action);
            return Some(());
        }
        for letter in word.chars() {
            out.push(Action::from_letter(letter.to_ascii_uppercase())?);
        }
        Some(())
    })
    .map(|_| ())
}
