//! [`Solution`]: a solved position, and the scores in the input that contradict it. Written as a
//! text line or as JSON.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::json::{self, Reach};
use emilia_core::board::Score;
use emilia_core::search::{Depth, Line};
use emilia_games::Labelled;

/// Value of the field `kind` in the JSON output.
pub const KIND: &str = "solution";

/// Solved position. If the search was interrupted, the result of its last complete iteration.
#[derive(Debug, Serialize)]
pub struct Solution {
    /// Number of the position in the input, from 1.
    pub k: usize,
    position: String,
    empties: u32,
    wld: bool,
    score: Score,
    exact: bool,
    /// Depth and selectivity of the search. `None` if the position is solved.
    #[serde(flatten)]
    reach: Option<Reach>,
    best: Option<String>,
    seconds: f64,
    /// Number of nodes searched for this position.
    pub nodes: u64,
    nps: u64,
    pv: Vec<String>,
    /// Scores of all legal moves, best first. Empty without the option `--all-moves`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveScore>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrong: Vec<Mismatch>,
}

#[derive(Debug, Serialize)]
struct MoveScore {
    #[serde(rename = "move")]
    mv: String,
    score: Score,
}

/// Score in the input that contradicts the solution.
#[derive(Debug, Serialize)]
struct Mismatch {
    /// Move that the score is for. `None`: the score is for the position.
    #[serde(rename = "move")]
    mv: Option<String>,
    found: Score,
    expected: Score,
}

impl Solution {
    /// Creates the solution of position number `k`. `lines` has the search line (value and PV) of
    /// every legal move if `all_moves` is set, and otherwise only the line of the best move.
    /// Returns `None` if `lines` is empty.
    pub fn new(k: usize, labelled: &Labelled, lines: &[Line], all_moves: bool) -> Option<Solution> {
        let best = lines.first()?;
        let exact = best.depth.is_solved();
        let wld = best.depth == Depth::Wld;
        let scores = lines.iter().filter(|_| all_moves).filter_map(|line| {
            let mv = line.best_move()?.to_string();
            let score = score(line);
            Some(MoveScore { mv, score })
        });
        let moves: Vec<MoveScore> = scores.collect();
        let of_moves = moves.iter().map(|MoveScore { mv, score }| {
            let mut labels = labelled.moves.iter();
            let known = labels.find(|(known, _)| known.to_string() == *mv);
            (Some(mv.clone()), *score, known.map(|&(_, score)| score))
        });
        let pairs = std::iter::once((None, score(best), labelled.best)).chain(of_moves);
        let wrong = pairs.filter(|_| exact).filter_map(|(mv, found, label)| {
            let expected = label.map(|score| if wld { score.signum() } else { score })?;
            (found != expected).then_some(Mismatch {
                mv,
                found,
                expected,
            })
        });
        Some(Solution {
            k,
            position: labelled.position.to_string(),
            empties: labelled.position.board.empty_count(),
            wld,
            score: score(best),
            exact,
            reach: (!exact).then(|| best.depth.into()),
            best: best.best_move().map(|mv| mv.to_string()),
            seconds: best.elapsed.as_secs_f64(),
            nodes: best.nodes,
            nps: best.nps().round() as u64,
            pv: json::names(&best.pv),
            wrong: wrong.collect(),
            moves,
        })
    }

    /// Returns whether no score in the input contradicts the solution.
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Returns whether the position is solved.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Time that the search took.
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.seconds).unwrap_or_default()
    }
}

/// Returns the score of a search result, rounded to whole discs, for the side to move.
fn score(line: &Line) -> Score {
    line.value.round_to_score()
}

/// Formats `#k empties score best-move seconds nodes nps pv`, separated by tabs.
/// Then come the scores of all moves, `NOT EXACT` if the position is not solved, and the scores in
/// the input that are wrong.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pv = match self.best {
            Some(_) => self.pv.join(" "),
            None => "-".to_owned(),
        };
        write!(
            f,
            "#{}\t{}\t{:+}\t{}\t{:.3}\t{}\t{}\t{pv}",
            self.k,
            self.empties,
            self.score,
            self.best.as_deref().unwrap_or("-"),
            self.seconds,
            self.nodes,
            self.nps
        )?;
        if !self.moves.is_empty() {
            let moves = self.moves.iter();
            let scores = moves.map(|MoveScore { mv, score }| format!("{mv}:{score:+}"));
            write!(f, "\t{}", scores.collect::<Vec<_>>().join(" "))?;
        }
        if let Some(reach) = &self.reach {
            write!(f, "\tNOT EXACT {reach}")?;
        }
        if !self.is_right() {
            let wrong = self.wrong.iter().map(|wrong| {
                let mv = wrong.mv.as_ref().map(|mv| format!("{mv}:"));
                let (mv, found) = (mv.unwrap_or_default(), wrong.found);
                format!("{mv}{found:+} expected {:+}", wrong.expected)
            });
            write!(f, "\tWRONG {}", wrong.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}
