//! End-to-end tests of `emilia show`: text and pictures.

use std::fs;

use crate::common::run::emilia;
use crate::common::scratch::Scratch;
use emilia_core::board::Square;
use tiny_skia::Pixmap;

const START: &str = "---------------------------OX------XO---------------------------";

#[test]
fn a_transcript_is_shown_with_its_last_move() {
    let run = emilia(&["show", "F5", "d6", "c3"], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    run.assert_shows("  3  - -[X]* - * - -");
    run.assert_shows("legal     d3 f3 f4 g5 (4)");
    run.assert_shows(" discs for white\n");
    run.assert_shows("\nclassic  ");
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

/// Draws the picture of `show` with these arguments.
fn picture(name: &str, arguments: &[&str]) -> Pixmap {
    let file = Scratch::new(name, "");
    let run = emilia(
        &[&["show", "--force", "--png", file.path()], arguments].concat(),
        b"",
    );
    run.assert_done();
    run.assert_shows("\n  8  ");
    let image = Pixmap::decode_png(&fs::read(file.path()).unwrap()).unwrap();
    assert_eq!((image.width(), image.height()), (1104, 1208));
    image
}

/// Returns red, green and blue of the pixel `beside` pixels to the right of the square's centre.
fn color(image: &Pixmap, square: &str, beside: u32) -> [u8; 3] {
    let square: Square = square.parse().unwrap();
    let middle = |index: u8| 72 + 120 * u32::from(index) + 60;
    let pixel = image.pixel(middle(square.file()) + beside, middle(square.rank()));
    let pixel = pixel.unwrap();
    [pixel.red(), pixel.green(), pixel.blue()]
}

const RED: [u8; 3] = [0xe0, 0x39, 0x2b];
const GOLD: [u8; 3] = [0xff, 0xd4, 0x5c];

#[test]
fn pictures_show_discs_and_legal_moves() {
    let image = picture("plain.png", &["f5", "d6", "c3"]);
    let with = |is_wanted: &dyn Fn([u8; 3]) -> bool, beside| -> Vec<String> {
        let squares = Square::all().map(|square| square.to_string());
        squares
            .filter(|square| is_wanted(color(&image, square, beside)))
            .collect()
    };
    let is_dark = |rgb: [u8; 3]| rgb.iter().all(|&part| part < 0x30);
    let is_light = |rgb: [u8; 3]| rgb.iter().all(|&part| part > 0xa0);
    assert_eq!(with(&is_dark, 30), ["c3", "d4", "e4", "e5", "f5"]);
    assert_eq!(with(&is_light, 30), ["d5", "d6"]);
    assert_eq!(with(&|rgb| rgb == RED, 0), ["c3"]);
    // Dots mark White's legal moves.
    let is_dot = |rgb: [u8; 3]| rgb[0] > 0x70 && rgb[1] > 0xa0 && !is_light(rgb);
    assert_eq!(with(&is_dot, 0), ["d3", "f3", "f4", "g5"]);
}

#[test]
fn pictures_can_show_numbers_and_scores() {
    let image = picture("numbers.png", &["f5d6c3d3c4f4", "--numbers"]);
    assert_ne!(
        color(&image, "f4", 0),
        RED,
        "the number marks the last move"
    );
    // The first FFO position. Its best move g8 has a ring.
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let image = picture("scores.png", &[position, "--scores"]);
    let ring = |square| color(&image, square, 51) == GOLD;
    assert_eq!(
        ["g8", "h1", "a2", "h7"].map(ring),
        [true, false, false, false]
    );
}

#[test]
fn one_position_is_shown_and_the_choice_is_reported() {
    let games = Scratch::new("show-games.txt", "f5d6c3\nf5f4\n");
    let one = Scratch::new("show-game.txt", "f5d6c3\n");
    let run = emilia(&["show", games.path()], b"");
    let first = "emilia: game 1 of 2; FILE:N shows another\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), first));
    let second = one.path();
    let sentence = format!("this command takes one position; '{second}' is a second file");
    for (arguments, sentence) in [
        (&["show", games.path(), second][..], sentence.as_str()),
        (&["show", games.path(), "no.txt"], "'no.txt': no such file"),
        (&["show", ""], "the position is empty"),
    ] {
        emilia(arguments, b"").assert_refused(&format!("emilia: {sentence}\n"));
    }
}
