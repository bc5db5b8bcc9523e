//! Jobs spread over several workers by the schedulers that people have: a worker is killed, its shard runs again, and the merged
//! result is that of one run. The scripts in `tests/schedulers/` do it; they are skipped where the scheduler is not installed.
#![cfg(unix)]

use std::process::Command;

/// Runs a script for these commands; what it logs must show all that happened, for each command.
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

const ALL: [&str; 6] = [
    "solve",
    "eval-test",
    "perft",
    "analyze",
    "match",
    "selfplay",
];

#[test]
fn gnu_parallel_spreads_jobs() {
    check("parallel.sh", &["eval-test", "match"]);
}

#[test]
#[ignore = "takes a minute"]
fn gnu_parallel_spreads_every_job() {
    check("parallel.sh", &ALL);
}

#[test]
#[ignore = "starts the daemons of Slurm, as root; takes minutes"]
fn slurm_spreads_every_job() {
    check("slurm.sh", &ALL);
}

#[test]
#[ignore = "starts the processes of Dask; takes minutes"]
fn dask_spreads_every_job() {
    check("dask.sh", &ALL);
}
