//! Tests of whole sessions over sockets. The server splits messages into packets, breaks the
//! connection, or is hostile.

use std::io::{self, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use super::options;
use super::server::{PASSWORD, Packets, Plan, Server, World};
use crate::ggs::{Environment, play};
use emilia_core::eval::Simple;
use emilia_core::search::{Clock, Limits, Settings, system_clock};
use emilia_core::work::StopFlag;
use emilia_games::Game;
use emilia_player::Setup;

/// Result of a session: its games, its output, and the error that ended it.
struct Left {
    games: Vec<Game>,
    output: String,
    result: io::Result<()>,
}

/// Runs a client until `is_done` returns true. Then ends it as Ctrl-C would.
fn client(port: u16, setup: Setup, is_done: impl Fn() -> bool) -> Left {
    let interrupts = [StopFlag::default(), StopFlag::default()];
    let flags = interrupts.clone();
    let client = thread::spawn(move || {
        let (mut games, mut output) = (Vec::new(), Vec::new());
        let env = Environment {
            address: ("127.0.0.1", port),
            password: PASSWORD,
            interrupts: flags,
            keep: &mut |ended, _| {
                games.extend(ended);
                Ok(())
            },
            out: &mut output,
        };
        let result = play(options(), setup, env);
        let output = String::from_utf8(output).unwrap();
        Left {
            games,
            output,
            result,
        }
    });
    let begun = Instant::now();
    while !client.is_finished() && !is_done() {
        assert!(begun.elapsed() < Duration::from_secs(120));
        thread::sleep(Duration::from_millis(2));
    }
    interrupts[0].set();
    client.join().unwrap()
}

/// Clock that is 25 times as fast as real time. The 30 s that the client waits for an answer are
/// then 1.2 s, so that the server answers in time even on a busy computer.
fn fast() -> Duration {
    system_clock() * 25
}

/// Clock that is 100 times as fast as real time, for timeouts that a test waits for.
fn fastest() -> Duration {
    system_clock() * 100
}

/// Returns the setup of a weak player with the given clock.
fn setup(clock: Clock) -> Setup {
    let mut settings = Settings::default().with_hash_mib(2).with_evaluator(Simple);
    settings.clock = clock;
    Setup {
        settings,
        limits: Limits::depth(1),
        ..Setup::default()
    }
}

#[test]
fn games_are_whole_however_the_server_cuts_them() {
    for packets in [Packets::Whole, Packets::WithoutReady, Packets::Bytes] {
        let plans = [
            ("8w", None),
            ("s8r16", Some(21)),
            ("s8", None),
            ("8b", Some(40)),
        ];
        let plans = plans.map(|(kind, break_at)| Plan {
            kind,
            seconds: 3600,
            break_at,
        });
        let server = Server::start(World::new(&plans, 1), fast, packets);
        let left = client(server.port, setup(fast), || server.world().is_done());
        left.result.unwrap();
        assert_eq!(server.world().faults, Vec::<String>::new());
        let whole = left.games.iter().filter(|game| game.is_over()).count();
        assert_eq!(whole, 6, "{}", left.output);
        // The connection breaks during two matches. The client then also stores their incomplete
        // games: one or two of `s8r16`, and one of `8b`.
        assert!((8..=9).contains(&left.games.len()), "{}", left.output);
        assert_eq!(left.output.matches("Link lost").count(), 2);
        for game in &left.games {
            assert_eq!(game.to_ggf().parse::<Game>().unwrap(), *game);
        }
    }
}

/// Runs a client against a server that sends `greeting`, and then `rest` again and again. If `rest`
/// is empty, the server closes the connection.
fn hostile(greeting: &str, rest: &'static str) -> Left {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let greeting = greeting.to_owned();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(greeting.as_bytes());
        let rest = rest.repeat(1000);
        while !rest.is_empty() && stream.write_all(rest.as_bytes()).is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
    });
    let begun = Instant::now();
    let left = client(port, setup(fastest), || {
        begun.elapsed() > Duration::from_millis(400)
    });
    server.join().unwrap();
    left
}

#[test]
fn hostile_servers_are_left_with_a_sentence() {
    const LOGIN: &str = ": Enter login (yours, or one you'd like to use).\r\n";
    for (greeting, rest, reason) in [
        ("", "", "the server has closed it"),
        (LOGIN, "", "the server has closed it"),
        ("", "x", "no login within 30 s"),
        (
            ": Enter your password.\r\n: ERR s3cret-word?\r\n",
            "",
            "refuses the login: : ERR",
        ),
    ] {
        let left = hostile(greeting, rest);
        let error = left.result.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(!error.contains(PASSWORD), "{error}");
        assert_eq!(left.output, "");
    }
    for rest in [
        "\u{1b}[2J\u{7} garbage\r\n",
        "|0 move(s)\r\n",
        "/os: join .3 8w K?\r\n|2 move(s)\r\n| 1 - * O\r\n",
        "/os: + .7 x\r\n/os: + match\r\n/os: - match .3\r\n/os: end .3\r\n/os: error\r\n",
        "/os: s3cret-word\r\n/os: error s3cret-word\r\n",
        "READY\r\n",
    ] {
        let left = hostile("READY\r\n", rest);
        left.result.unwrap();
        assert!(left.output.starts_with("Logged in"), "{}", left.output);
        assert!(!left.output.contains(PASSWORD));
        assert!(left.games.is_empty());
    }
    let long = format!("READY\r\n{}\r\n", "x".repeat(1 << 17));
    let left = hostile(&long, "READY\r\n");
    assert!(
        left.output.contains("Link lost: a line without end"),
        "{}",
        left.output
    );
    let refused = client(1, setup(fast), || false)
        .result
        .unwrap_err()
        .to_string();
    assert!(
        refused.starts_with("cannot connect to 127.0.0.1:1: "),
        "{refused}"
    );
}
