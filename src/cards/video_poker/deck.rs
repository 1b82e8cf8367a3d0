//! Wild cards, the size of the deck, and the kind of every hand.
//!
//! A hand's kind is the list of rankings that it can count as, independent of any paytable. One table per deck has
//! the kind of every hand, by the number of its set of cards. It is built once and shared by all paytables, which
//! assign pays to a few hundred kinds rather than to millions of hands.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::ranking::{Hand, Naturals, Ranking};
use super::subsets::{CHOOSE, for_each_run, sets, subset_numbers};
use crate::cards::card;

/// The number of the first joker; the second one is the next.
pub const JOKER: u8 = 52;

/// The wild cards of a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wild {
    /// None.
    No,
    /// The four cards of a rank.
    Rank(u8),
    /// One or two jokers beside the 52 cards.
    Jokers(u8),
}

impl Wild {
    /// The number of cards in the deck.
    pub const fn deck(self) -> u8 {
        match self {
            Wild::Jokers(jokers) => JOKER + jokers,
            _ => JOKER,
        }
    }

    /// Whether a card is wild.
    pub const fn has(self, card: u8) -> bool {
        match self {
            Wild::No => false,
            Wild::Rank(rank) => card::rank(card) == rank,
            Wild::Jokers(_) => card >= JOKER,
        }
    }

    /// An index that differs for each variant's value.
    const fn index(self) -> usize {
        match self {
            Wild::No => 0,
            Wild::Rank(rank) => 1 + rank as usize,
            Wild::Jokers(jokers) => 13 + jokers as usize,
        }
    }
}

/// The numbers of draws to a hold, by the number of cards held.
#[derive(Clone, Copy, Debug)]
pub struct DrawCounts {
    /// The number of ways.
    pub ways: [i64; 6],
    /// Their least common multiple.
    pub common: i64,
}

impl DrawCounts {
    /// The numbers for a deck of which five cards were dealt.
    pub fn of(deck: u8) -> Self {
        let ways = std::array::from_fn(|held| CHOOSE[usize::from(deck) - 5][5 - held].into());
        let common =
            ways.iter().fold(1, |common, ways| common / greatest_common_divisor(common, *ways) * ways);
        Self { ways, common }
    }

    /// For each hold, the factor that brings its sum of pays to the common number of draws.
    pub fn scale(self) -> [i64; 32] {
        std::array::from_fn(|hold| self.common / self.ways[hold.count_ones() as usize])
    }
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// All hands of a deck by kind.
pub struct DeckHands {
    wild: Wild,
    /// The rankings that hands of each kind can count as, the best first.
    pub kinds: Vec<Vec<Ranking>>,
    /// The kind of every hand, by its number among the sets of five cards.
    pub of: Vec<u16>,
}

impl DeckHands {
    /// The hands of a deck; built once.
    pub fn of(wild: Wild) -> &'static Self {
        static HANDS: [OnceLock<DeckHands>; 16] = [const { OnceLock::new() }; 16];
        HANDS[wild.index()].get_or_init(|| Self::new(wild))
    }

    fn new(wild: Wild) -> Self {
        // Without wild cards, the kinds are the classes.
        let mut kinds: Vec<_> = Ranking::all().into_iter().map(|ranking| vec![ranking]).collect();
        let mut numbers = HashMap::new();
        let mut of = vec![0; sets(wild.deck(), 5)];
        for_each_run::<5>(wild.deck(), |run| {
            let mut hand = run.cards;
            for kind in &mut of[run.number..][..run.length] {
                *kind = match naturals(&hand, wild) {
                    None => u16::from(Ranking::of(&hand).class()),
                    Some(naturals) => {
                        let royal = royal(&hand, wild);
                        *numbers.entry((naturals, royal)).or_insert_with(|| {
                            let rankings = royal.into_iter().chain(naturals.rankings()).collect();
                            let known = kinds.iter().position(|kind| *kind == rankings);
                            known.unwrap_or_else(|| {
                                kinds.push(rankings);
                                kinds.len() - 1
                            }) as u16
                        })
                    }
                };
                hand[0] += 1;
            }
        });
        Self { wild, kinds, of }
    }

    /// The kind of a hand, in any order.
    #[inline]
    pub fn kind(&self, hand: &Hand) -> u16 {
        if self.wild == Wild::No {
            return u16::from(Ranking::of(hand).class());
        }
        let mut sorted = *hand;
        sorted.sort_unstable();
        self.of[subset_numbers(&sorted)[31] as usize]
    }
}

/// The natural cards of a hand; `None` if none of its cards is wild.
fn naturals(hand: &Hand, wild: Wild) -> Option<Naturals> {
    let mut naturals =
        Naturals { copies: 0, suited: true, wild: 0, rank_is_wild: matches!(wild, Wild::Rank(_)) };
    let mut suits = 0u8;
    for &card in hand {
        if wild.has(card) {
            naturals.wild += 1;
        } else {
            naturals.copies += 1 << (4 * card::rank(card));
            suits |= 1 << card::suit(card);
        }
    }
    naturals.suited = suits.count_ones() <= 1;
    (naturals.wild > 0).then_some(naturals)
}

/// A natural royal flush, even if one of its cards is of the wild rank.
fn royal(hand: &Hand, wild: Wild) -> Option<Ranking> {
    match wild {
        Wild::Rank(_) => Some(Ranking::of(hand)).filter(|found| matches!(found, Ranking::RoyalFlush { .. })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_to_a_hold() {
        let draws = DrawCounts::of(52);
        assert_eq!(draws.ways, [1_533_939, 178_365, 16_215, 1_081, 47, 1]);
        assert_eq!(draws.common, 7_669_695);
        assert_eq!(DrawCounts::of(53).ways[..2], [1_712_304, 194_580]);
    }

    /// The number of hands whose best ranking is `wanted`.
    fn count(wild: Wild, wanted: fn(Ranking) -> bool) -> usize {
        let hands = DeckHands::of(wild);
        let fits: Vec<bool> = hands.kinds.iter().map(|kind| wanted(kind[0])).collect();
        hands.of.iter().filter(|&&kind| fits[usize::from(kind)]).count()
    }

    #[test]
    fn hands_with_deuces_wild_have_the_textbook_counts() {
        let deuces = Wild::Rank(1);
        assert_eq!(count(deuces, |hand| matches!(hand, Ranking::RoyalFlush { .. })), 4);
        assert_eq!(count(deuces, |hand| matches!(hand, Ranking::FourWild { .. })), 48);
        assert_eq!(count(deuces, |hand| hand == Ranking::WildRoyalFlush), 480);
    }

    #[test]
    fn a_wild_card_of_a_royal_flush_may_be_itself() {
        let aces = Wild::Rank(0);
        assert_eq!(count(aces, |hand| matches!(hand, Ranking::RoyalFlush { .. })), 4);
    }
}
