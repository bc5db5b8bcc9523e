//! Player that runs this engine in this process.

use std::time::Instant;

use super::{MatchPlayer, PlayerError, PlayerMove};
use crate::Clock;
use emilia_core::search::{Silent, TimeControl};
use emilia_core::work::StopFlag;
use emilia_games::Game;
use emilia_player::{PlaySettings, Player, Setup};

/// This engine as a player of a match.
#[derive(Debug)]
pub(super) struct Builtin {
    pub player: Player,
    /// Limits of each search, and settings of play. Each game derives its own random seed from the
    /// seed of these settings.
    pub setup: Setup,
    /// Whether the transposition table is kept from game to game.
    pub(super) keep: bool,
    /// Flag that is set when the match is stopped. The flag ends a running search.
    pub interrupt: StopFlag,
}

/// Subtracts a latency reserve from a fixed time per move. `emilia gtp` and `emilia uci` subtract
/// the same reserve. The engine in this process and the engine behind a pipe then search equally
/// long.
fn with_latency_reserve(clock: TimeControl) -> TimeControl {
    match clock {
        TimeControl::PerMove(time) => TimeControl::with_latency_allowance(time),
        TimeControl::Clock { .. } => clock,
    }
}

impl MatchPlayer for Builtin {
    fn begin(
        &mut self,
        number: usize,
        _game: &Game,
        _clock: Option<Clock>,
    ) -> Result<(), PlayerError> {
        // The number of the game changes the upper half of the seed: otherwise seed 1 would draw in
        // its second game what seed 2 draws in its first.
        let game = (number as u64 + 1).rotate_left(32);
        self.player.set_play_settings(PlaySettings {
            seed: self.setup.play_settings.seed.wrapping_add(game),
            ..self.setup.play_settings.clone()
        });
        if !self.keep {
            self.player.clear();
        }
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        clock: Option<Clock>,
        _deadline: Instant,
    ) -> Result<PlayerMove, PlayerError> {
        let position = game.position();
        let clock = clock.map(|clock| clock.of_search(position.board.empty_count()));
        let limits = self.setup.limits.clone();
        let limits = limits.with_clock(clock.map(with_latency_reserve));
        let line = (self.player).choose(&position, &limits, &mut Silent);
        if self.interrupt.is_set() {
            return Err(PlayerError::Interrupted);
        }
        let best_move = line.best_move();
        let mv = best_move.ok_or_else(|| PlayerError::Fault("found no move".to_owned()))?;
        Ok(PlayerMove {
            mv,
            eval: Some(line.value.discs()),
            depth: Some(line.depth.plies(position.board.empty_count())),
            nodes: Some(line.nodes),
        })
    }
}
