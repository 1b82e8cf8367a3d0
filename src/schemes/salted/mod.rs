//! The salted scheme: its reference, and the bytes of many of its rounds at a time.

mod compiled;
pub mod generator;
pub mod numbered;
pub mod numbers;
pub mod seeds;

pub use compiled::{Compiled, compiled};
