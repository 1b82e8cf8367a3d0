//! Cards and their names.

use pyo3::prelude::*;

use crate::cards::card;

/// The name of a card from 0 to 207, as in `J♣` or, in ASCII, `Jc`; that of no card for -1.
#[pyfunction]
pub fn card_name(card: i64, ascii: bool) -> String {
    let card = u8::try_from(card).ok();
    if ascii { card::ascii_name(card) } else { card::name(card) }
}

/// The number of the card with a name.
#[pyfunction]
pub fn parse_card(name: &str) -> PyResult<i16> {
    Ok(card::parse(name)?.map_or(card::NO_CARD, i16::from))
}
