//! A search as a lesson: the tree to draw, and every step of one algorithm on it.
//!
//! [`Request::lesson`] runs an algorithm and records what its observer receives. The Learn page and
//! the picture of [`Lesson::svg`] show these steps and compute nothing themselves.
//!
//! ```
//! use emilia_textbook::lesson::{Lesson, Request};
//! let request = Request {
//!     game: "tree".to_owned(),
//!     text: "[[-5, 1, -7], [3, -9, x]]".to_owned(),
//!     algorithm: "fail-soft".to_owned(),
//!     height: None,
//! };
//! let lesson = request.lesson().unwrap();
//! let cut = lesson.steps.iter().find(|step| step.step == "cut").unwrap();
//! assert_eq!(lesson.nodes[cut.node].name, "2");
//! assert_eq!(lesson.nodes[cut.skipped[0]].name, "2.3");
//! ```

mod svg;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    Algorithm, Counts, CutKind, Game, GameValue, Observer, Othello, Rules, Side, Step, TicTacToe,
    Tree,
};
use emilia_core::board::{Position, Sentence};
use emilia_core::eval::Simple;

/// Worked examples of textbooks, one on each line. The first lines describe the format.
pub const EXAMPLES: &str = include_str!("examples.txt");

/// Maximum number of nodes of a tree that is drawn.
const MAX_NODES: usize = 3000;

/// Request of a lesson: a game, its tree or position, and an algorithm.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    /// `tree`, `othello` or `tictactoe`.
    pub game: String,
    /// A [`Tree`], an Othello position, or moves of tic-tac-toe on 3×3 cells.
    pub text: String,
    /// Name of an algorithm in [`Algorithm::ALL`].
    pub algorithm: String,
    /// Search height in plies. `None` searches to the end of the game.
    pub height: Option<u32>,
}

impl Request {
    /// Runs the algorithm and records its steps.
    ///
    /// # Errors
    /// If the game or the algorithm is unknown, `text` is invalid, or the tree is too large to
    /// draw.
    pub fn lesson(&self) -> Result<Lesson, Sentence> {
        let algorithm = self.algorithm.as_str();
        match self.game.as_str() {
            "tree" => {
                let tree: Tree = self.text.parse()?;
                let height = self.height.unwrap_or(Tree::MAX_HEIGHT);
                let lesson =
                    |tree: &Tree| Lesson::new(&tree.root(), tree.height().min(height), algorithm);
                let mut shown = lesson(&tree)?;
                shown.text = tree.to_string();
                // Runs the lesson again with another value of `x`. A leaf whose value then differs
                // is shown as `x`.
                let other = lesson(&tree.with_unknown(1))?;
                for (node, other) in shown.nodes.iter_mut().zip(other.nodes) {
                    if node.value != other.value {
                        node.value = Some(Number::Text("x"));
                    }
                }
                Ok(shown)
            }
            "othello" => {
                let position: Position = self.text.parse().map_err(|error| format!("{error}"))?;
                let height = self.height.unwrap_or(position.board.empty_count());
                Lesson::new(&Othello::new(position.board, &Simple), height, algorithm)
            }
            "tictactoe" => {
                let rules = Rules::new(3, 3)?;
                let root = TicTacToe::new(&rules).after(&self.text)?;
                Lesson::new(&root, self.height.unwrap_or(9), algorithm)
            }
            _ => Err("expected the game tree, othello or tictactoe".into()),
        }
    }
}

/// A number in JSON and in pictures. Some numbers are texts: `-∞`, `+∞`, and `x` for a leaf without
/// a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// A whole number.
    Whole(i64),
    /// A number with a fraction.
    Real(f64),
    /// An infinity or `x`.
    Text(&'static str),
}

impl Number {
    /// Converts a value of a game.
    pub fn new<V: GameValue>(value: V) -> Number {
        let number = value.number();
        if value == V::INFINITY {
            Number::Text("+∞")
        } else if value == V::NEG_INFINITY {
            Number::Text("-∞")
        } else if number.fract() == 0.0 {
            Number::Whole(number as i64)
        } else {
            Number::Real(number)
        }
    }

    fn both<V: GameValue>((low, high): (V, V)) -> [Number; 2] {
        [Number::new(low), Number::new(high)]
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Whole(number) => write!(f, "{number}"),
            Number::Real(number) => write!(f, "{number:.2}"),
            Number::Text(text) => f.write_str(text),
        }
    }
}

/// A tree, and the steps of one algorithm on it.
///
/// Values are for Max, or in the negamax forms for the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    /// The tree as a nested list. Empty for other games.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Name of the algorithm in [`Algorithm::ALL`].
    pub algorithm: String,
    /// Whether values are for the side to move.
    pub negamax: bool,
    /// Value of the root.
    pub value: Number,
    /// Number of leaves of the whole tree, which minimax visits.
    pub all_leaves: usize,
    /// Least number of leaves that alpha-beta can visit (Knuth and Moore 1975). `None` unless the
    /// tree is uniform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_leaves: Option<usize>,
    /// The nodes of the whole tree. The root comes first, and each parent before its children.
    pub nodes: Vec<DrawnNode>,
    /// The steps in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<DrawnStep>,
}

/// A node of the tree, with its place in the picture.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnNode {
    /// The moves from the root with dots between them, or `root`.
    pub name: String,
    /// Index of the parent. `None` for the root.
    pub parent: Option<usize>,
    /// Whether Max is to move. Sides alternate down to the leaves.
    pub max: bool,
    /// Number of moves from the root.
    pub ply: u32,
    /// Column of the node. Leaves are numbered 0, 1, … from the left. An inner node lies in the
    /// middle between its first and its last child.
    pub x: f32,
    /// Value of a leaf.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    /// Static value. `None` if the game is over at this node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Number>,
    /// Cells of the board, as [`Game::cells`] returns them.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cells: String,
    #[serde(skip)]
    children: Vec<usize>,
}

/// A step at a node. JSON leaves out fields that are `None` or `false`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DrawnStep {
    /// Name of the step: `pass` (a search from the root begins), `enter`, `leaf`, `recall`,
    /// `update`, `again`, `cut`, `store`, or `done` for the last step. See [`Step`].
    pub step: &'static str,
    /// Index of the node.
    pub node: usize,
    /// Nodes entered so far.
    pub entered: u64,
    /// Leaves visited so far.
    pub leaves: u64,
    /// Value of the node in the steps `leaf` and `recall`, of the searched move in `update`, and of
    /// the root in `done`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    /// In the step `update`: best value of the moves searched so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Number>,
    /// Search window (α, β) in the steps `pass`, `enter` and `update`. In the step `store`: lower
    /// and upper bound that the transposition table stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<[Number; 2]>,
    /// Whether the window is a null window, in which no value lies.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub null: bool,
    /// In the step `pass`: height in plies of the search that begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// In the step `cut`: (`alpha` or `beta`, number of moves searched at the node, number of all
    /// moves of the node).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<(&'static str, usize, usize)>,
    /// Indices of the children that the cut skips.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<usize>,
    /// Index of the ancestor whose best value is the bound of the cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
}

impl Lesson {
    /// Runs the algorithm of this name and records its steps.
    pub fn new<G: Game>(root: &G, height: u32, name: &str) -> Result<Lesson, Sentence> {
        let algorithm = Algorithm::named(name).ok_or_else(|| {
            let names = Algorithm::ALL.map(|(id, ..)| id).join(", ");
            format!("expected an algorithm: {names}")
        })?;
        let negamax = !matches!(algorithm, Algorithm::Minimax | Algorithm::AlphaBeta);
        let mut recorder = Recorder::<G> {
            negamax,
            has_null_windows: name.starts_with("negascout") || name.starts_with("mtd-f"),
            keys: Vec::new(),
            nodes: Vec::new(),
            all_leaves: 0,
            path: Vec::new(),
            counts: Counts::default(),
            steps: Vec::new(),
        };
        recorder.expand(root, height, None, "root".to_owned())?;
        let of_root = algorithm.run(root, height, &mut recorder);
        let value = Number::new(recorder.side(root.to_move()).from_max(of_root));
        recorder.steps.push(DrawnStep {
            step: "done",
            entered: recorder.counts.nodes,
            leaves: recorder.counts.leaves,
            value: Some(value),
            ..DrawnStep::default()
        });
        Ok(Lesson {
            text: String::new(),
            algorithm: name.to_owned(),
            negamax,
            value,
            all_leaves: recorder.all_leaves,
            least_leaves: least_leaves(&recorder.nodes),
            nodes: recorder.nodes,
            steps: recorder.steps,
        })
    }
}

/// Returns b^⌈d/2⌉ + b^⌊d/2⌋ − 1 for a uniform tree of b moves and depth d, `None` for other trees.
fn least_leaves(nodes: &[DrawnNode]) -> Option<usize> {
    let moves = nodes[0].children.len();
    let height = nodes.iter().map(|node| node.ply).max()?;
    let is_uniform = nodes.iter().all(|node| match node.value {
        Some(_) => node.ply == height,
        None => node.children.len() == moves,
    });
    is_uniform.then(|| moves.pow(height.div_ceil(2)) + moves.pow(height / 2) - 1)
}

/// The observer that records a lesson.
struct Recorder<G: Game> {
    negamax: bool,
    /// Whether the algorithm makes null windows on purpose. The windows of other algorithms become
    /// null windows only by chance, and their steps are not marked with [`DrawnStep::null`].
    has_null_windows: bool,
    /// Key of each node in `nodes`.
    keys: Vec<G::Key>,
    nodes: Vec<DrawnNode>,
    all_leaves: usize,
    /// The visits from the root to the current node.
    path: Vec<Visit<G::Value>>,
    counts: Counts,
    steps: Vec<DrawnStep>,
}

/// An unfinished visit of a node.
struct Visit<V> {
    node: usize,
    /// Indices of the children entered so far.
    entered: Vec<usize>,
    /// Value of the best move searched so far for the side to move, from Max's view. `None` before
    /// the first move.
    best: Option<V>,
    /// Search window for the remaining moves, for Max.
    window: (V, V),
}

impl<G: Game> Recorder<G> {
    /// Returns the side whose values are shown at a node where `side` moves.
    fn side(&self, side: Side) -> Side {
        if self.negamax { side } else { Side::Max }
    }

    /// Adds the node of `position` and all nodes below it. Returns the index of the node.
    fn expand(
        &mut self,
        position: &G,
        height: u32,
        parent: Option<usize>,
        name: String,
    ) -> Result<usize, Sentence> {
        let (index, side) = (self.nodes.len(), position.to_move());
        if index == MAX_NODES {
            let text = format!("the tree has more than {MAX_NODES} nodes, too many to draw");
            return Err(Sentence::new("tree-nodes", text).with("most", MAX_NODES));
        }
        let outcome = position.outcome();
        let leaf = outcome.or_else(|| (height == 0).then(|| position.estimate()));
        let shown = |value| Number::new(self.side(side).from_max(value));
        let estimate = position.outcome().is_none().then(|| position.estimate());
        self.nodes.push(DrawnNode {
            parent,
            max: side == Side::Max,
            ply: parent.map_or(0, |parent| self.nodes[parent].ply + 1),
            x: self.all_leaves as f32,
            value: leaf.map(shown),
            estimate: estimate.map(shown),
            cells: position.cells(),
            children: Vec::new(),
            name,
        });
        self.keys.push(position.key());
        if leaf.is_some() {
            self.all_leaves += 1;
            return Ok(index);
        }
        for mv in position.moves() {
            let name = match parent {
                Some(_) => format!("{}.{}", self.nodes[index].name, position.name(mv)),
                None => position.name(mv),
            };
            let child = self.expand(&position.play(mv), height - G::cost(mv), Some(index), name)?;
            self.nodes[index].children.push(child);
        }
        let children = &self.nodes[index].children;
        let [first, last] = [children[0], children[children.len() - 1]];
        self.nodes[index].x = f32::midpoint(self.nodes[first].x, self.nodes[last].x);
        Ok(index)
    }

    /// Updates `path`, so that it leads from the root to the position of this step.
    fn go_to(&mut self, position: &G, step: Step<G::Value>) {
        let key = position.key();
        match step {
            Step::Pass(..) => self.path.clear(),
            Step::Enter(window) => {
                let node = match self.path.last_mut() {
                    Some(above) => {
                        let mut children = self.nodes[above.node].children.iter().copied();
                        let found = children.find(|&child| self.keys[child] == key);
                        let child = found.expect("an algorithm enters children");
                        above.entered.push(child);
                        child
                    }
                    None => 0,
                };
                self.path.push(Visit {
                    node,
                    entered: Vec::new(),
                    best: None,
                    window,
                });
            }
            _ => {
                let is_here = |visit: &Visit<_>| self.keys[visit.node] == key;
                let depth = self.path.iter().rposition(is_here);
                self.path.truncate(depth.map_or(0, |depth| depth + 1));
            }
        }
    }
}

impl<G: Game> Observer<G> for Recorder<G> {
    fn step(&mut self, position: &G, step: Step<G::Value>) {
        Observer::<G>::step(&mut self.counts, position, step);
        self.go_to(position, step);
        let mut drawn = DrawnStep {
            node: self.path.last().map_or(0, |visit| visit.node),
            entered: self.counts.nodes,
            leaves: self.counts.leaves,
            ..DrawnStep::default()
        };
        if let Step::Pass(_, (alpha, beta)) | Step::Enter((alpha, beta)) = step {
            drawn.null = self.has_null_windows && alpha.above() == beta;
        }
        if let (Step::Update(_, best, window), Some(visit)) = (step, self.path.last_mut()) {
            (visit.best, visit.window) = (Some(best), window);
        }
        match step.from_max(self.side(position.to_move())) {
            Step::Pass(height, window) => {
                (drawn.step, drawn.window) = ("pass", Some(Number::both(window)));
                drawn.height = Some(height);
            }
            Step::Enter(window) => {
                (drawn.step, drawn.window) = ("enter", Some(Number::both(window)));
            }
            Step::Leaf(value) => (drawn.step, drawn.value) = ("leaf", Some(Number::new(value))),
            Step::Recall(value) => (drawn.step, drawn.value) = ("recall", Some(Number::new(value))),
            Step::Update(value, best, window) => {
                (drawn.step, drawn.window) = ("update", Some(Number::both(window)));
                (drawn.value, drawn.best) = (Some(Number::new(value)), Some(Number::new(best)));
            }
            Step::Again => drawn.step = "again",
            Step::Cut(cut) => {
                let kind = match cut.kind {
                    CutKind::Alpha => "alpha",
                    CutKind::Beta => "beta",
                };
                (drawn.step, drawn.cut) = ("cut", Some((kind, cut.searched, cut.moves)));
                (drawn.skipped, drawn.from) = self.cut(cut.kind);
            }
            Step::Store(bounds) => {
                (drawn.step, drawn.window) = ("store", Some(Number::both(bounds)));
            }
        }
        self.steps.push(drawn);
    }
}

impl<G: Game> Recorder<G> {
    /// Returns the children that a cut of the current node skips, and the ancestor whose best value
    /// is the bound of the cut.
    fn cut(&self, kind: CutKind) -> (Vec<usize>, Option<usize>) {
        let Some((here, above)) = self.path.split_last() else {
            return (Vec::new(), None);
        };
        let children = self.nodes[here.node].children.iter().copied();
        let skipped = children.filter(|child| !here.entered.contains(child));
        let bound = match kind {
            CutKind::Alpha => here.window.0,
            CutKind::Beta => here.window.1,
        };
        let from = above.iter().find(|visit| visit.best == Some(bound));
        (skipped.collect(), from.map(|visit| visit.node))
    }
}
