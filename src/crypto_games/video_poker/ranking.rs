//! What five cards are worth as a poker hand, in as much detail as any paytable asks for.

use crate::crypto_games::cards;

/// Five different cards of one deck, 0..=51.
pub type Hand = [u8; 5];

/// A poker hand. Ranks are the cards': 0 is the ace, 12 the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    Nothing,
    Pair { rank: u8 },
    TwoPair,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind { rank: u8, kicker: u8 },
    StraightFlush,
    RoyalFlush,
}

/// How many different [`Ranking`]s there are, with numbers for rank and kicker.
pub const CLASSES: usize = ROYAL_FLUSH as usize + 1;

const PAIRS: u8 = 1;
const TWO_PAIR: u8 = PAIRS + 13;
const THREE_OF_A_KIND: u8 = TWO_PAIR + 1;
const STRAIGHT: u8 = THREE_OF_A_KIND + 1;
const FLUSH: u8 = STRAIGHT + 1;
const FULL_HOUSE: u8 = FLUSH + 1;
const FOURS: u8 = FULL_HOUSE + 1;
const STRAIGHT_FLUSH: u8 = FOURS + 13 * 13;
const ROYAL_FLUSH: u8 = STRAIGHT_FLUSH + 1;

impl Ranking {
    /// The ranking as a small number, for tables of pays: 0..[`CLASSES`].
    pub const fn class(self) -> u8 {
        match self {
            Ranking::Nothing => 0,
            Ranking::Pair { rank } => PAIRS + rank,
            Ranking::TwoPair => TWO_PAIR,
            Ranking::ThreeOfAKind => THREE_OF_A_KIND,
            Ranking::Straight => STRAIGHT,
            Ranking::Flush => FLUSH,
            Ranking::FullHouse => FULL_HOUSE,
            Ranking::FourOfAKind { rank, kicker } => FOURS + rank * 13 + kicker,
            Ranking::StraightFlush => STRAIGHT_FLUSH,
            Ranking::RoyalFlush => ROYAL_FLUSH,
        }
    }

    /// The ranking whose class is `class`.
    pub const fn from_class(class: u8) -> Self {
        match class {
            0 => Ranking::Nothing,
            PAIRS..TWO_PAIR => Ranking::Pair { rank: class - PAIRS },
            TWO_PAIR => Ranking::TwoPair,
            THREE_OF_A_KIND => Ranking::ThreeOfAKind,
            STRAIGHT => Ranking::Straight,
            FLUSH => Ranking::Flush,
            FULL_HOUSE => Ranking::FullHouse,
            FOURS..STRAIGHT_FLUSH => {
                Ranking::FourOfAKind { rank: (class - FOURS) / 13, kicker: (class - FOURS) % 13 }
            }
            STRAIGHT_FLUSH => Ranking::StraightFlush,
            _ => Ranking::RoyalFlush,
        }
    }

    /// Ranks a hand; the order of its cards does not matter.
    #[inline]
    pub fn of(hand: &Hand) -> Self {
        let mut ranks = 0u16; // one bit for each rank held
        let mut copies = 0u64; // four bits for each rank: how many are held
        let mut suits = 0u8;
        for &card in hand {
            ranks |= 1 << cards::rank(card);
            copies += 1 << (4 * cards::rank(card));
            suits |= 1 << cards::suit(card);
        }
        let first_with = |bits: u64| (bits.trailing_zeros() / 4) as u8;
        // Bits 0, 1, 2 of a rank's count: 1 = 001, 2 = 010, 3 = 011, 4 = 100.
        let ones = copies & 0x1_1111_1111_1111;
        let twos = (copies >> 1) & 0x1_1111_1111_1111;
        match ranks.count_ones() {
            5 => {
                let flush = suits.is_power_of_two();
                let ten_to_ace = ranks == 0b1_1110_0000_0001;
                let in_a_row = ranks >> ranks.trailing_zeros() == 0b1_1111;
                match (flush, ten_to_ace || in_a_row) {
                    (true, true) if ten_to_ace => Ranking::RoyalFlush,
                    (true, true) => Ranking::StraightFlush,
                    (true, false) => Ranking::Flush,
                    (false, true) => Ranking::Straight,
                    (false, false) => Ranking::Nothing,
                }
            }
            4 => Ranking::Pair { rank: first_with(twos) },
            3 if ones & twos != 0 => Ranking::ThreeOfAKind,
            3 => Ranking::TwoPair,
            _ if twos != 0 => Ranking::FullHouse,
            _ => Ranking::FourOfAKind { rank: first_with(copies & !ones), kicker: first_with(ones) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every ranking there is.
    fn all() -> Vec<Ranking> {
        let mut all = vec![
            Ranking::Nothing,
            Ranking::TwoPair,
            Ranking::ThreeOfAKind,
            Ranking::Straight,
            Ranking::Flush,
            Ranking::FullHouse,
            Ranking::StraightFlush,
            Ranking::RoyalFlush,
        ];
        for rank in 0..13 {
            all.push(Ranking::Pair { rank });
            all.extend((0..13).map(|kicker| Ranking::FourOfAKind { rank, kicker }));
        }
        all
    }

    #[test]
    fn no_two_rankings_share_a_class() {
        let mut classes: Vec<_> = all().into_iter().map(|ranking| usize::from(ranking.class())).collect();
        classes.sort_unstable();
        assert!(classes.into_iter().eq(0..CLASSES));
    }

    fn ranked(names: &str) -> Ranking {
        let mut hand = [0; 5];
        for (card, name) in hand.iter_mut().zip(names.split(' ')) {
            *card = cards::parse(name).unwrap().unwrap();
        }
        Ranking::of(&hand)
    }

    #[test]
    fn hands_by_name() {
        assert_eq!(ranked("Ts Qs As Js Ks"), Ranking::RoyalFlush);
        assert_eq!(ranked("Td 9d Kd Jd Qd"), Ranking::StraightFlush);
        assert_eq!(ranked("Ad 2d 3d 4d 5d"), Ranking::StraightFlush);
        assert_eq!(ranked("Ad 2d 3d 4d 5c"), Ranking::Straight);
        assert_eq!(ranked("Ad Kd Qd Jd Tc"), Ranking::Straight);
        // A straight does not go round the corner.
        assert_eq!(ranked("Kd Ad 2d 3d 4d"), Ranking::Flush);
        assert_eq!(ranked("Qd Kd Ad 2d 3c"), Ranking::Nothing);
        assert_eq!(ranked("Kd Ks 3s Kc Kh"), Ranking::FourOfAKind { rank: 12, kicker: 2 });
        assert_eq!(ranked("Ad As 2s Ac Ah"), Ranking::FourOfAKind { rank: 0, kicker: 1 });
        assert_eq!(ranked("2d 2s As 2c 2h"), Ranking::FourOfAKind { rank: 1, kicker: 0 });
        assert_eq!(ranked("2d 2s As 2c Ah"), Ranking::FullHouse);
        assert_eq!(ranked("2d 2s As 2c Kh"), Ranking::ThreeOfAKind);
        assert_eq!(ranked("2d 2s As Kc Kh"), Ranking::TwoPair);
        assert_eq!(ranked("Jc 3d 5d Ac Jd"), Ranking::Pair { rank: 10 });
        assert_eq!(ranked("Ac 3d 5d Kc Ad"), Ranking::Pair { rank: 0 });
    }

    #[test]
    fn classes_come_back() {
        for class in 0..CLASSES as u8 {
            assert_eq!(Ranking::from_class(class).class(), class);
        }
    }
}
