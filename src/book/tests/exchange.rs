//! Tests of import and export: formats of other programs, damaged files, and files that are not
//! books.

use super::*;

#[test]
fn every_format_holds_what_it_promises() {
    let folder = tempdir().unwrap();
    let book = small_book();
    let before = entries(&book);
    for name in ["copy.book", "copy.dat", "copy.egbk3", "copy.packed"] {
        let path = folder.path().join(name);
        let format = BookFormat::of_name(&path).unwrap();
        let exported = export(&book, &path, format).unwrap();
        assert_eq!(exported.positions, before.len() as u64, "{format:?}");
        let copy = read(&path).unwrap();
        assert_eq!(copy.len(), before.len(), "{format:?}");
        let copy: BTreeMap<Board, Entry> = copy.into_iter().collect();
        assert_eq!(copy.len(), before.len(), "{format:?}");
        for (board, entry) in &before {
            let copied = &copy[board];
            let leaf = |entry: &Entry| entry.leaf.map(|leaf| leaf.value.round_to_score());
            match format {
                BookFormat::Emilia => assert_eq!(copied, entry),
                BookFormat::Edax | BookFormat::Egaroucid => {
                    let value = Value::from_score(entry.value.round_to_score());
                    assert_eq!((copied.value, copied.level), (value, entry.level));
                    // In Edax's format, each position with a move that is not a link must have a
                    // leaf. The export may therefore add leaves, but it keeps those that exist.
                    assert!(entry.leaf.is_none() || leaf(copied) == leaf(entry));
                    assert_eq!(copied.lines.all, entry.lines.all);
                    let rest = |entry: &Entry| (entry.lines, entry.bounds);
                    assert!(format == BookFormat::Egaroucid || rest(copied) == rest(entry));
                }
                BookFormat::Compact => {
                    let difference = copied.value - entry.value;
                    assert!(difference.discs().abs() <= 1.0 / 16.0, "{difference}");
                    assert!(copied.level <= entry.level);
                }
            }
        }
    }
}

#[test]
fn damaged_books_are_refused_and_change_nothing() {
    let folder = tempdir().unwrap();
    let book = small_book();
    let before = entries(&book);
    let bad = folder.path().join("bad");
    for format in [BookFormat::Edax, BookFormat::Egaroucid, BookFormat::Compact] {
        let path = folder.path().join(format!("{format:?}").to_lowercase());
        export(&book, &path, format).unwrap();
        let whole = fs::read(&path).unwrap();
        let longer = [&whole[..], b"?"].concat();
        for length in [15, whole.len() / 2, whole.len() - 4, longer.len()] {
            fs::write(&bad, &longer[..length]).unwrap();
            let message = import(&book, &[&bad]).unwrap_err().to_string();
            assert!(
                message.contains("bad'") && !message.contains('\n'),
                "{message}"
            );
            assert_eq!(entries(&book), before, "{format:?}");
        }
    }
    // These are refused by their first bytes, so that an endless file is not read further.
    for path in ["/dev/zero", "/dev/null"] {
        let error = import(&book, &[path]).unwrap_err().to_string();
        assert!(error.contains("this is not a book"), "{error}");
    }
    // Damages: a count of positions that exceeds the file, a square with discs of both sides, a
    // board with more than 60 empties.
    let whole = fs::read(folder.path().join("edax")).unwrap();
    for (at, bytes) in [(38, &[0x7f; 4][..]), (50, &whole[42..50]), (42, &[0; 16])] {
        let mut edax = whole.clone();
        edax[at..at + bytes.len()].copy_from_slice(bytes);
        assert!(read_bytes(&bad, &edax).is_err(), "{at}");
    }
}

#[test]
fn levels_of_other_programs_keep_their_meaning() {
    let folder = tempdir().unwrap();
    let book = BookFile::in_memory().unwrap();
    let file = folder.path().join("a.egbk3");
    // Each row is the level in the imported file, and the level in the book after the import. Of
    // two levels the higher stays. Egaroucid uses level 70 for a value that the user typed, and 255
    // for a value of unknown origin. Level 255 is imported as 0, so that such a value never
    // replaces a search result.
    for (level, expected) in [(255, 0), (21, 21), (255, 21), (70, 70), (21, 70)] {
        let square = Board::START.canonical().legal_moves().first().unwrap();
        let rest = [2, level, 1, 0, 0, 0, 2, square.index() as u8, level];
        fs::write(&file, of_egaroucid(&[(Board::START.canonical(), rest)])).unwrap();
        import(&book, &[&file]).unwrap();
        let entry = book.get(&Board::START).unwrap().unwrap();
        let levels = [entry.level, entry.leaf.unwrap().level];
        assert_eq!(levels, [expected; 2]);
    }
    let book = small_book();
    let edax = folder.path().join("b.dat");
    export(&book, &edax, BookFormat::Edax).unwrap();
    // Two fields in the header of an Edax book: the level, 2, and the number of empties down to
    // which Edax expands leaves. The deepest positions of the book have 54 empties, so this number
    // is 55.
    assert_eq!(fs::read(&edax).unwrap()[18..26], [2, 0, 0, 0, 55, 0, 0, 0]);
}
