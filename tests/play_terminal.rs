//! `emilia play` on a terminal: what is shown, what is typed while it thinks, and Ctrl-C.

#![cfg(unix)]

mod signals;
mod terminal;

use std::os::unix::process::ExitStatusExt;

use signals::deadly_signals;
use terminal::{Terminal, seen};

/// A search that goes on until it is stopped.
const ENDLESS: [&str; 4] = ["play", "--time", "1000", "--threads=1"];

#[test]
fn the_first_screen_says_how_to_play() {
    let mut play = Terminal::emilia(&["play", "--depth", "2"], 80);
    let screen = play.wait_for("black> ");
    assert!(
        screen.starts_with("You play black. Type a move, such as d3, or help "),
        "{screen}"
    );
    play.press("\u{4}");
    assert_eq!(play.finish().1.code(), Some(0));
}

#[test]
fn ctrl_c_stops_the_search_and_then_the_game() {
    let mut play = Terminal::emilia(&ENDLESS, 80);
    play.wait_for("black> ");
    play.press("hint\n");
    play.wait_for(" nodes ");
    play.interrupt();
    play.wait_for("move  discs for black");
    play.wait_for("black> ");
    play.press("f5\n");
    play.wait_for(" nodes ");
    play.interrupt();
    play.wait_for("Emilia plays ");
    play.wait_for("black> ");
    play.press("hint\n");
    play.wait_for(" nodes ");
    play.interrupt();
    // Two signals at the same time would be one. If the search has ended by now, there is nothing left to stop.
    std::thread::sleep(std::time::Duration::from_millis(50));
    play.interrupt();
    let (rest, status) = play.finish();
    assert!(rest.contains("To go on: emilia play f5"), "{rest}");
    assert_eq!(status.code(), Some(130));
}

#[test]
fn ctrl_c_leaves_where_there_is_nothing_to_stop() {
    let mut play = Terminal::emilia(&["play", "--human", "both"], 80);
    play.wait_for("black> ");
    play.press("f5\n");
    play.wait_for("white> ");
    play.interrupt();
    let (rest, status) = play.finish();
    assert!(rest.contains("To go on: emilia play f5\r\n"), "{rest}");
    assert_eq!(status.code(), Some(130));
}

#[test]
fn what_is_typed_while_it_thinks_waits_until_it_has_done() {
    let mut play = Terminal::emilia(&ENDLESS, 80);
    play.wait_for("black> ");
    play.press("f5\n");
    play.wait_for(" nodes ");
    play.press("eval\nqu");
    play.wait_for(" nodes ");
    // The terminal would have shown the keys by now.
    std::thread::sleep(std::time::Duration::from_millis(100));
    play.interrupt();
    let thinking = play.wait_for("Emilia plays ");
    assert!(
        !thinking.contains("eval") && !thinking.contains("qu"),
        "{thinking}"
    );
    play.wait_for("black> eval");
    play.wait_for("Static evaluation");
    play.wait_for("black> ");
    // The line that nobody has seen the beginning of begins anew.
    play.press("quit\n");
    let (rest, status) = play.finish();
    assert!(rest.contains("To go on: "), "{rest}");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn whoever_is_killed_while_it_thinks_leaves_the_terminal_as_it_was() {
    for signal in deadly_signals() {
        for arguments in [&ENDLESS[..], &["hint", "f5d6"]] {
            let mut program = Terminal::emilia(arguments, 80);
            program.wait_for_echo(true);
            if arguments == ENDLESS {
                program.wait_for("black> ");
                program.press("f5\n");
            }
            program.wait_for_echo(false);
            program.signal(signal);
            program.wait_for_echo(true);
            let (_, status) = program.finish();
            assert_eq!(status.signal(), Some(signal as i32), "{arguments:?}");
        }
    }
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    for columns in [50, 80] {
        let mut play = Terminal::emilia(&["play", "--time", "0.7"], columns);
        let mut screen = play.wait_for("black> ");
        for command in [
            "help\n",
            "hint 5\n",
            "f5\n",
            "hint\n",
            "eval\n",
            "nonsense\n",
        ] {
            play.press(command);
            screen += &play.wait_for("black> ");
        }
        for line in seen(&screen) {
            let letters: Vec<char> = line.chars().collect();
            // Lines under each other that change are filled with spaces to the end, and go on in the next.
            let rows = letters.chunks(usize::from(columns)).map(String::from_iter);
            let rows: Vec<String> = rows.collect();
            let changes = |row: &String| row.starts_with("depth ") || row.trim().is_empty();
            assert!(
                rows.len() <= 1 || rows.iter().all(changes),
                "wider than {columns}: {line}"
            );
        }
        assert!(screen.contains(" nodes "), "the search is shown");
        play.press("quit\n");
        assert_eq!(play.finish().1.code(), Some(0));
    }
}

#[test]
fn a_key_ends_a_hint_without_limits() {
    let mut play = Terminal::emilia(&["play"], 80);
    play.wait_for("black> ");
    play.press("hint\n");
    play.wait_for("Any key ends the search.");
    // The key is no command, and needs no new line.
    play.press("q");
    let hints = play.wait_for("black> ");
    assert!(hints.contains("discs for black"), "{hints}");
    play.press("eval\n");
    play.wait_for("Static evaluation");
    play.press("quit\n");
    assert_eq!(play.finish().1.code(), Some(0));
}

#[test]
fn the_hint_of_a_position_goes_on_until_a_key_too() {
    let mut hint = Terminal::emilia(&["hint", "f5d6"], 80);
    hint.wait_for("Any key ends the search.");
    hint.press(" ");
    let (rest, status) = hint.finish();
    assert!(rest.contains("discs for black"), "{rest}");
    assert_eq!(status.code(), Some(0));
}
