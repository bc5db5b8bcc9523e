//! GGF (Generic Game Format), used by the Generic Game Server and by NBoard.
//!
//! Example: `(;GM[Othello]PB[…]PW[…]BO[8 … *]B[F5/0.5/1.2]…;)`. Builds on `properties`.

use super::played::discs;
use super::properties::{Property, RecordError, escaped, main_line, unexpected};
use super::sgf::letter;
use super::{Ending, Game, Outcome, Played};
use emilia_core::board::{Color, Position, Square};

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
        let mut game = Game::default();
        let (properties, end) = main_line(text)?;
        for property in properties {
            game.read_ggf(&property)
                .map_err(|problem| RecordError::at(text, property.offset, problem))?;
        }
        let rest = text[end..].trim_start();
        if rest.is_empty() || rest.starts_with('(') {
            return Ok(game);
        }
        let offset = text.len() - rest.len();
        Err(unexpected(text, offset, "the end or another game"))
    }

    /// Applies one property to the game: a tag, the start position, or a move.
    fn read_ggf(&mut self, property: &Property) -> Result<(), String> {
        let value = property.value();
        match property.name.as_str() {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err(property.bad("Othello"));
            }
            "TY" if !is_type_8(value.trim()) => {
                return Err(property.bad("a game on 8x8 squares, like 8 or 8r20"));
            }
            "PB" => value.clone_into(&mut self.tags.black),
            "PW" => value.clone_into(&mut self.tags.white),
            "PC" => value.clone_into(&mut self.tags.event),
            "DT" => value.clone_into(&mut self.tags.date),
            "TI" => {
                let limit = value.parse().map_err(|_| {
                    property.bad("main/increment/grace, each [[h:]m:]s, like 15:00//2:00")
                })?;
                self.tags.time = Some(limit);
            }
            "RE" => {
                self.tags.outcome = outcome(value.trim())
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
        let played: Played = property
            .value()
            .parse()
            .map_err(|_| property.bad("move/eval/time, like F5/1.50/0.23 or PA"))?;
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
        property("PC", &self.tags.event);
        property("DT", &self.tags.date);
        property("PB", &self.tags.black);
        property("PW", &self.tags.white);
        property("RE", &self.ggf_outcome());
        if let Some(time) = self.tags.time {
            property("TI", &time.to_string());
        }
        property("TY", "8");
        property("BO", &board_text(&self.start()));
        for (played, position) in self.moves().iter().zip(self.positions()) {
            property(letter(position.mover), &played.to_string());
        }
        text.push_str(";)");
        text.replace(['\r', '\n'], " ")
    }

    /// Returns the `RE` value from the recorded outcome, else from the final board, else `?`.
    pub(super) fn ggf_outcome(&self) -> String {
        match (self.tags.outcome, self.score()) {
            (Some(Outcome { margin, ending }), _) => {
                let reason = ENDINGS.iter().find(|(_, one)| *one == ending);
                let reason = reason.map_or("", |(reason, _)| reason);
                format!("{margin:+.2}{reason}")
            }
            (None, Some(score)) => format!("{score:+}"),
            (None, None) => "?".to_owned(),
        }
    }
}

/// Ends of `RE` values. That of a game that was played to its end is empty.
const ENDINGS: [(&str, Ending); 4] = [
    (":r", Ending::Resigned),
    (":t", Ending::TimedOut),
    (":l", Ending::Left),
    (":s", Ending::Agreed),
];

/// Returns whether a `TY` value means an 8×8 board: `8` and options, such as `8r20` or `8k`.
fn is_type_8(value: &str) -> bool {
    value
        .strip_prefix('8')
        .is_some_and(|rest| !rest.starts_with(|first: char| first.is_ascii_digit()))
}

/// Parses a `RE` value. Returns `None` if it is invalid and `Some(None)` if it is `?`.
#[expect(
    clippy::option_option,
    reason = "the one is an error, the other an unknown outcome"
)]
pub(super) fn outcome(value: &str) -> Option<Option<Outcome>> {
    if value.is_empty() || value.starts_with('?') {
        return Some(None);
    }
    let (margin, reason) = value.split_at(value.find(':').unwrap_or(value.len()));
    let ending = match reason {
        "" | ":" => Ending::Played,
        _ => ENDINGS.iter().find(|(one, _)| *one == reason)?.1,
    };
    let margin = discs(margin)?;
    Some(Some(Outcome { margin, ending }))
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
