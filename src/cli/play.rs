//! `emilia play`: a game at the terminal, or with its commands from a pipe.

use std::io::Write;

use super::inputs::{POSITION, game};
use super::options::{
    BookOptions, EngineOptions, LevelOption, LimitOptions, SeedOption, engine_arguments,
};
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
    /// Sides that you play [default: black]
    #[arg(long, value_enum)]
    human: Option<Humans>,

    #[command(flatten)]
    level: LevelOption,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    seed: SeedOption,

    #[command(flatten)]
    book: BookOptions,

    #[command(flatten)]
    engine: EngineOptions,

    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,
}

impl Args {
    /// Returns the arguments of `emilia` without a command.
    pub(super) fn with_engine(engine: EngineOptions) -> Args {
        Args {
            engine,
            ..Args::default()
        }
    }
}

/// Plays a game until the user quits or the input ends.
pub(super) fn run(args: &Args, colored: bool, out: &mut dyn Write) -> CommandResult {
    let limits = args.limits.limits();
    let strength = Strength(args.level.level);
    let is_open = args.human.is_none() && args.position.is_empty();
    let mut play_settings = args.seed.play_settings();
    args.book.apply(&mut play_settings);
    let setup = PlaySetup {
        game: game(&args.position)?,
        humans: args.human,
        asks: is_open && strength.0.is_none() && limits == Limits::default(),
        strength,
        limits,
        play_settings,
        engine: args.engine.engine()?,
        seed: args.seed.seed,
        engine_arguments: engine_arguments(),
        colored,
    };
    if play::run(setup, out)? {
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Yes)
}
