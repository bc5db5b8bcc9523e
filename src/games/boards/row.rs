//! A row of a drawn board: eight squares as letters, discs, emoji, numbers or parts of a table, with
//! the number of the row before them and a note behind them.

use std::ops::Range;

use super::is_square;

/// Maximum length in bytes of a row, including the escape sequences of terminal colours.
const LONGEST: usize = 2048;

/// Characters that separate the squares of a row. The first of them, `▕`, follows every square,
/// even the last.
const BORDERS: [char; 5] = ['▕', '|', '│', '┃', '\t'];

/// A square of a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    Letter(char),
    /// A move number, or a number in a matrix of discs.
    Number(u8),
    /// -1 in a matrix of discs: a white disc.
    Minus,
}

impl Cell {
    fn of(word: &str) -> Option<Cell> {
        let mut letters = word.chars();
        let first = letters.next()?;
        if letters.next().is_none() && is_square(first) && first != '0' {
            return Some(Cell::Letter(first));
        }
        // Any other short sign, such as `()` or `##`, is a square without a disc and without a
        // number.
        let is_sign = word.len() <= 2 && !word.contains(char::is_alphanumeric);
        match word.parse() {
            Ok(number @ 0..=60) => Some(Cell::Number(number)),
            _ if word == "-1" => Some(Cell::Minus),
            _ => is_sign.then_some(Cell::Letter('-')),
        }
    }

    /// Returns the square letter of the square. In a matrix, 1 is a black disc, and 2 or -1 is a
    /// white disc.
    pub(super) fn letter(self) -> char {
        match self {
            Cell::Letter(letter) => letter,
            Cell::Number(1) => 'X',
            Cell::Number(2) | Cell::Minus => 'O',
            Cell::Number(_) => '-',
        }
    }
}

/// A row of eight squares, the number of the row, and the rest of its line.
#[derive(Debug)]
pub(super) struct Row {
    pub cells: Vec<Cell>,
    pub number: Option<char>,
    pub note: String,
    /// Byte range of the note in the text.
    pub beside: Range<usize>,
}

impl Row {
    pub(super) fn of(line: &str) -> Option<Row> {
        if line.len() > LONGEST {
            return None;
        }
        let line = plain(line);
        let line = value(&line).unwrap_or(&line);
        let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
        let drawn = BORDERS.iter().find_map(|&border| {
            let mut parts: Vec<&str> = line.split(border).map(str::trim).collect();
            // `▕` follows each square, but not the number of the row, which is split off here.
            let first = parts[0].split_at_checked(1);
            if border == BORDERS[0]
                && let Some((number, rest)) = first
                && ('1'..='8').contains(&number.chars().next().unwrap_or_default())
            {
                parts.splice(..1, [number, rest.trim_start()]);
            }
            (parts.len() > 7).then(|| Row::of_parts(&parts)).flatten()
        });
        let row = drawn.or_else(|| Row::in_words(line));
        row.or_else(|| Row::in_words(&line.replace(['[', ']', '(', ')'], " ")))
    }

    /// Returns whether the row has move numbers: at least two numbers above 2. Smaller numbers can
    /// be the discs of a matrix.
    pub(super) fn is_numbered(&self) -> bool {
        let is_number = |cell: &&Cell| matches!(cell, Cell::Number(3..));
        self.cells.iter().filter(is_number).count() > 1
    }

    /// Reads a numbered row below a heading. `columns` are the byte offsets of the column letters.
    /// A blank below a column letter is an empty square.
    pub(super) fn below(columns: &[usize], line: &str) -> Option<Row> {
        let number = line.trim_start().chars().next();
        let number = number.filter(|number| ('1'..='8').contains(number))?;
        let own = line.find(number)?;
        let cell = |at: &usize| match line.get(*at..).and_then(|rest| rest.chars().next()) {
            None | Some(' ' | '\n' | '\r') => Some(Cell::Letter(' ')),
            Some(letter) => is_square(letter).then_some(Cell::Letter(letter)),
        };
        let cells = columns.iter().map(cell).collect::<Option<_>>()?;
        let end = line.trim_end().len().min(columns[7] + 1);
        let inside = line.get(own + 1..end)?;
        let letters = inside.chars().filter(|letter| *letter != ' ').count();
        let is_letter = |at: &&usize| line.get(**at..**at + 1).is_some_and(|own| own.trim() != "");
        let is_row = own < columns[0] && letters == columns.iter().filter(is_letter).count();
        is_row.then(|| Row {
            cells,
            number: Some(number),
            note: line.get(columns[7] + 1..).unwrap_or_default().to_owned(),
            beside: 0..0,
        })
    }

    /// Reads a row whose squares are one word of eight characters, or eight words.
    fn in_words(line: &str) -> Option<Row> {
        let is_word = |word: &&str| *word == "()" || word.contains(|c| !"[](){}".contains(c));
        let words = line.split([' ', '\t', ',', ';', '\u{3000}']);
        Row::of_parts(&words.filter(is_word).collect::<Vec<_>>())
    }

    /// Reads a row of a drawn board from the parts of its line: the number of the row, its squares,
    /// and a note. An empty part is an empty square.
    fn of_parts(parts: &[&str]) -> Option<Row> {
        let is_mark = |c: char| "[](),;:\"'".contains(c);
        let cells = |from: usize| {
            let cell = |part: &&str| match part.trim_matches(is_mark) {
                "" if part.is_empty() => Some(Cell::Letter('-')),
                "" => Cell::of(part),
                own => Cell::of(own),
            };
            let cells: Option<Vec<Cell>> = parts.get(from..from + 8)?.iter().map(cell).collect();
            cells.map(|cells| (cells, from + 8))
        };
        let joined = |from: usize| {
            let word = parts.get(from)?.trim_matches(is_mark);
            // Skips the row number, a keycap emoji, before the emoji of the squares.
            let is_picture = |c: char| !word.is_ascii() && c.is_ascii_digit();
            let letters = word.trim_start_matches(is_picture).chars();
            let cell = |letter| is_square(letter).then_some(Cell::Letter(letter));
            let cells: Option<Vec<Cell>> = letters.map(cell).collect();
            cells
                .filter(|cells| cells.len() == 8)
                .map(|cells| (cells, from + 1))
        };
        let row = |from| joined(from).or_else(|| cells(from));
        let first = *parts.first()?;
        let number = match first.trim_end_matches([':', '.', ')']).as_bytes() {
            [number @ b'1'..=b'8'] => Some(char::from(*number)),
            _ => None,
        };
        let is_border = first.is_empty() && parts.len() > 8;
        let behind = row(1).filter(|_| number.is_some() || is_border);
        let number = number.filter(|_| behind.is_some());
        let (cells, next) = behind.or_else(|| row(0))?;
        let note = parts[next..].join(" ");
        Some(Row {
            cells,
            number,
            note,
            beside: 0..0,
        })
    }
}

/// Returns a line without terminal colours and emoji modifiers. Emoji names (`:black_circle:`)
/// become signs of discs and empty squares.
fn plain(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    text.extend(parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest)));
    text.retain(|letter| !matches!(letter, '\u{fe0f}' | '\u{20e3}' | '\u{200b}'));
    let text = text.replace('\u{a0}', " ");
    if !text.contains("_circle:") && !text.contains("_square:") {
        return text;
    }
    let letters = text.split(':').map(|name| match name {
        "black_circle" | "black_large_square" => "●",
        "white_circle" | "white_large_square" => "○",
        name if name.ends_with("_square") || name.ends_with("_circle") => "-",
        other => other,
    });
    letters.collect()
}

/// Returns the value of an HTML parameter. Old pages pass the rows of a board to Java applets in
/// this form: `<PARAM name="Line1" value="…">`.
fn value(line: &str) -> Option<&str> {
    let tag = line.trim_start().get(..6)?;
    let is_tag = tag.eq_ignore_ascii_case("<param");
    let (_, value) = line.split_once("value=\"").filter(|_| is_tag)?;
    value.split_once('"').map(|(value, _)| value)
}
