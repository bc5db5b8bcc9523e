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
    top: Content,
    root: Side,
    unknown: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Leaf(i32),
    Unknown,
    Inner(Vec<Content>),
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
        self.to_string().contains('x')
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

    /// Writes the tree as a nested list, with a dot for each leaf that is not in `visited`.
    pub fn showing(&self, visited: &[Node<'_>]) -> String {
        let visited: HashSet<&[usize]> = visited.iter().map(|node| &*node.path).collect();
        self.written(&|path| visited.contains(path))
    }

    /// Writes the tree as a nested list, with a dot for each leaf that is not shown.
    fn written(&self, is_shown: &dyn Fn(&[usize]) -> bool) -> String {
        let side = if self.root == Side::Min { "min " } else { "" };
        side.to_owned() + &self.top.written(&mut Vec::new(), is_shown)
    }
}

impl Content {
    fn children(&self) -> &[Content] {
        match self {
            Content::Inner(children) => children,
            Content::Leaf(_) | Content::Unknown => &[],
        }
    }

    fn height(&self) -> u32 {
        let heights = self.children().iter().map(|child| 1 + child.height());
        heights.max().unwrap_or(0)
    }

    fn written(&self, path: &mut Vec<usize>, is_shown: &dyn Fn(&[usize]) -> bool) -> String {
        match self {
            Content::Inner(children) => {
                let children = (1..).zip(children).map(|(number, child)| {
                    path.push(number);
                    let text = child.written(path, is_shown);
                    path.pop();
                    text
                });
                format!("[{}]", children.collect::<Vec<_>>().join(", "))
            }
            _ if !is_shown(path) => "·".to_owned(),
            Content::Leaf(value) => value.to_string(),
            Content::Unknown => "x".to_owned(),
        }
    }
}

/// Writes the tree as a nested list that can be parsed again.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.written(&|_| true))
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

/// Writes the path to the node: `root`, or `2.1` for the first child of the second child.
impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: Vec<String> = self.path.iter().map(usize::to_string).collect();
        let path = path.join(".");
        f.pad(if path.is_empty() { "root" } else { &path })
    }
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
            Content::Inner(_) => None,
        }
    }

    /// Always 0: inner nodes have no static value.
    fn estimate(&self) -> i32 {
        0
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
}

impl FromStr for Tree {
    type Err = String;

    fn from_str(text: &str) -> Result<Tree, String> {
        let mut parser = Parser { text, rest: text };
        let root = if parser.accept("min") {
            Side::Min
        } else {
            parser.accept("max");
            Side::Max
        };
        let top = parser.content(0)?;
        if !parser.word().is_empty() {
            return Err(parser.expected("the end of the text"));
        }
        let unknown = 0;
        Ok(Tree { top, root, unknown })
    }
}

/// Recursive-descent parser of nested lists.
struct Parser<'a> {
    text: &'a str,
    /// End of the text that is not parsed yet.
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// The next bracket, comma or word, or an empty string at the end.
    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let is_end = |letter: char| "[],".contains(letter) || letter.is_whitespace();
        let length = self.rest.find(is_end).unwrap_or(self.rest.len());
        &self.rest[..length.max(1).min(self.rest.len())]
    }

    /// Skips the next word if it equals `word` (in any case) and returns whether it does.
    fn accept(&mut self, word: &str) -> bool {
        let is_there = self.word().eq_ignore_ascii_case(word);
        self.rest = &self.rest[if is_there { word.len() } else { 0 }..];
        is_there
    }

    /// Returns the error that the next word is not what was expected.
    fn expected(&mut self, expected: &str) -> String {
        let found = match self.word() {
            "" => "the text ends".to_owned(),
            word => format!("found '{}'", excerpt(word)),
        };
        let parsed = &self.text[..self.text.len() - self.rest.len()];
        let column = parsed.chars().count() + 1;
        format!("column {column}: {found} where {expected} was expected")
    }

    /// Reads a node, which is inside `depth` lists, and its descendants.
    fn content(&mut self, depth: u32) -> Result<Content, String> {
        let word = self.word();
        if self.accept("x") {
            return Ok(Content::Unknown);
        }
        // Accepts the true minus sign of printed books.
        if let Ok(value) = word.replace('\u{2212}', "-").parse()
            && (-Tree::MAX_LEAF..=Tree::MAX_LEAF).contains(&value)
        {
            self.rest = &self.rest[word.len()..];
            return Ok(Content::Leaf(value));
        }
        if word != "[" {
            return Err(self.expected("a list [...], x, or a whole number up to a million"));
        }
        if depth == Tree::MAX_HEIGHT {
            return Err(self.expected("a leaf (at most 60 nested lists)"));
        }
        self.accept("[");
        let mut children = Vec::new();
        loop {
            children.push(self.content(depth + 1)?);
            if self.accept("]") {
                return Ok(Content::Inner(children));
            }
            if !self.accept(",") {
                return Err(self.expected("a comma or ]"));
            }
        }
    }
}
