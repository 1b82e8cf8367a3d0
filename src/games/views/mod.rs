//! What is derived from a game's one definition, whatever its numbers are made of.

mod law;

pub(crate) use law::first_where;
pub use law::{Ideal, Law, Subject, Weigh, law, steps, support, up_to};
