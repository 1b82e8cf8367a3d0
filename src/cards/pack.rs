//! Packs: the mapping from the numbers of a deal to cards.

use super::card;
use crate::error::{Error, Result, value_error};

/// The card of each number of a deal: 0 to 51 as in [`card`], or [`Pack::JOKER`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    /// The card of each number.
    cards: Vec<u8>,
    /// For each card, the first number that maps to it.
    firsts: [Option<u16>; 53],
    /// Whether the pack has jokers, which [`card`] cannot name.
    jokers: bool,
    /// Whether every number is that of its card.
    plain: bool,
    /// The dealing order: for each card at the table, its index among the first cards dealt.
    order: Vec<u8>,
}

impl Pack {
    /// The card of every joker.
    pub const JOKER: u8 = 52;

    /// A pack from the card of each number, and the order in which a table uses the first cards dealt.
    pub fn new(cards: Vec<u8>, order: Vec<u8>) -> Result<Self> {
        if cards.len() > 1024 || cards.iter().any(|&card| card > Self::JOKER) {
            return Err(Error::value("pack", "must be at most 1024 cards from 0 to 52"));
        }
        let mut firsts = [None; 53];
        for (number, &card) in cards.iter().enumerate().rev() {
            firsts[usize::from(card)] = Some(number as u16);
        }
        if order.iter().any(|&place| usize::from(place) >= order.len()) {
            return Err(Error::value("order", "must be indices of the first cards"));
        }
        let is_plain = |(number, &card)| card == Self::JOKER || usize::from(card) == number;
        let plain = cards.iter().enumerate().all(is_plain);
        Ok(Self { jokers: firsts[usize::from(Self::JOKER)].is_some(), plain, cards, firsts, order })
    }

    /// The number of cards.
    pub fn size(&self) -> usize {
        self.cards.len()
    }

    /// The card of a number; `None` if it is out of range.
    #[inline]
    pub fn card(&self, number: i64) -> Option<u8> {
        usize::try_from(number).ok().and_then(|number| self.cards.get(number).copied())
    }

    /// The cards of numbers. Jokers keep their numbers, so that no card occurs twice in a hand.
    #[inline]
    pub fn told_apart<const CARDS: usize>(&self, numbers: &[i64; CARDS]) -> [i64; CARDS] {
        if self.plain {
            return *numbers;
        }
        numbers.map(|number| match self.card(number) {
            Some(card) if card < Self::JOKER => card.into(),
            _ => number,
        })
    }

    /// Writes the cards of a deal in the order that a table uses them, until one is missing or `cards` is full.
    /// Returns their count.
    pub fn at_table(&self, dealt: &[i64], cards: &mut [u8]) -> usize {
        let ordered = if dealt.len() < self.order.len() { &[][..] } else { &self.order };
        let mut count = 0;
        for (place, card) in cards.iter_mut().enumerate().take(dealt.len()) {
            let from = ordered.get(place).map_or(place, |&from| usize::from(from));
            match self.card(dealt[from]) {
                Some(found) => *card = found,
                None => break,
            }
            count = place + 1;
        }
        count
    }

    /// The first number that maps to the same card; cards with one name count as equal.
    pub fn first(&self, number: i64) -> i64 {
        self.card(number).and_then(|card| self.firsts[usize::from(card)]).map_or(number, i64::from)
    }

    /// The first number of a named card; -1 for a missing card.
    pub fn parse(&self, name: &str) -> Result<i64> {
        let named = match self.jokers && name.trim().eq_ignore_ascii_case("joker") {
            true => Some(Self::JOKER),
            false => card::parse(name)?,
        };
        let Some(card) = named else { return Ok(card::NO_CARD.into()) };
        let problem = || value_error!("name", "must be a card of the pack, got {name:?}");
        self.firsts[usize::from(card)].map(i64::from).ok_or_else(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_of_one_name_are_alike() {
        let decks = Pack::new((0..208).map(|number| (number % 52) as u8).collect(), vec![]).unwrap();
        assert_eq!(
            (decks.card(149), decks.first(149), decks.card(208), decks.card(-1)),
            (Some(45), 45, None, None)
        );
        assert_eq!(decks.parse("J♣"), Ok(49));
        assert!(decks.parse("joker").is_err());
        let jokers = Pack::new((0..54).map(|number: u8| number.min(52)).collect(), vec![]).unwrap();
        assert_eq!((jokers.first(53), jokers.parse("Joker"), jokers.parse("--")), (52, Ok(52), Ok(-1)));
        let others = Pack::new((0..52).rev().collect(), vec![0, 2, 1, 3]).unwrap();
        assert_eq!((others.card(0), others.parse("A♠")), (Some(51), Ok(51)));
        assert_eq!(decks.told_apart(&[149, 45, -1]), [45, 45, -1]);
        assert_eq!(jokers.told_apart(&[53, 52, 51, -1]), [53, 52, 51, -1]);
        assert_eq!(others.told_apart(&[0, 51, 52]), [51, 0, 52]);
        let mut cards = [0; 8];
        assert_eq!(others.at_table(&[51, 50, 49, 48, 47, -1], &mut cards), 5);
        assert_eq!(cards[..5], [0, 2, 1, 3, 4]);
    }
}
