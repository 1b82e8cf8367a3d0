//! Fingerprints of cells: the same text has the same one, whatever holds it.
//!
//! They are the first 128 bits of SHA-256: whoever writes a log can't choose texts of one fingerprint, which takes
//! 2^64 hashes. They have no key, so that those of several machines go together.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::column::{Cell, Column, Valid};
use super::lists::Items;
use super::number::trim_spaces;
use super::table::ODD;
use crate::texts::{Decimal, Texts};

/// 128 bits, to be compared as a whole; both words are 0 where there is nothing in a cell, and else neither is.
pub type Print = [u64; 2];

/// The fingerprint of a text.
#[inline]
pub fn print(text: &[u8]) -> Print {
    first_words(Sha256::digest(text).as_slice())
}

/// The fingerprint of several cells together, each of which has one.
fn join(prints: impl IntoIterator<Item = Print>) -> Print {
    let mut hash = Sha256::new();
    for print in prints {
        hash.update(print.map(u64::to_be_bytes).as_flattened());
    }
    first_words(hash.finalize().as_slice())
}

fn first_words(hash: &[u8]) -> Print {
    // 0 stands for nothing.
    std::array::from_fn(|index| u64::from_be_bytes(hash.as_chunks().0[index]).max(1))
}

/// The latest fingerprints, since many come again: where texts of one slot come by turns, each is hashed again.
struct Recent<T>(Vec<(u64, Option<T>, Print)>);

impl<T: Copy> Recent<T> {
    const SLOTS: usize = 1 << 9;

    fn new() -> Self {
        Self(vec![(0, None, [0; 2]); Self::SLOTS])
    }

    /// The fingerprint of something, which has this tag; `same` tells whether it is what had the tag before.
    #[inline]
    fn get(&mut self, tag: u64, what: T, same: impl Fn(T) -> bool, make: impl FnOnce() -> Print) -> Print {
        let slot = &mut self.0[(tag.wrapping_mul(ODD) >> 32) as usize % Self::SLOTS];
        match *slot {
            (known, Some(earlier), print) if known == tag && same(earlier) => print,
            _ => {
                *slot = (tag, Some(what), make());
                slot.2
            }
        }
    }
}

/// The fingerprints of a field.
pub enum Field<'a> {
    /// The same in all rows.
    Same(Print),
    Each(Cow<'a, [Print]>),
}

impl Field<'_> {
    #[inline]
    pub fn at(&self, row: usize) -> Print {
        match self {
            Self::Same(print) => *print,
            Self::Each(prints) => prints[row],
        }
    }
}

/// The fingerprints of several fields together; of one field, its own.
pub fn joined(mut fields: Vec<Field<'_>>, rows: usize) -> Field<'_> {
    if fields.len() == 1 {
        return fields.remove(0);
    }
    let at = |row| fields.iter().map(move |field| field.at(row));
    if !fields.iter().any(|field| matches!(field, Field::Each(_))) {
        return Field::Same(join(at(0)));
    }
    let (mut recent, mut last) = (Recent::new(), [0; 2]);
    let each = changes(&fields, rows).into_iter().enumerate().map(|(row, changes)| {
        if changes {
            let tag = at(row).fold(0, |tag: u64, print| tag.rotate_left(1) ^ print[0]);
            last = recent.get(tag, row, |earlier| at(earlier).eq(at(row)), || join(at(row)));
        }
        last
    });
    Field::Each(each.collect())
}

/// The first row, and each row that doesn't have what the row before has.
pub fn runs(fields: &[Field<'_>], rows: usize) -> Vec<usize> {
    changes(fields, rows)
        .into_iter()
        .enumerate()
        .filter(|(_, changes)| *changes)
        .map(|(row, _)| row)
        .collect()
}

/// Whether rows don't have what the row before has.
fn changes(fields: &[Field<'_>], rows: usize) -> Vec<bool> {
    let mut changes = vec![false; rows];
    for field in fields {
        if let Field::Each(prints) = field {
            for (changes, pair) in changes.iter_mut().skip(1).zip(prints.windows(2)) {
                *changes |= pair[0] != pair[1];
            }
        }
    }
    if let Some(first) = changes.first_mut() {
        *first = true;
    }
    changes
}

/// The fingerprints of a column's cells. Numbers have that of their digits; of text in hexadecimal, neither
/// case nor spaces around it count.
pub fn prints(column: &Column<'_>, rows: usize, hexadecimal: bool) -> Vec<Print> {
    if let Column::Texts { texts: Texts::Keyed { texts, keys }, valid: Valid::All } = column
        && texts.count() <= rows
    {
        let prints: Vec<Print> =
            (0..texts.count()).map(|key| of_text(texts.text(key), hexadecimal)).collect();
        return keys.iter().map(|&key| prints[key as usize]).collect();
    }
    let mut recent = Recent::new();
    let mut of_recent =
        |text| recent.get(tag(text), text, |earlier| earlier == text, || of_text(text, hexadecimal));
    if let Column::Texts { texts, valid: Valid::All } = column {
        return (0..rows).map(|row| of_recent(texts.get(row))).collect();
    }
    let mut items = Items::default();
    let print = |row| match column.read(row, &mut items) {
        Cell::Text(text) => of_recent(text),
        cell => of_cell(&cell),
    };
    (0..rows).map(print).collect()
}

/// What tells most texts apart: their ends.
#[inline]
fn tag(text: &[u8]) -> u64 {
    let (first, last) = (text.first_chunk(), text.last_chunk());
    let words = first.zip(last).map(|(first, last)| (u64::from_le_bytes(*first), u64::from_le_bytes(*last)));
    let (first, last) =
        words.unwrap_or_else(|| (text.iter().fold(0, |all, &byte| all << 8 | u64::from(byte)), 0));
    (first ^ last.rotate_left(29)).wrapping_add(text.len() as u64)
}

fn of_text(text: &[u8], hexadecimal: bool) -> Print {
    let trimmed = trim_spaces(text);
    match (trimmed.is_empty(), hexadecimal) {
        (true, _) => [0; 2],
        (false, false) => print(text),
        (false, true) if trimmed.iter().any(u8::is_ascii_uppercase) => print(&trimmed.to_ascii_lowercase()),
        (false, true) => print(trimmed),
    }
}

fn of_cell(cell: &Cell<'_>) -> Print {
    match *cell {
        Cell::Number(number) => match number.as_whole() {
            Some(whole) => match u64::try_from(whole) {
                Ok(whole) => print(Decimal::new(whole).text()),
                Err(_) => print(whole.to_string().as_bytes()),
            },
            None => print(format!("{number:?}").as_bytes()),
        },
        Cell::Text(text) | Cell::Digits(text) => print(text),
        Cell::Missing | Cell::List | Cell::Other => [0; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::column::{Numbers, Object};
    use crate::logs::number::Number;

    #[test]
    fn prints_are_of_sha_256() {
        // The examples of FIPS 180: of "abc", and of no text.
        assert_eq!(print(b"abc"), [0xba78_16bf_8f01_cfea, 0x4141_40de_5dae_2223]);
        assert_eq!(print(b""), [0xe3b0_c442_98fc_1c14, 0x9afb_f4c8_996f_b924]);
        let both = join([print(b"abc"), print(b"")]);
        let hex = "ba7816bf8f01cfea414140de5dae2223e3b0c44298fc1c149afbf4c8996fb924";
        assert_eq!(both, print(&hex::decode(hex).unwrap()));
        assert_ne!(both, join([print(b""), print(b"abc")]));
        assert_eq!(first_words(&[0; 32]), [1; 2]);
    }

    #[test]
    fn what_came_before_is_told_by_all_of_it() {
        // One tag, since their ends are the same.
        let texts: Vec<_> =
            (0..2000).map(|n| format!("salt 1234567 {:04} 12345678", n * n % 7).into_bytes()).collect();
        let objects: Vec<_> = texts.iter().map(|text| Object::Text(text.as_slice().into())).collect();
        let found = prints(&Column::Objects(&objects), texts.len(), false);
        assert!(texts.iter().zip(&found).all(|(text, found)| print(text) == *found));
        // Two fields whose tags cancel.
        let (one, other) = (print(b"1"), print(b"2"));
        let fields = |words: [Print; 3]| Field::Each(Cow::Owned(words.to_vec()));
        let twisted = [other[0].rotate_right(1), one[1]];
        let joined =
            joined(vec![fields([one, twisted, one]), fields([other, [one[0].rotate_left(1), 5], other])], 3);
        assert_eq!(joined.at(0), join([one, other]));
        assert_eq!(joined.at(1), join([twisted, [one[0].rotate_left(1), 5]]));
        assert_eq!(joined.at(2), joined.at(0));
    }

    #[test]
    fn a_print_is_the_same_in_every_storage() {
        let ends = [0usize, 1, 3, 3, 5];
        let texts = Column::Texts {
            texts: Texts::Packed { bytes: b"7-1 A", ends: &ends },
            valid: Valid::Flags(&[true, true, true, true]),
        };
        let found = prints(&texts, 4, false);
        assert_eq!(found, [print(b"7"), print(b"-1"), [0; 2], print(b" A")]);
        assert_eq!(prints(&texts, 4, true)[3], print(b"a"));
        let numbers = Column::Numbers { numbers: Numbers::I64(&[7, -1]), valid: Valid::All };
        assert_eq!(prints(&numbers, 2, false), found[..2]);
        assert!(Number::Double(7.0).as_whole() == Some(7));
        let none = Column::Texts { texts: Texts::One(b"x"), valid: Valid::Flags(&[false, true]) };
        assert_eq!(prints(&none, 2, false), [[0; 2], print(b"x")]);
    }
}
