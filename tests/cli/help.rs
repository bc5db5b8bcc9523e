//! Help of every command: width, order of options, and no option without effect.

use crate::common::matches::Scratch;
use crate::common::run::{emilia, emilia_line};

const COMMANDS: &str = "play gtp nboard uci cassio ggs hint solve show analyze games practice convert match \
                        tune openings puzzles eval-test perft bench compare selfplay train levels completions man";

fn help(command: &str) -> String {
    let run = emilia(&["help", command], b"");
    run.assert_done();
    assert_eq!(emilia(&[command, "--help"], b"").stdout, run.stdout);
    run.stdout
}

#[cfg(unix)]
#[test]
fn help_fits_the_terminal_or_eighty_columns() {
    use crate::common::terminal::{Terminal, seen};
    for command in COMMANDS.split(' ') {
        let at = |columns| seen(&Terminal::emilia(&["help", command], columns).finish_with(0));
        let piped = help(command).lines().map(str::to_owned).collect();
        for (lines, columns) in [(at(50), 50), (piped, 80)] {
            for line in lines {
                // Words that must be copied as a whole may be longer.
                let is_word = !line.trim().contains(' ') || line.starts_with("Usage: ");
                assert!(is_word || line.chars().count() <= columns, "{line}");
            }
        }
    }
}

#[test]
fn the_help_of_match_lists_each_key_of_a_built_in_player() {
    let text = help("match");
    let keys = text.split("Keys of builtin:\n").nth(1).unwrap();
    let keys = keys.split("\n\n").next().unwrap().lines();
    let names = keys.clone().filter(|line| !line.starts_with("   "));
    let names: Vec<&str> = names
        .map(|line| line.trim().split('=').next().unwrap())
        .collect();
    let run = emilia_line("match --first builtin:x=1 --second h5");
    let all = format!("expected one of {}, clock, name, keep\n", names.join(", "));
    run.assert_refused(&all);
    for line in keys {
        let (name, help) = line.split_at(25);
        assert!(name.ends_with(' ') && !help.starts_with(' '), "{line}");
    }
}

#[test]
fn the_help_lists_each_command_once_in_three_groups() {
    let text = emilia(&["--help"], b"").stdout;
    let headings = [
        "Play and study:",
        "Files:",
        "Engine work:",
        "'emilia help COMMAND'",
    ];
    let starts = headings.map(|heading| text.find(heading).expect(heading));
    assert!(starts.is_sorted());
    let groups = text[starts[0]..starts[3]].lines();
    let mut listed: Vec<&str> = (groups.filter(|line| line.starts_with("  ")))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let mut commands: Vec<&str> = COMMANDS.split(' ').chain(["book", "gui"]).collect();
    listed.sort_unstable();
    commands.sort_unstable();
    assert_eq!(listed, commands);
    assert_eq!(emilia(&["help"], b"").stdout, text);
}

#[cfg(unix)]
#[test]
fn errors_break_between_words_on_a_terminal() {
    use crate::common::terminal::{Terminal, seen};
    for arguments in [
        &["solve", "no such file here, whatever its name is"][..],
        &["hint", "--depth", "61"],
    ] {
        let run = emilia(arguments, b"");
        let lines = seen(&Terminal::emilia(arguments, 40).finish_with(2));
        assert!(
            lines.iter().all(|line| line.chars().count() <= 40),
            "{lines:?}"
        );
        assert!(
            lines
                .join(" ")
                .split_whitespace()
                .eq(run.stderr.split_whitespace()),
            "{lines:?}"
        );
    }
}

#[test]
fn options_without_effect_are_neither_listed_nor_accepted() {
    for (command, useless, useful) in [
        (
            "perft",
            "--weights --eval --selectivity --hash",
            "--threads --shard",
        ),
        ("games", "--hash --eval", "--threads --color"),
        ("convert", "--hash --threads", "--to --color"),
    ] {
        let text = help(command);
        let listed = |options: &str| options.split(' ').filter(|&one| text.contains(one)).count();
        assert_eq!(
            (listed(useless), listed(useful)),
            (0, useful.split(' ').count())
        );
    }
    // Options may stand before the command.
    for line in ["levels --hash 2", "--hash 2 levels"] {
        emilia_line(line).assert_refused("error: unexpected argument '--hash'");
    }
    // A colour option without effect is accepted.
    assert_eq!(emilia_line("perft 2 --color never -v").code, Some(0));
}

#[test]
fn completions_and_manual_pages_list_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let run = emilia(&["completions", shell], b"");
        run.assert_done();
        for command in COMMANDS.split(' ') {
            run.assert_shows(command);
        }
    }
    let folder = Scratch::new("man");
    emilia(&["man", &folder.path("")], b"").assert_done();
    for command in COMMANDS.split(' ') {
        let page = folder.path(&format!("emilia-{command}.1"));
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
    }
}
