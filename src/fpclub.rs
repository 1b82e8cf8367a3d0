//! Recomputation of FPClub's dice in a log: hashed sequences, the combined faces of two players, and the rolls of
//! one sequence. A die is written as one ASCII digit, `1` to `6`, and hashes are of that text.

use md5::Md5;
use sha2::{Digest, Sha256};

use crate::error::Result;
use crate::logs::column::{Cell, Column};
use crate::logs::findings::{Expected, Finding, Findings, Verdict};
use crate::logs::lists::{Item, Items};
use crate::logs::number::Number;
use crate::logs::replays::{RowDigest, RowPlaces, Verified};
use crate::parallel::{self, Tick};

/// The number of rows from which another thread is worth starting, and that each thread takes at a time.
const ROWS_AT_A_TIME: usize = 1024;

/// A column with the number of its field.
pub type FieldColumn<'a> = (u8, Column<'a>);

/// The three kinds of dice, with the columns that the outcomes are recomputed from.
#[allow(missing_docs)] // the fields are explained with their variant
pub enum System<'a> {
    /// The hash of each row's sequence.
    Hashed { digits: FieldColumn<'a> },
    /// The throws that two players' faces combine to.
    Combined { first: FieldColumn<'a>, second: FieldColumn<'a> },
    /// The rolls of one sequence, by position in the log.
    Rolls { digits: &'a [u8] },
}

/// A part of a log, to be verified.
pub struct DiceLog<'a> {
    /// The kind of dice, with the inputs of the outcomes.
    pub system: System<'a>,
    /// The outcomes as logged.
    pub outcome: FieldColumn<'a>,
    /// The number of rows.
    pub rows: usize,
    /// The positions of the rows in the whole log.
    pub places: RowPlaces<'a>,
    /// Whether to report correct rows as well.
    pub every: bool,
}

/// A worker's buffers and findings.
#[derive(Default)]
struct Worker {
    findings: Findings,
    rows: Vec<RowDigest>,
    items: Items,
    first: Vec<u8>,
    second: Vec<u8>,
    outcome: Vec<u8>,
}

/// Verifies rows. Returns the findings, and the digests by which repeated sequences are recognized.
pub fn verify(log: &DiceLog<'_>, threads: Option<usize>, tick: Tick<'_>) -> Result<Verified> {
    let threads = parallel::threads(threads, log.rows, ROWS_AT_A_TIME);
    let parts = (0..log.rows).step_by(ROWS_AT_A_TIME);
    let workers = parallel::run(parts, threads, tick, Worker::default, |worker, first| {
        let last = log.rows.min(first + ROWS_AT_A_TIME);
        for row in first..last {
            match &log.system {
                System::Hashed { digits } => worker.hashed(log, digits, row),
                System::Combined { first, second } => worker.combined(log, first, second, row),
                System::Rolls { digits } => worker.roll(log, digits, row),
            }
        }
        (last - first) as u64
    })?;
    let (findings, rows): (Vec<_>, Vec<_>) =
        workers.into_iter().map(|worker| (worker.findings, worker.rows)).unzip();
    Ok((Findings::join(findings), rows.concat()))
}

impl Worker {
    fn tell(&mut self, row: usize, field: u8, verdict: Verdict, expected: Expected) {
        self.findings.list.push(Finding { row, field, verdict, expected });
    }

    fn hashed(&mut self, log: &DiceLog<'_>, (field, digits): &FieldColumn<'_>, row: usize) {
        if let Err(verdict) = read(digits, row, &mut self.items, &mut self.first) {
            return self.tell(row, *field, verdict, Expected::Nothing);
        }
        let cell = log.outcome.1.read(row, &mut self.items);
        let text = match cell {
            Cell::Text(text) => std::str::from_utf8(text).ok().map(str::trim),
            _ => None,
        };
        let is_hash =
            |text: &&str| matches!(text.len(), 32 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let published = text.filter(is_hash);
        let right = hash_like(published, &self.first);
        let verdict = match published {
            Some(hash) if hash.eq_ignore_ascii_case(&right) => Verdict::Right,
            Some(_) => Verdict::Mismatch,
            None if cell.is_blank() => Verdict::Missing,
            None => Verdict::Malformed,
        };
        // Independent of the algorithm of the published hash, so that repeats are recognized across algorithms.
        let [first, second, ..] = *Sha256::digest(&self.first).as_chunks::<8>().0 else {
            unreachable!("32 bytes")
        };
        let hash = [u64::from_be_bytes(first), u64::from_be_bytes(second)];
        self.rows.push(RowDigest::new(hash, log.places.get(row), verdict != Verdict::Right));
        if verdict != Verdict::Right || log.every {
            self.tell(row, log.outcome.0, verdict, Expected::Text(right.into()));
        }
    }

    fn combined(&mut self, log: &DiceLog<'_>, first: &FieldColumn<'_>, second: &FieldColumn<'_>, row: usize) {
        let mut wrong = false;
        for (player, (field, column)) in [first, second].into_iter().enumerate() {
            let faces = if player == 0 { &mut self.first } else { &mut self.second };
            if let Err(verdict) = read(column, row, &mut self.items, faces) {
                self.tell(row, *field, verdict, Expected::Nothing);
                wrong = true;
            }
        }
        if wrong {
            return;
        }
        if self.first.len() != self.second.len() {
            return self.tell(row, second.0, Verdict::Malformed, Expected::Nothing);
        }
        let throws: Vec<u8> = self.first.iter().zip(&self.second).map(combine).collect();
        self.compare(log, row, Some(&throws));
    }

    fn roll(&mut self, log: &DiceLog<'_>, digits: &[u8], row: usize) {
        let place = log.places.get(row) as usize;
        self.compare(log, row, digits.as_chunks::<2>().0.get(place).map(|roll| &roll[..]));
    }

    /// Compares the outcome of a row with the correct digits, if there are any.
    fn compare(&mut self, log: &DiceLog<'_>, row: usize, right: Option<&[u8]>) {
        let verdict = match (read(&log.outcome.1, row, &mut self.items, &mut self.outcome), right) {
            (Err(verdict), _) => verdict,
            (Ok(()), None) => Verdict::Malformed,
            (Ok(()), Some(right)) if self.outcome == right => Verdict::Right,
            (Ok(()), Some(_)) => Verdict::Mismatch,
        };
        if verdict != Verdict::Right || log.every {
            let expected = right
                .map_or(Expected::Nothing, |right| Expected::Text(String::from_utf8_lossy(right).into()));
            self.tell(row, log.outcome.0, verdict, expected);
        }
    }
}

/// Reads faces as digits: from text, from a whole number with these digits, or from a list of faces or of pairs of
/// faces.
pub fn read(
    column: &Column<'_>,
    row: usize,
    items: &mut Items,
    digits: &mut Vec<u8>,
) -> std::result::Result<(), Verdict> {
    digits.clear();
    let cell = column.read(row, items);
    let malformed = Err(if cell.is_blank() { Verdict::Missing } else { Verdict::Malformed });
    match cell {
        Cell::Number(number) => {
            let Some(number) = number.as_whole() else { return malformed };
            digits.extend_from_slice(number.to_string().as_bytes());
        }
        Cell::Digits(text) => digits.extend_from_slice(text),
        Cell::Text(text) if !text.trim_ascii_start().starts_with(b"[") => {
            let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
            digits.extend(text.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != 0x0b));
        }
        Cell::Text(_) | Cell::List => {
            if !cell.is_list(items) || !items.has_shape(&[items.list.len() / 2, 2]) {
                return malformed;
            }
            for item in &items.list {
                let face = if let Item::Number(number) = item { face(*number) } else { None };
                digits.push(b'0' + face.ok_or(Verdict::Malformed)?);
            }
        }
        Cell::Missing | Cell::Other => return malformed,
    }
    if digits.is_empty() {
        return Err(Verdict::Missing);
    }
    if digits.iter().all(|digit| (b'1'..=b'6').contains(digit)) { Ok(()) } else { Err(Verdict::Malformed) }
}

fn face(number: Number) -> Option<u8> {
    number.as_whole().filter(|face| (1..=6).contains(face)).map(|face| face as u8)
}

/// The throw that two players' digits combine to: `(first + second - 1) mod 6 + 1`.
fn combine((&first, &second): (&u8, &u8)) -> u8 {
    (first - b'0' + second - b'0' - 1) % 6 + b'1'
}

/// The hash of the digits, by the algorithm whose hex digests are as long as the published one; MD5 if there is no
/// such algorithm.
fn hash_like(published: Option<&str>, digits: &[u8]) -> String {
    match published.map(str::len) {
        Some(64) => hex::encode(Sha256::digest(digits)),
        _ => hex::encode(Md5::digest(digits)),
    }
}
