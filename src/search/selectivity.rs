//! Forward pruning by Multi-ProbCut (Buro 1997): how far the value of a shallow search is from that of a deep one, and so
//! which moves a shallow search may dismiss. Stands on nothing.

use std::fmt;
use std::str::FromStr;

/// The depth of a search to the end of the game: no other is as deep.
pub(super) const SOLVED: u32 = 64;

/// How sure a search is of what it leaves out: the chance, for each cut by itself, that a search without cuts agrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Selectivity {
    /// 73 %.
    P73,
    /// 87 %.
    P87,
    /// 95 %.
    P95,
    /// 98 %.
    P98,
    /// 99 %.
    P99,
    /// Nothing is left out.
    #[default]
    P100,
}

impl Selectivity {
    /// What the engine plays with: by its matches against the others, the strongest.
    pub const PLAY: Selectivity = Selectivity::P73;

    /// All levels, from the least sure to certain.
    pub const ALL: [Selectivity; 6] = [
        Selectivity::P73,
        Selectivity::P87,
        Selectivity::P95,
        Selectivity::P98,
        Selectivity::P99,
        Selectivity::P100,
    ];

    /// In percent.
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 98, 99, 100][self as usize]
    }

    /// How many σ a shallow value must be outside the window for a cut; `None` where there are no cuts. The normal
    /// distribution has this much of itself within so many σ of the middle.
    #[inline]
    pub(super) const fn deviations(self) -> Option<f32> {
        match self {
            Selectivity::P73 => Some(1.1),
            Selectivity::P87 => Some(1.5),
            Selectivity::P95 => Some(2.0),
            Selectivity::P98 => Some(2.33),
            Selectivity::P99 => Some(2.58),
            Selectivity::P100 => None,
        }
    }

    /// The level whose number the low three bits are.
    #[inline]
    pub(super) const fn from_low_bits(bits: u64) -> Selectivity {
        match bits & 7 {
            0 => Selectivity::P73,
            1 => Selectivity::P87,
            2 => Selectivity::P95,
            3 => Selectivity::P98,
            4 => Selectivity::P99,
            _ => Selectivity::P100,
        }
    }
}

impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}%", self.percent()))
    }
}

/// A number of percent, one of 73, 87, 95, 98, 99, 100; a `%` after it is allowed.
impl FromStr for Selectivity {
    type Err = String;

    fn from_str(text: &str) -> Result<Selectivity, String> {
        let percent: Option<u32> = text.strip_suffix('%').unwrap_or(text).parse().ok();
        Selectivity::ALL
            .into_iter()
            .find(|level| Some(level.percent()) == percent)
            .ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100 (percent)".to_owned())
    }
}

/// What a search may leave out at the moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pruning {
    pub(super) selectivity: Selectivity,
    /// How many shallow searches for cuts are under way, one within the other.
    pub(super) probes: u32,
}

impl Pruning {
    /// Nothing is left out.
    pub(super) const NONE: Pruning = Pruning {
        selectivity: Selectivity::P100,
        probes: 0,
    };
}

/// How far the values of shallow searches are from those of deep ones, for one evaluation: σ in discs, fitted by
/// `emilia train --fit-selectivity` to searches of positions from training games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// ln σ between searches of `shallow` and `deep` plies of equal parity, with `empties` empty squares: the sum of
    /// these times 1, e, e² (where e is `empties` / 60), ln(`deep` − `shallow`), `shallow` / 10 and `deep` / 10.
    pub midgame: [f32; 6],
    /// ln σ between a search of `shallow` plies and the final score: the sum of these times 1, e, ln(`empties` −
    /// `shallow`) and `shallow` / 10.
    pub endgame: [f32; 4],
}

impl Spread {
    /// Of the pattern evaluation.
    const PATTERN: Spread = Spread {
        midgame: [1.573, -1.655, 0.587, 0.403, -0.738, -0.135],
        endgame: [1.506, -3.786, 0.524, -0.228],
    };

    /// Of the classic evaluation.
    const CLASSIC: Spread = Spread {
        midgame: [1.163, 0.182, -1.435, 0.59, -0.44, -0.31],
        endgame: [2.934, 1.571, -0.393, -0.78],
    };

    /// That of the pattern evaluation, or of the classic one.
    pub(super) fn of(is_pattern: bool) -> &'static Spread {
        if is_pattern {
            &Spread::PATTERN
        } else {
            &Spread::CLASSIC
        }
    }

    /// What [`midgame`](Self::midgame) is multiplied with.
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

    /// What [`endgame`](Self::endgame) is multiplied with.
    pub fn endgame_terms(empties: u32, shallow: u32) -> [f32; 4] {
        let [empties, shallow] = [empties, shallow].map(|count| count as f32);
        [
            1.0,
            empties / 60.0,
            (empties - shallow).ln(),
            shallow / 10.0,
        ]
    }

    /// σ between a search of `shallow` plies and one of `deep` plies, which is more; [`SOLVED`] for the final score.
    #[inline]
    pub(super) fn sigma(&self, empties: u32, shallow: u32, deep: u32) -> f32 {
        fn sum<const N: usize>(weights: &[f32; N], terms: [f32; N]) -> f32 {
            weights
                .iter()
                .zip(terms)
                .map(|(weight, term)| weight * term)
                .sum()
        }
        let log = if deep == SOLVED {
            sum(&self.endgame, Spread::endgame_terms(empties, shallow))
        } else {
            sum(&self.midgame, Spread::midgame_terms(empties, shallow, deep))
        };
        log.exp()
    }
}
