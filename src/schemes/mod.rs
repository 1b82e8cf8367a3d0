//! Where numbers come from, as data: a [`Hash`] of templates over a round's fields, a [`Scheme`] that cuts
//! its digests into words and makes of a word one of `n`, and the [`Streams`] of many rounds at once.
//!
//! Every scheme has one slow way, [`Reader`], in which a round is computed word by word. Bulk work goes
//! through `words.rs`, which knows faster ways for the hashes that matter.

mod chain;
mod definition;
mod fields;
mod game_numbers;
mod hash;
mod rounds;
mod scheme;
mod sha256;
mod sha512;
mod streams;
mod tally;
mod verify;
mod weights;
mod words;

pub use chain::{Chain, Text, links};
pub use definition::{BITCOIN, BLOCK_HASHES, Language, Named, Templates, spellings};
pub use fields::{Fields, Kind, Spelling, Use, Values};
pub use game_numbers::{GameNumbers, Reached};
pub use hash::{Algorithm, Digest, Hash, Piece, Template, Width};
pub use rounds::{Cell, Rounds, Varying};
pub use scheme::{At, Below, Cut, Drawn, Function, Parts, ReadOn, Reader, SALTED, Scheme, Source};
pub use streams::{Among, Streams, Work};
pub use tally::{Bins, tally};
pub use verify::{Catalogued, Committed, Found, Judge, Log, Played, Verified};
pub use weights::{AsDrawn, check, distance_bound};
pub use words::{fill_digests, fill_numbers};
