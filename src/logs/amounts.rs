//! Amounts of money in whole units of 1e-8, and the comparison of payouts with what is due.
//!
//! Doubles can't be compared as money: 0.1 + 0.2 isn't 0.3. An amount is therefore the nearest whole number
//! of units, with a flag for whether the double equals it up to rounding errors. The amount due, stake times
//! return, is a product of whole numbers, and so exact.
//!
//! A difference comes with a level, the number of decimals to which both amounts agree. An audit infers from
//! the levels to how many decimals the operator rounds, and differences within that rounding are no finding.
//! Totals by the size of the stake (octaves, between powers of two) show whether only small bets lose by
//! rounding.
//!
//! A relative tolerance on doubles couldn't do this: on a large stake, an operator's rounding and a wrong payout
//! are both relatively small.

/// The number of decimals of the smallest unit.
pub const DECIMALS: usize = 8;
const UNIT: f64 = 1e8;
/// The level of amounts that agree exactly.
const AGREES: i64 = DECIMALS as i64 + 1;
/// The units in the last place, by the number of decimals.
const POWERS: [i64; DECIMALS + 1] = [100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1];
/// Units in a hundredth.
const HUNDREDTH: i64 = 1_000_000;
/// Doubles below 2^53 represent every whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;
const LARGEST: f64 = 9e10;
/// The relative error allowed between a double and the decimal that it stands for: what remains after adding
/// a few of them.
const NEAR: f64 = 2e-15;
/// The relative error allowed in the product of two doubles.
const NEAR_PRODUCT: f64 = 1e-12;
/// The relative error allowed in amounts without a decimal expansion, such as converted currencies.
const NEAR_LOOSE: f64 = 1e-9;
/// Differences are clamped to this bound.
const FAR: f64 = 4_611_686_018_427_387_904.0;

/// An amount of money.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// The nearest whole number of units; 0 if there is no amount.
    pub units: i64,
    /// Whether there is an amount, and it is small enough to count.
    pub there: bool,
    /// Whether the amount is a whole number of units.
    pub whole: bool,
}

impl Amount {
    /// Converts a double to units; NaN is no amount.
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
        // Doubles of this size can't hold eight decimals, only hundredths.
        let hundredths = known * 100.0;
        let nearest = round(hundredths);
        Self { units: nearest as i64 * HUNDREDTH, there, whole: is_near(nearest, hundredths) }
    }
}

/// The nearest whole number, ties to even. Adding and subtracting 1.5 * 2^52 needs no rounding instruction,
/// which baseline x86-64 lacks.
#[inline]
fn round(value: f64) -> f64 {
    const WHOLE: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52: doubles around it are whole numbers
    if value.abs() < WHOLE / 4.0 { (value + WHOLE) - WHOLE } else { value.round_ties_even() }
}

/// The number of decimals to which two amounts agree that differ by `off` parts, `parts` of which make a
/// unit: the largest number of decimals whose last place exceeds the difference, or -1.
#[inline]
pub fn level(off: i64, parts: i64) -> i64 {
    if off == 0 {
        return AGREES;
    }
    let away = off.unsigned_abs() as f64;
    let reached = POWERS.iter().filter(|&&power| away >= parts as f64 * power as f64).count();
    DECIMALS as i64 - reached as i64
}

/// The number of decimals needed to write amounts, at least `known`.
#[inline]
fn decimals(units: [i64; 2], known: usize) -> usize {
    let fits = |&decimals: &usize| units.iter().all(|units| ends_in_zeros(*units, DECIMALS - decimals));
    (known..DECIMALS).find(fits).unwrap_or(DECIMALS)
}

/// Whether a number ends in this many zeros, at most eight.
///
/// Instead of a slow division, this multiplies by the inverse of 5^zeros modulo 2^64 and rotates by the
/// zeros: exactly the multiples of 10^zeros give a quotient no larger than 2^64 / 10^zeros (Warren, Hacker's Delight, 2nd edition, section 10-17, "Test for Zero Remainder after Division by a Constant").
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

/// The returns due on each row.
#[derive(Clone, Copy, Debug)]
pub struct Due<'a> {
    /// The return of a stake of 1, in parts; `unit` parts make 1.
    pub parts: &'a [i64],
    /// The number of parts that make 1.
    pub unit: i64,
    /// If the parts are rounded: the exact returns as doubles, and how many parts make 1 of them.
    pub exact: Option<(&'a [f64], f64)>,
}

/// The rows with a stake and a payout, as columns of equal length.
#[derive(Clone, Copy, Debug)]
pub struct Bets<'a> {
    /// The positions in the log.
    pub places: &'a [i64],
    /// The stakes.
    pub stakes: &'a [f64],
    /// The payouts.
    pub paid: &'a [f64],
    /// Whether the row's outcome is possible.
    pub possible: &'a [bool],
    /// The row's line in the paytable, if lines are distinguished.
    pub lines: Option<&'a [i64]>,
}

/// The comparison of payouts with what is due.
#[derive(Debug, Default, PartialEq)]
pub struct PayoutComparison {
    /// The first row with a stake: its position, and the stake in units.
    pub first: Option<(i64, i64)>,
    /// The total payout of the rows with a stake, in units.
    pub paid: i128,
    /// The number of decimals used by the amounts.
    pub decimals: usize,
    /// Totals by the number of bits of the stake in units.
    pub octaves: Vec<Octave>,
    /// The rows paid exactly what is due, by line.
    pub right: Vec<Exact>,
    /// The rows paid something else.
    pub odd: Vec<WrongPayout>,
    /// Possible rows whose stake or payout can't be counted in units.
    pub apart: Vec<usize>,
}

/// Totals of the rows whose stakes lie between two powers of two, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Octave {
    /// The number of bets.
    pub bets: i64,
    /// The sum of the returns due on stakes of 1, in parts.
    pub parts: i64,
    /// The sum of the stakes.
    pub staked: i128,
    /// The smallest stake.
    pub least: i64,
    /// The largest stake.
    pub most: i64,
    /// The position of the first of these rows.
    pub first: i64,
}

const NO_BETS: Octave =
    Octave { bets: 0, parts: 0, staked: 0, least: i64::MAX, most: i64::MIN, first: i64::MAX };

/// The number of rows paid exactly what is due, with the first and last position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact {
    /// The number of bets.
    pub bets: i64,
    /// The position of the first bet.
    pub first: i64,
    /// The position of the last bet.
    pub last: i64,
}

const NONE_EXACT: Exact = Exact { bets: 0, first: i64::MAX, last: -1 };

/// A row that wasn't paid exactly what is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongPayout {
    /// The index of the row.
    pub row: usize,
    /// The stake in units.
    pub stake: i64,
    /// The payout in units.
    pub paid: i64,
    /// The amount due minus the payout, in parts of a unit.
    pub off: i64,
    /// The number of decimals to which both agree.
    pub level: i64,
}

/// Compares payouts with what is due on the possible rows with a stake; the paytable has `lines` lines.
pub fn compare(rows: Bets<'_>, due: Due<'_>, lines: usize) -> PayoutComparison {
    let mut found = PayoutComparison { right: vec![NONE_EXACT; lines], ..PayoutComparison::default() };
    let mut octaves = [NO_BETS; 64];
    for (row, &place) in rows.places.iter().enumerate() {
        let (stake, paid) = (Amount::of(rows.stakes[row]), Amount::of(rows.paid[row]));
        if !rows.possible[row] {
            continue;
        }
        if !(stake.there && paid.there && stake.units > 0) {
            found.apart.push(row);
            continue;
        }
        let whole = stake.whole && paid.whole;
        octaves[63 - stake.units.leading_zeros() as usize].add(place, stake.units, due.parts[row]);
        if found.first.is_none_or(|first| place < first.0) {
            found.first = Some((place, stake.units));
        }
        found.paid += i128::from(paid.units);
        let (off, level) = due.compare(&rows, row, stake, paid);
        if level < AGREES {
            found.odd.push(WrongPayout { row, stake: stake.units, paid: paid.units, off, level });
        } else if let Some(right) = rows.lines.and_then(|lines| found.right.get_mut(lines[row] as usize)) {
            right.add(place);
        }
        if whole && found.decimals < DECIMALS {
            found.decimals = decimals([stake.units, paid.units], found.decimals);
        }
    }
    found.octaves.extend(octaves.into_iter().filter(|octave| octave.bets > 0));
    found
}

impl Octave {
    /// The number of bits of the stakes.
    pub fn bits(&self) -> i64 {
        64 - i64::from(self.least.leading_zeros())
    }

    #[inline]
    fn add(&mut self, place: i64, stake: i64, parts: i64) {
        self.bets += 1;
        self.parts = self.parts.wrapping_add(parts);
        self.staked += i128::from(stake);
        self.least = self.least.min(stake);
        self.most = self.most.max(stake);
        self.first = self.first.min(place);
    }
}

impl Exact {
    #[inline]
    fn add(&mut self, place: i64) {
        self.bets += 1;
        self.first = self.first.min(place);
        self.last = self.last.max(place);
    }
}

impl Due<'_> {
    /// The amount due minus the payout, and the level to which both agree.
    #[inline]
    fn compare(&self, rows: &Bets<'_>, row: usize, stake: Amount, paid: Amount) -> (i64, i64) {
        let off = match self.exact {
            Some(_) => {
                let (due, off) = self.rough(row, stake.units as f64, paid.units as f64);
                if off.abs() <= NEAR_PRODUCT * due.abs() { 0 } else { off.clamp(-FAR, FAR) as i64 }
            }
            None => {
                let due = i128::from(stake.units) * i128::from(self.parts[row]);
                let off = due - i128::from(paid.units) * i128::from(self.unit);
                off.clamp(-FAR as i128, FAR as i128) as i64
            }
        };
        if stake.whole && paid.whole {
            return (off, level(off, self.unit));
        }
        // Without a decimal expansion, doubles either agree or differ in the last decimal at least.
        let (due, rough) = self.rough(row, rows.stakes[row] * UNIT, rows.paid[row] * UNIT);
        if rough.abs() <= NEAR_LOOSE * due.abs().max(self.unit as f64) {
            (0, AGREES)
        } else {
            (off, level(off, self.unit).min(DECIMALS as i64))
        }
    }

    /// The amount due, and its difference from the payout, as doubles.
    fn rough(&self, row: usize, stake: f64, paid: f64) -> (f64, f64) {
        let due = match self.exact {
            Some((exact, unit)) => stake * exact[row] * unit,
            None => stake * self.parts[row] as f64,
        };
        (due, due - paid * self.unit as f64)
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
        let rows = Bets {
            places: &[7, 6, 8, 9, 10, 11],
            stakes: &[1.0, 2.0, 1.0, f64::NAN, 1.0 / 3.0, 5.0],
            paid: &[1.98, 3.9, 0.0, 1.0, 0.66, 0.0],
            possible: &[true, true, true, true, true, false],
            lines: Some(&[1, 1, 1, 1, 1, -1]),
        };
        let found = compare(rows, Due { parts: &[99; 6], unit: 50, exact: None }, 2);
        assert_eq!(found.apart, [3]);
        assert_eq!((found.paid, found.decimals), (198_000_000 + 390_000_000 + 66_000_000, 2));
        assert_eq!(found.first, Some((6, 200_000_000)));
        let odd: Vec<_> = found.odd.iter().map(|odd| (odd.row, odd.off, odd.level)).collect();
        // One third has no decimal expansion, and 1.98 times it is 0.66.
        assert_eq!(odd, [(1, 50 * 6_000_000, 1), (2, 99 * 100_000_000, -1)]);
        assert_eq!(found.right, [NONE_EXACT, Exact { bets: 2, first: 7, last: 10 }]);
        let octaves: Vec<_> = found.octaves.iter().map(|octave| (octave.bits(), octave.bets)).collect();
        assert_eq!(octaves, [(25, 1), (27, 2), (28, 1)]);
        let ones = Octave {
            bets: 2,
            parts: 198,
            staked: 200_000_000,
            least: 100_000_000,
            most: 100_000_000,
            first: 7,
        };
        assert_eq!(found.octaves[1], ones);
        let rows = Bets { places: &[0], stakes: &[1.01], paid: &[3.0], possible: &[true], lines: Some(&[5]) };
        let exact = Due { parts: &[2_970_297], unit: 1_000_000, exact: Some((&[300.0 / 101.0], 1e6)) };
        assert_eq!(compare(rows, exact, 2).odd, []);
    }
}
