//! Files of games: the moves a file holds, and the names of the players in it.
//! The format of a saved game is that of the file's extension.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::players::{Humans, Strength};
use super::state::GameState;
use emilia_core::board::{Color, Transcript};
use emilia_games::Game;

/// Name of a person in saved games.
const HUMAN: &str = "human";

/// Start of the name of Emilia in saved games. The version and the level follow.
const EMILIA: &str = "Emilia ";

/// File of the game and the moves in it.
#[derive(Debug)]
pub(super) struct SavedGame {
    pub path: PathBuf,
    pub moves: Transcript,
}

impl SavedGame {
    /// Creates the record of `path`, which holds the whole `game`.
    pub(super) fn new(path: PathBuf, game: &Game) -> SavedGame {
        let moves = game.transcript();
        SavedGame { path, moves }
    }

    /// Returns a warning if the file has fewer moves than the game, with both numbers.
    pub(super) fn lack(&self, state: &GameState) -> Option<String> {
        let (saved, all) = (state.placed_in(&self.moves), state.game.placed());
        let path = self.path.display();
        (saved < all).then(|| format!("{path} has {saved} of the {all} moves"))
    }
}

/// Writes the game to `path` and returns the message about it.
/// An existing file is replaced atomically if `replace` is true, and is an error otherwise.
pub(super) fn save(state: &GameState, path: &Path, replace: bool) -> Result<String, String> {
    let fail = |problem: &str| Err(format!("save '{}': {problem}.", path.display()));
    let game = signed(state);
    let (text, has_names) = match path.extension().and_then(|ending| ending.to_str()) {
        None | Some("txt") => (game.to_moves(), false),
        Some("sgf") => (game.to_sgf(), true),
        Some("ggf") => (game.to_ggf() + "\n", true),
        Some(ending) => {
            return fail(&format!(
                "no game format has the ending .{ending} (expected .sgf, .ggf, or .txt for a \
                 transcript)"
            ));
        }
    };
    if !replace && path.exists() {
        return fail("it exists, and another game is in it; give another name");
    }
    emilia_files::replace(path, text.as_bytes()).map_err(|error| format!("save {error}."))?;
    let tags = &game.tags;
    let names = if has_names {
        let (black, white, date) = (&tags.black, &tags.white, &tags.date);
        format!("{black} (black), {white} (white), {date}, ")
    } else {
        String::new()
    };
    let moves = game.placed();
    let plural = if moves == 1 { "" } else { "s" };
    let is_finished = game.is_over() || tags.outcome.is_some();
    let end = if is_finished { "" } else { "not " };
    let name = path.display();
    Ok(format!(
        "Saved as {name}: {names}{moves} move{plural}, {end}finished."
    ))
}

/// Returns the side of the person in a game that [`save`] wrote, if there is one person.
pub(super) fn side_of_human(game: &Game) -> Option<Humans> {
    match [&game.tags.black, &game.tags.white].map(|name| name == HUMAN) {
        [true, false] => Some(Humans::Black),
        [false, true] => Some(Humans::White),
        _ => None,
    }
}

/// Returns the strength of Emilia in a game that [`save`] wrote: the level in its name, if any.
pub(super) fn strength_of_emilia(game: &Game) -> Strength {
    let names = [&game.tags.black, &game.tags.white];
    let mut versions = names.iter().filter_map(|name| name.strip_prefix(EMILIA));
    Strength(versions.find_map(|version| version.split_once(' ')?.1.parse().ok()))
}

/// Removes the names of Emilia, so that [`save`] writes its current version and level.
pub(super) fn unsign(game: &mut Game) {
    for name in [&mut game.tags.black, &mut game.tags.white] {
        if name.starts_with(EMILIA) {
            name.clear();
        }
    }
}

/// Returns the game with player names and date filled in where they are missing.
fn signed(state: &GameState) -> Game {
    let mut game = state.game.clone();
    let name = |color| {
        if state.humans.play(color) {
            return HUMAN.to_owned();
        }
        let level = state.strength.0.map(|level| format!(" {level}"));
        let version = env!("CARGO_PKG_VERSION");
        format!("{EMILIA}{version}{}", level.unwrap_or_default())
    };
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let today = now.split('T').next().unwrap_or_default().to_owned();
    let tags = &mut game.tags;
    for (tag, value) in [
        (&mut tags.black, name(Color::Black)),
        (&mut tags.white, name(Color::White)),
        (&mut tags.date, today),
    ] {
        if tag.is_empty() {
            *tag = value;
        }
    }
    game
}
