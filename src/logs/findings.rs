//! What is found in a log.

use std::sync::Arc;

/// What became of a row, or what is wrong with one of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Nothing: reported only where every row is asked for.
    Right,
    /// It isn't what was recomputed.
    Mismatch,
    /// The hash isn't that of the seed.
    Commitment,
    /// There is nothing in a cell that is needed.
    Missing,
    /// A cell can't be read.
    Malformed,
}

/// What a cell should have been.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Nothing can be said.
    Nothing,
    /// An outcome of one cell.
    Cell(i64),
    /// An outcome of several, in their shape.
    Cells {
        cells: Box<[i64]>,
        shape: Arc<[usize]>,
    },
    /// An outcome that is a double, or several in their shape.
    Doubles {
        doubles: Box<[f64]>,
        shape: Arc<[usize]>,
    },
    Text(Box<str>),
    /// `above / below`, to be shown as a fraction or not.
    Ratio {
        above: i64,
        below: i64,
        exact: bool,
    },
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The row within what was looked at.
    pub row: usize,
    /// The number of the field.
    pub field: u8,
    pub kind: Kind,
    pub expected: Expected,
}

/// Everything that was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// By row.
    pub list: Vec<Finding>,
    /// Of each field of commitments: how many were compared.
    pub committed: Vec<u64>,
    /// Rows in which the player's choice isn't logged, so that the best one was taken for it.
    pub assumed: u64,
    /// Rows whose values are right but in another order, and their outcomes in the order drawn.
    pub reordered: Vec<(usize, Box<[i64]>)>,
    /// Rows that aren't judged yet, as more of their outcome is wanted.
    pub short: Vec<usize>,
}

impl Findings {
    /// Joins what several workers found.
    pub fn join(parts: impl IntoIterator<Item = Findings>) -> Self {
        let mut all = Self::default();
        for part in parts {
            all.list.extend(part.list);
            all.assumed += part.assumed;
            all.reordered.extend(part.reordered);
            all.short.extend(part.short);
            all.committed.resize(all.committed.len().max(part.committed.len()), 0);
            for (sum, count) in all.committed.iter_mut().zip(part.committed) {
                *sum += count;
            }
        }
        all.list.sort_by_key(|finding| (finding.row, finding.field));
        all.reordered.sort_by_key(|(row, _)| *row);
        all
    }
}
