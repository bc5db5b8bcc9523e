//! Header lines of transcripts, such as `% Black: Ann`: players, event, date, time and result.

use std::mem;

use super::lists::FEWEST;
use super::tokens::{Token, tokens};
use super::{Game, Outcome, Tags, words};
use emilia_core::board::Position;

/// Tags of header lines, in the order in which Emilia writes them.
pub(super) const KEYS: [&str; 8] = [
    "Black", "White", "Event", "Date", "Site", "Round", "BlackElo", "WhiteElo",
];

/// Maximum length in bytes of the key of a header line.
const MAX_KEY: usize = 24;

/// Returns the value of a header line, or `None` if its key is unknown. A line that begins with
/// `%`, as Emilia writes it, may have any value. In other lines, the value must not hold a list of
/// moves or begin with `//`.
pub(super) fn value(line: &str) -> Option<&str> {
    let (key, value) = split(line)?;
    words::tag(key)?;
    let is_value = is_own(line) || !holds_moves(value) && !value.starts_with("//");
    is_value.then_some(value)
}

/// Returns the byte offset of the second player's key on a line, as in `Black: Ann, White: Bob`.
pub(super) fn second(line: &str) -> Option<usize> {
    let is_side = |key: &str| matches!(words::tag(key), Some("Black" | "White"));
    let (first, _) = split(line).filter(|(key, _)| is_side(key) && !is_own(line))?;
    let after = first.as_ptr().addr() - line.as_ptr().addr() + first.len() + 1;
    let starts = line[after..].match_indices([':', '=']).map(|(at, _)| {
        let before = line[..after + at].trim_end();
        before.trim_end_matches(char::is_alphanumeric).len()..before.len()
    });
    let mut starts = starts.filter(|key| key.start > after && is_side(&line[key.clone()]));
    starts.next().map(|key| key.start)
}

/// Returns whether a text consists of moves, or has at least [`FEWEST`] squares.
pub(super) fn holds_moves(value: &str) -> bool {
    let tokens = tokens(value, 0..value.len());
    let squares = tokens
        .iter()
        .filter(|token| token.square().is_some())
        .count();
    squares > 0 && tokens.iter().all(Token::is_move) || squares >= FEWEST
}

/// Returns whether a line may be a damaged header line, which lost its colon or the first letters
/// of its key.
pub(super) fn is_cut(line: &str) -> bool {
    let line = line.trim_start_matches(is_mark);
    if let Some((key, _)) = split(line) {
        let (key, own) = (
            words::plain(key),
            ["black", "white", "event", "date", "round"],
        );
        return key.len() > 1 && own.iter().any(|own| own.ends_with(&key));
    }
    let mut words = line.split_whitespace();
    let is_side = matches!(words.next().and_then(words::tag), Some("Black" | "White"));
    let is_name = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    is_side && (1..=4).contains(&words.clone().count()) && words.all(is_name)
}

/// Returns whether a character is a mark that may surround a key, such as `>` in quoted mail.
fn is_mark(c: char) -> bool {
    c.is_whitespace() || "%#>*-|•_(/;".contains(c)
}

/// Returns whether a line begins with `%`, as Emilia writes header lines. The value of such a line
/// is all text after the key.
fn is_own(line: &str) -> bool {
    line.trim_start().starts_with('%')
}

/// Splits a line into its key and its value, and removes surrounding marks, such as those of quoted
/// mail.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line
        .split_once([':', '='])
        .or_else(|| line.split_once(" \u{2013} "))?;
    let key = key.trim_matches(is_mark);
    let value = match trimmed(value) {
        own if is_own(line) => own,
        marked => marked.trim_matches(['"', ',', '*', ';', '/', '|', ' ', '\t']),
    };
    (!key.is_empty() && key.len() <= MAX_KEY).then_some((key, value))
}

/// Values of the header lines of a transcript.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    tags: Tags,
    start: Option<Position>,
    comment: String,
}

impl Header {
    /// Returns whether the header already has another value for the tag of `line`.
    pub(super) fn has(&self, line: &str) -> bool {
        let split = split(line).and_then(|(key, value)| Some((words::tag(key)?, value)));
        split.is_some_and(|(tag, value)| !["", value].contains(&self.tags.get(tag)))
    }

    /// Sets the tag of a line `Key: value`. A line with an unknown key is a comment and changes
    /// nothing.
    ///
    /// # Errors
    /// If the value is invalid. The error is the expected form of the value.
    pub(super) fn take(&mut self, line: &str) -> Result<(), &'static str> {
        let Some((key, value)) = split(line) else {
            return Ok(());
        };
        match words::tag(key) {
            Some("Time") => {
                let limit = value.parse();
                self.tags.time = Some(limit.map_err(|_| "main/increment/grace, like 15:00//2:00")?);
            }
            Some("Result") => {
                let outcome = Outcome::parse(value);
                self.tags.outcome = outcome.ok_or("Black's difference, like -12 or +4:r")?;
            }
            Some("Start") => {
                let start = value.parse();
                self.start = Some(start.map_err(|_| "64 squares and the side to move")?);
            }
            Some("Comment") => {
                let gap = if self.comment.is_empty() { "" } else { " " };
                self.comment.extend([gap, value]);
            }
            Some(tag) => self.tags.set(tag, value),
            None => {}
        }
        Ok(())
    }

    /// Returns whether the header has a result and nothing else.
    pub(super) fn is_result(&self) -> bool {
        let mut rest = self.clone();
        rest.tags.outcome.take().is_some() && !rest.says_anything()
    }

    pub(super) fn names_player(&self) -> bool {
        !self.tags.black.is_empty() || !self.tags.white.is_empty()
    }

    /// Returns whether any value is set.
    pub(super) fn says_anything(&self) -> bool {
        self.start.is_some() || !self.comment.is_empty() || self.tags != Tags::default()
    }

    /// Returns the position before the first move.
    pub(super) fn start(&self) -> Position {
        self.start.unwrap_or(Position::START)
    }

    /// Adds the tags of the header to `game`, which is below the header in the text.
    pub(super) fn onto(self, mut game: Game) -> Game {
        self.give(&mut game, 0);
        game
    }

    /// Adds the tags of the header to `game`, which is above the header in the text.
    pub(super) fn below(self, game: &mut Game) {
        let placed = game.placed();
        self.give(game, placed);
        game.settle();
    }

    fn give(self, game: &mut Game, placed: usize) {
        let own = mem::replace(&mut game.tags, self.tags);
        let tags = &mut game.tags;
        for key in KEYS {
            if tags.get(key).is_empty() {
                tags.set(key, own.get(key));
            }
        }
        tags.time = tags.time.or(own.time);
        tags.outcome = tags.outcome.or(own.outcome);
        if !self.comment.is_empty() {
            game.notes_mut().add_comment(placed, &self.comment, " ");
        }
    }
}

impl Game {
    /// Formats header lines for the tags, and the moves on a line below.
    ///
    /// The start position is written if it is not the usual one, or if there are neither tags nor
    /// moves.
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

    /// Formats the moves on a line, like [`to_transcript`](Self::to_transcript) without the tags.
    pub fn to_moves(&self) -> String {
        self.below_header(&Tags::default())
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
        // An empty text would not be read as a game.
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
