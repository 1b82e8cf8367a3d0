//! SHA-512 of the messages of many rounds at one cursor, one message per lane.

use super::fields::Fields;
use super::hash::{Digest, Hash};
use crate::in_lanes;
use crate::sha2_lanes::{Kernel, Lanes, sha512};

/// A hash of the messages of rounds, without a key.
pub struct Sha512s<'a> {
    pub kernel: Kernel,
    pub hash: &'a Hash,
    pub fields: &'a Fields<'a>,
    pub cursor: u64,
}

/// Buffers of one worker.
#[derive(Default)]
pub struct Sha512Buffers {
    messages: sha512::Messages,
    digests: Vec<[u8; 64]>,
}

/// Digests computed before they are visited.
const AT_A_TIME: usize = 64;

impl Sha512s<'_> {
    /// Visits the digests of rounds, each with its index among them.
    pub fn each(
        &self,
        first: usize,
        rounds: usize,
        buffers: &mut Sha512Buffers,
        mut take: impl FnMut(usize, &Digest),
    ) {
        let Sha512Buffers { messages, digests } = buffers;
        digests.resize(AT_A_TIME, [0; 64]);
        for start in (0..rounds).step_by(AT_A_TIME) {
            let digests = &mut digests[..AT_A_TIME.min(rounds - start)];
            in_lanes!(self.kernel, lanes => self.fill(lanes, first + start, messages, digests));
            for (round, digest) in (start..).zip(digests) {
                take(round, &Digest::new(digest));
            }
        }
    }

    /// The digests of rounds `first`, `first + 1`, ...
    #[inline(always)]
    fn fill<L: Lanes>(
        &self,
        lanes: L,
        first: usize,
        messages: &mut sha512::Messages,
        digests: &mut [[u8; 64]],
    ) {
        let width = sha512::width::<L>();
        for (group, digests) in digests.chunks_mut(width).enumerate() {
            // Lanes after the last round repeat it.
            let round = |lane: usize| first + group * width + lane.min(digests.len() - 1);
            let mut state = sha512::splat(lanes, &sha512::INITIAL);
            messages.compress(lanes, &mut state, 0, |lane, text| {
                self.hash.message.write(self.fields, round(lane), self.cursor, text);
            });
            for (lane, digest) in digests.iter_mut().enumerate() {
                for (eight, word) in digest.chunks_exact_mut(8).zip(sha512::lane::<L>(&state, lane)) {
                    eight.copy_from_slice(&word.to_be_bytes());
                }
            }
        }
    }
}
