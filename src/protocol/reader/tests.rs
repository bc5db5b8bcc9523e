//! Reader thread: reading lines, their kinds, and which of them stop which search.

use std::thread;

use super::*;

fn lines(mut bytes: &[u8]) -> Vec<(String, bool)> {
    std::iter::from_fn(|| read_line(&mut bytes).unwrap())
        .map(|line| (line.text, line.cut))
        .collect()
}

#[test]
fn lines_end_at_breaks_or_the_input_end_and_long_ones_are_cut() {
    assert_eq!(lines(b""), []);
    let whole = |text: &str| (text.to_owned(), false);
    assert_eq!(lines(b"a\n\nb"), [whole("a"), whole(""), whole("b")]);
    assert_eq!(lines(b"\xff\n"), [whole("\u{fffd}")]);
    let long = ["x".repeat(MAX_LINE + 1).as_bytes(), b"\ny\n"].concat();
    assert_eq!(lines(&long), [("x".repeat(MAX_LINE), true), whole("y")]);
    for (text, cut) in lines(&long) {
        let line = InputLine { text, cut };
        assert_eq!(lines(&line.clone().into_bytes()), [(line.text, cut)]);
    }
}

/// Kinds of lines in these tests: `!` urgent, `e` early, `g` search, `h` ponder hit, `q` quit.
/// All others are plain.
fn kind(line: &InputLine) -> LineKind {
    match line.text.as_str() {
        "!" => LineKind::Urgent,
        "e" => LineKind::Early,
        "g" => LineKind::Search,
        "h" => LineKind::PonderHit,
        "q" => LineKind::Quit,
        _ => LineKind::Plain,
    }
}

fn open(input: impl BufRead + Send + 'static) -> Inbox {
    Inbox::open(input, kind, None).unwrap()
}

/// Returns an inbox whose reader has read all of `script`.
fn all_read(script: impl AsRef<[u8]> + Send + 'static) -> Inbox {
    let inbox = open(io::Cursor::new(script));
    while !inbox.shared.lock().ended {
        thread::yield_now();
    }
    inbox
}

fn texts(lines: impl IntoIterator<Item = InputLine>) -> Vec<String> {
    lines.into_iter().map(|line| line.text).collect()
}

/// Registers a search and returns its stop flag.
fn begin(inbox: &Inbox, is_bounded: bool) -> StopFlag {
    let stop = StopFlag::default();
    inbox.begin(stop.clone(), is_bounded);
    stop
}

fn until_set(stop: &StopFlag) {
    while !stop.is_set() {
        thread::yield_now();
    }
}

#[test]
fn an_urgent_line_stops_every_search_until_it_is_taken() {
    let (reader, mut client) = io::pipe().unwrap();
    let inbox = open(io::BufReader::new(reader));
    let stop = begin(&inbox, true);
    io::Write::write_all(&mut client, b"a\n!\nb\n").unwrap();
    assert_eq!(inbox.next().unwrap().text, "a");
    // The reader may be slower than this thread.
    until_set(&stop);
    assert!(begin(&inbox, true).is_set() && inbox.interrupted());
    assert_eq!(inbox.next().unwrap().text, "!");
    let stop = begin(&inbox, true);
    assert!(!stop.is_set() && !inbox.interrupted());
    assert_eq!(inbox.next().unwrap().text, "b");
    drop(client);
    assert_eq!(inbox.next(), None);
    assert!(!stop.is_set() && !inbox.interrupted());
}

#[test]
fn the_end_of_the_input_stops_only_a_search_without_limits() {
    let (reader, client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), |_| LineKind::Urgent, None).unwrap();
    let stop = begin(&inbox, false);
    assert!(!stop.is_set());
    drop(client);
    until_set(&stop);
    assert!(!begin(&inbox, true).is_set());
    assert!(begin(&inbox, false).is_set());
    // The input ends while a search with limits runs.
    let (reader, client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), |_| LineKind::Urgent, None).unwrap();
    let stop = begin(&inbox, true);
    drop(client);
    assert_eq!(inbox.next(), None);
    assert!(!stop.is_set());
}

#[test]
fn early_lines_overtake_others_only_during_a_search() {
    let inbox = all_read("a\ne\nb\nh\n");
    assert_eq!(texts(inbox.take_early().lines), ["e", "h"]);
    assert_eq!(texts(inbox.take_early().lines), [""; 0]);
    assert!(inbox.take_early().is_awaited);
    assert_eq!(texts(std::iter::from_fn(|| inbox.next())), ["a", "b"]);
    assert_eq!(inbox.shared.lock().bytes, 0);
    let inbox = all_read("a\ne\nb\nh\n");
    let all = std::iter::from_fn(|| inbox.next());
    assert_eq!(texts(all), ["a", "e", "b", "h"]);
    assert_eq!(inbox.shared.lock().bytes, 0);
}

#[test]
fn early_and_urgent_lines_take_effect_behind_a_long_queue() {
    let inbox = all_read("a\n".repeat(50_000) + "e\n!\n");
    assert_eq!(texts(inbox.take_early().lines), ["e"]);
    assert!(begin(&inbox, true).is_set());
    assert_eq!(inbox.shared.lock().lines.len(), 50_001);
}

#[test]
fn a_ponder_hit_applies_to_the_last_search_before_it() {
    let inbox = all_read("h\ng\ng\nh\ng\n");
    let is_hit = |texts_before: &[&str]| {
        for text in texts_before {
            assert_eq!(inbox.next().unwrap().text, *text);
        }
        inbox.take_early().is_ponder_hit
    };
    // The first call takes the lines of both ponder hits.
    assert!(is_hit(&[]));
    assert!(!is_hit(&["g"]));
    assert!(is_hit(&["g"]));
    assert!(!is_hit(&["g"]));
}

/// Registers a search that started more than [`SCRIPT`] ago.
fn begin_long_ago(inbox: &Inbox) -> StopFlag {
    let stop = begin(inbox, true);
    let mut gate = inbox.shared.lock();
    gate.running.as_mut().unwrap().start -= 2 * SCRIPT;
    stop
}

#[test]
fn quit_stops_the_searches_that_a_client_waits_for() {
    let (reader, mut client) = io::pipe().unwrap();
    let inbox = open(io::BufReader::new(reader));
    let stop = begin_long_ago(&inbox);
    io::Write::write_all(&mut client, b"a\ng\nq\n").unwrap();
    until_set(&stop);
    assert_eq!(texts(inbox.next()), ["a"]);
    assert_eq!(texts(inbox.next()), ["g"]);
    assert!(begin(&inbox, true).is_set());
    assert_eq!(texts(inbox.next()), ["q"]);
}

#[test]
fn quit_lets_searches_of_a_script_finish() {
    // Both lines are read before the search starts.
    let inbox = all_read("g\nq\n");
    assert_eq!(texts(inbox.next()), ["g"]);
    assert!(!begin_long_ago(&inbox).is_set());
    // Soon: within `SCRIPT` after the start. Later: after that.
    // Cases: a soon `quit`; a soon search and a later `quit`; a queued search and a later `quit`.
    for (before, soon, later) in [("", "q\n", ""), ("", "g\n", "q\n"), ("g\n", "", "a\nq\n")] {
        let (reader, mut client) = io::pipe().unwrap();
        let inbox = open(io::BufReader::new(reader));
        let mut read = 0;
        let mut send = |text: &str| {
            io::Write::write_all(&mut client, text.as_bytes()).unwrap();
            read += text.lines().count() as u64;
            while inbox.shared.lock().read < read {
                thread::yield_now();
            }
        };
        send(before);
        let stop = begin(&inbox, true);
        // A start in the future keeps the search young, however slow this thread is.
        inbox.shared.lock().running.as_mut().unwrap().start += Duration::from_secs(3600);
        send(soon);
        inbox.shared.lock().running.as_mut().unwrap().start -=
            Duration::from_secs(3600) + 2 * SCRIPT;
        send(later);
        assert!(!stop.is_set(), "{before}{soon}{later}");
    }
}

#[test]
fn a_search_stops_when_its_progress_cannot_be_written() {
    let (reader, _client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), |_| LineKind::Urgent, None).unwrap();
    let engine = search::Engine::new(search::Settings::default().with_hash_mib(1));
    let start = |limits| {
        let board = crate::board::Board::START;
        engine.start(&board, 1, &limits)
    };
    let mut calls = 0;
    let failed = inbox.wait_for_search(start(search::Limits::default()), false, |_| {
        calls += 1;
        Err(io::ErrorKind::BrokenPipe.into())
    });
    assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(calls, 1);
    let lines = inbox.wait_for_search(start(search::Limits::depth(3)), true, |_| Ok(()));
    assert_eq!(lines.unwrap().len(), 1);
}

/// Endless input that counts the bytes read from it.
struct Flood {
    line: &'static [u8],
    read: Arc<std::sync::atomic::AtomicUsize>,
}

impl io::Read for Flood {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read
            .fetch_add(self.line.len(), std::sync::atomic::Ordering::Relaxed);
        buffer[..self.line.len()].copy_from_slice(self.line);
        Ok(self.line.len())
    }
}

#[test]
fn the_queue_is_bounded_and_its_urgent_lines_take_effect() {
    for line in [&b"\n"[..], b"a line of some length\n"] {
        let read = Arc::default();
        let flood = Flood {
            line,
            read: Arc::clone(&read),
        };
        let inbox = Inbox::open(io::BufReader::new(flood), |_| LineKind::Urgent, None).unwrap();
        let stop = begin(&inbox, true);
        let size = line.len() - 1 + LINE_OVERHEAD;
        let most = BACKLOG / size;
        // The reader fills the queue and holds one more line.
        while inbox.shared.lock().urgent <= most {
            thread::yield_now();
        }
        for _ in 0..3 {
            let gate = inbox.shared.lock();
            assert!(gate.bytes <= BACKLOG && gate.lines.len() <= most && gate.urgent <= most + 1);
            assert!(stop.is_set());
            drop(gate);
            inbox.next().unwrap();
        }
        assert!(read.load(std::sync::atomic::Ordering::Relaxed) <= (most + 5) * line.len());
    }
}

/// Endless input that sends a message when the reader drops it.
struct EndlessInput(io::Repeat, std::sync::mpsc::Sender<()>);

impl io::Read for EndlessInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Drop for EndlessInput {
    fn drop(&mut self) {
        let _ = self.1.send(());
    }
}

#[test]
fn a_reader_waiting_for_room_ends_with_the_session() {
    let (dropped, received) = std::sync::mpsc::channel();
    let input = EndlessInput(io::repeat(b'\n'), dropped);
    let inbox = Inbox::open(io::BufReader::new(input), |_| LineKind::Urgent, None).unwrap();
    while inbox.shared.lock().urgent <= BACKLOG / LINE_OVERHEAD {
        thread::yield_now();
    }
    drop(inbox);
    received.recv().unwrap();
}
