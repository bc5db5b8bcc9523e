//! Files for parsers that read nothing else.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

/// A file, gone when dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new(bytes: &[u8]) -> Scratch {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("emilia-fuzz-{}-{number}", process::id()));
        fs::write(&path, bytes).expect("the directory for temporary files can be written");
        Scratch(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// What it holds now.
    pub(super) fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).expect("a file that was written")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file left behind harms nobody.
        let _ = fs::remove_file(&self.0);
    }
}
