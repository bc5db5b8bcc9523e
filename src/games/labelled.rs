//! Reads files of positions with exact scores, in three forms.
//! The forms are OBF, plain boards, and tables with a header line.

use crate::boards::{self, position as read_position};
use crate::obf::{self, Labelled, move_score, parse_obf, score_of};
use emilia_core::board::{Faults, Move, Position, PositionError, Score, Square};

/// Reads a file of labelled positions line by line.
///
/// A line is a position in any form that [`Position`] parses, with or without OBF scores.
/// A header is a line of tab-separated names, one of which is `board`. Table rows follow it.
/// The other columns read are `side` (default Black), `best` (a score) and `move_scores`.
/// `move_scores` has the form `F1:+18 A6:+8`.
/// Blank lines and lines that start with `#` or `%` are skipped.
#[derive(Clone, Debug, Default)]
pub struct LabelledReader {
    columns: Option<TableHeader>,
    /// Whether the boards of the lines before have a side to move. Then one without is damaged.
    has_sides: bool,
}

/// The index of each column of a table.
#[derive(Clone, Copy, Debug)]
struct TableHeader {
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
        if let Some(columns) = TableHeader::of_header(line) {
            self.columns = Some(columns);
            return Ok(None);
        }
        match self.columns {
            Some(columns) if line.contains('\t') => columns.read(line).map(Some),
            _ => {
                let board = line.split([';', '%']).next().unwrap_or_default();
                let letters = board.chars().filter(|letter| !letter.is_whitespace());
                let squares = letters.count();
                if self.has_sides && squares == Square::COUNT {
                    return Err("no side to move (the boards before have one)".to_owned());
                }
                let read = parse_obf(line);
                self.has_sides |=
                    read.is_ok() && boards::holds_board(board) && squares > Square::COUNT;
                read
            }
        }
    }
}

impl TableHeader {
    /// Reads the columns if the line is a header.
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
            score_of(best).ok_or_else(|| obf::invalid(line, best, expected))
        });
        let best = best.transpose()?;
        let moves: Vec<(Move, Score)> = field(self.move_scores)
            .split_whitespace()
            .map(|field| move_score(&position, line, field))
            .collect::<Result<_, _>>()?;
        Ok(Labelled {
            position,
            best: best.or(moves.iter().map(|&(_, score)| score).max()),
            moves,
        })
    }
}

/// Reads a position from two fields of `line`. Error columns are those of the line.
fn position(line: &str, board: &str, side: &str) -> Result<Position, String> {
    let of_line = |error| match error {
        PositionError::Board(mut error) => {
            let is_side = error.faults.contains(Faults::MOVER_UNKNOWN) && !side.is_empty();
            let moved = |column| match (is_side, column) {
                (true, _) => obf::column(line, side),
                (false, column) => obf::column(line, board) + column - 1,
            };
            error.column = error.column.map(moved);
            error.to_string()
        }
        other => other.to_string(),
    };
    read_position(&format!("{board} {side}")).map_err(of_line)
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
        let problem = parse_obf(line).unwrap().unwrap();
        let moves = [(Square::G8, 18), (Square::B1, -4)];
        assert_eq!(
            problem.moves,
            moves.map(|(square, score)| (Move::Place(square), score))
        );
        assert_eq!(problem.best, Some(18));
        assert_eq!(line.parse(), Ok(problem.position));
        let ended = line.replace(" % FFO 1", " --:-127;");
        assert_eq!(parse_obf(&ended).unwrap(), Some(problem));
        assert_eq!(parse_obf("  % only a comment"), Ok(None));
        for bad in ["G8:x", "A1:+2", "G8:+65", "G8", "--:-1"] {
            let line = format!("{} X; G8:+18;  {bad} ;", &line[..64]);
            let error = parse_obf(&line).unwrap_err();
            assert!(error.starts_with(&format!("column 78: '{bad}'")), "{error}");
        }
    }
}
