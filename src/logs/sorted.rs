//! Storage for a log's records that brings equal keys together in bounded memory.
//!
//! This is the partitioning phase of a hash join (the "GRACE" join, Kitsuregawa et al., 1983). Records are
//! collected in batches of 65,536, and a counting sort splits each batch into 256 parts by a hash of the key.
//! Once memory is full, batches go to an unnamed temporary file. At the end the parts are processed one at a
//! time, each read from all batches: equal keys are in the same part, and a part is small enough to sort.
//!
//! Only keys with several records matter here, and most have one. Before a part is sorted, a pass over a bit
//! set with 16 slots per record therefore drops nearly all keys that are alone (`keep_repeated`).
//!
//! The hash is keyed with a secret, so that a hostile log can't put all of its records into one part.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Mutex;

use super::interner::ODD;
use super::spilled::{MOST_IN_MEMORY, Storage, Stored};
use crate::parallel::{self, no_tick};

const PARTS: usize = 256;
/// The number of records partitioned together.
pub const RECORDS_PER_BATCH: usize = 1 << 16;

/// A small, fixed-size record about rows of a log.
pub trait Sortable: Copy + Ord + Send + Sync {
    /// The size in a file.
    const BYTES: usize;

    /// The word by which records are partitioned.
    fn key(&self) -> u64;

    /// The number of rows covered by the record.
    fn rows(&self) -> u64 {
        1
    }

    /// Serializes the record.
    fn put(&self, bytes: &mut Vec<u8>);

    /// Deserializes a record.
    fn read(bytes: &[u8]) -> Self;

    /// The record with its positions moved by `rows`.
    fn moved(self, rows: u64) -> Self;
}

/// Serializes words, in little-endian order.
pub fn put_words<const N: usize>(words: [u64; N], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(words.map(u64::to_le_bytes).as_flattened());
}

/// Deserializes words, in little-endian order.
pub fn read_words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let words = bytes.as_chunks::<8>().0;
    std::array::from_fn(|index| u64::from_le_bytes(words[index]))
}

/// A partitioned batch of records.
#[derive(Debug)]
struct Batch<T> {
    /// The records, part after part.
    records: Stored<T>,
    /// The end of each part.
    ends: Box<[u32]>,
}

/// The records of a log so far.
#[derive(Debug)]
pub struct Sorted<T> {
    latest: Vec<T>,
    batches: Vec<Batch<T>>,
    storage: Storage,
    kept: u64,
    /// The number of rows whose records were dropped.
    lost: u64,
    /// The secret key of the hash.
    key: u64,
}

impl<T: Sortable> Default for Sorted<T> {
    fn default() -> Self {
        Self::new(MOST_IN_MEMORY / size_of::<T>())
    }
}

impl<T: Sortable> Sorted<T> {
    /// Creates storage for `most_in_memory` records in memory, and any number on disk.
    pub fn new(most_in_memory: usize) -> Self {
        Self {
            latest: Vec::new(),
            batches: Vec::new(),
            storage: Storage::new(most_in_memory),
            kept: 0,
            lost: 0,
            key: RandomState::new().hash_one(0),
        }
    }

    /// An empty copy with the same memory limit and number of dropped rows.
    pub fn emptied(&self) -> Self {
        Self { lost: self.lost, ..Self::new(self.storage.most_in_memory()) }
    }

    /// The number of records kept.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// The number of rows whose records were dropped, since neither memory nor disk had space.
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
        if self.storage.is_full() {
            self.lost += record.rows();
            return;
        }
        self.kept += 1;
        self.latest.push(record);
        if self.latest.len() > self.storage.most_in_memory().min(RECORDS_PER_BATCH - 1) {
            self.sort();
        }
    }

    /// The latest record, unless its batch has been partitioned already.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.latest.last_mut()
    }

    /// Passes every record to `look`, in no particular order.
    pub fn each(&mut self, mut look: impl FnMut(T)) -> io::Result<()> {
        let mut records = Vec::new();
        for batch in 0..self.batches.len() {
            for part in 0..PARTS {
                self.read(batch, part, &mut records)?;
            }
            records.drain(..).for_each(&mut look);
        }
        self.latest.iter().copied().for_each(look);
        Ok(())
    }

    /// Appends the records of the next part of the log; `rows_before` precede it.
    pub fn append(&mut self, other: &mut Self, rows_before: u64) -> io::Result<()> {
        self.lost += other.lost;
        other.each(|record| self.push(record.moved(rows_before)))
    }

    /// Serializes all records, preceded by the number of dropped rows.
    pub fn to_bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = self.lost.to_le_bytes().to_vec();
        self.each(|record| record.put(&mut bytes))?;
        Ok(bytes)
    }

    /// Adds serialized records.
    pub fn extend_from_bytes(&mut self, bytes: &[u8]) {
        let (lost, records) = bytes.split_first_chunk().unwrap_or((&[0; 8], bytes));
        self.lost += u64::from_le_bytes(*lost);
        self.extend(records.chunks_exact(T::BYTES).map(T::read));
    }

    fn part(&self, record: &T) -> usize {
        ((record.key() ^ self.key).wrapping_mul(ODD) >> (64 - PARTS.trailing_zeros())) as usize
    }

    /// Partitions the latest records into a batch, by counting sort.
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
        let put = |records: &[T], bytes: &mut Vec<u8>| records.iter().for_each(|record| record.put(bytes));
        self.batches.push(Batch { records: self.storage.store(records, put), ends });
    }

    /// Appends a part of a batch to `records`.
    fn read(&self, batch: usize, part: usize, records: &mut Vec<T>) -> io::Result<()> {
        let Batch { records: stored, ends } = &self.batches[batch];
        let start = if part == 0 { 0 } else { ends[part - 1] as usize };
        let range = start..ends[part] as usize;
        match stored {
            Stored::Memory(all) => records.extend_from_slice(&all[range]),
            Stored::File(first) => {
                let place = first + (T::BYTES * range.start) as u64;
                self.storage.read(place, T::BYTES * range.len(), |bytes| {
                    records.extend(bytes.chunks_exact(T::BYTES).map(T::read));
                })?;
            }
        }
        Ok(())
    }

    /// Passes the records of each key with several to `look`, sorted; keys come in no particular order.
    pub fn each_repeated(&mut self, threads: Option<usize>, look: impl FnMut(&[T]) + Send) -> io::Result<()> {
        self.sort();
        let threads = parallel::threads(threads, self.kept as usize, RECORDS_PER_BATCH);
        let look = Mutex::new(look);
        let all = &*self;
        let work = |(records, slots, failed): &mut (Vec<T>, Slots, io::Result<()>), part| {
            records.clear();
            for batch in 0..all.batches.len() {
                if let Err(error) = all.read(batch, part, records) {
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
}

/// Bit sets of the slots used by keys: at least once, and several times.
#[derive(Default)]
struct Slots {
    taken: Vec<u64>,
    shared: Vec<u64>,
}

/// Slots per record: a key that occurs once shares its slot with another one in about 1 of 16 cases.
const SLOTS_FOR_EACH: usize = 16;

/// Drops most records whose key occurs once, so that few are left to sort.
fn keep_repeated<T: Sortable>(records: &mut Vec<T>, Slots { taken, shared }: &mut Slots, key: u64) {
    let slots = (SLOTS_FOR_EACH * records.len()).next_power_of_two().max(64);
    for bits in [&mut *taken, &mut *shared] {
        bits.clear();
        bits.resize(slots / 64, 0);
    }
    // The highest bits are the part's, the same in all of its records.
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
