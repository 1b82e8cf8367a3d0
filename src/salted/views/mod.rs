//! What is derived from a game's one definition.

mod bulk;
mod explain;
mod law;
mod tally;

pub use bulk::{Blocks, Cell, Rounds, Varying, random_bytes, random_numbers, salts};
pub use explain::{Draw, Explanation, Pick, Step};
pub use law::{AsDrawn, Ideal, Law, Subject, Weigh, law, steps, up_to};
pub use tally::{Bins, tally};

use self::explain::Recorder;
use super::draw::{Any, Draws, Planner};
use super::games::{Form, Game};
use super::seeds::Stream;
use crate::error::Result;

/// A game behind its views: what the catalog hands out. Every [`Game`] is one.
pub trait AnyGame: Send + Sync {
    fn form(&self) -> Form;

    /// The outcome of one round, by the reference implementation of the generator.
    fn round(&self, stream: Stream<'_>, cells: &mut [i64]);

    /// One round with everything that led to its outcome.
    fn explain(&self, stream: Stream<'_>) -> Explanation;

    /// The cursors whose blocks an outcome needs, in increasing order.
    fn cursors(&self) -> Vec<u64>;

    /// The outcomes of rounds whose blocks were computed.
    fn outcomes(&self, blocks: &Blocks<'_>, cells: &mut [i64]);

    /// All values that a game of a single number can give, in increasing order.
    fn support(&self) -> Result<Vec<i64>>;

    /// The outcome of one round whose draws are answered by any source.
    fn answered(&self, draws: &mut dyn Draws, cells: &mut [i64]);
}

impl<G: Game> AnyGame for G {
    fn form(&self) -> Form {
        Game::form(self)
    }

    fn round(&self, mut stream: Stream<'_>, cells: &mut [i64]) {
        self.outcome(&mut stream, cells);
    }

    fn explain(&self, stream: Stream<'_>) -> Explanation {
        let mut recorder = Recorder::new(stream);
        let mut cells = vec![0; Game::form(self).cells()];
        self.outcome(&mut recorder, &mut cells);
        recorder.finish(cells)
    }

    fn cursors(&self) -> Vec<u64> {
        let mut planner = Planner::default();
        self.outcome(&mut planner, &mut vec![0; Game::form(self).cells()]);
        planner.cursors()
    }

    fn outcomes(&self, blocks: &Blocks<'_>, cells: &mut [i64]) {
        let width = Game::form(self).cells();
        for (mut draws, cells) in blocks.draws().zip(cells.chunks_exact_mut(width)) {
            self.outcome(&mut draws, cells);
        }
    }

    fn support(&self) -> Result<Vec<i64>> {
        let form = Game::form(self);
        if !form.sparse {
            return Ok((form.least..=form.most).collect());
        }
        let (mut values, _) = steps(self)?;
        values.sort_unstable();
        values.dedup();
        Ok(values)
    }

    fn answered(&self, draws: &mut dyn Draws, cells: &mut [i64]) {
        self.outcome(&mut Any(draws), cells);
    }
}
