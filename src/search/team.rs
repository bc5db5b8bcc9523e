//! The threads of one search, and the positions whose moves they share: young brothers wait (Feldmann, Mysliwietz, Vornberger
//! 1991).
//!
//! The moves of a position are searched one after another until the first of them is done: by then the window is about
//! as good as it gets. The rest may be shared: the position becomes a [`Split`], open to every thread of the [`Team`] that
//! has nothing to do. Threads take its moves one by one, in order, each with the best window known by then. A move that is good enough
//! for a cut-off calls the others off. The thread that made the split ends it: when the moves run out before the helpers
//! are done, it helps them in turn, below the split, and goes on when the last of them has left.
//!
//! **Exactness.** Each move is searched with a window whose lower end is a proved bound of a move of the same position, so what
//! comes out is fail-soft as with one thread, whoever finishes first. A search that was called off returns
//! nonsense, and every loop that hands out values looks at `stopped` first.
//!
//! **No data races.** Everything that two threads see is an atomic, inside a mutex, or never written after it was made.
//! The atomics are hints (is there work, is it called off, how good is the best so far), read without order: to see one late costs
//! time, not truth. Results go through the mutexes of the split and of the team. Both are taken when a position is split,
//! joined or left and when one of its moves is done: never at an ordinary node.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::clock::{Clock, Stopwatch};
use super::selectivity::Pruning;
use super::window::Window;
use crate::board::{Board, Move, Square};
use crate::eval::Value;

/// From which size on a position is split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Where a thread has nothing to do.
    pub(super) wanted: u32,
    /// In any case: a thread that becomes free later finds a large piece of work, and not only what is split from then on.
    pub(super) always: u32,
}

/// Depths in the midgame.
const DEPTHS: Sizes = Sizes {
    wanted: 4,
    always: 5,
};

/// Empty squares where the game is solved.
const EMPTIES: Sizes = Sizes {
    wanted: 15,
    always: 19,
};

/// How often a thread without work looks for some before it falls asleep: about as long as it takes to wake up again.
const LOOKS: u32 = 1000;

/// The threads of one search, and the positions they share.
#[derive(Debug)]
pub(super) struct Team<S> {
    pub(super) depths: Sizes,
    pub(super) empties: Sizes,
    clock: Clock,
    /// Threads that have nothing to do.
    free: AtomicUsize,
    /// Positions split so far.
    splits: AtomicUsize,
    /// The whole search has been told to end.
    ended: AtomicBool,
    /// When it has to, in microseconds from its beginning.
    maximum: AtomicU64,
    /// Positions that helpers have visited and the first thread has not counted yet.
    nodes: AtomicU64,
    /// Time without work, of all threads, in nanoseconds.
    idle: AtomicU64,
    shared: Mutex<Shared<S>>,
    /// There is a new split, a split has lost its last helper, or the team is dismissed.
    changed: Condvar,
}

/// What the mutex of the team protects.
#[derive(Debug)]
struct Shared<S> {
    /// The splits that may be joined.
    open: Vec<Arc<Split<S>>>,
    /// There will be no more work.
    dismissed: bool,
}

/// A position whose remaining moves are to be searched.
#[derive(Debug)]
pub(super) struct Fork<S> {
    pub(super) board: Board,
    pub(super) ply: usize,
    pub(super) task: Task<S>,
    pub(super) window: Window,
    /// The line of the best move is wanted.
    pub(super) is_pv: bool,
    pub(super) pruning: Pruning,
    /// The best so far: its value, and its move if it is above the window's lower end.
    pub(super) best: (Value, Option<Square>),
    /// The moves left, the most promising first, with the boards they lead to.
    pub(super) moves: Vec<(Square, Board)>,
}

/// Which search it is part of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task<S> {
    /// In the midgame: the depth, and the evaluation's state of the board.
    Midgame(u32, S),
    /// Where the game is solved: the evaluation's state of the board.
    Endgame(S),
}

/// A position whose moves are shared.
#[derive(Debug)]
pub(super) struct Split<S> {
    pub(super) fork: Fork<S>,
    /// The split that the thread which made this one was working on.
    parent: Option<Arc<Split<S>>>,
    /// The index of the next move to search.
    next: AtomicUsize,
    /// The lower end of the window by now, in [`Value`] units.
    floor: AtomicI32,
    /// A cut-off: no more values are needed.
    is_cut: AtomicBool,
    /// Threads at work on it that did not make it. Changes only while the team's mutex is held.
    helpers: AtomicUsize,
    found: Mutex<Found>,
}

/// What is known of a split position.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) best: (Value, Option<Square>),
    /// What follows the best move, if it was found since the split and is wanted.
    pub(super) line: Option<Vec<Move>>,
}

/// A thread's share in a split that another made, until it is dropped.
pub(super) struct Share<'a, S> {
    team: &'a Team<S>,
    pub(super) split: Arc<Split<S>>,
}

/// The duty to dismiss the team: done when dropped, so that no thread waits for ever whatever happens to the first.
pub(super) struct Dismissal<'a, S>(pub(super) &'a Team<S>);

impl<S> Split<S> {
    /// A split of `fork` by a thread that works on `parent`.
    pub(super) fn new(fork: Fork<S>, parent: Option<Arc<Split<S>>>) -> Split<S> {
        let best = fork.best;
        Split {
            next: AtomicUsize::new(0),
            floor: AtomicI32::new(fork.window.alpha.max(best.0).units()),
            is_cut: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            found: Mutex::new(Found { best, line: None }),
            parent,
            fork,
        }
    }

    /// The splits from this one up to the root.
    fn chain(self: &Arc<Self>) -> impl Iterator<Item = &Arc<Self>> {
        std::iter::successors(Some(self), |split| split.parent.as_ref())
    }

    /// Whether nobody needs the values of its moves any more.
    pub(super) fn is_called_off(self: &Arc<Self>) -> bool {
        self.chain().any(|split| split.is_cut.load(Relaxed))
    }

    fn is_below(self: &Arc<Self>, top: &Arc<Self>) -> bool {
        self.chain().skip(1).any(|split| Arc::ptr_eq(split, top))
    }

    fn has_moves(&self) -> bool {
        self.next.load(Relaxed) < self.fork.moves.len()
    }

    /// The next move, and the board it leads to.
    pub(super) fn take(&self) -> Option<(Square, Board)> {
        if self.is_cut.load(Relaxed) {
            return None;
        }
        let next = self.next.fetch_add(1, Relaxed);
        self.fork.moves.get(next).copied()
    }

    /// The lower end of the window for the next move.
    pub(super) fn floor(&self) -> Value {
        Value::from_units(self.floor.load(Relaxed))
    }

    /// A move has at least this value, so that only better ones are of interest. Whether none as good was known.
    ///
    /// Without this, others would go on to compare their moves with the old best while this one's exact value is
    /// searched: a fifth more nodes where the first move is not the best.
    pub(super) fn raise_floor(&self, value: Value) -> bool {
        self.floor.fetch_max(value.units(), Relaxed) < value.units()
    }

    pub(super) fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a move's value in a window that began at `floor`, and of what follows it.
    pub(super) fn note(&self, square: Square, value: Value, floor: Value, line: &[Move]) {
        let Window { alpha, beta } = self.fork.window;
        let mut found = self.found();
        if value <= floor {
            // No more than a bound: it counts where no move is above the window's lower end.
            if found.best.1.is_none() {
                found.best.0 = found.best.0.max(value.min(alpha));
            }
            return;
        }
        if value > found.best.0 {
            found.best = (value, Some(square));
            found.line = self.fork.is_pv.then(|| line.to_vec());
            self.raise_floor(value);
        }
        if value >= beta {
            self.is_cut.store(true, Relaxed);
        }
    }
}

impl<S> Team<S> {
    pub(super) fn new(clock: Clock) -> Team<S> {
        Team::with_sizes(DEPTHS, EMPTIES, clock)
    }

    /// A team that splits positions of these depths and numbers of empty squares.
    pub(super) fn with_sizes(depths: Sizes, empties: Sizes, clock: Clock) -> Team<S> {
        Team {
            depths,
            empties,
            clock,
            free: AtomicUsize::new(0),
            splits: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            maximum: AtomicU64::new(u64::MAX),
            nodes: AtomicU64::new(0),
            idle: AtomicU64::new(0),
            shared: Mutex::new(Shared {
                open: Vec::new(),
                dismissed: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// Ends the search for all threads.
    pub(super) fn end(&self) {
        self.ended.store(true, Relaxed);
    }

    /// Whether the search has been told to end.
    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Relaxed)
    }

    /// From its beginning the search may take so long, if there is a limit.
    pub(super) fn set_maximum(&self, maximum: Option<Duration>) {
        let micros = maximum.map_or(u64::MAX, |maximum| maximum.as_micros() as u64);
        self.maximum.store(micros, Relaxed);
    }

    /// How long the search may take, if there is a limit.
    pub(super) fn maximum(&self) -> Option<Duration> {
        let micros = self.maximum.load(Relaxed);
        (micros != u64::MAX).then(|| Duration::from_micros(micros))
    }

    /// A helper has visited so many positions more.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// The positions that helpers have visited since they were last asked for.
    pub(super) fn take_nodes(&self) -> u64 {
        // Mostly there are none, and to read is cheaper than to write.
        match self.nodes.load(Relaxed) {
            0 => 0,
            _ => self.nodes.swap(0, Relaxed),
        }
    }

    /// Positions split so far, and the time that all threads were without work.
    pub(super) fn statistics(&self) -> (usize, Duration) {
        let idle = Duration::from_nanos(self.idle.load(Relaxed));
        (self.splits.load(Relaxed), idle)
    }

    fn shared(&self) -> MutexGuard<'_, Shared<S>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a position of this size is to be split.
    pub(super) fn wants(&self, size: u32, sizes: Sizes) -> bool {
        size >= sizes.wanted && (size >= sizes.always || self.free.load(Relaxed) > 0)
    }

    pub(super) fn open(&self, split: Arc<Split<S>>) {
        let mut shared = self.shared();
        shared.open.push(split);
        self.splits.fetch_add(1, Relaxed);
        drop(shared);
        if self.free.load(Relaxed) > 0 {
            self.changed.notify_all();
        }
    }

    /// From here on nobody joins `split`.
    pub(super) fn close(&self, split: &Arc<Split<S>>) {
        let open = &mut self.shared().open;
        if let Some(index) = open.iter().rposition(|other| Arc::ptr_eq(other, split)) {
            open.remove(index);
        }
    }

    /// Waits for work: in the splits below `top` until that has lost its last helper, or anywhere until the team is
    /// dismissed.
    pub(super) fn join(&self, top: Option<&Arc<Split<S>>>) -> Option<Share<'_, S>> {
        let is_over = |shared: &Shared<S>| match top {
            Some(top) => top.helpers.load(Relaxed) == 0,
            None => shared.dismissed,
        };
        let mut shared = self.shared();
        if let Some(share) = self.share(&shared, top) {
            return Some(share);
        }
        let stopwatch = Stopwatch::start(self.clock);
        self.free.fetch_add(1, Relaxed);
        let share = loop {
            if let Some(share) = self.share(&shared, top) {
                break Some(share);
            }
            if is_over(&shared) {
                break None;
            }
            let seen = self.splits.load(Relaxed);
            drop(shared);
            for _ in 0..LOOKS {
                let is_alone = top.is_some_and(|top| top.helpers.load(Relaxed) == 0);
                if is_alone || self.splits.load(Relaxed) != seen {
                    break;
                }
                std::hint::spin_loop();
            }
            shared = self.shared();
            // Splits are opened and helpers leave under the mutex, so none of it is missed between here and the sleep.
            if self.splits.load(Relaxed) == seen && !is_over(&shared) {
                shared = (self.changed.wait(shared)).unwrap_or_else(PoisonError::into_inner);
            }
        };
        self.free.fetch_sub(1, Relaxed);
        let idle = stopwatch.elapsed().as_nanos() as u64;
        self.idle.fetch_add(idle, Relaxed);
        share
    }

    /// A share in the split that is highest in the tree: the largest piece of work.
    fn share(&self, shared: &Shared<S>, top: Option<&Arc<Split<S>>>) -> Option<Share<'_, S>> {
        let split = shared
            .open
            .iter()
            .filter(|split| split.has_moves() && top.is_none_or(|top| split.is_below(top)))
            .filter(|split| !split.is_called_off())
            .min_by_key(|split| split.fork.ply)?;
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
            self.team.changed.notify_all();
        }
    }
}

impl<S> Drop for Dismissal<'_, S> {
    fn drop(&mut self) {
        self.0.shared().dismissed = true;
        self.0.changed.notify_all();
    }
}
