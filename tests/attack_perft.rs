//! `emilia perft` on random positions with random options, compared with a plain recursive count.

mod common;
mod run;

use emilia::board::perft::Convention;
use emilia::board::{Bitboard, Board, Color, Position};
use fastrand::Rng;
use run::emilia;

/// Number of leaves beyond which the depth of a run is not increased.
const ENOUGH_LEAVES: u64 = 50_000;

/// Returns the position after up to 61 plies of a random game, or a board of random discs.
fn random_position(random: &mut Rng) -> Position {
    if random.u32(..4) == 0 {
        let taken = random.u64(..) | random.u64(..);
        let black = random.u64(..) & taken;
        let mover = if random.bool() {
            Color::Black
        } else {
            Color::White
        };
        return Position::new(Bitboard(black), Bitboard(taken & !black), mover);
    }
    let mut position = Position::START;
    for _ in 0..random.usize(..62) {
        if let Some(mv) = random.choice(position.moves()) {
            position = position.play(mv).expect("a legal move");
        }
    }
    position
}

/// Reference: counts the leaves at `depth` by plain recursion.
fn leaves(convention: Convention, board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.legal_moves();
    if moves.is_empty() {
        return if board.is_over() {
            convention.finished()
        } else {
            leaves(convention, &board.pass(), convention.after_pass(depth))
        };
    }
    let children = moves.squares().map(|square| board.play(square));
    children
        .map(|child| leaves(convention, &child, depth - 1))
        .sum()
}

/// Compares `runs` runs of the binary with [`leaves`]; returns the number of leaves in all runs.
fn attack_perft(random: &mut Rng, runs: usize) -> u64 {
    let mut total = 0;
    for _ in 0..runs {
        let position = random_position(random);
        let convention = random.choice(Convention::ALL).expect("three");
        let most = random.u32(..=14);
        let (depth, expected) = (0..=most)
            .map(|depth| (depth, leaves(convention, &position.board, depth)))
            .find(|&(depth, count)| depth == most || count > ENOUGH_LEAVES)
            .expect("depth `most` ends the iteration");
        let mut arguments = vec![depth.to_string(), position.to_string()];
        arguments.push(format!("--convention={convention}"));
        arguments.push(format!("--threads={}", random.u32(1..=5)));
        match random.u32(..3) {
            0 => arguments.push("--plain".to_owned()),
            1 => arguments.push("--hash=1".to_owned()),
            _ => {}
        }
        let is_divided = depth > 0 && random.u32(..4) == 0;
        if is_divided {
            arguments.push("--divide".to_owned());
        }
        let arguments: Vec<&str> = ["perft"]
            .into_iter()
            .chain(arguments.iter().map(String::as_str))
            .collect();
        let run = emilia(&arguments, b"");
        assert_eq!(
            (run.code, run.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
        let (parts, last) = match run.stdout.trim_end().rsplit_once('\n') {
            Some((parts, last)) => (Some(parts), last),
            None => (None, run.stdout.as_str()),
        };
        let start = format!("perft {depth} {expected} ");
        assert!(last.starts_with(&start), "{arguments:?}: {last}, {start}");
        // A finished game has no root moves, so --divide prints no lines for it.
        assert_eq!(parts.is_some(), is_divided && !position.is_over());
        if let Some(parts) = parts {
            let count = |line: &str| {
                line.rsplit(' ')
                    .next()
                    .and_then(|count| count.parse::<u64>().ok())
            };
            let sum: Option<u64> = parts.lines().map(count).sum();
            assert_eq!(sum, Some(expected), "{arguments:?}: {parts}");
        }
        total += expected;
    }
    total
}

#[test]
fn perft_equals_a_plain_count_for_random_options() {
    attack_perft(&mut Rng::with_seed(3), 150);
}
