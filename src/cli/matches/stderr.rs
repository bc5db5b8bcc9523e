//! File that receives the stderr of programs.

use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;

use crate::cli::Failure;
use crate::files::FileError;

/// File opened for appending, which several matches may share.
/// A newly created file is deleted on drop if it is empty.
#[derive(Debug)]
pub(super) struct StderrFile {
    path: PathBuf,
    file: File,
    is_new: bool,
}

impl StderrFile {
    /// Opens or creates the file.
    ///
    /// # Errors
    /// If it cannot be opened, or is neither a plain file nor a device.
    pub(super) fn open(path: PathBuf) -> Result<StderrFile, Failure> {
        let wrong = |error| Failure::from(FileError::new(&path, error));
        let is_new = match fs::metadata(&path) {
            // Opening a pipe without a reader would block the match.
            Ok(kind) if !kind.is_file() && !is_device(&kind) => {
                return Err(FileError::refused(path, "it is not a plain file").into());
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

    /// Returns a new handle of the file, to be passed to a program.
    pub(super) fn handle(&self) -> Result<File, Failure> {
        Ok(self.file.try_clone()?)
    }
}

/// Returns whether the file is a character device, such as a terminal or `/dev/null`.
#[cfg(unix)]
fn is_device(kind: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&kind.file_type())
}

/// Returns false: Windows opens devices by reserved names without readable metadata.
#[cfg(not(unix))]
fn is_device(_kind: &fs::Metadata) -> bool {
    false
}

impl Drop for StderrFile {
    fn drop(&mut self) {
        if self.is_new && self.file.metadata().is_ok_and(|kind| kind.len() == 0) {
            // If removal fails, an empty file remains, which is harmless.
            let _ = fs::remove_file(&self.path);
        }
    }
}
