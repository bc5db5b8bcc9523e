//! `BookReader`: the bytes of a book, with errors that name places.

use std::fmt::Display;
use std::path::Path;

use crate::entry::Entry;
use emilia_core::board::{Bitboard, Board};
use emilia_files::FileError;

/// The bytes of a book file that are not read yet, and the receiver of its positions.
pub(super) struct BookReader<'a> {
    pub(super) path: &'a Path,
    pub(super) bytes: &'a [u8],
    /// Number of the position or line that is read, from 1. 0 in the header.
    pub(super) number: u64,
    pub(super) accept: &'a mut dyn FnMut(Board, Entry) -> Result<(), FileError>,
}

impl BookReader<'_> {
    /// The error that the current position or line is refused because of `why`.
    pub(super) fn refused(&self, why: impl Display) -> FileError {
        let why = match self.number {
            0 => why.to_string(),
            number => format!("position {number} {why}"),
        };
        FileError::refused(self.path, why)
    }

    /// Reads the next `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let Some((array, rest)) = self.bytes.split_first_chunk() else {
            return Err(self.refused("is missing: the file is truncated"));
        };
        self.bytes = rest;
        Ok(*array)
    }

    /// Reads the board at the start of the next position.
    pub(super) fn board(&mut self) -> Result<Board, FileError> {
        self.number += 1;
        Ok(Board {
            player: Bitboard(u64::from_le_bytes(self.array()?)),
            opponent: Bitboard(u64::from_le_bytes(self.array()?)),
        })
    }

    /// Passes a position on, if its entry has no fault.
    pub(super) fn accept(&mut self, board: Board, entry: Entry) -> Result<(), FileError> {
        match entry.fault(&board) {
            Some(fault) => Err(self.refused(fault)),
            None => (self.accept)(board, entry),
        }
    }

    /// Checks that nothing follows.
    pub(super) fn end(&self) -> Result<(), FileError> {
        match self.bytes {
            [] => Ok(()),
            _ => Err(FileError::refused(
                self.path,
                "there are extra bytes after the last position",
            )),
        }
    }
}
