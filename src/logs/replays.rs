//! Rounds that come twice in a log.
//!
//! What is compared is what is hashed: a row is known by the first bits of its own hash, so that two
//! spellings of one round are the same, whatever the log's columns. Memory is bounded: rows are kept as 16
//! bytes each, sorted into parts by their fingerprints, and go to a file where they are too many.

use std::collections::BinaryHeap;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Bits that tell a row: its place in the log, and whether it failed.
const ROW_BITS: u32 = 40;
const PARTS: usize = 1024;
/// Rows that are sorted into parts together.
const ROWS_IN_A_RUN: usize = 1 << 18;
/// Rows that are kept in memory, at most: 192 MiB.
const ROWS_IN_MEMORY: usize = 12 << 20;

/// A row: 64 bits of its fingerprint; 23 more of them, its place in the log, and whether it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
pub struct Row(u64, u64);

impl Row {
    /// The row at a place, by a hash of what is hashed for its round.
    #[inline]
    pub fn new(hash: [u64; 2], place: u64, failed: bool) -> Self {
        debug_assert!(place >> ROW_BITS == 0);
        Self(hash[0], hash[1] >> (ROW_BITS + 1) << (ROW_BITS + 1) | place << 1 | u64::from(failed))
    }

    fn print(self) -> (u64, u64) {
        (self.0, self.1 >> (ROW_BITS + 1))
    }

    fn place(self) -> u64 {
        self.1 >> 1 & ((1 << ROW_BITS) - 1)
    }

    fn failed(self) -> bool {
        self.1 & 1 == 1
    }

    fn moved(self, rows: u64) -> Self {
        Self(self.0, self.1 + (rows << 1))
    }

    fn bytes(self) -> [u8; 16] {
        (u128::from(self.0) << 64 | u128::from(self.1)).to_be_bytes()
    }

    fn from_bytes(bytes: [u8; 16]) -> Self {
        let both = u128::from_be_bytes(bytes);
        Self((both >> 64) as u64, both as u64)
    }
}

/// Where rows are in a log.
#[derive(Clone, Copy, Debug)]
pub enum Places<'a> {
    /// One after another.
    From(u64),
    Each(&'a [i64]),
}

impl Places<'_> {
    #[inline]
    pub fn get(&self, row: usize) -> u64 {
        match self {
            Self::From(first) => first + row as u64,
            Self::Each(places) => places[row] as u64,
        }
    }
}

/// Rows sorted into parts.
#[derive(Debug)]
struct Run {
    /// In memory, part after part; or where they begin in the file.
    rows: Stored,
    /// Where each part ends.
    ends: Box<[u32]>,
}

#[derive(Debug)]
enum Stored {
    Memory(Vec<Row>),
    File(u64),
}

/// The rows of a log so far.
#[derive(Debug)]
pub struct Replays {
    latest: Vec<Row>,
    runs: Vec<Run>,
    in_memory: usize,
    most_in_memory: usize,
    spilled: Option<Spilled>,
    compared: u64,
    /// Whether there was no room for more.
    full: bool,
    /// Makes the parts of a hostile log as large as those of any other.
    key: u64,
}

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// How many rows have the round of an earlier one.
    pub rows: u64,
    /// How many of these hadn't failed.
    pub right: u64,
    /// The earliest row with this round, and the row: the first of these by row, as many as were asked for.
    pub first: Vec<(u64, u64)>,
}

impl Default for Replays {
    fn default() -> Self {
        Self::new(ROWS_IN_MEMORY)
    }
}

impl Replays {
    /// With room for this number of rows in memory.
    pub fn new(most_in_memory: usize) -> Self {
        Self {
            latest: Vec::new(),
            runs: Vec::new(),
            in_memory: 0,
            most_in_memory,
            spilled: None,
            compared: 0,
            full: false,
            key: RandomState::new().hash_one(0),
        }
    }

    /// How many rows are compared: all, unless there is no room for a file.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Adds rows.
    pub fn extend(&mut self, rows: impl IntoIterator<Item = Row>) {
        for row in rows {
            if self.full {
                return;
            }
            self.compared += 1;
            self.latest.push(row);
            if self.latest.len() == ROWS_IN_A_RUN {
                self.sort();
            }
        }
    }

    /// Adds the rows of what follows these rows.
    pub fn append(&mut self, other: &mut Self, rows_before: u64) -> io::Result<()> {
        let mut rows = std::mem::take(&mut other.latest);
        for run in 0..other.runs.len() {
            for part in 0..PARTS {
                other.read(run, part, &mut rows)?;
            }
        }
        self.extend(rows.into_iter().map(|row| row.moved(rows_before)));
        Ok(())
    }

    /// All rows, to be sent elsewhere.
    pub fn to_bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut rows = self.latest.clone();
        for run in 0..self.runs.len() {
            for part in 0..PARTS {
                self.read(run, part, &mut rows)?;
            }
        }
        Ok(rows.into_iter().flat_map(Row::bytes).collect())
    }

    /// Adds rows that were sent.
    pub fn extend_from_bytes(&mut self, bytes: &[u8]) {
        self.extend(bytes.as_chunks().0.iter().map(|row| Row::from_bytes(*row)));
    }

    fn part(&self, row: Row) -> usize {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        ((row.0 ^ self.key).wrapping_mul(ODD) >> (64 - PARTS.trailing_zeros())) as usize
    }

    /// Makes a run of the latest rows.
    fn sort(&mut self) {
        let mut starts = vec![0u32; PARTS];
        for &row in &self.latest {
            starts[self.part(row)] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum - *start;
        }
        let mut rows = vec![Row(0, 0); self.latest.len()];
        for &row in &self.latest {
            let place = &mut starts[self.part(row)];
            rows[*place as usize] = row;
            *place += 1;
        }
        self.latest.clear();
        let ends = starts.into_boxed_slice();
        if self.in_memory + rows.len() <= self.most_in_memory {
            self.in_memory += rows.len();
            self.runs.push(Run { rows: Stored::Memory(rows), ends });
            return;
        }
        let spilled = match &mut self.spilled {
            Some(spilled) => Ok(spilled),
            none => Spilled::new().map(|spilled| none.insert(spilled)),
        };
        match spilled.and_then(|spilled| spilled.write(&rows)) {
            Ok(start) => self.runs.push(Run { rows: Stored::File(start), ends }),
            Err(_) => {
                // These stay in memory; there is no room for more.
                self.runs.push(Run { rows: Stored::Memory(rows), ends });
                self.full = true;
            }
        }
    }

    /// Adds the rows of a part of a run to others.
    fn read(&mut self, run: usize, part: usize, rows: &mut Vec<Row>) -> io::Result<()> {
        let Run { rows: stored, ends } = &self.runs[run];
        let start = if part == 0 { 0 } else { ends[part - 1] as usize };
        let range = start..ends[part] as usize;
        match stored {
            Stored::Memory(all) => rows.extend_from_slice(&all[range]),
            Stored::File(first) => {
                let place = first + (16 * range.start) as u64;
                self.spilled.as_mut().expect("there is a file").read(place, range.len(), rows)?;
            }
        }
        Ok(())
    }

    /// Finds all repeats; `tell` gets each of them, in no order: the earliest row, and the row.
    pub fn find(&mut self, most: usize, mut tell: impl FnMut(u64, u64)) -> io::Result<Repeats> {
        let mut repeats = Repeats::default();
        let mut first = BinaryHeap::new();
        if !self.latest.is_empty() {
            self.sort();
        }
        let mut rows = Vec::new();
        for part in 0..PARTS {
            rows.clear();
            for run in 0..self.runs.len() {
                self.read(run, part, &mut rows)?;
            }
            rows.sort_unstable();
            for same in rows.chunk_by(|one, next| one.print() == next.print()) {
                let earliest = same[0].place();
                for row in &same[1..] {
                    repeats.rows += 1;
                    repeats.right += u64::from(!row.failed());
                    tell(earliest, row.place());
                    if most > 0 {
                        first.push((row.place(), earliest));
                        if first.len() > most {
                            first.pop();
                        }
                    }
                }
            }
        }
        repeats.first = first.into_sorted_vec().into_iter().map(|(row, earlier)| (earlier, row)).collect();
        Ok(repeats)
    }
}

/// A file for what memory has no room for; it goes with this value.
#[derive(Debug)]
struct Spilled {
    file: File,
    path: PathBuf,
    length: u64,
    bytes: Vec<u8>,
}

impl Spilled {
    fn new() -> io::Result<Self> {
        let name = format!("provably-fair-{}-{:016x}", std::process::id(), RandomState::new().hash_one(1));
        let path = std::env::temp_dir().join(name);
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        Ok(Self { file, path, length: 0, bytes: Vec::new() })
    }

    /// Appends rows, and returns where they begin.
    fn write(&mut self, rows: &[Row]) -> io::Result<u64> {
        self.bytes.clear();
        self.bytes.extend(rows.iter().flat_map(|row| row.bytes()));
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(&self.bytes)?;
        let start = self.length;
        self.length += self.bytes.len() as u64;
        Ok(start)
    }

    fn read(&mut self, place: u64, count: usize, rows: &mut Vec<Row>) -> io::Result<()> {
        self.bytes.resize(16 * count, 0);
        self.file.seek(SeekFrom::Start(place))?;
        self.file.read_exact(&mut self.bytes)?;
        rows.extend(self.bytes.as_chunks().0.iter().map(|row| Row::from_bytes(*row)));
        Ok(())
    }
}

impl Drop for Spilled {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// A thousand different hashes, some of which come again and again.
    fn hash(row: u64) -> [u64; 2] {
        let mut word = (row * row) % 9973;
        let mut next = || {
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            word ^ word >> 31
        };
        [next(), next()]
    }

    fn slow(rows: u64) -> Repeats {
        let mut first = HashMap::new();
        let mut repeats = Repeats::default();
        for row in 0..rows {
            let earlier = *first.entry(hash(row)).or_insert(row);
            if earlier != row {
                repeats.rows += 1;
                repeats.right += u64::from(row % 3 != 0);
                if repeats.first.len() < 1000 {
                    repeats.first.push((earlier, row));
                }
            }
        }
        repeats
    }

    #[test]
    fn repeats_are_those_of_a_table_of_all_rows() {
        for (rows, room) in [(0, 0), (1, 0), (20_000, usize::MAX), (600_000, 0), (600_000, ROWS_IN_A_RUN)] {
            let mut replays = Replays::new(room);
            replays.extend((0..rows).map(|row| Row::new(hash(row), row, row % 3 == 0)));
            let mut told = 0;
            let found = replays.find(1000, |earlier, row| {
                assert!(earlier < row);
                told += 1;
            });
            assert_eq!(found.unwrap(), slow(rows));
            assert_eq!(told, slow(rows).rows);
            assert_eq!(replays.compared(), rows);
            // Asked again, and sent elsewhere.
            assert_eq!(replays.find(0, |_, _| {}).unwrap().rows, told);
            let mut other = Replays::default();
            other.extend_from_bytes(&replays.to_bytes().unwrap());
            assert_eq!(other.find(1000, |_, _| {}).unwrap(), slow(rows));
        }
    }

    #[test]
    fn logs_are_joined_in_their_order() {
        let (mut whole, mut next) = (Replays::new(0), Replays::new(0));
        whole.extend((0..300_000).map(|row| Row::new(hash(row), row, row % 3 == 0)));
        next.extend((300_000..700_000).map(|row| Row::new(hash(row), row - 300_000, row % 3 == 0)));
        whole.append(&mut next, 300_000).unwrap();
        assert_eq!(whole.find(1000, |_, _| {}).unwrap(), slow(700_000));
    }

    #[test]
    fn the_file_goes_with_the_rows() {
        let mut replays = Replays::new(0);
        replays.extend((0..ROWS_IN_A_RUN as u64).map(|row| Row::new(hash(row), row, false)));
        let path = replays.spilled.as_ref().unwrap().path.clone();
        assert!(path.exists());
        drop(replays);
        assert!(!path.exists());
    }
}
