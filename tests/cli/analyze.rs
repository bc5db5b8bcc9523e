//! End-to-end tests of `emilia analyze`: tables, JSON, shards, resumption, charts and pages.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::run::emilia;
use crate::common::scratch::Scratch;

/// First moves of a game.
const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3";

/// A complete game.
const ENDED: &str = "e6f4e3d6c5f3f6f5c4d7g3c6b7e2f2b6c7d8f7b5b4f1e7a8g5a6e1d1d2g4b8\
                     h2h5h4h6a3g6c3h3h7c1c8e8f8b3a7c2b1g7g2d3g1h1g8a1a2a4a5h8b2";

/// Options of a fast analysis.
const FAST: [&str; 4] = ["--depth", "4", "--threads", "1"];

fn analyze(arguments: &[&str], input: &[u8]) -> crate::common::run::Run {
    emilia(&[&["analyze"], arguments, &FAST].concat(), input)
}

/// Returns stdout of an analysis that must succeed.
fn report(arguments: &[&str], input: &[u8]) -> String {
    let run = analyze(arguments, input);
    assert_eq!(run.code, Some(0), "{run:?}");
    run.stdout
}

/// Returns the JSON objects of an analysis that must succeed.
fn objects(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let report = report(&[arguments, &["--json"]].concat(), input);
    let lines = report.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
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
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let rows = run.stdout.lines().filter(|line| {
        let number = line.split_whitespace().next().unwrap_or_default();
        number.parse::<u32>().is_ok()
    });
    assert_eq!(rows.count(), GAME.len() / 2);
    let title = ["#1 black - white\n", "opening: No-FAT, to move 20"];
    assert_has(&run.stdout, &title);
    assert_has(&run.stdout, &["lost a move", "\nblack ", "\nwhite "]);
    assert!(run.stdout.lines().all(|line| line.len() <= 80) && !run.stdout.contains('\x1b'));
    for words in [
        "depth 16@73%: 16 plies ahead",
        "best: share of the moves",
        "decided by: the last move that changed who wins",
    ] {
        assert_eq!(run.stdout.matches(words).count(), 1, "{words}: {run:?}");
    }
    assert_eq!(report(&[GAME], b""), run.stdout, "the same output again");
    // An unfinished even game has no deciding move.
    assert!(!report(&["f5d6c3d3c4"], b"").contains("\ndecided by "));
}

#[test]
fn json_losses_add_up_to_the_totals() {
    let input = format!("{GAME}\n% Black: Ann\nf5f4\n{ENDED}\n");
    let games = objects(&["-", "--book", "off"], input.as_bytes());
    assert_eq!((games.len(), &games[1]["black"]), (3, &"Ann".into()));
    for game in &games {
        assert_eq!(
            (&game["schema"], &game["kind"]),
            (&json!(2), &json!("analysis"))
        );
        let moves = game["moves"].as_array().unwrap();
        let scores = game["scores"].as_array().unwrap();
        assert_eq!(scores.len(), moves.len() + 1);
        let number = |value: &Value| value.as_f64().unwrap();
        for (at, mv) in moves.iter().enumerate() {
            assert_eq!(
                (&mv["best_score"], &mv["score"]),
                (&scores[at], &scores[at + 1])
            );
            let lost = (number(&mv["best_score"]) - number(&mv["score"])).abs();
            assert!((lost - number(&mv["lost"])).abs() < 0.0501);
        }
        for (at, side) in ["black", "white"].iter().enumerate() {
            let own = moves.iter().filter(|mv| mv["side"] == *side);
            let lost: f64 = own.map(|mv| number(&mv["lost"])).sum();
            assert!((lost - number(&game["summary"][at]["lost"])).abs() < 1e-9);
        }
    }
    let reach = |mv: &Value| json!([mv["depth"], mv["selectivity"], mv["exact"]]);
    let searched = games[0]["moves"].as_array().unwrap().iter();
    assert!(
        searched
            .map(reach)
            .all(|reach| reach == json!([4, 73, false]))
    );
    let last = games[2]["moves"].as_array().unwrap().last().unwrap();
    assert_eq!(reach(last), json!([1, 100, true]));
    assert_eq!(games[2]["turning_point"], 57);
}

#[test]
fn each_game_has_one_line_and_shards_partition_the_games() {
    let file = Scratch::new(
        "analyze.txt",
        "% Black: Ann\n% White: Bob\nf5d6c3\n% Black: Bob\n% White: Ann\nf5f4\nf5f6\n",
    );
    let games = [
        "#1 Ann - Bob: 3 moves",
        "#2 Bob - Ann: 2 moves",
        "#3 black - white",
    ];
    assert_has(&report(&[file.path()], b""), &games);
    let lines = |shard: &str| report(&[file.path(), "--json", "--shard", shard], b"");
    let parts = [lines("1/2"), lines("2/2")].concat();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&parts), sorted(&lines("1/1")));
}

/// Writes a file of games, given as black, white and moves.
fn games_of(name: &str, games: &[[&str; 3]]) -> Scratch {
    let text = games
        .iter()
        .map(|[black, white, moves]| format!("% Black: {black}\n% White: {white}\n{moves}\n"));
    Scratch::new(name, &text.collect::<String>())
}

/// Returns the names in the table of players, in its order.
fn players(report: &str) -> Vec<String> {
    let rows = report
        .lines()
        .skip_while(|line| !line.starts_with("player "));
    let rows = rows.skip(1).take_while(|line| !line.is_empty());
    rows.map(|row| row.split("  ").next().unwrap().to_owned())
        .collect()
}

#[test]
fn players_are_sorted_by_mean_loss_and_filtered_by_games() {
    // f4 loses discs against its best reply, d6.
    let games = games_of(
        "players.txt",
        &[
            ["Ann", "Bob", "f5f4"],
            ["Ann", "Cid", "f5d6"],
            ["Ann", "Cid", "f5d6"],
            ["???", "Bob", "f5f4"],
            ["Black", "White", "f5f4"],
            ["", "?", "f5f4"],
        ],
    );
    for (least, words, names) in [
        (
            "5",
            "All players, since nobody has 5 games (--least).",
            &["Ann", "Cid", "Bob"][..],
        ),
        (
            "3",
            "Players with 3 games or more; 2 with fewer are left out",
            &["Ann"],
        ),
        (
            "2",
            "All players, each with 2 games or more.",
            &["Ann", "Cid", "Bob"],
        ),
    ] {
        let report = report(&[games.path(), "--least", least], b"");
        assert_has(&report, &[words]);
        assert_eq!(players(&report), names, "{report}");
    }
    let nobody = games_of("nobody.txt", &[["?", "white", "f5f4"], ["", "", "f5"]]);
    let report = report(&[nobody.path()], b"");
    assert_has(&report, &["\nNo player is named in these games.\n"]);
    assert!(!report.contains("\nplayer "), "{report}");
}

/// Interrupts an analysis on a terminal once it shows `text`, and returns what it showed.
#[cfg(unix)]
fn interrupt(arguments: &[&str], text: &str) -> String {
    let arguments = [&["analyze"], arguments].concat();
    let mut analysis = crate::common::terminal::Terminal::emilia(&arguments, 160);
    analysis.wait_for(text);
    analysis.interrupt();
    let (shown, status) = analysis.finish();
    assert_eq!(status.code(), Some(130), "{shown}");
    shown
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_shows_the_finished_moves_and_no_empty_tables() {
    let games = games_of(
        "interrupted.txt",
        &[["Ann", "Bob", GAME], ["Ann", "Bob", GAME]],
    );
    for (input, sentence) in [
        (games.path(), "interrupted: none of 2 games is analysed"),
        (GAME, "interrupted: no move is analysed"),
    ] {
        let shown = interrupt(&[input, "--time", "1000"], "depth ");
        assert_has(&shown, &[sentence]);
        assert!(
            !shown.contains("lost a move") && !shown.contains("player  "),
            "{shown}"
        );
    }
    let shown = interrupt(&[ENDED, "--time", "1"], "moves 2");
    let end = [
        "lost a move",
        "\r\n60  white  b2 ",
        "interrupted: the moves before ",
    ];
    assert_has(&shown, &end);
    assert!(!shown.contains("\r\n 1  black  e6 "), "{shown}");
}

#[test]
fn a_chart_is_drawn_for_one_game() {
    let svg = Scratch::new("analyze.svg", "");
    report(&[GAME, "--svg", svg.path(), "--force"], b"");
    let chart = fs::read_to_string(svg.path()).unwrap();
    assert_has(&chart, &["<svg ", "Discs lost", ">blunder</text>"]);
    let run = analyze(&["-", "--svg", svg.path()], b"f5\nf5f4\n");
    assert_eq!(run.code, Some(2));
    assert_has(&run.stderr, &["--svg is for one game, and there are 2"]);
}

#[test]
fn a_page_is_self_contained() {
    let html = Scratch::new("analyze.html", "");
    let input = format!("% Black: </script><b>\n% White: {{{{script}}}}\n{GAME}\n");
    report(&["-", "--html", html.path(), "--force"], input.as_bytes());
    let page = fs::read_to_string(html.path()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for foreign in ["http:", "https:", "src=", "@import", "url(h", "fetch("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // Text from a game record stays text: the page has only its own two scripts.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<b>") && !page.contains("{{title}}"));
}

#[test]
fn invalid_games_are_refused_in_one_sentence() {
    for (arguments, input, sentence) in [
        (
            &["f5a1"][..],
            &b""[..],
            "position: column 3, move 2: illegal move: a1 for white (legal: f4 d6 f6)",
        ),
        (&["nothing.ggf"], b"", "'nothing.ggf': no such file"),
        (&["-"], b"", "'stdin': there are no games in it"),
        (
            &["-"],
            b"f5\nf5a1\n",
            "game 2: line 2, column 3, move 2: illegal move: a1 for white",
        ),
        (
            &["-"],
            b"f5\nf5a1\n",
            "1 of 2 games could not be read and were left out",
        ),
    ] {
        let run = analyze(arguments, input);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(sentence), "{sentence}: {run:?}");
    }
}

#[test]
fn logs_of_other_analyses_are_refused_and_stay_unchanged() {
    let games = Scratch::new("resume.txt", "f5d6c3\nf5f4\n");
    let out = Scratch::new("resume.jsonl", "");
    let arguments = [games.path(), "--out", out.path()];
    report(&arguments, b"");
    let written = fs::read_to_string(out.path()).unwrap();
    let first = written.lines().next().unwrap();
    for (wrong, more, sentence) in [
        (
            written.clone(),
            "--json",
            "line 1: there are games here already: --resume",
        ),
        (
            written.replace("depth=4", "depth=5"),
            "--resume",
            "line 1: analysed with depth=5,",
        ),
        (
            written.replace("f5d6c3", "f5d6c4"),
            "--resume",
            "line 1: game 1 has other moves",
        ),
        (
            format!("{written}{first}\n"),
            "--resume",
            "line 3: game 1 is not part of this job, or is here twice",
        ),
        (
            written.replace("\"schema\":2", "\"schema\":1"),
            "--resume",
            "line 1: expected the analysis of a game: schema 1, expected 2: another version",
        ),
        (
            "{}\n".to_owned(),
            "--resume",
            "line 1: expected the analysis of a game",
        ),
        ("nothing".to_owned(), "--resume", "line 1: expected"),
    ] {
        fs::write(out.path(), &wrong).unwrap();
        let run = analyze(&[&arguments, &[more][..]].concat(), b"");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_has(&run.stderr, &[sentence]);
        assert_eq!(fs::read_to_string(out.path()).unwrap(), wrong);
    }
}

/// Folder for `--pages`, removed when dropped.
struct Folder(Scratch);

impl Folder {
    /// Tests run at the same time, so each uses another `name`.
    fn new(name: &str) -> Folder {
        let path = Scratch::new(name, "");
        fs::remove_file(path.path()).unwrap();
        Folder(path)
    }

    fn path(&self) -> &str {
        self.0.path()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(Path::new(self.path()).join(name)).unwrap()
    }

    /// Returns the names of all pages, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// Asserts that the target of each link in the HTML pages is a file of the folder.
    fn check_links(&self) {
        let names = self.names();
        for name in &names {
            let page = self.read(name);
            let links = page.split("href=\"").skip(1);
            let links = links.filter_map(|rest| rest.split_once(['"', '#']));
            for (link, _) in links.filter(|(link, _)| *link != "data:,") {
                let is_there = link.is_empty() || names.iter().any(|name| name == link);
                assert!(is_there, "{name}: {link}");
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed does not fail the test.
        let _ = fs::remove_dir_all(self.path());
    }
}

#[test]
fn every_game_and_player_has_a_page_linked_from_a_list() {
    let games = Scratch::new(
        "pages.txt",
        "% Black: A<b>\n% White: Bob\nf5d6c3\nf5f4\n% Black: ???\n% White: Bob\nf5d6c5\n",
    );
    let folder = Folder::new("pages");
    report(&[games.path(), "--pages", folder.path()], b"");
    // An unnamed player has no page.
    assert_eq!(
        folder.names(),
        [
            "1.html",
            "2.html",
            "3.html",
            "index.html",
            "player-a-b.html",
            "player-bob.html",
            "players.html"
        ]
    );
    folder.check_links();
    // The table is part of the page and needs no script.
    let list = folder.read("index.html");
    for row in [
        "<a href=\"1.html\" aria-label=\"A&lt;b&gt; \u{2013} Bob\">A&lt;b&gt;</a></td><td>Bob</td>",
        "<a href=\"2.html\" aria-label=\"Black \u{2013} White\">Black</a></td><td>White</td>",
        "<a href=\"3.html\" aria-label=\"??? \u{2013} Bob\">???</a></td><td>Bob</td>",
    ] {
        assert!(list.contains(row), "{row}: {list}");
    }
    assert!(folder.read("1.html").contains("f5d6c3") && folder.read("2.html").contains("f5f4"));
    let second = folder.read("2.html");
    for link in [
        "href=\"index.html\"",
        "rel=\"prev\" href=\"1.html\"",
        "rel=\"next\" href=\"3.html\"",
    ] {
        assert!(second.contains(link), "{link}");
    }
    assert!(!folder.read("1.html").contains("rel=\"prev\""));
    assert!(!folder.read("3.html").contains("rel=\"next\""));
    assert!(
        folder
            .read("players.html")
            .contains("href=\"player-bob.html\">Bob</a>")
    );
    let bob = folder.read("player-bob.html");
    assert!(bob.contains("href=\"1.html") && bob.contains("href=\"3.html"));
}

#[test]
fn page_names_are_unique_and_portable() {
    let long = "x".repeat(300);
    let players = [
        "Ann",
        "ann",
        "ann 2",
        "ANN!",
        "../../ann",
        "con",
        "a/b\\c:d",
        ".",
        "\u{7530}\u{4e2d}",
        "\u{4f50}\u{85e4}",
        &long,
    ];
    let games = players.map(|name| format!("% Black: {name}\n% White: {name}\nf5\n"));
    let games = Scratch::new("names.txt", &games.concat());
    let folder = Folder::new("names");
    report(&[games.path(), "--pages", folder.path()], b"");
    let names = folder.names();
    let of_players = names
        .iter()
        .filter(|name| name.starts_with("player-") || name.as_str() == "player.html");
    assert_eq!(of_players.count(), players.len(), "{names:?}");
    for name in &names {
        let stem = name.strip_suffix(".html").unwrap();
        let is_safe = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(stem.len() <= 60 && stem.bytes().all(is_safe), "{name}");
    }
    folder.check_links();
}

#[test]
fn a_resumed_analysis_equals_an_uninterrupted_one() {
    let games = "% Black: Ann\n% White: Bob\nf5d6c3\n% Black: Bob\n% White: Ann\nf5f4\nf5f6\n";
    let games = Scratch::new("resumed-pages.txt", games);
    let out = Scratch::new("resumed-pages.jsonl", "");
    let (whole, resumed) = (Folder::new("whole-pages"), Folder::new("resumed-pages"));
    let table_with_pages = |folder: &Folder, more: &[&str]| {
        let arguments = [games.path(), "--pages", folder.path(), "--out", out.path()];
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
    assert_eq!(resumed.names(), whole.names());
    for name in whole.names() {
        assert_eq!(resumed.read(&name), whole.read(&name), "{name}");
    }
    whole.check_links();
    // `--resume` also accepts the joined logs of all shards, in any order.
    fs::write(out.path(), [lines[2], lines[0], lines[1], ""].join("\n")).unwrap();
    assert_eq!(table_with_pages(&resumed, &["--resume"]), table);
}

#[cfg(unix)]
#[test]
fn pages_of_an_interrupted_run_have_no_broken_links() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    // A game that its only move ends, and one whose analysis takes very long.
    let ending = format!("-O*{}", "-".repeat(61));
    let game = |black: &str, board: &str, moves: &str| {
        format!("(;GM[Othello]PB[{black}]PW[Bob]TY[8]BO[8 {board} *]{moves};)\n")
    };
    let start = "---------------------------O*------*O---------------------------";
    let games = [
        game("Ann", &ending, "B[A1]"),
        game("Cid", start, "B[F5]W[D6]B[C3]"),
        game("Dan", start, "B[F5]W[F6]"),
    ];
    let games = Scratch::new("interrupted-pages.ggf", &games.concat());
    let folder = Folder::new("interrupted-pages");
    let mut run = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args([
            "analyze",
            games.path(),
            "--depth",
            "60",
            "--pages",
            folder.path(),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !Path::new(folder.path()).join("1.html").is_file() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = run.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert_eq!(
        folder.names(),
        [
            "1.html",
            "2.html",
            "index.html",
            "player-ann.html",
            "player-bob.html",
            "players.html"
        ]
    );
    assert!(folder.read("2.html").contains("Game 2 is not analysed yet"));
    assert!(folder.read("index.html").contains("href=\"1.html\""));
    assert!(!folder.read("index.html").contains("href=\"2.html\""));
    folder.check_links();
}

#[test]
fn several_files_are_one_list_of_games() {
    let one = Scratch::new("several-1.txt", "f5d6\nf5f4\n");
    let two = Scratch::new("several-2.txt", "f5f6e6\n");
    let games = |arguments: &[&str]| -> Vec<Value> {
        let objects = objects(arguments, b"").into_iter();
        objects
            .map(|mut object| object["transcript"].take())
            .collect()
    };
    assert_eq!(games(&[one.path(), two.path()]), ["f5d6", "f5f4", "f5f6e6"]);
    let second = format!("{}:2", one.path());
    assert_eq!(games(&[two.path(), &second]), ["f5f6e6", "f5f4"]);
    for (arguments, sentence) in [
        (
            &[one.path(), "no.sgf", two.path()][..],
            "'no.sgf': no such file",
        ),
        (&["no.ps:3"], "'no.ps:3': no such file"),
        (&["/"], "'/': it is a folder; name a file in it"),
        (&[""], "the position is empty"),
    ] {
        let run = analyze(arguments, b"");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_eq!(run.stderr, format!("emilia: {sentence}\n"));
    }
}

#[test]
fn games_without_moves_are_left_out() {
    let games = Scratch::new(
        "moveless.txt",
        "% Black: Ann\n% White: Bob\nf5d6\n\n% Black: Ann\n% White: Eve\n",
    );
    let run = analyze(&[games.path(), "--json"], b"");
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (Some(0), "emilia: 1 game without moves left out\n")
    );
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    // The only game that is left has its table of moves.
    let run = analyze(&[games.path()], b"");
    assert!(run.stdout.contains("\n 1  black  f5 "), "{run:?}");

    let position = b"---------------------------OX------XO--------------------------- X; f5:+0;\n";
    let run = analyze(&["-"], position);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (
            Some(2),
            "emilia: positions have no moves; `emilia solve` or `emilia hint` take them\n"
        )
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_resumption_counts_the_games_of_the_log() {
    let games = games_of(
        "resumed-count.txt",
        &[["Ann", "Bob", "f5d6"], ["Ann", "Bob", GAME]],
    );
    let out = Scratch::new("resumed-count.jsonl", "");
    // The log of a fast analysis is marked as one of the slow analysis.
    let lines = report(&[games.path(), "--json"], b"");
    let line = lines.lines().next().unwrap();
    let object: Value = serde_json::from_str(line).unwrap();
    let limits = object["limits"].as_str().unwrap();
    let eval = limits.find("eval=").unwrap();
    let slow = format!("time=1000,{}", &limits[eval..]);
    fs::write(out.path(), format!("{}\n", line.replace(limits, &slow))).unwrap();
    let out = ["--out", out.path(), "--resume"];
    let shown = interrupt(
        &[&[games.path(), "--time", "1000"], &out[..]].concat(),
        "depth ",
    );
    assert_has(&shown, &["interrupted: 1 of 2 games analysed"]);
}

#[test]
fn pages_need_a_folder() {
    let file = Scratch::new("pages-file.txt", "f5");
    let run = analyze(&["f5", "--pages", file.path()], b"");
    assert_eq!(run.code, Some(2), "{run:?}");
    let sentence = format!(
        "emilia: '{}': it is a file; --pages needs a folder\n",
        file.path()
    );
    assert_eq!(run.stderr, sentence);
}

#[test]
fn difficulties_are_shares_of_players_and_the_level_of_play_has_an_interval() {
    let found = |level: &str| {
        let game = objects(&["--people", level, ENDED], b"").swap_remove(0);
        assert_eq!(game["level"], level);
        let mut sum = 0.0;
        for mv in game["moves"].as_array().unwrap() {
            if mv["forced"] == true {
                assert_eq!(mv["found"], Value::Null);
                continue;
            }
            let found = mv["found"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&found), "{mv}");
            assert!(mv["expected_loss"].as_f64().unwrap() >= 0.0, "{mv}");
            let limits = [
                ("easy", 0.75),
                ("medium", 0.5),
                ("hard", 0.25),
                ("very hard", 0.0),
            ];
            let grade = limits.iter().find(|(_, least)| found >= *least).unwrap();
            assert_eq!(mv["difficulty"], grade.0, "{mv}");
            let loses_nothing = mv["lost"].as_f64().unwrap() < 0.5;
            let is_open = mv["best_score"].as_f64().unwrap().abs() < 32.0;
            let is_brilliant = loses_nothing && found < 0.25 && is_open;
            assert_eq!(mv["brilliant"], is_brilliant, "{mv}");
            sum += found;
        }
        for side in game["summary"].as_array().unwrap() {
            let skill = &side["skill"];
            let ends: Vec<f64> = serde_json::from_value(skill["interval"].clone()).unwrap();
            let number = skill["skill"].as_f64().unwrap();
            assert!(ends[0] <= number && number <= ends[1], "{skill}");
            assert!(skill["moves"].as_u64() < side["choices"].as_u64(), "{side}");
        }
        sum
    };
    assert!(found("h3") < found("h14"));
    let table = report(&[ENDED], b"");
    assert_has(&table, &["found", "players of level h10", "level"]);
    let wrong = analyze(&["--people", "h15", ENDED], b"");
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(
        wrong.stderr.contains("expected a human level, h1 to h14"),
        "{wrong:?}"
    );
}

#[test]
fn a_few_moves_give_no_level_of_play() {
    let table = report(&[&GAME[..24]], b"");
    let sides = table
        .lines()
        .filter(|line| line.contains("too few moves") || line.contains("no moves"));
    assert_eq!(sides.count(), 2, "{table}");
}
