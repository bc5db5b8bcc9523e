//! Openings of one's own, and openings of a game, on the page of `emilia gui` in a real browser.
//! Skipped without `chromedriver` (Debian: `chromium-driver`).

use std::fs;

use emilia_core::board::{Position, Transcript};
use serde_json::json;

use crate::common::browser::Browser;
use crate::common::matches::Scratch;
use crate::gui_page::{
    LEGAL, Page, board, click, click_move, downloaded, moves, open_dialog, page, paste, start_game,
    visit, wait_for_moves,
};

/// Number of lines of the opening that is drilled.
const LINES: usize = 30;

/// Script: text of an element.
fn has(id: &str, words: &str) -> String {
    format!("document.getElementById('{id}').textContent.includes({words:?})")
}

/// Returns lines of the Tiger, of eleven plies, none twice.
fn tiger() -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut lines: Vec<String> = Vec::new();
    while lines.len() < LINES {
        let mut game = Transcript::parse("f5d6c3d3c4", Position::START).expect("the Tiger");
        let mut position = game.end();
        while game.moves.len() < 11 {
            let mv = random.choice(position.moves()).expect("a move");
            position = position.play(mv).expect("a legal move");
            game.moves.push(mv);
        }
        let line = game.to_string();
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Opens the page of one's own openings.
fn visit_openings(browser: &Page) {
    browser.visit(&format!("{}openings.html", browser.gui.url));
    browser.wait_until("document.getElementById('counts').textContent.length > 0");
}

/// Loads lines from a file.
fn load(browser: &Browser, folder: &Scratch, lines: &[String]) {
    let path = folder.path("lines.txt");
    fs::write(&path, lines.join("\n")).expect("a file");
    browser.choose_file("#load", &path);
    browser.wait_until("document.querySelector('.news')?.textContent.includes('read')");
    click(browser, ".news button");
}

/// Returns the number of moves that are due.
fn due(browser: &Browser) -> u64 {
    let number = browser.text("#number");
    let number = number.split(' ').next().and_then(|word| word.parse().ok());
    number.expect("a number of moves")
}

/// Waits for a question.
fn wait_for_question(browser: &Browser) {
    browser.wait_until(&has("status", "What do you play here?"));
}

/// Returns the move that the page shows as right.
fn shown_move(browser: &Browser) -> String {
    let status = browser.text("#status");
    assert!(status.contains("is your move"), "{status}");
    status[..2].to_owned()
}

#[test]
fn thirty_lines_of_one_opening_outlive_the_tab_and_another_tab() {
    let Some(browser) = page(&[]) else { return };
    browser.emulate(360, 640, "light");
    visit_openings(&browser);
    let folder = Scratch::new("lines");
    let lines = tiger();
    load(&browser, &folder, &lines);
    assert!(browser.text("#counts").starts_with("30 lines"));
    browser.check_look(360, "a question");
    let all = due(&browser);
    // A right answer and one that is shown, each kept although the tab is closed at once.
    wait_for_question(&browser);
    click(&browser, "#grid [data-square=f5]");
    wait_for_question(&browser);
    click(&browser, "#hint");
    browser.visit("about:blank");
    visit_openings(&browser);
    assert!(browser.text("#counts").starts_with("30 lines"));
    assert_eq!(due(&browser), all - 2);
    // Another tab adds a line and answers; this one has not seen it when it answers.
    wait_for_question(&browser);
    browser.script(
        "return (async () => {
           const other = await import(new URL('repertoire.js?tab', document.querySelector('script[src]').src));
           await other.read();
           await other.change(all => {
             other.addTo(all.lines.black, ['d3', 'c3', 'c4']);
             all.answers['another position'] = [[1, true]];
           });
         })()",
    );
    click(&browser, "#hint");
    click(
        &browser,
        &format!("#grid [data-square={}]", shown_move(&browser)),
    );
    browser.wait_until("document.getElementById('line').children.length >= 6");
    visit_openings(&browser);
    assert!(browser.text("#counts").starts_with("31 lines"));
    // The question after the new line is new, and one was answered here.
    let answers = browser.script(
        "return (async () => {
           const other = await import(new URL('repertoire.js?later', document.querySelector('script[src]').src));
           return Object.keys((await other.read()).answers).length;
         })()",
    );
    assert_eq!(answers, json!(4));
    // A line begins with f5, whatever its first move was.
    assert!(browser.text("#own").contains("f5 f6 e6"));
    browser.check_log();
}

#[test]
fn a_wrong_move_is_answered_with_its_loss_and_both_lines() {
    let Some(browser) = page(&[]) else { return };
    visit_openings(&browser);
    let folder = Scratch::new("lines");
    load(&browser, &folder, &["f5d6c3d3c4b3".to_owned()]);
    wait_for_question(&browser);
    click(&browser, "#grid [data-square=f5]");
    wait_for_question(&browser);
    click(&browser, "#grid [data-square=c7]");
    browser.wait_until(&has("status", "c7 is not in your openings: play c3."));
    browser.wait_until(&has("status", "c7 loses "));
    let lines = browser.text("#lines");
    assert!(lines.contains("Your openings: c3 d3 c4 b3"), "{lines}");
    assert!(lines.contains("Refutation of your move"), "{lines}");
    // The line of the openings on the board and back, and the move is asked until it is right.
    click(&browser, "#lines button");
    click(&browser, "#last");
    assert_eq!(browser.script(&format!("return {LEGAL}.length")), json!(0));
    click(&browser, "#first");
    for square in ["c3", "c4"] {
        click(&browser, &format!("#grid [data-square={square}]"));
        browser.wait_until(&format!(
            "{} || {}",
            has("status", "What do you play"),
            has("status", "All moves are practised")
        ));
    }
    // What was known returns later than what was not.
    browser.wait_until(&has("status", "The first one returns in 1 day."));
    // Names stand beside the moves. The last move asks for nothing: the page does not play it.
    let line = browser.text("#line");
    assert!(line.ends_with("c3d3c4 Tiger"), "{line}");
    browser.check_log();
}

#[test]
fn lines_are_added_removed_put_back_saved_and_loaded() {
    let Some(browser) = board() else { return };
    paste(&browser, "d3c3c4c5");
    wait_for_moves(&browser, 4);
    click(&browser, "#last");
    click(&browser, "#keep-line");
    browser.wait_until("document.querySelector('#line-dialog[open]')");
    browser.wait_until(&has("line-moves", "d3 c3 c4"));
    click(&browser, "#line-white");
    browser.wait_until(&has("line-kept", "1 line"));
    visit_openings(&browser);
    browser.script(
        "const colour = document.getElementById('colour');
         colour.value = 'white';
         colour.dispatchEvent(new Event('change'))",
    );
    browser.wait_until(&has("own", "f5 f6 e6"));
    let folder = Scratch::new("downloads");
    load(
        &browser,
        &folder,
        &["f5d6c3".to_owned(), "f5d6c4".to_owned()],
    );
    assert!(browser.text("#counts").starts_with("3 lines"));
    browser.save_to(folder.folder());
    click(&browser, "#save");
    let saved = downloaded(folder.folder(), "sgf");
    for count in ["2 lines", "1 line", "0 lines"] {
        click(&browser, "#own li:last-child button");
        browser.wait_until(&has("counts", count));
    }
    click(&browser, ".news button");
    browser.wait_until(&has("counts", "1 line"));
    browser.choose_file("#load", &saved);
    browser.wait_until(&has("counts", "3 lines"));
    // The list of games has no row of them.
    visit(&browser, &browser.gui.url);
    click(&browser, "#tab-games");
    browser.wait_until(&has("found", "1 game"));
    browser.check_log();
}

/// Starts a game as `colour` from a kind of start, after `choose` has filled its fields.
fn start_from(browser: &Browser, start: &str, colour: &str, choose: &str) {
    open_dialog(browser, "#new");
    click(browser, &format!(".card:has([name=start][value={start}])"));
    click(
        browser,
        &format!(".card:has([name=colour][value={colour}])"),
    );
    click(browser, ".card:has([name=opponent][value='3s'])");
    browser.script(choose);
    click(browser, "#begin");
    browser.wait_until("!document.querySelector('dialog[open]')");
}

#[test]
fn the_opponent_plays_lines_of_mine_and_a_named_opening() {
    let Some(browser) = page(&[]) else { return };
    visit_openings(&browser);
    let folder = Scratch::new("lines");
    // Neither answer is one that the engine would choose.
    load(&browser, &folder, &["f5f4c3".to_owned()]);
    visit(&browser, &browser.gui.url);
    start_from(&browser, "mine", "black", "");
    click(&browser, "#grid [data-square=d3]");
    wait_for_moves(&browser, 2);
    let list = browser.text("#moves");
    assert!(list.contains("e3"), "{list}");
    let named = "document.getElementById('named').options.length > 0";
    open_dialog(&browser, "#new");
    click(&browser, ".card:has([name=start][value=named])");
    browser.wait_until(named);
    click(&browser, "#cancel-game");
    start_from(
        &browser,
        "named",
        "white",
        "const named = document.getElementById('named');
         named.value = [...named.options].find(one => one.textContent === 'Rose-Bill').value",
    );
    for (count, square) in [(1, "d6"), (3, "d3"), (5, "f4"), (7, "b3")] {
        wait_for_moves(&browser, count);
        browser.wait_until(&format!("{LEGAL}.length > 0"));
        click(&browser, &format!("#grid [data-square={square}]"));
    }
    wait_for_moves(&browser, 9);
    browser.wait_until(&has("status", "Rose-Bill"));
    browser.check_log();
}

#[test]
fn a_random_position_has_its_number_of_discs() {
    let Some(browser) = board() else { return };
    let choose = "for (const [name, value] of Object.entries({discs: 20, least: -8, most: 8}))
           document.getElementById(name).value = value";
    start_from(&browser, "random", "black", choose);
    browser.wait_until("document.querySelectorAll('.pair .move').length >= 16");
    let label = browser.script("return document.getElementById('board').ariaLabel");
    let numbers = label.as_str().expect("a label").split(' ');
    let discs: u64 = numbers.filter_map(|word| word.parse::<u64>().ok()).sum();
    assert!((20..=21).contains(&discs), "{label}");
    browser.check_log();
}

#[test]
fn clicks_and_labels_follow_a_board_that_is_turned() {
    let Some(browser) = board() else { return };
    start_game(&browser, "two", "black");
    let center = |selector: &str| {
        let place = browser.script(&format!(
            "const [b, f] = [{selector:?}, '#frame'].map(one => document.querySelector(one).getBoundingClientRect());
             return [(b.x + b.width / 2 - f.x) / f.width, (b.y + b.height / 2 - f.y) / f.height].map(n => Math.floor(8 * n))"
        ));
        [place[0].as_u64(), place[1].as_u64()].map(|number| number.expect("a number"))
    };
    let label = |at: usize| {
        let labels = "return [...document.querySelectorAll('#board [font-size=\"14\"] text')].map(one => one.textContent)";
        browser.script(labels)[at]
            .as_str()
            .expect("a label")
            .to_owned()
    };
    for (turn, place, column, row) in [
        ("90", [3, 2], "8", "a"),
        ("180", [4, 5], "h", "8"),
        ("mirror", [4, 2], "h", "1"),
        ("0", [3, 2], "a", "1"),
    ] {
        browser.script(&format!(
            "const turn = document.querySelector('[name=turn]');
             document.documentElement.classList.remove('ready');
             turn.value = '{turn}';
             turn.dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
        browser.wait_until(&format!(
            "document.documentElement.classList.contains('ready') && document.documentElement.dataset.turn === '{turn}'"
        ));
        let square = if turn == "90" { "c5" } else { "d3" };
        assert_eq!(
            center(&format!("#grid [data-square={square}]")),
            place,
            "{turn}"
        );
        assert_eq!([label(0), label(1)], [column, row], "{turn}");
    }
    // The square that is clicked is played, and its disc lies there.
    let before = moves(&browser);
    let played = click_move(&browser);
    wait_for_moves(&browser, before + 1);
    assert!(browser.text("#moves").contains(&played));
    browser.check_log();
}

#[test]
fn the_explorer_counts_the_games_of_an_event() {
    let Some(browser) = board() else { return };
    paste(
        &browser,
        "% Black: Ann\n% Event: Open\nf5d6c3\n% Black: Bob\n% Event: Club\nf5d6c4\n",
    );
    browser.wait_until("document.querySelectorAll('#list tbody tr').length === 2");
    click(&browser, "#tab-explorer");
    click(&browser, "#first");
    browser.wait_until(&has("explored-words", "2 of 2 games of yours"));
    browser.script(
        "const only = document.getElementById('only');
         only.value = 'club';
         only.dispatchEvent(new Event('input'))",
    );
    browser.wait_until(&has("explored-words", "1 of 1 game of yours"));
    browser.check_log();
}
