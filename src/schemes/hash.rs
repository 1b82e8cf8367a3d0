//! Hashes of templates.

use hmac::{Hmac, KeyInit, Mac};

use super::fields::Fields;
use crate::error::{Error, Result};
use crate::texts::Decimal;

/// What hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    Md5,
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

/// Does a piece of work with the hasher of an algorithm.
macro_rules! with_hasher {
    ($algorithm:expr, $hasher:ident => $work:expr) => {
        match $algorithm {
            Algorithm::Md5 => {
                type $hasher = md5::Md5;
                $work
            }
            Algorithm::Sha1 => {
                type $hasher = sha1::Sha1;
                $work
            }
            Algorithm::Sha256 => {
                type $hasher = sha2::Sha256;
                $work
            }
            Algorithm::Sha384 => {
                type $hasher = sha2::Sha384;
                $work
            }
            Algorithm::Sha512 => {
                type $hasher = sha2::Sha512;
                $work
            }
        }
    };
}

impl Algorithm {
    pub const ALL: [Self; 5] = [Self::Md5, Self::Sha1, Self::Sha256, Self::Sha384, Self::Sha512];

    /// Reads a name such as `sha256`.
    pub fn from_name(argument: &str, name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::value(argument, format_args!("must be one of {names}, got {name:?}"))
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Md5 => "md5",
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
        }
    }

    /// The bytes of a digest.
    pub fn size(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    pub fn digest(self, message: &[u8]) -> Digest {
        with_hasher!(self, Hasher => Digest::new(&<Hasher as sha2::Digest>::digest(message)))
    }

    pub fn hmac(self, key: &[u8], message: &[u8]) -> Digest {
        with_hasher!(self, Hasher => {
            let mac = Hmac::<Hasher>::new_from_slice(key).expect("HMAC takes keys of any length");
            Digest::new(&mac.chain_update(message).finalize().into_bytes())
        })
    }
}

/// The digest of any algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Digest {
    bytes: [u8; 64],
    size: usize,
}

impl Digest {
    pub fn new(digest: &[u8]) -> Self {
        let mut bytes = [0; 64];
        bytes[..digest.len()].copy_from_slice(digest);
        Self { bytes, size: digest.len() }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.size]
    }

    /// Appends the digest as lowercase hex text.
    pub fn write_hex(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + 2 * self.size, 0);
        hex::encode_to_slice(self.bytes(), &mut out[start..]).expect("two characters a byte");
    }

    /// Word number `index` of `bits` bits (4 to 64), counted from the front.
    #[inline]
    pub fn word(&self, bits: u32, index: usize) -> u64 {
        let start = index * bits as usize;
        let (first, end) = (start / 8, (start + bits as usize).div_ceil(8));
        let wide = self.bytes[first..end].iter().fold(0u128, |wide, &byte| wide << 8 | u128::from(byte));
        let word = wide >> (8 * end - start - bits as usize);
        word as u64 & (u64::MAX >> (64 - bits))
    }
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Literal(Vec<u8>),
    /// The text of a field, by its number.
    Field(usize),
    /// The bytes that a field's hex text stands for.
    Bytes(usize),
    Cursor,
}

/// What is hashed, or the key: pieces one after another.
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
                Piece::Cursor => out.extend_from_slice(Decimal::new(cursor).text()),
            }
        }
    }

    pub fn has_cursor(&self) -> bool {
        self.0.contains(&Piece::Cursor)
    }

    /// Whether all rounds have the same text, at one cursor.
    pub fn is_constant(&self, fields: &Fields<'_>) -> bool {
        self.0.iter().all(|piece| match piece {
            Piece::Field(field) | Piece::Bytes(field) => fields.field(*field).is_constant(),
            Piece::Literal(_) | Piece::Cursor => true,
        })
    }

    /// Marks the fields whose bytes are meant.
    fn mark_hex(&self, hex: &mut [bool]) {
        for piece in &self.0 {
            if let Piece::Bytes(field) = piece {
                hex[*field] = true;
            }
        }
    }

    /// The number of fields, at least, that the pieces speak of.
    fn fields(&self) -> usize {
        let after = |piece: &Piece| match piece {
            Piece::Field(field) | Piece::Bytes(field) => field + 1,
            Piece::Literal(_) | Piece::Cursor => 0,
        };
        self.0.iter().map(after).max().unwrap_or(0)
    }
}

/// A key of HMAC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Text(Template),
    /// The lowercase hex text of a hash.
    Hash(Box<Hash>),
}

impl Key {
    pub fn write(&self, fields: &Fields<'_>, round: usize, cursor: u64, out: &mut Vec<u8>) {
        match self {
            Self::Text(template) => template.write(fields, round, cursor, out),
            Self::Hash(hash) => hash.digest(fields, round, cursor).write_hex(out),
        }
    }

    pub fn is_constant(&self, fields: &Fields<'_>) -> bool {
        match self {
            Self::Text(template) => template.is_constant(fields),
            Self::Hash(hash) => hash.is_constant(fields),
        }
    }
}

/// A hash of a round's fields; HMAC where there is a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hash {
    pub algorithm: Algorithm,
    pub message: Template,
    pub key: Option<Key>,
}

impl Hash {
    /// The digest of a round at a cursor.
    pub fn digest(&self, fields: &Fields<'_>, round: usize, cursor: u64) -> Digest {
        let mut message = Vec::new();
        self.message.write(fields, round, cursor, &mut message);
        match &self.key {
            None => self.algorithm.digest(&message),
            Some(key) => {
                let mut text = Vec::new();
                key.write(fields, round, cursor, &mut text);
                self.algorithm.hmac(&text, &message)
            }
        }
    }

    pub fn has_cursor(&self) -> bool {
        self.message.has_cursor()
            || match &self.key {
                None => false,
                Some(Key::Text(template)) => template.has_cursor(),
                Some(Key::Hash(hash)) => hash.has_cursor(),
            }
    }

    pub fn is_constant(&self, fields: &Fields<'_>) -> bool {
        self.message.is_constant(fields) && self.key.as_ref().is_none_or(|key| key.is_constant(fields))
    }

    /// Marks the fields whose bytes are meant.
    pub fn mark_hex(&self, hex: &mut [bool]) {
        self.message.mark_hex(hex);
        match &self.key {
            None => {}
            Some(Key::Text(template)) => template.mark_hex(hex),
            Some(Key::Hash(hash)) => hash.mark_hex(hex),
        }
    }

    /// The number of fields, at least, that the templates speak of.
    pub fn fields(&self) -> usize {
        let key = match &self.key {
            None => 0,
            Some(Key::Text(template)) => template.fields(),
            Some(Key::Hash(hash)) => hash.fields(),
        };
        self.message.fields().max(key)
    }
}
