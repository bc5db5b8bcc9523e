//! Explicit trees, written as nested lists, as a [`Game`]: for the worked examples of textbooks.

use std::fmt;
use std::str::FromStr;

use super::{Game, Side};
use crate::board::excerpt;

/// A tree of which every node is written down: a leaf is a whole number, its value for Max, and an inner node is the list
/// of its children. The leaf `x` is one whose value is not told. The root is a Max node, unless the word `min` stands
/// before the list.
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
/// use emilia::textbook::{Tree, minimax};
/// let tree: Tree = "min [3, [4, x]]".parse().unwrap();
/// assert_eq!(minimax(&tree.root(), tree.height(), &mut ()), 3);
/// assert_eq!(tree.to_string(), "min [3, [4, x]]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The root first, each node before its children.
    nodes: Vec<TreeNode>,
    root: Side,
    unknown: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct TreeNode {
    parent: usize,
    /// Which child of its parent it is, from 1.
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
    /// Leaves lie between this and its negative.
    pub const MAX_LEAF: i32 = 1_000_000;
    /// How deep lists may be nested.
    pub const MAX_HEIGHT: u32 = 60;

    /// The same tree with this value for the leaves written `x`; 0 when it is left out.
    #[must_use]
    pub fn with_unknown(mut self, value: i32) -> Tree {
        self.unknown = value;
        self
    }

    /// Whether a leaf is written `x`.
    pub fn has_unknown(&self) -> bool {
        let mut contents = self.nodes.iter().map(|node| &node.content);
        contents.any(|content| *content == Content::Unknown)
    }

    /// The root, to search from.
    pub const fn root(&self) -> Node<'_> {
        Node {
            tree: self,
            index: 0,
            side: self.root,
        }
    }

    /// How many moves lead from the root to the deepest leaf.
    pub fn height(&self) -> u32 {
        let depths = (0..self.nodes.len()).map(|index| self.path(index).len() as u32);
        depths.max().unwrap_or(0)
    }

    /// The tree as a nested list, with a dot in the place of each leaf that is not among those `visited`.
    pub fn showing(&self, visited: &[Node<'_>]) -> String {
        let mut is_shown = vec![false; self.nodes.len()];
        for node in visited {
            is_shown[node.index] = true;
        }
        self.written(&is_shown)
    }

    fn written(&self, is_shown: &[bool]) -> String {
        let mut text = match self.root {
            Side::Max => String::new(),
            Side::Min => "min ".to_owned(),
        };
        self.write(&mut text, 0, is_shown);
        text
    }

    fn write(&self, text: &mut String, index: usize, is_shown: &[bool]) {
        match &self.nodes[index].content {
            Content::Inner(children) => {
                text.push('[');
                for (number, &child) in children.iter().enumerate() {
                    text.push_str(if number > 0 { ", " } else { "" });
                    self.write(text, child, is_shown);
                }
                text.push(']');
            }
            _ if !is_shown[index] => text.push('·'),
            Content::Leaf(value) => text.push_str(&value.to_string()),
            Content::Unknown => text.push('x'),
        }
    }

    /// The numbers of the children that lead from the root to a node.
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

/// As it is read.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.written(&vec![true; self.nodes.len()]))
    }
}

/// A node of a [`Tree`], as a position of the game.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    tree: &'t Tree,
    index: usize,
    side: Side,
}

/// Its place: `root`, or the numbers of the children that lead to it, `2.1` for the first child of the second child.
impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: Vec<String> = self
            .tree
            .path(self.index)
            .iter()
            .map(usize::to_string)
            .collect();
        f.pad(&if path.is_empty() {
            "root".to_owned()
        } else {
            path.join(".")
        })
    }
}

impl Game for Node<'_> {
    type Value = i32;
    /// Which child, from 0.
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

    /// Nothing is known of an inner node but what its leaves say.
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

/// The text is no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What is there; nothing at the end of the text.
    pub found: String,
    /// What should be there.
    pub expected: &'static str,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: ", self.column)?;
        if self.found.is_empty() {
            write!(f, "the text ends")?;
        } else {
            write!(f, "found '{}'", excerpt(&self.found))?;
        }
        write!(f, " where {} was expected", self.expected)
    }
}

impl std::error::Error for TreeError {}

impl FromStr for Tree {
    type Err = TreeError;

    fn from_str(text: &str) -> Result<Tree, TreeError> {
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

/// The words of the text, each with its column: brackets, commas, and what stands between them.
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

    /// The next word, empty at the end.
    fn peek(&self) -> &str {
        self.words.get(self.next).map_or("", |(_, word)| word)
    }

    /// Goes past the next word if it is `word`.
    fn accept(&mut self, word: &str) -> bool {
        let is_there = self.peek().eq_ignore_ascii_case(word);
        self.next += usize::from(is_there);
        is_there
    }

    fn expected(&self, expected: &'static str) -> TreeError {
        let (column, found) = self
            .words
            .get(self.next)
            .cloned()
            .unwrap_or((self.end, String::new()));
        TreeError {
            column,
            found,
            expected,
        }
    }

    fn side(&mut self) -> Side {
        if self.accept("min") {
            Side::Min
        } else {
            self.accept("max");
            Side::Max
        }
    }

    /// Reads a node and all below it into the tree; says where it is.
    fn node(
        &mut self,
        tree: &mut Tree,
        parent: usize,
        number: usize,
        depth: u32,
    ) -> Result<usize, TreeError> {
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
            return Err(self.expected("a leaf, 60 lists deep,"));
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

    /// Reads a leaf, if one is next.
    fn leaf(&mut self) -> Option<Content> {
        if self.accept("x") {
            return Some(Content::Unknown);
        }
        // Printed books have a true minus sign.
        let value = self.peek().replace('\u{2212}', "-").parse().ok()?;
        let is_small = (-Tree::MAX_LEAF..=Tree::MAX_LEAF).contains(&value);
        self.next += usize::from(is_small);
        is_small.then_some(Content::Leaf(value))
    }
}
