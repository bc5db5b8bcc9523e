//! `emilia play`: a game at the terminal, or with its commands from a pipe.
//!
//! Reading order: [`session`] holds the game and its loop, [`commands`] parses typed lines.
//! [`input`] reads stdin during searches too, with the line [`editor`] at a terminal.
//! [`strength`] holds the level of the engine, [`review`] lists the costly moves of a game.
//! [`resume`] formats the command that continues a game, [`file`] loads and saves games.

mod commands;
mod editor;
mod file;
mod input;
mod resume;
mod review;
mod session;
mod strength;

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;

use super::games::{POSITION, game};
use super::options::{GlobalOptions, LevelOption, LimitOptions, SeedOption};
use super::{Failure, Verdict, print_to_stderr};
use crate::board::Color;
use crate::cli::terminal;
use crate::player::Player;
use crate::view::wrap;
use input::{Event, Input};
use resume::Given;
use strength::Strength;

/// Arguments of `emilia play`.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
On a terminal, play asks once for level and colour unless a limit, a side, a level or a position
is given; Enter accepts the suggested answer. Beginners begin with --level h1: level 1 plays like
an average club player already. During the game, level changes the strength, and help lists the
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

    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,
}

/// Sides that people play. The engine plays the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Humans {
    /// You play black, who begins
    #[default]
    Black,
    /// You play white
    White,
    /// You play both sides, the engine gives hints
    Both,
    /// The engine plays against itself
    None,
}

impl Args {
    /// Returns whether no side, strength or position is given, so that the program asks.
    fn is_open(&self) -> bool {
        !self.is_limited() && self.human.is_none() && self.position.is_empty()
    }

    /// Returns whether a level or limit is given.
    fn is_limited(&self) -> bool {
        let LimitOptions {
            depth,
            time,
            nodes,
            exact,
        } = self.limits;
        let limited = depth.is_some() || time.is_some() || nodes.is_some() || exact.is_some();
        limited || self.level.level().is_some()
    }
}

impl Humans {
    /// Names of all variants, for `--human` and `side`.
    const NAMES: [&str; 4] = ["black", "white", "both", "none"];

    /// Parses a name, ignoring case.
    fn named(name: &str) -> Option<Humans> {
        Humans::from_str(name, true).ok()
    }

    /// Returns the name for `--human` and `side`.
    fn name(self) -> &'static str {
        Humans::NAMES[self as usize]
    }

    /// Returns whether a person plays `color`.
    fn play(self, color: Color) -> bool {
        match self {
            Humans::Black => color == Color::Black,
            Humans::White => color == Color::White,
            Humans::Both => true,
            Humans::None => false,
        }
    }
}

/// Plays a game until the user quits or the input ends.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let (mut limits, mut play_settings) = (args.limits.limits(), args.seed.play_settings());
    let mut strength = Strength(args.level.level());
    args.level.apply(&mut limits, &mut play_settings);
    let mut game = game(&args.position)?;
    let side = args.human.or_else(|| file::side_of_human(&game));
    let mut humans = side.unwrap_or_default();
    if args.is_limited() {
        file::unsign(&mut game);
    } else {
        strength = file::strength_of_emilia(&game);
        strength.apply(&mut limits, &mut play_settings);
    }
    let player = Player::new(global.engine()?);
    let mut input = Input::open()?;
    if args.is_open() && input.prompting {
        match ask(&mut input, out)? {
            Answer::Given(chosen, side) => (strength, humans) = (chosen, side),
            Answer::Left(verdict) => return Ok(verdict),
        }
        strength.apply(&mut limits, &mut play_settings);
    }
    let session = session::Session {
        game,
        undone: Vec::new(),
        humans,
        input,
        player: player.with_play_settings(play_settings),
        play_settings,
        strength,
        limits,
        given: Given::new(global, args.seed.seed()),
        colored: global.colored(),
        width: io::stdout().is_terminal().then_some(terminal::width),
        out,
        opening: None,
        saved: None,
        explains_depth: true,
        resigned: false,
    };
    session.run()
}

/// Answer to the question before a game.
enum Answer {
    Given(Strength, Humans),
    /// The input ended or Ctrl-C was pressed, so the program ends.
    Left(Verdict),
}

/// Asks for level and colour until the answer is valid.
fn ask(input: &mut Input, out: &mut dyn Write) -> Result<Answer, Failure> {
    let fit = |text: &str| wrap(text, terminal::width(), 0);
    writeln!(out, "{}", fit(strength::QUESTION))?;
    loop {
        let words = strength::WORDS.iter().map(|&word| word.to_owned());
        match input.next(strength::PROMPT, words.collect(), out)? {
            Event::Line(line) => match strength::answer(&line) {
                Ok((strength, humans)) => return Ok(Answer::Given(strength, humans)),
                Err(complaint) => {
                    let lines = fit(&complaint);
                    lines.lines().for_each(|line| print_to_stderr(&line));
                }
            },
            Event::End => return Ok(Answer::Left(Verdict::Yes)),
            Event::Interrupted => return Ok(Answer::Left(Verdict::Interrupted)),
            Event::Failed(error) => return Err(Failure::Input(format!("stdin: {error}"))),
        }
    }
}
