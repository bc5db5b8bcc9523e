//! What NBoard is told of a search, in the words it understands.

use crate::board::Move;
use crate::eval::Value;
use crate::search::{Depth, Line, Selectivity};

/// Discs with two decimals, no plus and no negative zero.
pub(super) fn discs(value: Value) -> String {
    let text = format!("{:.2}", value.discs());
    match text.as_str() {
        "-0.00" => "0.00".to_owned(),
        _ => text,
    }
}

/// `F5D6C3`; a pass is `PA`.
fn pv(moves: &[Move]) -> String {
    let names = moves.iter().map(|mv| match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    });
    names.collect()
}

/// How a search gets on, for the person who watches.
pub(super) fn thinking(line: &Line) -> String {
    let Line { value, depth, .. } = line;
    let [pv, eval] = [pv(&line.pv), discs(*value)];
    format!("status Thinking: depth {depth}, {pv} {eval}")
}

/// One of the results of a hint.
pub(super) fn result(line: &Line) -> String {
    let Line { value, depth, .. } = line;
    let [pv, eval] = [pv(&line.pv), discs(*value)];
    // NBoard wants a number here and takes any words after it.
    let depth = match depth {
        Depth::Plies(plies, Selectivity::P100) => plies.to_string(),
        Depth::Plies(plies, selectivity) => format!("{plies} at {selectivity}"),
        Depth::Wld | Depth::Exact => depth.to_string(),
    };
    format!("search {pv} {eval} 0 {depth}")
}
