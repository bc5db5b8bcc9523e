//! End-to-end tests of `emilia analyze`: tables, charts and the page.

use std::fs;

use crate::common::run::{Run, cases, emilia};
use crate::common::scratch::Scratch;

/// First moves of a game.
const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3";

/// Line of a file of positions.
const POSITION: &str = "---------------------------OX------XO--------------------------- X; f5:+0;";

/// Options of a fast analysis.
const FAST: [&str; 4] = ["--depth", "4", "--threads", "1"];

fn analyze(arguments: &[&str], input: &[u8]) -> Run {
    emilia(&[&["analyze"], arguments, &FAST].concat(), input)
}

/// Returns stdout of an analysis that must succeed.
fn report(arguments: &[&str], input: &[u8]) -> String {
    let run = analyze(arguments, input);
    assert_eq!(run.code, Some(0), "{run:?}");
    run.stdout
}

/// Asserts that the report has each of the texts.
fn assert_has(report: &str, texts: &[&str]) {
    for text in texts {
        assert!(report.contains(text), "{text}: {report}");
    }
}

#[test]
fn a_transcript_is_analysed_to_a_table_with_a_legend() {
    let run = analyze(&[GAME], b"");
    run.assert_done();
    let rows = run.stdout.lines().filter(|line| {
        let number = line.split_whitespace().next().unwrap_or_default();
        number.parse::<u32>().is_ok()
    });
    assert_eq!(rows.count(), GAME.len() / 2);
    for text in [
        "#1 black - white, ends early\n",
        "opening: No-FAT, to move 20",
        "lost a move",
    ] {
        run.assert_shows(text);
    }
    assert!(run.stdout.lines().all(|line| line.len() <= 80) && !run.stdout.contains('\x1b'));
    assert_eq!(report(&[GAME], b""), run.stdout, "the same output again");
    assert_has(
        &run.stdout,
        &["\ndepth 16@73%: ", "\ndecided by: ", "\nlevel: "],
    );
    for absent in ["100%", "only: ", "level in brackets", "blunders"] {
        assert!(!run.stdout.contains(absent), "{absent}: {}", run.stdout);
    }
}

#[test]
fn a_page_is_self_contained() {
    let html = Scratch::new("analyze.html", "");
    let svg = Scratch::new("analyze.svg", "");
    let input = format!("% Black: </script><b>\n% White: {{{{script}}}}\n{GAME}\n");
    let files = ["-", "--force", "--html", html.path(), "--svg", svg.path()];
    report(&files, input.as_bytes());
    let page = fs::read_to_string(html.path()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for foreign in "http:,https:,src=,@import,url(h,fetch(,<b>,{{title}}".split(',') {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // Text from a game record stays text: the page has only its own two scripts.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    for (file, text) in [
        (html.path(), String::new()),
        ("-", report(&[GAME, "--json"], b"")),
    ] {
        let run = emilia(&["convert", file, "-", "--to", "txt"], text.as_bytes());
        run.assert_shows(GAME);
        run.assert_reports("stdout: 1 game written, from 1 file");
    }
    let svg = fs::read_to_string(svg.path()).unwrap();
    assert_has(&svg, &["<svg ", ">Score under best play, for Black</text>"]);
}

#[test]
fn games_that_are_not_whole_are_an_error() {
    for [input, sentence] in cases(
        "f5,f5a1 | 1 of 2 games could not be read to the end
         f5,f5a1 | 'stdin': game 2: line 2: 1 of 2 moves read
         POSITION | positions have no moves; `emilia solve` or `emilia hint` take them",
    ) {
        let input = input.replace(',', "\n").replace("POSITION", POSITION);
        let run = analyze(&["-"], input.as_bytes());
        assert_eq!(run.code, Some(2), "{run:?}");
        run.assert_reports(sentence);
    }
}
