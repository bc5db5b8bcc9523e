//! Tests of the UCI client: the commands it sends and the answers it parses.

use super::super::ProgramProtocol;
use super::*;
use emilia_core::board::Transcript;
use emilia_core::search::Limits;

#[test]
fn position_command_contains_passes() {
    let command = |moves: &str, start| {
        let transcript = Transcript::parse(moves, start).unwrap();
        position_command(&Game::from(&transcript))
    };
    assert_eq!(command("", Position::START), "position startpos");
    // Black must pass after these moves, so the transcript ends with a pass.
    let passed = command("d3c3f5d2d1e1b2c1pa", Position::START);
    let (moves, pass) = passed.rsplit_once(' ').unwrap();
    assert!(moves.starts_with("position startpos moves P@d6 P@c6 ") && moves.ends_with(" P@c8"));
    assert_eq!(flipello::read_move(pass), Some(Move::Pass));
    let start: Position = "d3c3".parse().unwrap();
    let fen = start.to_fen();
    assert_eq!(
        command("c4", start),
        format!("position fen {fen} moves P@c5")
    );
}

#[test]
fn info_of_the_best_line_is_parsed() {
    let mut played = PlayerMove::new(Move::Pass);
    for line in [
        "info string score cp 7",
        "info depth 3 seldepth 5 multipv 1 score cp 250 nodes 1000 nps 5 time 3 pv P@e3",
        "info depth 3 multipv 2 score cp -250 nodes 2000 pv P@f4",
        "bestmove P@e3 ponder cp",
        "info currmove P@e3",
    ] {
        read_info(line, &mut played);
    }
    let expected = PlayerMove {
        eval: Some(2.5),
        depth: Some(3),
        nodes: Some(1000),
        mv: Move::Pass,
    };
    assert_eq!(played, expected);
}

#[test]
fn best_moves_may_be_separated_by_tabs() {
    assert_eq!(best_move("bestmove\tP@e6\tponder P@f6"), Some("P@e6"));
    assert_eq!(best_move("bestmove"), Some(""));
    assert_eq!(best_move("bestmoves P@e6"), None);
}

#[test]
fn options_of_the_match_are_for_programs_that_list_them() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let client = UciClient::new(&ProgramSpec {
        protocol: ProgramProtocol::Uci,
        command: String::new(),
        options: vec![pair("Style", "wild")],
        of_match: vec![pair("Hash", "64"), pair("Threads", "2")],
        limits: Limits::default(),
    });
    let listed = ["hash", "Style"].map(str::to_owned);
    let set: Vec<_> = client.options(&listed).cloned().collect();
    assert_eq!(set, [pair("Hash", "64"), pair("Style", "wild")]);
}

#[test]
fn names_of_listed_options_are_read() {
    for (line, name) in [
        ("id name option name No type check", None),
        (
            "option name Use NNUE type check default true",
            Some("Use NNUE"),
        ),
        (
            "option name Hash type spin default 16 min 1 max 100",
            Some("Hash"),
        ),
    ] {
        assert_eq!(option_name(line), name, "{line}");
    }
}
