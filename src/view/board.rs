//! Board of a position for terminals, in colour or in plain ASCII.

use std::fmt;

use anstyle::{Ansi256Color, Color as Paint, Style};

use emilia_core::board::{Color, Move, Position, Square};

/// Board with its legal moves and the last move marked. To its right are notes: the disc counts,
/// the side to move, the number of empty squares and the last move. The view has nine lines of at
/// most 50 columns.
///
/// In colour, the board is green with a grid and sets its own background colour, so it looks the
/// same on dark and light terminals. Legal moves are dots in the colour of the side to move.
/// The square of the last move is gold. Black discs are filled and white discs are rings, which
/// differ even without colours.
///
/// In plain text, black is `X`, white is `O`, a legal move is `*`, and brackets mark the last move.
///
/// ```
/// use emilia_core::board::Position;
/// use emilia_view::BoardView;
/// let view = BoardView::new(Position::START).to_string();
/// assert!(view.contains(" 5  - - - X O * - -"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoardView {
    /// Position to show.
    pub position: Position,
    /// Move that led to the position, if any.
    pub last_move: Option<Move>,
    /// Whether to use colours and disc symbols. Otherwise the text is plain ASCII.
    pub colored: bool,
}

/// Background colour of the board.
const BOARD: Paint = paint(71);
/// Colour of the grid lines.
const GRID: Paint = paint(22);
/// Background colour of the last move's square.
const LAST_MOVE: Paint = paint(179);

/// Returns the disc symbol of a side in the coloured view.
const fn disc(color: Color) -> &'static str {
    match color {
        Color::Black => "●",
        Color::White => "○",
    }
}

/// Returns the colour of a side's discs, and of the dots of its legal moves.
const fn ink(color: Color) -> Paint {
    match color {
        Color::Black => paint(16),
        Color::White => paint(231),
    }
}

/// Returns colour `index` of the 256-colour palette. Only colours from 16 on are used, because the
/// first 16 depend on the settings of the terminal.
const fn paint(index: u8) -> Paint {
    Paint::Ansi256(Ansi256Color(index))
}

impl BoardView {
    /// Creates a plain view of a position without a last move.
    pub const fn new(position: Position) -> BoardView {
        BoardView {
            position,
            last_move: None,
            colored: false,
        }
    }

    /// Formats the view in lines of at most `width` columns.
    /// The notes are written below the board if they do not fit beside it.
    ///
    /// ```
    /// use emilia_core::board::Position;
    /// use emilia_view::BoardView;
    /// let view = BoardView::new(Position::START).fitted(36);
    /// assert!(view.lines().all(|line| line.len() <= 36));
    /// assert!(view.ends_with("black to move, 60 empty squares\n"));
    /// ```
    pub fn fitted(&self, width: usize) -> String {
        /// Width in columns of the board with its notes beside it: in colour, then in plain text.
        const WIDEST: [usize; 2] = [50, 43];
        if width >= WIDEST[usize::from(!self.colored)] {
            return self.to_string();
        }
        let mut lines = vec![self.heading().to_owned()];
        lines.extend((0..8).map(|rank| self.row(rank).trim_end().to_owned()));
        for ranks in [&[1, 2][..], &[3, 4], &[5]] {
            let notes: Vec<String> = ranks.iter().map(|&rank| self.note(rank)).collect();
            let line = notes.join(", ");
            lines.extend(Some(line).filter(|line| !line.is_empty()));
        }
        lines.join("\n") + "\n"
    }

    /// Formats row `rank` with its number in front. `rank` is 0 for the first row.
    fn row(&self, rank: u8) -> String {
        let row = if self.colored {
            self.colored_row(rank)
        } else {
            self.plain_row(rank)
        };
        format!("  {} {row}", rank + 1)
    }

    fn last_square(&self) -> Option<Square> {
        self.last_move.and_then(Move::square)
    }

    /// Returns the line with the names of the files.
    fn heading(&self) -> &'static str {
        if self.colored {
            "     a  b  c  d  e  f  g  h"
        } else {
            "     a b c d e f g h"
        }
    }

    /// Formats row `rank` in colour, three columns per square.
    fn colored_row(&self, rank: u8) -> String {
        let squares = (0..8).map(|file| Square::at(file, rank));
        let cells = squares.map(|square| {
            let background = if self.last_square() == Some(square) {
                LAST_MOVE
            } else {
                BOARD
            };
            let (mark, color) = match self.position.disc_on(square) {
                Some(color) => (disc(color), color),
                None if self.is_legal(square) => ("·", self.position.mover),
                None => (" ", self.position.mover),
            };
            // The grid line is the underline of the columns on both sides of the mark.
            // An underline of the mark itself would have the mark's colour.
            let grid = Style::new()
                .fg_color(Some(GRID))
                .bg_color(Some(background))
                .underline();
            let mark = if mark == " " {
                format!("{grid} {grid:#}")
            } else {
                painted(mark, color, background)
            };
            format!("{grid} {grid:#}{mark}{grid}▕{grid:#}")
        });
        cells.collect()
    }

    /// Formats row `rank` in ASCII, one column per square and one for each gap.
    fn plain_row(&self, rank: u8) -> String {
        let mut row = String::from(" ");
        for square in (0..8).map(|file| Square::at(file, rank)) {
            let is_last = self.last_square() == Some(square);
            if is_last {
                row.pop();
                row.push('[');
            }
            row.push(match self.position.disc_on(square) {
                Some(color) => color.letter(),
                None if self.is_legal(square) => '*',
                None => '-',
            });
            row.push(if is_last { ']' } else { ' ' });
        }
        row
    }

    fn is_legal(&self, square: Square) -> bool {
        self.position.board.legal_moves().contains(square)
    }

    /// Returns the note beside row `rank`, which is empty for some rows.
    fn note(&self, rank: u8) -> String {
        match rank {
            1 => self.side(Color::Black),
            2 => self.side(Color::White),
            3 => turn(&self.position),
            4 => match self.position.board.empty_count() {
                0 => "board full".to_owned(),
                1 => "1 empty square".to_owned(),
                empties => format!("{empties} empty squares"),
            },
            5 => self
                .last_move
                .map_or_else(String::new, |mv| format!("last move {mv}")),
            _ => String::new(),
        }
    }

    /// Formats a side: its disc symbol, its name and its number of discs.
    fn side(&self, color: Color) -> String {
        let disc = if self.colored {
            painted(&format!(" {} ", disc(color)), color, BOARD)
        } else {
            color.letter().to_string()
        };
        let count = self.position.discs(color).count();
        format!("{disc} {color} {count:2}")
    }
}

/// Returns the side to move, a forced pass, or the end of the game as text.
fn turn(position: &Position) -> String {
    if position.is_over() {
        "game over".to_owned()
    } else if position.must_pass() {
        format!("{} must pass", position.mover)
    } else {
        format!("{} to move", position.mover)
    }
}

fn painted(text: &str, color: Color, background: Paint) -> String {
    let style = Style::new()
        .fg_color(Some(ink(color)))
        .bg_color(Some(background));
    format!("{style}{text}{style:#}")
}

/// Formats nine lines without trailing spaces, each with a line break.
impl fmt::Display for BoardView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.heading())?;
        for rank in 0..8 {
            let line = format!("{}    {}", self.row(rank), self.note(rank));
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
