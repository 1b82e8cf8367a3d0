//! The games of the catalog under any scheme: their rounds, and how probable the answers of a draw are.

use std::sync::{Mutex, PoisonError};

use super::scheme::{Below, Reader, Scheme, Source};
use crate::error::{Error, Result};
use crate::parallel::{self, Tick};
use crate::salted::draw::Draws;
use crate::salted::game::AnyGame;
use crate::salted::views::{Weigh, first_where};

/// Rounds that a worker plays at a time.
const ROUNDS_AT_A_TIME: usize = 1 << 10;

/// The draws of one round, word by word.
struct Reading<'a> {
    source: Source<'a>,
    round: usize,
    reader: Reader,
    error: Option<Error>,
}

impl Draws for Reading<'_> {
    fn below(&mut self, n: u64) -> u64 {
        match self.reader.below(self.source, self.round, n) {
            Ok(answer) => answer,
            Err(error) => {
                // The game goes on to its end; the first error is what the round gives.
                self.error.get_or_insert(error);
                0
            }
        }
    }

    fn skip(&mut self, count: usize) {
        self.reader.skip(count as u64);
    }
}

/// Writes the outcomes of all rounds of the source, one after the other.
pub fn play(
    game: &dyn AnyGame,
    source: Source<'_>,
    cells: &mut [i64],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let width = game.form().cells();
    let rounds = cells.len() / width;
    let turns = cells.chunks_mut(ROUNDS_AT_A_TIME * width).enumerate();
    let threads = parallel::threads(threads, rounds, ROUNDS_AT_A_TIME);
    let first_error = Mutex::new(None::<(usize, Error)>);
    parallel::run(
        turns,
        threads,
        tick,
        || (),
        |(), (turn, cells)| {
            if let Err(error) = play_some(game, source, turn * ROUNDS_AT_A_TIME, cells) {
                let mut known = first_error.lock().unwrap_or_else(PoisonError::into_inner);
                if known.as_ref().is_none_or(|(before, _)| turn < *before) {
                    *known = Some((turn, error));
                }
            }
            (cells.len() / width) as u64
        },
    )?;
    match first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

fn play_some(game: &dyn AnyGame, source: Source<'_>, first: usize, cells: &mut [i64]) -> Result<()> {
    let width = game.form().cells();
    for (i, cells) in cells.chunks_exact_mut(width).enumerate() {
        let mut draws = Reading { source, round: first + i, reader: Reader::default(), error: None };
        game.answered(&mut draws, cells);
        if let Some(error) = draws.error {
            return Err(error);
        }
    }
    Ok(())
}

/// The words of a scheme: an answer weighs as many as give it.
pub struct SchemeWords<'a>(pub &'a Scheme);

impl SchemeWords<'_> {
    fn words(&self) -> u128 {
        u128::from(self.0.largest()) + 1
    }
}

impl Weigh for SchemeWords<'_> {
    fn total(&self, n: u64) -> u128 {
        match self.0.below() {
            Below::Reject => u128::from(self.0.last_accepted(n)) + 1,
            Below::Scale | Below::Modulo => self.words(),
        }
    }

    fn up_to(&self, n: u64, answer: u64) -> u128 {
        let (all, n, wanted) = (self.total(n), u128::from(n), u128::from(answer));
        match self.0.below() {
            Below::Scale => first_where(all, |word| self.0.scaled(word, n as u64) >= answer),
            Below::Modulo | Below::Reject => all / n * wanted + wanted.min(all % n),
        }
    }
}
