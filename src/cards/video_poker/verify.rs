//! Logged hands of video poker, verified: the ten cards, the final five, or their pay.

use super::holds::{Hold, HoldSums};
use super::paytable::Paytable;
use super::play::{RoundCards, best_hold, draw, row as row_of};
use crate::cards::Pack;
use crate::cards::verify::{CardLog, Logged, Word, each_word, expected_cards};
use crate::logs::column::Column;
use crate::logs::findings::{Expected, Held, SettledHand, Shown, Verdict};
use crate::logs::lists::Items;
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
            |finding| Some(Judgment { finding, assumed: false, compared: None, unplayed: false, hand: None });
        let Some(numbers) = dealt.first_chunk::<10>() else {
            return only(log.of_outcome(row, Verdict::Malformed, Expected::Nothing));
        };
        let cards: RoundCards = log.pack.told_apart(numbers);
        let hand = Some((log.pack, &numbers[..5]));
        let hold = match log.choice.1.as_ref().map_or(Ok(None), |column| read(column, row, items, hand)) {
            Ok(hold) => hold,
            Err(BadHold::Malformed) => {
                return only(log.of_choice(row, Verdict::Malformed, Expected::Text(FORMS.into())));
            }
            Err(BadHold::NotDealt) => {
                return only(log.of_choice(row, Verdict::Mismatch, expected_cards(&numbers[..5])));
            }
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
        let (finding, compared) = match (logged, held) {
            (Logged::Cards { cards: logged, named }, _) if logged.len() == 10 => {
                (log.compare(row, &logged, named, numbers), Some(Held::Cards))
            }
            (Logged::Cards { cards: logged, named }, Some(held)) if logged.len() == 5 => {
                (log.compare(row, &logged, named, &draw(numbers, held)), Some(Held::Final))
            }
            (Logged::Number(number), _) => {
                let exact = matches!(number, Number::Ratio { .. });
                let expected = |above| Expected::Ratio { above, below: self.unit, exact };
                // A round with too few cards has no pay that is correct.
                let same = pays.is_some_and(|above| number.is_ratio(above, self.unit));
                (log.agrees(row, same, pays.map_or(Expected::Nothing, expected)), Some(Held::Net))
            }
            (Logged::Unreadable(verdict), _) => (log.of_outcome(row, verdict, expected_cards(numbers)), None),
            (Logged::Cards { .. }, _) => {
                (log.of_outcome(row, Verdict::Malformed, expected_cards(numbers)), None)
            }
        };
        let hand =
            pays.map(|returned| SettledHand { row, returned, staked: self.unit, shown: Shown::default() });
        let assumed = held.is_some() && hold.is_none();
        Some(Judgment { finding, assumed, compared, unplayed: false, hand })
    }
}

/// The forms of a cell with a hold.
pub const FORMS: &str = "five flags (10110, H-HH- or booleans), cards of the hand (K♠ K♦ or Ks Kd), or positions from 1 \
                         to 5 (1 4)";

/// A cell that isn't a hold of a hand.
pub enum BadHold {
    /// It can't be read.
    Malformed,
    /// It names a card that wasn't dealt.
    NotDealt,
}

/// Parses a hold, a list or words; `None` for an empty cell. No cell has two readings:
///
/// 1. Five flags of one kind, apart or, digits and letters, in one word: 1 and 0, H and -, true and false.
/// 2. Different positions from 1 to 5, apart or in one word: `14` isn't flags.
/// 3. Names of the hand's cards, apart or in one word. `nothing` is a hold of no card.
///
/// A number outside of a list is flags that lost their leading zeros: 110 is 00110. As 1 may also be a position, it is
/// refused, and so are other numbers. `hand` is of the numbers that a pack deals; without, cards can't be named.
pub fn read(
    column: &Column<'_>,
    row: usize,
    items: &mut Items,
    hand: Option<(&Pack, &[i64])>,
) -> Result<Option<Hold>, BadHold> {
    let cell = column.read(row, items);
    let mut words = Words::default();
    match each_word(&cell, items, |word| words.add(word, hand)) {
        Some(true) => match words.hold() {
            None if words.count > 0 && words.named == words.count => Err(BadHold::NotDealt),
            hold => hold.map(Some).ok_or(BadHold::Malformed),
        },
        Some(false) => Ok(None),
        None => Err(BadHold::Malformed),
    }
}

/// The words of a hold, as each of the forms may have them.
#[derive(Default)]
struct Words {
    count: usize,
    /// The words that are flags, by kind: digits, letters, truths; and the cards that these hold.
    flags: [usize; 3],
    flagged: Hold,
    /// The words that are positions different from those before, and these positions.
    positions: usize,
    placed: Hold,
    /// The words that name cards, those whose cards the hand has, and these.
    named: usize,
    there: usize,
    held: Hold,
    /// The hold of a single word that has all of it.
    whole: Option<Hold>,
}

impl Words {
    /// Adds a word; `None` if it is part of no form.
    fn add(&mut self, word: Word<'_>, hand: Option<(&Pack, &[i64])>) -> Option<()> {
        let place = self.count;
        self.count += 1;
        let flag = match word {
            Word::Truth(held) => Some((2, held)),
            Word::Number(number) => {
                let digit = u8::try_from(number.as_whole()?).ok().filter(|digit| *digit <= 5)?;
                self.place(digit);
                (digit <= 1).then_some((0, digit == 1))
            }
            Word::Alone(number) => {
                self.whole =
                    Some(of_flags(&format!("{:05}", number.as_whole().filter(|&flags| flags != 1)?))?);
                None
            }
            Word::Text(text) => {
                let flag = match text {
                    "0" | "1" => Some((0, text == "1")),
                    "H" | "h" | "-" => Some((1, text != "-")),
                    _ if text.eq_ignore_ascii_case("true") => Some((2, true)),
                    _ if text.eq_ignore_ascii_case("false") => Some((2, false)),
                    _ => None,
                };
                if let &[digit @ b'1'..=b'5'] = text.as_bytes() {
                    self.place(digit - b'0');
                } else if flag.is_none() {
                    self.whole = of_word(text);
                    if self.whole.is_none() {
                        self.name(text, hand)?;
                    }
                }
                flag
            }
        };
        if let Some((kind, held)) = flag
            && place < 5
        {
            self.flags[kind] += 1;
            self.flagged |= Hold::from(held) << place;
        }
        Some(())
    }

    /// Adds a position.
    fn place(&mut self, position: u8) {
        if position > 0 && self.placed >> (position - 1) & 1 == 0 {
            self.placed |= 1 << (position - 1);
            self.positions += 1;
        }
    }

    /// Adds a word of cards; `None` if it isn't.
    fn name(&mut self, text: &str, hand: Option<(&Pack, &[i64])>) -> Option<()> {
        let (pack, hand) = hand?;
        let (mut there, mut cards) = (true, 0);
        for name in text.split_inclusive(['s', 'h', 'd', 'c', 'S', 'H', 'D', 'C', '♠', '♥', '♦', '♣'])
        {
            let name = name.trim_matches('\u{fe0f}');
            if name.is_empty() {
                continue;
            }
            let card = pack.parse(name).ok().filter(|&card| card >= 0)?;
            cards += 1;
            let is_free = |&place: &usize| pack.first(hand[place]) == card && self.held >> place & 1 == 0;
            match (0..5).find(is_free) {
                Some(place) => self.held |= 1 << place,
                None => there = false,
            }
        }
        if cards == 0 {
            return None;
        }
        self.named += 1;
        self.there += usize::from(there);
        Some(())
    }

    /// The hold; `None` if the words aren't all of one form.
    fn hold(&self) -> Option<Hold> {
        let count = self.count;
        if count == 1 && self.whole.is_some() {
            return self.whole;
        }
        if count == 5 && self.flags.contains(&5) {
            return Some(self.flagged);
        }
        if self.positions == count {
            return Some(self.placed);
        }
        (self.there == count).then_some(self.held)
    }
}

/// The hold of a word without cards: five flags, or positions.
fn of_word(word: &str) -> Option<Hold> {
    if word.is_empty() || word.eq_ignore_ascii_case("nothing") {
        return (!word.is_empty()).then_some(0);
    }
    let place = |hold: Hold, digit: u8| match digit {
        b'1'..=b'5' if hold >> (digit - b'1') & 1 == 0 => Some(hold | 1 << (digit - b'1')),
        _ => None,
    };
    of_flags(word).or_else(|| word.bytes().try_fold(0, place))
}

/// The hold of five flags in a word.
fn of_flags(word: &str) -> Option<Hold> {
    let flags = <[u8; 5]>::try_from(word.as_bytes()).ok()?;
    let of = |held: [u8; 2], not: u8| {
        let kind = |flag: &u8| held.contains(flag) || *flag == not;
        let bits = flags.iter().rev().fold(0, |bits, flag| bits << 1 | Hold::from(*flag != not));
        flags.iter().all(kind).then_some(bits)
    };
    of([b'1'; 2], b'0').or_else(|| of([b'H', b'h'], b'-'))
}
