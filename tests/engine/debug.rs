//! `Debug` of public types: short enough for a terminal and a log.

use std::fmt::Debug;

use emilia_core::board::{Bitboard, perft::Perft};
use emilia_core::eval::net::Net;
use emilia_core::eval::{Classic, Light, light};
use emilia_core::{Engine, Limits, Position, Settings, Silent, Transcript};

/// Greatest length of a `Debug` text, in bytes.
const MOST: usize = 300;

#[test]
fn debug_texts_are_short() {
    let mut engine = Engine::new(Settings::default());
    let limits = Limits::depth(8);
    let line = engine.search(&Position::START, &limits, &mut Silent);
    let mut game = Transcript::default();
    while let Some(&mv) = game.end().moves().first() {
        game.play(mv).unwrap();
    }
    let handle = engine.start(&Position::START, 1, &Limits::depth(1));
    let values: [&dyn Debug; 15] = [
        &engine,
        engine.settings(),
        &limits,
        &line,
        &handle.unwrap(),
        &Settings::default().with_evaluator(Classic),
        &Settings::default().evaluator,
        &Net::embedded(),
        &*Light::embedded(),
        &light::reduced_index(),
        &Position::START,
        &Position::START.board,
        &Bitboard::ALL,
        &game,
        &Perft::default(),
    ];
    for value in values {
        let text = format!("{value:?}");
        assert!(text.len() <= MOST, "{} bytes: {text:.400}", text.len());
    }
}
