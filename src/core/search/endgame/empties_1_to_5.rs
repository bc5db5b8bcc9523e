//! Solvers for one to five empties, without a table. Squares in odd quadrants, which are quadrants
//! with an odd number of empties, are tried first.
//! The solvers for two to four empties are unrolled: they have no move lists and no loops over
//! squares. They find out whether a move is legal by computing its flips.

use arrayvec::ArrayVec;

use super::ordering::OddQuadrants;
use super::{EndgameSolver, NO_SCORE, stable_bound};
use crate::board::{Bitboard, Board, Score, Square, count_last_flips};

/// Solves `board` in the null window above `alpha`, fail-soft.
/// `board` may have any number of empties, but the function is fast only up to five.
pub(super) fn solve_by_parity(board: Board, alpha: Score, solver: &mut EndgameSolver) -> Score {
    let odd = OddQuadrants::of(board.empties());
    let squares: ArrayVec<Square, 64> = board.empties().squares().collect();
    match squares[..] {
        [] => {
            solver.nodes += 1;
            board.final_score()
        }
        [a] => solve_1(board.player, a, solver),
        [a, b] => solve_2(board, [a, b], alpha, solver),
        [a, b, c] => solve_3(board, odd, [a, b, c], alpha, solver),
        [_, _, _, _] => solve_4(board, odd, alpha, solver),
        _ => search_by_parity(board, board.legal_moves(), odd, alpha, solver),
    }
}

/// Solves `board`, which has at least five empties, in the null window above `alpha`, fail-soft.
/// `moves` are the legal moves of `board`, and `odd` are its odd quadrants.
pub(super) fn search_by_parity(
    board: Board,
    moves: Bitboard,
    odd: OddQuadrants,
    alpha: Score,
    solver: &mut EndgameSolver,
) -> Score {
    solver.nodes += 1;
    if !moves.is_empty() {
        return play_by_parity(board, moves, odd, alpha, solver);
    }
    let passed = board.pass();
    let moves = passed.legal_moves();
    if moves.is_empty() {
        board.final_score()
    } else {
        -play_by_parity(passed, moves, odd, -alpha - 1, solver)
    }
}

/// Searches `moves`, of which there is at least one, and returns the best score, fail-soft.
#[inline]
fn play_by_parity(
    board: Board,
    moves: Bitboard,
    odd: OddQuadrants,
    alpha: Score,
    solver: &mut EndgameSolver,
) -> Score {
    let empties = board.empty_count();
    if let Some(upper) = stable_bound(&board, empties, alpha) {
        return upper;
    }
    let mut best = NO_SCORE;
    for part in odd.parts(moves) {
        for square in part.squares() {
            let next = board.play(square);
            let odd = odd.after(square);
            let score = if empties == 5 {
                -solve_4(next, odd, -alpha - 1, solver)
            } else {
                -search_by_parity(next, next.legal_moves(), odd, -alpha - 1, solver)
            };
            best = best.max(score);
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// Returns the exact score with one empty `square`, for the side to move with discs `player`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the call costs as much as its body")]
fn solve_1(player: Bitboard, square: Square, solver: &mut EndgameSolver) -> Score {
    solver.nodes += 1;
    // The score if the opponent's disc goes on the empty square and flips nothing.
    let lost = 2 * player.count() as Score - 64;
    let flips = count_last_flips(square, player) as Score;
    if flips != 0 {
        return lost + 2 + 2 * flips;
    }
    let opponent = !(player | Bitboard::of(square));
    let flips = count_last_flips(square, opponent) as Score;
    // If neither side can move, the empty square counts for the winner. With 63 discs there is a
    // winner.
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

/// Neighbours of each square. A legal move flips a disc on at least one of them. If none of them
/// has an opponent's disc, `try_move!` need not compute the flips.
static NEIGHBOURS: [Bitboard; 64] = {
    let mut neighbours = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let own = Bitboard(1 << square);
        neighbours[square] = Bitboard(own.dilated().0 ^ own.0);
        square += 1;
    }
    neighbours
};

/// Tries the move on `$square` of `$board`.
///
/// `$next` is the board after the move. `$score` is an expression for the score of `$next`, as the
/// opponent sees it.
/// If the score of the move is above `$alpha`, the calling function returns this score.
/// Otherwise `$best` becomes the greater of `$best` and the score. An illegal move changes nothing.
macro_rules! try_move {
    ($board:ident, $square:ident, $alpha:ident, $best:ident, $next:ident => $score:expr) => {
        let beside = NEIGHBOURS[$square.index()] & $board.opponent;
        if !beside.is_empty()
            && let flips = $board.flips($square)
            && !flips.is_empty()
        {
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
fn solve_2(board: Board, squares: [Square; 2], alpha: Score, solver: &mut EndgameSolver) -> Score {
    solver.nodes += 1;
    let best = play_2(board, squares, alpha, solver);
    if best != NO_SCORE {
        return best;
    }
    after_pass(board, play_2(board.pass(), squares, -alpha - 1, solver))
}

/// Returns the best score of the moves on two squares, or [`NO_SCORE`] if none is legal.
#[inline]
fn play_2(board: Board, [a, b]: [Square; 2], alpha: Score, solver: &mut EndgameSolver) -> Score {
    let mut best = NO_SCORE;
    try_move!(board, a, alpha, best, next => solve_1(next.player, b, solver));
    try_move!(board, b, alpha, best, next => solve_1(next.player, a, solver));
    best
}

/// Solves `board` with three empty squares in the null window above `alpha`, fail-soft.
#[inline]
fn solve_3(
    board: Board,
    odd: OddQuadrants,
    [mut a, mut b, mut c]: [Square; 3],
    alpha: Score,
    solver: &mut EndgameSolver,
) -> Score {
    solver.nodes += 1;
    // Either all three squares lie in odd quadrants, or only one does, which is tried first.
    if odd.contains(b) {
        (a, b) = (b, a);
    } else if odd.contains(c) {
        (a, c) = (c, a);
    }
    let best = play_3(board, [a, b, c], alpha, solver);
    if best != NO_SCORE {
        return best;
    }
    after_pass(board, play_3(board.pass(), [a, b, c], -alpha - 1, solver))
}

/// Returns the best score of the moves on three squares, or [`NO_SCORE`] if none is legal.
#[inline]
fn play_3(board: Board, [a, b, c]: [Square; 3], alpha: Score, solver: &mut EndgameSolver) -> Score {
    let below = -alpha - 1;
    let mut best = NO_SCORE;
    try_move!(board, a, alpha, best, next => solve_2(next, [b, c], below, solver));
    try_move!(board, b, alpha, best, next => solve_2(next, [a, c], below, solver));
    try_move!(board, c, alpha, best, next => solve_2(next, [a, b], below, solver));
    best
}

/// Solves `board` with four empties in the null window above `alpha`, fail-soft.
#[inline]
fn solve_4(board: Board, odd: OddQuadrants, alpha: Score, solver: &mut EndgameSolver) -> Score {
    solver.nodes += 1;
    if let Some(upper) = stable_bound(&board, 4, alpha) {
        return upper;
    }
    let [odds, evens] = odd.split(board.empties());
    let mut squares = odds.squares().chain(evens.squares());
    let mut next = || squares.next().unwrap_or(Square::A1);
    let squares = [next(), next(), next(), next()];
    let best = play_4(board, odd, squares, alpha, solver);
    if best != NO_SCORE {
        return best;
    }
    after_pass(
        board,
        play_4(board.pass(), odd, squares, -alpha - 1, solver),
    )
}

/// Returns the best score of the moves on four squares, or [`NO_SCORE`] if none is legal.
#[inline]
fn play_4(
    board: Board,
    odd: OddQuadrants,
    [a, b, c, d]: [Square; 4],
    alpha: Score,
    solver: &mut EndgameSolver,
) -> Score {
    let below = -alpha - 1;
    let mut best = NO_SCORE;
    try_move!(board, a, alpha, best, next => solve_3(next, odd.after(a), [b, c, d], below, solver));
    try_move!(board, b, alpha, best, next => solve_3(next, odd.after(b), [a, c, d], below, solver));
    try_move!(board, c, alpha, best, next => solve_3(next, odd.after(c), [a, b, d], below, solver));
    try_move!(board, d, alpha, best, next => solve_3(next, odd.after(d), [a, b, c], below, solver));
    best
}
