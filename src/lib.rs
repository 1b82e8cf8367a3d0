//! The engine of `provably_fair`: outcomes of provably fair casino games, bit for bit.
//!
//! The core knows nothing of Python; only the module `python` (behind the feature of that name)
//! does.

#![deny(unsafe_code)]

pub mod beacons;
pub mod crypto_games;
pub mod error;
pub mod fpclub;
pub mod logs;
pub mod lookup;
pub mod parallel;
pub mod salted;
pub mod schemes;
pub mod sha2_lanes;
pub mod strings;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(feature = "portable")))]
#[allow(unsafe_code)] // the top of the file says why
mod x86;

#[cfg(feature = "python")]
mod python;
