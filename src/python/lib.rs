//! The Rust half of the Python package `emilia`: positions, searches, games, arrays of boards. The
//! other half is `package/emilia/__init__.py`: keyword arguments, lines as named tuples, pictures
//! of boards.
//!
//! Scores are in discs for the side to move unless a name says otherwise. A text that cannot be
//! read raises `ValueError` with the library's sentence.

#![allow(unsafe_code, reason = "macros of `pyo3` expand to unsafe code")]

mod arrays;
mod engine;
mod games;
mod position;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns an error as `ValueError` with the same sentence.
#[expect(clippy::needless_pass_by_value, reason = "so that it maps an error")]
fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymodule]
mod _emilia {
    #[pymodule_export]
    use crate::arrays::{batch_evaluate, batch_legal};
    #[pymodule_export]
    use crate::engine::{Engine, batch_search};
    #[pymodule_export]
    use crate::games::{Game, analysis, games};
    #[pymodule_export]
    use crate::position::{Position, perft};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
