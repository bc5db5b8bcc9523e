//! `emilia analyze`: scores each move of games, and writes tables, JSON, charts and HTML pages.
//! The searches are in [`emilia_review`], the outputs in [`report`].

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::inputs;
use super::options::{BookOptions, ForceOption, GlobalOptions, LevelOption, LimitOptions};
use super::{CommandResult, Failure, Verdict, interrupt_flag, print_to_stderr, refused};
use emilia_book::Book;
use emilia_core::search::{Engine, Limits, Settings, TimeControl};
use emilia_core::work::Shard;
use emilia_files::FileError;
use emilia_games::Game;
use emilia_games::input;
use emilia_player::PlaySettings;
use emilia_player::options::{self, EVAL, EXACT, NODES, SELECTIVITY, TIME};
use emilia_player::people::{Human, small_engine};
use emilia_review::json;
use emilia_review::report::{self, ANALYSIS, AnalysedGame, AnalysisLog, Pages, Totals};
use emilia_review::{Analysis, AnalysisEvent, Watched, analyze};
use emilia_view::{ProgressBar, cut, status_width, wrapped};

/// Default search depth in plies.
pub(super) const DEPTH: u32 = 16;

/// Arguments of `emilia analyze`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Scores are final disc differences under best play, for Black. 'lost' is the number of discs that
a move loses against the best move. ?! marks an inaccuracy (2 discs or more), ? a mistake (4),
?? a blunder (10), and !! a brilliant move: it loses less than half a disc, and fewer than 25 %
of the people of --people find it, in a game not decided by 32 discs. Scores with depth 100% are
exact, and moves of the opening book have its values. The analysis begins with the last move, so
that the table holds results of later moves; a score changes only where discs were lost, or where
the game leaves the book. Ctrl-C in the analysis of one game shows the moves analysed so far.

With several games there is one line for each, a table of the players who have five games or
more, and with --moves the table of each game's moves. A game that cannot be read is reported on
stderr and left out, and the exit code is then 2. --resume continues the file of --out. The files
of all shards, joined by cat, can be resumed too and give the table of the players.

Examples:
  emilia analyze game.sgf --html game.html
  emilia analyze games.ggf --time 1 --pages analysed
  emilia analyze f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3 --depth 20
  emilia analyze WTH_2019.wtb --time 0.1 --shard 1/4 --out part-1.jsonl \
--resume")]
pub(crate) struct Args {
    /// Files of games (transcripts, GGF, SGF, WTHOR, logs of matches) or game N of one (`FILE:N`), -
    /// for stdin, or a transcript
    #[arg(value_name = "FILE|-|TRANSCRIPT", required = true)]
    games: Vec<String>,

    #[command(flatten)]
    level: LevelOption,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    book: BookOptions,

    /// Print one line of JSON for each game (src/cli/JSON.md)
    #[arg(long)]
    json: bool,

    /// Append each analysed game to this file, as one line of JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Analyse only the games that the file of --out does not hold yet
    #[arg(long, requires = "out")]
    resume: bool,

    /// Print the table of moves of every game
    #[arg(long)]
    moves: bool,

    /// Level of the people for whom the difficulty of each move is estimated (the column 'found'),
    /// h1 to h14
    #[arg(long, value_name = "LEVEL", default_value_t = Human::AVERAGE)]
    people: Human,

    /// Draw the scores of the game as SVG, for one game only
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write an HTML page with board, graph and better lines, for one game only. It works offline
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write a page for each game and each player into this folder, with index.html as the list
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,

    /// Analyse only the K-th of N disjoint parts of the games
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
}

/// Game to analyse.
struct NumberedGame {
    /// Number of the game in the whole input, from 1. It is the same in every shard.
    number: usize,
    game: Game,
}

/// Analyses the selected games one after the other and writes all outputs.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    let mut read: Vec<_> = (1..).zip(input::games(&args.games)?).collect();
    let all = read.len();
    read.retain(|(_, game)| game.as_ref().map_or(true, |game| !game.moves().is_empty()));
    let count = read.len();
    if count == 0 {
        return Err(refused(
            "positions have no moves; `emilia solve` or `emilia hint` take them",
        ));
    }
    if count < all {
        let (left_out, plural) = (all - count, if all - count == 1 { "" } else { "s" });
        print_to_stderr(&format_args!(
            "emilia: {left_out} game{plural} without moves left out"
        ));
    }
    read.retain(|(number, _)| args.shard.covers(number - 1));
    let (mut bad, mut items) = (0, Vec::new());
    for (number, game) in read {
        match game {
            Ok(game) => items.push(NumberedGame { number, game }),
            Err(error) => {
                bad += 1;
                print_to_stderr(&format_args!("emilia: {error}"));
            }
        }
    }
    if items.len() != 1
        && let Some((option, _)) = args.pictures().first()
    {
        return Err(refused(format!(
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
    engine.set_interrupt(interrupt_flag()?);
    let mut job = AnalysisRun {
        args,
        limits,
        limits_in_words,
        single: count == 1,
        colored: global.colored(),
        book: args.book.book(),
        totals: Totals::default(),
        log: None,
        pages,
        part: None,
        small_engine: small_engine()?,
    };
    if let Some(pages) = &job.pages {
        pages.create()?;
    }
    let readable = items.len();
    job.open_log(&mut items)?;
    let logged = readable - items.len();
    let done = logged + job.run(&mut engine, &items, out)?;
    if done < readable {
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
            (None, 0) => format!("none of {readable} games is analysed{how}"),
            (None, _) => format!("{done} of {readable} games analysed{how}"),
        };
        print_to_stderr(&format_args!("emilia: interrupted: {what}"));
        return Ok(Verdict::Interrupted);
    }
    inputs::unless_left_out(bad, readable + bad)
}

impl Args {
    /// Returns the options `--svg` and `--html` that are given, with their files.
    fn pictures(&self) -> Vec<(&'static str, &Path)> {
        let files = [("--svg", &self.svg), ("--html", &self.html)];
        let files = files.into_iter();
        files
            .filter_map(|(option, file)| Some((option, file.as_deref()?)))
            .collect()
    }

    /// Checks that no output overwrites a file.
    /// With `--resume`, existing outputs of the same job are allowed.
    ///
    /// # Errors
    /// If an output exists already or is an input.
    fn check_paths(&self, pages: Option<&Pages>, global: &GlobalOptions) -> Result<(), FileError> {
        let mut paths = global
            .paths()
            .input(input::inputs(&self.games))
            .append_output("--out", self.out.as_deref());
        for (option, file) in self.pictures() {
            paths = paths.output(option, Some(file));
        }
        if let Some((folder, pages)) = self.pages.as_deref().zip(pages) {
            paths = paths.folder_output("--pages", folder, pages.names());
        }
        let is_resumed = self.resume && self.out.as_deref().is_some_and(Path::is_file);
        paths.check(self.force.force || is_resumed)
    }

    /// Returns the limits of each search. The default is depth 16.
    ///
    /// # Errors
    /// If the level is a human one.
    fn limits(&self) -> Result<Limits, Failure> {
        let mut limits = self.limits.limits();
        let level = self.level.engine_only()?;
        level.apply(&mut limits, &mut PlaySettings::default());
        Ok(or_default(limits))
    }
}

/// Returns the limits of each search, by default depth [`DEPTH`].
pub(super) fn or_default(limits: Limits) -> Limits {
    let limits = if limits.is_bounded() || limits.solve_from_empties.is_some() {
        limits
    } else {
        Limits::depth(DEPTH)
    };
    limits.at_level()
}

/// Formats the limits, evaluation and selectivity as `NAME=VALUE` pairs separated by commas.
pub(super) fn in_words(limits: &Limits, settings: &Settings) -> String {
    let time = match limits.time {
        Some(TimeControl::PerMove(time)) => Some(time.as_secs_f64().to_string()),
        _ => None,
    };
    let number = |value: Option<u64>| value.map(|value| value.to_string());
    let (depth, exact) = (limits.depth, limits.solve_from_empties);
    let selectivity = settings.selectivity.percent();
    let pairs = [
        (options::DEPTH.name, number(depth.map(u64::from))),
        (TIME.name, time),
        (NODES.name, number(limits.nodes)),
        (EXACT.name, number(exact.map(u64::from))),
        (EVAL.name, Some(settings.evaluator.name().to_owned())),
        (SELECTIVITY.name, number(Some(selectivity.into()))),
    ];
    let given = pairs
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", value?)));
    given.collect::<Vec<_>>().join(",")
}

/// State of the whole command.
struct AnalysisRun<'a> {
    args: &'a Args,
    limits: Limits,
    limits_in_words: String,
    /// Whether exactly one game of the input has moves or cannot be read.
    single: bool,
    colored: bool,
    /// Book whose moves are not searched.
    book: Book,
    /// Totals of all games, those read from the file of `--out` included.
    totals: Totals,
    log: Option<AnalysisLog>,
    /// Pages of `--pages`.
    pages: Option<Pages>,
    /// Moves analysed so far, if the analysis of the only game was interrupted.
    part: Option<Analysis>,
    /// Engine of the model of people.
    small_engine: Engine,
}

impl AnalysisRun<'_> {
    /// Opens the file of `--out` and removes the games that it holds from `items`.
    ///
    /// # Errors
    /// If the file holds games without `--resume`, or its limits or games differ from this job.
    fn open_log(&mut self, items: &mut Vec<NumberedGame>) -> Result<(), Failure> {
        let Some(path) = &self.args.out else {
            return Ok(());
        };
        let (totals, pages) = (&mut self.totals, &mut self.pages);
        let (resume, limits) = (self.args.resume, &self.limits_in_words);
        let log = AnalysisLog::open(path, |logged| {
            let number = logged.game;
            let at = items.iter().position(|item| item.number == number);
            let at = match at {
                _ if !resume => Err("there are games here already: --resume analyses the rest \
                                     of them"
                    .to_owned()),
                _ if logged.limits != *limits => Err(format!(
                    "analysed with {}, not with {limits}",
                    logged.limits
                )),
                None => Err(format!(
                    "game {number} is not part of this job, or is here twice"
                )),
                Some(at) if !logged.is_of(&items[at].game) => {
                    Err(format!("game {number} has other moves in the input"))
                }
                Some(at) => Ok(at),
            }?;
            totals.add(&logged);
            // The page is written again, because the folder may be another one than before.
            if let Some(pages) = pages {
                pages.add(&logged).map_err(|error| error.to_string())?;
            }
            items.remove(at);
            Ok(())
        });
        self.log = Some(log?);
        Ok(())
    }

    /// Analyses and shows the games in order.
    /// Returns the number analysed before the end or an interruption.
    fn run(
        &mut self,
        engine: &mut Engine,
        items: &[NumberedGame],
        out: &mut dyn Write,
    ) -> Result<usize, Failure> {
        let games_done = (!self.single).then(|| ProgressBar::new("games"));
        let mut done = 0;
        for item in items {
            let moves_done = self.single.then(|| ProgressBar::new("moves"));
            engine.clear();
            let all = item.game.moves().len();
            let watch = |event: AnalysisEvent| match event {
                AnalysisEvent::Iteration(line) => {
                    let width = status_width().saturating_sub(1);
                    if let Some(bar) = moves_done.as_ref().or(games_done.as_ref()) {
                        bar.set_message(cut(&line.to_string(), width));
                    }
                }
                AnalysisEvent::Scored { moves_made } => {
                    if let Some(bar) = &moves_done {
                        bar.update(all - moves_made, all);
                    }
                }
            };
            let mut analyst = Watched {
                engine: &mut *engine,
                watch,
            };
            let analysis = analyze(&mut analyst, &item.game, &self.book, &self.limits);
            drop(moves_done);
            match analysis {
                Some(analysis) if analysis.is_complete => self.show(item, &analysis, out)?,
                part => {
                    let part = part.filter(|_| self.single && !self.args.json);
                    if let Some(part) = &part {
                        let object = self.object(item, part)?;
                        report::write(&object, item.game.opening(), self.colored, out)?;
                        self.explain(out)?;
                    }
                    self.part = part;
                    break;
                }
            }
            done += 1;
            if let Some(bar) = &games_done {
                bar.update(done, items.len());
            }
        }
        if let Some(pages) = self.pages.as_ref().filter(|_| self.totals.games > 0) {
            pages.end(&self.totals)?;
        }
        let shown = if self.single { done } else { self.totals.games };
        if !self.args.json && shown > 0 {
            if !self.single {
                self.totals.write(out)?;
            }
            self.explain(out)?;
        }
        Ok(done)
    }

    /// Writes all outputs of one game and adds it to the totals.
    fn show(
        &mut self,
        item: &NumberedGame,
        analysis: &Analysis,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let object = self.object(item, analysis)?;
        if let Some(svg) = &self.args.svg {
            let chart = report::chart(&object).to_string();
            emilia_files::replace(svg, chart.as_bytes())?;
        }
        if let Some(html) = &self.args.html {
            emilia_files::replace(html, report::page(&object)?.as_bytes())?;
        }
        if let Some(pages) = &mut self.pages {
            pages.add(&object)?;
        }
        // The log comes last, because a logged game is never analysed again.
        if let Some(log) = &mut self.log {
            log.add(&object)?;
        }
        if self.args.json {
            json::write(ANALYSIS, &object, out)?;
        } else if self.single || self.args.moves {
            report::write(&object, item.game.opening(), self.colored, out)?;
            if let Some(exit) = &object.book {
                writeln!(out, "{exit}")?;
            }
        } else {
            writeln!(out, "{}", report::line(&object))?;
        }
        out.flush()?;
        self.totals.add(&object);
        Ok(())
    }

    /// Returns the object of an analysed game.
    fn object(
        &mut self,
        item: &NumberedGame,
        analysis: &Analysis,
    ) -> Result<AnalysedGame, FileError> {
        let NumberedGame { number, game } = item;
        let people = (self.args.people, &mut self.small_engine);
        AnalysedGame::new(
            *number,
            game,
            &self.limits_in_words,
            analysis,
            &self.book,
            people,
        )
    }

    /// Writes the legend of the tables.
    fn explain(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out)?;
        let of_moves = (self.single || self.args.moves).then_some(report::LEGEND_OF_MOVES);
        for legend in of_moves.into_iter().chain(report::LEGEND) {
            writeln!(out, "{}", wrapped(legend, 2))?;
        }
        if of_moves.is_some() {
            let legend = report::legend_of_found(self.args.people);
            writeln!(out, "{}", wrapped(&legend, 2))?;
        }
        Ok(())
    }
}
