//! Many rounds at once, straight into the caller's array.

use std::ops::Range;

use super::AnyGame;
use crate::error::{Error, Result};
use crate::parallel::{self, Tick};
use crate::salted::games::Entry;
use crate::salted::generator::{self, BlockDraws, Generator};
use crate::salted::numbers::number;
use crate::salted::seeds::Seeds;
use crate::sha2_lanes::Path;

/// Blocks computed at a time: they stay in the cache of a core.
const BLOCKS_AT_A_TIME: usize = 1024;
/// Rounds computed at a time, at least: two groups of as many lanes as there may be.
const LEAST_ROUNDS: usize = 16;
/// Blocks that a thread takes at a time.
const BLOCKS_A_TURN: usize = 8 * BLOCKS_AT_A_TIME;
/// Blocks for which another thread is worth starting.
const BLOCKS_WORTH_A_THREAD: usize = 512;

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

/// The blocks of some rounds, and where to find them.
pub struct Blocks<'a> {
    /// As [`Generator::fill`] left them.
    words: &'a [u64],
    lanes: usize,
    /// The words of a group of lanes.
    group: usize,
    /// Where each number of a round lies from the round's first word on.
    places: &'a [u32],
    /// The rounds of these that are asked for.
    rounds: Range<usize>,
}

impl Blocks<'_> {
    /// The draws of each of the rounds.
    #[inline]
    pub fn draws(&self) -> impl Iterator<Item = BlockDraws<'_>> {
        let bits = self.lanes.trailing_zeros(); // lanes are a power of two: no division
        self.rounds.clone().map(move |round| {
            let start = (round >> bits) * self.group + (round & (self.lanes - 1));
            BlockDraws::new(&self.words[start..], self.places)
        })
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
            if !(parameter.least..=parameter.most).contains(&value) {
                return Err(Error::value(
                    format_args!("{}[{row}]", parameter.name),
                    format_args!("must be from {} to {}, got {value}", parameter.least, parameter.most),
                ));
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
        let mut cursors: Vec<u64> = values.iter().flat_map(|&value| self.with(value).cursors()).collect();
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
    /// Where each number of a round lies among its words.
    places: Vec<u32>,
    lanes: usize,
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
        let cursors = varying.map_or_else(|| game.cursors(), |varying| varying.cursors());
        let generator = Generator::on(path, seeds, cursors.clone());
        let lanes = generator.lanes();
        let mut places = vec![0; cursors.last().map_or(0, |&last| 8 * (last as usize + 1))];
        for (place, &cursor) in cursors.iter().enumerate() {
            for word in 0..8 {
                places[8 * cursor as usize + word] = ((8 * place + word) * lanes) as u32;
            }
        }
        Self { game, varying, generator, places, lanes, width: form.cells(), unit: form.unit() }
    }

    /// The number of cells of an outcome.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rounds that make up `blocks` blocks.
    fn rounds_in(&self, blocks: usize) -> usize {
        (blocks / self.generator.cursors().max(1)).max(LEAST_ROUNDS)
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
        let step = self.rounds_in(BLOCKS_AT_A_TIME);
        let mut next = first;
        while next < first + rounds {
            let now = step.min(first + rounds - next);
            scratch.cells.resize(now * self.width, 0);
            scratch.words.resize(self.generator.words(now), 0);
            let Scratch { generator, words, cells } = scratch;
            self.generator.fill(next, now, generator, words);
            let group = self.generator.words(1);
            let of = |rounds| Blocks { words, lanes: self.lanes, group, places: &self.places, rounds };
            match &self.varying {
                None => self.game.outcomes(&of(0..now), cells),
                Some(varying) => {
                    for (round, cells) in cells.chunks_exact_mut(self.width).enumerate() {
                        varying.game(next + round).outcomes(&of(round..round + 1), cells);
                    }
                }
            }
            take(&scratch.cells);
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

/// Fills rows of 64 bytes with the bytes of one cursor.
pub fn random_bytes(
    seeds: Seeds<'_>,
    cursor: u64,
    out: &mut [u8],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let (words, _) = out.as_chunks_mut();
    fill_rows(&Generator::new(seeds, vec![cursor]), 8, words, threads, tick, u64::to_be_bytes)
}

/// Fills rows of `count` numbers.
pub fn random_numbers(
    seeds: Seeds<'_>,
    count: usize,
    out: &mut [f64],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let cursors = (0..count.div_ceil(8) as u64).collect();
    fill_rows(&Generator::new(seeds, cursors), count, out, threads, tick, number)
}

/// Fills rows of `width` elements, each made of one word of a round.
fn fill_rows<T: Send>(
    generator: &Generator<'_>,
    width: usize,
    out: &mut [T],
    threads: Option<usize>,
    tick: Tick<'_>,
    make: impl Fn(u64) -> T + Sync,
) -> Result<()> {
    if out.is_empty() {
        return Ok(());
    }
    let (cursors, lanes) = (generator.cursors(), generator.lanes());
    let turn = (BLOCKS_AT_A_TIME / cursors).max(LEAST_ROUNDS);
    let threads = parallel::threads(threads, out.len() / width * cursors, BLOCKS_WORTH_A_THREAD);
    let turns = out.chunks_mut(turn * width).enumerate();
    parallel::run(turns, threads, tick, Scratch::default, |scratch, (index, out)| {
        let Scratch { generator: memory, words, .. } = scratch;
        let rounds = out.len() / width;
        words.resize(generator.words(rounds), 0);
        generator.fill(index * turn, rounds, memory, words);
        let groups = words.chunks_exact(generator.words(1)).zip(out.chunks_mut(lanes * width));
        for (words, rows) in groups {
            for (lane, row) in rows.chunks_exact_mut(width).enumerate() {
                for (element, word) in row.iter_mut().zip(words.chunks_exact(lanes)) {
                    *element = make(word[lane]);
                }
            }
        }
        rounds as u64
    })
    .map(drop)
}

/// Fills `out` with the salts `start`, `start + 1`, ... of a series.
pub fn salts(
    seed: &[u8],
    start: u64,
    out: &mut [[u8; 64]],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let threads = parallel::threads(threads, out.len(), BLOCKS_WORTH_A_THREAD);
    let turns = out.chunks_mut(BLOCKS_A_TURN).enumerate();
    parallel::run(
        turns,
        threads,
        tick,
        || (),
        |_, (turn, out)| {
            generator::fill_salts(seed, start + (turn * BLOCKS_A_TURN) as u64, out);
            out.len() as u64
        },
    )
    .map(drop)
}
