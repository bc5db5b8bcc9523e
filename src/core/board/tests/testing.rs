//! Random boards for tests of the fast routines, and their scores by plain negamax.

use std::iter;

use fastrand::Rng;

use crate::board::{Bitboard, Board, Score, Square};

/// Number of rounds of a test: `count`, or `under_miri` under Miri.
/// Miri is about 1000 times slower.
pub(crate) const fn rounds(count: usize, under_miri: usize) -> usize {
    if cfg!(miri) { under_miri } else { count }
}

/// Plays a random legal move, or passes. Returns `None` if the game is over.
pub(crate) fn random_child(board: &Board, random: &mut Rng) -> Option<Board> {
    match random.choice(board.legal_moves().squares()) {
        Some(square) => Some(board.play(square)),
        None => board.pass().can_move().then(|| board.pass()),
    }
}

/// Iterates over the boards of a random game, from the start to the end.
pub(crate) fn random_game(random: &mut Rng) -> impl Iterator<Item = Board> {
    iter::successors(Some(Board::START), |board| random_child(board, random))
}

/// The first `count` boards of successive random games.
pub(crate) fn boards_of_games(seed: u64, count: usize) -> Vec<Board> {
    let mut random = Rng::with_seed(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        boards.extend(random_game(&mut random));
    }
    boards.truncate(count);
    boards
}

/// Plays a random game down to `empties` empty squares. Returns `None` if it ends earlier.
pub(crate) fn board_of_one_game(random: &mut Rng, empties: u32) -> Option<Board> {
    let mut board = Board::START;
    while board.empty_count() > empties {
        board = random_child(&board, random)?;
    }
    Some(board)
}

/// A board with `empties` empty squares, from the first random game that reaches it.
pub(crate) fn board_of_a_game(random: &mut Rng, empties: u32) -> Board {
    loop {
        if let Some(board) = board_of_one_game(random, empties) {
            return board;
        }
    }
}

/// Fills all but `empties` squares with discs of random colours.
/// Half of these boards give one side few discs, so that passes and wipe-outs are common.
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

/// A board with `empties` empty squares: one board in three is from a game, the other boards have
/// random discs.
pub(crate) fn random_board(random: &mut Rng, empties: u32) -> Board {
    if random.u32(..3) == 0 {
        board_of_a_game(random, empties)
    } else {
        board_of_random_discs(random, empties)
    }
}

/// The score under best play, by plain negamax without window, move ordering or table.
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
