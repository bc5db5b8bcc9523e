//! `emilia ggs` against the mock server of its crate.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;

use emilia_core::board::Move;
use emilia_core::search::system_clock;
use emilia_games::Game;
use nix::sys::signal::Signal;

use crate::common::matches::{EMILIA, Scratch};
use crate::common::run::{cases, emilia, emilia_line};
use crate::common::{Process, wait_until};

#[path = "../../src/protocol/ggs/tests/server.rs"]
mod server;

use server::{PASSWORD, Packets, Plan, Ready, Server, USER, World};

/// A client in a folder, with its output in files.
struct Client {
    process: Process,
    folder: Scratch,
}

impl Client {
    /// Starts a client, whose password is in a file, with the log of all lines.
    fn start(server: &Server, options: &str) -> Client {
        let folder = Scratch::new("ggs");
        fs::write(folder.path("password"), format!("{PASSWORD}\r\n")).unwrap();
        let script = format!(
            "cd '{}' && exec '{EMILIA}' ggs --host 127.0.0.1 --port {} --user {USER} {options} \
             --password-file password --games games.ggf --threads=2 --hash=2 -vv >out 2>log",
            folder.folder(),
            server.port
        );
        let process = Process::start("sh", &["-c", &script]);
        Client { process, folder }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path(name)).unwrap_or_default()
    }

    /// Waits for a text in the output.
    fn wait_for(&self, text: &str) {
        wait_until(|| self.read("out").contains(text));
    }

    /// Waits for the end, and returns the games that were kept.
    fn finish(&mut self) -> Vec<Game> {
        let status = self.process.wait();
        assert!(status.success(), "{}", self.read("log"));
        let games = self.read("games.ggf");
        let games = games.lines().map(|line| Game::from_ggf(line).unwrap());
        games.collect()
    }
}

fn start(plans: &[Plan], packets: Packets, ready: Ready) -> Server {
    Server::start(World::new(plans, 1), system_clock, packets, ready)
}

const GAME: Plan = Plan {
    kind: "8w",
    seconds: 600,
    break_at: None,
};

#[test]
fn games_are_kept_for_analyze_and_the_password_is_nowhere() {
    let server = start(&[GAME], Packets::Bytes, Ready::Late);
    server.world().add(Plan {
        kind: "s8r20",
        ..GAME
    });
    let mut client = Client::start(&server, "--depth=2");
    client.wait_for("Logged in as emilia.");
    wait_until(|| server.world().is_done());
    client.wait_for("End of match .4");
    client.process.signal(Signal::SIGINT);
    let games = client.finish();
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(Game::is_over));
    assert_eq!(server.world().faults, Vec::<String>::new());
    for name in ["out", "log", "games.ggf"] {
        assert!(!client.read(name).contains(PASSWORD), "{name}");
    }
    assert!(client.read("log").contains("> (password)"));
    let path = client.folder.path("games.ggf");
    let run = emilia(&["analyze", &path, "--depth", "1"], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    run.assert_shows("boris");
}

#[test]
fn ctrl_c_finishes_the_match_and_twice_leaves_at_once() {
    let server = start(&[GAME, GAME], Packets::Together, Ready::AtOnce);
    let mut client = Client::start(&server, "--depth=6");
    client.wait_for("Match .2");
    client.process.signal(Signal::SIGINT);
    client.wait_for("Leaving after the running match");
    let games = client.finish();
    assert_eq!(games.len(), 1);
    assert!(games[0].is_over());
    assert!(!server.world().is_done());

    // A search of minutes.
    let seconds = 36_000;
    let server = start(
        &[Plan { seconds, ..GAME }],
        Packets::Together,
        Ready::AtOnce,
    );
    let mut client = Client::start(&server, "--clock 1:00-24:00:00 --book off");
    client.wait_for("Match .2");
    client.process.signal(Signal::SIGINT);
    client.wait_for("Leaving after the running match");
    client.process.signal(Signal::SIGINT);
    client.finish();
}

/// Number of games, by `EMILIA_GGS_GAMES`: each ends otherwise. The server sends old boards again,
/// loses lines and mixes others between them.
#[test]
fn every_move_that_was_seen_is_in_the_file() {
    let games = std::env::var("EMILIA_GGS_GAMES").map_or(4, |text| text.parse().unwrap());
    for number in 0..games {
        let mut world = World::new(&[GAME], number as u64);
        world.is_troubled = true;
        let server = Server::start(world, system_clock, Packets::Together, Ready::AtOnce);
        let mut client = Client::start(&server, "--depth=1 --book off");
        let signals = [
            None,
            Some(Signal::SIGHUP),
            Some(Signal::SIGTERM),
            Some(Signal::SIGKILL),
        ];
        let (signal, at) = (signals[number % 4], 2 + number * 7 % 25);
        let sent = || client.read("log").matches("tell /os play").count();
        wait_until(|| server.world().is_done() || signal.is_some() && sent() >= at);
        client.process.signal(signal.unwrap_or(Signal::SIGINT));
        let status = client.process.wait();
        assert_eq!(
            status.success(),
            signal != Some(Signal::SIGKILL),
            "{number}"
        );
        let (log, file) = (client.read("log"), client.read("games.ggf"));
        let records = file.lines().map(|line| Game::from_ggf(line).unwrap());
        let record = records.max_by_key(|game| game.moves().len()).unwrap();
        let seen = log.lines().filter_map(|line| {
            let (number, played) = line.split_once("< |")?.1.split_once(": ")?;
            let number = number
                .trim()
                .parse::<usize>()
                .ok()
                .filter(|&number| number > 0)?;
            Some((number, played.split('/').next()?.parse::<Move>().ok()?))
        });
        let seen: BTreeMap<usize, Move> = seen.collect();
        let last = seen.keys().max().copied().unwrap_or_default();
        let lost = if signal == Some(Signal::SIGKILL) {
            2
        } else {
            0
        };
        for (at, mv) in seen.range(..=last - lost) {
            let own = record.moves().get(at - 1).map(|played| played.mv);
            assert_eq!(own, Some(*mv), "game {number}, move {at} of {last}: {file}");
        }
    }
}

#[test]
fn a_login_without_success_is_an_error() {
    let server = start(&[], Packets::Together, Ready::Never);
    let folder = Scratch::new("ggs-refused");
    let (port, games) = (server.port.to_string(), folder.path("games.ggf"));
    let run = |port: &str, password: &[u8]| {
        let line = format!("ggs --host=127.0.0.1 --user {USER} --games {games} --port {port}");
        emilia(&line.split(' ').collect::<Vec<_>>(), password)
    };
    let refused = run(&port, b"wrong-word\n");
    assert_eq!(refused.code, Some(2));
    refused.assert_reports("emilia: the server refuses the login: : ERR wrong password");
    assert!(!refused.stderr.contains("wrong-word"));
    run(&port, b"").assert_refused("the password is empty");
    run("1", b"word-1\n").assert_reports("cannot connect to 127.0.0.1:1: ");
    fs::write(&games, "not a game").unwrap();
    run(&port, b"word-1\n").assert_refused("it is not a GGF file; give another name");
    for [options, reason] in cases(
        "\
        --user x | expected 2 to 8 letters and digits
        --user emilia --accept 8,10 | '10': expected 8, 8b, 8w, s8, s8r, or s8rN with N from 4 to 48
        --user emilia --accept s8r50 | 's8r50': expected 8
        --user emilia --rating 2000-1000 | expected two ratings
        --user emilia --clock 5-x | expected two times
        --user emilia --rated maybe | [possible values: yes, no]
        --user emilia --ask s8r | expected the discs of the start
        --user emilia --ask 8,banana | expected the discs of the start, and a clock
        --user emilia --port 0 | expected 1 to 65535
        --user emilia --password-file /nowhere | '/nowhere': ",
    ) {
        emilia_line(&format!("ggs {options}")).assert_refused(reason);
    }
}
