//! Tests that the analysis of a game agrees with minimax, and that its scores and losses are
//! consistent.

use super::report::AnalysedGame;
use super::*;
use emilia_core::board::{Board, Transcript};
use emilia_core::eval::Classic;
use emilia_core::search::Settings;
use emilia_player::people::{Choice, Difficulty, HALF_A_DISC, Human, Model, Skill, small_engine};
use emilia_textbook::{Othello, minimax};

fn engine() -> Engine {
    let settings = Settings::default().with_hash_mib(1).with_evaluator(Classic);
    Engine::new(settings)
}

/// Returns a game with random moves to the end, from a random position with `empties` empties.
fn random_game(seed: u64, empties: u32) -> Game {
    let mut random = fastrand::Rng::with_seed(seed);
    loop {
        let mut game = Game::default();
        while let Some(mv) = random.choice(game.position().moves()) {
            game.play(mv).unwrap();
            if game.position().board.empty_count() == empties {
                game.restart(game.position());
            }
        }
        if game.start().board.empty_count() == empties {
            return game;
        }
    }
}

/// Analyses the game with a cleared engine.
fn analyze_game(engine: &mut Engine, game: &Game, limits: &Limits) -> Option<Analysis> {
    engine.clear();
    let watch = |_: AnalysisEvent| {};
    analyze(&mut Watched { engine, watch }, game, &Book::Off, limits)
}

#[test]
fn exact_scores_and_losses_equal_minimax() {
    let limits = Limits::depth(4).with_solve_from_empties(60);
    let mut engine = engine();
    let mut losses = 0;
    for seed in 0..40 {
        let game = random_game(seed, 9);
        let analysis = analyze_game(&mut engine, &game, &limits).unwrap();
        assert_eq!(analysis.moves.len(), game.placed());
        for judgement in &analysis.moves {
            let truth = |board: &Board| minimax(&Othello::new(*board, &Classic), 9, &mut ());
            let board = judgement.position.board;
            assert!(judgement.is_exact());
            assert_eq!(judgement.best.value, truth(&board));
            assert_eq!(judgement.score.value, -truth(&board.play(judgement.played)));
            let best = judgement.best_move();
            assert_eq!(judgement.best.value, -truth(&board.play_or_pass(best)));
            losses += usize::from(!judgement.better.is_empty());
        }
        let last = game.score().unwrap();
        let last = Value::from_score(last);
        assert_eq!(analysis.scores_for_black().last(), Some(last));
    }
    assert!(losses > 50, "{losses}");
}

#[test]
fn scores_jump_only_where_discs_are_lost() {
    let mut engine = engine();
    let game = random_game(0, 40);
    let limits = Limits::depth(3).with_solve_from_empties(8);
    let analysis = analyze_game(&mut engine, &game, &limits).unwrap();
    for pair in analysis.moves.windows(2) {
        assert_eq!(pair[0].score_for_black(), pair[1].best_for_black());
        assert!(pair[0].loss() >= 0.0);
        // Once a score is exact, the scores of all later moves are exact.
        assert!(!pair[0].is_exact() || pair[1].is_exact());
    }
    assert_eq!(analysis.last.depth, Depth::Exact);
    let again = analyze_game(&mut engine, &game, &limits).unwrap();
    assert_eq!(again, analysis, "same result after other searches");
}

/// [`Analyst`] that records the scores it receives.
struct Recorder {
    engine: Engine,
    scores: Vec<(usize, Position, Scored)>,
}

impl Analyst for Recorder {
    fn search(&mut self, position: &Position, count: usize, limits: &Limits) -> Option<Vec<Line>> {
        let (engine, watch) = (&mut self.engine, |_: AnalysisEvent| {});
        Watched { engine, watch }.search(position, count, limits)
    }

    fn scored(&mut self, moves_made: usize, position: &Position, score: Scored) {
        self.scores.push((moves_made, *position, score));
    }
}

#[test]
fn positions_are_scored_from_the_last_and_an_interrupt_ends_the_analysis() {
    let mut recorder = Recorder {
        engine: engine(),
        scores: Vec::new(),
    };
    let game = random_game(5, 12);
    let limits = Limits::depth(1);
    let analysis = analyze(&mut recorder, &game, &Book::Off, &limits).unwrap();
    let positions = game.positions().iter().copied().enumerate().rev();
    let scores = (recorder.scores.iter()).map(|&(made, position, _)| (made, position));
    assert!(scores.eq(positions));
    for judgement in &analysis.moves {
        let (.., score) = recorder.scores[game.moves().len() - judgement.index];
        assert_eq!(score, judgement.best);
    }
    recorder.engine.interrupt().set();
    assert_eq!(analyze(&mut recorder, &game, &Book::Off, &limits), None);
}

/// Judgement of the first move of a game. `score` and `best` are the scores of the move played and
/// of the best move, in 1/32 disc.
fn judgement(score: i32, best: i32) -> Judgement {
    let [score, best] = [score, best].map(|units| Scored {
        value: Value::from_units(units),
        depth: Depth::Exact,
    });
    Judgement {
        index: 0,
        number: 1,
        position: Position::START,
        played: "f5".parse().unwrap(),
        eval: None,
        score,
        best,
        better: vec!["d3".parse().unwrap()],
        alternative: None,
    }
}

#[test]
fn thresholds_apply_to_the_loss_as_it_is_shown() {
    for loss in 0..12 * Value::PER_DISC {
        let judgement = judgement(-loss, 0);
        let shown = format!("{:.1}", judgement.loss());
        assert_eq!(judgement.grade(), Grade::of(shown.parse().unwrap()));
    }
    let almost = judgement(-4 * Value::PER_DISC + 1, 0);
    assert_eq!((almost.loss(), almost.grade()), (4.0, Grade::Mistake));
}

/// Two tournament games with passes.
const GAMES: [&str; 2] = [
    "f5f6e6f4g5h6f7g6d3e7f3g4d6d7e8d8f8g8c8b8h4c4c5c7b4c6b6h5g7e3g3d2f2a4c3h3d1h2g2h8a3h7a5g1\
     h1a6b7a2f1e2b5a8a7c2e1b3b2a1b1c1",
    "f5d6c5f4e3c6d3f6e6d7g3c4b4f3g4d2c2e2f1g5d8c3e1e7b3b5a6e8c8g6h5h6f2a5f8a4a3f7b6h4h3h2g8c1\
     d1g1g7h7g2h1h8b2b1b8c7b7a8a7a2a1",
];

#[test]
fn scores_losses_and_difficulties_of_games_agree() {
    let (mut engine, mut small) = (engine(), small_engine().unwrap());
    let limits = Limits::depth(8).with_solve_from_empties(12);
    let skill = Skill::from(Human::AVERAGE);
    let (mut bad, mut refuted) = (0, 0);
    for text in GAMES {
        let transcript = Transcript::parse(text, Position::START).unwrap();
        let game = Game::from(&transcript);
        let analysis = analyze_game(&mut engine, &game, &limits).unwrap();
        let people = (Human::AVERAGE, &mut small);
        let analysed = AnalysedGame::new(1, &game, "", &analysis, people);
        let object = serde_json::to_value(analysed).unwrap();
        let number = |at: usize, field: &str| object["moves"][at][field].as_f64();
        for (at, judgement) in analysis.moves.iter().enumerate() {
            // The loss equals the difference of the rounded scores in the output.
            let lost = number(at, "lost").unwrap();
            let [best, score] = ["best_score", "score"].map(|field| number(at, field).unwrap());
            assert!(
                ((best - score).abs() - lost).abs() < 1e-9,
                "{best} {score} {lost}"
            );
            if judgement.is_forced() {
                continue;
            }
            let choice = Choice::search(&mut small, &judgement.position.board);
            let losses: Vec<f64> = choice.losses(&judgement.known_losses()).collect();
            let [best, played] = [judgement.best_move(), Move::Place(judgement.played)]
                .map(|mv| choice.index_of(mv).unwrap());
            assert_eq!((losses[best], losses[played]), (0.0, lost));
            assert!(losses.iter().all(|loss| *loss >= 0.0), "{losses:?}");
            if lost >= HALF_A_DISC {
                bad += 1;
                // The move played loses half a disc or more, so the players who play it are not
                // counted in `found`. Both shares together are therefore at most 1, except for the
                // rounding of `found`.
                let shares = Model::FITTED.probabilities(&choice, skill.factor());
                let found = number(at, "found").unwrap();
                assert!(found + shares[played] <= 1.005, "{found} {shares:?}");
                // The shallow search of the human model rates some of these moves as good as the
                // best. The deeper losses of the analysis must override it.
                let alone = choice.losses(&[]).nth(played);
                refuted += usize::from(alone < Some(HALF_A_DISC));
            }
        }
    }
    assert!(bad > 20 && refuted > 0, "{bad} {refuted}");
}

#[test]
fn no_move_of_a_decided_game_is_brilliant() {
    let hard = Difficulty {
        found: 0.1,
        loss: 5.0,
    };
    for discs in [-64, -32, -31, 31, 64] {
        let score = discs * Value::PER_DISC;
        let is_brilliant = judgement(score, score).is_brilliant(hard);
        assert_eq!(is_brilliant, i32::abs(discs) < 32, "{discs}");
    }
}

#[test]
fn moves_of_the_book_have_its_values() {
    let text = "f5d6c3d3c4f4f6f3e6e7";
    let transcript = Transcript::parse(text, Position::START).unwrap();
    let mut engine = engine();
    let mut game = Game::from(&transcript);
    let known = |position: &Position| Book::Embedded.moves(&position.board).unwrap();
    let position = game.position();
    let in_book = |mv: &Move| known(&position).iter().any(|own| own.mv == *mv);
    let unknown = position.moves().into_iter().find(|mv| !in_book(mv));
    game.play(unknown.unwrap()).unwrap();
    let (engine, watch) = (&mut engine, |_: AnalysisEvent| {});
    let mut analyst = Watched { engine, watch };
    let analysis = analyze(&mut analyst, &game, &Book::Embedded, &Limits::depth(1)).unwrap();
    let (last, rest) = analysis.moves.split_last().unwrap();
    assert!(matches!(last.best.depth, Depth::Plies(..)));
    for judgement in rest {
        let known = known(&judgement.position);
        let played = Move::Place(judgement.played);
        let own = known.iter().find(|own| own.mv == played).unwrap();
        assert_eq!(judgement.score.value, own.value);
        assert_eq!(judgement.best.value, known[0].value);
        assert!(matches!(judgement.best.depth, Depth::Book(_)));
    }
    // The book values `f6` as high as the best move, so `better`, the PV of a better move, is
    // empty.
    assert!(analysis.moves[6].better.is_empty());
}
