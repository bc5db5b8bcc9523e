//! Plays a match between two evaluations. Each opening is played twice, with colours exchanged.
//! `cargo run --release -p emilia-core --example match_of_two`

use emilia_core::board::IllegalMove;
use emilia_core::eval::{Classic, Simple};
use emilia_core::{Color, Engine, Limits, Score, Settings, Silent, Transcript};

const OPENINGS: [&str; 3] = ["f5d6c3d3c4f4", "f5d6c4d3c2b3", "f5f6e6f4e3c5"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::default().with_hash_mib(1);
    let mut first = Engine::new(settings.clone().with_evaluator(Classic));
    let mut second = Engine::new(settings.with_evaluator(Simple));
    let mut total = 0;
    for opening in OPENINGS {
        let opening: Transcript = opening.parse()?;
        total += game(&opening, &mut first, &mut second)?;
        total -= game(&opening, &mut second, &mut first)?;
    }
    println!(
        "classic against simple: {total:+} discs in {} games",
        2 * OPENINGS.len()
    );
    Ok(())
}

/// Plays a game from the end of `opening`. Returns Black's score.
fn game(
    opening: &Transcript,
    black: &mut Engine,
    white: &mut Engine,
) -> Result<Score, IllegalMove> {
    let mut position = opening.end();
    while !position.is_over() {
        let engine = match position.mover {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let line = engine.search(&position, &Limits::depth(4), &mut Silent);
        position = position.play(line.best_move().expect("the game is not over"))?;
    }
    Ok(position.final_score_for(Color::Black))
}
