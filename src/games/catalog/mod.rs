//! The catalog: one file per game, and one for both wheels.

pub(crate) mod crash;
pub(crate) mod dice;
pub(crate) mod jackpot;
pub(crate) mod mines;
pub(crate) mod overgo;
pub(crate) mod plinko;
pub(crate) mod slot;
pub(crate) mod tower;
pub(crate) mod wheels;

pub use slot::STOPS as SLOT_STOPS;

use super::game::{Entry, entry};
use crate::error::{Error, Result};

/// A list of what a function of one type makes of each game, in the document's order.
macro_rules! each_game {
    ($make:ident) => {{
        use $crate::games::catalog::*;
        [
            $make::<mines::Mines>(),
            $make::<tower::Tower>(),
            $make::<slot::Slot>(),
            $make::<plinko::Plinko>(),
            $make::<dice::Dice>(),
            $make::<wheels::Double>(),
            $make::<jackpot::Jackpot>(),
            $make::<crash::Crash>(),
            $make::<overgo::Overgo>(),
            $make::<wheels::X50>(),
        ]
    }};
}
pub(crate) use each_game;

/// All games.
pub const CATALOG: &[Entry] = &each_game!(entry);

/// The catalog's entry for the game of this name.
pub fn find(name: &str) -> Result<&'static Entry> {
    CATALOG.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<_> = CATALOG.iter().map(|entry| entry.name).collect();
        Error::value("game", format_args!("must be one of {}, got {name:?}", names.join(", ")))
    })
}
