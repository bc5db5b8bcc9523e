//! Arguments of `emilia match`, and the [`Match`] made from them.

use std::path::PathBuf;
use std::time::Duration;

use crate::cli::options::{ForceOption, MatchOptions, ShardedOutput, whole};
use crate::cli::{Failure, WIDEST, refused};
use emilia_arena::report::{PlayerTest, ReportKind};
use emilia_arena::statistics::Sprt;
use emilia_arena::{
    Adjudication, Clock, MARGIN, Match, MatchParameters, Openings, PlayerSpec, Tournament,
    clock_text, parse_clock, with_protocol,
};
use emilia_core::work::Shard;
use emilia_files::FileError;
use emilia_player::options::{self, PONDER, SEED, Setting, TIME, seconds};
use emilia_view::{width, wrap};

/// Headings of the groups of options in the help.
const FILES: &str = "Files";
const TOURNAMENT: &str = "Tournament";

/// Help text: kinds of players.
const PLAYERS: &str = "\
Players:
  builtin:KEY=VALUE,...  this engine, with the keys below; the options of the match are the defaults
  h5, 8, beginner        this engine at a level of play
  gtp:COMMAND            a program that speaks GTP, started by the shell
  nboard:COMMAND         a program that speaks the NBoard protocol, started by the shell
  uci:COMMAND            a program that speaks UCI as Fairy-Stockfish does, started by the shell; \
options of the program before it: uci:option.Hash=64,COMMAND
  COMMAND                a program whose first answer shows its protocol

Keys of builtin:
";

/// Help text: rules of a match, and examples.
const RULES: &str = "\
Before the command, or among the keys of a built-in player, name=NAME sets the name in tables \
and records, time=SECONDS for each move or clock=CLOCK (as --clock) sets the clock of this \
player, and keep=yes keeps its memory from game to game.

A program receives its clock, and without one a UCI program --depth and --nodes, an NBoard program \
--depth. --hash and --threads reach the UCI programs that have these options. The other options \
apply to built-in players. --time and --clock are measured by the match, \
with a margin of 0.05 s.

Each opening is played twice, with colours swapped. A pair of games that repeats an earlier pair \
move by move is not counted. A player that crashes, hangs, moves illegally, \
oversteps its time or passes with a legal move loses that game 0-64, and is restarted.

--player for each player, instead of --first and --second, starts a tournament, with Elo by maximum \
likelihood.

Each finished game is printed as a line: number, black, white, score for black, end, standing, with \
tabs between them. The number is that in the log, from 0. `emilia convert`, `emilia analyze` and \
others read the games of a log: FILE:N is the game on line N + 1, as games end. The results of \
PGN are the discs of Black and White, as 17-47, with the reason as Termination if a game was not \
played to its end.

Examples:
  emilia match --first builtin:depth=6 --second builtin:depth=4 --games 400 --concurrency 2
  emilia match --first builtin --second 'gtp:gtp-rhino --level=3' --time 0.5 --games 100 \
--out games.jsonl
  emilia match --first builtin:depth=8 --second builtin:depth=8,selectivity=100 --openings xot \
--sprt 0,20
  emilia match --player builtin:depth=2 --player builtin:depth=4 \
--player gtp:name=Rhino,gtp-rhino --games 20";

/// Returns the help text after the options, with the keys of a built-in player.
fn after_help() -> String {
    /// Width in columns of the indent, a key and its value.
    const KEY: usize = 25;
    let keys = options::ALL
        .iter()
        .filter(|option| option.name != PONDER.name);
    let keys = keys.map(|option| {
        let key = format!("{}={}", option.name, option.unit);
        format!("  {key:<0$}{1}\n", KEY - 2, option.help)
    });
    let table = PLAYERS.to_owned() + &keys.collect::<String>();
    let lines = table.lines();
    let aligned = lines.map(|line| wrap(line, width().min(WIDEST), KEY) + "\n");
    aligned.collect::<String>() + "\n" + RULES
}

/// Arguments of `emilia match`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Args {
    /// Player whose results are shown
    #[arg(long, value_name = "SPEC", requires = "second")]
    #[arg(conflicts_with_all = ["player", "tournament"])]
    first: Option<String>,

    /// Opponent of the first player
    #[arg(long, value_name = "SPEC", requires = "first")]
    second: Option<String>,

    /// Player of a tournament, once for each player
    #[arg(long, help_heading = TOURNAMENT, value_name = "SPEC")]
    player: Vec<String>,

    /// Pairings of the tournament: round-robin (every player meets every other), gauntlet (the
    /// first meets all others) or swiss:ROUNDS (players of about equal points meet, nobody twice)
    #[arg(long, help_heading = TOURNAMENT, value_name = "KIND")]
    #[arg(value_parser = str::parse::<Tournament>, default_value_t = Tournament::RoundRobin)]
    tournament: Tournament,

    /// Openings: xot (10784 even ones of eight plies), random:PLIES (random opening plies, such as
    /// 8 or 8-20), random:PLIES,score=A..B (of a score in discs for Black), or a file of games or
    /// positions in any format, such as a name, a tab and moves on each line
    #[arg(long, value_name = "KIND|FILE", default_value_t, value_parser = str::parse::<Openings>)]
    pub(super) openings: Openings,

    /// Random seed of the openings and their order
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,

    /// Even number of games of each pairing, up to 1000000
    /// [default: each opening twice; 100 with random openings]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=1_000_000))]
    games: Option<u32>,

    #[command(flatten)]
    waits: ClockOptions,

    /// End games early. solved: both players report the same exact score, and a search finds it
    /// too. score=N,plies=K: both expect a win of one side by N discs or more in K successive moves
    #[arg(long, value_name = "RULE", value_parser = str::parse::<Adjudication>)]
    adjudicate: Option<Adjudication>,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = whole::<u16>(1..=1024))]
    concurrency: u16,

    #[command(flatten)]
    pub(super) output: ShardedOutput,

    #[command(flatten)]
    pub(super) force: ForceOption,

    /// Write the log to this file, one line of JSON for each game
    #[arg(long, help_heading = FILES, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    /// Write the games to this file as PGN while they are played, with evaluation, depth and time
    /// of each move as comments
    #[arg(long, help_heading = FILES, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,

    /// Resume the match in the log of --out; --games may be higher than before
    #[arg(long, help_heading = FILES, requires = "out", conflicts_with = "force")]
    pub resume: bool,

    /// Print the results only, without the heading and the lines of games
    #[arg(long, conflicts_with = "json")]
    pub(super) quiet: bool,

    /// SPRT bounds in normalised Elo: stop when H0 (it is E0) or H1 (it is E1) is accepted, each
    /// wrongly with a probability of at most 5 %. 0,20,alpha=0.01,beta=0.05,model=logistic sets
    /// the error rates and the Elo model; players=NAME/NAME at the end, two players of a tournament
    #[arg(long, value_name = "E0,E1", value_parser = SprtOption::parse)]
    #[arg(allow_hyphen_values = true)]
    sprt: Option<SprtOption>,

    #[command(flatten)]
    options: MatchOptions,
}

/// Time of players, in matches and tunings.
#[derive(Debug, clap::Args)]
pub(crate) struct ClockOptions {
    /// Time for each game plus increment for each move, in seconds or as M:SS, for players without
    /// their own clock: 60+0.5, 1:00, or with a number of moves for each main time, 40/60
    #[arg(long, help_heading = TIME.heading, value_name = "MAIN+INCREMENT")]
    #[arg(conflicts_with = "time", value_parser = parse_clock)]
    pub(crate) clock: Option<Clock>,

    /// Longest wait in seconds for an answer of a program without a clock, and for its first answer
    #[arg(long, help_heading = TIME.heading, value_name = "SECONDS")]
    #[arg(default_value = "60", value_parser = seconds)]
    pub(crate) patience: Duration,
}

/// Option `--sprt`: the test, and its two players as `NAME/NAME`, which a tournament needs.
#[derive(Clone, Debug)]
struct SprtOption {
    sprt: Sprt,
    players: Option<String>,
}

impl SprtOption {
    fn parse(text: &str) -> Result<SprtOption, String> {
        let (sprt, players) = match text.split_once(",players=") {
            Some((sprt, players)) => (sprt, Some(players.to_owned())),
            None => (text, None),
        };
        let sprt = sprt.parse()?;
        Ok(SprtOption { sprt, players })
    }
}

/// Returns the defaults of built-in players: the given options and the seed of the match. The time
/// is left out, because it belongs to the match.
pub(crate) fn player_defaults(options: &MatchOptions, seed: u64) -> Result<Vec<Setting>, String> {
    let mut defaults = options.given.clone();
    defaults.retain(|setting| setting.name != TIME.name);
    defaults.push(SEED.parse(&seed.to_string())?);
    Ok(defaults)
}

impl Args {
    /// Returns whether `--player` was given, so that the report is a table of ratings.
    fn is_tournament(&self) -> bool {
        !self.player.is_empty()
    }

    pub(super) fn report_kind(&self) -> ReportKind {
        if self.is_tournament() {
            ReportKind::Tournament(self.tournament)
        } else {
            ReportKind::Match
        }
    }

    /// Returns the SPRT with its players.
    ///
    /// # Errors
    /// If `--sprt` in a tournament does not name two of its players.
    pub(super) fn test(&self, contest: &Match) -> Result<Option<PlayerTest>, Failure> {
        let Some(SprtOption { sprt, players }) = self.sprt.clone() else {
            return Ok(None);
        };
        let players = match players {
            None if !self.is_tournament() => [0, 1],
            names => {
                let names = names.unwrap_or_default();
                let index = |name| contest.players.iter().position(|own| own.name() == name);
                // A name may contain slashes, so each slash is tried as the separator.
                let found = names
                    .match_indices('/')
                    .find_map(|(at, _)| Some([index(&names[..at])?, index(&names[at + 1..])?]));
                let different = found.filter(|[one, other]| one != other);
                different.ok_or_else(|| {
                    refused(format!(
                        "--sprt: '{names}': expected players=NAME/NAME, two players of the match"
                    ))
                })?
            }
        };
        Ok(Some(PlayerTest { sprt, players }))
    }

    /// Creates the match from the arguments.
    ///
    /// # Errors
    /// If a player, the openings or the number of games is invalid, or a player has no limits.
    pub(super) fn contest(&self) -> Result<Match, Failure> {
        let clock = (self.waits.clock).or(self.options.limits().time.map(Clock::from));
        let players = self.players(clock.is_some())?;
        let pairs = match self.games {
            Some(games) if games == 0 || games % 2 != 0 => {
                bail!("--games {games}: expected an even number, as each opening is played twice");
            }
            games => games.map(|games| games as usize / 2),
        };
        let drawn = self.openings.schedule(self.seed, pairs);
        let mut schedule = drawn.map_err(refused)?;
        self.check_rounds(players.len())?;
        schedule.pair(self.tournament, players.len());
        Ok(Match {
            players,
            schedule,
            clock,
            patience: self.waits.patience,
            adjudication: self.adjudicate,
            concurrency: self.concurrency.into(),
        })
    }

    /// Checks that the rounds of a Swiss tournament can be paired, and that `--shard` is not given:
    /// the pairings of a round depend on the results of all games of the earlier rounds.
    fn check_rounds(&self, players: usize) -> Result<(), Failure> {
        let (rounds, most) = (self.tournament.rounds(), Tournament::most_rounds(players));
        if matches!(self.tournament, Tournament::Swiss { .. }) {
            if rounds > most {
                bail!(
                    "--tournament {}: swiss:{most} is the most for {players} players, as nobody \
                     meets twice; round-robin lets all meet",
                    self.tournament
                );
            }
            if self.output.shard != Shard::WHOLE {
                bail!("--shard: a round of a Swiss tournament is paired by the results before it");
            }
        }
        Ok(())
    }

    /// Parses the players.
    ///
    /// # Errors
    /// If a player is invalid or has no limits, if there are fewer than two players, or if two
    /// players of a tournament have the same name.
    fn players(&self, has_clock: bool) -> Result<Vec<PlayerSpec>, Failure> {
        let defaults = player_defaults(&self.options, self.seed)?;
        let mut players: Vec<PlayerSpec> = Vec::new();
        for text in self.first.iter().chain(&self.second).chain(&self.player) {
            let spec = with_protocol(text, self.waits.patience, &players).map_err(refused)?;
            let player = PlayerSpec::parse(&spec, &defaults).map_err(refused)?;
            let name = player.name();
            if !player.is_bounded() && !has_clock {
                bail!(
                    "player '{text}' would think for ever: \
                     give the match --depth, --nodes, --time or --clock"
                );
            }
            if self.is_tournament() && players.iter().any(|other| other.name() == name) {
                bail!("--player: two players are called '{name}': name=NAME tells them apart");
            }
            players.push(player);
        }
        match players.len() {
            0 => bail!("give --first and --second, or --player for each player"),
            1 => bail!("--player: a tournament needs two players at least"),
            _ => Ok(players),
        }
    }

    /// Returns the parameters that determine the games. The log stores them, to check `--resume`.
    pub(crate) fn parameters(&self, contest: &Match) -> MatchParameters {
        let mut players = contest.players.iter().map(PlayerSpec::to_string);
        let is_tournament = contest.players.len() > 2;
        let limits = self.options.limits();
        MatchParameters {
            first: players.next().unwrap_or_default(),
            second: players.next().unwrap_or_default(),
            others: players.collect(),
            tournament: is_tournament.then(|| match self.tournament {
                // With another number of games for each pairing, a resumed tournament would assign
                // the games of the log to other rounds.
                Tournament::Swiss { .. } => {
                    let games = 2 * contest.schedule.pairs_of_pairing();
                    format!("{}, {games} games for each pairing", self.tournament)
                }
                _ => self.tournament.to_string(),
            }),
            openings: self.openings.to_string(),
            seed: self.seed,
            clock: clock_text(contest.clock),
            margin: MARGIN.as_secs_f64(),
            depth: limits.depth,
            nodes: limits.nodes,
            adjudicate: self.adjudicate.map(|rule| rule.to_string()),
            fingerprints: (contest.players.iter())
                .map(PlayerSpec::fingerprint)
                .collect(),
        }
    }

    /// Checks that the log and the PGN file are not input files, and that the name of the log does
    /// not end in `.pgn`.
    pub(super) fn check_paths(&self, contest: &Match) -> Result<(), FileError> {
        let is_pgn = |path: &&PathBuf| path.extension().is_some_and(|end| end == "pgn");
        if let Some(path) = self.out.as_ref().filter(is_pgn) {
            let why = "--out has a line of JSON for each game; --pgn FILE writes PGN";
            return Err(FileError::refused(path, why));
        }
        let openings = match &self.openings {
            Openings::File(path) => Some(path),
            _ => None,
        };
        let builtin = contest.players.iter().filter_map(PlayerSpec::builtin);
        let weights = builtin.filter_map(|setup| setup.weights.as_ref());
        (self.options.paths())
            .input(openings)
            .input(weights)
            .append_output("--out", self.out.as_deref())
            .append_output("--pgn", self.pgn.as_deref())
            .check(self.force.force)
    }
}
