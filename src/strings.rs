//! Text arguments, either one for all rounds or one per round, numbers as decimal text, and choices that are words.

use std::fmt;
use std::ops::Range;

use crate::error::{Error, Result};

/// Defines an enum whose variants are written as words.
macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// All variants, in order.
            pub const ALL: &'static [$name; [$($word),+].len()] = &[$($name::$variant,)+];

            /// The word.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }

            /// Parses the word; `argument` names it in errors.
            pub fn parse(argument: &str, text: &str) -> $crate::error::Result<Self> {
                match text {
                    $($word => Ok($name::$variant),)+
                    _ => Err($crate::error::value_error!(
                        argument,
                        "must be one of {}, got {text:?}",
                        [$(concat!("\"", $word, "\"")),+].join(", ")
                    )),
                }
            }
        }
    };
}

pub(crate) use choices;

/// Borrowed texts as bytes, in UTF-8 if they were text in Python.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Copy, Debug)]
pub enum Texts<'a> {
    /// One text for all rounds.
    One(&'a [u8]),
    /// `len` fields of `width` bytes, one per round, padded with NULs at the end (numpy's `S`).
    Fixed { bytes: &'a [u8], width: usize, len: usize },
    /// Concatenated texts; text `i` is `bytes[ends[i]..ends[i + 1]]`.
    Packed { bytes: &'a [u8], ends: &'a [usize] },
    /// The same with Arrow's 32-bit offsets.
    Short { bytes: &'a [u8], ends: &'a [i32] },
    /// The same with Arrow's 64-bit offsets.
    Long { bytes: &'a [u8], ends: &'a [i64] },
    /// A selection: text `i` is text `rows[i]` of another array. A single text there serves all rounds.
    Picked { texts: &'a Texts<'a>, rows: &'a [u32] },
    /// Texts in a container of another crate.
    Foreign(&'a dyn Foreign),
    /// Dictionary-encoded texts: text `i` is text `keys[i]` of the dictionary.
    Keyed { texts: &'a dyn Foreign, keys: &'a [u32] },
}

/// Random access to texts stored by another crate.
pub trait Foreign: Sync + fmt::Debug {
    /// The text at an index.
    fn text(&self, i: usize) -> &[u8];

    /// The number of texts.
    fn count(&self) -> usize;
}

impl<'a> Texts<'a> {
    /// The number of texts, or `None` for one that serves all rounds.
    pub fn len(&self) -> Option<usize> {
        match self {
            Texts::One(_) => None,
            Texts::Fixed { len, .. } => Some(*len),
            Texts::Packed { ends, .. } => Some(ends.len() - 1),
            Texts::Short { ends, .. } => Some(ends.len() - 1),
            Texts::Long { ends, .. } => Some(ends.len() - 1),
            Texts::Picked { rows, .. } => Some(rows.len()),
            Texts::Foreign(texts) => Some(texts.count()),
            Texts::Keyed { keys, .. } => Some(keys.len()),
        }
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The text of round `i`; an array of one text is broadcast.
    #[inline]
    pub fn get(&self, i: usize) -> &'a [u8] {
        match *self {
            Texts::One(text) => text,
            Texts::Fixed { bytes, width, len } => {
                let i = if len == 1 { 0 } else { i };
                trim(&bytes[i * width..(i + 1) * width])
            }
            Texts::Packed { bytes, ends } => {
                let i = if ends.len() == 2 { 0 } else { i };
                &bytes[ends[i]..ends[i + 1]]
            }
            Texts::Short { bytes, ends } => {
                let i = if ends.len() == 2 { 0 } else { i };
                &bytes[ends[i] as usize..ends[i + 1] as usize]
            }
            Texts::Long { bytes, ends } => {
                let i = if ends.len() == 2 { 0 } else { i };
                &bytes[ends[i] as usize..ends[i + 1] as usize]
            }
            Texts::Picked { texts, rows } => texts.picked(rows, i),
            Texts::Foreign(texts) => texts.text(if texts.count() == 1 { 0 } else { i }),
            Texts::Keyed { texts, keys } => {
                let i = if keys.len() == 1 { 0 } else { i };
                texts.text(keys[i] as usize)
            }
        }
    }

    /// Separate from [`Texts::get`], which couldn't be inlined if it called itself.
    fn picked(&self, rows: &[u32], i: usize) -> &'a [u8] {
        let i = if rows.len() == 1 { 0 } else { i };
        self.get(rows[i] as usize)
    }

    /// Replaces equal texts by a single one, which is then hashed only once.
    pub fn narrow(self) -> Self {
        self.same().map_or(self, Self::One)
    }

    /// The text shared by all rounds, found by comparing them.
    pub fn same(&self) -> Option<&'a [u8]> {
        let Some(len) = self.len() else { return Some(self.get(0)) };
        if len == 0 {
            return None;
        }
        let first = self.get(0);
        let same = match self {
            Texts::Keyed { keys, .. } if keys.iter().all(|key| *key == keys[0]) => true,
            _ => (1..len).all(|i| self.get(i) == first),
        };
        same.then_some(first)
    }

    /// Whether consecutive texts are the same, if that can be told by comparing their memory as a whole.
    pub fn repeat(&self, texts: Range<usize>) -> bool {
        let shifted = |bytes: &[u8], by| bytes[by..] == bytes[..bytes.len() - by];
        macro_rules! packed {
            ($bytes:ident, $ends:ident) => {{
                let ends = &$ends[texts.start..=texts.end];
                let width = ends[1] - ends[0];
                ends.windows(2).all(|pair| pair[1] - pair[0] == width)
                    && shifted(&$bytes[ends[0] as usize..ends[ends.len() - 1] as usize], width as usize)
            }};
        }
        match *self {
            _ if texts.is_empty() => true,
            Texts::Fixed { bytes, width, .. } => {
                shifted(&bytes[texts.start * width..texts.end * width], width)
            }
            Texts::Packed { bytes, ends } => packed!(bytes, ends),
            Texts::Short { bytes, ends } => packed!(bytes, ends),
            Texts::Long { bytes, ends } => packed!(bytes, ends),
            _ => false,
        }
    }

    /// The single text that serves all rounds, found without comparing any.
    pub fn constant(&self) -> Option<&'a [u8]> {
        match self.len() {
            None | Some(1) => Some(self.get(0)),
            Some(_) => None,
        }
    }
}

/// Whether two texts are equal. Texts of neighboring rows often share their memory, which is checked first.
#[inline]
pub fn same(one: &[u8], other: &[u8]) -> bool {
    std::ptr::eq(one, other) || one == other
}

/// Strips the NULs with which numpy pads fields of fixed width.
#[inline]
fn trim(field: &[u8]) -> &[u8] {
    match field.last() {
        Some(0) => &field[..field.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)],
        _ => field,
    }
}

/// The number of rounds of arguments with these lengths under numpy's broadcasting rule: lengths are equal,
/// or 1. `None` if all arguments are single values.
pub fn broadcast(lengths: &[(&str, Option<usize>)]) -> Result<Option<usize>> {
    let mut rounds: Option<(&str, usize)> = None;
    for &(name, length) in lengths {
        let Some(length) = length else { continue };
        match rounds {
            None => rounds = Some((name, length)),
            Some((_, 1)) => rounds = Some((name, length)),
            Some((_, other)) if length == other || length == 1 => {}
            Some((first, other)) => {
                return Err(Error::value(
                    name,
                    format_args!(
                        "has {length} elements but {first} has {other}: \
                         arrays must have equal lengths, or length 1"
                    ),
                ));
            }
        }
    }
    Ok(rounds.map(|(_, length)| length))
}

/// Checks that each argument has length 1 or one element per round.
pub fn broadcast_to(rounds: usize, lengths: &[(&str, Option<usize>)]) -> Result<()> {
    for &(name, length) in lengths {
        if let Some(length) = length
            && length != 1
            && length != rounds
        {
            return Err(Error::value(
                name,
                format_args!("must be a single value or one for each of the {rounds} rounds, got {length}"),
            ));
        }
    }
    Ok(())
}

/// The powers of 10 that are doubles.
pub const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The decimal digits of a number, kept without allocation.
#[derive(Clone, Copy)]
pub struct Decimal {
    digits: [u8; 20],
    start: usize,
}

impl Decimal {
    /// No digits.
    pub const EMPTY: Self = Self { digits: [0; 20], start: 20 };

    /// The digits of `number`.
    pub fn new(number: u64) -> Self {
        let mut decimal = Self::EMPTY;
        decimal.set(number);
        decimal
    }

    /// Replaces the digits by those of `number`.
    #[inline]
    pub fn set(&mut self, mut number: u64) {
        self.start = self.digits.len();
        loop {
            self.start -= 1;
            self.digits[self.start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                return;
            }
        }
    }

    /// The digits as text.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.digits[self.start..]
    }
}

/// A published value in hex without `0x` or `0X` in front.
pub fn bare(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"0x").or(text.strip_prefix(b"0X")).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lose_their_padding_only() {
        let texts = Texts::Fixed { bytes: b"ab\0a\0b\0\0\0", width: 3, len: 3 };
        assert_eq!([texts.get(0), texts.get(1), texts.get(2)], [&b"ab"[..], b"a\0b", b""]);
    }

    #[test]
    fn forms_of_the_same_texts() {
        let bytes = b"xabccc";
        let forms = [
            Texts::Fixed { bytes: b"a\0bccc", width: 2, len: 3 },
            Texts::Packed { bytes, ends: &[1, 2, 4, 6] },
            Texts::Short { bytes, ends: &[1, 2, 4, 6] },
            Texts::Long { bytes, ends: &[1, 2, 4, 6] },
        ];
        for texts in forms {
            let all = |texts: &Texts<'_>| -> Vec<Vec<u8>> {
                (0..texts.len().unwrap()).map(|i| texts.get(i).to_vec()).collect()
            };
            assert_eq!(all(&texts), [&b"a"[..], b"bc", b"cc"]);
            let picked = Texts::Picked { texts: &texts, rows: &[2, 0, 2] };
            assert_eq!(all(&picked), [&b"cc"[..], b"a", b"cc"]);
            assert_eq!((texts.same(), picked.same()), (None, None));
            let repeating = [0..0, 1..2, 0..2, 1..3].map(|some| texts.repeat(some));
            assert_eq!(repeating, [true, true, false, false]);
            assert_eq!(Texts::Picked { texts: &texts, rows: &[1, 1, 1] }.same(), Some(&b"bc"[..]));
            let one = Texts::Picked { texts: &texts, rows: &[1] };
            assert_eq!((one.get(7), one.constant()), (&b"bc"[..], Some(&b"bc"[..])));
        }
        let alike = Texts::Packed { bytes: b"ababcdabababab", ends: &[0, 2, 4, 6, 8, 10, 12, 14] };
        assert_eq!([0..2, 0..3, 2..4, 3..7].map(|some| alike.repeat(some)), [true, false, false, true]);
        assert!(Texts::Fixed { bytes: b"a\0a\0", width: 2, len: 2 }.repeat(0..2));
        assert_eq!(Texts::One(b"a").same(), Some(&b"a"[..]));
        assert_eq!(Texts::Packed { bytes, ends: &[0] }.same(), None);
    }

    #[test]
    fn lengths_broadcast_as_in_numpy() {
        let rounds = |lengths: &[Option<usize>]| {
            let named: Vec<_> = lengths.iter().map(|&length| ("salt", length)).collect();
            broadcast(&named).ok()
        };
        assert_eq!(rounds(&[None, None]), Some(None));
        assert_eq!(rounds(&[None, Some(1)]), Some(Some(1)));
        assert_eq!(rounds(&[Some(1), Some(0)]), Some(Some(0)));
        assert_eq!(rounds(&[Some(4), Some(1), None]), Some(Some(4)));
        assert_eq!(rounds(&[Some(4), Some(3)]), None);
        assert_eq!(rounds(&[Some(0), Some(3)]), None);
    }

    #[test]
    fn decimals() {
        for number in [0, 7, 10, 199, u64::MAX] {
            assert_eq!(Decimal::new(number).text(), number.to_string().as_bytes());
        }
    }
}
