//! Solvers for one to four empties, unrolled: no move lists and no loops over squares.
//! A move that flips nothing is illegal. Squares in odd quadrants are tried first.

use super::parity::OddQuadrants;
use super::{NO_SCORE, SmallSolver};
use crate::board::{Bitboard, Board, Score, Square, count_last_flips};

/// Returns the exact score with one empty `square`, for the side to move with discs `player`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the call costs as much as its body")]
pub(super) fn solve_1(player: Bitboard, square: Square, small: &mut SmallSolver) -> Score {
    small.nodes += 1;
    // Score if the opponent gets the empty square without a flip.
    let lost = 2 * player.count() as Score - 64;
    let flips = count_last_flips(square, player) as Score;
    if flips != 0 {
        return lost + 2 + 2 * flips;
    }
    let opponent = !(player | Bitboard::of(square));
    let flips = count_last_flips(square, opponent) as Score;
    // Neither side can move: the empty square counts for the winner. 63 discs cannot be a draw.
    if flips == 0 && lost >= 0 {
        lost + 2
    } else {
        lost - 2 * flips
    }
}

/// Returns the score after a pass: `best` is the opponent's best score.
/// If `best` is [`NO_SCORE`], the opponent cannot move either and the game is over.
#[inline]
fn after_pass(board: Board, best: Score) -> Score {
    if best == NO_SCORE {
        board.final_score()
    } else {
        -best
    }
}

/// Tries a move of `$board` on `$square`, where `$score` is the opponent's score of `$next`.
///
/// `$next` is the board after the move.
/// Returns from the calling function with a score above `$alpha`.
/// Otherwise updates `$best` with the score. An illegal move changes nothing.
macro_rules! try_move {
    ($board:ident, $square:ident, $alpha:ident, $best:ident, $next:ident => $score:expr) => {
        let flips = $board.flips($square);
        if !flips.is_empty() {
            let $next = $board.play_flips($square, flips);
            let score: Score = -$score;
            if score > $alpha {
                return score;
            }
            $best = $best.max(score);
        }
    };
}

/// Solves `board` with two empty `squares` in the null window above `alpha`, fail-soft.
#[inline]
pub(super) fn solve_2(
    board: Board,
    squares: [Square; 2],
    alpha: Score,
    small: &mut SmallSolver,
) -> Score {
    small.nodes += 1;
    let best = play_2(board, squares, alpha, small);
    if best != NO_SCORE {
        return best;
    }
    after_pass(board, play_2(board.pass(), squares, -alpha - 1, small))
}

/// Returns the best score of the moves on two squares, or [`NO_SCORE`] if none is legal.
#[inline]
fn play_2(board: Board, [a, b]: [Square; 2], alpha: Score, small: &mut SmallSolver) -> Score {
    let mut best = NO_SCORE;
    try_move!(board, a, alpha, best, next => solve_1(next.player, b, small));
    try_move!(board, b, alpha, best, next => solve_1(next.player, a, small));
    best
}

/// Solves `board` with three empty squares in the null window above `alpha`, fail-soft.
#[inline]
pub(super) fn solve_3(
    board: Board,
    odd: OddQuadrants,
    [mut a, mut b, mut c]: [Square; 3],
    alpha: Score,
    small: &mut SmallSolver,
) -> Score {
    small.nodes += 1;
    // Either all three quadrants are odd, or just one, whose square is tried first.
    if odd.contains(b) {
        (a, b) = (b, a);
    } else if odd.contains(c) {
        (a, c) = (c, a);
    }
    let best = play_3(board, [a, b, c], alpha, small);
    if best != NO_SCORE {
        return best;
    }
    after_pass(board, play_3(board.pass(), [a, b, c], -alpha - 1, small))
}

/// Returns the best score of the moves on three squares, or [`NO_SCORE`] if none is legal.
#[inline]
fn play_3(board: Board, [a, b, c]: [Square; 3], alpha: Score, small: &mut SmallSolver) -> Score {
    let below = -alpha - 1;
    let mut best = NO_SCORE;
    try_move!(board, a, alpha, best, next => solve_2(next, [b, c], below, small));
    try_move!(board, b, alpha, best, next => solve_2(next, [a, c], below, small));
    try_move!(board, c, alpha, best, next => solve_2(next, [a, b], below, small));
    best
}

/// Solves `board` with four empties in the null window above `alpha`, fail-soft.
#[inline]
pub(super) fn solve_4(
    board: Board,
    odd: OddQuadrants,
    alpha: Score,
    small: &mut SmallSolver,
) -> Score {
    small.nodes += 1;
    if let Some(upper) = small.stable_bound(&board, 4, alpha) {
        return upper;
    }
    let [odds, evens] = odd.split(board.empties());
    let mut squares = odds.squares().chain(evens.squares());
    let mut next = || squares.next().unwrap_or(Square::A1);
    let squares = [next(), next(), next(), next()];
    let best = play_4(board, odd, squares, alpha, small);
    if best != NO_SCORE {
        return best;
    }
    after_pass(board, play_4(board.pass(), odd, squares, -alpha - 1, small))
}

/// Returns the best score of the moves on four squares, or [`NO_SCORE`] if none is legal.
#[inline]
fn play_4(
    board: Board,
    odd: OddQuadrants,
    [a, b, c, d]: [Square; 4],
    alpha: Score,
    small: &mut SmallSolver,
) -> Score {
    let below = -alpha - 1;
    let mut best = NO_SCORE;
    try_move!(board, a, alpha, best, next => solve_3(next, odd.after(a), [b, c, d], below, small));
    try_move!(board, b, alpha, best, next => solve_3(next, odd.after(b), [a, c, d], below, small));
    try_move!(board, c, alpha, best, next => solve_3(next, odd.after(c), [a, b, d], below, small));
    try_move!(board, d, alpha, best, next => solve_3(next, odd.after(d), [a, b, c], below, small));
    best
}
