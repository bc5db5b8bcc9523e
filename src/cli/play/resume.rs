//! Formats the shell command that continues a game with the same settings.

use super::Humans;
use super::strength::Strength;
use crate::board::Position;
use crate::cli::options::GlobalOptions;
use crate::game::Game;
use crate::search::{Limits, TimeControl};

/// Settings from the command line that do not change during a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    /// Engine options as arguments.
    engine: Vec<String>,
    /// Random seed of human levels, if given.
    seed: Option<u64>,
}

impl Given {
    /// Collects the engine options of `global` and the seed.
    pub(super) fn new(global: &GlobalOptions, seed: Option<u64>) -> Given {
        let engine = global.engine_arguments();
        Given { engine, seed }
    }

    /// Returns the shell command that continues this game.
    pub(super) fn command(
        &self,
        game: &Game,
        humans: Humans,
        strength: Strength,
        limits: &Limits,
    ) -> String {
        let mut words = vec!["emilia".to_owned(), "play".to_owned(), moves(game)];
        if humans != Humans::Black {
            words.extend(["--human".to_owned(), humans.name().to_owned()]);
        }
        // A level implies a depth.
        let depth = limits.depth.filter(|_| strength.0.is_none());
        let seconds = match limits.time {
            Some(TimeControl::PerMove(time)) => Some(time.as_secs_f64().to_string()),
            _ => None,
        };
        for (name, value) in [
            ("--level", strength.0.map(|level| level.to_string())),
            ("--depth", depth.map(|depth| depth.to_string())),
            ("--time", seconds),
            ("--nodes", limits.nodes.map(|nodes| nodes.to_string())),
            (
                "--exact",
                limits.solve_from_empties.map(|exact| exact.to_string()),
            ),
            (
                "--seed",
                self.seed
                    .filter(|_| strength.0.is_some())
                    .map(|seed| seed.to_string()),
            ),
        ] {
            words.extend(
                value
                    .map(|value| [name.to_owned(), value])
                    .into_iter()
                    .flatten(),
            );
        }
        words.extend_from_slice(&self.engine);
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        words.join(" ")
    }
}

/// Returns the transcript, or the position if the game did not begin at the start position.
fn moves(game: &Game) -> String {
    if game.start() == Position::START {
        game.transcript().to_string()
    } else {
        game.position().to_string()
    }
}

/// Quotes a word for the shell if it has special characters.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[cfg(unix)]
    #[test]
    fn words_with_special_characters_are_quoted() {
        for (word, expected) in [
            ("f5d6c3", "f5d6c3"),
            ("--level", "--level"),
            ("/tmp/my net.bin", "'/tmp/my net.bin'"),
            ("it's", r"'it'\''s'"),
            ("$(x)", "'$(x)'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
