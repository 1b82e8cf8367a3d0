//! Video poker: hands, paytables, the value of every hold and the exact return.

pub mod analysis;
pub mod deck;
pub mod holds;
pub mod paytable;
pub mod play;
pub mod ranking;
pub mod rules;
pub mod sequence;
pub mod subsets;
pub mod totals;
pub mod verify;
