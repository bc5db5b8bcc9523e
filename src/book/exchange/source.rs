//! `BookReader` and `BookWriter`: buffered book files, with errors that name places.

use std::fmt::Display;
use std::io::{self, BufRead, Read};
use std::path::Path;

use crate::files::{self, FileError, Replacement};

/// Longest line of a text format in bytes.
const MAX_LINE: u64 = 4096;

/// Bytes that are collected before they are written.
const CHUNK: usize = 1 << 20;

/// A book file that is read from front to back.
pub(super) struct BookReader<'a> {
    path: &'a Path,
    reader: &'a mut dyn BufRead,
    /// Number of the position or line that is read, from 1. 0 in the header.
    number: u64,
}

impl<'a> BookReader<'a> {
    pub(super) fn new(path: &'a Path, reader: &'a mut dyn BufRead) -> BookReader<'a> {
        BookReader {
            path,
            reader,
            number: 0,
        }
    }

    /// Starts the next position or line.
    pub(super) fn next(&mut self) {
        self.number += 1;
    }

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
        let mut bytes = [0; N];
        match self.reader.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.refused("is missing: the file is truncated"))
            }
            Err(error) => Err(FileError::new(self.path, error)),
        }
    }

    /// Reads all bytes that follow, at most `most`.
    pub(super) fn rest(&mut self, most: u64) -> Result<Vec<u8>, FileError> {
        files::read_stream(self.path, &mut *self.reader, most)
    }

    /// Checks that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), FileError> {
        let rest = self.reader.fill_buf();
        let rest = rest.map_err(|error| FileError::new(self.path, error))?;
        if rest.is_empty() {
            Ok(())
        } else {
            Err(FileError::refused(
                self.path,
                "there are extra bytes after the last position",
            ))
        }
    }

    /// Reads the next line, or `None` at the end.
    pub(super) fn line(&mut self) -> Result<Option<String>, FileError> {
        self.next();
        let mut line = Vec::new();
        let length = (&mut *self.reader)
            .take(MAX_LINE)
            .read_until(b'\n', &mut line)
            .map_err(|error| FileError::new(self.path, error))? as u64;
        if length == MAX_LINE {
            return Err(self.refused("is longer than a line of a book"));
        }
        let line = String::from_utf8(line).map_err(|_| self.refused("is no text"))?;
        Ok((length > 0).then(|| line.trim_end().to_owned()))
    }
}

/// A book file that is written from front to back, and replaces an old one when it is complete.
#[derive(Debug)]
pub(super) struct BookWriter {
    file: Replacement,
    buffer: Vec<u8>,
}

impl BookWriter {
    pub(super) fn create(path: &Path) -> Result<BookWriter, FileError> {
        let file = Replacement::create(path)?;
        let buffer = Vec::with_capacity(2 * CHUNK);
        Ok(BookWriter { file, buffer })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.buffer.extend(bytes);
        if self.buffer.len() >= CHUNK {
            self.file.write(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), FileError> {
        self.file.write(&self.buffer)?;
        self.file.finish()
    }
}
