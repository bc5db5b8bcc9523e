//! Shards: splits a job into N disjoint parts, so that any scheduler can distribute it.

use std::fmt;
use std::str::FromStr;

/// Part K of N disjoint parts of a job, written `K/N`. All parts together are the whole job.
///
/// ```
/// use emilia_core::work::Shard;
/// let shard: Shard = "2/3".parse().unwrap();
/// assert!(shard.covers(1) && !shard.covers(2) && shard.covers(4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// K, counted from 1.
    part: usize,
    of: usize,
}

impl Shard {
    /// The only part of an undivided job: `1/1`.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Returns whether item `index`, counted from 0, is in this part: part `index % N + 1`.
    pub fn covers(self, index: usize) -> bool {
        index % self.of == self.part - 1
    }

    /// Returns K of `K/N`, counted from 1.
    pub fn part(self) -> usize {
        self.part
    }

    /// Returns N of `K/N`.
    pub fn of(self) -> usize {
        self.of
    }
}

/// Formats the shard as `K/N`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(part, of)| {
            let (part, of) = (part.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&part).then_some(Shard { part, of })
        });
        parts.ok_or_else(|| "expected K/N with K from 1 to N, like 2/8".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_in_exactly_one_shard() {
        for of in 1..9 {
            let parts: Vec<Shard> = (1..=of)
                .map(|part| format!("{part}/{of}").parse().expect("a part"))
                .collect();
            for index in 0..50 {
                assert_eq!(parts.iter().filter(|part| part.covers(index)).count(), 1);
            }
        }
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
    }

    #[test]
    fn invalid_shards_are_refused() {
        for text in [
            "", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", "1 / 2",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
