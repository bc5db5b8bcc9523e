//! `emilia practice`: exercises from games, asked again at growing intervals on the Practice page.
//! The exercises and their file are in [`emilia_review::practice`].

use std::io::Write;
use std::path::{Path, PathBuf};

use super::analyze::search_limits;
use super::gui::{STATE, ServerOptions};
use super::inputs::{archives, report};
use super::options::{EngineOptions, ForceOption, LimitOptions};
use super::{CommandResult, Failure, Verdict, data_file, refused};
use emilia_book::Book;
use emilia_files::{FileError, MIB};
use emilia_games::Game;
use emilia_games::archive::{GamePlace, Words, year};
use emilia_player::people::{Human, small_engine};
use emilia_review::practice::{Added, Exercise, SearchLimits, Store, THEMES, read_exported};
use emilia_view::ProgressBar;

/// Maximum size of a file that `--import` reads, in bytes.
const MAX_IMPORT: u64 = 64 * MIB;

/// Arguments of `emilia practice`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct Args {
    /// Files or folders of games (WTHOR, PGN, GGF, SGF, transcripts), or - for stdin
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,

    /// Exercises from the moves of this player: words or parts of a name, without regard to case
    /// and accents
    #[arg(long, value_name = "NAME", requires = "inputs")]
    player: Option<Words>,

    /// Without --player: exercises for people of this level, h0 to h14
    #[arg(long, value_name = "LEVEL", default_value_t = Human::AVERAGE)]
    #[arg(conflicts_with = "player")]
    level: Human,

    /// Take only the N latest games
    #[arg(long, value_name = "N", default_value_t = 20)]
    latest: usize,

    /// Add the exercises and answers of a file that --export or the page has written
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,

    /// Write all exercises with their answers to this file, as lines of JSON, and open no page
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,

    #[command(flatten)]
    server: ServerOptions,

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

Then the browser opens the Practice page, as 'emilia gui' has it, with the exercises of all games \
so far, and then with puzzles of the user's strength, of which the program has 1,200. Every answer is stored at once. An exercise returns by the schedule FSRS: on the next day \
if the answer lost 2 discs or more, and after more and more days if the answers lose less.

Themes. The mistake is the move of the game, or without --player the wrong move that people choose \
most. A region is a set of empty squares that touch, also diagonally.
{}

Examples:
  emilia practice my-games/ --player 'ann lee'
  emilia practice wthor/WTH_2019.wtb --level h6
  emilia practice
  emilia practice --export all.jsonl
  emilia practice --import all.jsonl",
        themes.collect::<Vec<_>>().join("\n")
    )
}

/// Adds the exercises of `--import` and of the games. Then exports all exercises, or serves the
/// Practice page.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let path = data_file(args.server.state.as_ref(), STATE, "--state")?;
    (args.engine.paths())
        .input(&args.inputs)
        .input([&path])
        .input(&args.import)
        .output("--export", args.export.as_deref())
        .check(args.force.force)?;
    let search = search_limits(args.limits.limits(), &args.engine.settings());
    // All inputs are read before the store is opened, for two reasons. A refused command creates no
    // file. A folder of games may contain the file of the store: once SQLite has opened that file,
    // reading it as a game file would release SQLite's locks (sqlite.org/howtocorrupt.html, 2.2).
    let imported = args.import.as_deref().map(exercises).transpose()?;
    let games = match args.inputs[..] {
        [] => Vec::new(),
        _ => games(args)?,
    };
    let mut store = Store::open(&path)?;
    if let Some(imported) = imported {
        let Added { exercises, answers } = store.add(&imported)?;
        note!("emilia: exercises added: {exercises}, answers: {answers}");
    }
    if !games.is_empty() {
        collect(args, &search, &games, &mut store)?;
    }
    if let Some(path) = &args.export {
        emilia_files::replace(path, store.export()?.as_bytes())?;
        return Ok(Verdict::Yes);
    }
    (args.server).serve(
        &args.engine,
        search,
        Book::Embedded,
        &[],
        "practice.html",
        out,
    )
}

/// Reads the exercises of a file of `--import`.
fn exercises(file: &Path) -> Result<Vec<Exercise>, FileError> {
    let text = emilia_files::read(file, MAX_IMPORT)?;
    read_exported(&text).map_err(|error| FileError::refused(file, error.to_string()))
}

/// Adds the exercises of the games to the store.
fn collect(
    args: &Args,
    search: &SearchLimits,
    games: &[Game],
    store: &mut Store,
) -> Result<(), Failure> {
    let bar = ProgressBar::new("games");
    let (mut engine, mut small) = (args.engine.engine()?, small_engine()?);
    let people = args.player.is_none().then_some((args.level, &mut small));
    let is_own = |name: &str| args.player.as_ref().is_none_or(|words| words.are_in(name));
    let done = |number| bar.update(number, games.len());
    search.collect((store, &mut engine), games, people, is_own, done)?;
    Ok(())
}

/// Returns the `--latest` games of `--player`, or of all players, in the order of their years. A
/// game without a year counts as the earliest.
fn games(args: &Args) -> Result<Vec<Game>, Failure> {
    let (archives, _) = archives(&args.inputs, args.engine.threads_or_cores())?;
    let visited = archives.visit(|found: &mut Vec<(Option<u16>, GamePlace)>, place, game| {
        let tags = game.tags();
        let is_of = |words: &Words| words.are_in(&tags.black) || words.are_in(&tags.white);
        if !game.is_empty() && args.player.as_ref().is_none_or(is_of) {
            found.push((year(&tags.date), place));
        }
    });
    report(&visited.bad);
    let mut found = visited.results.concat();
    if found.is_empty() {
        return Err(refused(match &args.player {
            Some(player) => {
                let (games, nearest) = (archives.games(), archives.nearest_players(player));
                let names = match &nearest[..] {
                    [] => "no game names its players".to_owned(),
                    names => format!("nearest: {}", names.join(", ")),
                };
                format!("none of the {games} games is of this player ({names})")
            }
            None => "there are no games with moves".to_owned(),
        }));
    }
    found.sort_by_key(|&(year, _)| year);
    let earlier = found.len().saturating_sub(args.latest);
    if earlier > 0 {
        note!(
            "emilia: the {} latest of {} games (--latest N takes another number)",
            args.latest,
            found.len()
        );
    }
    let places: Vec<GamePlace> = found[earlier..].iter().map(|&(_, place)| place).collect();
    let mut games = Vec::with_capacity(places.len());
    archives.visit_at(&places, |_, game| {
        games.push(game.game());
        Ok::<(), Failure>(())
    })?;
    Ok(games)
}
