//! GGF (Generic Game Format) and SGF (Smart Game Format): trees of nodes with properties,
//! `(;NAME[value]…;…)`. A record is the tree of one game. Its main line is the first branch at
//! every variation. The module `write` writes both formats.
//!
//! GGF is the format of the Generic Game Server and of NBoard:
//! `(;GM[Othello]PB[…]BO[8 … *]B[F5/0.5/1.2]…;)`. Squares of SGF are letters, as Quarry writes them
//! (`fe` is column f, row e), or names, as Edax and Cassio write them (`f5`).

mod write;

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

use super::outcome::of_mover;
use super::played::discs;
use super::reading::{Reading, Span, Stop, Why};
use super::tokens::mirrored;
use super::{Game, Outcome, Played, TimeLimit, pgn, segments};
use emilia_core::board::{Bitboard, Color, Faults, Move, Position, Sentence, Square, excerpt};

pub use write::SgfSquares;

/// Names of each tag in PGN, SGF and GGF. The name is empty if the format lacks the tag.
const TAGS: [(&str, &str, &str); 8] = [
    ("Black", "PB", "PB"),
    ("White", "PW", "PW"),
    ("Event", "EV", "PC"),
    ("Date", "DT", "DT"),
    ("Site", "PC", ""),
    ("Round", "RO", ""),
    ("BlackElo", "BR", "RB"),
    ("WhiteElo", "WR", "RW"),
];

/// Byte offset of an error, and the error.
type Fault = (usize, Sentence);

/// A property of a node: `NAME[value]…`.
#[derive(Debug)]
struct Property<'a> {
    /// The name in capitals. Lower-case letters, which old files contain, are dropped.
    name: String,
    /// The values, with escapes resolved. There is at least one.
    values: Vec<Cow<'a, str>>,
    range: Range<usize>,
}

impl Property<'_> {
    fn is_move(&self) -> bool {
        matches!(&*self.name, "B" | "W")
    }

    /// Returns the first value, trimmed.
    fn value(&self) -> &str {
        self.values[0].trim()
    }

    /// Returns the error that the value of this property is invalid.
    fn bad(&self, expected: &str) -> Sentence {
        let found = excerpt(&self.values[0]);
        format!("{}[{found}]: expected {expected}", self.name).into()
    }

    /// Checks that a move or an evaluation has only one value. In `B[f5][d6]`, the second value may
    /// be a move whose property name is lost.
    fn check_single(&self) -> Result<(), Sentence> {
        let second = self.values.get(1).map(|value| excerpt(value));
        second.map_or(Ok(()), |second| {
            let (name, first) = (&self.name, excerpt(&self.values[0]));
            Err(format!("{name}[{first}][{second}]: expected one value").into())
        })
    }

    /// Checks that no value contains the start of another property, such as `PB[`. Such a value
    /// lacks its closing bracket.
    fn check_closed(&self, text: &str) -> Result<(), Sentence> {
        let values = &text[self.range.clone()][self.name.len()..];
        let is_name = |(at, _): (usize, &str)| {
            at > 2
                && values.as_bytes()[at - 2..at]
                    .iter()
                    .all(u8::is_ascii_uppercase)
        };
        if values.match_indices('[').any(is_name) {
            return Err(self.bad("']' before the next property"));
        }
        Ok(())
    }
}

/// Syntax element of a tree: a property, or one of the signs `(`, `;` and `)`.
enum Part<'a> {
    Property(Property<'a>),
    Sign(u8),
}

/// Reads `text` from byte offset `at`, which is a character boundary.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Reads the next property, or the next of the signs `(`, `;` and `)`.
    fn next(&mut self) -> Result<Part<'a>, Fault> {
        match self.peek() {
            Some(sign @ (b'(' | b';' | b')')) => {
                self.at += 1;
                Ok(Part::Sign(sign))
            }
            Some(letter) if letter.is_ascii_alphabetic() => self.property().map(Part::Property),
            _ => Err(self.unexpected("a property, ';' or ')'")),
        }
    }

    /// Skips white space, and returns the next byte without consuming it.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest.bytes().next()
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let found = self.text[self.at..].chars().next();
        let found = found.map(|found| format!("found '{}'", found.escape_default()));
        let found = found.unwrap_or("the text ends".to_owned());
        (self.at, format!("{found}, expected {expected}").into())
    }

    fn property(&mut self) -> Result<Property<'a>, Fault> {
        let start = self.at;
        let rest = self.text[start..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        self.at = self.text.len() - rest.len();
        let name = &self.text[start..self.at];
        let capitals = name.replace(|letter: char| letter.is_ascii_lowercase(), "");
        let (mut values, mut end) = (Vec::new(), start);
        while self.peek() == Some(b'[') {
            values.push(self.value()?);
            end = self.at;
        }
        if values.is_empty() {
            return Err(self.unexpected("'['"));
        }
        Ok(Property {
            name: if capitals.is_empty() {
                name.to_ascii_uppercase()
            } else {
                capitals
            },
            values,
            range: start..end,
        })
    }

    /// Reads a `[value]`, in which a backslash escapes the next character.
    fn value(&mut self) -> Result<Cow<'a, str>, Fault> {
        let mut value = Cow::default();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find([']', '\\']) else {
                self.at = self.text.len();
                return Err(self.unexpected("']'"));
            };
            value += &rest[..end];
            self.at += end + 1;
            if rest[end..].starts_with(']') {
                return Ok(value);
            }
            if let Some(escaped) = rest[end + 1..].chars().next() {
                value.to_mut().push(escaped);
                self.at += escaped.len_utf8();
            }
        }
    }

    /// Skips the tree at the current byte. Returns whether the tree is valid.
    fn skip_tree(&mut self) -> bool {
        let mut depth = 0;
        loop {
            match self.next() {
                Ok(Part::Sign(b'(')) => depth += 1,
                Ok(Part::Sign(b')')) => depth -= 1,
                Ok(_) if depth > 0 => {}
                _ => return false,
            }
            if depth <= 0 {
                return depth == 0;
            }
        }
    }
}

/// Reader of one record: a GGF or SGF tree, up to the bracket that closes it.
struct Record<'a> {
    scanner: Scanner<'a>,
    is_ggf: bool,
    game: Game,
    /// Number of moves in the main line, including the moves after an invalid property.
    moves: usize,
    /// For each open bracket, the number of discs placed before it. The outermost bracket comes
    /// first.
    branches: Vec<usize>,
    fault: Option<Fault>,
    /// Byte ranges of repeated tags with another value. They stay unread, because it is not known
    /// which value is right.
    repeated: Vec<Range<usize>>,
    /// Byte offset of the last property that sets discs, for the error of an invalid start
    /// position.
    discs: Option<usize>,
    /// Whether the record sets the side to move.
    has_side: bool,
    /// Whether row 1 is the lowest row, as in files of GoGui. The first move decides this.
    is_mirrored: bool,
}

impl Record<'_> {
    fn new(text: &str, start: usize) -> Record<'_> {
        Record {
            scanner: Scanner { text, at: start },
            is_ggf: is_ggf(&text[start..]),
            game: Game::default(),
            moves: 0,
            branches: Vec::new(),
            fault: None,
            repeated: Vec::new(),
            discs: None,
            has_side: false,
            is_mirrored: false,
        }
    }

    /// Reads the main line: the nodes up to the first closing bracket. These are the first branch
    /// at every variation.
    fn read_main_line(&mut self) {
        let mut node: Vec<Property> = Vec::new();
        loop {
            let part = self.scanner.next();
            if let Ok(Part::Property(property)) = part {
                node.push(property);
                continue;
            }
            // The properties of a node are unordered, so an evaluation (`V`) or a comment (`C`) may
            // precede the move that it belongs to.
            let moves = node.iter().filter(|property| property.is_move()).count();
            self.moves += moves;
            node.retain(|property| moves > 0 || property.name != "V");
            node.sort_by_key(|property| matches!(&*property.name, "V" | "C"));
            for property in node.drain(..) {
                if self.fault.is_none()
                    && let Err(problem) = self.apply(&property)
                {
                    self.fault = Some((property.range.start, problem));
                }
            }
            match part {
                Ok(Part::Sign(b'(')) => self.branches.push(self.game.placed()),
                Ok(Part::Sign(b')')) => return,
                Ok(_) => {}
                Err(error) => {
                    self.fault = self.fault.take().or(Some(error));
                    return;
                }
            }
        }
    }

    /// Stores the variations after the main line as unchanged text.
    fn read_variations(&mut self) {
        while let [_, .., branch] = self.branches[..] {
            let next = self.scanner.peek();
            let start = self.scanner.at;
            if next == Some(b')') {
                self.scanner.at += 1;
                self.branches.pop();
            } else if self.scanner.skip_tree() {
                let variation = self.scanner.text[start..self.scanner.at].to_owned();
                self.game.notes_mut().variations.push((branch, variation));
            } else {
                self.scanner.at = start;
                self.fault = Some(self.scanner.unexpected("a variation or ')'"));
                return;
            }
        }
    }

    /// Checks the start position and the result, which are complete only at the end of the record.
    fn finish(&mut self) {
        let game = &mut self.game;
        if self.is_mirrored {
            game.notes_mut().warnings.push(pgn::mirrored_record());
            let variations = mem::take(&mut game.notes_mut().variations).len();
            game.warn_of_variations(variations);
        }
        let faults = game.start().board.faults() - Faults::HARMLESS;
        if !faults.is_empty() {
            let problem = format!("start position: {faults}");
            self.fault = Some((self.discs.unwrap_or_default(), problem.into()));
            game.truncate(0);
        }
        game.settle();
    }

    /// Applies one property to the game: a tag, a setup property, a move, or an evaluation.
    fn apply(&mut self, property: &Property) -> Result<(), Sentence> {
        let (name, value) = (&*property.name, property.value());
        let own =
            |(_, sgf, ggf): &&(&str, &str, &str)| name == if self.is_ggf { *ggf } else { *sgf };
        if let Some((tag, ..)) = TAGS.iter().find(own) {
            return self.tag(tag, property);
        }
        let game = &mut self.game;
        match name {
            "GM" | "SZ" | "TY" => return check_kind(property, self.is_ggf),
            "TI" => (game.tags.time, game.tags.white_time) = (Some(limit(property)?), None),
            "TB" if self.is_ggf => game.tags.time = Some(limit(property)?),
            "TW" if self.is_ggf => game.tags.white_time = Some(Box::new(limit(property)?)),
            "RE" => {
                let outcome = Outcome::parse(value);
                if self.is_ggf && outcome.is_none() {
                    return Err(property.bad("? or Black's difference, like -12 or +4:r"));
                }
                game.tags.outcome = outcome.flatten();
            }
            "C" if !value.is_empty() => {
                let placed = game.placed();
                game.notes_mut().add_comment(placed, value, "\n");
            }
            "BO" if self.is_ggf => return self.set_up(property),
            "AB" | "AW" | "AE" | "PL" => return self.set_up(property),
            "B" | "W" => return self.play(property),
            "V" => return self.evaluate(property),
            _ => {}
        }
        Ok(())
    }

    /// Sets the evaluation of the last move. Other programs may give `V` another meaning, so a
    /// value that is not a number is ignored.
    fn evaluate(&mut self, property: &Property) -> Result<(), Sentence> {
        property.check_single()?;
        let eval = discs(property.value());
        if let Some(before) = self.game.positions().iter().nth_back(1) {
            let mover = before.mover;
            let eval = eval.map(|eval| of_mover(eval, mover));
            self.game.set_last_eval(eval);
        }
        Ok(())
    }

    fn tag(&mut self, tag: &str, property: &Property) -> Result<(), Sentence> {
        // A tag has one line, so line breaks become spaces.
        let value = &*property.values[0].replace(['\r', '\n'], " ");
        if ["", value].contains(&self.game.tags.get(tag)) {
            property.check_closed(self.scanner.text)?;
            self.game.tags.set(tag, value);
        } else {
            self.repeated.push(property.range.clone());
        }
        Ok(())
    }

    /// Applies a setup property to the start position.
    fn set_up(&mut self, property: &Property) -> Result<(), Sentence> {
        if !self.game.moves().is_empty() {
            return Err(property.bad("no change of the board within the game"));
        }
        let start = match &*property.name {
            "BO" => board(property)?,
            _ => changed(&self.game.start(), property)?,
        };
        self.game.restart(start);
        if property.name != "PL" {
            self.discs = Some(property.range.start);
        }
        self.has_side |= matches!(&*property.name, "PL" | "BO");
        Ok(())
    }

    /// Plays a move. In an error, the number of the move does not count passes.
    fn play(&mut self, property: &Property) -> Result<(), Sentence> {
        property.check_single()?;
        let game = &mut self.game;
        let side = color(&property.name).unwrap_or(Color::Black);
        let mut played = if self.is_ggf {
            let expected = "move/eval/time, like F5/1.50/0.23 or PA";
            property
                .value()
                .parse()
                .map_err(|_| property.bad(expected))?
        } else {
            let mv = sgf_move(property.value());
            Played::from(mv.ok_or_else(|| property.bad("column and row, like fe or f5"))?)
        };
        if game.moves().is_empty() {
            if self.discs.is_some() && !self.has_side {
                // The record sets discs but no side to move, so the side of the first move begins.
                game.restart(game.start().with_mover(side));
            }
            let is_mirrored = |square| pgn::is_mirrored(&game.start(), square);
            self.is_mirrored = self.discs.is_none() && played.mv.square().is_some_and(is_mirrored);
        }
        if let Some(square) = played.mv.square().filter(|_| self.is_mirrored) {
            played.mv = Move::Place(mirrored(square));
        }
        let number = game.placed() + 1;
        game.play_as(side, played).map_err(|illegal| {
            let sentence = Sentence::from(illegal).with("number", number);
            sentence.within(format_args!("move {number}: "))
        })
    }
}

fn limit(property: &Property) -> Result<TimeLimit, Sentence> {
    let expected = "main/increment/grace, each [[h:]m:]s, like 15:00//2:00";
    property.value().parse().map_err(|_| property.bad(expected))
}

/// Checks that a record is of Othello on an 8×8 board: the properties `GM`, `SZ` and `TY`.
fn check_kind(property: &Property, is_ggf: bool) -> Result<(), Sentence> {
    let value = property.value();
    match &*property.name {
        "GM" if is_ggf && !value.eq_ignore_ascii_case("othello") => Err(property.bad("Othello")),
        "GM" if !is_ggf && value != "2" => {
            let text = String::from(property.bad("2, which is Othello"));
            Err(Sentence::new("other-game", text).with("found", excerpt(value)))
        }
        "SZ" if !matches!(value, "8" | "8:8") => Err(property.bad("8")),
        "TY" => check_type(value).map_err(|expected| property.bad(expected)),
        _ => Ok(()),
    }
}

/// Checks that a `TY` value means Othello on an 8×8 board: `8`, `s8r20` (a synchro game from a
/// random position with 20 discs) or `8k` (with komi). Some programs write `0`, which is accepted.
///
/// # Errors
/// Returns what was expected instead.
fn check_type(value: &str) -> Result<(), &'static str> {
    let options = value.strip_prefix('s').unwrap_or(value).strip_prefix('8');
    match options {
        Some(options) if options.contains('a') => Err("Othello, not anti-Othello"),
        Some(options) if !options.starts_with(|c: char| c.is_ascii_digit()) => Ok(()),
        _ if value == "0" => Ok(()),
        _ => Err("a game on 8x8 squares, like 8, s8 or 8r20"),
    }
}

/// Parses a `BO` value: `8 <64 cells> <mover>`. White space between cells is ignored.
fn board(property: &Property) -> Result<Position, Sentence> {
    let cells = property.value().strip_prefix('8').unwrap_or_default();
    let cells = cells.replace(char::is_whitespace, "");
    if cells.chars().count() != Square::COUNT + 1 {
        return Err(property.bad("8, then 64 squares and the side to move"));
    }
    let start = cells.parse();
    start.map_err(|error| format!("start position: {error}").into())
}

/// Returns the start position `start` as changed by one setup property of SGF.
fn changed(start: &Position, property: &Property) -> Result<Position, Sentence> {
    let [mut black, mut white] = [Color::Black, Color::White].map(|color| start.discs(color));
    if property.name == "PL" {
        let mover = color(property.value()).ok_or_else(|| property.bad("B or W"))?;
        return Ok(start.with_mover(mover));
    }
    for value in &property.values {
        let squares = rectangle(value);
        let squares = squares.ok_or_else(|| property.bad("columns and rows, like fe or f5"))?;
        black &= !squares;
        white &= !squares;
        match &*property.name {
            "AB" => black |= squares,
            "AW" => white |= squares,
            _ => {}
        }
    }
    Ok(Position::new(black, white, start.mover))
}

/// Parses the value of an SGF move. An empty value and `tt` are passes.
fn sgf_move(value: &str) -> Option<Move> {
    match value {
        "" | "tt" => Some(Move::Pass),
        _ => point(value).map(Move::Place).or_else(|| value.parse().ok()),
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
    let is_in = |square: &Square| files.contains(&square.file()) && ranks.contains(&square.rank());
    let squares: Bitboard = Square::all().filter(is_in).collect();
    (!squares.is_empty()).then_some(squares)
}

/// Reads the record that begins at byte `at`, perhaps after a count of games. Returns the byte
/// offset of its end.
pub(super) fn read(out: &mut Reading, at: usize) -> usize {
    let text = out.text;
    let is_between = |c: char| c.is_ascii_digit() || c.is_whitespace();
    let start = text.len() - text[at..].trim_start_matches(is_between).len();
    // The record ends before the next certain start of a record, even if its closing bracket is
    // missing.
    let starts = text[start + 1..].match_indices("(;");
    let mut starts = starts.map(|(next, _)| start + 1 + next);
    let next = starts.find(|&next| is_certain(&text[next..]));
    let next = next.unwrap_or(text.len());
    let mut record = Record::new(&text[..next], start);
    record.read_main_line();
    if record.fault.is_none() {
        record.read_variations();
    }
    record.finish();
    let (end, is_game) = (record.scanner.at, record.game.placed() > 0);
    let stop = record.fault.map(|(at, problem)| {
        let mut sentence = out.placed(at, problem);
        if is_game {
            let (read, all) = (record.game.placed(), record.moves);
            sentence = sentence.followed(format_args!("; {read} of {all} moves read"));
        }
        let why = Why::Said { sentence, is_game };
        Stop { at: end, why }
    });
    // If the record is closed, a fault affects only the rest of this record. Otherwise reading
    // resumes at the next record or line of moves.
    let is_broken = stop.is_some() && !text[..end].ends_with(')');
    out.mark_except(at..end, Span::Record, record.repeated);
    out.add(at..at, Span::Record, record.game, stop);
    if is_broken {
        return next.min(segments::resume(text, end));
    }
    end
}

/// Returns whether a record is in GGF: its `GM` is `Othello`, or it has a board (`BO`) and no `GM`.
fn is_ggf(record: &str) -> bool {
    let game = record
        .split_once("GM[")
        .and_then(|(_, rest)| rest.split_once(']'));
    match game {
        Some((name, _)) => name.trim().eq_ignore_ascii_case("othello"),
        None => record.contains("BO["),
    }
}

/// Returns whether `text` begins like a record or a variation, perhaps without the first `;`.
pub(super) fn is_start(text: &str) -> bool {
    let node = text.strip_prefix('(').map(str::trim_start);
    node.is_some_and(|node| {
        let values = node.trim_start_matches(|c: char| c.is_ascii_uppercase());
        node.starts_with(';') || values.len() < node.len() && values.starts_with('[')
    })
}

/// Returns whether `text` certainly begins a record: its first property is `GM` or `FF`, which no
/// variation has.
pub(super) fn is_certain(text: &str) -> bool {
    let node = text.strip_prefix("(;").or(text.strip_prefix('('));
    node.is_some_and(|node| node.starts_with("GM[") || node.starts_with("FF["))
}
