//! The page of `emilia analyze --html` in a browser: keyboard, mouse and touch, phone and desktop, light and dark. Skipped where
//! there is no `chromedriver` (Debian: `chromium-driver`).

mod run;
mod scratch;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use run::emilia;
use scratch::Scratch;
use serde_json::{Value, json};

/// A game with some bad moves.
const GAME: &str = "f5d6c3g5f6f4f3d3e6e3g4e7h6g6f7h3h4f8d7h5h2c8c5c4e2c6c2d2c1b3a4a2h7f1d1g3f2g2a3e1a1b4b5b6a7a5a6b7a8c7b8d8e8g8b2b1h8g7g1h1";

/// Writes over the file that the test has made.
const ANALYZE: [&str; 5] = ["analyze", GAME, "--depth", "4", "--force"];

/// The longest wait for an answer of the driver.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser driven by the `WebDriver` protocol of the W3C, 2018.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts one; `None` if there is no driver.
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
                "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900"]},
            }}}),
        );
        let session = started["sessionId"].as_str().expect("a session");
        browser.session = format!("/session/{session}");
        Some(browser)
    }

    /// What the driver answers to a command.
    fn post(&self, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
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

    /// A command of the session.
    fn send(&self, command: &str, body: &Value) -> Value {
        self.post(&format!("{}/{command}", self.session), body)
    }

    /// The value of a piece of JavaScript.
    fn script(&self, code: &str) -> Value {
        self.send("execute/sync", &json!({"script": code, "args": []}))
    }

    /// A command of the protocol of the browser itself.
    fn devtools(&self, command: &str, parameters: &Value) {
        self.send(
            "goog/cdp/execute",
            &json!({"cmd": command, "params": parameters}),
        );
    }

    /// The text of an element.
    fn text(&self, selector: &str) -> String {
        let text = self.script(&format!(
            "return document.querySelector({selector:?}).textContent"
        ));
        text.as_str().expect("a text").to_owned()
    }

    /// Presses a key, by its `WebDriver` code.
    fn press(&self, key: char) {
        let key = key.to_string();
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.send(
            "actions",
            &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}),
        );
    }

    /// A pointer of this type goes down at a share of the width of an element, and up at another.
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
        let actions = json!([at(from), {"type": "pointerDown", "button": 0}, at(to), {"type": "pointerUp", "button": 0}]);
        self.send(
            "actions",
            &json!({"actions": [{"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}]}),
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Else the browser outlives its driver. After a failure the driver may not answer any more.
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

/// The least contrast of a text against what is behind it, and that text (WCAG 2.1, 1.4.3).
const LEAST_CONTRAST: &str = r"
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
  if (!own || element.closest('svg, script, style, [hidden]') || element.matches(':disabled')) continue;
  const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < least[0]) least = [contrast, element.textContent.slice(0, 40)];
}
return least;";

#[test]
fn the_page_works_with_keyboard_mouse_and_touch() {
    let Some(browser) = Browser::start() else {
        eprintln!("skipped: there is no chromedriver");
        return;
    };
    let page = Scratch::new("browser.html", "");
    let run = emilia(&[&ANALYZE[..], &["--html", page.path()]].concat(), b"");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (Some(0), ""),
        "{}",
        run.stdout
    );
    let open = |hash: &str| {
        let url = format!("file://{}{hash}", page.path());
        browser.send("url", &json!({"url": "about:blank"}));
        browser.send("url", &json!({"url": url}));
    };
    let status = || browser.text("#status");
    let hash = || browser.script("return location.hash");

    // The address, the keyboard, the mouse.
    open("#12");
    assert!(status().starts_with("After 12. e7:"), "{}", status());
    let (right, end, home) = ('\u{E014}', '\u{E010}', '\u{E011}');
    browser.press(right);
    assert!(status().starts_with("After 13. h6:") && hash() == "#13");
    browser.press(end);
    assert!(status().starts_with("After 60. h1:"), "{}", status());
    assert!(status().contains("the game is over. Score for Black +26.0."));
    browser.press(home);
    assert!(status().starts_with("Before the first move: 2\u{2013}2"));
    browser.point("mouse", "#next", 0.5, 0.5);
    assert!(status().starts_with("After 1. f5:"));
    browser.point("mouse", "#graph", 0.99, 0.99);
    assert!(status().starts_with("After 60."), "{}", status());
    browser.point("mouse", "#move-20 td:first-child", 0.5, 0.5);
    assert!(status().starts_with("After 20. h5:"), "{}", status());
    let red = "return document.querySelectorAll('#graph circle').length";
    assert!(browser.script(red).as_u64() > Some(3));

    // A better line is played on the board and left again.
    browser.point("mouse", "#moves .line", 0.5, 0.5);
    assert!(status().starts_with("Better line, "), "{}", status());
    let discs = "return document.querySelectorAll('#board svg circle[fill^=url]').length";
    let before = browser.script(discs).as_u64();
    browser.press(right);
    assert_eq!(
        browser.script(discs).as_u64(),
        before.map(|discs| discs + 1)
    );
    browser.press('\u{E00C}');
    assert!(status().starts_with("After ") || status().starts_with("Before "));

    // The same from under the board, where there is no room for the column.
    browser.point("mouse", "#move-46 td:first-child", 0.5, 0.5);
    browser.point("mouse", "#better", 0.5, 0.5);
    assert!(status().starts_with("Better line, "), "{}", status());
    browser.press('\u{E00C}');

    // A finger: a swipe to the left is one on, to the right one back.
    open("#30");
    browser.point("touch", "#board", 0.7, 0.3);
    assert!(status().starts_with("After 31."), "{}", status());
    browser.point("touch", "#board", 0.3, 0.7);
    assert!(status().starts_with("After 30."), "{}", status());

    // Wide and narrow, light and dark: everything fits and can be read.
    for (width, height, mobile) in [(1280, 900, false), (390, 844, true)] {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        browser.devtools("Emulation.setDeviceMetricsOverride", &metrics);
        for scheme in ["light", "dark"] {
            let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
            browser.devtools("Emulation.setEmulatedMedia", &json!({"features": features}));
            open("#46");
            let wide = browser.script("return document.documentElement.scrollWidth");
            assert!(wide.as_u64() <= Some(width), "{width} {scheme}: {wide}");
            let least = browser.script(LEAST_CONTRAST);
            assert!(least[0].as_f64() >= Some(4.5), "{width} {scheme}: {least}");
        }
    }

    // Nothing to complain of, and nothing asked for elsewhere.
    let log = browser.send("se/log", &json!({"type": "browser"}));
    assert_eq!(log, json!([]));
    let log = browser.send("se/log", &json!({"type": "performance"}));
    let entries = log.as_array().expect("a list");
    let messages = entries.iter().filter_map(|entry| entry["message"].as_str());
    let mut requests = 0;
    for message in messages {
        let message: Value = serde_json::from_str(message).expect("JSON");
        let message = &message["message"];
        if message["method"] == "Network.requestWillBeSent" {
            requests += 1;
            let url = message["params"]["request"]["url"].as_str().expect("a URL");
            assert!(
                ["file:", "data:", "about:"]
                    .iter()
                    .any(|own| url.starts_with(own)),
                "{url}"
            );
        }
    }
    assert!(requests > 0);
}
