//! Tests of boards as text: drawn by programs, in hexadecimal, and in links.

use super::*;

/// Position that every drawing shows, but the side to move varies. Some programs mark White's last
/// move, f3, or the legal moves.
fn drawn() -> Position {
    "f5d6c3d3c4f4f6f3".parse::<Position>().unwrap()
}

#[test]
fn boards_drawn_by_programs_are_read() {
    let sections = include_str!("drawn.txt").split("=== ").skip(1);
    for section in sections {
        let (mover, text) = section.split_once('\n').unwrap();
        let colors = [Color::Black, Color::White];
        let expected = drawn().with_mover(colors[usize::from(mover == "white")]);
        for text in [text, text.trim_end(), &text.replace('\n', "\r\n")] {
            assert_eq!(position(text), Ok(expected), "{text}");
        }
    }
}

#[test]
fn discs_in_hexadecimal_and_links_are_read() {
    let start = "0x0000000810000000 0x0000001008000000";
    let suffixed = start.replace('x', "X").replace(' ', "ULL ") + "ULL";
    for text in [start, &start.replace(' ', ", "), &suffixed] {
        assert_eq!(position(text), Ok(Position::START), "{text}");
    }
    let white = Position::START.with_mover(Color::White);
    let swapped = "0x0000001008000000 0x0000000810000000 O";
    assert_eq!(position(swapped), Ok(white));
    for link in [
        "https://example.org/?game=f5d6c3d3c4f4f6f3&to=3",
        "https://x.org/f1?g=f5%20d6%20c3%20d3%20c4,f4-f6+f3&to=9",
        " http://example.org/g/17#F5D6C3D3C4F4F6F3 ",
    ] {
        assert_eq!(position(link), Ok(drawn()), "{link}");
    }
    for text in ["0x1", "0x1 0x1", "0x1 0x2 X X", "https://example.org/"] {
        assert!(position(text).is_err(), "{text}");
    }
}
