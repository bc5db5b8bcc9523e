//! The page of `emilia gui` holds still: places of buttons, room for lists, one number for a move.
//! Skipped without `chromedriver` (Debian: `chromium-driver`).

use serde_json::{Value, json};

use crate::browser::GAME;
use crate::common::browser::{Browser, RIGHT};
use crate::gui_page::{Page, analyze, click, open_dialog, page, paste, visit, wait_for_moves};

/// Returns the page with [`GAME`] analysed, on a screen of this size.
fn review(width: u64, height: u64) -> Option<Page> {
    let page = page(&[])?;
    show_review(&page, width, height);
    Some(page)
}

fn show_review(page: &Page, width: u64, height: u64) {
    page.emulate(width, height, "light");
    visit(page, &page.gui.url);
    paste(page, GAME);
    wait_for_moves(page, 60);
    analyze(page);
}

/// Clicks a button of the page by its id, wherever it is.
fn press(browser: &Browser, id: &str) {
    browser.script(&format!("document.getElementById({id:?}).click()"));
}

fn number(browser: &Browser, code: &str) -> f64 {
    let value = browser.script(code);
    value.as_f64().unwrap_or_else(|| panic!("{code}: {value}"))
}

/// Script: the next mistake, its button as it is on this screen.
const NEXT: &str = "[...document.querySelectorAll('#next-mistake, #thumb-following')].find(one => one.checkVisibility())";

#[test]
fn four_clicks_at_one_point_reach_four_mistakes() {
    let Some(page) = page(&[]) else { return };
    for (width, height) in [(1366, 650), (1024, 768), (390, 844), (844, 390)] {
        show_review(&page, width, height);
        // The first click leads out of a variation.
        press(&page, "next-mistake");
        page.script("document.querySelector('#grid button.legal').click()");
        page.script(&format!(
            "const next = {NEXT};
             next.scrollIntoView({{block: 'center'}});
             const box = next.getBoundingClientRect();
             window.point = [box.x + box.width / 2, box.y + box.height / 2]"
        ));
        let mut seen = Vec::new();
        for _ in 0..4 {
            page.script("document.elementFromPoint(...window.point).closest('button')?.click()");
            let status = page.text("#status");
            assert!(status.contains("Mistake "), "{width}: {status}");
            seen.push(status);
        }
        seen.dedup();
        assert_eq!(seen.len(), 4, "{width}: {seen:?}");
    }
    page.check_log();
}

/// Script: where the list of moves begins on the page, and how many of its rows are seen whole, 0
/// without the current move.
const LIST: &str = "
const list = document.getElementById('moves'), box = list.getBoundingClientRect();
const seen = [...list.querySelectorAll('.pair')].map(row => [row, row.getBoundingClientRect()])
  .filter(([, {top, bottom}]) => top >= box.top && bottom <= Math.min(box.bottom, innerHeight)).map(([row]) => row);
return [box.top + scrollY, seen.some(row => row.querySelector('[aria-current]')) ? seen.length : 0]";

#[test]
fn a_review_shows_six_rows_of_moves_and_no_sentence_shifts_them() {
    let Some(page) = review(1366, 650) else {
        return;
    };
    // What was opened before does not take the room.
    press(&page, "judged");
    page.script("document.querySelector('dialog[open]')?.close()");
    press(&page, "first");
    press(&page, "next");
    let top = page.script(LIST)[0].clone();
    for id in ["next", "next-mistake"] {
        for step in 0..30 {
            press(&page, id);
            let list = page.script(LIST);
            let what = format!("{id} {step}: {list}, {}", page.text("#status"));
            assert_eq!(list[0], top, "{what}");
            assert!(list[1].as_u64() >= Some(6), "{what}");
        }
    }
    // Twice as large, nothing is cut off: what has no room is scrolled.
    page.emulate(683, 325, "light");
    let bottom = "const panel = document.querySelector('.panel');
        panel.scrollTop = panel.scrollHeight;
        return document.getElementById('comment').getBoundingClientRect().bottom - panel.getBoundingClientRect().bottom";
    assert!(number(&page, bottom) <= 0.0);
}

#[test]
fn a_small_phone_has_the_whole_board_and_four_rows_of_a_table() {
    let Some(page) = review(360, 640) else {
        return;
    };
    let board = "const {left, right} = document.querySelector('#grid').getBoundingClientRect(); return right - left";
    assert!(number(&page, board) >= 340.0);
    let rows = |table: &str| {
        page.wait_until(&format!(
            "document.querySelectorAll('#{table} tbody tr').length >= 4"
        ));
        page.script("scrollTo(0, 0)");
        number(
            &page,
            &format!(
                "const end = document.querySelector('.stepper').getBoundingClientRect().top;
                 return [...document.querySelectorAll('#{table} tbody tr')].filter(row => row.getBoundingClientRect().bottom <= end + 1).length"
            ),
        )
    };
    // The first mistake has the moves of the book, too.
    press(&page, "first");
    press(&page, "next");
    press(&page, "next");
    press(&page, "tab-values");
    assert!(rows("hints") >= 4.0);
    // A list of games leaves the board as it is.
    paste(&page, &format!("{GAME}\n{}", &GAME[..20]));
    page.wait_until("document.querySelectorAll('#list tbody tr').length === 2");
    press(&page, "tab-games");
    assert!(number(&page, board) >= 340.0);
    let scrolled = "scrollTo(0, 9999); return scrollY";
    assert!(
        number(&page, scrolled) > 0.0,
        "the panel scrolls with the page"
    );
}

#[test]
fn arrow_keys_step_through_the_game_after_a_click() {
    let Some(page) = page(&[]) else { return };
    visit(&page, &page.gui.url);
    paste(&page, GAME);
    wait_for_moves(&page, 60);
    let tab = || page.text("[role=tab][aria-selected=true]");
    let mut made = 0;
    let mut step = |clicked: &str| {
        page.press(RIGHT);
        made += 1;
        let status = page.text("#status");
        assert!(
            status.contains(&format!("After {made}.")),
            "{clicked}: {status}"
        );
    };
    click(&page, "#first");
    for id in ["tab-values", "tab-explorer", "tab-menu", "tab-moves"] {
        click(&page, &format!("#{id}"));
        step(id);
        assert_eq!(tab().to_lowercase(), id["tab-".len()..]);
    }
    // A choice that was clicked and left, too.
    click(&page, "#tab-menu");
    page.script("document.dispatchEvent(new PointerEvent('pointerdown')); document.getElementById('depth').focus()");
    step("depth");
    // Values that are switched off leave their tab open.
    click(&page, "#tab-values");
    click(&page, "#values");
    assert_eq!(tab(), "Values");
    step("values");
    // A finger that moves aside steps as well, and a button step by step.
    page.point("touch", "#frame", 0.7, 0.3);
    made += 1;
    page.wait_until(&format!(
        "document.getElementById('status').textContent.includes('After {made}.')"
    ));
    click(&page, "#autoplay");
    let after = "Number(/After (\\d+)/.exec(document.getElementById('status').textContent)[1])";
    page.wait_until(&format!("{after} > {made} + 1"));
    click(&page, "#autoplay");
    // Whoever came with Tab moves between the tabs.
    page.script("document.getElementById('tab-values').focus()");
    page.script("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Tab'}))");
    page.press(RIGHT);
    assert_eq!(tab(), "Explorer");
    page.check_log();
}

/// Script: plays the first legal move, and notes when its discs turned and when it was answered.
const ANSWER: &str = "
window.clicked = performance.now();
document.querySelector('#grid button.legal').click();
const discs = [...document.querySelectorAll('#board .place *')].flatMap(one => one.getAnimations());
window.turned = Math.max(0, ...discs.map(one => one.effect.getComputedTiming().endTime));
window.faint = Number(getComputedStyle(document.querySelector('#board .dot')).opacity);
window.thinks = document.querySelector('.thinks')?.id;
new MutationObserver(() => { if (document.querySelector('#grid button.legal')) window.answered ??= performance.now(); })
  .observe(document.getElementById('grid'), {subtree: true, attributes: true})";

#[test]
fn a_human_level_takes_its_moment_and_its_dots_look_dead() {
    let Some(page) = page(&[]) else { return };
    visit(&page, &page.gui.url);
    page.wait_until("document.querySelector('#grid button.legal')");
    let dot = "return getComputedStyle(document.querySelector('#board .dot')).opacity";
    let own = page.script(dot).as_str().and_then(|text| text.parse().ok());
    assert!(own > Some(0.3), "{own:?}");
    let size = "return document.querySelector('#board .dot').r.baseVal.value * 2";
    assert!(number(&page, size) >= 14.0);
    page.script(ANSWER);
    assert!(number(&page, "return window.faint") <= 0.2);
    assert_eq!(page.script("return window.thinks"), "white-side");
    page.wait_until("window.answered");
    assert!(
        number(
            &page,
            "return window.answered - window.clicked - window.turned"
        ) >= 600.0
    );
}

/// Script: the scores of the shown position: of status, list and bar.
const SCORES: &str = r"
const status = document.getElementById('status').textContent.match(/Score for Black ([+\u2212]?[\d.]+?)[.,] /)?.[1];
const list = document.querySelector('#moves [aria-current] .score')?.textContent;
const bar = document.getElementById('bar').title.match(/[+\u2212]?\d+\.\d/)[0];
return [status, list, bar]";

#[test]
fn a_position_has_one_score_wherever_it_stands() {
    let Some(page) = review(1366, 650) else {
        return;
    };
    press(&page, "first");
    for _ in 0..59 {
        press(&page, "next");
        // A move with a mark leads to its question: its list entry is the same.
        let scores = page.script(SCORES);
        let what = format!("{scores}: {}", page.text("#status"));
        assert_eq!(scores[0], scores[2], "{what}");
        assert_eq!(scores[1], scores[2], "{what}");
    }
    // The numbers of a mistake agree with each other, and with the move before it in the list.
    let numbers = r"
const status = document.getElementById('status').textContent.replaceAll('\u2212', '-');
const [, lost] = /loses ([\d.]+)/.exec(status), [, before, after] = /Black ([-+]?[\d.]+) before it, ([-+]?[\d.]+) after/.exec(status);
const moves = [...document.querySelectorAll('.pair .move')], at = moves.findIndex(one => one.ariaCurrent);
const list = at < 1 ? before : moves[at - 1].querySelector('.score').textContent.replace('\u2212', '-');
return [Math.round(10 * Math.abs(before - after)), Math.round(10 * lost), Number(before), Number(list)]";
    for _ in 0..15 {
        press(&page, "next-mistake");
        let found = page.script(numbers);
        assert_eq!(found[0], found[1], "{found}: {}", page.text("#status"));
        assert_eq!(found[2], found[3], "{found}: {}", page.text("#status"));
    }
}

#[test]
fn a_mistake_is_played_out_and_left_with_one_click() {
    let Some(page) = review(1366, 650) else {
        return;
    };
    press(&page, "next-mistake");
    let asked = page.text("#status");
    open_dialog(&page, "#play-on");
    click(&page, ".card:has([value=h1])");
    click(&page, "#begin");
    page.wait_until("!document.querySelector('dialog[open]')");
    let plates = || ["black", "white"].map(|side| page.text(&format!("#{side}-side .name")));
    let beginner = "Emilia \u{b7} Beginner (h1)".to_owned();
    assert!(plates().contains(&beginner), "{:?}", plates());
    let legal = "document.querySelector('#grid button.legal')";
    for made in [2, 4] {
        page.wait_until(legal);
        page.script(&format!("{legal}.click()"));
        page.wait_until(&format!(
            "document.querySelectorAll('.variation .move').length === {made} && {legal}"
        ));
        let scores = "return document.querySelectorAll('.move .score').length";
        assert_eq!(page.script(scores), 0, "no value helps");
    }
    // A reload keeps the game, and the way back.
    visit(&page, &page.gui.url);
    assert!(plates().contains(&beginner), "{:?}", plates());
    click(&page, "#main-line");
    assert_eq!(page.text("#status"), asked);
    assert_eq!(plates(), ["Black", "White"]);
    let moves = "return document.querySelectorAll('.pair .move').length";
    assert_eq!(page.script(moves), 60);
    page.check_log();
}

#[test]
fn a_name_that_is_given_stays_and_is_in_files() {
    let Some(page) = page(&[]) else { return };
    visit(&page, &page.gui.url);
    assert_eq!(page.text("#black-side .name"), "You");
    assert_eq!(page.text("#white-side .name"), "Emilia \u{b7} Casual (h3)");
    page.script(
        "const name = document.querySelector('#black-side .name');
         name.focus();
         name.textContent = ' Zo\u{eb}\\n<b> ';
         name.blur()",
    );
    let record = "return import(new URL('review.js', document.querySelector('script[src]').src)).then(({record}) => record().black)";
    assert_eq!(page.script(record), "Zo\u{eb} <b>");
    open_dialog(&page, "#new");
    click(&page, "#begin");
    page.wait_until("!document.querySelector('dialog[open]')");
    assert_eq!(page.text("#black-side .name"), "Zo\u{eb} <b>");
    // Two people are called by their colours.
    open_dialog(&page, "#new");
    click(&page, ".card:has([value=two])");
    click(&page, "#begin");
    page.wait_until("document.querySelector('#black-side .name').textContent === 'Black'");
}

#[test]
fn the_look_of_the_page_is_kept() {
    let Some(page) = page(&[]) else { return };
    page.emulate(1366, 650, "light");
    visit(&page, &page.gui.url);
    let paper = "return getComputedStyle(document.body).backgroundColor";
    let felt = "return getComputedStyle(document.querySelector('#felt stop')).stopColor";
    let before = [paper, felt].map(|code| page.script(code));
    press(&page, "look");
    for (name, value) in [
        ("theme", "dark"),
        ("board", "blue"),
        ("dots", "off"),
        ("speed", "0"),
    ] {
        page.script(&format!(
            "const field = document.querySelector('#look-dialog [name={name}]');
             field.value = {value:?};
             field.dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
    }
    for path in ["", "practice.html"] {
        page.visit(&format!("{}{path}", page.gui.url));
        page.wait_until("document.querySelector('#felt stop')");
        let after = [paper, felt].map(|code| page.script(code));
        assert!(before[0] != after[0] && before[1] != after[1], "{after:?}");
        page.check_look(1366, "dark");
    }
    visit(&page, &page.gui.url);
    page.wait_until("document.querySelector('#grid button.legal')");
    let dots = "return document.querySelector('#board .dot').checkVisibility()";
    assert_eq!(page.script(dots), false);
    let turning = "document.querySelector('#grid button.legal').click();
        return [...document.querySelectorAll('#board .place *')].flatMap(one => one.getAnimations()).length";
    assert_eq!(page.script(turning), 0);
    // With forced colours the discs beside the names differ.
    page.devtools(
        "Emulation.setEmulatedMedia",
        &json!({"features": [{"name": "forced-colors", "value": "active"}]}),
    );
    let discs: Value = page.script(
        "return ['black', 'white'].map(side => getComputedStyle(document.querySelector(`.disc.${side}`)).backgroundColor)",
    );
    assert_ne!(discs[0], discs[1]);
}

#[test]
fn without_exercises_puzzles_of_a_theme_are_asked_and_rated() {
    let folder = crate::common::matches::Scratch::new("puzzles");
    let Some(page) = page(&["--state", &folder.path("practice.db")]) else {
        return;
    };
    page.visit(&format!("{}practice.html", page.gui.url));
    let is_asked = "document.getElementById('status').textContent.includes('in 10 club players')";
    page.wait_until(is_asked);
    assert_eq!(page.text("#skill"), "");
    page.script("document.cookie = 'emilia=%7B%22opponent%22:%22h5%22%7D; path=/'");
    page.script("const theme = document.getElementById('theme'); theme.value = 'corners'; theme.dispatchEvent(new Event('change'))");
    page.wait_until("(document.getElementById('hint').click(), document.getElementById('hints').textContent.includes('corners'))");
    page.script("document.querySelector('#grid button.legal').click()");
    page.wait_until("document.getElementById('skill').textContent.startsWith('Rating: 1,')");
    let words = page.text("body");
    assert!(!words.contains("emilia practice"), "{words}");
    // The theme is kept beside the other settings.
    let kept = page.script("return decodeURIComponent(document.cookie)");
    let kept = kept.as_str().expect("a cookie");
    assert!(kept.contains("h5") && kept.contains("corners"), "{kept}");
    page.check_look(1366, "puzzle");
    page.check_log();
}
