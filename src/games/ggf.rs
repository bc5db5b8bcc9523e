//! GGF (Generic Game Format), used by the Generic Game Server and by NBoard.
//!
//! Example: `(;GM[Othello]PB[…]PW[…]BO[8 … *]B[F5/0.5/1.2]…;)`. Builds on `properties`.

use super::properties::{self, Property, Record, RecordError, escaped, unexpected};
use super::sgf::letter;
use super::{Game, Outcome, Played, TimeLimit};
use emilia_core::board::{Color, Position, Sentence, Square};

/// Tags by their names in GGF and in PGN.
const TAGS: [(&str, &str); 6] = [
    ("PC", "Event"),
    ("DT", "Date"),
    ("PB", "Black"),
    ("PW", "White"),
    ("RB", "BlackElo"),
    ("RW", "WhiteElo"),
];

impl Game {
    /// Reads a game in GGF.
    ///
    /// A leading game count `1 ` is ignored, and so are unused properties.
    ///
    /// ```
    /// use emilia_games::Game;
    /// let game = Game::from_ggf(
    ///     "(;GM[Othello]PB[Ann]PW[Bob]TY[8]\
    ///      BO[8 --------------------------- O*------*O --------------------------- *]\
    ///      B[F5//1.2];)",
    /// )
    /// .unwrap();
    /// assert_eq!(game.tags.black, "Ann");
    /// assert_eq!(game.transcript().to_string(), "f5");
    /// ```
    ///
    /// # Errors
    /// At the first text that is not GGF, not Othello on an 8×8 board, or not a legal move.
    /// Also if the game is followed by anything but another game.
    pub fn from_ggf(text: &str) -> Result<Game, RecordError> {
        // A blank in place of the count keeps the columns of errors right.
        let blanked = text
            .trim_start()
            .starts_with("1 ")
            .then(|| text.replacen('1', " ", 1));
        let text = blanked.as_deref().unwrap_or(text);
        let record = Game::read_ggf_record(text, 0);
        let rest = text[record.end..].trim_start();
        match record.fault {
            Some(fault) => Err(fault),
            None if rest.is_empty() || rest.starts_with('(') => Ok(record.game),
            None => {
                let offset = text.len() - rest.len();
                Err(unexpected(text, offset, "the end or another game"))
            }
        }
    }

    /// Reads the record at byte `at` up to its first fault.
    pub(super) fn read_ggf_record(text: &str, at: usize) -> Record {
        properties::read(text, at, Game::read_ggf)
    }

    /// Applies one property to the game: a tag, the start position, or a move.
    fn read_ggf(&mut self, property: &Property) -> Result<(), Sentence> {
        let value = property.value();
        if let Some((_, tag)) = TAGS.iter().find(|(own, _)| *own == property.name) {
            property.check_tag(self.tags.get(tag))?;
            self.tags.set(tag, value);
        }
        match property.name.as_str() {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err(property.bad("Othello").into());
            }
            "TY" => check_type(value.trim()).map_err(|expected| property.bad(expected))?,
            "TI" => (self.tags.time, self.tags.white_time) = (Some(limit(property)?), None),
            "TB" => self.tags.time = Some(limit(property)?),
            "TW" => self.tags.white_time = Some(Box::new(limit(property)?)),
            "RE" => {
                self.tags.outcome = Outcome::parse(value)
                    .ok_or_else(|| property.bad("? or Black's difference, like -12 or +4:r"))?;
            }
            "BO" if !self.moves().is_empty() => {
                return Err(property.bad("the board before the first move").into());
            }
            "BO" => self.restart(board(property)?),
            "B" => self.read_move(Color::Black, property)?,
            "W" => self.read_move(Color::White, property)?,
            _ if !self.moves().is_empty() && value.parse::<Square>().is_ok() => {
                return Err(property.bad("B or W before a square").into());
            }
            _ => {}
        }
        Ok(())
    }

    fn read_move(&mut self, color: Color, property: &Property) -> Result<(), Sentence> {
        property.check_single()?;
        let played: Result<Played, _> = property.value().parse();
        let expected = "move/eval/time, like F5/1.50/0.23 or PA";
        self.play_recorded(color, played.map_err(|_| property.bad(expected))?)
    }

    /// Plays a move of a record. Its number in the error does not count passes.
    pub(super) fn play_recorded(
        &mut self,
        color: Color,
        played: impl Into<Played>,
    ) -> Result<(), Sentence> {
        let number = self.placed() + 1;
        self.play_as(color, played).map_err(|illegal| {
            let sentence = Sentence::from(illegal).with("number", number);
            sentence.within(format_args!("move {number}: "))
        })
    }

    /// Writes the game as GGF, on one line.
    pub fn to_ggf(&self) -> String {
        let mut text = String::from("(;GM[Othello]");
        let mut property = |name: &str, value: &str| {
            text.extend([name, "[", &escaped(value), "]"]);
        };
        for (name, tag) in TAGS {
            let value = self.tags.get(tag);
            if !value.is_empty() || !name.starts_with('R') {
                property(name, value);
            }
        }
        let outcome = self.outcome().map_or("?".to_owned(), Outcome::ggf);
        property("RE", &outcome);
        let times = [self.tags.time.as_ref(), self.tags.white_time.as_deref()];
        let names = [if times[1].is_some() { "TB" } else { "TI" }, "TW"];
        for (name, time) in names.into_iter().zip(times) {
            time.inspect(|time| property(name, &time.to_string()));
        }
        property("TY", "8");
        property("BO", &board_text(&self.start()));
        for (played, position) in self.moves().iter().zip(self.positions()) {
            property(letter(position.mover), &played.to_string());
        }
        text.push_str(";)");
        text.replace(['\r', '\n'], " ")
    }
}

fn limit(property: &Property) -> Result<TimeLimit, String> {
    let expected = "main/increment/grace, each [[h:]m:]s, like 15:00//2:00";
    property.value().parse().map_err(|_| property.bad(expected))
}

/// Checks that a `TY` value means Othello on an 8×8 board, as `8`, `s8r20` (synchro) or `8k`.
///
/// # Errors
/// Returns what was expected instead.
fn check_type(value: &str) -> Result<(), &'static str> {
    let value = value.strip_prefix('s').unwrap_or(value);
    if value == "0" {
        // Some programs leave the type open. The board tells the size.
        return Ok(());
    }
    let options = value.strip_prefix('8');
    let options = options.filter(|options| !options.starts_with(|c: char| c.is_ascii_digit()));
    match options {
        Some(options) if options.contains('a') => Err("Othello, not anti-Othello"),
        Some(_) => Ok(()),
        None => Err("a game on 8x8 squares, like 8, s8 or 8r20"),
    }
}

/// Parses a `BO` value: `8 <64 cells> <mover>`. White space between cells is ignored.
fn board(property: &Property) -> Result<Position, String> {
    let value = property.value().trim_start();
    let cells = value.strip_prefix('8').unwrap_or_default();
    let cells = cells.replace(char::is_whitespace, "");
    if cells.chars().count() != Square::COUNT + 1 {
        return Err(property.bad("8, then 64 squares and the side to move"));
    }
    let start = cells.parse();
    start.map_err(|error| format!("start position: {error}"))
}

fn board_text(position: &Position) -> String {
    let text = position.to_string().replace('X', "*");
    let rows = [0, 8, 16, 24, 32, 40, 48, 56].map(|start| &text[start..start + 8]);
    format!("8 {}{}", rows.join(" "), &text[Square::COUNT..])
}
