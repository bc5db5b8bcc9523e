//! End-to-end tests of pondering over GTP and NBoard.
//! A pondering engine prints nothing and answers every command at once.

use std::thread::sleep;
use std::time::Duration;

use crate::common::Process;

/// Pause in which pondering starts. No assertion depends on its length.
const A_WHILE: Duration = Duration::from_millis(30);

fn gtp() -> Process {
    // Without a depth limit, pondering goes on until the next command.
    Process::emilia(&["gtp", "--ponder", "--time", "0.03", "--hash", "1"])
}

fn nboard() -> Process {
    let mut engine = Process::emilia(&["nboard", "--ponder", "--time", "0.03", "--hash", "1"]);
    engine.send("nboard 2");
    assert_eq!(engine.line().unwrap(), "set myname Emilia");
    engine
}

#[test]
fn gtp_commands_are_answered_in_order_without_other_output() {
    let mut engine = gtp();
    let mv = engine.ask("genmove black");
    assert!(["C4", "D3", "E6", "F5"].contains(&mv.as_str()), "{mv}");
    for pause in [A_WHILE, Duration::ZERO, A_WHILE, Duration::ZERO] {
        sleep(pause);
        engine.check("1 name -> =1 Emilia");
        sleep(pause);
        engine.check("gogui-rules_side_to_move -> = white");
        // A comment and a blank line have no response, and interrupt pondering as well.
        engine.send("# interrupt");
        engine.send("");
        assert_eq!(engine.gtp("nonsense"), "? unknown command");
    }
    // Several commands in one write, with searches among them.
    engine.send_bytes(b"1 undo\n2 genmove b\n3 showboard\n4 genmove w\n5 name\n6 genmove b\n");
    for id in 1..=6 {
        let answer = engine.answer();
        assert!(answer.starts_with(&format!("={id}")), "{answer}");
    }
    sleep(A_WHILE);
    engine.check(
        "emilia-set ponder off -> =
emilia-set ponder on -> =
emilia-set ponder perhaps -> ? ...",
    );
    sleep(A_WHILE);
    engine.check("clear_board -> =\ngogui-rules_legal_moves -> = D3 C4 F5 E6");
    assert_eq!(engine.finish(), Vec::<String>::new());
}

#[test]
fn quit_or_the_end_of_the_input_ends_pondering() {
    for pause in [A_WHILE, Duration::ZERO] {
        for last in ["quit\n", ""] {
            let mut engine = gtp();
            engine.ask("genmove black");
            sleep(pause);
            engine.send_bytes(last.as_bytes());
            let answers = if last.is_empty() { 0 } else { 2 };
            assert_eq!(engine.finish().len(), answers);

            let mut engine = nboard();
            engine.send("go");
            engine.line_starting("=== ");
            sleep(pause);
            engine.send_bytes(last.as_bytes());
            assert_eq!(engine.finish(), Vec::<String>::new());
        }
    }
}
