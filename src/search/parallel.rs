//! Several threads at one search: young brothers wait (Feldmann, Mysliwietz, Vornberger 1991). Stands on `searcher`.
//!
//! The moves of a position are searched one after another until the first of them is done: by then the window is about
//! as good as it gets. The rest may be shared: the position becomes a [`Split`], open to every thread of the [`Team`] that
//! has nothing to do. Threads take its moves one by one, in order, each with the best window known by then. A move that is good enough
//! for a cut-off calls the others off. The thread that made the split ends it: when the moves run out before the helpers
//! are done, it helps them in turn, below the split, and goes on when the last of them has left.
//!
//! **Exactness.** Each move is searched with a window whose lower end is a proved bound of a move of the same position, so what
//! comes out obeys the fail-soft law as it does with one thread, whoever finishes first. A search that was called off returns
//! nonsense, and every loop that hands out values looks at `stopped` first.
//!
//! **No data races.** Everything that two threads see is an atomic, inside a mutex, or never written after it was made.
//! The atomics are hints (is there work, is it called off, how good is the best so far), read without order: to see one late costs
//! time, not truth. Results go through the mutexes of the split and of the team. Both are taken when a position is split,
//! joined or left and when one of its moves is done: never at an ordinary node.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Techniques;
use super::agreed::Agreed;
use super::endgame::MidRoom;
use super::searcher::Searcher;
use super::selectivity::Pruning;
use crate::board::{Board, Move, Square};
use crate::eval::{Incremental, Value};
use crate::work::start_thread;

/// From which size on a position is split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Where a thread has nothing to do.
    pub(super) wanted: u32,
    /// In any case: a thread that becomes free later finds a large piece of work, and not only what is split from then on.
    pub(super) always: u32,
}

/// Depths in the middle game.
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
    depths: Sizes,
    empties: Sizes,
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
    /// Lower and upper end of the window.
    pub(super) window: (Value, Value),
    /// The line of the best move is wanted.
    pub(super) is_pv: bool,
    pub(super) pruning: Pruning,
    pub(super) agreed: Option<Arc<Agreed>>,
    /// The best so far: its value, and its move if it is above the window's lower end.
    pub(super) best: (Value, Option<Square>),
    /// The moves left, the most promising first, with the boards they lead to.
    pub(super) moves: Vec<(Square, Board)>,
}

/// Which search it is part of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task<S> {
    /// [`Searcher::midgame`]: the depth, and the evaluation's state of the board.
    Midgame(u32, S),
    /// [`Searcher::solve`]: the evaluation's state of the board.
    Endgame(S),
}

/// A position whose moves are shared.
#[derive(Debug)]
pub(super) struct Split<S> {
    fork: Fork<S>,
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
struct Found {
    best: (Value, Option<Square>),
    /// What follows the best move, if it was found since the split and is wanted.
    line: Option<Vec<Move>>,
}

/// A thread's share in a split that another made, until it is dropped.
struct Share<'a, S> {
    team: &'a Team<S>,
    split: Arc<Split<S>>,
}

/// The duty to dismiss the team: done when dropped, so that no thread waits for ever whatever happens to the first.
struct Dismissal<'a, S>(&'a Team<S>);

impl<S> Split<S> {
    /// The splits from this one up to the root.
    fn chain(self: &Arc<Self>) -> impl Iterator<Item = &Arc<Self>> {
        std::iter::successors(Some(self), |split| split.parent.as_ref())
    }

    /// Whether nobody needs the values of its moves any more.
    fn is_called_off(self: &Arc<Self>) -> bool {
        self.chain().any(|split| split.is_cut.load(Relaxed))
    }

    fn is_below(self: &Arc<Self>, top: &Arc<Self>) -> bool {
        self.chain().skip(1).any(|split| Arc::ptr_eq(split, top))
    }

    fn has_moves(&self) -> bool {
        self.next.load(Relaxed) < self.fork.moves.len()
    }

    /// The next move, and the board it leads to.
    fn take(&self) -> Option<(Square, Board)> {
        if self.is_cut.load(Relaxed) {
            return None;
        }
        let next = self.next.fetch_add(1, Relaxed);
        self.fork.moves.get(next).copied()
    }

    /// The lower end of the window for the next move.
    fn floor(&self) -> Value {
        Value::from_units(self.floor.load(Relaxed))
    }

    /// A move has at least this value, so that only better ones are of interest. Whether none as good was known.
    ///
    /// Without this, others would go on to compare their moves with the old best while this one's exact value is
    /// searched: a fifth more nodes where the first move is not the best.
    fn raise_floor(&self, value: Value) -> bool {
        self.floor.fetch_max(value.units(), Relaxed) < value.units()
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a move's value in a window that began at `floor`, and of what follows it.
    fn note(&self, square: Square, value: Value, floor: Value, line: &[Move]) {
        let (alpha, beta) = self.fork.window;
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
    pub(super) fn new() -> Team<S> {
        Team::with_sizes(DEPTHS, EMPTIES)
    }

    /// A team that splits positions of these depths and numbers of empty squares.
    pub(super) fn with_sizes(depths: Sizes, empties: Sizes) -> Team<S> {
        Team {
            depths,
            empties,
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

    /// From its beginning the search may take so long.
    pub(super) fn set_maximum(&self, maximum: Duration) {
        self.maximum.store(maximum.as_micros() as u64, Relaxed);
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

    fn shared(&self) -> MutexGuard<'_, Shared<S>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a position of this size is to be split.
    fn wants(&self, size: u32, sizes: Sizes) -> bool {
        size >= sizes.wanted && (size >= sizes.always || self.free.load(Relaxed) > 0)
    }

    fn open(&self, split: Arc<Split<S>>) {
        let mut shared = self.shared();
        shared.open.push(split);
        self.splits.fetch_add(1, Relaxed);
        drop(shared);
        if self.free.load(Relaxed) > 0 {
            self.changed.notify_all();
        }
    }

    /// From here on nobody joins `split`.
    fn close(&self, split: &Arc<Split<S>>) {
        let open = &mut self.shared().open;
        if let Some(index) = open.iter().rposition(|other| Arc::ptr_eq(other, split)) {
            open.remove(index);
        }
    }

    /// Waits for work: in the splits below `top` until that has lost its last helper, or anywhere until the team is
    /// dismissed.
    fn join(&self, top: Option<&Arc<Split<S>>>) -> Option<Share<'_, S>> {
        let is_over = |shared: &Shared<S>| match top {
            Some(top) => top.helpers.load(Relaxed) == 0,
            None => shared.dismissed,
        };
        let mut shared = self.shared();
        if let Some(share) = self.share(&shared, top) {
            return Some(share);
        }
        let start = Instant::now();
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
        let idle = start.elapsed().as_nanos() as u64;
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

impl<'a, E: Incremental> Searcher<'a, E> {
    /// Runs `search` on this searcher while `count` − 1 others help it. They are gone when this returns.
    pub(super) fn with_helpers<T>(
        self,
        team: &'a Team<E::State>,
        count: usize,
        search: impl FnOnce(Searcher<'a, E>) -> T,
    ) -> T {
        let start = Instant::now();
        let result = thread::scope(|scope| {
            let _dismissal = Dismissal(team);
            let first = self.in_team(team);
            for others in 0..count - 1 {
                // Where there can be no more threads, those that there are do the work.
                let Some(room) = MidRoom::try_new() else {
                    break;
                };
                let helper = first.helper(team, room);
                if start_thread(scope, "search", others, move || helper().help(team, None)).is_err()
                {
                    break;
                }
            }
            search(first)
        });
        log::debug!(
            "{count} threads, {} splits, idle {:.1} % of the time",
            team.splits.load(Relaxed),
            100e-9 * team.idle.load(Relaxed) as f64
                / (count as f64 * start.elapsed().as_secs_f64())
        );
        result
    }

    /// Whether to share the moves that are left, so many, at this depth of the middle game.
    #[inline]
    pub(super) fn splits_depth(&self, depth: u32, left: usize) -> bool {
        self.team
            .is_some_and(|team| left > 1 && team.wants(depth, team.depths))
    }

    /// Whether to share the moves that are left, so many, where the game is solved with so many empty squares.
    #[inline]
    pub(super) fn splits_empties(&self, empties: u32, left: usize) -> bool {
        self.team
            .is_some_and(|team| left > 1 && team.wants(empties, team.empties))
    }

    /// Searches the moves of `fork` together with whoever is free. The best value and move as with one thread; if the line is
    /// wanted, it is in `pv`.
    pub(super) fn split(&mut self, fork: Fork<E::State>) -> (Value, Option<Square>) {
        let Some(team) = self.team else {
            return fork.best;
        };
        let (ply, best) = (fork.ply, fork.best);
        let split = Arc::new(Split {
            next: AtomicUsize::new(0),
            floor: AtomicI32::new(fork.window.0.max(best.0).units()),
            is_cut: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            found: Mutex::new(Found { best, line: None }),
            parent: self.split.clone(),
            fork,
        });
        team.open(split.clone());
        self.work_on(&split);
        team.close(&split);
        self.help(team, Some(&split));
        self.look();
        let mut found = split.found();
        if let (Some(line), Some(square)) = (found.line.take(), found.best.1) {
            self.pv.replace(ply + 1, line);
            self.pv.extend(ply, Move::Place(square));
        }
        found.best
    }

    /// Works for others, as [`Team::join`] says where and how long.
    fn help(&mut self, team: &Team<E::State>, top: Option<&Arc<Split<E::State>>>) {
        while let Some(share) = team.join(top) {
            self.work_on(&share.split);
            self.count();
        }
    }

    /// Searches moves of `split` as long as there are any.
    fn work_on(&mut self, split: &Arc<Split<E::State>>) {
        let outer = self.split.replace(split.clone());
        let pruning = std::mem::replace(&mut self.pruning, split.fork.pruning);
        let agreed = std::mem::replace(&mut self.agreed, split.fork.agreed.clone());
        while !self.stopped
            && let Some((square, child)) = split.take()
        {
            let (value, floor) = self.value_of_shared_move(split, &child);
            if self.stopped {
                break;
            }
            split.note(square, value, floor, self.pv.line(split.fork.ply + 1));
        }
        self.split = outer;
        self.pruning = pruning;
        self.agreed = agreed;
        self.look();
    }

    /// The value of the move of `split` that leads to `child`, in the window as it is by now, and the lower end of that.
    fn value_of_shared_move(&mut self, split: &Split<E::State>, child: &Board) -> (Value, Value) {
        let fork = &split.fork;
        let beta = fork.window.1;
        let step = match fork.task {
            Task::Midgame(..) => Value::UNIT,
            Task::Endgame(_) => Value::from_score(1),
        };
        loop {
            let floor = split.floor();
            let scouts = fork.is_pv && self.techniques.contains(Techniques::NULL_WINDOW);
            if scouts && beta - floor > step {
                let value = self.value_between(fork, child, floor, floor + step);
                if value <= floor || value >= beta || self.stopped {
                    return (value, floor);
                }
                if !split.raise_floor(value) {
                    // Meanwhile another move has set as high a standard.
                    continue;
                }
                let below = value - step;
                let value = self.value_between(fork, child, below, beta);
                if value > below || self.stopped {
                    return (value, below);
                }
                // The table knows more than this search sees, so that the two windows tell different stories.
            }
            return (self.value_between(fork, child, floor, beta), floor);
        }
    }

    /// The value of the move that leads to `child`, in the window (`alpha`, `beta`).
    fn value_between(
        &mut self,
        fork: &Fork<E::State>,
        child: &Board,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let (Task::Midgame(_, state) | Task::Endgame(state)) = &fork.task;
        let state = self.evaluator.after(state, &fork.board, child);
        let (node, ply) = ((child, &state), fork.ply + 1);
        match fork.task {
            Task::Midgame(depth, _) => -self.midgame(node, depth - 1, -beta, -alpha, ply),
            Task::Endgame(_) => -self.solve_value(node, -beta, -alpha, ply),
        }
    }

    /// Whether what this thread is doing is still needed.
    fn look(&mut self) {
        self.stopped = self.team.is_some_and(Team::has_ended) || self.is_called_off();
    }

    /// Whether the split that this thread works on, or one above it, is called off.
    pub(super) fn is_called_off(&self) -> bool {
        self.split.as_ref().is_some_and(Split::is_called_off)
    }
}
