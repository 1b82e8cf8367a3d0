//! Python's rules for text.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::Error;
use crate::python::convert::strings::type_name;
use crate::schemes::Language;

/// The language of definitions: Python.
pub struct InPython<'py>(pub Python<'py>);

impl Language for InPython<'_> {
    fn is_name(&self, text: &str) -> bool {
        let answer = PyString::new(self.0, text).call_method0("isidentifier");
        answer.and_then(|answer| answer.extract()).unwrap_or(false)
    }

    fn quoted(&self, text: &str) -> String {
        shown(PyString::new(self.0, text).as_any())
    }
}

/// The error for a value of a type that isn't allowed.
pub fn wrong_type(name: &str, allowed: &str, value: &Bound<'_, PyAny>) -> PyErr {
    Error::type_(name, format!("must be {allowed}, got {}", type_name(value))).into()
}

/// A plain string with the value's text, even for a subclass of str; lone surrogates become question marks.
pub fn text_of(name: &str, allowed: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if !value.is_instance_of::<PyString>() {
        return Err(wrong_type(name, allowed, value));
    }
    value.str()?.call_method1("encode", ("utf-8", "replace"))?.call_method0("decode")?.extract()
}

/// The repr of a value.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| type_name(value), |repr| repr.to_string())
}
