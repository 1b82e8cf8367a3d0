//! Salted rounds: `HMAC-SHA512(SHA256(server_seed:salt), client_seed:cursor)`, bytes to numbers,
//! numbers to the outcomes of ten games.

pub mod draw;
pub mod game;
pub mod games;
pub mod generator;
pub mod numbers;
pub mod seeds;
pub mod views;
