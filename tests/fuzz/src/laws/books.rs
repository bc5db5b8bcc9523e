//! Law of opening books: each is read or refused with an error, and what is read is valid.
//! Inputs: the bytes unchanged, in any format. A database is read from a file.

use emilia::book::exchange::{BookFormat, read, read_bytes};
use emilia::book::{BookFile, moves};

use super::assert_sentence;
use super::scratch::Scratch;

/// Reads the bytes as a book of the format that they begin with.
pub(super) fn law(bytes: &[u8]) {
    let mut positions = Vec::new();
    let done = read_bytes(bytes, &mut |board, entry| {
        assert_eq!(entry.fault(&board), None);
        positions.push((board, entry));
        Ok(())
    });
    match done {
        Ok(Some(format)) => assert_ne!(format, BookFormat::Emilia),
        Ok(None) => {}
        Err(error) => assert_sentence(&error),
    }
    for (board, entry) in &positions {
        let found: Result<_, ()> = moves(board, entry, |_| Ok(None));
        for book_move in found.expect("a look-up without errors") {
            assert!(
                board
                    .legal_moves()
                    .contains(book_move.mv.square().expect("a leaf"))
            );
        }
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
