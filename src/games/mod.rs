//! The interface of games, the ten games of the document, their draws, and the distributions of games.

pub mod catalog;
pub mod draw;
pub mod game;
pub mod rounding;
pub mod views;
