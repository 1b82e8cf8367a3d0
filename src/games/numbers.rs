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

/// `number * n`.
#[inline]
pub fn scaled(word: u64, n: u64) -> f64 {
    number(word) * n as f64
}

/// `floor(number * n)`, in `0..n`.
#[inline]
pub fn below(word: u64, n: u64) -> u64 {
    Doubles::below(word, n)
}

/// `Number(number.toPrecision(digits))` of JavaScript, for a number in `[0, 1)` and 1 to 15 digits: the double
/// nearest to the nearest decimal of that many digits. Ties go to the larger decimal.
pub fn to_precision(number: f64, digits: u32) -> f64 {
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    // Below 2^-70 the products don't fit in 128 bits; no nonzero 64-bit word gives a number that small.
    if !(2f64.powi(-70)..1.0).contains(&number) {
        return number;
    }
    // number = whole / 2^under
    let (whole, under) = (fraction | 1 << 52, (1075 - exponent) as u32);
    let (whole, under) = (whole >> whole.trailing_zeros(), under - whole.trailing_zeros());
    let most = 10u128.pow(digits);
    // The number of decimal places that leaves `digits` significant digits.
    let mut places = digits;
    let decimal = loop {
        let Some((above, below)) = scaled_by_ten(whole, under, places) else { return number };
        if above * 10 >= most {
            break above + u128::from(below);
        }
        places += 1;
    };
    let text = format!("{decimal}e-{places}");
    text.parse().expect("a decimal is a number")
}

/// The whole part of `whole * 10^places / 2^under`, and whether the rest is at least a half; `None` if it doesn't
/// fit.
fn scaled_by_ten(whole: u64, under: u32, places: u32) -> Option<(u128, bool)> {
    // 10^places = 5^places * 2^places
    let product = u128::from(whole).checked_mul(5u128.checked_pow(places)?)?;
    if places >= under {
        return Some((product.checked_shl(places - under)?, false));
    }
    let shift = under - places;
    if shift > 127 {
        return Some((0, false));
    }
    Some((product >> shift, product >> (shift - 1) & 1 == 1))
}

/// `number` rounded to the nearest whole number as JavaScript's `Math.round` does: a half goes up.
#[inline]
pub fn round(number: f64) -> f64 {
    let whole = number.floor();
    // Adding 0.5 and truncating would turn the largest double below 0.5 into 1.
    if number - whole >= 0.5 { whole + 1.0 } else { whole }
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

/// `x.toFixed(2)` of JavaScript as a whole number of hundredths: the exact binary value is rounded to the nearest,
/// ties upward. For `0 <= x < 2^53 / 100`.
#[inline]
pub fn to_fixed_2(x: f64) -> i64 {
    let bits = x.to_bits();
    let mantissa = u128::from((bits & ((1 << 52) - 1)) | (1 << 52));
    if x < 0.0009765625 {
        return 0; // far below half a hundredth; the shift below would exceed 128 bits
    }
    // x = mantissa / 2^shift: add a half and truncate.
    let shift = 1075 - (bits >> 52) as u32;
    ((mantissa * 100 + (1 << (shift - 1))) >> shift) as i64
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

    #[test]
    fn to_fixed_rounds_the_exact_value_with_ties_upward() {
        for (x, hundredths) in [
            (0.0, 0),
            (0.125, 13),
            (0.375, 38),
            (2.5, 250),
            (1.005, 100),
            (78.125, 7813),
            (3.125, 313),
            (0.005, 1),
            (0.004999, 0),
            (950000.0, 95_000_000),
            (1e-300, 0),
            (0.1, 10),
            (8.345, 835),
        ] {
            assert_eq!(to_fixed_2(x), hundredths, "{x}");
        }
    }
}
