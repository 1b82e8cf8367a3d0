//! The one error type of the core.
//!
//! An error holds data rather than a sentence: the argument, the row of the offending element, the problem.
//! `Display` composes the sentence: `mines must be from 1 to 24, got 25`, `salt[7] must be text, got None`.

use std::fmt;
use std::sync::Arc;

/// The category of an error, from which the Python layer chooses the exception class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A value outside the allowed range or set.
    Value,
    /// A value of an unsupported type.
    Type,
    /// An allocation larger than the available memory.
    Memory,
    /// An interrupt requested by the caller.
    Interrupted,
    /// A failure in a function that the caller supplied.
    Foreign,
}

/// The reason why a call failed.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    /// The owner of the argument, such as `Scheme`; empty for a plain function argument.
    owner: &'static str,
    argument: String,
    row: Option<usize>,
    problem: String,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.to_string() == other.to_string()
    }
}

/// The result type of the core.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn new(kind: ErrorKind, argument: String, problem: String) -> Self {
        Self { kind, owner: "", argument, row: None, problem, source: None }
    }

    /// Reports an `argument` whose value isn't allowed: `Error::value("mines", "must be ...")`.
    pub fn value(argument: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Value, argument.to_string(), problem.to_string())
    }

    /// Reports an `argument` whose type isn't supported.
    pub fn type_(argument: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Type, argument.to_string(), problem.to_string())
    }

    /// Reports an allocation that the machine can't provide.
    pub fn memory(problem: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Memory, String::new(), problem.to_string())
    }

    /// Reports that the caller interrupted the work.
    pub fn interrupted() -> Self {
        Self::new(ErrorKind::Interrupted, String::new(), "interrupted".to_owned())
    }

    /// Wraps an error raised by a function of the caller's.
    pub fn foreign(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        let problem = source.to_string();
        Self { source: Some(Arc::new(source)), ..Self::new(ErrorKind::Foreign, String::new(), problem) }
    }

    /// Names the element of the argument at fault: a row of an array.
    pub fn at(mut self, row: usize) -> Self {
        self.row = Some(row);
        self
    }

    /// Names the owner of the argument, as in `Scheme.bits`.
    pub fn of(mut self, owner: &'static str) -> Self {
        self.owner = owner;
        self
    }

    /// The wrapped error, for [`ErrorKind::Foreign`].
    pub fn cause(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }

    /// The category of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The owner of the argument, such as `Scheme`; empty for a plain function argument.
    pub fn owner(&self) -> &'static str {
        self.owner
    }

    /// The argument's name; empty if the error concerns no argument.
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// The row of the offending element; `None` if the error concerns the whole argument.
    pub fn row(&self) -> Option<usize> {
        self.row
    }

    /// The problem and the allowed values, phrased to follow the argument's name.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.owner.is_empty() {
            write!(f, "{}.", self.owner)?;
        }
        f.write_str(&self.argument)?;
        if let Some(row) = self.row {
            write!(f, "[{row}]")?;
        }
        if !self.argument.is_empty() {
            f.write_str(" ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Error {}

/// [`Error::value`] with a problem that is written as in `format!`.
macro_rules! value_error {
    ($argument:expr, $($problem:tt)+) => {
        $crate::error::Error::value($argument, format_args!($($problem)+))
    };
}

pub(crate) use value_error;

/// Checks that an integer argument lies in `least..=most`.
pub fn check_range(argument: &str, value: i64, least: i64, most: i64) -> Result<i64> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(value_error!(argument, "must be from {least} to {most}, got {value}"))
    }
}
