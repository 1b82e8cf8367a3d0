//! Cards as numbers, and their names.
//!
//! Rank is `number mod 13` (0 is the ace, 12 the king), suit is `number div 13 mod 4` (spades,
//! hearts, diamonds, clubs). One deck is 0..=51; the four decks of the blackjack shoe are 0..=207,
//! and copies of a card share its name. -1 means no card.

use crate::error::{Result, value_error};

/// The number of a missing card, when the hash ran out.
pub const NO_CARD: i16 = -1;
/// The name of a missing card, so that every number in an array can be printed.
pub const NO_CARD_NAME: &str = "--";
const RANKS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS: [&str; 4] = ["♠", "♥", "♦", "♣"];
const SUIT_LETTERS: [&str; 4] = ["s", "h", "d", "c"];

/// 0 for an ace, 1 for a two, ..., 12 for a king.
pub const fn rank(card: u8) -> u8 {
    card % 13
}

/// 0 spades, 1 hearts, 2 diamonds, 3 clubs.
pub const fn suit(card: u8) -> u8 {
    card / 13 % 4
}

/// The name of a rank: `A`, `2`, ..., `10`, `J`, `Q`, `K`.
pub fn rank_name(rank: u8) -> &'static str {
    RANKS[usize::from(rank)]
}

/// Parses a rank name in either case; ten may be `10` or `T`.
pub fn parse_rank(text: &str) -> Option<u8> {
    if text.eq_ignore_ascii_case("T") {
        return Some(9);
    }
    RANKS.iter().position(|name| name.eq_ignore_ascii_case(text)).map(|rank| rank as u8)
}

/// The name with the suit's symbol, as in `J♣`.
pub fn name(card: Option<u8>) -> String {
    written(card, &SUITS, "10")
}

/// The name in two ASCII characters, as in `Jc`; ten is `T`.
pub fn ascii_name(card: Option<u8>) -> String {
    written(card, &SUIT_LETTERS, "T")
}

fn written(card: Option<u8>, suits: &[&str; 4], ten: &str) -> String {
    let Some(card) = card else { return NO_CARD_NAME.to_owned() };
    let rank = if rank(card) == 9 { ten } else { rank_name(rank(card)) };
    format!("{rank}{}", suits[usize::from(suit(card))])
}

/// Parses either kind of name in either case: the card in the first deck, or `None` for `--`.
pub fn parse(text: &str) -> Result<Option<u8>> {
    let text = text.trim();
    if text == NO_CARD_NAME {
        return Ok(None);
    }
    let mut letters = text.chars();
    let last = letters.next_back().map(String::from).unwrap_or_default();
    let suit = SUITS
        .iter()
        .position(|symbol| *symbol == last)
        .or_else(|| SUIT_LETTERS.iter().position(|letter| letter.eq_ignore_ascii_case(&last)));
    match (parse_rank(letters.as_str()), suit) {
        (Some(rank), Some(suit)) => Ok(Some(suit as u8 * 13 + rank)),
        _ => Err(value_error!(
            "name",
            "must be a rank (A, 2 to 10 or T, J, Q, K) and a suit (♠♥♦♣ or s h d c), \
             such as \"J♣\" or \"Jc\", or \"--\" for no card, got {text:?}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_cards_have_their_names() {
        let named = [(49, "J♣"), (17, "5♥"), (46, "8♣"), (39, "A♣"), (40, "2♣"), (28, "3♦")];
        for (card, expected) in named {
            assert_eq!(name(Some(card)), expected);
        }
        assert_eq!(name(Some(135)), "6♦");
        assert_eq!(name(Some(142)), "K♦");
        assert_eq!(ascii_name(Some(48)), "Tc");
        assert_eq!(name(None), "--");
    }

    #[test]
    fn names_read_back() {
        for card in 0..52 {
            assert_eq!(parse(&name(Some(card))), Ok(Some(card)));
            assert_eq!(parse(&ascii_name(Some(card))), Ok(Some(card)));
            assert_eq!(parse(&ascii_name(Some(card)).to_lowercase()), Ok(Some(card)));
            assert_eq!(parse(&name(Some(card + 156))), Ok(Some(card)));
        }
        assert_eq!(parse("10h"), parse("Th"));
        assert_eq!(parse("--"), Ok(None));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "J", "c", "1c", "11c", "Jx", "JJc", "-1"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
