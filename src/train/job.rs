//! Description of a training run in the head of its checkpoint: data, options and shape.
//!
//! A run resumes only checkpoints with its own description.
//! The head is the magic of the file, the length of the description in bytes, and the description:
//! a line `name: value` for each fact that the result depends on.

/// Maximum length of a description that is quoted in an error, in bytes.
const LONGEST: usize = 4096;

/// Data, options and shape of a training run, as names and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainJob {
    /// Description: a line `name: value` for each fact.
    facts: String,
}

/// Why a file is not a checkpoint of this job.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCheckpoint {
    /// The magic is not that of such a checkpoint.
    #[error("it is not a checkpoint of this kind of training{RESTART}")]
    NoCheckpoint,
    /// The version of the format is different.
    #[error("another version of the program wrote it{RESTART}")]
    OtherVersion,
    /// The description is different. Holds the facts that differ, with both values.
    #[error("it is the checkpoint of another training ({0}){RESTART}")]
    OtherJob(String),
    /// The file is truncated or damaged.
    #[error("it is damaged{RESTART}")]
    Damaged,
}

/// What to do about a wrong checkpoint.
const RESTART: &str =
    "; give another --out, or --restart, which renames this file and starts again";

impl TrainJob {
    /// Creates a job from names and values. Their order is part of the description.
    pub fn new<'a>(facts: impl IntoIterator<Item = (&'a str, String)>) -> TrainJob {
        let lines = facts
            .into_iter()
            .map(|(name, value)| format!("{name}: {value}\n"));
        TrainJob {
            facts: lines.collect(),
        }
    }

    /// Returns the head of a checkpoint of this job.
    pub(super) fn head(&self, magic: [u8; 8]) -> Vec<u8> {
        let length = self.facts.len() as u64;
        [&magic[..], &length.to_le_bytes(), self.facts.as_bytes()].concat()
    }

    /// Returns the bytes after the head of a checkpoint of this job.
    /// The last byte of `magic` is the version.
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

    /// Lists the facts that differ from those of another job.
    /// `None` if the names differ, or if nothing does.
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

/// Returns whether `facts`, the job description of a file, is safe to print in a message.
fn is_shown(facts: &str) -> bool {
    let is_odd = |letter: char| letter.is_control() && letter != '\n';
    facts.len() <= LONGEST && !facts.contains(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: [u8; 8] = *b"EmiliaX7";

    fn job(epochs: u32, data: &str) -> TrainJob {
        TrainJob::new([("--epochs", epochs.to_string()), ("data", data.to_owned())])
    }

    #[test]
    fn only_the_same_job_reads_its_head() {
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
    fn truncated_and_foreign_heads_are_refused() {
        let own = job(4, "8 blocks");
        let file = own.head(MAGIC);
        for (file, why) in [
            (&b""[..], BadCheckpoint::NoCheckpoint),
            (b"a letter", BadCheckpoint::NoCheckpoint),
            (b"EmiliaX6", BadCheckpoint::OtherVersion),
            (&file[..12], BadCheckpoint::Damaged),
            (&file[..file.len() - 1], BadCheckpoint::Damaged),
            (&TrainJob::new([]).head(MAGIC), BadCheckpoint::Damaged),
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
