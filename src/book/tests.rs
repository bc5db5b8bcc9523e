//! Tests of the book: graph, file, import and export, and moves to play.

mod exchange;
mod learning;
mod random_walk;
mod storage;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use super::exchange::{BookFormat, export, read, read_bytes};
use super::learn::{LearnLimits, LineLimits, learn, learn_games, prune};
use super::*;
use emilia_core::board::{Bitboard, Move, Square, Transcript};
use emilia_core::eval::{Simple, Value};
use emilia_core::search::{Engine, Settings, StopFlag};
use fastrand::Rng;
use tempfile::tempdir;

/// Reads book files and imports them into `book`.
fn import<P: AsRef<Path>>(book: &BookFile, paths: &[P]) -> Result<(Vec<Imported>, u64), FileError> {
    let files = paths.iter().map(|path| read(path.as_ref()));
    crate::import(book, files.collect::<Result<_, _>>()?)
}

/// Returns all positions of the book with their entries.
fn entries(book: &BookFile) -> BTreeMap<Board, Entry> {
    book.positions().unwrap().into_iter().collect()
}

fn reach(error: i32, plies: u32) -> LineLimits {
    LineLimits {
        error: Value::from_score(error),
        move_error: Value::from_score(error),
        min_empties: 60 - plies,
    }
}

fn limits(level: u8, error: i32, plies: u32) -> LearnLimits {
    LearnLimits {
        root: Board::START,
        level,
        reach: reach(error, plies),
        positions: None,
        time: None,
    }
}

/// Returns a book learned with the evaluation [`Simple`] at depth 2, down to ply 6.
fn small_book() -> Arc<BookFile> {
    let book = BookFile::in_memory().unwrap();
    extend(&book, &limits(2, 3, 6), 2);
    Arc::new(book)
}

/// Returns a copy of [`small_book`] in a file.
fn small_file(path: &Path) -> BookFile {
    small_book().copy_to(path).unwrap();
    BookFile::open(path).unwrap()
}

/// Learns with the given number of threads, and returns the number of positions learned. The result
/// is deterministic only with one thread.
fn extend(book: &BookFile, limits: &LearnLimits, threads: usize) -> usize {
    let settings = Settings::default().with_hash_mib(1).with_evaluator(Simple);
    let mut engines = Engine::several(&settings, threads).unwrap();
    let stop = StopFlag::default();
    let done = learn(book, &mut engines, limits, &stop, &mut |_| ()).unwrap();
    done.learned
}

/// Stores entries as they are, without recomputing values.
fn put_all(book: &BookFile, entries: &[(Board, Entry)]) {
    let put = || {
        entries
            .iter()
            .try_for_each(|(board, entry)| book.put(board, entry))
    };
    book.write(put).unwrap();
}

fn book_moves(book: &Arc<BookFile>, board: &Board) -> Vec<BookMove> {
    Book::File(book.clone()).moves(board).unwrap()
}

/// Asserts that the graph is consistent. No leaf may be a link, and values, bounds and line counts
/// must follow from the links and leaves.
fn assert_clean(book: &BookFile) {
    assert_eq!(check_graph(book).unwrap().first, None);
}

/// Encodes a book in Egaroucid's format. The nine bytes of a position are its fields after the
/// board, from the value on.
fn of_egaroucid(positions: &[(Board, [u8; 9])]) -> Vec<u8> {
    let mut book = b"DICUORAGE\x03".to_vec();
    book.extend((positions.len() as u32).to_le_bytes());
    for (board, rest) in positions {
        book.extend(board.player.0.to_le_bytes());
        book.extend(board.opponent.0.to_le_bytes());
        book.extend(rest);
    }
    book
}

/// Plays a random game of at most `plies` moves. Returns the start and the board after each move.
fn random_game(rng: &mut Rng, plies: usize) -> Vec<Board> {
    let mut boards = vec![Board::START];
    while boards.len() <= plies
        && let Some((_, child)) =
            rng.choice(children(&boards[boards.len() - 1]).collect::<Vec<_>>())
    {
        boards.push(child);
    }
    boards
}

/// Returns a position in which the side to move must pass, and the opponent has a move.
fn passing() -> Board {
    let mut rng = Rng::with_seed(60);
    let mut boards = std::iter::repeat_with(|| random_game(&mut rng, 40)).flatten();
    let found = boards.find(|board| !board.can_move() && board.pass().can_move());
    found.expect("games have passes")
}

#[test]
fn positions_are_found_for_all_their_symmetric_images() {
    let book = small_book();
    for board in entries(&book).into_keys() {
        let own = book_moves(&book, &board);
        for symmetry in emilia_core::board::Symmetry::all() {
            let mut of_image = book_moves(&book, &symmetry.board(&board));
            assert_eq!(of_image.len(), own.len());
            for book_move in &own {
                let mv = Move::Place(symmetry.square(book_move.mv.square().unwrap()));
                of_image.retain(|other| *other != BookMove { mv, ..*book_move });
            }
            assert_eq!(of_image, [], "{board:?}");
        }
    }
}

#[test]
fn a_merge_takes_the_higher_levels_of_value_and_leaf() {
    let entry = |value, level, bounds, leaf| Entry {
        bounds,
        leaf: Some(leaf),
        ..Entry::new(Value::from_score(value), level)
    };
    let leaf = |square, level| Leaf::new(square, Value::ZERO, level);
    let low = entry(3, 8, (-4, 64), leaf(Square::F5, 20));
    let high = entry(-1, 12, (-64, 8), leaf(Square::D3, 12));
    for (mut own, other) in [(low, high), (high, low)] {
        own.merge(&other);
        assert_eq!((own.value, own.level), (high.value, 12));
        assert_eq!((own.leaf, own.bounds), (low.leaf, (-4, 8)));
    }
}

#[test]
fn pruning_keeps_lines_within_the_error_and_their_values() {
    let book = small_book();
    let before = entries(&book);
    assert_eq!(prune(&book, None, &reach(10_000, 60)).unwrap(), 0);
    assert_eq!(entries(&book), before);
    assert!(prune(&book, Some(&Board::START), &reach(1, 6)).unwrap() > 0);
    let after = entries(&book);
    assert!(after.len() < before.len() && after.keys().all(|board| before.contains_key(board)));
    let root = Board::START.canonical();
    assert_eq!(after[&root].value, before[&root].value);
    assert_clean(&book);
}

#[test]
fn a_book_has_one_writer() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.book");
    let (book, other) = (small_file(&path), BookFile::open(&path).unwrap());
    let before = entries(&book);
    let reserved = other.reserve().unwrap();
    let limits = limits(4, 2, 6);
    let refused = [
        prune(&book, None, &reach(2, 6)).err(),
        import(&book, &[&path]).err(),
        learn(&book, &mut [], &limits, &StopFlag::default(), &mut |_| {}).err(),
    ];
    for error in refused {
        let text = error.expect("refused").to_string();
        assert!(text.contains("another program is writing"), "{text}");
    }
    assert_eq!(entries(&book), before);
    drop(reserved);
    assert!(prune(&book, None, &reach(2, 6)).is_ok());
}

#[test]
fn the_embedded_book_is_whole() {
    let book = Compact::new(Compact::EMBEDDED.0).expect("the embedded book is valid");
    let positions = book.positions();
    assert!(positions.len() == book.len() && positions.len() > 1);
    for (board, entry) in positions {
        assert_eq!(entry.fault(&board), None);
        for (_, child) in children(&board) {
            // The value of a position is the best value of its moves, so no move may be better (1
            // disc allows for rounding). The compact book stores hashes instead of boards: two
            // positions with equal hashes would share one entry, and its value would break this
            // rule.
            if let Some(child) = book.get(&child) {
                assert!(
                    -child.value <= entry.value + Value::from_score(1),
                    "{board:?}"
                );
            }
        }
    }
}
