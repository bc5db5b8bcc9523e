//! Sharded jobs under GNU parallel, Slurm and Dask, run by the scripts in `tests/schedulers/`.
//!
//! Each script kills one shard, has it run again, merges all and compares the result with one run.
//! Without the scheduler the script prints "skipped: …", and the test passes.
#![cfg(unix)]

use std::process::Command;

/// Runs a script for `commands`; asserts that its log has every expected event once per command.
fn check(script: &str, commands: &[&str]) {
    let output = Command::new("timeout")
        .args(["1500", "bash", &format!("tests/schedulers/{script}")])
        .args(commands)
        .env("EMILIA", env!("CARGO_BIN_EXE_emilia"))
        .output()
        .expect("timeout and bash are there");
    let log = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    println!("{log}");
    assert!(output.status.success(), "{log}\n{errors}");
    if log.starts_with("skipped: ") {
        return;
    }
    for command in commands {
        assert!(log.contains(&format!(" start: {command}, ")), "{log}");
    }
    for event in ["kill", "rerun", "merge", "comparison"] {
        let marked = format!(" {event}: ");
        let times = log.lines().filter(|line| line.contains(&marked)).count();
        assert_eq!(times, commands.len(), "{event}: {log}");
    }
}

/// All commands with `--shard`.
const ALL: [&str; 6] = [
    "solve",
    "eval-test",
    "perft",
    "analyze",
    "match",
    "selfplay",
];

#[test]
fn gnu_parallel_shards_merge_to_the_result_of_one_run() {
    check("parallel.sh", &["eval-test", "match"]);
}

#[test]
#[ignore = "takes a minute"]
fn gnu_parallel_shards_of_every_command_merge_to_the_result_of_one_run() {
    check("parallel.sh", &ALL);
}

#[test]
#[ignore = "starts the daemons of Slurm, as root; takes minutes"]
fn slurm_shards_of_every_command_merge_to_the_result_of_one_run() {
    check("slurm.sh", &ALL);
}

#[test]
#[ignore = "starts the processes of Dask; takes minutes"]
fn dask_shards_of_every_command_merge_to_the_result_of_one_run() {
    check("dask.sh", &ALL);
}
