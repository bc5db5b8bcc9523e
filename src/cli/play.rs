//! `emilia play`: a game at a terminal, or with commands from a pipe.

use std::io::{self, IsTerminal, Write};

use super::inputs::{POSITION, game};
use super::options::PlayOptions;
use super::{CommandResult, Verdict};
use crate::play::{self, GameState, Humans};
use emilia_core::search::Limits;

/// Default level at a terminal, if no limit, side, level or position is given.
const CASUAL: &str = "h5";

/// Arguments of `emilia play`.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
On a terminal, Emilia plays at level h5, a weak club player, unless a limit, a side, a level or a \
position is given. Beginners begin with --level h1: level 1 plays like an average club player \
already. During the game, level changes the strength, side your colour, and help lists the \
commands.

Examples:
  emilia play --level h1
  emilia play --human white --level h8
  emilia play game.sgf:1:20 --time 2")]
pub(super) struct Args {
    /// Sides that you play: black, white, both or none [default: black]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(super) human: Option<Humans>,

    #[command(flatten)]
    pub(super) options: PlayOptions,

    #[arg(value_name = "POS", help = POSITION)]
    pub(super) position: Vec<String>,
}

/// Plays a game until the user quits or the input ends.
pub(super) fn run(args: &Args, colored: bool, out: &mut dyn Write) -> CommandResult {
    let options = &args.options;
    let limits = options.limits();
    let mut level = options.level();
    let is_open = args.human.is_none() && args.position.is_empty() && limits == Limits::default();
    if is_open && level.is_none() && io::stdin().is_terminal() {
        level = Some(CASUAL.parse()?);
    }
    let mut game = game(&args.position)?;
    // A resigned game goes on.
    game.tags.outcome = None;
    let mut state = GameState {
        game,
        humans: args.human.unwrap_or_default(),
        level: None,
        limits,
        play_settings: options.setup().play_settings,
        given: options.given.clone(),
    };
    if let Some(level) = level {
        state.set_level(level);
    }
    if play::run(state, options.engine()?, colored, out)? {
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Yes)
}
