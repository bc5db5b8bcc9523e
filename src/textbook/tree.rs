//! Explicit trees as a [`Game`], written as nested lists, for worked examples of textbooks.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{Game, Side};
use emilia_core::board::{Sentence, excerpt};

/// A game tree written as a nested list.
/// A leaf is a whole number, its value for Max. A leaf `x` has no given value.
/// An inner node is the list of its children. A number before the list is its static value.
/// The root is a Max node, unless the word `min` precedes the list.
///
/// In place of the list, `best 3 4` is a uniform tree of 3 moves and height 4 whose best moves come
/// first. With `worst` they come last. `random 3 4 7` shuffles the moves by the seed 7.
///
/// ```text
///   [[-5, 1, -7], [3, -9, x]]                  min [3, [4, x]]
///
///               Max                                  Min
///          /           \                           /     \
///        Min           Min                        3      Max
///      /  |  \       /  |  \                            /   \
///    -5   1  -7     3  -9   x                          4     x
/// ```
///
/// ```
/// use emilia_textbook::{Tree, minimax};
/// let tree: Tree = "min [3, [4, x]]".parse().unwrap();
/// assert_eq!(minimax(&tree.root(), tree.height(), &mut ()), 3);
/// assert_eq!(tree.to_string(), "min [3, [4, x]]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    top: Content,
    root: Side,
    unknown: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Leaf(i32),
    Unknown,
    /// The static value of the node, and its children.
    Inner(i32, Vec<Content>),
}

/// Order of the moves of a uniform tree.
#[derive(Clone, Copy)]
enum Order {
    Best,
    Worst,
    Random,
}

impl Tree {
    /// Largest absolute value of a leaf.
    pub const MAX_LEAF: i32 = 1_000_000;
    /// Maximum nesting depth of lists.
    pub const MAX_HEIGHT: u32 = 60;
    /// Maximum number of leaves of a uniform tree.
    pub const MAX_LEAVES: i32 = 20_000;

    /// Sets the value of the leaves written `x`. The default is 0.
    #[must_use]
    pub fn with_unknown(mut self, value: i32) -> Tree {
        self.unknown = value;
        self
    }

    /// Returns the root as the position to search from.
    pub const fn root(&self) -> Node<'_> {
        Node {
            tree: self,
            content: &self.top,
            path: Vec::new(),
            side: self.root,
        }
    }

    /// Number of moves from the root to the deepest leaf.
    pub fn height(&self) -> u32 {
        self.top.height()
    }
}

impl Content {
    fn children(&self) -> &[Content] {
        match self {
            Content::Inner(_, children) => children,
            Content::Leaf(_) | Content::Unknown => &[],
        }
    }

    fn height(&self) -> u32 {
        let heights = self.children().iter().map(|child| 1 + child.height());
        heights.max().unwrap_or(0)
    }

    /// The static value. It is 0 for a leaf, whose value is not known before the leaf is visited.
    fn estimate(&self) -> i32 {
        match self {
            Content::Inner(estimate, _) => *estimate,
            Content::Leaf(_) | Content::Unknown => 0,
        }
    }

    /// Makes a uniform tree whose root has the value `sum` and `side` to move.
    ///
    /// The values of neighbouring children differ by one step. Child n, counted from 0, has the
    /// value `sum` − n steps at a Max node, and `sum` + n steps at a Min node, so that the first
    /// child is the best. A step exceeds all differences of values below a child. `order` then
    /// reorders the children.
    ///
    /// The static value of a node is its exact value. In a random tree it is wrong by at most one
    /// step.
    fn uniform(
        order: Order,
        moves: i32,
        height: u32,
        side: Side,
        sum: i32,
        rng: &mut fastrand::Rng,
    ) -> Content {
        let Some(below) = height.checked_sub(1) else {
            return Content::Leaf(sum);
        };
        let step = moves.pow(below) * side.from_max(-1);
        let mut child =
            |mv| Content::uniform(order, moves, below, side.other(), sum + mv * step, rng);
        let mut children: Vec<Content> = (0..moves).map(&mut child).collect();
        let mut estimate = sum;
        match order {
            Order::Best => {}
            Order::Worst => children.reverse(),
            Order::Random => {
                rng.shuffle(&mut children);
                estimate += rng.i32(-step.abs()..=step.abs());
            }
        }
        Content::Inner(estimate, children)
    }
}

/// Writes the tree as a nested list that can be parsed again.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.root == Side::Min { "min " } else { "" };
        write!(f, "{side}{}", self.top)
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Content::Inner(estimate, children) => {
                let texts: Vec<String> = children.iter().map(Content::to_string).collect();
                let children = texts.join(", ");
                match estimate {
                    0 => write!(f, "[{children}]"),
                    _ => write!(f, "{estimate}[{children}]"),
                }
            }
            Content::Leaf(value) => write!(f, "{value}"),
            Content::Unknown => f.write_str("x"),
        }
    }
}

/// A node of a [`Tree`], which is a position of the game.
#[derive(Clone, Debug)]
pub struct Node<'t> {
    tree: &'t Tree,
    content: &'t Content,
    /// The child numbers (from 1) on the path from the root.
    path: Vec<usize>,
    side: Side,
}

impl Game for Node<'_> {
    type Value = i32;
    /// The index of the child, from 0.
    type Move = usize;
    /// The path to the node.
    type Key = Vec<usize>;

    fn to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<i32> {
        match self.content {
            Content::Leaf(value) => Some(*value),
            Content::Unknown => Some(self.tree.unknown),
            Content::Inner(..) => None,
        }
    }

    fn estimate(&self) -> i32 {
        self.content.estimate()
    }

    fn moves(&self) -> Vec<usize> {
        (0..self.content.children().len()).collect()
    }

    fn play(&self, mv: usize) -> Self {
        Node {
            content: &self.content.children()[mv],
            path: [&self.path[..], &[mv + 1]].concat(),
            side: self.side.other(),
            ..*self
        }
    }

    fn key(&self) -> Vec<usize> {
        self.path.clone()
    }

    fn name(&self, mv: usize) -> String {
        (mv + 1).to_string()
    }

    /// Static value of the child for the side to move.
    fn static_weight(&self, mv: usize) -> i32 {
        self.side.from_max(self.content.children()[mv].estimate())
    }
}

impl FromStr for Tree {
    type Err = Sentence;

    fn from_str(text: &str) -> Result<Tree, Sentence> {
        let mut parser = Parser { text, rest: text };
        let root = if parser.accept("min") {
            Side::Min
        } else {
            parser.accept("max");
            Side::Max
        };
        let top = match parser.order() {
            Some(order) => parser.uniform(order, root)?,
            None => parser.content(0)?,
        };
        if !parser.word().is_empty() {
            return Err(parser.expected(END));
        }
        let unknown = 0;
        Ok(Tree { top, root, unknown })
    }
}

/// An element of the notation that the parser expects: its code for translations, and its name in
/// the error message.
type Expected = (&'static str, &'static str);

const END: Expected = ("tree-end", "the end of the text");
const MOVES: Expected = ("tree-moves", "a number of moves, 1 to 20");
const HEIGHT: Expected = ("tree-height", "a height, 1 to 14");
const SEED: Expected = ("tree-seed", "a seed, a whole number");
const NODE: Expected = (
    "tree-node",
    "a list [...], x, or a whole number up to a million",
);
const LEAF: Expected = ("tree-leaf", "a leaf (at most 60 nested lists)");
const COMMA: Expected = ("tree-comma", "a comma or ]");

/// Recursive-descent parser of nested lists.
struct Parser<'a> {
    text: &'a str,
    /// Part of `text` that is not parsed yet.
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// Skips white space and returns the next bracket, comma or word, which stays unread. Returns
    /// an empty string at the end of the text.
    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let is_end = |letter: char| "[],".contains(letter) || letter.is_whitespace();
        let length = self.rest.find(is_end).unwrap_or(self.rest.len());
        &self.rest[..length.max(1).min(self.rest.len())]
    }

    /// Reads the next word if it equals `word` in upper or lower case. Returns whether the word was
    /// read.
    fn accept(&mut self, word: &str) -> bool {
        let is_there = self.word().eq_ignore_ascii_case(word);
        self.rest = &self.rest[if is_there { word.len() } else { 0 }..];
        is_there
    }

    /// Returns the error for a text whose next word is not the `expected` element.
    fn expected(&mut self, (code, expected): Expected) -> Sentence {
        let found = match self.word() {
            "" => "the text ends".to_owned(),
            word => format!("found '{}'", excerpt(word)),
        };
        let parsed = &self.text[..self.text.len() - self.rest.len()];
        let column = parsed.chars().count() + 1;
        let text = format!("column {column}: {found} where {expected} was expected");
        Sentence::new(code, text).with("column", column)
    }

    /// Reads the order of a uniform tree: `best`, `worst` or `random`. Returns `None` if the next
    /// word is none of these.
    fn order(&mut self) -> Option<Order> {
        let mut orders = [
            ("best", Order::Best),
            ("worst", Order::Worst),
            ("random", Order::Random),
        ]
        .into_iter();
        let (_, order) = orders.find(|(word, _)| self.accept(word))?;
        Some(order)
    }

    /// Reads the numbers of a uniform tree: moves and height, and the seed of a random tree.
    fn uniform(&mut self, order: Order, root: Side) -> Result<Content, Sentence> {
        let moves = self.number(1..=20, MOVES)?;
        let height = self.number(1..=14, HEIGHT)? as u32;
        let leaves = moves.checked_pow(height);
        if leaves.is_none_or(|leaves| leaves > Tree::MAX_LEAVES) {
            let most = Tree::MAX_LEAVES;
            let text = format!("{moves} moves to height {height}: more than {most} leaves");
            let sentence = Sentence::new("tree-leaves", text).with("moves", moves);
            return Err(sentence.with("height", height).with("most", most));
        }
        let mut rng = fastrand::Rng::with_seed(0);
        if let Order::Random = order {
            rng.seed(self.number(0..=i32::MAX, SEED)? as u64);
        }
        Ok(Content::uniform(order, moves, height, root, 0, &mut rng))
    }

    /// Reads a number in `range`. The error for any other word names the `expected` element.
    fn number(&mut self, range: RangeInclusive<i32>, expected: Expected) -> Result<i32, Sentence> {
        let word = self.word();
        // Accepts the true minus sign of printed books.
        let parsed = word.replace('\u{2212}', "-").parse().ok();
        let in_range = parsed.filter(|number| range.contains(number));
        let number = in_range.ok_or_else(|| self.expected(expected))?;
        self.rest = &self.rest[word.len()..];
        Ok(number)
    }

    /// Reads a node and its descendants. `depth` is the number of lists around the node.
    fn content(&mut self, depth: u32) -> Result<Content, Sentence> {
        if self.accept("x") {
            return Ok(Content::Unknown);
        }
        let mut estimate = 0;
        if self.word() != "[" {
            estimate = self.number(-Tree::MAX_LEAF..=Tree::MAX_LEAF, NODE)?;
            if self.word() != "[" {
                return Ok(Content::Leaf(estimate));
            }
        }
        if depth == Tree::MAX_HEIGHT {
            return Err(self.expected(LEAF));
        }
        self.accept("[");
        let mut children = Vec::new();
        loop {
            children.push(self.content(depth + 1)?);
            if self.accept("]") {
                return Ok(Content::Inner(estimate, children));
            }
            if !self.accept(",") {
                return Err(self.expected(COMMA));
            }
        }
    }
}
