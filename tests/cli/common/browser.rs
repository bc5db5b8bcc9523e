//! A browser driven by `chromedriver` (Debian: `chromium-driver`).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Maximum wait for a response of the driver.
const PATIENCE: Duration = Duration::from_secs(60);

/// Maximum number of starts of the driver.
const STARTS: usize = 5;

/// Browser driven by the `WebDriver` protocol of the W3C, 2018.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser.
    pub(crate) fn start() -> Browser {
        let mut starts = std::iter::repeat_with(start_driver).take(STARTS);
        let (driver, port) = starts
            .find_map(|started| started)
            .expect("chromedriver listens");
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
        };
        let options = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
                       --window-size=1280,900";
        let options: Vec<&str> = options.split(' ').collect();
        let started = browser.post(
            "/session",
            &json!({"capabilities": {"alwaysMatch": {
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                "goog:chromeOptions": {"args": options},
            }}}),
        );
        let session = started["sessionId"].as_str().expect("a session");
        browser.session = format!("/session/{session}");
        browser
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
        let (mut line, mut length) = (String::new(), 0);
        while answer.read_line(&mut line).expect("the driver answers") > 2 {
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            line.clear();
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body).expect("the whole body");
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
    pub(crate) fn script(&self, code: &str) -> Value {
        self.send("execute/sync", &json!({"script": code, "args": []}))
    }

    /// Sets the language of the pages that are loaded from now on from the host of the shown one.
    pub(crate) fn speak(&self, language: &str) {
        self.script(&format!(
            "document.cookie = 'emilia=' + encodeURIComponent('{{\"language\":\"{language}\"}}') + '; path=/'"
        ));
    }

    /// Sends a command of the debugging protocol of Chromium.
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) {
        self.send(
            "goog/cdp/execute",
            &json!({"cmd": command, "params": parameters}),
        );
    }

    /// Loads a page, even if only its hash differs.
    pub(crate) fn open(&self, path: &str, hash: &str) {
        self.visit("about:blank");
        self.visit(&format!("file://{path}{hash}"));
    }

    /// Loads the page at an address.
    pub(crate) fn visit(&self, url: &str) {
        self.send("url", &json!({ "url": url }));
    }

    /// Evaluates JavaScript until its value is true.
    ///
    /// # Panics
    /// If it is not true after [`PATIENCE`].
    #[track_caller]
    pub(crate) fn wait_until(&self, code: &str) {
        let started = Instant::now();
        while self.script(&format!("return Boolean({code})")) != json!(true) {
            let status = "return document.getElementById('status')?.textContent";
            let status = || self.script(status);
            assert!(started.elapsed() < PATIENCE, "{code}: {}", status());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Does steps, one a line:
    ///
    /// - `click SELECTOR` with the mouse, `push ID` by the button's own method, wherever it is;
    /// - `open ID` pushes a button and waits for its dialog;
    /// - `choose NAME VALUE` clicks a card, `set ID VALUE` fills a field, `press KEYS` types;
    /// - `says ID TEXT` waits until an element has the text, `wait CODE` until code is true.
    #[track_caller]
    pub(crate) fn does(&self, steps: &str) {
        for step in steps.lines().map(str::trim).filter(|step| !step.is_empty()) {
            let (what, rest) = step.split_once(' ').expect("a step with its object");
            let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
            let at = format!("document.getElementById('{name}')");
            match what {
                "click" => self.point("mouse", rest, 0.5, 0.5),
                "push" => drop(self.script(&format!("{at}.click()"))),
                "open" => {
                    drop(self.script(&format!("{at}.click()")));
                    self.wait_until("document.querySelector('dialog[open]')");
                }
                "choose" => drop(self.script(&format!(
                    "document.querySelector('[name={name}][value=\"{value}\"]').click()"
                ))),
                "set" => drop(self.script(&format!(
                    "const field = {at};
                     field.value = {value:?};
                     for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {{bubbles: true}}))"
                ))),
                "press" => rest.chars().for_each(|key| self.press(key)),
                "says" => self.wait_until(&format!("{at}?.textContent.includes({value:?})")),
                "wait" => self.wait_until(rest),
                _ => panic!("no such step: {step}"),
            }
        }
    }

    /// Chooses a file in a field for files.
    pub(crate) fn choose_file(&self, selector: &str, path: &str) {
        let using = json!({"using": "css selector", "value": selector});
        let found = self.send("element", &using);
        let id = found.as_object().and_then(|found| found.values().next());
        let id = id.and_then(Value::as_str).expect("an element");
        self.send(&format!("element/{id}/value"), &json!({ "text": path }));
    }

    /// Saves downloads to this folder.
    pub(crate) fn save_to(&self, folder: &str) {
        self.devtools(
            "Browser.setDownloadBehavior",
            &json!({"behavior": "allow", "downloadPath": folder}),
        );
    }

    /// Sets the window size in pixels, and a light or dark colour scheme, and waits until the page
    /// has that width.
    pub(crate) fn emulate(&self, width: u64, height: u64, scheme: &str) {
        let mobile = width < height;
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}),
        );
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": features}));
        // A page without a viewport of its own, such as about:blank, is wider on a phone.
        self.wait_until(&format!(
            "innerWidth === {width} || !document.querySelector('meta[name=viewport]')"
        ));
    }

    /// Checks that the page is not wider than the window, and that texts have enough contrast.
    pub(crate) fn check_look(&self, width: u64, what: &str) {
        let wide = self.script("return document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(width), "{what}: {wide}");
        let least = self.script(MIN_CONTRAST);
        assert!(least[0].as_f64() >= Some(4.5), "{what}: {least}");
    }

    /// Checks that no page logged an error or requested a file of another machine.
    pub(crate) fn check_log(&self) {
        let log = self.send("se/log", &json!({"type": "browser"}));
        assert_eq!(log, json!([]));
        let log = self.send("se/log", &json!({"type": "performance"}));
        let entries = log.as_array().expect("a list");
        let messages = entries.iter().filter_map(|entry| entry["message"].as_str());
        let messages: Vec<Value> = messages
            .map(|message| serde_json::from_str(message).expect("JSON"))
            .collect();
        let sent = |message: &&Value| message["message"]["method"] == "Network.requestWillBeSent";
        let mut requests = messages.iter().filter(sent).peekable();
        assert!(requests.peek().is_some());
        for request in requests {
            let url = request["message"]["params"]["request"]["url"].as_str();
            let url = url.expect("a URL");
            let own = ["file:", "data:", "about:", "blob:", "http://127.0.0.1:"];
            assert!(own.iter().any(|own| url.starts_with(own)), "{url}");
        }
    }

    /// Returns the text of an element.
    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.script(&format!(
            "return document.querySelector({selector:?}).textContent"
        ));
        text.as_str().expect("a text").to_owned()
    }

    /// Presses a key, given by its `WebDriver` code.
    pub(crate) fn press(&self, key: char) {
        let key = key.to_string();
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.send(
            "actions",
            &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}),
        );
    }

    /// Presses a pointer of type `kind` on an element and releases it, at shares of its width.
    pub(crate) fn point(&self, kind: &str, selector: &str, from: f64, to: f64) {
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
        let parameters = json!({"pointerType": kind});
        self.send(
            "actions",
            &json!({"actions": [{"type": "pointer", "id": kind, "parameters": parameters, "actions": actions}]}),
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
  if (!own || element.closest('svg, script, style, [hidden]') || element.closest(':disabled'))
    continue;
  const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < least[0]) least = [contrast, element.textContent.slice(0, 40)];
}
return least;";

/// Window sizes in pixels: a desktop and a phone.
pub(crate) const WINDOWS: [(u64, u64); 2] = [(1280, 900), (390, 844)];
pub(crate) const SCHEMES: [&str; 2] = ["light", "dark"];

pub(crate) const RIGHT: char = '\u{E014}';
pub(crate) const END: char = '\u{E010}';
pub(crate) const HOME: char = '\u{E011}';
pub(crate) const ESCAPE: char = '\u{E00C}';

/// Starts `chromedriver` on a free port. Returns `None` if it ended at once: its port, free for IPv4, was taken for IPv6.
fn start_driver() -> Option<(Child, u16)> {
    let driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut driver = driver.expect("chromedriver is installed (Debian: chromium-driver)");
    let lines = BufReader::new(driver.stdout.take().expect("a pipe")).lines();
    let port = lines.map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    if port.is_none() {
        let _ = driver.wait();
    }
    Some((driver, port?))
}
