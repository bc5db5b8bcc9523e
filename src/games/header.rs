//! Header lines of transcripts, such as `% Black: Ann`: players, event, date, time and result.

use super::{Game, Outcome, Tags};
use emilia_core::board::Position;

/// Keys of header lines with any text as their value.
pub(super) const KEYS: [&str; 8] = [
    "Black", "White", "Event", "Date", "Site", "Round", "BlackElo", "WhiteElo",
];

/// Returns the value of a header line, or `None` if its key is not known.
pub(super) fn value(line: &str) -> Option<&str> {
    let (key, value) = split(line)?;
    let is_key = KEYS.contains(&key) || matches!(key, "Time" | "Result" | "Start");
    is_key.then_some(value)
}

/// Splits a line into a key, without marks such as those of a quoted mail, and its value.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    Some((
        key.trim_matches(|c: char| !c.is_alphanumeric()),
        value.trim(),
    ))
}

/// Values of the header lines above a transcript.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    tags: Tags,
    start: Option<Position>,
}

impl Header {
    /// Parses a line `Key: value`. A line with another key is a comment.
    ///
    /// # Errors
    /// Returns the expected form of the value.
    pub(super) fn take(&mut self, line: &str) -> Result<(), &'static str> {
        let Some((key, value)) = split(line) else {
            return Ok(());
        };
        match key {
            "Time" => {
                let limit = value.parse();
                self.tags.time = Some(limit.map_err(|_| "main/increment/grace, like 15:00//2:00")?);
            }
            "Result" => {
                self.tags.outcome =
                    Outcome::parse(value).ok_or("Black's difference, like -12 or +4:r")?;
            }
            "Start" => {
                let start = value.parse();
                self.start = Some(start.map_err(|_| "64 squares and the side to move")?);
            }
            key if KEYS.contains(&key) => self.tags.set(key, value),
            _ => {}
        }
        Ok(())
    }

    /// Returns whether any value is set.
    pub(super) fn says_anything(&self) -> bool {
        self.start.is_some() || self.tags != Tags::default()
    }

    /// Returns the position before the first move.
    pub(super) fn start(&self) -> Position {
        self.start.unwrap_or(Position::START)
    }

    /// Returns the game with the tags of the header.
    pub(super) fn onto(self, mut game: Game) -> Game {
        let found = game.tags.outcome;
        game.tags = self.tags;
        game.tags.outcome = game.tags.outcome.or(found);
        game
    }
}

impl Game {
    /// Formats the moves on a line below header lines for the tags.
    ///
    /// The start position is written if it is not the usual one, or if all other lines are empty.
    /// Evaluations and times of moves are left out.
    ///
    /// ```
    /// use emilia_games::Game;
    /// let mut game = Game::default();
    /// game.play("f5".parse::<emilia_core::board::Move>().unwrap()).unwrap();
    /// game.tags.black = "Ann".to_owned();
    /// assert_eq!(game.to_transcript(), "% Black: Ann\nf5\n");
    /// ```
    pub fn to_transcript(&self) -> String {
        self.below_header(&self.tags)
    }

    /// Formats the moves on a line, as [`to_transcript`](Self::to_transcript) without the tags.
    pub fn to_moves(&self) -> String {
        self.below_header(&Tags::NONE)
    }

    fn below_header(&self, tags: &Tags) -> String {
        let time = tags.time.map(|time| time.to_string()).unwrap_or_default();
        let outcome = tags.outcome.map(Outcome::header).unwrap_or_default();
        let mut text = String::new();
        let texts = KEYS.map(|key| (key, tags.get(key)));
        for (key, value) in texts
            .into_iter()
            .chain([("Time", &*time), ("Result", &outcome)])
        {
            let value = trimmed(value);
            if !value.is_empty() {
                // A line break in a value would turn the rest of it into a line of moves.
                text.extend(["% ", key, ": ", &value.replace(['\r', '\n'], " "), "\n"]);
            }
        }
        // A text without any line would not be read as a game.
        let is_blank = text.is_empty() && self.moves().is_empty();
        if self.start() != Position::START || is_blank {
            text.extend(["% Start: ", &self.start().to_string(), "\n"]);
        }
        text.extend([&self.transcript().to_string(), "\n"]);
        text
    }
}

/// Trims white space and the end-of-file character of DOS.
pub(super) fn trimmed(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}')
}
