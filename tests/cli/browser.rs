//! Pages of `emilia analyze` in a browser: keyboard, mouse, touch, phone, desktop, light and dark.
//! Skipped without `chromedriver` (Debian: `chromium-driver`).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::run::emilia;
use crate::common::scratch::Scratch;
use serde_json::{Value, json};

/// A game with some bad moves.
const GAME: &str = "f5d6c3g5f6f4f3d3e6e3g4e7h6g6f7h3h4f8d7h5h2c8c5c4e2c6c2d2c1b3a4a2h7f1d1g3f2\
                    g2a3e1a1b4b5b6a7a5a6b7a8c7b8d8e8g8b2b1h8g7g1h1";

/// Maximum wait for a response of the driver.
const PATIENCE: Duration = Duration::from_secs(60);

/// Browser driven by the `WebDriver` protocol of the W3C, 2018.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser. Returns `None` if no driver is installed.
    fn start() -> Option<Browser> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let lines = BufReader::new(driver.stdout.take()?).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let mut browser = Browser {
            driver,
            port: port.expect("chromedriver says on which port it listens"),
            session: String::new(),
        };
        let started = browser.post(
            "/session",
            &json!({"capabilities": {"alwaysMatch": {
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                "goog:chromeOptions": {"args": [
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--window-size=1280,900",
                ]},
            }}}),
        );
        let session = started["sessionId"].as_str().expect("a session");
        browser.session = format!("/session/{session}");
        Some(browser)
    }

    /// Sends a command to the driver and returns its response.
    fn post(&self, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .expect("the driver reads");
        let patience = stream.set_read_timeout(Some(PATIENCE));
        patience.expect("a limit on every wait");
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).expect("the driver answers");
            match line.trim().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().expect("a length");
                }
                None if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        answer
            .read_exact(&mut body)
            .expect("as many bytes as it says");
        let body = String::from_utf8_lossy(&body);
        let answer: Value = serde_json::from_str(&body).expect("an answer in JSON");
        assert!(answer["value"]["error"].is_null(), "{path}: {answer}");
        answer["value"].clone()
    }

    /// Sends a command of the session.
    fn send(&self, command: &str, body: &Value) -> Value {
        self.post(&format!("{}/{command}", self.session), body)
    }

    /// Evaluates JavaScript and returns its value.
    fn script(&self, code: &str) -> Value {
        self.send("execute/sync", &json!({"script": code, "args": []}))
    }

    /// Sends a command of the debugging protocol of Chromium.
    fn devtools(&self, command: &str, parameters: &Value) {
        self.send(
            "goog/cdp/execute",
            &json!({"cmd": command, "params": parameters}),
        );
    }

    /// Loads a page, even if only its hash differs.
    fn open(&self, path: &str, hash: &str) {
        self.send("url", &json!({"url": "about:blank"}));
        self.send("url", &json!({"url": format!("file://{path}{hash}")}));
    }

    /// Sets the window size in pixels, and a light or dark colour scheme.
    fn emulate(&self, width: u64, height: u64, scheme: &str) {
        let mobile = width < height;
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}),
        );
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// Checks that the page is not wider than the window, and that texts have enough contrast.
    fn check_look(&self, width: u64, what: &str) {
        let wide = self.script("return document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(width), "{what}: {wide}");
        let least = self.script(MIN_CONTRAST);
        assert!(least[0].as_f64() >= Some(4.5), "{what}: {least}");
    }

    /// Checks that no page logged an error or requested a foreign file.
    fn check_log(&self) {
        let log = self.send("se/log", &json!({"type": "browser"}));
        assert_eq!(log, json!([]));
        let log = self.send("se/log", &json!({"type": "performance"}));
        let entries = log.as_array().expect("a list");
        let messages = entries.iter().filter_map(|entry| entry["message"].as_str());
        let mut requests = 0;
        for message in messages {
            let message: Value = serde_json::from_str(message).expect("JSON");
            let message = &message["message"];
            if message["method"] == "Network.requestWillBeSent" {
                requests += 1;
                let url = message["params"]["request"]["url"].as_str().expect("a URL");
                let own = ["file:", "data:", "about:"];
                assert!(own.iter().any(|own| url.starts_with(own)), "{url}");
            }
        }
        assert!(requests > 0);
    }

    /// Returns the text of an element.
    fn text(&self, selector: &str) -> String {
        let text = self.script(&format!(
            "return document.querySelector({selector:?}).textContent"
        ));
        text.as_str().expect("a text").to_owned()
    }

    /// Presses a key, given by its `WebDriver` code.
    fn press(&self, key: char) {
        let key = key.to_string();
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.send(
            "actions",
            &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}),
        );
    }

    /// Presses a pointer of type `kind` on an element and releases it, at shares of its width.
    fn point(&self, kind: &str, selector: &str, from: f64, to: f64) {
        self.script(&format!(
            "document.querySelector({selector:?}).scrollIntoView({{block: 'center'}})"
        ));
        let at = |share: f64| {
            let place = self.script(&format!(
                "const b = document.querySelector({selector:?}).getBoundingClientRect();\
                 return [Math.round(b.left + {share} * b.width), Math.round(b.top + b.height / 2)]"
            ));
            json!({"type": "pointerMove", "duration": 0, "x": place[0], "y": place[1]})
        };
        let [down, up] =
            ["pointerDown", "pointerUp"].map(|event| json!({"type": event, "button": 0}));
        let actions = json!([at(from), down, at(to), up]);
        self.send(
            "actions",
            &json!({"actions": [{
                "type": "pointer",
                "id": kind,
                "parameters": {"pointerType": kind},
                "actions": actions,
            }]}),
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Otherwise the browser outlives its driver, which may be unresponsive after a failure.
        let ended = TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut stream| {
            stream.set_read_timeout(Some(PATIENCE))?;
            write!(
                stream,
                "DELETE {} HTTP/1.1\r\nHost: localhost\r\n\r\n",
                self.session
            )?;
            stream.read(&mut [0; 1])
        });
        drop(ended);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Script that returns the lowest contrast of a text with its background (WCAG 2.1, 1.4.3).
const MIN_CONTRAST: &str = r"
const rgb = text => text.match(/[\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
  .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const behind = element => {
  for (let at = element; at; at = at.parentElement) {
    const color = rgb(getComputedStyle(at).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
let least = [100, ''];
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  if (!own || element.closest('svg, script, style, [hidden]') || element.matches(':disabled'))
    continue;
  const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < least[0]) least = [contrast, element.textContent.slice(0, 40)];
}
return least;";

/// Window sizes in pixels: a desktop and a phone.
const WINDOWS: [(u64, u64); 2] = [(1280, 900), (390, 844)];
const SCHEMES: [&str; 2] = ["light", "dark"];

const RIGHT: char = '\u{E014}';
const END: char = '\u{E010}';
const HOME: char = '\u{E011}';
const ESCAPE: char = '\u{E00C}';

/// Writes the page of [`GAME`].
fn page(name: &str) -> Scratch {
    let page = Scratch::new(name, "");
    let run = emilia(
        &[
            "analyze",
            GAME,
            "--depth",
            "4",
            "--force",
            "--html",
            page.path(),
        ],
        b"",
    );
    let said = (run.code, run.stderr.as_str());
    assert_eq!(said, (Some(0), ""), "{}", run.stdout);
    page
}

#[test]
fn the_page_works_with_keyboard_mouse_and_touch() {
    let Some(browser) = Browser::start() else {
        eprintln!("skipped: there is no chromedriver");
        return;
    };
    let page = page("browser.html");
    let open = |hash: &str| browser.open(page.path(), hash);
    let status = || browser.text("#status");
    let hash = || browser.script("return location.hash");

    // Navigation by address, keyboard and mouse.
    open("#12");
    assert!(status().starts_with("After 12. e7:"), "{}", status());
    browser.press(RIGHT);
    assert!(status().starts_with("After 13. h6:") && hash() == "#13");
    browser.press(END);
    assert!(status().starts_with("After 60. h1:"), "{}", status());
    assert!(status().contains("the game is over. Score for Black +26.0."));
    browser.press(HOME);
    assert!(status().starts_with("Before the first move: 2\u{2013}2"));
    browser.point("mouse", "#next", 0.5, 0.5);
    assert!(status().starts_with("After 1. f5:"));
    browser.point("mouse", "#graph", 0.99, 0.99);
    assert!(status().starts_with("After 60."), "{}", status());
    let rings = "return document.querySelectorAll('#graph circle').length";
    assert!(browser.script(rings).as_u64() > Some(3));

    // A better line is shown on the board and left again.
    browser.point("mouse", "#moves .line", 0.5, 0.5);
    assert!(status().starts_with("Better line: "), "{}", status());
    let before = browser.script(DISCS).as_u64();
    browser.press(RIGHT);
    assert_eq!(
        browser.script(DISCS).as_u64(),
        before.map(|discs| discs + 1)
    );
    browser.press(ESCAPE);
    assert!(!status().starts_with("Better line: "), "{}", status());

    // In the layout without a column beside the board, a better line is also shown and left.
    open("#46");
    browser.point("mouse", "#better", 0.5, 0.5);
    assert!(status().starts_with("Better line: "), "{}", status());
    browser.point("mouse", "#leave", 0.5, 0.5);
    assert!(status().starts_with("After 46."), "{}", status());

    // Touch: a swipe to the left shows the next move, to the right the previous one.
    open("#30");
    browser.point("touch", "#board", 0.7, 0.3);
    assert!(status().starts_with("After 31."), "{}", status());
    browser.point("touch", "#board", 0.3, 0.7);
    assert!(status().starts_with("After 30."), "{}", status());

    // Wide and narrow, light and dark: the page fits and is readable.
    for (width, height) in WINDOWS {
        for scheme in SCHEMES {
            browser.emulate(width, height, scheme);
            open("#46");
            browser.check_look(width, &format!("{width} {scheme}"));
            browser.script("document.getElementById('better').click()");
            browser.check_look(width, &format!("{width} {scheme}, a better line"));
        }
    }
    browser.check_log();
}

/// Script that returns the number of discs on the board.
const DISCS: &str = "return document.querySelectorAll('#board svg circle[fill^=url]').length";

#[test]
fn mistakes_are_shown_in_the_position_before_them() {
    let Some(browser) = Browser::start() else {
        eprintln!("skipped: there is no chromedriver");
        return;
    };
    let page = page("mistakes.html");
    browser.open(page.path(), "");
    let moves =
        browser.script("return JSON.parse(document.getElementById('game').textContent).moves");
    let moves = moves.as_array().expect("a list");
    let number = |mv: &Value| mv["number"].as_u64().expect("a number");
    let bad: Vec<&Value> = moves.iter().filter(|mv| mv["grade"] != "good").collect();
    assert!(bad.len() > 4, "{} mistakes", bad.len());
    // The board marks the move of the row or address as played, and the better move.
    let shows = |mv: &Value| {
        let (number, name) = (number(mv), mv["move"].as_str().expect("a move"));
        let best = mv["best"].as_str().expect("a move");
        let status = browser.text("#status");
        let about = format!("{number}. {name}?");
        assert!(status.starts_with(&about), "{about}: {status}");
        assert!(status.contains(&format!("{best} is best")), "{status}");
        let hash = browser.script("return location.hash");
        assert_eq!(hash, format!("#before-{number}"));
        // The start has 4 discs, and each move before it has added one.
        assert_eq!(browser.script(DISCS).as_u64(), Some(3 + number));
        let marks = "return ['played', 'arrow', 'better'].map(name =>
            document.querySelectorAll('#board .' + name).length)";
        assert_eq!(browser.script(marks), json!([1, 1, 1]));
        let label = browser.script("return document.getElementById('board').ariaLabel");
        let marked = format!("played {name}; best {best}");
        let label = label.as_str().expect("a label");
        assert!(label.ends_with(&marked), "{marked}: {label}");
        // Without colours and without the board: the legend names both moves.
        let legend = browser.text("#legend");
        for text in [format!("played: {name}"), format!("best: {best}")] {
            assert!(legend.contains(&text), "{text}: {legend}");
        }
        let row = browser.script("return document.querySelector('#moves [aria-current]').id");
        assert_eq!(row, format!("move-{number}"));
    };
    let click = |mv: &Value| {
        let row = format!("#move-{} td:first-child", number(mv));
        browser.point("mouse", &row, 0.5, 0.5);
    };
    click(bad[2]);
    shows(bad[2]);
    // Keys and buttons lead to the next and previous mistake, if there is one.
    browser.press('n');
    shows(bad[3]);
    browser.press('p');
    shows(bad[2]);
    browser.point("mouse", "#next-mistake", 0.5, 0.5);
    shows(bad[3]);
    browser.point("mouse", "#previous-mistake", 0.5, 0.5);
    shows(bad[2]);
    browser.press(END);
    browser.press('n');
    assert!(browser.text("#status").starts_with("After 60."));
    browser.press('p');
    shows(bad[bad.len() - 1]);
    assert_eq!(
        browser.script("return document.getElementById('next-mistake').disabled"),
        true
    );
    browser.press(HOME);
    browser.press('n');
    shows(bad[0]);
    // From the position before a mistake, the next step is the mistake itself.
    browser.press(RIGHT);
    let after = format!("After {}. ", number(bad[0]));
    assert!(browser.text("#status").starts_with(&after));
    // A click leads from a better line back to the mistake.
    click(bad[1]);
    browser.point("mouse", "#better", 0.5, 0.5);
    assert!(browser.text("#status").starts_with("Better line:"));
    browser.press(ESCAPE);
    shows(bad[1]);
    // A click on a ring of the graph, and the address, show the mistake too.
    browser.script(
        "const ring = document.querySelectorAll('#graph circle')[2].getBoundingClientRect();
         document.getElementById('graph').dispatchEvent(new MouseEvent('click', {bubbles: true,
           clientX: ring.x + ring.width / 2, clientY: ring.y + ring.height / 2}))",
    );
    shows(bad[2]);
    browser.open(page.path(), &format!("#before-{}", number(bad[3])));
    shows(bad[3]);
    // Any other move is shown as played only.
    let good = moves.iter().find(|mv| mv["grade"] == "good");
    let good = good.expect("a good move");
    click(good);
    let after = format!("After {}. ", number(good));
    assert!(browser.text("#status").starts_with(&after));
    // Abbreviations are explained, but only those of this page.
    let words = browser.text(".course");
    for text in [
        "Ring: ",
        "Best: ",
        "4@73%: searched 4 moves deep",
        "exact: ",
    ] {
        assert!(words.contains(text), "{text}: {words}");
    }
    let lines = "return document.querySelectorAll('#graph .turn').length";
    let turn = browser.script(lines) == 1;
    assert_eq!(words.contains("Dashed line: "), turn);
    browser.check_log();
}

/// Names with a meaning in HTML, in scripts or in paths.
const HOSTILE: [&str; 4] = [
    "</script><img src=x onerror=\"document.title='bad'\">",
    "\"><b>'bold'</b>",
    "../../up",
    "{{rows}}&lt;",
];

/// Writes the pages of four games to a folder, which the test removes.
fn pages(name: &str) -> Scratch {
    let [script, bold, up, braces] = HOSTILE;
    let games = format!(
        "% Black: Zoe\n% White: {script}\n% Date: 2019\n{GAME}\n\
         % Black: {bold}\n% White: Zoe\n% Date: 2021\n{}\n\
         % Black: {up}\n% White: {braces}\n% Date: 2020\n{}\n\
         % Black: Ann\u{e9}\n% White: ???\n% Date: 2019\nf5d6c3\n",
        &GAME[..40],
        &GAME[..60]
    );
    let games = Scratch::new(&format!("{name}.txt"), &games);
    let folder = Scratch::new(name, "");
    std::fs::remove_file(folder.path()).expect("the file goes");
    let run = emilia(
        &[
            "analyze",
            games.path(),
            "--depth",
            "4",
            "--pages",
            folder.path(),
        ],
        b"",
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    folder
}

#[test]
fn names_are_escaped_and_every_page_fits_a_phone() {
    let Some(browser) = Browser::start() else {
        eprintln!("skipped: there is no chromedriver");
        return;
    };
    let folder = pages("names");
    let at = |name: &str| format!("{}/{name}", folder.path());
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    let players = names.iter().filter(|name| name.starts_with("player-"));
    assert_eq!(players.count(), 2 + HOSTILE.len(), "{names:?}");
    for ((width, height), scheme) in WINDOWS.into_iter().zip(SCHEMES) {
        browser.emulate(width, height, scheme);
        for name in &names {
            browser.open(&at(name), "");
            browser.check_look(width, &format!("{name} {width} {scheme}"));
            let foreign = browser.script("return document.querySelectorAll('img, b').length");
            assert_eq!(foreign, 0, "{name}");
            assert_ne!(browser.script("return document.title"), "bad", "{name}");
        }
    }
    browser.emulate(1280, 900, "light");
    let [script, bold, ..] = HOSTILE;
    browser.open(&at("1.html"), "");
    assert_eq!(browser.text("h1"), format!("Zoe \u{2013} {script}"));
    browser.open(&at("index.html"), "");
    let row = browser.text("tbody tr:nth-child(2)");
    assert!(row.contains(bold), "{row}");
    browser.check_log();
    std::fs::remove_dir_all(folder.path()).expect("the folder goes");
}

#[test]
fn lists_can_be_searched_and_sorted_and_link_to_every_page() {
    let Some(browser) = Browser::start() else {
        eprintln!("skipped: there is no chromedriver");
        return;
    };
    let folder = pages("lists");
    let at = |name: &str| format!("{}/{name}", folder.path());
    browser.open(&at("index.html"), "");

    // Search: words in any order, ignoring accents and case.
    let shown = || {
        browser.script(
            "return [...document.querySelectorAll('tbody tr')].filter(row => !row.hidden)
               .map(row => Number(row.cells[0].textContent))",
        )
    };
    let search = |text: &str| {
        browser.script(&format!(
            "const search = document.getElementById('search');
             search.value = {text:?};
             search.dispatchEvent(new Event('input'))"
        ));
        shown()
    };
    assert_eq!(search("zoe"), json!([1, 2]));
    assert_eq!(browser.text("#found"), "2 of 4");
    assert_eq!(search("2021 ZOE"), json!([2]));
    assert_eq!(search("annE"), json!([4]));
    assert_eq!(search("nobody"), json!([]));
    assert_eq!(search(""), json!([1, 2, 3, 4]));

    // Sorting: by a column, reversed at the second click, and kept in the address.
    let sort = |column: usize| {
        browser.point(
            "mouse",
            &format!("thead th:nth-child({column}) button"),
            0.5,
            0.5,
        );
        shown()
    };
    let date = 7;
    assert_eq!(sort(date), json!([1, 4, 3, 2]));
    assert_eq!(sort(date), json!([2, 3, 1, 4]));
    let losses = "return [...document.querySelectorAll('tbody td:nth-child(5)')]
        .map(cell => Number(cell.textContent))";
    sort(5);
    let losses = browser.script(losses);
    let numbers = losses.as_array().expect("a list").iter();
    assert!(numbers.map(Value::as_f64).is_sorted(), "{losses}");
    sort(date);
    search("zoe");
    let hash = browser.script("return location.hash");
    browser.open(&at("index.html"), hash.as_str().expect("a text"));
    assert_eq!(shown(), json!([1, 2]));
    search("");
    assert_eq!(shown(), json!([1, 4, 3, 2]));

    // Links: from the list to a game, the next game, a player, and that player's worst move.
    let page = || {
        let path = browser.script("return location.pathname.split('/').pop()");
        path.as_str().expect("a text").to_owned()
    };
    let follow = |selector: &str| {
        browser.script(&format!("document.querySelector({selector:?}).click()"));
        page()
    };
    browser.point("mouse", "tbody tr:first-child td:last-child", 0.5, 0.5);
    assert_eq!(page(), "1.html", "a row leads to its game");
    assert_eq!(follow("a[rel=next]"), "2.html");
    assert_eq!(follow("a[rel=prev]"), "1.html");
    assert_eq!(follow("h1 a"), "player-zoe.html");
    let row = browser.text("tbody tr");
    assert!(row.starts_with("games2"), "{row}");
    assert_eq!(follow("#list tbody tr:first-child a"), "1.html");
    let worst = browser.script(
        "const moves = JSON.parse(document.getElementById('game').textContent).moves;
         const own = moves.filter(move => move.side === 'black');
         const most = Math.max(...own.map(move => move.lost));
         return '#before-' + own.find(move => move.lost === most).number",
    );
    assert_eq!(browser.script("return location.hash"), worst);
    assert_eq!(
        browser.script("return document.querySelectorAll('#board .played').length"),
        1
    );
    assert_eq!(follow(".pages a"), "index.html");
    assert_eq!(follow(".pages a"), "players.html");
    assert_eq!(follow("tbody a"), "player-zoe.html");
    browser.check_log();
    std::fs::remove_dir_all(folder.path()).expect("the folder goes");
}
