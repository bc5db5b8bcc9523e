//! End-to-end tests of `emilia book` and of playing from a book.

use std::process::Command;

use crate::common::Process;
use crate::common::matches::{EMILIA, Scratch};
use crate::common::run::{Run, emilia, emilia_line};

/// Runs `emilia book` on the book `a.book` of a folder, with the words of `line`.
fn book(folder: &Scratch, line: &str) -> Run {
    folder.emilia(&format!("book {line} --book a.book"))
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
    book(&folder, "export copy.dat").assert_shows(&format!("{count} positions"));
    book(&folder, "export copy.dat").assert_refused("exists");
    let imported = folder.emilia("book import --book copy.book copy.dat");
    imported.assert_done();
    imported.assert_shows(&format!("{count} positions, "));
    book(&folder, "prune --ply 3").assert_shows("positions removed");
    book(&folder, "verify").assert_shows("faults 0 stale 0");
    assert!(number(&book(&folder, "stats"), "positions") < count);
    // The start and f5, and four more positions of either game.
    std::fs::write(folder.path("games.txt"), "f5d6c3d3c4f4f6\nf5f6e6f4e3\n").unwrap();
    let options = "import games.txt --level 2 --ply 5 --threads 2 --hash 1 --book games.book";
    folder
        .emilia(&format!("book {options}"))
        .assert_shows("2 games, 10 new positions");
}

#[test]
fn the_embedded_book_is_the_default() {
    let folder = Scratch::new("book");
    let home = folder.path("home");
    let run = emilia_line("book show f5 --book on");
    run.assert_done();
    let mut by_default = Command::new(EMILIA);
    by_default
        .args(["book", "show", "f5"])
        .env("XDG_DATA_HOME", &home);
    let by_default = crate::common::run::run(&mut by_default, b"");
    assert_eq!(by_default.stdout, run.stdout);
    by_default.assert_reports("this is the embedded book");
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
    let answer = gtp.ask("genmove w").to_lowercase();
    let mut moves = object["moves"].as_array().unwrap().iter();
    let played = moves.find(|other| other["move"] == answer.as_str());
    assert_eq!(
        played.expect("a move of the book")["value"],
        object["moves"][0]["value"]
    );
    let mut uci = Process::emilia(&["uci", "--book=off", "--hash=1", "--threads=1"]);
    uci.send(&format!("setoption name Book value {file}"));
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
        folder.folder()
    );
    for (line, code) in [("verify", 0), ("prune --ply 3", 2)] {
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-c", &script, "sh", EMILIA, "book"]);
        match command
            .args(line.split(' '))
            .args(["--book", "a.book"])
            .output()
        {
            Ok(output) if output.status.code() != Some(77) => {
                assert_eq!(output.status.code(), Some(code), "{output:?}");
            }
            _ => return eprintln!("skipped: a mount needs unshare and its rights"),
        }
    }
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
        run.assert_reports("the file is damaged");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    }
}
