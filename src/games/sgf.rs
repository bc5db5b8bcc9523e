//! SGF (Smart Game Format) for Othello, as Quarry writes it: `(;GM[2]SZ[8]…;B[ed];W[ef]…)`.
//!
//! `[ed]` is column e, row d. Passes are omitted. Builds on the parser of `properties`.

use super::played::{discs, two_decimals};
use super::properties::{Property, RecordError, escaped, main_line};
use super::{Game, Outcome};
use emilia_core::board::{Bitboard, BoardError, Color, Faults, Move, Position, Square};

/// Returns whether the property is a move or a pass of either side.
fn is_move(property: &Property) -> bool {
    matches!(property.name.as_str(), "B" | "W")
}

/// The number of Othello in the SGF property `GM`.
const OTHELLO: &str = "2";

impl Game {
    /// Reads the main line of an SGF record.
    ///
    /// The value of a node (`V`) is the evaluation of its move, in discs from Black's view.
    /// Setup properties at the root (`AB`, `AW`, `AE`, `PL`) define the start position.
    /// Comments and marks are ignored. Passes may be written (`[]` or `[tt]`) or omitted.
    ///
    /// ```
    /// use emilia_games::Game;
    /// let game = Game::from_sgf("(;FF[4]GM[2]SZ[8]PB[Ann];B[fe];W[fd])").unwrap();
    /// assert_eq!(game.transcript().to_string(), "f5f4");
    /// ```
    ///
    /// # Errors
    /// At the first text that is not SGF, not Othello on an 8×8 board, or not a legal move.
    pub fn from_sgf(text: &str) -> Result<Game, RecordError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut game = Game::default();
        let mut set_up_at = 0;
        let properties = main_line(text)?.0;
        for node in properties.chunk_by(|left, right| left.node == right.node) {
            // The properties of a node are unordered, so `V` may precede the move it belongs to.
            let is_value = |property: &Property| property.name == "V";
            let has_move = node.iter().any(is_move);
            let mut node: Vec<&Property> = node.iter().collect();
            node.retain(|property| has_move || !is_value(property));
            node.sort_by_key(|property| is_value(property));
            for property in node {
                game.read_sgf(property)
                    .map_err(|problem| RecordError::at(text, property.offset, problem))?;
                if is_set_up(property) {
                    set_up_at = property.offset;
                }
            }
        }
        // Checked last: the position is complete only after all setup properties.
        let faults = game.start().board.faults() - Faults::HARMLESS;
        if faults.is_empty() {
            return Ok(game);
        }
        let problem = format!("start position: {}", BoardError::from(faults));
        Err(RecordError::at(text, set_up_at, problem))
    }

    /// Applies one property to the game: a tag, a setup property, a move, or an evaluation.
    fn read_sgf(&mut self, property: &Property) -> Result<(), String> {
        let value = property.value();
        match property.name.as_str() {
            "GM" if value.trim() != OTHELLO => return Err(property.bad("2, which is Othello")),
            "SZ" if value.trim() != "8" => return Err(property.bad("8")),
            "PB" => value.clone_into(&mut self.tags.black),
            "PW" => value.clone_into(&mut self.tags.white),
            "RE" => self.tags.outcome = outcome(value.trim()),
            "EV" => value.clone_into(&mut self.tags.event),
            "DT" => value.clone_into(&mut self.tags.date),
            _ if is_set_up(property) => {
                if !self.moves().is_empty() {
                    return Err(property.bad("no change of the board within the game"));
                }
                self.restart(set_up(&self.start(), property)?);
            }
            "B" | "W" => {
                let color = color(&property.name).unwrap_or(Color::Black);
                let mv = match value {
                    "" | "tt" => Move::Pass,
                    _ => point(value)
                        .map(Move::Place)
                        .ok_or_else(|| property.bad("column and row, like fe for f5"))?,
                };
                self.play_recorded(color, mv)?;
            }
            // Other programs may give `V` another meaning, so a value that is no number is ignored.
            "V" => {
                if let Some(before) = self.positions().iter().nth_back(1) {
                    let eval = discs(value.trim());
                    self.set_last_eval(eval.map(|eval| of_mover(eval, before.mover)));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the game as SGF, ten moves a line, with evaluations (`V`, in discs for Black).
    pub fn to_sgf(&self) -> String {
        let mut text = String::from("(;FF[4]GM[2]SZ[8]AP[Emilia]");
        let tags = &self.tags;
        for (name, value) in [
            ("PB", &tags.black),
            ("PW", &tags.white),
            ("EV", &tags.event),
            ("DT", &tags.date),
        ] {
            if !value.is_empty() {
                text.extend([name, "[", &escaped(value), "]"]);
            }
        }
        text.push_str(&self.sgf_outcome());
        if self.start() != Position::START {
            text.push_str(&set_up_text(&self.start()));
        }
        let moves = self.moves().iter().zip(self.positions());
        let placed = moves.filter_map(|(played, position)| {
            Some((played.mv.square()?, position.mover, played.eval))
        });
        for (index, (square, mover, eval)) in placed.enumerate() {
            let line = if index % 10 == 0 { "\n;" } else { ";" };
            text.extend([line, letter(mover), "[", &name(square), "]"]);
            if let Some(eval) = eval {
                let value = two_decimals(of_mover(eval, mover));
                text.extend(["V[", &value, "]"]);
            }
        }
        text.push_str(")\n");
        text
    }

    /// Returns the `RE` property from the recorded outcome, else from the final board, else "".
    fn sgf_outcome(&self) -> String {
        match self.margin() {
            None => String::new(),
            Some(0.0) => "RE[Draw]".to_owned(),
            Some(margin) if margin > 0.0 => format!("RE[B+{margin}]"),
            Some(margin) => format!("RE[W+{}]", -margin),
        }
    }
}

/// Parses a `RE` value that gives a disc difference. Others, such as `B+R`, return `None`.
fn outcome(value: &str) -> Option<Outcome> {
    let margin = match value.split_at_checked(2) {
        Some(("B+", margin)) => discs(margin)?,
        Some(("W+", margin)) => -discs(margin)?,
        _ if value == "0" || value.eq_ignore_ascii_case("draw") => 0.0,
        _ => return None,
    };
    Some(Outcome::played(margin))
}

/// Returns whether the property changes the board or the side to move.
fn is_set_up(property: &Property) -> bool {
    matches!(property.name.as_str(), "AB" | "AW" | "AE" | "PL")
}

/// Returns `start` changed by one setup property.
fn set_up(start: &Position, property: &Property) -> Result<Position, String> {
    let [mut black, mut white] = [Color::Black, Color::White].map(|color| start.discs(color));
    if property.name == "PL" {
        let mover = color(property.value().trim()).ok_or_else(|| property.bad("B or W"))?;
        return Ok(Position::new(black, white, mover));
    }
    for value in &property.values {
        let squares =
            rectangle(value).ok_or_else(|| property.bad("columns and rows, like fe for f5"))?;
        black &= !squares;
        white &= !squares;
        match property.name.as_str() {
            "AB" => black |= squares,
            "AW" => white |= squares,
            _ => {}
        }
    }
    Ok(Position::new(black, white, start.mover))
}

/// Formats the setup properties that turn the standard start position into `position`.
fn set_up_text(position: &Position) -> String {
    let mut text = String::new();
    for (property, squares) in [
        ("AB", position.discs(Color::Black)),
        ("AW", position.discs(Color::White)),
        (
            "AE",
            position.board.empties() & !Position::START.board.empties(),
        ),
    ] {
        text += if squares.is_empty() { "" } else { property };
        for square in squares.squares() {
            text.extend(["[", &name(square), "]"]);
        }
    }
    text + "PL[" + letter(position.mover) + "]"
}

/// Converts a value between Black's view and the view of `mover`, in both directions.
pub(super) fn of_mover(value: f64, mover: Color) -> f64 {
    match mover {
        Color::Black => value,
        Color::White => -value,
    }
}

pub(super) fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

fn color(letter: &str) -> Option<Color> {
    match &*letter.to_ascii_lowercase() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// Parses a square: column and row, both from a to h.
fn point(value: &str) -> Option<Square> {
    match *value.trim().as_bytes() {
        [file @ b'a'..=b'h', rank @ b'a'..=b'h'] => Some(Square::at(file - b'a', rank - b'a')),
        _ => None,
    }
}

/// Parses one square, or the rectangle between its upper left and lower right square: `dd:ee`.
fn rectangle(value: &str) -> Option<Bitboard> {
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let (first, last) = (point(first)?, point(last)?);
    let (files, ranks) = (first.file()..=last.file(), first.rank()..=last.rank());
    if files.is_empty() || ranks.is_empty() {
        return None;
    }
    let is_in = |square: &Square| files.contains(&square.file()) && ranks.contains(&square.rank());
    Some(Square::all().filter(is_in).collect())
}

fn name(square: Square) -> String {
    let letters = [square.file(), square.rank()];
    letters
        .iter()
        .map(|&index| char::from(b'a' + index))
        .collect()
}
