//! Tests of the solver, compared with plain negamax for all symmetries, windows, goals and table
//! sizes.

use super::{
    assert_fail_soft, assert_legal, assert_whole, counts_of_lines, engine, random_boards,
    solve_within, with_searcher,
};
use crate::board::testing::{board_of_random_discs, negamax};
use crate::board::{Bitboard, Board, Score};
use crate::eval::Value;
use crate::search::{Depth, Engine, Goal, Limits, Line, Settings, Silent};

fn solve(engine: &mut Engine, board: &Board, goal: Goal) -> Line {
    engine.clear();
    engine.search(board, &Limits::solve(goal), &mut Silent)
}

/// Compares the solver with negamax, in a random window and in the full window.
#[test]
fn scores_equal_negamax() {
    /// Number of positions for each number of empties.
    const COUNTS: [usize; 11] = [250, 500, 1500, 1750, 1750, 1500, 1250, 1000, 400, 75, 25];
    let mut random = fastrand::Rng::with_seed(1);
    with_searcher(|searcher| {
        for (empties, count) in (0..).zip(COUNTS) {
            let mut boards = random_boards(random.u64(..), count / 2, empties..=empties);
            boards.resize_with(count, || board_of_random_discs(&mut random, empties));
            for board in boards {
                let truth = negamax(board);
                let alpha: Score = random.i32(-65..64);
                for (alpha, beta) in [
                    (alpha, (alpha + [1, 2, 9][random.usize(0..3)]).min(65)),
                    (-65, 65),
                ] {
                    let score = solve_within(searcher, &board, alpha, beta);
                    assert_fail_soft(score, truth, alpha, beta, &board);
                }
            }
        }
    });
}

#[test]
fn wld_is_the_sign_of_the_exact_score() {
    let mut engine = engine();
    let mut signs = [0; 3];
    for board in random_boards(13, 400, 0..=12) {
        let exact = solve(&mut engine, &board, Goal::Exact);
        let wld = solve(&mut engine, &board, Goal::Wld);
        let sign = exact.value.round_to_score().signum();
        signs[(sign + 1) as usize] += 1;
        assert_eq!(exact.depth, Depth::Exact);
        assert_eq!(
            (wld.depth, wld.value.round_to_score()),
            (Depth::Wld, sign),
            "{board:?}"
        );
        assert_legal(&board, &wld);
        assert_eq!(wld.best_move().is_some(), !board.is_over());
        if let Some(square) = wld.best_move().and_then(crate::board::Move::square) {
            let reply = solve(&mut engine, &board.play(square), Goal::Exact).value;
            assert_eq!(
                -reply.round_to_score().signum(),
                sign,
                "{square} of {board:?}"
            );
        }
    }
    assert!(signs.iter().all(|&count| count > 10), "{signs:?}");
}

#[test]
fn multi_pv_scores_equal_the_solves_of_their_moves() {
    let mut engine = engine();
    for goal in [Goal::Exact, Goal::Wld] {
        for board in random_boards(24, 40, 3..=14) {
            let moves = board.legal_moves().squares();
            let mut values: Vec<_> = moves
                .map(|square| -solve(&mut engine, &board.play(square), goal).value)
                .collect();
            values.sort_by_key(|&value| std::cmp::Reverse(value));
            for count in counts_of_lines(values.len()) {
                engine.clear();
                let lines = engine.multi_pv(&board, count, &Limits::solve(goal), &mut Silent);
                let found: Vec<_> = lines.iter().map(|line| line.value).collect();
                assert_eq!(found, values[..count], "{goal:?} of {board:?}");
                for line in &lines {
                    assert_eq!(line.depth, goal.depth());
                    assert_legal(&board, line);
                    let square = line.best_move().and_then(crate::board::Move::square);
                    let reply = solve(&mut engine, &board.play(square.unwrap()), goal);
                    assert_eq!(line.value, -reply.value, "{square:?} of {board:?}");
                }
            }
        }
    }
}

#[test]
fn small_and_large_tables_give_the_same_scores() {
    let boards = random_boards(16, 40, 13..=16);
    let scores = [1, 256].map(|hash_mib| {
        // The table is never cleared, so later searches use entries of earlier ones.
        let mut engine = Engine::new(Settings::default().with_hash_mib(hash_mib));
        let lines = (boards.iter())
            .map(|board| engine.search(board, &Limits::solve(Goal::Exact), &mut Silent));
        lines.map(|line| line.value).collect::<Vec<_>>()
    });
    assert_eq!(scores[0], scores[1]);
}

#[test]
fn a_cleared_engine_searches_like_a_new_one() {
    let boards = random_boards(18, 30, 8..=15);
    let mut used = engine();
    for board in &boards {
        let expected = solve(&mut engine(), board, Goal::Exact);
        let line = solve(&mut used, board, Goal::Exact);
        assert_eq!((line.nodes, line.pv), (expected.nodes, expected.pv));
    }
    // A single-threaded search visits exactly as many nodes as its limit allows.
    let limited = used.search(&Board::START, &Limits::nodes(20_000), &mut Silent);
    assert_eq!(limited.nodes, 20_000);
}

#[test]
fn node_counts_are_the_same_on_every_instruction_set() {
    let mut engine = engine();
    let nodes = [Goal::Exact, Goal::Wld].map(|goal| {
        let boards = random_boards(19, 40, 9..=16);
        let nodes = boards
            .iter()
            .map(|board| solve(&mut engine, board, goal).nodes);
        nodes.sum::<u64>()
    });
    // Signature of the solvers. A change of their move ordering or cut-offs changes these node
    // counts.
    assert_eq!(nodes, [2_384_922, 526_924]);
}

#[test]
fn the_line_of_a_wipe_out_ends_the_game() {
    let mut random = fastrand::Rng::with_seed(41);
    let (mut wipe_outs, mut engine) = (0, engine());
    while wipe_outs < 30 {
        // One side gets few discs, so that many games end by a wipe-out before the board is full.
        let mut board = board_of_random_discs(&mut random, 11);
        let kept: Bitboard = board.opponent.squares().take(4).collect();
        board.player |= board.opponent ^ kept;
        board.opponent = kept;
        engine.clear();
        let line = engine.search(&board, &Limits::solve(Goal::Exact), &mut Silent);
        if line.value != Value::MAX && line.value != Value::MIN {
            continue;
        }
        wipe_outs += 1;
        assert_whole(&board, &line);
    }
}
