//! Solution of a position with its differences from the input, as a line of text or of JSON.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::json;
use emilia_core::board::{Move, Score};
use emilia_core::search::{Depth, Line};
use emilia_games::Labelled;

/// Kind of a [`Solution`] line in the JSON schema.
pub const KIND: &str = "solution";

/// Solved position.
#[derive(Debug, Serialize)]
pub struct Solution {
    /// Number in the whole input, from 1.
    pub k: usize,
    position: String,
    empties: u32,
    wld: bool,
    score: Score,
    best: Option<String>,
    seconds: f64,
    /// Nodes of all searches.
    pub nodes: u64,
    nps: u64,
    pv: Vec<String>,
    /// Scores of all moves, best first. Empty without `--all-moves`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveScore>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    wrong: Vec<Mismatch>,
}

#[derive(Debug, Serialize)]
struct MoveScore {
    #[serde(rename = "move")]
    mv: String,
    score: Score,
}

/// Score of the input that differs from the solution.
#[derive(Debug, Serialize)]
struct Mismatch {
    /// Move, or `None` for the score of the position.
    #[serde(rename = "move")]
    mv: Option<String>,
    found: Score,
    expected: Score,
}

impl Solution {
    /// Creates the solution of position number `k` from the lines of a search.
    /// With `all_moves`, `lines` has the best line of every move, otherwise only the best of all.
    /// Returns `None` if one of the lines is not solved.
    pub fn new(k: usize, labelled: &Labelled, lines: &[Line], all_moves: bool) -> Option<Solution> {
        if !lines.iter().all(|line| line.depth.is_solved()) {
            return None;
        }
        let best = lines.first()?;
        let moves: Vec<(Move, Score)> = lines
            .iter()
            .filter(|_| all_moves)
            .filter_map(|line| Some((line.best_move()?, score(line))))
            .collect();
        Some(Solution {
            k,
            position: labelled.position.to_string(),
            empties: labelled.position.board.empty_count(),
            wld: best.depth == Depth::Wld,
            score: score(best),
            best: best.best_move().map(|mv| mv.to_string()),
            seconds: best.elapsed.as_secs_f64(),
            nodes: best.nodes,
            nps: best.nps().round() as u64,
            pv: json::names(&best.pv),
            wrong: mismatches(best, &moves, labelled),
            moves: moves
                .into_iter()
                .map(|(mv, score)| MoveScore {
                    mv: mv.to_string(),
                    score,
                })
                .collect(),
        })
    }

    /// Returns whether all scores of the input agree with the solution.
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Duration of all searches.
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.seconds).unwrap_or_default()
    }
}

/// Returns the scores of the input that differ from the solution.
fn mismatches(best: &Line, moves: &[(Move, Score)], known: &Labelled) -> Vec<Mismatch> {
    let is_wld = best.depth == Depth::Wld;
    let goal_score = |score: Score| if is_wld { score.signum() } else { score };
    let move_pairs = moves.iter().filter_map(|&(mv, found)| {
        let mut scores = known.moves.iter().filter(|&&(known, _)| known == mv);
        let &(_, expected) = scores.next()?;
        Some((Some(mv.to_string()), found, expected))
    });
    let best_pair = known.best.map(|expected| (None, score(best), expected));
    best_pair
        .into_iter()
        .chain(move_pairs)
        .map(|(mv, found, expected)| Mismatch {
            mv,
            found,
            expected: goal_score(expected),
        })
        .filter(|pair| pair.found != pair.expected)
        .collect()
}

/// Returns the score of a line in discs for the side to move.
fn score(line: &Line) -> Score {
    line.value.round_to_score()
}

/// Formats `#k empties score best-move seconds nodes nps pv`, separated by tabs.
/// The scores of all moves and the mismatches follow, if there are any.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Solution {
            k,
            empties,
            score,
            seconds,
            nodes,
            nps,
            ..
        } = self;
        let (best, pv) = match &self.best {
            Some(best) => (best.as_str(), self.pv.join(" ")),
            None => ("-", "-".to_owned()),
        };
        write!(
            f,
            "#{k}\t{empties}\t{score:+}\t{best}\t{seconds:.3}\t{nodes}\t{nps}\t{pv}"
        )?;
        if !self.moves.is_empty() {
            let scores = self.moves.iter();
            let scores = scores.map(|MoveScore { mv, score }| format!("{mv}:{score:+}"));
            write!(f, "\t{}", scores.collect::<Vec<_>>().join(" "))?;
        }
        if !self.is_right() {
            let wrong: Vec<String> = self.wrong.iter().map(Mismatch::to_string).collect();
            write!(f, "\tWRONG {}", wrong.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.mv {
            Some(mv) => write!(f, "{mv}:{:+}", self.found)?,
            None => write!(f, "{:+}", self.found)?,
        }
        write!(f, " expected {:+}", self.expected)
    }
}
