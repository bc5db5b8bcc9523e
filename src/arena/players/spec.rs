//! Player specifications, parsed from and written to text.
//!
//! Forms: `builtin:depth=8,eval=classic`, `gtp:name=Rhino,gtp-rhino`, `nboard:COMMAND`,
//! `uci:option.Hash=64,COMMAND`.

use std::fmt;
use std::num::NonZero;

use super::builtin::Builtin;
use super::gtp::Gtp;
use super::nboard::NBoard;
use super::uci::{Uci, UciSetup};
use super::{Player, ProcessContext};
use crate::arena::Clock;
use crate::board::excerpt;
use crate::eval::AnyEvaluator;
use crate::player::options::{
    self, AnyOption, DEPTH, EVAL, HASH, LEVEL, PONDER, TIME, Target, WEIGHTS,
};
use crate::player::{Level, PlaySettings};
use crate::search::{Limits, OutOfMemory, Selectivity, Settings, Techniques, check_hash};
use crate::work::StopFlag;

/// Settings of players whose specification does not set them.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// Static evaluation.
    pub evaluator: AnyEvaluator,
    /// Transposition table in MiB. `None` derives the size from the limits.
    pub hash_mib: Option<usize>,
    /// Number of threads of a search.
    pub threads: NonZero<usize>,
    /// Limits of each search.
    pub limits: Limits,
    /// Level that the limits come from, if any.
    pub level: Option<Level>,
    /// Human level, random seed and pondering.
    pub play_settings: PlaySettings,
    /// Selectivity of the search.
    pub selectivity: Selectivity,
}

/// Specification of a player. Each worker creates its own players from it.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// The text it was parsed from.
    written: String,
    name: Option<String>,
    /// Whether the player keeps its memory, such as its transposition table, from game to game.
    keep: bool,
    /// Its own clock. `None` uses the clock of the match.
    clock: Option<Clock>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Emilia's own engine.
    Builtin {
        settings: Settings,
        /// Limits of each search.
        limits: Limits,
        /// Level that the limits come from, if any.
        level: Option<Level>,
        /// Human level, random seed and pondering.
        play_settings: PlaySettings,
        /// Weights file of its evaluation, if one was given.
        weights: Option<String>,
    },
    /// Shell command of a program that speaks GTP.
    Gtp(String),
    /// Shell command of a program that speaks the NBoard protocol.
    NBoard {
        command: String,
        /// Depth sent with `set depth`, in plies.
        depth: Option<u32>,
    },
    /// Shell command of a program that speaks UCI, with its options and limits.
    Uci { command: String, setup: UciSetup },
}

/// Why a text is not a player specification, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

/// Maximum length of a player's name, in characters.
const LONGEST_NAME: usize = 40;

impl PlayerSpec {
    /// Parses a specification.
    ///
    /// ```
    /// use emilia::arena::{Defaults, PlayerSpec};
    /// use emilia::eval::Classic;
    /// use emilia::player::PlaySettings;
    /// use emilia::search::{Limits, Selectivity};
    ///
    /// let defaults = Defaults {
    ///     evaluator: Classic.into(),
    ///     hash_mib: None,
    ///     threads: std::num::NonZero::<usize>::MIN,
    ///     limits: Limits::default(),
    ///     level: None,
    ///     play_settings: PlaySettings::default(),
    ///     selectivity: Selectivity::P100,
    /// };
    /// let player = PlayerSpec::parse("builtin:depth=8,off=killers+history", &defaults).unwrap();
    /// assert_eq!(player.to_string(), "builtin:depth=8,eval=classic,off=killers+history");
    /// assert!(PlayerSpec::parse("builtin:dept=8", &defaults).is_err());
    /// ```
    ///
    /// # Errors
    /// Returns an error for an unknown kind of player, an unknown key or an invalid value.
    pub fn parse(text: &str, defaults: &Defaults) -> Result<PlayerSpec, SpecError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let program = |kind_of: &dyn Fn(Program) -> Kind| {
            let mut program = Program::parse(kind, rest)?;
            Ok(PlayerSpec {
                written: text.trim().to_owned(),
                name: program.name.take(),
                keep: program.keep,
                clock: program.clock,
                kind: kind_of(program),
            })
        };
        match kind {
            "builtin" => builtin(text, rest, defaults),
            "gtp" => program(&|program| Kind::Gtp(program.command)),
            "nboard" => program(&|program| Kind::NBoard {
                command: program.command,
                depth: defaults.limits.depth,
            }),
            "uci" => program(&|program| Kind::Uci {
                command: program.command,
                setup: UciSetup {
                    options: program.options,
                    limits: defaults.limits.clone(),
                },
            }),
            _ => Err(SpecError(format!(
                "'{}' is no player (expected builtin:KEY=VALUE,..., gtp:COMMAND, \
                 nboard:COMMAND or uci:COMMAND)",
                excerpt(text)
            ))),
        }
    }

    /// Returns the given name, or else the text it was parsed from.
    pub fn name(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.written)
    }

    /// Returns the canonical text of the player, in which a level is replaced by its depth.
    /// Players that play alike have the same identity, however they were written.
    pub fn identity(&self) -> String {
        let mut player = self.clone();
        if let Kind::Builtin { level, .. } = &mut player.kind {
            *level = None;
        }
        player.to_string()
    }

    /// Returns the fingerprint of the evaluation's weights. `None` for a program.
    pub fn fingerprint(&self) -> Option<String> {
        match &self.kind {
            Kind::Builtin { settings, .. } => {
                Some(format!("{:016x}", settings.evaluator.fingerprint()))
            }
            _ => None,
        }
    }

    /// Returns whether the player runs in its own process.
    pub fn is_program(&self) -> bool {
        !matches!(self.kind, Kind::Builtin { .. })
    }

    /// Returns the weights file of its evaluation, if one was given.
    pub fn weights(&self) -> Option<&str> {
        match &self.kind {
            Kind::Builtin { weights, .. } => weights.as_deref(),
            _ => None,
        }
    }

    /// Returns its own clock, or `None` if it uses that of the match.
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// Returns whether its searches end even if the match has no clock.
    pub fn is_bounded(&self) -> bool {
        let has_limits = match &self.kind {
            Kind::Builtin {
                limits,
                play_settings,
                ..
            } => limits.is_bounded() || play_settings.human.is_some(),
            Kind::Uci { setup, .. } => setup.limits.is_bounded(),
            Kind::Gtp(_) | Kind::NBoard { .. } => true,
        };
        has_limits || self.clock.is_some()
    }

    /// Creates the player. Returns `None` for a program if `context` is `None`.
    ///
    /// # Errors
    /// Returns an error if the transposition table does not fit in memory.
    pub(in crate::arena) fn player(
        &self,
        interrupt: &StopFlag,
        context: Option<&ProcessContext>,
    ) -> Result<Option<Box<dyn Player>>, OutOfMemory> {
        let keep = self.keep;
        let programs = || context.cloned();
        Ok(match &self.kind {
            Kind::Builtin {
                settings,
                limits,
                play_settings,
                ..
            } => {
                let (settings, limits) = (settings.clone(), limits.clone());
                let builtin = Builtin::new(settings, limits, *play_settings, keep, interrupt)?;
                Some(Box::new(builtin))
            }
            Kind::Gtp(command) => programs()
                .map(|context| -> Box<dyn Player> { Box::new(Gtp::new(command, keep, context)) }),
            Kind::NBoard { command, depth } => programs().map(|context| -> Box<dyn Player> {
                Box::new(NBoard::new(command, *depth, keep, context))
            }),
            Kind::Uci { command, setup } => programs().map(|context| -> Box<dyn Player> {
                Box::new(Uci::new(command, setup.clone(), keep, context))
            }),
        })
    }
}

/// Specification of a program: `name=NAME,keep=yes,time=1,COMMAND`.
#[derive(Debug, Default)]
struct Program {
    name: Option<String>,
    keep: bool,
    clock: Option<Clock>,
    /// UCI options as names and values, from `option.NAME=VALUE`.
    options: Vec<(String, String)>,
    command: String,
}

/// Prefix of the keys that set UCI options.
const OPTION: &str = "option.";

impl Program {
    /// Parses the text after `kind:`.
    fn parse(kind: &str, text: &str) -> Result<Program, SpecError> {
        let mut program = Program::default();
        let mut given = Vec::new();
        let mut command = text.trim();
        while let Some((key, rest)) = command.split_once('=') {
            let looks_like_key = is_before_command(key, rest);
            let (value, rest) = rest.split_once(',').unwrap_or((rest, ""));
            let wrong = |why: &str| {
                let [key, value] = [key, value].map(excerpt);
                SpecError(format!("'{kind}' player: {key}={value}: {why}"))
            };
            let refuse = |expected: &str| wrong(&format!("expected {expected}"));
            if given.contains(&key) {
                return Err(wrong(&given_twice(key)));
            }
            given.push(key);
            match key {
                "name" => {
                    program.name = Some(player_name(value).map_err(|expected| refuse(&expected))?);
                }
                "keep" => program.keep = yes_or_no(value).ok_or_else(|| refuse(YES_OR_NO))?,
                "time" | "clock" => {
                    let clock = own_clock(key, value, program.clock).map_err(|why| wrong(&why))?;
                    program.clock = Some(clock);
                }
                _ => match key.strip_prefix(OPTION).filter(|_| kind == "uci") {
                    Some(name) if name.trim().is_empty() => {
                        return Err(wrong("expected the name of an option"));
                    }
                    // Name and value become part of a protocol line.
                    Some(name)
                        if [name, value]
                            .iter()
                            .any(|text| text.contains(char::is_control)) =>
                    {
                        return Err(wrong("expected no control characters"));
                    }
                    Some(name) => program.options.push((name.to_owned(), value.to_owned())),
                    None if looks_like_key => {
                        let options = ["", " or option.NAME"][usize::from(kind == "uci")];
                        return Err(wrong(&format!(
                            "expected name, keep, time, clock{options} before a command"
                        )));
                    }
                    None => break,
                },
            }
            command = rest.trim();
        }
        if command.is_empty() {
            return Err(SpecError(format!(
                "'{kind}:{}': expected a command, as in {kind}:COMMAND or {kind}:name=NAME,COMMAND",
                excerpt(text)
            )));
        }
        command.clone_into(&mut program.command);
        Ok(program)
    }
}

/// Returns whether `key` and the text after its `=` look like a pair before a command.
/// Otherwise they belong to the command, for example as environment variables.
fn is_before_command(key: &str, rest: &str) -> bool {
    let is_key = key.starts_with(OPTION) || key.chars().all(|letter| letter.is_ascii_lowercase());
    let end = rest.find(|letter: char| letter == ',' || letter.is_whitespace());
    is_key && end.is_some_and(|end| rest[end..].starts_with(','))
}

/// Parses a player's name. The error is the expected form.
fn player_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    let is_fit = (1..=LONGEST_NAME).contains(&name.chars().count());
    if is_fit && !name.contains(char::is_control) {
        Ok(name.to_owned())
    } else {
        Err(format!("a name of 1 to {LONGEST_NAME} visible characters"))
    }
}

/// Returns the error message for a key that occurs twice.
fn given_twice(key: &str) -> String {
    format!("{} is given twice", excerpt(key))
}

/// Expected values of `keep`.
const YES_OR_NO: &str = "yes or no";

fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim() {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// Parses the clock of the key `time` or `clock`. `before` is the clock of an earlier key.
fn own_clock(key: &str, value: &str, before: Option<Clock>) -> Result<Clock, String> {
    if before.is_some() {
        return Err("expected one time or clock".to_owned());
    }
    let value = value.trim();
    if key == TIME.name {
        let time = TIME.parse(value).map_err(|error| error.expectation())?;
        Ok(Clock::PerMove(time))
    } else {
        value.parse::<Clock>().map_err(|error| error.to_string())
    }
}

/// Returns the key and value of a player's own clock. `None` if it is unlimited.
fn written(clock: Clock) -> Option<String> {
    match clock {
        Clock::Unlimited => None,
        Clock::PerMove(time) => Some(format!("time={}", time.as_secs_f64())),
        Clock::Game { main, increment } => Some(format!(
            "clock={}+{}",
            main.as_secs_f64(),
            increment.as_secs_f64()
        )),
    }
}

/// Parses the key-value `pairs` of a built-in player. `text` is the whole specification.
fn builtin(text: &str, pairs: &str, defaults: &Defaults) -> Result<PlayerSpec, SpecError> {
    let mut reader = BuiltinReader::new(defaults);
    for pair in pairs.split(',').filter(|pair| !pair.trim().is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        reader.set(key.trim(), value.trim())?;
    }
    Ok(reader.finish(text.trim()))
}

/// Parser state of a built-in player.
struct BuiltinReader {
    /// Keys parsed so far.
    given: Vec<String>,
    name: Option<String>,
    keep: bool,
    clock: Option<Clock>,
    settings: Settings,
    limits: Limits,
    level: Option<Level>,
    play_settings: PlaySettings,
    /// Whether the size of the transposition table is given.
    has_hash: bool,
    /// Name of the evaluation, if one is given.
    eval: Option<&'static str>,
    weights: Option<String>,
}

impl BuiltinReader {
    fn new(defaults: &Defaults) -> BuiltinReader {
        let mut settings = Settings::default()
            .with_evaluator(defaults.evaluator.clone())
            .with_selectivity(defaults.selectivity)
            .with_threads(defaults.threads);
        if let Some(mib) = defaults.hash_mib {
            settings.hash_mib = mib;
        }
        BuiltinReader {
            given: Vec::new(),
            name: None,
            keep: false,
            clock: None,
            settings,
            limits: defaults.limits.clone(),
            level: defaults.level,
            play_settings: defaults.play_settings,
            has_hash: defaults.hash_mib.is_some(),
            eval: None,
            weights: None,
        }
    }

    /// Sets the key to the value.
    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let shown = excerpt(value);
        let wrong = |why: &str| SpecError(format!("builtin player: {key}={shown}: {why}"));
        let refuse = |expected: &str| wrong(&format!("expected {expected}"));
        if self.given.iter().any(|given| given == key) {
            return Err(wrong(&given_twice(key)));
        }
        self.given.push(key.to_owned());
        match key {
            "off" => {
                let off = techniques(value).ok_or_else(|| refuse(&all_techniques()))?;
                self.settings.techniques -= off;
            }
            "name" => self.name = Some(player_name(value).map_err(|expected| refuse(&expected))?),
            "keep" => self.keep = yes_or_no(value).ok_or_else(|| refuse(YES_OR_NO))?,
            "time" | "clock" => {
                let clock = own_clock(key, value, self.clock).map_err(|why| wrong(&why))?;
                self.clock = Some(clock);
            }
            _ => {
                let option = engine_options().find(|option| option.name() == key);
                let option = option.ok_or_else(|| unknown(key))?;
                self.set_engine(option, value).map_err(|why| wrong(&why))?;
            }
        }
        Ok(())
    }

    /// Sets an engine option. The error is the expected form, or what is wrong.
    fn set_engine(&mut self, option: &dyn AnyOption, value: &str) -> Result<(), String> {
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
            self.has_hash = true;
        } else if option.name() == EVAL.name {
            self.eval = Some(self.settings.evaluator.name());
            self.weights = None;
        } else if option.name() == WEIGHTS.name {
            let own = self.settings.evaluator.name();
            if self.eval.is_some_and(|eval| eval != own) {
                return Err(format!("these weights go with eval={own}"));
            }
            self.weights = Some(value.to_owned());
        }
        Ok(())
    }

    /// Returns the specification. A table size that was not given is derived from the limits.
    fn finish(mut self, written: &str) -> PlayerSpec {
        if !self.has_hash {
            self.settings.hash_mib = table_size(&self.limits, self.play_settings);
        }
        PlayerSpec {
            written: written.to_owned(),
            name: self.name,
            keep: self.keep,
            clock: self.clock,
            kind: Kind::Builtin {
                settings: self.settings,
                limits: self.limits,
                level: self.level,
                play_settings: self.play_settings,
                weights: self.weights,
            },
        }
    }
}

/// Returns the engine options that players have: all except pondering.
fn engine_options() -> impl Iterator<Item = &'static dyn AnyOption> {
    let all = options::ALL.into_iter();
    all.filter(|option| option.name() != PONDER.name)
}

fn unknown(key: &str) -> SpecError {
    let names: Vec<&str> = engine_options().map(AnyOption::name).collect();
    SpecError(format!(
        "builtin player: unknown key '{}' (expected {}, clock, off, name or keep)",
        excerpt(key),
        names.join(", ")
    ))
}

/// Parses the names of techniques, separated by `+`.
fn techniques(names: &str) -> Option<Techniques> {
    let names = names.split('+').map(str::to_ascii_uppercase);
    names.map(|name| Techniques::from_name(&name)).collect()
}

fn all_techniques() -> String {
    format!(
        "techniques with + between them, of: {}",
        names(Techniques::all())
    )
}

fn names(techniques: Techniques) -> String {
    let names = techniques
        .iter_names()
        .map(|(name, _)| name.to_ascii_lowercase());
    names.collect::<Vec<_>>().join("+")
}

/// Transposition table for searches of human levels, in MiB.
const HUMAN_TABLE_MIB: usize = 8;

/// Returns the size of the transposition table for searches with these limits, in MiB.
/// The table is cleared before each game, so shallow searches use a small one.
fn table_size(limits: &Limits, play_settings: PlaySettings) -> usize {
    if play_settings.human.is_some() {
        return HUMAN_TABLE_MIB;
    }
    let limits = limits.clone().at_level();
    let nodes = limits.nodes.unwrap_or(u64::MAX);
    match (
        limits.depth.unwrap_or(60),
        limits.solve_from_empties.unwrap_or(0),
    ) {
        (..=6, ..=12) => 1,
        (..=10, ..=16) => 8,
        _ if nodes <= 100_000 => 8,
        _ => 64,
    }
}

/// Writes the specification so that it can be parsed again. Default values are left out.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs = Vec::new();
        pairs.extend(self.name.as_ref().map(|name| format!("name={name}")));
        pairs.extend(self.keep.then(|| "keep=yes".to_owned()));
        let clock = self.clock.and_then(written);
        let (settings, limits, level, play_settings, weights) = match &self.kind {
            Kind::Builtin {
                settings,
                limits,
                level,
                play_settings,
                weights,
            } => (settings, limits, level, play_settings, weights),
            Kind::Gtp(command) => {
                pairs.extend(clock);
                pairs.push(command.clone());
                return write!(f, "gtp:{}", pairs.join(","));
            }
            Kind::NBoard { command, .. } => {
                pairs.extend(clock);
                pairs.push(command.clone());
                return write!(f, "nboard:{}", pairs.join(","));
            }
            Kind::Uci { command, setup } => {
                pairs.extend(clock);
                let options = setup.options.iter();
                pairs.extend(options.map(|(name, value)| format!("{OPTION}{name}={value}")));
                pairs.push(command.clone());
                return write!(f, "uci:{}", pairs.join(","));
            }
        };
        match (play_settings.human, level) {
            (Some(human), _) => {
                pairs.extend([
                    format!("level={human}"),
                    format!("seed={}", play_settings.seed),
                ]);
            }
            (None, Some(level)) => pairs.push(format!("level={level}")),
            (None, None) => pairs.extend(limits.depth.map(|depth| format!("depth={depth}"))),
        }
        pairs.extend(clock);
        pairs.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
        pairs.extend(
            limits
                .solve_from_empties
                .map(|exact| format!("exact={exact}")),
        );
        pairs.push(match weights {
            Some(file) => format!("weights={file}"),
            None => format!("eval={}", settings.evaluator.name()),
        });
        if settings.hash_mib != table_size(limits, *play_settings) {
            pairs.push(format!("hash={}", settings.hash_mib));
        }
        if settings.selectivity != Selectivity::P100 {
            pairs.push(format!("selectivity={}", settings.selectivity.percent()));
        }
        if settings.threads.get() != 1 {
            pairs.push(format!("threads={}", settings.threads));
        }
        let off = Techniques::all() - settings.techniques;
        if !off.is_empty() {
            pairs.push(format!("off={}", names(off)));
        }
        write!(f, "builtin:{}", pairs.join(","))
    }
}

#[cfg(test)]
mod tests;
