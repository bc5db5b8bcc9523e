//! `emilia convert`: games from one kind of file to another.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, Verdict, games, say_on_stderr};
use crate::files::{self, FileError};
use crate::game::{Game, Tags};

/// What `emilia convert` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The kind of IN is known by its content: transcripts, a game a line, with or without lines like '% Black: Ann' above each;
GGF; SGF; WTHOR, with the names in the .JOU and .TRN files beside it; positions in OBF, as games that begin there. The kind
of OUT is known by its ending: .txt, .ggf, .sgf, .obf. A transcript keeps players, event, date, clock and result; SGF also
the evaluations, but no clock; GGF everything. OBF has the positions in which somebody had to choose a square.

A game that cannot be read is named on stderr, and left out; the exit code is 2, then. OUT is not written if none can be read.

Example:
  emilia convert WTH_2019.wtb 2019.ggf
  emilia convert game.sgf - --to txt")]
pub(super) struct Args {
    /// The file to read; - is stdin
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// The file to write, which must not exist; - is stdout, and needs --to
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// The kind of OUT, whatever its ending
    #[arg(long, value_name = "KIND", value_enum)]
    to: Option<Format>,

    /// Write over OUT if it exists
    #[arg(long)]
    force: bool,
}

/// A kind of file to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Transcripts with a header
    Txt,
    /// The format of the Generic Game Server and of NBoard
    Ggf,
    /// The smart game format
    Sgf,
    /// Positions
    Obf,
}

/// Reads the games, and writes those that could be read.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Verdict, Failure> {
    let format = args.format()?;
    let to_stdout = args.output == Path::new("-");
    if !to_stdout {
        if files::is_same(&args.input, &args.output) {
            let why = "it is the file to read; give another name";
            return Err(FileError::refused(&args.output, why).into());
        }
        if !args.force && args.output.exists() {
            let why = "it exists; give another name, or --force to write over it";
            return Err(FileError::refused(&args.output, why).into());
        }
    }
    let all = games::read(&args.input)?.games;
    let count = all.len();
    let mut text = String::new();
    let mut bad = 0;
    for (game, number) in all.into_iter().zip(1..) {
        match game {
            Ok(game) => format.write(&game, number, &mut text),
            Err(error) => {
                bad += 1;
                say_on_stderr(&format_args!("'{}': {error}", args.input.display()));
            }
        }
    }
    if bad == count {
        return Err(Failure::Input(format!(
            "none of the {count} games could be read, and nothing was written"
        )));
    }
    if to_stdout {
        out.write_all(text.as_bytes())?;
    } else {
        files::replace(&args.output, text.as_bytes())?;
    }
    if bad > 0 {
        return Err(Failure::Input(format!(
            "{bad} of {count} games could not be read and were left out"
        )));
    }
    Ok(Verdict::Yes)
}

impl Args {
    /// What to write.
    fn format(&self) -> Result<Format, Failure> {
        let ending = self.output.extension().unwrap_or_default();
        let of_ending = <Format as clap::ValueEnum>::from_str(&ending.to_string_lossy(), true);
        self.to.or(of_ending.ok()).ok_or_else(|| {
            Failure::Input(format!(
                "'{}': its ending names no kind of file (expected .txt, .ggf, .sgf or .obf, or --to)",
                self.output.display()
            ))
        })
    }
}

impl Format {
    /// Appends a game.
    fn write(self, game: &Game, number: usize, text: &mut String) {
        match self {
            Format::Txt if game.tags == Tags::default() => text.push_str(&game.to_transcript()),
            Format::Txt => {
                // A blank line, so that people see where a game begins.
                let gap = if text.is_empty() { "" } else { "\n" };
                text.extend([gap, &game.to_transcript()]);
            }
            Format::Ggf => text.extend([&game.to_ggf(), "\n"]),
            Format::Sgf => text.push_str(&game.to_sgf()),
            Format::Obf => write_positions(game, number, text),
        }
    }
}

/// A line for each position in which a square was chosen; without moves, for the one that there is.
fn write_positions(game: &Game, number: usize, text: &mut String) {
    // To write into a string never fails.
    let _ = writeln!(text, "% game {number}");
    let chosen = game
        .moves()
        .iter()
        .map(|played| played.mv.square().is_some());
    let only = game.moves().is_empty().then_some(game.start());
    let positions = game.positions().iter().copied().zip(chosen);
    let positions = positions.filter_map(|(position, chosen)| chosen.then_some(position));
    for position in positions.chain(only) {
        let _ = writeln!(text, "{position};");
    }
}
