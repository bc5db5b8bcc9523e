//! `emilia show`: prints a position.

use std::io::Write;

use super::book::write_book;
use super::inputs::{POSITION, game, unless_unread};
use super::options::{BookOption, EngineOptions, PeopleOption};
use super::{CommandResult, Failure};
use emilia_core::board::printable;
use emilia_games::Game;
use emilia_player::people::{PeopleView, small_engine};
use emilia_view::{Align, BoardView, Table, moves, outcome, width, wrapped};

/// Width in columns of the labels below the board.
const LABEL: usize = 10;

/// Arguments of `emilia show`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  emilia show f5d6c3d3c4
  emilia show f5d6c3d3c4 --people=h7
  emilia show games.ggf:3:40")]
pub(super) struct Args {
    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,

    #[command(flatten)]
    people: PeopleOption,

    #[command(flatten)]
    book: BookOption,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Shows the game. If a part of it could not be read, shows the rest and returns the error.
pub(super) fn run(args: &Args, colored: bool, out: &mut dyn Write) -> CommandResult {
    let game = game(&args.position)?;
    show(args, &game, colored, out)?;
    unless_unread(0, usize::from(game.is_cut()), 1)
}

/// Prints the board, the legal moves and the static evaluations.
fn show(args: &Args, game: &Game, colored: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let position = game.position();
    let board = &position.board;
    let book = args.book.book().moves(board)?;
    let people = match args.people.level(&position) {
        Some(level) => Some(PeopleView::of(&mut small_engine()?, &position, &[], level)),
        None => None,
    };
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
    for evaluator in args.engine.evaluators() {
        let value = evaluator.evaluate(board);
        table.row([evaluator.name().to_owned(), value.to_string()]);
    }
    write!(out, "{}", table.fitted(width()))?;
    if let Some(people) = &people {
        writeln!(out, "\n{}", wrapped(&people.to_string(), 0))?;
    }
    Ok(write_book(&book, out)?)
}

/// Returns text lines about the game, each with a label: players and result, event and date,
/// opening, moves.
fn about(game: &Game) -> Vec<(&'static str, String)> {
    let tags = &game.tags;
    let mut about = Vec::new();
    if !(tags.black.is_empty() && tags.white.is_empty()) {
        let is_recorded = !game.is_over();
        let outcome = tags.outcome.map(|outcome| {
            let recorded = if is_recorded { " (recorded)" } else { "" };
            format!(", {outcome}{recorded}")
        });
        let result = outcome.unwrap_or_default();
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
