//! Hashes of templates.

use hmac::{Hmac, KeyInit, Mac, SimpleHmac};
use sha2::digest::block_api::BlockSizeUser;

use super::fields::{FieldUse, Fields, Spelling};
use crate::error::{Result, value_error};
use crate::strings::{Decimal, choices};

choices! {
    /// Hash functions.
    Algorithm {
        /// MD5.
        Md5 = "md5",
        /// SHA-1.
        Sha1 = "sha1",
        /// SHA-256.
        Sha256 = "sha256",
        /// SHA-384.
        Sha384 = "sha384",
        /// SHA-512.
        Sha512 = "sha512",
        /// SHA3-256.
        Sha3_256 = "sha3_256",
        /// SHA3-384.
        Sha3_384 = "sha3_384",
        /// SHA3-512.
        Sha3_512 = "sha3_512",
        /// SHA-3 before it was standardized, with another padding.
        Keccak256 = "keccak256",
        /// BLAKE2b with 64 bytes.
        Blake2b = "blake2b",
        /// BLAKE3 with 32 bytes.
        Blake3 = "blake3",
        /// No hash at all: the message itself.
        Nothing = "none",
    }
}

/// Evaluates code with the hasher of an algorithm and its HMAC.
macro_rules! with_hasher {
    ($algorithm:expr, $hasher:ident, $mac:ident => $work:expr, $nothing:expr) => {
        with_hasher!(@ $algorithm, $hasher, $mac, $work, $nothing,
            [Md5 md5::Md5, Sha1 sha1::Sha1, Sha256 sha2::Sha256, Sha384 sha2::Sha384, Sha512 sha2::Sha512],
            [Sha3_256 sha3::Sha3_256, Sha3_384 sha3::Sha3_384, Sha3_512 sha3::Sha3_512,
             Keccak256 sha3::Keccak256, Blake2b blake2::Blake2b512, Blake3 blake3::Hasher])
    };
    (@ $algorithm:expr, $hasher:ident, $mac:ident, $work:expr, $nothing:expr,
     [$($name:ident $type:ty),*], [$($other:ident $plain:ty),*]) => {
        match $algorithm {
            $(Algorithm::$name => {
                #[allow(dead_code)]
                type $hasher = $type;
                #[allow(dead_code)]
                type $mac = Hmac<$type>;
                $work
            })*
            $(Algorithm::$other => {
                #[allow(dead_code)]
                type $hasher = $plain;
                #[allow(dead_code)]
                type $mac = SimpleHmac<$plain>;
                $work
            })*
            Algorithm::Nothing => $nothing,
        }
    };
}

impl Algorithm {
    /// Reads a name such as `sha256`.
    pub fn from_name(argument: &str, name: &str) -> Result<Self> {
        Self::parse(argument, name).map_err(|_| {
            let names = Self::ALL.map(Self::word).join(", ");
            value_error!(argument, "must be one of {names}, got {name:?}")
        })
    }

    /// The size of a digest in bytes; `None` if it is as long as the message.
    pub fn size(self) -> Option<usize> {
        with_hasher!(self, Hasher, Mac => Some(<Hasher as sha2::Digest>::output_size()), None)
    }

    /// The size in bytes of the longest key that HMAC takes as it is.
    pub fn block(self) -> usize {
        with_hasher!(self, Hasher, Mac => <Hasher as BlockSizeUser>::block_size(), usize::MAX)
    }

    /// Hands over HMAC with a key, which is prepared once for all messages.
    fn with_key(self, key: &[u8], work: &mut dyn FnMut(OfMessage<'_>)) {
        with_hasher!(self, Hasher, Keyed => {
            let mac = <Keyed as KeyInit>::new_from_slice(key).expect("HMAC takes keys of any length");
            work(&|message| Digest::new(&mac.clone().chain_update(message).finalize().into_bytes()));
        }, work(&Digest::long))
    }

    /// The digest of a message.
    pub fn digest(self, message: &[u8]) -> Digest {
        with_hasher!(self, Hasher, Mac => Digest::new(&<Hasher as sha2::Digest>::digest(message)),
            Digest::long(message))
    }

    /// The HMAC of a message; the message itself if the algorithm doesn't hash.
    pub fn hmac(self, key: &[u8], message: &[u8]) -> Digest {
        with_hasher!(self, Hasher, Keyed => {
            let mac = <Keyed as KeyInit>::new_from_slice(key).expect("HMAC takes keys of any length");
            Digest::new(&mac.chain_update(message).finalize().into_bytes())
        }, Digest::long(message))
    }
}

/// The digest of each message.
type OfMessage<'f> = &'f dyn Fn(&[u8]) -> Digest;

/// Room for messages and keys of usual lengths.
const USUAL: usize = 128;

/// A digest of any algorithm, or any number of bytes, that words are cut from.
#[derive(Clone, Debug)]
pub enum Digest {
    /// A digest of at most 64 bytes.
    Short {
        /// The bytes, padded.
        bytes: [u8; 64],
        /// The number of bytes.
        size: usize,
    },
    /// A digest of any length.
    Long(Box<[u8]>),
    /// Words, already cut.
    Words(Box<[u64]>),
}

impl Digest {
    /// A digest of at most 64 bytes.
    pub fn new(digest: &[u8]) -> Self {
        let mut bytes = [0; 64];
        bytes[..digest.len()].copy_from_slice(digest);
        Self::Short { bytes, size: digest.len() }
    }

    /// A digest of any number of bytes.
    pub fn long(bytes: &[u8]) -> Self {
        Self::Long(bytes.into())
    }

    /// The bytes of the digest.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Short { bytes, size } => &bytes[..*size],
            Self::Long(bytes) => bytes,
            Self::Words(_) => &[],
        }
    }

    /// Appends the digest as lowercase hex text.
    pub fn write_hex(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + 2 * self.bytes().len(), 0);
        hex::encode_to_slice(self.bytes(), &mut out[start..]).expect("two characters a byte");
    }

    /// The number of words of `bits` bits.
    #[inline]
    pub fn words(&self, bits: u32) -> usize {
        match self {
            Self::Words(words) => words.len(),
            _ => self.bytes().len() * 8 / bits as usize,
        }
    }

    /// Word number `index` of `bits` bits (4 to 64), counted from the front.
    #[inline]
    pub fn word(&self, bits: u32, index: usize) -> u64 {
        if let Self::Words(words) = self {
            return words[index];
        }
        let start = index * bits as usize;
        let (first, end) = (start / 8, (start + bits as usize).div_ceil(8));
        if let Self::Short { bytes, .. } = self
            && let Some(next) = bytes[first..].first_chunk()
        {
            // At once, as rounds that are read one by one read most words.
            let wide = u128::from_be_bytes(*next) << (start % 8);
            return (wide >> (128 - bits)) as u64;
        }
        let wide = self.bytes()[first..end].iter().fold(0u128, |wide, &byte| wide << 8 | u128::from(byte));
        let word = wide >> (8 * end - start - bits as usize);
        word as u64 & (u64::MAX >> (64 - bits))
    }

    /// The remainder modulo `n` of the whole digest, read as a big-endian number.
    pub fn modulo(&self, n: u64) -> u64 {
        // As many bytes at a time as keep the dividend below 2^64, where division is quick.
        let size = (n.leading_zeros() / 8).max(1) as usize;
        let take = |rest: u64, bytes: &[u8]| {
            let wide = bytes.iter().fold(u128::from(rest), |wide, &byte| wide << 8 | u128::from(byte));
            (wide % u128::from(n)) as u64
        };
        self.bytes().chunks(size).fold(0, take)
    }

    /// The remainder modulo `n` of the double nearest to the whole digest, read as a number; ties go to even.
    pub fn double_modulo(&self, n: u64) -> u64 {
        let bytes = self.bytes();
        let first = bytes.iter().position(|&byte| byte != 0).unwrap_or(bytes.len());
        let bytes = &bytes[first..];
        if bytes.len() <= 6 {
            return bytes.iter().fold(0, |whole, &byte| whole << 8 | u64::from(byte)) % n;
        }
        // The first nine bytes hold the 53 bits of a double and decide its rounding, unless they end in a tie that a
        // later bit breaks.
        let (head, rest) = bytes.split_at(bytes.len().min(9));
        let whole = head.iter().fold(0u128, |whole, &byte| whole << 8 | u128::from(byte));
        let shift = (128 - whole.leading_zeros()).saturating_sub(53);
        let (mut kept, left) = ((whole >> shift) as u64, whole & ((1 << shift) - 1));
        let half = (1u128 << shift) >> 1;
        let more = left > half || left == half && (kept & 1 == 1 || rest.iter().any(|&byte| byte != 0));
        kept += u64::from(shift > 0 && more);
        let (mut answer, mut left) = (kept % n, shift + 8 * rest.len() as u32);
        while left > 0 {
            // The most that keeps the dividend below 2^64.
            let now = left.min(n.leading_zeros());
            answer = (answer << now) % n;
            left -= now;
        }
        answer
    }
}

/// The notation of a whole number, if not plain decimal.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// In decimal, with zeros in front up to this many digits.
    Digits(usize),
    /// As bytes, up to eight.
    Bytes { size: usize, little: bool },
}

impl Width {
    /// The largest number in this notation.
    fn most(self) -> u64 {
        match self {
            Self::Digits(_) => u64::MAX,
            Self::Bytes { size, .. } => u64::MAX >> (64 - 8 * size),
        }
    }

    fn write(self, number: u64, out: &mut Vec<u8>) {
        match self {
            Self::Digits(digits) => out.extend_from_slice(format!("{number:0digits$}").as_bytes()),
            Self::Bytes { size, little: true } => out.extend_from_slice(&number.to_le_bytes()[..size]),
            Self::Bytes { size, little: false } => out.extend_from_slice(&number.to_be_bytes()[8 - size..]),
        }
    }
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Constant text.
    Literal(Vec<u8>),
    /// The text of a field, by its number.
    Field(usize),
    /// The bytes that a field's hex text encodes.
    Bytes(usize),
    /// The same bytes read as UTF-8, each invalid sequence as U+FFFD.
    Utf8(usize),
    /// The whole number of a field.
    Number(usize, Width),
    /// The number of the digest.
    Cursor,
    /// The number of the digest in a given notation.
    CursorOf(Width),
    /// The label of the draw.
    Label,
    /// Another hash: its lowercase hex text, or its bytes.
    Hash(Box<Hash>, bool),
}

/// A message or a key: pieces one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(pub Vec<Piece>);

impl Template {
    /// Appends the text of a round.
    pub fn write(&self, fields: &Fields<'_>, round: usize, cursor: u64, out: &mut Vec<u8>) {
        for piece in &self.0 {
            match piece {
                Piece::Literal(text) => out.extend_from_slice(text),
                Piece::Field(field) => fields.field(*field).write(round, out),
                Piece::Bytes(field) => fields.field(*field).write_bytes(round, out),
                Piece::Utf8(field) => {
                    let mut bytes = Vec::new();
                    fields.field(*field).write_bytes(round, &mut bytes);
                    out.extend_from_slice(String::from_utf8_lossy(&bytes).as_bytes());
                }
                Piece::Number(field, width) => {
                    width.write(fields.field(*field).number(round).unwrap_or(0), out);
                }
                Piece::Cursor => out.extend_from_slice(Decimal::new(cursor).text()),
                Piece::CursorOf(width) => width.write(cursor, out),
                Piece::Label => out.extend_from_slice(fields.label().unwrap_or_default()),
                Piece::Hash(hash, false) => hash.digest(fields, round, cursor).write_hex(out),
                Piece::Hash(hash, true) => out.extend_from_slice(hash.digest(fields, round, cursor).bytes()),
            }
        }
    }

    /// Whether the text depends on a cursor.
    fn has_cursor(&self) -> bool {
        self.0.iter().any(|piece| match piece {
            Piece::Cursor | Piece::CursorOf(_) => true,
            Piece::Hash(hash, _) => hash.has_cursor(),
            _ => false,
        })
    }

    /// Whether all rounds have the same text, at one cursor.
    pub fn is_constant(&self, fields: &Fields<'_>) -> bool {
        self.0.iter().all(|piece| piece.is_constant(fields))
    }
}

impl Piece {
    /// Whether all rounds have the same text, at one cursor.
    pub fn is_constant(&self, fields: &Fields<'_>) -> bool {
        match self {
            Self::Field(field) | Self::Bytes(field) | Self::Utf8(field) | Self::Number(field, _) => {
                fields.field(*field).is_constant()
            }
            Self::Hash(hash, _) => hash.is_constant(fields),
            Self::Literal(_) | Self::Cursor | Self::CursorOf(_) | Self::Label => true,
        }
    }
}

/// A hash of a round's fields; HMAC where there is a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hash {
    /// The hash function.
    pub algorithm: Algorithm,
    /// The template of the message.
    pub message: Template,
    /// The template of HMAC's key.
    pub key: Option<Template>,
}

impl Hash {
    /// The digest of a round at a cursor.
    pub fn digest(&self, fields: &Fields<'_>, round: usize, cursor: u64) -> Digest {
        let mut message = Vec::with_capacity(USUAL);
        self.message.write(fields, round, cursor, &mut message);
        match &self.key {
            None => self.algorithm.digest(&message),
            Some(key) => {
                let mut text = Vec::with_capacity(USUAL);
                key.write(fields, round, cursor, &mut text);
                self.algorithm.hmac(&text, &message)
            }
        }
    }

    /// Visits the digests of a round at some cursors, with their places.
    pub fn each(
        &self,
        fields: &Fields<'_>,
        round: usize,
        cursors: &[u64],
        mut take: impl FnMut(usize, &Digest),
    ) {
        let cursors = cursors.iter().copied().enumerate();
        match &self.key {
            Some(key) if cursors.len() > 1 && !key.has_cursor() => {
                let (mut text, mut message) = (Vec::with_capacity(USUAL), Vec::with_capacity(USUAL));
                key.write(fields, round, 0, &mut text);
                self.algorithm.with_key(&text, &mut |hmac| {
                    for (place, cursor) in cursors.clone() {
                        message.clear();
                        self.message.write(fields, round, cursor, &mut message);
                        take(place, &hmac(&message));
                    }
                });
            }
            _ => {
                cursors.for_each(|(place, cursor)| take(place, &self.digest(fields, round, cursor)));
            }
        }
    }

    /// The pieces of message and key, with those of hashes within them.
    pub(super) fn pieces(&self) -> Vec<&Piece> {
        let own = self.message.0.iter().chain(self.key.iter().flat_map(|key| &key.0));
        own.flat_map(|piece| match piece {
            Piece::Hash(hash, _) => hash.pieces(),
            _ => vec![piece],
        })
        .collect()
    }

    /// Whether the hash depends on a cursor.
    pub fn has_cursor(&self) -> bool {
        self.message.has_cursor() || self.key.as_ref().is_some_and(Template::has_cursor)
    }

    /// The largest cursor that can be written; `None` without a cursor.
    pub fn last_cursor(&self) -> Option<u64> {
        let most = |piece: &&Piece| match **piece {
            Piece::Cursor => Some(u64::MAX),
            Piece::CursorOf(width) => Some(width.most()),
            _ => None,
        };
        self.pieces().iter().filter_map(most).min()
    }

    /// Whether the hash depends on a label.
    pub fn has_label(&self) -> bool {
        self.pieces().iter().any(|piece| **piece == Piece::Label)
    }

    /// Whether the hash is the same for all rounds with these fields.
    pub fn is_constant(&self, fields: &Fields<'_>) -> bool {
        self.message.is_constant(fields) && self.key.as_ref().is_none_or(|key| key.is_constant(fields))
    }

    /// The requirements on each of these fields; `texts` has the required spelling of each whose text is hashed.
    pub fn uses(&self, texts: &[Option<Spelling>]) -> Vec<FieldUse> {
        let mut uses = vec![FieldUse::default(); texts.len()];
        for piece in self.pieces() {
            let (field, own) = match *piece {
                Piece::Field(field) => (field, FieldUse { spelling: texts[field], most: None }),
                Piece::Bytes(field) | Piece::Utf8(field) => {
                    (field, FieldUse { spelling: Some(Spelling::Bytes), most: None })
                }
                Piece::Number(field, width) => (field, FieldUse { spelling: None, most: Some(width.most()) }),
                _ => continue,
            };
            uses[field] = uses[field].and(own);
        }
        uses
    }

    /// The same hash of fields in another order: field `i` becomes `places[i]`.
    pub fn renumbered(mut self, places: &[usize]) -> Self {
        let parts = self.message.0.iter_mut().chain(self.key.iter_mut().flat_map(|key| &mut key.0));
        for piece in parts {
            match piece {
                Piece::Field(field) | Piece::Bytes(field) | Piece::Utf8(field) | Piece::Number(field, _) => {
                    *field = places[*field];
                }
                Piece::Hash(hash, _) => **hash = hash.as_ref().clone().renumbered(places),
                Piece::Literal(_) | Piece::Cursor | Piece::CursorOf(_) | Piece::Label => {}
            }
        }
        self
    }
}
