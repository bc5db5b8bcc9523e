//! `emilia show`: prints a position and draws it as PNG.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::book::write_book;
use super::inputs::{POSITION, game};
use super::options::{BookOptions, ForceOption, GlobalOptions, PeopleOption};
use super::{CommandResult, Failure, Verdict};
use emilia_book::BookMove;
use emilia_core::board::{Color, Position};
use emilia_core::eval::AnyEvaluator;
use emilia_core::search::{Engine, Limits, Line, Silent, level_solve_from};
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
#[command(after_help = after_help())]
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
    book: BookOptions,

    #[command(flatten)]
    force: ForceOption,

    /// Print a JSON object (src/cli/JSON.md)
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    let exact = level_solve_from(DEPTH);
    format!(
        "\
A picture shows the board, the last move, the legal moves, the disc counts, and the names of
the players if the file has them. With --scores each legal move shows the final disc difference
for the side to move, searched to depth {DEPTH} and exactly from {exact} empties on. The best
moves are gold. --hash, --threads, --eval and --selectivity apply to that search.

Examples:
  emilia show f5d6c3d3c4
  emilia show f5d6c3d3c4 --people=h7
  emilia show game.sgf --png game.png --numbers
  emilia show games.ggf:3:40 --png move-40.png --scores"
    )
}

impl Args {
    /// Writes the picture of the game's last position to the file of `--png`.
    fn draw(&self, game: &Game, global: &GlobalOptions) -> Result<(), Failure> {
        let Some(file) = &self.png else {
            return Ok(());
        };
        let lines = if self.scores && !game.is_over() {
            lines(&game.position(), global)?
        } else {
            Vec::new()
        };
        let scores = lines.iter().filter_map(|line| {
            Some(DrawnScore {
                mv: line.best_move()?,
                discs: line.value.discs(),
                is_exact: line.depth.is_solved(),
            })
        });
        let depth = lines.first().map(|line| line.depth.to_string());
        let picture = Picture {
            position: game.position(),
            squares: game
                .moves()
                .iter()
                .filter_map(|played| played.mv.square())
                .collect(),
            names: [game.tags.black.clone(), game.tags.white.clone()],
            numbers: self.numbers,
            scores: scores.collect(),
            depth: depth.unwrap_or_default(),
        };
        Ok(emilia_files::replace(file, &picture.to_png())?)
    }
}

/// Searches every legal move of the position and returns the lines, best first.
fn lines(position: &Position, global: &GlobalOptions) -> Result<Vec<Line>, Failure> {
    let settings = global.settings().with_threads(global.threads_or_one());
    let mut engine = Engine::try_new(settings)?;
    let limits = Limits::depth(DEPTH).at_level();
    let count = position.moves().len();
    Ok(engine.multi_pv(&position.board, count, &limits, &mut Silent))
}

/// Prints the board, the legal moves and the static evaluations, and draws the picture.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    global
        .paths()
        .input(input::inputs(&args.position))
        .output("--png", args.png.as_deref())
        .check(args.force.force)?;
    let game = game(&args.position)?;
    args.draw(&game, global)?;
    let position = game.position();
    let book = args.book.book().moves(&position.board)?;
    let people = match args.people.level(&position) {
        Some(level) => Some(PeopleView::of(&mut small_engine()?, &position, None, level)),
        None => None,
    };
    if args.json {
        let shown = ShownPosition::new(&game, &book, people.as_ref(), global);
        json::write("position", &shown, out)?;
        return Ok(Verdict::Yes);
    }
    let view = BoardView {
        position,
        last_move: game.moves().last().map(|played| played.mv),
        colored: global.colored(),
    };
    writeln!(out, "{}", view.fitted(width()))?;
    for (label, text) in about(&game) {
        let line = format!("{label:9} {}", printable(&text));
        // A transcript stays unbroken, so that it can be copied.
        let is_word = !text.contains(' ');
        let line = if is_word { line } else { wrapped(&line, LABEL) };
        writeln!(out, "{line}")?;
    }
    writeln!(out, "position  {position}")?;
    if position.is_over() {
        writeln!(out, "result    {}", outcome(&position))?;
        return Ok(Verdict::Yes);
    }
    let legal = position.moves();
    let line = format!("legal     {} ({})", moves(&legal), legal.len());
    writeln!(out, "{}\n", wrapped(&line, LABEL))?;
    write!(out, "{}", evaluations(&position, global).fitted(width()))?;
    if let Some(people) = &people {
        writeln!(out, "\n{}", wrapped(&people.to_string(), 0))?;
    }
    write_book(&book, out)?;
    Ok(Verdict::Yes)
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

impl ShownPosition {
    fn new(
        game: &Game,
        book: &[BookMove],
        people: Option<&PeopleView>,
        global: &GlobalOptions,
    ) -> ShownPosition {
        let (position, tags) = (game.position(), &game.tags);
        let outcome = tags.outcome.map(|outcome| outcome.margin);
        let evaluate = |evaluator: AnyEvaluator| {
            let value = evaluator.evaluate(&position.board);
            (evaluator.name(), value.discs())
        };
        let [black, white] =
            [Color::Black, Color::White].map(|color| position.discs(color).count());
        ShownPosition {
            position: position.to_string(),
            empties: position.board.empty_count(),
            black,
            white,
            legal: json::names(&position.moves()),
            over: position.is_over(),
            evaluations: global.evaluators().map(evaluate).collect(),
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
}

/// Returns labelled lines about the game: players and result, event and date, opening, moves.
fn about(game: &Game) -> Vec<(&'static str, String)> {
    let tags = &game.tags;
    let mut about = Vec::new();
    if !(tags.black.is_empty() && tags.white.is_empty()) {
        let result = tags
            .outcome
            .map_or(String::new(), |outcome| format!(", {:+}", outcome.margin));
        about.push(("game", format!("{} - {}{result}", tags.black, tags.white)));
    }
    let place = [&tags.event, &tags.date].map(String::as_str);
    let place: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
    if !place.is_empty() {
        about.push(("played", place.join(", ")));
    }
    if let Some(opening) = game.opening() {
        about.push(("opening", opening.name.to_owned()));
    }
    if game.placed() > 0 {
        about.push(("moves", game.transcript().to_string()));
    }
    about
}

/// Returns the table of static evaluations, in discs for the side to move.
fn evaluations(position: &Position, global: &GlobalOptions) -> Table {
    let value = format!("discs for {}", position.mover);
    let mut table = Table::new([("evaluation", Align::Left), (&value, Align::Right)]);
    for evaluator in global.evaluators() {
        let value = evaluator.evaluate(&position.board);
        table.row([evaluator.name().to_owned(), value.to_string()]);
    }
    table
}
