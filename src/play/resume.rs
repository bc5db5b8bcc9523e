//! Formats the shell command that continues a game with the same settings.

use super::players::Humans;
use super::state::GameState;
use emilia_core::board::Position;
use emilia_core::search::TimeControl;
use emilia_files::quoted;

/// Returns the shell command that continues this game.
/// `seed` is the random seed of human levels, `engine` the engine options as arguments.
pub(super) fn command(state: &GameState, seed: Option<u64>, engine: &[String]) -> String {
    // A transcript begins at the start position.
    let game = &state.game;
    let moves = if game.start() == Position::START {
        game.transcript().to_string()
    } else {
        game.position().to_string()
    };
    let (level, limits) = (state.strength.0, &state.limits);
    let human = Some(state.humans).filter(|&humans| humans != Humans::Black);
    let seconds = match limits.time {
        Some(TimeControl::PerMove(time)) => Some(time.as_secs_f64().to_string()),
        _ => None,
    };
    // A level implies a depth.
    let depth = limits.depth.filter(|_| level.is_none());
    let options = [
        ("--human", human.map(|humans| humans.name().to_owned())),
        ("--level", level.map(|level| level.to_string())),
        ("--depth", depth.map(|depth| depth.to_string())),
        ("--time", seconds),
        ("--nodes", limits.nodes.map(|nodes| nodes.to_string())),
        (
            "--exact",
            limits.solve_from_empties.map(|exact| exact.to_string()),
        ),
        ("--seed", seed.map(|seed| seed.to_string())),
    ];
    let options = options.into_iter();
    let options = options.filter_map(|(name, value)| Some(format!("{name} {}", quoted(&value?))));
    let words = ["emilia play".to_owned(), quoted(&moves)].into_iter();
    let engine = engine.iter().map(|word| quoted(word));
    let words: Vec<String> = words.chain(options).chain(engine).collect();
    words.join(" ")
}
