//! The digests and words of many rounds, by the fastest method that the hash allows.
//!
//! Games read words by place: the third word of every round, then the fourth. So words lie in columns, one per place,
//! of up to [`TILE`] rounds, which stay in the cache of a core between hashing and playing. The wanted places decide
//! which digests are needed; each digest is hashed once, for all of its places. Rounds whose digest has fewer words are
//! listed (`ShortRounds`), and read by the reference reader of `scheme`.
//!
//! The method is chosen once for all rounds ([`Hasher`]): lanes for SHA-256 in any arrangement of templates, for
//! SHA-512, and for the salted rounds' HMAC; any other hash digest by digest. Hashes within a hash are hashed before it,
//! by the same choice, and are fields of the rest. A method gives whole digests (`each`); of SHA-256 and SHA-512, and of
//! 64-bit words of salted rounds, `fill_cut` cuts words from the lanes without making digests of them.

use std::borrow::Cow;
use std::ops::Range;

use super::fields::Fields;
use super::hash::{Algorithm, Digest, Hash, Piece, Template};
use super::salted::generator::{self, BLOCKS_AT_A_TIME, BLOCKS_WORTH_A_THREAD, Generator, MIN_ROUNDS};
use super::scheme::{DigestId, Function, Source, fingerprint, salted};
use super::sha256::{self, Sha256Buffers, Sha256s};
use super::sha512::{self, Sha512Buffers, Sha512s};
use crate::error::{Error, Result, value_error};
use crate::parallel::{self, FirstError, Tick};
use crate::sha2_lanes::Path;
use crate::strings::{Foreign, Texts};

/// Rounds computed together, so that their words stay in the cache of a core.
pub const TILE: usize = 1024;

/// Computes the digests of rounds at some cursors.
pub struct Digests<'a> {
    hash: Cow<'a, Hash>,
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
    Nested(Nested<'a>),
}

/// A hash of other hashes that differ between rounds.
struct Nested<'a> {
    path: Path,
    /// The others, and whether their bytes are hashed, rather than their hex text.
    within: Vec<(Digests<'a>, bool)>,
    /// The hash, with a field for each of the others after those of the rounds.
    outer: Hash,
}

impl<'a> Nested<'a> {
    /// `None` for a hash without others that are hashed once a round. The hash of a key that is longer than a block is
    /// one of them.
    fn new(path: Path, hash: &Hash, fields: &'a Fields<'a>) -> Option<Self> {
        let Hash { algorithm, message, key } = hash;
        let long = key.as_ref().filter(|key| {
            let constant = key.0.iter().filter(|piece| piece.is_constant(fields));
            let mut text = Vec::new();
            Template(constant.cloned().collect()).write(fields, 0, 0, &mut text);
            text.len() > algorithm.block()
        });
        let long = long.map(|key| Hash { algorithm: *algorithm, message: key.clone(), key: None });
        let long = long.map(|hash| Template(vec![Piece::Hash(Box::new(hash), true)]));
        let (known, mut within) = (fields.each().count(), Vec::new());
        let mut rest = |template: &Template| {
            let piece = |piece: &Piece| match piece {
                Piece::Hash(other, raw)
                    if other.algorithm.size().is_some()
                        && !other.has_cursor()
                        && !other.is_constant(fields) =>
                {
                    let other = Cow::Owned((**other).clone());
                    within.push((Digests::new(path, other, fields, vec![0]), *raw));
                    Piece::Field(known + within.len() - 1)
                }
                _ => piece.clone(),
            };
            Template(template.0.iter().map(piece).collect())
        };
        let outer = Hash {
            algorithm: *algorithm,
            message: rest(message),
            key: long.as_ref().or(key.as_ref()).map(rest),
        };
        (!within.is_empty()).then_some(Self { path, within, outer })
    }

    /// The texts of the hashes within.
    fn texts(&self, first: usize, rounds: usize, buffers: &mut HashBuffers) -> Vec<DigestTexts> {
        let texts = |(digests, raw): &(Digests<'a>, bool)| {
            let mut texts = Vec::new();
            digests.each(first, rounds, buffers, |round, _, digest| {
                let bytes = digest.bytes();
                let size = if *raw { bytes.len() } else { 2 * bytes.len() };
                texts.resize(rounds * size, 0);
                let text = &mut texts[round * size..][..size];
                if *raw {
                    text.copy_from_slice(bytes);
                } else {
                    hex::encode_to_slice(bytes, text).expect("two characters a byte");
                }
            });
            DigestTexts { first, size: texts.len() / rounds.max(1), texts }
        };
        self.within.iter().map(texts).collect()
    }

    /// The hash of these texts.
    fn outer<'t>(&'t self, fields: &'t Fields<'t>, cursors: &[u64]) -> Digests<'t> {
        Digests::new(self.path, Cow::Borrowed(&self.outer), fields, cursors.to_vec())
    }
}

/// The texts of digests, from those of a round on.
#[derive(Debug)]
struct DigestTexts {
    first: usize,
    size: usize,
    texts: Vec<u8>,
}

impl Foreign for DigestTexts {
    fn text(&self, round: usize) -> &[u8] {
        &self.texts[(round - self.first) * self.size..][..self.size]
    }

    fn count(&self) -> usize {
        usize::MAX // never one text for all rounds
    }
}

/// These fields, and texts of hashes within the hash.
fn and_texts<'t>(fields: &Fields<'t>, texts: &'t [DigestTexts]) -> Fields<'t> {
    texts.iter().fold(fields.clone(), |fields, texts| fields.with(Texts::Foreign(texts)))
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
    pub fn new(path: Path, hash: Cow<'a, Hash>, fields: &'a Fields<'a>, cursors: Vec<u64>) -> Self {
        let hasher = match path {
            Path::Scalar => Hasher::Plain,
            Path::Lanes { kernel, sha256_alone } => {
                if let Some(seeds) = salted(&hash, fields) {
                    Hasher::Salted(Box::new(Generator::on(path, seeds, cursors.clone())))
                } else if let Some(nested) = Nested::new(path, &hash, fields) {
                    Hasher::Nested(nested)
                } else if hash.algorithm == Algorithm::Sha256 {
                    let at = |&cursor: &u64| Sha256s::new(kernel, sha256_alone, &hash, fields, cursor);
                    Hasher::Sha256(cursors.iter().map(at).collect())
                } else if hash.algorithm == Algorithm::Sha512 {
                    let at = |&cursor: &u64| Sha512s::new(kernel, &hash, fields, cursor);
                    Hasher::Sha512(cursors.iter().map(at).collect())
                } else {
                    Hasher::Plain
                }
            }
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
                    let take = |place, digest: &Digest| take(round, place, digest);
                    self.hash.each(self.fields, first + round, &self.cursors, take);
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
            Hasher::Nested(nested) => {
                let texts = nested.texts(first, rounds, buffers);
                let fields = and_texts(self.fields, &texts);
                nested.outer(&fields, &self.cursors).each(first, rounds, buffers, take);
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
            WordSource::Digests(Digests::new(path, Cow::Borrowed(scheme.hash()), fields, cursors))
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
            Hasher::Nested(nested) => {
                let texts = nested.texts(first, rounds, buffers);
                let fields = and_texts(digests.fields, &texts);
                let outer = nested.outer(&fields, &digests.cursors);
                return self.fill_cut(&outer, first, rounds, buffers, stride, tile, hashes);
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
    let size = out.len() / fields.rounds().max(1);
    if (0..fields.rounds()).any(|round| {
        hash.algorithm.size().is_none() && hash.digest(fields, round, cursor).bytes().len() != size
    }) {
        return Err(Error::value("fields", "must be equally long in all rounds, where nothing is hashed"));
    }
    if size == 0 {
        return Ok(());
    }
    let digests = Digests::new(path, Cow::Borrowed(hash), fields, vec![cursor]);
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

#[cfg(test)]
mod tests {
    use super::super::fields::Values;
    use super::super::scheme::Scheme;
    use super::*;

    /// Hashes within messages and keys, as text and as bytes, at several depths and with cursors, on every path.
    #[test]
    fn hashes_of_hashes_equal_the_plain_ones() {
        let texts: Vec<u8> = (0..90u8 * 2).collect();
        let values = vec![
            Values::Texts(Texts::One(b"constant")),
            Values::Texts(Texts::Fixed { bytes: &texts, width: 2, len: 90 }),
            Values::Counter { start: 95 },
        ];
        let fields = Fields::new(values, Some(90));
        let hash = |algorithm, message: Vec<Piece>, key: Option<Vec<Piece>>| Hash {
            algorithm,
            message: Template(message),
            key: key.map(Template),
        };
        let within = |hash: &Hash, raw| Piece::Hash(Box::new(hash.clone()), raw);
        let inner = [
            hash(Algorithm::Sha256, vec![Piece::Field(1)], Some(vec![Piece::Field(2)])),
            hash(Algorithm::Sha512, vec![Piece::Field(2), Piece::Field(0)], None),
            hash(Algorithm::Md5, vec![Piece::Field(1), Piece::Field(2)], None),
            hash(Algorithm::Sha256, vec![Piece::Field(2), Piece::Cursor], None),
            hash(Algorithm::Nothing, vec![Piece::Field(1)], None),
            hash(Algorithm::Sha256, vec![Piece::Field(0)], None),
        ];
        let kinds = [Algorithm::Sha256, Algorithm::Sha512, Algorithm::Sha3_256];
        for (algorithm, one, other) in
            kinds.iter().flat_map(|&kind| (0..6).map(move |one| (kind, one, one % 4)))
        {
            let deep = hash(Algorithm::Sha256, vec![within(&inner[one], true), Piece::Field(2)], None);
            let message = vec![within(&deep, false), Piece::Cursor, within(&inner[other], true)];
            let key = vec![Piece::Field(2), within(&inner[one], false)];
            let long = vec![Piece::Literal(vec![b'x'; 129]), within(&inner[other], false)];
            let hashes = [None, Some(key), Some(long)].map(|key| hash(algorithm, message.clone(), key));
            for (hash, (name, path)) in
                hashes.iter().flat_map(|hash| Path::all().into_iter().map(move |path| (hash, path)))
            {
                let buffers = &mut HashBuffers::default();
                let digests = Digests::new(path, Cow::Borrowed(hash), &fields, vec![7, 8]);
                digests.each(5, 0, buffers, |_, _, _| unreachable!("no rounds"));
                digests.each(5, 80, buffers, |round, place, digest| {
                    let expected = hash.digest(&fields, 5 + round, 7 + place as u64);
                    assert_eq!(digest.bytes(), expected.bytes(), "{name} {hash:?} {round}");
                });
                let scheme = Scheme::new(hash.clone(), 52, None, "scale", 7).unwrap();
                let columns =
                    WordColumns::new(path, Source { scheme: &scheme, fields: &fields }, 0, 5).unwrap();
                let (mut tile, mut prints) = (vec![0; 5 * 80], [[0; 2]; 80]);
                columns.fill(5, 80, buffers, 80, &mut tile, &mut prints).unwrap();
                for (place, word) in tile.iter().enumerate() {
                    let (round, place, words) = (5 + place % 80, place / 80, scheme.cut().words);
                    let digest = hash.digest(&fields, round, 7 + (place / words) as u64);
                    assert_eq!(*word, digest.word(52, place % words), "{name} {hash:?} {round}");
                }
                assert_eq!(prints[79], scheme.fingerprint(&fields, 84), "{name} {hash:?}");
            }
        }
    }
}
