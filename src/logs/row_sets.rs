//! Sets of rows that have the same texts in some columns.
//!
//! An audit asks most of its questions about seeds once per pair of seeds and player, not once per row. Rows of
//! one pair usually follow each other, or those of some players alternate. So the sets are runs of equal rows
//! where these are long; otherwise a small cache finds earlier rows that are equal. What isn't found there begins a
//! set of its own: rows of one set are equal, but rows of different sets may be, too.

use std::ops::Range;

use super::column::{Column, Valid};
use super::fingerprints::{Fingerprint, of_column, tag};
use super::interner::ODD;
use crate::strings::{self, Texts};

/// The average number of rows from which runs are long enough to be the sets.
const LONG_RUN: usize = 4;
/// The number of sets that are looked for again.
const REMEMBERED: usize = 1 << 12;
/// Rows that are compared with the rows before, and then looked for while their texts are in the cache.
const BLOCK: usize = 1 << 8;
/// The number of slots that are looked at, since the writer of a log can choose texts that share one.
const MOST_PROBES: usize = 16;

/// Sets of rows with the same texts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RowSets {
    /// The first row of each set, in ascending order.
    pub firsts: Vec<usize>,
    /// The set of each row; `None` if each set is a run of rows.
    pub which: Option<Vec<u32>>,
}

impl RowSets {
    /// Finds the sets of rows with the same texts in all columns.
    pub fn of(columns: &[Column<'_>], rows: usize) -> Self {
        let columns: Vec<_> = columns.iter().map(|column| Compared::of(column, rows)).collect();
        let mut known = KnownSets::new();
        let (mut starts, mut which) = (Vec::new(), Vec::with_capacity(rows));
        let (mut last, mut looked_for) = (0, true);
        for first in (0..rows).step_by(BLOCK) {
            let count = BLOCK.min(rows - first);
            let mut changes = [false; BLOCK];
            changes[0] = first == 0;
            for column in &columns {
                if changes[..count].contains(&false) {
                    column.note_changes(first, &mut changes[..count]);
                }
            }
            if !changes[..count].contains(&true) {
                which.resize(first + count, last);
                continue;
            }
            for (row, changes) in (first..).zip(&changes[..count]) {
                if *changes {
                    starts.push(row);
                    looked_for &= !known.are_many(starts.len());
                    if looked_for {
                        last = known.set_of(&columns, row);
                    }
                }
                which.push(last);
            }
        }
        if starts.len() * LONG_RUN <= rows || 2 * known.firsts.len() > starts.len() || !looked_for {
            return Self { firsts: starts, which: None };
        }
        Self { firsts: known.firsts, which: Some(which) }
    }

    /// Passes each set's rows, of as many `rows` in all, to `look` in the order of the rows: one by one, if sets aren't
    /// runs.
    #[inline]
    pub fn each_run(&self, rows: usize, mut look: impl FnMut(usize, Range<usize>)) {
        if let Some(which) = &self.which {
            return which.iter().enumerate().for_each(|(row, &set)| look(set as usize, row..row + 1));
        }
        for (set, &first) in self.firsts.iter().enumerate() {
            look(set, first..self.firsts.get(set + 1).copied().unwrap_or(rows));
        }
    }

    /// The number of rows in each set, of as many `rows` in all.
    pub fn counts(&self, rows: usize) -> Vec<usize> {
        let mut counts = vec![0; self.firsts.len()];
        self.each_run(rows, |set, rows| counts[set] += rows.len());
        counts
    }

    /// The rows, set by set, each in ascending order; `None` if that is their order already.
    pub fn order(&self, counts: &[usize]) -> Option<Vec<usize>> {
        let which = self.which.as_ref()?;
        let ends = counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        });
        let mut next: Vec<_> = ends.zip(counts).map(|(end, count)| end - count).collect();
        let mut order = vec![0; which.len()];
        for (row, &set) in which.iter().enumerate() {
            let place = &mut next[set as usize];
            order[*place] = row;
            *place += 1;
        }
        Some(order)
    }
}

/// The sets so far, found by a hash of their texts.
struct KnownSets {
    firsts: Vec<usize>,
    tags: Vec<u64>,
    /// One more than the number of the set in each slot; 0 for an empty slot. At most half are taken.
    slots: Vec<u32>,
}

impl KnownSets {
    fn new() -> Self {
        Self { firsts: Vec::new(), tags: Vec::new(), slots: vec![0; 2 * REMEMBERED] }
    }

    /// Whether there are too many sets among some runs of rows for looking to pay.
    fn are_many(&self, runs: usize) -> bool {
        self.firsts.len() >= REMEMBERED && 2 * self.firsts.len() > runs
    }

    /// The set of a row, a new one if none is known.
    #[inline]
    fn set_of(&mut self, columns: &[Compared<'_>], row: usize) -> u32 {
        let tag = columns.iter().fold(0u64, |tag, column| tag.rotate_left(1) ^ column.tag(row));
        let start = (tag.wrapping_mul(ODD) >> 32) as usize;
        for slot in start..start + MOST_PROBES {
            let slot = slot % self.slots.len();
            let Some(set) = self.slots[slot].checked_sub(1) else {
                if self.firsts.len() < REMEMBERED {
                    self.slots[slot] = self.firsts.len() as u32 + 1;
                }
                break;
            };
            let first = self.firsts[set as usize];
            let same = |column: &Compared<'_>| column.are_same(first, row);
            if self.tags[set as usize] == tag && columns.iter().all(same) {
                return set;
            }
        }
        self.firsts.push(row);
        self.tags.push(tag);
        self.firsts.len() as u32 - 1
    }
}

/// A column whose cells are compared with each other.
enum Compared<'a> {
    Texts(Texts<'a>),
    /// The numbers of texts in a dictionary.
    Keys(&'a [u32]),
    /// Cells of other types are compared by their fingerprints.
    Fingerprints(Vec<Fingerprint>),
}

impl<'a> Compared<'a> {
    fn of(column: &Column<'a>, rows: usize) -> Self {
        match column {
            Column::Texts { texts: Texts::Keyed { keys, .. }, valid: Valid::All } if keys.len() == rows => {
                Self::Keys(keys)
            }
            Column::Texts { texts, valid: Valid::All } => Self::Texts(*texts),
            _ => Self::Fingerprints(of_column(column, rows, false)),
        }
    }

    /// Flags the rows from `first` on that differ from the row before.
    fn note_changes(&self, first: usize, changes: &mut [bool]) {
        let (before, last) = (first.saturating_sub(1), first + changes.len());
        let rows = (first..).zip(changes).skip(usize::from(first == 0));
        match self {
            // Most rows are like the one before, and compared as memory.
            Self::Keys(keys) if keys[before..last - 1] == keys[before + 1..last] => {}
            Self::Keys(keys) => rows.for_each(|(row, changes)| *changes |= keys[row - 1] != keys[row]),
            Self::Fingerprints(all) => rows.for_each(|(row, changes)| *changes |= all[row - 1] != all[row]),
            Self::Texts(texts) if texts.constant().is_some() => {}
            Self::Texts(texts) if texts.repeat(before..last) => {}
            Self::Texts(texts) => {
                let mut last = texts.get(before);
                for (row, changes) in rows {
                    let next = texts.get(row);
                    *changes |= !strings::same(last, next);
                    last = next;
                }
            }
        }
    }

    #[inline]
    fn are_same(&self, one: usize, other: usize) -> bool {
        match self {
            Self::Keys(keys) => keys[one] == keys[other],
            Self::Fingerprints(all) => all[one] == all[other],
            Self::Texts(texts) => strings::same(texts.get(one), texts.get(other)),
        }
    }

    #[inline]
    fn tag(&self, row: usize) -> u64 {
        match self {
            Self::Keys(keys) => u64::from(keys[row]).wrapping_mul(ODD),
            Self::Fingerprints(all) => all[row][0],
            Self::Texts(texts) => tag(texts.get(row)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::column::Object;

    /// Rows of one set are equal in all columns, and rows are in the sets in their order.
    fn check(columns: &[Vec<String>], found: &RowSets) {
        let rows = columns[0].len();
        let which: Vec<usize> = match &found.which {
            Some(which) => which.iter().map(|&set| set as usize).collect(),
            None => (0..rows).map(|row| found.firsts.partition_point(|&first| first <= row) - 1).collect(),
        };
        let mut sizes = vec![0; found.firsts.len()];
        for (row, &set) in which.iter().enumerate() {
            assert!(columns.iter().all(|column| column[row] == column[found.firsts[set]]));
            assert!(found.firsts[set] <= row);
            sizes[set] += 1;
        }
        assert!(found.firsts.is_sorted() && sizes.iter().all(|&size| size > 0));
        assert_eq!(found.counts(rows), sizes);
        if let Some(order) = found.order(&sizes) {
            let mut slow: Vec<usize> = (0..rows).collect();
            slow.sort_by_key(|&row| which[row]);
            assert_eq!(order, slow);
        }
    }

    fn sets(columns: &[Vec<String>]) -> RowSets {
        let objects: Vec<Vec<Object>> = columns
            .iter()
            .map(|column| column.iter().map(|text| Object::Text(text.as_bytes().into())).collect())
            .collect();
        let by_prints: Vec<_> = objects.iter().map(|all| Column::Objects(all)).collect();
        let bytes: Vec<String> = columns.iter().map(|column| column.concat()).collect();
        let ends: Vec<Vec<usize>> = columns
            .iter()
            .map(|column| {
                let mut end = 0;
                std::iter::once(0)
                    .chain(column.iter().map(|text| {
                        end += text.len();
                        end
                    }))
                    .collect()
            })
            .collect();
        let by_texts: Vec<_> = bytes
            .iter()
            .zip(&ends)
            .map(|(bytes, ends)| Column::Texts {
                texts: Texts::Packed { bytes: bytes.as_bytes(), ends },
                valid: Valid::All,
            })
            .collect();
        let rows = columns[0].len();
        let found = RowSets::of(&by_texts, rows);
        assert_eq!(found, RowSets::of(&by_prints, rows));
        check(columns, &found);
        found
    }

    #[test]
    fn rows_of_a_set_are_equal() {
        let text = |number: usize| format!("text {number}");
        let runs =
            [(0..1000).map(|row| text(row / 100)).collect(), (0..1000).map(|row| text(row / 250)).collect()];
        assert_eq!(
            sets(&runs),
            RowSets { firsts: vec![0, 100, 200, 250, 300, 400, 500, 600, 700, 750, 800, 900], which: None }
        );
        let players =
            [(0..1000).map(|row| text(row % 10)).collect(), (0..1000).map(|row| text(row % 5)).collect()];
        assert_eq!(sets(&players).firsts.len(), 10);
        let fresh = [(0..1000).map(text).collect(), vec![text(7); 1000]];
        assert_eq!(sets(&fresh), RowSets { firsts: (0..1000).collect(), which: None });
        let mixed = [
            (0..1000).map(|row| text(row * row % 17)).collect(),
            (0..1000).map(|row| text(row / 500)).collect(),
        ];
        assert_eq!(sets(&mixed).firsts.len(), 18);
        assert_eq!(sets(&[Vec::new()]), RowSets::default());
    }
}
