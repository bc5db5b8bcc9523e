//! Faults around a book: kills, two writers, read-only places, outputs and damage.
//!
//! `EMILIA_KILLS=300 cargo test --test cli -- book_faults --nocapture` kills 300 times, with a larger
//! book, and has two writers 100 times.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use emilia_book::{BookFile, Entry, check_graph};
use emilia_core::board::Board;

use crate::common::matches::{EMILIA, PATIENCE, Scratch, text};
use crate::common::run::{Run, emilia};

/// Number of kills.
fn kills() -> usize {
    std::env::var("EMILIA_KILLS").map_or(24, |number| number.parse().unwrap())
}

/// Runs `emilia` with the words of `line` in the folder, and expects success.
fn done(folder: &Scratch, line: &str) {
    let output = start(folder, line).wait_with_output().unwrap();
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
}

/// Runs `emilia` with the words of `line` in the folder, and expects a refusal.
fn refused(folder: &Scratch, line: &str, reasons: &[&str]) {
    let output = start(folder, line).wait_with_output().unwrap();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
    let is_named = reasons.iter().any(|reason| errors.contains(reason));
    assert!(is_named && errors.lines().count() == 1, "{line}: {errors}");
}

fn start(folder: &Scratch, line: &str) -> Child {
    Command::new(EMILIA)
        .args(line.split(' '))
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A folder with the book `start.book`, another book, and a text.
fn folder() -> Scratch {
    let folder = Scratch::new("book-faults");
    let learn = "book learn --level 2 --threads 1 --hash 1";
    for options in [
        "--error 4 --ply 6 --book start.book",
        "--error 6 --ply 5 --book other.book",
    ] {
        done(&folder, &format!("{learn} {options}"));
    }
    done(&folder, "book export other.dat --book other.book");
    fs::write(folder.path("text.txt"), "text").unwrap();
    folder
}

/// All positions of a book, and the number of its faults. `None` without a book.
type State = Option<(BTreeMap<Board, Entry>, u64)>;

/// The state of a book. A file of 0 bytes is not a book: it is what a killed `new` leaves.
fn state(path: &str) -> State {
    let book = match BookFile::open(Path::new(path)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        book => book.unwrap(),
    };
    let entries = book.positions().unwrap().into_iter().collect();
    let checked = check_graph(&book).unwrap();
    Some((entries, checked.faults + checked.stale))
}

/// Commands on the book `a.book` and the file that they write. Each starts with old files there.
const JOBS: [(&str, &str); 7] = [
    ("book new --book new.book", "new.book"),
    (
        "book learn --level 3 --error 9 --move-error 5 --threads 1 --hash 1 --time 1",
        "a.book",
    ),
    ("book import other.dat", "a.book"),
    ("book prune --error 2 --ply 5", "a.book"),
    ("book export old.book --force", "old.book"),
    ("book export old.dat --force", "old.dat"),
    ("book export old.egbk3 --force", "old.egbk3"),
];

#[test]
fn a_killed_command_leaves_the_state_before_or_after() {
    let folder = folder();
    if kills() > 100 {
        let embedded = concat!(env!("CARGO_MANIFEST_DIR"), "/src/book/default.packed");
        let import = format!("book import {embedded} --book large.book");
        done(&folder, &import);
        done(&folder, "book prune --ply 14 --book large.book");
        fs::rename(folder.path("large.book"), folder.path("start.book")).unwrap();
    }
    let mut rng = fastrand::Rng::with_seed(3);
    let mut seen = [0; 3];
    for (job, file) in JOBS {
        let line = match job {
            "book new --book new.book" => job.to_owned(),
            _ => format!("{job} --book a.book"),
        };
        let file = folder.path(file);
        let lay_out = || {
            let _ = fs::remove_file(folder.path("new.book"));
            for (from, to) in [("start.book", "a.book"), ("other.book", "old.book")] {
                fs::copy(folder.path(from), folder.path(to)).unwrap();
            }
            for old in ["old.dat", "old.egbk3"] {
                fs::write(folder.path(old), "old").unwrap();
            }
        };
        let read = || {
            let book = file.ends_with("book").then(|| state(&file));
            book.ok_or_else(|| fs::read(&file).unwrap())
        };
        lay_out();
        let before = read();
        let started = Instant::now();
        done(&folder, &line);
        let time = started.elapsed();
        let after = read();
        for _ in 0..kills() / JOBS.len() {
            lay_out();
            let mut process = start(&folder, &line);
            // Most commands write at their end.
            thread::sleep(time.mul_f64(1.05 * (1.0 - rng.f64().powi(2))));
            process.kill().unwrap();
            process.wait().unwrap();
            let found = read();
            let kind = match (&before, &found) {
                _ if found == before => 0,
                _ if found == after => 1,
                (Ok(Some((old, _))), Ok(Some((new, 0)))) if job.contains("learn") => {
                    assert!(old.keys().all(|board| new.contains_key(board)), "{line}");
                    2
                }
                _ => panic!("{line}: neither before nor after"),
            };
            seen[kind] += 1;
        }
    }
    println!("before, after, between two writes of learn: {seen:?}");
}

#[test]
fn a_second_writer_is_refused_whatever_path_it_takes() {
    const WRITING: &str = "another program is writing";
    let ways = [
        "symbolic", "hard", "relative", "moved", "removed", "replaced",
    ];
    let tries = if kills() > 100 { 17 } else { 1 };
    let folder = folder();
    for way in ways {
        for _ in 0..tries {
            fs::create_dir_all(folder.path("sub")).unwrap();
            let path = folder.path("sub/a.book");
            fs::copy(folder.path("start.book"), &path).unwrap();
            let before = state(&path).unwrap().0;
            let learn = "book learn --level 3 --error 20 --move-error 9 --threads 1 --hash 1";
            let mut first = start(&folder, &format!("{learn} --time 60 --book sub/a.book"));
            // `learn` has begun when the book has more positions than before.
            let begun = Instant::now();
            while state(&path).unwrap().0.len() == before.len() {
                assert!(begun.elapsed() < PATIENCE);
                thread::sleep(Duration::from_millis(20));
            }
            let other = folder.path("sub/b.book");
            let second = match way {
                "symbolic" => symlink("a.book", &other).map(|()| "sub/b.book"),
                "hard" => fs::hard_link(&path, &other).map(|()| "sub/b.book"),
                "relative" => Ok("./sub/../sub/a.book"),
                "moved" => fs::rename(&path, &other).map(|()| "sub/b.book"),
                "removed" => fs::remove_file(&path).map(|()| "sub/a.book"),
                _ => fs::copy(folder.path("other.book"), &other)
                    .and_then(|_| fs::rename(&other, &path).map(|()| "sub/a.book")),
            };
            let import = format!("book import other.dat --book {}", second.unwrap());
            let is_other_file = ["removed", "replaced"].contains(&way);
            if is_other_file {
                done(&folder, &import);
            } else {
                refused(&folder, &import, &[WRITING, "a second name"]);
            }
            if ["symbolic", "relative"].contains(&way) {
                assert!(
                    first.try_wait().unwrap().is_none(),
                    "{way}: the first goes on"
                );
                first.kill().unwrap();
                first.wait().unwrap();
            } else {
                let output = first.wait_with_output().unwrap();
                let errors = text(&output.stderr);
                assert_eq!(output.status.code(), Some(2), "{way}: {errors}");
                assert!(
                    errors.contains("moved, removed or replaced") || errors.contains("second name"),
                    "{way}: {errors}"
                );
            }
            let file = if way == "moved" { &other } else { &path };
            let (entries, faults) = state(file).unwrap();
            assert_eq!(faults, 0, "{way}");
            if is_other_file {
                let of_other = state(&folder.path("other.book")).unwrap().0;
                assert_eq!(entries.len(), of_other.len(), "{way}");
            } else {
                let is_kept = before.keys().all(|board| entries.contains_key(board));
                assert!(is_kept && entries.len() > before.len(), "{way}");
            }
            fs::remove_dir_all(folder.path("sub")).unwrap();
        }
    }
}

#[test]
fn a_book_in_a_read_only_place_is_read() {
    let folder = folder();
    let script = format!(
        "mount --bind {0} {0} && mount -o remount,bind,ro {0} || exit 77\ncd {0}\n\"$@\"",
        folder.0.display()
    );
    let run = |line: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["-m", "sh", "-c", &script, "sh", EMILIA])
            .args(line.split(' '));
        command.stdin(Stdio::null()).output()
    };
    for line in ["book show", "book verify", "hint --depth 1", "gtp"] {
        let output = match run(&format!("{line} --book start.book")) {
            Ok(output) if output.status.code() != Some(77) => output,
            _ => return eprintln!("skipped: a mount needs unshare and its rights"),
        };
        let errors = text(&output.stderr);
        let is_read = output.status.success() && errors.is_empty();
        assert!(is_read, "{line}: {errors}");
    }
    let output = run("book prune --ply 3 --book start.book").unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn an_export_replaces_no_input_and_keeps_the_old_file_if_it_fails() {
    let folder = folder();
    symlink("start.book", folder.path("soft.book")).unwrap();
    fs::hard_link(folder.path("start.book"), folder.path("hard.dat")).unwrap();
    let whole = fs::read(folder.path("start.book")).unwrap();
    for name in ["start.book", "soft.book", "hard.dat"] {
        let line = format!("book export {name} --force --book start.book");
        refused(&folder, &line, &["would overwrite the input"]);
    }
    refused(
        &folder,
        "book export other.book --book start.book",
        &["--force"],
    );
    assert_eq!(fs::read(folder.path("start.book")).unwrap(), whole);
    // A full disk.
    let old = fs::read(folder.path("other.book")).unwrap();
    let line = format!("'{EMILIA}' book export other.book --force --book start.book");
    let output = Command::new("sh")
        .args(["-c", &format!("trap '' XFSZ; ulimit -f 8; exec {line}")])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(text(&output.stderr).lines().count(), 1, "{output:?}");
    assert_eq!(fs::read(folder.path("other.book")).unwrap(), old);
    let left = fs::read_dir(&folder.0).unwrap().flatten();
    let mut left = left.map(|entry| entry.file_name().into_string().unwrap());
    assert!(left.all(|name| !name.contains(".new")));
    // A new book takes the empty file that a killed one leaves, and no other.
    fs::write(folder.path("empty.book"), "").unwrap();
    refused(
        &folder,
        "book stats --book empty.book",
        &["the file is empty"],
    );
    done(&folder, "book new --book empty.book");
    for name in ["empty.book", "text.txt"] {
        refused(&folder, &format!("book new --book {name}"), &["exists"]);
    }
}

#[test]
fn a_session_with_a_damaged_book_says_so_once_and_plays_on() {
    let folder = folder();
    let path = folder.path("start.book");
    let mut bytes = fs::read(&path).unwrap();
    // The schema is on the first page.
    bytes[4096..].fill(0xff);
    fs::write(&path, bytes).unwrap();
    for (protocol, input, answer) in [
        ("gtp", "genmove b\ngenmove w\ngenmove b\n", "= "),
        ("nboard", "nboard 2\nset depth 1\ngo\n", "=== "),
        ("uci", "go depth 1\ngo depth 1\n", "bestmove "),
    ] {
        let options = ["--depth=1", "--hash=1", "--threads=1", "--book"];
        let arguments: Vec<&str> = [protocol]
            .into_iter()
            .chain(options)
            .chain([&path[..]])
            .collect();
        let run: Run = emilia(&arguments, input.as_bytes());
        run.assert_shows(answer);
        run.assert_reports("the book is damaged");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    }
}
