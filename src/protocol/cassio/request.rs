//! Search requests of Cassio: their arguments and limits, and the text line with the result.

use emilia_core::board::{Color, Position};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Goal, Limits, Line, Selectivity, Settings};
use emilia_review::json::Reach;

/// Smallest win in discs. Final scores are even, because the winner gets the empty squares.
const LEAST_WIN: i32 = 2;

/// Arguments of `midgame-search` or `endgame-search`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    pub(super) position: Position,
    /// Number of empty squares of the position.
    empties: u32,
    /// Depth in plies. A depth of at least the number of empties solves the game.
    depth: u32,
    /// Minimum selectivity of a result: a confidence in percent, where 100 is full width.
    selectivity: Selectivity,
    /// Goal of an endgame solve: WLD if the requested search window is narrow enough, otherwise
    /// exact.
    goal: Goal,
}

impl Request {
    /// Parses `POSITION ALPHA BETA DEPTH PRECISION`.
    pub(super) fn midgame(words: &[&str]) -> Result<Request, String> {
        let [position @ .., alpha, beta, depth, precision] = words else {
            return Err("midgame-search: expected POSITION ALPHA BETA DEPTH PRECISION".to_owned());
        };
        let plies = depth.parse();
        Ok(Request {
            depth: plies.map_err(|_| format!("depth '{depth}': expected a number of plies"))?,
            ..Request::endgame(&[position, &[*alpha, *beta, *precision]].concat())?
        })
    }

    /// Parses `POSITION ALPHA BETA PRECISION`.
    pub(super) fn endgame(words: &[&str]) -> Result<Request, String> {
        let [position @ .., alpha, beta, precision] = words else {
            return Err("endgame-search: expected POSITION ALPHA BETA PRECISION".to_owned());
        };
        let parsed = position.concat().parse();
        let position: Position = parsed.map_err(|error| format!("position: {error}"))?;
        let empties = position.board.empty_count();
        Ok(Request {
            position,
            empties,
            depth: empties,
            selectivity: selectivity(precision)?,
            goal: goal(alpha, beta)?,
        })
    }

    /// Returns the settings of the search. A midgame search has the requested selectivity. A solve
    /// has the default selectivity, but only for its first iterations: for the iterations that
    /// reach the end of the game, the search itself chooses a selectivity that rises.
    pub(super) fn settings(&self, own: &Settings) -> Settings {
        let midgame = Some(self.selectivity).filter(|_| self.depth < self.empties);
        own.clone().with_selectivity(midgame.unwrap_or_default())
    }

    /// Returns the limits of the search, with the node and time limits of `own`.
    /// A solve continues to full width. The caller stops the search when
    /// [`is_answered_by`](Self::is_answered_by) returns true.
    pub(super) fn limits(&self, own: &Limits) -> Limits {
        Limits {
            depth: Some(self.depth.max(1)),
            solve_from_empties: Some(self.depth),
            goal: self.goal,
            ..own.clone()
        }
    }

    /// Returns whether the search result `line` has at least the requested depth and selectivity.
    pub(super) fn is_answered_by(&self, line: &Line) -> bool {
        line.depth >= Depth::Plies(self.depth.min(self.empties), self.selectivity)
    }

    /// Formats a result. A solve is reported with at least the requested depth, because Cassio
    /// ignores results of less depth.
    ///
    /// The lower and the upper bound of the score are equal unless only a win or a loss is known. A
    /// win then has the bounds 2 and 64. Alpha and beta of the requested search window are not
    /// between these bounds, because a WLD window lies between -2 and 2.
    pub(super) fn result(&self, line: &Line) -> String {
        let plies = line.depth.plies(self.empties);
        let is_end = plies >= self.empties;
        let depth = if is_end { plies.max(self.depth) } else { plies };
        let selectivity = Reach::from(line.depth).selectivity;
        let is_decided = is_end && self.goal == Goal::Wld;
        let [lower, upper] = match line.value.units().signum() {
            1 if is_decided => [Value::from_score(LEAST_WIN), Value::MAX],
            -1 if is_decided => [Value::MIN, Value::from_score(-LEAST_WIN)],
            _ => [line.value; 2],
        };
        let position = self.position.to_string().replace(' ', "");
        let side = ['B', 'W'][self.position.mover as usize];
        let pv = self.pv(line);
        let (best, nodes, time) = (&pv[..2], line.nodes, line.elapsed.as_secs_f64());
        format!(
            "{position}, move {best}, depth {depth}, @{selectivity}%, \
             {side}{lower} <= v <= {side}{upper}, {pv}, node {nodes}, time {time:.3}"
        )
    }

    /// Formats the PV of a search result with two characters for each move, Black's moves in
    /// capitals: `F5d6PAc3`. A PV without moves becomes `--`.
    fn pv(&self, line: &Line) -> String {
        let mut position = self.position;
        let mut names = String::new();
        for &mv in &line.pv {
            let name = mv.to_string();
            names += &match position.mover {
                Color::Black => name[..2].to_ascii_uppercase(),
                Color::White => name[..2].to_owned(),
            };
            // All moves of a PV are legal, so the fallback is never used.
            position = position.play(mv).unwrap_or(position);
        }
        if names.is_empty() {
            "--".to_owned()
        } else {
            names
        }
    }
}

/// Returns the goal of a solve with this search window in discs: WLD if the window lies between the
/// smallest loss and the smallest win, otherwise exact.
fn goal(alpha: &str, beta: &str) -> Result<Goal, String> {
    let win = f64::from(LEAST_WIN);
    match (alpha.parse(), beta.parse()) {
        (Ok(low), Ok(high)) if -win <= low && low < high && high <= win => Ok(Goal::Wld),
        (Ok(low), Ok(high)) if low < high => Ok(Goal::Exact),
        _ => Err(format!(
            "window '{alpha}' to '{beta}': expected two numbers of discs, the less first"
        )),
    }
}

/// Returns the lowest selectivity that is at least `precision` percent.
fn selectivity(precision: &str) -> Result<Selectivity, String> {
    let percent = precision.parse().unwrap_or(u32::MAX);
    let mut all = Selectivity::ALL.into_iter();
    all.find(|selectivity| selectivity.percent() >= percent)
        .ok_or_else(|| format!("precision '{precision}': expected 0 to 100 percent"))
}
