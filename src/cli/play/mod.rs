//! `emilia play`: a game at the terminal, or with its commands from a pipe.
//!
//! [`session`] is the game and its loop, [`commands`] what is typed, [`input`] how it arrives, with
//! the line [`editor`]. [`strength`] is how strong the engine plays, [`review`] names the costly
//! moves of a game, [`resume`] writes the command that goes on with one, and [`file`] loads and
//! saves games.

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
use super::{Failure, Verdict, say_on_stderr};
use crate::board::Color;
use crate::cli::terminal;
use crate::player::Player;
use crate::view::{printable, wrap};
use input::{Event, Input};
use resume::Given;
use strength::Strength;

/// What `emilia play` takes.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
On a terminal, play asks once who plays unless a limit, a side, a level or a position is given;
Enter accepts the answer it suggests. Beginners begin with --level h1: level 1 plays like an average
club player already. During the game, level changes the strength, and help lists the commands.

Examples:
  emilia play --level h1
  emilia play --human white --level h8
  emilia play game.sgf:20 --time 2")]
pub(super) struct Args {
    /// Which sides you play [default: black]
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

impl Args {
    /// Whether nothing is said of who plays how strong, and from where.
    fn is_open(&self) -> bool {
        let LimitOptions {
            depth,
            time,
            nodes,
            exact,
        } = self.limits;
        let limited = depth.is_some() || time.is_some() || nodes.is_some() || exact.is_some();
        !limited && self.human.is_none() && self.level.level().is_none() && self.position.is_empty()
    }
}

impl Humans {
    /// The names of all, as `--human` and `side` have them.
    const NAMES: [&str; 4] = ["black", "white", "both", "none"];

    /// The one of this name.
    fn named(name: &str) -> Option<Humans> {
        Humans::from_str(name, true).ok()
    }

    /// Its name.
    fn name(self) -> &'static str {
        Humans::NAMES[self as usize]
    }

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

/// The beginning of what was typed, fit to be shown.
fn quotable(text: &str) -> String {
    const LONGEST: usize = 40;
    printable(&text.chars().take(LONGEST).collect::<String>())
}

/// Plays until the game is left.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let (mut limits, mut style) = (args.limits.limits(), args.seed.style());
    let mut strength = Strength(args.level.level());
    args.level.apply(&mut limits, &mut style);
    let mut humans = args.human.unwrap_or_default();
    let game = game(&args.position)?;
    let player = Player::new(global.engine()?);
    let mut input = Input::open()?;
    if args.is_open() && input.prompting {
        match ask(&mut input, out)? {
            Answer::Given(chosen, side) => (strength, humans) = (chosen, side),
            Answer::Left(verdict) => return Ok(verdict),
        }
        strength.apply(&mut limits, &mut style);
    }
    let session = session::Session {
        game,
        undone: Vec::new(),
        humans,
        input,
        player: player.with_style(style),
        style,
        strength,
        limits,
        given: Given::new(global, args.seed.seed()),
        colored: global.colored(),
        width: io::stdout().is_terminal().then_some(terminal::width),
        out,
        opening: None,
        saved_as: None,
        explains_depth: true,
        resigned: false,
    };
    session.run()
}

/// What came of the question who plays.
enum Answer {
    Given(Strength, Humans),
    /// The program is to end.
    Left(Verdict),
}

/// Asks who plays until there is an answer.
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
                    lines.lines().for_each(|line| say_on_stderr(&line));
                }
            },
            Event::End => return Ok(Answer::Left(Verdict::Yes)),
            Event::Interrupted => return Ok(Answer::Left(Verdict::Interrupted)),
            Event::Failed(error) => return Err(Failure::Input(format!("stdin: {error}"))),
        }
    }
}
