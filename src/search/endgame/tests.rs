//! The solvers against plain negamax, every window against what fail-soft promises, and the node count, which must be the
//! same on every instruction set.

use super::SmallSolver;
use super::five::solve_five;
use crate::board::testing::{board_of_a_game, negamax, random_board};
use crate::board::{Bitboard, Board, Score, Square, Symmetry};
use crate::eval::{Classic, FromScratch, Pattern, SearchEvaluator};
use crate::search::tests::assert_fail_soft;

/// No ordering evaluation.
const UNORDERED: Option<&FromScratch<Classic>> = None;

/// Compares the results for a window with the true score.
fn check_window(small: &mut SmallSolver, board: Board, truth: Score, alpha: Score, beta: Score) {
    let five = solve_five(board, alpha, beta, &mut 0);
    assert_fail_soft(five, truth, alpha, beta, &board);
    let score = small.solve(board, board.legal_moves(), UNORDERED, alpha, beta);
    assert_fail_soft(score, truth, alpha, beta, &board);
}

#[test]
fn scores_are_those_of_negamax_in_every_window() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut small = SmallSolver::default();
    let (mut passes, mut wipe_outs) = (0, 0);
    for round in 0..20_000 {
        let board = random_board(&mut random, round % 8);
        let truth = negamax(board);
        passes += u32::from(!board.can_move());
        wipe_outs += u32::from(truth.abs() == 64);
        check_window(&mut small, board, truth, -65, 65);
        for _ in 0..4 {
            let alpha = random.i32(-65..64);
            check_window(&mut small, board, truth, alpha, random.i32(alpha + 1..=65));
            check_window(&mut small, board, truth, alpha, alpha + 1);
        }
        check_window(&mut small, board, truth, truth - 1, truth);
        check_window(&mut small, board, truth, truth, truth + 1);
    }
    assert!(passes > 2000 && wipe_outs > 500, "{passes} {wipe_outs}");
}

#[test]
fn scores_are_those_of_negamax_with_more_empties() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut small = SmallSolver::default();
    for round in 0..150 {
        let board = random_board(&mut random, 8 + round % 3);
        let truth = negamax(board);
        check_window(&mut small, board, truth, -65, 65);
        check_window(&mut small, board, truth, truth - 1, truth);
        check_window(&mut small, board, truth, truth, truth + 1);
    }
}

#[test]
fn scores_are_the_same_on_every_image_and_in_every_order() {
    let mut random = fastrand::Rng::with_seed(9);
    let (mut plain, mut ordered) = (SmallSolver::default(), SmallSolver::default());
    let pattern = Pattern::embedded();
    for _ in 0..50 {
        let board = board_of_a_game(&mut random, 12);
        let moves = board.legal_moves();
        let score = plain.solve(board, moves, UNORDERED, -64, 64);
        for (alpha, beta) in [(-64, 64), (score - 1, score), (score, score + 1)] {
            let found = ordered.solve(board, moves, pattern.ordering().as_ref(), alpha, beta);
            assert_fail_soft(found, score, alpha, beta, &board);
        }
        for symmetry in Symmetry::all() {
            let image = symmetry.board(&board);
            let moves = image.legal_moves();
            assert_eq!(
                SmallSolver::default().solve(image, moves, pattern.ordering().as_ref(), -64, 64),
                score,
                "{image:?}"
            );
        }
    }
    assert!(ordered.nodes < plain.nodes);
}

#[test]
fn node_counts_are_the_same_on_every_instruction_set() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut small = SmallSolver::default();
    let pattern = Pattern::embedded();
    let mut nodes = 0;
    for round in 0..1000 {
        let board = board_of_a_game(&mut random, round % 9);
        solve_five(board, -64, 64, &mut nodes);
        solve_five(board, 0, 1, &mut nodes);
        let board = board_of_a_game(&mut random, 6 + round % 7);
        small.solve(
            board,
            board.legal_moves(),
            pattern.ordering().as_ref(),
            -64,
            64,
        );
        small.solve(
            board,
            board.legal_moves(),
            pattern.ordering().as_ref(),
            0,
            1,
        );
    }
    assert_eq!((nodes, small.nodes), (215_850, 3_952_420));
}

#[test]
fn a_node_is_a_position_entered_by_a_disc() {
    // One square is empty on a board of one colour: nobody can move, and the root is all there is.
    let empty = Bitboard::of(Square::A1);
    let board = Board {
        player: !empty,
        opponent: Bitboard::EMPTY,
    };
    let mut nodes = 0;
    assert_eq!(solve_five(board, -64, 64, &mut nodes), 64);
    assert_eq!(nodes, 1);
    // Two squares: a1 turns over b1, after which h8 is nobody's move; the full board is not entered.
    let empties = empty | Bitboard::of(Square::H8);
    let opponent = Bitboard::of(Square::B1);
    let board = Board {
        player: !(empties | opponent),
        opponent,
    };
    let mut nodes = 0;
    assert_eq!(solve_five(board, -64, 64, &mut nodes), 64);
    assert_eq!(nodes, 2);
    let mut nodes = 0;
    assert_eq!(solve_five(board.pass(), -64, 64, &mut nodes), -64);
    assert_eq!(nodes, 2);
}
