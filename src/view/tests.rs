//! Exact output of boards, tables and texts for terminals.

use super::{Align, BoardView, Table, cut, outcome, wrap};
use emilia_core::board::{Position, Transcript, printable};

/// Returns the view after the last move of a game.
fn view(moves: &str, colored: bool) -> BoardView {
    let game = Transcript::parse(moves, Position::START).unwrap();
    BoardView {
        position: game.end(),
        last_move: game.moves.last().copied(),
        colored,
    }
}

/// Returns the text without escape sequences for colours.
fn without_colors(text: &str) -> String {
    let mut pieces = text.split('\x1b');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |shown, piece| {
        shown + piece.split_once('m').map_or("", |(_, rest)| rest)
    })
}

#[test]
fn the_plain_board_is_exact() {
    let expected = "     a b c d e f g h
  1  - - - - - - - -
  2  - - - - - - - -     X black  5
  3  - -[X]* - * - -     O white  2
  4  - - - X X * - -     white to move
  5  - - - O X X * -     57 empty squares
  6  - - - O - - - -     last move c3
  7  - - - - - - - -
  8  - - - - - - - -
";
    assert_eq!(view("f5d6c3", false).to_string(), expected);
}

#[test]
fn the_colored_board_is_readable_without_colors() {
    let shown = without_colors(&view("f5d6c3", true).to_string());
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "     a  b  c  d  e  f  g  h");
    assert_eq!(lines[3], "  3   ▕  ▕ ●▕ ·▕  ▕ ·▕  ▕  ▕     ○  white  2");
    assert_eq!(lines[5], "  5   ▕  ▕  ▕ ○▕ ●▕ ●▕ ·▕  ▕    57 empty squares");
    assert_eq!(lines.len(), 9);
}

#[test]
fn boards_are_read_back_and_fit_50_columns_without_trailing_spaces() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..50 {
        let (mut position, mut last_move) = (Position::START, None);
        while !position.is_over() {
            let [plain, painted] = [false, true].map(|colored| BoardView {
                position,
                last_move,
                colored,
            });
            let [text, colors] = [plain, painted].map(|view| view.to_string());
            let shown = without_colors(&colors);
            let fitted = [plain, painted].map(|view| without_colors(&view.fitted(36)));
            for text in [&text, &shown, &colors, &fitted[0], &fitted[1]] {
                assert_eq!(emilia_games::position(text), Ok(position), "{text}");
            }
            for text in [&text, &shown] {
                assert_eq!(text.lines().count(), 9);
                assert!(text.lines().all(|line| line.chars().count() <= 50));
            }
            assert!(text.is_ascii() && text.lines().all(|line| line.trim_end() == line));
            let mv = random.choice(position.moves()).unwrap();
            position = position.play(mv).unwrap();
            last_move = Some(mv);
        }
        let view = BoardView::new(position).to_string();
        assert!(view.contains("game over") && !view.contains("to move"));
    }
}

#[test]
fn the_colored_board_is_green_except_the_last_move() {
    let shown = view("f5d6c3", true).to_string();
    let backgrounds: std::collections::BTreeSet<&str> = shown
        .split("\x1b[")
        .filter_map(|piece| piece.strip_prefix("48;5;")?.split_once('m'))
        .map(|(color, _)| color)
        .collect();
    assert_eq!(Vec::from_iter(backgrounds), ["179", "71"]);
}

#[test]
fn printable_text_has_no_control_characters() {
    let hostile = "a\x1b]0;title\x07\u{9b}2J\r\n\u{202e}\u{7f}b";
    let shown = printable(hostile);
    assert_eq!(
        shown,
        "a\\u{1b}]0;title\\u{7}\\u{9b}2J\\r\\n\\u{202e}\\u{7f}b"
    );
    assert_eq!(printable(&shown), shown);
}

#[test]
fn lines_are_cut_and_wrapped_between_words() {
    let line = "f6       +0.41  f6 f5 e6 e3";
    for width in 1..40 {
        let shown = cut(line, width);
        assert!(shown.chars().count() <= width && line.starts_with(shown));
        let wrapped = wrap(line, width.max(9), 4);
        let mut lines = wrapped.lines();
        assert!(lines.all(|line| line.chars().count() <= width.max(9)));
        assert!(wrapped.split_whitespace().eq(line.split_whitespace()));
    }
    assert_eq!(cut("ŝanĝo ĉiuĵaŭde", 6), "ŝanĝo");
}

#[test]
fn outcomes_give_the_empty_squares_to_the_winner() {
    let wipe_out = "e6f4e3f6g5d6e7f5c5".parse().unwrap();
    assert_eq!(
        outcome(&wipe_out),
        "black wins 64-0 (discs 13-0, 51 empty squares to the winner)"
    );
    let full = |black: usize| {
        let text = "X".repeat(black) + &"O".repeat(64 - black);
        outcome(&text.parse().unwrap())
    };
    assert_eq!(full(40), "black wins 40-24");
    assert_eq!(full(31), "white wins 33-31");
    assert_eq!(full(32), "draw 32-32");
}

/// Returns a table whose rows are named by a number and a player. Its last column is a line of play.
fn wide_table() -> Table {
    let mut table = Table::new([
        ("#", Align::Right),
        ("player", Align::Left),
        ("points", Align::Right),
        ("nodes", Align::Right),
        ("line", Align::Line),
    ]);
    table.row([
        "1",
        "a name of thirty-six letters or so",
        "12.5",
        "123,456",
        "f5 d6 c3 d3 c4",
    ]);
    table.row(["2", "Bob", "2", "7", "f5 f4"]);
    table
}

#[test]
fn columns_are_left_out_from_the_last_on_and_named() {
    let whole = wide_table().fitted(usize::MAX);
    let widths = whole.lines().map(|line| line.chars().count());
    let full = widths.max().unwrap();
    assert_eq!(wide_table().fitted(full), whole);
    let names = ["points", "nodes", "line"];
    for width in 27..full {
        let shown = wide_table().fitted(width);
        let (table, note) = match shown.split_once("left out to fit") {
            Some((table, note)) => (table, note.replace("\n  ", " ")),
            None => (shown.as_str(), String::new()),
        };
        let mut lines = shown.lines();
        assert!(lines.all(|line| line.chars().count() <= width), "{shown}");
        let heading = table.lines().next().unwrap();
        assert!(heading.starts_with("#  player"), "{width}: {shown}");
        let kept = names.map(|name| heading.contains(name));
        assert!(kept.is_sorted_by(|one, next| one >= next), "{shown}");
        for (name, kept) in names.into_iter().zip(kept) {
            assert_ne!(kept, note.contains(name), "{width}: {shown}");
        }
    }
}

#[test]
fn names_are_shortened_before_columns_are_left_out() {
    let shown = wide_table().fitted(60);
    let expected = "\
#  player                          points    nodes  line
1  a name of thirty-six letters …    12.5  123,456  f5 d6 c3
2  Bob                                  2        7  f5 f4
";
    assert_eq!(shown, expected);
}
