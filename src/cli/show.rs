//! `emilia show`: prints a position and draws it as PNG.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::book::write_book;
use super::inputs::{POSITION, game, unless_unread};
use super::options::{BookOption, EngineOptions, ForceOption, PeopleOption};
use super::{CommandResult, Failure};
use emilia_book::BookMove;
use emilia_core::board::Color;
use emilia_core::eval::Value;
use emilia_core::search::{Engine, Limits, Silent};
use emilia_games::{Game, input};
use emilia_player::people::{PeopleView, small_engine};
use emilia_review::{ShownMove, ShownPeople, json};
use emilia_view::{Align, BoardView, DrawnScore, Picture, Table, moves, outcome, printable};
use emilia_view::{width, wrapped};

/// Search depth in plies for the scores of a picture.
const DEPTH: u32 = 12;

/// Width in columns of the labels below the board.
const LABEL: usize = 10;

/// Arguments of `emilia show`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A picture shows the board, the last move, the legal moves, the disc counts, and the names of \
the players if the file has them. With --scores each legal move shows the final disc difference \
for the side to move, searched as by --depth 12. The best moves are gold. --hash, --threads, \
--eval and --selectivity apply to that search.

Examples:
  emilia show f5d6c3d3c4
  emilia show f5d6c3d3c4 --people=h7
  emilia show game.sgf --png game.png --numbers
  emilia show games.ggf:3:40 --png move-40.png --scores")]
pub(super) struct Args {
    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,

    /// Draw the position as PNG
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Write the move number on each disc of the picture
    #[arg(long, requires = "png")]
    numbers: bool,

    /// Write the score of each legal move into the picture
    #[arg(long, requires = "png")]
    scores: bool,

    #[command(flatten)]
    people: PeopleOption,

    #[command(flatten)]
    book: BookOption,

    #[command(flatten)]
    force: ForceOption,

    /// Print a JSON object (src/cli/JSON.md)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Returns the picture of the game's last position, with the scores of its moves on request.
fn picture(args: &Args, game: &Game) -> Result<Picture, Failure> {
    let squares = game.moves().iter().filter_map(|played| played.mv.square());
    let mut picture = Picture {
        position: game.position(),
        squares: squares.collect(),
        names: [game.tags.black.clone(), game.tags.white.clone()],
        numbers: args.numbers,
        scores: Vec::new(),
        depth: String::new(),
    };
    if args.scores && !game.is_over() {
        let settings = args.engine.settings();
        let mut engine = Engine::try_new(settings.with_threads(args.engine.threads.or_one()))?;
        let (position, limits) = (game.position(), Limits::depth(DEPTH).at_level());
        let lines = engine.multi_pv(&position.board, usize::MAX, &limits, &mut Silent);
        if let Some(best) = lines.first() {
            picture.depth = best.depth.to_string();
        }
        let scores = lines.iter().filter_map(|line| {
            Some(DrawnScore {
                mv: line.best_move()?,
                discs: line.value.discs(),
                is_exact: line.depth.is_solved(),
            })
        });
        picture.scores = scores.collect();
    }
    Ok(picture)
}

/// Shows the game, also if a part of it could not be read, which is then the error.
pub(super) fn run(args: &Args, colored: bool, out: &mut dyn Write) -> CommandResult {
    (args.engine.paths())
        .input(input::inputs(&args.position))
        .output("--png", args.png.as_deref())
        .check(args.force.force)?;
    let game = game(&args.position)?;
    show(args, &game, colored, out)?;
    unless_unread(0, usize::from(game.is_cut()), 1)
}

/// Prints the board, the legal moves and the static evaluations, and draws the picture.
fn show(args: &Args, game: &Game, colored: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(file) = &args.png {
        emilia_files::replace(file, &picture(args, game)?.to_png())?;
    }
    let position = game.position();
    let board = &position.board;
    let book = args.book.book().moves(board)?;
    let people = match args.people.level(&position) {
        Some(level) => Some(PeopleView::of(&mut small_engine()?, &position, &[], level)),
        None => None,
    };
    let evaluations = args.engine.evaluators();
    let evaluations: Vec<(&str, Value)> = evaluations
        .map(|evaluator| (evaluator.name(), evaluator.evaluate(board)))
        .collect();
    if args.json {
        let shown = shown(game, &evaluations, &book, people.as_ref());
        return Ok(json::write("position", &shown, out)?);
    }
    let view = BoardView {
        position,
        last_move: game.moves().last().map(|played| played.mv),
        colored,
    };
    writeln!(out, "{}", view.fitted(width()))?;
    for (label, text) in about(game) {
        let line = format!("{label:9} {}", printable(&text));
        // A transcript stays unbroken, so that it can be copied.
        let is_word = !text.contains(' ');
        let line = if is_word { line } else { wrapped(&line, LABEL) };
        writeln!(out, "{line}")?;
    }
    writeln!(out, "position  {position}")?;
    if position.is_over() {
        return Ok(writeln!(out, "result    {}", outcome(&position))?);
    }
    let legal = position.moves();
    let line = format!("legal     {} ({})", moves(&legal), legal.len());
    writeln!(out, "{}\n", wrapped(&line, LABEL))?;
    let value = format!("discs for {}", position.mover);
    let mut table = Table::new([("evaluation", Align::Left), (&value, Align::Right)]);
    for (name, value) in evaluations {
        table.row([name.to_owned(), value.to_string()]);
    }
    write!(out, "{}", table.fitted(width()))?;
    if let Some(people) = &people {
        writeln!(out, "\n{}", wrapped(&people.to_string(), 0))?;
    }
    Ok(write_book(&book, out)?)
}

/// JSON object of a position and of the game that led to it.
#[derive(Serialize)]
struct ShownPosition {
    position: String,
    empties: u32,
    /// Number of black discs.
    black: u32,
    white: u32,
    legal: Vec<String>,
    over: bool,
    /// Static evaluations in discs for the side to move, by name of the evaluation.
    evaluations: BTreeMap<&'static str, f64>,
    /// View of people of a level. Omitted unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<ShownPeople>,
    /// Moves of the opening book, best first. Omitted without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    book: Vec<ShownMove>,
    /// Names of Black and White, empty if the file has none.
    players: [String; 2],
    event: String,
    date: String,
    /// Result in discs for Black, as recorded or from the final position.
    result: Option<f64>,
    opening: Option<&'static str>,
    transcript: String,
}

fn shown(
    game: &Game,
    evaluations: &[(&'static str, Value)],
    book: &[BookMove],
    people: Option<&PeopleView>,
) -> ShownPosition {
    let (position, tags) = (game.position(), &game.tags);
    let recorded = tags.outcome.filter(|outcome| !outcome.is_winner_only());
    let outcome = recorded.map(|outcome| outcome.margin);
    let evaluations = evaluations.iter();
    ShownPosition {
        position: position.to_string(),
        empties: position.board.empty_count(),
        black: position.discs(Color::Black).count(),
        white: position.discs(Color::White).count(),
        legal: json::names(&position.moves()),
        over: position.is_over(),
        evaluations: evaluations
            .map(|&(name, value)| (name, value.discs()))
            .collect(),
        people: people.map(ShownPeople::from),
        book: book.iter().map(ShownMove::from).collect(),
        players: [tags.black.clone(), tags.white.clone()],
        event: tags.event.clone(),
        date: tags.date.clone(),
        result: outcome.or_else(|| game.score().map(f64::from)),
        opening: game.opening().map(|opening| opening.name),
        transcript: game.transcript().to_string(),
    }
}

/// Returns labelled lines about the game: players and result, event and date, opening, moves.
fn about(game: &Game) -> Vec<(&'static str, String)> {
    let tags = &game.tags;
    let mut about = Vec::new();
    if !(tags.black.is_empty() && tags.white.is_empty()) {
        let is_recorded = !game.is_over();
        let result = tags.outcome.map(|outcome| {
            let recorded = if is_recorded { " (recorded)" } else { "" };
            format!(", {outcome}{recorded}")
        });
        let result = result.unwrap_or_default();
        about.push(("game", format!("{} - {}{result}", tags.black, tags.white)));
    }
    let mut place = vec![tags.event.as_str(), &tags.date];
    place.retain(|part| !part.is_empty());
    if !place.is_empty() {
        about.push(("played", place.join(", ")));
    }
    about.extend((game.opening()).map(|opening| ("opening", opening.name.to_owned())));
    if game.placed() > 0 {
        about.push(("moves", game.transcript().to_string()));
    }
    about
}
