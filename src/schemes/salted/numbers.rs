//! 64 bytes to eight numbers in `[0, 1)`, in IEEE doubles as JavaScript computes them.

/// The largest double below 1.
pub const LARGEST: f64 = 1.0 - f64::EPSILON / 2.0;

/// The number of eight bytes, given as one big-endian word.
///
/// The sum `b1/256 + b2/256^2 + ... + b8/256^8`, from left to right. The first six terms (48 bits) add up without
/// rounding; each of the last two additions rounds once. Eight bytes of 0xff would give 1.0, which the scheme rules
/// out: the result is then the largest double below 1.
#[inline]
pub fn number(word: u64) -> f64 {
    Doubles::number(word)
}

/// `floor(number * n)`, in `0..n`.
#[inline]
pub fn below(word: u64, n: u64) -> u64 {
    Doubles::below(word, n)
}

/// The conversion of a word of eight `DIGIT`-bit digits to a number, in floats of `PRECISION` bits.
///
/// The scheme is [`Doubles`]. Smaller pipelines round at the same steps and have so few words that a test can try
/// all of them.
pub struct Pipeline<const DIGIT: u32, const PRECISION: u32>;

/// The scheme's own pipeline: eight bytes, IEEE doubles.
pub type Doubles = Pipeline<8, 53>;

impl<const DIGIT: u32, const PRECISION: u32> Pipeline<DIGIT, PRECISION> {
    /// The number of words.
    pub const WORDS: u128 = 1 << (8 * DIGIT);

    const LAST: u64 = (Self::WORDS - 1) as u64;

    /// See [`number`].
    #[inline]
    pub fn number(word: u64) -> f64 {
        let scale = const { 1.0 / (1u64 << DIGIT) as f64 };
        let scale_6 = const { 1.0 / (1u64 << (6 * DIGIT)) as f64 };
        let digit = const { (1 << DIGIT) - 1 };
        let first_six = (word >> (2 * DIGIT)) as f64 * scale_6;
        let first_seven = Self::round(first_six + ((word >> DIGIT) & digit) as f64 * (scale_6 * scale));
        let sum = Self::round(first_seven + (word & digit) as f64 * (scale_6 * scale * scale));
        sum.min(const { 1.0 - 1.0 / (1u64 << PRECISION) as f64 })
    }

    /// See [`below`].
    #[inline]
    pub fn below(word: u64, n: u64) -> u64 {
        // Rounding moves the number by at most 2^-PRECISION (two sums, half of that each), and the product by at
        // most n times as much again. If the exact product is further than that from the nearest integers, its floor
        // is the answer.
        let product = u128::from(word) * u128::from(n);
        let (whole, part) = ((product >> (8 * DIGIT)) as u64, product as u64 & Self::LAST);
        if n < 1 << (PRECISION - 2) {
            let slack = n << (8 * DIGIT + 1 - PRECISION);
            if part.wrapping_sub(slack) & Self::LAST <= Self::LAST - 2 * slack {
                return whole;
            }
        }
        Self::below_rounded(word, n)
    }

    /// [`below`], computed step by step.
    #[cold]
    fn below_rounded(word: u64, n: u64) -> u64 {
        Self::round(Self::number(word) * n as f64) as u64
    }

    /// Rounds a result to the precision: a double needs no rounding, shorter floats get Veltkamp's splitting.
    #[inline]
    fn round(x: f64) -> f64 {
        if PRECISION == 53 {
            return x;
        }
        let shifted = x * const { ((1u64 << (53 - PRECISION)) + 1) as f64 };
        shifted - (shifted - x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scheme's pseudocode, line by line.
    fn slow(word: u64) -> f64 {
        let (mut value, mut power) = (0.0, 256.0);
        for byte in word.to_be_bytes() {
            value += f64::from(byte) / power;
            power *= 256.0;
        }
        value
    }

    #[test]
    fn equals_the_sum_of_eight_terms() {
        let mut word = 0x0123_4567_89ab_cdefu64;
        for i in 0..200_000u64 {
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            for candidate in [word, u64::MAX << (i % 64), word | 0xffff, i, word << 11 | 0x400] {
                assert_eq!(number(candidate), slow(candidate).min(LARGEST), "{candidate:016x}");
            }
        }
    }

    #[test]
    fn stays_below_one() {
        assert_eq!(slow(u64::MAX), 1.0);
        assert_eq!(number(u64::MAX), LARGEST);
        for n in [1, 2, 25, 54, 10_001, 1_000_000, (1 << 53) - 1, 1 << 53] {
            assert_eq!(below(u64::MAX, n), n - 1);
            assert_eq!(below(0, n), 0);
        }
    }

    #[test]
    fn the_short_way_to_an_integer_equals_the_long_one() {
        type Small = Pipeline<2, 13>;
        for n in (0..70).chain([100, 1000, (1 << 11) - 1, 1 << 11, 1 << 12]) {
            for word in 0..Small::WORDS as u64 {
                assert_eq!(Small::below(word, n), Small::below_rounded(word, n), "{word:x} {n}");
            }
        }
        // Doubles, at the words around the boundaries between outcomes.
        for n in [1u64, 2, 3, 7, 25, 54, 10_001, 1_000_000_007, (1 << 51) - 1, 1 << 51, 1 << 53] {
            for k in (0..n.min(300)).chain(n.saturating_sub(300)..n) {
                let edge = ((u128::from(k) << 64) / u128::from(n)) as u64;
                for shift in 0..14 {
                    for near in 0..40 {
                        for word in [edge.wrapping_sub(near << shift), edge.wrapping_add(near << shift)] {
                            assert_eq!(below(word, n), Doubles::below_rounded(word, n), "{word:x} {n}");
                        }
                    }
                }
            }
        }
    }
}
