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
    let inbox = Inbox::open(io::BufReader::new(reader), |line| line == "!", None).unwrap();
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
    let inbox = Inbox::open(io::BufReader::new(reader), |_| true, None).unwrap();
    let stop = begin(&inbox, false);
    assert!(!stop.is_set());
    drop(client);
    until_set(&stop);
    assert!(!begin(&inbox, true).is_set());
    assert!(begin(&inbox, false).is_set());
    // It comes while the other kind of search runs.
    let (reader, client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), |_| true, None).unwrap();
    let stop = begin(&inbox, true);
    drop(client);
    assert_eq!(inbox.next(), None);
    assert!(!stop.is_set());
}

#[test]
fn lines_are_taken_before_their_turn_and_the_others_keep_theirs() {
    let inbox = Inbox::open(&b"a\n!1\nb\n!2\n"[..], |_| false, None).unwrap();
    while !inbox.is_closed() {
        thread::yield_now();
    }
    let texts = |lines: Vec<Line>| lines.into_iter().map(|line| line.text).collect::<Vec<_>>();
    assert_eq!(
        texts(inbox.take(|line| line.starts_with('!'))),
        ["!1", "!2"]
    );
    assert_eq!(texts(inbox.take(|line| line.starts_with('!'))), [""; 0]);
    let rest = std::iter::from_fn(|| inbox.next()).collect();
    assert_eq!(texts(rest), ["a", "b"]);
    assert_eq!(inbox.shared.lock().bytes, 0);
}

#[test]
fn of_a_long_script_only_the_next_lines_are_looked_at() {
    let script = "a\n".repeat(AHEAD) + "!\n";
    let inbox = Inbox::open(io::Cursor::new(script), |_| false, None).unwrap();
    while !inbox.is_closed() {
        thread::yield_now();
    }
    let take = || inbox.take(|line| line == "!").len();
    assert_eq!(take(), 0);
    inbox.next().unwrap();
    assert_eq!(take(), 1);
}

#[test]
fn a_search_ends_when_its_progress_cannot_be_told() {
    let (reader, _client) = io::pipe().unwrap();
    let inbox = Inbox::open(io::BufReader::new(reader), |_| true, None).unwrap();
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
        let inbox = Inbox::open(io::BufReader::new(flood), |_| true, None).unwrap();
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
    let inbox = Inbox::open(io::BufReader::new(input), |_| true, None).unwrap();
    while inbox.shared.lock().urgent <= BACKLOG / LINE_OVERHEAD {
        thread::yield_now();
    }
    drop(inbox);
    told.recv().unwrap();
}
