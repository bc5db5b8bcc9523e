//! Checks the files of a command before it starts: an output must not overwrite an input, another
//! output, or, without `--force`, any existing file.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use super::{FileError, can_replace, is_stream, target};

/// Options whose output has a fixed kind, with the file name extensions of that kind.
const ENDINGS: [(&str, &[&str]); 3] = [
    ("--svg", &["svg"]),
    ("--png", &["png"]),
    ("--html", &["html", "htm"]),
];

/// Input and output files of a command. Outputs carry the name of their option.
///
/// Call [`check`](Paths::check) before any work.
#[derive(Debug, Default)]
pub struct Paths {
    inputs: Vec<PathBuf>,
    outputs: Vec<Output>,
}

/// Output file.
#[derive(Debug)]
struct Output {
    option: &'static str,
    path: PathBuf,
    how: How,
}

/// How an output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Replaced as a whole.
    Whole,
    /// Replaced as a whole, in a folder that is created if it does not exist.
    InFolder,
    /// Appended to. The command checks the existing content.
    Appended,
}

impl Paths {
    /// Adds input files. `-` is stdin, which may be redirected from a file.
    #[must_use]
    pub fn input<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Paths {
        self.inputs.extend(paths.into_iter().map(|path| {
            let path = path.into();
            if path == Path::new("-") {
                PathBuf::from("/dev/stdin")
            } else {
                path
            }
        }));
        self
    }

    /// Adds a file that is written as a whole, if `path` is given.
    #[must_use]
    pub fn output(self, option: &'static str, path: Option<&Path>) -> Paths {
        self.add_output(option, path, How::Whole)
    }

    /// Adds a file that is appended to, if `path` is given. The file may exist.
    #[must_use]
    pub fn append_output(self, option: &'static str, path: Option<&Path>) -> Paths {
        self.add_output(option, path, How::Appended)
    }

    /// Adds files that are written as a whole into a folder. The folder need not exist.
    #[must_use]
    pub fn folder_output(
        mut self,
        option: &'static str,
        folder: &Path,
        names: impl IntoIterator<Item = String>,
    ) -> Paths {
        for name in names {
            self = self.add_output(option, Some(&folder.join(name)), How::InFolder);
        }
        self
    }

    fn add_output(mut self, option: &'static str, path: Option<&Path>, how: How) -> Paths {
        self.outputs.extend(path.map(|path| Output {
            option,
            path: path.to_owned(),
            how,
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
    /// - exists, unless `force` is set,
    /// - has a name extension of another kind, or
    /// - cannot be written.
    pub fn check(&self, force: bool) -> Result<(), FileError> {
        let outputs = || {
            self.outputs
                .iter()
                .filter(|output| !is_stream(&output.path))
        };
        let inputs: HashMap<Identity, &Path> = self
            .inputs
            .iter()
            .map(|path| (Identity::of(path), path.as_path()))
            .collect();
        let mut others = HashMap::new();
        for output in outputs() {
            let identity = Identity::of(&output.path);
            if let Some(input) = inputs.get(&identity) {
                let why = format!(
                    "{} would overwrite the input '{}'; give another name",
                    output.option,
                    input.display()
                );
                return Err(FileError::refused(&output.path, why));
            }
            match others.entry(identity) {
                Entry::Vacant(entry) => entry.insert(output.option),
                Entry::Occupied(entry) => {
                    let why = format!(
                        "{} and {} name the same file; each needs one of its own",
                        entry.get(),
                        output.option
                    );
                    return Err(FileError::refused(&output.path, why));
                }
            };
        }
        for output in outputs().filter(|output| output.how != How::Appended) {
            output.check_ending()?;
            if !force && output.path.is_file() {
                let why = "it exists; give another name, or --force to write over it";
                return Err(FileError::refused(&output.path, why));
            }
        }
        let mut folders = HashSet::new();
        for output in outputs() {
            let folder = output.path.parent();
            match output.how {
                How::Whole => can_replace(&output.path)?,
                How::InFolder if folder.is_some_and(Path::is_dir) => {
                    if output.path.is_dir() || folders.insert(folder) {
                        can_replace(&output.path)?;
                    }
                }
                How::InFolder | How::Appended => {}
            }
        }
        Ok(())
    }
}

impl Output {
    /// Refuses a name extension of another kind. A name without an extension is accepted.
    fn check_ending(&self) -> Result<(), FileError> {
        let kind = ENDINGS.iter().find(|(option, _)| *option == self.option);
        let (Some((_, endings)), Some(own)) = (kind, self.path.extension()) else {
            return Ok(());
        };
        if endings
            .iter()
            .any(|ending| own.eq_ignore_ascii_case(ending))
        {
            return Ok(());
        }
        let why = format!(
            "{} writes another kind of file; give a name that ends in .{}",
            self.option,
            endings.join(" or .")
        );
        Err(FileError::refused(&self.path, why))
    }
}

/// Identity of a file, equal for all paths that lead to it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// Device and inode numbers, equal for all hard links.
    #[cfg(unix)]
    Node(u64, u64),
    /// Path without symbolic links. Hard links count as different files:
    /// [`replace`](super::replace) leaves the other links unchanged.
    Path(PathBuf),
}

impl Identity {
    /// The identity of the file behind `path`, links followed.
    pub fn of(path: &Path) -> Identity {
        #[cfg(unix)]
        if let Ok(file) = fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Identity::Node(file.dev(), file.ino());
        }
        let target = target(path);
        Identity::Path(fs::canonicalize(&target).unwrap_or(target))
    }
}

/// Returns whether the file has a second hard link, where the system says so.
pub fn has_other_names(path: &Path) -> bool {
    let file = fs::metadata(path);
    #[cfg(unix)]
    let count = file.map(|file| std::os::unix::fs::MetadataExt::nlink(&file));
    #[cfg(not(unix))]
    let count = file.map(|_| 1);
    count.is_ok_and(|count| count > 1)
}
