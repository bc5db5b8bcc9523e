//! End-to-end tests of `emilia show`: text, weights and pictures.

use std::fs;

use crate::common::run::{emilia, emilia_line};
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
fn passes_and_results_are_shown() {
    let pass = format!("OX{} X", "-".repeat(62));
    let run = emilia(&["show", &pass], b"");
    run.assert_shows("must pass");
    run.assert_shows("legal     pass (1)");
    let run = emilia(&["show", "e6f4e3f6g5d6e7f5c5"], b"");
    run.assert_shows("result    black wins 64-0");
}

#[test]
fn invalid_positions_are_refused_in_one_sentence_with_exit_code_2() {
    for (arguments, sentence) in [
        (
            &["show", "f5d6a1"][..],
            "emilia: position: column 5, move 3: illegal move: a1 for black (legal: c3 c4 c5 c6 \
             c7)\n",
        ),
        (
            &["show", &START[1..]],
            "emilia: position: wrong length: 63 squares (expected 64, then the side to move)\n",
        ),
        (
            &["show", START, "up"],
            "emilia: position: column 66: mover unknown: 'up' (expected X or O)\n",
        ),
    ] {
        let run = emilia(arguments, b"");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_eq!(run.stderr, sentence);
        assert!(run.stdout.is_empty());
    }
}

#[test]
fn weights_of_another_evaluation_are_refused() {
    let weights = &*embedded_weights("net");
    let run = emilia(&["bench", "--eval", "pattern", "--weights", weights], b"");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(
        run.stderr,
        "emilia: --weights: these weights go with --eval net, not with --eval pattern\n"
    );
    let run = emilia(&["show", "--weights", weights], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
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

/// Counts the circles with this fill: one per disc on the board, and one in the legend.
fn circles(picture: &Document, fill: &str) -> usize {
    let is_wanted =
        |node: &Node| node.has_tag_name("circle") && node.attribute("fill") == Some(fill);
    picture.descendants().filter(is_wanted).count()
}

/// Returns the texts of the picture with their anchor points, in document order.
fn texts<'a>(picture: &'a Document) -> Vec<(&'a str, [f32; 2])> {
    let texts = picture
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let place = |node: &Node, name| node.attribute(name).unwrap().parse().unwrap();
    texts
        .map(|node| (node.text().unwrap(), [place(&node, "x"), place(&node, "y")]))
        .collect()
}

/// Returns the texts on the board.
fn texts_on_squares<'a>(picture: &'a Document) -> Vec<&'a str> {
    let board = FRAME..FRAME + 8.0 * CELL;
    let texts = texts(picture).into_iter();
    texts
        .filter(|(_, place)| place.iter().all(|along| board.contains(along)))
        .map(|(text, _)| text)
        .collect()
}

/// Width of the frame around the board, in units of the picture.
const FRAME: f32 = 36.0;
const CELL: f32 = 60.0;

#[test]
fn svg_pictures_show_discs_and_legal_moves() {
    let text = svg("plain.svg", &["f5", "d6", "c3"]);
    let picture = Document::parse(&text).unwrap();
    assert_eq!(circles(&picture, "url(#emilia-black)"), 5 + 1);
    assert_eq!(circles(&picture, "url(#emilia-white)"), 2 + 1);
    assert_eq!(circles(&picture, "url(#emilia-shadow)"), 7 + 2);
    let is_last = |node: &Node| node.attribute("fill") == Some("#e0392b");
    let last = picture.descendants().find(is_last).expect("a mark on c3");
    assert_eq!(
        ["cx", "cy"].map(|name| last.attribute(name)),
        [Some("186"); 2]
    );
    assert_eq!(picture.descendants().filter(is_last).count(), 1);
    // Dots mark White's legal moves d3, f3, f4 and g5.
    let is_dot = |node: &Node| node.attribute("fill-opacity") == Some("0.45");
    assert_eq!(picture.descendants().filter(is_dot).count(), 4);
    let grid = picture
        .descendants()
        .find(|node| node.has_tag_name("path"))
        .unwrap();
    let lines = grid.attribute("d").unwrap().matches('M').count();
    assert_eq!(lines, 9 + 9);
    let texts: Vec<&str> = texts(&picture).into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts[..6], ["a", "1", "b", "2", "c", "3"]);
    assert_eq!(
        texts[16..],
        ["5\u{a0} black", "white\u{a0} 2", "3. c3 · white to move"]
    );
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
    assert_eq!(
        texts_on_squares(&picture),
        ["−4", "+12", "+6", "−24", "+4", "−22", "+6", "+18"]
    );
    let is_best = |node: &Node| node.attribute("fill") == Some("#ffd45c");
    let best = picture
        .descendants()
        .filter(is_best)
        .map(|node| node.text().unwrap());
    assert_eq!(best.collect::<Vec<_>>(), ["+18"]);
    assert!(
        text.contains("black to move · discs for black, depth 100%<"),
        "{text}"
    );
    // With one thread the scores are deterministic.
    let midgame = ["f5d6c3d3c4f4f6f3e6e7", "--scores"];
    let text = svg("midgame.svg", &midgame);
    assert_eq!(text, svg("midgame-again.svg", &midgame));
    assert!(text.contains("discs for black, depth 12@73%<"), "{text}");
}

#[test]
fn player_names_are_escaped_in_pictures() {
    let game = "(;GM[2]PB[<b>&\"Ann]PW[A name that is far longer than a picture];B[fe])";
    let game = Scratch::new("names.sgf", game);
    let text = svg("names.svg", &[game.path()]);
    let picture = Document::parse(&text).unwrap();
    let texts: Vec<&str> = texts(&picture).into_iter().map(|(text, _)| text).collect();
    assert_eq!(
        texts[16..18],
        ["4\u{a0} <b>&\"Ann", "A name that is\u{a0} 1"]
    );
}

#[test]
fn pictures_of_finished_games_show_the_result() {
    let text = svg("over.svg", &["e6f4e3f6g5d6e7f5c5", "--scores"]);
    assert!(
        text.contains(">9. c5 · black wins 64-0 (discs 13-0, 51 empty squares to the winner)<"),
        "{text}"
    );
}

/// Returns the pixels of a PNG as red, green, blue and alpha, and the row length.
fn pixels(file: &[u8]) -> (Vec<[u8; 4]>, usize) {
    let image = tiny_skia::Pixmap::decode_png(file).unwrap();
    let pixels = image.pixels().iter().map(|pixel| {
        let color = pixel.demultiply();
        [color.red(), color.green(), color.blue(), color.alpha()]
    });
    (pixels.collect(), image.width() as usize)
}

#[test]
fn png_pictures_show_discs_and_numbers() {
    let draw = |name, arguments: &[&str]| {
        let file = Scratch::new(name, "");
        let run = emilia(
            &[&["show", "--force", "--png", file.path()], arguments].concat(),
            b"",
        );
        run.assert_done();
        pixels(&fs::read(file.path()).unwrap())
    };
    let (plain, width) = draw("plain.png", &["f5"]);
    assert_eq!((width, plain.len()), (1104, 1104 * 1208));
    // Returns the pixel of a point in a square, given as shares of its side from the upper left.
    let at = |pixels: &[[u8; 4]], (file, rank): (u8, u8), (x, y): (f32, f32)| {
        let along = |index: u8, share| (2.0 * (FRAME + CELL * (f32::from(index) + share))) as usize;
        pixels[along(rank, y) * width + along(file, x)]
    };
    let middle = (0.5, 0.5);
    let is_green =
        |[red, green, blue, _]: [u8; 4]| green > 100 && green > red + 40 && green > blue + 30;
    assert!(is_green(at(&plain, (0, 0), middle)));
    assert!(is_green(at(&plain, (7, 7), middle)));
    let [e4, d4, f5] = [(4, 3), (3, 3), (5, 4)];
    assert!(
        at(&plain, e4, middle)[..3]
            .iter()
            .all(|&channel| channel < 70),
        "black"
    );
    assert!(
        at(&plain, d4, middle)[..3]
            .iter()
            .all(|&channel| channel > 220),
        "white"
    );
    assert_eq!(
        at(&plain, f5, middle),
        [0xe0, 0x39, 0x2b, 255],
        "the last move"
    );
    assert_eq!(plain[0][3], 0, "outside of the round corner of the frame");
    // The vertical stroke of the digit 1 is light on the black disc.
    let (numbered, _) = draw("numbers.png", &["f5", "--numbers"]);
    assert!(at(&numbered, f5, (0.52, 0.5))[0] > 200);
    assert!(at(&numbered, f5, (0.7, 0.5))[0] < 70);
    assert_eq!(at(&numbered, e4, middle), at(&plain, e4, middle));
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused() {
    for (line, why) in [
        (
            "show --png none/board.png",
            "No such file or directory (os error 2)\n",
        ),
        ("show --numbers", "<--svg <FILE>|--png <FILE>>"),
        ("show --scores", "<--svg <FILE>|--png <FILE>>"),
    ] {
        emilia_line(line).assert_refused(why);
    }
}

#[test]
fn one_position_is_shown_and_the_choice_is_reported() {
    let games = Scratch::new("show-games.txt", "f5d6c3\nf5f4\n");
    let one = Scratch::new("show-game.txt", "f5d6c3\n");
    let run = emilia(&["show", games.path()], b"");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (Some(0), "emilia: game 1 of 2; FILE:N shows another\n")
    );
    for place in [one.path(), &format!("{}:2", games.path())] {
        let run = emilia(&["show", place], b"");
        run.assert_done();
    }
    let second = one.path();
    let sentence = format!("this command takes one position; '{second}' is a second file");
    for (arguments, sentence) in [
        (&["show", games.path(), second][..], sentence.as_str()),
        (&["show", games.path(), "no.txt"], "'no.txt': no such file"),
        (&["show", ""], "the position is empty"),
        (&["perft", "1", ""], "the position is empty"),
        (&["compare", " "], "the position is empty"),
    ] {
        let run = emilia(arguments, b"");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_eq!(run.stderr, format!("emilia: {sentence}\n"));
        assert!(run.stdout.is_empty());
    }
}
