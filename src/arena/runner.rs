//! Runs the games of a match on several threads. Each thread has its own players and referee.

use std::fmt::Display;
use std::sync::OnceLock;
use std::time::Duration;

use parking_lot::Mutex;

use super::adjudication::Adjudicator;
use super::openings::Schedule;
use super::players::{MatchPlayer, PlayerError, ProcessContext};
use super::referee::LiveGame;
use super::{Adjudication, Clock, MatchGame, PlayerSpec};
use emilia_core::board::Color;
use emilia_core::search::OutOfMemory;
use emilia_core::work::{self, StopFlag};
use emilia_games::Game;

/// Match between two players, or tournament of three or more.
#[derive(Clone, Debug)]
pub struct Match {
    /// Players. The pairings of the schedule are indices into this list.
    pub players: Vec<PlayerSpec>,
    /// Pairings and openings. Each opening is played twice, with colours swapped.
    pub schedule: Schedule,
    /// Clock of the players whose specification has none. `None` means unlimited.
    pub clock: Option<Clock>,
    /// Maximum wait for an answer of a program if no clock limits it.
    pub patience: Duration,
    /// Rule by which the referee ends games early. `None`: all games are played to their ends.
    pub adjudication: Option<Adjudication>,
    /// Maximum number of games played at the same time.
    pub concurrency: usize,
}

/// State of one thread: its own instance of each player, and its adjudicator.
struct Worker {
    players: Vec<Box<dyn MatchPlayer>>,
    adjudicator: Option<Adjudicator>,
}

impl Match {
    /// Returns the number of games of the schedule: two for each pair.
    pub fn games(&self) -> usize {
        2 * self.schedule.pairs()
    }

    /// Returns the clock of a player: its own, or else the clock of the match.
    fn clock_of(&self, player: &PlayerSpec) -> Option<Clock> {
        player.clock().or(self.clock)
    }

    /// Returns the colour that the first player of a pairing has in game number `game`: Black in
    /// even games, White in odd games.
    pub fn first_color(game: usize) -> Color {
        if game.is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        }
    }

    /// Plays `games`, the numbers of games of the schedule, until all are finished or `interrupt`
    /// is set. Calls `on_game` for each finished game.
    ///
    /// # Errors
    /// Returns an error if a player cannot start its first game, or if the system refuses a
    /// resource that a game needs: memory, a thread or a child process.
    ///
    /// # Panics
    /// Panics if a pairing contains an index that is out of range for `players`.
    pub fn play(
        &self,
        games: &[usize],
        interrupt: &StopFlag,
        on_game: impl FnMut(MatchGame) + Send,
    ) -> Result<(), String> {
        let context = ProcessContext {
            interrupt: interrupt.clone(),
            patience: self.patience,
        };
        let concurrency = self.concurrency.min(games.len());
        let worker = |_| {
            let players = self.players.iter().map(|spec| spec.player(&context));
            let adjudicator = self
                .adjudication
                .map(|rule| Adjudicator::new(rule, interrupt));
            Ok(Worker {
                players: players.collect::<Result<_, _>>()?,
                adjudicator: adjudicator.transpose()?,
            })
        };
        let created: Result<Vec<Worker>, OutOfMemory> = (0..concurrency).map(worker).collect();
        let mut workers = created.map_err(out_of_resources)?;
        if let Some(first) = workers.first_mut() {
            self.try_out(&mut first.players)?;
        }
        let on_game = Mutex::new(on_game);
        let failure = OnceLock::new();
        work::parallel_map("match", &mut workers, games, &|_| (), |worker, &number| {
            if interrupt.is_set() {
                return None;
            }
            match self.play_game(number, worker) {
                Ok(game) => {
                    on_game.lock()(game);
                    Some(())
                }
                Err(abandoned) => {
                    if let PlayerError::OutOfResources(what) = abandoned {
                        // Only the first failure is returned: `set` ignores the later ones.
                        let _ = failure.set(out_of_resources(what));
                    }
                    None
                }
            }
        });
        failure.into_inner().map_or(Ok(()), Err)
    }

    /// Begins game 0 with every player, to end the match early if a player cannot start. A fault in
    /// a later game costs the player only that game.
    fn try_out(&self, players: &mut [Box<dyn MatchPlayer>]) -> Result<(), String> {
        for (player, spec) in players.iter_mut().zip(&self.players) {
            match player.begin(0, &Game::default(), self.clock_of(spec)) {
                Ok(()) | Err(PlayerError::Interrupted) => {}
                Err(PlayerError::OutOfResources(what)) => return Err(out_of_resources(what)),
                Err(PlayerError::Fault(fault)) => {
                    return Err(format!("player '{spec}' cannot begin a game: {fault}"));
                }
            }
        }
        Ok(())
    }

    fn play_game(&self, number: usize, worker: &mut Worker) -> Result<MatchGame, PlayerError> {
        let opening = self.schedule.opening(number / 2);
        let [black, white] = self.black_and_white(number);
        let players = worker.players.get_disjoint_mut([black, white]);
        let mut live = LiveGame {
            players: players.expect("a pairing is of two players of the match"),
            clocks: [black, white].map(|player| self.clock_of(&self.players[player])),
            patience: self.patience,
            game: Game::from(opening),
            adjudicator: worker.adjudicator.as_mut(),
            moves: Vec::new(),
        };
        let (score, reason) = live.play(number)?;
        Ok(MatchGame {
            game: number,
            black: self.players[black].name().to_owned(),
            white: self.players[white].name().to_owned(),
            first: Match::first_color(number),
            start: emilia_games::match_log::start_text(&opening.start),
            opening: opening.to_string(),
            moves: live.game.transcript().to_string(),
            score,
            reason,
            date: emilia_games::today(),
            move_records: live.moves,
        })
    }

    /// Returns the indices of the players that have Black and White in a game.
    fn black_and_white(&self, game: usize) -> [usize; 2] {
        let [first, second] = self.schedule.pairings[self.schedule.pairing(game / 2)];
        match Match::first_color(game) {
            Color::Black => [first, second],
            Color::White => [second, first],
        }
    }
}

/// Returns the error for a resource that the system lacks, such as file descriptors.
fn out_of_resources(what: impl Display) -> String {
    format!("{what}; no player is at fault: play the missing games with a lower --concurrency")
}
