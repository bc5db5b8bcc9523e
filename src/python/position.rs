//! [`Position`]: an immutable position, with the rules of the game. [`perft`] counts positions.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyString, PyType};

use emilia_core::board::perft::Perft;
use emilia_core::board::{Bitboard, Color, Move, Square};
use emilia_view::BoardView;

use crate::value_error;

/// Largest depth of [`perft`], in plies. From the start position, depth 14 takes minutes.
const MAX_PERFT: u32 = 20;

/// Largest depth in plies at which perft takes only milliseconds, so that Ctrl-C can wait for it.
const SHORT_PERFT: u32 = 8;

/// Index of a pass among the moves. The squares a1, b1, …, h8 have 0 to 63.
const PASS: usize = 64;

/// Names of the squares and of a pass, as Python strings. They are created once, because a list of
/// existing strings takes a tenth of the time.
static NAMES: PyOnceLock<Vec<Py<PyString>>> = PyOnceLock::new();

/// Discs and side to move. A position never changes.
///
/// board: a text: 64 squares and the side to move, FEN, a transcript such as "f5d6c3", a
/// drawing; or a list of eight rows, each a text of eight squares or eight numbers (0 empty,
/// 1 black, -1 or 2 white). None is the start of a game.
#[pyclass(frozen, eq, hash, module = "emilia")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position(pub(crate) emilia_core::Position);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (board = None))]
    fn new(board: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
        let Some(board) = board else {
            return Ok(Position(emilia_core::Position::START));
        };
        // A row is a text of squares or a list of numbers. A list is converted to Python's text of
        // it, such as `[0, 1, -1]`, and read as a row of a matrix.
        let rows = match board.cast::<PyList>() {
            Ok(rows) => rows.iter().map(|row| row.str()).collect(),
            Err(_) => board.str().map(|text| vec![text]),
        }?;
        let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
        let text = rows.join("\n");
        emilia_games::position(&text)
            .map(Position)
            .map_err(value_error)
    }

    /// Returns the position with these discs, as numbers of 64 bits: bit 0 is a1, bit 7 h1, bit 63
    /// h8. turn: "black" or "white".
    #[staticmethod]
    fn from_bits(black: u64, white: u64, turn: &str) -> PyResult<Position> {
        let [black, white] = [black, white].map(Bitboard);
        if let Some(square) = (black & white).squares().next() {
            return Err(value_error(format!("{square} has two discs")));
        }
        let turn: Color = turn.parse().map_err(value_error)?;
        Ok(Position(emilia_core::Position::new(black, white, turn)))
    }

    /// Pickles with every protocol.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().0.to_string(),))
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
    }

    fn __str__(&self) -> String {
        BoardView::new(self.0).to_string()
    }

    /// The black discs as a number of 64 bits: bit 0 is a1, bit 7 h1, bit 63 h8.
    #[getter]
    fn black(&self) -> u64 {
        self.0.discs(Color::Black).0
    }

    /// The white discs as a number of 64 bits.
    #[getter]
    fn white(&self) -> u64 {
        self.0.discs(Color::White).0
    }

    /// "black" or "white".
    #[getter]
    fn to_move(&self) -> &'static str {
        self.0.mover.name()
    }

    /// Returns the squares, only "pass" if the side to move must pass, and nothing after the end.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = NAMES.get_or_init(py, || {
            let squares = Square::all().map(Move::from).chain([Move::Pass]);
            squares
                .map(|mv| PyString::intern(py, &mv.to_string()).unbind())
                .collect()
        });
        let moves = self.0.moves().into_iter();
        PyList::new(
            py,
            moves.map(|mv| &names[mv.square().map_or(PASS, Square::index)]),
        )
    }

    /// Returns the position after a move: a square or "pass", or an index, 0 for a1, 1 for b1, 63 for
    /// h8 and 64 for a pass. `ValueError` lists the legal moves.
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        let mv = match r#move.cast::<PyString>() {
            Ok(name) => name.to_str()?.parse().map_err(value_error)?,
            Err(_) => move_at(r#move.extract()?)?,
        };
        self.0.play(mv).map(Position).map_err(value_error)
    }

    /// Returns whether neither side can move.
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Returns the discs of a side minus those of the other, as if the game ended now.
    /// Empty squares count for the winner.
    #[pyo3(signature = (side = "black"))]
    fn score(&self, side: &str) -> PyResult<i32> {
        let side: Color = side.parse().map_err(value_error)?;
        Ok(self.0.final_score_for(side))
    }

    /// Returns the position in Forsyth-Edwards notation.
    fn fen(&self) -> String {
        self.0.to_fen()
    }

    /// Returns 128 bytes, 0 or 1: the squares a1, b1, …, h8 with discs of the side to move, then those
    /// with discs of the opponent. `numpy.frombuffer(p.planes(), "u1").reshape(2, 8, 8)` reads it.
    fn planes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let plane = |discs: Bitboard| (0..64).map(move |square| (discs.0 >> square) as u8 & 1);
        let board = &self.0.board;
        let planes: Vec<u8> = plane(board.player).chain(plane(board.opponent)).collect();
        PyBytes::new(py, &planes)
    }
}

/// Returns the move with this index: a square from 0 to 63, or [`PASS`].
fn move_at(index: i64) -> PyResult<Move> {
    match usize::try_from(index) {
        Ok(PASS) => Some(Move::Pass),
        _ => u8::try_from(index)
            .ok()
            .and_then(Square::new)
            .map(Move::from),
    }
    .ok_or_else(|| {
        value_error(format!(
            "{index} is not a move (expected 0 for a1 to 63 for h8, or {PASS} for a pass)"
        ))
    })
}

/// Returns the number of positions `depth` plies ahead, at most 20. Ctrl-C ends it.
///
/// convention: "A", a pass is a ply and a finished game counts 1; "F", it counts 0; "B", a pass is not
/// a ply.
#[pyfunction]
#[pyo3(signature = (position, depth, convention = "A"))]
pub(crate) fn perft(
    py: Python<'_>,
    position: &Position,
    depth: u32,
    convention: &str,
) -> PyResult<u64> {
    if depth > MAX_PERFT {
        return Err(value_error(format!(
            "depth {depth} takes too long (expected 0 to {MAX_PERFT})"
        )));
    }
    let perft = Perft {
        convention: convention.parse().map_err(value_error)?,
        ..Perft::default()
    };
    count(py, &perft, &position.0, depth)
}

/// Counts positions like `Perft::count`, and checks for Ctrl-C every few milliseconds.
fn count(
    py: Python<'_>,
    perft: &Perft,
    position: &emilia_core::Position,
    depth: u32,
) -> PyResult<u64> {
    if depth <= SHORT_PERFT || position.is_over() {
        return Ok(py.detach(|| perft.count(&position.board, depth, &|_, _| ())));
    }
    py.check_signals()?;
    let moves = position.moves().into_iter();
    let counts = moves.map(|mv| {
        let left = match mv {
            Move::Place(_) => depth - 1,
            Move::Pass => perft.convention.after_pass(depth),
        };
        count(py, perft, &position.play(mv).map_err(value_error)?, left)
    });
    counts.sum()
}
