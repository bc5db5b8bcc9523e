//! Files that a test writes for a program to read.

use std::path::PathBuf;
use std::{env, fs, process};

/// A file with this text, gone when dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// No two of the tests that run at the same time may take the same name.
    pub(crate) fn new(name: &str, text: &str) -> Scratch {
        let path = env::temp_dir().join(format!("emilia-{}-{name}", process::id()));
        fs::write(&path, text).expect("the directory for temporary files can be written");
        Scratch(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("an ASCII path")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file left behind harms nobody.
        let _ = fs::remove_file(&self.0);
    }
}
