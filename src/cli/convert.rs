//! `emilia convert`: games from one kind of file to another.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::options::ForceOption;
use super::{Failure, Verdict, games, say_on_stderr};
use crate::files::{FileError, Paths, Replacement};
use crate::game::{BadGame, Collection, Game, Kind, NoGames, Tags};

/// What `emilia convert` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The kind of IN is known by its content: transcripts, a game a line, with or without lines like '% Black: Ann' above each;
GGF; SGF; WTHOR, with the names in the .JOU and .TRN files beside it; positions in OBF, as games that begin there. The kind
of OUT is known by its ending: .txt, .ggf, .sgf, .obf. A transcript keeps players, event, date, clock and result; SGF also
the evaluations, but no clock; GGF everything. OBF has the positions in which somebody had to choose a square.

A folder stands for the files below it, in the order of their names, without those whose names
begin with a dot. A file there that holds no games is named on stderr and skipped.

A game that cannot be read is named on stderr, and left out; the exit code is 2, then. OUT is not written if none can be read.
The number of games that were written stands on stderr.

Example:
  emilia convert WTH_2019.wtb 2019.ggf
  emilia convert wthor/ more.sgf all.ggf
  emilia convert game.sgf - --to txt")]
pub(super) struct Args {
    /// The files to read, and folders of such files; - is stdin
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// The file to write; - is stdout, and needs --to
    #[arg(value_name = "OUT", required = true)]
    output: PathBuf,

    /// The kind of OUT, whatever its ending
    #[arg(long, value_name = "KIND", value_enum)]
    to: Option<Format>,

    #[command(flatten)]
    force: ForceOption,
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

/// A file to read.
#[derive(Debug)]
struct Source {
    path: PathBuf,
    /// Whether it is below a folder that was named, and may be no file of games.
    is_found: bool,
}

/// Reads the games, and writes those that could be read.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Verdict, Failure> {
    let format = args.format()?;
    let sources = args.sources()?;
    let output = Some(args.output.as_path()).filter(|path| *path != Path::new("-"));
    Paths::default()
        .reads(
            sources
                .iter()
                .flat_map(|source| games::files_of(&source.path)),
        )
        .writes("OUT", output)
        .check(args.force.force)?;
    let mut job = Job {
        format,
        sink: match output {
            Some(path) => Sink::File(Replacement::create(path)?),
            None => Sink::Stdout(out),
        },
        text: String::new(),
        files: 0,
        written: 0,
        bad: 0,
    };
    for source in &sources {
        // What is wrong with the only file is the whole answer.
        let is_only = sources.len() == 1 && !source.is_found;
        let games = if is_only {
            Some(games::read(&source.path)?.games)
        } else {
            job.games_of(source)
        };
        if let Some(games) = games {
            job.add(&source.path, games)?;
        }
    }
    job.end(output)
}

impl Args {
    /// The files to read.
    fn sources(&self) -> Result<Vec<Source>, FileError> {
        let mut sources = Vec::new();
        for input in &self.inputs {
            if input.is_dir() {
                add_folder(input, &mut sources)?;
            } else {
                sources.push(Source {
                    path: input.clone(),
                    is_found: false,
                });
            }
        }
        Ok(sources)
    }

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

/// Adds the files below a folder in the order of their names. Links to folders are not followed:
/// they may lead back.
fn add_folder(folder: &Path, sources: &mut Vec<Source>) -> Result<(), FileError> {
    let wrong = |error| FileError::new(folder, error);
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)
        .and_then(Iterator::collect)
        .map_err(wrong)?;
    entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().map_err(wrong)?.is_dir() {
            add_folder(&path, sources)?;
        } else if path.is_file() {
            let is_found = true;
            sources.push(Source { path, is_found });
        }
    }
    Ok(())
}

/// Where the games go.
enum Sink<'a> {
    Stdout(&'a mut dyn Write),
    File(Replacement),
}

/// The games so far.
struct Job<'a> {
    format: Format,
    sink: Sink<'a>,
    /// What is not written yet.
    text: String,
    /// The number of files with games.
    files: usize,
    written: usize,
    /// The number of games that could not be read; a file that cannot be read counts as one.
    bad: usize,
}

impl Job<'_> {
    /// The games of one of several files; `None` if there are none in it.
    fn games_of(&mut self, source: &Source) -> Option<Vec<Result<Game, BadGame>>> {
        let path = source.path.display();
        let problem = match games::collection(&source.path) {
            Ok(Ok(collection)) if source.is_found && is_other_text(&collection) => {
                let problem = collection.games.into_iter().find_map(Result::err);
                let problem = problem.map(|error| error.to_string()).unwrap_or_default();
                say_on_stderr(&format_args!(
                    "'{path}': skipped, no file of games: {problem}"
                ));
                return None;
            }
            Ok(Ok(collection)) => return Some(collection.games),
            // They are read with the file that refers to them.
            Ok(Err(NoGames::Names)) if source.is_found => return None,
            Ok(Err(no_games @ (NoGames::Empty | NoGames::Binary { .. }))) if source.is_found => {
                say_on_stderr(&format_args!("'{path}': skipped: {no_games}"));
                return None;
            }
            Ok(Err(no_games)) => format!("'{path}': {no_games}"),
            Err(error) => error.to_string(),
        };
        self.bad += 1;
        say_on_stderr(&problem);
        None
    }

    /// Writes the games of a file that could be read, and names the others.
    fn add(&mut self, path: &Path, games: Vec<Result<Game, BadGame>>) -> Result<(), Failure> {
        self.files += 1;
        for game in games {
            match game {
                Ok(game) => {
                    let number = self.written + self.bad + 1;
                    let is_first = self.written == 0;
                    self.format.write(&game, number, is_first, &mut self.text);
                    self.written += 1;
                }
                Err(error) => {
                    self.bad += 1;
                    say_on_stderr(&format_args!("'{}': {error}", path.display()));
                }
            }
            if self.text.len() > FLUSHED {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes what is not written yet.
    fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.sink {
            Sink::Stdout(out) => out.write_all(self.text.as_bytes())?,
            Sink::File(file) => file.write(self.text.as_bytes())?,
        }
        self.text.clear();
        Ok(())
    }

    /// Puts the file into its place, and reports what is in it.
    fn end(mut self, output: Option<&Path>) -> Result<Verdict, Failure> {
        let (written, bad, files) = (self.written, self.bad, self.files);
        let count = written + bad;
        if written == 0 {
            return Err(Failure::Input(match count {
                0 => "there are no games in the folder, and nothing was written".to_owned(),
                _ => format!("none of the {count} games could be read, and nothing was written"),
            }));
        }
        self.flush()?;
        if let Sink::File(file) = self.sink {
            file.finish()?;
        }
        let name = output.map_or("stdout".to_owned(), |path| format!("'{}'", path.display()));
        let [games, of] = [(written, "game"), (files, "file")].map(|(count, unit)| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {unit}{plural}")
        });
        say_on_stderr(&format_args!("{name}: {games} written, from {of}"));
        if bad > 0 {
            return Err(Failure::Input(format!(
                "{bad} of {count} games could not be read and were left out"
            )));
        }
        Ok(Verdict::Yes)
    }
}

/// Text is written in parts of about this many bytes.
const FLUSHED: usize = 1 << 20;

/// Whether a text, which is read as transcripts if it is nothing else, has no game at all.
fn is_other_text(collection: &Collection) -> bool {
    collection.kind == Kind::Transcript && collection.games.iter().all(Result::is_err)
}

impl Format {
    /// Appends a game.
    fn write(self, game: &Game, number: usize, is_first: bool, text: &mut String) {
        match self {
            Format::Txt if game.tags == Tags::default() => text.push_str(&game.to_transcript()),
            Format::Txt => {
                // A blank line, so that people see where a game begins.
                let gap = if is_first { "" } else { "\n" };
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
