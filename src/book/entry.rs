//! `Entry`: what the book stores about a position.

use crate::board::{Board, Square};
use crate::eval::Value;

/// Level of a value that is an exact final score. Lower levels are search depths in plies.
pub const SOLVED: u8 = 60;

/// Bounds of a value about which nothing is proved, in discs.
pub(super) const UNBOUNDED: (i8, i8) = (-64, 64);

/// The book's data of one position, as seen by its side to move.
///
/// Links are not stored: a move is a link if the position after it is in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Value by the whole graph below the position. `None` if no search has reached it.
    pub value: Option<Value>,
    /// Lower and upper bound of the value, in discs. Edax writes −127 and 127 for unknown bounds.
    pub bounds: (i8, i8),
    /// Level of the search that gave the value.
    pub level: u8,
    /// The best of the moves that lead out of the book.
    pub leaf: Leaf,
    /// Lines of the book below the position, and their results.
    pub lines: Lines,
    /// Games that reached the position, by result for the side to move.
    pub games: Results,
}

/// The best move that leads out of the book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaf {
    /// No search has looked for it.
    #[default]
    Unknown,
    /// Every legal move leads to a position of the book, or there is no legal move.
    None,
    /// A move, its value for the side to move, and the level of its search.
    Move {
        /// The move.
        square: Square,
        /// Its value for the side to move.
        value: Value,
        /// Depth of the search in plies, or [`SOLVED`].
        level: u8,
    },
}

/// Counts of the lines of the book below a position. A line ends at a leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Lines that end better than a draw for the side to move.
    pub won: u32,
    /// Lines that end in a draw.
    pub drawn: u32,
    /// Lines that end worse than a draw for the side to move.
    pub lost: u32,
    /// All lines. Books of other programs may count lines without their results.
    pub all: u32,
}

/// Number of games by their result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Games that the side to move won.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Games that the side to move lost.
    pub lost: u32,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry {
            value: None,
            bounds: UNBOUNDED,
            level: 0,
            leaf: Leaf::Unknown,
            lines: Lines::default(),
            games: Results::default(),
        }
    }
}

impl Entry {
    /// Merges the data of the same position from another book.
    ///
    /// The value, its bounds and the leaf come from the entry of the higher level, in a tie from
    /// `self`. An unknown leaf takes the other entry's. Games are added.
    pub fn merge(&mut self, other: &Entry) {
        let games = self.games.plus(other.games);
        let is_better = match (self.value, other.value) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(_), Some(_)) => other.level > self.level,
        };
        let leaf = if is_better { self.leaf } else { other.leaf };
        if is_better {
            *self = *other;
        }
        if self.leaf == Leaf::Unknown {
            self.leaf = leaf;
        }
        self.games = games;
    }

    /// Returns the first fault of the entry as an entry of `board`, as the end of a sentence.
    pub fn fault(&self, board: &Board) -> Option<&'static str> {
        let is_score = |value: Value| (Value::MIN..=Value::MAX).contains(&value);
        let Board { player, opponent } = board;
        if !(*player & *opponent).is_empty() || *board != board.canonical() {
            return Some("is not the smallest of its eight symmetric images");
        }
        if self.value.is_some_and(|value| !is_score(value)) {
            return Some("has a value beyond 64 discs");
        }
        match self.leaf {
            Leaf::Move { square, value, .. } => {
                if !board.legal_moves().contains(square) {
                    return Some("has a leaf that is not a legal move");
                }
                (!is_score(value)).then_some("has a leaf with a value beyond 64 discs")
            }
            Leaf::None | Leaf::Unknown => None,
        }
    }
}

impl Leaf {
    /// The value of the leaf for the side to move, if there is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Leaf::Move { value, .. } => Some(value),
            Leaf::None | Leaf::Unknown => None,
        }
    }
}

impl Lines {
    /// The line that ends at a leaf of `value`.
    pub(super) fn of_leaf(value: Value) -> Lines {
        Lines {
            won: (value > Value::ZERO).into(),
            drawn: (value == Value::ZERO).into(),
            lost: (value < Value::ZERO).into(),
            all: 1,
        }
    }

    /// Adds the lines below a child, whose side to move is the opponent.
    pub(super) fn add_child(&mut self, child: Lines) {
        self.won = self.won.saturating_add(child.lost);
        self.drawn = self.drawn.saturating_add(child.drawn);
        self.lost = self.lost.saturating_add(child.won);
        self.all = self.all.saturating_add(child.all);
    }
}

impl Results {
    /// Number of all games.
    pub fn all(self) -> u32 {
        self.won
            .saturating_add(self.drawn)
            .saturating_add(self.lost)
    }

    /// The sum of two counts.
    #[must_use]
    pub fn plus(self, other: Results) -> Results {
        Results {
            won: self.won.saturating_add(other.won),
            drawn: self.drawn.saturating_add(other.drawn),
            lost: self.lost.saturating_add(other.lost),
        }
    }

    /// The same games as seen by the opponent.
    #[must_use]
    pub fn reversed(self) -> Results {
        Results {
            won: self.lost,
            lost: self.won,
            ..self
        }
    }
}
