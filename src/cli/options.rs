//! Options that several subcommands share, and the engine settings and search limits they give.

use std::ffi::OsString;
use std::fmt::Display;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::Failure;
use emilia_book::Book;
use emilia_core::board::Position;
use emilia_core::eval::{AnyEvaluator, Value};
use emilia_core::search::{Engine, Limits, Settings};
use emilia_core::work::Shard;
use emilia_files::Paths;
use emilia_player::options::{
    self, BOOK, BOOK_ERROR, DEPTH, DEPTH_FROM_0, EVAL, EVALUATORS, EXACT, EngineOption, HASH, Kind,
    LEVEL, NODES, SEED, SELECTIVITY, Setting, THREADS, TIME, WEIGHTS,
};
use emilia_player::people::Human;
use emilia_player::{Level, Setup};

/// Sets of rows of the table that commands take: indices of [`SETS`].
const ENGINE: usize = 0;
const THREADS_ONLY: usize = 1;
const LIMITED: usize = 2;
const LIMITED_FROM_0: usize = 3;
const LEVEL_ONLY: usize = 4;
const BOOK_ONLY: usize = 5;
const PLAY: usize = 6;

/// Rows of each set.
const SETS: [&[EngineOption]; 7] = [
    &[HASH, THREADS, EVAL, WEIGHTS, SELECTIVITY],
    &[THREADS],
    &[DEPTH, TIME, NODES, EXACT],
    &[DEPTH_FROM_0, TIME, NODES, EXACT],
    &[LEVEL],
    &[BOOK],
    &[BOOK_ERROR, SEED],
];

/// Defaults of commands that differ from those of the table.
const DEFAULTS: [(&str, &str); 4] = [
    ("hash", "64; gui 256, eval-test 8, selfplay 2"),
    (
        "threads",
        "one for each core; bench, perft, show and the players of match 1",
    ),
    ("book", "on"),
    ("seed", "random"),
];

/// Engine options of the commands that search.
pub(super) type EngineOptions = TableOptions<ENGINE>;
/// Number of threads of a search, or of a job over many positions or games.
pub(super) type ThreadsOption = TableOptions<THREADS_ONLY>;
/// Limits of each search.
pub(super) type LimitOptions = TableOptions<LIMITED>;
/// Limits of each search, where a depth of 0 is the static evaluation.
pub(super) type LimitOptionsFrom0 = TableOptions<LIMITED_FROM_0>;
/// Level of play, which sets depth, exact depth and, for human levels, the random choice of moves.
pub(super) type LevelOption = TableOptions<LEVEL_ONLY>;
/// Opening book to play from, by default the embedded one.
pub(super) type BookOption = TableOptions<BOOK_ONLY>;

/// The given ones of the options in a set.
#[derive(Clone, Debug, Default)]
pub(super) struct TableOptions<const SET: usize> {
    pub(super) given: Vec<Setting>,
}

impl<const SET: usize> Args for TableOptions<SET> {
    fn augment_args(command: Command) -> Command {
        command.args(SETS[SET].iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SET: usize> FromArgMatches for TableOptions<SET> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = SETS[SET]
            .iter()
            .filter_map(|option| matches.get_one(option.name));
        Ok(TableOptions {
            given: given.cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the clap argument of an option.
fn argument(option: &'static EngineOption) -> Arg {
    let special = DEFAULTS.iter().find(|(name, _)| *name == option.name);
    let default = match special {
        Some((_, default)) => Some((*default).to_owned()),
        None => (option.get)(&Setup::default()),
    };
    let default = default.map_or_else(String::new, |default| format!(" [default: {default}]"));
    let argument = Arg::new(option.name)
        .long(option.name)
        .help(format!("{}{default}", option.help))
        .help_heading(option.heading)
        .value_name(option.unit)
        .conflicts_with_all(option.excludes);
    match option.kind {
        Kind::Choice { values, .. } => {
            let values = PossibleValuesParser::new(values);
            argument.value_parser(values.try_map(|text| option.parse(&text)))
        }
        _ => argument.value_parser(|text: &str| option.parse(text)),
    }
}

impl<const SET: usize> TableOptions<SET> {
    /// Returns the given setting of an option.
    fn given(&self, option: &EngineOption) -> Option<&Setting> {
        self.given
            .iter()
            .find(|setting| setting.name == option.name)
    }

    /// Sets the given options in `setup`.
    pub(super) fn apply(&self, setup: &mut Setup) {
        for setting in &self.given {
            setting.apply(setup);
        }
    }

    /// Returns the default setup with the given options.
    pub(super) fn setup(&self) -> Setup {
        let mut setup = Setup::default();
        self.apply(&mut setup);
        setup
    }

    /// Returns the limits of the given options. A missing option sets no limit.
    pub(super) fn limits(&self) -> Limits {
        self.setup().limits
    }

    /// Returns the number of threads of `--threads`, or one.
    pub(super) fn threads_or_one(&self) -> NonZero<usize> {
        self.setup().settings.threads
    }

    /// Returns the number of threads of `--threads`, or one for each core.
    pub(super) fn threads_or_cores(&self) -> NonZero<usize> {
        let one = NonZero::<usize>::MIN;
        match self.given(&THREADS) {
            Some(_) => self.threads_or_one(),
            None => thread::available_parallelism().unwrap_or(one),
        }
    }
}

impl EngineOptions {
    /// Returns the input files that these options name, to which a command adds its own files.
    pub(super) fn paths(&self) -> Paths {
        Paths::default().input(self.setup().weights)
    }

    /// Returns every evaluator: first the evaluator of `--weights FILE`, then the built-in ones.
    pub(super) fn evaluators(&self) -> Vec<AnyEvaluator> {
        let own = self
            .given(&WEIGHTS)
            .map(|setting| setting.setup().settings.evaluator);
        let name = own.as_ref().map(|evaluator| evaluator.name());
        let others = EVALUATORS
            .into_iter()
            .filter(|(other, _)| Some(*other) != name);
        let others: Vec<AnyEvaluator> = others.map(|(_, evaluator)| evaluator()).collect();
        own.into_iter().chain(others).collect()
    }

    /// Returns the engine settings of these options, with one thread.
    pub(super) fn settings(&self) -> Settings {
        self.setup().settings.with_threads(NonZero::<usize>::MIN)
    }

    /// Returns the engine settings with one thread.
    /// Without `--hash`, the transposition table has `default_mib` MiB.
    pub(super) fn settings_with_hash(&self, default_mib: usize) -> Settings {
        let settings = self.settings();
        match self.given(&HASH) {
            Some(_) => settings,
            None => settings.with_hash_mib(default_mib),
        }
    }

    /// Returns the engine settings with the threads of `--threads`, by default one for each core.
    pub(super) fn parallel_settings(&self) -> Settings {
        self.settings().with_threads(self.threads_or_cores())
    }

    /// Creates an engine with [`parallel_settings`](Self::parallel_settings).
    pub(super) fn engine(&self) -> Result<Engine, Failure> {
        Ok(Engine::try_new(self.parallel_settings())?)
    }
}

impl LevelOption {
    /// Returns the level.
    pub(super) fn level(&self) -> Option<Level> {
        self.given(&LEVEL)?.text.parse().ok()
    }
}

impl BookOption {
    /// Returns the book to play from.
    pub(super) fn book(&self) -> Book {
        match self.given(&BOOK) {
            Some(setting) => setting.setup().play_settings.book,
            None => Book::Embedded,
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
        if let Some(level @ Level::Human(_)) = self.level.level() {
            bail!(
                "--level {level}: this is a level to play at; expected a level from 1 to {}",
                Level::HIGHEST
            );
        }
        let mut setup = self.limits.setup();
        self.level.apply(&mut setup);
        Ok(setup.limits)
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

    #[command(flatten)]
    play: TableOptions<PLAY>,
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
    /// Returns the setup of the player: by default with one thread for each core, with the embedded
    /// book and a random seed.
    pub(super) fn setup(&self) -> Setup {
        let search = &self.search;
        let mut setup = search.engine.setup();
        setup.settings.threads = search.engine.threads_or_cores();
        setup.play_settings.seed = fastrand::u64(..);
        setup.play_settings.book = search.book();
        search.limits.apply(&mut setup);
        search.level.apply(&mut setup);
        self.play.apply(&mut setup);
        setup
    }
}

/// Parses a positive time in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    options::seconds(text).ok_or_else(|| "expected a positive number of seconds".to_owned())
}

/// Parses a number of discs.
pub(super) fn discs(text: &str) -> Result<Value, String> {
    options::discs(text).ok_or_else(|| "expected a number of discs from 0 to 64".to_owned())
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
    Ok(HASH.parse(text)?.setup().settings.hash_mib)
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
