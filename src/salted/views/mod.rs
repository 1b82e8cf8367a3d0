//! What is derived from a game's one definition.

mod bulk;
mod explain;
mod law;
mod tally;
mod verify;

pub use bulk::{Cell, Rounds, Varying};
pub use explain::{Draw, Pick, Step, Walkthrough, explain};
pub(crate) use law::first_where;
pub use law::{AsDrawn, Ideal, Law, Subject, Weigh, law, steps, support, up_to};
pub use tally::{Bins, tally};
pub use verify::{Log, verify};
