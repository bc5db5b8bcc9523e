//! Tests of the search: its results equal those of plain negamax, in open and null windows, and
//! with a transposition table that earlier searches have filled.

mod lists;
mod parallel;
mod solve;

use super::control::Control;
use super::node::Node;
use super::searcher::{Searcher, Shared};
use super::sigmas::Sigmas;
use super::table::TranspositionTable;
use super::team::Team;
use super::thread_state::ThreadState;
use super::window::Window;
use super::*;
use crate::board::testing::board_of_one_game;
use crate::board::{Board, Move, Position, Score};
use crate::eval::{Classic, Evaluator, FromScratch, Value};

/// Reference: the value at `depth` plies by negamax without pruning.
fn negamax(board: &Board, depth: u32) -> Value {
    let squares = board.legal_moves();
    if squares.is_empty() && board.is_over() {
        Value::from_score(board.final_score())
    } else if squares.is_empty() {
        -negamax(&board.pass(), depth)
    } else if depth == 0 {
        Classic.evaluate(board)
    } else {
        let children = squares.squares().map(|square| board.play(square));
        let values = children.map(|child| -negamax(&child, depth - 1));
        values.max().unwrap_or(Value::MIN)
    }
}

/// Returns `count` boards of random games. Their numbers of empties are drawn from `empties`.
fn random_boards(seed: u64, count: usize, empties: std::ops::RangeInclusive<u32>) -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        let target = random.u32(empties.clone());
        boards.extend(board_of_one_game(&mut random, target));
    }
    boards
}

fn engine() -> Engine {
    let settings = Settings::default()
        .with_hash_mib(1)
        .with_evaluator(Classic)
        .with_selectivity(Selectivity::P100);
    Engine::new(settings)
}

/// Table size of [`with_shared`] in MiB. 0 means a single bucket, for Miri, which would take a
/// minute to fill 1 MiB.
const MIB: usize = if cfg!(miri) { 0 } else { 1 };

/// Evaluation type of the searchers in these tests.
type Plain = FromScratch<'static>;

/// Calls `test` with the shared state of a search. `team` is the team of helper threads, if any.
fn with_shared<T>(team: Option<Team<()>>, test: impl FnOnce(&Shared<Plain>) -> T) -> T {
    let shared = Shared {
        table: &TranspositionTable::new(MIB).unwrap(),
        evaluator: &FromScratch(&Classic),
        sigmas: &Sigmas::of(Classic.probcut_model()),
        goal: Goal::Exact,
        control: &Control::default(),
        stopwatch: time::Stopwatch::start(system_clock),
        team,
        observe: None,
    };
    test(&shared)
}

/// Calls `search` with a new single-threaded searcher.
fn with_searcher<T>(search: impl FnOnce(&mut Searcher<Plain>) -> T) -> T {
    with_shared(None, |shared| {
        let mut own = ThreadState::default();
        let limits = Limits::default();
        search(&mut Searcher::new(shared, &mut own, &limits, &Board::START))
    })
}

/// Creates the root node of a search of `board`.
fn root(board: &Board, depth: u32, window: Window) -> Node<&'static ()> {
    Node {
        board: *board,
        state: &(),
        ply: 0,
        depth,
        window,
        moves: board.legal_moves(),
    }
}

/// Returns the score of `board` under best play, as a fail-soft result in the window from `alpha`
/// to `beta`.
fn solve_within(searcher: &mut Searcher<Plain>, board: &Board, alpha: Score, beta: Score) -> Score {
    let window = Window::new(Value::from_score(alpha), Value::from_score(beta));
    let value = searcher.search(&root(board, board.empty_count(), window));
    value.round_to_score()
}

/// Returns the numbers of lines (MultiPV) to test in a position with `moves` legal moves: 1 to 5,
/// and `moves`.
fn counts_of_lines(moves: usize) -> impl Iterator<Item = usize> {
    (1..=moves.min(5)).chain((moves > 5).then_some(moves))
}

/// Returns the board after the last move of `line`.
fn end_of(board: &Board, line: &Line) -> Board {
    line.pv
        .iter()
        .fold(*board, |board, &mv| board.play_or_pass(mv))
}

/// Asserts that `line` is legal, that it ends the game, and that the final score equals
/// `line.value`.
fn assert_whole(board: &Board, line: &Line) {
    assert_legal(board, line);
    let end = end_of(board, line);
    assert!(end.is_over(), "{:?} of {board:?}", line.pv);
    let sign = if line.pv.len() % 2 == 1 { -1 } else { 1 };
    assert_eq!(line.value, Value::from_score(sign * end.final_score()));
}

fn assert_legal(board: &Board, line: &Line) {
    let mut position = Position {
        board: *board,
        mover: crate::board::Color::Black,
    };
    for &mv in &line.pv {
        position = position
            .play(mv)
            .unwrap_or_else(|error| panic!("{error} in {:?} of {board:?}", line.pv));
    }
}

#[test]
#[should_panic(expected = "set `Settings::clock`")]
fn a_time_limit_without_a_clock_panics() {
    let settings = Settings {
        clock: || NO_CLOCK,
        ..engine().settings().clone()
    };
    let mut engine = Engine::new(settings);
    // A search limited by depth does not need a clock.
    let line = engine.search(&Board::START, &Limits::depth(2), &mut Silent);
    assert_eq!(line.pv.len(), 2);
    let second = std::time::Duration::from_secs(1);
    engine.search(&Board::START, &Limits::time(second), &mut Silent);
}

#[test]
fn every_depth_equals_negamax_with_a_full_length_legal_line() {
    let mut engine = engine();
    for (index, board) in random_boards(1, 300, 0..=60).iter().enumerate() {
        let depth = 1 + index as u32 % 4;
        engine.clear();
        let line = engine.search(board, &Limits::depth(depth), &mut Silent);
        assert_eq!(
            line.value,
            negamax(board, depth),
            "depth {depth} of {board:?}"
        );
        assert_legal(board, &line);
        let placed = line.pv.iter().filter(|&&mv| mv != Move::Pass).count() as u32;
        assert!(
            placed == depth || end_of(board, &line).is_over(),
            "the line {:?} is shorter than depth {depth}",
            line.pv
        );
    }
}

#[test]
fn static_cuts_need_a_small_depth_a_far_value_and_a_selective_search() {
    let far = Value::from_score(30);
    for board in random_boards(9, 50, 20..=50) {
        with_searcher(|searcher| {
            let mut cut = |selectivity, depth, beta| {
                searcher.pruning.selectivity = selectivity;
                let window = Window::new(beta - Value::UNIT, beta);
                searcher.static_cut(&root(&board, depth, window))
            };
            let value = Classic.evaluate(&board);
            for depth in [1, 2] {
                for selectivity in Selectivity::ALL {
                    let full_width = selectivity == Selectivity::P100;
                    let (low, high) = (value - far, value + far);
                    let expected = (!full_width).then_some(low);
                    assert_eq!(cut(selectivity, depth, low), expected);
                    let expected = (!full_width).then_some(high - Value::UNIT);
                    assert_eq!(cut(selectivity, depth, high), expected);
                    assert_eq!(cut(selectivity, depth, value), None);
                }
            }
            assert_eq!(
                cut(Selectivity::P73, 3, value - far),
                None,
                "static cuts end below depth 3"
            );
        });
    }
}

/// Asserts that `result` is a correct fail-soft result, given the true value and the window.
pub(super) fn assert_fail_soft<T: Ord + Copy + std::fmt::Debug>(
    result: T,
    truth: T,
    alpha: T,
    beta: T,
    board: &Board,
) {
    let lawful = if result <= alpha {
        truth <= result
    } else if result >= beta {
        truth >= result
    } else {
        truth == result
    };
    assert!(
        lawful,
        "{result:?} in ({alpha:?}, {beta:?}), truth {truth:?}, {board:?}"
    );
}

#[test]
fn every_window_is_fail_soft() {
    let mut random = fastrand::Rng::with_seed(3);
    for board in random_boards(4, 150, 1..=56) {
        let truth = negamax(&board, 3);
        for _ in 0..8 {
            let alpha = Value::from_units(random.i32(-2049..2047));
            let width = [1, 2, 40, 4098][random.usize(0..4)];
            let beta = Value::from_units((alpha.units() + width).min(2049));
            let result = with_searcher(|searcher| {
                searcher.search(&root(&board, 3, Window::new(alpha, beta)))
            });
            assert_fail_soft(result, truth, alpha, beta, &board);
        }
    }
}

#[test]
fn a_stopped_search_returns_its_lines_and_does_not_stop_the_next() {
    let mut engine = engine();
    let mut search = engine.start(&Board::START, 2, &Limits::default()).unwrap();
    let first = search.next_progress().unwrap();
    assert_eq!(
        (first.multi_pv, first.line.depth),
        (1, Depth::Plies(1, Selectivity::P100))
    );
    assert!(!search.is_finished());
    search.stop();
    let progress: Vec<Progress> = std::iter::from_fn(|| search.next_progress()).collect();
    assert!(
        progress
            .iter()
            .all(|progress| (1..=2).contains(&progress.multi_pv))
    );
    assert!(search.poll().is_none());
    let lines = search.wait();
    assert_eq!(lines.len(), 2);
    // `stop` ends only its own search, not the next one.
    let next = engine.start(&Board::START, 1, &Limits::depth(4)).unwrap();
    assert_eq!(next.wait()[0].depth, Depth::Plies(4, Selectivity::P100));
    // Dropping the handle stops the search. Otherwise `clear` would wait forever, because it blocks
    // while a search runs.
    drop(engine.start(&Board::START, 1, &Limits::default()).unwrap());
    engine.clear();
}

#[test]
fn a_search_stopped_at_its_start_has_a_move_and_makes_no_memory_resident() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// Number of calls of the clock. Making the whole table of 64 MiB resident takes about 260
    /// calls, one for every 64 pages. The search adds a few.
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    let mut settings = engine().settings().clone();
    settings = settings.with_hash_mib(64);
    settings.clock = || std::time::Duration::from_nanos(LOOKS.fetch_add(1, Relaxed));
    let mut engine = Engine::new(settings);
    engine.interrupt().set();
    let limits = Limits::time(std::time::Duration::from_secs(1));
    let line = engine.search(&Board::START, &limits, &mut Silent);
    assert!(line.best_move().is_some() && line.nodes < 5000);
    assert!(LOOKS.load(Relaxed) < 100, "{LOOKS:?}");
}

#[test]
fn replacement_limits_end_a_running_search() {
    let engine = engine();
    for limits in [
        Limits::nodes(20_000),
        Limits::depth(3),
        Limits::time(std::time::Duration::from_millis(1)),
    ] {
        let mut search = engine.start(&Board::START, 1, &Limits::default()).unwrap();
        // Waits until the search is deeper than the new depth limit. The new limits of nodes and
        // time count from the ponder hit on.
        let nodes = loop {
            let Progress { line, .. } = search.next_progress().unwrap();
            if line.depth >= Depth::Plies(6, Selectivity::P100) {
                break line.nodes;
            }
        };
        search.ponder_hit(limits);
        let line = search.wait().swap_remove(0);
        assert!(line.nodes >= nodes && !line.depth.is_solved());
    }
}

#[test]
fn values_of_an_evaluation_are_clamped_to_the_range_of_scores() {
    /// Evaluator that returns the same number of discs for every board, outside the range of
    /// scores.
    #[derive(Debug)]
    struct Extreme(i32);
    impl Evaluator for Extreme {
        fn name(&self) -> &'static str {
            "extreme"
        }
        fn evaluate(&self, _: &Board) -> Value {
            Value::from_units(self.0 * Value::PER_DISC)
        }
        fn probcut_model(&self) -> &crate::eval::ProbCutModel {
            Classic.probcut_model()
        }
    }
    for (discs, value) in [(-100, Value::MAX), (100, Value::MIN)] {
        // At full width, a search of one ply has no extensions.
        let settings = Settings::default().with_selectivity(Selectivity::P100);
        let mut engine = Engine::new(settings.with_evaluator(Extreme(discs)).with_hash_mib(1));
        let line = engine.search(&Board::START, &Limits::depth(1), &mut Silent);
        assert_eq!(line.value, value);
    }
}

#[test]
fn leaves_with_few_moves_are_extended_below_full_width_only() {
    let nodes = |selectivity| {
        let settings = Settings::default().with_hash_mib(1);
        let mut engine = Engine::new(settings.with_selectivity(selectivity));
        let line = engine.search(&Board::START, &Limits::depth(1), &mut Silent);
        line.nodes
    };
    // The root, and a leaf after each of the four moves. At a leaf, the opponent has three moves.
    assert_eq!(nodes(Selectivity::P100), 5);
    assert!(nodes(Selectivity::P73) > 5);
}

#[test]
fn a_new_evaluation_leaves_no_old_values_behind() {
    // Sets a new evaluation alone, and then together with another table size.
    for other_table in [false, true] {
        let mut engine = engine();
        let search = |engine: &mut Engine| {
            let line = engine.search(&Board::START, &Limits::depth(5), &mut Silent);
            line.value
        };
        search(&mut engine);
        let mut settings = engine.settings().clone();
        settings = settings.with_evaluator(crate::eval::Simple);
        settings.hash_mib += usize::from(other_table);
        engine.configure(settings.clone()).unwrap();
        assert_eq!(search(&mut engine), search(&mut Engine::new(settings)));
    }
}
