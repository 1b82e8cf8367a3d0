//! Verifying the rows of logs.

use std::sync::{Arc, Mutex};

use numpy::{PyArray1, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::blackjack::Blackjack;
use super::games::Game;
use super::schemes::{self, Hash, OwnedValues, Scheme, path_named};
use super::video_poker::PokerPaytable;
use crate::cards::blackjack::verify::BlackjackJudge;
use crate::cards::verify::CardLog;
use crate::cards::video_poker::verify::{BadHold, PokerJudge};
use crate::cards::{Pack, blackjack, video_poker};
use crate::error::Error;
use crate::fpclub::{self, System};
use crate::logs::column::{Column, wholes};
use crate::logs::commitments;
use crate::logs::comparison::Recomputed;
use crate::logs::csv;
use crate::logs::findings::{Expected, Finding, Findings, Held, SettledHand, Verdict};
use crate::logs::lines;
use crate::logs::lists::Items;
use crate::logs::number::as_double;
use crate::logs::replays::{self, RowPlaces};
use crate::parallel::lock;
use crate::python::convert::arrays::{Array, RowArray};
use crate::python::convert::columns::{HeldColumn, text_field};
use crate::python::convert::progress::reported;
use crate::python::convert::strings::TextArgument;
use crate::schemes::{self as rounds, Catalogued, Committed, Judge, Log, Spelling};
use crate::strings::{Texts, bare};

/// The findings in a batch of rows, in the order of rows.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Verdicts {
    findings: Findings,
    fields: Vec<String>,
    decimals: u32,
    /// The bits of the narrowest floats among the outcomes, if narrower than a double's.
    #[pyo3(get)]
    narrow: Option<u8>,
    /// The number of rows that were compared as 32-bit floats.
    #[pyo3(get)]
    singles: usize,
    /// The rounds of the rows, until [`Verdicts::take_rounds`] takes them to find replays.
    rounds: Mutex<Vec<replays::RowDigest>>,
}

#[pymethods]
impl Verdicts {
    /// The row of each finding.
    #[getter]
    fn rows(&self) -> Array<i64> {
        Array::of_indices(self.findings.list.iter().map(|finding| finding.row))
    }

    /// The kind of each finding: 0 right, 1 mismatch, 2 commitment, 3 missing, 4 malformed.
    #[getter]
    fn kinds(&self) -> Array<u8> {
        self.findings.list.iter().map(|finding| finding.verdict as u8).collect()
    }

    /// The field number of each finding.
    #[getter]
    fn numbers(&self) -> Array<u8> {
        self.findings.list.iter().map(|finding| finding.field).collect()
    }

    /// The names of the fields, by number.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.fields)
    }

    /// The number of commitments compared, by field.
    #[getter]
    fn committed(&self) -> Vec<u64> {
        self.findings.committed.clone()
    }

    /// The number of rows in which the best choice was assumed, since the player's isn't logged.
    #[getter]
    fn assumed(&self) -> u64 {
        self.findings.assumed
    }

    /// The hands whose result is known: their rows, the returns of a first bet of 1 and all bets, both in units.
    #[getter]
    fn hands(&self) -> [Array<i64>; 3] {
        let column = |of: fn(&SettledHand) -> i64| self.findings.hands.iter().map(of).collect();
        [column(|hand| hand.row as i64), column(|hand| hand.returned), column(|hand| hand.staked)]
    }

    /// What the rows of these hands show of the dealer, (hands, 3): see `Shown`.
    #[getter]
    fn shown(&self) -> RowArray<u8, 3> {
        let shown = self.findings.hands.iter().map(|hand| hand.shown);
        RowArray(shown.map(|shown| [u8::from(shown.whole), shown.soft_17, shown.early]).collect())
    }

    /// The number of rows at a table by what their outcome holds: all cards, the first ones, the final hand, the net
    /// win or pay.
    #[getter]
    fn compared(&self) -> [u64; Held::COUNT] {
        self.findings.compared
    }

    /// The number of rows whose cards alone were compared, since the actions beside them can't be played.
    #[getter]
    fn unplayed(&self) -> u64 {
        self.findings.unplayed
    }

    /// The rows whose values are correct but in another order.
    #[getter]
    fn reordered(&self) -> Array<i64> {
        Array::of_indices(self.findings.reordered.iter().map(|(row, _)| *row))
    }

    /// The concatenated outcomes of these rows in the order drawn.
    #[getter]
    fn drawn(&self) -> Array<i64> {
        self.findings.reordered.iter().flat_map(|(_, cells)| cells.iter().copied()).collect()
    }

    /// The correct value of a finding's cell.
    fn expected<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let finding = self.findings.list.get(index);
        let finding =
            finding.ok_or_else(|| Error::value("index", "must be that of one of the findings").at(index))?;
        Ok(match &finding.expected {
            Expected::Nothing => py.None().into_bound(py),
            Expected::Cell(cell) => self.value(py, *cell)?,
            Expected::Cells { cells, shape } => nest(py, shape, cells, &|cell| self.value(py, cell))?,
            Expected::Doubles { doubles, shape } => {
                nest(py, shape, doubles, &|double: f64| Ok(double.into_pyobject(py)?.into_any()))?
            }
            Expected::Text(text) => text.into_pyobject(py)?.into_any(),
            &Expected::Ratio { above, below, exact } => {
                if exact {
                    ratio(above, below).into_pyobject(py)?.into_any()
                } else {
                    (above as f64 / below as f64).into_pyobject(py)?.into_any()
                }
            }
        })
    }
}

/// A fraction in lowest terms, or the whole number that it equals.
fn ratio(above: i64, below: i64) -> String {
    let (mut one, mut other) = (above.unsigned_abs(), below.unsigned_abs());
    while other > 0 {
        (one, other) = (other, one % other);
    }
    match (above / one as i64, below / one as i64) {
        (whole, 1) => whole.to_string(),
        (above, below) => format!("{above}/{below}"),
    }
}

impl Verdicts {
    /// Takes the rounds of the rows; later calls get none.
    pub fn take_rounds(&self) -> Vec<replays::RowDigest> {
        std::mem::take(&mut lock(&self.rounds))
    }

    fn value<'py>(&self, py: Python<'py>, cell: i64) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.decimals {
            0 => cell.into_pyobject(py)?.into_any(),
            decimals => as_double(cell, decimals).into_pyobject(py)?.into_any(),
        })
    }
}

/// Converts cells to nested lists of a shape.
fn nest<'py, T: Copy>(
    py: Python<'py>,
    shape: &[usize],
    cells: &[T],
    value: &dyn Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some((&first, others)) = shape.split_first() else { return value(cells[0]) };
    let items: PyResult<Vec<_>> = match cells.len().checked_div(first) {
        None => Ok(Vec::new()),
        Some(each) => cells.chunks(each.max(1)).map(|cells| nest(py, others, cells, value)).collect(),
    };
    Ok(PyList::new(py, items?)?.into_any())
}

/// The fields of a log that a system reads, and their numbers.
struct FieldReader<'a, 'py> {
    columns: &'a Bound<'py, PyDict>,
    rows: usize,
    names: Vec<String>,
    findings: Findings,
    readable: Vec<bool>,
}

impl<'a, 'py> FieldReader<'a, 'py> {
    /// The number and column of the next field.
    fn next(&mut self, name: &str) -> PyResult<(u8, Option<Bound<'py, PyAny>>)> {
        self.names.push(name.to_owned());
        Ok(((self.names.len() - 1) as u8, self.columns.get_item(name)?))
    }

    /// Reads an optional field of text. Rows without text are reported as unreadable.
    fn optional_text(&mut self, name: &str) -> PyResult<Option<TextArgument<'py>>> {
        let (field, Some(column)) = self.next(name)? else { return Ok(None) };
        let (text, bad) = text_field(name, &column, self.rows)?;
        for (row, verdict) in bad {
            self.bad(row, field, verdict);
        }
        Ok(Some(text))
    }

    /// Reads a field of text.
    fn text(&mut self, name: &str) -> PyResult<TextArgument<'py>> {
        self.optional_text(name)?.ok_or_else(|| not_given(name))
    }

    /// Reads a field of text. Rows that violate its spelling are reported as unreadable.
    fn spelled(&mut self, name: &str, spelling: Option<Spelling>) -> PyResult<TextArgument<'py>> {
        let held = self.text(name)?;
        let Some(spelling) = spelling else { return Ok(held) };
        let field = (self.names.len() - 1) as u8;
        let texts = held.texts();
        if texts.constant().is_some_and(|one| spelling.fits(one)) {
            return Ok(held);
        }
        for row in 0..self.rows {
            if self.readable[row] && !spelling.fits(texts.get(row)) {
                self.bad(row, field, Verdict::Malformed);
            }
        }
        Ok(held)
    }

    /// Reads a field of a scheme. A constant text becomes a single one, whose hash is then computed once.
    fn values(
        &mut self,
        LogField(name, kind, least, most): &LogField,
        spelling: Option<Spelling>,
    ) -> PyResult<OwnedValues> {
        match kind.as_str() {
            "whole" if *least < 0 => {
                let limits = (*least, i64::try_from(*most).unwrap_or(i64::MAX));
                let wholes = self.wholes(name, limits, false)?.ok_or_else(|| not_given(name))?;
                Ok(OwnedValues::whole(wholes.into_iter().map(i64::cast_unsigned).collect()))
            }
            "whole" => {
                let wholes = self.wholes(name, (least.unsigned_abs(), *most), false)?;
                Ok(OwnedValues::whole(wholes.ok_or_else(|| not_given(name))?))
            }
            "whole or blank" => {
                self.wholes(name, (least.unsigned_abs(), *most), true)?;
                Ok(OwnedValues::whole(vec![0; self.rows])) // checked here, read elsewhere
            }
            "hex" => Ok(OwnedValues::narrow(self.spelled(name, spelling.max(Some(Spelling::Bytes)))?)),
            _ => Ok(OwnedValues::narrow(self.spelled(name, spelling)?)),
        }
    }

    /// Reads a game's parameters, constant or varying by row.
    fn parameters(&mut self, game: &Game) -> PyResult<Catalogued> {
        let mut varying = Vec::new();
        for (index, parameter) in game.entry.parameters.iter().enumerate() {
            if let Some(values) = self.wholes(parameter.name, (parameter.least, parameter.most), false)? {
                varying.push((index, values));
            }
        }
        Ok(Catalogued { entry: game.entry, parameters: game.parameters.clone(), varying })
    }

    /// Reads an optional field of whole numbers.
    fn wholes<T: TryFrom<i128> + PartialOrd + Copy>(
        &mut self,
        name: &str,
        limits: (T, T),
        may_be_blank: bool,
    ) -> PyResult<Option<Vec<T>>> {
        let (field, Some(column)) = self.optional(name)? else { return Ok(None) };
        Ok(Some(wholes(&column.column(), self.rows, limits, |row, verdict| {
            if verdict != Verdict::Missing || !may_be_blank {
                self.bad(row, field, verdict);
            }
        })))
    }

    /// Reads a required field of any type.
    fn column(&mut self, name: &str) -> PyResult<(u8, HeldColumn<'py>)> {
        let (field, column) = self.optional(name)?;
        Ok((field, column.ok_or_else(|| not_given(name))?))
    }

    /// Reads an optional field of any type.
    fn optional(&mut self, name: &str) -> PyResult<(u8, Option<HeldColumn<'py>>)> {
        let (field, column) = self.next(name)?;
        Ok((field, column.map(|column| HeldColumn::new(name, &column, self.rows)).transpose()?))
    }

    fn bad(&mut self, row: usize, field: u8, verdict: Verdict) {
        self.readable[row] = false;
        self.findings.list.push(Finding { row, field, verdict, expected: Expected::Nothing });
    }
}

fn not_given(name: &str) -> PyErr {
    Error::value(name, "must be given").into()
}

/// The positions of rows in a log: that of the first row, or of each.
#[derive(FromPyObject)]
pub enum PlacesArgument<'py> {
    From(u64),
    Each(PyReadonlyArray1<'py, i64>),
}

impl PlacesArgument<'_> {
    pub fn places(&self, rows: usize) -> PyResult<RowPlaces<'_>> {
        let places = match self {
            Self::From(first) => return Ok(RowPlaces::From(*first)),
            Self::Each(places) => places.as_slice()?,
        };
        if places.len() != rows {
            return Err(Error::value("places", format!("must be {rows}, got {}", places.len())).into());
        }
        Ok(RowPlaces::Each(places))
    }
}

/// A field of a log: its name and type, which is `"text"`, `"hex"` (text that encodes bytes), or `"whole"`
/// with its limits.
#[derive(FromPyObject)]
pub struct LogField(String, String, i64, u64);

/// The function that recomputes rounds: a game of the catalog, or a Python function. The function is called
/// with the fields, the indices of readable rows, and whether it is a second call.
#[derive(FromPyObject)]
pub enum RoundPlayer<'py> {
    Engine(Py<Game>),
    Python(Bound<'py, PyAny>),
}

/// A table to play at: its rules, the units of a bet, the field with the player's actions, the meaning of
/// each card number, the order in which the first cards are dealt, and the number of cards of an outcome.
#[derive(FromPyObject)]
pub struct TableArgument(PyRules, i64, String, Vec<u8>, Vec<u8>, usize);

/// The rules of a table.
#[derive(FromPyObject)]
enum PyRules {
    Blackjack(Py<Blackjack>),
    VideoPoker(Py<PokerPaytable>),
}

/// The results of a Python function: outcomes by group, the rows that it couldn't recompute with the field to
/// blame, and the correct values of other published fields.
#[derive(FromPyObject)]
struct PyPlayed<'py> {
    groups: Vec<PlayedGroup<'py>>,
    bad: Vec<(usize, String)>,
    published: Vec<Bound<'py, PyAny>>,
}

/// The indices of rows, and an outcome for each.
type PlayedGroup<'py> = (PyReadonlyArray1<'py, u32>, Outcomes<'py>);

/// A batch of rows: the columns by field, the positions in the log, and the options of the verification.
#[derive(FromPyObject)]
pub struct LogRows<'py> {
    columns: Bound<'py, PyDict>,
    count: usize,
    places: PlacesArgument<'py>,
    every: bool,
    threads: Option<usize>,
}

impl<'py> LogRows<'py> {
    fn fields(&self) -> FieldReader<'_, 'py> {
        FieldReader {
            columns: &self.columns,
            rows: self.count,
            names: Vec::new(),
            findings: Findings::default(),
            readable: vec![true; self.count],
        }
    }
}

/// Instructions for recomputing rows. `fields` lists the scheme's fields, followed by those that only
/// commitments use. Further columns may be the game's parameters, the commitments (`commitments`: names and
/// hashes), and other published values. At a table, outcomes are cards, and the log may have the results of
/// playing them.
#[derive(FromPyObject)]
pub struct Recipe<'py> {
    scheme: Py<Scheme>,
    fields: Vec<LogField>,
    player: RoundPlayer<'py>,
    commitments: Vec<(String, Py<Hash>)>,
    published: Vec<String>,
    table: Option<TableArgument>,
    unordered: bool,
}

/// Verifies a batch of rows of a game under a scheme.
#[pyfunction]
#[pyo3(signature = (recipe, rows, *, path=None))]
pub fn verify_rounds(
    py: Python<'_>,
    recipe: Recipe<'_>,
    rows: LogRows<'_>,
    path: Option<&str>,
) -> PyResult<Verdicts> {
    let scheme = recipe.scheme.get();
    let mut read = rows.fields();
    let (fields, revealed) = recipe.read_fields(py, &mut read)?;
    let (catalogued, decimals) = match &recipe.player {
        RoundPlayer::Engine(game) => (Some(read.parameters(game.get())?), game.get().form.decimals),
        RoundPlayer::Python(_) => (None, 0),
    };
    let (field, outcome) = read.column("outcome")?;
    let choice = recipe.table.as_ref().map(|table| read.optional(&table.2)).transpose()?;
    let names = recipe.commitments.iter().map(|(name, _)| &**name);
    let committed = names.map(|name| read.optional(name)).collect::<PyResult<Vec<_>>>()?;
    let others = recipe.published.iter().map(|name| read.optional(name)).collect::<PyResult<Vec<_>>>()?;
    let (mut groups, mut found) = (Vec::new(), Vec::new());
    if let RoundPlayer::Python(play) = &recipe.player {
        (groups, found) = play_rows(play, &fields, &mut read, field, &others)?;
    }
    let borrowed = fields.get().borrow(py)?;
    let values = fields.get().values(&borrowed);
    let further = revealed.borrow(py)?;
    let compared = recipe.compared(&values.clone().and(&revealed.values(&further)), &committed)?;
    let mut failed_before: Vec<usize> = found.iter().flat_map(|each| &each.list).map(|one| one.row).collect();
    failed_before.sort_unstable();
    let log = Log {
        scheme: &scheme.scheme,
        fields: values,
        outcome: (field, outcome.column()),
        commitments: compared,
        readable: read.readable,
        failed: failed_before,
        places: rows.places.places(rows.count)?,
        every: rows.every,
        unordered: recipe.unordered,
        path: path_named(path)?,
        threads: rows.threads,
    };
    let verified = match (&recipe.player, &catalogued) {
        (RoundPlayer::Engine(_), None) => (Findings::default(), Vec::new()),
        (RoundPlayer::Engine(_), Some(game)) => reported(py, None, |tick| log.verify(game, tick))?,
        (RoundPlayer::Python(play), _) => {
            let pack =
                recipe.table.as_ref().map(|table| Pack::new(table.3.clone(), table.4.clone())).transpose()?;
            let judge = |open: bool| {
                let ((table, pack), (number, choice)) =
                    recipe.table.as_ref().zip(pack.as_ref()).zip(choice.as_ref())?;
                let choice = (*number, choice.as_ref().map(HeldColumn::column));
                Some(table.judge(CardLog {
                    pack,
                    outcome: (field, outcome.column()),
                    choice,
                    cards: table.5,
                    open,
                    every: rows.every,
                }))
            };
            verify_played(play, &fields, &log, &groups, judge)?
        }
    };
    let (findings, rounds) = verified;
    let findings = Findings::join(found.into_iter().chain([read.findings, findings]));
    let rounds = Mutex::new(rounds);
    let narrow = outcome.narrow;
    let singles = if narrow.is_some() { outcome.column().singles(rows.count) } else { 0 };
    Ok(Verdicts { findings, fields: read.names, decimals, narrow, singles, rounds })
}

impl<'py> Recipe<'py> {
    /// The fields of the scheme, and the fields that only commitments use.
    fn read_fields(
        &self,
        py: Python<'py>,
        read: &mut FieldReader<'_, 'py>,
    ) -> PyResult<(Bound<'py, schemes::Fields>, schemes::Fields)> {
        let binding = &self.scheme.get().binding;
        let spellings = binding.uses.iter().map(|each| each.spelling).chain(std::iter::repeat(None));
        let values = self.fields.iter().zip(spellings).map(|(field, spelling)| read.values(field, spelling));
        let mut values = values.collect::<PyResult<Vec<_>>>()?;
        // The scheme's rounds are identified by its own fields alone.
        let revealed = values.split_off(binding.names.len());
        let fields_of = |names: &[LogField], values| {
            let names = names.iter().map(|field| field.0.clone()).collect();
            schemes::Fields::of_log(names, values, read.rows, binding.label.clone())
        };
        let (own, further) = self.fields.split_at(values.len());
        Ok((Bound::new(py, fields_of(own, values))?, fields_of(further, revealed)))
    }

    /// The commitments that the log has, each with its input fields.
    fn compared<'a>(
        &'a self,
        all: &rounds::Fields<'a>,
        columns: &'a [(u8, Option<HeldColumn<'_>>)],
    ) -> PyResult<Vec<Committed<'a>>> {
        let mut compared = Vec::new();
        for ((_, hash), (field, column)) in self.commitments.iter().zip(columns) {
            let Some(column) = column else { continue };
            let hash = &hash.get().named;
            let place = |name: &String| self.fields.iter().position(|field| field.0 == *name);
            let places: Option<Vec<usize>> = hash.names.iter().map(place).collect();
            let places =
                places.ok_or_else(|| Error::value("fields", "must include those that commitments hash"))?;
            let fields = all.choose(&places);
            compared.push(Committed { field: *field, published: column.column(), hash: &hash.hash, fields });
        }
        Ok(compared)
    }
}

/// The groups of rows with their outcomes, and the findings in other published fields.
type PlayedRows<'py> = (Vec<PlayedGroup<'py>>, Vec<Findings>);

/// Has Python play the readable rows; rows that it can't play are reported.
fn play_rows<'py>(
    play: &Bound<'py, PyAny>,
    fields: &Bound<'py, schemes::Fields>,
    read: &mut FieldReader<'_, 'py>,
    outcome: u8,
    others: &[(u8, Option<HeldColumn<'py>>)],
) -> PyResult<PlayedRows<'py>> {
    let good: Vec<u32> = (0..read.rows as u32).filter(|&row| read.readable[row as usize]).collect();
    let PyPlayed { groups, bad, published } =
        play.call1((fields, PyArray1::from_slice(play.py(), &good), false))?.extract()?;
    for (row, name) in bad {
        let number = read.names.iter().position(|known| *known == name);
        read.bad(row, number.map_or(outcome, |number| number as u8), Verdict::Malformed);
    }
    let mut found = Vec::new();
    for ((number, column), right) in others.iter().zip(&published) {
        if let Some(column) = column {
            let right = TextArgument::new("right", right)?;
            found.push(published_in(&column.column(), &good, &right.texts(), *number, &read.readable));
        }
    }
    Ok((groups, found))
}

/// Compares rounds played in Python with the log. Rounds at a table that ran out of cards are played again.
fn verify_played<'a>(
    play: &Bound<'_, PyAny>,
    fields: &Bound<'_, schemes::Fields>,
    log: &Log<'_>,
    groups: &[PlayedGroup<'_>],
    judge: impl Fn(bool) -> Option<Box<dyn Judge + 'a>>,
) -> PyResult<replays::Verified> {
    let py = play.py();
    let (played, fingerprints) = (played_of(groups)?, fields.get().fingerprints());
    let first = judge(true);
    let mut found =
        reported(py, None, |tick| log.verify_played(&played, &fingerprints, first.as_deref(), tick))?;
    let short: Vec<u32> = found.short().iter().map(|&row| row as u32).collect();
    if !short.is_empty() {
        let more: PyPlayed<'_> = play.call1((fields, PyArray1::from_slice(py, &short), true))?.extract()?;
        let (played, last) = (played_of(&more.groups)?, judge(false));
        reported(py, None, |tick| {
            log.verify_more(&mut found, &played, &fingerprints, last.as_deref(), tick)
        })?;
    }
    Ok(found.finish())
}

/// Verifies a batch of rows of FPClub's dice. The system is `hashed` (fields `digits`, the hash, and
/// `outcome`), `combined` (`first`, `second`, `outcome`), or anything else for consecutive rolls of the given
/// digits (`outcome`).
#[pyfunction]
pub fn verify_dice(py: Python<'_>, system: &str, digits: &str, rows: LogRows<'_>) -> PyResult<Verdicts> {
    let mut fields = rows.fields();
    let names: &[&str] = match system {
        "hashed" => &["digits"],
        "combined" => &["first", "second"],
        _ => &[],
    };
    let held = names.iter().map(|name| fields.column(name)).collect::<PyResult<Vec<_>>>()?;
    for (name, (_, column)) in names.iter().zip(&held) {
        column.check_dice(name)?;
    }
    let outcome = fields.column("outcome")?;
    let log = fpclub::DiceLog {
        system: match held.as_slice() {
            [digits] => System::Hashed { digits: field_of(digits) },
            [first, second] => System::Combined { first: field_of(first), second: field_of(second) },
            _ => System::Rolls { digits: digits.as_bytes() },
        },
        outcome: field_of(&outcome),
        rows: rows.count,
        places: rows.places.places(rows.count)?,
        every: rows.every,
    };
    let (findings, rounds) = reported(py, None, |tick| fpclub::verify(&log, rows.threads, tick))?;
    let rounds = Mutex::new(rounds);
    Ok(Verdicts { findings, fields: fields.names, decimals: 0, narrow: None, singles: 0, rounds })
}

impl TableArgument {
    /// Creates the judge that compares the log with the table's rules.
    fn judge<'a>(&'a self, log: CardLog<'a>) -> Box<dyn Judge + 'a> {
        match &self.0 {
            PyRules::Blackjack(game) => Box::new(BlackjackJudge { rules: &game.get().rules, log }),
            PyRules::VideoPoker(table) => {
                let table = table.get();
                let sums = || table.sums();
                Box::new(PokerJudge { paytable: &table.paytable, unit: self.1, sums, log })
            }
        }
    }
}

/// Outcomes recomputed in Python.
struct Outcomes<'py> {
    shape: Arc<[usize]>,
    numbers: PlayedNumbers<'py>,
}

#[derive(FromPyObject)]
enum PlayedNumbers<'py> {
    Whole(PyReadonlyArray1<'py, i64>),
    Doubles(PyReadonlyArray1<'py, f64>),
}

impl<'py> FromPyObject<'_, 'py> for Outcomes<'py> {
    type Error = PyErr;

    fn extract(outcomes: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let shape = outcomes.cast::<PyUntypedArray>()?.shape()[1..].into();
        Ok(Self { shape, numbers: outcomes.call_method1("reshape", (-1,))?.extract()? })
    }
}

impl Outcomes<'_> {
    fn all(&self) -> PyResult<Recomputed<'_>> {
        Ok(match &self.numbers {
            PlayedNumbers::Whole(all) => Recomputed::Cells { cells: all.as_slice()?, decimals: 0 },
            PlayedNumbers::Doubles(all) => Recomputed::Doubles(all.as_slice()?),
        })
    }
}

/// Converts groups of rows and outcomes for the comparison.
fn played_of<'a>(groups: &'a [PlayedGroup<'_>]) -> PyResult<Vec<rounds::PlayedOutcomes<'a>>> {
    let played = groups.iter().map(|(rows, outcomes)| {
        Ok(rounds::PlayedOutcomes {
            rows: rows.as_slice()?,
            outcomes: outcomes.all()?,
            shape: outcomes.shape.clone(),
        })
    });
    played.collect()
}

/// Compares a published field of hexadecimal text with its correct values.
fn published_in(
    column: &Column<'_>,
    good: &[u32],
    right: &Texts<'_>,
    field: u8,
    readable: &[bool],
) -> Findings {
    let mut findings = Findings { committed: vec![0; usize::from(field) + 1], ..Findings::default() };
    let mut items = Items::default();
    let mut index = good.iter().map(|&row| row as usize).enumerate().peekable();
    for (row, &readable) in readable.iter().enumerate() {
        let place = index.next_if(|&(_, good)| good == row).map(|(place, _)| place);
        let right = place.filter(|_| readable).map(|place| right.get(place));
        let is_right = right.map(|right| move |text: &[u8]| bare(text).eq_ignore_ascii_case(right));
        let judged = commitments::judge(column, row, &mut items, is_right);
        findings.committed[usize::from(field)] += u64::from(judged.compared);
        if judged.verdict != Verdict::Right {
            let text = |right: &[u8]| Expected::Text(String::from_utf8_lossy(right).into());
            let expected = right.map_or(Expected::Nothing, text);
            findings.list.push(Finding { row, field, verdict: judged.verdict, expected });
        }
    }
    findings
}

/// Reads one cell of dice as digits.
#[pyfunction]
pub fn fpclub_read_dice(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let column = HeldColumn::new(name, PyList::new(value.py(), [value])?.as_any(), 1)?;
    let mut digits = Vec::new();
    fpclub::read(&column.column(), 0, &mut Items::default(), &mut digits)
        .map_err(|_| refused(name, "dice: digits 1 to 6, or a list of faces", value))?;
    Ok(String::from_utf8_lossy(&digits).into_owned())
}

/// Reads a player's actions in each row of a column, or in the one row of a single round, as verification does.
#[pyfunction]
pub fn read_actions(column: &Bound<'_, PyAny>, rows: usize, many: bool) -> PyResult<Vec<Vec<&'static str>>> {
    let (held, mut items) = (HeldColumn::new("actions", column, rows)?, Items::default());
    let read = |row| {
        let mut actions = Vec::new();
        blackjack::verify::read(&held.column(), row, &mut items, &mut actions)
            .ok_or_else(|| refused_row("actions", blackjack::verify::FORMS, column, row, many))?;
        Ok(actions.iter().map(|action| action.word()).collect())
    };
    (0..rows).map(read).collect()
}

/// Reads a player's holds in each row of a column, or in the one row of a single round, as verification does: sums of
/// `2**i` over the held cards. `hands` has the five cards of each row; without, no cards can be named.
#[pyfunction]
#[pyo3(signature = (column, rows, many, hands=None))]
pub fn read_holds(
    column: &Bound<'_, PyAny>,
    rows: usize,
    many: bool,
    hands: Option<PyReadonlyArray1<'_, i64>>,
) -> PyResult<Array<u8>> {
    let pack = Pack::new((0..54).map(|card: u8| card.min(Pack::JOKER)).collect(), Vec::new())?;
    let (held, mut items) = (HeldColumn::new("hold", column, rows)?, Items::default());
    let hands = hands.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
    let read = |row: usize| {
        let hand = hands.map(|cards| (&pack, &cards[5 * row..][..5]));
        let allowed = match video_poker::verify::read(&held.column(), row, &mut items, hand) {
            Ok(Some(hold)) => return Ok(hold),
            Err(BadHold::NotDealt) => "cards of the hand that was dealt",
            _ => video_poker::verify::FORMS,
        };
        Err(refused_row("hold", allowed, column, row, many))
    };
    (0..rows).map(read).collect()
}

/// The error for a row of a column, or its only one, that isn't what is `allowed`.
fn refused_row(name: &str, allowed: &str, column: &Bound<'_, PyAny>, row: usize, many: bool) -> PyErr {
    let error = column.get_item(row).map(|cell| refused(name, allowed, &cell));
    error.map_or_else(|error| error, |error| if many { error.at(row).into() } else { error.into() })
}

/// The error for a value that isn't what is `allowed`; it shows the value.
fn refused(name: &str, allowed: &str, value: &Bound<'_, PyAny>) -> Error {
    let got = value.repr().map_or_else(|_| String::new(), |text| text.to_string());
    let got: String = got.chars().take(50).collect();
    Error::value(name, format!("must be {allowed}, got {got}"))
}

fn field_of<'a>((field, column): &'a (u8, HeldColumn<'_>)) -> (u8, Column<'a>) {
    (*field, column.column())
}

/// The number of line ends in a text, and whether it is ASCII without NUL bytes.
#[pyfunction]
pub fn scan_text(py: Python<'_>, text: &[u8]) -> (usize, bool) {
    py.detach(|| lines::scan(text))
}

/// The concatenated bytes of a column's cells, and the end of each cell, preceded by 0.
type CellArrays = (Py<PyArray1<u8>>, Py<PyArray1<i32>>);

/// The contents of a block of CSV.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct CsvRows {
    /// The wanted columns.
    columns: Vec<CellArrays>,
    /// The number of readable rows.
    rows: usize,
    /// The unreadable rows: the number of rows before, and the start and end in the block.
    unreadable: Vec<(usize, usize, usize)>,
    /// The end of the last complete row.
    end: usize,
    /// Whether the rest of the block ends inside quotes.
    open: bool,
}

/// Reads the complete rows of a block of CSV. Rows have `cells` cells, of which those at `wanted` are kept.
#[pyfunction]
pub fn read_csv(
    py: Python<'_>,
    block: &[u8],
    delimiter: u8,
    cells: usize,
    wanted: Vec<usize>,
) -> PyResult<CsvRows> {
    if wanted.iter().any(|&cell| cell >= cells) {
        return Err(Error::value("wanted", format!("must be below {cells}, got {wanted:?}")).into());
    }
    let csv::CsvBlock { columns, rows, unreadable, end, open } =
        py.detach(|| csv::read(block, delimiter, cells, &wanted));
    let array = |cells: csv::CsvColumn| {
        (PyArray1::from_vec(py, cells.bytes).unbind(), PyArray1::from_vec(py, cells.ends).unbind())
    };
    Ok(CsvRows {
        columns: columns.into_iter().map(array).collect(),
        rows,
        unreadable: unreadable.into_iter().map(|(row, range)| (row, range.start, range.end)).collect(),
        end,
        open,
    })
}
