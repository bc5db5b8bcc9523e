//! `parents`: the positions before a position (retrograde moves).

use crate::board::{Bitboard, Board, Square};

/// The boards from which a move or a forced pass leads to `board`. Some may not occur in a game.
pub(super) fn parents(board: &Board) -> Vec<Board> {
    let passed = board.pass();
    let mut parents = Vec::new();
    if !passed.can_move() && board.can_move() {
        parents.push(passed);
    }
    for square in board.opponent.squares() {
        // For each direction, the sets of discs that the move may have turned.
        let mut turned = vec![Bitboard(0)];
        for direction in DIRECTIONS {
            let run: Vec<Bitboard> = ray(square, direction)
                .take_while(|next| board.opponent.contains(*next))
                .map(Bitboard::of)
                .collect();
            // The last disc of the run has enclosed the others.
            let mut discs = Bitboard(0);
            let sets: Vec<Bitboard> = std::iter::once(discs)
                .chain(run.iter().take(run.len().saturating_sub(1)).map(|&disc| {
                    discs |= disc;
                    discs
                }))
                .collect();
            turned = turned
                .iter()
                .flat_map(|&before| sets.iter().map(move |&set| before | set))
                .collect();
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
