//! Sources of randomness, described as data: a [`Hash`](struct@Hash) of templates over a round's fields, a
//! [`Scheme`] that cuts digests into words and maps a word to `0..n`, and the [`Streams`] of many rounds at once.
//!
//! [`Reader`] is the slow reference for every scheme: it computes a round word by word. Bulk work goes through
//! `words.rs`, which has faster paths for the common hashes; [`salted`] has the fastest, for the salted rounds.

mod chain;
mod definition;
mod fields;
mod game_numbers;
mod hash;
mod prefix;
mod program;
mod rounds;
pub mod salted;
mod scheme;
mod sha256;
mod sha512;
mod streams;
mod tally;
mod verify;
mod weights;
mod words;

pub use chain::{Chain, HexHash, links};
pub use definition::{BITCOIN, BLOCK_HASHES, Language, Named, Templates, spellings};
pub use fields::{FieldKind, FieldUse, Fields, Spelling, Values};
pub use game_numbers::{GameNumbers, Reached};
pub use hash::{Algorithm, Digest, Hash, Piece, Template, Width};
pub use program::{Bits, Keep, Program, ProgramRounds};
pub use rounds::{ArrayElement, Rounds, Varying};
pub use scheme::{Below, Cut, DigestId, Function, Parts, ReadOn, Reader, SALTED, Scheme, Source, WordOrigin};
pub use streams::{FEW, Limit, Streams, Work};
pub use tally::{Bins, tally};
pub use verify::{Catalogued, Committed, Found, Judge, Judgment, Log, PlayedOutcomes};
pub use weights::{AsDrawn, check, distance_bound};
pub use words::{fill_digests, fill_numbers};
