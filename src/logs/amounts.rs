//! Amounts of money, counted in whole units of 1e-8, and how what was paid agrees with what is due.
//!
//! Doubles can't be compared as money: 0.1 + 0.2 isn't 0.3. So an amount is the nearest whole number of units, and
//! knows whether it is that number apart from the error of a double. What is due, stake times return, is a product of
//! whole numbers and exact. A difference is given with the number of decimals to which both agree, from which the audit
//! learns to how many decimals the operator rounds; what differs in no more than that is no finding. Sums by
//! the size of the stake (powers of two) show whether small bets alone lose by rounding.

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

/// Rows with a stake and a payout: columns of one length.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    pub places: &'a [i64],
    pub stakes: &'a [f64],
    pub paid: &'a [f64],
    /// Whether a row's outcome can come up.
    pub possible: &'a [bool],
    /// The line of the paytable that each row is of, where they are told apart.
    pub lines: Option<&'a [i64]>,
}

/// What was paid beside what is due.
#[derive(Debug, Default, PartialEq)]
pub struct Compared {
    /// The first row with a stake: its place, and the stake in units.
    pub first: Option<(i64, i64)>,
    /// What was paid in all rows with a stake together, in units.
    pub paid: i128,
    /// The decimals that the amounts are written with.
    pub decimals: usize,
    /// Rows by their stakes, by as many bits as these have in units.
    pub octaves: Vec<Octave>,
    /// Rows that were paid exactly what they are due, by their line.
    pub right: Vec<Right>,
    /// Rows that weren't.
    pub odd: Vec<Odd>,
    /// Possible rows whose stake or payout can't be counted in units.
    pub apart: Vec<usize>,
}

/// Rows whose stakes are between two powers of two; amounts are in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Octave {
    pub bets: i64,
    /// What stakes of 1 are due, in parts.
    pub parts: i64,
    pub staked: i128,
    pub least: i64,
    pub most: i64,
    /// The place of the first of them.
    pub first: i64,
}

const NO_BETS: Octave =
    Octave { bets: 0, parts: 0, staked: 0, least: i64::MAX, most: i64::MIN, first: i64::MAX };

/// Rows that were paid what they are due: how many, the first place and the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Right {
    pub bets: i64,
    pub first: i64,
    pub last: i64,
}

const NONE_RIGHT: Right = Right { bets: 0, first: i64::MAX, last: -1 };

/// A row that wasn't paid exactly what it is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odd {
    pub row: usize,
    /// In units.
    pub stake: i64,
    pub paid: i64,
    /// What is due less what was paid, in parts of a unit.
    pub off: i64,
    /// To how many decimals these agree.
    pub level: i64,
}

/// Compares what was paid with what is due, where there is a stake and the row is possible; the paytable has this
/// number of lines.
pub fn compare(rows: Rows<'_>, due: Due<'_>, lines: usize) -> Compared {
    let mut found = Compared { right: vec![NONE_RIGHT; lines], ..Compared::default() };
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
            found.odd.push(Odd { row, stake: stake.units, paid: paid.units, off, level });
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
    /// How many bits its stakes have.
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

impl Right {
    #[inline]
    fn add(&mut self, place: i64) {
        self.bets += 1;
        self.first = self.first.min(place);
        self.last = self.last.max(place);
    }
}

impl Due<'_> {
    /// What is due less what was paid, and to how many decimals these agree.
    #[inline]
    fn compare(&self, rows: &Rows<'_>, row: usize, stake: Amount, paid: Amount) -> (i64, i64) {
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
        // No decimals: doubles agree, or the amounts differ in the last one at least.
        let (due, rough) = self.rough(row, rows.stakes[row] * UNIT, rows.paid[row] * UNIT);
        if rough.abs() <= NEAR_LOOSE * due.abs().max(self.unit as f64) {
            (0, AGREES)
        } else {
            (off, level(off, self.unit).min(DECIMALS as i64))
        }
    }

    /// What is due, and that less what was paid, in doubles.
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
        let rows = Rows {
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
        // A third has no decimals, and 1.98 times that is 0.66.
        assert_eq!(odd, [(1, 50 * 6_000_000, 1), (2, 99 * 100_000_000, -1)]);
        assert_eq!(found.right, [NONE_RIGHT, Right { bets: 2, first: 7, last: 10 }]);
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
        let rows = Rows { places: &[0], stakes: &[1.01], paid: &[3.0], possible: &[true], lines: Some(&[5]) };
        let exact = Due { parts: &[2_970_297], unit: 1_000_000, exact: Some((&[300.0 / 101.0], 1e6)) };
        assert_eq!(compare(rows, exact, 2).odd, []);
    }
}
