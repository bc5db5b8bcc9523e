//! The engine façade: settings in, lines out, no protocol inside. Stands on `root`.

use std::num::NonZero;
use std::sync::Arc;

use super::leaves::Heard;
use super::memory::{self, OutOfMemory};
use super::parallel::Team;
use super::searcher::Searcher;
use super::selectivity::Spread;
use super::table::Table;
use super::{Goal, Limits, Line, Report, Selectivity, Silent, Stop, Techniques};
use crate::board::{Board, Score};
use crate::eval::{Evaluator, Incremental, Pattern};

/// What stays the same from search to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The static evaluation.
    pub evaluator: Arc<dyn Evaluator>,
    /// The techniques that are on.
    pub techniques: Techniques,
    /// What searches that do not reach the end of the game may leave out. A game is solved in ever surer searches, the
    /// last of which is certain.
    pub selectivity: Selectivity,
    /// Threads of a search. With one, the same search visits the same nodes and finds the same move every time.
    pub threads: NonZero<usize>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mib: 64,
            evaluator: Arc::new(Pattern::embedded()),
            techniques: Techniques::default(),
            selectivity: Selectivity::default(),
            threads: NonZero::<usize>::MIN,
        }
    }
}

/// Searches positions and remembers what it learnt from one search to the next.
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
    table: Table,
    stop: Stop,
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
        Ok(Engine {
            table: Table::new(settings.hash_mib)?,
            settings,
            stop: Stop::default(),
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

    /// Changes the settings. The table is emptied, unless the new ones differ in nothing that it depends on.
    ///
    /// # Errors
    /// If there is no memory for a table of the new size: then the old settings stay in force.
    pub fn configure(&mut self, settings: Settings) -> Result<(), OutOfMemory> {
        if settings.hash_mib != self.settings.hash_mib {
            self.resize(settings.hash_mib)?;
        } else if !Arc::ptr_eq(&settings.evaluator, &self.settings.evaluator) {
            self.table.clear();
        }
        self.settings = settings;
        Ok(())
    }

    /// Puts a table of this size in the place of the old one, which is given up first only where both do not fit.
    fn resize(&mut self, mib: usize) -> Result<(), OutOfMemory> {
        let refused = match Table::new(mib) {
            Ok(table) => {
                self.table = table;
                return Ok(());
            }
            Err(refused) => refused,
        };
        let old = self.settings.hash_mib;
        if !memory::may_fit(mib.saturating_mul(1 << 20), old.saturating_mul(1 << 20)) {
            return Err(refused);
        }
        self.table = Table::new(0)?;
        let (table, result) = match Table::new(mib) {
            Ok(table) => (table, Ok(())),
            // What was there before fits again, unless another program was quicker.
            Err(refused) => {
                let smaller = std::iter::successors(Some(old), |&mib| (mib > 0).then_some(mib / 2));
                let table = smaller.into_iter().find_map(|mib| Table::new(mib).ok());
                (table.ok_or(refused)?, Err(refused))
            }
        };
        self.table = table;
        result
    }

    /// Forgets everything learnt, so that the next search does not depend on earlier ones.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The handle that ends a running search. The caller clears it before the next one.
    pub fn stop_handle(&self) -> Stop {
        self.stop.clone()
    }

    /// The best line for the side to move. Where the time is limited, the only move of a side is found at once, after
    /// the first iteration; [`hint`](Self::hint) takes its time to value it.
    ///
    /// A side that must pass gets a line that begins with the pass. When the game is over, the line is empty and the
    /// value is the final score. The search always completes its first iteration, so there is a move to make however
    /// early it is stopped.
    pub fn search(&mut self, board: &Board, limits: &Limits, report: &mut dyn Report) -> Line {
        let forced = limits.time.is_some() && board.legal_moves().count() <= 1;
        let at_once = Limits {
            goal: limits.goal,
            ..Limits::depth(1)
        };
        let limits = if forced { &at_once } else { limits };
        self.hint(board, 1, limits, report).swap_remove(0)
    }

    /// The best `count` first moves, best first, each with its own line; at least one entry, fewer than `count` when
    /// there are fewer moves. Each iteration that is completed is reported as `count` lines.
    pub fn hint(
        &mut self,
        board: &Board,
        count: usize,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        self.table.grow_older();
        match self.settings.evaluator.clone().as_pattern() {
            Some(pattern) => self.hint_with(pattern, board, count, limits, report),
            None => self.hint_with(
                &self.settings.evaluator.clone().as_ref(),
                board,
                count,
                limits,
                report,
            ),
        }
    }

    /// The best line for the side to move, and `hear` is told every position whose static evaluation the search asks for,
    /// those at its horizon among them, from all its threads.
    pub fn search_heard(
        &mut self,
        board: &Board,
        limits: &Limits,
        hear: &(dyn Fn(&Board) + Sync),
    ) -> Line {
        self.table.grow_older();
        let evaluator = self.settings.evaluator.clone();
        let mut lines = if let Some(evaluator) = evaluator.as_pattern() {
            self.hint_with(&Heard { evaluator, hear }, board, 1, limits, &mut Silent)
        } else {
            let evaluator = &evaluator.as_ref();
            self.hint_with(&Heard { evaluator, hear }, board, 1, limits, &mut Silent)
        };
        lines.swap_remove(0)
    }

    /// The exact score of each board for the side to move. What is learnt of one helps with the next, so boards of one
    /// game are best solved together, the later ones first. One thread does it.
    pub fn solve_all(&mut self, boards: &[Board]) -> Vec<Score> {
        self.table.grow_older();
        let evaluator = self.settings.evaluator.clone();
        match evaluator.as_pattern() {
            Some(pattern) => self.solve_all_with(pattern, boards),
            None => self.solve_all_with(&evaluator.as_ref(), boards),
        }
    }

    fn solve_all_with<E: Incremental>(&self, evaluator: &E, boards: &[Board]) -> Vec<Score> {
        let limits = Limits::solve(Goal::Exact);
        let mut searcher = self.searcher(evaluator, &limits, &Board::START);
        let selectivity = self.settings.selectivity;
        let solve = |board| {
            let lines = searcher.search_root(board, 1, &limits, selectivity, &mut Silent);
            lines[0].value.round_to_score()
        };
        boards.iter().map(solve).collect()
    }

    /// A search of `board` with an evaluation of a known kind.
    fn searcher<'a, E: Incremental>(
        &'a self,
        evaluator: &'a E,
        limits: &Limits,
        board: &Board,
    ) -> Searcher<'a, E> {
        Searcher::new(
            &self.table,
            evaluator,
            Spread::of(self.settings.evaluator.as_pattern().is_some()),
            self.settings.techniques,
            limits,
            board,
            &self.stop,
        )
    }

    /// [`hint`](Self::hint) with an evaluation of a known kind.
    fn hint_with<E: Incremental>(
        &mut self,
        evaluator: &E,
        board: &Board,
        count: usize,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        let searcher = self.searcher(evaluator, limits, board);
        let selectivity = self.settings.selectivity;
        let mut search = |mut searcher: Searcher<'_, E>| {
            searcher.search_root(board, count, limits, selectivity, report)
        };
        match self.settings.threads.get() {
            1 => search(searcher),
            threads => searcher.with_helpers(&Team::new(), threads, search),
        }
    }
}
