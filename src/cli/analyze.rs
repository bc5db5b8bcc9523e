//! `emilia analyze`: scores each move of games, and writes tables, JSON, a chart and an HTML page.
//! The searches are in [`emilia_review`], the outputs in [`report`].

use std::io::{self, Write};
use std::path::PathBuf;

use super::inputs;
use super::options::{ForceOption, SearchOptions, ShardedOutput};
use super::{CommandResult, Failure, interrupt_flag, interrupted};
use emilia_book::Book;
use emilia_core::search::{Engine, Limits, Line, Settings, TimeControl};
use emilia_games::{Game, input};
use emilia_player::people::{Human, small_engine};
use emilia_review::json;
use emilia_review::practice::SearchLimits;
use emilia_review::report::{self, ANALYSIS, AnalysedGame};
use emilia_review::{ANALYSIS_DEPTH, Analysis, AnalysisEvent, Watched, analyze};
use emilia_view::{ProgressBar, cut, status_width, wrapped};

/// Arguments of `emilia analyze`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Scores are final disc differences under best play, for Black. 'lost' is the number of discs that \
a move loses against the best move. ?! marks an inaccuracy (2 discs or more), ? a mistake (4), \
?? a blunder (10), and !! a brilliant move: it loses less than half a disc, and fewer than 25 % \
of the people of --people find it, in a game not decided by 32 discs. Scores with depth 100% are \
exact, and moves of the opening book have its values. The analysis begins with the last move, so \
that the table holds results of later moves; a score changes only where discs were lost, or where \
the game leaves the book. Ctrl-C in the analysis of one game shows the moves analysed so far.

Without limits the depth is 16. With several games there is one line for each. A game that \
cannot be read is reported on stderr and left out, and the exit code is then 2.

Examples:
  emilia analyze game.sgf --html game.html
  emilia analyze games.ggf --time 1 --json > analysed.jsonl
  emilia analyze f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3 --depth 20
  emilia analyze WTH_2019.wtb --time 0.1 --json --shard 1/4 > part-1.jsonl")]
pub(crate) struct Args {
    /// Files of games (transcripts, PGN, GGF, SGF, WTHOR, logs of matches) or game N of one
    /// (`FILE:N`), - for stdin, or a transcript
    #[arg(value_name = "FILE|-|TRANSCRIPT", required = true)]
    games: Vec<String>,

    #[command(flatten)]
    search: SearchOptions,

    /// Level of the people for whom the difficulty of each move is estimated (the column 'found'),
    /// h0 to h14
    #[arg(long, value_name = "LEVEL", default_value_t = Human::AVERAGE)]
    people: Human,

    /// Draw the scores of the game as SVG, for one game only
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write an HTML page with board, graph and better lines, for one game only. It works offline
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,

    #[command(flatten)]
    output: ShardedOutput,
}

/// Analyses the selected games one after the other and writes all outputs.
pub(super) fn run(args: &Args, colored: bool, out: &mut dyn Write) -> CommandResult {
    let mut read: Vec<_> = (1..).zip(input::placed_games(&args.games)?).collect();
    let all = read.len();
    read.retain(|(_, game)| game.as_ref().map_or(true, |game| !game.moves().is_empty()));
    let count = read.len();
    if count == 0 {
        bail!("positions have no moves; `emilia solve` or `emilia hint` take them");
    }
    if count < all {
        let (left_out, plural) = (all - count, if all - count == 1 { "" } else { "s" });
        note!("emilia: {left_out} game{plural} without moves left out");
    }
    read.retain(|(number, _)| args.output.shard.covers(number - 1));
    let (items, bad) = inputs::readable(read);
    let cut = inputs::warn_of(&items);
    args.check_outputs(items.len())?;
    let limits = args.search.search_limits()?;
    let mut engine = args.search.engine()?;
    engine.set_interrupt(interrupt_flag()?);
    let mut job = AnalysisRun {
        args,
        search: search_limits(limits, engine.settings()),
        single: count == 1,
        colored,
        book: args.search.book(),
        small_engine: small_engine()?,
        iteration: None,
        reports: String::new(),
    };
    let (done, part) = job.run(&mut engine, &items, out)?;
    if done == items.len() {
        return inputs::unless_unread(bad, cut, done + bad);
    }
    let (done, all, unit) = if job.single {
        let done = part.map_or(0, |part| part.moves.len());
        (done, items[0].1.placed(), "moves, the last ones first")
    } else {
        (done, items.len(), "games")
    };
    let unsolved = job.iteration.filter(|line| !line.depth.is_solved());
    let next = unsolved.map_or(String::new(), |Line { depth, value, .. }| {
        format!("; the next search came to depth {depth}, {value} discs, not exact")
    });
    Ok(interrupted(done, all, &format!("{unit}{next}")))
}

impl Args {
    /// Checks that no output replaces an input, or without `--force` any existing file. Also checks
    /// that `--svg` and `--html` are for one game.
    fn check_outputs(&self, games: usize) -> Result<(), Failure> {
        let mut paths = self.search.paths().input(input::inputs(&self.games));
        for (option, file) in [("--svg", &self.svg), ("--html", &self.html)] {
            if file.is_some() && games != 1 {
                bail!(
                    "{option} is for one game, and there are {games} (name one of them, like \
                     FILE:1)"
                );
            }
            paths = paths.output(option, file.as_deref());
        }
        Ok(paths.check(self.force.force)?)
    }
}

/// Returns the limits of each search. Without limits the depth is [`ANALYSIS_DEPTH`].
///
/// The result also contains a text of comma-separated `NAME=VALUE` pairs: limits, evaluation and
/// selectivity.
pub(super) fn search_limits(limits: Limits, settings: &Settings) -> SearchLimits {
    let is_limited = limits.is_bounded() || limits.solve_from_empties.is_some();
    let limits = if is_limited {
        limits.at_level()
    } else {
        Limits::depth(ANALYSIS_DEPTH).at_level()
    };
    let mut words = Vec::new();
    words.extend(limits.depth.map(|depth| format!("depth={depth}")));
    if let Some(TimeControl::PerMove(time)) = limits.time {
        words.push(format!("time={}", time.as_secs_f64()));
    }
    words.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
    words.extend((limits.solve_from_empties).map(|exact| format!("exact={exact}")));
    words.push(format!("eval={}", settings.evaluator.name()));
    words.push(format!("selectivity={}", settings.selectivity.percent()));
    SearchLimits {
        in_words: words.join(","),
        limits,
    }
}

/// State of a run of the command.
struct AnalysisRun<'a> {
    args: &'a Args,
    search: SearchLimits,
    /// Whether the input has only one game. Unreadable games count, games without moves do not.
    single: bool,
    colored: bool,
    /// Opening book. Moves of the book are not searched.
    book: Book,
    /// Engine for the shallow searches of the model that predicts the moves of people.
    small_engine: Engine,
    /// Best move of the last complete iteration of the running search, with value and PV.
    iteration: Option<Line>,
    /// Text of the reports so far. The legend explains the marks and columns in this text.
    reports: String,
}

impl AnalysisRun<'_> {
    /// Analyses and shows the games in order. Returns the number of games analysed completely. If
    /// the analysis of the only game was interrupted, also shows and returns the part analysed so
    /// far, except with `--json`.
    fn run(
        &mut self,
        engine: &mut Engine,
        items: &[(usize, Game)],
        out: &mut dyn Write,
    ) -> Result<(usize, Option<Analysis>), Failure> {
        let bar = ProgressBar::new(if self.single { "moves" } else { "games" });
        let (mut done, mut part) = (0, None);
        for item @ (_, game) in items {
            engine.clear();
            let all = game.moves().len();
            let watch = |event: AnalysisEvent| match event {
                AnalysisEvent::Iteration(line) => {
                    let width = status_width().saturating_sub(1);
                    bar.set_message(cut(&line.to_string(), width));
                    self.iteration = Some(line.clone());
                }
                AnalysisEvent::Scored { moves_made } if self.single => {
                    bar.update(all - moves_made, all);
                }
                AnalysisEvent::Scored { .. } => {}
            };
            let engine = &mut *engine;
            let mut analyst = Watched { engine, watch };
            let analysis = analyze(&mut analyst, game, &self.book, &self.search.limits);
            match analysis {
                Some(analysis) if analysis.is_complete => self.show(item, &analysis, out)?,
                unfinished => {
                    part = unfinished.filter(|_| self.single && !self.args.output.json);
                    break;
                }
            }
            done += 1;
            if !self.single {
                bar.update(done, items.len());
            }
        }
        drop(bar);
        if let (Some(item @ (_, game)), Some(part)) = (items.first(), &part) {
            let object = self.object(item, part);
            self.report(game, &object, out)?;
        }
        if !self.reports.is_empty() {
            writeln!(out)?;
        }
        for legend in report::legend(&self.reports, self.args.people) {
            writeln!(out, "{}", wrapped(&legend, 2))?;
        }
        Ok((done, part))
    }

    /// Writes all outputs of one game.
    fn show(
        &mut self,
        item: &(usize, Game),
        analysis: &Analysis,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let (_, game) = item;
        let object = self.object(item, analysis);
        if let Some(svg) = &self.args.svg {
            emilia_files::replace(svg, report::chart(&object)?.as_bytes())?;
        }
        if let Some(html) = &self.args.html {
            emilia_files::replace(html, report::page(&object)?.as_bytes())?;
        }
        if self.args.output.json {
            json::write(ANALYSIS, &object, out)?;
        } else {
            self.report(game, &object, out)?;
        }
        Ok(out.flush()?)
    }

    /// Writes the tables of a game if it is the only one. Writes one line if there are several
    /// games.
    fn report(
        &mut self,
        game: &Game,
        object: &AnalysedGame,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut text = Vec::new();
        if self.single {
            report::write(object, game.opening(), self.colored, &mut text)?;
        } else {
            writeln!(text, "{}", report::line(object))?;
        }
        self.reports += &String::from_utf8_lossy(&text);
        out.write_all(&text)
    }

    fn object(&mut self, (number, game): &(usize, Game), analysis: &Analysis) -> AnalysedGame {
        let people = (self.args.people, &mut self.small_engine);
        AnalysedGame::new(*number, game, &self.search.in_words, analysis, people)
    }
}
