//! A scheme: how digests are cut into words, and how a word becomes a number or one of `n`.

use std::sync::LazyLock;

use super::fields::{Fields, Values};
use super::hash::{Algorithm, Digest, Hash, Key, Piece, Template};
use crate::error::{Error, Result, check_range};
use crate::salted::numbers;
use crate::salted::seeds::{Salts, Seeds};

/// How a word becomes one of `0..n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// `floor(number * n)`, in doubles.
    Scale,
    /// The remainder.
    Modulo,
    /// The remainder; words from the largest multiple of `n` upward are passed over.
    Reject,
}

impl Below {
    pub const ALL: [Self; 3] = [Self::Scale, Self::Modulo, Self::Reject];

    pub fn name(self) -> &'static str {
        match self {
            Self::Scale => "scale",
            Self::Modulo => "modulo",
            Self::Reject => "reject",
        }
    }
}

/// Words of `bits` bits, as they are cut from a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    pub bits: u32,
    /// Words of a digest that are used before the next cursor's.
    pub words: usize,
    /// Words that a digest has.
    pub available: usize,
}

/// The scheme of the salted rounds; its fields are server seed, client seed and salt.
pub static SALTED: LazyLock<Scheme> = LazyLock::new(|| {
    let colon = || Piece::Literal(b":".to_vec());
    let key = Hash {
        algorithm: Algorithm::Sha256,
        message: Template(vec![Piece::Field(0), colon(), Piece::Field(2)]),
        key: None,
    };
    let hash = Hash {
        algorithm: Algorithm::Sha512,
        message: Template(vec![Piece::Field(1), colon(), Piece::Cursor]),
        key: Some(Key::Hash(Box::new(key))),
    };
    Scheme::new(hash, 64, None, "scale", 0).expect("its parts fit together")
});

/// A hash, and what is made of its digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme {
    hash: Hash,
    cut: Cut,
    below: Below,
    first_cursor: u64,
    has_cursor: bool,
}

impl Scheme {
    /// Checks that the parts fit together. `words` are all that a digest has unless given.
    pub fn new(hash: Hash, bits: i64, words: Option<i64>, below: &str, first_cursor: u64) -> Result<Self> {
        if !(4..=64).contains(&bits) || bits % 4 != 0 {
            return Err(Error::value(
                "Scheme.bits",
                format_args!("must be a multiple of 4 from 4 to 64, got {bits}"),
            ));
        }
        let available = hash.algorithm.size() * 8 / bits as usize;
        if let Some(words) = words
            && !(1..=available as i64).contains(&words)
        {
            return Err(Error::value(
                "Scheme.words",
                format_args!(
                    "must be from 1 to {available}, as a digest of {} has {available} words of {bits} bits, got {words}",
                    hash.algorithm.name()
                ),
            ));
        }
        let words = words.map_or(available, |words| words as usize);
        let cut = Cut { bits: bits as u32, words, available };
        let Some(rule) = Below::ALL.into_iter().find(|rule| rule.name() == below) else {
            return Err(Error::value(
                "Scheme.below",
                format_args!("must be \"scale\", \"modulo\" or \"reject\", got {below:?}"),
            ));
        };
        let has_cursor = hash.has_cursor();
        let scheme = Self { hash, cut, below: rule, first_cursor, has_cursor };
        if rule == Below::Scale && !scheme.has_numbers() {
            return Err(Error::value(
                "Scheme.below",
                format_args!(
                    "can't be \"scale\", as words of {bits} bits make no number: use \"modulo\" or \"reject\", \
                     or words of up to 52 bits, or of 64"
                ),
            ));
        }
        if first_cursor != 0 && !has_cursor {
            return Err(Error::value(
                "Scheme.first_cursor",
                format_args!("must be 0 where no template has {{cursor}}, got {first_cursor}"),
            ));
        }
        Ok(scheme)
    }

    pub fn hash(&self) -> &Hash {
        &self.hash
    }

    pub fn cut(&self) -> Cut {
        self.cut
    }

    pub fn below(&self) -> Below {
        self.below
    }

    /// The cursor whose digest has number `digest`, from 0, of a round.
    pub fn cursor(&self, digest: u64) -> Option<u64> {
        if self.has_cursor { self.first_cursor.checked_add(digest) } else { (digest == 0).then_some(0) }
    }

    /// Whether there is a digest for every cursor.
    pub fn has_cursor(&self) -> bool {
        self.has_cursor
    }

    /// Whether a word makes a number.
    pub fn has_numbers(&self) -> bool {
        self.cut.bits <= 52 || self.cut.bits == 64
    }

    /// Refuses words that make no number.
    pub fn check_numbers(&self) -> Result<()> {
        if self.has_numbers() {
            return Ok(());
        }
        Err(Error::value(
            "Scheme.bits",
            format_args!("must be up to 52, or 64, for numbers: words of {} bits make none", self.cut.bits),
        ))
    }

    /// The number of a word, in `[0, 1)`.
    #[inline]
    pub fn number(&self, word: u64) -> f64 {
        if self.cut.bits == 64 { numbers::number(word) } else { word as f64 * self.scale() }
    }

    /// `floor(number * n)` of a word.
    #[inline]
    pub fn scaled(&self, word: u64, n: u64) -> u64 {
        if self.cut.bits == 64 { numbers::below(word, n) } else { (self.number(word) * n as f64) as u64 }
    }

    /// What a word is multiplied with to make a number. Exact: a power of two.
    #[inline]
    pub fn scale(&self) -> f64 {
        1.0 / (1u128 << self.cut.bits) as f64
    }

    /// The largest word.
    #[inline]
    pub fn largest(&self) -> u64 {
        u64::MAX >> (64 - self.cut.bits)
    }

    /// The largest word that is not passed over.
    #[inline]
    pub fn last_accepted(&self, n: u64) -> u64 {
        let largest = self.largest();
        largest - (largest % n + 1) % n
    }

    /// `n` of [`Below`], checked.
    pub fn check_n(&self, argument: &str, n: i64) -> Result<u64> {
        let most = match self.below {
            Below::Scale => 1 << 53,
            Below::Modulo => i64::MAX,
            Below::Reject => self.largest().saturating_add(1).min(i64::MAX as u64) as i64,
        };
        check_range(argument, n, 1, most).map(|n| n as u64)
    }
}

/// What rounds are computed from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub scheme: &'a Scheme,
    pub fields: &'a Fields<'a>,
}

impl<'a> Source<'a> {
    /// The seeds of rounds whose numbers are made of whole blocks of the salted rounds' hash.
    pub fn blocks(&self) -> Option<Seeds<'a>> {
        let Scheme { hash, cut, below, first_cursor, .. } = self.scheme;
        let whole = *cut == Cut { bits: 64, words: 8, available: 8 };
        let plain = whole && *below == Below::Scale && *first_cursor == 0;
        if plain { salted(hash, self.fields) } else { None }
    }

    /// The round can't go on: there is no further digest.
    pub fn ran_out(&self, round: usize) -> Error {
        let why = if self.scheme.has_cursor {
            "needs a cursor above 2**64 - 1".to_owned()
        } else {
            format!(
                "needs more than the {} words of its one digest: no template has {{cursor}}",
                self.scheme.cut.words
            )
        };
        Error::value(self.fields.name_of(round), why)
    }
}

/// The seeds of salted rounds, if the hash is theirs.
pub(super) fn salted<'a>(hash: &Hash, fields: &Fields<'a>) -> Option<Seeds<'a>> {
    let Hash { algorithm: Algorithm::Sha512, message, key: Some(Key::Hash(key)) } = hash else { return None };
    let Hash { algorithm: Algorithm::Sha256, message: key, key: None } = &**key else { return None };
    let [Piece::Field(client), Piece::Literal(colon), Piece::Cursor] = &message.0[..] else { return None };
    let [Piece::Field(server), Piece::Literal(other), Piece::Field(salt)] = &key.0[..] else { return None };
    if colon != b":" || other != b":" {
        return None;
    }
    let (Values::Texts(server), Values::Texts(client)) = (*fields.field(*server), *fields.field(*client))
    else {
        return None;
    };
    let salt = match *fields.field(*salt) {
        Values::Texts(texts) => Salts::Given(texts),
        Values::Salts { seed, start } => Salts::Series { seed, start },
        Values::Numbers(_) | Values::Counter { .. } => return None,
    };
    Some(Seeds { server, client, salt })
}

/// One round, word by word: the plain way, which is that of any scheme.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The place of the next word: its digest times [`Cut::words`], plus its index there.
    place: u64,
    /// The digest that was read last, and its number.
    digest: Option<(u64, Digest)>,
    drawn: Drawn,
}

/// Where the last word came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// The cursor of its digest.
    pub cursor: u64,
    /// The index of the word that was read first, and of the one that was taken: those between were
    /// passed over.
    pub first: usize,
    pub taken: usize,
    /// The word.
    pub word: u64,
}

impl Reader {
    /// From a place on.
    pub fn at(place: u64) -> Self {
        Self { place, ..Self::default() }
    }

    /// The place of the next word.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Where the last word came from.
    pub fn drawn(&self) -> Drawn {
        self.drawn
    }

    pub fn skip(&mut self, count: u64) {
        self.place = self.place.saturating_add(count);
    }

    /// The next word.
    pub fn word(&mut self, source: Source<'_>, round: usize) -> Result<u64> {
        self.accept(source, round, u64::MAX)?.ok_or_else(|| source.ran_out(round))
    }

    /// The next one of `0..n`.
    pub fn below(&mut self, source: Source<'_>, round: usize, n: u64) -> Result<u64> {
        let scheme = source.scheme;
        match scheme.below {
            Below::Scale => Ok(scheme.scaled(self.word(source, round)?, n)),
            Below::Modulo => Ok(self.word(source, round)? % n),
            Below::Reject => {
                let last = scheme.last_accepted(n);
                match self.accept(source, round, last)? {
                    Some(word) => Ok(word % n),
                    None => Err(Error::value(
                        source.fields.name_of(round),
                        format_args!(
                            "has no word for one of {n} in the rest of the digest at cursor {}: those above {last} \
                             are passed over",
                            self.drawn.cursor
                        ),
                    )),
                }
            }
        }
    }

    /// The next word of the digest that is no larger than `last`.
    fn accept(&mut self, source: Source<'_>, round: usize, last: u64) -> Result<Option<u64>> {
        let Source { scheme, fields } = source;
        let Cut { bits, words, available } = scheme.cut;
        let (number, first) = (self.place / words as u64, (self.place % words as u64) as usize);
        let cursor = scheme.cursor(number).ok_or_else(|| source.ran_out(round))?;
        let digest = match self.digest {
            Some((at, digest)) if at == number => digest,
            _ => scheme.hash.digest(fields, round, cursor),
        };
        self.digest = Some((number, digest));
        self.drawn = Drawn { cursor, first, ..self.drawn };
        let found = (first..available).map(|index| (index, digest.word(bits, index)));
        let Some((taken, word)) = found.into_iter().find(|&(_, word)| word <= last) else { return Ok(None) };
        self.drawn = Drawn { taken, word, ..self.drawn };
        self.place = number * words as u64 + (taken + 1).min(words) as u64;
        Ok(Some(word))
    }
}
