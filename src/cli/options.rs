//! Options that several subcommands share, and the engine settings and search limits that follow
//! from them.

use std::ffi::OsString;
use std::fmt::Display;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::thread;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::Failure;
use emilia_book::Book;
use emilia_core::board::Position;
use emilia_core::eval::{AnyEvaluator, Classic, Net};
use emilia_core::search::{Engine, Limits, Settings};
use emilia_core::work::Shard;
use emilia_files::Paths;
use emilia_player::options::{
    BOOK, BOOK_ERROR, DEPTH, DEPTH_FROM_0, EVAL, EVALUATORS, EXACT, EngineOption, HASH, LEVEL,
    NODES, SEED, SELECTIVITY, Setting, THREADS, TIME, ValueKind, WEIGHTS, setup_of,
};
use emilia_player::people::Human;
use emilia_player::{Level, Setup};

/// Sets of engine options that commands take, as indices into [`SETS`].
const ENGINE: usize = 0;
const ONLY_THREADS: usize = 1;
const LIMITED: usize = 2;
const LIMITED_FROM_0: usize = 3;
const MATCH: usize = 4;
const ONLY_BOOK: usize = 5;
const SEARCH: usize = 6;
const PLAY: usize = 7;
const ONLY_EVALUATION: usize = 8;

/// Engine options of each set.
#[rustfmt::skip]
const SETS: [&[EngineOption]; 9] = [
    &[HASH, THREADS, EVAL, WEIGHTS, SELECTIVITY],
    &[THREADS],
    &[DEPTH, TIME, NODES, EXACT],
    &[DEPTH_FROM_0, TIME, NODES, EXACT],
    &[LEVEL, DEPTH, TIME, NODES, EXACT, HASH, THREADS, EVAL, WEIGHTS, SELECTIVITY],
    &[BOOK],
    &[LEVEL, DEPTH, TIME, NODES, EXACT, BOOK, HASH, THREADS, EVAL, WEIGHTS, SELECTIVITY],
    &[LEVEL, DEPTH, TIME, NODES, EXACT, SEED, BOOK, BOOK_ERROR, HASH, THREADS, EVAL, WEIGHTS,
      SELECTIVITY],
    &[EVAL, WEIGHTS],
];

/// Defaults that the help shows, as (option, text), for options whose default depends on the
/// command or differs from the default of [`Setup`].
const DEFAULTS: [(&str, &str); 5] = [
    ("eval", Net::NAME),
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
pub(super) type ThreadsOption = TableOptions<ONLY_THREADS>;
/// Options of the static evaluation, for a command that does not run the engine's search.
pub(super) type EvaluationOptions = TableOptions<ONLY_EVALUATION>;
/// Limits of each search.
pub(super) type LimitOptions = TableOptions<LIMITED>;
/// Limits of each search, where a depth of 0 is the static evaluation.
pub(super) type LimitOptionsFrom0 = TableOptions<LIMITED_FROM_0>;
/// Options of a match, which are the defaults of its players.
pub(super) type MatchOptions = TableOptions<MATCH>;
/// Opening book to play from, by default the embedded one.
pub(super) type BookOption = TableOptions<ONLY_BOOK>;
/// Options of a command that searches positions.
pub(super) type SearchOptions = TableOptions<SEARCH>;
/// Options of a command that plays games.
pub(super) type PlayOptions = TableOptions<PLAY>;

/// Engine options of the set `SETS[SET]`, with the values given on the command line.
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
        let values = SETS[SET]
            .iter()
            .filter_map(|option| matches.get_one(option.name));
        Ok(TableOptions {
            given: values.cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the clap argument of `option`. The help text states its default.
fn argument(option: &'static EngineOption) -> Arg {
    let special = DEFAULTS.iter().find(|(name, _)| *name == option.name);
    let default = match special {
        Some((_, default)) => Some((*default).to_owned()),
        None => (option.get)(&Setup::of(Settings::of(Classic))),
    };
    let note = default.map_or_else(String::new, |default| format!(" [default: {default}]"));
    let argument = Arg::new(option.name)
        .long(option.name)
        .help(format!("{}{note}", option.help))
        .help_heading(option.heading)
        .value_name(option.unit)
        .conflicts_with_all(option.excludes);
    match option.kind {
        ValueKind::Choice(words, _) => {
            let words = PossibleValuesParser::new(words);
            argument.value_parser(words.try_map(|text| option.parse(&text)))
        }
        _ => argument.value_parser(|text: &str| option.parse(text)),
    }
}

impl<const SET: usize> TableOptions<SET> {
    /// Returns the value of an option as text, or `None` if the option is not given.
    fn text(&self, option: &EngineOption) -> Option<&str> {
        let mut given = self.given.iter();
        Some(&given.find(|setting| setting.name == option.name)?.text)
    }

    /// Returns the setup of a player: by default with one thread for each core, with the embedded
    /// book and a random seed.
    pub(super) fn setup(&self) -> Setup {
        let mut setup = Setup::default();
        setup.settings.threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        setup.play_settings.seed = fastrand::u64(..);
        setup.play_settings.book = Book::Embedded;
        for setting in &self.given {
            setting.apply(&mut setup);
        }
        setup
    }

    /// Returns the limits of each search. A missing option sets no limit.
    pub(super) fn limits(&self) -> Limits {
        self.setup().limits
    }

    /// Returns [`limits`](Self::limits) for a command that searches without playing. Refuses human
    /// levels, because they are levels of play.
    pub(super) fn search_limits(&self) -> Result<Limits, Failure> {
        if let Some(level @ Level::Human(_)) = self.level() {
            bail!(
                "--level {level}: this is a level to play at; expected a level from 1 to {}",
                Level::HIGHEST
            );
        }
        Ok(self.limits())
    }

    /// Returns the level of `--level`, or `None` if the option is not given.
    pub(super) fn level(&self) -> Option<Level> {
        self.text(&LEVEL)?.parse().ok()
    }

    /// Returns the opening book of `--book`, by default the embedded one.
    pub(super) fn book(&self) -> Book {
        self.setup().play_settings.book
    }

    /// Returns the number of threads of `--threads`, or one.
    pub(super) fn threads_or_one(&self) -> NonZero<usize> {
        setup_of(&self.given).settings.threads
    }

    /// Returns the number of threads of `--threads`, or one for each core.
    pub(super) fn threads_or_cores(&self) -> NonZero<usize> {
        self.setup().settings.threads
    }

    /// Returns the input files that these options name. A command adds its own files.
    pub(super) fn paths(&self) -> Paths {
        Paths::default().input(self.setup().weights)
    }

    /// Returns the built-in evaluators. With `--weights FILE`, its evaluator comes first, and
    /// replaces the built-in evaluator of the same name.
    pub(super) fn evaluators(&self) -> Vec<AnyEvaluator> {
        let mut all: Vec<AnyEvaluator> = EVALUATORS.map(|(_, evaluator)| evaluator()).into();
        if self.text(&WEIGHTS).is_some() {
            let own = self.settings().evaluator;
            all.retain(|other| other.name() != own.name());
            all.insert(0, own);
        }
        all
    }

    /// Returns the engine settings with one thread, whatever `--threads` is. A command with several
    /// threads creates an engine with these settings for each thread.
    pub(super) fn settings(&self) -> Settings {
        self.setup().settings.with_threads(NonZero::<usize>::MIN)
    }

    /// Returns [`settings`](Self::settings) with a transposition table of `default_mib` MiB unless
    /// `--hash` is given.
    pub(super) fn settings_with_hash(&self, default_mib: usize) -> Settings {
        match self.text(&HASH) {
            Some(_) => self.settings(),
            None => self.settings().with_hash_mib(default_mib),
        }
    }

    /// Creates an engine, by default with one thread for each core.
    pub(super) fn engine(&self) -> Result<Engine, Failure> {
        Ok(Engine::try_new(self.setup().settings)?)
    }
}

/// Returns a clap value parser that accepts the names in `values`, and returns the value of the
/// name.
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
    /// Print JSON, one object on each line (src/cli/JSON.md). Totals, if any, go to stderr
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

/// Parses `MIN-MAX`. `parse` parses each end. Returns `None` if MIN is above MAX.
pub(super) fn range<T: PartialOrd>(
    text: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<[T; 2]> {
    let (least, most) = text.split_once('-')?;
    let [least, most] = [parse(least)?, parse(most)?];
    (least <= most).then_some([least, most])
}

/// Replaces dashes by dots in an argument that begins with a board, such as `---OX…`.
/// Without the replacement clap would read the board as an option.
pub(super) fn board_as_value(argument: OsString) -> OsString {
    /// An argument is a board if at least this number of characters at its start stand for squares.
    /// No option begins with eight of these characters.
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
    /// Add how hard the position is for people of a level, h0 to h14 [default: h10], and the share
    /// of them that plays each move
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "h10")]
    people: Option<Human>,
}

impl PeopleOption {
    /// Checks that no word of `position` is a human level, as in `--people h3`.
    pub(super) fn check(&self, position: &[String]) -> Result<(), Failure> {
        let level = position.iter().find(|word| word.parse::<Human>().is_ok());
        match level.filter(|_| self.people.is_some()) {
            Some(level) => bail!("--people {level}: the level needs a =, as in --people={level}"),
            None => Ok(()),
        }
    }

    /// Returns the level given by `--people`. `None` without the option, or if the game is over.
    pub(super) fn level(&self, position: &Position) -> Option<Human> {
        self.people.filter(|_| !position.is_over())
    }
}
