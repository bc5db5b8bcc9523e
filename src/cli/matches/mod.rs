//! `emilia match`: a match between two players, or a tournament of more.
//! [`crate::arena`] plays the games and makes the report. Read `options` first.

mod options;
mod stderr;

use std::io::Write;

use super::options::GlobalOptions;
use super::{CommandResult, Failure, Verdict, on_interrupt, print_to_stderr, refused};
use crate::arena::report::{MatchReport, ReportKind};
use crate::arena::statistics::Decision;
use crate::arena::{GameEvent, Match, MatchGame, MatchLog, Standing};
use crate::files;
use crate::view::ProgressBar;
use crate::work::StopFlag;
pub(super) use options::Args;
use stderr::StderrFile;

/// Plays the missing games, prints the results and writes the exports.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    let mut contest = args.contest(global)?;
    let kind = args.report_kind(&contest.players)?;
    let parameters = args.parameters(&contest);
    let stderr = args.stderr_path(&contest);
    args.check_paths(&contest, stderr.as_deref(), global)?;
    let stderr = stderr.map(StderrFile::open).transpose()?;
    contest.stderr = stderr.as_ref().map(StderrFile::handle).transpose()?;
    let mut run = MatchRun {
        args,
        contest: &contest,
        kind,
        standing: Standing::new(&contest.schedule),
        log: None,
        ggf: String::new(),
        transcripts: String::new(),
        finished: 0,
    };
    let all = run.missing();
    if let Some(path) = &args.out {
        run.log = Some(if args.resume {
            MatchLog::resume(path, &parameters, |record| run.count(&record))?
        } else {
            MatchLog::create(path, &parameters)?
        });
    }
    if !args.json {
        write!(out, "{}", run.report().heading(&args.openings()))?;
        writeln!(out)?;
        out.flush()?;
    }

    let played = run.play(all.len());
    if played.is_err() && run.finished == 0 {
        // No game was finished, so a log that this command created is removed.
        if let Some(log) = run.log.take() {
            log.discard();
        }
        return played.map(|_| Verdict::Yes);
    }
    if args.json {
        run.report().write_json(out)?;
    } else {
        run.report().write(out)?;
    }
    out.flush()?;
    run.write_exports()?;
    if !played? {
        return Ok(Verdict::Yes);
    }
    let how = if args.out.is_some() {
        "the same command with --resume plays the rest"
    } else {
        "without --out the rest cannot be played later"
    };
    print_to_stderr(&format_args!(
        "emilia: interrupted: {} of {} games played; {how}",
        all.len() - run.missing().len(),
        all.len()
    ));
    Ok(Verdict::Interrupted)
}

/// Running match.
struct MatchRun<'a> {
    args: &'a Args,
    contest: &'a Match,
    kind: ReportKind,
    standing: Standing,
    log: Option<MatchLog>,
    /// Games for `--ggf`, collected in memory and written at the end.
    /// A match that cannot be played thereby leaves existing files unchanged.
    ggf: String,
    /// Games for `--transcripts`.
    transcripts: String,
    /// Number of games that this command has finished.
    finished: usize,
}

impl MatchRun<'_> {
    fn report(&self) -> MatchReport<'_> {
        MatchReport {
            kind: self.kind,
            contest: self.contest,
            standing: &self.standing,
        }
    }

    /// Returns the unplayed games of the shard.
    fn missing(&self) -> Vec<usize> {
        self.standing.missing(|pair| self.args.shard.covers(pair))
    }

    /// Plays the missing games. `all` is the number of games of the shard.
    /// Returns whether Ctrl-C ended the match.
    fn play(&mut self, all: usize) -> Result<bool, Failure> {
        let games = self.missing();
        if games.is_empty() || self.is_decided() {
            return Ok(false);
        }
        let (asked, interrupt) = (StopFlag::default(), StopFlag::default());
        let handles = (asked.clone(), interrupt.clone());
        on_interrupt(move || {
            let (asked, interrupt) = &handles;
            if asked.is_set() {
                // The second Ctrl-C exits at once. The guard process ends the child processes.
                std::process::exit(130);
            }
            asked.set();
            interrupt.set();
        })?;

        let bar = ProgressBar::new("games");
        let before = all - games.len();
        bar.resume(before, all);
        let contest = self.contest;
        let (mut status, mut running) = (self.report().status(), 0);
        let mut failure = None;
        let played = contest.play(&games, &interrupt, |event| {
            match event {
                GameEvent::Begun => running += 1,
                GameEvent::Finished(record) => {
                    self.finished += 1;
                    if let Err(error) = self.record(&record) {
                        failure = Some(error);
                        interrupt.set();
                    }
                    running -= 1;
                    bar.update(before + self.finished, all);
                    status = self.report().status();
                    if self.is_decided() {
                        interrupt.set();
                    }
                }
            }
            bar.set_message(&format!("{running} running   {status}"));
        });
        drop(bar);
        failure.map_or(Ok(()), Err)?;
        played.map_err(refused)?;
        Ok(asked.is_set() && self.finished < games.len())
    }

    /// Returns whether the SPRT has accepted a hypothesis.
    fn is_decided(&self) -> bool {
        match self.kind {
            ReportKind::Match(Some(sprt)) => {
                sprt.state(&self.standing.tally()).decision != Decision::Continue
            }
            _ => false,
        }
    }

    /// Adds a game to the results and to the exports.
    fn count(&mut self, record: &MatchGame) -> Result<(), String> {
        self.standing.add(record, &self.contest.schedule)?;
        if self.args.ggf.is_some() {
            let game = record.to_game().map_err(|error| error.to_string())?;
            self.ggf.extend([&game.to_ggf(), "\n"]);
        }
        if self.args.transcripts.is_some() {
            self.transcripts.extend([&record.moves, "\n"]);
        }
        Ok(())
    }

    /// Logs a finished game and counts it.
    fn record(&mut self, record: &MatchGame) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            log.add(record)?;
        }
        self.count(record).map_err(Failure::Input)
    }

    /// Writes the files of `--ggf`, `--transcripts` and `--svg`.
    fn write_exports(&self) -> Result<(), Failure> {
        let svg = self.args.svg.as_ref().map(|_| self.report().chart());
        for (path, text) in [
            (&self.args.ggf, &self.ggf),
            (&self.args.transcripts, &self.transcripts),
            (&self.args.svg, &svg.unwrap_or_default()),
        ] {
            if let Some(path) = path {
                files::replace(path, text.as_bytes())?;
            }
        }
        Ok(())
    }
}
