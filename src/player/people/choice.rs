//! [`Choice`]: the moves among which a person chooses. [`Model`]: the probability of each.

use emilia_core::board::{Board, Move};
use emilia_core::eval::AnyEvaluator;
use emilia_core::search::{Engine, Line, OutOfMemory, Settings, Silent};

use super::Human;

/// A legal move with the two values that the model uses, both in discs for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValuedMove {
    /// Legal move.
    pub mv: Move,
    /// Value of the move from a search with [`Human::limits`].
    pub searched: f64,
    /// Static evaluation of the position after the move, which stands for the impression at first
    /// sight.
    pub at_once: f64,
}

/// All legal moves of a position with their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Number of empties before the move is played.
    pub empties: u32,
    /// The moves, best first by [`ValuedMove::searched`].
    pub candidates: Vec<ValuedMove>,
}

/// Number of plies at the start of a game that are not used for the model, because players know
/// them by heart.
pub const LEARNED_PLIES: usize = 4;

/// Number of stages into which the model divides a game. A stage is a range of `EMPTIES_PER_STAGE`
/// numbers of empties.
pub const MODEL_STAGES: usize = 6;

/// Number of different numbers of empties in a stage.
const EMPTIES_PER_STAGE: u32 = 10;

/// Model of how people choose moves: conditional logit (`McFadden`, 1974).
///
/// The probability of a move is proportional to
/// `exp(searched / (factor · temperature) + weight · factor^−γ · at_once)`. The factor comes from
/// the player's [`Skill`](super::Skill), and γ is [`Model::GAMMA`]. `emilia train people` fits the
/// temperature and the weight of each stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// Temperature of the average player in discs, by [`stage`]: the divisor of
    /// [`ValuedMove::searched`].
    pub temperatures: [f64; MODEL_STAGES],
    /// Weight of the average player per disc, by [`stage`]: the multiplier of
    /// [`ValuedMove::at_once`].
    pub weights: [f64; MODEL_STAGES],
}

impl Model {
    /// Model fitted to games of the WTHOR database: see `MEASUREMENTS.md` in this folder.
    pub const FITTED: Model = Model {
        temperatures: [6.08, 9.79, 7.93, 6.43, 4.55, 2.63],
        weights: [0.122, 0.131, 0.148, 0.175, 0.228, 0.214],
    };

    /// γ in the formula of [`Model`]: how fast the weight of static values (`at_once`) falls with
    /// the player's factor.
    ///
    /// Games of tournament players fit equally well with any γ from 0 to 0.25. A γ above 0 makes
    /// beginners pay less attention to the static value.
    pub const GAMMA: f64 = 0.25;

    /// Returns the probability of each candidate, for a player with this factor.
    pub fn probabilities(&self, choice: &Choice, factor: f64) -> Vec<f64> {
        let stage = stage(choice.empties);
        let of_search = 1.0 / (factor * self.temperatures[stage]);
        let of_looks = self.weights[stage] * factor.powf(-Model::GAMMA);
        let candidates = choice.candidates.iter();
        softmax(candidates.map(|one| of_search * one.searched + of_looks * one.at_once))
    }
}

/// Returns the index of the stage with this number of empties: 0 for 1-10, 5 for 51-60.
pub fn stage(empties: u32) -> usize {
    let stage = empties.saturating_sub(1) / EMPTIES_PER_STAGE;
    (stage as usize).min(MODEL_STAGES - 1)
}

/// Creates an engine for [`Choice::search`], with the settings with which the model was fitted. Its
/// transposition table is small, because it is cleared before each position.
pub fn small_engine() -> Result<Engine, OutOfMemory> {
    Engine::try_new(Settings::default().with_hash_mib(1))
}

impl Choice {
    /// Searches every move of `board` with [`Human::limits`]. Clears the engine first, so that the
    /// values do not depend on earlier searches.
    pub fn search(engine: &mut Engine, board: &Board) -> Choice {
        engine.clear();
        let lines = engine.multi_pv(board, usize::MAX, &Human::limits(), &mut Silent);
        Choice::of_lines(board, &lines, &engine.settings().evaluator)
    }

    /// Returns the index of a move among the candidates.
    pub fn index_of(&self, mv: Move) -> Option<usize> {
        self.candidates.iter().position(|one| one.mv == mv)
    }

    /// Returns the loss of each candidate against the best move, in discs. Never below 0.
    ///
    /// `known` are moves with their losses from a deeper search, the best move first. For any other
    /// move, the loss is the absolute difference between its searched value and the best move's
    /// searched value. A higher searched value counts as a loss, too, because the deeper search
    /// refutes the move. If `known` is empty, the first candidate is the best move.
    pub fn losses(&self, known: &[(Move, f64)]) -> impl Iterator<Item = f64> {
        let best = known.first().and_then(|&(best, _)| self.index_of(best));
        let best = self.candidates.get(best.unwrap_or(0));
        let best_value = best.map_or(0.0, |best| best.searched);
        self.candidates.iter().map(move |one| {
            let own = known.iter().find(|(mv, _)| *mv == one.mv);
            own.map_or_else(|| (best_value - one.searched).abs(), |&(_, loss)| loss)
        })
    }

    /// Returns the choice among the moves of the search result `lines`, which has one search line
    /// (value and PV) for each legal move.
    pub fn of_lines(board: &Board, lines: &[Line], evaluator: &AnyEvaluator) -> Choice {
        let candidates = lines.iter().filter_map(|line| {
            let mv = line.best_move()?;
            Some(ValuedMove {
                mv,
                searched: line.value.discs(),
                at_once: value_at_once(board, mv, evaluator),
            })
        });
        Choice {
            empties: board.empty_count(),
            candidates: candidates.collect(),
        }
    }
}

/// Returns the static value of the position after a move, in discs for the side that moves. If the
/// move ends the game, this is the final score.
fn value_at_once(board: &Board, mv: Move, evaluator: &AnyEvaluator) -> f64 {
    let child = board.play_or_pass(mv);
    if child.is_over() {
        -f64::from(child.final_score())
    } else if child.can_move() {
        -evaluator.evaluate(&child).discs()
    } else {
        evaluator.evaluate(&child.pass()).discs()
    }
}

/// Returns probabilities proportional to the exponentials of `utilities`.
pub(super) fn softmax(utilities: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let best = utilities.clone().fold(f64::NEG_INFINITY, f64::max);
    let mut shares: Vec<f64> = utilities.map(|utility| (utility - best).exp()).collect();
    let sum: f64 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}
