//! Temporary files that a test writes for a program to read.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

use emilia_core::eval::NetWeights;

/// A temporary file, removed on drop.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Creates a file that contains `text`.
    /// The path of the file ends with `name`.
    pub(crate) fn new(name: &str, text: &str) -> Scratch {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (id, number) = (process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(format!("emilia-{id}-{number}-{name}"));
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

/// Returns the path of a file with the embedded weights.
pub(crate) fn embedded_weights() -> String {
    let path = format!("{}/{}.net", env!("CARGO_TARGET_TMPDIR"), process::id());
    if !fs::exists(&path).expect("a readable folder") {
        let part = format!("{path}.{:?}", std::thread::current().id());
        fs::write(&part, NetWeights::EMBEDDED).expect("a writable folder");
        fs::rename(part, &path).expect("a writable folder");
    }
    path
}
