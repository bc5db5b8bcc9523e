//! Tests that all text forms of positions are parsed, and that errors name the fault and its
//! column.

use super::*;
use crate::board::{Bitboard, Board, Color, Move, Square};

const START: &str = "---------------------------OX------XO---------------------------";

#[test]
fn every_disc_alphabet_is_read() {
    for alphabet in ["XO-", "xo.", "*0_", "bw-", "BW."] {
        let letters: Vec<&str> = alphabet.split("").collect();
        let text = START.replace('-', "e").replace('X', letters[1]);
        let text = text.replace('O', letters[2]).replace('e', letters[3]);
        assert_eq!(text.parse(), Ok(Position::START), "{text}");
    }
}

#[test]
fn a_drawing_has_a_row_on_each_line_and_is_read_again() {
    let position = Position::START.play(Square::F5).expect("legal");
    let drawing = format!("{position:#}");
    let lines: Vec<&str> = drawing.lines().collect();
    assert_eq!(
        (lines.len(), lines[3], lines[4]),
        (9, "---OX---", "---XXX--")
    );
    assert_eq!(lines[8], "O");
    assert_eq!(drawing.parse(), Ok(position));
}

#[test]
fn side_to_move_is_optional_and_white_space_is_ignored() {
    let white = Position::START.with_mover(Color::White);
    for (side, expected) in [
        ("", Position::START),
        (" black", Position::START),
        ("O", white),
        (" o", white),
        ("\twhite\n", white),
        ("W", white),
    ] {
        assert_eq!(format!("{START}{side}").parse(), Ok(expected), "{side:?}");
    }
    let spaced: String = START.chars().flat_map(|cell| [cell, '\n', ' ']).collect();
    assert_eq!(spaced.parse(), Ok(Position::START));
    assert_eq!(" START ".parse(), Ok(Position::START));
}

#[test]
fn error_messages_name_the_faults_and_their_column() {
    let both = Board {
        player: Bitboard::CORNERS,
        opponent: Bitboard::FILE_A,
    };
    assert_eq!(both.faults().to_string(), "overlap, centre empty");
    let length = "(expected 64, then the side to move)";
    let cells = "(expected X, O or - for each square, a1 to h8)";
    let cut = &START[..60];
    let empty = "-".repeat(64);
    let accent = START.replacen("---", "-é-", 1);
    let other = START.replace('X', "q");
    let table = format!(
        "{cut} -> wrong length: 60 squares {length}
{START} Xi3{START} X; -> column 66: mover unknown: 'Xi3---------------------------OX------XO...' (expected X, O, black or white)
{START}-- -> column 65: wrong length: 66 squares {length}
{empty} -> empty board
{accent} -> column 2: bad character: 'é' {cells}
{other} -> column 29: bad character: 'q' {cells}
{START} up -> column 66: mover unknown: 'up' (expected X, O, black or white)
{START} 0 -> column 66: mover unknown: '0' (expected X, O, black or white)
f5d6a1 -> column 5, move 3: illegal move: a1 for black (legal: c3 c4 c5 c6 c7)
f5d6c9 -> column 5, move 3: 'c9' is not a move (expected a1..h8 or pass)"
    );
    for case in table.lines() {
        let (text, message) = case.split_once(" -> ").unwrap();
        assert_eq!(text.parse::<Position>().unwrap_err().to_string(), message);
    }
}

/// Parses a transcript from the start position.
fn game(text: &str) -> Result<Transcript, TranscriptError> {
    Transcript::parse(text, Position::START)
}

/// Joins moves with `separator` between them. The argument `pass` is the text of a pass.
fn joined(moves: &[Move], pass: &str, separator: &str) -> String {
    let words = moves.iter().map(|mv| match mv {
        Move::Pass => pass.to_owned(),
        Move::Place(square) => square.to_string(),
    });
    words.collect::<Vec<_>>().join(separator)
}

#[test]
fn transcript_passes_are_optional() {
    // Black must pass before the last move.
    let omitted = game("d3c3f5d2d1e1b2c1a3").unwrap();
    assert!(omitted.moves.contains(&Move::Pass));
    assert_eq!(game(&omitted.to_string()), Ok(omitted.clone()));
    for pass in ["PA", "pass", " -- ", "Pass ", "ps"] {
        let text = joined(&omitted.moves, pass, "");
        assert_eq!(game(&text), Ok(omitted.clone()), "{text}");
    }
}
