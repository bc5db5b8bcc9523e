//! `Algorithm`: selects one of the algorithms of this module, to run them side by side.

use super::{
    BaseAlgorithm, Game, Observer, Refinements, alpha_beta, fail_hard, fail_soft, minimax, mtd_f,
    nega_scout, negamax, refined,
};

/// An algorithm of this module.
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
    /// All algorithms, each with its name on the command line and its name in tables.
    ///
    /// After the basic forms, fail-soft alpha-beta with one more refinement at each step, `NegaScout`
    /// and MTD(f) with all refinements, and these two with the moves as they come.
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

    /// Returns the algorithm of this name on the command line.
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
