//! Conversion of arguments to slices and values, and of results to arrays and objects.

pub mod arrays;
#[allow(unsafe_code)] // the top of the file says why
pub mod arrow;
pub mod columns;
pub mod mistakes;
pub mod objects;
pub mod progress;
pub mod strings;
