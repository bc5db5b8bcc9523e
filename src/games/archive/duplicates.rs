//! Duplicate games: games with the same moves, up to a symmetry of the board.

use super::GamePlace;
use crate::PackedGame;
use crate::replay::Squares;
use emilia_core::board::{Board, Symmetry};

/// Start board and squares of a game, in the smallest of its eight symmetric images. Games that
/// differ only by a symmetry of the board therefore have the same key.
pub type MoveKey = (Board, Squares);

/// Returns the key of a game, or `None` if the game has no moves.
pub fn move_key(game: &PackedGame) -> Option<MoveKey> {
    let images = Symmetry::all().map(|symmetry| {
        let squares = game.squares().map(|square| symmetry.square(square));
        (symmetry.board(&game.start().board), squares.collect())
    });
    images
        .min()
        .filter(|(_, squares): &MoveKey| !squares.is_empty())
}

/// Returns the groups of at least two games with the same key, in the order of their first games.
pub fn duplicates(mut keys: Vec<(MoveKey, GamePlace)>) -> Vec<Vec<GamePlace>> {
    keys.sort_unstable();
    let groups = keys.chunk_by(|(one, _), (other, _)| one == other);
    let groups = groups.filter(|group| group.len() > 1);
    let mut groups: Vec<Vec<GamePlace>> = groups
        .map(|group| group.iter().map(|&(_, place)| place).collect())
        .collect();
    groups.sort_unstable();
    groups
}
