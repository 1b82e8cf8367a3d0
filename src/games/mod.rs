//! The interface of games, the ten games of the document, their draws and numbers, and the distributions of games.

pub mod catalog;
pub mod draw;
pub mod game;
pub mod generator;
pub mod numbers;
pub mod seeds;
pub mod views;
