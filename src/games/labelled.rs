//! Positions with exact scores, a line each: OBF (`board side; A2:+38; C7:+36; % comment`), plain
//! boards, and tables with a header line.

use crate::boards;
use emilia_core::board::{Faults, Move, Position, PositionError, Score, Square, excerpt};

/// A position with the exact scores that a file gives for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// Final score under best play, for the side to move, in discs.
    pub best: Option<Score>,
    /// Final scores of single moves, for the side to move, in file order. May be empty.
    pub moves: Vec<(Move, Score)>,
}

/// Reads a file of labelled positions line by line.
///
/// A line is a position in any form that [`position`](crate::position) reads, with or without OBF
/// scores. A header is a line of tab-separated names, one of which is `board`. Table rows follow it.
/// The other columns read are `side` (default Black), `best` (a score) and `move_scores`.
/// `move_scores` has the form `F1:+18 A6:+8`.
/// Blank lines and lines that start with `#` or `%` are skipped.
#[derive(Clone, Debug, Default)]
pub struct LabelledReader {
    columns: Option<Columns>,
    /// Whether the boards of the lines before have a side to move. Then one without is damaged.
    has_sides: bool,
}

/// The index of each column of a table.
#[derive(Clone, Copy, Debug)]
struct Columns {
    board: usize,
    side: Option<usize>,
    best: Option<usize>,
    move_scores: Option<usize>,
}

impl LabelledReader {
    /// Reads the next line. Returns `None` for a blank line, a comment or a header.
    ///
    /// # Errors
    /// If a position, move or score is unreadable, or a move is illegal.
    /// Reading may continue with the next line.
    pub fn read(&mut self, line: &str) -> Result<Option<Labelled>, String> {
        // Some editors write a byte order mark at the start of a file.
        let line = line.trim_start_matches('\u{feff}');
        let text = line.trim();
        if text.is_empty() || text.starts_with(['#', '%']) {
            return Ok(None);
        }
        if let Some(columns) = Columns::of_header(line) {
            self.columns = Some(columns);
            return Ok(None);
        }
        if let Some(columns) = self.columns.filter(|_| line.contains('\t')) {
            return columns.read(line).map(Some);
        }
        let board = line.split([';', '%']).next().unwrap_or_default();
        let squares = board
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .count();
        if self.has_sides && squares == Square::COUNT {
            return Err("no side to move (the boards before have one)".to_owned());
        }
        let read = obf(line)?;
        self.has_sides |= boards::holds_board(board) && squares > Square::COUNT;
        Ok(Some(read))
    }
}

impl Columns {
    /// Reads the columns if the line is a header.
    fn of_header(line: &str) -> Option<Columns> {
        let names = line.split('\t').map(str::trim);
        let find = |name| names.clone().position(|own| own.eq_ignore_ascii_case(name));
        Some(Columns {
            board: find("board")?,
            side: find("side"),
            best: find("best"),
            move_scores: find("move_scores"),
        })
    }

    fn read(self, line: &str) -> Result<Labelled, String> {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let field = |index: Option<usize>| {
            let field = index.and_then(|index| fields.get(index));
            // A missing field reads as an empty part of the line.
            field.copied().unwrap_or(&line[..0])
        };
        let position = position(line, field(Some(self.board)), field(self.side))?;
        let best = Some(field(self.best)).filter(|best| !best.is_empty());
        let best = best.map(|best| {
            let expected = "a score from -64 to 64, like +18";
            score_of(best).ok_or_else(|| invalid(line, best, expected))
        });
        let scores = field(self.move_scores).split_whitespace();
        labelled(line, position, best.transpose()?, scores)
    }
}

/// Reads a position from two fields of `line`. Error columns are those of the line.
fn position(line: &str, board: &str, side: &str) -> Result<Position, String> {
    let of_line = |error| match error {
        PositionError::Board(mut error) => {
            let is_side = error.faults.contains(Faults::MOVER_UNKNOWN) && !side.is_empty();
            let moved = |own| {
                if is_side {
                    column(line, side)
                } else {
                    column(line, board) + own - 1
                }
            };
            error.column = error.column.map(moved);
            error.to_string()
        }
        other => other.to_string(),
    };
    boards::position(&format!("{board} {side}")).map_err(of_line)
}

/// Reads a line of OBF.
fn obf(line: &str) -> Result<Labelled, String> {
    /// Ends the scores of a position in some files: there is no further move.
    const NO_MOVE: &str = "--:-127";
    let line = line.split('%').next().unwrap_or_default();
    let (board, scores) = line.split_once(';').unwrap_or((line, ""));
    // Other programs have an identifier before the board, and text after it.
    let has_scores = boards::holds_board(board) || !boards::holds_board(line);
    let (board, scores) = if has_scores {
        (board, scores)
    } else {
        (line, "")
    };
    let position = boards::position(without_score(board)).map_err(|error| error.to_string())?;
    let scores = scores.split(';').map(str::trim);
    let scores = scores.filter(|field| !field.is_empty() && *field != NO_MOVE);
    labelled(line, position, None, scores)
}

/// Returns a board without the score after it, which some files have.
fn without_score(board: &str) -> &str {
    let (rest, score) = board
        .trim_end()
        .rsplit_once(char::is_whitespace)
        .unwrap_or((board, ""));
    let squares = rest.chars().filter(|c| !c.is_whitespace()).count();
    let is_score = score.parse::<i32>().is_ok() && squares >= Square::COUNT;
    if is_score { rest } else { board }
}

/// Reads the scored moves of a labelled position: fields such as `A2:+38`, which are parts of `line`.
fn labelled<'l>(
    line: &str,
    position: Position,
    best: Option<Score>,
    scores: impl Iterator<Item = &'l str>,
) -> Result<Labelled, String> {
    let score = |field: &'l str| {
        let read = || {
            let (mv, score) = field.split_once(':')?;
            let mv = mv.trim().parse().ok()?;
            position.play(mv).is_ok().then_some((mv, score_of(score)?))
        };
        let expected = "a legal move and its score from -64 to 64, like A2:+38";
        read().ok_or_else(|| invalid(line, field, expected))
    };
    let moves: Vec<(Move, Score)> = scores.map(score).collect::<Result<_, _>>()?;
    let best = best.or(moves.iter().map(|&(_, score)| score).max());
    Ok(Labelled {
        position,
        best,
        moves,
    })
}

/// Returns the error that `field` is not valid. `field` must be a subslice of `line`.
fn invalid(line: &str, field: &str, expected: &str) -> String {
    let (column, found) = (column(line, field), excerpt(field));
    format!("column {column}: '{found}' (expected {expected})")
}

/// The column where `part` starts, in characters from 1. `part` must be a subslice of `line`.
fn column(line: &str, part: &str) -> usize {
    let offset = part.as_ptr().addr() - line.as_ptr().addr();
    line[..offset].chars().count() + 1
}

/// Reads a number from −64 to 64.
fn score_of(text: &str) -> Option<Score> {
    let score = text.trim().parse().ok();
    score.filter(|score| (-64..=64).contains(score))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "OO-XXXX-OOOOOXX-OOOOXOXOOXOXOXXXOXOOOXXXOXOXOXXXOOXXXXXXOOOOOOOO";

    #[test]
    fn rows_after_a_header_are_read_by_column_name() {
        let mut reader = LabelledReader::default();
        // Lines before a header are OBF.
        let labelled = reader.read(&format!("{BOARD} O; H1:+8")).unwrap().unwrap();
        assert_eq!(labelled.best, Some(8));
        assert_eq!(reader.read("board\tside\tbest\tmove_scores"), Ok(None));
        for skipped in ["% from\tEdax", "#\t", "\t\t\t", ""] {
            assert_eq!(reader.read(skipped), Ok(None), "{skipped:?}");
        }
        let labelled = reader.read(&format!("{BOARD}\tO\t+00")).unwrap().unwrap();
        assert_eq!((labelled.best, labelled.moves), (Some(0), vec![]));
        let line = format!("{BOARD}\tO\t\tH1:+8 H2:-2");
        let labelled = reader.read(&line).unwrap().unwrap();
        assert_eq!((labelled.best, labelled.moves.len()), (Some(8), 2));
        for (bad, start) in [
            (format!("{BOARD}\tO\t+65"), "column 68: '+65'"),
            (format!("{BOARD}\t?"), "column 66: mover unknown: '?'"),
        ] {
            let error = reader.read(&bad).unwrap_err();
            assert!(error.starts_with(start), "{error}");
        }
    }

    #[test]
    fn obf_scores_are_read_and_bad_fields_are_located() {
        let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; \
                    G8:+18; B1:-4; % FFO 1";
        let problem = obf(line).unwrap();
        let moves = [(Square::G8, 18), (Square::B1, -4)];
        assert_eq!(
            problem.moves,
            moves.map(|(square, score)| (Move::Place(square), score))
        );
        assert_eq!(problem.best, Some(18));
        assert_eq!(line.parse(), Ok(problem.position));
        let ended = line.replace(" % FFO 1", " --:-127;");
        assert_eq!(obf(&ended), Ok(problem));
        for bad in ["G8:x", "A1:+2", "G8:+65", "G8", "--:-1"] {
            let line = format!("{} X; G8:+18;  {bad} ;", &line[..64]);
            let error = obf(&line).unwrap_err();
            assert!(error.starts_with(&format!("column 78: '{bad}'")), "{error}");
        }
    }
}
