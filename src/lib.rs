//! The engine of `provably_fair`: outcomes of provably fair casino games, bit for bit.
//!
//! A game is one function from draws to an outcome ([`games::game::Game`]), and everything else is a view of it: a
//! round, many rounds at once, the exact law, the check of a log. Where draws come from is a
//! [`Scheme`](schemes::Scheme), which is data.
//!
#![doc = concat!("```\n", include_str!("example.rs"), "```")]
//!
//! | module | what is in it |
//! |---|---|
//! | [`games`] | what a game is, the ten games, their numbers, and the laws of games |
//! | [`schemes`] | hashes and schemes as data, rounds and tallies of them, verification |
//! | [`cards`], [`fpclub`] | cards by the card, with what strategies they allow; hashed and combined dice |
//! | [`beacons`] | public randomness: blocks, signatures of drand, random functions of one key |
//! | [`logs`] | columns of logs as they lie in memory, and what is found in them |
//! | [`locating`] | where a series of outcomes lies on a chain |
//! | [`error`], [`parallel`], [`sha2_lanes`], [`strings`] | what the others take and give: errors, progress, hashes in lanes, texts |
//!
//! Without the feature `python`, it knows nothing of Python. The versions promise what the Python package shows; of this
//! crate, what a minor version changes is in the changelog.

#![deny(unsafe_code)]

pub mod beacons;
pub mod cards;
pub mod error;
pub mod fpclub;
pub mod games;
pub mod locating;
pub mod logs;
#[doc(hidden)]
pub mod lookup;
pub mod parallel;
pub mod schemes;
pub mod sha2_lanes;
pub mod strings;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(feature = "portable")))]
#[allow(unsafe_code)] // the top of the file says why
mod x86;

#[cfg(feature = "python")]
mod python;

// Tests of several modules are in this build as well: the engine takes a minute to compile once more for others.
#[cfg(test)]
extern crate self as provably_fair;
#[path = "../tests"]
#[cfg(test)]
mod engine {
    #[path = "../src/example.rs"]
    mod example;

    mod blackjack_rules;
    mod fuzz;
    mod recorder;
    mod toy_game;
    mod vectors;

    #[test]
    fn the_example_of_the_crate() {
        example::main().unwrap();
    }
}
