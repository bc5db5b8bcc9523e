//! Many games, some of them at a time. Stands on `referee`.

use std::fmt;
use std::fs::File;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use super::openings::Schedule;
use super::players::{Fault, Guard, Player, Surroundings, Trouble};
use super::referee::{self, Finished, Rules, Solver};
use super::{Clock, GameRecord, Interrupt, PlayerSpec};
use crate::board::Color;
use crate::game::Game;

/// A match between two players.
#[derive(Debug)]
pub struct Match {
    /// Who plays.
    pub players: [PlayerSpec; 2],
    /// Where the games begin: each opening twice, with colours swapped.
    pub schedule: Schedule,
    /// The time for each side.
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

/// Why a match cannot be played.
#[derive(Debug)]
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
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Player { name, fault } => {
                write!(f, "player '{name}' cannot begin a game: {fault}")
            }
            MatchError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MatchError {}

/// Who plays at one of the boards.
type Pair = [Box<dyn Player>; 2];

impl Match {
    /// How many games there are.
    pub fn games(&self) -> usize {
        2 * self.schedule.pairs()
    }

    /// The colour of the first player in a game.
    pub fn first_color(game: usize) -> Color {
        if game.is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        }
    }

    /// Plays the games with these numbers and tells of each that is finished, until all are or `interrupt` is set.
    ///
    /// # Errors
    /// If a player cannot begin even its first game.
    pub fn play(
        &self,
        games: &[usize],
        interrupt: &Interrupt,
        mut finished: impl FnMut(GameRecord),
    ) -> Result<(), MatchError> {
        let boards = self.concurrency.get().min(games.len());
        let mut pairs = self.seat(boards, interrupt)?;
        if let Some(pair) = pairs.first_mut() {
            self.try_out(pair)?;
        }
        let next = AtomicUsize::new(0);
        let (sender, records) = channel();
        thread::scope(|scope| {
            for pair in pairs {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || self.play_at_board(pair, games, next, interrupt, &sender));
            }
            drop(sender);
            records.into_iter().for_each(&mut finished);
        });
        Ok(())
    }

    /// Players for so many boards.
    fn seat(&self, boards: usize, interrupt: &Interrupt) -> Result<Vec<Pair>, MatchError> {
        let surroundings = if self.players.iter().any(PlayerSpec::is_program) {
            let stderr = self.stderr.as_ref().map(File::try_clone).transpose();
            Some(Surroundings {
                guard: Guard::start().map_err(MatchError::Io)?,
                stderr: stderr.map_err(MatchError::Io)?.map(Arc::new),
                interrupt: interrupt.clone(),
                patience: self.patience,
                fresh: self.fresh,
            })
        } else {
            None
        };
        let player = |spec: &PlayerSpec| spec.player(interrupt, surroundings.as_ref());
        let pairs =
            (0..boards).map(|_| Some([player(&self.players[0])?, player(&self.players[1])?]));
        Ok(pairs.flatten().collect())
    }

    /// Whether both get as far as the start of a game. What goes wrong later costs games, not the match.
    fn try_out(&self, pair: &mut Pair) -> Result<(), MatchError> {
        for (player, spec) in pair.iter_mut().zip(&self.players) {
            if let Err(Trouble::Fault(fault)) = player.begin(&Game::default(), self.clock) {
                let name = spec.to_string();
                return Err(MatchError::Player { name, fault });
            }
        }
        Ok(())
    }

    /// Takes one game after another.
    fn play_at_board(
        &self,
        mut pair: Pair,
        games: &[usize],
        next: &AtomicUsize,
        interrupt: &Interrupt,
        sender: &Sender<GameRecord>,
    ) {
        let rules = Rules {
            clock: self.clock,
            patience: self.patience,
        };
        let mut solver = self
            .adjudicate
            .map(|empties| Solver::new(empties, interrupt));
        while !interrupt.is_set()
            && let Some(&number) = games.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let opening = self.schedule.opening(number / 2);
            let first = Match::first_color(number);
            let [one, two] = &mut pair;
            let players = match first {
                Color::Black => [one, two],
                Color::White => [two, one],
            };
            let Ok(finished) = referee::play(players, opening, &rules, solver.as_mut()) else {
                return;
            };
            let record = self.record(number, opening.to_string(), finished);
            if sender.send(record).is_err() {
                return;
            }
        }
    }

    fn record(&self, game: usize, opening: String, finished: Finished) -> GameRecord {
        let first = Match::first_color(game);
        let name = |color| self.players[usize::from(color != first)].to_string();
        GameRecord {
            game,
            black: name(Color::Black),
            white: name(Color::White),
            first,
            opening,
            moves: finished.game.transcript().to_string(),
            score: finished.score,
            reason: finished.reason,
            thoughts: finished.thoughts,
        }
    }
}
