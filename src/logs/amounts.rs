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
//!
//! Players repeat their stakes, so most rows equal a recent one in all that matters. Equal rows are compared
//! once and counted; their sums are made when another row takes their slot, or at the end.

use super::interner::{Interner, ODD};

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
/// From here on, a decimal's double times 1e8 may be nearer to another unit.
const UNSURE: f64 = EXACT / 4.0;
const LARGEST: f64 = 9e10;
/// The relative error allowed between a double and the decimal that it stands for: what remains after adding
/// a few of them.
const NEAR: f64 = 2e-15;
/// The least amount of more than 15 digits, and the relative error allowed in two of 15 digits.
const FIFTEEN: i64 = 1_000_000_000_000_000;
const NEAR_FIFTEEN: f64 = 1.1e-14;
/// The relative error allowed in the product of two doubles.
const NEAR_PRODUCT: f64 = 1e-12;
/// The relative error allowed in amounts without a decimal expansion, such as converted currencies.
const NEAR_LOOSE: f64 = 1e-9;
/// The same for large amounts, whose decimals a double can't hold: what 15 digits leave, and a cent of the
/// smallest amounts that are scaled.
const NEAR_LARGE: f64 = 2e-13;
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
        if nearest.abs() < UNSURE {
            return Self { units: nearest as i64, there, whole: is_near(nearest, scaled) };
        }
        if nearest.abs() < EXACT {
            let tens = known * (UNIT / 10.0);
            let nearest = round(tens);
            return Self { units: nearest as i64 * 10, there, whole: is_near(nearest, tens) };
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

/// The largest number of different stakes that are counted.
pub const MOST_PLAYED: usize = 4096;
/// Slots for rows to which later ones are likely equal, as a power of two.
const RECENT_BITS: u32 = 10;
/// When as many more rows equal no recent one than do, none is looked for.
const MOST_MISSES: usize = 4 << RECENT_BITS;

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
    /// What both are divided by to be counted.
    pub scale: f64,
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
    pub right: Vec<RowSpan>,
    /// The rows paid something else.
    pub odd: Vec<WrongPayout>,
    /// Possible rows whose stake or payout can't be counted in units.
    pub apart: Vec<usize>,
    /// The rows whose amounts a double doesn't hold to a unit, which agree with what is due but for more than one.
    pub loose: i64,
    /// The different stakes of the other possible rows, with the number of bets and the sum of the returns due on
    /// stakes of 1, in parts; `None` if there are more than [`MOST_PLAYED`].
    pub played: Option<Vec<(f64, i64, i64)>>,
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

/// The number of some rows, with the first and last position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowSpan {
    /// The number of bets.
    pub bets: i64,
    /// The position of the first bet.
    pub first: i64,
    /// The position of the last bet.
    pub last: i64,
}

const NO_ROWS: RowSpan = RowSpan { bets: 0, first: i64::MAX, last: -1 };

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

/// What the comparison of a row depends on.
#[derive(Clone, Copy, Debug)]
struct Terms {
    stake: f64,
    paid: f64,
    parts: i64,
    /// The exact return; 0 if parts aren't rounded.
    exact: f64,
    /// The line of the paytable; `usize::MAX` if lines aren't distinguished.
    line: usize,
}

impl Terms {
    #[inline]
    fn words(&self) -> [u64; 5] {
        let amounts = [self.stake, self.paid, self.exact].map(f64::to_bits);
        [amounts[0], amounts[1], amounts[2], self.parts as u64, self.line as u64]
    }

    /// Whether all words are the same. (A comparison of arrays would call `memcmp`, which takes longer.)
    #[inline]
    fn equals(&self, other: &Self) -> bool {
        self.words().into_iter().zip(other.words()).fold(0, |apart, (one, word)| apart | (one ^ word)) == 0
    }

    /// The same with amounts divided. (Marked as cold, it isn't computed where it isn't needed.)
    #[cold]
    fn divided(&self, scale: f64) -> Self {
        Self { stake: self.stake / scale, paid: self.paid / scale, ..*self }
    }

    /// The slot of equal rows.
    #[inline]
    fn slot(&self) -> usize {
        let words = [self.stake.to_bits(), self.paid.to_bits(), self.parts as u64, self.line as u64];
        let mixed = words.into_iter().fold(0u64, |mixed, word| mixed.rotate_left(13) ^ word);
        (mixed.wrapping_mul(ODD) >> (u64::BITS - RECENT_BITS)) as usize
    }
}

/// The amounts of rows beside those due.
#[derive(Clone, Copy, Debug)]
struct Compared {
    stake: Amount,
    paid: Amount,
    off: i64,
    level: i64,
    /// Whether both agree, but for more than a unit.
    loose: bool,
}

/// Rows with the same terms.
#[derive(Clone, Copy, Debug)]
struct EqualRows {
    terms: Terms,
    /// `None` if their stake or payout can't be counted in units.
    compared: Option<Compared>,
    rows: RowSpan,
}

/// What a slot holds at first: right for rows without a stake, which aren't compared.
const NO_STAKE: EqualRows = EqualRows {
    terms: Terms { stake: 0.0, paid: 0.0, parts: 0, exact: 0.0, line: 0 },
    compared: None,
    rows: NO_ROWS,
};

/// Counts the different stakes, unless there are too many.
#[derive(Default)]
struct PlayedStakes {
    table: Interner<u64>,
    /// The number of bets, and the sum of the returns due, by stake.
    sums: Vec<(i64, i64)>,
}

impl PlayedStakes {
    fn add(&mut self, stake: f64, bets: i64, parts: i64) {
        if self.sums.len() > MOST_PLAYED {
            return;
        }
        let number = self.table.number(stake.to_bits());
        if number == self.sums.len() {
            self.sums.push((0, 0));
        }
        let sums = &mut self.sums[number];
        *sums = (sums.0 + bets, sums.1.wrapping_add(parts.wrapping_mul(bets)));
    }

    fn into_counts(self) -> Option<Vec<(f64, i64, i64)>> {
        let stakes = self.table.keys().iter().map(|&stake| f64::from_bits(stake));
        (self.sums.len() <= MOST_PLAYED)
            .then(|| stakes.zip(self.sums).map(|(stake, (bets, parts))| (stake, bets, parts)).collect())
    }
}

/// Compares payouts with what is due on the possible rows with a stake; the paytable has `lines` lines.
pub fn compare(rows: Bets<'_>, due: Due<'_>, lines: usize) -> PayoutComparison {
    let mut found = PayoutComparison {
        octaves: vec![NO_BETS; 64],
        right: vec![NO_ROWS; lines],
        ..PayoutComparison::default()
    };
    let mut played = PlayedStakes::default();
    let mut recent = vec![NO_STAKE; 1 << RECENT_BITS];
    let mut misses = 0;
    let scaled = rows.scale != 1.0;
    // Slices of one length need no check of it in every row.
    let count = rows.places.len();
    let (stakes, paid, possible) = (&rows.stakes[..count], &rows.paid[..count], &rows.possible[..count]);
    let (parts, lines) = (&due.parts[..count], rows.lines.map(|lines| &lines[..count]));
    let exact = due.exact.map(|(exact, _)| &exact[..count]);
    for (row, &place) in rows.places.iter().enumerate() {
        if !possible[row] {
            continue;
        }
        let terms = Terms {
            stake: stakes[row],
            paid: paid[row],
            parts: parts[row],
            exact: exact.map_or(0.0, |exact| exact[row]),
            line: lines.map_or(usize::MAX, |lines| lines[row] as usize),
        };
        let span = RowSpan { bets: 1, first: place, last: place };
        let compared = if misses < MOST_MISSES {
            let equal = &mut recent[terms.slot()];
            if equal.terms.equals(&terms) {
                misses = misses.saturating_sub(1);
                equal.rows.add(span);
                equal.compared
            } else {
                misses += 1;
                found.add(equal, scaled, &mut played);
                let compared = due.compare(&terms, rows.scale);
                *equal = EqualRows { terms, compared, rows: span };
                compared
            }
        } else {
            let compared = due.compare(&terms, rows.scale);
            found.add(&EqualRows { terms, compared, rows: span }, scaled, &mut played);
            compared
        };
        match compared {
            None => found.apart.push(row),
            Some(Compared { stake, paid, off, level, .. }) if level < AGREES => {
                found.odd.push(WrongPayout { row, stake: stake.units, paid: paid.units, off, level });
            }
            Some(_) => {}
        }
    }
    recent.iter().for_each(|equal| found.add(equal, scaled, &mut played));
    found.octaves.retain(|octave| octave.bets > 0);
    found.played = played.into_counts();
    found
}

impl PayoutComparison {
    /// Adds equal rows, with amounts divided if they are `scaled`, to the sums.
    #[inline]
    fn add(&mut self, equal: &EqualRows, scaled: bool, played: &mut PlayedStakes) {
        let EqualRows { terms, compared: Some(compared), rows } = *equal else { return };
        let Compared { stake, paid, level, loose, .. } = compared;
        self.octaves[63 - stake.units.leading_zeros() as usize].add(rows, stake.units, terms.parts);
        if self.first.is_none_or(|first| rows.first < first.0) {
            self.first = Some((rows.first, stake.units));
        }
        self.paid += i128::from(paid.units) * i128::from(rows.bets);
        if level >= AGREES
            && let Some(right) = self.right.get_mut(terms.line)
        {
            right.add(rows);
        }
        if stake.whole && paid.whole {
            self.decimals = decimals([stake.units, paid.units], self.decimals);
        } else if scaled {
            self.decimals = DECIMALS;
        }
        self.loose += if loose { rows.bets } else { 0 };
        played.add(terms.stake, rows.bets, terms.parts);
    }
}

impl Octave {
    /// The number of bits of the stakes.
    pub fn bits(&self) -> i64 {
        64 - i64::from(self.least.leading_zeros())
    }

    /// Adds rows of the same stake and return due.
    #[inline]
    fn add(&mut self, rows: RowSpan, stake: i64, parts: i64) {
        self.bets += rows.bets;
        self.parts = self.parts.wrapping_add(parts.wrapping_mul(rows.bets));
        self.staked += i128::from(stake) * i128::from(rows.bets);
        self.least = self.least.min(stake);
        self.most = self.most.max(stake);
        self.first = self.first.min(rows.first);
    }
}

impl RowSpan {
    #[inline]
    fn add(&mut self, rows: Self) {
        self.bets += rows.bets;
        self.first = self.first.min(rows.first);
        self.last = self.last.max(rows.last);
    }
}

impl Due<'_> {
    /// Compares the payout with the amount due; `None` if the stake or the payout can't be counted in units.
    #[inline]
    fn compare(&self, terms: &Terms, scale: f64) -> Option<Compared> {
        let scaled = if scale == 1.0 { *terms } else { terms.divided(scale) };
        let (stake, paid) = (Amount::of(scaled.stake), Amount::of(scaled.paid));
        (stake.there && paid.there && stake.units > 0).then(|| {
            let (off, level, loose) = self.off(&scaled, stake, paid, scale != 1.0);
            Compared { stake, paid, off, level, loose }
        })
    }

    /// The amount due minus the payout, the level to which both agree, and whether they do but for more than a unit.
    #[inline]
    fn off(&self, terms: &Terms, stake: Amount, paid: Amount, scaled: bool) -> (i64, i64, bool) {
        let off = match self.exact {
            Some(_) => {
                let (due, off) = self.rough(terms, stake.units as f64, paid.units as f64);
                if off.abs() <= NEAR_PRODUCT * due.abs() { 0 } else { off.clamp(-FAR, FAR) as i64 }
            }
            None => {
                let due = i128::from(stake.units) * i128::from(terms.parts);
                let off = due - i128::from(paid.units) * i128::from(self.unit);
                off.clamp(-FAR as i128, FAR as i128) as i64
            }
        };
        if stake.whole && paid.whole {
            // From millions on, the eighth decimal is less than the errors of two doubles, or of two amounts of 15
            // digits, with which many programs write doubles.
            let near = if paid.units.max(stake.units) < FIFTEEN { 2.0 * NEAR } else { NEAR_FIFTEEN };
            let agrees = (off as f64).abs() <= (near * stake.units as f64 * terms.parts as f64).abs();
            return if agrees {
                (0, AGREES, off.abs() >= self.unit)
            } else {
                (off, level(off, self.unit), false)
            };
        }
        // Without a decimal expansion, doubles either agree or differ in the last decimal at least.
        let (due, rough) = self.rough(terms, terms.stake * UNIT, terms.paid * UNIT);
        let large = scaled || terms.stake.max(terms.paid.abs()) * UNIT >= EXACT;
        let (near, unit) = (if large { NEAR_LARGE } else { NEAR_LOOSE }, self.unit as f64);
        if rough.abs() <= near * due.abs().max(unit) {
            return (0, AGREES, rough.abs() >= unit);
        }
        // Units of large amounts are rounded to more than what a double holds.
        let off = if large { rough.clamp(-FAR, FAR) as i64 } else { off };
        (off, level(off, self.unit).min(DECIMALS as i64), false)
    }

    /// The amount due, and its difference from the payout, as doubles.
    fn rough(&self, terms: &Terms, stake: f64, paid: f64) -> (f64, f64) {
        let due = match self.exact {
            Some((_, unit)) => stake * terms.exact * unit,
            None => stake * terms.parts as f64,
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
        assert_eq!(Amount::of(67_251_595.76), amount(6_725_159_576_000_000, true)); // times 1e8, as doubles, ends in 1
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
            scale: 1.0,
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
        assert_eq!(found.right, [NO_ROWS, RowSpan { bets: 2, first: 7, last: 10 }]);
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
        let mut played = found.played.expect("few stakes");
        played.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert_eq!(played, [(1.0 / 3.0, 1, 99), (1.0, 2, 198), (2.0, 1, 99)]);
        let rows = Bets {
            places: &[0],
            stakes: &[1.01],
            paid: &[3.0],
            scale: 1.0,
            possible: &[true],
            lines: Some(&[5]),
        };
        let exact = Due { parts: &[2_970_297], unit: 1_000_000, exact: Some((&[300.0 / 101.0], 1e6)) };
        assert_eq!(compare(rows, exact, 2).odd, []);
    }

    #[test]
    fn large_amounts_agree_to_thirteen_digits() {
        let found = |stake: f64, paid: f64, scale: f64| {
            let rows =
                Bets { places: &[0], stakes: &[stake], paid: &[paid], scale, possible: &[true], lines: None };
            let found = compare(rows, Due { parts: &[99], unit: 50, exact: None }, 0);
            (found.odd.first().map(|odd| odd.level), found.loose)
        };
        // Both are rounded to hundredths; the second is short by a billionth, the third by less than a double's error.
        assert_eq!(found(1e12 + 0.01, 1_980_000_000_000.01, 1e8), (None, 0));
        assert_eq!(found(1e12 + 0.01, 1_979_999_998_999.99, 1e8), (Some(4), 0));
        assert_eq!(found(123_456_789_012_345_678_901.0, 244_444_442_244_444_400_000.0, 1e16), (None, 0));
        // A payout in thousandths, of amounts whose units are hundredths.
        assert_eq!(found(1e8 + 0.004, 198_000_000.008, 1.0), (Some(4), 0));
        assert_eq!(found(4e10 + 0.001, 79_199_999_960.002, 1.0), (Some(-1), 0));
        // Doubles of this size are further apart than units.
        assert_eq!(found(13_357_174.187_046_552, 26_447_204.890_352_175, 1.0), (None, 1));
        assert_eq!(found(100.0 / 3.0, 66.000_000_03, 1.0), (None, 1));
    }

    /// A linear congruential generator of numbers below a limit.
    fn draws() -> impl FnMut(u64) -> u64 {
        let mut state = 7u64;
        move |most| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        }
    }

    #[test]
    fn equal_rows_count_like_rows_one_by_one() {
        // More combinations than there are slots, in a random order, and stakes that can't be counted.
        let mut draw = draws();
        let count = 20_000;
        let stakes: Vec<f64> =
            (0..count).map(|_| [draw(40) as f64 / 8.0, f64::NAN][(draw(50) == 0) as usize]).collect();
        let parts: Vec<i64> = (0..count).map(|_| draw(30) as i64).collect();
        let paid: Vec<f64> = stakes
            .iter()
            .zip(&parts)
            .map(|(stake, &parts)| stake * (parts as f64 + draw(20).saturating_sub(18) as f64))
            .collect();
        let places: Vec<i64> = (0..count as i64).map(|row| 3 * row + 1).collect();
        let possible: Vec<bool> = (0..count).map(|_| draw(10) > 0).collect();
        let rows = |from: usize, to: usize| {
            let bets = Bets {
                places: &places[from..to],
                stakes: &stakes[from..to],
                paid: &paid[from..to],
                scale: 1.0,
                possible: &possible[from..to],
                lines: Some(&parts[from..to]),
            };
            compare(bets, Due { parts: &parts[from..to], unit: 1, exact: None }, 30)
        };
        let all = rows(0, count);
        let each: Vec<_> = (0..count).map(|row| rows(row, row + 1)).collect();
        let moved = |row: usize, odd: &WrongPayout| WrongPayout { row, ..*odd };
        let odd: Vec<_> = each
            .iter()
            .enumerate()
            .flat_map(|(row, one)| one.odd.iter().map(move |odd| moved(row, odd)))
            .collect();
        assert!(odd.len() > 300 && all.odd == odd);
        let apart: Vec<_> = (0..count).filter(|&row| !each[row].apart.is_empty()).collect();
        assert!(apart.len() > 300 && all.apart == apart);
        assert_eq!(all.paid, each.iter().map(|one| one.paid).sum::<i128>());
        assert_eq!(all.first, each.iter().find_map(|one| one.first));
        assert_eq!(all.decimals, each.iter().map(|one| one.decimals).max().unwrap_or(0));
        let mut right = vec![NO_ROWS; 30];
        let mut played = std::collections::HashMap::new();
        for one in &each {
            right.iter_mut().zip(&one.right).for_each(|(sum, one)| sum.add(*one));
            one.played.iter().flatten().for_each(|&(stake, bets, parts)| {
                let sums = played.entry(stake.to_bits()).or_insert((0, 0));
                *sums = (sums.0 + bets, sums.1 + parts);
            });
        }
        assert_eq!(all.right, right);
        let counted =
            all.played.into_iter().flatten().map(|(stake, bets, parts)| (stake.to_bits(), (bets, parts)));
        assert_eq!(counted.collect::<std::collections::HashMap<_, _>>(), played);
        for octave in &all.octaves {
            let parts = each.iter().flat_map(|one| &one.octaves).filter(|one| one.bits() == octave.bits());
            let (mut bets, mut due, mut staked) = (0, 0, 0);
            parts.for_each(|one| {
                (bets, due, staked) = (bets + one.bets, due + one.parts, staked + one.staked)
            });
            assert_eq!((bets, due, staked), (octave.bets, octave.parts, octave.staked));
        }
    }

    #[test]
    fn stakes_are_counted_up_to_a_limit() {
        let many: Vec<f64> = (1..5000).map(f64::from).collect();
        let bets = |count: usize| Bets {
            places: &[0; 5000][..count],
            stakes: &many[..count],
            paid: &many[..count],
            scale: 1.0,
            possible: &[true; 5000][..count],
            lines: None,
        };
        let due = Due { parts: &[1; 5000], unit: 1, exact: None };
        let played = |count| compare(bets(count), due, 0).played.map(|played| played.len());
        assert_eq!((played(MOST_PLAYED), played(MOST_PLAYED + 1)), (Some(MOST_PLAYED), None));
    }
}
