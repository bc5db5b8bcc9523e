//! Rules of Othello, implemented square by square, and the boards on which fast routines are
//! compared with them. For tests only.

use crate::board::lines::LINES;
use crate::board::testing::rounds;
use crate::board::{Bitboard, Board, Square};

/// Returns the discs that a move to the empty square `square` flips, by walking in each direction.
pub(crate) fn flips(board: &Board, square: Square) -> Bitboard {
    let mut flipped = Bitboard::EMPTY;
    for (file_step, rank_step) in LINES
        .into_iter()
        .flat_map(|(file, rank)| [(file, rank), (-file, -rank)])
    {
        let mut run = Bitboard::EMPTY;
        let mut file = square.file() as i8 + file_step;
        let mut rank = square.rank() as i8 + rank_step;
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let here = Square::at(file as u8, rank as u8);
            if board.opponent.contains(here) {
                run |= Bitboard::of(here);
            } else {
                if board.player.contains(here) {
                    flipped |= run;
                }
                break;
            }
            file += file_step;
            rank += rank_step;
        }
    }
    flipped
}

/// Returns the empty squares on which a disc flips at least one disc of the opponent.
pub(crate) fn legal_moves(board: &Board) -> Bitboard {
    board
        .empties()
        .squares()
        .filter(|&square| !flips(board, square).is_empty())
        .collect()
}

/// Calls `check` with about 240,000 positions from 4,000 random games, and then with 60,000 random
/// boards of varying density. Most of the random boards cannot occur in a game.
pub(crate) fn for_each_test_board(mut check: impl FnMut(&Board)) {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..rounds(4_000, 0) {
        let mut board = Board::START;
        loop {
            check(&board);
            let moves: Vec<Square> = legal_moves(&board).squares().collect();
            board = match random.choice(moves) {
                Some(square) => board.play_flips(square, flips(&board, square)),
                None if legal_moves(&board.pass()).is_empty() => break,
                None => board.pass(),
            };
        }
    }
    for round in 0..rounds(60_000, 20) {
        // The expected share of occupied squares is 1/8, 1/4, 1/2, 3/4 and 7/8 in turn.
        let (a, b, c) = (random.u64(..), random.u64(..), random.u64(..));
        let occupied = [a & b & c, a & b, a, a | b, a | b | c][round % 5];
        let split = random.u64(..);
        check(&Board {
            player: Bitboard(occupied & split),
            opponent: Bitboard(occupied & !split),
        });
    }
}
