//! Dice generated ahead: the players see the hash of the sequence before the game, and the
//! sequence itself in the game log afterwards.
//!
//! A log record is a run of properties `NAME[value][value]...`: `DH` the hash, `MI` facts about the
//! game, `DS` the digits. Names other than these are kept as they are.

use md5::{Digest, Md5};
use sha2::Sha256;

use super::{byte_order_mark, digit_expected, error_at, found, is_space, scan_digits};
use crate::error::{Error, Result};

/// The hash that commits to a sequence.
///
/// FPClub's logs use MD5. A second sequence with the MD5 of a given one is still out of reach, but
/// two sequences with the same MD5 can be prepared together; with SHA-256 neither can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// MD5.
    Md5,
    /// SHA-256.
    Sha256,
}

impl Algorithm {
    /// Reads `md5` or `sha256`.
    pub fn from_name(argument: &str, name: &str) -> Result<Self> {
        match name {
            "md5" => Ok(Self::Md5),
            "sha256" => Ok(Self::Sha256),
            _ => Err(Error::value(argument, format_args!("must be \"md5\" or \"sha256\", got {name:?}"))),
        }
    }

    /// `md5` or `sha256`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md5 => "md5",
            Self::Sha256 => "sha256",
        }
    }

    /// The algorithm whose hashes have that many hexadecimal digits.
    fn of_length(length: usize) -> Option<Self> {
        match length {
            32 => Some(Self::Md5),
            64 => Some(Self::Sha256),
            _ => None,
        }
    }

    /// The hash of the digits' ASCII text, in lowercase hexadecimal.
    pub fn hash(self, digits: &[u8]) -> String {
        match self {
            Self::Md5 => hex::encode(Md5::digest(digits)),
            Self::Sha256 => hex::encode(Sha256::digest(digits)),
        }
    }
}

/// Reads a hash in hexadecimal: its lowercase text and which algorithm's it is.
pub fn parse_hash(argument: &str, text: &str) -> Result<(String, Algorithm)> {
    read_hash(text.as_bytes(), |_| false).map_err(|Wrong { offset, message }| match offset {
        Some(offset) => error_at(argument, text.as_bytes(), offset, message),
        None => Error::value(argument, message),
    })
}

/// A property of a record: its name and its one or more values, escapes undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name.
    pub name: String,
    /// The values.
    pub values: Vec<String>,
}

/// One sequence in a game log. `DH` and `DS` are present, once each, with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    properties: Vec<Property>,
}

const HASH: &str = "DH";
const INFO: &str = "MI";
const DIGITS: &str = "DS";

/// The properties that a record has once.
const ONCE: [&str; 3] = [HASH, INFO, DIGITS];

impl Record {
    /// A record of properties that don't come from a log; what they must be is what a log's must be.
    pub fn new(argument: &str, mut properties: Vec<Property>) -> Result<Self> {
        let count = |name| properties.iter().filter(|property| property.name == name).count();
        let most = ONCE.into_iter().map(count).max().unwrap_or(0);
        let records = if properties.is_empty() { 0 } else { most.max(1) };
        if records != 1 {
            return Err(Error::value(argument, format_args!("must make one record, got {records}")));
        }
        if let Some(name) = missing(&properties) {
            return Err(Error::value(argument, format_args!("must have {name}, which the record lacks")));
        }
        for (index, Property { name, values }) in properties.iter_mut().enumerate() {
            let error = |message: String| Error::value(argument, message).at(index);
            if name_length(name.as_bytes()).map_err(error)? != name.len() {
                return Err(error(format!("must be a property of letters and digits, got {name:?}")));
            }
            if values.is_empty() {
                return Err(error(format!("must give {name} a value")));
            }
            if values.len() > 1 && has_one_value(name) {
                return Err(error(second_value(name)));
            }
            for value in values {
                *value = read_value(name, value).map_err(|wrong| error(wrong.message))?;
            }
        }
        Ok(Self { properties })
    }

    /// The properties in order. The hash is in lowercase, the digits are free of white space.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The published hash.
    pub fn hash(&self) -> &str {
        self.first_value(HASH)
    }

    /// The registered digits.
    pub fn digits(&self) -> &str {
        self.first_value(DIGITS)
    }

    fn first_value(&self, name: &str) -> &str {
        let property = self.properties.iter().find(|property| property.name == name);
        property.and_then(|property| property.values.first()).map_or("", String::as_str)
    }
}

/// Writes records as the log has them: the digits on lines of their own.
pub fn write_log<'a>(records: impl IntoIterator<Item = &'a [Property]>) -> String {
    const LINE: usize = 88;
    let mut text = String::new();
    for properties in records {
        for property in properties {
            let on_own_line = property.name == DIGITS;
            if on_own_line {
                start_line(&mut text);
            }
            text.push_str(&property.name);
            for value in &property.values {
                text.push('[');
                for (index, character) in value.chars().enumerate() {
                    if on_own_line && index > 0 && index % LINE == 0 {
                        text.push('\n');
                    }
                    if matches!(character, ']' | '\\') {
                        text.push('\\');
                    }
                    text.push(character);
                }
                text.push(']');
            }
            if on_own_line {
                text.push('\n');
            }
        }
        start_line(&mut text);
    }
    text
}

fn start_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Reads all records of a log. Errors name line and column; the time is linear in the text.
///
/// White space is allowed between names and brackets and inside `DH` and `DS`. In a value, a
/// backslash takes the next character literally. A record ends where `DH`, `MI` or `DS` comes for
/// the second time.
pub fn parse_log(argument: &str, text: &[u8]) -> Result<Vec<Record>> {
    let valid = std::str::from_utf8(text).map_err(|error| {
        let offset = error.valid_up_to();
        error_at(argument, text, offset, format_args!("must be UTF-8 text, got {}", found(text, offset)))
    })?;
    let mut parser = Parser { argument, text: valid, at: byte_order_mark(text) };
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut record_start = parser.at;
    loop {
        parser.skip_space();
        let start = parser.at;
        let property = if start < text.len() { Some(parser.property()?) } else { None };
        let ends = property
            .as_ref()
            .is_none_or(|property| ONCE.contains(&property.name.as_str()) && has(&record, &property.name));
        if ends && !record.is_empty() {
            if let Some(name) = missing(&record) {
                let message = format_args!("must start a record with {name}[...], which it lacks");
                return Err(parser.error(record_start, message));
            }
            records.push(Record { properties: std::mem::take(&mut record) });
        }
        let Some(property) = property else { return Ok(records) };
        if record.is_empty() {
            record_start = start;
        }
        record.push(property);
    }
}

fn has(record: &[Property], name: &str) -> bool {
    record.iter().any(|property| property.name == name)
}

/// The property that a record needs and that isn't there.
fn missing(record: &[Property]) -> Option<&'static str> {
    [HASH, DIGITS].into_iter().find(|name| !has(record, name))
}

fn has_one_value(name: &str) -> bool {
    name == HASH || name == DIGITS
}

fn second_value(name: &str) -> String {
    format!("must not give {name} a second value")
}

/// The length of the property's name that a text begins with.
fn name_length(text: &[u8]) -> std::result::Result<usize, String> {
    const LONGEST: usize = 32;
    let length = text.iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if length == 0 || text[0].is_ascii_digit() {
        Err(format!("must be a property such as DH[...], got {}", found(text, 0)))
    } else if length > LONGEST {
        Err(format!("must be a property's name of at most {LONGEST} characters"))
    } else {
        Ok(length)
    }
}

/// What is wrong with a value, and where in it, if anywhere.
struct Wrong {
    offset: Option<usize>,
    message: String,
}

/// A property's value: a hash in lowercase, digits free of white space, anything else as it is.
fn read_value(name: &str, text: &str) -> std::result::Result<String, Wrong> {
    match name {
        HASH => read_hash(text.as_bytes(), is_space).map(|(hash, _)| hash),
        DIGITS => read_digits(text.as_bytes()),
        _ => Ok(text.to_owned()),
    }
}

fn read_hash(text: &[u8], passed_over: fn(u8) -> bool) -> std::result::Result<(String, Algorithm), Wrong> {
    if let Some(offset) = text.iter().position(|&byte| !byte.is_ascii_hexdigit() && !passed_over(byte)) {
        let message = format!("must be a hexadecimal digit, got {}", found(text, offset));
        return Err(Wrong { offset: Some(offset), message });
    }
    let digits = text.iter().filter(|&&byte| !passed_over(byte));
    let hash: String = digits.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    let length = hash.len();
    Algorithm::of_length(length).map(|algorithm| (hash, algorithm)).ok_or_else(|| Wrong {
        offset: None,
        message: format!("must have 32 hexadecimal digits (MD5) or 64 (SHA-256), got {length}"),
    })
}

fn read_digits(text: &[u8]) -> std::result::Result<String, Wrong> {
    let (digits, _) = scan_digits(text, usize::MAX)
        .map_err(|offset| Wrong { offset: Some(offset), message: digit_expected(text, offset) })?;
    if digits.is_empty() {
        let message = "must be a digit from 1 to 6: the sequence is empty".to_owned();
        return Err(Wrong { offset: None, message });
    }
    Ok(digits.into_iter().map(char::from).collect())
}

struct Parser<'a> {
    argument: &'a str,
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn error(&self, offset: usize, message: impl std::fmt::Display) -> Error {
        error_at(self.argument, self.text.as_bytes(), offset, message)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn property(&mut self) -> Result<Property> {
        let rest = &self.text[self.at..];
        let length = name_length(rest.as_bytes()).map_err(|message| self.error(self.at, message))?;
        let name = rest[..length].to_owned();
        self.at += length;
        self.skip_space();
        if self.peek() != Some(b'[') {
            let found = found(self.text.as_bytes(), self.at);
            return Err(self.error(self.at, format_args!("must be '[' after {name}, got {found}")));
        }
        let mut values = Vec::new();
        while self.peek() == Some(b'[') {
            if !values.is_empty() && has_one_value(&name) {
                return Err(self.error(self.at, second_value(&name)));
            }
            values.push(if has_one_value(&name) { self.plain_value(&name)? } else { self.value()? });
            self.skip_space();
        }
        Ok(Property { name, values })
    }

    /// A value of a property we know nothing about.
    fn value(&mut self) -> Result<String> {
        let mut value = String::new();
        let mut characters = self.text[self.at + 1..].char_indices();
        while let Some((offset, character)) = characters.next() {
            match character {
                ']' => {
                    self.at += offset + 2;
                    return Ok(value);
                }
                '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
                _ => value.push(character),
            }
        }
        Err(self.unclosed())
    }

    /// A value that can't hold a bracket.
    fn plain_value(&mut self, name: &str) -> Result<String> {
        let start = self.at + 1;
        let length = self.text[start..].find(']').ok_or_else(|| self.unclosed())?;
        self.at = start + length + 1;
        read_value(name, &self.text[start..start + length])
            .map_err(|wrong| self.error(start + wrong.offset.unwrap_or(0), wrong.message))
    }

    fn unclosed(&self) -> Error {
        self.error(self.at, "must be closed: this '[' has no ']'")
    }
}

/// One edit of one die (or of two neighbors).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Put the digit before the one that stands at the index.
    Insert(u8),
    /// Remove the digit at the index.
    Delete,
    /// Put the digit in the place of the one at the index.
    Substitute(u8),
    /// Exchange the digits at the index and after it.
    Swap,
}

/// The edit that makes a sequence match its hash. Where several edits give the same sequence, the
/// one with the smallest index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The index of the first edited digit.
    pub index: usize,
    /// The edit.
    pub edit: Edit,
}

impl Repair {
    /// The repaired digits.
    pub fn apply(self, digits: &[u8]) -> Vec<u8> {
        let (before, after) = digits.split_at(self.index);
        let mut middle = [0; 2];
        let (middle, used) = self.edit.replacement(after, &mut middle);
        [before, middle, &after[used..]].concat()
    }
}

impl Edit {
    /// What replaces the first digits of `after`, and how many it replaces.
    #[inline(always)]
    fn replacement<'a>(self, after: &[u8], buffer: &'a mut [u8; 2]) -> (&'a [u8], usize) {
        let (digits, length, used) = match self {
            Self::Insert(digit) => ([digit, 0], 1, 0),
            Self::Delete => ([0, 0], 0, 1),
            Self::Substitute(digit) => ([digit, 0], 1, 1),
            Self::Swap => ([after[1], after[0]], 2, 2),
        };
        *buffer = digits;
        (&buffer[..length], used)
    }
}

/// Tries every edit of a single die for one whose hash is the expected one (lowercase).
///
/// The result is never empty. About 13 hashes per die, so the time grows with the square of the length.
pub fn find_repair(digits: &[u8], expected: &str, algorithm: Algorithm) -> Option<Repair> {
    let expected = hex::decode(expected).ok()?;
    match algorithm {
        Algorithm::Md5 => search::<Md5>(digits, &expected),
        Algorithm::Sha256 => search::<Sha256>(digits, &expected),
    }
}

fn search<D: Digest + Clone>(digits: &[u8], expected: &[u8]) -> Option<Repair> {
    // The hash of everything before the index is computed once for all edits there.
    let mut before = D::new();
    let mut buffer = [0; 2];
    for index in 0..=digits.len() {
        let after = &digits[index..];
        let previous = index.checked_sub(1).map(|previous| digits[previous]);
        let (current, next) = (after.first().copied(), after.get(1).copied());
        // Next to an equal die, inserting and deleting are the same as one place earlier.
        let inserts = (b'1'..=b'6').filter(|&digit| previous != Some(digit)).map(Edit::Insert);
        let deletes = (digits.len() > 1 && current.is_some() && current != previous).then_some(Edit::Delete);
        let substitutes = (b'1'..=b'6')
            .filter(|&digit| current.is_some_and(|current| current != digit))
            .map(Edit::Substitute);
        let swaps = (next.is_some() && next != current).then_some(Edit::Swap);
        for edit in inserts.chain(deletes).chain(substitutes).chain(swaps) {
            let (middle, used) = edit.replacement(after, &mut buffer);
            let hash = before.clone().chain_update(middle).chain_update(&after[used..]).finalize();
            if hash.as_slice() == expected {
                return Some(Repair { index, edit });
            }
        }
        before.update(&after[..after.len().min(1)]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document's record as printed: one digit is missing.
    const PRINTED: &str = "DH[b87c09208b90f00776b8978c1bd41ccc]MI[length:0][game:0][ws:0][bs:0]
DS[563543244323243325453254531336524624426445133531521165134614416635533415546436224553266
351431163456613214661261341252115461346425465416414361424453224425361315642156434655626416
413145333141111616345441213512551323356565643245354112421563344365531232126565363654156555
634613654661152652465625234651225564451433433622621512245445131454422342461221315231546353
316431651541264121523543534635534533524361645534144514625432643264643411245223362113516462
124142165136516545154352566164]
";

    fn parse(text: &str) -> Result<Vec<Record>> {
        parse_log("log", text.as_bytes())
    }

    fn write(records: &[Record]) -> String {
        write_log(records.iter().map(Record::properties))
    }

    fn message(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_printed_record_fails_and_is_repaired() {
        let records = parse(PRINTED).unwrap();
        assert_eq!(records.len(), 1);
        let record = &records[0];
        assert_eq!(record.digits().len(), 477);
        assert_ne!(Algorithm::Md5.hash(record.digits().as_bytes()), record.hash());
        let repair = find_repair(record.digits().as_bytes(), record.hash(), Algorithm::Md5).unwrap();
        assert_eq!(repair, Repair { index: 195, edit: Edit::Insert(b'4') });
        let repaired = repair.apply(record.digits().as_bytes());
        assert_eq!(repaired.len(), 478);
        assert_eq!(Algorithm::Md5.hash(&repaired), "b87c09208b90f00776b8978c1bd41ccc");
        let info = &record.properties()[1];
        assert_eq!(info.name, "MI");
        assert_eq!(info.values, ["length:0", "game:0", "ws:0", "bs:0"]);
    }

    #[test]
    fn every_single_edit_is_found_and_undone() {
        let original = b"1126543316";
        for algorithm in [Algorithm::Md5, Algorithm::Sha256] {
            let expected = algorithm.hash(original);
            let check = |damaged: Vec<u8>| {
                let repair = find_repair(&damaged, &expected, algorithm);
                assert_eq!(repair.unwrap().apply(&damaged), original, "{damaged:?}");
            };
            for index in 0..=original.len() {
                for digit in b'1'..=b'6' {
                    check(Repair { index, edit: Edit::Insert(digit) }.apply(original));
                    if index < original.len() && original[index] != digit {
                        check(Repair { index, edit: Edit::Substitute(digit) }.apply(original));
                    }
                }
                if index < original.len() {
                    check(Repair { index, edit: Edit::Delete }.apply(original));
                }
                if index + 1 < original.len() && original[index] != original[index + 1] {
                    check(Repair { index, edit: Edit::Swap }.apply(original));
                }
            }
            assert_eq!(find_repair(b"1122334455", &expected, algorithm), None);
            assert_eq!(find_repair(b"", &expected, algorithm), None);
        }
        assert_eq!(find_repair(b"1", &Algorithm::Md5.hash(b""), Algorithm::Md5), None);
        // In a run of equal dice, the smallest index.
        let expected = Algorithm::Md5.hash(b"5111");
        let insert = Repair { index: 1, edit: Edit::Insert(b'1') };
        assert_eq!(find_repair(b"511", &expected, Algorithm::Md5), Some(insert));
        let delete = Repair { index: 1, edit: Edit::Delete };
        assert_eq!(find_repair(b"51111", &expected, Algorithm::Md5), Some(delete));
    }

    #[test]
    fn write_parse_write_is_identical() {
        let hash = Algorithm::Sha256.hash(b"12");
        let text =
            format!("DH[{hash}]MI[length:5][game:1][ws:0][bs:2]XY[a\\]b\\\\c\r\nd][]\nDS[12]\nPC[é]\n");
        let records = parse(&text).unwrap();
        assert_eq!(records[0].properties()[2].values, ["a]b\\c\r\nd", ""]);
        assert_eq!(write(&records), text);
        let twice = text.repeat(2);
        assert_eq!(write(&parse(&twice).unwrap()), twice);
        // Digits begin a line of their own, and have 88 on each; a log ends with one line feed.
        let long = "123456".repeat(40);
        let lines = [&long[..88], &long[88..176], &long[176..]].join("\n");
        let log = format!("DH[{hash}]\nDS[{lines}]\n");
        assert_eq!(write(&parse(&log).unwrap()), log);
        let digits_first = format!("DS[12]\nDH[{hash}]\n");
        assert_eq!(write(&parse(&digits_first).unwrap()), digits_first);
    }

    #[test]
    fn white_space_line_ends_and_several_records() {
        let crlf = PRINTED.replace('\n', "\r\n");
        let hash = Algorithm::Md5.hash(b"1234");
        let spaced = format!(
            "\u{feff}{crlf}\r\n\r\n DH [ {} \t]\rMI\n[length:3] [game:1]DS[ 1 2\r\n\t34 ]{crlf}",
            hash.to_uppercase()
        );
        let records = parse(&spaced).unwrap();
        assert_eq!(records.len(), 3);
        assert_eq!((records[1].hash(), records[1].digits()), (hash.as_str(), "1234"));
        assert_eq!(records[0], records[2]);
        assert_eq!(records[0], parse(PRINTED).unwrap()[0]);
        assert!(parse("").unwrap().is_empty());
        assert!(parse(" \r\n ").unwrap().is_empty());
    }

    #[test]
    fn mistakes_are_placed() {
        let hash = "0".repeat(32);
        assert_eq!(message("DH"), "log line 1, column 3 must be '[' after DH, got the end");
        assert_eq!(message("DH[00"), "log line 1, column 3 must be closed: this '[' has no ']'");
        assert_eq!(
            message("DH[00]"),
            "log line 1, column 4 must have 32 hexadecimal digits (MD5) or 64 (SHA-256), got 2"
        );
        assert_eq!(message("DH[0g]"), "log line 1, column 5 must be a hexadecimal digit, got 'g'");
        assert_eq!(
            message(&format!("DH[{hash}]\r\nDS[12\r\n347]")),
            "log line 3, column 3 must be a digit from 1 to 6 or white space, got '7'"
        );
        assert_eq!(
            message(&format!("DH[{hash}]DS[]")),
            "log line 1, column 40 must be a digit from 1 to 6: the sequence is empty"
        );
        assert_eq!(
            message(&format!("DH[{hash}]DS[12][34]")),
            "log line 1, column 43 must not give DS a second value"
        );
        assert_eq!(
            message(&format!("DH[{hash}]\nMI[game:0]\n")),
            "log line 1, column 1 must start a record with DS[...], which it lacks"
        );
        assert_eq!(
            message(&format!("DH[{hash}]DS[12]\nDS[34]")),
            "log line 2, column 1 must start a record with DH[...], which it lacks"
        );
        assert_eq!(message("é"), "log line 1, column 1 must be a property such as DH[...], got 'é'");
        assert_eq!(message("X[\\]"), "log line 1, column 2 must be closed: this '[' has no ']'");
        // Columns are counted in characters.
        assert_eq!(message("X[é♣]!"), "log line 1, column 6 must be a property such as DH[...], got '!'");
        let longest = "A".repeat(32);
        assert!(message(&longest).starts_with("log line 1, column 33 must be '[' after AAA"));
        assert_eq!(
            message(&format!("{longest}A[]")),
            "log line 1, column 1 must be a property's name of at most 32 characters"
        );
        assert!(message(&"A".repeat(1_000_000)).len() < 100);
        assert!(
            parse_log("log", b"X[\xe9]")
                .unwrap_err()
                .to_string()
                .starts_with("log line 1, column 3 must be UTF-8")
        );
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        for piece in ["[", "]", "X[", "X[]", "\\", "\n", "DS[", "X[\\", "1", "DH[0"] {
            let _ = parse(&piece.repeat(1_000_000));
        }
        let one_property = format!("X{}", "[]".repeat(1_000_000));
        assert!(message(&one_property).ends_with("which it lacks"));
    }

    #[test]
    fn hashes_are_read() {
        let (hash, algorithm) = parse_hash("hash", &"AB".repeat(16)).unwrap();
        assert_eq!((hash, algorithm), ("ab".repeat(16), Algorithm::Md5));
        assert_eq!(parse_hash("hash", &"0".repeat(64)).unwrap().1, Algorithm::Sha256);
        assert!(parse_hash("hash", "0").is_err());
        assert!(parse_hash("hash", &"x".repeat(32)).is_err());
        assert_eq!(Algorithm::from_name("hash", "md5").unwrap().name(), "md5");
        assert!(Algorithm::from_name("hash", "sha1").is_err());
    }

    #[test]
    fn properties_are_checked_as_those_of_a_log() {
        let property = |name: &str, values: &[&str]| Property {
            name: name.to_owned(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
        };
        let hash = property("DH", &["AB".repeat(16).as_str()]);
        let dice = property("DS", &["12 \n3"]);
        let other = property("GN", &["a ]", ""]);
        let record = Record::new("it", vec![other.clone(), hash.clone(), dice.clone()]).unwrap();
        assert_eq!((record.hash(), record.digits()), ("ab".repeat(16).as_str(), "123"));
        assert_eq!(record.properties()[0], other);
        assert_eq!(parse(&write(std::slice::from_ref(&record))).unwrap(), [record]);
        for (wrong, message) in [
            (vec![], "it must make one record, got 0"),
            (vec![hash.clone(), dice.clone(), dice.clone()], "it must make one record, got 2"),
            (vec![hash.clone()], "it must have DS, which the record lacks"),
            (vec![dice.clone()], "it must have DH, which the record lacks"),
            (vec![hash.clone(), property("DS", &["17"])], "it[1] must be a digit from 1 to 6"),
            (vec![hash.clone(), property("DS", &[" "])], "it[1] must be a digit from 1 to 6: the sequence"),
            (vec![property("DH", &["ab"]), dice.clone()], "it[0] must have 32 hexadecimal digits"),
            (vec![hash.clone(), property("DS", &["1", "2"])], "it[1] must not give DS a second value"),
            (vec![hash.clone(), dice.clone(), property("A b", &[""])], "it[2] must be a property of letters"),
            (vec![hash.clone(), dice.clone(), property("1", &[""])], "it[2] must be a property such as"),
            (vec![hash, dice, property("A", &[])], "it[2] must give A a value"),
        ] {
            let error = Record::new("it", wrong).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
