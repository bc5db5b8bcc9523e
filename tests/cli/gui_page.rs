//! The page of `emilia gui` in a real browser: games, variations, keys, screens, files, exercises.
//! Needs `chromedriver` (Debian: `chromium-driver`).

use std::env;
use std::fs;
use std::ops::Deref;

use serde_json::{Value, json};

use crate::browser::{GAME, HOSTILE};
use crate::common::browser::{Browser, ESCAPE};
use crate::common::run::{cases, emilia};
use crate::common::{matches, wait_until};
use crate::gui::{Gui, answers};

/// Script: the moves that can be clicked.
pub(crate) const LEGAL: &str = "document.querySelectorAll('#grid button.legal')";

/// Script: the name of the focused square and what is on it.
const LABEL: &str = "return document.activeElement.getAttribute('aria-label')";

/// Script: whether the game is over.
const IS_OVER: &str = "document.getElementById('status').textContent.includes('The game is over')";

/// Script: the evaluations on the screen, of which a game has none.
const EVALUATIONS: &str = r"
const shown = ['#graph svg', '.move .score', '#grid button span', '#hints tbody tr', '#better-line button'];
return shown.filter(one => document.querySelector(one)?.checkVisibility())
  .concat(document.querySelector('#bar.empty') ? [] : ['#bar'])
  .concat(document.body.innerText.match(/[+\u2212]\d/g) ?? [])";

pub(crate) const TAB: char = '\u{E004}';
pub(crate) const ENTER: char = '\u{E007}';

/// Clicks the first legal square, with the mouse, and returns its name.
pub(crate) fn click_move(browser: &Browser) -> String {
    let square = browser.script(&format!("return {LEGAL}[0].dataset.square"));
    let square = square.as_str().expect("a square").to_owned();
    click(browser, &format!("#grid [data-square={square}]"));
    square
}

pub(crate) fn click(browser: &Browser, selector: &str) {
    browser.point("mouse", selector, 0.5, 0.5);
}

/// Returns the number of moves of the game, without variations.
pub(crate) fn moves(browser: &Browser) -> u64 {
    number(
        browser,
        "return document.querySelectorAll('.pair .move').length",
    ) as u64
}

/// Returns the number that a script returns.
pub(crate) fn number(browser: &Browser, code: &str) -> f64 {
    let value = browser.script(code);
    value.as_f64().unwrap_or_else(|| panic!("{code}: {value}"))
}

pub(crate) fn wait_for_moves(browser: &Browser, count: u64) {
    let moves = "document.querySelectorAll('.pair .move').length";
    browser.wait_until(&format!("{moves} === {count}"));
}

/// Analyses the game on the page at the smallest depth.
pub(crate) fn analyze(browser: &Browser) {
    browser.does(
        "set depth 8
         push analyze
         wait !document.getElementById('judged').hidden",
    );
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

/// Starts a browser, and a server with these arguments.
pub(crate) fn page(arguments: &[&str]) -> Page {
    Page {
        browser: Browser::start(),
        gui: Gui::start(arguments),
    }
}

/// Returns a page that shows the board.
pub(crate) fn board() -> Page {
    let page = page(&[]);
    visit(&page, &page.gui.url);
    page
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

/// Loads [`GAME`], of Ann against Zoë.
pub(crate) fn load(browser: &Browser) {
    paste(
        browser,
        &format!("% Black: Ann\n% White: Zo\u{eb}\n{GAME}\n"),
    );
    wait_for_moves(browser, 60);
}

/// Starts a game by the dialog, against an opponent as this colour.
pub(crate) fn start_game(browser: &Browser, opponent: &str, colour: &str) {
    browser.does(&format!(
        "open new
         choose opponent {opponent}
         choose colour {colour}
         push begin
         wait !document.querySelector('dialog[open]')"
    ));
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
#[ignore = "needs chromedriver"]
fn a_game_shows_no_evaluation_until_it_is_over_and_its_choices_are_remembered() {
    let mut browser = board();
    let opponent = |browser: &Browser, side: &str| browser.text(&format!("#{side}-side .sub"));
    assert_eq!(browser.text("#black-side .name"), "You");
    // Names are text, and the name of a person is kept for the next game against Emilia.
    browser.script(
        "const name = document.querySelector('#black-side .name');
         name.focus();
         name.textContent = ' Zo\u{eb}\\n<b> ';
         name.blur()",
    );
    let record = "return import(new URL('review.js', document.querySelector('script[src]').src)).then(({record}) => record().black)";
    assert_eq!(browser.script(record), "Zo\u{eb} <b>");
    let is_called = |name: &str| {
        format!("wait document.querySelector('#black-side .name').textContent === {name:?}")
    };
    start_game(&browser, "two", "black");
    browser.does(&is_called("Black"));
    browser.does(
        "open new
         choose opponent custom
         choose colour black
         set strength 1
         push begin",
    );
    browser.does(&is_called("Zo\u{eb} <b>"));
    wait_for_turn(&browser, "black");
    while browser.script(&format!("return {IS_OVER}")) == json!(false) {
        assert_eq!(browser.script(EVALUATIONS), json!([]));
        click_move(&browser);
        wait_for_turn(&browser, "black");
    }
    // The person's number is first, and the two sum to 64.
    let discs = "const text = document.getElementById('status').textContent, [, own, other] = text.match(/(\\d+)\u{2013}(\\d+)/);
        return own < 32 === text.includes('You lose') && Number(own) + Number(other)";
    assert_eq!(browser.script(discs), json!(64));
    browser.does("wait !document.getElementById('graph').hidden\n push rematch");
    wait_for_turn(&browser, "white");
    assert_eq!(
        (moves(&browser), &*opponent(&browser, "black")),
        (1, "level 1")
    );

    // White against the beginner: Black moves by itself, and the focus is on the board.
    start_game(&browser, "h1", "white");
    browser.does("wait document.querySelector('#black-side .sub').textContent === 'Beginner'");
    wait_for_turn(&browser, "white");
    let on_board = "return document.activeElement.closest('#grid') !== null";
    assert_eq!(browser.script(on_board), true);
    // A dialog that is left starts no game, and a new tab begins as the last game did.
    browser.does("open new\n choose opponent 3s\n push cancel-game");
    assert_eq!(opponent(&browser, "black"), "Beginner");
    browser.check_log();
    browser.gui = Gui::start(&[]);
    visit(&browser, &browser.gui.url);
    wait_for_turn(&browser, "white");
    assert_eq!(opponent(&browser, "black"), "Beginner");
}

#[test]
#[ignore = "needs chromedriver"]
fn a_variation_is_left_commented_saved_and_loaded() {
    let browser = board();
    load(&browser);
    analyze(&browser);
    browser.does("push next-mistake\n says status Mistake 1 of ");
    let status = browser.text("#status");
    for _ in 0..5 {
        click_move(&browser);
    }
    let variation = "return document.querySelectorAll('.variation .move').length";
    let check = || {
        assert_eq!((moves(&browser), browser.script(variation)), (60, 5.into()));
    };
    check();
    browser.does(
        r"set comment a ] \ (; try
         push main-line",
    );
    assert_eq!(browser.text("#status"), status);

    // Saved as SGF, and loaded again. A reload keeps the tree too.
    let folder = matches::Scratch::new("downloads");
    browser.save_to(folder.folder());
    browser.does(
        "open share
         click [data-format=sgf]",
    );
    let saved = downloaded(folder.folder(), "sgf");
    let shown = emilia(&["show", &saved], b"");
    shown.assert_done();
    shown.assert_shows(&format!("moves     {GAME}\n"));
    visit(&browser, &browser.gui.url);
    check();
    start_game(&browser, "two", "black");
    browser.choose_file("#file", &saved);
    browser.wait_until("document.querySelector('#black-side .name').textContent === 'Ann'");
    check();
    let note = browser.script("return document.querySelector('.variation .commented').title");
    assert_eq!(note, "a ] \\ (; try");

    // A promoted variation becomes the game. A deleted variation is gone.
    browser.script("document.querySelector('.variation .move:last-child').click()");
    browser.does("push promote");
    let number = moves(&browser);
    assert!(number < 60, "{number}");
    browser.does("push delete");
    assert_eq!(moves(&browser), number - 1);
    // Undo puts the variation back, even after a reload. The loaded game is kept unchanged.
    visit(&browser, &browser.gui.url);
    browser.does("push undo");
    assert_eq!(moves(&browser), number);
    browser.does(
        "push delete
         push tab-games
         wait document.querySelectorAll('#list tbody tr').length > 1",
    );
    browser.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn the_board_works_with_keys_and_clicks_and_its_discs_turn() {
    let browser = board();
    // The board is reached by Tab, Enter plays.
    while browser.script("return document.activeElement.dataset.square ?? ''") == json!("") {
        browser.press(TAB);
    }
    assert_eq!(browser.script(LABEL), "d3, legal move");
    browser.press(ENTER);
    browser.does("says status After 2.");
    assert_eq!(browser.script(LABEL), "d3, black disc");
    // A move is typed. A hint marks a square and shows no number.
    browser.does(
        "press u
         says status Before the first move
         press f5
         says status After 2.
         press i
         wait document.querySelector('#board .better')",
    );
    assert_eq!(browser.script(EVALUATIONS), json!([]));
    // Help is opened and closed, and the tabs are reached.
    browser.does("press ?\n wait document.querySelector('dialog[open] dd')");
    browser.press(ESCAPE);
    browser.press('x');
    assert_eq!(browser.text("[role=tab][aria-selected=true]"), "Explorer");
    // A side without a move passes, and the status announces it.
    paste(&browser, &format!("XO{} O", "-".repeat(62)));
    browser.does("says status White has no move and passes. Black to move");
    // A position is set up by clicks. Then c1 ends the game.
    browser.does(
        "push set-up
         wait document.querySelector('.setting-up')
         push set-empty
         push set-done
         says message Neither side has a move
         click #grid [data-square=a1]
         click #grid [data-square=h8]
         choose palette empty
         click #grid [data-square=h8]
         choose palette white
         click #grid [data-square=b1]
         push set-done
         click #grid [data-square=c1]
         says status Black wins 64\u{2013}0",
    );
    // The animations of a move, counted in the same task as its click.
    let count = format!(
        "{LEGAL}[0].click();
         return [...document.querySelectorAll('#board .place *')].flatMap(one => one.getAnimations()).length"
    );
    for (motion, animations) in [("no-preference", 2), ("reduce", 0)] {
        let features = json!({"features": [{"name": "prefers-reduced-motion", "value": motion}]});
        browser.devtools("Emulation.setEmulatedMedia", &features);
        start_game(&browser, "two", "black");
        browser.wait_until(&format!("{LEGAL}.length === 4"));
        assert_eq!(browser.script(&count), animations, "{motion}");
    }
    browser.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn names_of_players_are_text_and_what_cannot_be_read_is_said_in_the_language_of_the_page() {
    let browser = board();
    let games =
        HOSTILE.map(|name| format!("% Black: {name}\n% White: {name}\n% Event: {name}\n{GAME}\n"));
    paste(&browser, &games.concat());
    browser.wait_until("document.querySelectorAll('#list tbody tr').length > 1");
    let elements = "return document.querySelectorAll('img, iframe, video, body *:is(script, style, \
                    base, link, meta), #sides .name *').length";
    for (index, name) in HOSTILE.iter().enumerate() {
        browser.script(&format!(
            "document.querySelectorAll('#list tbody tr')[{index}].querySelector('button').click()"
        ));
        let title = json!(format!("{name} \u{2013} {name}"));
        browser.wait_until(&format!("document.title === {title}"));
        assert_eq!(&browser.text("#black-side .name"), name);
        assert_eq!(browser.script(elements), 0, "{name}");
    }
    browser.speak("fr");
    visit(&browser, &browser.gui.url);
    for [text, sentence] in cases(UNREADABLE) {
        drop_files(&browser, &json!([["games.zip", text.as_bytes()]]));
        browser.does(&format!("says message {sentence}"));
    }
    // The dialog keeps a text that cannot be read.
    browser.does("open paste");
    browser.does("set text bonjour\n push read\n says paste-message Aucune partie");
    assert_eq!(
        browser.script("return document.getElementById('text').value"),
        "bonjour"
    );
}

#[test]
#[ignore = "needs chromedriver"]
fn puzzles_of_a_theme_and_mistakes_of_a_game_are_practised() {
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let browser = page(&["--state", &state]);
    browser.visit(&format!("{}practice.html", browser.gui.url));
    browser.does("says status in 10 club players");
    assert_eq!(browser.text("#skill"), "\u{2013}");
    browser.script("document.cookie = 'emilia=%7B%22opponent%22:%22h5%22%7D; path=/'");
    browser.does(
        "wait (document.getElementById('number').textContent = '', true)
         set theme corners
         says number 1 of
         wait (document.querySelector('#grid button.legal').click(), true)
         says skill 1,
         says themes corners",
    );
    // The theme is kept beside the other settings.
    let kept = browser.script("return decodeURIComponent(document.cookie)");
    let kept = kept.as_str().expect("a cookie");
    assert!(kept.contains("h5") && kept.contains("corners"), "{kept}");

    browser.script("document.cookie = 'emilia=%7B%7D; path=/'");
    visit(&browser, &browser.gui.url);
    load(&browser);
    analyze(&browser);
    browser.does(
        "push judged
         push practise-black
         says status Find the best move",
    );
    // The first exercise with the mouse.
    click_move(&browser);
    browser.wait_until("!document.getElementById('answer').hidden");
    // The second exercise with keys only. The third exercise is skipped.
    browser.does("press nhh\n says status one of");
    browser.script(&format!("{LEGAL}[0].focus()"));
    browser.press(ENTER);
    browser.wait_until("document.activeElement.id === 'next'");
    browser.press(ENTER);
    browser.does("press n\n says number 4 of ");
    // The page of files keeps the answers in the browser.
    if env::var_os("EMILIA_PAGE").is_none() {
        assert_eq!(answers(&state), 3);
    }
    browser.check_log();
}

/// Texts and files that cannot be read, and what the page says in French.
const UNREADABLE: &str = "\
bonjour | Aucune partie trouv\u{e9}e\u{202f}:
f5f5 | Partie 1\u{202f}: 2. f5 n\u{2019}est pas l\u{e9}gal\u{202f}; coups lus\u{202f}: 1 sur 2.
PK\u{3}\u{4} etc. | Le fichier compress\u{e9} games.zip est endommag\u{e9}.";

/// Drops files on the page: a list of names and bytes.
fn drop_files(browser: &Browser, files: &Value) {
    browser.script(&format!(
        "const dataTransfer = new DataTransfer();
         for (const [name, bytes] of {files})
           dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
         document.body.dispatchEvent(new DragEvent('drop', {{dataTransfer, bubbles: true, cancelable: true}}))",
    ));
}
