//! The server of `emilia gui`: what it answers, and what it refuses. `gui_page` tests its page.

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::browser::GAME;
use crate::common::matches;
use crate::common::run::{cases, emilia, emilia_line};
use crate::common::{PATIENCE, Process};

/// A running `emilia gui`.
pub(crate) struct Gui {
    process: Process,
    /// Address of the page, with the token. `EMILIA_PAGE` is the address of a page of files in its place.
    pub(crate) url: String,
    /// `127.0.0.1:PORT`.
    host: String,
    /// Path of the page: the token between two slashes.
    path: String,
    /// Folder of its files, if the test gives none.
    _folder: Option<matches::Scratch>,
}

impl Gui {
    pub(crate) fn start(arguments: &[&str]) -> Gui {
        let command = [&["gui", "--no-browser"], arguments].concat();
        if arguments.contains(&"--state") {
            return Gui::run(&command);
        }
        let folder = matches::Scratch::new("gui");
        let state = folder.path("practice.db");
        Gui {
            _folder: Some(folder),
            ..Gui::run(&[&command[..], &["--state", &state]].concat())
        }
    }

    pub(crate) fn port(&self) -> &str {
        self.host.rsplit(':').next().expect("a port")
    }

    /// Starts a command that serves the page.
    pub(crate) fn run(arguments: &[&str]) -> Gui {
        let mut process = Process::emilia(arguments);
        let url = process.line().expect("the address of the page");
        let rest = url.strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        Gui {
            host: host.to_owned(),
            path: format!("/{}", path.trim_end_matches("practice.html")),
            process,
            _folder: None,
            url: env::var("EMILIA_PAGE").unwrap_or(url),
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("the server listens");
        let patience = stream.set_read_timeout(Some(PATIENCE));
        patience.expect("a limit on every wait");
        stream
    }

    /// Sends a request with these headers, and returns the connection, with the answer unread.
    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let head = format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        // A server that refuses a request may close the connection before its end.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body.as_bytes());
        stream
    }

    /// Sends a request as the page does, and returns the connection, with the answer unread.
    fn send(&self, method: &str, what: &str, body: &str) -> TcpStream {
        let (path, host, length) = (&self.path, &self.host, body.len());
        let headers = format!("Host: {host}\r\nContent-Length: {length}\r\n");
        self.request(method, &format!("{path}{what}"), &headers, body)
    }

    /// Sends a request as the page does, and returns the whole answer.
    fn ask(&self, method: &str, what: &str, body: &str) -> String {
        whole(self.send(method, what, body))
    }

    /// Asserts that a move at level 1 is answered.
    fn assert_moves(&self) {
        let request = json!({"position": GAME_POSITION, "seed": 1, "level": "1"});
        assert_eq!(self.last_event("move", &request)["kind"], "move");
    }

    /// Returns the last event of the answer to a request.
    pub(crate) fn last_event(&self, what: &str, request: &Value) -> Value {
        let answer = self.ask("POST", what, &request.to_string());
        let mut lines = answer.lines().rev();
        let last = lines.find_map(|line| line.strip_prefix("data: "));
        serde_json::from_str(last.unwrap_or_else(|| panic!("{answer}"))).expect("JSON")
    }

    /// Returns the object that answers a request.
    pub(crate) fn object(&self, what: &str, request: &Value) -> Value {
        object(&self.ask("POST", what, &request.to_string()))
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

/// Reads an answer to its end.
fn whole(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn strangers_are_refused() {
    let gui = Gui::start(&[]);
    let path = gui.path.as_str();
    let another = format!("/{:032x}/", 1);
    let port = gui.port();
    for (path, headers) in [
        ("/main.js", "Host: OWN\r\n"),
        (&format!("{another}start"), "Host: OWN\r\n"),
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
            let answer = whole(gui.request(method, path, &headers, ""));
            let status = Gui::status(&answer);
            assert!(matches!(status, Some(400 | 403)), "{headers}{answer}");
            assert!(!answer.contains("<script"), "{headers}{answer}");
        }
    }
    let own = format!("Host: {0}\r\nOrigin: http://{0}\r\n", gui.host);
    let answer = whole(gui.request("GET", path, &own, ""));
    assert_eq!(Gui::status(&answer), Some(200), "{answer}");
    // The files of the page, without what they would be answered.
    let old = whole(gui.request("GET", &another, &own, ""));
    assert_eq!(Gui::status(&old), Some(200), "{old}");
    let old = whole(gui.request("POST", &another, &own, ""));
    assert_eq!(Gui::status(&old), Some(403), "{old}");
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
    for what in
        ",main.js,words.js,fr.js,style.css,inter-600.woff2,inter-400.woff2,start,practice.html,practice.js,openings.html,openings.tsv".split(',')
    {
        let [get, head] = ["GET", "HEAD"].map(|method| gui.ask(method, what, ""));
        assert_eq!(Gui::status(&get), Some(200), "{what}");
        let (headers, time) = head.split_once("\r\ndate: ").expect("headers");
        assert!(get.starts_with(headers) && time.ends_with("\r\n\r\n"), "{head}");
    }
    for what in [
        "%2e%2e/..%2f%2e%2e/etc/passwd",
        "/etc/passwd",
        "main.js/../../etc/passwd",
        "main.js%00",
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
        move | {"position": "START", "seed": 1, "level": "h15"} | h0 to h14
        move | {"position": "START", "seed": 1, "seconds": -1} | number of seconds
        move | {"position": "START", "seed": 1, "clock": "x"} | bad request
        look | {"position": "OVER"} | the game is over
        analyze | {"game": {"start": "START", "transcript": ""}} | no moves
        analyze | {"game": {"start": "START", "transcript": "a1"}} | a1
        games |  | no games
        games | NUL | not a file of games
        games | https://example.org/ | 400 Bad Request
        files | [] | expected a line with the files
        explore | {"position": "X", "games": []} | expected 64
        explore | {"position": "START", "games": [{"start": "START", "transcript": "a1"}]} | a1
        opening | {"seed": "x"} | bad request
        draw | {"seed": 1, "discs": 4, "score": [-2, 2]} | discs from 5 to 54
        due | {"answers": [[["x", true]]]} | bad request
        save | {"format": "ggf"} | expected a game
        save | {"format": "page"} | expected an analysis"#
        .replace("NUL", "\0");
    let table = table.replace("OVER", &over).replace("START", START);
    for [what, body, part] in cases(&table) {
        let answer = gui.ask("POST", what, body);
        assert_eq!(Gui::status(&answer), Some(400), "{what} {body}: {answer}");
        assert!(answer.contains(part), "{what} {body}: {answer}");
    }
    let large = gui.ask("POST", "games", &"f5d6".repeat(17 << 18));
    assert!(matches!(Gui::status(&large), None | Some(413)), "{large}");
    let headers = format!("Host: {}\r\nTransfer-Encoding: chunked\r\n", gui.host);
    let path = format!("{}games", gui.path);
    let chunk = whole(gui.request("POST", &path, &headers, "zz\r\nf5d6\r\n"));
    assert_eq!(Gui::status(&chunk), Some(400), "{chunk}");
    // The server still answers.
    let answer = gui.ask("POST", "games", "https://example.org/?game=F5D6c3&to=3");
    assert!(answer.contains(r#""transcript":"f5d6c3""#), "{answer}");
}

#[test]
fn questions_of_the_page_return_by_their_answers() {
    let gui = Gui::start(&[]);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.expect("a time after 1970").as_secs();
    let month = now - 30 * 24 * 60 * 60;
    let answers = json!([[], [[now, false]], [[now, true]], [[month, true]]]);
    let due = gui.object("due", &json!({ "answers": answers }));
    assert_eq!(due["days"], json!([0, 1, 3, 0]));
}

#[test]
fn a_drawn_position_has_its_discs_and_score() {
    let gui = Gui::start(&["--book", "off"]);
    let drawn = gui.last_event("draw", &json!({"seed": 1, "discs": 12, "score": [-9, -3]}));
    let moves = drawn["transcript"].as_str().expect("moves");
    assert_eq!((moves.len(), &drawn["kind"]), (16, &json!("opening")));
    let score = drawn["score"].as_f64().expect("a score");
    assert!((-9.0..=-3.0).contains(&score), "{drawn}");
}

#[test]
fn idle_and_slow_clients_do_not_delay_others_and_are_closed() {
    let gui = Gui::start(&["--book", "off"]);
    let mut idle: Vec<TcpStream> = (0..200).map(|_| gui.connect()).collect();
    // Of many clients without a request, the first one is closed at once.
    gui.assert_serves();
    assert_eq!(idle[0].read(&mut [0]).expect("the end"), 0);
    // A client that reads its answer byte by byte, and one that never ends its request.
    let mut slow = gui.send("POST", "look", &look());
    let mut cut = gui.connect();
    cut.write_all(b"POST /").expect("the server reads");
    for _ in 0..3 {
        slow.read_exact(&mut [0]).expect("a byte");
        gui.assert_moves();
    }
    cut.read_to_end(&mut Vec::new()).expect("the end");
    drop((idle, slow, cut));
    // Searches of two minutes end when their clients leave: more than may run at once begin.
    for _ in 0..8 {
        let mut stream = gui.send("POST", "look", &look());
        stream.read_exact(&mut [0; 12]).expect("the status");
    }
}

/// A position in the middle of a game.
const GAME_POSITION: &str = "------------------XXX-----XXX-----XOO------O-O------------------ X";

pub(crate) const START: &str = "---------------------------OX------XO--------------------------- X";

/// Request of a search of two minutes.
fn look() -> String {
    json!({ "position": GAME_POSITION }).to_string()
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
fn a_port_in_use_is_refused() {
    let gui = Gui::start(&[]);
    let (_, port) = gui.host.rsplit_once(':').expect("a port");
    emilia(&["gui", "--no-browser", "--port", port], b"").assert_refused(port);
}

/// Returns all exercises of a file, as `emilia practice` exports them.
pub(crate) fn exercises(state: &str) -> Vec<Value> {
    let file = format!("{state}.jsonl");
    let run = emilia_line(&format!("practice --state {state} --export {file} --force"));
    let lines = fs::read_to_string(&file).expect("the file");
    let count = format!("emilia: exercises exported: {}\n", lines.lines().count());
    assert_eq!((run.code, run.stderr), (Some(0), count));
    let exercises = lines.lines().map(serde_json::from_str);
    exercises.map(|one| one.expect("JSON")).collect()
}

/// Returns the number of answers in a file of exercises.
pub(crate) fn answers(state: &str) -> usize {
    let all = exercises(state);
    let answers = all.iter().filter_map(|one| one["answers"].as_array());
    answers.map(Vec::len).sum()
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
        let added = &object(&ask("practise", &body))["mistakes"];
        assert_eq!(*added, moves.iter().filter(lost).count(), "{side}");
    }
    let session = object(&ask("exercises", &json!({})));
    let asked = session["exercises"].as_array().expect("exercises");
    assert_eq!(asked.len(), 10);
    let position = &asked[0]["position"];
    let answer = |mv: &Value| {
        let body = json!({"position": position, "move": mv, "hinted": false});
        ask("answer", &body)
    };
    assert!(answer(&json!("a1")).contains("not searched yet"));
    let key = gui.last_event("key", &json!({"position": position}));
    let best = &key["lines"][0]["move"];
    let illegal = answer(&json!("d4"));
    assert_eq!(Gui::status(&illegal), Some(400), "{illegal}");
    assert!(illegal.contains("illegal"), "{illegal}");
    let unknown = ask("key", &json!({"position": START}));
    assert!(unknown.contains("no such exercise"), "{unknown}");
    let stored = object(&answer(best));
    assert!(stored["days"].as_u64() > Some(1), "{stored}");
    let exported = ask("export", &json!({}));
    let (_, lines) = exported.split_once("\r\n\r\n").expect("a body");
    let count = lines.matches("\"kind\":\"exercise\"").count();
    assert_eq!(count, exercises(&state).len());
    // All games of a player.
    let game = json!({"start": START, "transcript": &GAME[..4], "black": "Ann", "white": "Bob"});
    let last = gui.last_event("collect", &json!({"games": [game], "player": "Ann"}));
    assert_eq!(last["mistakes"], 0, "{last}");
    // Dropping the process kills it by SIGKILL. The answer stays.
    drop(gui);
    assert_eq!(answers(&state), 1);
}

#[test]
fn a_file_that_blocks_does_not_block_the_server() {
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let gui = Gui::start(&["--state", &state]);
    object(&gui.ask("POST", "import", ""));
    let other = rusqlite::Connection::open(&state).expect("the file opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    let mut blocked = gui.send("POST", "import", "");
    gui.assert_serves();
    blocked.set_nonblocking(true).expect("a socket");
    assert!(blocked.read(&mut [0]).is_err(), "it still waits");
    blocked.set_nonblocking(false).expect("a socket");
    other.execute_batch("ROLLBACK").expect("no lock");
    object(&whole(blocked));

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
fn games_stay_after_a_kill_and_another_revision_is_not_overwritten() {
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let gui = Gui::start(&["--state", &state]);
    let game = |id: &str, was: Value, revision: u32, content: Value| {
        let summary = format!("{id} {revision}");
        json!({"games": [{"id": id, "was": was, "revision": revision, "summary": summary, "content": content}]})
    };
    for (id, was, revision, content, refused) in [
        ("1", Value::Null, 1, json!("moves"), json!([])),
        ("2", Value::Null, 1, json!("other"), json!([])),
        ("1", json!(1), 2, Value::Null, json!([])),
        ("1", json!(1), 3, json!("lost"), json!(["1"])),
        ("1", Value::Null, 3, json!("lost"), json!(["1"])),
    ] {
        let answer = gui.object("put", &game(id, was, revision, content));
        assert_eq!(answer["refused"], refused, "{id} {revision}");
    }
    // Dropping the process kills it by SIGKILL.
    drop(gui);
    let gui = Gui::start(&["--state", &state]);
    assert_eq!(
        gui.object("list", &json!({})),
        json!({"games": ["2 1", "1 2"]})
    );
    let ids = json!({"ids": ["1", "3"]});
    assert_eq!(
        gui.object("get", &ids),
        json!({"contents": ["moves", null]})
    );
    gui.object("delete", &ids);
    assert_eq!(gui.object("list", &json!({})), json!({"games": ["2 1"]}));
}

/// Each of two programs has a client that stores a game and an answer, and one that reads both files.
#[test]
fn two_programs_on_one_folder_lose_nothing_and_damage_nothing() {
    let folder = matches::Scratch::new("gui");
    let state = folder.path("practice.db");
    let guis = [(); 2].map(|()| Gui::start(&["--state", &state]));
    let asked = guis[0].object("exercises", &json!({}));
    let mut exercise = asked["exercises"][0].clone();
    (exercise["schema"], exercise["kind"]) = (json!(2), json!("exercise"));
    let best = exercise["best"].clone();
    exercise.as_object_mut().expect("an object").remove("found");
    let store = |own: usize| {
        for number in 0..40 {
            let (id, mut exercise) = (format!("{own}-{number}"), exercise.clone());
            let game = json!({"id": id, "was": null, "revision": 1, "summary": id, "content": id});
            let put = guis[own].object("put", &json!({"games": [game]}));
            assert_eq!(put, json!({"refused": []}));
            let at = 1_700_000_000 + 100 * own + number;
            exercise["answers"] = json!([{"move": best, "lost": 0.0, "hinted": false, "at": at}]);
            let added = guis[own].object("import", &exercise);
            assert_eq!(added["answers"], 1, "{added}");
        }
    };
    let is_done = AtomicBool::new(false);
    let read = |own: usize| {
        while !is_done.load(Ordering::Relaxed) {
            guis[own].object("list", &json!({}));
            guis[own].object("exercises", &json!({}));
        }
    };
    thread::scope(|scope| {
        let (store, read) = (&store, &read);
        let writers = [0, 1].map(|own| {
            scope.spawn(move || read(own));
            scope.spawn(move || store(own))
        });
        let stored = writers.map(thread::ScopedJoinHandle::join);
        is_done.store(true, Ordering::Relaxed);
        assert!(
            stored.iter().all(Result::is_ok),
            "a request was not answered"
        );
    });
    let list = guis[0].object("list", &json!({}));
    assert_eq!(list["games"].as_array().expect("games").len(), 80);
    drop(guis);
    assert_eq!(answers(&state), 80);
    for file in [state, folder.path("games.db")] {
        let file = rusqlite::Connection::open(file).expect("the file opens");
        let check = file.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
        assert_eq!(check.expect("a check"), "ok");
    }
}
