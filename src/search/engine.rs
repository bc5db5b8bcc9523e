//! The engine façade: settings in, lines out, no protocol inside. Stands on `root`.

use std::num::NonZero;
use std::sync::Arc;

use super::parallel::Team;
use super::searcher::Searcher;
use super::selectivity::Spread;
use super::table::Table;
use super::{Limits, Line, Report, Selectivity, Stop, Techniques};
use crate::board::Board;
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
    pub fn new(settings: Settings) -> Engine {
        let table = Table::new(settings.hash_mib);
        Engine {
            settings,
            table,
            stop: Stop::default(),
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. The table is emptied, unless the new ones differ in nothing that it depends on.
    pub fn configure(&mut self, settings: Settings) {
        if settings.hash_mib != self.settings.hash_mib {
            self.table = Table::new(settings.hash_mib);
        } else if !Arc::ptr_eq(&settings.evaluator, &self.settings.evaluator) {
            self.table.clear();
        }
        self.settings = settings;
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

    /// [`hint`](Self::hint) with an evaluation of a known kind.
    fn hint_with<E: Incremental>(
        &mut self,
        evaluator: &E,
        board: &Board,
        count: usize,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        let searcher = Searcher::new(
            &self.table,
            evaluator,
            Spread::of(self.settings.evaluator.as_pattern().is_some()),
            self.settings.techniques,
            limits,
            board,
            &self.stop,
        );
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
