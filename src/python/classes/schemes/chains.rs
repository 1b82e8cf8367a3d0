//! Game numbers on hash chains.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Mutex;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use super::hash::Hash;
use crate::error::Error;
use crate::games::rounding::to_precision as to_precision_of;
use crate::parallel::lock;
use crate::python::convert::arrays::Array;
use crate::python::convert::columns::HeldColumn;
use crate::python::convert::progress::reported;
use crate::schemes::{self, Chain, HexHash, Reached};

/// Game numbers of rows, from their hashes and the hashes at the ends of their chains.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct GameNumbers {
    chains: Mutex<Chains>,
    hash: schemes::Hash,
    limit: u64,
}

#[derive(Default)]
struct Chains {
    by_end: HashMap<HexHash, schemes::GameNumbers>,
    /// The number of steps left for all chains together.
    budget: u64,
}

/// The maximum number of chains kept from one batch to the next.
const MOST_ENDS: usize = 64;

#[pymethods]
impl GameNumbers {
    #[new]
    fn new(hash: &Hash, limit: u64, budget: u64) -> PyResult<Self> {
        if Chain::new(&hash.named.hash).width() != 64 {
            return Err(Error::value("hash", "must be one of 32 bytes").into());
        }
        let chains = Mutex::new(Chains { budget, ..Chains::default() });
        Ok(Self { chains, hash: hash.named.hash.clone(), limit })
    }

    /// For each row, its game number: 0 if it isn't on the chain, -1 if the end isn't within the limit, -2 if the
    /// budget ran out first. Also the index of its chain's end among the distinct ends, or -1 if it has no hash, and
    /// these ends. A row with a number in `said` is on the chain only if it is exactly that many steps away.
    #[pyo3(signature = (hashes, ends, said, rows, *, progress=None))]
    fn of(
        &self,
        py: Python<'_>,
        hashes: &Bound<'_, PyAny>,
        ends: &Bound<'_, PyAny>,
        said: PyReadonlyArray1<'_, i64>,
        rows: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Array<i64>, Array<i64>, Vec<String>)> {
        let (hashes, ends) =
            (HeldColumn::new("game_hash", hashes, rows)?, HeldColumn::new("terminating", ends, rows)?);
        let (hashes, ends, said) = (hashes.column(), ends.column(), said.as_slice()?);
        if said.len() != rows {
            return Err(Error::value("said", "must have one number per row").into());
        }
        reported(py, progress, |tick| {
            let mut chains = lock(&self.chains);
            let (mut numbers, mut which) = (vec![0; rows], vec![-1; rows]);
            let mut by_end: Vec<(HexHash, Vec<usize>)> = Vec::new();
            let mut places = HashMap::new();
            let hashes = hashes.hashes(rows);
            for (row, end) in ends.hashes(rows).into_iter().enumerate() {
                let Some(end) = end else { continue };
                let place = *places.entry(end).or_insert_with(|| {
                    by_end.push((end, Vec::new()));
                    by_end.len() - 1
                });
                which[row] = place as i64;
                by_end[place].1.push(row);
            }
            let Chains { by_end: chains, budget } = &mut *chains;
            // Chains with the most rows come first, so that foreign hashes don't use up the budget.
            let mut order: Vec<_> = by_end.iter().collect();
            order.sort_by_key(|(_, rows)| Reverse(rows.len()));
            for (end, rows) in order {
                if chains.len() >= MOST_ENDS {
                    chains.retain(|known, chain| known == end || chain.has_games());
                }
                if chains.len() >= MOST_ENDS {
                    chains.retain(|known, _| known == end);
                }
                let chain = chains
                    .entry(*end)
                    .or_insert_with(|| schemes::GameNumbers::new(self.hash.clone(), *end, self.limit));
                let some: Vec<_> = rows.iter().copied().filter(|&row| hashes[row].is_some()).collect();
                let asked = some.iter().filter_map(|&row| Some((hashes[row]?, said[row].max(0) as u64)));
                let found = chain.of(&asked.collect::<Vec<_>>(), budget, tick)?;
                for (row, reached) in some.into_iter().zip(found) {
                    numbers[row] = match reached {
                        Reached::In(steps) => steps as i64,
                        Reached::Elsewhere => 0,
                        Reached::NotWithin => -1,
                        Reached::NotWalked => -2,
                    };
                }
            }
            let ends = by_end.into_iter().map(|(end, _)| String::from_utf8_lossy(&end).into_owned());
            Ok((Array(numbers), Array(which), ends.collect()))
        })
    }
}

/// `Number(number.toPrecision(digits))` of JavaScript, for numbers in `[0, 1)`.
#[pyfunction]
pub fn to_precision(numbers: PyReadonlyArray1<'_, f64>, digits: u32) -> PyResult<Array<f64>> {
    let digits = digits.clamp(1, 15);
    Ok(numbers.as_slice()?.iter().map(|&number| to_precision_of(number, digits)).collect())
}

/// The relation of each row's game on a chain of hashes to that of the row before (`before` for the first row): 0 the
/// same, 1 the next, -1 the previous, 2 none of these.
#[pyfunction]
pub fn chain_links(
    hash: &Hash,
    before: &str,
    hashes: &Bound<'_, PyAny>,
    rows: usize,
) -> PyResult<Array<i64>> {
    let held = HeldColumn::new("game_hash", hashes, rows)?;
    let (column, chain) = (held.column(), Chain::new(&hash.named.hash));
    let links = || schemes::links(&chain, before.as_bytes().try_into().ok(), &column.hashes(rows));
    Ok(Array(hashes.py().detach(links)))
}
