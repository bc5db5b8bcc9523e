//! An engine with its game and its search: what the functions of `emilia.h` do, without their pointers.

use std::mem;
use std::time::Duration;

use super::error::Failure;
use super::types::{
    EMILIA_BLACK, EMILIA_DONE, EMILIA_IDLE, EMILIA_MUST_PASS, EMILIA_NO_SQUARE, EMILIA_OVER,
    EMILIA_PASS, EMILIA_RUNNING, EMILIA_TO_MOVE, EMILIA_WHITE, EmiliaLimits, EmiliaPosition,
    EmiliaResult, EmiliaStatus, characters,
};
use crate::board::{Color, Move, Position};
use crate::options::{AnyOption, EXACT, LEVEL, NODES, TIME, Target};
use crate::player::Player;
use crate::protocol::Setup;
use crate::search::{
    Depth, Engine, Limits, Line, OutOfMemory, Progress, Search, Selectivity, Stop, TimeControl,
};

/// What an engine knows.
#[derive(Debug)]
pub(super) struct Session {
    setup: Setup,
    player: Player,
    position: Position,
    /// The positions to go back to, the last one last.
    earlier: Vec<Position>,
    running: Option<Running>,
    /// The empty squares of the position that was searched last.
    empties: u32,
    /// What the search has found so far, best first: lines of one iteration. Empty before that.
    lines: Vec<Line>,
    /// The limits of the last search for a move: pondering has them too.
    limits: Limits,
}

/// A search under way.
#[derive(Debug)]
struct Running {
    search: Search,
    /// Whether it is for a move to play.
    is_move: bool,
    /// How many lines it finds in each iteration, as far as they are asked for.
    count: usize,
    /// Lines of an iteration of which not all have come.
    incoming: Vec<Line>,
}

impl Running {
    /// Hears of a line. Returns all lines of its iteration when it is the last of them.
    fn hear(&mut self, progress: Progress) -> Option<Vec<Line>> {
        if progress.multi_pv > self.count {
            return None;
        }
        self.incoming.push(progress.line);
        (progress.multi_pv == self.count).then(|| mem::take(&mut self.incoming))
    }
}

impl Session {
    /// A new game with the usual settings.
    pub(super) fn new() -> Result<Session, OutOfMemory> {
        let setup = Setup::default();
        let engine = Engine::try_new(setup.settings.clone())?;
        Ok(Session {
            player: Player::new(engine).with_style(setup.style),
            limits: setup.limits.clone(),
            setup,
            position: Position::START,
            earlier: Vec::new(),
            running: None,
            empties: 0,
            lines: Vec::new(),
        })
    }

    /// Makes sure that no search is running.
    fn check_idle(&mut self) -> Result<(), Failure> {
        self.poll();
        if self.running.is_some() {
            let sentence = "a search is running: call emilia_stop and emilia_wait first";
            return Err(Failure::new(EmiliaStatus::Searching, sentence));
        }
        Ok(())
    }

    /// Sets an option of the engine.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        self.check_idle()?;
        let done = self.setup.set(&mut self.player, name, value);
        done.map_err(|sentence| Failure::new(EmiliaStatus::BadOption, sentence))
    }

    /// Begins another game at the position that is written as `text`.
    pub(super) fn set_position(&mut self, text: &str) -> Result<(), Failure> {
        self.check_idle()?;
        let position = text
            .parse()
            .map_err(|error| Failure::new(EmiliaStatus::BadPosition, error))?;
        self.earlier.clear();
        self.look_at(position);
        Ok(())
    }

    /// Plays the move that is written as `text`, after the forced pass that was left out.
    pub(super) fn play(&mut self, text: &str) -> Result<(), Failure> {
        self.check_idle()?;
        let mv: Move = text
            .parse()
            .map_err(|error| Failure::new(EmiliaStatus::BadMove, error))?;
        let before = self.position;
        let skips = mv != Move::Pass && before.must_pass();
        let mover = if skips { !before.mover } else { before.mover };
        let next = before
            .with_mover(mover)
            .play(mv)
            .map_err(|error| Failure::new(EmiliaStatus::BadMove, error))?;
        self.earlier.push(before);
        self.look_at(next);
        Ok(())
    }

    /// Takes back what was played last.
    pub(super) fn undo(&mut self) -> Result<(), Failure> {
        self.check_idle()?;
        let Some(position) = self.earlier.pop() else {
            let sentence = "no move was played that could be taken back";
            return Err(Failure::new(EmiliaStatus::NoUndo, sentence));
        };
        self.look_at(position);
        Ok(())
    }

    /// From now on the game stands at `position`. What was found in another one is forgotten.
    fn look_at(&mut self, position: Position) {
        self.position = position;
        self.lines.clear();
        self.player.ponder(&position, &self.limits);
    }

    /// The position.
    pub(super) fn position(&self) -> EmiliaPosition {
        let position = &self.position;
        let state = if position.is_over() {
            EMILIA_OVER
        } else if position.must_pass() {
            EMILIA_MUST_PASS
        } else {
            EMILIA_TO_MOVE
        };
        EmiliaPosition {
            size: 0,
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

    /// A mask of the legal squares.
    pub(super) fn legal_moves(&self) -> u64 {
        self.position.board.legal_moves().0
    }

    /// Begins to search for a move. Returns what ends the search.
    pub(super) fn go(&mut self, given: &EmiliaLimits) -> Result<Stop, Failure> {
        self.check_idle()?;
        self.check_going()?;
        let limits = self.limits(given)?;
        let milliseconds = |count: u32| Duration::from_millis(count.into());
        let clock = (given.clock_ms > 0).then(|| TimeControl::Clock {
            left: milliseconds(given.clock_ms),
            increment: milliseconds(given.increment_ms),
        });
        let search = self.player.start(&self.position, &limits, clock);
        self.limits = limits;
        Ok(self.begin(search, true, 1))
    }

    /// Begins to search for the best `count` moves. Returns what ends the search.
    pub(super) fn hint(&mut self, count: u32, given: &EmiliaLimits) -> Result<Stop, Failure> {
        self.check_idle()?;
        self.check_going()?;
        if count == 0 {
            let sentence = "count: 0 (expected at least one line)";
            return Err(Failure::new(EmiliaStatus::BadLimits, sentence));
        }
        let limits = self.limits(given)?.at_level();
        // A side that must pass has one line.
        let moves = self.position.board.legal_moves().count().max(1);
        let count = count.min(moves) as usize;
        let board = &self.position.board;
        let search = self.player.engine().start(board, count, &limits);
        Ok(self.begin(search, false, count))
    }

    /// Makes sure that the game is not over.
    fn check_going(&self) -> Result<(), Failure> {
        if self.position.is_over() {
            let sentence = "the game is over: neither side can move";
            return Err(Failure::new(EmiliaStatus::GameOver, sentence));
        }
        Ok(())
    }

    /// The limits that are given, and for the others those that are set as options.
    fn limits(&self, given: &EmiliaLimits) -> Result<Limits, Failure> {
        let Setup {
            mut settings,
            mut limits,
            mut style,
            ..
        } = self.setup.clone();
        let mut target = Target {
            settings: &mut settings,
            limits: &mut limits,
            style: &mut style,
        };
        let seconds = format!("{}.{:03}", given.time_ms / 1000, given.time_ms % 1000);
        let fields: [(&dyn AnyOption, bool, String); 4] = [
            (&LEVEL, given.level > 0, given.level.to_string()),
            (&EXACT, given.exact > 0, given.exact.to_string()),
            (&TIME, given.time_ms > 0, seconds),
            (&NODES, given.nodes > 0, given.nodes.to_string()),
        ];
        for (option, _, text) in fields.into_iter().filter(|&(_, is_given, _)| is_given) {
            option
                .set_text(&mut target, &text)
                .map_err(|error| Failure::new(EmiliaStatus::BadLimits, error))?;
        }
        Ok(limits)
    }

    /// Makes this tell the time.
    #[cfg(test)]
    pub(super) fn set_clock(&mut self, clock: crate::search::Clock) {
        self.setup.settings.clock = clock;
        let settings = self.setup.settings.clone();
        self.player.configure(settings).expect("the same table");
    }

    fn begin(&mut self, search: Search, is_move: bool, count: usize) -> Stop {
        let stop = search.stop_handle();
        self.lines.clear();
        self.empties = self.position.board.empty_count();
        self.running = Some(Running {
            search,
            is_move,
            count,
            incoming: Vec::new(),
        });
        stop
    }

    /// Takes in what the search has found since the last time.
    pub(super) fn poll(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        while let Some(progress) = running.search.poll() {
            if let Some(lines) = running.hear(progress) {
                self.lines = lines;
            }
        }
        if running.search.is_finished() {
            self.wait();
        }
    }

    /// Waits for the end of the search, if one is running.
    pub(super) fn wait(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        // If the search has panicked, this does, and no search has been.
        self.lines.clear();
        let lines = running.search.wait();
        self.lines = if running.is_move {
            let line = self.player.pick(&self.position, lines);
            self.player.expect(&self.position, &line);
            vec![line]
        } else {
            lines
        };
    }

    /// How the search stands, and its best line.
    pub(super) fn result(&self) -> EmiliaResult {
        let mut result = EmiliaResult {
            state: match (&self.running, &self.lines[..]) {
                (Some(_), _) => EMILIA_RUNNING,
                (None, []) => EMILIA_IDLE,
                (None, _) => EMILIA_DONE,
            },
            lines: self.lines.len() as u32,
            ..EmiliaResult::NONE
        };
        if let Some(line) = self.lines.first() {
            self.tell(line, &mut result);
        }
        result
    }

    /// The same with the line of this number, counted from 0.
    pub(super) fn line(&self, index: u32) -> Result<EmiliaResult, Failure> {
        let Some(line) = self.lines.get(index as usize) else {
            let sentence = format!("line {index}: {} are known", self.lines.len());
            return Err(Failure::new(EmiliaStatus::NoLine, sentence));
        };
        let mut result = self.result();
        self.tell(line, &mut result);
        Ok(result)
    }

    /// Tells of `line`.
    fn tell(&self, line: &Line, result: &mut EmiliaResult) {
        let selectivity = match line.depth {
            Depth::Plies(_, selectivity) => selectivity,
            Depth::Wld | Depth::Exact => Selectivity::P100,
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
    }
}
