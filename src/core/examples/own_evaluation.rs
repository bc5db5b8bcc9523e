//! A user-defined evaluation plays a game against the network.
//! `cargo run --release -p emilia-core --example own_evaluation`

use emilia_core::board::Bitboard;
use emilia_core::eval::{Evaluator, ProbCutModel, Value};
use emilia_core::{Board, Color, Engine, Limits, Position, Settings, Silent};

/// Counts 2 discs for each legal move and 8 discs for each corner, and subtracts the same sum of
/// the opponent.
#[derive(Debug)]
struct MovesAndCorners;

impl Evaluator for MovesAndCorners {
    fn name(&self) -> &'static str {
        "moves-and-corners"
    }

    fn evaluate(&self, board: &Board) -> Value {
        let count = |board: Board| {
            let corners = (board.player & Bitboard::CORNERS).count() as i32;
            2 * board.legal_moves().count() as i32 + 8 * corners
        };
        Value::from_score((count(*board) - count(board.pass())).clamp(-64, 64))
    }

    fn probcut_model(&self) -> &ProbCutModel {
        // σ is e³, about 20 discs, at every depth: hardly anything is pruned.
        &ProbCutModel {
            midgame: [3.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            endgame: [3.0, 0.0, 0.0, 0.0],
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut own = Engine::new(Settings::default().with_evaluator(MovesAndCorners));
    let mut net = Engine::new(Settings::default());
    let mut position = Position::START;
    while !position.is_over() {
        let (engine, limits) = match position.mover {
            Color::Black => (&mut own, Limits::depth(8)),
            Color::White => (&mut net, Limits::depth(4)),
        };
        let line = engine.search(&position, &limits, &mut Silent);
        position = position.play(line.best_move().expect("the game is not over"))?;
    }
    println!(
        "own evaluation: {:+}",
        position.final_score_for(Color::Black)
    );
    Ok(())
}
