//! Player specifications, parsed from and written to text.
//!
//! Forms: `builtin:depth=8,eval=classic`, `gtp:name=Rhino,gtp-rhino`, `nboard:COMMAND`,
//! `uci:option.Hash=64,COMMAND`. The keys of `builtin` are the table of
//! [`options`](emilia_player::options).

use std::fmt;

use super::builtin::Builtin;
use crate::{MatchError, parse_clock};
use emilia_book::Book;
use emilia_core::board::excerpt;
use emilia_core::search::{
    Engine, Limits, OutOfMemory, Settings, Techniques, TimeControl, check_hash,
};
use emilia_core::work::StopFlag;
use emilia_player::options::{
    self, AnyOption, BOOK_ERROR, DEPTH, EVAL, HASH, LEVEL, PONDER, TIME, Target, WEIGHTS,
};
use emilia_player::{Level, PlaySettings, Player};
use emilia_protocol::{MatchPlayer, ProcessContext, Program, Protocol};

/// Settings of players whose specification does not set them.
#[derive(Clone, Debug)]
pub struct PlayerDefaults {
    /// Settings of the engine. [`hash_mib`](PlayerDefaults::hash_mib) replaces their table size.
    pub settings: Settings,
    /// Weights file of the evaluation, if it is not an embedded one.
    pub weights: Option<String>,
    /// Transposition table in MiB. `None` derives the size from the limits.
    pub hash_mib: Option<usize>,
    /// Limits of each search.
    pub limits: Limits,
    /// Level that the limits come from, if any.
    pub level: Option<Level>,
    /// Human level, random seed and pondering.
    pub play_settings: PlaySettings,
}

/// Specification of a player. Each worker creates its own players from it.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// The text it was parsed from.
    written: String,
    common: CommonKeys,
    kind: PlayerKind,
}

/// Values of the keys that every player has.
#[derive(Clone, Debug, Default)]
struct CommonKeys {
    /// Keys parsed so far, those of the kind included.
    given: Vec<String>,
    name: Option<String>,
    /// Whether the player keeps its memory, such as its transposition table, from game to game.
    keep: bool,
    /// Its own clock. `None` uses the clock of the match.
    clock: Option<TimeControl>,
}

#[derive(Clone, Debug)]
enum PlayerKind {
    Builtin(BuiltinSpec),
    Program(ProgramSpec),
}

/// Emilia's own engine.
#[derive(Clone, Debug)]
struct BuiltinSpec {
    settings: Settings,
    /// Limits of each search.
    limits: Limits,
    /// Level that the limits come from, if any.
    level: Option<Level>,
    /// Human level, random seed and pondering.
    play_settings: PlaySettings,
    /// Weights file of its evaluation, if one was given.
    weights: Option<String>,
}

/// Program that speaks a protocol.
#[derive(Clone, Debug)]
struct ProgramSpec {
    protocol: Protocol,
    /// Shell command that starts it.
    command: String,
    /// UCI options as names and values, from `option.NAME=VALUE`.
    options: Vec<(String, String)>,
    /// Limits sent to the program, as far as its protocol has them.
    limits: Limits,
}

impl PlayerSpec {
    /// Parses a specification.
    ///
    /// ```
    /// use emilia_arena::{PlayerDefaults, PlayerSpec};
    /// use emilia_core::eval::Classic;
    /// use emilia_player::PlaySettings;
    /// use emilia_core::search::{Limits, Settings};
    ///
    /// let defaults = PlayerDefaults {
    ///     settings: Settings::default().with_evaluator(Classic),
    ///     weights: None,
    ///     hash_mib: None,
    ///     limits: Limits::default(),
    ///     level: None,
    ///     play_settings: PlaySettings::default(),
    /// };
    /// let player = PlayerSpec::parse("builtin:depth=8,off=killers", &defaults).unwrap();
    /// assert_eq!(player.to_string(), "builtin:depth=8,eval=classic,selectivity=73,off=killers");
    /// assert!(PlayerSpec::parse("builtin:dept=8", &defaults).is_err());
    /// ```
    ///
    /// # Errors
    /// Returns an error for an unknown kind of player, an unknown key or an invalid value.
    pub fn parse(text: &str, defaults: &PlayerDefaults) -> Result<PlayerSpec, MatchError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut common = CommonKeys::default();
        let kind = if kind == "builtin" {
            PlayerKind::Builtin(BuiltinSpec::parse(rest, &mut common, defaults)?)
        } else {
            let mut protocols = Protocol::ALL.into_iter();
            let found = protocols.find(|protocol| protocol.name() == kind);
            let protocol = found.ok_or_else(|| {
                MatchError(format!(
                    "'{}' is no player (expected builtin:KEY=VALUE,..., gtp:COMMAND, \
                     nboard:COMMAND or uci:COMMAND)",
                    excerpt(text)
                ))
            })?;
            let limits = defaults.limits.clone();
            PlayerKind::Program(ProgramSpec::parse(protocol, rest, &mut common, limits)?)
        };
        Ok(PlayerSpec {
            written: text.trim().to_owned(),
            common,
            kind,
        })
    }

    /// Returns the given name, or else the text it was parsed from.
    pub fn name(&self) -> &str {
        self.common.name.as_ref().unwrap_or(&self.written)
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
        let builtin = self.builtin()?;
        let fingerprint = builtin.settings.evaluator.fingerprint();
        Some(format!("{fingerprint:016x}"))
    }

    /// Returns whether the player runs in its own process.
    pub fn is_program(&self) -> bool {
        self.builtin().is_none()
    }

    /// Returns the weights file of its evaluation, if one was given.
    pub fn weights(&self) -> Option<&str> {
        self.builtin()?.weights.as_deref()
    }

    /// Returns its own clock, or `None` if it uses that of the match.
    pub fn clock(&self) -> Option<TimeControl> {
        self.common.clock
    }

    /// Returns whether its searches end even if the match has no clock.
    pub fn is_bounded(&self) -> bool {
        let has_limits = match &self.kind {
            PlayerKind::Builtin(builtin) => {
                builtin.limits.is_bounded() || builtin.play_settings.human.is_some()
            }
            PlayerKind::Program(program) => {
                program.protocol != Protocol::Uci || program.limits.is_bounded()
            }
        };
        has_limits || self.common.clock.is_some()
    }

    fn builtin(&self) -> Option<&BuiltinSpec> {
        match &self.kind {
            PlayerKind::Builtin(builtin) => Some(builtin),
            PlayerKind::Program(_) => None,
        }
    }

    /// Creates the player.
    ///
    /// # Errors
    /// Returns an error if the transposition table does not fit in memory.
    ///
    /// # Panics
    /// If the player is a program and `context` is `None`.
    pub fn player(
        &self,
        interrupt: &StopFlag,
        context: Option<&ProcessContext>,
    ) -> Result<Box<dyn MatchPlayer>, OutOfMemory> {
        let keep = self.common.keep;
        Ok(match &self.kind {
            PlayerKind::Builtin(spec) => {
                let mut engine = Engine::try_new(spec.settings.clone())?;
                engine.set_interrupt(interrupt.clone());
                Box::new(Builtin {
                    player: Player::new(engine),
                    limits: spec.limits.clone(),
                    play_settings: spec.play_settings.clone(),
                    keep,
                    interrupt: interrupt.clone(),
                })
            }
            PlayerKind::Program(spec) => {
                let context = context.expect("a match with a program has a context of processes");
                let (context, client) = (
                    context.clone(),
                    spec.protocol.client(&spec.limits, &spec.options),
                );
                Box::new(Program::new(&spec.command, keep, context, client))
            }
        })
    }
}

impl CommonKeys {
    /// Sets a key that every player has. Returns false if it is none of them.
    ///
    /// # Errors
    /// If the value is invalid, or any key is given twice. The text is what was expected.
    fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        /// Maximum length of a player's name, in characters.
        const MAX_NAME: usize = 40;
        if self.given.iter().any(|given| given == key) {
            return Err(format!("{} is given twice", excerpt(key)));
        }
        self.given.push(key.to_owned());
        match (key, value) {
            ("name", name) => {
                let is_fit = (1..=MAX_NAME).contains(&name.chars().count());
                if !is_fit || name.contains(char::is_control) {
                    return Err(format!(
                        "expected a name of 1 to {MAX_NAME} visible characters"
                    ));
                }
                self.name = Some(name.to_owned());
            }
            ("keep", "yes" | "no") => self.keep = value == "yes",
            ("keep", _) => return Err("expected yes or no".to_owned()),
            ("time" | "clock", _) if self.clock.is_some() => {
                return Err("expected one time or clock".to_owned());
            }
            ("time", _) => {
                let time = TIME.parse(value).map_err(|error| error.expectation())?;
                self.clock = Some(TimeControl::PerMove(time));
            }
            ("clock", _) => {
                let clock = parse_clock(value).map_err(|error| error.to_string())?;
                self.clock = Some(clock);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the key and value of the player's own clock.
    fn clock_pair(&self) -> Option<String> {
        Some(match self.clock? {
            TimeControl::PerMove(time) => format!("time={}", time.as_secs_f64()),
            TimeControl::Clock { left, increment } => {
                let [left, increment] = [left, increment].map(|time| time.as_secs_f64());
                format!("clock={left}+{increment}")
            }
        })
    }
}

/// Returns the error for a key and its value.
fn wrong_value(kind: &str, key: &str, value: &str, why: &str) -> MatchError {
    let [key, value] = [key, value].map(excerpt);
    MatchError(format!("{kind} player: {key}={value}: {why}"))
}

/// Prefix of the keys that set UCI options.
const OPTION: &str = "option.";

impl ProgramSpec {
    /// Parses the text after `KIND:`, such as `name=NAME,keep=yes,time=1,COMMAND`.
    fn parse(
        protocol: Protocol,
        text: &str,
        common: &mut CommonKeys,
        limits: Limits,
    ) -> Result<ProgramSpec, MatchError> {
        let (kind, is_uci) = (protocol.name(), protocol == Protocol::Uci);
        let mut options = Vec::new();
        let mut command = text.trim();
        while let Some((key, rest)) = command.split_once('=') {
            let is_before_command = is_before_command(key, rest);
            let (value, rest) = rest.split_once(',').unwrap_or((rest, ""));
            let value = value.trim();
            let wrong = |why: &str| wrong_value(kind, key, value, why);
            if !common.set(key, value).map_err(|why| wrong(&why))? {
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
            return Err(MatchError(format!(
                "'{kind}:{}': expected a command, as in {kind}:COMMAND or {kind}:name=NAME,COMMAND",
                excerpt(text)
            )));
        }
        Ok(ProgramSpec {
            protocol,
            command: command.to_owned(),
            options,
            limits,
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
    /// Parses the key-value pairs after `builtin:`.
    fn parse(
        text: &str,
        common: &mut CommonKeys,
        defaults: &PlayerDefaults,
    ) -> Result<BuiltinSpec, MatchError> {
        let mut spec = BuiltinSpec {
            settings: defaults.settings.clone(),
            limits: defaults.limits.clone(),
            level: defaults.level,
            play_settings: defaults.play_settings.clone(),
            weights: defaults.weights.clone(),
        };
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let [key, value] = [key, value].map(str::trim);
            let wrong = |why: String| wrong_value("builtin", key, value, &why);
            if common.set(key, value).map_err(wrong)? {
                continue;
            }
            if key == "off" {
                let off = techniques(value).ok_or_else(|| {
                    let all = technique_names(Techniques::all());
                    wrong(format!(
                        "expected techniques with + between them, of: {all}"
                    ))
                })?;
                spec.settings.techniques -= off;
                continue;
            }
            let mut options = engine_options();
            let option = options.find(|option| option.name() == key);
            let option = option.ok_or_else(|| {
                let names: Vec<&str> = engine_options().map(AnyOption::name).collect();
                MatchError(format!(
                    "builtin player: unknown key '{}' (expected {}, clock, off, name or keep)",
                    excerpt(key),
                    names.join(", ")
                ))
            })?;
            let has_eval = common.given.iter().any(|given| given == EVAL.name);
            spec.set(option, value, has_eval).map_err(wrong)?;
        }
        if !common.given.iter().any(|given| given == HASH.name) {
            let derived = table_size(&spec.limits, &spec.play_settings);
            spec.settings.hash_mib = defaults.hash_mib.unwrap_or(derived);
        }
        Ok(spec)
    }

    /// Sets an engine option. `has_eval` is whether the evaluation was set by its name.
    ///
    /// # Errors
    /// If the value is invalid. The text is the expected form, or what is wrong.
    fn set(&mut self, option: &dyn AnyOption, value: &str, has_eval: bool) -> Result<(), String> {
        let eval = self.settings.evaluator.name();
        let mut target = Target {
            settings: &mut self.settings,
            limits: &mut self.limits,
            play_settings: &mut self.play_settings,
        };
        let set = option.set_text(&mut target, value);
        set.map_err(|error| error.expectation())?;
        if option.name() == LEVEL.name {
            self.level = LEVEL.parse(value).ok();
        } else if option.name() == DEPTH.name {
            self.level = None;
        } else if option.name() == HASH.name {
            check_hash(self.settings.hash_mib).map_err(|error| error.to_string())?;
        } else if option.name() == EVAL.name {
            self.weights = None;
        } else if option.name() == WEIGHTS.name {
            let own = self.settings.evaluator.name();
            if has_eval && eval != own {
                return Err(format!("these weights go with eval={own}"));
            }
            self.weights = Some(value.to_owned());
        }
        Ok(())
    }
}

/// Returns the engine options that players have: all except pondering.
fn engine_options() -> impl Iterator<Item = &'static dyn AnyOption> {
    let all = options::ALL.into_iter();
    all.filter(|option| option.name() != PONDER.name)
}

/// Parses the names of techniques, separated by `+`.
fn techniques(names: &str) -> Option<Techniques> {
    let names = names.split('+').map(str::to_ascii_uppercase);
    names.map(|name| Techniques::from_name(&name)).collect()
}

/// Formats techniques as [`techniques`] parses them.
fn technique_names(techniques: Techniques) -> String {
    let names = techniques
        .iter_names()
        .map(|(name, _)| name.to_ascii_lowercase());
    names.collect::<Vec<_>>().join("+")
}

/// Returns the size of the transposition table for searches with these limits, in MiB.
/// The table is cleared before each game, so shallow searches use a small one.
fn table_size(limits: &Limits, play_settings: &PlaySettings) -> usize {
    let limits = limits.clone().at_level();
    let nodes = limits.nodes.unwrap_or(u64::MAX);
    match (
        limits.depth.unwrap_or(60),
        limits.solve_from_empties.unwrap_or(0),
    ) {
        _ if play_settings.human.is_some() => 8,
        (..=6, ..=12) => 1,
        (..=10, ..=16) => 8,
        _ if nodes <= 100_000 => 8,
        _ => 64,
    }
}

/// Writes the specification so that it reads back as the same player in a match without options.
/// Values that such a match has by default are left out, except for the selectivity.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.common.name.iter().map(|name| format!("name={name}"));
        let keep = self.common.keep.then(|| "keep=yes".to_owned());
        let mut pairs: Vec<String> = name.chain(keep).collect();
        let clock = self.common.clock_pair();
        let kind = match &self.kind {
            PlayerKind::Builtin(builtin) => {
                builtin.add_pairs(clock, &mut pairs);
                "builtin"
            }
            PlayerKind::Program(program) => {
                pairs.extend(clock);
                let options = program.options.iter();
                pairs.extend(options.map(|(name, value)| format!("{OPTION}{name}={value}")));
                pairs.push(program.command.clone());
                program.protocol.name()
            }
        };
        write!(f, "{kind}:{}", pairs.join(","))
    }
}

impl BuiltinSpec {
    /// Appends the keys and values, with `clock` after the level or depth.
    fn add_pairs(&self, clock: Option<String>, pairs: &mut Vec<String>) {
        let (settings, limits) = (&self.settings, &self.limits);
        let PlaySettings {
            human,
            seed,
            ref book,
            book_error,
            ..
        } = self.play_settings;
        let level = human.map(Level::Human).or(self.level);
        let depth = limits.depth.filter(|_| level.is_none());
        pairs.extend(level.map(|level| format!("level={level}")));
        if human.is_some() || *book != Book::Off {
            pairs.push(format!("seed={seed}"));
        }
        if *book != Book::Off {
            pairs.push(format!("book={book}"));
        }
        if book_error != PlaySettings::default().book_error {
            pairs.push(format!("{}={}", BOOK_ERROR.name, book_error.discs()));
        }
        pairs.extend(depth.map(|depth| format!("depth={depth}")));
        pairs.extend(clock);
        pairs.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
        let exact = limits.solve_from_empties;
        pairs.extend(exact.map(|empties| format!("exact={empties}")));
        pairs.push(match &self.weights {
            Some(file) => format!("weights={file}"),
            None => format!("eval={}", settings.evaluator.name()),
        });
        if settings.hash_mib != table_size(limits, &self.play_settings) {
            pairs.push(format!("hash={}", settings.hash_mib));
        }
        pairs.push(format!("selectivity={}", settings.selectivity.percent()));
        if settings.threads.get() != 1 {
            pairs.push(format!("threads={}", settings.threads));
        }
        let off = Techniques::all() - settings.techniques;
        if !off.is_empty() {
            pairs.push(format!("off={}", technique_names(off)));
        }
    }
}

#[cfg(test)]
mod tests;
