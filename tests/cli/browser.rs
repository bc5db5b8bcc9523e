//! Pages of `emilia analyze` in a browser: keyboard, mouse, touch, phone, desktop, light and dark.
//! Skipped without `chromedriver` (Debian: `chromium-driver`).

use crate::common::browser::{END, ESCAPE, HOME, RIGHT, SCHEMES, WINDOWS, browser};
use crate::common::matches;
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
fn the_page_works_with_keyboard_mouse_and_touch() {
    let Some(browser) = browser() else { return };
    let page = page("browser.html");
    let open = |hash: &str| browser.open(page.path(), hash);
    let status = || browser.text("#status");
    let hash = || browser.script("return location.hash");

    // Navigation by address, keyboard and mouse.
    open("#12");
    assert!(status().starts_with("After 12. e7:"), "{}", status());
    browser.press(RIGHT);
    assert!(status().starts_with("After 13. h6:") && hash() == "#13");
    browser.press(END);
    assert!(status().starts_with("After 60. h1:"), "{}", status());
    assert!(status().contains("the game is over. Score for Black +26.0."));
    browser.press(HOME);
    assert!(status().starts_with("Before the first move: 2\u{2013}2"));
    browser.point("mouse", "#next", 0.5, 0.5);
    assert!(status().starts_with("After 1. f5:"));
    browser.point("mouse", "#graph", 0.99, 0.99);
    assert!(status().starts_with("After 60."), "{}", status());
    let rings = "return document.querySelectorAll('#graph circle').length";
    assert!(browser.script(rings).as_u64() > Some(3));

    // A better line is shown on the board and left again.
    browser.point("mouse", "#moves .line", 0.5, 0.5);
    assert!(status().starts_with("Better line: "), "{}", status());
    let before = browser.script(DISCS).as_u64();
    browser.press(RIGHT);
    assert_eq!(
        browser.script(DISCS).as_u64(),
        before.map(|discs| discs + 1)
    );
    browser.press(ESCAPE);
    assert!(!status().starts_with("Better line: "), "{}", status());

    // In the layout without a column beside the board, a better line is also shown and left.
    open("#46");
    browser.point("mouse", "#better", 0.5, 0.5);
    assert!(status().starts_with("Better line: "), "{}", status());
    browser.point("mouse", "#leave", 0.5, 0.5);
    assert!(status().starts_with("After 46."), "{}", status());

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
fn mistakes_are_shown_in_the_position_before_them() {
    let Some(browser) = browser() else { return };
    let page = page("mistakes.html");
    browser.open(page.path(), "");
    let moves =
        browser.script("return JSON.parse(document.getElementById('game').textContent).moves");
    let moves = moves.as_array().expect("a list");
    let number = |mv: &Value| mv["number"].as_u64().expect("a number");
    let bad: Vec<&Value> = moves.iter().filter(|mv| mv["grade"] != "good").collect();
    assert!(bad.len() > 4, "{} mistakes", bad.len());
    // The board marks the move of the row or address as played, and the better move.
    let shows = |mv: &Value| {
        let (number, name) = (number(mv), mv["move"].as_str().expect("a move"));
        let best = mv["best"].as_str().expect("a move");
        let status = browser.text("#status");
        let about = format!("{number}. {name}?");
        assert!(status.starts_with(&about), "{about}: {status}");
        assert!(status.contains(&format!("{best} is best")), "{status}");
        let hash = browser.script("return location.hash");
        assert_eq!(hash, format!("#before-{number}"));
        // The start has 4 discs, and each move before it has added one.
        assert_eq!(browser.script(DISCS).as_u64(), Some(3 + number));
        let marks = "return ['played', 'arrow', 'better'].map(name =>
            document.querySelectorAll('#board .' + name).length)";
        assert_eq!(browser.script(marks), json!([1, 1, 1]));
        let label = browser.script("return document.getElementById('board').ariaLabel");
        let marked = format!("played {name}; best {best}");
        let label = label.as_str().expect("a label");
        assert!(label.ends_with(&marked), "{marked}: {label}");
        // Without colours and without the board: the legend names both moves.
        let legend = browser.text("#legend");
        for text in [format!("played: {name}"), format!("best: {best}")] {
            assert!(legend.contains(&text), "{text}: {legend}");
        }
        let row = browser.script("return document.querySelector('#moves [aria-current]').id");
        assert_eq!(row, format!("move-{number}"));
    };
    let click = |mv: &Value| {
        let row = format!("#move-{} td:first-child", number(mv));
        browser.point("mouse", &row, 0.5, 0.5);
    };
    click(bad[2]);
    shows(bad[2]);
    // Keys and buttons lead to the next and previous mistake, if there is one.
    browser.press('n');
    shows(bad[3]);
    browser.press('p');
    shows(bad[2]);
    browser.point("mouse", "#next-mistake", 0.5, 0.5);
    shows(bad[3]);
    browser.point("mouse", "#previous-mistake", 0.5, 0.5);
    shows(bad[2]);
    browser.press(END);
    browser.press('n');
    assert!(browser.text("#status").starts_with("After 60."));
    browser.press('p');
    shows(bad[bad.len() - 1]);
    assert_eq!(
        browser.script("return document.getElementById('next-mistake').disabled"),
        true
    );
    browser.press(HOME);
    browser.press('n');
    shows(bad[0]);
    // From the position before a mistake, the next step is the mistake itself.
    browser.press(RIGHT);
    let after = format!("After {}. ", number(bad[0]));
    assert!(browser.text("#status").starts_with(&after));
    // A click leads from a better line back to the mistake.
    click(bad[1]);
    browser.point("mouse", "#better", 0.5, 0.5);
    assert!(browser.text("#status").starts_with("Better line:"));
    browser.press(ESCAPE);
    shows(bad[1]);
    // A click on a ring of the graph, and the address, show the mistake too.
    browser.script(
        "const ring = document.querySelectorAll('#graph circle')[2].getBoundingClientRect();
         document.getElementById('graph').dispatchEvent(new MouseEvent('click', {bubbles: true,
           clientX: ring.x + ring.width / 2, clientY: ring.y + ring.height / 2}))",
    );
    shows(bad[2]);
    browser.open(page.path(), &format!("#before-{}", number(bad[3])));
    shows(bad[3]);
    // Any other move is shown as played only.
    let good = moves.iter().find(|mv| mv["grade"] == "good");
    let good = good.expect("a good move");
    click(good);
    let after = format!("After {}. ", number(good));
    assert!(browser.text("#status").starts_with(&after));
    // Abbreviations are explained, but only those of this page.
    let words = browser.text(".course");
    for text in [
        "Ring: ",
        "Best: ",
        "4@73%: searched 4 moves deep",
        "exact: ",
    ] {
        assert!(words.contains(text), "{text}: {words}");
    }
    let lines = "return document.querySelectorAll('#graph .turn').length";
    let turn = browser.script(lines) == 1;
    assert_eq!(words.contains("Dashed line: "), turn);
    browser.check_log();
}

/// Names with a meaning in HTML, in scripts or in paths.
const HOSTILE: [&str; 4] = [
    "</script><img src=x onerror=\"document.title='bad'\">",
    "\"><b>'bold'</b>",
    "../../up",
    "{{rows}}&lt;",
];

/// Writes the pages of four games to a folder.
fn pages() -> matches::Scratch {
    let [script, bold, up, braces] = HOSTILE;
    let games = format!(
        "% Black: Zoe\n% White: {script}\n% Date: 2019\n{GAME}\n\
         % Black: {bold}\n% White: Zoe\n% Date: 2021\n{}\n\
         % Black: {up}\n% White: {braces}\n% Date: 2020\n{}\n\
         % Black: Ann\u{e9}\n% White: ???\n% Date: 2019\nf5d6c3\n",
        &GAME[..40],
        &GAME[..60]
    );
    let games = Scratch::new("pages.txt", &games);
    let folder = matches::Scratch::new("pages");
    let (games, pages) = (games.path(), folder.0.display());
    emilia_line(&format!("analyze {games} --depth 4 --pages {pages}")).assert_done();
    folder
}

#[test]
fn names_are_escaped_and_every_page_fits_a_phone() {
    let Some(browser) = browser() else { return };
    let folder = pages();
    let entries = std::fs::read_dir(&folder.0).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let names: Vec<String> = names
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    let players = names.iter().filter(|name| name.starts_with("player-"));
    assert_eq!(players.count(), 2 + HOSTILE.len(), "{names:?}");
    for ((width, height), scheme) in WINDOWS.into_iter().zip(SCHEMES) {
        browser.emulate(width, height, scheme);
        for name in &names {
            browser.open(&folder.path(name), "");
            browser.check_look(width, &format!("{name} {width} {scheme}"));
            let foreign = browser.script("return document.querySelectorAll('img, b').length");
            assert_eq!(foreign, 0, "{name}");
            assert_ne!(browser.script("return document.title"), "bad", "{name}");
        }
    }
    browser.emulate(1280, 900, "light");
    let [script, bold, ..] = HOSTILE;
    browser.open(&folder.path("1.html"), "");
    assert_eq!(browser.text("h1"), format!("Zoe \u{2013} {script}"));
    browser.open(&folder.path("index.html"), "");
    let row = browser.text("tbody tr:nth-child(2)");
    assert!(row.contains(bold), "{row}");
    browser.check_log();
}

#[test]
fn lists_can_be_searched_and_sorted_and_link_to_every_page() {
    let Some(browser) = browser() else { return };
    let folder = pages();
    browser.open(&folder.path("index.html"), "");

    // Search: words in any order, ignoring accents and case.
    let shown = || {
        browser.script(
            "return [...document.querySelectorAll('tbody tr')].filter(row => !row.hidden)
               .map(row => Number(row.cells[0].textContent))",
        )
    };
    let search = |text: &str| {
        browser.script(&format!(
            "const search = document.getElementById('search');
             search.value = {text:?};
             search.dispatchEvent(new Event('input'))"
        ));
        shown()
    };
    assert_eq!(search("zoe"), json!([1, 2]));
    assert_eq!(browser.text("#found"), "2 of 4");
    assert_eq!(search("2021 ZOE"), json!([2]));
    assert_eq!(search("annE"), json!([4]));
    assert_eq!(search("nobody"), json!([]));
    assert_eq!(search(""), json!([1, 2, 3, 4]));

    // Sorting: by a column, reversed at the second click, and kept in the address.
    let sort = |column: usize| {
        browser.point(
            "mouse",
            &format!("thead th:nth-child({column}) button"),
            0.5,
            0.5,
        );
        shown()
    };
    let date = 7;
    assert_eq!(sort(date), json!([1, 4, 3, 2]));
    assert_eq!(sort(date), json!([2, 3, 1, 4]));
    let losses = "return [...document.querySelectorAll('tbody td:nth-child(5)')]
        .map(cell => Number(cell.textContent))";
    sort(5);
    let losses = browser.script(losses);
    let numbers = losses.as_array().expect("a list").iter();
    assert!(numbers.map(Value::as_f64).is_sorted(), "{losses}");
    sort(date);
    search("zoe");
    let hash = browser.script("return location.hash");
    browser.open(&folder.path("index.html"), hash.as_str().expect("a text"));
    assert_eq!(shown(), json!([1, 2]));
    search("");
    assert_eq!(shown(), json!([1, 4, 3, 2]));

    // Links: from the list to a game, the next game, a player, and that player's worst move.
    let page = || {
        let path = browser.script("return location.pathname.split('/').pop()");
        path.as_str().expect("a text").to_owned()
    };
    let follow = |selector: &str| {
        browser.script(&format!("document.querySelector({selector:?}).click()"));
        page()
    };
    browser.point("mouse", "tbody tr:first-child td:last-child", 0.5, 0.5);
    assert_eq!(page(), "1.html", "a row leads to its game");
    assert_eq!(follow("a[rel=next]"), "2.html");
    assert_eq!(follow("a[rel=prev]"), "1.html");
    assert_eq!(follow("h1 a"), "player-zoe.html");
    let row = browser.text("tbody tr");
    assert!(row.starts_with("games2"), "{row}");
    assert_eq!(follow("#list tbody tr:first-child a"), "1.html");
    let worst = browser.script(
        "const moves = JSON.parse(document.getElementById('game').textContent).moves;
         const own = moves.filter(move => move.side === 'black');
         const most = Math.max(...own.map(move => move.lost));
         return '#before-' + own.find(move => move.lost === most).number",
    );
    assert_eq!(browser.script("return location.hash"), worst);
    assert_eq!(
        browser.script("return document.querySelectorAll('#board .played').length"),
        1
    );
    assert_eq!(follow(".pages a"), "index.html");
    assert_eq!(follow(".pages a"), "players.html");
    assert_eq!(follow("tbody a"), "player-zoe.html");
    browser.check_log();
}
