//! Append-only file of `--out`: one analysed game a line, in the format of `--json`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::json::{self, Object};
use crate::files::excerpt_within;
use crate::files::{self, FileError};

/// Maximum length of a line in bytes. A game has at most 60 moves.
const LONGEST_LINE: u64 = 1 << 20;

/// Log file, open for appending and locked by this process.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Opens or creates the file and calls `welcome` for each game that it holds.
    /// An incomplete last line is dropped. Logs of the same analysis may be joined by `cat`.
    ///
    /// # Errors
    /// If the file cannot be read or written, a line is no analysis, or `welcome` refuses a game.
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
            // The message may quote a long line with control characters, so it is shortened.
            let refuse = |what: String| {
                let what = excerpt_within(&what, 300);
                FileError::refused(path, format!("line {number}: {what}"))
            };
            if length as u64 == LONGEST_LINE {
                return Err(refuse(
                    "longer than the analysis of a game can be".to_owned(),
                ));
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

    /// Appends a game. The line has been passed to the operating system when this returns.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, object: &Object) -> Result<(), FileError> {
        let mut line = Vec::new();
        json::write(object, &mut line).map_err(|error| FileError::new(&self.path, error))?;
        files::append(&self.path, &mut self.file, &line)
    }
}
