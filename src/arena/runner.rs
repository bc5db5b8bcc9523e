//! Runs the games of a match, several at a time, on the players and the referee of the arena.

use std::fmt;
use std::fs::File;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use super::game_queue::GameQueue;
use super::openings::Schedule;
use super::players::{Fault, Guard, Player, ProcessContext, Trouble};
use super::referee::{self, Finished, GivenUp, Solver, TimeRules};
use super::{Clock, MatchGame, PlayerSpec};
use crate::board::Color;
use crate::game::Game;
use crate::search::OutOfMemory;
use crate::work::{StopFlag, start_thread};

/// Match between two players, or tournament of more.
#[derive(Debug)]
pub struct Match {
    /// Players, one for each index that the pairings of the schedule use.
    pub players: Vec<PlayerSpec>,
    /// Pairings and openings. Each opening is played twice, with colours swapped.
    pub schedule: Schedule,
    /// Clock of each player that has none of its own.
    pub clock: Clock,
    /// Number of empties from which on games are solved instead of played. `None` plays to the end.
    pub adjudicate: Option<u32>,
    /// Maximum wait for an answer without a clock.
    pub patience: Duration,
    /// Whether programs are restarted for each game.
    pub fresh: bool,
    /// File for the stderr of programs. `None` discards it.
    pub stderr: Option<File>,
    /// Maximum number of games played at the same time.
    pub concurrency: NonZero<usize>,
}

/// Event of a running match.
#[derive(Debug)]
pub enum GameEvent {
    /// A game has started.
    Begun,
    /// A started game has ended without a result.
    Abandoned,
    /// A started game is finished.
    Finished(MatchGame),
}

/// Reason that a match cannot be played.
#[derive(Debug)]
#[non_exhaustive]
pub enum MatchError {
    /// A player failed to start its first game.
    Player {
        /// Name of the player.
        name: String,
        /// Fault of the player.
        fault: Fault,
    },
    /// An operation around the players failed, such as starting their guard process.
    Io(io::Error),
    /// The system lacks a resource that every game needs, such as file descriptors.
    Lacks(String),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Player { name, fault } => {
                write!(f, "player '{name}' cannot begin a game: {fault}")
            }
            MatchError::Io(error) => error.fmt(f),
            MatchError::Lacks(what) => {
                write!(
                    f,
                    "{what}; this is no fault of a player: play the missing games with a lower \
                     --concurrency"
                )
            }
        }
    }
}

impl std::error::Error for MatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            MatchError::Player { fault, .. } => Some(fault),
            MatchError::Io(error) => Some(error),
            MatchError::Lacks(_) => None,
        }
    }
}

impl From<io::Error> for MatchError {
    fn from(error: io::Error) -> MatchError {
        MatchError::Io(error)
    }
}

/// Maximum number of attempts in a row by the last worker to get the resources of a game.
const MAX_TRIALS: u32 = 10;

/// Pause between two of these attempts.
const PAUSE: Duration = Duration::from_millis(300);

/// Players of one worker.
type Players = Vec<Box<dyn Player>>;

impl Match {
    /// Returns the number of games.
    pub fn games(&self) -> usize {
        2 * self.schedule.pairs()
    }

    /// Returns the clock of a player: its own, or that of the match.
    pub fn clock_of(&self, player: &PlayerSpec) -> Clock {
        player.clock().unwrap_or(self.clock)
    }

    /// Returns the colour of the pairing's first player in the game with this number.
    pub fn first_color(game: usize) -> Color {
        if game.is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        }
    }

    /// Plays the games with these numbers until all are finished or `interrupt` is set.
    ///
    /// Calls `on_event` for each game that starts or ends.
    /// If the system lacks resources for `concurrency` games at a time, fewer are played at a time.
    /// The returned message then names the missing resource.
    ///
    /// # Errors
    /// Returns an error if a player cannot start its first game, or if the system lacks the
    /// resources of a single game.
    ///
    /// # Panics
    /// Panics if a pairing has an index beyond the players.
    pub fn play(
        &self,
        games: &[usize],
        interrupt: &StopFlag,
        on_event: impl FnMut(GameEvent),
    ) -> Result<Option<String>, MatchError> {
        let concurrency = self.concurrency.get().min(games.len());
        let context = self.context(interrupt)?;
        let players = || self.players(interrupt, context.as_ref());
        let mut first = players().map_err(io::Error::from)?;
        if let Some(players) = &mut first {
            self.try_out(players)?;
        }
        let queue = GameQueue::new(games);
        let (sender, events) = channel();
        thread::scope(|scope| {
            for worker in 0..concurrency {
                let players = match first.take().map_or_else(&players, |first| Ok(Some(first))) {
                    Ok(Some(players)) => players,
                    Ok(None) => break,
                    Err(error) => {
                        queue.add_worker();
                        queue.give_up(&error.to_string());
                        break;
                    }
                };
                queue.add_worker();
                let (queue, sender) = (&queue, sender.clone());
                let work = move || self.play_games(players, queue, interrupt, &sender);
                if let Err(error) = start_thread(scope, "match", worker, work) {
                    queue.give_up(&format!("cannot start a thread: {error}"));
                    break;
                }
            }
            drop(sender);
            events.into_iter().for_each(on_event);
        });
        match queue.lacks() {
            None => Ok(None),
            Some(what) if queue.is_empty() || interrupt.is_set() => Ok(Some(format!(
                "fewer than {concurrency} games at a time were played: {what}"
            ))),
            Some(what) => Err(MatchError::Lacks(what)),
        }
    }

    /// Creates the shared context of player processes. `None` if no player is a program.
    fn context(&self, interrupt: &StopFlag) -> Result<Option<ProcessContext>, MatchError> {
        if !self.players.iter().any(PlayerSpec::is_program) {
            return Ok(None);
        }
        let stderr = self.stderr.as_ref().map(File::try_clone).transpose();
        Ok(Some(ProcessContext {
            guard: Guard::start()?,
            stderr: stderr?.map(Arc::new),
            interrupt: interrupt.clone(),
            patience: self.patience,
            fresh: self.fresh,
        }))
    }

    /// Creates the players of a worker. `None` if one is a program and `context` is `None`.
    fn players(
        &self,
        interrupt: &StopFlag,
        context: Option<&ProcessContext>,
    ) -> Result<Option<Players>, OutOfMemory> {
        let players = self.players.iter();
        players
            .map(|spec| spec.player(interrupt, context))
            .collect()
    }

    /// Starts a first game with every player. Later faults cost games and do not end the match.
    fn try_out(&self, players: &mut Players) -> Result<(), MatchError> {
        for (player, spec) in players.iter_mut().zip(&self.players) {
            match player.begin(&Game::default(), self.clock_of(spec)) {
                Ok(()) | Err(Trouble::Interrupted) => {}
                Err(Trouble::Lacks(what)) => return Err(MatchError::Lacks(what)),
                Err(Trouble::Fault(fault)) => {
                    let name = spec.to_string();
                    return Err(MatchError::Player { name, fault });
                }
            }
        }
        Ok(())
    }

    /// Plays games from the queue, one after another. Each worker thread runs this function.
    fn play_games(
        &self,
        mut players: Players,
        queue: &GameQueue,
        interrupt: &StopFlag,
        sender: &Sender<GameEvent>,
    ) {
        let solver = self
            .adjudicate
            .map(|empties| Solver::new(empties, interrupt));
        let mut solver = match solver.transpose() {
            Ok(solver) => solver,
            Err(error) => return queue.give_up(&error.to_string()),
        };
        let mut trials = 0;
        while !interrupt.is_set()
            && let Some(number) = queue.take()
        {
            // The receiver lives until the last worker has ended, so sending does not fail.
            let tell = |event| sender.send(event).unwrap_or_default();
            tell(GameEvent::Begun);
            let end = self.play_game(number, &mut players, solver.as_mut());
            if end.is_err() {
                tell(GameEvent::Abandoned);
            }
            match end {
                Ok(game) => {
                    trials = 0;
                    tell(GameEvent::Finished(game));
                }
                Err(GivenUp::Interrupted) => return,
                Err(GivenUp::Lacks(what)) => {
                    // The missing resource may be held by these players.
                    for player in &mut players {
                        player.dismiss();
                    }
                    log::warn!("game {number}: {what}");
                    if queue.give_back(number, &what) {
                        return;
                    }
                    trials += 1;
                    if trials == MAX_TRIALS {
                        return queue.give_up(&what);
                    }
                    thread::sleep(PAUSE);
                }
            }
        }
    }

    fn play_game(
        &self,
        number: usize,
        players: &mut Players,
        solver: Option<&mut Solver>,
    ) -> Result<MatchGame, GivenUp> {
        let opening = self.schedule.opening(number / 2);
        let [black, white] = self.black_and_white(number);
        let rules = TimeRules {
            clocks: [black, white].map(|player| self.clock_of(&self.players[player])),
            patience: self.patience,
        };
        let playing = players.get_disjoint_mut([black, white]);
        let mut playing = playing.expect("a pairing is of two players of the match");
        for player in &mut playing {
            player.next_game(number);
        }
        let finished = referee::play(playing, opening, &rules, solver)?;
        Ok(self.record(number, opening.to_string(), finished))
    }

    /// Returns the indices of the players that have Black and White in a game.
    fn black_and_white(&self, game: usize) -> [usize; 2] {
        let [first, second] = self.schedule.pairings()[self.schedule.pairing(game / 2)];
        match Match::first_color(game) {
            Color::Black => [first, second],
            Color::White => [second, first],
        }
    }

    fn record(&self, game: usize, opening: String, finished: Finished) -> MatchGame {
        let first = Match::first_color(game);
        let [black, white] = self.black_and_white(game);
        MatchGame {
            game,
            black: self.players[black].name().to_owned(),
            white: self.players[white].name().to_owned(),
            first,
            opening,
            moves: finished.game.transcript().to_string(),
            score: finished.score,
            reason: finished.reason,
            thoughts: finished.thoughts,
        }
    }
}
