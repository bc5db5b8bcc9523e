//! Last line of a shard's JSON output: its shard number and a checksum of its job.
//! `emilia merge` uses it to check that every shard is there once and complete.

use std::fmt::Display;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::options::{GlobalOptions, ShardedOutput};
use crate::analysis::json;
use crate::files::{NO_BYTES, checksum_after};

/// Kind of the last line of a shard in the JSON schema.
pub(super) const KIND: &str = "shard";

/// Help text of the commands that write a [`Mark`] as their last line.
pub(super) const ABOUT: &str = "\
With --json and --shard the last line has the kind 'shard' and the fields shard (K/N), of (the
kind of the other lines) and job (a checksum of the input and the options). It marks the shard
as complete. `emilia merge` merges the outputs of all shards.";

/// Shard and job of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    /// `K/N`.
    pub(super) shard: String,
    /// Kind of the lines before this one. A shard may have no other line.
    pub(super) of: String,
    pub(super) job: String,
    /// Number of unreadable items of the input of this shard. Omitted if zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unread: Option<usize>,
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

    /// Writes the last line of a shard with JSON output. Other outputs have no such line.
    pub(super) fn write_mark(
        &self,
        output: &ShardedOutput,
        unread: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Some(shard) = output.shard.filter(|_| output.json) else {
            return Ok(());
        };
        let mark = Mark {
            shard: shard.to_string(),
            of: self.kind.to_owned(),
            job: format!("{:016x}", self.sum),
            unread: Some(unread).filter(|&unread| unread > 0),
        };
        json::write(KIND, &mark, out)
    }
}
