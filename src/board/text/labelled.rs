//! Files of positions with known scores: OBF, or a table with tabs between its columns. Stands on `obf`.

use std::fmt;

use super::{ObfError, PositionError, diagram, obf, parse_obf};
use crate::board::{Move, Position, Score};

/// A position and the final scores that are known of it, seen by the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The position.
    pub position: Position,
    /// The score of best play.
    pub best: Score,
    /// The scores of moves, in the order given. May be empty.
    pub scores: Vec<(Move, Score)>,
}

impl Labelled {
    /// The score of best play after `mv`, if it is known.
    pub fn score_of(&self, mv: Move) -> Option<Score> {
        let known = self.scores.iter().find(|&&(known, _)| known == mv);
        known.map(|&(_, score)| score)
    }
}

/// A line that gives no position with a known score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in it, counted from 1.
    pub column: usize,
    /// What is wrong there, and what was expected.
    pub problem: String,
}

impl fmt::Display for LabelledError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LabelledError {
            line,
            column,
            problem,
        } = self;
        write!(f, "line {line}, column {column}: {problem}")
    }
}

impl std::error::Error for LabelledError {}

/// Reads positions with known scores, one a line, each good or bad by itself. Blank lines, and lines that begin with `%`
/// or `#`, are left aside.
///
/// A first line with the word `board` among its fields, which tabs separate, makes the file a table. It names the columns:
/// `board`, `side`, `best`, and optionally `move_scores` (`F1:+18 A6:+8`); others are left aside. Otherwise every line is
/// OBF (`board side; F1:+18; A6:+8;`), and the best of its scores is that of the position.
///
/// ```
/// use emilia::board::{Square, read_labelled};
/// let text = "\
/// board\tside\tempties\tbest\tmove_scores
/// -OOO------OOOO--XXXOOXXX-XOOOXX-XXXXOOOOOXXOOOO---OXOO---OOOO---\tX\t20\t+0\tE1:+0 F8:-2 G7:-20";
/// let labelled = read_labelled(text).remove(0).unwrap();
/// assert_eq!((labelled.line, labelled.best), (2, 0));
/// assert_eq!(labelled.score_of(Square::G7.into()), Some(-20));
/// ```
pub fn read_labelled(text: &str) -> Vec<Result<Labelled, LabelledError>> {
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !matches!(line.trim_start().chars().next(), None | Some('%' | '#')))
        .peekable();
    let header = lines.next_if(|(_, line)| fields(line).any(|field| field.text == "board"));
    let Some((line, header)) = header else {
        return lines
            .map(|(line, text)| on_line(line, read_obf(text)))
            .collect();
    };
    match Columns::read(header) {
        Err(fault) => vec![on_line(line, Err(fault))],
        Ok(columns) => lines
            .map(|(line, text)| on_line(line, columns.read_row(text)))
            .collect(),
    }
}

fn on_line(line: usize, read: Result<Read, Fault>) -> Result<Labelled, LabelledError> {
    match read {
        Ok(read) => Ok(Labelled {
            line,
            position: read.position,
            best: read.best,
            scores: read.scores,
        }),
        Err(fault) => Err(LabelledError {
            line,
            column: fault.column,
            problem: fault.problem,
        }),
    }
}

/// What a line says, before it is known which line it is.
struct Read {
    position: Position,
    best: Score,
    scores: Vec<(Move, Score)>,
}

/// What is wrong with a line, and where.
struct Fault {
    column: usize,
    problem: String,
}

impl Fault {
    fn new(column: usize, problem: impl Into<String>) -> Fault {
        Fault {
            column,
            problem: problem.into(),
        }
    }

    /// A board that begins in this column. It knows its own columns.
    fn of_board(column: usize, error: PositionError) -> Fault {
        match error {
            PositionError::Board(mut error) => {
                let inner = error.column.take().unwrap_or(1);
                Fault::new(column + inner - 1, error.to_string())
            }
            PositionError::Transcript(error) => Fault::new(column, error.to_string()),
        }
    }
}

fn read_obf(line: &str) -> Result<Read, Fault> {
    let blank = line.chars().take_while(|c| c.is_whitespace()).count();
    let problem = parse_obf(line).map_err(|error| match error {
        ObfError::Position(error) => Fault::of_board(blank + 1, error),
        ObfError::Field(ref field) => {
            let at = line.find(field.as_str()).unwrap_or_default();
            Fault::new(line[..at].chars().count() + 1, error.to_string())
        }
    })?;
    let known = problem.and_then(|problem| Some((problem.best_score()?, problem)));
    let end = line.chars().count() + 1;
    let (best, problem) = known
        .ok_or_else(|| Fault::new(end, "no score (expected the score of a move, like A2:+38;)"))?;
    Ok(Read {
        position: problem.position,
        best,
        scores: problem.scores,
    })
}

/// A part of a line, and the column in which it begins.
#[derive(Clone, Copy)]
struct Field<'a> {
    text: &'a str,
    column: usize,
}

/// What tabs separate, without the blanks around it.
fn fields(line: &str) -> impl Iterator<Item = Field<'_>> {
    split(line, 1, |c| c == '\t')
}

/// The parts of a text that begins in `column`.
fn split(
    text: &str,
    mut column: usize,
    separator: fn(char) -> bool,
) -> impl Iterator<Item = Field<'_>> {
    text.split(separator).map(move |part| {
        let blank = part.chars().take_while(|c| c.is_whitespace()).count();
        let field = Field {
            text: part.trim(),
            column: column + blank,
        };
        column += part.chars().count() + 1;
        field
    })
}

/// Which column of the table holds what, counted from 0.
struct Columns {
    board: usize,
    side: usize,
    best: usize,
    move_scores: Option<usize>,
}

impl Columns {
    fn read(header: &str) -> Result<Columns, Fault> {
        let place = |name: &str| fields(header).position(|field| field.text == name);
        let needed = |name: &str| {
            place(name).ok_or_else(|| {
                Fault::new(
                    1,
                    format!("no column '{name}' (expected the columns board, side and best)"),
                )
            })
        };
        Ok(Columns {
            board: needed("board")?,
            side: needed("side")?,
            best: needed("best")?,
            move_scores: place("move_scores"),
        })
    }

    fn read_row(&self, line: &str) -> Result<Read, Fault> {
        let fields: Vec<Field<'_>> = fields(line).collect();
        let field = |place: usize, name: &str| {
            let end = line.chars().count() + 1;
            let found = fields.get(place).copied();
            found
                .ok_or_else(|| Fault::new(end, format!("the line ends before its column '{name}'")))
        };
        let (board, side) = (field(self.board, "board")?, field(self.side, "side")?);
        let best = field(self.best, "best")?;
        let position = read_position(board, side)?;
        let score = read_score(best)?;
        let mut scores = Vec::new();
        if let Some(place) = self.move_scores {
            let list = field(place, "move_scores")?;
            for part in split(list.text, list.column, char::is_whitespace) {
                if !part.text.is_empty() {
                    scores.push(read_move_score(&position, part)?);
                }
            }
        }
        let best_move = scores.iter().map(|&(_, score)| score).max();
        match best_move {
            Some(most) if most != score => Err(Fault::new(
                best.column,
                format!("best is {score:+}, but the best move has {most:+}"),
            )),
            _ => Ok(Read {
                position,
                best: score,
                scores,
            }),
        }
    }
}

fn read_position(board: Field<'_>, side: Field<'_>) -> Result<Position, Fault> {
    let position: Position = board
        .text
        .parse()
        .map_err(|error| Fault::of_board(board.column, error))?;
    let color = diagram::mover(side.text).filter(|_| !side.text.is_empty());
    let mover = color.ok_or_else(|| {
        Fault::new(
            side.column,
            format!("mover unknown: '{}' (expected X or O)", side.text),
        )
    })?;
    Ok(position.with_mover(mover))
}

fn read_score(field: Field<'_>) -> Result<Score, Fault> {
    obf::score(field.text).ok_or_else(|| {
        let problem = format!("'{}' is no score (expected -64..64, like +38)", field.text);
        Fault::new(field.column, problem)
    })
}

fn read_move_score(position: &Position, field: Field<'_>) -> Result<(Move, Score), Fault> {
    obf::move_score(position, field.text).ok_or_else(|| {
        Fault::new(
            field.column,
            ObfError::Field(field.text.to_owned()).to_string(),
        )
    })
}
