//! `emilia show`: prints a position.

use std::io::Write;

use super::options::{GlobalOptions, game};
use super::{Failure, Verdict};
use crate::board::Position;
use crate::view::{Align, BoardView, Table, moves, outcome};

/// What `emilia show` takes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// 64 squares and the side to move, an OBF line, or a transcript [default: the start]
    #[arg(value_name = "POS")]
    position: Vec<String>,
}

/// Prints the board, the legal moves, and the value by each evaluation.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let game = game(&args.position)?;
    let position = game.end();
    let view = BoardView {
        position,
        last_move: game.moves.last().copied(),
        colored: global.colored(),
    };
    writeln!(out, "{view}")?;
    writeln!(out, "position  {position}")?;
    if position.is_over() {
        writeln!(out, "result    {}", outcome(&position))?;
        return Ok(Verdict::Yes);
    }
    let legal = position.moves();
    writeln!(out, "moves     {} ({})\n", moves(&legal), legal.len())?;
    write!(out, "{}", evaluations(&position, global))?;
    Ok(Verdict::Yes)
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
