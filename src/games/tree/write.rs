//! Writers of SGF and GGF.

use super::TAGS;
use crate::Game;
use crate::outcome::{Outcome, of_mover};
use crate::played::two_decimals;
use emilia_core::board::{Color, Position, Square};

/// Form of the squares in SGF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SgfSquares {
    /// Two letters, `fe` for f5, as in the standard and in Quarry. Passes are left out.
    #[default]
    Letters,
    /// Names such as `f5`, as in Edax and Cassio. A pass is `PA`.
    Names,
}

impl SgfSquares {
    fn name(self, square: Square) -> String {
        let letter = |index: u8| char::from(b'a' + index);
        match self {
            SgfSquares::Names => square.to_string(),
            SgfSquares::Letters => [square.file(), square.rank()].map(letter).iter().collect(),
        }
    }
}

impl Game {
    /// Writes the game as SGF, ten moves a line, with evaluations (`V`, in discs for Black),
    /// comments and variations.
    pub fn to_sgf(&self) -> String {
        self.to_sgf_with(SgfSquares::Letters)
    }

    /// Writes the game like [`to_sgf`](Self::to_sgf), with squares in the form `squares`.
    pub fn to_sgf_with(&self, squares: SgfSquares) -> String {
        let mut text = self.sgf_tags(squares);
        let notes = self.notes();
        let comment = |placed| {
            notes
                .comment(placed)
                .map(|own| format!("C[{}]", escaped(own)))
        };
        text.extend(comment(0));
        let variations = |placed| notes.variations.iter().filter(move |(at, _)| *at == placed);
        let mut branches = Vec::new();
        let (mut index, mut placed) = (0, 0);
        for (played, position) in self.moves().iter().zip(self.positions()) {
            let (mover, square) = (position.mover, played.mv.square());
            if square.is_none() && squares == SgfSquares::Letters {
                continue;
            }
            if variations(placed).next().is_some() && !branches.contains(&placed) {
                branches.push(placed);
                text.push('(');
            }
            let line = if index % 10 == 0 { "\n;" } else { ";" };
            let name = square.map_or("PA".to_owned(), |square| squares.name(square));
            text.extend([line, letter(mover), "[", &name, "]"]);
            if let Some(eval) = played.eval {
                text.extend(["V[", &two_decimals(of_mover(eval, mover)), "]"]);
            }
            index += 1;
            if square.is_some() {
                placed += 1;
                text.extend(comment(placed));
            }
        }
        for &branch in branches.iter().rev() {
            text.push(')');
            text.extend(variations(branch).map(|(_, variation)| variation.as_str()));
        }
        text.push_str(")\n");
        let encoding = if text.is_ascii() { "" } else { "CA[UTF-8]" };
        ["(;FF[4]GM[2]SZ[8]AP[Emilia]", encoding, &text].concat()
    }

    /// Writes the tags and the start position.
    fn sgf_tags(&self, squares: SgfSquares) -> String {
        let mut text = String::new();
        for (tag, name, _) in TAGS {
            let value = self.tags.get(tag);
            if !value.is_empty() {
                text.extend([name, "[", &escaped(value), "]"]);
            }
        }
        if let Some(outcome) = self.outcome() {
            text.extend(["RE[", &outcome.sgf(), "]"]);
        }
        if self.start() != Position::START || squares == SgfSquares::Names {
            text.push_str(&set_up_text(&self.start(), squares));
        }
        text
    }

    /// Writes the game as GGF, on one line.
    pub fn to_ggf(&self) -> String {
        let mut text = String::from("(;GM[Othello]");
        let mut property = |name: &str, value: &str| {
            text.extend([name, "[", &escaped(value), "]"]);
        };
        for name in ["PC", "DT", "PB", "PW", "RB", "RW"] {
            let tag = TAGS.iter().find(|(.., own)| *own == name);
            let value = tag.map_or("", |(tag, ..)| self.tags.get(tag));
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

/// Formats the setup properties that turn the standard start position into `position`.
fn set_up_text(position: &Position, squares: SgfSquares) -> String {
    let mut text = String::new();
    let emptied = position.board.empties() & !Position::START.board.empties();
    for (property, points) in [
        ("AB", position.discs(Color::Black)),
        ("AW", position.discs(Color::White)),
        ("AE", emptied),
    ] {
        text += if points.is_empty() { "" } else { property };
        for square in points.squares() {
            text.extend(["[", &squares.name(square), "]"]);
        }
    }
    text + "PL[" + letter(position.mover) + "]"
}

fn board_text(position: &Position) -> String {
    let text = position.to_string().replace('X', "*");
    let rows = [0, 8, 16, 24, 32, 40, 48, 56].map(|start| &text[start..start + 8]);
    format!("8 {}{}", rows.join(" "), &text[Square::COUNT..])
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Escapes `text` for the value of a property: brackets, backslashes, and the semicolon of `(;`,
/// which looks like the start of a record.
fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for character in text.chars() {
        let starts_record = character == ';' && value.ends_with('(');
        if starts_record || matches!(character, '[' | ']' | '\\') {
            value.push('\\');
        }
        value.push(character);
    }
    value
}
