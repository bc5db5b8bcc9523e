//! The rules in slow square-by-square code, and boards on which tests compare them with the fast
//! routines.

use crate::board::lines::LINES;
use crate::board::testing::rounds;
use crate::board::{Bitboard, Board, Square};

/// The discs flipped by a disc on the empty square `square`, found by walking each direction.
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

/// The empty squares where a disc flips at least one opponent disc.
pub(crate) fn legal_moves(board: &Board) -> Bitboard {
    board
        .empties()
        .squares()
        .filter(|&square| !flips(board, square).is_empty())
        .collect()
}

/// Calls `check` with about 240,000 positions of 4,000 random games.
/// Then calls `check` with 60,000 random boards of varying density that cannot occur in a game.
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
        // The share of occupied squares cycles through 1/8, 1/4, 1/2, 3/4 and 7/8.
        let (a, b, c) = (random.u64(..), random.u64(..), random.u64(..));
        let occupied = [a & b & c, a & b, a, a | b, a | b | c][round % 5];
        let split = random.u64(..);
        check(&Board {
            player: Bitboard(occupied & split),
            opponent: Bitboard(occupied & !split),
        });
    }
}
