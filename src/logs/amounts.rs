//! Amounts of money, counted in whole units of 1e-8, and how what was paid agrees with what is due.

/// Decimals of the smallest unit.
pub const DECIMALS: usize = 8;
const UNIT: f64 = 1e8;
/// The level of an amount that is what it should be, without any rounding.
const AGREES: i64 = DECIMALS as i64 + 1;
/// The units of a last place, by how many decimals there are.
const POWERS: [i64; DECIMALS + 1] = [100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1];
/// Units of a hundredth.
const HUNDREDTH: i64 = 1_000_000;
/// Doubles below this tell whole units apart.
const EXACT: f64 = 9_007_199_254_740_992.0;
const LARGEST: f64 = 9e10;
/// By how much a double may be off the decimal that it means, relatively: what adding a few of them leaves.
const NEAR: f64 = 2e-15;
/// The same of an amount that is the product of two doubles.
const NEAR_PRODUCT: f64 = 1e-12;
/// And of what has no decimals, such as what conversions between currencies leave.
const NEAR_LOOSE: f64 = 1e-9;
/// Differences are counted up to here.
const FAR: f64 = 4_611_686_018_427_387_904.0;

/// An amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// The nearest whole number of units; 0 where there is no amount.
    pub units: i64,
    /// Whether there is one that isn't too large to be counted.
    pub there: bool,
    /// Whether it is a whole number of units.
    pub whole: bool,
}

impl Amount {
    /// Counts a double in units; NaN is no amount.
    #[inline]
    pub fn of(value: f64) -> Self {
        let there = value.abs() < LARGEST;
        let known = if there { value } else { 0.0 };
        let is_near = |nearest: f64, value: f64| (nearest - value).abs() <= NEAR * value.abs();
        let scaled = known * UNIT;
        let nearest = round(scaled);
        if nearest.abs() < EXACT {
            return Self { units: nearest as i64, there, whole: is_near(nearest, scaled) };
        }
        // Doubles as large have no eight decimals: hundredths, at most.
        let hundredths = known * 100.0;
        let nearest = round(hundredths);
        Self { units: nearest as i64 * HUNDREDTH, there, whole: is_near(nearest, hundredths) }
    }
}

/// The nearest whole number, the even one of two. Any processor adds, not each has an instruction that rounds.
#[inline]
fn round(value: f64) -> f64 {
    const WHOLE: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52: doubles around it are whole numbers
    if value.abs() < WHOLE / 4.0 { (value + WHOLE) - WHOLE } else { value.round_ties_even() }
}

/// To how many decimals an amount agrees that is off by some parts of a unit, of which `parts` make one: the
/// largest number of decimals whose last place is more than the difference; -1 where none is.
#[inline]
pub fn level(off: i64, parts: i64) -> i64 {
    if off == 0 {
        return AGREES;
    }
    let away = off.unsigned_abs() as f64;
    let reached = POWERS.iter().filter(|&&power| away >= parts as f64 * power as f64).count();
    DECIMALS as i64 - reached as i64
}

/// How many decimals it takes to write amounts, at least as many as are known of others.
#[inline]
fn decimals(units: [i64; 2], known: usize) -> usize {
    let fits = |&decimals: &usize| units.iter().all(|units| ends_in_zeros(*units, DECIMALS - decimals));
    (known..DECIMALS).find(fits).unwrap_or(DECIMALS)
}

/// Whether a number ends in this number of zeros, at most eight. Division would take long: of multiples of an odd
/// number alone the product with its inverse, modulo 2^64, is small.
#[inline]
fn ends_in_zeros(number: i64, zeros: usize) -> bool {
    const INVERSE_OF_5: u64 = 0xcccc_cccc_cccc_cccd;
    const INVERSES: [u64; DECIMALS + 1] = {
        let mut inverses = [1u64; DECIMALS + 1];
        let mut zeros = 1;
        while zeros <= DECIMALS {
            inverses[zeros] = inverses[zeros - 1].wrapping_mul(INVERSE_OF_5);
            zeros += 1;
        }
        inverses
    };
    let quotient = number.unsigned_abs().wrapping_mul(INVERSES[zeros]).rotate_right(zeros as u32);
    quotient <= u64::MAX / POWERS[DECIMALS - zeros] as u64
}

/// What stakes are due.
#[derive(Clone, Copy, Debug)]
pub struct Due<'a> {
    /// Of a stake of 1, in parts of which `unit` make 1.
    pub parts: &'a [i64],
    pub unit: i64,
    /// Where parts are rounded: what is due in doubles, of which as many make 1 as are given.
    pub exact: Option<(&'a [f64], f64)>,
}

/// What was paid beside what is due.
#[derive(Debug, Default, PartialEq)]
pub struct Compared {
    /// In units; 0 in rows without a stake or a payout, or of what can't come up.
    pub stakes: Vec<i64>,
    /// What was paid in all others together, in units.
    pub paid: i128,
    /// The decimals that the amounts are written with.
    pub decimals: usize,
    /// Rows that weren't paid exactly what they are due.
    pub odd: Vec<Odd>,
}

/// A row that wasn't paid exactly what it is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odd {
    pub row: usize,
    /// In units.
    pub paid: i64,
    /// What is due less what was paid, in parts of a unit.
    pub off: i64,
    /// To how many decimals these agree.
    pub level: i64,
}

/// Compares what was paid with what is due, where there is a stake and `possible` says so.
pub fn compare(stakes: &[f64], paid: &[f64], possible: &[bool], due: Due<'_>) -> Compared {
    let mut found = Compared { stakes: vec![0; stakes.len()], ..Compared::default() };
    for (row, staked) in found.stakes.iter_mut().enumerate() {
        let (stake, paid) = (Amount::of(stakes[row]), Amount::of(paid[row]));
        if !(stake.there && paid.there && stake.units > 0 && possible[row]) {
            continue;
        }
        let whole = stake.whole && paid.whole;
        *staked = stake.units;
        found.paid += i128::from(paid.units);
        let (off, level) = due.compare(row, stake.units, paid.units, whole);
        if level < AGREES {
            found.odd.push(Odd { row, paid: paid.units, off, level });
        }
        if whole && found.decimals < DECIMALS {
            found.decimals = decimals([stake.units, paid.units], found.decimals);
        }
    }
    found
}

impl Due<'_> {
    /// What is due less what was paid, and to how many decimals these agree.
    #[inline]
    fn compare(&self, row: usize, stake: i64, paid: i64, whole: bool) -> (i64, i64) {
        let due = match self.exact {
            Some((exact, unit)) => stake as f64 * exact[row] * unit,
            None => stake as f64 * self.parts[row] as f64,
        };
        let rough = due - paid as f64 * self.unit as f64;
        let counted = rough.clamp(-FAR, FAR) as i64;
        // Products may wrap around, differences that are small in doubles don't.
        let off = match self.exact {
            Some(_) if rough.abs() <= NEAR_PRODUCT * due.abs() => 0,
            None if rough.abs() < FAR => {
                stake.wrapping_mul(self.parts[row]).wrapping_sub(paid.wrapping_mul(self.unit))
            }
            _ => counted,
        };
        if whole {
            return (off, level(off, self.unit));
        }
        // No decimals: doubles agree, or the amounts differ in the last one at least.
        if rough.abs() <= NEAR_LOOSE * due.abs().max(self.unit as f64) {
            (0, AGREES)
        } else {
            (off, level(off, self.unit).min(DECIMALS as i64))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_decimals() {
        let amount = |units, whole| Amount { units, there: true, whole };
        assert_eq!(Amount::of(0.1 + 0.2), amount(30_000_000, true));
        assert_eq!(Amount::of(1.0 / 3.0), amount(33_333_333, false));
        assert_eq!(Amount::of(-1e-8), amount(-1, true));
        assert_eq!(Amount::of(89_999_999_999.25), amount(8_999_999_999_925_000_000, true));
        for none in [f64::NAN, f64::INFINITY, 1e11, -9e10] {
            assert!(!Amount::of(none).there);
            assert_eq!(Amount::of(none).units, 0);
        }
    }

    #[test]
    fn levels_are_by_the_last_place() {
        let found = [0, 500_000, -1_000_000, 200_000_000, 1, i64::MIN].map(|off| level(off, 1));
        assert_eq!(found, [9, 2, 1, -1, 7, -1]);
        assert_eq!([6, 7, 69, 70].map(|off| level(off, 7)), [8, 7, 7, 6]);
        assert_eq!(decimals([150_000_000, -20_000_000], 0), 1);
        assert_eq!((decimals([1, 0], 0), decimals([0, 0], 3)), (8, 3));
        for zeros in 0..=8 {
            let power = POWERS[8 - zeros];
            for number in [0, 1, 3, 5, 64, 999_999_937, 1 << 32, 89_999_999_999] {
                for near in
                    [number, number * power, -number * power, number * power + 1, number.max(power) / 2]
                {
                    assert_eq!(ends_in_zeros(near, zeros), near % power == 0, "{near} {zeros}");
                }
            }
        }
    }

    #[test]
    fn what_was_paid_is_compared_with_what_is_due() {
        let (stakes, paid) = ([1.0, 2.0, 1.0, f64::NAN, 1.0 / 3.0, 5.0], [1.98, 3.9, 0.0, 1.0, 0.66, 0.0]);
        let due = Due { parts: &[99; 6], unit: 50, exact: None };
        let found = compare(&stakes, &paid, &[true, true, true, true, true, false], due);
        assert_eq!(found.stakes, [100_000_000, 200_000_000, 100_000_000, 0, 33_333_333, 0]);
        assert_eq!((found.paid, found.decimals), (198_000_000 + 390_000_000 + 66_000_000, 2));
        let odd: Vec<_> = found.odd.iter().map(|odd| (odd.row, odd.off, odd.level)).collect();
        let near = 99 * 33_333_333 - 50 * 66_000_000;
        assert_eq!(odd, [(1, 50 * 6_000_000, 1), (2, 99 * 100_000_000, -1), (4, near, 8)]);
        let exact = Due { parts: &[2_970_297], unit: 1_000_000, exact: Some((&[300.0 / 101.0], 1e6)) };
        assert_eq!(compare(&[1.01], &[3.0], &[true], exact).odd, []);
    }
}
