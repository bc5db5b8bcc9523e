//! Stress test of searches by one to four threads: tiny tables, random limits, stops at any moment.
//!
//! `cargo test` runs 200 searches, and `EMILIA_SOAK_ROUNDS` sets another number.

use std::num::NonZero;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use emilia_core::board::{Board, Symmetry};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Engine, Goal, Limits, Line, Settings, Silent};

/// Longest wait for a round, which takes milliseconds, before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// Random seed of boards, limits and stops. Results still vary with the timing of the threads.
const SEED: u64 = 20_26;

/// Returns `count` random boards with their exact scores, solved by one thread without limits.
fn known_scores(random: &mut fastrand::Rng, count: usize) -> Vec<(Board, Value)> {
    let mut engine = engine(1, 16);
    let solved = std::iter::repeat_with(|| random_board(random)).map(|board| {
        let line = engine.search(&board, &Limits::solve(Goal::Exact), &mut Silent);
        (board, line.value)
    });
    solved.take(count).collect()
}

/// Returns a board of a random game with 8 to 19 empties.
fn random_board(random: &mut fastrand::Rng) -> Board {
    let empties = random.u32(8..=19);
    loop {
        let mut board = Board::START;
        while board.empty_count() > empties && !board.is_over() {
            board = match random.choice(board.legal_moves().squares()) {
                Some(square) => board.play(square),
                None => board.pass(),
            };
        }
        if board.empty_count() == empties && board.can_move() {
            return board;
        }
    }
}

fn engine(threads: usize, hash_mib: usize) -> Engine {
    // A table of 0 MiB holds four positions.
    let settings = Settings::default().with_hash_mib(hash_mib);
    Engine::new(settings.with_threads(NonZero::new(threads).unwrap()))
}

/// Searches with a random limit. Half of the searches are stopped within 5 ms.
fn search(engine: &mut Engine, board: &Board, random: &mut fastrand::Rng) -> Line {
    let limits = match random.u32(..8) {
        0 => Limits::nodes(random.u64(1..200_000)),
        1 => Limits::time(Duration::from_micros(random.u64(1..20_000))),
        2 => Limits::depth(random.u32(1..10)),
        _ => Limits::solve(Goal::Exact),
    };
    if random.bool() {
        engine.clear();
    }
    if random.bool() {
        return engine.search(board, &limits, &mut Silent);
    }
    let search = engine.start(board, 1, &limits).unwrap();
    thread::sleep(Duration::from_micros(random.u64(..5000)));
    search.stop();
    search.wait().swap_remove(0)
}

/// Asserts that the move is legal and an exact value right. Returns whether the value is exact.
fn check(board: &Board, score: Value, line: &Line) -> bool {
    let square = line.pv.first().and_then(|mv| mv.square()).expect("a move");
    assert!(board.legal_moves().contains(square), "{square} {board:?}");
    let is_exact = line.depth == Depth::Exact;
    assert!(!is_exact || line.value == score, "{line:?} {board:?}");
    is_exact
}

#[test]
fn interrupted_searches_return_legal_moves_and_right_exact_values() {
    let rounds = std::env::var("EMILIA_SOAK_ROUNDS").map_or(200, |rounds| rounds.parse().unwrap());
    let mut random = fastrand::Rng::with_seed(SEED);
    let known = known_scores(&mut random, 100);
    let (done, wait) = mpsc::channel();
    let searches = thread::spawn(move || {
        let mut engines: Vec<Engine> = [(1, 0), (2, 0), (2, 1), (3, 1), (4, 0)]
            .map(|(threads, hash_mib)| engine(threads, hash_mib))
            .into();
        for _ in 0..rounds {
            let engine = random.choice(&mut engines).unwrap();
            let (board, score) = random.choice(&known).unwrap();
            let symmetry = Symmetry::all().nth(random.usize(..8)).unwrap();
            let board = symmetry.board(board);
            let line = search(engine, &board, &mut random);
            done.send(check(&board, *score, &line)).unwrap();
        }
    });
    let mut solved = 0;
    for round in 0..rounds {
        let is_solved = wait.recv_timeout(PATIENCE);
        solved += u64::from(is_solved.unwrap_or_else(|error| panic!("round {round}: {error}")));
    }
    searches.join().expect("no round panics");
    assert!(solved > rounds / 8, "{solved}");
}
