//! Observers of a search, which count or record visited nodes, leaves and cuts.

use std::fmt;

use super::{Game, Side};

/// Receives the events of a search, in order, from every algorithm of this module.
pub trait Observer<G: Game> {
    /// Called when a position is entered. Repeated visits of a position call it again.
    fn node(&mut self, _position: &G) {}

    /// Called at a leaf: the game is over or no height is left. `value` is the value for Max.
    fn leaf(&mut self, _position: &G, _value: G::Value) {}

    /// Called when a cut-off skips the remaining moves of a position. At least one move remains.
    fn cut(&mut self, _position: &G, _cut: Cut) {}
}

/// Ignores all events.
impl<G: Game> Observer<G> for () {}

/// The two kinds of cut. A node that reaches its bound with the last move makes no cut.
///
/// ```text
///   alpha cut:  Max ≥ 5          beta cut:  Min ≤ 3
///              /       \                   /       \
///             5      Min ≤ 4              3      Max ≥ 4
///                    /     \                     /     \
///                   4       ?                   4       ?
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutKind {
    /// At a Min node whose value is at most α: Max has an equally good move elsewhere.
    Alpha,
    /// At a Max node whose value is at least β: nearer the root, Min has a move at least as good.
    Beta,
}

/// A cut: its kind, and the numbers of moves searched and of all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Whether it is an alpha cut or a beta cut.
    pub kind: CutKind,
    /// Number of moves searched at the node.
    pub searched: usize,
    /// Number of all moves, more than those searched.
    pub moves: usize,
}

/// Writes the cut, such as `alpha cut after 2 of 3`.
impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            CutKind::Alpha => "alpha",
            CutKind::Beta => "beta",
        };
        write!(f, "{kind} cut after {} of {}", self.searched, self.moves)
    }
}

/// An observer that counts nodes, leaves and cuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Visited positions, including leaves.
    pub nodes: u64,
    /// Visited leaves.
    pub leaves: u64,
    /// Number of cuts at Min nodes.
    pub alpha_cuts: u64,
    /// Number of cuts at Max nodes.
    pub beta_cuts: u64,
}

impl<G: Game> Observer<G> for Counts {
    fn node(&mut self, _position: &G) {
        self.nodes += 1;
    }

    fn leaf(&mut self, _position: &G, _value: G::Value) {
        self.leaves += 1;
    }

    fn cut(&mut self, _position: &G, cut: Cut) {
        match cut.kind {
            CutKind::Alpha => self.alpha_cuts += 1,
            CutKind::Beta => self.beta_cuts += 1,
        }
    }
}

/// An observer that records every leaf and every cut in order.
#[derive(Clone, Debug)]
pub struct Trace<G: Game> {
    /// The visited leaves with their values for Max.
    pub leaves: Vec<(G, G::Value)>,
    /// The cuts with the positions where they occurred.
    pub cuts: Vec<(G, Cut)>,
}

impl<G: Game> Default for Trace<G> {
    fn default() -> Trace<G> {
        Trace {
            leaves: Vec::new(),
            cuts: Vec::new(),
        }
    }
}

impl<G: Game> Observer<G> for Trace<G> {
    fn leaf(&mut self, position: &G, value: G::Value) {
        self.leaves.push((position.clone(), value));
    }

    fn cut(&mut self, position: &G, cut: Cut) {
        self.cuts.push((position.clone(), cut));
    }
}

/// Reports a node to the observer. Returns the value for Max if the node is a leaf.
/// A node is a leaf if the game is over or no height is left.
pub(super) fn enter<G: Game>(
    position: &G,
    height: u32,
    observer: &mut impl Observer<G>,
) -> Option<G::Value> {
    observer.node(position);
    let value = position
        .outcome()
        .or_else(|| (height == 0).then(|| position.estimate()))?;
    observer.leaf(position, value);
    Some(value)
}

/// [`enter`] for negamax forms: the returned value is for the side to move.
pub(super) fn enter_as_mover<G: Game>(
    position: &G,
    height: u32,
    observer: &mut impl Observer<G>,
) -> Option<G::Value> {
    let value = enter(position, height, observer)?;
    Some(position.to_move().from_max(value))
}

/// Reports a cut to the observer if fewer than `moves` moves have been searched.
pub(super) fn cut<G: Game>(
    position: &G,
    searched: usize,
    moves: usize,
    observer: &mut impl Observer<G>,
) {
    if searched == moves {
        return;
    }
    let cut = Cut {
        kind: match position.to_move() {
            Side::Min => CutKind::Alpha,
            Side::Max => CutKind::Beta,
        },
        searched,
        moves,
    };
    observer.cut(position, cut);
}
