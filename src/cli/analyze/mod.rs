//! `emilia analyze`: what each move of a game was worth.

mod chart;
mod html;
mod json;
mod log;
mod pages;
mod table;
mod totals;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::options::{ForceOption, GlobalOptions, LevelOption, LimitOptions};
use super::terminal::{status_width, wrapped};
use super::{Failure, Verdict, games, on_interrupt, say_on_stderr};
use crate::analysis::{Analysis, Analyst, Judgement, Scored, analyze};
use crate::board::Position;
use crate::files::{self, FileError};
use crate::game::Game;
use crate::options::{self, EVAL, EXACT, NODES, SELECTIVITY, TIME};
use crate::player::Style;
use crate::search::{Engine, Limits, Line, Report, Settings, Stop, TimeControl};
use crate::view::{ProgressBar, cut, thinking};
use crate::work::Shard;
use html::Links;
use pages::Pages;
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
Ctrl-C in the analysis of one game shows the moves that are analysed.

With several games a line for each, and a table of the players who have --least games or more,
with --moves the tables of the moves, too. A game that cannot be read is named on stderr and left
out; the exit code is 2, then. What --out has written is resumed with --resume;
the files of all shards, one after the other in one file, are resumed at once and give the table of the players.

{}

Kind 'analysis', scores for Black: game (its number), limits, black, white, event, date, result, opening, start, transcript, moves (number,
empties, side, move, score, best_score, best, lost, grade, depth, selectivity, exact, forced,
better, eval), scores (before each move and after
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

    /// Show players with this many games or more in the table of players
    #[arg(long, value_name = "N", default_value_t = 5)]
    least: usize,

    /// Draw the scores of the game as SVG; only for one game
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write a page to look at: board, graph, better lines; it needs nothing else, not even a network; only for one game
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write a page for each game and each player into this folder, and index.html, which lists them
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
    let pages = args.pages.as_ref().map(|folder| {
        let games = items.iter().map(|item| (item.number, &item.game));
        Pages::new(folder.clone(), games)
    });
    args.check_paths(pages.as_ref(), global)?;
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
        pages,
        part: None,
    };
    if let Some(pages) = &job.pages {
        pages.create()?;
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
        let what = match (&job.part, done) {
            (Some(part), _) => {
                let first = part.moves.first().map_or(1, |judgement| judgement.number);
                format!("the moves before {first} are not analysed")
            }
            (None, 0) if job.single => "no move is analysed: the last one comes first, and a \
                                        smaller --depth or --time reaches it sooner"
                .to_owned(),
            (None, 0) => format!("none of {left} games is analysed{how}"),
            (None, _) => format!("{done} of {left} games analysed{how}"),
        };
        say_on_stderr(&format_args!("emilia: interrupted: {what}"));
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
    fn check_paths(&self, pages: Option<&Pages>, global: &GlobalOptions) -> Result<(), FileError> {
        let mut paths = global
            .paths()
            .reads(games::inputs(&self.games))
            .appends("--out", self.out.as_deref());
        for (option, file) in self.pictures() {
            paths = paths.writes(option, Some(file));
        }
        if let Some((folder, pages)) = self.pages.as_deref().zip(pages) {
            paths = paths.fills("--pages", folder, pages.names());
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
    /// The folder of --pages.
    pages: Option<Pages>,
    /// The last moves of the only game, where its analysis was interrupted.
    part: Option<Analysis>,
}

impl Job<'_> {
    /// Opens the file of --out, if there is to be one, and leaves those games of `items` that are not in it yet.
    fn open_log(&mut self, items: &mut Vec<Item>) -> Result<(), Failure> {
        let Some(path) = &self.args.out else {
            return Ok(());
        };
        let (totals, limits) = (&mut self.totals, &self.limits_in_words);
        let pages = &mut self.pages;
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
            // Whether or not the folder has it: it may be another one than before.
            if let Some(pages) = pages {
                pages.add(&object).map_err(|error| error.to_string())?;
            }
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
                judged: Vec::new(),
                last: None,
                is_finished: item.game.is_over(),
            };
            let analysis = analyze(&mut analyst, &item.game, &self.limits);
            let part = analyst.part();
            drop(moves_done);
            let Some(analysis) = analysis else {
                self.part = part.filter(|_| self.single && !self.args.json);
                if let Some(part) = &self.part {
                    table::write(item.number, &item.game, part, self.colored, out)?;
                    self.explain(out)?;
                }
                break;
            };
            self.show(item, &analysis, out)?;
            done += 1;
            if let Some(bar) = &games_done {
                bar.update(done, items.len());
            }
        }
        if let Some(pages) = self.pages.as_ref().filter(|_| self.totals.games > 0) {
            pages.end()?;
        }
        let shown = if self.single { done } else { self.totals.games };
        if !self.args.json && shown > 0 {
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
            let page = html::game(&object, &Links::default()).map_err(io::Error::from)?;
            files::replace(html, page.as_bytes())?;
        }
        if let Some(pages) = &mut self.pages {
            pages.add(&object)?;
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
    fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.single {
            self.totals.write(self.args.least, out)?;
        }
        self.explain(out)
    }

    /// Says what the words mean.
    fn explain(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out)?;
        let of_moves = (self.single || self.args.moves).then_some(table::LEGEND_OF_MOVES);
        for legend in of_moves.into_iter().chain(table::LEGEND) {
            writeln!(out, "{}", wrapped(legend, 2))?;
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
    /// The moves that are judged, the last of the game first.
    judged: Vec<Judgement>,
    /// The score after the last move.
    last: Option<Scored>,
    is_finished: bool,
}

impl Watched<'_> {
    /// The analysis of the moves that are judged; `None` if there are none.
    fn part(self) -> Option<Analysis> {
        let mut moves = self.judged;
        moves.reverse();
        (!moves.is_empty()).then_some(Analysis {
            moves,
            last: self.last?,
            is_finished: self.is_finished,
        })
    }
}

impl Analyst for Watched<'_> {
    fn search(&mut self, position: &Position, count: usize, limits: &Limits) -> Option<Vec<Line>> {
        let mut report = Told(self.bar);
        let lines = (self.engine).multi_pv(&position.board, count, limits, &mut report);
        (!self.engine.interrupt().is_set()).then_some(lines)
    }

    fn scored(&mut self, moves_made: usize, _: &Position, score: Scored) {
        self.last.get_or_insert(score);
        if let Some(bar) = self.moves {
            bar.update(self.all - moves_made, self.all);
        }
    }

    fn judged(&mut self, judgement: &Judgement) {
        self.judged.push(judgement.clone());
    }
}

/// Tells a bar of the best line.
struct Told<'a>(Option<&'a ProgressBar>);

impl Report for Told<'_> {
    fn progress(&mut self, multi_pv: usize, line: &Line) {
        if let Some(bar) = self.0.filter(|_| multi_pv == 1) {
            bar.tell(cut(&thinking(line), status_width().saturating_sub(1)));
        }
    }
}
