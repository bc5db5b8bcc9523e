//! Both versions of `advance` equal the square-by-square reference on every legal move.

use super::{advance, portable};
use crate::board::tests::reference;

#[test]
fn fast_and_portable_equal_the_reference() {
    reference::for_each_test_board(|board| {
        for square in reference::legal_moves(board).squares() {
            let next = board.play_flips(square, reference::flips(board, square));
            let expected = (next, reference::legal_moves(&next));
            for advance in [advance, portable::advance] {
                assert_eq!(advance(board, square), expected, "{square} on {board:?}");
            }
        }
    });
}
