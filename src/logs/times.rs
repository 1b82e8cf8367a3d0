//! Times in logs: ISO 8601, or seconds and their parts since 1970; as microseconds since then, in UTC.
//!
//! A log has many times on one day: the day that was read last is remembered, and its calendar isn't computed again.
//! The unit of a number follows from its size: what is too large for seconds is milli-, micro- or nanoseconds.

use super::column::{Cell, Column};
use super::lists::Items;
use super::number::{Number, trim_spaces};

const SECOND: i128 = 1_000_000;
const DAY: i64 = 86_400;

/// The times of a column's cells, and whether there are any.
pub fn times(column: &Column<'_>, rows: usize) -> (Vec<i64>, Vec<bool>) {
    let (mut items, mut day) = (Items::default(), None);
    let mut read = |row| {
        let time = match column.read(row, &mut items) {
            Cell::Text(text) => of_cell(text, &mut day),
            Cell::Number(number) => of_number(number),
            _ => None,
        };
        (time.unwrap_or(0), time.is_some())
    };
    (0..rows).map(&mut read).unzip()
}

/// By the hour of the day how many rows have a time, and their values together.
pub fn sum_by_hour(times: &[i64], there: &[bool], values: &[i64]) -> [(i64, i64); 24] {
    let mut found = [(0, 0i64); 24];
    for ((&time, &value), _) in times.iter().zip(values).zip(there).filter(|(_, there)| **there) {
        let hour = time.div_euclid(3600 * SECOND as i64).rem_euclid(24);
        let (count, sum) = &mut found[hour as usize];
        *count += 1;
        *sum = sum.wrapping_add(value);
    }
    found
}

/// A day as it is written, and the days since 1970: the last one that was read, which most rows have again.
type Day = Option<([u8; 10], i64)>;

fn of_cell(text: &[u8], day: &mut Day) -> Option<i64> {
    // No number has such lines.
    if let [_, _, _, _, b'-', _, _, b'-', ..] = text {
        return of_text(text, day);
    }
    Number::parse(text).map_or_else(|| of_text(text, day), of_number)
}

/// A number of seconds; of milli-, micro- or nanoseconds, where it is too large for seconds.
fn of_number(number: Number) -> Option<i64> {
    let Some(whole) = number.as_whole() else {
        let micros = number.as_double() * SECOND as f64;
        return (micros.abs() < 1e17).then_some(micros.round() as i64);
    };
    let micros = match whole.unsigned_abs() {
        ..100_000_000_000 => whole * SECOND,
        100_000_000_000..100_000_000_000_000 => whole * 1000,
        100_000_000_000_000..100_000_000_000_000_000 => whole,
        _ => whole / 1000,
    };
    i64::try_from(micros).ok()
}

/// `2026-01-31T23:59:59.5+02:00`, with a space or a T, to the minute, the second or parts of it; UTC where no
/// zone is given; or a day alone.
fn of_text(text: &[u8], known: &mut Day) -> Option<i64> {
    let (day, mut rest) = trim_spaces(text).split_first_chunk()?;
    let days = match known {
        Some((text, days)) if text == day => *days,
        _ => known.insert((*day, of_day(day)?)).1,
    };
    let mut seconds = days * DAY;
    let mut micros = 0;
    if let [b'T' | b't' | b' ', clock @ ..] = rest {
        rest = clock;
        let hour = digits(&mut rest, 2)?;
        let minute = after(&mut rest, b':').then(|| digits(&mut rest, 2))??;
        let second = if after(&mut rest, b':') { digits(&mut rest, 2)? } else { 0 };
        if hour > 24 || minute > 59 || second > 60 {
            return None;
        }
        seconds += hour * 3600 + minute * 60 + second;
        if after(&mut rest, b'.') || after(&mut rest, b',') {
            let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (parts, others) = rest.split_at(length);
            micros =
                (0..6).fold(0, |sum, i| 10 * sum + i64::from(parts.get(i).map_or(0, |byte| byte - b'0')));
            rest = others;
            if length == 0 {
                return None;
            }
        }
        rest = trim_spaces(rest);
        seconds -= zone(&mut rest)?;
    }
    rest.is_empty().then_some(seconds * SECOND as i64 + micros)
}

/// Days since 1970.
fn of_day(day: &[u8; 10]) -> Option<i64> {
    let mut rest = &day[..];
    let year = digits(&mut rest, 4)?;
    let month = after(&mut rest, b'-').then(|| digits(&mut rest, 2))??;
    let day = after(&mut rest, b'-').then(|| digits(&mut rest, 2))??;
    let length = [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let exists = (1..=12).contains(&month) && (1..=length[month as usize - 1]).contains(&day);
    exists.then(|| days(year, month, day))
}

/// Seconds before UTC.
fn zone(rest: &mut &[u8]) -> Option<i64> {
    let sign = match **rest {
        [] => return Some(0),
        [b'Z' | b'z'] | [b'U', b'T', b'C'] => {
            *rest = &[];
            return Some(0);
        }
        [b'+', ..] => 1,
        [b'-', ..] => -1,
        _ => return None,
    };
    *rest = &rest[1..];
    let hours = digits(rest, 2)?;
    let _ = after(rest, b':');
    let minutes = if rest.is_empty() { 0 } else { digits(rest, 2)? };
    (hours <= 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (digits, others) = rest.split_at_checked(count)?;
    *rest = others;
    digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| 10 * sum + i64::from(byte - b'0')))
}

fn after(rest: &mut &[u8], byte: u8) -> bool {
    match rest.split_first() {
        Some((&first, others)) if first == byte => {
            *rest = others;
            true
        }
        _ => false,
    }
}

fn is_leap(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

/// Days since 1970.
fn days(year: i64, month: i64, day: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let leaps = |years: i64| years / 4 - years / 100 + years / 400;
    // Of the years before this one; year 0 is one of them.
    let past = leaps(year.max(1) - 1) + i64::from(year > 0);
    let until_1970 = leaps(1969) + 1;
    365 * (year - 1970) + past - until_1970
        + BEFORE[month as usize - 1]
        + i64::from(month > 2 && is_leap(year))
        + day
        - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<i64> {
        of_cell(text.as_bytes(), &mut None)
    }

    #[test]
    fn hours_are_those_of_the_day() {
        let hour = 3_600_000_000;
        let times = [0, hour - 1, hour, -1, -24 * hour, 49 * hour + 5, 7];
        let found = sum_by_hour(&times, &[true, true, true, true, true, true, false], &[1, 2, 3, 4, 5, 6, 7]);
        assert_eq!([found[0], found[1], found[2], found[23]], [(3, 8), (2, 9), (0, 0), (1, 4)]);
    }

    #[test]
    fn times_are_those_of_the_calendar() {
        for (text, seconds) in [
            ("1970-01-01", 0),
            ("1970-01-01T00:00:01Z", 1),
            ("2000-02-29 12:00", 951_825_600),
            ("2026-11-22T07:23:05+00:00", 1_795_332_185),
            ("2026-11-22T07:23:05+0130", 1_795_326_785),
            ("1969-12-31T23:59:59", -1),
            ("0001-01-01", -62_135_596_800),
            ("1900-03-01", -2_203_891_200),
            ("2100-03-01", 4_107_542_400),
            (" 2024-12-31 23:59:60 UTC ", 1_735_689_600),
            ("1700000000", 1_700_000_000),
        ] {
            assert_eq!(read(text), Some(seconds * 1_000_000), "{text}");
        }
        assert_eq!(read("1970-01-01T00:00:00.25"), Some(250_000));
        assert_eq!(read("1970-01-01T00:00:00.1234569-01:00"), Some(3_600_123_456));
        assert_eq!(read("1700000000.5"), Some(1_700_000_000_500_000));
        for same in ["1700000000000", "1700000000000000", "1700000000000000000"] {
            assert_eq!(read(same), Some(1_700_000_000_000_000));
        }
        let mut day = None;
        for (text, hours) in [("1970-01-02 01:00", 25), ("1970-01-02", 24), ("1970-01-03T00:00:00", 48)] {
            assert_eq!(of_cell(text.as_bytes(), &mut day), Some(hours * 3_600_000_000));
            assert_eq!(of_cell(b"1970-02-30", &mut day), None);
        }
        for none in
            ["", "x", "2026-13-01", "2026-02-29", "2026-1-1", "2026-01-01T25:00", "2026-01-01T00:00:00."]
        {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
