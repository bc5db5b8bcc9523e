//! `emilia analyze`, from arguments to output.

mod run;
mod scratch;

use run::emilia;
use scratch::Scratch;

/// The first moves of a game.
const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3";

/// Everything in little time.
const FAST: [&str; 4] = ["--depth", "4", "--threads", "1"];

fn analyze(arguments: &[&str], input: &[u8]) -> run::Run {
    emilia(&[&["analyze"], arguments, &FAST].concat(), input)
}

#[test]
fn a_transcript_gets_a_table_and_a_summary() {
    let run = analyze(&[GAME], b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let rows = run.stdout.lines().filter(|line| {
        let number = line.split_whitespace().next().unwrap_or_default();
        number.parse::<u32>().is_ok()
    });
    assert_eq!(rows.count(), GAME.len() / 2);
    for text in [
        "#1 black - white\n",
        "opening: No-FAT, to move 20",
        "lost a move",
        "\nblack ",
        "\nwhite ",
    ] {
        assert!(run.stdout.contains(text), "{text}: {run:?}");
    }
    assert!(run.stdout.lines().all(|line| line.len() <= 80) && !run.stdout.contains('\x1b'));
    // Twice the same, to the byte.
    assert_eq!(analyze(&[GAME], b"").stdout, run.stdout);
}

#[test]
fn json_has_the_losses_and_their_sum() {
    let run = analyze(
        &["-", "--json"],
        format!("{GAME}\n% Black: Ann\nf5f4\n").as_bytes(),
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    let games: Vec<serde_json::Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((games.len(), &games[1]["black"]), (2, &"Ann".into()));
    for game in &games {
        assert_eq!(
            (&game["schema"], &game["kind"]),
            (&1.into(), &"analysis".into())
        );
        let moves = game["moves"].as_array().unwrap();
        let scores = game["scores"].as_array().unwrap();
        assert_eq!(scores.len(), moves.len() + 1);
        for (at, mv) in moves.iter().enumerate() {
            let number = |value: &serde_json::Value| value.as_f64().unwrap();
            assert_eq!(mv["best_score"], scores[at]);
            assert_eq!(mv["score"], scores[at + 1]);
            let lost = (number(&mv["best_score"]) - number(&mv["score"])).abs();
            assert!((lost - number(&mv["lost"])).abs() < 1e-9);
        }
        for (at, side) in ["black", "white"].iter().enumerate() {
            let own = moves.iter().filter(|mv| mv["side"] == *side);
            let lost: f64 = own.map(|mv| mv["lost"].as_f64().unwrap()).sum();
            let summary = game["summary"][at]["lost"].as_f64().unwrap();
            assert!((lost - summary).abs() < 1e-9);
        }
    }
}

#[test]
fn several_games_get_a_line_each_and_shards_are_parts() {
    let file = Scratch::new(
        "analyze.txt",
        "% Black: Ann\n% White: Bob\nf5d6c3\n% Black: Bob\n% White: Ann\nf5f4\nf5f6\n",
    );
    let run = analyze(&[file.path()], b"");
    for text in [
        "#1 Ann - Bob: 3 moves",
        "#2 Bob - Ann: 2 moves",
        "#3 black - white",
        "\nAnn ",
    ] {
        assert!(run.stdout.contains(text), "{text}: {run:?}");
    }
    let lines = |arguments: &[&str]| {
        let run = analyze(&[&[file.path(), "--json"], arguments].concat(), b"");
        assert_eq!(run.code, Some(0), "{run:?}");
        run.stdout
    };
    let parts = [lines(&["--shard", "1/2"]), lines(&["--shard", "2/2"])].concat();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&parts), sorted(&lines(&[])));
}

#[test]
fn a_chart_is_drawn_for_one_game() {
    let svg = Scratch::new("analyze.svg", "");
    let run = analyze(&[GAME, "--svg", svg.path(), "--force"], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    let chart = std::fs::read_to_string(svg.path()).unwrap();
    assert!(chart.starts_with("<svg ") && chart.contains("Discs lost"));
    let run = analyze(&["-", "--svg", svg.path()], b"f5\nf5f4\n");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .contains("--svg is for one game, and there are 2")
    );
}

#[test]
fn a_page_needs_nothing_else() {
    let html = Scratch::new("analyze.html", "");
    let input = format!("% Black: </script><b>\n% White: {{{{script}}}}\n{GAME}\n");
    let run = analyze(&["-", "--html", html.path(), "--force"], input.as_bytes());
    assert_eq!(run.code, Some(0), "{run:?}");
    let page = std::fs::read_to_string(html.path()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for foreign in ["http:", "https:", "src=", "@import", "url(h", "fetch("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // What a record says stays text: the page has its two scripts and no third.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<b>") && !page.contains("{{title}}"));
}

#[test]
fn bad_games_get_a_sentence() {
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
fn what_is_analysed_is_not_analysed_again() {
    let games = Scratch::new("resume.txt", "f5d6c3\nf5f4\nf5f6\n");
    let out = Scratch::new("resume.jsonl", "");
    std::fs::remove_file(out.path()).unwrap();
    let arguments = |more: &[&'static str]| {
        let all = [&[games.path(), "--out", out.path()][..], more].concat();
        analyze(&all, b"")
    };
    let whole = arguments(&[]);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let written = std::fs::read_to_string(out.path()).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines.len(), 3);
    let again = arguments(&[]);
    assert_eq!(again.code, Some(2));
    assert!(
        again
            .stderr
            .contains("line 1: there are games here already: --resume"),
        "{again:?}"
    );
    // Killed within the second game: the rest of it is dropped, and the file becomes the same.
    let torn = format!("{}\n{}", lines[0], &lines[1][..lines[1].len() / 2]);
    std::fs::write(out.path(), torn).unwrap();
    let rest = arguments(&["--resume"]);
    assert_eq!(rest.code, Some(0), "{rest:?}");
    assert!(
        !rest.stdout.contains("#1 ") && rest.stdout.contains("#2 "),
        "{rest:?}"
    );
    assert_eq!(std::fs::read_to_string(out.path()).unwrap(), written);
    let table = |run: &run::Run| {
        let at = run.stdout.find("\nplayer").unwrap();
        run.stdout[at..].to_owned()
    };
    assert_eq!(table(&rest), table(&whole));
    // The parts of shards, one after the other, are such a file.
    std::fs::write(out.path(), [lines[2], lines[0], lines[1], ""].join("\n")).unwrap();
    assert_eq!(table(&arguments(&["--resume"])), table(&whole));
    for (wrong, sentence) in [
        (
            written.replace("depth=4", "depth=5"),
            "line 1: analysed with depth=5,",
        ),
        (
            written.replace("f5d6c3", "f5d6c4"),
            "line 1: game 1 has other moves",
        ),
        (
            format!("{written}{}\n", lines[0]),
            "line 4: game 1 is not to be analysed, or twice",
        ),
        ("{}\n".to_owned(), "line 1: expected the analysis of a game"),
        (
            "nothing".to_owned(),
            "line 1: expected the analysis of a game",
        ),
    ] {
        std::fs::write(out.path(), &wrong).unwrap();
        let run = arguments(&["--resume"]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(sentence), "{run:?}");
        assert_eq!(
            std::fs::read_to_string(out.path()).unwrap(),
            wrong,
            "it is left alone"
        );
    }
}

#[test]
fn every_game_has_a_page_and_one_lists_them() {
    let games = Scratch::new("pages.txt", "% Black: A<b>\n% White: Bob\nf5d6c3\nf5f4\n");
    let folder = Scratch::new("pages", "");
    std::fs::remove_file(folder.path()).unwrap();
    let run = analyze(&[games.path(), "--pages", folder.path()], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    let read = |name: &str| {
        let path = std::path::Path::new(folder.path()).join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let list = read("index.html");
    for row in [
        "<a href=\"1.html\">A&lt;b&gt; - Bob</a>",
        "<a href=\"2.html\">black - white</a>",
    ] {
        assert!(list.contains(row), "{list}");
    }
    assert!(read("1.html").contains("f5d6c3") && read("2.html").contains("f5f4"));
    std::fs::remove_dir_all(folder.path()).unwrap();
}
