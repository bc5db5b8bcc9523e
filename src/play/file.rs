//! Saved games, with the names of the players, and the shell command that continues a game.
//! The file's extension decides the format of a saved game.

use std::path::Path;

use super::players::Humans;
use super::state::{EMILIA, GameState, HUMAN};
use emilia_core::board::{Color, Position};
use emilia_games::{Game, today};
use emilia_player::options::Setting;

/// Writes the game to `path`, and returns the message to show to the user.
/// An existing file is replaced atomically if `replace` is true, and is an error otherwise.
pub(super) fn save(state: &GameState, path: &Path, replace: bool) -> Result<String, String> {
    let name = path.display();
    let game = signed(state);
    let (black, white, date) = (&game.tags.black, &game.tags.white, &game.tags.date);
    let mut names = format!("{black} (black), {white} (white), {date}, ");
    let text = match path.extension().and_then(|ending| ending.to_str()) {
        None | Some("txt") => {
            names.clear();
            game.to_moves()
        }
        Some("sgf") => game.to_sgf(),
        Some("ggf") => game.to_ggf() + "\n",
        Some("pgn") => game.to_pgn(),
        Some(ending) => {
            return Err(format!(
                "save '{name}': no game format has the ending .{ending} (expected .sgf, .ggf, \
                 .pgn, or .txt for a transcript)."
            ));
        }
    };
    if !replace && path.exists() {
        let why = "it exists, and another game is in it; give another name";
        return Err(format!("save '{name}': {why}."));
    }
    emilia_files::replace(path, text.as_bytes()).map_err(|error| format!("save {error}."))?;
    let moves = game.placed();
    let plural = if moves == 1 { "" } else { "s" };
    let is_finished = game.is_over() || game.tags.outcome.is_some();
    let saved = format!("Saved as {name}: {names}{moves} move{plural}");
    Ok(if is_finished {
        format!("{saved}, finished.")
    } else {
        let command = resume_command(state, &name.to_string());
        format!("{saved}, not finished. To go on: {command}")
    })
}

/// Returns the game with missing player names and the missing date filled in. If a name is
/// Emilia's, replaces it by the name with the current version and level.
fn signed(state: &GameState) -> Game {
    let mut game = state.game.clone();
    let name = |color| {
        if state.humans.play(color) {
            return HUMAN.to_owned();
        }
        let level = state.level.map(|level| format!(" {level}"));
        let version = env!("CARGO_PKG_VERSION");
        format!("{EMILIA}{version}{}", level.unwrap_or_default())
    };
    let tags = &mut game.tags;
    for (tag, value) in [
        (&mut tags.black, name(Color::Black)),
        (&mut tags.white, name(Color::White)),
        (&mut tags.date, today()),
    ] {
        if tag.is_empty() || tag.starts_with(EMILIA) {
            *tag = value;
        }
    }
    game
}

/// Returns the moves of the game, or its position if it did not begin at the usual start.
pub(super) fn moves_of(game: &Game) -> String {
    if game.start() == Position::START {
        game.transcript().to_string()
    } else {
        game.position().to_string()
    }
}

/// Returns the shell command that continues `game`, a file or moves, with the sides, the level and
/// the other given options of `state`. If there is a level, the depth is left out, because the level
/// sets the depth.
pub(super) fn resume_command(state: &GameState, game: &str) -> String {
    let human = match state.humans {
        Humans::Black => String::new(),
        humans => format!(" --human {}", humans.name()),
    };
    let level = state.level.map(|level| format!(" --level {level}"));
    let is_kept = |setting: &&Setting| match setting.name {
        "level" => false,
        "depth" => level.is_none(),
        _ => true,
    };
    let kept: Vec<String> = (state.given.iter().filter(is_kept))
        .map(|setting| format!(" --{} {}", setting.name, quoted(&setting.text)))
        .collect();
    let (game, level) = (quoted(game), level.as_deref().unwrap_or_default());
    format!("emilia play {game}{}{human}{level}", kept.concat())
}

/// Quotes a word for the shell if it has special characters.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
