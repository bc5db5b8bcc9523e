//! My games in the page of `emilia gui`, the running game, links and pictures, in a real browser.
//! Skipped without `chromedriver` (Debian: `chromium-driver`).

use std::env;
use std::fs;

use serde_json::json;

use crate::browser::GAME;
use crate::common::browser::{Browser, END, RIGHT};
use crate::common::matches;
use crate::common::run::emilia;
use crate::gui::Gui;
use crate::gui_page::{
    LEGAL, analyze, board, click, click_move, downloaded, moves, open_dialog, page, paste,
    start_game, visit, wait_for_moves, wait_for_turn,
};

/// Script: the number of games in the list.
const ROWS: &str = "document.querySelectorAll('#list tbody tr').length";

/// Opens the list and waits until it has this number of games.
fn wait_for_games(browser: &Browser, count: u64) {
    click(browser, "#tab-games");
    browser.wait_until(&format!("{ROWS} === {count}"));
}

/// Opens the only game that a search leaves.
fn open_found(browser: &Browser, words: &str) {
    browser.script(&format!(
        "const search = document.getElementById('search');
         search.value = {words:?};
         search.dispatchEvent(new Event('input'))"
    ));
    browser.wait_until(&format!("{ROWS} === 1"));
    // Not by the mouse: the list may be drawn again on the way.
    browser.script("document.querySelector('#list tbody button').click()");
}

#[test]
fn every_game_played_or_loaded_stays_and_is_opened_again() {
    let Some(browser) = board() else { return };
    start_game(&browser, "h3", "black");
    click_move(&browser);
    wait_for_moves(&browser, 2);
    wait_for_turn(&browser, "black");
    paste(&browser, &format!("% Black: Ann\n% White: Zoe\n{GAME}\n"));
    wait_for_moves(&browser, 60);
    analyze(&browser);
    // A game that is loaded twice is one game.
    for game in [&GAME[..20], &GAME[..20]] {
        paste(&browser, game);
        wait_for_moves(&browser, 10);
    }
    wait_for_games(&browser, 3);
    open_found(&browser, "ann zoe");
    wait_for_moves(&browser, 60);
    browser.wait_until("!document.getElementById('judged').hidden");
    // The game that was left goes on, and the new moves stay too.
    open_found(&browser, "emilia");
    wait_for_moves(&browser, 2);
    click_move(&browser);
    wait_for_moves(&browser, 4);
    visit(&browser, &browser.gui.url);
    wait_for_moves(&browser, 4);
    browser.script("sessionStorage.clear()");
    browser.visit("about:blank");
    visit(&browser, &browser.gui.url);
    wait_for_games(&browser, 3);
    open_found(&browser, "emilia");
    wait_for_moves(&browser, 4);
    browser.check_log();
}

#[test]
fn games_are_renamed_deleted_put_back_and_saved() {
    let Some(browser) = board() else { return };
    let games = ["Ann", "Zoe"].map(|name| format!("% Black: {name}\n{GAME}\n"));
    paste(&browser, &games.concat());
    wait_for_games(&browser, 2);
    click(&browser, "#list tr:nth-child(2) [aria-label=Rename]");
    browser.script(
        "document.activeElement.value = 'Final';
         document.activeElement.dispatchEvent(new Event('change'));
         document.activeElement.blur()",
    );
    browser.wait_until("document.querySelector('#list').textContent.includes('Final')");
    click(&browser, "#list tr:first-child [aria-label=Delete]");
    browser.wait_until(&format!("{ROWS} === 1"));
    click(&browser, "#undrop");
    wait_for_games(&browser, 2);
    let folder = matches::Scratch::new("downloads");
    browser.save_to(folder.folder());
    for format in ["pgn", "sgf"] {
        click(&browser, &format!("#save-{format}"));
        let shown = emilia(&["games", &downloaded(folder.folder(), format)], b"");
        shown.assert_done();
        for part in ["2 games", "Ann", "Zoe"] {
            shown.assert_shows(part);
        }
    }
    // What is deleted is gone at the next visit.
    open_found(&browser, "final");
    click(&browser, "#drop-found");
    browser.wait_until(&format!("{ROWS} === 0"));
    visit(&browser, &browser.gui.url);
    wait_for_games(&browser, 1);
    browser.check_log();
}

#[test]
fn two_tabs_do_not_overwrite_each_other() {
    let Some(browser) = board() else { return };
    start_game(&browser, "two", "black");
    click_move(&browser);
    wait_for_games(&browser, 1);
    // Another tab stores the game with a move of its own.
    browser.script(
        "return (async () => {
           const server = await import(new URL('server.js', document.querySelector('script[src]').src));
           const [game] = await server.listGames();
           const summary = JSON.stringify({...game, revision: 1, event: 'other tab'});
           await server.putGames([{id: game.id, was: game.revision, revision: 1, summary, content: null}]);
         })()",
    );
    click_move(&browser);
    wait_for_games(&browser, 2);
    browser.wait_until("document.getElementById('list').textContent.includes('other tab')");
    browser.check_log();
}

#[test]
fn a_tab_shows_its_board_after_the_program_was_started_again() {
    // The page of files has no program.
    if env::var_os("EMILIA_PAGE").is_some() {
        return;
    }
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let Some(mut browser) = page(&["--state", &state]) else {
        return;
    };
    let old = browser.gui.url.clone();
    visit(&browser, &old);
    click_move(&browser);
    wait_for_moves(&browser, 2);
    wait_for_games(&browser, 1);
    // Dropping the program kills it by SIGKILL.
    let port = browser.gui.port().to_owned();
    browser.gui = Gui::start(&[]);
    browser.gui = Gui::start(&["--state", &state, "--port", &port]);
    visit(&browser, &old);
    wait_for_moves(&browser, 2);
    browser.wait_until("document.querySelector('.news')");
    let news = browser.text(".news");
    assert!(news.starts_with("Emilia was started again"), "{news}");
    // With the new address the button leads there, and the game goes on.
    visit(&browser, &browser.gui.url);
    visit(&browser, &old);
    browser.wait_until("document.querySelector('.news')");
    click(&browser, ".news button");
    let url = json!(browser.gui.url);
    browser.wait_until(&format!("location.href === {url}"));
    wait_for_moves(&browser, 2);
    wait_for_games(&browser, 1);
}

#[test]
fn a_running_game_is_not_touched_by_looking_back() {
    let Some(browser) = board() else { return };
    open_dialog(&browser, "#new");
    browser.script("document.getElementById('minutes').value = '60'");
    click(&browser, ".card:has([value='h3'])");
    click(&browser, ".card:has([name=colour][value='black'])");
    click(&browser, "#begin");
    let first = click_move(&browser);
    wait_for_moves(&browser, 2);
    wait_for_turn(&browser, "black");
    click(&browser, "#back");
    click(&browser, "#back");
    assert_eq!(browser.script(&format!("return {LEGAL}.length")), 0);
    let other = if first == "d3" { "c4" } else { "d3" };
    click(&browser, &format!("#grid [data-square={other}]"));
    assert_eq!(moves(&browser), 2);
    let message = browser.text("#message");
    assert!(message.contains("goes on after move 2"), "{message}");
    // The clock goes on.
    let clock = browser.text("#black-side .clock");
    browser.wait_until(&format!(
        "document.querySelector('#black-side .clock').textContent !== {clock:?}"
    ));
    click(&browser, "#main-line");
    // `m` never plays for the person.
    browser.press('m');
    let is_hidden = "return document.getElementById('move-now').hidden";
    assert_eq!(browser.script(is_hidden), true);
    click_move(&browser);
    wait_for_moves(&browser, 4);
    wait_for_turn(&browser, "black");
    click(&browser, "#undo");
    click(&browser, "#undo");
    click(&browser, &format!("#grid [data-square={other}]"));
    browser.wait_until("document.querySelectorAll('.pair .move').length === 2");
    // Resign asks once, and can be taken back.
    let over = || browser.text("#status").contains("The game is over");
    click(&browser, "#tab-menu");
    click(&browser, "#resign");
    assert_eq!(
        (browser.text("#resign").as_str(), over()),
        ("Resign?", false)
    );
    click(&browser, "#resign");
    assert!(over());
    click(&browser, "#undo");
    assert!(!over());
    browser.check_log();
}

#[test]
fn a_phone_looks_back_shows_the_end_at_once_and_plays_on_from_any_position() {
    let Some(browser) = board() else { return };
    browser.emulate(360, 640, "light");
    for made in [2, 4] {
        wait_for_turn(&browser, "black");
        click_move(&browser);
        wait_for_moves(&browser, made);
    }
    wait_for_turn(&browser, "black");
    let status = || browser.text("#status");
    click(&browser, "#thumb-back");
    assert!(status().contains("goes on after move 4"), "{}", status());
    click(&browser, "#thumb-next");
    click(&browser, "#thumb-menu");
    click(&browser, "#resign");
    click(&browser, "#resign");
    assert!(status().contains("The game is over"), "{}", status());
    let is_seen = "const [status, bar] = ['#status', '.stepper'].map(one => document.querySelector(one).getBoundingClientRect());
        return status.top >= 0 && status.bottom <= bar.top";
    assert_eq!(browser.script(is_seen), true);
    // Without an analysis, too, and Undo does not take the resignation back there.
    click(&browser, "#thumb-back");
    click(&browser, "#thumb-back");
    open_dialog(&browser, "#play-on");
    click(&browser, "#begin");
    browser.wait_until("!document.querySelector('dialog[open]')");
    wait_for_turn(&browser, "black");
    let before = status();
    for key in [RIGHT, END, 'r', 'u'] {
        browser.press(key);
        assert_eq!(status(), before, "the game is not repeated");
    }
    let disabled =
        "return [...document.querySelectorAll('.thumb:disabled:not([hidden])')].map(one => one.id)";
    assert_eq!(
        browser.script(disabled),
        json!(["thumb-undo", "thumb-next"])
    );
    click(&browser, "#thumb-game");
    // A game that is loaded says how it ends.
    paste(&browser, GAME);
    wait_for_moves(&browser, 60);
    let opened = status();
    assert!(
        opened.contains("Before the first move.") && opened.contains("wins"),
        "{opened}"
    );
    browser.check_log();
}

#[test]
fn the_list_of_games_is_seen_whole_and_names_opponents_as_the_board_does() {
    let Some(browser) = board() else { return };
    click_move(&browser);
    wait_for_moves(&browser, 2);
    let plate = browser.text("#white-side .name");
    wait_for_games(&browser, 1);
    let row = browser.text("#list tbody");
    assert!(row.contains(&plate), "{plate}: {row}");
    let cut = "const {right} = document.getElementById('list').parentElement.getBoundingClientRect();
        return [...document.querySelectorAll('#list button')].filter(one => one.getBoundingClientRect().right > right)
          .map(one => one.textContent)";
    for (width, height) in [(1366, 650), (360, 640)] {
        browser.emulate(width, height, "light");
        assert_eq!(browser.script(cut), json!([]), "{width}");
    }
}

#[test]
fn a_link_opens_where_it_was_copied_and_says_what_it_could_not_read() {
    let Some(browser) = board() else { return };
    let open = |hash: &str| {
        browser.visit("about:blank");
        visit(&browser, &format!("{}#{hash}", browser.gui.url));
        browser.wait_until("document.documentElement.matches('.ready')");
    };
    open("moves=f5d6z9");
    let message = browser.text("#message");
    assert!(
        message.contains("z9") && message.contains("move 2"),
        "{message}"
    );
    let status = browser.text("#status");
    assert!(status.contains("After 2. d6"), "{status}");
    paste(
        &browser,
        &format!("% Black: Ann\n% White: Zo\u{eb}\n{GAME}\n"),
    );
    wait_for_moves(&browser, 60);
    for _ in 0..3 {
        click(&browser, "#next");
    }
    browser.script("navigator.clipboard.writeText = async text => { window.link = text }");
    click(&browser, "#tab-menu");
    click(&browser, "#share");
    browser.wait_until("document.getElementById('share-dialog').open");
    click(&browser, "#copy-link");
    let link = browser.script("return window.link.split('#')[1]");
    open(link.as_str().expect("a link"));
    wait_for_moves(&browser, 60);
    let status = browser.text("#status");
    assert!(status.contains("After 3. c3"), "{status}");
    assert_eq!(browser.text("#white-side .name"), "Zo\u{eb}");
    browser.check_log();
}

#[test]
fn a_pass_stands_in_the_list_of_moves() {
    let Some(browser) = board() else { return };
    // White has no move after c1.
    let start = format!("XO------{}XO------ X", "-".repeat(48));
    browser.script(&format!("location.hash = 'moves=c1c8&start={start}'"));
    wait_for_moves(&browser, 2);
    let row = browser
        .script("return [...document.querySelector('.pair').children].map(one => one.textContent)");
    assert_eq!(row, json!(["1.", "c1", "pass"]));
}

#[test]
fn a_deeper_analysis_can_follow() {
    let Some(browser) = board() else { return };
    paste(&browser, &GAME[..40]);
    wait_for_moves(&browser, 20);
    analyze(&browser);
    let is_hidden = "document.getElementById('analyze').hidden";
    let choose = |index: u64| {
        browser.script(&format!(
            "const depth = document.getElementById('depth');
             depth.selectedIndex = {index};
             depth.dispatchEvent(new Event('change'))"
        ));
    };
    browser.wait_until(is_hidden);
    choose(1);
    browser.wait_until(&format!("!{is_hidden}"));
    click(&browser, "#analyze");
    browser.wait_until(is_hidden);
    // A less deep one would find nothing new.
    choose(0);
    assert_eq!(browser.script(&format!("return {is_hidden}")), true);
    browser.check_log();
}

#[test]
fn a_picture_is_small_and_has_the_players() {
    let Some(browser) = board() else { return };
    paste(
        &browser,
        &format!("% Black: Ann\n% White: Zoe B.\n{GAME}\n"),
    );
    wait_for_moves(&browser, 60);
    click(&browser, "#last");
    let folder = matches::Scratch::new("downloads");
    browser.save_to(folder.folder());
    click(&browser, "#tab-menu");
    click(&browser, "#share");
    browser.wait_until("document.getElementById('share-dialog').open");
    click(&browser, "#save-png");
    let path = downloaded(folder.folder(), "png");
    assert!(path.contains("/Ann-Zoe-B-"), "{path}");
    let bytes = fs::read(&path).expect("a file");
    assert!(bytes.len() <= 150_000, "{} bytes", bytes.len());
    // Below the board is a line of text.
    let [width, height] = [16, 20].map(|at| &bytes[at..at + 4]);
    assert!(height > width, "{width:?} {height:?}");
    browser.check_log();
}
