//! Player specifications, parsed from and written to text.
//!
//! Forms: `builtin:depth=8,eval=classic`, `gtp:name=Rhino,gtp-rhino`, `nboard:COMMAND`,
//! `uci:option.Hash=64,COMMAND`, or a level such as `h5`. The keys of `builtin` are listed in
//! [`options`](emilia_player::options). [`with_protocol`] finds the protocol of a bare command.

#[cfg(test)]
mod tests;

use std::fmt::{self, Display};
use std::time::Duration;

use super::builtin::Builtin;
use super::program::{Program, ProgramProtocol, ProgramSpec, find_protocol};
use super::{MatchPlayer, PlayerError, ProcessContext};
use crate::{Clock, parse_clock};
use emilia_book::Book;
use emilia_core::board::excerpt;
use emilia_core::search::OutOfMemory;
use emilia_player::options::{self, HASH, LEVEL, PONDER, Setting, TIME, setup_of};
use emilia_player::{Level, Setup};

/// Specification of a player. Each worker creates its own players from it.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// Text of the specification, as given on the command line.
    written: String,
    name: Option<String>,
    /// Whether the player keeps its memory, such as its transposition table, from game to game.
    keep: bool,
    /// Clock of this player. `None` uses the clock of the match.
    clock: Option<Clock>,
    kind: PlayerKind,
}

#[derive(Clone, Debug)]
enum PlayerKind {
    /// This engine, with its settings and the limits of each search.
    Builtin(Box<Setup>),
    Program(ProgramSpec),
}

/// Prefix of the keys that set UCI options.
const OPTION: &str = "option.";

/// Match options that also set an option of UCI programs, as (match option, UCI option).
const SHARED: [(&str, &str); 2] = [("hash", "Hash"), ("threads", "Threads")];

impl PlayerSpec {
    /// Parses a specification. `defaults` are the options of the match. The specification overrides
    /// them.
    ///
    /// ```
    /// use emilia_arena::PlayerSpec;
    ///
    /// let player = PlayerSpec::parse("builtin:depth=8,threads=2", &[]).unwrap();
    /// assert_eq!(player.to_string(), "builtin:depth=8,eval=net,selectivity=73,threads=2");
    /// assert!(PlayerSpec::parse("builtin:dept=8", &[]).is_err());
    /// ```
    ///
    /// # Errors
    /// Returns an error for an unknown kind of player, an unknown key or an invalid value.
    pub fn parse(text: &str, defaults: &[Setting]) -> Result<PlayerSpec, String> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut player = PlayerSpec {
            written: text.trim().to_owned(),
            name: None,
            keep: false,
            clock: None,
            kind: PlayerKind::Builtin(Box::default()),
        };
        let mut protocols = ProgramProtocol::NAMES.into_iter();
        player.kind = match protocols.find(|(_, name)| *name == kind) {
            Some((protocol, _)) => {
                PlayerKind::Program(player.parse_program(protocol, rest, defaults)?)
            }
            None if kind == "builtin" => {
                PlayerKind::Builtin(player.parse_builtin(rest, defaults)?.into())
            }
            None if text.parse::<Level>().is_ok() => {
                let level = format!("{}={text}", LEVEL.name);
                PlayerKind::Builtin(player.parse_builtin(&level, defaults)?.into())
            }
            None => return Err(no_player(text, "")),
        };
        Ok(player)
    }

    /// Parses the key-value pairs after `builtin:`.
    fn parse_builtin(&mut self, text: &str, defaults: &[Setting]) -> Result<Setup, String> {
        let mut settings = defaults.to_vec();
        let mut given = Vec::new();
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (key, value) = (key.trim(), value.trim());
            let wrong = |why| format!("builtin player: {}: {why}", excerpt(key));
            if !self.set(key, value, &mut given).map_err(wrong)? {
                settings.push(setting(key, value, &given).map_err(wrong)?);
            }
        }
        let mut setup = setup_of(&settings);
        if settings.iter().all(|setting| setting.name != HASH.name) {
            setup.settings.hash_mib = table_size(&setup);
        }
        Ok(setup)
    }

    /// Parses the text after the protocol, such as `name=NAME,keep=yes,time=1,COMMAND`.
    fn parse_program(
        &mut self,
        protocol: ProgramProtocol,
        text: &str,
        defaults: &[Setting],
    ) -> Result<ProgramSpec, String> {
        let (kind, is_uci) = (protocol.name(), protocol == ProgramProtocol::Uci);
        let mut options: Vec<(String, String)> = Vec::new();
        let mut given = Vec::new();
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
                    // A control character, such as a line feed, would break the `setoption` line.
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
        for (name, uci_name) in SHARED.into_iter().filter(|_| is_uci) {
            let setting = defaults.iter().find(|setting| setting.name == name);
            let is_own = |(own, _): &(String, String)| own.eq_ignore_ascii_case(uci_name);
            if let Some(setting) = setting.filter(|_| !options.iter().any(is_own)) {
                of_match.push((uci_name.to_owned(), setting.text.clone()));
            }
        }
        Ok(ProgramSpec {
            protocol,
            command: command.to_owned(),
            of_match,
            options,
            limits: setup_of(defaults).limits,
        })
    }

    /// Sets a key that every kind of player has: `name`, `keep`, `time` or `clock`. Returns false
    /// for any other key.
    ///
    /// # Errors
    /// If the value is invalid, or `given`, the list of the keys so far, already contains `key`.
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
        let expected = |what: &str| Err(format!("'{}': expected {what}", excerpt(value)));
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
                TIME.set(&mut setup, value)?;
                self.clock = setup.limits.time.map(Clock::from);
            }
            ("clock", _) => self.clock = Some(parse_clock(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the name given by the key `name`, or else the text of the whole specification.
    pub fn name(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.written)
    }

    /// Returns the fingerprint of the evaluation's weights. `None` for a program.
    pub fn fingerprint(&self) -> Option<String> {
        let fingerprint = self.builtin()?.settings.evaluator.fingerprint();
        Some(format!("{fingerprint:016x}"))
    }

    /// Returns the setup of a built-in player, or `None` for a program.
    pub fn builtin(&self) -> Option<&Setup> {
        match &self.kind {
            PlayerKind::Builtin(setup) => Some(setup),
            PlayerKind::Program(_) => None,
        }
    }

    /// Returns the clock of this player, or `None` if it uses the clock of the match.
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// Returns whether the player's searches end even if the match has no clock. GTP and NBoard
    /// programs limit their searches themselves. A UCI program without limits searches for ever.
    pub fn is_bounded(&self) -> bool {
        let has_limits = match &self.kind {
            PlayerKind::Builtin(setup) => {
                setup.limits.is_bounded() || setup.play_settings.human.is_some()
            }
            PlayerKind::Program(program) => {
                program.protocol != ProgramProtocol::Uci || program.limits.is_bounded()
            }
        };
        has_limits || self.clock.is_some()
    }

    pub(crate) fn player(
        &self,
        context: &ProcessContext,
    ) -> Result<Box<dyn MatchPlayer>, OutOfMemory> {
        Ok(match &self.kind {
            PlayerKind::Builtin(setup) => {
                let mut player = setup.player()?;
                let engine = player.stop_pondering();
                engine.set_interrupt(context.interrupt.clone());
                Box::new(Builtin {
                    player,
                    setup: (**setup).clone(),
                    keep: self.keep,
                    interrupt: context.interrupt.clone(),
                })
            }
            PlayerKind::Program(spec) => Box::new(Program::new(spec, self.keep, context)),
        })
    }
}

/// Adds the protocol to a bare command: `gtp-rhino` becomes `gtp:name=Rhino,gtp-rhino`. Text that
/// begins with `word:`, `builtin` and levels are returned unchanged.
///
/// Starts the command to find its protocol and its name. The program must answer within `wait`. The
/// name is left out if a player in `taken` already has it.
///
/// # Errors
/// If the text is empty, the command cannot be started, or the program answers in no protocol.
pub fn with_protocol(text: &str, wait: Duration, taken: &[PlayerSpec]) -> Result<String, String> {
    let kind = text.split_once(':').map_or("", |(kind, _)| kind);
    let is_kind = !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_kind || text == "builtin" || text.parse::<Level>().is_ok() {
        return Ok(text.to_owned());
    }
    if text.trim().is_empty() {
        return Err(no_player(text, ""));
    }
    let why = match find_protocol(text, wait) {
        Ok((protocol, name)) => {
            let protocol = protocol.name();
            let named = format!("{protocol}:name={name},{text}");
            let is_taken = taken.iter().any(|other| other.name() == name);
            // A long name, or one with a comma, cannot stand in a specification.
            let is_name = PlayerSpec::parse(&named, &[]).is_ok_and(|own| own.name() == name);
            if is_name && !is_taken {
                return Ok(named);
            }
            return Ok(format!("{protocol}:{text}"));
        }
        Err(PlayerError::Fault(what) | PlayerError::OutOfResources(what)) => format!(": {what}"),
        Err(PlayerError::Interrupted) => String::new(),
    };
    Err(no_player(text, &why))
}

/// Returns the error for a text that is not a player. `why` is empty or begins with a colon.
fn no_player(text: &str, why: &str) -> String {
    format!(
        "'{}' is not a player{why} (expected a level from h0 to h14 or 1 to {}, \
         builtin:KEY=VALUE,..., gtp:COMMAND, nboard:COMMAND or uci:COMMAND)",
        excerpt(text),
        Level::HIGHEST
    )
}

/// Returns whether `key=rest` begins with a key-value pair that ends with a comma. Otherwise the
/// `=` belongs to the command, as in `VARIABLE=1 program`.
fn is_before_command(key: &str, rest: &str) -> bool {
    let is_key = key.starts_with(OPTION) || key.chars().all(|letter| letter.is_ascii_lowercase());
    let end = rest.find(|letter: char| letter == ',' || letter.is_whitespace());
    is_key && end.is_some_and(|end| rest[end..].starts_with(','))
}

/// Parses a key of a built-in player with its value. `given` holds all keys of the player so far.
///
/// # Errors
/// If there is no such key, the value is invalid, or another key in `given` excludes this key.
fn setting(key: &str, value: &str, given: &[&str]) -> Result<Setting, String> {
    if key == PONDER.name {
        return Err("the players of a match do not ponder".to_owned());
    }
    let option = options::find(key).map_err(|_| {
        let names = options::ALL.iter().map(|option| option.name);
        let names = names.filter(|name| *name != PONDER.name);
        options::no_such_option(names.chain(["clock", "name", "keep"]))
    })?;
    for other in given.iter().filter_map(|name| options::find(name).ok()) {
        if other.excludes == Some(key) || option.excludes == Some(other.name) {
            return Err(format!("expected {key} or {}, not both", other.name));
        }
    }
    let setting = option.parse(value);
    setting.map_err(|error| format!("'{}': {error}", excerpt(value)))
}

/// Returns the default size of the transposition table of a player with the limits of `setup`, in
/// MiB. The table is cleared before each game, so shallow searches use a small table.
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

/// Returns the options to write in the text of a built-in player, with their values. An option with
/// the value `None` is not set.
///
/// The evaluation is left out if a weights file replaces it. The seed is left out if the player
/// draws no random numbers. Selectivity is always returned, and so is the time, which the caller
/// replaces by the clock. Other options are returned if they differ from their defaults.
fn written(setup: &Setup) -> Vec<(&'static str, Option<String>)> {
    let settings = &setup.play_settings;
    let is_written = |option: &&options::EngineOption| match option.name {
        "seed" => settings.human.is_some() || settings.book != Book::Off,
        "eval" => setup.weights.is_none(),
        "selectivity" | "time" => true,
        "hash" => setup.settings.hash_mib != table_size(setup),
        _ => (option.get)(setup) != (option.get)(&Setup::default()),
    };
    let named = options::ALL.iter().filter(is_written);
    named
        .map(|option| (option.name, (option.get)(setup)))
        .collect()
}

/// Writes the specification together with the match's options, so that the text alone parses to the
/// same player.
/// Built-in players with equal settings, names, clocks and `keep` have the same text.
impl Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keep = self.keep.then(|| "yes".to_owned());
        let mut pairs = vec![("name", self.name.clone()), ("keep", keep)];
        let (mut kind, mut rest) = ("builtin", Vec::new());
        match &self.kind {
            PlayerKind::Builtin(setup) => pairs.extend(written(setup)),
            PlayerKind::Program(program) => {
                pairs.push(("time", None));
                kind = program.protocol.name();
                let options = program.of_match.iter().chain(&program.options);
                rest.extend(options.map(|(name, value)| format!("{OPTION}{name}={value}")));
                rest.push(program.command.clone());
            }
        }
        let named = pairs.into_iter().filter_map(|(key, value)| match key {
            "time" => self.clock.map(|clock| clock.to_string()),
            _ => Some(format!("{key}={}", value?)),
        });
        let parts: Vec<String> = named.chain(rest).collect();
        write!(f, "{kind}:{}", parts.join(","))
    }
}
