//! `emilia practice`: exercises from the games of a player, asked again at growing intervals.
//! The exercises and their state are in [`emilia_review::practice`], the dialogue in `session`.

mod session;

use std::collections::{BTreeMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::analyze::search_limits;
use super::inputs::{archives, report};
use super::options::{EngineOptions, ForceOption, LimitOptions};
use super::{CommandResult, Failure, Verdict, data_file, refused};
use emilia_core::board::Color;
use emilia_core::search::Engine;
use emilia_files::{FileError, MIB};
use emilia_games::Game;
use emilia_games::archive::{GamePlace, Words, year};
use emilia_player::people::{Human, small_engine};
use emilia_review::json;
use emilia_review::practice::page::exported;
use emilia_review::practice::{
    Exercise, Imported, MIN_LOSS, SearchLimits, Store, THEMES, days_until, due, progress,
};
use emilia_view::{Align, ProgressBar, Table, width, wrapped};
use session::Dialogue;

/// Maximum number of names in an error message.
const NAMES: usize = 10;

/// Maximum size of a file that `--import` reads, in bytes.
const MAX_IMPORT: u64 = 64 * MIB;

/// Name of the file of the state in the user's data folder.
pub(super) const STATE: &str = "practice.db";

/// Arguments of `emilia practice`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct Args {
    /// Files or folders of games (WTHOR, PGN, GGF, SGF, transcripts) [default: all exercises so far]
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,

    /// Exercises from the moves of this player: the name, or words or parts of it that no other
    /// player has, without regard to case and accents
    #[arg(long, value_name = "NAME", requires = "inputs")]
    player: Option<Words>,

    /// Without --player: exercises for people of this level, h1 to h14
    #[arg(long, value_name = "LEVEL", default_value_t = Human::AVERAGE)]
    #[arg(conflicts_with = "player")]
    level: Human,

    /// Take only the N latest games
    #[arg(long, value_name = "N", default_value_t = 20)]
    latest: usize,

    /// Number of exercises of the session
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,

    /// Print the progress by theme, without a session
    #[arg(long)]
    progress: bool,

    /// Print the progress as JSON, one object for each theme (src/cli/JSON.md)
    #[arg(long, requires = "progress")]
    json: bool,

    /// Add the exercises and answers of a file that --export FILE.jsonl or the page has written
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,

    /// Write the exercises of the session to this file instead: a page (.html), or OBF; or all
    /// exercises with their answers (.jsonl)
    #[arg(long, value_name = "FILE", conflicts_with = "progress")]
    export: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,

    /// File of exercises and answers [default: practice.db in the data folder of the user]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    engine: EngineOptions,
}

fn after_help() -> String {
    let themes = THEMES
        .iter()
        .map(|theme| format!("  {:<10} {}", theme.name, theme.rule));
    format!(
        "\
The games are analysed as by 'emilia analyze', once: the next start is instant, and a command that \
was interrupted goes on where it was. Positions in which the player lost 2 discs or more become \
exercises. Without --player these are the positions in which people of --level are expected to \
lose most, by a model of how people choose moves; positions that one side wins by 32 discs or more \
are left out. Mirrored or turned images of a position are one exercise.

Type a move, or ? for a hint, s to skip (the exercise comes again), q to stop. Every answer is \
stored at once. An exercise returns by the schedule FSRS: on the next day if the answer lost 2 \
discs or more, and after more and more days if the answers lose less. If stdin is no terminal, \
each line is an answer, and the session ends with the input.

The progress by theme: 'due' are exercises to be repeated now, without new ones; 'best' is the \
share of answers that lost less than half a disc; 'lost per answer' is in discs.

Themes. The mistake is the move of the game, or without --player the wrong move that people choose \
most. A region is a set of empty squares that touch, also diagonally.
{}

Examples:
  emilia practice my-games/ --player 'ann lee'
  emilia practice wthor/WTH_2019.wtb --level h6
  emilia practice --progress
  emilia practice my-games/ --player lee --export exercises.html
  emilia practice --export all.jsonl
  emilia practice --import all.jsonl",
        themes.collect::<Vec<_>>().join("\n")
    )
}

/// Makes the exercises, and then asks them, exports them, or prints the progress.
pub(super) fn run(args: &Args, colored: bool, out: &mut dyn Write) -> CommandResult {
    if args.inputs.iter().any(|input| input.as_os_str() == "-") {
        bail!("stdin has the answers: give a file of games");
    }
    let path = data_file(args.state.as_ref(), STATE, "--state")?;
    (args
        .engine
        .paths()
        .input(&args.inputs)
        .input([&path])
        .input(&args.import))
    .output("--export", args.export.as_deref())
    .check(args.force.force)?;
    let mut engine = args.engine.engine()?;
    let search = search_limits(args.limits.limits(), engine.settings());
    let mut store = Store::open(&path)?;
    if let Some(file) = &args.import {
        let text = emilia_files::read(file, MAX_IMPORT)?;
        let added = store.import(&text);
        let Imported { exercises, answers } =
            added.map_err(|error| FileError::refused(file, error.to_string()))?;
        note!("emilia: exercises added: {exercises}, answers: {answers}");
    }
    let all = exercises(args, &search, &mut store, &mut engine)?;
    let now = SystemTime::now();
    if args.progress {
        write_progress(&all, args.json, out)?;
        return Ok(Verdict::Yes);
    }
    let ending = args.export.as_deref().and_then(Path::extension);
    let is_ending = |own: &str| ending.is_some_and(|ending| ending.eq_ignore_ascii_case(own));
    if let Some(path) = args.export.as_ref().filter(|_| is_ending("jsonl")) {
        emilia_files::replace(path, store.export()?.as_bytes())?;
        return Ok(Verdict::Yes);
    }
    let due = due(&all, now, args.count.into());
    if due.is_empty() {
        writeln!(out, "{}", wrapped(&nothing(args, &all, now), 0))?;
        return Ok(Verdict::Yes);
    }
    if let Some(path) = &args.export {
        let text = if is_ending("html") || is_ending("htm") {
            page(&search, &mut store, &mut engine, &due)?
        } else {
            due.iter().map(|one| one.obf()).collect()
        };
        emilia_files::replace(path, text.as_bytes())?;
        return Ok(Verdict::Yes);
    }
    let mut dialogue = Dialogue {
        store: &mut store,
        engine: &mut engine,
        people: (args.level, small_engine()?),
        search: &search,
        colored,
        prompts: io::stdin().is_terminal(),
        input: io::stdin().lock(),
        out,
    };
    dialogue.run(&due)?;
    let ids: HashSet<i64> = all.iter().map(|one| one.id).collect();
    let mut all = store.all()?.all;
    all.retain(|one| ids.contains(&one.id));
    write_progress(&all, false, out)?;
    Ok(Verdict::Yes)
}

/// Returns the exercises of the games, or all exercises of the file.
fn exercises(
    args: &Args,
    search: &SearchLimits,
    store: &mut Store,
    engine: &mut Engine,
) -> Result<Vec<Exercise>, Failure> {
    let mut keys = HashSet::new();
    if !args.inputs.is_empty() {
        let (games, player) = games(args)?;
        let bar = ProgressBar::new("games");
        bar.resume(0, games.len());
        let mut made = Vec::new();
        let mut small = small_engine()?;
        for (number, game) in (1..).zip(&games) {
            let people = player.is_none().then_some((args.level, &mut small));
            let found = search.exercises(store, engine, game, people)?;
            made.extend(found.into_iter().flatten().filter(|exercise| {
                let is = |player| exercise.player(game).parse().as_ref() == Ok(player);
                player.as_ref().is_none_or(is)
            }));
            bar.update(number, games.len());
        }
        made.sort_by(|one, other| other.lost.total_cmp(&one.lost));
        store.add(&made)?;
        keys = made.iter().map(Exercise::key).collect();
    }
    let read = store.all()?;
    if let Some(unread) = &read.unread {
        note!("emilia: {unread}");
    }
    let mut all = read.all;
    all.retain(|one| args.inputs.is_empty() || keys.contains(&one.key()));
    Ok(all)
}

/// Game with the names of its players that match `--player`.
struct Found {
    year: Option<u16>,
    place: GamePlace,
    names: Vec<String>,
}

/// Reads the latest games that match, the latest last, and the player that `--player` means.
fn games(args: &Args) -> Result<(Vec<Game>, Option<Words>), Failure> {
    let (archives, _) = archives(&args.inputs, args.engine.threads.or_cores())?;
    let words = args.player.as_ref();
    let visited = archives.visit(|found: &mut Vec<Found>, place, game| {
        let names = [Color::Black, Color::White].map(|color| game.player(color));
        let is_meant = |name: &&str| words.is_some_and(|words| words.are_in(name));
        let names: Vec<&str> = names.into_iter().filter(is_meant).collect();
        if !game.squares.is_empty() && (words.is_none() || !names.is_empty()) {
            found.push(Found {
                year: year(&game.date),
                place,
                names: names.into_iter().map(str::to_owned).collect(),
            });
        }
    });
    report(&visited.bad);
    let mut found: Vec<Found> = visited.results.into_iter().flatten().collect();
    if found.is_empty() {
        return Err(refused(match words {
            Some(_) => format!("none of the {} games is of this player", archives.games()),
            None => "there are no games with moves".to_owned(),
        }));
    }
    let player = match words {
        Some(words) => Some(player(words, found.iter().flat_map(|game| &game.names))?),
        None => None,
    };
    found.retain(|game| {
        let is = |player| {
            game.names
                .iter()
                .any(|name| name.parse().as_ref() == Ok(player))
        };
        player.as_ref().is_none_or(is)
    });
    found.sort_by_key(|game| game.year);
    let earlier = found.len().saturating_sub(args.latest);
    if earlier > 0 {
        note!(
            "emilia: the {} latest of {} games (--latest N takes another number)",
            args.latest,
            found.len()
        );
    }
    let places: Vec<GamePlace> = found[earlier..].iter().map(|game| game.place).collect();
    let mut games = Vec::with_capacity(places.len());
    archives.visit_at(&places, |_, game| {
        games.push(game.game());
        Ok::<(), Failure>(())
    })?;
    Ok((games, player))
}

/// Returns the page of the exercises, with the values of all their moves.
fn page(
    search: &SearchLimits,
    store: &mut Store,
    engine: &mut Engine,
    due: &[&Exercise],
) -> Result<String, Failure> {
    let bar = ProgressBar::new("exercises");
    let mut keys = Vec::with_capacity(due.len());
    for (done, exercise) in due.iter().enumerate() {
        bar.update(done, due.len());
        keys.extend(search.key(store, engine, exercise)?);
    }
    Ok(exported(due.iter().copied().zip(&keys))?)
}

/// Returns why there is nothing to practise.
fn nothing(args: &Args, all: &[Exercise], now: SystemTime) -> String {
    match all.iter().filter_map(Exercise::due).min() {
        Some(next) => format!(
            "No exercise is due: the next of {} returns in {}.",
            all.len(),
            session::days(days_until(next, now))
        ),
        None if args.inputs.is_empty() => {
            "There are no exercises yet: give files of games, as in 'emilia practice FILE \
             --player NAME'."
                .to_owned()
        }
        None => {
            format!("There is no such exercise in these games: nobody lost {MIN_LOSS} discs there.")
        }
    }
}

/// Returns the player whose name consists of the words, or else the only one that has them.
fn player<'a>(words: &Words, names: impl Iterator<Item = &'a String>) -> Result<Words, Failure> {
    let players = names.filter_map(|name| Some((name.parse().ok()?, name.as_str())));
    let players: BTreeMap<Words, &str> = players.collect();
    match players.first_key_value() {
        Some((only, _)) if players.len() == 1 => Ok(only.clone()),
        _ if players.contains_key(words) => Ok(words.clone()),
        _ => {
            let mut names: Vec<&str> = players.values().copied().take(NAMES).collect();
            if players.len() > NAMES {
                names.push("\u{2026}");
            }
            Err(refused(format!(
                "--player: {} players have such a name, give one of them: {}",
                players.len(),
                names.join(", ")
            )))
        }
    }
}

/// Writes the progress by theme.
fn write_progress(all: &[Exercise], json: bool, out: &mut dyn Write) -> io::Result<()> {
    let themes = progress(all, SystemTime::now());
    if json {
        return themes
            .iter()
            .try_for_each(|theme| json::write("practice", theme, out));
    }
    let columns = [
        "exercises",
        "practised",
        "due",
        "answers",
        "best",
        "lost per answer",
    ];
    let columns = columns.map(|name| (name, Align::Right)).into_iter();
    let mut table = Table::new([("theme", Align::Left)].into_iter().chain(columns));
    for theme in themes {
        let mut cells = vec![theme.theme.to_owned()];
        cells.extend([theme.exercises, theme.practised, theme.due].map(|count| count.to_string()));
        cells.push(theme.answers.to_string());
        cells.extend(match theme.answers {
            0 => ["-".to_owned(), "-".to_owned()],
            _ => [
                format!("{:.0} %", 100.0 * theme.share()),
                format!("{:.2}", theme.mean_loss()),
            ],
        });
        table.row(cells);
    }
    write!(out, "{}", table.fitted(width()))
}
