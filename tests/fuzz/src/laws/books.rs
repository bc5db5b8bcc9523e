//! Law of opening books: each is read or refused with an error, and what is read is valid.
//! Inputs: the bytes unchanged, in any format. A database is read from a file.

use std::path::Path;

use emilia_book::exchange::{read, read_bytes};

use super::{assert_sentence, file_of};

/// Reads the bytes as a book of the format that they begin with.
pub(super) fn law(bytes: &[u8]) {
    let is_file = bytes.starts_with(b"SQLite");
    let done = if is_file {
        read(&file_of(bytes))
    } else {
        read_bytes(Path::new("bytes"), bytes)
    };
    match done {
        Ok(positions) => {
            let mut positions = positions.iter();
            assert!(positions.all(|(board, entry)| entry.fault(board).is_none()));
        }
        Err(error) => assert_sentence(&error),
    }
}
