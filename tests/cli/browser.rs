//! Pages of `emilia analyze` in a browser: keyboard, mouse, touch, phone, desktop, light and dark.
//! Needs `chromedriver` (Debian: `chromium-driver`).

use crate::common::browser::{Browser, END, ESCAPE, HOME, RIGHT, SCHEMES, WINDOWS};
use crate::common::run::emilia_line;
use crate::common::scratch::Scratch;
use serde_json::{Value, json};

/// A game with some bad moves.
pub(crate) const GAME: &str = "f5d6c3g5f6f4f3d3e6e3g4e7h6g6f7h3h4f8d7h5h2c8c5c4e2c6c2d2c1b3a4a2h7f1d1g3f2\
                    g2a3e1a1b4b5b6a7a5a6b7a8c7b8d8e8g8b2b1h8g7g1h1";

/// Writes the page of [`GAME`].
fn page(name: &str) -> Scratch {
    let page = Scratch::new(name, "");
    let path = page.path();
    emilia_line(&format!("analyze {GAME} --depth 4 --force --html {path}")).assert_done();
    page
}

#[test]
#[ignore = "needs chromedriver"]
fn the_page_works_with_keyboard_mouse_and_touch() {
    let browser = Browser::start();
    let page = page("browser.html");
    let open = |hash: &str| browser.open(page.path(), hash);
    let status = || browser.text("#status");

    // Navigation by address, keyboard and mouse.
    open("#12");
    assert!(status().starts_with("After 12. e7:"), "{}", status());
    browser.press(RIGHT);
    let hash = browser.script("return location.hash");
    assert!(status().starts_with("After 13. h6:") && hash == "#13");
    browser.press(END);
    assert!(status().contains("the game is over. Score for Black +26.0."));
    browser.press(HOME);
    assert!(status().starts_with("Before the first move: 2\u{2013}2"));
    browser.point("mouse", "#next", 0.5, 0.5);
    assert!(status().starts_with("After 1. f5:"));
    browser.point("mouse", "#graph", 0.99, 0.99);
    assert!(status().starts_with("After 60."), "{}", status());

    // A better line is shown on the board and left again.
    open("#46");
    browser.point("mouse", "#better", 0.5, 0.5);
    assert!(status().starts_with("Better line: "), "{}", status());
    let before = browser.script(DISCS).as_u64();
    browser.press(RIGHT);
    let after = browser.script(DISCS).as_u64();
    assert_eq!(after, before.map(|discs| discs + 1));
    browser.press(ESCAPE);
    assert!(!status().starts_with("Better line: "), "{}", status());

    // Touch: a swipe to the left shows the next move, to the right the previous one.
    open("#30");
    browser.point("touch", "#board", 0.7, 0.3);
    assert!(status().starts_with("After 31."), "{}", status());
    browser.point("touch", "#board", 0.3, 0.7);
    assert!(status().starts_with("After 30."), "{}", status());

    // Wide and narrow, light and dark: the page fits and is readable.
    for (width, height) in WINDOWS {
        for scheme in SCHEMES {
            browser.emulate(width, height, scheme);
            open("#46");
            browser.check_look(width, &format!("{width} {scheme}"));
            browser.script("document.getElementById('better').click()");
            browser.check_look(width, &format!("{width} {scheme}, a better line"));
        }
    }
    browser.check_log();
}

/// Script that returns the number of discs on the board.
const DISCS: &str = "return document.querySelectorAll('#board svg circle[fill^=url]').length";

#[test]
#[ignore = "needs chromedriver"]
fn mistakes_are_shown_in_the_position_before_them() {
    let browser = Browser::start();
    let page = page("mistakes.html");
    browser.open(page.path(), "");
    let moves = "return JSON.parse(document.getElementById('game').textContent).moves";
    let moves = browser.script(moves);
    let moves = moves.as_array().expect("a list");
    let (good, bad): (Vec<&Value>, _) = moves.iter().partition(|mv| mv["grade"] == "good");
    assert!(bad.len() > 4, "{} mistakes", bad.len());
    // The board marks the move of the row or address as played, and the better move.
    let shows = |mv: &Value| {
        let [name, best] = ["move", "best"].map(|field| mv[field].as_str().expect("a move"));
        let number = mv["number"].as_u64().expect("a number");
        let status = browser.text("#status");
        let about = format!("{number}. {name}?");
        assert!(status.starts_with(&about), "{about}: {status}");
        assert!(status.contains(&format!("{best} is best")), "{status}");
        // The start has 4 discs, and each move before it has added one.
        assert_eq!(browser.script(DISCS).as_u64(), Some(3 + number));
        let state = "return [location.hash, document.querySelector('#moves [aria-current]').id,
            ...['played', 'better'].map(name =>
              document.querySelectorAll('#board .' + name).length)]";
        let (hash, row) = (format!("#before-{number}"), format!("move-{number}"));
        assert_eq!(browser.script(state), json!([hash, row, 1, 1]));
    };
    let click = |mv: &Value| {
        let row = format!("#move-{} td:first-child", mv["number"]);
        browser.point("mouse", &row, 0.5, 0.5);
    };
    let stands_after = |mv: &Value| {
        let after = format!("After {}. ", mv["number"]);
        assert!(browser.text("#status").starts_with(&after), "{after}");
    };
    click(bad[2]);
    shows(bad[2]);
    // Keys and buttons lead to the next and previous mistake, if there is one.
    browser.press('n');
    shows(bad[3]);
    browser.point("mouse", "#previous-mistake", 0.5, 0.5);
    shows(bad[2]);
    browser.press(END);
    let disabled = "return document.getElementById('next-mistake').disabled";
    assert_eq!(browser.script(disabled), true);
    browser.open(page.path(), &format!("#before-{}", bad[3]["number"]));
    shows(bad[3]);
    // From the position before a mistake, the next step is the mistake itself.
    browser.press(RIGHT);
    stands_after(bad[3]);
    // Any other move is shown as played only.
    click(good[0]);
    stands_after(good[0]);
    browser.check_log();
}

/// Names with a meaning in HTML, in scripts or in paths.
pub(crate) const HOSTILE: [&str; 6] = [
    "</script><img src=x onerror=\"document.title='bad'\">",
    "\"><b>'bold'</b><script>document.title='bad'</script>",
    "../../etc/passwd\u{202e}drow",
    "{{rows}}&lt;${alert(1)}",
    "--></title></textarea></style><base href=//evil.example><iframe onload=document.title='bad'>",
    "]]><input autofocus onfocus=document.title='bad'><link rel=stylesheet href=//evil.example>",
];
