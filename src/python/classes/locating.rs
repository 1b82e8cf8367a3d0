//! Series of outcomes on chains of games.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::error::Error;
use crate::locating::{self, EntryRange, Holes, Record};
use crate::python::convert::arrays::Array;
use crate::python::convert::progress::reported;

type Symbols<'py> = PyReadonlyArray1<'py, i32>;
type Ratios<'py> = PyReadonlyArray1<'py, f64>;

/// A chain, rows of a record, and the likelihood ratio of each symbol.
#[derive(FromPyObject)]
pub struct RecordArgument<'py>(Symbols<'py>, Symbols<'py>, Ratios<'py>);

impl RecordArgument<'_> {
    fn slices(&self) -> PyResult<(&[i32], &[i32], &[f64])> {
        let (chain, rows, ratios) = (self.0.as_slice()?, self.1.as_slice()?, self.2.as_slice()?);
        check(rows, ratios)?;
        Ok((chain, rows, ratios))
    }
}

/// The best hits of each window of rows from place `start` on: likelihood ratio, row and place.
#[pyfunction]
#[pyo3(signature = (chain, start, windows, ratios, kept, *, threads=None))]
pub fn search_chain(
    py: Python<'_>,
    chain: Symbols<'_>,
    start: usize,
    windows: Vec<Symbols<'_>>,
    ratios: Ratios<'_>,
    kept: usize,
    threads: Option<usize>,
) -> PyResult<Vec<Vec<(f64, usize, usize)>>> {
    let (chain, ratios) = (chain.as_slice()?, ratios.as_slice()?);
    let windows = windows.iter().map(|rows| rows.as_slice()).collect::<Result<Vec<_>, _>>()?;
    for rows in &windows {
        check(rows, ratios)?;
    }
    let start = start.min(chain.len());
    let found =
        reported(py, None, |tick| locating::search(chain, start, &windows, ratios, kept, threads, tick))?;
    let plain = |hit: &locating::Hit| (f64::from(hit.ratio), hit.row, hit.place);
    Ok(found.iter().map(|hits| hits.iter().map(plain).collect()).collect())
}

/// Follows a series from a row at a place, with holes of a probability and a mean length, or back if `reversed`: the
/// row and place at which the likelihood ratio is largest, and its logarithm.
#[pyfunction]
#[pyo3(signature = (record, row, place, holes, *, reversed=false, most=None))]
pub fn explore_chain(
    py: Python<'_>,
    record: RecordArgument<'_>,
    row: usize,
    place: usize,
    holes: (f64, f64),
    reversed: bool,
    most: Option<usize>,
) -> PyResult<(usize, usize, f64)> {
    let (chain, rows, ratios) = record.slices()?;
    if row >= rows.len() || place >= chain.len() {
        return Err(Error::value("row", "must be one of rows, at a place of the chain").into());
    }
    let holes = Holes::new(holes.0, holes.1);
    let most = most.unwrap_or(rows.len());
    Ok(py.detach(|| {
        if reversed {
            let record = Record { rows: &rows[..=row], chain: &chain[..=place], ratios, reversed };
            let (back, up, log) = locating::explore(record, 0, 0, most, holes);
            (row - back, place - up, log)
        } else {
            locating::explore(Record { rows, chain, ratios, reversed }, row, place, most, holes)
        }
    }))
}

type AlignedArrays = (f64, Array<i64>, Array<i64>, Array<f64>, Array<f64>, Array<f64>);

/// The logarithm of the likelihood ratio of a record, averaged over models of holes (weight, probability, mean length)
/// and `anywhere` places to begin at; rows, places and their probabilities; for each row the probability that it and
/// the next are swapped, and that it is on the chain. `entries` are the ranges of rows and of places, with exclusive
/// ends, in which the record may enter the chain.
#[pyfunction]
#[pyo3(signature = (record, holes, entries, anywhere, *, threads=None))]
pub fn align_chain(
    py: Python<'_>,
    record: RecordArgument<'_>,
    holes: Vec<(f64, f64, f64)>,
    entries: Vec<((usize, usize), (usize, usize))>,
    anywhere: f64,
    threads: Option<usize>,
) -> PyResult<AlignedArrays> {
    let (chain, rows, ratios) = record.slices()?;
    let holes: Vec<_> =
        holes.into_iter().map(|(weight, share, mean)| (weight, Holes::new(share, mean))).collect();
    let entries: Vec<_> = entries.into_iter().map(|(rows, places)| EntryRange { rows, places }).collect();
    let record = Record { rows, chain, ratios, reversed: false };
    let found =
        reported(py, None, |tick| locating::align(record, &holes, &entries, anywhere, threads, tick))?;
    let rows = Array::of_indices(found.places.iter().map(|one| one.0));
    let places = Array::of_indices(found.places.iter().map(|one| one.1));
    let chances = found.places.iter().map(|one| one.2).collect();
    Ok((found.log, rows, places, chances, Array(found.swapped), Array(found.on)))
}

/// Rejects rows with a symbol that has no ratio.
fn check(rows: &[i32], ratios: &[f64]) -> PyResult<()> {
    let known = rows.iter().all(|&symbol| symbol < 0 || (symbol as usize) < ratios.len());
    if known { Ok(()) } else { Err(Error::value("rows", "must be symbols that have a ratio").into()) }
}
