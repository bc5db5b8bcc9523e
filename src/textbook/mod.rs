//! Game-tree search as the textbooks print it, for people who learn, and as the oracle that the real search is tested
//! with.
//!
//! Two players, Max and Min, move in turn. Max wants the value of the game large, Min wants it small:
//!
//! ```text
//!              Max  -7                 each branch a move of Max
//!              /       \
//!        Min -7         Min -9         each leaf a reply of Min, valued for Max
//!       /   |   \      /   |   \
//!     -5    1   -7    3   -9    x
//! ```
//!
//! [`minimax`] looks at all six leaves. But once the reply worth −9 is known, the second move is worth −9 at most, and
//! Max already has −7: whatever x is, it does not matter. Leaving it out is a *cut*, and every other algorithm here is a
//! way to make more of them:
//!
//! | algorithm | idea | source |
//! |---|---|---|
//! | [`minimax`] | Max takes the largest child, Min the smallest | Shannon 1950 |
//! | [`negamax`] | one rule for both: the largest of the negated children | Knuth and Moore 1975 |
//! | [`alpha_beta`] | an interval [α, β] outside which values do not matter, in its two-sided form | Knuth and Moore 1975 |
//! | [`fail_hard`], [`fail_soft`] | the same in the negamax form | Knuth and Moore 1975; Fishburn 1983 |
//! | [`nega_scout`] | prove with a null window that later moves are no better | Reinefeld 1983 |
//! | [`mtd_f`] | null windows alone, and a memory | Plaat et al. 1996 |
//! | [`refined`] | the refinements that make the cuts come early, each with a switch | see [`Refinements`] |
//!
//! All are generic over [`Game`], of which there are three: [`Othello`], [`TicTacToe`], and the explicit [`Tree`] written
//! as nested lists. All tell an [`Observer`] what they visit and what they cut: [`Counts`] counts, [`Trace`] takes
//! notes. The tree is made while it is walked and never stored.
//!
//! ```
//! use emilia::textbook::{Counts, Tree, fail_soft, minimax};
//! let tree: Tree = "[[-5, 1, -7], [3, -9, x]]".parse().unwrap();
//! let (mut all, mut some) = (Counts::default(), Counts::default());
//! assert_eq!(minimax(&tree.root(), tree.height(), &mut all), -7);
//! assert_eq!(fail_soft(&tree.root(), tree.height(), &mut some), -7);
//! assert_eq!((all.leaves, some.leaves, some.alpha_cuts), (6, 5, 1));
//! ```

mod algorithm;
mod alpha_beta;
mod game;
mod memory;
mod minimax;
mod mtd;
mod nega_scout;
mod negamax;
mod observer;
mod othello;
mod refined;
#[cfg(test)]
mod tests;
mod tic_tac_toe;
mod tree;

pub use algorithm::Algorithm;
pub use alpha_beta::{alpha_beta, fail_hard, fail_hard_window, fail_soft, fail_soft_window};
pub use game::{Game, GameValue, Side};
pub use minimax::minimax;
pub use mtd::mtd_f;
pub use nega_scout::nega_scout;
pub use negamax::negamax;
pub use observer::{Counts, Cut, CutKind, Observer, Trace};
pub use othello::Othello;
pub use refined::{BaseAlgorithm, Refinements, refined};
pub use tic_tac_toe::{Rules, RulesError, TicTacToe};
pub use tree::{Node, Tree, TreeError};
