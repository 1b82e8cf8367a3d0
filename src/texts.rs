//! Text arguments: one for all rounds, or one for each; and numbers as text.

use crate::error::{Error, Result};

/// Texts as bytes (UTF-8 where they came as text), borrowed from whoever holds them.
#[derive(Clone, Copy, Debug)]
pub enum Texts<'a> {
    /// The same text for every round.
    One(&'a [u8]),
    /// One field of `width` bytes a round, padded with NULs at the end (numpy's `S`).
    Fixed { bytes: &'a [u8], width: usize, len: usize },
    /// Text `i` is `bytes[ends[i]..ends[i + 1]]`.
    Packed { bytes: &'a [u8], ends: &'a [usize] },
}

impl<'a> Texts<'a> {
    /// The number of texts; `None` for one that serves every round.
    pub fn len(&self) -> Option<usize> {
        match self {
            Texts::One(_) => None,
            Texts::Fixed { len, .. } => Some(*len),
            Texts::Packed { ends, .. } => Some(ends.len() - 1),
        }
    }

    /// Whether there are no texts at all.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The text of round `i`; an array of one text serves every round, as in broadcasting.
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
        }
    }

    /// The one text that serves all rounds, where there is just one.
    pub fn constant(&self) -> Option<&'a [u8]> {
        match self.len() {
            None | Some(1) => Some(self.get(0)),
            Some(_) => None,
        }
    }
}

/// Without the NULs that numpy pads fields of fixed width with.
#[inline]
fn trim(field: &[u8]) -> &[u8] {
    match field.last() {
        Some(0) => &field[..field.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)],
        _ => field,
    }
}

/// The number of rounds that arguments of these lengths make together, by numpy's rule: lengths are
/// equal, or 1. `None` when all of them are single values.
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

/// Checks that each argument is one text, or has one for each of so many rounds.
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

/// The decimal digits of a number, without allocation.
#[derive(Clone, Copy)]
pub struct Decimal {
    digits: [u8; 20],
    start: usize,
}

impl Decimal {
    /// No digits.
    pub const EMPTY: Self = Self { digits: [0; 20], start: 20 };

    pub fn new(number: u64) -> Self {
        let mut decimal = Self::EMPTY;
        decimal.set(number);
        decimal
    }

    /// Makes it the digits of another number.
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

    /// Makes it the digits of the next number, which there must be.
    #[inline]
    pub fn increment(&mut self) {
        for digit in self.digits[self.start..].iter_mut().rev() {
            if *digit < b'9' {
                *digit += 1;
                return;
            }
            *digit = b'0';
        }
        self.start -= 1;
        self.digits[self.start] = b'1';
    }

    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.digits[self.start..]
    }
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
        let mut counted = Decimal::new(0);
        for number in 1..=11_000 {
            counted.increment();
            assert_eq!(counted.text(), Decimal::new(number).text());
        }
    }
}
