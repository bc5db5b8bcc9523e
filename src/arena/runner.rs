//! A match: many games, some of them at a time.

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
use crate::work::{Stop, start_thread};

/// A match between two players, or a tournament of more.
#[derive(Debug)]
pub struct Match {
    /// Who plays: as many as the pairings of the schedule have.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom and where the games begin: each opening twice, with colours swapped.
    pub schedule: Schedule,
    /// The time of each player who has no clock of its own.
    pub clock: Clock,
    /// From how many empty squares on games are solved instead of played.
    pub adjudicate: Option<u32>,
    /// The longest wait for an answer that no clock bounds.
    pub patience: Duration,
    /// Whether programs are started anew for each game.
    pub fresh: bool,
    /// Where the stderr of programs goes; nowhere without.
    pub stderr: Option<File>,
    /// How many games are played at a time.
    pub concurrency: NonZero<usize>,
}

/// What happens in a match.
#[derive(Debug)]
pub enum GameEvent {
    /// A game has begun.
    Begun,
    /// A game that had begun has ended without a result.
    Abandoned,
    /// A game that had begun is finished.
    Finished(MatchGame),
}

/// Why a match cannot be played.
#[derive(Debug)]
#[non_exhaustive]
pub enum MatchError {
    /// A player does not get as far as its first game.
    Player {
        /// Who it is.
        name: String,
        /// What it did.
        fault: Fault,
    },
    /// What is needed around the players cannot be had.
    Io(io::Error),
    /// What every game needs of the system cannot be had, such as file descriptors.
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
                    "{what}; no player is to blame, and the games that are missing can be played with a lower --concurrency"
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

/// How often in a row the last worker tries to get what a game needs.
const MAX_TRIALS: u32 = 10;

/// The pause between two of these trials.
const PAUSE: Duration = Duration::from_millis(300);

/// The players of a worker.
type Players = Vec<Box<dyn Player>>;

impl Match {
    /// How many games there are.
    pub fn games(&self) -> usize {
        2 * self.schedule.pairs()
    }

    /// The clock of a player.
    pub fn clock_of(&self, player: &PlayerSpec) -> Clock {
        player.clock().unwrap_or(self.clock)
    }

    /// The colour of the first player of the pairing in a game.
    pub fn first_color(game: usize) -> Color {
        if game.is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        }
    }

    /// Plays the games with these numbers until all are finished or `interrupt` is set, and calls
    /// `on_event` for each game that begins or ends. Where the system does not give what this many
    /// games at a time need, fewer are played at a time, and a sentence is returned.
    ///
    /// # Errors
    /// If a player cannot begin even its first game, or the system gives too little for a single game.
    ///
    /// # Panics
    /// If a pairing names a player that is not there.
    pub fn play(
        &self,
        games: &[usize],
        interrupt: &Stop,
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

    /// What the processes of players share, if there are any.
    fn context(&self, interrupt: &Stop) -> Result<Option<ProcessContext>, MatchError> {
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

    /// The players of a worker; none where one of them is a program and there is no context for it.
    fn players(
        &self,
        interrupt: &Stop,
        context: Option<&ProcessContext>,
    ) -> Result<Option<Players>, OutOfMemory> {
        let players = self.players.iter();
        players
            .map(|spec| spec.player(interrupt, context))
            .collect()
    }

    /// Whether all get as far as the start of a game. What goes wrong later costs games, not the match.
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

    /// A worker: plays one game after another.
    fn play_games(
        &self,
        mut players: Players,
        queue: &GameQueue,
        interrupt: &Stop,
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
            // Events are received until the last worker has ended.
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
                    // What they hold may be what is lacking.
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

    /// The numbers of the players who have Black and White in a game.
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
