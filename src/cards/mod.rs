//! Cards, and tables where they are played: rules, settling, analysis. No seed, no hash.

pub mod blackjack;
pub mod card;
mod pack;
pub mod verify;
pub mod video_poker;

pub use pack::Pack;
