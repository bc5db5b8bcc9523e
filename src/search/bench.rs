//! A fixed piece of work: its node count is the signature of the search.

use super::{Engine, Limits, Line, Settings, Silent};
use crate::board::Position;

/// The depth of a bench that is not told one, in plies.
pub const BENCH_DEPTH: u32 = 10;

/// The signature of the search: the nodes of a bench of [`BENCH_DEPTH`] plies with one thread, at the default selectivity of
/// play. A change of the search that changes it changes it here, and the commit gives both numbers.
pub const SIGNATURE: u64 = 173_808;

/// The signature with the [`Pattern`](crate::eval::Pattern) evaluation.
pub const SIGNATURE_PATTERN: u64 = 230_565;

/// The signature with the [`Classic`](crate::eval::Classic) evaluation.
pub const SIGNATURE_CLASSIC: u64 = 327_924;

/// With this many empty squares or fewer, bench positions are solved.
pub const BENCH_EXACT: u32 = 16;

/// The positions of the bench: the start, eight openings, three positions of the midgame, and two endings that are
/// solved.
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

/// Searches each position from an empty table and yields it with what was found, one by one. The sum of the nodes depends
/// on the settings and the depth alone: not on the machine, and not on earlier searches.
pub fn bench(settings: Settings, depth: u32) -> impl Iterator<Item = (Position, Line)> {
    let mut engine = Engine::new(settings);
    let limits = Limits {
        exact: Some(BENCH_EXACT),
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
