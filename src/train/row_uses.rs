//! How often positions use each pattern row of the net, for the packing of its weights.

use super::training_game::TrainingGame;
use emilia_core::board::Board;
use emilia_core::eval::net::{PHASES, phase};
use emilia_core::eval::{Features, Full, ReducedIndex};

/// Largest number of random plies from a position of a game to the position that is counted.
const MAX_RANDOM_PLIES: u32 = 3;

/// Counts the uses of each pattern row, by phase, then by reduced index.
///
/// Counts a position a few random plies after each position of `games`, because the leaves of a
/// search are rarely positions of good play.
pub fn count_row_uses(games: &[TrainingGame], seed: u64) -> Vec<u32> {
    let index = ReducedIndex::<Full>::new();
    let of_phase = index.configurations();
    let mut uses = vec![0; PHASES * of_phase];
    let mut random = fastrand::Rng::with_seed(seed);
    for ply in games.iter().filter_map(TrainingGame::plies).flatten() {
        let plies = random.u32(0..=MAX_RANDOM_PLIES);
        let board = (0..plies).fold(ply.board, |board, _| play_randomly(board, &mut random));
        let first = phase(board.empty_count()) * of_phase;
        for &row in &index.row(&board)[..Full::INSTANCES] {
            uses[first + row as usize] += 1;
        }
    }
    uses
}

/// Plays a random legal move, or returns `board` if there is none.
fn play_randomly(board: Board, random: &mut fastrand::Rng) -> Board {
    let moves: Vec<_> = board.legal_moves().squares().collect();
    random
        .choice(moves)
        .map_or(board, |square| board.play(square))
}
