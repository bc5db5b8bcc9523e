//! One to four empties, written out: no move lists, no loops over squares, an illegal move is one that flips nothing.
//! Squares in odd quadrants come first.

use super::parity::OddQuadrants;
use super::{NONE, stable_bound};
use crate::board::{Bitboard, Board, Score, Square, count_last_flips};

/// The score with `square` empty, for the side with the discs `player`, which is to move.
#[inline]
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

/// The score with the two `squares` empty. Of the window only the upper end matters: the first move may be enough.
#[inline]
pub(super) fn solve_2(board: Board, squares: [Square; 2], beta: Score, nodes: &mut u64) -> Score {
    *nodes += 1;
    let best = play_2(board, squares, beta, nodes);
    if best != NONE {
        return best;
    }
    // Alpha is not known here, so nothing is cut after a pass.
    after_pass(board, play_2(board.pass(), squares, -NONE, nodes))
}

/// The best of the moves on the two squares, [`NONE`] if there is none.
#[inline]
fn play_2(board: Board, [a, b]: [Square; 2], beta: Score, nodes: &mut u64) -> Score {
    let mut best = NONE;
    let flips = board.flips(a);
    if !flips.is_empty() {
        best = -solve_1(board.play_flips(a, flips).player, b, nodes);
        if best >= beta {
            return best;
        }
    }
    let flips = board.flips(b);
    if !flips.is_empty() {
        best = best.max(-solve_1(board.play_flips(b, flips).player, a, nodes));
    }
    best
}

/// The score with the three `squares` empty.
pub(super) fn solve_3(
    board: Board,
    odd: OddQuadrants,
    [mut a, mut b, mut c]: [Square; 3],
    alpha: Score,
    beta: Score,
    nodes: &mut u64,
) -> Score {
    *nodes += 1;
    // Either all three are odd, or one is: it comes first.
    if odd.contains(b) {
        (a, b) = (b, a);
    } else if odd.contains(c) {
        (a, c) = (c, a);
    }
    let best = play_3(board, [a, b, c], alpha, beta, nodes);
    if best != NONE {
        return best;
    }
    after_pass(board, play_3(board.pass(), [a, b, c], -beta, -alpha, nodes))
}

/// The best of the moves on the three squares, [`NONE`] if there is none.
#[inline]
fn play_3(
    board: Board,
    [a, b, c]: [Square; 3],
    alpha: Score,
    beta: Score,
    nodes: &mut u64,
) -> Score {
    let mut best = NONE;
    for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        let flips = board.flips(square);
        if !flips.is_empty() {
            let next = board.play_flips(square, flips);
            best = best.max(-solve_2(next, rest, -alpha.max(best), nodes));
            if best >= beta {
                break;
            }
        }
    }
    best
}

/// The score with four empties.
#[inline]
pub(super) fn solve_4(
    board: Board,
    odd: OddQuadrants,
    alpha: Score,
    beta: Score,
    nodes: &mut u64,
) -> Score {
    *nodes += 1;
    if let Some(upper) = stable_bound(&board, 4, alpha) {
        return upper;
    }
    let [odds, evens] = odd.split(board.empties());
    let mut squares = odds.squares().chain(evens.squares());
    let mut next = || squares.next().unwrap_or(Square::A1);
    let squares = [next(), next(), next(), next()];
    let best = play_4(board, odd, squares, alpha, beta, nodes);
    if best != NONE {
        return best;
    }
    after_pass(
        board,
        play_4(board.pass(), odd, squares, -beta, -alpha, nodes),
    )
}

/// The best of the moves on the four squares, [`NONE`] if there is none.
#[inline]
fn play_4(
    board: Board,
    odd: OddQuadrants,
    [a, b, c, d]: [Square; 4],
    alpha: Score,
    beta: Score,
    nodes: &mut u64,
) -> Score {
    let mut best = NONE;
    for (square, rest) in [
        (a, [b, c, d]),
        (b, [a, c, d]),
        (c, [a, b, d]),
        (d, [a, b, c]),
    ] {
        let flips = board.flips(square);
        if !flips.is_empty() {
            let next = board.play_flips(square, flips);
            let score = -solve_3(
                next,
                odd.after(square),
                rest,
                -beta,
                -alpha.max(best),
                nodes,
            );
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
    }
    best
}
