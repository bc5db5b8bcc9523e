//! Compares the fast and the portable `legal_moves` with the reference on the test boards.

use super::{legal_moves, portable};
use crate::board::tests::reference;

#[test]
fn fast_and_portable_equal_the_reference() {
    reference::for_each_test_board(|board| {
        let expected = reference::legal_moves(board);
        for legal_moves in [legal_moves, portable::legal_moves] {
            let found = legal_moves(board.player, board.opponent);
            assert_eq!(found, expected, "{board:?}");
        }
    });
}
