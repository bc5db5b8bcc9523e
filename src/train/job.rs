//! What the result of a training run depends on, as the head of its checkpoint: a run resumes its
//! own checkpoint only.
//!
//! The head is the magic of the file, the number of bytes that follow, and a line `name: value` for
//! each fact.

use std::fmt;

/// The bytes of all facts: far more than any job has.
const LONGEST: usize = 4096;

/// The data, the options and the shape of a training run, each with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// A line for each.
    facts: String,
}

/// Why a file is not the checkpoint of this job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadCheckpoint {
    /// It does not begin like such a checkpoint.
    NoCheckpoint,
    /// Another version of the program wrote it.
    OtherVersion,
    /// It belongs to another job: the facts that differ, with both values.
    OtherJob(String),
    /// It is not whole.
    Damaged,
}

impl fmt::Display for BadCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadCheckpoint::NoCheckpoint => write!(f, "it is no checkpoint of such a training"),
            BadCheckpoint::OtherVersion => write!(f, "another version of the program wrote it"),
            BadCheckpoint::OtherJob(differences) => {
                write!(
                    f,
                    "it is the checkpoint of another training ({differences})"
                )
            }
            BadCheckpoint::Damaged => write!(f, "it is damaged"),
        }?;
        f.write_str("; give another --out, or --restart, which renames this file and begins anew")
    }
}

impl std::error::Error for BadCheckpoint {}

impl Job {
    /// The job with these facts, names and values, always in the same order.
    pub fn new<'a>(facts: impl IntoIterator<Item = (&'a str, String)>) -> Job {
        let lines = facts
            .into_iter()
            .map(|(name, value)| format!("{name}: {value}\n"));
        Job {
            facts: lines.collect(),
        }
    }

    /// The head of a checkpoint of this job.
    pub(super) fn head(&self, magic: [u8; 8]) -> Vec<u8> {
        let length = self.facts.len() as u64;
        [&magic[..], &length.to_le_bytes(), self.facts.as_bytes()].concat()
    }

    /// What stands behind the head of a checkpoint of this job. The last byte of the magic is the
    /// version.
    pub(super) fn behind_head<'f>(
        &self,
        magic: [u8; 8],
        file: &'f [u8],
    ) -> Result<&'f [u8], BadCheckpoint> {
        let [kind @ .., _version] = magic;
        if !file.starts_with(&kind) {
            return Err(BadCheckpoint::NoCheckpoint);
        }
        let rest = file
            .strip_prefix(&magic)
            .ok_or(BadCheckpoint::OtherVersion)?;
        let parts = rest.split_first_chunk().and_then(|(&length, rest)| {
            let length = usize::try_from(u64::from_le_bytes(length)).ok()?;
            rest.split_at_checked(length)
        });
        let (facts, rest) = parts.ok_or(BadCheckpoint::Damaged)?;
        if facts == self.facts.as_bytes() {
            return Ok(rest);
        }
        let facts = str::from_utf8(facts).ok().filter(|facts| is_shown(facts));
        let differences = facts.and_then(|facts| self.differences(facts));
        Err(differences.map_or(BadCheckpoint::Damaged, BadCheckpoint::OtherJob))
    }

    /// The facts that differ from those of another job; `None` if those are not about the same
    /// things.
    fn differences(&self, others: &str) -> Option<String> {
        let mut differences = Vec::new();
        let mut others = others.lines();
        for own in self.facts.lines() {
            let (name, own) = own.split_once(": ")?;
            let (same, other) = others.next()?.split_once(": ")?;
            if same != name {
                return None;
            }
            if own != other {
                differences.push(format!("{name}: {other} there, {own} here"));
            }
        }
        Some(differences.join("; ")).filter(|found| !found.is_empty())
    }
}

/// Whether the facts of a file can stand in a sentence.
fn is_shown(facts: &str) -> bool {
    let is_odd = |letter: char| letter.is_control() && letter != '\n';
    facts.len() <= LONGEST && !facts.contains(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: [u8; 8] = *b"EmiliaX7";

    fn job(epochs: u32, data: &str) -> Job {
        Job::new([("--epochs", epochs.to_string()), ("data", data.to_owned())])
    }

    #[test]
    fn a_head_is_read_by_its_own_job_alone() {
        let own = job(4, "8 blocks");
        let file = [&own.head(MAGIC)[..], b"rest"].concat();
        assert_eq!(own.behind_head(MAGIC, &file), Ok(&b"rest"[..]));
        let other = |differences: &str| Err(BadCheckpoint::OtherJob(differences.to_owned()));
        assert_eq!(
            job(2, "8 blocks").behind_head(MAGIC, &file),
            other("--epochs: 4 there, 2 here")
        );
        assert_eq!(
            job(2, "9 blocks").behind_head(MAGIC, &file),
            other("--epochs: 4 there, 2 here; data: 8 blocks there, 9 blocks here")
        );
    }

    #[test]
    fn what_is_no_whole_head_is_refused() {
        let own = job(4, "8 blocks");
        let file = own.head(MAGIC);
        for (file, why) in [
            (&b""[..], BadCheckpoint::NoCheckpoint),
            (b"a letter", BadCheckpoint::NoCheckpoint),
            (b"EmiliaX6", BadCheckpoint::OtherVersion),
            (&file[..12], BadCheckpoint::Damaged),
            (&file[..file.len() - 1], BadCheckpoint::Damaged),
            (&Job::new([]).head(MAGIC), BadCheckpoint::Damaged),
            (&job(4, "a\0b").head(MAGIC), BadCheckpoint::Damaged),
            (
                &job(4, &"x".repeat(LONGEST)).head(MAGIC),
                BadCheckpoint::Damaged,
            ),
        ] {
            assert_eq!(own.behind_head(MAGIC, file), Err(why), "{file:?}");
        }
    }
}
