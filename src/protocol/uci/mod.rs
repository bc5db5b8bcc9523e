//! UCI, the Universal Chess Interface, in the dialect of Fairy-Stockfish.
//!
//! Its name for Othello is `flipello`: see [`flipello`] for moves and positions. Scores are in
//! hundredths of a disc.
//!
//! Commands are executed in order. While a search runs, there are exceptions:
//! - `isready`, `stop`, `ponderhit`, `debug`, `register` and unknown commands act at once.
//! - Other commands wait for the end of a search with limits.
//! - They stop a search without limits (`infinite`, `ponder`). So does the end of the input.
//! - `stop` stops every search requested before it. `ponderhit` is for the last `go` before it.
//!
//! `quit` stops a search with limits only if the client waits for its result. It then also stops
//! all searches queued before it. Otherwise it is part of a script, whose searches finish.
//! The input is a script if `quit`, or another `go`, comes within 0.1 s of the search's start.
//!
//! Every `go` is answered by `bestmove`. Invalid input has no effect except an error message in an
//! `info string` line.

#[cfg(feature = "arena")]
pub(super) mod client;
mod go;
mod options;

use std::io::{self, BufRead, Write};
use std::time::Duration;

use super::reader::{Inbox, InputLine, InputState, LineKind};
use super::{Setup, shown};
use crate::board::{Bitboard, Move, Position, flipello};
use crate::book::Book;
use crate::player::options::BOOK;
use crate::player::{Player, limits_with_clock};
use crate::search::{self, Engine, Limits, ProgressEvent, SearchHandle, TimeControl};
use go::Go;
use options::Change;

/// Polling interval for input lines during a search.
const POLL: Duration = Duration::from_millis(5);

/// Score units per disc.
const PER_DISC: f64 = 100.0;

/// State of a UCI session.
struct UciSession<'a> {
    /// Setup at the start of the session.
    start: Setup,
    setup: Setup,
    player: Player,
    inbox: Inbox,
    out: &'a mut dyn Write,
    /// Position to search.
    position: Position,
    /// Number of passes at the end of the move list. A client passes twice to end the game.
    passes: usize,
    /// Number of lines to search, option `MultiPV`.
    line_count: usize,
    /// Whether to play from the book, option `OwnBook`.
    owns_book: bool,
    /// Book of option `BookFile`, by default the one at the start of the session.
    book: Book,
    quit: bool,
}

/// Runs a UCI session until `quit` or the end of the input.
pub(super) fn run(
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    setup: Setup,
) -> io::Result<()> {
    let engine = Engine::try_new(setup.settings.clone())?;
    let inbox = Inbox::open(input, kind, setup.client_has_left)?;
    let owns_book = setup.play_settings.book != Book::Off;
    let mut session = UciSession {
        owns_book,
        book: if owns_book {
            setup.play_settings.book.clone()
        } else {
            Book::Embedded
        },
        player: Player::new(engine).with_play_settings(setup.play_settings.clone()),
        start: setup.clone(),
        setup,
        inbox,
        out,
        position: Position::START,
        passes: 0,
        line_count: 1,
        quit: false,
    };
    while !session.quit
        && let Some(line) = session.inbox.next()
    {
        session.obey(&line)?;
    }
    Ok(())
}

/// Splits a text at the first whole word `word`. Returns the trimmed parts before and after it.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let parts = text.match_indices(word).map(|(start, _)| {
        let (before, rest) = text.split_at(start);
        (before, &rest[word.len()..])
    });
    let is_space = char::is_whitespace;
    let mut whole = parts.filter(|(before, after)| {
        (before.is_empty() || before.ends_with(is_space))
            && (after.is_empty() || after.starts_with(is_space))
    });
    whole
        .next()
        .map(|(before, after)| (before.trim(), after.trim()))
}

/// Splits a line into command and arguments. Words before a valid command are skipped, as in UCI.
fn command(text: &str) -> (&str, &str) {
    let mut rest = text.trim();
    loop {
        let (word, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let arguments = arguments.trim_start();
        if UciSession::COMMANDS.contains(&word) || arguments.is_empty() {
            return (word, arguments);
        }
        rest = arguments;
    }
}

/// Returns the kind of a line for the reader. A line that is too long is only refused.
fn kind(line: &InputLine) -> LineKind {
    match command(&line.text).0 {
        _ if line.cut => LineKind::Early,
        "stop" => LineKind::Urgent,
        "go" => LineKind::Search,
        "ponderhit" => LineKind::PonderHit,
        "quit" => LineKind::Quit,
        "isready" | "debug" | "register" => LineKind::Early,
        known if UciSession::COMMANDS.contains(&known) => LineKind::Plain,
        _ => LineKind::Early,
    }
}

impl UciSession<'_> {
    const COMMANDS: [&'static str; 12] = [
        "uci",
        "debug",
        "isready",
        "setoption",
        "register",
        "ucinewgame",
        "position",
        "go",
        "stop",
        "ponderhit",
        "d",
        "quit",
    ];

    /// Writes one line to the client.
    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// Writes a message for the user in an `info string` line.
    fn tell(&mut self, sentence: &str) -> io::Result<()> {
        self.say(&format!("info string {}", shown(sentence)))
    }

    fn obey(&mut self, line: &InputLine) -> io::Result<()> {
        if line.cut {
            return self.tell("line too long");
        }
        let (command, arguments) = command(&line.text);
        let done = match command {
            "uci" => return self.introduce(),
            "isready" => return self.say("readyok"),
            "go" => return self.go(arguments),
            "d" => return self.show(),
            "quit" => {
                self.quit = true;
                Ok(())
            }
            "ucinewgame" => {
                self.player.clear();
                Ok(())
            }
            "position" => self.set_position(arguments),
            "setoption" => self.set_option(arguments),
            // No search runs here, and there is nothing to debug or to register.
            "" | "stop" | "ponderhit" | "debug" | "register" => Ok(()),
            _ => Err(format!("unknown command '{}'", line.text.trim())),
        };
        match done {
            Ok(()) => Ok(()),
            Err(refusal) => self.tell(&refusal),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(concat!("id name Emilia ", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the authors of Emilia")?;
        for option in options::list(&self.start) {
            self.say(&option)?;
        }
        self.say("uciok")
    }

    /// Writes the board, its FEN and the legal moves for the user.
    fn show(&mut self) -> io::Result<()> {
        let position = self.position;
        let fen = flipello::fen(&position);
        let names = position.moves().into_iter();
        let moves: Vec<String> = names.map(|mv| flipello::move_name(mv, &position)).collect();
        self.say(&format!("info string position {position}"))?;
        self.say(&format!("info string fen {fen}"))?;
        self.say(&format!("info string moves {}", moves.join(" ")))
    }

    fn set_option(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = options::name_and_value(text)?;
        let change = options::change(name, value);
        let done = change.and_then(|change| self.change(change));
        done.map_err(|why| format!("option '{name}': {why}"))
    }

    fn change(&mut self, change: Change<'_>) -> Result<(), String> {
        let (setup, player) = (&mut self.setup, &mut self.player);
        match change {
            Change::Nothing => {}
            Change::Engine(name, value) => setup.set(player, name, value)?,
            Change::FirstLevel => setup.set_level_of(&self.start, player),
            Change::FirstWeights => setup.set_weights_of(&self.start, player)?,
            // The book stays open while it is not used, so that options may come in any order.
            Change::OwnBook(owns) => {
                self.owns_book = owns;
                self.apply_book();
            }
            Change::BookFile(path) => {
                self.book = BOOK.parse(path).map_err(|error| error.to_string())?;
                self.apply_book();
            }
            Change::LineCount(count) => self.line_count = count,
            Change::Clear => player.clear(),
        }
        Ok(())
    }

    /// Plays from the book of `BookFile` if `OwnBook` is set.
    fn apply_book(&mut self) {
        let book = if self.owns_book {
            self.book.clone()
        } else {
            Book::Off
        };
        self.setup.play_settings.book = book;
        let play_settings = self.setup.play_settings.clone();
        self.player.set_play_settings(play_settings);
    }

    /// Executes `position startpos|fen FEN [moves MOVE…]`.
    fn set_position(&mut self, text: &str) -> Result<(), String> {
        let (start, moves) = split_at_word(text, "moves").unwrap_or((text.trim(), ""));
        let mut position = match start.split_once(char::is_whitespace) {
            Some(("fen", fen)) => flipello::from_fen(fen).map_err(|error| error.to_string())?,
            None if start == "startpos" => Position::START,
            _ => return Err(format!("position '{start}': expected startpos or fen FEN")),
        };
        let mut passes = 0;
        for text in moves.split_whitespace() {
            let Some(mv) = flipello::read_move(text) else {
                return Err(format!(
                    "'{text}' is no move (expected P@a1 to P@h8, or a1a1 to pass)"
                ));
            };
            if mv == Move::Pass && position.is_over() && passes < 2 {
                // Neither side can move: the client passes for both.
                position = position.with_mover(!position.mover);
            } else {
                position = position
                    .play(mv)
                    .map_err(|_| format!("illegal move {text}"))?;
            }
            passes = if mv == Move::Pass { passes + 1 } else { 0 };
        }
        (self.position, self.passes) = (position, passes);
        Ok(())
    }

    /// Executes `go`: searches, and writes `info` lines and then `bestmove`.
    fn go(&mut self, arguments: &str) -> io::Result<()> {
        let (go, refused) = Go::parse(arguments);
        for sentence in &refused {
            self.tell(sentence)?;
        }
        let clock = go.time(self.position.mover);
        let limits = self.limits(&go)?;
        let mut until = if go.is_infinite {
            Until::Stop
        } else if go.is_ponder {
            Until::PonderHit
        } else {
            Until::Limits
        };
        let waits_for_client = until != Until::Limits;
        let (limits_now, clock_now) = if waits_for_client {
            let endless = Limits {
                first_moves: limits.first_moves,
                ..Limits::default()
            };
            (endless, None)
        } else {
            (limits.clone(), clock)
        };
        let search = self.start(&limits_now, clock_now, waits_for_client);
        let lines = self.wait_for_search(search, &mut until, &limits_with_clock(clock, &limits))?;
        self.say_best_move(lines)
    }

    /// Returns the session's limits with those of `go` in their place. Reports invalid ones.
    fn limits(&mut self, go: &Go) -> io::Result<Limits> {
        if let Some(human) = self.setup.play_settings.human
            && go.depth.is_some()
        {
            self.tell(&format!("go depth: level {human} has its own"))?;
        }
        let mut limits = self.setup.limits.clone();
        limits.depth = go.depth.or(limits.depth);
        limits.nodes = go.nodes.or(limits.nodes);
        if let Some(wanted) = &go.first_moves {
            limits.first_moves = self.legal_squares(wanted)?;
        }
        Ok(limits)
    }

    /// Returns the squares of the legal moves in `wanted`. `None` means all moves.
    fn legal_squares(&mut self, wanted: &[Move]) -> io::Result<Option<Bitboard>> {
        let moves = self.position.moves();
        let is_legal = |mv: &&Move| moves.contains(mv);
        let (legal, illegal): (Vec<_>, Vec<_>) = wanted.iter().partition(is_legal);
        if !illegal.is_empty() {
            let names = illegal.into_iter().map(|&mv| match mv {
                Move::Place(_) => flipello::move_name(mv, &self.position),
                Move::Pass => "pass".to_owned(),
            });
            let names: Vec<String> = names.collect();
            self.tell(&format!("searchmoves: illegal: {}", names.join(" ")))?;
        }
        if legal.is_empty() {
            self.tell("searchmoves: no legal move, so all are searched")?;
        }
        let squares = legal.into_iter().filter_map(|mv| match mv {
            Move::Place(square) => Some(Bitboard::of(*square)),
            Move::Pass => None,
        });
        Ok(squares.reduce(|all, square| all | square))
    }
}

/// Event that a search waits for before it may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// Its limits, or `stop`.
    Limits,
    /// `ponderhit`, after which its limits apply, or `stop`.
    PonderHit,
    /// `stop`.
    Stop,
}

/// Execution of `go`.
impl UciSession<'_> {
    /// Starts the search. `clock` is `None` for a search that waits for the client.
    fn start(
        &mut self,
        limits: &Limits,
        clock: Option<TimeControl>,
        waits_for_client: bool,
    ) -> SearchHandle {
        let plays_as_people = self.setup.play_settings.human.is_some();
        if plays_as_people || (self.line_count == 1 && !waits_for_client) {
            return self.player.start(&self.position, limits, clock);
        }
        let limits = if waits_for_client {
            limits.clone()
        } else {
            limits_with_clock(clock, limits)
        };
        let engine = self.player.stop_pondering();
        engine.start(&self.position.board, self.line_count, &limits)
    }

    /// Waits for the lines of a search, writes its progress and executes early commands.
    ///
    /// A search that waits for the client ends at `stop`, or at the next command that is not early.
    /// After `ponderhit` it ends by `limits`.
    fn wait_for_search(
        &mut self,
        mut search: SearchHandle,
        until: &mut Until,
        limits: &Limits,
    ) -> io::Result<Vec<search::Line>> {
        // Registered as bounded, because a `ponderhit` may be queued before the end of the input.
        // `obey_at_once` stops a search without limits.
        self.inbox.begin(search.stop_handle(), true);
        let mut written: Vec<search::Line> = Vec::new();
        let mut is_running = true;
        while is_running || *until != Until::Limits {
            if is_running {
                match search.progress_within(POLL) {
                    ProgressEvent::Progress(progress) => {
                        let index = progress.multi_pv - 1;
                        self.say(&self.info(index, &progress.line))?;
                        written.truncate(index);
                        written.push(progress.line);
                    }
                    ProgressEvent::Timeout => {}
                    ProgressEvent::Ended => is_running = false,
                }
            } else {
                self.inbox.wait();
            }
            self.obey_at_once(&search, until, limits)?;
        }
        let lines = search.wait();
        self.inbox.finish();
        // An interrupted iteration may have found a better line that has not been written yet.
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

    /// Executes early commands, and applies `ponderhit` and the end of waiting to the search.
    fn obey_at_once(
        &mut self,
        search: &SearchHandle,
        until: &mut Until,
        limits: &Limits,
    ) -> io::Result<()> {
        let InputState {
            lines,
            is_ponder_hit,
            is_awaited,
        } = self.inbox.take_early();
        for line in lines {
            self.obey(&line)?;
        }
        if is_ponder_hit && *until == Until::PonderHit {
            *until = Until::Limits;
            search.ponder_hit(limits.clone());
        }
        if is_awaited && *until != Until::Limits {
            *until = Until::Limits;
            search.stop();
        }
        Ok(())
    }

    /// Formats an `info` line. `index` is that of the line, from 0.
    fn info(&self, index: usize, line: &search::Line) -> String {
        let depth = line.depth.plies(self.position.board.empty_count());
        let score = (line.value.discs() * PER_DISC).round();
        let time = line.elapsed.as_millis();
        let mut text = format!(
            "info depth {depth} multipv {} score cp {score:.0} nodes {} nps {:.0} time {time}",
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

    /// Returns the names of a line's moves in the current position.
    fn names(&self, line: &search::Line) -> Vec<String> {
        let mut position = self.position;
        let mut names = Vec::with_capacity(line.pv.len());
        for &mv in &line.pv {
            names.push(flipello::move_name(mv, &position));
            // All moves of a line are legal, so the fallback is never used.
            position = position.play(mv).unwrap_or(position);
        }
        names
    }

    /// Writes `bestmove` with the expected reply.
    fn say_best_move(&mut self, lines: Vec<search::Line>) -> io::Result<()> {
        let line = self.player.pick(&self.position, lines);
        let names = self.names(&line);
        let answer = match names.as_slice() {
            [] if self.can_pass_at_the_end() => {
                format!(
                    "bestmove {}",
                    flipello::move_name(Move::Pass, &self.position)
                )
            }
            [] => "bestmove (none)".to_owned(),
            [best] => format!("bestmove {best}"),
            [best, reply, ..] => format!("bestmove {best} ponder {reply}"),
        };
        self.say(&answer)
    }

    /// Returns whether a game without legal moves still allows a pass, as in Fairy-Stockfish.
    /// It ends after two passes, on a full board, or if the mover has no discs.
    fn can_pass_at_the_end(&self) -> bool {
        let board = self.position.board;
        self.passes < 2 && board.empty_count() > 0 && !board.player.is_empty()
    }
}
