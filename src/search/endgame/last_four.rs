//! One to four empties, written out: no move lists, no loops over squares, an illegal move is one that flips nothing.
//! Squares in odd quadrants come first.

use super::parity::OddQuadrants;
use super::{NONE, stable_bound};
use crate::board::{Bitboard, Board, Score, Square, count_last_flips};

/// The score with `square` empty, for the side with the discs `player`, which is to move.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "a call costs as much as the work: 3% of the time of an ending"
)]
pub(super) fn solve_1(player: Bitboard, square: Square, nodes: &mut u64) -> Score {
    *nodes += 1;
    // Own discs less all other squares: the score if the empty square goes to the opponent.
    let lost = 2 * player.count() as Score - 64;
    let flips = count_last_flips(square, player) as Score;
    if flips != 0 {
        return lost + 2 + 2 * flips;
    }
    let opponent = !(player | Bitboard::of(square));
    let flips = count_last_flips(square, opponent) as Score;
    // If neither can play, the empty square goes to the winner; one square is empty, so there is one.
    if flips == 0 && lost >= 0 {
        lost + 2
    } else {
        lost - 2 * flips
    }
}

/// The score of `board` when its side to move had no move and `best` was found for the other side.
#[inline]
fn after_pass(board: Board, best: Score) -> Score {
    if best == NONE {
        board.final_score()
    } else {
        -best
    }
}

/// Tries a move of `$board` on `$square`: where it is legal, `$score` is the score of `$next`, the board after it, for the
/// other side. Returns from the function with what is better than `$alpha`; keeps the best of the others in `$best`.
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

/// The score with the two `squares` empty.
#[inline]
pub(super) fn solve_2(board: Board, squares: [Square; 2], alpha: Score, nodes: &mut u64) -> Score {
    *nodes += 1;
    let best = play_2(board, squares, alpha, nodes);
    if best != NONE {
        return best;
    }
    after_pass(board, play_2(board.pass(), squares, -alpha - 1, nodes))
}

/// The best of the moves on the two squares, [`NONE`] if there is none.
#[inline]
fn play_2(board: Board, [a, b]: [Square; 2], alpha: Score, nodes: &mut u64) -> Score {
    let mut best = NONE;
    try_move!(board, a, alpha, best, next => solve_1(next.player, b, nodes));
    try_move!(board, b, alpha, best, next => solve_1(next.player, a, nodes));
    best
}

/// The score with the three `squares` empty.
#[inline]
pub(super) fn solve_3(
    board: Board,
    odd: OddQuadrants,
    [mut a, mut b, mut c]: [Square; 3],
    alpha: Score,
    nodes: &mut u64,
) -> Score {
    *nodes += 1;
    // Either all three are odd, or one is: it comes first.
    if odd.contains(b) {
        (a, b) = (b, a);
    } else if odd.contains(c) {
        (a, c) = (c, a);
    }
    let best = play_3(board, [a, b, c], alpha, nodes);
    if best != NONE {
        return best;
    }
    after_pass(board, play_3(board.pass(), [a, b, c], -alpha - 1, nodes))
}

/// The best of the moves on the three squares, [`NONE`] if there is none.
#[inline]
fn play_3(board: Board, [a, b, c]: [Square; 3], alpha: Score, nodes: &mut u64) -> Score {
    let below = -alpha - 1;
    let mut best = NONE;
    try_move!(board, a, alpha, best, next => solve_2(next, [b, c], below, nodes));
    try_move!(board, b, alpha, best, next => solve_2(next, [a, c], below, nodes));
    try_move!(board, c, alpha, best, next => solve_2(next, [a, b], below, nodes));
    best
}

/// The score with four empties.
#[inline]
pub(super) fn solve_4(board: Board, odd: OddQuadrants, alpha: Score, nodes: &mut u64) -> Score {
    *nodes += 1;
    if let Some(upper) = stable_bound(&board, 4, alpha) {
        return upper;
    }
    let [odds, evens] = odd.split(board.empties());
    let mut squares = odds.squares().chain(evens.squares());
    let mut next = || squares.next().unwrap_or(Square::A1);
    let squares = [next(), next(), next(), next()];
    let best = play_4(board, odd, squares, alpha, nodes);
    if best != NONE {
        return best;
    }
    after_pass(board, play_4(board.pass(), odd, squares, -alpha - 1, nodes))
}

/// The best of the moves on the four squares, [`NONE`] if there is none.
#[inline]
fn play_4(
    board: Board,
    odd: OddQuadrants,
    [a, b, c, d]: [Square; 4],
    alpha: Score,
    nodes: &mut u64,
) -> Score {
    let below = -alpha - 1;
    let mut best = NONE;
    try_move!(board, a, alpha, best, next => solve_3(next, odd.after(a), [b, c, d], below, nodes));
    try_move!(board, b, alpha, best, next => solve_3(next, odd.after(b), [a, c, d], below, nodes));
    try_move!(board, c, alpha, best, next => solve_3(next, odd.after(c), [a, b, d], below, nodes));
    try_move!(board, d, alpha, best, next => solve_3(next, odd.after(d), [a, b, c], below, nodes));
    best
}
