//! `parents`: the positions before a position (retrograde moves).

use emilia_core::board::{Bitboard, Board, Square};

/// The boards from which a move or a forced pass leads to `board`. Some may not occur in a game.
pub(super) fn parents(board: &Board) -> Vec<Board> {
    let passed = board.pass();
    let mut parents = Vec::new();
    if !passed.can_move() && board.can_move() {
        parents.push(passed);
    }
    for square in board.opponent.squares() {
        // The sets of discs that the move may have turned: in each direction the first of a run of
        // discs, but for the last, which has enclosed the others.
        let mut turned = vec![Bitboard(0)];
        for direction in DIRECTIONS {
            let run = ray(square, direction).take_while(|next| board.opponent.contains(*next));
            let mut run: Vec<Square> = run.collect();
            run.pop();
            let before = turned.clone();
            let mut discs = Bitboard(0);
            for disc in run {
                discs |= Bitboard::of(disc);
                turned.extend(before.iter().map(|&others| others | discs));
            }
        }
        for flips in turned.into_iter().filter(|flips| !flips.is_empty()) {
            let parent = Board {
                player: board.opponent & !(flips | Bitboard::of(square)),
                opponent: board.player | flips,
            };
            // Discs of `board` that the move would have turned as well exclude it.
            if parent.flips(square) == flips {
                parents.push(parent);
            }
        }
    }
    parents
}

/// Steps by file and rank.
const DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// The squares from the neighbour of `square` to the edge.
fn ray(square: Square, (files, ranks): (i8, i8)) -> impl Iterator<Item = Square> {
    let start = (square.file() as i8, square.rank() as i8);
    (1..).map_while(move |step| {
        let (file, rank) = (start.0 + step * files, start.1 + step * ranks);
        let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        is_on_board.then(|| Square::at(file as u8, rank as u8))
    })
}
