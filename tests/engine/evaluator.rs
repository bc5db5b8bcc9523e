//! Tests of a custom evaluation, defined outside the library.
//! The search plays games with it, and forward pruning uses its error model.

use emilia::eval::{AnyEvaluator, ErrorModel, Evaluator, Value};
use emilia::{Board, Color, Engine, Game, Limits, Player, Position, Settings, Silent};

/// Evaluates a board by its disc difference, with field 0 as its error model.
#[derive(Debug)]
struct Discs(ErrorModel);

impl Evaluator for Discs {
    fn name(&self) -> &'static str {
        "discs"
    }

    fn evaluate(&self, board: &Board) -> Value {
        Value::from_score(board.player.count() as i32 - board.opponent.count() as i32)
    }

    fn error_model(&self) -> &ErrorModel {
        &self.0
    }
}

/// Returns a player with the evaluation [`Discs`] and an error of σ = e^`log_sigma` discs.
fn discs(log_sigma: f32) -> Player {
    let model = ErrorModel {
        midgame: [log_sigma, 0.0, 0.0, 0.0, 0.0, 0.0],
        endgame: [log_sigma, 0.0, 0.0, 0.0],
    };
    player(AnyEvaluator::custom(Discs(model)))
}

fn player(evaluator: AnyEvaluator) -> Player {
    let settings = Settings::default().with_hash_mib(1);
    Player::new(Engine::new(settings.with_evaluator(evaluator)))
}

#[test]
fn a_custom_evaluation_plays_a_whole_game() {
    let mut players = [discs(2.0), player(AnyEvaluator::default())];
    let mut game = Game::default();
    while !game.is_over() {
        let position = game.position();
        let player = &mut players[usize::from(position.mover == Color::White)];
        let line = player.choose(&position, &Limits::depth(5), None, &mut Silent);
        let mv = line.best_move().expect("the game goes on");
        game.play(mv).expect("a legal move");
    }
    assert!(game.placed() > 20);
    assert!(
        game.score().is_some_and(|score| score < 0),
        "counting discs must lose to the default evaluation"
    );
}

#[test]
fn a_smaller_sigma_prunes_more_nodes() {
    let after: Position = "f5d6c3d3c4f4f6".parse().expect("a transcript");
    let nodes = |log_sigma| {
        let line = discs(log_sigma).choose(&after, &Limits::depth(10), None, &mut Silent);
        line.nodes
    };
    // e^1.1 = 3 discs against e^3.9 = 50 discs: the smaller σ visits less than half of the nodes.
    assert!(2 * nodes(1.1) < nodes(3.9));
}
