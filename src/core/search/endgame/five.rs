//! Solver for five empties: moves ordered by parity, corners first, without a table.
//! Smaller positions go to [`last_four`](super::last_four).

use super::last_four::{solve_1, solve_2, solve_3, solve_4};
use super::parity::OddQuadrants;
use super::{NO_SCORE, SmallSolver};
use crate::board::{Bitboard, Board, Score};

/// Solves `board` in the null window above `alpha`, fail-soft.
/// `board` may have any number of empties, but the function is fast only up to five.
pub(super) fn solve_five(board: Board, alpha: Score, small: &mut SmallSolver) -> Score {
    let empties = board.empties();
    let odd = OddQuadrants::of(empties);
    let mut squares = empties.squares();
    let first_four = [(); 4].map(|()| squares.next());
    match first_four {
        [None, ..] => {
            small.nodes += 1;
            board.final_score()
        }
        [Some(a), None, ..] => solve_1(board.player, a, small),
        [Some(a), Some(b), None, _] => solve_2(board, [a, b], alpha, small),
        [Some(a), Some(b), Some(c), None] => solve_3(board, odd, [a, b, c], alpha, small),
        [Some(_), Some(_), Some(_), Some(_)] => {
            if squares.len() == 0 {
                solve_4(board, odd, alpha, small)
            } else {
                search(board, board.legal_moves(), odd, alpha, small)
            }
        }
    }
}

/// Same as [`solve_five`], for five empties or more, given the legal `moves`.
pub(super) fn search(
    board: Board,
    moves: Bitboard,
    odd: OddQuadrants,
    alpha: Score,
    small: &mut SmallSolver,
) -> Score {
    small.nodes += 1;
    if !moves.is_empty() {
        return play(board, moves, odd, alpha, small);
    }
    let passed = board.pass();
    let moves = passed.legal_moves();
    if moves.is_empty() {
        board.final_score()
    } else {
        -play(passed, moves, odd, -alpha - 1, small)
    }
}

/// Searches `moves`, at least one, and returns the best score.
#[inline]
fn play(
    board: Board,
    moves: Bitboard,
    odd: OddQuadrants,
    alpha: Score,
    small: &mut SmallSolver,
) -> Score {
    let empties = board.empty_count();
    if let Some(upper) = small.stable_bound(&board, empties, alpha) {
        return upper;
    }
    let corners = Bitboard::CORNERS;
    let [odds, evens] = odd.split(moves);
    let mut best = NO_SCORE;
    for part in [
        odds & corners,
        odds & !corners,
        evens & corners,
        evens & !corners,
    ] {
        for square in part.squares() {
            let next = board.play(square);
            let odd = odd.after(square);
            let score = if empties == 5 {
                -solve_4(next, odd, -alpha - 1, small)
            } else {
                -search(next, next.legal_moves(), odd, -alpha - 1, small)
            };
            best = best.max(score);
            if best > alpha {
                return best;
            }
        }
    }
    best
}
