//! Boards in any text: 64 squares on a line or in a link, eight rows as programs and people draw
//! them, matrices of numbers, two hexadecimal numbers, and boards with the number of the move on
//! each square.

use super::Game;
use super::words;
use emilia_core::board::{
    Bitboard, Board, BoardError, Color, Faults, Position, PositionError, Square, Transcript, cell,
};

/// Fewest squares of a board on a line. Other text has fewer.
const FEWEST: usize = 56;

/// Most letters of a board, with those of words that touch it.
const MOST: usize = 80;

/// Characters of the lines between rows.
const FRAME: &str = "+-=|─━│┃┼├┤┬┴┌┐└┘`";

fn is_square(letter: char) -> bool {
    cell(letter).is_some()
}

/// Reads a position in any form: those of [`Position`], or a board in other text.
///
/// - A board within other text: 64 squares after a word, as in a link, or eight rows with numbers
///   beside them, as `emilia show` prints them.
/// - A matrix of numbers: 0 is empty, 1 black, -1 or 2 white.
/// - Discs of the side to move and of the opponent as hexadecimal numbers, such as
///   `0x0000000810000000 0x0000001008000000`. The lowest bit is a1, and the side to move may follow.
/// - A link with a board or moves.
///
/// # Errors
/// Returns the error of the form that the text has most of.
pub fn position(text: &str) -> Result<Position, PositionError> {
    let error = match text.parse::<Position>() {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };
    let one_line = text.split([';', '%']).next().unwrap_or_default().trim();
    let in_line = one_line.parse::<Position>().ok();
    let found = in_line.or_else(|| link(text.trim()).map(|game| game.position()));
    if let Some(position) = found {
        return Ok(position);
    }
    let read = hexadecimal(text)
        .or_else(|| on_a_line(text).map(Ok))
        .or_else(|| drawn_in(text));
    read.unwrap_or(Err(error))
}

/// Reads the first board that a text draws, or a row of them with `/` between.
fn drawn_in(text: &str) -> Option<Result<Position, PositionError>> {
    let text = text.replace('/', "\n");
    let (mut rows, mut most) = (0, 0);
    for line in text.lines() {
        rows = if Row::of(line).is_some() { rows + 1 } else { 0 };
        most = most.max(rows);
    }
    let mut at = 0;
    while at < text.len() {
        match drawn(&text, at).map(|drawn| drawn.content) {
            Some(Content::Board(board)) => return Some(board.map_err(PositionError::Board)),
            _ => at += text[at..].find('\n').map_or(text.len(), |end| end + 1),
        }
    }
    // Fewer rows may also be a text of another kind.
    (most >= 4).then(|| {
        Err(PositionError::Board(BoardError {
            faults: Faults::WRONG_LENGTH,
            column: None,
            found: (8 * most).to_string(),
        }))
    })
}

/// Reads two hexadecimal numbers, and the side to move if there is one.
fn hexadecimal(text: &str) -> Option<Result<Position, PositionError>> {
    let mut words = text
        .split([' ', '\t', '\n', '\r', ','])
        .filter(|word| !word.is_empty());
    let mut discs = || {
        let word = words.next()?;
        let digits = word
            .strip_prefix("0x")
            .or_else(|| word.strip_prefix("0X"))?;
        let digits = digits.trim_end_matches(['U', 'u', 'L', 'l']);
        u64::from_str_radix(digits, 16).ok().map(Bitboard)
    };
    let board = Board {
        player: discs()?,
        opponent: discs()?,
    };
    let side = words.collect::<String>();
    let mover = if side.is_empty() {
        Color::Black
    } else {
        side.parse().ok()?
    };
    let faults = board.faults() - Faults::HARMLESS;
    let position = Position { board, mover };
    let error = || PositionError::Board(faults.into());
    Some(if faults.is_empty() {
        Ok(position)
    } else {
        Err(error())
    })
}

/// Returns the position of 64 squares in sequence after a word, followed by the side to move.
fn on_a_line(text: &str) -> Option<Position> {
    let text = text.trim_start();
    let mut rest = text.trim_start_matches(is_square);
    let first = &text[..text.len() - rest.len()];
    if first.chars().count() == Square::COUNT {
        // The text begins with a board, so another one is not its only board.
        return None;
    }
    loop {
        let run = &rest[rest.find(is_square)?..];
        let end = run.find(|c| !is_square(c)).unwrap_or(run.len());
        let (squares, after) = run.split_at(end);
        if squares.chars().count() == Square::COUNT {
            let side = after.trim_start_matches([' ', '\t', '+', ',', ';', '|']);
            let is_end = |c: char| c.is_whitespace() || "\"'&;,|)".contains(c);
            let side = side.split(is_end).next().unwrap_or_default();
            // A field of a table after the board may be anything.
            let is_field = side.is_empty() || after.starts_with(';');
            let mover = side.parse().ok().or(is_field.then_some(Color::Black))?;
            return Position::of_cells(squares.chars(), mover).ok();
        }
        rest = after;
    }
}

/// Returns whether a line has a board of 64 squares, of which a few may be missing or misspelt.
pub(super) fn holds_board(line: &str) -> bool {
    if line.len() < FEWEST {
        return false;
    }
    let mut letters = line.chars().filter(|letter| !letter.is_whitespace());
    let mut squares = 0;
    // Most lines have other letters first, and are not read on.
    for read in 1..=Square::COUNT {
        squares += usize::from(letters.next().is_some_and(is_square));
        if read - squares > Square::COUNT - FEWEST {
            break;
        }
    }
    squares >= FEWEST || holds_run(line)
}

/// Returns whether a line has a run of squares as long as a board, and not all of them alike.
fn holds_run(line: &str) -> bool {
    // A run as long has one of these letters. Most lines have none of them among their squares.
    let mut probes = line.chars().skip(FEWEST - 1).step_by(FEWEST);
    if !probes.any(is_square) {
        return false;
    }
    let mut runs = line.split(|letter| !is_square(letter));
    runs.any(|run| {
        let is_mixed = || run.chars().any(|letter| !run.starts_with(letter));
        run.len() >= FEWEST && (FEWEST..=MOST).contains(&run.chars().count()) && is_mixed()
    })
}

/// Returns whether a line may be a part of a board: a row, or as many squares in sequence.
pub(super) fn holds_part(line: &str) -> bool {
    let mut runs = line.split(|letter| !is_square(letter));
    let is_part = |run: &str| {
        let is_mixed = || run.chars().any(|letter| !run.starts_with(letter));
        run.chars().count() >= 8 && run.contains(|c: char| !c.is_alphanumeric()) && is_mixed()
    };
    let has_discs = |row: &Row| {
        row.cells
            .iter()
            .any(|cell| matches!(cell, Cell::Letter(letter) if letter.is_alphanumeric()))
    };
    runs.any(is_part) || Row::of(line).is_some_and(|row| has_discs(&row) || row.is_numbered())
}

/// What eight rows hold.
#[derive(Debug)]
pub(super) enum Content {
    Board(Result<Position, BoardError>),
    /// A game by the numbers of its moves, or `None` if they make none.
    Sheet(Option<Game>),
}

/// Eight rows of a text, and the byte offset after them.
#[derive(Debug)]
pub(super) struct Drawn {
    pub content: Content,
    pub end: usize,
}

/// Reads the eight rows that begin at byte `at` of a text.
pub(super) fn drawn(text: &str, at: usize) -> Option<Drawn> {
    let mut rows: Vec<Row> = Vec::new();
    let mut end = at;
    for line in text[at..].split_inclusive('\n') {
        match Row::of(line) {
            Some(row) => rows.push(row),
            None if !rows.is_empty() && is_frame(line) => {}
            None => return None,
        }
        end += line.len();
        if rows.len() == 8 {
            break;
        }
    }
    let numbers: String = rows.iter().filter_map(|row| row.number).collect();
    if rows.len() < 8 {
        return None;
    }
    if numbers == "87654321" {
        rows.reverse();
    }
    if rows.iter().any(Row::is_numbered) {
        let content = Content::Sheet(sheet(&rows));
        return Some(Drawn { content, end });
    }
    // A board has discs as letters or as numbers, not both.
    let has = |is: fn(&Cell) -> bool| rows.iter().any(|row| row.cells.iter().any(is));
    let is_disc =
        |one: &Cell| matches!(one, Cell::Letter(own) if matches!(cell(*own), Some(Some(_))));
    if has(is_disc) && has(|one| matches!(one, Cell::Number(1..))) {
        return None;
    }
    let notes: Vec<&str> = rows.iter().map(|row| &*row.note).collect();
    let mover = side_in(notes.into_iter());
    let (mover, end) = match mover {
        Some(mover) => (Some(mover), end),
        None => side_below(text, end),
    };
    let mover = mover.or_else(|| side_in(text[..at].lines().rev().take(3)));
    let cells: Vec<char> = rows
        .iter()
        .flat_map(|row| row.cells.iter().map(|cell| cell.letter()))
        .collect();
    // Beside red and blue discs, white and black squares are empty.
    let has_colors = cells.iter().any(|cell| matches!(cell, '🔴' | '🔵'));
    let is_ground = |cell: char| has_colors && matches!(cell, '⬜' | '⬛');
    let cells = cells
        .into_iter()
        .map(|cell| if is_ground(cell) { '-' } else { cell });
    let board = Position::of_cells(cells, mover.unwrap_or(Color::Black));
    let content = Content::Board(board);
    Some(Drawn { content, end })
}

/// Returns the side to move that lines below a board name, and the byte offset after them.
fn side_below(text: &str, at: usize) -> (Option<Color>, usize) {
    let mut end = at;
    for line in text[at..].split_inclusive('\n').take(4) {
        if Row::of(line).is_some() {
            break;
        }
        end += line.len();
        if let Some(side) = side_in([line].into_iter()) {
            return (Some(side), end);
        }
    }
    (None, at)
}

/// Returns the game by the numbers on the squares of its moves, which are 1 to n, each once.
fn sheet(rows: &[Row]) -> Option<Game> {
    let cells = rows.iter().flat_map(|row| row.cells.iter());
    let mut moves: Vec<(u8, Square)> = cells
        .zip(Square::all())
        .filter_map(|(cell, square)| match cell {
            Cell::Number(number) if *number > 0 => Some((*number, square)),
            _ => None,
        })
        .collect();
    moves.sort_unstable();
    let is_each = (1..).zip(&moves).all(|(number, (own, _))| number == *own);
    let mut game = Game::default();
    let is_legal = moves
        .iter()
        .all(|(_, square)| game.play_next(*square).is_ok());
    (is_each && is_legal).then_some(game)
}

/// Returns whether a line is blank or between rows.
fn is_frame(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || FRAME.contains(c))
}

/// A square of a row.
#[derive(Clone, Copy, Debug)]
enum Cell {
    Letter(char),
    /// The number of a move, or a number of a matrix.
    Number(u8),
    /// A sign beside numbers, or -1.
    Sign(bool),
}

impl Cell {
    fn of(word: &str) -> Option<Cell> {
        let mut letters = word.chars();
        match (letters.next()?, letters.next()) {
            (letter, None) if is_square(letter) && letter != '0' => {
                return Some(Cell::Letter(letter));
            }
            _ => {}
        }
        match word.parse() {
            Ok(number @ 0..=60) => Some(Cell::Number(number)),
            _ if word.len() <= 2 && !word.contains(char::is_alphanumeric) => {
                Some(Cell::Sign(false))
            }
            _ => (word == "-1").then_some(Cell::Sign(true)),
        }
    }

    /// Returns the letter of a board.
    fn letter(self) -> char {
        match self {
            Cell::Letter(letter) => letter,
            Cell::Number(1) => 'X',
            Cell::Number(2) | Cell::Sign(true) => 'O',
            Cell::Number(_) | Cell::Sign(false) => '-',
        }
    }
}

/// A row of eight squares, the number beside it, and the rest of its line.
#[derive(Debug)]
struct Row {
    cells: Vec<Cell>,
    number: Option<char>,
    note: String,
}

impl Row {
    fn of(line: &str) -> Option<Row> {
        let line = plain(line);
        if line.len() > 400 {
            return None;
        }
        let line = value(&line).unwrap_or(&line);
        let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
        let borders = ['▕', '|', '│', '┃', '\t'];
        let border = borders
            .into_iter()
            .find(|&border| line.matches(border).count() >= 7);
        if let Some(border) = border
            && let Some(row) = Row::in_cells(line, border)
        {
            return Some(row);
        }
        Row::in_words(line, |word| {
            word.trim_matches(['[', ']', '(', ')', ',', ';', ':', '"', '\''])
        })
        .or_else(|| Row::in_words(&line.replace(['[', ']', '(', ')'], " "), |word| word))
    }

    /// Returns whether the row has numbers of moves.
    fn is_numbered(&self) -> bool {
        let numbers = self.cells.iter();
        numbers
            .filter(|cell| matches!(cell, Cell::Number(3..)))
            .count()
            > 1
    }

    /// Reads squares that end with `border`. A blank is an empty square.
    fn in_cells(line: &str, border: char) -> Option<Row> {
        let (before, rest) = line.split_once(border)?;
        let number = before.trim().chars().next().filter(char::is_ascii_digit);
        let is_first = before.trim().is_empty() || before.trim().len() == 1 && number.is_some();
        let mut row = if border != '▕' && is_first {
            rest
        } else {
            line
        };
        let stripped = row.trim_start();
        let number = number.filter(|_| is_first || border == '▕');
        if border == '▕' {
            row = stripped
                .strip_prefix(|c| Some(c) == number)
                .unwrap_or(stripped);
        }
        let mut cells = Vec::new();
        while cells.len() < 8 {
            let (cell, rest) = row.split_once(border).unwrap_or((row, ""));
            let is_end = row.is_empty() && cells.len() < 7;
            let cell = match cell.trim() {
                "" if is_end => return None,
                "" => Cell::Letter('-'),
                cell => Cell::of(cell)?,
            };
            cells.push(cell);
            row = rest;
        }
        let note = row.to_owned();
        Some(Row {
            cells,
            number,
            note,
        })
    }

    /// Reads squares that are one word of eight letters, or a word each.
    fn in_words(line: &str, trimmed: fn(&str) -> &str) -> Option<Row> {
        let is_mark = |word: &str| word.chars().all(|c| "[](){}".contains(c)) && word != "()";
        let words = line.split([' ', '\t', ',', ';', '\u{3000}']);
        let words: Vec<&str> = words.filter(|word| !is_mark(word)).collect();
        let word = |word: &&str| match trimmed(word) {
            "" => Cell::of(word),
            own => Cell::of(own),
        };
        let cells = |from: usize| {
            let cells: Option<Vec<Cell>> = words.get(from..from + 8)?.iter().map(word).collect();
            cells.map(|cells| (cells, from + 8))
        };
        let joined = |from: usize| {
            let word = trimmed(words.get(from)?);
            let word = if word.is_ascii() {
                word
            } else {
                word.trim_start_matches(|c: char| c.is_ascii_digit())
            };
            let cells: Option<Vec<Cell>> = word
                .chars()
                .map(|letter| is_square(letter).then_some(Cell::Letter(letter)))
                .collect();
            cells
                .filter(|cells| cells.len() == 8)
                .map(|cells| (cells, from + 1))
        };
        let first = words
            .first()
            .map(|first| first.trim_end_matches([':', '.', ')']));
        let number = first
            .filter(|first| first.len() == 1)
            .and_then(|first| first.chars().next());
        let number = number.filter(|number| ('1'..='8').contains(number));
        let behind = number.and_then(|_| joined(1).or_else(|| cells(1)));
        let number = number.filter(|_| behind.is_some());
        let (cells, next) = behind.or_else(|| joined(0)).or_else(|| cells(0))?;
        let note = words[next..].join(" ");
        Some(Row {
            cells,
            number,
            note,
        })
    }
}

/// Returns a line without colours, signs that select a picture, and names of pictures.
fn plain(line: &str) -> String {
    let mut text = String::new();
    for (index, part) in line.split("\x1b[").enumerate() {
        let rest = part.split_once('m').filter(|_| index > 0);
        text += rest.map_or(part, |(_, rest)| rest);
    }
    text.retain(|letter| !matches!(letter, '\u{fe0f}' | '\u{20e3}' | '\u{200b}'));
    if !text.contains("_circle:") && !text.contains("_square:") {
        return text;
    }
    let mut letters = String::new();
    for name in text.split(':') {
        letters += match name {
            "black_circle" | "black_large_square" => "●",
            "white_circle" | "white_large_square" => "○",
            name if name.ends_with("_square") || name.ends_with("_circle") => "-",
            other => other,
        };
    }
    letters
}

/// Returns the value of a parameter of an old page: `<PARAM name="Line1" value="…">`.
fn value(line: &str) -> Option<&str> {
    let tag = line.trim_start().get(..6)?;
    let (_, value) = line
        .split_once("value=\"")
        .filter(|_| tag.eq_ignore_ascii_case("<param"))?;
    value.split_once('"').map(|(value, _)| value)
}

/// Returns the side to move that notes around a board name: `X to move`, `White's turn`,
/// `turn: black`, or the side alone on its line.
fn side_in<'a>(notes: impl Iterator<Item = &'a str>) -> Option<Color> {
    const KEYS: [&str; 6] = ["move", "play", "pass", "turn", "mover", "plays"];
    let side = |word: &&str| word.parse().ok();
    let mut alone = None;
    for note in notes {
        let is_part =
            |c: char| c.is_alphanumeric() || "*@#".contains(c) || !c.is_ascii() && is_square(c);
        let words = note.split(|c| !is_part(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let is_key = |word: &&str| KEYS.iter().any(|key| word.eq_ignore_ascii_case(key));
        if let Some(at) = words.iter().position(is_key) {
            let before = words[at.saturating_sub(2)..at].iter().rev();
            let named = before.chain(words[at + 1..].iter().take(2)).find_map(side);
            if named.is_some() {
                return named;
            }
        }
        if let [word] = words[..] {
            alone = alone.or(side(&word));
        }
    }
    alone
}

/// Reads a link with a board or moves: `…?board=…&player=white&moves=e6`.
pub(super) fn link(word: &str) -> Option<Game> {
    let rest = word
        .strip_prefix("http")
        .filter(|rest| rest.starts_with(['s', ':']))?;
    let fields = rest
        .split(['?', '&', '#', ';'])
        .filter_map(|field| field.split_once('='));
    let fields = fields.map(|(key, value)| (words::plain(key), value));
    let (mut board, mut side, mut moves) = (None, None, None);
    for (key, value) in fields {
        let value = value
            .replace("%20", " ")
            .replace('+', " ")
            .replace("%2C", ",")
            .replace("%2c", ",");
        let letters: String = value
            .chars()
            .map(|c| if matches!(c, 'e' | 'E') { '-' } else { c })
            .collect();
        if letters.chars().filter(|c| is_square(*c)).count() >= Square::COUNT {
            board = Some(letters);
        } else if let Some(named) = words::label(&value).filter(|_| !key.contains("name")) {
            side = side.or(Some(named));
        } else if value
            .get(..2)
            .is_some_and(|first| first.parse::<Square>().is_ok())
        {
            moves = moves.or(Some(value));
        }
    }
    let Some(board) = board else {
        let moves = Transcript::parse(&moves?, Position::START).ok()?;
        return Some(Game::from(&moves));
    };
    let start: Position = board.trim().parse().ok()?;
    let start = side.map_or(start, |side| start.with_mover(side));
    // The board may be that after the move.
    let moves = moves.and_then(|moves| Transcript::parse(&moves, start).ok());
    Some(moves.map_or(Game::new(start), |moves| Game::from(&moves)))
}
