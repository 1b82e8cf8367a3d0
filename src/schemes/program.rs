//! Rounds of a rule that is a program: operations on columns of rounds, each rounded as numpy rounds it.
//!
//! A program comes as instructions on single values of a round. An instruction is performed for [`CHUNK`] rounds at
//! once; what it gives lies in the next registers, and is never overwritten. A register holds the bits of doubles, or
//! of 64-bit integers; truths are 0 and 1. The draws of a tile of rounds are read in step from [`WordColumns`]. A
//! round whose word is passed over is played again by a [`Reader`], as are those of schemes that need whole digests or
//! often pass over words, which then are hashed in lanes. Few rounds are played one after another in the same way.

use std::borrow::Cow;

use super::hash::Digest;
use super::scheme::{Below, Reader, Scheme, Source, fingerprint};
use super::streams::FEW;
use super::words::{Digests, HashBuffers, TILE, WordColumns};
use crate::error::{Error, Result, value_error};
use crate::in_lanes;
use crate::parallel::{self, FirstError, Tick};
use crate::sha2_lanes::{Lanes, Path};

/// Rounds for which an instruction is performed at once.
const CHUNK: usize = 128;
/// Words that are computed together: rounds that read many go in smaller tiles.
const WORDS_AT_A_TIME: usize = 16 * TILE;
/// The most words of a round that are computed together.
const MOST_COLUMNS: usize = 1 << 14;
/// The widest words of which so many are passed over that readers have the digests of all rounds.
const OFTEN_PASSED: u32 = 24;

/// A value of an outcome, and its bits in a register.
pub trait Bits: Copy + Send {
    /// The value of these bits.
    fn of(bits: u64) -> Self;
    /// The bits of the value.
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($type:ty: $of:expr, $bits:expr;)*) => {$(
        impl Bits for $type {
            #[inline(always)]
            fn of(bits: u64) -> Self {
                $of(bits)
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                $bits(self)
            }
        }
    )*};
}
bits! {
    f64: f64::from_bits, f64::to_bits;
    i64: |bits| bits as i64, |value| value as u64;
    bool: |bits| bits != 0, u64::from;
}

macro_rules! elementwise {
    ($($name:ident($($x:ident: $from:ty),*) -> $to:ty { $value:expr })*) => {
        /// An operation on the values of each round alone.
        #[allow(non_camel_case_types)] // they are named as in programs
        #[derive(Clone, Copy, Debug)]
        enum Elementwise {
            $($name),*
        }

        impl Elementwise {
            /// All, by name, with their numbers of inputs.
            const ALL: &[(&'static str, Self, usize)] =
                &[$((stringify!($name), Self::$name, [$(stringify!($x)),*].len())),*];

            #[inline(always)]
            fn perform<const W: usize>(self, inputs: [&[u64; W]; 3], out: &mut [u64; W]) {
                match self {
                    $(Self::$name => {
                        let [$($x),*, ..] = inputs;
                        for (i, out) in out.iter_mut().enumerate() {
                            $(let $x = <$from as Bits>::of($x[i]);)*
                            *out = <$to as Bits>::bits($value);
                        }
                    })*
                }
            }
        }
    };
}

// Doubles end in `_f`, integers in `_i`.
elementwise! {
    add_f(x: f64, y: f64) -> f64 { x + y }
    subtract_f(x: f64, y: f64) -> f64 { x - y }
    multiply_f(x: f64, y: f64) -> f64 { x * y }
    divide_f(x: f64, y: f64) -> f64 { x / y }
    floor_divide_f(x: f64, y: f64) -> f64 { divided(x, y).0 }
    remainder_f(x: f64, y: f64) -> f64 { divided(x, y).1 }
    // Of equal ones, such as zeros, the second.
    maximum_f(x: f64, y: f64) -> f64 { if x.is_nan() || x > y { x } else { y } }
    minimum_f(x: f64, y: f64) -> f64 { if x.is_nan() || x < y { x } else { y } }
    negative_f(x: f64) -> f64 { -x }
    absolute_f(x: f64) -> f64 { x.abs() }
    floor_f(x: f64) -> f64 { x.floor() }
    ceil_f(x: f64) -> f64 { x.ceil() }
    trunc_f(x: f64) -> f64 { x.trunc() }
    rint_f(x: f64) -> f64 { x.round_ties_even() }
    sqrt_f(x: f64) -> f64 { x.sqrt() }
    equal_f(x: f64, y: f64) -> bool { x == y }
    not_equal_f(x: f64, y: f64) -> bool { x != y }
    less_f(x: f64, y: f64) -> bool { x < y }
    less_equal_f(x: f64, y: f64) -> bool { x <= y }
    add_i(x: i64, y: i64) -> i64 { x.wrapping_add(y) }
    subtract_i(x: i64, y: i64) -> i64 { x.wrapping_sub(y) }
    multiply_i(x: i64, y: i64) -> i64 { x.wrapping_mul(y) }
    floor_divide_i(x: i64, y: i64) -> i64 { divided_whole(x, y).0 }
    remainder_i(x: i64, y: i64) -> i64 { divided_whole(x, y).1 }
    maximum_i(x: i64, y: i64) -> i64 { x.max(y) }
    minimum_i(x: i64, y: i64) -> i64 { x.min(y) }
    negative_i(x: i64) -> i64 { x.wrapping_neg() }
    absolute_i(x: i64) -> i64 { x.wrapping_abs() }
    bitwise_and_i(x: i64, y: i64) -> i64 { x & y }
    bitwise_or_i(x: i64, y: i64) -> i64 { x | y }
    bitwise_xor_i(x: i64, y: i64) -> i64 { x ^ y }
    invert_i(x: i64) -> i64 { !x }
    left_shift_i(x: i64, y: i64) -> i64 { if (0..64).contains(&y) { x.wrapping_shl(y as u32) } else { 0 } }
    right_shift_i(x: i64, y: i64) -> i64 { x.wrapping_shr(if (0..64).contains(&y) { y as u32 } else { 63 }) }
    equal_i(x: i64, y: i64) -> bool { x == y }
    not_equal_i(x: i64, y: i64) -> bool { x != y }
    less_i(x: i64, y: i64) -> bool { x < y }
    less_equal_i(x: i64, y: i64) -> bool { x <= y }
    // Of doubles as well, whose bits are moved.
    where_i(truth: bool, x: i64, y: i64) -> i64 { if truth { x } else { y } }
    float_of_i(x: i64) -> f64 { x as f64 }
    // Doubles that aren't whole numbers of 64 bits become the least one.
    int_of_f(x: f64) -> i64 { if (-TWO_63..TWO_63).contains(&x) { x as i64 } else { i64::MIN } }
}

const TWO_52: f64 = (1u64 << 52) as f64;
const TWO_63: f64 = (1u64 << 63) as f64;

/// Quotient and remainder as Python and numpy have them: the remainder has the divisor's sign.
#[inline(always)]
fn divided(x: f64, y: f64) -> (f64, f64) {
    let rest = x % y;
    if y == 0.0 {
        return (x / y, rest);
    }
    let (rest, quotient) = if rest == 0.0 {
        (0f64.copysign(y), (x - rest) / y)
    } else if (y < 0.0) == (rest < 0.0) {
        (rest, (x - rest) / y)
    } else {
        (rest + y, (x - rest) / y - 1.0)
    };
    if quotient == 0.0 {
        return (0f64.copysign(x / y), rest);
    }
    let whole = quotient.floor();
    (if quotient - whole > 0.5 { whole + 1.0 } else { whole }, rest)
}

/// The same of integers; 0 and 0 by 0.
#[inline(always)]
fn divided_whole(x: i64, y: i64) -> (i64, i64) {
    if y == 0 {
        return (0, 0);
    }
    let (quotient, rest) = (x.wrapping_div(y), x.wrapping_rem(y));
    if rest != 0 && (rest < 0) != (y < 0) { (quotient - 1, rest + y) } else { (quotient, rest) }
}

/// Computes remainders by division of doubles, for which there are vectors; false if numbers are too large for that.
#[inline(always)]
fn quick_remainders<const W: usize>(x: &[u64; W], y: &[u64; W], out: &mut [u64; W]) -> bool {
    let (mut all, mut least) = (0, u64::MAX);
    for ((out, &x), &y) in out.iter_mut().zip(x).zip(y) {
        (all, least) = (all | x | y, least.min(y));
        let (x, y) = (x as i64, y as i64);
        // Beside 2^52 the quotient is a whole number in the lowest bits: rounded, so one too large or right.
        let quotient = (x as f64 / y as f64 + TWO_52).to_bits().wrapping_sub(TWO_52.to_bits());
        let rest = x.wrapping_sub((quotient as i64).wrapping_mul(y));
        *out = rest.wrapping_add(if rest < 0 { y } else { 0 }) as u64;
    }
    all >> 50 == 0 && least > 0
}

/// What an instruction does. Its inputs are registers.
#[derive(Clone, Debug)]
enum Code {
    Constant(u64),
    /// One of so many, or a number in `[0, 1)`.
    Draw(Option<u64>),
    Skip(u64),
    /// The elements that places among those left stand for.
    Take,
    /// The places of a permutation of `0..n` by swaps of each of these places.
    Exchange {
        n: usize,
        places: Vec<usize>,
    },
    /// One of the values, by a place that may count from the end.
    Table(Vec<u64>),
    /// The number of sorted values that are smaller; or, if this is set, not larger.
    Search(Vec<f64>, bool),
    SearchWhole(Vec<i64>, bool),
    Elementwise(Elementwise),
}

#[derive(Clone, Debug)]
struct Instruction {
    code: Code,
    inputs: Vec<usize>,
    /// The first register of what it gives.
    out: usize,
}

/// A rule of rounds.
#[derive(Clone, Debug)]
pub struct Program {
    instructions: Vec<Instruction>,
    /// Those of them that read words, which each single round looks through.
    reading: Vec<Code>,
    registers: usize,
    /// The registers of an outcome.
    results: Vec<usize>,
}

impl Program {
    /// A program of instructions, each with its name, the registers of its inputs, and numbers; doubles as their bits.
    pub fn new(instructions: Vec<(String, Vec<usize>, Vec<i64>)>, results: Vec<usize>) -> Result<Self> {
        let mut program = Self { instructions: Vec::new(), reading: Vec::new(), registers: 0, results };
        for (name, inputs, told) in instructions {
            let wrong = || value_error!("instructions", "must not have {name} of {inputs:?} and {told:?}");
            let doubles = || told.iter().map(|&bits| f64::of(bits as u64)).collect();
            let code = match (&*name, inputs.len(), &told[..]) {
                ("constant", 0, &[bits]) => Code::Constant(bits as u64),
                ("below", 0, &[n]) if n >= 1 => Code::Draw(Some(n as u64)),
                ("number", 0, []) => Code::Draw(None),
                ("skip", 0, &[count]) if count >= 0 => Code::Skip(count as u64),
                ("take", _, []) => Code::Take,
                ("exchange", _, [n @ 1..=65536, places @ ..])
                    if places.len() == inputs.len() && places.iter().all(|place| (0..*n).contains(place)) =>
                {
                    Code::Exchange {
                        n: *n as usize,
                        places: places.iter().map(|&place| place as usize).collect(),
                    }
                }
                ("table", 1, [_, ..]) => Code::Table(told.iter().map(|&bits| bits as u64).collect()),
                ("search_f" | "search_right_f", 1, _) => Code::Search(doubles(), name == "search_right_f"),
                ("search_i" | "search_right_i", 1, _) => Code::SearchWhole(told, name == "search_right_i"),
                (_, count, []) => match Elementwise::ALL.iter().find(|(known, ..)| *known == name) {
                    Some(&(_, operation, needed)) if needed == count => Code::Elementwise(operation),
                    _ => return Err(wrong()),
                },
                _ => return Err(wrong()),
            };
            let out = program.registers;
            if inputs.iter().any(|&input| input >= out) {
                return Err(Error::value("instructions", "must use registers that are known"));
            }
            program.registers += match &code {
                Code::Skip(_) => 0,
                Code::Take => inputs.len(),
                Code::Exchange { n, .. } => *n,
                _ => 1,
            };
            if matches!(code, Code::Draw(_) | Code::Skip(_)) {
                program.reading.push(code.clone());
            }
            program.instructions.push(Instruction { code, inputs, out });
        }
        if program.results.iter().any(|&result| result >= program.registers) {
            return Err(Error::value("results", "must be registers that are known"));
        }
        Ok(program)
    }

    /// The number of values of an outcome.
    pub fn width(&self) -> usize {
        self.results.len()
    }
}

/// Takes the fingerprints of rounds, with the number of the first.
pub type Keep<'k> = &'k (dyn Fn(usize, &[[u64; 2]]) + Sync);

/// A program's rounds under a scheme.
pub struct ProgramRounds<'a> {
    program: &'a Program,
    source: Source<'a>,
    path: Path,
    /// For each instruction that draws, the place of its first word and their number, in step.
    places: Vec<(usize, usize)>,
    /// The number of words of each round in step.
    columns: usize,
    draws_from: DrawSource<'a>,
    /// Whether rounds are played together, and read alone only after a word was passed over.
    in_step: bool,
}

/// The source of the draws.
enum DrawSource<'a> {
    Words(WordColumns<'a>),
    /// The first digest of each round, which readers then have, too.
    Digests(Digests<'a>),
    Readers,
}

/// Buffers of a worker that plays `W` rounds at once.
#[derive(Default)]
struct ProgramBuffers<const W: usize> {
    words: HashBuffers,
    tile: Vec<u64>,
    hashes: Vec<[u64; 2]>,
    /// The first digest of each round, if it is kept.
    digests: Vec<Digest>,
    registers: Registers<W>,
}

/// The values of some rounds.
struct Registers<const W: usize> {
    all: Vec<[u64; W]>,
    /// The elements that were taken so far, sorted.
    taken: Vec<[u16; W]>,
    order: Vec<u16>,
    /// Rounds, by their index among these, whose word was passed over.
    passed: Vec<usize>,
}

impl<const W: usize> Default for Registers<W> {
    fn default() -> Self {
        Self { all: Vec::new(), taken: Vec::new(), order: Vec::new(), passed: Vec::new() }
    }
}

/// The draws of some rounds.
enum Drawn<'d> {
    /// Columns of this height, from the chunk's first round on.
    Words(&'d [u64], usize),
    /// The digest of each round, which is one number.
    Whole(&'d [Digest]),
    /// Readers of the rounds that these give.
    Readers(&'d mut [Reader], &'d dyn Fn(usize) -> usize),
}

impl<'a> ProgramRounds<'a> {
    /// The rounds of a program on a path.
    pub fn on(path: Path, program: &'a Program, source: Source<'a>) -> Result<Self> {
        let Source { scheme, fields } = source;
        let (mut place, mut end, mut numbers) = (0, 0, false);
        let mut places = Vec::with_capacity(program.reading.len());
        for code in &program.reading {
            let count = match *code {
                Code::Draw(Some(n)) => scheme.words_below(scheme.check_n("n", n as i64)?),
                Code::Draw(None) => {
                    scheme.check_numbers()?;
                    numbers = true;
                    scheme.words_of_a_number()
                }
                Code::Skip(count) => {
                    place += count as usize;
                    continue;
                }
                _ => continue,
            };
            places.push((place, count));
            place += count;
            end = place;
        }
        if !places.is_empty() {
            source.check_label()?;
        }
        let cut = scheme.cut();
        let often = scheme.below().passes_over() && cut.bits <= OFTEN_PASSED && !cut.by_range;
        let hashed = scheme.function().is_none() && scheme.hash().algorithm.size().is_some();
        let (mut columns, mut draws_from) = (end, DrawSource::Readers);
        if scheme.below().is_whole() || often && end <= cut.words {
            if fields.rounds() > FEW && hashed && end > 0 {
                let cursor = scheme.at(0).unwrap_or_default().cursor;
                draws_from = DrawSource::Digests(Digests::new(
                    path,
                    Cow::Borrowed(scheme.hash()),
                    fields,
                    vec![cursor],
                ));
            }
            columns = if scheme.below().is_whole() { 0 } else { columns };
        } else if end <= MOST_COLUMNS && (fields.rounds() > FEW || end > cut.words) {
            let words = WordColumns::new(path, source, 0, end as u64);
            draws_from = words.map_or(DrawSource::Readers, DrawSource::Words);
        }
        if matches!(draws_from, DrawSource::Readers) {
            columns = 0;
        }
        let whole = scheme.below().is_whole() && end <= cut.words && !numbers;
        let in_step = match &draws_from {
            DrawSource::Words(_) => true,
            DrawSource::Digests(_) => whole || !scheme.below().is_whole(),
            DrawSource::Readers => false,
        };
        Ok(Self { program, source, path, places, columns, draws_from, in_step })
    }

    /// Writes the outcomes of all rounds, and hands over the fingerprints of their first digests if they are wanted
    /// and were computed.
    pub fn fill<T: Bits>(
        &self,
        out: &mut [T],
        threads: Option<usize>,
        fingerprints: Option<Keep<'_>>,
        tick: Tick<'_>,
    ) -> Result<()> {
        let rounds = self.source.fields.rounds();
        if rounds <= FEW {
            return self.fill_by::<T, 1>(out, rounds.max(1), threads, fingerprints, tick);
        }
        let step = (WORDS_AT_A_TIME / self.columns.max(1)).clamp(CHUNK, TILE) / CHUNK * CHUNK;
        self.fill_by::<T, CHUNK>(out, step, threads, fingerprints, tick)
    }

    /// The same, `W` rounds at once, in tiles of at most `height` rounds.
    fn fill_by<T: Bits, const W: usize>(
        &self,
        out: &mut [T],
        height: usize,
        threads: Option<usize>,
        fingerprints: Option<Keep<'_>>,
        tick: Tick<'_>,
    ) -> Result<()> {
        let width = self.program.width();
        if out.is_empty() {
            return Ok(());
        }
        let threads = parallel::threads(threads, out.len() / width, TILE);
        let errors = FirstError::default();
        parallel::fill(out, width, height, threads, tick, |buffers: &mut ProgramBuffers<W>, first, out| {
            let wanted = fingerprints.is_some() && !matches!(self.draws_from, DrawSource::Readers);
            buffers.hashes.clear();
            buffers.hashes.resize(if wanted { out.len() / width } else { 0 }, [0; 2]);
            match self.tile(first, height, out, buffers) {
                Err((round, error)) => errors.keep(first, &[(round, error)]),
                Ok(()) => fingerprints.into_iter().for_each(|keep| keep(first, &buffers.hashes)),
            }
        })?;
        errors.finish()
    }

    /// The outcome of the first round.
    pub fn one<T: Bits>(&self) -> Result<Vec<T>> {
        let mut out = vec![T::of(0); self.program.width()];
        let buffers = &mut ProgramBuffers::<1>::default();
        if self.in_step && !out.is_empty() {
            self.tile(0, 1, &mut out, buffers)
        } else {
            let mut drawn = Drawn::Readers(&mut [Reader::default()], &|_| 0);
            let done = self.perform(&mut drawn, &mut buffers.registers);
            done.map(|()| self.write(&buffers.registers, 0, &mut out))
        }
        .map_err(|(_, error)| error)?;
        Ok(out)
    }

    /// Plays a tile; of the rounds that fail, tells one that fails at the first draw that fails.
    fn tile<T: Bits, const W: usize>(
        &self,
        first: usize,
        height: usize,
        out: &mut [T],
        buffers: &mut ProgramBuffers<W>,
    ) -> std::result::Result<(), (usize, Error)> {
        let ProgramBuffers { words: memory, tile, hashes, digests: kept, registers } = buffers;
        let (Source { scheme, .. }, width) = (self.source, self.program.width());
        let rounds = out.len() / width;
        kept.clear();
        tile.resize(self.columns * height, 0);
        // The rounds that are out of step.
        let mut apart = Vec::new();
        match &self.draws_from {
            DrawSource::Words(words) => {
                let short = words.fill(first, rounds, memory, height, tile, hashes);
                apart.extend(short.map_err(|error| (0, error))?);
            }
            DrawSource::Digests(digests) => {
                kept.resize(rounds, Digest::new(&[]));
                digests.each(first, rounds, memory, |round, _, digest| {
                    for (index, column) in tile.chunks_exact_mut(height).enumerate() {
                        column[round] = digest.word(scheme.cut().bits, index);
                    }
                    if let Some(hash) = hashes.get_mut(round) {
                        *hash = fingerprint(digest);
                    }
                    kept[round] = digest.clone();
                });
            }
            DrawSource::Readers => {}
        }
        if !self.in_step {
            apart = (0..rounds).collect();
        } else {
            for start in (0..rounds).step_by(W) {
                let now = W.min(rounds - start);
                let mut drawn = if scheme.below().is_whole() {
                    Drawn::Whole(&kept[start..start + now])
                } else {
                    Drawn::Words(tile.get(start..).unwrap_or_default(), height)
                };
                self.play(&mut drawn, registers)?;
                for (place, out) in out[start * width..].chunks_exact_mut(width).take(W).enumerate() {
                    self.write(registers, place, out);
                }
                apart
                    .extend(registers.passed.iter().filter(|&&round| round < now).map(|round| start + round));
            }
            apart.sort_unstable();
            apart.dedup();
        }
        let at = scheme.at(0).unwrap_or_default();
        for apart in apart.chunks(W) {
            let reader = |round: &usize| {
                kept.get(*round).map_or_else(Reader::default, |digest| Reader::knowing(at, digest.clone()))
            };
            let mut readers: Vec<_> = apart.iter().map(reader).collect();
            let mut drawn = Drawn::Readers(&mut readers, &|round| first + apart[round]);
            self.play(&mut drawn, registers).map_err(|(round, error)| (apart[round], error))?;
            for (place, row) in apart.iter().enumerate() {
                self.write(registers, place, &mut out[row * width..][..width]);
            }
        }
        Ok(())
    }

    /// Writes the outcome at a place of the registers.
    #[inline(always)]
    fn write<T: Bits, const W: usize>(&self, from: &Registers<W>, place: usize, out: &mut [T]) {
        for (value, &result) in out.iter_mut().zip(&self.program.results) {
            *value = T::of(from.all[result][place]);
        }
    }

    /// Performs the instructions, for more than one round compiled for the path's vectors.
    fn play<const W: usize>(
        &self,
        drawn: &mut Drawn<'_>,
        registers: &mut Registers<W>,
    ) -> std::result::Result<(), (usize, Error)> {
        match self.path {
            Path::Lanes { kernel, .. } if W > 1 => in_lanes!(kernel, lanes => lanes.vectorize(
                #[inline(always)]
                || self.perform(drawn, registers)
            )),
            _ => self.perform(drawn, registers),
        }
    }

    #[inline(always)]
    fn perform<const W: usize>(
        &self,
        drawn: &mut Drawn<'_>,
        registers: &mut Registers<W>,
    ) -> std::result::Result<(), (usize, Error)> {
        let Registers { all, taken, order, passed } = registers;
        passed.clear();
        let scheme = self.source.scheme;
        let is_new = all.is_empty();
        all.resize(self.program.registers, [0; W]);
        let (mut places, joined) = (self.places.iter(), &mut [0; W]);
        for Instruction { code, inputs, out } in &self.program.instructions {
            let (known, new) = all.split_at_mut(*out);
            let input = |place: usize| &known[inputs[place]];
            match code {
                Code::Constant(bits) if is_new => new[0] = [*bits; W],
                Code::Constant(_) => {}
                Code::Skip(count) => {
                    if let Drawn::Readers(readers, _) = drawn {
                        readers.iter_mut().for_each(|reader| reader.skip(*count));
                    }
                }
                Code::Draw(n) => {
                    let Some(&(place, count)) = places.next() else { continue };
                    match drawn {
                        Drawn::Words(columns, height) => {
                            let words = in_step(columns, *height, place, count, scheme.cut().bits, joined);
                            match n {
                                Some(n) => below(scheme, words, *n, &mut new[0], passed),
                                None => number(scheme, words, &mut new[0]),
                            }
                        }
                        Drawn::Whole(digests) => {
                            let Some(n) = n else { continue }; // programs with numbers have readers
                            for (value, digest) in new[0].iter_mut().zip(*digests) {
                                *value = scheme.below().of_whole(digest, *n);
                            }
                        }
                        Drawn::Readers(readers, round) => {
                            for (i, (reader, value)) in readers.iter_mut().zip(&mut new[0]).enumerate() {
                                let answer = match n {
                                    Some(n) => reader.below(self.source, round(i), *n),
                                    None => reader.number(self.source, round(i)).map(f64::to_bits),
                                };
                                *value = answer.map_err(|error| (i, error))?;
                            }
                        }
                    }
                }
                Code::Take => {
                    taken.resize(taken.len().max(inputs.len()), [0; W]);
                    for (step, new) in new.iter_mut().take(inputs.len()).enumerate() {
                        take(&mut taken[..=step], input(step), new);
                    }
                }
                Code::Exchange { n, places } => {
                    order.resize(*n, 0);
                    for i in 0..W {
                        for (element, place) in order.iter_mut().enumerate() {
                            *place = element as u16;
                        }
                        for (&place, &by) in places.iter().zip(inputs) {
                            order.swap(place, (known[by][i] as usize).min(n - 1));
                        }
                        for (new, &element) in new.iter_mut().zip(&*order) {
                            new[i] = u64::from(element);
                        }
                    }
                }
                Code::Table(table) => {
                    for (value, &place) in new[0].iter_mut().zip(input(0)) {
                        let place =
                            if (place as i64) < 0 { place.wrapping_add(table.len() as u64) } else { place };
                        let place = usize::try_from(place).ok();
                        *value = place.and_then(|place| table.get(place).copied()).unwrap_or_default();
                    }
                }
                Code::Search(table, right) => search(table, *right, input(0), &mut new[0]),
                Code::SearchWhole(table, right) => search(table, *right, input(0), &mut new[0]),
                Code::Elementwise(operation) => {
                    let last = inputs.len() - 1;
                    let [x, y, z] = [input(0), input(last.min(1)), input(last)];
                    let remainder = matches!(operation, Elementwise::remainder_i);
                    if !remainder || !quick_remainders(x, y, &mut new[0]) {
                        operation.perform([x, y, z], &mut new[0]);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The words of rounds in step, joined in the given memory.
#[inline(always)]
fn in_step<'w, const W: usize>(
    columns: &'w [u64],
    height: usize,
    place: usize,
    count: usize,
    bits: u32,
    memory: &'w mut [u64; W],
) -> &'w [u64; W] {
    let columns = &columns[place * height..];
    if count == 1 {
        return columns.first_chunk().expect("a chunk of each column");
    }
    for (round, joined) in memory.iter_mut().enumerate() {
        *joined = (0..count).fold(0, |joined, column| joined << bits | columns[column * height + round]);
    }
    memory
}

/// Draws below `n`, and notes the rounds whose word is passed over.
#[inline(always)]
fn below<const W: usize>(
    scheme: &Scheme,
    words: &[u64; W],
    n: u64,
    out: &mut [u64; W],
    passed: &mut Vec<usize>,
) {
    let bits = scheme.cut().bits;
    match scheme.below() {
        Below::Scale if bits <= 53 && n.is_power_of_two() && n.ilog2() <= bits => {
            let shift = bits - n.ilog2();
            *out = words.map(|word| word >> shift);
        }
        Below::Scale if bits <= 32 && n < 1 << 21 => {
            for (value, &word) in out.iter_mut().zip(words) {
                // As the product of doubles, which is exact where it has at most 53 bits.
                *value = (u64::from(word as u32) * u64::from(n as u32)) >> bits;
            }
        }
        Below::Scale if bits <= 53 => {
            let (scale, n) = (scheme.scale(), n as f64);
            for (value, &word) in out.iter_mut().zip(words) {
                // The word has at most 53 bits, and the product is below n.
                *value = (word as i64 as f64 * scale * n) as i64 as u64;
            }
        }
        Below::Modulo | Below::Reject | Below::RejectLast => {
            if !quick_remainders(words, &[n; W], out) {
                *out = words.map(|word| word % n);
            }
        }
        _ => *out = words.map(|word| scheme.answer(word, n)),
    }
    if scheme.below().passes_over() {
        let last = scheme.last_accepted(n);
        if scheme.below() == Below::Decimal || words.iter().fold(false, |any, &word| any | (word > last)) {
            passed.extend((0..W).filter(|&round| scheme.passes(words[round], n)));
        }
    }
}

/// Draws numbers.
#[inline(always)]
fn number<const W: usize>(scheme: &Scheme, words: &[u64; W], out: &mut [u64; W]) {
    if scheme.cut().bits > 53 || scheme.cut().by_range || scheme.rounds_numbers() {
        *out = words.map(|word| scheme.number(word).to_bits());
        return;
    }
    let scale = scheme.scale();
    for (value, &word) in out.iter_mut().zip(words) {
        *value = (word as i64 as f64 * scale).to_bits();
    }
}

/// Finds the element of each round that a place among those left stands for: each smaller element that was taken before
/// moves it by one. `taken` are these, sorted, and room for one more.
#[inline(always)]
fn take<const W: usize>(taken: &mut [[u16; W]], places: &[u64; W], out: &mut [u64; W]) {
    let Some((last, before)) = taken.split_last_mut() else { return };
    let mut found = places.map(|place| place as u16);
    for each in &*before {
        for (found, &each) in found.iter_mut().zip(each) {
            *found += u16::from(each <= *found);
        }
    }
    *out = found.map(u64::from);
    for each in before {
        for (found, each) in found.iter_mut().zip(each) {
            (*each, *found) = ((*each).min(*found), (*each).max(*found));
        }
    }
    *last = found;
}

/// Counts the values of a sorted table that are smaller than each value, or, on the right, not larger.
#[inline(always)]
fn search<T: Bits + PartialOrd, const W: usize>(
    table: &[T],
    right: bool,
    values: &[u64; W],
    out: &mut [u64; W],
) {
    let beyond = |value, entry| if right { value < entry } else { value <= entry };
    /// The longest table that is gone through.
    const SHORT: usize = 24;
    if table.len() <= SHORT {
        *out = [0; W];
        for &entry in table {
            for (count, &value) in out.iter_mut().zip(values) {
                *count += u64::from(!beyond(T::of(value), entry));
            }
        }
        return;
    }
    // A binary search, whose steps all rounds take side by side.
    *out = [0; W];
    let mut size = table.len();
    while size > 1 {
        let half = size / 2;
        for (start, &value) in out.iter_mut().zip(values) {
            let middle = *start + half as u64;
            *start = if beyond(T::of(value), table[middle as usize]) { *start } else { middle };
        }
        size -= half;
    }
    for (start, &value) in out.iter_mut().zip(values) {
        *start += u64::from(!beyond(T::of(value), table[*start as usize]));
    }
}
