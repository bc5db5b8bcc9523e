//! `Entry`: the data that a book stores about a position.

use emilia_core::board::{Board, Square};
use emilia_core::eval::Value;

/// Level of a value that is an exact final score. Lower levels are search depths in plies.
pub const SOLVED: u8 = 60;

/// Bounds, in discs, of a value without proved bounds.
pub(super) const UNBOUNDED: (i8, i8) = (-64, 64);

/// The book's data about one position, from the view of its side to move.
///
/// Links are not stored: a move is a link if the position after it is in the book. A line of the
/// book is a sequence of links that ends with a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Value of the position by negamax over all positions of the book below it.
    pub value: Value,
    /// Lower and upper bound of the value, in discs. Edax writes −127 and 127 for unknown bounds.
    pub bounds: (i8, i8),
    /// Level of the search that gave the value: its depth in plies, or [`SOLVED`].
    pub level: u8,
    /// The best of the moves that lead out of the book. `None` if there are no such moves, or if
    /// they have not been searched.
    pub leaf: Option<Leaf>,
    /// Numbers of won, drawn and lost lines of the book that begin at the position.
    pub lines: Counts,
}

/// The best move that leads out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Square of the move.
    pub square: Square,
    /// Value of the move for the side to move.
    pub value: Value,
    /// Level of the value: depth of the search in plies, or [`SOLVED`].
    pub level: u8,
}

/// Numbers of lines of the book, by their result for the side to move. The result of a line is the
/// sign of its leaf's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines whose leaf has a winning value for the side to move.
    pub won: u32,
    /// Lines whose leaf has the value of a draw.
    pub drawn: u32,
    /// Lines whose leaf has a losing value for the side to move.
    pub lost: u32,
    /// All lines. In books of other programs this may exceed the sum of won, drawn and lost lines.
    pub all: u32,
}

impl Entry {
    /// Creates the entry of a position with this value and level, and without other data.
    pub fn new(value: Value, level: u8) -> Entry {
        Entry {
            value,
            bounds: UNBOUNDED,
            level,
            leaf: None,
            lines: Counts::default(),
        }
    }

    /// Creates the entry of a position that has a leaf and no links.
    pub(super) fn of_leaf(leaf: Leaf) -> Entry {
        Entry {
            leaf: Some(leaf),
            ..Entry::new(leaf.value, leaf.level)
        }
    }

    /// Creates the entry of `board`, the final position of a game.
    pub(super) fn of_end(board: &Board) -> Entry {
        let score = board.final_score();
        Entry {
            bounds: (score as i8, score as i8),
            ..Entry::new(Value::from_score(score), SOLVED)
        }
    }

    /// Merges the data that another book has about the same position.
    ///
    /// Value, level and line counts come from the entry of higher level. Of two leaves, the leaf of
    /// higher level stays. At equal levels, the data of `self` stay. The bounds become the
    /// intersection of both bounds. If the intersection is empty, the bounds of `self` stay.
    pub fn merge(&mut self, other: &Entry) {
        let leaves = [other.leaf, self.leaf].into_iter().flatten();
        let leaf = leaves.max_by_key(|leaf| leaf.level);
        let (lower, upper) = self.bounds;
        let both = (lower.max(other.bounds.0), upper.min(other.bounds.1));
        let bounds = if both.0 <= both.1 { both } else { self.bounds };
        if other.level > self.level {
            *self = *other;
        }
        (self.leaf, self.bounds) = (leaf, bounds);
    }

    /// Checks whether this can be the entry of `board` in a book. Returns the first fault, such as
    /// "has a value beyond 64 discs", to be appended to the name of the position.
    pub fn fault(&self, board: &Board) -> Option<&'static str> {
        let is_score = |value: Value| (Value::MIN..=Value::MAX).contains(&value);
        let Board { player, opponent } = board;
        if !(*player & *opponent).is_empty() || *board != board.canonical() {
            return Some("is not the smallest of its eight symmetric images");
        }
        if board.empty_count() > Board::START.empty_count() {
            return Some("has more than 60 empty squares");
        }
        if !is_score(self.value) {
            return Some("has a value beyond 64 discs");
        }
        let leaf = self.leaf?;
        if !board.legal_moves().contains(leaf.square) {
            return Some("has a leaf that is not a legal move");
        }
        (!is_score(leaf.value)).then_some("has a leaf with a value beyond 64 discs")
    }
}

impl Leaf {
    pub(super) const fn new(square: Square, value: Value, level: u8) -> Leaf {
        Leaf {
            square,
            value,
            level,
        }
    }
}

impl Counts {
    /// Creates counts from the numbers of won, drawn and lost lines.
    fn of([won, drawn, lost]: [u32; 3]) -> Counts {
        let all = won.saturating_add(drawn).saturating_add(lost);
        Counts {
            won,
            drawn,
            lost,
            all,
        }
    }

    /// Returns the numbers of won, drawn and lost lines.
    pub(super) fn by_result(self) -> [u32; 3] {
        [self.won, self.drawn, self.lost]
    }

    /// Returns the counts of a single line, which consists of a leaf with the value `result`.
    pub(super) fn one(result: Value) -> Counts {
        let zero = Value::ZERO;
        Counts::of([result > zero, result == zero, result < zero].map(u32::from))
    }

    #[must_use]
    pub(super) fn plus(self, other: Counts) -> Counts {
        Counts {
            won: self.won.saturating_add(other.won),
            drawn: self.drawn.saturating_add(other.drawn),
            lost: self.lost.saturating_add(other.lost),
            all: self.all.saturating_add(other.all),
        }
    }

    /// Returns the counts of the same lines from the opponent's view.
    #[must_use]
    pub(super) fn reversed(self) -> Counts {
        Counts {
            won: self.lost,
            lost: self.won,
            ..self
        }
    }
}
