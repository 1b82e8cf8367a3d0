//! Fingerprints of cells: the same text has the same one, whatever holds it.

use std::borrow::Cow;

use super::column::{Cell, Column, Valid};
use super::lists::Items;
use super::number::trim_spaces;
use crate::texts::{Decimal, Near, Texts};

/// 128 bits; both words are 0 where there is nothing in a cell.
pub type Print = [u64; 2];

/// The same as a pair, which stays in registers: a processor reads both words of memory at once only when both
/// have long been written.
type Words = (u64, u64);

/// Texts that are copied together.
const ROWS_NEAR: usize = 128;

/// Digits of the square roots of 2, 3, 5 and 7, made odd.
const MIXERS: [u64; 4] =
    [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

/// The fingerprint of a text. It isn't a cryptographic hash: whoever chooses texts can make two of one print.
#[inline]
pub fn print(text: &[u8]) -> Print {
    words_of(text).into()
}

fn words_of(text: &[u8]) -> Words {
    let mut state = [MIXERS[0] ^ text.len() as u64, MIXERS[1]];
    let (whole, rest) = text.as_chunks::<16>();
    for block in whole {
        let (one, other) = (word(block, 0), word(block, 8));
        mix(&mut state, one, other);
    }
    if !rest.is_empty() {
        // What was taken in before comes again where the text is long enough: its length is known.
        let length = text.len();
        let (one, other) = match length {
            16.. => (word(text, length - 16), word(text, length - 8)),
            8.. => (word(text, 0), word(text, length - 8)),
            4.. => (half(text, 0), half(text, length - 4)),
            _ => (u64::from(text[0]) << 8 | u64::from(text[length / 2]), u64::from(text[length - 1])),
        };
        mix(&mut state, one, other);
    }
    finish(state).into()
}

/// The fingerprint of several cells together.
#[inline]
pub fn join(one: Print, other: Print) -> Print {
    let mut state = one;
    mix(&mut state, other[0], other[1]);
    finish(state)
}

fn join_all(prints: impl IntoIterator<Item = Print>) -> Print {
    prints.into_iter().fold([0; 2], join)
}

/// Eight bytes of a text, from one of them on.
#[inline]
fn word(text: &[u8], from: usize) -> u64 {
    text[from..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Four bytes of a text.
#[inline]
fn half(text: &[u8], from: usize) -> u64 {
    text[from..].first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)))
}

/// Takes in two words: nothing of them or of the state is lost where a factor happens to be 0.
#[inline]
fn mix(state: &mut [u64; 2], one: u64, other: u64) {
    let product = u128::from(state[0] ^ one) * u128::from((state[1] ^ other) | 1);
    state[0] = (product as u64).rotate_left(23).wrapping_add(other ^ MIXERS[2]);
    state[1] = state[1].wrapping_mul(MIXERS[3]) ^ (product >> 64) as u64 ^ one.rotate_left(32);
}

#[inline]
fn finish(mut state: [u64; 2]) -> Print {
    mix(&mut state, MIXERS[3], MIXERS[2]);
    mix(&mut state, MIXERS[1], MIXERS[0]);
    // 0 stands for nothing.
    if state == [0; 2] { [1; 2] } else { state }
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
    let at = |row| join_all(fields.iter().map(|field| field.at(row)));
    if !fields.iter().any(|field| matches!(field, Field::Each(_))) {
        return Field::Same(at(0));
    }
    let mut last = [0; 2];
    let each = changes(&fields, rows).into_iter().enumerate().map(|(row, changes)| {
        if changes {
            last = at(row);
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
            (0..texts.count()).map(|key| of_text(texts.text(key), hexadecimal).into()).collect();
        return keys.iter().map(|&key| prints[key as usize]).collect();
    }
    let mut prints = Vec::with_capacity(rows);
    if let Column::Texts { texts, valid: Valid::All } = column {
        let mut near = Near::default();
        for start in (0..rows).step_by(ROWS_NEAR) {
            let some = rows.min(start + ROWS_NEAR) - start;
            let (texts, first) = near.copy(texts, start, some).map_or((*texts, start), |near| (near, 0));
            let mut last = Last::default();
            prints.extend((first..first + some).map(|row| last.print(texts.get(row), hexadecimal)));
        }
        return prints;
    }
    let (mut items, mut last) = (Items::default(), Last::default());
    prints.extend((0..rows).map(|row| match column.read(row, &mut items) {
        Cell::Text(text) => last.print(text, hexadecimal),
        cell => of_cell(&cell),
    }));
    prints
}

/// The text that came last, which often comes again.
#[derive(Default)]
struct Last<'a> {
    text: &'a [u8],
    words: Words,
}

impl<'a> Last<'a> {
    #[inline]
    fn print(&mut self, text: &'a [u8], hexadecimal: bool) -> Print {
        let words = if text == self.text { self.words } else { of_text(text, hexadecimal) };
        *self = Self { text, words };
        words.into()
    }
}

#[inline]
fn of_text(text: &[u8], hexadecimal: bool) -> Words {
    let ends = [text.first(), text.last()];
    let bare = ends.iter().all(|end| end.is_some_and(u8::is_ascii_graphic));
    let trimmed = if bare { text } else { trim_spaces(text) };
    match (trimmed.is_empty(), hexadecimal) {
        (true, _) => (0, 0),
        (false, false) => words_of(text),
        (false, true) if trimmed.iter().fold(false, |any, byte| any | byte.is_ascii_uppercase()) => {
            words_of(&trimmed.to_ascii_lowercase())
        }
        (false, true) => words_of(trimmed),
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
    use std::collections::HashSet;

    use super::*;
    use crate::logs::column::Numbers;
    use crate::logs::number::Number;

    #[test]
    fn different_texts_have_different_prints() {
        let mut found = HashSet::new();
        let mut words = [HashSet::new(), HashSet::new()];
        let mut texts: Vec<Vec<u8>> = (0..200_000).map(|n| format!("salt {n}").into_bytes()).collect();
        texts.extend((0..100_000).map(|n| format!("{n:064x}").into_bytes()));
        texts.extend((1..300).map(|n| vec![0; n]));
        texts.extend((1..300).map(|n| vec![b'a'; n]));
        for text in &texts {
            let print = print(text);
            assert!(print != [0; 2]);
            found.insert(print);
            words[0].insert(print[0]);
            words[1].insert(print[1]);
            // Half of the bits are set, more or less.
        }
        assert_eq!(found.len(), texts.len());
        assert_eq!([words[0].len(), words[1].len()], [texts.len(); 2]);
        let joined: HashSet<_> = (0..1000u32)
            .flat_map(|a| (0..100u32).map(move |b| join(print(&a.to_le_bytes()), print(&b.to_le_bytes()))))
            .collect();
        assert_eq!(joined.len(), 100_000);
    }

    #[test]
    fn every_bit_of_a_print_is_set_in_half_of_them() {
        let mut counts = [0u32; 128];
        for n in 0..10_000 {
            let [high, low] = print(format!("{n}").as_bytes());
            let bits = u128::from(high) << 64 | u128::from(low);
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += (bits >> bit & 1) as u32;
            }
        }
        assert!(counts.iter().all(|count| (4700..5300).contains(count)), "{counts:?}");
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
