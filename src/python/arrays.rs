//! Many boards at once, as bytes: 16 for each, the discs of the side to move and those of the
//! opponent as little-endian numbers of 64 bits.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use emilia_core::board::{Bitboard, Board};
use emilia_core::eval::Value;
use emilia_player::Setup;
use emilia_player::options::EVAL;

use crate::value_error;

/// Bytes of a board.
const SIZE: usize = 16;

/// Returns the bytes that `of` makes of each board.
fn mapped<'py, const N: usize>(
    py: Python<'py>,
    bytes: &[u8],
    of: impl Fn(&Board) -> [u8; N] + Sync,
) -> PyResult<Bound<'py, PyBytes>> {
    let (boards, []) = bytes.as_chunks::<SIZE>() else {
        let count = bytes.len();
        return Err(value_error(format!(
            "{count} bytes are not a multiple of {SIZE}"
        )));
    };
    PyBytes::new_with(py, boards.len() * N, |bytes| {
        let rows = bytes.as_chunks_mut::<N>().0;
        py.detach(|| {
            for (index, (out, discs)) in rows.iter_mut().zip(boards).enumerate() {
                let discs = u128::from_le_bytes(*discs);
                let [player, opponent] = [discs as u64, (discs >> 64) as u64].map(Bitboard);
                if !(player & opponent).is_empty() {
                    let message = format!("board {index} has two discs on one square");
                    return Err(value_error(message));
                }
                *out = of(&Board { player, opponent });
            }
            Ok(())
        })
    })
}

/// Returns 8 bytes for each board: its legal moves as a little-endian number.
///
/// boards: bytes, 16 for each: the discs of the side to move, and of the opponent.
#[pyfunction]
pub(crate) fn batch_legal<'py>(py: Python<'py>, boards: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    mapped(py, boards, |board| board.legal_moves().0.to_le_bytes())
}

/// Returns 4 bytes for each board: its static value in discs for the side to move, as a little-endian
/// float. A finished game has its final score.
#[pyfunction]
#[pyo3(signature = (boards, evaluation = "net"))]
pub(crate) fn batch_evaluate<'py>(
    py: Python<'py>,
    boards: &[u8],
    evaluation: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut setup = Setup::default();
    EVAL.set(&mut setup, evaluation).map_err(value_error)?;
    let evaluator = setup.settings.evaluator;
    mapped(py, boards, |board| {
        let value = if board.is_over() {
            Value::from_score(board.final_score())
        } else {
            evaluator.evaluate(board)
        };
        (value.discs() as f32).to_le_bytes()
    })
}
