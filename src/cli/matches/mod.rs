//! `emilia match`: a match between two players, or a tournament of more.
//! The games are played by [`crate::arena`]. Read `options`, `report` and `ratings` first.

mod chart;
mod json;
mod options;
mod players;
mod ratings;
mod report;
mod stderr;

use std::io::{self, Write};

use super::options::GlobalOptions;
use super::{Failure, Verdict, on_interrupt, print_to_stderr};
use crate::arena::statistics::{Decision, Sprt};
use crate::arena::{GameEvent, Match, MatchGame, MatchLog, Standing};
use crate::files::{self, FileError};
use crate::view::ProgressBar;
use crate::work::StopFlag;
use chart::chart;
pub(super) use options::Args;
use ratings::RatingList;
use stderr::StderrFile;

/// Plays the missing games, prints the results and writes the exports.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let mut contest = args.contest(global)?;
    let shown = if args.players.is_tournament() {
        Shown::Ratings(args.players.anchor(&contest.players)?)
    } else {
        Shown::Match(args.sprt()?)
    };
    let parameters = args.parameters(&contest);
    let stderr = args.stderr_path(&contest);
    args.check_paths(&contest, stderr.as_deref(), global)?;
    let exports = Exports::new(args);
    let stderr = stderr.map(StderrFile::open).transpose()?;
    contest.stderr = stderr.as_ref().map(StderrFile::handle).transpose()?;
    let mut job = Job {
        standing: Standing::new(&contest.schedule),
        exports,
        contest: &contest,
        log: None,
        shown,
        failure: None,
    };
    if let Some(path) = &args.out {
        let log = if args.resume {
            MatchLog::resume(path, &parameters, |record| job.count(&record))
        } else {
            MatchLog::create(path, &parameters)
        };
        job.log = Some(log.map_err(|error| Failure::Input(error.to_string()))?);
    }
    if !args.json {
        report::heading(args, &contest, &job.standing, out)?;
        out.flush()?;
    }

    let games = job.standing.missing(|pair| args.shard.covers(pair));
    let all = Standing::new(&contest.schedule)
        .missing(|pair| args.shard.covers(pair))
        .len();
    let interrupt = StopFlag::default();
    let end = job.play(&games, all, &interrupt);
    if let End::Refused(failure) = end {
        if let Some(log) = job.log {
            log.discard();
        }
        return Err(failure);
    }
    job.shown.results(&contest, &job.standing, args.json, out)?;
    out.flush()?;
    let svg = || job.shown.chart(&contest, &job.standing);
    job.exports.write(args, svg)?;
    match end {
        End::Played => Ok(Verdict::Yes),
        End::Failed(failure) | End::Refused(failure) => Err(failure),
        End::Interrupted => {
            let left = job.standing.missing(|pair| args.shard.covers(pair)).len();
            let how = if args.out.is_some() {
                "the same command with --resume plays the rest"
            } else {
                "without --out the rest cannot be played later"
            };
            print_to_stderr(&format_args!(
                "emilia: interrupted: {} of {all} games played; {how}",
                all - left
            ));
            Ok(Verdict::Interrupted)
        }
    }
}

/// Kind of report.
#[derive(Clone, Copy, Debug)]
enum Shown {
    /// Report of a match between two players, and its SPRT, if there is one.
    Match(Option<Sprt>),
    /// Ratings of a tournament, and the player with a fixed rating, if there is one.
    Ratings(Option<(usize, f64)>),
}

impl Shown {
    /// Returns the results so far as one line below the progress bar.
    fn live(&self, contest: &Match, standing: &Standing) -> String {
        match self {
            Shown::Match(sprt) => report::live(standing, sprt.as_ref()),
            Shown::Ratings(anchor) => RatingList::new(contest, standing, *anchor).live(),
        }
    }

    /// Returns the chart of the results as SVG.
    fn chart(&self, contest: &Match, standing: &Standing) -> String {
        match self {
            Shown::Match(_) => {
                let [first, second] = [0, 1].map(|player| contest.players[player].name());
                chart(first, second, standing.pairs())
            }
            Shown::Ratings(anchor) => RatingList::new(contest, standing, *anchor).chart(),
        }
    }

    /// Writes the results at the end, as text or as JSON.
    fn results(
        &self,
        contest: &Match,
        standing: &Standing,
        as_json: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match (self, as_json) {
            (Shown::Match(sprt), true) => json::write(contest, standing, sprt.as_ref(), out),
            (Shown::Match(sprt), false) => report::results(contest, standing, sprt.as_ref(), out),
            (Shown::Ratings(anchor), _) => {
                let list = RatingList::new(contest, standing, *anchor);
                if as_json {
                    list.write_json(out)
                } else {
                    list.write(out)
                }
            }
        }
    }
}

/// Reason why no more games are played.
enum End {
    /// All games are played, or the SPRT is decided.
    Played,
    /// Ctrl-C interrupted the match.
    Interrupted,
    /// An error ended the match after its first game.
    Failed(Failure),
    /// An error ended the match before any game was finished. The log is deleted.
    Refused(Failure),
}

/// Running match.
struct Job<'a> {
    contest: &'a Match,
    standing: Standing,
    log: Option<MatchLog>,
    exports: Exports,
    shown: Shown,
    /// Error of recording a game, which ends the match.
    failure: Option<Failure>,
}

impl Job<'_> {
    /// Plays `games`, numbers of games without a result. `all` is the number of games of the shard.
    fn play(&mut self, games: &[usize], all: usize, interrupt: &StopFlag) -> End {
        if games.is_empty() || self.is_decided() {
            return End::Played;
        }
        let asked = StopFlag::default();
        let handles = (asked.clone(), interrupt.clone());
        let listening = on_interrupt(move || {
            let (asked, interrupt) = &handles;
            if asked.is_set() {
                // The second Ctrl-C exits at once. The guard process ends the child processes.
                std::process::exit(130);
            }
            asked.set();
            interrupt.set();
        });
        if let Err(failure) = listening {
            return End::Refused(failure);
        }

        let bar = ProgressBar::new("games");
        let before = all - games.len();
        bar.resume(before, all);
        let contest = self.contest;
        let mut live = self.shown.live(contest, &self.standing);
        let (mut done, mut running) = (0, 0);
        let played = contest.play(games, interrupt, |event| {
            match event {
                GameEvent::Begun => running += 1,
                GameEvent::Abandoned => running -= 1,
                GameEvent::Finished(record) => {
                    if let Err(failure) = self.record(&record) {
                        self.failure = Some(failure);
                        interrupt.set();
                    }
                    running -= 1;
                    done += 1;
                    bar.update(before + done, all);
                    live = self.shown.live(contest, &self.standing);
                    if self.is_decided() {
                        interrupt.set();
                    }
                }
            }
            bar.set_message(&format!("{running} running   {live}"));
        });
        drop(bar);
        match (self.failure.take(), played) {
            (Some(failure), _) => End::Failed(failure),
            (None, Err(error)) => {
                let failure = Failure::Input(error.to_string());
                if done == 0 {
                    End::Refused(failure)
                } else {
                    End::Failed(failure)
                }
            }
            (None, Ok(remark)) => {
                if let Some(remark) = remark {
                    print_to_stderr(&format_args!("emilia: {remark}"));
                }
                if asked.is_set() && done < games.len() {
                    End::Interrupted
                } else {
                    End::Played
                }
            }
        }
    }

    /// Returns whether the SPRT has accepted a hypothesis.
    fn is_decided(&self) -> bool {
        match self.shown {
            Shown::Match(Some(sprt)) => {
                sprt.state(&self.standing.tally()).decision != Decision::Continue
            }
            _ => false,
        }
    }

    /// Adds a game to the results and to the exports.
    fn count(&mut self, record: &MatchGame) -> Result<(), String> {
        self.standing.add(record, &self.contest.schedule)?;
        self.exports.add(record)
    }

    /// Logs a finished game and counts it.
    fn record(&mut self, record: &MatchGame) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            let added = log.add(record);
            added.map_err(|error| Failure::Input(error.to_string()))?;
        }
        self.count(record).map_err(Failure::Input)
    }
}

/// Games as GGF and as transcripts, collected in memory.
/// They are written at the end, so a match that cannot be played leaves existing files unchanged.
struct Exports {
    ggf: Option<String>,
    transcripts: Option<String>,
}

impl Exports {
    /// Creates empty texts for the exports that `args` asks for.
    fn new(args: &Args) -> Exports {
        Exports {
            ggf: args.ggf.as_ref().map(|_| String::new()),
            transcripts: args.transcripts.as_ref().map(|_| String::new()),
        }
    }

    fn add(&mut self, record: &MatchGame) -> Result<(), String> {
        if let Some(text) = &mut self.ggf {
            let game = record.to_game().map_err(|error| error.to_string())?;
            text.extend([&game.to_ggf(), "\n"]);
        }
        if let Some(text) = &mut self.transcripts {
            text.extend([&record.moves, "\n"]);
        }
        Ok(())
    }

    fn write(self, args: &Args, chart: impl FnOnce() -> String) -> Result<(), Failure> {
        let svg = args.svg.as_ref().map(|_| chart());
        for (path, text) in [
            (&args.ggf, self.ggf),
            (&args.transcripts, self.transcripts),
            (&args.svg, svg),
        ] {
            if let (Some(path), Some(text)) = (path, text) {
                files::replace(path, text.as_bytes()).map_err(|error| cannot_write(&error))?;
            }
        }
        Ok(())
    }
}

fn cannot_write(error: &FileError) -> Failure {
    Failure::Input(error.to_string())
}
