//! The file of a book: damage, other format versions, and files that are moved or replaced.

use rusqlite::Connection;

use super::*;

/// Runs SQL on the file, as another program would.
fn tamper(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

/// Returns the moves that the book has for each of `boards`, or the first error.
fn content(path: &Path, boards: &[Board]) -> Result<Vec<(Board, Vec<BookMove>)>, FileError> {
    let book = Book::open(path)?;
    let moves = |board: &Board| Ok((*board, book.moves(board)?));
    boards.iter().map(moves).collect()
}

#[test]
fn a_row_that_breaks_a_rule_is_refused() {
    let board = Board::START.canonical();
    let legal = board.legal_moves().first().unwrap();
    let over = Value::from_units(64 * Value::PER_DISC + 1);
    let leaf = |square, value| Entry {
        leaf: Some(Leaf::new(square, value, 1)),
        ..Entry::new(Value::ZERO, 1)
    };
    for (board, entry) in [
        (board, Entry::new(over, 1)),
        (board, Entry::new(Value::from_units(i32::MIN), 1)),
        (board, leaf(legal, over)),
        (board, leaf(Square::A1, Value::ZERO)),
        (board.play(legal), Entry::new(Value::ZERO, 1)),
    ] {
        let book = BookFile::in_memory().unwrap();
        put_all(&book, &[(board, entry)]);
        let error = book.ply(board.empty_count()).expect_err("refused");
        assert!(error.to_string().contains("damaged"), "{error}");
    }
}

#[test]
fn a_book_file_that_is_damaged_or_foreign_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.book");
    drop(small_file(&path));
    let whole = fs::read(&path).unwrap();
    // Byte 63 in the header of `SQLite` is the format version.
    let old = [&whole[..63], &[1], &whole[64..]].concat();
    for (bytes, expected) in [
        (&[b'?'; 60][..], "not a book of Emilia"),
        (&old, "format version 1"),
        (&whole[..100], "damaged"),
        (&whole[..whole.len() / 2], "damaged"),
    ] {
        fs::write(&path, bytes).unwrap();
        let opened = BookFile::open(&path).and_then(|book| book.positions());
        let message = opened.expect_err(expected).to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_changed_row_or_table_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.book");
    drop(small_file(&path));
    let whole = fs::read(&path).unwrap();
    for sql in [
        "UPDATE positions SET value = 100000",
        "UPDATE positions SET value = value + 1 WHERE empties = 60",
        "UPDATE positions SET leaf_move = 0 WHERE empties = 60",
        "UPDATE positions SET empties = 61 WHERE empties = 60",
        "UPDATE positions SET empties = 1 WHERE empties = 60",
        "UPDATE positions SET lines = -1 WHERE empties = 60",
        "ALTER TABLE positions ADD COLUMN a INTEGER",
        "ALTER TABLE positions RENAME TO others",
        "CREATE TRIGGER t AFTER INSERT ON positions BEGIN DELETE FROM positions; END",
        "ALTER TABLE positions RENAME TO others; CREATE VIEW positions AS
         WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a FROM n) SELECT a FROM n",
    ] {
        fs::write(&path, &whole).unwrap();
        tamper(&path, sql);
        let checked = BookFile::open(&path).and_then(|book| check_graph(&book));
        let error = checked.expect_err(sql).to_string();
        assert!(error.contains("damaged"), "{sql}: {error}");
        // The book gives no move for the start position: its row is refused, or not found under the
        // changed key.
        let moves = content(&path, &[Board::START]).unwrap_or_default();
        assert!(moves.iter().all(|(_, moves)| moves.is_empty()), "{sql}");
    }
}

#[test]
fn after_damage_answers_are_right_or_refused_and_verification_finds_losses() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.book");
    let book = BookFile::create(&path).unwrap();
    let mut early = Compact::EMBEDDED.positions();
    early.retain(|(board, _)| board.empty_count() >= 51);
    put_all(&book, &early);
    let before = entries(&book);
    drop(book);
    let mut boards: Vec<Board> = before.keys().copied().collect();
    boards.extend(random_game(&mut Rng::with_seed(4), 8));
    let right = content(&path, &boards).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut rng = Rng::with_seed(7);
    let (mut refused, mut same, mut unverified) = (0, 0, 0);
    for round in 0..60 {
        // Flips a bit, or overwrites up to 63 bytes at random.
        let mut bytes = whole.clone();
        let at = rng.usize(..bytes.len());
        let end = bytes.len().min(at + rng.usize(1..64));
        match round % 4 {
            0 => bytes[at..end].fill_with(|| rng.u8(..)),
            _ => bytes[at] ^= 1 << rng.u32(..8),
        }
        fs::write(&path, bytes).unwrap();
        let what = format!("round {round}, byte {at}");
        match content(&path, &boards) {
            Ok(found) => {
                assert_eq!(found, right, "{what}");
                same += 1;
            }
            Err(_) => refused += 1,
        }
        match verified(&path) {
            Some(found) => assert_eq!(found, before, "{what}"),
            None => unverified += 1,
        }
        if let Ok(book) = BookFile::open(&path) {
            for empties in 0..=60 {
                let Ok(ply) = book.ply(empties) else { continue };
                let of_ply = |(board, _): &(&Board, &Entry)| board.empty_count() == empties;
                let expected: Vec<_> = before.iter().filter(of_ply).collect();
                assert!(ply.iter().map(|(a, b)| (a, b)).eq(expected), "{what}");
            }
        }
    }
    let counts = [refused, same, unverified];
    assert!(
        refused > 5 && same > 0 && unverified > refused,
        "{counts:?}"
    );
}

/// Checks the pages, the rows and the graph, as `emilia book verify` does. Returns the positions if
/// nothing is wrong.
fn verified(path: &Path) -> Option<BTreeMap<Board, Entry>> {
    let book = BookFile::open(path).ok()?;
    book.check_pages().ok()?;
    let checked = check_graph(&book).ok()?;
    checked.first.is_none().then(|| entries(&book))
}

#[test]
fn a_copy_replaces_only_a_book_that_nobody_writes() {
    let folder = tempdir().unwrap();
    let (new, foreign) = (folder.path().join("b.book"), folder.path().join("c.book"));
    let book = small_book();
    let old = BookFile::create(&folder.path().join("a.book")).unwrap();
    let reserved = old.reserve().unwrap();
    let error = book.copy_to(old.path()).unwrap_err().to_string();
    assert!(error.contains("another program is writing"), "{error}");
    drop(reserved);
    for path in [&new, old.path()] {
        book.copy_to(path).unwrap();
        assert_eq!(entries(&BookFile::open(path).unwrap()), entries(&book));
    }
    fs::write(&foreign, "x".repeat(1000)).unwrap();
    let error = book.copy_to(&foreign).unwrap_err().to_string();
    assert!(error.contains("not a book"), "{error}");
}

#[test]
fn a_writer_ends_when_its_path_leads_to_another_file() {
    type Change = fn(&Path, &Path) -> std::io::Result<()>;
    let folder = tempdir().unwrap();
    let (path, moved) = (folder.path().join("a.book"), folder.path().join("b.book"));
    let changes: [(Change, &str); 3] = [
        (|path, other| fs::rename(path, other), "moved"),
        (|path, _| fs::remove_file(path), "removed"),
        (|path, other| fs::rename(other, path), "replaced"),
    ];
    for (change, expected) in changes {
        let book = small_file(&path);
        if expected == "replaced" {
            fs::copy(&path, &moved).unwrap();
        }
        let before = entries(&book);
        change(&path, &moved).unwrap();
        let written = book.write(|| book.remove(&Board::START.canonical()));
        let error = written.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(entries(&book), before, "{expected}");
        for path in [&path, &moved] {
            let _ = fs::remove_file(path);
        }
    }
}
