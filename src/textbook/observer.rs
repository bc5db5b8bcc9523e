//! Who watches a search: counting, taking notes.

use std::fmt;

use super::{Game, Side};

/// Told by every algorithm, in order, what it does.
pub trait Observer<G: Game> {
    /// A position is entered; each visit counts, a second one to the same position too.
    fn node(&mut self, _position: &G) {}

    /// The position is a leaf: the game is over, or no height is left. `value` is its value for Max.
    fn leaf(&mut self, _position: &G, _value: G::Value) {}

    /// The rest of the position's moves are left out; there is at least one.
    fn cut(&mut self, _position: &G, _cut: Cut) {}
}

/// Watches nothing.
impl<G: Game> Observer<G> for () {}

/// Two watchers.
impl<G: Game, A: Observer<G>, B: Observer<G>> Observer<G> for (A, B) {
    fn node(&mut self, position: &G) {
        self.0.node(position);
        self.1.node(position);
    }

    fn leaf(&mut self, position: &G, value: G::Value) {
        self.0.leaf(position, value);
        self.1.leaf(position, value);
    }

    fn cut(&mut self, position: &G, cut: Cut) {
        self.0.cut(position, cut);
        self.1.cut(position, cut);
    }
}

/// The two kinds of cut. A node that cuts with its last move has saved nothing, and that is not called a cut here.
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
    /// At a Min node, whose value fell to α or below: Max has something as good elsewhere.
    Alpha,
    /// At a Max node, whose value reached β or above: Min has something as good elsewhere.
    Beta,
}

/// What was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Alpha or beta.
    pub kind: CutKind,
    /// How many of the node's moves were searched.
    pub searched: usize,
    /// How many were not.
    pub left_out: usize,
}

/// `alpha cut after 2 of 3`.
impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            CutKind::Alpha => "alpha",
            CutKind::Beta => "beta",
        };
        let moves = self.searched + self.left_out;
        write!(f, "{kind} cut after {} of {moves}", self.searched)
    }
}

/// Counts what happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions entered, the leaves among them.
    pub nodes: u64,
    /// Leaves valued.
    pub leaves: u64,
    /// Cuts at Min nodes.
    pub alpha_cuts: u64,
    /// Cuts at Max nodes.
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

/// Notes every leaf and every cut, in order.
#[derive(Clone, Debug)]
pub struct Trace<G: Game> {
    /// The leaves, with their values for Max.
    pub leaves: Vec<(G, G::Value)>,
    /// Where moves were left out.
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

/// Enters a node. If it is a leaf (the game is over, or no height is left), its value for Max.
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

/// [`enter`] for the negamax forms: the value is for the side to move.
pub(super) fn enter_as_mover<G: Game>(
    position: &G,
    height: u32,
    observer: &mut impl Observer<G>,
) -> Option<G::Value> {
    let value = enter(position, height, observer)?;
    Some(position.to_move().sees(value))
}

/// Tells the observer that a node has seen enough after `searched` of its `moves`, if that leaves any out.
pub(super) fn cut<G: Game>(
    position: &G,
    searched: usize,
    moves: usize,
    observer: &mut impl Observer<G>,
) {
    let kind = match position.to_move() {
        Side::Min => CutKind::Alpha,
        Side::Max => CutKind::Beta,
    };
    let left_out = moves - searched;
    if left_out > 0 {
        observer.cut(
            position,
            Cut {
                kind,
                searched,
                left_out,
            },
        );
    }
}
