//! The one error type of the core.
//!
//! What an error is about is data: an argument, and the element of it, if it is about one. Its sentence is made
//! last: `mines must be from 1 to 24, got 25`, `salt[7] must be text, got None`.

use std::fmt;
use std::sync::Arc;

/// What sort of mistake it was; the Python layer chooses the exception class by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value outside what is allowed.
    Value,
    /// A value of a type that is not taken here.
    Type,
    /// More memory than the machine can give.
    Memory,
    /// The caller asked for the work to stop.
    Interrupted,
    /// Something of the caller's, which the work asked, failed.
    Foreign,
}

/// Why a call could not be carried out.
#[derive(Clone, Debug)]
pub struct Error {
    kind: Kind,
    /// What the argument belongs to, such as `Scheme`; empty if it is the call's own.
    owner: &'static str,
    argument: String,
    /// Which element of the argument: one number for each dimension.
    index: Vec<usize>,
    problem: String,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.to_string() == other.to_string()
    }
}

/// The core's results.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn new(kind: Kind, argument: String, problem: String) -> Self {
        Self { kind, owner: "", argument, index: Vec::new(), problem, source: None }
    }

    /// `argument` had a value outside what is allowed: `Error::value("mines", "must be ...")`.
    pub fn value(argument: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self::new(Kind::Value, argument.to_string(), problem.to_string())
    }

    /// `argument` was of a type that is not taken.
    pub fn type_(argument: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self::new(Kind::Type, argument.to_string(), problem.to_string())
    }

    /// The work needs more memory than there is.
    pub fn memory(problem: impl fmt::Display) -> Self {
        Self::new(Kind::Memory, String::new(), problem.to_string())
    }

    /// The caller asked for the work to stop.
    pub fn interrupted() -> Self {
        Self::new(Kind::Interrupted, String::new(), "interrupted".to_owned())
    }

    /// What the work asked of the caller failed.
    pub fn foreign(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        let problem = source.to_string();
        Self { source: Some(Arc::new(source)), ..Self::new(Kind::Foreign, String::new(), problem) }
    }

    /// The same about one element of the argument: a row of an array.
    pub fn at(mut self, row: usize) -> Self {
        self.index = vec![row];
        self
    }

    /// The same about an argument of something that is made: `Scheme.bits`.
    pub fn of(mut self, owner: &'static str) -> Self {
        self.owner = owner;
        self
    }

    /// What failed, where it was something of the caller's.
    pub fn cause(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }

    /// The sort of mistake.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What the argument belongs to, such as `Scheme`; empty if it is the call's own.
    pub fn owner(&self) -> &'static str {
        self.owner
    }

    /// The argument's name; empty if the error is about none.
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// Which element of the argument the error is about; empty if about all of it.
    pub fn index(&self) -> &[usize] {
        &self.index
    }

    /// What was wrong and what is allowed, as it follows the argument's name.
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
        if !self.index.is_empty() {
            let index: Vec<String> = self.index.iter().map(usize::to_string).collect();
            write!(f, "[{}]", index.join(", "))?;
        }
        if !self.argument.is_empty() {
            f.write_str(" ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Error {}

/// Checks that an integer argument lies in `least..=most`.
pub fn check_range(argument: &str, value: i64, least: i64, most: i64) -> Result<i64> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(Error::value(argument, format_args!("must be from {least} to {most}, got {value}")))
    }
}
