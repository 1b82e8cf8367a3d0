//! The salted-round scheme and its games.

use numpy::{PyArray1, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use super::schemes::{Fields, Scheme, path_named};
use crate::error::{Error, Result};
use crate::games::catalog::{self as games, CATALOG};
use crate::games::draw::{Draws, fisher_yates};
use crate::games::game::{AnyGame, Entry, Form};
use crate::games::views::{self, Ideal, Subject, Weigh};
use crate::python::convert::arrays::{Array, fill_array, new_array, with_type_of};
use crate::python::convert::objects::objects;
use crate::python::convert::progress::reported;
use crate::python::convert::strings::TextArgument;
use crate::schemes::salted::generator;
use crate::schemes::salted::seeds::Stream;
use crate::schemes::{self, AsDrawn, Bins, Rounds, Source, Varying};

/// Rounds computed at a time if the array can't be written to directly.
const ROUNDS_COPIED_AT_A_TIME: usize = 1 << 16;

/// A parameter of a game.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct Parameter {
    /// Its name in the game's class.
    name: &'static str,
    /// The default value.
    default: i64,
    /// The minimum value.
    least: i64,
    /// The maximum value.
    most: i64,
    /// Whether it may vary by round.
    per_round: bool,
}

/// An entry of the catalog.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct CatalogEntry {
    /// The game's name.
    name: &'static str,
    /// Its parameters, in the order of `Game`'s arguments.
    parameters: Py<PyTuple>,
    /// The numbers of the Bitcoin blocks whose hashes are the constant server and client seed.
    blocks: Option<(u32, u32)>,
}

/// The catalog of games.
#[pyfunction]
pub fn catalog(py: Python<'_>) -> PyResult<Vec<CatalogEntry>> {
    let line = |entry: &Entry| {
        let parameters = entry.parameters.iter().map(|parameter| Parameter {
            name: parameter.name,
            default: parameter.default,
            least: parameter.least,
            most: parameter.most,
            per_round: parameter.per_round,
        });
        Ok(CatalogEntry { name: entry.name, parameters: objects(py, parameters)?, blocks: entry.blocks })
    };
    CATALOG.iter().map(line).collect()
}

/// A game of the catalog with its parameters.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Game {
    pub(super) entry: &'static Entry,
    pub(super) parameters: Vec<i64>,
    game: Box<dyn AnyGame>,
    pub(super) form: Form,
}

/// The destination of outcomes: a given array, or the dtype of a new one.
#[derive(FromPyObject)]
enum Target<'py> {
    Array(Bound<'py, PyUntypedArray>),
    Dtype(Bound<'py, PyAny>),
}

/// Execution options: the number of threads, the progress callback, and the processor path.
#[derive(FromPyObject)]
struct ExecutionOptions(Option<usize>, Option<Py<PyAny>>, Option<String>);

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str, parameters: Vec<i64>) -> PyResult<Self> {
        let entry = games::find(name)?;
        let game = entry.make(&parameters)?;
        Ok(Self { entry, form: game.form(), parameters, game })
    }

    /// The shape of an outcome.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.form.shape)
    }

    /// 0 if outcomes are whole numbers, 2 if they are hundredths.
    #[getter]
    fn decimals(&self) -> u32 {
        self.form.decimals
    }

    /// The minimum and maximum of any cell of an outcome.
    #[getter]
    fn bounds(&self) -> (i64, i64) {
        (self.form.least, self.form.most)
    }

    /// The outcome of one round of single texts, by the reference implementation; `None` if there are arrays.
    fn one<'py>(
        &self,
        py: Python<'py>,
        server_seed: &Bound<'py, PyAny>,
        client_seed: &Bound<'py, PyAny>,
        salt: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let all_single = [server_seed, client_seed, salt]
            .iter()
            .all(|seed| seed.is_instance_of::<PyString>() || seed.is_instance_of::<PyBytes>());
        if !all_single {
            return Ok(None);
        }
        let server = TextArgument::new("server_seed", server_seed)?;
        let client = TextArgument::new("client_seed", client_seed)?;
        let salt = TextArgument::new("salt", salt)?;
        let client = client.texts();
        let mut stream = Stream::new(server.texts().get(0), client.get(0), salt.texts().get(0));
        if self.form.shape.is_empty() {
            let mut cell = [0];
            self.game.answer(&mut stream, &mut cell);
            return Ok(Some(match self.form.decimals {
                0 => cell[0].into_pyobject(py)?.into_any(),
                _ => (cell[0] as f64 / self.form.unit()).into_pyobject(py)?.into_any(),
            }));
        }
        let mut cells = vec![0; self.form.cells()];
        py.detach(|| self.game.answer(&mut stream, &mut cells));
        let flat = PyArray1::from_vec(py, cells);
        if self.form.shape.len() == 1 {
            return Ok(Some(flat.into_any()));
        }
        flat.call_method1(intern!(py, "reshape"), (self.shape(py)?,)).map(Some)
    }

    /// Plays rounds under a scheme into a given array, or a new one of a dtype. `varying` is the index of a
    /// parameter that varies by round, with its values. Single values give one outcome, without an axis for rounds.
    #[pyo3(signature = (scheme, fields, *, varying=None, into=None, effort=ExecutionOptions(None, None, None)))]
    fn fill<'py>(
        &self,
        py: Python<'py>,
        scheme: &Scheme,
        fields: &Fields,
        varying: Option<(usize, PyReadonlyArray1<'py, i64>)>,
        into: Option<Target<'py>>,
        effort: ExecutionOptions,
    ) -> PyResult<Bound<'py, PyUntypedArray>> {
        let values = varying
            .as_ref()
            .map(|(index, values)| Ok::<_, PyErr>((*index, values.as_slice()?)))
            .transpose()?;
        let name = |index: usize| self.entry.parameters[index].name;
        let rounds = fields.rounds_with(values.map(|(index, values)| (name(index), values.len())))?;
        let shape: Vec<_> = rounds.into_iter().chain(self.form.shape.iter().copied()).collect();
        let varying = values
            .map(|(index, values)| Varying::new(self.entry, &self.parameters, index, values))
            .transpose()?;
        let numpy = py.import(intern!(py, "numpy"))?;
        let name = if self.form.decimals == 0 { "int64" } else { "float64" };
        let out = match into.unwrap_or_else(|| Target::Dtype(PyString::new(py, name).into_any())) {
            Target::Array(out) => out,
            Target::Dtype(dtype) => new_array(py, &shape, &dtype)?.cast_into()?,
        };
        if out.shape() != shape {
            return Err(Error::value(
                "out",
                format!(
                    "must have the shape {}, got {}",
                    PyTuple::new(py, &shape)?.repr()?,
                    PyTuple::new(py, out.shape())?.repr()?
                ),
            )
            .into());
        }
        if !out.getattr(intern!(py, "flags"))?.getattr(intern!(py, "writeable"))?.extract::<bool>()? {
            return Err(Error::value("out", "must be writeable, got a read-only array").into());
        }
        let borrowed = fields.borrow(py)?;
        let held = fields.values_of(&borrowed, rounds);
        let source = Source { scheme: &scheme.scheme, fields: &held };
        let ExecutionOptions(threads, progress, path) = effort;
        let outcomes = Rounds::on(path_named(path.as_deref())?, &*self.game, source, varying)?;
        let direct = out.is_c_contiguous()
            && out.dtype().getattr(intern!(py, "isnative"))?.extract::<bool>()?
            && out.getattr(intern!(py, "flags"))?.getattr(intern!(py, "aligned"))?.extract::<bool>()?;
        if direct {
            write(&outcomes, 0, &out, threads, progress)?;
        } else {
            let total = rounds.unwrap_or(1);
            let rows = if rounds.is_some() {
                out.as_any().clone()
            } else {
                out.get_item((py.None(), py.Ellipsis()))?
            };
            let native = out.dtype().call_method1(intern!(py, "newbyteorder"), ("=",))?;
            for first in (0..total).step_by(ROUNDS_COPIED_AT_A_TIME) {
                let now = ROUNDS_COPIED_AT_A_TIME.min(total - first);
                let part = numpy.call_method1(intern!(py, "empty"), (now * outcomes.width(), &native))?;
                let progress = progress.as_ref().map(|progress| progress.clone_ref(py));
                write(&outcomes, first, part.cast()?, threads, progress)?;
                let target =
                    rows.get_item(pyo3::types::PySlice::new(py, first as isize, (first + now) as isize, 1))?;
                let part =
                    part.call_method1(intern!(py, "reshape"), (target.getattr(intern!(py, "shape"))?,))?;
                target.set_item(py.Ellipsis(), part)?;
            }
        }
        Ok(out)
    }

    /// Counts outcomes under a scheme. Returns the values counted, and their counts row by row.
    #[pyo3(signature = (scheme, fields, *, bins=None, threads=None, progress=None))]
    fn tally(
        &self,
        py: Python<'_>,
        scheme: &Scheme,
        fields: &Fields,
        bins: Option<Vec<i64>>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Array<i64>, Array<u64>)> {
        let borrowed = fields.borrow(py)?;
        let held = fields.values(&borrowed);
        let source = Source { scheme: &scheme.scheme, fields: &held };
        let outcomes = Rounds::new(&*self.game, source, None)?;
        let (values, counts) = reported(py, progress, |tick| {
            let bins = match bins {
                None => Bins::of(&*self.game)?,
                Some(edges) => Bins::between(edges)?,
            };
            let counts = schemes::tally(&*self.game, &outcomes, &bins, held.rounds(), threads, tick)?;
            Ok((bins.values(), counts))
        })?;
        Ok((Array(values), Array(counts)))
    }

    /// The exact distribution under a scheme, or the ideal one, of a cell of part `part` of the outcome (if `draw`
    /// is given, the part's draw that alone determines it), or of the number of the part's cells whose value's bit
    /// is set in `among`. Returns the values, and their weights as little-endian integers.
    #[pyo3(signature = (scheme, *, part=0, cell=0, draw=None, among=None))]
    fn law<'py>(
        &self,
        py: Python<'py>,
        scheme: Option<Py<Scheme>>,
        part: usize,
        cell: usize,
        draw: Option<usize>,
        among: Option<u64>,
    ) -> PyResult<(Array<i64>, Vec<Bound<'py, PyBytes>>)> {
        let subject = match (draw, among) {
            (_, Some(values)) => Subject::Among { part, values },
            (Some(draw), _) => Subject::Drawn { part, cell, draw },
            _ => Subject::Cell { part, cell },
        };
        let weigh = weigher(&*self.game, scheme.as_ref())?;
        let law = py.detach(|| views::law(&*self.game, &*weigh, &subject))?;
        let digits = law.weights.iter().map(|weight| PyBytes::new(py, &weight.to_bytes_le()));
        Ok((Array(law.values), digits.collect()))
    }

    /// For a game whose outcome is one number that increases with its draw: the weight of outcomes up to `value`,
    /// and the total weight.
    #[pyo3(signature = (scheme, value))]
    fn up_to(&self, scheme: Option<Py<Scheme>>, value: i64) -> PyResult<(u128, u128)> {
        Ok(views::up_to(&*self.game, &*weigher(&*self.game, scheme.as_ref())?, value)?)
    }

    /// Plays one round whose draws are answered by a Python object, with methods `below`, `skip`, `part` and `note`,
    /// and optionally `shuffle`. Returns the cells of the outcome.
    fn answer(&self, draws: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
        let mut cells = vec![0; self.form.cells()];
        let mut draws = PythonDraws { draws, error: None };
        self.game.answer(&mut draws, &mut cells);
        match draws.error {
            Some(error) => Err(error),
            None => Ok(cells),
        }
    }

    /// For a game whose outcome is one number: the outcome of each draw, and the value before the last step.
    fn steps(&self, py: Python<'_>) -> PyResult<(Array<i64>, Array<f64>)> {
        let (outcomes, noted) = py.detach(|| views::steps(&*self.game))?;
        Ok((Array(outcomes), Array(noted)))
    }
}

/// The weights of draws in a distribution: those of a scheme, or equal ones for the ideal distribution.
fn weigher<'a>(game: &dyn AnyGame, scheme: Option<&'a Py<Scheme>>) -> Result<Box<dyn Weigh + Sync + 'a>> {
    let Some(scheme) = scheme else { return Ok(Box::new(Ideal)) };
    let scheme = &scheme.get().scheme;
    schemes::check(game, scheme)?;
    Ok(Box::new(AsDrawn::new(scheme)?))
}

/// Draws that a Python object answers.
struct PythonDraws<'a, 'py> {
    draws: &'a Bound<'py, PyAny>,
    error: Option<PyErr>,
}

impl<'py> PythonDraws<'_, 'py> {
    /// Calls a method, unless an earlier call raised an error.
    fn call<A: pyo3::call::PyCallArgs<'py>>(&mut self, py: Python<'py>, name: &str, arguments: A) -> u64 {
        if self.error.is_some() {
            return 0;
        }
        // Interned, since Python caches method names and would otherwise keep every copy.
        let answer = self.draws.call_method1(PyString::intern(py, name), arguments);
        match answer.and_then(|answer| if answer.is_none() { Ok(0) } else { answer.extract() }) {
            Ok(answer) => answer,
            Err(error) => {
                self.error = Some(error);
                0
            }
        }
    }
}

impl Draws for PythonDraws<'_, '_> {
    fn below(&mut self, n: u64) -> u64 {
        // An answer out of range is the caller's mistake, but must not make the game index out of bounds.
        self.call(self.draws.py(), "below", (n,)).min(n - 1)
    }

    fn skip(&mut self, count: usize) {
        self.call(self.draws.py(), "skip", (count,));
    }

    /// Uses the object's own `shuffle` if it has one, so that it sees the shuffle as a whole.
    fn shuffle(&mut self, n: usize, taken: &mut [i64]) {
        let own = |shuffle: Bound<'_, PyAny>| shuffle.call1((n, taken.len()))?.extract::<Vec<i64>>();
        let name = intern!(self.draws.py(), "shuffle");
        match self.draws.getattr_opt(name).and_then(|shuffle| shuffle.map(own).transpose()) {
            Ok(None) => fisher_yates(self, n, taken),
            Ok(Some(cells)) => taken.iter_mut().zip(cells).for_each(|(taken, cell)| *taken = cell),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }

    fn part(&mut self, name: &'static str, index: usize, draws: &'static str) {
        self.call(self.draws.py(), "part", (name, index, draws));
    }

    fn note(&mut self, formula: &'static str, value: f64) {
        self.call(self.draws.py(), "note", (formula, value));
    }
}

/// Writes outcomes into a contiguous array of any type that can hold them.
fn write(
    outcomes: &Rounds<'_>,
    first: usize,
    out: &Bound<'_, PyUntypedArray>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    with_type_of!(
        &out.dtype(),
        T of i64 f64 i8 u8 i16 u16 i32 u32 u64 f32 => fill_array::<T>(out, progress, |out, tick| {
            outcomes.fill(first, out, threads, &mut |done| tick(first as u64 + done))
        }),
        else Err(Error::type_("out", "must be an array of integers or floats").into())
    )
}

/// The salts `start`, `start + 1`, ... of the series named `seed`.
#[pyfunction]
#[pyo3(signature = (n, seed, start, threads=None))]
pub fn salts<'py>(
    py: Python<'py>,
    n: usize,
    seed: &str,
    start: u64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let array = new_array(py, &[n], &PyString::new(py, "S64").into_any())?;
    let fields = array.call_method1(intern!(py, "view"), ("u1",))?;
    fill_array::<u8>(&fields, None, |out, tick| {
        generator::salts(seed.as_bytes(), start, out.as_chunks_mut().0, threads, tick)
    })?;
    Ok(array)
}
