//! `emilia merge`: joins the outputs of `--shard` runs and checks that each item is there once.
//!
//! An item is a shard of a printed result, which ends with a [`Mark`], or a game or block of a log.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::mark::{self, Mark};
use super::perft::{self, Count, CountedCase};
use super::{CommandResult, Failure, Verdict, print_to_stderr, refused};
use crate::analysis::solution::{self, Solution};
use crate::analysis::{eval_test, json};
use crate::files::{self, FileError, MIB};
use crate::train::BlockReader;
use crate::work::Shard;

/// Maximum size of a file in bytes.
const MAX_SIZE: u64 = 4096 * MIB;

/// Maximum number of gaps listed in the message.
const MAX_LISTED: usize = 5;

const TRUNCATED: &str = "truncated: run the command that wrote it again to complete it";

/// Arguments of `emilia merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FILE is the output of a shard, or several joined by cat. They may be given in any order:
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

/// Command line whose shards are merged. All files must agree on it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Job {
    /// Kind of the JSON lines that the command prints.
    kind: String,
    /// Input and options, as far as the file contains them.
    options: String,
    /// Number of shards of the job, or `None` for a log.
    shards: Option<usize>,
}

/// Shard, game or block of the merged job.
#[derive(Debug)]
struct Part {
    /// Number of the first game or shard of this part in the job. The part has `count` of them.
    number: u64,
    count: u64,
    content: Vec<u8>,
    /// Number of unreadable positions.
    unread: usize,
    path: PathBuf,
}

/// Items of all files.
#[derive(Debug, Default)]
struct Merge {
    job: Option<(Job, PathBuf)>,
    /// Header line before the games of a match.
    header: Vec<u8>,
    items: Vec<Part>,
}

/// Merges the files and writes the result to `out`.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let mut merge = Merge::default();
    for path in &args.files {
        let bytes = files::read_plain(path, MAX_SIZE)?;
        if BlockReader::<&[u8]>::recognizes(&bytes) {
            merge.add_blocks(path, &bytes)?;
        } else {
            merge.add_lines(path, &bytes)?;
        }
    }
    let Some((job, _)) = merge.job.take() else {
        let why =
            "there is no complete output of a shard in these files: run the shards to their end";
        return Err(refused(why));
    };
    let missing = merge.check_each_is_there_once(&job)?;
    let missing = (!missing.is_empty()).then(|| format!("missing: {missing}"));
    let items = &merge.items;
    if job.shards.is_none() {
        let is_binary = job.kind == "selfplay";
        if is_binary && (args.json || io::stdout().is_terminal()) {
            let why = "training games are binary: redirect stdout to a file, without --json";
            return Err(refused(why));
        }
        out.write_all(&merge.header)?;
        for item in items {
            out.write_all(&item.content)?;
        }
        out.flush()?;
        return Ok(missing.map_or(Verdict::Yes, |missing| {
            print_to_stderr(&format_args!("emilia: {missing}"));
            Verdict::No
        }));
    }
    if let Some(missing) = missing {
        return Err(Failure::Input(missing));
    }
    let verdict = match job.kind.as_str() {
        solution::KIND => super::solve::write_all(objects::<Solution>(items)?, args.json, out)?,
        perft::COUNT => perft::write_sum(objects::<Count>(items)?, args.json, out)?,
        perft::CASE => perft::write_all(objects::<CountedCase>(items)?, args.json, out)?,
        _ => {
            eval_test::write_sum(objects(items)?, args.json, out)?;
            Verdict::Yes
        }
    };
    match items.iter().map(|item| item.unread).sum() {
        0 => Ok(verdict),
        unread => {
            out.flush()?;
            Err(refused(format!(
                "{unread} of the positions could not be read; the runs of their shards reported \
                 them"
            )))
        }
    }
}

/// Parses the lines of all items.
fn objects<T: DeserializeOwned>(items: &[Part]) -> Result<Vec<T>, FileError> {
    let mut objects = Vec::new();
    for item in items {
        for line in item.content.split_inclusive(|&byte| byte == b'\n') {
            let object = json::check_schema(line)
                .and_then(|()| serde_json::from_slice(line).map_err(|error| error.to_string()));
            objects.push(object.map_err(|error| FileError::refused(&item.path, error))?);
        }
    }
    Ok(objects)
}

impl Merge {
    fn add_blocks(&mut self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let mut reader = BlockReader::new(bytes);
        let mut start = 0;
        while let Some(block) = reader.next() {
            let block = block
                .map_err(|error| FileError::refused(path, format!("at byte {start}: {error}")))?;
            self.check_job("selfplay", format!("{:?}", block.origin), None, path)?;
            let end = reader.offset() as usize;
            let content = bytes[start..end].to_vec();
            self.add(block.first, block.item_count, content, path);
            start = end;
        }
        Ok(())
    }

    fn add_lines(&mut self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let mut unmarked = Vec::new();
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        for (number, line) in (1..).zip(lines) {
            let refused = |why: &str| FileError::refused(path, format!("line {number}: {why}"));
            if line.last() != Some(&b'\n') {
                return Err(refused(TRUNCATED));
            }
            let object: Value = serde_json::from_slice(line).map_err(|_| {
                refused(
                    "expected the output of a shard: JSON of solve, eval-test or perft, or the \
                     file of --out of analyze, match or selfplay",
                )
            })?;
            if object["match"].is_object() {
                self.check_job("match", object["match"].to_string(), None, path)?;
                line.clone_into(&mut self.header);
            } else if let Some(game) = object["game"].as_u64() {
                if let Value::String(limits) = &object["limits"] {
                    self.check_job("analysis", limits.clone(), None, path)?;
                }
                self.add(game, 1, line.to_vec(), path);
            } else if object["kind"] == mark::KIND {
                let mark: Mark = serde_json::from_value(object)
                    .map_err(|error| refused(&format!("expected a shard mark: {error}")))?;
                let shard: Shard = mark
                    .shard
                    .parse()
                    .map_err(|error: String| refused(&error))?;
                let known = [solution::KIND, eval_test::KIND, perft::COUNT, perft::CASE];
                if !known.contains(&mark.of.as_str()) {
                    return Err(refused("expected a kind of solve, eval-test or perft"));
                }
                self.check_job(&mark.of, mark.job, Some(shard.of()), path)?;
                self.add(shard.part() as u64, 1, std::mem::take(&mut unmarked), path);
                let last = self.items.last_mut();
                last.expect("an item was added").unread = mark.unread.unwrap_or(0);
            } else {
                unmarked.extend_from_slice(line);
            }
        }
        if unmarked.is_empty() {
            return Ok(());
        }
        let why = "the last line is no shard mark: the run was not finished, or not made with \
                   --json and --shard";
        Err(FileError::refused(path, why))
    }

    fn add(&mut self, number: u64, count: u64, content: Vec<u8>, path: &Path) {
        self.items.push(Part {
            number,
            count,
            content,
            unread: 0,
            path: path.to_owned(),
        });
    }

    /// Checks that a file belongs to the job of the files before it.
    fn check_job(
        &mut self,
        kind: &str,
        options: String,
        shards: Option<usize>,
        path: &Path,
    ) -> Result<(), FileError> {
        let job = Job {
            kind: kind.to_owned(),
            options,
            shards,
        };
        let (first, other) = self
            .job
            .get_or_insert_with(|| (job.clone(), path.to_owned()));
        if *first == job {
            return Ok(());
        }
        let why = format!(
            "it is of another job than '{}': the input, the options or the number of shards differ",
            other.display()
        );
        Err(FileError::refused(path, why))
    }

    /// Sorts the items, drops copies that are equal except for times, and returns the gaps.
    ///
    /// # Errors
    /// If two items with the same number differ.
    fn check_each_is_there_once(&mut self, job: &Job) -> Result<String, FileError> {
        let unit = job.shards.map_or("game", |_| "shard");
        let before = self.items.len();
        self.items.sort_by_key(|item| item.number);
        self.items.dedup_by(|item, kept| {
            (item.number, item.count) == (kept.number, kept.count)
                && without_times(&item.content) == without_times(&kept.content)
        });
        if self.items.len() < before {
            let count = before - self.items.len();
            print_to_stderr(&format_args!(
                "emilia: {count} {unit}s or blocks are duplicates: they count once"
            ));
        }
        // Matches and training games are numbered from 0, all others from 1.
        let mut next = u64::from(!["match", "selfplay"].contains(&job.kind.as_str()));
        let mut gaps = Vec::new();
        let mut add_gap = |from: u64, to: u64| match to - from {
            0 => {}
            1 => gaps.push(from.to_string()),
            _ => gaps.push(format!("{from}-{}", to - 1)),
        };
        for item in &self.items {
            if item.number < next {
                let why = format!("{unit} {} is there twice, and not the same", item.number);
                return Err(FileError::refused(&item.path, why));
            }
            add_gap(next, item.number);
            next = item.number.saturating_add(item.count);
        }
        if let Some(shards) = job.shards {
            add_gap(next, shards as u64 + 1);
        }
        if gaps.len() > MAX_LISTED {
            gaps.truncate(MAX_LISTED);
            gaps.push("…".to_owned());
        }
        Ok(if gaps.is_empty() {
            String::new()
        } else {
            format!("{unit}s {}", gaps.join(", "))
        })
    }
}

/// Parses JSON lines without the fields that hold times. Other bytes are kept as they are.
fn without_times(content: &[u8]) -> (Vec<Value>, &[u8]) {
    fn remove(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !["seconds", "nps", "time"].contains(&name.as_str()));
                fields.values_mut().for_each(remove);
            }
            Value::Array(values) => values.iter_mut().for_each(remove),
            _ => {}
        }
    }
    let values = serde_json::Deserializer::from_slice(content).into_iter::<Value>();
    match values.collect::<Result<Vec<_>, _>>() {
        Ok(mut values) => {
            values.iter_mut().for_each(remove);
            (values, &[])
        }
        Err(_) => (Vec::new(), content),
    }
}
