//! A walk over every page and dialog of `emilia gui`, in four languages and on every screen: nothing
//! is cut, no page scrolls sideways, texts are readable, and no English word is left. Needs
//! `chromedriver` (Debian: `chromium-driver`).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::browser::GAME;
use crate::common::browser::SCHEMES;
use crate::common::matches::Scratch;
use crate::gui_page::{Page, analyze, page, paste, visit, wait_for_moves};
use crate::learn::{choose, visit_learn};

/// Screens: width and height in pixels, the reader's text size in pixels, and the smallest side of
/// the board. The last three are looked at in every language.
const SCREENS: [(u64, u64, u64, f64); 9] = [
    (1366, 650, 16, 620.0),
    (1280, 585, 16, 560.0),
    (1920, 1080, 16, 1040.0),
    (820, 1180, 16, 820.0),
    (360, 640, 16, 360.0),
    (844, 390, 16, 370.0),
    (320, 640, 16, 320.0),
    (740, 360, 16, 340.0),
    (360, 640, 32, 306.0),
];

/// Number of screens, from the first one on, that are looked at in English only.
const ENGLISH_SCREENS: usize = 6;

/// Script: returns what of the shown page is cut or lies outside the window. Texts that end with an
/// ellipsis are shortened on purpose.
const CUT: &str = r"
const cut = [], wide = innerWidth + 1, range = document.createRange();
const clips = (style, axis) => ['hidden', 'clip'].includes(style['overflow' + axis]);
const isSeen = one => one.checkVisibility({visibilityProperty: true}) && !one.closest('.hide, noscript, svg, option, [aria-hidden=true]');
if (document.documentElement.scrollWidth > wide) cut.push(`the page is ${document.documentElement.scrollWidth} wide`);
for (const one of document.querySelectorAll('body *')) {
  const texts = [...one.childNodes].filter(node => node.nodeType === 3 && node.data.trim());
  if (texts.length === 0 || !isSeen(one)) continue;
  range.setStartBefore(texts[0]);
  range.setEndAfter(texts.at(-1));
  const box = range.getBoundingClientRect(), report = where => cut.push(`${one.textContent.trim().slice(0, 40)}: ${where}`);
  for (let at = one; box.width > 1 && at; at = at.parentElement) {
    const style = getComputedStyle(at), own = at.getBoundingClientRect(), isControl = at === one && at.matches('button, select, label, a');
    // Nobody can scroll to what lies left of the beginning.
    const scrolls = /auto|scroll/.test(style.overflowX);
    if (scrolls && box.left + at.scrollLeft < own.left - 2) report('before the beginning of what scrolls');
    if (style.textOverflow === 'ellipsis' || scrolls) break;
    if ((clips(style, 'X') || isControl) && (box.left < own.left - 2 || box.right > own.right + 2)) { report('cut at the side'); break; }
    if ((clips(style, 'Y') || isControl) && (box.top < own.top - 3 || box.bottom > own.bottom + 3)) { report('cut below'); break; }
    if (at === document.body && (box.left < -1 || box.right > wide)) report('outside');
  }
}
for (const part of document.querySelectorAll('.thumb > *')) {
  const box = part.getBoundingClientRect(), own = part.parentElement.getBoundingClientRect();
  if (box.top < own.top - 1 || box.bottom > own.bottom + 1) cut.push(`${part.parentElement.id}: a part is outside`);
}
const status = document.getElementById('status');
if (status && isSeen(status) && status.scrollHeight > status.clientHeight + 2) cut.push(`${status.textContent}: cut below`);
return cut";

/// Script: defines a function that returns the texts and labels of the page, shown or hidden.
const TEXTS: &str = r"
const textsOf = () => {
  const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest('noscript, svg, #language')) texts.push(walk.currentNode.data);
  for (const name of ['title', 'aria-label', 'placeholder', 'label'])
    for (const one of document.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name));
  return texts.map(text => text.trim()).filter(text => /[a-z]{3}/i.test(text));
};";

/// Script: goes through the steps of an algorithm, and returns all texts on the way.
const STEPS: &str = "
const all = new Set(), next = document.getElementById('next');
for (; !next.disabled; next.click()) for (const text of textsOf()) all.add(text);
return [...all]";

/// Names, and words that are the same in another language.
const SAME: &str = "\
    Ann|Zoe|Open|Emilia|Emilia h3|Emilia 3 s|XOT|PNG|SVG|SGF|GGF|PGN|\
    Esc|Ctrl+V|?!, ?, ??|Position|Pages|Pause|Menu|Minutes|Standard|Champion|Score|exact|\
    date|passes|SGF, GGF, PGN|minimax|negamax|NegaScout|10. NegaScout|MTD(f)|Passes|\
    3 min|5 min|10 min|WebM|Date|Ganglion|min [7, 3, 5]|min [[2, 3], [1, 4, 9]]";

/// Steps through the board before a game is loaded, after it is analysed, and through a game against
/// Emilia. After each line `see` the page is looked at.
const WAYS: [&str; 3] = [
    "see first screen
     open help
     wait document.querySelector('dialog[open] dd')
     see help
     press \u{E00C}
     open new
     choose opponent custom
     choose start random
     see new game
     press \u{E00C}
     push set-up
     wait document.querySelector('.setting-up')
     see setting up
     push set-cancel",
    "push next-mistake
     see mistake
     wait (document.querySelector('#grid .legal').click(), true)
     see variation
     push main-line
     open share
     see share
     press \u{E00C}
     open judged
     see summary
     press \u{E00C}
     open look
     see settings
     press \u{E00C}
     open paste
     see paste
     press \u{E00C}
     push values
     wait document.querySelectorAll('#hints tbody tr').length > 0
     see values
     push values
     push tab-explorer
     wait document.getElementById('explored-words').textContent
     see explorer
     push tab-games
     wait document.querySelectorAll('#list tbody tr').length > 0
     see games
     push tab-menu
     see menu",
    "open new
     choose start position
     choose opponent h0
     choose colour black
     push begin
     wait document.querySelector('#grid .legal')
     push tab-moves
     wait (document.querySelector('#grid .legal').click(), true)
     wait !document.getElementById('result').hidden
     see result",
];

/// A visit of all pages in one language.
struct Walk<'p> {
    page: &'p Page,
    language: &'p str,
    texts: BTreeSet<String>,
}

impl Walk<'_> {
    /// Does steps, and looks at the page at each line `see`.
    fn does(&mut self, steps: &str) {
        for step in steps.lines().map(str::trim) {
            match step.strip_prefix("see ") {
                Some(what) => self.see(what),
                None => self.page.does(step),
            }
        }
    }

    /// Loads a page beside the board, and waits until it shows something.
    fn visit(&self, path: &str, shown: &str) {
        self.page.visit("about:blank");
        self.page.visit(&format!("{}{path}", self.page.gui.url));
        self.page.wait_until(shown);
    }

    fn keep(&mut self, texts: &Value) {
        let texts = texts.as_array().expect("a list").iter();
        self.texts
            .extend(texts.map(|text| text.as_str().expect("a text").to_owned()));
    }

    /// Keeps the texts of the page, and checks it on the screens of the language.
    fn see(&mut self, what: &str) {
        self.keep(&self.page.script(&format!("{TEXTS} return textsOf()")));
        let is_english = self.language == "en";
        let first = if is_english { 0 } else { ENGLISH_SCREENS };
        for (at, (width, height, text, board)) in SCREENS.into_iter().enumerate().skip(first) {
            self.set_text(text);
            self.page.emulate(width, height, SCHEMES[at % 2]);
            let what = format!("{what}, {}, {width} x {height}, {text} px", self.language);
            assert_eq!(self.page.script(CUT), json!([]), "{what}");
            if is_english {
                self.page.check_look(width, &what);
                let side = "return document.getElementById('frame')?.offsetWidth ?? 9999";
                let side = self.page.script(side);
                assert!(side == 0 || side.as_f64() >= Some(board), "{what}: {side}");
            }
        }
        self.set_text(16);
        self.page.emulate(1366, 650, "light");
    }

    fn set_text(&self, size: u64) {
        let sizes = json!({"fontSizes": {"standard": size, "fixed": size}});
        self.page.devtools("Page.setFontSizes", &sizes);
    }

    fn board(&mut self) {
        let [before, review, game] = WAYS;
        self.page.speak(self.language);
        // The board must begin without a game. It would store its game when it is left, but this
        // page stores none.
        self.page.script("sessionStorage.clear()");
        visit(self.page, &self.page.gui.url);
        self.page.wait_until("document.querySelector('html.ready')");
        self.does(before);
        let tags = "% Black: Ann\n% White: Zoe\n% Event: Open\n";
        paste(self.page, &format!("{tags}{GAME}\n"));
        wait_for_moves(self.page, 60);
        analyze(self.page);
        self.does(review);
        paste(self.page, &format!("XO{} X", "-".repeat(62)));
        wait_for_moves(self.page, 0);
        self.does(game);
    }

    fn other_pages(&mut self) {
        let ready = "document.querySelector('html.ready')";
        for hash in ["", "#1.1", "#7.3"] {
            self.visit(&format!("lessons.html{hash}"), ready);
            self.see(&format!("lessons {hash}"));
        }
        self.visit("practice.html", "document.querySelector('#grid .legal')");
        self.see("exercise");
        self.does(
            "wait (document.querySelector('#grid .legal').click(), true)
             wait !document.getElementById('answer').hidden
             see answer",
        );
        let counts = "document.getElementById('counts')?.textContent";
        self.visit("openings.html", counts);
        self.see("my openings");
        // Each step of an algorithm, and the exercises.
        visit_learn(self.page);
        self.does("push next-cut\n see search");
        for algorithm in ["alpha-beta", "minimax", "mtd-f"] {
            choose(self.page, "algorithm", algorithm);
            self.keep(&self.page.script(&format!("{TEXTS}{STEPS}")));
        }
        self.does("push practise\n says exercise-title 1.\n see exercise on search");
        for number in 1..=10 {
            self.page
                .does(&format!("says exercise-title {number}.\n push hint"));
            self.keep(&self.page.script(&format!("{TEXTS} return textsOf()")));
            self.page.script(&format!(
                "document.querySelectorAll('#numbers button')[{number}]?.click()"
            ));
        }
    }
}

#[test]
#[ignore = "takes a minute, and needs chromedriver"]
fn every_page_and_dialog_fits_every_screen_in_four_languages() {
    let folder = Scratch::new("walk");
    let page = page(&["--state", &folder.path("practice.db")]);
    visit_learn(&page);
    let [english, others @ ..] = ["en", "fr", "ja", "zh"].map(|language| {
        let mut walk = Walk {
            page: &page,
            language,
            texts: BTreeSet::new(),
        };
        walk.board();
        walk.other_pages();
        (language, walk.texts)
    });
    assert!(english.1.len() > 100, "{english:?}");
    for (language, own) in others {
        let mut left: Vec<&String> = english.1.intersection(&own).collect();
        left.retain(|text| !SAME.split('|').any(|same| same == text.as_str()));
        assert!(left.is_empty(), "{language}: {left:?}");
    }
    page.check_log();
}
