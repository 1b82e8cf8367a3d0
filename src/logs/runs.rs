//! Runs of rows that go on: of one key, with numbers that go on one by one.
//!
//! A key is a pair of seeds and its numbers are nonces, or it is a chain and they are games. A log in order is a
//! few runs, however long it is, and one in no order has a run for each row: these are [`Sorted`], so that memory
//! stays bounded.

use std::io;

use super::fingerprints::Fingerprint;
use super::replays::First;
use super::sorted::{Record, Sorted, put_words, read_words};

/// Where there is no time.
pub const NEVER: i64 = i64::MIN;
/// Runs that are open at once, at most: of as many players one after another.
const OPEN: usize = 1 << 12;
/// Runs in memory, at most: 88 MiB.
const MOST_IN_MEMORY: usize = 1 << 20;
/// Runs that are looked at together, at most: keys of more are too scattered.
const MOST_TOGETHER: usize = 1 << 22;

/// Rows one after another, of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    key: Fingerprint,
    /// The fingerprint of the key's spelling, where several mean the same.
    spelling: Fingerprint,
    /// The positions of its first and its last row.
    place: u64,
    last: u64,
    rows: u64,
    /// The numbers of its first and its last row.
    from: i64,
    to: i64,
    /// The times of these rows.
    times: [i64; 2],
}

impl Record for Run {
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

impl Run {
    fn low(&self) -> i64 {
        self.from.min(self.to)
    }

    fn high(&self) -> i64 {
        self.from.max(self.to)
    }

    /// The row of a number of it, as far as it is known: exactly, where its rows follow one another.
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

    /// The times of the rows with the lowest and the highest number.
    fn time_of_low(&self) -> i64 {
        self.times[usize::from(self.from > self.to)]
    }

    fn time_of_high(&self) -> i64 {
        self.times[usize::from(self.from <= self.to)]
    }

    /// Adds a run that comes later, if this one goes on with it: with numbers that go up or down one by one, or stay
    /// where they may, past rows of other keys.
    fn go_on(&mut self, next: &Self, may_stay: bool) -> bool {
        let step = next.from.wrapping_sub(self.to);
        let way = |run: &Run| (run.to.wrapping_sub(run.from)).signum();
        let ways = [way(self), step.signum(), way(next)];
        let one_way = !(ways.contains(&1) && ways.contains(&-1));
        let times = [self.times[0], self.times[1], next.times[0], next.times[1]];
        let in_time = ways.into_iter().find(|&way| way != 0).is_none_or(|way| {
            let in_order = |one: i64, other: i64| if way == 1 { one <= other } else { one >= other };
            times.windows(2).all(|pair| pair.contains(&NEVER) || in_order(pair[0], pair[1]))
        });
        let goes = matches!(step, -1 | 1) || (step == 0 && may_stay);
        let same = self.key == next.key && self.spelling == next.spelling;
        let goes = same && goes && one_way && in_time && self.last < next.place;
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

/// The runs of a log so far.
#[derive(Debug)]
pub struct Runs {
    /// Whether numbers may stay from row to row.
    pub may_stay: bool,
    /// Those that may go on, by their keys.
    open: Vec<Option<Run>>,
    closed: Sorted<Run>,
}

/// What the numbers of each key are.
#[derive(Debug, Default, PartialEq)]
pub struct Numbers {
    /// Numbers that are missing between the lowest and the highest of their keys.
    pub missing: u64,
    pub gaps: u64,
    /// The first rows after gaps.
    pub after_gaps: Vec<u64>,
    /// Rows whose number an earlier row of the key has, in its spelling; of keys with a single run, none.
    pub again: u64,
    /// Rows that begin the key's numbers once more, and go on for two of them at least.
    pub restarts: Vec<u64>,
    /// Rows in which numbers come again although all others are in order.
    pub returns: Vec<u64>,
    pub returned: u64,
    /// Rows with a higher number than another of the key, but an earlier time, by as much as was asked for.
    pub before_their_time: Vec<u64>,
    pub times_reversed: u64,
    /// Rows at which numbers turn back or leap, in keys whose numbers go up elsewhere.
    pub turns: Vec<u64>,
    pub turned: u64,
    /// Keys that were too scattered to be looked at.
    pub scattered: u64,
}

impl Runs {
    pub fn new(may_stay: bool, most_in_memory: Option<usize>) -> Self {
        let closed = Sorted::new(most_in_memory.unwrap_or(MOST_IN_MEMORY));
        Self { may_stay, open: vec![None; OPEN], closed }
    }

    /// Adds the next row.
    #[inline]
    pub fn push(&mut self, key: Fingerprint, spelling: Fingerprint, number: i64, time: i64, place: u64) {
        let row =
            Run { key, spelling, place, last: place, rows: 1, from: number, to: number, times: [time; 2] };
        let slot = (key[0] >> 32) as usize % self.open.len();
        match &mut self.open[slot] {
            Some(open) => {
                if !open.go_on(&row, self.may_stay) {
                    self.closed.push(std::mem::replace(open, row));
                }
            }
            none => *none = Some(row),
        }
    }

    fn close(&mut self) {
        for open in &mut self.open {
            if let Some(run) = open.take() {
                self.closed.push(run);
            }
        }
    }

    /// How many rows aren't kept, since there was no room for them.
    pub fn lost(&self) -> u64 {
        self.closed.lost()
    }

    /// Adds the rows of what follows these rows.
    pub fn append(&mut self, other: &mut Self, rows_before: u64) -> io::Result<()> {
        self.close();
        other.close();
        self.closed.append(&mut other.closed, rows_before)
    }

    /// All runs, to be sent elsewhere.
    pub fn to_bytes(&mut self) -> io::Result<Vec<u8>> {
        self.close();
        self.closed.to_bytes()
    }

    /// Adds runs that were sent.
    pub fn extend_from_bytes(&mut self, bytes: &[u8]) {
        self.closed.extend_from_bytes(bytes);
    }

    /// Gives the runs of each key that has several in the order of the log; says of how many keys there
    /// were too many.
    fn each_key(
        &mut self,
        threads: Option<usize>,
        mut look: impl FnMut(&mut [Run]) + Send,
    ) -> io::Result<u64> {
        self.close();
        let may_stay = self.may_stay;
        let mut scattered = 0;
        let mut joined: Vec<Run> = Vec::new();
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

    /// Looks through the numbers of each key; `most` rows are named of each kind. Times that are less than `apart`
    /// from each other are in no order.
    pub fn numbers(&mut self, most: usize, threads: Option<usize>, apart: i64) -> io::Result<Numbers> {
        let mut found = Numbers::default();
        let [mut gaps, mut restarts, mut returns, mut early, mut turns] =
            std::array::from_fn(|_| First::<()>::new(most));
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
            // The run that reaches the highest number so far, and the last time up to there.
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
            // In order, except what comes again.
            new.sort_unstable_by_key(|run| run.place);
            let in_order = new.windows(2).all(|pair| pair[0].high() < pair[1].low())
                || new.windows(2).all(|pair| pair[0].low() > pair[1].high());
            if in_order {
                for (later, low, high) in again {
                    for number in low..=high {
                        found.returned += 1;
                        if (number - low) as usize <= most {
                            returns.push(later.row_of(number), ());
                        }
                    }
                }
            }
        })?;
        found.scattered = scattered;
        let rows = |first: First<()>| first.into_vec().into_iter().map(|((), row)| row).collect();
        found.after_gaps = rows(gaps);
        found.restarts = rows(restarts);
        found.returns = rows(returns);
        found.before_their_time = rows(early);
        found.turns = rows(turns);
        Ok(found)
    }
}

/// How many different numbers there are in runs that are sorted by their lowest.
fn numbers_in(runs: &[Run]) -> u64 {
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

    /// Numbers from a simple generator.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *state >> 33
    }

    type Rows = Vec<(u64, i64)>;

    fn find(may_stay: bool, rows: &Rows, cuts: &[usize], room: usize) -> Numbers {
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

    #[test]
    fn cuts_change_nothing() {
        let mut state = 7;
        for case in 0..60 {
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
        assert_eq!(one(&[4]), Numbers::default());
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
