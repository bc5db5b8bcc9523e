//! End-to-end tests of `emilia merge`: merged shards equal the result of one run.
//! Incomplete, damaged or foreign files are refused.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::run::{Run, emilia};
use serde_json::Value;

/// Number of shards of each job.
const SHARDS: usize = 3;

/// Positions 1 to 19 of the FFO endgame suite.
const ENDINGS: &str = "tests/data/fforum-1-19.obf";

/// Creates an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("merge-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs the command of the space-separated `words` and of `more`; returns its stdout.
///
/// # Panics
/// If the exit code is not 0.
fn stdout(words: &str, more: &[&str]) -> String {
    let words: Vec<&str> = words.split(' ').chain(more.iter().copied()).collect();
    let run = emilia(&words, b"");
    assert_eq!(run.code, Some(0), "{words:?}: {run:?}");
    run.stdout
}

/// Runs all shards of a command with `--json` and returns the files with their stdout.
fn printed_shards(words: &str, folder: &Path) -> Vec<String> {
    (1..=SHARDS)
        .map(|part| {
            let file = folder.join(format!("{part}.json"));
            let shard = format!("{part}/{SHARDS}");
            let json = stdout(words, &["--json", "--shard", &shard]);
            fs::write(&file, json).expect("a file");
            file.display().to_string()
        })
        .collect()
}

/// Runs all shards of a command with `--out`; returns their files and that of an unsharded run.
fn written_shards(words: &str, folder: &Path) -> (Vec<String>, String) {
    let write = |name: &str, shard: &str| {
        let file = folder.join(name).display().to_string();
        stdout(words, &["--out", &file, "--shard", shard]);
        file
    };
    let parts =
        (1..=SHARDS).map(|part| write(&format!("{part}.part"), &format!("{part}/{SHARDS}")));
    (parts.collect(), write("whole", "1/1"))
}

/// Runs `emilia merge` on `files` with the further arguments `more`.
fn merge(files: &[String], more: &[&str]) -> Run {
    let files = files.iter().map(String::as_str);
    let words: Vec<&str> = ["merge"]
        .into_iter()
        .chain(files)
        .chain(more.iter().copied())
        .collect();
    emilia(&words, b"")
}

/// Returns the lines without seconds and nodes per second, which differ from run to run.
fn without_times(text: &str) -> Vec<String> {
    let line = |line: &str| {
        if line.starts_with('#') {
            let fields = line.split('\t').enumerate();
            let kept = fields.filter(|(index, _)| ![4, 6].contains(index));
            return kept.map(|(_, field)| field).collect::<Vec<_>>().join("\t");
        }
        if let Some(numbers) = line
            .strip_prefix("perft ")
            .filter(|line| !line.contains(':'))
        {
            return numbers.split(' ').take(2).collect::<Vec<_>>().join(" ");
        }
        let parts = line.split(", ");
        let kept = parts.filter(|part| !part.ends_with(" s") && !part.ends_with(" nps"));
        kept.collect::<Vec<_>>().join(", ")
    };
    text.lines().map(line).collect()
}

/// Returns the JSON objects without seconds and nodes per second.
fn objects_without_times(text: &str) -> Vec<Value> {
    fn remove(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for name in ["seconds", "nps", "time"] {
                    fields.remove(name);
                }
                fields.values_mut().for_each(remove);
            }
            Value::Array(values) => values.iter_mut().for_each(remove),
            _ => {}
        }
    }
    let object = |line| {
        let mut object = serde_json::from_str(line).expect("JSON");
        remove(&mut object);
        object
    };
    text.lines().map(object).collect()
}

#[test]
fn merged_shards_print_the_result_of_one_run() {
    let solve = format!("solve {ENDINGS} --threads 1");
    let solve_all = format!("{solve} --all-moves --wld");
    let eval_test = format!("eval-test {ENDINGS} --depth 5");
    for (name, words) in [
        ("solve", solve.as_str()),
        ("wld", &solve_all),
        ("eval-test", &eval_test),
        ("perft", "perft 8"),
        ("divide", "perft 8 f5d6 --divide --convention F"),
        ("tiny", "perft 1"),
        (
            "suite",
            "perft --suite perft/convention-b.perft --max-nodes 1000",
        ),
    ] {
        let parts = printed_shards(words, &folder(name));
        let turned: Vec<String> = parts.iter().rev().cloned().collect();
        let merged = merge(&turned, &[]);
        merged.assert_done();
        assert_eq!(
            without_times(&merged.stdout),
            without_times(&stdout(words, &[])),
            "{words}"
        );
        assert!(merged.stdout.lines().count() > 0);

        let merged = merge(&parts, &["--json"]);
        let whole = stdout(words, &["--json"]);
        assert_eq!(
            objects_without_times(&merged.stdout),
            objects_without_times(&whole),
            "{words}"
        );
    }
}

#[test]
fn shards_without_positions_are_merged() {
    let folder = folder("empty");
    let board = "X".repeat(63) + "- X";
    let parts = [3, 2, 1].map(|part| {
        let file = folder.join(part.to_string()).display().to_string();
        let shard = format!("{part}/3");
        let json = stdout(
            "solve --threads 1 --json",
            &[&board, &board, "--shard", &shard],
        );
        fs::write(&file, json).expect("a file");
        file
    });
    let merged = merge(&parts, &[]);
    merged.assert_shows("\nsolve: 2 positions, 0 wrong, ");
}

/// Solves `positions` in two shards and merges them.
fn solved_in_two(name: &str, positions: &str) -> Run {
    let folder = folder(name);
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("input"), positions).expect("a file");
    let parts = ["1", "2"].map(|part| {
        let shard = format!("{part}/2");
        let run = emilia(&["solve", &path("input"), "--json", "--shard", &shard], b"");
        fs::write(path(part), run.stdout).expect("a file");
        path(part)
    });
    merge(&parts, &[])
}

#[test]
fn wrong_scores_and_unreadable_lines_are_kept_in_the_merge() {
    let text = fs::read_to_string(ENDINGS).expect("a file");
    let mut lines = text.lines().filter(|line| !line.starts_with('%'));
    let first = lines.next().expect("a line");
    let (board, _) = first.split_once(';').expect("scores");
    let merged = solved_in_two("wrong", &format!("{first}\n{board}; g8:+1;\n{board}\n"));
    assert_eq!(merged.code, Some(1), "{merged:?}");
    let lines: Vec<&str> = merged.stdout.lines().collect();
    assert!(lines[1].ends_with("\tWRONG +18 expected +1"), "{merged:?}");
    assert!(
        lines[3].starts_with("solve: 3 positions, 1 wrong, "),
        "{merged:?}"
    );

    let merged = solved_in_two("unread", &format!("{board}\nnothing\n"));
    assert_eq!(merged.code, Some(2), "{merged:?}");
    merged.assert_shows("\nsolve: 1 positions, 0 wrong, ");
    let sentence = "emilia: 1 of the positions could not be read; the runs of their shards";
    assert!(merged.stderr.starts_with(sentence), "{merged:?}");
}

#[test]
fn merged_logs_equal_the_log_of_one_run() {
    let games = folder("games").join("games.txt");
    fs::write(&games, "f5d6c3d3\nf5f6e6f4\nf5f4\nf5d6c4d3\nf5d6\n").expect("a file");
    let analyze = format!("analyze {} --depth 4 --threads 1", games.display());
    let match_ =
        "match --first builtin:depth=2 --second builtin:depth=1 --openings random:6 --games 14";
    for (name, words) in [
        ("analyze", analyze.as_str()),
        ("match", match_),
        ("selfplay", "selfplay --games 900 --depth 1 --exact 4"),
        (
            "roots",
            "selfplay --roots 200 --depth 2 --empties 4-9 --exact 6 --label-depth 2",
        ),
    ] {
        let folder = folder(name);
        let (parts, whole) = written_shards(words, &folder);
        let turned: Vec<String> = parts.iter().rev().cloned().collect();
        let merged = folder.join("merged");
        // Written to a file, because training games are binary.
        let merge_to_file = |files: &[String]| {
            let status = std::process::Command::new(env!("CARGO_BIN_EXE_emilia"))
                .arg("merge")
                .args(files)
                .stdout(fs::File::create(&merged).expect("a file"))
                .status();
            assert_eq!(status.expect("it runs").code(), Some(0), "{words}");
            (
                fs::read(&merged).expect("a file"),
                fs::read(&whole).expect("a file"),
            )
        };
        let twice = [turned.clone(), parts.clone()].concat();
        for files in [&turned, &twice] {
            let (merged, whole) = merge_to_file(files);
            if name == "match" {
                let text = |bytes| String::from_utf8(bytes).expect("text");
                let [merged, whole] = [merged, whole]
                    .map(text)
                    .map(|text| objects_without_times(&text));
                assert_eq!(merged, whole);
            } else {
                assert!(merged == whole, "{words}");
            }
        }
    }
}

#[test]
fn missing_and_repeated_games_of_logs_are_reported() {
    let words =
        "match --first builtin:depth=1 --second builtin:depth=1 --openings random:6 --games 10";
    let (parts, _) = written_shards(words, &folder("gaps"));
    let merged = merge(&[parts[0].clone(), parts[2].clone(), parts[2].clone()], &[]);
    assert_eq!(merged.code, Some(1));
    assert_eq!(
        merged.stderr,
        "emilia: 2 games or blocks are duplicates: they count once\nemilia: missing: games 2-3\n"
    );
    assert_eq!(merged.stdout.lines().count(), 1 + 6);
}

/// Runs a merge that must be refused: exit code 2 and an empty stdout. Returns the error line.
fn refusal(files: &[String]) -> String {
    let run = merge(files, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    run.stderr
}

/// Asserts that a merge of `files` is refused with a message that contains `reason`.
fn assert_refused(files: &[String], reason: &str) {
    let sentence = refusal(files);
    assert!(sentence.contains(reason), "{sentence}");
}

#[test]
fn incomplete_or_conflicting_shards_are_refused() {
    let parts = printed_shards("perft 7", &folder("refused"));
    let [one, two, three] = [0, 1, 2].map(|index| parts[index].clone());
    assert_refused(&parts[..1], "emilia: missing: shards 2-3\n");
    assert_refused(&[three.clone(), one.clone()], "emilia: missing: shards 2\n");

    // A repeated shard with the same result counts once, one with another result is refused.
    let again = printed_shards("perft 7", &folder("again"));
    let merged = merge(&[&parts[..], &again[..1]].concat(), &[]);
    assert!(merged.stdout.starts_with("perft 7 55092 "), "{merged:?}");
    merged.assert_reports("they count once");
    // Shards joined by cat are one file.
    let joined = parts
        .iter()
        .map(|part| fs::read_to_string(part).expect("a file"));
    fs::write(&again[1], joined.collect::<String>()).expect("a file");
    let merged = merge(&again[1..2], &[]);
    assert!(merged.stdout.starts_with("perft 7 55092 "), "{merged:?}");
    let other = fs::read_to_string(&one).expect("a file");
    let other = other.replace("\"nodes\":", "\"nodes\":1");
    fs::write(&again[0], other).expect("a file");
    let files = [&parts[..], &again[..1]].concat();
    assert_refused(&files, "shard 1 is there twice, and not the same");

    for words in [
        "perft 6",
        "perft 7 --divide",
        "perft 7 f5",
        "perft 7 --convention F",
    ] {
        let other = printed_shards(words, &folder("other"));
        let files = [one.clone(), two.clone(), other[2].clone()];
        assert_refused(&files, "it is of another job than");
    }

    let text = fs::read_to_string(&two).expect("a file");
    let mark = text.lines().next().expect("a line").len() + 1;
    for (length, reason) in [
        (1, "truncated: run the command"),
        (mark - 1, "truncated: run the command"),
        (mark, "is no shard mark"),
        (text.len() - 1, "truncated: run the command"),
    ] {
        fs::write(&two, &text[..length]).expect("a file");
        assert_refused(&[one.clone(), two.clone()], reason);
    }
}

#[test]
fn logs_of_other_jobs_and_damaged_logs_are_refused() {
    let words = "selfplay --games 600 --depth 1 --exact 4";
    let (parts, _) = written_shards(words, &folder("torn"));
    let (others, _) = written_shards(&format!("{words} --seed 2"), &folder("seed"));
    assert_refused(
        &[parts[0].clone(), others[1].clone()],
        "of another job than",
    );
    let sentence = merge(&parts, &["--json"]).stderr;
    assert!(sentence.contains("training games are binary"), "{sentence}");
    let bytes = fs::read(&parts[1]).expect("a file");
    let mut damaged = bytes.clone();
    damaged[100] ^= 1;
    for (bytes, reason) in [
        (&bytes[..bytes.len() - 1], "truncated"),
        (&damaged, "at byte 0: "),
    ] {
        fs::write(&parts[1], bytes).expect("a file");
        assert_refused(&parts, reason);
    }

    let words =
        "match --first builtin:depth=1 --second builtin:depth=1 --openings random:6 --games 12";
    let (parts, whole) = written_shards(words, &folder("other-match"));
    let text = fs::read_to_string(&whole).expect("a file");
    for (old, new, reason) in [
        (
            "\"played\"",
            "\"adjudicated\"",
            "game 0 is there twice, and not the same",
        ),
        ("\"seed\":1", "\"seed\":2", "of another job than"),
    ] {
        fs::write(&whole, text.replace(old, new)).expect("a file");
        assert_refused(&[&parts[..], std::slice::from_ref(&whole)].concat(), reason);
    }
}

#[test]
fn foreign_files_are_refused() {
    let folder = folder("foreign");
    let path = |name: &str| folder.join(name).display().to_string();
    let mark = |of: &str, shard: &str| {
        format!("{{\"kind\":\"shard\",\"of\":\"{of}\",\"shard\":\"{shard}\",\"job\":\"\"}}\n")
    };
    for (name, text) in [
        ("text", "perft 7 55092 0.1 1\n".to_owned()),
        ("binary", "\0\x7f\n".to_owned()),
        ("other", "{\"schema\":1,\"kind\":\"hint\"}\n".to_owned()),
        ("array", "[[[[1]]]]\n".to_owned()),
        ("unknown", mark("hint", "1/1")),
        ("part", mark("perft", "2/1")),
        ("empty", String::new()),
        ("no-game", "{\"match\":{}}\n{}\n".to_owned()),
        (
            "no-count",
            "{\"kind\":\"perft\"}\n".to_owned() + &mark("perft", "1/1"),
        ),
    ] {
        fs::write(path(name), text).expect("a file");
        refusal(&[path(name)]);
    }
    for part in ["1", "2"] {
        let count = format!(
            "{{\"schema\":2,\"kind\":\"perft\",\"depth\":1,\"nodes\":{},\
             \"seconds\":1e300,\"nps\":1}}\n",
            u64::MAX
        );
        fs::write(path(part), count + &mark("perft", &format!("{part}/2"))).expect("a file");
    }
    assert_refused(&[path("1"), path("2")], "do not add up");
    assert_refused(&[path("none")], "none");
    assert_refused(&[folder.display().to_string()], "not a plain file");
}
