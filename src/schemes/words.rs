//! The digests and words of many rounds, by the fastest method that the hash allows.
//!
//! Games read words by place: the third word of every round, then the fourth. So words lie in columns, one per place,
//! of up to [`TILE`] rounds, which stay in the cache of a core between hashing and playing. The wanted places decide
//! which digests are needed; each digest is hashed once, for all of its places. Rounds whose digest has fewer words are
//! listed (`ShortRounds`), and read by the reference reader of `scheme`.
//!
//! The method is chosen once for all rounds ([`Hasher`]): lanes for SHA-256 in any arrangement of templates, for
//! SHA-512, and for the salted rounds' HMAC; any other hash digest by digest. A method gives whole digests (`each`); of
//! SHA-256 and SHA-512, and of 64-bit words of salted rounds, `fill_cut` cuts words from the lanes without making
//! digests of them.

use std::ops::Range;

use super::fields::Fields;
use super::hash::{Algorithm, Digest, Hash};
use super::salted::generator::{self, BLOCKS_AT_A_TIME, BLOCKS_WORTH_A_THREAD, Generator, MIN_ROUNDS};
use super::scheme::{DigestId, Function, Source, fingerprint, salted};
use super::sha256::{self, Sha256Buffers, Sha256s};
use super::sha512::{self, Sha512Buffers, Sha512s};
use crate::error::{Error, Result, value_error};
use crate::parallel::{self, FirstError, Tick};
use crate::sha2_lanes::Path;

/// Rounds computed together, so that their words stay in the cache of a core.
pub const TILE: usize = 1024;

/// Computes the digests of rounds at some cursors.
pub struct Digests<'a> {
    hash: &'a Hash,
    fields: &'a Fields<'a>,
    cursors: Vec<u64>,
    hasher: Hasher<'a>,
}

enum Hasher<'a> {
    /// Digest by digest.
    Plain,
    Salted(Box<Generator<'a>>),
    /// One for each cursor.
    Sha256(Vec<Sha256s<'a>>),
    /// One for each cursor.
    Sha512(Vec<Sha512s<'a>>),
}

/// Buffers of a worker.
#[derive(Default)]
pub struct HashBuffers {
    generator: generator::BlockBuffers,
    blocks: Vec<u64>,
    sha256: Sha256Buffers,
    sha512: Sha512Buffers,
}

impl<'a> Digests<'a> {
    pub fn new(path: Path, hash: &'a Hash, fields: &'a Fields<'a>, cursors: Vec<u64>) -> Self {
        let hasher = match path {
            Path::Scalar => Hasher::Plain,
            Path::Lanes { kernel, sha256_alone } if hash.algorithm == Algorithm::Sha256 => {
                let at = |&cursor: &u64| Sha256s::new(kernel, sha256_alone, hash, fields, cursor);
                Hasher::Sha256(cursors.iter().map(at).collect())
            }
            Path::Lanes { kernel, .. } if hash.algorithm == Algorithm::Sha512 => match salted(hash, fields) {
                Some(seeds) => Hasher::Salted(Box::new(Generator::on(path, seeds, cursors.clone()))),
                None => {
                    let at = |&cursor: &u64| Sha512s::new(kernel, hash, fields, cursor);
                    Hasher::Sha512(cursors.iter().map(at).collect())
                }
            },
            Path::Lanes { .. } => Hasher::Plain,
        };
        Self { hash, fields, cursors, hasher }
    }

    /// Visits the digests of some rounds, each with its index among these rounds and among the cursors.
    pub fn each(
        &self,
        first: usize,
        rounds: usize,
        buffers: &mut HashBuffers,
        mut take: impl FnMut(usize, usize, &Digest),
    ) {
        match &self.hasher {
            Hasher::Plain => {
                for round in 0..rounds {
                    for (place, &cursor) in self.cursors.iter().enumerate() {
                        take(round, place, &self.hash.digest(self.fields, first + round, cursor));
                    }
                }
            }
            Hasher::Salted(generator) => {
                buffers.blocks.resize(generator.words(rounds), 0);
                generator.fill(first, rounds, &mut buffers.generator, &mut buffers.blocks);
                for round in 0..rounds {
                    for place in 0..self.cursors.len() {
                        let block = generator.block(&buffers.blocks, round, place).map(u64::to_be_bytes);
                        take(round, place, &Digest::new(block.as_flattened()));
                    }
                }
            }
            Hasher::Sha256(hashes) => {
                for (place, hashes) in hashes.iter().enumerate() {
                    hashes.each(first, rounds, &mut buffers.sha256, |round, state| {
                        take(round, place, &sha256::digest(state));
                    });
                }
            }
            Hasher::Sha512(hashes) => {
                for (place, hashes) in hashes.iter().enumerate() {
                    hashes.each(first, rounds, &mut buffers.sha512, |round, state| {
                        take(round, place, &sha512::digest(state));
                    });
                }
            }
        }
    }
}

/// Computes the words that all rounds read next, by their places.
pub struct WordColumns<'a> {
    source: Source<'a>,
    /// The place of the first word.
    from: u64,
    columns: usize,
    /// The wanted words of each digest.
    ranges: Vec<Range<usize>>,
    word_source: WordSource<'a>,
}

/// The source of words.
enum WordSource<'a> {
    Digests(Digests<'a>),
    /// Digests, each the hash of the one before.
    Again,
    Function(&'a dyn Function),
}

/// The rounds that have fewer words than wanted.
pub type ShortRounds = Vec<usize>;

impl<'a> WordColumns<'a> {
    /// For the words at the places `from..to`; `None` if rounds have fewer.
    pub fn new(path: Path, source: Source<'a>, from: u64, to: u64) -> Option<Self> {
        let Source { scheme, fields } = source;
        let words = scheme.cut().words as u64;
        let (mut cursors, mut ranges) = (Vec::new(), Vec::new());
        let mut place = from;
        while place < to {
            let number = place / words;
            let end = to.min((number + 1).saturating_mul(words));
            let start = (place % words) as usize;
            cursors.push(scheme.at(number)?.cursor);
            ranges.push(start..start + (end - place) as usize);
            place = end;
        }
        let word_source = if let Some(function) = scheme.function() {
            WordSource::Function(&**function)
        } else if scheme.hashes_on() {
            WordSource::Again
        } else {
            WordSource::Digests(Digests::new(path, scheme.hash(), fields, cursors))
        };
        Some(Self { source, from, columns: (to - from) as usize, ranges, word_source })
    }

    /// The number of words of each round.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Writes the words of rounds place by place, with room for `stride` rounds each, and the fingerprint of each
    /// round if `hashes` isn't empty.
    pub fn fill(
        &self,
        first: usize,
        rounds: usize,
        buffers: &mut HashBuffers,
        stride: usize,
        tile: &mut [u64],
        hashes: &mut [[u64; 2]],
    ) -> Result<ShortRounds> {
        match &self.word_source {
            WordSource::Digests(digests) => {
                Ok(self.fill_cut(digests, first, rounds, buffers, stride, tile, hashes))
            }
            WordSource::Again => {
                self.fill_again(first, rounds, stride, tile)?;
                self.fill_prints(first, hashes);
                Ok(ShortRounds::new())
            }
            WordSource::Function(function) => {
                self.fill_prints(first, hashes);
                let from = self.from as usize;
                let rows = function.words(self.source.fields, first..first + rounds, from + self.columns)?;
                let mut short = ShortRounds::new();
                for (round, row) in rows.iter().enumerate() {
                    if row.len() < from + self.columns {
                        short.push(round);
                    }
                    for (column, &word) in tile.chunks_mut(stride).zip(row.iter().skip(from)) {
                        column[round] = word;
                    }
                }
                Ok(short)
            }
        }
    }

    fn fill_prints(&self, first: usize, hashes: &mut [[u64; 2]]) {
        for (round, fingerprint) in hashes.iter_mut().enumerate() {
            *fingerprint = self.source.scheme.fingerprint(self.source.fields, first + round);
        }
    }

    fn fill_again(&self, first: usize, rounds: usize, stride: usize, tile: &mut [u64]) -> Result<()> {
        let Source { scheme, fields } = self.source;
        let cut = scheme.cut();
        for round in 0..rounds {
            let (mut known, mut columns) = (None, tile.chunks_mut(stride));
            for (number, range) in (self.from / cut.words as u64..).zip(&self.ranges) {
                let at = DigestId { cursor: 0, again: number };
                let digest = scheme.digest(fields, first + round, at, known.take())?;
                for (index, column) in range.clone().zip(&mut columns) {
                    column[round] = digest.word(cut.bits, index);
                }
                known = Some((at, digest));
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn fill_cut(
        &self,
        digests: &Digests<'_>,
        first: usize,
        rounds: usize,
        buffers: &mut HashBuffers,
        stride: usize,
        tile: &mut [u64],
        hashes: &mut [[u64; 2]],
    ) -> ShortRounds {
        let bits = self.source.scheme.cut().bits;
        let mut short = ShortRounds::new();
        if self.ranges.is_empty() {
            // No words are wanted.
            self.fill_prints(first, hashes);
            return short;
        }
        // The columns of each digest.
        let starts = self.ranges.iter().scan(0, |start, range| {
            let this = *start;
            *start += range.len() * stride;
            Some(this)
        });
        match &digests.hasher {
            Hasher::Salted(generator) if bits == 64 => {
                buffers.blocks.resize(generator.words(rounds), 0);
                generator.fill(first, rounds, &mut buffers.generator, &mut buffers.blocks);
                let lanes = generator.lanes();
                for (group, words) in buffers.blocks.chunks_exact(generator.words(1)).enumerate() {
                    let start = group * lanes;
                    let now = lanes.min(rounds - start);
                    let mut columns = tile.chunks_exact_mut(stride);
                    for (range, block) in self.ranges.iter().zip(words.chunks_exact(8 * lanes)) {
                        for (word, column) in range.clone().zip(&mut columns) {
                            column[start..start + now].copy_from_slice(&block[word * lanes..][..now]);
                        }
                    }
                    for (lane, fingerprint) in hashes.iter_mut().skip(start).take(now).enumerate() {
                        *fingerprint = [words[lane], words[lanes + lane]];
                    }
                }
            }
            Hasher::Sha256(hashers) => {
                for (place, ((digests, range), start)) in
                    hashers.iter().zip(&self.ranges).zip(starts).enumerate()
                {
                    let columns = &mut tile[start..start + range.len() * stride];
                    let hashes = if place == 0 { &mut *hashes } else { &mut [] };
                    digests.by_vectors(first, rounds, &mut buffers.sha256, &mut |rounds, words| {
                        if bits == 32 {
                            for (column, words) in columns.chunks_exact_mut(stride).zip(&words[range.clone()])
                            {
                                for (word, own) in column[rounds.clone()].iter_mut().zip(words) {
                                    *word = u64::from(*own);
                                }
                            }
                        }
                        for (lane, round) in rounds.enumerate() {
                            let mut digest = [0; 4];
                            for (wide, [high, low]) in digest.iter_mut().zip(words.as_chunks().0) {
                                *wide = u64::from(high[lane]) << 32 | u64::from(low[lane]);
                            }
                            if bits != 32 {
                                cut(&digest, bits, range, stride, &mut columns[round..]);
                            }
                            if let Some(fingerprint) = hashes.get_mut(round) {
                                *fingerprint = [digest[0], digest[1]];
                            }
                        }
                    });
                }
            }
            Hasher::Sha512(hashers) => {
                for (place, ((digests, range), start)) in
                    hashers.iter().zip(&self.ranges).zip(starts).enumerate()
                {
                    let columns = &mut tile[start..start + range.len() * stride];
                    let hashes = if place == 0 { &mut *hashes } else { &mut [] };
                    digests.each(first, rounds, &mut buffers.sha512, |round, state| {
                        cut(state, bits, range, stride, &mut columns[round..]);
                        if let Some(fingerprint) = hashes.get_mut(round) {
                            *fingerprint = [state[0], state[1]];
                        }
                    });
                }
            }
            _ => {
                let starts: Vec<_> = starts.collect();
                let hashed = digests.hash.algorithm != Algorithm::Nothing;
                digests.each(first, rounds, buffers, |round, place, digest| {
                    if !hashed && digest.words(bits) < self.ranges[place].end {
                        return short.push(round);
                    }
                    let columns = tile[starts[place]..].chunks_exact_mut(stride);
                    for (column, index) in columns.zip(self.ranges[place].clone()) {
                        column[round] = digest.word(bits, index);
                    }
                    if let (true, 0, Some(hash)) = (hashed, place, hashes.get_mut(round)) {
                        *hash = fingerprint(digest);
                    }
                });
                if !hashed {
                    self.fill_prints(first, hashes);
                }
            }
        }
        short
    }
}

/// Writes some of the words of a digest, `stride` apart.
#[inline]
fn cut(digest: &[u64], bits: u32, range: &Range<usize>, stride: usize, columns: &mut [u64]) {
    for (column, word) in columns.iter_mut().step_by(stride).zip(range.clone()) {
        let (start, shift) = (word * bits as usize / 64, (word * bits as usize % 64) as u32);
        let next = digest.get(start + 1).copied().unwrap_or(0);
        let wide = u128::from(digest[start]) << 64 | u128::from(next);
        *column = (wide << shift >> (128 - bits)) as u64;
    }
}

/// Fills rows with the digests of all rounds at one cursor.
pub fn fill_digests(
    path: Path,
    hash: &Hash,
    fields: &Fields<'_>,
    cursor: u64,
    out: &mut [u8],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    if let (Path::Lanes { .. }, Some(seeds)) = (path, salted(hash, fields)) {
        return generator::random_bytes(seeds, cursor, out, threads, tick);
    }
    let size = out.len() / fields.rounds().max(1);
    if (0..fields.rounds()).any(|round| {
        hash.algorithm.size().is_none() && hash.digest(fields, round, cursor).bytes().len() != size
    }) {
        return Err(Error::value("fields", "must be equally long in all rounds, where nothing is hashed"));
    }
    if size == 0 {
        return Ok(());
    }
    let digests = Digests::new(path, hash, fields, vec![cursor]);
    let threads = parallel::threads(threads, out.len() / size, BLOCKS_WORTH_A_THREAD);
    parallel::fill(out, size, TILE, threads, tick, |buffers, first, out| {
        digests.each(first, out.len() / size, buffers, |round, _, digest| {
            out[round * size..][..size].copy_from_slice(digest.bytes());
        });
    })
}

/// Fills rows of `count` numbers of all rounds, from the first on.
pub fn fill_numbers(
    path: Path,
    source: Source<'_>,
    count: usize,
    out: &mut [f64],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let Source { scheme, fields } = source;
    scheme.check_numbers()?;
    source.check_label()?;
    if count == 0 || out.is_empty() {
        return Ok(());
    }
    if let (Path::Lanes { .. }, Some(seeds)) = (path, salted(scheme.hash(), fields))
        && scheme.function().is_none()
        && scheme.cut().bits == 64
        && scheme.cut().words == 8
        && scheme.first_cursor() == 0
    {
        return generator::random_numbers(seeds, count, out, threads, tick);
    }
    let units = scheme.words_of_a_number();
    let columns = count * units;
    let words = WordColumns::new(path, source, 0, columns as u64)
        .ok_or_else(|| value_error!("count", "must be at most {}, got {count}", scheme.cut().words))?;
    let blocks = columns.div_ceil(scheme.cut().words);
    let turn = (BLOCKS_AT_A_TIME / blocks).max(MIN_ROUNDS);
    let threads = parallel::threads(threads, out.len() / count * blocks, BLOCKS_WORTH_A_THREAD);
    let errors = FirstError::default();
    let fill = |(buffers, tile): &mut (HashBuffers, Vec<u64>), first, out: &mut [f64]| {
        tile.resize(columns * turn, 0);
        match words.fill(first, out.len() / count, buffers, turn, tile, &mut []) {
            Err(error) => errors.keep(first, &[(0, error)]),
            Ok(short) => {
                let fail = |&round: &usize| (round, source.ran_out(first + round));
                errors.keep(first, &short.first().map(fail).into_iter().collect::<Vec<_>>());
            }
        }
        let bits = scheme.cut().bits;
        for (round, row) in out.chunks_exact_mut(count).enumerate() {
            for (number, columns) in row.iter_mut().zip(tile.chunks_exact(turn * units)) {
                *number = scheme.number(joined(columns, turn, round, bits));
            }
        }
    };
    parallel::fill(out, count, turn, threads, tick, fill)?;
    errors.finish()
}

/// The words of a round in columns of this height, joined.
#[inline]
pub fn joined(columns: &[u64], height: usize, round: usize, bits: u32) -> u64 {
    if columns.len() == height {
        return columns[round];
    }
    columns.chunks_exact(height).fold(0, |joined, column| joined << bits | column[round])
}
