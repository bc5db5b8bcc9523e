//! The Lessons page of `emilia gui`, in a real browser: the rules, a lesson of strategy, looks.
//! Needs `chromedriver`.

use crate::common::browser::Browser;
use crate::common::run::cases;
use crate::gui_page::{Page, click, page, visit};

/// Waits until the status begins with a sentence.
fn wait_for(browser: &Browser, sentence: &str) {
    browser.wait_until(&format!(
        "document.getElementById('status').textContent.trim().startsWith('{sentence}')"
    ));
}

/// Clicks a square, or another element by its identifier.
fn choose(browser: &Browser, what: &str) {
    let is_square = what.len() == 2;
    let square = format!("#grid [data-square={what}]");
    click(browser, if is_square { &square } else { what });
}

/// Opens the list of lessons, or a board by the hash of the address.
fn visit_lessons(browser: &Page, hash: &str) {
    browser.visit("about:blank");
    browser.visit(&format!("{}lessons.html{hash}", browser.gui.url));
    browser.wait_until("document.querySelector('html.ready')");
}

#[test]
#[ignore = "needs chromedriver"]
fn a_beginner_learns_the_rules_by_six_boards_plays_and_solves_a_lesson() {
    let browser = page(&["--book", "off", "--hash", "8"]);
    visit(&browser, &browser.gui.url);
    click(&browser, "#newcomer");
    browser
        .wait_until("document.querySelector('.lessons') && document.querySelector('html.ready')");
    // Boards of the rules: the task, wrong clicks with the sentences about them, and the right click.
    let boards = "\
        You are Black | a1 No white disc / d4 There is a disc | d3
        A move turns every line | e7 A legal move, but it turns discs in 1 direction only | f3
        A move must turn | #pass Black has a legal move / a1 White discs touch | g1
        A side without a legal move | b2 White discs touch | #pass
        The game ends | a1 There is a disc | h2
        No line goes past a corner | a4 A legal move, but not the corner | a8";
    for [task, wrong, right] in cases(boards) {
        browser.wait_until(&format!(
            "document.getElementById('task').textContent.startsWith('{task}')"
        ));
        for wrong in wrong.split(" / ") {
            let (square, said) = wrong.split_once(' ').expect("a square and a sentence");
            choose(&browser, square);
            wait_for(&browser, said);
        }
        choose(&browser, right);
        if right == "h2" {
            wait_for(&browser, "The game is over");
            click(&browser, "#white");
            wait_for(&browser, "Count again");
            click(&browser, "#black");
            wait_for(&browser, "Black wins 37");
        } else {
            wait_for(&browser, "Right");
        }
        click(&browser, "#next");
    }
    browser.wait_until(
        "document.querySelector('#white-side .sub')?.textContent.includes('First steps')",
    );
    // The link was for a first visit, and what is done is kept.
    assert_eq!(
        browser.script("return document.getElementById('newcomer').hidden"),
        true
    );
    visit_lessons(&browser, "");
    assert!(browser.text("#lessons li").contains('\u{2713}'));
    // A position of a lesson is solved after its mistake, and has values.
    visit_lessons(&browser, "#2.3");
    choose(&browser, "b6");
    wait_for(
        &browser,
        "b6 is a mistake Discs turned: 5. Moves for White: ",
    );
    click(&browser, "#again");
    choose(&browser, "e1");
    wait_for(&browser, "e1 is possible, but another move is better");
    click(&browser, "#values");
    browser.wait_until("document.querySelector('#grid .best span')");
    choose(&browser, "d2");
    wait_for(&browser, "d2 is the right move Discs turned: 1.");
    assert_eq!(
        browser.script("return document.querySelectorAll('#grid span').length"),
        0
    );
    click(&browser, "#next");
    browser.wait_until("document.getElementById('title').textContent === '3. Quiet moves'");
    visit_lessons(&browser, "");
    assert!(
        browser
            .text("#lessons li:nth-child(2)")
            .contains("Continue")
    );
    browser.check_log();
}
