//! The ProbCut error model (Buro 1997): how far the value of a shallow search is from that of a deep one.

/// σ of the difference between shallow and deep searches with one evaluation, in discs, fitted by
/// `emilia train --fit-selectivity` to searches of positions from self-play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel {
    /// ln σ between searches of `shallow` and `deep` plies of equal parity, with `empties` empty squares: the sum of
    /// these times 1, e, e² (where e is `empties` / 60), ln(`deep` − `shallow`), `shallow` / 10 and `deep` / 10.
    pub midgame: [f32; 6],
    /// ln σ between a search of `shallow` plies and the final score: the sum of these times 1, e, ln(`empties` −
    /// `shallow`) and `shallow` / 10.
    pub endgame: [f32; 4],
}

impl ErrorModel {
    /// The features that [`midgame`](Self::midgame) weighs.
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

    /// The features that [`endgame`](Self::endgame) weighs.
    pub fn endgame_terms(empties: u32, shallow: u32) -> [f32; 4] {
        let [empties, shallow] = [empties, shallow].map(|count| count as f32);
        [
            1.0,
            empties / 60.0,
            (empties - shallow).ln(),
            shallow / 10.0,
        ]
    }

    /// σ between a search of `shallow` plies and one of `deep` plies, which is more, in discs.
    #[inline]
    pub fn midgame_sigma(&self, empties: u32, shallow: u32, deep: u32) -> f32 {
        let terms = ErrorModel::midgame_terms(empties, shallow, deep);
        dot(&self.midgame, terms).exp()
    }

    /// σ between a search of `shallow` plies and the final score, in discs.
    #[inline]
    pub fn endgame_sigma(&self, empties: u32, shallow: u32) -> f32 {
        dot(&self.endgame, ErrorModel::endgame_terms(empties, shallow)).exp()
    }
}

fn dot<const N: usize>(weights: &[f32; N], terms: [f32; N]) -> f32 {
    weights
        .iter()
        .zip(terms)
        .map(|(weight, term)| weight * term)
        .sum()
}
