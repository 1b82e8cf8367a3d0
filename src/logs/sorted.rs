//! Records of a log, brought together by what they are of, in memory that doesn't grow with the log.
//!
//! They are sorted into parts by their keys, and go to a file where they are too many; the parts are then looked
//! through one by one.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard};

use super::table::ODD;
use crate::parallel::{self, no_tick};

const PARTS: usize = 256;
/// Records that are sorted into parts together.
pub const RECORDS_IN_A_RUN: usize = 1 << 16;
/// What records may take in memory, at most: 192 MiB.
const MOST_IN_MEMORY: usize = 192 << 20;

/// Something small that is known of rows of a log; records of one key belong together.
pub trait Record: Copy + Ord + Send + Sync {
    /// How many bytes it is in a file.
    const BYTES: usize;

    fn key(&self) -> u64;

    /// How many rows it is of.
    fn rows(&self) -> u64 {
        1
    }

    /// Appends its bytes.
    fn put(&self, bytes: &mut Vec<u8>);

    fn read(bytes: &[u8]) -> Self;

    /// The same record where this number of rows come before its own.
    fn moved(self, rows: u64) -> Self;
}

/// Words as bytes, and bytes as words: how records lie in a file.
pub fn put_words<const N: usize>(words: [u64; N], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(words.map(u64::to_le_bytes).as_flattened());
}

pub fn read_words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let words = bytes.as_chunks::<8>().0;
    std::array::from_fn(|index| u64::from_le_bytes(words[index]))
}

/// Records sorted into parts.
#[derive(Debug)]
struct Run<T> {
    /// In memory, part after part; or where they begin in the file.
    records: Stored<T>,
    /// Where each part ends.
    ends: Box<[u32]>,
}

#[derive(Debug)]
enum Stored<T> {
    Memory(Vec<T>),
    File(u64),
}

/// The records of a log so far.
#[derive(Debug)]
pub struct Sorted<T> {
    latest: Vec<T>,
    runs: Vec<Run<T>>,
    in_memory: usize,
    most_in_memory: usize,
    spilled: Option<Mutex<Spilled>>,
    kept: u64,
    /// Whether a file has had no room.
    full: bool,
    /// How many rows are of records that there was no room for.
    lost: u64,
    /// Makes the parts of a hostile log as large as those of any other.
    key: u64,
}

impl<T: Record> Default for Sorted<T> {
    fn default() -> Self {
        Self::new(MOST_IN_MEMORY / size_of::<T>())
    }
}

impl<T: Record> Sorted<T> {
    /// With room for this number of records in memory.
    pub fn new(most_in_memory: usize) -> Self {
        Self {
            latest: Vec::new(),
            runs: Vec::new(),
            in_memory: 0,
            most_in_memory,
            spilled: None,
            kept: 0,
            full: false,
            lost: 0,
            key: RandomState::new().hash_one(0),
        }
    }

    /// As empty as at first, with the same room.
    pub fn emptied(&self) -> Self {
        Self { lost: self.lost, ..Self::new(self.most_in_memory) }
    }

    /// How many records are kept.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// How many rows are of records that aren't kept: there was room for them neither in memory nor in a file.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Adds records.
    pub fn extend(&mut self, records: impl IntoIterator<Item = T>) {
        records.into_iter().for_each(|record| self.push(record));
    }

    /// Adds a record.
    #[inline]
    pub fn push(&mut self, record: T) {
        if self.full {
            self.lost += record.rows();
            return;
        }
        self.kept += 1;
        self.latest.push(record);
        if self.latest.len() > self.most_in_memory.min(RECORDS_IN_A_RUN - 1) {
            self.sort();
        }
    }

    /// The record that was added last, as long as it isn't sorted.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.latest.last_mut()
    }

    /// Gives every record, in no order.
    pub fn each(&mut self, mut look: impl FnMut(T)) -> io::Result<()> {
        let mut records = Vec::new();
        for run in 0..self.runs.len() {
            for part in 0..PARTS {
                self.read(run, part, &mut records)?;
            }
            records.drain(..).for_each(&mut look);
        }
        self.latest.iter().copied().for_each(look);
        Ok(())
    }

    /// Adds the records of what follows these rows.
    pub fn append(&mut self, other: &mut Self, rows_before: u64) -> io::Result<()> {
        self.lost += other.lost;
        other.each(|record| self.push(record.moved(rows_before)))
    }

    /// All records, to be sent elsewhere; before them how many rows are lost.
    pub fn to_bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = self.lost.to_le_bytes().to_vec();
        self.each(|record| record.put(&mut bytes))?;
        Ok(bytes)
    }

    /// Adds records that were sent.
    pub fn extend_from_bytes(&mut self, bytes: &[u8]) {
        let (lost, records) = bytes.split_first_chunk().unwrap_or((&[0; 8], bytes));
        self.lost += u64::from_le_bytes(*lost);
        self.extend(records.chunks_exact(T::BYTES).map(T::read));
    }

    fn part(&self, record: &T) -> usize {
        ((record.key() ^ self.key).wrapping_mul(ODD) >> (64 - PARTS.trailing_zeros())) as usize
    }

    /// Makes a run of the latest records.
    fn sort(&mut self) {
        let mut starts = vec![0u32; PARTS];
        for record in &self.latest {
            starts[self.part(record)] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum - *start;
        }
        let Some(&any) = self.latest.first() else { return };
        let mut records = vec![any; self.latest.len()];
        for record in &self.latest {
            let place = &mut starts[self.part(record)];
            records[*place as usize] = *record;
            *place += 1;
        }
        self.latest.clear();
        let ends = starts.into_boxed_slice();
        if self.in_memory + records.len() <= self.most_in_memory {
            self.in_memory += records.len();
            self.runs.push(Run { records: Stored::Memory(records), ends });
            return;
        }
        if self.spilled.is_none() {
            self.spilled = Spilled::new().ok().map(Mutex::new);
        }
        match self.spilled().ok_or(io::ErrorKind::Other.into()).and_then(|mut file| file.write(&records)) {
            Ok(start) => self.runs.push(Run { records: Stored::File(start), ends }),
            Err(_) => {
                // These stay in memory; there is no room for more.
                self.runs.push(Run { records: Stored::Memory(records), ends });
                self.full = true;
            }
        }
    }

    /// Adds the records of a part of a run to others.
    fn read(&self, run: usize, part: usize, records: &mut Vec<T>) -> io::Result<()> {
        let Run { records: stored, ends } = &self.runs[run];
        let start = if part == 0 { 0 } else { ends[part - 1] as usize };
        let range = start..ends[part] as usize;
        match stored {
            Stored::Memory(all) => records.extend_from_slice(&all[range]),
            Stored::File(first) => {
                let place = first + (T::BYTES * range.start) as u64;
                let mut spilled = self.spilled().expect("there is a file");
                spilled.read(place, range.len(), records)?;
            }
        }
        Ok(())
    }

    /// Gives the records of each key that has several of them, in their order; the keys come in any.
    pub fn each_repeated(&mut self, threads: Option<usize>, look: impl FnMut(&[T]) + Send) -> io::Result<()> {
        self.sort();
        let threads = parallel::threads(threads, self.kept as usize, RECORDS_IN_A_RUN);
        let look = Mutex::new(look);
        let all = &*self;
        let work = |(records, slots, failed): &mut (Vec<T>, Slots, io::Result<()>), part| {
            records.clear();
            for run in 0..all.runs.len() {
                if let Err(error) = all.read(run, part, records) {
                    *failed = Err(error);
                }
            }
            keep_repeated(records, slots, all.key);
            records.sort_unstable();
            if !records.is_empty() {
                let mut look = parallel::lock(&look);
                let groups = records.chunk_by(|one, next| one.key() == next.key());
                groups.filter(|group| group.len() > 1).for_each(&mut *look);
            }
            1
        };
        let init = || (Vec::new(), Slots::default(), Ok(()));
        let workers = parallel::run(0..PARTS, threads, &mut no_tick, init, work).expect("nothing stops it");
        workers.into_iter().try_for_each(|(_, _, failed)| failed)
    }

    fn spilled(&self) -> Option<MutexGuard<'_, Spilled>> {
        self.spilled.as_ref().map(parallel::lock)
    }
}

/// Bits that tell which slots keys have, and which of these several records have.
#[derive(Default)]
struct Slots {
    taken: Vec<u64>,
    shared: Vec<u64>,
}

/// Slots for each record of a part: of those that are alone with their key, one in that many shares one by chance.
const SLOTS_FOR_EACH: usize = 16;

/// Drops most of the records whose keys no other one has: few are left to be sorted.
fn keep_repeated<T: Record>(records: &mut Vec<T>, Slots { taken, shared }: &mut Slots, key: u64) {
    let slots = (SLOTS_FOR_EACH * records.len()).next_power_of_two().max(64);
    for bits in [&mut *taken, &mut *shared] {
        bits.clear();
        bits.resize(slots / 64, 0);
    }
    // The highest bits are those of the part.
    let spread = |record: &T| (record.key() ^ key).wrapping_mul(ODD) << PARTS.trailing_zeros();
    let slot = |record: &T| (spread(record) >> (64 - slots.trailing_zeros())) as usize;
    for record in &*records {
        let slot = slot(record);
        let bit = 1 << (slot % 64);
        shared[slot / 64] |= taken[slot / 64] & bit;
        taken[slot / 64] |= bit;
    }
    records.retain(|record| {
        let slot = slot(record);
        shared[slot / 64] >> (slot % 64) & 1 == 1
    });
}

/// A file for what memory has no room for. It has no name, so that it goes with the process, however that ends.
#[derive(Debug)]
struct Spilled {
    file: File,
    length: u64,
    bytes: Vec<u8>,
}

impl Spilled {
    fn new() -> io::Result<Self> {
        Ok(Self { file: tempfile::tempfile()?, length: 0, bytes: Vec::new() })
    }

    /// Appends records, and returns where they begin.
    fn write<T: Record>(&mut self, records: &[T]) -> io::Result<u64> {
        self.bytes.clear();
        records.iter().for_each(|record| record.put(&mut self.bytes));
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(&self.bytes)?;
        let start = self.length;
        self.length += self.bytes.len() as u64;
        Ok(start)
    }

    fn read<T: Record>(&mut self, place: u64, count: usize, records: &mut Vec<T>) -> io::Result<()> {
        self.bytes.resize(T::BYTES * count, 0);
        self.file.seek(SeekFrom::Start(place))?;
        self.file.read_exact(&mut self.bytes)?;
        records.extend(self.bytes.chunks_exact(T::BYTES).map(T::read));
        Ok(())
    }
}
