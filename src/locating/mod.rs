//! Where a series of outcomes lies on a chain of games.
//!
//! A chain is walked from a later game down; its outcomes are symbols, as are those of the series. [`search`] finds
//! the places where a window of rows may lie, [`explore`] how far the series goes on from there, and [`align`] what
//! the place of every row is, with which probability. All three share one model of records (`model`).

mod align;
mod model;
mod search;

pub use align::{Aligned, Entry, align, explore};
pub use model::{Holes, Record};
pub use search::{Hit, search};
