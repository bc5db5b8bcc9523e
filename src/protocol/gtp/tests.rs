//! Tests of GTP: the table of commands, parsing of lines, and clocks.

use std::time::Duration;

use super::*;
use crate::reader::LineKind;
use emilia_core::board::Color::{Black, White};
use emilia_core::search::TimeControl::{self, Clock, PerMove};

#[test]
fn lines_are_parsed_into_id_command_and_arguments() {
    for (line, id, command, arguments) in [
        ("name", "", "name", 0),
        ("  7\tplay b f5 # 1 2", "7", "play", 2),
        ("007", "007", "", 0),
        ("1 2 3", "1", "2", 1),
        ("1a b", "", "1a", 1),
    ] {
        let cleaned = cleaned(line);
        let (own_id, own, words) = parse(&cleaned).unwrap();
        assert_eq!((own_id, own, words.len()), (id, command, arguments));
    }
    for line in ["", " \t\r", "#", "# quit", "\u{7}"] {
        assert_eq!(parse(&cleaned(line)), None, "{line:?}");
    }
    for (line, expected) in [
        ("# interrupt\r", LineKind::Stops),
        ("7 quit", LineKind::Quit),
        ("# quit", LineKind::Waits),
        ("play quit", LineKind::Waits),
        ("", LineKind::Waits),
    ] {
        let text = line.to_owned();
        assert_eq!(kind(&InputLine { text, cut: false }), expected, "{line:?}");
    }
}

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Creates a clock. `main` and `byo` are the main time and the byo-yomi time in seconds. `stones`
/// is the number of moves in a byo-yomi period.
fn clock(main: u64, byo: u64, stones: u32) -> GameClock {
    let mut clock = GameClock::default();
    clock.set(millis(1000 * main), millis(1000 * byo), stones);
    clock
}

fn rest(left: u64, increment: u64) -> TimeControl {
    let [left, increment] = [left, increment].map(millis);
    Clock { left, increment }
}

#[test]
fn time_is_what_is_left_of_the_settings_and_time_left() {
    // Rows of: settings, time of the previous move in milliseconds or `None`, time control of the
    // next move.
    for (settings, spent, expected) in [
        ((600, 0, 0), None, Some(rest(600_000, 0))),
        ((600, 0, 0), Some(1500), Some(rest(598_500, 0))),
        ((600, 0, 0), Some(700_000), Some(rest(0, 0))),
        // Byo-yomi time without stones is an increment. It is added before the first move, too.
        ((60, 1, 0), Some(3000), Some(rest(58_000, 1000))),
        ((0, 1, 0), None, Some(rest(1000, 1000))),
        ((0, 1, 0), Some(900), Some(rest(1100, 1000))),
        ((0, 0, 0), Some(3000), None),
        // One second of main time is left, less than 2 s, a fifth of the byo-yomi time. The move
        // gets these 2 s, less a reserve of 0.1 s for latency.
        ((60, 10, 5), Some(59_000), Some(PerMove(millis(1900)))),
        // Two seconds and one of the five moves of the byo-yomi period are used. 8 s are left for
        // four moves.
        ((60, 10, 5), Some(62_000), Some(PerMove(millis(1900)))),
        ((0, 10, 5), None, Some(PerMove(millis(1900)))),
    ] {
        let (main, byo, stones) = settings;
        let mut clock = clock(main, byo, stones);
        clock.start(Black, 0);
        if let Some(time) = spent {
            clock.spent(Black, millis(time));
        }
        assert_eq!(clock.start(Black, 2), expected, "{settings:?} {spent:?}");
        clock.correct(Black, millis(7000), 0);
        assert!(matches!(clock.start(Black, 2), Some(Clock { left, .. }) if left == millis(7000)));
    }
    // Each side has its own clock.
    let mut clock = clock(600, 0, 0);
    clock.spent(Black, millis(1500));
    assert_eq!(clock.start(White, 1), Some(rest(600_000, 0)));
}

#[test]
fn overtime_begins_again_after_its_moves() {
    let mut clock = clock(0, 10, 5);
    for moves in 0..5 {
        clock.start(Black, moves);
        clock.spent(Black, millis(1500));
    }
    assert_eq!(clock.start(Black, 20), Some(PerMove(millis(1900))));
    clock.correct(Black, millis(800), 2);
    assert_eq!(clock.start(Black, 22), Some(PerMove(millis(300))));
}

#[test]
fn a_new_game_resets_the_clocks() {
    let mut clock = clock(60, 0, 0);
    for moves in [0, 2] {
        clock.start(Black, moves);
        clock.spent(Black, millis(10_000));
    }
    // A graphical client clears the board and then sends the same position again. The game
    // continues.
    clock.board_cleared();
    assert_eq!(clock.start(Black, 4), Some(rest(40_000, 0)));
    // A new game begins with an opening of two moves. The last search was after four moves, so the
    // clocks restart.
    clock.board_cleared();
    assert_eq!(clock.start(Black, 2), Some(rest(60_000, 0)));
    clock.spent(Black, millis(10_000));
    // A new game for which the client sends the remaining time.
    clock.board_cleared();
    clock.correct(Black, millis(30_000), 0);
    assert_eq!(clock.start(Black, 0), Some(rest(30_000, 0)));
}
