//! How far shallow searches are from deep ones, measured on positions of games and fitted by the formula that
//! Multi-ProbCut (Buro 1997) goes by. Stands on `record` and `search`.

use std::collections::BTreeMap;
use std::fmt;

use super::game_record::GameRecord;
use crate::board::{Board, Score};
use crate::eval::ErrorModel;
use crate::search::{Depth, Engine, Goal, Limits, Line, Report, Silent};
use crate::work;

/// The fewest empty squares of a position that is drawn.
const FEWEST_EMPTIES: u32 = 10;
/// The most.
const MOST_EMPTIES: u32 = 54;

/// Positions of this many empty squares at most are solved as well.
const SOLVABLE: u32 = 20;

/// How many numbers of empty squares share a cell of the midgame.
const MIDGAME_GROUP: u32 = 4;
/// How many share one of the endgame.
const ENDGAME_GROUP: u32 = 2;

/// A cell of the midgame with fewer pairs says too little.
const FEWEST_MIDGAME_PAIRS: usize = 20;
/// One of the endgame.
const FEWEST_ENDGAME_PAIRS: usize = 10;

/// Draws `count` positions after the random part of the games, 10 to 54 squares of them empty: each number about as
/// often as the others. A game gives one at most, so there may be fewer.
pub fn draw_positions(games: &[GameRecord], count: usize, seed: u64) -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut games: Vec<&GameRecord> = games.iter().collect();
    random.shuffle(&mut games);
    let mut drawn = [0; MOST_EMPTIES as usize + 1];
    let boards = games.into_iter().filter_map(|game| {
        // Of what the game has, what is rarest so far.
        let boards = game.plies()?.into_iter().map(|ply| ply.board);
        let board = boards
            .filter(|board| (FEWEST_EMPTIES..=MOST_EMPTIES).contains(&board.empty_count()))
            .min_by_key(|board| (drawn[board.empty_count() as usize], random.u32(..)))?;
        drawn[board.empty_count() as usize] += 1;
        Some(board)
    });
    boards.take(count).collect()
}

/// What searches found of one position, in discs for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// Empty squares.
    pub empties: u32,
    /// The values after 0 plies, the evaluation alone, after 1, after 2, and so on.
    pub values: Vec<f64>,
    /// The final score of best play, where it was looked for.
    pub exact: Option<Score>,
}

impl Searched {
    /// Searches a position ply by ply up to `depth`, but not to the end of the game, and solves it if it is near.
    fn search(engine: &mut Engine, board: &Board, depth: u32) -> Searched {
        /// Keeps the value of each iteration.
        struct Values(Vec<f64>);
        impl Report for Values {
            fn progress(&mut self, _: usize, line: &Line) {
                if matches!(line.depth, Depth::Plies(plies, _) if plies as usize == self.0.len()) {
                    self.0.push(line.value.discs());
                }
            }
        }

        let empties = board.empty_count();
        let mut values = Values(vec![engine.settings().evaluator.evaluate(board).discs()]);
        engine.clear();
        let limits = Limits::depth(depth.min(empties.saturating_sub(1)));
        engine.search(board, &limits, &mut values);
        let exact = (empties <= SOLVABLE).then(|| {
            let line = engine.search(board, &Limits::solve(Goal::Exact), &mut Silent);
            line.value.discs() as Score
        });
        Searched {
            empties,
            values: values.0,
            exact,
        }
    }
}

/// Searches each position up to `depth` plies, as many at a time as there are engines, each of which ought to have one
/// thread; `done` hears how many are finished. `None` when one of the engines was stopped.
pub fn search_all(
    engines: &mut [Engine],
    boards: &[Board],
    depth: u32,
    done: &(dyn Fn(usize) + Sync),
) -> Option<Vec<Searched>> {
    work::map("search", engines, boards, done, |engine, board| {
        let searched = Searched::search(engine, board, depth);
        (!engine.interrupt().is_set()).then_some(searched)
    })
}

/// Pairs of searches that are alike, and how far apart their values are; `N` terms stand behind the fitted σ.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<const N: usize> {
    /// The fewest empty squares of its positions.
    pub empties: u32,
    /// Plies of the shallow search.
    pub shallow: u32,
    /// Plies of the deep search; `None` if that solved the position.
    pub deep: Option<u32>,
    /// How many pairs there are.
    pub pairs: usize,
    /// σ as measured, in discs.
    pub measured: f64,
    /// What the coefficients are multiplied with: the mean over the pairs.
    terms: [f64; N],
}

impl<const N: usize> Cell<N> {
    /// σ in discs as the coefficients say.
    pub fn fitted(&self, coefficients: &[f32; N]) -> f64 {
        let products = self.terms.iter().zip(coefficients);
        let log: f64 = products
            .map(|(term, &weight)| term * f64::from(weight))
            .sum();
        log.exp()
    }
}

/// The sums over the pairs of a cell.
#[derive(Clone, Copy, Debug)]
struct Sums<const N: usize> {
    pairs: usize,
    squares: f64,
    terms: [f64; N],
}

/// Pairs by empty squares, plies of the shallow and plies of the deep search.
#[derive(Debug, Default)]
struct Pairs<const N: usize>(BTreeMap<(u32, u32, Option<u32>), Sums<N>>);

impl<const N: usize> Pairs<N> {
    fn add(&mut self, key: (u32, u32, Option<u32>), difference: f64, terms: [f32; N]) {
        let sums = self.0.entry(key).or_insert(Sums {
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

    /// The cells with so many pairs. Where none of them differ there is nothing to take the logarithm of.
    fn cells(self, fewest: usize) -> Vec<Cell<N>> {
        let enough = |sums: &Sums<N>| sums.pairs >= fewest && sums.squares > 0.0;
        let cells = self.0.into_iter().filter(|(_, sums)| enough(sums));
        cells
            .map(|((empties, shallow, deep), sums)| Cell {
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

/// What was measured, and the coefficients that fit it best.
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadFit {
    /// Between searches of equal parity.
    pub midgame: Vec<Cell<6>>,
    /// Between searches and final scores.
    pub endgame: Vec<Cell<4>>,
    /// The coefficients.
    pub spread: ErrorModel,
}

impl SpreadFit {
    /// Least squares of ln σ over all cells, each as loud as it has pairs.
    ///
    /// # Errors
    /// If the positions do not determine the coefficients.
    pub fn of(searched: &[Searched]) -> Result<SpreadFit, Undetermined> {
        let midgame = midgame_pairs(searched).cells(FEWEST_MIDGAME_PAIRS);
        let endgame = endgame_pairs(searched).cells(FEWEST_ENDGAME_PAIRS);
        let spread = ErrorModel {
            midgame: least_squares(&midgame).ok_or(Undetermined)?,
            endgame: least_squares(&endgame).ok_or(Undetermined)?,
        };
        Ok(SpreadFit {
            midgame,
            endgame,
            spread,
        })
    }

    /// Pairs of searches behind the fit: of the midgame and of the endgame.
    pub fn pairs(&self) -> (usize, usize) {
        (
            self.midgame.iter().map(|cell| cell.pairs).sum(),
            self.endgame.iter().map(|cell| cell.pairs).sum(),
        )
    }

    /// The root mean square of what is left of ln σ: of the midgame and of the endgame.
    pub fn residuals(&self) -> (f64, f64) {
        (
            residual(&self.midgame, &self.spread.midgame),
            residual(&self.endgame, &self.spread.endgame),
        )
    }
}

/// The positions are too few, or were searched too little, for coefficients that they determine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undetermined;

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too few positions, or of too few kinds, to fit the coefficients to")
    }
}

impl std::error::Error for Undetermined {}

fn midgame_pairs(searched: &[Searched]) -> Pairs<6> {
    let mut pairs = Pairs::default();
    for Searched {
        empties, values, ..
    } in searched
    {
        let first =
            FEWEST_EMPTIES + empties.saturating_sub(FEWEST_EMPTIES) / MIDGAME_GROUP * MIDGAME_GROUP;
        for (deep, value) in (0..).zip(values) {
            for (shallow, guess) in (0..deep).zip(values).skip(deep as usize % 2).step_by(2) {
                let terms = ErrorModel::midgame_terms(*empties, shallow, deep);
                pairs.add((first, shallow, Some(deep)), value - guess, terms);
            }
        }
    }
    pairs
}

fn endgame_pairs(searched: &[Searched]) -> Pairs<4> {
    let mut pairs = Pairs::default();
    for Searched {
        empties,
        values,
        exact,
    } in searched
    {
        let Some(score) = exact else { continue };
        let first = empties / ENDGAME_GROUP * ENDGAME_GROUP;
        let guesses = (0..*empties).zip(values);
        for (shallow, guess) in guesses.skip(*empties as usize % 2).step_by(2) {
            let terms = ErrorModel::endgame_terms(*empties, shallow);
            pairs.add((first, shallow, None), f64::from(*score) - guess, terms);
        }
    }
    pairs
}

/// The coefficients with the least squared error of ln σ; `None` if others are as good.
fn least_squares<const N: usize>(cells: &[Cell<N>]) -> Option<[f32; N]> {
    let (mut matrix, mut right) = ([[0.0; N]; N], [0.0; N]);
    for cell in cells {
        let weight = cell.pairs as f64;
        for ((row, sum), term) in matrix.iter_mut().zip(&mut right).zip(cell.terms) {
            *sum += weight * term * cell.measured.ln();
            for (entry, other) in row.iter_mut().zip(cell.terms) {
                *entry += weight * term * other;
            }
        }
    }
    solve(matrix, right).map(|solution| solution.map(|coefficient| coefficient as f32))
}

/// The solution of a system of linear equations, by elimination with pivoting (Gauss); `None` if it has none, or many.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Option<[f64; N]> {
    /// A pivot this much smaller than the largest entry is a zero with rounding errors.
    const NOTHING: f64 = 1e-10;
    let largest = matrix
        .iter()
        .flatten()
        .fold(0.0, |most: f64, entry| most.max(entry.abs()));
    for column in 0..N {
        let pivot = (column..N)
            .max_by(|&a, &b| f64::total_cmp(&matrix[a][column].abs(), &matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() <= NOTHING * largest {
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

fn residual<const N: usize>(cells: &[Cell<N>], coefficients: &[f32; N]) -> f64 {
    let (mut pairs, mut squares) = (0.0, 0.0);
    for cell in cells {
        let rest = (cell.measured / cell.fitted(coefficients)).ln();
        pairs += cell.pairs as f64;
        squares += cell.pairs as f64 * rest * rest;
    }
    (squares / pairs).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches whose values are as far apart as these coefficients say.
    fn synthetic(spread: &ErrorModel) -> (Vec<Cell<6>>, Vec<Cell<4>>) {
        fn cell<const N: usize>(
            (empties, shallow, deep): (u32, u32, Option<u32>),
            weights: &[f32; N],
            terms: [f32; N],
        ) -> Cell<N> {
            let mut cell = Cell {
                empties,
                shallow,
                deep,
                pairs: 20 + empties as usize,
                measured: 0.0,
                terms: terms.map(f64::from),
            };
            cell.measured = cell.fitted(weights);
            cell
        }
        let (mut midgame, mut endgame) = (Vec::new(), Vec::new());
        for empties in 10..=50 {
            for deep in 1..=10 {
                for shallow in (deep % 2..deep).step_by(2) {
                    let terms = ErrorModel::midgame_terms(empties, shallow, deep);
                    midgame.push(cell((empties, shallow, Some(deep)), &spread.midgame, terms));
                }
            }
            for shallow in (empties % 2..9).step_by(2) {
                let terms = ErrorModel::endgame_terms(empties, shallow);
                endgame.push(cell((empties, shallow, None), &spread.endgame, terms));
            }
        }
        (midgame, endgame)
    }

    #[test]
    fn least_squares_finds_the_coefficients_that_made_the_cells() {
        let known = ErrorModel {
            midgame: [1.5, -1.6, 0.6, 0.4, -0.7, -0.1],
            endgame: [1.5, -3.8, 0.5, -0.2],
        };
        let (midgame, endgame) = synthetic(&known);
        let close = |found: &[f32], known: &[f32]| {
            let pairs = found.iter().zip(known);
            pairs.fold(0.0, |most: f32, (a, b)| most.max((a - b).abs())) < 1e-4
        };
        let found = least_squares(&midgame).unwrap();
        assert!(close(&found, &known.midgame), "{found:?}");
        assert!(residual(&midgame, &found) < 1e-5);
        let found = least_squares(&endgame).unwrap();
        assert!(close(&found, &known.endgame), "{found:?}");
    }

    #[test]
    fn what_is_not_determined_is_refused() {
        let (midgame, endgame) = synthetic(&ErrorModel {
            midgame: [1.0; 6],
            endgame: [1.0; 4],
        });
        assert_eq!(least_squares::<6>(&[]), None);
        assert_eq!(least_squares(&midgame[..5]), None);
        assert_eq!(least_squares(&endgame[..3]), None);
        let near: Vec<_> = midgame
            .into_iter()
            .filter(|cell| cell.deep == Some(cell.shallow + 2))
            .collect();
        assert_eq!(least_squares(&near), None, "the same distance everywhere");
        assert_eq!(SpreadFit::of(&[]), Err(Undetermined));
    }

    #[test]
    fn equations_are_solved_whatever_their_order() {
        let solution = solve([[0.0, 2.0], [4.0, 1.0]], [6.0, 11.0]);
        assert_eq!(solution, Some([2.0, 3.0]));
        assert_eq!(solve([[1.0, 2.0], [2.0, 4.0]], [1.0, 2.0]), None);
    }

    #[test]
    fn pairs_have_the_parity_of_each_other_or_of_the_empty_squares() {
        let searched = [Searched {
            empties: 19,
            values: vec![1.0, 2.0, 4.0, 8.0],
            exact: Some(10),
        }];
        let midgame = midgame_pairs(&searched).cells(1);
        let keys: Vec<_> = midgame
            .iter()
            .map(|cell| (cell.empties, cell.shallow, cell.deep, cell.measured))
            .collect();
        assert_eq!(keys, [(18, 0, Some(2), 3.0), (18, 1, Some(3), 6.0)]);
        let endgame = endgame_pairs(&searched).cells(1);
        let keys: Vec<_> = endgame
            .iter()
            .map(|cell| (cell.empties, cell.shallow, cell.measured))
            .collect();
        assert_eq!(keys, [(18, 1, 8.0), (18, 3, 2.0)]);
    }
}
