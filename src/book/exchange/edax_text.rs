//! Text of Edax's books: a line `BOARD X,level,LEAF,score` for each position.
//!
//! The score is that of the leaf. `--` with −127 is a position without a leaf.

use super::Record;
use super::source::BookReader;
use crate::board::{Board, Color, Move, Position};
use crate::book::entry::{Entry, Leaf, UNBOUNDED};
use crate::eval::Value;
use crate::files::FileError;

/// Leaf and score of a position whose moves are all links.
const NO_LEAF: (&str, i8) = ("--", -127);

pub(super) fn read(
    source: &mut BookReader,
    accept: &mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
) -> Result<(), FileError> {
    while let Some(line) = source.line()? {
        if line.is_empty() {
            continue;
        }
        let read = position(&line).ok_or_else(|| {
            let line = crate::files::excerpt(&line);
            source.refused(format!(
                "'{line}' is no line of Edax's text (BOARD X,level,LEAF,score)"
            ))
        });
        let (board, entry) = read?;
        if let Some(fault) = entry.fault(&board) {
            return Err(source.refused(fault));
        }
        accept(board, entry)?;
    }
    Ok(())
}

fn position(line: &str) -> Option<(Board, Entry)> {
    let mut fields = line.split(',');
    let position: Position = fields.next()?.parse().ok()?;
    let level = fields.next()?.parse().ok()?;
    let (mv, score) = (fields.next()?, fields.next()?);
    let board = position.board.canonical();
    let leaf = if (mv, score.parse().ok()?) == NO_LEAF {
        Leaf::Unknown
    } else {
        let Ok(Move::Place(square)) = mv.parse() else {
            return None;
        };
        let value = Value::from_score(score.parse().ok()?);
        // The board may be another image of the position.
        let child = position
            .board
            .legal_moves()
            .contains(square)
            .then(|| position.board.play(square));
        let child = child?.canonical();
        let mut moves = board.legal_moves().squares();
        let square = moves.find(|&mv| board.play(mv).canonical() == child)?;
        Leaf::Move {
            square,
            value,
            level,
        }
    };
    let entry = Entry {
        value: leaf.value(),
        bounds: UNBOUNDED,
        level,
        leaf,
        ..Entry::default()
    };
    fields.next().is_none().then_some((board, entry))
}

pub(super) fn line(record: &Record) -> String {
    let Record { board, entry, .. } = record;
    let position = Position {
        board: **board,
        mover: Color::Black,
    };
    let level = entry.level;
    match entry.leaf {
        Leaf::Move { square, value, .. } => {
            let leaf = square.to_string().to_uppercase();
            format!("{position},{level},{leaf},{}\n", value.round_to_score())
        }
        Leaf::None | Leaf::Unknown => format!("{position},{level},{},{}\n", NO_LEAF.0, NO_LEAF.1),
    }
}
