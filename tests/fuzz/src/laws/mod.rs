//! Laws of the parsers, checked for any input bytes.
//!
//! No parser may panic, and every error message must be one readable line.
//! A value that is read, written and read again must be equal.
//! Each file below holds the law of one fuzz target.
//! `tests/fuzz.rs` checks the same laws. The fuzzer limits time and memory as well.

mod books;
mod checkpoints;
mod games;
mod logs;
mod packed;
mod positions;
mod sessions;
mod training;
mod weights;
mod words;
mod wthor;

use std::fmt::Display;
use std::io::Write;

use emilia_protocol::Protocol;
use tempfile::{NamedTempFile, TempPath};

/// A check that must hold for any bytes. It panics if it does not hold.
pub(crate) type Law = fn(&[u8]);

/// Fuzz targets by name. Each has a folder in `tests/fuzz/seeds`.
pub(crate) const TARGETS: [(&str, Law); 14] = [
    ("positions", positions::law),
    ("games", games::law),
    ("packed", packed::law),
    ("wthor", wthor::law),
    ("weights", weights::law),
    ("training", training::law),
    ("checkpoints", checkpoints::law),
    ("logs", logs::law),
    ("books", books::law),
    ("words", words::law),
    ("gtp", |bytes| sessions::law(Protocol::Gtp, bytes)),
    ("nboard", |bytes| sessions::law(Protocol::NBoard, bytes)),
    ("uci", |bytes| sessions::law(Protocol::Uci, bytes)),
    ("cassio", |bytes| sessions::law(Protocol::Cassio, bytes)),
];

/// Maximum length of an error message in characters.
const LONGEST_SENTENCE: usize = 400;

/// Asserts that an error message is one non-empty line without control characters.
fn assert_sentence(error: &impl Display) {
    let sentence = error.to_string();
    assert!(!sentence.trim().is_empty(), "empty error message");
    assert!(
        !sentence.contains(char::is_control),
        "control character: {sentence:?}"
    );
    let length = sentence.chars().count();
    assert!(
        length <= LONGEST_SENTENCE,
        "{length} characters: {sentence}"
    );
}

/// Returns a temporary file that contains `bytes`. It is removed on drop.
fn file_of(bytes: &[u8]) -> TempPath {
    let mut file = NamedTempFile::new().expect("the temporary directory is writable");
    file.write_all(bytes).expect("room on the disk");
    file.into_temp_path()
}

/// Returns the 64-bit FNV-1a hash, the checksum of Emilia's file formats.
///
/// The laws write it into mutated files, because random mutations never make a checksum match.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
