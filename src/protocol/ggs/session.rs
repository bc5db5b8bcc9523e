//! State machine of a session: lines of the server and times in, actions and due searches out.
//! It has no socket, no thread and no clock of its own.

use std::time::Duration;
use std::{io, mem};

use super::message::BoardMessage;
use super::terms::{MatchType, Rules};
use emilia_core::board::{Color, Move, Position};
use emilia_core::search::{Depth, Line, TimeControl};
use emilia_games::{Ending, Game, Outcome, Played, TimeLimit};

/// Number of games at a time: those of a synchro match.
pub(super) const GAMES: usize = 2;

/// Time after which an answer of the server is missing, and the link counts as broken.
const PATIENCE: Duration = Duration::from_secs(30);

/// Interval of empty lines that keep the link alive. The idle limit of the server is unknown.
const KEEP_ALIVE: Duration = Duration::from_secs(180);

/// Interval at which adjourned matches are resumed while no match is running.
const RESUME: Duration = Duration::from_secs(600);

/// Time between the login and the first own request, so that an adjourned match comes first.
const FIRST_ASK: Duration = Duration::from_secs(10);

/// Time kept on the clock, because the server shows whole seconds.
const RESERVE: Duration = Duration::from_secs(1);

/// First and longest wait before a new connection. Each is twice the one before.
const WAITS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(600)];

/// Settings of the account, sent after each login.
const SETTINGS: [&str; 8] = [
    "verbose -news -faq -help -ack",
    "bell -t -tc -tg -n -nc -ng -ni -nn",
    "vt100 -",
    "notify + /os",
    "tell /os client -",
    "tell /os trust +",
    "tell /os request +",
    "tell /os open 1",
];

/// What the user wants of a session.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Login.
    pub user: String,
    /// Rules by which requests are accepted.
    pub rules: Rules,
    /// Words of the request made while no match is running, and the time from one to the next.
    pub ask: Option<(String, Duration)>,
    /// Solved loss in discs from which a match is resigned, except in synchro.
    pub resign: Option<u32>,
}

/// What the driver does for a session, in order.
#[derive(Debug)]
pub(super) enum Action {
    /// Send a line.
    Send(String),
    /// Send the password, which the session does not have.
    SendPassword,
    /// Append a game to the file.
    Keep(Box<Game>),
    /// Print a sentence for the user.
    Say(String),
    /// End the link.
    End(End),
}

/// End of a link.
#[derive(Debug)]
pub(super) enum End {
    /// The link is broken, and why. The driver connects again at [`Session::retry_at`].
    Broken(String),
    /// The session has left.
    Left,
    /// The login, the output or the computer fails.
    Failed(io::Error),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> End {
        End::Failed(error)
    }
}

/// Search that a game waits for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Due {
    pub(super) position: Position,
    /// When the server sent the position.
    pub(super) since: Duration,
    pub(super) clock: TimeControl,
}

impl Due {
    /// Returns whether both are for the same move. The clocks may be from different readings.
    pub(super) fn is_same(&self, other: &Due) -> bool {
        (self.position, self.since) == (other.position, other.since)
    }
}

/// Game that is running.
#[derive(Debug, Default)]
struct Running {
    id: String,
    record: Game,
    due: Option<Due>,
    /// Position of the last move sent, and when, until the server confirms it.
    sent: Option<(Position, Duration)>,
    /// Whether a side has exceeded its time.
    timed_out: bool,
}

/// Session on the server.
#[derive(Debug, Default)]
pub(super) struct Session {
    options: Options,
    /// When the link was opened.
    pub(super) connected_at: Duration,
    /// Whether the login of this link has succeeded.
    is_online: bool,
    was_online: bool,
    /// Whether the session ends after the running match.
    is_finishing: bool,
    /// Board whose lines are arriving.
    board: Option<BoardMessage>,
    /// Whether lines of stored matches may follow.
    in_stored: bool,
    games: [Option<Running>; GAMES],
    /// Request that was accepted, or match whose first board is awaited, and since when.
    coming: Option<(String, Duration)>,
    /// Own request that is open.
    own_request: Option<String>,
    /// When to ask for a match, to list adjourned ones, to keep the link alive, and to connect.
    ask_at: Duration,
    resume_at: Duration,
    alive_at: Duration,
    pub(super) retry_at: Duration,
    /// Wait before the last connection.
    wait: Duration,
    /// What is to be done now.
    pub(super) actions: Vec<Action>,
}

impl Session {
    pub(super) fn new(options: Options) -> Session {
        Session {
            options,
            ..Session::default()
        }
    }

    /// Returns the search that the game in a slot waits for.
    pub(super) fn due(&self, slot: usize) -> Option<&Due> {
        self.games[slot].as_ref()?.due.as_ref()
    }

    /// Returns the number of running games, which share threads.
    pub(super) fn running(&self) -> usize {
        self.games.iter().flatten().count()
    }

    fn send(&mut self, line: &str) {
        self.actions.push(Action::Send(line.to_owned()));
    }

    /// Sends a command to the service of Othello.
    fn os(&mut self, command: &str) {
        self.send(&format!("tell /os {command}"));
    }

    fn say(&mut self, sentence: String) {
        self.actions.push(Action::Say(sentence));
    }

    fn is_me(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case(&self.options.user)
    }

    fn is_busy(&self) -> bool {
        self.running() > 0 || self.coming.is_some()
    }

    /// Ends a link, for the reason `why`.
    pub(super) fn disconnected(&mut self, why: &str, now: Duration) {
        self.adjourn();
        self.is_online = false;
        (self.board, self.coming, self.own_request) = (None, None, None);
        self.wait = (self.wait * 2).clamp(WAITS[0], WAITS[1]);
        self.retry_at = now + self.wait;
        let seconds = self.wait.as_secs();
        if self.is_finishing {
            self.leave();
        } else if self.was_online {
            self.say(format!("Link lost: {why}. Next try in {seconds} s."));
        } else {
            let error = io::Error::other(why.to_owned());
            self.actions.push(Action::End(End::Failed(error)));
        }
    }

    /// Ends after the running match: the first Ctrl-C.
    pub(super) fn finish(&mut self) {
        if !self.is_online {
            self.leave();
        } else if !mem::replace(&mut self.is_finishing, true) {
            self.say("Leaving after the running match. Ctrl-C leaves at once.".to_owned());
            self.os("open 0");
        }
    }

    /// Ends now.
    pub(super) fn leave(&mut self) {
        self.adjourn();
        self.send("quit");
        self.actions.push(Action::End(End::Left));
    }

    /// Gives the link up. `why` is what is wrong with the server.
    fn fail(&mut self, why: &str) {
        self.actions.push(Action::End(End::Broken(why.to_owned())));
    }

    /// Acts on the time: missing answers, own requests, keep-alive.
    pub(super) fn tick(&mut self, now: Duration) {
        let is_late = |since: Duration| now.saturating_sub(since) > PATIENCE;
        if !self.is_online {
            if is_late(self.connected_at) {
                self.fail("no login within 30 s");
            }
            return;
        }
        let mut sent = self.games.iter().flatten().filter_map(|game| game.sent);
        if sent.any(|(_, at)| is_late(at)) {
            return self.fail("no answer to a move within 30 s");
        }
        self.coming.take_if(|(_, at)| is_late(*at));
        if now >= self.alive_at {
            self.alive_at = now + KEEP_ALIVE;
            self.send("");
        }
        match (self.is_busy(), self.is_finishing) {
            (true, _) => {}
            (false, true) => self.leave(),
            (false, false) => self.seek(now),
        }
    }

    /// Looks for a match: resumes adjourned ones, and asks for a new one.
    fn seek(&mut self, now: Duration) {
        if now >= self.resume_at {
            self.resume_at = now + RESUME;
            self.os("stored");
        }
        if let Some((words, every)) = self.options.ask.clone()
            && now >= self.ask_at
            && self.own_request.is_none()
        {
            self.ask_at = now + every;
            self.os(&format!("ask {words}"));
        }
    }

    /// Takes a line of the server, without its line end.
    pub(super) fn line(&mut self, line: &str, now: Duration) {
        let line = line.trim_matches(|one: char| one.is_whitespace() || one.is_control());
        if let Some(rest) = line.strip_prefix('|') {
            return self.continuation(rest, now);
        }
        if let Some(board) = self.board.take() {
            self.say(format!("The board of {} has no end.", board.id));
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
            (self.is_online, self.was_online) = (true, true);
            self.say(format!("Logged in as {}.", self.options.user));
            self.enter(now);
        } else if words.starts_with(&[":", "ERR"]) {
            // After a broken link, the server may still have the old login.
            self.fail(&format!("the server refuses the login: {line}"));
        }
    }

    /// Sends all settings, because the server keeps those of earlier sessions.
    fn enter(&mut self, now: Duration) {
        for line in SETTINGS {
            self.send(line);
        }
        let is_unrated = self.options.rules.rated == Some(false);
        self.os(if is_unrated { "rated -" } else { "rated +" });
        (self.resume_at, self.ask_at) = (now, now + FIRST_ASK);
    }

    /// Takes a line that begins a message.
    fn head(&mut self, words: &[&str], now: Duration) {
        match *words {
            ["/os:", kind @ ("join" | "update"), id, ..] => {
                self.board = Some(BoardMessage::new(id, kind == "join"));
            }
            ["/os:", "+", "match", id, _, one, _, two, kind, ..]
                if self.is_me(one) || self.is_me(two) =>
            {
                self.coming = Some((id.to_owned(), now));
                self.say(format!("Match {id}: {one} and {two}, type {kind}."));
            }
            ["/os:", "-", "match", id, _, one, _, two, _, _, ref end @ ..] => {
                if self.is_me(one) || self.is_me(two) {
                    self.coming = None;
                    self.say(format!("End of match {id}, for {one}: {}.", end.join(" ")));
                }
                self.game_off(id, one, end);
                // The result of a synchro match is the mean of its games.
                for game in 0..GAMES {
                    self.game_off(&format!("{id}.{game}"), one, &[]);
                }
            }
            ["/os:", "+", id, ..] if id.starts_with('.') => self.request(&words[2..], now),
            ["/os:", "-", id, ..] => {
                self.own_request.take_if(|own| own == id);
            }
            ["/os:", "end", id, _, one, _, _, _, ref end @ ..] => self.game_off(id, one, end),
            ["/os:", "timeout" | "fatal-timeout", id, who, ..] => {
                let mut games = self.games.iter_mut().flatten();
                if let Some(game) = games.find(|game| game.id == id) {
                    game.timed_out = true;
                    self.say(format!("{who} has exceeded the time of {id}."));
                }
            }
            ["/os:", "error" | "ERR", ref text @ ..] => {
                self.coming.take_if(|(id, _)| text.contains(&id.as_str()));
                self.say(format!("The server refuses: {}.", text.join(" ")));
            }
            ["/os:", "stored", ..] => self.in_stored = true,
            // The service is back. Its matches are stored.
            [":", "+", "/os", ..] => {
                self.adjourn();
                self.enter(now);
            }
            _ => {}
        }
    }

    /// Takes a line that continues a message.
    fn continuation(&mut self, line: &str, now: Duration) {
        if let Some(mut board) = self.board.take() {
            match board.add(line) {
                Ok(false) => self.board = Some(board),
                Ok(true) => self.show(&board, now),
                Err(why) => self.say(format!("The board of {} is wrong: {why}.", board.id)),
            }
        } else if self.in_stored && !self.is_busy() {
            // `.42590 23 Feb 2001 23:17:39 boris emilia s8r16:l`
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [id, .., first, second, _] if self.is_me(first) || self.is_me(second) => {
                    self.os(&format!("ask {id}"));
                }
                _ => {}
            }
        }
    }

    fn request(&mut self, words: &[&str], now: Duration) {
        let &[
            id,
            rating,
            asker,
            clock,
            kind,
            flag,
            _,
            target,
            ref rest @ ..,
        ] = words
        else {
            return self.say(format!("The request '{}' is wrong.", words.join(" ")));
        };
        // The id of an adjourned match and a second clock follow, each only if there is one.
        let is_id = |word: &&&str| word.starts_with('.');
        let (ids, mut clocks): (Vec<&str>, Vec<&str>) = rest.iter().partition(is_id);
        clocks.push(clock);
        let is_stored = flag == "S" || !ids.is_empty();
        if self.is_me(asker) && !is_stored {
            self.own_request = Some(id.to_owned());
        }
        if self.is_me(asker) || !self.is_me(target) {
            return;
        }
        let refusal = match self.is_busy() || self.is_finishing {
            true => Some("another match is running"),
            // It was accepted when it began.
            false if is_stored && kind.parse::<MatchType>().is_ok() => None,
            false => (self.options.rules).refusal([kind, rating, flag], &clocks),
        };
        if let Some(why) = refusal {
            self.os(&format!("decline {id}"));
            self.say(format!("Declined {kind} of {asker}: {why}."));
        } else {
            self.os(&format!("accept {id}"));
            self.say(format!("Accepted {kind} of {asker}."));
            self.coming = Some((id.to_owned(), now));
        }
    }

    /// Ends a game. The result is that of the player `first`, or a reason without a number.
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
        let margin = result.first().and_then(|margin| margin.parse::<f64>().ok());
        let margin = margin.map(|margin| if is_black { margin } else { -margin });
        let margin = margin.filter(|margin| margin.abs() <= 64.0);
        record.tags.outcome = margin.map(|margin| Outcome { margin, ending });
        self.keep(record);
    }

    fn keep(&mut self, record: Game) {
        if !record.moves().is_empty() {
            self.actions.push(Action::Keep(Box::new(record)));
        }
    }

    /// Ends the running games, as far as they have come.
    fn adjourn(&mut self) {
        for game in mem::take(&mut self.games).into_iter().flatten() {
            self.keep(game.record);
        }
    }

    /// Acts on a complete board.
    fn show(&mut self, board: &BoardMessage, now: Duration) {
        let id = &board.id;
        let Some((position, sides)) = board.now() else {
            return self.say(format!("The board of {id} has no clocks."));
        };
        let (color, clock) = match sides.each_ref().map(|(name, _)| self.is_me(name)) {
            [true, false] => (Color::Black, sides[0].1),
            [false, true] => (Color::White, sides[1].1),
            _ => return,
        };
        let is_own = |game: &&mut Option<Running>| game.as_ref().is_some_and(|game| game.id == *id);
        let slot = match self.games.iter_mut().find(is_own) {
            None if board.is_join => self.games.iter_mut().find(|game| game.is_none()),
            own => own,
        };
        let Some(game) = slot.map(|slot| slot.get_or_insert_default()) else {
            return self.say(format!("A board of {id} is not expected."));
        };
        game.id.clone_from(id);
        let is_right = board.update(&mut game.record);
        let must_pass = game.turn(position, color, clock, now);
        (self.coming, self.wait) = (None, Duration::ZERO);
        if !is_right {
            self.say(format!("The moves of {id} do not lead to its board."));
        }
        if must_pass {
            self.os(&format!("play {id} {}", Played::from(Move::Pass)));
        }
    }

    /// Takes the result of the search that game `slot` waits for.
    pub(super) fn searched(&mut self, slot: usize, line: &Line, now: Duration) {
        let lost = self.options.resign.map(f64::from);
        let Some(game) = &mut self.games[slot] else {
            return;
        };
        let Some((due, mv)) = game.due.take().zip(line.best_move()) else {
            return;
        };
        game.sent = Some((due.position, now));
        let (id, value) = (game.id.clone(), line.value.discs());
        let is_synchro = id.matches('.').count() > 1;
        let is_lost = line.depth == Depth::Exact && lost.is_some_and(|lost| value <= -lost);
        if is_lost && !is_synchro {
            return self.os(&format!("resign {id}"));
        }
        let (eval, time) = (Some(value), Some(now.saturating_sub(due.since)));
        self.os(&format!("play {id} {}", Played { mv, eval, time }));
    }
}

impl Running {
    /// Takes the position and the own clock of a board. Sets the search that is due, and returns
    /// whether a pass is due instead.
    fn turn(&mut self, position: Position, color: Color, clock: TimeLimit, now: Duration) -> bool {
        self.sent.take_if(|(sent, _)| *sent != position);
        self.due = None;
        if position.mover != color || position.is_over() || self.sent.is_some() {
            return false;
        }
        if position.must_pass() {
            self.sent = Some((position, now));
            return true;
        }
        let left = clock.main.saturating_sub(RESERVE);
        let increment = clock.increment;
        self.due = Some(Due {
            position,
            since: now,
            clock: TimeControl::Clock { left, increment },
        });
        false
    }
}
