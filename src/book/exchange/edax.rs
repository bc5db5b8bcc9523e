//! Binary books of Edax, version 4. All numbers are little-endian.
//!
//! - Header, 42 bytes: magic bytes (8 bytes), version (1), release (1), date (8), five options of 4
//!   bytes (level, empty squares down to which Edax learns, maximum errors in midgame and endgame,
//!   verbosity), number of positions (4).
//! - Each position: player and opponent (8 each), numbers of won, drawn, lost and all lines of the
//!   book below it (4 each), value and bounds (2 each), number of links (1), level (1), the links
//!   (moves to positions of the book), and the leaf (the best other move).
//! - Each link, and the leaf: score (1) and move (1), where a1 = 0 … h8 = 63, pass = 64, none = 65.

use super::Exported;
use super::source::BookReader;
use crate::entry::{Counts, Entry, Leaf, SOLVED};
use crate::file::BookFile;
use crate::graph::{Link, walk};
use emilia_core::board::{Bitboard, Board, Square};
use emilia_core::eval::Value;
use emilia_files::FileError;

/// The words EDAX and BOOK as two little-endian numbers of 32 bits.
pub(super) const MAGIC: &[u8] = b"XADEKOOB";

const VERSION: u8 = 4;
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;

/// Score in place of a missing leaf.
const NO_SCORE: i8 = -127;

pub(super) fn read(source: &mut BookReader) -> Result<Vec<(Board, Entry)>, FileError> {
    let _magic: [u8; 8] = source.array()?;
    source.version("Edax", VERSION)?;
    let _release_date_and_options: [u8; 29] = source.array()?;
    let count = source.number()?;
    source.positions(count, entry)
}

/// Reads an entry. Skips the links: a move is a link if the position after it is in the book.
fn entry(source: &mut BookReader, _board: &Board) -> Result<Entry, FileError> {
    let counts = Counts {
        won: source.number()?,
        drawn: source.number()?,
        lost: source.number()?,
        all: source.number()?,
    };
    let mut scores = [0; 3];
    for score in &mut scores {
        let read = i16::from_le_bytes(source.array()?);
        let in_range = i8::try_from(read).ok().filter(|score| *score != i8::MIN);
        *score = in_range.ok_or_else(|| source.refused(format!("has the score {read}")))?;
    }
    let [value, lower, upper] = scores;
    let [links, level] = source.array()?;
    for _ in 0..links {
        let _link: [u8; 2] = source.array()?;
    }
    let [score, mv] = source.array()?;
    let leaf = match Square::new(mv) {
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
        lines: counts,
        ..Entry::new(Value::from_score(value.into()), level)
    })
}

/// Encodes the book as a file of Edax. Counts the exported positions in `exported`.
pub(super) fn write(book: &BookFile, exported: &mut Exported) -> Result<Vec<u8>, FileError> {
    let mut records = Vec::new();
    let (mut highest, mut min_empties) = (0, Board::START.empty_count());
    walk(
        |empties| book.ply(empties),
        // This closure returns the value of a position, and whether the position is left out of the
        // file. A link to such a position can become the leaf of the position before it.
        |board, entry, links: &[Link<(Value, bool)>]| {
            if entry.leaf.is_none() && links.is_empty() && !board.is_over() {
                exported.bare += 1;
                return Ok((entry.value, true));
            }
            let (bare, links): (Vec<_>, Vec<_>) = links.iter().partition(|link| link.child.1);
            let leaves = bare.iter().filter_map(|link: &&Link<_>| {
                let square = link.mv.square()?;
                Some(Leaf::new(square, -link.child.0, entry.level))
            });
            let mut leaf = leaves.chain(entry.leaf).max_by_key(|leaf| leaf.value);
            let linked: Bitboard = links.iter().filter_map(|link| link.mv.square()).collect();
            let free = board.legal_moves() & !linked;
            if let (None, Some(square)) = (leaf, free.first()) {
                leaf = Some(Leaf::new(square, Value::MIN, 0));
                exported.without_leaf += 1;
            }
            if entry.level < SOLVED {
                highest = highest.max(entry.level);
            }
            min_empties = min_empties.min(board.empty_count());
            exported.positions += 1;
            write_position(board, &Entry { leaf, ..*entry }, &links, &mut records);
            Ok((entry.value, false))
        },
    )?;
    let level = if highest == 0 { SOLVED } else { highest };
    // The date is 0, so that equal books give equal files. The options are the settings with which
    // Edax continues to learn: level, empty squares down to which Edax expands leaves, errors of
    // midgame and endgame in discs, verbosity.
    let mut bytes = [MAGIC, &[VERSION, 0], &[0; 8]].concat();
    let count = exported.positions as u32;
    for number in [level.into(), min_empties + 1, 2, 1, 0, count] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(records);
    Ok(bytes)
}

fn write_position(
    board: &Board,
    entry: &Entry,
    links: &[&Link<(Value, bool)>],
    bytes: &mut Vec<u8>,
) {
    let score = |value: Value| value.round_to_score() as i8;
    bytes.extend(board.player.0.to_le_bytes());
    bytes.extend(board.opponent.0.to_le_bytes());
    let counts = entry.lines;
    for count in [counts.won, counts.drawn, counts.lost, counts.all] {
        bytes.extend(count.to_le_bytes());
    }
    for score in [score(entry.value), entry.bounds.0, entry.bounds.1] {
        bytes.extend(i16::from(score).to_le_bytes());
    }
    bytes.extend([links.len() as u8, entry.level]);
    for link in links {
        let mv = link.mv.square().map_or(PASS, |square| square.index() as u8);
        bytes.extend([score(-link.child.0) as u8, mv]);
    }
    bytes.extend(match entry.leaf {
        Some(leaf) => [score(leaf.value) as u8, leaf.square.index() as u8],
        None => [NO_SCORE as u8, NO_MOVE],
    });
}
