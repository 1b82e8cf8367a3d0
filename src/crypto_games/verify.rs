//! Rounds of card games, recomputed and compared with a log: what both games share.

use super::deal::{Deck, Hash, Hashes, ROUNDS_AT_A_TIME};
use crate::error::Result;
use crate::logs::column::{Cell, Column};
use crate::logs::commitments::{self, Commitments};
use crate::logs::findings::{Expected, Finding, Findings, Kind};
use crate::logs::lists::{Item, Items};
use crate::logs::number::Number;
use crate::logs::replays::{Places, Row};
use crate::parallel::{self, Tick};
use crate::sha2_lanes::Path;

/// Some rows of a log.
pub struct Log<'a> {
    pub hashes: Hashes<'a>,
    /// The number of the outcomes' field, and what is logged.
    pub outcome: (u8, Column<'a>),
    /// The same of what the player did, where the log has it.
    pub choice: (u8, Option<Column<'a>>),
    pub commitments: Option<Commitments<'a>>,
    /// For each row whether its seeds can be read; the others are left out.
    pub readable: Vec<bool>,
    /// Where the rows are in the whole log.
    pub places: Places<'a>,
    /// Whether to report rows that are right as well.
    pub every: bool,
}

/// What became of a row.
pub struct Judgment {
    pub kind: Kind,
    /// Whether the reported cell is what the player did; else it is the outcome.
    pub of_choice: bool,
    pub expected: Expected,
    /// Whether the best choice was taken for the player's, which isn't logged.
    pub assumed: bool,
}

impl Judgment {
    /// Of the outcome.
    pub fn of_outcome(kind: Kind, expected: Expected) -> Self {
        Self { kind, of_choice: false, expected, assumed: false }
    }

    /// Of an outcome that is what was recomputed, or not.
    pub fn agrees(same: bool, expected: Expected) -> Self {
        Self::of_outcome(if same { Kind::Right } else { Kind::Mismatch }, expected)
    }

    /// Of what the player did, which can't be.
    pub fn of_choice(kind: Kind) -> Self {
        Self { kind, of_choice: true, expected: Expected::Nothing, assumed: false }
    }
}

/// A worker's memory.
#[derive(Default)]
pub struct Scratch {
    pub items: Items,
    /// Cards that were logged.
    pub logged: Vec<i64>,
    /// Cards that were dealt.
    pub dealt: Vec<i64>,
}

/// What is found, and what tells replayed rounds. `judge` recomputes a row from its hash.
pub fn verify(
    log: &Log<'_>,
    judge: impl Fn(usize, &Hash, &mut Scratch) -> Judgment + Sync,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<(Findings, Vec<Row>)> {
    let path = Path::best();
    let count = log.readable.len();
    let threads = parallel::threads(threads, count, ROUNDS_AT_A_TIME);
    type Worker = (Findings, Vec<Row>, Scratch, commitments::Scratch, Vec<bool>);
    let work = |worker: &mut Worker, first: usize| {
        let (findings, rows, scratch, hashing, failed) = worker;
        let last = count.min(first + ROUNDS_AT_A_TIME);
        failed.clear();
        failed.resize(last - first, false);
        if let Some(commitments) = &log.commitments {
            let before = findings.list.len();
            commitments.compare(path, first, &log.readable[first..last], hashing, findings);
            for finding in &findings.list[before..] {
                failed[finding.row - first] = true;
            }
        }
        log.hashes.for_each_on(path, first..last, |row, hash| {
            if !log.readable[row] {
                return;
            }
            let judgment = judge(row, hash, scratch);
            findings.assumed += u64::from(judgment.assumed);
            let failed = failed[row - first] | (judgment.kind != Kind::Right);
            if judgment.kind != Kind::Right || log.every {
                let field = if judgment.of_choice { log.choice.0 } else { log.outcome.0 };
                findings.list.push(Finding { row, field, kind: judgment.kind, expected: judgment.expected });
            }
            let ([first, second, ..], _) = hash.as_chunks().0.split_at(8) else { unreachable!("64 bytes") };
            let hash = [u64::from_be_bytes(*first), u64::from_be_bytes(*second)];
            rows.push(Row::new(hash, log.places.get(row), failed));
        });
        (last - first) as u64
    };
    let parts = (0..count).step_by(ROUNDS_AT_A_TIME);
    let workers = parallel::run(parts, threads, tick, Worker::default, work)?;
    let (mut findings, mut rows) = (Vec::new(), Vec::with_capacity(count));
    for (found, some, ..) in workers {
        findings.push(found);
        rows.extend(some);
    }
    Ok((Findings::join(findings), rows))
}

/// An outcome as it is logged.
pub enum Logged {
    /// Cards, which are where they were asked to be put.
    Cards {
        /// Whether any of them has a name. Others may have the same: each is then the first that has it.
        named: bool,
    },
    /// What was paid or won.
    Number(Number),
    /// Neither.
    Unreadable(Kind),
}

/// Reads an outcome: cards by number or name, in a list, a JSON list or between spaces; or a number.
pub fn outcome(
    column: &Column<'_>,
    row: usize,
    deck: Deck,
    items: &mut Items,
    cards: &mut Vec<i64>,
) -> Logged {
    let logged = read(column, row, deck, items, cards);
    if matches!(logged, Logged::Cards { named: true }) {
        cards.iter_mut().for_each(|card| *card = deck.namesake(*card));
    }
    logged
}

fn read(column: &Column<'_>, row: usize, deck: Deck, items: &mut Items, cards: &mut Vec<i64>) -> Logged {
    cards.clear();
    let cell = column.read(row, items);
    let bad = Logged::Unreadable(if cell.is_blank() { Kind::Missing } else { Kind::Malformed });
    match cell {
        Cell::Number(number) => Logged::Number(number),
        Cell::Digits(_) => Logged::Number(Number::Beyond),
        Cell::Text(text) => {
            if let Some(number) = Number::parse(text).or_else(|| Number::parse_ratio(text)) {
                return Logged::Number(number);
            }
            let Ok(text) = std::str::from_utf8(text) else { return bad };
            if text.trim_start().starts_with('[') {
                return if items.parse(text.as_bytes()) { read_cards(items, deck, cards) } else { bad };
            }
            for name in text.split_whitespace() {
                let Ok(card) = deck.parse(name) else { return bad };
                cards.push(card);
            }
            if cards.is_empty() { bad } else { Logged::Cards { named: true } }
        }
        Cell::List => read_cards(items, deck, cards),
        Cell::Missing | Cell::Other => bad,
    }
}

/// Reads the cards of a list.
fn read_cards(items: &Items, deck: Deck, cards: &mut Vec<i64>) -> Logged {
    let mut named = false;
    for item in &items.list {
        let card = match item {
            Item::Number(number) => number.as_whole().and_then(|card| i64::try_from(card).ok()),
            Item::Text(range) => {
                named = true;
                let name = std::str::from_utf8(items.text(range)).ok();
                name.and_then(|name| deck.parse(name).ok())
            }
            _ => None,
        };
        match card {
            Some(card) if items.is_flat() => cards.push(card),
            _ => return Logged::Unreadable(Kind::Malformed),
        }
    }
    if cards.is_empty() { Logged::Unreadable(Kind::Missing) } else { Logged::Cards { named } }
}

/// Cards as what was expected.
pub fn expected_cards(cards: &[i64]) -> Expected {
    Expected::Cells { cells: cards.into(), shape: [cards.len()].into() }
}
