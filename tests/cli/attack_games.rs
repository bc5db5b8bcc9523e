//! Whole games over GTP and NBoard with malformed lines between the moves.
//! The test tracks the game, and compares the engine's endgame moves and scores with plain negamax.
//!
//! `cargo test` plays 20 games per protocol.
//! `cargo test --release --test cli -- attack_games:: --ignored` plays 4,500 with a new random seed.

use crate::common::Process;
use crate::common::wild::{garbage, long_seed, number, one_of};
use emilia::board::{Board, Move, Score, Square};
use emilia::game::{Game, Played};
use fastrand::Rng;

/// Number of games in each test that is marked `#[ignore]`.
const GAMES: usize = 4500;

/// Largest number of empties at which moves and scores are compared with negamax.
const KNOWN_EMPTIES: u32 = 6;

/// Reference: returns the exact score for the side to move by full-width negamax.
fn negamax(board: &Board) -> Score {
    if board.is_over() {
        return board.final_score();
    }
    let after = |square| -negamax(&board.play(square));
    let best = board.legal_moves().squares().map(after).max();
    best.unwrap_or_else(|| -negamax(&board.pass()))
}

/// Returns a word that is not a legal move: an illegal square, or no move at all.
fn bad_move(random: &mut Rng, game: &Game) -> String {
    let square = Square::at(random.u8(..8), random.u8(..8));
    let position = game.position();
    // Where the mover must pass, a move of the other side is accepted: the pass is implied.
    if position.must_pass() || position.board.legal_moves().contains(square) {
        one_of(random, &["", "z9", "a0", "i1", "d3d3", "x"]).to_owned()
    } else {
        square.to_string()
    }
}

/// Counts of the games, plies, malformed lines and compared scores of a test.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    plies: usize,
    /// Malformed lines sent.
    broken: usize,
    /// Scores compared with negamax.
    scores: usize,
}

/// Plays the engine's move. From `KNOWN_EMPTIES` empties on it must have the exact score.
fn play_engine_move(game: &mut Game, mv: Move, tally: &mut Tally) {
    let board = game.position().board;
    if board.empty_count() <= KNOWN_EMPTIES {
        assert_eq!(-negamax(&board.make(mv)), negamax(&board), "{mv} {board:?}");
        tally.scores += 1;
    }
    let legal = game.play(mv);
    legal.unwrap_or_else(|error| panic!("{error}: {:?}", game.moves()));
}

/// Compares the exact value of a hint with negamax.
fn check_hint(game: &Game, mv: &str, value: &str, tally: &mut Tally) {
    let board = game.position().board;
    let mv: Move = mv.parse().expect("a move");
    let value: f64 = value.parse().expect("a value");
    let score = -negamax(&board.make(mv));
    assert!(
        (value - f64::from(score)).abs() < 0.01,
        "{mv} {value} {board:?}"
    );
    tally.scores += 1;
}

/// Returns a line that GTP must refuse.
fn broken_for_gtp(random: &mut Rng, game: &Game) -> Vec<u8> {
    let position = game.position();
    let text = match random.u32(..6) {
        0 => format!("play {} {}", position.mover, bad_move(random, game)),
        1 => format!("play {}", one_of(random, &["", "x", "b", "black", "d3"])),
        2 => format!("genmove {}", one_of(random, &["", "x", "d3"])),
        3 => format!("boardsize {}", random.u32(9..)),
        4 => format!("emilia-hint -{}", number(random)),
        _ => {
            let mut bytes = garbage(random, 1..=60);
            bytes.insert(0, b'x');
            return bytes;
        }
    };
    text.into_bytes()
}

fn gtp_game(engine: &mut Process, random: &mut Rng, tally: &mut Tally) {
    assert_eq!(engine.gtp("clear_board"), "=");
    let mut game = Game::default();
    while !game.is_over() {
        if random.u32(..4) == 0 {
            let mut line = broken_for_gtp(random, &game);
            line.push(b'\n');
            engine.send_bytes(&line);
            let answer = engine.answer();
            let line = String::from_utf8_lossy(&line);
            assert!(answer.starts_with("? "), "{line}: {answer}");
            tally.broken += 1;
        }
        let position = game.position();
        let mover = position.mover;
        if position.board.empty_count() == KNOWN_EMPTIES && !position.must_pass() {
            let hints = engine.ask("emilia-hint 64");
            assert_eq!(hints.lines().count(), position.moves().len());
            for hint in hints.lines() {
                let words: Vec<&str> = hint.split(' ').collect();
                assert_eq!(words[2], "100%", "{hint}");
                check_hint(&game, words[0], words[1], tally);
            }
        }
        if random.bool() {
            let answer = engine.ask(&format!("genmove {mover}"));
            let mv = answer.parse().unwrap_or_else(|error| panic!("{error}"));
            play_engine_move(&mut game, mv, tally);
        } else {
            let mv = random.choice(position.moves()).expect("a move");
            assert_eq!(engine.gtp(&format!("play {mover} {mv}")), "=");
            game.play(mv).expect("a legal move");
        }
        tally.plies += 1;
    }
    let expected = match game.score().expect("the game is over") {
        0 => "0".to_owned(),
        score @ 1.. => format!("B+{score}"),
        score => format!("W+{}", -score),
    };
    assert_eq!(engine.ask("final_score"), expected);
    tally.games += 1;
}

/// Returns a line that NBoard must refuse: no valid move, game or request.
fn broken_for_nboard(random: &mut Rng, game: &Game) -> Vec<u8> {
    let text = match random.u32(..6) {
        0 => format!("move {}", bad_move(random, game)),
        1 => format!("set game {}", one_of(random, &["", "(;", "(;)x", ")"])),
        2 => format!("set depth -{}", number(random)),
        3 => format!("hint -{}", number(random)),
        4 => one_of(random, &["move", "set", "hint", "ping"]).to_owned(),
        _ => {
            let mut bytes = garbage(random, 0..=60);
            bytes.insert(0, 0);
            return bytes;
        }
    };
    text.into_bytes()
}

/// Sends a `ping` to NBoard and returns the lines before its `pong`.
fn lines_until_pong(engine: &mut Process, number: usize) -> Vec<String> {
    engine.send(&format!("ping {number}"));
    let pong = format!("pong {number}");
    let lines = std::iter::from_fn(|| engine.line());
    lines.take_while(|line| *line != pong).collect()
}

/// Sends NBoard's `go` and returns the move of the answer.
fn engine_move(engine: &mut Process) -> Played {
    engine.send("go");
    let answer = engine.line_starting("=== ");
    let played = answer["=== ".len()..].parse();
    played.unwrap_or_else(|error| panic!("{error}: {answer}"))
}

fn nboard_game(engine: &mut Process, random: &mut Rng, tally: &mut Tally) {
    let mut game = Game::default();
    engine.send(&format!("set game {}", game.to_ggf()));
    while !game.is_over() {
        if random.u32(..4) == 0 {
            let mut line = broken_for_nboard(random, &game);
            line.push(b'\n');
            engine.send_bytes(&line);
            for line in lines_until_pong(engine, tally.plies) {
                assert!(line.starts_with("status"), "{line}");
            }
            tally.broken += 1;
        }
        let position = game.position();
        if position.board.empty_count() == KNOWN_EMPTIES && !position.must_pass() {
            engine.send("hint 64");
            let mut moves = 0;
            loop {
                let line = engine.line().expect("the session goes on");
                let words: Vec<&str> = line.split(' ').collect();
                match words[..] {
                    ["search", pv, value, _, "100%"] => {
                        check_hint(&game, &pv[..2], value, tally);
                        moves += 1;
                    }
                    ["nodestats", ..] => break,
                    _ => {}
                }
            }
            assert_eq!(moves, position.moves().len());
        }
        if random.bool() {
            play_engine_move(&mut game, engine_move(engine).mv, tally);
        } else {
            let mv = random.choice(position.moves()).expect("a move");
            game.play(mv).expect("a legal move");
        }
        let played = game.moves().last().expect("a move was played");
        engine.send(&format!("move {played}"));
        tally.plies += 1;
    }
    engine.send("go");
    let expected = match game.score().expect("the game is over") {
        0 => "status The game is over: a draw".to_owned(),
        score @ 1.. => format!("status The game is over: Black wins by {score}"),
        score => format!("status The game is over: White wins by {}", -score),
    };
    engine.line_starting(&expected);
    engine.line_starting("=== PA");
    tally.games += 1;
}

/// Runs one session of `protocol`, in which `play` plays each of `games` games.
fn session(
    protocol: &str,
    play: fn(&mut Process, &mut Rng, &mut Tally),
    random: &mut Rng,
    games: usize,
) -> Tally {
    let level = "--hash 1 --threads 1 --depth 1 --exact 8";
    let options: Vec<&str> = std::iter::once(protocol).chain(level.split(' ')).collect();
    let mut engine = Process::emilia(&options);
    let mut tally = Tally::default();
    for _ in 0..games {
        play(&mut engine, random, &mut tally);
    }
    engine.finish();
    tally
}

fn gtp_games(random: &mut Rng, games: usize) -> Tally {
    session("gtp", gtp_game, random, games)
}

fn nboard_games(random: &mut Rng, games: usize) -> Tally {
    session("nboard", nboard_game, random, games)
}

#[test]
fn gtp_games_with_malformed_lines_are_legal_and_solved_exactly() {
    gtp_games(&mut Rng::with_seed(4), 20);
}

#[test]
fn nboard_games_with_malformed_lines_are_legal_and_solved_exactly() {
    nboard_games(&mut Rng::with_seed(5), 20);
}

#[test]
#[ignore = "minutes"]
fn thousands_of_gtp_games_are_legal_and_solved_exactly() {
    println!("{:?}", gtp_games(&mut Rng::with_seed(long_seed()), GAMES));
}

#[test]
#[ignore = "minutes"]
fn thousands_of_nboard_games_are_legal_and_solved_exactly() {
    println!(
        "{:?}",
        nboard_games(&mut Rng::with_seed(long_seed()), GAMES)
    );
}
