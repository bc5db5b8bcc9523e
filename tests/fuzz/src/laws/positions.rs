//! Law of position texts: boards, OBF, FEN, transcripts, labelled tables, perft suites, moves.
//! A text that is read, written and read again gives the same value.

use emilia_core::board::perft::parse_suite;
use emilia_core::board::{Move, Position, Square, Transcript};
use emilia_games::input;
use std::path::Path;

use super::assert_sentence;
use super::words::same;

/// Parses the whole text, each line and each word in every notation that it may have.
pub(super) fn law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    position(&text);
    transcript(&text, Position::START);
    suite(&text);
    for labelled in input::positions_in(Path::new("positions"), bytes)
        .into_iter()
        .flatten()
    {
        for (mv, score) in labelled.moves {
            assert!(labelled.position.play(mv).is_ok());
            assert!((-64..=64).contains(&score));
        }
    }
    for line in text.lines() {
        position(line);
        transcript(line, Position::START);
        obf(line);
        fen(line);
        for word in line.split_whitespace() {
            same::<Square>(word);
            same::<Move>(word);
        }
    }
}

fn position(text: &str) {
    match text.parse::<Position>() {
        Ok(position) => {
            let faults = position.board.faults();
            assert!((faults - emilia_core::board::Faults::HARMLESS).is_empty());
            assert_eq!(position.to_string().parse(), Ok(position));
            assert_eq!(position.to_string().to_lowercase().parse(), Ok(position));
        }
        Err(error) => assert_sentence(&error),
    }
}

fn transcript(text: &str, start: Position) {
    match Transcript::parse(text, start) {
        Ok(transcript) => {
            let mut position = start;
            for &mv in &transcript.moves {
                position = position.play(mv).expect("a legal move");
            }
            assert_eq!(position, transcript.end());
            let squares = |transcript: &Transcript| -> Vec<Square> {
                let moves = transcript.moves.iter();
                moves.filter_map(|mv| mv.square()).collect()
            };
            let again = Transcript::parse(&transcript.to_string(), start).expect("moves as read");
            assert_eq!(squares(&again), squares(&transcript));
        }
        Err(error) => {
            assert_sentence(&error);
            assert!(error.column <= text.chars().count() + 1);
        }
    }
}

fn obf(line: &str) {
    let read = |line: &str| input::positions_in(Path::new("line"), line.as_bytes());
    let [Ok(problem)] = &read(line)[..] else {
        return;
    };
    let moves = problem.moves.iter();
    let scores = moves.map(|(mv, score)| format!(" {mv}:{score:+};"));
    let scores: String = scores.collect();
    let written = format!("{};{scores}", problem.position);
    assert_eq!(read(&written)[0].as_ref().expect("a line as read"), problem);
}

fn fen(line: &str) {
    match Position::from_fen(line) {
        Ok(position) => assert_eq!(Position::from_fen(&position.to_fen()), Ok(position)),
        Err(error) => assert_sentence(&error),
    }
}

fn suite(text: &str) {
    let cases = match parse_suite(text) {
        Ok(cases) => cases,
        Err(error) => return assert_sentence(&error),
    };
    let written = cases.iter().map(|case| {
        let (convention, id, position) = (case.convention, &case.id, case.position);
        let (depth, nodes) = (case.depth, case.nodes);
        format!("convention {convention}\nid {id}\nposition {position}\nperft {depth} {nodes}\n")
    });
    assert_eq!(parse_suite(&written.collect::<String>()), Ok(cases));
}
