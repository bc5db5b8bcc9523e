//! End-to-end tests of `emilia practice`: exercises, sessions, progress, and a state that survives.

use std::fs;

use serde_json::Value;

use crate::common::Process;
use crate::common::browser::Browser;
use crate::common::run::{Run, emilia};

/// Two games of Ann, the second one with mistakes of her opponent only in its symmetric image.
const GAMES: &str = "\
% Black: Ann Lee\n% White: Bob\n% Date: 2024\n\
e6f4e3d6c5f3f6f5c4d7g3c6b7e2f2b6c7d8f7b5b4f1e7a8g5a6e1d1d2g4b8\
h2h5h4h6a3g6c3h3h7c1c8e8f8b3a7c2b1g7g2d3g1h1g8a1a2a4a5h8b2\n\
% Black: Cid\n% White: Ann Lee\n% Date: 2025\n\
f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3\n";

/// A folder with the games and the state of a test, removed on drop.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("emilia-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("games.txt"), GAMES).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
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

impl Drop for Folder {
    fn drop(&mut self) {
        // A temporary folder that stays behind is harmless.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the number of headings `N of M:` in the output.
fn asked(run: &Run) -> usize {
    let is_heading = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() > 3 && words[1] == "of" && words[2].ends_with(':')
    };
    run.stdout.lines().filter(is_heading).count()
}

/// Asks for a legal move by an illegal one, and returns the first legal one.
fn legal_move(process: &mut Process) -> String {
    process.send("a9");
    let line = process.line_starting("'a9' is no legal move: ");
    line.split_whitespace().nth(5).unwrap().to_owned()
}

#[test]
fn a_session_asks_the_worst_mistakes_first_and_stores_each_answer() {
    let folder = Folder::new("practice");
    let first = folder.run("GAMES --player lee --count 2", "zz\n?\n?\ns\nq\n");
    first.assert_done();
    assert_eq!(asked(&first), 2, "{first:?}");
    first.assert_shows("1 of 2: Ann Lee - Bob, 2024, move ");
    first.assert_shows("'zz' is no legal move: ");
    first.assert_shows("Themes: ");
    first.assert_shows("The best move is in row ");
    let all = folder.progress("all");
    let exercises = all["exercises"].as_u64().unwrap();
    assert!(exercises > 2, "{all}");
    assert_eq!((&all["answers"], &all["practised"]), (&0.into(), &0.into()));

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
            session.line_starting("best        ");
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
    let stages = ["opening", "midgame", "ending"].map(|stage| {
        let run = folder.run("--progress --json", "");
        let lines = run.stdout.lines();
        let objects = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut counts = objects.filter(|object| object["theme"] == stage);
        counts
            .next()
            .map_or(0, |object| object["exercises"].as_u64().unwrap())
    });
    assert_eq!(stages.iter().sum::<u64>(), exercises);
}

#[test]
fn without_a_player_the_level_decides_what_is_asked() {
    let folder = Folder::new("practice-level");
    for level in ["h1", "h14"] {
        let run = folder.run(&format!("GAMES --level {level} --progress"), "");
        run.assert_done();
        run.assert_shows("all");
    }
    let count = |level: &str| {
        let run = folder.run(&format!("GAMES --level {level} --progress --json"), "");
        let last: Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
        last["exercises"].as_u64().unwrap()
    };
    let [weak, strong] = ["h1", "h14"].map(count);
    assert!(0 < strong && strong < weak, "{strong} {weak}");
}

#[test]
fn exercises_are_written_as_obf() {
    let folder = Folder::new("practice-export");
    let file = folder.path("a.obf");
    let line = format!("GAMES --player lee --count 4 --export {file}");
    folder.run(&line, "").assert_done();
    folder.run(&line, "").assert_refused("exists");
    let hints = emilia(&["hint", &file, "--depth", "1", "--json"], b"");
    hints.assert_done();
    assert_eq!(hints.stdout.lines().count(), 4, "{hints:?}");
    let file = folder.path("ending.obf");
    let themes = folder.run(&format!("--theme ending --export {file}"), "");
    themes.assert_done();
    let text = fs::read_to_string(&file).unwrap();
    let positions = text.lines().filter(|line| !line.starts_with('%'));
    for position in positions {
        let empties = position[..64].matches('-').count();
        assert!(empties <= 20, "{position}");
    }
}

#[test]
fn exercises_are_a_page_that_works_offline() {
    let folder = Folder::new("practice-page");
    let file = folder.path("a.html");
    let line = format!("GAMES --player lee --count 3 --export {file}");
    folder.run(&line, "").assert_done();
    let page = fs::read_to_string(&file).unwrap();
    for outside in ["http://", "https://", "src="] {
        let found = page
            .find(outside)
            .map(|at| &page[at..page.len().min(at + 60)]);
        assert_eq!(found, None);
    }
    let Some(browser) = Browser::start() else {
        eprintln!("skipped: there is no chromedriver");
        return;
    };
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
fn the_exercises_are_those_of_one_player() {
    let folder = Folder::new("practice-names");
    let game = GAMES
        .split("2024\n")
        .nth(1)
        .unwrap()
        .split('%')
        .next()
        .unwrap();
    let players = [("Ch\u{e9}n", "Bob"), ("Zachen", "Chen Yu"), ("Chen", "Cid")];
    let games = players.map(|(black, white)| format!("% Black: {black}\n% White: {white}\n{game}"));
    fs::write(folder.path("games.txt"), games.concat()).unwrap();
    let sources = |player: &str| {
        let file = folder.path(&format!("{player}.obf"));
        let run = folder.run(&format!("GAMES --player {player} --export {file}"), "");
        run.assert_done();
        let text = fs::read_to_string(file).unwrap();
        let lines = text.lines().filter(|line| line.starts_with('%'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let chen = sources("CHEN");
    assert!(
        chen.len() > 2 && chen.iter().all(|one| one.starts_with("% Ch\u{e9}n - Bob")),
        "{chen:?}"
    );
    let yu = sources("yu");
    assert!(
        yu.iter().all(|one| one.starts_with("% Zachen - Chen Yu")),
        "{yu:?}"
    );
    assert!(
        !yu.is_empty() && yu.iter().all(|one| !chen.contains(one)),
        "{yu:?}"
    );
    let run = folder.run("GAMES --player hen --progress", "");
    run.assert_refused("3 players have such a name, give one of them: Chen, Chen Yu, Zachen");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = Folder::new("practice-read-only");
    let state = folder.path("games.txt/practice.db");
    let run = emilia(&["practice", "--state", &state], b"");
    run.assert_refused(&state);
    run.assert_reports("choose another file with --state FILE");
}

#[test]
fn bad_input_gets_one_sentence() {
    let folder = Folder::new("practice-bad");
    for (line, reason) in [
        (
            "GAMES --player nobody",
            "none of the 2 games is of this player",
        ),
        ("missing.txt --player lee", "'missing.txt'"),
        ("- --player lee", "stdin has the answers"),
        ("GAMES --level 5", "h1 to h14"),
        ("--count 0", "0 is not in 1"),
        ("--least 1", "expected a number of discs from 2 to 64"),
        ("GAMES --export GAMES --force", "--export"),
        ("--theme chess", "expected opening, midgame"),
        ("--player lee", "required"),
        ("GAMES --json", "--progress"),
    ] {
        folder.run(line, "").assert_refused(reason);
    }
    let nothing = folder.run("", "f5\n");
    nothing.assert_done();
    nothing.assert_shows("There are no exercises yet");
    let book = folder.path("games.txt");
    let run = emilia(&["practice", "--state", &book], b"");
    run.assert_refused("this is no file of 'emilia practice'");
    assert_eq!(fs::read_to_string(&book).unwrap(), GAMES);
}

#[test]
fn a_killed_session_keeps_every_answer() {
    let folder = Folder::new("practice-kill");
    let made = folder.run("GAMES --level h1 --progress", "");
    made.assert_done();
    let mut confirmed = 0;
    for round in 0..6 {
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
