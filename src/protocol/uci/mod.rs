//! UCI, the Universal Chess Interface, in the dialect of Fairy-Stockfish.
//!
//! The dialect calls Othello `flipello`: see [`flipello`] for moves and positions. Scores are in
//! hundredths of a disc.
//!
//! Commands are executed in order. While a search runs, there are exceptions:
//! - `isready`, `stop`, `ponderhit`, `debug`, `register` and unknown commands act at once.
//! - Other commands wait for the end of a search with limits.
//! - Other commands and the end of the input stop a search without limits (`infinite`, `ponder`).
//! - `stop` stops every search requested before it. `ponderhit` refers to the last `go` before it.
//! - A `quit` that arrives during a search stops this search and all queued searches. A `quit` that
//!   arrived before the search began is part of a script, whose searches go on for at most ten
//!   seconds.
//!
//! Every `go` except `go perft` is answered by `bestmove`. Invalid input has no effect except an
//! error message in an `info string` line. After an invalid `position`, `go` is answered by the
//! null move `0000`.

pub mod flipello;
mod go;
mod options;

use std::io::{self, Write};
use std::time::Duration;

use super::reader::{Inbox, InputLine, LineKind, POLL};
use super::{Done, Refusal, report};
use emilia_core::board::perft::{Convention, Perft};
use emilia_core::board::{Bitboard, Move, Position};
use emilia_core::search::{self, Depth, Limits, ProgressEvent, Report, SearchHandle};
use emilia_player::{Player, Setup, limits_for_move};
use go::{Go, Until};

/// Score units per disc.
const CENTIDISCS: f64 = 100.0;

/// State of a UCI session.
pub(super) struct UciSession<'a> {
    /// Setup at the start of the session: the values of options that the client resets.
    start: Setup,
    setup: Setup,
    player: Player,
    inbox: Inbox,
    out: &'a mut dyn Write,
    /// Position to search.
    position: Position,
    /// Whether the last `position` was invalid. Searches are then refused, because the client's
    /// position is not known.
    is_position_refused: bool,
    /// Number of passes at the end of the move list. A client passes twice to end the game.
    passes: usize,
    /// Number of root moves to report, each with value and PV: option `MultiPV`.
    line_count: usize,
    /// Time that a move takes outside the engine, option `Move Overhead`.
    overhead: Duration,
    quit: bool,
}

/// Runs a UCI session until `quit` or the end of the input.
pub(super) fn run(inbox: Inbox, out: &mut dyn Write, setup: Setup) -> io::Result<()> {
    let mut session = UciSession {
        player: setup.player()?,
        start: setup.clone(),
        setup,
        inbox: inbox.with_kinds(kind),
        out,
        position: Position::START,
        is_position_refused: false,
        passes: 0,
        line_count: 1,
        overhead: Duration::ZERO,
        quit: false,
    };
    while !session.quit
        && let Some(line) = session.inbox.next()
    {
        session.obey(&line)?;
    }
    Ok(())
}

/// Splits a text at the first occurrence of `word` as a whole word. Returns the trimmed parts
/// before and after it.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let found = text.split_whitespace().find(|own| *own == word)?;
    // `found` is a slice of `text`, so the difference of their addresses is its offset.
    let start = found.as_ptr().addr() - text.as_ptr().addr();
    let (before, rest) = text.split_at(start);
    Some((before.trim(), rest[word.len()..].trim()))
}

/// Handler of a command. The text has the arguments of the command.
type Handler = fn(&mut UciSession, &str) -> Done;

/// All commands.
pub(super) const COMMANDS: [(&str, Handler); 12] = [
    ("uci", |session, _| session.introduce()),
    ("isready", |session, _| session.say("readyok")),
    ("setoption", |session, text| Ok(session.set_option(text)?)),
    ("ucinewgame", |session, _| {
        session.player.clear();
        Ok(())
    }),
    ("position", |session, text| session.set_position(text)),
    ("go", |session, arguments| session.go(arguments)),
    ("d", |session, _| session.show()),
    ("quit", |session, _| {
        session.quit = true;
        Ok(())
    }),
    // During a search, `client_event` acts on `stop` and `ponderhit` while they are queued. They
    // are executed after the search and then have no effect. There is nothing to debug or register.
    ("stop", |_, _| Ok(())),
    ("ponderhit", |_, _| Ok(())),
    ("debug", |_, _| Ok(())),
    ("register", |_, _| Ok(())),
];

fn is_command(word: &str) -> bool {
    COMMANDS.iter().any(|(command, _)| *command == word)
}

/// Splits a line into command and arguments. Words before a valid command are skipped, as UCI
/// requires.
fn command(text: &str) -> (&str, &str) {
    let mut rest = text.trim();
    loop {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let arguments = after.trim_start();
        if is_command(word) || arguments.is_empty() {
            return (word, arguments);
        }
        rest = arguments;
    }
}

/// Returns the kind of a line. A line that is too long is of kind [`LineKind::Now`], so that it is
/// refused at once.
fn kind(line: &InputLine) -> LineKind {
    match command(&line.text).0 {
        _ if line.cut => LineKind::Now,
        "stop" => LineKind::Stops,
        "quit" => LineKind::Quit,
        "isready" | "debug" | "register" => LineKind::Now,
        known if is_command(known) => LineKind::Waits,
        _ => LineKind::Now,
    }
}

impl UciSession<'_> {
    /// Writes one line to the client.
    fn say(&mut self, line: &str) -> Done {
        Ok(crate::say(self.out, line)?)
    }

    /// Writes a message for the user in an `info string` line.
    fn tell(&mut self, sentence: String) -> Done {
        Ok(report(Err(sentence.into()), "info string", self.out)?)
    }

    fn obey(&mut self, line: &InputLine) -> io::Result<()> {
        let (command, arguments) = command(&line.text);
        let done = match COMMANDS.iter().find(|(name, _)| *name == command) {
            _ if line.cut => Err("line too long".to_owned().into()),
            Some((_, handler)) => handler(self, arguments),
            None if command.is_empty() => Ok(()),
            None => Err(format!("unknown command '{}'", line.text.trim()).into()),
        };
        report(done, "info string", self.out)
    }

    fn introduce(&mut self) -> Done {
        self.say(concat!("id name Emilia ", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the authors of Emilia")?;
        for option in options::list(&self.start) {
            self.say(&option)?;
        }
        self.say("uciok")
    }

    /// Writes the board, its FEN and the legal moves for the user.
    fn show(&mut self) -> Done {
        let position = self.position;
        let fen = position.to_fen();
        let names = position.moves().into_iter();
        let moves: Vec<String> = names.map(|mv| flipello::move_name(mv, &position)).collect();
        self.say(&format!("info string position {position}"))?;
        self.say(&format!("info string fen {fen}"))?;
        self.say(&format!("info string moves {}", moves.join(" ")))
    }

    /// Executes `position startpos|fen FEN [moves MOVE…]`.
    fn set_position(&mut self, text: &str) -> Done {
        self.is_position_refused = true;
        let (start, moves) = split_at_word(text, "moves").unwrap_or((text.trim(), ""));
        let mut position = match start.split_once(char::is_whitespace) {
            Some(("fen", fen)) => Position::from_fen(fen).map_err(|error| error.to_string())?,
            None if start == "startpos" => Position::START,
            _ => return Err(format!("position '{start}': expected startpos or fen FEN").into()),
        };
        let mut passes = 0;
        for text in moves.split_whitespace() {
            let mv = flipello::read_move(text).ok_or_else(|| {
                format!("'{text}' is not a move (expected P@a1 to P@h8, or a1a1 to pass)")
            })?;
            if mv == Move::Pass && position.is_over() && passes < 2 {
                // Neither side can move: the client passes for both.
                position = position.with_mover(!position.mover);
            } else {
                position = position.play(mv).map_err(|_| {
                    let legal = position.moves();
                    if legal.is_empty() {
                        return format!("illegal move {text}: the game is over");
                    }
                    let name = |&mv: &Move| flipello::move_name(mv, &position);
                    let names = legal.iter().map(name).collect::<Vec<_>>().join(" ");
                    let meaning = match mv {
                        Move::Pass => "a pass, and there is a legal move".to_owned(),
                        Move::Place(_) => {
                            format!("UCI counts ranks from the bottom, so it is {mv}")
                        }
                    };
                    format!("illegal move {text}: {meaning} (legal: {names})")
                })?;
            }
            passes = if mv == Move::Pass { passes + 1 } else { 0 };
        }
        (self.position, self.passes) = (position, passes);
        self.is_position_refused = false;
        Ok(())
    }

    /// Executes `go`: searches, and writes `info` lines and then `bestmove`.
    fn go(&mut self, arguments: &str) -> Done {
        if self.is_position_refused {
            self.tell("go: the last position was refused; send a valid one".to_owned())?;
            return self.say("bestmove 0000");
        }
        let (go, refused) = Go::parse(arguments);
        for sentence in refused {
            self.tell(sentence)?;
        }
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        let limits = self
            .limits(&go)?
            .with_clock(go.time(self.position.mover, self.overhead));
        let waits_for_client = go.until != Until::Limits;
        let bounded = limits_for_move(&limits);
        let plays_as_people = self.setup.play_settings.human.is_some();
        let search = if plays_as_people || (self.line_count == 1 && !waits_for_client) {
            self.player.start(&self.position, &limits)
        } else {
            let endless = Limits {
                first_moves: limits.first_moves,
                ..Limits::default()
            };
            let now = if waits_for_client { &endless } else { &bounded };
            let engine = self.player.stop_pondering();
            engine.start(&self.position.board, self.line_count, now)
        };
        let lines = self.wait_for_search(search?, go.until, &bounded)?;
        self.say_best_move(lines)
    }

    /// Writes the number of positions after each legal move, and their sum, as Fairy-Stockfish
    /// does.
    fn perft(&mut self, depth: u32) -> Done {
        let perft = Perft {
            convention: Convention::F,
            threads: self.setup.settings.threads,
            ..Perft::default()
        };
        let counts = perft.divide(&self.position, depth, &|_, _| ());
        for &(mv, count) in &counts {
            let name = flipello::move_name(mv, &self.position);
            self.say(&format!("{name}: {count}"))?;
        }
        let sum: u64 = counts.iter().map(|(_, count)| count).sum();
        self.say(&format!("\nNodes searched: {sum}"))
    }

    /// Returns the limits of a search. Limits that `go` does not set are those of the session.
    /// Reports a depth that a human level ignores, and illegal root moves.
    fn limits(&mut self, go: &Go) -> Result<Limits, Refusal> {
        if let Some(human) = self.setup.play_settings.human
            && go.depth.is_some()
        {
            self.tell(format!("go depth: level {human} has its own"))?;
        }
        let mut limits = self.setup.limits.clone();
        limits.depth = go.depth.or(limits.depth);
        limits.nodes = go.nodes.or(limits.nodes);
        if let Some(wanted) = &go.first_moves {
            limits.first_moves = self.legal_squares(wanted)?;
        }
        Ok(limits)
    }

    /// Returns the squares of the legal moves in `wanted`, and reports the illegal moves. `None` if
    /// there is no such square: all legal moves are then searched.
    fn legal_squares(&mut self, wanted: &[Move]) -> Result<Option<Bitboard>, Refusal> {
        let moves = self.position.moves();
        let is_legal = |mv: &&Move| moves.contains(mv);
        let (legal, illegal): (Vec<_>, Vec<_>) = wanted.iter().partition(is_legal);
        if !illegal.is_empty() {
            let name = |&mv: &Move| match mv {
                Move::Place(_) => flipello::move_name(mv, &self.position),
                Move::Pass => "pass".to_owned(),
            };
            let names: Vec<String> = illegal.into_iter().map(name).collect();
            self.tell(format!("searchmoves: illegal: {}", names.join(" ")))?;
        }
        if legal.is_empty() {
            self.tell("searchmoves: no legal move, so all are searched".to_owned())?;
        }
        let squares: Bitboard = legal.into_iter().filter_map(|mv| mv.square()).collect();
        Ok(Some(squares).filter(|squares| !squares.is_empty()))
    }

    /// Waits for the end of a search and returns its search lines: the reported moves, each with
    /// value and PV. Meanwhile writes its progress and executes the commands of kind
    /// [`LineKind::Now`].
    ///
    /// A search without limits (`infinite`, `ponder`) ends at `stop`, at the end of the input, or
    /// when a command arrives that is executed after the search. After `ponderhit` the search ends
    /// by `limits`.
    fn wait_for_search(
        &mut self,
        mut search: SearchHandle,
        mut until: Until,
        limits: &Limits,
    ) -> Result<Vec<search::Line>, Refusal> {
        self.inbox.begin_search();
        let mut written: Vec<search::Line> = Vec::new();
        loop {
            match search.progress_within(POLL) {
                ProgressEvent::Progress(progress) => {
                    self.say(&self.info(progress.multi_pv - 1, &progress.line))?;
                    written.progress(progress.multi_pv, &progress.line);
                }
                ProgressEvent::Timeout => self.inbox.check_client(),
                ProgressEvent::Ended if until == Until::Limits => break,
                ProgressEvent::Ended => self.inbox.wait(),
            }
            match self.client_event(until)? {
                None => continue,
                Some(Until::PonderHit) => search.ponder_hit(limits.clone()),
                Some(_) => search.stop(),
            }
            until = Until::Limits;
        }
        let lines = search.wait();
        // An interrupted iteration may have found a better move that has not been written yet.
        for (index, line) in lines.iter().enumerate() {
            let is_written = written.get(index).is_some_and(|written| {
                written.pv == line.pv && written.value == line.value && written.depth == line.depth
            });
            if !is_written {
                self.say(&self.info(index, line))?;
            }
        }
        Ok(lines)
    }

    /// Executes the commands of kind [`LineKind::Now`]. Then returns [`Until::PonderHit`] if
    /// `ponderhit` has arrived, [`Until::Stop`] if the search must stop, and `None` otherwise.
    /// `until` is the event that the search waits for.
    ///
    /// `stop` and `quit` stop every search. The end of the input, or a queued command other than
    /// `ponderhit`, stops a search that waits for an event.
    fn client_event(&mut self, until: Until) -> Result<Option<Until>, Refusal> {
        let is_interrupted = self.inbox.interrupts();
        while let Some(line) = self.inbox.take_now() {
            self.obey(&line)?;
        }
        let mut commands = self.inbox.waiting().map(|line| command(&line.text).0);
        if is_interrupted {
            return Ok(Some(Until::Stop));
        } else if until == Until::Limits {
            return Ok(None);
        }
        let hit = commands
            .clone()
            .find(|word| matches!(*word, "go" | "ponderhit"));
        if until == Until::PonderHit && hit == Some("ponderhit") {
            return Ok(Some(Until::PonderHit));
        }
        let is_awaited = self.inbox.has_ended() || commands.any(|word| word != "ponderhit");
        Ok(is_awaited.then_some(Until::Stop))
    }

    /// Formats the search line `line` as an `info` line. `index` is its MultiPV index, from 0.
    ///
    /// The depth of an exact score is the number of empties. The depth of a search to the end with
    /// forward pruning is one less. A move of the book has no depth.
    fn info(&self, index: usize, line: &search::Line) -> String {
        let empties = self.position.board.empty_count();
        let depth = match line.depth {
            Depth::Exact | Depth::Wld => format!("depth {empties} "),
            Depth::Plies(plies, _) => {
                format!("depth {} ", plies.min(empties.saturating_sub(1)))
            }
            Depth::Book(_) => String::new(),
        };
        let score = (line.value.discs() * CENTIDISCS).round();
        let time = line.elapsed.as_millis();
        let mut text = format!(
            "info {depth}multipv {} score cp {score:.0} nodes {} nps {:.0} time {time}",
            index + 1,
            line.nodes,
            line.nps()
        );
        let names = self.names(line);
        if !names.is_empty() {
            text += " pv ";
            text += &names.join(" ");
        }
        text
    }

    /// Returns the flipello names of the moves of a PV that begins at the current position.
    fn names(&self, line: &search::Line) -> Vec<String> {
        let mut position = self.position;
        let mut names = Vec::with_capacity(line.pv.len());
        for &mv in &line.pv {
            names.push(flipello::move_name(mv, &position));
            // All moves of a PV are legal, so the fallback is never used.
            position = position.play(mv).unwrap_or(position);
        }
        names
    }

    /// Writes `bestmove` with the expected reply.
    fn say_best_move(&mut self, lines: Vec<search::Line>) -> Done {
        let line = self.player.pick(&self.position, lines);
        let mut names = self.names(&line);
        if names.is_empty() && self.can_pass_at_the_end() {
            names.push(flipello::move_name(Move::Pass, &self.position));
        }
        let answer = match names.as_slice() {
            [] => "bestmove (none)".to_owned(),
            [best] => format!("bestmove {best}"),
            [best, reply, ..] => format!("bestmove {best} ponder {reply}"),
        };
        self.say(&answer)
    }

    /// Returns whether a game without legal moves still allows a pass, as in Fairy-Stockfish.
    /// Such a game ends after two passes, on a full board, or if the mover has no discs.
    fn can_pass_at_the_end(&self) -> bool {
        let board = self.position.board;
        self.passes < 2 && board.empty_count() > 0 && !board.player.is_empty()
    }
}
