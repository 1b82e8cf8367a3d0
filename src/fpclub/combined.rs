//! Dice combined from both players: each brings 256 pairs of faces, and the throw is the sum of
//! the two, counted around the six faces.
//!
//! For a fixed face of one player the throw is a permutation of the other player's face, so one
//! uniform player, independent of the other, is enough for uniform throws.

use md5::{Digest, Md5};

use super::{Face, push_digits};
use crate::error::{Error, Result};

/// The pairs of a sequence, and so the throws of a game.
pub const PAIRS: usize = 256;

/// The dice of a sequence.
pub const DICE: usize = 2 * PAIRS;

/// Combines two equally long slices of faces. Values that are no faces give meaningless numbers;
/// see [`check_faces`](super::check_faces).
pub fn combine_into<T: Face>(first: &[T], second: &[T], throws: &mut [T]) -> Result<()> {
    zip_into(first, second, throws, T::combine)
}

/// The faces that complete those of one player to the throws: the inverse of [`combine_into`].
pub fn complete_into<T: Face>(known: &[T], throws: &[T], completing: &mut [T]) -> Result<()> {
    zip_into(known, throws, completing, T::completing)
}

#[inline(always)]
fn zip_into<T: Face>(one: &[T], two: &[T], out: &mut [T], rule: impl Fn(T, T) -> T) -> Result<()> {
    if one.len() != two.len() || one.len() != out.len() {
        let (one, two, out) = (one.len(), two.len(), out.len());
        return Err(Error::value(
            "out",
            format_args!("must be as long as both inputs, got {one}, {two} and {out}"),
        ));
    }
    for ((out, &one), &two) in out.iter_mut().zip(one).zip(two) {
        *out = rule(one, two);
    }
    Ok(())
}

/// Our MD5 generator: the digits of `dice` dice.
///
/// Block number i = 0, 1, 2, ... is the MD5 of `seed:i`, i in decimal. The 16 bytes of each block
/// become dice in order, bytes from 252 up being rejected (see [`push_digits`]).
pub fn md5_digits(seed: &[u8], dice: usize) -> Vec<u8> {
    let prefix = Md5::new_with_prefix(seed).chain_update(b":");
    let mut digits = Vec::with_capacity(dice);
    let mut block = 0u64;
    while digits.len() < dice {
        let bytes = prefix.clone().chain_update(block.to_string()).finalize();
        push_digits(&bytes, dice, &mut digits);
        block += 1;
    }
    digits
}

/// What pressing "Format" makes of typed text: a sequence's digits.
///
/// White space is dropped, digits 1 to 6 stay, every other character becomes its Unicode code
/// point mod 6, plus 1. So a valid sequence passes unchanged, spaced or not, and formatting twice
/// is formatting once. Characters beyond the sequence's length are left off; too few are refused,
/// because anything added would not be the player's.
pub fn format_typed(argument: &str, typed: &str) -> Result<Vec<u8>> {
    let digits: Vec<u8> = typed.chars().filter(|c| !c.is_whitespace()).take(DICE).map(typed_digit).collect();
    if digits.len() < DICE {
        let (count, missing) = (digits.len(), DICE - digits.len());
        return Err(Error::value(
            argument,
            format_args!(
                "must hold {DICE} characters besides white space, got {count}: {missing} more are needed"
            ),
        ));
    }
    Ok(digits)
}

fn typed_digit(character: char) -> u8 {
    match character {
        '1'..='6' => character as u8,
        _ => b'1' + (u32::from(character) % 6) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The printed table's 34 legible cells; 0 where the print lost one.
    const PRINTED: [[u8; 6]; 6] = [
        [2, 3, 4, 5, 0, 1],
        [3, 4, 5, 6, 1, 2],
        [4, 5, 6, 1, 0, 3],
        [5, 6, 1, 2, 3, 4],
        [6, 1, 2, 3, 4, 5],
        [1, 2, 3, 4, 5, 6],
    ];

    fn combined<T: Face + Default>(first: &[T], second: &[T]) -> Vec<T> {
        let mut throws = vec![T::default(); first.len()];
        combine_into(first, second, &mut throws).unwrap();
        throws
    }

    #[test]
    fn the_table_and_the_formula() {
        for a in 1..=6i64 {
            for b in 1..=6i64 {
                let throw = (a + b - 1).rem_euclid(6) + 1;
                assert_eq!(a.combine(b), throw);
                assert_eq!((a as u8).combine(b as u8), throw as u8);
                assert_eq!((a as i8).combine(b as i8), throw as i8);
                assert_eq!((a as u8).completing(throw as u8), b as u8);
                assert_eq!(a.completing(throw), b);
                let printed = PRINTED[a as usize - 1][b as usize - 1];
                assert!(printed == 0 || i64::from(printed) == throw);
            }
        }
    }

    #[test]
    fn the_first_worked_example() {
        assert_eq!(combined(&[3u8, 1], &[4, 5]), [1, 6]);
        assert_eq!(combined(&[3u64, 1], &[4, 5]), [1, 6]);
    }

    #[test]
    fn lengths_must_agree_and_other_values_do_not_panic() {
        assert!(combine_into(&[1u8], &[1, 2], &mut [0]).is_err());
        assert!(combine_into(&[1u8], &[1], &mut [0, 0]).is_err());
        combined(&[i8::MIN, i8::MAX, 0], &[i8::MIN, i8::MAX, -1]);
    }

    #[test]
    fn md5_generator_is_reproducible_and_uniform() {
        assert_eq!(md5_digits(b"a", 0), b"");
        assert_eq!(md5_digits(b"seed", 40)[..10], md5_digits(b"seed", 10)[..]);
        assert_ne!(md5_digits(b"seed", 40), md5_digits(b"Seed", 40));
        let digits = md5_digits(b"many", 60_000);
        let chi_square: f64 = (b'1'..=b'6')
            .map(|face| digits.iter().filter(|&&digit| digit == face).count() as f64)
            .map(|count| (count - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(chi_square < 20.5, "{chi_square}"); // p = 0.001 at 5 degrees of freedom
    }

    #[test]
    fn formatting() {
        let valid: String = "3145".repeat(128);
        assert_eq!(format_typed("typed", &valid).unwrap(), valid.as_bytes());
        let spaced: String = "31 45\r\n\u{a0}".repeat(128);
        assert_eq!(format_typed("typed", &spaced).unwrap(), valid.as_bytes());

        // '0' is 48, 'a' 97, 'ж' 1078: 0 + 1, 1 + 1, 4 + 1.
        let mixed = "0aж6".repeat(200);
        let once = format_typed("typed", &mixed).unwrap();
        assert_eq!(once.len(), DICE);
        assert_eq!(&once[..8], b"12561256");
        assert_eq!(format_typed("typed", std::str::from_utf8(&once).unwrap()).unwrap(), once);

        let error = format_typed("typed", "ab c").unwrap_err().to_string();
        assert_eq!(error, "typed must hold 512 characters besides white space, got 3: 509 more are needed");
    }
}
