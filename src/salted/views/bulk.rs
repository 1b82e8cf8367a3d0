//! Many rounds at once, straight into the caller's array.

use crate::error::{Result, check_range};
use crate::parallel::{self, Tick};
use crate::salted::draw::Draws;
use crate::salted::game::{AnyGame, Entry};
use crate::salted::generator::{
    self, BLOCKS_A_TURN, BLOCKS_AT_A_TIME, BLOCKS_WORTH_A_THREAD, Generator, MIN_ROUNDS, Places,
};
use crate::salted::seeds::Seeds;
use crate::sha2_lanes::Path;

/// An element of an array of outcomes.
pub trait Cell: Copy + Send {
    /// The element for a cell, in a form whose unit is `unit` (1, or 100 for hundredths).
    fn from_cell(cell: i64, unit: f64) -> Self;
}

macro_rules! integer_cells {
    ($($type:ty),*) => {$(
        impl Cell for $type {
            #[inline]
            fn from_cell(cell: i64, _unit: f64) -> Self {
                cell as $type
            }
        }
    )*};
}
integer_cells!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Cell for f64 {
    #[inline]
    fn from_cell(cell: i64, unit: f64) -> Self {
        cell as f64 / unit
    }
}

impl Cell for f32 {
    #[inline]
    fn from_cell(cell: i64, unit: f64) -> Self {
        (cell as f64 / unit) as f32
    }
}

/// A parameter that has a value of its own in every round.
#[derive(Clone, Copy)]
pub struct Varying<'a> {
    entry: &'a Entry,
    parameters: &'a [i64],
    index: usize,
    values: &'a [i64],
}

impl<'a> Varying<'a> {
    /// Parameter `index` of the game varies over `values`, the others are as in `parameters`.
    pub fn new(entry: &'a Entry, parameters: &'a [i64], index: usize, values: &'a [i64]) -> Result<Self> {
        let parameter = entry.parameters[index];
        for (row, &value) in values.iter().enumerate() {
            if parameter.check(value).is_err() {
                check_range(&format!("{}[{row}]", parameter.name), value, parameter.least, parameter.most)?;
            }
        }
        Ok(Self { entry, parameters, index, values })
    }

    fn with(&self, value: i64) -> Box<dyn AnyGame> {
        let mut parameters = self.parameters.to_vec();
        parameters[self.index] = value;
        self.entry.make(&parameters).expect("the values were checked")
    }

    fn game(&self, round: usize) -> Box<dyn AnyGame> {
        self.with(self.values[if self.values.len() == 1 { 0 } else { round }])
    }

    /// The cursors that any of the values needs. A parameter of a wide range (a number of tickets)
    /// doesn't change which numbers are drawn.
    fn cursors(&self) -> Vec<u64> {
        const WIDE: i64 = 1000;
        let parameter = self.entry.parameters[self.index];
        let mut values = self.values.to_vec();
        if parameter.most - parameter.least > WIDE {
            values.truncate(1);
        }
        values.sort_unstable();
        values.dedup();
        let mut cursors: Vec<u64> = values.iter().flat_map(|&value| cursors(&*self.with(value))).collect();
        cursors.sort_unstable();
        cursors.dedup();
        cursors
    }
}

/// A worker's memory.
#[derive(Default)]
pub(super) struct Scratch {
    generator: generator::Scratch,
    words: Vec<u64>,
    cells: Vec<i64>,
}

/// Outcomes of many rounds: all that it takes to compute any of them.
pub struct Rounds<'a> {
    game: &'a dyn AnyGame,
    varying: Option<Varying<'a>>,
    generator: Generator<'a>,
    places: Places,
    width: usize,
    unit: f64,
}

impl<'a> Rounds<'a> {
    pub fn new(game: &'a dyn AnyGame, seeds: Seeds<'a>, varying: Option<Varying<'a>>) -> Self {
        Self::on(Path::best(), game, seeds, varying)
    }

    /// The same on a given path.
    pub fn on(path: Path, game: &'a dyn AnyGame, seeds: Seeds<'a>, varying: Option<Varying<'a>>) -> Self {
        let form = game.form();
        let cursors = varying.map_or_else(|| cursors(game), |varying| varying.cursors());
        let generator = Generator::on(path, seeds, cursors);
        Self { game, varying, places: generator.places(), generator, width: form.cells(), unit: form.unit() }
    }

    /// The number of cells of an outcome.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rounds that make up `blocks` blocks.
    fn rounds_in(&self, blocks: usize) -> usize {
        (blocks / self.generator.cursors().max(1)).max(MIN_ROUNDS)
    }

    /// Rounds that a thread takes at a time.
    pub fn rounds_a_turn(&self) -> usize {
        self.rounds_in(BLOCKS_A_TURN)
    }

    /// The threads to use for that many rounds.
    pub fn threads(&self, asked: Option<usize>, rounds: usize) -> usize {
        parallel::threads(asked, rounds, self.rounds_in(BLOCKS_WORTH_A_THREAD))
    }

    /// Computes `rounds` outcomes from round `first` on and hands them over in runs of cells.
    pub(super) fn visit(
        &self,
        first: usize,
        rounds: usize,
        scratch: &mut Scratch,
        mut take: impl FnMut(&[i64]),
    ) {
        self.visit_hashed(first, rounds, scratch, |cells, _| take(cells));
    }

    /// The same with a hash of each round, by its number in the run: see [`Places::hash`].
    pub(super) fn visit_hashed(
        &self,
        first: usize,
        rounds: usize,
        scratch: &mut Scratch,
        mut take: impl FnMut(&[i64], &dyn Fn(usize) -> [u64; 2]),
    ) {
        let step = self.rounds_in(BLOCKS_AT_A_TIME);
        let mut next = first;
        while next < first + rounds {
            let now = step.min(first + rounds - next);
            scratch.cells.resize(now * self.width, 0);
            scratch.words.resize(self.generator.words(now), 0);
            let Scratch { generator, words, cells } = scratch;
            self.generator.fill(next, now, generator, words);
            match &self.varying {
                None => self.game.outcomes(&self.places.blocks(words, 0..now), cells),
                Some(varying) => {
                    for (round, cells) in cells.chunks_exact_mut(self.width).enumerate() {
                        let blocks = self.places.blocks(words, round..round + 1);
                        varying.game(next + round).outcomes(&blocks, cells);
                    }
                }
            }
            take(&scratch.cells, &|round| self.places.hash(&scratch.words, round));
            next += now;
        }
    }

    /// Writes the outcomes of round `first` and the following into `out`.
    pub fn fill<T: Cell>(
        &self,
        first: usize,
        out: &mut [T],
        threads: Option<usize>,
        tick: Tick<'_>,
    ) -> Result<()> {
        let turn = self.rounds_a_turn();
        let threads = self.threads(threads, out.len() / self.width);
        let turns = out.chunks_mut(turn * self.width).enumerate();
        parallel::run(turns, threads, tick, Scratch::default, |scratch, (index, out)| {
            let rounds = out.len() / self.width;
            let mut out = out.iter_mut();
            self.visit(first + index * turn, rounds, scratch, |cells| {
                for (&cell, element) in cells.iter().zip(&mut out) {
                    *element = T::from_cell(cell, self.unit);
                }
            });
            rounds as u64
        })
        .map(drop)
    }
}

/// The cursors whose blocks an outcome of the game needs, in increasing order.
fn cursors(game: &dyn AnyGame) -> Vec<u64> {
    let mut planner = Planner::default();
    game.answer(&mut planner, &mut vec![0; game.form().cells()]);
    planner.cursors
}

/// Finds out which blocks of numbers a game reads: every draw is answered with 0.
#[derive(Default)]
struct Planner {
    next: usize,
    cursors: Vec<u64>,
}

impl Draws for Planner {
    fn below(&mut self, _n: u64) -> u64 {
        let cursor = (self.next / 8) as u64;
        if self.cursors.last() != Some(&cursor) {
            self.cursors.push(cursor);
        }
        self.next += 1;
        0
    }

    fn skip(&mut self, count: usize) {
        self.next += count;
    }
}
