//! Forward pruning by Multi-ProbCut (Buro 1997): how far the value of a shallow search is from that of a deep one, and so
//! which moves a shallow search may dismiss. Stands on `eval`.

use std::fmt;
use std::str::FromStr;

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

    /// The next surer level, if this is not the last.
    pub fn next(self) -> Option<Selectivity> {
        Selectivity::ALL.get(self as usize + 1).copied()
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
