//! Sessions of GTP, NBoard, UCI and Cassio as a table of commands and answers.

use crate::common::Process;

/// Returns whether `text` is `pattern`, in which `...` stands for any text.
pub(crate) fn fits(text: &str, pattern: &str) -> bool {
    match pattern.split_once("...") {
        None => text == pattern,
        Some((start, rest)) => text
            .strip_prefix(start)
            .is_some_and(|left| (0..=left.len()).any(|at| fits(&left[at..], rest))),
    }
}

#[test]
fn every_command_has_the_answer_of_the_table() {
    let sessions = include_str!("../protocol/dialogues.txt").split("\n=== ");
    for session in sessions.skip(1) {
        let (arguments, lines) = session.split_once('\n').expect("a session has lines");
        let mut engine = Process::emilia(&arguments.split(' ').collect::<Vec<_>>());
        let lines = lines.lines().filter(|line| !line.starts_with('%'));
        for (command, expected) in lines.filter_map(|line| line.split_once(" -> ")) {
            engine.send(command);
            let found = if arguments.starts_with("gtp ") {
                engine.answer().replace('\n', "|")
            } else {
                let lines = expected.split('|').filter(|line| !line.is_empty());
                let lines: Vec<_> = lines.map(|_| engine.line().unwrap()).collect();
                lines.join("|")
            };
            assert!(
                fits(&found, expected),
                "{command} -> {found}, not {expected}"
            );
        }
        assert_eq!(engine.finish(), [""; 0], "{arguments}");
    }
}
