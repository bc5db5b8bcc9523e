//! The game and the search of one engine: the safe implementation of the functions of `emilia.h`.
//!
//! A session uses [`Player`], which chooses moves and ponders, and [`Setup`], which holds options.
//! A [`Line`] is one of the best moves of a search, with its value, depth and PV.

use std::io;
use std::mem;
use std::time::Duration;

use super::error::{CallError, ensure};
use super::types::{
    EMILIA_BLACK, EMILIA_DONE, EMILIA_IDLE, EMILIA_MUST_PASS, EMILIA_NO_SQUARE, EMILIA_OVER,
    EMILIA_PASS, EMILIA_RUNNING, EMILIA_TO_MOVE, EMILIA_WHITE, EmiliaLimits, EmiliaPosition,
    EmiliaResult, EmiliaStatus, characters,
};
use emilia_core::board::perft::Perft;
use emilia_core::board::{Color, Move, Position};
use emilia_core::search::{
    Depth, Limits, Line, OutOfMemory, SearchHandle, Selectivity, StopFlag, TimeControl,
};
use emilia_player::options::{EXACT, EngineOption, LEVEL, NODES, TIME};
use emilia_player::{Player, Setup, limits_for_move};

/// Maximum depth of [`EngineSession::perft`] in plies. The call cannot be stopped. From the start,
/// depth 14 already takes minutes. Positions with few empties allow greater depths.
const MAX_PERFT: u32 = 20;

/// The state of one engine: options, game, running search and its latest lines.
#[derive(Debug)]
pub(super) struct EngineSession {
    pub(super) setup: Setup,
    pub(super) player: Player,
    position: Position,
    /// Undo history: the earlier positions of the game, the latest last.
    earlier: Vec<Position>,
    running: Option<RunningSearch>,
    /// Number of empties of the position searched last, to convert the depth of its lines to plies.
    empties: u32,
    /// Lines of the latest completed iteration, best first. Empty before the first iteration ends.
    lines: Vec<Line>,
    /// Limits of the latest [`go`](Self::go). Pondering uses them too.
    limits: Limits,
}

/// A running search and the lines of its current iteration.
#[derive(Debug)]
struct RunningSearch {
    search: SearchHandle,
    /// Whether `go` started the search. False for `hint`.
    is_move: bool,
    /// Number of lines of each iteration to keep. At a human level, `go` keeps one line, and the
    /// search reports a line for each legal move.
    count: usize,
    /// Lines of the current iteration that have been received so far, best first.
    incoming: Vec<Line>,
}

fn no_thread(error: io::Error) -> CallError {
    CallError::new(EmiliaStatus::NoMemory, error)
}

impl EngineSession {
    /// Creates a session at the start position with default options.
    pub(crate) fn new() -> Result<EngineSession, OutOfMemory> {
        let setup = Setup::default();
        Ok(EngineSession {
            player: setup.player()?,
            limits: setup.limits.clone(),
            setup,
            position: Position::START,
            earlier: Vec::new(),
            running: None,
            empties: 0,
            lines: Vec::new(),
        })
    }

    /// Returns an error if a search is running.
    fn check_idle(&mut self) -> Result<(), CallError> {
        self.poll();
        let message = "a search is running: call emilia_stop and emilia_wait first";
        ensure(self.running.is_none(), EmiliaStatus::Searching, message)
    }

    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), CallError> {
        self.check_idle()?;
        let done = self.setup.set(&mut self.player, name, value);
        done.map_err(|message| CallError::new(EmiliaStatus::BadOption, message))
    }

    /// Starts another game from the position that `text` describes. Clears the undo history.
    pub(super) fn set_position(&mut self, text: &str) -> Result<(), CallError> {
        self.check_idle()?;
        let position = emilia_games::position(text)
            .map_err(|error| CallError::new(EmiliaStatus::BadPosition, error))?;
        self.earlier.clear();
        self.set_current(position);
        Ok(())
    }

    /// Plays the move `text`. If `text` is a square and the side to move must pass, the pass is
    /// played first.
    pub(super) fn play(&mut self, text: &str) -> Result<(), CallError> {
        self.check_idle()?;
        let mv: Move = text
            .parse()
            .map_err(|error| CallError::new(EmiliaStatus::BadMove, error))?;
        let before = self.position;
        let skips = mv != Move::Pass && before.must_pass();
        let mover = if skips { !before.mover } else { before.mover };
        let next = before
            .with_mover(mover)
            .play(mv)
            .map_err(|error| CallError::new(EmiliaStatus::BadMove, error))?;
        self.earlier.push(before);
        self.set_current(next);
        Ok(())
    }

    /// Restores the position before the last [`play`](Self::play).
    pub(super) fn undo(&mut self) -> Result<(), CallError> {
        self.check_idle()?;
        let message = "no move was played that could be taken back";
        let position = self.earlier.pop();
        self.set_current(position.ok_or_else(|| CallError::new(EmiliaStatus::NoUndo, message))?);
        Ok(())
    }

    /// Sets the current position and discards the lines of the last search.
    ///
    /// Starts pondering if the option `ponder` is on.
    fn set_current(&mut self, position: Position) {
        self.position = position;
        self.lines.clear();
        self.player.ponder(&position, &self.limits);
    }

    pub(crate) fn position(&self) -> EmiliaPosition {
        let position = &self.position;
        let state = match (position.is_over(), position.must_pass()) {
            (true, _) => EMILIA_OVER,
            (false, true) => EMILIA_MUST_PASS,
            (false, false) => EMILIA_TO_MOVE,
        };
        EmiliaPosition {
            size: size_of::<EmiliaPosition>() as u32,
            mover: match position.mover {
                Color::Black => EMILIA_BLACK,
                Color::White => EMILIA_WHITE,
            },
            state,
            black_score: position.final_score_for(Color::Black),
            black: position.discs(Color::Black).0,
            white: position.discs(Color::White).0,
        }
    }

    /// Returns the legal moves as a mask: bit 0 is a1, bit 63 is h8.
    pub(super) fn legal_moves(&self) -> u64 {
        self.position.board.legal_moves().0
    }

    /// Returns the number of positions `depth` plies after the current one.
    pub(super) fn perft(&self, depth: u32) -> Result<u64, CallError> {
        let message = format_args!("depth: {depth} is out of range (expected 0 to {MAX_PERFT})");
        ensure(depth <= MAX_PERFT, EmiliaStatus::BadLimits, message)?;
        Ok(Perft::default().count(&self.position.board, depth, &|_, _| ()))
    }

    /// Starts a search for the move to play. Returns its stop flag.
    pub(super) fn go(&mut self, given: &EmiliaLimits) -> Result<StopFlag, CallError> {
        self.check_ready()?;
        let limits = self.limits(given)?;
        let milliseconds = |count: u32| Duration::from_millis(count.into());
        let clock = (given.clock_ms > 0).then(|| TimeControl::Clock {
            left: milliseconds(given.clock_ms),
            increment: milliseconds(given.increment_ms),
        });
        let search = self
            .player
            .start(&self.position, &limits.clone().with_clock(clock))
            .map_err(no_thread)?;
        self.limits = limits;
        Ok(self.begin(search, true, 1))
    }

    /// Starts a MultiPV search for the best `count` moves. Returns its stop flag.
    pub(super) fn hint(&mut self, count: u32, given: &EmiliaLimits) -> Result<StopFlag, CallError> {
        self.check_ready()?;
        let message = "count: 0 (expected at least one line)";
        ensure(count > 0, EmiliaStatus::BadLimits, message)?;
        let limits = limits_for_move(&self.limits(given)?);
        // A forced pass counts as one line.
        let moves = self.position.board.legal_moves().count().max(1);
        let lines = count.min(moves) as usize;
        let board = &self.position.board;
        let search = self
            .player
            .stop_pondering()
            .start(board, lines, &limits)
            .map_err(no_thread)?;
        Ok(self.begin(search, false, lines))
    }

    /// Returns an error if a search is running or the game is over.
    fn check_ready(&mut self) -> Result<(), CallError> {
        self.check_idle()?;
        let message = "the game is over: neither side can move";
        ensure(!self.position.is_over(), EmiliaStatus::GameOver, message)
    }

    /// Merges the limits of one call with the options. Where a field of `given` is 0, the option
    /// applies.
    fn limits(&self, given: &EmiliaLimits) -> Result<Limits, CallError> {
        let mut setup = self.setup.clone();
        let seconds = f64::from(given.time_ms) / 1000.0;
        let fields: [(EngineOption, String); 4] = [
            (LEVEL, given.level.to_string()),
            (EXACT, given.exact.to_string()),
            (TIME, seconds.to_string()),
            (NODES, given.nodes.to_string()),
        ];
        for (option, text) in fields.into_iter().filter(|(_, text)| text != "0") {
            let done = option.set(&mut setup, &text);
            done.map_err(|error| CallError::new(EmiliaStatus::BadLimits, error))?;
        }
        Ok(setup.limits)
    }

    fn begin(&mut self, search: SearchHandle, is_move: bool, count: usize) -> StopFlag {
        let stop = search.stop_handle();
        self.lines.clear();
        self.empties = self.position.board.empty_count();
        self.running = Some(RunningSearch {
            search,
            is_move,
            count,
            incoming: Vec::new(),
        });
        stop
    }

    /// Receives the lines that the search has reported since the last call, without waiting. If the
    /// search has ended, also stores its final lines.
    pub(super) fn poll(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        while let Some(progress) = running.search.poll() {
            if progress.multi_pv <= running.count {
                running.incoming.push(progress.line);
            }
            if progress.multi_pv == running.count {
                self.lines = mem::take(&mut running.incoming);
            }
        }
        if running.search.is_finished() {
            self.wait();
        }
    }

    /// Waits until the running search has ended and stores its lines. Does nothing if none runs.
    pub(super) fn wait(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        let lines = running.search.wait();
        self.lines = if running.is_move {
            let line = self.player.pick(&self.position, lines);
            self.player.expect(&self.position, &line);
            vec![line]
        } else {
            lines
        };
    }

    /// Returns the state of the search and its line `index`. If the latest completed iteration has
    /// no such line, the fields of the line stay empty.
    pub(super) fn result(&self, index: usize) -> EmiliaResult {
        let mut result = EmiliaResult {
            state: match (&self.running, &self.lines[..]) {
                (Some(_), _) => EMILIA_RUNNING,
                (None, []) => EMILIA_IDLE,
                (None, _) => EMILIA_DONE,
            },
            lines: self.lines.len() as u32,
            ..EmiliaResult::NONE
        };
        let Some(line) = self.lines.get(index) else {
            return result;
        };
        let selectivity = match line.depth {
            Depth::Plies(_, selectivity) => selectivity,
            Depth::Book(_) | Depth::Wld | Depth::Exact => Selectivity::P100,
        };
        result.square = match line.best_move() {
            Some(Move::Place(square)) => square.index() as i32,
            Some(Move::Pass) => EMILIA_PASS,
            None => EMILIA_NO_SQUARE,
        };
        result.depth = line.depth.plies(self.empties);
        result.selectivity = selectivity.percent();
        result.exact = i32::from(line.depth == Depth::Exact);
        result.elapsed_ms = u32::try_from(line.elapsed.as_millis()).unwrap_or(u32::MAX);
        result.value = line.value.discs();
        result.nodes = line.nodes;
        let moves: Vec<String> = line.pv.iter().map(Move::to_string).collect();
        result.r#move = characters(moves.first().map_or("", String::as_str));
        result.pv = characters(&moves.join(" "));
        result
    }

    /// Returns the state of the search and its line `index`, or an error if there is no such line.
    pub(super) fn line(&self, index: u32) -> Result<EmiliaResult, CallError> {
        let count = self.lines.len();
        let message = format_args!("line {index}: the search has {count} lines");
        ensure((index as usize) < count, EmiliaStatus::NoLine, message)?;
        Ok(self.result(index as usize))
    }
}
