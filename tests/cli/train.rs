//! End-to-end tests of `emilia train`: weights from games, resumption, refused files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::run::{Run, emilia};

/// Returns the path of a file used by this test only.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("train-{name}"))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain letters")
}

/// Writes self-play games to a file.
fn games(name: &str) -> PathBuf {
    games_of(name, "400")
}

/// Writes `count` self-play games to a file.
fn games_of(name: &str, count: &str) -> PathBuf {
    let path = scratch(name);
    let _ = fs::remove_file(&path);
    let run = emilia(
        &[
            "selfplay",
            "--games",
            count,
            "--depth",
            "1",
            "--exact",
            "6",
            "--out",
            text(&path),
        ],
        b"",
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    path
}

fn train(games: &Path, weights: &Path, more: &[&str]) -> Run {
    // Files of earlier test runs may exist.
    let fixed = [
        "train",
        "--force",
        "--data",
        text(games),
        "--out",
        text(weights),
    ];
    emilia(&[&fixed, more].concat(), b"")
}

#[test]
fn fitted_weights_can_be_used() {
    let (games, weights, svg) = (
        games("train.games"),
        scratch("train.weights"),
        scratch("train.svg"),
    );
    let run = train(&games, &weights, &["--passes", "2", "--svg", text(&svg)]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("training positions:"), "{run:?}");
    assert!(run.stdout.contains("classic"), "{run:?}");
    assert!(
        fs::read_to_string(&svg)
            .unwrap()
            .contains("Error on held-out positions")
    );
    assert!(!scratch("train.weights.part").exists());

    let show = |more: &[&str]| emilia(&[&["show", "f5d6c3d3c4"], more].concat(), b"").stdout;
    assert_ne!(show(&["--weights", text(&weights)]), show(&[]));
}

#[test]
fn a_resumed_run_gives_the_same_weights() {
    let (games, weights) = (games("killed.games"), scratch("killed.weights"));
    let part = scratch("killed.weights.part");
    assert_eq!(train(&games, &weights, &[]).code, Some(0));
    let whole = fs::read(&weights).unwrap();
    fs::remove_file(&weights).unwrap();

    let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(["train", "--data", text(&games), "--out", text(&weights)])
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let start = Instant::now();
    let kept = || fs::metadata(&part).map_or(0, |file| file.len());
    while kept() < 3_000_000 && child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A run that ended before it could be killed left nothing to resume.
    let killed = !weights.exists();

    let resumed = train(&games, &weights, &[]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(
        resumed.stdout.contains("stages are finished"),
        killed,
        "{resumed:?}"
    );
    assert_eq!(fs::read(&weights).unwrap(), whole);
}

#[test]
fn invalid_files_are_refused_in_one_sentence() {
    let letter = scratch("letter.txt");
    fs::write(&letter, "a letter to the editor").unwrap();
    let torn = scratch("torn.weights");
    let games = games("refused.games");
    assert_eq!(train(&games, &torn, &["--passes", "1"]).code, Some(0));
    let whole = fs::read(&torn).unwrap();
    fs::write(&torn, &whole[..whole.len() / 2]).unwrap();
    for (run, expected) in [
        (
            train(&letter, &scratch("none"), &[]),
            "expected a block of training data",
        ),
        (
            train(&torn, &scratch("none"), &[]),
            "expected a block of training data",
        ),
        (train(&scratch("missing"), &scratch("none"), &[]), "missing"),
        (
            emilia(&["show", "--weights", text(&letter)], b""),
            "no file of weights",
        ),
        (
            emilia(&["show", "--weights", text(&torn)], b""),
            "truncated",
        ),
        (
            train(&games, &scratch("none"), &["--ridge", "0"]),
            "above 0",
        ),
        (
            train(&games, &scratch("none"), &["--lambda", "1.5"]),
            "from 0 to 1",
        ),
        (
            train(&games, &scratch("none"), &["--prior", text(&letter)]),
            "no file of weights",
        ),
        (train(&games, &std::env::temp_dir(), &[]), "is a directory"),
        (train(&games, &games, &[]), "overwrite the input"),
    ] {
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(expected), "{run:?}");
    }
}

#[test]
fn games_and_positions_are_fitted_together_with_a_prior() {
    let (games, positions) = (games("both.games"), scratch("both.positions"));
    let _ = fs::remove_file(&positions);
    let line = "selfplay --roots 3200 --depth 2 --empties 3-5 --out";
    let line: Vec<&str> = line.split(' ').chain([text(&positions)]).collect();
    assert_eq!(emilia(&line, b"").code, Some(0));
    let (first, second) = (scratch("both.1.weights"), scratch("both.2.weights"));
    let both = ["--passes", "1", "--data", text(&positions)];
    let run = train(&games, &first, &both);
    assert_eq!(run.code, Some(0), "{run:?}");
    for kind in ["games", "leaves", "branches"] {
        assert!(run.stdout.contains(kind), "{run:?}");
    }
    let row = |line: &&str| line.split_whitespace().count() == 10 && line.trim().starts_with('4');
    assert!(run.stdout.lines().any(|line| row(&line)), "{run:?}");

    let with_prior = [&both[..], &["--prior", text(&first)]].concat();
    assert_eq!(train(&games, &second, &with_prior).code, Some(0));
    assert_ne!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    let out = scratch("lambda.weights");
    let with_lambda = [&both[..], &["--lambda", "0"]].concat();
    assert_eq!(train(&games, &out, &with_lambda).code, Some(0));
    assert_ne!(fs::read(&first).unwrap(), fs::read(&out).unwrap());
}

#[test]
fn the_probcut_error_model_is_fitted_and_shown() {
    let games = scratch("spread.games");
    let _ = fs::remove_file(&games);
    // At most 22 empties remain after the random moves, so solving is fast.
    let line = "selfplay --games 220 --depth 1 --exact 6 --random-plies 38-38 --out";
    let line: Vec<&str> = line.split(' ').chain([text(&games)]).collect();
    assert_eq!(emilia(&line, b"").code, Some(0));
    let fit = |more: &str| {
        let fixed = ["train", "--fit-selectivity", "--data", text(&games)];
        let more: Vec<&str> = more.split_whitespace().collect();
        emilia(&[&fixed[..], &more].concat(), b"")
    };

    let run = fit("--positions 200 --depth 6 --eval classic");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("200 positions, "), "{run:?}");
    assert!(run.stdout.contains("18-21"), "{run:?}");
    let arrays: Vec<&str> = run.stdout.lines().rev().take(2).collect();
    for (line, name, count) in [(arrays[1], "midgame", 6), (arrays[0], "endgame", 4)] {
        let inner = line.strip_prefix(&format!("{name}: [")).unwrap();
        let inner = inner.strip_suffix("],").unwrap();
        let numbers: Vec<f32> = inner.split(", ").map(|n| n.parse().unwrap()).collect();
        assert_eq!(numbers.len(), count, "{run:?}");
    }

    let few = fit("--positions 60 --depth 3");
    assert_eq!(few.code, Some(2), "{few:?}");
    assert!(few.stderr.contains("too few positions"), "{few:?}");
    let both = fit("--out nowhere");
    assert_eq!(both.code, Some(2), "{both:?}");
}

#[test]
fn the_model_of_people_is_fitted_to_games_and_predicts_others() {
    let games = [7, 8].map(|seed: u32| {
        let file = scratch(&format!("people-{seed}.ggf"));
        let seed = seed.to_string();
        let players = ["builtin:name=a,level=h6", "builtin:name=b,level=h12"];
        let run = emilia(
            &[
                "match",
                "--first",
                players[0],
                "--second",
                players[1],
                "--games",
                "40",
                "--openings",
                "random:4",
                "--seed",
                &seed,
                "--ggf",
                text(&file),
                "--force",
            ],
            b"",
        );
        assert_eq!(run.code, Some(0), "{run:?}");
        file
    });
    let fixed = [
        "train",
        "--fit-people",
        "--data",
        text(&games[0]),
        "--held-out",
    ];
    let run = emilia(&[&fixed[..], &[text(&games[1])]].concat(), b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    let nats = |model: &str| -> f64 {
        let row = run.stdout.lines().find(|line| line.starts_with(model));
        let cells = row.unwrap().split_whitespace().rev();
        cells.skip(2).find_map(|cell| cell.parse().ok()).unwrap()
    };
    // The players choose by this model: each of its terms predicts better than the ones before.
    let models = [
        "any move",
        "one temperature",
        "and a factor for each player",
    ];
    let nats: Vec<f64> = models
        .into_iter()
        .chain(["and the value at once"])
        .map(nats)
        .collect();
    assert!(nats.is_sorted_by(|a, b| a > b), "{nats:?} {run:?}");
    let numbers = |name: &str| -> Vec<f64> {
        let line = run.stdout.lines().find_map(|line| line.strip_prefix(name));
        let inner = line
            .unwrap()
            .trim_start_matches(": [")
            .trim_end_matches("],");
        inner
            .split(", ")
            .map(|number| number.parse().unwrap())
            .collect()
    };
    assert!(numbers("temperatures").iter().all(|&number| number > 0.0));
    let weights = numbers("weights");
    assert!(
        weights.iter().sum::<f64>() / weights.len() as f64 > 0.05,
        "{weights:?}"
    );
    let none = emilia(&["train", "--fit-people", "--data", "nowhere.wtb"], b"");
    assert_eq!(
        (none.code, none.stderr.lines().count()),
        (Some(2), 1),
        "{none:?}"
    );
}

/// Starts a training run and kills it after its first checkpoint.
fn killed(arguments: &[&str], part: &Path) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let start = Instant::now();
    while fs::metadata(part).map_or(0, |file| file.len()) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60));
        assert_eq!(child.try_wait().unwrap(), None, "it has ended");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_checkpoint_of_another_job_is_refused_and_kept() {
    let (games, others) = (games("jobs.games"), games_of("jobs.others", "300"));
    for (kind, long, differs) in [
        (
            "--net",
            ["--epochs", "1000"],
            "--epochs: 1000 there, 1 here",
        ),
        (
            "--lambda=0.5",
            ["--passes", "1000"],
            "--passes: 1000 there, 1 here",
        ),
    ] {
        let out = scratch("jobs.weights");
        let file = |ending: &str| scratch(&format!("jobs.weights{ending}"));
        for ending in ["", ".part", ".part.1", ".part.2"] {
            let _ = fs::remove_file(file(ending));
        }
        let fixed = ["train", kind, "--data", text(&games), "--out", text(&out)];
        killed(&[&fixed[..], &long].concat(), &file(".part"));
        let before = fs::read(file(".part")).unwrap();

        let short = [kind, long[0], "1"];
        let run = train(&games, &out, &short);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(differs), "{run:?}");
        assert!(run.stderr.contains("--restart"), "{run:?}");
        let run = train(&others, &out, &[&short[..], &["--seed", "2"]].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        for differs in ["data: ", " training positions", "--seed: 1 there, 2 here"] {
            assert!(run.stderr.contains(differs), "{run:?}");
        }
        fs::write(file(".part.1"), "a letter to the editor").unwrap();
        assert_eq!(fs::read(file(".part")).unwrap(), before);
        assert!(!out.exists());

        let run = train(&games, &out, &[&short[..], &["--restart"]].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.contains("jobs.weights.part.2' now"), "{run:?}");
        assert_eq!(fs::read(file(".part.2")).unwrap(), before);
        assert_eq!(
            fs::read(file(".part.1")).unwrap(),
            b"a letter to the editor"
        );
        assert!(out.exists() && !file(".part").exists());
        // Without a checkpoint, `--restart` has no effect.
        let run = train(&games, &out, &[&short[..], &["--restart"]].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(!run.stdout.contains(" now"), "{run:?}");
    }
}
