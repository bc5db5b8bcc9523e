//! Functions on many boards at once, in a buffer. A board has 16 bytes: the discs of the side to
//! move and the discs of the opponent, each as a little-endian number of 64 bits.

use std::slice;

use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

use emilia_core::board::{Bitboard, Board};
use emilia_core::eval::Value;
use emilia_player::Setup;
use emilia_player::options::EVAL;

use crate::value_error;

/// Number of bytes of a board.
const SIZE: usize = 16;

/// Number of boards that are copied at once. Their 512 KiB stay in the cache.
const CHUNK: usize = 1 << 15;

/// Checks that the elements of a buffer are bytes or little-endian integers of 64 bits. If the
/// buffer has several dimensions, the last one must be one board.
fn check(buffer: &PyUntypedBuffer) -> PyResult<()> {
    let format = buffer.format();
    let is_integer = match ElementType::from_format(format) {
        ElementType::UnsignedInteger { bytes } => [1, 8].contains(&bytes),
        ElementType::SignedInteger { bytes } => bytes == 8,
        _ => false,
    };
    if !is_integer || matches!(format.to_bytes(), [b'>' | b'!', ..]) {
        return Err(PyTypeError::new_err(format!(
            "boards: the format is '{}' (expected bytes, or little-endian integers of 64 bits)",
            format.to_string_lossy()
        )));
    }
    let bytes = buffer.len_bytes();
    if !bytes.is_multiple_of(SIZE) {
        return Err(value_error(format!(
            "{bytes} bytes are not a multiple of {SIZE}"
        )));
    }
    match buffer.shape() {
        [_, .., row] if row * buffer.item_size() != SIZE => Err(value_error(format!(
            "boards: the shape is {:?} (expected rows of {} numbers)",
            buffer.shape(),
            SIZE / buffer.item_size()
        ))),
        _ => Ok(()),
    }
}

/// Calls `of` for each board, and returns the concatenated results, `N` bytes for each board.
fn mapped<'py, const N: usize>(
    boards: &Bound<'py, PyAny>,
    of: impl Fn(&Board) -> [u8; N] + Sync,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = boards.py();
    let buffer = PyUntypedBuffer::get(boards)?;
    check(&buffer)?;
    if !buffer.is_c_contiguous() {
        return mapped(&PyMemoryView::from(boards)?.call_method0("tobytes")?, of);
    }
    PyBytes::new_with(py, buffer.len_bytes() / SIZE * N, |bytes| {
        let mut copy = Vec::new();
        for (part, rows) in bytes.as_chunks_mut::<N>().0.chunks_mut(CHUNK).enumerate() {
            let first = part * CHUNK;
            // SAFETY: `buffer` is contiguous and alive, and the part lies within its bytes. Other
            // threads of Python may write to it, but not while this one holds the interpreter.
            let part = unsafe {
                let start = buffer.buf_ptr().cast::<u8>().add(first * SIZE);
                slice::from_raw_parts(start, rows.len() * SIZE)
            };
            copy.clear();
            copy.extend_from_slice(part);
            py.detach(|| map_rows(rows, &copy, first, &of))?;
        }
        Ok(())
    })
}

/// Sets each of `rows` to the result of `of` for the board with the same index in `boards`. `first`
/// is the index of the first board in the whole buffer, for the error message.
fn map_rows<const N: usize>(
    rows: &mut [[u8; N]],
    boards: &[u8],
    first: usize,
    of: &impl Fn(&Board) -> [u8; N],
) -> PyResult<()> {
    for (index, (row, discs)) in rows.iter_mut().zip(boards.as_chunks().0).enumerate() {
        let discs = u128::from_le_bytes(*discs);
        let [player, opponent] = [discs as u64, (discs >> 64) as u64].map(Bitboard);
        if !(player & opponent).is_empty() {
            let index = first + index;
            let message = format!("board {index} has two discs on one square");
            return Err(value_error(message));
        }
        *row = of(&Board { player, opponent });
    }
    Ok(())
}

/// Returns 8 bytes for each board: its legal moves as a little-endian number.
#[pyfunction]
pub(crate) fn batch_legal<'py>(boards: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    mapped(boards, |board| board.legal_moves().0.to_le_bytes())
}

/// Returns 4 bytes for each board: its static value in discs for the side to move, as a little-endian
/// float. A finished game has its final score.
#[pyfunction]
pub(crate) fn batch_evaluate<'py>(
    boards: &Bound<'py, PyAny>,
    evaluation: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut setup = Setup::default();
    EVAL.set(&mut setup, evaluation).map_err(value_error)?;
    let evaluator = setup.settings.evaluator;
    mapped(boards, |board| {
        let value = if board.is_over() {
            Value::from_score(board.final_score())
        } else {
            evaluator.evaluate(board)
        };
        (value.discs() as f32).to_le_bytes()
    })
}

/// Returns boards as bytes, 16 for each.
pub(crate) fn bytes_of<'py, 'a>(
    py: Python<'py>,
    boards: impl Iterator<Item = &'a Board>,
) -> Bound<'py, PyBytes> {
    let discs = boards.flat_map(|board| [board.player, board.opponent]);
    let bytes: Vec<u8> = discs.flat_map(|discs| discs.0.to_le_bytes()).collect();
    PyBytes::new(py, &bytes)
}
