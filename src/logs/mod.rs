//! Logs of rounds: reading columns, comparing cells exactly, and collecting findings.
//!
//! Verification recomputes rows and leaves the rest to this module: [`column`] reads cells, [`number`] and
//! [`comparison`] compare them, [`commitments`] hashes seeds, [`replays`] finds repeated rounds, and
//! [`findings`] holds the results. Audits also use fingerprints of cells ([`fingerprints`]), sets of rows
//! with the same seeds ([`row_sets`]), times ([`times`]), runs of consecutive nonces ([`runs`]), keys with
//! conflicting values ([`pairs`]), bets listed twice ([`listings`]), seeds derived from each other
//! ([`derived`]), aggregates by key ([`groups`]) and [`amounts`] of money. State that grows with the log is
//! partitioned ([`sorted`]) or kept in [`packed`] columns, beyond a limit on disk ([`spilled`]), or sampled
//! ([`sample`]); [`interner`] numbers keys, and [`hexadecimal`] reads digits.

pub mod amounts;
pub mod column;
pub mod commitments;
pub mod comparison;
pub mod csv;
pub mod derived;
pub mod findings;
pub mod fingerprints;
pub mod groups;
pub mod hexadecimal;
pub mod interner;
pub mod lines;
pub mod listings;
pub mod lists;
pub mod number;
pub mod packed;
pub mod pairs;
pub mod replays;
pub mod row_sets;
pub mod runs;
pub mod sample;
pub mod sorted;
pub mod spilled;
pub mod times;
