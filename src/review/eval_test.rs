//! Compares search results with the labels of test positions. A label is the score that the search
//! should return. The errors are grouped by number of empties.

use std::io::{self, Write};

use parking_lot::Mutex;
use serde::Serialize;

use super::json;
use emilia_core::board::{Move, Position};
use emilia_core::eval::Value;
use emilia_core::search::{Engine, Limits, OutOfMemory, Settings, Silent};
use emilia_core::work::{self, StopFlag};
use emilia_view::{Align, ProgressBar, Table, width};

/// Value of the field `kind` in the JSON output.
pub const KIND: &str = "errors";

/// Test position with its label.
#[derive(Debug)]
pub struct ScoredPosition {
    /// Position to search.
    pub position: Position,
    /// Score that the search should return: the score of best play, the value found by a deeper
    /// search, or the final score of the game that contains the position.
    pub label: Value,
    /// Whether the label is the score of best play.
    pub is_exact: bool,
    /// Legal moves with exact values. Empty if the input has none.
    pub moves: Vec<(Move, Value)>,
}

/// Searches test positions and compares the results with their labels.
#[derive(Debug)]
pub struct EvalTest {
    /// Settings of the engines, one engine per thread.
    pub settings: Settings,
    /// Limits of each search. With depth 0, the test compares static evaluations, without a search.
    pub limits: Limits,
    /// Stops the test when set. The results of searches that it interrupts are discarded.
    pub interrupt: StopFlag,
}

impl EvalTest {
    /// Searches all `positions` on `threads` threads. Each thread has an engine and searches one
    /// position at a time.
    pub fn run(
        &self,
        positions: &[ScoredPosition],
        threads: usize,
    ) -> Result<EvalTestErrors, OutOfMemory> {
        let bar = ProgressBar::new("positions");
        let mut engines = Engine::several(&self.settings, threads.min(positions.len()))?;
        for engine in &mut engines {
            engine.set_interrupt(self.interrupt.clone());
        }
        let errors = Mutex::new(EvalTestErrors::default());
        let done = |count| bar.update(count, positions.len());
        work::parallel_map("search", &mut engines, positions, &done, |engine, known| {
            self.search(known, engine, &errors);
            (!self.interrupt.is_set()).then_some(())
        });
        let mut all = errors.into_inner();
        all.empties.sort_by_key(|group| group.empties);
        Ok(all)
    }

    /// Searches the position of `known` and adds its error to `errors`.
    fn search(&self, known: &ScoredPosition, engine: &mut Engine, errors: &Mutex<EvalTestErrors>) {
        let board = &known.position.board;
        if self.limits.depth == Some(0) {
            let value = if board.is_over() {
                Value::from_score(board.final_score())
            } else {
                self.settings.evaluator.evaluate(board)
            };
            let own = Errors::of(known, value, None, 1);
            return errors.lock().add(board.empty_count(), &own);
        }
        engine.clear();
        let lines = engine.multi_pv(board, 1, &self.limits, &mut Silent);
        if let [line] = &lines[..]
            && !self.interrupt.is_set()
        {
            let own = Errors::of(known, line.value, line.best_move(), line.nodes);
            errors.lock().add(board.empty_count(), &own);
        }
    }
}

/// Result of the test. Its fields are the fields of the JSON object.
#[derive(Debug, Default, Serialize)]
pub struct EvalTestErrors {
    /// Duration of all searches in seconds.
    pub seconds: f64,
    /// Errors of the positions with the same number of empties, one group for each number.
    empties: Vec<Group>,
}

/// Errors of the positions with the same number of empties.
#[derive(Debug, Serialize)]
struct Group {
    empties: u32,
    #[serde(flatten)]
    errors: Errors,
}

impl EvalTestErrors {
    fn add(&mut self, empties: u32, errors: &Errors) {
        let mut groups = self.empties.iter_mut();
        match groups.find(|group| group.empties == empties) {
            Some(group) => group.errors.add(errors),
            None => self.empties.push(Group {
                empties,
                errors: *errors,
            }),
        }
    }

    /// Returns the errors of all groups together.
    fn result(&self) -> Errors {
        let mut result = Errors::default();
        for group in &self.empties {
            result.add(&group.errors);
        }
        result
    }

    /// Returns the number of positions searched.
    pub fn positions(&self) -> u64 {
        self.result().positions
    }

    /// Writes one JSON object if `json` is set. Otherwise writes a table by number of empties, and
    /// a text line with the totals.
    pub fn write(&self, json: bool, out: &mut dyn Write) -> io::Result<()> {
        if json {
            return json::write(KIND, self, out);
        }
        let result = self.result();
        let columns = "empties,positions,exact,MAE,mean,RMSE,best %,lost";
        let mut table = Table::new(columns.split(',').map(|name| (name, Align::Right)));
        let mut row = |name: String, errors: &Errors| {
            let [positions, mae, mean, rmse, best, lost, _] = errors.cells();
            let exact = errors.exact.to_string();
            table.row([name, positions, exact, mae, mean, rmse, best, lost]);
        };
        for group in &self.empties {
            row(group.empties.to_string(), &group.errors);
        }
        row("all".to_owned(), &result);
        writeln!(out, "{}", table.fitted(width()))?;
        let [positions, mae, _, _, best, _, nodes] = result.cells();
        writeln!(
            out,
            "eval-test: {positions} positions, MAE {mae}, best {best} %, {:.3} s, {nodes} nodes",
            self.seconds
        )
    }
}

/// Sums of errors over positions. They are integers, so the result does not depend on the order in
/// which threads add them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Errors {
    positions: u64,
    /// Number of positions whose label is the score of best play.
    exact: u64,
    /// Sum of value minus label, in 1/32 disc.
    signed: i64,
    absolute: u64,
    squared: u64,
    /// Number of searches that returned a best move and whose position has exact move values.
    /// Denominator of the share of best moves.
    moves: u64,
    /// Number of searches whose best move has an exact value equal to the label. Numerator of the
    /// share of best moves.
    best: u64,
    /// Number of searches whose best move has an exact value in [`ScoredPosition::moves`].
    /// Denominator of the mean loss.
    scored: u64,
    /// Sum over the searches counted in `scored` of label minus exact value of the best move, in
    /// 1/32 disc.
    lost: u64,
    nodes: u64,
}

impl Errors {
    /// Returns the error of one search, which returned `value` and the best move `mv`.
    fn of(known: &ScoredPosition, value: Value, mv: Option<Move>, nodes: u64) -> Errors {
        let error = i64::from((value - known.label).units());
        let known_move = known.moves.iter().find(|&&(known, _)| Some(known) == mv);
        let score = known_move.map(|&(_, score)| score);
        Errors {
            positions: 1,
            exact: known.is_exact.into(),
            signed: error,
            absolute: error.unsigned_abs(),
            squared: error.unsigned_abs().pow(2),
            moves: (mv.is_some() && !known.moves.is_empty()).into(),
            best: (score == Some(known.label)).into(),
            scored: score.is_some().into(),
            lost: score.map_or(0, |score| {
                (known.label - score).units().unsigned_abs().into()
            }),
            nodes,
        }
    }

    fn add(&mut self, other: &Errors) {
        self.positions += other.positions;
        self.exact += other.exact;
        self.signed += other.signed;
        self.absolute += other.absolute;
        self.squared += other.squared;
        self.moves += other.moves;
        self.best += other.best;
        self.scored += other.scored;
        self.lost += other.lost;
        self.nodes += other.nodes;
    }

    /// Formats the number of positions, the MAE, mean error and RMSE in discs, the share of best
    /// moves in percent, the mean loss of the moves in discs, and the number of nodes. A mean
    /// without data is `-`.
    fn cells(&self) -> [String; 7] {
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        let discs = |units: f64| units / f64::from(Value::PER_DISC);
        let figure = |mean: Option<f64>| mean.map_or("-".to_owned(), |mean| format!("{mean:.2}"));
        let signed = mean(self.signed as f64, self.positions).map(discs);
        let squared = mean(self.squared as f64, self.positions);
        [
            self.positions.to_string(),
            figure(mean(self.absolute as f64, self.positions).map(discs)),
            signed.map_or("-".to_owned(), |mean| format!("{mean:+.2}")),
            figure(squared.map(|square| discs(square.sqrt()))),
            figure(mean(100.0 * self.best as f64, self.moves)),
            figure(mean(self.lost as f64, self.scored).map(discs)),
            self.nodes.to_string(),
        ]
    }
}
