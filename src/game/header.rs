//! Transcripts with a header: lines like `% Black: Ann` say what the moves do not.

use super::{Game, Tags, ggf};
use crate::board::Position;

/// What the lines above a transcript say.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    tags: Tags,
    start: Option<Position>,
}

impl Header {
    /// Takes over what a line says, `Key: value`; one with another key is a comment.
    ///
    /// # Errors
    /// What the value should be.
    pub(super) fn take(&mut self, line: &str) -> Result<(), &'static str> {
        let Some((key, value)) = line.split_once(':') else {
            return Ok(());
        };
        let value = value.trim();
        match key.trim() {
            "Black" => value.clone_into(&mut self.tags.black),
            "White" => value.clone_into(&mut self.tags.white),
            "Event" => value.clone_into(&mut self.tags.event),
            "Date" => value.clone_into(&mut self.tags.date),
            "Time" => {
                let limit = value.parse();
                self.tags.time = Some(limit.map_err(|_| "main/increment/grace, like 15:00//2:00")?);
            }
            "Result" => {
                self.tags.outcome =
                    ggf::outcome(value).ok_or("Black's difference, like -12 or +4:r")?;
            }
            "Start" => {
                let start = value.parse();
                self.start = Some(start.map_err(|_| "64 squares and the side to move")?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether any line has said anything.
    pub(super) fn says_anything(&self) -> bool {
        self.start.is_some() || self.tags != Tags::default()
    }

    /// The position before the first move.
    pub(super) fn start(&self) -> Position {
        self.start.unwrap_or(Position::START)
    }

    /// The game with the tags.
    pub(super) fn onto(self, mut game: Game) -> Game {
        game.tags = self.tags;
        game
    }
}

impl Game {
    /// The moves on a line, under a line for each of the tags, and for the start position where it is not the usual one or
    /// nothing else is said. Evaluations and times of moves are left out.
    ///
    /// ```
    /// use emilia::game::Game;
    /// let mut game = Game::default();
    /// game.play("f5".parse::<emilia::board::Move>().unwrap()).unwrap();
    /// game.tags.black = "Ann".to_owned();
    /// assert_eq!(game.to_transcript(), "% Black: Ann\nf5\n");
    /// ```
    pub fn to_transcript(&self) -> String {
        let tags = &self.tags;
        let time = tags.time.map(|time| time.to_string()).unwrap_or_default();
        let outcome = tags.outcome.map(|_| self.ggf_outcome());
        let mut text = String::new();
        for (key, value) in [
            ("Black", &tags.black),
            ("White", &tags.white),
            ("Event", &tags.event),
            ("Date", &tags.date),
            ("Time", &time),
            ("Result", &outcome.unwrap_or_default()),
        ] {
            // A line break would end the line, and what follows would be moves.
            let value = value.replace(['\r', '\n'], " ");
            let value = trimmed(&value);
            if !value.is_empty() {
                text.extend(["% ", key, ": ", value, "\n"]);
            }
        }
        // An empty line is no game.
        let is_blank = text.is_empty() && self.moves().is_empty();
        if self.start() != Position::START || is_blank {
            text.extend(["% Start: ", &self.start().to_string(), "\n"]);
        }
        text.extend([&self.transcript().to_string(), "\n"]);
        text
    }
}

/// A line or value without the white space around it, and without the end of a file in DOS.
pub(super) fn trimmed(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}')
}
