//! All algorithms return the same value, for Othello, for trees as text, and for every set of refinements.

use crate::{
    Algorithm, BaseAlgorithm, Game, Othello, Refinements, Tree, fail_hard_window, fail_soft_window,
    minimax, principal_variation,
};
use emilia_core::board::{Board, Position};
use emilia_core::eval::{Classic, Value};

const OTHELLO: Othello<'_> = Othello::new(Board::START, &Classic);

/// Compares every algorithm with minimax.
fn agree<G: Game>(position: &G, height: u32) {
    let value = minimax(position, height, &mut ());
    for (name, _, algorithm) in Algorithm::ALL {
        assert_eq!(algorithm.run(position, height, &mut ()), value, "{name}");
    }
    // The principal variation leads to a leaf of this value.
    let (mut leaf, mut left) = (position.clone(), height);
    for mv in principal_variation(position, height) {
        (leaf, left) = (leaf.play(mv), left - G::cost(mv));
    }
    assert!(left == 0 || leaf.outcome().is_some());
    assert_eq!(leaf.outcome().unwrap_or_else(|| leaf.estimate()), value);
}

/// Plays `moves` random moves, or fewer if the game ends.
fn walk<G: Game>(mut position: G, moves: usize, rng: &mut fastrand::Rng) -> G {
    for _ in 0..moves {
        if position.outcome().is_none() {
            position = position.play(rng.choice(position.moves()).unwrap());
        }
    }
    position
}

/// A random tree with up to four children per node, leaves at any depth, and many equal values.
fn random_tree(rng: &mut fastrand::Rng, height: u32) -> String {
    if height == 0 || rng.u32(..6) == 0 {
        return rng.i32(-9..=9).to_string();
    }
    let children: Vec<String> = (0..rng.u32(1..=4))
        .map(|_| random_tree(rng, height - 1))
        .collect();
    format!("[{}]", children.join(", "))
}

#[test]
fn algorithms_agree_on_othello() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..300 {
        let position = walk(OTHELLO, rng.usize(0..60), &mut rng);
        agree(&position, rng.u32(0..=4));
        // This search to the end of the game also tests passes and finished games.
        agree(&walk(OTHELLO, 55, &mut rng), 8);
    }
}

#[test]
fn algorithms_agree_on_explicit_trees() {
    let mut rng = fastrand::Rng::with_seed(4);
    for _ in 0..2000 {
        let side = if rng.bool() { "min" } else { "max" };
        let text = format!("{side} {}", random_tree(&mut rng, 6));
        let tree: Tree = text.parse().unwrap();
        agree(&tree.root(), tree.height());
        agree(&tree.root(), rng.u32(0..=6));
    }
}

#[test]
fn refinements_never_change_the_value() {
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..20 {
        let position = walk(OTHELLO, rng.usize(0..52), &mut rng);
        let value = minimax(&position, 4, &mut ());
        for bits in 0..=Refinements::all().bits() {
            use BaseAlgorithm::{AlphaBeta, MtdF, NegaScout};
            for base in [AlphaBeta, NegaScout, MtdF] {
                let algorithm = Algorithm::Refined(base, Refinements::from_bits_truncate(bits));
                assert_eq!(algorithm.run(&position, 4, &mut ()), value, "{algorithm:?}");
            }
        }
    }
}

/// Fail-hard clamps the value to the window. Fail-soft returns a bound outside the window.
#[test]
fn window_results_bound_the_value() {
    let mut rng = fastrand::Rng::with_seed(6);
    for _ in 0..300 {
        let position = walk(OTHELLO, rng.usize(0..56), &mut rng);
        let height = rng.u32(0..=3);
        let value = position
            .to_move()
            .from_max(minimax(&position, height, &mut ()));
        for _ in 0..10 {
            let alpha = value + Value::from_units(rng.i32(-99..=99));
            let beta = alpha + Value::from_units(rng.i32(1..=99));
            let hard = fail_hard_window(&position, height, alpha, beta, &mut ());
            assert_eq!(hard, value.clamp(alpha, beta));
            let soft = fail_soft_window(&position, height, alpha, beta, &mut ());
            assert_eq!(soft.clamp(alpha, beta), hard);
            if soft <= alpha {
                assert!(value <= soft);
            } else if soft >= beta {
                assert!(value >= soft);
            } else {
                assert_eq!(value, soft);
            }
        }
    }
}

/// A forced pass costs no height, so the positions before and after it have the same value.
#[test]
fn a_pass_costs_no_height() {
    let text = "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX.. X";
    let position: Position = text.parse().unwrap();
    let over = Othello::new(position.board, &Classic);
    assert!(position.must_pass() && over.outcome().is_none());
    let next = over.play(over.moves()[0]);
    assert_eq!(over.moves().len(), 1);
    for (name, _, algorithm) in Algorithm::ALL {
        let value = algorithm.run(&over, 1, &mut ());
        assert_eq!(value, algorithm.run(&next, 1, &mut ()), "{name}");
    }
}
