//! Verification of a log's rows: published hashes, and recomputed rounds against logged outcomes.
//!
//! Commitments are compared first. Rows are then played in groups of one game, since parameters that change an
//! outcome's shape may vary by row, and in batches that fit the cache. The outcomes of a batch are first compared
//! with the column as it is stored, which is fast and only picks out suspects. A suspect's cell is then parsed (as
//! text, a list or a set), and that comparison decides. The first words of each round's digest are kept to find
//! repeated rounds, whether or not the row is correct.

use std::sync::Arc;

use super::fields::{Fields, Values};
use super::hash::{Algorithm, Hash, Piece};
use super::rounds::{RoundBuffers, Rounds, Varying};
use super::scheme::{Scheme, Source};
use crate::error::Result;
use crate::games::game::Entry;
use crate::logs::column::Column;
use crate::logs::commitments::{CommitmentBuffers, Commitments, HashedRows, Preimages};
use crate::logs::comparison::Recomputed;
use crate::logs::findings::{Expected, Finding, Findings, Held, SettledHand, Verdict};
use crate::logs::lists::Items;
use crate::logs::replays::{RowDigest, RowPlaces, Verified};
use crate::parallel::{self, FirstError, Tick};
use crate::sha2_lanes::Path;

/// The number of rows from which another thread is worth starting, for commitments or outcomes.
const ROWS_WORTH_A_THREAD: usize = 1 << 12;
/// Rows that a thread compares at a time.
const ROWS_AT_A_TIME: usize = 1 << 11;

/// A part of a log, to be verified.
pub struct Log<'a> {
    /// The scheme.
    pub scheme: &'a Scheme,
    /// The fields that the rounds are computed from.
    pub fields: Fields<'a>,
    /// The outcome's field number, and the outcomes as logged.
    pub outcome: (u8, Column<'a>),
    /// The published hashes.
    pub commitments: Vec<Committed<'a>>,
    /// Whether each row's fields can be read; the other rows are skipped.
    pub readable: Vec<bool>,
    /// The rows that have already failed.
    pub failed: Vec<usize>,
    /// The positions of the rows in the whole log.
    pub places: RowPlaces<'a>,
    /// Whether to report correct rows as well.
    pub every: bool,
    /// Whether outcomes are sets, which may be logged in any order.
    pub unordered: bool,
    /// The path to compute on.
    pub path: Path,
    /// The number of threads.
    pub threads: Option<usize>,
}

/// A field whose hash was published beforehand.
#[derive(Clone, Debug)]
pub struct Committed<'a> {
    /// The field's number.
    pub field: u8,
    /// The published digests, in hexadecimal.
    pub published: Column<'a>,
    /// The hash to compute.
    pub hash: &'a Hash,
    /// The hash's input fields.
    pub fields: Fields<'a>,
}

/// A game of the catalog, with parameters that may vary by row.
pub struct Catalogued {
    /// The entry of the catalog.
    pub entry: &'static Entry,
    /// The parameters of rows that have none of their own.
    pub parameters: Vec<i64>,
    /// Parameters with a column in the log: the index of each, and its values by row.
    pub varying: Vec<(usize, Vec<i64>)>,
}

/// Recomputed outcomes of one shape, from elsewhere.
pub struct PlayedOutcomes<'a> {
    /// The rows that these are for, in increasing order.
    pub rows: &'a [u32],
    /// The outcomes, in the same order.
    pub outcomes: Recomputed<'a>,
    /// The shape of an outcome.
    pub shape: Arc<[usize]>,
}

/// Compares a row with its outcome, for logs that record more than the outcome, such as the player's actions.
pub trait Judge: Sync {
    /// The judgment on a row, given its outcome; `None` if the outcome has too few items.
    fn judge(&self, row: usize, outcome: &[i64], items: &mut Items) -> Option<Judgment>;
}

/// What a judge says of a row.
pub struct Judgment {
    /// The finding.
    pub finding: Finding,
    /// Whether the best play was assumed for lack of the player's.
    pub assumed: bool,
    /// What was compared with the recomputed round; `None` if nothing was.
    pub compared: Option<Held>,
    /// Whether the player's choices beside the outcome can't be played.
    pub unplayed: bool,
    /// The result of the player's choices, where they are known.
    pub hand: Option<SettledHand>,
}

impl Log<'_> {
    /// Verifies rounds of a game of the catalog.
    pub fn verify(&self, game: &Catalogued, tick: Tick<'_>) -> Result<Verified> {
        let mut found = self.compare_commitments(tick)?;
        for group in game.groups(&self.readable) {
            group.verify(self, game, &mut found, tick)?;
        }
        Ok(found.finish())
    }

    /// Verifies rounds that were recomputed elsewhere. `fingerprints` are those of the rounds' first digests, as far
    /// as known. A judge, if given, replaces the comparison of outcomes.
    pub fn verify_played(
        &self,
        played: &[PlayedOutcomes<'_>],
        fingerprints: &[[u64; 2]],
        judge: Option<&dyn Judge>,
        tick: Tick<'_>,
    ) -> Result<Found> {
        let mut found = self.compare_commitments(tick)?;
        self.verify_more(&mut found, played, fingerprints, judge, tick)?;
        Ok(found)
    }

    /// Verifies further rounds, after their commitments.
    pub fn verify_more(
        &self,
        found: &mut Found,
        played: &[PlayedOutcomes<'_>],
        fingerprints: &[[u64; 2]],
        judge: Option<&dyn Judge>,
        tick: Tick<'_>,
    ) -> Result<()> {
        let fingerprint = |row: usize| match fingerprints[row] {
            [0, 0] => self.scheme.fingerprint(&self.fields, row),
            known => known,
        };
        for PlayedOutcomes { rows, outcomes, shape } in played {
            // No selection is needed if these are all rows.
            let rows = (rows.len() < self.readable.len()).then_some(*rows);
            let compared = Comparison::new(self, shape.clone(), &found.failed, rows);
            let width: usize = shape.iter().product();
            let outcomes: Vec<_> = outcomes.chunks(width * ROWS_AT_A_TIME).enumerate().collect();
            let threads = parallel::threads(self.threads, compared.count(), ROWS_WORTH_A_THREAD);
            let workers = parallel::run(
                outcomes.into_iter(),
                threads,
                tick,
                Worker::default,
                |worker, (turn, right)| {
                    let first = turn * ROWS_AT_A_TIME;
                    let count = right.len() / width;
                    match (judge, right) {
                        (Some(judge), Recomputed::Cells { cells, .. }) => {
                            compared.judged(judge, first, cells, fingerprint, worker);
                        }
                        _ => {
                            let hashes = (first..first + count).map(|i| fingerprint(compared.row(i)));
                            compared.run(first, right, &hashes.collect::<Vec<_>>(), &[], worker);
                        }
                    }
                    count as u64
                },
            )?;
            found.take(workers);
        }
        Ok(())
    }

    fn compare_commitments(&self, tick: Tick<'_>) -> Result<Found> {
        let count = self.readable.len();
        let mut found = Found { findings: Vec::new(), failed: vec![false; count], rows: Vec::new() };
        for &row in &self.failed {
            found.failed[row] = true;
        }
        if self.commitments.is_empty() {
            return Ok(found);
        }
        let commitments: Vec<_> = self.commitments.iter().map(Committed::commitments).collect();
        let threads = parallel::threads(self.threads, count, ROWS_WORTH_A_THREAD);
        let turns = self.readable.chunks(ROWS_AT_A_TIME).enumerate();
        let workers = parallel::run(
            turns,
            threads,
            // Progress counts rounds, not commitments.
            &mut |_| tick(0),
            Default::default,
            |(findings, buffers): &mut (Findings, CommitmentBuffers), (turn, readable)| {
                for commitments in &commitments {
                    commitments.compare(self.path, turn * ROWS_AT_A_TIME, readable, buffers, findings);
                }
                readable.len() as u64
            },
        )?;
        for (findings, _) in workers {
            for finding in &findings.list {
                found.failed[finding.row] = true;
            }
            found.findings.push(findings);
        }
        Ok(found)
    }
}

/// The findings so far.
pub struct Found {
    findings: Vec<Findings>,
    /// Whether each row has already failed.
    failed: Vec<bool>,
    rows: Vec<RowDigest>,
}

impl Found {
    fn take(&mut self, workers: Vec<Worker>) {
        for worker in workers {
            self.findings.push(worker.findings);
            if self.rows.is_empty() {
                self.rows = worker.rows;
            } else {
                self.rows.extend(worker.rows);
            }
        }
    }

    /// The rows that are still to be judged, in increasing order.
    pub fn short(&mut self) -> Vec<usize> {
        let mut rows: Vec<usize> = self.findings.iter_mut().flat_map(|each| each.short.drain(..)).collect();
        rows.sort_unstable();
        rows
    }

    /// The findings of all rows, and the rows among which repeated rounds are found.
    pub fn finish(self) -> Verified {
        (Findings::join(self.findings), self.rows)
    }
}

impl Committed<'_> {
    /// The published hashes to compare; SHA-256 of one text field has a fast path.
    fn commitments(&self) -> Commitments<'_> {
        let seeds = match (self.hash, &self.hash.message.0[..]) {
            (Hash { algorithm: Algorithm::Sha256, key: None, .. }, [Piece::Field(field)]) => {
                match *self.fields.field(*field) {
                    Values::Texts(texts) => Some(texts),
                    _ => None,
                }
            }
            _ => None,
        };
        let of = seeds.map_or(Preimages::Rows(self), Preimages::Seeds);
        Commitments { field: self.field, of, published: self.published.clone() }
    }
}

impl HashedRows for Committed<'_> {
    fn write(&self, row: usize, out: &mut Vec<u8>) {
        self.hash.message.write(&self.fields, row, 0, out);
        if let Some(key) = &self.hash.key {
            // The length keeps different pairs of message and key from becoming the same bytes.
            let length = out.len();
            key.write(&self.fields, row, 0, out);
            out.extend_from_slice(&length.to_le_bytes());
        }
    }

    fn digest(&self, row: usize) -> Vec<u8> {
        self.hash.digest(&self.fields, row, 0).bytes().to_vec()
    }
}

/// Rows of one game, with equal parameters.
struct GameRows {
    parameters: Vec<i64>,
    /// The rows; `None` for all.
    rows: Option<Vec<u32>>,
}

impl Catalogued {
    /// Groups the rows by game.
    fn groups(&self, readable: &[bool]) -> Vec<GameRows> {
        let shaping = |&&(index, _): &&(usize, _)| !self.entry.parameters[index].per_round;
        let shaping: Vec<_> = self.varying.iter().filter(shaping).collect();
        if shaping.is_empty() {
            return vec![GameRows { parameters: self.parameters.clone(), rows: None }];
        }
        let mut groups: Vec<GameRows> = Vec::new();
        let mut last = 0;
        let mut parameters = self.parameters.clone();
        for (row, _) in readable.iter().enumerate().filter(|(_, readable)| **readable) {
            for (index, values) in &shaping {
                parameters[*index] = values[row];
            }
            if groups.get(last).is_none_or(|group| group.parameters != parameters) {
                last = groups.iter().position(|group| group.parameters == parameters).unwrap_or(groups.len());
            }
            if last == groups.len() {
                groups.push(GameRows { parameters: parameters.clone(), rows: Some(Vec::new()) });
            }
            groups[last].rows.as_mut().expect("each has its own").push(row as u32);
        }
        groups
    }
}

/// A worker's buffers and findings.
#[derive(Default)]
struct Worker {
    findings: Findings,
    rows: Vec<RowDigest>,
    buffers: RoundBuffers,
    items: Items,
    suspects: Vec<usize>,
}

impl GameRows {
    fn verify(&self, log: &Log<'_>, kind: &Catalogued, found: &mut Found, tick: Tick<'_>) -> Result<()> {
        let game = kind.entry.make(&self.parameters)?;
        let form = game.form();
        let mut numbers = Vec::new();
        let picked = self.rows.as_ref().map(|rows| log.fields.pick(rows, &mut numbers));
        let fields = picked.as_ref().unwrap_or(&log.fields);
        let count = self.rows.as_ref().map_or(log.readable.len(), Vec::len);
        let per_round = kind.varying.iter().find(|(index, _)| kind.entry.parameters[*index].per_round);
        let values = per_round.map(|(_, values)| match &self.rows {
            Some(rows) => rows.iter().map(|&row| values[row as usize]).collect(),
            None => values.clone(),
        });
        let varying = match (per_round, &values) {
            (Some((index, _)), Some(values)) if count > 0 => {
                Some(Varying::new(kind.entry, &self.parameters, *index, values)?)
            }
            _ => None,
        };
        let compared = Comparison::new(log, form.shape.clone().into(), &found.failed, self.rows.as_deref());
        let source = Source { scheme: log.scheme, fields };
        let Ok(outcomes) = Rounds::on(log.path, &*game, source, varying) else {
            // No round of this game can be computed under this scheme.
            let mut worker = Worker::default();
            (0..count).for_each(|i| compared.fail(i, &mut worker));
            found.take(vec![worker]);
            return Ok(());
        };
        let (turn, width, decimals) = (outcomes.rounds_a_turn(), outcomes.width(), form.decimals);
        let threads = outcomes.threads(log.threads, count);
        let turns = (0..count).step_by(turn);
        let errors = FirstError::default();
        let workers = parallel::run(turns, threads, tick, Worker::default, |worker, first| {
            let rounds = turn.min(count - first);
            let mut buffers = std::mem::take(&mut worker.buffers);
            let mut next = first;
            outcomes.visit(first, rounds, true, &mut buffers, |run| {
                let right = Recomputed::Cells { cells: run.cells, decimals };
                // An exception from the caller's function is not an error in the row.
                let foreign = run.failed.iter().find(|(_, error)| error.cause().is_some());
                errors.keep(next, foreign.map(std::slice::from_ref).unwrap_or_default());
                let failed: Vec<usize> = run.failed.iter().map(|(round, _)| *round).collect();
                compared.run(next, right, run.hashes, &failed, worker);
                next += run.cells.len() / width;
            });
            worker.buffers = buffers;
            rounds as u64
        })?;
        errors.finish()?;
        found.take(workers);
        Ok(())
    }
}

/// The log's side of a comparison with recomputed outcomes.
struct Comparison<'a> {
    log: &'a Log<'a>,
    shape: Arc<[usize]>,
    failed: &'a [bool],
    /// The rows that are compared; `None` for all.
    rows: Option<&'a [u32]>,
    outcome: Column<'a>,
}

impl<'a> Comparison<'a> {
    fn new(log: &'a Log<'a>, shape: Arc<[usize]>, failed: &'a [bool], rows: Option<&'a [u32]>) -> Self {
        let all = &log.outcome.1;
        let outcome = rows.map_or_else(|| all.clone(), |rows| Column::Picked { column: all, rows });
        Self { log, shape, failed, rows, outcome }
    }

    fn row(&self, i: usize) -> usize {
        self.rows.map_or(i, |rows| rows[i] as usize)
    }

    fn count(&self) -> usize {
        self.rows.map_or(self.log.readable.len(), <[u32]>::len)
    }

    /// Whether all of these rows can be read.
    fn are_readable(&self, first: usize, count: usize) -> bool {
        let readable = &self.log.readable;
        match self.rows {
            Some(rows) => rows[first..first + count].iter().all(|&row| readable[row as usize]),
            None => readable[first..first + count].iter().all(|&readable| readable),
        }
    }

    /// Reports a round that can't be computed.
    fn fail(&self, i: usize, worker: &mut Worker) {
        let row = self.row(i);
        if self.log.readable[row] {
            let (field, verdict) = (self.log.outcome.0, Verdict::Malformed);
            worker.findings.list.push(Finding { row, field, verdict, expected: Expected::Nothing });
        }
    }

    /// Has a judge compare a run of outcomes from round `first` on.
    fn judged(
        &self,
        judge: &dyn Judge,
        first: usize,
        outcomes: &[i64],
        fingerprint: impl Fn(usize) -> [u64; 2],
        worker: &mut Worker,
    ) {
        for (i, outcome) in outcomes.chunks(self.shape.iter().product()).enumerate() {
            let row = self.row(first + i);
            if !self.log.readable[row] {
                continue;
            }
            let Some(Judgment { finding, assumed, compared, unplayed, hand }) =
                judge.judge(row, outcome, &mut worker.items)
            else {
                worker.findings.short.push(row);
                continue;
            };
            worker.findings.assumed += u64::from(assumed);
            if let Some(held) = compared {
                worker.findings.compared[held as usize] += 1;
            }
            worker.findings.unplayed += u64::from(unplayed);
            worker.findings.hands.extend(hand);
            let failed = self.failed[row] || finding.verdict != Verdict::Right;
            if finding.verdict != Verdict::Right || self.log.every {
                worker.findings.list.push(finding);
            }
            worker.rows.push(RowDigest::new(fingerprint(row), self.log.places.get(row), failed));
        }
    }

    /// Compares a run of outcomes from round `first` on, except those that couldn't be computed.
    fn run(
        &self,
        first: usize,
        right: Recomputed<'_>,
        hashes: &[[u64; 2]],
        uncomputed: &[usize],
        worker: &mut Worker,
    ) {
        let mut suspects = std::mem::take(&mut worker.suspects);
        let (shape, width) = (&*self.shape, self.shape.iter().product());
        suspects.clear();
        if self.log.every {
            suspects.extend(0..right.len() / width);
        } else {
            self.outcome.differing(first, right, shape, |i| suspects.push(i));
        }
        if suspects.is_empty() && uncomputed.is_empty() && self.are_readable(first, right.len() / width) {
            worker.rows.extend(hashes.iter().enumerate().map(|(i, &hash)| {
                let row = self.row(first + i);
                RowDigest::new(hash, self.log.places.get(row), self.failed[row])
            }));
            worker.suspects = suspects;
            return;
        }
        let (mut each_suspect, mut lost) = (suspects.iter().peekable(), uncomputed.iter().peekable());
        for (i, right) in right.chunks(width).enumerate() {
            let row = self.row(first + i);
            let suspect = each_suspect.next_if_eq(&&i).is_some();
            if lost.next_if_eq(&&i).is_some() {
                self.fail(first + i, worker);
                continue;
            }
            if !self.log.readable[row] {
                continue;
            }
            let mut failed = self.failed[row];
            if suspect {
                let mut verdict = right.judge(&self.outcome, first + i, shape, &mut worker.items);
                // A list of one value may also be logged as the bare value.
                let unordered = self.log.unordered && width > 1 && worker.items.has_shape(shape);
                if unordered && verdict == Verdict::Mismatch && right.is_set(&worker.items) {
                    verdict = Verdict::Right;
                    worker.findings.reordered.push((row, right.whole()));
                }
                failed |= verdict != Verdict::Right;
                if verdict != Verdict::Right || self.log.every {
                    let expected = right.expected(&self.shape);
                    worker.findings.list.push(Finding { row, field: self.log.outcome.0, verdict, expected });
                }
            }
            worker.rows.push(RowDigest::new(hashes[i], self.log.places.get(row), failed));
        }
        worker.suspects = suspects;
    }
}
