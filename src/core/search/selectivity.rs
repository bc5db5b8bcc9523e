//! Selectivity: confidence levels of Multi-ProbCut (Buro 1997).

use std::fmt;
use std::str::FromStr;

use crate::search::parameters::probcut::{INTERVALS, SURE_INTERVAL};

/// Confidence level of ProbCut and of static cuts.
///
/// These cut a node if a shallow result lies far enough outside the node's window (alpha, beta).
/// The distance needed is [`interval`](Self::interval) · σ, where σ is the standard deviation of
/// the error of the shallow result. The percentage of a level is the share of a normal distribution
/// within ± `interval` · σ.
///
/// The default level prunes most, and plays best in short searches. Deeper iterations use higher
/// levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Selectivity {
    /// 73 %: an interval of 1.1 σ.
    #[default]
    P73,
    /// 87 %: an interval of 1.5 σ.
    P87,
    /// 95 %: an interval of 2 σ.
    P95,
    /// 98 %: an interval of 2.33 σ.
    P98,
    /// 99 %: an interval of 2.58 σ.
    P99,
    /// 100 %: full width, without any forward pruning.
    P100,
}

impl Selectivity {
    /// All levels, from the least to the greatest confidence.
    pub const ALL: [Selectivity; 6] = [
        Selectivity::P73,
        Selectivity::P87,
        Selectivity::P95,
        Selectivity::P98,
        Selectivity::P99,
        Selectivity::P100,
    ];

    /// Returns the confidence in percent.
    pub const fn percent(self) -> u32 {
        [73, 87, 95, 98, 99, 100][self as usize]
    }

    /// Returns the level with this confidence in percent, or `None` if no level has it.
    pub(crate) fn of_percent(percent: u32) -> Option<Selectivity> {
        let mut levels = Selectivity::ALL.into_iter();
        levels.find(|level| level.percent() == percent)
    }

    /// Returns how far outside the window a shallow result must lie for a cut, in standard
    /// deviations. `None` means full width.
    #[inline]
    pub(crate) fn interval(self) -> Option<f32> {
        INTERVALS.get(self as usize).copied()
    }

    /// Returns the level encoded in the low three bits of `bits`.
    #[inline]
    pub(crate) fn from_low_bits(bits: u64) -> Selectivity {
        Selectivity::ALL[(bits & 7).min(5) as usize]
    }
}

impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}%", self.percent()))
    }
}

/// Parses a percentage (73, 87, 95, 98, 99 or 100) with an optional `%` after it.
impl FromStr for Selectivity {
    type Err = String;

    fn from_str(text: &str) -> Result<Selectivity, String> {
        let percent = text.strip_suffix('%').unwrap_or(text).parse().ok();
        percent
            .and_then(Selectivity::of_percent)
            .ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100 (percent)".to_owned())
    }
}

/// Current state of forward pruning in a search thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pruning {
    pub(crate) selectivity: Selectivity,
    /// Number of shallow searches for ProbCut in progress, each nested in the one before.
    pub(crate) nested_searches: u32,
    /// Whether the search is a solve of so many empties that its stage at 99 % selectivity uses
    /// [`SURE_INTERVAL`].
    pub(crate) is_sure_stage: bool,
}

impl Pruning {
    /// Full width: no forward pruning.
    pub(crate) const NONE: Pruning = Pruning {
        selectivity: Selectivity::P100,
        nested_searches: 0,
        is_sure_stage: false,
    };

    /// Returns how far outside the window a shallow result must lie for a cut, in standard
    /// deviations. `None` means full width.
    #[inline]
    pub(crate) fn interval(self) -> Option<f32> {
        if self.is_sure_stage && self.selectivity == Selectivity::P99 {
            return Some(SURE_INTERVAL);
        }
        self.selectivity.interval()
    }

    /// Returns whether forward pruning is on.
    #[inline]
    pub(crate) fn is_selective(self) -> bool {
        self.selectivity != Selectivity::P100
    }
}
