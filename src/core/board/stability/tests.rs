//! Compares the fast and the portable `grow` with the reference, and checks that stable discs are
//! never flipped.

use super::{edges, portable};
use crate::board::lines::rays;
use crate::board::testing::random_board;
use crate::board::tests::reference;
use crate::board::{Bitboard, Board, Square};

/// Finds the stable discs of the side to move. Inspects each disc in all four line directions, and
/// repeats this until no disc is added.
fn reference_stable(board: &Board) -> Bitboard {
    let mut stable = edges::stable_on_edges(board.player, board.opponent);
    loop {
        let found: Bitboard = board
            .player
            .squares()
            .filter(|&square| (0..4).all(|line| is_held(board, stable, square, line)))
            .collect();
        if found | stable == stable {
            return stable;
        }
        stable |= found;
    }
}

/// Returns whether the disc on `square` cannot be flipped along line direction `line`.
fn is_held(board: &Board, stable: Bitboard, square: Square, line: usize) -> bool {
    let [up, down] = rays(square.index(), line);
    let is_full = (board.empties() & (up | down)).is_empty();
    // The neighbour of `square` is the first square of the upward ray in a1..h8 order, and the last
    // square of the downward ray.
    let holds = |next: Option<Square>| next.is_none_or(|next| stable.contains(next));
    is_full || holds(up.squares().next()) || holds(down.squares().last())
}

#[test]
fn fast_and_portable_equal_the_reference() {
    reference::for_each_test_board(|board| {
        let expected = reference_stable(board);
        let (player, opponent) = (board.player, board.opponent);
        assert_eq!(board.stable_discs(), expected, "{board:?}");
        let seed = edges::stable_on_edges(player, opponent);
        let portable = portable::grow(player, Bitboard(player.0 | opponent.0), seed);
        assert_eq!(portable, expected, "{board:?}");
    });
}

/// Returns the discs of both sides that keep their colour in every possible continuation.
fn kept_through_all_play(board: &Board) -> Board {
    let mut kept = *board;
    let moves = reference::legal_moves(board);
    let mut follow = |next: Board| {
        let later = kept_through_all_play(&next);
        // `later` has the sides exchanged, because the opponent is to move.
        kept.player &= later.opponent;
        kept.opponent &= later.player;
    };
    if moves.is_empty() {
        if !reference::legal_moves(&board.pass()).is_empty() {
            follow(board.pass());
        }
    } else {
        for square in moves.squares() {
            follow(board.play_flips(square, reference::flips(board, square)));
        }
    }
    kept
}

#[test]
fn stable_discs_never_flip() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut found = 0;
    for round in 0..6000 {
        let empties = 1 + round % 7;
        let board = random_board(&mut random, empties);
        let kept = kept_through_all_play(&board);
        for (stable, kept) in [
            (board.stable_discs(), kept.player),
            (board.pass().stable_discs(), kept.opponent),
        ] {
            assert_eq!(stable & !kept, Bitboard::EMPTY, "{board:?}");
            found += stable.count();
        }
    }
    assert!(found > 6000 * 20, "only {found} stable discs found");
}
