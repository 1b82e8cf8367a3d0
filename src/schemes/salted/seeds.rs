//! From seeds to bytes: `HMAC-SHA512(key, client_seed:cursor)` with the key `SHA-256(server_seed:salt)` as lowercase
//! hex text.
//!
//! [`Stream`] computes one round with the crates `sha2` and `hmac`; it is the reference.
//! [`Generator`](super::generator::Generator) computes many rounds at a time.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256, Sha512};

use super::numbers;
use crate::error::Result;
use crate::games::draw::Draws;
use crate::strings::{Decimal, Texts, broadcast};

/// 64 bytes as eight big-endian words; word `i` gives number `i`.
pub type Block = [u64; 8];

/// The separator between a seed and the next part.
pub(super) const COLON: &[u8] = b":";

/// The key of a round: 64 lowercase hex characters.
pub fn key(server_seed: &[u8], salt: &[u8]) -> [u8; 64] {
    let digest = Sha256::new().chain_update(server_seed).chain_update(COLON).chain_update(salt).finalize();
    hex_text(&digest.into())
}

/// A SHA-256 digest as lowercase hex text.
pub fn hex_text(digest: &[u8; 32]) -> [u8; 64] {
    let mut text = [0; 64];
    hex::encode_to_slice(digest, &mut text).expect("32 bytes are 64 hex characters");
    text
}

/// Salt number `index` of the series named `seed`: SHA-256 of `seed:index` as hex text.
pub fn salt(seed: &[u8], index: u64) -> [u8; 64] {
    key(seed, Decimal::new(index).text())
}

/// The numbers of one round, computed block by block as they are drawn.
pub struct Stream<'a> {
    mac: Hmac<Sha512>,
    client_seed: &'a [u8],
    block: Block,
    cursor: Option<usize>,
    next: usize,
}

impl<'a> Stream<'a> {
    /// The numbers of a round, starting with the first.
    pub fn new(server_seed: &[u8], client_seed: &'a [u8], salt: &[u8]) -> Self {
        Self {
            mac: Hmac::new_from_slice(&key(server_seed, salt)).expect("HMAC takes keys of any length"),
            client_seed,
            block: [0; 8],
            cursor: None,
            next: 0,
        }
    }

    /// The 64 bytes at a cursor.
    pub fn bytes(&self, cursor: u64) -> [u8; 64] {
        let mut mac = self.mac.clone();
        mac.update(self.client_seed);
        mac.update(COLON);
        mac.update(Decimal::new(cursor).text());
        mac.finalize().into_bytes().into()
    }

    /// The 64 bytes at a cursor, as words.
    pub fn block(&self, cursor: u64) -> Block {
        words(&self.bytes(cursor))
    }
}

/// 64 bytes as big-endian words.
pub fn words(bytes: &[u8; 64]) -> Block {
    let (words, _) = bytes.as_chunks();
    std::array::from_fn(|word| u64::from_be_bytes(words[word]))
}

impl Draws for Stream<'_> {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let cursor = self.next / 8;
        if self.cursor != Some(cursor) {
            self.block = self.block(cursor as u64);
            self.cursor = Some(cursor);
        }
        let word = self.block[self.next % 8];
        self.next += 1;
        numbers::below(word, n)
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        self.next += count;
    }
}

/// The salts of many rounds.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Copy, Debug)]
pub enum Salts<'a> {
    /// Texts of the caller.
    Given(Texts<'a>),
    /// Salts computed here: numbers `start`, `start + 1`, ... of the series named `seed`.
    Series { seed: &'a [u8], start: u64 },
}

/// The seeds of many rounds: of each kind, a single text for all of them or one text per round.
#[derive(Clone, Copy, Debug)]
pub struct Seeds<'a> {
    /// The server seeds.
    pub server: Texts<'a>,
    /// The client seeds.
    pub client: Texts<'a>,
    /// The salts.
    pub salt: Salts<'a>,
}

impl Seeds<'_> {
    /// The number of rounds; `None` if all seeds are single texts, for one round.
    pub fn rounds(&self) -> Result<Option<usize>> {
        let salts = match &self.salt {
            Salts::Given(texts) => texts.len(),
            Salts::Series { .. } => None,
        };
        broadcast(&[("server_seed", self.server.len()), ("client_seed", self.client.len()), ("salt", salts)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_seeds() {
        let (two, three) = (b"ab", b"abc");
        let many = |bytes: &'static [u8]| Texts::Fixed { bytes, width: 1, len: bytes.len() };
        let rounds = |server, salt| Seeds { server, client: Texts::One(b"c"), salt }.rounds();
        let series = Salts::Series { seed: b"0", start: 0 };
        assert_eq!(rounds(Texts::One(b"s"), series), Ok(None));
        assert_eq!(rounds(many(two), series), Ok(Some(2)));
        assert_eq!(rounds(Texts::One(b"s"), Salts::Given(many(three))), Ok(Some(3)));
        let error = rounds(many(two), Salts::Given(many(three))).unwrap_err().to_string();
        assert!(error.starts_with("salt has 3 elements but server_seed has 2"), "{error}");
    }
}
