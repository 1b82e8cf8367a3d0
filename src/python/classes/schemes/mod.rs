//! Hashes and schemes, the fields of rounds, and draws.

mod chains;
mod fields;
mod function;
mod hash;
mod numbers;
mod path;
mod program;
mod scheme;
mod streams;
mod text;

pub use chains::{GameNumbers, chain_links, to_precision};
pub use fields::{Fields, OwnedValues};
pub use hash::Hash;
pub use path::{path_named, paths};
pub use program::Program;
pub use scheme::Scheme;
pub use streams::{DrawnWord, HashedRound, Streams};
