//! Clients of the protocols that say anything at any time, legal or not, and know what must be answered: each keeps the game
//! beside the session.

#![allow(dead_code, reason = "each test of the whole uses its own part")]

mod gtp;
mod nboard;
mod uci;

use std::time::{Duration, Instant};

use emilia::board::{Move, Square};
use emilia::game::Game;
use fastrand::Rng;

use crate::common::Process;
use crate::wild::send;
pub(crate) use gtp::GtpClient;
pub(crate) use nboard::NBoardClient;
pub(crate) use uci::UciClient;

/// The bytes of a line that no client sends.
pub(crate) const HUGE: usize = 1 << 20;

/// The client of a protocol. What it says is only made here, so that a test decides how it is sent.
pub(crate) trait Client {
    /// The protocol, as the command has it.
    const NAME: &'static str;

    /// A client at the beginning of a session with this engine.
    fn new(engine: Process, seed: u64) -> Self;

    /// The arguments of an engine whose answers do not take long.
    fn arguments() -> &'static [&'static str];

    fn engine(&mut self) -> &mut Process;

    fn random(&mut self) -> &mut Rng;

    /// What it has said and heard.
    fn tally(&mut self) -> &mut Tally;

    /// So many lines of any kind, and the last ones after which it is known that the others are done.
    fn lines(&mut self, count: usize) -> Vec<u8>;

    /// Lines that begin a search of a position in the middle of a game, which goes on for seconds.
    fn endless_search(&mut self) -> Vec<u8>;

    /// Hears the answers to all of these lines.
    fn hear(&mut self);

    /// A line that is answered at once, to the end of the answer.
    fn ask(&mut self) -> Duration;

    /// The same while an endless search runs, which is over then.
    fn ask_during_search(&mut self) -> Duration;

    /// A line of about so many bytes, which must be refused.
    fn say_too_much(&mut self, bytes: usize);

    /// Sends so many lines of any kind, in one go or in pieces, and hears the answers.
    fn talk(&mut self, count: usize) {
        let bytes = self.lines(count);
        let mut random = self.random().fork();
        send(&mut random, self.engine(), &bytes);
        self.hear();
    }
}

/// What a client has done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Lines sent.
    pub(crate) lines: u64,
    /// Answers heard and checked.
    pub(crate) answers: u64,
    /// Searches among them.
    pub(crate) searches: u64,
}

/// Sends a line and waits for the one that is `expected`.
fn round_trip(engine: &mut Process, line: &str, expected: &str) -> Duration {
    let sent = Instant::now();
    engine.send(line);
    engine.line_starting(expected);
    sent.elapsed()
}

/// A move: mostly a legal one, otherwise any.
fn any_move(random: &mut Rng, game: &Game) -> Move {
    let legal = game.position().moves();
    match random.choice(legal) {
        Some(mv) if random.u32(..4) > 0 => mv,
        _ if random.u32(..8) == 0 => Move::Pass,
        _ => Move::Place(Square::at(random.u8(..8), random.u8(..8))),
    }
}

/// A game of so many random moves, or to its end.
fn random_game(random: &mut Rng, moves: usize) -> Game {
    let mut game = Game::default();
    for _ in 0..moves {
        if let Some(mv) = random.choice(game.position().moves()) {
            game.play(mv).expect("a legal move");
        }
    }
    game
}

/// The beginning of a game, after which a search takes long.
fn opening(random: &mut Rng) -> Game {
    let moves = random.usize(4..24);
    random_game(random, moves)
}
