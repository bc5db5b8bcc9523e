//! Random boards for tests of fast routines, and a plain negamax for their scores.

use std::iter;

use fastrand::Rng;

use crate::board::{Bitboard, Board, Score, Square};

/// Number of rounds of a test: `count`, or `under_miri` under the interpreter Miri, which is about
/// 1000 times slower.
pub(crate) const fn rounds(count: usize, under_miri: usize) -> usize {
    if cfg!(miri) { under_miri } else { count }
}

/// Plays a random legal move, or passes if there is none. Returns `None` if the game is over.
pub(crate) fn random_child(board: &Board, random: &mut Rng) -> Option<Board> {
    match random.choice(board.legal_moves().squares()) {
        Some(square) => Some(board.play(square)),
        None => board.pass().can_move().then(|| board.pass()),
    }
}

/// Iterates over the boards of a random game, from the start position to the end.
pub(crate) fn random_game(random: &mut Rng) -> impl Iterator<Item = Board> {
    iter::successors(Some(Board::START), |board| random_child(board, random))
}

/// Returns the first `count` boards of a sequence of random games.
pub(crate) fn boards_of_games(seed: u64, count: usize) -> Vec<Board> {
    let mut random = Rng::with_seed(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        boards.extend(random_game(&mut random));
    }
    boards.truncate(count);
    boards
}

/// Plays a random game until `empties` squares are empty. Returns `None` if the game ends before.
pub(crate) fn board_of_one_game(random: &mut Rng, empties: u32) -> Option<Board> {
    let mut board = Board::START;
    while board.empty_count() > empties {
        board = random_child(&board, random)?;
    }
    Some(board)
}

/// Returns a board with `empties` empties, from the first random game that has one.
pub(crate) fn board_of_a_game(random: &mut Rng, empties: u32) -> Board {
    loop {
        if let Some(board) = board_of_one_game(random, empties) {
            return board;
        }
    }
}

/// Returns a board with `empties` empties and discs of random colours. On half of these boards one
/// side has few discs, so that passes and wipe-outs are common.
pub(crate) fn board_of_random_discs(random: &mut Rng, empties: u32) -> Board {
    let mut occupied = Bitboard::ALL;
    while 64 - occupied.count() < empties {
        occupied &= !Bitboard::of(Square::from_low_bits(random.u32(..64)));
    }
    let mut player = random.u64(..);
    if random.bool() {
        player &= random.u64(..) & random.u64(..) & random.u64(..) & random.u64(..);
    }
    let player = Bitboard(player) & occupied;
    let board = Board {
        player,
        opponent: occupied & !player,
    };
    if random.bool() { board } else { board.pass() }
}

/// Returns a random board with `empties` empties. A third of the boards come from games. The others
/// have discs of random colours.
pub(crate) fn random_board(random: &mut Rng, empties: u32) -> Board {
    if random.u32(..3) == 0 {
        board_of_a_game(random, empties)
    } else {
        board_of_random_discs(random, empties)
    }
}

/// Score under best play, by negamax without windows, move ordering or a transposition table.
pub(crate) fn negamax(board: Board) -> Score {
    let moves = board.legal_moves();
    if !moves.is_empty() {
        let scores = moves.squares().map(|square| -negamax(board.play(square)));
        return scores.max().unwrap_or(-64);
    }
    if board.pass().can_move() {
        -negamax(board.pass())
    } else {
        board.final_score()
    }
}
