//! Strategies in words: a list of rules such as "4 to a flush", of which the first that fits is played.
//!
//! A rule asks for a kind of hold and its number of cards. Each of a hand's 32 holds is described once (its ranks,
//! suits and pairs, and the number of straights it is part of), and rules are matched against the descriptions. If
//! several holds fit, the tie rule for holds decides: wild cards, then higher ranks.

use super::holds::{Hold, tie_key};
use super::paytable::Paytable;
use super::ranking::{Hand, Ranking, TEN_TO_ACE, straights_with};
use crate::cards::card;
use crate::error::{Result, value_error};

/// The kind of hold that a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    /// No cards.
    Nothing,
    /// Only wild cards.
    Wild,
    /// Cards of one rank.
    Alike,
    /// Cards of one rank that pays as a pair.
    AlikeHigh,
    /// Cards of one rank that doesn't pay as a pair.
    AlikeLow,
    TwoPair,
    FullHouse,
    /// All five cards, if they are at least this ranking.
    AtLeast(Ranking),
    Royal,
    StraightFlush,
    Flush,
    Straight,
    /// Part of more than one straight.
    OutsideStraight,
    /// Part of exactly one straight.
    InsideStraight,
    HighCards,
    SuitedHighCards,
}

/// One rule: the number of cards to hold, their kind, and the number of high cards among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    held: u32,
    shape: Pattern,
    /// The number of straights that they must be part of.
    ways: u32,
    high_cards: u32,
    /// The required number of wild cards, if the rule states one.
    wild_cards: Option<u32>,
}

/// The rules that can be written, for error messages and documentation.
pub const VOCABULARY: &str = "\"royal flush\", \"straight flush\", \"four of a kind\", \"full house\", \
    \"flush\", \"straight\" (these also \"... or better\"), \"three of a kind\", \"two pair\", \"high pair\", \"low pair\", \"pair\", \
    \"N to a royal flush\", \"N to a straight flush\", \"N to a flush\", \"N to a straight\", \
    \"N to an outside straight\", \"N to an inside straight\" (each also \"... with K high cards\"), \
    \"N suited high cards\", \"N high cards\" (royal flushes, straights and high cards also \"... in K ways\"), \"five of a kind\", \"N wild cards\" (any rule also \"... \
    with K wild cards\"), \"nothing\"";

impl Rule {
    /// Parses a rule.
    pub fn parse(text: &str) -> Result<Self> {
        let words = text.to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        Self::parse_words(&words)
            .ok_or_else(|| value_error!("strategy", "must have rules of these: {VOCABULARY}, got {text:?}"))
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
        if let [rule @ .., "in", ways, "way" | "ways"] = words {
            let (rule, ways) = (Self::parse_words(rule)?, ways.parse().ok().filter(|ways| *ways > 0)?);
            let may_be = rule.held < 5
                && matches!(
                    rule.shape,
                    Pattern::Royal
                        | Pattern::StraightFlush
                        | Pattern::Straight
                        | Pattern::HighCards
                        | Pattern::SuitedHighCards
                );
            return may_be.then_some(Self { ways, ..rule });
        }
        let (held, shape) = match words {
            ["nothing"] => (0, Pattern::Nothing),
            ["royal", "flush"] => (5, Pattern::Royal),
            ["five", "of", "a", "kind"] => (5, Pattern::Alike),
            ["straight", "flush"] => (5, Pattern::StraightFlush),
            ["four", "of", "a", "kind"] => (4, Pattern::Alike),
            ["full", "house"] => (5, Pattern::FullHouse),
            ["full", "house", "or", "better"] => (5, Pattern::AtLeast(Ranking::FullHouse { threes: 0 })),
            ["flush", "or", "better"] => (5, Pattern::AtLeast(Ranking::Flush)),
            ["straight", "or", "better"] => (5, Pattern::AtLeast(Ranking::Straight)),
            ["flush"] => (5, Pattern::Flush),
            ["straight"] => (5, Pattern::Straight),
            ["three", "of", "a", "kind"] => (3, Pattern::Alike),
            ["two", "pair"] => (4, Pattern::TwoPair),
            ["high", "pair"] => (2, Pattern::AlikeHigh),
            ["low", "pair"] => (2, Pattern::AlikeLow),
            ["pair"] => (2, Pattern::Alike),
            [held, rest @ ..] => {
                let shape = match rest {
                    ["high", "card" | "cards"] => Pattern::HighCards,
                    ["wild", "card" | "cards"] => Pattern::Wild,
                    ["suited", "high", "cards"] => Pattern::SuitedHighCards,
                    ["to", "a" | "an", "royal", "flush"] => Pattern::Royal,
                    ["to", "a" | "an", "straight", "flush"] => Pattern::StraightFlush,
                    ["to", "a" | "an", "flush"] => Pattern::Flush,
                    ["to", "a" | "an", "straight"] => Pattern::Straight,
                    ["to", "a" | "an", "outside", "straight"] => Pattern::OutsideStraight,
                    ["to", "a" | "an", "inside", "straight"] => Pattern::InsideStraight,
                    _ => return None,
                };
                (held.parse().ok().filter(|held| (1..=4).contains(held))?, shape)
            }
            [] => return None,
        };
        Some(Self { held, shape, ways: 0, high_cards: 0, wild_cards: None })
    }

    /// Whether the rule fits a hold.
    fn fits(self, hold: &Held) -> bool {
        let natural = hold.natural == self.held;
        let fits = hold.cards == self.held
            && match self.shape {
                Pattern::Nothing => true,
                Pattern::Wild => hold.natural == 0,
                Pattern::Alike => hold.ranks <= 1,
                Pattern::AlikeHigh => hold.ranks <= 1 && natural && hold.high == self.held,
                Pattern::AlikeLow => hold.ranks <= 1 && natural && hold.high == 0,
                // Four cards of two ranks may also be three and one.
                Pattern::TwoPair => natural && hold.ranks == 2 && hold.pairs == 2,
                Pattern::FullHouse => hold.full_house,
                Pattern::AtLeast(least) => hold.best >= least,
                Pattern::Royal => hold.royal,
                Pattern::StraightFlush => hold.suited && hold.straights > 0,
                Pattern::Flush => hold.suited,
                Pattern::Straight => hold.straights > 0,
                Pattern::OutsideStraight => hold.straights > 1,
                Pattern::InsideStraight => hold.straights == 1,
                Pattern::HighCards => hold.ranks == hold.natural && natural && hold.high == self.held,
                Pattern::SuitedHighCards => hold.suited && natural && hold.high == self.held,
            };
        fits && hold.high >= self.high_cards
            && hold.straights >= self.ways
            && self.wild_cards.is_none_or(|wanted| wanted == hold.cards - hold.natural)
    }
}

/// The hold of each rule for a hand, if one fits. If several holds fit, the tie rule of
/// [`super::holds::HoldSums::best`] chooses: wild cards, then the higher ranks.
pub fn holds<'r>(
    rules: &'r [Rule],
    paytable: &Paytable,
    hand: &Hand,
) -> impl Iterator<Item = Option<Hold>> + use<'r> {
    let rankings = paytable.rankings(hand);
    let key = tie_key(hand, paytable.wild());
    let mut holds: [Held; 32] = std::array::from_fn(|hold| Held::new(paytable, hand, hold as u8, rankings));
    // The first hold that fits has the greatest key.
    holds.sort_unstable_by_key(|held| std::cmp::Reverse(key(held.hold)));
    rules.iter().map(move |rule| holds.iter().find(|held| rule.fits(held)).map(|held| held.hold))
}

/// The properties of a hold that rules ask for. A wild card can be of any rank and suit.
struct Held {
    hold: Hold,
    cards: u32,
    /// The number of natural cards; the other fields are about these alone.
    natural: u32,
    /// The number of cards whose rank pays as a pair.
    high: u32,
    /// The number of ranks, and of ranks with exactly two cards.
    ranks: u32,
    pairs: u32,
    suited: bool,
    royal: bool,
    /// The number of straights that they are part of, if their ranks are different.
    straights: u32,
    /// Whether the whole hand is a full house, and its best ranking.
    full_house: bool,
    best: Ranking,
}

impl Held {
    fn new(paytable: &Paytable, hand: &Hand, hold: Hold, rankings: &[Ranking]) -> Self {
        let all = (0..5).filter(|place| hold >> place & 1 == 1).map(|place| hand[place]);
        let held = || all.clone().filter(|card| !paytable.wild().has(*card));
        let natural = held().count() as u32;
        let (mut ranks, mut suits) = (0u16, 0u8); // one bit each
        let mut copies = [0; 13];
        for card in held() {
            ranks |= 1 << card::rank(card);
            suits |= 1 << card::suit(card);
            copies[usize::from(card::rank(card))] += 1;
        }
        let suited = suits.count_ones() <= 1;
        let different = ranks.count_ones() == natural;
        Self {
            hold,
            cards: hold.count_ones(),
            natural,
            high: held().filter(|&card| paytable.is_high(card::rank(card))).count() as u32,
            ranks: ranks.count_ones(),
            pairs: copies.iter().filter(|&&copies| copies == 2).count() as u32,
            suited,
            royal: suited && different && ranks & !TEN_TO_ACE == 0,
            straights: if different { straights_with(ranks) } else { 0 },
            full_house: rankings.iter().any(|ranking| matches!(ranking, Ranking::FullHouse { .. })),
            best: rankings.iter().copied().max().unwrap_or(Ranking::Nothing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paytable::tests::paytable;
    use super::super::ranking::tests::hand;
    use super::*;

    fn held(rule: &str, names: &str) -> Option<String> {
        let table = paytable([800, 50, 25, 9, 6, 4, 3, 2, 1], &[], "J");
        let rules = [Rule::parse(rule).unwrap()];
        let hold = holds(&rules, &table, &hand(names)).next()??;
        let names: Vec<&str> = names.split(' ').collect();
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
            ("straight or better", "5s As 2s 3s 4s", "5s As 2s 3s 4s"),
            ("full house or better", "5s 5h 2s 5d 5c", "5s 5h 2s 5d 5c"),
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
            ("3 to a straight flush in 2 ways", "5s 6s 9s 8s Kc", "6s 9s 8s"),
            ("3 to a straight flush in 3 ways", "5s 6s 7s 9s Kc", "5s 6s 7s"),
            ("2 high cards in 2 ways", "Qd Ks 3s Ad 2c", "Qd Ks"),
            ("2 high cards in 3 ways", "Qd Ks 3s Jd 2c", "Qd Jd"),
            ("2 to a royal flush in 2 ways", "Td Kd 3s Ad 2c", "Td Kd"),
            ("2 suited high cards in 2 ways", "Qd Kd 3s Ad 2c", "Qd Kd"),
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
            ("flush or better", "5s 6h 7d 8c 9c"),
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
        for rule in [
            "",
            "5 to a flush",
            "3 to a flush in 2 ways",
            "1 high card in 0 ways",
            "flushes",
            "4 to flush",
            "4 to a house",
            "x high cards",
        ] {
            let error = Rule::parse(rule).unwrap_err().to_string();
            assert!(error.starts_with("strategy must have rules of these: \"royal flush\""), "{error}");
        }
    }
}
