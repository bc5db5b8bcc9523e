//! `Engine`: searches and chooses moves. The Python interpreter is free for other threads
//! meanwhile.

#![expect(clippy::needless_pass_by_value, reason = "Python passes values")]

use std::collections::BTreeMap;
use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use emilia_core::Line;
use emilia_core::board::{Board, Move};
use emilia_core::search::{Depth, Goal, Limits, ProgressEvent, SearchHandle, Silent, StopFlag};
use emilia_core::work::{parallel_map, start_thread};
use emilia_player::{Player, Setup, limits_for_move, options};

use crate::position::Position;
use crate::value_error;

/// Longest time in which a search does not react to Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// Maximum depth in plies of a short search. A short search for one move takes milliseconds and
/// runs in the calling thread, because Ctrl-C can wait for its end.
const SHORT: u32 = 6;

/// Maximum number of empties from which a short search solves the position.
const SHORT_SOLVE: u32 = 14;

/// The engine of `emilia.Engine`.
#[pyclass(frozen)]
#[derive(Debug)]
pub(crate) struct Engine(Mutex<EngineSession>);

/// A player with its options.
#[derive(Debug)]
pub(crate) struct EngineSession {
    /// Options given when the engine was created.
    setup: Setup,
    /// Options that the player has at present: `setup`, changed by the options of the latest call.
    current: Setup,
    pub(crate) player: Player,
}

/// Values of engine options as texts, by the names of the options.
pub(crate) type OptionTexts = BTreeMap<String, String>;

fn os_error(error: io::Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}

fn set(setup: &mut Setup, given: &OptionTexts) -> PyResult<()> {
    for (name, text) in given {
        let option = options::find(name).map_err(value_error)?;
        option.set(setup, text).map_err(value_error)?;
    }
    Ok(())
}

impl EngineSession {
    /// Sets the options of the next search, and returns the limits of this search. While the play
    /// settings stay the same, the random draws of a human level continue. Otherwise they restart
    /// with another seed.
    pub(crate) fn prepare(&mut self, given: &OptionTexts) -> PyResult<Limits> {
        let mut setup = self.setup.clone();
        set(&mut setup, given)?;
        setup.play_settings.seed = self.current.play_settings.seed;
        if setup.play_settings != self.current.play_settings {
            setup.play_settings.seed += 1;
        }
        self.current
            .replace(setup, &mut self.player)
            .map_err(PyMemoryError::new_err)?;
        Ok(self.current.limits.clone())
    }
}

/// Fields of `emilia.Line`: move, score in discs, whether the score is exact, depth in plies, depth
/// and selectivity as text (`reach`), PV, nodes, seconds.
pub(crate) type LineFields = (
    Option<String>,
    f64,
    bool,
    u32,
    String,
    Vec<String>,
    u64,
    f64,
);

fn row(line: &Line, board: &Board) -> LineFields {
    (
        line.best_move().map(|mv| mv.to_string()),
        line.value.discs(),
        line.depth == Depth::Exact,
        line.depth.plies(board.empty_count()),
        line.depth.to_string(),
        line.pv.iter().map(Move::to_string).collect(),
        line.nodes,
        line.elapsed.as_secs_f64(),
    )
}

/// Waits for the end of a search. Calls `callback` with each search line that the search reports:
/// its rank among the best moves, from 1, and its [`LineFields`]. The search stops at Ctrl-C, or if
/// the callback raises an exception.
pub(crate) fn wait(
    py: Python<'_>,
    started: io::Result<SearchHandle>,
    board: &Board,
    callback: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Line>> {
    let mut search = started.map_err(os_error)?;
    loop {
        match py.detach(|| search.progress_within(TICK)) {
            ProgressEvent::Progress(progress) => {
                if let Some(callback) = callback {
                    callback.call1((progress.multi_pv, row(&progress.line, board)))?;
                }
            }
            ProgressEvent::Timeout => {}
            ProgressEvent::Ended => return Ok(py.detach(|| search.wait())),
        }
        py.check_signals()?;
    }
}

/// Searches each position with one thread, `threads` at a time, from an empty table. The threads
/// are those of `given`. Ctrl-C ends it.
#[pyfunction]
pub(crate) fn batch_search(
    py: Python<'_>,
    positions: Vec<PyRef<'_, Position>>,
    given: OptionTexts,
) -> PyResult<Vec<LineFields>> {
    let mut setup = Setup::default();
    set(&mut setup, &given)?;
    let limits = limits_for_move(&setup.limits);
    let threads = setup.settings.threads.get().min(positions.len());
    let settings = setup.settings.with_threads(1);
    let mut engines = emilia_core::Engine::several(&settings, threads)
        .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    let stop = StopFlag::default();
    for engine in &mut engines {
        engine.set_interrupt(stop.clone());
    }
    let boards: Vec<Board> = positions.iter().map(|position| position.0.board).collect();
    let search = |engine: &mut emilia_core::Engine, board| {
        engine.clear();
        let line = engine.search(board, &limits, &mut Silent);
        (!stop.is_set()).then(|| row(&line, board))
    };
    py.detach(|| {
        thread::scope(|scope| {
            let (ended, end) = channel();
            let work = || {
                let rows = parallel_map("search", &mut engines, &boards, &|_| (), search);
                drop(ended);
                rows
            };
            let job = start_thread(scope, "batch", work).map_err(os_error)?;
            while end.recv_timeout(TICK) == Err::<(), _>(RecvTimeoutError::Timeout) {
                Python::attach(|py| py.check_signals().inspect_err(|_| stop.set()))?;
            }
            let rows = job.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok(rows.unwrap_or_default())
        })
    })
}

impl Engine {
    /// Locks the engine. Fails if it is already locked: a callback runs while the engine is locked,
    /// so waiting there would never end.
    pub(crate) fn session(&self) -> PyResult<MutexGuard<'_, EngineSession>> {
        let busy = "this engine is searching: wait for its end, or make another engine";
        self.0
            .try_lock()
            .ok_or_else(|| PyRuntimeError::new_err(busy))
    }
}

#[pymethods]
impl Engine {
    #[new]
    fn new(given: OptionTexts) -> PyResult<Engine> {
        let mut setup = Setup::default();
        setup.play_settings.seed = fastrand::u64(..1 << 63);
        set(&mut setup, &given)?;
        let player = setup.player().map_err(value_error)?;
        let current = setup.clone();
        Ok(Engine(Mutex::new(EngineSession {
            setup,
            current,
            player,
        })))
    }

    fn clear(&self) -> PyResult<()> {
        self.session()?.player.clear();
        Ok(())
    }

    /// Searches for the best `count` lines, or solves the position: exactly, or with `wld` for the
    /// winner.
    #[pyo3(signature = (position, given, count, wld, callback))]
    fn search(
        &self,
        py: Python<'_>,
        position: &Position,
        given: OptionTexts,
        count: usize,
        wld: Option<bool>,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<LineFields>> {
        let board = position.0.board;
        let mut session = self.session()?;
        let mut limits = limits_for_move(&session.prepare(&given)?);
        if let Some(wld) = wld {
            limits = Limits::solve([Goal::Exact, Goal::Wld][usize::from(wld)]);
        }
        let engine = session.player.stop_pondering();
        let exact = limits.solve_from_empties.unwrap_or(0);
        let is_short = limits.depth.is_some_and(|depth| depth <= SHORT) && exact <= SHORT_SOLVE;
        let lines = if is_short && count == 1 && callback.is_none() {
            py.detach(|| engine.multi_pv(&board, count, &limits, &mut Silent))
        } else {
            wait(py, engine.start(&board, count, &limits), &board, callback)?
        };
        Ok(lines.iter().map(|line| row(line, &board)).collect())
    }

    /// Chooses a move as a player does: by the book, the level, the limits.
    fn choose(
        &self,
        py: Python<'_>,
        position: &Position,
        given: OptionTexts,
    ) -> PyResult<LineFields> {
        let mut session = self.session()?;
        let limits = session.prepare(&given)?;
        let search = session.player.start(&position.0, &limits);
        let lines = wait(py, search, &position.0.board, None)?;
        let line = session.player.pick(&position.0, lines);
        Ok(row(&line, &position.0.board))
    }
}
