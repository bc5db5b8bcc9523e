//! Options that several subcommands share, and the engine settings and search limits they give.

use std::ffi::OsString;
use std::fmt::Display;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::Failure;
use emilia_book::Book;
use emilia_core::board::Position;
use emilia_core::eval::{AnyEvaluator, Net, NetWeights, Value};
use emilia_core::search::{Engine, Limits, Selectivity, Settings, check_hash};
use emilia_core::work::Shard;
use emilia_files::Paths;
use emilia_player::options::{
    BOOK, BOOK_ERROR, DEPTH, EVAL, EXACT, EngineOption, EvalName, HASH, LEVEL, NODES, SEED,
    SELECTIVITY, THREADS, TIME, WEIGHTS,
};
use emilia_player::people::Human;
use emilia_player::{Level, PlaySettings};

/// Default transposition table of a search, in MiB.
const DEFAULT_HASH_MIB: usize = 64;

/// Headings of the groups of shared options in the help.
pub(super) const LIMITS: &str = "Limits";
const ENGINE: &str = "Engine";
const BOOK_HEADING: &str = "Opening book";

/// Engine options of the commands that search.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct EngineOptions {
    /// Transposition table size in MiB [default: 64; gui 256, eval-test 8, selfplay 2]
    #[arg(long, value_name = HASH.unit, value_parser = hash_mib, help_heading = ENGINE)]
    pub(super) hash: Option<usize>,

    #[command(flatten)]
    pub(super) threads: ThreadsOption,

    #[arg(long, help = EVAL.help, value_name = EVAL.unit, conflicts_with = "weights")]
    #[arg(value_parser = named(EvalName::ALL.map(|eval| (eval, eval.name()))))]
    #[arg(default_value = EvalName::default().name(), help_heading = ENGINE)]
    eval: EvalName,

    #[arg(long, help = WEIGHTS.help, value_name = WEIGHTS.unit, value_parser = weights_file)]
    #[arg(help_heading = ENGINE)]
    weights: Option<WeightsFile>,

    #[arg(long, help = SELECTIVITY.help, value_name = SELECTIVITY.unit, help_heading = ENGINE)]
    #[arg(value_parser = parser(&SELECTIVITY), default_value_t = Selectivity::default())]
    pub(super) selectivity: Selectivity,
}

/// Number of threads of a search, or of a job over many positions or games.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct ThreadsOption {
    /// Threads [default: one for each core; bench, perft, show and the players of match 1]
    #[arg(long, value_name = THREADS.unit, value_parser = parser(&THREADS), help_heading = ENGINE)]
    pub(super) threads: Option<NonZero<usize>>,
}

impl ThreadsOption {
    /// Returns the number of threads of `--threads`, or one.
    pub(super) fn or_one(self) -> NonZero<usize> {
        self.threads.unwrap_or(NonZero::<usize>::MIN)
    }

    /// Returns the number of threads of `--threads`, or one for each core.
    pub(super) fn or_cores(self) -> NonZero<usize> {
        self.threads
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN)
    }
}

/// Returns a clap value parser for an engine option.
pub(super) fn parser<T>(
    option: &'static EngineOption<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    |text| option.parse(text)
}

/// Returns a clap value parser of named values.
pub(super) fn named<T: Clone + Send + Sync + 'static, const N: usize>(
    values: [(T, &'static str); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.each_ref().map(|(_, name)| *name)).map(move |given| {
        let found = values.iter().find(|(_, name)| *name == given);
        found.expect("clap has checked the name").0.clone()
    })
}

/// Format of the results, and the part of a job that is run.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ShardedOutput {
    /// Print JSON, one object on each line (src/cli/JSON.md). Totals go to stderr
    #[arg(long)]
    pub json: bool,

    /// Run only the K-th of N disjoint parts of the job
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    pub(super) shard: Shard,
}

/// Flag that allows existing output files to be overwritten.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct ForceOption {
    /// Overwrite existing output files, but never an input file
    #[arg(long)]
    pub(super) force: bool,
}

/// File of weights with its content.
#[derive(Clone, Debug)]
struct WeightsFile {
    path: PathBuf,
    content: Arc<NetWeights>,
}

/// Reads a file of weights.
fn weights_file(path: &str) -> Result<WeightsFile, String> {
    Ok(WeightsFile {
        path: path.into(),
        content: parser(&WEIGHTS)(path)?,
    })
}

impl EngineOptions {
    fn weights(&self) -> Option<AnyEvaluator> {
        let weights = self.weights.as_ref()?;
        Some(Net::new(weights.content.clone()).into())
    }

    /// Returns the path of `--weights`.
    pub(super) fn weights_file(&self) -> Option<String> {
        let weights = self.weights.as_ref()?;
        Some(weights.path.to_string_lossy().into_owned())
    }

    /// Returns the evaluator selected by `--weights` or `--eval`, or the default one.
    pub(super) fn evaluator(&self) -> AnyEvaluator {
        self.weights().unwrap_or_else(|| self.eval.evaluator())
    }

    /// Returns the input files that these options name, to which a command adds its own files.
    pub(super) fn paths(&self) -> Paths {
        Paths::default().input(self.weights.iter().map(|weights| &weights.path))
    }

    /// Returns every evaluator: first the evaluator of `--weights FILE`, then the others in the
    /// order of [`EvalName::ALL`].
    pub(super) fn evaluators(&self) -> impl Iterator<Item = AnyEvaluator> {
        let own = self.weights();
        let has_net = own.is_some();
        let others = EvalName::ALL
            .into_iter()
            .filter(move |&name| !(has_net && name == EvalName::Net));
        own.into_iter().chain(others.map(EvalName::evaluator))
    }

    /// Returns the engine settings of these options, with one thread and the default hash size.
    pub(super) fn settings(&self) -> Settings {
        self.settings_with_hash(DEFAULT_HASH_MIB)
    }

    /// Returns the engine settings with one thread.
    /// Without `--hash`, the transposition table has `default_mib` MiB.
    pub(super) fn settings_with_hash(&self, default_mib: usize) -> Settings {
        Settings::default()
            .with_hash_mib(self.hash.unwrap_or(default_mib))
            .with_evaluator(self.evaluator())
            .with_selectivity(self.selectivity)
    }

    /// Returns the engine settings with the threads of `--threads`, by default one for each core.
    pub(super) fn parallel_settings(&self) -> Settings {
        self.settings().with_threads(self.threads.or_cores())
    }

    /// Creates an engine with [`parallel_settings`](Self::parallel_settings).
    pub(super) fn engine(&self) -> Result<Engine, Failure> {
        Ok(Engine::try_new(self.parallel_settings())?)
    }
}

/// Limits of each search.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct LimitOptions {
    #[arg(long, help = DEPTH.help, value_name = DEPTH.unit, help_heading = LIMITS)]
    #[arg(value_parser = parser(&DEPTH))]
    pub depth: Option<u32>,

    #[arg(long, help = TIME.help, value_name = TIME.unit, help_heading = LIMITS)]
    #[arg(value_parser = parser(&TIME))]
    pub(super) time: Option<Duration>,

    #[arg(long, help = NODES.help, value_name = NODES.unit, help_heading = LIMITS)]
    #[arg(value_parser = parser(&NODES))]
    pub nodes: Option<u64>,

    #[arg(long, help = EXACT.help, value_name = EXACT.unit, help_heading = LIMITS)]
    #[arg(value_parser = parser(&EXACT))]
    pub(super) exact: Option<u32>,
}

impl LimitOptions {
    /// Returns the limits as given. A missing option sets no limit.
    pub(super) fn limits(&self) -> Limits {
        let time = self.time.map_or_else(Limits::default, Limits::time);
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            solve_from_empties: self.exact,
            ..time
        }
    }
}

/// Level of play, which sets depth, exact depth and, for human levels, the random choice of moves.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct LevelOption {
    #[arg(long, help = LEVEL.help, value_name = LEVEL.unit, value_parser = parser(&LEVEL))]
    #[arg(conflicts_with = "depth", help_heading = LIMITS)]
    pub(super) level: Option<Level>,
}

impl LevelOption {
    /// Sets the limits and the play settings of the level, if one is given.
    pub(super) fn apply(self, limits: &mut Limits, play_settings: &mut PlaySettings) {
        if let Some(level) = self.level {
            level.apply(limits, play_settings);
        }
    }
}

/// Options of a command that searches positions.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct SearchOptions {
    #[command(flatten)]
    pub(super) level: LevelOption,

    #[command(flatten)]
    pub(super) limits: LimitOptions,

    #[command(flatten)]
    book: BookOption,

    #[command(flatten)]
    pub(super) engine: EngineOptions,
}

impl SearchOptions {
    /// Returns the limits of the level and of the other limits. Human levels are refused.
    pub(super) fn limits(&self) -> Result<Limits, Failure> {
        if let Some(level @ Level::Human(_)) = self.level.level {
            bail!(
                "--level {level}: this is a level to play at; expected a level from 1 to {}",
                Level::HIGHEST
            );
        }
        let mut limits = self.limits.limits();
        self.level.apply(&mut limits, &mut PlaySettings::default());
        Ok(limits)
    }

    /// Returns the opening book.
    pub(super) fn book(&self) -> Book {
        self.book.book()
    }
}

/// Options of a command that plays games.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct PlayOptions {
    #[command(flatten)]
    pub(super) search: SearchOptions,

    #[arg(long, help = format!("{} [default: 0.5]", BOOK_ERROR.help))]
    #[arg(help_heading = BOOK_HEADING, value_name = BOOK_ERROR.unit)]
    #[arg(value_parser = parser(&BOOK_ERROR))]
    book_error: Option<Value>,

    #[arg(long, help = SEED.help, value_name = SEED.unit, value_parser = parser(&SEED))]
    #[arg(help_heading = LIMITS)]
    pub(super) seed: Option<u64>,
}

/// The options of an engine without any limits.
impl From<EngineOptions> for PlayOptions {
    fn from(engine: EngineOptions) -> PlayOptions {
        let mut options = PlayOptions::default();
        options.search.engine = engine;
        options
    }
}

impl PlayOptions {
    /// Returns the play settings with the book and the seed, or with a random one.
    pub(super) fn play_settings(&self) -> PlaySettings {
        let usual = PlaySettings::default();
        PlaySettings {
            seed: self.seed.unwrap_or_else(|| fastrand::u64(..)),
            book: self.search.book(),
            book_error: self.book_error.unwrap_or(usual.book_error),
            ..usual
        }
    }
}

/// Opening book to play from, by default the embedded one.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct BookOption {
    #[arg(long, help = format!("{} [default: on]", BOOK.help), value_name = BOOK.unit)]
    #[arg(value_parser = parser(&BOOK), help_heading = BOOK_HEADING)]
    book: Option<Book>,
}

impl BookOption {
    /// Returns the book to play from.
    pub(super) fn book(&self) -> Book {
        self.book.clone().unwrap_or(Book::Embedded)
    }
}

/// Returns a parser that accepts the whole numbers in `range`. Its error names both ends.
pub(super) fn whole<T: FromStr + PartialOrd + Display + Clone>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected {} to {}", range.start(), range.end()))
    }
}

/// Parses `MIN-MAX`, with a parser for both ends.
pub(super) fn range<T: PartialOrd>(
    text: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<[T; 2]> {
    let (least, most) = text.split_once('-')?;
    let [least, most] = [parse(least)?, parse(most)?];
    (least <= most).then_some([least, most])
}

/// Parses a hash size in MiB and checks that the memory is large enough for it.
pub(super) fn hash_mib(text: &str) -> Result<usize, String> {
    let mib = parser(&HASH)(text)?;
    check_hash(mib).map_err(|error| error.to_string())?;
    Ok(mib)
}

/// Replaces dashes by dots in an argument that begins with a board, such as `---OX…`.
/// Without the replacement clap would read the board as an option.
pub(super) fn board_as_value(argument: OsString) -> OsString {
    /// Least number of leading square characters of a board. No option begins like that.
    const SQUARES: usize = 8;
    let text = argument.to_string_lossy();
    let squares = text
        .chars()
        .take_while(|&cell| "-._xX*bBoO0wW".contains(cell))
        .count();
    if text.starts_with('-') && squares >= SQUARES {
        let (board, rest) = text.split_at(squares);
        return OsString::from(board.replace('-', ".") + rest);
    }
    argument
}

/// Option `--people`.
#[derive(Debug, clap::Args)]
pub(super) struct PeopleOption {
    /// Add how hard the position is for people of a level, h1 to h14 [default: h10], and the share
    /// of them that plays each move
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "h10")]
    people: Option<Human>,
}

impl PeopleOption {
    /// Returns the level of the people. `None` without the option, or if the game is over.
    pub(super) fn level(&self, position: &Position) -> Option<Human> {
        self.people.filter(|_| !position.is_over())
    }
}
