//! Compares the fast and the portable `flips` with the reference, for each empty square of the test
//! boards.

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
