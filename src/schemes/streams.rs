//! The draws of many rounds at once.
//!
//! Rounds go in step: each draw reads the word at the same place in all of them, so [`WordColumns`] computes it for all
//! rounds at once, a window of places at a time. A scheme that passes over words breaks the step: a round whose word is
//! passed over reads its next one alone, by a [`Reader`], and stays alone from then on (`strayed`); the others go on in
//! lanes. Up to [`FEW`] rounds are read alone from the start, as lanes don't pay for them. Draws until values differ
//! depart at once from any common step: if all words are bytes of one digest, a walk through its bytes needs no reader
//! (`distinct_bytes`), and `ends` keeps where each round stopped.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::salted::numbers;
use super::scheme::{Below, Reader, Scheme, Source, WordOrigin, fingerprint};
use super::words::{Digests, HashBuffers, TILE, WordColumns, joined};
use crate::error::{Error, Result};
use crate::parallel::{self, FirstError, Tick};
use crate::sha2_lanes::Path;

/// The number of rounds from which another thread is worth starting.
const ROUNDS_WORTH_A_THREAD: usize = 4 * TILE;
/// The most rounds that are read one by one from the start.
pub const FEW: usize = 8;
/// The most words to compute ahead if the number of draws is unknown.
const WORDS_AT_A_TIME: u64 = 128;
/// A placeholder for the words in step if rounds are read one by one.
static NOTHING: [u64; TILE] = [0; TILE];
/// The largest `n` for which a sample moves elements of an array.
const SMALL_POOL: usize = 1 << 12;

/// The most repeated values of a round that draws different ones.
const MOST_REPEATS: usize = 1 << 16;

/// The means of computing a draw.
pub struct Work<'a, 't> {
    /// The source of the draws.
    pub source: Source<'a>,
    /// The path to compute on.
    pub path: Path,
    /// The number of threads.
    pub threads: Option<usize>,
    /// The progress callback.
    pub tick: Tick<'t>,
}

/// `n` of a draw below `n`.
#[derive(Clone, Copy, Debug)]
pub enum Limit<'a> {
    /// One for all rounds.
    One(u64),
    /// One for each round, each checked.
    Each(&'a [i64]),
}

impl Limit<'_> {
    #[inline]
    fn get(self, round: usize) -> u64 {
        match self {
            Self::One(n) => n,
            Self::Each(all) => all[round] as u64,
        }
    }
}

/// The positions of the rounds `first`, `first + 1`, ... in their streams of words.
#[derive(Clone, Debug)]
pub struct Streams {
    first: usize,
    rounds: usize,
    /// The place of the next word, in step.
    place: u64,
    /// The number of words that are expected to be drawn, and computed at once.
    ahead: u64,
    /// The places whose words are computed, tile after tile.
    window: Range<u64>,
    words: Vec<u64>,
    /// For each tile, the rounds that are out of step.
    strayed: Vec<BTreeMap<usize, Reader>>,
    /// Whether all rounds are out of step.
    apart: bool,
    /// The fingerprints of the rounds' first digests, if wanted; empty until they are computed.
    fingerprints: Option<Vec<[u64; 2]>>,
    /// The next place of each round after `distinct_bytes`.
    ends: Vec<u8>,
}

/// One draw of a tile.
struct Tile<'a> {
    /// The next word of each round.
    words: Cow<'a, [u64]>,
    /// The index of its first round, among the rounds of the streams and among those of the fields.
    start: usize,
    first: usize,
    place: u64,
    /// The number of words that this draw takes.
    count: usize,
    strayed: &'a mut BTreeMap<usize, Reader>,
    error: Option<(usize, Error)>,
}

impl Streams {
    /// Streams from the beginning of each round. `ahead` words of each are computed together; 0 if unknown.
    pub fn new(first: usize, rounds: usize, ahead: u64) -> Self {
        let mut streams = Self {
            first,
            rounds,
            place: 0,
            ahead,
            window: 0..0,
            words: Vec::new(),
            strayed: vec![BTreeMap::new(); rounds.div_ceil(TILE)],
            apart: false,
            fingerprints: None,
            ends: Vec::new(),
        };
        if rounds <= FEW {
            streams.part();
        }
        streams
    }

    /// Takes all rounds out of step, so that each continues alone.
    fn part(&mut self) {
        let ends = std::mem::take(&mut self.ends);
        for (tile, strayed) in self.strayed.iter_mut().enumerate() {
            for i in 0..TILE.min(self.rounds - tile * TILE) {
                let end = ends.get(tile * TILE + i).map_or(self.place, |&end| u64::from(end));
                strayed.entry(i).or_insert_with(|| Reader::at(end));
            }
        }
        self.apart = true;
    }

    /// Continues each round where `distinct` left it.
    fn resume(&mut self) {
        if !self.ends.is_empty() {
            self.part();
        }
    }

    /// Keeps the fingerprints of the rounds' first digests, which may be taken after the first draw.
    pub fn want_fingerprints(&mut self) {
        self.fingerprints = Some(Vec::new());
    }

    /// The fingerprints of the rounds' first digests, if they were computed.
    pub fn take_fingerprints(&mut self) -> Option<Vec<[u64; 2]>> {
        self.fingerprints.take_if(|fingerprints| !fingerprints.is_empty())
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Whether each round is read by itself, digest by digest.
    pub fn one_by_one(&self) -> bool {
        self.apart
    }

    /// The number of words drawn and skipped, in step.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// The origin of a round's last word, if rounds are read one by one.
    pub fn drawn(&self, round: usize) -> Option<&WordOrigin> {
        self.strayed.first()?.get(&round).map(Reader::drawn)
    }

    /// Passes over words of every round.
    pub fn skip(&mut self, count: u64) {
        self.resume();
        self.place = self.place.saturating_add(count);
        self.strayed.iter_mut().flat_map(BTreeMap::values_mut).for_each(|reader| reader.skip(count));
    }

    /// The next words.
    pub fn words(&mut self, work: &mut Work<'_, '_>, out: &mut [u64]) -> Result<()> {
        let source = work.source;
        self.draw(work, 1, out, |tile, out| {
            out.copy_from_slice(&tile.words);
            tile.each_strayed(out, |reader, round, _| reader.word(source, round));
        })
    }

    /// The next numbers.
    pub fn numbers(&mut self, work: &mut Work<'_, '_>, out: &mut [f64]) -> Result<()> {
        let source = work.source;
        source.scheme.check_numbers()?;
        self.draw(work, source.scheme.words_of_a_number(), out, |tile, out| {
            for (number, &word) in out.iter_mut().zip(&*tile.words) {
                *number = source.scheme.number(word);
            }
            tile.each_strayed(out, |reader, round, _| reader.number(source, round));
        })
    }

    /// The next draws from `0..n`.
    pub fn below(&mut self, work: &mut Work<'_, '_>, among: Limit<'_>, out: &mut [i64]) -> Result<()> {
        let source = work.source;
        let scheme = source.scheme;
        let scale = scheme.scale();
        let mut count = if self.rounds == 0 { 1 } else { scheme.words_below(among.get(0)) };
        if matches!(among, Limit::Each(_))
            && scheme.cut().by_range
            && (0..self.rounds).any(|round| scheme.words_below(among.get(round)) != count)
        {
            self.part();
            count = 1;
        }
        self.draw(work, count, out, |tile, out| {
            let start = tile.start;
            let words = tile.words.iter().enumerate().map(|(i, &word)| (word, among.get(start + i)));
            match scheme.below() {
                Below::Scale if scheme.cut().bits == 64 => {
                    for (value, (word, n)) in out.iter_mut().zip(words) {
                        *value = numbers::below(word, n) as i64;
                    }
                }
                Below::Scale => {
                    for (value, (word, n)) in out.iter_mut().zip(words) {
                        // The word has at most 53 bits, and the product is below n.
                        *value = (word as i64 as f64 * scale * n as i64 as f64) as i64;
                    }
                }
                Below::Modulo => {
                    for (value, (word, n)) in out.iter_mut().zip(words) {
                        *value = (word % n) as i64;
                    }
                }
                Below::Multiply | Below::Nearest => {
                    for (value, (word, n)) in out.iter_mut().zip(words) {
                        *value = scheme.answer(word, n) as i64;
                    }
                }
                Below::Reject | Below::RejectLast | Below::Decimal => {
                    let mut passed_over = Vec::new();
                    for (i, (value, (word, n))) in out.iter_mut().zip(words).enumerate() {
                        *value = scheme.answer(word, n) as i64;
                        if scheme.passes(word, n) {
                            passed_over.push(i);
                        }
                    }
                    tile.read_alone(source, &passed_over, among, out);
                }
                // Lanes give words; these rules need whole digests.
                Below::Digest | Below::Double => {
                    tile.read_alone(source, &(0..out.len()).collect::<Vec<_>>(), among, out);
                }
            }
            tile.each_strayed(out, |reader, round, i| {
                reader.below(source, round, among.get(start + i)).map(|value| value as i64)
            });
        })
    }

    /// For each round the first `out.len() / rounds` elements of a random permutation of `0..n`, each taken from the
    /// remaining ones. Each uses a number, even the last of all `n`.
    pub fn sample(&mut self, work: &mut Work<'_, '_>, n: usize, out: &mut [i64]) -> Result<()> {
        let taken = out.len() / self.rounds.max(1);
        self.rows(work, (0..taken).map(|step| (n - step) as u64), n, out, |places, pool, row| {
            take_out(n, places, pool, row);
        })
    }

    /// For each round a random permutation of `0..n`, by swaps backward: element `i`, from the last to the
    /// second, changes places with an element up to it. Uses `n - 1` numbers.
    pub fn swaps(&mut self, work: &mut Work<'_, '_>, n: usize, out: &mut [i64]) -> Result<()> {
        self.rows(work, (2..=n as u64).rev(), n, out, |places, _, row| {
            for (element, cell) in row.iter_mut().enumerate() {
                *cell = element as i64;
            }
            for (last, other) in (1..n).rev().zip(places) {
                row.swap(last, other);
            }
        })
    }

    /// For each round the first `out.len() / rounds` distinct values of `0..n` in the order drawn; repeated values are
    /// passed over. -1 after a round's words are used up.
    pub fn distinct(&mut self, work: &mut Work<'_, '_>, n: u64, out: &mut [i64]) -> Result<()> {
        let width = out.len() / self.rounds.max(1);
        let source = work.source;
        source.check_label()?;
        if out.is_empty() {
            return Ok(());
        }
        self.resume();
        let fits = n <= u64::from(NONE) && source.scheme.is_one_digest_of_bytes();
        if fits && !self.apart && self.place == 0 {
            return self.distinct_bytes(work, n, out);
        }
        self.part();
        let first = self.first;
        let (failed, items) = (FirstError::default(), out.chunks_mut(TILE * width).zip(&mut self.strayed));
        let threads = parallel::threads(work.threads, self.rounds * width, ROUNDS_WORTH_A_THREAD);
        parallel::run(
            items.enumerate(),
            threads,
            work.tick,
            || (),
            |(), (tile, (rows, strayed))| {
                for ((&i, reader), row) in strayed.iter_mut().zip(rows.chunks_exact_mut(width)) {
                    let round = tile * TILE + i;
                    if let Err(error) = distinct_of(reader, source, first + round, n, row) {
                        failed.keep(round, &[(0, error)]);
                    }
                }
                (rows.len() / width) as u64
            },
        )?;
        failed.finish()
    }

    /// The same for rounds at their beginning, whose words are the bytes of one digest.
    fn distinct_bytes(&mut self, work: &mut Work<'_, '_>, n: u64, out: &mut [i64]) -> Result<()> {
        let width = out.len() / self.rounds;
        let Source { scheme, fields } = work.source;
        let digests = Digests::new(work.path, Cow::Borrowed(scheme.hash()), fields, vec![0]);
        let walk = ByteWalk::new(scheme, n);
        let words = scheme.cut().words;
        self.ends.resize(self.rounds, 0);
        let prints = by_tile(self.fingerprints.as_mut(), self.rounds);
        let items = out.chunks_mut(TILE * width).zip(self.ends.chunks_mut(TILE)).zip(prints).enumerate();
        let first = self.first;
        let threads = parallel::threads(work.threads, self.rounds, ROUNDS_WORTH_A_THREAD);
        parallel::run(
            items,
            threads,
            work.tick,
            HashBuffers::default,
            |buffers, (i, ((rows, ends), these))| {
                digests.each(first + i * TILE, ends.len(), buffers, |round, _, digest| {
                    let bytes = digest.bytes();
                    let row = &mut rows[round * width..][..width];
                    ends[round] = walk.distinct(&bytes[..words.min(bytes.len())], row);
                    if let Some(print) = these.get_mut(round) {
                        *print = fingerprint(digest);
                    }
                });
                ends.len() as u64
            },
        )
        .map(drop)
    }

    /// Draws below each of the ranges, and makes a row of each round's draws.
    fn rows(
        &mut self,
        work: &mut Work<'_, '_>,
        ranges: impl Iterator<Item = u64>,
        n: usize,
        out: &mut [i64],
        make: impl Fn(&mut dyn Iterator<Item = usize>, &mut Vec<u16>, &mut [i64]) + Sync,
    ) -> Result<()> {
        let rounds = self.rounds;
        if rounds == 0 || out.is_empty() {
            return Ok(());
        }
        let mut places = Vec::new();
        for range in ranges {
            let start = places.len();
            places.resize(start + rounds, 0);
            self.below(work, Limit::One(range), &mut places[start..])?;
        }
        let width = out.len() / rounds;
        let items = out.chunks_mut(TILE * width).enumerate();
        let threads = parallel::threads(work.threads, rounds * width, ROUNDS_WORTH_A_THREAD);
        let init = || if n <= SMALL_POOL { (0..n as u16).collect() } else { Vec::new() };
        parallel::run(items, threads, &mut parallel::no_tick, init, |pool, (tile, rows)| {
            for (i, row) in rows.chunks_exact_mut(width).enumerate() {
                let mut drawn =
                    places.iter().skip(tile * TILE + i).step_by(rounds).map(|&place| place as usize);
                make(&mut drawn, pool, row);
            }
            0
        })
        .map(drop)
    }

    /// Makes one draw, tile by tile, and advances to the next place.
    fn draw<T: Send>(
        &mut self,
        work: &mut Work<'_, '_>,
        count: usize,
        out: &mut [T],
        each: impl Fn(&mut Tile<'_>, &mut [T]) + Sync,
    ) -> Result<()> {
        work.source.check_label()?;
        self.resume();
        let bits = work.source.scheme.cut().bits;
        let end = self.place + count as u64;
        if !self.apart && (self.place < self.window.start || self.window.end < end) {
            self.fill(work, end)?;
        }
        let apart = self.apart;
        let columns = (self.window.end - self.window.start) as usize;
        let column = (self.place - self.window.start) as usize;
        let errors = FirstError::default();
        let (place, first, all) = (self.place, self.first, &self.words);
        let items = out.chunks_mut(TILE).zip(&mut self.strayed).enumerate();
        let threads = parallel::threads(work.threads, self.rounds, ROUNDS_WORTH_A_THREAD);
        parallel::run(
            items,
            threads,
            &mut parallel::no_tick,
            || (),
            |(), (number, (out, strayed))| {
                let start = number * TILE;
                let words = if apart {
                    Cow::Borrowed(&NOTHING[..out.len()])
                } else {
                    let words = &all[(number * columns + column) * TILE..][..count * TILE];
                    match count {
                        1 => Cow::Borrowed(&words[..out.len()]),
                        _ => (0..out.len()).map(|i| joined(words, TILE, i, bits)).collect(),
                    }
                };
                let mut tile =
                    Tile { words, start, first: first + start, place, count, strayed, error: None };
                each(&mut tile, out);
                errors.keep(0, tile.error.as_slice());
                0
            },
        )?;
        errors.finish()?;
        self.place = end;
        Ok(())
    }

    /// Computes the words from the next place on, up to `least` of them or more.
    fn fill(&mut self, work: &mut Work<'_, '_>, least: u64) -> Result<()> {
        let scheme = work.source.scheme;
        let words = scheme.cut().words as u64;
        let end_of_digest = ((self.place / words + 1) * words).min(self.place + WORDS_AT_A_TIME);
        let end = if self.place < self.ahead { self.ahead } else { end_of_digest }.max(least);
        // A round that ends early needs no further digest.
        let goes_on = scheme.at(1).is_some();
        let last = if goes_on { end } else { end.min(words.max(least)) };
        let filler = WordColumns::new(work.path, work.source, self.place, last)
            .ok_or_else(|| work.source.ran_out(self.first))?;
        self.window = self.place..last;
        self.words.resize(self.rounds.next_multiple_of(TILE) * filler.columns(), 0);
        let prints = by_tile(self.fingerprints.as_mut().filter(|_| self.place == 0), self.rounds);
        let tiles = self.words.chunks_exact_mut(TILE * filler.columns());
        let items = tiles.zip(&mut self.strayed).zip(prints).enumerate();
        let (place, errors) = (self.place, FirstError::default());
        let threads = parallel::threads(work.threads, self.rounds, ROUNDS_WORTH_A_THREAD);
        let (first, rounds) = (self.first, self.rounds);
        parallel::run(
            items,
            threads,
            work.tick,
            HashBuffers::default,
            |buffers, (number, ((tile, strayed), fingerprints))| {
                let start = number * TILE;
                let now = TILE.min(rounds - start);
                match filler.fill(first + start, now, buffers, TILE, tile, fingerprints) {
                    // These rounds read further words alone if they need any.
                    Ok(short) => {
                        for i in short {
                            strayed.entry(i).or_insert_with(|| Reader::at(place));
                        }
                    }
                    Err(error) => errors.keep(start, &[(0, error)]),
                }
                now as u64
            },
        )?;
        errors.finish()
    }
}

/// Room for the fingerprints of each tile's rounds; none for any if they aren't wanted.
fn by_tile(wanted: Option<&mut Vec<[u64; 2]>>, rounds: usize) -> impl Iterator<Item = &mut [[u64; 2]]> {
    let all = wanted.map(|fingerprints| {
        fingerprints.resize(rounds, [0; 2]);
        fingerprints.chunks_mut(TILE)
    });
    all.into_iter().flatten().chain(std::iter::repeat_with(Default::default))
}

impl Tile<'_> {
    /// Reads on alone in rounds whose word was passed over, which takes them out of step.
    fn read_alone(&mut self, source: Source<'_>, rounds: &[usize], among: Limit<'_>, out: &mut [i64]) {
        for &i in rounds {
            if self.strayed.contains_key(&i) {
                continue;
            }
            let mut reader = Reader::at(self.place);
            match reader.below(source, self.first + i, among.get(self.start + i)) {
                Ok(value) => out[i] = value as i64,
                Err(error) => self.fail(i, error),
            }
            if reader.place() != self.place + self.count as u64 {
                // `each_strayed` must not draw for them again.
                self.strayed.insert(i, Reader::at(self.place));
            }
        }
    }

    /// Draws for the rounds that are out of step.
    fn each_strayed<T>(&mut self, out: &mut [T], draw: impl Fn(&mut Reader, usize, usize) -> Result<T>) {
        let mut failed = None;
        for (&i, reader) in self.strayed.iter_mut() {
            match draw(reader, self.first + i, i) {
                Ok(value) => out[i] = value,
                Err(error) => {
                    failed.get_or_insert((i, error));
                }
            }
        }
        if let Some((i, error)) = failed {
            self.fail(i, error);
        }
    }

    fn fail(&mut self, round: usize, error: Error) {
        if self.error.as_ref().is_none_or(|(other, _)| self.first + round < *other) {
            self.error = Some((self.first + round, error));
        }
    }
}

/// A walk through the bytes of a digest for distinct values of `0..n`.
struct ByteWalk {
    /// The answer of each byte; for bytes that are passed over [`LAST`] if `n` is at most that, else [`NONE`].
    answers: [u16; 256],
    /// Whether a word has a bit for every answer.
    in_a_word: bool,
}

/// The last bit of a word.
const LAST: u16 = 63;
/// One more than the largest answer of a byte.
const NONE: u16 = 256;

impl ByteWalk {
    fn new(scheme: &Scheme, n: u64) -> Self {
        let in_a_word = n <= u64::from(LAST);
        let none = if in_a_word { LAST } else { NONE };
        let answer = |byte| if scheme.passes(byte, n) { none } else { scheme.answer(byte, n) as u16 };
        Self { answers: std::array::from_fn(|byte| answer(byte as u64)), in_a_word }
    }

    /// Fills a row with distinct answers, then with -1; returns the number of bytes read.
    #[inline]
    fn distinct(&self, bytes: &[u8], row: &mut [i64]) -> u8 {
        // Bytes that are passed over count as seen.
        if self.in_a_word {
            let mut seen = 1_u64 << LAST; // stays in a register
            return self.fill(bytes, row, |answer| {
                let is_new = seen >> (answer % 64) & 1 == 0;
                seen |= 1 << (answer % 64);
                is_new
            });
        }
        let mut seen = [0, 0, 0, 0, u64::MAX];
        self.fill(bytes, row, |answer| {
            let seen = &mut seen[usize::from(answer / 64)];
            let is_new = *seen >> (answer % 64) & 1 == 0;
            *seen |= 1 << (answer % 64);
            is_new
        })
    }

    /// Whether a byte is taken is unpredictable, so there are no branches.
    #[inline(always)]
    fn fill(&self, bytes: &[u8], row: &mut [i64], mut is_new: impl FnMut(u16) -> bool) -> u8 {
        let mut found = 0;
        let mut read = bytes.len();
        for (place, &byte) in bytes.iter().enumerate() {
            if found == row.len() {
                read = place;
                break;
            }
            let answer = self.answers[usize::from(byte)];
            // The next byte overwrites it unless it is new.
            row[found] = i64::from(answer);
            found += usize::from(is_new(answer));
        }
        row[found..].fill(-1);
        read as u8
    }
}

/// Fills a row with distinct values of `0..n` for one round, then with -1 once its words run out.
fn distinct_of(reader: &mut Reader, source: Source<'_>, round: usize, n: u64, row: &mut [i64]) -> Result<()> {
    let mut found = 0;
    let mut repeats = 0;
    while found < row.len() {
        match reader.below(source, round, n) {
            Ok(value) if row[..found].contains(&(value as i64)) => repeats += 1,
            Ok(value) => {
                row[found] = value as i64;
                found += 1;
            }
            // An error of a function in Python doesn't mean that words ran out.
            Err(error) if error.cause().is_some() => return Err(error),
            Err(_) => break,
        }
        if repeats > MOST_REPEATS {
            let problem = format_args!("draws the same ones of {n} again and again");
            return Err(Error::value(source.fields.name_of(round), problem));
        }
    }
    row[found..].fill(-1);
    Ok(())
}

/// Takes elements out of `0..n`: each place counts the remaining ones. `pool` is `0..n` before and after, if `n` is
/// small.
fn take_out(n: usize, places: &mut dyn Iterator<Item = usize>, pool: &mut [u16], row: &mut [i64]) {
    if n <= SMALL_POOL {
        for (step, (cell, place)) in row.iter_mut().zip(places).enumerate() {
            *cell = i64::from(pool[place]);
            pool.copy_within(place + 1..n - step, place);
        }
        for (element, place) in pool.iter_mut().enumerate() {
            *place = element as u16;
        }
        return;
    }
    // The rest stays in order, so the elements taken determine it.
    let mut taken: Vec<i64> = Vec::with_capacity(row.len());
    for (cell, place) in row.iter_mut().zip(places) {
        let mut element = place as i64;
        let before = taken.iter().take_while(|&&other| {
            let passed = other <= element;
            element += i64::from(passed);
            passed
        });
        let index = before.count();
        taken.insert(index, element);
        *cell = element;
    }
}
