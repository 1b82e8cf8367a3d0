//! Fingerprints of cells: equal texts have equal fingerprints, in any type of column.
//!
//! A fingerprint is the first 128 bits of SHA-256. The writer of a log may be hostile, and would need 2^64
//! hashes to find two texts with the same fingerprint. A secret key would make a shorter, faster hash safe; but
//! logs are split among machines, whose fingerprints have to agree.
//!
//! An audit takes fingerprints of several fields in every row, so each common case has a shortcut. Texts of 64
//! hex digits, as most seeds are, would take two blocks; their 32 bytes take one. These are hashed with SHA-224, whose initial state differs, so
//! that no other text gets their fingerprints. Two messages at a time go through the SHA-256 instructions,
//! since a single one waits for their latency. A small cache (`DirectMappedCache`) finds texts that recur, which is
//! most of them. For keys of several fields, the state after the constant beginning is cached as well
//! ([`joined`]).

use std::borrow::Cow;

use sha2::block_api::compress256;
use sha2::{Digest, Sha224, Sha256};

use super::column::{Cell, Column, Valid};
use super::hexadecimal::decode;
use super::interner::ODD;
use super::lists::Items;
use super::number::trim_spaces;
use crate::sha2_lanes::Sha;
use crate::sha2_lanes::sha256::{BLOCK, CONSTANTS, INITIAL, State};
use crate::strings::{self, Decimal, Texts};

/// A 128-bit fingerprint, to be compared in full. Both words are 0 for an empty cell; otherwise neither is.
pub type Fingerprint = [u64; 2];

/// The fingerprint of a text.
#[inline]
pub fn fingerprint(text: &[u8]) -> Fingerprint {
    match packed(text, false) {
        Some(block) => first_words(Sha224::digest(&block[..32]).as_slice()),
        None => first_words(Sha256::digest(text).as_slice()),
    }
}

/// The initial state of SHA-224 (FIPS 180-4, section 5.3.2).
const INITIAL_OF_PACKED: State =
    [0xc105_9ed8, 0x367c_d507, 0x3070_dd17, 0xf70e_5939, 0xffc0_0b31, 0x6858_1511, 0x64f9_8fa7, 0xbefa_4fa4];

/// The padded block of the 32 bytes that 64 hex digits spell, in lowercase unless `capitals` are accepted.
#[inline]
fn packed(text: &[u8], capitals: bool) -> Option<[u8; BLOCK]> {
    let mut block = PADDED;
    block[..32].copy_from_slice(&decode(text, capitals)?);
    Some(block)
}

/// The padded block of a 32-byte message, without the message.
const PADDED: [u8; BLOCK] = {
    let mut block = [0; BLOCK];
    block[32] = 0x80;
    block[BLOCK - 2] = 1;
    block
};

fn first_words(hash: &[u8]) -> Fingerprint {
    // Zero is reserved for empty cells.
    std::array::from_fn(|index| u64::from_be_bytes(hash.as_chunks().0[index]).max(1))
}

/// Appends the padding of a message of `length` bytes.
fn pad(message: &mut Vec<u8>, length: usize) {
    message.push(0x80);
    message.resize((message.len() + 8).next_multiple_of(BLOCK), 0);
    *message.last_chunk_mut().expect("a block") = (8 * length as u64).to_be_bytes();
}

/// The fingerprints of rows, hashed two at a time where the CPU has SHA-256 instructions.
struct FingerprintHasher {
    all: Vec<Fingerprint>,
    sha: Option<Sha>,
    /// The rows waiting to be hashed: each has the state after the beginning of its message, and the padded
    /// rest.
    waiting: usize,
    rows: [usize; 2],
    states: [State; 2],
    rests: [Vec<u8>; 2],
}

impl FingerprintHasher {
    /// Makes room for `rows` fingerprints; `rest` is a template for the rest of each message.
    fn new(rows: usize, rest: &[u8]) -> Self {
        let (all, rests) = (vec![[0; 2]; rows], [rest.to_vec(), rest.to_vec()]);
        Self { all, sha: Sha::new(), waiting: 0, rows: [0; 2], states: [INITIAL; 2], rests }
    }

    /// Queues a row. `write` changes the previous rest into this row's, and returns the state before it.
    #[inline]
    fn push(&mut self, row: usize, write: impl FnOnce(&mut Vec<u8>) -> State) {
        let lane = self.waiting;
        (self.rows[lane], self.states[lane]) = (row, write(&mut self.rests[lane]));
        self.waiting += 1;
        if self.waiting == 2 {
            self.hash();
        }
    }

    /// Copies the fingerprint of an earlier row.
    #[inline]
    fn copy(&mut self, row: usize, earlier: usize) {
        if self.waiting == 1 && self.rows[0] == earlier {
            self.hash();
        }
        self.all[row] = self.all[earlier];
    }

    fn hash(&mut self) {
        let blocks = self.rests.each_ref().map(|rest| rest.as_chunks::<BLOCK>().0);
        let mut common = 0;
        if let (Some(sha), 2) = (self.sha, self.waiting) {
            common = blocks[0].len().min(blocks[1].len());
            for (one, other) in blocks[0].iter().zip(blocks[1]) {
                sha.compress_blocks(&mut self.states, [one, other], &CONSTANTS);
            }
        }
        for ((state, block), &row) in self.states.iter_mut().zip(blocks).zip(&self.rows).take(self.waiting) {
            if block.len() > common {
                compress256(state, &block[common..]);
            }
            self.all[row] = first_words(state.map(u32::to_be_bytes).as_flattened());
        }
        self.waiting = 0;
    }

    fn finish(mut self) -> Vec<Fingerprint> {
        self.hash();
        self.all
    }
}

/// A direct-mapped cache of values by key. Keys that share a slot and alternate evict each other; and after many
/// keys in a row that weren't in it, none is looked for.
struct DirectMappedCache<T, V> {
    slots: Vec<(u64, Option<(T, V)>)>,
    misses: usize,
}

impl<T: Copy, V: Copy> DirectMappedCache<T, V> {
    const SLOTS: usize = 1 << 9;
    const MOST_MISSES: usize = 8 * Self::SLOTS;

    fn new() -> Self {
        Self { slots: vec![(0, None); Self::SLOTS], misses: 0 }
    }

    /// The value of `key`, made if it isn't cached; `same` tells whether a cached key with the same tag
    /// equals it.
    #[inline]
    fn get(
        &mut self,
        tag: impl FnOnce() -> u64,
        key: T,
        same: impl Fn(T) -> bool,
        make: impl FnOnce() -> V,
    ) -> V {
        if self.misses == Self::MOST_MISSES {
            return make();
        }
        let tag = tag();
        let slot = &mut self.slots[(tag.wrapping_mul(ODD) >> 32) as usize % Self::SLOTS];
        match *slot {
            (known, Some((earlier, value))) if known == tag && same(earlier) => {
                self.misses = 0;
                value
            }
            _ => {
                self.misses += 1;
                let value = make();
                *slot = (tag, Some((key, value)));
                value
            }
        }
    }
}

/// The fingerprints of a field.
pub enum FieldPrints<'a> {
    /// The same for all rows.
    Same(Fingerprint),
    /// One for each row.
    Each(Cow<'a, [Fingerprint]>),
}

impl FieldPrints<'_> {
    /// The fingerprint of a row.
    #[inline]
    pub fn at(&self, row: usize) -> Fingerprint {
        match self {
            Self::Same(fingerprint) => *fingerprint,
            Self::Each(fingerprints) => fingerprints[row],
        }
    }
}

/// The fingerprints of several fields together: the hash of their fingerprints; for a single field, its own.
/// Fastest if only the last four fields or fewer change often, since the state after the others is cached.
pub fn joined(mut fields: Vec<FieldPrints<'_>>, rows: usize) -> FieldPrints<'_> {
    if fields.len() == 1 {
        return fields.remove(0);
    }
    // Constant fields are written once.
    let (mut beginning, mut varying) = (Vec::new(), Vec::new());
    for field in &fields {
        let known = match field {
            FieldPrints::Same(known) => *known,
            FieldPrints::Each(all) => {
                varying.push(VaryingField { start: beginning.len(), all });
                [0; 2]
            }
        };
        beginning.extend_from_slice(known.map(u64::to_be_bytes).as_flattened());
    }
    let length = beginning.len();
    pad(&mut beginning, length);
    let rest = beginning.split_off(length.saturating_sub(1) / BLOCK * BLOCK);
    let (begin, end) = varying.split_at(varying.partition_point(|field| field.start < beginning.len()));
    let start = beginning.len();
    let mut state_of = |row| {
        begin.iter().for_each(|field| field.write(row, &mut beginning[field.start..]));
        let mut state = INITIAL;
        compress256(&mut state, beginning.as_chunks().0);
        state
    };
    let hashed = if varying.is_empty() { rows.min(1) } else { rows };
    let mut hashes = FingerprintHasher::new(hashed, &rest);
    let (mut recent, mut states, mut last) = (DirectMappedCache::new(), DirectMappedCache::new(), 0);
    // The latest state, and a row that it is of.
    let mut begun = None;
    for row in 0..hashed {
        if row == 0 || !same(&varying, row - 1, row) {
            last = recent.get(|| tag_of(&varying, row), row, |earlier| same(&varying, earlier, row), || row);
        }
        if last < row {
            hashes.copy(row, last);
            continue;
        }
        let state = match begun {
            Some((earlier, state)) if same(begin, earlier, row) => state,
            _ => {
                states.get(|| tag_of(begin, row), row, |earlier| same(begin, earlier, row), || state_of(row))
            }
        };
        begun = Some((row, state));
        hashes.push(row, |rest| {
            end.iter().for_each(|field| field.write(row, &mut rest[field.start - start..]));
            state
        });
    }
    let found = hashes.finish();
    if varying.is_empty() {
        FieldPrints::Same(found.first().copied().unwrap_or_default())
    } else {
        FieldPrints::Each(found.into())
    }
}

/// A field that varies between rows, and its offset in the hashed message.
struct VaryingField<'a> {
    start: usize,
    all: &'a [Fingerprint],
}

impl VaryingField<'_> {
    #[inline]
    fn write(&self, row: usize, out: &mut [u8]) {
        out[..size_of::<Fingerprint>()].copy_from_slice(self.all[row].map(u64::to_be_bytes).as_flattened());
    }
}

#[inline]
fn same(fields: &[VaryingField<'_>], one: usize, other: usize) -> bool {
    fields.iter().all(|field| field.all[one] == field.all[other])
}

#[inline]
fn tag_of(fields: &[VaryingField<'_>], row: usize) -> u64 {
    fields.iter().fold(0, |tag, field| tag.rotate_left(1) ^ field.all[row][0])
}

/// The first row, and each row that differs from the row before.
pub fn run_starts(fields: &[FieldPrints<'_>], rows: usize) -> Vec<usize> {
    let mut varying: Vec<&[Fingerprint]> = Vec::new();
    for field in fields {
        if let FieldPrints::Each(all) = field {
            varying.push(all);
        }
    }
    let mut starts: Vec<_> = (0..rows.min(1)).collect();
    for from in (1..rows).step_by(ROWS_COMPARED) {
        // Most rows are like the one before, and compared as memory.
        let to = (from + ROWS_COMPARED).min(rows);
        let change =
            |all: &&[Fingerprint]| all[from..to].as_flattened() != all[from - 1..to - 1].as_flattened();
        if varying.iter().any(change) {
            starts.extend((from..to).filter(|&row| varying.iter().any(|all| all[row] != all[row - 1])));
        }
    }
    starts
}

/// The rows that [`run_starts`] compares at once.
const ROWS_COMPARED: usize = 64;

/// The fingerprints of a column's cells; a single one if all are the same text. Numbers have the fingerprint
/// of their digits. For `hexadecimal` text, case, surrounding spaces and `0x` in front are ignored.
pub fn of_column(column: &Column<'_>, rows: usize, hexadecimal: bool) -> Vec<Fingerprint> {
    if let Column::Texts { texts, valid: Valid::All } = column
        && rows > 0
        && let Some(text) = texts.same()
    {
        let mut found = TextPrints::new(1, hexadecimal);
        found.push(0, text);
        return found.hashes.finish();
    }
    if let Column::Texts { texts: Texts::Keyed { texts, keys }, valid: Valid::All } = column
        && texts.count() <= rows
    {
        let mut found = TextPrints::new(texts.count(), hexadecimal);
        (0..texts.count()).for_each(|key| found.push(key, texts.text(key)));
        let found = found.hashes.finish();
        return keys.iter().map(|&key| found[key as usize]).collect();
    }
    let mut found = TextPrints::new(rows, hexadecimal);
    if let Column::Texts { texts, valid: Valid::All } = column {
        (0..rows).for_each(|row| found.push(row, texts.get(row)));
        return found.hashes.finish();
    }
    let mut items = Items::default();
    for row in 0..rows {
        match column.read(row, &mut items) {
            Cell::Text(text) => found.push(row, text),
            cell => found.hashes.all[row] = of_cell(&cell),
        }
    }
    found.hashes.finish()
}

/// Whether what fingerprints of hexadecimal text ignore, such as capitals, occurs in no cell.
pub fn is_folded(column: &Column<'_>, rows: usize) -> bool {
    let folded = |text: &[u8]| {
        let small = text.iter().fold(true, |all, byte| all & !byte.is_ascii_uppercase());
        small && strings::bare(trim_spaces(text)).len() == text.len()
    };
    match column {
        Column::Texts { texts: Texts::Keyed { texts, .. }, .. } if texts.count() <= rows => {
            (0..texts.count()).all(|key| folded(texts.text(key)))
        }
        Column::Texts { texts, .. } => {
            let different = if texts.same().is_some() { rows.min(1) } else { rows };
            (0..different).all(|row| folded(texts.get(row)))
        }
        _ => {
            let mut items = Items::default();
            (0..rows).all(|row| !matches!(column.read(row, &mut items), Cell::Text(text) if !folded(text)))
        }
    }
}

/// Collects the fingerprints of texts.
struct TextPrints<'t> {
    hexadecimal: bool,
    /// The latest text that isn't empty, and its row.
    last: Option<(&'t [u8], usize)>,
    recent: DirectMappedCache<&'t [u8], usize>,
    hashes: FingerprintHasher,
}

impl<'t> TextPrints<'t> {
    fn new(rows: usize, hexadecimal: bool) -> Self {
        let (recent, hashes) = (DirectMappedCache::new(), FingerprintHasher::new(rows, &[]));
        Self { hexadecimal, last: None, recent, hashes }
    }

    #[inline]
    fn push(&mut self, row: usize, text: &'t [u8]) {
        // Most texts are those of the row before.
        if let Some((last, known)) = self.last
            && strings::same(last, text)
        {
            return self.hashes.copy(row, known);
        }
        let trimmed = trim_spaces(text);
        if trimmed.is_empty() {
            return;
        }
        self.last = Some((text, row));
        let text = if self.hexadecimal { strings::bare(trimmed) } else { text };
        let known = self.recent.get(|| tag(text), text, |earlier| earlier == text, || row);
        if known != row {
            return self.hashes.copy(row, known);
        }
        self.hashes.push(row, |out| {
            out.clear();
            if let Some(block) = packed(text, self.hexadecimal) {
                out.extend_from_slice(&block);
                return INITIAL_OF_PACKED;
            }
            out.extend_from_slice(text);
            if self.hexadecimal {
                out.make_ascii_lowercase();
            }
            pad(out, text.len());
            INITIAL
        });
    }
}

/// A cheap tag that tells most texts apart: a mix of both ends and the length.
#[inline]
pub(super) fn tag(text: &[u8]) -> u64 {
    let (first, last) = (text.first_chunk(), text.last_chunk());
    let words = first.zip(last).map(|(first, last)| (u64::from_le_bytes(*first), u64::from_le_bytes(*last)));
    let (first, last) =
        words.unwrap_or_else(|| (text.iter().fold(0, |all, &byte| all << 8 | u64::from(byte)), 0));
    (first ^ last.rotate_left(29)).wrapping_add(text.len() as u64)
}

fn of_cell(cell: &Cell<'_>) -> Fingerprint {
    match *cell {
        Cell::Number(number) => match number.as_whole() {
            Some(whole) => match u64::try_from(whole) {
                Ok(whole) => fingerprint(Decimal::new(whole).text()),
                Err(_) => fingerprint(whole.to_string().as_bytes()),
            },
            None => fingerprint(format!("{number:?}").as_bytes()),
        },
        Cell::Text(text) | Cell::Digits(text) => fingerprint(text),
        Cell::Missing | Cell::List | Cell::Other => [0; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::column::{Numbers, Object};
    use crate::logs::number::Number;

    fn join(fingerprints: impl IntoIterator<Item = Fingerprint>) -> Fingerprint {
        let bytes: Vec<u8> =
            fingerprints.into_iter().flat_map(|one| one.map(u64::to_be_bytes)).flatten().collect();
        fingerprint(&bytes)
    }

    #[test]
    fn fingerprints_are_of_sha_256() {
        // The examples of FIPS 180: "abc", and the empty text.
        assert_eq!(fingerprint(b"abc"), [0xba78_16bf_8f01_cfea, 0x4141_40de_5dae_2223]);
        assert_eq!(fingerprint(b""), [0xe3b0_c442_98fc_1c14, 0x9afb_f4c8_996f_b924]);
        let both = join([fingerprint(b"abc"), fingerprint(b"")]);
        let hex = "ba7816bf8f01cfea414140de5dae2223e3b0c44298fc1c149afbf4c8996fb924";
        assert_eq!(both, fingerprint(&hex::decode(hex).unwrap()));
        assert_ne!(both, join([fingerprint(b""), fingerprint(b"abc")]));
        assert_eq!(first_words(&[0; 32]), [1; 2]);
        // The SHA-224 of the 32 bytes of "abc"'s SHA-256, which no other text shares.
        let digits = hex::encode(Sha256::digest(b"abc"));
        let bytes = Sha224::digest(Sha256::digest(b"abc"));
        assert_eq!(fingerprint(digits.as_bytes()), first_words(&bytes));
        for other in [digits.to_uppercase(), digits.replace('f', "g"), digits[1..].to_owned()] {
            assert_eq!(fingerprint(other.as_bytes()), first_words(&Sha256::digest(&other)), "{other}");
        }
    }

    #[test]
    fn what_came_before_is_told_by_all_of_it() {
        // These share a tag, since their ends are equal.
        let texts: Vec<_> =
            (0..2000).map(|n| format!("salt 1234567 {:04} 12345678", n * n % 7).into_bytes()).collect();
        let objects: Vec<_> = texts.iter().map(|text| Object::Text(text.as_slice().into())).collect();
        let found = of_column(&Column::Objects(&objects), texts.len(), false);
        assert!(texts.iter().zip(&found).all(|(text, found)| fingerprint(text) == *found));
        // Two fields whose tags cancel out.
        let (one, other) = (fingerprint(b"1"), fingerprint(b"2"));
        let fields = |words: [Fingerprint; 3]| FieldPrints::Each(Cow::Owned(words.to_vec()));
        let twisted = [other[0].rotate_right(1), one[1]];
        let joined =
            joined(vec![fields([one, twisted, one]), fields([other, [one[0].rotate_left(1), 5], other])], 3);
        assert_eq!(joined.at(0), join([one, other]));
        assert_eq!(joined.at(1), join([twisted, [one[0].rotate_left(1), 5]]));
        assert_eq!(joined.at(2), joined.at(0));
    }

    /// Covers all lengths around block boundaries, with messages that recur in runs and alternately.
    #[test]
    fn two_at_a_time_are_each_alone() {
        let text = |row: usize| match row % 5 {
            4 => format!("{:064x}", row / 10),
            3 => format!("{:064X}", row / 10),
            _ => "0123456789aBcDeF".repeat(9)[..(row / 3 * 7 + row % 2) % 140].to_owned(),
        };
        let texts: Vec<_> = (0..500).map(text).collect();
        let objects: Vec<_> = texts.iter().map(|text| Object::Text(text.as_bytes().into())).collect();
        for hexadecimal in [false, true] {
            let found = of_column(&Column::Objects(&objects), texts.len(), hexadecimal);
            for (text, found) in texts.iter().zip(found) {
                let text = if hexadecimal { text.to_lowercase() } else { text.clone() };
                assert_eq!(found, if text.is_empty() { [0; 2] } else { fingerprint(text.as_bytes()) });
            }
        }
        for count in 2..12 {
            let column = |field: usize| -> Vec<Fingerprint> {
                (0..300).map(|row| [(row >> field) as u64 * 3, (row % (field + 2)) as u64]).collect()
            };
            let columns: Vec<_> = (0..count).map(column).collect();
            let mut fields: Vec<_> =
                columns.iter().map(|column| FieldPrints::Each(Cow::Borrowed(column.as_slice()))).collect();
            fields[1] = FieldPrints::Same([5, 6]);
            let found = joined(fields, 300);
            (0..300).for_each(|row| {
                let own = |field: usize| if field == 1 { [5, 6] } else { columns[field][row] };
                assert_eq!(found.at(row), join((0..count).map(own)), "{count} {row}");
            });
            let same = (0..count).map(|field| FieldPrints::Same([field as u64; 2])).collect();
            assert_eq!(joined(same, 7).at(6), join((0..count as u64).map(|field| [field; 2])));
        }
    }

    /// Texts that come back after so many others that they aren't looked for.
    #[test]
    fn what_is_not_looked_for_is_hashed_again() {
        let text = |row: usize| format!("seed {}", if row < 6000 { row } else { row % 7 }).into_bytes();
        let texts: Vec<_> = (0..7000).map(text).collect();
        let objects: Vec<_> = texts.iter().map(|text| Object::Text(text.as_slice().into())).collect();
        let found = of_column(&Column::Objects(&objects), texts.len(), false);
        assert!(texts.iter().zip(&found).all(|(text, found)| fingerprint(text) == *found));
        let fields = || FieldPrints::Each(Cow::Borrowed(found.as_slice()));
        let joined = joined(vec![fields(), FieldPrints::Same([1, 2]), fields()], 7000);
        (0..7000).for_each(|row| assert_eq!(joined.at(row), join([found[row], [1, 2], found[row]])));
    }

    #[test]
    fn a_fingerprint_is_the_same_in_every_storage() {
        let ends = [0usize, 1, 3, 3, 5];
        let texts = Column::Texts {
            texts: Texts::Packed { bytes: b"7-1 A", ends: &ends },
            valid: Valid::Flags(&[true, true, true, true]),
        };
        let found = of_column(&texts, 4, false);
        assert_eq!(found, [fingerprint(b"7"), fingerprint(b"-1"), [0; 2], fingerprint(b" A")]);
        assert_eq!(of_column(&texts, 4, true)[3], fingerprint(b"a"));
        assert!(!is_folded(&texts, 4) && is_folded(&texts, 3));
        let numbers = Column::Numbers { numbers: Numbers::I64(&[7, -1]), valid: Valid::All };
        assert_eq!(of_column(&numbers, 2, false), found[..2]);
        assert!(Number::Double(7.0).as_whole() == Some(7));
        let none = Column::Texts { texts: Texts::One(b"x"), valid: Valid::Flags(&[false, true]) };
        assert_eq!(of_column(&none, 2, false), [[0; 2], fingerprint(b"x")]);
    }
}
