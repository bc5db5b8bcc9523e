//! The engine: the front door of the search. Settings in, lines out, no protocol inside.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::clock::Stopwatch;
use super::control::Control;
use super::leaves::Observed;
use super::memory::{self, OutOfMemory};
use super::parallel::with_helpers;
use super::running::Search;
use super::searcher::{Searcher, Shared};
use super::sigmas::Sigmas;
use super::table::TranspositionTable;
use super::team::Team;
use super::thread_state::ThreadState;
use super::{Limits, Line, Report, Settings, Silent, Stop};
use crate::board::Board;
use crate::eval::{AnyEvaluator, FromScratch, SearchEvaluator};

/// Evaluates `$body` for the type of evaluation that there is: from here on everything is compiled for it.
macro_rules! with_evaluator {
    ($any:expr, $evaluator:ident => $body:expr) => {
        match $any {
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

/// Searches positions, and keeps what it learnt from one search to the next.
///
/// [`search`](Self::search) and [`multi_pv`](Self::multi_pv) wait for the result; [`start`](Self::start) does not. An engine
/// does one search at a time: another waits for its end.
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
    /// Ends every search of this engine.
    interrupt: Stop,
    memory: Arc<Mutex<Memory>>,
}

/// What an engine keeps from search to search.
#[derive(Debug)]
struct Memory {
    table: TranspositionTable,
    /// Of the evaluation of the last search.
    sigmas: Option<Sigmas>,
    /// At least one.
    threads: Vec<ThreadState>,
}

/// What is to be searched.
#[derive(Clone, Debug)]
struct Job {
    board: Board,
    /// How many lines.
    count: usize,
    limits: Limits,
}

impl Engine {
    /// An engine with an empty table.
    ///
    /// # Panics
    /// If there is no memory for the table. Where its size is somebody's choice, [`try_new`](Self::try_new) says so.
    pub fn new(settings: Settings) -> Engine {
        Engine::try_new(settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// An engine with an empty table.
    ///
    /// # Errors
    /// If there is no memory for the table.
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
            interrupt: Stop::default(),
            memory: Arc::new(Mutex::new(memory)),
        })
    }

    /// So many engines for as many jobs at a time: fewer where the memory has no room for all, at least one.
    ///
    /// # Errors
    /// If there is no memory for one.
    pub fn several(settings: &Settings, count: usize) -> Result<Vec<Engine>, OutOfMemory> {
        let first = Engine::try_new(settings.clone())?;
        let others = (1..count).map_while(|_| Engine::try_new(settings.clone()).ok());
        Ok(std::iter::once(first).chain(others).collect())
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. What was learnt is forgotten where it depends on what has changed.
    ///
    /// # Errors
    /// If there is no memory for a table of the new size: then the old settings stay in force. Where both tables did not fit
    /// side by side, the old one is emptied, and smaller if another program has taken its room.
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

    /// Forgets everything learnt, so that the next search does not depend on earlier ones.
    pub fn clear(&mut self) {
        lock(&self.memory).clear();
    }

    /// From now on `interrupt` ends every search of this engine: one flag for many engines.
    pub fn set_interrupt(&mut self, interrupt: Stop) {
        self.interrupt = interrupt;
    }

    /// The best line for the side to move.
    ///
    /// A side that must pass gets a line that begins with the pass. When the game is over, the line is empty and the
    /// value is the final score. The search always completes its first iteration, so there is a move to make however
    /// early it is stopped.
    pub fn search(&mut self, board: &Board, limits: &Limits, report: &mut dyn Report) -> Line {
        self.multi_pv(board, 1, limits, report).swap_remove(0)
    }

    /// The best `count` first moves, best first, each with its own line (MultiPV); at least one entry, fewer than `count` when
    /// there are fewer moves. Each iteration that is completed is reported as `count` lines.
    pub fn multi_pv(
        &mut self,
        board: &Board,
        count: usize,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        let job = Job {
            board: *board,
            count,
            limits: limits.clone(),
        };
        lock(&self.memory).search(&self.settings, &self.control(), &job, report)
    }

    /// Begins to search for the best `count` lines in a thread of its own and returns at once.
    pub fn start(&self, board: &Board, count: usize, limits: &Limits) -> Search {
        let job = Job {
            board: *board,
            count,
            limits: limits.clone(),
        };
        let (memory, settings) = (Arc::clone(&self.memory), self.settings.clone());
        Search::spawn(self.control(), move |control, report| {
            lock(&memory).search(&settings, control, &job, report)
        })
    }

    /// The best line for the side to move, and `observe` sees every position that the search evaluates statically, those at its
    /// horizon among them, from all its threads.
    pub fn search_observed(
        &mut self,
        board: &Board,
        limits: &Limits,
        observe: &(dyn Fn(&Board) + Sync),
    ) -> Line {
        let job = Job {
            board: *board,
            count: 1,
            limits: limits.clone(),
        };
        let (settings, control) = (&self.settings, self.control());
        let mut memory = lock(&self.memory);
        let mut lines = with_evaluator!(&settings.evaluator, evaluator => {
            memory.search_with(&Observed { evaluator, observe }, settings, &control, &job, &mut Silent)
        });
        lines.swap_remove(0)
    }

    /// What ends every search of this engine.
    pub fn interrupt(&self) -> &Stop {
        &self.interrupt
    }

    fn control(&self) -> Control {
        Control::new(self.interrupt.clone())
    }
}

/// The memory, after a search that panicked as well: each entry is written whole, so that none is wrong.
fn lock(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    fn clear(&mut self) {
        self.table.clear();
        self.threads.iter_mut().for_each(ThreadState::clear);
    }

    /// Puts a table of `mib` MiB in the place of the old one, which is given up first only where both do not fit.
    fn resize(&mut self, old: usize, mib: usize) -> Result<(), OutOfMemory> {
        let refused = match TranspositionTable::new(mib) {
            Ok(table) => {
                self.table = table;
                return Ok(());
            }
            Err(refused) => refused,
        };
        if !memory::may_fit(mib.saturating_mul(1 << 20), old.saturating_mul(1 << 20)) {
            return Err(refused);
        }
        self.table = TranspositionTable::new(0)?;
        let (table, result) = match TranspositionTable::new(mib) {
            Ok(table) => (table, Ok(())),
            // What was there before fits again, unless another program was quicker.
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
        job: &Job,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        with_evaluator!(&settings.evaluator, evaluator => {
            self.search_with(evaluator, settings, control, job, report)
        })
    }

    /// Searches with an evaluation of a known type.
    fn search_with<E: SearchEvaluator>(
        &mut self,
        evaluator: &E,
        settings: &Settings,
        control: &Control,
        job: &Job,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        self.table.new_generation();
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
            goal: job.limits.goal,
            control,
            stopwatch: Stopwatch::start(settings.clock),
            team: (!others.is_empty()).then(|| Team::new(settings.clock)),
        };
        let mut searcher = Searcher::new(&shared, &mut own[0], &job.limits, &job.board);
        with_helpers(&shared, others, || {
            searcher.search_root(&job.board, job.count, settings.selectivity, report)
        })
    }
}
