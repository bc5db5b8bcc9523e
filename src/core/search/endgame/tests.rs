//! Tests of the endgame solvers: comparison with plain negamax, fail-soft bounds, and node counts.

use std::ops::ControlFlow;

use super::empties_1_to_5::solve_by_parity;
use super::ordering::EndgameMoves;
use super::small_table::SmallTable;
use super::{EndgameSolver, MIN_ALPHA, own_stable_cut, stable_child_cut};
use crate::board::testing::{board_of_a_game, negamax, random_board, rounds};
use crate::board::{Bitboard, Board, Score, Square, Symmetry};
use crate::eval::{FromScratch, Incremental, Net, SearchEvaluator};
use crate::search::ordering::LegalMove;
use crate::search::parameters::endgame::SHARED_EMPTIES;
use crate::search::table::TranspositionTable;
use crate::search::tests::assert_fail_soft;

/// Passed to a solver that orders moves without an evaluation.
const UNORDERED: Option<&FromScratch> = None;

/// Owns the transposition table and the small table that an endgame solver borrows.
struct Tables {
    small: SmallTable,
    shared: TranspositionTable,
}

impl Tables {
    fn new() -> Tables {
        Tables {
            small: SmallTable::default(),
            shared: TranspositionTable::new(0).unwrap(),
        }
    }

    fn solver(&mut self) -> EndgameSolver<'_> {
        EndgameSolver {
            small: &mut self.small,
            shared: &self.shared,
            nodes: 0,
        }
    }
}

/// Searches `board` in the null window above `alpha` by both solvers: `solve_by_parity` and
/// `EndgameSolver::solve`. Asserts that both results are fail-soft bounds of `truth`, the exact
/// score.
fn check(small: &mut EndgameSolver, board: Board, truth: Score, alpha: Score) {
    let beta = alpha + 1;
    let five = solve_by_parity(board, alpha, small);
    assert_fail_soft(five, truth, alpha, beta, &board);
    let score = small.solve(board, board.legal_moves(), UNORDERED, alpha);
    assert_fail_soft(score, truth, alpha, beta, &board);
}

/// Returns whether null-window searches below and above `score` prove that it is the exact score.
fn is_score(
    small: &mut EndgameSolver,
    board: Board,
    ordering: Option<&impl Incremental>,
    score: Score,
) -> bool {
    let mut above = |alpha| small.solve(board, board.legal_moves(), ordering, alpha) > alpha;
    (score <= -64 || above(score - 1)) && (score >= 64 || !above(score))
}

#[test]
fn every_window_is_fail_soft_against_negamax() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut tables = Tables::new();
    let small = &mut tables.solver();
    let (mut passes, mut wipe_outs) = (0, 0);
    for round in 0..rounds(20_000, 20) as u32 {
        // Few boards have 8 to 10 empties, because plain negamax solves them slowly.
        let empties = if round % 128 == 0 {
            8 + round / 128 % 3
        } else {
            round % 8
        };
        let board = random_board(&mut random, empties);
        let truth = negamax(board);
        passes += usize::from(!board.can_move());
        wipe_outs += usize::from(truth.abs() == 64);
        for _ in 0..8 {
            check(small, board, truth, random.i32(-65..65));
        }
        check(small, board, truth, truth - 1);
        check(small, board, truth, truth);
    }
    assert!(
        passes > rounds(2000, 0) && wipe_outs > rounds(500, 0),
        "{passes} {wipe_outs}"
    );
}

#[test]
fn own_stable_discs_cut_only_with_a_score_that_the_side_to_move_reaches() {
    let mut random = fastrand::Rng::with_seed(12);
    let (mut before, mut after) = (0, 0);
    for _ in 0..rounds(20_000, 50) {
        let board = board_of_a_game(&mut random, 6);
        let alpha = random.i32(-64..-MIN_ALPHA);
        let cut = match own_stable_cut(&board, 6, alpha) {
            ControlFlow::Break(score) => {
                before += 1;
                Some(score)
            }
            ControlFlow::Continue(squares) => {
                let mut candidates = EndgameMoves::new();
                for square in board.legal_moves().squares() {
                    candidates.push(LegalMove::new(&board, square), 0);
                }
                let cut = stable_child_cut(candidates.all(), squares, 6, alpha).break_value();
                after += usize::from(cut.is_some());
                cut
            }
        };
        if let Some(score) = cut {
            let truth = negamax(board);
            assert!(alpha < score && score <= truth, "{score} {truth} {board:?}");
        }
    }
    assert!(
        before > rounds(500, 0) && after > rounds(50, 0),
        "{before} {after}"
    );
}

#[test]
fn scores_do_not_depend_on_symmetry_or_move_ordering() {
    let mut random = fastrand::Rng::with_seed(9);
    let (mut plain, mut ordered) = (Tables::new(), Tables::new());
    let (plain, ordered) = (&mut plain.solver(), &mut ordered.solver());
    let net = Net::embedded();
    let ordering = net.ordering();
    for _ in 0..50 {
        let board = board_of_a_game(&mut random, 12);
        let score = (-64..=64)
            .find(|&score| is_score(plain, board, UNORDERED, score))
            .expect("a score");
        assert!(is_score(ordered, board, ordering, score), "{board:?}");
        for symmetry in Symmetry::all() {
            let image = symmetry.board(&board);
            let mut tables = Tables::new();
            assert!(
                is_score(&mut tables.solver(), image, ordering, score),
                "{image:?}"
            );
        }
    }
}

#[test]
fn bounds_of_many_empties_are_stored_in_the_shared_table() {
    let mut random = fastrand::Rng::with_seed(13);
    for empties in [SHARED_EMPTIES - 1, SHARED_EMPTIES] {
        let board = board_of_a_game(&mut random, empties);
        let mut tables = Tables::new();
        let solver = &mut tables.solver();
        solver.solve(board, board.legal_moves(), UNORDERED, 0);
        let entry = tables.shared.probe(&board).entry();
        assert_eq!(entry.is_some(), empties == SHARED_EMPTIES, "{board:?}");
    }
}

#[test]
fn a_node_is_the_root_or_a_position_entered_by_placing_a_disc() {
    // One empty square and discs of one colour only: there is no legal move, so the root is the
    // only node.
    let empty = Bitboard::of(Square::A1);
    let board = Board {
        player: !empty,
        opponent: Bitboard::EMPTY,
    };
    let mut tables = Tables::new();
    let mut solver = tables.solver();
    assert_eq!(solve_by_parity(board, 0, &mut solver), 64);
    assert_eq!(solver.nodes, 1);
    // Two empties, a1 and h8, and one opponent disc, b1. The move a1 flips b1. Then neither side
    // can play h8, so the nodes are the root and the position after a1. If the other side is to
    // move at the root, it passes, and a pass adds no node.
    let empties = empty | Bitboard::of(Square::H8);
    let opponent = Bitboard::of(Square::B1);
    let board = Board {
        player: !(empties | opponent),
        opponent,
    };
    let mut solver = tables.solver();
    assert_eq!(solve_by_parity(board, 0, &mut solver), 64);
    assert_eq!(solver.nodes, 2);
    let mut solver = tables.solver();
    assert_eq!(solve_by_parity(board.pass(), 0, &mut solver), -64);
    assert_eq!(solver.nodes, 2);
}
