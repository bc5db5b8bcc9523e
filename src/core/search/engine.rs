//! The [`Engine`]: public interface of the search. It has no code for protocols, input or output. A
//! [`Line`], the result of a search, is a root move with its value, depth and PV. An engine owns
//! the transposition table and the state of each thread, and sets up a search. The search itself
//! begins in [`deepening`](super::deepening).

use std::fmt;
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;

use super::control::Control;
use super::handle::SearchHandle;
use super::limits::Limits;
use super::parallel::with_helpers;
use super::parameters::parallel::{ENDGAME_EMPTIES, MIDGAME_DEPTH};
use super::report::{Line, Observer, Report, Silent};
use super::searcher::{Searcher, Shared};
use super::settings::Settings;
use super::sigmas::Sigmas;
use super::table::TranspositionTable;
use super::table::memory::OutOfMemory;
use super::team::Team;
use super::thread_state::ThreadState;
use super::time::Stopwatch;
use crate::board::Board;
use crate::eval::{AnyEvaluator, FromScratch, SearchEvaluator};
use crate::work::{StopFlag, usable_cores};

/// Panic message for a search with a time limit in settings whose clock does not run.
const NO_TIME: &str = "a time limit needs a clock: this platform has none, set `Settings::clock`";

/// Searches positions. The transposition table is kept from one search to the next.
///
/// [`search`](Self::search) and [`multi_pv`](Self::multi_pv) block until the search ends.
/// [`start`](Self::start) returns at once. An engine runs one search at a time: a search started
/// meanwhile waits for the end of the running search.
///
/// ```
/// use emilia_core::board::Board;
/// use emilia_core::search::{Engine, Limits, Settings, Silent};
/// let mut engine = Engine::new(Settings::default());
/// let line = engine.search(&Board::START, &Limits::depth(6), &mut Silent);
/// assert_eq!(line.pv.len(), 6);
/// ```
pub struct Engine {
    settings: Settings,
    /// Flag that stops the running search and every later search of this engine.
    interrupt: StopFlag,
    memory: Arc<Mutex<Memory>>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.settings;
        f.debug_struct("Engine")
            .field("settings", settings)
            .finish_non_exhaustive()
    }
}

/// State that an engine keeps from one search to the next.
struct Memory {
    table: TranspositionTable,
    /// Standard deviations for forward pruning, tabulated for the evaluation of the last search.
    sigmas: Option<Sigmas>,
    /// State of each search thread. The first entry belongs to the main thread.
    threads: Vec<ThreadState>,
}

/// Arguments of one search.
struct Query<'a> {
    board: &'a Board,
    /// Number of lines (MultiPV).
    count: usize,
    limits: &'a Limits,
    control: &'a Control,
    observe: Option<Observer<'a>>,
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

    /// Creates an engine with an empty transposition table. Returns an error if the table does not
    /// fit in memory.
    pub fn try_new(settings: Settings) -> Result<Engine, OutOfMemory> {
        let memory = Memory {
            table: TranspositionTable::new(settings.hash_mib)?,
            sigmas: None,
            threads: Vec::new(),
        };
        Ok(Engine {
            settings,
            interrupt: StopFlag::default(),
            memory: Arc::new(Mutex::new(memory)),
        })
    }

    /// Creates `count` engines with the same settings, at least one. A server uses one for each
    /// parallel request.
    pub fn several(settings: &Settings, count: usize) -> Result<Vec<Engine>, OutOfMemory> {
        (0..count.max(1))
            .map(|_| Engine::try_new(settings.clone()))
            .collect()
    }

    /// Returns the current settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings.
    ///
    /// A change of the evaluation clears the table and the state of all threads. A change of
    /// `hash_mib` replaces the table by an empty one. If the new table does not fit in memory
    /// beside the old one, the old settings and table stay.
    pub fn configure(&mut self, settings: Settings) -> Result<(), OutOfMemory> {
        let mut memory = self.memory.lock();
        if settings.hash_mib != self.settings.hash_mib {
            memory.table = TranspositionTable::new(settings.hash_mib)?;
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
    /// The next search then does not depend on earlier searches.
    pub fn clear(&mut self) {
        self.memory.lock().clear();
    }

    /// Makes `interrupt` the stop flag of every later search of this engine. Several engines can
    /// share one flag.
    pub fn set_interrupt(&mut self, interrupt: StopFlag) {
        self.interrupt = interrupt;
    }

    /// Searches for the best line for the side to move of a [`Board`] or a
    /// [`Position`](crate::Position).
    ///
    /// If the side to move must pass, the line begins with the pass.
    /// When the game is over, the line is empty and its value is the final score.
    /// The first iteration is always completed, so that even a search that is stopped at once
    /// returns a move.
    ///
    /// # Panics
    /// Panics on WebAssembly if `limits` have a time and [`Settings::clock`] is not set.
    pub fn search(
        &mut self,
        board: &impl AsRef<Board>,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Line {
        self.multi_pv(board, 1, limits, report).swap_remove(0)
    }

    /// Searches for the `count` best moves (MultiPV). Returns their lines (value, depth and PV),
    /// best first.
    ///
    /// Returns at least one line, and fewer than `count` if there are fewer moves.
    /// `report` receives each line of each completed iteration.
    pub fn multi_pv(
        &mut self,
        board: &impl AsRef<Board>,
        count: usize,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        self.run(board.as_ref(), count, limits, None, report)
    }

    /// Starts a search for the `count` best lines in a new thread and returns at once.
    /// Returns an error if the system cannot start a thread.
    pub fn start(
        &self,
        board: &impl AsRef<Board>,
        count: usize,
        limits: &Limits,
    ) -> io::Result<SearchHandle> {
        let (board, limits, settings) = (*board.as_ref(), limits.clone(), self.settings.clone());
        let memory = Arc::clone(&self.memory);
        SearchHandle::spawn(self.control(), move |control, report| {
            let query = Query {
                board: &board,
                count,
                limits: &limits,
                control,
                observe: None,
            };
            memory.lock().search(&query, &settings, report)
        })
    }

    /// Searches for the best line and calls `observe` for each position evaluated statically.
    ///
    /// `observe` is called from all search threads.
    /// A position whose value a thread has cached is not evaluated again.
    pub fn search_observed(&mut self, board: &Board, limits: &Limits, observe: Observer) -> Line {
        self.run(board, 1, limits, Some(observe), &mut Silent)
            .swap_remove(0)
    }

    fn run(
        &self,
        board: &Board,
        count: usize,
        limits: &Limits,
        observe: Option<Observer>,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        let query = Query {
            board,
            count,
            limits,
            control: &self.control(),
            observe,
        };
        self.memory.lock().search(&query, &self.settings, report)
    }

    /// Returns the stop flag that ends every search of this engine.
    pub fn interrupt(&self) -> &StopFlag {
        &self.interrupt
    }

    fn control(&self) -> Control {
        Control::new(self.interrupt.clone())
    }
}

impl Memory {
    fn clear(&mut self) {
        self.table.clear();
        self.threads.clear();
    }

    fn search(&mut self, query: &Query, settings: &Settings, report: &mut dyn Report) -> Vec<Line> {
        match &settings.evaluator {
            AnyEvaluator::Stateless(evaluator) => {
                self.search_with(&FromScratch(&**evaluator), query, settings, report)
            }
            AnyEvaluator::Net(net) => self.search_with(net, query, settings, report),
        }
    }

    /// Sets up threads and shared state, and searches with `evaluator`. The whole search is
    /// compiled for each type `E`.
    fn search_with<E: SearchEvaluator>(
        &mut self,
        evaluator: &E,
        query: &Query,
        settings: &Settings,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        // The stopwatch starts first, because the set-up counts towards the time limit.
        let stopwatch = Stopwatch::start(settings.clock);
        self.table.new_generation();
        if let Some(time) = query.limits.time {
            assert!(stopwatch.runs(), "{NO_TIME}");
            let most = time.time_for_new_table();
            let has_time = || !query.control.is_stopped() && stopwatch.elapsed() < most;
            self.table.make_resident(has_time);
        }
        let threads = match settings.threads.get() {
            1 => 1,
            threads => threads.min(usable_cores()),
        };
        if self.threads.len() < threads {
            self.threads.resize_with(threads, ThreadState::default);
        }
        let model = evaluator.probcut_model();
        self.sigmas.take_if(|sigmas| sigmas.model != *model);
        let sigmas = self.sigmas.get_or_insert_with(|| Sigmas::of(model));
        let (own, others) = self.threads[..threads].split_at_mut(1);
        let shared = Shared {
            table: &self.table,
            evaluator,
            sigmas,
            goal: query.limits.goal,
            control: query.control,
            stopwatch,
            team: (!others.is_empty()).then(|| Team::new(MIDGAME_DEPTH, ENDGAME_EMPTIES)),
            observe: query.observe,
        };
        let mut searcher = Searcher::new(&shared, &mut own[0], query.limits, query.board);
        with_helpers(&shared, others, || {
            searcher.deepen(query.board, query.count, settings.selectivity, report)
        })
    }
}
