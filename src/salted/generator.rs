//! The bytes of many rounds at a time, in SIMD lanes: what is the same for all rounds is computed once.

use fearless_simd::{Simd, dispatch};
use sha2::block_api::compress256;

use super::draw::Draws;
use super::numbers;
use super::seeds::{Block, COLON, Decimal, Salts, Seeds, Stream, salt};
use crate::sha2_lanes::{Path, sha256, sha512};

/// Computes the blocks of many rounds; what is the same for all of them is computed once.
pub struct Generator<'a> {
    seeds: Seeds<'a>,
    path: Path,
    cursors: Vec<u64>,
    /// `server_seed:`, where all rounds have the same.
    server: Option<Prefix>,
    /// `seed:`, where the salts are a series.
    series: Option<Prefix>,
    /// Where all rounds have the same client seed, its message for each cursor, expanded.
    messages: Option<Vec<Vec<sha512::Schedule>>>,
    /// `:cursor` for each cursor.
    suffixes: Vec<Vec<u8>>,
}

/// The words of a key's text: 64 hex characters.
type KeyWords = [u64; 8];

/// Keys computed at a time.
const KEYS_AT_A_TIME: usize = 64;

/// A worker's memory for messages that differ by round.
#[derive(Default)]
pub struct Messages {
    short: Vec<Vec<sha256::Block>>,
    long: Vec<Vec<sha512::Block>>,
    text: Vec<u8>,
}

impl<'a> Generator<'a> {
    /// For blocks of these cursors.
    pub fn new(seeds: Seeds<'a>, cursors: Vec<u64>) -> Self {
        Self::on(Path::best(), seeds, cursors)
    }

    /// The same on a given path.
    pub fn on(path: Path, seeds: Seeds<'a>, cursors: Vec<u64>) -> Self {
        let suffixes: Vec<Vec<u8>> =
            cursors.iter().map(|&cursor| [COLON, Decimal::new(cursor).text()].concat()).collect();
        let messages = seeds.client.constant().map(|client| {
            let message = |suffix: &Vec<u8>| {
                let mut blocks = Vec::new();
                message_blocks(&[client, suffix.as_slice()].concat(), &mut blocks);
                blocks.iter().map(sha512::Schedule::new).collect()
            };
            suffixes.iter().map(message).collect()
        });
        let series = match seeds.salt {
            Salts::Given(_) => None,
            Salts::Series { seed, .. } => Some(Prefix::new(seed)),
        };
        let server = seeds.server.constant().map(Prefix::new);
        Self { seeds, path, cursors, server, series, messages, suffixes }
    }

    /// How many blocks a round has.
    pub fn cursors(&self) -> usize {
        self.cursors.len()
    }

    /// Fills `blocks[c * rounds + r]` with the block of cursor number `c` of round `first + r`.
    pub fn fill(&self, first: usize, rounds: usize, scratch: &mut Messages, blocks: &mut [Block]) {
        match self.path {
            Path::Scalar => self.fill_one_by_one(first, rounds, blocks),
            Path::Lanes { level, sha256_alone } => {
                dispatch!(level, simd => self.fill_lanes(simd, sha256_alone, first, rounds, scratch, blocks))
            }
        }
    }

    fn fill_one_by_one(&self, first: usize, rounds: usize, blocks: &mut [Block]) {
        for r in 0..rounds {
            let i = first + r;
            let (server_seed, client_seed) = (self.seeds.server.get(i), self.seeds.client.get(i));
            let stream = match &self.seeds.salt {
                Salts::Given(texts) => Stream::new(server_seed, client_seed, texts.get(i)),
                Salts::Series { seed, start } => {
                    Stream::new(server_seed, client_seed, &salt(seed, start + i as u64))
                }
            };
            for (c, &cursor) in self.cursors.iter().enumerate() {
                blocks[c * rounds + r] = stream.block(cursor);
            }
        }
    }

    #[inline(always)]
    fn fill_lanes<S: Simd>(
        &self,
        simd: S,
        sha256_alone: bool,
        first: usize,
        rounds: usize,
        scratch: &mut Messages,
        blocks: &mut [Block],
    ) {
        let mut keys = [[0; 8]; KEYS_AT_A_TIME];
        for start in (0..rounds).step_by(KEYS_AT_A_TIME) {
            let now = KEYS_AT_A_TIME.min(rounds - start);
            self.keys(simd, sha256_alone, first + start, scratch, &mut keys[..now]);
            for (group, keys) in keys[..now].chunks(sha512::width::<S>()).enumerate() {
                let round = start + group * sha512::width::<S>();
                self.hmac(simd, keys, first + round, scratch, |c, lane, block| {
                    blocks[c * rounds + round + lane] = block;
                });
            }
        }
    }

    /// HMAC-SHA512 of a few rounds' messages, as many as there are lanes, or fewer.
    #[inline(always)]
    fn hmac<S: Simd>(
        &self,
        simd: S,
        keys: &[KeyWords],
        first: usize,
        scratch: &mut Messages,
        mut take: impl FnMut(usize, usize, Block),
    ) {
        let width = sha512::width::<S>();
        // Lanes beyond the last round repeat it.
        let last = keys.len() - 1;
        let key: sha512::Vectors<S, 8> = sha512::gather(simd, |lane| &keys[lane.min(last)]);
        let (inner, outer) = (keyed(simd, &key, INNER_PAD), keyed(simd, &key, OUTER_PAD));
        let mut digest_block = sha512::splat(simd, &DIGEST_BLOCK);
        for (c, suffix) in self.suffixes.iter().enumerate() {
            let mut state = inner;
            match &self.messages {
                Some(messages) => {
                    for schedule in &messages[c] {
                        sha512::compress_shared(simd, &mut state, schedule);
                    }
                }
                None => {
                    scratch.long.resize_with(width, Vec::new);
                    for (lane, blocks) in scratch.long.iter_mut().enumerate() {
                        scratch.text.clear();
                        scratch.text.extend_from_slice(self.seeds.client.get(first + lane.min(last)));
                        scratch.text.extend_from_slice(suffix);
                        message_blocks(&scratch.text, blocks);
                    }
                    sha512::compress_each(simd, &mut state, &scratch.long);
                }
            }
            digest_block[..8].copy_from_slice(&state);
            let mut state = outer;
            sha512::compress(simd, &mut state, &digest_block);
            for lane in 0..keys.len() {
                take(c, lane, sha512::lane::<S>(&state, lane));
            }
        }
    }

    /// The keys of rounds `first`, `first + 1`, ...
    #[inline(always)]
    fn keys<S: Simd>(
        &self,
        simd: S,
        alone: bool,
        first: usize,
        scratch: &mut Messages,
        keys: &mut [KeyWords],
    ) {
        let mut made = [[0; 64]; KEYS_AT_A_TIME];
        if let (Salts::Series { start, .. }, Some(series)) = (&self.seeds.salt, &self.series) {
            series_salts(simd, alone, series, start + first as u64, scratch, &mut made[..keys.len()]);
        }
        let salt = |i: usize| match &self.seeds.salt {
            Salts::Given(texts) => texts.get(first + i),
            Salts::Series { .. } => &made[i],
        };
        match &self.server {
            Some(prefix) => hashes(simd, alone, prefix, salt, scratch, keys),
            None => {
                for (i, key) in keys.iter_mut().enumerate() {
                    *key = Prefix::new(self.seeds.server.get(first + i)).hash(salt(i));
                }
            }
        }
    }
}

/// The state of HMAC's inner or outer hash after the padded keys.
#[inline(always)]
fn keyed<S: Simd>(simd: S, key: &sha512::Vectors<S, 8>, pad: u64) -> sha512::Vectors<S, 8> {
    let mut block = sha512::splat(simd, &[pad; 16]);
    for (word, &key) in block.iter_mut().zip(key) {
        *word ^= key;
    }
    let mut state = sha512::splat(simd, &sha512::INITIAL);
    sha512::compress(simd, &mut state, &block);
    state
}

/// The salts of a series from number `start` on, as text.
#[inline(always)]
fn series_salts<S: Simd>(
    simd: S,
    alone: bool,
    series: &Prefix,
    start: u64,
    scratch: &mut Messages,
    salts: &mut [[u8; 64]],
) {
    let mut words = [[0; 8]; KEYS_AT_A_TIME];
    let numbers: [Decimal; KEYS_AT_A_TIME] =
        std::array::from_fn(|i| Decimal::new(start.wrapping_add(i as u64)));
    hashes(simd, alone, series, |i| numbers[i].text(), scratch, &mut words[..salts.len()]);
    for (salt, words) in salts.iter_mut().zip(words) {
        for (eight, word) in salt.chunks_exact_mut(8).zip(words) {
            eight.copy_from_slice(&word.to_be_bytes());
        }
    }
}

/// Fills `out` with the salts `start`, `start + 1`, ... of the series named `seed`.
pub fn fill_salts(seed: &[u8], start: u64, out: &mut [[u8; 64]]) {
    match Path::best() {
        Path::Scalar => {
            for (i, text) in out.iter_mut().enumerate() {
                *text = salt(seed, start + i as u64);
            }
        }
        Path::Lanes { level, sha256_alone } => {
            let (series, mut scratch) = (Prefix::new(seed), Messages::default());
            for (turn, salts) in out.chunks_mut(KEYS_AT_A_TIME).enumerate() {
                let start = start + (turn * KEYS_AT_A_TIME) as u64;
                dispatch!(level, simd => series_salts(simd, sha256_alone, &series, start, &mut scratch, salts));
            }
        }
    }
}

/// SHA-256 of `text:` and of whatever follows, with the whole blocks of the text taken in once.
struct Prefix {
    state: sha256::State,
    /// What is left after whole blocks.
    rest: Vec<u8>,
    length: usize,
}

impl Prefix {
    fn new(text: &[u8]) -> Self {
        let text = [text, COLON].concat();
        let (blocks, rest) = text.as_chunks();
        let mut state = sha256::INITIAL;
        compress256(&mut state, blocks);
        Self { state, rest: rest.to_vec(), length: text.len() }
    }

    /// The hash of one text, as the words of its hex text.
    fn hash(&self, tail: &[u8]) -> KeyWords {
        // Room for any usual seed; one that is longer goes through the heap.
        let mut short = [[0; sha256::BLOCK]; 4];
        let mut long = Vec::new();
        let length = self.rest.len() + tail.len();
        let used = (length + 9).div_ceil(sha256::BLOCK);
        let blocks = if used <= short.len() {
            &mut short[..used]
        } else {
            long.resize(used, [0; sha256::BLOCK]);
            &mut long[..]
        };
        let bytes = blocks.as_flattened_mut();
        bytes[..self.rest.len()].copy_from_slice(&self.rest);
        bytes[self.rest.len()..length].copy_from_slice(tail);
        bytes[length] = 0x80;
        let bits = 8 * (self.length + tail.len()) as u64;
        bytes[used * sha256::BLOCK - 8..].copy_from_slice(&bits.to_be_bytes());
        let mut state = self.state;
        compress256(&mut state, blocks);
        state.map(hex_word)
    }

    /// The blocks that are left to hash when this text follows.
    fn blocks(&self, tail: &[u8], text: &mut Vec<u8>, blocks: &mut Vec<sha256::Block>) {
        text.clear();
        text.extend_from_slice(&self.rest);
        text.extend_from_slice(tail);
        let whole = text.len() / sha256::BLOCK * sha256::BLOCK;
        blocks.clear();
        blocks.extend(text[..whole].chunks_exact(sha256::BLOCK).map(sha256::words));
        sha256::pad(&text[whole..], self.length + tail.len(), |block| blocks.push(*block));
    }
}

/// Hashes of texts that follow a prefix, one after another or in lanes, whichever is faster here.
#[inline(always)]
fn hashes<'t, S: Simd>(
    simd: S,
    alone: bool,
    prefix: &Prefix,
    tail: impl Fn(usize) -> &'t [u8],
    scratch: &mut Messages,
    out: &mut [KeyWords],
) {
    if alone {
        for (i, words) in out.iter_mut().enumerate() {
            *words = prefix.hash(tail(i));
        }
        return;
    }
    let width = sha256::width::<S>();
    scratch.short.resize_with(width, Vec::new);
    for (group, out) in out.chunks_mut(width).enumerate() {
        for (lane, blocks) in scratch.short.iter_mut().enumerate() {
            let i = group * width + lane.min(out.len() - 1);
            prefix.blocks(tail(i), &mut scratch.text, blocks);
        }
        let mut state = sha256::splat(simd, &prefix.state);
        sha256::compress_each(simd, &mut state, &scratch.short);
        for (lane, words) in out.iter_mut().enumerate() {
            *words = sha256::lane::<S>(&state, lane).map(hex_word);
        }
    }
}

/// The padded blocks of a message that follows HMAC's first block.
fn message_blocks(message: &[u8], blocks: &mut Vec<sha512::Block>) {
    let whole = message.len() / sha512::BLOCK * sha512::BLOCK;
    blocks.clear();
    blocks.extend(message[..whole].chunks_exact(sha512::BLOCK).map(sha512::words));
    sha512::pad(&message[whole..], sha512::BLOCK + message.len(), |block| blocks.push(*block));
}

const INNER_PAD: u64 = 0x3636_3636_3636_3636;
const OUTER_PAD: u64 = 0x5c5c_5c5c_5c5c_5c5c;
/// HMAC's last block: a digest of eight words, and the padding of 128 + 64 bytes.
const DIGEST_BLOCK: sha512::Block = [0, 0, 0, 0, 0, 0, 0, 0, 1 << 63, 0, 0, 0, 0, 0, 0, 8 * (128 + 64)];

/// Four bytes as eight lowercase hex characters, all at once.
#[inline]
fn hex_word(word: u32) -> u64 {
    // Nibbles to bytes, the first to the top.
    let mut nibbles = u64::from(word);
    nibbles = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff;
    nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff_00ff;
    nibbles = (nibbles | nibbles << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    // 1 in every byte above nine: those become letters.
    let letters = ((nibbles + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    nibbles + 0x3030_3030_3030_3030 + letters * u64::from(b'a' - b'0' - 10)
}

/// The draws of one round among blocks that were computed for many.
pub struct BlockDraws<'a> {
    /// From the round's first block on, as [`Generator::fill`] left them for `stride` rounds.
    blocks: &'a [Block],
    stride: usize,
    /// Where the block of a cursor lies among those computed.
    places: &'a [u32],
    next: usize,
}

impl<'a> BlockDraws<'a> {
    #[inline]
    pub fn new(blocks: &'a [Block], stride: usize, places: &'a [u32]) -> Self {
        Self { blocks, stride, places, next: 0 }
    }
}

impl Draws for BlockDraws<'_> {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let place = self.places[self.next / 8] as usize;
        let word = self.blocks[place * self.stride][self.next % 8];
        self.next += 1;
        numbers::below(word, n)
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        self.next += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::Texts;

    /// All paths, all shapes of seeds and messages around the edges of blocks, any remainder of lanes.
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
                let cursors = vec![0, 3, 12];
                let blocks = |path: Path, first: usize, rounds: usize| {
                    let mut blocks = vec![[0; 8]; cursors.len() * rounds];
                    let generator = Generator::on(path, seeds, cursors.clone());
                    generator.fill(first, rounds, &mut Messages::default(), &mut blocks);
                    blocks
                };
                for (name, path) in Path::all() {
                    for (first, rounds) in [(0, 67), (1, 1), (2, 6), (30, 37)] {
                        assert_eq!(
                            blocks(path, first, rounds),
                            blocks(Path::Scalar, first, rounds),
                            "{name}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn hex_text_of_words() {
        for word in [0, 0x0123_4567, 0x89ab_cdef, u32::MAX, 0xa09f_9a00] {
            assert_eq!(hex_word(word).to_be_bytes(), format!("{word:08x}").as_bytes());
        }
    }
}
