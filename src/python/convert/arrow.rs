//! Arrow data of any library, through the capsules of the PyCapsule interface, without copying.
//!
//! The interface is one of C, so taking over a capsule's contents is `unsafe`: that a capsule holds what its
//! name says is a contract with the exporting library. Arrow's own crates release what is taken over.

use std::ffi::{CStr, c_int};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, NullArray, make_array};
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A column as a list of arrays.
pub struct Chunks {
    pub data_type: DataType,
    pub arrays: Vec<ArrayRef>,
    /// Whether the bytes are those of UUIDs, which people write as text.
    pub are_uuids: bool,
}

/// Whether a value has `__arrow_c_array__` or `__arrow_c_stream__`.
pub fn is_exported(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    Ok(value.hasattr(intern!(py, "__arrow_c_stream__"))?
        || value.hasattr(intern!(py, "__arrow_c_array__"))?)
}

/// Imports the data of a value with `__arrow_c_array__` or `__arrow_c_stream__`.
pub fn chunks(value: &Bound<'_, PyAny>) -> PyResult<Chunks> {
    let py = value.py();
    if value.hasattr(intern!(py, "__arrow_c_array__"))? {
        let capsules = value.call_method0(intern!(py, "__arrow_c_array__"))?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        let (schema, array) = (pointer(&schema, c"arrow_schema")?, pointer(&array, c"arrow_array")?);
        // SAFETY: a capsule holds what its name says, and both are left empty.
        let (schema, array) = unsafe { (FFI_ArrowSchema::from_raw(schema), FFI_ArrowArray::from_raw(array)) };
        let (data_type, are_uuids) = (data_type(&schema)?, are_uuids(&schema)?);
        return Ok(Chunks { arrays: vec![imported(array, &data_type)?], data_type, are_uuids });
    }
    let capsule = value.call_method0(intern!(py, "__arrow_c_stream__"))?;
    let stream = pointer(capsule.cast::<PyCapsule>()?, c"arrow_array_stream")?;
    // SAFETY: as above.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(PyValueError::new_err("the Arrow stream has been read already"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: a stream that hasn't been released may be asked for its schema and its arrays.
    let done = unsafe { get_schema(&mut stream, &mut schema) };
    check(done, &mut stream)?;
    let (data_type, are_uuids) = (data_type(&schema)?, are_uuids(&schema)?);
    let mut arrays = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        let done = unsafe { get_next(&mut stream, &mut array) };
        check(done, &mut stream)?;
        if array.is_released() {
            return Ok(Chunks { data_type, arrays, are_uuids });
        }
        arrays.push(imported(array, &data_type)?);
    }
}

/// The contents of a capsule with this name.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<*mut T> {
    Ok(capsule.pointer_checked(Some(name))?.as_ptr().cast())
}

fn data_type(schema: &FFI_ArrowSchema) -> PyResult<DataType> {
    DataType::try_from(schema).map_err(refused)
}

fn are_uuids(schema: &FFI_ArrowSchema) -> PyResult<bool> {
    let metadata = schema.dictionary().unwrap_or(schema).metadata().map_err(refused)?;
    Ok(metadata.get("ARROW:extension:name").is_some_and(|name| name == "arrow.uuid"))
}

fn imported(array: FFI_ArrowArray, data_type: &DataType) -> PyResult<ArrayRef> {
    if *data_type == DataType::Null {
        // Some exporters add a buffer, which the type doesn't have.
        return Ok(Arc::new(NullArray::new(array.len())));
    }
    // SAFETY: the array and its type come from the same exporter, which guarantees that they match.
    let mut data = unsafe { from_ffi_and_data_type(array, data_type.clone()) }.map_err(refused)?;
    // Arrow buffers may be unaligned, unlike Rust's slices.
    data.align_buffers();
    Ok(make_array(data))
}

/// Raises an error with the stream's own message if a call to it failed.
fn check(done: c_int, stream: &mut FFI_ArrowArrayStream) -> PyResult<()> {
    if done == 0 {
        return Ok(());
    }
    // SAFETY: after an error a stream may be asked for its message, which is valid until the next call.
    let text = stream.get_last_error.map(|last| unsafe { last(stream) }).filter(|text| !text.is_null());
    // SAFETY: the message ends in NUL.
    let text = text.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
    Err(PyValueError::new_err(text.unwrap_or_else(|| format!("the Arrow stream failed with error {done}"))))
}

fn refused(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
