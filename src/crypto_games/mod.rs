//! Crypto.Games: cards drawn from one SHA-512 per round.

pub mod blackjack;
pub mod cards;
pub mod deal;
pub mod verify;
pub mod video_poker;
