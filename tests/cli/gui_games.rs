//! My games in the page of `emilia gui`, the running game, links and pictures, in a real browser.
//! Needs `chromedriver` (Debian: `chromium-driver`).

use std::env;

use serde_json::json;

use crate::browser::GAME;
use crate::common::browser::{Browser, END, RIGHT};
use crate::common::matches;
use crate::common::run::emilia;
use crate::gui::Gui;
use crate::gui_page::{
    LEGAL, analyze, board, click_move, downloaded, load, moves, page, paste, visit, wait_for_moves,
    wait_for_turn,
};

/// Script: the number of games in the list.
const ROWS: &str = "document.querySelectorAll('#list tbody tr').length";

/// Opens the list and waits until it has this number of games.
fn wait_for_games(browser: &Browser, count: u64) {
    browser.does(&format!("push tab-games\n wait {ROWS} === {count}"));
}

/// Opens the only game that a search leaves, not by the mouse: the list may be drawn again.
fn open_found(browser: &Browser, words: &str) {
    browser.does(&format!("set search {words}\n wait {ROWS} === 1"));
    browser.script("document.querySelector('#list tbody button').click()");
}

#[test]
#[ignore = "needs chromedriver"]
fn every_game_played_or_loaded_stays_and_is_opened_again() {
    let browser = board();
    click_move(&browser);
    wait_for_moves(&browser, 2);
    wait_for_turn(&browser, "black");
    let plate = browser.text("#white-side .sub");
    load(&browser);
    analyze(&browser);
    // A game that is loaded twice is one game.
    for game in [&GAME[..20], &GAME[..20]] {
        paste(&browser, game);
        wait_for_moves(&browser, 10);
    }
    wait_for_games(&browser, 3);
    // The list names opponents as the board does.
    let list = browser.text("#list tbody");
    assert!(list.contains(&plate), "{plate}: {list}");
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
    // A deeper analysis can follow another one.
    paste(&browser, &GAME[..40]);
    wait_for_moves(&browser, 20);
    analyze(&browser);
    // A shallower analysis would find nothing new.
    browser.does(
        "wait document.getElementById('analyze').hidden
         set depth 12
         wait !document.getElementById('analyze').hidden
         push analyze
         wait document.getElementById('analyze').hidden
         set depth 8
         wait document.getElementById('analyze').hidden",
    );
    browser.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn games_are_renamed_deleted_put_back_saved_searched_and_counted() {
    let browser = board();
    let games = ["Ann", "Zoe"].map(|name| format!("% Black: {name}\n{GAME}\n"));
    paste(&browser, &games.concat());
    wait_for_games(&browser, 2);
    browser.does(
        "click #list tr:nth-child(2) .acts button
         click #rename
         wait document.activeElement.matches('#list input')",
    );
    browser.script(
        "document.activeElement.value = 'Final';
         document.activeElement.dispatchEvent(new Event('change'));
         document.activeElement.blur()",
    );
    browser.does("says list Final\n click #list tr:first-child .acts button\n click #drop-one");
    browser.does(&format!("wait {ROWS} === 1\n push undrop"));
    wait_for_games(&browser, 2);
    let folder = matches::Scratch::new("downloads");
    browser.save_to(folder.folder());
    for format in ["pgn", "sgf"] {
        browser.does(&format!("push save-{format}"));
        let shown = emilia(&["games", &downloaded(folder.folder(), format)], b"");
        shown.assert_done();
        for part in ["2 games", "Ann", "Zoe"] {
            shown.assert_shows(part);
        }
    }
    // What is deleted is gone at the next visit, and can be put back there, too.
    open_found(&browser, "final");
    browser.does(&format!("push drop-found\n wait {ROWS} === 0"));
    visit(&browser, &browser.gui.url);
    wait_for_games(&browser, 1);
    browser.does("push undrop");
    wait_for_games(&browser, 2);
    // The Explorer counts the games of an event, and a search reaches games that are not drawn.
    browser.does(
        "push tab-explorer
         push first
         says explored-words 2 of 2 games of yours
         set only final
         says explored-words 1 of 1 game of yours",
    );
    let games = (0..700).map(|index| format!("% Black: Ann {index}\nf5d6c3\n"));
    browser.does("set search");
    paste(&browser, &games.collect::<String>());
    browser.does(&format!("wait {ROWS} === 200\n says found 702 games"));
    open_found(&browser, "ann 650");
    browser.wait_until("document.querySelector('#black-side .name').textContent === 'Ann 650'");
    browser.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn a_tab_outlives_the_program_and_the_changes_of_another_tab() {
    // The page of files has no program.
    if env::var_os("EMILIA_PAGE").is_some() {
        return;
    }
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let mut browser = page(&["--state", &state]);
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
    browser.wait_until(
        "document.querySelector('.news')?.textContent.startsWith('Emilia was started again')",
    );
    // With the new address the button leads there, and the game goes on.
    visit(&browser, &browser.gui.url);
    visit(&browser, &old);
    let url = json!(browser.gui.url);
    browser.does(&format!(
        "wait document.querySelector('.news')
         click .news button
         wait location.href === {url}"
    ));
    wait_for_moves(&browser, 2);
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
    wait_for_turn(&browser, "black");
    click_move(&browser);
    wait_for_games(&browser, 2);
    browser.does("says list other tab");
}

#[test]
#[ignore = "needs chromedriver"]
fn a_running_game_is_not_touched_by_looking_back_and_any_position_is_played_on() {
    let browser = board();
    browser.does(
        "open new
         set minutes 60
         choose opponent h3
         choose colour black
         push begin",
    );
    let first = click_move(&browser);
    wait_for_moves(&browser, 2);
    wait_for_turn(&browser, "black");
    browser.does("push back\n push back");
    assert_eq!(browser.script(&format!("return {LEGAL}.length")), 0);
    let other = if first == "d3" { "c4" } else { "d3" };
    browser.does(&format!(
        "click #grid [data-square={other}]
         says message goes on after move 2"
    ));
    assert_eq!(moves(&browser), 2);
    // The clock goes on.
    let clock = browser.text("#black-side .clock");
    browser.wait_until(&format!(
        "document.querySelector('#black-side .clock').textContent !== {clock:?}"
    ));
    // `m` never plays for the person.
    browser.does("push main-line\n press m\n wait document.getElementById('move-now').hidden");
    click_move(&browser);
    wait_for_moves(&browser, 4);
    wait_for_turn(&browser, "black");
    browser.does(&format!(
        "push undo
         push undo
         click #grid [data-square={other}]"
    ));
    wait_for_moves(&browser, 2);
    // Resign asks once, and can be taken back.
    let over = || browser.text("#status").contains("The game is over");
    browser.does("push resign\n says resign Resign?");
    assert!(!over());
    browser.does("push resign\n says status The game is over\n push undo");
    assert!(!over());
    browser.emulate(360, 640, "light");
    browser.does(
        "push thumb-back
         says status goes on after move 2
         push thumb-next
         push resign
         push resign
         says status The game is over",
    );
    // Without an analysis, too, and Undo does not take the resignation back there.
    browser.does(
        "push thumb-back
         open play-on
         push begin
         wait !document.querySelector('dialog[open]')",
    );
    wait_for_turn(&browser, "white");
    let before = browser.text("#status");
    for key in [RIGHT, END, 'r', 'u'] {
        browser.press(key);
        assert_eq!(browser.text("#status"), before, "the game is not repeated");
    }
    let disabled =
        "return ['thumb-undo', 'thumb-next'].every(id => document.getElementById(id).disabled)";
    assert_eq!(browser.script(disabled), true);
    browser.does("push thumb-game");
    // A game that is loaded says how it ends.
    load(&browser);
    browser.does("says status Before the first move.\n says status wins");
    browser.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn a_link_opens_where_it_was_copied_and_says_what_it_could_not_read() {
    let browser = board();
    let open = |hash: &str| {
        browser.visit("about:blank");
        visit(&browser, &format!("{}#{hash}", browser.gui.url));
        browser.wait_until("document.documentElement.matches('.ready')");
    };
    open("moves=f5d6z9");
    browser.does(
        "says message z9
         says message move 2
         says status After 2. d6",
    );
    load(&browser);
    let folder = matches::Scratch::new("downloads");
    browser.save_to(folder.folder());
    browser.script("navigator.clipboard.writeText = async text => { window.link = text }");
    browser.does(
        "push next
         push next
         push next
         open share
         push copy-link
         wait window.link
         push save-png",
    );
    assert!(downloaded(folder.folder(), "png").contains("/Ann-Zo"));
    // The address of the program has its token: the game is copied as a text there, and as a link on the page of files.
    let link = browser.script("return window.link");
    let link = link.as_str().expect("a text");
    let is_site = std::env::var_os("EMILIA_PAGE").is_some();
    assert_eq!(link.contains("http"), is_site, "{link}");
    match link.split_once('#') {
        Some((_, hash)) => open(hash),
        None => paste(&browser, link),
    }
    wait_for_moves(&browser, 60);
    assert_eq!(browser.text("#white-side .name"), "Zo\u{eb}");
    // A pass stands in the list of moves: White has none after c1.
    let start = format!("XO------{}XO------ X", "-".repeat(48));
    browser.script(&format!("location.hash = 'moves=c1c8&start={start}'"));
    wait_for_moves(&browser, 2);
    let row = "return [...document.querySelector('.pair').children].map(one => one.textContent)";
    assert_eq!(browser.script(row), json!(["1.", "c1", "pass"]));
    browser.check_log();
}
