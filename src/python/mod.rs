//! The extension module, and with it all use of pyo3: arguments in, arrays and exceptions out.

mod classes;
mod convert;

use pyo3::exceptions::{PyImportError, PyKeyboardInterrupt, PyMemoryError, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{Error, ErrorKind};

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error.kind() {
            ErrorKind::Value => argument_error("BadValue", &error),
            ErrorKind::Type => argument_error("BadType", &error),
            ErrorKind::Memory => PyMemoryError::new_err(message),
            ErrorKind::Interrupted => PyKeyboardInterrupt::new_err(message),
            ErrorKind::Foreign => match error.cause().and_then(|cause| cause.downcast_ref::<PyErr>()) {
                Some(raised) => Python::attach(|py| raised.clone_ref(py)),
                None => PyRuntimeError::new_err(message),
            },
        }
    }
}

/// Creates an exception of `provably_fair.errors` that carries the error's data.
fn argument_error(class: &str, error: &Error) -> PyErr {
    Python::attach(|py| {
        let exception = || {
            let options = PyDict::new(py);
            if let Some(row) = error.row() {
                options.set_item("index", row)?;
            }
            if !error.owner().is_empty() {
                options.set_item("place", format!("{}.", error.owner()))?;
            }
            let classes = py.import(intern!(py, "provably_fair._core.errors"))?;
            classes.getattr(class)?.call((error.argument(), error.problem()), Some(&options))
        };
        exception().map_or_else(|failed| failed, PyErr::from_value)
    })
}

/// Refuses subinterpreters: types and cached modules of pyo3 are static, and belong to one interpreter. Python itself
/// refuses those with a lock of their own alone.
#[allow(unsafe_code)]
fn only_in_the_main_interpreter() -> PyResult<()> {
    // SAFETY: a module is initialized by an attached thread, which is all that both functions require.
    match unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) } {
        0 => Ok(()),
        _ => Err(PyImportError::new_err(
            "provably_fair can't be used in a subinterpreter: use threads, in which the engine works in parallel, or \
             processes",
        )),
    }
}

/// The compiled half of `provably_fair`.
///
/// A Python without the interpreter's lock takes it again for this module: that calls are right without it, the caches
/// in Python and arrays that another thread writes among them, was tested on no such Python.
#[pymodule(gil_used = true)]
mod _engine {
    #[pymodule_export]
    use super::classes::audit::{
        amount_levels, changes_by_key, column_doubles, column_fingerprints, column_times, column_wholes,
        compare_amounts, count_amounts, count_numbers, derived_seeds, hashed_secrets, is_folded,
        joined_fingerprints, reduce_groups, row_sets, run_starts, sum_by_hour,
    };
    #[pymodule_export]
    use super::classes::beacons::{BlsKey, bls_sign};
    #[pymodule_export]
    use super::classes::beta::beta_fraction;
    #[pymodule_export]
    use super::classes::blackjack::{
        Blackjack, BlackjackAnalysis, BlackjackCards, BlackjackDecision, FirstTwo, SettledHand, SettledRound,
        check_chart_cell,
    };
    #[pymodule_export]
    use super::classes::cards::{card_name, parse_card};
    #[pymodule_export]
    use super::classes::games::{CatalogEntry, Game, Parameter, catalog, salts};
    #[pymodule_export]
    use super::classes::kept::{Listings, Pairs, Replays, Runs, Sample};
    #[pymodule_export]
    use super::classes::locating::{align_chain, explore_chain, search_chain};
    #[pymodule_export]
    use super::classes::lookup::places_among;
    #[pymodule_export]
    use super::classes::schemes::{
        DrawnWord, Fields, GameNumbers, Hash, HashedRound, Program, Scheme, Streams, chain_links, paths,
        to_precision,
    };
    #[pymodule_export]
    use super::classes::verify::{
        CsvRows, Verdicts, fpclub_read_dice, read_actions, read_csv, read_holds, scan_text, verify_dice,
        verify_rounds,
    };
    #[pymodule_export]
    use super::classes::video_poker::{PokerPaytable, canonical_deals};

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        super::only_in_the_main_interpreter()?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("BITCOIN", crate::schemes::BITCOIN)?;
        module.add("BLOCK_HASHES", <(&str, &str)>::from(crate::schemes::BLOCK_HASHES))?;
        module.add("AMOUNT_DECIMALS", crate::logs::amounts::DECIMALS)?;
        module.add("MOST_PLAYED", crate::logs::amounts::MOST_PLAYED)?;
        module.add("SLOT_STOPS", crate::games::catalog::SLOT_STOPS)?;
        module.add("TIME_FORMATS", crate::logs::times::FORMATS.to_vec())
    }
}
