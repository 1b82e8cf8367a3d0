//! Locating a series of outcomes on a chain of games.
//!
//! The chain is walked down from a later game; its outcomes and those of the series are encoded as symbols.
//! [`search()`] finds places at which a window of rows may lie, [`explore`] follows the series from there, and
//! [`align()`] gives the probability of each place of every row. The last two use the model of records in `model`,
//! `search` a simpler one.

mod align;
mod model;
mod search;

pub use align::{Aligned, EntryRange, align, explore};
pub use model::{Holes, Record};
pub use search::{Hit, search};
