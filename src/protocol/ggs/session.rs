//! State machine of a session: lines of the server and times in, actions and due searches out. A
//! link is a connection to the server, and a session may need several. A search is due while the
//! server waits for its move. The state machine has no socket, no thread and no clock.

use std::time::Duration;
use std::{io, mem};

use super::message::{BoardMessage, PlayerTime};
use super::terms::{is_played, refusal};
use emilia_core::board::{Color, Move, Position};
use emilia_core::search::{Line, TimeControl};
use emilia_games::{Ending, Game, Outcome, Played};

/// Number of simultaneous games: a synchro match has two.
pub(super) const GAMES: usize = 2;

/// Longest wait for an answer of the server. A link with a longer wait counts as broken.
const PATIENCE: Duration = Duration::from_secs(30);

/// Interval of empty lines that keep the link alive. The idle limit of the server is unknown.
const KEEP_ALIVE: Duration = Duration::from_secs(180);

/// Interval at which adjourned matches are resumed while no match is running.
const RESUME: Duration = Duration::from_secs(600);

/// Time between the login and the first request for a match, so that an adjourned match comes
/// first.
const FIRST_ASK: Duration = Duration::from_secs(10);

/// Interval of the requests for a match while no match is running.
const ASK: Duration = Duration::from_secs(600);

/// If no line arrives for this time, the rest of an unfinished board counts as lost.
const BOARD_TIME: Duration = Duration::from_secs(3);

/// Interval of repeated requests to the server for a game whose board was unclear.
const ASK_AGAIN: Duration = Duration::from_secs(5);

/// Time that a search leaves on the clock, because the server shows only whole seconds.
const RESERVE: Duration = Duration::from_secs(1);

/// Minimum and maximum wait before a reconnection. Each further attempt doubles the wait.
const WAITS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(600)];

/// Number of leading entries of [`SETTINGS`] that are for the server itself. The other entries are
/// for the service `/os`, and are sent when the server reports that the service is available.
const OF_SERVER: usize = 4;

/// Settings of the account, sent after each login.
const SETTINGS: [&str; 9] = [
    "verbose -news -faq -help -ack",
    "bell -t -tc -tg -n -nc -ng -ni -nn",
    "vt100 -",
    "notify + /os",
    "tell /os client -",
    "tell /os trust +",
    "tell /os rated +",
    "tell /os request +",
    "tell /os open 1",
];

/// Settings of a session, chosen by the user.
#[derive(Clone, Debug, Default)]
pub struct GgsOptions {
    /// Login of the user.
    pub user: String,
    /// Arguments of the request for a match that is sent while no match is running. `None`: no
    /// requests are sent.
    pub ask: Option<String>,
}

/// Action of the driver for a session. Actions are executed in order.
#[derive(Debug)]
pub(super) enum Action {
    /// Send a line.
    Send(String),
    /// Send the password, which the session does not have.
    SendPassword,
    /// Store these ended games, and the running games.
    Keep(Vec<Game>),
    /// Print a sentence for the user.
    Say(String),
    /// End the link.
    End(End),
}

/// End of a link.
#[derive(Debug)]
pub(super) enum End {
    /// The link is broken, for this reason. The driver connects again at [`GgsSession::retry_at`].
    Broken(String),
    /// The session has left the server.
    Left,
    /// The login failed, a game cannot be stored, or memory or threads are missing.
    Failed(io::Error),
}

/// Search for a move of a running game, not finished yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Due {
    pub(super) position: Position,
    /// Time at which the position arrived from the server, as read from the session's clock.
    pub(super) since: Duration,
    pub(super) clock: TimeControl,
}

/// Running game.
#[derive(Debug, Default)]
struct Running {
    id: String,
    record: Game,
    due: Option<Due>,
    /// Position in which the last move was sent, and the time of sending. `None` once the server
    /// has confirmed the move.
    sent: Option<(Position, Duration)>,
    /// Whether a side has exceeded its time.
    timed_out: bool,
}

/// Accepted request, or announced match, whose game is expected to begin.
#[derive(Debug)]
struct Coming {
    /// Id of a request, or of a match.
    id: String,
    since: Duration,
    /// Whether the server has announced the match.
    is_match: bool,
}

/// Session on the server: the games and requests that the server has reported, and the actions that
/// follow. All times, such as `ask_at` and every `now`, are readings of one clock
/// (`Settings::clock`), which counts from a fixed moment.
#[derive(Debug, Default)]
pub(super) struct GgsSession {
    options: GgsOptions,
    /// Time at which the connection was opened.
    pub(super) connected_at: Duration,
    /// Whether the login of this link has succeeded.
    is_online: bool,
    /// Whether the session ends after the running match.
    is_finishing: bool,
    /// Board whose lines are arriving.
    board: Option<BoardMessage>,
    /// Whether the next lines that begin with `|` may list stored matches.
    in_stored: bool,
    games: [Option<Running>; GAMES],
    /// Ids of games whose last board was not understood, and the times of the next request for the
    /// whole game.
    unclear: Vec<(String, Duration)>,
    /// Request that was accepted, or match whose first board is awaited.
    coming: Option<Coming>,
    /// Id of this session's open request for a match.
    own_request: Option<String>,
    /// Time of the next request for a match.
    ask_at: Duration,
    /// Time of the next list of adjourned matches.
    resume_at: Duration,
    /// Time of the next keep-alive line.
    alive_at: Duration,
    /// Time of the next connection.
    pub(super) retry_at: Duration,
    /// Wait before the last connection attempt, zero after a login. `None` until the first login.
    wait: Option<Duration>,
    /// Actions that the driver has not taken yet.
    pub(super) actions: Vec<Action>,
}

impl GgsSession {
    pub(super) fn new(options: GgsOptions) -> GgsSession {
        GgsSession {
            options,
            ..GgsSession::default()
        }
    }

    /// Returns the search that the game with index `slot` in `games` waits for.
    pub(super) fn due(&self, slot: usize) -> Option<&Due> {
        self.games[slot].as_ref()?.due.as_ref()
    }

    /// Returns the number of running games. The searches of these games share the threads.
    pub(super) fn running(&self) -> usize {
        self.games.iter().flatten().count()
    }

    pub(super) fn records(&self) -> Vec<&Game> {
        let running = self.games.iter().flatten();
        running.map(|game| &game.record).collect()
    }

    fn send(&mut self, line: &str) {
        self.actions.push(Action::Send(line.to_owned()));
    }

    /// Sends a command to the service `/os`, which plays Othello.
    fn os(&mut self, command: &str) {
        self.send(&format!("tell /os {command}"));
    }

    fn say(&mut self, sentence: String) {
        self.actions.push(Action::Say(sentence));
    }

    /// Returns whether one of the names is this session's login.
    fn is_me(&self, names: &[&str]) -> bool {
        let is_own = |name: &&str| name.eq_ignore_ascii_case(&self.options.user);
        names.iter().any(is_own)
    }

    fn is_busy(&self) -> bool {
        self.running() > 0 || self.coming.is_some()
    }

    /// Handles the end of a link, for the reason `why`.
    pub(super) fn disconnected(&mut self, why: &str, now: Duration) {
        self.adjourn();
        self.is_online = false;
        (self.board, self.coming, self.own_request) = (None, None, None);
        if self.is_finishing {
            self.leave();
        } else if let Some(wait) = self.wait {
            let wait = (wait * 2).clamp(WAITS[0], WAITS[1]);
            (self.wait, self.retry_at) = (Some(wait), now + wait);
            self.say(format!("Link lost: {why}. Next try in {wait:?}."));
        } else {
            self.end(End::Failed(io::Error::other(why.to_owned())));
        }
    }

    /// Ends the session after the running match: the action of the first Ctrl-C.
    pub(super) fn finish(&mut self) {
        // An accepted request may never start a match, so the session does not wait for it.
        self.coming.take_if(|coming| !coming.is_match);
        if !self.is_online {
            self.leave();
        } else if !mem::replace(&mut self.is_finishing, true) && self.is_busy() {
            self.say("Leaving after the running match. Ctrl-C leaves at once.".to_owned());
            self.os("open 0");
        }
    }

    /// Ends the session at once. A running match is adjourned.
    pub(super) fn leave(&mut self) {
        self.adjourn();
        self.send("quit");
        self.end(End::Left);
    }

    fn end(&mut self, end: End) {
        self.actions.push(Action::End(end));
    }

    /// Performs the tasks due at `now`: ends a link without answers, repeats requests for unclear
    /// games, requests matches, and sends keep-alive lines.
    pub(super) fn tick(&mut self, now: Duration) {
        let is_late = |since: Duration| now.saturating_sub(since) > PATIENCE;
        if !self.is_online {
            if is_late(self.connected_at) {
                self.end(End::Broken("no login within 30 s".to_owned()));
            }
            return;
        }
        let mut sent = self.games.iter().flatten().filter_map(|game| game.sent);
        if sent.any(|(_, at)| is_late(at)) {
            return self.end(End::Broken("no answer to a move within 30 s".to_owned()));
        }
        self.coming.take_if(|coming| is_late(coming.since));
        if let Some(board) = &self.board
            && now.saturating_sub(board.since) > BOARD_TIME
        {
            self.conclude(now);
        }
        let unclear = self.unclear.iter_mut().filter(|(_, at)| now >= *at);
        let asked = unclear.map(|(id, at)| {
            *at = now + ASK_AGAIN;
            format!("moves {id}")
        });
        for command in asked.collect::<Vec<_>>() {
            self.os(&command);
        }
        if now >= self.alive_at {
            self.alive_at = now + KEEP_ALIVE;
            self.send("");
        }
        match (self.is_busy(), self.is_finishing) {
            (true, _) => return,
            (false, true) => return self.leave(),
            (false, false) => {}
        }
        if now >= self.resume_at {
            self.resume_at = now + RESUME;
            self.os("stored");
        }
        if let Some(words) = self.options.ask.clone()
            && now >= self.ask_at
            && self.own_request.is_none()
        {
            self.ask_at = now + ASK;
            self.os(&format!("ask {words}"));
        }
    }

    /// Processes a line of the server, without its line end.
    pub(super) fn line(&mut self, received: &str, now: Duration) {
        let line = received.trim_matches(|one: char| one.is_whitespace() || one.is_control());
        if let Some(rest) = line.strip_prefix('|') {
            return self.continuation(rest, now);
        }
        self.in_stored = false;
        let words: Vec<&str> = line.split_whitespace().collect();
        if self.is_online {
            self.head(&words, now);
        } else if line.contains("Enter login") {
            self.send(&self.options.user.clone());
        } else if line.contains("Enter your password") {
            self.actions.push(Action::SendPassword);
        } else if line == "READY" {
            self.is_online = true;
            self.wait = Some(Duration::ZERO);
            self.say(format!("Logged in as {}.", self.options.user));
            self.enter(&SETTINGS, now);
        } else if words.starts_with(&[":", "ERR"]) {
            // After a broken link, the old login may still be valid on the server.
            self.end(End::Broken(format!("the server refuses the login: {line}")));
        }
    }

    /// Enters the service: sends `settings`, and sets the times of the next requests. The server
    /// keeps settings from earlier sessions, so even settings that equal the defaults are sent.
    fn enter(&mut self, settings: &[&str], now: Duration) {
        for line in settings {
            self.send(line);
        }
        (self.resume_at, self.ask_at) = (now, now + FIRST_ASK);
    }

    /// Processes a line that begins a message of the server.
    fn head(&mut self, words: &[&str], now: Duration) {
        // These lines end a board. Any other line, such as chat, may come between the lines of a
        // board.
        if let ["/os:", "join" | "update" | "end" | "-" | "stored", ..] = *words {
            self.conclude(now);
        }
        match *words {
            ["/os:", "join", id, ..] => self.board = Some(BoardMessage::new(id, true, now)),
            ["/os:", "update", id, ..] => self.board = Some(BoardMessage::new(id, false, now)),
            ["/os:", "+", "match", id, _, one, _, two, kind, ..] if self.is_me(&[one, two]) => {
                self.expect(id, now, true);
                self.say(format!("Match {id}: {one} and {two}, type {kind}."));
            }
            ["/os:", "-", "match", id, _, one, _, two, _, _, ref end @ ..] => {
                if self.is_me(&[one, two]) {
                    self.say(format!("End of match {id}, for {one}: {}.", end.join(" ")));
                }
                self.game_off(id, one, end);
                // The result of a synchro match is the mean of its games: the games get no result
                // of their own.
                for game in 0..GAMES {
                    self.game_off(&format!("{id}.{game}"), one, &[]);
                }
            }
            ["/os:", "+", id, ..] if id.starts_with('.') => self.request(&words[2..], now),
            ["/os:", "-", id, ..] => drop(self.own_request.take_if(|own| own == id)),
            ["/os:", "end", id, _, one, _, _, _, ref end @ ..] => self.game_off(id, one, end),
            ["/os:", "timeout" | "fatal-timeout", id, who, ..] => {
                let games = self.games.iter_mut().flatten();
                (games.filter(|game| game.id == id)).for_each(|game| game.timed_out = true);
                self.say(format!("{who} has exceeded the time of {id}."));
            }
            ["/os:", "error" | "ERR", ref text @ ..] => {
                self.coming
                    .take_if(|coming| text.contains(&coming.id.as_str()));
                self.say(format!("The server refuses: {}.", text.join(" ")));
            }
            ["/os:", "stored", ..] => self.in_stored = true,
            // The service `/os` is stopped or started.
            [":", "-", "/os", ..] => self.adjourn(),
            [":", "+", "/os", ..] => self.enter(&SETTINGS[OF_SERVER..], now),
            _ => {}
        }
    }

    fn expect(&mut self, id: &str, since: Duration, is_match: bool) {
        self.coming = Some(Coming {
            id: id.to_owned(),
            since,
            is_match,
        });
    }

    /// Processes a line that continues a message of the server: it begins with `|`.
    fn continuation(&mut self, line: &str, now: Duration) {
        if let Some(mut board) = self.board.take() {
            match board.add(line, now) {
                Ok(false) => self.board = Some(board),
                Ok(true) => self.show(&board, now),
                Err(why) => {
                    self.say(format!("The board of {} is wrong: {why}.", board.id));
                    self.doubt(&board.id, now);
                }
            }
        } else if self.in_stored && !self.is_busy() {
            // A stored match: id, date, time, two players and type, for example:
            // `.42590 23 Feb 2001 23:17:39 boris emilia s8r16:l`
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [id, .., one, two, _] if self.is_me(&[one, two]) => self.os(&format!("ask {id}")),
                _ => {}
            }
        }
    }

    /// Ends and processes a board whose last line was lost.
    fn conclude(&mut self, now: Duration) {
        if let Some(mut board) = self.board.take() {
            board.end();
            self.show(&board, now);
        }
    }

    /// Requests the whole game from the server, if the game belongs to this session's match.
    fn doubt(&mut self, id: &str, now: Duration) {
        let root = |id: &str| id.split('.').nth(1).map(str::to_owned);
        let running = self.games.iter().flatten().map(|game| &game.id);
        let coming = self.coming.iter().map(|coming| &coming.id);
        let is_own = (running.chain(coming)).any(|own| root(own) == root(id));
        if is_own && self.unclear.iter().all(|(other, _)| other != id) {
            self.say(format!(
                "The board of {id} is unclear, and is asked for again."
            ));
            self.unclear.push((id.to_owned(), now));
        }
    }

    fn request(&mut self, words: &[&str], now: Duration) {
        let &[id, _, who, clock, kind, flag, _, to, ref rest @ ..] = words else {
            return self.say(format!("The request '{}' is wrong.", words.join(" ")));
        };
        // The id of an adjourned match and a second clock may follow.
        let is_id = |word: &&&str| word.starts_with('.');
        let (ids, mut clocks): (Vec<&str>, Vec<&str>) = rest.iter().partition(is_id);
        clocks.push(clock);
        let is_stored = flag == "S" || !ids.is_empty();
        if self.is_me(&[who]) && !is_stored {
            self.own_request = Some(id.to_owned());
        }
        if self.is_me(&[who]) || !self.is_me(&[to]) {
            return;
        }
        let refusal = match self.is_busy() || self.is_finishing {
            true => Some("another match is running"),
            // An adjourned match was accepted when it began, so its clocks are not checked again.
            false if is_stored && is_played(kind) => None,
            false => refusal(kind, &clocks),
        };
        if let Some(why) = refusal {
            self.os(&format!("decline {id}"));
            self.say(format!("Declined {kind} of {who}: {why}."));
        } else {
            self.os(&format!("accept {id}"));
            self.say(format!("Accepted {kind} of {who}."));
            self.expect(id, now, false);
        }
    }

    /// Ends a game. `result` begins with the margin for the player `first`, or with a reason that
    /// is not a number.
    fn game_off(&mut self, id: &str, first: &str, result: &[&str]) {
        let mut games = self.games.iter_mut();
        let Some(game) = games.find_map(|game| game.take_if(|game| game.id == id)) else {
            return;
        };
        let mut record = game.record;
        let ending = match (game.timed_out, record.is_over()) {
            (true, _) => Ending::TimedOut,
            (false, true) => Ending::Played,
            (false, false) => Ending::Resigned,
        };
        let is_black = first.eq_ignore_ascii_case(&record.tags.black);
        let sign = if is_black { 1.0 } else { -1.0 };
        let discs = result.first().and_then(|margin| margin.parse::<f64>().ok());
        let margin = (discs.filter(|discs| discs.abs() <= 64.0)).map(|discs| discs * sign);
        record.tags.outcome = margin.map(|margin| Outcome { margin, ending });
        self.unclear.retain(|(unclear, _)| unclear != id);
        self.actions.push(Action::Keep(vec![record]));
    }

    /// Ends the running games, and stores the moves played so far.
    fn adjourn(&mut self) {
        self.conclude(Duration::ZERO);
        self.unclear.clear();
        let games = mem::take(&mut self.games).into_iter().flatten();
        let records: Vec<Game> = games.map(|game| game.record).collect();
        if !records.is_empty() {
            self.actions.push(Action::Keep(records));
        }
    }

    /// Updates a running game from a board message, and sets the search that is due.
    fn show(&mut self, board: &BoardMessage, now: Duration) {
        let id = &board.id;
        let is_side =
            |side: &Option<PlayerTime>| side.as_ref().is_some_and(|(name, _)| self.is_me(&[name]));
        let color = match board.sides.each_ref().map(is_side) {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        };
        let is_own = |game: &Option<Running>| game.as_ref().is_some_and(|game| game.id == *id);
        let slot = match self.games.iter().position(is_own) {
            None if color.is_none() => return self.doubt(id, now),
            None if board.is_join => self.games.iter().position(Option::is_none),
            own => own,
        };
        let Some(slot) = slot else {
            return self.say(format!("A board of {id} is not expected."));
        };
        let so_far = self.games[slot].as_ref().map(|game| &game.record);
        let Some(mut record) = board.record(so_far) else {
            return self.doubt(id, now);
        };
        if let [Some((black, _)), Some((white, _))] = &board.sides {
            (record.tags.black, record.tags.white) = (black.clone(), white.clone());
        }
        record.tags.time = record.tags.time.or(board.limit);
        let position = record.position();
        let game = self.games[slot].get_or_insert_default();
        game.id.clone_from(id);
        let before = mem::replace(&mut game.record, record);
        let (old, new) = (before.moves().len(), game.record.moves().len());
        game.sent.take_if(|(sent, _)| *sent != position);
        game.due.take_if(|due| due.position != position);
        self.coming = None;
        let limit = color.and_then(|color| Some((color, board.sides[color as usize].as_ref()?.1)));
        if let Some((color, limit)) = limit {
            let (left, increment) = (limit.main.saturating_sub(RESERVE), limit.increment);
            let due = Due {
                position,
                since: now,
                clock: TimeControl::Clock { left, increment },
            };
            let is_due = position.mover == color && !position.is_over() && game.sent.is_none();
            game.due = is_due.then_some(due);
            self.unclear.retain(|(unclear, _)| unclear != id);
        } else {
            self.doubt(id, now);
        }
        if old != new {
            // After an undo the longer record is stored, too.
            let ended = if old > new { vec![before] } else { Vec::new() };
            self.actions.push(Action::Keep(ended));
        }
    }

    /// Sends the move that a search found for the game with index `slot` in `games`, unless the
    /// search is not due any more.
    pub(super) fn searched(&mut self, slot: usize, due: &Due, line: &Line, now: Duration) {
        let game = self.games[slot].as_mut();
        let Some(game) = game.filter(|game| game.due.as_ref() == Some(due)) else {
            return;
        };
        (game.due, game.sent) = (None, Some((due.position, now)));
        let (id, value) = (game.id.clone(), line.value.discs());
        let mut played = Played::from(line.best_move().unwrap_or(Move::Pass));
        if played.mv != Move::Pass {
            (played.eval, played.time) = (Some(value), Some(now.saturating_sub(due.since)));
        }
        self.os(&format!("play {id} {played}"));
    }
}
