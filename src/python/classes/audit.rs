//! Reading, comparing and aggregating cells of logs, for audits.

use std::borrow::Cow;

use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Error;
use crate::logs::amounts::{self, Amount, Due, Octave, RowSpan, WrongPayout};
use crate::logs::column::Column;
use crate::logs::fingerprints::{FieldPrints, Fingerprint};
use crate::logs::groups::{self, Changes, Groups};
use crate::logs::interner::Internable;
use crate::logs::row_sets::RowSets;
use crate::logs::{derived, fingerprints, times};
use crate::python::convert::arrays::{Array, RowArray, contiguous};
use crate::python::convert::columns::HeldColumn;

/// Numbers, and a mask of the rows that have one.
type MaskedNumbers = (Array<i64>, Array<bool>);

/// Reads a column without the GIL.
fn read<T: Send>(
    name: &str,
    column: &Bound<'_, PyAny>,
    rows: usize,
    what: impl FnOnce(&Column<'_>) -> T + Send,
) -> PyResult<T> {
    let held = HeldColumn::new(name, column, rows)?;
    let cells = held.column();
    Ok(column.py().detach(|| what(&cells)))
}

/// Fingerprints of cells as 128 bits of a hash, in one row per cell, or a single row if all cells are equal.
/// Empty cells have 0, and equal texts have equal fingerprints in any type of column. For hexadecimal text,
/// case, surrounding spaces and `0x` in front are ignored.
#[pyfunction]
#[pyo3(signature = (name, column, rows, *, hexadecimal=false))]
pub fn column_fingerprints(
    name: &str,
    column: &Bound<'_, PyAny>,
    rows: usize,
    hexadecimal: bool,
) -> PyResult<RowArray<u64, 2>> {
    read(name, column, rows, |column| fingerprints::of_column(column, rows, hexadecimal)).map(RowArray)
}

/// Whether the fingerprints of hexadecimal text are those of the text as written, since no cell has capitals,
/// surrounding spaces or `0x` in front.
#[pyfunction]
pub fn is_folded(name: &str, column: &Bound<'_, PyAny>, rows: usize) -> PyResult<bool> {
    read(name, column, rows, |column| fingerprints::is_folded(column, rows))
}

/// Cells as whole numbers, and a mask of the cells that hold one.
#[pyfunction]
pub fn column_wholes(name: &str, column: &Bound<'_, PyAny>, rows: usize) -> PyResult<MaskedNumbers> {
    let (wholes, there) = read(name, column, rows, |column| column.wholes(rows))?;
    Ok((Array(wholes), Array(there)))
}

/// Cells as times in microseconds since 1970 in the formats that still fit (one bit each), and a mask of the
/// cells that hold one; the formats that fit all of them; the first row that fits only other formats, and the
/// first row that is ambiguous.
#[pyfunction]
pub fn column_times(
    name: &str,
    column: &Bound<'_, PyAny>,
    rows: usize,
    fits: u8,
) -> PyResult<(MaskedNumbers, u8, Option<usize>, Option<usize>)> {
    let found = read(name, column, rows, |column| times::times(column, rows, fits))?;
    Ok(((Array(found.values), Array(found.there)), found.fits, found.other, found.differs))
}

/// Cells of `width` numbers each, as doubles; NaN in rows without that many.
#[pyfunction]
#[pyo3(signature = (name, column, rows, width=1))]
pub fn column_doubles(
    name: &str,
    column: &Bound<'_, PyAny>,
    rows: usize,
    width: usize,
) -> PyResult<Array<f64>> {
    read(name, column, rows, |column| column.doubles(rows, width)).map(Array)
}

/// Fingerprints, one row per cell.
pub type Fingerprints<'py> = PyReadonlyArray2<'py, u64>;

/// The fingerprint of several fields together, row by row.
pub fn joined<'a>(py: Python<'_>, prints: &'a [Fingerprints<'_>], rows: usize) -> PyResult<FieldPrints<'a>> {
    let fields = fields_of(prints, rows)?;
    Ok(py.detach(|| fingerprints::joined(fields, rows)))
}

fn contiguous_fingerprints<'a>(fingerprints: &'a Fingerprints<'_>) -> Cow<'a, [Fingerprint]> {
    let array = fingerprints.as_array();
    match array.to_slice() {
        Some(words) => Cow::Borrowed(words.as_chunks::<2>().0),
        None => array.rows().into_iter().map(|row| [row[0], row[1]]).collect(),
    }
}

/// The fingerprints of several fields, one of each that is the same in all rows.
pub fn fields_of<'a>(fingerprints: &'a [Fingerprints<'_>], rows: usize) -> PyResult<Vec<FieldPrints<'a>>> {
    let field = |fingerprints: &'a Fingerprints<'_>| {
        let array = fingerprints.as_array();
        if array.shape() != [rows, 2] {
            let got = array.len() / 2;
            return Err(Error::value("fingerprints", format!("must have {rows} rows, got {got}")).into());
        }
        if rows > 1 && array.strides()[0] == 0 {
            return Ok(FieldPrints::Same([array[[0, 0]], array[[0, 1]]]));
        }
        Ok(FieldPrints::Each(contiguous_fingerprints(fingerprints)))
    };
    fingerprints.iter().map(field).collect()
}

/// The fingerprints of several fields together, in one row per row of the log.
#[pyfunction]
pub fn joined_fingerprints(
    py: Python<'_>,
    fingerprints: Vec<Fingerprints<'_>>,
    rows: usize,
) -> PyResult<RowArray<u64, 2>> {
    Ok(RowArray(match joined(py, &fingerprints, rows)? {
        FieldPrints::Same(same) => vec![same; rows],
        FieldPrints::Each(each) => each.into_owned(),
    }))
}

/// Fingerprints of cells as text, and as hexadecimal text, which may be the same object.
type BothPrints<'py> = (Bound<'py, PyArray2<u64>>, Bound<'py, PyArray2<u64>>);

/// What [`row_sets`] returns.
type SetsOfRows<'py> = (Array<i64>, Array<i64>, Option<Array<u32>>, Option<Array<i64>>, Vec<BothPrints<'py>>);

/// Sets of rows with the same cells in all columns: the first row of each in ascending order, their numbers of rows,
/// the set of each row and the rows in the order of their sets (both None if each set is a run of rows), and for each
/// column the fingerprints of the sets' cells, as text and as hexadecimal text.
#[pyfunction]
pub fn row_sets<'py>(
    py: Python<'py>,
    columns: Vec<(String, Bound<'py, PyAny>)>,
    rows: usize,
) -> PyResult<SetsOfRows<'py>> {
    let held = columns.iter().map(|(name, column)| HeldColumn::new(name, column, rows));
    let held = held.collect::<PyResult<Vec<_>>>()?;
    let columns: Vec<_> = held.iter().map(HeldColumn::column).collect();
    let (sets, counts, order, prints) = py.detach(|| {
        let sets = RowSets::of(&columns, rows);
        let firsts: Vec<u32> = sets.firsts.iter().map(|&row| row as u32).collect();
        let prints: Vec<_> = columns
            .iter()
            .map(|column| {
                let picked = Column::Picked { column, rows: &firsts };
                let column = if firsts.len() == rows { column } else { &picked };
                let of = |hexadecimal| {
                    let mut found = fingerprints::of_column(column, firsts.len(), hexadecimal);
                    let any = found.first().copied().unwrap_or_default();
                    found.resize(firsts.len(), any); // all cells may be equal
                    found
                };
                (of(false), (!fingerprints::is_folded(column, firsts.len())).then(|| of(true)))
            })
            .collect();
        let counts = sets.counts(rows);
        let order = sets.order(&counts);
        (sets, counts, order, prints)
    });
    let array = |found: Vec<Fingerprint>| RowArray(found).into_pyobject(py);
    let both = prints.into_iter().map(|(text, folded)| {
        let text = array(text)?;
        Ok((text.clone(), folded.map_or(Ok(text), array)?))
    });
    let both = both.collect::<PyResult<_>>()?;
    let (firsts, counts) = (Array::of_indices(sets.firsts), Array::of_indices(counts));
    Ok((firsts, counts, sets.which.map(Array), order.map(Array::of_indices), both))
}

/// The first row, and each row whose fingerprints differ from the row before.
#[pyfunction]
pub fn run_starts(py: Python<'_>, fingerprints: Vec<Fingerprints<'_>>) -> PyResult<Array<i64>> {
    let rows = fingerprints.first().map_or(0, |fingerprints| fingerprints.as_array().nrows());
    let fields = fields_of(&fingerprints, rows)?;
    Ok(Array::of_indices(py.detach(|| fingerprints::run_starts(&fields, rows))))
}

/// Amounts in whole units of 1e-8, a mask of the amounts that exist, and a mask of those that are whole.
#[pyfunction]
pub fn count_amounts(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
) -> (Array<i64>, Array<bool>, Array<bool>) {
    let values = contiguous(&values);
    let amounts: Vec<Amount> = py.detach(|| values.iter().map(|&value| Amount::of(value)).collect());
    (
        amounts.iter().map(|amount| amount.units).collect(),
        amounts.iter().map(|amount| amount.there).collect(),
        amounts.iter().map(|amount| amount.whole).collect(),
    )
}

/// The number of decimals to which two amounts agree if they differ by `off` / `parts`.
#[pyfunction]
pub fn amount_levels(off: PyReadonlyArray1<'_, i64>, parts: i64) -> Array<i64> {
    off.as_array().iter().map(|&off| amounts::level(off, parts)).collect()
}

/// Stakes and payouts of rows, which are divided by `scale`, and the returns due on a stake of 1, in whole multiples
/// of 1/`unit`. If these are
/// rounded, `exact` has the returns as doubles, in multiples of 1/`exact_unit`. `lines` has each row's line in a
/// paytable of `line_count` lines.
#[derive(FromPyObject)]
pub struct Paid<'py> {
    places: PyReadonlyArray1<'py, i64>,
    stakes: PyReadonlyArray1<'py, f64>,
    paid: PyReadonlyArray1<'py, f64>,
    possible: PyReadonlyArray1<'py, bool>,
    parts: PyReadonlyArray1<'py, i64>,
    unit: i64,
    exact: Option<PyReadonlyArray1<'py, f64>>,
    exact_unit: f64,
    lines: Option<PyReadonlyArray1<'py, i64>>,
    line_count: usize,
    scale: f64,
}

/// Compares payouts with what is due. Returns a mapping: "first", the position and stake of the first row
/// with a stake; "returned", the total payout; "decimals", those used by the amounts; "octaves", totals by
/// the number of bits of the stake; "right", the rows paid exactly what is due, by line of the paytable;
/// "odd", the others; "apart", rows whose amounts can't be counted; and "played", the different stakes with the
/// number of bets and the returns due on stakes of 1, or None if there are too many; and "loose", the number of
/// rows that agree but for more than a unit.
#[pyfunction]
pub fn compare_amounts<'py>(py: Python<'py>, rows: Paid<'py>) -> PyResult<Bound<'py, PyDict>> {
    let count = rows.places.as_array().len();
    let (stakes, paid) = (of_rows(contiguous(&rows.stakes), count)?, of_rows(contiguous(&rows.paid), count)?);
    let (possible, parts) =
        (of_rows(contiguous(&rows.possible), count)?, of_rows(contiguous(&rows.parts), count)?);
    let exact = rows.exact.as_ref().map(|due| of_rows(contiguous(due), count)).transpose()?;
    let lines = rows.lines.as_ref().map(|lines| of_rows(contiguous(lines), count)).transpose()?;
    let columns = amounts::Bets {
        places: &contiguous(&rows.places),
        stakes: &stakes,
        paid: &paid,
        scale: rows.scale,
        possible: &possible,
        lines: lines.as_deref(),
    };
    let exact = exact.as_deref().map(|due| (due, rows.exact_unit));
    let due = Due { parts: &parts, unit: rows.unit, exact };
    let found = py.detach(|| amounts::compare(columns, due, rows.line_count));
    let dict = PyDict::new(py);
    dict.set_item("first", found.first)?;
    dict.set_item("returned", found.paid)?;
    dict.set_item("decimals", found.decimals)?;
    let octaves: [Getter<Octave>; 8] = [
        ("bits", Octave::bits),
        ("bets", |octave| octave.bets),
        ("parts", |octave| octave.parts),
        ("staked_high", |octave| (octave.staked >> 32) as i64),
        ("staked_low", |octave| octave.staked as u32 as i64),
        ("least", |octave| octave.least),
        ("most", |octave| octave.most),
        ("first", |octave| octave.first),
    ];
    dict.set_item("octaves", columns_of(py, &found.octaves, &octaves)?)?;
    let right: [Getter<RowSpan>; 3] =
        [("bets", |right| right.bets), ("first", |right| right.first), ("last", |right| right.last)];
    dict.set_item("right", columns_of(py, &found.right, &right)?)?;
    let odd: [Getter<WrongPayout>; 5] = [
        ("row", |odd| odd.row as i64),
        ("stake", |odd| odd.stake),
        ("paid", |odd| odd.paid),
        ("off", |odd| odd.off),
        ("level", |odd| odd.level),
    ];
    dict.set_item("odd", columns_of(py, &found.odd, &odd)?)?;
    dict.set_item("apart", Array::of_indices(found.apart))?;
    dict.set_item("loose", found.loose)?;
    dict.set_item("played", found.played)?;
    Ok(dict)
}

/// The name of a column of records, and the field that it holds.
type Getter<T> = (&'static str, fn(&T) -> i64);

/// Converts records to a mapping of arrays.
fn columns_of<'py, T>(py: Python<'py>, records: &[T], columns: &[Getter<T>]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, get) in columns {
        dict.set_item(name, records.iter().map(get).collect::<Array<_>>())?;
    }
    Ok(dict)
}

/// Finds where the value of each key changes. Returns the first and last row of each key, in order of
/// appearance, and the rows whose value differs from the previous row with the same key.
#[pyfunction]
pub fn changes_by_key(
    py: Python<'_>,
    keys: Fingerprints<'_>,
    values: Fingerprints<'_>,
) -> PyResult<[Array<i64>; 3]> {
    let (keys, values) = (contiguous_fingerprints(&keys), contiguous_fingerprints(&values));
    let values = of_rows(values, keys.len())?;
    let found = py.detach(|| Changes::of(&keys, &values));
    let (firsts, lasts): (Vec<_>, Vec<_>) = found.ends.into_iter().unzip();
    Ok([firsts, lasts, found.rows].map(Array::of_indices))
}

/// Aggregates columns by key, which is a whole number or a fingerprint: the "sum", "min" or "max" of whole
/// numbers, or the "max" of doubles. Returns the keys in ascending order, and one array per column.
#[pyfunction]
pub fn reduce_groups<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    columns: Vec<(Bound<'py, PyAny>, String)>,
) -> PyResult<Aggregated<'py>> {
    if let Ok(keys) = keys.extract::<Fingerprints<'py>>() {
        // Reverses the bytes: Python compares fingerprints as bytes.
        let turn = |fingerprint: Fingerprint| fingerprint.map(u64::to_be);
        let (keys, joined) =
            reduce(py, contiguous_fingerprints(&keys).iter().copied().map(turn).collect(), &columns)?;
        let keys = RowArray(keys.into_iter().map(turn).collect()).into_pyobject(py)?;
        return Ok((keys.into_any(), joined));
    }
    let keys = keys.extract::<PyReadonlyArray1<'py, i64>>()?;
    let (keys, joined) = reduce(py, contiguous(&keys).into_owned(), &columns)?;
    Ok((Array(keys).into_pyobject(py)?.into_any(), joined))
}

fn reduce<'py, K: Internable + Ord + Send + Sync>(
    py: Python<'py>,
    keys: Vec<K>,
    columns: &[(Bound<'py, PyAny>, String)],
) -> PyResult<(Vec<K>, Vec<Bound<'py, PyAny>>)> {
    let groups = py.detach(|| Groups::new(&keys));
    let mut joined = Vec::new();
    for (column, how) in columns {
        let wholes = column.extract::<PyReadonlyArray1<'py, i64>>();
        joined.push(match (wholes, how.as_str()) {
            (Ok(wholes), how) => {
                let values = of_rows(contiguous(&wholes), keys.len())?;
                let together = py.detach(|| match how {
                    "sum" => Some(groups.join(&values, 0, i64::wrapping_add)),
                    "min" => Some(groups.join(&values, i64::MAX, i64::min)),
                    "max" => Some(groups.join(&values, i64::MIN, i64::max)),
                    _ => None,
                });
                Array(together.ok_or_else(|| unknown(how))?).into_pyobject(py)?.into_any()
            }
            (Err(_), how) => {
                let doubles = column.extract::<PyReadonlyArray1<'py, f64>>()?;
                let values = of_rows(contiguous(&doubles), keys.len())?;
                let together = py.detach(|| match how {
                    "min" => Some(groups.join(&values, f64::INFINITY, f64::min)),
                    "max" => Some(groups.join(&values, f64::NEG_INFINITY, f64::max)),
                    _ => None,
                });
                Array(together.ok_or_else(|| unknown(how))?).into_pyobject(py)?.into_any()
            }
        });
    }
    Ok((groups.into_keys(), joined))
}

/// How often each number below `most` occurs, among whole numbers or bytes; others aren't counted.
#[pyfunction]
pub fn count_numbers(numbers: &Bound<'_, PyAny>, most: usize) -> PyResult<Array<i64>> {
    if let Ok(bytes) = numbers.extract::<PyReadonlyArray1<'_, u8>>() {
        return Ok(Array(groups::count_numbers(&contiguous(&bytes), most)));
    }
    let numbers = numbers.extract::<PyReadonlyArray1<'_, i64>>()?;
    Ok(Array(groups::count_numbers(&contiguous(&numbers), most)))
}

/// The number of rows and the sum of their values by hour of the day. Returns the hours that occur, and both.
#[pyfunction]
pub fn sum_by_hour(
    py: Python<'_>,
    times: PyReadonlyArray1<'_, i64>,
    there: PyReadonlyArray1<'_, bool>,
    values: PyReadonlyArray1<'_, i64>,
) -> PyResult<[Array<i64>; 3]> {
    let times = contiguous(&times);
    let (there, values) =
        (of_rows(contiguous(&there), times.len())?, of_rows(contiguous(&values), times.len())?);
    let found = py.detach(|| times::sum_by_hour(&times, &there, &values));
    let hours = found.iter().zip(0i64..).filter(|((count, _), _)| *count > 0);
    let all: Vec<_> = hours.map(|(&(count, sum), hour)| [hour, count, sum]).collect();
    Ok([0, 1, 2].map(|column| all.iter().map(|row| row[column]).collect()))
}

/// The keys, and one array per column.
type Aggregated<'py> = (Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);

fn unknown(how: &str) -> PyErr {
    Error::value("columns", format!("must be sums of whole numbers, minima or maxima, got {how:?}")).into()
}

fn of_rows<T: Clone>(values: Cow<'_, [T]>, rows: usize) -> PyResult<Cow<'_, [T]>> {
    if values.len() == rows {
        return Ok(values);
    }
    Err(Error::value("columns", format!("must have {rows} rows, got {}", values.len())).into())
}

/// The seeds of a log's rows, and the commitments to them.
#[derive(FromPyObject)]
pub struct SeedColumns<'py> {
    client_seed: Bound<'py, PyAny>,
    server_seed: Bound<'py, PyAny>,
    commitment: Bound<'py, PyAny>,
    rows: usize,
}

/// Tells for the rows `some` which seed is derived from the other: 1 if the client seed equals the server
/// seed, contains it, or is part of it, of one of its hashes or of its commitment; 2 if the server seed is
/// part of one of the client seed's hashes; otherwise 0. Seeds of fewer than ten characters count as not
/// derived. `keys` are the joint fingerprints of client seed, server seed and commitment in these rows.
#[pyfunction]
pub fn derived_seeds(
    py: Python<'_>,
    seeds: SeedColumns<'_>,
    keys: Vec<Fingerprints<'_>>,
    some: PyReadonlyArray1<'_, i64>,
    threads: Option<usize>,
) -> PyResult<Array<u8>> {
    let rows = seeds.rows;
    let clients = HeldColumn::new("client_seed", &seeds.client_seed, rows)?;
    let servers = HeldColumn::new("server_seed", &seeds.server_seed, rows)?;
    let commitments = HeldColumn::new("commitment", &seeds.commitment, rows)?;
    let some: Vec<usize> = some.as_array().iter().map(|&row| row as usize).collect();
    let keys = fields_of(&keys, some.len())?;
    if let Some(row) = some.iter().find(|row| **row >= rows) {
        return Err(Error::value("some", format!("must be below {rows}, got {row}")).into());
    }
    let seeds = derived::LoggedSeeds {
        clients: clients.column(),
        servers: servers.column(),
        commitments: commitments.column(),
    };
    let found = py.detach(|| derived::derived_seeds(&seeds, &some, &keys, threads));
    Ok(found?.into_iter().map(|derived| derived as u8).collect())
}

/// The secrets that are usual hashes, or the beginning of one: the index, the name of the hash function, and
/// the index of the hashed secret, or None for a counter.
#[pyfunction]
pub fn hashed_secrets(py: Python<'_>, secrets: Vec<Vec<u8>>) -> Vec<(usize, &'static str, Option<usize>)> {
    let secrets: Vec<_> = secrets.iter().map(Vec::as_slice).collect();
    let found = py.detach(|| derived::hashed_secrets(&secrets));
    found.into_iter().map(|one| (one.secret, one.hash, one.of)).collect()
}
