//! The ranking of five cards as a poker hand, in the detail that paytables need.
//!
//! A paytable's analysis ranks all 2,598,960 hands, so [`Ranking::of`] avoids sorting. The number of cards of each
//! rank is kept in four bits of one word, so pairs, threes and fours are bits at fixed positions; the ranks held are
//! a set of 13 bits, in which a straight is five consecutive ones. Hands with wild cards are reduced to the few
//! kinds of [`Naturals`], for which all possible rankings are listed once.

use crate::cards::card;

/// Five different cards of one deck, 0 to 53.
pub type Hand = [u8; 5];

/// The held cards as bits: bit `i` is the `i`-th card from the left.
pub type Hold = u8;

/// The ranking of a poker hand, in increasing order. Ranks are those of cards: 0 is the ace, 12 the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ranking {
    /// No poker hand.
    Nothing,
    /// Two cards of one rank.
    Pair {
        /// The rank of the pair.
        rank: u8,
    },
    /// Two pairs.
    TwoPair,
    /// Three cards of one rank.
    ThreeOfAKind,
    /// Five consecutive ranks.
    Straight,
    /// Five cards of one suit.
    Flush,
    /// Three of a kind and a pair.
    FullHouse {
        /// The rank of the three.
        threes: u8,
    },
    /// Four cards of one rank.
    FourOfAKind {
        /// The rank of the four.
        rank: u8,
        /// The rank of the fifth card.
        kicker: u8,
    },
    /// Five consecutive ranks of one suit.
    StraightFlush,
    /// Five of a kind, which needs a wild card.
    FiveOfAKind {
        /// The rank of the five.
        rank: u8,
    },
    /// A royal flush with a wild card in place of another.
    WildRoyalFlush,
    /// All four cards of the wild rank.
    FourWild {
        /// The rank of the fifth card.
        kicker: u8,
    },
    /// A royal flush without wild cards in place of others.
    RoyalFlush {
        /// The suit of the five.
        suit: u8,
    },
}

/// The number of different [`Ranking`]s, including those of different ranks, kickers and suits.
pub const CLASSES: usize = ROYAL_FLUSHES as usize + 4;

const PAIRS: u8 = 1;
const TWO_PAIR: u8 = PAIRS + 13;
const THREE_OF_A_KIND: u8 = TWO_PAIR + 1;
const STRAIGHT: u8 = THREE_OF_A_KIND + 1;
const FLUSH: u8 = STRAIGHT + 1;
const FULL_HOUSES: u8 = FLUSH + 1;
const FOURS: u8 = FULL_HOUSES + 13;
const STRAIGHT_FLUSH: u8 = FOURS + 13 * 13;
const FIVES: u8 = STRAIGHT_FLUSH + 1;
const WILD_ROYAL_FLUSH: u8 = FIVES + 13;
const FOUR_WILD: u8 = WILD_ROYAL_FLUSH + 1;
const ROYAL_FLUSHES: u8 = FOUR_WILD + 13;

/// The ranks of a royal flush, as bits.
pub const TEN_TO_ACE: u16 = 0b1_1110_0000_0001;

/// The number of the ten straights that contain these ranks (as bits).
pub fn straights_with(ranks: u16) -> u32 {
    let low = (0..9).map(|lowest| 0b1_1111 << lowest);
    low.chain([TEN_TO_ACE]).filter(|straight| ranks & !straight == 0).count() as u32
}

impl Ranking {
    /// The ranking as a number below [`CLASSES`], for lookup tables.
    pub const fn class(self) -> u8 {
        match self {
            Ranking::Nothing => 0,
            Ranking::Pair { rank } => PAIRS + rank,
            Ranking::TwoPair => TWO_PAIR,
            Ranking::ThreeOfAKind => THREE_OF_A_KIND,
            Ranking::Straight => STRAIGHT,
            Ranking::Flush => FLUSH,
            Ranking::FullHouse { threes } => FULL_HOUSES + threes,
            Ranking::FourOfAKind { rank, kicker } => FOURS + rank * 13 + kicker,
            Ranking::StraightFlush => STRAIGHT_FLUSH,
            Ranking::FiveOfAKind { rank } => FIVES + rank,
            Ranking::WildRoyalFlush => WILD_ROYAL_FLUSH,
            Ranking::FourWild { kicker } => FOUR_WILD + kicker,
            Ranking::RoyalFlush { suit } => ROYAL_FLUSHES + suit,
        }
    }

    /// All rankings, by class.
    pub fn all() -> Vec<Self> {
        let ranks = || 0..13;
        let mut all = vec![Self::Nothing];
        all.extend(ranks().map(|rank| Self::Pair { rank }));
        all.extend([Self::TwoPair, Self::ThreeOfAKind, Self::Straight, Self::Flush]);
        all.extend(ranks().map(|threes| Self::FullHouse { threes }));
        let fours = |rank| ranks().map(move |kicker| Self::FourOfAKind { rank, kicker });
        all.extend(ranks().flat_map(fours));
        all.push(Self::StraightFlush);
        all.extend(ranks().map(|rank| Self::FiveOfAKind { rank }));
        all.push(Self::WildRoyalFlush);
        all.extend(ranks().map(|kicker| Self::FourWild { kicker }));
        all.extend((0..4).map(|suit| Self::RoyalFlush { suit }));
        all
    }

    /// Ranks a hand without wild cards, in any order.
    #[inline]
    pub fn of(hand: &Hand) -> Self {
        let mut ranks = 0u16; // one bit per rank
        let mut copies = 0u64; // four bits per rank: the number of cards of the rank
        let mut suits = 0u8;
        for &card in hand {
            ranks |= 1 << card::rank(card);
            copies += 1 << (4 * card::rank(card));
            suits |= 1 << card::suit(card);
        }
        let first_with = |bits: u64| (bits.trailing_zeros() / 4) as u8;
        // Bits 0, 1, 2 of a rank's count: 1 = 001, 2 = 010, 3 = 011, 4 = 100.
        let ones = copies & 0x1_1111_1111_1111;
        let twos = (copies >> 1) & 0x1_1111_1111_1111;
        match ranks.count_ones() {
            5 => {
                let flush = suits.is_power_of_two();
                let ten_to_ace = ranks == TEN_TO_ACE;
                let in_a_row = ranks >> ranks.trailing_zeros() == 0b1_1111;
                match (flush, ten_to_ace || in_a_row) {
                    (true, true) if ten_to_ace => Ranking::RoyalFlush { suit: suits.trailing_zeros() as u8 },
                    (true, true) => Ranking::StraightFlush,
                    (true, false) => Ranking::Flush,
                    (false, true) => Ranking::Straight,
                    (false, false) => Ranking::Nothing,
                }
            }
            4 => Ranking::Pair { rank: first_with(twos) },
            3 if ones & twos != 0 => Ranking::ThreeOfAKind,
            3 => Ranking::TwoPair,
            _ if twos != 0 => Ranking::FullHouse { threes: first_with(ones & twos) },
            _ => Ranking::FourOfAKind { rank: first_with(copies & !ones), kicker: first_with(ones) },
        }
    }
}

/// The natural cards of a hand and the number of its wild cards: its rankings depend on nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Naturals {
    /// The number of natural cards of each rank, in four bits per rank.
    pub copies: u64,
    /// Whether the natural cards are of one suit.
    pub suited: bool,
    /// The number of wild cards among the five.
    pub wild: u8,
    /// Whether the wild cards are the four cards of a rank.
    pub rank_is_wild: bool,
}

impl Naturals {
    /// All rankings that a hand with a wild card can count as, the best first as far as that is independent of a
    /// paytable.
    ///
    /// Two pair isn't among them: with a wild card, a pair is three of a kind.
    pub fn rankings(self) -> Vec<Ranking> {
        let held = |rank: u8| (self.copies >> (4 * rank) & 7) as u8;
        let of_rank = || (0..13).filter(move |&rank| held(rank) > 0);
        // A hand of wild cards alone can be of any rank.
        let wanted = |least: u8| (0..13).filter(move |&rank| held(rank) > 0 || self.wild >= least);
        let others = |rank: u8| (0..13).filter(move |&other| other != rank);
        let natural = 5 - self.wild;
        let ranks = of_rank().fold(0u16, |bits, rank| bits | 1 << rank);
        let different = ranks.count_ones() == u32::from(natural);

        let mut found = Vec::new();
        if self.wild == 4 && self.rank_is_wild {
            found.extend(of_rank().map(|kicker| Ranking::FourWild { kicker }));
        }
        if different && self.suited && ranks & !TEN_TO_ACE == 0 {
            found.push(Ranking::WildRoyalFlush);
        }
        found.extend(
            wanted(5).filter(|&rank| held(rank) + self.wild >= 5).map(|rank| Ranking::FiveOfAKind { rank }),
        );
        if different && self.suited && straights_with(ranks) > 0 {
            found.push(Ranking::StraightFlush);
        }
        for rank in wanted(4) {
            let kickers =
                others(rank).filter(|&kicker| held(kicker) <= 1 && held(rank) + held(kicker) == natural);
            found.extend(kickers.map(|kicker| Ranking::FourOfAKind { rank, kicker }));
        }
        for threes in wanted(3).filter(|&threes| held(threes) <= 3) {
            if others(threes).any(|twos| held(twos) <= 2 && held(threes) + held(twos) == natural) {
                found.push(Ranking::FullHouse { threes });
            }
        }
        if different && self.suited {
            found.push(Ranking::Flush);
        }
        if different && straights_with(ranks) > 0 {
            found.push(Ranking::Straight);
        }
        if wanted(3).any(|rank| held(rank) + self.wild >= 3) {
            found.push(Ranking::ThreeOfAKind);
        }
        found
            .extend(wanted(2).filter(|&rank| held(rank) + self.wild >= 2).map(|rank| Ranking::Pair { rank }));
        found.push(Ranking::Nothing);
        found
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn rankings_are_listed_by_class() {
        assert!(Ranking::all().into_iter().map(|ranking| usize::from(ranking.class())).eq(0..CLASSES));
    }

    /// The hand of these names.
    pub fn hand(names: &str) -> Hand {
        let cards: Vec<u8> = names.split(' ').map(|name| card::parse(name).unwrap().unwrap()).collect();
        cards.try_into().unwrap()
    }

    #[test]
    fn hands_by_name() {
        assert_eq!(Ranking::of(&hand("Ts Qs As Js Ks")), Ranking::RoyalFlush { suit: 0 });
        assert_eq!(Ranking::of(&hand("Td 9d Kd Jd Qd")), Ranking::StraightFlush);
        assert_eq!(Ranking::of(&hand("Ad 2d 3d 4d 5d")), Ranking::StraightFlush);
        assert_eq!(Ranking::of(&hand("Ad 2d 3d 4d 5c")), Ranking::Straight);
        assert_eq!(Ranking::of(&hand("Ad Kd Qd Jd Tc")), Ranking::Straight);
        // A straight doesn't wrap around from king to two.
        assert_eq!(Ranking::of(&hand("Kd Ad 2d 3d 4d")), Ranking::Flush);
        assert_eq!(Ranking::of(&hand("Qd Kd Ad 2d 3c")), Ranking::Nothing);
        assert_eq!(Ranking::of(&hand("Kd Ks 3s Kc Kh")), Ranking::FourOfAKind { rank: 12, kicker: 2 });
        assert_eq!(Ranking::of(&hand("Ad As 2s Ac Ah")), Ranking::FourOfAKind { rank: 0, kicker: 1 });
        assert_eq!(Ranking::of(&hand("2d 2s As 2c 2h")), Ranking::FourOfAKind { rank: 1, kicker: 0 });
        assert_eq!(Ranking::of(&hand("2d 2s As 2c Ah")), Ranking::FullHouse { threes: 1 });
        assert_eq!(Ranking::of(&hand("2d 2s As 2c Kh")), Ranking::ThreeOfAKind);
        assert_eq!(Ranking::of(&hand("2d 2s As Kc Kh")), Ranking::TwoPair);
        assert_eq!(Ranking::of(&hand("Jc 3d 5d Ac Jd")), Ranking::Pair { rank: 10 });
        assert_eq!(Ranking::of(&hand("Ac 3d 5d Kc Ad")), Ranking::Pair { rank: 0 });
    }
}
