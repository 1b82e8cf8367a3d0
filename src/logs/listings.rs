//! Bets that a log lists twice, as in overlapping exports.
//!
//! Rows are compared by a hash of all cells except the time, and by the time. A row without a time may have had any,
//! so it counts as a repetition of another row with the same cells, once.
//!
//! Few logs list any round twice, and only for these are the rows compared. So cells are kept as they are, in packed
//! columns, and rows are hashed when they are compared. Only fields that rarely change, such as seeds, are hashed as
//! they come, once per different value in a batch; of each run of rows that agree in them, the number of the value is
//! kept.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::slice;
use std::sync::{Mutex, PoisonError};

use super::fingerprints::{FieldPrints, Fingerprint, joined, run_starts};
use super::interner::Interner;
use super::packed::{PackedColumn, put_column};
use super::replays::RowDigest;
use super::runs::NEVER;
use super::sorted::{RECORDS_PER_BATCH, Sortable, Sorted, read_words};
use super::spilled::{MOST_IN_MEMORY, Storage, Stored};
use crate::parallel::{self, no_tick};

/// A row, known by a hash of all its cells except the time, with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listing(RowDigest, i64);

impl Listing {
    /// The row at a position, given a hash of all its cells except the time.
    #[inline]
    pub fn new(hash: [u64; 2], place: u64, time: i64) -> Self {
        Self(RowDigest::new(hash, place, false), time)
    }
}

impl Sortable for Listing {
    const BYTES: usize = RowDigest::BYTES + size_of::<i64>();

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
        bytes.extend(self.1.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (row, time) = bytes.split_at(RowDigest::BYTES);
        Self(RowDigest::read(row), i64::from_le_bytes(time.as_chunks().0[0]))
    }

    fn moved(self, rows: u64) -> Self {
        Self(self.0.moved(rows), self.1)
    }
}

/// Rows that are listed again.
#[derive(Debug, Default, PartialEq)]
pub struct RepeatedListings {
    /// Pairs of the first row and its repetition, in no particular order.
    pub pairs: Vec<(u64, u64)>,
    /// The number of repetitions with the same time.
    pub timed: u64,
    /// The number of other rows without a time.
    pub untimed: u64,
}

/// The low bits of a fingerprint's second word that aren't kept. The other 88 bits are as good as the 87 of a row's hash.
const UNUSED: u32 = 40;
/// The size at which batches are stored together: 1 MiB.
const BLOCK: usize = 1 << 20;

/// The rows of a log so far.
#[derive(Debug)]
pub struct Listings {
    /// The latest batches.
    latest: Vec<u8>,
    /// Earlier batches, and their length in bytes.
    blocks: Vec<(Stored<u8>, usize)>,
    storage: Storage,
    kept: u64,
    /// The number of rows dropped as they came.
    lost: u64,
    /// The number of rows dropped when repetitions were last looked for.
    unsorted: u64,
}

impl Default for Listings {
    fn default() -> Self {
        // The other half is for the hashes.
        Self::new(MOST_IN_MEMORY / 2)
    }
}

impl Listings {
    /// Creates storage for `most_in_memory` bytes in memory, and any number on disk.
    pub fn new(most_in_memory: usize) -> Self {
        let storage = Storage::new(most_in_memory);
        Self { latest: Vec::new(), blocks: Vec::new(), storage, kept: 0, lost: 0, unsorted: 0 }
    }

    /// The number of rows dropped, since neither memory nor disk had space.
    pub fn lost(&self) -> u64 {
        self.lost + self.unsorted
    }

    /// Adds a batch of rows: fingerprints of fields that rarely change and of fields that often do, columns of numbers
    /// as words, and the times.
    pub fn extend(
        &mut self,
        steady: &[FieldPrints<'_>],
        often: &[FieldPrints<'_>],
        words: &[Cow<'_, [u64]>],
        places: &[i64],
        times: &[i64],
    ) {
        let rows = places.len();
        if rows == 0 || !self.has_room(rows as u64) {
            return;
        }
        let Steady { starts, numbers, hashes } = Steady::of(steady, rows);
        let start = self.latest.len();
        let bytes = &mut self.latest;
        bytes.resize(start + Header::BYTES, 0);
        put_column(starts.iter().enumerate().map(|(run, start)| (start - run) as u64), bytes);
        put_column(numbers.iter().copied(), bytes);
        for word in 0..2 {
            put_column(hashes.iter().map(|hash| hash[word]), bytes);
        }
        for field in often {
            // A column that stays the same is packed alike, however many rows it has.
            let all = match field {
                FieldPrints::Same(same) => slice::from_ref(same),
                FieldPrints::Each(all) => all,
            };
            put_column(all.iter().map(|fingerprint| fingerprint[0]), bytes);
            put_column(all.iter().map(|fingerprint| fingerprint[1] >> UNUSED), bytes);
        }
        words.iter().for_each(|words| put_column(words.iter().copied(), bytes));
        // Positions are consecutive, mostly.
        put_column(
            places.iter().enumerate().map(|(row, &place)| (place as u64).wrapping_sub(row as u64)),
            bytes,
        );
        put_column(times.iter().map(|&time| time as u64), bytes);
        let length = bytes.len() - start;
        Header {
            length,
            rows,
            before: 0,
            runs: starts.len(),
            values: hashes.len(),
            columns: 2 * often.len() + words.len(),
        }
        .put(&mut bytes[start..]);
        self.store();
    }

    /// Adds batches whose positions are moved by `before`.
    fn extend_from_batches(&mut self, batches: &[u8], before: u64) {
        for batch in (Batches { bytes: batches }) {
            let mut header = batch.header;
            if self.has_room(header.rows as u64) {
                let start = self.latest.len();
                header.before += before;
                self.latest.resize(start + Header::BYTES, 0);
                header.put(&mut self.latest[start..]);
                self.latest.extend(batch.columns);
                self.store();
            }
        }
    }

    /// Counts rows as kept or lost; returns whether there is room for them.
    fn has_room(&mut self, rows: u64) -> bool {
        let room = !self.storage.is_full();
        *(if room { &mut self.kept } else { &mut self.lost }) += rows;
        room
    }

    /// Stores the latest batches once they are long enough.
    fn store(&mut self) {
        if self.latest.len() > self.storage.most_in_memory().min(BLOCK) {
            let block = self.latest.clone();
            self.latest.clear();
            let length = block.len();
            let stored = self.storage.store(block, |block, bytes| bytes.extend(block));
            self.blocks.push((stored, length));
        }
    }

    /// Passes the bytes of a block to `look`; those of the latest batches come after the others.
    fn look_at<T>(&self, block: usize, look: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        match self.blocks.get(block) {
            None => Ok(look(&self.latest)),
            Some((Stored::Memory(bytes), _)) => Ok(look(bytes)),
            Some((Stored::File(place), length)) => self.storage.read(*place, *length, look),
        }
    }

    /// Appends the rows of the next part of the log; `rows_before` precede it.
    pub fn append(&mut self, other: &mut Self, rows_before: u64) -> io::Result<()> {
        self.lost += other.lost;
        (0..=other.blocks.len())
            .try_for_each(|block| other.look_at(block, |bytes| self.extend_from_batches(bytes, rows_before)))
    }

    /// Serializes all rows, preceded by the number of dropped rows.
    pub fn to_bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut all = self.lost.to_le_bytes().to_vec();
        (0..=self.blocks.len()).try_for_each(|block| self.look_at(block, |bytes| all.extend(bytes)))?;
        Ok(all)
    }

    /// Adds serialized rows.
    pub fn extend_from_bytes(&mut self, bytes: &[u8]) {
        let (lost, batches) = bytes.split_first_chunk().unwrap_or((&[0; 8], bytes));
        self.lost += u64::from_le_bytes(*lost);
        self.extend_from_batches(batches, 0);
    }

    /// Finds the rows that are listed again.
    pub fn twice(&mut self, threads: Option<usize>) -> io::Result<RepeatedListings> {
        let all = Mutex::new(Sorted::new(MOST_IN_MEMORY / 2 / size_of::<Listing>()));
        let workers = parallel::threads(threads, self.kept as usize, RECORDS_PER_BATCH);
        let work = |failed: &mut io::Result<()>, block| {
            let bytes = self.look_at(block, <[u8]>::to_vec);
            match bytes {
                Ok(bytes) => Batches { bytes: &bytes }.for_each(|batch| {
                    let rows = batch.listings();
                    parallel::lock(&all).extend(rows);
                }),
                Err(error) => *failed = Err(error),
            }
            1
        };
        let workers = parallel::run(0..=self.blocks.len(), workers, &mut no_tick, || Ok(()), work);
        workers.expect("nothing stops it").into_iter().collect::<io::Result<()>>()?;
        let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.unsorted = all.lost();
        RepeatedListings::among(&mut all, threads)
    }
}

/// Fields that rarely change, joined: the runs of rows that agree in them.
struct Steady {
    /// The first row of each run.
    starts: Vec<usize>,
    /// The number of each run's joint value.
    numbers: Vec<u64>,
    /// A hash of each value.
    hashes: Vec<Fingerprint>,
}

impl Steady {
    fn of(fields: &[FieldPrints<'_>], rows: usize) -> Self {
        let starts = run_starts(fields, rows);
        let mut numbers = vec![0; starts.len()];
        for field in fields {
            if let FieldPrints::Each(all) = field {
                let mut joint = Interner::default();
                for (number, &row) in numbers.iter_mut().zip(&starts) {
                    *number = joint.number([all[row][0], all[row][1], *number]) as u64;
                }
                if joint.keys().len() == starts.len() {
                    break; // they all differ, whatever the other fields
                }
            }
        }
        let mut first = Vec::new();
        for (&number, &row) in numbers.iter().zip(&starts) {
            if number == first.len() as u64 {
                first.push(row);
            }
        }
        let of_values = |field: &FieldPrints<'_>| match field {
            FieldPrints::Same(same) => FieldPrints::Same(*same),
            FieldPrints::Each(all) => FieldPrints::Each(first.iter().map(|&row| all[row]).collect()),
        };
        let joint = joined(fields.iter().map(of_values).collect(), first.len());
        let hashes = (0..first.len()).map(|value| joint.at(value)).collect();
        Self { starts, numbers, hashes }
    }
}

/// What precedes the columns of a batch.
#[derive(Clone, Copy, Debug)]
struct Header {
    /// The length of the batch in bytes, with the header.
    length: usize,
    rows: usize,
    /// The number of rows in earlier parts of the log, by which positions are moved.
    before: u64,
    /// The number of runs of rows with the same steady fields.
    runs: usize,
    /// The number of different values of these fields.
    values: usize,
    /// The number of columns of words.
    columns: usize,
}

impl Header {
    const WORDS: usize = 6;
    const BYTES: usize = Self::WORDS * size_of::<u64>();

    fn put(self, bytes: &mut [u8]) {
        let Self { length, rows, before, runs, values, columns } = self;
        let words = [length as u64, rows as u64, before, runs as u64, values as u64, columns as u64];
        bytes[..Self::BYTES].copy_from_slice(words.map(u64::to_le_bytes).as_flattened());
    }

    fn read(bytes: &[u8]) -> Self {
        let words: [u64; Self::WORDS] = read_words(bytes);
        let [length, rows, _, runs, values, columns] = words.map(|word| word as usize);
        Self { length, rows, before: words[2], runs, values, columns }
    }
}

/// A batch of rows: the header, then packed columns.
struct Batch<'a> {
    header: Header,
    columns: &'a [u8],
}

impl Batch<'_> {
    /// Hashes the rows.
    fn listings(&self) -> Vec<Listing> {
        let Header { rows, before, runs, values, columns, .. } = self.header;
        let mut bytes = self.columns;
        let mut take = |count| PackedColumn::take(&mut bytes, count);
        let (starts, numbers) = (take(runs), take(runs));
        let hashes = [take(values), take(values)];
        let words: Vec<_> = (0..columns).map(|_| take(rows)).collect();
        let (places, times) = (take(rows), take(rows));
        let mut steady = Vec::with_capacity(rows);
        for run in 0..runs {
            let value = numbers.get(run) as usize;
            let next = if run + 1 < runs { starts.get(run + 1) as usize + run + 1 } else { rows };
            steady.resize(next, hashes.map(|words| words.get(value)));
        }
        let mut fields = vec![FieldPrints::Each(steady.into())];
        for pair in words.chunks(2) {
            let of = |word: usize, row| pair.get(word).map_or(0, |column: &PackedColumn<'_>| column.get(row));
            fields.push(if pair.iter().all(PackedColumn::is_constant) {
                FieldPrints::Same([of(0, 0), of(1, 0)])
            } else {
                FieldPrints::Each((0..rows).map(|row| [of(0, row), of(1, row)]).collect())
            });
        }
        let hashes = joined(fields, rows);
        let place = |row: usize| places.get(row).wrapping_add(row as u64) + before;
        (0..rows).map(|row| Listing::new(hashes.at(row), place(row), times.get(row) as i64)).collect()
    }
}

/// Batches, one after the other.
struct Batches<'a> {
    bytes: &'a [u8],
}

impl<'a> Iterator for Batches<'a> {
    type Item = Batch<'a>;

    fn next(&mut self) -> Option<Batch<'a>> {
        if self.bytes.is_empty() {
            return None;
        }
        let header = Header::read(self.bytes);
        let (batch, rest) = self.bytes.split_at(header.length);
        self.bytes = rest;
        Some(Batch { header, columns: &batch[Header::BYTES..] })
    }
}

impl RepeatedListings {
    /// Finds them among all rows.
    fn among(all: &mut Sorted<Listing>, threads: Option<usize>) -> io::Result<Self> {
        let mut found = Self::default();
        all.each_repeated(threads, |listings| {
            for same in listings.chunk_by(|one, next| one.0.fingerprint() == next.0.fingerprint()) {
                found.add(same);
            }
        })?;
        Ok(found)
    }

    /// Adds rows that differ in nothing or in their times alone, in the order of the log.
    fn add(&mut self, same: &[Listing]) {
        let Some((&Listing(first, time), others)) = same.split_first() else { return };
        let mut of_time = HashMap::from([(time, first.place())]);
        let mut any = time == NEVER && !others.is_empty();
        self.untimed += u64::from(any);
        for &Listing(row, time) in others {
            let earliest = *of_time.entry(time).or_insert(row.place());
            if time == NEVER {
                self.untimed += 1;
                self.pairs.push((first.place(), row.place()));
            } else if earliest != row.place() {
                self.timed += 1;
                self.pairs.push((earliest, row.place()));
            } else if std::mem::take(&mut any) {
                self.pairs.push((first.place(), row.place()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::fingerprints::fingerprint;

    /// A row of a log: its steady fields, its words, and its time.
    type Row = (Vec<u64>, Vec<u64>, i64);

    /// Adds rows that have the same fields; constant fields have a single value if `same`.
    fn extend(all: &mut Listings, rows: &[Row], first: i64, same: bool) {
        let Some((fields, words, _)) = rows.first() else { return };
        let field = |value: &dyn Fn(&Row) -> Fingerprint| {
            let each: Vec<_> = rows.iter().map(value).collect();
            let constant = same && each.iter().all(|one| *one == each[0]);
            if constant { FieldPrints::Same(each[0]) } else { FieldPrints::Each(each.into()) }
        };
        let mut steady: Vec<_> = (0..fields.len()).map(|index| field(&|row| [row.0[index], 7])).collect();
        // Which fields there are.
        steady.push(FieldPrints::Same([fields.len() as u64, words.len() as u64]));
        let often: Vec<_> = words.first().iter().map(|_| field(&|row| [row.1[0], row.1[0] << 50])).collect();
        let words: Vec<_> =
            (1..words.len()).map(|word| rows.iter().map(|row| row.1[word]).collect()).collect();
        let places: Vec<_> = (first..).take(rows.len()).collect();
        let times: Vec<_> = rows.iter().map(|row| row.2).collect();
        all.extend(&steady, &often, &words, &places, &times);
    }

    fn sorted(mut found: RepeatedListings) -> RepeatedListings {
        found.pairs.sort_unstable();
        found
    }

    /// Hashes each row on its own, from the text of its cells.
    fn directly(rows: &[Row]) -> RepeatedListings {
        let mut all = Sorted::default();
        for (place, (steady, words, time)) in (0..).zip(rows) {
            all.push(Listing::new(fingerprint(format!("{steady:?}{words:?}").as_bytes()), place, *time));
        }
        sorted(RepeatedListings::among(&mut all, None).unwrap())
    }

    fn sent(listings: &mut Listings) -> Listings {
        let mut sent = Listings::new(listings.storage.most_in_memory());
        sent.extend_from_bytes(&listings.to_bytes().unwrap());
        sent
    }

    #[test]
    fn a_row_without_a_time_is_taken_for_one_other() {
        let times = [NEVER, 5, 7, 5, NEVER, 7, 9];
        let row = |steady, time| (vec![steady], vec![3], time);
        let mut cut = Listings::default();
        let mut listings = Listings::default();
        for (place, time) in (0..).zip(times) {
            extend(&mut listings, &[row(7, time)], place, true);
            let mut one = Listings::default();
            extend(&mut one, &[row(7, time)], 0, true);
            cut.append(&mut sent(&mut one), place as u64).unwrap();
        }
        extend(&mut listings, &[row(8, 5), row(9, 5)], 7, true);
        for mut all in [listings, cut] {
            let found = all.twice(None).unwrap();
            assert_eq!(found.pairs, [(0, 1), (1, 3), (0, 4), (2, 5)]);
            assert_eq!((found.timed, found.untimed), (2, 2));
        }
    }

    #[test]
    fn rows_are_found_as_if_each_was_hashed() {
        let mut seed = 1;
        let mut random = move |below: u64| {
            seed = u64::wrapping_mul(seed, 6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for (round, most) in [usize::MAX, 1 << 30, 20_000, 1000, 0].into_iter().cycle().take(60).enumerate() {
            let mut all = Listings::new(most);
            let (mut cut, mut part, mut before) = (Listings::new(most), Listings::new(most), 0);
            let mut rows: Vec<Row> = Vec::new();
            for _ in 0..random(12) {
                let start = rows.len();
                let (fields, words) = (1 + random(3) as usize, random(4) as usize);
                let (values, long) = (1 + random(5), [1, 1, 50, 5000][random(4) as usize]);
                let mut steady = vec![0; fields];
                for _ in 0..[0, 1, 2, 300][random(4) as usize] {
                    // Runs, interleaved rows, and rows listed before by a batch that may have had other fields.
                    if random(long) == 0 {
                        steady = (0..fields).map(|_| random(values)).collect();
                    }
                    let again = rows.get(random(1 + 2 * rows.len() as u64) as usize);
                    let again = again.filter(|(s, w, _)| (s.len(), w.len()) == (fields, words)).cloned();
                    let time = if random(9) == 0 { NEVER } else { 1_000_000 * random(40) as i64 };
                    let word = |random: &mut dyn FnMut(u64) -> u64| match round % 3 {
                        0 => random(20),
                        1 => (random(5) as f64 / 2.0).to_bits(),
                        _ => random(3).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                    };
                    let new = || (steady.clone(), (0..words).map(|_| word(&mut random)).collect(), time);
                    rows.push(again.unwrap_or_else(new));
                }
                let batch = &rows[start..];
                extend(&mut all, batch, start as i64, random(2) == 0);
                extend(&mut part, batch, (start - before) as i64, random(2) == 0);
                if random(3) == 0 {
                    cut.append(&mut sent(&mut part), before as u64).unwrap();
                    (before, part) = (rows.len(), Listings::new(most));
                }
                if random(4) == 0 {
                    assert_eq!(sorted(all.twice(Some(2)).unwrap()), directly(&rows));
                }
            }
            cut.append(&mut part, before as u64).unwrap();
            let spilled = all.blocks.iter().any(|(block, _)| matches!(block, Stored::File(_)));
            assert!(spilled == (most < 2000 && !rows.is_empty()) || most == 20_000);
            for all in [&mut all, &mut cut] {
                assert_eq!((all.kept, all.lost()), (rows.len() as u64, 0));
                assert_eq!(sorted(all.twice(None).unwrap()), directly(&rows));
                assert_eq!(sorted(sent(all).twice(Some(1)).unwrap()), directly(&rows));
            }
        }
    }
}
