//! `emilia match`: a match between two players, or a tournament of more.
//! [`emilia_arena`] plays the games and makes the report. Read `options` first.

mod options;

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use super::{CommandResult, Failure, Verdict, on_interrupt, refused};
use emilia_arena::report::{MatchReport, PlayerTest, ReportKind};
use emilia_arena::statistics::Decision;
use emilia_arena::{Match, MatchGame, MatchLog, MatchParameters, PgnFile, Standing};
use emilia_core::work::StopFlag;
use emilia_view::{ProgressBar, width};
pub(super) use options::{Args, ClockOptions, player_defaults};

/// Plays the missing games and prints a line for each finished game, then the results.
pub(super) fn run(args: &Args, out: &mut (dyn Write + Send)) -> CommandResult {
    let contest = args.contest()?;
    let parameters = args.parameters(&contest);
    args.check_paths(&contest)?;
    let mut run = MatchRun {
        args,
        kind: args.report_kind(),
        test: args.test(&contest)?,
        standing: Standing::new(&contest.schedule),
        contest: Arc::new(contest),
        log: None,
        pgn: None,
        finished: 0,
    };
    let all = run.missing();
    run.open_files(&parameters)
        .inspect_err(|_| run.discard_files())?;
    if run.shows_games() {
        let openings = format!("{}, seed {}", args.openings, args.seed);
        writeln!(out, "{}", run.report().heading(&openings))?;
        out.flush()?;
    }

    let played = run.play(all.len(), out);
    if played.is_err() && run.finished == 0 {
        // No game was finished, so files that this command created are removed.
        run.discard_files();
        return played.map(|_| Verdict::Yes);
    }
    if args.output.json {
        run.report().write_json(out)?;
    } else {
        if run.finished > 0 && run.shows_games() {
            writeln!(out)?;
        }
        run.report().write(out)?;
    }
    out.flush()?;
    if !played? {
        return Ok(Verdict::Yes);
    }
    let finished = all.len() - run.missing().len();
    note!("{}", interrupted(finished, all.len(), args.out.is_some()));
    Ok(Verdict::Interrupted)
}

/// Error for a log that has games already.
pub(super) const GOES_ON: &str = "this log has games already: --resume goes on; give another name, \
                                  or --force to begin again";

/// Message after an interrupted run of games. It says whether the rest can be played later.
///
/// With no game finished, it does not offer `--resume`: the log may still hold old games, which
/// `--force` removes only at the first new game, and `--resume` would continue those.
pub(super) fn interrupted(finished: usize, all: usize, has_log: bool) -> String {
    let how = match (finished, has_log) {
        (0, _) => "the same command begins again",
        (_, true) => "the same command with --resume plays the rest",
        (_, false) => "without --out the rest cannot be played later",
    };
    format!("emilia: interrupted: {finished} of {all} games played; {how}")
}

/// Running match.
struct MatchRun<'a> {
    args: &'a Args,
    contest: Arc<Match>,
    kind: ReportKind,
    test: Option<PlayerTest>,
    standing: Standing,
    log: Option<MatchLog>,
    pgn: Option<PgnFile>,
    /// Number of games that this command has finished, without the games of the log.
    finished: usize,
}

impl MatchRun<'_> {
    /// Opens the log and the PGN file, and adds the games of the log to the standing. Fails if the
    /// log has games and neither `--resume` nor `--force` is given. With `--force`, the old games
    /// stay until a game is added, in case no player can begin.
    fn open_files(&mut self, parameters: &MatchParameters) -> Result<(), Failure> {
        let (out, pgn) = (&self.args.out, &self.args.pgn);
        if self.args.force.force {
            let log = |path| MatchLog::begin_again(path, parameters);
            self.log = out.as_deref().map(log).transpose()?;
            self.pgn = pgn.as_deref().map(PgnFile::begin_again).transpose()?;
            return Ok(());
        }
        let mut logged = Vec::new();
        if let Some(path) = &self.args.out {
            let add = |game: MatchGame| {
                let contest = Some(&mut self.contest).filter(|_| self.args.resume);
                let schedule = &mut Arc::make_mut(contest.ok_or(GOES_ON)?).schedule;
                self.standing.add(&game, schedule)?;
                self.standing.pair_next_round(schedule);
                logged.extend(self.args.pgn.is_some().then_some(game));
                Ok(())
            };
            self.log = Some(MatchLog::open(path, parameters, add)?);
        }
        if let Some(path) = &self.args.pgn {
            self.pgn = Some(PgnFile::open(path, &logged)?);
        }
        Ok(())
    }

    /// Removes the files that this command created and that contain no game.
    fn discard_files(&mut self) {
        if let Some(log) = self.log.take() {
            log.discard();
        }
        if let Some(pgn) = self.pgn.take() {
            pgn.discard();
        }
    }

    fn report(&self) -> MatchReport<'_> {
        MatchReport {
            kind: self.kind,
            test: self.test,
            contest: &self.contest,
            standing: &self.standing,
        }
    }

    /// Returns the numbers of the unplayed games of the shard, the part of the schedule that
    /// `--shard` selects.
    fn missing(&self) -> Vec<usize> {
        self.standing
            .missing(|pair| self.args.output.shard.covers(pair))
    }

    /// Plays the missing games. `all` is the number of games of the shard. Without `--json` and
    /// `--quiet`, writes a line for each finished game.
    /// Returns whether Ctrl-C ended the match.
    fn play(&mut self, all: usize, out: &mut (dyn Write + Send)) -> Result<bool, Failure> {
        let left = self.missing().len();
        if left == 0 || self.is_decided() {
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
        let before = all - left;
        bar.resume(before, all);
        bar.set_message(&self.report().last_line());
        while !interrupt.is_set() && self.finished < left {
            // Games to play next: one round of a Swiss tournament, otherwise all games.
            let contest = self.contest.clone();
            let mut games = self.missing();
            games.retain(|&game| game < contest.schedule.known_games());
            let mut failure = None;
            let played = contest.play(&games, &interrupt, |game| {
                self.finished += 1;
                let added = self.record(&game);
                let written = added.and_then(|()| bar.suspend(|| self.write_game(&game, out)));
                failure = failure.take().or(written.err());
                bar.update(before + self.finished, all);
                bar.set_message(&self.report().last_line());
                if failure.is_some() || self.is_decided() {
                    interrupt.set();
                }
            });
            drop(contest);
            failure.map_or(Ok(()), Err)?;
            played.map_err(refused)?;
            let schedule = &mut Arc::make_mut(&mut self.contest).schedule;
            self.standing.pair_next_round(schedule);
        }
        Ok(asked.is_set() && self.finished < left)
    }

    /// Returns whether the SPRT has accepted a hypothesis.
    fn is_decided(&self) -> bool {
        let state = self.report().test_state();
        state.is_some_and(|state| state.decision != Decision::Continue)
    }

    /// Returns whether the heading and the lines of games are printed.
    fn shows_games(&self) -> bool {
        !self.args.output.json && !self.args.quiet
    }

    /// Writes the text line of a finished game, unless `--json` or `--quiet` is given.
    fn write_game(&self, game: &MatchGame, out: &mut dyn Write) -> Result<(), Failure> {
        if self.shows_games() {
            let line = if io::stdout().is_terminal() {
                self.report().short_game_line(game, width())
            } else {
                self.report().game_line(game)
            };
            writeln!(out, "{line}")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Appends a finished game to the log and the PGN file, and adds it to the standing.
    fn record(&mut self, record: &MatchGame) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            log.add(record)?;
        }
        if let Some(pgn) = &mut self.pgn {
            pgn.add(record)?;
        }
        Ok(self.standing.add(record, &self.contest.schedule)?)
    }
}
