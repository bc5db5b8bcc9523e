//! End-to-end tests of the binary as a GTP engine, driven through pipes.

use crate::common::Process;
use crate::common::run;

fn engine() -> Process {
    Process::emilia(&["gtp", "--depth", "2", "--hash", "1"])
}

#[test]
fn every_command_is_listed_and_answered() {
    let mut engine = engine();
    let listed = engine.ask("list_commands");
    for name in listed.lines().filter(|&name| name != "quit") {
        assert_eq!(engine.gtp(&format!("known_command {name}")), "= true");
        // With missing or invalid arguments each command responds, and the session goes on.
        let _ = engine.gtp(name);
        let _ = engine.gtp(&format!("{name} \u{1F600} 1 2 3"));
    }
    assert_eq!(engine.finish(), Vec::<String>::new());
}

#[test]
fn a_batch_gets_the_same_responses_as_single_commands() {
    let arguments = ["gtp", "--book=off", "--depth=9", "--threads=1", "--hash=8"];
    let commands =
        "emilia-hint 1\nplay b f5\n7 genmove w\nreg_genmove b\nemilia-hint 3\nshowboard\n";
    let mut engine = Process::emilia(&arguments);
    let answers = commands.lines().map(|command| engine.gtp(command) + "\n\n");
    let expected: String = answers.collect();
    // Commands after `quit` are not executed. A last command without a line break is executed.
    for (end, answer) in [("quit\nname\n", "=\n\n"), ("8 name", "=8 Emilia\n\n")] {
        let run = run::emilia(&arguments, format!("{commands}{end}").as_bytes());
        assert_eq!(run.stdout, expected.clone() + answer, "{end:?}");
        run.assert_done();
    }
}

#[test]
fn clear_cache_empties_the_table_and_clear_board_keeps_it() {
    let arguments = ["gtp", "--threads", "1", "--nodes", "20000", "--hash", "8"];
    let mut engine = Process::emilia(&arguments);
    let fresh = engine.ask("emilia-hint 1");
    engine.ask("clear_board");
    let warm = engine.ask("emilia-hint 1");
    let reason = "the second search must use the table of the first";
    assert_ne!(warm, fresh, "{reason}");
    engine.ask("clear_cache");
    assert_eq!(engine.ask("emilia-hint 1"), fresh);
}

#[test]
fn a_closed_output_ends_the_session_with_exit_code_0() {
    let mut engine = engine();
    engine.ask("name");
    engine.close_output();
    // The first response that cannot be written ends the session, which closes its stdin.
    while engine.try_send_bytes(b"showboard\n").is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(engine.wait().success());
}
