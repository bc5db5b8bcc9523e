//! `emilia play`: a game at the terminal, or with its commands from a pipe.

use std::io::{self, IsTerminal, Write};

use super::inputs::{POSITION, game};
use super::options::{BookOptions, GlobalOptions, LevelOption, LimitOptions, SeedOption};
use super::{CommandResult, Verdict};
use crate::play::{self, GameState, Humans, Strength};
use emilia_core::search::Limits;

/// Arguments of `emilia play`.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
On a terminal, Emilia plays at level h5, a weak club player, unless a limit, a side, a level or a
position is given. Beginners begin with --level h1: level 1 plays like an average club player
already. During the game, level changes the strength, side your colour, and help lists the commands.

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

    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,
}

/// Plays a game until the user quits or the input ends.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    let limits = args.limits.limits();
    let mut strength = Strength(args.level.level);
    let is_open = args.human.is_none() && args.position.is_empty() && limits == Limits::default();
    if is_open && strength.0.is_none() && io::stdin().is_terminal() {
        strength = "casual".parse()?;
    }
    let mut play_settings = args.seed.play_settings();
    args.book.apply(&mut play_settings);
    let game = game(&args.position)?;
    let state = GameState::new(game, args.human, strength, limits, play_settings);
    let seed = args
        .seed
        .seed
        .map(|seed| ["--seed".to_owned(), seed.to_string()]);
    let mut arguments: Vec<String> = seed.into_iter().flatten().collect();
    arguments.extend(global.engine_arguments());
    arguments.extend(args.book.arguments());
    if play::run(state, global.engine()?, arguments, global.colored(), out)? {
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Yes)
}
