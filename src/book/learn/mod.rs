//! `learn`: extends a book by searches, best first.
//!
//! A search finds the leaf of a position, the best of its moves that lead out of the book. To
//! expand a leaf means to add the position after it, with a leaf of its own, and to search the next
//! leaf of its parent. `graph.rs` chooses the leaf that loses least against the line of best play.

mod graph;

use std::collections::HashMap;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::entry::{Entry, Leaf, SOLVED};
use super::file::BookFile;
use super::negamax::recompute_all;
use emilia_core::board::{Bitboard, Board};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Engine, Limits, Silent, StopFlag, level_solve_from};
use emilia_core::work::start_thread;
use emilia_files::FileError;
use graph::{Graph, Id};

/// Tasks that a thread has at most. Those that wait keep it busy while the calling thread works.
const TASKS: usize = 8;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// What a thread searches next. Each position comes with the moves to choose from.
#[derive(Debug)]
struct LearnTask {
    /// Position of the book whose next leaf is searched. `None` if the book lacks the root.
    own: Option<(Id, Board, Bitboard)>,
    /// Position to add: the one after the leaf of `own`, or the root.
    new: Option<(Board, Bitboard)>,
    /// The position that passes to `new`, which is added as well.
    passing: Option<Board>,
}

/// What a thread found.
#[derive(Debug)]
struct Found {
    task: LearnTask,
    own: Option<Leaf>,
    new: Option<Leaf>,
    searching: Duration,
    /// Index of the thread.
    worker: usize,
}

/// The book in memory, which the calling thread owns.
#[derive(Debug)]
struct Learner<'a> {
    limits: &'a LearnLimits,
    graph: Graph,
    /// Nodes to search next, the most urgent last.
    queue: Vec<Id>,
    /// Number of tasks that threads have.
    busy: usize,
    progress: LearnProgress,
}

/// Extends the book below `limits.root`, with one thread for each engine. Ends when no leaf is
/// left, when a limit is reached, or when `stop` is set. Each half second it writes what has been
/// learned, and calls `report` then.
///
/// # Errors
/// If another process writes to the book, or the root is no position of a game. What was written
/// before an error is kept.
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
    if let Some(fault) = Entry::new(Value::ZERO, 0).fault(&limits.root.canonical()) {
        return Err(FileError::refused(
            book.path(),
            format!("the position {fault}"),
        ));
    }
    let mut learner = Learner {
        limits,
        graph: load(book)?,
        queue: Vec::new(),
        busy: 0,
        progress: LearnProgress::default(),
    };
    let interrupt = StopFlag::default();
    thread::scope(|scope| {
        let (sender, found) = mpsc::channel();
        let mut workers = Vec::new();
        for (worker, engine) in engines.iter_mut().enumerate() {
            engine.set_interrupt(interrupt.clone());
            let (tasks, received) = mpsc::channel();
            let sender = sender.clone();
            let work = move || {
                for task in received {
                    // Fails once learning is over.
                    let _ = sender.send(search_task(engine, limits, task, worker));
                }
            };
            match start_thread(scope, "learn", work) {
                Err(error) if worker == 0 => return Err(FileError::new(book.path(), error)),
                // The other threads do the work.
                Err(_) => break,
                Ok(_) => workers.push(tasks),
            }
        }
        let mut run = || {
            let slots = (0..TASKS).flat_map(|_| 0..workers.len());
            let mut idle: Vec<usize> = slots.collect();
            let mut written = start;
            loop {
                while let Some(&worker) = idle.last()
                    && let Some(task) = learner.next()
                {
                    idle.pop();
                    // Fails only if the thread has ended.
                    let _ = workers[worker].send(task);
                }
                if learner.busy == 0 {
                    return Ok(());
                }
                // One at a time, so that one thread alone learns the same each time.
                if let Ok(found) = found.recv_timeout(WRITE_INTERVAL) {
                    idle.push(found.worker);
                    learner.store(&found);
                }
                let is_over =
                    stop.is_set() || limits.time.is_some_and(|time| start.elapsed() >= time);
                if is_over || written.elapsed() >= WRITE_INTERVAL {
                    report(&learner.write(book, start)?);
                    written = Instant::now();
                }
                if is_over {
                    return Ok(());
                }
            }
        };
        let done = run();
        interrupt.set();
        done
    })?;
    learner.write(book, start)
}

/// Searches the positions of a task.
fn search_task(engine: &mut Engine, limits: &LearnLimits, task: LearnTask, worker: usize) -> Found {
    let start = Instant::now();
    let new = task
        .new
        .and_then(|(board, moves)| search(engine, limits, &board, moves));
    let own = task
        .own
        .and_then(|(_, board, moves)| search(engine, limits, &board, moves));
    let searching = start.elapsed();
    Found {
        task,
        own,
        new,
        searching,
        worker,
    }
}

/// Searches the best of these moves. Returns `None` if there are none.
fn search(
    engine: &mut Engine,
    limits: &LearnLimits,
    board: &Board,
    moves: Bitboard,
) -> Option<Leaf> {
    if moves.is_empty() {
        return None;
    }
    let depth = Limits::depth(limits.level.into());
    let mut search_limits = depth.with_solve_from_empties(limits.solve_from());
    search_limits.first_moves = Some(moves);
    let line = engine.search(board, &search_limits, &mut Silent);
    let level = match line.depth {
        Depth::Exact => SOLVED,
        _ => limits.level,
    };
    Some(Leaf::new(line.best_move()?.square()?, line.value, level))
}

impl Entry {
    /// The entry of a position that has only a leaf.
    pub(super) fn of_leaf(leaf: Leaf) -> Entry {
        Entry {
            leaf: Some(leaf),
            ..Entry::new(leaf.value, leaf.level)
        }
    }

    /// The entry of the end of a game.
    pub(super) fn of_end(board: &Board) -> Entry {
        let score = board.final_score();
        Entry {
            bounds: (score as i8, score as i8),
            ..Entry::new(Value::from_score(score), SOLVED)
        }
    }
}

impl Learner<'_> {
    /// The next task, if there is one before others are done.
    fn next(&mut self) -> Option<LearnTask> {
        let most = self.limits.positions.unwrap_or(usize::MAX);
        if self.graph.len() + self.busy >= most {
            return None;
        }
        let Some(root) = self.graph.find(&self.limits.root) else {
            let root = self.limits.root.canonical();
            return (self.busy == 0).then(|| self.task(None, Some(root)));
        };
        loop {
            if self.queue.is_empty() {
                (self.queue, self.progress.left) = self.graph.candidates(root, self.limits);
            }
            let id = self.queue.pop()?;
            self.progress.left = self.progress.left.saturating_sub(1);
            let node = self.graph.node(id);
            if node.is_busy || (node.entry.leaf.is_none() && node.is_complete()) {
                continue;
            }
            let level = self.limits.level_of(&node.board);
            let leaf = node.entry.leaf.filter(|leaf| leaf.level >= level);
            let child = leaf.map(|leaf| node.board.play(leaf.square).canonical());
            return Some(self.task(Some(id), child));
        }
    }

    /// The task to add `child` to the book, and to search the next leaf of `own`.
    fn task(&mut self, own: Option<Id>, child: Option<Board>) -> LearnTask {
        let own = own.map(|id| {
            let node = self.graph.node_mut(id);
            node.is_busy = true;
            let board = node.board;
            (id, board, self.graph.free_moves(&board, child))
        });
        let passing = child.filter(|board| !board.can_move() && board.pass().can_move());
        let new = passing.map(|board| board.pass().canonical()).or(child);
        let new = new.map(|board| {
            let free = self.graph.free_moves(&board, None);
            // Without a free move the links give the value.
            (
                board,
                if free.is_empty() {
                    board.legal_moves()
                } else {
                    free
                },
            )
        });
        self.busy += 1;
        LearnTask { own, new, passing }
    }

    /// Adds what a thread found to the graph.
    fn store(&mut self, found: &Found) {
        let before = self.graph.len();
        let LearnTask { own, new, passing } = found.task;
        if let Some((board, _)) = new {
            let entry = found
                .new
                .map_or_else(|| Entry::of_end(&board), Entry::of_leaf);
            self.graph.insert(board, &entry);
            if let Some(passing) = passing {
                self.graph
                    .insert(passing, &Entry::new(-entry.value, entry.level));
            }
        }
        if let Some((id, ..)) = own {
            self.graph.set_leaf(id, found.own);
        }
        self.busy -= 1;
        self.progress.learned += self.graph.len() - before;
        self.progress.searches += [found.own, found.new].iter().flatten().count() as u64;
        self.progress.searching += found.searching;
    }

    /// Writes the entries that changed.
    fn write(&mut self, book: &BookFile, start: Instant) -> Result<LearnProgress, FileError> {
        let mut entries = self.graph.take_changed();
        entries.sort_unstable_by_key(|(board, _)| (board.empty_count(), *board));
        book.write(|changes| {
            let mut entries = entries.iter();
            entries.try_for_each(|(board, entry)| changes.put(board, entry))
        })?;
        let root = self.graph.find(&self.limits.root);
        Ok(LearnProgress {
            positions: self.graph.len(),
            root: root.map(|id| self.graph.node(id).entry.value),
            elapsed: start.elapsed(),
            ..self.progress
        })
    }
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
                Some(Leaf::new(mv.square()?, -value, level))
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
