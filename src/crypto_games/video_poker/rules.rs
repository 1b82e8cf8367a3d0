//! Strategies in words: rules such as "4 to a flush", of which the first that fits is played.

use super::holds::{Hold, first_by_tie_rule};
use super::paytable::Paytable;
use super::ranking::{Hand, Ranking};
use crate::crypto_games::cards;
use crate::error::{Error, Result};

/// What the held cards must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Nothing is held.
    Nothing,
    /// Cards of one rank.
    Alike,
    /// Cards of one rank that pays as a pair.
    AlikeHigh,
    /// Cards of one rank that does not pay as a pair.
    AlikeLow,
    TwoPair,
    FullHouse,
    Royal,
    StraightFlush,
    Flush,
    Straight,
    /// Part of more than one straight.
    OutsideStraight,
    /// Part of just one straight.
    InsideStraight,
    HighCards,
    SuitedHighCards,
}

/// One rule: how many cards of which shape to hold, and how many of them are high cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    held: u32,
    shape: Shape,
    high_cards: u32,
}

/// The rules that can be written, for messages and documentation.
pub const VOCABULARY: &str = "\"royal flush\", \"straight flush\", \"four of a kind\", \"full house\", \
    \"flush\", \"straight\", \"three of a kind\", \"two pair\", \"high pair\", \"low pair\", \"pair\", \
    \"N to a royal flush\", \"N to a straight flush\", \"N to a flush\", \"N to a straight\", \
    \"N to an outside straight\", \"N to an inside straight\" (each also \"... with K high cards\"), \
    \"N suited high cards\", \"N high cards\", \"nothing\"";

impl Rule {
    /// Reads a rule.
    pub fn parse(text: &str) -> Result<Self> {
        let words = text.to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        Self::parse_words(&words).ok_or_else(|| {
            Error::value("strategy", format_args!("must have rules of these: {VOCABULARY}, got {text:?}"))
        })
    }

    fn parse_words(words: &[&str]) -> Option<Self> {
        let rule = |held, shape| Some(Self { held, shape, high_cards: 0 });
        match words {
            ["nothing"] => rule(0, Shape::Nothing),
            ["royal", "flush"] => rule(5, Shape::Royal),
            ["straight", "flush"] => rule(5, Shape::StraightFlush),
            ["four", "of", "a", "kind"] => rule(4, Shape::Alike),
            ["full", "house"] => rule(5, Shape::FullHouse),
            ["flush"] => rule(5, Shape::Flush),
            ["straight"] => rule(5, Shape::Straight),
            ["three", "of", "a", "kind"] => rule(3, Shape::Alike),
            ["two", "pair"] => rule(4, Shape::TwoPair),
            ["high", "pair"] => rule(2, Shape::AlikeHigh),
            ["low", "pair"] => rule(2, Shape::AlikeLow),
            ["pair"] => rule(2, Shape::Alike),
            [held, rest @ ..] => {
                let held: u32 = held.parse().ok().filter(|held| (1..=4).contains(held))?;
                match rest {
                    ["high", "card" | "cards"] => return rule(held, Shape::HighCards),
                    ["suited", "high", "cards"] => return rule(held, Shape::SuitedHighCards),
                    ["to", "a" | "an", ..] => {}
                    _ => return None,
                }
                let rest = &rest[2..];
                let (shape, high_cards) = match rest {
                    [shape @ .., "with", count, "high", "card" | "cards"] => (shape, count.parse().ok()?),
                    _ => (rest, 0),
                };
                let shape = match shape {
                    ["royal", "flush"] => Shape::Royal,
                    ["straight", "flush"] => Shape::StraightFlush,
                    ["flush"] => Shape::Flush,
                    ["straight"] => Shape::Straight,
                    ["outside", "straight"] => Shape::OutsideStraight,
                    ["inside", "straight"] => Shape::InsideStraight,
                    _ => return None,
                };
                (high_cards <= held).then_some(Self { held, shape, high_cards })
            }
            [] => None,
        }
    }

    /// The hold this rule asks for, if it fits the hand. Where it fits several ways, the tie rule of
    /// [`super::holds::HoldSums::best`] chooses: the higher ranks.
    pub fn hold(self, paytable: &Paytable, hand: &Hand) -> Option<Hold> {
        let mut fitting = (0..32).filter(|&hold| self.fits(paytable, hand, hold)).peekable();
        fitting.peek()?;
        Some(first_by_tie_rule(hand, fitting))
    }

    fn fits(self, paytable: &Paytable, hand: &Hand, hold: Hold) -> bool {
        if hold.count_ones() != self.held {
            return false;
        }
        let held = || (0..5).filter(|place| hold >> place & 1 == 1).map(|place| hand[place]);
        let high = |card: u8| {
            let pair = Ranking::Pair { rank: cards::rank(card) };
            paytable.row(pair.class()) != paytable.row(Ranking::Nothing.class())
        };
        let (mut ranks, mut suits) = (0u16, 0u8); // one bit each
        for card in held() {
            ranks |= 1 << cards::rank(card);
            suits |= 1 << cards::suit(card);
        }
        let alike = ranks.is_power_of_two();
        let suited = suits.is_power_of_two();
        let different = ranks.count_ones() == self.held;
        let straights = || straights_with(ranks);
        let fits = match self.shape {
            Shape::Nothing => true,
            Shape::Alike => alike,
            Shape::AlikeHigh => alike && held().all(high),
            Shape::AlikeLow => alike && !held().any(high),
            // Four cards of two ranks may also be three and one.
            Shape::TwoPair => ranks.count_ones() == 2 && pairs(held()) == 2,
            Shape::FullHouse => Ranking::of(hand) == Ranking::FullHouse,
            Shape::Royal => suited && ranks & !TEN_TO_ACE == 0,
            Shape::StraightFlush => suited && straights() > 0,
            Shape::Flush => suited,
            Shape::Straight => different && straights() > 0,
            Shape::OutsideStraight => different && straights() > 1,
            Shape::InsideStraight => different && straights() == 1,
            Shape::HighCards => different && held().all(high),
            Shape::SuitedHighCards => suited && held().all(high),
        };
        fits && held().filter(|&card| high(card)).count() as u32 >= self.high_cards
    }
}

const TEN_TO_ACE: u16 = 0b1_1110_0000_0001;

/// How many of the ten straights contain these ranks.
fn straights_with(ranks: u16) -> u32 {
    let low = (0..9).map(|lowest| 0b1_1111 << lowest);
    low.chain([TEN_TO_ACE]).filter(|straight| ranks & !straight == 0).count() as u32
}

/// How many ranks there are exactly two of.
fn pairs(held: impl Iterator<Item = u8>) -> usize {
    let mut copies = [0; 13];
    for card in held {
        copies[usize::from(cards::rank(card))] += 1;
    }
    copies.iter().filter(|&&copies| copies == 2).count()
}

#[cfg(test)]
mod tests {
    use super::super::paytable::tests::paytable;
    use super::*;

    fn held(rule: &str, names: &str) -> Option<String> {
        let table = paytable([800, 50, 25, 9, 6, 4, 3, 2, 1], &[], "J");
        let names: Vec<&str> = names.split(' ').collect();
        let hand: Vec<u8> = names.iter().map(|name| cards::parse(name).unwrap().unwrap()).collect();
        let hold = Rule::parse(rule).unwrap().hold(&table, &hand.try_into().unwrap())?;
        let held: Vec<&str> =
            (0..5).filter(|place| hold >> place & 1 == 1).map(|place| names[place]).collect();
        Some(held.join(" "))
    }

    #[test]
    fn rules_hold_what_they_say() {
        let cases = [
            ("royal flush", "Ts Js Qs Ks As", "Ts Js Qs Ks As"),
            ("4 to a royal flush", "Ts Js Qs 3h As", "Ts Js Qs As"),
            ("straight flush", "5s As 2s 3s 4s", "5s As 2s 3s 4s"),
            ("four of a kind", "5s 5h 2s 5d 5c", "5s 5h 5d 5c"),
            ("full house", "5s 5h 2s 5d 2c", "5s 5h 2s 5d 2c"),
            ("two pair", "5s 5h 2s Kd 2c", "5s 5h 2s 2c"),
            ("three of a kind", "5s 5h 2s 5d Kc", "5s 5h 5d"),
            ("high pair", "5s 5h Js Jd Kc", "Js Jd"),
            ("low pair", "5s 5h Js Jd Kc", "5s 5h"),
            ("pair", "5s 5h Js Jd Kc", "Js Jd"),
            ("4 to a flush", "5s 8s Js Ad Ks", "5s 8s Js Ks"),
            ("4 to an outside straight", "5s 6h 7d 8c As", "5s 6h 7d 8c"),
            ("4 to an inside straight", "5s 6h 7d 9c As", "5s 6h 7d 9c"),
            ("4 to an inside straight", "Js Qh Kd 9c As", "Js Qh Kd As"),
            ("4 to an inside straight with 3 high cards", "Js Qh Kd 9c 8s", "Js Qh Kd 9c"),
            ("4 to a straight", "As 2h 4d 5c 9s", "As 2h 4d 5c"),
            ("3 to a straight flush", "5s 6s 9s Kd Kc", "5s 6s 9s"),
            ("3 to a straight flush with 1 high card", "9s Ts Js Kd Kc", "9s Ts Js"),
            ("2 suited high cards", "9s Ks Js Kd 2c", "Ks Js"),
            ("3 high cards", "9s Ks Js Ad 2c", "Ks Js Ad"),
            ("1 high card", "9s 3s Js Ad 2c", "Ad"),
            ("nothing", "9s 3s Js Ad 2c", ""),
        ];
        for (rule, hand, expected) in cases {
            assert_eq!(held(rule, hand).as_deref(), Some(expected), "{rule}: {hand}");
        }
    }

    #[test]
    fn rules_that_do_not_fit_hold_nothing() {
        let cases = [
            ("two pair", "5s 5h 5d Kd 2c"),
            ("full house", "5s 5h 5d 5c 2c"),
            ("high pair", "5s 5h 6s Jd Kc"),
            ("low pair", "Qs Qh 6s Jd Kc"),
            ("4 to a flush", "5s 8s Jd Ad Ks"),
            ("4 to an outside straight", "As Kh Qd Jc 2s"),
            ("4 to an outside straight", "As 2h 3d 4c 9s"),
            ("4 to a straight", "Ks Ah 2d 3c 9s"),
            ("1 high card", "9s 3s 5s 6d 2c"),
            ("3 to a straight flush with 1 high card", "5s 6s 9s Kd Kc"),
        ];
        for (rule, hand) in cases {
            assert_eq!(held(rule, hand), None, "{rule}: {hand}");
        }
    }

    #[test]
    fn other_words_are_refused() {
        for rule in ["", "5 to a flush", "flushes", "4 to flush", "4 to a house", "x high cards"] {
            let error = Rule::parse(rule).unwrap_err().to_string();
            assert!(error.starts_with("strategy must have rules of these: \"royal flush\""), "{error}");
        }
    }
}
