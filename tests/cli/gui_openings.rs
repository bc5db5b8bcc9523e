//! Openings of one's own, and openings of a game, on the page of `emilia gui` in a real browser.
//! Needs `chromedriver` (Debian: `chromium-driver`).

use std::fs;

use serde_json::json;

use crate::common::browser::Browser;
use crate::common::matches::Scratch;
use crate::gui_page::{LEGAL, Page, click, downloaded, page, paste, visit, wait_for_moves};

/// Lines of the Tiger, none the beginning of another one.
const LINES: &str =
    "f5d6c3d3c4f4f6f3e6e7 f5d6c3d3c4f4f6g5e6d7 f5d6c3d3c4f4f6b4e3b3 f5d6c3d3c4f4c5b3c2e3";

/// Opens the page of one's own openings.
fn visit_openings(browser: &Page) {
    browser.visit(&format!("{}openings.html", browser.gui.url));
    browser.wait_until("document.getElementById('counts').textContent.length > 0");
}

/// Opens the page of one's own openings, and loads lines from a file.
fn load(browser: &Page, folder: &Scratch, lines: &str) {
    visit_openings(browser);
    let path = folder.path("lines.txt");
    fs::write(&path, lines.replace(' ', "\n")).expect("a file");
    browser.choose_file("#load", &path);
    browser.does(
        "wait document.querySelector('.news')?.textContent.includes('read')
         click .news button",
    );
}

/// Returns the number of moves that are due.
fn due(browser: &Browser) -> u64 {
    let number = browser.text("#number");
    let number = number.split(' ').next().and_then(|word| word.parse().ok());
    number.expect("a number of moves")
}

/// Evaluates JavaScript with a second copy of the module that keeps the lines, as another tab has.
fn in_another_tab(browser: &Browser, code: &str) -> serde_json::Value {
    browser.script(&format!(
        "return (async () => {{
           const other = await import(new URL('repertoire.js?{}', document.querySelector('script[src]').src));
           {code}
         }})()",
        code.len()
    ))
}

#[test]
#[ignore = "needs chromedriver"]
fn lines_and_answers_outlive_the_tab_and_another_tab() {
    let browser = page(&[]);
    browser.emulate(360, 640, "light");
    let folder = Scratch::new("lines");
    load(&browser, &folder, LINES);
    browser.does("says counts 4 lines");
    browser.check_look(360, "a question");
    let all = due(&browser);
    // A right answer and a shown answer. Each is kept, although the tab is closed at once.
    browser.does(
        "says status What do you play here?
         click #grid [data-square=f5]
         says status What do you play here?
         push hint",
    );
    visit_openings(&browser);
    browser.does("says counts 4 lines");
    assert_eq!(due(&browser), all - 2);
    // Another tab adds a line and answers; this one has not seen it when it answers.
    browser.does("says status What do you play here?");
    let added = "await other.read();
        await other.change(all => {
          other.addTo(all.lines.black, ['d3', 'c3', 'c4']);
          all.answers['another position'] = [[1, true]];
        });";
    in_another_tab(&browser, added);
    browser.does("push hint\n says status is your move");
    let square = browser.text("#status")[..2].to_owned();
    click(&browser, &format!("#grid [data-square={square}]"));
    browser.wait_until("document.getElementById('line').children.length >= 6");
    visit_openings(&browser);
    // A line begins with f5, whatever its first move was.
    browser.does("says counts 5 lines\n says own f5 f6 e6");
    let answers = "return Object.keys((await other.read()).answers).length;";
    assert_eq!(in_another_tab(&browser, answers), json!(4));
    browser.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn a_wrong_move_is_answered_and_lines_are_added_removed_put_back_saved_and_loaded() {
    let browser = page(&[]);
    let folder = Scratch::new("lines");
    load(&browser, &folder, "f5d6c3d3c4b3");
    // The line of the openings on the board and back, and the move is asked until it is right.
    browser.does(
        "says status What do you play here?
         click #grid [data-square=f5]
         says status What do you play here?
         click #grid [data-square=c7]
         says status c7 is not in your openings: play c3
         says status c7 loses
         says lines Your openings
         says lines c3d3c4b3
         says lines Refutation of your move
         click #lines button
         push last",
    );
    assert_eq!(browser.script(&format!("return {LEGAL}.length")), json!(0));
    // A known move returns later than an unknown move. The last move asks for nothing.
    browser.does(
        "push first
         click #grid [data-square=c3]
         says status What do you play
         click #grid [data-square=c4]
         says status The first one returns in 1 day.",
    );
    let line = browser.text("#line");
    assert!(line.ends_with("c3d3c4 Tiger"), "{line}");
    // A line is added from the board.
    visit(&browser, &browser.gui.url);
    paste(&browser, "d3c3c4c5");
    wait_for_moves(&browser, 4);
    browser.does(
        "push last
         open keep-line
         says line-moves d3 c3 c4
         push line-white
         says line-kept 1 line",
    );
    visit_openings(&browser);
    browser.does("set colour white\n says own f5 f6 e6");
    load(&browser, &folder, "f5d6c3 f5d6c4");
    browser.does("says counts 3 lines");
    let folder = Scratch::new("downloads");
    browser.save_to(folder.folder());
    browser.does("push save");
    let saved = downloaded(folder.folder(), "sgf");
    for count in ["2 lines", "1 line", "0 lines"] {
        browser.does(&format!(
            "click #own li:last-child button\n says counts {count}"
        ));
    }
    visit_openings(&browser);
    browser.does("push put-back\n says counts 1 line");
    browser.choose_file("#load", &saved);
    browser.does("says counts 3 lines");
    // The list of My games has no row of the openings.
    visit(&browser, &browser.gui.url);
    browser.does("push tab-games\n says found 1 game");
    browser.check_log();
}

/// Starts a game as `colour` from a kind of start, after `steps` have filled its fields.
fn start_from(browser: &Browser, start: &str, colour: &str, steps: &str) {
    browser.does(&format!(
        "open new
         choose start {start}
         choose colour {colour}
         choose opponent 3s
         {steps}
         push begin
         wait !document.querySelector('dialog[open]')"
    ));
}

#[test]
#[ignore = "needs chromedriver"]
fn the_opponent_plays_lines_of_mine_and_a_named_opening() {
    let browser = page(&[]);
    let folder = Scratch::new("lines");
    // Neither answer is one that the engine would choose.
    load(&browser, &folder, "f5f4c3");
    visit(&browser, &browser.gui.url);
    start_from(&browser, "mine", "black", "");
    click(&browser, "#grid [data-square=d3]");
    wait_for_moves(&browser, 2);
    browser.does("says moves e3");
    start_from(
        &browser,
        "named",
        "white",
        "wait document.getElementById('named').options.length > 0
         wait (named.value = [...named.options].find(one => one.textContent === 'Rose-Bill').value)",
    );
    for (count, square) in [(1, "d6"), (3, "d3"), (5, "f4"), (7, "b3")] {
        wait_for_moves(&browser, count);
        browser.wait_until(&format!("{LEGAL}.length > 0"));
        click(&browser, &format!("#grid [data-square={square}]"));
    }
    wait_for_moves(&browser, 9);
    browser.does("says status Rose-Bill");
    browser.check_log();
}
