//! Temporary files that a test writes for a program to read.

use std::fs;

/// A temporary file, removed on drop.
pub(crate) struct Scratch(tempfile::TempPath);

impl Scratch {
    /// Creates a file that contains `text`.
    /// The path of the file ends with `name`.
    pub(crate) fn new(name: &str, text: &str) -> Scratch {
        let mut file = tempfile::Builder::new();
        let file = file
            .prefix("emilia-")
            .suffix(&format!("-{name}"))
            .tempfile();
        let path = file.expect("a file").into_temp_path();
        fs::write(&path, text).expect("the temporary directory is writable");
        Scratch(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("an ASCII path")
    }
}
