//! A random UCI client.
//! Every `go` must get one legal `bestmove`, in order, and every `isready` one `readyok`.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use emilia::board::{Move, Position, flipello};
use fastrand::Rng;

use super::{Client, HUGE, Tally, opening, random_game, round_trip};
use crate::common::Process;
use crate::wild::{garbage, number, one_of};

/// A UCI client and the position that the engine must have.
pub(crate) struct UciClient {
    pub(crate) engine: Process,
    random: Rng,
    position: Position,
    /// Positions of the searches without a `bestmove` yet, in order.
    searches: VecDeque<Position>,
    /// Number of unanswered `isready`. A `readyok` may precede the `bestmove` of an earlier search.
    isready: u32,
    /// Number of unanswered `uci`. A `uciok` may precede the `bestmove` of an earlier search.
    uci: u32,
    tally: Tally,
}

impl UciClient {
    /// Returns a random line and applies its expected effect to the tracked position.
    fn line(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        let text = match random.u32(..40) {
            0..10 => self.any_position(),
            10..18 => {
                self.searches.push_back(self.position);
                go(random)
            }
            18..22 => {
                self.isready += 1;
                "isready".to_owned()
            }
            22..25 => "stop".to_owned(),
            25 => "ponderhit".to_owned(),
            26..29 => format!("setoption name {}", setting(random)),
            29 => one_of(
                random,
                &["ucinewgame", "debug on", "register later", "d", "", "  "],
            )
            .to_owned(),
            30 => {
                self.uci += 1;
                "uci".to_owned()
            }
            31 if random.u32(..10) == 0 => "position moves ".repeat(HUGE / 15),
            32..35 => {
                let start = one_of(random, &["position fen ", "position ", "setoption name "]);
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

    /// Returns a random `position` command. One in four ends in an illegal move and has no effect.
    fn any_position(&mut self) -> String {
        let moves = self.random.usize(..70);
        let game = random_game(&mut self.random, moves);
        let mut text = position_line(&game);
        if self.random.u32(..4) == 0 {
            text += one_of(&mut self.random, &[" P@d4", " e3", " P@", " P@i9", " a1a2"]);
        } else {
            self.position = game.position();
        }
        text
    }

    /// Checks the move of a `bestmove` line against the position of the oldest open search.
    fn check_best_move(&mut self, answer: &str) {
        let position = self.searches.pop_front();
        let position = position.unwrap_or_else(|| panic!("a bestmove without a go: {answer}"));
        let best = answer.split(' ').next().unwrap_or_default();
        let is_right = match flipello::read_move(best) {
            Some(Move::Pass) if position.is_over() => true,
            Some(mv) => position.play(mv).is_ok(),
            None => best == "(none)" && position.is_over(),
        };
        assert!(is_right, "{answer} {position}");
        self.tally.answers += 1;
        self.tally.searches += 1;
    }
}

/// Returns the `position` command with the moves of a game.
fn position_line(game: &emilia::game::Game) -> String {
    let mut text = "position startpos moves".to_owned();
    for (played, position) in game.moves().iter().zip(game.positions()) {
        text = text + " " + &flipello::move_name(played.mv, position);
    }
    text
}

/// Returns a random `go` command of a short search.
fn go(random: &mut Rng) -> String {
    let argument = match random.u32(..10) {
        0 => "infinite".to_owned(),
        1 => format!("ponder movetime {}", random.u32(..10)),
        2 => format!("movetime {}", random.u32(..10)),
        3 => format!("nodes {}", random.u32(..3000)),
        4 => format!("wtime {0} btime {0}", random.u32(..100)),
        5 => format!("depth {}", number(random)),
        6 => "depth 2 searchmoves P@e3 P@a1 a1a1 e9".to_owned(),
        _ => format!("depth {}", random.u32(..4)),
    };
    // `depth 3` bounds the search even if the engine ignores an invalid argument before it.
    format!("go {argument} depth 3")
}

/// Returns a random argument of `setoption name` that keeps searches short.
fn setting(random: &mut Rng) -> String {
    match random.u32(..8) {
        0 => format!("Hash value {}", random.u32(..3)),
        1 => format!("Threads value {}", random.u32(..3)),
        2 => format!("MultiPV value {}", random.u32(..4)),
        3 => "Clear Hash".to_owned(),
        4 => format!(
            "Eval value {}",
            one_of(random, &["net", "pattern", "classic", "simple", ""])
        ),
        5 => format!("Selectivity value {}", one_of(random, &["73", "100", "7"])),
        6 => format!("Weights value {}", one_of(random, &["/dev/zero", "/", ""])),
        _ => format!("Skill value {}", number(random)),
    }
}

impl Client for UciClient {
    const NAME: &'static str = "uci";

    fn new(engine: Process, seed: u64) -> UciClient {
        UciClient {
            engine,
            random: Rng::with_seed(seed),
            position: Position::START,
            searches: VecDeque::new(),
            isready: 0,
            uci: 0,
            tally: Tally::default(),
        }
    }

    fn arguments() -> &'static [&'static str] {
        &["uci", "--threads=1", "--hash=1"]
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
        }
        // The engine ends a search without limits when the next `go` arrives.
        bytes.extend(b"go depth 1\n");
        self.searches.push_back(self.position);
        self.tally.lines += count as u64 + 1;
        bytes
    }

    fn endless_search(&mut self) -> Vec<u8> {
        let game = opening(&mut self.random);
        self.position = game.position();
        self.searches.push_back(self.position);
        self.tally.lines += 2;
        format!("{}\ngo infinite\n", position_line(&game)).into_bytes()
    }

    fn hear(&mut self) {
        while !self.searches.is_empty() || self.isready + self.uci > 0 {
            let line = self.engine.line().expect("the session goes on");
            let (first, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match first {
                "bestmove" => self.check_best_move(rest),
                "readyok" => {
                    let open = self.isready.checked_sub(1);
                    self.isready = open.expect("a readyok without an isready");
                    self.tally.answers += 1;
                }
                "uciok" => {
                    let open = self.uci.checked_sub(1);
                    self.uci = open.expect("a uciok without a uci");
                    self.tally.answers += 1;
                }
                "info" | "id" | "option" => {}
                _ => panic!("{line}"),
            }
        }
    }

    fn ask(&mut self) -> Duration {
        self.tally.lines += 1;
        self.tally.answers += 1;
        round_trip(&mut self.engine, "isready", "readyok")
    }

    fn ask_during_search(&mut self) -> Duration {
        let time = self.ask();
        let stopped = Instant::now();
        self.tally.lines += 1;
        self.engine.send("stop");
        self.hear();
        time.max(stopped.elapsed())
    }

    fn say_too_much(&mut self, bytes: usize) {
        let line = "position moves ".repeat(bytes / 15);
        self.tally.lines += 1;
        round_trip(&mut self.engine, &line, "info string line too long");
        self.tally.answers += 1;
    }
}
