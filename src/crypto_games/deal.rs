//! From one SHA-512 to distinct cards, for both games.
//!
//! [`walk`] is the only place that knows how bytes become cards; dealing one hand, dealing many
//! and explaining a deal differ only in what they do with its steps.

use std::ops::Range;

use sha2::{Digest, Sha512};

use super::cards::{self, NO_CARD};
use crate::error::{Error, Result};
use crate::in_lanes;
use crate::parallel::{self, Tick};
use crate::sha2_lanes::{Lanes, Path, sha512};
use crate::strings::{Decimal, Texts};

/// One round's SHA-512.
pub type Hash = [u8; 64];

/// The first joker, where there is one.
const JOKER: i64 = 52;

/// Which cards a byte may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deck {
    /// One deck of 52: the byte's last two decimal digits, if they are 51 or less. Jokers, which Crypto.Games
    /// does not deal, are the numbers that follow.
    VideoPoker { jokers: u8 },
    /// Four decks of 52: the byte itself, if it is 207 or less.
    Blackjack,
}

impl Deck {
    /// The number that decides whether a byte is a card.
    pub const fn number(self, byte: u8) -> u8 {
        match self {
            Deck::VideoPoker { .. } => byte % 100,
            Deck::Blackjack => byte,
        }
    }

    /// How many cards there are: numbers below this are cards.
    pub const fn size(self) -> u8 {
        match self {
            Deck::VideoPoker { jokers } => 52 + jokers,
            Deck::Blackjack => 208,
        }
    }

    /// The first of the cards that have this one's name: each name is there four times in a shoe, and jokers
    /// are all called alike.
    pub const fn namesake(self, card: i64) -> i64 {
        match self {
            Deck::VideoPoker { .. } if card > JOKER => JOKER,
            Deck::Blackjack if card >= 0 => card % 52,
            _ => card,
        }
    }

    /// Reads the name of a card, or of none; jokers have one where there are any.
    pub fn parse(self, name: &str) -> Result<i64> {
        match self {
            Deck::VideoPoker { jokers: 1.. } if name.trim().eq_ignore_ascii_case("joker") => Ok(JOKER),
            _ => Ok(cards::parse(name)?.map_or(i64::from(NO_CARD), i64::from)),
        }
    }

    /// Whether the type holds every card: `i8` holds those of one deck, but not of the shoe.
    pub fn fits<T: CardNumber>(self) -> bool {
        i64::from(self.size()) - 1 <= T::MAX_CARD
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
    /// The number that decides: the card's, if it is one.
    pub number: u8,
    /// What became of it.
    pub fate: Fate,
}

/// Walks through the hash until `wanted` cards are found or it ends; `sink` sees every byte read.
///
/// What becomes of a byte is a coin toss that no CPU can predict, so it is computed without branches.
#[inline(always)]
pub fn walk(hash: &Hash, deck: Deck, wanted: usize, mut sink: impl FnMut(Step)) {
    let mut seen = [0u64; 4];
    let mut found = 0;
    for (position, &byte) in hash.iter().enumerate() {
        if found == wanted {
            break;
        }
        let number = deck.number(byte);
        let (word, bit) = (usize::from(number / 64), number % 64);
        let in_range = number < deck.size();
        let repeat = seen[word] >> bit & 1 == 1;
        let card = in_range & !repeat;
        seen[word] |= u64::from(card) << bit;
        found += usize::from(card);
        let fate = if card {
            Fate::Card
        } else if in_range {
            Fate::Repeat
        } else {
            Fate::OutOfRange
        };
        sink(Step { position, byte, number, fate });
    }
}

/// An integer type that arrays of cards may have.
pub trait CardNumber: Copy + Send {
    /// The highest number it holds.
    const MAX_CARD: i64;

    /// The card number, or -1, in this type.
    fn from_card(card: i16) -> Self;
}

macro_rules! card_numbers {
    ($($integer:ty),*) => {$(
        impl CardNumber for $integer {
            const MAX_CARD: i64 = <$integer>::MAX as i64;

            fn from_card(card: i16) -> Self {
                card as $integer
            }
        }
    )*};
}
card_numbers!(i8, i16, i32, i64);

/// Deals `out.len()` cards; -1 where the hash ran out.
#[inline]
pub fn deal<T: CardNumber>(hash: &Hash, deck: Deck, out: &mut [T]) {
    match deck {
        // Each deck gets a loop of its own, with its numbers built in.
        Deck::VideoPoker { jokers: 0 } => deal_from(hash, Deck::VideoPoker { jokers: 0 }, out),
        Deck::VideoPoker { .. } => deal_from(hash, deck, out),
        Deck::Blackjack => deal_from(hash, Deck::Blackjack, out),
    }
}

#[inline(always)]
fn deal_from<T: CardNumber>(hash: &Hash, deck: Deck, out: &mut [T]) {
    let mut found = 0;
    walk(hash, deck, out.len(), |step| {
        // Written over by the next byte, unless it is a card.
        out[found] = T::from_card(i16::from(step.number));
        found += usize::from(step.fate == Fate::Card);
    });
    out[found..].fill(T::from_card(NO_CARD));
}

/// SHA-512 of the server seed, the client seed and the nonce, written one after the other.
pub fn hash(server_seed: &[u8], client_seed: &[u8], nonce: &[u8]) -> Hash {
    Sha512::new().chain_update(server_seed).chain_update(client_seed).chain_update(nonce).finalize().into()
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

/// The nonces of many rounds.
#[derive(Clone, Copy, Debug)]
pub enum Nonces<'a> {
    /// As they are.
    Given(Texts<'a>),
    /// The decimal digits of `start`, `start + 1`, ...
    Series { start: u64 },
}

/// The hashes of many rounds: made from seeds, or given.
#[derive(Clone, Debug)]
pub enum Hashes<'a> {
    Seeds { server_seed: Texts<'a>, client_seed: Texts<'a>, nonce: Nonces<'a> },
    Given(Vec<Hash>),
}

impl<'a> Hashes<'a> {
    /// Reads hashes written in hex; a mistake names the row.
    pub fn parse(argument: &str, texts: &Texts<'a>) -> Result<Self> {
        let hashes = match texts.len() {
            None => vec![parse_hash(argument, texts.get(0))?],
            Some(rows) => (0..rows)
                .map(|row| parse_hash(argument, texts.get(row)).map_err(|error| error.at(row)))
                .collect::<Result<_>>()?,
        };
        Ok(Self::Given(hashes))
    }

    /// The hash of a round.
    #[inline]
    pub fn get(&self, round: usize) -> Hash {
        match self {
            Self::Given(hashes) => hashes[if hashes.len() == 1 { 0 } else { round }],
            Self::Seeds { .. } => {
                let mut text = Vec::new();
                self.write_message(round, &mut text);
                Sha512::digest(&text).into()
            }
        }
    }
}

/// Hashes computed at a time.
const HASHES_AT_A_TIME: usize = 64;

impl Hashes<'_> {
    /// Visits the hashes of these rounds, in their order.
    pub fn for_each(&self, rounds: Range<usize>, visit: impl FnMut(usize, &Hash)) {
        self.for_each_on(Path::best(), rounds, visit);
    }

    /// The same on a given path.
    pub fn for_each_on(&self, path: Path, rounds: Range<usize>, mut visit: impl FnMut(usize, &Hash)) {
        match (self, path) {
            (Self::Seeds { .. }, Path::Lanes { kernel, .. }) => {
                let mut messages = sha512::Messages::default();
                let mut hashes = [[0; 64]; HASHES_AT_A_TIME];
                for first in rounds.clone().step_by(HASHES_AT_A_TIME) {
                    let hashes = &mut hashes[..HASHES_AT_A_TIME.min(rounds.end - first)];
                    in_lanes!(kernel, lanes => self.fill_lanes(lanes, first, &mut messages, hashes));
                    for (round, hash) in (first..).zip(hashes) {
                        visit(round, hash);
                    }
                }
            }
            _ => rounds.for_each(|round| visit(round, &self.get(round))),
        }
    }

    /// The hashes of rounds `first`, `first + 1`, ..., as many at once as there are lanes.
    #[inline(always)]
    fn fill_lanes<L: Lanes>(
        &self,
        lanes: L,
        first: usize,
        messages: &mut sha512::Messages,
        hashes: &mut [Hash],
    ) {
        let width = sha512::width::<L>();
        for (group, hashes) in hashes.chunks_mut(width).enumerate() {
            // Lanes beyond the last round repeat it.
            let round = |lane: usize| first + group * width + lane.min(hashes.len() - 1);
            let mut state = sha512::splat(lanes, &sha512::INITIAL);
            messages.compress(lanes, &mut state, 0, |lane, text| self.write_message(round(lane), text));
            for (lane, hash) in hashes.iter_mut().enumerate() {
                for (eight, word) in hash.chunks_exact_mut(8).zip(sha512::lane::<L>(&state, lane)) {
                    eight.copy_from_slice(&word.to_be_bytes());
                }
            }
        }
    }

    /// What is hashed for a round; nothing where the hash is given.
    fn write_message(&self, round: usize, text: &mut Vec<u8>) {
        if let Self::Seeds { server_seed, client_seed, nonce } = self {
            text.extend_from_slice(server_seed.get(round));
            text.extend_from_slice(client_seed.get(round));
            match nonce {
                Nonces::Given(nonces) => text.extend_from_slice(nonces.get(round)),
                Nonces::Series { start } => {
                    text.extend_from_slice(Decimal::new(start + round as u64).text());
                }
            }
        }
    }
}

/// Rounds handed to a thread at a time.
pub const ROUNDS_AT_A_TIME: usize = 1024;

/// Deals `cards` cards for every round, row after row of `out`.
pub fn deal_rounds<T: CardNumber>(
    hashes: &Hashes<'_>,
    deck: Deck,
    cards: usize,
    out: &mut [T],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    if cards == 0 {
        return Ok(());
    }
    let threads = parallel::threads(threads, out.len() / cards, ROUNDS_AT_A_TIME);
    parallel::fill(out, cards, ROUNDS_AT_A_TIME, threads, tick, |(), first, rows| {
        let mut rows = rows.chunks_exact_mut(cards);
        hashes.for_each(first..first + rows.len(), |_, hash| {
            if let Some(row) = rows.next() {
                deal(hash, deck, row);
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::no_tick;

    const POKER: (&str, &str) = ("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn");
    const BLACKJACK: (&str, &str) = ("Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn");

    fn hash_of((server_seed, client_seed): (&str, &str)) -> Hash {
        hash(server_seed.as_bytes(), client_seed.as_bytes(), b"")
    }

    #[test]
    fn the_documents_ten_cards() {
        let mut cards = [0i64; 10];
        deal(&hash_of(POKER), Deck::VideoPoker { jokers: 0 }, &mut cards);
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
        walk(&hash_of(POKER), Deck::VideoPoker { jokers: 0 }, 8, |step| {
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
        for (deck, bytes_each) in [(Deck::VideoPoker { jokers: 0 }, 3), (Deck::Blackjack, 1)] {
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
        deal(&[0xff; 64], Deck::VideoPoker { jokers: 0 }, &mut cards);
        assert_eq!(cards, [-1; 10]);
        deal(&[7; 64], Deck::VideoPoker { jokers: 0 }, &mut cards);
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
        deal(
            &parse_hash("hash", &printed.as_bytes()[..128]).unwrap(),
            Deck::VideoPoker { jokers: 0 },
            &mut cards,
        );
        assert_eq!(cards, [49, 17, 46, 39, 40, 28, 30, 36, 21, 44]);
        let error = parse_hash("hash", "x".repeat(128).as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "hash must be 128 hex characters, got 'x' at index 0");
    }

    #[test]
    fn rows_do_not_depend_on_threads() {
        let rows = 5000;
        let hashes = Hashes::Seeds {
            server_seed: Texts::One(b"server"),
            client_seed: Texts::One(b"client"),
            nonce: Nonces::Series { start: 7 },
        };
        let dealt = |threads| {
            let mut cards = vec![0i16; rows * 20];
            deal_rounds(&hashes, Deck::Blackjack, 20, &mut cards, Some(threads), &mut no_tick).unwrap();
            cards
        };
        assert!(dealt(1) == dealt(3));
        let mut last = [0i16; 20];
        deal(&hash(b"server", b"client", b"5006"), Deck::Blackjack, &mut last);
        assert_eq!(dealt(1)[(rows - 1) * 20..], last);
    }

    #[test]
    fn every_path_gives_the_same_hashes() {
        // Messages of one, two and three blocks beside each other.
        let long = "x".repeat(160);
        let servers: Vec<String> = (0..77).map(|i| long[..i * 2].to_owned()).collect();
        let ends: Vec<usize> =
            servers.iter().scan(0, |end, text| (*end += text.len(), Some(*end)).1).collect();
        let ends = [vec![0], ends].concat();
        let bytes = servers.concat();
        let hashes = Hashes::Seeds {
            server_seed: Texts::Packed { bytes: bytes.as_bytes(), ends: &ends },
            client_seed: Texts::One(&long.as_bytes()[..100]),
            nonce: Nonces::Series { start: 95 },
        };
        for (name, path) in Path::all() {
            let mut next = 3;
            hashes.for_each_on(path, 3..77, |round, found| {
                assert_eq!(round, next);
                next += 1;
                let expected = Sha512::digest(format!("{}{}{}", servers[round], &long[..100], 95 + round));
                assert_eq!(found[..], expected[..], "{name} {round}");
            });
            assert_eq!(next, 77);
        }
    }

    #[test]
    fn given_hashes_are_checked_row_by_row() {
        let good = "ab".repeat(64);
        let both = good.clone() + &good[1..];
        let texts = Texts::Packed { bytes: both.as_bytes(), ends: &[0, 128, 255] };
        let error = Hashes::parse("hash", &texts).unwrap_err().to_string();
        assert_eq!(error, "hash[1] must be a SHA-512 of 128 hex characters, got 127 characters");
        let one = Hashes::parse("hash", &Texts::One(good.as_bytes())).unwrap();
        assert_eq!(one.get(3), [0xab; 64]);
    }
}
