//! Times in logs, in microseconds since 1970 UTC.
//!
//! A column has one [`Format`]: an order of year, month and day, or numbers since 1970. A cell alone may be
//! ambiguous (`1/2/2024` is two days), but the other cells of the column tell. Reading starts with all
//! formats, each cell narrows them down, and the caller carries them from batch to batch. If a cell fits none
//! of the remaining formats, or two of these read it as different times, the first such row is reported.
//!
//! Many consecutive rows share a day, so the latest ISO date is cached with its day number. The unit of a
//! number follows from its size: numbers too large for seconds are milli-, micro- or nanoseconds.

use super::column::{Cell, Column};
use super::lists::Items;
use super::number::{Number, trim_spaces};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// The names of the formats, in the order of [`Format`].
pub const FORMATS: [&str; 4] = ["year-first", "day-first", "month-first", "epoch"];
/// The number of formats with a written date, which come first.
const ORDERS: usize = 3;

/// A format of times; its bit is set in sets of formats.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Format {
    YearFirst = 1,
    DayFirst = 2,
    MonthFirst = 4,
    Epoch = 8,
}

/// The times read from a batch of cells.
#[derive(Debug, Default)]
pub struct Times {
    /// Microseconds since 1970; 0 for no time.
    pub values: Vec<i64>,
    /// Whether each row has a time.
    pub there: Vec<bool>,
    /// The formats that fit all times, one bit each.
    pub fits: u8,
    /// The first row with a time that fits only other formats; it counts as no time.
    pub other: Option<usize>,
    /// The first row that the remaining formats read as different times.
    pub differs: Option<usize>,
}

/// Reads a column's times in the formats that still fit.
pub fn times(column: &Column<'_>, rows: usize, fits: u8) -> Times {
    let found = read(column, rows, fits);
    // Earlier cells are read again once a later one has narrowed down the formats.
    if found.differs.is_some() && found.fits != fits { read(column, rows, found.fits) } else { found }
}

fn read(column: &Column<'_>, rows: usize, fits: u8) -> Times {
    let (mut items, mut day) = (Items::default(), None);
    let mut found = Times { fits, ..Times::default() };
    found.values.reserve(rows);
    found.there.reserve(rows);
    for row in 0..rows {
        let written = match column.read(row, &mut items) {
            Cell::Text(text) => of_cell(text, &mut day),
            Cell::Number(number) => of_number(number),
            _ => Written::Nothing,
        };
        let value = match written {
            Written::Nothing => None,
            Written::Once(format, value) => {
                let is_fit = found.fits & format as u8 != 0;
                if is_fit {
                    found.fits = format as u8;
                }
                is_fit.then_some(value)
            }
            Written::Several(values) => {
                let mask = (0..4).filter(|&i| values[i].is_some()).fold(0, |mask, i| mask | 1 << i);
                let left = found.fits & mask;
                if left != 0 {
                    found.fits = left;
                }
                let mut fitting = (0..4).filter(|i| left >> i & 1 == 1).filter_map(|i| values[i]);
                let first = fitting.next();
                if found.differs.is_none() && fitting.any(|value| Some(value) != first) {
                    found.differs = Some(row);
                }
                first
            }
        };
        if value.is_none() && found.other.is_none() && !matches!(written, Written::Nothing) {
            found.other = Some(row);
        }
        found.values.push(value.unwrap_or(0));
        found.there.push(value.is_some());
    }
    found
}

const HOUR: i64 = 3600 * SECOND;

/// The number of rows and the sum of their values, by the hour of the day.
pub fn sum_by_hour(times: &[i64], there: &[bool], values: &[i64]) -> [(i64, i64); 24] {
    let add = |(count, sum): &mut (i64, i64), (more, value): (i64, i64)| {
        (*count, *sum) = (*count + more, sum.wrapping_add(value));
    };
    let mut found = [(0, 0); 24];
    // Most times are of the hour of the time before.
    let (mut begin, mut end, mut hour) = (0, HOUR, 0);
    let (mut count, mut sum) = (0i64, 0i64);
    for ((&time, &value), _) in times.iter().zip(values).zip(there).filter(|(_, there)| **there) {
        if time < begin || end <= time {
            add(&mut found[hour], (std::mem::take(&mut count), std::mem::take(&mut sum)));
            let past = time.rem_euclid(HOUR);
            (begin, end) = (time.saturating_sub(past), time.saturating_add(HOUR - past));
            hour = time.div_euclid(HOUR).rem_euclid(24) as usize;
        }
        count += 1;
        sum = sum.wrapping_add(value);
    }
    add(&mut found[hour], (count, sum));
    found
}

/// The possible readings of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Written {
    /// No time.
    Nothing,
    /// A time in a single format.
    Once(Format, i64),
    /// A different time, or none, in each format.
    Several([Option<i64>; 4]),
}

/// The latest date read, as written and as days since 1970.
type Day = Option<([u8; 10], i64)>;

fn of_cell(text: &[u8], day: &mut Day) -> Written {
    let text = trim_spaces(text);
    // No number has hyphens there.
    if let [_, _, _, _, b'-', _, _, b'-', _, _, ..] = text
        && let Some(time) = of_iso(text, day)
    {
        return Written::Once(Format::YearFirst, time);
    }
    match Number::parse(text) {
        Some(number) => of_number(number),
        None => of_text(text),
    }
}

/// A time from a number of seconds, or of milli-, micro- or nanoseconds if it is too large for seconds. Eight
/// digits may also be a date, and fourteen a date with a time.
fn of_number(number: Number) -> Written {
    let Some(whole) = number.as_whole() else {
        let value = number.as_double();
        let micros = match value.abs() {
            ..1e11 => value * 1e6,
            1e11..1e14 => value * 1e3,
            1e14..1e17 => value,
            _ => value / 1e3,
        };
        let is_time = micros.abs() < 9e18;
        return if is_time { Written::Once(Format::Epoch, micros.round() as i64) } else { Written::Nothing };
    };
    let micros = match whole.unsigned_abs() {
        ..100_000_000_000 => whole * i128::from(SECOND),
        100_000_000_000..100_000_000_000_000 => whole * 1000,
        100_000_000_000_000..100_000_000_000_000_000 => whole,
        _ => whole / 1000,
    };
    let Ok(micros) = i64::try_from(micros) else { return Written::Nothing };
    if matches!(whole, 19_000_000..22_000_000 | 19_000_000_000_000..22_000_000_000_000)
        && let Some(compact) = of_compact(whole.to_string().as_bytes())
    {
        return Written::Several([Some(compact), None, None, Some(micros)]);
    }
    Written::Once(Format::Epoch, micros)
}

/// `2026-01-31T23:59:59.5+02:00`, with a space or a T, down to minutes, seconds or fractions; UTC if there is
/// no zone; or the date alone.
fn of_iso(text: &[u8], known: &mut Day) -> Option<i64> {
    let (day, rest) = text.split_first_chunk()?;
    let days = match known {
        Some((text, days)) if text == day => *days,
        _ => known.insert((*day, of_day(day)?)).1,
    };
    Some(days * DAY + after_day(rest)?)
}

/// The days since 1970 of an ISO date.
fn of_day(day: &[u8; 10]) -> Option<i64> {
    let mut rest = &day[..];
    let year = digits(&mut rest, 4)?;
    let month = after(&mut rest, b'-').then(|| digits(&mut rest, 2))??;
    let day = after(&mut rest, b'-').then(|| digits(&mut rest, 2))??;
    days(year, month, day)
}

/// `20260131T235959Z`, with or without the T.
fn of_compact(text: &[u8]) -> Option<i64> {
    let mut rest = text;
    let day = days(digits(&mut rest, 4)?, digits(&mut rest, 2)?, digits(&mut rest, 2)?)?;
    if rest.is_empty() {
        return Some(day * DAY);
    }
    let _ = after(&mut rest, b'T') || after(&mut rest, b't') || after(&mut rest, b' ');
    let (hour, minute) = (digits(&mut rest, 2)?, digits(&mut rest, 2)?);
    let second = if rest.first().is_some_and(u8::is_ascii_digit) { digits(&mut rest, 2)? } else { 0 };
    Some(day * DAY + of_clock(hour, minute, second, rest)?)
}

/// Dates such as `31.12.2024 10:00:00`, `12/31/2024 10:00 PM` or `Tue, 14 Nov 2023 22:13:20 GMT`, in each
/// possible order of year, month and day.
fn of_text(text: &[u8]) -> Written {
    if let Some(time) = of_compact(text) {
        return Written::Once(Format::YearFirst, time);
    }
    let mut values = [None; 4];
    let mut rest = text;
    if let Some([first, second, third]) = parts(&mut rest)
        && let Some(micros) = after_day(rest)
    {
        let orders = [[first, second, third], [third, second, first], [third, first, second]];
        for (value, [year, month, day]) in values.iter_mut().zip(orders) {
            let days = || days(year.as_year()?, month.as_month()?, day.as_day()?);
            *value = days().map(|days| days * DAY + micros);
        }
    }
    let mut there = [Format::YearFirst, Format::DayFirst, Format::MonthFirst]
        .into_iter()
        .zip(&values[..ORDERS])
        .filter_map(|(format, value)| Some((format, (*value)?)));
    match (there.next(), there.next()) {
        (None, _) => Written::Nothing,
        (Some((format, value)), None) => Written::Once(format, value),
        _ => Written::Several(values),
    }
}

/// A component of a written date.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DatePart {
    Number { value: i64, length: usize },
    Month(i64),
}

impl DatePart {
    /// Two-digit years are those of POSIX: 1969 to 2068.
    fn as_year(self) -> Option<i64> {
        match self {
            Self::Number { value, length: 4 } => Some(value),
            Self::Number { value, length: 2 } => Some(if value < 69 { 2000 + value } else { 1900 + value }),
            _ => None,
        }
    }

    fn as_month(self) -> Option<i64> {
        match self {
            Self::Month(month) => Some(month),
            part => part.as_day(),
        }
    }

    fn as_day(self) -> Option<i64> {
        match self {
            Self::Number { value, length: 1 | 2 } => Some(value),
            _ => None,
        }
    }
}

/// The three components of a date, of which one may be the name of a month; a weekday may precede them.
fn parts(rest: &mut &[u8]) -> Option<[DatePart; 3]> {
    let before = *rest;
    if !is_weekday(word(rest)) || mark(rest).is_none() {
        *rest = before;
    }
    let first = part(rest)?;
    let one = mark(rest)?;
    let second = part(rest)?;
    let other = mark(rest)?;
    let third = part(rest)?;
    let is_named = |part| matches!(part, DatePart::Month(_));
    // Numbers have the same separator twice, and it isn't a space.
    let is_day = match (is_named(first), is_named(second), is_named(third)) {
        (false, false, false) => one == other && one != b' ',
        (true, false, false) | (false, true, false) => true,
        _ => false,
    };
    is_day.then_some([first, second, third])
}

fn part(rest: &mut &[u8]) -> Option<DatePart> {
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if length == 0 {
        return month(word(rest)).map(DatePart::Month);
    }
    (length <= 4).then(|| digits(rest, length)).flatten().map(|value| DatePart::Number { value, length })
}

/// A separator between components: a slash, dot, hyphen or comma with optional spaces, or spaces alone.
fn mark(rest: &mut &[u8]) -> Option<u8> {
    let trimmed = rest.trim_ascii_start();
    match trimmed.split_first() {
        Some((&mark @ (b'/' | b'.' | b'-' | b','), others)) => {
            *rest = others.trim_ascii_start();
            Some(mark)
        }
        _ if trimmed.len() < rest.len() => {
            *rest = trimmed;
            Some(b' ')
        }
        _ => None,
    }
}

/// The leading letters.
fn word<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (word, others) = rest.split_at(length);
    *rest = others;
    word
}

/// The index of a name, which may be abbreviated to three letters or more.
fn place_of(word: &[u8], names: &[&str]) -> Option<usize> {
    let is_meant =
        |name: &&str| name.as_bytes().get(..word.len()).is_some_and(|cut| cut.eq_ignore_ascii_case(word));
    if word.len() < 3 { None } else { names.iter().position(is_meant) }
}

fn is_weekday(word: &[u8]) -> bool {
    const NAMES: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    place_of(word, &NAMES).is_some()
}

fn month(word: &[u8]) -> Option<i64> {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    place_of(word, &NAMES).map(|place| place as i64 + 1)
}

/// Microseconds since midnight, from the text after a date.
fn after_day(rest: &[u8]) -> Option<i64> {
    let mut rest = match rest {
        [] => return Some(0),
        [b'T' | b't', rest @ ..] => rest,
        [b' ' | b',', rest @ ..] => rest.trim_ascii_start(),
        _ => return None,
    };
    let length = 1 + usize::from(rest.get(1).is_some_and(u8::is_ascii_digit));
    let hour = digits(&mut rest, length)?;
    let minute = after(&mut rest, b':').then(|| digits(&mut rest, 2))??;
    let second = if after(&mut rest, b':') { digits(&mut rest, 2)? } else { 0 };
    of_clock(hour, minute, second, rest)
}

/// Microseconds since midnight, given the clock time and the text after it: fractions of a second, AM or PM,
/// and the zone.
fn of_clock(mut hour: i64, minute: i64, second: i64, mut rest: &[u8]) -> Option<i64> {
    let mut micros = 0;
    if after(&mut rest, b'.') || after(&mut rest, b',') {
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (parts, others) = rest.split_at(length);
        micros = (0..6).fold(0, |sum, i| 10 * sum + i64::from(parts.get(i).map_or(0, |byte| byte - b'0')));
        rest = others;
        if length == 0 {
            return None;
        }
    }
    rest = rest.trim_ascii_start();
    // Browsers write a narrow no-break space before AM and PM.
    let half = rest.strip_prefix("\u{202f}".as_bytes()).unwrap_or(rest);
    if let [half @ (b'A' | b'a' | b'P' | b'p'), b'M' | b'm', others @ ..] = half {
        if !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + if half.eq_ignore_ascii_case(&b'p') { 12 } else { 0 };
        rest = others.trim_ascii_start();
    }
    if hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    Some((hour * 3600 + minute * 60 + second - zone(rest)?) * SECOND + micros)
}

/// The zone's offset from UTC in seconds: `Z`, `+02:00`, a zone of RFC 2822, or `GMT+0200 (a name)`.
fn zone(mut rest: &[u8]) -> Option<i64> {
    let hours = match word(&mut rest) {
        b"" | b"Z" | b"z" | b"UTC" | b"UT" | b"GMT" => 0,
        b"EDT" => -4,
        b"EST" | b"CDT" => -5,
        b"CST" | b"MDT" => -6,
        b"MST" | b"PDT" => -7,
        b"PST" => -8,
        _ => return None,
    };
    let mut seconds = hours * 3600;
    if hours == 0
        && let [sign @ (b'+' | b'-'), others @ ..] = rest
    {
        rest = others;
        let hours = digits(&mut rest, 2)?;
        let _ = after(&mut rest, b':');
        let minutes = if rest.first().is_some_and(u8::is_ascii_digit) { digits(&mut rest, 2)? } else { 0 };
        if hours > 24 || minutes > 59 {
            return None;
        }
        seconds = (hours * 3600 + minutes * 60) * if *sign == b'+' { 1 } else { -1 };
    }
    match rest.trim_ascii_start() {
        [] | [b'(', .., b')'] => Some(seconds),
        _ => None,
    }
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

/// The days since 1970 of a calendar date; `None` if there is no such date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let length = [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if !(1..=12).contains(&month) || !(1..=length[month as usize - 1]).contains(&day) {
        return None;
    }
    let leaps = |years: i64| years / 4 - years / 100 + years / 400;
    // Leap days before this year, counting year 0 as a leap year.
    let past = leaps(year.max(1) - 1) + i64::from(year > 0);
    let until_1970 = leaps(1969) + 1;
    Some(
        365 * (year - 1970) + past - until_1970
            + BEFORE[month as usize - 1]
            + i64::from(month > 2 && is_leap(year))
            + day
            - 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::column::Object;

    const MICROS: i64 = SECOND;

    fn written(text: &str) -> Written {
        of_cell(text.as_bytes(), &mut None)
    }

    fn iso(text: &str) -> i64 {
        of_iso(text.as_bytes(), &mut None).expect("a time")
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
            ("20231114T221320Z", 1_700_000_000),
            ("20231114221320Z", 1_700_000_000),
            ("2023/11/14 22:13:20", 1_700_000_000),
            ("2023-11-14 10:13:20 PM", 1_700_000_000),
            ("2026-1-1", 1_767_225_600),
        ] {
            assert_eq!(written(text), Written::Once(Format::YearFirst, seconds * MICROS), "{text}");
        }
        assert_eq!(iso("1970-01-01T00:00:00.25"), 250_000);
        assert_eq!(iso("1970-01-01T00:00:00.1234569-01:00"), 3_600_123_456);
        let mut day = None;
        for (text, hours) in [("1970-01-02 01:00", 25), ("1970-01-02", 24), ("1970-01-03T00:00:00", 48)] {
            let time = Written::Once(Format::YearFirst, hours * 3_600_000_000);
            assert_eq!(of_cell(text.as_bytes(), &mut day), time);
            assert_eq!(of_cell(b"1970-02-30", &mut day), Written::Nothing);
        }
    }

    #[test]
    fn numbers_are_times_since_1970_by_their_size() {
        for (text, micros) in [
            ("1700000000", 1_700_000_000_000_000),
            ("1700000000000", 1_700_000_000_000_000),
            ("1700000000000000", 1_700_000_000_000_000),
            ("1700000000000000000", 1_700_000_000_000_000),
            ("1700000000.5", 1_700_000_000_500_000),
            ("1700000000000.5", 1_700_000_000_000_500),
            ("1700000000123.25", 1_700_000_000_123_250),
            ("-1", -1_000_000),
        ] {
            assert_eq!(written(text), Written::Once(Format::Epoch, micros), "{text}");
        }
        let double = of_number(Number::Double(1_700_000_000_000_000_000.0));
        assert_eq!(double, Written::Once(Format::Epoch, 1_700_000_000_000_000));
        // Fourteen digits are milliseconds in the year 2611, or a date with a time.
        let both = [Some(1_700_000_000 * MICROS), None, None, Some(20_231_114_221_320_000)];
        assert_eq!(written("20231114221320"), Written::Several(both));
        assert_eq!(of_number(Number::whole(20_231_114_221_320)), Written::Several(both));
        assert_eq!(written("10051212"), Written::Once(Format::Epoch, 10_051_212 * MICROS));
        assert_eq!(written("20239914221320"), Written::Once(Format::Epoch, 20_239_914_221_320_000));
    }

    #[test]
    fn days_are_read_in_each_order_that_they_can_be_in() {
        use Format::{DayFirst, MonthFirst};
        for (text, format, same) in [
            ("31.12.2024 10:00:00", DayFirst, "2024-12-31T10:00:00"),
            ("31. 12. 2024", DayFirst, "2024-12-31"),
            ("31/12/2024", DayFirst, "2024-12-31"),
            ("31-12-2024 10:00:00.5", DayFirst, "2024-12-31T10:00:00.5"),
            ("12/31/2024 10:00 PM", MonthFirst, "2024-12-31T22:00"),
            ("12/31/2024 12:05 am", MonthFirst, "2024-12-31T00:05"),
            ("12/31/2024, 1:05:07\u{202f}PM", MonthFirst, "2024-12-31T13:05:07"),
            ("12/31/24 9:05", MonthFirst, "2024-12-31T09:05"),
            ("Tue, 14 Nov 2023 22:13:20 GMT", DayFirst, "2023-11-14T22:13:20"),
            ("Tue, 14 Nov 2023 22:13:20 +0100", DayFirst, "2023-11-14T21:13:20"),
            ("14 Nov 2023 22:13 EST", DayFirst, "2023-11-15T03:13"),
            ("14-Nov-2023", DayFirst, "2023-11-14"),
            ("Tue Nov 14 2023 22:13:20 GMT+0200 (Central Time)", MonthFirst, "2023-11-14T20:13:20"),
            ("November 14, 2023", MonthFirst, "2023-11-14"),
            ("Sept. 14, 2023 5:00", MonthFirst, "2023-09-14T05:00"),
        ] {
            assert_eq!(written(text), Written::Once(format, iso(same)), "{text}");
        }
        for (text, [year_first, day_first, month_first]) in [
            ("1/2/2024", [None, Some("2024-02-01"), Some("2024-01-02")]),
            ("3.3.2024", [None, Some("2024-03-03"), Some("2024-03-03")]),
            ("01-02-03", [Some("2001-02-03"), Some("2003-02-01"), Some("2003-01-02")]),
            ("14-Nov-23", [Some("2014-11-23"), Some("2023-11-14"), None]),
            ("31.12.70", [None, None, None]),
        ] {
            let values = [year_first, day_first, month_first, None].map(|same| same.map(iso));
            let expected = match text {
                "31.12.70" => Written::Once(DayFirst, iso("1970-12-31")),
                _ => Written::Several(values),
            };
            assert_eq!(written(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for none in [
            "",
            "x",
            "n/a",
            "2026-13-01",
            "2026-02-29",
            "2026-01-01T25:00",
            "2026-01-01T00:00:00.",
            "2026-01-01 00:00 +99:00",
            "0000-00-00 00:00:00",
            "31/12/2024 13:00 PM",
            "31/12.2024",
            "31 12 2024",
            "1/2",
            "1/2/2024/3",
            "1/2/203",
            "32.13.2024",
            "14 Novem 23 x",
            "Nov Nov 2023",
            "Tue, ",
            "10:00",
            "20231399T000000Z",
            "nan",
            "1e400",
        ] {
            assert_eq!(written(none), Written::Nothing, "{none}");
        }
    }

    fn read_texts(texts: &[&str], fits: u8) -> Times {
        let objects: Vec<_> = texts.iter().map(|text| Object::Text(text.as_bytes().into())).collect();
        times(&Column::Objects(&objects), texts.len(), fits)
    }

    #[test]
    fn a_column_is_read_in_the_format_that_fits_all_its_rows() {
        let found = read_texts(&["1/2/2024", "", "25/12/2024", "n/a"], 15);
        assert_eq!((found.fits, found.other, found.differs), (Format::DayFirst as u8, None, None));
        assert_eq!(found.values, [iso("2024-02-01"), 0, iso("2024-12-25"), 0]);
        assert_eq!(found.there, [true, false, true, false]);
        let open = read_texts(&["1/2/2024"], 15);
        assert_eq!((open.fits, open.differs), (6, Some(0)));
        let alike = read_texts(&["3/3/2024", "1/1/2024"], 15);
        assert_eq!((alike.fits, alike.differs), (6, None));
        let mixed = read_texts(&["2024-12-25", "25/12/2024"], 15);
        assert_eq!((mixed.fits, mixed.other, mixed.there), (1, Some(1), vec![true, false]));
        let given = read_texts(&["1/2/2024", "25/12/2024", "7"], Format::MonthFirst as u8);
        assert_eq!((given.values[0], given.there), (iso("2024-01-02"), vec![true, false, false]));
    }
}
