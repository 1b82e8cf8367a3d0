//! Cells of logs, as an audit reads them.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::columns::HeldColumn;
use super::progress::Progress;
use crate::logs::lists::{Item, Items};
use crate::logs::{prints, times};

/// Fingerprints of cells, 128 bits each: 0 where there is nothing; the same text has the same one in every
/// storage. Of text in hexadecimal neither case nor spaces around it count.
#[pyfunction]
#[pyo3(signature = (name, column, rows, *, hexadecimal=false, threads=None))]
pub fn column_prints<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
    hexadecimal: bool,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let held = HeldColumn::new(name, column, rows)?;
    let found = {
        let column = held.column();
        py.detach(|| prints::prints(&column, rows, hexadecimal, threads))
    };
    let found = Progress::new(None).finish(found)?;
    PyArray1::from_vec(py, found.into_flattened()).reshape([rows, 2])
}

/// Texts as what stands before the digits at their end, by its fingerprint, and the number that these are.
#[pyfunction]
pub fn column_numbered<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
) -> PyResult<(Bound<'py, PyArray2<u64>>, Bound<'py, PyArray1<i64>>)> {
    let held = HeldColumn::new(name, column, rows)?;
    let (before, numbers) = prints::numbered(&held.column(), rows);
    let before = PyArray1::from_vec(py, before.into_flattened()).reshape([rows, 2])?;
    Ok((before, PyArray1::from_vec(py, numbers)))
}

/// Cells as doubles: NaN where there is no number.
#[pyfunction]
pub fn column_doubles<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let held = HeldColumn::new(name, column, rows)?;
    let (column, mut items) = (held.column(), Items::default());
    let read = |row| column.read(row, &mut items).number().map_or(f64::NAN, |number| number.as_double());
    Ok(PyArray1::from_iter(py, (0..rows).map(read)))
}

/// Cells as whole numbers, and whether each is one.
#[pyfunction]
pub fn column_wholes<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<bool>>)> {
    let held = HeldColumn::new(name, column, rows)?;
    let (column, mut items) = (held.column(), Items::default());
    let read = |row| {
        let whole = column.read(row, &mut items).number().and_then(|number| number.as_whole());
        let whole = whole.and_then(|whole| i64::try_from(whole).ok());
        (whole.unwrap_or(0), whole.is_some())
    };
    let (wholes, there): (Vec<_>, Vec<_>) = (0..rows).map(read).unzip();
    Ok((PyArray1::from_vec(py, wholes), PyArray1::from_vec(py, there)))
}

/// Cells as times, in microseconds since 1970, and whether each is one.
#[pyfunction]
pub fn column_times<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<bool>>)> {
    let held = HeldColumn::new(name, column, rows)?;
    let (found, there) = times::times(&held.column(), rows);
    Ok((PyArray1::from_vec(py, found), PyArray1::from_vec(py, there)))
}

/// Logged outcomes of `width` values each, as doubles: NaN in rows that don't have as many numbers.
#[pyfunction]
pub fn column_outcomes<'py>(
    py: Python<'py>,
    name: &str,
    column: &Bound<'py, PyAny>,
    rows: usize,
    width: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let held = HeldColumn::new(name, column, rows)?;
    let (column, mut items) = (held.column(), Items::default());
    let mut found = vec![f64::NAN; rows * width];
    for (row, values) in found.chunks_exact_mut(width.max(1)).enumerate() {
        let cell = column.read(row, &mut items);
        if let (1, Some(number)) = (width, cell.number()) {
            values[0] = number.as_double();
        } else if cell.is_list(&mut items) && items.list.len() == width {
            for (value, item) in values.iter_mut().zip(&items.list) {
                *value = if let Item::Number(number) = item { number.as_double() } else { f64::NAN };
            }
        }
    }
    Ok(PyArray1::from_vec(py, found))
}
