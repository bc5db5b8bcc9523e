//! Both versions of `grow` equal the square-by-square reference, and no stable disc ever flips.

use super::{edges, portable};
use crate::board::lines::rays;
use crate::board::testing::{random_board, random_game};
use crate::board::{Bitboard, Board, Square, Symmetry, reference};

/// Stable discs by repeated inspection of each disc and line until none is added.
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

/// Returns whether the disc on `square` cannot be flipped along `line`.
fn is_held(board: &Board, stable: Bitboard, square: Square, line: usize) -> bool {
    let [up, down] = rays(square.index(), line);
    let is_full = (board.empties() & (up | down)).is_empty();
    // The neighbour is the nearest square of the ray.
    let holds = |next: Option<Square>| next.is_none_or(|next| stable.contains(next));
    is_full || holds(up.squares().next()) || holds(down.squares().last())
}

#[test]
fn fast_and_portable_equal_the_reference() {
    reference::for_every_nth_test_board(4, |board| {
        let expected = reference_stable(board);
        let (player, opponent) = (board.player, board.opponent);
        assert_eq!(board.stable_discs(), expected, "{board:?}");
        let seed = edges::stable_on_edges(player, opponent);
        let portable = portable::grow(player, Bitboard(player.0 | opponent.0), seed);
        assert_eq!(portable, expected, "{board:?}");
    });
}

#[test]
fn stable_discs_commute_with_symmetries() {
    reference::for_every_nth_test_board(20, |board| {
        for symmetry in Symmetry::all() {
            assert_eq!(
                symmetry.board(board).stable_discs(),
                symmetry.bitboard(board.stable_discs())
            );
        }
    });
}

/// Returns the discs of each side of `board` that keep their colour in every possible continuation.
fn kept_through_all_play(board: &Board) -> Board {
    let mut kept = *board;
    let moves = reference::legal_moves(board);
    let mut follow = |next: Board| {
        let later = kept_through_all_play(&next);
        // After a move the sides are exchanged.
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

#[test]
fn stable_discs_stay_stable_along_a_game() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..2000 {
        let (mut mine, mut theirs) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for board in random_game(&mut random) {
            (mine, theirs) = (theirs, mine);
            let (mine_now, theirs_now) = (board.stable_discs(), board.pass().stable_discs());
            assert_eq!((mine & !mine_now, theirs & !theirs_now), Default::default());
            (mine, theirs) = (mine_now, theirs_now);
        }
    }
}

#[test]
fn full_boards_and_runs_from_a_corner_are_stable() {
    let full = Board {
        player: Bitboard(0x0123_4567_89AB_CDEF),
        opponent: !Bitboard(0x0123_4567_89AB_CDEF),
    };
    assert_eq!(full.stable_discs(), full.player);
    assert_eq!(Board::START.stable_discs(), Bitboard::EMPTY);
    let corner = Board {
        player: Bitboard(0b0000_0111),
        opponent: Bitboard(0b0000_1000),
    };
    assert_eq!(corner.stable_discs(), corner.player);
    assert_eq!(corner.pass().stable_discs(), Bitboard::EMPTY);
}
