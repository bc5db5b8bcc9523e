//! Help of every command: width, order of options, and no option without effect.

use crate::common::matches::Scratch;
use crate::common::run::{emilia, emilia_line};

const COMMANDS: &str = "play gtp nboard uci cassio ggs hint solve show analyze games practice convert match \
                        openings puzzles eval-test perft bench compare selfplay train levels completions man";

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
fn options_without_effect_are_neither_listed_nor_accepted() {
    for (command, useless, useful) in [
        (
            "perft",
            "--weights --eval --selectivity",
            "--hash --threads",
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
