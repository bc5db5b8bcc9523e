//! `emilia play` on a terminal: what is shown, what is typed while it thinks, and Ctrl-C.

#![cfg(unix)]

mod terminal;

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
    play.wait_for(" kN ");
    play.interrupt();
    play.wait_for("move  discs for black");
    play.wait_for("black> ");
    play.press("f5\n");
    play.wait_for(" kN ");
    play.interrupt();
    play.wait_for("Emilia plays ");
    play.wait_for("black> ");
    play.press("hint\n");
    play.wait_for(" kN ");
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
    play.wait_for(" kN ");
    play.press("eval\nqu");
    play.wait_for(" kN ");
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
fn nothing_is_wider_than_the_terminal() {
    for columns in [50, 80] {
        let mut play = Terminal::emilia(&["play", "--nodes", "200000"], columns);
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
            let width = line.chars().count();
            assert!(
                width <= usize::from(columns),
                "{width} of {columns}: {line}"
            );
        }
        assert!(screen.contains("kN"), "the search is shown");
        play.press("quit\n");
        assert_eq!(play.finish().1.code(), Some(0));
    }
}
