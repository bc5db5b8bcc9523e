//! A position drawn for a terminal, in colour or in plain ASCII.

use std::fmt;

use anstyle::{Ansi256Color, Color as Paint, Style};

use crate::board::{Color, Move, Position, Square};

/// A position to look at: the board with its legal moves and the last move marked, and beside it the discs of both
/// sides and whose turn it is. Nine lines of at most 50 columns.
///
/// In colour the board is green with a grid, a legal move is a small dot in the colour of the side to move, and the square
/// of the last move is gold; the board brings its own background, so it looks the same on dark and light terminals. Black
/// discs are full and white ones are rings, which can be told apart where the colours are lost. Plain, black is `X`, white
/// `O`, a legal move `*`, and the last move stands in brackets.
///
/// ```
/// use emilia::board::Position;
/// use emilia::view::BoardView;
/// let view = BoardView::new(Position::START).to_string();
/// assert!(view.contains(" 5  - - - X O * - -"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoardView {
    /// The position.
    pub position: Position,
    /// The move that led to it, if there was one.
    pub last_move: Option<Move>,
    /// Whether to use colours and discs; otherwise the text is plain ASCII.
    pub colored: bool,
}

/// The board.
const BOARD: Paint = paint(71);
/// The lines between its squares.
const GRID: Paint = paint(22);
/// The square of the last move.
const LAST_MOVE: Paint = paint(179);

/// A disc of a side in colour.
const fn disc(color: Color) -> &'static str {
    match color {
        Color::Black => "●",
        Color::White => "○",
    }
}

/// The colour of a side's discs, and of the dots where it may move.
const fn ink(color: Color) -> Paint {
    match color {
        Color::Black => paint(16),
        Color::White => paint(231),
    }
}

/// A colour of the 256 that terminals agree on; the first 16 are the user's own and may be anything.
const fn paint(index: u8) -> Paint {
    Paint::Ansi256(Ansi256Color(index))
}

impl BoardView {
    /// The plain view of a position that no move led to.
    pub const fn new(position: Position) -> BoardView {
        BoardView {
            position,
            last_move: None,
            colored: false,
        }
    }

    /// The view in lines of at most `width` columns: where the notes do not fit beside the board, they stand below it.
    ///
    /// ```
    /// use emilia::board::Position;
    /// use emilia::view::BoardView;
    /// let view = BoardView::new(Position::START).fitted(36);
    /// assert!(view.lines().all(|line| line.len() <= 36));
    /// assert!(view.ends_with("black to move, 60 empty squares\n"));
    /// ```
    pub fn fitted(&self, width: usize) -> String {
        /// The columns of the board and its notes: in colour, and plain.
        const WIDEST: [usize; 2] = [50, 43];
        if width >= WIDEST[usize::from(!self.colored)] {
            return self.to_string();
        }
        let mut lines = vec![self.heading().to_owned()];
        lines.extend((0..8).map(|rank| self.row(rank).trim_end().to_owned()));
        for ranks in [&[1, 2][..], &[3, 4], &[5]] {
            let notes: Vec<String> = ranks.iter().map(|&rank| self.note(rank)).collect();
            let notes = notes.join(", ");
            lines.extend(Some(notes).filter(|notes| !notes.is_empty()));
        }
        lines.join("\n") + "\n"
    }

    /// Row `rank` with its number.
    fn row(&self, rank: u8) -> String {
        let row = if self.colored {
            self.colored_row(rank)
        } else {
            self.plain_row(rank)
        };
        format!("  {} {row}", rank + 1)
    }

    /// The square of the last move.
    fn last_square(&self) -> Option<Square> {
        self.last_move.and_then(Move::square)
    }

    /// The names of the columns, above the rows.
    fn heading(&self) -> &'static str {
        if self.colored {
            "     a  b  c  d  e  f  g  h"
        } else {
            "     a b c d e f g h"
        }
    }

    /// Row `rank` in colour: three columns a square.
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
            // The lower line of the grid is the underline of the columns beside the mark: under the mark it would
            // take the mark's colour.
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

    /// Row `rank` in ASCII: a gap, then eight times a square and a gap.
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

    /// What stands beside row `rank`.
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

    /// A side: its disc, its name, and how many discs it has.
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

/// Whose turn it is.
pub(super) fn turn(position: &Position) -> String {
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

/// Nine lines, the last one ended as well, without spaces at their ends.
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
