//! `learn`: extends a book by searches, best first.
//!
//! A search finds the leaf of a position, the best of its moves that lead out of the book. To
//! expand a leaf means to add the position after it, with a leaf of its own, and to search the next
//! leaf of its parent. `graph.rs` chooses the leaf that loses least against the line of best play.

mod graph;

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::entry::{Entry, Leaf, SOLVED};
use super::file::BookFile;
use super::negamax::recompute_all;
use crate::board::{Bitboard, Board, Color, Position};
use crate::eval::Value;
use crate::files::FileError;
use crate::search::{Depth, Engine, Limits, Silent, StopFlag, level_solve_from};
use crate::work::start_thread;
use graph::{Graph, Id};

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
    /// Value of the root, once it has been searched.
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

/// What a thread searches next.
#[derive(Debug)]
struct LearnTask {
    /// Position of the book whose next leaf is searched. `None` if the book lacks the root.
    own: Option<(Id, Board)>,
    /// Position to add: the one after the leaf of `own`, or the root.
    new: Option<Board>,
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
    let root = limits.root.canonical();
    if let Some(fault) = Entry::new(Value::ZERO, 0).fault(&root) {
        return Err(FileError::refused(
            book.path(),
            format!("the position {fault}"),
        ));
    }
    let learning = Learning {
        limits,
        stop,
        interrupt: StopFlag::default(),
        state: Mutex::new(LearnState {
            graph: load(book)?,
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

/// Removes the searched positions that no line within the errors and the plies of `limits` reaches
/// from `root`, or else from any position that no other leads to. Returns their number.
///
/// # Errors
/// If the book does not have the root. It is then unchanged.
pub fn prune(
    book: &BookFile,
    root: Option<&Board>,
    limits: &LearnLimits,
) -> Result<u64, FileError> {
    let _reserved = book.reserve()?;
    let graph = load(book)?;
    let roots = match root {
        None => graph.roots(),
        Some(board) => {
            let why = "the book does not have the position";
            let id = graph.find(board);
            vec![id.ok_or_else(|| FileError::refused(book.path(), why))?]
        }
    };
    let mut kept = graph.errors(&roots, limits);
    kept.retain(|&id, _| graph.node(id).board.empty_count() >= limits.min_empties);
    book.write(|changes| {
        let mut removed = 0;
        for id in graph.ids() {
            let node = graph.node(id);
            if !kept.contains_key(&id) {
                changes.remove(&node.board)?;
                removed += 1;
                continue;
            }
            // The best of the links that are gone may become the leaf.
            let gone = node
                .links
                .iter()
                .filter(|(_, child)| !kept.contains_key(child));
            let gone = gone.filter_map(|&(mv, child)| {
                let Entry { value, level, .. } = graph.node(child).entry;
                let (square, value) = (mv.square()?, -value);
                Some(Leaf {
                    square,
                    value,
                    level,
                })
            });
            let leaf = gone.chain(node.entry.leaf).max_by_key(|leaf| leaf.value);
            let entry = Entry { leaf, ..node.entry };
            changes.put(&node.board, &entry)?;
        }
        recompute_all(changes, &HashMap::new())?;
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

    /// Searches until nothing is left.
    fn work(&self, engine: &mut Engine) {
        while let Some(task) = self.next() {
            let start = Instant::now();
            let new = task.new.map(|board| self.search_new(engine, board));
            let leaf = task.own.and_then(|(_, board)| {
                let free = self.lock().graph.free_moves(&board, task.new);
                self.search(engine, &board, free)
            });
            // An interrupted search has not reached its depth.
            if self.interrupt.is_set() {
                return;
            }
            self.lock().searching += start.elapsed();
            self.store(&task, leaf, new.unwrap_or_default());
        }
    }

    /// Searches a position that the book lacks, and the one after its forced pass.
    fn search_new(&self, engine: &mut Engine, board: Board) -> Vec<(Board, Entry)> {
        let position = Position {
            board,
            mover: Color::Black,
        };
        if position.must_pass() {
            let mut found = self.search_new(engine, board.pass().canonical());
            let passed = found
                .first()
                .map(|(_, entry)| Entry::new(-entry.value, entry.level));
            found.extend(passed.map(|entry| (board, entry)));
            return found;
        }
        let mut moves = self.lock().graph.free_moves(&board, None);
        if moves.is_empty() {
            // The links give the value.
            moves = board.legal_moves();
        }
        let entry = match self.search(engine, &board, moves) {
            Some(leaf) => Entry {
                leaf: Some(leaf),
                ..Entry::new(leaf.value, leaf.level)
            },
            None => {
                let score = board.final_score();
                Entry {
                    bounds: (score as i8, score as i8),
                    ..Entry::new(Value::from_score(score), SOLVED)
                }
            }
        };
        vec![(board, entry)]
    }

    /// Searches the best of these moves. Returns `None` if there are none.
    fn search(&self, engine: &mut Engine, board: &Board, moves: Bitboard) -> Option<Leaf> {
        if moves.is_empty() {
            return None;
        }
        let mut limits = Limits::depth(self.limits.level.into())
            .with_solve_from_empties(self.limits.solve_from());
        limits.first_moves = Some(moves);
        let line = engine.search(board, &limits, &mut Silent);
        let level = match line.depth {
            Depth::Exact => SOLVED,
            _ => self.limits.level,
        };
        let (square, value) = (line.best_move()?.square()?, line.value);
        Some(Leaf {
            square,
            value,
            level,
        })
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
            let root = state.graph.find(&self.limits.root);
            if root.is_none() && !is_full && state.busy == 0 {
                state.busy = 1;
                let new = Some(self.limits.root.canonical());
                return Some(LearnTask { own: None, new });
            }
            if let Some(root) = root.filter(|_| state.queue.is_empty() && !is_full) {
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
    fn store(&self, task: &LearnTask, leaf: Option<Leaf>, new: Vec<(Board, Entry)>) {
        let mut state = self.lock();
        let before = state.graph.len();
        for (board, entry) in new {
            state.searches += u64::from(entry.leaf.is_some());
            state.graph.insert(board, &entry);
        }
        state.learned += state.graph.len() - before;
        if let Some((id, _)) = task.own {
            state.searches += 1;
            state.graph.set_leaf(id, leaf);
        }
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
        let root = state.graph.find(&self.limits.root);
        let progress = LearnProgress {
            positions: state.graph.len(),
            learned: state.learned,
            searches: state.searches,
            left: state.left,
            root: root.map(|id| state.graph.node(id).entry.value),
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
    /// it, or if nothing is left to search.
    fn task(&mut self, id: Id, limits: &LearnLimits) -> Option<LearnTask> {
        self.left = self.left.saturating_sub(1);
        let node = self.graph.node(id);
        if node.is_busy {
            return None;
        }
        let board = node.board;
        let mut new = None;
        match node.entry.leaf {
            None if node.is_complete() => return None,
            Some(leaf) if leaf.level >= limits.level_of(&board) => {
                new = Some(board.play(leaf.square).canonical());
            }
            _ => {}
        }
        self.graph.node_mut(id).is_busy = true;
        self.busy += 1;
        let own = Some((id, board));
        Some(LearnTask { own, new })
    }
}
