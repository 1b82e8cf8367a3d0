//! Runs: consecutive rows of one key whose numbers go up or down by one.
//!
//! A key is a pair of seeds and its numbers are nonces, or it is a hash chain and they are game ids. An
//! ordered log consists of a few runs, however long it is; in an unordered one, each row is a run. Runs that
//! may still grow are kept in a table with one slot per hash of the key, which lets players alternate; a key
//! that needs the slot closes the run in it. Closed runs are [`Sorted`], which bounds the memory.
//!
//! At the end, the runs of each key are sorted by their lowest number and swept once, as in merging
//! intervals: a run that starts past the highest number so far leaves a gap, and one that starts at or before
//! it repeats numbers.

use std::io;
use std::ops::Range;

use super::fingerprints::Fingerprint;
use super::replays::Earliest;
use super::sorted::{Sortable, Sorted, put_words, read_words};

/// Marks a row without a time.
pub const NEVER: i64 = i64::MIN;
/// The number of runs that may be open at once, and so of players whose rows may alternate.
const OPEN: usize = 1 << 12;
/// The maximum number of runs in memory: 88 MiB.
const MOST_IN_MEMORY: usize = 1 << 20;
/// The maximum number of runs of one key; keys with more are reported as scattered.
const MOST_TOGETHER: usize = 1 << 22;

/// Consecutive rows of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyRun {
    key: Fingerprint,
    /// The fingerprint of the key as spelled, where several spellings mean the same.
    spelling: Fingerprint,
    /// The positions of the first and last row.
    place: u64,
    last: u64,
    rows: u64,
    /// The numbers of the first and last row.
    from: i64,
    to: i64,
    /// The times of the first and last row.
    times: [i64; 2],
}

impl Sortable for KeyRun {
    const BYTES: usize = 88;

    fn key(&self) -> u64 {
        self.key[0]
    }

    fn rows(&self) -> u64 {
        self.rows
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        let signed = [self.from, self.to, self.times[0], self.times[1]].map(|word| word as u64);
        let [from, to, first, last] = signed;
        let ([key, low_key], [spelling, low]) = (self.key, self.spelling);
        let own = [key, low_key, spelling, low, self.place, self.last, self.rows, from, to, first, last];
        put_words(own, bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let [key, low_key, spelling, low, place, last, rows, from, to, first_time, last_time] =
            read_words(bytes);
        Self {
            key: [key, low_key],
            spelling: [spelling, low],
            place,
            last,
            rows,
            from: from as i64,
            to: to as i64,
            times: [first_time as i64, last_time as i64],
        }
    }

    fn moved(self, rows: u64) -> Self {
        Self { place: self.place + rows, last: self.last + rows, ..self }
    }
}

impl KeyRun {
    fn low(&self) -> i64 {
        self.from.min(self.to)
    }

    fn high(&self) -> i64 {
        self.from.max(self.to)
    }

    /// The position of a number's row: exact if rows and numbers are both consecutive, otherwise that of the
    /// first or last row.
    fn row_of(&self, number: i64) -> u64 {
        let steps = number.abs_diff(self.from);
        let each = self.last - self.place + 1 == self.rows && self.from.abs_diff(self.to) + 1 == self.rows;
        if each {
            self.place + steps
        } else if number == self.to {
            self.last
        } else {
            self.place
        }
    }

    /// The time of the row with the lowest number.
    fn time_of_low(&self) -> i64 {
        self.times[usize::from(self.from > self.to)]
    }

    fn time_of_high(&self) -> i64 {
        self.times[usize::from(self.from <= self.to)]
    }

    /// Appends rows of the key, from `first` on, as long as numbers, positions and times go up, as they do in most
    /// logs: the same as [`KeyRun::go_on`] with each of them, in a third of the time. Returns the row after them.
    #[inline]
    fn climb(&mut self, rows: &NumberedRows<'_>, first: usize) -> usize {
        let [begun, ended] = self.times;
        if self.from > self.to || (begun > ended && ended != NEVER) {
            return first;
        }
        let mut next = first;
        while next < rows.numbers.len() && rows.there[next] {
            let (time, place) = (rows.time(next), rows.places[next] as u64);
            let in_time = time == NEVER || self.times[1] <= time;
            if self.to.checked_add(1) != Some(rows.numbers[next]) || self.last >= place || !in_time {
                break;
            }
            (self.to, self.last) = (rows.numbers[next], place);
            if time != NEVER {
                self.times = [if self.times[0] == NEVER { time } else { self.times[0] }, time];
            }
            next += 1;
        }
        self.rows += (next - first) as u64;
        next
    }

    /// Appends a later run if it continues this one: its numbers go on in the same direction by one, or
    /// repeat where `may_stay`. Rows of other keys may lie in between.
    #[inline(always)]
    fn go_on(&mut self, next: &Self, may_stay: bool) -> bool {
        let step = next.from.wrapping_sub(self.to);
        let goes = matches!(step, -1 | 1) || (step == 0 && may_stay);
        let same = self.key == next.key && self.spelling == next.spelling;
        if !(same && goes && self.last < next.place) {
            return false;
        }
        let signs = [self.to.wrapping_sub(self.from), step, next.to.wrapping_sub(next.from)];
        let (up, down) = (signs.iter().any(|sign| *sign > 0), signs.iter().any(|sign| *sign < 0));
        let in_order = |one: i64, other: i64| {
            one == NEVER || other == NEVER || !(up && one > other || down && one < other)
        };
        let [first, last] = self.times;
        let in_time =
            in_order(first, last) && in_order(last, next.times[0]) && in_order(next.times[0], next.times[1]);
        let goes = !(up && down) && in_time;
        if goes {
            self.last = next.last;
            self.rows += next.rows;
            self.to = next.to;
            if next.times[1] != NEVER {
                self.times[1] = next.times[1];
            }
            if self.times[0] == NEVER {
                self.times[0] = next.times[0];
            }
        }
        goes
    }
}

/// Rows with a number, their positions and their times, of which some count.
#[derive(Clone, Copy, Debug)]
pub struct NumberedRows<'a> {
    /// The numbers.
    pub numbers: &'a [i64],
    /// The positions.
    pub places: &'a [i64],
    /// The rows that count.
    pub there: &'a [bool],
    /// The times, if any row has one.
    pub times: Option<&'a [i64]>,
}

impl NumberedRows<'_> {
    /// The time of a row.
    #[inline]
    pub fn time(&self, row: usize) -> i64 {
        self.times.map_or(NEVER, |times| times[row])
    }

    /// Some consecutive rows.
    pub fn some(&self, rows: Range<usize>) -> Self {
        Self {
            numbers: &self.numbers[rows.clone()],
            places: &self.places[rows.clone()],
            there: &self.there[rows.clone()],
            times: self.times.map(|times| &times[rows]),
        }
    }
}

/// The runs of a log so far.
#[derive(Debug)]
pub struct Runs {
    /// Whether a number may repeat in the next row.
    pub may_stay: bool,
    /// The runs that may still grow, by a hash of their key.
    open: Vec<Option<KeyRun>>,
    closed: Sorted<KeyRun>,
}

/// The findings about the numbers of all keys.
#[derive(Debug, Default, PartialEq)]
pub struct NumberFindings {
    /// The count of numbers missing between the lowest and highest of their keys.
    pub missing: u64,
    /// The count of gaps.
    pub gaps: u64,
    /// The first row after each gap.
    pub after_gaps: Vec<u64>,
    /// The count of rows that repeat a number of the same key and spelling. Keys with a single run have none.
    pub again: u64,
    /// The rows at which a key's numbers start over, for two numbers at least.
    pub restarts: Vec<u64>,
    /// The rows that repeat a number although all other rows are in order.
    pub returns: Vec<u64>,
    /// The count of rows that repeat a number although all other rows are in order.
    pub returned: u64,
    /// The rows with a higher number but an earlier time than another row of the key, by the requested
    /// margin.
    pub before_their_time: Vec<u64>,
    /// The count of rows with an earlier time than a row with a lower number.
    pub times_reversed: u64,
    /// The rows at which numbers reverse or jump, in keys whose numbers otherwise go up.
    pub turns: Vec<u64>,
    /// The count of reversals and jumps.
    pub turned: u64,
    /// The count of keys with too many runs to be examined.
    pub scattered: u64,
}

impl Runs {
    /// Creates an empty object for `most_in_memory` runs in memory.
    pub fn new(may_stay: bool, most_in_memory: Option<usize>) -> Self {
        let closed = Sorted::new(most_in_memory.unwrap_or(MOST_IN_MEMORY));
        Self { may_stay, open: vec![None; OPEN], closed }
    }

    /// Adds the next row.
    #[inline]
    pub fn push(&mut self, key: Fingerprint, spelling: Fingerprint, number: i64, time: i64, place: u64) {
        let row =
            KeyRun { key, spelling, place, last: place, rows: 1, from: number, to: number, times: [time; 2] };
        let may_stay = self.may_stay;
        match self.slot(key) {
            Some(open) => {
                if !open.go_on(&row, may_stay) {
                    let closed = std::mem::replace(open, row);
                    self.closed.push(closed);
                }
            }
            none => *none = Some(row),
        }
    }

    /// Adds rows of one key.
    pub fn extend(&mut self, key: Fingerprint, spelling: Fingerprint, rows: &NumberedRows<'_>) {
        let mut next = 0;
        while next < rows.numbers.len() {
            if rows.there[next] {
                self.push(key, spelling, rows.numbers[next], rows.time(next), rows.places[next] as u64);
                if let Some(open) = self.slot(key) {
                    next = open.climb(rows, next + 1);
                    continue;
                }
            }
            next += 1;
        }
    }

    /// The run that is open where one of the key would be.
    #[inline]
    fn slot(&mut self, key: Fingerprint) -> &mut Option<KeyRun> {
        &mut self.open[(key[0] >> 32) as usize % OPEN]
    }

    fn close(&mut self) {
        for open in &mut self.open {
            if let Some(run) = open.take() {
                self.closed.push(run);
            }
        }
    }

    /// The number of rows dropped for lack of space.
    pub fn lost(&self) -> u64 {
        self.closed.lost()
    }

    /// Appends the rows of the next part of the log; `rows_before` precede it.
    pub fn append(&mut self, other: &mut Self, rows_before: u64) -> io::Result<()> {
        self.close();
        other.close();
        self.closed.append(&mut other.closed, rows_before)
    }

    /// Serializes all runs.
    pub fn to_bytes(&mut self) -> io::Result<Vec<u8>> {
        self.close();
        self.closed.to_bytes()
    }

    /// Adds serialized runs.
    pub fn extend_from_bytes(&mut self, bytes: &[u8]) {
        self.closed.extend_from_bytes(bytes);
    }

    /// Passes the runs of each key with several to `look`, in the order of the log; returns the count of keys
    /// with too many runs.
    fn each_key(
        &mut self,
        threads: Option<usize>,
        mut look: impl FnMut(&mut [KeyRun]) + Send,
    ) -> io::Result<u64> {
        self.close();
        let may_stay = self.may_stay;
        let mut scattered = 0;
        let mut joined: Vec<KeyRun> = Vec::new();
        self.closed.each_repeated(threads, |part| {
            for same in part.chunk_by(|one, next| one.key == next.key) {
                if same.len() > MOST_TOGETHER {
                    scattered += 1;
                    continue;
                }
                joined.clear();
                for next in same {
                    if !joined.last_mut().is_some_and(|last| last.go_on(next, may_stay)) {
                        joined.push(*next);
                    }
                }
                look(&mut joined);
            }
        })?;
        Ok(scattered)
    }

    /// Examines the numbers of each key; lists at most `most` rows of each kind. Times closer than `apart`
    /// are considered simultaneous.
    pub fn numbers(&mut self, most: usize, threads: Option<usize>, apart: i64) -> io::Result<NumberFindings> {
        let mut found = NumberFindings::default();
        let [mut gaps, mut restarts, mut returns, mut early, mut turns] =
            std::array::from_fn(|_| Earliest::<()>::new(most));
        let scattered = self.each_key(threads, |runs| {
            let down = runs.iter().filter(|run| run.from > run.to).count();
            let up = runs.iter().filter(|run| run.from < run.to).count();
            let backward = down > up || (down == up && up == 0 && runs[0].from > runs[runs.len() - 1].from);
            for pair in runs.windows(2) {
                if (pair[1].from > pair[0].to) == backward {
                    found.turned += 1;
                    turns.push(pair[1].place, ());
                }
            }
            runs.sort_unstable_by_key(|run| (run.low(), run.place));
            let lowest = runs[0].low();
            // The run with the highest number so far, and the latest time up to it.
            let mut reach = runs[0];
            let mut latest = reach.time_of_high();
            let mut new = vec![runs[0]];
            let mut again = Vec::new();
            for &next in &runs[1..] {
                if next.low() > reach.high() {
                    let missing = next.low().wrapping_sub(reach.high()) as u64 - 1;
                    if missing > 0 {
                        found.missing = found.missing.saturating_add(missing);
                        found.gaps += 1;
                        gaps.push(next.row_of(next.low()), ());
                    }
                    if next.time_of_low() != NEVER && latest.saturating_sub(next.time_of_low()) >= apart {
                        found.times_reversed += 1;
                        early.push(next.row_of(next.low()), ());
                    }
                    new.push(next);
                    reach = next;
                    latest = latest.max(next.time_of_high());
                    continue;
                }
                let both = next.high().min(reach.high()).abs_diff(next.low()) + 1;
                let later = if next.place > reach.place { next } else { reach };
                if next.high().min(reach.high()) > lowest && next.low() == lowest && both > 1 {
                    restarts.push(later.place, ());
                }
                again.push((later, next.low(), next.high().min(reach.high())));
                if next.high() > reach.high() {
                    reach = next;
                    latest = latest.max(next.time_of_high());
                }
            }
            runs.sort_unstable_by_key(|run| (run.spelling, run.low()));
            for spelled in runs.chunk_by(|one, next| one.spelling == next.spelling) {
                let rows: u64 = spelled.iter().map(|run| run.rows).sum();
                found.again += rows.saturating_sub(numbers_in(spelled));
            }
            // Whether the rows that repeat no number are in order.
            new.sort_unstable_by_key(|run| run.place);
            let in_order = new.windows(2).all(|pair| pair[0].high() < pair[1].low())
                || new.windows(2).all(|pair| pair[0].low() > pair[1].high());
            if in_order {
                for (later, low, high) in again {
                    for number in low..=high {
                        found.returned += 1;
                        if (number - low) as u64 <= most as u64 {
                            returns.push(later.row_of(number), ());
                        }
                    }
                }
            }
        })?;
        found.scattered = scattered;
        let rows = |first: Earliest<()>| first.into_vec().into_iter().map(|((), row)| row).collect();
        found.after_gaps = rows(gaps);
        found.restarts = rows(restarts);
        found.returns = rows(returns);
        found.before_their_time = rows(early);
        found.turns = rows(turns);
        Ok(found)
    }
}

/// The count of different numbers in runs sorted by their lowest number.
fn numbers_in(runs: &[KeyRun]) -> u64 {
    let mut count = 0;
    let mut above = None;
    for run in runs {
        let from = above.map_or(run.low(), |above: i64| above.max(run.low()));
        if run.high() >= from {
            count += run.high().abs_diff(from) + 1;
            above = Some(run.high().saturating_add(1));
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next number of a linear congruential generator.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *state >> 33
    }

    type Rows = Vec<(u64, i64)>;

    fn find(may_stay: bool, rows: &Rows, cuts: &[usize], room: usize) -> NumberFindings {
        let mut whole = Runs::new(may_stay, Some(room));
        let mut start = 0;
        for &end in cuts.iter().chain([&rows.len()]) {
            let mut part = Runs::new(may_stay, Some(room));
            for (place, &(key, number)) in rows[start..end].iter().enumerate() {
                part.push([key, key], [key, 0], number, NEVER, place as u64);
            }
            let mut sent = Runs::new(may_stay, None);
            sent.extend_from_bytes(&part.to_bytes().unwrap());
            whole.append(&mut sent, start as u64).unwrap();
            start = end;
        }
        whole.numbers(1000, None, 1).unwrap()
    }

    /// Rows of a key that mostly go up are the same one by one and together.
    #[test]
    fn rows_of_a_key_may_come_together() {
        let mut state = 11;
        for case in 0..400 {
            let may_stay = case % 2 == 1;
            let (mut together, mut alone) = (Runs::new(may_stay, None), Runs::new(may_stay, None));
            let (mut number, mut place, mut time) = (i64::MAX - 400 * (case % 3), 0, 0);
            for key in [1, 2, 1] {
                let mut step = |usual: i64| {
                    if !random(&mut state).is_multiple_of(16) {
                        usual
                    } else {
                        random(&mut state) as i64 % 3 - 1
                    }
                };
                let [mut numbers, mut places, mut times, mut there] = std::array::from_fn(|_| Vec::new());
                for _ in 0..200 {
                    number = i64::wrapping_add(number, step(1));
                    place += step(1).max(1);
                    time += step(5);
                    numbers.push(number);
                    places.push(place);
                    times.push(if step(1) == 1 { time } else { NEVER });
                    there.push(i64::from(step(1) != 0));
                }
                let there: Vec<bool> = there.iter().map(|&there| there == 1).collect();
                let times = (case % 5 > 0).then_some(&times[..]);
                let rows = NumberedRows { numbers: &numbers, places: &places, there: &there, times };
                together.extend([key, key], [key, 0], &rows);
                for row in (0..200).filter(|&row| there[row]) {
                    alone.push([key, key], [key, 0], numbers[row], rows.time(row), places[row] as u64);
                }
            }
            assert_eq!(together.to_bytes().unwrap(), alone.to_bytes().unwrap(), "{case}");
        }
    }

    #[test]
    fn cuts_change_nothing() {
        check_cuts(12);
    }

    #[test]
    #[ignore = "thorough: takes seconds"]
    fn cuts_of_many_rows_change_nothing() {
        check_cuts(60);
    }

    fn check_cuts(cases: usize) {
        let mut state = 7;
        for case in 0..cases {
            let rows: Rows = (0..60)
                .map(|n| {
                    (
                        random(&mut state) % 3,
                        if case % 2 == 0 { n / 2 } else { (random(&mut state) % 30) as i64 },
                    )
                })
                .collect();
            for may_stay in [false, true] {
                let whole = find(may_stay, &rows, &[], usize::MAX);
                for cuts in [vec![1], vec![30], (1..60).collect(), vec![7, 8, 33]] {
                    assert_eq!(find(may_stay, &rows, &cuts, 0), whole);
                }
                let different = |key| {
                    let mut numbers: Vec<_> =
                        rows.iter().filter(|row| row.0 == key).map(|row| row.1).collect();
                    numbers.sort_unstable();
                    numbers.dedup();
                    numbers
                };
                let missing: i64 = (0..3)
                    .map(different)
                    .map(|numbers| {
                        numbers.last().map_or(0, |last| last - numbers[0] + 1 - numbers.len() as i64)
                    })
                    .sum();
                assert_eq!(whole.missing, missing as u64);
                let distinct: usize = (0..3).map(|key| different(key).len()).sum();
                assert_eq!(whole.again, (rows.len() - distinct) as u64);
            }
        }
    }

    #[test]
    fn gaps_repeats_and_restarts_are_told_by_their_rows() {
        let one = |numbers: &[i64]| find(false, &numbers.iter().map(|n| (5, *n)).collect(), &[], 9);
        let found = one(&[3, 4, 5, 8, 9, 11]);
        assert_eq!((found.missing, found.gaps, found.after_gaps), (3, 2, vec![3, 5]));
        let found = one(&[11, 9, 8, 5, 4, 3]);
        assert_eq!((found.missing, found.gaps, found.after_gaps, found.turned), (3, 2, vec![0, 2], 0));
        let found = one(&[0, 1, 2, 1, 3, 4]);
        assert_eq!((found.again, found.returned, found.returns, found.missing), (1, 1, vec![3], 0));
        let found = one(&[0, 1, 2, 3, 0, 1, 2]);
        assert_eq!((found.again, found.restarts), (3, vec![4]));
        assert!(one(&[0, 1, 2, 0]).restarts.is_empty());
        let found = one(&[0, 1, 5, 6, 2, 3, 4]);
        assert_eq!((found.missing, found.again, found.returned, found.turned), (0, 0, 0, 1));
        assert_eq!(one(&[4]), NumberFindings::default());
    }

    #[test]
    fn spellings_of_one_key_are_told_apart_where_numbers_come_again() {
        let mut all = Runs::new(false, None);
        for (place, (spelling, number)) in [(0, 0), (0, 1), (7, 1), (7, 2), (7, 2), (0, 4)].iter().enumerate()
        {
            all.push([1, 1], [7, *spelling], *number, NEVER, place as u64);
        }
        let found = all.numbers(10, None, 1).unwrap();
        assert_eq!((found.again, found.missing, found.after_gaps), (1, 1, vec![5]));
    }

    #[test]
    fn times_go_with_numbers() {
        let mut all = Runs::new(false, None);
        for (place, (number, time)) in
            [(0, 10), (1, 20), (2, 15), (3, 30), (4, NEVER), (5, 29)].iter().enumerate()
        {
            all.push([1, 1], [1, 1], *number, *time, place as u64);
        }
        let found = all.numbers(10, None, 1).unwrap();
        assert_eq!((found.missing, found.times_reversed), (0, 2));
        assert_eq!(found.before_their_time, [2, 5]);
        for (apart, rows) in [(5, vec![2]), (6, vec![])] {
            assert_eq!(all.numbers(10, None, apart).unwrap().before_their_time, rows);
        }
    }

    #[test]
    fn times_that_fall_little_by_little_are_out_of_order() {
        let mut all = Runs::new(false, None);
        for number in 0..8 {
            all.push([1, 1], [1, 1], number, 100 - 2 * number, number as u64);
        }
        assert_eq!(all.numbers(10, None, 10).unwrap().before_their_time, [5, 6, 7]);
    }
}
