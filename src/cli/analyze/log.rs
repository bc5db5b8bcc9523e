//! The file of `--out`: an analysed game on a line, as `--json` prints it, nothing ever changed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::json::{self, Object};
use crate::board::excerpt_within;
use crate::files::{self, FileError};

/// No line is longer, in bytes: a game has 60 moves.
const LONGEST_LINE: u64 = 1 << 20;

/// The file, open for more games, to this process alone.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Begins the file, or goes on with it, and tells of the games that are in it. A last line that was not written to its end is
    /// dropped. Files of the same analysis, one after the other in one file, are such a file.
    ///
    /// # Errors
    /// If it cannot be read or written, or a line is no analysis or not welcome.
    pub fn open(
        path: &Path,
        mut welcome: impl FnMut(Object) -> Result<(), String>,
    ) -> Result<Log, FileError> {
        let fail = |error| FileError::new(path, error);
        let mut file = files::open_to_append(path)?;
        let mut reader = BufReader::new(&mut file);
        let (mut whole, mut line) = (0, Vec::new());
        for number in 1.. {
            line.clear();
            let mut limited = reader.by_ref().take(LONGEST_LINE);
            let length = limited.read_until(b'\n', &mut line).map_err(fail)?;
            // It quotes the line, which may be long, and a terminal obeys some letters.
            let refuse = |what: String| {
                let what = excerpt_within(&what, 300);
                FileError::refused(path, format!("line {number}: {what}"))
            };
            if length as u64 == LONGEST_LINE {
                return Err(refuse("it is too long for a game".to_owned()));
            }
            if line.last() != Some(&b'\n') {
                if line.is_empty() || json::may_begin(&line) {
                    break;
                }
                return Err(refuse("expected the analysis of a game".to_owned()));
            }
            json::read(&line)
                .map_err(|error| format!("expected the analysis of a game: {error}"))
                .and_then(&mut welcome)
                .map_err(refuse)?;
            whole += line.len() as u64;
        }
        file.set_len(whole).map_err(fail)?;
        file.seek(SeekFrom::Start(whole)).map_err(fail)?;
        Ok(Log {
            path: path.to_owned(),
            file,
        })
    }

    /// Adds a game; it is in the hands of the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, object: &Object) -> Result<(), FileError> {
        let mut line = Vec::new();
        json::write(object, &mut line).map_err(|error| FileError::new(&self.path, error))?;
        files::append(&self.path, &mut self.file, &line)
    }
}
