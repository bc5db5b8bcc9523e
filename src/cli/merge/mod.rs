//! `emilia merge`: merges the outputs of `--shard` runs.
//!
//! Outputs with totals end with a [`Mark`], and every shard must be present.
//! Logs and training games are sorted by game number.

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

/// Arguments of `emilia merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FILE is the output of a shard. The files may be given in any order:
  solve, eval-test, perft  with --json and --shard, to stdout: the result is printed as by a single
                           run, with the seconds added up. If a shard is missing, unfinished or of
                           another job, an error reports it and nothing is printed
  analyze, match           with --out: the games in the order of their numbers
  selfplay                 with --out: the games or positions in the order of a single run

A shard given twice counts once, if both copies agree except for times. Missing games are reported
and the exit code is 1. To complete a merged file, run the command of the shards on it, without
--shard and (except for selfplay) with --resume.

Examples:
  emilia merge part-*.json
  emilia merge part-*.games > all.games")]
pub(super) struct Args {
    /// Outputs of the shards, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Print JSON, like solve, eval-test and perft with --json. Logs are JSON always
    #[arg(long)]
    json: bool,
}

/// Kind of content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// JSON lines of this kind, followed by a mark.
    Marked(String),
    Log(LogKind),
}

/// Merges the files and writes the result to `out`.
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
            "these files are empty: run the shards to their end".to_owned(),
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

/// Returns the kind of a file by its first line, or `None` if it is empty.
fn recognize(path: &Path) -> Result<Option<Kind>, FileError> {
    /// Maximum length of a line in bytes.
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
            "its only line is incomplete: run the shard again"
        } else {
            "expected the output of a shard: JSON of solve, eval-test or perft, or the file of \
             --out of analyze, match or selfplay"
        };
        FileError::refused(path, what)
    })
}

/// Returns the kind of a file whose first line is `line`.
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

/// Writes the output that a single run over all shards would write.
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
            Err(Failure::Input(match unread {
                1 => "1 position could not be read; the run of its shard reported it".to_owned(),
                _ => format!(
                    "{unread} positions could not be read; the runs of their shards reported them"
                ),
            }))
        }
    }
}
