//! The signals by which a program is ended from outside.

use std::fs;

use nix::sys::signal::Signal;

/// SIGTERM and SIGHUP, but for those that this process ignores, as it does under `nohup`: its children ignore them too.
pub(crate) fn deadly_signals() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_heard = |signal: &Signal| ignored.unwrap_or(0) >> (*signal as i32 - 1) & 1 == 0;
    let signals = [Signal::SIGTERM, Signal::SIGHUP];
    signals.into_iter().filter(is_heard).collect()
}
