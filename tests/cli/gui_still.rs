//! The page of `emilia gui` holds still: nothing moves under the pointer, one number for a move,
//! and what was chosen stays. Needs `chromedriver` (Debian: `chromium-driver`).

use serde_json::{Value, json};

use crate::common::browser::RIGHT;
use crate::gui_page::{
    analyze, board, click_move, load, moves, page, paste, start_game, visit, wait_for_moves,
};

/// Script: scrolls to the button that leads to the next mistake, as it is on this screen, and keeps
/// its place.
const AIM: &str = "
const next = [...document.querySelectorAll('#next-mistake, #thumb-following')].find(one => one.checkVisibility());
next.scrollIntoView({block: 'center'});
const box = next.getBoundingClientRect();
window.point = [box.x + box.width / 2, box.y + box.height / 2]";

/// Script: where the list of moves begins, and how many of its rows are seen whole, 0 without the
/// current move.
const LIST: &str = "
const list = document.getElementById('moves'), box = list.getBoundingClientRect();
const seen = [...list.querySelectorAll('.pair')].map(row => [row, row.getBoundingClientRect()])
  .filter(([, {top, bottom}]) => top > box.top - 1 && bottom < Math.min(box.bottom, innerHeight) + 1).map(([row]) => row);
return [box.top + scrollY, seen.some(row => row.querySelector('[aria-current]')) ? seen.length : 0]";

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

/// Number of steps through a game of 60 moves.
const STEPS: usize = 58;

#[test]
#[ignore = "needs chromedriver"]
fn a_review_holds_still_and_its_mistakes_are_played_out() {
    let page = board();
    load(&page);
    analyze(&page);
    page.emulate(1366, 650, "light");
    // Six rows of moves are seen, no sentence shifts them, and a position has one score. A loss is the
    // difference of two.
    let steps = |button: &str, numbers: &str| -> Vec<Value> {
        let step = format!(
            "const numbers = () => {{{numbers}}}, list = () => {{{LIST}}};
             document.getElementById('{button}').click();
             return [numbers(), list(), document.getElementById('status').textContent]"
        );
        (0..STEPS).map(|_| page.script(&step)).collect()
    };
    page.does("push first\n push next");
    let top = page.script(LIST)[0].clone();
    let (moves, mistakes) = (steps("next", SCORES), steps("next-mistake", LOSS));
    for row in moves.iter().chain(&mistakes) {
        let list = &row[1];
        assert!(list[0] == top && list[1].as_u64() >= Some(6), "{row}");
    }
    for row in moves {
        let scores = &row[0];
        assert!(scores[0] == scores[2] && scores[1] == scores[2], "{row}");
    }
    for row in mistakes {
        let found = &row[0];
        assert!(found[0] == found[1] && found[2] == found[3], "{row}");
    }

    // Four clicks at one point reach four mistakes. The first one leads out of a variation.
    for (width, height) in [(1024, 768), (390, 844), (844, 390), (1366, 650)] {
        page.emulate(width, height, "light");
        page.does("push first\n push next-mistake");
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

    // A mistake is played out, without values, and left with one click, after a reload, too.
    page.does("push first\n push next-mistake");
    let asked = page.text("#status");
    page.does(
        "open play-on
         choose opponent h1
         push begin
         wait !document.querySelector('dialog[open]')
         says sides Beginner",
    );
    let legal = "document.querySelector('#grid button.legal')";
    for made in [2, 4] {
        page.does(&format!(
            "wait {legal}
             wait ({legal}.click(), true)
             wait document.querySelectorAll('.variation .move').length >= {made} && {legal}"
        ));
        let scores = "return document.querySelectorAll('.move .score').length";
        assert_eq!(page.script(scores), 0, "no value helps");
    }
    visit(&page, &page.gui.url);
    page.does("says sides Beginner\n push main-line");
    assert_eq!(page.text("#status"), asked);
    wait_for_moves(&page, 60);
    page.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn arrow_keys_step_through_the_game_after_a_click_and_values_rest_in_a_hidden_tab() {
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
    // Values are searched while the tab is visible.
    let seen = |hidden: bool| {
        page.script(&format!(
            "Object.defineProperty(document, 'hidden', {{value: {hidden}, configurable: true}});
             document.dispatchEvent(new Event('visibilitychange'))"
        ));
    };
    paste(&page, "f5d6c3d3c4");
    wait_for_moves(&page, 5);
    page.does("press v\n says thinking Depth");
    seen(true);
    page.wait_until("document.getElementById('thinking').textContent === ''");
    seen(false);
    page.does("says thinking Depth");
    page.check_log();
}

#[test]
#[ignore = "needs chromedriver"]
fn the_look_of_the_page_is_kept_and_clicks_follow_a_board_that_is_turned() {
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
    start_game(&page, "two", "black");
    page.does("wait document.querySelector('#black-side .name').textContent === 'Black'");
    // Where d3 stands, and the first letter and digit at the edges.
    let seen = "
        const [b, f] = ['#grid [data-square=d3]', '#frame'].map(one => document.querySelector(one).getBoundingClientRect());
        const [column, row] = document.querySelectorAll('#board .letters text');
        return [...[(b.x + b.width / 2 - f.x) / f.width, (b.y + b.height / 2 - f.y) / f.height].map(n => Math.floor(8 * n)),
          column.textContent, row.textContent]";
    for (turn, expected) in [
        ("90", json!([5, 3, "8", "a"])),
        ("180", json!([4, 5, "h", "8"])),
        ("mirror", json!([4, 2, "h", "1"])),
        ("0", json!([3, 2, "a", "1"])),
    ] {
        page.script(&format!(
            "const turn = document.querySelector('[name=turn]');
             document.documentElement.classList.remove('ready');
             turn.value = '{turn}';
             turn.dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
        page.wait_until(&format!(
            "document.querySelector('html.ready')?.dataset.turn === '{turn}'"
        ));
        assert_eq!(page.script(seen), expected, "{turn}");
    }
    // The square that is clicked is played, and its disc lies there.
    let before = moves(&page);
    let played = click_move(&page);
    wait_for_moves(&page, before + 1);
    page.does(&format!("says moves {played}"));
    page.check_log();
}
