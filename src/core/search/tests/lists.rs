//! Tests of MultiPV: all lines (root moves with value and PV) have the same depth, symmetric moves
//! are one move, and lines agree at transpositions.

use std::collections::{HashMap, HashSet};

use super::{assert_legal, random_boards};
use crate::board::testing::board_of_one_game;
use crate::board::{Board, Move, Position, Square, Symmetry};
use crate::eval::Value;
use crate::search::{Engine, Limits, Line, Settings, Silent};

/// Creates an engine with default settings, a small table and `threads` threads.
fn engine(threads: usize) -> Engine {
    let settings = Settings::default().with_hash_mib(1);
    Engine::new(settings.with_threads(threads))
}

fn after(transcript: &str) -> Board {
    transcript.parse::<Position>().unwrap().board
}

/// Asserts that lines that reach the same position give it the same value.
fn assert_agreed(board: &Board, lines: &[Line]) {
    let mut known: HashMap<Board, Value> = HashMap::new();
    for line in lines {
        let (mut at, mut value) = (*board, line.value);
        for &mv in &line.pv {
            (at, value) = (at.play_or_pass(mv), -value);
            let first = *known.entry(at).or_insert(value);
            assert_eq!(first, value, "{at:?} in {lines:#?}");
        }
    }
}

fn assert_one_list(board: &Board, lines: &[Line], count: usize) {
    let moves = board.legal_moves().count() as usize;
    assert_eq!(lines.len(), count.min(moves));
    assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.value)));
    assert!(
        lines.iter().all(|line| line.depth == lines[0].depth),
        "{lines:#?}"
    );
    let firsts: HashSet<_> = lines.iter().map(Line::best_move).collect();
    assert_eq!(firsts.len(), lines.len(), "{lines:#?}");
    for line in lines {
        assert_legal(board, line);
    }
}

#[test]
fn symmetric_moves_are_searched_once_and_share_their_value() {
    let mut engine = engine(1);
    for nodes in [1000, 20_000, 333_333] {
        engine.clear();
        let lines = engine.multi_pv(&Board::START, 4, &Limits::nodes(nodes), &mut Silent);
        assert_one_list(&Board::START, &lines, 4);
        let first = &lines[0];
        for line in &lines {
            assert_eq!(line.value, first.value);
            let is_image = |symmetry: Symmetry| {
                let square = |mv: &Move| mv.square().map(|square| symmetry.square(square));
                let image: Vec<Option<Square>> = first.pv.iter().map(square).collect();
                let pv: Vec<_> = line.pv.iter().map(|mv| mv.square()).collect();
                symmetry.board(&Board::START) == Board::START && image == pv
            };
            assert!(Symmetry::all().any(is_image), "{lines:#?}");
        }
    }
}

#[test]
fn lines_of_an_interrupted_search_have_equal_depth() {
    let mut engine = engine(1);
    let mut random = fastrand::Rng::with_seed(31);
    let mut boards = random_boards(32, 25, 9..=50);
    boards.push(after("f5d6"));
    for board in boards {
        let nodes = 10u64.pow(random.u32(2..=4)) * random.u64(1..=9);
        let count = random.usize(2..=12);
        engine.clear();
        let lines = engine.multi_pv(&board, count, &Limits::nodes(nodes), &mut Silent);
        assert_one_list(&board, &lines, count);
    }
}

#[test]
fn lines_agree_on_the_value_of_a_common_position() {
    for threads in [1, 3] {
        let mut engine = engine(threads);
        let mut random = fastrand::Rng::with_seed(33);
        let mut boards = vec![after("f5d6"), after("f5f6")];
        boards.extend((0..12).filter_map(|_| board_of_one_game(&mut random, 45)));
        // These positions have 20 empties, so they are solved: first with forward pruning, then at
        // full width.
        boards.extend((0..6).filter_map(|_| board_of_one_game(&mut random, 20)));
        for board in boards {
            engine.clear();
            let limits = Limits {
                solve_from_empties: Some(20),
                nodes: Some(400_000),
                ..Limits::depth(10)
            };
            let lines = engine.multi_pv(&board, 20, &limits, &mut Silent);
            assert_one_list(&board, &lines, 20);
            assert_agreed(&board, &lines);
        }
    }
}
