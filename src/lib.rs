//! The engine of `provably_fair`: exact outcomes of provably fair casino games.
//!
//! A game is one function from draws to an outcome ([`games::game::Game`]). Everything else is a view of that
//! function: single rounds, many rounds at once, the exact distribution, the verification of a log. A
//! [`Scheme`](schemes::Scheme) describes, as data, how draws follow from seeds.
//!
#![doc = concat!("```\n", include_str!("example.rs"), "```")]
//!
//! | module | contents |
//! |---|---|
//! | [`games`] | the interface of games, the ten built-in games, their draws, and their distributions |
//! | [`schemes`] | hashes and schemes as data; rounds, tallies and verification under a scheme |
//! | [`cards`], [`fpclub`] | blackjack and video poker with their optimal play; hashed and combined dice of logs |
//! | [`beacons`] | signatures of public randomness beacons |
//! | [`logs`] | columns of logs in their memory layout, and findings in them |
//! | [`locating`] | the position of a series of outcomes on a hash chain |
//! | [`error`], [`parallel`], [`sha2_lanes`], [`strings`] | shared tools: errors, progress, hashing in lanes, texts |
//!
//! Python is involved only with the feature `python`. Version numbers refer to the Python package; changes to
//! this crate's interface in minor versions are listed in the changelog.

pub mod beacons;
#[doc(hidden)]
pub mod beta;
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
#[allow(unsafe_code)] // for the reasons at the top of the file
mod x86;

#[cfg(feature = "python")]
mod python;

// Integration tests are part of this build: one of their own would compile the engine again, which takes a minute.
#[cfg(test)]
extern crate self as provably_fair;
#[path = "../tests"]
#[cfg(test)]
mod engine {
    #[path = "../src/example.rs"]
    mod example;

    mod blackjack_rules;
    mod distinct_cards;
    mod fuzz;
    mod miniatures;
    mod recorder;
    mod toy_game;
    mod vectors;

    #[test]
    fn the_example_of_the_crate() {
        example::main().unwrap();
    }
}
