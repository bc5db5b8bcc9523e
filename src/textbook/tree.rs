//! Explicit trees as a [`Game`], written as nested lists, for worked examples of textbooks.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use super::{Game, Side};
use emilia_core::board::excerpt;

/// A game tree written as a nested list.
/// A leaf is a whole number, its value for Max. A leaf `x` has no given value.
/// An inner node is the list of its children.
/// The root is a Max node, unless the word `min` precedes the list.
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
    /// All nodes in depth-first order, the root first.
    nodes: Vec<TreeNode>,
    root: Side,
    unknown: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct TreeNode {
    parent: usize,
    /// Number of this node among the children of its parent, from 1.
    number: usize,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Leaf(i32),
    Unknown,
    Inner(Vec<usize>),
}

impl Tree {
    /// Largest absolute value of a leaf.
    pub const MAX_LEAF: i32 = 1_000_000;
    /// Maximum nesting depth of lists.
    pub const MAX_HEIGHT: u32 = 60;

    /// Sets the value of the leaves written `x`. The default is 0.
    #[must_use]
    pub fn with_unknown(mut self, value: i32) -> Tree {
        self.unknown = value;
        self
    }

    /// Returns whether the tree has a leaf written `x`.
    pub fn has_unknown(&self) -> bool {
        let mut contents = self.nodes.iter().map(|node| &node.content);
        contents.any(|content| *content == Content::Unknown)
    }

    /// Returns the root as the position to search from.
    pub const fn root(&self) -> Node<'_> {
        Node {
            tree: self,
            index: 0,
            side: self.root,
        }
    }

    /// Number of moves from the root to the deepest leaf.
    pub fn height(&self) -> u32 {
        let depths = (0..self.nodes.len()).map(|index| self.path(index).len() as u32);
        depths.max().unwrap_or(0)
    }

    /// Writes the tree as a nested list, with a dot for each leaf that is not in `visited`.
    pub fn showing(&self, visited: &[Node<'_>]) -> String {
        let indices: HashSet<usize> = visited.iter().map(|node| node.index).collect();
        self.written(&|index| indices.contains(&index))
    }

    /// Writes the tree as a nested list, with a dot for each leaf that is not shown.
    fn written(&self, is_shown: &dyn Fn(usize) -> bool) -> String {
        let root = self.subtree(0, is_shown);
        match self.root {
            Side::Max => root,
            Side::Min => format!("min {root}"),
        }
    }

    fn subtree(&self, index: usize, is_shown: &dyn Fn(usize) -> bool) -> String {
        match &self.nodes[index].content {
            Content::Inner(children) => {
                let children = children.iter().map(|&child| self.subtree(child, is_shown));
                format!("[{}]", children.collect::<Vec<_>>().join(", "))
            }
            _ if !is_shown(index) => "·".to_owned(),
            Content::Leaf(value) => value.to_string(),
            Content::Unknown => "x".to_owned(),
        }
    }

    /// The child numbers (from 1) on the path from the root to a node.
    fn path(&self, mut index: usize) -> Vec<usize> {
        let mut path = Vec::new();
        while index != 0 {
            path.push(self.nodes[index].number);
            index = self.nodes[index].parent;
        }
        path.reverse();
        path
    }
}

/// Writes the tree as a nested list that can be parsed again.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.written(&|_| true))
    }
}

/// A node of a [`Tree`], which is a position of the game.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    tree: &'t Tree,
    index: usize,
    side: Side,
}

/// Writes the path to the node: `root`, or `2.1` for the first child of the second child.
impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.tree.path(self.index);
        let path: Vec<String> = path.iter().map(usize::to_string).collect();
        f.pad(match path.join(".").as_str() {
            "" => "root",
            path => path,
        })
    }
}

impl Game for Node<'_> {
    type Value = i32;
    /// The index of the child, from 0.
    type Move = usize;
    type Key = usize;

    fn to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<i32> {
        match self.tree.nodes[self.index].content {
            Content::Leaf(value) => Some(value),
            Content::Unknown => Some(self.tree.unknown),
            Content::Inner(_) => None,
        }
    }

    /// Always 0: inner nodes have no static value.
    fn estimate(&self) -> i32 {
        0
    }

    fn moves(&self) -> Vec<usize> {
        match &self.tree.nodes[self.index].content {
            Content::Inner(children) => (0..children.len()).collect(),
            _ => Vec::new(),
        }
    }

    fn play(&self, mv: usize) -> Self {
        let index = match &self.tree.nodes[self.index].content {
            Content::Inner(children) => children[mv],
            _ => self.index,
        };
        Node {
            index,
            side: self.side.other(),
            ..*self
        }
    }

    fn key(&self) -> usize {
        self.index
    }
}

impl FromStr for Tree {
    type Err = String;

    fn from_str(text: &str) -> Result<Tree, String> {
        let mut parser = Parser::new(text);
        let root = parser.side();
        let mut tree = Tree {
            nodes: Vec::new(),
            root,
            unknown: 0,
        };
        parser.node(&mut tree, 0, 0, 0)?;
        match parser.peek() {
            "" => Ok(tree),
            _ => Err(parser.expected("the end of the text")),
        }
    }
}

/// Tokens of the text with their columns: brackets, commas and words.
struct Parser {
    words: Vec<(usize, String)>,
    next: usize,
    end: usize,
}

impl Parser {
    fn new(text: &str) -> Parser {
        let mut words: Vec<(usize, String)> = Vec::new();
        let mut in_word = false;
        for (column, character) in (1..).zip(text.chars()) {
            let is_mark = "[],".contains(character);
            let is_part = !is_mark && !character.is_whitespace();
            match words.last_mut() {
                Some((_, word)) if in_word && is_part => word.push(character),
                _ if is_part || is_mark => words.push((column, character.to_string())),
                _ => {}
            }
            in_word = is_part;
        }
        Parser {
            words,
            next: 0,
            end: text.chars().count() + 1,
        }
    }

    /// The next word, or an empty string at the end.
    fn peek(&self) -> &str {
        self.words.get(self.next).map_or("", |(_, word)| word)
    }

    /// Skips the next word if it equals `word` (in any case) and returns whether it does.
    fn accept(&mut self, word: &str) -> bool {
        let is_there = self.peek().eq_ignore_ascii_case(word);
        self.next += usize::from(is_there);
        is_there
    }

    /// Returns the error that the next word is not what was expected.
    fn expected(&self, expected: &str) -> String {
        let (column, found) = match self.words.get(self.next) {
            Some((column, word)) => (*column, format!("found '{}'", excerpt(word))),
            None => (self.end, "the text ends".to_owned()),
        };
        format!("column {column}: {found} where {expected} was expected")
    }

    fn side(&mut self) -> Side {
        if self.accept("min") {
            Side::Min
        } else {
            self.accept("max");
            Side::Max
        }
    }

    /// Reads a node and its descendants into the tree and returns its index.
    fn node(
        &mut self,
        tree: &mut Tree,
        parent: usize,
        number: usize,
        depth: u32,
    ) -> Result<usize, String> {
        let index = tree.nodes.len();
        let content = self.leaf();
        tree.nodes.push(TreeNode {
            parent,
            number,
            content: content.clone().unwrap_or(Content::Unknown),
        });
        if content.is_some() {
            return Ok(index);
        }
        if self.peek() != "[" {
            return Err(self.expected("a list [...], x, or a whole number up to a million"));
        }
        if depth == Tree::MAX_HEIGHT {
            return Err(self.expected("a leaf (at most 60 nested lists)"));
        }
        self.next += 1;
        let mut children = Vec::new();
        loop {
            children.push(self.node(tree, index, children.len() + 1, depth + 1)?);
            if self.accept("]") {
                break;
            }
            if !self.accept(",") {
                return Err(self.expected("a comma or ]"));
            }
        }
        tree.nodes[index].content = Content::Inner(children);
        Ok(index)
    }

    /// Reads a leaf if the next word is one.
    fn leaf(&mut self) -> Option<Content> {
        if self.accept("x") {
            return Some(Content::Unknown);
        }
        // Accepts the true minus sign of printed books.
        let value = self.peek().replace('\u{2212}', "-").parse().ok()?;
        let is_small = (-Tree::MAX_LEAF..=Tree::MAX_LEAF).contains(&value);
        self.next += usize::from(is_small);
        is_small.then_some(Content::Leaf(value))
    }
}
