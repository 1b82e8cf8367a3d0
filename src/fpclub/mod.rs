//! FPClub's backgammon dice, both ways: combined from the two players' sequences, and generated
//! ahead with a published hash.
//!
//! A die shows a *face*, an integer from 1 to 6. A sequence of dice is also written as text, one
//! ASCII *digit* `1` to `6` per die; hashes are taken of that text.

pub mod combined;
pub mod hashed;
pub mod verify;

use crate::error::{Error, Result};

/// An integer type that can hold a face.
pub trait Face: Copy + std::fmt::Display {
    /// Whether the value is one of 1 to 6.
    fn is_face(self) -> bool;
    /// The face the two players' faces combine to: `(self + other - 1) mod 6 + 1`.
    fn combine(self, other: Self) -> Self;
    /// The one face that, combined with `self`, gives `throw`.
    fn completing(self, throw: Self) -> Self;
}

macro_rules! impl_face {
    ($($integer:ty)*) => {$(
        impl Face for $integer {
            #[inline(always)]
            fn is_face(self) -> bool {
                (1..=6).contains(&self)
            }

            // Two faces add up to 2..=12, so the division is one conditional subtraction, which
            // vectorizes. Wrapping arithmetic: a value that is no face gives a meaningless number,
            // never a panic.
            #[inline(always)]
            fn combine(self, other: Self) -> Self {
                let sum = self.wrapping_add(other);
                if sum > 6 { sum.wrapping_sub(6) } else { sum }
            }

            #[inline(always)]
            fn completing(self, throw: Self) -> Self {
                let difference = throw.wrapping_sub(self);
                if throw > self { difference } else { difference.wrapping_add(6) }
            }
        }
    )*};
}
impl_face!(u8 i8 u16 i16 u32 i32 u64 i64);

/// Checks that all values are faces. `shape` is the array's, in C order, for the error's index.
pub fn check_faces<T: Face>(argument: &str, values: &[T], shape: &[usize]) -> Result<()> {
    // Block by block: inside a block there is no early exit, so it vectorizes.
    const BLOCK: usize = 4096;
    let faces = |block: &[T]| block.iter().fold(true, |all, value| all & value.is_face());
    let Some(block) = values.chunks(BLOCK).position(|block| !faces(block)) else {
        return Ok(());
    };
    let start = block * BLOCK;
    let index = start + values[start..].iter().position(|value| !value.is_face()).unwrap_or(0);
    let problem = format!("must be a face from 1 to 6, got {}", values[index]);
    Err(Error::value(argument, problem).at_index(unravel(index, shape)))
}

/// The index in each dimension of a flat index into an array of that shape; of a single number, none.
fn unravel(mut index: usize, shape: &[usize]) -> Vec<usize> {
    let mut indices = Vec::with_capacity(shape.len());
    for &length in shape.iter().rev() {
        indices.push(index % length);
        index /= length;
    }
    indices.reverse();
    indices
}

/// Appends dice made of random bytes to `digits` until it holds `dice` of them or the bytes end.
///
/// A byte from 252 up is thrown away; the rest, 42 x 6 values, give `byte mod 6 + 1`. Without
/// that rejection 1 to 4 would come a little more often than 5 and 6.
pub fn push_digits(bytes: &[u8], dice: usize, digits: &mut Vec<u8>) {
    let wanted = dice.saturating_sub(digits.len());
    let accepted = bytes.iter().filter(|&&byte| byte < 252).take(wanted);
    digits.extend(accepted.map(|byte| b'1' + byte % 6));
}

/// Reads dice from text: digits 1 to 6 with any white space, after a byte order mark or none.
///
/// `dice` is how many there must be, if that is fixed. Errors name line and column.
pub fn parse_digits(argument: &str, text: &[u8], dice: Option<usize>) -> Result<Vec<u8>> {
    let (digits, surplus) = scan_digits(text, dice.unwrap_or(usize::MAX))
        .map_err(|offset| error_at(argument, text, offset, digit_expected(text, offset)))?;
    let Some(dice) = dice else { return Ok(digits) };
    match surplus {
        Some(offset) => {
            Err(error_at(argument, text, offset, format_args!("must end: it holds more than {dice} digits")))
        }
        None if digits.len() < dice => Err(error_at(
            argument,
            text,
            text.len(),
            format_args!("must go on: it ends after {} digits of {dice}", digits.len()),
        )),
        None => Ok(digits),
    }
}

/// The first digits up to `most`, and where the next one is; or where something else is.
fn scan_digits(text: &[u8], most: usize) -> std::result::Result<(Vec<u8>, Option<usize>), usize> {
    let mut digits = Vec::new();
    let mut surplus = None;
    for (offset, &byte) in text.iter().enumerate().skip(byte_order_mark(text)) {
        match byte {
            b'1'..=b'6' if digits.len() < most => digits.push(byte),
            b'1'..=b'6' => surplus = surplus.or(Some(offset)),
            _ if is_space(byte) => {}
            _ => return Err(offset),
        }
    }
    Ok((digits, surplus))
}

/// What is wrong where there is something else than a digit.
fn digit_expected(text: &[u8], offset: usize) -> String {
    format!("must be a digit from 1 to 6 or white space, got {}", found(text, offset))
}

/// The length of a UTF-8 byte order mark in front, which Windows editors write.
fn byte_order_mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// ASCII white space as Python's `bytes.isspace` has it.
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// An error about one place of a text.
fn error_at(argument: &str, text: &[u8], offset: usize, message: impl std::fmt::Display) -> Error {
    let (line, column) = position(text, offset);
    Error::value(argument, format_args!("line {line}, column {column} {message}"))
}

/// Line and column of a byte offset, both from 1, columns in characters.
/// A line ends with a line feed, a carriage return, or both.
fn position(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[byte_order_mark(text).min(offset)..offset];
    let (mut line, mut column, mut previous) = (1, 1, 0);
    for &byte in before {
        match byte {
            b'\n' if previous == b'\r' => {}
            b'\n' | b'\r' => (line, column) = (line + 1, 1),
            // The later bytes of a UTF-8 character.
            0x80..=0xbf => {}
            _ => column += 1,
        }
        previous = byte;
    }
    (line, column)
}

/// What is at an offset, for messages.
fn found(text: &[u8], offset: usize) -> String {
    let rest = &text[offset..text.len().min(offset + 4)];
    let valid = match std::str::from_utf8(rest) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or(""),
    };
    match (valid.chars().next(), rest.first()) {
        (Some(character), _) => format!("{character:?}"),
        (None, Some(byte)) => format!("the byte 0x{byte:02x}, which is not UTF-8"),
        (None, None) => "the end".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_checked_and_the_first_wrong_one_is_named() {
        assert!(check_faces::<u8>("first", &[], &[0]).is_ok());
        assert!(check_faces("first", &[1u8, 2, 3, 4, 5, 6], &[6]).is_ok());
        let mut values = vec![3i64; 10_000];
        values[7001] = -4;
        values[9000] = 7;
        let error = check_faces("second", &values, &[100, 100]).unwrap_err();
        assert_eq!(error.to_string(), "second[70, 1] must be a face from 1 to 6, got -4");
        let error = check_faces("first", &[u64::MAX], &[]).unwrap_err();
        assert_eq!(error.to_string(), "first must be a face from 1 to 6, got 18446744073709551615");
    }

    #[test]
    fn bytes_become_dice_by_rejection() {
        let mut digits = Vec::new();
        push_digits(&[0, 5, 6, 251, 252, 253, 254, 255, 1], 100, &mut digits);
        assert_eq!(digits, b"16162");
        push_digits(&[0, 0, 0], 6, &mut digits);
        assert_eq!(digits, b"161621");

        // Every face comes from equally many byte values.
        let all: Vec<u8> = (0..=255).collect();
        let mut digits = Vec::new();
        push_digits(&all, 256, &mut digits);
        for face in b'1'..=b'6' {
            assert_eq!(digits.iter().filter(|&&digit| digit == face).count(), 42);
        }
    }

    #[test]
    fn digits_are_read_and_errors_are_placed() {
        assert_eq!(parse_digits("file", b" 12\t34\r\n56 \x0b\x0c", None).unwrap(), b"123456");
        assert_eq!(parse_digits("file", b"\xef\xbb\xbf12", None).unwrap(), b"12");
        assert_eq!(parse_digits("file", b"", None).unwrap(), b"");
        assert_eq!(parse_digits("file", b"12 34\n56\n", Some(6)).unwrap(), b"123456");

        let message = |text: &[u8], dice| parse_digits("file", text, dice).unwrap_err().to_string();
        assert_eq!(
            message(b"12\r\n3\r45\n67", None),
            "file line 4, column 2 must be a digit from 1 to 6 or white space, got '7'"
        );
        assert_eq!(
            message("1é".as_bytes(), None),
            "file line 1, column 2 must be a digit from 1 to 6 or white space, got 'é'"
        );
        assert_eq!(
            message(b"\xff\xfe1\x002\x00", None),
            "file line 1, column 1 must be a digit from 1 to 6 or white space, got the byte 0xff, which is not UTF-8"
        );
        assert_eq!(
            message(b"12 34\n56", Some(4)),
            "file line 2, column 1 must end: it holds more than 4 digits"
        );
        assert_eq!(
            message(b"12 34\n56\n", Some(8)),
            "file line 3, column 1 must go on: it ends after 6 digits of 8"
        );
    }
}
