//! The [`Engine`]: public interface of the search, free of protocols and of input and output.
//! An engine owns the transposition table and the state of each thread, and sets up a search.
//! The search itself begins in [`root`](super::root::iterate).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::control::Control;
use super::midgame::split::with_helpers;
use super::observed::Observed;
use super::parallel::team::Team;
use super::parallel::thread_state::ThreadState;
use super::pruning::sigmas::Sigmas;
use super::running::SearchHandle;
use super::searcher::{Searcher, Shared};
use super::table::memory::{self, OutOfMemory};
use super::table::transposition::TranspositionTable;
use super::time::clock::Stopwatch;
use super::{Limits, Line, Report, Settings, Silent, StopFlag};
use crate::board::Board;
use crate::eval::{AnyEvaluator, Evaluator, FromScratch, SearchEvaluator};

/// Binds `$evaluator` to the concrete evaluation in `$any` and evaluates `$body`.
/// The search in `$body` is compiled separately for each type of evaluation.
macro_rules! with_evaluator {
    ($any:expr, $evaluator:ident => $body:expr) => {
        match $any {
            AnyEvaluator::Simple(simple) => {
                let $evaluator = &FromScratch::<dyn Evaluator>(simple);
                $body
            }
            AnyEvaluator::Classic(classic) => {
                let $evaluator = &FromScratch(classic);
                $body
            }
            AnyEvaluator::Pattern($evaluator) => $body,
            AnyEvaluator::Net($evaluator) => $body,
            AnyEvaluator::Custom(custom) => {
                let $evaluator = &FromScratch(custom.as_ref());
                $body
            }
        }
    };
}

/// Searches positions. The transposition table is kept from one search to the next.
///
/// [`search`](Self::search) and [`multi_pv`](Self::multi_pv) block until the search ends.
/// [`start`](Self::start) returns at once. An engine runs one search at a time, later ones wait.
///
/// ```
/// use emilia::board::Board;
/// use emilia::search::{Engine, Limits, Settings, Silent};
/// let mut engine = Engine::new(Settings::default());
/// let line = engine.search(&Board::START, &Limits::depth(6), &mut Silent);
/// assert_eq!(line.pv.len(), 6);
/// ```
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    /// Flag that stops the running search and every later one of this engine.
    interrupt: StopFlag,
    memory: Arc<Mutex<Memory>>,
}

/// State that an engine keeps from one search to the next.
#[derive(Debug)]
struct Memory {
    table: TranspositionTable,
    /// Standard deviations for forward pruning, tabulated for the evaluation of the last search.
    sigmas: Option<Sigmas>,
    /// State of each search thread. Never empty: the first entry belongs to the main thread.
    threads: Vec<ThreadState>,
}

/// Position to search, with its limits.
#[derive(Clone, Debug)]
struct SearchRequest {
    board: Board,
    /// Number of lines (MultiPV).
    count: usize,
    limits: Limits,
}

impl Engine {
    /// Creates an engine with an empty transposition table.
    ///
    /// # Panics
    /// Panics if the table does not fit in memory.
    /// Use [`try_new`](Self::try_new) where the size comes from user input.
    pub fn new(settings: Settings) -> Engine {
        Engine::try_new(settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates an engine with an empty transposition table.
    ///
    /// # Errors
    /// Returns an error if the table does not fit in memory.
    pub fn try_new(settings: Settings) -> Result<Engine, OutOfMemory> {
        let table = TranspositionTable::new(settings.hash_mib)?;
        let mut first = ThreadState::default();
        if !first.reserve() {
            return Err(OutOfMemory::of(settings.hash_mib));
        }
        let memory = Memory {
            table,
            sigmas: None,
            threads: vec![first],
        };
        Ok(Engine {
            settings,
            interrupt: StopFlag::default(),
            memory: Arc::new(Mutex::new(memory)),
        })
    }

    /// Creates up to `count` engines with the same settings, one for each parallel request.
    ///
    /// Returns fewer engines where memory runs out, but at least one.
    ///
    /// # Errors
    /// Returns an error if not even one engine fits in memory.
    pub fn several(settings: &Settings, count: usize) -> Result<Vec<Engine>, OutOfMemory> {
        let first = Engine::try_new(settings.clone())?;
        let others = (1..count).map_while(|_| Engine::try_new(settings.clone()).ok());
        Ok(std::iter::once(first).chain(others).collect())
    }

    /// Returns the current settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings.
    ///
    /// A change of the evaluation clears the table and the state of all threads.
    /// A change of `hash_mib` replaces the table by an empty one.
    ///
    /// # Errors
    /// Returns an error if a table of the new size does not fit in memory. The old settings stay.
    /// The table may then be empty, and smaller if another program has taken its memory.
    pub fn configure(&mut self, settings: Settings) -> Result<(), OutOfMemory> {
        let mut memory = lock(&self.memory);
        if settings.hash_mib != self.settings.hash_mib {
            memory.resize(self.settings.hash_mib, settings.hash_mib)?;
        }
        if settings.evaluator.fingerprint() != self.settings.evaluator.fingerprint() {
            memory.clear();
        }
        drop(memory);
        self.settings = settings;
        Ok(())
    }

    /// Clears the table and the state of all threads.
    ///
    /// The next search then does not depend on earlier ones.
    pub fn clear(&mut self) {
        lock(&self.memory).clear();
    }

    /// Sets the stop flag for every search of this engine. Several engines can share one flag.
    pub fn set_interrupt(&mut self, interrupt: StopFlag) {
        self.interrupt = interrupt;
    }

    /// Searches for the best line for the side to move.
    ///
    /// If the side to move must pass, the line begins with the pass.
    /// When the game is over, the line is empty and its value is the final score.
    /// The first iteration is always completed, so that even a search stopped at once has a move.
    pub fn search(&mut self, board: &Board, limits: &Limits, report: &mut dyn Report) -> Line {
        self.multi_pv(board, 1, limits, report).swap_remove(0)
    }

    /// Searches for the `count` best first moves (MultiPV). Returns their lines, best first.
    ///
    /// Returns at least one line, and fewer than `count` if there are fewer moves.
    /// `report` receives each line of each completed iteration.
    pub fn multi_pv(
        &mut self,
        board: &Board,
        count: usize,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        let request = SearchRequest {
            board: *board,
            count,
            limits: limits.clone(),
        };
        lock(&self.memory).search(&self.settings, &self.control(), &request, report)
    }

    /// Starts a search for the `count` best lines in a new thread and returns at once.
    pub fn start(&self, board: &Board, count: usize, limits: &Limits) -> SearchHandle {
        let request = SearchRequest {
            board: *board,
            count,
            limits: limits.clone(),
        };
        let (memory, settings) = (Arc::clone(&self.memory), self.settings.clone());
        SearchHandle::spawn(self.control(), move |control, report| {
            lock(&memory).search(&settings, control, &request, report)
        })
    }

    /// Searches for the best line and calls `observe` for each position evaluated statically.
    ///
    /// `observe` is called from all search threads.
    /// A position whose value a thread has cached is not evaluated again.
    pub fn search_observed(
        &mut self,
        board: &Board,
        limits: &Limits,
        observe: &(dyn Fn(&Board) + Sync),
    ) -> Line {
        let request = SearchRequest {
            board: *board,
            count: 1,
            limits: limits.clone(),
        };
        let (settings, control) = (&self.settings, self.control());
        let mut memory = lock(&self.memory);
        let mut lines = with_evaluator!(&settings.evaluator, evaluator => {
            let observed = Observed { evaluator, observe };
            memory.search_with(&observed, settings, &control, &request, &mut Silent)
        });
        lines.swap_remove(0)
    }

    /// Returns the stop flag for every search of this engine.
    pub fn interrupt(&self) -> &StopFlag {
        &self.interrupt
    }

    fn control(&self) -> Control {
        Control::new(self.interrupt.clone())
    }
}

/// Locks the memory of an engine, also after a search that panicked.
/// A panic leaves no invalid table entry, because each entry is written as a whole.
fn lock(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    fn clear(&mut self) {
        self.table.clear();
        self.threads.iter_mut().for_each(ThreadState::clear);
    }

    /// Replaces the table by an empty one of `mib` MiB.
    /// The old table is freed first only if both do not fit in memory together.
    fn resize(&mut self, old: usize, mib: usize) -> Result<(), OutOfMemory> {
        let refused = match TranspositionTable::new(mib) {
            Ok(table) => {
                self.table = table;
                return Ok(());
            }
            Err(refused) => refused,
        };
        if !memory::fits_in_memory(mib.saturating_mul(1 << 20), old.saturating_mul(1 << 20)) {
            return Err(refused);
        }
        self.table = TranspositionTable::new(0)?;
        let (table, result) = match TranspositionTable::new(mib) {
            Ok(table) => (table, Ok(())),
            // A table of the old size fits again, unless another program took the memory meanwhile.
            Err(refused) => {
                let smaller = std::iter::successors(Some(old), |&mib| (mib > 0).then_some(mib / 2));
                let table = smaller
                    .into_iter()
                    .find_map(|mib| TranspositionTable::new(mib).ok());
                (table.ok_or(refused)?, Err(refused))
            }
        };
        self.table = table;
        result
    }

    /// Searches with the evaluation of the settings.
    fn search(
        &mut self,
        settings: &Settings,
        control: &Control,
        request: &SearchRequest,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        with_evaluator!(&settings.evaluator, evaluator => {
            self.search_with(evaluator, settings, control, request, report)
        })
    }

    /// Searches with a concrete type of evaluation: sets up threads and shared state.
    fn search_with<E: SearchEvaluator>(
        &mut self,
        evaluator: &E,
        settings: &Settings,
        control: &Control,
        request: &SearchRequest,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        // The time limit includes the set-up.
        let stopwatch = Stopwatch::start(settings.clock);
        self.table.new_generation();
        if let Some(time) = request.limits.time {
            let most = time.share_of_table();
            self.table.make_resident(|| stopwatch.elapsed() < most);
        }
        let count = settings.threads.get();
        if self.threads.len() < count {
            self.threads.resize_with(count, ThreadState::default);
        }
        let model = evaluator.error_model();
        let of_another = |sigmas: &mut Sigmas| !sigmas.are_of(model);
        self.sigmas.take_if(of_another);
        let sigmas = self.sigmas.get_or_insert_with(|| Sigmas::of(model));
        let (own, others) = self.threads[..count].split_at_mut(1);
        let shared = Shared {
            table: &self.table,
            evaluator,
            sigmas,
            techniques: settings.techniques,
            goal: request.limits.goal,
            control,
            stopwatch,
            team: (!others.is_empty()).then(|| Team::new(settings.clock)),
        };
        let mut searcher = Searcher::new(&shared, &mut own[0], &request.limits, &request.board);
        with_helpers(&shared, others, || {
            searcher.search_root(&request.board, request.count, settings.selectivity, report)
        })
    }
}
