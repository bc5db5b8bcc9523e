//! JSON objects of a position's best moves and of its moves in the opening book.

use serde::Serialize;

use super::json::ScoredLine;
use crate::board::Position;
use crate::book::{BookMove, Lines, Results};
use crate::eval::Value;
use crate::search::Line;

/// JSON object of a position and its best moves.
#[derive(Serialize)]
pub(crate) struct HintedPosition {
    position: String,
    hints: Vec<ScoredLine>,
    /// Moves of the opening book, best first. Omitted without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    book: Vec<ShownMove>,
    nodes: u64,
    seconds: f64,
}

impl HintedPosition {
    pub(crate) fn new(position: &Position, lines: &[Line], book: &[BookMove]) -> HintedPosition {
        let best = lines.first();
        HintedPosition {
            position: position.to_string(),
            hints: (lines.iter())
                .map(|line| ScoredLine::new(line, position.board.empty_count()))
                .collect(),
            book: book.iter().map(ShownMove::from).collect(),
            nodes: best.map_or(0, |line| line.nodes),
            seconds: best.map_or(0.0, |line| line.elapsed.as_secs_f64()),
        }
    }
}

/// A move of the book.
#[derive(Serialize)]
pub(crate) struct ShownMove {
    #[serde(rename = "move")]
    mv: String,
    value: Option<f64>,
    level: u8,
    leaf: bool,
    lines: [u32; 4],
    games: [u32; 3],
}

impl From<&BookMove> for ShownMove {
    fn from(book_move: &BookMove) -> ShownMove {
        ShownMove {
            mv: book_move.mv.to_string(),
            value: book_move.value.map(Value::discs),
            level: book_move.level,
            leaf: book_move.is_leaf,
            lines: lines_of(book_move.lines),
            games: games_of(book_move.games),
        }
    }
}

/// Won, drawn, lost and all lines.
pub(crate) fn lines_of(lines: Lines) -> [u32; 4] {
    [lines.won, lines.drawn, lines.lost, lines.all]
}

/// Won, drawn and lost games.
pub(crate) fn games_of(games: Results) -> [u32; 3] {
    [games.won, games.drawn, games.lost]
}
