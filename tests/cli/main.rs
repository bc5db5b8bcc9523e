//! End-to-end tests of the binary, one module for each command, protocol or kind of fault, and the
//! laws of the parsers. [`common`] holds helpers. One test binary links faster than several.

mod common;

mod analyze;
mod bench;
mod book;
mod browser;
mod cassio;
mod clients;
mod compare;
mod convert;
mod dialogues;
mod eval_test;
#[path = "../fuzz.rs"]
mod fuzz;
mod games;
mod ggs;
mod gtp;
mod gui;
mod gui_games;
mod gui_openings;
mod gui_page;
mod gui_still;
mod gui_walk;
mod help;
mod hint;
mod hostile;
mod interrupted;
mod json;
mod learn;
mod lessons;
mod matches;
mod memory;
mod nboard;
mod perft;
mod play;
mod play_terminal;
mod practice;
mod refused;
mod show;
mod solve;
mod tournament;
mod train;
mod tune;
mod uci;
