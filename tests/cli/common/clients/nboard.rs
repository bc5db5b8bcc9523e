//! A random NBoard client.
//! Every ping must be answered, in order, and every requested move must be legal.

use std::time::{Duration, Instant};

use emilia::board::Move;
use emilia::game::{Game, Played};
use fastrand::Rng;

use super::{Client, HUGE, Tally, any_move, opening, random_game, round_trip};
use crate::common::Process;
use crate::common::wild::{garbage, number, one_of};

/// An NBoard client and the game that the engine must have.
pub(crate) struct NBoardClient {
    pub(crate) engine: Process,
    random: Rng,
    game: Game,
    /// Number of the last ping sent.
    number: u32,
    /// Number of the last pong received.
    answered: u32,
    /// Whether a `go` follows the last ping.
    goes: bool,
    tally: Tally,
}

impl NBoardClient {
    /// Returns a random line and applies its expected effect to the tracked game.
    fn line(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        let text = match random.u32(..40) {
            0..12 => {
                let mv = any_move(random, &self.game);
                // The engine inserts an implied pass before a move of the other side.
                let skips = mv != Move::Pass && self.game.position().must_pass();
                let mover = self.game.position().mover;
                let tail = one_of(random, &["", "/", "//", "/1.5", "//2.5", "/-0.5/1"]);
                let _ = self.game.play_as(if skips { !mover } else { mover }, mv);
                let name = if mv == Move::Pass {
                    "PA".to_owned()
                } else {
                    mv.to_string()
                };
                format!("move {name}{tail}")
            }
            12..16 => "go".to_owned(),
            16..18 => format!("hint {}", number(random)),
            18 => "analyze".to_owned(),
            19..21 => {
                let (text, game) = ggf(random);
                if let Some(game) = game {
                    self.game = game;
                }
                format!("set game {text}")
            }
            21 => format!("set depth {}", random.u32(..4)),
            22 => format!("set contempt {}", number(random)),
            23 => format!("ping {}", one_of(random, &["x", "", "-"])),
            24 => one_of(random, &["learn", "nboard 2", "nboard", "", "   "]).to_owned(),
            25 if random.u32(..10) == 0 => "set game (;".repeat(HUGE / 11),
            26..29 => {
                let start = one_of(random, &["set game (;", "set ", "hint ", "ping "]);
                let mut bytes = start.as_bytes().to_vec();
                bytes.extend(garbage(random, 1..=60));
                return bytes;
            }
            _ => {
                let mut bytes = garbage(random, 0..=60);
                bytes.insert(0, 0);
                return bytes;
            }
        };
        text.into_bytes()
    }

    /// Returns the next `ping` command.
    fn ping(&mut self) -> String {
        self.number += 1;
        self.tally.lines += 1;
        format!("ping {}", self.number)
    }
}

/// Returns GGF text and its game. One in four texts is truncated and has no game.
fn ggf(random: &mut Rng) -> (String, Option<Game>) {
    let moves = random.usize(..70);
    let game = random_game(random, moves);
    let text = game.to_ggf();
    if random.u32(..4) == 0 {
        (text[..random.usize(..text.len() - 2)].to_owned(), None)
    } else {
        (text, Some(game))
    }
}

impl Client for NBoardClient {
    const NAME: &'static str = "nboard";

    fn new(engine: Process, seed: u64) -> NBoardClient {
        NBoardClient {
            engine,
            random: Rng::with_seed(seed),
            game: Game::default(),
            number: 0,
            answered: 0,
            goes: false,
            tally: Tally::default(),
        }
    }

    fn arguments() -> &'static [&'static str] {
        &["nboard", "--threads=1", "--hash=1"]
    }

    fn engine(&mut self) -> &mut Process {
        &mut self.engine
    }

    fn random(&mut self) -> &mut Rng {
        &mut self.random
    }

    fn tally(&mut self) -> &mut Tally {
        &mut self.tally
    }

    fn lines(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..count {
            bytes.extend(self.line());
            bytes.push(b'\n');
            self.tally.lines += 1;
            // Pings between the lines detect a surplus or missing answer.
            if self.random.u32(..10) == 0 {
                bytes.extend((self.ping() + "\n").bytes());
            }
        }
        let ping = self.ping();
        bytes.extend(format!("set depth 2\n{ping}\ngo\n").bytes());
        self.tally.lines += 2;
        self.goes = true;
        bytes
    }

    fn endless_search(&mut self) -> Vec<u8> {
        self.game = opening(&mut self.random);
        self.tally.lines += 3;
        let search = one_of(&mut self.random, &["go", "hint 1", "hint 64", "analyze"]);
        format!("set game {}\nset depth 60\n{search}\n", self.game.to_ggf()).into_bytes()
    }

    fn hear(&mut self) {
        while self.answered < self.number {
            let line = self.engine.line().expect("the session goes on");
            let first = line.split(' ').next().unwrap_or_default();
            let words = "status pong set learned === search nodestats analysis";
            assert!(words.split(' ').any(|word| word == first), "{line}");
            if first == "pong" {
                self.answered += 1;
                self.tally.answers += 1;
                assert_eq!(line, format!("pong {}", self.answered));
            }
        }
        if !std::mem::take(&mut self.goes) {
            return;
        }
        let answer = self.engine.line_starting("=== ");
        self.tally.answers += 1;
        self.tally.searches += 1;
        let played: Played = answer["=== ".len()..]
            .parse()
            .unwrap_or_else(|error| panic!("{error}"));
        let position = self.game.position();
        let is_right = if position.is_over() {
            played.mv == Move::Pass
        } else {
            position.play(played.mv).is_ok()
        };
        assert!(is_right, "{answer} {:?}", self.game.moves());
    }

    fn ask(&mut self) -> Duration {
        let sent = Instant::now();
        let ping = self.ping();
        self.engine.send(&ping);
        self.hear();
        sent.elapsed()
    }

    fn ask_during_search(&mut self) -> Duration {
        // The ping ends the search, and NBoard sends no move for an interrupted search.
        self.ask()
    }

    fn say_too_much(&mut self, bytes: usize) {
        let line = "set game (;".repeat(bytes / 11);
        self.tally.lines += 1;
        round_trip(&mut self.engine, &line, "status line too long");
        self.tally.answers += 1;
    }
}
