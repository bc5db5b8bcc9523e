//! One game between two players: asks each side in turn, measures its time, and checks its moves.
//! A fault of a player ends the game with a wipe-out for the opponent.

use std::time::{Duration, Instant};

use super::clock::{longest_move, spend};
use super::{EndReason, MoveRecord};
use emilia_core::board::{Color, Move, Score, Transcript};
use emilia_core::search::{Engine, Limits, OutOfMemory, Settings, Silent, TimeControl};
use emilia_core::work::StopFlag;
use emilia_games::{Game, Played};
use emilia_protocol::{Fault, MatchPlayer, PlayedMove, PlayerError};

/// Finished game.
#[derive(Debug)]
pub(super) struct Finished {
    pub game: Game,
    /// Final disc difference from Black's view.
    pub(super) score: Score,
    pub(super) reason: EndReason,
    pub moves: Vec<MoveRecord>,
}

/// Reason for the early end of a game, and the colour of the player that was to act.
type Stopped = (Color, PlayerError);

/// Endgame solver that adjudicates games instead of playing them to the end.
#[derive(Debug)]
pub(super) struct Solver {
    empties: u32,
    engine: Engine,
    interrupt: StopFlag,
}

impl Solver {
    /// Returns a solver for positions with at most `empties` empty squares.
    ///
    /// # Errors
    /// If there is not enough memory for the transposition table.
    pub(crate) fn new(empties: u32, interrupt: &StopFlag) -> Result<Solver, OutOfMemory> {
        let mut engine = Engine::try_new(Settings::default())?;
        engine.set_interrupt(interrupt.clone());
        Ok(Solver {
            empties,
            engine,
            interrupt: interrupt.clone(),
        })
    }

    /// Returns Black's score with best play. `None` if there are too many empty squares.
    fn score(&mut self, game: &Game) -> Result<Option<Score>, Stopped> {
        let position = game.position();
        if position.board.empty_count() > self.empties {
            return Ok(None);
        }
        let limits = Limits {
            solve_from_empties: Some(self.empties),
            ..Limits::default()
        };
        let line = self.engine.search(&position.board, &limits, &mut Silent);
        if self.interrupt.is_set() {
            return Err((position.mover, PlayerError::Interrupted));
        }
        let score = line.value.round_to_score();
        Ok(Some(match position.mover {
            Color::Black => score,
            Color::White => -score,
        }))
    }
}

/// Plays game `number`. `players` and `clocks` are those of Black and White, in this order.
/// A player without a clock must answer within `patience`.
///
/// # Errors
/// If the game is abandoned without fault of a player: interrupted, or a resource is missing.
pub(super) fn play<'a>(
    number: usize,
    players: [&'a mut Box<dyn MatchPlayer>; 2],
    opening: &Transcript,
    clocks: [Option<TimeControl>; 2],
    patience: Duration,
    solver: Option<&'a mut Solver>,
) -> Result<Finished, PlayerError> {
    let mut live = LiveGame {
        players,
        clocks,
        patience,
        solver,
        game: Game::from(opening),
        moves: Vec::new(),
    };
    let (score, reason) = match live.play(number) {
        Ok(end) => end,
        Err((color, PlayerError::Fault(fault))) => {
            live.players[color as usize].dismiss();
            let reason = EndReason::Fault {
                by: color,
                what: fault.to_string(),
            };
            let all_discs_lost = match color {
                Color::Black => -64,
                Color::White => 64,
            };
            (all_discs_lost, reason)
        }
        Err((_, abandoned)) => return Err(abandoned),
    };
    Ok(Finished {
        game: live.game,
        score,
        reason,
        moves: live.moves,
    })
}

/// Game in progress.
struct LiveGame<'a> {
    players: [&'a mut Box<dyn MatchPlayer>; 2],
    /// Remaining times of Black and White. `None` means unlimited.
    clocks: [Option<TimeControl>; 2],
    /// Maximum wait for a move of a player without a clock.
    patience: Duration,
    solver: Option<&'a mut Solver>,
    game: Game,
    moves: Vec<MoveRecord>,
}

impl LiveGame<'_> {
    /// Plays to the end and returns Black's score, with the reason for the end.
    fn play(&mut self, number: usize) -> Result<(Score, EndReason), Stopped> {
        for color in [Color::Black, Color::White] {
            self.players[color as usize]
                .begin(number, &self.game, self.clocks[color as usize])
                .map_err(|error| (color, error))?;
        }
        loop {
            if let Some(score) = self.game.score() {
                return Ok((score, EndReason::Played));
            }
            if let Some(solver) = &mut self.solver
                && let Some(score) = solver.score(&self.game)?
            {
                return Ok((score, EndReason::Adjudicated));
            }
            if self.game.position().must_pass() {
                self.advance(Played::from(Move::Pass))?;
            } else {
                let played = self.ask()?;
                self.advance(played)?;
            }
        }
    }

    /// Asks the side to move for a move, measures its time, and checks its legality.
    fn ask(&mut self) -> Result<Played, Stopped> {
        let position = self.game.position();
        let mover = position.mover;
        let stopped = |error| (mover, error);
        let time = self.clocks[mover as usize];
        let player = &mut *self.players[mover as usize];
        player.prepare(mover, time).map_err(stopped)?;

        let longest = longest_move(time);
        let start = Instant::now();
        let deadline = start + longest.unwrap_or(self.patience);
        let PlayedMove {
            mv,
            eval,
            depth,
            nodes,
        } = player.think(&self.game, time, deadline).map_err(stopped)?;
        let elapsed = start.elapsed();
        if longest.is_some_and(|longest| elapsed > longest) {
            return Err(stopped(Fault::Late(elapsed).into()));
        }
        match mv {
            Move::Pass => return Err(stopped(Fault::WrongPass.into())),
            mv if position.play(mv).is_err() => return Err(stopped(Fault::Illegal(mv).into())),
            Move::Place(_) => {}
        }
        spend(&mut self.clocks[mover as usize], elapsed);
        self.moves.push(MoveRecord {
            time: microseconds(elapsed),
            depth,
            nodes,
            eval,
        });
        Ok(Played {
            mv,
            eval,
            time: Some(elapsed),
        })
    }

    /// Plays a legal move and notifies both players, unless the move ends the game.
    fn advance(&mut self, played: Played) -> Result<(), Stopped> {
        let mover = self.game.position().mover;
        self.game
            .play(played)
            .map_err(|illegal| (mover, Fault::Illegal(illegal.mv).into()))?;
        if self.game.is_over() {
            return Ok(());
        }
        for color in [Color::Black, Color::White] {
            self.players[color as usize]
                .notify(mover, &played, color == mover)
                .map_err(|error| (color, error))?;
        }
        Ok(())
    }
}

/// Returns a time in seconds, rounded to microseconds.
fn microseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}
