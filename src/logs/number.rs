//! Numbers as they occur in logs, and their exact comparison with outcomes.
//!
//! A log may hold 1.98 as text, as a decimal, as a double, as a single or as a fraction, and these are
//! different numbers: the double nearest to 1.98 isn't 1.98. Comparing everything as doubles would accept
//! 1.9800000000000002 for 1.98, and comparing exactly would reject honest singles. So each type is compared
//! in its own terms: decimals and fractions exactly, by cross-multiplication; a double with the double
//! nearest to the outcome, since that is what an honest writer of doubles wrote; a single with the nearest
//! single. A decimal of so many digits that it can only be a double's (4.0099999999999998 as C writes 4.01
//! with 17) is that double.
//!
//! Parsing has a short path. Decimals of up to 15 significant digits ([`FEW`]) are told apart by their
//! nearest doubles, so most numbers never need wide integers.

use crate::strings::TENS;

/// The maximum number of decimals of a fixed-point outcome.
const PLACES: u32 = 2;
/// Decimals of up to 15 significant digits survive the conversion to a double and back.
const FEW: usize = 15;
/// Significant digits that tell any double from all others.
const ENOUGH: usize = 17;
/// The maximum length of a number in text.
const LONGEST: usize = 400;

/// The number of digits that always fits in 64 bits.
const SHORT: usize = 19;

/// A finite number.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// `digits / 10^scale` with at most [`PLACES`] decimals, the last of which isn't 0.
    Decimal { digits: i128, scale: u32 },
    /// A decimal with more decimals, given by the nearest double, and whether it has at most [`FEW`]
    /// significant digits.
    Long { nearest: f64, few: bool },
    /// A double.
    Double(f64),
    /// A single-precision float.
    Single(f32),
    /// The fraction `above / below`; `below` is positive.
    Ratio { above: i128, below: i128 },
    /// A whole number larger than any outcome.
    Beyond,
}

impl Number {
    /// A whole number.
    pub fn whole(digits: i128) -> Self {
        Self::Decimal { digits, scale: 0 }
    }

    /// The number `digits / 10^scale`, for any scale.
    pub fn decimal(mut digits: i128, mut scale: i32) -> Self {
        while scale > 0 && digits % 10 == 0 {
            digits /= 10;
            scale -= 1;
        }
        match u32::try_from(scale) {
            Ok(scale) if scale <= PLACES => Self::Decimal { digits, scale },
            Ok(scale) => Self::long(digits, scale),
            Err(_) => 10i128
                .checked_pow(scale.unsigned_abs())
                .and_then(|power| digits.checked_mul(power))
                .map_or(if digits == 0 { Self::whole(0) } else { Self::Beyond }, Self::whole),
        }
    }

    /// The number `digits / 10^scale` as a double, rounded once.
    fn long(digits: i128, scale: u32) -> Self {
        let nearest = format!("{digits}e-{scale}").parse().expect("a number");
        Self::of_figures(nearest, &figures_of(digits.to_string().bytes()))
    }

    /// The number of these significant digits: the double itself where it has them when written with as many, and with
    /// enough to tell it from all others.
    fn of_figures(nearest: f64, figures: &[u8]) -> Self {
        let few = figures.len() <= FEW;
        let written = || format!("{nearest:.*e}", figures.len().max(ENOUGH) - 1);
        if !few && figures_of(written().bytes()) == figures {
            return Self::Double(nearest);
        }
        Self::Long { nearest, few }
    }

    /// The number of a double; `None` if it isn't finite.
    pub fn float(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self::Double(value))
    }

    /// Parses text such as ` -2.50 ` or `1e3`; `None` if it isn't a number, or overflows a double.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text = trim_spaces(text);
        if text.len() > LONGEST {
            return None;
        }
        let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
        let count = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (before, rest) = unsigned.split_at(count(unsigned));
        let (behind, rest) = match rest.strip_prefix(b".") {
            Some(rest) => rest.split_at(count(rest)),
            None => (&[][..], rest),
        };
        if before.is_empty() && behind.is_empty() {
            return None;
        }
        let exponent = match rest {
            [] => 0,
            [b'e' | b'E', written @ ..] => exponent(written)?,
            _ => return None,
        };
        let zeros = behind.iter().rev().take_while(|&&digit| digit == b'0').count();
        let behind = &behind[..behind.len() - zeros];
        let figures = before.iter().chain(behind).map(|figure| figure - b'0');
        let digits = if before.len() + behind.len() <= SHORT {
            Some(i128::from(figures.fold(0, |digits, figure| digits * 10 + u64::from(figure))))
        } else {
            let mut figures = figures.map(i128::from);
            figures.try_fold(0i128, |digits, figure| digits.checked_mul(10)?.checked_add(figure))
        };
        let scale = behind.len() as i32 - exponent;
        match digits {
            Some(0) => Some(Self::whole(0)),
            Some(digits) if scale.abs() <= 30 => {
                Some(Self::decimal(if text[0] == b'-' { -digits } else { digits }, scale))
            }
            _ if scale == 0 => Some(Self::Beyond),
            _ => {
                let nearest: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
                let figures = figures_of([before, behind].concat().into_iter());
                nearest.is_finite().then(|| Self::of_figures(nearest, &figures))
            }
        }
    }

    /// Parses a fraction of whole numbers, such as `6/5`.
    pub fn parse_ratio(text: &[u8]) -> Option<Self> {
        let text = trim_spaces(text);
        let slash = text.iter().position(|&byte| byte == b'/')?;
        let part = |text: &[u8], signed: bool| -> Option<i128> {
            let figures = match text.first()? {
                b'-' | b'+' if signed => &text[1..],
                _ => text,
            };
            let plain = !figures.is_empty() && figures.len() <= 50 && figures.iter().all(u8::is_ascii_digit);
            let text = std::str::from_utf8(text).ok().filter(|_| plain)?;
            // A part too large for `i128` equals no outcome, but the text is a fraction nonetheless.
            Some(text.parse().unwrap_or(i128::MAX))
        };
        let (above, below) = (part(&text[..slash], true)?, part(&text[slash + 1..], false)?);
        (below > 0).then_some(Self::Ratio { above, below })
    }

    /// Whether the number equals the outcome `cell / 10^decimals`.
    #[inline]
    pub fn is(self, cell: i64, decimals: u32) -> bool {
        match self {
            Self::Decimal { digits, scale } => {
                scale <= decimals
                    && digits.checked_mul(10i128.pow(decimals - scale)) == Some(i128::from(cell))
            }
            Self::Double(value) => is_double(value, cell, decimals),
            Self::Single(value) => is_single(value, cell, decimals),
            Self::Ratio { above, below } => are_equal((above, below), (cell.into(), 10i128.pow(decimals))),
            Self::Long { .. } | Self::Beyond => false,
        }
    }

    /// Whether the number stands for an outcome that is a double. It has to round to that double, and a
    /// number of more than [`FEW`] significant digits only matches a double that needs more of them itself.
    pub fn is_double(self, double: f64) -> bool {
        match self {
            Self::Decimal { digits, scale: 0 } => double as i128 == digits && double.fract() == 0.0,
            Self::Decimal { digits, scale } => {
                // A division would round larger numbers twice.
                if digits.unsigned_abs() < 10u128.pow(FEW as u32) {
                    digits as f64 / 10f64.powi(scale as i32) == double
                } else {
                    Self::long(digits, scale).is_double(double)
                }
            }
            Self::Double(value) => value == double,
            Self::Long { nearest, few } => {
                nearest == double && (few || figures_of(format!("{double:e}").bytes()).len() > FEW)
            }
            Self::Single(value) => value == double as f32,
            Self::Ratio { above, below } => above as f64 / below as f64 == double,
            Self::Beyond => false,
        }
    }

    /// Whether the number equals the fraction `above / below`, with `below` positive. Floats and decimals
    /// also match if they are the nearest double.
    pub fn is_ratio(self, above: i64, below: i64) -> bool {
        let (double, right) = (above as f64 / below as f64, (above.into(), below.into()));
        match self {
            Self::Decimal { digits, scale } => {
                are_equal((digits, 10i128.pow(scale)), right) || (scale > 0 && self.is_double(double))
            }
            Self::Ratio { above, below } => are_equal((above, below), right),
            _ => self.is_double(double),
        }
    }

    /// The nearest double; NaN if the number is larger than any outcome. A single stands for its shortest
    /// decimal.
    #[inline]
    pub fn as_double(self) -> f64 {
        match self {
            Self::Decimal { digits, scale } => digits as f64 / 10f64.powi(scale as i32),
            Self::Long { nearest: value, .. } | Self::Double(value) => value,
            Self::Single(value) if value.fract() == 0.0 && value.abs() < 16_777_216.0 => f64::from(value),
            Self::Single(value) => value.to_string().parse().expect("a number"),
            Self::Ratio { above, below } => above as f64 / below as f64,
            Self::Beyond => f64::NAN,
        }
    }

    /// The number as an integer, if it is one. Floats have to be so small that no other integer rounds to them.
    #[inline]
    pub fn as_whole(self) -> Option<i128> {
        let (double, digits) = match self {
            Self::Decimal { digits, scale: 0 } => return Some(digits),
            Self::Ratio { above, below } => return (above % below == 0).then(|| above / below),
            Self::Double(value) => (value, f64::MANTISSA_DIGITS),
            Self::Single(value) => (f64::from(value), f32::MANTISSA_DIGITS),
            Self::Decimal { .. } | Self::Long { .. } | Self::Beyond => return None,
        };
        (double.trunc() == double && double.abs() < 2f64.powi(digits as i32)).then_some(double as i128)
    }
}

/// Whether two fractions are equal, cross-multiplied.
fn are_equal((above, below): (i128, i128), other: (i128, i128)) -> bool {
    let left = above.checked_mul(other.1);
    left.is_some() && left == below.checked_mul(other.0)
}

/// The significant digits in the text of a number, up to its exponent.
fn figures_of(text: impl Iterator<Item = u8>) -> Vec<u8> {
    let figures = text.take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit);
    let mut figures: Vec<u8> = figures.skip_while(|&figure| figure == b'0').collect();
    figures.truncate(figures.iter().rposition(|&figure| figure != b'0').map_or(0, |last| last + 1));
    figures
}

/// The double nearest to a plain, short decimal such as `-12.50`; `None` for any other text.
#[inline]
pub fn short_decimal(text: &[u8]) -> Option<f64> {
    // The digits and the power of ten are both exact, so their quotient is rounded once, correctly (Clinger,
    // "How to Read Floating Point Numbers Accurately", 1990).
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > FEW + 1 {
        return None;
    }
    let (mut number, mut count, mut point) = (0u64, 0, None);
    for (place, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => (number, count) = (number * 10 + u64::from(byte - b'0'), count + 1),
            b'.' if point.is_none() => point = Some(place),
            _ => return None,
        }
    }
    let behind = point.map_or(0, |point| digits.len() - point - 1);
    let double = number as f64 / TENS[behind];
    (1..=FEW).contains(&count).then_some(if negative && number != 0 { -double } else { double })
}

/// Parses the exponent of a number, clamped to 10,000: a number of at most 400 characters can't compensate
/// for more.
fn exponent(written: &[u8]) -> Option<i32> {
    let (sign, digits) = match written {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    let known = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let size = std::str::from_utf8(digits).ok().filter(|_| known)?.parse().unwrap_or(i32::MAX);
    Some(sign * size.min(10_000))
}

/// The double nearest to an outcome.
#[inline]
pub fn as_double(cell: i64, decimals: u32) -> f64 {
    if decimals == 0 { cell as f64 } else { cell as f64 / 10f64.powi(decimals as i32) }
}

/// Whether `value` is the double nearest to the outcome `cell / 10^decimals`.
#[inline]
pub fn is_double(value: f64, cell: i64, decimals: u32) -> bool {
    // Large whole numbers share their nearest double with neighbors, so the conversion back has to agree as
    // well.
    value == as_double(cell, decimals) && (decimals > 0 || cell as f64 as i128 == i128::from(cell))
}

/// Whether `value` is the single nearest to the outcome `cell / 10^decimals`, and perhaps to its neighbors.
#[inline]
pub fn is_single(value: f32, cell: i64, decimals: u32) -> bool {
    value == if decimals == 0 { cell as f32 } else { as_double(cell, decimals) as f32 }
}

/// Strips surrounding ASCII white space.
pub fn trim_spaces(text: &[u8]) -> &[u8] {
    let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    let start = text.iter().position(|byte| !space(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !space(byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Number> {
        Number::parse(text.as_bytes())
    }

    #[test]
    fn short_decimals_are_the_doubles_that_they_mean() {
        let texts = ["0", "-0", "1.98", "-2.50", ".5", "7.", "0.00000001", "123456789012345", "0.1", "99.99"];
        for text in texts {
            let double = short_decimal(text.as_bytes());
            assert_eq!(double, read(text).map(Number::as_double), "{text}");
            assert_eq!(double, text.parse().ok(), "{text}");
        }
        for text in ["", "-", ".", "1e3", " 1", "+1", "1,5", "1.2.3", "1234567890123456", "0x1", "nan"] {
            assert_eq!(short_decimal(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn text_is_read_as_it_is_written() {
        let decimal = |digits, scale| Some(Number::Decimal { digits, scale });
        let long = |nearest, few| Some(Number::Long { nearest, few });
        for (text, number) in [
            ("0", decimal(0, 0)),
            ("-0.00", decimal(0, 0)),
            ("37.36", decimal(3736, 2)),
            (" +2.020\n", decimal(202, 2)),
            ("\r\n5\t\x0b\x0c\r", decimal(5, 0)),
            (".5", decimal(5, 1)),
            ("5.", decimal(5, 0)),
            ("1e2", decimal(100, 0)),
            ("12.5E-1", decimal(125, 2)),
            (&format!("5.{}", "0".repeat(300)), decimal(5, 0)),
            ("0e99999999999", decimal(0, 0)),
            ("9007199254740993", decimal(9_007_199_254_740_993, 0)),
            ("0.001", long(0.001, true)),
            ("2.0200000000000001", long(2.02, false)),
            (&"9".repeat(300), Some(Number::Beyond)),
            (&format!("-{}", "9".repeat(300)), Some(Number::Beyond)),
            (&format!("0.{}", "3".repeat(300)), long(1.0 / 3.0, false)),
            (&"1".repeat(400), Some(Number::Beyond)),
            (&"1".repeat(401), None),
            ("1e999", None),
            ("1e300", long(1e300, true)),
            ("1e-300", long(1e-300, true)),
            ("0.000123456789012345000e-40", long(1.23456789012345e-44, true)),
            ("", None),
            (" ", None),
            (".", None),
            ("-", None),
            ("e5", None),
            ("1e", None),
            ("1e+", None),
            ("0e", None),
            ("0e1x", None),
            ("1 2", None),
            ("1_0", None),
            ("0x10", None),
            ("nan", None),
            ("inf", None),
            ("2,5", None),
            ("٣", None),
            ("--1", None),
        ] {
            assert_eq!(read(text), number, "{text}");
        }
    }

    #[test]
    fn outcomes_are_compared_exactly() {
        let is = |text: &str, cell, decimals| read(text).unwrap().is(cell, decimals);
        assert!(is("2.02", 202, 2) && is("2.020", 202, 2) && is("202e-2", 202, 2));
        assert!(!is("2.0200000000000001", 202, 2) && !is("2.01999999999999999999", 202, 2));
        assert!(!is("2.021", 202, 2) && !is("2.0199999809265137", 202, 2) && !is("-2.02", 202, 2));
        assert!(is("5", 5, 0) && is("5.0", 5, 0) && is("5", 500, 2));
        assert!(!is("4.99999999999999999999", 5, 0) && !is("5.000000000000000000001", 5, 0));
        assert!(!is("9007199254740993", 9_007_199_254_740_992, 0));
        assert!(!is("9007199254740993.0", 9_007_199_254_740_992, 0));
        assert!(is("9007199254740993", 9_007_199_254_740_993, 0));
        assert!(!Number::Double(9_007_199_254_740_992.0).is(9_007_199_254_740_993, 0));
        assert!(Number::Double(37.36).is(3736, 2) && !Number::Double(37.36 + 1e-14).is(3736, 2));
        assert!(Number::Single(37.36).is(3736, 2) && !Number::Double(f64::from(37.36f32)).is(3736, 2));
        // From 131,072 on several hundredths share their nearest single, from 2^24 on whole numbers.
        let shared = |cell| Number::Single(200_000.3).is(cell, 2);
        assert!(shared(20_000_029) && shared(20_000_030) && !shared(20_000_028) && !shared(20_000_031));
        let shared = |cell| Number::Single(16_777_216.0).is(cell, 0);
        assert!(shared(16_777_216) && shared(16_777_217) && !shared(16_777_218) && !shared(16_777_214));
        assert!(
            Number::Ratio { above: 6, below: 3 }.is(2, 0)
                && Number::Ratio { above: 101, below: 50 }.is(202, 2)
        );
        assert!(!Number::Ratio { above: 1, below: 3 }.is(33, 2) && !Number::Beyond.is(i64::MAX, 0));
        assert!(!Number::decimal(i128::MAX, 0).is(5, 2) && Number::decimal(5, -2).is(500, 0));
        assert_eq!(Number::decimal(5, -60), Number::Beyond);
        assert_eq!(Number::decimal(250, 2), Number::Decimal { digits: 25, scale: 1 });
        assert_eq!(Number::decimal(2000, 3), Number::whole(2));
        assert!(Number::Double(5.0).is(5, 0) && !Number::Double(5.5).is(5, 0));
    }

    #[test]
    fn fractions() {
        let ratio = |text: &str| Number::parse_ratio(text.as_bytes());
        assert_eq!(ratio(" 6/5"), Some(Number::Ratio { above: 6, below: 5 }));
        assert_eq!(ratio("-1/2"), Some(Number::Ratio { above: -1, below: 2 }));
        for text in ["1/0", "1/-3", "1_0/3", "1/3/1", "/3", "1/", "1/+3", "1.0/3", "\u{661}/3", "1", "1 / 3"]
        {
            assert_eq!(ratio(text), None, "{text}");
        }
        assert_eq!(ratio(&format!("1/{}", "3".repeat(51))), None);
        assert!(!ratio(&format!("1/{}", "3".repeat(50))).unwrap().is_ratio(1, 3));
        assert!(ratio("12/10").unwrap().is_ratio(6, 5) && read("1.2").unwrap().is_ratio(6, 5));
        assert!(Number::Double(1.2).is_ratio(6, 5) && Number::Double(1.0 / 3.0).is_ratio(1, 3));
        assert!(read("0.3333333333333333").unwrap().is_ratio(1, 3) && !read("0.33").unwrap().is_ratio(1, 3));
        assert!(!ratio("6004799503160661/18014398509481984").unwrap().is_ratio(1, 3));
        assert!(!read("1.20000000000000000001").unwrap().is_ratio(6, 5));
        assert!(Number::Single(1.2).is_ratio(6, 5) && !Number::Single(1.2).is_ratio(7, 5));
        // The double nearest to 0.1, as a fraction, matches too.
        assert!(read("0.1").unwrap().is_ratio(3_602_879_701_896_397, 36_028_797_018_963_968));
        assert!(!read("9007199254740992").unwrap().is_ratio(9_007_199_254_740_993, 1));
        assert!(!Number::Beyond.is_ratio(1, 1));
        assert!(read("-2.0").unwrap().is_ratio(-2, 1) && read("-1").unwrap().is_ratio(-10, 10));
    }

    #[test]
    fn doubles() {
        let is = |text: &str, double| read(text).unwrap().is_double(double);
        assert!(is("0.1", 0.1) && is("0.100", 0.1) && is("5", 5.0) && is("-2.50", -2.5));
        // A double with a short notation is matched by those digits, or by as many more as are written of its own;
        // any other by all that round to it.
        assert!(is("0.10000000000000001", 0.1) && is("0.1000000000000000055511151231257827", 0.1));
        assert!(!is("0.10000000000000002", 0.1) && !is("123456789000000000.01", 123_456_789e9));
        assert!(is("4.0099999999999998", 4.01) && read("4.0099999999999998").unwrap().is(401, 2));
        assert!(
            is("67.819999999999993", 67.82)
                && !is("67.81999999999999", 67.82)
                && is("0.5000000000000000", 0.5)
        );
        assert!(!is("4.0099999999999997", 4.01) && !read("-4.0099999999999998").unwrap().is(401, 2));
        assert!(!is("1000.01000000000001", 1000.01) && !is("0.3000000000000000001", 0.3));
        assert!(is("0.6666666666666666", 2.0 / 3.0) && is("0.66666666666666663", 2.0 / 3.0));
        assert!(is("1.375", 1.375) && is("1e-40", 1e-40) && is("-0.12345678", -0.12345678));
        assert!(!is("0.1", 0.1 + 1e-17 * 2.0) && !is("9007199254740993", 9_007_199_254_740_992.0));
        assert!(
            is("90071992547409.93", 90_071_992_547_409.93)
                && is("9007199254740993.5", 9_007_199_254_740_994.0)
        );
        assert!(Number::Double(0.1).is_double(0.1) && Number::Single(0.1).is_double(0.1));
        let quarter = Number::Ratio { above: 1, below: 4 };
        assert!(quarter.is_double(0.25) && !quarter.is_double(0.5) && !quarter.is_double(4.0));
        assert_eq!((quarter.as_double(), read("37.36").unwrap().as_double()), (0.25, 37.36));
        for single in [37.36, 0.1, 3.0, -2.5, 1e-40, f32::MAX] {
            assert_eq!(Number::Single(single).as_double(), single.to_string().parse::<f64>().unwrap());
        }
        assert!(!Number::Beyond.is_double(f64::MAX) && !is("5", f64::INFINITY) && !is("5", f64::NAN));
    }

    #[test]
    fn whole_numbers_kept_as_floats() {
        assert_eq!(Number::Double(5635.0).as_whole(), Some(5635));
        assert_eq!(Number::Single(31.0).as_whole(), Some(31));
        assert_eq!(Number::Double(3.1).as_whole(), None);
        for (bits, at) in
            [(24, Number::Single as fn(f32) -> Number), (53, |at| Number::Double(f64::from(at)))]
        {
            assert_eq!(at(2f32.powi(bits - 1)).as_whole(), Some(1 << (bits - 1)));
            assert_eq!(at(2f32.powi(bits)).as_whole(), None); // the next integer may be meant
        }
        assert_eq!(read("31.0").unwrap().as_whole(), Some(31));
        assert_eq!(Number::Ratio { above: 6, below: 3 }.as_whole(), Some(2));
        assert_eq!(Number::Ratio { above: 7, below: 3 }.as_whole(), None);
    }
}
