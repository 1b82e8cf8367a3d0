//! The findings of a verification.

use std::sync::Arc;

/// The verdict on a row or on one of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// Right: reported only if every row is requested.
    Right,
    /// The outcome differs from the recomputed one.
    Mismatch,
    /// The hash isn't that of the seed.
    Commitment,
    /// A required cell is empty.
    Missing,
    /// A cell can't be read.
    Malformed,
}

/// The right value of a cell.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Unknown.
    Nothing,
    /// A single outcome.
    Cell(i64),
    /// An outcome of several cells, as whole numbers, with its shape.
    Cells { cells: Box<[i64]>, shape: Arc<[usize]> },
    /// An outcome of one or several doubles, with its shape.
    Doubles { doubles: Box<[f64]>, shape: Arc<[usize]> },
    /// A text, such as a hash.
    Text(Box<str>),
    /// The fraction `above / below`, and whether to show it as one (`exact`) rather than as its decimal value.
    Ratio { above: i64, below: i64, exact: bool },
}

/// A finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The index of the row in its batch.
    pub row: usize,
    /// The number of the field.
    pub field: u8,
    /// The verdict.
    pub verdict: Verdict,
    /// The right value.
    pub expected: Expected,
}

/// The findings of a batch of rows.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The findings, in the order of rows.
    pub list: Vec<Finding>,
    /// The number of commitments compared, by field.
    pub committed: Vec<u64>,
    /// The number of rows without a logged choice of the player, for which the best one was assumed.
    pub assumed: u64,
    /// Rows with the right values in another order, and their outcomes in the order drawn.
    pub reordered: Vec<(usize, Box<[i64]>)>,
    /// Rows that need more of their outcome before they can be judged.
    pub short: Vec<usize>,
    /// Hands whose result is known.
    pub hands: Vec<SettledHand>,
    /// The number of rows at a table by what their outcome holds, which was compared.
    pub compared: [u64; Held::COUNT],
    /// The number of rows whose cards alone were compared, since the actions beside them can't be played.
    pub unplayed: u64,
}

/// What the outcome of a round at a table holds; `as usize` is its place in counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// All cards of the round, or more.
    Cards,
    /// The first cards only, fewer than the round has.
    Part,
    /// The final hand.
    Final,
    /// What was won, or paid.
    Net,
}

impl Held {
    /// The number of kinds.
    pub const COUNT: usize = 4;
}

/// What a row shows of the dealer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Whether the outcome is that of the whole hand: what was won, or as many cards as it has.
    pub whole: bool,
    /// Whether the dealer is seen to stand (1) or to draw (2) on a soft 17; 0 if the row doesn't tell.
    pub soft_17: u8,
    /// The total below 17 on which the dealer is seen to stand, or 0.
    pub early: u8,
}

/// A hand of a table, settled by the player's choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettledHand {
    /// The index of the row in its batch.
    pub row: usize,
    /// The return of a first bet of 1, in units: the bet and the net win.
    pub returned: i64,
    /// All bets, in units: with those that were doubled, split or insured.
    pub staked: i64,
    /// What the row shows of the dealer.
    pub shown: Shown,
}

impl Findings {
    /// Concatenates the findings of several workers.
    pub fn join(parts: impl IntoIterator<Item = Findings>) -> Self {
        let mut all = Self::default();
        for part in parts {
            all.list.extend(part.list);
            all.assumed += part.assumed;
            all.reordered.extend(part.reordered);
            all.short.extend(part.short);
            all.hands.extend(part.hands);
            for (sum, count) in all.compared.iter_mut().zip(part.compared) {
                *sum += count;
            }
            all.unplayed += part.unplayed;
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
