//! Cards and their names.

use pyo3::prelude::*;

use crate::cards::card;

/// The name of a card, as in `J♣` or, in ASCII, `Jc`.
#[pyfunction]
pub fn card_name(card: i64, ascii: bool) -> PyResult<String> {
    let card = card::check_card("card", card)?;
    Ok(if ascii { card::ascii_name(card) } else { card::name(card) })
}

/// The number of the card with a name.
#[pyfunction]
pub fn parse_card(name: &str) -> PyResult<i16> {
    Ok(card::parse(name)?.map_or(card::NO_CARD, i16::from))
}
