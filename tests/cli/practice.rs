//! End-to-end tests of `emilia practice`: exercises, sessions, progress, and a state that survives.

use std::fs;

use serde_json::Value;

use crate::common::Process;
use crate::common::browser::browser;
use crate::common::matches::Scratch;
use crate::common::run::{Run, cases, emilia};

/// Two games of Ann, the second one with mistakes of her opponent only in its symmetric image.
const GAMES: &str = "\
% Black: Ann Lee\n% White: Bob\n% Date: 2024\n\
e6f4e3d6c5f3f6f5c4d7g3c6b7e2f2b6c7d8f7b5b4f1e7a8g5a6e1d1d2g4b8\
h2h5h4h6a3g6c3h3h7c1c8e8f8b3a7c2b1g7g2d3g1h1g8a1a2a4a5h8b2\n\
% Black: Cid\n% White: Ann Lee\n% Date: 2025\n\
f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3\n";

/// A folder with the games and the state of a test.
struct Folder(Scratch);

impl Folder {
    fn new() -> Folder {
        let folder = Scratch::new("practice");
        fs::write(folder.path("games.txt"), GAMES).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path(name)
    }

    /// Returns the arguments of a command on the state of this folder, with a fast analysis.
    fn arguments(&self, line: &str) -> Vec<String> {
        let own = line.replace("GAMES", &self.path("games.txt"));
        let own = own.split_whitespace().map(str::to_owned);
        let state = ["--state".to_owned(), self.path("deep/practice.db")];
        let fast = ["--depth", "4", "--threads", "1", "--hash", "1"].map(str::to_owned);
        let words = std::iter::once("practice".to_owned()).chain(own);
        words.chain(state).chain(fast).collect()
    }

    fn run(&self, line: &str, input: &str) -> Run {
        let arguments = self.arguments(line);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        emilia(&words, input.as_bytes())
    }

    fn start(&self, line: &str) -> Process {
        let arguments = self.arguments(line);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Process::emilia(&words)
    }

    /// Returns the progress of a theme, or of all exercises.
    fn progress(&self, theme: &str) -> Value {
        let run = self.run("--progress --json", "");
        run.assert_done();
        let lines = run.stdout.lines();
        let mut objects = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
        objects
            .find(|object| object["kind"] == "practice" && object["theme"] == theme)
            .unwrap_or_else(|| panic!("no {theme} in {run:?}"))
    }
}

/// Asks for a legal move by an illegal one, and returns the first legal one.
fn legal_move(process: &mut Process) -> String {
    process.send("a9");
    let line = process.line_starting("'a9' is no legal move: ");
    line.split_whitespace().nth(5).unwrap().to_owned()
}

#[test]
fn a_session_asks_the_worst_mistakes_first_and_stores_each_answer() {
    let folder = Folder::new();
    let first = folder.run("GAMES --player lee --count 2", "zz\n?\n?\ns\nq\n");
    first.assert_done();
    for text in [
        "Themes: ",
        "The best move is in row ",
        "\n2 of 2: Ann Lee - Bob, 2024, move ",
    ] {
        first.assert_shows(text);
    }

    let mut session = folder.start("--count 3");
    let mut lost = 0.0;
    for number in 1..=2 {
        session.line_starting(&format!("{number} of 3: Ann Lee - Bob, 2024"));
        let mv = legal_move(&mut session);
        session.send(&mv);
        let line = session.line_starting(&format!("{mv} "));
        if let Some((_, rest)) = line.split_once(" loses ") {
            lost += rest.split_once(' ').unwrap().0.parse::<f64>().unwrap();
            session.line_starting("refutation  ");
        } else {
            assert!(line.contains(" is best: "), "{line}");
        }
        let people = session.line_starting("people      ");
        assert!(people.contains(" players of level h10 find "), "{people}");
        session.line_starting("returns     in ");
    }
    let rest = session.finish().join("\n");
    assert!(rest.contains(" of 2 answers are best, "), "{rest}");
    let all = folder.progress("all");
    assert_eq!((&all["answers"], &all["practised"]), (&2.into(), &2.into()));
    let stored = all["lost"].as_f64().unwrap();
    assert!((stored - lost).abs() <= 0.1, "{stored} {lost}");
}

#[test]
fn exercises_are_a_page_that_works_offline() {
    let folder = Folder::new();
    let file = folder.path("a.html");
    let line = format!("GAMES --player lee --count 3 --export {file}");
    folder.run(&line, "").assert_done();
    let page = fs::read_to_string(&file).unwrap();
    for outside in ["http://", "https://", "src="] {
        assert!(!page.contains(outside), "{outside}");
    }
    // The same exercises as OBF.
    let file_of_positions = folder.path("a.obf");
    folder.run(&line.replace(".html", ".obf"), "").assert_done();
    folder.run(&line, "").assert_refused("exists");
    let hints = emilia(&["hint", &file_of_positions, "--depth", "1", "--json"], b"");
    hints.assert_done();
    assert_eq!(hints.stdout.lines().count(), 3, "{hints:?}");
    let Some(browser) = browser() else { return };
    browser.open(&file, "");
    let number = "document.getElementById('number').textContent";
    for exercise in 1..=3 {
        browser.wait_until(&format!("{number} === '{exercise} of 3'"));
        browser.script("document.querySelector('#grid button.legal').click()");
        browser.wait_until("!document.getElementById('answer').hidden");
        browser.press('n');
    }
    browser.wait_until(&format!("{number} === 'End of the session'"));
    let status = browser.text("#status");
    assert!(status.contains(" of 3 answers are best."), "{status}");
    browser.check_log();
}

#[test]
fn exercises_and_answers_go_to_another_machine() {
    let (home, away) = (Folder::new(), Folder::new());
    home.run("GAMES --player lee --progress", "").assert_done();
    let mut session = home.start("--count 1");
    let mv = legal_move(&mut session);
    session.send(&mv);
    session.finish();
    let file = home.path("a.jsonl");
    home.run(&format!("--export {file}"), "").assert_done();
    let import = format!("--import {file} --progress");
    away.run(&import, "").assert_reports(", answers: 1");
    away.run(&import, "")
        .assert_reports("exercises added: 0, answers: 0");
    assert_eq!(away.progress("all"), home.progress("all"));
}

#[test]
fn the_exercises_are_those_of_one_player() {
    let folder = Folder::new();
    let game = GAMES.lines().nth(3).unwrap();
    let players = [("Ch\u{e9}n", "Bob"), ("Zachen", "Chen Yu"), ("Chen", "Cid")];
    let games =
        players.map(|(black, white)| format!("% Black: {black}\n% White: {white}\n{game}\n"));
    fs::write(folder.path("games.txt"), games.concat()).unwrap();
    for (player, source) in [("CHEN", "% Ch\u{e9}n - Bob"), ("yu", "% Zachen - Chen Yu")] {
        let file = folder.path(player);
        let run = folder.run(&format!("GAMES --player {player} --export {file}"), "");
        run.assert_done();
        let text = fs::read_to_string(file).unwrap();
        let mut sources = text.lines().filter(|line| line.starts_with('%')).peekable();
        assert!(sources.peek().is_some() && sources.all(|one| one.starts_with(source)));
    }
    let run = folder.run("GAMES --player hen --progress", "");
    run.assert_refused("3 players have such a name, give one of them: Chen, Chen Yu, Zachen");
}

#[test]
fn bad_input_gets_one_sentence() {
    let folder = Folder::new();
    let nothing = folder.run("", "f5\n");
    nothing.assert_done();
    nothing.assert_shows("There are no exercises yet");
    for [line, reason] in cases(
        "GAMES --player nobody | none of the 2 games is of this player
         missing.txt --player lee | 'missing.txt'
         - --player lee | stdin has the answers
         GAMES --level 5 | h1 to h14
         --count 0 | 0 is not in 1
         GAMES --export GAMES --force | --export
         --import GAMES | exercise of 'emilia practice --export FILE.jsonl'
         --player lee | required
         GAMES --json | --progress",
    ) {
        folder.run(line, "").assert_refused(reason);
    }
    let other = folder.path("games.txt");
    let below = format!("{other}/a");
    for [state, reason] in [
        [&other, "this is no file of 'emilia practice'"],
        [&below, "choose another file with --state FILE"],
    ] {
        let run = emilia(&["practice", "--state", state], b"");
        run.assert_refused(state);
        run.assert_reports(reason);
    }
    assert_eq!(fs::read_to_string(&other).unwrap(), GAMES);
}

#[test]
fn a_killed_session_keeps_every_answer() {
    let folder = Folder::new();
    let made = folder.run("GAMES --level h1 --progress", "");
    made.assert_done();
    let mut confirmed = 0;
    for round in 0..4 {
        let mut session = folder.start("--count 5");
        for _ in 0..round % 3 {
            let mv = legal_move(&mut session);
            session.send(&mv);
            session.line_starting("returns     in ");
            confirmed += 1;
        }
        let mv = legal_move(&mut session);
        session.send(&mv);
        std::thread::sleep(std::time::Duration::from_millis(round * 2));
        // Dropping the process kills it by SIGKILL.
        drop(session);
        let all = folder.progress("all");
        let stored = all["answers"].as_u64().unwrap();
        assert!((confirmed..=confirmed + 1).contains(&stored), "{all}");
        assert_eq!(all["practised"], all["answers"], "{all}");
        confirmed = stored;
    }
}
