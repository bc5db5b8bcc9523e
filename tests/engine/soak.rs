//! Stress test of multi-threaded searches: tiny tables, random limits, stops at any moment.
//!
//! `cargo test` runs 400 searches.
//! `cargo test --release --test engine -- soak:: --ignored` runs for 30 minutes and checks the memory too.
//! The environment variable `EMILIA_SOAK_SECONDS` sets another length.

use std::num::NonZero;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use emilia::board::{Board, Move, Symmetry};
use emilia::eval::Value;
use emilia::search::{Depth, Engine, Goal, Limits, Line, Settings, Silent};

/// Default length of the long run in seconds.
const SECONDS: u64 = 1800;

/// Longest wait for a round, which takes milliseconds, before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// Allowed memory growth in KiB after the first 2,000 rounds.
const GROWTH: u64 = 32 * 1024;

/// Random seed of boards, limits and stops. Results still vary with the timing of the threads.
const SEED: u64 = 20_26;

/// Returns `count` random boards with their exact scores, solved by one thread without limits.
fn known_scores(random: &mut fastrand::Rng, count: usize) -> Vec<(Board, Value)> {
    let mut engine = engine(1, 16);
    let boards = std::iter::repeat_with(|| random_board(random)).take(count);
    boards
        .map(|board| {
            let line = engine.search(&board, &Limits::solve(Goal::Exact), &mut Silent);
            assert_eq!(line.depth, Depth::Exact);
            (board, line.value)
        })
        .collect()
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
    let search = engine.start(board, 1, &limits);
    thread::sleep(Duration::from_micros(random.u64(..5000)));
    search.stop();
    search.wait().swap_remove(0)
}

/// Asserts that the move is legal and an exact value right. Returns whether the value is exact.
fn check(board: &Board, score: Value, line: &Line) -> bool {
    let Some(&Move::Place(square)) = line.pv.first() else {
        panic!("{:?} on {board:?}", line.pv);
    };
    assert!(board.legal_moves().contains(square), "{square} {board:?}");
    if line.depth == Depth::Exact {
        assert_eq!(line.value, score, "{board:?}");
    }
    line.depth == Depth::Exact
}

/// Returns the resident memory of this process in KiB, or `None` without `/proc`.
fn memory() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4)
}

/// Runs rounds of one search each until `is_over(round)`; returns the number of solved boards.
fn soak(is_over: impl Fn(u64) -> bool) -> u64 {
    let mut random = fastrand::Rng::with_seed(SEED);
    let known = known_scores(&mut random, 100);
    let (done, wait) = mpsc::channel();
    let rounds = thread::spawn(move || {
        let mut engines: Vec<Engine> = [(2, 0), (2, 1), (3, 1), (4, 0)]
            .map(|(threads, hash_mib)| engine(threads, hash_mib))
            .into();
        loop {
            let engine = random.choice(&mut engines).unwrap();
            let (board, score) = random.choice(&known).unwrap();
            let symmetry = Symmetry::all().nth(random.usize(..8)).unwrap();
            let board = symmetry.board(board);
            let line = search(engine, &board, &mut random);
            if done.send(check(&board, *score, &line)).is_err() {
                break;
            }
        }
    });
    let (mut round, mut solved) = (0, 0);
    while !is_over(round) {
        match wait.recv_timeout(PATIENCE) {
            Ok(is_solved) => solved += u64::from(is_solved),
            Err(error) => panic!("round {round}: {error}"),
        }
        round += 1;
    }
    drop(wait);
    rounds.join().expect("no round panics");
    solved
}

#[test]
fn interrupted_parallel_searches_return_legal_moves_and_right_exact_values() {
    let solved = soak(|round| round == 400);
    assert!(solved > 50, "{solved}");
}

#[test]
#[ignore = "takes 30 minutes, or EMILIA_SOAK_SECONDS"]
fn searches_stay_correct_and_do_not_grow_for_half_an_hour() {
    let seconds = std::env::var("EMILIA_SOAK_SECONDS").map_or(SECONDS, |seconds| {
        seconds.parse().expect("a number of seconds")
    });
    let start = Instant::now();
    let early = std::cell::Cell::new(None);
    let solved = soak(|round| {
        if round == 2000 {
            early.set(memory());
        }
        start.elapsed().as_secs() >= seconds
    });
    println!(
        "{solved} solved, memory {:?} and then {:?}",
        early.get(),
        memory()
    );
    if let (Some(early), Some(late)) = (early.get(), memory()) {
        assert!(late < early + GROWTH, "{early} KiB, then {late} KiB");
    }
}
