//! `emilia gui`: its page in a real browser, and what its server refuses.
//! The tests of the page are skipped without `chromedriver` (Debian: `chromium-driver`).

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::browser::{GAME, HOSTILE};
use crate::common::browser::{Browser, SCHEMES, WINDOWS, browser};
use crate::common::matches;
use crate::common::run::{cases, emilia, emilia_line};
use crate::common::scratch::Scratch;
use crate::common::{PATIENCE, Process};

/// A running `emilia gui`.
struct Gui {
    process: Process,
    /// Address of the page, with the token.
    url: String,
    /// `127.0.0.1:PORT`.
    host: String,
    /// Path of the page: the token between two slashes.
    path: String,
}

impl Gui {
    fn start(arguments: &[&str]) -> Gui {
        let mut process = Process::emilia(&[&["gui", "--no-browser"], arguments].concat());
        let url = process.line().expect("the address of the page");
        let rest = url.strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        Gui {
            host: host.to_owned(),
            path: format!("/{path}"),
            process,
            url,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("the server listens");
        let patience = stream.set_read_timeout(Some(PATIENCE));
        patience.expect("a limit on every wait");
        stream
    }

    /// Sends a request with these headers, and returns the whole answer.
    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let mut stream = self.connect();
        let head = format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request as the page does, and returns the whole answer.
    fn ask(&self, method: &str, what: &str, body: &str) -> String {
        let mut answer = Vec::new();
        let _ = self.send(method, what, body).read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request as the page does, and returns the connection, with the answer unread.
    fn send(&self, method: &str, what: &str, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let (path, host, length) = (&self.path, &self.host, body.len());
        let head = format!(
            "{method} {path}{what} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        // A server that refuses a large body closes the connection before its end.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body.as_bytes());
        stream
    }

    /// Asserts that a move at level 1 is answered.
    fn assert_moves(&self) {
        let request = json!({"position": GAME_POSITION, "seed": 1, "level": "1"});
        assert_eq!(self.last_event("move", &request)["kind"], "move");
    }

    /// Returns the last event of the answer to a request.
    fn last_event(&self, what: &str, request: &Value) -> Value {
        let answer = self.ask("POST", what, &request.to_string());
        let mut lines = answer.lines().rev();
        let last = lines.find_map(|line| line.strip_prefix("data: "));
        serde_json::from_str(last.unwrap_or_else(|| panic!("{answer}"))).expect("JSON")
    }

    /// Asserts that the page is served.
    fn assert_serves(&self) {
        assert_eq!(Gui::status(&self.ask("GET", "", "")), Some(200));
    }

    /// Returns the status of an answer.
    fn status(answer: &str) -> Option<u16> {
        answer.split(' ').nth(1)?.parse().ok()
    }
}

#[test]
fn strangers_are_refused() {
    let gui = Gui::start(&[]);
    let path = gui.path.as_str();
    let another = format!("/{:032x}/", 1);
    let port = gui.host.rsplit(':').next().expect("a port");
    for (path, headers) in [
        ("/gui.js", "Host: OWN\r\n"),
        (&another, "Host: OWN\r\n"),
        (&path[..path.len() - 2], "Host: OWN\r\n"),
        (path, ""),
        (path, "Host: evil.example:PORT\r\n"),
        (path, "Host: 127.0.0.1:1\r\n"),
        (path, "Host: OWN\r\nHost: evil.example\r\n"),
        (path, "Host: OWN\r\nOrigin: null\r\n"),
        (path, "Host: OWN\r\nOrigin: https://OWN\r\n"),
    ] {
        let headers = headers.replace("OWN", &gui.host).replace("PORT", port);
        let headers = headers + "Content-Length: 0\r\n";
        for method in ["GET", "POST"] {
            let answer = gui.request(method, path, &headers, "");
            let status = Gui::status(&answer);
            assert!(matches!(status, Some(400 | 403)), "{headers}{answer}");
            assert!(!answer.contains("<script"), "{headers}{answer}");
        }
    }
    let own = format!("Host: {0}\r\nOrigin: http://{0}\r\n", gui.host);
    let answer = gui.request("GET", path, &own, "");
    assert_eq!(Gui::status(&answer), Some(200), "{answer}");
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(answer.contains(header), "{header}: {answer}");
    }
}

#[test]
fn only_the_files_of_the_page_are_served() {
    let gui = Gui::start(&[]);
    for what in ",gui.js,style.css,start,practice,practice.js".split(',') {
        let [get, head] = ["GET", "HEAD"].map(|method| gui.ask(method, what, ""));
        assert_eq!(Gui::status(&get), Some(200), "{what}");
        let (headers, body) = head.split_once("\r\n\r\n").expect("headers");
        assert!(get.starts_with(headers) && body.is_empty(), "{head}");
    }
    for what in [
        "%2e%2e/..%2f%2e%2e/etc/passwd",
        "/etc/passwd",
        "gui.js/../../etc/passwd",
        "gui.js%00",
    ] {
        for method in ["GET", "POST", "PUT", "DELETE"] {
            let answer = gui.ask(method, what, "");
            assert_eq!(Gui::status(&answer), Some(404), "{method} {what}: {answer}");
        }
    }
}

#[test]
fn bad_requests_get_a_sentence() {
    let gui = Gui::start(&[]);
    let over = "X".repeat(64) + " O";
    let table = r#"
        move | [] | bad request
        move | {"position": "OVER", "seed": 1} | the game is over
        move | {"position": "X", "seed": 1} | expected 64
        move | {"position": "START", "seed": 1, "level": "h15"} | h1 to h14
        move | {"position": "START", "seed": 1, "seconds": -1} | number of seconds
        move | {"position": "START", "seed": 1, "clock": "x"} | bad request
        look | {"position": "OVER"} | the game is over
        analyze | {"game": {"start": "START", "transcript": ""}} | no moves
        analyze | {"game": {"start": "START", "transcript": "a1"}} | a1
        games |  | no games
        games | NUL | no file of games
        games | https://example.org/ | 400 Bad Request
        files | [] | expected a line with the files
        save | {"format": "sgf"} | expected a game
        save | {"format": "page"} | expected an analysis"#
        .replace("NUL", "\0");
    let table = table.replace("OVER", &over).replace("START", START);
    for [what, body, part] in cases(&table) {
        let answer = gui.ask("POST", what, body);
        assert_eq!(Gui::status(&answer), Some(400), "{what} {body}: {answer}");
        assert!(answer.contains(part), "{what} {body}: {answer}");
    }
    let large = gui.ask("POST", "games", &"f5d6".repeat(10 << 18));
    assert!(matches!(Gui::status(&large), None | Some(413)), "{large}");
    let headers = format!("Host: {}\r\nTransfer-Encoding: chunked\r\n", gui.host);
    let path = format!("{}games", gui.path);
    let chunk = gui.request("POST", &path, &headers, "zz\r\nf5d6\r\n");
    assert_eq!(Gui::status(&chunk), Some(400), "{chunk}");
    // The server is alive.
    let answer = gui.ask("POST", "games", "https://example.org/?game=F5D6c3&to=3");
    assert!(answer.contains(r#""transcript":"f5d6c3""#), "{answer}");
}

#[test]
fn a_saved_game_keeps_its_position() {
    let gui = Gui::start(&[]);
    let start = format!("OX{} O", "-".repeat(62));
    for format in ["transcript", "sgf", "ggf"] {
        let game = json!({"start": start, "transcript": "c1"});
        let request = json!({"format": format, "game": game}).to_string();
        let saved = gui.ask("POST", "save", &request);
        let (_, file) = saved.split_once("\r\n\r\n").expect("a body");
        let read = object(&gui.ask("POST", "games", file));
        let game = &read["games"][0];
        assert_eq!(
            (&game["start"], &game["transcript"]),
            (&json!(start), &json!("c1"))
        );
    }
}

#[test]
fn idle_and_slow_clients_do_not_delay_others() {
    let gui = Gui::start(&["--book", "off"]);
    let idle: Vec<TcpStream> = (0..200).map(|_| gui.connect()).collect();
    // A client that reads its answer byte by byte, and one that never ends its request.
    let mut slow = gui.send("POST", "look", &look());
    let mut cut = gui.connect();
    cut.write_all(b"POST /").expect("the server reads");
    for _ in 0..3 {
        slow.read_exact(&mut [0]).expect("a byte");
        gui.assert_moves();
    }
    drop((idle, slow, cut));
    // Searches of two minutes end when their clients leave: more than may run at once begin.
    for _ in 0..8 {
        let mut stream = gui.send("POST", "look", &look());
        stream.read_exact(&mut [0; 12]).expect("the status");
    }
}

/// A position in the middle of a game.
const GAME_POSITION: &str = "------------------XXX-----XXX-----XOO------O-O------------------ X";

const START: &str = "---------------------------OX------XO--------------------------- X";

/// Request of a search of two minutes.
fn look() -> String {
    json!({ "position": GAME_POSITION }).to_string()
}

/// Four searches whose clients leave at once, with tables that take a second to make.
#[test]
fn closed_connections_end_their_searches_with_large_tables() {
    let gui = Gui::start(&["--book", "off", "--hash", "1024"]);
    thread::sleep(Duration::from_secs(1));
    for _ in 0..4 {
        drop(gui.send("POST", "look", &look()));
    }
    // No table is made for a client that has left, and the server answers meanwhile.
    let start = Instant::now();
    gui.assert_serves();
    gui.assert_moves();
    let time = start.elapsed();
    assert!(time < Duration::from_millis(1500), "{time:?}");
}

#[test]
fn once_ends_the_program_after_the_last_tab() {
    let mut gui = Gui::start(&["--once"]);
    let open = || {
        let mut stream = gui.send("GET", "tab", "");
        stream.read_exact(&mut [0; 12]).expect("the status");
        stream
    };
    let (first, second) = (open(), open());
    drop(first);
    thread::sleep(Duration::from_secs(3));
    gui.assert_serves();
    drop(second);
    // A reload: the tab is open again before the program ends.
    thread::sleep(Duration::from_millis(200));
    let third = open();
    thread::sleep(Duration::from_secs(3));
    gui.assert_serves();
    drop(third);
    assert!(gui.process.wait().success());
}

#[test]
fn bad_arguments_are_refused() {
    emilia_line("gui --no-browser missing.sgf").assert_refused("no such file");
    emilia_line("gui --no-browser --listen 203.0.113.1").assert_refused("203.0.113.1");
    let gui = Gui::start(&[]);
    let (_, port) = gui.host.rsplit_once(':').expect("a port");
    emilia(&["gui", "--no-browser", "--port", port], b"").assert_refused(port);
}

/// Script: the moves that can be clicked.
const LEGAL: &str = "document.querySelectorAll('#grid button.legal')";

/// Script: whether the game is over.
const IS_OVER: &str = "document.getElementById('status').textContent.includes('The game is over')";

/// Clicks the first legal square, with the mouse.
fn click_move(browser: &Browser) -> String {
    let square = browser.script(&format!("return {LEGAL}[0].dataset.square"));
    let square = square.as_str().expect("a square").to_owned();
    browser.point("mouse", &format!("#grid [data-square={square}]"), 0.5, 0.5);
    square
}

fn click(browser: &Browser, selector: &str) {
    browser.point("mouse", selector, 0.5, 0.5);
}

/// Returns the number of moves in the list.
fn moves(browser: &Browser) -> u64 {
    let rows = browser.script("return document.querySelectorAll('#moves tbody tr').length");
    rows.as_u64().expect("a number")
}

fn wait_for_moves(browser: &Browser, count: u64) {
    browser.wait_until(&format!(
        "document.querySelectorAll('#moves tbody tr').length === {count}"
    ));
}

#[test]
fn a_game_is_played_looked_at_reviewed_and_saved() {
    let Some(browser) = browser() else { return };
    let gui = Gui::start(&[]);
    let status = || browser.text("#status");
    browser.visit(&gui.url);

    // A whole game against h3.
    let is_turn = format!(
        "{IS_OVER} || {LEGAL}.length > 0 && document.querySelector('#black-side[aria-current]')"
    );
    let is_over = || browser.script(&format!("return {IS_OVER}")) == json!(true);
    browser.wait_until(&is_turn);
    while !is_over() {
        click_move(&browser);
        browser.wait_until(&is_turn);
    }
    assert!(moves(&browser) > 20, "{}", status());
    click(&browser, "#undo");
    browser.wait_until("document.querySelector('#black-side[aria-current]')");
    assert!(!is_over(), "{}", status());

    // A loaded game, its first mistake, and another move there.
    let game = format!("% Black: <b>Ann</b>\n% White: Zo\u{eb}\n{GAME}\n");
    let file = Scratch::new("game.txt", &game);
    browser.choose_file("#file", file.path());
    browser.wait_until("document.getElementById('title').textContent.includes('Ann')");
    assert_eq!(browser.text("#title"), "<b>Ann</b> \u{2013} Zo\u{eb}");
    assert_eq!(moves(&browser), 60);
    analyze(&browser);
    click(&browser, "#next-mistake");
    assert!(status().contains("Mistake 1 of "), "{}", status());
    let best = browser.script(
        "return document.getElementById('status').textContent.match(/([a-h][1-8]) is best/)[1]",
    );
    let best = best.as_str().expect("a move");
    let number = browser.script(
        "return Number(document.querySelector('#moves tr[aria-current]').id.replace('move-', ''))",
    );
    click(&browser, &format!("#grid [data-square={best}]"));
    assert_eq!(json!(moves(&browser)), number);

    // The saved file is read by `emilia show`, and has the new move.
    let folder = matches::Scratch::new("downloads");
    let downloads = folder.0.to_str().expect("a path");
    browser.save_to(downloads);
    click(&browser, "[data-format=sgf]");
    let started = Instant::now();
    let saved = loop {
        let files = fs::read_dir(downloads).expect("a folder");
        let mut paths = files.map(|file| file.expect("a file").path());
        if let Some(file) = paths.find(|path| path.extension().is_some_and(|own| own == "sgf")) {
            break file;
        }
        assert!(started.elapsed() < PATIENCE, "no file was saved");
        thread::sleep(Duration::from_millis(20));
    };
    let shown = emilia(&["show", saved.to_str().expect("a path")], b"");
    shown.assert_done();
    let before = number.as_u64().expect("a number") as usize - 1;
    shown.assert_shows(&format!("moves     {}{best}\n", &GAME[..2 * before]));
    browser.check_log();
}

/// Analyses the game on the page at the smallest depth.
fn analyze(browser: &Browser) {
    browser.script("document.getElementById('depth').selectedIndex = 0");
    click(browser, "#analyze");
    browser.wait_until("!document.getElementById('judged').hidden");
}

/// Starts a server and a browser with its page. `None` without a browser.
fn board() -> Option<(Browser, Gui)> {
    let (browser, gui) = (browser()?, Gui::start(&[]));
    visit(&browser, &gui);
    Some((browser, gui))
}

/// Loads the page, and waits until it shows the board.
fn visit(browser: &Browser, gui: &Gui) {
    browser.visit(&gui.url);
    browser.wait_until("document.getElementById('status').textContent.length > 0");
}

/// Loads a text into the page as if it had been pasted.
fn paste(browser: &Browser, text: &str) {
    browser.script(&format!(
        "document.getElementById('text').value = {};
         document.getElementById('read').click()",
        json!(text)
    ));
}

#[test]
fn the_page_fits_and_is_readable_on_every_screen() {
    let Some(browser) = browser() else { return };
    let gui = Gui::start(&[]);
    let click = |id: &str| browser.script(&format!("document.getElementById({id:?}).click()"));
    for ((width, height), scheme) in SCREENS.into_iter().zip(SCHEMES.into_iter().cycle()) {
        browser.emulate(width, height, scheme);
        browser.script("try { sessionStorage.clear() } catch {}");
        visit(&browser, &gui);
        let check = |what: &str| browser.check_look(width, &format!("{what}, {width}, {scheme}"));
        check("start");
        paste(&browser, &GAME[..40]);
        wait_for_moves(&browser, 20);
        click("values");
        browser.wait_until("document.querySelectorAll('#grid button span').length > 0");
        check("values");
        click("values");
        analyze(&browser);
        click("next-mistake");
        check("review");
        click("set-up");
        check("setup");
    }
    browser.check_log();
}

/// Sizes of screens in pixels: the windows of all pages, a small and a large screen.
const SCREENS: [(u64, u64); 4] = [WINDOWS[0], WINDOWS[1], (320, 640), (3840, 2160)];

#[test]
fn the_board_works_with_keys_alone() {
    let Some((browser, _gui)) = board() else {
        return;
    };
    let status = || browser.text("#status");
    // The board is reached by Tab, Enter plays.
    while browser.script("return document.activeElement.dataset.square ?? ''") == json!("") {
        browser.press(TAB);
    }
    let label = "return document.activeElement.getAttribute('aria-label')";
    assert_eq!(browser.script(label), "d3, legal move");
    browser.press(ENTER);
    browser.wait_until("document.getElementById('status').textContent.includes('After 2.')");
    assert_eq!(browser.script(label), "d3, black disc");
    browser.press('u');
    assert!(status().contains("Before the first move"), "{}", status());
    // A side without a move passes, and the status announces it.
    paste(&browser, &format!("XO{} O", "-".repeat(62)));
    browser.wait_until("document.getElementById('status').textContent.includes('passes')");
    let passes = "White has no move and passes. Black to move.";
    assert!(status().starts_with(passes), "{}", status());
    browser.check_log();
}

const TAB: char = '\u{E004}';
const ENTER: char = '\u{E007}';

#[test]
fn positions_are_set_up_by_clicks() {
    let Some((browser, _gui)) = board() else {
        return;
    };
    click(&browser, "#set-up");
    click(&browser, "#set-empty");
    click(&browser, "#set-done");
    let message = browser.text("#message");
    assert!(message.contains("Neither side has a move"), "{message}");
    // One click is black, two are white, three empty. Then c1 ends the game.
    for name in "a1 b1 b1 h8 h8 h8 DONE c1".split(' ') {
        match name {
            "DONE" => click(&browser, "#set-done"),
            name => click(&browser, &format!("#grid [data-square={name}]")),
        }
    }
    browser.wait_until(IS_OVER);
    assert!(browser.text("#status").contains("Black wins, 3\u{2013}0"));
    browser.check_log();
}

#[test]
fn names_of_players_are_text() {
    let Some((browser, _gui)) = board() else {
        return;
    };
    let games =
        HOSTILE.map(|name| format!("% Black: {name}\n% White: {name}\n% Event: {name}\n{GAME}\n"));
    paste(&browser, &games.concat());
    browser.wait_until("document.getElementById('games').length > 1");
    let elements = "return document.querySelectorAll('img, iframe, video, body *:is(script, style, \
                    b, base, link, meta), details, #title *').length";
    for (index, name) in HOSTILE.iter().enumerate() {
        browser.script(&format!(
            "const games = document.getElementById('games');
             games.value = {index};
             games.dispatchEvent(new Event('change'))"
        ));
        assert_eq!(browser.text("#title"), format!("{name} \u{2013} {name}"));
        assert_eq!(browser.script(elements), 0, "{name}");
        assert_eq!(browser.script("return document.title"), "Emilia", "{name}");
    }
    browser.check_log();
}

#[test]
fn each_line_keeps_its_own_analysis() {
    let Some((browser, gui)) = board() else {
        return;
    };
    let analyze = || {
        analyze(&browser);
        browser.text("#summary")
    };
    paste(&browser, GAME);
    wait_for_moves(&browser, 60);
    let game = analyze();
    // A variation has no analysis of its own yet.
    click(&browser, "#next");
    click(&browser, "#grid [data-square=f6]");
    let hidden = "return document.getElementById('judged').hidden";
    assert_eq!(browser.script(hidden), true);
    assert_ne!(analyze(), game);
    // Back in the game, and after a reload, the summary is that of the game.
    browser.script("document.querySelector('#variation button').click()");
    assert_eq!(browser.text("#summary"), game);
    visit(&browser, &gui);
    wait_for_moves(&browser, 60);
    assert_eq!(browser.text("#summary"), game);
    browser.check_log();
}

/// Returns the progress of all exercises of a file, as `emilia practice` prints it.
fn progress(state: &str) -> Value {
    let run = emilia_line(&format!("practice --progress --json --state {state}"));
    run.assert_done();
    let last = run.stdout.lines().last().expect("a line");
    serde_json::from_str(last).expect("JSON")
}

/// Returns the JSON object of an answer with status 200.
fn object(answer: &str) -> Value {
    assert_eq!(Gui::status(answer), Some(200), "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("JSON")
}

#[test]
fn exercises_are_made_asked_and_stored_by_requests() {
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let gui = Gui::start(&["--state", &state]);
    let game = json!({"start": START, "transcript": GAME, "black": "Ann", "white": "Bob"});
    let ask = |what: &str, body: &Value| gui.ask("POST", what, &body.to_string());
    let analysis = gui.last_event("analyze", &json!({"game": game, "depth": 4}));
    let moves = analysis["moves"].as_array().expect("moves");
    for side in ["black", "white"] {
        let lost = |one: &&Value| one["side"] == side && one["lost"].as_f64() >= Some(2.0);
        let body = json!({"game": game, "analysis": analysis, "side": side});
        let added = object(&ask("practise", &body));
        assert_eq!(
            added["mistakes"],
            moves.iter().filter(lost).count(),
            "{side}"
        );
    }
    let session = object(&ask("exercises", &json!({})));
    let exercises = session["exercises"].as_array().expect("exercises");
    assert_eq!(exercises.len(), 10);
    let id = &exercises[0]["id"];
    let answer =
        |id: &Value, mv: &Value| ask("answer", &json!({"id": id, "move": mv, "hinted": false}));
    assert!(answer(id, &json!("a1")).contains("not searched yet"));
    let key = gui.last_event("key", &json!({"id": id}));
    let best = &key["lines"][0]["move"];
    let illegal = answer(id, &json!("d4"));
    assert_eq!(Gui::status(&illegal), Some(400), "{illegal}");
    assert!(illegal.contains("illegal"), "{illegal}");
    let unknown = ask("key", &json!({"id": -1}));
    assert!(unknown.contains("no such exercise"), "{unknown}");
    let stored = object(&answer(id, best));
    assert!(stored["days"].as_u64() > Some(1), "{stored}");
    let all = progress(&state);
    assert_eq!(json!([all["answers"], all["best"]]), json!([1, 1]));
    // All games of a player.
    let last = gui.last_event("collect", &json!({"games": [game], "player": "Ann"}));
    assert!(last["mistakes"].as_u64() > Some(0), "{last}");
}

#[test]
fn a_file_that_blocks_does_not_block_the_server() {
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let gui = Gui::start(&["--state", &state]);
    object(&gui.ask("POST", "exercises", "{}"));
    let other = rusqlite::Connection::open(&state).expect("the file opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    let start = Instant::now();
    let mut blocked = gui.send("POST", "exercises", "{}");
    thread::sleep(Duration::from_millis(200));
    gui.assert_serves();
    assert!(start.elapsed() < Duration::from_millis(900));
    let mut answer = String::new();
    blocked.read_to_string(&mut answer).expect("an answer");
    assert!(answer.contains("another program is writing"), "{answer}");
    assert!(start.elapsed() < Duration::from_secs(4));
    other.execute_batch("ROLLBACK").expect("no lock");
    object(&gui.ask("POST", "exercises", "{}"));

    // A pipe is refused.
    let pipe = format!("{state}.pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let gui = Gui::start(&["--state", &pipe]);
    let answer = gui.ask("POST", "exercises", "{}");
    assert!(answer.contains("it is not a plain file"), "{answer}");
    gui.assert_serves();
    fs::remove_file(&pipe).expect("the pipe");
}

#[test]
fn mistakes_of_a_game_are_practised_in_the_browser() {
    let Some(browser) = browser() else { return };
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let gui = Gui::start(&["--state", &state]);
    visit(&browser, &gui);
    paste(&browser, GAME);
    wait_for_moves(&browser, 60);
    analyze(&browser);
    click(&browser, "#practise-black");
    let is_answered = "!document.getElementById('answer')?.hidden";
    let is_asked = "document.getElementById('status').textContent.includes('Find the best move')";
    browser.wait_until(is_asked);

    // The first exercise with the mouse.
    let square = click_move(&browser);
    browser.wait_until(is_answered);
    let status = browser.text("#status");
    assert!(status.starts_with(&square), "{status}");

    // The second with keys alone, and the third is skipped.
    for key in ['n', 'h', 'h'] {
        browser.press(key);
    }
    let hints = browser.text("#hints");
    assert!(hints.contains("row "), "{hints}");
    browser.script(&format!("{LEGAL}[0].focus()"));
    browser.press(ENTER);
    browser.wait_until(is_answered);
    browser.check_look(1280, "an answer");
    assert_eq!(browser.script("return document.activeElement.id"), "next");
    browser.press(ENTER);
    browser.press('s');
    browser.wait_until("document.getElementById('number').textContent.startsWith('4 of ')");
    assert_eq!(progress(&state)["answers"], 2);
    browser.check_log();
}
