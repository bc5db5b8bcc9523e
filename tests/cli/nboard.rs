//! End-to-end tests of the binary as an NBoard engine, driven through pipes.

use crate::common::Process;

/// Sends a `ping`, and returns the lines before its `pong`.
fn lines_until_pong(engine: &mut Process, number: i32) -> Vec<String> {
    engine.send(&format!("ping {number}"));
    let pong = format!("pong {number}");
    std::iter::from_fn(|| engine.line().filter(|line| *line != pong)).collect()
}

#[test]
fn a_new_line_aborts_the_search_without_an_answer_and_clears_the_status() {
    // 100 s a move: only the next line ends the search.
    let mut engine = Process::emilia(&["nboard", "--book=off", "--hash=1", "--time=100"]);
    for (number, request) in (0..).zip(["go", "hint 4", "analyze", "hint 1", "go"]) {
        engine.send(request);
        std::thread::sleep(std::time::Duration::from_millis(50));
        let lines = lines_until_pong(&mut engine, number);
        let is_status = |line: &&String| line.starts_with("status");
        let is_search = |line: &String| line.starts_with("search ");
        assert!(
            lines.iter().all(|line| is_status(&line) || is_search(line)),
            "{lines:?}"
        );
        // The last status line clears the status.
        assert_eq!(lines.iter().rfind(is_status).unwrap(), "status");
    }
    engine.send_bytes(b"go\nhint 2\n");
    lines_until_pong(&mut engine, 77);
}
