//! Player specifications, parsed from and written to text.
//!
//! Forms: `builtin:depth=8,eval=classic`, `gtp:name=Rhino,gtp-rhino`, `nboard:COMMAND`,
//! `uci:option.Hash=64,COMMAND`. The keys of `builtin` are the table of
//! [`options`](emilia_player::options).

use std::fmt::{self, Display};
use std::num::NonZero;

use super::builtin::Builtin;
use super::program::{Program, ProgramSpec, Protocol};
use super::{MatchPlayer, ProcessContext};
use crate::parse_clock;
use emilia_book::Book;
use emilia_core::board::excerpt;
use emilia_core::eval::Value;
use emilia_core::search::{OutOfMemory, TimeControl, check_hash};
use emilia_player::options::{self, AnyOption, PONDER, TIME};
use emilia_player::{Level, PlaySettings, Setup};

/// Specification of a player. Each worker creates its own players from it.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// The text it was parsed from.
    written: String,
    name: Option<String>,
    /// Whether the player keeps its memory, such as its transposition table, from game to game.
    keep: bool,
    /// Its own clock. `None` uses the clock of the match.
    clock: Option<TimeControl>,
    kind: PlayerKind,
}

#[derive(Clone, Debug)]
enum PlayerKind {
    Builtin(BuiltinSpec),
    Program(ProgramSpec),
}

/// Emilia's own engine as a player.
#[derive(Clone, Debug, Default)]
pub struct BuiltinSpec {
    /// Settings of the engine and of play, and limits of each search.
    pub setup: Setup,
    /// Level that the limits come from, if any.
    pub level: Option<Level>,
    /// Path of the weights file. `None` means the embedded weights of the evaluation.
    pub weights: Option<String>,
    /// Transposition table in MiB. `None` derives the size from the limits.
    pub hash_mib: Option<usize>,
    /// Threads of UCI programs. `None` leaves them their own number.
    pub threads: Option<NonZero<usize>>,
}

/// Prefix of the keys that set UCI options.
const OPTION: &str = "option.";

impl PlayerSpec {
    /// Parses a specification. `defaults` is the player `builtin` without keys.
    ///
    /// ```
    /// use emilia_arena::{BuiltinSpec, PlayerSpec};
    ///
    /// let defaults = BuiltinSpec::default();
    /// let player = PlayerSpec::parse("builtin:depth=8,hash=1", &defaults).unwrap();
    /// assert_eq!(player.to_string(), "builtin:depth=8,eval=net,hash=1,selectivity=73");
    /// assert!(PlayerSpec::parse("builtin:dept=8", &defaults).is_err());
    /// ```
    ///
    /// # Errors
    /// Returns one sentence for an unknown kind of player, an unknown key or an invalid value.
    pub fn parse(text: &str, defaults: &BuiltinSpec) -> Result<PlayerSpec, String> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut player = PlayerSpec {
            written: text.trim().to_owned(),
            name: None,
            keep: false,
            clock: None,
            kind: PlayerKind::Builtin(defaults.clone()),
        };
        let mut protocols = Protocol::NAMES.into_iter();
        player.kind = match protocols.find(|(_, name)| *name == kind) {
            Some((protocol, _)) => {
                PlayerKind::Program(player.parse_program(protocol, rest, defaults)?)
            }
            None if kind == "builtin" => {
                PlayerKind::Builtin(player.parse_builtin(rest, defaults.clone())?)
            }
            None => {
                return Err(format!(
                    "'{}' is not a player (expected builtin:KEY=VALUE,..., gtp:COMMAND, \
                     nboard:COMMAND or uci:COMMAND)",
                    excerpt(text)
                ));
            }
        };
        Ok(player)
    }

    /// Parses the key-value pairs after `builtin:`.
    fn parse_builtin(&mut self, text: &str, mut spec: BuiltinSpec) -> Result<BuiltinSpec, String> {
        let mut given = Vec::new();
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (key, value) = (key.trim(), value.trim());
            let wrong = |why| format!("builtin player: {}: {why}", excerpt(key));
            if !self.set(key, value, &mut given).map_err(wrong)? {
                let has_eval = given.contains(&"eval");
                spec.set(key, value, has_eval).map_err(wrong)?;
            }
        }
        let derived = table_size(&spec.setup);
        spec.setup.settings.hash_mib = spec.hash_mib.unwrap_or(derived);
        Ok(spec)
    }

    /// Parses the text after the protocol, such as `name=NAME,keep=yes,time=1,COMMAND`.
    fn parse_program(
        &mut self,
        protocol: Protocol,
        text: &str,
        defaults: &BuiltinSpec,
    ) -> Result<ProgramSpec, String> {
        let (kind, is_uci) = (protocol.name(), protocol == Protocol::Uci);
        let (mut options, mut given) = (Vec::new(), Vec::new());
        let mut command = text.trim();
        while let Some((key, rest)) = command.split_once('=') {
            let is_before_command = is_before_command(key, rest);
            let (value, rest) = rest.split_once(',').unwrap_or((rest, ""));
            let value = value.trim();
            let wrong = |why: &str| format!("{kind} player: {}: {why}", excerpt(key));
            let is_set = self.set(key, value, &mut given);
            if !is_set.map_err(|why| wrong(&why))? {
                match key.strip_prefix(OPTION).filter(|_| is_uci) {
                    Some(name) if name.trim().is_empty() => {
                        return Err(wrong("expected the name of an option"));
                    }
                    // Name and value become part of a protocol line.
                    Some(name) if [name, value].concat().contains(char::is_control) => {
                        return Err(wrong("expected no control characters"));
                    }
                    Some(name) => options.push((name.to_owned(), value.to_owned())),
                    None if is_before_command => {
                        let option = if is_uci { " or option.NAME" } else { "" };
                        return Err(wrong(&format!(
                            "expected name, keep, time, clock{option} before a command"
                        )));
                    }
                    None => break,
                }
            }
            command = rest.trim();
        }
        if command.is_empty() {
            return Err(format!(
                "'{kind}:{}': expected a command, as in {kind}:COMMAND or {kind}:name=NAME,COMMAND",
                excerpt(text)
            ));
        }
        let mut of_match = Vec::new();
        let threads = defaults.threads.map(NonZero::get);
        for (name, value) in [("Hash", defaults.hash_mib), ("Threads", threads)] {
            let mut own = options.iter();
            let is_own = own.any(|(own, _): &(String, String)| own.eq_ignore_ascii_case(name));
            if let Some(value) = value.filter(|_| is_uci && !is_own) {
                of_match.push((name.to_owned(), value.to_string()));
            }
        }
        Ok(ProgramSpec {
            protocol,
            command: command.to_owned(),
            of_match,
            options,
            limits: defaults.setup.limits.clone(),
        })
    }

    /// Sets a key that every player has. Returns false if it is none of them.
    ///
    /// # Errors
    /// If the value is invalid, or any key is in `given` already.
    fn set<'a>(
        &mut self,
        key: &'a str,
        value: &str,
        given: &mut Vec<&'a str>,
    ) -> Result<bool, String> {
        /// Maximum length of a player's name, in characters.
        const MAX_NAME: usize = 40;
        if given.contains(&key) {
            return Err("it is given twice".to_owned());
        }
        given.push(key);
        let expected = |what: &str| Err(format!("'{}' is not {what}", excerpt(value)));
        match (key, value) {
            ("name", _) if value.contains(char::is_control) => {
                return expected("a name of visible characters");
            }
            ("name", _) if (1..=MAX_NAME).contains(&value.chars().count()) => {
                self.name = Some(value.to_owned());
            }
            ("name", _) => return expected(&format!("a name of 1 to {MAX_NAME} characters")),
            ("keep", "yes" | "no") => self.keep = value == "yes",
            ("keep", _) => return expected("yes or no"),
            ("time" | "clock", _) if self.clock.is_some() => {
                return Err("expected one time or clock".to_owned());
            }
            ("time", _) => {
                let mut setup = Setup::default();
                TIME.set_text(&mut setup, value)?;
                self.clock = setup.limits.time;
            }
            ("clock", _) => self.clock = Some(parse_clock(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the given name, or else the text it was parsed from.
    pub fn name(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.written)
    }

    /// Returns the canonical text of the player, in which a level is replaced by its depth.
    /// Players that play alike have the same identity, however they were written.
    pub fn identity(&self) -> String {
        let mut player = self.clone();
        if let PlayerKind::Builtin(builtin) = &mut player.kind {
            builtin.level = None;
        }
        player.to_string()
    }

    /// Returns the fingerprint of the evaluation's weights. `None` for a program.
    pub fn fingerprint(&self) -> Option<String> {
        let fingerprint = self.builtin()?.setup.settings.evaluator.fingerprint();
        Some(format!("{fingerprint:016x}"))
    }

    /// Returns the built-in player, or `None` for a program.
    pub fn builtin(&self) -> Option<&BuiltinSpec> {
        match &self.kind {
            PlayerKind::Builtin(builtin) => Some(builtin),
            PlayerKind::Program(_) => None,
        }
    }

    /// Returns its own clock, or `None` if it uses the clock of the match.
    pub fn clock(&self) -> Option<TimeControl> {
        self.clock
    }

    /// Returns whether its searches end even if the match has no clock.
    pub fn is_bounded(&self) -> bool {
        let has_limits = match &self.kind {
            PlayerKind::Builtin(BuiltinSpec { setup, .. }) => {
                setup.limits.is_bounded() || setup.play_settings.human.is_some()
            }
            PlayerKind::Program(program) => {
                program.protocol != Protocol::Uci || program.limits.is_bounded()
            }
        };
        has_limits || self.clock.is_some()
    }

    /// Creates the player.
    pub(crate) fn player(
        &self,
        context: &ProcessContext,
    ) -> Result<Box<dyn MatchPlayer>, OutOfMemory> {
        Ok(match &self.kind {
            PlayerKind::Builtin(BuiltinSpec { setup, .. }) => {
                let mut player = setup.player()?;
                let engine = player.stop_pondering();
                engine.set_interrupt(context.interrupt.clone());
                Box::new(Builtin {
                    player,
                    setup: setup.clone(),
                    keep: self.keep,
                    interrupt: context.interrupt.clone(),
                })
            }
            PlayerKind::Program(spec) => Box::new(Program::new(spec, self.keep, context)),
        })
    }
}

/// Returns whether `key` and the text after its `=` look like a pair before a command.
/// Otherwise they belong to the command, for example as environment variables.
fn is_before_command(key: &str, rest: &str) -> bool {
    let is_key = key.starts_with(OPTION) || key.chars().all(|letter| letter.is_ascii_lowercase());
    let end = rest.find(|letter: char| letter == ',' || letter.is_whitespace());
    is_key && end.is_some_and(|end| rest[end..].starts_with(','))
}

impl BuiltinSpec {
    /// Sets the engine option called `key`. With `has_eval`, an `eval` key of the same player named the
    /// evaluation, so that weights must be of that one.
    ///
    /// # Errors
    /// If there is no such key, or the value is invalid.
    fn set(&mut self, key: &str, value: &str, has_eval: bool) -> Result<(), String> {
        let eval = self.setup.settings.evaluator.name();
        let option = engine_options().find(|option| option.name() == key);
        let option = option.ok_or_else(|| {
            let names: Vec<&str> = engine_options().map(AnyOption::name).collect();
            let names = names.join(", ");
            format!("there is no such key (expected {names}, clock, name or keep)")
        })?;
        option.set_text(&mut self.setup, value)?;
        let settings = &self.setup.settings;
        match key {
            "level" => self.level = value.parse().ok(),
            "depth" => self.level = None,
            "hash" => {
                check_hash(settings.hash_mib).map_err(|error| error.to_string())?;
                self.hash_mib = Some(settings.hash_mib);
            }
            "eval" => self.weights = None,
            "weights" if has_eval && eval != settings.evaluator.name() => {
                let own = settings.evaluator.name();
                return Err(format!("these weights go with eval={own}"));
            }
            "weights" => self.weights = Some(value.to_owned()),
            _ => {}
        }
        Ok(())
    }

    /// Returns the keys with their values, and `clock` after the level or depth.
    fn pairs(&self, clock: Pair) -> [Pair; 13] {
        let Setup {
            settings,
            limits,
            play_settings,
        } = &self.setup;
        let human = play_settings.human;
        let level = human.map(Level::Human).or(self.level);
        let depth = limits.depth.filter(|_| level.is_none());
        let book = Some(&play_settings.book).filter(|book| **book != Book::Off);
        let seed = Some(play_settings.seed).filter(|_| human.is_some() || book.is_some());
        let book_error = Some(play_settings.book_error);
        let book_error = book_error.filter(|&error| error != PlaySettings::default().book_error);
        let eval = Some(settings.evaluator.name()).filter(|_| self.weights.is_none());
        let hash = Some(settings.hash_mib).filter(|&mib| mib != table_size(&self.setup));
        let threads = Some(settings.threads.get()).filter(|&count| count != 1);
        [
            pair("level", level),
            pair("seed", seed),
            pair("book", book),
            pair("book-error", book_error.map(Value::discs)),
            pair("depth", depth),
            clock,
            pair("nodes", limits.nodes),
            pair("exact", limits.solve_from_empties),
            pair("weights", self.weights.as_ref()),
            pair("eval", eval),
            pair("hash", hash),
            pair("selectivity", Some(settings.selectivity.percent())),
            pair("threads", threads),
        ]
    }
}

/// Key with its value. `None` if the value is not written.
type Pair = (&'static str, Option<String>);

fn pair(key: &'static str, value: Option<impl Display>) -> Pair {
    (key, value.map(|value| value.to_string()))
}

/// Returns the engine options that players have: all except pondering.
fn engine_options() -> impl Iterator<Item = &'static dyn AnyOption> {
    let all = options::ALL.into_iter();
    all.filter(|option| option.name() != PONDER.name)
}

/// Returns the size of the transposition table for searches with these limits, in MiB.
/// The table is cleared before each game, so shallow searches use a small one.
fn table_size(setup: &Setup) -> usize {
    let limits = setup.limits.clone().at_level();
    let depth = limits.depth.unwrap_or(60);
    match (depth, limits.solve_from_empties.unwrap_or(0)) {
        _ if setup.play_settings.human.is_some() => 8,
        (..=6, ..=12) => 1,
        (..=10, ..=16) => 8,
        _ if limits.nodes.is_some_and(|nodes| nodes <= 100_000) => 8,
        _ => 64,
    }
}

/// Writes the specification so that it reads back as the same player in a match without options.
/// Values that such a match has by default are left out, except for the selectivity.
impl Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = match self.clock {
            Some(TimeControl::PerMove(time)) => pair("time", Some(time.as_secs_f64())),
            Some(TimeControl::Clock { left, increment }) => {
                let [left, increment] = [left, increment].map(|time| time.as_secs_f64());
                pair("clock", Some(format!("{left}+{increment}")))
            }
            None => ("clock", None),
        };
        let keep = Some("yes").filter(|_| self.keep);
        let mut pairs = vec![pair("name", self.name.as_ref()), pair("keep", keep)];
        let (mut kind, mut rest) = ("builtin", Vec::new());
        match &self.kind {
            PlayerKind::Builtin(builtin) => pairs.extend(builtin.pairs(clock)),
            PlayerKind::Program(program) => {
                pairs.push(clock);
                kind = program.protocol.name();
                let options = program.of_match.iter().chain(&program.options);
                rest.extend(options.map(|(name, value)| format!("{OPTION}{name}={value}")));
                rest.push(program.command.clone());
            }
        }
        let pairs = pairs.into_iter();
        let pairs = pairs.filter_map(|(key, value)| Some(format!("{key}={}", value?)));
        let parts: Vec<String> = pairs.chain(rest).collect();
        write!(f, "{kind}:{}", parts.join(","))
    }
}

#[cfg(test)]
mod tests;
