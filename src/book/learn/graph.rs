//! `Graph`: a book in memory while it learns.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

use super::{LearnLimits, batch};
use crate::entry::{Entry, Leaf};
use crate::negamax::recompute;
use crate::parents::parents;
use crate::walk::{Link, children};
use emilia_core::board::{Bitboard, Board, Move};
use emilia_core::eval::Value;

/// Cost of a ply in the order of expansion. The best line is expanded before a line that loses a
/// disc, until it is ten plies longer (drop-out expansion, Lincke 2001).
const PLY_COST: Value = Value::from_units(Value::PER_DISC / 10);

/// Index of a node.
pub(super) type Id = u32;

/// A position of the book with its neighbours.
#[derive(Debug)]
pub(super) struct BookNode {
    pub(super) board: Board,
    pub(super) entry: Entry,
    pub(super) links: Vec<(Move, Id)>,
    parents: Vec<Id>,
    /// Whether a thread searches this node.
    pub(super) is_busy: bool,
}

impl BookNode {
    /// Whether every move is a link.
    pub(super) fn is_complete(&self) -> bool {
        self.links.len() as u32 >= self.board.legal_moves().count()
    }
}

/// The positions of a book, and which of them changed since they were last written.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<BookNode>,
    index: HashMap<Board, Id>,
    changed: HashSet<Id>,
}

impl Graph {
    /// The graph of these positions. Boards are the smallest of their symmetric images.
    pub(super) fn new(entries: impl Iterator<Item = (Board, Entry)>) -> Graph {
        let mut graph = Graph::default();
        for (board, entry) in entries {
            graph.add(board, entry);
        }
        for id in graph.ids() {
            graph.link(id);
        }
        graph.update(graph.ids());
        graph
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: Id) -> &BookNode {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut BookNode {
        &mut self.nodes[id as usize]
    }

    pub(super) fn find(&self, board: &Board) -> Option<Id> {
        self.index.get(&board.canonical()).copied()
    }

    pub(super) fn ids(&self) -> std::ops::Range<Id> {
        0..self.nodes.len() as Id
    }

    /// The positions that no other leads to.
    pub(super) fn roots(&self) -> Vec<Id> {
        self.ids()
            .filter(|&id| self.node(id).parents.is_empty())
            .collect()
    }

    /// The moves of `board`, in the book or not, that lead neither to positions of the book nor to
    /// `other`.
    pub(super) fn free_moves(&self, board: &Board, other: Option<Board>) -> Bitboard {
        let free = children(board)
            .filter(|(_, child)| !self.index.contains_key(child) && Some(*child) != other);
        free.filter_map(|(mv, _)| mv.square()).collect()
    }

    /// Adds a position, or merges its entry into the one that is there, links it to all others, and
    /// updates their values.
    pub(super) fn insert(&mut self, board: Board, entry: &Entry) {
        let id = match self.find(&board) {
            Some(id) => {
                self.node_mut(id).entry.merge(entry);
                id
            }
            None => self.add(board, *entry),
        };
        self.link(id);
        let parents: Vec<Id> = parents(&board)
            .iter()
            .filter_map(|board| self.find(board))
            .collect();
        for &parent in &parents {
            self.link(parent);
        }
        self.changed.insert(id);
        self.update(parents.into_iter().chain([id]));
    }

    fn add(&mut self, board: Board, entry: Entry) -> Id {
        let id = self.nodes.len() as Id;
        self.nodes.push(BookNode {
            board,
            entry,
            links: Vec::new(),
            parents: Vec::new(),
            is_busy: false,
        });
        self.index.insert(board, id);
        id
    }

    /// Looks up the links of a node.
    fn link(&mut self, id: Id) {
        let board = self.node(id).board;
        for (mv, child) in children(&board) {
            let Some(&child) = self.index.get(&child) else {
                continue;
            };
            let links = &mut self.nodes[id as usize].links;
            if !links.iter().any(|&(link, _)| link == mv) {
                links.push((mv, child));
                let parents = &mut self.nodes[child as usize].parents;
                if !parents.contains(&id) {
                    parents.push(id);
                }
            }
        }
    }

    /// Recomputes these nodes and all nodes whose values change by that.
    fn update(&mut self, ids: impl IntoIterator<Item = Id>) {
        // From few empty squares to many; a position without a move after the one it passes to.
        let key = |graph: &Graph, id: Id| {
            let board = &graph.node(id).board;
            (board.empty_count(), !board.can_move(), id)
        };
        let mut open: BTreeSet<_> = ids.into_iter().map(|id| key(self, id)).collect();
        while let Some((_, _, id)) = open.pop_first() {
            let node = self.node(id);
            let links = node.links.iter().map(|&(mv, child)| Link {
                mv,
                child: self.node(child).entry,
            });
            let links: Vec<Link<Entry>> = links.collect();
            let mut entry = node.entry;
            recompute(&node.board, &mut entry, &links);
            if entry != node.entry {
                open.extend(node.parents.iter().map(|&parent| key(self, parent)));
                self.node_mut(id).entry = entry;
                self.changed.insert(id);
            }
        }
    }

    /// Sets the leaf of a node that has been searched, and updates the values.
    pub(super) fn set_leaf(&mut self, id: Id, leaf: Option<Leaf>) {
        let node = self.node_mut(id);
        (node.entry.leaf, node.is_busy) = (leaf, false);
        // The leaf must be written even if the value of the node does not change.
        self.changed.insert(id);
        self.update([id]);
    }

    /// Takes the entries that changed.
    pub(super) fn take_changed(&mut self) -> Vec<(Board, Entry)> {
        let changed = std::mem::take(&mut self.changed);
        let nodes = changed.into_iter().map(|id| self.node(id));
        nodes.map(|node| (node.board, node.entry)).collect()
    }

    /// Returns the nodes to search next, the most urgent last, and the number of all of them.
    ///
    /// A node is searched if its leaf lies within the error, is unknown, or has a lower level.
    /// Nodes are in order of the leaf's error and [`PLY_COST`].
    pub(super) fn candidates(&self, root: Id, limits: &LearnLimits) -> (Vec<Id>, usize) {
        let root_empties = self.node(root).board.empty_count();
        let mut found = Vec::new();
        for (id, error) in self.errors(&[root], limits) {
            let node = self.node(id);
            if node.is_busy {
                continue;
            }
            let empties = node.board.empty_count();
            let plies = (root_empties - empties) as i32;
            let cost = error + Value::from_units(PLY_COST.units() * plies);
            let Some(leaf) = node.entry.leaf else {
                if !node.is_complete() {
                    found.push((cost, id));
                }
                continue;
            };
            let loss = node.entry.value - leaf.value;
            let is_within = loss <= limits.move_error && error + loss <= limits.error;
            let is_low = leaf.level < limits.level_of(&node.board);
            if is_within && (is_low || empties > limits.min_empties) {
                found.push((cost + loss, id));
            }
        }
        let count = found.len();
        found.sort_unstable_by_key(|&candidate| Reverse(candidate));
        let urgent = found.split_off(count.saturating_sub(batch(self.nodes.len())));
        (urgent.into_iter().map(|(_, id)| id).collect(), count)
    }

    /// The nodes that lines within the errors of `limits` reach from `roots`, each with its error:
    /// the sum of the discs lost on the best way to it (Dijkstra 1959).
    pub(super) fn errors(&self, roots: &[Id], limits: &LearnLimits) -> HashMap<Id, Value> {
        let mut errors: HashMap<Id, Value> = roots.iter().map(|&id| (id, Value::ZERO)).collect();
        let mut open: BinaryHeap<_> = errors
            .iter()
            .map(|(&id, &error)| Reverse((error, id)))
            .collect();
        while let Some(Reverse((so_far, id))) = open.pop() {
            if errors[&id] < so_far {
                continue;
            }
            let node = self.node(id);
            for &(_, child) in &node.links {
                let loss = node.entry.value + self.node(child).entry.value;
                let total = so_far + loss;
                if loss <= limits.move_error
                    && total <= limits.error
                    && errors.get(&child).is_none_or(|&best| total < best)
                {
                    errors.insert(child, total);
                    open.push(Reverse((total, child)));
                }
            }
        }
        errors
    }
}
