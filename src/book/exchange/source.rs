//! `BookReader`: reads the bytes of a book, with errors that name the faulty position.

use std::fmt::Display;
use std::path::Path;

use crate::entry::Entry;
use emilia_core::board::{Bitboard, Board};
use emilia_files::FileError;

/// Reader of a book file. `bytes` are the bytes that are not read yet.
#[derive(Debug)]
pub(super) struct BookReader<'a> {
    pub(super) path: &'a Path,
    pub(super) bytes: &'a [u8],
    /// Number of the position that is being read, counted from 1. It is 0 while the header is read.
    pub(super) number: u64,
}

impl BookReader<'_> {
    /// Returns the error for the header or the current position, with the reason `why`.
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

    /// Reads a number of 4 bytes.
    pub(super) fn number(&mut self) -> Result<u32, FileError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Reads the format version, which must be `expected`. `program` names the program in the
    /// error.
    pub(super) fn version(&mut self, program: &str, expected: u8) -> Result<(), FileError> {
        match self.array()? {
            [version] if version == expected => Ok(()),
            [version] => Err(self.refused(format!(
                "version {version} of {program}'s books, expected {expected}"
            ))),
        }
    }

    /// Reads `count` positions, which must end where the file ends. Each position begins with its
    /// board, and `entry` reads the rest of the position.
    pub(super) fn positions(
        &mut self,
        count: u32,
        entry: impl Fn(&mut Self, &Board) -> Result<Entry, FileError>,
    ) -> Result<Vec<(Board, Entry)>, FileError> {
        let mut positions = Vec::new();
        for _ in 0..count {
            self.number += 1;
            let board = Board {
                player: Bitboard(self.array().map(u64::from_le_bytes)?),
                opponent: Bitboard(self.array().map(u64::from_le_bytes)?),
            };
            let entry = entry(self, &board)?;
            if let Some(fault) = entry.fault(&board) {
                return Err(self.refused(fault));
            }
            positions.push((board, entry));
        }
        match self.bytes {
            [] => Ok(positions),
            _ => Err(FileError::refused(
                self.path,
                "there are extra bytes after the last position",
            )),
        }
    }
}
