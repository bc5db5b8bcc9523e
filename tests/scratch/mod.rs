//! Temporary files that a test writes for a program to read.

use std::path::PathBuf;
use std::{env, fs, process};

/// A temporary file, removed on drop.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Creates a file that contains `text`.
    ///
    /// The path is made of the process ID and `name`, so `name` must be unique in a test crate.
    pub(crate) fn new(name: &str, text: &str) -> Scratch {
        let path = env::temp_dir().join(format!("emilia-{}-{name}", process::id()));
        fs::write(&path, text).expect("the temporary directory is writable");
        Scratch(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("an ASCII path")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A temporary file that stays behind is harmless.
        let _ = fs::remove_file(&self.0);
    }
}
