//! Loads games of any format, and saves them in the format of the file's extension.

use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Humans;
use super::strength::Strength;
use crate::board::{Color, Position};
use crate::cli::Failure;
use crate::files;
use crate::game::Game;
use crate::game::input::{self, LoadedGame};

/// Name of a person in saved games.
const HUMAN: &str = "human";

/// Start of the name of Emilia in saved games. The version and the level follow.
const EMILIA: &str = "Emilia ";

/// Sides of people, and the strength of Emilia.
pub(super) type Players = (Humans, Strength);

/// Loads the game named by `game.sgf`, `game.sgf:12` or `games.ggf:3:12`.
pub(super) fn load(word: &str) -> Result<LoadedGame, Failure> {
    input::game_of_file(word).map_err(|error| {
        Failure::Input(match error.kind() {
            io::ErrorKind::NotFound => format!("load '{word}': no such file."),
            _ => format!("load {error}."),
        })
    })
}

/// Writes the game to `path` and returns the message about it.
/// An existing file is replaced atomically if `replace` is true, and is an error otherwise.
pub(super) fn save(
    game: &Game,
    players: Players,
    path: &Path,
    replace: bool,
) -> Result<String, Failure> {
    let fail = |problem: &dyn std::fmt::Display| {
        Failure::Input(format!("save '{}': {problem}.", path.display()))
    };
    let text = match path.extension().and_then(|ending| ending.to_str()) {
        None | Some("txt") => transcript(game).map_err(|problem| fail(&problem))?,
        Some("sgf") => signed(game, players).to_sgf(),
        Some("ggf") => signed(game, players).to_ggf() + "\n",
        Some(ending) => {
            return Err(fail(&format_args!(
                "no game format has the ending .{ending} \
                 (expected .sgf, .ggf, or .txt for a transcript)"
            )));
        }
    };
    if !replace && path.exists() {
        return Err(fail(
            &"it exists, and another game is in it; give another name",
        ));
    }
    files::replace(path, text.as_bytes())
        .map_err(|error| Failure::Input(format!("save {error}.")))?;
    Ok(said(game, players, path))
}

/// Formats the message after saving, such as `Saved as game.txt: 12 moves, not finished.`
fn said(game: &Game, players: Players, path: &Path) -> String {
    let name = path.display();
    let moves = game.placed();
    let count = format!("{moves} move{}", if moves == 1 { "" } else { "s" });
    let end = if game.is_over() || game.tags.outcome.is_some() {
        "finished"
    } else {
        "not finished"
    };
    if path.extension().is_none_or(|ending| ending == "txt") {
        return format!("Saved as {name}: {count}, {end}.");
    }
    let tags = signed(game, players).tags;
    let (black, white, date) = (tags.black, tags.white, tags.date);
    format!("Saved as {name}: {black} (black), {white} (white), {date}, {count}, {end}.")
}

/// Returns the moves on one line, or the reason why a transcript cannot hold the game.
fn transcript(game: &Game) -> Result<String, String> {
    if game.start() == Position::START {
        Ok(format!("{}\n", game.transcript()))
    } else {
        Err(
            "a transcript begins at the start of the game, and this game does not; \
             .sgf and .ggf keep the position"
                .to_owned(),
        )
    }
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
fn signed(game: &Game, (humans, strength): Players) -> Game {
    let mut game = game.clone();
    let name = |color| {
        if humans.play(color) {
            return HUMAN.to_owned();
        }
        let level = strength.0.map(|level| format!(" {level}"));
        format!(
            "{EMILIA}{}{}",
            env!("CARGO_PKG_VERSION"),
            level.unwrap_or_default()
        )
    };
    let tags = &mut game.tags;
    for (tag, value) in [
        (&mut tags.black, name(Color::Black)),
        (&mut tags.white, name(Color::White)),
        (&mut tags.date, today()),
    ] {
        if tag.is_empty() {
            *tag = value;
        }
    }
    game
}

/// Returns the current date in UTC, such as `2026-11-21`.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.map_or(0, |since| since.as_secs() / 86_400))
}

/// Returns the date `days` days after 1970-01-01.
fn date(days: u64) -> String {
    // Years begin in March here, so that a leap day is the last day of its year.
    // Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + carry)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_match_the_calendar() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_723, "2024-01-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
