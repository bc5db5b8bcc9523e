//! Output files of all commands: none overwrites an input, another output, or, without `--force`,
//! an existing file.

mod run;

use std::path::PathBuf;
use std::{env, fs, process};

use run::{Run, emilia};

const GAME: &str = "f5d6c3d3c4\n";

/// Temporary folder of one test, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("emilia-outputs-{}-{name}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, content: &str) -> String {
        let path = self.at(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// Returns the paths and contents of all files.
    fn contents(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::read(&path).unwrap_or_default()))
            .collect();
        files.sort();
        files
    }

    /// Checks that a command line is refused with this reason and changes no file.
    fn assert_refused(&self, arguments: &[&str], reason: &str) {
        let before = self.contents();
        let run = emilia(arguments, GAME.as_bytes());
        assert_eq!(run.code, Some(2), "{arguments:?}: {run:?}");
        assert!(run.stdout.is_empty(), "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(reason), "{arguments:?}: {run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{arguments:?}: {run:?}");
        assert_eq!(self.contents(), before, "{arguments:?}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the arguments of a match of two games with these options.
fn arena<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let players = ["--first", "builtin:depth=1", "--second", "builtin:depth=1"];
    [&["match", "--games", "2"], &players[..], more].concat()
}

fn assert_done(run: &Run) {
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = Folder::new("inputs");
    let game = folder.file("game.txt", GAME);
    let weights = folder.at("weights");
    fs::copy(concat!(env!("OUT_DIR"), "/weights.bin"), &weights).unwrap();
    let data = folder.at("1.games");
    assert_done(&emilia(
        &["selfplay", "--depth", "1", "--games", "1", "--out", &data],
        b"",
    ));
    let page = folder.file("1.html", GAME);
    let builtin = format!("builtin:depth=1,weights={weights}");
    let reason = "would overwrite the input";
    let lines: Vec<Vec<&str>> = vec![
        vec!["show", &game, "--svg", &game],
        vec!["show", &game, "--png", &game],
        vec!["show", "--weights", &weights, "--png", &weights],
        vec!["analyze", &game, "--svg", &game],
        vec!["analyze", &game, "--html", &game],
        vec!["analyze", &game, "--out", &game],
        vec!["analyze", &page, "--pages", folder.0.to_str().unwrap()],
        vec!["convert", &game, &game],
        vec!["convert", folder.0.to_str().unwrap(), &game],
        arena(&["--openings", &game, "--ggf", &game]),
        arena(&["--openings", &game, "--transcripts", &game]),
        arena(&["--openings", &game, "--svg", &game]),
        arena(&["--openings", &game, "--out", &game]),
        vec![
            "match",
            "--games",
            "2",
            "--first",
            "gtp:false",
            "--second",
            "builtin:depth=1",
            "--openings",
            &game,
            "--stderr",
            &game,
        ],
        arena(&["--weights", &weights, "--ggf", &weights]),
        vec!["train", "--data", &data, "--out", &data],
        vec![
            "train", "--data", &data, "--out", &weights, "--prior", &weights,
        ],
        vec![
            "train",
            "--net",
            "--data",
            &data,
            "--out",
            &weights,
            "--initial",
            &weights,
        ],
        vec![
            "selfplay",
            "--games",
            "1",
            "--weights",
            &weights,
            "--out",
            &weights,
        ],
        vec![
            "match",
            "--games",
            "2",
            "--first",
            &builtin,
            "--second",
            "builtin:depth=1",
            "--ggf",
            &weights,
        ],
    ];
    for mut line in lines {
        if line[0] != "selfplay" {
            line.push("--force");
        }
        folder.assert_refused(&line, reason);
    }
}

#[cfg(unix)]
#[test]
fn links_to_an_input_are_not_overwritten() {
    let folder = Folder::new("links");
    let game = folder.file("game.txt", GAME);
    let soft = folder.at("soft.svg");
    std::os::unix::fs::symlink("game.txt", &soft).unwrap();
    // Inputs read through the link, and from stdin.
    let reason = "would overwrite the input";
    folder.assert_refused(
        &["show", &soft, "--png", &folder.at("x.png"), "--svg", &soft],
        reason,
    );
    let stdin = fs::File::open(&game).unwrap();
    let output = process::Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(["show", "-", "--svg", &soft, "--force"])
        .stdin(stdin)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains(reason));
    assert_eq!(fs::read_to_string(&game).unwrap(), GAME);
}

#[test]
fn outputs_must_be_different_files() {
    let folder = Folder::new("two");
    let [one, round] = ["one", "./one"].map(|name| folder.at(name));
    for line in [
        vec!["show", "f5", "--svg", &one, "--png", &round, "--force"],
        vec!["analyze", "f5", "--svg", &one, "--html", &round],
        vec!["analyze", "f5", "--svg", &one, "--out", &round],
        arena(&["--ggf", &one, "--transcripts", &round]),
        arena(&["--out", &one, "--svg", &round]),
        vec!["train", "--data", "none", "--out", &one, "--svg", &round],
    ] {
        folder.assert_refused(&line, "name the same file");
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
}

#[test]
fn existing_files_need_force() {
    let folder = Folder::new("force");
    let old = folder.file("old", "old");
    let game = folder.file("games.txt", "f5d6\nf5f6\n");
    let data = folder.at("1.games");
    assert_done(&emilia(
        &["selfplay", "--depth", "1", "--games", "1", "--out", &data],
        b"",
    ));
    let [pages, new] = ["pages", "new"].map(|name| folder.at(name));
    let analyzed = ["analyze", &game, "--depth", "1", "--pages", &pages];
    assert_done(&emilia(&analyzed, b""));
    let man = folder.at("man");
    assert_done(&emilia(&["man", &man], b""));
    for line in [
        vec!["show", "f5", "--svg", &old],
        vec!["show", "f5", "--png", &old],
        vec!["analyze", "f5", "--depth", "1", "--svg", &old],
        vec!["analyze", "f5", "--depth", "1", "--html", &old],
        vec!["convert", "-", &old, "--to", "txt"],
        arena(&["--ggf", &old]),
        arena(&["--transcripts", &old]),
        arena(&["--svg", &old]),
        vec!["train", "--data", &data, "--out", &old],
        vec!["train", "--data", &data, "--out", &new, "--svg", &old],
        analyzed.to_vec(),
        vec!["man", &man],
    ] {
        folder.assert_refused(&line, "it exists; give another name, or --force");
        if line[0] == "train" {
            continue;
        }
        fs::write(&old, "old").unwrap();
        assert_done(&emilia(
            &[&line[..], &["--force"]].concat(),
            GAME.as_bytes(),
        ));
        assert!(
            !line.contains(&&*old) || fs::read(&old).unwrap() != b"old",
            "{line:?}"
        );
    }
}

#[test]
fn a_resumed_job_may_rewrite_its_own_files() {
    let folder = Folder::new("resume");
    let game = folder.file("games.txt", "f5d6\nf5f6\n");
    let [pages, analyses, log, ggf] =
        ["pages", "analyses.jsonl", "log.jsonl", "games.ggf"].map(|name| folder.at(name));
    let analyze = [
        "analyze", &game, "--depth", "1", "--pages", &pages, "--out", &analyses,
    ];
    let arena = arena(&["--out", &log, "--ggf", &ggf]);
    for line in [&analyze[..], &arena] {
        assert_done(&emilia(line, b""));
        assert_eq!(emilia(line, b"").code, Some(2));
        assert_done(&emilia(&[line, &["--resume"]].concat(), b""));
    }
    // A new log has no job to resume, and the pages belong to another job.
    let other = [
        "--resume",
        "--out",
        &folder.at("other.jsonl"),
        "--pages",
        &pages,
    ];
    let line = [&["analyze", &game, "--depth", "1"], &other[..]].concat();
    folder.assert_refused(&line, "it exists");
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_need_no_force() {
    assert_done(&emilia(
        &["show", "f5", "--svg", "/dev/null", "--png", "/dev/null"],
        b"",
    ));
    assert_done(&emilia(
        &arena(&["--ggf", "/dev/null", "--stderr", "/dev/null"]),
        b"",
    ));
    let run = emilia(&["show", "f5", "--svg", "/dev/stdout"], b"");
    assert!(
        run.stdout.starts_with("<svg") && run.stdout.contains("last move f5"),
        "{run:?}"
    );
    // If stdout is a file, it receives both outputs.
    let folder = Folder::new("stdout");
    let path = folder.at("both");
    let status = process::Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(["show", "f5", "--svg", "/dev/stdout"])
        .stdout(fs::File::create(&path).unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), run.stdout);
}
