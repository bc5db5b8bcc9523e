//! A random GTP client. Every command is numbered, and the responses must come in that order.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use emilia::board::{Color, Move};
use emilia::game::Game;
use fastrand::Rng;

use super::{Client, HUGE, Tally, any_move, opening};
use crate::common::Process;
use crate::wild::{garbage, number, one_of};

/// The expected effect of a command on the game.
#[derive(Debug)]
enum Effect {
    /// The game does not change, whatever the response is.
    None,
    /// `play`: the move is played if it is legal.
    Play(Color, Move),
    /// `genmove` (`true`: the move is played) or `reg_genmove` (`false`) for this colour.
    Generate(Color, bool),
    /// The last move is undone.
    Undo,
    /// The game restarts.
    Clear,
    /// The response lists the legal moves.
    LegalMoves,
    /// The line exceeds the length limit and gets an error.
    Refused,
}

/// A GTP client and the game that the engine must have.
pub(crate) struct GtpClient {
    pub(crate) engine: Process,
    random: Rng,
    game: Game,
    /// Length of the game before each move that `undo` takes back, implied passes included.
    history: Vec<usize>,
    /// Number of the last command.
    number: u32,
    /// Unanswered commands with their numbers, in order.
    waiting: VecDeque<(u32, Effect)>,
    tally: Tally,
}

impl GtpClient {
    /// Returns the line of a numbered command and queues its expected effect.
    fn numbered(&mut self, command: &[u8], effect: Effect) -> Vec<u8> {
        self.number += 1;
        self.tally.lines += 1;
        self.waiting.push_back((self.number, effect));
        let number = format!("{} ", self.number);
        [number.as_bytes(), command, b"\n"].concat()
    }

    /// Returns a random command and its expected effect.
    ///
    /// `self.game` ignores the unanswered commands, so the colour may be that of the wrong side.
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
            24..28 => (format!("emilia-set {}", setting(random)), Effect::None),
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

    /// Checks the response `text` (`None`: an error) and applies the effect to the game.
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
                self.tally.searches += 1;
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

    /// Plays a move, after an implied pass if needed, and returns whether it is legal.
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

/// Returns a random setting for `emilia-set` that keeps searches short.
fn setting(random: &mut Rng) -> String {
    match random.u32(..10) {
        0 => format!("depth {}", random.u32(..3)),
        1 => format!("exact {}", random.u32(..9)),
        2 => format!("threads {}", random.u32(..3)),
        3 => format!("hash {}", random.u32(..3)),
        4 => format!("ponder {}", one_of(random, &["on", "off", "x"])),
        5 => format!(
            "eval {}",
            one_of(random, &["net", "pattern", "classic", "simple", ""])
        ),
        6 => format!("weights {}", one_of(random, &["/dev/zero", "/", ""])),
        7 => format!("time {:.3}", random.f64() / 100.0),
        8 => format!("selectivity {}", one_of(random, &["73", "100", "7"])),
        _ => format!("nodes {}", random.u32(..2000)),
    }
}

impl Client for GtpClient {
    const NAME: &'static str = "gtp";

    fn new(engine: Process, seed: u64) -> GtpClient {
        GtpClient {
            engine,
            random: Rng::with_seed(seed),
            game: Game::default(),
            history: Vec::new(),
            number: 0,
            waiting: VecDeque::new(),
            tally: Tally::default(),
        }
    }

    fn arguments() -> &'static [&'static str] {
        &["gtp", "--threads=1", "--hash=1", "--depth=2"]
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
            // Garbage lines get an error or, if blank, no response at all.
            if self.random.u32(..4) == 0 {
                bytes.extend(garbage(&mut self.random, 0..=20));
                bytes.push(b'\n');
                self.tally.lines += 1;
            }
            if self.random.u32(..20) == 0 {
                bytes.extend_from_slice(b"# interrupt\n");
                self.tally.lines += 1;
            }
            let (command, effect) = self.command();
            bytes.extend(self.numbered(&command, effect));
        }
        bytes
    }

    fn endless_search(&mut self) -> Vec<u8> {
        let settings = [
            "depth none",
            "nodes none",
            "exact none",
            "time 100",
            "ponder off",
        ];
        let mut commands: Vec<(String, Effect)> = settings
            .map(|setting| (format!("emilia-set {setting}"), Effect::None))
            .into();
        // GTP: zero main time, non-zero period and zero stones switch the clock off.
        commands.push(("time_settings 0 1 0".to_owned(), Effect::None));
        commands.push(("clear_board".to_owned(), Effect::Clear));
        let game = opening(&mut self.random);
        let mut position = game.start();
        for played in game.moves() {
            let (color, mv) = (position.mover, played.mv);
            commands.push((format!("play {color} {mv}"), Effect::Play(color, mv)));
            position = position.play(mv).expect("a legal move");
        }
        let color = position.mover;
        commands.push((format!("genmove {color}"), Effect::Generate(color, true)));
        let lines = commands.into_iter();
        lines
            .flat_map(|(text, effect)| self.numbered(text.as_bytes(), effect))
            .collect()
    }

    fn hear(&mut self) {
        while let Some((number, effect)) = self.waiting.pop_front() {
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
            self.tally.answers += 1;
        }
    }

    fn ask(&mut self) -> Duration {
        let sent = Instant::now();
        let line = self.numbered(b"name", Effect::None);
        self.engine.send_bytes(&line);
        self.hear();
        sent.elapsed()
    }

    fn ask_during_search(&mut self) -> Duration {
        let sent = Instant::now();
        self.tally.lines += 1;
        self.engine.send("# interrupt");
        self.hear();
        let time = sent.elapsed();
        for setting in ["depth 2", "time 0.01"] {
            let line = self.numbered(format!("emilia-set {setting}").as_bytes(), Effect::None);
            self.engine.send_bytes(&line);
        }
        self.hear();
        time
    }

    fn say_too_much(&mut self, bytes: usize) {
        let line = self.numbered(&b"name ".repeat(bytes / 5), Effect::Refused);
        self.engine.send_bytes(&line);
        self.hear();
    }
}
