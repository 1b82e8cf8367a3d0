//! The catalog: one file per game, and one for both wheels.

mod crash;
mod dice;
mod jackpot;
mod mines;
mod overgo;
mod plinko;
mod slot;
mod tower;
mod wheels;

pub use slot::STOPS as SLOT_STOPS;

use super::game::{Entry, entry};
use crate::error::{Error, Result};

/// All games, in the document's order.
pub const CATALOG: &[Entry] = &[
    entry::<mines::Mines>(),
    entry::<tower::Tower>(),
    entry::<slot::Slot>(),
    entry::<plinko::Plinko>(),
    entry::<dice::Dice>(),
    entry::<wheels::Double>(),
    entry::<jackpot::Jackpot>(),
    entry::<crash::Crash>(),
    entry::<overgo::Overgo>(),
    entry::<wheels::X50>(),
];

/// The catalog's entry for the game of this name.
pub fn find(name: &str) -> Result<&'static Entry> {
    CATALOG.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<_> = CATALOG.iter().map(|entry| entry.name).collect();
        Error::value("game", format_args!("must be one of {}, got {name:?}", names.join(", ")))
    })
}
