//! Cards, and the deal that both Crypto.Games games share.

use numpy::PyArrayDescr;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::arrays::{new_filled, with_type_of};
use super::objects::objects;
use super::strings::TextArgument;
use crate::crypto_games::cards;
use crate::crypto_games::deal::{self, Deck, Fate, Hashes, Nonces};
use crate::error::Error;
use crate::strings::{broadcast, broadcast_to};

/// The name of a card: `J♣`, or `Jc`.
#[pyfunction]
pub fn card_name(card: i64, ascii: bool) -> PyResult<String> {
    let card = cards::check_card("card", card)?;
    Ok(if ascii { cards::ascii_name(card) } else { cards::name(card) })
}

/// The card of a name.
#[pyfunction]
pub fn parse_card(name: &str) -> PyResult<i16> {
    Ok(cards::parse(name)?.map_or(cards::NO_CARD, i16::from))
}

/// The deck of a game by its name in Python.
fn deck_of(name: &str) -> PyResult<Deck> {
    match name {
        "video poker" => Ok(Deck::VideoPoker { jokers: 0 }),
        "video poker with 1 joker" => Ok(Deck::VideoPoker { jokers: 1 }),
        "video poker with 2 jokers" => Ok(Deck::VideoPoker { jokers: 2 }),
        "blackjack" => Ok(Deck::Blackjack),
        _ => Err(Error::value("deck", "must be \"video poker\", with 1 joker or 2 jokers, or \"blackjack\"")
            .into()),
    }
}

/// The seeds or hashes of a call.
pub struct HashArguments<'py> {
    /// Server seed, client seed, nonce; or the hash alone.
    texts: Vec<(&'static str, TextArgument<'py>)>,
    /// Where the nonces are made here: the first, and how many.
    series: Option<(u64, usize)>,
}

impl<'py> HashArguments<'py> {
    pub fn new(
        server_seed: &Bound<'py, PyAny>,
        client_seed: &Bound<'py, PyAny>,
        nonce: &Bound<'py, PyAny>,
        hash: Option<&Bound<'py, PyAny>>,
        series: Option<(u64, usize)>,
    ) -> PyResult<Self> {
        let text = |name, value| Ok::<_, PyErr>((name, TextArgument::new(name, value)?));
        let texts = match hash {
            Some(hash) => vec![text("hash", hash)?],
            None => {
                let mut texts = vec![text("server_seed", server_seed)?, text("client_seed", client_seed)?];
                if series.is_none() {
                    texts.push(text("nonce", nonce)?);
                }
                texts
            }
        };
        Ok(Self { texts, series })
    }

    /// How many rounds the arguments make; `None` for one of single texts.
    pub fn rounds(&self) -> PyResult<Option<usize>> {
        let lengths: Vec<_> = self.texts.iter().map(|(name, texts)| (*name, texts.len())).collect();
        let Some((_, rounds)) = self.series else { return Ok(broadcast(&lengths)?) };
        broadcast_to(rounds, &lengths)?;
        Ok(Some(rounds))
    }

    pub fn hashes(&self) -> PyResult<Hashes<'_>> {
        Ok(match self.texts.as_slice() {
            [(name, hash)] => Hashes::parse(name, &hash.texts())?,
            texts => Hashes::Seeds {
                server_seed: texts[0].1.texts(),
                client_seed: texts[1].1.texts(),
                nonce: match self.series {
                    Some((start, _)) => Nonces::Series { start },
                    None => Nonces::Given(texts[2].1.texts()),
                },
            },
        })
    }
}

/// Deals: an array `(cards,)` for one round of single texts, `(N, cards)` for many.
#[pyfunction]
#[pyo3(signature = (deck, cards, server_seed, client_seed, nonce, *, hash=None, series=None, dtype, threads=None, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn deal_cards<'py>(
    py: Python<'py>,
    deck: &str,
    cards: usize,
    server_seed: &Bound<'py, PyAny>,
    client_seed: &Bound<'py, PyAny>,
    nonce: &Bound<'py, PyAny>,
    hash: Option<&Bound<'py, PyAny>>,
    series: Option<(u64, usize)>,
    dtype: &Bound<'py, PyArrayDescr>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let deck = deck_of(deck)?;
    let arguments = HashArguments::new(server_seed, client_seed, nonce, hash, series)?;
    let rounds = arguments.rounds()?;
    let hashes = arguments.hashes()?;
    let shape: Vec<usize> = rounds.into_iter().chain([cards]).collect();
    with_type_of!(
        dtype,
        T of i64 i32 i16 i8 => {
            if !deck.fits::<T>() {
                return Err(wrong_dtype(deck, dtype));
            }
            new_filled(py, &shape, progress, |out: &mut [T], tick| {
                deal::deal_rounds(&hashes, deck, cards, out, threads, tick)
            })
        },
        else Err(wrong_dtype(deck, dtype))
    )
}

fn wrong_dtype(deck: Deck, got: &Bound<'_, PyArrayDescr>) -> PyErr {
    let types = [
        ("int8", deck.fits::<i8>()),
        ("int16", deck.fits::<i16>()),
        ("int32", deck.fits::<i32>()),
        ("int64", deck.fits::<i64>()),
    ];
    let fitting: Vec<_> = types.iter().filter(|(_, fits)| *fits).map(|(name, _)| *name).collect();
    let allowed = fitting.join(", ");
    Error::value("dtype", format_args!("must be {allowed}: it must hold the cards and -1, got {got}")).into()
}

/// One byte of a hash, and what became of it.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct HashByte {
    /// Its place in the hash.
    index: usize,
    /// The byte.
    byte: u8,
    /// The number that decides whether it is a card.
    number: u8,
    /// "card", "out of range" or "repeat".
    outcome: &'static str,
}

/// A round's hash in hex, and its bytes up to the last card that was wanted.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct DealWalk {
    /// The hash, as 128 hexadecimal characters.
    hash: String,
    /// The bytes that were read.
    read: Py<PyTuple>,
}

/// How one round's hash becomes cards.
#[pyfunction]
#[pyo3(signature = (deck, cards, server_seed, client_seed, nonce, *, hash=None))]
pub fn walk_through_deal<'py>(
    py: Python<'py>,
    deck: &str,
    cards: usize,
    server_seed: &Bound<'py, PyAny>,
    client_seed: &Bound<'py, PyAny>,
    nonce: &Bound<'py, PyAny>,
    hash: Option<&Bound<'py, PyAny>>,
) -> PyResult<DealWalk> {
    let deck = deck_of(deck)?;
    let arguments = HashArguments::new(server_seed, client_seed, nonce, hash, None)?;
    if let Some((name, _)) = arguments.texts.iter().find(|(_, texts)| texts.len().is_some()) {
        return Err(Error::type_(name, "must be one text: one round is explained at a time").into());
    }
    let hash = arguments.hashes()?.get(0);
    let mut steps = Vec::new();
    deal::walk(&hash, deck, cards, |step| {
        let outcome = match step.fate {
            Fate::Card => "card",
            Fate::OutOfRange => "out of range",
            Fate::Repeat => "repeat",
        };
        steps.push(HashByte { index: step.position, byte: step.byte, number: step.number, outcome });
    });
    Ok(DealWalk { hash: hex::encode(hash), read: objects(py, steps)? })
}
