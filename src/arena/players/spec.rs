//! Players as they are written: `builtin:depth=8,eval=classic`, `gtp:name=Rhino,gtp-rhino`, `nboard:COMMAND`,
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
use crate::options::{self, AnyOption, DEPTH, EVAL, HASH, LEVEL, PONDER, TIME, Target, WEIGHTS};
use crate::player::{Level, Style};
use crate::search::{Limits, OutOfMemory, Selectivity, Settings, Techniques, check_hash};
use crate::work::Stop;

/// What holds for every player that says nothing else.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The static evaluation.
    pub evaluator: AnyEvaluator,
    /// The transposition table in MiB; by the limits without.
    pub hash_mib: Option<usize>,
    /// Threads of a search.
    pub threads: NonZero<usize>,
    /// What bounds each search.
    pub limits: Limits,
    /// The level that the limits come from, if they come from one.
    pub level: Option<Level>,
    /// What it does besides searching.
    pub style: Style,
    /// What searches may leave out.
    pub selectivity: Selectivity,
}

/// A player that can be made as often as there are games at a time.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// The text it was read from.
    written: String,
    name: Option<String>,
    /// Whether it remembers earlier games.
    keep: bool,
    /// Its own clock, where it does not have that of the match.
    clock: Option<Clock>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Our own engine.
    Builtin {
        settings: Settings,
        /// What bounds each search.
        limits: Limits,
        /// The level that the limits come from, if they come from one.
        level: Option<Level>,
        /// What it does besides searching.
        style: Style,
        /// The file that the weights of its evaluation come from, if it has its own.
        weights: Option<String>,
    },
    /// A command of the shell that starts a program that speaks GTP.
    Gtp(String),
    /// A command of the shell that starts a program that speaks the protocol of NBoard.
    NBoard {
        command: String,
        /// How deep it is told to search.
        depth: Option<u32>,
    },
    /// A command of the shell that starts a program that speaks UCI.
    Uci { command: String, setup: UciSetup },
}

/// Why the text names no player; one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

/// The longest name in characters.
const LONGEST_NAME: usize = 40;

impl PlayerSpec {
    /// Reads a player.
    ///
    /// ```
    /// use emilia::{arena::{Defaults, PlayerSpec}, eval::Classic, player::Style, search::{Limits, Selectivity}};
    /// let defaults = Defaults {
    ///     evaluator: Classic.into(),
    ///     hash_mib: None,
    ///     threads: std::num::NonZero::<usize>::MIN,
    ///     limits: Limits::default(),
    ///     level: None,
    ///     style: Style::default(),
    ///     selectivity: Selectivity::P100,
    /// };
    /// let player = PlayerSpec::parse("builtin:depth=8,off=killers+history", &defaults).unwrap();
    /// assert_eq!(player.to_string(), "builtin:depth=8,eval=classic,off=killers+history");
    /// assert!(PlayerSpec::parse("builtin:dept=8", &defaults).is_err());
    /// ```
    ///
    /// # Errors
    /// If there is no such kind of player, or what is said of it has no sense.
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
                "'{}' is no player (expected builtin:KEY=VALUE,..., gtp:COMMAND, nboard:COMMAND or uci:COMMAND)",
                excerpt(text)
            ))),
        }
    }

    /// The name that it was given, or else the text it was read from.
    pub fn name(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.written)
    }

    /// The player in the same words however it was written: a level is the depth that it stands
    /// for.
    pub fn identity(&self) -> String {
        let mut player = self.clone();
        if let Kind::Builtin { level, .. } = &mut player.kind {
            *level = None;
        }
        player.to_string()
    }

    /// What tells its evaluation from others of the same name; nothing is known of a program.
    pub fn fingerprint(&self) -> Option<String> {
        match &self.kind {
            Kind::Builtin { settings, .. } => {
                Some(format!("{:016x}", settings.evaluator.fingerprint()))
            }
            _ => None,
        }
    }

    /// Whether it runs in a process of its own.
    pub fn is_program(&self) -> bool {
        !matches!(self.kind, Kind::Builtin { .. })
    }

    /// The file of the weights of its evaluation, if it has its own.
    pub fn weights(&self) -> Option<&str> {
        match &self.kind {
            Kind::Builtin { weights, .. } => weights.as_deref(),
            _ => None,
        }
    }

    /// Its own clock, if it does not have that of the match.
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// Whether something ends its searches, if the match has no clock.
    pub fn is_bounded(&self) -> bool {
        let has_limits = match &self.kind {
            Kind::Builtin { limits, style, .. } => limits.is_bounded() || style.human.is_some(),
            Kind::Uci { setup, .. } => setup.limits.is_bounded(),
            Kind::Gtp(_) | Kind::NBoard { .. } => true,
        };
        has_limits || self.clock.is_some()
    }

    /// The player itself; `None` for a program without a context.
    ///
    /// # Errors
    /// If there is no memory for the table of an engine.
    pub(in crate::arena) fn player(
        &self,
        interrupt: &Stop,
        context: Option<&ProcessContext>,
    ) -> Result<Option<Box<dyn Player>>, OutOfMemory> {
        let keep = self.keep;
        let programs = || context.cloned();
        Ok(match &self.kind {
            Kind::Builtin {
                settings,
                limits,
                style,
                ..
            } => {
                let (settings, limits) = (settings.clone(), limits.clone());
                let builtin = Builtin::new(settings, limits, *style, keep, interrupt)?;
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

/// What is said of a program: `name=NAME,keep=yes,time=1,COMMAND`.
#[derive(Debug, Default)]
struct Program {
    name: Option<String>,
    keep: bool,
    clock: Option<Clock>,
    /// Options of UCI, `option.NAME=VALUE`.
    options: Vec<(String, String)>,
    command: String,
}

/// What the name of an option of UCI comes after.
const OPTION: &str = "option.";

impl Program {
    /// Reads it, for a player of this kind.
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
                    // They become a line of the protocol.
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

/// Whether `key` and what follows its `=` look like a pair before a command; else they are the command, or variables of the
/// environment before it.
fn is_before_command(key: &str, rest: &str) -> bool {
    let is_key = key.starts_with(OPTION) || key.chars().all(|letter| letter.is_ascii_lowercase());
    let end = rest.find(|letter: char| letter == ',' || letter.is_whitespace());
    is_key && end.is_some_and(|end| rest[end..].starts_with(','))
}

/// The name of a player, or what it has to be.
fn player_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    let is_fit = (1..=LONGEST_NAME).contains(&name.chars().count());
    if is_fit && !name.contains(char::is_control) {
        Ok(name.to_owned())
    } else {
        Err(format!(
            "a name of 1 to {LONGEST_NAME} letters that can be seen"
        ))
    }
}

/// What is wrong with a key that stands twice.
fn given_twice(key: &str) -> String {
    format!("{} is given twice", excerpt(key))
}

/// What `keep` has to be.
const YES_OR_NO: &str = "yes or no";

fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim() {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// The clock that `time` or `clock` gives a player who has none yet; the error says what was expected.
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

/// A player's own clock as it is written.
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

/// Reads what is said of a built-in player; `text` is the whole of it.
fn builtin(text: &str, pairs: &str, defaults: &Defaults) -> Result<PlayerSpec, SpecError> {
    let mut reader = BuiltinReader::new(defaults);
    for pair in pairs.split(',').filter(|pair| !pair.trim().is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        reader.set(key.trim(), value.trim())?;
    }
    Ok(reader.finish(text.trim()))
}

/// A built-in player of which not everything has been read.
struct BuiltinReader {
    /// The keys that have been read.
    given: Vec<String>,
    name: Option<String>,
    keep: bool,
    clock: Option<Clock>,
    settings: Settings,
    limits: Limits,
    level: Option<Level>,
    style: Style,
    /// Whether a size of the table is given.
    has_hash: bool,
    /// The name of the evaluation, if one is given.
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
            style: defaults.style,
            has_hash: defaults.hash_mib.is_some(),
            eval: None,
            weights: None,
        }
    }

    /// Reads `key=value`.
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

    /// Sets an option of the engine; the error says what was expected, or what is wrong.
    fn set_engine(&mut self, option: &dyn AnyOption, value: &str) -> Result<(), String> {
        let mut target = Target {
            settings: &mut self.settings,
            limits: &mut self.limits,
            style: &mut self.style,
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

    /// The player; without a size of the table, that depends on the limits.
    fn finish(mut self, written: &str) -> PlayerSpec {
        if !self.has_hash {
            self.settings.hash_mib = table_size(&self.limits, self.style);
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
                style: self.style,
                weights: self.weights,
            },
        }
    }
}

/// The options of the engine that players have: all but pondering.
fn engine_options() -> impl Iterator<Item = &'static dyn AnyOption> {
    let all = options::ALL.into_iter();
    all.filter(|option| option.name() != PONDER.name)
}

fn unknown(key: &str) -> SpecError {
    let names: Vec<&str> = engine_options().map(AnyOption::name).collect();
    SpecError(format!(
        "builtin player: '{}' is not known, only {}, clock, off, name or keep",
        excerpt(key),
        names.join(", ")
    ))
}

/// The techniques with these names, `+` between them.
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

/// The table in MiB for the searches of human levels.
const HUMAN_TABLE_MIB: usize = 8;

/// The table in MiB for searches with these limits. It is cleared for each game, which a game of shallow searches would
/// spend most of its time on if the table were large.
fn table_size(limits: &Limits, style: Style) -> usize {
    if style.human.is_some() {
        return HUMAN_TABLE_MIB;
    }
    let limits = limits.clone().at_level();
    let nodes = limits.nodes.unwrap_or(u64::MAX);
    match (limits.depth.unwrap_or(60), limits.exact.unwrap_or(0)) {
        (..=6, ..=12) => 1,
        (..=10, ..=16) => 8,
        _ if nodes <= 100_000 => 8,
        _ => 64,
    }
}

/// As it can be read again; what is as always is left out.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs = Vec::new();
        pairs.extend(self.name.as_ref().map(|name| format!("name={name}")));
        pairs.extend(self.keep.then(|| "keep=yes".to_owned()));
        let clock = self.clock.and_then(written);
        let (settings, limits, level, style, weights) = match &self.kind {
            Kind::Builtin {
                settings,
                limits,
                level,
                style,
                weights,
            } => (settings, limits, level, style, weights),
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
        match (style.human, level) {
            (Some(human), _) => {
                pairs.extend([format!("level={human}"), format!("seed={}", style.seed)]);
            }
            (None, Some(level)) => pairs.push(format!("level={level}")),
            (None, None) => pairs.extend(limits.depth.map(|depth| format!("depth={depth}"))),
        }
        pairs.extend(clock);
        pairs.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
        pairs.extend(limits.exact.map(|exact| format!("exact={exact}")));
        pairs.push(match weights {
            Some(file) => format!("weights={file}"),
            None => format!("eval={}", settings.evaluator.name()),
        });
        if settings.hash_mib != table_size(limits, *style) {
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
