//! `emilia convert`: converts game files to transcripts, GGF, SGF or OBF.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::games;
use super::options::ForceOption;
use super::{CommandResult, Failure, print_to_stderr, refused};
use crate::files::{FileError, Paths, Replacement};
use crate::game::input;
use crate::game::{BadGame, Collection, Game, GameFormat, NoGames, Tags};

/// Pending text above this size in bytes is written to the sink.
const MAX_PENDING: usize = 1 << 20;

/// Arguments of `emilia convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The content of IN decides its format: transcripts, one game a line, optionally with header lines
such as '% Black: Ann' above each; GGF; SGF; WTHOR, with the names in the .JOU and .TRN files
beside it; OBF positions, each a game without moves. The extension of OUT decides its format:
.txt, .ggf, .sgf, .obf. Transcripts keep players, event, date, clock and result. SGF also keeps
evaluations, but no clock. GGF keeps everything. OBF keeps each position in which a disc was
placed next.

A folder is replaced by the files below it in the order of their names, without names that begin
with a dot. A file in a folder that holds no games is reported on stderr and skipped.

A game that cannot be read is reported on stderr and left out, and the exit code is then 2.
OUT is not written if no game can be read. The number of games written is printed on stderr.

Example:
  emilia convert WTH_2019.wtb 2019.ggf
  emilia convert wthor/ more.sgf all.ggf
  emilia convert game.sgf - --to txt")]
pub(super) struct Args {
    /// Files or folders of files to read, or - for stdin
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,

    /// File to write, or - for stdout, which needs --to
    #[arg(value_name = "OUT", required = true)]
    output: PathBuf,

    /// Format of OUT, instead of the one of its extension
    #[arg(long, value_name = "KIND", value_enum)]
    to: Option<Format>,

    #[command(flatten)]
    force: ForceOption,
}

/// Format of the output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Transcripts with header lines
    Txt,
    /// Format of the Generic Game Server and of NBoard
    Ggf,
    /// SGF, the Smart Game Format, as Quarry writes it
    Sgf,
    /// Positions in which a disc was placed next
    Obf,
}

/// Input file.
#[derive(Debug)]
struct InputFile {
    path: PathBuf,
    /// Whether the file was found in a folder. Such a file may hold no games.
    is_found: bool,
}

/// Reads all games and writes the readable ones to the output.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let format = args.format()?;
    let sources = args.sources()?;
    let output = Some(args.output.as_path()).filter(|path| *path != Path::new("-"));
    Paths::default()
        .input(
            sources
                .iter()
                .flat_map(|source| input::files_of(&source.path)),
        )
        .output("OUT", output)
        .check(args.force.force)?;
    let mut job = Conversion {
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
        // If there is one file only, its error ends the command.
        let is_only = sources.len() == 1 && !source.is_found;
        let games = if is_only {
            Some(input::read_games(&source.path)?.games)
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
    /// Returns the input files, with folders replaced by the files below them.
    fn sources(&self) -> Result<Vec<InputFile>, FileError> {
        let mut sources = Vec::new();
        for input in &self.inputs {
            if input.is_dir() {
                add_folder(input, &mut sources)?;
            } else {
                sources.push(InputFile {
                    path: input.clone(),
                    is_found: false,
                });
            }
        }
        Ok(sources)
    }

    /// Returns the output format of `--to`, or of the extension of OUT.
    fn format(&self) -> Result<Format, Failure> {
        if self.to.is_none() && self.output == Path::new("-") {
            return Err(refused("stdout needs --to"));
        }
        let ending = self.output.extension().unwrap_or_default();
        let of_ending = <Format as clap::ValueEnum>::from_str(&ending.to_string_lossy(), true);
        self.to.or(of_ending.ok()).ok_or_else(|| {
            refused(format!(
                "'{}': its ending names no kind of file \
                 (expected .txt, .ggf, .sgf or .obf, or --to)",
                self.output.display()
            ))
        })
    }
}

/// Appends the files below a folder to `sources`, in the order of their names.
/// Links to folders are not followed, because they may form a cycle.
fn add_folder(folder: &Path, sources: &mut Vec<InputFile>) -> Result<(), FileError> {
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
            sources.push(InputFile { path, is_found });
        }
    }
    Ok(())
}

/// Destination of the converted games.
enum Sink<'a> {
    Stdout(&'a mut dyn Write),
    File(Replacement),
}

/// Conversion in progress.
struct Conversion<'a> {
    format: Format,
    sink: Sink<'a>,
    /// Converted text not written to the sink yet.
    text: String,
    /// Number of input files that hold games.
    files: usize,
    written: usize,
    /// Number of unreadable games. An unreadable file counts as one.
    bad: usize,
}

impl Conversion<'_> {
    /// Reads the games of one of several files. Returns `None` and reports why if it holds none.
    fn games_of(&mut self, source: &InputFile) -> Option<Vec<Result<Game, BadGame>>> {
        let path = source.path.display();
        let problem = match input::collection(&source.path) {
            Ok(Ok(collection)) if source.is_found && is_other_text(&collection) => {
                let problem = collection.games.into_iter().find_map(Result::err);
                let problem = problem.map(|error| error.to_string()).unwrap_or_default();
                print_to_stderr(&format_args!(
                    "'{path}': skipped: this is no file of games: {problem}"
                ));
                return None;
            }
            Ok(Ok(collection)) => return Some(collection.games),
            // WTHOR name files are read together with the games that refer to them.
            Ok(Err(NoGames::Names)) if source.is_found => return None,
            Ok(Err(no_games @ (NoGames::Empty | NoGames::Binary { .. }))) if source.is_found => {
                print_to_stderr(&format_args!("'{path}': skipped: {no_games}"));
                return None;
            }
            Ok(Err(no_games)) => format!("'{path}': {no_games}"),
            Err(error) => error.to_string(),
        };
        self.bad += 1;
        print_to_stderr(&problem);
        None
    }

    /// Converts the readable games of a file and reports the others on stderr.
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
                    print_to_stderr(&format_args!("'{}': {error}", path.display()));
                }
            }
            if self.text.len() > MAX_PENDING {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes the pending text to the sink.
    fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.sink {
            Sink::Stdout(out) => out.write_all(self.text.as_bytes())?,
            Sink::File(file) => file.write(self.text.as_bytes())?,
        }
        self.text.clear();
        Ok(())
    }

    /// Completes the output file and reports the numbers of games and files on stderr.
    ///
    /// # Errors
    /// If no game or not every game was readable, or the output cannot be written.
    fn end(mut self, output: Option<&Path>) -> CommandResult {
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
        print_to_stderr(&format_args!("{name}: {games} written, from {of}"));
        games::unless_left_out(bad, count)
    }
}

/// Returns whether the file is text of another kind: read as transcripts, without a valid game.
fn is_other_text(collection: &Collection) -> bool {
    collection.kind == GameFormat::Transcript && collection.games.iter().all(Result::is_err)
}

impl Format {
    /// Appends a game in this format to `text`.
    fn write(self, game: &Game, number: usize, is_first: bool, text: &mut String) {
        match self {
            Format::Txt if game.tags == Tags::default() => text.push_str(&game.to_transcript()),
            Format::Txt => {
                // A blank line separates games with header lines.
                let gap = if is_first { "" } else { "\n" };
                text.extend([gap, &game.to_transcript()]);
            }
            Format::Ggf => text.extend([&game.to_ggf(), "\n"]),
            Format::Sgf => text.push_str(&game.to_sgf()),
            Format::Obf => write_positions(game, number, text),
        }
    }
}

/// Appends an OBF line for each position in which a disc was placed next.
/// A game without moves gives its start position.
fn write_positions(game: &Game, number: usize, text: &mut String) {
    // Writing into a `String` never fails.
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
