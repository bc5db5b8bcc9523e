//! The file for the stderr of programs.

use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;

use super::cannot_write;
use crate::cli::Failure;
use crate::files::FileError;

/// A file opened for appending, which several matches may share. A new one is removed again if it stays empty.
#[derive(Debug)]
pub(super) struct StderrFile {
    path: PathBuf,
    file: File,
    is_new: bool,
}

impl StderrFile {
    /// Opens or creates the file.
    pub(super) fn open(path: PathBuf) -> Result<StderrFile, Failure> {
        let wrong = |error| cannot_write(&FileError::new(&path, error));
        let is_new = match fs::metadata(&path) {
            // A pipe without a reader would block the match.
            Ok(kind) if !kind.is_file() && !is_device(&kind) => {
                return Err(cannot_write(&FileError::refused(
                    path,
                    "it is not a plain file",
                )));
            }
            found => found.is_err(),
        };
        let file = OpenOptions::new().append(true).create(true).open(&path);
        Ok(StderrFile {
            file: file.map_err(wrong)?,
            path,
            is_new,
        })
    }

    /// A handle to write to.
    pub(super) fn handle(&self) -> Result<File, Failure> {
        Ok(self.file.try_clone()?)
    }
}

/// Terminals and the like, `/dev/null` among them.
#[cfg(unix)]
fn is_device(kind: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&kind.file_type())
}

/// Windows opens its devices by reserved names, whose metadata cannot be read.
#[cfg(not(unix))]
fn is_device(_kind: &fs::Metadata) -> bool {
    false
}

impl Drop for StderrFile {
    fn drop(&mut self) {
        if self.is_new && self.file.metadata().is_ok_and(|kind| kind.len() == 0) {
            // An empty file does no harm.
            let _ = fs::remove_file(&self.path);
        }
    }
}
