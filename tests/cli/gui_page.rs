//! The page of `emilia gui` in a real browser.
//! Skipped without `chromedriver` (Debian: `chromium-driver`).

use std::env;
use std::fs;
use std::ops::Deref;

use serde_json::{Value, json};

use crate::browser::{GAME, HOSTILE};
use crate::common::browser::{Browser, ESCAPE, SCHEMES, browser};
use crate::common::run::{cases, emilia, emilia_line};
use crate::common::scratch::Scratch;
use crate::common::{matches, wait_until};
use crate::gui::{Gui, answers};

/// Script: the moves that can be clicked.
pub(crate) const LEGAL: &str = "document.querySelectorAll('#grid button.legal')";

/// Script: whether the game is over.
const IS_OVER: &str = "document.getElementById('status').textContent.includes('The game is over')";

/// Script: the evaluations on the screen, of which a game has none.
const EVALUATIONS: &str = r"
const shown = ['#graph svg', '.move .score', '#grid button span', '#hints tbody tr', '#better-line button'];
return shown.filter(one => document.querySelector(one)?.checkVisibility())
  .concat(document.querySelector('#bar.empty') ? [] : ['#bar'])
  .concat(document.body.innerText.match(/[+\u2212]\d/g) ?? [])";

/// Clicks the first legal square, with the mouse.
pub(crate) fn click_move(browser: &Browser) -> String {
    let square = browser.script(&format!("return {LEGAL}[0].dataset.square"));
    let square = square.as_str().expect("a square").to_owned();
    click(browser, &format!("#grid [data-square={square}]"));
    square
}

pub(crate) fn click(browser: &Browser, selector: &str) {
    browser.point("mouse", selector, 0.5, 0.5);
}

/// Opens the dialog of a new game by a button. The page loads it when it is opened.
pub(crate) fn open_dialog(browser: &Browser, button: &str) {
    click(browser, button);
    browser.wait_until("document.getElementById('new-dialog').open");
}

/// Returns the number of moves of the game, without variations.
pub(crate) fn moves(browser: &Browser) -> u64 {
    let rows = browser.script("return document.querySelectorAll('.pair .move').length");
    rows.as_u64().expect("a number")
}

pub(crate) fn wait_for_moves(browser: &Browser, count: u64) {
    browser.wait_until(&format!(
        "document.querySelectorAll('.pair .move').length === {count}"
    ));
}

/// Analyses the game on the page at the smallest depth.
pub(crate) fn analyze(browser: &Browser) {
    browser.script(
        "const depth = document.getElementById('depth');
         depth.selectedIndex = 0;
         depth.dispatchEvent(new Event('change'))",
    );
    click(browser, "#analyze");
    browser.wait_until("!document.getElementById('judged').hidden");
}

/// A browser, and the server of its page.
pub(crate) struct Page {
    browser: Browser,
    pub(crate) gui: Gui,
}

impl Deref for Page {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

/// Starts a browser, and a server with these arguments. `None` without a browser.
pub(crate) fn page(arguments: &[&str]) -> Option<Page> {
    let (browser, gui) = (browser()?, Gui::start(arguments));
    Some(Page { browser, gui })
}

/// Returns a page that shows the board.
pub(crate) fn board() -> Option<Page> {
    let page = page(&[])?;
    visit(&page, &page.gui.url);
    Some(page)
}

/// Loads the page, and waits until it shows the board.
pub(crate) fn visit(browser: &Browser, url: &str) {
    browser.visit(url);
    browser.wait_until("document.getElementById('status').textContent.length > 0");
}

/// Loads a text into the page by its dialog.
pub(crate) fn paste(browser: &Browser, text: &str) {
    browser.script(&format!(
        "document.getElementById('paste').click();
         document.getElementById('text').value = {};
         document.getElementById('read').click()",
        json!(text)
    ));
}

/// Starts a game by the dialog, against an opponent as this colour.
pub(crate) fn start_game(browser: &Browser, opponent: &str, colour: &str) {
    open_dialog(browser, "#new");
    for (name, value) in [("opponent", opponent), ("colour", colour)] {
        click(
            browser,
            &format!(".card:has([name={name}][value='{value}'])"),
        );
    }
    click(browser, "#begin");
    browser.wait_until("!document.querySelector('dialog[open]')");
}

/// Waits until a side has the move, or the game is over.
pub(crate) fn wait_for_turn(browser: &Browser, side: &str) {
    browser.wait_until(&format!(
        "{IS_OVER} || {LEGAL}.length > 0 && document.querySelector('#{side}-side[aria-current]')"
    ));
}

/// Waits for a file of this kind in a folder, and returns its path.
pub(crate) fn downloaded(folder: &str, ending: &str) -> String {
    let mut found = None;
    wait_until(|| {
        let files = fs::read_dir(folder).expect("a folder");
        let mut paths = files.map(|file| file.expect("a file").path());
        found = paths.find(|path| path.extension().is_some_and(|own| own == ending));
        found.is_some()
    });
    let file = found.expect("a file that was found");
    file.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_whole_game_shows_no_evaluation_until_it_is_over() {
    let Some(browser) = board() else { return };
    let is_over = || browser.script(&format!("return {IS_OVER}")) == json!(true);
    start_game(&browser, "h3", "black");
    wait_for_turn(&browser, "black");
    while !is_over() {
        assert_eq!(browser.script(EVALUATIONS), json!([]));
        click_move(&browser);
        wait_for_turn(&browser, "black");
    }
    assert!(moves(&browser) > 20);
    // The winner's number is first, and the two sum to 64.
    let status = browser.text("#status");
    let discs = browser.script(
        "return document.getElementById('status').textContent.match(/(\\d+)\u{2013}(\\d+)/).slice(1).map(Number)",
    );
    let [first, second] = [0, 1].map(|side| discs[side].as_u64().expect("a number"));
    assert!(first >= second && first + second == 64, "{status}");
    browser.wait_until("!document.getElementById('graph').hidden");
    // The rematch swaps the colours.
    click(&browser, "#rematch");
    browser.wait_until("document.querySelector('#black-side .name').textContent.endsWith('(h3)')");
    wait_for_turn(&browser, "white");
    assert_eq!(moves(&browser), 1);
    browser.check_log();
}

#[test]
fn a_choice_starts_no_game_and_is_remembered() {
    let Some(mut browser) = board() else { return };
    // White against the beginner: Black moves by itself.
    start_game(&browser, "h1", "white");
    wait_for_turn(&browser, "white");
    assert_eq!(moves(&browser), 1);
    let name = "return document.activeElement.closest('#grid') !== null";
    assert_eq!(browser.script(name), true, "the focus is on the board");
    click_move(&browser);
    browser.wait_until("document.querySelectorAll('.pair .move').length === 3");
    open_dialog(&browser, "#new");
    click(&browser, ".card:has([value='3s'])");
    click(&browser, "#cancel-game");
    assert!(browser.text("#black-side .name").ends_with("(h1)"));
    // A new tab begins as the last game did.
    browser.script("sessionStorage.clear()");
    browser.gui = Gui::start(&[]);
    visit(&browser, &browser.gui.url);
    wait_for_turn(&browser, "white");
    assert!(browser.text("#black-side .name").ends_with("(h1)"));
    // The person resigns.
    click(&browser, "#tab-menu");
    click(&browser, "#resign");
    click(&browser, "#resign");
    assert!(
        browser
            .text("#status")
            .contains("White resigns: Black wins")
    );
}

/// Script: collects the scores of the current move of a variation in `scores`, and the texts of
/// the status that have another score in `torn`.
const WATCH_SCORES: &str = "
[window.scores, window.torn] = [new Set(), []];
new MutationObserver(() => {
  const score = document.querySelector('.variation [aria-current] .score')?.textContent;
  const status = document.getElementById('status').textContent;
  if (!score) return;
  scores.add(score);
  if (!/[.,]/.test(status.split(`Score for Black ${score}`)[1]?.[0])) torn.push(`${score}: ${status}`);
}).observe(document.querySelector('.panel'), {subtree: true, childList: true, characterData: true})";

#[test]
fn a_variation_is_left_commented_saved_and_loaded() {
    let Some(browser) = board() else { return };
    paste(
        &browser,
        &format!("% Black: Ann\n% White: Zo\u{eb}\n{GAME}\n"),
    );
    wait_for_moves(&browser, 60);
    analyze(&browser);
    let summary = browser.text("#summary");
    click(&browser, "#next-mistake");
    let status = browser.text("#status");
    assert!(status.contains("Mistake 1 of "), "{status}");
    // Five other moves.
    for _ in 0..5 {
        let current = "return document.querySelector('#moves [aria-current]').textContent";
        let before = browser.script(current);
        click_move(&browser);
        assert_ne!(browser.script(current), before);
    }
    assert_eq!(moves(&browser), 60);
    let variation = "return document.querySelectorAll('.variation .move').length";
    assert_eq!(browser.script(variation), 5);
    // The summary and the graph stay, and the variation gets values: status and list show one
    // number while the search deepens.
    assert_eq!(browser.text("#summary"), summary);
    browser.script(WATCH_SCORES);
    click(&browser, "#back");
    browser.wait_until("window.scores.size > 3");
    assert_eq!(browser.script("return window.torn"), json!([]));
    click(&browser, "#next");
    browser.script(
        "const comment = document.getElementById('comment');
         comment.value = 'a ] \\\\ (; try';
         comment.dispatchEvent(new Event('change'))",
    );
    click(&browser, "#main-line");
    assert_eq!(browser.text("#status"), status);

    // Saved as SGF, and loaded again.
    let folder = matches::Scratch::new("downloads");
    browser.save_to(folder.folder());
    click(&browser, "#tab-menu");
    click(&browser, "#share");
    browser.wait_until("document.getElementById('share-dialog').open");
    click(&browser, "[data-format=sgf]");
    let saved = downloaded(folder.folder(), "sgf");
    let shown = emilia(&["show", &saved], b"");
    shown.assert_done();
    shown.assert_shows(&format!("moves     {GAME}\n"));
    browser.press(ESCAPE);
    let check = || {
        assert_eq!((moves(&browser), browser.script(variation)), (60, 5.into()));
        let note = browser.script("return document.querySelector('.variation .commented').title");
        assert_eq!(note, "a ] \\ (; try");
    };
    // A reload keeps the tree too.
    visit(&browser, &browser.gui.url);
    check();
    start_game(&browser, "two", "black");
    click(&browser, "#tab-menu");
    browser.choose_file("#file", &saved);
    browser.wait_until("document.querySelector('#black-side .name').textContent === 'Ann'");
    click(&browser, "#tab-moves");
    check();

    // Promoted, it is the game; deleted, it is gone.
    browser.script("document.querySelector('.variation .move:last-child').click()");
    click(&browser, "#promote");
    let number = moves(&browser);
    assert!(number < 60, "{number}");
    click(&browser, "#delete");
    assert_eq!(moves(&browser), number - 1);
    browser.check_log();
}

#[test]
fn the_page_fits_and_is_readable_on_every_screen() {
    let Some(browser) = page(&[]) else { return };
    let click = |id: &str| browser.script(&format!("document.getElementById({id:?}).click()"));
    for ((width, height, board), scheme) in SCREENS.into_iter().zip(SCHEMES.into_iter().cycle()) {
        browser.emulate(width, height, scheme);
        visit(&browser, &browser.gui.url);
        let check = |what: &str| {
            let what = format!("{what}, {width}, {scheme}");
            browser.check_look(width, &what);
            let side = "return document.getElementById('frame').getBoundingClientRect().width";
            let side = browser.script(side).as_f64();
            assert!(side >= Some(board), "{what}: {side:?}");
            // The panel of an upright phone scrolls with the page.
            let high = browser.script("return document.documentElement.scrollHeight");
            assert!(
                width < height || high.as_u64() <= Some(height),
                "{what}: {high}"
            );
        };
        check("start");
        click("new");
        browser.wait_until("document.getElementById('new-dialog').open");
        check("new game");
        click("cancel-game");
        paste(&browser, &format!("% Black: {width}\n{}", &GAME[..40]));
        let name = "document.querySelector('#black-side .name').textContent";
        browser.wait_until(&format!("{name} === '{width}'"));
        click("values");
        browser.wait_until("document.querySelectorAll('#grid button span').length > 0");
        check("values");
        click("values");
        click("tab-explorer");
        check("explorer");
        click("tab-moves");
        analyze(&browser);
        click("next-mistake");
        check("review");
        click("set-up");
        check("setup");
    }
    browser.check_log();
}

/// Sizes of screens in pixels, and the smallest side of the board on each.
const SCREENS: [(u64, u64, f64); 7] = [
    (1366, 650, 560.0),
    (1440, 900, 800.0),
    (1920, 1080, 980.0),
    (390, 844, 390.0),
    (844, 390, 370.0),
    (320, 640, 320.0),
    (3840, 2160, 1900.0),
];

#[test]
fn the_board_works_with_keys_alone() {
    let Some(browser) = board() else { return };
    let status = || browser.text("#status");
    // The board is reached by Tab, Enter plays.
    while browser.script("return document.activeElement.dataset.square ?? ''") == json!("") {
        browser.press(TAB);
    }
    let label = "return document.activeElement.getAttribute('aria-label')";
    assert_eq!(browser.script(label), "d3, legal move");
    browser.press(ENTER);
    browser.wait_until("document.getElementById('status').textContent.includes('After 2.')");
    assert_eq!(browser.script(label), "d3, black disc");
    browser.press('u');
    assert!(status().contains("Before the first move"), "{}", status());
    // A move is typed. A hint marks a square and shows no number.
    browser.press('f');
    browser.press('5');
    browser.wait_until("document.getElementById('status').textContent.includes('After 2.')");
    browser.press('i');
    browser.wait_until("document.querySelector('#board .better')");
    assert_eq!(browser.script(EVALUATIONS), json!([]));
    // Help is opened and closed, and the tabs are reached.
    browser.press('?');
    browser.wait_until("document.getElementById('help-dialog').open");
    browser.press(ESCAPE);
    browser.press('x');
    assert_eq!(browser.text("[role=tab][aria-selected=true]"), "Explorer");
    // A side without a move passes, and the status announces it.
    paste(&browser, &format!("XO{} O", "-".repeat(62)));
    browser.wait_until("document.getElementById('status').textContent.includes('passes')");
    let passes = "White has no move and passes. Black to move.";
    assert!(status().starts_with(passes), "{}", status());
    browser.check_log();
}

const TAB: char = '\u{E004}';
const ENTER: char = '\u{E007}';

#[test]
fn discs_turn_unless_motion_is_reduced() {
    let Some(browser) = board() else { return };
    // Counts the animations of a move, in the same task as its click.
    let count = format!(
        "{LEGAL}[0].click();
         return [...document.querySelectorAll('#board .place *')].flatMap(one => one.getAnimations())
           .map(one => one.effect.getComputedTiming().endTime)"
    );
    for (motion, animations) in [("no-preference", 2), ("reduce", 0)] {
        let features = json!([{"name": "prefers-reduced-motion", "value": motion}]);
        browser.devtools(
            "Emulation.setEmulatedMedia",
            &json!({ "features": features }),
        );
        visit(&browser, &browser.gui.url);
        wait_for_turn(&browser, "black");
        let times = browser.script(&count);
        let times = times.as_array().expect("a list");
        assert_eq!(times.len(), animations, "{motion}");
        assert!(
            times.iter().all(|time| time.as_f64() <= Some(250.0)),
            "{times:?}"
        );
    }
}

#[test]
fn values_are_searched_while_somebody_looks() {
    let Some(browser) = board() else { return };
    // A search names its depth. Ten minutes are short from now on.
    let searches = "document.getElementById('thinking').textContent.startsWith('Depth')";
    let seen = |hidden: bool| {
        browser.script(&format!(
            "Object.defineProperty(document, 'hidden', {{value: {hidden}, configurable: true}});
             document.dispatchEvent(new Event('visibilitychange'))"
        ));
    };
    let touch = |minutes: u32| {
        browser.script(&format!(
            "window.wait ??= setTimeout;
             window.setTimeout = (act, time, ...rest) => wait(act, time === 600000 ? {minutes} * 60000 : time, ...rest);
             dispatchEvent(new Event('pointermove'))"
        ));
    };
    paste(&browser, "f5d6c3d3c4");
    wait_for_moves(&browser, 5);
    browser.press('v');
    browser.wait_until(searches);
    seen(true);
    browser.wait_until("document.getElementById('thinking').textContent === ''");
    seen(false);
    browser.wait_until(searches);
    touch(0);
    let rests =
        "document.getElementById('thinking').textContent.startsWith('Resting after ten minutes')";
    browser.wait_until(rests);
    touch(10);
    browser.wait_until(searches);
    browser.check_log();
}

#[test]
fn positions_are_set_up_by_clicks() {
    let Some(browser) = board() else { return };
    click(&browser, "#tab-menu");
    click(&browser, "#set-up");
    click(&browser, "#set-empty");
    click(&browser, "#set-done");
    let message = browser.text("#message");
    assert!(message.contains("Neither side has a move"), "{message}");
    // One click is black, two are white, three empty. Then c1 ends the game.
    for name in "a1 b1 b1 h8 h8 h8 DONE c1".split(' ') {
        match name {
            "DONE" => click(&browser, "#set-done"),
            name => click(&browser, &format!("#grid [data-square={name}]")),
        }
    }
    browser.wait_until(IS_OVER);
    let status = browser.text("#status");
    assert!(status.contains("Black wins 64\u{2013}0"), "{status}");
    browser.check_log();
}

#[test]
fn names_of_players_are_text() {
    let Some(browser) = board() else { return };
    let games =
        HOSTILE.map(|name| format!("% Black: {name}\n% White: {name}\n% Event: {name}\n{GAME}\n"));
    paste(&browser, &games.concat());
    browser.wait_until("document.querySelectorAll('#list tbody tr').length > 1");
    let elements = "return document.querySelectorAll('img, iframe, video, body *:is(script, style, \
                    b, base, link, meta), #sides .name *').length";
    for (index, name) in HOSTILE.iter().enumerate() {
        browser.script(&format!(
            "document.querySelectorAll('#list tbody tr')[{index}].querySelector('button').click()"
        ));
        let title = json!(format!("{name} \u{2013} {name}"));
        browser.wait_until(&format!("document.title === {title}"));
        assert_eq!(&browser.text("#black-side .name"), name);
        assert_eq!(browser.script(elements), 0, "{name}");
    }
    browser.check_log();
}

#[test]
fn mistakes_of_a_game_are_practised_in_the_browser() {
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let Some(browser) = page(&["--state", &state]) else {
        return;
    };
    visit(&browser, &browser.gui.url);
    paste(&browser, GAME);
    wait_for_moves(&browser, 60);
    analyze(&browser);
    click(&browser, "#judged");
    click(&browser, "#practise-black");
    let is_answered = "!document.getElementById('answer')?.hidden";
    let is_asked = "document.getElementById('status').textContent.includes('Find the best move')";
    browser.wait_until(is_asked);

    // The first exercise with the mouse.
    let square = click_move(&browser);
    browser.wait_until(is_answered);
    let status = browser.text("#status");
    assert!(status.starts_with(&square), "{status}");

    // The second with keys alone, and the third is skipped.
    for key in ['n', 'h', 'h'] {
        browser.press(key);
    }
    let hints = browser.text("#hints");
    assert!(hints.contains("row "), "{hints}");
    browser.script(&format!("{LEGAL}[0].focus()"));
    browser.press(ENTER);
    browser.wait_until(is_answered);
    browser.check_look(1280, "an answer");
    assert_eq!(browser.script("return document.activeElement.id"), "next");
    browser.press(ENTER);
    browser.press('n');
    browser.wait_until("document.getElementById('number').textContent.startsWith('4 of ')");
    // The page of files keeps the answers in the browser.
    if env::var_os("EMILIA_PAGE").is_none() {
        assert_eq!(answers(&state), 2);
    }
    browser.check_log();
}

/// Texts and files that cannot be read, and what the page says in French.
const UNREADABLE: &str = "\
bonjour | Aucune partie trouv\u{e9}e\u{202f}:
f5f5 | Partie 1\u{202f}: 2. f5 n\u{2019}est pas l\u{e9}gal\u{202f}; coups lus\u{202f}: 1 sur 2.
(;GM[1]B[f5]) | La partie 1 n\u{2019}est pas une partie d\u{2019}Othello\u{202f}:
(;GM[2]PC[x] | La partie 1 est illisible \u{e0} la ligne 1, colonne 13\u{202f}:
\u{0} | Ce n\u{2019}est pas un fichier de parties\u{202f}:
PK\u{3}\u{4} etc. | Le fichier compress\u{e9} games.zip est endommag\u{e9}.";

#[test]
fn what_cannot_be_read_is_said_in_the_language_of_the_page() {
    let Some(browser) = board() else { return };
    browser.speak("fr");
    visit(&browser, &browser.gui.url);
    for [text, sentence] in cases(UNREADABLE) {
        let file = json!([["games.zip", text.as_bytes()]]);
        drop_files(&browser, &file);
        browser.wait_until(&format!(
            "document.getElementById('message').textContent.startsWith({})",
            json!(sentence)
        ));
    }
}

#[test]
fn a_search_reaches_games_that_are_not_drawn() {
    let Some(browser) = board() else { return };
    let games = (0..700).map(|index| format!("% Black: Ann {index}\nf5d6c3\n"));
    paste(&browser, &games.collect::<Vec<_>>().concat());
    let rows = "document.querySelectorAll('#list tbody tr').length";
    browser.wait_until(&format!("{rows} === 200"));
    let found = browser.text("#found");
    assert_eq!(found, "700 games");
    browser.script(
        "const search = document.getElementById('search');
         search.value = 'ann 650';
         search.dispatchEvent(new Event('input'))",
    );
    browser.wait_until(&format!("{rows} === 1"));
    click(&browser, "#list tbody button");
    browser.wait_until("document.querySelector('#black-side .name').textContent === 'Ann 650'");
    browser.check_log();
}

/// Drops files on the page: a list of names and bytes.
fn drop_files(browser: &Browser, files: &Value) {
    browser.script(&format!(
        "const dataTransfer = new DataTransfer();
         for (const [name, bytes] of {files})
           dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
         document.body.dispatchEvent(new DragEvent('drop', {{dataTransfer, bubbles: true, cancelable: true}}))",
    ));
}

/// A dropped `.wtb` has the names of the `.JOU` beside it.
#[test]
fn files_that_belong_together_are_dropped_at_once() {
    let Some(browser) = board() else { return };
    let folder = matches::Scratch::new("wthor");
    let games = Scratch::new(
        "wthor.txt",
        &format!("% Black: Ann\n% White: Zoe\n% Date: 2021\n{GAME}\n").repeat(2),
    );
    let written = folder.path("WTH_2021.wtb");
    let convert = emilia_line(&format!("convert {} {written}", games.path()));
    convert.assert_reports("2 games written");
    let mut files: Vec<Value> = Vec::new();
    for entry in fs::read_dir(folder.folder()).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str());
        files.push(json!([name, fs::read(&path).expect("a file")]));
    }
    assert!(files.len() > 1, "{files:?}");
    drop_files(&browser, &Value::Array(files));
    browser.wait_until("document.querySelectorAll('#list tbody tr').length === 2");
    assert_eq!(browser.text("#black-side .name"), "Ann");
    browser.check_log();
}
