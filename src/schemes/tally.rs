//! Counts of outcomes, in memory that doesn't grow with the rounds.

use super::rounds::{RoundBuffers, Rounds};
use crate::error::{Error, Result, value_error};
use crate::games::game::AnyGame;
use crate::games::views::support;
use crate::parallel::{self, FirstError, Tick};

/// The most outcomes that are counted one by one.
const MAX_OUTCOMES: i64 = 1 << 24;

/// The values that are counted: all from `least` on, those of a list, or those between edges.
pub enum Bins {
    /// One bin per value.
    Each {
        /// The first value.
        least: i64,
        /// The number of values.
        values: usize,
    },
    /// One bin per listed value.
    Listed(Vec<i64>),
    /// Bin `i` holds the values from `edges[i]` to before `edges[i + 1]`; the last bin its upper edge too.
    Edges(Vec<i64>),
}

impl Bins {
    /// Every outcome of the game on its own.
    pub fn of(game: &dyn AnyGame) -> Result<Self> {
        let form = game.form();
        if form.sparse {
            return Ok(Bins::Listed(support(game)?));
        }
        let values = form.most - form.least + 1;
        if values > MAX_OUTCOMES {
            return Err(value_error!(
                "bins",
                "must be given where a game has more than {MAX_OUTCOMES} outcomes, here {values}"
            ));
        }
        Ok(Bins::Each { least: form.least, values: values as usize })
    }

    /// The bins between increasing edges; values outside aren't counted.
    pub fn between(edges: Vec<i64>) -> Result<Self> {
        if edges.len() < 2 || edges.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Error::value("bins", "must be at least two edges in increasing order"));
        }
        Ok(Bins::Edges(edges))
    }

    /// The value that stands for each bin: the outcome itself, or the lower edge.
    pub fn values(&self) -> Vec<i64> {
        match self {
            Bins::Each { least, values } => (*least..*least + *values as i64).collect(),
            Bins::Listed(values) => values.clone(),
            Bins::Edges(edges) => edges[..edges.len() - 1].to_vec(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Bins::Each { values, .. } => *values,
            Bins::Listed(values) => values.len(),
            Bins::Edges(edges) => edges.len() - 1,
        }
    }

    #[inline]
    fn place(&self, cell: i64) -> Option<usize> {
        match self {
            Bins::Each { least, .. } => Some((cell - least) as usize),
            Bins::Listed(values) => Some(values.partition_point(|&value| value < cell)),
            Bins::Edges(edges) => {
                let inner = &edges[1..edges.len() - 1];
                let inside = edges[0] <= cell && cell <= edges[edges.len() - 1];
                inside.then(|| inner.partition_point(|&edge| edge <= cell))
            }
        }
    }
}

/// Counts the cells of `rounds` outcomes from round 0 on.
///
/// Counts are kept apart along the game's `counted_by` axis: the result has a row for each position on that axis, or a
/// single row without one.
pub fn tally(
    game: &dyn AnyGame,
    outcomes: &Rounds<'_>,
    bins: &Bins,
    rounds: usize,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<Vec<u64>> {
    let form = game.form();
    let positions = form.counted_by.map_or(1, |axis| form.shape[axis]);
    // Cells in a row of the axes after the counted one.
    let inner: usize = form.counted_by.map_or(1, |axis| form.shape[axis + 1..].iter().product());
    let width = outcomes.width();
    let turn = outcomes.rounds_a_turn();
    let turns = (0..rounds).step_by(turn);
    let threads = outcomes.threads(threads, rounds);
    let errors = FirstError::default();
    let states = parallel::run(
        turns,
        threads,
        tick,
        || (RoundBuffers::default(), vec![0u64; positions * bins.len()]),
        |(buffers, counts), first| {
            let now = turn.min(rounds - first);
            let mut next = first;
            outcomes.visit(first, now, false, buffers, |run| {
                errors.keep(next, run.failed);
                next += run.cells.len() / width;
                for outcome in run.cells.chunks_exact(width) {
                    for (i, &cell) in outcome.iter().enumerate() {
                        let position = i / inner % positions;
                        if let Some(place) = bins.place(cell) {
                            counts[position * bins.len() + place] += 1;
                        }
                    }
                }
            });
            now as u64
        },
    )?;
    errors.finish()?;
    let mut total = vec![0u64; positions * bins.len()];
    for (_, counts) in states {
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    Ok(total)
}
