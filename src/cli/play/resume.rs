//! The command that goes on with a game: pasted into a shell it continues as the game was left.

use super::Humans;
use super::strength::Strength;
use crate::board::Position;
use crate::cli::options::GlobalOptions;
use crate::game::Game;
use crate::search::{Limits, TimeControl};

/// What was given on the command line and does not change during a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    /// The options of the engine.
    engine: Vec<String>,
    /// The seed of the moves of human levels.
    seed: Option<u64>,
}

impl Given {
    /// What these options and this seed say.
    pub(super) fn new(global: &GlobalOptions, seed: Option<u64>) -> Given {
        let engine = global.engine_arguments();
        Given { engine, seed }
    }

    /// The command that goes on with this game.
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
        // A level stands for a depth.
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
            ("--exact", limits.exact.map(|exact| exact.to_string())),
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

/// The moves of a game in one argument; where it did not begin as games do, its position.
fn moves(game: &Game) -> String {
    if game.start() == Position::START {
        game.transcript().to_string()
    } else {
        game.position().to_string()
    }
}

/// A word as shells read it: in quotes where one of its characters means something to them.
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
    fn words_that_shells_would_read_otherwise_are_quoted() {
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
