//! Tests of the choice of moves: forced moves, pondering, and human levels.

use std::time::Duration;

use super::*;
use emilia_core::board::{Move, Square};
use emilia_core::search::TimeControl;
use emilia_core::search::{Selectivity, Silent};

fn player() -> Player {
    let play_settings = PlaySettings {
        ponder: true,
        ..PlaySettings::default()
    };
    Player::new(Engine::new(Settings::default().with_hash_mib(4))).with_play_settings(play_settings)
}

fn played(squares: &[Square]) -> Position {
    let mut position = Position::START;
    for &square in squares {
        position = position.play(Move::Place(square)).unwrap();
    }
    position
}

/// Returns a line whose PV are these moves.
fn line(squares: &[Square]) -> Line {
    let mut engine = Engine::new(Settings::default().with_hash_mib(1));
    let line = engine.search(&Position::START.board, &Limits::depth(1), &mut Silent);
    Line {
        pv: squares.iter().copied().map(Move::Place).collect(),
        ..line
    }
}

#[test]
fn a_forced_move_is_played_without_search_under_a_time_limit() {
    // Finds a position with a single legal move by always playing the last legal move.
    let mut position = Position::START;
    let forced = std::iter::from_fn(|| {
        let moves = position.moves();
        position = position.play(*moves.last()?).ok()?;
        Some(position)
    })
    .find(|position| position.board.legal_moves().count() == 1 && position.board.empty_count() > 20)
    .unwrap();
    let mut player = player();
    let hour = Limits::time(Duration::from_secs(3600));
    let line = player.choose(&forced, &hour, &mut Silent);
    assert_eq!(line.best_move(), Some(forced.moves()[0]));
    let search = player.start(&forced, &hour).unwrap();
    assert_eq!(search.wait()[0].best_move(), Some(forced.moves()[0]));
    // Without a time limit, the search reaches the requested depth.
    let line = player.choose(&forced, &Limits::depth(5), &mut Silent);
    assert!(line.depth >= Depth::Plies(5, Selectivity::P73));
}

#[test]
fn a_fixed_time_yields_to_a_clock_with_too_little_time() {
    let seconds = |seconds| Duration::from_secs(seconds);
    let fixed = TimeControl::PerMove(seconds(1));
    let left = |left| TimeControl::Clock {
        left: seconds(left),
        increment: Duration::ZERO,
    };
    let share = TimeControl::PerMove(Duration::from_millis(400));
    for (clock, expected) in [(left(600), fixed), (left(5), left(5)), (share, share)] {
        let limits = Limits::time(seconds(1)).with_clock(Some(clock));
        assert_eq!(limits.time, Some(expected));
    }
    // Only a search without any limit takes the default time.
    let default = Some(TimeControl::PerMove(DEFAULT_TIME));
    let exact = Limits::default().with_solve_from_empties(10);
    for (limits, time) in [
        (Limits::default(), default),
        (exact, default),
        (Limits::depth(4), None),
    ] {
        assert_eq!(limits_for_move(&limits).time, time);
    }
}

#[test]
fn a_ponder_hit_continues_the_running_search_with_the_limits_of_the_move() {
    let moves = [Square::F5, Square::D6];
    let position = played(&moves);
    let hit = |before: &Limits, limits: &Limits| {
        let mut player = player();
        player.expect(&Position::START, &line(&moves));
        player.ponder(&played(&moves[..1]), before);
        // The expected reply arrives, and the running search continues.
        player.ponder(&position, before);
        let search = player.start(&position, limits).unwrap();
        search.wait().swap_remove(0)
    };
    let limits = Limits::depth(8);
    let fresh = player().choose(&position, &limits, &mut Silent);
    let same = hit(&limits, &limits);
    assert_eq!((same.value, &same.pv), (fresh.value, &fresh.pv));
    assert_eq!(same.nodes, fresh.nodes, "as many nodes as a fresh search");
    let limited = hit(&Limits::default(), &Limits::nodes(1000));
    assert!(limited.best_move().is_some() && !limited.depth.is_solved());
}

#[test]
fn pondering_ends_after_an_unexpected_reply() {
    let moves = [Square::F5, Square::D6];
    for at in 0..=2 {
        let mut player = player();
        player.expect(&Position::START, &line(&moves));
        player.ponder(&played(&moves[..at.min(1)]), &Limits::default());
        player.ponder(&played(&moves[..at]), &Limits::default());
        assert!(player.ponder.is_searching(), "{at}");
        player.ponder(&played(&[Square::F5, Square::F4]), &Limits::default());
        assert!(!player.ponder.is_searching());
    }
}

#[test]
fn settings_can_change_during_pondering() {
    let moves = [Square::F5, Square::D6];
    let mut player = player();
    player.expect(&Position::START, &line(&moves));
    player.ponder(&Position::START, &Limits::default());
    let settings = player.settings().clone().with_hash_mib(1);
    player.configure(settings).unwrap();
    assert_eq!(player.settings().hash_mib, 1);
}

#[test]
fn human_levels_are_deterministic_and_lose_discs() {
    let transcript = |level: &str, seed: u64| {
        let Ok(Level::Human(human)) = level.parse() else {
            panic!("{level} is not a human level");
        };
        let play_settings = PlaySettings {
            human: Some(human),
            seed,
            ..PlaySettings::default()
        };
        let mut player = player().with_play_settings(play_settings);
        let (mut position, mut moves, mut lost) = (Position::START, Vec::new(), 0.0);
        while !position.is_over() {
            let line = player.choose(&position, &Limits::default(), &mut Silent);
            let best =
                player
                    .stop_pondering()
                    .search(&position.board, &Human::limits(), &mut Silent);
            lost += (best.value - line.value).discs();
            let mv = line.best_move().unwrap();
            position = position.play(mv).unwrap();
            moves.push(mv);
        }
        (moves, lost)
    };
    let (moves, lost) = transcript("h5", 7);
    assert_eq!(transcript("h5", 7).0, moves);
    assert_ne!(transcript("h5", 8).0, moves);
    assert!(lost > 20.0, "{lost}");
    // The higher level loses fewer than half as many discs, summed over four games.
    let all = |level: &str| (0..4).map(|seed| transcript(level, seed).1).sum::<f64>();
    let (weak, strong) = (all("h2"), all("h14"));
    assert!(strong * 2.0 < weak, "{strong} {weak}");
}
