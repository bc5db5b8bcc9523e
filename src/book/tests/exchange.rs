//! Formats of other programs, and damaged or foreign files.

use super::*;

#[test]
fn every_format_holds_what_it_promises() {
    let folder = Folder::new();
    let book = small_book();
    let before = entries(&book);
    let formats = [
        BookFormat::Emilia,
        BookFormat::Edax,
        BookFormat::Egaroucid,
        BookFormat::Compact,
    ];
    for format in formats {
        let path = folder.file(&format!("copy.{format}"));
        let exported = export(&book, &path, format).unwrap();
        assert_eq!(exported.positions, before.len() as u64, "{format}");
        let (found, copy) = read(&path).unwrap();
        assert_eq!((found, copy.len()), (format, before.len()));
        let copy: BTreeMap<Board, Entry> = copy.into_iter().collect();
        assert_eq!(copy.len(), before.len(), "{format}");
        for (board, entry) in &before {
            let copied = &copy[board];
            let leaf = |entry: &Entry| entry.leaf.map(|leaf| leaf.value.round_to_score());
            match format {
                BookFormat::Emilia => assert_eq!(copied, entry),
                BookFormat::Edax | BookFormat::Egaroucid => {
                    let value = Value::from_score(entry.value.round_to_score());
                    assert_eq!((copied.value, copied.level), (value, entry.level));
                    // Edax wants a leaf where there is a move without a link.
                    assert!(entry.leaf.is_none() || leaf(copied) == leaf(entry));
                    if format == BookFormat::Edax {
                        assert_eq!((copied.lines, copied.bounds), (entry.lines, entry.bounds));
                    }
                    assert_eq!(copied.lines.all, entry.lines.all);
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
    let folder = Folder::new();
    let book = small_book();
    let before = entries(&book);
    let bad = folder.file("bad");
    for format in [BookFormat::Edax, BookFormat::Egaroucid, BookFormat::Compact] {
        let path = folder.file(&format.to_string());
        export(&book, &path, format).unwrap();
        let whole = fs::read(&path).unwrap();
        let length = whole.len();
        let cut = if format == BookFormat::Compact { 4 } else { 7 };
        let longer = [&whole[..], b"?"].concat();
        for bytes in [
            &whole[..length - cut],
            &whole[..length / 2],
            &whole[..15],
            &longer,
        ] {
            fs::write(&bad, bytes).unwrap();
            let message = import(&book, &[&bad]).unwrap_err().to_string();
            assert!(message.contains("bad'"), "{message}");
            assert!(!message.contains('\n'), "{message}");
            assert_eq!(entries(&book), before, "{format}");
        }
    }
    // A count beyond the file, two sides on one square, more than 60 empty squares.
    let whole = fs::read(folder.file("edax")).unwrap();
    for (at, bytes) in [
        (38, i32::MAX.to_le_bytes().to_vec()),
        (50, whole[42..50].to_vec()),
        (42, [0; 16].to_vec()),
    ] {
        let mut edax = whole.clone();
        edax[at..at + bytes.len()].copy_from_slice(&bytes);
        assert!(read_bytes(&bad, &edax).is_err(), "{at}");
    }
}

#[test]
fn levels_of_other_programs_keep_their_meaning() {
    let folder = Folder::new();
    let book = BookFile::in_memory().unwrap();
    let file = folder.file("a.egbk3");
    // 70 is a value that was typed, 255 one of which nothing is known: it never outranks a search.
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
    let edax = folder.file("b.dat");
    export(&book, &edax, BookFormat::Edax).unwrap();
    // Level and empty squares.
    assert_eq!(fs::read(&edax).unwrap()[18..26], [2, 0, 0, 0, 55, 0, 0, 0]);
}
