//! `emilia analyze`: what each move of a game was worth.

mod chart;
mod html;
mod json;
mod table;
mod totals;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::options::{GlobalOptions, LimitOptions, check_outputs};
use super::{Failure, Verdict, games, on_interrupt, say_on_stderr};
use crate::analysis::{Analysis, analyze};
use crate::files;
use crate::game::{BadGame, Game};
use crate::search::{Engine, Limits, Stop};
use crate::view::ProgressBar;
use crate::work::Shard;
use totals::Totals;

/// The depth of the searches unless limits are given.
pub(super) const DEPTH: u32 = 16;

/// What `emilia analyze` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Scores are final disc differences under best play, for Black. 'lost' is what the move lost against the best one; ?! marks an
inaccuracy (2 discs or more), ? a mistake (4), ?? a blunder (10). Scores whose depth is 100% are certain. The analysis begins
with the last move, so that what is known of the end is known before; a score changes only where discs were lost.

With several games a line for each, and a table of the players, with --moves the tables of the moves, too. A game that
cannot be read is named on stderr and left out; the exit code is 2, then.

Example:
  emilia analyze game.sgf --html game.html
  emilia analyze f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3 --depth 20
  emilia analyze WTH_2019.wtb --time 0.1 --shard 1/4 --json > part-1.jsonl")]
pub(super) struct Args {
    /// A file of games (transcripts, GGF, SGF, WTHOR), `FILE:GAME:MOVES` for one of them, - for stdin, or a transcript
    #[arg(value_name = "FILE|-|TRANSCRIPT", required = true)]
    games: Vec<String>,

    #[command(flatten)]
    limits: LimitOptions,

    /// Print a JSON object on a line for each game
    #[arg(long)]
    json: bool,

    /// Print the table of the moves of every game
    #[arg(long)]
    moves: bool,

    /// Draw the scores of the game as SVG; only for one game
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write a page to look at: board, graph, better lines; it needs nothing else, not even a network; only for one game
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

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
    check_outputs(&args.outputs())?;
    let read = read(&args.games)?;
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
                say_on_stderr(&format_args!("emilia: {}: {error}", args.games.join(" ")));
            }
        }
    }
    if items.len() != 1
        && let Some((option, _)) = args.outputs().first()
    {
        return Err(Failure::Input(format!(
            "{option} is for one game, and there are {} (name one of them, like FILE:1:60)",
            items.len()
        )));
    }
    let mut engine = global.engine()?;
    let stop = Stop::default();
    engine.set_interrupt(stop.clone());
    on_interrupt(move || stop.set())?;
    let job = Job {
        args,
        limits: args.limits(),
        single: count == 1,
        colored: global.colored(),
    };
    let done = job.run(&mut engine, &items, out)?;
    if done < items.len() {
        say_on_stderr(&format_args!(
            "emilia: interrupted: {done} of {} games analysed",
            items.len()
        ));
        return Ok(Verdict::Interrupted);
    }
    if bad > 0 {
        return Err(Failure::Input(format!(
            "{bad} of {} games could not be read and were left out",
            items.len() + bad
        )));
    }
    Ok(Verdict::Yes)
}

/// The games that the arguments name.
fn read(words: &[String]) -> Result<Vec<Result<Game, BadGame>>, Failure> {
    if let [word] = &words
        && (word == "-" || Path::new(word).is_file())
    {
        return Ok(games::read(Path::new(word))?.games);
    }
    Ok(vec![Ok(games::game(words)?)])
}

impl Args {
    /// The files to write, with the options that name them.
    fn outputs(&self) -> Vec<(&'static str, &Path)> {
        let files = [("--svg", &self.svg), ("--html", &self.html)];
        let files = files.into_iter();
        files
            .filter_map(|(option, file)| Some((option, file.as_deref()?)))
            .collect()
    }

    /// The limits for each move.
    fn limits(&self) -> Limits {
        let limits = self.limits.limits();
        let limits = if limits.is_bounded() || limits.exact.is_some() {
            limits
        } else {
            Limits::depth(DEPTH)
        };
        limits.at_level()
    }
}

/// How to analyse and what to show.
struct Job<'a> {
    args: &'a Args,
    limits: Limits,
    /// Whether the input has one game only.
    single: bool,
    colored: bool,
}

impl Job<'_> {
    /// Analyses one game after the other and shows each: how many were done before it was interrupted.
    fn run(
        &self,
        engine: &mut Engine,
        items: &[Item],
        out: &mut dyn Write,
    ) -> Result<usize, Failure> {
        let games_done = (!self.single).then(|| ProgressBar::new("games"));
        let mut totals = Totals::default();
        for (done, item) in items.iter().enumerate() {
            let moves_done = self.single.then(|| ProgressBar::new("moves"));
            let analysis = analyze(engine, &item.game, &self.limits, |now, all| {
                if let Some(bar) = &moves_done {
                    bar.update(now, all);
                }
            });
            drop(moves_done);
            let Some(analysis) = analysis else {
                if !self.args.json {
                    self.end(&totals, out)?;
                }
                return Ok(done);
            };
            totals.add(&item.game, &analysis);
            self.show(item, &analysis, out)?;
            if let Some(bar) = &games_done {
                bar.update(done + 1, items.len());
            }
        }
        if !self.args.json {
            self.end(&totals, out)?;
        }
        Ok(items.len())
    }

    /// Shows a game.
    fn show(&self, item: &Item, analysis: &Analysis, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(svg) = &self.args.svg {
            files::replace(
                svg,
                chart::chart(&item.game, analysis).to_string().as_bytes(),
            )?;
        }
        if let Some(html) = &self.args.html {
            let page = html::page(item.number, &item.game, analysis).map_err(io::Error::from)?;
            files::replace(html, page.as_bytes())?;
        }
        if self.args.json {
            json::write(item.number, &item.game, analysis, out)?;
        } else if self.single || self.args.moves {
            table::write(item.number, &item.game, analysis, self.colored, out)?;
        } else {
            writeln!(out, "{}", table::line(item.number, &item.game, analysis))?;
        }
        out.flush()?;
        Ok(())
    }

    /// Shows what all games come to, where there are several.
    fn end(&self, totals: &Totals, out: &mut dyn Write) -> Result<(), Failure> {
        if !self.single {
            write!(out, "\n{totals}")?;
        }
        Ok(())
    }
}
