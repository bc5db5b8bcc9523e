//! `learn`: extends a book by searches, best first.
//!
//! A search finds the leaf of a position, the best of its moves that lead out of the book. To
//! expand a leaf means to add the position after it, with a leaf of its own, and to search the next
//! leaf of its parent. `graph.rs` chooses the leaf that loses least against the line of best play.

mod graph;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::entry::{Entry, Leaf, SOLVED, UNBOUNDED};
use super::file::BookFile;
use crate::board::{Bitboard, Board, Move};
use crate::eval::Value;
use crate::files::FileError;
use crate::search::{Depth, Engine, Limits, Silent, StopFlag, level_solve_from};
use crate::work::start_thread;
use graph::{BookNode, Graph, Id};

/// Time between two writes of what has been learned.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);

/// What to learn, and when to end.
#[derive(Clone, Debug)]
pub struct LearnLimits {
    /// Position below which positions are added.
    pub root: Board,
    /// Level of new values: depth of the searches in plies. Stored values of a lower level are
    /// searched again where a line within the error passes.
    pub level: u8,
    /// Maximum sum of the discs that both sides lose on a line.
    pub error: Value,
    /// Maximum number of discs that one move loses.
    pub move_error: Value,
    /// Positions with fewer empty squares are not added.
    pub min_empties: u32,
    /// Number of positions in the book at which learning ends.
    pub positions: Option<usize>,
    /// Duration of learning.
    pub time: Option<Duration>,
}

impl LearnLimits {
    /// The level that a search of `board` has: [`SOLVED`] if it solves the position.
    fn level_of(&self, board: &Board) -> u8 {
        if board.empty_count() <= self.solve_from() {
            SOLVED
        } else {
            self.level
        }
    }

    /// Number of empty squares from which positions are solved.
    fn solve_from(&self) -> u32 {
        level_solve_from(self.level.into())
    }
}

/// Number of candidates that are searched before new ones are chosen, for a book of this size.
fn batch(positions: usize) -> usize {
    (positions / 64).max(16)
}

/// State of a book that learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnProgress {
    /// Positions of the book that are written to the file.
    pub positions: usize,
    /// Positions added.
    pub learned: usize,
    /// Searches done.
    pub searches: u64,
    /// Leaves within the error that are left to expand or to raise to the level.
    pub left: usize,
    /// Value of the root.
    pub root: Option<Value>,
    /// Time since the start.
    pub elapsed: Duration,
    /// Time that all threads together spent in searches.
    pub searching: Duration,
}

/// What the threads share.
#[derive(Debug)]
struct Learning<'a> {
    limits: &'a LearnLimits,
    /// The flag of the caller.
    stop: &'a StopFlag,
    /// Interrupts all searches.
    interrupt: StopFlag,
    state: Mutex<LearnState>,
    /// Signals that a search has ended or that learning ends.
    changed: Condvar,
}

#[derive(Debug)]
struct LearnState {
    graph: Graph,
    root: Id,
    /// Nodes to search next, the most urgent last.
    queue: Vec<Id>,
    /// Number of candidates when the queue was filled, less those searched since.
    left: usize,
    /// Number of nodes that threads search.
    busy: usize,
    learned: usize,
    searches: u64,
    searching: Duration,
    is_over: bool,
}

/// A node to search, and what the search has to find.
#[derive(Debug)]
struct LearnTask {
    id: Id,
    board: Board,
    /// Moves of the position that are links.
    linked: Bitboard,
    /// The position after the leaf, with its links, if the leaf is to be expanded.
    child: Option<(Board, Bitboard)>,
    /// The same after a forced pass of the child.
    after_pass: Option<(Board, Bitboard)>,
}

/// Extends the book below `limits.root`, with one thread for each engine. Ends when no leaf is
/// left, when a limit is reached, or when `stop` is set. Each half second it writes what has been
/// learned, and calls `report` then.
///
/// # Errors
/// If the book cannot be read or written, or another process writes to it. What was written
/// before is kept.
pub fn learn(
    book: &BookFile,
    engines: &mut [Engine],
    limits: &LearnLimits,
    stop: &StopFlag,
    report: &mut dyn FnMut(&LearnProgress),
) -> Result<LearnProgress, FileError> {
    let start = Instant::now();
    // The graph in memory would miss the changes of another writer.
    let _reserved = book.reserve()?;
    let mut graph = load(book)?;
    let root = limits.root.canonical();
    let root = graph
        .find(&root)
        .unwrap_or_else(|| graph.insert(root, &start_entry(&root)));
    let learning = Learning {
        limits,
        stop,
        interrupt: StopFlag::default(),
        state: Mutex::new(LearnState {
            graph,
            root,
            queue: Vec::new(),
            left: 0,
            busy: 0,
            learned: 0,
            searches: 0,
            searching: Duration::ZERO,
            is_over: false,
        }),
        changed: Condvar::new(),
    };
    let written = thread::scope(|scope| {
        for (others, engine) in engines.iter_mut().enumerate() {
            engine.set_interrupt(learning.interrupt.clone());
            let started = start_thread(scope, "learn", others, || learning.work(engine));
            match started {
                Err(error) if others == 0 => return Err(FileError::new(book.path(), error)),
                // The other threads do the work.
                Err(_) => break,
                Ok(_) => {}
            }
        }
        let written = learning.write(book, start, report);
        learning.end();
        written
    });
    written?;
    learning.flush(book, start)
}

/// Removes all positions that no line within the error and the plies of `limits` reaches from the
/// root. Returns their number.
///
/// # Errors
/// If the book cannot be read or written, or does not have the root. It is then unchanged.
pub fn prune(book: &BookFile, limits: &LearnLimits) -> Result<u64, FileError> {
    let _reserved = book.reserve()?;
    let graph = load(book)?;
    let root = graph
        .find(&limits.root)
        .ok_or_else(|| FileError::refused(book.path(), "the book does not have the position"))?;
    let mut kept = graph.errors(root, limits.error, limits.move_error);
    kept.retain(|&id, _| graph.node(id).board.empty_count() >= limits.min_empties);
    book.write(|changes| {
        let mut removed = 0;
        for id in (0..graph.len() as Id).filter(|id| !kept.contains_key(id)) {
            changes.remove(&graph.node(id).board)?;
            removed += 1;
        }
        for &id in kept.keys() {
            let BookNode { board, entry, .. } = graph.node(id);
            let leaf = graph.leaf_without(id, |link| !kept.contains_key(&link));
            if leaf != entry.leaf {
                changes.put(board, &Entry { leaf, ..*entry })?;
            }
        }
        Ok(removed)
    })
}

/// Reads the whole book.
fn load(book: &BookFile) -> Result<Graph, FileError> {
    let mut plies = Vec::new();
    for empties in 0..=Board::START.empty_count() {
        plies.push(book.ply(empties)?);
    }
    Ok(Graph::new(plies.into_iter().flatten()))
}

/// The entry of a position that has not been searched. A finished game has its score.
fn start_entry(board: &Board) -> Entry {
    if !board.is_over() {
        return Entry::default();
    }
    let score = board.final_score();
    Entry {
        value: Some(Value::from_score(score)),
        bounds: (score as i8, score as i8),
        level: SOLVED,
        leaf: Leaf::None,
        ..Entry::default()
    }
}

impl Learning<'_> {
    fn lock(&self) -> MutexGuard<'_, LearnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the work of all threads.
    fn end(&self) {
        self.interrupt.set();
        self.lock().is_over = true;
        self.changed.notify_all();
    }

    /// Searches nodes until none is left.
    fn work(&self, engine: &mut Engine) {
        while let Some(task) = self.next() {
            let start = Instant::now();
            let child = task.child.map(|child| self.search(engine, child));
            let after_pass = task.after_pass.map(|board| self.search(engine, board));
            let moved = task.child.map_or(Bitboard(0), |(child, _)| {
                let moves = task.board.legal_moves().squares();
                moves
                    .filter(|&mv| task.board.play(mv).canonical() == child)
                    .collect()
            });
            let own = self.search(engine, (task.board, task.linked | moved));
            // An interrupted search has not reached its depth.
            if self.interrupt.is_set() {
                return;
            }
            self.lock().searching += start.elapsed();
            self.store(&task, own, [child, after_pass].into_iter().flatten());
        }
    }

    /// Searches the leaf of a board, the best of its moves that are no links.
    fn search(&self, engine: &mut Engine, (board, linked): (Board, Bitboard)) -> (Board, Entry) {
        let mut entry = start_entry(&board);
        let free = board.legal_moves() & !linked;
        if free.is_empty() {
            entry.leaf = Leaf::None;
            entry.level = self.limits.level_of(&board);
            return (board, entry);
        }
        let mut limits = Limits::depth(self.limits.level.into())
            .with_solve_from_empties(self.limits.solve_from());
        limits.first_moves = Some(free);
        let line = engine.search(&board, &limits, &mut Silent);
        let level = if line.depth == Depth::Exact {
            SOLVED
        } else {
            self.limits.level
        };
        if let Some(Move::Place(square)) = line.best_move() {
            let value = line.value;
            entry.leaf = Leaf::Move {
                square,
                value,
                level,
            };
            entry.value = Some(value);
            entry.level = level;
            entry.bounds = UNBOUNDED;
        }
        (board, entry)
    }

    /// Waits for a node to search. Returns `None` when learning is over.
    fn next(&self) -> Option<LearnTask> {
        let mut state = self.lock();
        loop {
            let is_full = self
                .limits
                .positions
                .is_some_and(|most| state.graph.len() + state.busy >= most);
            if state.is_over || (is_full && state.busy == 0) {
                break;
            }
            if state.queue.is_empty() && !is_full {
                let root = state.root;
                (state.queue, state.left) = state.graph.candidates(root, self.limits);
            }
            match state.queue.pop().filter(|_| !is_full) {
                Some(id) => {
                    if let Some(task) = state.task(id, self.limits) {
                        return Some(task);
                    }
                }
                None if state.busy == 0 => break,
                None => {
                    state = self
                        .changed
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        state.is_over = true;
        self.changed.notify_all();
        None
    }

    /// Adds the results of a task to the graph.
    fn store(
        &self,
        task: &LearnTask,
        own: (Board, Entry),
        new: impl Iterator<Item = (Board, Entry)>,
    ) {
        let mut state = self.lock();
        let before = state.graph.len();
        let mut changed = vec![task.id];
        state.searches += 1;
        for (board, entry) in new {
            state.searches += 1;
            let id = state.graph.insert(board, &entry);
            changed.push(id);
            changed.extend(&state.graph.node(id).parents);
        }
        state.learned += state.graph.len() - before;
        state.graph.set_leaf(task.id, own.1.leaf);
        state.graph.node_mut(task.id).is_busy = false;
        // A position without links has the value of its leaf.
        state.graph.update(changed);
        state.busy -= 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Writes what has been learned at intervals until learning is over.
    fn write(
        &self,
        book: &BookFile,
        start: Instant,
        report: &mut dyn FnMut(&LearnProgress),
    ) -> Result<(), FileError> {
        loop {
            let state = self.lock();
            let (state, _) = self
                .changed
                .wait_timeout_while(state, WRITE_INTERVAL, |state| !state.is_over)
                .unwrap_or_else(PoisonError::into_inner);
            let is_over = state.is_over || self.stop.is_set();
            drop(state);
            report(&self.flush(book, start)?);
            if is_over || self.limits.time.is_some_and(|time| start.elapsed() >= time) {
                return Ok(());
            }
        }
    }

    /// Writes the entries that changed.
    fn flush(&self, book: &BookFile, start: Instant) -> Result<LearnProgress, FileError> {
        let mut state = self.lock();
        let mut entries = state.graph.take_changed();
        let progress = LearnProgress {
            positions: state.graph.len(),
            learned: state.learned,
            searches: state.searches,
            left: state.left,
            root: state.graph.node(state.root).entry.value,
            elapsed: start.elapsed(),
            searching: state.searching,
        };
        drop(state);
        entries.sort_unstable_by_key(|(board, _)| (board.empty_count(), *board));
        book.write(|changes| {
            entries
                .iter()
                .try_for_each(|(board, entry)| changes.put(board, entry))
        })?;
        Ok(progress)
    }
}

impl LearnState {
    /// Makes the task for a node, and marks it as busy. Returns `None` if another thread searches
    /// it, or has just expanded its leaf.
    fn task(&mut self, id: Id, limits: &LearnLimits) -> Option<LearnTask> {
        self.left = self.left.saturating_sub(1);
        let node = self.graph.node(id);
        if node.is_busy {
            return None;
        }
        let board = node.board;
        let to = |board: Board| (board, self.graph.linked_moves(&board));
        let (mut child, mut after_pass) = (None, None);
        match node.entry.leaf {
            Leaf::None => return None,
            Leaf::Unknown => {}
            Leaf::Move { level, .. } if level < limits.level_of(&board) => {}
            Leaf::Move { square, .. } => {
                let after = board.play(square).canonical();
                child = Some(to(after));
                let passed = after.pass();
                if !after.can_move() && passed.can_move() {
                    after_pass = Some(passed.canonical())
                        .filter(|passed| self.graph.find(passed).is_none())
                        .map(to);
                }
            }
        }
        let (board, linked) = to(board);
        self.graph.node_mut(id).is_busy = true;
        self.busy += 1;
        Some(LearnTask {
            id,
            board,
            linked,
            child,
            after_pass,
        })
    }
}
