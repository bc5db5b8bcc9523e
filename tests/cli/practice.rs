//! `emilia practice`: whose mistakes it collects, the page it serves, and the file that travels.

use std::fs;

use serde_json::{Value, json};

use crate::common::matches::Scratch;
use crate::common::run::emilia;
use crate::gui::{Gui, exercises};

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

    fn state(&self) -> String {
        self.0.path("deep/practice.db")
    }

    /// Returns the arguments of a command on the state of this folder, with a fast analysis.
    fn arguments(&self, line: &str) -> Vec<String> {
        let line = line.replace("GAMES", &self.0.path("games.txt"));
        let line = format!("practice {line} --depth 4 --threads 1 --hash 4 --no-browser --state");
        let words = line.split_whitespace().map(str::to_owned);
        words.chain([self.state()]).collect()
    }

    /// Collects exercises, and returns all of the file.
    fn collect(&self, line: &str) -> Vec<Value> {
        let file = self.0.path("all.jsonl");
        let arguments = self.arguments(&format!("{line} --export {file} --force"));
        let run = emilia(
            &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
            b"",
        );
        assert_eq!(run.code, Some(0), "{run:?}");
        exercises(&self.state())
    }
}

#[test]
fn the_page_opens_on_the_collected_exercises() {
    let folder = Folder::new();
    let arguments = folder.arguments("GAMES --player lee");
    let gui = Gui::run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(gui.url.ends_with("/practice.html"), "{}", gui.url);
    let session = gui.object("exercises", &json!({}));
    assert_ne!(session["exercises"], json!([]));
}

#[test]
fn exercises_are_mistakes_of_the_players_with_these_words_in_their_names() {
    let folder = Folder::new();
    let game = GAMES.lines().nth(3).unwrap();
    let games = [("Ch\u{e9}n", "Bob"), ("Zachen", "Chen Yu")];
    let games = games.map(|(black, white)| format!("% Black: {black}\n% White: {white}\n{game}\n"));
    fs::write(folder.0.path("games.txt"), games.concat()).unwrap();
    let own = folder.collect("GAMES --player yu");
    assert!(!own.is_empty());
    for one in &own {
        let position = one["position"].as_str().unwrap();
        assert!(position.ends_with(" O"), "{one}");
        let source = one["source"].as_str().unwrap();
        assert!(source.starts_with("Zachen - Chen Yu, move "), "{source}");
    }
    let more = folder.collect("GAMES --player CHEN --latest 1");
    assert!(more.len() > own.len(), "{more:?}");
    // With a level of people, exercises are made for both sides.
    let all = Folder::new().collect("GAMES --level h1");
    for side in [" X", " O"] {
        let is_own = |one: &Value| one["position"].as_str().unwrap().ends_with(side);
        assert!(all.iter().any(is_own), "{side}");
    }
}

/// Endings with one best move, and the first one turned.
const ENDINGS: [&str; 3] = [
    "XXOOOOOOOOOOXX---OXXOXOXXOOXXOX--OXOOXX-OOOOOXX-O-OOOXX----XXX-X X",
    "OOXXXXXXXXXXOO---XOOXOXOOOXOOXO-OOOXXOO-XOXXXOO-X-OXXOO----OOO-O X",
    "-OO-X-OX--OOOOOX-OOXOXOOXOOOXXOOXOOOXOXOXXXXOXXO-XXXXO-OX----X-O X",
];

#[test]
fn puzzles_are_appended_and_no_two_are_alike() {
    let folder = Scratch::new("puzzles");
    let [positions, out] = ["positions.obf", "puzzles.bin"].map(|name| folder.path(name));
    let arguments = [
        "puzzles", "--from", &positions, "--out", &out, "--hash", "4",
    ];
    let made = |endings: &[&str]| {
        fs::write(&positions, endings.join(";\n") + ";\n").unwrap();
        emilia(&arguments, b"").assert_done();
        fs::read(&out).unwrap()
    };
    let first = made(&ENDINGS[..1]);
    let all = made(&ENDINGS);
    assert_eq!((first.len(), all.len()), (20, 40));
    assert_eq!(all[..20], first);
    assert_eq!(made(&ENDINGS), all);
    // The last puzzle is of other games.
    fs::write(&positions, format!("{};\n", ENDINGS[0])).unwrap();
    emilia(&arguments, b"").assert_refused("is not of these games");
    assert_eq!(fs::read(&out).unwrap(), all);
}
