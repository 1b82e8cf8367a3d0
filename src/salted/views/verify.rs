//! The rounds of a log, recomputed and compared with what is logged.

use std::sync::Arc;

use super::bulk::{Rounds, Scratch, Varying};
use crate::error::Result;
use crate::logs::column::Column;
use crate::logs::commitments::{self, Commitments};
use crate::logs::comparison::Right;
use crate::logs::findings::{Expected, Finding, Findings, Kind};
use crate::logs::lists::Items;
use crate::logs::replays::{Places, Row};
use crate::parallel::{self, Tick};
use crate::salted::game::Entry;
use crate::salted::seeds::{Salts, Seeds};
use crate::sha2_lanes::Path;
use crate::texts::Texts;

/// Rounds for which another thread is worth starting, to compare commitments.
const COMMITMENTS_WORTH_A_THREAD: usize = 1 << 12;
/// Commitments that a thread compares at a time.
const COMMITMENTS_AT_A_TIME: usize = 1 << 11;

/// Some rows of a log.
pub struct Log<'a> {
    pub entry: &'static Entry,
    /// The game's parameters.
    pub parameters: Vec<i64>,
    /// Parameters that the log has columns of: their numbers, and a value for each row.
    pub varying: Vec<(usize, Vec<i64>)>,
    pub server: Texts<'a>,
    pub client: Texts<'a>,
    pub salt: Texts<'a>,
    /// The number of the outcomes' field, and what is logged.
    pub outcome: (u8, Column<'a>),
    pub commitments: Vec<Commitments<'a>>,
    /// For each row whether its seeds and parameters can be read; the others are left out.
    pub readable: Vec<bool>,
    /// Where the rows are in the whole log.
    pub places: Places<'a>,
    /// Whether to report rows that are right as well.
    pub every: bool,
}

/// What is found, and what tells replayed rounds.
pub fn verify(
    log: &Log<'_>,
    path: Path,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<(Findings, Vec<Row>)> {
    let mut found = vec![compare_commitments(log, path, threads, tick)?];
    let mut failed = vec![false; log.readable.len()];
    for finding in &found[0].list {
        failed[finding.row] = true;
    }
    let mut rows = Vec::with_capacity(log.readable.len());
    for group in groups(log) {
        for worker in group.verify(log, &failed, path, threads, tick)? {
            found.push(worker.findings);
            rows.extend(worker.rows);
        }
    }
    Ok((Findings::join(found), rows))
}

fn compare_commitments(
    log: &Log<'_>,
    path: Path,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<Findings> {
    if log.commitments.is_empty() {
        return Ok(Findings::default());
    }
    let threads = parallel::threads(threads, log.readable.len(), COMMITMENTS_WORTH_A_THREAD);
    let turns = log.readable.chunks(COMMITMENTS_AT_A_TIME).enumerate();
    let workers = parallel::run(
        turns,
        threads,
        // The rounds themselves are counted later.
        &mut |_| tick(0),
        Default::default,
        |(findings, scratch): &mut (Findings, commitments::Scratch), (turn, readable)| {
            for commitments in &log.commitments {
                commitments.compare(path, turn * COMMITMENTS_AT_A_TIME, readable, scratch, findings);
            }
            readable.len() as u64
        },
    )?;
    Ok(Findings::join(workers.into_iter().map(|(findings, _)| findings)))
}

/// Rows of one game: of all parameters that change the outcome's shape.
struct Group {
    parameters: Vec<i64>,
    /// Which rows these are; `None` for all.
    rows: Option<Vec<u32>>,
}

/// The rows by game.
fn groups(log: &Log<'_>) -> Vec<Group> {
    let shaping = |&&(index, _): &&(usize, _)| !log.entry.parameters[index].per_round;
    let shaping: Vec<_> = log.varying.iter().filter(shaping).collect();
    if shaping.is_empty() {
        return vec![Group { parameters: log.parameters.clone(), rows: None }];
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut last = 0;
    let mut parameters = log.parameters.clone();
    for (row, _) in log.readable.iter().enumerate().filter(|(_, readable)| **readable) {
        for (index, values) in &shaping {
            parameters[*index] = values[row];
        }
        if groups.get(last).is_none_or(|group| group.parameters != parameters) {
            last = groups.iter().position(|group| group.parameters == parameters).unwrap_or(groups.len());
        }
        if last == groups.len() {
            groups.push(Group { parameters: parameters.clone(), rows: Some(Vec::new()) });
        }
        groups[last].rows.as_mut().expect("each has its own").push(row as u32);
    }
    groups
}

/// A worker's memory, and what it found.
#[derive(Default)]
struct Worker {
    findings: Findings,
    rows: Vec<Row>,
    scratch: Scratch,
    items: Items,
    suspects: Vec<usize>,
}

impl Group {
    fn verify(
        &self,
        log: &Log<'_>,
        failed: &[bool],
        path: Path,
        threads: Option<usize>,
        tick: Tick<'_>,
    ) -> Result<Vec<Worker>> {
        let game = log.entry.make(&self.parameters)?;
        let form = game.form();
        let pick = |texts| match &self.rows {
            Some(rows) => Texts::Picked { texts, rows },
            None => *texts,
        };
        let seeds = Seeds {
            server: pick(&log.server).narrow(),
            client: pick(&log.client).narrow(),
            salt: Salts::Given(pick(&log.salt)),
        };
        let picked = self.rows.as_ref().map(|rows| Column::Picked { column: &log.outcome.1, rows });
        let per_round = log.varying.iter().find(|(index, _)| log.entry.parameters[*index].per_round);
        let values = per_round.map(|(_, values)| match &self.rows {
            Some(rows) => rows.iter().map(|&row| values[row as usize]).collect(),
            None => values.clone(),
        });
        let varying = match (per_round, &values) {
            (Some((index, _)), Some(values)) => {
                Some(Varying::new(log.entry, &self.parameters, *index, values)?)
            }
            _ => None,
        };
        let outcomes = Rounds::on(path, &*game, seeds, varying);
        let count = self.rows.as_ref().map_or(log.readable.len(), Vec::len);
        let compared = Compared {
            log,
            shape: form.shape.into(),
            width: outcomes.width(),
            decimals: form.decimals,
            failed,
            rows: self.rows.as_deref(),
            outcome: picked.as_ref().unwrap_or(&log.outcome.1),
        };
        let turn = outcomes.rounds_a_turn();
        let threads = outcomes.threads(threads, count);
        let turns = (0..count).step_by(turn);
        parallel::run(turns, threads, tick, Worker::default, |worker, first| {
            let rounds = turn.min(count - first);
            let mut scratch = std::mem::take(&mut worker.scratch);
            let mut next = first;
            outcomes.visit_hashed(first, rounds, &mut scratch, |cells, hash| {
                next += compared.run(next, cells, hash, worker);
            });
            worker.scratch = scratch;
            rounds as u64
        })
    }
}

/// What recomputed outcomes are compared with.
struct Compared<'a> {
    log: &'a Log<'a>,
    shape: Arc<[usize]>,
    width: usize,
    decimals: u32,
    failed: &'a [bool],
    /// Which rows of the log these are.
    rows: Option<&'a [u32]>,
    outcome: &'a Column<'a>,
}

impl Compared<'_> {
    /// Compares a run of outcomes from round `first` on, and returns how many they are.
    fn run(
        &self,
        first: usize,
        cells: &[i64],
        hash: &dyn Fn(usize) -> [u64; 2],
        worker: &mut Worker,
    ) -> usize {
        let Worker { findings, rows, items, suspects, .. } = worker;
        let (width, decimals, shape) = (self.width, self.decimals, &*self.shape);
        suspects.clear();
        if self.log.every {
            suspects.extend(0..cells.len() / width);
        } else {
            self.outcome.differing(first, cells, shape, decimals, |i| suspects.push(i));
        }
        let mut suspects = suspects.iter().peekable();
        for (i, right) in cells.chunks_exact(width).enumerate() {
            let row = self.rows.map_or(first + i, |rows| rows[first + i] as usize);
            let suspect = suspects.next_if_eq(&&i).is_some();
            if !self.log.readable[row] {
                continue;
            }
            let mut failed = self.failed[row];
            if suspect {
                let cells = Right::Cells { cells: right, decimals };
                let kind = cells.judge(self.outcome, first + i, shape, items);
                failed |= kind != Kind::Right;
                if kind != Kind::Right || self.log.every {
                    let expected = match right {
                        &[cell] if shape.is_empty() => Expected::Cell(cell),
                        cells => Expected::Cells { cells: cells.into(), shape: self.shape.clone() },
                    };
                    findings.list.push(Finding { row, field: self.log.outcome.0, kind, expected });
                }
            }
            rows.push(Row::new(hash(i), self.log.places.get(row), failed));
        }
        cells.len() / width
    }
}
