//! The one error type of the core.
//!
//! A message starts with the name of the argument it is about, says what was wrong and what is
//! allowed: `mines must be from 1 to 24, got 25`, `salt[7] must be text, got None`.

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
    message: String,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.message) == (other.kind, &other.message)
    }
}

/// The core's results.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// `argument` had a value outside what is allowed: `Error::value("mines", "must be ...")`.
    pub fn value(argument: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self { kind: Kind::Value, message: format!("{argument} {message}"), source: None }
    }

    /// `argument` was of a type that is not taken.
    pub fn type_(argument: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self { kind: Kind::Type, message: format!("{argument} {message}"), source: None }
    }

    /// The work needs more memory than there is.
    pub fn memory(message: impl fmt::Display) -> Self {
        Self { kind: Kind::Memory, message: message.to_string(), source: None }
    }

    /// The caller asked for the work to stop.
    pub fn interrupted() -> Self {
        Self { kind: Kind::Interrupted, message: "interrupted".to_owned(), source: None }
    }

    /// What the work asked of the caller failed.
    pub fn foreign(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self { kind: Kind::Foreign, message: source.to_string(), source: Some(Arc::new(source)) }
    }

    /// What failed, where it was something of the caller's.
    pub fn cause(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }

    /// The sort of mistake.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
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
