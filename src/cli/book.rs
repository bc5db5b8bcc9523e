//! `emilia book`: learns, exchanges and shows opening books.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Subcommand;
use serde_json::json;

use super::inputs::{POSITION, position, readable, unless_left_out};
use super::options::{EngineOptions, ForceOption, whole};
use super::{CommandResult, Failure, Verdict, data_file, interrupt_flag, refused};
use emilia_book::exchange::{self, BookFormat};
use emilia_book::learn::{LearnLimits, LearnProgress, LineLimits, learn, learn_games, prune};
use emilia_book::{self as book, Book, BookFile, BookMove, SOLVED};
use emilia_core::board::Board;
use emilia_core::eval::Value;
use emilia_core::search::Engine;
use emilia_files::{FileError, Paths};
use emilia_games::PackedGame;
use emilia_games::input::read_games;
use emilia_player::options::{discs, seconds};
use emilia_review::{ShownMove, json, lines_of};
use emilia_view::{Align, ProgressBar, Table, width, wrapped};

/// Name of the default book in the user's data folder.
const DEFAULT_NAME: &str = "book.book";

/// Value of `--book` that selects the embedded book.
const EMBEDDED: &str = "on";

/// Arguments of `emilia book`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Book file, or on for the embedded book, which is only read [default: emilia/book.book in the
    /// data folder of the user]
    // `emilia` without a command also has an option --book. The ids of the two options must differ.
    #[arg(id = "own-book", long = "book", global = true, value_name = "FILE")]
    book: Option<PathBuf>,

    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Create an empty book
    New,
    /// Extend a book by searches, best first; continues where it ended
    Learn(LearnArgs),
    /// Add the positions of books of Emilia, Edax or Egaroucid, or of games
    #[command(visible_alias = "merge")]
    Import(ImportArgs),
    /// Write a book for Edax or Egaroucid
    Export {
        /// File to write: .dat for Edax, .egbk3 for Egaroucid, or .book for Emilia
        #[arg(value_name = "FILE")]
        file: PathBuf,

        #[command(flatten)]
        force: ForceOption,
    },
    /// Show the moves of a position: values, levels and lines
    Show {
        #[arg(value_name = "POS", help = POSITION)]
        position: Vec<String>,

        /// Print one line of JSON (src/cli/JSON.md)
        #[arg(long)]
        json: bool,
    },
    /// Count the positions of a book by ply
    Stats,
    /// Check a book: its rows, its leaves and its values
    Verify,
    /// Remove the searched positions that no line within the errors reaches
    Prune(PruneArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The error of a line is the sum of the discs that both sides lose on it. Leaves within the error \
are expanded, those of the least error first. What is learned is written twice a second, in large \
books every few seconds: a crash loses no more than that.

Examples:
  emilia book learn --level 16 --error 4 --time 3600
  emilia book learn f5d6c3 --level 20 --ply 24 --positions 100000")]
struct LearnArgs {
    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,

    /// Depth of the searches in plies. The endgame is solved as by --depth
    #[arg(long, value_name = "N", default_value_t = 16)]
    #[arg(value_parser = whole::<u8>(1..=59))]
    level: u8,

    /// Maximum sum of the discs that both sides lose on a line
    #[arg(long, value_name = "DISCS", default_value = "4", value_parser = discs)]
    error: Value,

    /// Maximum number of discs that one move loses
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = discs)]
    move_error: Value,

    /// Last ply of the game at which positions are added
    #[arg(long = "ply", value_name = "PLY", default_value = "30", value_parser = empties_after)]
    min_empties: u32,

    /// End when the book has this number of positions
    #[arg(long, value_name = "N")]
    positions: Option<usize>,

    #[arg(long, help = "End after this number of seconds", value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    #[command(flatten)]
    engine: EngineOptions,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions of games are searched, and stored with their values: a move of a game is a move of the \
book. What is searched is written after each 256 positions, and the same command goes on from \
there.

Examples:
  emilia book import edax.dat
  emilia book import my-games.pgn --level 20 --ply 24")]
struct ImportArgs {
    /// Books of Emilia, Edax (.dat) or Egaroucid (.egbk3), or files of games in any format
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Depth of the searches of positions of games in plies
    #[arg(long, value_name = "N", default_value_t = 16)]
    #[arg(value_parser = whole::<u8>(1..=59))]
    level: u8,

    /// Last ply of a game whose position is added
    #[arg(long = "ply", value_name = "PLY", default_value = "30", value_parser = empties_after)]
    min_empties: u32,

    #[command(flatten)]
    engine: EngineOptions,
}

#[derive(Debug, clap::Args)]
struct PruneArgs {
    /// Position below which positions are kept, as in 'emilia book show' [default: each position
    /// that no other leads to]
    #[arg(value_name = "POS")]
    position: Vec<String>,

    /// Maximum sum of the discs that both sides lose on a line [default: any]
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    error: Option<Value>,

    /// Maximum number of discs that one move loses [default: any]
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    move_error: Option<Value>,

    /// Last ply whose positions are kept
    #[arg(long = "ply", value_name = "PLY", default_value = "60", value_parser = empties_after)]
    min_empties: u32,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    match &args.action {
        Action::New => {
            let path = args.own()?;
            BookFile::create(&path)?;
            writeln!(out, "created {}", path.display())?;
        }
        Action::Learn(learn) => return learned(args, learn, out),
        Action::Import(files) => return import(args, files, out),
        Action::Export { file, force } => export(&args.open()?, file, force.force, out)?,
        Action::Show { position, json } => {
            let is_own = !args.is_embedded() && args.own()?.exists();
            shown(args.open()?, is_own, position, *json, out)?;
        }
        Action::Stats => stats(&args.open()?, out)?,
        Action::Verify => return verify(&args.open()?, out),
        Action::Prune(prune) => pruned(&BookFile::open(&args.own()?)?, prune, out)?,
    }
    Ok(Verdict::Yes)
}

impl Args {
    /// Returns whether `--book` names the embedded book.
    fn is_embedded(&self) -> bool {
        self.book.as_deref() == Some(Path::new(EMBEDDED))
    }

    /// Returns the path of the book to change. The embedded book is refused.
    fn own(&self) -> Result<PathBuf, Failure> {
        if self.is_embedded() {
            bail!(
                "the embedded book cannot be changed; 'emilia book export --book on a.book' copies \
                 it"
            );
        }
        data_file(self.book.as_ref(), DEFAULT_NAME, "--book")
    }

    /// Opens the book to extend it. Creates the book if it does not exist.
    fn extended(&self) -> Result<BookFile, Failure> {
        let path = self.own()?;
        if self.book.is_none() && !path.exists() {
            note!(
                "emilia: new book '{}', used with --book and this path; --book on is the embedded one",
                path.display()
            );
        }
        Ok(BookFile::open_or_create(&path)?)
    }

    /// Opens the book for reading: by default the user's own book, or the embedded book if the user
    /// has none.
    fn open(&self) -> Result<BookFile, Failure> {
        if self.is_embedded() {
            return Ok(BookFile::embedded()?);
        }
        let path = self.own()?;
        if self.book.is_some() || path.exists() {
            return Ok(BookFile::open(&path)?);
        }
        note!(
            "emilia: there is no '{}' yet; this is the embedded book",
            path.display()
        );
        Ok(BookFile::embedded()?)
    }
}

/// Parses a ply of the game, and returns the number of empties after this ply.
fn empties_after(text: &str) -> Result<u32, String> {
    let ply = text.parse().ok().filter(|ply| (1..=60).contains(ply));
    let empties = ply.map(|ply: u32| Board::START.empty_count() - ply);
    empties.ok_or_else(|| "expected a ply from 1 to 60".to_owned())
}

fn learned(of_book: &Args, args: &LearnArgs, out: &mut dyn Write) -> CommandResult {
    let root = position(&args.position)?.board;
    let limits = LearnLimits {
        root,
        level: args.level,
        reach: LineLimits {
            error: args.error,
            move_error: args.move_error,
            min_empties: args.min_empties,
        },
        positions: args.positions,
        time: args.time,
    };
    let threads = args.engine.threads_or_cores().get();
    let mut engines = Engine::several(&args.engine.settings(), threads)?;
    let book = of_book.extended()?;
    let stop = interrupt_flag()?;
    let start = Instant::now();
    let bar = ProgressBar::new("positions");
    let done = learn(&book, &mut engines, &limits, &stop, &mut |progress| {
        let total = progress.positions + progress.left;
        let total = args.positions.map_or(total, |most| most.min(total));
        bar.update(progress.positions, total);
        let hours = start.elapsed().as_secs_f64() / 3600.0;
        bar.set_message(&format!(
            "{} leaves left within the error, {:.0} positions an hour, value {}",
            progress.left,
            progress.learned as f64 / hours,
            root_text(progress)
        ));
    })?;
    drop(bar);
    writeln!(
        out,
        "positions {} learned {} searches {} left {} root {} seconds {:.1}",
        done.positions,
        done.learned,
        done.searches,
        done.left,
        root_text(&done),
        start.elapsed().as_secs_f64()
    )?;
    if stop.is_set() {
        note!("emilia: interrupted: the same command goes on from here");
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Yes)
}

/// Returns the value of the root, the position below which the book is extended, as text. Returns
/// `-` if the root has not been searched yet.
fn root_text(progress: &LearnProgress) -> String {
    let root = progress.root;
    root.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

fn pruned(book: &BookFile, args: &PruneArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let root = match args.position.as_slice() {
        [] => None,
        words => Some(position(words)?.board),
    };
    let any = Value::from_units(i32::MAX);
    let reach = LineLimits {
        error: args.error.unwrap_or(any),
        move_error: args.move_error.unwrap_or(any),
        min_empties: args.min_empties,
    };
    let removed = prune(book, root.as_ref(), &reach)?;
    writeln!(out, "{removed} positions removed")?;
    Ok(())
}

fn import(of_book: &Args, args: &ImportArgs, out: &mut dyn Write) -> CommandResult {
    // All files are read before the book is created, so that an unreadable file creates no book.
    let (mut books, mut names, mut games) = (Vec::new(), Vec::new(), Vec::new());
    for file in &args.files {
        match exchange::read(file) {
            Ok(read) => {
                books.push(read);
                names.push(file.display());
            }
            Err(error) => {
                let read = read_games(file).map_err(|_| error)?.games.into_iter();
                games.extend(read.map(|game| game.map_err(|why| FileError::refused(file, why))));
            }
        }
    }
    let book = of_book.extended()?;
    if !books.is_empty() {
        let (imported, changed) = book::import(&book, books)?;
        for (file, done) in names.iter().zip(imported) {
            let (count, new) = (done.positions, done.new);
            writeln!(out, "{file}: {count} positions, {new} new")?;
        }
        writeln!(out, "{changed} values changed by the graph")?;
    }
    import_games(&book, args, games, out)
}

/// Adds the positions of games to the book, with values from searches.
fn import_games(
    book: &BookFile,
    args: &ImportArgs,
    all: Vec<Result<PackedGame, FileError>>,
    out: &mut dyn Write,
) -> CommandResult {
    if all.is_empty() {
        return Ok(Verdict::Yes);
    }
    let (games, bad) = readable((1..).zip(all));
    let positions = games
        .iter()
        .flat_map(|(_, game)| game.game().positions().to_vec());
    let boards = positions.map(|position| position.board);
    let boards = boards.filter(|board| board.empty_count() >= args.min_empties);
    let threads = args.engine.threads_or_cores().get();
    let mut engines = Engine::several(&args.engine.settings(), threads)?;
    let stop = interrupt_flag()?;
    let before = book.positions()?.len();
    let bar = ProgressBar::new("positions");
    let mut report = |done, all| bar.update(done, all);
    learn_games(book, boards, &mut engines, args.level, &stop, &mut report)?;
    drop(bar);
    let new = book.positions()?.len() - before;
    writeln!(out, "{} games, {new} new positions", games.len())?;
    if stop.is_set() {
        note!("emilia: interrupted: the same command goes on from here");
        return Ok(Verdict::Interrupted);
    }
    unless_left_out(bad, bad + games.len(), "games")
}

fn export(book: &BookFile, path: &Path, force: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let format = BookFormat::of_name(path).ok_or_else(|| {
        let why = "expected a file name with .dat (Edax), .egbk3 (Egaroucid) or .book";
        refused(FileError::refused(path, why))
    })?;
    let paths = Paths::default().input([book.path()]);
    paths.output("FILE", Some(path)).check(force)?;
    let done = exchange::export(book, path, format)?;
    writeln!(out, "{} positions", done.positions)?;
    let note = |count: u64, what: &str| {
        if count > 0 {
            note!("{count} {what}");
        }
    };
    note(
        done.bare,
        "positions without a known move written as leaves of others",
    );
    note(
        done.without_leaf,
        "positions without a known leaf written with one of -64",
    );
    Ok(())
}

fn stats(book: &BookFile, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "ply      count")?;
    let mut positions = 0;
    for ply in 0..=60 {
        let count = book.ply(60 - ply)?.len();
        if count > 0 {
            writeln!(out, "{ply:>3}  {count:>9}")?;
        }
        positions += count;
    }
    writeln!(out, "positions {positions}")?;
    Ok(())
}

/// Shows a position of `book`. `is_own` states whether it is a book of the user.
fn shown(
    book: BookFile,
    is_own: bool,
    words: &[String],
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let position = position(words)?;
    let book = Book::File(Arc::new(book));
    let board = &position.board;
    let moves = book.moves(board)?;
    let Some(entry) = book.get(board)? else {
        let embedded = "; 'emilia book show --book on' shows the embedded one";
        let advice = if is_own { embedded } else { "" };
        bail!("this book does not have {position}{advice}");
    };
    if json {
        let shown = json!({
            "position": position.to_string(),
            "value": entry.value.discs(),
            "level": entry.level,
            "lines": lines_of(entry.lines),
            "moves": moves.iter().map(ShownMove::from).collect::<Vec<_>>(),
        });
        return Ok(json::write("book", &shown, out)?);
    }
    let (value, level, lines) = (entry.value, level_text(entry.level), entry.lines.all);
    writeln!(
        out,
        "{position}  value {value}  level {level}  lines {lines}"
    )?;
    write!(out, "{}", book_table(&moves).fitted(width()))?;
    Ok(())
}

/// Writes a heading and a table of the book's moves. Writes nothing if there are no moves.
pub(super) fn write_book(book: &[BookMove], out: &mut dyn Write) -> io::Result<()> {
    if book.is_empty() {
        return Ok(());
    }
    let heading = "Opening book: values come from longer searches and may differ from those of a \
                   search.";
    writeln!(out, "{}", wrapped(heading, 0))?;
    write!(out, "{}", book_table(book).fitted(width()))
}

/// Formats the moves of a book as a table.
fn book_table(moves: &[BookMove]) -> Table {
    let columns = ["book", "level", "lines"].map(|name| (name, Align::Right));
    let mut table = Table::new([("move", Align::Left)].into_iter().chain(columns));
    for known in moves {
        let lines = match known.lines.all {
            _ if known.is_leaf => "leaf".to_owned(),
            0 => "-".to_owned(),
            count => count.to_string(),
        };
        let (mv, value) = (known.mv.to_string(), known.value.to_string());
        table.row([mv, value, level_text(known.level), lines]);
    }
    table
}

/// Formats a level: a depth in plies, or `exact`.
fn level_text(level: u8) -> String {
    match level {
        SOLVED.. => "exact".to_owned(),
        0 => "-".to_owned(),
        _ => level.to_string(),
    }
}

fn verify(book: &BookFile, out: &mut dyn Write) -> CommandResult {
    book.check_pages()?;
    let checked = book::check_graph(book)?;
    if let Some(first) = &checked.first {
        note!("the first fault: {first}");
    }
    writeln!(
        out,
        "positions {} links {} leaves {} faults {} stale {}",
        checked.positions, checked.links, checked.leaves, checked.faults, checked.stale
    )?;
    Ok(Verdict::of(checked.faults + checked.stale == 0))
}
