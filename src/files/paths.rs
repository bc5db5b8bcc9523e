//! The files that a command is about to read and write: an output overwrites no input, no other
//! output, and no file that exists unless that was asked for.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use super::{FileError, can_replace, is_stream, target};

/// The endings of the names of outputs that are of one kind only, by the option that names them.
const ENDINGS: [(&str, &[&str]); 3] = [
    ("--svg", &["svg"]),
    ("--png", &["png"]),
    ("--html", &["html", "htm"]),
];

/// The files of a command, each with the option that names it. [`check`](Paths::check) comes before
/// any work.
#[derive(Debug, Default)]
pub struct Paths {
    inputs: Vec<PathBuf>,
    outputs: Vec<Output>,
}

/// A file to write.
#[derive(Debug)]
struct Output {
    option: &'static str,
    path: PathBuf,
    how: How,
}

/// How an output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// As a whole.
    Whole,
    /// As a whole, into a folder that is made if it does not exist.
    InFolder,
    /// Behind what it holds, which the command checks.
    Appended,
}

impl Paths {
    /// Adds files to read. `-` is stdin, which may come from a file.
    #[must_use]
    pub fn reads<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Paths {
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

    /// Adds a file to write as a whole, if one is given.
    #[must_use]
    pub fn writes(self, option: &'static str, path: Option<&Path>) -> Paths {
        self.output(option, path, How::Whole)
    }

    /// Adds a file to append to, if one is given. It may exist.
    #[must_use]
    pub fn appends(self, option: &'static str, path: Option<&Path>) -> Paths {
        self.output(option, path, How::Appended)
    }

    /// Adds files to write as a whole into a folder, which need not exist.
    #[must_use]
    pub fn fills(
        mut self,
        option: &'static str,
        folder: &Path,
        names: impl IntoIterator<Item = String>,
    ) -> Paths {
        for name in names {
            self = self.output(option, Some(&folder.join(name)), How::InFolder);
        }
        self
    }

    fn output(mut self, option: &'static str, path: Option<&Path>, how: How) -> Paths {
        self.outputs.extend(path.map(|path| Output {
            option,
            path: path.to_owned(),
            how,
        }));
        self
    }

    /// Refuses outputs that are inputs or other outputs, links followed; that exist, without
    /// `force`; whose ending is of another kind; or that could not be written. Pipes and devices
    /// keep nothing that could be lost, and are as welcome as new files. Nothing is changed.
    ///
    /// # Errors
    /// The first output that is refused, and why.
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
    /// Refuses a name with the ending of another kind of file. A name without an ending may be of
    /// any.
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

/// What two paths to one file have in common.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    /// Its number on its device, the same for all hard links.
    #[cfg(unix)]
    Node(u64, u64),
    /// Its path without links. Elsewhere hard links are different files, of which
    /// [`replace`](super::replace) keeps the others.
    Path(PathBuf),
}

impl Identity {
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
