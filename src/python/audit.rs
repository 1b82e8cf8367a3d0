//! Cells of logs, as an audit reads them.

use std::borrow::Cow;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::arrays::contiguous;
use super::columns::HeldColumn;
use crate::error::Error;
use crate::logs::amounts::{self, Amount, Due, Octave, Odd, Right};
use crate::logs::column::Column;
use crate::logs::fingerprints::{Field, Fingerprint};
use crate::logs::groups::{Changes, Groups};
use crate::logs::number::Number;
use crate::logs::table::Key;
use crate::logs::{derived, fingerprints, times};

/// Numbers, and where there are any.
type Masked<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<bool>>);

/// What is read of a column.
fn read<T: Send>(
    py: Python<'_>,
    (name, column, rows): (&str, &Bound<'_, PyAny>, usize),
    what: impl FnOnce(&Column<'_>) -> T + Send,
) -> PyResult<T> {
    let held = HeldColumn::new(name, column, rows)?;
    let column = held.column();
    Ok(py.detach(|| what(&column)))
}

/// Fingerprints of cells, 128 bits of a hash each: 0 where there is nothing; the same text has the same one in every
/// storage. Of text in hexadecimal neither case nor spaces around it count. It is a single row where all are the same.
#[pyfunction]
#[pyo3(signature = (name, column, rows, *, hexadecimal=false))]
pub fn column_fingerprints<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
    hexadecimal: bool,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let found = read(py, (name, column, rows), |column| fingerprints::of_column(column, rows, hexadecimal))?;
    let rows = found.len();
    PyArray1::from_vec(py, found.into_flattened()).reshape([rows, 2])
}

/// Cells as whole numbers, and whether each is one.
#[pyfunction]
pub fn column_wholes<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
) -> PyResult<Masked<'py>> {
    let whole = |number: Option<Number>| i64::try_from(number?.as_whole()?).ok();
    let found = read(py, (name, column, rows), |column| {
        column.each_number(rows, |number| (whole(number).unwrap_or(0), whole(number).is_some()))
    })?;
    let (wholes, there): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    Ok((PyArray1::from_vec(py, wholes), PyArray1::from_vec(py, there)))
}

/// Cells as times in the formats that still fit, a bit each: in microseconds since 1970, and whether each is one; the
/// formats that fit all of them; the first row with a time in others alone, and the first that differs by those left.
#[pyfunction]
pub fn column_times<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
    fits: u8,
) -> PyResult<(Masked<'py>, u8, Option<usize>, Option<usize>)> {
    let found = read(py, (name, column, rows), |column| times::times(column, rows, fits))?;
    let times = (PyArray1::from_vec(py, found.values), PyArray1::from_vec(py, found.there));
    Ok((times, found.fits, found.other, found.differs))
}

/// Cells of `width` numbers each, as doubles: NaN in rows that don't have as many.
#[pyfunction]
#[pyo3(signature = (name, column, rows, width=1))]
pub fn column_doubles<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
    width: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let found = read(py, (name, column, rows), |column| column.doubles(rows, width))?;
    Ok(PyArray1::from_vec(py, found))
}

/// Fingerprints, a row for each cell.
pub type Fingerprints<'py> = PyReadonlyArray2<'py, u64>;

/// The fingerprints of rows together.
pub fn joined<'a>(py: Python<'_>, fingerprints: &'a [Fingerprints<'_>], rows: usize) -> PyResult<Field<'a>> {
    let fields = fields_of(fingerprints, rows)?;
    Ok(py.detach(|| fingerprints::joined(fields, rows)))
}

fn contiguous_fingerprints<'a>(fingerprints: &'a Fingerprints<'_>) -> Cow<'a, [Fingerprint]> {
    let array = fingerprints.as_array();
    match array.to_slice() {
        Some(words) => Cow::Borrowed(words.as_chunks::<2>().0),
        None => array.rows().into_iter().map(|row| [row[0], row[1]]).collect(),
    }
}

fn fields_of<'a>(fingerprints: &'a [Fingerprints<'_>], rows: usize) -> PyResult<Vec<Field<'a>>> {
    let field = |fingerprints: &'a Fingerprints<'_>| {
        let array = fingerprints.as_array();
        if array.shape() != [rows, 2] {
            let got = array.len() / 2;
            return Err(Error::value("fingerprints", format!("must be of {rows} rows, got {got}")).into());
        }
        if rows > 1 && array.strides()[0] == 0 {
            return Ok(Field::Same([array[[0, 0]], array[[0, 1]]]));
        }
        Ok(Field::Each(contiguous_fingerprints(fingerprints)))
    };
    fingerprints.iter().map(field).collect()
}

/// The fingerprints of several fields together, one for each row.
#[pyfunction]
pub fn joined_fingerprints<'py>(
    py: Python<'py>,
    fingerprints: Vec<Fingerprints<'py>>,
    rows: usize,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let found = match joined(py, &fingerprints, rows)? {
        Field::Same(same) => vec![same; rows],
        Field::Each(each) => each.into_owned(),
    };
    PyArray1::from_vec(py, found.into_flattened()).reshape([rows, 2])
}

/// The first row, and each row whose fingerprints aren't those of the row before.
#[pyfunction]
pub fn run_starts<'py>(
    py: Python<'py>,
    fingerprints: Vec<Fingerprints<'py>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let rows = fingerprints.first().map_or(0, |fingerprints| fingerprints.as_array().nrows());
    let fields = fields_of(&fingerprints, rows)?;
    let runs = py.detach(|| fingerprints::run_starts(&fields, rows));
    Ok(PyArray1::from_iter(py, runs.into_iter().map(|row| row as i64)))
}

/// Counts amounts in whole units of 1e-8: the units, where there is an amount, and which are whole numbers.
#[pyfunction]
pub fn count_amounts<'py>(py: Python<'py>, values: PyReadonlyArray1<'py, f64>) -> Counted<'py> {
    let values = contiguous(&values);
    let amounts: Vec<Amount> = py.detach(|| values.iter().map(|&value| Amount::of(value)).collect());
    (
        PyArray1::from_iter(py, amounts.iter().map(|amount| amount.units)),
        PyArray1::from_iter(py, amounts.iter().map(|amount| amount.there)),
        PyArray1::from_iter(py, amounts.iter().map(|amount| amount.whole)),
    )
}

/// Units of amounts, where there are any, and which are whole numbers.
type Counted<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

/// To how many decimals amounts agree that are off by some parts of a unit, of which `parts` make one.
#[pyfunction]
pub fn amount_levels<'py>(
    py: Python<'py>,
    off: PyReadonlyArray1<'py, i64>,
    parts: i64,
) -> Bound<'py, PyArray1<i64>> {
    PyArray1::from_iter(py, off.as_array().iter().map(|&off| amounts::level(off, parts)))
}

/// Stakes and payouts of rows, and what each is due for a stake of 1: parts, of which `unit` make 1. Where these are
/// rounded, `exact` is what is due in doubles, of which `exact_unit` make 1. `lines` are each row's line of the
/// paytable, which has `line_count`.
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
}

/// Compares what was paid with what is due. Returns a mapping: "first", the place and the stake of the first row with
/// a stake; "returned", what was paid together; "decimals" that the amounts have; "octaves", columns of rows by the
/// bits of their stakes; "right", columns of rows that were paid exactly what they are due, by their line of the pay
/// table; and "odd", columns of those that weren't.
#[pyfunction]
pub fn compare_amounts<'py>(py: Python<'py>, rows: Paid<'py>) -> PyResult<Bound<'py, PyDict>> {
    let count = rows.places.as_array().len();
    let (stakes, paid) = (of_rows(contiguous(&rows.stakes), count)?, of_rows(contiguous(&rows.paid), count)?);
    let (possible, parts) =
        (of_rows(contiguous(&rows.possible), count)?, of_rows(contiguous(&rows.parts), count)?);
    let exact = rows.exact.as_ref().map(|due| of_rows(contiguous(due), count)).transpose()?;
    let lines = rows.lines.as_ref().map(|lines| of_rows(contiguous(lines), count)).transpose()?;
    let columns = amounts::Rows {
        places: &contiguous(&rows.places),
        stakes: &stakes,
        paid: &paid,
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
    let octaves: [Named<Octave>; 8] = [
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
    let right: [Named<Right>; 3] =
        [("bets", |right| right.bets), ("first", |right| right.first), ("last", |right| right.last)];
    dict.set_item("right", columns_of(py, &found.right, &right)?)?;
    let odd: [Named<Odd>; 5] = [
        ("row", |odd| odd.row as i64),
        ("stake", |odd| odd.stake),
        ("paid", |odd| odd.paid),
        ("off", |odd| odd.off),
        ("level", |odd| odd.level),
    ];
    dict.set_item("odd", columns_of(py, &found.odd, &odd)?)?;
    let apart = found.apart.into_iter().map(|row| row as i64).collect();
    dict.set_item("apart", PyArray1::<i64>::from_vec(py, apart))?;
    Ok(dict)
}

/// A column of records.
type Named<T> = (&'static str, fn(&T) -> i64);

/// Records as a mapping of arrays.
fn columns_of<'py, T>(py: Python<'py>, records: &[T], columns: &[Named<T>]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, get) in columns {
        dict.set_item(name, PyArray1::from_iter(py, records.iter().map(get)))?;
    }
    Ok(dict)
}

/// Where the values of keys change: the first and the last row of each key, in the order in which these come, and
/// the rows whose value isn't that of the row before with the same key.
#[pyfunction]
pub fn changes_by_key<'py>(
    py: Python<'py>,
    keys: Fingerprints<'py>,
    values: Fingerprints<'py>,
) -> PyResult<[Bound<'py, PyArray1<i64>>; 3]> {
    let (keys, values) = (contiguous_fingerprints(&keys), contiguous_fingerprints(&values));
    let values = of_rows(values, keys.len())?;
    let found = py.detach(|| Changes::of(&keys, &values));
    Ok([
        PyArray1::from_iter(py, found.ends.iter().map(|ends| ends.0 as i64)),
        PyArray1::from_iter(py, found.ends.iter().map(|ends| ends.1 as i64)),
        PyArray1::from_iter(py, found.rows.iter().map(|row| *row as i64)),
    ])
}

/// Joins the values of each key, a whole number or a fingerprint: the "sum", the "min" or the "max" of whole numbers, the latter of doubles, too.
/// Returns the keys in rising order, and an array for each column.
#[pyfunction]
pub fn reduce_groups<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    columns: Vec<(Bound<'py, PyAny>, String)>,
) -> PyResult<Reduced<'py>> {
    if let Ok(keys) = keys.extract::<Fingerprints<'py>>() {
        // In the order of their bytes, as Python compares them.
        let turn = |fingerprint: Fingerprint| fingerprint.map(|word| u64::from_be_bytes(word.to_ne_bytes()));
        let (keys, joined) =
            reduce(py, contiguous_fingerprints(&keys).iter().copied().map(turn).collect(), &columns)?;
        let words: Vec<_> = keys
            .into_iter()
            .flat_map(|fingerprint| fingerprint.map(|word| u64::from_ne_bytes(word.to_be_bytes())))
            .collect();
        let rows = words.len() / 2;
        return Ok((PyArray1::from_vec(py, words).reshape([rows, 2])?.into_any(), joined));
    }
    let keys = keys.extract::<PyReadonlyArray1<'py, i64>>()?;
    let (keys, joined) = reduce(py, contiguous(&keys).into_owned(), &columns)?;
    Ok((PyArray1::from_vec(py, keys).into_any(), joined))
}

fn reduce<'py, K: Key + Ord + Send + Sync>(
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
                PyArray1::from_vec(py, together.ok_or_else(|| unknown(how))?).into_any()
            }
            (Err(_), how) => {
                let doubles = column.extract::<PyReadonlyArray1<'py, f64>>()?;
                let values = of_rows(contiguous(&doubles), keys.len())?;
                let together = py.detach(|| match how {
                    "min" => Some(groups.join(&values, f64::INFINITY, f64::min)),
                    "max" => Some(groups.join(&values, f64::NEG_INFINITY, f64::max)),
                    _ => None,
                });
                PyArray1::from_vec(py, together.ok_or_else(|| unknown(how))?).into_any()
            }
        });
    }
    Ok((groups.into_keys(), joined))
}

/// How many rows have a time in each hour of the day, and their values together: the hours that come up, and both.
#[pyfunction]
pub fn sum_by_hour<'py>(
    py: Python<'py>,
    times: PyReadonlyArray1<'py, i64>,
    there: PyReadonlyArray1<'py, bool>,
    values: PyReadonlyArray1<'py, i64>,
) -> PyResult<[Bound<'py, PyArray1<i64>>; 3]> {
    let times = contiguous(&times);
    let (there, values) =
        (of_rows(contiguous(&there), times.len())?, of_rows(contiguous(&values), times.len())?);
    let found = py.detach(|| times::sum_by_hour(&times, &there, &values));
    let hours = found.iter().zip(0i64..).filter(|((count, _), _)| *count > 0);
    let all: Vec<_> = hours.map(|(&(count, sum), hour)| [hour, count, sum]).collect();
    Ok([0, 1, 2].map(|column| PyArray1::from_iter(py, all.iter().map(|row| row[column]))))
}

/// Keys, and an array for each column.
type Reduced<'py> = (Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);

fn unknown(how: &str) -> PyErr {
    Error::value("columns", format!("must be joined as a sum of whole numbers, min or max, got {how:?}"))
        .into()
}

fn of_rows<T: Clone>(values: Cow<'_, [T]>, rows: usize) -> PyResult<Cow<'_, [T]>> {
    if values.len() == rows {
        return Ok(values);
    }
    Err(Error::value("columns", format!("must have {rows} rows, got {}", values.len())).into())
}

/// The seeds of a log's rows, and what was published of them.
#[derive(FromPyObject)]
pub struct Seeds<'py> {
    client_seed: Bound<'py, PyAny>,
    server_seed: Bound<'py, PyAny>,
    commitment: Bound<'py, PyAny>,
    rows: usize,
}

/// Tells of some rows which seed is made of the other: 1 where the client seed is the server seed, or is in it or in
/// one of its hashes or in its commitment, or has the seed in it; 2 where the server seed is in one of the client
/// seed's hashes; else 0. Seeds of fewer than ten characters aren't told to be made of another. `keys` are the
/// fingerprints of all three in these rows, of the client seeds first.
#[pyfunction]
pub fn derived_seeds<'py>(
    py: Python<'py>,
    seeds: Seeds<'py>,
    keys: Vec<Fingerprints<'py>>,
    some: PyReadonlyArray1<'py, i64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let rows = seeds.rows;
    let clients = HeldColumn::new("client_seed", &seeds.client_seed, rows)?;
    let servers = HeldColumn::new("server_seed", &seeds.server_seed, rows)?;
    let commitments = HeldColumn::new("commitment", &seeds.commitment, rows)?;
    let some: Vec<usize> = some.as_array().iter().map(|&row| row as usize).collect();
    let keys = fields_of(&keys, some.len())?;
    if let Some(row) = some.iter().find(|row| **row >= rows) {
        return Err(Error::value("some", format!("must be rows of {rows}, got {row}")).into());
    }
    let seeds = derived::Seeds {
        clients: clients.column(),
        servers: servers.column(),
        commitments: commitments.column(),
    };
    let found = py.detach(|| derived::derived_seeds(&seeds, &some, &keys, threads));
    let numbers = found?.into_iter().map(|derived| match derived {
        derived::Derived::Neither => 0,
        derived::Derived::Client => 1,
        derived::Derived::Server => 2,
    });
    Ok(PyArray1::from_iter(py, numbers))
}

/// Secrets, by their places, that are usual hashes or the beginnings of such: the name of the hash, and the secret that
/// it is of, none where it is of a counter.
#[pyfunction]
pub fn hashed_secrets(py: Python<'_>, secrets: Vec<Vec<u8>>) -> Vec<(usize, &'static str, Option<usize>)> {
    let secrets: Vec<_> = secrets.iter().map(Vec::as_slice).collect();
    let found = py.detach(|| derived::hashed_secrets(&secrets));
    found.into_iter().map(|one| (one.secret, one.hash, one.of)).collect()
}
