//! Ctrl-C in each command that takes long: what is printed, and the exit code 130.

#![cfg(unix)]

use crate::common::run::cases;
use crate::common::scratch::Scratch;
use crate::common::terminal::{Terminal, seen};

/// Runs a command on a terminal, interrupts it after `text`, and returns what it then prints.
fn interrupted(arguments: &[&str], text: &str) -> Vec<String> {
    let mut command = Terminal::emilia(arguments, 160);
    command.wait_for(text);
    command.interrupt();
    seen(&command.finish_with(130))
}

/// Returns the lines that begin with `start`.
fn lines<'a>(shown: &'a [String], start: &str) -> Vec<&'a str> {
    let lines = shown.iter().map(String::as_str);
    lines.filter(|line| line.starts_with(start)).collect()
}

#[test]
fn hints_are_the_lines_of_one_complete_iteration() {
    for limit in ["--depth=50", "--time=1000"] {
        let shown = interrupted(&["hint", "f5d6c3", limit, "--threads=1"], "depth ");
        let heading = shown
            .iter()
            .position(|line| line.starts_with("move  discs"));
        let rows = shown[heading.expect("a table") + 1..].iter();
        let rows: Vec<&String> = rows.take_while(|line| line.contains("depth")).collect();
        let depth = |row: &String| row.split_once("depth ").unwrap().1[..6].to_owned();
        assert_eq!(
            rows.len(),
            if limit == "--depth=50" { 1 } else { 3 },
            "{shown:?}"
        );
        assert!(
            rows.iter().all(|row| depth(row) == depth(rows[0])),
            "{rows:?}"
        );
        assert!(!rows[0].contains("depth 1@"), "{rows:?}");
        let note =
            "emilia: interrupted after 0 of 1 positions; the last complete iteration is shown";
        assert_eq!(lines(&shown, note).len(), 1, "{shown:?}");
    }
}

#[test]
fn a_position_that_is_not_solved_has_its_best_value_so_far() {
    let solved = format!("{}--OOOOO--OOO X", "X".repeat(52));
    let file = Scratch::new("long.obf", &format!("{solved}\nstart\n{solved}\n"));
    for json in [false, true] {
        let arguments = ["solve", file.path(), "--threads=1", "--json"];
        let shown = interrupted(&arguments[..3 + usize::from(json)], "depth 1");
        if json {
            let objects = lines(&shown, "{");
            let object: serde_json::Value = serde_json::from_str(objects[0]).unwrap();
            assert_eq!((&object["k"], &object["exact"]), (&2.into(), &false.into()));
            assert!(object["depth"].as_u64() >= Some(10), "{object}");
        } else {
            let row = shown.iter().find(|line| line.contains("NOT EXACT 1"));
            let fields: Vec<&str> = row.unwrap().split_whitespace().take(2).collect();
            assert_eq!(fields, ["#2", "60"], "{shown:?}");
            assert_eq!(
                lines(&shown, "solve: 1 positions, 0 wrong").len(),
                1,
                "{shown:?}"
            );
        }
        let note = "emilia: interrupted after 1 of 3 positions";
        assert_eq!(lines(&shown, note).len(), 1, "{shown:?}");
    }
}

#[test]
fn many_empties_get_a_warning() {
    let mut solve = Terminal::emilia(&["solve", "start"], 160);
    solve.wait_for("emilia: over 34 empties may take very long; Ctrl-C");
    solve.interrupt();
    solve.finish_with(130);
}

#[test]
fn an_analysis_has_the_finished_moves_and_the_best_value_of_the_next() {
    let ended = "e6f4e3d6c5f3f6f5c4d7g3c6b7e2f2b6c7d8f7b5b4f1e7a8g5a6e1d1d2g4b8\
                 h2h5h4h6a3g6c3h3h7c1c8e8f8b3a7c2b1g7g2d3g1h1g8a1a2a4a5h8b2";
    for (game, time, text) in [("f5d6", "1000", "depth "), (ended, "1", "moves 2")] {
        let shown = interrupted(&["analyze", game, "--time", time, "--threads=1"], text);
        let notes = lines(&shown, "emilia: interrupted after ");
        let next = "; the next search came to depth ";
        let is_next_shown = notes[0].contains(next) && notes[0].ends_with(" discs, not exact");
        assert!(is_next_shown || time == "1", "{notes:?}");
        let moves = lines(&shown, "60  white  b2 ").len();
        assert_eq!(moves, usize::from(time == "1"), "{shown:?}");
        assert_eq!(lines(&shown, " 1  black  "), [""; 0]);
    }
}

#[test]
fn a_count_says_how_far_it_came() {
    for [command, text, note] in cases(
        "compare --depth 30 f5d6c3 | algorithm | 0 of 13 algorithms
         perft 14 | parts | parts
         perft --suite perft/convention-a.perft | ok | cases
         bench --depth 40 | empties | of 14 positions",
    ) {
        let shown = interrupted(&command.split(' ').collect::<Vec<_>>(), text);
        let notes = lines(&shown, "emilia: interrupted after ");
        assert!(
            notes.len() == 1 && notes[0].ends_with(note),
            "{command}: {shown:?}"
        );
    }
}
