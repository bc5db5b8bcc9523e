//! Tests of the book: the graph, the file, exchange, and moves to play.

mod learning;
mod storage;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::exchange::{BookFormat, export, read, read_bytes};
use super::learn::{LearnLimits, learn, prune};
use super::*;
use crate::board::testing::boards_of_games;
use crate::board::{Color, Move, Position, Square, Transcript};
use crate::eval::{Simple, Value};
use crate::game::Game;
use crate::search::{Engine, Settings, StopFlag};

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
fn small_book(path: &Path) -> BookFile {
    let book = BookFile::create(path).unwrap();
    extend(&book, &limits(2, 3, 6));
    book
}

fn extend(book: &BookFile, limits: &LearnLimits) -> usize {
    let settings = Settings::default().with_hash_mib(1).with_evaluator(Simple);
    let mut engines = Engine::several(&settings, 2).unwrap();
    let stop = StopFlag::default();
    let done = learn(book, &mut engines, limits, &stop, &mut |_| ()).unwrap();
    done.learned
}

/// The best value of the moves of a position, searched without the book.
fn value_of(book: &BookFile, board: &Board) -> Option<Value> {
    book.get(board).unwrap().unwrap().value
}

fn book_moves(book: &BookFile, board: &Board) -> Vec<BookMove> {
    match book.get(board).unwrap() {
        Some(entry) => moves(board, &entry, |board| book.get(board)).unwrap(),
        None => Vec::new(),
    }
}

#[test]
fn negamax_restores_every_value_from_the_leaves() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let before = entries(&book);
    book.write(|changes| {
        for (board, entry) in &before {
            if children(board).any(|(_, child)| before.contains_key(&child)) {
                let value = Some(Value::from_score(-64));
                let lost = Entry {
                    value,
                    lines: Lines::default(),
                    ..*entry
                };
                changes.put(board, &lost)?;
            }
        }
        Ok(())
    })
    .unwrap();
    assert!(check_graph(&book).unwrap().stale > 0);
    assert!(negamax(&book).unwrap() > 0);
    assert_eq!(entries(&book), before);
    assert_eq!(negamax(&book).unwrap(), 0);
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
    let book = BookFile::create(&folder.file("a.book")).unwrap();
    let (board, passed) = (passing.canonical(), passing.pass().canonical());
    let square = passed.legal_moves().first().unwrap();
    let value = Value::from_score(6);
    let level = 8;
    book.write(|changes| {
        let leaf = Leaf::Move {
            square,
            value,
            level,
        };
        changes.put(
            &passed,
            &Entry {
                leaf,
                ..Entry::default()
            },
        )?;
        changes.put(&board, &Entry::default())
    })
    .unwrap();
    negamax(&book).unwrap();
    assert_eq!(value_of(&book, &board), Some(Value::from_score(-6)));
    let found = book_moves(&book, &passing);
    assert_eq!(
        (found[0].mv, found[0].value),
        (Move::Pass, Some(Value::from_score(-6)))
    );
}

#[test]
fn positions_are_found_for_all_their_symmetric_images() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    for board in entries(&book).into_keys() {
        let own = book_moves(&book, &board);
        for symmetry in crate::board::Symmetry::all() {
            let image = symmetry.board(&board);
            let of_image = book_moves(&book, &image);
            assert_eq!(of_image.len(), own.len());
            for book_move in own.iter().filter(|book_move| !book_move.is_leaf) {
                let mv = Move::Place(symmetry.square(book_move.mv.square().unwrap()));
                let same = of_image.iter().find(|other| other.mv == mv).unwrap();
                assert_eq!(same.value, book_move.value);
            }
        }
    }
}

#[test]
fn every_format_holds_what_it_promises() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let before = entries(&book);
    for format in BookFormat::ALL {
        let path = folder.file(&format!("copy.{format}"));
        let exported = export(&book, &path, format).unwrap();
        assert_eq!(exported.positions, before.len() as u64, "{format}");
        let mut copy = BTreeMap::new();
        let found = read(&path, &mut |board, entry| {
            assert!(copy.insert(board, entry).is_none(), "{board:?} twice");
            Ok(())
        });
        assert_eq!(found.unwrap(), format);
        assert_eq!(copy.len(), before.len(), "{format}");
        for (board, entry) in &before {
            let copied = &copy[board];
            let round = |value: Option<Value>| value.map(Value::round_to_score);
            match format {
                BookFormat::Emilia | BookFormat::Json => assert_eq!(copied, entry),
                BookFormat::Edax => {
                    assert_eq!(round(copied.value), round(entry.value));
                    assert_eq!((copied.level, copied.lines), (entry.level, entry.lines));
                    assert_eq!(copied.bounds, entry.bounds);
                    assert_eq!(round(copied.leaf.value()), round(entry.leaf.value()));
                }
                BookFormat::Egaroucid => {
                    assert_eq!(round(copied.value), round(entry.value));
                    assert_eq!(
                        (copied.level, copied.lines.all),
                        (entry.level, entry.lines.all)
                    );
                    assert_eq!(round(copied.leaf.value()), round(entry.leaf.value()));
                }
                BookFormat::EdaxText => {
                    assert_eq!(round(copied.leaf.value()), round(entry.leaf.value()));
                }
                BookFormat::Compact => {
                    let difference = copied.value.unwrap() - entry.value.unwrap();
                    assert!(difference.discs().abs() <= 1.0 / 16.0, "{difference}");
                    assert!(copied.level <= entry.level);
                }
            }
        }
    }
}

#[test]
fn text_of_edax_gets_its_values_from_the_graph() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let text = folder.file("copy.txt");
    export(&book, &text, BookFormat::EdaxText).unwrap();
    let copy = BookFile::create(&folder.file("b.book")).unwrap();
    import(&copy, &text).unwrap();
    for (board, entry) in entries(&book) {
        let value = value_of(&copy, &board).unwrap();
        let expected = entry.value.unwrap().round_to_score();
        // Scores are rounded before the negamax.
        assert!((value.round_to_score() - expected).abs() <= 1, "{board:?}");
    }
}

/// Two lines of a book that Edax 4.5 exported.
const OF_EDAX: &str = "\
----------XOOO---OOOOXX--OXOOOX--XXOOO-X--XOO------O------------ X,6,E1,3
----------XOO-----XOOO---XXOXO---XXXXXO---XOO------O------------ X,6,D1,0
";

#[test]
fn damaged_books_are_refused_and_change_nothing() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let before = entries(&book);
    let bad = folder.file("bad");
    for format in [
        BookFormat::Edax,
        BookFormat::Egaroucid,
        BookFormat::Json,
        BookFormat::EdaxText,
        BookFormat::Compact,
    ] {
        let path = folder.file(format.name());
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
            let message = import(&book, &bad).expect_err(format.name()).to_string();
            assert!(message.contains("bad'"), "{message}");
            assert!(!message.contains('\n'), "{message}");
            assert_eq!(entries(&book), before, "{format}");
        }
    }
    // Lies: an illegal leaf, a count beyond the file, two sides on one square.
    let text = OF_EDAX.replace("E1", "A1");
    assert!(read_bytes(text.as_bytes(), &mut |_, _| Ok(())).is_err());
    let mut edax = fs::read(folder.file("edax")).unwrap();
    edax[38..42].copy_from_slice(&i32::MAX.to_le_bytes());
    assert!(read_bytes(&edax, &mut |_, _| Ok(())).is_err());
    let mut edax = fs::read(folder.file("edax")).unwrap();
    edax.copy_within(42..50, 50);
    assert!(read_bytes(&edax, &mut |_, _| Ok(())).is_err());
}

#[test]
fn a_book_file_that_is_damaged_or_foreign_is_refused() {
    let folder = Folder::new();
    let path = folder.file("a.book");
    drop(small_book(&path));
    let whole = fs::read(&path).unwrap();
    for (bytes, expected) in [
        (
            &b"no book at all, but long enough to be read as one"[..],
            "no book of Emilia",
        ),
        (&whole[..100], "no book of Emilia"),
        (&whole[..whole.len() / 2], "damaged"),
    ] {
        fs::write(&path, bytes).unwrap();
        let opened = BookFile::open(&path)
            .and_then(|book| (0..=60).try_for_each(|empties| book.ply(empties).map(drop)));
        let message = opened.expect_err(expected).to_string();
        assert!(
            message.contains(expected) || message.contains("damaged"),
            "{message}"
        );
    }
    let missing = BookFile::open(&folder.file("missing")).unwrap_err();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
    assert!(
        BookFile::create(&path).is_err(),
        "a file is not overwritten"
    );
}

#[test]
fn a_merge_takes_the_higher_level_and_adds_games() {
    let value = |score| Some(Value::from_score(score));
    let games = Results {
        won: 2,
        drawn: 1,
        lost: 0,
    };
    let low = Entry {
        value: value(3),
        level: 8,
        games,
        ..Entry::default()
    };
    let high = Entry {
        value: value(-1),
        level: 12,
        games,
        ..Entry::default()
    };
    for (mut own, other) in [(low, high), (high, low)] {
        own.merge(&other);
        assert_eq!((own.value, own.level), (value(-1), 12));
        assert_eq!(
            own.games,
            Results {
                won: 4,
                drawn: 2,
                lost: 0
            }
        );
    }
    let square = Square::F5;
    let leaf = Leaf::Move {
        square,
        value: Value::ZERO,
        level: 8,
    };
    let mut unvalued = Entry {
        games,
        ..Entry::default()
    };
    unvalued.merge(&Entry { leaf, ..low });
    assert_eq!((unvalued.value, unvalued.leaf), (value(3), leaf));
}

#[test]
fn games_are_counted_for_the_side_to_move() {
    let folder = Folder::new();
    let book = BookFile::create(&folder.file("a.book")).unwrap();
    let mut games = Vec::new();
    for moves in ["f5d6c3", "f5d6c4", "f5f6"] {
        let transcript = Transcript::parse(moves, Position::START).unwrap();
        let mut game = Game::from(&transcript);
        let ending = crate::game::Ending::Resigned;
        game.tags.outcome = Some(crate::game::Outcome {
            margin: 10.0,
            ending,
        });
        games.push(Ok(game));
    }
    games.push(Ok(Game::default()));
    let added = add_games(&book, games.into_iter(), 58).unwrap();
    assert_eq!((added.games, added.unfinished), (3, 1));
    let after = |moves: &str| Transcript::parse(moves, Position::START).unwrap().end();
    let count = |moves: &str| {
        book.get(&after(moves).board)
            .unwrap()
            .map(|entry| entry.games)
    };
    assert_eq!(after("f5").mover, Color::White);
    assert_eq!(
        count("f5"),
        Some(Results {
            won: 0,
            drawn: 0,
            lost: 3
        })
    );
    assert_eq!(
        count("f5d6"),
        Some(Results {
            won: 2,
            drawn: 0,
            lost: 0
        })
    );
    assert_eq!(count("f5d6c3"), None, "beyond the plies counted");
    let moves = book_moves(&book, &after("f5").board);
    assert_eq!(
        moves[0].games,
        Results {
            won: 0,
            drawn: 0,
            lost: 2
        }
    );
}

#[test]
fn pruning_keeps_lines_within_the_error_and_their_values() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let before = entries(&book);
    let root = value_of(&book, &Board::START);
    assert!(prune(&book, &limits(2, 1, 6)).unwrap() > 0);
    let after = entries(&book);
    assert!(after.len() < before.len() && after.keys().all(|board| before.contains_key(board)));
    negamax(&book).unwrap();
    assert_eq!(value_of(&book, &Board::START), root);
    assert_eq!(check_graph(&book).unwrap().faults, 0);
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
        prune(&book, &limits).err(),
        negamax(&book).err(),
        import(&book, &path).err(),
        add_games(&book, std::iter::empty(), 0).err(),
        learn(&book, &mut [], &limits, &StopFlag::default(), &mut |_| {}).err(),
    ];
    for error in refused {
        let error = error.expect("refused").to_string();
        assert!(error.contains("another program is writing"), "{error}");
    }
    assert_eq!(entries(&book), before);
    drop(reserved);
    assert!(negamax(&book).is_ok());
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
                let best = -child.value.unwrap();
                assert!(
                    best <= entry.value.unwrap() + Value::from_score(1),
                    "{board:?}"
                );
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
    let imported = import(&BookFile::create(&path).unwrap(), &file).unwrap();
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
    let start = Instant::now();
    let changed = negamax(&book).unwrap();
    println!(
        "negamax: {changed} of {} changed, {:?}",
        boards.len(),
        start.elapsed()
    );
    let bytes = fs::metadata(&path).unwrap().len();
    println!("{} bytes a position", bytes / boards.len() as u64);
    assert_eq!(check_graph(&book).unwrap().stale, 0);
}
