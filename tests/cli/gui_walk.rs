//! Words of the page of `emilia gui`: each language has all of them.

use std::collections::BTreeSet;

use crate::browser::GAME;
use crate::gui_page::{analyze, page, paste, visit, wait_for_moves};
use crate::learn::{choose, visit_learn};

/// Script: the texts and labels of the page, shown or hidden.
const TEXTS: &str = r"
const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) if (!walk.currentNode.parentElement.closest('noscript, svg, #language')) texts.push(walk.currentNode.data);
for (const name of ['title', 'aria-label', 'placeholder', 'label'])
  for (const one of document.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name));
return texts.map(text => text.trim()).filter(text => /[a-z]{3}/i.test(text))";

/// Names, and words that are the same in another language.
const SAME: &str = "\
    Ann|Zoe|Open|Emilia|Emilia h3|Emilia 3 s|Perpendicular|Ganglion|XOT|PNG|SVG|SGF|GGF|PGN|\
    Esc|Ctrl+V|?!, ?, ??|Position|Pages|Pause|Menu|Minutes|Standard|Champion|Score|exact|\
    date|passes|SGF, GGF, PGN|minimax|negamax|NegaScout|10. NegaScout|MTD(f)|Passes|\
    3 min|5 min|10 min|WebM|Date|Score|min [7, 3, 5]|min [[2, 3], [1, 4, 9]]";

/// Steps through the page: after each one its texts are collected.
const WAY: &str = "
wait true
push help
wait document.querySelector('dialog[open]')
push set-up
push set-cancel
wait document.querySelector('.pair .move')
push next-mistake
push values
wait document.querySelectorAll('#hints tbody tr').length > 0
push tab-explorer
wait document.getElementById('explored-words').textContent
push last
push practise-white
wait document.getElementById('number')?.textContent && document.querySelector('html.ready')";

#[test]
#[ignore = "needs chromedriver"]
fn no_english_word_is_left_in_another_language() {
    let folder = crate::common::matches::Scratch::new("words");
    let browser = page(&["--state", &folder.path("practice.db")]);
    visit(&browser, &browser.gui.url);
    let texts = |language: &str| {
        browser.speak(language);
        // The visit begins without a game: its moves would be taken for those to wait for.
        browser.script("sessionStorage.clear()");
        visit(&browser, &browser.gui.url);
        let mut all = BTreeSet::new();
        let mut collect = || {
            let texts = browser.script(TEXTS);
            let texts = texts.as_array().expect("a list").iter();
            all.extend(texts.map(|text| text.as_str().expect("a text").to_owned()));
        };
        for step in WAY.trim().lines() {
            browser.does(step);
            collect();
            if step.starts_with("wait") {
                browser.script("document.querySelector('dialog[open]')?.close()");
            }
            if step == "push set-cancel" {
                paste(
                    &browser,
                    &format!("% Black: Ann\n% White: Zoe\n% Event: Open\n{GAME}\n"),
                );
                wait_for_moves(&browser, 60);
                analyze(&browser);
            }
        }
        for hash in ["", "#1.1", "#7.3"] {
            browser.visit(&format!("{}lessons.html{hash}", browser.gui.url));
            browser.wait_until("document.querySelector('html.ready')");
            collect();
        }
        // Each step of an algorithm, and the exercises.
        visit_learn(&browser);
        for algorithm in ["alpha-beta", "minimax", "mtd-f"] {
            choose(&browser, "algorithm", algorithm);
            while browser.script("return document.getElementById('next').disabled") == false {
                browser.does("push next");
                collect();
            }
        }
        browser.does("push practise");
        for number in 1..=10 {
            browser.does(&format!("says exercise-title {number}.\n push hint"));
            collect();
            browser.script(&format!(
                "document.querySelectorAll('#numbers button')[{number}]?.click()"
            ));
        }
        browser.visit(&browser.gui.url);
        all
    };
    let english = texts("en");
    assert!(english.len() > 100, "{english:?}");
    for language in ["fr", "ja", "zh"] {
        let own = texts(language);
        let mut left: Vec<&String> = english.intersection(&own).collect();
        left.retain(|text| !SAME.split('|').any(|same| same == text.as_str()));
        assert!(left.is_empty(), "{language}: {left:?}");
    }
    browser.check_log();
}
