//! `learn` extends a book by searches, the best line first. `prune` removes the positions that are
//! on no line within given limits.
//!
//! The leaf of a position is the best of its moves that lead out of the book, as a search finds it.
//! A link is a move to a position of the book. A line is a sequence of links from the root, the
//! position at which a learning run begins. Expanding the leaf of a position P adds the position
//! after the leaf to the book. One search then finds the leaf of the added position, and another
//! search finds the next leaf of P. The error of a line is the number of discs that both sides
//! together lose on it against best play. The leaf whose line has the smallest error, with a small
//! cost added per ply, is expanded first.
//!
//! The calling thread keeps the book in memory, and the other threads search. The values of the
//! book are recomputed before each choice of a batch of candidates, and before each write.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::convert::Infallible;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::children;
use super::entry::{Entry, Leaf, SOLVED};
use super::file::BookFile;
use super::graph::{recompute_all, recompute_plies};
use super::import::import;
use super::positions::key_of;
use emilia_core::board::{Bitboard, Board};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Engine, Limits, Silent, StopFlag, level_solve_from};
use emilia_core::work::{parallel_map, start_thread};
use emilia_files::FileError;

/// Maximum number of unfinished tasks per thread. It is above 1, so that threads stay busy while
/// the calling thread works.
const TASKS: usize = 8;

/// Least time between two writes to the book file.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);

/// Least time between two writes, as a multiple of the time that the last write took: writing takes
/// at most a tenth of the time.
const WRITE_SHARE: u32 = 10;

/// Number of positions that [`learn_games`] searches between two writes.
const BATCH: usize = 256;

/// Cost of a ply in the order of expansion: a line that is ten plies longer is as urgent as a line
/// that loses one disc more (drop-out expansion, Lincke 2001).
const PLY_COST: Value = Value::from_units(Value::PER_DISC / 10);

/// Root, depth and limits of a learning run.
#[derive(Clone, Debug)]
pub struct LearnLimits {
    /// The position below which positions are added to the book.
    pub root: Board,
    /// Level of new values: depth of the searches in plies. Leaves of a lower level that are within
    /// `reach` are searched again.
    pub level: u8,
    /// Limits of the lines whose leaves are expanded.
    pub reach: LineLimits,
    /// Number of positions in the book at which learning ends. `None`: no limit.
    pub positions: Option<usize>,
    /// Time after which learning ends. `None`: no limit.
    pub time: Option<Duration>,
}

/// Limits of the lines that begin at a given position of the book.
#[derive(Clone, Copy, Debug)]
pub struct LineLimits {
    /// Maximum number of discs that both sides together may lose on a line.
    pub error: Value,
    /// Maximum number of discs that one move of a line may lose.
    pub move_error: Value,
    /// Least number of empty squares of the positions on a line.
    pub min_empties: u32,
}

impl LearnLimits {
    /// Returns the level of a search of `board`: [`SOLVED`] if the search solves the position.
    fn level_of(&self, board: &Board) -> u8 {
        if board.empty_count() <= level_solve_from(self.level.into()) {
            SOLVED
        } else {
            self.level
        }
    }
}

/// Progress of a learning run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LearnProgress {
    /// Number of positions in the book file.
    pub positions: usize,
    /// Number of positions that this run added.
    pub learned: usize,
    /// Number of searches done.
    pub searches: u64,
    /// Number of positions left to search: their leaf is not searched yet, must be expanded, or
    /// must be searched again because its level is too low.
    pub left: usize,
    /// Value of the root, once the root is in the book.
    pub root: Option<Value>,
}

/// Task of a thread: one or two searches. Each position to search is paired with the moves among
/// which the search chooses.
#[derive(Clone, Copy, Debug)]
struct LearnTask {
    /// Position of the book whose next leaf is searched. `None` if the task adds the root, which
    /// the book does not have yet.
    own: Option<(Board, Bitboard)>,
    /// Position to add to the book: the root, or the position after the leaf of `own` (its best move
    /// that leads out of the book). `None` if the leaf of `own` cannot be expanded: it has not been
    /// searched, it leads to a position of the book by now, or it must be searched again.
    new: Option<(Board, Bitboard)>,
    /// The position from which a pass leads to `new`. It is also added to the book.
    passing: Option<Board>,
}

/// The leaves that a thread found for the positions `own` and `new` of a task.
#[derive(Debug)]
struct FoundLeaves {
    task: LearnTask,
    own: Option<Leaf>,
    new: Option<Leaf>,
}

/// Entries of a book by board. Each board is the smallest of its symmetric images.
type Positions = HashMap<Board, Entry>;

/// State of a learning run, with the book in memory.
#[derive(Debug)]
struct Learner<'a> {
    limits: &'a LearnLimits,
    book: Positions,
    /// Positions that changed since they were last written.
    changed: HashSet<Board>,
    /// Positions to search next, the most urgent last.
    queue: Vec<Board>,
    /// Positions of the book that are `own` in an unfinished task.
    busy: HashSet<Board>,
    /// Number of unfinished tasks.
    tasks: usize,
    progress: LearnProgress,
}

/// Extends the book below `limits.root`, with one thread for each engine. Ends when no leaf within
/// `limits.reach` is left to search, at the limit of positions or time, or when `stop` is set.
/// Calls `report` after each write to the file, except the last write.
///
/// # Errors
/// If another process writes to the book, the book cannot be written, a thread cannot be started,
/// or the root is a position that a book cannot store. Positions written before an error stay in
/// the book.
pub fn learn(
    book: &BookFile,
    engines: &mut [Engine],
    limits: &LearnLimits,
    stop: &StopFlag,
    report: &mut dyn FnMut(&LearnProgress),
) -> Result<LearnProgress, FileError> {
    let start = Instant::now();
    // Without the lock, the positions in memory would miss the changes of another writer.
    let _reserved = book.reserve()?;
    if let Some(fault) = Entry::new(Value::ZERO, 0).fault(&limits.root.canonical()) {
        let why = format!("the position {fault}");
        return Err(FileError::refused(book.path(), why));
    }
    let mut learner = Learner {
        limits,
        book: book.positions()?.into_iter().collect(),
        changed: HashSet::new(),
        queue: Vec::new(),
        busy: HashSet::new(),
        tasks: 0,
        progress: LearnProgress::default(),
    };
    let interrupt = StopFlag::default();
    let most_tasks = TASKS * engines.len();
    let (tasks, received) = mpsc::channel::<LearnTask>();
    let received = Mutex::new(received);
    thread::scope(|scope| {
        // The threads end when `tasks`, the sender, is dropped at the end of this closure.
        let tasks = tasks;
        let (sender, found) = mpsc::channel();
        for engine in engines {
            engine.set_interrupt(interrupt.clone());
            let (sender, received) = (sender.clone(), &received);
            let work = move || {
                let next = || received.lock().recv().ok();
                while let Some(task) = next() {
                    let new = task.new.and_then(|of| search(engine, limits.level, of));
                    let own = task.own.and_then(|of| search(engine, limits.level, of));
                    // Fails after learning has ended, when the result is not needed.
                    let _ = sender.send(FoundLeaves { task, own, new });
                }
            };
            let started = start_thread(scope, "learn", work);
            started.map_err(|error| FileError::new(book.path(), error))?;
        }
        let mut run = || {
            let (mut written, mut interval) = (start, WRITE_INTERVAL);
            loop {
                while learner.tasks < most_tasks
                    && let Some(task) = learner.next()
                {
                    // Fails only if all threads have ended.
                    let _ = tasks.send(task);
                }
                if learner.tasks == 0 {
                    return Ok(());
                }
                // Stores one result before new tasks are sent. With one search thread, the learned
                // book is then reproducible.
                if let Ok(found) = found.recv_timeout(WRITE_INTERVAL) {
                    learner.store(&found);
                }
                if stop.is_set() || limits.time.is_some_and(|time| start.elapsed() >= time) {
                    return Ok(());
                }
                if written.elapsed() >= interval {
                    let begun = Instant::now();
                    report(&learner.write(book)?);
                    written = Instant::now();
                    interval = WRITE_INTERVAL.max(WRITE_SHARE * begun.elapsed());
                }
            }
        };
        let done = run();
        interrupt.set();
        done
    })?;
    learner.write(book)
}

/// Searches a position for the best of `moves`. Returns `None` if `moves` is empty.
fn search(engine: &mut Engine, level: u8, (board, moves): (Board, Bitboard)) -> Option<Leaf> {
    if moves.is_empty() {
        return None;
    }
    let mut limits = Limits::depth(level.into()).at_level();
    limits.first_moves = Some(moves);
    let line = engine.search(&board, &limits, &mut Silent);
    let level = match line.depth {
        Depth::Exact => SOLVED,
        _ => level,
    };
    Some(Leaf::new(line.best_move()?.square()?, line.value, level))
}

/// Adds positions of games to a book, with the values of searches at `level`. Leaves out positions
/// that the book already has at this level or a higher one, and positions that a book cannot store.
///
/// Positions are searched and written in batches of [`BATCH`]. Before each batch, `report` is
/// called with the number of positions done and the number of all positions. If `stop` is set, ends
/// without the unfinished batch.
///
/// # Errors
/// If another process writes to the book. Positions written before an error stay in the book.
pub fn learn_games(
    book: &BookFile,
    boards: impl IntoIterator<Item = Board>,
    engines: &mut [Engine],
    level: u8,
    stop: &StopFlag,
    report: &mut dyn FnMut(usize, usize),
) -> Result<(), FileError> {
    let mut known: Positions = book.positions()?.into_iter().collect();
    let unknown = Entry::new(Value::ZERO, 0);
    let boards = boards.into_iter().map(|board| board.canonical());
    let lacks = |board: &Board| known.get(board).is_none_or(|entry| entry.level < level);
    let is_wanted = |board: &Board| lacks(board) && unknown.fault(board).is_none();
    let mut wanted: Vec<Board> = boards.filter(is_wanted).collect();
    wanted.sort_unstable_by_key(key_of);
    wanted.dedup();
    known.extend(wanted.iter().map(|&board| (board, unknown)));
    for engine in engines.iter_mut() {
        engine.set_interrupt(stop.clone());
    }
    for (number, batch) in wanted.chunks(BATCH).enumerate() {
        report(number * BATCH, wanted.len());
        let found = parallel_map("book", engines, batch, &|_| (), |engine, &board| {
            let entry = searched(engine, level, &known, &board);
            (!stop.is_set()).then_some((board, entry))
        });
        let Some(entries) = found else { break };
        import(book, vec![entries])?;
    }
    Ok(())
}

/// Searches a position and returns its entry. `known` holds the positions of the book. The search
/// chooses among the moves that lead out of the book, or among all moves if every move is a link.
/// The value of a position without a legal move is the final score, or follows from the position
/// after the pass.
fn searched(engine: &mut Engine, level: u8, known: &Positions, board: &Board) -> Entry {
    if board.is_over() {
        return Entry::of_end(board);
    }
    if !board.can_move() {
        let passed = searched(engine, level, known, &board.pass().canonical());
        return Entry::new(-passed.value, passed.level);
    }
    let free = free_moves(known, board, None);
    let moves = if free.is_empty() {
        board.legal_moves()
    } else {
        free
    };
    search(engine, level, (*board, moves)).map_or(Entry::new(Value::ZERO, 0), Entry::of_leaf)
}

impl Learner<'_> {
    /// Returns the next task for a thread. Returns `None` at the limit of positions, or if only the
    /// result of an unfinished task can give a further task.
    fn next(&mut self) -> Option<LearnTask> {
        let most = self.limits.positions.unwrap_or(usize::MAX);
        if self.book.len() + self.tasks >= most {
            return None;
        }
        let root = self.limits.root.canonical();
        if !self.book.contains_key(&root) {
            return (self.tasks == 0).then(|| self.task(None, Some(root)));
        }
        loop {
            if self.queue.is_empty() {
                self.recompute();
                self.queue = self.candidates(&root);
            }
            let board = self.queue.pop()?;
            self.progress.left = self.progress.left.saturating_sub(1);
            // A position that was added after the queue was filled may have made a move of `board`
            // a link.
            let free = free_moves(&self.book, &board, None);
            if free.is_empty() || self.busy.contains(&board) {
                continue;
            }
            let level = self.limits.level_of(&board);
            let is_ready = |leaf: &Leaf| leaf.level >= level && free.contains(leaf.square);
            let leaf = self.book[&board].leaf.filter(is_ready);
            let child = leaf.map(|leaf| board.play(leaf.square).canonical());
            return Some(self.task(Some(board), child));
        }
    }

    /// Creates the task that adds `child` to the book and searches the next leaf of `parent`.
    /// `parent` is `None` if `child` is the root. `child` is `None` if `parent` has no leaf that
    /// can be added.
    fn task(&mut self, parent: Option<Board>, child: Option<Board>) -> LearnTask {
        let own = parent.map(|board| {
            self.busy.insert(board);
            (board, free_moves(&self.book, &board, child))
        });
        let passing = child.filter(|board| !board.can_move() && board.pass().can_move());
        let added = passing.map(|board| board.pass().canonical()).or(child);
        let new = added.map(|board| {
            let free = free_moves(&self.book, &board, None);
            // If every move is a link, all moves are searched. The value then follows from the
            // links.
            let has_free = !free.is_empty();
            (board, if has_free { free } else { board.legal_moves() })
        });
        self.tasks += 1;
        LearnTask { own, new, passing }
    }

    /// Stores the leaves that a thread found, without recomputing the values of other positions.
    fn store(&mut self, found: &FoundLeaves) {
        let before = self.book.len();
        let LearnTask { own, new, passing } = found.task;
        if let Some((board, _)) = new {
            let entry = found
                .new
                .map_or_else(|| Entry::of_end(&board), Entry::of_leaf);
            let before = passing.map(|board| (board, Entry::new(-entry.value, entry.level)));
            for (board, entry) in [(board, entry)].into_iter().chain(before) {
                self.book.entry(board).or_insert(entry);
                self.changed.insert(board);
            }
        }
        if let Some((board, _)) = own {
            self.busy.remove(&board);
            self.changed.insert(board);
            let entry = self.book.entry(board);
            entry.and_modify(|entry| entry.leaf = found.own);
        }
        self.tasks -= 1;
        self.progress.learned += self.book.len() - before;
        self.progress.searches += [found.own, found.new].iter().flatten().count() as u64;
    }

    /// Recomputes the values of all positions.
    fn recompute(&mut self) {
        let mut plies = vec![Vec::new(); 1 + Board::START.empty_count() as usize];
        for (&board, &entry) in &self.book {
            plies[board.empty_count() as usize].push((board, entry));
        }
        let Learner { book, changed, .. } = self;
        let Ok(()) = recompute_plies::<Infallible>(
            |empties| Ok(std::mem::take(&mut plies[empties as usize])),
            &HashMap::new(),
            |board, _, new| {
                book.insert(*board, *new);
                changed.insert(*board);
                Ok(())
            },
        );
    }

    /// Returns a batch of positions to search next, the most urgent last. Counts all candidates in
    /// [`left`](LearnProgress::left).
    ///
    /// Candidates are the positions on lines within the error limits that are not `own` in an
    /// unfinished task. A position without a leaf is a candidate if one of its moves leads out of
    /// the book. A position with a leaf is a candidate if the line that ends with the leaf is
    /// within the error limits, and either the level of the leaf is too low or the position has
    /// more than `min_empties` empty squares. The most urgent position is the one whose line to the
    /// leaf has the smallest error, with [`PLY_COST`] added for each ply.
    fn candidates(&mut self, root: &Board) -> Vec<Board> {
        let reach = &self.limits.reach;
        let mut found = Vec::new();
        for (board, error) in errors(&self.book, &[*root], reach) {
            if self.busy.contains(&board) {
                continue;
            }
            let entry = &self.book[&board];
            let plies = (root.empty_count() - board.empty_count()) as i32;
            let cost = error + Value::from_units(PLY_COST.units() * plies);
            let Some(leaf) = entry.leaf else {
                if !free_moves(&self.book, &board, None).is_empty() {
                    found.push((cost, board));
                }
                continue;
            };
            let loss = entry.value - leaf.value;
            let is_within = loss <= reach.move_error && error + loss <= reach.error;
            let is_low = leaf.level < self.limits.level_of(&board);
            if is_within && (is_low || board.empty_count() > reach.min_empties) {
                found.push((cost + loss, board));
            }
        }
        self.progress.left = found.len();
        found.sort_unstable_by_key(|&candidate| Reverse(candidate));
        let batch = (self.book.len() / 64).max(16);
        let urgent = found.split_off(found.len().saturating_sub(batch));
        urgent.into_iter().map(|(_, board)| board).collect()
    }

    /// Recomputes the values, and writes the positions that changed.
    fn write(&mut self, book: &BookFile) -> Result<LearnProgress, FileError> {
        self.recompute();
        let mut changed: Vec<Board> = self.changed.drain().collect();
        changed.sort_unstable_by_key(key_of);
        let put = |board| book.put(board, &self.book[board]);
        book.write(|| changed.iter().try_for_each(put))?;
        let root = self.book.get(&self.limits.root.canonical());
        Ok(LearnProgress {
            positions: self.book.len(),
            root: root.map(|entry| entry.value),
            ..self.progress
        })
    }
}

/// Returns the moves of `board` that lead neither to a position of the book nor to `other`. `board`
/// need not be in the book.
fn free_moves(book: &Positions, board: &Board, other: Option<Board>) -> Bitboard {
    let is_free = |after: &Board| !book.contains_key(after) && Some(*after) != other;
    let free = children(board).filter(|(_, after)| is_free(after));
    free.filter_map(|(mv, _)| mv.square()).collect()
}

/// Returns the positions on lines from `roots` that are within the error limits of `reach`, each
/// with its error: the least number of discs that a line from a root to the position loses
/// (Dijkstra 1959). `reach.min_empties` is not applied.
fn errors(book: &Positions, roots: &[Board], reach: &LineLimits) -> HashMap<Board, Value> {
    let at_roots = roots.iter().map(|&root| (root, Value::ZERO));
    let mut errors: HashMap<Board, Value> = at_roots.clone().collect();
    let mut open: BinaryHeap<_> = at_roots.map(|(root, zero)| Reverse((zero, root))).collect();
    while let Some(Reverse((so_far, board))) = open.pop() {
        if errors[&board] < so_far {
            continue;
        }
        for (_, child) in children(&board) {
            let Some(entry) = book.get(&child) else {
                continue;
            };
            let loss = book[&board].value + entry.value;
            let total = so_far + loss;
            if loss <= reach.move_error
                && total <= reach.error
                && errors.get(&child).is_none_or(|&best| total < best)
            {
                errors.insert(child, total);
                open.push(Reverse((total, child)));
            }
        }
    }
    errors
}

/// Removes the positions that are on no line within `reach` from `root`. Without `root`, lines
/// begin at each position that no other position of the book leads to. Returns the number of
/// positions removed.
///
/// # Errors
/// If the book does not have the root. The book is then unchanged.
pub fn prune(book: &BookFile, root: Option<&Board>, reach: &LineLimits) -> Result<u64, FileError> {
    book.write(|| {
        let all: Positions = book.positions()?.into_iter().collect();
        let roots: Vec<Board> = match root.map(Board::canonical) {
            None => {
                let links = all.keys().flat_map(children);
                let linked: HashSet<Board> = links.map(|(_, child)| child).collect();
                let first = all.keys().filter(|board| !linked.contains(board));
                first.copied().collect()
            }
            Some(root) if all.contains_key(&root) => vec![root],
            Some(_) => {
                let why = "the book does not have the position";
                return Err(FileError::refused(book.path(), why));
            }
        };
        let mut kept = errors(&all, &roots, reach);
        kept.retain(|board, _| board.empty_count() >= reach.min_empties);
        let mut removed = 0;
        for (board, entry) in &all {
            if !kept.contains_key(board) {
                book.remove(board)?;
                removed += 1;
                continue;
            }
            // A move to a removed position leads out of the book now. The best such move may become
            // the leaf.
            let gone = children(board).filter_map(|(mv, child)| {
                let Entry { value, level, .. } =
                    all.get(&child).filter(|_| !kept.contains_key(&child))?;
                Some(Leaf::new(mv.square()?, -*value, *level))
            });
            let leaf = gone.chain(entry.leaf).max_by_key(|leaf| leaf.value);
            book.put(board, &Entry { leaf, ..*entry })?;
        }
        recompute_all(book, &HashMap::new())?;
        Ok(removed)
    })
}
