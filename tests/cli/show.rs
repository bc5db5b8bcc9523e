//! End-to-end tests of `emilia show`: text, weights and pictures.

use std::fs;

use crate::common::run::emilia;
use crate::common::scratch::{Scratch, embedded_weights};
use roxmltree::{Document, Node};

const START: &str = "---------------------------OX------XO---------------------------";

#[test]
fn a_transcript_is_shown_with_its_last_move() {
    let run = emilia(&["show", "F5", "d6", "c3"], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    run.assert_shows("  3  - -[X]* - * - -");
    run.assert_shows("legal     d3 f3 f4 g5 (4)");
    run.assert_shows(" discs for white\n");
    run.assert_shows("\npattern  ");
    assert!(run.stdout.is_ascii() && run.stderr.is_empty());
}

#[test]
fn boards_may_begin_with_dashes_and_options_may_come_anywhere() {
    let expected = emilia(&["show"], b"").stdout;
    for arguments in [
        &["show", START][..],
        &["show", START, "X", "--color", "never"],
        &["--color", "never", "show", START, "black"],
        &["show", "--color=auto", &format!("{START} X; f5:+0;")],
        &["show", "start"],
    ] {
        let run = emilia(arguments, b"");
        assert_eq!(run.stdout, expected, "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn color_is_off_in_a_pipe_unless_requested() {
    assert!(!emilia(&["show"], b"").stdout.contains('\x1b'));
    let colored = emilia(&["show", "--color", "always"], b"").stdout;
    assert!(colored.contains('\x1b') && colored.contains('●'));
}

#[test]
fn weights_of_another_evaluation_are_refused() {
    let weights = &*embedded_weights("net");
    let run = emilia(&["bench", "--eval", "pattern", "--weights", weights], b"");
    run.assert_refused("--weights: these weights go with --eval net, not with --eval pattern\n");
    emilia(&["show", "--weights", weights], b"").assert_done();
}

/// Draws the SVG picture of `show` with these arguments.
fn svg(name: &str, arguments: &[&str]) -> String {
    let file = Scratch::new(name, "");
    let run = emilia(
        &[&["show", "--force", "--svg", file.path()], arguments].concat(),
        b"",
    );
    run.assert_done();
    run.assert_shows("\n  8  ");
    fs::read_to_string(file.path()).unwrap()
}

/// Returns the shapes of the picture with this attribute.
fn with<'a>(picture: &'a Document, name: &'a str, value: &'a str) -> Vec<Node<'a, 'a>> {
    let is_wanted = |node: &Node| node.attribute(name) == Some(value);
    picture.descendants().filter(is_wanted).collect()
}

/// Returns the texts of the picture with their anchor points, in document order.
fn texts<'a>(picture: &'a Document) -> Vec<(&'a str, [f32; 2])> {
    let nodes = picture.descendants();
    let place = |node: &Node, name| node.attribute(name).unwrap().parse().unwrap();
    nodes
        .filter(|node| node.has_tag_name("text"))
        .map(|node| (node.text().unwrap(), [place(&node, "x"), place(&node, "y")]))
        .collect()
}

/// Returns the texts on the board.
fn texts_on_squares<'a>(picture: &'a Document) -> Vec<&'a str> {
    let board = FRAME..FRAME + 8.0 * CELL;
    let is_on_board = |place: [f32; 2]| place.iter().all(|along| board.contains(along));
    let texts = texts(picture).into_iter();
    texts
        .filter_map(|(text, place)| is_on_board(place).then_some(text))
        .collect()
}

/// Width of the frame around the board, in units of the picture.
const FRAME: f32 = 36.0;
const CELL: f32 = 60.0;

#[test]
fn svg_pictures_show_discs_and_legal_moves() {
    let text = svg("plain.svg", &["f5", "d6", "c3"]);
    let picture = Document::parse(&text).unwrap();
    // A circle for each disc on the board, and for each colour one in the legend.
    let circles = |fill: &str| with(&picture, "fill", &format!("url(#emilia-{fill})")).len();
    assert_eq!(
        ["black", "white", "shadow"].map(circles),
        [5 + 1, 2 + 1, 7 + 2]
    );
    let [last] = with(&picture, "fill", "#e0392b")[..] else {
        panic!("one mark on c3: {text}");
    };
    assert_eq!(
        ["cx", "cy"].map(|name| last.attribute(name)),
        [Some("186"); 2]
    );
    // Dots mark White's legal moves d3, f3, f4 and g5.
    assert_eq!(with(&picture, "fill-opacity", "0.45").len(), 4);
    let texts: Vec<&str> = texts(&picture).into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts[..6], ["a", "1", "b", "2", "c", "3"]);
    let below = ["5\u{a0} black", "white\u{a0} 2", "3. c3 · white to move"];
    assert_eq!(texts[16..], below);
}

#[test]
fn pictures_can_number_the_moves() {
    let text = svg("numbers.svg", &["f5d6c3d3c4f4", "--numbers"]);
    let picture = Document::parse(&text).unwrap();
    // Move numbers in the order of the squares: c3, d3; c4, f4; f5; d6.
    assert_eq!(texts_on_squares(&picture), ["3", "4", "5", "6", "1", "2"]);
    assert!(!text.contains("#e0392b"), "the number marks the last move");
}

#[test]
fn pictures_can_show_scores() {
    // The first FFO position, with its exact scores in the order of the squares from b1 to g8.
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let text = svg("solved.svg", &[position, "--scores"]);
    let picture = Document::parse(&text).unwrap();
    let scores = ["−4", "+12", "+6", "−24", "+4", "−22", "+6", "+18"];
    assert_eq!(texts_on_squares(&picture), scores);
    let best = with(&picture, "fill", "#ffd45c");
    assert_eq!(
        best.iter().map(Node::text).collect::<Vec<_>>(),
        [Some("+18")]
    );
    assert!(
        text.contains("black to move · discs for black, depth 100%<"),
        "{text}"
    );
}

#[test]
fn png_pictures_have_their_size() {
    let file = Scratch::new("plain.png", "");
    emilia(&["show", "f5", "--force", "--png", file.path()], b"").assert_done();
    let image = tiny_skia::Pixmap::decode_png(&fs::read(file.path()).unwrap()).unwrap();
    assert_eq!((image.width(), image.height()), (1104, 1208));
    // The mark of the last move.
    let mark = image.pixel(732, 612).unwrap();
    assert_eq!([mark.red(), mark.green(), mark.blue()], [0xe0, 0x39, 0x2b]);
}

#[test]
fn one_position_is_shown_and_the_choice_is_reported() {
    let games = Scratch::new("show-games.txt", "f5d6c3\nf5f4\n");
    let one = Scratch::new("show-game.txt", "f5d6c3\n");
    let run = emilia(&["show", games.path()], b"");
    let first = "emilia: game 1 of 2; FILE:N shows another\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), first));
    for place in [one.path(), &format!("{}:2", games.path())] {
        let run = emilia(&["show", place], b"");
        run.assert_done();
    }
    let second = one.path();
    let sentence = format!("this command takes one position; '{second}' is a second file");
    let illegal = "position: column 5, move 3: illegal move: a1 for black (legal: c3 c4 c5 c6 c7)";
    for (arguments, sentence) in [
        (&["show", games.path(), second][..], sentence.as_str()),
        (&["show", games.path(), "no.txt"], "'no.txt': no such file"),
        (&["show", ""], "the position is empty"),
        (&["show", "f5d6a1"], illegal),
    ] {
        emilia(arguments, b"").assert_refused(&format!("emilia: {sentence}\n"));
    }
}
