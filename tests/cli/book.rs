//! End-to-end tests of `emilia book` and of playing from a book.

use std::process::Command;

use crate::common::Process;
use crate::common::matches::Scratch;
use crate::common::run::{Run, emilia};

/// Runs `emilia book` on the book `a.book` of a folder, with the words of `line`.
fn book(folder: &Scratch, line: &str) -> Run {
    let file = folder.path("a.book");
    let mut words: Vec<&str> = line.split(' ').collect();
    words.insert(0, "book");
    words.extend(["--book", &file]);
    emilia(&words, b"")
}

/// Options of a small, fast job.
const SMALL: &str = "--level 2 --error 2 --ply 5 --threads 2 --hash 1";

/// A folder with a small learned book.
fn learned() -> Scratch {
    let folder = Scratch::new("book");
    let run = book(&folder, &format!("learn {SMALL}"));
    run.assert_done();
    run.assert_shows(" left 0 ");
    folder
}

/// The number after `name` in the output.
fn number(run: &Run, name: &str) -> u64 {
    let mut words = run.stdout.split_whitespace();
    words.find(|&word| word == name).expect(name);
    words.next().unwrap().parse().expect("a number")
}

#[test]
fn a_book_is_learned_exported_and_imported_again() {
    let folder = learned();
    let verified = book(&folder, "verify");
    verified.assert_done();
    let count = number(&verified, "positions");
    assert!(count > 5, "{verified:?}");
    assert_eq!(number(&book(&folder, "stats"), "positions"), count);
    for ending in ["dat", "egbk3", "book", "packed"] {
        let file = folder.path(&format!("copy.{ending}"));
        let exported = book(&folder, &format!("export {file}"));
        exported.assert_shows(&format!("{count} positions"));
        book(&folder, &format!("export {file}")).assert_refused("exists");
        let copy = folder.path(&format!("{ending}.book"));
        let imported = emilia(&["book", "import", "--book", &copy, &file], b"");
        imported.assert_done();
        imported.assert_shows(&format!("{count} positions of a book of"));
    }
    book(&folder, "prune --ply 3").assert_shows("positions removed");
    book(&folder, "verify").assert_shows("faults 0 stale 0");
    assert!(number(&book(&folder, "stats"), "positions") < count);
}

#[test]
fn unusable_books_are_refused_in_one_sentence() {
    let folder = learned();
    let before = book(&folder, "stats").stdout;
    let file = folder.path("junk.dat");
    std::fs::write(&file, "hello").unwrap();
    let run = book(&folder, &format!("import {file}"));
    run.assert_refused("this is not a book");
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    assert_eq!(book(&folder, "stats").stdout, before);
    let missing = folder.path("missing.book");
    for line in ["book stats --book", "gtp --book", "hint --book"] {
        let words: Vec<&str> = line.split(' ').chain([&missing[..]]).collect();
        emilia(&words, b"").assert_refused("missing.book");
    }
    emilia(&["book", "new", "--book", &folder.path("a.book")], b"").assert_refused("exists");
    emilia(&["book", "stats", "--hash", "4"], b"").assert_refused("unexpected argument");
    book(&folder, "show f5f4g3").assert_refused("the book does not have");
    emilia(&["book", "learn", "--book", "on"], b"").assert_refused("cannot be changed");
}

#[test]
fn the_embedded_book_is_shown_counted_and_verified() {
    let folder = Scratch::new("book");
    let home = folder.path("home");
    for line in ["book show f5d6", "book stats", "book verify"] {
        let words: Vec<&str> = line.split(' ').collect();
        let run = emilia(&[&words[..], &["--book", "on"]].concat(), b"");
        run.assert_done();
        let by_default = Command::new(env!("CARGO_BIN_EXE_emilia"))
            .args(&words)
            .env("XDG_DATA_HOME", &home)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&by_default.stdout), run.stdout);
        let note = String::from_utf8_lossy(&by_default.stderr);
        assert!(note.contains("this is the embedded book"), "{note}");
    }
}

#[test]
fn the_protocols_play_from_the_book() {
    let folder = learned();
    let file = folder.path("a.book");
    let shown = book(&folder, "show f5 --json");
    let object: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    // Without a limit of the search this move would take seconds.
    let line = format!("gtp --book {file} --book-error 0 --time 1000");
    let mut gtp = Process::emilia(&line.split(' ').collect::<Vec<_>>());
    gtp.ask("play b f5");
    let equal: Vec<String> = object["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|other| other["value"] == object["moves"][0]["value"])
        .map(|other| format!("= {}", other["move"].as_str().unwrap().to_uppercase()))
        .collect();
    let answer = gtp.gtp("genmove w");
    assert!(equal.contains(&answer), "{answer}, not {equal:?}");
    let mut uci = Process::emilia(&["uci", "--book=off", "--hash=1", "--threads=1"]);
    uci.send(&format!("setoption name BookFile value {file}"));
    uci.send("setoption name OwnBook value true");
    uci.send("go movetime 100000");
    uci.line_starting("bestmove P@");
    for (option, has_book) in [(&file[..], true), ("off", false), ("on", true)] {
        let run = emilia(&["hint", "f5", "--depth", "1", "--book", option], b"");
        assert_eq!(run.stdout.contains("Opening book:"), has_book, "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_book_in_a_read_only_place_is_read() {
    let folder = learned();
    let script = format!(
        "mount --bind {0} {0} && mount -o remount,bind,ro {0} || exit 77\ncd {0}\n\"$@\"",
        folder.0.display()
    );
    let run = |line: &str| {
        let mut command = Command::new("unshare");
        command
            .args([
                "-m",
                "sh",
                "-c",
                &script,
                "sh",
                env!("CARGO_BIN_EXE_emilia"),
            ])
            .args(line.split(' '));
        command.stdin(std::process::Stdio::null()).output()
    };
    for line in ["book show", "book verify", "hint --depth 1", "gtp"] {
        let output = match run(&format!("{line} --book a.book")) {
            Ok(output) if output.status.code() != Some(77) => output,
            _ => return eprintln!("skipped: a mount needs unshare and its rights"),
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        let is_read = output.status.success() && errors.is_empty();
        assert!(is_read, "{line}: {errors}");
    }
    let output = run("book prune --ply 3 --book a.book").unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_session_with_a_damaged_book_says_so_once_and_plays_on() {
    let folder = learned();
    let path = folder.path("a.book");
    let mut bytes = std::fs::read(&path).unwrap();
    // The schema is on the first page.
    bytes[4096..].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    for (protocol, input, answer) in [
        ("gtp", "genmove b\ngenmove w\ngenmove b\n", "= "),
        ("nboard", "nboard 2\nset depth 1\ngo\n", "=== "),
        ("uci", "go depth 1\ngo depth 1\n", "bestmove "),
    ] {
        let options = ["--depth=1", "--hash=1", "--threads=1", "--book", &path];
        let run = emilia(&[&[protocol], &options[..]].concat(), input.as_bytes());
        run.assert_shows(answer);
        run.assert_reports("the book is damaged");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    }
}
