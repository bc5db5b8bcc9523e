//! GGF (Generic Game Format), used by the Generic Game Server and by NBoard.
//!
//! Example: `(;GM[Othello]PB[…]PW[…]BO[8 … *]B[F5/0.5/1.2]…;)`. Builds on `properties`.

use super::properties::{Property, Record, RecordError, escaped, main_line, unexpected};
use super::sgf::letter;
use super::{Game, Outcome, Played, TimeLimit};
use emilia_core::board::{Color, Position, Square};

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
        let record = Game::read_ggf_record(text);
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

    /// Reads a record up to its first fault.
    pub(super) fn read_ggf_record(text: &str) -> Record {
        let mut game = Game::default();
        let line = main_line(text);
        let moves = line
            .properties
            .iter()
            .filter(|one| matches!(&*one.name, "B" | "W"))
            .count();
        let mut fault = None;
        for property in &line.properties {
            if let Err(problem) = game.read_ggf(property) {
                fault = Some(RecordError::at(text, property.offset, problem));
                break;
            }
        }
        Record {
            game,
            moves,
            end: line.end,
            fault: fault.or(line.fault),
        }
    }

    /// Applies one property to the game: a tag, the start position, or a move.
    fn read_ggf(&mut self, property: &Property) -> Result<(), String> {
        let value = property.value();
        if let Some((_, tag)) = TAGS.iter().find(|(own, _)| *own == property.name) {
            self.tags.set(tag, value);
        }
        match property.name.as_str() {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err(property.bad("Othello"));
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
                return Err(property.bad("the board before the first move"));
            }
            "BO" => self.restart(board(property)?),
            "B" => self.read_move(Color::Black, property)?,
            "W" => self.read_move(Color::White, property)?,
            _ => {}
        }
        Ok(())
    }

    fn read_move(&mut self, color: Color, property: &Property) -> Result<(), String> {
        let expected = "move/eval/time, like F5/1.50/0.23 or PA";
        property.check_single()?;
        let played: Played = property
            .value()
            .parse()
            .map_err(|_| property.bad(expected))?;
        self.play_recorded(color, played)
    }

    /// Plays a move of a record. Its number in the error does not count passes.
    pub(super) fn play_recorded(
        &mut self,
        color: Color,
        played: impl Into<Played>,
    ) -> Result<(), String> {
        let number = self.placed() + 1;
        self.play_as(color, played)
            .map_err(|illegal| format!("move {number}: {illegal}"))
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
        let names = if times[1].is_some() {
            ["TB", "TW"]
        } else {
            ["TI", ""]
        };
        for (name, time) in names.into_iter().zip(times) {
            if let Some(time) = time {
                property(name, &time.to_string());
            }
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
    let digits = value
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(value.len());
    let (size, options) = value.split_at(digits);
    match size {
        "8" if options.contains('a') => Err("Othello, not anti-Othello"),
        "8" => Ok(()),
        _ => Err("a game on 8x8 squares, like 8, s8 or 8r20"),
    }
}

/// Parses a `BO` value: `8 <64 cells> <mover>`. White space between cells is ignored.
fn board(property: &Property) -> Result<Position, String> {
    let value = property.value().trim_start();
    let cells: String = value
        .strip_prefix('8')
        .unwrap_or_default()
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect();
    if cells.chars().count() != Square::COUNT + 1 {
        return Err(property.bad("8, then 64 squares and the side to move"));
    }
    let start = cells.parse();
    start.map_err(|error| format!("start position: {error}"))
}

fn board_text(position: &Position) -> String {
    let letter = |color| if color == Color::Black { '*' } else { 'O' };
    let mut text = String::from("8 ");
    for square in Square::all() {
        text.push(position.disc_on(square).map_or('-', letter));
        if square.file() == 7 {
            text.push(' ');
        }
    }
    text.push(letter(position.mover));
    text
}
