//! End-to-end tests of `emilia analyze`: tables, JSON, shards, resumption, charts and pages.

use std::fs;

use crate::common::matches;
use crate::common::run::{Run, cases, emilia};
use crate::common::scratch::Scratch;

/// First moves of a game.
const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3";

/// Line of a file of positions.
const POSITION: &str = "---------------------------OX------XO--------------------------- X; f5:+0;";

/// Options of a fast analysis.
const FAST: [&str; 4] = ["--depth", "4", "--threads", "1"];

fn analyze(arguments: &[&str], input: &[u8]) -> Run {
    emilia(&[&["analyze"], arguments, &FAST].concat(), input)
}

/// Returns stdout of an analysis that must succeed.
fn report(arguments: &[&str], input: &[u8]) -> String {
    let run = analyze(arguments, input);
    assert_eq!(run.code, Some(0), "{run:?}");
    run.stdout
}

/// Asserts that the report has each of the texts.
fn assert_has(report: &str, texts: &[&str]) {
    for text in texts {
        assert!(report.contains(text), "{text}: {report}");
    }
}

#[test]
fn a_transcript_is_analysed_to_a_table_with_a_legend() {
    let run = analyze(&[GAME], b"");
    run.assert_done();
    let rows = run.stdout.lines().filter(|line| {
        let number = line.split_whitespace().next().unwrap_or_default();
        number.parse::<u32>().is_ok()
    });
    assert_eq!(rows.count(), GAME.len() / 2);
    for text in [
        "#1 black - white, ends early\n",
        "opening: No-FAT, to move 20",
        "lost a move",
    ] {
        run.assert_shows(text);
    }
    assert!(run.stdout.lines().all(|line| line.len() <= 80) && !run.stdout.contains('\x1b'));
    assert_eq!(report(&[GAME], b""), run.stdout, "the same output again");
}

/// Writes a file of games, given as black, white and moves.
fn games_of(name: &str, games: &[[&str; 3]]) -> Scratch {
    let text = games
        .iter()
        .map(|[black, white, moves]| format!("% Black: {black}\n% White: {white}\n{moves}\n"));
    Scratch::new(name, &text.collect::<String>())
}

#[test]
fn players_are_sorted_by_mean_loss_and_filtered_by_games() {
    // f4 loses discs against its best reply, d6.
    let mut games = vec![
        ["Ann", "Bob", "f5f4"],
        ["Ann", "Cid", "f5d6"],
        ["Ann", "Cid", "f5d6"],
        ["???", "Bob", "f5f4"],
        ["Black", "White", "f5f4"],
        ["", "?", "f5f4"],
    ];
    let mut check = |words: &str, names: &[&str]| {
        let file = games_of("players.txt", &games);
        let report = report(&[file.path()], b"");
        assert_has(&report, &[words]);
        let rows = report.lines().skip_while(|row| !row.starts_with("player "));
        let rows = rows.skip(1).take_while(|row| !row.is_empty());
        let players: Vec<&str> = rows.filter_map(|row| row.split("  ").next()).collect();
        assert_eq!(players, names, "{report}");
        games.extend([["Ann", "", "f5d6"]; 2]);
    };
    let all = ["Ann", "Cid", "Bob"];
    check("All players, since nobody has 5 games", &all);
    let some = "Players with 5 games or more; 2 with fewer are left out";
    check(some, &all[..1]);
}

#[test]
fn a_page_is_self_contained() {
    let html = Scratch::new("analyze.html", "");
    let svg = Scratch::new("analyze.svg", "");
    let input = format!("% Black: </script><b>\n% White: {{{{script}}}}\n{GAME}\n");
    let files = ["-", "--force", "--html", html.path(), "--svg", svg.path()];
    report(&files, input.as_bytes());
    let page = fs::read_to_string(html.path()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for foreign in "http:,https:,src=,@import,url(h,fetch(,<b>,{{title}}".split(',') {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // Text from a game record stays text: the page has only its own two scripts.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    let svg = fs::read_to_string(svg.path()).unwrap();
    assert_has(&svg, &["<svg ", ">blunder</text>"]);
}

#[test]
fn games_that_are_not_whole_are_an_error() {
    for [input, sentence] in cases(
        "f5,f5a1 | 1 of 2 games could not be read to the end
         POSITION | positions have no moves; `emilia solve` or `emilia hint` take them",
    ) {
        let input = input.replace(',', "\n").replace("POSITION", POSITION);
        let run = analyze(&["-"], input.as_bytes());
        assert_eq!(run.code, Some(2), "{run:?}");
        run.assert_reports(sentence);
    }
}

#[test]
fn logs_of_other_analyses_are_refused_and_stay_unchanged() {
    let games = Scratch::new("resume.txt", "f5d6c3\nf5f4\n");
    let out = Scratch::new("resume.jsonl", "");
    let arguments = [games.path(), "--out", out.path()];
    report(&arguments, b"");
    let written = fs::read_to_string(out.path()).unwrap();
    let changed = |from: &str, to: &str| written.replace(from, to);
    for (wrong, sentence) in [
        (changed("depth=4", "depth=5"), "analysed with depth=5,"),
        (changed("f5d6c3", "f5d6c4"), "game 1 has other moves"),
        (written.repeat(2), "line 3: game 1 is not part of this job"),
        ("nothing".to_owned(), "line 1: expected"),
    ] {
        fs::write(out.path(), &wrong).unwrap();
        let run = analyze(&[&arguments[..], &["--resume"]].concat(), b"");
        assert_eq!(run.code, Some(2), "{run:?}");
        run.assert_reports(sentence);
        assert_eq!(fs::read_to_string(out.path()).unwrap(), wrong);
    }
}

/// Reads a page of a folder.
fn page(folder: &matches::Scratch, name: &str) -> String {
    fs::read_to_string(folder.path(name)).unwrap()
}

/// Returns the names of all pages, sorted. The target of each link is one of them.
fn names(folder: &matches::Scratch) -> Vec<String> {
    let entries = fs::read_dir(folder.folder()).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    for name in &names {
        for rest in page(folder, name).split("href=\"").skip(1) {
            let (link, _) = rest.split_once(['"', '#']).unwrap();
            let is_there =
                link == "data:," || link.is_empty() || names.iter().any(|name| name == link);
            assert!(is_there, "{name}: {link}");
        }
    }
    names
}

#[test]
fn every_game_and_player_has_a_page_linked_from_a_list() {
    let played = [["A<b>", "Bob", "f5d6c3\nf5f4"], ["???", "Bob", "f5d6c5"]];
    let games = games_of("pages.txt", &played);
    let folder = matches::Scratch::new("pages");
    report(&[games.path(), "--pages", &folder.path("")], b"");
    // An unnamed player has no page.
    let expected = "1.html 2.html 3.html index.html player-a-b.html player-bob.html players.html";
    assert_eq!(names(&folder).join(" "), expected);
    // The table is part of the page and needs no script.
    let row =
        "<a href=\"1.html\" aria-label=\"A&lt;b&gt; \u{2013} Bob\">A&lt;b&gt;</a></td><td>Bob";
    let unnamed = ">Black</a></td><td>White</td>";
    assert_has(&page(&folder, "index.html"), &[row, unnamed]);
    assert_has(&page(&folder, "2.html"), &["rel=\"prev\"", "rel=\"next\""]);
    assert!(!page(&folder, "1.html").contains("rel=\"prev\""));
    assert!(!page(&folder, "3.html").contains("rel=\"next\""));
}

#[test]
fn page_names_are_unique_and_portable() {
    let long = "x".repeat(300);
    let players = [
        "Ann",
        "ann",
        "ANN!",
        "../../ann",
        "con",
        "a/b\\c:d",
        ".",
        &long,
    ];
    let games = games_of("names.txt", &players.map(|name| [name, name, "f5"]));
    let folder = matches::Scratch::new("pages");
    report(&[games.path(), "--pages", &folder.path("")], b"");
    let names = names(&folder);
    // A page for each player and game, and two lists.
    assert_eq!(names.len(), 2 * players.len() + 2, "{names:?}");
    for name in &names {
        let stem = name.strip_suffix(".html").unwrap();
        let is_safe = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(stem.len() <= 60 && stem.bytes().all(is_safe), "{name}");
    }
}

#[test]
fn a_resumed_analysis_equals_an_uninterrupted_one() {
    let games = "% Black: Ann\n% White: Bob\nf5d6c3\n% Black: Bob\n% White: Ann\nf5f4\nf5f6\n";
    let games = Scratch::new("resumed-pages.txt", games);
    let out = Scratch::new("resumed-pages.jsonl", "");
    let [whole, resumed] = ["whole", "resumed"].map(matches::Scratch::new);
    let table_with_pages = |folder: &matches::Scratch, more: &[&str]| {
        let pages = folder.path("");
        let arguments = [games.path(), "--pages", &pages, "--out", out.path()];
        let report = report(&[&arguments, more].concat(), b"");
        report[report.find("\nplayer").unwrap()..].to_owned()
    };
    let table = table_with_pages(&whole, &[]);
    let written = fs::read_to_string(out.path()).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    // Killed within the second game, and before any page of the first was written.
    let torn = format!("{}\n{}", lines[0], &lines[1][..lines[1].len() / 2]);
    fs::write(out.path(), torn).unwrap();
    assert_eq!(table_with_pages(&resumed, &["--resume"]), table);
    assert_eq!(fs::read_to_string(out.path()).unwrap(), written);
    assert_eq!(names(&resumed), names(&whole));
    for name in names(&whole) {
        assert_eq!(page(&resumed, &name), page(&whole, &name), "{name}");
    }
    // `--resume` also accepts the joined logs of all shards, in any order.
    fs::write(out.path(), [lines[2], lines[0], lines[1], ""].join("\n")).unwrap();
    assert_eq!(table_with_pages(&resumed, &["--resume"]), table);
}
