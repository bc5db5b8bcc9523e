//! `emilia convert`: converts game files to transcripts, PGN, GGF, SGF, WTHOR or OBF.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::inputs;
use super::options::{ForceOption, named};
use super::{CommandResult, Failure, print_to_stderr, refused};
use emilia_core::board::Sentence;
use emilia_files::{FileError, MIB, Paths, Replacement};
use emilia_games::archive::{self, MoveKey, move_key};
use emilia_games::input::{self, InputFile};
use emilia_games::wthor::{self, Unwritable, WthorError, WthorNames, WthorWriter};
use emilia_games::{Game, PackedGame, SgfSquares, Tags, today};

/// Size in bytes above which pending text is written.
const MAX_PENDING: usize = 1 << 20;

/// Maximum size in bytes of a file of WTHOR names: 65,535 names of 26 bytes.
const MAX_NAMES_SIZE: u64 = 2 * MIB;

/// Arguments of `emilia convert`.
#[derive(Debug, clap::Args)]
#[command(override_usage = "emilia convert [OPTIONS] <IN>... <OUT>")]
#[command(after_help = "\
The content of IN decides its format: transcripts, one game a line, optionally with header lines \
such as '% Black: Ann' above each; PGN; GGF; SGF; WTHOR, with the names in the .JOU and .TRN files \
beside it; logs of 'emilia match --out'; JSON of sites; OBF positions, each a game without moves; \
or any other text, a mail, a table or links, in which games of four moves or more are found. A \
file may have several formats, one after the other. What may be a damaged move (an illegal one, a \
letter and a digit, a word among moves) ends its game there, which is reported, and so is what \
stands outside of the games and may be a move, a board, a tag or a format. The exit code is then 2.

The extension of OUT decides its format: .txt, .pgn, .ggf, .sgf, .wtb, .obf. Transcripts and PGN \
keep players, ratings, event, date, clock and result. GGF and PGN also keep evaluations and \
times, and SGF evaluations and variations, but no clock. SGF and PGN keep comments. OBF keeps each position \
in which a disc was placed next.

WTHOR (.wtb) keeps players, event, year, result and moves, but no theoretical score. The names are \
in the .JOU and .TRN files of the folder of OUT: new names are added at their end, so that other \
.wtb files stay valid, and missing files are created as WTHOR.JOU and WTHOR.TRN. All games are of \
one year: the year of their dates or else of the name of OUT, as in WTH_2024.wtb. A game is left out \
if it begins at another position than the usual one, if it is unfinished and has no result, if a \
name has letters that Latin-1 lacks, or if a player's name has more than 19 or an event's name more \
than 25. There are at most 65,535 players and as many events.

A folder is replaced by the files below it in the order of their names, without names that begin \
with a dot. A file in a folder that holds no games is reported on stderr and skipped.

A game that cannot be read is reported on stderr and left out, and the exit code is then 2. \
OUT is not written if no game can be read. The number of games written is printed on stderr.

Example:
  emilia convert WTH_2019.wtb 2019.ggf
  emilia convert wthor/ more.sgf all.ggf --unique
  emilia convert mine.ggf wthor/WTH_2024.wtb
  emilia convert game.sgf - --to txt
  emilia convert game.pgn game.sgf --squares f5")]
pub(super) struct Args {
    /// Files or folders of files to read, or - for stdin; the last one is the file to write, or -
    /// for stdout, which needs --to
    #[arg(value_name = "IN... OUT", required = true)]
    paths: Vec<PathBuf>,

    /// Format of OUT, instead of the one of its extension
    #[arg(long, value_name = "KIND", value_enum)]
    to: Option<Format>,

    /// Squares in SGF: fe, as Quarry reads them, or f5, as Edax and Cassio do
    #[arg(long, value_name = "f5|fe")]
    #[arg(value_parser = named([(SgfSquares::Names, "f5"), (SgfSquares::Letters, "fe")]))]
    squares: Option<SgfSquares>,

    /// Leave out games with the moves of an earlier one, also mirrored or turned, whoever played
    #[arg(long)]
    unique: bool,

    #[command(flatten)]
    force: ForceOption,
}

/// Format of the output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Txt,
    Pgn,
    Ggf,
    Sgf,
    #[value(alias = "wthor")]
    Wtb,
    Obf,
}

/// Reads all games and writes the readable ones to the output.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let (inputs, output) = match &*args.paths {
        [inputs @ .., output] if !inputs.is_empty() => (inputs, output),
        paths => {
            let only: PathBuf = paths.iter().collect();
            bail!(
                "OUT is missing after '{}': expected the file to write, such as games.pgn",
                only.display()
            );
        }
    };
    let format = args.format(output)?;
    if args.squares.is_some() && format != Format::Sgf {
        bail!("--squares is for SGF only");
    }
    let sources = input::files_in(inputs)?;
    let named = sources.iter().filter(|source| !source.is_found);
    for InputFile { path, .. } in named.filter(|source| source.path != Path::new("-")) {
        fs::metadata(path).map_err(|error| FileError::new(path, error))?;
    }
    let file = Some(output.as_path()).filter(|path| *path != Path::new("-"));
    let database = match format {
        Format::Wtb => Some(Database::beside(output)?),
        _ => None,
    };
    let new_names = database.iter().flat_map(Database::new_files);
    let read = sources.iter().map(|source| &source.path);
    let paths = Paths::default().input(read.flat_map(|path| input::files_of(path)));
    (new_names.chain(file))
        .fold(paths, |paths, path| paths.output("OUT", Some(path)))
        .check(args.force.force)?;
    let mut job = Conversion {
        format,
        squares: args.squares.unwrap_or(SgfSquares::Letters),
        file: file.map(Replacement::create).transpose()?,
        out,
        text: String::new(),
        database,
        seen: args.unique.then(HashSet::new),
        files: 0,
        written: 0,
        bad: 0,
        cut: 0,
        unwritable: 0,
        repeated: 0,
        left_out: [0; 2],
    };
    for source in &sources {
        // If the only input file is unreadable, the command ends with its error. Among several
        // files, an unreadable file is reported on stderr and counted.
        let read = if sources.len() == 1 && !source.is_found {
            input::read_games(&source.path)?
        } else {
            match source.checked(input::collection(&source.path)) {
                Ok(collection) => collection,
                Err(problem) => {
                    job.bad += usize::from(inputs::is_failure(&problem));
                    continue;
                }
            }
        };
        job.add(&source.path, read.games)?;
    }
    job.end(file)
}

impl Args {
    /// Returns the output format of `--to`, or of the extension of OUT.
    fn format(&self, output: &Path) -> Result<Format, Failure> {
        if self.to.is_none() && output == Path::new("-") {
            bail!("stdout needs --to");
        }
        let ending = output.extension().unwrap_or_default();
        let of_ending = <Format as clap::ValueEnum>::from_str(&ending.to_string_lossy(), true);
        self.to.or(of_ending.ok()).ok_or_else(|| {
            refused(format!(
                "'{}': its extension does not name a format \
                 (expected .txt, .pgn, .ggf, .sgf, .wtb or .obf, or --to)",
                output.display()
            ))
        })
    }
}

/// Conversion in progress, with its counts.
struct Conversion<'a> {
    format: Format,
    squares: SgfSquares,
    /// File to write. `None`: the output is `out`.
    file: Option<Replacement>,
    out: &'a mut dyn Write,
    /// Converted text that is not written yet.
    text: String,
    /// Games of a WTHOR file, which is written at the end.
    database: Option<Database>,
    /// Moves of the games written so far. `None` without `--unique`.
    seen: Option<HashSet<MoveKey>>,
    /// Number of input files that contain games.
    files: usize,
    written: usize,
    /// Number of unreadable games. An unreadable file counts as one game.
    bad: usize,
    /// Number of games of which a part was not read.
    cut: usize,
    /// Number of games that the output format cannot represent.
    unwritable: usize,
    /// Number of games left out because their moves were written before.
    repeated: usize,
    /// Numbers of comments and of variations that the output format cannot represent.
    left_out: [usize; 2],
}

/// Games of a WTHOR file, and the paths of the two files that hold the names of the players and of
/// the tournaments.
struct Database {
    writer: WthorWriter,
    players: PathBuf,
    tournaments: PathBuf,
    /// Lock of the folder, so that no other conversion assigns numbers to names at the same time.
    _lock: Option<File>,
}

impl Database {
    /// Reads the files of names in the folder of `output`. The conversion adds names to them.
    fn beside(output: &Path) -> Result<Database, Failure> {
        if output == Path::new("-") || output.exists() && !output.is_file() {
            bail!(
                "'{}': WTHOR games need a file with names beside it",
                output.display()
            );
        }
        let folder = output.parent().filter(|folder| *folder != Path::new(""));
        let lock = emilia_files::lock_folder(folder.unwrap_or(Path::new(".")))?;
        let path = |extension| {
            let new = || output.with_file_name("WTHOR").with_extension(extension);
            input::beside(output, extension).unwrap_or_else(new)
        };
        let names = |path: &Path, read: fn(&[u8]) -> Result<Vec<String>, WthorError>| {
            if !path.exists() {
                return Ok(Vec::new());
            }
            let bytes = emilia_files::read(path, MAX_NAMES_SIZE)?;
            read(&bytes).map_err(|error| FileError::refused(path, error))
        };
        let (players, tournaments) = (path("JOU"), path("TRN"));
        let names = WthorNames {
            players: names(&players, wthor::read_players)?,
            tournaments: names(&tournaments, wthor::read_tournaments)?,
        };
        Ok(Database {
            writer: WthorWriter::new(&names).map_err(refused)?,
            players,
            tournaments,
            _lock: lock,
        })
    }

    /// Returns the paths of the files of names that do not exist yet.
    fn new_files(&self) -> impl Iterator<Item = &Path> {
        let files = [self.players.as_path(), &self.tournaments];
        files.into_iter().filter(|path| !path.exists())
    }

    /// Writes the new names, and returns the bytes of the WTHOR file.
    fn games(&self, output: &Path) -> Result<Vec<u8>, Failure> {
        let stem = output.file_stem().unwrap_or_default().to_string_lossy();
        let found = self.writer.year().or_else(|| archive::year(&stem));
        let year = found.filter(|&year| wthor::is_year(year)).ok_or_else(|| {
            refused(format!(
                "'{}': the games have no year in their dates, which a WTHOR file needs \
                 (name it by its year, as in WTH_2024.wtb)",
                output.display()
            ))
        })?;
        let today = today();
        let mut parts = today.split('-').map(str::parse);
        let today = [(); 3].map(|()| parts.next().and_then(Result::ok).unwrap_or_default());
        let made = self.writer.files(year, today);
        for (path, names) in [
            (&self.players, made.players),
            (&self.tournaments, made.tournaments),
        ] {
            if let Some(names) = names {
                emilia_files::replace(path, &names)?;
            }
        }
        Ok(made.games)
    }
}

impl Conversion<'_> {
    /// Converts the readable games of a file and reports the errors of the other games on stderr.
    fn add(
        &mut self,
        path: &Path,
        games: Vec<Result<PackedGame, Sentence>>,
    ) -> Result<(), Failure> {
        self.files += 1;
        self.cut += inputs::warn((1..).zip(&games).filter_map(|(number, game)| {
            let (warnings, is_cut) = game.as_ref().ok()?.warnings();
            let name = || format!("'{}': game {number}: ", path.display());
            (!warnings.is_empty()).then(|| (name(), warnings, is_cut))
        }));
        let mut errors = Vec::new();
        for (number, game) in (1..).zip(games) {
            match game {
                Ok(game) => self.add_game(path, number, &game)?,
                Err(error) => {
                    self.bad += 1;
                    errors.push(FileError::refused(path, error));
                }
            }
            if self.text.len() > MAX_PENDING {
                self.flush()?;
            }
        }
        inputs::report(&errors);
        Ok(())
    }

    /// Converts game `number` of a file. With `--unique`, leaves out a game whose moves were
    /// written before.
    ///
    /// # Errors
    /// If a WTHOR file would contain games of different years.
    fn add_game(&mut self, path: &Path, number: usize, packed: &PackedGame) -> Result<(), Failure> {
        let mut seen = None;
        if let Some(all) = &mut self.seen {
            let key = move_key(packed);
            if key.as_ref().is_some_and(|key| all.contains(key)) {
                self.repeated += 1;
                return Ok(());
            }
            seen = Some(all).zip(key);
        }
        let game = &packed.game();
        if let Some(database) = &mut self.database {
            let added = database.writer.add(game, archive::year(&game.tags.date));
            if let Err(error) = added {
                let sentence = format!("'{}': game {number}: {error}", path.display());
                if matches!(error, Unwritable::Year { .. }) {
                    return Err(refused(sentence));
                }
                print_to_stderr(&sentence);
                self.unwritable += 1;
                return Ok(());
            }
        }
        if let Some((seen, key)) = seen {
            seen.insert(key);
        }
        let number = self.written + self.bad + 1;
        let is_first = self.written == 0;
        self.write_game(game, number, is_first);
        self.written += 1;
        Ok(())
    }

    /// Appends a game to the pending text.
    fn write_game(&mut self, game: &Game, number: usize, is_first: bool) {
        let text = &mut self.text;
        let [comments, variations] = game.annotations();
        let mut left_out = [comments, variations];
        match self.format {
            Format::Txt if game.tags == Tags::default() => text.push_str(&game.to_transcript()),
            Format::Txt => {
                // A blank line separates games with header lines.
                let gap = if is_first { "" } else { "\n" };
                text.extend([gap, &game.to_transcript()]);
            }
            Format::Pgn => {
                text.push_str(&game.to_pgn());
                left_out[0] = 0;
            }
            Format::Ggf => text.extend([&game.to_ggf(), "\n"]),
            Format::Sgf => {
                text.push_str(&game.to_sgf_with(self.squares));
                left_out = [0; 2];
            }
            // `self.database` collects the games of a WTHOR file.
            Format::Wtb => {}
            Format::Obf => write_positions(game, number, text),
        }
        for (all, count) in self.left_out.iter_mut().zip(left_out) {
            *all += count;
        }
    }

    /// Writes the pending text.
    fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) => file.write(self.text.as_bytes())?,
            None => self.out.write_all(self.text.as_bytes())?,
        }
        self.text.clear();
        Ok(())
    }

    /// Completes the output file and reports the numbers of games and files on stderr.
    ///
    /// # Errors
    /// If there are no games, a game was unreadable or read only in part, or the output format
    /// cannot represent a game. Also fails if the output cannot be written.
    fn end(mut self, output: Option<&Path>) -> CommandResult {
        let (written, bad, files) = (self.written, self.bad, self.files);
        let count = written + bad + self.unwritable + self.repeated;
        if count == 0 {
            bail!("there are no games in the folder, and nothing was written");
        }
        if written == 0 {
            let failed = if bad == count { "read" } else { "written" };
            bail!("none of the {count} games could be {failed}, and nothing was written");
        }
        if let (Some(database), Some(path), Some(file)) = (&self.database, output, &mut self.file) {
            file.write(&database.games(path)?)?;
        }
        self.flush()?;
        if let Some(file) = self.file {
            file.finish()?;
        }
        let name = output.map_or("stdout".to_owned(), |path| format!("'{}'", path.display()));
        let counted = |count: usize, unit: &str| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {unit}{plural}")
        };
        let (games, of) = (counted(written, "game"), counted(files, "file"));
        let repeated = match self.repeated {
            0 => String::new(),
            repeated => format!(", {repeated} with the same moves as another left out"),
        };
        let left_out = match self.left_out {
            [0, 0] => String::new(),
            [comments, variations] => {
                let comments = counted(comments, "comment");
                format!(
                    ", without {comments} and {}",
                    counted(variations, "variation")
                )
            }
        };
        note!("{name}: {games} written, from {of}{repeated}{left_out}");
        if self.unwritable > 0 {
            bail!(
                "{} of {count} games could not be written as WTHOR and were left out",
                self.unwritable
            );
        }
        inputs::unless_unread(bad, self.cut, count)
    }
}

/// Appends an OBF line for each position of the game in which the next move places a disc.
/// A game without moves gives its start position.
fn write_positions(game: &Game, number: usize, text: &mut String) {
    // Writing into a `String` never fails.
    let _ = writeln!(text, "% game {number}");
    for (position, played) in game.positions().iter().zip(game.moves()) {
        if played.mv.square().is_some() {
            let _ = writeln!(text, "{position};");
        }
    }
    if game.moves().is_empty() {
        let _ = writeln!(text, "{};", game.start());
    }
}
