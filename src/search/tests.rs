//! The laws of the search: it finds what plain negamax finds, whatever the window, the techniques and the table.

mod lists;
mod parallel;
mod solve;

use std::sync::Arc;

use super::searcher::Searcher;
use super::selectivity::Spread;
use super::table::Table;
use super::*;
use crate::board::testing::board_of_one_game;
use crate::board::{Board, Move, Position, Score, Square};
use crate::eval::{Classic, Evaluator, Pattern, Value};

/// The value of `depth` plies as the definition says it.
fn negamax(board: &Board, depth: u32) -> Value {
    let squares = board.legal_moves();
    if squares.is_empty() {
        if board.is_over() {
            return Value::from_score(board.final_score());
        }
        return -negamax(&board.pass(), depth);
    }
    if depth == 0 {
        return Classic.evaluate(board);
    }
    squares
        .squares()
        .map(|square| -negamax(&board.play(square), depth - 1))
        .max()
        .unwrap_or(Value::MIN)
}

/// The boards of random games with `empties` empty squares.
fn random_boards(seed: u64, count: usize, empties: std::ops::RangeInclusive<u32>) -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        let target = random.u32(empties.clone());
        boards.extend(board_of_one_game(&mut random, target));
    }
    boards
}

fn engine(techniques: Techniques) -> Engine {
    Engine::new(Settings {
        hash_mib: 1,
        evaluator: Arc::new(Classic),
        techniques,
        ..Settings::default()
    })
}

/// Runs `search` on a fresh searcher.
fn with_searcher<T>(
    techniques: Techniques,
    search: impl FnOnce(&mut Searcher<&dyn Evaluator>) -> T,
) -> T {
    let table = Table::new(1).unwrap();
    let stop = Stop::default();
    let mut searcher = Searcher::new(
        &table,
        &(&Classic as &dyn Evaluator),
        Spread::of(false),
        techniques,
        &Limits::default(),
        &Board::START,
        &stop,
    );
    search(&mut searcher)
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
fn every_depth_equals_negamax_with_a_whole_legal_line() {
    let mut engine = engine(Techniques::all());
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
        let end = line.pv.iter().fold(*board, |board, mv| {
            mv.square()
                .map_or(board.pass(), |square| board.play(square))
        });
        assert!(
            placed == depth || end.is_over(),
            "{:?} is cut short at depth {depth}",
            line.pv
        );
    }
}

/// The numbers that the search keeps up to date are checked at every leaf as well, where debug assertions are on.
#[test]
fn the_pattern_evaluation_kept_up_to_date_gives_what_it_gives_from_scratch() {
    fn plain(pattern: &Pattern, board: &Board, depth: u32) -> Value {
        let squares = board.legal_moves();
        if squares.is_empty() && board.is_over() {
            Value::from_score(board.final_score())
        } else if squares.is_empty() {
            -plain(pattern, &board.pass(), depth)
        } else if depth == 0 {
            pattern.evaluate(board)
        } else {
            let children = squares.squares().map(|square| board.play(square));
            let values = children.map(|child| -plain(pattern, &child, depth - 1));
            values.max().unwrap_or(Value::MIN)
        }
    }
    let pattern = Pattern::embedded();
    let mut engine = Engine::new(Settings {
        hash_mib: 1,
        evaluator: Arc::new(pattern.clone()),
        ..Settings::default()
    });
    for (index, board) in random_boards(8, 100, 0..=60).iter().enumerate() {
        let depth = 1 + index as u32 % 4;
        engine.clear();
        let line = engine.search(board, &Limits::depth(depth), &mut Silent);
        assert_eq!(
            line.value,
            plain(&pattern, board, depth),
            "depth {depth} of {board:?}"
        );
    }
}

#[test]
fn switching_techniques_off_changes_the_cost_and_not_the_value() {
    let boards = random_boards(2, 40, 20..=50);
    let run = |techniques: Techniques| -> (Vec<Value>, u64) {
        let mut engine = engine(techniques);
        let lines = boards.iter().map(|board| {
            engine.clear();
            engine.search(board, &Limits::depth(5), &mut Silent)
        });
        lines.fold((Vec::new(), 0), |(mut values, nodes), line| {
            values.push(line.value);
            (values, nodes + line.nodes)
        })
    };
    let (values, nodes) = run(Techniques::all());
    for technique in Techniques::all().iter() {
        let (without, _) = run(Techniques::all() - technique);
        assert_eq!(without, values, "{technique:?}");
    }
    let (bare, bare_nodes) = run(Techniques::empty());
    assert_eq!(bare, values);
    assert!(bare_nodes > 3 * nodes, "{bare_nodes} without, {nodes} with");
}

/// What a fail-soft result may be, given the truth and the window.
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
fn every_window_obeys_the_fail_soft_law() {
    let mut random = fastrand::Rng::with_seed(3);
    for board in random_boards(4, 150, 1..=56) {
        let truth = negamax(&board, 3);
        for _ in 0..8 {
            let alpha = Value::from_units(random.i32(-2049..2047));
            let width = [1, 2, 40, 4098][random.usize(0..4)];
            let beta = Value::from_units((alpha.units() + width).min(2049));
            let result = with_searcher(Techniques::all(), |searcher| {
                searcher.midgame((&board, &()), 3, alpha, beta, 0)
            });
            assert_fail_soft(result, truth, alpha, beta, &board);
        }
    }
}

#[test]
fn exact_scores_equal_negamax_in_every_window() {
    let mut random = fastrand::Rng::with_seed(5);
    for board in random_boards(6, 500, 0..=8) {
        let truth = negamax(&board, 64).round_to_score();
        let full = with_searcher(Techniques::all(), |searcher| {
            searcher.solve((&board, &()), -65, 65, 0)
        });
        assert_eq!(full, truth, "{board:?}");
        let alpha: Score = random.i32(-65..64);
        let beta = (alpha + [1, 2, 9][random.usize(0..3)]).min(65);
        let result = with_searcher(Techniques::all(), |searcher| {
            searcher.solve((&board, &()), alpha, beta, 0)
        });
        assert_fail_soft(result, truth, alpha, beta, &board);
    }
}

#[test]
fn solved_lines_run_to_the_end_and_give_the_score() {
    let mut engine = engine(Techniques::all());
    for board in random_boards(7, 100, 8..=11) {
        let limits = Limits {
            depth: Some(2),
            exact: Some(11),
            ..Limits::default()
        };
        let line = engine.search(&board, &limits, &mut Silent);
        assert_eq!(line.depth, Depth::Exact);
        assert_legal(&board, &line);
        let end = line.pv.iter().fold(board, |board, mv| {
            mv.square()
                .map_or(board.pass(), |square| board.play(square))
        });
        assert!(end.is_over());
        let passed_on = line.pv.len() % 2 == 1;
        let score = if passed_on {
            -end.final_score()
        } else {
            end.final_score()
        };
        assert_eq!(Value::from_score(score), line.value, "{board:?}");
    }
}

#[test]
fn hint_gives_the_best_moves_each_as_good_as_its_own_search() {
    let mut engine = engine(Techniques::all());
    for board in random_boards(8, 30, 20..=50) {
        engine.clear();
        let lines = engine.hint(&board, 64, &Limits::depth(4), &mut Silent);
        assert_eq!(lines.len(), board.legal_moves().count().max(1) as usize);
        assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.value)));
        for line in &lines {
            let expected = match line.best_move() {
                Some(Move::Place(square)) => -negamax(&board.play(square), 3),
                _ => negamax(&board, 4),
            };
            assert_eq!(line.value, expected, "{:?} of {board:?}", line.pv);
            assert_legal(&board, line);
        }
    }
}

#[test]
fn some_of_the_best_moves_are_the_best_and_each_as_good_as_its_own_search() {
    let mut random = fastrand::Rng::with_seed(21);
    let mut engine = engine(Techniques::all());
    for board in random_boards(22, 60, 12..=50) {
        let depth = random.u32(3..=5);
        let moves = board.legal_moves().squares();
        let mut values: Vec<Value> = moves
            .map(|square| -negamax(&board.play(square), depth - 1))
            .collect();
        values.sort_by_key(|&value| std::cmp::Reverse(value));
        for count in 1..=values.len().min(5) {
            engine.clear();
            let lines = engine.hint(&board, count, &Limits::depth(depth), &mut Silent);
            let found: Vec<Value> = lines.iter().map(|line| line.value).collect();
            assert_eq!(found, values[..count], "depth {depth} of {board:?}");
            for line in &lines {
                let square = line.best_move().and_then(Move::square).unwrap();
                let own = -negamax(&board.play(square), depth - 1);
                assert_eq!(line.value, own, "{square} of {board:?}");
                assert_legal(&board, line);
            }
        }
    }
}

#[test]
fn the_only_move_is_played_at_once_where_the_time_is_limited() {
    let mut engine = engine(Techniques::all());
    let limits = Limits::time(std::time::Duration::from_secs(1000));
    let boards = random_boards(23, 10_000, 8..=20);
    let forced: Vec<&Board> = boards
        .iter()
        .filter(|board| board.legal_moves().count() <= 1 && !board.is_over())
        .collect();
    assert!(forced.len() > 5, "{}", forced.len());
    for board in forced {
        engine.clear();
        let line = engine.search(board, &limits, &mut Silent);
        assert!(line.best_move().is_some() && line.nodes < 100);
        // A depth is a depth, and whoever asks for a value gets it.
        let deep = engine.search(board, &Limits::depth(3), &mut Silent);
        assert_eq!(deep.depth, Depth::Plies(3, Selectivity::P100));
        let limits = Limits {
            depth: Some(3),
            ..limits.clone()
        };
        let hint = engine.hint(board, 1, &limits, &mut Silent);
        assert_eq!(hint[0].depth, Depth::Plies(3, Selectivity::P100));
    }
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let run = || {
        let mut engine = engine(Techniques::all());
        let after = Board::START.play(Square::F5);
        [Limits::depth(8), Limits::nodes(20_000)].map(|limits| {
            let line = engine.search(&after, &limits, &mut Silent);
            (line.nodes, line.value, line.pv)
        })
    };
    let first = run();
    assert_eq!(first, run());
    assert_eq!(first[1].0, 20_000, "a node limit is met to the node");
}

#[test]
fn a_stop_that_is_set_already_still_leaves_a_move() {
    let mut engine = engine(Techniques::all());
    engine.stop_handle().set();
    let line = engine.search(&Board::START, &Limits::default(), &mut Silent);
    assert!(line.best_move().is_some());
    assert!(line.nodes < 5000);
}

/// Sends word of every iteration.
struct Tell(std::sync::mpsc::Sender<()>);
impl Report for Tell {
    fn progress(&mut self, _: &Line) {
        let _ = self.0.send(());
    }
}

#[test]
fn a_stop_from_another_thread_ends_the_search() {
    let mut engine = engine(Techniques::all());
    let stop = engine.stop_handle();
    let (started, wait) = std::sync::mpsc::channel();
    let search = std::thread::spawn(move || {
        engine.search(&Board::START, &Limits::default(), &mut Tell(started))
    });
    wait.recv().unwrap();
    stop.set();
    assert!(search.join().unwrap().best_move().is_some());
}

#[test]
fn passes_and_finished_games_are_answered() {
    let mut engine = engine(Techniques::all());
    let must_pass: Position = "---XX-XO--XXXXXOX-XXXOXOXXXXXOXOXXXXOXXOXXXXXOXO--XOOXOOOOOOOOOO X"
        .parse()
        .unwrap();
    let line = engine.search(&must_pass.board, &Limits::depth(4), &mut Silent);
    assert_eq!(line.best_move(), Some(Move::Pass));
    assert_eq!(line.value, negamax(&must_pass.board, 4));
    let over = Board {
        player: crate::board::Bitboard::ALL,
        opponent: crate::board::Bitboard::EMPTY,
    };
    let line = engine.search(&over, &Limits::depth(4), &mut Silent);
    assert_eq!(
        (line.best_move(), line.value, line.depth),
        (None, Value::MAX, Depth::Exact)
    );
}

#[test]
fn an_evaluation_may_be_replaced() {
    #[derive(Debug)]
    struct Nothing;
    impl Evaluator for Nothing {
        fn evaluate(&self, _: &Board) -> Value {
            Value::ZERO
        }
        fn name(&self) -> &'static str {
            "nothing"
        }
    }
    let mut engine = engine(Techniques::all());
    engine.search(&Board::START, &Limits::depth(5), &mut Silent);
    let settings = Settings {
        hash_mib: 1,
        evaluator: Arc::new(Nothing),
        ..Settings::default()
    };
    engine.configure(settings).unwrap();
    assert_eq!(
        engine
            .search(&Board::START, &Limits::depth(5), &mut Silent)
            .value,
        Value::ZERO
    );
}
