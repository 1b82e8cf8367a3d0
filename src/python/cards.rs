//! Cards, and the deal that both Crypto.Games games share.

use numpy::{Element, PyArray1, PyArrayMethods, dtype};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;

use super::progress::Progress;
use super::salted::new_array;
use super::texts::TextArgument;
use crate::crypto_games::cards;
use crate::crypto_games::deal::{self, CardNumber, Deck, Fate, Hashes, Nonces};
use crate::error::Error;
use crate::texts::{broadcast, broadcast_to};

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
        "video poker" => Ok(Deck::VideoPoker),
        "blackjack" => Ok(Deck::Blackjack),
        _ => Err(Error::value("deck", "must be \"video poker\" or \"blackjack\"").into()),
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
        let lengths: Vec<_> = self.texts.iter().map(|(name, texts)| (*name, texts.texts().len())).collect();
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
#[pyo3(signature = (deck, cards, server_seed, client_seed, nonce, *, hash=None, series=None, dtype="int64", threads=None, progress=None))]
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
    dtype: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let deck = deck_of(deck)?;
    let arguments = HashArguments::new(server_seed, client_seed, nonce, hash, series)?;
    let rounds = arguments.rounds()?;
    let hashes = arguments.hashes()?;
    let shape: Vec<usize> = rounds.into_iter().chain([cards]).collect();
    let dealt = (deck, cards, &hashes, threads);
    let progress = Progress::new(progress);
    match dtype {
        "int8" => fill::<i8>(py, &shape, dealt, progress),
        "int16" => fill::<i16>(py, &shape, dealt, progress),
        "int32" => fill::<i32>(py, &shape, dealt, progress),
        "int64" => fill::<i64>(py, &shape, dealt, progress),
        _ => Err(PyTypeError::new_err("dtype must be int8, int16, int32 or int64")),
    }
}

/// A new array of dealt cards.
fn fill<'py, T: CardNumber + Element>(
    py: Python<'py>,
    shape: &[usize],
    (deck, cards, hashes, threads): (Deck, usize, &Hashes<'_>, Option<usize>),
    mut progress: Progress,
) -> PyResult<Bound<'py, PyAny>> {
    new_filled(py, shape, |out: &mut [T]| {
        let done = deal::deal_rounds(hashes, deck, cards, out, threads, &mut |done| progress.tick(done));
        progress.finish(done)
    })
}

/// A new array, filled without the GIL.
pub fn new_filled<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    fill: impl FnOnce(&mut [T]) -> PyResult<()> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let array = new_array(py, shape, &dtype::<T>(py).into_any())?;
    let flat = array.call_method1(intern!(py, "reshape"), (-1,))?.cast_into::<PyArray1<T>>()?;
    let mut flat = flat.readwrite();
    let out = flat.as_slice_mut()?;
    py.detach(|| fill(out))?;
    Ok(array)
}

/// One byte of a hash that is explained: its index, the byte, the number it is judged by, and
/// "card", "out of range" or "repeat".
type ExplainedByte = (usize, u8, u8, &'static str);

/// Every byte of one round's hash up to the last card that is wanted, and the hash in hex.
#[pyfunction]
#[pyo3(signature = (deck, cards, server_seed, client_seed, nonce, *, hash=None))]
pub fn walk_through_deal<'py>(
    deck: &str,
    cards: usize,
    server_seed: &Bound<'py, PyAny>,
    client_seed: &Bound<'py, PyAny>,
    nonce: &Bound<'py, PyAny>,
    hash: Option<&Bound<'py, PyAny>>,
) -> PyResult<(String, Vec<ExplainedByte>)> {
    let deck = deck_of(deck)?;
    let arguments = HashArguments::new(server_seed, client_seed, nonce, hash, None)?;
    if let Some((name, _)) = arguments.texts.iter().find(|(_, texts)| texts.texts().len().is_some()) {
        return Err(PyTypeError::new_err(format!(
            "{name} must be one text: one round is explained at a time"
        )));
    }
    let hash = arguments.hashes()?.get(0);
    let mut steps = Vec::new();
    deal::walk(&hash, deck, cards, |step| {
        let fate = match step.fate {
            Fate::Card => "card",
            Fate::OutOfRange => "out of range",
            Fate::Repeat => "repeat",
        };
        steps.push((step.position, step.byte, step.number, fate));
    });
    Ok((hex::encode(hash), steps))
}
