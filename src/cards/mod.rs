//! Cards and card games: rules, settling and analysis. Nothing here depends on seeds or hashes.

pub mod blackjack;
pub mod card;
mod pack;
pub mod verify;
pub mod video_poker;

pub use pack::Pack;
