//! SHA-512 and HMAC-SHA512 of the messages of many rounds at one cursor, one message per lane.

use fearless_simd::SimdFrom;
use sha2::block_api::compress512;

use super::fields::{Fields, Values};
use super::hash::{Digest, Hash};
use super::prefix::{self, INNER_PAD, Keyed, OUTER_PAD, Prefix};
use super::salted::numbered::{Numbered, Writer};
use crate::in_lanes;
use crate::sha2_lanes::sha512::{BLOCK, DIGEST_ENDING, INITIAL, Schedule, Shared, State};
use crate::sha2_lanes::{Kernel, Lanes, U64s, sha512};

/// A hash of the messages of rounds.
pub struct Sha512s<'a> {
    kernel: Kernel,
    fields: &'a Fields<'a>,
    prefix: Prefix<State, BLOCK>,
    cursor: u64,
    /// The blocks of messages that are all the same.
    shared: Vec<Schedule>,
    /// The number that alone varies in keys, and the one in messages.
    numbered: [Option<(&'a Values<'a>, Numbered<BLOCK>)>; 2],
}

/// Buffers of one worker.
#[derive(Default)]
pub struct Sha512Buffers {
    messages: sha512::Messages,
    key: Vec<u8>,
    states: Vec<State>,
}

/// Digests computed before they are visited.
const AT_A_TIME: usize = 64;

impl<'a> Sha512s<'a> {
    pub fn new(kernel: Kernel, hash: &Hash, fields: &'a Fields<'a>, cursor: u64) -> Self {
        let prefix = Prefix::new(hash, fields, cursor, INITIAL, compress512);
        let alike = prefix.parts.0.is_empty();
        let shared = if alike { Schedule::padded(&prefix.beginning, prefix.before) } else { Vec::new() };
        let key = match &prefix.key {
            Keyed::Varying(key) => prefix::numbered(&[], key, fields, cursor, None),
            _ => None,
        };
        let message = prefix::numbered(&prefix.beginning, &prefix.parts, fields, cursor, Some(prefix.before));
        Self { kernel, fields, prefix, cursor, shared, numbered: [key, message] }
    }

    /// Visits the digests of rounds, each with its index among them.
    pub fn each(
        &self,
        first: usize,
        rounds: usize,
        buffers: &mut Sha512Buffers,
        mut take: impl FnMut(usize, &State),
    ) {
        let mut writers = self
            .numbered
            .each_ref()
            .map(|each| each.as_ref().map(|(numbers, form)| (*numbers, Writer::new(form))));
        for start in (0..rounds).step_by(AT_A_TIME) {
            let now = AT_A_TIME.min(rounds - start);
            buffers.states.resize(now, [0; 8]);
            in_lanes!(self.kernel, lanes => self.fill(lanes, first + start, buffers, &mut writers));
            for (round, state) in (start..).zip(&buffers.states) {
                take(round, state);
            }
        }
    }

    /// The digests of rounds `first`, `first + 1`, ...
    #[inline(always)]
    fn fill<L: Lanes>(
        &self,
        lanes: L,
        first: usize,
        buffers: &mut Sha512Buffers,
        [keys, texts]: &mut [Option<(&Values<'_>, Writer<'_, Shared, BLOCK>)>; 2],
    ) {
        let Self { fields, ref prefix, cursor, .. } = *self;
        let Sha512Buffers { messages, key: text, states } = buffers;
        let width = sha512::width::<L>();
        for (group, states) in states.chunks_mut(width).enumerate() {
            // Lanes after the last round repeat it.
            let last = states.len() - 1;
            let round = |lane: usize| first + group * width + lane.min(last);
            let (mut state, mut outer) = (sha512::splat(lanes, &prefix.state), None);
            match &prefix.key {
                Keyed::No => {}
                Keyed::Constant(second) => outer = Some(sha512::splat(lanes, second)),
                Keyed::Varying(key) => {
                    let words = if let Some((numbers, writer)) = keys
                        && let Some((blocks, _)) =
                            writer.write(width, |lane| numbers.number(round(lane)).expect("numbers"))
                    {
                        sha512::gather_blocks(lanes, |lane| blocks[lane])
                    } else {
                        sha512::gather_blocks(lanes, |lane| {
                            prefix.padded_key(key, fields, round(lane), cursor, text)
                        })
                    };
                    let flip = |pad: u8| {
                        let pad = u64::from_ne_bytes([pad; 8]);
                        words.map(|word| word ^ U64s::<L>::simd_from(lanes.simd(), pad))
                    };
                    let mut second = state;
                    sha512::compress(lanes, &mut state, &flip(INNER_PAD));
                    sha512::compress(lanes, &mut second, &flip(OUTER_PAD));
                    outer = Some(second);
                }
            }
            for schedule in &self.shared {
                let (mut states, begun) = ([state], [state]);
                sha512::compress_shared(lanes, &mut states, schedule, &begun, 0);
                [state] = states;
            }
            if let Some((numbers, writer)) = texts
                && let Some((blocks, shared)) =
                    writer.write(width, |lane| numbers.number(round(lane)).expect("numbers"))
            {
                sha512::compress_alike(lanes, &mut state, blocks, shared);
            } else if self.shared.is_empty() {
                messages.compress(lanes, &mut state, prefix.before, |lane, text| {
                    prefix.write(fields, round(lane), cursor, text);
                });
            }
            if let Some(mut outer) = outer {
                sha512::compress_half(lanes, &mut outer, &state, &DIGEST_ENDING);
                state = outer;
            }
            for (lane, own) in states.iter_mut().enumerate() {
                *own = sha512::lane::<L>(&state, lane);
            }
        }
    }
}

/// The bytes of a digest.
pub fn digest(state: &State) -> Digest {
    Digest::new(state.map(u64::to_be_bytes).as_flattened())
}

#[cfg(test)]
mod tests {
    use super::super::fields::Values;
    use super::super::hash::{Algorithm, Piece, Template};
    use super::*;
    use crate::sha2_lanes::Path;
    use crate::strings::Texts;

    /// Constant and varying keys and messages, of lengths around those of blocks, on every path.
    #[test]
    fn every_kernel_equals_the_plain_hash() {
        let long = [b'x'; 300];
        let literal = |length: usize| Piece::Literal(long[..length].to_vec());
        let fields = Fields::new(
            vec![Values::Texts(Texts::One(b"constant")), Values::Counter { start: 95 }],
            Some(80),
        );
        for length in [0, 1, 50, 104, 105, 109, 110, 111, 112, 127, 128, 129, 250] {
            let messages = [
                vec![literal(length), Piece::Field(1), Piece::Cursor],
                vec![Piece::Field(1), literal(length)],
                vec![Piece::Field(1), literal(length / 2), Piece::Field(1), Piece::Field(0), Piece::Field(1)],
                vec![literal(length), Piece::Field(0)],
            ];
            for message in messages {
                let twice = vec![Piece::Field(1), literal(length), Piece::Field(1), Piece::Cursor];
                let keys = [vec![Piece::Field(0)], vec![Piece::Field(1), literal(length)], twice];
                for key in [None].into_iter().chain(keys.map(|key| Some(Template(key)))) {
                    let hash = Hash { algorithm: Algorithm::Sha512, message: Template(message.clone()), key };
                    for (name, path) in Path::all() {
                        let Path::Lanes { kernel, sha256_alone: false } = path else { continue };
                        let mut found = 0;
                        let hashes = Sha512s::new(kernel, &hash, &fields, 7);
                        hashes.each(2, 75, &mut Sha512Buffers::default(), |place, state| {
                            let expected = hash.digest(&fields, 2 + place, 7);
                            assert_eq!(digest(state).bytes(), expected.bytes(), "{hash:?} {name} {place}");
                            found += 1;
                        });
                        assert_eq!(found, 75);
                    }
                }
            }
        }
    }
}
