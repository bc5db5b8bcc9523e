//! Checks the moves in `web/lessons.txt`: a search must find each best move and refute each
//! mistake. A row of the kinds `play` and `solve` has a position, a line of play that begins with
//! the best move, and one that begins with the mistake.

use emilia_core::board::{Color, Move, Position};
use emilia_core::search::{Engine, Limits, Settings, Silent};
use emilia_games::Game;
use emilia_review::practice::Exercise;

use crate::server::LESSONS;

/// Depth in plies of a search of a lesson's position, and of a search at the end of its best line
/// of play.
const DEPTH: u32 = 21;
const LINE_DEPTH: u32 = 14;

/// Minimum loss of a mistake, in discs.
const LOSS: f64 = 4.0;

/// Maximum difference in discs between the value of a position and the value at the end of its best
/// line of play.
const SLACK: f64 = 4.0;

/// Plays the moves of `line` and returns the position after them.
fn after(position: &Position, line: &str) -> Position {
    line.split(' ').fold(*position, |position, mv| {
        let mv: Move = mv.parse().expect("a move");
        let next = position.play(mv);
        next.unwrap_or_else(|error| panic!("{position} {line}: {error}"))
    })
}

/// Returns the value for Black in discs, and the best move. The move is `None` if the game is over.
fn search(engine: &mut Engine, position: &Position, depth: u32) -> (f64, Option<Move>) {
    if position.is_over() {
        return (f64::from(position.final_score_for(Color::Black)), None);
    }
    let line = engine.search(position, &Limits::depth(depth), &mut Silent);
    let discs = line.value.discs();
    let is_black = position.mover == Color::Black;
    (if is_black { discs } else { -discs }, line.best_move())
}

#[test]
fn the_best_moves_of_lessons_are_best_and_their_mistakes_lose_four_discs() {
    let mut engine = Engine::new(Settings::default().with_hash_mib(16));
    let rows = LESSONS
        .lines()
        .map(|row| row.split('\t').collect::<Vec<_>>());
    let mut counts = [0, 0];
    for row in rows {
        let [
            kind @ ("rule" | "play" | "solve"),
            theme,
            position,
            good,
            bad,
            ..,
        ] = row[..]
        else {
            continue;
        };
        let position: Position = position.parse().expect("a position");
        counts[usize::from(kind != "rule")] += 1;
        if kind == "rule" {
            assert!(good == "any" || after(&position, good) != position);
            continue;
        }
        let (best, mistake) = (&good[..2], &bad[..2]);
        let (value, found) = search(&mut engine, &position, DEPTH);
        assert_eq!(found, best.parse().ok(), "{position}");
        // `bad` has the mistake and the moves that refute it. The position after the mistake and
        // the first of these moves is searched. If the opponent has a better reply, the mistake
        // loses even more.
        let (lost, _) = search(&mut engine, &after(&position, &bad[..5]), DEPTH);
        assert!(
            lost <= value - LOSS,
            "{position} {bad}: {lost}, not {value}"
        );
        after(&position, bad);
        let (end, _) = search(&mut engine, &after(&position, good), LINE_DEPTH);
        assert!(
            (end - value).abs() <= SLACK,
            "{position} {good}: {end}, not {value}"
        );
        let [best, mistake] = [best, mistake].map(|square| square.parse().expect("a square"));
        let exercise = Exercise::of(&Game::new(position), 0, mistake, best, value - lost);
        let themes = exercise.expect("two legal moves").themes;
        assert!(
            theme == "-" || themes.contains(&theme),
            "{position}: {themes:?}"
        );
        if position.board.empty_count() <= 6 {
            let all = engine.multi_pv(&position, 64, &Limits::depth(DEPTH), &mut Silent);
            let wins = all.iter().filter(|line| line.value.discs() > 0.0).count();
            assert_eq!(wins, 1, "{position}: the only move that wins");
        }
    }
    assert_eq!(counts, [6, 25]);
}
