//! Help of every command: width, order of options, and no option without effect.

use crate::common::run::{emilia, emilia_line};
use crate::common::scratch::Scratch;

const COMMANDS: [&str; 21] = [
    "play",
    "gtp",
    "nboard",
    "uci",
    "hint",
    "solve",
    "show",
    "analyze",
    "games",
    "practice",
    "convert",
    "match",
    "eval-test",
    "perft",
    "bench",
    "compare",
    "selfplay",
    "train",
    "levels",
    "completions",
    "man",
];

fn help(command: &str) -> String {
    let run = emilia(&["help", command], b"");
    run.assert_done();
    assert_eq!(emilia(&[command, "--help"], b"").stdout, run.stdout);
    run.stdout
}

#[test]
fn commands_are_listed_in_the_order_of_use() {
    let text = emilia(&["--help"], b"").stdout;
    let places = COMMANDS.map(|command| text.find(&format!("\n  {command} ")).expect(command));
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn without_a_terminal_help_is_eighty_columns_wide() {
    let own = emilia(&["--help"], b"").stdout;
    for text in COMMANDS.map(help).into_iter().chain([own]) {
        for line in text.lines() {
            // Words that must be copied as a whole may be longer.
            let is_word = !line.trim().contains(' ');
            assert!(is_word || line.chars().count() <= 80, "{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn help_fits_the_terminal() {
    for columns in [50, 70] {
        for command in COMMANDS {
            let (text, _) =
                crate::common::terminal::Terminal::emilia(&["help", command], columns).finish();
            for line in crate::common::terminal::seen(&text) {
                // Words that must be copied as a whole may be longer.
                let is_word = !line.trim().contains(' ');
                assert!(
                    is_word || line.chars().count() <= usize::from(columns),
                    "{line}"
                );
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_emilia"))
        .arg("--help")
        .stdout(full.unwrap())
        .status();
    assert_eq!(status.unwrap().code(), Some(2));
}

#[test]
fn options_are_grouped_with_those_of_the_command_first() {
    for (command, order) in [
        (
            "play",
            "Options: --human Limits: --depth Engine: --hash Output: --color",
        ),
        (
            "solve",
            "Options: --wld --shard Engine: --hash Output: --verbose",
        ),
        (
            "match",
            "Options: --first Limits: --exact Engine: --threads Output: --verbose",
        ),
    ] {
        let text = help(command);
        let begins = |line: &str, part| {
            line.trim_start()
                .trim_start_matches("-v, ")
                .starts_with(part)
        };
        let at = |part| {
            text.lines()
                .position(|line| begins(line, part))
                .expect(part)
        };
        assert!(order.split(' ').map(at).is_sorted(), "{order}: {text}");
    }
}

#[test]
fn options_without_effect_are_neither_listed_nor_accepted() {
    for (command, useless, useful) in [
        (
            "perft",
            "--weights --eval --selectivity --color",
            "--hash --threads",
        ),
        ("convert", "--hash --threads --weights --color", "--force"),
        ("games", "--hash --eval --selectivity --color", "--threads"),
        ("compare", "--threads --color", "--hash --selectivity"),
        ("bench", "--color", "--eval"),
    ] {
        let text = help(command);
        for option in useless.split(' ') {
            assert!(!text.contains(option), "{command} {option}");
        }
        for option in useful.split(' ') {
            assert!(text.contains(option), "{command} {option}");
        }
    }
    for arguments in [&["levels", "--hash", "2"][..], &["--hash", "2", "levels"]] {
        let run = emilia(arguments, b"");
        run.assert_refused("error: --hash does nothing in 'emilia levels'");
    }
    // A colour option without effect is accepted.
    assert_eq!(emilia_line("perft 2 --color never -v").code, Some(0));
}

#[test]
fn commands_that_search_accept_search_options() {
    let picture = Scratch::new("scores", "");
    let path = picture.path();
    let search = "--scores --threads 2 --hash 4 --eval classic --selectivity 100";
    emilia_line(&format!("show f5d6 --force --svg {path} {search}")).assert_done();
    let run = emilia_line(&format!("show f5d6 --force --svg {path} --hash 4"));
    run.assert_refused("error: --hash does nothing in 'emilia show' without --scores");
}

#[test]
fn the_version_names_the_target_processor() {
    let target = if !cfg!(target_arch = "x86_64") {
        "portable"
    } else if !cfg!(target_feature = "avx2") {
        "x86-64"
    } else if !cfg!(target_feature = "avx512vl") {
        "x86-64-v3"
    } else {
        "x86-64-v4"
    };
    let version = format!("{} ({target})", env!("CARGO_PKG_VERSION"));
    let run = emilia(&["--version"], b"");
    assert_eq!(run.stdout, format!("emilia {version}\n"));
    let log = emilia(&["perft", "2", "-v"], b"").stderr;
    assert!(log.contains(&version), "{log}");
    let slow = target == "x86-64" && is_x86_64_v3();
    assert_eq!(log.contains("for a faster one"), slow, "{log}");
    // Scripts read stderr too, so it is empty by default.
    assert_eq!(emilia(&["perft", "2"], b"").stderr, "");
}

#[cfg(target_arch = "x86_64")]
fn is_x86_64_v3() -> bool {
    std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("bmi2")
}

#[cfg(not(target_arch = "x86_64"))]
fn is_x86_64_v3() -> bool {
    false
}

#[test]
fn completions_and_manual_pages_list_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let run = emilia(&["completions", shell], b"");
        run.assert_done();
        for command in COMMANDS {
            run.assert_shows(command);
        }
    }
    let folder = std::env::temp_dir().join(format!("emilia-man-{}", std::process::id()));
    let run = emilia(&["man", folder.to_str().unwrap()], b"");
    run.assert_done();
    for command in COMMANDS {
        let page = std::fs::read_to_string(folder.join(format!("emilia-{command}.1"))).unwrap();
        assert!(
            page.contains(".SH SYNOPSIS") && page.contains(command),
            "{command}"
        );
    }
    assert!(folder.join("emilia.1").is_file());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn only_similar_words_are_suggested() {
    for (arguments, suggestion) in [
        (&["foo"][..], None),
        (&["bokk"], Some("'book'")),
        (&["hint", "--dpth", "3"], Some("'--depth'")),
        (&["compare", "--game", "tictac"], Some("'tictactoe'")),
        (&["hint", "--cepth", "3"], None),
    ] {
        let run = emilia(arguments, b"");
        let found = run.stderr.lines().find(|line| line.contains("tip: "));
        assert_eq!(found.is_some(), suggestion.is_some(), "{run:?}");
        assert!(
            found.is_none_or(|tip| tip.ends_with(suggestion.unwrap())),
            "{run:?}"
        );
    }
}
