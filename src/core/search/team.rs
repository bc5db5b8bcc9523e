//! Threads of one search and their split points: Young Brothers Wait Concept (YBWC).
//! Source: Feldmann, Mysliwietz and Vornberger 1991.
//!
//! One thread searches the first move of a node, whose value narrows the window. The node may then
//! become a [`Split`], open to every idle thread of the [`Team`]. Threads take the remaining moves
//! one by one, in order, each with the window as the moves searched so far have narrowed it. A
//! cut-off by one move calls off the searches of the other moves. The creator of the split, the
//! thread that made it, also closes it when the moves run out. Helpers may still search moves of
//! the split, and may have made splits below it. The creator joins these splits until the last
//! helper has left.
//!
//! **Exactness.** Only proved bounds of moves of the same node raise its `alpha`.
//! The result is therefore fail-soft, as with one thread, in whatever order the moves end.
//! A search that was called off returns a meaningless value.
//! Every loop that passes on values therefore checks `stopped` first.
//!
//! **No data races.** Data visible to two threads is atomic, inside a mutex, or immutable. The
//! atomics are hints: whether there is work, whether a split is called off, and the best value so
//! far. Hints are read with relaxed ordering: a stale value costs time, but never correctness.
//! Results pass through the mutexes of the split and of the team. A thread locks a mutex when it
//! splits a node, joins or leaves a split, and finishes a move of a split, but never at an ordinary
//! node.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize};
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::board::{Move, Square};
use crate::eval::Value;
use crate::search::node::Node;
use crate::search::ordering::LegalMove;
use crate::search::parameters::parallel::SPIN_ITERATIONS;
use crate::search::selectivity::Pruning;
use crate::search::window::{Phase, Window};

/// Threads of one search, and their split points.
#[derive(Debug)]
pub(crate) struct Team<S> {
    /// Least depth, in plies, of a node to split, in a search to a depth.
    midgame_depth: u32,
    /// Least number of empties of a node to split, in a search to the end of the game.
    endgame_empties: u32,
    /// Number of idle threads.
    free: AtomicUsize,
    /// Number of splits so far. A thread that waits for work compares two readings, to notice a new
    /// split.
    split_count: AtomicUsize,
    /// Whether the whole search has ended.
    ended: AtomicBool,
    /// Time limit of the search, in microseconds from its start. `u64::MAX` without a limit.
    maximum: AtomicU64,
    /// Nodes of helpers that the main thread has not added to its own count yet.
    nodes: AtomicU64,
    shared: Mutex<OpenSplits<S>>,
    /// Helpers that wait for any split. A new split signals this variable, and so does the
    /// dismissal of the team.
    idle_helpers: Condvar,
    /// Creators of splits. Each waits until the last helper has left its split, or until there is a
    /// split to join below its split. Both events signal this variable.
    waiting_creators: Condvar,
}

/// Data protected by the team's mutex.
#[derive(Debug)]
struct OpenSplits<S> {
    /// Splits that idle threads may join.
    open: Vec<Arc<Split<S>>>,
    /// Whether the search is over, so that waiting helpers end.
    dismissed: bool,
}

/// Split point: a node whose remaining moves are searched by several threads.
#[derive(Debug)]
pub(crate) struct Split<S> {
    node: Node<S>,
    pub(crate) pruning: Pruning,
    /// Number of moves searched before the split.
    tried: usize,
    /// Remaining moves, in search order.
    moves: Vec<LegalMove>,
    /// Split point that the creator of this split point was working on.
    parent: Option<Arc<Split<S>>>,
    /// Index in `moves` of the next move to search.
    next: AtomicUsize,
    /// Current `alpha` of the node, in [`Value`] units. It rises with each better move.
    alpha: AtomicI32,
    /// Whether a move has caused a cut-off, so that the other moves need not be searched.
    is_cut: AtomicBool,
    /// Number of threads that work on this split besides its creator. Changes only under the team's
    /// mutex.
    helpers: AtomicUsize,
    found: Mutex<Found>,
}

/// Best result of a split point so far.
#[derive(Debug)]
pub(crate) struct Found {
    /// Best value and its move. The move is `None` if the value does not exceed the `alpha` of the
    /// node.
    pub(crate) best: (Value, Option<Square>),
    /// PV after the best move. `Some` only at a PV node whose best move was found after the split.
    pub(crate) line: Option<Vec<Move>>,
}

/// Membership of a helper in a split point. Dropping it leaves the split.
pub(crate) struct Share<'a, S> {
    team: &'a Team<S>,
    pub(crate) split: Arc<Split<S>>,
}

/// Guard that dismisses the team when dropped, so that helpers end even after a panic.
pub(crate) struct Dismissal<'a, S>(pub(crate) &'a Team<S>);

impl<S> Split<S> {
    /// Creates a split point of `node` for a thread that works on the split point `parent`.
    /// `best` is the result of the `tried` moves searched before. `moves` are the remaining moves.
    pub(crate) fn new(
        node: &Node<&S>,
        pruning: Pruning,
        best: (Value, Option<Square>),
        tried: usize,
        moves: impl Iterator<Item = LegalMove>,
        parent: Option<Arc<Split<S>>>,
    ) -> Split<S>
    where
        S: Copy,
    {
        Split {
            node: node.with_state(*node.state),
            pruning,
            tried,
            moves: moves.collect(),
            parent,
            next: AtomicUsize::new(0),
            alpha: AtomicI32::new(node.window.alpha.max(best.0).units()),
            is_cut: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            found: Mutex::new(Found { best, line: None }),
        }
    }

    /// Returns the node whose moves are shared.
    pub(crate) fn node(&self) -> Node<&S> {
        self.node.with_state(&self.node.state)
    }

    /// Iterates over this split point and its ancestors, up to the root.
    fn chain(self: &Arc<Self>) -> impl Iterator<Item = &Arc<Self>> {
        std::iter::successors(Some(self), |split| split.parent.as_ref())
    }

    /// Returns whether this split point, or a split point above it, has had a cut-off.
    pub(crate) fn is_called_off(self: &Arc<Self>) -> bool {
        self.chain().any(|split| split.is_cut.load(Relaxed))
    }

    fn is_below(self: &Arc<Self>, top: &Arc<Self>) -> bool {
        self.chain().skip(1).any(|split| Arc::ptr_eq(split, top))
    }

    fn has_moves(&self) -> bool {
        self.next.load(Relaxed) < self.moves.len()
    }

    /// Takes the next move. Returns it with the number of moves before it at the node.
    /// Returns `None` after the last move, or after a cut-off.
    pub(crate) fn take(&self) -> Option<(usize, &LegalMove)> {
        if self.is_cut.load(Relaxed) {
            return None;
        }
        let next = self.next.fetch_add(1, Relaxed);
        self.moves.get(next).map(|mv| (self.tried + next, mv))
    }

    /// Returns the current `alpha` for the next move.
    pub(crate) fn alpha(&self) -> Value {
        Value::from_units(self.alpha.load(Relaxed))
    }

    /// Raises `alpha` to `value`, a lower bound of the value of one move. Returns whether `alpha`
    /// was lower.
    ///
    /// Other threads then search with the new `alpha` while this move is re-searched. For the time
    /// that this saves, see Details in `MEASUREMENTS.md`.
    pub(crate) fn raise_alpha(&self, value: Value) -> bool {
        self.alpha.fetch_max(value.units(), Relaxed) < value.units()
    }

    pub(crate) fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock()
    }

    /// Records the result of a move: `value`, found in a window with the lower end `move_alpha`. At
    /// a PV node, `line` is the PV after the move.
    pub(crate) fn record(
        &self,
        square: Square,
        value: Value,
        move_alpha: Value,
        line: Option<&[Move]>,
    ) {
        let Window { alpha, beta } = self.node().window;
        let mut found = self.found();
        if value <= move_alpha {
            // `value` is an upper bound. It counts only while no move has exceeded the `alpha` of
            // the node.
            if found.best.1.is_none() {
                found.best.0 = found.best.0.max(value.min(alpha));
            }
            return;
        }
        if value > found.best.0 {
            found.best = (value, Some(square));
            found.line = line.map(<[Move]>::to_vec);
            self.raise_alpha(value);
        }
        if value >= beta {
            self.is_cut.store(true, Relaxed);
        }
    }
}

impl<S> Team<S> {
    /// Creates a team that splits nodes of at least `midgame_depth` plies in the midgame, and of at
    /// least `endgame_empties` empties in the endgame.
    pub(crate) fn new(midgame_depth: u32, endgame_empties: u32) -> Team<S> {
        Team {
            midgame_depth,
            endgame_empties,
            free: AtomicUsize::new(0),
            split_count: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            maximum: AtomicU64::new(u64::MAX),
            nodes: AtomicU64::new(0),
            shared: Mutex::new(OpenSplits {
                open: Vec::new(),
                dismissed: false,
            }),
            idle_helpers: Condvar::new(),
            waiting_creators: Condvar::new(),
        }
    }

    /// Ends the search for all threads.
    pub(crate) fn end(&self) {
        self.ended.store(true, Relaxed);
    }

    /// Returns whether the search has ended for all threads.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Relaxed)
    }

    /// Sets the time limit, counted from the start of the search. `None` means no limit.
    pub(crate) fn set_maximum(&self, maximum: Option<Duration>) {
        let micros = maximum.map_or(u128::MAX, |maximum| maximum.as_micros());
        (self.maximum).store(micros.min(u64::MAX.into()) as u64, Relaxed);
    }

    /// Returns the time limit, counted from the start of the search, if there is one.
    pub(crate) fn maximum(&self) -> Option<Duration> {
        let micros = self.maximum.load(Relaxed);
        (micros != u64::MAX).then(|| Duration::from_micros(micros))
    }

    /// Adds nodes visited by a helper.
    pub(crate) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Takes the nodes that helpers have added since the last call.
    pub(crate) fn take_nodes(&self) -> u64 {
        self.nodes.swap(0, Relaxed)
    }

    fn shared(&self) -> MutexGuard<'_, OpenSplits<S>> {
        self.shared.lock()
    }

    /// Returns whether to split a node of `depth` plies: the node must be deep enough, and a thread
    /// must be idle.
    #[inline]
    pub(crate) fn should_split<P: Phase>(&self, depth: u32) -> bool {
        let least = if P::IS_END {
            self.endgame_empties
        } else {
            self.midgame_depth
        };
        depth >= least && self.free.load(Relaxed) > 0
    }

    /// Opens `split` to idle threads, and wakes one of them.
    pub(crate) fn open(&self, split: Arc<Split<S>>) {
        let mut shared = self.shared();
        shared.open.push(split);
        self.split_count.fetch_add(1, Relaxed);
        drop(shared);
        self.idle_helpers.notify_one();
        self.waiting_creators.notify_all();
    }

    /// Removes `split` from the open splits, so that no more threads join it. Returns whether other
    /// threads still work on it.
    pub(crate) fn close(&self, split: &Arc<Split<S>>) -> bool {
        let open = &mut self.shared().open;
        open.retain(|other| !Arc::ptr_eq(other, split));
        split.helpers.load(Relaxed) > 0
    }

    /// Waits for a split point to join. Returns `None` when there will be no more work.
    ///
    /// With `top`, joins only splits below `top`, and returns `None` when its last helper has left.
    /// Without `top`, joins any split, and returns `None` when the team is dismissed.
    pub(crate) fn join(&self, top: Option<&Arc<Split<S>>>) -> Option<Share<'_, S>> {
        let is_over = |shared: &OpenSplits<S>| match top {
            Some(top) => top.helpers.load(Relaxed) == 0,
            None => shared.dismissed,
        };
        let mut shared = self.shared();
        if let Some(share) = self.share(&shared, top) {
            return Some(share);
        }
        self.free.fetch_add(1, Relaxed);
        let share = loop {
            if let Some(share) = self.share(&shared, top) {
                break Some(share);
            }
            if is_over(&shared) {
                break None;
            }
            let seen = self.split_count.load(Relaxed);
            drop(shared);
            for _ in 0..SPIN_ITERATIONS {
                let is_alone = top.is_some_and(|top| top.helpers.load(Relaxed) == 0);
                if is_alone || self.split_count.load(Relaxed) != seen {
                    break;
                }
                std::hint::spin_loop();
            }
            shared = self.shared();
            // Splits are opened and left under the mutex, so no signal is missed before the wait.
            if self.split_count.load(Relaxed) == seen && !is_over(&shared) {
                match top {
                    Some(_) => self.waiting_creators.wait(&mut shared),
                    None => self.idle_helpers.wait(&mut shared),
                }
            }
        };
        self.free.fetch_sub(1, Relaxed);
        share
    }

    /// Joins the open split nearest to the root, which is the largest piece of work. With `top`,
    /// only splits below `top` count.
    fn share(&self, shared: &OpenSplits<S>, top: Option<&Arc<Split<S>>>) -> Option<Share<'_, S>> {
        let open = shared.open.iter();
        let useful = open.filter(|split| split.has_moves() && !split.is_called_off());
        let joinable = useful.filter(|split| top.is_none_or(|top| split.is_below(top)));
        let split = joinable.min_by_key(|split| split.node().ply)?;
        split.helpers.fetch_add(1, Relaxed);
        Some(Share {
            team: self,
            split: split.clone(),
        })
    }
}

impl<S> Drop for Share<'_, S> {
    fn drop(&mut self) {
        let _shared = self.team.shared();
        if self.split.helpers.fetch_sub(1, Relaxed) == 1 {
            self.team.waiting_creators.notify_all();
        }
    }
}

impl<S> Drop for Dismissal<'_, S> {
    fn drop(&mut self) {
        self.0.shared().dismissed = true;
        self.0.idle_helpers.notify_all();
    }
}
