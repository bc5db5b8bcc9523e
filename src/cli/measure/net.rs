//! Measures the time of a move and its evaluation, for few boards in cache and for many.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use crate::board::{Bitboard, Board};
use crate::eval::{Incremental, Net, Pattern};

/// Number of evaluations in one measurement, over all boards.
const EVALUATIONS: usize = 2_000_000;

/// Prints the times for several numbers of boards.
pub(super) fn run(out: &mut dyn Write) -> io::Result<()> {
    let (net, pattern) = (Net::embedded(), Pattern::embedded());
    for count in [100, 500, 5_000, 50_000] {
        let children = children(count);
        let mut best = [f64::INFINITY; 2];
        for _ in 0..EVALUATIONS / count {
            best[0] = best[0].min(nanoseconds(&pattern, &children));
            best[1] = best[1].min(nanoseconds(&net, &children));
        }
        let [pattern, net] = best;
        writeln!(
            out,
            "{count} boards: pattern {pattern:.1} ns, net {net:.1} ns"
        )?;
        out.flush()?;
    }
    Ok(())
}

/// Returns the first `count` pairs of parent and child in random games.
fn children(count: usize) -> Vec<(Board, Board)> {
    let mut random = fastrand::Rng::with_seed(5);
    let mut children = Vec::new();
    let mut parent = Board::START;
    while children.len() < count {
        let moves = parent.legal_moves().squares();
        children.extend(moves.map(|square| (parent, parent.play(square))));
        parent = match random.choice(parent.legal_moves().squares()) {
            Some(square) => parent.play(square),
            None if parent.is_over() => Board::START,
            None => parent.pass(),
        };
    }
    children.truncate(count);
    children
}

/// Returns the time in nanoseconds to update and evaluate a child after its move.
fn nanoseconds<E: Incremental>(evaluator: &E, children: &[(Board, Board)]) -> f64 {
    let prepared: Vec<(E::State, &Board, &Board, Bitboard)> = children
        .iter()
        .map(|(parent, child)| (evaluator.state(parent), parent, child, child.legal_moves()))
        .collect();
    let start = Instant::now();
    for (state, parent, child, moves) in &prepared {
        let state = evaluator.after(state, parent, child);
        black_box(evaluator.value(child, *moves, &state));
    }
    start.elapsed().as_secs_f64() * 1e9 / children.len() as f64
}
