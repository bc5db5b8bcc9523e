//! Books of Egaroucid, version 3. All numbers are little-endian.
//!
//! - Header: magic bytes (9 bytes), version (1), number of positions (4).
//! - Each position, 25 bytes: player and opponent (8 each), value (1), level (1), number of lines
//!   of the book below it (4), and of the leaf (the best move that leads out of the book): value
//!   (1), move (1), level (1).
//!
//! Links, the moves to positions of the book, are not stored. They are found by looking up the
//! positions after the moves.
//!
//! Egaroucid numbers the bits of a board from h8. If the bits are numbered from a1, its boards are
//! rotated by 180°, which is one of the eight symmetries of the board.

use super::source::BookReader;
use crate::entry::{Entry, Leaf};
use emilia_core::board::{Board, Square};
use emilia_core::eval::Value;
use emilia_files::FileError;

pub(super) const MAGIC: &[u8] = b"DICUORAGE";

const VERSION: u8 = 3;

/// Value and move that a file has where the leaf of a position, its best move out of the book, is
/// unknown.
const UNKNOWN: (i8, u8) = (-126, 125);

/// Level of a value of unknown origin.
const UNKNOWN_LEVEL: u8 = u8::MAX;

pub(super) fn read(source: &mut BookReader) -> Result<Vec<(Board, Entry)>, FileError> {
    let _magic: [u8; 9] = source.array()?;
    source.version("Egaroucid", VERSION)?;
    let count = source.number()?;
    source.positions(count, entry)
}

fn entry(source: &mut BookReader, board: &Board) -> Result<Entry, FileError> {
    let level_of = |level| if level == UNKNOWN_LEVEL { 0 } else { level };
    let [value, level] = source.array()?;
    let all = source.number()?;
    let [leaf_value, mv, leaf_level] = source.array()?;
    let moves = board.legal_moves();
    // It is not documented whether squares are numbered from a1 or from h8. The code tries both and
    // takes the first legal square.
    let indices = [Some(mv), 63_u8.checked_sub(mv)].into_iter().flatten();
    let mut squares = indices.filter_map(Square::new);
    let leaf = match squares.find(|square| moves.contains(*square)) {
        Some(square) if leaf_value as i8 != UNKNOWN.0 => {
            let value = Value::from_score((leaf_value as i8).into());
            Some(Leaf::new(square, value, level_of(leaf_level)))
        }
        _ => None,
    };
    let value = Value::from_score((value as i8).into());
    let mut entry = Entry::new(value, level_of(level));
    (entry.leaf, entry.lines.all) = (leaf, all);
    Ok(entry)
}

pub(super) fn write(positions: &[(Board, Entry)]) -> Vec<u8> {
    let score = |value: Value| value.round_to_score() as i8 as u8;
    let level_of = |level| if level == 0 { UNKNOWN_LEVEL } else { level };
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    bytes.extend((positions.len() as u32).to_le_bytes());
    for (board, entry) in positions {
        bytes.extend(board.player.0.to_le_bytes());
        bytes.extend(board.opponent.0.to_le_bytes());
        bytes.extend([score(entry.value), level_of(entry.level)]);
        bytes.extend(entry.lines.all.to_le_bytes());
        bytes.extend(match entry.leaf {
            Some(Leaf {
                square,
                value,
                level,
            }) => [score(value), square.index() as u8, level_of(level)],
            None => [UNKNOWN.0 as u8, UNKNOWN.1, level_of(entry.level)],
        });
    }
    bytes
}
