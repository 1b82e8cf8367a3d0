//! SHA-256 and HMAC-SHA256 of many rounds at one cursor. Work that all rounds share is done once.
//!
//! The whole blocks that all messages begin with, and the pads of a constant key, are compressed once; each round
//! starts from the state after them. The rest is usually one number (a nonce, or a salt's index) between constant
//! texts, in one block. Then only the words with digits differ between rounds ([`Numbered`]). Messages of any other form
//! are written one by one. They are hashed by whatever is fastest on this processor: in lanes, two at once by the
//! SHA instructions, or one after another. A test compares the digests of all three.

use std::array;
use std::ops::Range;

use fearless_simd::{Simd, SimdBase, SimdFrom};
use sha2::block_api::compress256;

use super::fields::{Fields, Values};
use super::hash::{Digest, Hash};
use super::prefix::{self, INNER_PAD, Keyed, OUTER_PAD, Prefix};
use super::salted::numbered::{self, Numbered};
use crate::in_lanes;
use crate::sha2_lanes::sha256::{BLOCK, CONSTANTS, DIGEST_ENDING, INITIAL, Schedule, Shared, State};
use crate::sha2_lanes::{Kernel, Lanes, Sha, WIDEST, sha256};

type BlockBytes = [u8; BLOCK];
/// The words of rounds, which columns have side by side.
pub type Columns = [[u32; WIDEST]; 8];
type Take<'t> = &'t mut dyn FnMut(Range<usize>, &Columns);
type Writer<'n> = numbered::Writer<'n, Shared, BLOCK>;

/// A hash of the messages of rounds.
pub struct Sha256s<'a> {
    fields: &'a Fields<'a>,
    compression: Compression,
    prefix: Prefix<State, BLOCK>,
    cursor: u64,
    /// The blocks of messages that are all the same.
    shared: Vec<Schedule>,
    /// A field of numbers, and the block around each of them.
    numbered: Option<(&'a Values<'a>, Numbered<BLOCK>)>,
}

/// The implementation that hashes blocks.
#[derive(Clone, Copy)]
enum Compression {
    Lanes(Kernel),
    /// Two messages side by side, by the SHA instructions.
    TwoAtOnce(Sha),
    /// One message after another, by the crate `sha2`.
    Alone,
}

impl Compression {
    fn best(kernel: Kernel, instructions: bool) -> Self {
        match Sha::new() {
            _ if !instructions || kernel.beats_instructions() => Self::Lanes(kernel),
            Some(sha) => Self::TwoAtOnce(sha),
            None => Self::Alone,
        }
    }
}

/// Buffers of one worker.
#[derive(Default)]
pub struct Sha256Buffers {
    lanes: sha256::Messages,
    /// Padded.
    messages: Vec<Vec<u8>>,
    key: Vec<u8>,
}

impl<'a> Sha256s<'a> {
    pub fn new(kernel: Kernel, instructions: bool, hash: &Hash, fields: &'a Fields<'a>, cursor: u64) -> Self {
        Self::on(Compression::best(kernel, instructions), hash, fields, cursor)
    }

    fn on(compression: Compression, hash: &Hash, fields: &'a Fields<'a>, cursor: u64) -> Self {
        let prefix = Prefix::new(hash, fields, cursor, INITIAL, compress256);
        let numbered =
            prefix::numbered(&prefix.beginning, &prefix.parts, fields, cursor, Some(prefix.before));
        let alike = prefix.parts.0.is_empty();
        let shared = if alike { Schedule::padded(&prefix.beginning, prefix.before) } else { Vec::new() };
        Self { fields, compression, prefix, cursor, shared, numbered }
    }

    /// Visits the digests of rounds in any order, each with its index among them.
    pub fn each(
        &self,
        first: usize,
        rounds: usize,
        buffers: &mut Sha256Buffers,
        mut take: impl FnMut(usize, &State),
    ) {
        self.by_vectors(first, rounds, buffers, &mut |rounds, columns| {
            for (lane, round) in rounds.enumerate() {
                take(round, &columns.map(|column| column[lane]));
            }
        });
    }

    /// Visits the digests of as many rounds as columns hold, word by word.
    ///
    /// A call per vector costs nothing, and the kernels are compiled once, not for each caller.
    pub fn by_vectors(&self, first: usize, rounds: usize, buffers: &mut Sha256Buffers, take: Take<'_>) {
        match self.compression {
            Compression::Lanes(kernel) => {
                in_lanes!(kernel, lanes => self.lanes(lanes, first, rounds, buffers, take))
            }
            Compression::TwoAtOnce(sha) => {
                let compress = |states: &mut [State; 2], blocks: [&BlockBytes; 2]| {
                    sha.compress_blocks(states, blocks, &CONSTANTS);
                };
                self.side_by_side(compress, first, rounds, buffers, take);
            }
            Compression::Alone => {
                let compress = |states: &mut [State; 1], [block]: [&BlockBytes; 1]| {
                    compress256(&mut states[0], array::from_ref(block));
                };
                self.side_by_side(compress, first, rounds, buffers, take);
            }
        }
    }

    /// Hashes one message per lane.
    #[inline(always)]
    fn lanes<L: Lanes>(
        &self,
        lanes: L,
        first: usize,
        rounds: usize,
        buffers: &mut Sha256Buffers,
        take: Take<'_>,
    ) {
        let width = sha256::width::<L>();
        let mut writer = self.writer();
        for start in (0..rounds).step_by(width) {
            let count = width.min(rounds - start);
            // Lanes after the last round repeat it.
            let round = |lane: usize| first + start + lane.min(count - 1);
            let mut outer = None;
            let mut state = match &self.prefix.key {
                Keyed::Varying(key) => {
                    let words = sha256::gather_blocks(lanes, |lane| {
                        self.prefix.padded_key(key, self.fields, round(lane), self.cursor, &mut buffers.key)
                    });
                    let [mut inner, mut second] = [sha256::splat(lanes, &INITIAL); 2];
                    let flip = |pad: u8| {
                        let pad = u32::from_ne_bytes([pad; 4]);
                        words.map(|word| word ^ <L::Simd as Simd>::u32s::simd_from(lanes.simd(), pad))
                    };
                    sha256::compress(lanes, &mut inner, &flip(INNER_PAD));
                    sha256::compress(lanes, &mut second, &flip(OUTER_PAD));
                    outer = Some(second);
                    inner
                }
                _ => sha256::splat(lanes, &self.prefix.state),
            };
            if !self.shared.is_empty() {
                for schedule in &self.shared {
                    let (mut states, begun) = ([state], [state]);
                    sha256::compress_shared(lanes, &mut states, schedule, &begun, 0);
                    [state] = states;
                }
            } else if let Some((numbers, writer)) = &mut writer
                && let Some((blocks, shared)) =
                    writer.write(width, |lane| numbers.number(round(lane)).expect("numbers"))
            {
                sha256::compress_alike(lanes, &mut state, blocks, shared);
            } else {
                buffers.lanes.compress(lanes, &mut state, self.prefix.before, |lane, text| {
                    self.prefix.write(self.fields, round(lane), self.cursor, text);
                });
            }
            if let Keyed::Constant(second) = &self.prefix.key {
                outer = Some(sha256::splat(lanes, second));
            }
            if let Some(mut outer) = outer {
                sha256::compress_half(lanes, &mut outer, &state, &DIGEST_ENDING);
                state = outer;
            }
            let mut columns = [[0; WIDEST]; 8];
            for (column, vector) in columns.iter_mut().zip(&state) {
                column[..width].copy_from_slice(vector.as_slice());
            }
            take(start..start + count, &columns);
        }
    }

    /// Hashes `N` messages at a time.
    #[inline(always)]
    fn side_by_side<const N: usize>(
        &self,
        compress: impl Fn(&mut [State; N], [&BlockBytes; N]),
        first: usize,
        rounds: usize,
        buffers: &mut Sha256Buffers,
        take: Take<'_>,
    ) {
        let mut writer = self.writer();
        let mut last = [[0; BLOCK]; N];
        for block in &mut last {
            block[32] = 0x80;
            block[BLOCK - 2..].copy_from_slice(&(8 * (64 + 32u16)).to_be_bytes());
        }
        let mut columns = [[0; WIDEST]; 8];
        buffers.messages.resize_with(buffers.messages.len().max(N), Vec::new);
        for start in (0..rounds).step_by(N) {
            let count = N.min(rounds - start);
            let round = |lane: usize| first + start + lane.min(count - 1);
            let (mut states, mut outer) = ([self.prefix.state; N], [INITIAL; N]);
            match &self.prefix.key {
                Keyed::No => {}
                Keyed::Constant(second) => outer = [*second; N],
                Keyed::Varying(key) => {
                    let blocks: [_; N] = array::from_fn(|lane| {
                        self.prefix.padded_key(key, self.fields, round(lane), self.cursor, &mut buffers.key)
                    });
                    let flipped = blocks.map(|block| block.map(|byte| byte ^ INNER_PAD));
                    compress(&mut states, flipped.each_ref());
                    let flipped = blocks.map(|block| block.map(|byte| byte ^ OUTER_PAD));
                    compress(&mut outer, flipped.each_ref());
                }
            }
            if let Some((numbers, writer)) = &mut writer
                && let Some((blocks, _)) =
                    writer.write(N, |lane| numbers.number(round(lane)).expect("numbers"))
            {
                compress(&mut states, blocks.first_chunk().expect("a block each").each_ref());
            } else {
                let messages: &mut [Vec<u8>; N] =
                    buffers.messages.first_chunk_mut().expect("made long enough");
                for (lane, message) in messages.iter_mut().enumerate() {
                    self.message(round(lane), message);
                }
                let messages = messages.each_ref().map(|message| message.as_chunks::<BLOCK>().0);
                let common = messages.iter().map(|blocks| blocks.len()).min().unwrap_or(0);
                for block in 0..common {
                    compress(&mut states, messages.map(|blocks| &blocks[block]));
                }
                for (state, blocks) in states.iter_mut().zip(messages) {
                    compress256(state, &blocks[common..]);
                }
            }
            if !matches!(self.prefix.key, Keyed::No) {
                for (block, state) in last.iter_mut().zip(&states) {
                    block[..32].copy_from_slice(state.map(u32::to_be_bytes).as_flattened());
                }
                compress(&mut outer, last.each_ref());
                states = outer;
            }
            let (lane, end) = (start % WIDEST, start + count);
            for (word, column) in columns.iter_mut().enumerate() {
                for (out, state) in column[lane..].iter_mut().zip(&states) {
                    *out = state[word];
                }
            }
            if lane + N == WIDEST || end == rounds {
                take(start - lane..end, &columns);
            }
        }
    }

    fn writer(&self) -> Option<(&'a Values<'a>, Writer<'_>)> {
        self.numbered.as_ref().map(|(numbers, form)| (*numbers, Writer::new(form)))
    }

    /// Writes the rest of a round's message, with its padding.
    fn message(&self, round: usize, out: &mut Vec<u8>) {
        out.clear();
        self.prefix.write(self.fields, round, self.cursor, out);
        let length = out.len();
        out.push(0x80);
        out.resize((length + 9).next_multiple_of(BLOCK), 0);
        let bits = 8 * (self.prefix.before + length) as u64;
        *out.last_chunk_mut().expect("a block") = bits.to_be_bytes();
    }
}

/// The bytes of a digest.
pub fn digest(state: &State) -> Digest {
    Digest::new(state.map(u32::to_be_bytes).as_flattened())
}

#[cfg(test)]
mod tests {
    use super::super::fields::{FieldUse, Spelling};
    use super::super::hash::{Algorithm, Piece, Template, Width};
    use super::*;
    use crate::sha2_lanes::Path;
    use crate::strings::Texts;

    fn compressions() -> Vec<Compression> {
        let mut ways: Vec<_> = Path::all()
            .into_iter()
            .filter_map(|(_, path)| match path {
                Path::Lanes { kernel, sha256_alone: false } => Some(Compression::Lanes(kernel)),
                _ => None,
            })
            .collect();
        ways.extend(Sha::new().map(Compression::TwoAtOnce));
        ways.push(Compression::Alone);
        ways
    }

    /// Compares every implementation with the plain one: constant and varying keys, a single number or several
    /// parts, lengths around multiples of a block, numbers that gain a digit, and incomplete groups.
    #[test]
    fn every_way_equals_the_plain_one() {
        check_lengths(
            (0..70).filter(|length| length % 8 < 2 || (54..=57).contains(length)).chain([127, 150]),
        );
    }

    #[test]
    #[ignore = "thorough: takes seconds"]
    fn every_way_equals_the_plain_one_at_every_length() {
        check_lengths((0..70).chain([127, 128, 129, 150]));
    }

    fn check_lengths(lengths: impl Iterator<Item = usize>) {
        let literal = |text: &[u8]| Piece::Literal(text.to_vec());
        let long = [b'x'; 150];
        let texts: Vec<u8> =
            (0..200u32 * 150).map(|i| b"0123456789abcdef"[(i * i % 251 % 16) as usize]).collect();
        let ends: Vec<usize> = (0..=100).scan(0, |end, i| (Some(*end), *end += 2 * i).0).collect();
        let varying = Values::Texts(Texts::Packed { bytes: &texts, ends: &ends });
        let numbers: Vec<u64> =
            (0..100).map(|i| if i % 7 == 0 { i * i * i } else { u64::MAX / (i + 1) }).collect();
        let names: Vec<String> = ["constant", "varying", "number"].map(String::from).to_vec();
        for length in lengths {
            let constant = Values::Texts(Texts::One(&long[..length]));
            for number in [Values::Counter { start: 96 }, Values::Numbers(&numbers)] {
                let values = vec![constant, varying, number];
                let fields = Fields::new(values, Some(100));
                let hex = FieldUse { spelling: Some(Spelling::Bytes), most: None };
                fields.check(&names, &[FieldUse::default(), hex, FieldUse::default()]).unwrap();
                let nested =
                    Hash { algorithm: Algorithm::Md5, message: Template(vec![Piece::Field(1)]), key: None };
                let messages = [
                    vec![Piece::Field(0), literal(b":"), Piece::Field(2), literal(b":"), Piece::Cursor],
                    vec![Piece::Field(2)],
                    vec![Piece::Field(2), Piece::Field(1)],
                    vec![Piece::Field(2), Piece::Field(0), Piece::Field(2)],
                    vec![literal(b"-"), Piece::Bytes(1), Piece::Field(0)],
                    vec![Piece::Utf8(1), Piece::Field(0)],
                    vec![Piece::Field(0), Piece::Number(2, Width::Bytes { size: 8, little: true })],
                    vec![Piece::CursorOf(Width::Digits(4)), Piece::Hash(Box::new(nested.clone()), true)],
                    vec![Piece::Field(0)],
                ];
                let keys = [
                    None,
                    Some(Template(vec![Piece::Field(0)])),
                    Some(Template(vec![Piece::Bytes(1), Piece::Cursor])),
                    Some(Template(vec![Piece::Hash(Box::new(nested), false)])),
                ];
                for message in &messages {
                    for key in &keys {
                        let message = Template(message.clone());
                        let hash = Hash { algorithm: Algorithm::Sha256, message, key: key.clone() };
                        for compression in compressions() {
                            let mut found = 0;
                            let hashes = Sha256s::on(compression, &hash, &fields, 12);
                            hashes.each(1, 97, &mut Sha256Buffers::default(), |place, state| {
                                let expected = hash.digest(&fields, 1 + place, 12);
                                assert_eq!(
                                    digest(state).bytes(),
                                    expected.bytes(),
                                    "{hash:?} {length} {place}"
                                );
                                found += 1;
                            });
                            assert_eq!(found, 97);
                        }
                    }
                }
            }
        }
    }
}
