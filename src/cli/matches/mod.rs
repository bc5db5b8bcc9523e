//! `emilia match`: two players play each other, many times.

mod options;
mod report;

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::options::GlobalOptions;
use super::{Failure, Verdict, on_interrupt};
use crate::arena::statistics::{Decision, Sprt};
use crate::arena::{GameRecord, Interrupt, Log, Match, Standing};
use crate::view::{ProgressBar, match_chart};
pub(super) use options::Args;

/// Plays the match, or what is left of it, and prints how it went.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let sprt = args.sprt()?;
    let contest = args.contest(global)?;
    let parameters = args.parameters(&contest);
    let mut job = Job {
        standing: Standing::new(contest.games()),
        exports: Exports::create(args)?,
        contest: &contest,
        log: None,
        sprt,
        failure: None,
    };
    if let Some(path) = &args.out {
        let log = if args.resume {
            Log::resume(path, &parameters, |record| job.welcome(&record))
        } else {
            Log::create(path, &parameters)
        };
        job.log = Some(log.map_err(|error| Failure::Input(error.to_string()))?);
    }
    report::heading(args, &contest, &job.standing, out)?;
    out.flush()?;

    let games = job.standing.missing(|pair| args.shard.covers(pair));
    let interrupt = Interrupt::default();
    let interrupted = job.play(&games, &interrupt)?;
    job.exports.finish(&contest, &job.standing)?;
    report::results(&contest, &job.standing, job.sprt.as_ref(), out)?;
    if interrupted {
        let left = job.standing.missing(|pair| args.shard.covers(pair)).len();
        let how = if args.out.is_some() {
            "the same command with --resume plays them"
        } else {
            "without --out nothing is kept of the others"
        };
        eprintln!("emilia: interrupted: {left} games are left to play, {how}");
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Yes)
}

/// A match that runs.
struct Job<'a> {
    contest: &'a Match,
    standing: Standing,
    log: Option<Log>,
    exports: Exports,
    sprt: Option<Sprt>,
    /// Why no more games can be taken.
    failure: Option<Failure>,
}

impl Job<'_> {
    /// Plays these games; tells whether somebody ended it before they were played.
    fn play(&mut self, games: &[usize], interrupt: &Interrupt) -> Result<bool, Failure> {
        if games.is_empty() || self.is_decided() {
            return Ok(false);
        }
        let asked = Interrupt::default();
        let handles = (asked.clone(), interrupt.clone());
        on_interrupt(move || {
            let (asked, interrupt) = &handles;
            if asked.is_set() {
                // Asked twice: at once. The guard ends the child processes.
                std::process::exit(130);
            }
            asked.set();
            interrupt.set();
        })?;

        let bar = ProgressBar::new();
        let contest = self.contest;
        let mut done = 0;
        let played = contest.play(games, interrupt, |record| {
            if let Err(failure) = self.take(&record) {
                self.failure = Some(failure);
                interrupt.set();
            }
            done += 1;
            bar.update(done, games.len());
            bar.tell(&report::live(&self.standing, self.sprt.as_ref()));
            if self.is_decided() {
                interrupt.set();
            }
        });
        drop(bar);
        played.map_err(|error| Failure::Input(error.to_string()))?;
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(asked.is_set() && done < games.len()),
        }
    }

    /// Whether the test has made up its mind.
    fn is_decided(&self) -> bool {
        let state = self.sprt.map(|sprt| sprt.state(self.standing.tally()));
        state.is_some_and(|state| state.decision != Decision::Continue)
    }

    /// A game from the log.
    fn welcome(&mut self, record: &GameRecord) -> Result<(), String> {
        self.standing.add(record, &self.contest.schedule)?;
        self.exports
            .add(record)
            .map_err(|failure| failure.to_string())
    }

    /// A game just played.
    fn take(&mut self, record: &GameRecord) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            let added = log.add(record);
            added.map_err(|error| Failure::Input(error.to_string()))?;
        }
        self.welcome(record).map_err(Failure::Input)
    }
}

/// The games in forms that other programs read.
struct Exports {
    ggf: Option<BufWriter<File>>,
    transcripts: Option<BufWriter<File>>,
    svg: Option<BufWriter<File>>,
}

impl Exports {
    fn create(args: &Args) -> Result<Exports, Failure> {
        let create = |path: &Option<PathBuf>| {
            let file = path
                .as_deref()
                .map(|path| File::create(path).map_err(|error| cannot_write(path, &error)));
            file.transpose().map(|file| file.map(BufWriter::new))
        };
        Ok(Exports {
            ggf: create(&args.ggf)?,
            transcripts: create(&args.transcripts)?,
            svg: create(&args.svg)?,
        })
    }

    fn add(&mut self, record: &GameRecord) -> Result<(), Failure> {
        if let Some(file) = &mut self.ggf {
            let game = record.to_game();
            let game = game.map_err(|error| Failure::Input(error.to_string()))?;
            writeln!(file, "{}", game.to_ggf())?;
        }
        if let Some(file) = &mut self.transcripts {
            writeln!(file, "{}", record.moves)?;
        }
        Ok(())
    }

    fn finish(&mut self, contest: &Match, standing: &Standing) -> Result<(), Failure> {
        if let Some(file) = &mut self.svg {
            let [first, second] = contest.players.each_ref().map(ToString::to_string);
            let chart = match_chart(&first, &second, standing.pairs());
            file.write_all(chart.as_bytes())?;
        }
        let files = [&mut self.ggf, &mut self.transcripts, &mut self.svg];
        for file in files.into_iter().flatten() {
            file.flush()?;
        }
        Ok(())
    }
}

/// A file that what is written to it is added to.
fn append_to(path: &Path) -> Result<File, Failure> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Input(format!("'{}': {error}", path.display()))
}
