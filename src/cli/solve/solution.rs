//! What was found of one position, held against what was known of it, as a line of text or of JSON.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::board::{Move, Position, Score};
use crate::cli::labelled::Labelled;
use crate::search::{Depth, Line};
use crate::view::moves;

/// A position that was solved.
#[derive(Debug)]
pub(super) struct Solution {
    number: usize,
    position: Position,
    best: Line,
    /// The score of every move, best first; empty unless they were asked for.
    moves: Vec<(Move, Score)>,
    mismatches: Vec<Mismatch>,
}

/// A known score that differs from the one found.
#[derive(Debug)]
struct Mismatch {
    /// The move; none means the best score of the position.
    mv: Option<Move>,
    found: Score,
    expected: Score,
}

impl Solution {
    /// The solution of the `number`-th position in these lines: the best alone, or those of `all_moves`. `None` if they
    /// do not solve it.
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

    /// Notes where the scores differ from those that are known.
    fn check(&mut self, known: &Labelled) {
        let decides_only = self.best.depth == Depth::Wld;
        let meaning = |score: Score| if decides_only { score.signum() } else { score };
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
        let differ = best_pair
            .into_iter()
            .chain(move_pairs)
            .map(|(mv, found, expected)| Mismatch {
                mv,
                found,
                expected: meaning(expected),
            })
            .filter(|pair| pair.found != pair.expected)
            .collect();
        self.mismatches = differ;
    }

    /// Whether no known score differs.
    pub(super) fn is_right(&self) -> bool {
        self.mismatches.is_empty()
    }

    pub(super) fn nodes(&self) -> u64 {
        self.best.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.best.elapsed
    }

    /// Writes it as one JSON object and ends the line.
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
            pv: self.best.pv.iter().map(Move::to_string).collect(),
            moves: moves.collect(),
            wrong: wrong.collect(),
        };
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)
    }
}

/// The score a line gives its first move.
fn score(line: &Line) -> Score {
    line.value.round_to_score()
}

/// `#k empties score best-move seconds nodes nps pv` with tabs between; then the scores of all moves if there are any,
/// and what is wrong if anything is.
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

/// A line of JSON; the fields are those of the text, by name.
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

/// A known score that differs; without a move, that of the position.
#[derive(Serialize)]
struct WrongScore {
    #[serde(rename = "move")]
    mv: Option<String>,
    found: Score,
    expected: Score,
}
