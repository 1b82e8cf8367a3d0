//! From one SHA-512 to distinct cards, for both games.
//!
//! [`walk`] is the only place that knows how bytes become cards; dealing one hand, dealing many
//! and explaining a deal differ only in what they do with its steps.

use std::thread;

use sha2::{Digest, Sha512};

use super::cards::NO_CARD;
use crate::error::{Error, Result};

/// One round's SHA-512.
pub type Hash = [u8; 64];

/// Which cards a byte may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deck {
    /// One deck of 52: the byte's last two decimal digits, if they are 51 or less.
    VideoPoker,
    /// Four decks of 52: the byte itself, if it is 207 or less.
    Blackjack,
}

impl Deck {
    /// The number a byte is judged by.
    pub const fn number(self, byte: u8) -> u8 {
        match self {
            Deck::VideoPoker => byte % 100,
            Deck::Blackjack => byte,
        }
    }

    /// How many cards there are: numbers below this are cards.
    pub const fn size(self) -> u8 {
        match self {
            Deck::VideoPoker => 52,
            Deck::Blackjack => 208,
        }
    }
}

/// What became of one byte of the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is the next card.
    Card,
    /// Its number is no card's.
    OutOfRange,
    /// Its card has already been dealt.
    Repeat,
}

/// One byte on the way through the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Index of the byte, 0..=63.
    pub position: usize,
    /// The byte.
    pub byte: u8,
    /// The number it is judged by: the card's, if it is one.
    pub number: u8,
    /// What became of it.
    pub fate: Fate,
}

/// Walks through the hash until `wanted` cards are found or it ends; `sink` sees every byte read.
#[inline]
pub fn walk(hash: &Hash, deck: Deck, wanted: usize, mut sink: impl FnMut(Step)) {
    let mut seen = [0u64; 4];
    let mut found = 0;
    for (position, &byte) in hash.iter().enumerate() {
        if found == wanted {
            break;
        }
        let number = deck.number(byte);
        let (word, bit) = (usize::from(number / 64), 1u64 << (number % 64));
        let fate = if number >= deck.size() {
            Fate::OutOfRange
        } else if seen[word] & bit != 0 {
            Fate::Repeat
        } else {
            seen[word] |= bit;
            found += 1;
            Fate::Card
        };
        sink(Step { position, byte, number, fate });
    }
}

/// An integer type that arrays of cards may have.
pub trait CardNumber: Copy + Send {
    /// The card number, or -1, in this type.
    fn from_card(card: i16) -> Self;
}

macro_rules! card_numbers {
    ($($integer:ty),*) => {$(
        impl CardNumber for $integer {
            fn from_card(card: i16) -> Self {
                card as $integer
            }
        }
    )*};
}
// `i8` holds every card of the video poker deck, but not of the shoe.
card_numbers!(i8, i16, i32, i64);

/// Deals `out.len()` cards; -1 where the hash ran out.
#[inline]
pub fn deal<T: CardNumber>(hash: &Hash, deck: Deck, out: &mut [T]) {
    let mut found = 0;
    walk(hash, deck, out.len(), |step| {
        if step.fate == Fate::Card {
            out[found] = T::from_card(i16::from(step.number));
            found += 1;
        }
    });
    out[found..].fill(T::from_card(NO_CARD));
}

/// SHA-512 of the server seed, the client seed and the nonce, written one after the other.
pub fn hash(server_seed: &[u8], client_seed: &[u8], nonce: &[u8]) -> Hash {
    let mut hasher = Sha512::new();
    hasher.update(server_seed);
    hasher.update(client_seed);
    hasher.update(nonce);
    hasher.finalize().into()
}

/// Reads a SHA-512 written in hex.
pub fn parse_hash(argument: &str, text: &[u8]) -> Result<Hash> {
    if text.len() != 128 {
        return Err(Error::value(
            argument,
            format_args!("must be a SHA-512 of 128 hex characters, got {} characters", text.len()),
        ));
    }
    let mut hash = [0; 64];
    hex::decode_to_slice(text, &mut hash).map_err(|error| match error {
        hex::FromHexError::InvalidHexCharacter { c, index } => {
            Error::value(argument, format_args!("must be 128 hex characters, got {c:?} at index {index}"))
        }
        _ => Error::value(argument, "must be 128 hex characters"),
    })?;
    Ok(hash)
}

/// Deals `cards` cards for each row of `out` (row after row), over at most `threads` threads.
/// `hash_of` gives a row's hash, by its index.
pub fn deal_rows<T: CardNumber>(
    deck: Deck,
    cards: usize,
    out: &mut [T],
    threads: usize,
    hash_of: impl Fn(usize) -> Hash + Sync,
) {
    for_each_row(cards, out, threads, |row, cards| deal(&hash_of(row), deck, cards));
}

/// Fills `out`, row after row of `width` items, over at most `threads` threads that live only for
/// this call, so that a forked process never inherits a pool without its threads.
pub fn for_each_row<T: Send>(
    width: usize,
    out: &mut [T],
    threads: usize,
    fill: impl Fn(usize, &mut [T]) + Sync,
) {
    if width == 0 {
        return;
    }
    // Starting a thread costs about as much as dealing a few dozen rows.
    const LEAST_ROWS: usize = 1024;
    let rows_per_thread = (out.len() / width).div_ceil(threads.max(1)).max(LEAST_ROWS);
    let run = |first_row: usize, rows: &mut [T]| {
        for (index, row) in rows.chunks_exact_mut(width).enumerate() {
            fill(first_row + index, row);
        }
    };
    thread::scope(|scope| {
        let mut parts = out.chunks_mut(rows_per_thread * width).enumerate();
        // The calling thread does the first part itself.
        let own = parts.next();
        for (index, part) in parts {
            let run = &run;
            scope.spawn(move || run(index * rows_per_thread, part));
        }
        if let Some((_, part)) = own {
            run(0, part);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const POKER: (&str, &str) = ("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn");
    const BLACKJACK: (&str, &str) = ("Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn");

    fn hash_of((server_seed, client_seed): (&str, &str)) -> Hash {
        hash(server_seed.as_bytes(), client_seed.as_bytes(), b"")
    }

    #[test]
    fn the_documents_ten_cards() {
        let mut cards = [0i64; 10];
        deal(&hash_of(POKER), Deck::VideoPoker, &mut cards);
        assert_eq!(cards, [49, 17, 46, 39, 40, 28, 30, 36, 21, 44]);
    }

    #[test]
    fn the_documents_shoe() {
        let hash = hash_of(BLACKJACK);
        assert_eq!(
            hex::encode(hash),
            "2b87fbc5eac7368ef393c8ab292f71a0251702f6db028ca8a855bfaa541b78df\
             3ae996ad22ac022588a46231ed32180d5cbde86dff5d2368cbb7658332bbb9bc"
        );
        let mut cards = [0i16; 52];
        deal(&hash, Deck::Blackjack, &mut cards);
        assert_eq!(cards[..6], [43, 135, 197, 199, 54, 142]);
        // The hash holds 49 cards.
        assert_eq!(cards.iter().position(|&card| card == NO_CARD), Some(49));
        assert!(cards[49..].iter().all(|&card| card == NO_CARD));
    }

    #[test]
    fn the_documents_table_of_bytes() {
        use Fate::{Card, OutOfRange, Repeat};
        let mut steps = Vec::new();
        walk(&hash_of(POKER), Deck::VideoPoker, 8, |step| {
            steps.push((step.byte, step.number, step.fate));
        });
        let expected = [
            (0x3a, 58, OutOfRange),
            (0x95, 49, Card),
            (0x9b, 55, OutOfRange),
            (0xba, 86, OutOfRange),
            (0xff, 55, OutOfRange),
            (0xd9, 17, Card),
            (0xb3, 79, OutOfRange),
            (0x92, 46, Card),
            (0x8b, 39, Card),
            (0x28, 40, Card),
            (0x43, 67, OutOfRange),
            (0x1c, 28, Card),
            (0x2e, 46, Repeat),
            (0xe6, 30, Card),
            (0x88, 36, Card),
        ];
        assert_eq!(steps, expected);
    }

    #[test]
    fn every_card_has_the_same_number_of_bytes() {
        for (deck, bytes_each) in [(Deck::VideoPoker, 3), (Deck::Blackjack, 1)] {
            let mut bytes = vec![0; usize::from(deck.size())];
            for byte in 0..=255 {
                if let Some(count) = bytes.get_mut(usize::from(deck.number(byte))) {
                    *count += 1;
                }
            }
            assert!(bytes.iter().all(|&count| count == bytes_each));
        }
    }

    #[test]
    fn a_hash_without_cards_gives_none() {
        let mut cards = [0i8; 10];
        deal(&[0xff; 64], Deck::VideoPoker, &mut cards);
        assert_eq!(cards, [-1; 10]);
        deal(&[7; 64], Deck::VideoPoker, &mut cards);
        assert_eq!(cards[..2], [7, -1]);
    }

    #[test]
    fn the_misprinted_hash_is_refused_and_its_first_128_characters_are_not() {
        let printed = "3a959bbaffd9b3928b28431c2ee688792c67a45f1933b9e11af3c7784a7bbda5674d2e768\
                       ac330a04982b9fa943c4c249968ac330a04982b9fa943c4c2499696d";
        assert_eq!(printed.len(), 129);
        let error = parse_hash("hash", printed.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "hash must be a SHA-512 of 128 hex characters, got 129 characters");
        let mut cards = [0i64; 10];
        deal(&parse_hash("hash", &printed.as_bytes()[..128]).unwrap(), Deck::VideoPoker, &mut cards);
        assert_eq!(cards, [49, 17, 46, 39, 40, 28, 30, 36, 21, 44]);
        let error = parse_hash("hash", "x".repeat(128).as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "hash must be 128 hex characters, got 'x' at index 0");
    }

    #[test]
    fn rows_do_not_depend_on_threads() {
        let rows = 5000;
        let hash_of = |row: usize| hash(b"server", b"client", row.to_string().as_bytes());
        let mut one = vec![0i16; rows * 20];
        deal_rows(Deck::Blackjack, 20, &mut one, 1, hash_of);
        let mut three = vec![0i16; rows * 20];
        deal_rows(Deck::Blackjack, 20, &mut three, 3, hash_of);
        assert!(one == three);
        let mut last = [0i16; 20];
        deal(&hash_of(rows - 1), Deck::Blackjack, &mut last);
        assert_eq!(one[(rows - 1) * 20..], last);
    }
}
