//! What a client may set by name during a session; the names are those of the command line.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use super::{Setup, seconds, shown};
use crate::eval::{AnyEvaluator, Pattern, PatternWeights};
use crate::files::{self, FileError, MIB};
use crate::search::{Limits, TimeControl};

/// What can be set.
const NAMES: &str =
    "depth, time, nodes, exact, threads, ponder, hash, eval, weights or selectivity";

/// The bytes of the largest file that can be weights; those of the binary take a sixteenth of it.
const LARGEST_WEIGHTS: u64 = 64 * MIB;

/// Sets `name` to `value`; `none` takes a limit away. Tells whether the engine has to be configured anew.
///
/// # Errors
/// If there is no such name, or the value does not suit it; one sentence.
pub(super) fn set(setup: &mut Setup, name: &str, value: &str) -> Result<bool, String> {
    let Setup {
        settings,
        limits,
        ponder,
        is_client_gone: _,
    } = setup;
    match name {
        "depth" => limits.depth = limit(value, "a depth from 1 to 60", |n| (1..=60).contains(n))?,
        "nodes" => limits.nodes = limit(value, "a number of nodes from 1", |n| *n > 0)?,
        "exact" => {
            limits.exact = limit(value, "a number of empty squares to 60", |n| *n <= 60)?;
        }
        "time" => {
            let expected = "a positive number of seconds";
            let time = match value {
                "none" => None,
                _ => Some(seconds(value).filter(|time| !time.is_zero())),
            };
            let time = time.map(|time| time.ok_or_else(|| refusal(value, expected)));
            let time = time.transpose()?;
            *limits = Limits {
                time: time.map(TimeControl::PerMove),
                ..limits.clone()
            };
        }
        "threads" => {
            settings.threads = value
                .parse()
                .ok()
                .filter(|threads: &NonZero<usize>| threads.get() <= 1024)
                .ok_or_else(|| refusal(value, "1 to 1024 threads"))?;
            return Ok(true);
        }
        "ponder" => {
            *ponder = match value {
                "on" => true,
                "off" => false,
                _ => return Err(refusal(value, "on or off")),
            };
        }
        "hash" => {
            settings.hash_mib = value
                .parse()
                .ok()
                .filter(|mib| (1..=65536).contains(mib))
                .ok_or_else(|| refusal(value, "1 to 65536 MiB"))?;
            return Ok(true);
        }
        "eval" => {
            settings.evaluator = evaluator(value, &settings.evaluator)
                .ok_or_else(|| refusal(value, "an evaluation: pattern or classic"))?;
            return Ok(true);
        }
        "weights" => {
            settings.evaluator = Pattern::new(Arc::new(weights(value)?)).into();
            return Ok(true);
        }
        "selectivity" => {
            settings.selectivity = value
                .parse()
                .map_err(|_| refusal(value, "73, 87, 95, 98, 99 or 100 (percent)"))?;
            return Ok(true);
        }
        _ => return Err(format!("cannot set '{}', only {NAMES}", shown(name))),
    }
    Ok(false)
}

/// The weights of a file. To open a pipe or a device could block the session for ever.
fn weights(name: &str) -> Result<PatternWeights, String> {
    let path = Path::new(name);
    let weights = files::read_plain(path, LARGEST_WEIGHTS).and_then(|bytes| {
        PatternWeights::from_bytes(&bytes).map_err(|bad| FileError::refused(path, bad.to_string()))
    });
    weights.map_err(|error| format!("weights {error}"))
}

fn refusal(value: &str, expected: &str) -> String {
    format!("'{}' is not {expected}", shown(value))
}

fn limit<T: std::str::FromStr>(
    value: &str,
    expected: &str,
    accepts: impl Fn(&T) -> bool,
) -> Result<Option<T>, String> {
    if value == "none" {
        return Ok(None);
    }
    let number = value.parse().ok().filter(accepts);
    number
        .map(Some)
        .ok_or_else(|| refusal(value, &format!("{expected}, or none")))
}

/// The evaluation of this name; the present one if it has it, as it may have weights of its own.
fn evaluator(name: &str, present: &AnyEvaluator) -> Option<AnyEvaluator> {
    match name {
        _ if name == present.name() => Some(present.clone()),
        _ => AnyEvaluator::by_name(name),
    }
}
