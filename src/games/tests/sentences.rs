//! Error messages of invalid games and names: quoted text is cut and has no control characters.
//!
//! `tests/fuzz.rs` searches for further cases with mutated files.

use super::*;
use crate::Collection;
use crate::wthor::WthorNames;

#[test]
fn errors_quote_short_text_without_control_characters() {
    let refused = |text: &str| {
        let collection = Collection::read(text.as_bytes(), &WthorNames::default()).unwrap();
        collection.games[0].clone().unwrap_err().to_string()
    };
    let board = Position::START.to_string();
    let board = &board[..64];
    for (what, text, sentence) in [
        (
            "a line break in a value",
            "(;GM[Othello]TI[1\nx];)".to_owned(),
            concat!(
                r"game 1: line 1, column 14: TI[1\nx]: expected main/increment/grace, ",
                "each [[h:]m:]s, like 15:00//2:00"
            ),
        ),
        (
            "a form feed in a move",
            "f5d\u{c}6".to_owned(),
            r"game 1: line 1, column 3, move 2: 'd\u{c}' is no move (expected a1..h8 or pass)",
        ),
        (
            "a control character in a board",
            board.replacen('-', "\u{9b}", 1),
            concat!(
                r"game 1: line 1, column 1: bad character: '\u{9b}' ",
                "(expected X, O or - for each square, a1 to h8)"
            ),
        ),
        (
            "a long side to move",
            format!("{board} {}", "y".repeat(400)),
            "game 1: line 1, column 66: mover unknown: \
             'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...' (expected X or O)",
        ),
        (
            "a long score in the only line of a file",
            format!("{board} X; F5:{}", "1".repeat(400)),
            "game 1: line 1, column 69: 'F5:1111111111111111111111111111111111111...' \
             (expected a legal move and its score from -64 to 64, like A2:+38)",
        ),
        (
            "a long value of characters that need escapes",
            format!("(;GM[Othello]B[{}];)", "\u{7f}".repeat(400)),
            concat!(
                r"game 1: line 1, column 14: B[\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}...]: ",
                "expected move/eval/time, like F5/1.50/0.23 or PA"
            ),
        ),
        (
            "a board without discs",
            "(;GM[2]AE[dd][de][ed][ee]PL[W])".to_owned(),
            "game 1: line 1, column 26: start position: empty board",
        ),
    ] {
        assert_eq!(refused(&text), sentence, "{what}");
    }
}

#[test]
fn control_characters_in_names_are_replaced() {
    let players = wthor::read_players(&names(20, &[b"A\x01n\x85n"])).unwrap();
    assert_eq!(players, ["A\u{fffd}n\u{fffd}n"]);
}
