//! Many rounds at once, straight into the caller's array.

use std::ops::Range;

use super::AnyGame;
use crate::error::{Error, Result};
use crate::parallel::{self, Tick};
use crate::salted::games::Entry;
use crate::salted::generator::{self, BlockDraws, Generator, Messages};
use crate::salted::numbers::number;
use crate::salted::seeds::{Block, Seeds};
use crate::sha2_lanes::Path;

/// Blocks computed at a time: they stay in the cache of a core.
const BLOCKS_AT_A_TIME: usize = 1024;
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
    /// As [`Generator::fill`] left them, for `stride` rounds.
    blocks: &'a [Block],
    stride: usize,
    /// Where the block of a cursor lies among those computed.
    places: &'a [u32],
    /// The rounds of these that are asked for.
    rounds: Range<usize>,
}

impl Blocks<'_> {
    /// The draws of each of the rounds.
    #[inline]
    pub fn draws(&self) -> impl Iterator<Item = BlockDraws<'_>> {
        self.rounds.clone().map(|round| BlockDraws::new(&self.blocks[round..], self.stride, self.places))
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
    messages: Messages,
    blocks: Vec<Block>,
    cells: Vec<i64>,
}

/// Outcomes of many rounds: all that it takes to compute any of them.
pub struct Rounds<'a> {
    game: &'a dyn AnyGame,
    varying: Option<Varying<'a>>,
    generator: Generator<'a>,
    /// Where the block of a cursor lies among those computed.
    places: Vec<u32>,
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
        let mut places = vec![0; cursors.last().map_or(0, |&last| last as usize + 1)];
        for (place, &cursor) in cursors.iter().enumerate() {
            places[cursor as usize] = place as u32;
        }
        let generator = Generator::on(path, seeds, cursors);
        Self { game, varying, generator, places, width: form.cells(), unit: form.unit() }
    }

    /// The number of cells of an outcome.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rounds that make up `blocks` blocks.
    fn rounds_in(&self, blocks: usize) -> usize {
        (blocks / self.generator.cursors().max(1)).max(8)
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
            scratch.blocks.resize(self.generator.cursors() * now, [0; 8]);
            let Scratch { messages, blocks, cells } = scratch;
            self.generator.fill(next, now, messages, blocks);
            let of = |rounds| Blocks { blocks, stride: now, places: &self.places, rounds };
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
    fill_rows(&Generator::new(seeds, vec![cursor]), 64, out, threads, tick, |_, block, row: &mut [u8]| {
        for (eight, word) in row.chunks_exact_mut(8).zip(block) {
            eight.copy_from_slice(&word.to_be_bytes());
        }
    })
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
    fill_rows(&Generator::new(seeds, cursors), count, out, threads, tick, |c, block, row: &mut [f64]| {
        for (element, &word) in row[c * 8..].iter_mut().zip(block) {
            *element = number(word);
        }
    })
}

/// Fills rows of `width` elements: `write` is given each block of a round and the round's row.
fn fill_rows<T: Send>(
    generator: &Generator<'_>,
    width: usize,
    out: &mut [T],
    threads: Option<usize>,
    tick: Tick<'_>,
    write: impl Fn(usize, &Block, &mut [T]) + Sync,
) -> Result<()> {
    if out.is_empty() {
        return Ok(());
    }
    let cursors = generator.cursors();
    let turn = (BLOCKS_AT_A_TIME / cursors).max(8);
    let threads = parallel::threads(threads, out.len() / width * cursors, BLOCKS_WORTH_A_THREAD);
    let turns = out.chunks_mut(turn * width).enumerate();
    parallel::run(turns, threads, tick, Scratch::default, |Scratch { messages, blocks, .. }, (index, out)| {
        let rounds = out.len() / width;
        blocks.resize(cursors * rounds, [0; 8]);
        generator.fill(index * turn, rounds, messages, blocks);
        for (i, block) in blocks.iter().enumerate() {
            let (c, round) = (i / rounds, i % rounds);
            write(c, block, &mut out[round * width..(round + 1) * width]);
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
