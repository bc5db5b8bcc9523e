//! `emilia merge`: one result of those of all shards.
//!
//! Results that only mean something as a whole (sums, totals) end with a mark, and every shard must be there. Logs and training
//! games are put in order.

mod log;
mod parts;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::eval_test::{self, Found};
use super::mark::{self, Mark};
use super::perft::{case, count};
use super::{Failure, Verdict, solve};
use crate::files::{FileError, MIB};
use crate::train::BlockReader;
use log::LogKind;

/// What `emilia merge` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FILE is what a shard wrote, in any order:
  solve, eval-test, perft  with --json and --shard, to stdout: the result is printed as one run prints it, the seconds added up.
                           A shard that is missing, was not finished, or is of another job is named, and nothing is printed
  analyze, match           with --out: the games in the order of their numbers
  selfplay                 with --out: the games or positions in the order in which one run makes them

A shard that is there twice counts once, if both agree in all but the times. Games that are missing between others are named, and
the exit code is 1; the command that made the shards, without --shard and (but for selfplay) with --resume, says of the merged file
whether it is complete, and makes the rest.

Examples:
  emilia merge part-*.json
  emilia merge part-*.games > all.games")]
pub(super) struct Args {
    /// What the shards wrote
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Print JSON, as solve, eval-test and perft do with --json; what analyze and match write is JSON anyway
    #[arg(long)]
    json: bool,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Lines of JSON of this kind, with a mark behind the last.
    Marked(String),
    Log(LogKind),
}

/// Merges the files, results to `out`.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Verdict, Failure> {
    let mut known: Option<(Kind, &Path)> = None;
    for path in &args.files {
        let Some(kind) = recognize(path)? else {
            continue;
        };
        match &known {
            None => known = Some((kind, path)),
            Some((first, _)) if *first == kind => {}
            Some((first, other)) => {
                let (what, other) = (first.name(), other.display());
                let why = format!("it holds {}, and '{other}' {what}", kind.name());
                return Err(FileError::refused(path, why).into());
            }
        }
    }
    match known {
        Some((Kind::Log(LogKind::Selfplay), _)) if args.json => Err(Failure::Input(
            "--json: training games are not written as JSON".to_owned(),
        )),
        Some((Kind::Log(kind), _)) => log::merge(kind, &args.files, out),
        Some((Kind::Marked(kind), _)) => merge_marked(&kind, args, out),
        None => Err(Failure::Input(
            "there is nothing in these files: was a shard run to its end?".to_owned(),
        )),
    }
}

impl Kind {
    fn name(&self) -> &str {
        match self {
            Kind::Marked(kind) => match kind.as_str() {
                solve::KIND => "solutions",
                eval_test::KIND => "errors of searches",
                count::KIND => "counts of perft",
                _ => "cases of a suite",
            },
            Kind::Log(kind) => kind.name(),
        }
    }
}

/// The kind of a file by its beginning; `None` if it is empty.
fn recognize(path: &Path) -> Result<Option<Kind>, FileError> {
    /// No line of the results of a shard is longer, in bytes.
    const LONGEST_LINE: u64 = MIB;
    let wrong = |error| FileError::new(path, error);
    if !fs::metadata(path).map_err(wrong)?.is_file() {
        return Err(FileError::refused(path, "it is not a plain file"));
    }
    let mut line = Vec::new();
    let file = BufReader::new(File::open(path).map_err(wrong)?);
    (file.take(LONGEST_LINE).read_until(b'\n', &mut line)).map_err(wrong)?;
    if line.is_empty() {
        return Ok(None);
    }
    let kind = if BlockReader::<&[u8]>::recognizes(&line) {
        Some(Kind::Log(LogKind::Selfplay))
    } else {
        kind_of_line(&line)
    };
    kind.map(Some).ok_or_else(|| {
        let is_torn = line.last() != Some(&b'\n') && (line.len() as u64) < LONGEST_LINE;
        let what = if is_torn {
            "its only line has no end: no shard wrote it, or one that has to be run again"
        } else {
            "expected what a shard wrote: JSON of solve, eval-test or perft, or the file of --out of analyze, match or selfplay"
        };
        FileError::refused(path, what)
    })
}

/// The kind of a file that begins with this line.
fn kind_of_line(line: &[u8]) -> Option<Kind> {
    let object: Value = serde_json::from_slice(line).ok()?;
    if object["match"].is_object() {
        return Some(Kind::Log(LogKind::Match));
    }
    match object["kind"].as_str()? {
        "analysis" => Some(Kind::Log(LogKind::Analyze)),
        mark::KIND => {
            let mark: Mark = serde_json::from_value(object).ok()?;
            Some(Kind::Marked(mark.of)).filter(is_known)
        }
        kind => Some(Kind::Marked(kind.to_owned())).filter(is_known),
    }
}

fn is_known(kind: &Kind) -> bool {
    let known = [solve::KIND, eval_test::KIND, count::KIND, case::KIND];
    matches!(kind, Kind::Marked(kind) if known.contains(&kind.as_str()))
}

/// Prints what one run over all shards would have printed.
fn merge_marked(kind: &str, args: &Args, out: &mut dyn Write) -> Result<Verdict, Failure> {
    let parts = parts::complete(&args.files)?;
    let json = args.json;
    let verdict = match kind {
        solve::KIND => solve::write_all(parts::objects(&parts)?, json, out),
        eval_test::KIND => {
            let mut sum = Found::default();
            for found in parts::lines(&parts, Found::read)? {
                sum.merge(found);
            }
            sum.write(json, out)
        }
        count::KIND => count::write_sum(parts::objects(&parts)?, json, out),
        _ => case::write_all(parts::objects(&parts)?, json, out),
    }?;
    match parts::unread(&parts) {
        0 => Ok(verdict),
        unread => {
            out.flush()?;
            Err(Failure::Input(format!(
                "{unread} positions could not be read; their shards have named them"
            )))
        }
    }
}
