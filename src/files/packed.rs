//! Unpacks files of gzip, bzip2 and zip, which are recognised by their first bytes.

use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};

use bzip2::read::MultiBzDecoder;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use rawzip::{CompressionMethod, ZipArchive, ZipSliceArchive};

use super::{FileError, too_large};
use emilia_core::board::{Sentence, excerpt_within};

/// A file with its unpacked content: the file itself, or one of the files in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// Path of the file. If the file is in an archive, the path begins with the path of the
    /// archive.
    pub path: PathBuf,
    /// Unpacked bytes of the file.
    pub bytes: Vec<u8>,
}

/// Maximum length in characters of an archive member's name in messages.
const MAX_NAME: usize = 100;

/// First bytes of the formats that are unpacked: gzip, bzip2 and zip.
const UNPACKED: [&[u8]; 3] = [b"\x1f\x8b\x08", b"BZh", b"PK\x03\x04"];

/// First bytes of a bzip2 block, which follows the four bytes of the bzip2 header.
const BZIP2_BLOCK: &[u8] = b"1AY&SY";

/// Packed formats that are recognised but not unpacked: the name of each, and an offset with the
/// bytes there that identify the format.
const OTHERS: [(&str, usize, &[u8]); 7] = [
    ("xz", 0, b"\xfd7zXZ\0"),
    ("zstd", 0, b"\x28\xb5\x2f\xfd"),
    ("7z", 0, b"7z\xbc\xaf\x27\x1c"),
    ("rar", 0, b"Rar!\x1a\x07"),
    ("lzip", 0, b"LZIP\x01"),
    ("compress", 0, b"\x1f\x9d\x90"),
    ("tar", 257, b"ustar"),
];

/// Unpacks a file, and the packed files within it. A file that is not packed is returned unchanged.
/// In a zip archive, folders are skipped, and so are files with a part of their path that begins
/// with a dot or is `__MACOSX`.
///
/// # Errors
/// If the file is damaged, has another packed format, or its unpacked content exceeds `most` bytes.
pub fn unpack(path: &Path, bytes: Vec<u8>, most: u64) -> Result<Vec<Unpacked>, FileError> {
    unpack_within(path, bytes, &mut { most })
}

/// Same as [`unpack`], for one of several files that share a limit. `left` is the number of bytes
/// that may still be unpacked. The number of unpacked bytes is subtracted from `left`, even if the
/// file is damaged. A file that is not packed counts with its own bytes. After a file that is too
/// large, `left` is 0.
pub fn unpack_within(
    path: &Path,
    bytes: Vec<u8>,
    left: &mut u64,
) -> Result<Vec<Unpacked>, FileError> {
    let mut files = Vec::new();
    let most = *left;
    if !is_packed(&bytes) {
        *left = left.saturating_sub(bytes.len() as u64);
    }
    Budget { left, most }.unpack(path, bytes, MAX_DEPTH, &mut files)?;
    Ok(files)
}

/// Maximum depth of packed files within packed files. The outermost file has depth 1.
const MAX_DEPTH: usize = 4;

/// Limit of the number of unpacked bytes: `left` of `most` bytes remain.
struct Budget<'a> {
    left: &'a mut u64,
    most: u64,
}

impl Budget<'_> {
    fn unpack(
        &mut self,
        path: &Path,
        bytes: Vec<u8>,
        depth: usize,
        files: &mut Vec<Unpacked>,
    ) -> Result<(), FileError> {
        let [is_gzip, is_bzip2, is_archive] = UNPACKED.map(|magic| bytes.starts_with(magic));
        if !(is_gzip || is_archive || is_bzip2 && bytes.get(4..10) == Some(BZIP2_BLOCK)) {
            refuse_others(path, &bytes)?;
            files.push(Unpacked {
                path: path.to_owned(),
                bytes,
            });
            return Ok(());
        }
        let Some(deeper) = depth.checked_sub(1) else {
            let why = format!("more than {MAX_DEPTH} archives within each other; unpack it first");
            return Err(FileError::refused(path, why));
        };
        if is_archive {
            return self.members(path, &bytes, deeper, files);
        }
        let unpacked = if is_gzip {
            self.read(path, MultiGzDecoder::new(&*bytes))?
        } else {
            self.read(path, MultiBzDecoder::new(&*bytes))?
        };
        self.unpack(path, unpacked, deeper, files)
    }

    /// Reads a decompressed stream to its end, within the limit.
    fn read(&mut self, path: &Path, stream: impl Read) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        let read = stream.take(*self.left + 1).read_to_end(&mut bytes);
        let is_too_large = bytes.len() as u64 > *self.left;
        *self.left = self.left.saturating_sub(bytes.len() as u64);
        read.map_err(|error| FileError::refused(path, damage(&error)))?;
        if is_too_large {
            return Err(too_large(path, self.most));
        }
        Ok(bytes)
    }

    /// Adds the files of a zip archive to `files`.
    fn members(
        &mut self,
        path: &Path,
        bytes: &[u8],
        depth: usize,
        files: &mut Vec<Unpacked>,
    ) -> Result<(), FileError> {
        let damaged = |error: rawzip::Error| FileError::refused(path, damage(&error));
        let archive: ZipSliceArchive<&[u8]> = ZipArchive::from_slice(bytes).map_err(damaged)?;
        let mut entries = archive.entries();
        while let Some(entry) = entries.next_entry().map_err(damaged)? {
            let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
            let mut parts = name.split(['/', '\\']);
            if entry.is_dir() || parts.any(|part| part.starts_with('.') || part == "__MACOSX") {
                continue;
            }
            let shown = excerpt_within(name.trim_start_matches('/'), MAX_NAME);
            let member = path.join(shown);
            let is_encrypted = entry.flags().is_encrypted();
            let method = Some(entry.compression_method()).filter(|_| !is_encrypted);
            let entry = archive.get_entry(entry.wayfinder()).map_err(damaged)?;
            let data = entry.data();
            let data: Box<dyn Read> = match method {
                Some(CompressionMethod::STORE) => Box::new(data),
                Some(CompressionMethod::DEFLATE) => Box::new(DeflateDecoder::new(data)),
                _ => {
                    let why =
                        "it is encrypted, or packed by a method that is not read; unpack it first";
                    let why = Sentence::new("packed-unread", why);
                    return Err(FileError::refused(member, why));
                }
            };
            let bytes = self.read(&member, entry.verifying_reader(data))?;
            self.unpack(&member, bytes, depth, files)?;
        }
        Ok(())
    }
}

/// Returns whether a file that begins with `start` is packed, in a supported or another format.
/// A format that bytes at a later offset identify, such as tar, is not recognised.
pub fn is_packed(start: &[u8]) -> bool {
    let others = OTHERS.iter().filter(|(_, at, _)| *at == 0);
    let mut all = UNPACKED.into_iter().chain(others.map(|(.., magic)| *magic));
    all.any(|magic| start.starts_with(magic))
}

/// Same as [`unpack`], for a file that must not be an archive of several files.
pub fn unpack_one(path: &Path, bytes: Vec<u8>, most: u64) -> Result<Vec<u8>, FileError> {
    let mut files = unpack(path, bytes, most)?;
    match files.len() {
        1 => Ok(files.remove(0).bytes),
        count => {
            let why = format!("there are {count} files in it (expected one); unpack it first");
            Err(FileError::refused(path, why))
        }
    }
}

fn refuse_others(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let is_of = |&&(_, at, magic): &&(&str, usize, &[u8])| {
        bytes
            .get(at..)
            .is_some_and(|bytes| bytes.starts_with(magic))
    };
    match OTHERS.iter().find(is_of) {
        Some((name, ..)) => {
            let why =
                format!("it is packed ({name}); unpack it first (.gz, .bz2 and .zip are read)");
            Err(FileError::refused(path, Sentence::new("packed", why)))
        }
        None => Ok(()),
    }
}

fn damage(error: &dyn Error) -> Sentence {
    let text = format!("it is damaged and cannot be unpacked: {error}");
    Sentence::new("packed-damaged", text)
}
