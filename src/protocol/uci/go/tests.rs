//! Tests of the arguments of the UCI command `go`.

use super::*;
use emilia_core::board::Square;

fn parse(text: &str) -> Go {
    let (go, refused) = Go::parse(text);
    assert_eq!(refused, [""; 0]);
    go
}

#[test]
fn clocks_are_read_by_colour() {
    let go = parse("wtime 60000 btime 5000 winc 100 binc 200");
    let clock = |left, increment| {
        Some(TimeControl::Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        })
    };
    assert_eq!(go.time(Color::Black, Duration::ZERO), clock(60000, 100));
    assert_eq!(go.time(Color::White, Duration::ZERO), clock(5000, 200));
    assert_eq!(
        parse("wtime -7").time(Color::Black, Duration::ZERO),
        clock(0, 0)
    );
    assert_eq!(parse("wtime 5").time(Color::White, Duration::ZERO), None);
}

#[test]
fn time_is_divided_among_moves_to_go() {
    let share = |time| TimeControl::with_latency_allowance(Duration::from_millis(time));
    let overhead = Duration::from_millis(100);
    let time = |text| parse(text).time(Color::Black, overhead);
    assert_eq!(time("wtime 40100 winc 500 movestogo 40"), Some(share(1500)));
    assert_eq!(time("movetime 300"), Some(share(200)));
    let all = time("wtime 1000 movestogo 0");
    assert!(matches!(all, Some(TimeControl::Clock { .. })));
}

#[test]
fn perft_is_bounded() {
    assert_eq!(parse("perft 12").perft, Some(12));
    let (go, refused) = Go::parse("perft 13");
    let sentence = "go perft '13': expected 1 to 12; 'emilia perft' counts deeper";
    assert_eq!((go.perft, &*refused[0]), (None, sentence));
}

#[test]
fn searchmoves_end_at_the_next_argument() {
    let go = parse("searchmoves P@e3 P@f4 a1a1 depth 99 infinite ponder");
    let moves = vec![Move::Place(Square::E6), Move::Place(Square::F5), Move::Pass];
    assert_eq!(go.first_moves, Some(moves));
    assert_eq!(go.depth, Some(MAX_DEPTH));
    assert_eq!(go.until, Until::Stop);
    assert_eq!(parse("depth 0 nodes 0").depth, Some(1));
}

#[test]
fn invalid_arguments_are_reported_and_the_rest_applies() {
    // If the value of an argument is missing, the next argument is not taken as its value.
    let (go, refused) =
        Go::parse("depth x nodes 100 mate 3 wobble searchmoves e3 movetime infinite");
    assert_eq!(
        refused,
        [
            "go depth 'x': expected a number",
            "go mate: there is no mate in Othello",
            "go: unknown 'wobble'",
            "searchmoves 'e3': expected moves like P@e3",
            "go movetime '': expected a number"
        ]
    );
    let expected = Go {
        nodes: Some(100),
        first_moves: Some(Vec::new()),
        until: Until::Stop,
        ..Go::default()
    };
    assert_eq!(go, expected);
}
