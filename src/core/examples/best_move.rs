//! Prints the line of best play that a search finds at each depth, then the best move.
//! `cargo run --release -p emilia-core --example best_move -- f5d6c3d3c4`

use std::time::Duration;

use emilia_core::{EachLine, Engine, Limits, Position, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or("f5d6c3".to_owned());
    let position: Position = text.parse()?;
    let mut engine = Engine::new(Settings::default().with_threads(2));
    let limits = Limits::depth(16).with_time(Duration::from_secs(2));
    let best = engine.search(&position, &limits, &mut EachLine(|line| println!("{line}")));
    match best.best_move() {
        Some(mv) => println!("{} plays {mv}", position.mover),
        None => println!("the game is over: {} discs", best.value),
    }
    Ok(())
}
