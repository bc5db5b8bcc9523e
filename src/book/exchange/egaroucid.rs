//! Books of Egaroucid, version 3. All numbers are little-endian.
//!
//! Header: magic bytes (9), version (1), number of positions (4). Each position, 25 bytes: player
//! and opponent (8 each), value (1), level (1), lines (4), leaf: value (1), move (1), level (1).
//! Links are found by looking up the positions after the moves.
//! Egaroucid numbers the bits of a board from h8. Read from a1, its boards are rotated by 180°,
//! which is one of the symmetries of the book.

use super::Record;
use super::source::BookReader;
use crate::board::{Bitboard, Board, Square};
use crate::book::entry::{Entry, Leaf, Lines};
use crate::eval::Value;
use crate::files::FileError;

pub(super) const MAGIC: &[u8] = b"DICUORAGE";

const VERSION: u8 = 3;

/// Value and move of an unknown leaf.
const UNKNOWN: (i8, u8) = (-126, 125);

/// Bytes of a position.
const BYTES: u64 = 25;

pub(super) fn read(
    source: &mut BookReader,
    size: u64,
    accept: &mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let _magic: [u8; 9] = source.array()?;
    let [version] = source.array()?;
    if version != VERSION {
        let why = format!("version {version} of Egaroucid's books, expected {VERSION}");
        return Err(source.refused(why));
    }
    let count = u32::from_le_bytes(source.array()?);
    if u64::from(count) * BYTES > size {
        return Err(source.refused(format!("{count} positions do not fit {size} bytes")));
    }
    for _ in 0..count {
        source.next();
        let (board, entry) = position(source)?;
        accept(board, entry)?;
    }
    source.end()
}

fn position(source: &mut BookReader) -> Result<(Board, Entry), FileError> {
    let board = Board {
        player: Bitboard(u64::from_le_bytes(source.array()?)),
        opponent: Bitboard(u64::from_le_bytes(source.array()?)),
    };
    let [value, level] = source.array()?;
    let all = u32::from_le_bytes(source.array()?);
    let [leaf_value, mv, leaf_level] = source.array()?;
    let moves = board.legal_moves();
    // Whether moves count from a1 or from h8 is not documented: the legal one is taken.
    let squares = [Some(mv), 63_u8.checked_sub(mv)].into_iter().flatten();
    let mut squares = squares.filter_map(Square::new);
    let leaf = match squares.find(|square| moves.contains(*square)) {
        Some(square) if leaf_value as i8 != UNKNOWN.0 => Leaf::Move {
            square,
            value: Value::from_score((leaf_value as i8).into()),
            level: leaf_level,
        },
        _ => Leaf::Unknown,
    };
    let entry = Entry {
        value: Some(Value::from_score((value as i8).into())),
        level,
        leaf,
        lines: Lines {
            all,
            ..Lines::default()
        },
        ..Entry::default()
    };
    match entry.fault(&board) {
        Some(fault) => Err(source.refused(fault)),
        None => Ok((board, entry)),
    }
}

pub(super) fn header(count: u64) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.push(VERSION);
    header.extend((count as u32).to_le_bytes());
    header
}

pub(super) fn record(record: &Record) -> Vec<u8> {
    let Record { board, entry, .. } = record;
    let score = |value: Value| value.round_to_score() as i8 as u8;
    let mut bytes = Vec::with_capacity(BYTES as usize);
    bytes.extend(board.player.0.to_le_bytes());
    bytes.extend(board.opponent.0.to_le_bytes());
    bytes.extend([entry.value.map_or(0, score), entry.level]);
    bytes.extend(entry.lines.all.to_le_bytes());
    bytes.extend(match entry.leaf {
        Leaf::Move {
            square,
            value,
            level,
        } => [score(value), square.index() as u8, level],
        Leaf::None | Leaf::Unknown => [UNKNOWN.0 as u8, UNKNOWN.1, entry.level],
    });
    bytes
}
