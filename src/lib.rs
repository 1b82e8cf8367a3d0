//! The engine of `provably_fair`: outcomes of provably fair casino games, bit for bit.
//!
//! The core knows nothing of Python; only the module `python` (behind the feature of that name)
//! does.

pub mod crypto_games;
pub mod error;
pub mod fpclub;
pub mod parallel;
pub mod salted;
pub mod sha2_lanes;
pub mod texts;

#[cfg(feature = "python")]
mod python;
