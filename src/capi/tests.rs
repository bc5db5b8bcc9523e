//! Tests of the exported functions of the C interface, with valid and invalid arguments.

mod handle;

use std::thread;

use super::*;
use emilia_core::board::{Color, Position};
use emilia_core::search::{Engine, Limits, Settings, Silent};
use emilia_player::Player;
use handle::{Handle, done, last_error, level, no_result, refused, string};

#[test]
fn a_game_has_the_results_of_player_until_it_is_over() {
    let engine = Handle::new();
    assert_eq!(engine.poll(), no_result());
    assert_eq!(engine.line(0), Err(EmiliaStatus::NoLine));
    done(engine.wait());
    done(engine.stop());
    let mut player = Player::new(Engine::new(Settings::default()));
    let mut position = Position::START;
    while !position.is_over() {
        let own = engine.position();
        let discs = [Color::Black, Color::White].map(|color| position.discs(color).0);
        assert_eq!(
            ([own.black, own.white], own.mover),
            (discs, position.mover as i32)
        );
        assert_eq!(engine.legal_moves(), position.board.legal_moves().0);
        let line = player.choose(&position, &Limits::depth(3), &mut Silent);
        let result = engine.found(level(3));
        let pv: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
        assert_eq!(string(&result.pv), pv.join(" "));
        assert_eq!(string(&result.r#move), pv[0]);
        let placed = line.pv[0].square();
        let square = placed.map_or(EMILIA_PASS, |at| at.index() as i32);
        assert_eq!((result.square, result.lines), (square, 1));
        assert_eq!(result.value.to_bits(), line.value.discs().to_bits());
        done(engine.play(&pv[0]));
        position = position.play(line.pv[0]).expect("legal");
    }
    let end = engine.position();
    let score = position.final_score_for(Color::Black);
    assert_eq!((end.state, end.black_score), (EMILIA_OVER, score));
    assert_eq!(engine.legal_moves(), 0);
    let message = "the game is over: neither side can move";
    refused(engine.go(level(1)), EmiliaStatus::GameOver, message);
    refused(engine.hint(1), EmiliaStatus::GameOver, message);
}

#[test]
fn null_pointers_are_refused() {
    let (none, null) = (ptr::null_mut(), EmiliaStatus::NullPointer);
    // SAFETY: every function of the interface accepts null pointers.
    unsafe {
        let text = c"start".as_ptr();
        emilia_free(none);
        for status in [
            emilia_new(ptr::null_mut()),
            emilia_set_option(none, text, text),
            emilia_set_position(none, text),
            emilia_play(none, text),
            emilia_undo(none),
            emilia_get_position(none, ptr::null_mut()),
            emilia_legal_moves(none, ptr::null_mut()),
            emilia_go(none, ptr::null()),
            emilia_hint(none, 1, ptr::null()),
            emilia_stop(none),
            emilia_poll(none, ptr::null_mut()),
            emilia_line(none, 0, ptr::null_mut()),
            emilia_wait(none),
        ] {
            refused(status, null, "engine: the pointer is null");
        }
        let engine = Handle::new();
        let at = engine.0;
        done(emilia_hint(at, 1, ptr::null()));
        done(emilia_stop(at));
        done(emilia_wait(at));
        for (status, name) in [
            (emilia_set_option(at, ptr::null(), text), "name"),
            (emilia_set_option(at, text, ptr::null()), "value"),
            (emilia_set_position(at, ptr::null()), "position"),
            (emilia_play(at, ptr::null()), "move"),
            (emilia_get_position(at, ptr::null_mut()), "emilia_position"),
            (emilia_legal_moves(at, ptr::null_mut()), "squares"),
            (emilia_poll(at, ptr::null_mut()), "emilia_result"),
            (emilia_line(at, 0, ptr::null_mut()), "emilia_result"),
        ] {
            assert_eq!(status, null, "{name}");
        }
    }
}

#[test]
fn invalid_text_and_limits_are_refused_with_a_message() {
    let engine = Handle::new();
    let latin = c"f\xfc\x6e".as_ptr();
    // SAFETY: the engine is live and the strings end with NUL.
    unsafe {
        let refused_text = |status, name: &str| {
            let message = format!("{name}: the text is not UTF-8");
            refused(status, EmiliaStatus::BadText, &message);
        };
        refused_text(emilia_play(engine.0, latin), "move");
        refused_text(emilia_set_position(engine.0, latin), "position");
        refused_text(emilia_set_option(engine.0, latin, latin), "name");
    }
    for text in ["", "f5f5", "XO", "\u{1f600}", "start start"] {
        let message = text.parse::<Position>().unwrap_err().to_string();
        let status = engine.set_position(text);
        refused(status, EmiliaStatus::BadPosition, &message);
    }
    let message = "illegal move: a1 for black (legal: d3 c4 f5 e6)";
    refused(engine.play("a1"), EmiliaStatus::BadMove, message);
    let (bad_option, bad_limits) = (EmiliaStatus::BadOption, EmiliaStatus::BadLimits);
    let message = "'61': expected a level: h0 to h14 play as people do (h1 is also beginner), 1 to 60 as an engine, or none";
    refused(engine.set_option("level", "61"), bad_option, message);
    refused(engine.go(level(61)), bad_limits, message);
    let message = "count: 0 (expected at least one line)";
    refused(engine.hint(0), bad_limits, message);
    let mut count = 0;
    assert_eq!(engine.perft(6, &mut count), EmiliaStatus::Ok);
    assert_eq!(count, 8200);
    let message = "depth: 21 is out of range (expected 0 to 20)";
    refused(engine.perft(21, &mut count), bad_limits, message);
    assert_eq!(engine.poll(), no_result());
    assert_eq!(engine.position().black_score, 0);
    let message = "no move was played that could be taken back";
    refused(engine.undo(), EmiliaStatus::NoUndo, message);
    for size in [0, 4, 31, 40, u32::MAX] {
        let limits = EmiliaLimits { size, ..level(1) };
        let message =
            format!("emilia_limits: the size is {size} (expected 32: sizeof(emilia_limits))");
        refused(engine.go(limits), EmiliaStatus::BadStruct, &message);
    }
}

#[test]
fn changing_the_game_during_a_search_is_refused() {
    let engine = Handle::searching_for_an_hour();
    done(engine.hint(2));
    for status in [
        engine.go(level(1)),
        engine.hint(1),
        engine.set_position("start"),
        engine.set_option("threads", "2"),
        engine.play("f5"),
        engine.undo(),
    ] {
        let message = "a search is running: call emilia_stop and emilia_wait first";
        refused(status, EmiliaStatus::Searching, message);
    }
    assert_eq!(engine.poll().state, EMILIA_RUNNING);
    assert_eq!(engine.legal_moves().count_ones(), 4);
    done(engine.stop());
    done(engine.wait());
    done(engine.stop());
    assert_eq!((engine.poll().state, engine.poll().lines), (EMILIA_DONE, 2));
    done(engine.play("f5"));
    assert_eq!(engine.poll(), no_result());
    // `stop` after the end of a search must not stop the next search.
    assert_eq!(engine.found(level(5)).depth, 5);
    // Dropping the handle frees the engine while a search is running.
    done(engine.set_option("threads", "2"));
    done(engine.hint(1));
}

#[test]
fn stop_from_another_thread_ends_wait() {
    let engine = Handle::searching_for_an_hour();
    done(engine.hint(1));
    thread::scope(|scope| {
        let engine = &engine;
        // While the other thread is in a call, `emilia_wait` returns `Busy`. The call is then
        // repeated.
        let waiting = scope.spawn(move || {
            let statuses = std::iter::repeat_with(|| engine.wait());
            let mut others = statuses.filter(|&status| status != EmiliaStatus::Busy);
            done(others.next().expect("the iterator is endless"));
        });
        let mut result = no_result();
        // SAFETY: the engine is live and the result is writable. Concurrent calls return `Busy`.
        let poll = |result: &mut EmiliaResult| unsafe { emilia_poll(engine.0, result) };
        while poll(&mut result) == EmiliaStatus::Ok {
            thread::yield_now();
        }
        assert_eq!(last_error(), "another thread is in a call on this engine");
        done(engine.stop());
        waiting.join().expect("no panic");
    });
    assert_eq!(engine.poll().state, EMILIA_DONE);
}

#[test]
fn hint_lines_belong_to_one_iteration() {
    let engine = Handle::searching_for_an_hour();
    done(engine.set_position("f5d6"));
    let legal = engine.legal_moves();
    let line = |index| engine.line(index).expect("a line of this index");
    done(engine.hint(100));
    let mut depth = 0;
    while depth < 5 {
        let best = engine.poll();
        depth = best.depth;
        assert!([0, legal.count_ones()].contains(&best.lines));
        let lines: Vec<_> = (0..best.lines).map(line).collect();
        assert!(lines.is_sorted_by(|one, other| one.value >= other.value));
        assert!(lines.iter().all(|line| line.depth == depth));
        assert_eq!(engine.line(best.lines), Err(EmiliaStatus::NoLine));
        thread::yield_now();
    }
    done(engine.stop());
    done(engine.wait());
    let squares = (0..legal.count_ones()).map(|index| 1 << line(index).square);
    assert_eq!(squares.sum::<u64>(), legal);
}

/// White must pass. Black then plays a1, the last empty square.
const PASS: &str = "-OXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O";

#[test]
fn forced_pass_may_be_omitted() {
    let engine = Handle::new();
    done(engine.set_position(PASS));
    let before = engine.position();
    let expected = (EMILIA_WHITE, EMILIA_MUST_PASS);
    assert_eq!((before.mover, before.state), expected);
    let result = engine.found(level(1));
    assert_eq!(result.square, EMILIA_PASS);
    assert_eq!(string(&result.r#move), "pass");
    assert_eq!(string(&result.pv), "pass a1");
    assert_eq!((result.exact, result.selectivity), (1, 100));
    assert_eq!(result.value.to_bits(), (-64.0_f64).to_bits());
    done(engine.hint(3));
    done(engine.wait());
    assert_eq!(engine.poll().lines, 1);
    done(engine.play("pass"));
    done(engine.play("a1"));
    let after = engine.position();
    assert_eq!(after.state, EMILIA_OVER);
    done(engine.undo());
    done(engine.undo());
    assert_eq!(engine.position(), before);
    done(engine.play("A1"));
    assert_eq!(engine.position(), after);
    done(engine.undo());
    assert_eq!(engine.undo(), EmiliaStatus::NoUndo);
    assert_eq!(engine.play("h8"), EmiliaStatus::BadMove);
    assert_eq!(engine.position(), before);
}

#[test]
fn each_limit_ends_the_search() {
    let engine = Handle::new();
    // With this option alone, each search would take 60 s. The limits of the call must override it.
    done(engine.set_option("time", "60"));
    let limits = |set: fn(&mut EmiliaLimits)| {
        let mut limits = level(0);
        set(&mut limits);
        limits
    };
    for limits in [
        level(6),
        limits(|limits| limits.nodes = 5000),
        limits(|limits| limits.time_ms = 20),
        limits(|limits| (limits.clock_ms, limits.increment_ms) = (500, 10)),
    ] {
        done(engine.set_position("f5d6c3d3c4"));
        assert!(engine.found(limits).elapsed_ms < 30_000);
    }
    let end = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOX------- X";
    done(engine.set_position(end));
    assert_eq!(engine.found(limits(|limits| limits.exact = 10)).exact, 1);
    // A field of the limits that is 0 leaves the option in force.
    done(engine.set_position("start"));
    done(engine.set_option("depth", "4"));
    assert_eq!([0, 5].map(|depth| engine.found(level(depth)).depth), [4, 5]);
}

#[test]
fn last_error_is_per_thread() {
    let engine = Handle::new();
    assert_eq!(engine.play("i9"), EmiliaStatus::BadMove);
    thread::scope(|scope| {
        scope.spawn(|| {
            assert_eq!(last_error(), "");
            assert_eq!(engine.play("a1"), EmiliaStatus::BadMove);
            assert!(last_error().starts_with("illegal move"));
        });
    });
    assert_eq!(last_error(), "'i9' is not a move (expected a1..h8 or pass)");
}

#[test]
fn long_messages_are_cut_at_a_character_boundary() {
    for start in ["", "x"] {
        error::remember(&(start.to_owned() + &"ü".repeat(2000)));
        let message = last_error();
        assert!([1022, 1023].contains(&message.len()), "{}", message.len());
        assert!(message.ends_with('ü'), "{message}");
    }
}
