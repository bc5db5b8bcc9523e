//! Checks the files of a command before it starts: an output must not overwrite an input, another
//! output, or, without `--force`, any existing file.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{FileError, can_replace, is_stream, target};

/// Input and output files of a command. Each output has the name of its option, for error messages.
///
/// Call [`check`](Paths::check) before any work.
#[derive(Debug, Default)]
pub struct Paths {
    inputs: Vec<PathBuf>,
    outputs: Vec<Output>,
}

#[derive(Debug)]
struct Output {
    option: &'static str,
    path: PathBuf,
    /// Whether the command appends to the file. Such a file may exist, and the command itself
    /// checks its content. Otherwise the file is written as a whole.
    is_appended: bool,
}

impl Paths {
    /// Adds input files. `-` means stdin, which may be redirected from a file.
    #[must_use]
    pub fn input<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Paths {
        let inputs = paths.into_iter().map(Into::into);
        self.inputs.extend(inputs.map(|path| match path.to_str() {
            Some("-") => PathBuf::from("/dev/stdin"),
            _ => path,
        }));
        self
    }

    /// Adds a file that is written as a whole, if `path` is given.
    #[must_use]
    pub fn output(self, option: &'static str, path: Option<&Path>) -> Paths {
        self.add_output(option, path, false)
    }

    /// Adds a file that is appended to, if `path` is given. The file may exist.
    #[must_use]
    pub fn append_output(self, option: &'static str, path: Option<&Path>) -> Paths {
        self.add_output(option, path, true)
    }

    fn add_output(mut self, option: &'static str, path: Option<&Path>, is_appended: bool) -> Paths {
        self.outputs.extend(path.map(|path| Output {
            option,
            path: path.to_owned(),
            is_appended,
        }));
        self
    }

    /// Checks all files, without changing any.
    ///
    /// Symbolic and hard links are followed. Pipes and devices are always accepted.
    ///
    /// # Errors
    /// Returns an error for the first output that
    /// - is also an input or another output,
    /// - exists, unless `force` is set or the command appends to it, or
    /// - cannot be written. A file to which the command appends is not tested for this.
    pub fn check(&self, force: bool) -> Result<(), FileError> {
        let identified = self.inputs.iter().map(|path| (Identity::of(path), path));
        let inputs: HashMap<Identity, &PathBuf> = identified.collect();
        let mut others = HashMap::new();
        for Output {
            option,
            path,
            is_appended,
        } in &self.outputs
        {
            if is_stream(path) {
                continue;
            }
            let refused = |why: String| Err(FileError::refused(path, why));
            let identity = Identity::of(path);
            if let Some(input) = inputs.get(&identity) {
                let name = input.display();
                return refused(format!(
                    "{option} would overwrite the input '{name}'; give another name"
                ));
            }
            if let Some(other) = others.insert(identity, option) {
                return refused(format!(
                    "{other} and {option} name the same file; each needs one of its own"
                ));
            }
            if *is_appended {
                continue;
            }
            if !force && path.is_file() {
                let why = "it exists; give another name, or --force to write over it";
                return refused(why.to_owned());
            }
            can_replace(path)?;
        }
        Ok(())
    }
}

/// Identity of a file, equal for all paths that lead to it.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    /// Device and inode numbers, equal for all hard links.
    #[cfg(unix)]
    Node(u64, u64),
    /// Path without symbolic links, for a file that does not exist, and for any file on systems
    /// other than Unix. Hard links count as different files: [`replace`](super::replace) leaves the
    /// other links unchanged.
    Path(PathBuf),
}

impl Identity {
    /// Returns the identity of the file to which `path` leads, links followed.
    fn of(path: &Path) -> Identity {
        #[cfg(unix)]
        if let Ok(file) = fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Identity::Node(file.dev(), file.ino());
        }
        let target = target(path);
        Identity::Path(fs::canonicalize(&target).unwrap_or(target))
    }
}
