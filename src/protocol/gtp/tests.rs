//! GTP: the table of commands, the parser of lines, and the clocks.

use std::time::Duration;

use super::request::{Request, cleaned, kind};
use super::*;
use crate::board::Color::{Black, White};
use crate::protocol::reader::LineKind;
use crate::search::Limits;
use crate::search::TimeControl::{self, Clock, PerMove};

#[test]
fn commands_are_sorted_for_the_binary_search() {
    assert!(COMMANDS.is_sorted_by_key(|&(name, _)| name));
}

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
        let request = Request::parse(&cleaned).unwrap();
        assert_eq!(
            (request.id, request.command, request.arguments.len()),
            (id, command, arguments)
        );
    }
    for line in ["", " \t\r", "#", "# quit", "\u{7}"] {
        assert_eq!(Request::parse(&cleaned(line)), None, "{line:?}");
    }
    for (line, urgent) in [
        ("# interrupt", true),
        ("# interrupt\r", true),
        ("quit", false),
        ("# quit", false),
        ("play quit", false),
        ("", false),
    ] {
        let text = line.to_owned();
        let is_urgent = kind(&InputLine { text, cut: false }) == LineKind::Urgent;
        assert_eq!(is_urgent, urgent, "{line:?}");
    }
}

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Returns a clock with main time and byo-yomi time in seconds, and stones of a byo-yomi period.
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
fn a_clock_counts_down_by_itself() {
    let mut clock = clock(600, 0, 0);
    assert_eq!(clock.start(Black, 0), Some(rest(600_000, 0)));
    clock.spent(Black, millis(1500));
    assert_eq!(clock.start(White, 1), Some(rest(600_000, 0)));
    assert_eq!(clock.start(Black, 2), Some(rest(598_500, 0)));
    clock.correct(Black, millis(500_000), 0);
    assert_eq!(clock.start(Black, 2), Some(rest(500_000, 0)));
    clock.spent(Black, millis(700_000));
    assert_eq!(clock.start(Black, 4), Some(rest(0, 0)));
}

#[test]
fn byo_yomi_without_stones_is_an_increment() {
    let mut clock = clock(60, 1, 0);
    assert_eq!(clock.start(Black, 0), Some(rest(60_000, 1000)));
    clock.spent(Black, millis(3000));
    assert_eq!(clock.start(Black, 2), Some(rest(58_000, 1000)));
    let mut clock = self::clock(0, 1, 0);
    assert_eq!(clock.start(Black, 0), Some(rest(1000, 1000)));
    clock.spent(Black, millis(900));
    assert_eq!(clock.start(Black, 2), Some(rest(1100, 1000)));
}

#[test]
fn zero_time_settings_are_no_limit_until_time_left() {
    let mut clock = clock(0, 0, 0);
    assert_eq!(clock.start(Black, 0), None);
    clock.spent(Black, millis(3000));
    assert_eq!(clock.start(Black, 2), None);
    clock.correct(Black, millis(7000), 0);
    assert_eq!(clock.start(Black, 2), Some(rest(7000, 0)));
}

#[test]
fn overtime_is_shared_among_its_moves() {
    let mut clock = clock(60, 10, 5);
    assert_eq!(clock.start(Black, 0), Some(rest(60_000, 0)));
    clock.spent(Black, millis(59_000));
    // One second is left of the main time, less than a fifth of the overtime.
    assert_eq!(clock.start(Black, 2), Some(PerMove(millis(1900))));
    clock.spent(Black, millis(3000));
    // Two seconds of the overtime and one of its moves are used.
    assert_eq!(clock.start(Black, 4), Some(PerMove(millis(1900))));
    for moves in 0..4 {
        clock.spent(Black, millis(1000));
        clock.start(Black, 6 + moves);
    }
    // A new overtime period.
    assert_eq!(clock.start(Black, 20), Some(PerMove(millis(1900))));
    clock.correct(Black, millis(800), 2);
    assert_eq!(clock.start(Black, 22), Some(PerMove(millis(300))));
    let mut clock = self::clock(0, 10, 5);
    assert_eq!(clock.start(White, 1), Some(PerMove(millis(1900))));
}

#[test]
fn a_new_game_resets_the_clocks() {
    let mut clock = clock(60, 0, 0);
    clock.start(Black, 0);
    clock.spent(Black, millis(10_000));
    clock.start(Black, 2);
    clock.spent(Black, millis(10_000));
    // A graphical client clears the board and sends the same position again.
    clock.board_cleared();
    assert_eq!(clock.start(Black, 4), Some(rest(40_000, 0)));
    // A new game, with an opening of two moves.
    clock.board_cleared();
    assert_eq!(clock.start(Black, 2), Some(rest(60_000, 0)));
    clock.spent(Black, millis(10_000));
    // A new game whose remaining time the client sends.
    clock.board_cleared();
    clock.correct(Black, millis(30_000), 0);
    assert_eq!(clock.start(Black, 0), Some(rest(30_000, 0)));
}

#[test]
fn a_fixed_time_yields_to_a_clock_with_too_little_time() {
    let mut session = session();
    session.setup.limits = Limits::time(millis(1000));
    session.clock.set(millis(600_000), Duration::ZERO, 0);
    assert_eq!(limits(&mut session).time, Some(PerMove(millis(1000))));
    session.clock.correct(Black, millis(5000), 0);
    assert_eq!(limits(&mut session).time, Some(rest(5000, 0)));
    session.clock.correct(Black, millis(5000), 10);
    assert_eq!(limits(&mut session).time, Some(PerMove(millis(400))));
}

#[test]
fn without_any_limit_a_move_takes_the_default_time() {
    let mut session = session();
    let default = Some(PerMove(crate::player::DEFAULT_TIME));
    assert_eq!(limits(&mut session).time, default);
    session.setup.limits.solve_from_empties = Some(10);
    assert_eq!(limits(&mut session).time, default);
    session.setup.limits = Limits::depth(4);
    assert_eq!(limits(&mut session), Limits::depth(4).at_level());
}

/// Returns the limits of Black's next search.
fn limits(session: &mut GtpSession) -> Limits {
    crate::player::limits_with_clock(session.time(Black), &session.setup.limits)
}

fn session() -> GtpSession {
    GtpSession::open(io::empty(), Setup::default()).unwrap()
}
