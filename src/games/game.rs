//! Games: parameters, the form of outcomes, and one pure function from draws to an outcome, [`Game::outcome`].
//!
//! The games are in [`super::catalog`], the views of their function in [`super::views`]; neither knows of the other.

use std::any::Any;

use super::draw::Draws;
use crate::error::{Error, Result, check_range};

/// A whole-number parameter of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// The default value.
    pub default: i64,
    /// The smallest allowed value.
    pub least: i64,
    /// The largest allowed value.
    pub most: i64,
    /// Whether it may differ from round to round: it doesn't change the outcome's shape.
    pub per_round: bool,
}

impl Parameter {
    /// Checks a value of this parameter.
    pub fn check(&self, value: i64) -> Result<i64> {
        check_range(self.name, value, self.least, self.most)
    }
}

/// The form of outcomes: cells in a shape, each a whole number or a number of hundredths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// `[]` for a single value.
    pub shape: Vec<usize>,
    /// 0: cells are integers; 2: cells are hundredths, shown as doubles.
    pub decimals: u32,
    /// The smallest possible cell.
    pub least: i64,
    /// The largest possible cell.
    pub most: i64,
    /// Whether few of the values between `least` and `most` can occur.
    pub sparse: bool,
    /// The axis along which counts are kept apart; the others are pooled.
    pub counted_by: Option<usize>,
}

impl Form {
    /// A single integer from `least` to `most`.
    pub fn integer(least: i64, most: i64) -> Self {
        Self { shape: Vec::new(), decimals: 0, least, most, sparse: false, counted_by: None }
    }

    /// A single number with two decimals, given in hundredths.
    pub fn hundredths(least: i64, most: i64) -> Self {
        Self { decimals: 2, ..Self::integer(least, most) }
    }

    /// An array of integers from 0 to `most`.
    pub fn array(shape: &[usize], most: i64) -> Self {
        Self { shape: shape.to_vec(), ..Self::integer(0, most) }
    }

    /// This form with counts kept apart along `axis`.
    pub fn counted_by(self, axis: usize) -> Self {
        Self { counted_by: Some(axis), ..self }
    }

    /// This form, marked as one whose values rarely can occur.
    pub fn sparse(self) -> Self {
        Self { sparse: true, ..self }
    }

    /// The number of cells of an outcome.
    pub fn cells(&self) -> usize {
        self.shape.iter().product()
    }

    /// The divisor from a cell to its value.
    pub fn unit(&self) -> f64 {
        10f64.powi(self.decimals as i32)
    }
}

/// A game: its name, its parameters, and the function from draws to an outcome.
pub trait Game: Send + Sync + Sized + 'static {
    /// The name in the catalog.
    const NAME: &'static str;
    /// The parameters, in the order of [`Game::new`].
    const PARAMETERS: &'static [Parameter] = &[];
    /// Multi-player games: the Bitcoin blocks whose hashes are the constant server and client seed.
    const BLOCKS: Option<(u32, u32)> = None;

    /// The game of these parameters, which were checked and stand in the order of `PARAMETERS`.
    fn new(parameters: &[i64]) -> Self;

    /// The form of its outcomes.
    fn form(&self) -> Form;

    /// Writes the outcome of one round into `cells`.
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]);
}

/// The parameters of a [`Game`], which are the fields of its struct, and `new`: for each the default and the allowed
/// values, and `per_round` if it may differ from round to round.
macro_rules! parameters {
    ($($name:ident = $default:literal in $least:literal..=$most:expr $(, $per_round:ident)?);*) => {
        const PARAMETERS: &'static [$crate::games::game::Parameter] = &[$($crate::games::game::Parameter {
            name: stringify!($name),
            default: $default,
            least: $least,
            most: $most,
            per_round: !stringify!($($per_round)?).is_empty(),
        }),*];

        fn new(parameters: &[i64]) -> Self {
            let &[$($name),*] = parameters else { unreachable!("parameters were checked") };
            Self { $($name: $name as _),* }
        }
    };
}
pub(crate) use parameters;

/// A game of any type: what the catalog returns and views take. Every [`Game`] is one.
pub trait AnyGame: Any + Send + Sync {
    /// The form of the game's outcomes.
    fn form(&self) -> Form;

    /// The outcome of one round from any source of draws.
    fn answer(&self, draws: &mut dyn Draws, cells: &mut [i64]);
}

impl<G: Game> AnyGame for G {
    fn form(&self) -> Form {
        Game::form(self)
    }

    fn answer(&self, draws: &mut dyn Draws, cells: &mut [i64]) {
        self.outcome(draws, cells);
    }
}

/// A line of the catalog.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The game's name.
    pub name: &'static str,
    /// The game's parameters.
    pub parameters: &'static [Parameter],
    /// The game's [`Game::BLOCKS`].
    pub blocks: Option<(u32, u32)>,
    make: fn(&[i64]) -> Box<dyn AnyGame>,
}

/// The catalog's line of a game.
pub const fn entry<G: Game>() -> Entry {
    Entry {
        name: G::NAME,
        parameters: G::PARAMETERS,
        blocks: G::BLOCKS,
        make: |parameters| Box::new(G::new(parameters)),
    }
}

impl Entry {
    /// The game with these parameters, given in the catalog's order.
    pub fn make(&self, values: &[i64]) -> Result<Box<dyn AnyGame>> {
        if values.len() != self.parameters.len() {
            return Err(Error::type_(
                "parameters",
                format_args!("must be {} of {}, got {}", self.parameters.len(), self.name, values.len()),
            ));
        }
        for (parameter, &value) in self.parameters.iter().zip(values) {
            parameter.check(value)?;
        }
        Ok((self.make)(values))
    }
}
