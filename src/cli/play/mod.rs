//! `emilia play`: a game at the terminal, or with its commands from a pipe.

mod commands;
mod file;
mod input;
mod session;

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;

use super::games::{POSITION, game};
use super::options::{GlobalOptions, LevelOption, LimitOptions, SeedOption};
use super::{Failure, Verdict};
use crate::board::Color;
use crate::cli::terminal;
use crate::player::Player;
use input::Input;

/// What `emilia play` takes.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Which sides you play
    #[arg(long, value_enum, default_value_t)]
    human: Humans,

    #[command(flatten)]
    level: LevelOption,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    seed: SeedOption,

    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,
}

/// The sides that are not the engine's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Humans {
    /// You begin
    #[default]
    Black,
    /// The engine begins
    White,
    /// Two people, the engine on call
    Both,
    /// The engine against itself
    None,
}

impl Humans {
    /// Whether a person plays `color`.
    fn play(self, color: Color) -> bool {
        match self {
            Humans::Black => color == Color::Black,
            Humans::White => color == Color::White,
            Humans::Both => true,
            Humans::None => false,
        }
    }
}

/// Plays until the game is left.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let (mut limits, mut style) = (args.limits.limits(), args.seed.style());
    args.level.apply(&mut limits, &mut style);
    let player = Player::new(global.engine()?).with_style(style);
    let session = session::Session {
        game: game(&args.position)?,
        undone: Vec::new(),
        humans: args.human,
        input: Input::open(io::stdin().is_terminal())?,
        player,
        limits,
        colored: global.colored(),
        width: io::stdout().is_terminal().then_some(terminal::width),
        out,
        opening: None,
        saved_as: None,
    };
    session.run()
}
