//! Both versions of `flips` equal the square-by-square reference on every empty square.

use super::{flips, portable};
use crate::board::tests::reference;

#[test]
fn fast_and_portable_equal_the_reference() {
    reference::for_each_test_board(|board| {
        for square in board.empties().squares() {
            let expected = reference::flips(board, square);
            for flips in [flips, portable::flips] {
                let found = flips(square, board.player, board.opponent);
                assert_eq!(found, expected, "{square} on {board:?}");
            }
        }
    });
}
