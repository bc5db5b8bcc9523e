//! `emilia tune`: SPSA of numeric options of a player, by games between copies of it.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::matches::{self, ClockOptions, GOES_ON, player_defaults};
use super::options::{ForceOption, MatchOptions, whole};
use super::{CommandResult, Failure, Verdict, interrupt_flag, refused};
use emilia_arena::{Clock, Match, Openings, PlayerSpec, Spsa, TunedOption, with_values};
use emilia_files::{JsonLines, replace};
use emilia_view::ProgressBar;

/// Arguments of `emilia tune`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each iteration moves all options up or down at random, plays an opening twice between the player \
with these values and the player with the opposite ones, both games at the same time, and moves \
the options towards the winner (SPSA; J. Spall, 1992 and 1998, with the gains of Fishtest). The \
result is the mean of the second half, a line for each option with its 95 % error. It needs \
hundreds of games if the options matter much, and ten thousands if they matter little.

The player is a specification of `emilia match`. A value replaces {NAME} in it, or else is set as a \
key of a built-in player or an option of a UCI program. A GTP or NBoard program needs {NAME} in its \
command. If both ends of the range are whole numbers, the player gets whole numbers.

Examples:
  emilia tune --engine uci:./engine --option Contempt=-50..50 --time 0.1 --games 20000 \
--out tune.jsonl
  emilia tune --engine 'gtp:./engine --margin={margin}' --option margin=0.5..4.0 --games 4000 \
--openings xot --plot margin.svg")]
pub(crate) struct Args {
    /// Player to tune
    #[arg(long, value_name = "SPEC")]
    engine: String,

    /// Option with its range, in whose middle the tuning begins. Once for each option
    #[arg(long, value_name = "NAME=A..B", value_parser = str::parse::<TunedOption>)]
    #[arg(required = true)]
    option: Vec<TunedOption>,

    /// Even number of games. It sets the size of the steps, so --resume cannot change it
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = whole::<u32>(2..=10_000_000))]
    games: u32,

    /// Gain at the end: part of the perturbation by which one game more won than lost moves the
    /// values
    #[arg(long, value_name = "R", default_value_t = 0.1)]
    rate: f64,

    /// Openings, as in `emilia match`
    #[arg(long, value_name = "KIND|FILE", default_value_t, value_parser = str::parse::<Openings>)]
    openings: Openings,

    /// Random seed of the openings and of the perturbations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Write the log to this file, one line of JSON for each iteration
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Resume the tuning in the log of --out
    #[arg(long, requires = "out")]
    resume: bool,

    /// Draw the values by number of games to this SVG file, which --resume draws anew
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    waits: ClockOptions,

    #[command(flatten)]
    force: ForceOption,

    #[command(flatten)]
    options: MatchOptions,
}

/// Minimum number of iterations for which the result states the errors of the values. After fewer
/// iterations, the values have hardly moved, and the estimated errors would be too small.
const FEWEST_ITERATIONS: usize = 50;

/// First line of a log: the parameters that determine the games.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// Player, as given by `--engine`.
    tune: String,
    /// Tuned options with their ranges, as given by `--option`.
    options: Vec<String>,
    games: u32,
    rate: f64,
    seed: u64,
    openings: String,
    /// Options of both players and the clock, each as `NAME=VALUE`.
    limits: Vec<String>,
}

/// Line of the log for one iteration.
#[derive(Debug, Serialize, Deserialize)]
struct Iteration {
    /// Number of games won by the player with the perturbation added, minus the number it lost.
    result: i32,
    /// Values of the tuned options after the iteration, in the order of [`Header::options`].
    values: Vec<f64>,
}

/// Plays the missing iterations, then prints the values.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let is_rate = args.rate > 0.0 && args.rate <= 1.0;
    if !args.games.is_multiple_of(2) || !is_rate {
        bail!("expected an even number of --games, and a --rate above 0 and up to 1");
    }
    let iterations = args.games as usize / 2;
    let mut spsa = Spsa::new(args.option.clone(), iterations, args.rate, args.seed);
    let mut contest = args.contest(&spsa)?;
    // The plot belongs to its log. `open_log` refuses a log that may be neither resumed nor replaced.
    let is_logged = args.out.as_deref().is_some_and(Path::exists);
    (args.options.paths())
        .append_output("--out", args.out.as_deref())
        .output("--plot", args.plot.as_deref())
        .check(args.force.force || is_logged)?;
    let mut log = args.open_log(&mut spsa)?;
    let (interrupted, bar) = (interrupt_flag()?, ProgressBar::new("games"));
    bar.resume(2 * spsa.done(), 2 * iterations);
    while spsa.done() < iterations && !interrupted.is_set() {
        contest.players = args.players(&spsa)?;
        let (mut result, mut finished) = (0, 0);
        let games = [2 * spsa.done(), 2 * spsa.done() + 1];
        let played = contest.play(&games, &interrupted, |game| {
            result += game.first_score().signum();
            finished += 1;
        });
        played.map_err(refused)?;
        if finished < games.len() {
            break;
        }
        spsa.update(result);
        let values = spsa.values();
        bar.update(2 * spsa.done(), 2 * iterations);
        bar.set_message(&format!("{values:.3?}"));
        if let Some(log) = &mut log {
            log.add(&Iteration { result, values })?;
        }
    }
    drop(bar);
    for (option, estimate) in args.option.iter().zip(spsa.estimates()) {
        let is_sure = spsa.done() >= FEWEST_ITERATIONS;
        let error = is_sure.then(|| format!("{:.4}", estimate.error()));
        let (name, error) = (&option.name, error.unwrap_or("n/a".to_owned()));
        writeln!(out, "{name}\t{:.4} ± {error}", estimate.value)?;
    }
    writeln!(out, "tune: {} games", 2 * spsa.done())?;
    if let Some(path) = &args.plot {
        replace(path, spsa.plot().as_bytes())?;
    }
    if spsa.done() == iterations {
        return Ok(Verdict::Yes);
    }
    let finished = 2 * spsa.done();
    note!(
        "{}",
        matches::interrupted(finished, 2 * iterations, args.out.is_some())
    );
    Ok(Verdict::Interrupted)
}

impl Args {
    /// Creates the match. Each iteration replaces its players.
    fn contest(&self, spsa: &Spsa) -> Result<Match, Failure> {
        let players = self.players(spsa)?;
        let clock = (self.waits.clock).or(self.options.limits().time.map(Clock::from));
        if clock.is_none() && !players.iter().all(PlayerSpec::is_bounded) {
            bail!(
                "player '{}' would think for ever: give --depth, --nodes, --time or --clock",
                self.engine
            );
        }
        let pairs = Some(self.games as usize / 2);
        Ok(Match {
            players,
            schedule: self.openings.schedule(self.seed, pairs).map_err(refused)?,
            clock,
            patience: self.waits.patience,
            adjudication: None,
            concurrency: 2,
        })
    }

    /// Returns the two players of the next iteration.
    fn players(&self, spsa: &Spsa) -> Result<Vec<PlayerSpec>, Failure> {
        let defaults = player_defaults(&self.options, self.seed)?;
        let players = spsa.players().into_iter().map(|values| {
            let spec = with_values(&self.engine, &self.option, &values).map_err(refused)?;
            let player = PlayerSpec::parse(&spec, &defaults);
            player.map_err(|why| refused(format!("{why} (tune sets every value of a range)")))
        });
        players.collect()
    }

    /// Opens the log, and applies the iterations in it to `spsa`.
    fn open_log(&self, spsa: &mut Spsa) -> Result<Option<JsonLines>, Failure> {
        let Some(path) = &self.out else {
            return Ok(None);
        };
        let options = self.option.iter().map(ToString::to_string);
        let given = self.options.given.iter();
        let limits = given.map(|setting| format!("{}={}", setting.name, setting.text));
        let clock = self.waits.clock.map(|clock| format!("clock={clock}"));
        let own = Header {
            tune: self.engine.clone(),
            options: options.collect(),
            games: self.games,
            rate: self.rate,
            seed: self.seed,
            openings: self.openings.to_string(),
            limits: limits.chain(clock).collect(),
        };
        if self.force.force && !self.resume {
            return Ok(Some(JsonLines::begin_again(path, &own)?));
        }
        let log = JsonLines::open(path, &own, |line| {
            if !self.resume {
                return Err(GOES_ON.to_owned());
            }
            let read = serde_json::from_slice::<Iteration>(line);
            spsa.update(read.map_err(|error| error.to_string())?.result);
            Ok(())
        })?;
        Ok(Some(log))
    }
}
