//! Writing a game to a file, in the format that the file's ending names.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::board::{Position, Transcript};
use crate::cli::Failure;
use crate::game::Game;

/// Writes the game. A file that exists is written over only if `replace` says so.
pub(super) fn save(game: &Transcript, path: &Path, replace: bool) -> Result<(), Failure> {
    let fail = |problem: String| Failure::Input(format!("save {}: {problem}.", path.display()));
    let text = match path.extension().and_then(|ending| ending.to_str()) {
        None | Some("txt") => transcript(game).map_err(fail)?,
        Some("sgf") => Game::from(game).to_sgf(),
        Some("ggf") => Game::from(game).to_ggf() + "\n",
        Some(ending) => {
            return Err(fail(format!(
                "no game format has the ending .{ending} (expected .sgf, .ggf, or .txt for a transcript)"
            )));
        }
    };
    let file = if replace {
        File::create(path)
    } else {
        File::create_new(path)
    };
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| fail(error.to_string()))
}

/// The moves on one line.
fn transcript(game: &Transcript) -> Result<String, String> {
    if game.start == Position::START {
        Ok(format!("{game}\n"))
    } else {
        Err(
            "a transcript begins at the start of the game, and this game does not; \
             .sgf and .ggf keep the position"
                .to_owned(),
        )
    }
}
