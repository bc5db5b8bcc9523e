//! Compares the fast and the portable `advance` with the reference, for each legal move on every
//! fourth test board.

use super::{advance, portable};
use crate::board::tests::reference;

#[test]
fn fast_and_portable_equal_the_reference() {
    let mut count = 0;
    reference::for_each_test_board(|board| {
        count += 1;
        if count % 4 != 0 {
            return;
        }
        for square in reference::legal_moves(board).squares() {
            let next = board.play_flips(square, reference::flips(board, square));
            let expected = (next, reference::legal_moves(&next));
            for advance in [advance, portable::advance] {
                assert_eq!(advance(board, square), expected, "{square} on {board:?}");
            }
        }
    });
}
