//! Selectivity: the confidence of forward pruning by Multi-ProbCut (Buro 1997).

use std::fmt;
use std::str::FromStr;

/// The depth of a search to the end of the game: no other is as deep.
pub(super) const SOLVED: u32 = 64;

/// The confidence of forward pruning. A level is named for the share of a normal distribution within the interval of errors that
/// a cut allows for, on both sides of the mean; how often a full-width search agrees depends on the error model as well.
///
/// The default is what the engine plays with: by its matches against the others, the strongest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Selectivity {
    /// 73 %.
    #[default]
    P73,
    /// 87 %.
    P87,
    /// 95 %.
    P95,
    /// 98 %.
    P98,
    /// 99 %.
    P99,
    /// Full width: no forward pruning.
    P100,
}

impl Selectivity {
    /// All levels, in the order of their confidence.
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

    /// The confidence interval in σ: a shallow value must be so far outside the window for a cut; `None` for full width. The
    /// normal distribution has this share of itself within so many σ of the mean.
    #[inline]
    pub(super) const fn interval(self) -> Option<f32> {
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

/// The forward pruning in force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pruning {
    pub(super) selectivity: Selectivity,
    /// How many shallow searches for cuts are under way, one within the other.
    pub(super) probes: u32,
}

impl Pruning {
    /// Full width.
    pub(super) const NONE: Pruning = Pruning {
        selectivity: Selectivity::P100,
        probes: 0,
    };
}
