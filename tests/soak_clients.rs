//! One client of each protocol for a long time: it says anything, legal or not, at rest and during searches, in bursts, in
//! halves of lines and in lines of 10 MB, and reads slowly; others come and go beside it without manners.
//!
//! No session crashes or hangs, every answer comes, whole and in order, and the memory stays as it is. `cargo test` takes a
//! seeded number of actions. `cargo test --test soak_clients -- --ignored --nocapture` goes on for an hour, or for as many
//! seconds as `EMILIA_SOAK_SECONDS` says, and prints a table: what was done, the memory, and how long answers took that
//! must come at once. What the machine adds is measured beside them: `cat` answers as one that has nothing to do, threads
//! that only count and wait as one that searches.

#![cfg(unix)]

mod clients;
mod common;
mod wild;

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use clients::{Client, GtpClient, NBoardClient, Tally, UciClient};
use common::{PATIENCE, Process};
use fastrand::Rng;
use wild::long_seed;

/// The long run, where nothing else is said.
const SECONDS: u64 = 3600;

/// The lines of a burst in a long run, and in a short one.
const BURST: usize = 10_000;
const SHORT_BURST: usize = 1000;

/// The bytes of the longest line.
const LONGEST: usize = 10_000_000;

/// What an engine may grow by once everything has been done, in KiB.
const GROWTH: u64 = 16 * 1024;

/// An answer at once: so long at the 99.9th percentile, beside what the machine adds.
const AT_ONCE: Duration = Duration::from_millis(50);

/// A long run rests so many times as long as it works: the machine has other things to do.
const REST: u32 = 9;

/// The longest pause between two questions of a long run.
const PAUSE_MS: u64 = 100;

/// What a client does next.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// A few lines.
    Talk,
    /// Very many at once.
    Burst,
    /// A line that is much too long.
    LongLine,
    /// Many lines whose answers are read slowly.
    ReadSlowly,
    /// Another client, which ends its session without manners.
    Visit(End),
}

/// How a session ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// In the middle of a line.
    HalfALine,
    /// In the middle of a line of 10 MB.
    HalfALongLine,
    /// Right after very many lines, which are answered all the same.
    Burst,
    /// The output is closed, and lines go on coming.
    Deaf,
    /// Both pipes are closed during a search.
    Gone,
}

/// What is done in each lap, in random order.
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

/// Times of answers.
#[derive(Debug, Default)]
struct Latencies(Vec<Duration>);

impl Latencies {
    /// Of so many thousandths of the answers none took longer.
    fn percentile(&self, thousandths: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let index = (sorted.len() * thousandths).div_ceil(1000);
        sorted
            .get(index.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    }

    /// Count, p50, p99, p99.9 and maximum as cells of a table.
    fn cells(&self) -> String {
        let times = [500, 990, 999, 1000]
            .map(|thousandths| format!("{:.2}", self.percentile(thousandths).as_secs_f64() * 1e3));
        format!("{} | {}", self.0.len(), times.join(" | "))
    }
}

/// A client that stays, the others, and what was measured.
struct Soak<C> {
    client: C,
    random: Rng,
    /// The lines of a burst.
    burst: usize,
    /// Answers each line with itself.
    echo: Process,
    /// Sessions, that of the client included.
    sessions: u64,
    /// What the other clients did.
    visits: Tally,
    at_rest: Latencies,
    during_search: Latencies,
    echoed: Latencies,
    counted: Latencies,
    /// Memory in KiB after the first lap, and the most and the last since.
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

    /// Everything once; after each action `rest` is called with the time it took, and tells whether to go on.
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

    /// A session from its beginning to that end.
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
                // The pipe closes with the first line that nobody takes.
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

    /// Questions that are answered at once, one at rest, and one during a search if there is `time` for it.
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

    fn ask_echo(&mut self) {
        let sent = Instant::now();
        self.echo.send("ping");
        self.echo.line_starting("ping");
        self.echoed.0.push(sent.elapsed());
    }

    /// Ends the session of the client in its own time.
    fn finish(&mut self) {
        self.client.engine().finish();
        self.echo.finish();
    }

    /// What was done, as a row of a table.
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

/// What an engine would take that has nothing to do but this: one thread counts, another hears that it is to end and tells it so, a
/// third waits for its end and answers.
fn end_of_counting(time: Duration) -> Duration {
    let is_over = &AtomicBool::new(false);
    let (tell, told) = channel();
    let (answer, answered) = channel();
    thread::scope(|scope| {
        let counting = scope.spawn(move || {
            let mut count = 0_u64;
            while !is_over.load(Ordering::Relaxed) {
                count = std::hint::black_box(count + 1);
            }
        });
        scope.spawn(move || {
            told.recv().expect("a word");
            is_over.store(true, Ordering::Relaxed);
        });
        scope.spawn(move || {
            counting.join().expect("counting does not fail");
            answer.send(()).expect("somebody waits");
        });
        thread::sleep(time);
        let sent = Instant::now();
        tell.send(()).expect("somebody listens");
        answered.recv().expect("an answer");
        sent.elapsed()
    })
}

/// A session whose client closes both pipes during a search.
fn leave_during_a_search<C: Client>(seed: u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(C::arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    // The client only makes the lines; nothing is heard.
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

/// A lap.
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

/// Laps until the time is over, with rests in which it is asked again and again.
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

/// What must hold after a long run.
fn check<C: Client>(soak: &Soak<C>) {
    if let Some([first, most, _]) = soak.memory {
        assert!(
            most < first + GROWTH,
            "{}: {first} KiB, then {most} KiB",
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
            "{name}: {time:?}, {machine:?} by the machine"
        );
    }
}

#[test]
fn gtp() {
    soak::<GtpClient>(1);
}

#[test]
fn nboard() {
    soak::<NBoardClient>(2);
}

#[test]
fn uci() {
    soak::<UciClient>(3);
}

#[test]
#[ignore = "takes an hour, or EMILIA_SOAK_SECONDS"]
fn soak_of_all_protocols() {
    let seconds = std::env::var("EMILIA_SOAK_SECONDS").map_or(SECONDS, |seconds| {
        seconds.parse().expect("a number of seconds")
    });
    let time = Duration::from_secs(seconds);
    let seed = long_seed();
    println!(
        "| protocol | sessions | lines | answers checked | searches | MiB after a lap | most | at the end |"
    );
    println!("| protocol | questions | p50 ms | p99 ms | p99.9 ms | most ms |");
    thread::scope(|scope| {
        scope.spawn(|| soak_for::<GtpClient>(seed, time));
        scope.spawn(|| soak_for::<NBoardClient>(seed, time));
        scope.spawn(|| soak_for::<UciClient>(seed, time));
    });
}
