//! Reads and writes the positions of a book in its database, one row for each position.
//!
//! A ply of the book is all its positions with the same number of empty squares. Rows are ordered
//! by this number, so that a ply is one range of the table. A row is checked whenever it is read.

use std::sync::atomic::Ordering;

use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};

use super::entry::{Counts, Entry, Leaf};
use super::file::BookFile;
use emilia_core::board::{Bitboard, Board, Square};
use emilia_core::eval::{NO_BYTES, Value, checksum_after};
use emilia_files::FileError;
use emilia_files::database::DAMAGED;

/// Number of columns of the table.
const COLUMNS: usize = 15;

const GET: &str = "SELECT * FROM positions WHERE (empties, player, opponent) = (?, ?, ?)";
const PLY: &str = "SELECT * FROM positions WHERE empties >= ? ORDER BY empties, player, opponent";
const BEFORE_PLY: &str = "SELECT * FROM positions WHERE empties < ? \
                          ORDER BY empties DESC, player DESC, opponent DESC LIMIT 2";
const PUT: &str = "INSERT OR REPLACE INTO positions \
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const REMOVE: &str = "DELETE FROM positions WHERE (empties, player, opponent) = (?, ?, ?)";

impl BookFile {
    /// Looks up a position by any of its symmetric images. Returns `None` if the book lacks it.
    pub fn get(&self, board: &Board) -> Result<Option<Entry>, FileError> {
        let key = key_of(&board.canonical());
        self.run(|connection| {
            let mut get = connection.prepare_cached(GET)?;
            let row = get.query_row(key, entry_of).optional()?;
            let mark = 1 << board.empty_count();
            if row.is_none() && self.checked_plies.load(Ordering::Relaxed) & mark == 0 {
                // A damaged key hides its row, and may hide other rows. Reading the whole ply once
                // detects the damage.
                ply(connection, board.empty_count())?;
                self.checked_plies.fetch_or(mark, Ordering::Relaxed);
            }
            Ok(row.map(|(_, entry)| entry))
        })
    }

    /// Reads the ply of positions with `empties` empty squares, ordered by board.
    pub fn ply(&self, empties: u32) -> Result<Vec<(Board, Entry)>, FileError> {
        self.run(|connection| ply(connection, empties))
    }

    /// Reads all positions, from few empty squares to many.
    pub fn positions(&self) -> Result<Vec<(Board, Entry)>, FileError> {
        let mut positions = Vec::new();
        for empties in 0..=Board::START.empty_count() {
            positions.extend(self.ply(empties)?);
        }
        Ok(positions)
    }

    /// Stores the entry of a board that is the smallest of its symmetric images.
    pub(super) fn put(&self, board: &Board, entry: &Entry) -> Result<(), FileError> {
        let columns = params_from_iter(columns_of(board, entry));
        self.run(|connection| connection.prepare_cached(PUT)?.execute(columns))?;
        Ok(())
    }

    /// Removes the entry of a board that is the smallest of its symmetric images.
    pub(super) fn remove(&self, board: &Board) -> Result<(), FileError> {
        self.run(|connection| connection.prepare_cached(REMOVE)?.execute(key_of(board)))?;
        Ok(())
    }
}

/// Reads a ply. The two rows before the ply and the two rows after it are checked, too: in a
/// damaged file, a row with a wrong key can be stored there.
fn ply(connection: &Connection, empties: u32) -> rusqlite::Result<Vec<(Board, Entry)>> {
    let mut get_before = connection.prepare_cached(BEFORE_PLY)?;
    let before = get_before.query_map([empties], entry_of)?;
    let mut rows: Vec<(Board, Entry)> = before.collect::<Result<_, _>>()?;
    rows.reverse();
    let mut statement = connection.prepare_cached(PLY)?;
    let mut left = 2;
    for read in statement.query_map([empties], entry_of)? {
        let row = read?;
        left -= i32::from(row.0.empty_count() != empties);
        rows.push(row);
        if left == 0 {
            break;
        }
    }
    if !rows.is_sorted_by(|(one, _), (other, _)| key_of(one) < key_of(other)) {
        return Err(damaged());
    }
    rows.retain(|(board, _)| board.empty_count() == empties);
    Ok(rows)
}

/// Returns the key of a board in the table: number of empty squares, player and opponent.
pub(super) fn key_of(board: &Board) -> [i64; 3] {
    let Board { player, opponent } = board;
    let empties = board.empty_count().into();
    [empties, player.0 as i64, opponent.0 as i64]
}

/// Encodes an entry as the columns of its row. The last column is the checksum of the others.
fn columns_of(board: &Board, entry: &Entry) -> [Option<i64>; COLUMNS] {
    let [empties, player, opponent] = key_of(board).map(Some);
    let (leaf, lines) = (entry.leaf, entry.lines);
    let mut columns = [
        empties,
        player,
        opponent,
        Some(entry.value.units().into()),
        Some(entry.bounds.0.into()),
        Some(entry.bounds.1.into()),
        Some(entry.level.into()),
        leaf.map(|leaf| leaf.square.index() as i64),
        leaf.map(|leaf| leaf.value.units().into()),
        leaf.map(|leaf| leaf.level.into()),
        Some(lines.all.into()),
        Some(lines.won.into()),
        Some(lines.drawn.into()),
        Some(lines.lost.into()),
        None,
    ];
    let sum = columns.iter().fold(NO_BYTES, |sum, column| {
        let sum = checksum_after(sum, &[column.is_some().into()]);
        checksum_after(sum, &column.unwrap_or(0).to_le_bytes())
    });
    columns[COLUMNS - 1] = Some((sum as i32).into());
    columns
}

/// Decodes a row of `SELECT *`. Returns an error if the entry has a fault, or if [`columns_of`]
/// would encode it as another row, for example with another checksum.
fn entry_of(row: &Row) -> rusqlite::Result<(Board, Entry)> {
    let mut columns = [None; COLUMNS];
    for (index, column) in columns.iter_mut().enumerate() {
        *column = row.get(index)?;
    }
    let board = Board {
        player: Bitboard(row.get::<_, i64>(1)? as u64),
        opponent: Bitboard(row.get::<_, i64>(2)? as u64),
    };
    let leaf = match row.get::<_, Option<u8>>(7)?.and_then(Square::new) {
        Some(square) => Some(Leaf::new(square, value_of(row.get(8)?)?, row.get(9)?)),
        None => None,
    };
    let entry = Entry {
        value: value_of(row.get(3)?)?,
        bounds: (row.get(4)?, row.get(5)?),
        level: row.get(6)?,
        leaf,
        lines: Counts {
            all: row.get(10)?,
            won: row.get(11)?,
            drawn: row.get(12)?,
            lost: row.get(13)?,
        },
    };
    if columns != columns_of(&board, &entry) || entry.fault(&board).is_some() {
        return Err(damaged());
    }
    Ok((board, entry))
}

/// Returns the error for a row that this program cannot have written.
fn damaged() -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(DAMAGED.into())
}

/// Converts a column in 1/32 disc to a value. Returns an error if the value exceeds 64 discs.
fn value_of(units: i32) -> rusqlite::Result<Value> {
    let is_score = units.unsigned_abs() <= Value::MAX.units().unsigned_abs();
    let value = is_score.then(|| Value::from_units(units));
    value.ok_or_else(damaged)
}
