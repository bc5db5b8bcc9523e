//! What `emilia match` takes, and the match it asks for.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;

use crate::arena::statistics::{EloModel, Sprt};
use crate::arena::{Clock, Defaults, MARGIN, Match, Openings, Parameters, PlayerSpec};
use crate::cli::Failure;
use crate::cli::options::{GlobalOptions, LimitOptions, seconds};
use crate::files;
use crate::work::Shard;

/// What `emilia match` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players:
  builtin:KEY=VALUE,...  our own engine: depth, time, nodes, exact, threads, hash, eval, weights,
                         selectivity, and off=killers+history to switch techniques off; what is not said is taken from the
                         flags; without a hash, shallow searches get a small table, which is cleared for each game
  gtp:COMMAND            a program that speaks GTP, started by the shell
  nboard:COMMAND         a program that speaks the protocol of NBoard, started by the shell

name=NAME before the command (gtp:name=Rhino,gtp-rhino), or among the keys of a built-in player, is what tables, charts and
records call the player. No player remembers earlier games: a program that knows the GTP command clear_cache is sent it
before each game, any other is started anew. keep=yes in the same place lets it remember.

Each opening is played twice, with colours swapped. A player that crashes, hangs, moves illegally, oversteps its time or
passes with a legal move loses that game 0-64; it is started again, and the match goes on. --time and --clock are
measured here, with a margin of 0.05 s for the way. Without them, and with limits in depth or nodes, built-in players
of one thread play the same games every time.

Examples:
  emilia match --first builtin:depth=6 --second builtin:depth=4 --games 400 --concurrency 2
  emilia match --first builtin --second 'gtp:gtp-rhino --level=3' --time 0.5 --games 100 --out games.jsonl
  emilia match --first builtin:depth=8 --second builtin:depth=8,off=killers --openings xot.txt --sprt 0,20")]
pub(in crate::cli) struct Args {
    /// The player whose side the results take
    #[arg(long, value_name = "SPEC")]
    first: String,

    /// Its opponent
    #[arg(long, value_name = "SPEC")]
    second: String,

    /// Where games begin: a file of transcripts, random:PLIES or enumerate:PLIES
    #[arg(long, value_name = "FILE|KIND", default_value_t, value_parser = str::parse::<Openings>)]
    openings: Openings,

    /// Random seed of the openings and their order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many games, an even number up to 1000000 [default: each opening twice; 100 with random openings]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    games: Option<u32>,

    #[command(flatten)]
    limits: LimitOptions,

    /// Time for each game, and what each move adds, in seconds
    #[arg(long, value_name = "MAIN+INCREMENT", conflicts_with = "time", value_parser = str::parse::<Clock>)]
    clock: Option<Clock>,

    /// The longest wait for an answer of a program that no clock bounds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    patience: Duration,

    /// Start programs anew for each game
    #[arg(long)]
    fresh: bool,

    /// Solve games with so many empty squares instead of playing on
    #[arg(long, value_name = "EMPTIES", value_parser = clap::value_parser!(u32).range(0..=60))]
    adjudicate: Option<u32>,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: u16,

    /// Only the K-th of N parts of the pairs
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    pub(super) shard: Shard,

    /// The log: a line of JSON for each game
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    /// Go on with the log of --out
    #[arg(long, requires = "out")]
    pub(super) resume: bool,

    /// Write the games in GGF
    #[arg(long, value_name = "FILE")]
    pub(super) ggf: Option<PathBuf>,

    /// Write the games as transcripts
    #[arg(long, value_name = "FILE")]
    pub(super) transcripts: Option<PathBuf>,

    /// Write a chart of the scores and of the running Elo
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// Where the stderr of programs goes [default: the log with .stderr added, or nowhere]
    #[arg(long, value_name = "FILE")]
    stderr: Option<PathBuf>,

    /// SPRT bounds in Elo: stop as soon as the results tell these two strengths apart
    #[arg(long, value_name = "E0,E1", value_parser = elo_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Type I error rate of the SPRT: how often it may take E0 for E1
    #[arg(long, value_name = "RATE", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// Type II error rate of the SPRT: how often it may take E1 for E0
    #[arg(long, value_name = "RATE", default_value_t = 0.05, requires = "sprt")]
    beta: f64,

    /// What the Elo of the test means
    #[arg(long, value_enum, default_value_t = ModelName::Normalized, requires = "sprt")]
    sprt_model: ModelName,
}

/// A meaning of Elo by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ModelName {
    /// The share of the points
    Logistic,
    /// The advantage in standard deviations of a game
    Normalized,
}

/// `0,20`.
fn elo_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text
        .split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    bounds.ok_or_else(|| "expected two numbers of Elo, like 0,20".to_owned())
}

impl Args {
    /// The test asked for.
    pub(super) fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let model = match self.sprt_model {
            ModelName::Logistic => EloModel::Logistic,
            ModelName::Normalized => EloModel::Normalized,
        };
        let test = self
            .sprt
            .map(|(low, high)| Sprt::new(low, high, self.alpha, self.beta, model));
        test.transpose()
            .map_err(|error| Failure::Input(error.to_string()))
    }

    /// The match asked for.
    pub(super) fn contest(&self, global: &GlobalOptions) -> Result<Match, Failure> {
        let clock = match (self.clock, self.limits.time) {
            (Some(clock), _) => clock,
            (None, Some(time)) => Clock::PerMove(time),
            (None, None) => Clock::Unlimited,
        };
        let mut limits = self.limits.limits();
        limits.time = None;
        let defaults = Defaults {
            evaluator: global.evaluator(),
            hash_mib: global.hash().map(|mib| mib as usize),
            threads: global.threads().unwrap_or(NonZero::<usize>::MIN),
            limits,
            selectivity: global.selectivity(),
        };
        let player = |text: &str| {
            let player = PlayerSpec::parse(text, &defaults);
            let player = player.map_err(|error| Failure::Input(error.to_string()))?;
            if player.is_bounded() || clock != Clock::Unlimited {
                return Ok(player);
            }
            Err(Failure::Input(format!(
                "player '{text}' would think for ever: give it depth, nodes or time, or the match a clock"
            )))
        };
        let pairs = match self.games {
            Some(games) if games == 0 || games % 2 != 0 => {
                return Err(Failure::Input(format!(
                    "--games {games}: expected an even number, as each opening is played twice"
                )));
            }
            games => games.map(|games| games as usize / 2),
        };
        let players = [player(&self.first)?, player(&self.second)?];
        let schedule = self.openings.schedule(self.seed, pairs);
        Ok(Match {
            stderr: None,
            players,
            schedule: schedule.map_err(|error| Failure::Input(error.to_string()))?,
            clock,
            adjudicate: self.adjudicate,
            patience: self.patience,
            fresh: self.fresh,
            concurrency: NonZero::new(usize::from(self.concurrency))
                .unwrap_or(NonZero::<usize>::MIN),
        })
    }

    /// Where the stderr of programs goes, if there are any.
    pub(super) fn stderr_path(&self, contest: &Match) -> Option<PathBuf> {
        if !contest.players.iter().any(PlayerSpec::is_program) {
            return None;
        }
        let beside_log = || {
            let mut name = OsString::from(self.out.as_ref()?);
            name.push(".stderr");
            Some(PathBuf::from(name))
        };
        self.stderr.clone().or_else(beside_log)
    }

    /// What decides how the games go.
    pub(super) fn parameters(&self, contest: &Match) -> Parameters {
        let [first, second] = contest.players.each_ref().map(ToString::to_string);
        Parameters {
            first,
            second,
            openings: self.openings.to_string(),
            seed: self.seed,
            clock: contest.clock.to_string(),
            margin: MARGIN.as_secs_f64(),
            depth: self.limits.depth,
            adjudicate: self.adjudicate,
            fresh: self.fresh,
            fingerprints: contest.players.each_ref().map(PlayerSpec::fingerprint),
        }
    }

    /// Refuses files that would be written over one another, or over the openings.
    pub(super) fn check_files(&self, stderr: Option<&Path>) -> Result<(), Failure> {
        let openings = match &self.openings {
            Openings::File(path) => Some(path.as_path()),
            _ => None,
        };
        let named = [
            ("--openings", openings),
            ("--out", self.out.as_deref()),
            ("--stderr", stderr),
            ("--ggf", self.ggf.as_deref()),
            ("--transcripts", self.transcripts.as_deref()),
            ("--svg", self.svg.as_deref()),
        ];
        let given: Vec<(&str, &Path)> = named
            .into_iter()
            .filter_map(|(option, path)| Some((option, path?)))
            .collect();
        for (index, (option, path)) in given.iter().enumerate() {
            if let Some((other, _)) = given[..index]
                .iter()
                .find(|(_, other)| files::is_same(path, other))
            {
                return Err(Failure::Input(format!(
                    "'{}' is the file of {other} and of {option}: each needs one of its own",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// What the heading says of the openings.
    pub(super) fn openings(&self) -> String {
        format!("{}, seed {}", self.openings, self.seed)
    }
}
