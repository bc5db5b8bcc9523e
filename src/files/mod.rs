//! Files of the user: read with a limit, appended to by one program at a time, replaced whole or not at all; and the
//! checksum that tells torn ones.

mod checksum;
mod paths;

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

pub(crate) use checksum::checksum;
#[cfg(feature = "train")]
pub(crate) use checksum::{NO_BYTES, checksum_after};
pub use paths::Paths;

/// What went wrong with which file.
#[derive(Debug)]
pub struct FileError {
    path: PathBuf,
    error: io::Error,
}

impl FileError {
    /// The error that a call on this file returned.
    pub fn new(path: impl Into<PathBuf>, error: io::Error) -> FileError {
        FileError {
            path: path.into(),
            error,
        }
    }

    /// A file whose content or kind cannot be used.
    pub fn refused(
        path: impl Into<PathBuf>,
        why: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> FileError {
        FileError::new(path, io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// The error without the name of the file, which the caller knows.
    pub fn into_error(self) -> io::Error {
        self.error
    }

    /// The kind of the error.
    pub fn kind(&self) -> io::ErrorKind {
        self.error.kind()
    }
}

/// `'games.bin': No space left on device (os error 28)`.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.path.display(), self.error)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The first byte that is not text, and its offset. Old files may be in any encoding.
pub fn first_binary(bytes: &[u8]) -> Option<(usize, u8)> {
    /// The end of a file in DOS.
    const CONTROL_Z: u8 = 0x1a;
    let is_text = |byte: u8| byte >= b' ' || byte.is_ascii_whitespace() || byte == CONTROL_Z;
    let mut pairs = bytes.iter().copied().enumerate();
    pairs.find(|&(_, byte)| !is_text(byte))
}

/// All bytes of a file or pipe, which must not be more than `most`: an endless one ends in an error.
///
/// # Errors
/// If it cannot be read, or is larger.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let file = File::open(path).map_err(|error| FileError::new(path, error))?;
    read_stream(path, file, most)
}

/// All bytes that come from `stream`, which errors call `name`, of which there must not be more than `most`.
///
/// # Errors
/// If it cannot be read, or is longer.
pub fn read_stream(name: &Path, stream: impl Read, most: u64) -> Result<Vec<u8>, FileError> {
    let wrong = |error| FileError::new(name, error);
    let mut bytes = Vec::new();
    stream
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(wrong)?;
    if bytes.len() as u64 > most {
        let limit = if most < MIB {
            format!("{most} bytes")
        } else {
            format!("{} MiB", most / MIB)
        };
        return Err(FileError::refused(
            name,
            format!("it is larger than the {limit} that are read"),
        ));
    }
    Ok(bytes)
}

/// All of a text file or pipe of at most `most` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    String::from_utf8(read(path, most)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        FileError::refused(path, format!("it is not text: byte {at} is not UTF-8"))
    })
}

/// All bytes of a plain file of at most `most` bytes. Pipes and devices, whose opening may block for ever, are refused.
///
/// # Errors
/// If it cannot be read, is no plain file, or is larger.
pub fn read_plain(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let kind = fs::metadata(path).map_err(|error| FileError::new(path, error))?;
    if !kind.is_file() {
        return Err(FileError::refused(path, NOT_PLAIN));
    }
    read(path, most)
}

/// Opens a plain file to be read and appended to, and makes it if it is not there. It is locked for this process as long
/// as it is open.
///
/// # Errors
/// If it cannot be opened, is no plain file, or another program has it open in the same way.
pub fn open_to_append(path: &Path) -> Result<File, FileError> {
    let wrong = |error| FileError::new(path, error);
    match fs::metadata(path) {
        Ok(kind) if !kind.is_file() => return Err(FileError::refused(path, NOT_PLAIN)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(wrong(error)),
        _ => {}
    }
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(wrong)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(FileError::refused(
            path,
            "another program is writing to it; wait for that, or give another file",
        )),
        // A file system without locks cannot tell; one writer is what a user has.
        Err(fs::TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            Ok(file)
        }
        Err(fs::TryLockError::Error(error)) => Err(wrong(error)),
    }
}

/// Adds `bytes` to a file that [`open_to_append`] has opened.
///
/// # Errors
/// If they cannot be written, or the file is not there any more, so that they would be lost.
pub fn append(path: &Path, file: &mut File, bytes: &[u8]) -> Result<(), FileError> {
    let wrong = |error| FileError::new(path, error);
    file.write_all(bytes).map_err(wrong)?;
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(FileError::refused(
            path,
            "it was removed while it was being written",
        )),
        _ => Ok(()),
    }
}

/// Puts `bytes` into a file. A plain file has the old content or all of the new one, whatever happens on the way; pipes
/// and devices are written to as they are.
///
/// # Errors
/// If it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut replacement = Replacement::create(path)?;
    replacement.write(bytes)?;
    replacement.finish()
}

/// A new content of a file, written in parts. It takes the place of the old content with
/// [`finish`](Replacement::finish); without, nothing is changed. Pipes and devices are written to
/// as they are.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    file: File,
    /// The new file, and where it goes to.
    names: Option<[PathBuf; 2]>,
}

impl Replacement {
    /// Begins a new content of the file at `path`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> Result<Replacement, FileError> {
        let wrong = |error| FileError::new(path, error);
        if is_stream(path) {
            let file = open_stream(path).map_err(wrong)?;
            return Ok(Replacement {
                path: path.to_owned(),
                file,
                names: None,
            });
        }
        let target = target(path);
        let new = beside(target.clone());
        let file = File::create_new(&new).map_err(wrong)?;
        let replacement = Replacement {
            path: path.to_owned(),
            file,
            names: Some([new, target]),
        };
        if let Ok(old) = fs::metadata(path) {
            let permissions = replacement.file.set_permissions(old.permissions());
            permissions.map_err(wrong)?;
        }
        Ok(replacement)
    }

    /// Adds to the content.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| FileError::new(&self.path, error))
    }

    /// Puts the content into its place.
    ///
    /// # Errors
    /// If it cannot be written; the old content stays, then.
    pub fn finish(mut self) -> Result<(), FileError> {
        let Some([new, target]) = &self.names else {
            return Ok(());
        };
        let renamed = self.file.sync_all().and_then(|()| fs::rename(new, target));
        renamed.map_err(|error| FileError::new(&self.path, error))?;
        self.names = None;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some([new, _]) = &self.names {
            // The error that ended it matters more.
            let _ = fs::remove_file(new);
        }
    }
}

/// Renames a file, if there is one, to a name beside it that is free: `name.1`, `name.2` and so on.
/// Returns the new name.
///
/// # Errors
/// If it cannot be renamed, is no plain file, or another program is appending to it.
pub fn set_aside(path: &Path) -> Result<Option<PathBuf>, FileError> {
    let wrong = |error| FileError::new(path, error);
    if !path.exists() {
        return Ok(None);
    }
    let _lock = open_to_append(path)?;
    for number in 1_u32.. {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        let free = PathBuf::from(name);
        // Made first, so that nothing is overwritten.
        match File::create_new(&free) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made.map(drop)
                    .and_then(|()| fs::rename(path, &free))
                    .map_err(wrong)?;
                return Ok(Some(free));
            }
        }
    }
    Err(FileError::refused(
        path,
        "too many files beside it have its name",
    ))
}

/// Whether [`replace`] could write to this path now: asked before long work whose result goes there. Nothing is changed.
///
/// # Errors
/// If it is a folder, or its folder is not there or cannot be written to.
fn can_replace(path: &Path) -> Result<(), FileError> {
    let wrong = |error| FileError::new(path, error);
    if path.is_dir() {
        return Err(wrong(io::ErrorKind::IsADirectory.into()));
    }
    let new = beside(target(path));
    File::create_new(&new).map_err(wrong)?;
    fs::remove_file(&new).map_err(wrong)
}

/// Whether a path is a pipe or a device, whose opening may have effects, or an open file of this
/// process: what is written there takes the place of nothing.
fn is_stream(path: &Path) -> bool {
    /// The files of the standard streams, where the system names them so.
    const OPEN: [&str; 5] = [
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/fd",
        "/proc/self/fd",
    ];
    fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
        || OPEN.iter().any(|open| path.starts_with(open))
}

/// Opens what is a stream to be written to.
fn open_stream(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if path == Path::new("/dev/stdout") {
        // Opened anew, a file there would be written from its beginning once more.
        use std::os::fd::AsFd;
        return Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?));
    }
    OpenOptions::new().append(true).open(path)
}

/// The file that a path leads to, whether it exists or not: a link goes on pointing to it.
fn target(path: &Path) -> PathBuf {
    /// The most links that a system follows.
    const MOST_LINKS: usize = 40;
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else {
            break;
        };
        target = target
            .parent()
            .map_or(next.clone(), |folder| folder.join(&next));
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    match (fs::canonicalize(folder), target.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => target,
    }
}

/// The name of the file that takes the place of `target` when it is complete.
fn beside(target: PathBuf) -> PathBuf {
    let mut name = target.into_os_string();
    name.push(format!(".{}.new", std::process::id()));
    PathBuf::from(name)
}

/// Bytes of a mebibyte.
pub const MIB: u64 = 1 << 20;

const NOT_PLAIN: &str = "it is not a plain file";

#[cfg(test)]
mod tests;
