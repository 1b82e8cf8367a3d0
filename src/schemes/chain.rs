//! Hash chains: each element is the hash of the next one (of its text or its bytes), so that one element determines
//! all earlier ones.

use sha2::block_api::compress256;

use super::fields::{Fields, Values};
use super::hash::{Algorithm, Hash, Piece};
use crate::error::Result;
use crate::parallel::Tick;
use crate::sha2_lanes::sha256::{BLOCK, CONSTANTS, INITIAL, Schedule};
use crate::sha2_lanes::{Sha, sha256};
use crate::strings::Texts;

/// A SHA-256 digest in hex.
pub type HexHash = [u8; 64];

/// Steps between two progress reports.
const STEPS_A_TURN: u64 = 1 << 16;

/// A chain to walk along, each element a digest in lowercase hex.
pub struct Chain<'a> {
    hash: &'a Hash,
    fast: Option<TextSteps>,
}

impl<'a> Chain<'a> {
    /// The chain of a hash of one field.
    pub fn new(hash: &'a Hash) -> Self {
        let text_alone = hash.message.0 == [Piece::Field(0)] && hash.key.is_none();
        let fast = (hash.algorithm == Algorithm::Sha256 && text_alone).then(TextSteps::new);
        Self { hash, fast }
    }

    /// The number of characters of an element.
    pub fn width(&self) -> usize {
        2 * self.hash.algorithm.size().unwrap_or(0)
    }

    /// Writes the elements before `from`, the nearest first.
    pub fn fill(&self, from: &[u8], out: &mut [u8], tick: Tick<'_>) -> Result<()> {
        let width = self.width();
        let mut rows = out.chunks_exact_mut(width);
        self.walk(from, rows.len() as u64, tick, |text| {
            rows.next().expect("as many as steps").copy_from_slice(text);
            true
        })
        .map(drop)
    }

    /// Visits the elements before `from`, up to `count` of them or until `visit` returns false. Returns the number
    /// visited.
    pub fn walk(
        &self,
        from: &[u8],
        steps: u64,
        tick: Tick<'_>,
        mut visit: impl FnMut(&[u8]) -> bool,
    ) -> Result<u64> {
        let (mut done, mut plain) = (0, from.to_vec());
        let mut short = <[u8; 64]>::try_from(from).unwrap_or([0; 64]);
        while done < steps {
            for _ in 0..STEPS_A_TURN.min(steps - done) {
                done += 1;
                let go_on = if let Some(fast) = &self.fast {
                    fast.step(&mut short);
                    visit(&short)
                } else {
                    self.step(&mut plain);
                    visit(&plain)
                };
                if !go_on {
                    return Ok(done);
                }
            }
            tick(done)?;
        }
        Ok(done)
    }

    /// Whether an element is the one before another.
    fn leads(&self, later: &HexHash, earlier: &HexHash) -> bool {
        if let Some(fast) = &self.fast {
            let mut text = *later;
            fast.step(&mut text);
            return text == *earlier;
        }
        let mut text = later.to_vec();
        self.step(&mut text);
        text == earlier
    }

    fn step(&self, text: &mut Vec<u8>) {
        let digest = self.hash.digest(&Fields::new(vec![Values::Texts(Texts::One(text))], None), 0, 0);
        text.clear();
        digest.write_hex(text);
    }
}

/// The relation of each hash of a chain to the one before it: 0 if they are equal, 1 if it is the next game's, -1 if it
/// is the previous game's, 2 otherwise.
pub fn links(chain: &Chain<'_>, mut before: Option<HexHash>, hashes: &[Option<HexHash>]) -> Vec<i64> {
    let link = |before, own| match (before, own) {
        (Some(before), Some(own)) if before == own => 0,
        (Some(before), Some(own)) if chain.leads(&own, &before) => 1,
        (Some(before), Some(own)) if chain.leads(&before, &own) => -1,
        _ => 2,
    };
    hashes.iter().map(|&own| link(std::mem::replace(&mut before, own), own)).collect()
}

/// SHA-256 of the hex text of a SHA-256: one block of text, and one of constant padding.
struct TextSteps {
    sha: Option<(Sha, Schedule)>,
}

const PADDING: [u8; BLOCK] = {
    let mut block = [0; BLOCK];
    block[0] = 0x80;
    block[BLOCK - 2] = 2; // 512 bits
    block
};

impl TextSteps {
    fn new() -> Self {
        let padding = sha256::words(&PADDING);
        Self { sha: Sha::new().map(|sha| (sha, Schedule::new(&padding))) }
    }

    #[inline]
    fn step(&self, text: &mut HexHash) {
        if let Some((sha, padding)) = &self.sha {
            *text = sha.hash_text(text, &CONSTANTS, &padding.0);
            return;
        }
        let mut state = INITIAL;
        compress256(&mut state, &[*text, PADDING]);
        for (eight, word) in text.chunks_exact_mut(8).zip(state) {
            eight.copy_from_slice(&hex_characters(word).to_be_bytes());
        }
    }
}

/// The eight lowercase hex characters of a word, the first one in the top byte.
#[inline]
fn hex_characters(word: u32) -> u64 {
    let mut nibbles = u64::from(word);
    nibbles = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff;
    nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff_00ff;
    nibbles = (nibbles | nibbles << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    // 1 in each byte above nine. Those become letters: `a` is 39 characters after the one that follows `9`.
    let letters = ((nibbles + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    nibbles + 0x3030_3030_3030_3030 + letters * 39
}

#[cfg(test)]
mod tests {
    use super::super::hash::Template;
    use super::*;
    use crate::parallel::no_tick;
    use crate::schemes::salted::seeds::hex_text;

    #[test]
    fn steps_are_hashes_of_hex_text() {
        let hash = |algorithm, piece| Hash { algorithm, message: Template(vec![piece]), key: None };
        for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.size().is_some()) {
            for piece in [Piece::Field(0), Piece::Bytes(0)] {
                let hash = hash(algorithm, piece.clone());
                let chain = Chain::new(&hash);
                let mut text = Vec::new();
                algorithm.digest(b"last").write_hex(&mut text);
                let mut out = vec![0; 300 * chain.width()];
                chain.fill(&text, &mut out, &mut no_tick).unwrap();
                for row in out.chunks_exact(chain.width()) {
                    let hashed = if piece == Piece::Field(0) { text } else { hex::decode(&text).unwrap() };
                    text = hex::encode(algorithm.digest(&hashed).bytes()).into_bytes();
                    assert_eq!(row, text);
                }
            }
        }
        let plain = TextSteps { sha: None };
        let (mut one, mut other) = (hex_text(&[7; 32]), hex_text(&[7; 32]));
        for _ in 0..100 {
            plain.step(&mut one);
            TextSteps::new().step(&mut other);
            assert_eq!(one, other);
        }
    }

    #[test]
    fn links_say_how_hashes_follow() {
        let first = hex_text(&[1; 32]);
        for piece in [Piece::Field(0), Piece::Bytes(0)] {
            let hash =
                Hash { algorithm: Algorithm::Sha256, message: Template(vec![piece.clone()]), key: None };
            let chain = Chain::new(&hash);
            let next = |text: HexHash| {
                let hashed =
                    if piece == Piece::Bytes(0) { hex::decode(text).unwrap() } else { text.to_vec() };
                hex_text(Algorithm::Sha256.digest(&hashed).bytes().try_into().unwrap())
            };
            let (second, third) = (next(first), next(next(first)));
            let hashes = [third, third, second, first, third, second].map(Some);
            assert_eq!(links(&chain, None, &hashes), [2, 0, 1, 1, 2, 1]);
            assert_eq!(links(&chain, Some(second), &hashes[..2]), [-1, 0]);
            assert_eq!(links(&chain, Some(first), &[None, None, Some(first)]), [2, 2, 2]);
        }
    }

    #[test]
    fn a_walk_ends_where_it_is_told_to() {
        let message = Template(vec![Piece::Field(0)]);
        let hash = Hash { algorithm: Algorithm::Sha256, message, key: None };
        let chain = Chain::new(&hash);
        let start = hex_text(&[0; 32]);
        let mut third = Vec::new();
        chain.walk(&start, 3, &mut no_tick, |text| (third = text.to_vec(), true).1).unwrap();
        assert_eq!(chain.walk(&start, 10, &mut no_tick, |text| text != third).unwrap(), 3);
        assert_eq!(chain.walk(&start, 2, &mut no_tick, |text| text != third).unwrap(), 2);
        assert_eq!(chain.walk(&start, 0, &mut no_tick, |_| true).unwrap(), 0);
    }
}
