//! Fit of the error model of Multi-ProbCut (Buro 1997).
//!
//! σ is the root mean square of the difference between a shallow and a deep search.
//! It is measured on positions of games.
//! The coefficients of ln σ are fitted by weighted least squares.

use std::collections::BTreeMap;

use super::training_game::TrainingGame;
use emilia_core::board::{Board, Score};
use emilia_core::eval::ErrorModel;
use emilia_core::search::{Engine, Goal, Limits, Silent};
use emilia_core::work;

/// Minimum number of empties of a sampled position.
const FEWEST_EMPTIES: u32 = 10;
/// Maximum number of empties of a sampled position.
const MOST_EMPTIES: u32 = 54;

/// Positions with at most this number of empties are solved as well.
const MAX_SOLVED_EMPTIES: u32 = 20;

/// Width of a midgame bin, in empties.
const MIDGAME_BIN_WIDTH: u32 = 4;
/// Width of an endgame bin, in empties.
const ENDGAME_BIN_WIDTH: u32 = 2;

/// Minimum number of pairs of a midgame bin. Bins with fewer are dropped.
const FEWEST_MIDGAME_PAIRS: usize = 20;
/// Minimum number of pairs of an endgame bin. Bins with fewer are dropped.
const FEWEST_ENDGAME_PAIRS: usize = 10;

/// Samples up to `count` positions with 10 to 54 empties, evenly over the numbers of empties.
///
/// Takes at most one position of each game, after its random opening plies.
pub fn sample_positions(games: &[TrainingGame], count: usize, seed: u64) -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut games: Vec<&TrainingGame> = games.iter().collect();
    random.shuffle(&mut games);
    let mut counts = [0; MOST_EMPTIES as usize + 1];
    let boards = games.into_iter().filter_map(|game| {
        // Takes the number of empties that is rarest so far.
        let boards = game.plies()?.into_iter().map(|ply| ply.board);
        let board = boards
            .filter(|board| (FEWEST_EMPTIES..=MOST_EMPTIES).contains(&board.empty_count()))
            .min_by_key(|board| (counts[board.empty_count() as usize], random.u32(..)))?;
        counts[board.empty_count() as usize] += 1;
        Some(board)
    });
    boards.take(count).collect()
}

/// Values of a position at each search depth, in discs for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedPosition {
    /// Number of empties.
    pub empties: u32,
    /// Static evaluation, then the value at depth 1, 2, and so on.
    pub values: Vec<f64>,
    /// Exact score in discs, or `None` if the position was not solved.
    pub exact: Option<Score>,
}

impl SearchedPosition {
    /// Searches a position at each depth up to `depth`, short of the end of the game.
    ///
    /// Also solves it if it has at most [`MAX_SOLVED_EMPTIES`] empties.
    fn search(engine: &mut Engine, board: &Board, depth: u32) -> SearchedPosition {
        let empties = board.empty_count();
        let mut values = vec![engine.settings().evaluator.evaluate(board).discs()];
        engine.clear();
        for plies in 1..=depth.min(empties.saturating_sub(1)) {
            // `multi_pv` searches a forced move too, because its value is needed.
            let lines = engine.multi_pv(board, 1, &Limits::depth(plies), &mut Silent);
            values.push(lines[0].value.discs());
        }
        let exact = (empties <= MAX_SOLVED_EMPTIES).then(|| {
            let line = engine.search(board, &Limits::solve(Goal::Exact), &mut Silent);
            line.value.discs() as Score
        });
        SearchedPosition {
            empties,
            values,
            exact,
        }
    }
}

/// Searches each position at each depth up to `depth`, in parallel on `engines`.
///
/// The engines should have one thread each.
/// `on_progress` receives the number of finished positions.
/// Returns `None` if an engine was stopped.
pub fn search_all(
    engines: &mut [Engine],
    boards: &[Board],
    depth: u32,
    on_progress: &(dyn Fn(usize) + Sync),
) -> Option<Vec<SearchedPosition>> {
    work::parallel_map("search", engines, boards, on_progress, |engine, board| {
        let searched = SearchedPosition::search(engine, board, depth);
        (!engine.interrupt().is_set()).then_some(searched)
    })
}

/// Pairs of searches with equal depths and similar numbers of empties.
///
/// `N` is the number of terms of ln σ.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin<const N: usize> {
    /// Smallest number of empties of the bin.
    pub empties: u32,
    /// Depth of the shallow search, in plies.
    pub shallow: u32,
    /// Depth of the deep search, in plies. `None` if it solved the position.
    pub deep: Option<u32>,
    /// Number of pairs of searches.
    pub pairs: usize,
    /// Measured σ, in discs.
    pub measured: f64,
    /// Terms of ln σ, averaged over the pairs.
    terms: [f64; N],
}

impl<const N: usize> Bin<N> {
    /// Returns σ in discs by the error model with these coefficients.
    pub fn fitted(&self, coefficients: &[f32; N]) -> f64 {
        let products = self.terms.iter().zip(coefficients);
        let log: f64 = products
            .map(|(term, &weight)| term * f64::from(weight))
            .sum();
        log.exp()
    }
}

/// Sums over the pairs of a bin, from which its σ and mean terms are computed.
#[derive(Clone, Copy, Debug)]
struct ErrorSums<const N: usize> {
    pairs: usize,
    squares: f64,
    terms: [f64; N],
}

/// Pairs of searches, keyed by empties, shallow depth and deep depth.
#[derive(Debug, Default)]
struct Pairs<const N: usize>(BTreeMap<(u32, u32, Option<u32>), ErrorSums<N>>);

impl<const N: usize> Pairs<N> {
    fn add(&mut self, key: (u32, u32, Option<u32>), difference: f64, terms: [f32; N]) {
        let sums = self.0.entry(key).or_insert(ErrorSums {
            pairs: 0,
            squares: 0.0,
            terms: [0.0; N],
        });
        sums.pairs += 1;
        sums.squares += difference * difference;
        for (sum, term) in sums.terms.iter_mut().zip(terms) {
            *sum += f64::from(term);
        }
    }

    /// Returns the bins with at least `fewest` pairs, except those where σ is 0.
    fn bins(self, fewest: usize) -> Vec<Bin<N>> {
        let enough = |sums: &ErrorSums<N>| sums.pairs >= fewest && sums.squares > 0.0;
        let bins = self.0.into_iter().filter(|(_, sums)| enough(sums));
        bins.map(|((empties, shallow, deep), sums)| Bin {
            empties,
            shallow,
            deep,
            pairs: sums.pairs,
            measured: (sums.squares / sums.pairs as f64).sqrt(),
            terms: sums.terms.map(|sum| sum / sums.pairs as f64),
        })
        .collect()
    }
}

/// The measured bins, and the error model fitted to them.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorModelFit {
    /// Bins of two searches whose depths have the same parity.
    pub midgame: Vec<Bin<6>>,
    /// Bins of a search and the exact score.
    pub endgame: Vec<Bin<4>>,
    /// The fitted coefficients.
    pub model: ErrorModel,
}

impl ErrorModelFit {
    /// Fits ln σ by least squares over all bins, weighted by their numbers of pairs.
    ///
    /// # Errors
    /// If the bins do not determine the coefficients uniquely.
    pub fn of(searched: &[SearchedPosition]) -> Result<ErrorModelFit, Underdetermined> {
        let midgame = midgame_pairs(searched).bins(FEWEST_MIDGAME_PAIRS);
        let endgame = endgame_pairs(searched).bins(FEWEST_ENDGAME_PAIRS);
        let model = ErrorModel {
            midgame: least_squares(&midgame).ok_or(Underdetermined)?,
            endgame: least_squares(&endgame).ok_or(Underdetermined)?,
        };
        Ok(ErrorModelFit {
            midgame,
            endgame,
            model,
        })
    }

    /// Returns the number of fitted pairs: midgame, endgame.
    pub fn pairs(&self) -> (usize, usize) {
        (
            self.midgame.iter().map(|bin| bin.pairs).sum(),
            self.endgame.iter().map(|bin| bin.pairs).sum(),
        )
    }

    /// Returns the root mean square of the residuals of ln σ: midgame, endgame.
    pub fn rms_residuals(&self) -> (f64, f64) {
        (
            rms_residual(&self.midgame, &self.model.midgame),
            rms_residual(&self.endgame, &self.model.endgame),
        )
    }
}

/// Error: the least-squares system is singular, because there are too few positions or depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too few positions, or too few depths and empties, to determine the coefficients")]
pub struct Underdetermined;

fn midgame_pairs(searched: &[SearchedPosition]) -> Pairs<6> {
    let mut pairs = Pairs::default();
    for SearchedPosition {
        empties, values, ..
    } in searched
    {
        let first = FEWEST_EMPTIES
            + empties.saturating_sub(FEWEST_EMPTIES) / MIDGAME_BIN_WIDTH * MIDGAME_BIN_WIDTH;
        for (deep, value) in (0..).zip(values) {
            for (shallow, guess) in (0..deep).zip(values).skip(deep as usize % 2).step_by(2) {
                let terms = ErrorModel::midgame_terms(*empties, shallow, deep);
                pairs.add((first, shallow, Some(deep)), value - guess, terms);
            }
        }
    }
    pairs
}

fn endgame_pairs(searched: &[SearchedPosition]) -> Pairs<4> {
    let mut pairs = Pairs::default();
    for SearchedPosition {
        empties,
        values,
        exact,
    } in searched
    {
        let Some(score) = exact else { continue };
        let first = empties / ENDGAME_BIN_WIDTH * ENDGAME_BIN_WIDTH;
        let guesses = (0..*empties).zip(values);
        for (shallow, guess) in guesses.skip(*empties as usize % 2).step_by(2) {
            let terms = ErrorModel::endgame_terms(*empties, shallow);
            pairs.add((first, shallow, None), f64::from(*score) - guess, terms);
        }
    }
    pairs
}

/// Minimises the squared error of ln σ by the normal equations. `None` if they are singular.
fn least_squares<const N: usize>(bins: &[Bin<N>]) -> Option<[f32; N]> {
    let (mut matrix, mut right) = ([[0.0; N]; N], [0.0; N]);
    for bin in bins {
        let weight = bin.pairs as f64;
        for ((row, sum), term) in matrix.iter_mut().zip(&mut right).zip(bin.terms) {
            *sum += weight * term * bin.measured.ln();
            for (entry, other) in row.iter_mut().zip(bin.terms) {
                *entry += weight * term * other;
            }
        }
    }
    solve(matrix, right).map(|solution| solution.map(|coefficient| coefficient as f32))
}

/// Solves a linear system by Gaussian elimination with pivoting. `None` if it is singular.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Option<[f64; N]> {
    /// A pivot below this multiple of the largest entry counts as zero.
    const TOLERANCE: f64 = 1e-10;
    let largest = matrix
        .iter()
        .flatten()
        .fold(0.0, |most: f64, entry| most.max(entry.abs()));
    for column in 0..N {
        let pivot = (column..N)
            .max_by(|&a, &b| f64::total_cmp(&matrix[a][column].abs(), &matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() <= TOLERANCE * largest {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in (0..N).filter(|&row| row != column) {
            let factor = matrix[row][column] / matrix[column][column];
            let pivot_row = matrix[column];
            for (entry, above) in matrix[row].iter_mut().zip(pivot_row) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    for (row, value) in right.iter_mut().enumerate() {
        *value /= matrix[row][row];
    }
    Some(right)
}

/// Returns the root mean square of the residuals of ln σ, weighted by the numbers of pairs.
fn rms_residual<const N: usize>(bins: &[Bin<N>], coefficients: &[f32; N]) -> f64 {
    let (mut pairs, mut squares) = (0.0, 0.0);
    for bin in bins {
        let residual = (bin.measured / bin.fitted(coefficients)).ln();
        pairs += bin.pairs as f64;
        squares += bin.pairs as f64 * residual * residual;
    }
    (squares / pairs).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generates bins whose measured σ equals that of `model`.
    fn synthetic(model: &ErrorModel) -> (Vec<Bin<6>>, Vec<Bin<4>>) {
        fn bin<const N: usize>(
            (empties, shallow, deep): (u32, u32, Option<u32>),
            weights: &[f32; N],
            terms: [f32; N],
        ) -> Bin<N> {
            let mut bin = Bin {
                empties,
                shallow,
                deep,
                pairs: 20 + empties as usize,
                measured: 0.0,
                terms: terms.map(f64::from),
            };
            bin.measured = bin.fitted(weights);
            bin
        }
        let (mut midgame, mut endgame) = (Vec::new(), Vec::new());
        for empties in 10..=50 {
            for deep in 1..=10 {
                for shallow in (deep % 2..deep).step_by(2) {
                    let terms = ErrorModel::midgame_terms(empties, shallow, deep);
                    midgame.push(bin((empties, shallow, Some(deep)), &model.midgame, terms));
                }
            }
            for shallow in (empties % 2..9).step_by(2) {
                let terms = ErrorModel::endgame_terms(empties, shallow);
                endgame.push(bin((empties, shallow, None), &model.endgame, terms));
            }
        }
        (midgame, endgame)
    }

    #[test]
    fn least_squares_recovers_planted_coefficients() {
        let planted = ErrorModel {
            midgame: [1.5, -1.6, 0.6, 0.4, -0.7, -0.1],
            endgame: [1.5, -3.8, 0.5, -0.2],
        };
        let (midgame, endgame) = synthetic(&planted);
        let close = |found: &[f32], planted: &[f32]| {
            let pairs = found.iter().zip(planted);
            pairs.fold(0.0, |most: f32, (a, b)| most.max((a - b).abs())) < 1e-4
        };
        let found = least_squares(&midgame).unwrap();
        assert!(close(&found, &planted.midgame), "{found:?}");
        assert!(rms_residual(&midgame, &found) < 1e-5);
        let found = least_squares(&endgame).unwrap();
        assert!(close(&found, &planted.endgame), "{found:?}");
    }

    #[test]
    fn underdetermined_fit_is_refused() {
        let (midgame, endgame) = synthetic(&ErrorModel {
            midgame: [1.0; 6],
            endgame: [1.0; 4],
        });
        assert_eq!(least_squares::<6>(&[]), None);
        assert_eq!(least_squares(&midgame[..5]), None);
        assert_eq!(least_squares(&endgame[..3]), None);
        let near: Vec<_> = midgame
            .into_iter()
            .filter(|bin| bin.deep == Some(bin.shallow + 2))
            .collect();
        assert_eq!(
            least_squares(&near),
            None,
            "all pairs have the same depth difference"
        );
        assert_eq!(ErrorModelFit::of(&[]), Err(Underdetermined));
    }

    #[test]
    fn solve_pivots_and_detects_singular_matrices() {
        let solution = solve([[0.0, 2.0], [4.0, 1.0]], [6.0, 11.0]);
        assert_eq!(solution, Some([2.0, 3.0]));
        assert_eq!(solve([[1.0, 2.0], [2.0, 4.0]], [1.0, 2.0]), None);
    }

    #[test]
    fn paired_depths_match_in_parity() {
        let searched = [SearchedPosition {
            empties: 19,
            values: vec![1.0, 2.0, 4.0, 8.0],
            exact: Some(10),
        }];
        let midgame = midgame_pairs(&searched).bins(1);
        let keys: Vec<_> = midgame
            .iter()
            .map(|bin| (bin.empties, bin.shallow, bin.deep, bin.measured))
            .collect();
        assert_eq!(keys, [(18, 0, Some(2), 3.0), (18, 1, Some(3), 6.0)]);
        let endgame = endgame_pairs(&searched).bins(1);
        let keys: Vec<_> = endgame
            .iter()
            .map(|bin| (bin.empties, bin.shallow, bin.measured))
            .collect();
        assert_eq!(keys, [(18, 1, 8.0), (18, 3, 2.0)]);
    }
}
