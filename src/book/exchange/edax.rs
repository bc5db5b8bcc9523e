//! Binary books of Edax, version 4. All numbers are little-endian.
//!
//! Header, 42 bytes: magic bytes (8), version (1), release (1), date (8), five options of 4 bytes
//! (level, empty squares down to which it learns, two errors, verbosity), number of positions (4).
//! Each position: player and opponent (8 each), wins, draws, losses and lines (4 each),
//! value and bounds (2 each), number of links (1), level (1), the links, and the leaf.
//! Links and leaf: score (1) and move (1), a1 = 0 … h8 = 63, pass = 64, none = 65.

use super::source::BookReader;
use super::{Exported, Record};
use crate::entry::{Counts, Entry, Leaf, SOLVED};
use emilia_core::board::{Bitboard, Board, Square};
use emilia_core::eval::Value;
use emilia_files::FileError;

/// The words EDAX and BOOK as numbers.
pub(super) const MAGIC: &[u8] = b"XADEKOOB";

const VERSION: u8 = 4;
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;

/// Score of a leaf that does not exist.
const NO_SCORE: i8 = -127;

pub(super) fn read(source: &mut BookReader) -> Result<(), FileError> {
    let _magic: [u8; 8] = source.array()?;
    let [version, ..] = source.array::<10>()?;
    if version != VERSION {
        return Err(source.refused(format!(
            "version {version} of Edax's books, expected {VERSION}"
        )));
    }
    let _options: [u8; 20] = source.array()?;
    for _ in 0..i32::from_le_bytes(source.array()?) {
        let board = source.board()?;
        let entry = entry(source, &board)?;
        source.accept(board, entry)?;
    }
    source.end()
}

fn entry(source: &mut BookReader, board: &Board) -> Result<Entry, FileError> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = u32::from_le_bytes(source.array()?);
    }
    let [won, drawn, lost, all] = counts;
    let mut scores = [0; 3];
    for score in &mut scores {
        let read = i16::from_le_bytes(source.array()?);
        let in_range = i8::try_from(read).ok().filter(|score| *score != i8::MIN);
        *score = in_range.ok_or_else(|| source.refused(format!("has the score {read}")))?;
    }
    let [value, lower, upper] = scores;
    let [links, level] = source.array()?;
    let moves = board.legal_moves();
    let mut linked = Bitboard(0);
    for _ in 0..links {
        let [_, mv] = source.array()?;
        match Square::new(mv) {
            Some(square) if moves.contains(square) && !linked.contains(square) => {
                linked |= Bitboard::of(square);
            }
            None if mv == PASS && links == 1 && moves.is_empty() => {}
            _ => return Err(source.refused("has a link that is no legal move, or twice")),
        }
    }
    let [score, mv] = source.array()?;
    let leaf = match Square::new(mv) {
        Some(square) if linked.contains(square) => {
            return Err(source.refused("has a leaf that is a link, too"));
        }
        Some(square) => {
            let value = Value::from_score((score as i8).into());
            Some(Leaf::new(square, value, level))
        }
        None if mv == NO_MOVE => None,
        None => return Err(source.refused(format!("has a leaf with the move number {mv}"))),
    };
    Ok(Entry {
        bounds: (lower, upper),
        leaf,
        lines: Counts {
            won,
            drawn,
            lost,
            all,
        },
        ..Entry::new(Value::from_score(value.into()), level)
    })
}

/// The header of an export. Its date is not set, because equal books are equal files. The options
/// are those with which Edax continues to learn: level, empty squares down to which it expands
/// leaves, errors of midgame and endgame in discs, verbosity.
pub(super) fn header(all: &Exported) -> Vec<u8> {
    let level = if all.level == 0 { SOLVED } else { all.level };
    let mut header = MAGIC.to_vec();
    header.extend([VERSION, 0]);
    header.extend([0; 8]);
    for option in [level.into(), all.min_empties + 1, 2, 1, 0] {
        header.extend(option.to_le_bytes());
    }
    header.extend((all.positions as u32).to_le_bytes());
    header
}

pub(super) fn record(record: &Record) -> Vec<u8> {
    let Record {
        board,
        entry,
        links,
    } = record;
    let mut bytes = Vec::with_capacity(64);
    bytes.extend(board.player.0.to_le_bytes());
    bytes.extend(board.opponent.0.to_le_bytes());
    let lines = entry.lines;
    for count in [lines.won, lines.drawn, lines.lost, lines.all] {
        bytes.extend(count.to_le_bytes());
    }
    for score in [score(entry.value), entry.bounds.0, entry.bounds.1] {
        bytes.extend(i16::from(score).to_le_bytes());
    }
    bytes.extend([links.len() as u8, entry.level]);
    for &(mv, value) in *links {
        let mv = mv.square().map_or(PASS, |square| square.index() as u8);
        bytes.extend([score(value) as u8, mv]);
    }
    let leaf = entry
        .leaf
        .map(|leaf| [score(leaf.value) as u8, leaf.square.index() as u8]);
    bytes.extend(leaf.unwrap_or([NO_SCORE as u8, NO_MOVE]));
    bytes
}

fn score(value: Value) -> i8 {
    value.round_to_score() as i8
}
