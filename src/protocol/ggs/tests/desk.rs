//! [`Desk`]: a test harness for a [`GgsSession`]. It feeds lines of the server, returns the lines
//! that the session sends, and advances the clock by hand.

use std::time::Duration;

use super::{options, server};
use crate::ggs::session::{Action, Due, End, GgsOptions, GgsSession};
use emilia_core::board::{Color, Move};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Line, TimeControl};
use emilia_games::Game;

pub(super) const REQUEST: &str =
    "/os: +   .7 1810.5 boris    05:00//02:00       8w U 1720.0 emilia";

const MATCH: &str = "/os: + match .3 1810 boris 1720 emilia 8w U ";

/// Returns the end of a board message: the clocks, the board, and the side to move. emilia, who is
/// Black, has `left` seconds.
pub(super) fn board(position: &str, left: u32) -> String {
    let position = position.parse().unwrap();
    server::board(&position, Color::Black, [left.into(), 300.0], ",0:0")
}

/// Returns the message with the first board of a match.
pub(super) fn join() -> String {
    let board = board("start", 300);
    format!("/os: join .3 8w K?\n|0 move(s)\n|  0: PASS{board}")
}

/// Returns the message with the board after F5.
pub(super) fn after_f5() -> String {
    let board = board("f5", 298);
    format!("/os: update .3 8w K?\n|  1: F5/0.00/1.20{board}")
}

/// Returns the message with the board after F5 F6. `head` is its first line.
pub(super) fn after_f6(head: &str) -> String {
    format!("{head}\n|  2: F6/1.50/2.10{}", board("f5f6", 298))
}

/// A session, its time, and the games and sentences that it has reported so far.
pub(super) struct Desk {
    pub(super) session: GgsSession,
    pub(super) now: Duration,
    pub(super) said: Vec<String>,
    pub(super) kept: Vec<Game>,
    pub(super) broken: Option<String>,
}

impl Desk {
    /// Creates a session and completes its login.
    pub(super) fn new(options: GgsOptions) -> Desk {
        let mut desk = Desk {
            session: GgsSession::new(options),
            now: Duration::ZERO,
            said: Vec::new(),
            kept: Vec::new(),
            broken: None,
        };
        let login = "a banner\n: Enter login (yours, or one you'd like to use).";
        assert_eq!(desk.feed(login), ["emilia"]);
        assert_eq!(desk.feed(": Enter your password."), ["(password)"]);
        let settings = desk.feed("READY").join(", ");
        for line in [
            "tell /os client -",
            "tell /os open 1",
            "tell /os stored",
            "notify + /os",
        ] {
            assert!(settings.contains(line), "{settings}");
        }
        desk
    }

    /// Feeds lines of the server. Returns the lines that the session sends.
    pub(super) fn feed(&mut self, lines: &str) -> Vec<String> {
        for line in lines.lines() {
            self.session.line(line, self.now);
        }
        self.tick(0)
    }

    /// Advances the clock. Returns the lines that the session sends.
    pub(super) fn tick(&mut self, seconds: u64) -> Vec<String> {
        self.now += Duration::from_secs(seconds);
        self.session.tick(self.now);
        let mut sent = Vec::new();
        for action in std::mem::take(&mut self.session.actions) {
            match action {
                Action::Send(line) => sent.push(line),
                Action::SendPassword => sent.push("(password)".to_owned()),
                Action::Keep(games) => self.kept.extend(games),
                Action::Say(sentence) => self.said.push(sentence),
                Action::End(End::Broken(why)) => self.broken = Some(why),
                Action::End(end) => self.broken = Some(format!("{end:?}")),
            }
        }
        sent
    }

    /// Starts a match. Returns its harness, and the search that is due for the first move.
    pub(super) fn with_match() -> (Desk, Due) {
        let mut desk = Desk::new(options());
        assert_eq!(desk.feed(REQUEST), ["tell /os accept .7"]);
        desk.feed(&REQUEST.replace('+', "-"));
        desk.feed(MATCH);
        assert_eq!(desk.feed(&join()), [""; 0]);
        let due = desk.due().unwrap();
        (desk, due)
    }

    pub(super) fn due(&self) -> Option<Due> {
        self.session.due(0).cloned()
    }

    /// Reports `mv` as the result of the search that is due in game 0. Returns the lines that the
    /// session sends.
    pub(super) fn searched(&mut self, mv: &str, discs: i32) -> Vec<String> {
        let due = self.due().expect("a search is due");
        self.ended(&due, mv, discs)
    }

    /// Reports `mv` as the result of the search `due` in game 0. Returns the lines that the session
    /// sends.
    pub(super) fn ended(&mut self, due: &Due, mv: &str, discs: i32) -> Vec<String> {
        let line = line(mv.parse().unwrap(), discs);
        self.session.searched(0, due, &line, self.now);
        self.tick(0)
    }

    #[track_caller]
    pub(super) fn assert_said(&self, part: &str) {
        let said = &self.said;
        assert!(said.iter().any(|one| one.contains(part)), "{said:?}");
    }
}

/// Returns an exact search result with a PV of one move.
fn line(mv: Move, discs: i32) -> Line {
    Line {
        value: Value::from_units(discs * Value::PER_DISC),
        depth: Depth::Exact,
        pv: vec![mv],
        nodes: 1,
        elapsed: Duration::ZERO,
    }
}

/// Returns the time on the clock of a search, or its time per move.
pub(super) fn left(due: &Due) -> Duration {
    match due.clock {
        TimeControl::Clock { left, .. } => left,
        TimeControl::PerMove(time) => time,
    }
}
