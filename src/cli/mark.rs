//! Last line of a shard's JSON output: its shard number and a checksum of its job.
//! `emilia merge` uses it to check that every shard is there once and complete.

use std::fmt::Display;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::json;
use super::options::GlobalOptions;
use crate::files::{NO_BYTES, checksum_after};
use crate::work::Shard;

/// Kind of these lines in the JSON schema.
pub(super) const KIND: &str = "shard";

/// Help text of the commands that write this line.
pub(super) const ABOUT: &str = "\
With --json and --shard the last line has the kind 'shard' and the fields shard (K/N), of (the
kind of the other lines) and job (a checksum of the input and the options). It marks the shard
as complete. `emilia merge` merges the outputs of all shards.";

/// Shard and job of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    #[serde(with = "text")]
    pub(super) shard: Shard,
    /// Kind of the other lines. A shard may have none.
    pub(super) of: String,
    pub(super) job: String,
    /// Number of unreadable items of the input of this shard.
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

/// Checksum of everything that the results of a job depend on.
#[derive(Debug)]
pub(super) struct JobSum {
    kind: &'static str,
    sum: u64,
}

impl JobSum {
    /// Starts the checksum of a job whose results are lines of this kind.
    pub(super) fn new(kind: &'static str) -> JobSum {
        JobSum {
            kind,
            sum: checksum_after(NO_BYTES, kind.as_bytes()),
        }
    }

    /// Adds a part of the input or an option.
    pub(super) fn add(&mut self, part: &dyn Display) {
        self.sum = checksum_after(self.sum, format!("\n{part}").as_bytes());
    }

    /// Adds the engine options, without the number of threads, which may differ between machines.
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

/// Serialisation of a shard as `K/N`.
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
