//! The page of `emilia gui` holds still: nothing moves under the pointer, one number for a move,
//! and what was chosen stays. Needs `chromedriver` (Debian: `chromium-driver`).

use serde_json::json;

use crate::common::browser::RIGHT;
use crate::gui_page::{
    Page, analyze, board, load, number, page, start_game, visit, wait_for_moves,
};

/// Shows the page with a game analysed, on a screen of this size.
fn show_review(page: &Page, width: u64, height: u64) {
    page.emulate(width, height, "light");
    visit(page, &page.gui.url);
    load(page);
    analyze(page);
}

/// Returns the page with a game analysed, on a small laptop.
fn review() -> Page {
    let page = page(&[]);
    show_review(&page, 1366, 650);
    page
}

/// Script: scrolls to the button that leads to the next mistake, as it is on this screen, and keeps
/// its place.
const AIM: &str = "
const next = [...document.querySelectorAll('#next-mistake, #thumb-following')].find(one => one.checkVisibility());
next.scrollIntoView({block: 'center'});
const box = next.getBoundingClientRect();
window.point = [box.x + box.width / 2, box.y + box.height / 2]";

#[test]
#[ignore = "needs chromedriver"]
fn four_clicks_at_one_point_reach_four_mistakes() {
    let page = page(&[]);
    for (width, height) in [(1366, 650), (1024, 768), (390, 844), (844, 390)] {
        show_review(&page, width, height);
        // The first click leads out of a variation.
        page.does("push next-mistake");
        page.script("document.querySelector('#grid button.legal').click()");
        page.script(AIM);
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

/// Script: where the list of moves begins, and how many of its rows are seen whole, 0 without the
/// current move.
const LIST: &str = "
const list = document.getElementById('moves'), box = list.getBoundingClientRect();
const seen = [...list.querySelectorAll('.pair')].map(row => [row, row.getBoundingClientRect()])
  .filter(([, {top, bottom}]) => top > box.top - 1 && bottom < Math.min(box.bottom, innerHeight) + 1).map(([row]) => row);
return [box.top + scrollY, seen.some(row => row.querySelector('[aria-current]')) ? seen.length : 0]";

#[test]
#[ignore = "needs chromedriver"]
fn a_review_shows_six_rows_of_moves_and_no_sentence_shifts_them() {
    let page = review();
    page.does("push first\n push next");
    let top = page.script(LIST)[0].clone();
    for id in ["next", "next-mistake"] {
        for step in 0..30 {
            page.does(&format!("push {id}"));
            let list = page.script(LIST);
            let what = format!("{id} {step}: {list}, {}", page.text("#status"));
            assert_eq!(list[0], top, "{what}");
            assert!(list[1].as_u64() >= Some(6), "{what}");
        }
    }
}

#[test]
#[ignore = "needs chromedriver"]
fn arrow_keys_step_through_the_game_after_a_click() {
    let page = board();
    load(&page);
    let tab = || page.text("[role=tab][aria-selected=true]");
    let mut made = 0;
    let mut step = || {
        page.press(RIGHT);
        made += 1;
        page.does(&format!("says status After {made}."));
    };
    page.does("click #first");
    for id in ["tab-values", "tab-explorer", "tab-menu", "tab-moves"] {
        page.does(&format!("click #{id}"));
        step();
        assert_eq!(tab().to_lowercase(), id["tab-".len()..]);
    }
    // Values that are switched off leave their tab open.
    page.does("click #tab-values\n click #values");
    assert_eq!(tab(), "Values");
    step();
    // A finger that moves aside steps as well, and a button step by step.
    page.point("touch", "#frame", 0.7, 0.3);
    page.does(
        "says status After 6.
         click #autoplay
         says status After 8.
         click #autoplay",
    );
    // Whoever came with Tab moves between the tabs.
    page.script("document.getElementById('tab-values').focus()");
    page.script("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Tab'}))");
    page.press(RIGHT);
    assert_eq!(tab(), "Explorer");
    page.check_log();
}

/// Script: the scores of the shown position: of status, list and bar.
const SCORES: &str = r"
const status = document.getElementById('status').textContent.match(/Score for Black ([+\u2212]?[\d.]+?)[.,] /)?.[1];
const list = document.querySelector('#moves [aria-current] .score')?.textContent;
const bar = document.getElementById('bar').title.match(/[+\u2212]?\d+\.\d/)[0];
return [status, list, bar]";

/// Script: the difference of the scores of a mistake and its loss in tenths, the score before it,
/// and the score of the move before it in the list.
const LOSS: &str = r"
const status = document.getElementById('status').textContent.replaceAll('\u2212', '-');
const [, lost] = /loses ([\d.]+)/.exec(status), [, before, after] = /Black ([-+]?[\d.]+) before it, ([-+]?[\d.]+) after/.exec(status);
const moves = [...document.querySelectorAll('.pair .move')], at = moves.findIndex(one => one.ariaCurrent);
const list = at < 1 ? before : moves[at - 1].querySelector('.score').textContent.replace('\u2212', '-');
return [Math.round(10 * Math.abs(before - after)), Math.round(10 * lost), Number(before), Number(list)]";

#[test]
#[ignore = "needs chromedriver"]
fn a_position_has_one_score_wherever_it_stands() {
    let page = review();
    page.does("push first");
    for _ in 0..59 {
        page.does("push next");
        let scores = page.script(SCORES);
        let what = format!("{scores}: {}", page.text("#status"));
        assert!(scores[0] == scores[2] && scores[1] == scores[2], "{what}");
    }
    for _ in 0..15 {
        page.does("push next-mistake");
        let found = page.script(LOSS);
        let what = format!("{found}: {}", page.text("#status"));
        assert!(found[0] == found[1] && found[2] == found[3], "{what}");
    }
}

#[test]
#[ignore = "needs chromedriver"]
fn a_mistake_is_played_out_and_left_with_one_click() {
    let page = review();
    page.does("push next-mistake");
    let asked = page.text("#status");
    page.does(
        "push play-on
         wait document.getElementById('new-dialog').open
         choose opponent h1
         push begin
         wait !document.querySelector('dialog[open]')",
    );
    page.does("says sides Beginner");
    let legal = "document.querySelector('#grid button.legal')";
    for made in [2, 4] {
        page.does(&format!(
            "wait {legal}
             wait ({legal}.click(), true)
             wait document.querySelectorAll('.variation .move').length === {made} && {legal}"
        ));
        let scores = "return document.querySelectorAll('.move .score').length";
        assert_eq!(page.script(scores), 0, "no value helps");
    }
    // A reload keeps the game, and the way back.
    visit(&page, &page.gui.url);
    page.does("says sides Beginner");
    page.does("push main-line");
    assert_eq!(page.text("#status"), asked);
    wait_for_moves(&page, 60);
    page.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn a_name_that_is_given_stays_and_is_in_files() {
    let page = board();
    let name = || page.text("#black-side .name");
    assert_eq!(name(), "You");
    page.script(
        "const name = document.querySelector('#black-side .name');
         name.focus();
         name.textContent = ' Zo\u{eb}\\n<b> ';
         name.blur()",
    );
    let record = "return import(new URL('review.js', document.querySelector('script[src]').src)).then(({record}) => record().black)";
    assert_eq!(page.script(record), "Zo\u{eb} <b>");
    for (opponent, called) in [("h3", "Zo\u{eb} <b>"), ("two", "Black")] {
        start_game(&page, opponent, "black");
        page.does(&format!(
            "wait document.querySelector('#black-side .name').textContent === {called:?}"
        ));
    }
}

#[test]
#[ignore = "needs chromedriver"]
fn the_look_of_the_page_is_kept() {
    let page = page(&[]);
    page.emulate(1366, 650, "light");
    visit(&page, &page.gui.url);
    let look = "return [document.body, document.querySelector('#felt stop')].map(one => getComputedStyle(one))
        .map(({backgroundColor, stopColor}, at) => [backgroundColor, stopColor][at])";
    let before = page.script(look);
    page.does("push look");
    for [name, value] in [
        ["theme", "dark"],
        ["board", "blue"],
        ["dots", "off"],
        ["speed", "0"],
    ] {
        page.script(&format!(
            "const field = document.querySelector('#look-dialog [name={name}]');
             field.value = {value:?};
             field.dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
    }
    for path in ["practice.html", ""] {
        page.visit(&format!("{}{path}", page.gui.url));
        page.wait_until("document.querySelector('#felt stop')");
        let after = page.script(look);
        assert!(before[0] != after[0] && before[1] != after[1], "{after:?}");
        page.check_look(1366, "dark");
    }
    page.wait_until("document.querySelector('#grid button.legal')");
    let dots = "return document.querySelector('#board .dot').checkVisibility()";
    assert_eq!(page.script(dots), false);
    // With forced colours the discs beside the names differ.
    page.devtools(
        "Emulation.setEmulatedMedia",
        &json!({"features": [{"name": "forced-colors", "value": "active"}]}),
    );
    let discs = page.script(
        "return ['black', 'white'].map(side => getComputedStyle(document.querySelector(`.disc.${side}`)).background)",
    );
    assert_ne!(discs[0], discs[1]);
}

#[test]
#[ignore = "needs chromedriver"]
fn without_exercises_puzzles_of_a_theme_are_asked_and_rated() {
    let folder = crate::common::matches::Scratch::new("puzzles");
    let page = page(&["--state", &folder.path("practice.db")]);
    page.visit(&format!("{}practice.html", page.gui.url));
    page.does("says status in 10 club players");
    assert_eq!(page.text("#skill"), "\u{2013}");
    page.script("document.cookie = 'emilia=%7B%22opponent%22:%22h5%22%7D; path=/'");
    page.does(
        "set theme corners
         says number 1 of
         wait (document.querySelector('#grid button.legal').click(), true)
         says skill 1,
         says themes corners",
    );
    // The theme is kept beside the other settings.
    let kept = page.script("return decodeURIComponent(document.cookie)");
    let kept = kept.as_str().expect("a cookie");
    assert!(kept.contains("h5") && kept.contains("corners"), "{kept}");
    assert!(
        number(
            &page,
            "return document.body.textContent.indexOf('emilia practice')"
        ) < 0.0
    );
    page.check_log();
}
