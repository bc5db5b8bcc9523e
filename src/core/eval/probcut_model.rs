//! The ProbCut model (Buro 1997): how much the values of shallow and deep searches differ.

/// The standard deviation σ of the difference between shallow and deep searches, in discs.
/// Each evaluation has a model. `emilia train selectivity` fits the model to self-play games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbCutModel {
    /// Coefficients of ln σ for the difference between searches of `shallow` and `deep` plies,
    /// which have equal parity.
    /// The terms are 1, e, e², ln(`deep` − `shallow`), `shallow` / 10 and `deep` / 10.
    /// Here e is the number of empty squares / 60.
    pub midgame: [f32; 6],
    /// Coefficients of ln σ for the difference between a search of `shallow` plies and the final
    /// score.
    /// The terms are 1, `empties` / 60, ln(`empties` − `shallow`) and `shallow` / 10.
    pub endgame: [f32; 4],
}

impl ProbCutModel {
    /// The terms that the coefficients [`midgame`](Self::midgame) multiply.
    pub fn midgame_terms(empties: u32, shallow: u32, deep: u32) -> [f32; 6] {
        let [empties, shallow, deep] = [empties, shallow, deep].map(|count| count as f32);
        let share = empties / 60.0;
        let further = (deep - shallow).ln();
        [
            1.0,
            share,
            share * share,
            further,
            shallow / 10.0,
            deep / 10.0,
        ]
    }

    /// The terms that the coefficients [`endgame`](Self::endgame) multiply.
    pub fn endgame_terms(empties: u32, shallow: u32) -> [f32; 4] {
        let [empties, shallow] = [empties, shallow].map(|count| count as f32);
        [
            1.0,
            empties / 60.0,
            (empties - shallow).ln(),
            shallow / 10.0,
        ]
    }

    /// σ of the difference between searches of `shallow` and `deep` plies, in discs. `deep` must
    /// exceed `shallow`.
    #[inline]
    pub fn midgame_sigma(&self, empties: u32, shallow: u32, deep: u32) -> f32 {
        let terms = ProbCutModel::midgame_terms(empties, shallow, deep);
        dot(&self.midgame, terms).exp()
    }

    /// σ of the difference between a search of `shallow` plies and the final score, in discs.
    #[inline]
    pub fn endgame_sigma(&self, empties: u32, shallow: u32) -> f32 {
        dot(&self.endgame, ProbCutModel::endgame_terms(empties, shallow)).exp()
    }
}

fn dot<const N: usize>(weights: &[f32; N], terms: [f32; N]) -> f32 {
    weights
        .iter()
        .zip(terms)
        .map(|(weight, term)| weight * term)
        .sum()
}
