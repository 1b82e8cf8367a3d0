//! Rounding as JavaScript does it.

use crate::strings::TENS;

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
    let least = TENS[digits as usize - 1] as u64;
    // The number of decimal places that leaves `digits` significant digits.
    let mut places = digits;
    let decimal = loop {
        let Some((above, below)) = scaled_by_ten(whole, under, places) else { return number };
        if above >= least {
            break above + u64::from(below);
        }
        places += 1;
    };
    if let Some(power) = TENS.get(places as usize) {
        // Both are doubles, so that the quotient is the nearest one.
        return decimal as f64 / power;
    }
    let text = format!("{decimal}e-{places}");
    text.parse().expect("a decimal is a number")
}

/// The whole part of `whole * 10^places / 2^under`, below 10^16, and whether the rest is at least a half; `None` if the
/// product doesn't fit.
#[inline]
fn scaled_by_ten(whole: u64, under: u32, places: u32) -> Option<(u64, bool)> {
    /// The powers of 5 that have 64 bits.
    const FIVES: [u64; 28] = {
        let mut powers = [1; 28];
        let mut next = 1;
        while next < powers.len() {
            powers[next] = 5 * powers[next - 1];
            next += 1;
        }
        powers
    };
    // 10^places = 5^places * 2^places
    let power = FIVES.get(places as usize).map(|&power| u128::from(power));
    let product = u128::from(whole).checked_mul(power.or_else(|| 5u128.checked_pow(places))?)?;
    if places >= under {
        return Some(((product << (places - under)) as u64, false));
    }
    let shift = under - places;
    if shift > 127 {
        return Some((0, false));
    }
    Some(((product >> shift) as u64, product >> (shift - 1) & 1 == 1))
}

/// `number` rounded to the nearest whole number as JavaScript's `Math.round` does: a half goes up.
#[inline]
pub fn round(number: f64) -> f64 {
    let whole = number.floor();
    // Adding 0.5 and truncating would turn the largest double below 0.5 into 1.
    if number - whole >= 0.5 { whole + 1.0 } else { whole }
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
