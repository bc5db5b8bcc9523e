//! The last line of the JSON of a shard: which shard of which job it is, so that `emilia merge` sees whether all are there,
//! each of them whole and once.

use std::fmt::Display;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::json;
use super::options::GlobalOptions;
use crate::files::{NO_BYTES, checksum_after};
use crate::work::Shard;

/// The kind of these lines.
pub(super) const KIND: &str = "shard";

/// What is said of it in the help of every command that writes it.
pub(super) const ABOUT: &str = "\
With --json and --shard the last line has the kind 'shard' and the fields shard (K/N), of (the kind of the other lines) and job (a
checksum of the input and the options): the shard is complete. `emilia merge` makes one result of all shards.";

/// Which shard of which job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    #[serde(with = "text")]
    pub(super) shard: Shard,
    /// The kind of the lines before it, of which there may be none.
    pub(super) of: String,
    pub(super) job: String,
    /// Of the input of this shard, what could not be read and is not among the results.
    #[serde(default, skip_serializing_if = "is_none")]
    pub(super) unread: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// What the results of a job depend on, as a checksum.
#[derive(Debug)]
pub(super) struct JobSum {
    kind: &'static str,
    sum: u64,
}

impl JobSum {
    /// Of a job whose results are lines of this kind.
    pub(super) fn new(kind: &'static str) -> JobSum {
        JobSum {
            kind,
            sum: checksum_after(NO_BYTES, kind.as_bytes()),
        }
    }

    /// Adds a part of the input, or an option.
    pub(super) fn add(&mut self, part: &dyn Display) {
        self.sum = checksum_after(self.sum, format!("\n{part}").as_bytes());
    }

    /// Adds the options of the engine. The number of threads is none of them: it may differ from machine to machine.
    pub(super) fn add_engine(&mut self, global: &GlobalOptions, default_hash_mib: usize) {
        let settings = global.settings_with_hash(default_hash_mib);
        self.add(&settings.evaluator.fingerprint());
        self.add(&settings.selectivity);
        self.add(&settings.hash_mib);
    }

    /// Writes the last line of a shard.
    pub(super) fn write_mark(
        &self,
        shard: Shard,
        unread: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mark = Mark {
            shard,
            of: self.kind.to_owned(),
            job: format!("{:016x}", self.sum),
            unread,
        };
        json::write(KIND, &mark, out)
    }
}

/// A shard as `K/N`.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use super::Shard;

    pub(super) fn serialize<S: Serializer>(shard: &Shard, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(shard)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Shard, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(de::Error::custom)
    }
}
