//! The rounds of a game under a scheme: fields to words, words to draws, draws to outcomes, straight into the
//! caller's array.
//!
//! There are two ways from words to draws. The salted rounds come in whole 64-byte blocks from lanes
//! and the games of the catalog are compiled for reading them ([`Compiled`]). Of any other scheme the words of many
//! rounds lie side by side; a round that passes over one reads on alone.

use super::salted::generator::{
    BLOCKS_A_TURN, BLOCKS_AT_A_TIME, BLOCKS_WORTH_A_THREAD, BlockBuffers, Generator, MIN_ROUNDS, NumberPlaces,
};
use super::salted::{Compiled, compiled};
use super::scheme::{Below, Reader, Source};
use super::weights::{check, draws_of};
use super::words::{HashBuffers, TILE, WordColumns};
use crate::error::{Error, Result, check_range};
use crate::games::draw::Draws;
use crate::games::game::{AnyGame, Entry};
use crate::parallel::{self, FirstError, Tick};
use crate::sha2_lanes::Path;

/// Words that are computed together: rounds that read many go in smaller tiles.
const WORDS_AT_A_TIME: usize = 16 * TILE;
/// The fewest rounds that are worth computing words together.
const MANY: usize = 16;

/// An element of an array of outcomes.
pub trait ArrayElement: Copy + Send {
    /// The element for a cell, in a form whose unit is `unit` (1, or 100 for hundredths).
    fn from_cell(cell: i64, unit: f64) -> Self;
}

macro_rules! integer_cells {
    ($($type:ty),*) => {$(
        impl ArrayElement for $type {
            #[inline]
            fn from_cell(cell: i64, _unit: f64) -> Self {
                cell as $type
            }
        }
    )*};
}
integer_cells!(i8, i16, i32, i64, u8, u16, u32, u64);

impl ArrayElement for f64 {
    #[inline]
    fn from_cell(cell: i64, unit: f64) -> Self {
        cell as f64 / unit
    }
}

impl ArrayElement for f32 {
    #[inline]
    fn from_cell(cell: i64, unit: f64) -> Self {
        (cell as f64 / unit) as f32
    }
}

/// A parameter with a value for each round.
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
                check_range(parameter.name, value, parameter.least, parameter.most)
                    .map_err(|error| error.at(row))?;
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

    /// Games that together read every block that any of the rounds reads. A parameter with a wide range, such as the
    /// number of tickets, doesn't change which numbers are drawn; its largest value stands for all.
    fn kinds(&self) -> Vec<Box<dyn AnyGame>> {
        const WIDE: i64 = 1000;
        let parameter = self.entry.parameters[self.index];
        let mut values = self.values.to_vec();
        values.sort_unstable_by(|one, other| other.cmp(one));
        values.dedup();
        if parameter.most - parameter.least > WIDE {
            values.truncate(1);
        }
        values.into_iter().map(|value| self.with(value)).collect()
    }
}

/// Buffers of a worker.
#[derive(Default)]
pub(super) struct RoundBuffers {
    generator: BlockBuffers,
    words: HashBuffers,
    /// The words of some rounds.
    tile: Vec<u64>,
    hashes: Vec<[u64; 2]>,
    cells: Vec<i64>,
    /// The number of these words that each round has.
    known: Vec<usize>,
    failed: Vec<(usize, Error)>,
}

/// The outcomes of consecutive rounds.
pub(super) struct PlayedRounds<'a> {
    pub cells: &'a [i64],
    /// The first 16 bytes of each round's first digest, if asked for: a hash of all that is hashed for the round.
    pub hashes: &'a [[u64; 2]],
    /// Rounds that ran out of words, by their index in the run.
    pub failed: &'a [(usize, Error)],
}

/// Outcomes of many rounds, with everything needed to compute any of them.
pub struct Rounds<'a> {
    game: &'a (dyn AnyGame + 'static),
    varying: Option<Varying<'a>>,
    source: Source<'a>,
    draws_from: DrawSource<'a>,
    width: usize,
    unit: f64,
}

/// The source of the rounds' draws.
enum DrawSource<'a> {
    Blocks {
        generator: Box<Generator<'a>>,
        places: NumberPlaces,
        /// Without a parameter that varies.
        compiled: Option<&'a dyn Compiled>,
    },
    /// The number of words that a round reads, and those of many rounds; `None` if each reads its own.
    Words { columns: usize, words: Option<WordColumns<'a>> },
}

impl<'a> Rounds<'a> {
    /// Rounds of a game on the fastest path.
    pub fn new(
        game: &'a (dyn AnyGame + 'static),
        source: Source<'a>,
        varying: Option<Varying<'a>>,
    ) -> Result<Self> {
        Self::on(Path::best(), game, source, varying)
    }

    /// The same on a given path.
    pub fn on(
        path: Path,
        game: &'a (dyn AnyGame + 'static),
        source: Source<'a>,
        varying: Option<Varying<'a>>,
    ) -> Result<Self> {
        source.check_label()?;
        let form = game.form();
        let kinds = varying.map_or_else(Vec::new, |varying| varying.kinds());
        let kinds: Vec<&dyn AnyGame> =
            if kinds.is_empty() { vec![game] } else { kinds.iter().map(|kind| &**kind).collect() };
        let draws_from = if let Some(seeds) = source.blocks() {
            let generator = Generator::on(path, seeds, cursors(&kinds));
            let compiled = if varying.is_none() { compiled(game) } else { None };
            DrawSource::Blocks { places: generator.places(), generator: Box::new(generator), compiled }
        } else {
            let mut columns = 0;
            for kind in kinds {
                columns = columns.max(check(kind, source.scheme)?);
            }
            // If the scheme has fewer words, each round finds out which it lacks.
            let many = source.fields.rounds() >= MANY;
            let words = if many { WordColumns::new(path, source, 0, columns) } else { None };
            DrawSource::Words { columns: columns as usize, words }
        };
        Ok(Self { game, varying, source, draws_from, width: form.cells(), unit: form.unit() })
    }

    /// The number of cells of an outcome.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rounds that make up `blocks` blocks.
    fn rounds_in(generator: &Generator<'_>, blocks: usize) -> usize {
        (blocks / generator.cursors().max(1)).max(MIN_ROUNDS)
    }

    /// The number of rounds computed together.
    fn step(&self) -> usize {
        match &self.draws_from {
            DrawSource::Blocks { generator, .. } => Self::rounds_in(generator, BLOCKS_AT_A_TIME),
            DrawSource::Words { columns, .. } => (WORDS_AT_A_TIME / columns.max(&1)).clamp(MANY, TILE),
        }
    }

    /// The number of rounds that a thread takes at a time.
    pub fn rounds_a_turn(&self) -> usize {
        match &self.draws_from {
            DrawSource::Blocks { generator, .. } => Self::rounds_in(generator, BLOCKS_A_TURN),
            DrawSource::Words { .. } => self.step(),
        }
    }

    /// The number of threads to use for this many rounds.
    pub fn threads(&self, asked: Option<usize>, rounds: usize) -> usize {
        let worth = match &self.draws_from {
            DrawSource::Blocks { generator, .. } => Self::rounds_in(generator, BLOCKS_WORTH_A_THREAD),
            DrawSource::Words { .. } => TILE,
        };
        parallel::threads(asked, rounds, worth)
    }

    /// Computes `rounds` outcomes from round `first` on and hands them over in runs.
    pub(super) fn visit(
        &self,
        first: usize,
        rounds: usize,
        hashed: bool,
        buffers: &mut RoundBuffers,
        mut take: impl FnMut(PlayedRounds<'_>),
    ) {
        let step = self.step();
        for next in (first..first + rounds).step_by(step) {
            let now = step.min(first + rounds - next);
            buffers.cells.resize(now * self.width, 0);
            match &self.draws_from {
                DrawSource::Blocks { generator, places, compiled } => {
                    self.blocks(generator, places, *compiled, next, now, buffers);
                    if hashed {
                        let RoundBuffers { hashes, tile, .. } = &mut *buffers;
                        hashes.clear();
                        hashes.extend((0..now).map(|round| places.hash(tile, round)));
                    }
                    take(PlayedRounds { cells: &buffers.cells, hashes: &buffers.hashes, failed: &[] });
                }
                DrawSource::Words { columns, words } => {
                    self.words(*columns, words.as_ref(), next, now, hashed, buffers, &mut take);
                }
            }
        }
    }

    fn blocks(
        &self,
        generator: &Generator<'_>,
        places: &NumberPlaces,
        compiled: Option<&dyn Compiled>,
        first: usize,
        rounds: usize,
        buffers: &mut RoundBuffers,
    ) {
        let RoundBuffers { generator: memory, tile, cells, .. } = buffers;
        tile.resize(generator.words(rounds), 0);
        generator.fill(first, rounds, memory, tile);
        if let Some(game) = compiled {
            return game.outcomes(places, tile, cells);
        }
        for ((round, cells), mut draws) in
            (first..).zip(cells.chunks_exact_mut(self.width)).zip(places.draws(tile))
        {
            self.play(round, &mut draws, cells);
        }
    }

    fn play(&self, round: usize, draws: &mut dyn Draws, cells: &mut [i64]) {
        match &self.varying {
            None => self.game.answer(draws, cells),
            Some(varying) => varying.game(round).answer(draws, cells),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn words(
        &self,
        columns: usize,
        words: Option<&WordColumns<'_>>,
        first: usize,
        rounds: usize,
        hashed: bool,
        buffers: &mut RoundBuffers,
        take: &mut impl FnMut(PlayedRounds<'_>),
    ) {
        let RoundBuffers { words: memory, tile, hashes, cells, failed, known, .. } = buffers;
        failed.clear();
        known.clear();
        known.resize(rounds, usize::MAX);
        hashes.clear();
        tile.clear();
        if hashed {
            hashes.resize(rounds, [0; 2]);
        }
        match words {
            Some(words) => {
                tile.resize(rounds * columns, 0);
                match words.fill(first, rounds, memory, rounds, tile, hashes) {
                    Ok(short) => short.into_iter().for_each(|round| known[round] = 0),
                    Err(error) => {
                        failed.extend((0..rounds).map(|round| (round, error.clone())));
                        return take(PlayedRounds { cells, hashes, failed });
                    }
                }
            }
            None => {
                for (round, hash) in hashes.iter_mut().enumerate() {
                    *hash = self.source.scheme.fingerprint(self.source.fields, first + round);
                }
            }
        }
        for (round, cells) in cells.chunks_exact_mut(self.width).enumerate() {
            let words = tile.get(round..).unwrap_or(&[]);
            let mut draws = RoundDraws::new(self.source, first + round, words, known[round], rounds);
            self.play(first + round, &mut draws, cells);
            failed.extend(draws.error.map(|error| (round, error)));
        }
        take(PlayedRounds { cells, hashes, failed });
    }

    /// Writes the outcomes of round `first` and the following into `out`.
    pub fn fill<T: ArrayElement>(
        &self,
        first: usize,
        out: &mut [T],
        threads: Option<usize>,
        tick: Tick<'_>,
    ) -> Result<()> {
        let turn = self.rounds_a_turn();
        let threads = self.threads(threads, out.len() / self.width);
        let errors = FirstError::default();
        parallel::fill(out, self.width, turn, threads, tick, |buffers: &mut RoundBuffers, row, out| {
            let (mut next, rounds) = (first + row, out.len() / self.width);
            let mut out = out.iter_mut();
            self.visit(next, rounds, false, buffers, |run| {
                for (&cell, element) in run.cells.iter().zip(&mut out) {
                    *element = T::from_cell(cell, self.unit);
                }
                errors.keep(next, run.failed);
                next += run.cells.len() / self.width;
            });
        })?;
        errors.finish()
    }
}

/// The cursors whose blocks outcomes of these games need, in increasing order.
fn cursors(games: &[&dyn AnyGame]) -> Vec<u64> {
    let drawn = games.iter().flat_map(|&game| draws_of(game, |_| 1));
    let mut cursors: Vec<u64> = drawn.map(|(words, _)| words.start / 8).collect();
    cursors.sort_unstable();
    cursors.dedup();
    cursors
}

/// The draws of one round: from words that were computed for many rounds, as far as they go, then word by word.
struct RoundDraws<'a> {
    source: Source<'a>,
    round: usize,
    /// The words of the round, each `stride` after the one before.
    words: &'a [u64],
    /// The maximum number of them that the round has.
    known: usize,
    stride: usize,
    place: usize,
    /// Reads on once words were passed over.
    alone: Option<Reader>,
    error: Option<Error>,
}

impl<'a> RoundDraws<'a> {
    fn new(source: Source<'a>, round: usize, words: &'a [u64], known: usize, stride: usize) -> Self {
        Self { source, round, words, known, stride, place: 0, alone: None, error: None }
    }

    #[cold]
    fn read_alone(&mut self, n: u64) -> u64 {
        let reader = self.alone.get_or_insert_with(|| Reader::at(self.place as u64));
        match reader.below(self.source, self.round, n) {
            Ok(answer) => answer,
            Err(error) => {
                // The game plays on to its end; the round's result is its first error.
                self.error.get_or_insert(error);
                0
            }
        }
    }
}

impl Draws for RoundDraws<'_> {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let scheme = self.source.scheme;
        let ready = self.alone.is_none() && self.place < self.known;
        let next = if ready { self.words.get(self.place * self.stride) } else { None };
        let Some(&word) = next else { return self.read_alone(n) };
        let answer = match scheme.below() {
            // Made of several words, or of a whole digest.
            _ if scheme.cut().by_range => return self.read_alone(n),
            Below::Digest | Below::Double => return self.read_alone(n),
            Below::Scale => scheme.scaled(word, n),
            rule if rule.passes_over() && scheme.passes(word, n) => return self.read_alone(n),
            Below::Modulo | Below::Reject | Below::RejectLast => word % n,
            Below::Multiply | Below::Nearest | Below::Decimal => scheme.answer(word, n),
        };
        self.place += 1;
        answer
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        match &mut self.alone {
            Some(reader) => reader.skip(count as u64),
            None => self.place += count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::{Fields, Values};
    use super::super::hash::{Algorithm, Hash, Piece, Template};
    use super::super::scheme::Scheme;
    use super::*;
    use crate::games::catalog::CATALOG;
    use crate::parallel::no_tick;
    use crate::strings::Texts;

    /// Every game under schemes of each rule, on every path, against rounds that are read word by word.
    #[test]
    fn words_of_many_rounds_give_what_words_one_by_one_give() {
        let colon = || Piece::Literal(b":".to_vec());
        let message = Template(vec![Piece::Field(0), colon(), Piece::Cursor]);
        let key = Some(Template(vec![Piece::Field(1)]));
        let fields =
            Fields::new(vec![Values::Counter { start: 90 }, Values::Texts(Texts::One(b"server"))], Some(50));
        for algorithm in [Algorithm::Sha256, Algorithm::Sha512, Algorithm::Sha1] {
            for (bits, words, below) in
                [(64, None, "scale"), (32, Some(3), "modulo"), (16, Some(2), "reject"), (52, None, "scale")]
            {
                let hash = Hash { algorithm, message: message.clone(), key: key.clone() };
                let scheme = Scheme::new(hash, bits, words, below, 1).unwrap();
                let source = Source { scheme: &scheme, fields: &fields };
                for entry in CATALOG {
                    let defaults: Vec<i64> = entry.parameters.iter().map(|known| known.default).collect();
                    let game = entry.make(&defaults).unwrap();
                    let width = game.form().cells();
                    if check(&*game, &scheme).is_err() {
                        assert!(Rounds::new(&*game, source, None).is_err());
                        assert!(below == "reject" && matches!(entry.name, "crash" | "overgo"));
                        continue;
                    }
                    let mut expected = vec![0; 50 * width];
                    let mut errors = Vec::new();
                    for (round, cells) in expected.chunks_exact_mut(width).enumerate() {
                        let mut draws = RoundDraws::new(source, round, &[], 0, 1);
                        game.answer(&mut draws, cells);
                        errors.extend(draws.error);
                    }
                    for (name, path) in Path::all() {
                        let rounds = Rounds::on(path, &*game, source, None).unwrap();
                        let mut found = vec![0i64; 50 * width];
                        let played = rounds.fill(0, &mut found, Some(1), &mut no_tick);
                        match errors.first() {
                            Some(error) => assert_eq!(played.unwrap_err(), *error, "{} {name}", entry.name),
                            None => assert_eq!(found, expected, "{} {name} {scheme:?}", entry.name),
                        }
                        rounds.visit(0, 50, true, &mut RoundBuffers::default(), |run| {
                            for round in 0..run.cells.len() / width {
                                assert_eq!(
                                    run.hashes[round],
                                    scheme.fingerprint(&fields, round),
                                    "{} {name}",
                                    entry.name
                                );
                            }
                        });
                    }
                }
            }
        }
    }
}
