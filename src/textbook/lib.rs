//! Game-tree search in textbook form, for learners and as an oracle for tests of the real search.
//!
//! Two players, Max and Min, move in turn. Max maximises the value of the game, Min minimises it:
//!
//! ```text
//!              Max  -7                 each branch a move of Max
//!              /       \
//!        Min -7         Min -9         each leaf a reply of Min, valued for Max
//!       /   |   \      /   |   \
//!     -5    1   -7    3   -9    x
//! ```
//!
//! [`minimax`] visits all six leaves, but one of them is not needed. After the reply worth −9, the
//! second move is worth at most −9, and Max already has −7. The value of x therefore cannot change
//! the result, and skipping it is a *cut*. The height of a search is the number of plies that it
//! looks ahead. All other algorithms here aim to make more cuts:
//!
//! | algorithm | idea | source |
//! |---|---|---|
//! | [`minimax`] | Max takes the largest child, Min the smallest | Shannon 1950 |
//! | [`negamax`] | one rule for both: the largest of the negated children | Knuth and Moore 1975 |
//! | [`alpha_beta`] | a window [α, β] outside which values do not matter | Knuth and Moore 1975 |
//! | [`fail_hard`], [`fail_soft`] | the same in negamax form | Knuth and Moore; Fishburn 1983 |
//! | [`nega_scout`] | null windows prove that later moves are no better | Reinefeld 1983 |
//! | [`mtd_f`] | only null windows, with a transposition table | Plaat et al. 1996 |
//! | [`refined`] | refinements that make cuts come early | see [`Refinements`] |
//!
//! Reading order:
//! 1. `game`: the trait [`Game`], with the games [`Othello`], [`TicTacToe`] and explicit [`Tree`].
//! 2. `minimax`, `negamax`, `alpha_beta`: the basic algorithms.
//! 3. `table`: a simple transposition table.
//! 4. `refined`: null windows, move ordering, iterative deepening and the table, with switches.
//! 5. `observer`: an [`Observer`] receives the steps of a search. [`Counts`] counts nodes and cuts.
//! 6. [`lesson`]: the steps as JSON and as a picture of the tree.
//!
//! ```
//! use emilia_textbook::{Counts, Tree, fail_soft, minimax};
//! let tree: Tree = "[[-5, 1, -7], [3, -9, x]]".parse().unwrap();
//! let (mut all, mut some) = (Counts::default(), Counts::default());
//! assert_eq!(minimax(&tree.root(), tree.height(), &mut all), -7);
//! assert_eq!(fail_soft(&tree.root(), tree.height(), &mut some), -7);
//! assert_eq!((all.leaves, some.leaves, some.alpha_cuts), (6, 5, 1));
//! ```

mod algorithm;
mod alpha_beta;
mod game;
pub mod lesson;
mod minimax;
mod negamax;
mod observer;
mod othello;
mod refined;
mod table;
#[cfg(test)]
mod tests;
mod tic_tac_toe;
mod tree;

pub use algorithm::{Algorithm, principal_variation};
pub use alpha_beta::{alpha_beta, fail_hard, fail_hard_window, fail_soft, fail_soft_window};
pub use game::{Game, GameValue, Side};
pub use minimax::minimax;
pub use negamax::negamax;
pub use observer::{Counts, Cut, CutKind, Observer, Step};
pub use othello::Othello;
pub use refined::{BaseAlgorithm, Refinements, mtd_f, nega_scout, refined};
pub use tic_tac_toe::{Rules, TicTacToe};
pub use tree::{Node, Tree};
