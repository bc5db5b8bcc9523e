//! `emilia analyze`: what each move of a game was worth.

mod chart;
mod html;
mod json;
mod log;
mod table;
mod totals;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::options::{ForceOption, GlobalOptions, LevelOption, LimitOptions};
use super::terminal::width;
use super::{Failure, Verdict, games, on_interrupt, say_on_stderr};
use crate::analysis::{Analysis, Analyst, Scored, analyze};
use crate::board::Position;
use crate::files::{self, FileError};
use crate::game::Game;
use crate::options::{self, EVAL, EXACT, NODES, SELECTIVITY, TIME};
use crate::player::Style;
use crate::search::{Engine, Limits, Line, Report, Settings, Stop, TimeControl};
use crate::view::{ProgressBar, cut, thinking};
use crate::work::Shard;
use html::Row;
use totals::Totals;

pub use json::Object;
pub use log::Log;

/// The depth of the searches unless limits are given.
pub(super) const DEPTH: u32 = 16;

/// What `emilia analyze` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Scores are final disc differences under best play, for Black. 'lost' is what the move lost against the best one; ?! marks an
inaccuracy (2 discs or more), ? a mistake (4), ?? a blunder (10). Scores whose depth is 100% are certain. The analysis begins
with the last move, so that what is known of the end is known before; a score changes only where discs were lost.

With several games a line for each, and a table of the players, with --moves the tables of the moves, too. A game that
cannot be read is named on stderr and left out; the exit code is 2, then. What --out has written is resumed with --resume;
the files of all shards, one after the other in one file, are resumed at once and give the table of the players.

{}

Kind 'analysis', scores for Black: game (its number), limits, black, white, event, date, result, opening, start, transcript, moves (number,
empties, side, move, score, best_score, best, lost, grade, depth, exact, forced, better, eval), scores (before each move and after
the last), turning_point (the number of the move that decided the game), summary (of both sides).

Examples:
  emilia analyze game.sgf --html game.html
  emilia analyze games.ggf --time 1 --pages analysed
  emilia analyze f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3 --depth 20
  emilia analyze WTH_2019.wtb --time 0.1 --shard 1/4 --out part-1.jsonl --resume", super::json::ABOUT))]
pub(super) struct Args {
    /// A file of games (transcripts, GGF, SGF, WTHOR), `FILE:N` for game N of several, - for stdin,
    /// or a transcript
    #[arg(value_name = "FILE|-|TRANSCRIPT", required = true)]
    games: Vec<String>,

    #[command(flatten)]
    level: LevelOption,

    #[command(flatten)]
    limits: LimitOptions,

    /// Print a JSON object on a line for each game
    #[arg(long)]
    json: bool,

    /// Write the games to this file as well, one JSON object on a line
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Analyse only the games that are not in the file of --out yet
    #[arg(long, requires = "out")]
    resume: bool,

    /// Print the table of the moves of every game
    #[arg(long)]
    moves: bool,

    /// Draw the scores of the game as SVG; only for one game
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write a page to look at: board, graph, better lines; it needs nothing else, not even a network; only for one game
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write such a page for each game into this folder, and index.html, which lists them
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,

    /// Analyse only the K-th of N disjoint parts of the games
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
}

/// A game to analyse.
struct Item {
    /// Its number in the whole input, from 1; the same in every shard.
    number: usize,
    game: Game,
}

/// Analyses all games.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let read = games::all(&args.games)?;
    let count = read.len();
    let mut bad = 0;
    let mut items = Vec::new();
    for (number, game) in (1..).zip(read) {
        if !args.shard.covers(number - 1) {
            continue;
        }
        match game {
            Ok(game) => items.push(Item { number, game }),
            Err(error) => {
                bad += 1;
                say_on_stderr(&format_args!("emilia: '{}': {error}", args.games.join(" ")));
            }
        }
    }
    if items.len() != 1
        && let Some((option, _)) = args.pictures().first()
    {
        return Err(Failure::Input(format!(
            "{option} is for one game, and there are {} (name one of them, like FILE:1, or give \
             --pages FOLDER)",
            items.len()
        )));
    }
    args.check_paths(&items, global)?;
    let limits = args.limits()?;
    let mut engine = global.engine()?;
    let limits_in_words = in_words(&limits, engine.settings());
    let stop = Stop::default();
    engine.set_interrupt(stop.clone());
    on_interrupt(move || stop.set())?;
    let mut job = Job {
        args,
        limits,
        limits_in_words,
        single: count == 1,
        colored: global.colored(),
        totals: Totals::default(),
        log: None,
        rows: Vec::new(),
    };
    if let Some(folder) = &args.pages {
        std::fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
    }
    let readable = items.len();
    job.open_log(&mut items)?;
    let left = items.len();
    let done = job.run(&mut engine, &items, out)?;
    if done < left {
        let how = match &args.out {
            Some(_) => "; the same command with --resume analyses the rest",
            None => "",
        };
        say_on_stderr(&format_args!(
            "emilia: interrupted: {done} of {left} games analysed{how}"
        ));
        return Ok(Verdict::Interrupted);
    }
    if bad > 0 {
        return Err(Failure::Input(format!(
            "{bad} of {} games could not be read and were left out",
            readable + bad
        )));
    }
    Ok(Verdict::Yes)
}

impl Args {
    /// The files to write for one game, with the options that name them.
    fn pictures(&self) -> Vec<(&'static str, &Path)> {
        let files = [("--svg", &self.svg), ("--html", &self.html)];
        let files = files.into_iter();
        files
            .filter_map(|(option, file)| Some((option, file.as_deref()?)))
            .collect()
    }

    /// Refuses outputs that would overwrite something. What a job that is resumed has written is
    /// its own.
    fn check_paths(&self, items: &[Item], global: &GlobalOptions) -> Result<(), FileError> {
        let mut paths = global
            .paths()
            .reads(games::inputs(&self.games))
            .appends("--out", self.out.as_deref());
        for (option, file) in self.pictures() {
            paths = paths.writes(option, Some(file));
        }
        if let Some(folder) = &self.pages {
            let pages = items.iter().map(|item| page_name(item.number));
            paths = paths.fills("--pages", folder, pages.chain(["index.html".to_owned()]));
        }
        let is_resumed = self.resume && self.out.as_deref().is_some_and(Path::is_file);
        paths.check(self.force.force || is_resumed)
    }

    /// The limits for each move.
    fn limits(&self) -> Result<Limits, Failure> {
        let mut limits = self.limits.limits();
        let level = self.level.engine_only()?;
        level.apply(&mut limits, &mut Style::default());
        let limits = if limits.is_bounded() || limits.exact.is_some() {
            limits
        } else {
            Limits::depth(DEPTH)
        };
        Ok(limits.at_level())
    }
}

/// The limits, and how the engine keeps to them.
fn in_words(limits: &Limits, settings: &Settings) -> String {
    let time = match limits.time {
        Some(TimeControl::PerMove(time)) => Some(time.as_secs_f64().to_string()),
        _ => None,
    };
    let pairs = [
        (
            options::DEPTH.name,
            limits.depth.map(|depth| depth.to_string()),
        ),
        (TIME.name, time),
        (NODES.name, limits.nodes.map(|nodes| nodes.to_string())),
        (EXACT.name, limits.exact.map(|exact| exact.to_string())),
        (EVAL.name, Some(settings.evaluator.name().to_owned())),
        (
            SELECTIVITY.name,
            Some(settings.selectivity.percent().to_string()),
        ),
    ];
    let given = pairs
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", value?)));
    given.collect::<Vec<_>>().join(",")
}

/// The name of the page of a game.
fn page_name(number: usize) -> String {
    format!("{number}.html")
}

/// How to analyse and what to show.
struct Job<'a> {
    args: &'a Args,
    limits: Limits,
    limits_in_words: String,
    /// Whether the input has one game only.
    single: bool,
    colored: bool,
    /// What all games come to, those of the file of --out among them.
    totals: Totals,
    log: Option<Log>,
    /// The rows of the list of pages.
    rows: Vec<Row>,
}

impl Job<'_> {
    /// Opens the file of --out, if there is to be one, and leaves those games of `items` that are not in it yet.
    fn open_log(&mut self, items: &mut Vec<Item>) -> Result<(), Failure> {
        let Some(path) = &self.args.out else {
            return Ok(());
        };
        let (totals, limits, rows) = (&mut self.totals, &self.limits_in_words, &mut self.rows);
        let resume = self.args.resume;
        let log = Log::open(path, |object| {
            if !resume {
                return Err(
                    "there are games here already: --resume analyses the rest of them".to_owned(),
                );
            }
            if object.limits != *limits {
                return Err(format!(
                    "analysed with {}, not with {limits}",
                    object.limits
                ));
            }
            let Some(at) = items.iter().position(|item| item.number == object.game) else {
                return Err(format!(
                    "game {} is not to be analysed, or twice here",
                    object.game
                ));
            };
            let game = &items[at].game;
            if object.transcript != game.transcript().to_string()
                || object.start != game.start().to_string()
            {
                return Err(format!("game {} has other moves in the input", object.game));
            }
            totals.add(&object);
            rows.push(Row::new(&object, &page_name(object.game)));
            items.remove(at);
            Ok(())
        })?;
        self.log = Some(log);
        Ok(())
    }

    /// Analyses one game after the other and shows each: how many were done before it was interrupted.
    fn run(
        &mut self,
        engine: &mut Engine,
        items: &[Item],
        out: &mut dyn Write,
    ) -> Result<usize, Failure> {
        let games_done = (!self.single).then(|| ProgressBar::new("games"));
        let mut done = 0;
        for item in items {
            let moves_done = self.single.then(|| ProgressBar::new("moves"));
            engine.clear();
            let mut analyst = Watched {
                engine,
                moves: moves_done.as_ref(),
                bar: moves_done.as_ref().or(games_done.as_ref()),
                all: item.game.moves().len(),
            };
            let analysis = analyze(&mut analyst, &item.game, &self.limits);
            drop(moves_done);
            let Some(analysis) = analysis else {
                break;
            };
            self.show(item, &analysis, out)?;
            done += 1;
            if let Some(bar) = &games_done {
                bar.update(done, items.len());
            }
        }
        if let Some(folder) = &self.args.pages {
            let list = html::list(&mut self.rows);
            files::replace(&folder.join("index.html"), list.as_bytes())?;
        }
        if !self.args.json {
            self.end(out)?;
        }
        Ok(done)
    }

    /// Shows a game and counts it.
    fn show(
        &mut self,
        item: &Item,
        analysis: &Analysis,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let object = json::object(item.number, &item.game, &self.limits_in_words, analysis);
        if let Some(svg) = &self.args.svg {
            files::replace(
                svg,
                chart::chart(&item.game, analysis).to_string().as_bytes(),
            )?;
        }
        if let Some(html) = &self.args.html {
            let page = html::page(&item.game, &object).map_err(io::Error::from)?;
            files::replace(html, page.as_bytes())?;
        }
        if let Some(folder) = &self.args.pages {
            let name = page_name(item.number);
            self.rows.push(Row::new(&object, &name));
            let page = html::page(&item.game, &object).map_err(io::Error::from)?;
            files::replace(&folder.join(name), page.as_bytes())?;
        }
        // The last: what is in this file is not done again.
        if let Some(log) = &mut self.log {
            log.add(&object)?;
        }
        if self.args.json {
            json::write(&object, out)?;
        } else if self.single || self.args.moves {
            table::write(item.number, &item.game, analysis, self.colored, out)?;
        } else {
            writeln!(out, "{}", table::line(item.number, &item.game, analysis))?;
        }
        out.flush()?;
        self.totals.add(&object);
        Ok(())
    }

    /// Shows what all games come to, where there are several.
    fn end(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if !self.single {
            write!(out, "\n{}", self.totals)?;
        }
        Ok(())
    }
}

/// An engine whose searches are shown under a bar.
struct Watched<'a> {
    engine: &'a mut Engine,
    /// The bar that counts moves, if one does.
    moves: Option<&'a ProgressBar>,
    /// The bar that stands on the terminal.
    bar: Option<&'a ProgressBar>,
    /// How many moves the game has.
    all: usize,
}

impl Analyst for Watched<'_> {
    fn search(&mut self, position: &Position, count: usize, limits: &Limits) -> Option<Vec<Line>> {
        let mut report = Told(self.bar);
        let lines = (self.engine).multi_pv(&position.board, count, limits, &mut report);
        (!self.engine.interrupt().is_set()).then_some(lines)
    }

    fn scored(&mut self, moves_made: usize, _: &Position, _: Scored) {
        if let Some(bar) = self.moves {
            bar.update(self.all - moves_made, self.all);
        }
    }
}

/// Tells a bar of the best line.
struct Told<'a>(Option<&'a ProgressBar>);

impl Report for Told<'_> {
    fn progress(&mut self, multi_pv: usize, line: &Line) {
        if let Some(bar) = self.0.filter(|_| multi_pv == 1) {
            bar.tell(cut(&thinking(line), width().saturating_sub(1)));
        }
    }
}
