//! Whole GTP games against another program, `gtp-rhino` of the Debian package grhino.
//!
//! Without that program the test prints a note and passes.

use std::path::Path;

use crate::common::Process;
use emilia::board::{Color, Move};
use emilia::game::Game;

/// Path of the opponent's binary.
const RHINO: &str = "/usr/games/gtp-rhino";

#[test]
fn games_with_gtp_rhino_are_legal_and_scored_alike() {
    if !Path::new(RHINO).exists() {
        eprintln!("skipped: {RHINO} is not installed (Debian package grhino)");
        return;
    }
    for emilia in [Color::Black, Color::White] {
        let mut rhino = Process::start(RHINO, &["--level=1"]);
        let mut ours = Process::emilia(&["gtp", "--depth", "2", "--hash", "1"]);
        let mut game = Game::default();
        while !game.is_over() {
            // gtp-rhino accepts no pass, so forced passes are played without asking either side.
            if game.position().must_pass() {
                game.play(Move::Pass).unwrap();
            }
            let mover = game.position().mover;
            let (player, other) = if mover == emilia {
                (&mut ours, &mut rhino)
            } else {
                (&mut rhino, &mut ours)
            };
            let answer = player.ask(&format!("genmove {mover}"));
            let mv: Move = answer.parse().unwrap();
            game.play(mv).unwrap_or_else(|error| panic!("{error}"));
            other.ask(&format!("play {mover} {answer}"));
        }
        let scores = [&mut ours, &mut rhino].map(|player| player.ask("final_score"));
        assert_eq!(scores[0], scores[1]);
    }
}
