//! `Game`: game records of every format that the program reads. `analysis` judges the moves of a
//! game.

#![expect(clippy::needless_pass_by_value, reason = "Python passes values")]

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use emilia_book::Book;
use emilia_core::search::{Limits, Line};
use emilia_games::wthor::WthorNames;
use emilia_games::{Collection, PackedGame, input};
use emilia_player::people::{Human, small_engine};
use emilia_review::report::{AnalysedGame, chart};
use emilia_review::{ANALYSIS_DEPTH, Analyst, Scored, analyze};

use crate::arrays::bytes_of;
use crate::engine::{Engine, OptionTexts, wait};
use crate::position::Position;
use crate::value_error;

/// A game: its moves, and what its record says.
///
/// text: a transcript, or a record in any format.
#[pyclass(frozen, module = "emilia")]
#[derive(Debug)]
pub(crate) struct Game(PackedGame);

/// Reads a file: its games, and a sentence for each one that cannot be read.
#[pyfunction]
pub(crate) fn games(path: PathBuf) -> PyResult<(Vec<Game>, Vec<String>)> {
    let read = input::read_games(&path).map_err(value_error)?;
    let (readable, bad): (Vec<_>, Vec<_>) = read.games.into_iter().partition(Result::is_ok);
    let games = readable.into_iter().flatten().map(Game).collect();
    let errors = bad.into_iter().filter_map(Result::err);
    Ok((games, errors.map(String::from).collect()))
}

#[pymethods]
impl Game {
    #[new]
    fn new(text: &str) -> PyResult<Game> {
        let read = Collection::read(text.as_bytes(), &WthorNames::default());
        let mut games = read.map_err(value_error)?.games;
        match (games.pop(), games.len()) {
            (Some(game), 0) => game.map(Game).map_err(value_error),
            (_, others) => {
                let count = others + 1;
                Err(value_error(format!(
                    "this text has {count} games (expected one)"
                )))
            }
        }
    }

    /// Pickles with every protocol.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().0.game().to_ggf(),))
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.0.game().transcript())
    }

    /// Name of Black, "" if it is not recorded.
    #[getter]
    fn black(&self) -> &str {
        &self.0.tags().black
    }

    /// Name of White, "" if it is not recorded.
    #[getter]
    fn white(&self) -> &str {
        &self.0.tags().white
    }

    /// Tournament or place, "" if it is not recorded.
    #[getter]
    fn event(&self) -> &str {
        &self.0.tags().event
    }

    /// Date as it is recorded.
    #[getter]
    fn date(&self) -> &str {
        &self.0.tags().date
    }

    /// Name of the opening, or None.
    #[getter]
    fn opening(&self) -> Option<&'static str> {
        self.0.game().opening().map(|opening| opening.name)
    }

    /// Discs of Black minus those of White, as recorded or as played; None if it is not known.
    #[getter]
    fn result(&self) -> Option<f64> {
        self.0.game().margin()
    }

    /// Moves, passes included.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let game = self.0.game();
        let moves = game.moves().iter();
        moves.map(|played| played.mv.to_string()).collect()
    }

    /// The start position, and the position after each move.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        let game = self.0.game();
        game.positions().iter().copied().map(Position).collect()
    }

    /// Returns the boards of `positions` as bytes, for `batch_legal` and `batch_evaluate`: 16 for each,
    /// the discs of the side to move, and of the opponent.
    /// `numpy.frombuffer(game.boards(), "<u8").reshape(-1, 2)` reads them.
    fn boards<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let game = self.0.game();
        bytes_of(py, game.positions().iter().map(|position| &position.board))
    }

    /// Sentences about what of the record could not be read.
    #[getter]
    fn warnings(&self) -> Vec<&str> {
        let (warnings, _) = self.0.warnings();
        warnings.iter().map(|warning| &**warning).collect()
    }
}

/// Judges each move of a game. Returns the object of `emilia analyze --json`, and its chart as SVG.
#[pyfunction]
pub(crate) fn analysis(
    py: Python<'_>,
    engine: &Engine,
    game: &Game,
    given: OptionTexts,
    people: Option<&str>,
    callback: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let parsed = people.map_or(Ok(Human::AVERAGE), str::parse);
    let level = parsed.map_err(value_error)?;
    let game = game.0.game();
    let mut session = engine.session()?;
    let mut limits = session.prepare(&given)?;
    if !limits.is_bounded() && limits.solve_from_empties.is_none() {
        limits = Limits::depth(ANALYSIS_DEPTH);
    }
    let engine = session.player.stop_pondering();
    engine.clear();
    let mut watched = Watched {
        py,
        engine,
        callback,
        all: game.moves().len(),
        stopped: None,
    };
    let searched = analyze(&mut watched, &game, &Book::Off, &limits.at_level());
    watched.stopped.map_or(Ok(()), Err)?;
    let analysis = searched.ok_or_else(|| value_error("the game has no moves"))?;
    let mut small = small_engine().map_err(value_error)?;
    let people = (level, &mut small);
    let analysed = py.detach(|| AnalysedGame::new(1, &game, "", &analysis, people));
    let chart = chart(&analysed);
    let text = serde_json::to_string(&analysed).map_err(value_error)?;
    Ok((text, chart))
}

/// Engine for [`analyze`]. Its searches stop at Ctrl-C, or if the callback raises an exception.
struct Watched<'a, 'py> {
    py: Python<'py>,
    engine: &'a mut emilia_core::Engine,
    /// Called with the number of moves that are analysed and the number of all moves.
    callback: Option<&'a Bound<'py, PyAny>>,
    all: usize,
    stopped: Option<PyErr>,
}

impl Analyst for Watched<'_, '_> {
    fn search(
        &mut self,
        position: &emilia_core::Position,
        count: usize,
        limits: &Limits,
    ) -> Option<Vec<Line>> {
        if self.stopped.is_some() {
            return None;
        }
        let search = self.engine.start(position, count, limits);
        let lines = wait(self.py, search, &position.board, None);
        lines.map_err(|error| self.stopped = Some(error)).ok()
    }

    fn scored(&mut self, moves_made: usize, _: &emilia_core::Position, _: Scored) {
        let done = self.all - moves_made;
        let call = |callback: &Bound<'_, PyAny>| callback.call1((done, self.all)).err();
        self.stopped = self.callback.and_then(call);
    }
}
