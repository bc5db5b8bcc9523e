//! Games and positions named by the arguments of a command.

use super::{CommandResult, Failure, Verdict, print_to_stderr, refused};
use emilia_core::board::Position;
use emilia_games::{Game, input};

/// Help text of an argument that names a position.
pub(super) const POSITION: &str = "\
64 squares and the side to move, an OBF line, or a transcript; or a file of games: FILE, \
     FILE:N (game N of several, or the only game after N moves), FILE:GAME:MOVES, or - for stdin \
     [default: the start]";

/// Reads the game that the arguments name, by default a game without moves.
/// Uses the first game of a file of several games, and prints on stderr that it does so.
pub(super) fn game(words: &[String]) -> Result<Game, Failure> {
    let loaded = input::game(words)?;
    if loaded.is_whole_file && loaded.count > 1 {
        print_to_stderr(&format_args!(
            "emilia: game 1 of {}; FILE:N shows another",
            loaded.count
        ));
    }
    Ok(loaded.game)
}

/// Returns `Yes` if `bad` is 0, otherwise the error that `bad` of `count` games were left out.
pub(super) fn unless_left_out(bad: usize, count: usize) -> CommandResult {
    if bad == 0 {
        return Ok(Verdict::Yes);
    }
    Err(refused(format!(
        "{bad} of {count} games could not be read and were left out"
    )))
}

/// Returns the last position of the [`game`] that the arguments name.
pub(super) fn position(words: &[String]) -> Result<Position, Failure> {
    Ok(game(words)?.position())
}
