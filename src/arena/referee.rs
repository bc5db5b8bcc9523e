//! One game between two players: asks each side in turn, measures its time, and checks its moves.
//! A fault of a player (illegal move, time-out, crash) ends the game as a wipe-out by the opponent.

use std::time::{Duration, Instant};

use super::adjudication::Adjudicator;
use super::players::{MatchPlayer, PlayerError, PlayerMove};
use super::{Clock, EndReason, MoveRecord};
use emilia_core::board::{Color, Move, Score};
use emilia_games::{Game, Played};

/// Colour of the player whose call failed, and the error that ended the game early.
type Stopped = (Color, PlayerError);

/// Game in progress.
pub(super) struct LiveGame<'a> {
    /// Player of Black and player of White.
    pub players: [&'a mut Box<dyn MatchPlayer>; 2],
    /// Clock of Black and clock of White. `None`: unlimited time.
    pub clocks: [Option<Clock>; 2],
    /// Maximum wait for a move of a player without a clock.
    pub patience: Duration,
    /// Moves so far, beginning with the opening.
    pub game: Game,
    /// Adjudicator that may end the game early. `None`: every game is played to its end.
    pub adjudicator: Option<&'a mut Adjudicator>,
    pub moves: Vec<MoveRecord>,
}

impl LiveGame<'_> {
    /// Plays game `number` to its end, and returns Black's score with the reason for the end.
    ///
    /// # Errors
    /// If the game is abandoned and no player is at fault: the match is interrupted, or
    /// [`PlayerError::OutOfResources`].
    pub(super) fn play(&mut self, number: usize) -> Result<(Score, EndReason), PlayerError> {
        match self.play_on(number) {
            Ok(end) => Ok(end),
            Err((by, PlayerError::Fault(what))) => {
                self.players[by as usize].dismiss();
                let all_discs_lost = match by {
                    Color::Black => -64,
                    Color::White => 64,
                };
                Ok((all_discs_lost, EndReason::Fault { by, what }))
            }
            Err((_, abandoned)) => Err(abandoned),
        }
    }

    fn play_on(&mut self, number: usize) -> Result<(Score, EndReason), Stopped> {
        if let Some(adjudicator) = &mut self.adjudicator {
            adjudicator.begin();
        }
        for color in [Color::Black, Color::White] {
            self.players[color as usize]
                .begin(number, &self.game, self.clocks[color as usize])
                .map_err(|error| (color, error))?;
        }
        loop {
            if let Some(score) = self.game.score() {
                return Ok((score, EndReason::Played));
            }
            let must_pass = self.game.position().must_pass();
            let played = if must_pass {
                Played::from(Move::Pass)
            } else {
                self.ask()?
            };
            self.advance(played)?;
            let position = self.game.position();
            if let Some(adjudicator) = self.adjudicator.as_mut().filter(|_| !must_pass)
                && let Some(score) = adjudicator.score(&position)
            {
                return Ok((score, EndReason::Adjudicated));
            }
        }
    }

    /// Asks the side to move for a move, measures its time, and checks its legality.
    fn ask(&mut self) -> Result<Played, Stopped> {
        let position = self.game.position();
        let mover = position.mover;
        let stopped = |error| (mover, error);
        let fault = |what: String| Err((mover, PlayerError::Fault(what)));
        let clock = self.clocks[mover as usize];
        let player = &mut *self.players[mover as usize];
        player.prepare(mover, clock).map_err(stopped)?;

        let longest = clock.map(Clock::longest_move);
        let start = Instant::now();
        let deadline = start + longest.unwrap_or(self.patience);
        let PlayerMove {
            mv,
            eval,
            depth,
            nodes,
        } = player.think(&self.game, clock, deadline).map_err(stopped)?;
        let elapsed = start.elapsed();
        if longest.is_some_and(|longest| elapsed > longest) {
            return fault(format!("too late: {:.3} s", elapsed.as_secs_f64()));
        }
        match mv {
            Move::Pass => return fault("passed with a legal move".to_owned()),
            mv if position.play(mv).is_err() => return fault(format!("illegal move: {mv}")),
            Move::Place(_) => {}
        }
        if let Some(clock) = &mut self.clocks[mover as usize] {
            clock.spend(elapsed);
        }
        let made = MoveRecord {
            time: microseconds(elapsed),
            depth,
            nodes,
            eval,
        };
        if let Some(adjudicator) = &mut self.adjudicator {
            adjudicator.add(&position, &made);
        }
        self.moves.push(made);
        Ok(Played {
            eval,
            time: Some(elapsed),
            depth,
            ..mv.into()
        })
    }

    /// Plays a legal move and notifies both players, unless the move ends the game.
    fn advance(&mut self, played: Played) -> Result<(), Stopped> {
        let mover = self.game.position().mover;
        let done = self.game.play(played);
        done.map_err(|error| (mover, PlayerError::Fault(error.to_string())))?;
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
