//! Every command refuses what is invalid in one sentence with exit code 2, and changes no file.

use std::collections::BTreeMap;
use std::fs;

use crate::common::matches::Scratch;
use emilia_core::eval::NetWeights;

/// A folder with the files that the table names.
fn folder() -> Scratch {
    let folder = Scratch::new("refused");
    fs::create_dir(folder.path("empty")).unwrap();
    let weights = NetWeights::EMBEDDED;
    for (name, content) in [
        ("one.txt", &b"f5d6c3d3c4\n"[..]),
        ("1.html", b"f5d6c3d3c4\n"),
        ("two.txt", b"f5d6c3\nf5f4\n"),
        ("bad.perft", b"convention A\nperft 1 4\n"),
        ("bad.txt", b"a1\nb1\n"),
        ("letter", b"a letter to the editor"),
        ("torn", &weights[..9999]),
        ("net.weights", weights),
    ] {
        fs::write(folder.path(name), content).unwrap();
    }
    let games = folder.emilia("selfplay --depth 1 --games 1 --out 1.games");
    games.assert_done();
    folder.play("--first builtin:depth=1 --second builtin:depth=1 --games 2 --out log");
    folder
}

/// Returns the names and contents of the files.
fn files(folder: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let content = |name: String| (fs::read(folder.path(&name)).unwrap_or_default(), name);
    let files = names.map(content).map(|(content, name)| (name, content));
    files.collect()
}

#[test]
fn invalid_commands_get_one_sentence_and_change_no_file() {
    let folder = folder();
    let before = files(&folder);
    let table = include_str!("../data/refused.txt").lines();
    for row in table.filter(|row| !row.starts_with('%') && !row.is_empty()) {
        let (line, reason) = row.split_once(" | ").expect("a reason");
        let run = folder.emilia(line);
        run.assert_refused(reason);
        let is_usage = run.stderr.starts_with("error: ");
        assert!(
            is_usage || run.stderr.lines().count() == 1,
            "{line}: {run:?}"
        );
        assert_eq!(files(&folder), before, "{line}");
    }
}
