//! Stress test of protocol sessions, with one random client per protocol.
//!
//! Clients send legal and illegal lines, bursts, partial lines and lines of 10 MB, and read slowly.
//! Short sessions of other clients end abruptly in between.
//! No session may crash, hang, lose or reorder an answer, or grow in memory.
//!
//! `cargo test` runs one seeded lap per protocol.
//! `cargo test --test cli -- soak_clients:: --ignored --nocapture` runs for an hour.
//! The long run prints a table of counts, memory and latencies.
//! The environment variable `EMILIA_SOAK_SECONDS` sets another length.
//!
//! An echo through `cat` measures the latency that the machine adds to an idle engine.
//! Threads that count and wait measure the latency that it adds to a searching engine.

#![cfg(unix)]

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::clients::{Client, GtpClient, NBoardClient, Tally, UciClient};
use crate::common::wild::long_seed;
use crate::common::{PATIENCE, Process};
use fastrand::Rng;

/// Default length of the long run in seconds.
const SECONDS: u64 = 3600;

/// Lines of a burst in the long run.
const BURST: usize = 10_000;

/// Lines of a burst in the short run.
const SHORT_BURST: usize = 1000;

/// Length of the longest line in bytes.
const LONGEST: usize = 10_000_000;

/// Allowed memory growth of an engine in KiB after the first lap.
const GROWTH: u64 = 16 * 1024;

/// Limit of the 99.9th percentile of latencies, in addition to that of the baseline.
const AT_ONCE: Duration = Duration::from_millis(50);

/// Rest after each action of the long run, as a multiple of the time it took. Spares the machine.
const REST: u32 = 9;

/// Longest pause between two latency measurements of the long run, in milliseconds.
const PAUSE_MS: u64 = 100;

/// An action of a lap.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// Sends 1 to 59 lines.
    Talk,
    /// Sends a burst of lines.
    Burst,
    /// Sends a line of [`LONGEST`] bytes.
    LongLine,
    /// Sends a quarter of a burst and reads the answers slowly.
    ReadSlowly,
    /// Runs a short session of another client, which ends abruptly.
    Visit(End),
}

/// The abrupt end of a session.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The input ends in the middle of a line.
    HalfALine,
    /// The input ends in the middle of a line of 10 MB.
    HalfALongLine,
    /// The input ends after a burst, all lines of which must be answered.
    Burst,
    /// The client closes the output and goes on sending lines.
    Deaf,
    /// The client closes both pipes during a search.
    Gone,
}

/// Actions of a lap, run in random order.
const LAP: [Action; 16] = [
    Action::Talk,
    Action::Talk,
    Action::Talk,
    Action::Talk,
    Action::Talk,
    Action::Talk,
    Action::Talk,
    Action::Talk,
    Action::Burst,
    Action::LongLine,
    Action::ReadSlowly,
    Action::Visit(End::HalfALine),
    Action::Visit(End::HalfALongLine),
    Action::Visit(End::Burst),
    Action::Visit(End::Deaf),
    Action::Visit(End::Gone),
];

/// Measured times between a question and its answer.
#[derive(Debug, Default)]
struct Latencies(Vec<Duration>);

impl Latencies {
    /// Returns the latency that `thousandths` / 1,000 of the answers do not exceed.
    fn percentile(&self, thousandths: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let index = (sorted.len() * thousandths).div_ceil(1000);
        sorted
            .get(index.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    }

    /// Formats count, p50, p99, p99.9 and maximum (in ms) as table cells.
    fn cells(&self) -> String {
        let times = [500, 990, 999, 1000]
            .map(|thousandths| format!("{:.2}", self.percentile(thousandths).as_secs_f64() * 1e3));
        format!("{} | {}", self.0.len(), times.join(" | "))
    }
}

/// State of a run: the long session, the baselines and the measurements.
struct Soak<C> {
    client: C,
    random: Rng,
    /// Lines of a burst.
    burst: usize,
    /// A `cat` process, which echoes each line.
    echo: Process,
    /// Number of sessions, the long one included.
    sessions: u64,
    /// Counts of the short sessions.
    visits: Tally,
    /// Latencies of an idle engine.
    at_rest: Latencies,
    /// Latencies of a searching engine.
    during_search: Latencies,
    /// Baseline of `at_rest`: latencies of `echo`.
    echoed: Latencies,
    /// Baseline of `during_search`: latencies of [`end_of_counting`].
    counted: Latencies,
    /// Memory of the long session in KiB: after the first lap, the maximum since, and the last.
    memory: Option<[u64; 3]>,
}

impl<C: Client> Soak<C> {
    fn new(seed: u64, burst: usize) -> Soak<C> {
        let mut random = Rng::with_seed(seed);
        Soak {
            client: C::new(Process::emilia(C::arguments()), random.u64(..)),
            random,
            burst,
            echo: Process::start("cat", &[]),
            sessions: 1,
            visits: Tally::default(),
            at_rest: Latencies::default(),
            during_search: Latencies::default(),
            echoed: Latencies::default(),
            counted: Latencies::default(),
            memory: None,
        }
    }

    /// Runs every action of [`LAP`] once, in random order.
    ///
    /// Calls `rest` with the time each action took. The lap ends if `rest` returns `false`.
    fn lap(&mut self, mut rest: impl FnMut(&mut Self, Duration) -> bool) {
        let mut actions = LAP;
        self.random.shuffle(&mut actions);
        for action in actions {
            let begun = Instant::now();
            self.act(action);
            if !rest(self, begun.elapsed()) {
                break;
            }
        }
        if let Some(now) = self.client.engine().memory() {
            let [first, most, _] = self.memory.unwrap_or([now; 3]);
            self.memory = Some([first, most.max(now), now]);
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Talk => {
                let count = self.random.usize(1..60);
                self.client.talk(count);
            }
            Action::Burst => self.client.talk(self.burst),
            Action::LongLine => self.client.say_too_much(LONGEST),
            Action::ReadSlowly => {
                let engine = self.client.engine();
                engine.read_slowly(Duration::from_micros(200));
                self.client.talk(self.burst / 4);
                self.client.engine().read_slowly(Duration::ZERO);
            }
            Action::Visit(end) => self.visit(end),
        }
    }

    /// Runs a short session that ends with `end`.
    fn visit(&mut self, end: End) {
        self.sessions += 1;
        let seed = self.random.u64(..);
        if let End::Gone = end {
            return leave_during_a_search::<C>(seed);
        }
        let mut client = C::new(Process::emilia(C::arguments()), seed);
        client.talk(20);
        match end {
            End::HalfALine => client.engine().send_bytes(b"7 show"),
            End::HalfALongLine => client.engine().send_bytes(&b"7 show".repeat(LONGEST / 6)),
            End::Burst => {
                let lines = client.lines(self.burst);
                client.engine().send_bytes(&lines);
                client.engine().close();
                client.hear();
            }
            End::Deaf => {
                let lines = client.lines(self.burst / 10);
                client.engine().close_output();
                // The first answer that cannot be written ends the session, which closes its stdin.
                while client.engine().try_send_bytes(&lines).is_ok() {
                    thread::sleep(Duration::from_millis(5));
                }
            }
            End::Gone => {}
        }
        client.engine().close();
        if !matches!(end, End::Deaf) {
            while client.engine().line().is_some() {}
        }
        let status = client.engine().wait();
        assert!(status.success(), "{end:?}: {status}");
        let tally = client.tally();
        self.visits.lines += tally.lines;
        self.visits.answers += tally.answers;
        self.visits.searches += tally.searches;
    }

    /// Measures a latency at rest and, with `time`, one after a search has run for `time`.
    fn ask(&mut self, time: Option<Duration>) {
        self.at_rest.0.push(self.client.ask());
        self.ask_echo();
        let Some(time) = time else { return };
        let search = self.client.endless_search();
        self.client.engine().send_bytes(&search);
        thread::sleep(time);
        self.during_search.0.push(self.client.ask_during_search());
        self.counted.0.push(end_of_counting(time));
    }

    /// Measures a latency of `cat`.
    fn ask_echo(&mut self) {
        let sent = Instant::now();
        self.echo.send("ping");
        self.echo.line_starting("ping");
        self.echoed.0.push(sent.elapsed());
    }

    /// Ends the long session and the echo in order.
    fn finish(&mut self) {
        self.client.engine().finish();
        self.echo.finish();
    }

    /// Formats the counts, the memory and the latencies as table rows.
    fn row(&mut self) -> String {
        let tally = *self.client.tally();
        let memory = self.memory.map_or("-".to_owned(), |memory| {
            memory
                .map(|kib| format!("{:.1}", kib as f64 / 1024.0))
                .join(" | ")
        });
        let [lines, answers, searches] = [
            tally.lines + self.visits.lines,
            tally.answers + self.visits.answers,
            tally.searches + self.visits.searches,
        ];
        let mut text = format!(
            "| {} | {} | {lines} | {answers} | {searches} | {memory} |\n",
            C::NAME,
            self.sessions
        );
        for (name, times) in [
            ("at rest", &self.at_rest),
            ("during a search", &self.during_search),
            ("beside: cat", &self.echoed),
            ("beside: counting", &self.counted),
        ] {
            let _ = writeln!(text, "| {} {name} | {} |", C::NAME, times.cells());
        }
        text
    }
}

/// Baseline of a stopped search: measures how long three threads take to stop a counting loop.
///
/// The stop request is sent after `time`.
/// One thread counts until a flag is set.
/// A second thread receives the request and sets the flag.
/// A third thread joins the counting one and answers.
fn end_of_counting(time: Duration) -> Duration {
    let is_over = &AtomicBool::new(false);
    let (request, requested) = channel();
    let (answer, answered) = channel();
    thread::scope(|scope| {
        let counting = scope.spawn(move || {
            let mut count = 0_u64;
            while !is_over.load(Ordering::Relaxed) {
                count = std::hint::black_box(count + 1);
            }
        });
        scope.spawn(move || {
            requested.recv().expect("a stop request");
            is_over.store(true, Ordering::Relaxed);
        });
        scope.spawn(move || {
            counting.join().expect("counting does not panic");
            answer.send(()).expect("the receiver is open");
        });
        thread::sleep(time);
        let sent = Instant::now();
        request.send(()).expect("the receiver is open");
        answered.recv().expect("an answer");
        sent.elapsed()
    })
}

/// Runs a session, closes both pipes during a search and asserts that the process ends with code 0.
fn leave_during_a_search<C: Client>(seed: u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(C::arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    // The client only generates the lines, so its process is the no-op `true`.
    let lines = C::new(Process::start("true", &[]), seed).endless_search();
    std::io::Write::write_all(&mut input, &lines).expect("the engine reads");
    thread::sleep(Duration::from_millis(50));
    drop((input, child.stdout.take()));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().expect("a child");
        }
        thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{status}");
}

/// Runs one lap with short bursts and a latency measurement after every action.
fn soak<C: Client>(seed: u64) {
    let mut soak = Soak::<C>::new(seed, SHORT_BURST);
    soak.lap(|soak, _| {
        let time = Duration::from_millis(soak.random.u64(1..20));
        soak.ask(Some(time));
        true
    });
    soak.finish();
    println!("{}", soak.row());
}

/// Runs laps for `time`, measures latencies between the actions, and prints the table rows.
fn soak_for<C: Client>(seed: u64, time: Duration) {
    let begun = Instant::now();
    let mut soak = Soak::<C>::new(seed, BURST);
    while begun.elapsed() < time {
        soak.lap(|soak, worked| {
            let rested = Instant::now();
            loop {
                thread::sleep(Duration::from_millis(soak.random.u64(1..PAUSE_MS)));
                let searches = soak.random.u32(..3) == 0;
                let thinks = Duration::from_millis(soak.random.u64(1..20));
                soak.ask(searches.then_some(thinks));
                let is_over = begun.elapsed() >= time;
                if is_over || rested.elapsed() >= worked * REST {
                    return !is_over;
                }
            }
        });
    }
    soak.finish();
    println!("{}", soak.row());
    check(&soak);
}

/// Asserts the limits of memory growth and latency after a long run.
fn check<C: Client>(soak: &Soak<C>) {
    if let Some([first, most, _]) = soak.memory {
        assert!(
            most < first + GROWTH,
            "{}: {first} KiB after the first lap, later {most} KiB",
            C::NAME
        );
    }
    for (times, beside) in [
        (&soak.at_rest, &soak.echoed),
        (&soak.during_search, &soak.counted),
    ] {
        let (time, machine) = (times.percentile(999), beside.percentile(999));
        let name = C::NAME;
        assert!(
            time <= AT_ONCE + machine,
            "{name}: p99.9 {time:?}, baseline {machine:?}"
        );
    }
}

#[test]
fn gtp_sessions_answer_everything_under_stress() {
    soak::<GtpClient>(1);
}

#[test]
fn nboard_sessions_answer_everything_under_stress() {
    soak::<NBoardClient>(2);
}

#[test]
fn uci_sessions_answer_everything_under_stress() {
    soak::<UciClient>(3);
}

#[test]
#[ignore = "takes an hour, or EMILIA_SOAK_SECONDS"]
fn sessions_of_all_protocols_answer_at_once_and_do_not_grow_for_an_hour() {
    let seconds = std::env::var("EMILIA_SOAK_SECONDS").map_or(SECONDS, |seconds| {
        seconds.parse().expect("a number of seconds")
    });
    let time = Duration::from_secs(seconds);
    let seed = long_seed();
    println!(
        "| protocol | sessions | lines | answers checked | searches \
         | MiB after a lap | most | at the end |"
    );
    println!("| protocol | questions | p50 ms | p99 ms | p99.9 ms | most ms |");
    thread::scope(|scope| {
        scope.spawn(|| soak_for::<GtpClient>(seed, time));
        scope.spawn(|| soak_for::<NBoardClient>(seed, time));
        scope.spawn(|| soak_for::<UciClient>(seed, time));
    });
}
