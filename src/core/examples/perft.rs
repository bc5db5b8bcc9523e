//! Positions after 1, 2, 3, … plies: counted as defined, and by all cores with a hash table.
//! `cargo run --release -p emilia-core --example perft -- 9`

use emilia_core::Board;
use emilia_core::board::perft::{Counting, Perft, perft};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(6), |text| text.parse())?;
    let fast = Perft {
        counting: Counting::Hashed(16),
        threads: std::thread::available_parallelism()?,
        ..Perft::default()
    };
    for depth in 1..=depth {
        let count = perft(&Board::START, depth);
        assert_eq!(fast.count(&Board::START, depth, &|_, _| ()), count);
        println!("{depth:2} {count:12}");
    }
    Ok(())
}
