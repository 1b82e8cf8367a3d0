//! Positions of values among the outcomes of a distribution.

use numpy::{Element, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::error::Error;
use crate::lookup::{self, Searchable, Steps};
use crate::python::convert::arrays::{Array, contiguous};

/// The steps per unit, the first value in steps, and the position of the value at each step from it on.
type StepTable<'py> = (i64, i64, PyReadonlyArray1<'py, i32>);

/// The position of each value in `sorted`, or -1 if it isn't there. Both hold doubles or both whole numbers.
#[pyfunction]
#[pyo3(signature = (values, sorted, steps=None))]
pub fn places_among(
    values: &Bound<'_, PyAny>,
    sorted: &Bound<'_, PyAny>,
    steps: Option<StepTable<'_>>,
) -> PyResult<Array<i64>> {
    if let (Ok(values), Ok(sorted)) = (values.extract(), sorted.extract()) {
        return Ok(places::<f64>(values, sorted, steps));
    }
    match (values.extract(), sorted.extract()) {
        (Ok(values), Ok(sorted)) => Ok(places::<i64>(values, sorted, steps)),
        _ => Err(Error::value("values", "must be doubles or whole numbers, like sorted").into()),
    }
}

fn places<T: Searchable + Element + Sync>(
    values: PyReadonlyArray1<'_, T>,
    sorted: PyReadonlyArray1<'_, T>,
    steps: Option<StepTable<'_>>,
) -> Array<i64> {
    let py = values.py();
    let table = steps.as_ref().map(|(each, first, places)| (*each, *first, contiguous(places)));
    let (values, sorted) = (contiguous(&values), contiguous(&sorted));
    let steps = table.as_ref().map(|(each, first, places)| Steps { each: *each, first: *first, places });
    Array(py.detach(|| lookup::places(&values, &sorted, steps)))
}
