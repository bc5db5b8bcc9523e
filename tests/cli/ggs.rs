//! `emilia ggs` against the mock server of its crate.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;

use emilia_core::board::Move;
use emilia_core::search::system_clock;
use emilia_games::Game;
use nix::sys::signal::Signal;

use crate::common::matches::{EMILIA, Scratch};
use crate::common::{Process, wait_until};

#[path = "../../src/protocol/ggs/tests/server.rs"]
mod server;

use server::{PASSWORD, Packets, Plan, Server, USER, World};

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
}

fn start(plans: &[Plan], packets: Packets) -> Server {
    Server::start(World::new(plans, 1), system_clock, packets)
}

const GAME: Plan = Plan {
    kind: "8w",
    seconds: 600,
    break_at: None,
};

#[test]
fn a_second_ctrl_c_leaves_at_once() {
    // A search of minutes.
    let seconds = 36_000;
    let server = start(&[Plan { seconds, ..GAME }], Packets::Whole);
    let mut client = Client::start(&server, "--book off");
    client.wait_for("Match .2");
    client.process.signal(Signal::SIGINT);
    client.wait_for("Leaving after the running match");
    client.process.signal(Signal::SIGINT);
    let status = client.process.wait();
    assert!(status.success(), "{}", client.read("log"));
}

#[test]
fn every_move_that_was_seen_is_in_the_file() {
    let [hangup, term, kill] = [Signal::SIGHUP, Signal::SIGTERM, Signal::SIGKILL];
    // A game ends at its end, or by a signal after a number of moves.
    for (signal, at, packets) in [
        (None, 0, Packets::WithoutReady),
        (Some(hangup), 9, Packets::Bytes),
        (Some(term), 16, Packets::Bytes),
        (Some(kill), 23, Packets::Bytes),
    ] {
        let server = start(&[GAME], packets);
        let mut client = Client::start(&server, "--depth=1 --book off");
        let sent = || client.read("log").matches("tell /os play").count();
        wait_until(|| server.world().is_done() || signal.is_some() && sent() >= at);
        client.process.signal(signal.unwrap_or(Signal::SIGINT));
        let status = client.process.wait();
        assert_eq!(status.success(), signal != Some(kill), "{signal:?}");
        let [out, log, file] = ["out", "log", "games.ggf"].map(|name| client.read(name));
        assert!(
            log.contains("> (password)")
                && ![out, log.clone(), file.clone()].concat().contains(PASSWORD)
        );
        let records = file.lines().map(|line| line.parse::<Game>().unwrap());
        let record = records.max_by_key(|game| game.moves().len()).unwrap();
        let seen = log.lines().filter_map(|line| {
            let (number, played) = line.split_once("< |")?.1.split_once(": ")?;
            let number = number.trim().parse().ok().filter(|&number| number > 0)?;
            Some((number, played.split('/').next()?.parse().ok()?))
        });
        let seen: BTreeMap<usize, Move> = seen.collect();
        let last = seen.keys().max().copied().unwrap_or_default();
        // A kill may lose the last two moves.
        let kept = if signal == Some(kill) {
            last.saturating_sub(2)
        } else {
            last
        };
        for (at, mv) in seen.range(..=kept) {
            let own = record.moves().get(at - 1).map(|played| played.mv);
            assert_eq!(own, Some(*mv), "{signal:?}, move {at} of {last}: {file}");
        }
    }
}
