//! SGF (Smart Game Format) for Othello: `(;GM[2]SZ[8]…;B[fe];W[df]…)`.
//!
//! Squares are letters, as Quarry writes them (`fe` is column f, row e), or names, as Edax and
//! Cassio write them (`f5`). Builds on the parser of `properties`.

use std::mem;

use super::played::{discs, two_decimals};
use super::properties::{self, Part, Property, Record, RecordError, Scanner, escaped, unexpected};
use super::{Game, Outcome, header, pgn, tokens};
use emilia_core::board::{
    Bitboard, BoardError, Color, Faults, Move, Position, Sentence, Square, excerpt,
};

/// How SGF names squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SgfSquares {
    /// Two letters, `fe` for f5, as Quarry and the standard have them. Passes are left out.
    #[default]
    Letters,
    /// Names such as `f5`, as Edax and Cassio have them. A pass is `PA`.
    Names,
}

/// The number of Othello in the SGF property `GM`.
const OTHELLO: &str = "2";

/// Properties with squares or short texts that are no moves.
const POINTS: [&str; 17] = [
    "TR", "CR", "MA", "SQ", "SL", "DD", "TB", "TW", "VW", "LB", "AR", "LN", "N", "C", "V", "KO",
    "HO",
];

/// Names of the tags in SGF, in the order of [`header::KEYS`].
const NAMES: [&str; 8] = ["PB", "PW", "EV", "DT", "PC", "RO", "BR", "WR"];

impl Game {
    /// Reads the main line of an SGF record, with its comments. Variations are kept as they are.
    ///
    /// The value of a node (`V`) is the evaluation of its move, in discs from Black's view.
    /// Setup properties at the root (`AB`, `AW`, `AE`, `PL`) define the start position.
    /// Marks are ignored. Passes may be written (`[]`, `[tt]`, `[PA]`, `[pass]`) or omitted.
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
        let record = Game::read_sgf_record(text.strip_prefix('\u{feff}').unwrap_or(text), 0);
        record.fault.map_or(Ok(record.game), Err)
    }

    /// Reads the record at byte `at` up to its first fault.
    pub(super) fn read_sgf_record(text: &str, at: usize) -> Record {
        let mut set_up = SetUp::default();
        let apply = |game: &mut Game, property: &Property| game.read_sgf(property, &mut set_up);
        let mut record = properties::read(text, at, apply);
        if record.fault.is_none() {
            record.read_variations(text);
        }
        let game = &mut record.game;
        if set_up.is_mirrored {
            game.notes_mut().warnings.push(pgn::mirrored_record());
            let variations = mem::take(&mut game.notes_mut().variations).len();
            game.warn_of_variations(variations);
        }
        // Checked last: the position is complete only after all setup properties.
        let faults = game.start().board.faults() - Faults::HARMLESS;
        if !faults.is_empty() {
            let problem = format!("start position: {}", BoardError::from(faults));
            record.fault = Some(RecordError::at(text, set_up.at, problem.into()));
            game.truncate(0);
        }
        record
    }

    /// Applies one property to the game: a tag, a setup property, a move, or an evaluation.
    fn read_sgf(&mut self, property: &Property, set_up: &mut SetUp) -> Result<(), Sentence> {
        let value = property.value();
        if let Some(index) = NAMES.iter().position(|own| *own == property.name) {
            property.check_tag(self.tags.get(header::KEYS[index]))?;
            self.tags.set(header::KEYS[index], value);
        }
        if matches!(&*property.name, "B" | "W" | "V") {
            property.check_single()?;
        }
        match property.name.as_str() {
            "GM" if value.trim() != OTHELLO => {
                let text = property.bad("2, which is Othello");
                return Err(Sentence::new("other-game", text).with("found", excerpt(value)));
            }
            "SZ" if !matches!(value.trim(), "8" | "8:8") => return Err(property.bad("8").into()),
            "RE" => self.tags.outcome = Outcome::parse(value).flatten(),
            "C" if !value.trim().is_empty() => {
                let placed = self.placed();
                self.notes_mut().add_comment(placed, value.trim(), "\n");
            }
            "AB" | "AW" | "AE" | "PL" => {
                if !self.moves().is_empty() {
                    return Err(property
                        .bad("no change of the board within the game")
                        .into());
                }
                self.restart(changed(&self.start(), property)?);
                set_up.at = property.offset;
                set_up.has_discs |= property.name != "PL";
                set_up.has_side |= property.name == "PL";
            }
            "B" | "W" => {
                let color = color(&property.name).unwrap_or(Color::Black);
                let mv = sgf_move(value.trim()).ok_or_else(|| property.bad(SQUARE))?;
                if self.moves().is_empty() {
                    if set_up.has_discs && !set_up.has_side {
                        // The first move tells which side begins.
                        self.restart(self.start().with_mover(color));
                    }
                    let is_mirrored = |square| pgn::is_mirrored(&self.start(), square);
                    set_up.is_mirrored = !set_up.has_discs && mv.square().is_some_and(is_mirrored);
                }
                let mv = if set_up.is_mirrored { mirrored(mv) } else { mv };
                self.play_recorded(color, mv)?;
            }
            // Other programs may give `V` another meaning, so a value that is no number is ignored.
            "V" => {
                if let Some(before) = self.positions().iter().nth_back(1) {
                    let eval = discs(value.trim());
                    self.set_last_eval(eval.map(|eval| of_mover(eval, before.mover)));
                }
            }
            name if !self.moves().is_empty()
                && !POINTS.contains(&name)
                && value.len() == 2
                && point(value).is_some() =>
            {
                return Err(property.bad("B or W before a square").into());
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the game as SGF, ten moves a line, with evaluations (`V`, in discs for Black),
    /// comments and variations.
    pub fn to_sgf(&self) -> String {
        self.to_sgf_with(SgfSquares::Letters)
    }

    /// Writes the game as [`to_sgf`](Self::to_sgf), with squares named in this way.
    pub fn to_sgf_with(&self, squares: SgfSquares) -> String {
        const HEAD: &str = "(;FF[4]GM[2]SZ[8]AP[Emilia]";
        let mut text = HEAD.to_owned();
        for (name, tag) in NAMES.into_iter().zip(header::KEYS) {
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
        self.write_comments(0, &mut text);
        let variations = |placed| {
            let all = self.notes().variations.iter();
            all.filter(move |(at, _)| *at == placed)
        };
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
                let value = two_decimals(of_mover(eval, mover));
                text.extend(["V[", &value, "]"]);
            }
            index += 1;
            if square.is_some() {
                placed += 1;
                self.write_comments(placed, &mut text);
            }
        }
        for &branch in branches.iter().rev() {
            text.push(')');
            text.extend(variations(branch).map(|(_, variation)| variation.as_str()));
        }
        text.push_str(")\n");
        if !text.is_ascii() {
            text.insert_str(HEAD.len(), "CA[UTF-8]");
        }
        text
    }

    /// Writes the comment after `placed` discs.
    fn write_comments(&self, placed: usize, text: &mut String) {
        if let Some(comment) = self.notes().comment(placed) {
            text.extend(["C[", &escaped(comment), "]"]);
        }
    }
}

impl Record {
    /// Keeps the variations after the main line, and moves the end behind them.
    fn read_variations(&mut self, text: &str) {
        while let [_, .., branch] = self.branches[..] {
            let rest = text[self.end..].trim_start();
            self.end = text.len() - rest.len();
            if rest.starts_with(')') {
                self.end += 1;
                self.branches.pop();
            } else if let Some(end) = end_of_tree(text, self.end) {
                let variation = text[self.end..end].to_owned();
                self.game.notes_mut().variations.push((branch, variation));
                self.end = end;
            } else {
                self.fault = Some(unexpected(text, self.end, "a variation or ')'"));
                return;
            }
        }
    }
}

/// Expected value of a move.
const SQUARE: &str = "column and row, like fe or f5";

/// Parses the value of a move.
fn sgf_move(value: &str) -> Option<Move> {
    match value {
        "" | "tt" => Some(Move::Pass),
        _ => point(value).map(Move::Place).or_else(|| value.parse().ok()),
    }
}

/// What is known of the start of a record.
#[derive(Debug, Default)]
struct SetUp {
    /// Byte offset of the last setup property.
    at: usize,
    /// Whether the record sets discs, and the side to move.
    has_discs: bool,
    has_side: bool,
    /// Whether row 1 is the lowest, as GoGui writes it. The first move tells.
    is_mirrored: bool,
}

/// Returns the move in records that count rows from the bottom.
fn mirrored(mv: Move) -> Move {
    mv.square()
        .map_or(mv, |square| Move::Place(tokens::mirrored(square)))
}

/// Returns the byte offset after the tree at byte `at` of `text`, or `None` if it is invalid.
fn end_of_tree(text: &str, at: usize) -> Option<usize> {
    let mut scanner = Scanner { text, at };
    let mut depth = 0_usize;
    loop {
        match scanner.next().ok()? {
            Part::Open => depth += 1,
            Part::Close if depth <= 1 => return (depth == 1).then_some(scanner.at),
            Part::Close => depth -= 1,
            Part::Property(_) if depth == 0 => return None,
            Part::Node | Part::Property(_) => {}
        }
    }
}

/// Returns `start` changed by one setup property.
fn changed(start: &Position, property: &Property) -> Result<Position, String> {
    let [mut black, mut white] = [Color::Black, Color::White].map(|color| start.discs(color));
    if property.name == "PL" {
        let mover = color(property.value().trim()).ok_or_else(|| property.bad("B or W"))?;
        return Ok(Position::new(black, white, mover));
    }
    for value in &property.values {
        let squares =
            rectangle(value).ok_or_else(|| property.bad("columns and rows, like fe or f5"))?;
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

/// Parses a square: the column a to h, and the row a to h or 1 to 8.
fn point(value: &str) -> Option<Square> {
    match *value.trim().as_bytes() {
        [file @ b'a'..=b'h', rank @ b'a'..=b'h'] => Some(Square::at(file - b'a', rank - b'a')),
        _ => value.trim().parse().ok(),
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

impl SgfSquares {
    fn name(self, square: Square) -> String {
        match self {
            SgfSquares::Names => square.to_string(),
            SgfSquares::Letters => {
                let letters = [square.file(), square.rank()];
                letters
                    .map(|index| char::from(b'a' + index))
                    .iter()
                    .collect()
            }
        }
    }
}
