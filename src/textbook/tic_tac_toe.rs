//! Tic-tac-toe on m×m cells as a [`Game`]. A line, or winning row, is a set of k adjacent cells in
//! a row, column or diagonal. The first side that has all cells of a line wins.

use super::game::cells;
use super::{Game, Side};
use emilia_core::board::{Sentence, excerpt};

/// Rules of a tic-tac-toe game: board size m, length k of a line, and all lines.
///
/// ```
/// use emilia_textbook::{Rules, TicTacToe, fail_soft};
/// let rules = Rules::new(3, 3).unwrap();
/// assert_eq!(rules.lines(), 8);
/// assert_eq!(fail_soft(&TicTacToe::new(&rules), 9, &mut ()), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    size: u32,
    /// Lines as sets of cells. Bit `y * size + x` is the cell in column x and row y.
    lines: Vec<u64>,
}

impl Rules {
    /// The largest board size. Its 64 cells fit into 64 bits.
    pub const MAX_SIZE: u32 = 8;

    /// The value of a win for Max. It exceeds every estimate, because no board has so many lines.
    pub const WIN: i32 = 1000;

    /// Makes the rules for `size` × `size` cells. A side wins with `row` cells in a row.
    /// `size` is 3 to 8, and `row` is 3 to `size`.
    pub fn new(size: u32, row: u32) -> Result<Rules, String> {
        if !(3..=Rules::MAX_SIZE).contains(&size) {
            let most = Rules::MAX_SIZE;
            return Err(format!("board size {size} (expected 3 to {most})"));
        }
        if !(3..=size).contains(&row) {
            let range = format!("expected 3 to {size} on a board of size {size}");
            return Err(format!("{row} in a row ({range})"));
        }
        let (m, k) = (i64::from(size), i64::from(row));
        let is_cell = |(x, y): (i64, i64)| (0..m).contains(&x) && (0..m).contains(&y);
        let mut lines = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for (x, y) in (0..m * m).map(|cell| (cell % m, cell / m)) {
                let cells = (0..k).map(|step| (x + step * dx, y + step * dy));
                if cells.clone().all(is_cell) {
                    lines.push(cells.fold(0, |line, (x, y)| line | 1 << (y * m + x)));
                }
            }
        }
        Ok(Rules { size, lines })
    }

    /// Default length of a winning row: 3 on 3×3 cells, otherwise 4.
    /// Longer rows are easily blocked.
    pub const fn default_row(size: u32) -> u32 {
        if size < 4 { size } else { 4 }
    }

    /// Number of lines on the board.
    pub const fn lines(&self) -> usize {
        self.lines.len()
    }
}

/// A tic-tac-toe position. Max moves first.
/// A win is worth ±[`Rules::WIN`] and a draw 0, at any depth.
/// The estimate is the number of lines still open to Max, minus the number open to Min.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe<'r> {
    rules: &'r Rules,
    /// Cells of Max and of Min.
    cells: [u64; 2],
    side: Side,
}

impl<'r> TicTacToe<'r> {
    /// Makes the empty board.
    pub const fn new(rules: &'r Rules) -> TicTacToe<'r> {
        TicTacToe {
            rules,
            cells: [0; 2],
            side: Side::Max,
        }
    }

    /// Plays moves by name, such as `b2 a1`. Returns the position after them.
    pub fn after(mut self, moves: &str) -> Result<Self, Sentence> {
        for name in moves.split_whitespace() {
            let legal = || self.outcome().is_none().then(|| self.moves());
            let mut legal = legal().into_iter().flatten();
            let found = legal.find(|&mv| self.name(mv).eq_ignore_ascii_case(name));
            let mv = found.ok_or_else(|| {
                let name = excerpt(name);
                let text = format!("'{name}' is not a legal move");
                Sentence::new("no-legal-move", text).with("move", name)
            })?;
            self = self.play(mv);
        }
        Ok(self)
    }

    fn empty_cells(&self) -> u64 {
        let cells = u64::MAX >> (64 - self.rules.size * self.rules.size);
        cells & !(self.cells[0] | self.cells[1])
    }

    fn has_won(&self, side: Side) -> bool {
        let cells = self.cells[side as usize];
        self.rules.lines.iter().any(|&line| line & !cells == 0)
    }

    /// Number of lines that contain none of the cells `other`.
    fn open_lines(&self, other: u64) -> i32 {
        let open = self.rules.lines.iter().filter(|&line| line & other == 0);
        open.count() as i32
    }
}

impl Game for TicTacToe<'_> {
    type Value = i32;
    /// The index of the cell, `size * row + column`.
    type Move = u32;
    /// Bit sets of the cells of the side to move, and of the cells of the other side.
    type Key = [u64; 2];

    fn to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<i32> {
        // Only the side that moved last can have completed a line.
        match self.side {
            Side::Min if self.has_won(Side::Max) => Some(Rules::WIN),
            Side::Max if self.has_won(Side::Min) => Some(-Rules::WIN),
            _ => (self.empty_cells() == 0).then_some(0),
        }
    }

    fn estimate(&self) -> i32 {
        self.open_lines(self.cells[1]) - self.open_lines(self.cells[0])
    }

    fn moves(&self) -> Vec<u32> {
        let empty = self.empty_cells();
        let cells = 0..u64::BITS;
        cells.filter(|cell| empty >> cell & 1 != 0).collect()
    }

    fn play(&self, mv: u32) -> Self {
        let mut next = TicTacToe {
            side: self.side.other(),
            ..*self
        };
        next.cells[self.side as usize] |= 1 << mv;
        next
    }

    fn key(&self) -> [u64; 2] {
        [self.side, self.side.other()].map(|side| self.cells[side as usize])
    }

    /// Column as a letter and row as a number: `a1` to `c3` on 3×3 cells.
    fn name(&self, mv: u32) -> String {
        let (row, column) = (mv / self.rules.size, mv % self.rules.size);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    fn cells(&self) -> String {
        cells(self.rules.size.pow(2), self.cells[0], self.cells[1])
    }

    /// Number of lines through the cell, which favours the centre.
    fn static_weight(&self, mv: u32) -> i32 {
        let through = self.rules.lines.iter().filter(|&line| line >> mv & 1 != 0);
        through.count() as i32
    }

    /// Number of lines that the move leaves open to the other side. It stands in for the number of
    /// replies, which is the same for all moves.
    fn replies(&self, mv: u32) -> u32 {
        let [_, mine] = self.play(mv).key();
        self.open_lines(mine) as u32
    }
}
