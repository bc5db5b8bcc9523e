//! Benchmark: searches fixed positions with [`Engine`] and counts nodes.
//! The node count with fixed settings is the signature of the search: a change of it shows that the
//! search behaves differently.

use super::engine::Engine;
use super::limits::Limits;
use super::report::{Line, Silent};
use super::settings::Settings;
use crate::board::Position;

/// Default bench depth, in plies.
pub const BENCH_DEPTH: u32 = 10;

/// Signature of the search: node count of a bench of [`BENCH_DEPTH`] plies.
///
/// The signature is measured with one thread and the default [`Settings`].
/// A commit that changes the signature updates this constant and states both numbers.
pub const SIGNATURE: u64 = 112_687;

/// Same as [`SIGNATURE`], but with the [`Classic`](crate::eval::Classic) evaluation.
pub const SIGNATURE_CLASSIC: u64 = 256_716;

/// Same as [`SIGNATURE`], but with the [`Simple`](crate::eval::Simple) evaluation.
pub const SIGNATURE_SIMPLE: u64 = 315_432;

/// Largest number of empties at which a bench position is solved exactly.
pub const BENCH_EXACT: u32 = 16;

/// Bench positions: the start, eight openings, three midgame positions and two endgames to solve.
const POSITIONS: [&str; 14] = [
    "start",
    "f5d6c4d3c2b3b4b5",
    "f5f4c3f6g4c5c6h3",
    "f5f4g3e6f7g4f3h2",
    "f5d6c6f6c4d3c2b6",
    "f5f4e3f2d3c4g3f6",
    "f5d6c7f4e3f2g4d7",
    "f5f4c3e6f6c6f3c4",
    "f5f6d3c5c6f4b5c2",
    "--OO-X-----OOO----XXOOX---XXXOX---XXXOOO-XXXXOO----XO----OOO-X-- X",
    "-OOO------OOOO--XXXOOXXX-XOOOXX-XXXXOOOOOXXOOOO---OXOO---OOOO--- X",
    "-XXXXX----OOOO---XOOOOOO-OOOXOOOOOOXXOOO-OXOXOO---XXOX------XXX- X",
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
    "-XXXXXX-X-XXXOO-XOXXXOOXXOOXXXOX-OOOXXXX--OOXXXX---OOO----XOX-O- X",
];

/// Searches each bench position from an empty table and yields the position with the line (value
/// and PV) of its best move.
///
/// With one thread, the sum of the nodes depends only on `settings` and `depth`.
/// The sum is the same on every machine and does not depend on earlier searches.
pub fn bench(settings: Settings, depth: u32) -> impl Iterator<Item = (Position, Line)> {
    let mut engine = Engine::new(settings);
    let limits = Limits {
        solve_from_empties: Some(BENCH_EXACT),
        ..Limits::depth(depth)
    };
    POSITIONS
        .iter()
        .filter_map(|text| text.parse().ok())
        .map(move |position: Position| {
            engine.clear();
            let line = engine.search(&position.board, &limits, &mut Silent);
            (position, line)
        })
}
