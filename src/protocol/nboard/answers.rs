//! Formats search results as NBoard messages: `status`, `search` and `book` lines.

use emilia_book::{BookMove, SOLVED};
use emilia_core::board::Move;
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Line, Selectivity};

/// Formats discs with two decimals, without plus sign or negative zero.
pub(super) fn discs(value: Value) -> String {
    let text = format!("{:.2}", value.discs());
    match text.as_str() {
        "-0.00" => "0.00".to_owned(),
        _ => text,
    }
}

/// Formats moves as `F5D6C3`, with `PA` for a pass.
fn pv(moves: &[Move]) -> String {
    let names = moves.iter().map(|mv| match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    });
    names.collect()
}

/// Returns a `status` line with the progress of a search, which NBoard shows to the user.
pub(super) fn thinking(line: &Line) -> String {
    let [pv, eval] = [pv(&line.pv), discs(line.value)];
    format!("status Thinking: {}, {pv} {eval}", line.depth.in_words())
}

/// Returns a `search` line, one result of `hint`.
pub(super) fn result(line: &Line) -> String {
    let Line { value, depth, .. } = line;
    let [pv, eval] = [pv(&line.pv), discs(*value)];
    // NBoard expects a number first. Any words may follow it.
    let depth = match depth {
        Depth::Plies(plies, Selectivity::P100) => plies.to_string(),
        Depth::Plies(plies, selectivity) => format!("{plies} at {selectivity}"),
        Depth::Book(_) | Depth::Wld | Depth::Exact => depth.to_string(),
    };
    format!("search {pv} {eval} 0 {depth}")
}

/// Returns a `book` line for a move of the opening book. The number of games is 0, because the book
/// does not count games.
pub(super) fn book_move(book_move: &BookMove) -> String {
    let BookMove { mv, level, .. } = *book_move;
    let [pv, eval] = [pv(&[mv]), discs(book_move.value)];
    let depth = match level {
        SOLVED.. => Depth::Exact.to_string(),
        plies => plies.to_string(),
    };
    format!("book {pv} {eval} 0 {depth}")
}
