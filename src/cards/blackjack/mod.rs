//! Blackjack: the rules, the dealer and the player's hands, strategies, the exact analysis, and
//! rounds played from a shoe.

pub mod analysis;
pub mod dealer;
pub mod dealt;
pub mod player;
pub mod replay;
pub mod rules;
pub mod shoes;
pub mod simulate;
pub mod strategy;
pub mod verify;
