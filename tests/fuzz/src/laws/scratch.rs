//! Temporary files for parsers that read only from files.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

/// A temporary file, removed on drop.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Creates a file that contains `bytes`, with a unique name.
    pub(super) fn new(bytes: &[u8]) -> Scratch {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("emilia-fuzz-{}-{number}", process::id()));
        fs::write(&path, bytes).expect("the temporary directory is writable");
        Scratch(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the current content of the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).expect("a file that was written")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A temporary file that stays behind is harmless.
        let _ = fs::remove_file(&self.0);
    }
}
