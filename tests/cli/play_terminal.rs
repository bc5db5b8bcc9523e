//! `emilia play` on a terminal: its screens, edited lines, and Ctrl-C.

#![cfg(unix)]

use crate::common::terminal::Terminal;

#[test]
fn ctrl_c_stops_the_search_and_then_the_game() {
    let mut play = Terminal::at_prompt(
        "xterm",
        &["play", "--book=off", "--time", "1000", "--threads=1"],
    );
    play.press_until("hint\n", " nodes ");
    play.interrupt();
    play.wait_for("move  discs for black");
    play.wait_for("black> ");
    play.press_until("f5\n", " nodes ");
    play.interrupt();
    play.wait_for("Emilia plays ");
    play.wait_for("black> ");
    play.press_until("hint\n", " nodes ");
    play.interrupt();
    // Two signals at the same time would merge into one. The search may have ended by now.
    std::thread::sleep(std::time::Duration::from_millis(50));
    play.interrupt();
    let rest = play.finish_with(130);
    assert!(rest.contains("To go on: emilia play f5"), "{rest}");
}

#[test]
fn a_hint_ends_by_itself_and_lines_typed_meanwhile_are_answered() {
    let mut play = Terminal::at_prompt("xterm", &["play"]);
    play.press_until("hint\n", " nodes ");
    play.press("eval\nf5\n");
    play.wait_for("move  discs for black");
    play.wait_for("Static evaluation");
    play.wait_for("Emilia plays ");
}

#[test]
fn ctrl_c_without_a_search_quits() {
    let mut play = Terminal::at_prompt("xterm", &["play", "--human", "both"]);
    play.press_until("f5\n", "white> ");
    play.press("\u{3}");
    let rest = play.finish_with(130);
    let command = "To go on: emilia play f5 --human both\r\n";
    assert!(rest.contains(command), "{rest}");
}

#[test]
fn on_a_narrow_terminal_the_command_that_continues_is_broken_between_words() {
    let arguments = [
        "play",
        "f5d6c3d3c4",
        "--human=both",
        "--level=h5",
        "--book=off",
    ];
    let mut play = Terminal::emilia(&arguments, 30);
    play.wait_for("white> ");
    play.press("\u{3}");
    let rest = play.finish_with(130);
    let (_, command) = rest.split_once("To go on: ").expect("a command");
    let lines: Vec<&str> = command.lines().map(str::trim_end).collect();
    assert!(lines.len() > 2 && lines[0].ends_with(" \\"), "{rest}");
    assert!(lines.iter().all(|line| line.len() <= 30), "{rest}");
    let words = "emilia play f5d6c3d3c4 --book off --human both --level h5";
    let joined = lines.join("\n").replace("\\\n", "");
    let found: Vec<&str> = joined.split_whitespace().collect();
    assert!(found.join(" ").starts_with(words), "{found:?}");
}

#[test]
fn a_locale_without_utf8_has_boards_of_ascii() {
    let board = |locale| Terminal::in_locale(locale, &["show", "f5"]).finish_with(0);
    for (locale, is_ascii) in [
        ("C", true),
        ("de_DE.ISO-8859-1", true),
        ("C.UTF-8", false),
        ("ja_JP.utf8", false),
    ] {
        assert_eq!(board(locale).is_ascii(), is_ascii, "{locale}");
    }
}

#[test]
fn an_engine_level_is_compared_with_the_levels_of_people() {
    for (level, words) in [
        ("1", "level 1: like h10, "),
        ("60", "level 60: above h14, "),
    ] {
        let mut play = Terminal::at_prompt("xterm", &["play", "--level", "h1"]);
        play.press_until(&format!("level {level}\n"), words);
    }
}

#[test]
fn lines_are_edited_and_remembered() {
    let mut play = Terminal::at_prompt("xterm", &["play", "--human", "both"]);
    // A left arrow, then a letter that is inserted before the last one.
    play.press_until("evl\u{1b}[Da\n", "Static evaluation");
    play.wait_for("black> ");
    play.press_until("f5\n", "white> ");
    play.press_until("\u{1b}[A\u{1b}[A\n", "Static evaluation");
    play.wait_for("white> ");
    play.press_until("\u{12}ev\n", "Static evaluation");
    play.wait_for("white> ");
    play.press("\u{4}");
    play.finish_with(0);
}

#[test]
fn after_a_game_the_command_that_analyses_it_is_printed() {
    let game = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3";
    let mut play = Terminal::at_prompt("xterm", &["play", "--depth", "4", game]);
    play.press_until("resign\n", "Game over: black resigns, white wins.");
    play.wait_for(&format!("Every move: emilia analyze {game}\r\n"));
    play.wait_for("over> ");
    play.press("quit\n");
    play.finish_with(0);
}
