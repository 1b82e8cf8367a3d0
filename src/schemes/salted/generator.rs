//! The bytes of many rounds at a time, in SIMD lanes. Work that all rounds share is done once.
//!
//! A round is HMAC-SHA512 under a key that is itself a SHA-256. Of the four compressions of the HMAC, two depend
//! only on the key. If the client seed is constant, so is the message schedule of a third: it is expanded once per
//! cursor, and the compression rounds whose words don't depend on the cursor are computed once for all cursors. The
//! rest goes through [`Lanes`], one round's hash in each lane. Where SHA-256 is hashed in lanes, too, a salt of the
//! usual length stays there from its digest to the key of the HMAC. Lanes need rounds in groups and the cache holds
//! few blocks, so a worker takes [`BLOCKS_AT_A_TIME`] blocks at a time.

use std::ops::Range;
use std::sync::LazyLock;

use fearless_simd::{SimdBase, SimdNarrow, SimdWiden};
use sha2::block_api::compress256;

use super::numbered::{Numbered, Writer};
use super::numbers;
use super::seeds::{Block, COLON, Salts, Seeds, Stream, salt};
use crate::error::Result;
use crate::games::draw::Draws;
use crate::in_lanes;
use crate::parallel::{self, Tick};
use crate::sha2_lanes::{Lanes, Path, Sha, WIDEST, sha256, sha512};
use crate::strings::Decimal;

/// Computes the blocks of many rounds.
pub struct Generator<'a> {
    seeds: Seeds<'a>,
    path: Path,
    cursors: Vec<u64>,
    /// `server_seed:`, if all rounds have the same server seed.
    server: Option<UsualPrefix>,
    /// If the salts are a series.
    series: Option<Series>,
    /// If all rounds have the same client seed: its message for each cursor, expanded.
    messages: Option<Vec<Vec<sha512::Schedule>>>,
    /// The number of compression rounds that are the same for the first blocks of all these messages.
    common_rounds: usize,
    /// `:cursor` for each cursor.
    suffixes: Vec<Vec<u8>>,
}

/// Blocks computed at a time, few enough to stay in a core's cache.
pub const BLOCKS_AT_A_TIME: usize = 1024;
/// The minimum number of rounds computed at a time: two groups of the widest lanes.
pub const MIN_ROUNDS: usize = 16;
/// Blocks handed to a thread at a time.
pub const BLOCKS_A_TURN: usize = 8 * BLOCKS_AT_A_TIME;
/// The number of blocks from which another thread is worth starting.
pub const BLOCKS_WORTH_A_THREAD: usize = 512;

/// SHA-256 messages written before the first of them is hashed: reading bytes that were just written stalls. They
/// are then hashed side by side.
const MESSAGES_AT_A_TIME: usize = 4;

/// Buffers of one worker.
#[derive(Default)]
pub struct BlockBuffers {
    alone: Vec<Message>,
    short: sha256::Messages,
    long: sha512::Messages,
}

impl<'a> Generator<'a> {
    /// A generator of the blocks at these cursors.
    pub fn new(seeds: Seeds<'a>, cursors: Vec<u64>) -> Self {
        Self::on(Path::best(), seeds, cursors)
    }

    /// Like [`new`](Self::new), on a given path.
    pub fn on(path: Path, seeds: Seeds<'a>, cursors: Vec<u64>) -> Self {
        let suffixes: Vec<Vec<u8>> =
            cursors.iter().map(|&cursor| [COLON, Decimal::new(cursor).text()].concat()).collect();
        let messages: Option<Vec<Vec<sha512::Schedule>>> = seeds.client.constant().map(|client| {
            let message = |suffix: &Vec<u8>| [client, suffix.as_slice()].concat();
            let expanded = |suffix| sha512::Schedule::padded(&message(suffix), sha512::BLOCK);
            suffixes.iter().map(expanded).collect()
        });
        let common_rounds = messages
            .as_deref()
            .and_then(<[_]>::split_first)
            .and_then(|(first, others)| others.iter().map(|other| first[0].common_rounds(&other[0])).min());
        let common_rounds = common_rounds.unwrap_or(0);
        let series = match seeds.salt {
            Salts::Given(_) => None,
            Salts::Series { seed, .. } => Some(Series::new(seed)),
        };
        let server = seeds.server.constant().map(UsualPrefix::new);
        Self { seeds, path, cursors, server, series, messages, common_rounds, suffixes }
    }

    /// The number of blocks per round.
    pub fn cursors(&self) -> usize {
        self.cursors.len()
    }

    /// The number of rounds computed together.
    pub fn lanes(&self) -> usize {
        match self.path {
            Path::Scalar => 1,
            Path::Lanes { kernel, .. } => in_lanes!(kernel, lanes => width(lanes)),
        }
    }

    /// The number of words that [`fill`](Self::fill) writes for this many rounds: whole groups of lanes.
    pub fn words(&self, rounds: usize) -> usize {
        rounds.next_multiple_of(self.lanes()) * self.cursors.len() * 8
    }

    /// Writes the blocks of `rounds` rounds from `first` on, in groups of one round per lane. A group has its blocks
    /// in the order of the cursors, a block its eight words, and each word one value per lane: `words[((group *
    /// cursors + cursor) * 8 + word) * lanes + lane]`. The lanes after the last round are padding.
    pub fn fill(&self, first: usize, rounds: usize, buffers: &mut BlockBuffers, words: &mut [u64]) {
        if self.cursors.is_empty() {
            return;
        }
        match self.path {
            Path::Scalar => self.fill_one_by_one(first, words),
            Path::Lanes { kernel, sha256_alone } => {
                in_lanes!(kernel, lanes => self.fill_lanes(lanes, sha256_alone, first, rounds, buffers, words))
            }
        }
    }

    /// The block at cursor number `cursor` of round `first + round`, from the words written.
    pub fn block(&self, words: &[u64], round: usize, cursor: usize) -> Block {
        let lanes = self.lanes();
        let start = (round / lanes * self.cursors.len() + cursor) * 8 * lanes + round % lanes;
        std::array::from_fn(|word| words[start + word * lanes])
    }

    /// The positions of the numbers of these cursors among the words.
    pub fn places(&self) -> NumberPlaces {
        let lanes = self.lanes();
        let numbers = self.cursors.iter().max().map_or(0, |&last| 8 * (last as usize + 1));
        let mut numbers = vec![0; numbers];
        for (place, &cursor) in self.cursors.iter().enumerate() {
            for word in 0..8 {
                numbers[8 * cursor as usize + word] = ((8 * place + word) * lanes) as u32;
            }
        }
        NumberPlaces { lanes, group: self.words(1), numbers }
    }

    fn fill_one_by_one(&self, first: usize, words: &mut [u64]) {
        for (r, words) in words.chunks_exact_mut(self.cursors.len() * 8).enumerate() {
            let i = first + r;
            let (server_seed, client_seed) = (self.seeds.server.get(i), self.seeds.client.get(i));
            let stream = match &self.seeds.salt {
                Salts::Given(texts) => Stream::new(server_seed, client_seed, texts.get(i)),
                Salts::Series { seed, start } => {
                    Stream::new(server_seed, client_seed, &salt(seed, start + i as u64))
                }
            };
            for (words, &cursor) in words.chunks_exact_mut(8).zip(&self.cursors) {
                words.copy_from_slice(&stream.block(cursor));
            }
        }
    }

    #[inline(always)]
    fn fill_lanes<L: Lanes>(
        &self,
        lanes: L,
        sha256_alone: bool,
        first: usize,
        rounds: usize,
        buffers: &mut BlockBuffers,
        words: &mut [u64],
    ) {
        let width = width(lanes);
        let group_words = self.cursors.len() * 8 * width;
        let mut series = self.series.as_ref().map(SeriesSalts::new);
        // Two groups at a time, then the remainder.
        for (turn, words) in words.chunks_mut(2 * group_words).enumerate() {
            let left = first + turn * 2 * width..first + rounds;
            let next = left.start + width..left.end;
            let some = left.start..left.end.min(next.start + width);
            let keys = hex_texts(lanes, &self.keys(lanes, sha256_alone, some, &mut series, buffers));
            let (words, others) = words.split_at_mut(group_words);
            if others.is_empty() {
                self.hmac(lanes, [left], &[keys[0]], buffers, [words]);
            } else {
                self.hmac(lanes, [left, next], &keys, buffers, [words, others]);
            }
        }
    }

    /// HMAC-SHA512 of one or several groups of rounds; each range of `GROUPS` has up to one round per lane.
    #[inline(always)]
    fn hmac<L: Lanes, const GROUPS: usize>(
        &self,
        lanes: L,
        groups: [Range<usize>; GROUPS],
        keys: &[sha512::Vectors<L, 8>; GROUPS],
        buffers: &mut BlockBuffers,
        mut words: [&mut [u64]; GROUPS],
    ) {
        let width = width(lanes);
        let mut inner = [sha512::splat(lanes, &sha512::INITIAL); GROUPS];
        let mut outer = inner;
        for (g, key) in keys.iter().enumerate() {
            key_hashes(lanes, key, INNER_PAD, &INNER_ENDING, &mut inner[g]);
            key_hashes(lanes, key, OUTER_PAD, &OUTER_ENDING, &mut outer[g]);
        }
        let begun = match &self.messages {
            Some(messages) if self.common_rounds > 0 => {
                &sha512::begin_shared(lanes, &inner, &messages[0][0], self.common_rounds)
            }
            _ => &inner,
        };
        for (c, suffix) in self.suffixes.iter().enumerate() {
            let mut states = inner;
            match &self.messages {
                Some(messages) => {
                    let (first, others) = messages[c].split_first().expect("a padded message");
                    sha512::compress_shared(lanes, &mut states, first, begun, self.common_rounds);
                    for schedule in others {
                        let begun = states;
                        sha512::compress_shared(lanes, &mut states, schedule, &begun, 0);
                    }
                }
                None => {
                    for (state, group) in states.iter_mut().zip(&groups) {
                        // Lanes after the last round repeat it.
                        let round = |lane: usize| group.start + lane.min(group.len() - 1);
                        buffers.long.compress(lanes, state, sha512::BLOCK, |lane, text| {
                            text.extend_from_slice(self.seeds.client.get(round(lane)));
                            text.extend_from_slice(suffix);
                        });
                    }
                }
            }
            for ((digest, outer), words) in states.iter().zip(&outer).zip(&mut words) {
                let mut state = *outer;
                sha512::compress_half(lanes, &mut state, digest, &sha512::DIGEST_ENDING);
                let words = words[c * 8 * width..].chunks_exact_mut(width);
                for (vector, words) in state.iter().zip(words) {
                    vector.store_slice(words);
                }
            }
        }
    }

    /// The digests that are the keys of some rounds, up to one per lane of SHA-256.
    #[inline(always)]
    fn keys<L: Lanes>(
        &self,
        lanes: L,
        alone: bool,
        rounds: Range<usize>,
        series: &mut Option<SeriesSalts<'_>>,
        buffers: &mut BlockBuffers,
    ) -> sha256::Vectors<L, 8> {
        let Range { start: first, end } = rounds;
        let texts = match (&self.seeds.salt, series) {
            (Salts::Series { start, .. }, Some(series)) => {
                let digests = series.digests(lanes, alone, start + first as u64, rounds.len(), buffers);
                Some(hex_texts(lanes, &digests))
            }
            _ => None,
        };
        if let (true, Some(server)) = (stays_in_lanes::<L>(alone), &self.server) {
            let words = match (&self.seeds.salt, &texts) {
                (Salts::Given(given), _) => usual_words(lanes, |lane| given.get((first + lane).min(end - 1))),
                (_, texts) => texts.as_ref().map(|texts| words_of(lanes, texts)),
            };
            if let Some(words) = words {
                return server.hash(lanes, &words);
            }
        }
        let texts = texts.map(|texts| bytes::<L>(&texts));
        let salt = |i: usize| match (&self.seeds.salt, &texts) {
            (Salts::Given(given), _) => given.get(first + i),
            (_, texts) => texts.as_ref().map_or(&[][..], |texts| &texts[i]),
        };
        match &self.server {
            Some(server) => hashes(lanes, alone, &server.prefix, salt, buffers, rounds.len()),
            None => {
                // Consecutive rounds usually share their server seed.
                let mut last: Option<(&[u8], Prefix)> = None;
                hashes_alone(lanes, rounds.len(), buffers, |i, message| {
                    let server = self.seeds.server.get(first + i);
                    let known = last.take_if(|(text, _)| *text == server);
                    let (_, prefix) = last.insert(known.unwrap_or_else(|| (server, Prefix::new(server))));
                    message.set(prefix, salt(i));
                })
            }
        }
    }
}

/// Whether a digest of SHA-256 that becomes text is best hashed in lanes.
fn stays_in_lanes<L: Lanes>(alone: bool) -> bool {
    !alone || sha256::width::<L>() == WIDEST
}

/// Texts of 64 characters as the words of blocks; `None` if one has another length.
#[inline(always)]
fn usual_words<'t, L: Lanes>(lanes: L, text: impl Fn(usize) -> &'t [u8]) -> Option<sha256::Vectors<L, 16>> {
    let mut texts = [&[0; sha256::BLOCK]; WIDEST];
    for (lane, known) in texts[..sha256::width::<L>()].iter_mut().enumerate() {
        *known = text(lane).try_into().ok()?;
    }
    Some(sha256::gather_blocks(lanes, |lane| *texts[lane]))
}

/// Hex texts of two groups of lanes as the words of blocks.
#[inline(always)]
fn words_of<L: Lanes>(lanes: L, [low, high]: &[sha512::Vectors<L, 8>; 2]) -> sha256::Vectors<L, 16> {
    let mut words = sha256::splat(lanes, &[0; 16]);
    for (two, (low, high)) in words.chunks_exact_mut(2).zip(low.iter().zip(high)) {
        two[0] = (*low >> 32).narrow(*high >> 32);
        two[1] = low.narrow(*high);
    }
    words
}

/// The characters of hex texts of two groups of lanes.
#[inline(always)]
fn bytes<L: Lanes>(texts: &[sha512::Vectors<L, 8>; 2]) -> [[u8; 64]; WIDEST] {
    let mut bytes = [[0; 64]; WIDEST];
    for (group, bytes) in texts.iter().zip(bytes.chunks_exact_mut(sha512::width::<L>())) {
        for (lane, text) in bytes.iter_mut().enumerate() {
            let words = sha512::lane::<L>(group, lane);
            text.copy_from_slice(words.map(u64::to_be_bytes).as_flattened());
        }
    }
    bytes
}

#[inline(always)]
fn width<L: Lanes>(_lanes: L) -> usize {
    sha512::width::<L>()
}

/// Compresses the padded keys into the states of HMAC's inner or outer hash.
#[inline(always)]
fn key_hashes<L: Lanes>(
    lanes: L,
    key: &sha512::Vectors<L, 8>,
    pad: u64,
    ending: &sha512::Shared,
    state: &mut sha512::Vectors<L, 8>,
) {
    let mut half = sha512::splat(lanes, &[pad; 8]);
    for (word, key) in half.iter_mut().zip(key) {
        *word ^= *key;
    }
    sha512::compress_half(lanes, state, &half, ending);
}

/// Salts that are a series.
struct Series {
    prefix: Prefix,
    /// The block around a salt's number.
    numbered: Numbered<{ sha256::BLOCK }>,
}

impl Series {
    fn new(seed: &[u8]) -> Self {
        let prefix = Prefix::new(seed);
        let (beginning, before) = (&prefix.rest[..prefix.rest_length], prefix.length - prefix.rest_length);
        Self { numbered: Numbered::new(vec![beginning.to_vec(), Vec::new()], Some(before)), prefix }
    }
}

/// Computes the salts of a series.
struct SeriesSalts<'s> {
    prefix: &'s Prefix,
    writer: Writer<'s, sha256::Shared, { sha256::BLOCK }>,
}

impl<'s> SeriesSalts<'s> {
    fn new(series: &'s Series) -> Self {
        let Series { prefix, numbered } = series;
        Self { prefix, writer: Writer::new(numbered) }
    }

    /// The digests of salts `start`, `start + 1`, ...
    #[inline(always)]
    fn digests<L: Lanes>(
        &mut self,
        lanes: L,
        alone: bool,
        start: u64,
        salts: usize,
        buffers: &mut BlockBuffers,
    ) -> sha256::Vectors<L, 8> {
        let Self { prefix, writer } = self;
        let number = |i: usize| start.wrapping_add(i.min(salts - 1) as u64);
        if stays_in_lanes::<L>(alone)
            && let Some((blocks, shared)) = writer.write(sha256::width::<L>(), number)
        {
            let mut state = sha256::splat(lanes, &prefix.state);
            sha256::compress_alike(lanes, &mut state, blocks, shared);
            return state;
        }
        // Written in place: moving digits that were just written one by one stalls.
        let mut numbers = [Decimal::EMPTY; WIDEST];
        for (i, decimal) in numbers[..salts].iter_mut().enumerate() {
            decimal.set(number(i));
        }
        hashes(lanes, alone, prefix, |i| numbers[i].text(), buffers, salts)
    }

    /// Fills `out` with the text of salts `start`, `start + 1`, ...
    #[inline(always)]
    fn fill<L: Lanes>(
        &mut self,
        lanes: L,
        alone: bool,
        start: u64,
        out: &mut [[u8; 64]],
        buffers: &mut BlockBuffers,
    ) {
        let width = sha256::width::<L>();
        for (turn, out) in out.chunks_mut(width).enumerate() {
            let start = start.wrapping_add((turn * width) as u64);
            let digests = self.digests(lanes, alone, start, out.len(), buffers);
            out.copy_from_slice(&bytes::<L>(&hex_texts(lanes, &digests))[..out.len()]);
        }
    }
}

/// SHA-256 of `text:` and a suffix, with the whole blocks of `text:` compressed once.
struct Prefix {
    state: sha256::State,
    /// The remaining bytes after the whole blocks, padded with zeros.
    rest: [u8; sha256::BLOCK],
    rest_length: usize,
    length: usize,
}

impl Prefix {
    fn new(text: &[u8]) -> Self {
        let text = [text, COLON].concat();
        let (blocks, rest) = text.as_chunks();
        let mut state = sha256::INITIAL;
        compress256(&mut state, blocks);
        let mut filled = [0; sha256::BLOCK];
        filled[..rest.len()].copy_from_slice(rest);
        Self { state, rest: filled, rest_length: rest.len(), length: text.len() }
    }
}

/// A prefix before suffixes of the usual length.
struct UsualPrefix {
    prefix: Prefix,
    /// The blocks with the suffix, which varies.
    blocks: Vec<(sha256::Block, sha256::Shared)>,
}

impl UsualPrefix {
    fn new(text: &[u8]) -> Self {
        let prefix = Prefix::new(text);
        let (rest, mut blocks) = (prefix.rest_length, Vec::new());
        let text = [&prefix.rest[..rest], &[0; USUAL_LENGTH]].concat();
        sha256::padded(&text, prefix.length - rest, &mut blocks);
        let words = rest / 4..(rest + USUAL_LENGTH).div_ceil(4);
        let blocks = blocks.into_iter().enumerate().map(|(number, block)| {
            let varying = (0..16).filter(|word| words.contains(&(16 * number + word))).map(|word| 1 << word);
            (block, sha256::Shared::new(&block, varying.sum()))
        });
        let blocks = blocks.collect();
        Self { prefix, blocks }
    }

    /// Hashes of suffixes, given as the words of a block.
    #[inline(always)]
    fn hash<L: Lanes>(&self, lanes: L, suffixes: &sha256::Vectors<L, 16>) -> sha256::Vectors<L, 8> {
        let Self { prefix, blocks } = self;
        let (skip, bits) = (prefix.rest_length / 4, 8 * (prefix.rest_length % 4) as u32);
        let mut state = sha256::splat(lanes, &prefix.state);
        for (number, (block, shared)) in blocks.iter().enumerate() {
            let mut words = sha256::splat(lanes, block);
            for (i, word) in words.iter_mut().enumerate() {
                // The end of the word before, and the beginning of the word here.
                let place = (16 * number + i).wrapping_sub(skip);
                if let Some(&suffix) = suffixes.get(place.wrapping_sub(1)) {
                    *word |= suffix << (24 - bits) << 8;
                }
                if let Some(&suffix) = suffixes.get(place) {
                    *word |= suffix >> bits;
                }
            }
            sha256::compress_some(lanes, &mut state, &words, shared);
        }
        state
    }
}

/// The padded blocks after a prefix, still to be hashed.
struct Message {
    /// The prefix's state.
    state: sha256::State,
    /// Enough for any usual seed; longer messages go to the heap.
    short: [[u8; sha256::BLOCK]; 4],
    long: Vec<[u8; sha256::BLOCK]>,
    used: usize,
    /// The last character, if the lengths are the usual ones: it is then alone in the last block.
    usual_ending: Option<u8>,
}

impl Message {
    fn new() -> Self {
        Self {
            state: sha256::INITIAL,
            short: [[0; sha256::BLOCK]; 4],
            long: Vec::new(),
            used: 0,
            usual_ending: None,
        }
    }

    #[inline]
    fn blocks(&mut self) -> &mut [[u8; sha256::BLOCK]] {
        if self.used <= self.short.len() { &mut self.short[..self.used] } else { &mut self.long }
    }

    #[inline]
    fn set(&mut self, prefix: &Prefix, tail: &[u8]) {
        self.state = prefix.state;
        let usual = prefix.length == USUAL_LENGTH + 1 && tail.len() == USUAL_LENGTH;
        self.usual_ending = if usual { tail.last().copied() } else { None };
        let length = prefix.rest_length + tail.len();
        self.used = (length + 9).div_ceil(sha256::BLOCK);
        if self.used > self.short.len() {
            self.long.resize(self.used, [0; sha256::BLOCK]);
        }
        let blocks = self.blocks();
        blocks[0] = prefix.rest;
        for block in &mut blocks[1..] {
            *block = [0; sha256::BLOCK];
        }
        let bytes = blocks.as_flattened_mut();
        let room = &mut bytes[prefix.rest_length..length];
        match <&[u8; USUAL_LENGTH]>::try_from(tail) {
            // Without a loop, this compiles to plain moves.
            Ok(tail) => room.copy_from_slice(tail),
            Err(_) => room.copy_from_slice(tail),
        }
        bytes[length] = 0x80;
        let bits = 8 * (prefix.length + tail.len()) as u64;
        *bytes.last_chunk_mut().expect("a block") = bits.to_be_bytes();
    }
}

/// The usual length of seeds and salts: a SHA-256 in hex.
const USUAL_LENGTH: usize = 64;

/// The expanded last blocks of messages whose server seed and salt have the usual lengths, by the hex digit that
/// such a block begins with. `None` if the CPU can't hash these blocks side by side.
static USUAL_ENDINGS: LazyLock<Option<(Sha, [sha256::Schedule; 16])>> = LazyLock::new(|| {
    let ending = |digit| sha256::Schedule::padded(&[digit], 2 * USUAL_LENGTH).remove(0);
    Sha::new().map(|sha| (sha, b"0123456789abcdef".map(ending)))
});

/// The usual endings of these messages, if all of them have one.
#[inline]
fn usual_endings<const N: usize>(messages: &[Message; N]) -> Option<(Sha, [&'static [u32; 64]; N])> {
    let mut digits = [0; N];
    for (digit, message) in digits.iter_mut().zip(messages) {
        *digit = usize::from(match message.usual_ending? {
            character @ b'0'..=b'9' => character - b'0',
            character @ b'a'..=b'f' => character - b'a' + 10,
            _ => return None,
        });
    }
    let (sha, endings) = USUAL_ENDINGS.as_ref()?;
    Some((*sha, digits.map(|digit| &endings[digit].0)))
}

/// SHA-256 of messages one after another; `set` writes each of them.
#[inline(always)]
fn hashes_alone<L: Lanes>(
    lanes: L,
    rounds: usize,
    buffers: &mut BlockBuffers,
    mut set: impl FnMut(usize, &mut Message),
) -> sha256::Vectors<L, 8> {
    let mut digests = [[0; 8]; WIDEST];
    buffers.alone.resize_with(MESSAGES_AT_A_TIME, Message::new);
    let messages: &mut [Message; MESSAGES_AT_A_TIME] =
        buffers.alone.first_chunk_mut().expect("made long enough");
    for (turn, digests) in digests[..rounds].chunks_mut(MESSAGES_AT_A_TIME).enumerate() {
        for (lane, (digest, message)) in digests.iter_mut().zip(&mut *messages).enumerate() {
            set(turn * MESSAGES_AT_A_TIME + lane, message);
            *digest = message.state;
        }
        if let Ok(digests) = <&mut [_; MESSAGES_AT_A_TIME]>::try_from(&mut *digests)
            && let Some((sha, endings)) = usual_endings(messages)
        {
            let blocks = messages.each_ref().map(|message| &message.short[0]);
            sha.compress_blocks(digests, blocks, &sha256::CONSTANTS);
            sha.compress(digests, endings);
        } else {
            for (digest, message) in digests.iter_mut().zip(&mut *messages) {
                compress256(digest, message.blocks());
            }
        }
    }
    sha256::gather(lanes, |lane| &digests[lane])
}

/// Hashes of suffixes after a prefix: one after another or in lanes, whichever is faster on this CPU.
#[inline(always)]
fn hashes<'t, L: Lanes>(
    lanes: L,
    alone: bool,
    prefix: &Prefix,
    tail: impl Fn(usize) -> &'t [u8],
    buffers: &mut BlockBuffers,
    rounds: usize,
) -> sha256::Vectors<L, 8> {
    if alone {
        return hashes_alone(lanes, rounds, buffers, |i, message| message.set(prefix, tail(i)));
    }
    let mut state = sha256::splat(lanes, &prefix.state);
    buffers.short.compress(lanes, &mut state, prefix.length - prefix.rest_length, |lane, text| {
        text.extend_from_slice(&prefix.rest[..prefix.rest_length]);
        text.extend_from_slice(tail(lane.min(rounds - 1)));
    });
    state
}

const INNER_PAD: u64 = 0x3636_3636_3636_3636;
const OUTER_PAD: u64 = 0x5c5c_5c5c_5c5c_5c5c;
/// The padding after the 64 characters of a key in its block.
const INNER_ENDING: sha512::Shared = sha512::Shared::ending([INNER_PAD; 8]);
const OUTER_ENDING: sha512::Shared = sha512::Shared::ending([OUTER_PAD; 8]);

/// The lowercase hex text of digests, eight characters in a word, for two groups of lanes.
#[inline(always)]
fn hex_texts<L: Lanes>(lanes: L, digests: &sha256::Vectors<L, 8>) -> [sha512::Vectors<L, 8>; 2] {
    let mut texts = [sha512::splat(lanes, &[0; 8]); 2];
    for (word, digits) in digests.iter().enumerate() {
        let (low, high) = digits.widen();
        for (text, mut nibbles) in texts.iter_mut().zip([low, high]) {
            // Spread the nibbles to bytes, the first one to the top.
            nibbles = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff;
            nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff_00ff;
            nibbles = (nibbles | nibbles << 4) & 0x0f0f_0f0f_0f0f_0f0f;
            // 1 in each byte above nine. Those become letters: `a` is 39 characters after the one that follows `9`.
            let letters = ((nibbles + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
            let letters = ((letters << 8) - letters) & 0x2727_2727_2727_2727;
            text[word] = nibbles + 0x3030_3030_3030_3030 + letters;
        }
    }
    texts
}

/// The positions of a round's numbers among the words that a [`Generator`] writes.
pub struct NumberPlaces {
    lanes: usize,
    /// The number of words in a group of lanes.
    group: usize,
    /// By a number's index in its round: its position, counted from the round's first word.
    numbers: Vec<u32>,
}

impl NumberPlaces {
    /// The first 16 bytes of a round's first block. Since all rounds of a game have the same cursors, these identify
    /// the round's seeds and salt.
    #[inline]
    pub fn hash(&self, words: &[u64], round: usize) -> [u64; 2] {
        let start = (round >> self.lanes.trailing_zeros()) * self.group + (round & (self.lanes - 1));
        [words[start], words[start + self.lanes]]
    }

    /// The draws of each round whose blocks are among `words`, as written by [`Generator::fill`], in order.
    #[inline]
    pub fn draws<'w>(&'w self, words: &'w [u64]) -> impl Iterator<Item = BlockDraws<'w>> {
        let Self { lanes, group, numbers } = self;
        let bits = lanes.trailing_zeros(); // lanes are a power of two: no division
        (0..).map(move |round: usize| {
            let start = (round >> bits) * group + (round & (lanes - 1));
            BlockDraws { words: &words[start..], places: numbers, next: 0 }
        })
    }
}

/// The draws of one round whose block was computed among many.
pub struct BlockDraws<'a> {
    /// The words from the round's first one on.
    words: &'a [u64],
    /// The positions of its numbers among these words.
    places: &'a [u32],
    next: usize,
}

impl Draws for BlockDraws<'_> {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let word = self.words[self.places[self.next] as usize];
        self.next += 1;
        numbers::below(word, n)
    }

    /// Draws coin by coin, like the default, but looks up the positions at once.
    #[inline]
    fn coins(&mut self, count: usize) -> u64 {
        let places = &self.places[self.next..self.next + count];
        self.next += count;
        places.iter().map(|&place| numbers::below(self.words[place as usize], 2)).sum()
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        self.next += count;
    }
}

/// Fills rows with the first `count` numbers of each round.
pub fn random_numbers(
    seeds: Seeds<'_>,
    count: usize,
    out: &mut [f64],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let generator = Generator::new(seeds, (0..count.div_ceil(8) as u64).collect());
    let (cursors, lanes) = (generator.cursors(), generator.lanes());
    let turn = (BLOCKS_AT_A_TIME / cursors).max(MIN_ROUNDS);
    let threads = parallel::threads(threads, out.len() / count * cursors, BLOCKS_WORTH_A_THREAD);
    let fill = |(buffers, words): &mut (BlockBuffers, Vec<u64>), first, out: &mut [f64]| {
        let rounds = out.len() / count;
        words.resize(generator.words(rounds), 0);
        generator.fill(first, rounds, buffers, words);
        let groups = words.chunks_exact(generator.words(1)).zip(out.chunks_mut(lanes * count));
        for (words, rows) in groups {
            for (lane, row) in rows.chunks_exact_mut(count).enumerate() {
                for (number, word) in row.iter_mut().zip(words.chunks_exact(lanes)) {
                    *number = numbers::number(word[lane]);
                }
            }
        }
    };
    parallel::fill(out, count, turn, threads, tick, fill)
}

/// Fills `out` with the salts `start`, `start + 1`, ... of a series.
pub fn salts(
    seed: &[u8],
    start: u64,
    out: &mut [[u8; 64]],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let (path, series) = (Path::best(), Series::new(seed));
    let threads = parallel::threads(threads, out.len(), BLOCKS_WORTH_A_THREAD);
    parallel::fill(out, 1, BLOCKS_A_TURN, threads, tick, |buffers: &mut BlockBuffers, first, out| {
        let start = start + first as u64;
        match path {
            Path::Scalar => {
                for (i, text) in out.iter_mut().enumerate() {
                    *text = salt(seed, start + i as u64);
                }
            }
            Path::Lanes { kernel, sha256_alone } => {
                let mut salts = SeriesSalts::new(&series);
                in_lanes!(kernel, lanes => salts.fill(lanes, sha256_alone, start, out, buffers));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strings::Texts;

    /// Compares the blocks of each path with the reference's.
    fn compare_paths(seeds: Seeds<'_>, cursors: &[u64], rounds: Range<usize>) {
        let blocks = |path: Path| -> Vec<Block> {
            let generator = Generator::on(path, seeds, cursors.to_vec());
            let mut words = vec![0; generator.words(rounds.len())];
            generator.fill(rounds.start, rounds.len(), &mut BlockBuffers::default(), &mut words);
            let places = (0..rounds.len()).flat_map(|r| (0..cursors.len()).map(move |c| (r, c)));
            places.map(|(round, cursor)| generator.block(&words, round, cursor)).collect()
        };
        for (name, path) in Path::all() {
            assert_eq!(blocks(path), blocks(Path::Scalar), "{name}");
        }
    }

    /// All paths, all kinds of seeds, message lengths around multiples of a block, and any remainder of lanes.
    #[test]
    fn every_path_equals_the_reference() {
        let text =
            |length: usize, i: usize| -> Vec<u8> { (0..length).map(|j| (31 * i + 7 * j) as u8).collect() };
        let many = |length: &dyn Fn(usize) -> usize| {
            let texts: Vec<_> = (0..67).map(|i| text(length(i), i)).collect();
            let mut ends = vec![0];
            texts.iter().for_each(|text| ends.push(ends.last().unwrap() + text.len()));
            (texts.concat(), ends)
        };
        for shift in [0, 60, 120, 180] {
            let (servers, server_ends) = many(&|i| (i + shift) % 200);
            let (clients, client_ends) = many(&|i| (i * 5 + shift) % 300);
            let (salts, salt_ends) = many(&|i| (i * 3 + shift) % 150);
            let one = text(shift + 5, 1);
            let server = [Texts::One(&one), Texts::Packed { bytes: &servers, ends: &server_ends }];
            let client = [Texts::One(&one), Texts::Packed { bytes: &clients, ends: &client_ends }];
            let salt = [
                Salts::Given(Texts::Packed { bytes: &salts, ends: &salt_ends }),
                Salts::Series { seed: &one, start: 98 },
            ];
            for (server, client, salt) in server
                .iter()
                .flat_map(|s| client.iter().map(move |c| (s, c)))
                .flat_map(|(s, c)| salt.iter().map(move |x| (*s, *c, *x)))
            {
                let seeds = Seeds { server, client, salt };
                for rounds in [0..67, 1..2, 2..8, 30..67] {
                    compare_paths(seeds, &[0, 3, 12], rounds);
                }
            }
        }
    }

    /// Seeds and salts of 64 characters, whose last blocks are hashed side by side if they are hex, and client seeds
    /// so long that the messages of all cursors begin with the same block.
    #[test]
    fn usual_lengths_equal_the_reference() {
        // Lengths and last characters, in groups of four: every hex digit, characters next to the ranges of digits,
        // and then other lengths, which a group must not skip.
        let lasts = b"0123456789abcdef0g2a:9bc6/d0AaaaFfff7abc012301230123789";
        let length = |i: usize| match i / 4 {
            10 => 63,
            11 => 65,
            12 => 10 + i,
            _ => 64,
        };
        let rounds = lasts.len();
        let mut ends = vec![0];
        let mut salts = Vec::new();
        for (i, last) in lasts.iter().enumerate() {
            salts.extend((1..length(i)).map(|j| (i * 7 + j * 3) as u8).chain([*last]));
            ends.push(salts.len());
        }
        let packed = Salts::Given(Texts::Packed { bytes: &salts, ends: &ends });
        let (server, client) = ([b's'; 128], [b'c'; 300]);
        for server_length in [62, 63, 64, 65, 127, 128] {
            for client_length in [0, 7, 62, 63, 64, 65, 72, 126, 127, 128, 129, 200, 255, 256, 300] {
                for cursors in [vec![0], vec![7, 7], vec![0, 1, 9], vec![5, 10, 100, 1000], vec![10, 11, 20]]
                {
                    let seeds = Seeds {
                        server: Texts::One(&server[..server_length]),
                        client: Texts::One(&client[..client_length]),
                        salt: packed,
                    };
                    compare_paths(seeds, &cursors, 0..rounds);
                }
            }
        }
    }

    #[test]
    fn hex_text_of_words() {
        #[inline(always)]
        fn text_of<L: Lanes>(lanes: L, words: &[u32; 8]) -> Vec<[u8; 8]> {
            let texts = bytes::<L>(&hex_texts(lanes, &sha256::splat(lanes, words)));
            let last = texts[sha256::width::<L>() - 1];
            assert_eq!(texts[0], last);
            last.as_chunks().0.to_vec()
        }
        for (_, path) in Path::all() {
            let Path::Lanes { kernel, .. } = path else { continue };
            let words: [u32; 8] = [0, 0x0123_4567, 0x89ab_cdef, u32::MAX, 0xa09f_9a00, 9, 10, 0x7ffe_1201];
            let texts = in_lanes!(kernel, lanes => lanes.vectorize(
                #[inline(always)]
                || text_of(lanes, &words)
            ));
            for (word, text) in words.iter().zip(texts) {
                assert_eq!(text, format!("{word:08x}").as_bytes());
            }
        }
    }
}
