//! Tests of the book: the graph, the file, exchange, and moves to play.

mod exchange;
mod learning;
mod random_walk;
mod storage;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::exchange::{BookFormat, export, read, read_bytes};
use super::file::TABLE_OF_1;
use super::learn::{LearnLimits, learn, prune};
use super::*;
use emilia_core::board::testing::boards_of_games;
use emilia_core::board::{Bitboard, Color, Move, Position, Square, Transcript};
use emilia_core::eval::{Simple, Value};
use emilia_core::search::{Engine, Settings, StopFlag};
use emilia_games::{Ending, Game, Outcome};

/// A folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("emilia-book-{}-{number}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        fs::create_dir_all(&folder.0).unwrap();
        folder
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All positions of a book, by board.
fn entries(book: &BookFile) -> BTreeMap<Board, Entry> {
    (0..=60)
        .flat_map(|empties| book.ply(empties).unwrap())
        .collect()
}

fn limits(level: u8, error: i32, plies: u32) -> LearnLimits {
    LearnLimits {
        root: Board::START,
        level,
        error: Value::from_score(error),
        move_error: Value::from_score(error),
        min_empties: 60 - plies,
        positions: None,
        time: None,
    }
}

/// A book of the simple evaluation, learned at depth 2 to ply 6.
fn small_book(path: &Path) -> Arc<BookFile> {
    let book = BookFile::create(path).unwrap();
    extend(&book, &limits(2, 3, 6));
    Arc::new(book)
}

fn extend(book: &BookFile, limits: &LearnLimits) -> usize {
    extend_with(book, limits, 2)
}

/// Learns with this number of threads. Only one alone gives the same book each time.
fn extend_with(book: &BookFile, limits: &LearnLimits, threads: usize) -> usize {
    let settings = Settings::default().with_hash_mib(1).with_evaluator(Simple);
    let mut engines = Engine::several(&settings, threads).unwrap();
    let stop = StopFlag::default();
    let done = learn(book, &mut engines, limits, &stop, &mut |_| ()).unwrap();
    done.learned
}

fn value_of(book: &BookFile, board: &Board) -> Value {
    book.get(board).unwrap().unwrap().value
}

fn book_moves(book: &Arc<BookFile>, board: &Board) -> Vec<BookMove> {
    Book::File(book.clone()).moves(board).unwrap()
}

fn recomputed(book: &BookFile) -> u64 {
    let changed = book.write(|changes| negamax::recompute_all(changes, &HashMap::new()));
    changed.unwrap()
}

/// Asserts that no rule of the graph is broken and every value is that of its moves.
fn assert_clean(book: &BookFile) {
    let checked = check_graph(book).unwrap();
    assert_eq!(
        (checked.faults, checked.stale),
        (0, 0),
        "{:?}",
        checked.first
    );
}

/// A game that black resigned or won, or that was agreed drawn.
fn game(moves: &str, margin: f64) -> Game {
    let mut game = Game::from(&Transcript::parse(moves, Position::START).unwrap());
    let ending = Ending::Resigned;
    game.tags.outcome = Some(Outcome { margin, ending });
    game
}

fn counts(won: u32, drawn: u32, lost: u32) -> Counts {
    Counts::of([won, drawn, lost])
}

#[test]
fn negamax_restores_every_value_from_the_leaves() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let before = entries(&book);
    book.write(|changes| {
        for (board, entry) in &before {
            if children(board).any(|(_, child)| before.contains_key(&child)) {
                let lost = Entry {
                    value: Value::from_score(-64),
                    lines: Counts::default(),
                    ..*entry
                };
                changes.put(board, &lost)?;
            }
        }
        Ok(())
    })
    .unwrap();
    assert!(check_graph(&book).unwrap().stale > 0);
    assert!(recomputed(&book) > 0);
    assert_eq!(entries(&book), before);
    assert_eq!(recomputed(&book), 0);
}

#[test]
fn parents_are_the_boards_whose_moves_lead_to_a_board() {
    for board in boards_of_games(60, 400) {
        for (mv, _) in children(&board) {
            let child = board.make(mv);
            let parents = parents::parents(&child);
            assert!(parents.contains(&board), "{board:?} {mv}");
            for parent in parents {
                let mut after = children(&parent);
                assert!(
                    after.any(|(_, after)| after == child.canonical()),
                    "{parent:?}"
                );
            }
        }
    }
}

#[test]
fn a_pass_is_a_link_to_the_position_of_the_opponent() {
    let passing = boards_of_games(60, 20_000)
        .into_iter()
        .find(|board| !board.can_move() && board.pass().can_move())
        .expect("games have passes");
    let folder = Folder::new();
    let book = Arc::new(BookFile::create(&folder.file("a.book")).unwrap());
    let (board, passed) = (passing.canonical(), passing.pass().canonical());
    let leaf = Leaf {
        square: passed.legal_moves().first().unwrap(),
        value: Value::from_score(6),
        level: 8,
    };
    book.write(|changes| {
        let leaf = Some(leaf);
        let entry = Entry::new(Value::ZERO, 0);
        changes.put(&passed, &Entry { leaf, ..entry })?;
        changes.put(&board, &entry)
    })
    .unwrap();
    recomputed(&book);
    let value = Value::from_score(-6);
    assert_eq!(value_of(&book, &board), value);
    let found = book_moves(&book, &passing);
    assert_eq!((found[0].mv, found[0].value), (Move::Pass, value));
}

#[test]
fn positions_are_found_for_all_their_symmetric_images() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    for board in entries(&book).into_keys() {
        let own = book_moves(&book, &board);
        for symmetry in emilia_core::board::Symmetry::all() {
            let image = symmetry.board(&board);
            let of_image = book_moves(&book, &image);
            assert_eq!(of_image.len(), own.len());
            for book_move in &own {
                let mv = Move::Place(symmetry.square(book_move.mv.square().unwrap()));
                let same = of_image.iter().find(|other| other.mv == mv).unwrap();
                assert_eq!(
                    (same.value, same.is_leaf),
                    (book_move.value, book_move.is_leaf)
                );
            }
        }
    }
}

#[test]
fn a_merge_takes_the_higher_levels_of_value_and_leaf() {
    let leaf = |square, level| Leaf::new(square, Value::ZERO, level);
    let low = Entry {
        leaf: Some(leaf(Square::F5, 20)),
        bounds: (-4, 64),
        ..Entry::new(Value::from_score(3), 8)
    };
    let high = Entry {
        leaf: Some(leaf(Square::D3, 12)),
        bounds: (-64, 8),
        ..Entry::new(Value::from_score(-1), 12)
    };
    for (mut own, other) in [(low, high), (high, low)] {
        own.merge(&other);
        assert_eq!((own.value, own.level), (high.value, 12));
        assert_eq!((own.leaf, own.bounds), (low.leaf, (-4, 8)));
    }
}

#[test]
fn a_leaf_that_another_book_links_gives_way_to_the_next_leaf() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.book"), folder.file("b.book"));
    let start = Board::START.canonical();
    let after = children(&start).next().unwrap().1;
    let [first, second] = [0, 1].map(|index| after.legal_moves().squares().nth(index).unwrap());
    let entry = |square, level| Entry::of_leaf(Leaf::new(square, Value::from_score(2), level));
    // The book of the higher level has the first move as its leaf, which the other links.
    let book = BookFile::create(&a).unwrap();
    book.write(|changes| changes.put(&after, &entry(first, 20)))
        .unwrap();
    let other = BookFile::create(&b).unwrap();
    let child = after.play(first).canonical();
    other
        .write(|changes| {
            changes.put(&child, &Entry::new(Value::ZERO, 6))?;
            changes.put(&after, &entry(second, 6))
        })
        .unwrap();
    for _ in 0..2 {
        import(&book, &[&b]).unwrap();
        assert_clean(&book);
        let leaf = book.get(&after).unwrap().unwrap().leaf.unwrap();
        assert_eq!((leaf.square, leaf.level), (second, 6));
    }
}

#[test]
fn games_are_counted_once_for_the_side_to_move() {
    let folder = Folder::new();
    let book = Arc::new(BookFile::create(&folder.file("a.book")).unwrap());
    let games = || {
        let games = ["f5d6c3", "f5d6c4", "f5f6"].map(|moves| Ok(game(moves, 10.0)));
        games.into_iter().chain([Ok(Game::default())])
    };
    let added = add_games(&book, games(), 58).unwrap();
    assert_eq!((added.games, added.known, added.unfinished), (3, 0, 1));
    let after = |moves: &str| Transcript::parse(moves, Position::START).unwrap().end();
    let played = |moves: &str| book.played(&after(moves).board).unwrap();
    for _ in 0..2 {
        assert_eq!(after("f5").mover, Color::White);
        assert_eq!(played("f5"), counts(0, 0, 3));
        assert_eq!(played("f5d6"), counts(2, 0, 0));
        assert_eq!(
            played("f5d6c3"),
            counts(0, 0, 0),
            "beyond the plies counted"
        );
        let moves = Book::File(book.clone())
            .played_moves(&after("f5").board)
            .unwrap();
        assert_eq!(moves[0].1, counts(0, 0, 2));
        // Again, from a copy, and by another path.
        assert_eq!(add_games(&book, games(), 58).unwrap().known, 3);
        let copy = folder.file("copy.book");
        let _ = fs::remove_file(&copy);
        export(&book, &copy, BookFormat::Emilia).unwrap();
        let link = folder.file("link.book");
        let _ = std::os::unix::fs::symlink(book.path(), &link);
        let imported = import(&book, &[&copy, &link, &book.path().to_owned()]).unwrap();
        assert!(
            imported.0.iter().all(|file| file.games == 0),
            "{imported:?}"
        );
    }
    // A later ply counts more positions of the same games.
    assert_eq!(add_games(&book, games(), 57).unwrap().known, 3);
    assert_eq!(played("f5d6"), counts(2, 0, 0));
    assert_eq!(played("f5d6c3"), counts(0, 0, 1));
    assert_eq!(book.games().unwrap(), 3);
    assert_eq!(entries(&book), BTreeMap::new());
}

/// A book of version 1 with the positions of `book`, and games at the start and after f5.
fn version_1(book: &BookFile, path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let new = book.path().to_str().unwrap();
    connection.execute("ATTACH ? AS new", [new]).unwrap();
    let after = children(&Board::START).next().unwrap().1;
    let [start, after] = [Board::START.canonical(), after].map(|board| {
        format!(
            "player = {} AND opponent = {}",
            board.player.0 as i64, board.opponent.0 as i64
        )
    });
    connection
        .execute_batch(&format!(
            "PRAGMA main.journal_mode = WAL; PRAGMA application_id = 0x456D696C;
            PRAGMA user_version = 1; {TABLE_OF_1};
            INSERT INTO main.positions SELECT empties, player, opponent, value, lower, upper,
                level, leaf_move, leaf_value, leaf_level, lines, lines_won, lines_drawn,
                lines_lost, 0, 0, 0 FROM new.positions;
            UPDATE main.positions SET games_won = 2, games_lost = 1 WHERE {start};
            UPDATE main.positions SET games_lost = 3, value = NULL WHERE {after};"
        ))
        .unwrap();
}

#[test]
fn a_book_of_version_1_is_read_and_upgraded_when_it_is_written() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let old = folder.file("old.book");
    version_1(&book, &old);
    let after = children(&Board::START).next().unwrap().1;
    let has_games = |book: &BookFile| {
        assert_eq!(book.played(&Board::START).unwrap(), counts(2, 0, 1));
        assert_eq!(book.played(&after).unwrap(), counts(0, 0, 3));
        assert_eq!(book.get(&after).unwrap(), None, "it had no value");
    };
    let copy = BookFile::create(&folder.file("copy.book")).unwrap();
    for _ in 0..2 {
        import(&copy, &[&old]).unwrap();
        has_games(&copy);
        assert_clean(&copy);
    }
    let opened = BookFile::open(&old).unwrap();
    has_games(&opened);
    prune(&opened, None, &limits(1, 64, 60)).unwrap();
    has_games(&opened);
    assert_clean(&opened);
    drop(opened);
    has_games(&BookFile::open(&old).unwrap());
}

#[test]
fn pruning_keeps_lines_within_the_error_their_values_and_games() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let f5 = || std::iter::once(Ok(game("f5f4", -2.0)));
    add_games(&book, f5(), 0).unwrap();
    let before = entries(&book);
    assert_eq!(prune(&book, None, &limits(1, 10_000, 60)).unwrap(), 0);
    assert_eq!(entries(&book), before);
    let root = value_of(&book, &Board::START);
    assert!(prune(&book, Some(&Board::START), &limits(2, 1, 6)).unwrap() > 0);
    let after = entries(&book);
    assert!(after.len() < before.len() && after.keys().all(|board| before.contains_key(board)));
    assert_eq!(value_of(&book, &Board::START), root);
    assert_clean(&book);
    assert_eq!(add_games(&book, f5(), 0).unwrap().known, 1);
}

#[test]
fn a_book_has_one_writer() {
    let folder = Folder::new();
    let path = folder.file("a.book");
    let (book, other) = (small_book(&path), BookFile::open(&path).unwrap());
    let before = entries(&book);
    let reserved = other.reserve().unwrap();
    let limits = limits(4, 2, 6);
    let refused = [
        prune(&book, None, &limits).err(),
        import(&book, &[&path]).err(),
        add_games(&book, std::iter::empty(), 0).err(),
        learn(&book, &mut [], &limits, &StopFlag::default(), &mut |_| {}).err(),
    ];
    for error in refused {
        let error = error.expect("refused").to_string();
        assert!(error.contains("another program is writing"), "{error}");
    }
    assert_eq!(entries(&book), before);
    drop(reserved);
    assert!(prune(&book, None, &limits).is_ok());
}

#[test]
fn the_embedded_book_is_whole() {
    let book = Compact::new(Compact::EMBEDDED.0).expect("the embedded book is valid");
    let positions = book.positions();
    assert_eq!(positions.len(), book.len());
    assert!(Book::Embedded.get(&Board::START).unwrap().is_some());
    for (board, entry) in positions {
        assert_eq!(entry.fault(&board), None);
        for (_, child) in children(&board) {
            // A hash that is equal by chance would show as a value of another ply.
            if let Some(child) = book.get(&child) {
                let best = -child.value;
                assert!(best <= entry.value + Value::from_score(1), "{board:?}");
            }
        }
    }
}

/// A book of Edax of `count` different positions, linked as random games reach them.
fn generated(count: usize) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut seen = std::collections::HashSet::with_capacity(count);
    let mut records = Vec::with_capacity(44 * count);
    while seen.len() < count {
        let mut board = Board::START;
        while seen.len() < count && !board.is_over() && board.empty_count() >= 20 {
            let moves: Vec<(Move, Board)> = children(&board).collect();
            let canonical = board.canonical();
            let squares: Vec<Square> = canonical.legal_moves().squares().collect();
            if seen.insert(canonical) && !squares.is_empty() {
                let score = rng.i8(-20..=20);
                let leaf = [
                    score as u8,
                    squares[rng.usize(..squares.len())].index() as u8,
                ];
                records.extend(canonical.player.0.to_le_bytes());
                records.extend(canonical.opponent.0.to_le_bytes());
                records.extend([0; 16]);
                for score in [score, -64, 64] {
                    records.extend(i16::from(score).to_le_bytes());
                }
                records.extend([0, 8]);
                records.extend(leaf);
            }
            board = moves[rng.usize(..moves.len())].1;
        }
    }
    let count = records.len() / 42;
    let mut book = b"XADEKOOB\x04\x05".to_vec();
    book.extend([0; 28]);
    book.extend((count as u32).to_le_bytes());
    book.extend(records);
    book
}

/// Prints the times of a large book: `cargo test --release -- --ignored --nocapture large_book`.
#[test]
#[ignore = "takes minutes and a gigabyte of disk"]
fn a_large_book_opens_and_answers_at_once() {
    use std::time::Instant;
    let folder = Folder::new();
    let (file, path) = (folder.file("large.dat"), folder.file("large.book"));
    fs::write(&file, generated(4_000_000)).unwrap();
    let start = Instant::now();
    let imported = import(&BookFile::create(&path).unwrap(), &[&file]).unwrap();
    println!("import {:?} {:?}", imported, start.elapsed());
    let start = Instant::now();
    let book = BookFile::open(&path).unwrap();
    assert!(book.get(&Board::START).unwrap().is_some());
    println!("open and first look-up {:?}", start.elapsed());
    let mut boards: Vec<Board> = (0..=60)
        .flat_map(|empties| book.ply(empties).unwrap())
        .map(|(board, _)| board)
        .collect();
    fastrand::Rng::with_seed(2).shuffle(&mut boards);
    let book = BookFile::open(&path).unwrap();
    let start = Instant::now();
    for board in &boards[..10_000] {
        assert!(book.get(board).unwrap().is_some());
    }
    println!("10,000 look-ups {:?}", start.elapsed());
    let bytes = fs::metadata(&path).unwrap().len();
    println!("{} bytes a position", bytes / boards.len() as u64);
    assert_eq!(check_graph(&book).unwrap().stale, 0);
}
