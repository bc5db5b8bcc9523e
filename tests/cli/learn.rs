//! The page of `emilia gui` that teaches, in a real browser: steps, exercises, words, looks.
//! Needs `chromedriver` (Debian: `chromium-driver`).

use crate::common::browser::{Browser, RIGHT};
use crate::gui_page::{ENTER, Page, page};

/// Opens the page, and waits until its tree is drawn.
pub(crate) fn visit_learn(browser: &Page) {
    browser.visit(&format!("{}learn.html", browser.gui.url));
    browser.wait_until("document.querySelector('#picture svg')");
}

/// Chooses an entry of a list, and waits until its tree is drawn before the first step.
pub(crate) fn choose(browser: &Browser, list: &str, value: &str) {
    browser.script(&format!(
        "document.querySelector('#picture svg').remove();
         const list = document.getElementById({list:?});
         list.value = {value:?};
         list.onchange()"
    ));
    browser.wait_until("document.querySelector('#picture svg')");
}

#[test]
#[ignore = "needs chromedriver"]
fn trees_and_algorithms_are_drawn_and_a_cut_is_reached_by_keys_and_explained() {
    let browser = page(&["--book", "off", "--hash", "8"]);
    visit_learn(&browser);
    choose(&browser, "tree", "alpha");
    browser.press(RIGHT);
    browser.press('c');
    let status = browser.text("#status");
    let reason = "4 \u{2264} \u{3b1} = 5. Max already has 5 at the root";
    assert!(status.contains(reason), "{status}");
    let scissors = "return document.querySelectorAll('#picture .scissors:not(.hidden)').length";
    assert_eq!(browser.script(scissors), 2);
    let lit = browser.text("#code [aria-current]");
    assert!(lit.contains("cut off"), "{lit}");
    for list in ["tree", "algorithm"] {
        let values =
            format!("return [...document.getElementById({list:?}).options].map(one => one.value)");
        let values = browser.script(&values);
        for value in values.as_array().expect("a list") {
            choose(&browser, list, value.as_str().expect("a name"));
            browser.script("document.getElementById('last').click()");
            let status = browser.text("#status");
            assert!(
                status.starts_with("Done: the root is worth "),
                "{value}: {status}"
            );
            assert_eq!(browser.text("#message"), "", "{value}");
        }
    }
    // A leaf is edited by a click, and a wrong list is refused with a sentence.
    choose(&browser, "tree", "alpha");
    browser.point("mouse", "#picture .leaf", 0.5, 0.5);
    browser.script(
        "const field = document.querySelector('#picture .edit');
         field.value = '3';
         field.blur()",
    );
    browser.wait_until("document.getElementById('list').value === '[3, [4, x, x]]'");
    browser
        .script("const list = document.getElementById('list'); list.value = '[1'; list.onchange()");
    browser.wait_until("document.getElementById('message').textContent.includes('Column 3')");
}

/// Script that answers all exercises. Leaves and nodes are clicked by their names.
const ANSWERS: &str = r"
const at = id => document.getElementById(id);
const click = names => {
  for (const node of document.querySelectorAll('#picture .node'))
    if (names.includes(node.querySelector('title').textContent))
      node.dispatchEvent(new MouseEvent('click', {bubbles: true}));
};
const answers = [
  () => at('value').value = '3', () => at('value').value = '5', () => click(['2.3']), () => click(['2.2', '2.3']),
  () => [at('alpha').value, at('beta').value] = ['4', '+\u221E'], () => click(['2.3']), () => click(['2.3', '3.2', '3.3']),
  () => at('order-1').click(), () => click(['1.1.2.2', '1.2.2.1', '1.2.2.2']), () => click(['2']),
];
answers[arguments[0]]();
at('check').click();
return at('verdict').className;";

#[test]
#[ignore = "needs chromedriver"]
fn exercises_are_checked_with_the_reason() {
    let browser = page(&["--book", "off", "--hash", "8"]);
    visit_learn(&browser);
    let open = |number: usize| {
        browser.script("document.querySelector('#picture svg').remove()");
        browser.script(&format!(
            "if ({number} === 0) document.getElementById('practise').click();
             else document.querySelectorAll('#numbers button')[{number}].click()"
        ));
        browser.wait_until("document.querySelector('#picture svg')");
    };
    // A wrong answer first.
    open(0);
    open(2);
    browser.point("mouse", "#picture .leaf", 0.5, 0.5);
    browser.script("document.getElementById('check').click()");
    assert_eq!(
        browser.text("#verdict"),
        "Not yet. Alpha-beta does visit: \u{2212}5. Leaves that you have not marked: 1."
    );
    // The steps are shown, and then the question again.
    browser.script("document.getElementById('show').click()");
    browser.press(RIGHT);
    assert!(browser.text("#status").contains("the window is"));
    browser.script("document.getElementById('show').click()");
    // A leaf is marked by keys.
    browser.script("document.querySelector('#picture .leaf').focus()");
    browser.press(ENTER);
    let marked = "return document.querySelectorAll('#picture .marked').length";
    assert_eq!(browser.script(marked), 1);
    for number in 0..10 {
        open(number);
        let answer = ANSWERS.replace("arguments[0]", &number.to_string());
        let verdict = browser.script(&answer);
        assert_eq!(
            verdict,
            "card good",
            "{number}: {}",
            browser.text("#verdict")
        );
    }
    let done = "return [...document.querySelectorAll('#numbers button')].filter(button => button.textContent.includes('\u{2713}')).length";
    assert_eq!(browser.script(done), 10);
    browser.check_log();
}
