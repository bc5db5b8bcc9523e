//! `emilia play`: a game at the terminal, or with its commands from a pipe.

use std::io::Write;

use super::inputs::{POSITION, game};
use super::options::{PlayOptions, engine_arguments};
use super::{CommandResult, Verdict};
use crate::play::{self, Humans, PlaySetup, Strength};
use emilia_core::search::Limits;

/// Arguments of `emilia play`.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
On a terminal, play asks once for level and colour unless a limit, a side, a level or a position \
is given; Enter accepts the suggested answer. Beginners begin with --level h1: level 1 plays like \
an average club player already. During the game, level changes the strength, and help lists the \
commands.

Examples:
  emilia play --level h1
  emilia play --human white --level h8
  emilia play game.sgf:20 --time 2")]
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
    let search = &args.options.search;
    let (limits, strength) = (search.limits.limits(), Strength(search.level.level));
    let is_open = args.human.is_none() && args.position.is_empty();
    let setup = PlaySetup {
        game: game(&args.position)?,
        humans: args.human,
        asks: is_open && strength.0.is_none() && limits == Limits::default(),
        strength,
        limits,
        play_settings: args.options.play_settings(),
        engine: search.engine.engine()?,
        seed: args.options.seed,
        engine_arguments: engine_arguments(),
        colored,
    };
    if play::run(setup, out)? {
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Yes)
}
