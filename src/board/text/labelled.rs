//! Files of positions with known scores, line by line: OBF, plain boards, or a table whose header names its columns.

use std::fmt;

use super::PositionError;
use super::diagram::BoardError;
use super::faults::Faults;
use super::obf::{self, FieldError, ObfError, move_score, parse_obf, score_of};
use crate::board::{Move, Position, Score};

/// A position and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// Its final score under best play, for the side to move.
    pub best: Option<Score>,
    /// Final scores of moves, seen by the side to move, in the order given. May be empty.
    pub moves: Vec<(Move, Score)>,
}

/// All of it.
impl fmt::Display for Labelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Labelled {
            position,
            best,
            moves,
        } = self;
        write!(f, "{position} {best:?} {moves:?}")
    }
}

/// Why a line is no position with known scores.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LabelledError {
    /// It was read as an OBF line or as a plain position.
    Obf(ObfError),
    /// One of the fields of a table.
    Field(FieldError),
}

impl fmt::Display for LabelledError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelledError::Obf(error) => error.fmt(f),
            LabelledError::Field(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LabelledError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LabelledError::Obf(error) => Some(error),
            LabelledError::Field(error) => Some(error),
        }
    }
}

/// Reads the lines of a file one after the other.
///
/// A line is a position in any of its forms, with or without the scores of OBF. After a header, whose fields are
/// separated by tabs and one of which is `board`, the lines are rows of a table: `board`, `side` (Black where there is no
/// such column), `best` (a score), and `move_scores` (like `F1:+18 A6:+8`); other columns are ignored. Blank lines
/// and lines that begin with `#` or `%` are skipped.
#[derive(Clone, Debug, Default)]
pub struct LabelledReader {
    columns: Option<TableHeader>,
}

/// Where the fields of a table are.
#[derive(Clone, Copy, Debug)]
struct TableHeader {
    board: usize,
    side: Option<usize>,
    best: Option<usize>,
    move_scores: Option<usize>,
}

impl LabelledReader {
    /// What the next line says; `None` if it is blank, a comment, or a header.
    ///
    /// # Errors
    /// If the position, a move or a score cannot be read, or a move is illegal. The lines after it can still be read.
    pub fn read(&mut self, line: &str) -> Result<Option<Labelled>, LabelledError> {
        // Some editors begin a file with a byte order mark.
        let line = line.trim_start_matches('\u{feff}');
        let text = line.trim();
        if text.is_empty() || text.starts_with(['#', '%']) {
            return Ok(None);
        }
        if let Some(columns) = TableHeader::of_header(line) {
            self.columns = Some(columns);
            return Ok(None);
        }
        match self.columns {
            Some(columns) if line.contains('\t') => columns.read(line).map(Some),
            _ => {
                let problem = parse_obf(line).map_err(LabelledError::Obf)?;
                Ok(problem.map(|problem| Labelled {
                    position: problem.position,
                    best: problem.best_score(),
                    moves: problem.scores,
                }))
            }
        }
    }
}

impl TableHeader {
    /// The columns, if the line is a header.
    fn of_header(line: &str) -> Option<TableHeader> {
        let find = |name: &str| {
            line.split('\t')
                .position(|field| field.trim().eq_ignore_ascii_case(name))
        };
        Some(TableHeader {
            board: find("board")?,
            side: find("side"),
            best: find("best"),
            move_scores: find("move_scores"),
        })
    }

    fn read(self, line: &str) -> Result<Labelled, LabelledError> {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let field = |index: Option<usize>| {
            let field = index.and_then(|index| fields.get(index));
            // A field that is not there is an empty part of the line.
            field.copied().unwrap_or(&line[..0])
        };
        let (board, side) = (field(Some(self.board)), field(self.side));
        let position = position(line, board, side).map_err(LabelledError::Obf)?;
        let best = field(self.best);
        let best = if best.is_empty() {
            None
        } else {
            let expected = "a score from -64 to 64, like +18";
            let score = score_of(best)
                .ok_or_else(|| LabelledError::Field(FieldError::new(line, best, expected)))?;
            Some(score)
        };
        let moves: Vec<(Move, Score)> = field(self.move_scores)
            .split_whitespace()
            .map(|field| move_score(&position, line, field))
            .collect::<Result<_, _>>()
            .map_err(LabelledError::Field)?;
        Ok(Labelled {
            position,
            best: best.or(moves.iter().map(|&(_, score)| score).max()),
            moves,
        })
    }
}

/// The position of two fields of `line`, with columns as they are in the line.
fn position(line: &str, board: &str, side: &str) -> Result<Position, ObfError> {
    let place = |error| match error {
        PositionError::Board(BoardError {
            faults,
            column: Some(column),
            found,
        }) => {
            let column = if faults.contains(Faults::MOVER_UNKNOWN) && !side.is_empty() {
                obf::column(line, side)
            } else {
                obf::column(line, board) + column - 1
            };
            PositionError::Board(BoardError {
                faults,
                column: Some(column),
                found,
            })
        }
        other => other,
    };
    format!("{board} {side}")
        .parse()
        .map_err(|error| ObfError::Position(place(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "OO-XXXX-OOOOOXX-OOOOXOXOOXOXOXXXOXOOOXXXOXOXOXXXOOXXXXXXOOOOOOOO";

    #[test]
    fn lines_after_a_header_are_rows_of_a_table() {
        let mut reader = LabelledReader::default();
        assert_eq!(reader.read("board\tside\tbest\tmove_scores"), Ok(None));
        for skipped in ["% from\tEdax", "#\t", "\t\t\t", ""] {
            assert_eq!(reader.read(skipped), Ok(None), "{skipped:?}");
        }
        let labelled = reader.read(&format!("{BOARD}\tO\t+00")).unwrap().unwrap();
        assert_eq!((labelled.best, labelled.moves), (Some(0), vec![]));
        let line = format!("{BOARD}\tO\t\tH1:+8 H2:-2");
        let labelled = reader.read(&line).unwrap().unwrap();
        assert_eq!((labelled.best, labelled.moves.len()), (Some(8), 2));
        let Err(LabelledError::Field(error)) = reader.read(&format!("{BOARD}\tO\t+65")) else {
            panic!("65 discs were read");
        };
        assert_eq!((error.column, error.found.as_str()), (68, "+65"));
    }

    #[test]
    fn other_lines_are_obf() {
        let mut reader = LabelledReader::default();
        for line in ["", "# a comment", "% a comment"] {
            assert_eq!(reader.read(line), Ok(None));
        }
        let labelled = reader.read(&format!("{BOARD} O; H1:+8")).unwrap().unwrap();
        assert_eq!(labelled.best, Some(8));
    }
}
