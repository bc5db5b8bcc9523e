//! Fits the [`Model`] of how people choose moves: the temperature and the weight of each stage, and
//! a factor for each player. A stage is a range of numbers of empties. The temperature divides the
//! search values of moves, and the weight multiplies their static values. The factor of a player
//! multiplies the temperature and, raised to the power −γ, the weight.
//!
//! The log-likelihood of the moves is concave in 1 / temperature and in the weight of a stage, and
//! nearly quadratic in the logarithm of a player's factor. A pass takes one step of Fisher scoring
//! for the stages, and then one for the players. (Fisher scoring is Newton's method with the
//! expected second derivative.) The logarithms of the factors have a normal prior, which keeps
//! players with few moves near the average.

use std::collections::HashMap;

use fastrand::Rng;

use emilia_core::board::{Board, Move};
use emilia_core::search::Engine;
use emilia_core::work;
use emilia_games::PackedGame;
use emilia_games::archive::{Archives, GamePlace};
use emilia_player::people::{Choice, LEARNED_PLIES, MODEL_STAGES, Model, stage};

/// Maximum number of sampled moves per player.
const MAX_MOVES_OF_PLAYER: usize = 400;

/// Standard deviation of the normal prior for the logarithm of a player's factor.
const PRIOR_SIGMA: f64 = 0.35;

/// Number of passes over stages and players. The likelihoods after the last two passes agree to
/// 1e-6.
const PASSES: usize = 25;

/// Move that a person played. Its position is not searched yet.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledMove {
    /// Position before the move.
    pub(crate) board: Board,
    /// The move played.
    pub mv: Move,
    /// Name of the player.
    pub player: String,
}

/// Move that a person played, with the values of all legal moves.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonMove {
    /// Legal moves with their values.
    pub choice: Choice,
    /// Index of the move played in the candidates of `choice`.
    pub played: usize,
    /// Index of the player, less than [`PeopleMoves::players`].
    pub player: usize,
}

/// Moves that people played, as data for the fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeopleMoves {
    /// The moves of all players.
    pub moves: Vec<PersonMove>,
    /// Number of players.
    pub players: usize,
}

/// Draws `games` random games, and from each game one random move per stage. Forced moves, the
/// first [`LEARNED_PLIES`] plies, and all but the first `MAX_MOVES_OF_PLAYER` moves of a player are
/// left out.
pub fn sample_people(archives: &Archives, games: usize, seed: u64) -> Vec<SampledMove> {
    let mut random = Rng::with_seed(seed);
    let visited = archives.visit(|places: &mut Vec<GamePlace>, place, _| places.push(place));
    let mut places = visited.results.concat();
    random.shuffle(&mut places);
    let (mut moves, mut counts) = (Vec::new(), HashMap::<String, usize>::new());
    let mut games_left = games;
    let _ = archives.visit_at(&places, |_, game| {
        for sampled in moves_of_stages(game, &mut random) {
            let count = counts.entry(sampled.player.clone()).or_default();
            *count += 1;
            if *count <= MAX_MOVES_OF_PLAYER {
                moves.push(sampled);
            }
        }
        games_left = games_left.saturating_sub(1);
        if games_left == 0 { Err(()) } else { Ok(()) }
    });
    moves
}

/// Draws one random move from each stage of a game.
fn moves_of_stages(game: &PackedGame, random: &mut Rng) -> Vec<SampledMove> {
    let mut of_stages: [Vec<SampledMove>; MODEL_STAGES] = Default::default();
    let full = game.game();
    let positions = full.positions().iter().zip(full.moves());
    for (position, played) in positions.skip(LEARNED_PLIES) {
        let board = position.board;
        if board.legal_moves().count() > 1 {
            of_stages[stage(board.empty_count())].push(SampledMove {
                board,
                mv: played.mv,
                player: game.player(position.mover).to_owned(),
            });
        }
    }
    let drawn = of_stages.iter_mut().filter(|moves| !moves.is_empty());
    drawn
        .map(|moves| moves.swap_remove(random.usize(..moves.len())))
        .collect()
}

/// Searches all legal moves in the positions of `moves`. Each engine searches in its own thread.
/// `on_progress` receives the number of positions searched.
pub fn search_people(
    engines: &mut [Engine],
    moves: &[SampledMove],
    on_progress: &(dyn Fn(usize) + Sync),
) -> PeopleMoves {
    let search = |engine: &mut Engine, one: &SampledMove| Some(Choice::search(engine, &one.board));
    let choices = work::parallel_map("search", engines, moves, on_progress, search);
    let mut players = HashMap::new();
    let mut searched = PeopleMoves::default();
    for (choice, sampled) in choices.unwrap_or_default().into_iter().zip(moves) {
        if let Some(played) = choice.index_of(sampled.mv) {
            let next = players.len();
            searched.moves.push(PersonMove {
                choice,
                played,
                player: *players.entry(&sampled.player).or_insert(next),
            });
        }
    }
    searched.players = players.len();
    searched
}

/// Model fitted to the moves of people, and the factors of the players.
#[derive(Clone, Debug, PartialEq)]
pub struct PeopleFit {
    /// The fitted model.
    pub model: Model,
    /// Logarithm of each player's factor.
    pub log_factors: Vec<f64>,
}

/// Sums for one step of Fisher scoring in N parameters: gradient and Fisher information of the
/// log-likelihood.
#[derive(Clone, Copy, Debug)]
struct Step<const N: usize> {
    gradient: [f64; N],
    information: [[f64; N]; N],
}

impl<const N: usize> Step<N> {
    const ZERO: Step<N> = Step {
        gradient: [0.0; N],
        information: [[0.0; N]; N],
    };

    /// Adds one move. For each candidate, `derivatives` has the derivatives of its utility by the
    /// parameters, and `probabilities` the probability that it is chosen. `played` is the index of
    /// the move played.
    fn add(&mut self, derivatives: &[[f64; N]], probabilities: &[f64], played: usize) {
        let mean: [f64; N] = std::array::from_fn(|term| {
            let products = derivatives.iter().zip(probabilities);
            products.map(|(one, share)| one[term] * share).sum()
        });
        for (one, share) in derivatives.iter().zip(probabilities) {
            let centred: [f64; N] = std::array::from_fn(|term| one[term] - mean[term]);
            for (row, left) in self.information.iter_mut().zip(centred) {
                for (cell, right) in row.iter_mut().zip(centred) {
                    *cell += share * left * right;
                }
            }
        }
        for (sum, (own, mean)) in
            (self.gradient.iter_mut()).zip(derivatives[played].iter().zip(mean))
        {
            *sum += own - mean;
        }
    }
}

impl PeopleFit {
    /// Fits the model and the factors of the players to moves.
    pub fn of(data: &PeopleMoves) -> PeopleFit {
        let mut fit = PeopleFit {
            model: Model {
                temperatures: [4.0; MODEL_STAGES],
                weights: [0.0; MODEL_STAGES],
            },
            log_factors: vec![0.0; data.players],
        };
        for _ in 0..PASSES {
            fit.step_of_stages(data);
            fit.step_of_players(data);
        }
        fit
    }

    /// Takes one step of Fisher scoring for the temperature and the weight of each stage. The
    /// factors of the players stay fixed.
    fn step_of_stages(&mut self, data: &PeopleMoves) {
        let mut steps = [Step::<2>::ZERO; MODEL_STAGES];
        for one in &data.moves {
            let log_factor = self.log_factors[one.player];
            let of_search = (-log_factor).exp();
            let of_looks = (-Model::GAMMA * log_factor).exp();
            let derivatives: Vec<[f64; 2]> = (one.choice.candidates.iter())
                .map(|one| [of_search * one.searched, of_looks * one.at_once])
                .collect();
            let at = stage(one.choice.empties);
            steps[at].add(&derivatives, &self.probabilities(one), one.played);
        }
        for (at, step) in steps.into_iter().enumerate() {
            let Step {
                gradient: [first, second],
                information: [[of_first, mixed], [_, of_second]],
            } = step;
            // Solves the linear system of two equations by Cramer's rule.
            let determinant = of_first * of_second - mixed * mixed;
            let inverse = (of_second * first - mixed * second) / determinant;
            let weight = (of_first * second - mixed * first) / determinant;
            if inverse.is_finite() && weight.is_finite() {
                let old = 1.0 / self.model.temperatures[at];
                // 1 / temperature at most halves or doubles in a step, so that it stays positive.
                let new = (old + inverse).clamp(old / 2.0, old * 2.0);
                self.model.temperatures[at] = 1.0 / new;
                self.model.weights[at] += weight;
            }
        }
    }

    /// Takes one step of Fisher scoring for the factor of each player. Temperatures and weights
    /// stay fixed.
    fn step_of_players(&mut self, data: &PeopleMoves) {
        let mut steps = vec![Step::<1>::ZERO; data.players];
        for one in &data.moves {
            let log_factor = self.log_factors[one.player];
            let at = stage(one.choice.empties);
            let of_search = (-log_factor).exp() / self.model.temperatures[at];
            let of_looks =
                Model::GAMMA * (-Model::GAMMA * log_factor).exp() * self.model.weights[at];
            let derivatives: Vec<[f64; 1]> = (one.choice.candidates.iter())
                .map(|one| [-of_search * one.searched - of_looks * one.at_once])
                .collect();
            steps[one.player].add(&derivatives, &self.probabilities(one), one.played);
        }
        let prior = PRIOR_SIGMA.powi(-2);
        for (log_factor, step) in self.log_factors.iter_mut().zip(steps) {
            let [gradient] = step.gradient;
            let [[information]] = step.information;
            let shift = (gradient - prior * *log_factor) / (information + prior);
            *log_factor += shift.clamp(-0.5, 0.5);
        }
    }

    /// Returns the probability of each candidate for the player of `one`.
    fn probabilities(&self, one: &PersonMove) -> Vec<f64> {
        let factor = self.log_factors[one.player].exp();
        self.model.probabilities(&one.choice, factor)
    }

    /// Tests the model on every second move of each player. The player's factor is fitted to the
    /// other half of the moves.
    ///
    /// Returns the number of tested moves, and two means of −ln p over these moves, where p is the
    /// probability of the move played. The first is by the model. The second is for comparison: all
    /// candidates have the same probability.
    pub fn predict(&self, data: &PeopleMoves) -> (usize, [f64; 2]) {
        let mut seen = vec![0_usize; data.players];
        let is_known = |one: &PersonMove| {
            seen[one.player] += 1;
            !seen[one.player].is_multiple_of(2)
        };
        let (known, predicted): (Vec<_>, Vec<_>) = data.moves.iter().cloned().partition(is_known);
        let known = PeopleMoves {
            moves: known,
            players: data.players,
        };
        let mut fit = PeopleFit {
            model: self.model,
            log_factors: vec![0.0; data.players],
        };
        for _ in 0..PASSES {
            fit.step_of_players(&known);
        }
        let mut nats = [0.0; 2];
        for one in &predicted {
            let probabilities = fit.probabilities(one);
            nats[0] -= probabilities[one.played].ln();
            nats[1] += (probabilities.len() as f64).ln();
        }
        let moves = predicted.len();
        (moves, nats.map(|sum| sum / moves.max(1) as f64))
    }
}
