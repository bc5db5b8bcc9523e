//! The solution of a position, compared with its known scores, as a line of text or of JSON.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::board::{Move, Position, Score};
use crate::cli::json;
use crate::cli::labelled::Labelled;
use crate::search::{Depth, Line};
use crate::view::moves;

/// A position that was solved.
#[derive(Debug)]
pub(super) struct Solution {
    number: usize,
    position: Position,
    best: Line,
    /// The score of every move, best first; empty without --all-moves.
    moves: Vec<(Move, Score)>,
    mismatches: Vec<Mismatch>,
}

/// A known score that differs from the solution.
#[derive(Debug)]
struct Mismatch {
    /// The move; `None` for the score of the position.
    mv: Option<Move>,
    found: Score,
    expected: Score,
}

impl Solution {
    /// The solution of the `number`-th position by these lines: the best one, or all with `all_moves`. `None` if a line is
    /// not solved.
    pub(super) fn new(
        number: usize,
        labelled: &Labelled,
        lines: Vec<Line>,
        all_moves: bool,
    ) -> Option<Solution> {
        if !lines.iter().all(|line| line.depth.is_solved()) {
            return None;
        }
        let scores = lines
            .iter()
            .filter_map(|line| Some((line.best_move()?, score(line))));
        let moves: Vec<(Move, Score)> = if all_moves {
            scores.collect()
        } else {
            Vec::new()
        };
        let best = lines.into_iter().next()?;
        let mut solution = Solution {
            number,
            position: labelled.position,
            best,
            moves,
            mismatches: Vec::new(),
        };
        solution.check(labelled);
        Some(solution)
    }

    /// Records the mismatches with the known scores.
    fn check(&mut self, known: &Labelled) {
        let is_wld = self.best.depth == Depth::Wld;
        let goal_score = |score: Score| if is_wld { score.signum() } else { score };
        let found = self.moves.iter().copied();
        let move_pairs = found.filter_map(|(mv, found)| {
            let mut scores = known.moves.iter().filter(|&&(known, _)| known == mv);
            scores
                .next()
                .map(|&(_, expected)| (Some(mv), found, expected))
        });
        let best_pair = known
            .best
            .map(|expected| (None, score(&self.best), expected));
        self.mismatches = best_pair
            .into_iter()
            .chain(move_pairs)
            .map(|(mv, found, expected)| Mismatch {
                mv,
                found,
                expected: goal_score(expected),
            })
            .filter(|pair| pair.found != pair.expected)
            .collect();
    }

    /// Whether all known scores agree.
    pub(super) fn is_right(&self) -> bool {
        self.mismatches.is_empty()
    }

    pub(super) fn nodes(&self) -> u64 {
        self.best.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.best.elapsed
    }

    /// Writes it as one line of JSON.
    pub(super) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let name = |mv: Move| mv.to_string();
        let moves = self.moves.iter().map(|&(mv, score)| MoveScore {
            mv: name(mv),
            score,
        });
        let wrong = self.mismatches.iter().map(|mismatch| WrongScore {
            mv: mismatch.mv.map(name),
            found: mismatch.found,
            expected: mismatch.expected,
        });
        let object = Object {
            k: self.number,
            position: self.position.to_string(),
            empties: self.position.board.empty_count(),
            wld: self.best.depth == Depth::Wld,
            score: score(&self.best),
            best: self.best.best_move().map(name),
            seconds: self.best.elapsed.as_secs_f64(),
            nodes: self.best.nodes,
            nps: self.best.nps() as u64,
            pv: json::names(&self.best.pv),
            moves: moves.collect(),
            wrong: wrong.collect(),
        };
        json::write("solution", &object, out)
    }
}

/// The score of a line, for the side to move.
fn score(line: &Line) -> Score {
    line.value.round_to_score()
}

/// `#k empties score best-move seconds nodes nps pv` with tabs between; then the scores of all moves if there are any,
/// and the mismatches if there are any.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (best, pv) = match self.best.best_move() {
            Some(best) => (best.to_string(), moves(&self.best.pv)),
            None => ("-".to_owned(), "-".to_owned()),
        };
        write!(
            f,
            "#{}\t{}\t{:+}\t{best}\t{:.3}\t{}\t{:.0}\t{pv}",
            self.number,
            self.position.board.empty_count(),
            score(&self.best),
            self.best.elapsed.as_secs_f64(),
            self.best.nodes,
            self.best.nps(),
        )?;
        if !self.moves.is_empty() {
            let scores = self
                .moves
                .iter()
                .map(|(mv, score)| format!("{mv}:{score:+}"));
            write!(f, "\t{}", scores.collect::<Vec<_>>().join(" "))?;
        }
        if !self.is_right() {
            let wrong: Vec<String> = self.mismatches.iter().map(Mismatch::to_string).collect();
            write!(f, "\tWRONG {}", wrong.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mv {
            Some(mv) => write!(f, "{mv}:{:+}", self.found)?,
            None => write!(f, "{:+}", self.found)?,
        }
        write!(f, " expected {:+}", self.expected)
    }
}

/// A line of JSON, with the fields of the line of text.
#[derive(Serialize)]
struct Object {
    k: usize,
    position: String,
    empties: u32,
    wld: bool,
    score: Score,
    best: Option<String>,
    seconds: f64,
    nodes: u64,
    nps: u64,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveScore>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrong: Vec<WrongScore>,
}

#[derive(Serialize)]
struct MoveScore {
    #[serde(rename = "move")]
    mv: String,
    score: Score,
}

/// A [`Mismatch`].
#[derive(Serialize)]
struct WrongScore {
    #[serde(rename = "move")]
    mv: Option<String>,
    found: Score,
    expected: Score,
}
