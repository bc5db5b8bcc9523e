//! Clients that do what no client should: floods, half lines, bytes that are no text, commands in any order. What they say
//! comes from a seeded generator; a game that is kept beside the session tells what must be answered.
//!
//! `cargo test` plays a few rounds. `cargo test --release --test attack -- --ignored` goes on for some minutes.

mod common;
mod wild;

use common::Process;
use emilia::board::{Color, Move, Square};
use emilia::game::Game;
use fastrand::Rng;
use wild::{garbage, long_seed, number, one_of, send};

/// The bytes of a line that no client sends.
const HUGE: usize = 1 << 20;

/// A move: mostly a legal one, otherwise any.
fn any_move(random: &mut Rng, game: &Game) -> Move {
    let legal = game.position().moves();
    match random.choice(legal) {
        Some(mv) if random.u32(..4) > 0 => mv,
        _ if random.u32(..8) == 0 => Move::Pass,
        _ => Move::Place(Square::at(random.u8(..8), random.u8(..8))),
    }
}

/// A game in GGF, now and then cut off.
fn ggf(random: &mut Rng) -> (String, Option<Game>) {
    let mut game = Game::default();
    for _ in 0..random.usize(..70) {
        if let Some(mv) = random.choice(game.position().moves()) {
            game.play(mv).expect("a legal move");
        }
    }
    let text = game.to_ggf();
    if random.u32(..4) == 0 {
        (text[..random.usize(..text.len() - 2)].to_owned(), None)
    } else {
        (text, Some(game))
    }
}

/// What a command of GTP must do to the game.
enum Effect {
    /// Whatever it is answered, the game stays.
    None,
    Play(Color, Move),
    /// The colour asked for, and whether the move is played.
    Generate(Color, bool),
    Undo,
    Clear,
    LegalMoves,
    /// The line is too long to be understood.
    Refused,
}

/// A client of GTP and the game as it must stand on the other side.
struct GtpClient {
    engine: Process,
    random: Rng,
    game: Game,
    /// Moves before each move that the client knows of.
    history: Vec<usize>,
    number: u32,
}

impl GtpClient {
    /// A command, and what it must do.
    fn command(&mut self) -> (Vec<u8>, Effect) {
        let random = &mut self.random;
        let color = if random.u32(..5) > 0 {
            self.game.position().mover
        } else {
            !self.game.position().mover
        };
        let (text, effect) = match random.u32(..40) {
            0..12 => {
                let mv = any_move(random, &self.game);
                (format!("play {color} {mv}"), Effect::Play(color, mv))
            }
            12..16 => (format!("genmove {color}"), Effect::Generate(color, true)),
            16..18 => (
                format!("reg_genmove {color}"),
                Effect::Generate(color, false),
            ),
            18..20 => ("undo".to_owned(), Effect::Undo),
            20 => ("clear_board".to_owned(), Effect::Clear),
            21..24 => ("gogui-rules_legal_moves".to_owned(), Effect::LegalMoves),
            24..28 => {
                let option = match random.u32(..10) {
                    0 => format!("depth {}", random.u32(..3)),
                    1 => format!("exact {}", random.u32(..9)),
                    2 => format!("threads {}", random.u32(..3)),
                    3 => format!("hash {}", random.u32(..3)),
                    4 => format!("ponder {}", one_of(random, &["on", "off", "x"])),
                    5 => format!(
                        "eval {}",
                        one_of(random, &["net", "pattern", "classic", ""])
                    ),
                    6 => format!("weights {}", one_of(random, &["/dev/zero", "/", ""])),
                    7 => format!("time {:.3}", random.f64() / 100.0),
                    8 => format!("selectivity {}", one_of(random, &["73", "100", "7"])),
                    _ => format!("nodes {}", random.u32(..2000)),
                };
                (format!("emilia-set {option}"), Effect::None)
            }
            28 => {
                let settings = [(); 3].map(|()| number(random)).join(" ");
                (format!("time_settings {settings}"), Effect::None)
            }
            29 => {
                let left = [(); 2].map(|()| number(random)).join(" ");
                (format!("time_left {color} {left}"), Effect::None)
            }
            30 => (format!("emilia-hint {}", number(random)), Effect::None),
            31 => ("loadsgf /dev/zero 3".to_owned(), Effect::None),
            32 => {
                let words = [
                    "name",
                    "showboard",
                    "final_score",
                    "list_commands",
                    "clear_cache",
                    "emilia-eval",
                    "gogui-rules_board",
                    "gogui-interrupt",
                    "komi x",
                    "boardsize 9",
                    "set_game Chess",
                ];
                (one_of(random, &words).to_owned(), Effect::None)
            }
            33..35 => {
                let mut words = b"emilia-setboard ".to_vec();
                words.extend(garbage(random, 0..=80));
                return (words, Effect::None);
            }
            35 if random.u32(..10) == 0 => ("name ".repeat(HUGE / 5), Effect::Refused),
            _ => {
                let mut bytes = garbage(random, 1..=60);
                bytes.insert(0, b'x');
                return (bytes, Effect::None);
            }
        };
        (text.into_bytes(), effect)
    }

    /// Sends some lines and hears their answers.
    fn round(&mut self) {
        let burst = self.random.choice([1, 1, 3, 30]).unwrap_or(1);
        let mut sent = Vec::new();
        let mut bytes = Vec::new();
        for _ in 0..burst {
            // Lines that may be answered or not.
            if self.random.u32(..4) == 0 {
                bytes.extend(garbage(&mut self.random, 0..=20));
                bytes.push(b'\n');
            }
            if self.random.u32(..20) == 0 {
                bytes.extend_from_slice(b"# interrupt\n");
            }
            self.number += 1;
            let (command, effect) = self.command();
            bytes.extend(format!("{} ", self.number).bytes());
            bytes.extend(command);
            bytes.push(b'\n');
            sent.push((self.number, effect));
        }
        send(&mut self.random, &mut self.engine, &bytes);
        for (number, effect) in sent {
            let answer = loop {
                let answer = self.engine.answer();
                if answer != "? unknown command" {
                    break answer;
                }
            };
            let (sign, rest) = answer.split_at(1);
            let text = rest.strip_prefix(number.to_string().as_str());
            let text = text.unwrap_or_else(|| panic!("{number}: {answer}"));
            self.follow(&effect, (sign == "=").then(|| text.trim_start()));
        }
    }

    /// The game after a command that was answered with `text`, or refused.
    fn follow(&mut self, effect: &Effect, text: Option<&str>) {
        match *effect {
            Effect::None => {}
            Effect::Refused => assert_eq!(text, None),
            Effect::Play(color, mv) => {
                let played = self.make(color, mv);
                assert_eq!(
                    text.is_some(),
                    played,
                    "{color} {mv}: {:?}",
                    self.game.moves()
                );
            }
            Effect::Generate(color, is_played) => {
                let position = self.game.position();
                let may_move =
                    position.mover == color || position.must_pass() || self.game.is_over();
                assert_eq!(text.is_some(), may_move, "{color}: {:?}", self.game.moves());
                let Some(text) = text else { return };
                let before = (self.game.clone(), self.history.clone());
                let mv = text.parse().unwrap_or_else(|error| panic!("{error}"));
                assert!(self.make(color, mv), "{color} {mv}: {:?}", before.0.moves());
                if !is_played {
                    (self.game, self.history) = before;
                }
            }
            Effect::Undo => {
                let count = self.history.pop();
                assert_eq!(text.is_some(), count.is_some());
                if let Some(count) = count {
                    self.game.truncate(count);
                }
            }
            Effect::Clear => {
                self.game = Game::default();
                self.history.clear();
            }
            Effect::LegalMoves => {
                let moves = self.game.position().moves().into_iter();
                let names: Vec<String> = moves.map(|mv| mv.to_string().to_uppercase()).collect();
                assert_eq!(text, Some(names.join(" ").as_str()));
            }
        }
    }

    /// Plays a move that both know of; whether it is legal.
    fn make(&mut self, color: Color, mv: Move) -> bool {
        let before = self.game.moves().len();
        let is_empty = mv == Move::Pass && self.game.is_over();
        if !is_empty && self.game.play_as(color, mv).is_err() {
            return false;
        }
        self.history.push(before);
        true
    }
}

fn attack_gtp(seed: u64, rounds: usize) {
    let mut client = GtpClient {
        engine: Process::emilia(&["gtp", "--depth", "2", "--hash", "1"]),
        random: Rng::with_seed(seed),
        game: Game::default(),
        history: Vec::new(),
        number: 0,
    };
    for _ in 0..rounds {
        client.round();
    }
    // The end comes in the middle of a line.
    client.engine.send_bytes(b"0 showbo");
    let rest = client.engine.finish();
    assert_eq!(rest, ["?0 unknown command", ""]);
}

/// A client of NBoard and the game as it must stand on the other side.
struct NBoardClient {
    engine: Process,
    random: Rng,
    game: Game,
    number: u32,
}

impl NBoardClient {
    /// A line; the game is changed as the engine must change it.
    fn line(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        let text = match random.u32(..40) {
            0..12 => {
                let mv = any_move(random, &self.game);
                // A pass that is left out is put in by the engine.
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

    /// Sends some lines, hears that they are done, and asks for a move.
    fn round(&mut self) {
        let burst = self.random.choice([1, 1, 3, 30]).unwrap_or(1);
        let mut bytes = Vec::new();
        for _ in 0..burst {
            bytes.extend(self.line());
            bytes.push(b'\n');
        }
        self.number += 1;
        bytes.extend(format!("set depth 2\nping {}\n", self.number).bytes());
        send(&mut self.random, &mut self.engine, &bytes);
        let pong = format!("pong {}", self.number);
        loop {
            let line = self.engine.line().expect("the session goes on");
            let first = line.split(' ').next().unwrap_or_default();
            let words = "status pong set learned === search nodestats analysis";
            assert!(words.split(' ').any(|word| word == first), "{line}");
            if line == pong {
                break;
            }
        }
        self.engine.send("go");
        let answer = self.engine.line_starting("=== ");
        let played: emilia::game::Played = answer["=== ".len()..]
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
}

fn attack_nboard(seed: u64, rounds: usize) {
    for arguments in [
        &["nboard", "--hash", "1"][..],
        &["nboard", "--hash", "1", "--ponder"],
    ] {
        let mut client = NBoardClient {
            engine: Process::emilia(arguments),
            random: Rng::with_seed(seed),
            game: Game::default(),
            number: 0,
        };
        for _ in 0..rounds {
            client.round();
        }
        // The end comes in the middle of a line.
        client.engine.send_bytes(b"set game (;GM[Oth");
        client.engine.finish();
    }
}

#[test]
fn a_wild_client_of_gtp() {
    attack_gtp(1, 200);
}

#[test]
fn a_wild_client_of_nboard() {
    attack_nboard(2, 100);
}

#[test]
#[ignore = "minutes"]
fn a_wild_client_of_gtp_for_long() {
    let mut seeds = Rng::with_seed(long_seed());
    for _ in 0..100 {
        attack_gtp(seeds.u64(..), 2000);
    }
}

#[test]
#[ignore = "minutes"]
fn a_wild_client_of_nboard_for_long() {
    let mut seeds = Rng::with_seed(long_seed());
    for _ in 0..100 {
        attack_nboard(seeds.u64(..), 500);
    }
}

#[test]
fn a_first_line_that_is_too_long_is_told_so() {
    let mut engine = Process::emilia(&["--hash", "1"]);
    engine.send(&"name ".repeat(HUGE / 5));
    assert_eq!(engine.answer(), "? line too long");
    assert_eq!(engine.gtp("name"), "= Emilia");
}

/// The most memory that a process has used, in MiB.
#[cfg(target_os = "linux")]
fn peak_memory(engine: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kib.unwrap().parse::<u64>().unwrap() / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_flood_during_a_search_waits_outside() {
    let mut engine = Process::emilia(&["gtp", "--time", "0.5", "--hash", "1"]);
    engine.ask("genmove b");
    let before = peak_memory(&engine);
    engine.send("1 genmove w");
    engine.send_bytes(&b"#\n".repeat(3_000_000));
    engine.send("2 name");
    engine.line_starting("=1 ");
    engine.line_starting("=2 ");
    let growth = peak_memory(&engine) - before;
    println!("{before} MiB and {growth} more");
    assert!(growth < 40, "{before} MiB and {growth} more");
}
