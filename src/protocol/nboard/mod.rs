//! NBoard protocol, versions 1 and 2. In this file, a search line is one reported move of a search,
//! with value and PV.
//!
//! Input lines come from the reader thread and are executed in order. Every input line stops a
//! running search, whose result is then not sent. The end of the input stops a search without
//! limits. Searches with limits finish, and all their results are written. Pondering ends at an
//! unexpected move, or when the engine is needed for another search.
//!
//! An invalid line has no effect except an error message in a `status` line. After an invalid
//! `set game`, requests about the game are refused until a valid `set game`. The `status` of a
//! search is cleared when the search ends.
//!
//! Reading order: this file, `answers` (formats the results).

mod answers;

use std::io::{self, Write};
use std::time::Instant;

use super::reader::{Inbox, InputLine, LineKind};
use super::{Done, Refusal, report};
use answers::{book_move, discs, result, thinking};
use emilia_core::board::{Color, Move, Position};
use emilia_core::search::{self, Limits, SearchHandle, TimeControl};
use emilia_games::{Game, Played};
use emilia_player::options::MAX_DEPTH;
use emilia_player::{Player, Setup, limits_for_move};
use emilia_review::{Analyst, Scored, analyze};

/// Handler of a command, with its argument.
type Handler = fn(&mut NBoardSession, &str) -> Done;

/// All commands.
pub(super) const COMMANDS: [(&str, Handler); 9] = [
    ("nboard", |session, version| session.greet(version)),
    ("ping", |session, number| session.pong(number)),
    ("set", |session, argument| session.set(argument)),
    ("move", |session, text| session.make(text)),
    ("go", |session, _| session.go()),
    ("hint", |session, count| session.hint(count)),
    ("analyze", |session, _| session.analyze()),
    ("learn", |session, _| session.say("learned")),
    ("quit", |session, _| {
        session.quit = true;
        Ok(())
    }),
];

pub(super) struct NBoardSession<'a> {
    setup: Setup,
    player: Player,
    inbox: Inbox,
    out: &'a mut dyn Write,
    game: Game,
    /// Whether the last `set game` was invalid. The client's game is then not known.
    is_game_refused: bool,
    /// Protocol version of the client.
    version: u32,
    quit: bool,
}

/// Runs an NBoard session until `quit` or the end of the input.
pub(super) fn run(inbox: Inbox, out: &mut dyn Write, setup: Setup) -> io::Result<()> {
    let mut session = NBoardSession {
        version: 2,
        player: setup.player()?,
        setup,
        inbox: inbox.with_kinds(|_| LineKind::Stops),
        out,
        game: Game::default(),
        is_game_refused: false,
        quit: false,
    };
    while !session.quit
        && let Some(line) = session.next_line()
    {
        session.obey(&line)?;
    }
    Ok(())
}

/// Splits a text after its first word. Returns the word and the trimmed rest.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// Returns the node count of a search: the greatest count of its search lines. The count of each
/// search line begins at the start of the search.
fn nodes(lines: &[search::Line]) -> u64 {
    lines.iter().map(|line| line.nodes).max().unwrap_or(0)
}

impl NBoardSession<'_> {
    /// Returns the next input line. The player ponders until the line arrives, if pondering is
    /// enabled.
    fn next_line(&mut self) -> Option<InputLine> {
        let position = self.game.position();
        self.player.ponder(&position, &self.setup.limits);
        self.inbox.next()
    }

    fn say(&mut self, line: &str) -> Done {
        Ok(crate::say(self.out, line)?)
    }

    fn obey(&mut self, line: &InputLine) -> io::Result<()> {
        let (command, argument) = split_word(line.text.trim());
        let done = match COMMANDS.iter().find(|(name, _)| *name == command) {
            _ if line.cut => Err("line too long".to_owned().into()),
            Some((name @ ("move" | "go" | "hint" | "analyze"), _)) if self.is_game_refused => {
                let why = "the last game was refused; send a valid 'set game'";
                Err(format!("{name}: {why}").into())
            }
            Some((_, handler)) => handler(self, argument),
            None if command.is_empty() => Ok(()),
            None => Err(format!("unknown command '{command}'").into()),
        };
        report(done, "status", self.out)
    }

    fn greet(&mut self, version: &str) -> Done {
        let number = version.parse();
        self.version = number.map_err(|_| format!("version '{version}': expected a number"))?;
        self.say_name()
    }

    /// Sends the engine's name, followed by the level if there is one. The client shows the name
    /// beside results.
    fn say_name(&mut self) -> Done {
        let level = match (self.setup.play_settings.human, self.setup.limits.depth) {
            (Some(human), _) => format!("-{human}"),
            (None, Some(depth)) => format!("-d{depth}"),
            (None, None) => String::new(),
        };
        self.say(&format!("set myname Emilia{level}"))
    }

    /// Answers `ping`. Earlier searches have ended by then, because every line stops the search.
    fn pong(&mut self, number: &str) -> Done {
        let digits = number.strip_prefix('-').unwrap_or(number);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("ping '{number}': expected a number").into());
        }
        self.say(&format!("pong {number}"))
    }

    fn set(&mut self, argument: &str) -> Done {
        let (name, value) = split_word(argument);
        match name {
            "game" => {
                self.is_game_refused = true;
                self.game = value.parse().map_err(|error| format!("game: {error}"))?;
                self.is_game_refused = false;
            }
            "depth" => {
                let depth = value.parse().ok().filter(|&depth: &u32| depth > 0);
                let depth =
                    depth.ok_or_else(|| format!("depth '{value}': expected 1 to {MAX_DEPTH}"))?;
                let before = self.setup.limits.depth.replace(depth.min(MAX_DEPTH));
                if self.setup.limits.depth != before {
                    self.say_name()?;
                }
            }
            // The search maximises discs, so contempt for draws has no effect.
            "contempt" if matches!(value.parse(), Ok(-100..=100)) => {}
            "contempt" => return Err(format!("contempt '{value}': expected -100 to 100").into()),
            _ => return Err(format!("cannot set '{name}'").into()),
        }
        Ok(())
    }

    fn make(&mut self, argument: &str) -> Done {
        let played: Played = argument.parse().map_err(|error| format!("move: {error}"))?;
        // If the side to move must pass, the other side makes the move.
        let mover = self.game.position().mover;
        let skips = played.mv != Move::Pass && self.game.position().must_pass();
        let color = if skips { !mover } else { mover };
        let done = self.game.play_as(color, played);
        Ok(done.map_err(|error| error.to_string())?)
    }

    /// Returns the clock of the side to move, if the game has one.
    fn clock(&self) -> Option<TimeControl> {
        let limit = self.game.tags.time?;
        let left = self.game.time_left(self.game.position().mover)?;
        Some(TimeControl::Clock {
            left,
            increment: limit.increment,
        })
    }

    fn go(&mut self) -> Done {
        let position = self.game.position();
        if position.is_over() {
            self.say_over()?;
        }
        if !position.board.can_move() {
            return self.say("=== PA");
        }
        let started = Instant::now();
        let limits = self.setup.limits.clone().with_clock(self.clock());
        let search = self.player.start(&position, &limits)?;
        let lines = self.lines(search, true, thinking)?;
        self.say("status")?;
        if self.inbox.interrupts() {
            return Ok(());
        }
        let line = self.player.pick(&position, lines);
        let answer = Played {
            eval: Some(line.value.discs()),
            time: Some(started.elapsed()),
            ..line.best_move().unwrap_or(Move::Pass).into()
        };
        self.player.expect(&position, &line);
        self.node_stats(line.nodes, started)?;
        self.say(&format!("=== {answer}"))
    }

    /// Waits for the end of a search and returns its search lines. Until an input line arrives,
    /// writes each search line that the search reports, as `words` formats it. Empty texts are not
    /// written.
    fn lines(
        &mut self,
        search: SearchHandle,
        is_bounded: bool,
        words: fn(&search::Line) -> String,
    ) -> io::Result<Vec<search::Line>> {
        let out = &mut *self.out;
        self.inbox.wait_for_search(search, is_bounded, |progress| {
            match words(&progress.line).as_str() {
                "" => Ok(()),
                words => crate::say(out, words),
            }
        })
    }

    /// Writes the final score for the user.
    fn say_over(&mut self) -> Done {
        let score = self.game.position().final_score_for(Color::Black);
        let result = match score {
            0 => "a draw".to_owned(),
            1.. => format!("Black wins by {score}"),
            _ => format!("White wins by {}", -score),
        };
        self.say(&format!("status The game is over: {result}"))
    }

    /// Writes the `nodestats` line of protocol version 2.
    fn node_stats(&mut self, nodes: u64, started: Instant) -> Done {
        if self.version < 2 {
            return Ok(());
        }
        let seconds = started.elapsed().as_secs_f64();
        self.say(&format!("nodestats {nodes} {seconds:.3}"))
    }

    /// Writes the moves of the book, and the best moves at every completed depth.
    /// Time limits are ignored.
    fn hint(&mut self, argument: &str) -> Done {
        let count = argument.parse().ok().filter(|&count: &usize| count > 0);
        let count =
            count.ok_or_else(|| format!("hint '{argument}': expected a number of moves"))?;
        let position = self.game.position();
        if position.is_over() {
            return self.say_over();
        }
        let limits = Limits {
            time: None,
            ..self.setup.limits.clone().at_level()
        };
        let book = self.player.book_moves(&position.board);
        for line in book.iter().map(book_move).take(count) {
            self.say(&line)?;
        }
        let started = Instant::now();
        let search = (self.player.stop_pondering()).start(&position.board, count, &limits)?;
        let lines = self.lines(search, limits.is_bounded(), result)?;
        self.say("status")?;
        if self.inbox.interrupts() {
            return Ok(());
        }
        self.node_stats(nodes(&lines), started)
    }

    /// Analyses the game from the last position to the first, and writes every score.
    fn analyze(&mut self) -> Done {
        let limits = limits_for_move(&self.setup.limits);
        let (started, game) = (Instant::now(), self.game.clone());
        let book = self.setup.play_settings.book.clone();
        let mut analyst = Reporter {
            session: self,
            nodes: 0,
            failure: None,
        };
        let analysis = analyze(&mut analyst, &game, &book, &limits);
        let Reporter { nodes, failure, .. } = analyst;
        failure.map_or(Ok(()), Err)?;
        self.say("status")?;
        analysis.map_or(Ok(()), |_| self.node_stats(nodes, started))
    }
}

/// Analyst that writes every score to the client. The client's graph requires scores for Black.
struct Reporter<'s, 'a> {
    session: &'s mut NBoardSession<'a>,
    nodes: u64,
    /// First error when writing to the client.
    failure: Option<Refusal>,
}

impl Analyst for Reporter<'_, '_> {
    fn search(
        &mut self,
        position: &Position,
        count: usize,
        limits: &Limits,
    ) -> Option<Vec<search::Line>> {
        let session = &mut *self.session;
        let search = (session.player.stop_pondering()).start(&position.board, count, limits);
        match search.and_then(|search| session.lines(search, true, |_| String::new())) {
            Ok(lines) => {
                self.nodes += nodes(&lines);
                let goes_on = self.failure.is_none() && !self.session.inbox.interrupts();
                goes_on.then_some(lines)
            }
            Err(error) => {
                self.failure = Some(error.into());
                None
            }
        }
    }

    fn scored(&mut self, moves_made: usize, position: &Position, score: Scored) {
        let eval = discs(match position.mover {
            Color::Black => score.value,
            Color::White => -score.value,
        });
        let depth = score.depth.in_words();
        let done = self.session.say(&format!(
            "analysis {moves_made} {eval}\nstatus Analysis: move {moves_made}, {depth}"
        ));
        if let Err(error) = done {
            self.failure = Some(error);
        }
    }
}
