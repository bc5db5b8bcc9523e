//! The exact score of a position, and the score of each of its moves.
//! `cargo run --release -p emilia-core --example solve`

use emilia_core::{Engine, Goal, Limits, Position, Settings, Silent};

/// Problem 40 of the Fédération Française d'Othello. Black, to move, wins by 38 discs.
const PROBLEM: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or(PROBLEM.to_owned());
    let position: Position = text.parse()?;
    let mut engine = Engine::new(Settings::default());
    let limits = Limits::solve(Goal::Exact);
    for line in engine.multi_pv(&position, position.moves().len(), &limits, &mut Silent) {
        println!("{line}");
    }
    Ok(())
}
