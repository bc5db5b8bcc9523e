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
    /// The algorithms in their textbook form, each with its name.
    pub const PLAIN: [(&str, Algorithm); 7] = [
        ("minimax", Algorithm::Minimax),
        ("negamax", Algorithm::Negamax),
        ("alpha-beta, Max and Min", Algorithm::AlphaBeta),
        ("alpha-beta, fail-hard", Algorithm::FailHard),
        ("alpha-beta, fail-soft", Algorithm::FailSoft),
        ("NegaScout", Algorithm::NegaScout),
        ("MTD(f), with its memory", Algorithm::MtdF),
    ];

    /// A ladder of refinements: fail-soft alpha-beta with one more refinement at each step.
    /// The last two steps are `NegaScout` and MTD(f) with all refinements.
    pub const LADDER: [(&str, Algorithm); 6] = {
        use Algorithm::Refined;
        use BaseAlgorithm::{AlphaBeta, MtdF, NegaScout};
        use Refinements as R;
        let ordered = R::STATIC_ORDER;
        let killing = ordered.union(R::KILLERS);
        let deepening = killing.union(R::DEEPENING).union(R::TABLE);
        let all = R::all();
        [
            ("fail-soft + static order", Refined(AlphaBeta, ordered)),
            ("  + killer moves", Refined(AlphaBeta, killing)),
            ("  + deepening and table", Refined(AlphaBeta, deepening)),
            ("  + mobility order", Refined(AlphaBeta, all)),
            ("NegaScout, all of these", Refined(NegaScout, all)),
            ("MTD(f), all of these", Refined(MtdF, all)),
        ]
    };

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
