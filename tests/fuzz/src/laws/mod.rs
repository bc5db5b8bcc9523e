//! The laws of every parser, for any bytes: it does not panic; what it reads and writes again is read as the same; and what it
//! refuses, it refuses in a sentence. The fuzzer watches over time and memory as well.
//!
//! The targets of the fuzzer and `tests/fuzz.rs` share this module.

mod checkpoints;
mod games;
mod logs;
mod positions;
mod scratch;
mod sessions;
mod training;
mod weights;
mod words;
mod wthor;

use std::fmt::Display;

use emilia::protocol::Protocol;

/// What has to hold for any bytes: panics where it does not.
pub(crate) type Law = fn(&[u8]);

/// The targets by name. Each has a folder in `tests/fuzz/seeds` and a file in `tests/fuzz/src/bin`.
pub(crate) const TARGETS: [(&str, Law); 11] = [
    ("positions", positions::law),
    ("games", games::law),
    ("wthor", wthor::law),
    ("weights", weights::law),
    ("training", training::law),
    ("checkpoints", checkpoints::law),
    ("logs", logs::law),
    ("words", words::law),
    ("gtp", |bytes| sessions::law(Protocol::Gtp, bytes)),
    ("nboard", |bytes| sessions::law(Protocol::NBoard, bytes)),
    ("uci", |bytes| sessions::law(Protocol::Uci, bytes)),
];

/// No sentence is longer, in characters.
const LONGEST_SENTENCE: usize = 400;

/// One line that a person can read.
fn assert_sentence(error: &impl Display) {
    let sentence = error.to_string();
    assert!(!sentence.trim().is_empty(), "nothing is said");
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

/// FNV-1a of 64 bits, which seals files: a fuzzer does not find it by chance.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
