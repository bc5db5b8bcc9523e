//! Random clients of GTP, NBoard and UCI that check every answer.
//!
//! Each client sends legal and illegal lines at any time.
//! It tracks the position of the session and computes from it which answers are correct.
//! Built on `common::Process` and `wild`.

mod gtp;
mod nboard;
mod uci;

use std::time::{Duration, Instant};

use emilia::board::{Move, Square};
use emilia::game::Game;
use fastrand::Rng;

use crate::common::Process;
use crate::common::wild::send;
pub(crate) use gtp::GtpClient;
pub(crate) use nboard::NBoardClient;
pub(crate) use uci::UciClient;

/// Length in bytes of a line that every protocol must refuse as too long.
pub(crate) const HUGE: usize = 1 << 20;

/// A random client of a protocol. It generates lines; the test decides how to send them.
pub(crate) trait Client {
    /// Name of the protocol's subcommand of `emilia`.
    const NAME: &'static str;

    /// Creates a client for a new session of `engine`, with a random seed.
    fn new(engine: Process, seed: u64) -> Self;

    /// Returns the arguments of an engine that answers quickly: one thread and a table of 1 MiB.
    fn arguments() -> &'static [&'static str];

    /// Returns the engine process.
    fn engine(&mut self) -> &mut Process;

    /// Returns the random number generator of the client.
    fn random(&mut self) -> &mut Rng;

    /// Returns the counts of sent lines and checked answers.
    fn tally(&mut self) -> &mut Tally;

    /// Returns `count` random lines, then lines whose answer shows that the others are processed.
    fn lines(&mut self, count: usize) -> Vec<u8>;

    /// Returns lines that start a search of an early position, which runs until it is interrupted.
    fn endless_search(&mut self) -> Vec<u8>;

    /// Reads and checks the answers to all lines sent so far.
    fn hear(&mut self);

    /// Sends a line that is answered at once, and returns the time until its answer.
    fn ask(&mut self) -> Duration;

    /// Interrupts a running endless search, and returns the time until the answer.
    fn ask_during_search(&mut self) -> Duration;

    /// Sends a line of about `bytes` bytes and asserts that it is refused.
    fn say_too_much(&mut self, bytes: usize);

    /// Sends `count` random lines, at once or in pieces, and checks the answers.
    fn talk(&mut self, count: usize) {
        let bytes = self.lines(count);
        let mut random = self.random().fork();
        send(&mut random, self.engine(), &bytes);
        self.hear();
    }
}

/// Counts of what a client sent and checked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Lines sent.
    pub(crate) lines: u64,
    /// Answers received and checked.
    pub(crate) answers: u64,
    /// Answers that contain the move of a search.
    pub(crate) searches: u64,
}

/// Sends a line, waits for one that begins with `expected`, and returns the elapsed time.
fn round_trip(engine: &mut Process, line: &str, expected: &str) -> Duration {
    let sent = Instant::now();
    engine.send(line);
    engine.line_starting(expected);
    sent.elapsed()
}

/// Returns a legal move in 3 of 4 cases, otherwise any square or a pass.
fn any_move(random: &mut Rng, game: &Game) -> Move {
    let legal = game.position().moves();
    match random.choice(legal) {
        Some(mv) if random.u32(..4) > 0 => mv,
        _ if random.u32(..8) == 0 => Move::Pass,
        _ => Move::Place(Square::at(random.u8(..8), random.u8(..8))),
    }
}

/// Returns a game of `moves` random legal moves, fewer if the game ends before.
fn random_game(random: &mut Rng, moves: usize) -> Game {
    let mut game = Game::default();
    for _ in 0..moves {
        if let Some(mv) = random.choice(game.position().moves()) {
            game.play(mv).expect("a legal move");
        }
    }
    game
}

/// Returns a game of 4 to 23 random moves. A search of its position without limits runs for long.
fn opening(random: &mut Rng) -> Game {
    let moves = random.usize(4..24);
    random_game(random, moves)
}
