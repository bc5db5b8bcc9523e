//! Lines taken apart, and what ends which search.

use std::thread;

use super::*;

fn lines(mut bytes: &[u8]) -> Vec<(String, bool)> {
    std::iter::from_fn(|| read_line(&mut bytes).unwrap())
        .map(|line| (line.text, line.cut))
        .collect()
}

#[test]
fn lines_end_with_the_input_and_long_ones_are_cut() {
    assert_eq!(lines(b""), []);
    let whole = |text: &str| (text.to_owned(), false);
    assert_eq!(lines(b"a\n\nb"), [whole("a"), whole(""), whole("b")]);
    assert_eq!(lines(b"\xff\n"), [whole("\u{fffd}")]);
    let long = ["x".repeat(LONGEST_LINE + 1).as_bytes(), b"\ny\n"].concat();
    assert_eq!(lines(&long), [("x".repeat(LONGEST_LINE), true), whole("y")]);
    for (text, cut) in lines(&long) {
        let line = Line { text, cut };
        assert_eq!(lines(&line.clone().into_bytes()), [(line.text, cut)]);
    }
}

/// The kinds of these tests: `!` is urgent, `e` early, `g` a search, `h` a ponder hit, `q` quit;
/// others are plain.
fn kind(line: &Line) -> Kind {
    match line.text.as_str() {
        "!" => Kind::Urgent,
        "e" => Kind::Early,
        "g" => Kind::Search,
        "h" => Kind::PonderHit,
        "q" => Kind::Quit,
        _ => Kind::Plain,
    }
}

fn open(input: impl BufRead + Send + 'static) -> Inbox {
    Inbox::open(input, kind, None).unwrap()
}

/// An inbox that has read all of `script`.
fn all_read(script: impl AsRef<[u8]> + Send + 'static) -> Inbox {
    let inbox = open(io::Cursor::new(script));
    while !inbox.shared.lock().ended {
        thread::yield_now();
    }
    inbox
}

fn texts(lines: impl IntoIterator<Item = Line>) -> Vec<String> {
    lines.into_iter().map(|line| line.text).collect()
}

/// Begins a search and returns what ends it.
fn begin(inbox: &Inbox, is_bounded: bool) -> Stop {
    let stop = Stop::default();
    inbox.begin(stop.clone(), is_bounded);
    stop
}

fn until_set(stop: &Stop) {
    while !stop.is_set() {
        thread::yield_now();
    }
}

#[test]
fn an_urgent_line_stops_every_search_until_it_is_handed_over() {
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
fn the_end_of_the_input_ends_a_search_without_limits_alone() {
    let (reader, client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), |_| Kind::Urgent, None).unwrap();
    let stop = begin(&inbox, false);
    assert!(!stop.is_set());
    drop(client);
    until_set(&stop);
    assert!(!begin(&inbox, true).is_set());
    assert!(begin(&inbox, false).is_set());
    // It comes while the other kind of search runs.
    let (reader, client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), |_| Kind::Urgent, None).unwrap();
    let stop = begin(&inbox, true);
    drop(client);
    assert_eq!(inbox.next(), None);
    assert!(!stop.is_set());
}

#[test]
fn early_lines_come_first_while_a_search_runs_and_in_their_turn_otherwise() {
    let inbox = all_read("a\ne\nb\nh\n");
    assert_eq!(texts(inbox.news().lines), ["e", "h"]);
    assert_eq!(texts(inbox.news().lines), [""; 0]);
    assert!(inbox.news().is_awaited);
    assert_eq!(texts(std::iter::from_fn(|| inbox.next())), ["a", "b"]);
    assert_eq!(inbox.shared.lock().bytes, 0);
    let inbox = all_read("a\ne\nb\nh\n");
    let all = std::iter::from_fn(|| inbox.next());
    assert_eq!(texts(all), ["a", "e", "b", "h"]);
    assert_eq!(inbox.shared.lock().bytes, 0);
}

#[test]
fn early_and_urgent_lines_are_seen_behind_any_number_of_others() {
    let inbox = all_read("a\n".repeat(50_000) + "e\n!\n");
    assert_eq!(texts(inbox.news().lines), ["e"]);
    assert!(begin(&inbox, true).is_set());
    assert_eq!(inbox.shared.lock().lines.len(), 50_001);
}

#[test]
fn a_ponder_hit_is_for_the_last_search_before_it() {
    let inbox = all_read("h\ng\ng\nh\ng\n");
    let is_hit = |texts_before: &[&str]| {
        for text in texts_before {
            assert_eq!(inbox.next().unwrap().text, *text);
        }
        inbox.news().is_ponder_hit
    };
    // The lines of both ponder hits are handed over with the first news.
    assert!(is_hit(&[]));
    assert!(!is_hit(&["g"]));
    assert!(is_hit(&["g"]));
    assert!(!is_hit(&["g"]));
}

/// Begins a search as if it ran for a while already.
fn begin_long_ago(inbox: &Inbox) -> Stop {
    let stop = begin(inbox, true);
    let mut gate = inbox.shared.lock();
    gate.running.as_mut().unwrap().start -= 2 * SCRIPT;
    stop
}

#[test]
fn quit_ends_the_search_and_the_next_where_the_client_waits_for_the_answer() {
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
fn quit_lets_searches_finish_that_a_script_asked_for() {
    // All of it is there before the search begins.
    let inbox = all_read("g\nq\n");
    assert_eq!(texts(inbox.next()), ["g"]);
    assert!(!begin_long_ago(&inbox).is_set());
    // It comes soon; another search comes soon, and it later; another search waits, and it comes
    // later.
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
        // No client is slow here, however slow this thread is.
        inbox.shared.lock().running.as_mut().unwrap().start += Duration::from_secs(3600);
        send(soon);
        inbox.shared.lock().running.as_mut().unwrap().start -=
            Duration::from_secs(3600) + 2 * SCRIPT;
        send(later);
        assert!(!stop.is_set(), "{before}{soon}{later}");
    }
}

#[test]
fn a_search_ends_when_its_progress_cannot_be_told() {
    let (reader, _client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), |_| Kind::Urgent, None).unwrap();
    let engine = search::Engine::new(search::Settings::default().with_hash_mib(1));
    let start = |limits| {
        let board = crate::board::Board::START;
        engine.start(&board, 1, &limits)
    };
    let mut heard = 0;
    let failed = inbox.attend(start(search::Limits::default()), false, |_| {
        heard += 1;
        Err(io::ErrorKind::BrokenPipe.into())
    });
    assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(heard, 1);
    let lines = inbox.attend(start(search::Limits::depth(3)), true, |_| Ok(()));
    assert_eq!(lines.unwrap().len(), 1);
}

/// An input without end that counts what is taken from it.
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
fn what_waits_is_bounded_and_its_urgent_lines_are_seen() {
    for line in [&b"\n"[..], b"a line of some length\n"] {
        let read = Arc::default();
        let flood = Flood {
            line,
            read: Arc::clone(&read),
        };
        let inbox = Inbox::open(io::BufReader::new(flood), |_| Kind::Urgent, None).unwrap();
        let stop = begin(&inbox, true);
        let size = line.len() - 1 + LINE_OVERHEAD;
        let most = BACKLOG / size;
        // The reader fills the room, and holds one line more.
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

/// Tells when the reader lets go of its input.
struct Input(io::Repeat, std::sync::mpsc::Sender<()>);

impl io::Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        let _ = self.1.send(());
    }
}

#[test]
fn a_reader_that_waits_for_room_ends_with_the_session() {
    let (dropped, told) = std::sync::mpsc::channel();
    let input = Input(io::repeat(b'\n'), dropped);
    let inbox = Inbox::open(io::BufReader::new(input), |_| Kind::Urgent, None).unwrap();
    while inbox.shared.lock().urgent <= BACKLOG / LINE_OVERHEAD {
        thread::yield_now();
    }
    drop(inbox);
    told.recv().unwrap();
}
