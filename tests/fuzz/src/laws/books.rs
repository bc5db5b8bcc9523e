//! Law of opening books: each is read or refused with an error, and what is read is valid.
//! Inputs: the bytes unchanged, in any format. A database is read from a file.

use std::path::Path;

use emilia_book::BookFile;
use emilia_book::exchange::{read, read_bytes};

use super::assert_sentence;
use super::scratch::Scratch;

/// Reads the bytes as a book of the format that they begin with.
pub(super) fn law(bytes: &[u8]) {
    let done = read_bytes(Path::new("bytes"), bytes, &mut |board, entry| {
        assert_eq!(entry.fault(&board), None);
        Ok(())
    });
    if let Err(error) = done {
        assert_sentence(&error);
    }
    if bytes.starts_with(b"SQLite") {
        let file = Scratch::new(bytes);
        let opened = BookFile::open(file.path()).and_then(|book| {
            read(book.path(), &mut |board, entry| {
                assert_eq!(entry.fault(&board), None);
                Ok(())
            })
        });
        if let Err(error) = opened {
            assert_sentence(&error);
        }
    }
}
