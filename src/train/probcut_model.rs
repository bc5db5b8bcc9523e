//! Fits the error model of Multi-ProbCut (Buro 1997).
//!
//! The model predicts σ, the root mean square of the difference between the values of a shallow and
//! a deep search. The differences are measured on positions from games. A pair is two results for
//! one position: of a shallow and of a deep search, or of a search and the exact score. A bin is a
//! group of pairs with the same depths and similar numbers of empties. The coefficients of ln σ are
//! fitted by weighted least squares.

use std::collections::BTreeMap;

use super::training_game::TrainingGame;
use emilia_core::board::{Board, Score};
use emilia_core::eval::ProbCutModel;
use emilia_core::search::{Engine, Goal, Limits, Silent};
use emilia_core::work;

/// Minimum number of empties in a sampled position.
const FEWEST_EMPTIES: u32 = 10;
/// Maximum number of empties in a sampled position.
const MOST_EMPTIES: u32 = 54;

/// Sampled positions with at most this number of empties are also solved.
const MAX_SOLVED_EMPTIES: u32 = 20;

/// Width of a midgame bin in empties.
const MIDGAME_BIN_WIDTH: u32 = 4;
/// Width of an endgame bin in empties.
const ENDGAME_BIN_WIDTH: u32 = 2;

/// Minimum number of pairs in a midgame bin. A bin with fewer pairs is dropped.
const FEWEST_MIDGAME_PAIRS: usize = 20;
/// Minimum number of pairs in an endgame bin. A bin with fewer pairs is dropped.
const FEWEST_ENDGAME_PAIRS: usize = 10;

/// Samples at most `count` positions with 10 to 54 empties, about equally many for each number of
/// empties.
///
/// A game contributes at most one position, which comes after its random opening plies.
pub fn sample_positions(games: &[TrainingGame], count: usize, seed: u64) -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut shuffled: Vec<&TrainingGame> = games.iter().collect();
    random.shuffle(&mut shuffled);
    let mut counts = [0; MOST_EMPTIES as usize + 1];
    let boards = shuffled.into_iter().filter_map(|game| {
        // Chooses the number of empties that occurs least often among the positions chosen so far.
        let boards = game.plies()?.into_iter().map(|ply| ply.board);
        let board = boards
            .filter(|board| (FEWEST_EMPTIES..=MOST_EMPTIES).contains(&board.empty_count()))
            .min_by_key(|board| (counts[board.empty_count() as usize], random.u32(..)))?;
        counts[board.empty_count() as usize] += 1;
        Some(board)
    });
    boards.take(count).collect()
}

/// Values of a position at each search depth.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedPosition {
    /// Number of empties.
    pub empties: u32,
    /// Values in discs for the side to move. The index is the search depth in plies. Depth 0 is the
    /// static evaluation.
    pub values: Vec<f64>,
    /// Exact score in discs for the side to move. `None` if the position was not solved.
    pub exact: Option<Score>,
}

impl SearchedPosition {
    /// Searches a position at each depth from 1 to `depth`, as long as the depth is below the
    /// number of empties.
    ///
    /// Also solves the position if it has at most [`MAX_SOLVED_EMPTIES`] empties.
    fn search(engine: &mut Engine, board: &Board, depth: u32) -> SearchedPosition {
        let empties = board.empty_count();
        let mut values = vec![engine.settings().evaluator.evaluate(board).discs()];
        engine.clear();
        for plies in 1..=depth.min(empties.saturating_sub(1)) {
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

/// Searches each position at each depth up to `depth`. Each engine searches in its own thread, so
/// the engines should have one thread each. `on_progress` receives the number of finished
/// positions.
pub fn search_all(
    engines: &mut [Engine],
    boards: &[Board],
    depth: u32,
    on_progress: &(dyn Fn(usize) + Sync),
) -> Vec<SearchedPosition> {
    let search = |engine: &mut Engine, board| Some(SearchedPosition::search(engine, board, depth));
    let searched = work::parallel_map("search", engines, boards, on_progress, search);
    searched.unwrap_or_default()
}

/// Fitted error model.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbCutFit {
    /// Fitted coefficients.
    pub model: ProbCutModel,
    /// Number of pairs: of two searches, and of a search and the exact score.
    pub pairs: [usize; 2],
    /// Root mean square of the residuals of ln σ: for pairs of two searches, and for pairs of a
    /// search and the exact score.
    pub rms_residuals: [f64; 2],
}

impl ProbCutFit {
    /// Fits ln σ by least squares over all bins. The weight of a bin is its number of pairs.
    /// Returns `None` if the bins do not determine the coefficients.
    pub fn of(searched: &[SearchedPosition]) -> Option<ProbCutFit> {
        let midgame = bins(midgame_pairs(searched), FEWEST_MIDGAME_PAIRS);
        let endgame = bins(endgame_pairs(searched), FEWEST_ENDGAME_PAIRS);
        let model = ProbCutModel {
            midgame: least_squares(&midgame)?,
            endgame: least_squares(&endgame)?,
        };
        Some(ProbCutFit {
            pairs: [count(&midgame), count(&endgame)],
            rms_residuals: [
                rms_residual(&midgame, &model.midgame),
                rms_residual(&endgame, &model.endgame),
            ],
            model,
        })
    }
}

/// Group of pairs with the same two depths and similar numbers of empties. `N` is the number of
/// inputs of the linear model for ln σ.
#[derive(Clone, Copy, Debug)]
struct Bin<const N: usize> {
    pairs: usize,
    /// ln σ, where σ is the root mean square of the differences in discs.
    log_sigma: f64,
    /// Inputs of the linear model for ln σ, averaged over the pairs. They are from
    /// `ProbCutModel::midgame_terms` or `endgame_terms`.
    terms: [f64; N],
}

/// Pair of results for one position: key of its bin, difference in discs (value of the deep search
/// or exact score, minus value of the shallow search), and inputs of the linear model for ln σ.
type Pair<const N: usize> = ([u32; 3], f64, [f32; N]);

/// Groups pairs into bins. Drops bins with fewer than `fewest` pairs, and bins where σ is 0,
/// because ln 0 is not finite.
fn bins<const N: usize>(pairs: impl Iterator<Item = Pair<N>>, fewest: usize) -> Vec<Bin<N>> {
    let mut bins = BTreeMap::new();
    for (key, difference, terms) in pairs {
        let (pairs, squares, sums) = bins.entry(key).or_insert((0, 0.0, [0.0; N]));
        *pairs += 1;
        *squares += difference * difference;
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum += f64::from(term);
        }
    }
    let enough = bins
        .into_values()
        .filter(|&(pairs, squares, _)| pairs >= fewest && squares > 0.0);
    let mean = enough.map(|(pairs, squares, sums)| Bin {
        pairs,
        log_sigma: (squares / pairs as f64).sqrt().ln(),
        terms: sums.map(|sum| sum / pairs as f64),
    });
    mean.collect()
}

fn count<const N: usize>(bins: &[Bin<N>]) -> usize {
    bins.iter().map(|bin| bin.pairs).sum()
}

/// Yields all pairs of two searches whose depths have the same parity. The key of a bin is its
/// smallest number of empties and the two depths.
fn midgame_pairs(searched: &[SearchedPosition]) -> impl Iterator<Item = Pair<6>> {
    searched.iter().flat_map(|one| {
        let above = one.empties.saturating_sub(FEWEST_EMPTIES);
        let first = FEWEST_EMPTIES + above / MIDGAME_BIN_WIDTH * MIDGAME_BIN_WIDTH;
        (0..).zip(&one.values).flat_map(move |(deep, value)| {
            let guesses = (0..deep).zip(&one.values);
            let of_parity = guesses.skip(deep as usize % 2).step_by(2);
            of_parity.map(move |(shallow, guess)| {
                let terms = ProbCutModel::midgame_terms(one.empties, shallow, deep);
                ([first, shallow, deep], value - guess, terms)
            })
        })
    })
}

/// Yields all pairs of the exact score and a search whose leaves have an even number of empties.
/// The key of a bin is its smallest number of empties and the depth of the search.
fn endgame_pairs(searched: &[SearchedPosition]) -> impl Iterator<Item = Pair<4>> {
    let solved = searched.iter().filter_map(|one| Some((one, one.exact?)));
    solved.flat_map(|(one, score)| {
        let first = one.empties / ENDGAME_BIN_WIDTH * ENDGAME_BIN_WIDTH;
        let guesses = (0..one.empties).zip(&one.values);
        let of_parity = guesses.skip(one.empties as usize % 2).step_by(2);
        of_parity.map(move |(shallow, guess)| {
            let terms = ProbCutModel::endgame_terms(one.empties, shallow);
            ([first, shallow, 0], f64::from(score) - guess, terms)
        })
    })
}

/// Fits the coefficients of ln σ by the normal equations. Returns `None` if the equations are
/// singular.
fn least_squares<const N: usize>(bins: &[Bin<N>]) -> Option<[f32; N]> {
    let (mut matrix, mut right) = ([[0.0; N]; N], [0.0; N]);
    for bin in bins {
        let weight = bin.pairs as f64;
        for ((row, sum), term) in matrix.iter_mut().zip(&mut right).zip(bin.terms) {
            *sum += weight * term * bin.log_sigma;
            for (entry, other) in row.iter_mut().zip(bin.terms) {
                *entry += weight * term * other;
            }
        }
    }
    solve(matrix, right).map(|solution| solution.map(|coefficient| coefficient as f32))
}

/// Solves a linear system by Gaussian elimination with pivoting. Returns `None` if the system is
/// singular.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Option<[f64; N]> {
    /// A pivot counts as zero if it is at most this multiple of the largest entry.
    const TOLERANCE: f64 = 1e-10;
    let sizes = matrix.as_flattened().iter().map(|entry| entry.abs());
    let largest = sizes.fold(0.0, f64::max);
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

/// Returns the root mean square of the residuals of ln σ. The weight of a bin is its number of
/// pairs.
fn rms_residual<const N: usize>(bins: &[Bin<N>], coefficients: &[f32; N]) -> f64 {
    let squares = bins.iter().map(|bin| {
        let products = bin.terms.iter().zip(coefficients);
        let fitted: f64 = products.map(|(term, &one)| term * f64::from(one)).sum();
        bin.pairs as f64 * (bin.log_sigma - fitted).powi(2)
    });
    (squares.sum::<f64>() / count(bins) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns bins with one pair each, for the depths that `depths` accepts. σ follows the error
    /// model with the coefficients `midgame` exactly.
    fn midgame(depths: impl Fn(u32, u32) -> bool, midgame: [f32; 6]) -> Vec<Bin<6>> {
        let endgame = [0.0; 4];
        let model = ProbCutModel { midgame, endgame };
        let all = (10..=50).flat_map(|empties| {
            (1..=10).flat_map(move |deep| (0..deep).map(move |shallow| [empties, shallow, deep]))
        });
        let keys = all.filter(|&[_, shallow, deep]| depths(shallow, deep));
        let pairs = keys.map(|key @ [empties, shallow, deep]| {
            let sigma = model.midgame_sigma(empties, shallow, deep);
            let terms = ProbCutModel::midgame_terms(empties, shallow, deep);
            (key, f64::from(sigma), terms)
        });
        bins(pairs, 1)
    }

    #[test]
    fn least_squares_recovers_planted_coefficients_if_they_are_determined() {
        let planted = [1.5, -1.6, 0.6, 0.4, -0.7, -0.1];
        let same_parity = midgame(|shallow, deep| (deep - shallow).is_multiple_of(2), planted);
        let found = least_squares(&same_parity).unwrap();
        let differences = found.iter().zip(planted).map(|(a, b)| (a - b).abs());
        assert!(differences.fold(0.0, f32::max) < 1e-4, "{found:?}");
        assert!(rms_residual(&same_parity, &found) < 1e-5);
        let one_difference = midgame(|shallow, deep| deep == shallow + 2, planted);
        for bins in [&[], &same_parity[..5], &one_difference[..]] {
            assert_eq!(least_squares(bins), None);
        }
    }

    #[test]
    fn paired_depths_match_in_parity() {
        let searched = [SearchedPosition {
            empties: 19,
            values: vec![1.0, 2.0, 4.0, 8.0],
            exact: Some(10),
        }];
        let keys = midgame_pairs(&searched).map(|(key, difference, _)| (key, difference));
        assert!(keys.eq([([18, 0, 2], 3.0), ([18, 1, 3], 6.0)]));
        let keys = endgame_pairs(&searched).map(|(key, difference, _)| (key, difference));
        assert!(keys.eq([([18, 1, 0], 8.0), ([18, 3, 0], 2.0)]));
    }
}
