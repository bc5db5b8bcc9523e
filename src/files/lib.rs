//! File access: reads with a size limit, appends under a lock, atomic replacement.
//!
//! [`read`] also unpacks gzip, bzip2 and zip files (`packed`). With the feature `database`, the
//! module `database` opens `SQLite` files. [`FileError`] adds the path to an I/O error. [`Paths`]
//! checks the files of a command before it starts.

#[cfg(feature = "database")]
pub mod database;
mod json_lines;
mod packed;
mod paths;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use emilia_core::board::Sentence;

pub use json_lines::JsonLines;
pub use packed::{Unpacked, is_packed, unpack, unpack_one, unpack_within};
pub use paths::Paths;

/// I/O error with the path of its file, as `'games.bin': No space left on device (os error 28)`.
#[derive(Debug, thiserror::Error)]
#[error("'{}': {}", .path.display(), self.reason())]
pub struct FileError {
    path: PathBuf,
    #[source]
    error: io::Error,
}

impl FileError {
    /// Creates an error from `error`, which concerns the file at `path`.
    pub fn new(path: impl Into<PathBuf>, error: io::Error) -> FileError {
        FileError {
            path: path.into(),
            error,
        }
    }

    /// Creates an error of the kind `InvalidData` for a file that cannot be used, with the reason
    /// `why`.
    pub fn refused(
        path: impl Into<PathBuf>,
        why: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> FileError {
        FileError::new(path, io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the text of the error without the path. The text does not depend on the operating
    /// system if a file or folder is missing, or if the path of a file to read is a folder.
    pub fn reason(&self) -> String {
        let is_missing =
            self.error.raw_os_error().is_some() && self.kind() == io::ErrorKind::NotFound;
        let is_absent = |folder: &&Path| *folder != Path::new("") && !folder.exists();
        match self.path.parent().filter(is_absent) {
            Some(folder) if is_missing => format!("there is no folder '{}'", folder.display()),
            _ if is_missing => "no such file".to_owned(),
            _ if self.kind() == io::ErrorKind::IsADirectory => {
                "it is a folder; name a file in it".to_owned()
            }
            _ => self.error.to_string(),
        }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> io::ErrorKind {
        self.error.kind()
    }
}

/// Converts to a [`Sentence`]: a message with a code and named values, for translation. The text
/// begins with the path, and the value `file` is the path. If the inner error is itself a
/// [`Sentence`], its code and values are kept.
impl From<FileError> for Sentence {
    fn from(error: FileError) -> Sentence {
        let inner = error.error.get_ref();
        let own = inner.and_then(|inner| inner.downcast_ref::<Sentence>());
        let sentence = own.map_or_else(|| error.reason().into(), Sentence::clone);
        let path = error.path.display();
        let with_path = sentence.with("file", &path);
        with_path.within(format_args!("'{path}': "))
    }
}

/// Returns the offset and value of the first byte that no text file contains, or `None`. Bytes
/// above 127 count as text, because old files may be in any encoding.
pub fn first_binary(bytes: &[u8]) -> Option<(usize, u8)> {
    /// End-of-file character of DOS text files.
    const CONTROL_Z: u8 = 0x1a;
    let is_text = |byte: u8| byte >= b' ' || byte.is_ascii_whitespace() || byte == CONTROL_Z;
    let mut pairs = bytes.iter().copied().enumerate();
    pairs.find(|&(_, byte)| !is_text(byte))
}

/// Reads a file or pipe, and unpacks it if it is packed. Fails if the file or its unpacked content
/// has more than `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    unpack_one(path, read_packed(path, most)?, most)
}

/// Reads a file or pipe without unpacking it. Fails if it has more than `most` bytes.
pub fn read_packed(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let file = File::open(path).map_err(|error| FileError::new(path, error))?;
    read_stream(path, file, most)
}

/// Reads `stream` to its end. It is an error if the stream has more than `most` bytes. `most` must
/// be a multiple of [`MIB`], because the error states the limit in whole MiB. Errors give `name` as
/// the path of the stream.
pub fn read_stream(name: &Path, stream: impl Read, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let read = stream.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| FileError::new(name, error))?;
    if bytes.len() as u64 > most {
        return Err(too_large(name, most));
    }
    Ok(bytes)
}

/// Returns the error for a file of more than `most` bytes.
fn too_large(path: &Path, most: u64) -> FileError {
    let why = format!("it is larger than the {} MiB that are read", most / MIB);
    FileError::refused(path, why)
}

/// Reads a text file or pipe, and unpacks it as [`read`] does. Fails if the text is not UTF-8, or
/// has more than `most` bytes.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    String::from_utf8(read(path, most)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        FileError::refused(path, format!("it is not text: byte {at} is not UTF-8"))
    })
}

/// Refuses a pipe, a device or a folder. A file that does not exist is accepted.
pub fn check_plain(path: &Path) -> Result<(), FileError> {
    match fs::metadata(path) {
        Ok(kind) if !kind.is_file() => Err(FileError::refused(path, "it is not a plain file")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::new(path, error)),
        _ => Ok(()),
    }
}

/// Opens a regular file for reading and appending, and creates it if it does not exist. The caller
/// must read or seek to the end before the first [`append`]. The file stays locked against other
/// processes until it is closed.
///
/// # Errors
/// Returns an error if the file cannot be opened, is not a regular file, or is locked by another
/// program.
pub fn open_to_append(path: &Path) -> Result<File, FileError> {
    let wrong = |error| FileError::new(path, error);
    check_plain(path)?;
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(wrong)?;
    locked(path, file)
}

/// Locks a folder against other processes until the result is dropped. Returns `None` on Windows,
/// which cannot lock folders.
///
/// # Errors
/// If the folder cannot be opened, or another program has locked it.
pub fn lock_folder(path: &Path) -> Result<Option<File>, FileError> {
    if cfg!(windows) {
        return Ok(None);
    }
    let folder = File::open(path).map_err(|error| FileError::new(path, error))?;
    locked(path, folder).map(Some)
}

/// Longest wait for a lock. A short wait is needed even without another writer: a child process
/// that is being started holds copies of this process's open files and locks until its own program
/// runs.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// Locks a file or folder. Returns an error if another program keeps it locked.
fn locked(path: &Path, file: File) -> Result<File, FileError> {
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(fs::TryLockError::WouldBlock) if started.elapsed() < LOCK_PATIENCE => {
                thread::sleep(Duration::from_millis(10));
            }
            Err(fs::TryLockError::WouldBlock) => {
                let why = "another program is writing to it; wait for that, or give another file";
                return Err(FileError::refused(path, why));
            }
            // The file system has no locks. Most likely there is no other writer, so the file is
            // used unlocked.
            Err(fs::TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(file);
            }
            Err(fs::TryLockError::Error(error)) => return Err(FileError::new(path, error)),
        }
    }
}

/// Writes `bytes` at the current position of `file`, which [`open_to_append`] opened at `path`. The
/// caller has moved the position to the end.
///
/// # Errors
/// Returns an error if the bytes cannot be written, or if the file has been deleted meanwhile.
pub fn append(path: &Path, file: &mut File, bytes: &[u8]) -> Result<(), FileError> {
    let written = file.write_all(bytes);
    written.map_err(|error| FileError::new(path, error))?;
    if fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        let why = "it was removed while it was being written";
        return Err(FileError::refused(path, why));
    }
    Ok(())
}

/// Replaces the content of a file by `bytes`. Pipes and devices are written directly.
/// On failure, a regular file keeps its old content.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut replacement = Replacement::create(path)?;
    replacement.write(bytes)?;
    replacement.finish()
}

/// New content of a file, written in several calls of [`write`](Replacement::write) to a temporary
/// file.
///
/// [`finish`](Replacement::finish) replaces the file. If a `Replacement` is dropped before, the
/// file stays unchanged. Pipes and devices are written directly.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    file: File,
    /// Paths of the temporary file and of the file to replace. `None` for a pipe or device, which
    /// is written directly.
    names: Option<[PathBuf; 2]>,
}

impl Replacement {
    /// Starts a replacement of the file at `path`.
    pub fn create(path: &Path) -> Result<Replacement, FileError> {
        let wrong = |error| FileError::new(path, error);
        let names = (!is_stream(path)).then(|| {
            let target = target(path);
            [unfinished(&target), target]
        });
        let file = match &names {
            Some([new, _]) => {
                // A killed process with the same process id may have left its temporary file.
                let _ = fs::remove_file(new);
                File::create_new(new)
            }
            None => open_stream(path),
        };
        let replacement = Replacement {
            path: path.to_owned(),
            file: file.map_err(wrong)?,
            names,
        };
        if let (Ok(old), Some(_)) = (fs::metadata(path), &replacement.names) {
            let permissions = replacement.file.set_permissions(old.permissions());
            permissions.map_err(wrong)?;
        }
        Ok(replacement)
    }

    /// Appends to the new content.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| FileError::new(&self.path, error))
    }

    /// Replaces the old content by the new one.
    ///
    /// # Errors
    /// Returns an error if the new content cannot be written. The old content is then kept.
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
            // The caller already has the error that prevented `finish`, if there was one. A
            // temporary file that cannot be removed stays.
            let _ = fs::remove_file(new);
        }
    }
}

/// Checks that [`replace`] can write to `path`. Call this before long work whose result is written
/// to `path`. Existing files are not changed.
///
/// # Errors
/// Returns an error if the path is a folder, or if its folder is missing or not writable.
fn can_replace(path: &Path) -> Result<(), FileError> {
    if path.is_dir() {
        return Err(FileError::new(path, io::ErrorKind::IsADirectory.into()));
    }
    Replacement::create(path).map(drop)
}

/// Returns whether a path is a pipe, a device, or an open file of this process such as
/// `/dev/stdout`. Output to such a path does not go through a temporary file. The path is not
/// opened, because opening it may have side effects.
fn is_stream(path: &Path) -> bool {
    /// Paths of the standard streams and of open files on Unix.
    const OPEN: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];
    fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
        || OPEN.iter().any(|open| path.starts_with(open))
}

/// Opens a path for writing that [`is_stream`] accepts.
fn open_stream(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if path == Path::new("/dev/stdout") {
        // `/dev/stdout` may be a regular file. Opening it again would write from its beginning,
        // over what is already written.
        use std::os::fd::AsFd;
        return Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?));
    }
    OpenOptions::new().append(true).open(path)
}

/// Returns the path to which symbolic links lead from `path`. The file need not exist.
pub fn target(path: &Path) -> PathBuf {
    /// Maximum number of links followed, as in Linux.
    const MAX_LINKS: usize = 40;
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else {
            break;
        };
        target.pop();
        target.push(next);
    }
    let parent = target.parent().filter(|folder| *folder != Path::new(""));
    let folder = parent.unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), target.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => target,
    }
}

/// Returns the path of this process's temporary file with the new content of `target`.
fn unfinished(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(format!(".emilia-new-{}", std::process::id()));
    name.into()
}

/// Bytes per mebibyte.
pub const MIB: u64 = 1 << 20;

#[cfg(test)]
mod tests;
