//! `Algorithm`: selects one of the algorithms of this crate at run time, for comparisons.

use super::{
    BaseAlgorithm, Game, Observer, Refinements, alpha_beta, fail_hard, fail_soft, minimax, mtd_f,
    nega_scout, negamax, refined,
};

/// An algorithm of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Runs [`minimax`].
    Minimax,
    /// Runs [`negamax`].
    Negamax,
    /// Runs [`alpha_beta`], which has separate Max and Min nodes.
    AlphaBeta,
    /// Runs [`fail_hard`], alpha-beta in negamax form.
    FailHard,
    /// Runs [`fail_soft`], alpha-beta in negamax form.
    FailSoft,
    /// Runs [`nega_scout`].
    NegaScout,
    /// Runs [`mtd_f`].
    MtdF,
    /// Runs [`refined`] with these parameters.
    Refined(BaseAlgorithm, Refinements),
}

impl Algorithm {
    /// All algorithms: the name in requests of the Learn page, the name in tables, and the
    /// algorithm.
    ///
    /// The basic forms come first. Then follows fail-soft alpha-beta, with one or two more
    /// refinements at each step. `NegaScout` and MTD(f) come last: both with all refinements, then
    /// both without move ordering.
    pub const ALL: [(&str, &str, Algorithm); 13] = {
        use Algorithm::Refined;
        use BaseAlgorithm::{AlphaBeta, MtdF, NegaScout};
        use Refinements as R;
        let ordered = R::KILLERS.union(R::STATIC_ORDER);
        let deepening = ordered.union(R::DEEPENING).union(R::TABLE);
        let all = R::all();
        [
            ("minimax", "minimax", Algorithm::Minimax),
            ("negamax", "negamax", Algorithm::Negamax),
            (
                "alpha-beta",
                "alpha-beta, Max and Min",
                Algorithm::AlphaBeta,
            ),
            ("fail-hard", "alpha-beta, fail-hard", Algorithm::FailHard),
            ("fail-soft", "alpha-beta, fail-soft", Algorithm::FailSoft),
            (
                "killers",
                "fail-soft + killers",
                Refined(AlphaBeta, R::KILLERS),
            ),
            ("sorted", "  + static order", Refined(AlphaBeta, ordered)),
            (
                "deepening",
                "  + deepening and table",
                Refined(AlphaBeta, deepening),
            ),
            ("mobility", "  + mobility order", Refined(AlphaBeta, all)),
            (
                "negascout-all",
                "NegaScout, all of these",
                Refined(NegaScout, all),
            ),
            ("mtd-f-all", "MTD(f), all of these", Refined(MtdF, all)),
            ("negascout", "NegaScout, none of them", Algorithm::NegaScout),
            ("mtd-f", "MTD(f), table only", Algorithm::MtdF),
        ]
    };

    /// Returns the algorithm with this name in requests.
    pub fn named(name: &str) -> Option<Algorithm> {
        let found = Algorithm::ALL.into_iter().find(|(id, ..)| *id == name);
        found.map(|(.., algorithm)| algorithm)
    }

    /// Searches `height` plies ahead and returns the value of `position` for Max.
    pub fn run<G: Game>(
        self,
        position: &G,
        height: u32,
        observer: &mut impl Observer<G>,
    ) -> G::Value {
        match self {
            Algorithm::Minimax => minimax(position, height, observer),
            Algorithm::Negamax => negamax(position, height, observer),
            Algorithm::AlphaBeta => alpha_beta(position, height, observer),
            Algorithm::FailHard => fail_hard(position, height, observer),
            Algorithm::FailSoft => fail_soft(position, height, observer),
            Algorithm::NegaScout => nega_scout(position, height, observer),
            Algorithm::MtdF => mtd_f(position, height, observer),
            Algorithm::Refined(base, refinements) => {
                refined(position, height, base, refinements, observer)
            }
        }
    }
}

/// Returns the principal variation of a search `height` plies ahead: the first best move of each
/// side in turn, to a leaf.
///
/// ```
/// use emilia_textbook::{Tree, principal_variation};
/// let tree: Tree = "[[-5, 1, -7], [3, -9, x]]".parse().unwrap();
/// assert_eq!(principal_variation(&tree.root(), tree.height()), [0, 2]);
/// ```
pub fn principal_variation<G: Game>(root: &G, height: u32) -> Vec<G::Move> {
    let search = |position: &G, height| {
        let all = Refinements::all();
        refined(position, height, BaseAlgorithm::NegaScout, all, &mut ())
    };
    let (value, mut line) = (search(root, height), Vec::new());
    let (mut position, mut height) = (root.clone(), height);
    while height > 0 && position.outcome().is_none() {
        let moves = position.moves().into_iter();
        let mut children = moves.map(|mv| (mv, position.play(mv), height - G::cost(mv)));
        let best = children.find(|(_, child, below)| search(child, *below) == value);
        // The best child has the value of its parent, so `best` is always `Some`.
        let Some((mv, child, below)) = best else {
            break;
        };
        line.push(mv);
        (position, height) = (child, below);
    }
    line
}
