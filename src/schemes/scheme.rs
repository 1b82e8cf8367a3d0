//! A scheme: how digests are cut into words, and how a word becomes a number or one of `n`.
//!
//! [`Reader`] is the reference: it reads one round word by word, and `words` and `rounds` must equal it for many rounds
//! at once. The place of a word is its digest's number times the words of a digest, plus its index there, so a place
//! alone gives the cursor that is hashed. Two features complicate that. A scheme may pass over words, so that all
//! answers are equally likely, and go on at the next cursor if a digest holds no acceptable word. And the range of a
//! draw may decide how many words are joined into one.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::fields::{FieldUse, Fields, Spelling, Values};
use super::hash::{Algorithm, Digest, Hash, Piece, Template};
use super::salted::numbers;
use super::salted::seeds::{Salts, Seeds};
use crate::error::{Error, Result, check_range, value_error};
use crate::games::rounding;
use crate::strings::{Texts, choices};

choices! {
    /// The rule that maps a word to one of `0..n`.
    Below {
        /// `floor(number * n)`, in doubles.
        Scale = "scale",
        /// The remainder.
        Modulo = "modulo",
        /// The remainder; words from the largest multiple of `n` upward are passed over.
        Reject = "reject",
        /// The same, with the largest multiple that is a word: if `n` divides the number of words, the last `n` words are
        /// passed over as well.
        RejectLast = "reject_last",
        /// `word * n`, without its lower bits.
        Multiply = "multiply",
        /// The remainder of the word's whole digest, as one number.
        Digest = "digest",
        /// The same for that number as JavaScript's `parseInt` reads it: the nearest double, ties to even.
        Double = "double",
        /// A byte's last two decimal digits; bytes of `n` or more are passed over.
        Decimal = "decimal",
        /// `Math.round(word / (largest / (n - 1)))` in doubles: the nearest of `n` evenly spaced values from 0 to
        /// the largest word, of which the first and the last have half as many words as others.
        Nearest = "nearest",
    }
}

impl Below {
    /// Whether all of a digest is one number.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Digest | Self::Double)
    }

    /// One of `n` by such a number.
    #[inline]
    pub fn of_whole(self, digest: &Digest, n: u64) -> u64 {
        if self == Self::Double { digest.double_modulo(n) } else { digest.modulo(n) }
    }

    /// Whether words are passed over, so that all answers are equally likely.
    pub fn passes_over(self) -> bool {
        matches!(self, Self::Reject | Self::RejectLast | Self::Decimal)
    }
}

/// Words of `bits` bits, as they are cut from a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The size of a word in bits.
    pub bits: u32,
    /// Whether a draw takes as many words as its range needs, and continues in the next digest.
    pub by_range: bool,
    /// The number of words used of a digest.
    pub words: usize,
    /// The number of words in a digest.
    pub available: usize,
}

/// The continuation after a digest that is used up.
#[derive(Clone, Debug)]
pub enum ReadOn {
    /// The digest of a cursor that is this much larger.
    Cursors(u64),
    /// A hash of the digest, whose hex text is the last of its fields.
    Hash(Hash),
}

/// Makes words of a round's fields, in place of a hash.
pub trait Function: fmt::Debug + Send + Sync {
    /// The first `count` words of each of these rounds; fewer if a round has no more.
    fn words(&self, fields: &Fields<'_>, rounds: Range<usize>, count: usize) -> Result<Vec<Vec<u64>>>;
}

/// Words that are requested from a function together, as if from one digest.
const WORDS_AT_A_TIME: usize = 64;
/// The number of words of a message that isn't hashed: unlimited.
const NO_END: usize = u32::MAX as usize;
/// Modulus of a byte's last two decimal digits.
const HUNDRED: u64 = 100;
/// Significant decimal digits that a double always represents.
const MOST_DIGITS: i64 = 15;
/// The most digests whose words one draw may pass over.
const MOST_PASSED: u64 = 1 << 16;

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
        key: Some(Template(vec![Piece::Hash(Box::new(key), false)])),
    };
    Scheme::new(hash, 64, None, "scale", 0).expect("its parts fit together")
});

/// The parts of a scheme beside its hash, unchecked.
#[derive(Clone, Debug, Default)]
pub struct Parts<'a> {
    /// Bits of a word; `None` if a draw takes as many bytes as its range needs.
    pub bits: Option<i64>,
    /// The number of words used of each digest; `None` for all.
    pub words: Option<i64>,
    /// The name of the rule by which a word becomes one of n.
    pub below: &'a str,
    /// Significant digits of a number; `None` for all.
    pub digits: Option<i64>,
    /// The cursor of the first digest.
    pub first_cursor: u64,
    /// The source of words once the digest is used up.
    pub read_on: Option<ReadOn>,
    /// Makes the words in place of the hash, which still identifies rounds.
    pub function: Option<Arc<dyn Function>>,
}

impl Parts<'_> {
    /// The names of the parts.
    pub const ALL: [&'static str; 7] =
        ["bits", "words", "below", "digits", "first_cursor", "read_on", "function"];

    /// Replaces a mistaken part by a valid one, so that the others can be checked; false if there is none.
    fn correct(&mut self, part: &str) -> bool {
        match part {
            "bits" => self.bits = Some(32),
            "words" => self.words = None,
            "below" => self.below = Below::Modulo.word(),
            "digits" => self.digits = None,
            "first_cursor" => self.first_cursor = 0,
            "read_on" => self.read_on = None,
            "function" => self.function = None,
            _ => return false,
        }
        true
    }
}

/// A hash, and the conversion of its digests to draws.
#[derive(Clone, Debug)]
pub struct Scheme {
    hash: Hash,
    cut: Cut,
    below: Below,
    digits: Option<u32>,
    first_cursor: u64,
    last_cursor: Option<u64>,
    has_label: bool,
    read_on: Option<ReadOn>,
    function: Option<Arc<dyn Function>>,
}

/// Identifies a digest of a round: by its cursor and the number of times it is hashed again; or a piece of a function's
/// words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DigestId {
    /// The cursor, or the number of pieces before.
    pub cursor: u64,
    /// The number of times that the digest is hashed again.
    pub again: u64,
}

/// The inputs of a digest, and the digest.
pub struct HashCall {
    pub key: Option<Vec<u8>>,
    pub message: Vec<u8>,
    pub digest: Digest,
}

impl Scheme {
    /// A scheme of words of one width; all words of a digest are used unless `words` is given.
    pub fn new(hash: Hash, bits: i64, words: Option<i64>, below: &str, first_cursor: u64) -> Result<Self> {
        Self::of(hash, Parts { bits: Some(bits), words, below, first_cursor, ..Parts::default() })
    }

    /// Checks that the parts fit together.
    pub fn of(hash: Hash, parts: Parts<'_>) -> Result<Self> {
        let Parts { bits, words, below, digits, first_cursor, read_on, function } = parts;
        macro_rules! refuse {
            ($part:literal, $($why:tt)+) => {
                return Err(value_error!($part, $($why)+).of("Scheme"))
            };
        }
        let wide = bits.unwrap_or(8);
        let step = if function.is_some() { 1 } else { 4 };
        if !(step..=64).contains(&wide) || wide % step != 0 {
            let multiple = if wide % step == 0 { "" } else { "a multiple of 4 " };
            refuse!("bits", "must be {multiple}from {step} to 64, got {wide}");
        }
        let (available, algorithm) = match (&function, hash.algorithm.size()) {
            (Some(_), _) => (WORDS_AT_A_TIME, "the function"),
            (None, None) => (NO_END, hash.algorithm.word()),
            (None, Some(size)) => (size * 8 / wide as usize, hash.algorithm.word()),
        };
        if words.is_some() && (bits.is_none() || function.is_some()) {
            let why = if bits.is_none() { "bits is \"range\"" } else { "a function makes the words" };
            refuse!("words", "isn't supported where {why}: all are used");
        }
        if let Some(words) = words
            && !(1..=available as i64).contains(&words)
        {
            refuse!(
                "words",
                "must be from 1 to {available}, as a digest of {algorithm} has {available} words of {wide} bits, got \
                 {words}"
            );
        }
        let words = words.map_or(available, |words| words as usize);
        let cut = Cut { bits: wide as u32, by_range: bits.is_none(), words, available };
        let Ok(rule) = Below::parse("below", below) else {
            let names = Below::ALL.map(|rule| format!("{:?}", rule.word())).join(", ");
            refuse!("below", "must be {names}, got {below:?}");
        };
        let last_cursor = hash.last_cursor();
        if hash.algorithm == Algorithm::Nothing && (last_cursor.is_some() || hash.key.is_some()) {
            let what = if hash.key.is_some() { "a key" } else { "{cursor}" };
            refuse!("hash", "must not have {what} where its name is \"none\"");
        }
        let has_label = hash.has_label();
        if let Some(digits) = digits
            && !(1..=MOST_DIGITS).contains(&digits)
        {
            refuse!("digits", "must be from 1 to {MOST_DIGITS}, got {digits}");
        }
        let digits = digits.map(|digits| digits as u32);
        let scheme =
            Self { hash, cut, below: rule, digits, first_cursor, last_cursor, has_label, read_on, function };
        let has_cursor = last_cursor.is_some();
        if cut.by_range && matches!(rule, Below::Scale | Below::RejectLast) {
            refuse!(
                "below",
                "can't be {below:?} where bits is \"range\": use \"reject\", \"modulo\" or \"multiply\""
            );
        }
        if rule == Below::Scale && !scheme.has_numbers() {
            refuse!(
                "below",
                "can't be \"scale\", as words of {wide} bits make no number: use \"modulo\" or \"reject\", \
                 or words of up to 52 bits, or of 64"
            );
        }
        if scheme.digits.is_some() && !scheme.has_numbers() {
            refuse!("digits", "isn't supported where words of {wide} bits make no number");
        }
        if rule == Below::Nearest && (cut.by_range || wide > 53) {
            refuse!("below", "can't be \"nearest\" where words aren't of up to 52 bits");
        }
        if rule.is_whole() && (cut.by_range || scheme.function.is_some()) {
            refuse!("below", "can't be {below:?} where words aren't those of a digest");
        }
        if rule == Below::Decimal && (cut.by_range || cut.bits != 8) {
            refuse!("below", "can't be \"decimal\" where words aren't bytes: use bits=8");
        }
        if first_cursor != 0 && !has_cursor {
            refuse!("first_cursor", "must be 0 where no template has {{cursor}}, got {first_cursor}");
        }
        if last_cursor.is_some_and(|last| first_cursor > last) {
            refuse!(
                "first_cursor",
                "must be one that the template's {{cursor}} has room for, got {first_cursor}"
            );
        }
        let Some(read_on) = &scheme.read_on else { return Ok(scheme) };
        if scheme.function.is_some() || scheme.hash.algorithm == Algorithm::Nothing {
            refuse!("read_on", "isn't supported where nothing is hashed");
        }
        match read_on {
            ReadOn::Hash(next) if next.algorithm.size() != scheme.hash.algorithm.size() => refuse!(
                "read_on",
                "must have digests as long as those of {algorithm}, got {}",
                next.algorithm.word()
            ),
            ReadOn::Cursors(_) if !has_cursor => {
                refuse!("read_on", "must be a Hash where no template has {{cursor}}, got a number of cursors")
            }
            ReadOn::Cursors(_) if cut.by_range => {
                refuse!("read_on", "isn't supported with bits=\"range\": bytes go on at the next cursor")
            }
            _ if has_cursor && !rule.passes_over() => {
                refuse!("read_on", "isn't supported where no word is passed over: use below=\"reject\"")
            }
            _ => Ok(scheme),
        }
    }

    /// The scheme with the parts in `mistaken` corrected, or all further mistakes.
    pub fn corrected(
        hash: Hash,
        mut parts: Parts<'_>,
        mistaken: &[&str],
    ) -> std::result::Result<Self, Vec<Error>> {
        let (mut corrected, mut errors) = (Vec::new(), Vec::new());
        for part in mistaken {
            parts.correct(part);
            corrected.push((*part).to_owned());
        }
        loop {
            match Self::of(hash.clone(), parts.clone()) {
                Ok(scheme) if errors.is_empty() => return Ok(scheme),
                Ok(_) => return Err(errors),
                Err(error) => {
                    let part = error.argument().to_owned();
                    errors.push(error);
                    if corrected.contains(&part) || !parts.correct(&part) {
                        return Err(errors);
                    }
                    corrected.push(part);
                }
            }
        }
    }

    /// The hash.
    pub fn hash(&self) -> &Hash {
        &self.hash
    }

    /// The way in which digests are cut into words.
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// The rule by which a word becomes one of n.
    pub fn below(&self) -> Below {
        self.below
    }

    /// The function that replaces the hash, if there is one.
    pub fn function(&self) -> Option<&Arc<dyn Function>> {
        self.function.as_ref()
    }

    /// The requirements on each of the fields; `texts` has the required spelling of each whose text is hashed.
    pub fn uses(&self, texts: &[Option<Spelling>]) -> Vec<FieldUse> {
        let own = self.hash.uses(texts);
        let Some(ReadOn::Hash(next)) = &self.read_on else { return own };
        let and_digest = [texts, &[None]].concat();
        own.into_iter().zip(next.uses(&and_digest)).map(|(own, other)| own.and(other)).collect()
    }

    /// Whether digests are hashed again to continue, since there is no cursor.
    pub fn hashes_on(&self) -> bool {
        !self.has_cursor() && matches!(self.read_on, Some(ReadOn::Hash(_)))
    }

    /// The digest number `number` of a round, counted from 0.
    pub fn at(&self, number: u64) -> Option<DigestId> {
        if self.function.is_some() || self.hashes_on() {
            return Some(DigestId { cursor: 0, again: number });
        }
        match self.last_cursor {
            Some(last) => {
                let cursor = self.first_cursor.checked_add(number).filter(|&cursor| cursor <= last)?;
                Some(DigestId { cursor, again: 0 })
            }
            None => (number == 0).then_some(DigestId::default()),
        }
    }

    /// The cursor of the first digest.
    pub fn first_cursor(&self) -> u64 {
        self.first_cursor
    }

    /// The digest to read after a digest without acceptable words, the given number of digests on.
    fn after(&self, at: DigestId, digests: u64) -> Option<DigestId> {
        match &self.read_on {
            Some(ReadOn::Cursors(step)) => {
                let cursor = at.cursor.checked_add(step.checked_mul(digests)?)?;
                (cursor <= self.last_cursor?).then_some(DigestId { cursor, ..at })
            }
            Some(ReadOn::Hash(_)) => Some(DigestId { again: at.again + digests, ..at }),
            None => None,
        }
    }

    /// Whether draws that pass over words simply continue in the next digest.
    fn is_stream(&self) -> bool {
        let next = matches!(self.read_on, Some(ReadOn::Cursors(1)));
        self.function.is_some()
            || self.cut.by_range
            || self.cut.words == self.cut.available && (next || self.hashes_on())
    }

    /// A digest of a round, starting from `known` if that is an earlier one.
    pub fn digest(
        &self,
        fields: &Fields<'_>,
        round: usize,
        at: DigestId,
        known: Option<(DigestId, Digest)>,
    ) -> Result<Digest> {
        if let Some(function) = &self.function {
            let first = at.again as usize * WORDS_AT_A_TIME;
            let mut words = function.words(fields, round..round + 1, first + WORDS_AT_A_TIME)?.remove(0);
            words.drain(..first.min(words.len()));
            return Ok(Digest::Words(words.into()));
        }
        let (mut times, mut digest) = match known {
            Some((from, digest)) if from.cursor == at.cursor && from.again <= at.again => {
                (from.again, digest)
            }
            _ => (0, self.hash.digest(fields, round, at.cursor)),
        };
        if let Some(ReadOn::Hash(hash)) = &self.read_on {
            let mut text = Vec::new();
            while times < at.again {
                text.clear();
                digest.write_hex(&mut text);
                digest = hash.digest(&fields.with(Texts::One(&text)), round, at.cursor);
                times += 1;
            }
        }
        Ok(digest)
    }

    /// The inputs of a digest.
    pub fn explain(&self, fields: &Fields<'_>, round: usize, at: DigestId) -> Result<HashCall> {
        let digest = self.digest(fields, round, at, None)?;
        let mut text = Vec::new();
        let (hash, fields) = match (&self.read_on, &self.function) {
            (_, Some(_)) => return Ok(HashCall { key: None, message: Vec::new(), digest }),
            (Some(ReadOn::Hash(hash)), None) if at.again > 0 => {
                self.digest(fields, round, DigestId { again: at.again - 1, ..at }, None)?
                    .write_hex(&mut text);
                (hash, &fields.with(Texts::One(&text)))
            }
            _ => (&self.hash, fields),
        };
        let write = |template: &Template| {
            let mut out = Vec::new();
            template.write(fields, round, at.cursor, &mut out);
            out
        };
        Ok(HashCall { key: hash.key.as_ref().map(write), message: write(&hash.message), digest })
    }

    /// 16 bytes that identify a round: the first of its first digest.
    pub fn fingerprint(&self, fields: &Fields<'_>, round: usize) -> [u64; 2] {
        let digest = self.hash.digest(fields, round, self.first_cursor);
        match self.hash.algorithm {
            Algorithm::Nothing => fingerprint(&Algorithm::Sha256.digest(digest.bytes())),
            _ => fingerprint(&digest),
        }
    }

    /// Whether there is a digest for every cursor.
    pub fn has_cursor(&self) -> bool {
        self.last_cursor.is_some()
    }

    /// Whether words give numbers.
    pub fn has_numbers(&self) -> bool {
        self.cut.by_range || self.number_bits() <= 53 || self.cut.bits == 64
    }

    /// The number of bits in a word that gives a number.
    pub fn number_bits(&self) -> u32 {
        if self.cut.by_range { 52 } else { self.cut.bits }
    }

    /// The number of words that give a number.
    pub fn words_of_a_number(&self) -> usize {
        if self.cut.by_range { 7 } else { 1 }
    }

    /// Refuses words that don't give numbers.
    pub fn check_numbers(&self) -> Result<()> {
        if self.has_numbers() {
            return Ok(());
        }
        let bits = self.cut.bits;
        let problem = format!("must be up to 52, or 64, for numbers: words of {bits} bits make none");
        Err(Error::value("bits", problem).of("Scheme"))
    }

    /// Whether numbers are rounded to few digits.
    pub fn rounds_numbers(&self) -> bool {
        self.digits.is_some()
    }

    /// The number of a word, in `[0, 1)`, or 1 if it is rounded up to that with few digits.
    #[inline]
    pub fn number(&self, word: u64) -> f64 {
        let number = self.exact_number(word);
        self.digits.map_or(number, |digits| rounding::to_precision(number, digits))
    }

    /// The number of a word with all digits, as choices use it.
    #[inline]
    pub fn exact_number(&self, word: u64) -> f64 {
        match self.cut {
            Cut { bits: 64, .. } => numbers::number(word),
            // Seven bytes have four bits more than a number.
            Cut { by_range: true, .. } => (word >> 4) as f64 * (1.0 / (1u64 << 52) as f64),
            _ => word as f64 * self.scale(),
        }
    }

    /// `floor(number * n)` of a word.
    #[inline]
    pub fn scaled(&self, word: u64, n: u64) -> u64 {
        if self.cut.bits == 64 {
            numbers::below(word, n)
        } else {
            (self.exact_number(word) * n as f64) as u64
        }
    }

    /// The factor from words to numbers. Exact: a power of two.
    #[inline]
    pub fn scale(&self) -> f64 {
        f64::from_bits(u64::from(1023 - self.cut.bits) << 52)
    }

    /// The number of words that a draw below `n` takes.
    #[inline]
    pub fn words_below(&self, n: u64) -> usize {
        if self.cut.by_range { (n - 1).checked_ilog2().map_or(1, |top| top as usize / 8 + 1) } else { 1 }
    }

    /// The number of bits in these words.
    #[inline]
    pub fn bits_below(&self, n: u64) -> u32 {
        self.cut.bits * self.words_below(n) as u32
    }

    /// The largest value of these words.
    #[inline]
    pub fn largest(&self, n: u64) -> u64 {
        u64::MAX >> (64 - self.bits_below(n))
    }

    /// Whether a word is passed over in a draw below `n`.
    #[inline]
    pub fn passes(&self, word: u64, n: u64) -> bool {
        match self.below {
            Below::Decimal => word % HUNDRED >= n,
            _ => word > self.last_accepted(n),
        }
    }

    /// The largest word that is accepted, if larger ones are passed over.
    #[inline]
    pub fn last_accepted(&self, n: u64) -> u64 {
        let largest = self.largest(n);
        match self.below {
            Below::Reject => largest - (largest % n + 1) % n,
            Below::RejectLast => largest - largest % n - 1,
            _ => largest,
        }
    }

    /// The answer of an accepted word.
    #[inline]
    pub fn answer(&self, word: u64, n: u64) -> u64 {
        match self.below {
            Below::Scale => self.scaled(word, n),
            Below::Multiply => ((u128::from(word) * u128::from(n)) >> self.bits_below(n)) as u64,
            Below::Modulo | Below::Reject | Below::RejectLast | Below::Digest | Below::Double => word % n,
            Below::Decimal => word % HUNDRED,
            Below::Nearest => rounding::round(word as f64 / (self.largest(n) as f64 / (n - 1) as f64)) as u64,
        }
    }

    /// The number of words of a round with a single digest.
    pub fn words_of_round(&self) -> Option<usize> {
        let one = self.hash.algorithm.size().is_some() && self.read_on.is_none() && !self.has_cursor();
        (one && self.function.is_none()).then_some(self.cut.words)
    }

    /// Whether all words of a round are bytes of its one digest.
    pub fn is_one_digest_of_bytes(&self) -> bool {
        let bytes = self.cut.bits == 8 && !self.cut.by_range && !self.below.is_whole();
        bytes && self.words_of_round().is_some_and(|words| Some(words) == self.hash.algorithm.size())
    }

    /// `n` of [`Below`], checked.
    pub fn check_n(&self, argument: &str, n: i64) -> Result<u64> {
        let words = if self.cut.by_range { u64::MAX } else { u64::MAX >> (64 - self.cut.bits) };
        let most = match self.below {
            Below::Scale | Below::Double => 1 << 53,
            Below::Modulo | Below::Digest => i64::MAX,
            Below::Reject | Below::Multiply | Below::Nearest => {
                words.saturating_add(1).min(i64::MAX as u64) as i64
            }
            // With as many answers as words, all words are passed over.
            Below::RejectLast => words.min(i64::MAX as u64) as i64,
            // Larger answers come from two bytes, these from three.
            Below::Decimal => 256 - 2 * HUNDRED as i64,
        };
        check_range(argument, n, 1, most).map(|n| n as u64)
    }
}

/// The first 16 bytes of a digest.
pub fn fingerprint(digest: &Digest) -> [u64; 2] {
    [digest.word(64, 0), digest.word(64, 1)]
}

/// A scheme, and the fields of rounds.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The scheme.
    pub scheme: &'a Scheme,
    /// The fields of the rounds.
    pub fields: &'a Fields<'a>,
}

impl<'a> Source<'a> {
    /// The seeds of rounds that read whole blocks of the salted rounds' hash, if these do.
    pub fn blocks(&self) -> Option<Seeds<'a>> {
        let Scheme { hash, cut, below, first_cursor, function, .. } = self.scheme;
        let whole = *cut == Cut { bits: 64, by_range: false, words: 8, available: 8 };
        let plain = whole && *below == Below::Scale && *first_cursor == 0 && function.is_none();
        if plain { salted(hash, self.fields) } else { None }
    }

    /// The error of a round that has no further word.
    pub fn ran_out(&self, round: usize) -> Error {
        let Scheme { hash, cut, last_cursor, function, .. } = self.scheme;
        let why = match last_cursor {
            _ if function.is_some() => "needs more words than the function gives".to_owned(),
            Some(u64::MAX) => "needs a cursor above 2**64 - 1".to_owned(),
            Some(last) => format!("needs a cursor above {last}, the last that the template has room for"),
            None if hash.algorithm == Algorithm::Nothing => {
                let words = self.scheme.hash.digest(self.fields, round, 0).words(cut.bits);
                format!("needs more than the {words} words of {} bits that its fields have", cut.bits)
            }
            None => format!(
                "needs more than the {} words of its one digest: no template has {{cursor}}",
                cut.words
            ),
        };
        Error::value(self.fields.name_of(round), why)
    }

    /// Refuses draws without a label if the label is hashed.
    pub fn check_label(&self) -> Result<()> {
        if !self.scheme.has_label || self.fields.label().is_some() {
            return Ok(());
        }
        let problem = "must be called before the first draw, as the scheme's hash has {label}; or give the scheme \
                       defaults={\"label\": ...}";
        Err(Error::value("label", problem).of("draws"))
    }
}

/// The seeds of salted rounds, if the hash is theirs.
pub(super) fn salted<'a>(hash: &Hash, fields: &Fields<'a>) -> Option<Seeds<'a>> {
    let Hash { algorithm: Algorithm::Sha512, message, key: Some(key) } = hash else { return None };
    let [Piece::Hash(key, false)] = &key.0[..] else { return None };
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

/// Reads one round word by word, under any scheme.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The place of the next word: its digest times [`Cut::words`], plus its index there.
    place: u64,
    /// The digest that was read last.
    digest: Option<(DigestId, Digest)>,
    drawn: WordOrigin,
}

/// Where the last word came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordOrigin {
    /// Its digest.
    pub at: DigestId,
    /// The index of the word that was taken.
    pub taken: usize,
    /// The number of bits it has: those of several words if the range of a draw needs them.
    pub bits: u32,
    /// The word.
    pub word: u64,
    /// The words before it that were passed over.
    pub passed: Vec<u64>,
}

impl Reader {
    /// Reads from a place on.
    pub fn at(place: u64) -> Self {
        Self { place, ..Self::default() }
    }

    /// Reads from the beginning of a round whose digest is known.
    pub fn knowing(at: DigestId, digest: Digest) -> Self {
        Self { digest: Some((at, digest)), ..Self::default() }
    }

    /// The place of the next word.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Where the last word came from.
    pub fn drawn(&self) -> &WordOrigin {
        &self.drawn
    }

    /// Skips `count` words.
    pub fn skip(&mut self, count: u64) {
        self.place = self.place.saturating_add(count);
    }

    /// The next word.
    pub fn word(&mut self, source: Source<'_>, round: usize) -> Result<u64> {
        self.join(source, round, 1)
    }

    /// The next number.
    pub fn number(&mut self, source: Source<'_>, round: usize) -> Result<f64> {
        let word = self.join(source, round, source.scheme.words_of_a_number())?;
        Ok(source.scheme.number(word))
    }

    /// The next one of `0..n`.
    pub fn below(&mut self, source: Source<'_>, round: usize, n: u64) -> Result<u64> {
        let scheme = source.scheme;
        let word = match scheme.below {
            rule @ (Below::Digest | Below::Double) => {
                self.word(source, round)?;
                return Ok(self.digest.as_ref().map_or(0, |(_, digest)| rule.of_whole(digest, n)));
            }
            Below::Reject | Below::RejectLast | Below::Decimal if !scheme.cut.by_range => {
                self.accept(source, round, n)?
            }
            Below::Reject | Below::RejectLast => {
                let mut passed = Vec::new();
                loop {
                    let word = self.join(source, round, scheme.words_below(n))?;
                    if !scheme.passes(word, n) {
                        self.drawn.passed = passed;
                        break word;
                    }
                    passed.push(word);
                    if passed.len() as u64 > MOST_PASSED {
                        return Err(self.no_word(source, round, n));
                    }
                }
            }
            _ => self.join(source, round, scheme.words_below(n))?,
        };
        Ok(scheme.answer(word, n))
    }

    /// The next words joined into one, the first as the highest.
    fn join(&mut self, source: Source<'_>, round: usize, count: usize) -> Result<u64> {
        let Cut { bits, words, .. } = source.scheme.cut;
        self.drawn.passed.clear();
        let mut joined = 0;
        for _ in 0..count {
            let (number, index) = (self.place / words as u64, (self.place % words as u64) as usize);
            let at = source.scheme.at(number).ok_or_else(|| source.ran_out(round))?;
            let digest = self.load(source, round, at)?;
            if index >= digest.words(bits) {
                return Err(source.ran_out(round));
            }
            let word = digest.word(bits, index);
            joined = if count == 1 { word } else { joined << bits | word };
            (self.drawn.at, self.drawn.taken) = (at, index);
            self.place += 1;
        }
        (self.drawn.bits, self.drawn.word) = (bits * count as u32, joined);
        Ok(joined)
    }

    /// The next word that isn't passed over, in its digest or where the scheme reads on.
    fn accept(&mut self, source: Source<'_>, round: usize, n: u64) -> Result<u64> {
        let scheme = source.scheme;
        let Cut { bits, words, .. } = scheme.cut;
        let (mut number, mut first) = (self.place / words as u64, (self.place % words as u64) as usize);
        let start = scheme.at(number).ok_or_else(|| source.ran_out(round))?;
        let (mut at, mut passed) = (start, std::mem::take(&mut self.drawn.passed));
        passed.clear();
        // A function's words are made from the first on each time.
        let most = if scheme.function.is_some() { MOST_PASSED / words as u64 } else { MOST_PASSED };
        for digests in 1..=most {
            let digest = self.load(source, round, at)?;
            let available = digest.words(bits);
            if first >= available {
                return Err(source.ran_out(round));
            }
            let found = (first..available).find(|&index| {
                let word = digest.word(bits, index);
                let passes = scheme.passes(word, n);
                if passes {
                    passed.push(word);
                }
                !passes
            });
            if let Some(taken) = found {
                let word = digest.word(bits, taken);
                self.drawn = WordOrigin { at, taken, bits, word, passed };
                let used = if at == start || scheme.is_stream() { (taken + 1).min(words) } else { words };
                self.place = number * words as u64 + used as u64;
                return Ok(word);
            }
            let next = if scheme.is_stream() {
                number += 1;
                scheme.at(number)
            } else {
                scheme.after(start, digests)
            };
            let Some(next) = next else { break };
            (at, first) = (next, 0);
        }
        self.drawn.at = at;
        // Its words were read, and none is left.
        self.place = (number + 1).saturating_mul(words as u64);
        Err(self.no_word(source, round, n))
    }

    fn no_word(&self, source: Source<'_>, round: usize, n: u64) -> Error {
        let passed = match source.scheme.below {
            Below::Decimal => format!("whose last two decimal digits are {n} or more"),
            _ => format!("above {}", source.scheme.last_accepted(n)),
        };
        value_error!(
            source.fields.name_of(round),
            "has no word for one of {n} in the rest of the digest at cursor {}: those {passed} are passed over",
            self.drawn.at.cursor
        )
    }

    /// Loads a digest to read from.
    fn load(&mut self, source: Source<'_>, round: usize, at: DigestId) -> Result<&Digest> {
        if self.digest.as_ref().is_none_or(|known| known.0 != at) {
            let digest = source.scheme.digest(source.fields, round, at, self.digest.take())?;
            self.digest = Some((at, digest));
        }
        Ok(&self.digest.as_ref().expect("the digest that was loaded").1)
    }
}
