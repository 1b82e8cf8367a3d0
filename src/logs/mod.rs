//! Logs of rounds: what their columns hold, read once and compared exactly, and what is found in them.
//!
//! A system's view of verification recomputes rows and asks this module for everything else: [`column`]
//! reads cells, [`number`] and [`comparison`] compare them, [`commitments`] hashes seeds, [`replays`] finds rounds that come
//! twice, and [`findings`] is what comes out. An audit asks besides for fingerprints of cells ([`fingerprints`]),
//! times ([`times`]), runs of rows that go on ([`runs`]), values that keys come with ([`pairs`]), bets that are listed
//! twice ([`listings`]), client seeds that are made of the server's ([`derived`]), sums by key ([`groups`]) and
//! [`amounts`] of money; what is kept of many rows is [`sorted`], or is that of some of them ([`sample`]), and keys have
//! numbers ([`table`]).

pub mod amounts;
pub mod column;
pub mod commitments;
pub mod comparison;
pub mod csv;
pub mod derived;
pub mod findings;
pub mod fingerprints;
pub mod groups;
pub mod lines;
pub mod listings;
pub mod lists;
pub mod number;
pub mod pairs;
pub mod replays;
pub mod runs;
pub mod sample;
pub mod sorted;
pub mod table;
pub mod times;
