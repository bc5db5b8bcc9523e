//! All algorithms of the room under one name, to run them side by side.

use super::{
    BaseAlgorithm, Game, Observer, Refinements, alpha_beta, fail_hard, fail_soft, minimax, mtd_f,
    nega_scout, negamax, refined,
};

/// An algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// [`minimax`]
    Minimax,
    /// [`negamax`]
    Negamax,
    /// [`alpha_beta`], with Max and Min nodes
    AlphaBeta,
    /// [`fail_hard`]
    FailHard,
    /// [`fail_soft`]
    FailSoft,
    /// [`nega_scout`]
    NegaScout,
    /// [`mtd_f`]
    MtdF,
    /// [`refined`]
    Refined(BaseAlgorithm, Refinements),
}

impl Algorithm {
    /// As the textbooks print them, with their names.
    pub const PLAIN: [(&str, Algorithm); 7] = [
        ("minimax", Algorithm::Minimax),
        ("negamax", Algorithm::Negamax),
        ("alpha-beta, Max and Min", Algorithm::AlphaBeta),
        ("alpha-beta, fail-hard", Algorithm::FailHard),
        ("alpha-beta, fail-soft", Algorithm::FailSoft),
        ("NegaScout", Algorithm::NegaScout),
        ("MTD(f), with its memory", Algorithm::MtdF),
    ];

    /// Fail-soft alpha-beta with one refinement after another, then `NegaScout` and MTD(f) with all of them.
    pub const LADDER: [(&str, Algorithm); 6] = {
        use BaseAlgorithm::{AlphaBeta, MtdF, NegaScout};
        use Refinements as R;
        let ordered = R::STATIC_ORDER;
        let killing = ordered.union(R::KILLERS);
        let deepening = killing.union(R::DEEPENING).union(R::TABLE);
        let all = R::all();
        [
            (
                "fail-soft + static order",
                Algorithm::Refined(AlphaBeta, ordered),
            ),
            ("  + killer moves", Algorithm::Refined(AlphaBeta, killing)),
            (
                "  + deepening and table",
                Algorithm::Refined(AlphaBeta, deepening),
            ),
            ("  + mobility order", Algorithm::Refined(AlphaBeta, all)),
            (
                "NegaScout, all of these",
                Algorithm::Refined(NegaScout, all),
            ),
            ("MTD(f), all of these", Algorithm::Refined(MtdF, all)),
        ]
    };

    /// The value of a position for Max, looking `height` moves ahead.
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
