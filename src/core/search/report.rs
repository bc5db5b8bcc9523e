//! Results of a search: the [`Line`] found, its [`Depth`], and the [`Report`] of iterations.

use std::fmt;
use std::time::Duration;

use super::selectivity::Selectivity;
use crate::board::{Board, Move};
use crate::eval::Value;

/// Depth of a search result, ordered from the least to the most reliable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Value of the opening book. The level is the depth in plies of the search that computed it.
    Book(u8),
    /// Search depth in plies (passes not counted) and its selectivity.
    ///
    /// If the game ends within this depth, the final score replaces the static value.
    Plies(u32, Selectivity),
    /// Solved to the end of the game for win, draw or loss only.
    Wld,
    /// Solved to the end of the game: the score is exact.
    Exact,
}

impl Depth {
    /// Returns whether the position is solved without forward pruning: the value is certain.
    pub const fn is_solved(self) -> bool {
        matches!(self, Depth::Exact | Depth::Wld)
    }

    /// Returns the depth in plies, from a position with `empties` empty squares.
    pub const fn plies(self, empties: u32) -> u32 {
        match self {
            Depth::Book(level) => level as u32,
            Depth::Plies(plies, _) => plies,
            Depth::Wld | Depth::Exact => empties,
        }
    }

    /// Formats for people: `book 20`, `depth 18@87%`, `exact` or `win, draw or loss`.
    pub fn in_words(self) -> String {
        match self {
            Depth::Book(_) => self.to_string(),
            Depth::Plies(..) => format!("depth {self}"),
            Depth::Wld => "win, draw or loss".to_owned(),
            Depth::Exact => "exact".to_owned(),
        }
    }
}

/// Formats as `book 20`, `8`, `18@87%` (selective), `100%` (exact) or `100%W` (win, draw or loss).
impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Depth::Book(level) => f.pad(&format!("book {level}")),
            Depth::Plies(plies, Selectivity::P100) => f.pad(&plies.to_string()),
            Depth::Plies(plies, selectivity) => f.pad(&format!("{plies}@{selectivity}")),
            Depth::Exact => f.pad("100%"),
            Depth::Wld => f.pad("100%W"),
        }
    }
}

/// Best line found by an iteration or by the whole search.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Expected final score for the side to move.
    ///
    /// At [`Depth::Wld`] it is +1, 0 or −1 disc for a win, a draw or a loss, whatever the margin.
    pub value: Value,
    /// Depth that the search reached.
    pub depth: Depth,
    /// Principal variation: legal moves, passes included. Empty when the game is over.
    ///
    /// At [`Depth::Wld`] the first move achieves the result, and the line may end before the game
    /// does.
    /// If all moves lose at [`Depth::Wld`], the first move is the best of the previous iteration.
    pub pv: Vec<Move>,
    /// Nodes visited since the start of the search.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
}

impl Line {
    /// Returns the first move of the line, or `None` when the game is over.
    pub fn best_move(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    /// Returns the search speed in nodes per second.
    pub fn nps(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Formats depth, value, nodes, nodes per second and PV, in columns of fixed width.
///
/// ```
/// use emilia_core::{Board, Engine, Limits, Settings, Silent};
/// let mut engine = Engine::new(Settings::default());
/// let line = engine.search(&Board::START, &Limits::depth(1), &mut Silent);
/// assert!(line.to_string().starts_with("depth 1@73%"));
/// ```
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = match self.depth {
            Depth::Plies(..) => format!("depth {}", self.depth),
            Depth::Book(_) | Depth::Wld | Depth::Exact => self.depth.to_string(),
        };
        let value = self.value.to_string();
        let [nodes, nps] = [self.nodes as f64, self.nps()].map(rounded);
        write!(f, "{depth:<12} {value:>6}  {nodes:>6} nodes  {nps:>6}/s ")?;
        self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// Formats a count with three significant digits: `87`, `1.23 k`, `45.6 M`.
fn rounded(count: f64) -> String {
    let (scaled, unit) = match count {
        1e9.. => (count / 1e9, " G"),
        1e6.. => (count / 1e6, " M"),
        1e3.. => (count / 1e3, " k"),
        _ => return format!("{count:.0}"),
    };
    let decimals = match scaled {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$}{unit}")
}

/// Callback that receives each position evaluated statically, from all search threads.
pub type Observer<'a> = &'a (dyn Fn(&Board) + Sync);

/// Receives the completed iterations of a search. Every closure `|multi_pv, line|` with the
/// parameters of [`progress`](Self::progress) implements this trait.
///
/// ```
/// use emilia_core::{Board, Engine, Limits, Line, Settings};
/// let mut engine = Engine::new(Settings::default());
/// let mut depths = Vec::new();
/// let limits = Limits::depth(4);
/// engine.search(&Board::START, &limits, &mut |_, line: &Line| depths.push(line.depth));
/// assert_eq!(depths.len(), 3);
/// ```
pub trait Report {
    /// Receives line number `multi_pv` of a completed iteration, counted from 1 for the best.
    fn progress(&mut self, multi_pv: usize, line: &Line);
}

impl<F: FnMut(usize, &Line)> Report for F {
    fn progress(&mut self, multi_pv: usize, line: &Line) {
        self(multi_pv, line);
    }
}

/// Passes each line of a completed iteration to a closure of one argument.
///
/// ```
/// use emilia_core::{Board, EachLine, Engine, Limits, Settings};
/// let mut engine = Engine::new(Settings::default());
/// let mut report = EachLine(|line| println!("{line}"));
/// engine.search(&Board::START, &Limits::depth(4), &mut report);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EachLine<F: FnMut(&Line)>(pub F);

impl<F: FnMut(&Line)> Report for EachLine<F> {
    fn progress(&mut self, _multi_pv: usize, line: &Line) {
        self.0(line);
    }
}

/// Keeps the lines of the last completed iteration.
impl Report for Vec<Line> {
    fn progress(&mut self, multi_pv: usize, line: &Line) {
        self.truncate(multi_pv - 1);
        self.push(line.clone());
    }
}

/// Discards completed iterations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn progress(&mut self, _multi_pv: usize, _line: &Line) {}
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn counts_have_three_significant_digits() {
        for (number, text) in [
            (0.0, "0"),
            (999.0, "999"),
            (1_000.0, "1.00 k"),
            (12_345.0, "12.3 k"),
            (999_400.0, "999 k"),
            (45_600_000.0, "45.6 M"),
            (1.5e10, "15.0 G"),
        ] {
            assert_eq!(rounded(number), text);
        }
    }
}
