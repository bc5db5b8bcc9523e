//! `emilia show`: prints a position.

use std::io::Write;

use super::games::{POSITION, game};
use super::options::GlobalOptions;
use super::{Failure, Verdict};
use crate::board::Position;
use crate::game::Game;
use crate::view::{Align, BoardView, Table, moves, outcome, printable};

/// What `emilia show` takes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,
}

/// Prints the board, the legal moves, and the value by each evaluation.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let game = game(&args.position)?;
    let position = game.position();
    let view = BoardView {
        position,
        last_move: game.moves().last().map(|played| played.mv),
        colored: global.colored(),
    };
    writeln!(out, "{view}")?;
    for (label, text) in about(&game) {
        writeln!(out, "{label:9} {}", printable(&text))?;
    }
    writeln!(out, "position  {position}")?;
    if position.is_over() {
        writeln!(out, "result    {}", outcome(&position))?;
        return Ok(Verdict::Yes);
    }
    let legal = position.moves();
    writeln!(out, "legal     {} ({})\n", moves(&legal), legal.len())?;
    write!(out, "{}", evaluations(&position, global))?;
    Ok(Verdict::Yes)
}

/// What is known of the game: who played, where and when, how it ended, and its opening.
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

/// The value by each evaluation, in discs for the side to move.
fn evaluations(position: &Position, global: &GlobalOptions) -> Table {
    let value = format!("discs for {}", position.mover);
    let mut table = Table::new([("evaluation", Align::Left), (&value, Align::Right)]);
    for evaluator in global.evaluators() {
        let value = evaluator.evaluate(&position.board);
        table.row([evaluator.name().to_owned(), value.to_string()]);
    }
    table
}
