//! Faults around a book: kills, read-only places, a full disk and damage.
//!
//! `EMILIA_KILLS=300 cargo test --test cli -- book_faults --nocapture` kills 300 times, with a larger
//! book.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

use emilia_book::{BookFile, Entry, check_graph};
use emilia_core::board::Board;

use crate::common::matches::{EMILIA, Scratch, text};
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
fn refused(folder: &Scratch, line: &str, reason: &str) {
    let output = start(folder, line).wait_with_output().unwrap();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
    let is_sentence = errors.contains(reason) && errors.lines().count() == 1;
    assert!(is_sentence, "{line}: {errors}");
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
fn an_export_to_a_full_disk_names_the_target_and_keeps_its_old_content() {
    let folder = folder();
    let old = fs::read(folder.path("other.book")).unwrap();
    let line = format!("'{EMILIA}' book export other.book --force --book start.book");
    let output = Command::new("sh")
        .args(["-c", &format!("trap '' XFSZ; ulimit -f 8; exec {line}")])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let errors = text(&output.stderr);
    assert!(errors.starts_with("emilia: 'other.book': "), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(fs::read(folder.path("other.book")).unwrap(), old);
    let left = fs::read_dir(&folder.0).unwrap().flatten();
    let mut left = left.map(|entry| entry.file_name().into_string().unwrap());
    assert!(left.all(|name| !name.contains("emilia-new")));
}

#[test]
fn a_new_book_takes_the_empty_file_of_a_killed_one_and_no_other() {
    let folder = folder();
    fs::write(folder.path("empty.book"), "").unwrap();
    refused(&folder, "book stats --book empty.book", "the file is empty");
    done(&folder, "book new --book empty.book");
    for name in ["empty.book", "text.txt"] {
        refused(&folder, &format!("book new --book {name}"), "exists");
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
