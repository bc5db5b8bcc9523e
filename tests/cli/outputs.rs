//! Output files of all commands: none overwrites an input or another output.

use std::fs;
use std::path::PathBuf;

use crate::common::matches::Scratch;
use crate::common::run::{Run, emilia};
use crate::common::scratch::embedded_weights;

const GAME: &str = "f5d6c3d3c4\n";

/// Writes a file and returns its path.
fn file(folder: &Scratch, name: &str, content: &str) -> String {
    let path = folder.path(name);
    fs::write(&path, content).unwrap();
    path
}

/// Checks that a command line is refused with this reason and changes no file.
fn assert_refused(folder: &Scratch, line: &str, reason: &str) {
    let contents = || {
        let files = fs::read_dir(&folder.0).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        let mut files: Vec<(PathBuf, Vec<u8>)> = paths
            .map(|path| (path.clone(), fs::read(&path).unwrap_or_default()))
            .collect();
        files.sort();
        files
    };
    let before = contents();
    let run = run(line);
    run.assert_refused(reason);
    assert_eq!(run.stderr.lines().count(), 1, "{line}: {run:?}");
    assert_eq!(contents(), before, "{line}");
}

/// Beginning of the command line of a match of two games.
const MATCH: &str = "match --games 2 --first builtin:depth=1 --second builtin:depth=1";

/// Runs `emilia` with the words of `line`. The input is a game.
fn run(line: &str) -> Run {
    emilia(&line.split(' ').collect::<Vec<_>>(), GAME.as_bytes())
}

fn assert_done(line: &str) {
    let run = run(line);
    assert_eq!(run.code, Some(0), "{line}: {run:?}");
}

#[test]
fn an_input_or_another_output_is_never_overwritten() {
    let folder = Scratch::new("inputs");
    let game = file(&folder, "game.txt", GAME);
    let weights = folder.path("weights");
    fs::copy(embedded_weights(), &weights).unwrap();
    let data = folder.path("1.games");
    assert_done(&format!("selfplay --depth 1 --games 1 --out {data}"));
    let page = file(&folder, "1.html", GAME);
    let all = folder.0.to_str().unwrap();
    let book = folder.path("a.book");
    assert_done(&format!("book new --book {book}"));
    let second = "--second builtin:depth=1";
    for line in [
        format!("analyze {game} --html {game} --force"),
        format!("analyze {game} --out {game} --force"),
        format!("analyze {page} --pages {all} --force"),
        format!("convert {game} {game} --force"),
        format!("convert {all} {game} --force"),
        format!("{MATCH} --openings {game} --out {game}"),
        format!("match --first builtin:depth=1,weights={weights} {second} --out {weights}"),
        format!("train pattern --data {data} --out {data} --force"),
        format!("train level --data {data} --initial {data} --out {data} --force"),
        format!("train net --data {data} --out {weights} --initial {weights} --force"),
        format!("selfplay --games 1 --weights {weights} --out {weights}"),
    ] {
        assert_refused(&folder, &line, "would overwrite the input");
    }
    let [one, round] = ["one", "./one"].map(|name| folder.path(name));
    for line in [
        format!("analyze f5 --svg {one} --html {round}"),
        format!("analyze f5 --svg {one} --out {round}"),
    ] {
        assert_refused(&folder, &line, "name the same file");
    }
}
