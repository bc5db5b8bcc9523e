//! Signals that end a program from outside, for tests that send them.

use std::fs;

use nix::sys::signal::Signal;

/// Returns SIGTERM and SIGHUP, except those that this process ignores.
///
/// Child processes inherit ignored signals. Under `nohup`, for example, SIGHUP is ignored.
pub(crate) fn deadly_signals() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_delivered = |signal: &Signal| ignored.unwrap_or(0) >> (*signal as i32 - 1) & 1 == 0;
    let signals = [Signal::SIGTERM, Signal::SIGHUP];
    signals.into_iter().filter(is_delivered).collect()
}
