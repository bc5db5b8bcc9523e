//! Observers of a search, which receive its steps in order. The height of a search is the number of
//! plies that it looks ahead. A window is a search window (α, β).

use super::{Game, GameValue, Side};

/// Step of a search at a position. Observers receive the values for Max. The window of minimax is
/// always (−∞, +∞).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<V> {
    /// A pass begins: a search from the root to this height, with this window. Iterative deepening
    /// and MTD(f) consist of several passes. A pass of the algorithm is not a pass in Othello.
    Pass(u32, (V, V)),
    /// The position is entered with this window. Each visit of a position is one such step.
    Enter((V, V)),
    /// The position is a leaf of this value: the game is over, or the search has reached its
    /// height.
    Leaf(V),
    /// The transposition table has this value, so the position is not searched.
    Recall(V),
    /// A move has been searched: its value, the best value so far, and the window for the
    /// remaining moves.
    Update(V, V, (V, V)),
    /// `NegaScout` searches the last searched move again, for its exact value.
    Again,
    /// A cut-off skips the remaining moves of the position. At least one move remains.
    Cut(Cut),
    /// The transposition table stores these bounds of the position's value.
    Store((V, V)),
}

impl<V: GameValue> Step<V> {
    /// Converts the values for Max into values for `side`. The conversion is its own inverse.
    #[must_use]
    pub fn from_max(self, side: Side) -> Step<V> {
        let one = |value| side.from_max(value);
        let both = |window| side.window_from_max(window);
        match self {
            Step::Pass(height, window) => Step::Pass(height, both(window)),
            Step::Enter(window) => Step::Enter(both(window)),
            Step::Leaf(value) => Step::Leaf(one(value)),
            Step::Recall(value) => Step::Recall(one(value)),
            Step::Update(value, best, window) => Step::Update(one(value), one(best), both(window)),
            Step::Store(bounds) => Step::Store(both(bounds)),
            Step::Again | Step::Cut(_) => self,
        }
    }
}

/// Receives the steps of a search, in order. Every algorithm of this crate takes an observer.
pub trait Observer<G: Game> {
    /// Called at each step, with the position at which it happens.
    fn step(&mut self, position: &G, step: Step<G::Value>);
}

/// Ignores all steps.
impl<G: Game> Observer<G> for () {
    fn step(&mut self, _position: &G, _step: Step<G::Value>) {}
}

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
    /// Cut at a Min node whose value is at most α: Max has a move at least as good nearer the root.
    Alpha,
    /// Cut at a Max node whose value is at least β: Min has a move at least as good nearer the
    /// root.
    Beta,
}

/// A cut: its kind, and the numbers of moves searched and of all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Whether it is an alpha cut or a beta cut.
    pub kind: CutKind,
    /// Number of moves searched at the node.
    pub searched: usize,
    /// Number of all moves of the node, which is more than `searched`.
    pub moves: usize,
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
    fn step(&mut self, _position: &G, step: Step<G::Value>) {
        match step {
            Step::Enter(_) => self.nodes += 1,
            Step::Leaf(_) => self.leaves += 1,
            Step::Cut(cut) if cut.kind == CutKind::Alpha => self.alpha_cuts += 1,
            Step::Cut(_) => self.beta_cuts += 1,
            _ => {}
        }
    }
}

/// Reports a step whose values are for the side to move.
pub(super) fn report<G: Game>(position: &G, step: Step<G::Value>, observer: &mut impl Observer<G>) {
    observer.step(position, step.from_max(position.to_move()));
}

/// Reports a node to the observer. Returns the value for Max if the node is a leaf. A node is a
/// leaf if the game is over, or if the search has reached its height.
pub(super) fn enter<G: Game>(
    position: &G,
    height: u32,
    window: (G::Value, G::Value),
    observer: &mut impl Observer<G>,
) -> Option<G::Value> {
    observer.step(position, Step::Enter(window));
    let value = position
        .outcome()
        .or_else(|| (height == 0).then(|| position.estimate()))?;
    observer.step(position, Step::Leaf(value));
    Some(value)
}

/// Same as [`enter`], for negamax forms: the window and the returned value are for the side to
/// move.
pub(super) fn enter_as_mover<G: Game>(
    position: &G,
    height: u32,
    window: (G::Value, G::Value),
    observer: &mut impl Observer<G>,
) -> Option<G::Value> {
    let side = position.to_move();
    let window = side.window_from_max(window);
    let value = enter(position, height, window, observer)?;
    Some(side.from_max(value))
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
    observer.step(position, Step::Cut(cut));
}
