//! Strategies in words: rules such as "4 to a flush", of which the first that fits is played.

use super::holds::{Hold, first_by_tie_rule};
use super::paytable::Paytable;
use super::ranking::{Hand, Ranking, TEN_TO_ACE, straights_with};
use crate::crypto_games::cards;
use crate::error::{Error, Result};

/// What the held cards must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Nothing is held.
    Nothing,
    /// Wild cards alone.
    Wild,
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
    /// How many of them are wild, where the rule says so.
    wild_cards: Option<u32>,
}

/// The rules that can be written, for messages and documentation.
pub const VOCABULARY: &str = "\"royal flush\", \"straight flush\", \"four of a kind\", \"full house\", \
    \"flush\", \"straight\", \"three of a kind\", \"two pair\", \"high pair\", \"low pair\", \"pair\", \
    \"N to a royal flush\", \"N to a straight flush\", \"N to a flush\", \"N to a straight\", \
    \"N to an outside straight\", \"N to an inside straight\" (each also \"... with K high cards\"), \
    \"N suited high cards\", \"N high cards\", \"five of a kind\", \"N wild cards\" (any rule also \"... \
    with K wild cards\"), \"nothing\"";

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
        if let [rule @ .., "with", count, "wild", "card" | "cards"] = words {
            let wild_cards = Some(count.parse().ok()?);
            return Some(Self { wild_cards, ..Self::parse_words(rule)? });
        }
        if let [rule @ .., "with", count, "high", "card" | "cards"] = words {
            let (rule, high_cards) = (Self::parse_words(rule)?, count.parse().ok()?);
            let may_have = matches!(words, [_, "to", ..]) && high_cards <= rule.held;
            return may_have.then_some(Self { high_cards, ..rule });
        }
        let (held, shape) = match words {
            ["nothing"] => (0, Shape::Nothing),
            ["royal", "flush"] => (5, Shape::Royal),
            ["five", "of", "a", "kind"] => (5, Shape::Alike),
            ["straight", "flush"] => (5, Shape::StraightFlush),
            ["four", "of", "a", "kind"] => (4, Shape::Alike),
            ["full", "house"] => (5, Shape::FullHouse),
            ["flush"] => (5, Shape::Flush),
            ["straight"] => (5, Shape::Straight),
            ["three", "of", "a", "kind"] => (3, Shape::Alike),
            ["two", "pair"] => (4, Shape::TwoPair),
            ["high", "pair"] => (2, Shape::AlikeHigh),
            ["low", "pair"] => (2, Shape::AlikeLow),
            ["pair"] => (2, Shape::Alike),
            [held, rest @ ..] => {
                let shape = match rest {
                    ["high", "card" | "cards"] => Shape::HighCards,
                    ["wild", "card" | "cards"] => Shape::Wild,
                    ["suited", "high", "cards"] => Shape::SuitedHighCards,
                    ["to", "a" | "an", "royal", "flush"] => Shape::Royal,
                    ["to", "a" | "an", "straight", "flush"] => Shape::StraightFlush,
                    ["to", "a" | "an", "flush"] => Shape::Flush,
                    ["to", "a" | "an", "straight"] => Shape::Straight,
                    ["to", "a" | "an", "outside", "straight"] => Shape::OutsideStraight,
                    ["to", "a" | "an", "inside", "straight"] => Shape::InsideStraight,
                    _ => return None,
                };
                (held.parse().ok().filter(|held| (1..=4).contains(held))?, shape)
            }
            [] => return None,
        };
        Some(Self { held, shape, high_cards: 0, wild_cards: None })
    }

    /// The hold this rule asks for, if it fits the hand. Where it fits several ways, the tie rule of
    /// [`super::holds::HoldSums::best`] chooses: wild cards, then the higher ranks.
    pub fn hold(self, paytable: &Paytable, hand: &Hand) -> Option<Hold> {
        let mut fitting = (0..32).filter(|&hold| self.fits(paytable, hand, hold)).peekable();
        fitting.peek()?;
        Some(first_by_tie_rule(hand, paytable.wild(), fitting))
    }

    fn fits(self, paytable: &Paytable, hand: &Hand, hold: Hold) -> bool {
        if hold.count_ones() != self.held {
            return false;
        }
        let wild = |card: &u8| paytable.wild().has(*card);
        let all_held = || (0..5).filter(|place| hold >> place & 1 == 1).map(|place| hand[place]);
        let held = || all_held().filter(|card| !wild(card));
        let natural = held().count() as u32;
        if self.wild_cards.is_some_and(|wanted| wanted != self.held - natural) {
            return false;
        }
        let high = |card: u8| paytable.is_high(cards::rank(card));
        let (mut ranks, mut suits) = (0u16, 0u8); // one bit each
        for card in held() {
            ranks |= 1 << cards::rank(card);
            suits |= 1 << cards::suit(card);
        }
        // A wild card is of whatever rank and suit is wanted.
        let alike = ranks.count_ones() <= 1;
        let suited = suits.count_ones() <= 1;
        let different = ranks.count_ones() == natural;
        let straights = || if different { straights_with(ranks) } else { 0 };
        let fits = match self.shape {
            Shape::Nothing => true,
            Shape::Wild => natural == 0,
            Shape::Alike => alike,
            Shape::AlikeHigh => alike && natural == self.held && held().all(high),
            Shape::AlikeLow => alike && natural == self.held && !held().any(high),
            // Four cards of two ranks may also be three and one.
            Shape::TwoPair => natural == self.held && ranks.count_ones() == 2 && pairs(held()) == 2,
            Shape::FullHouse => paytable.may_be(hand, |ranking| matches!(ranking, Ranking::FullHouse { .. })),
            Shape::Royal => suited && different && ranks & !TEN_TO_ACE == 0,
            Shape::StraightFlush => suited && straights() > 0,
            Shape::Flush => suited,
            Shape::Straight => straights() > 0,
            Shape::OutsideStraight => straights() > 1,
            Shape::InsideStraight => straights() == 1,
            Shape::HighCards => different && natural == self.held && held().all(high),
            Shape::SuitedHighCards => suited && natural == self.held && held().all(high),
        };
        fits && held().filter(|&card| high(card)).count() as u32 >= self.high_cards
    }
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
