//! [`THEMES`]: what an exercise is about, decided from its position and its two moves.

use super::Exercise;
use emilia_core::board::{Bitboard, Square};

/// Theme of exercises.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Name in tables.
    pub name: &'static str,
    rule_holds: fn(&Exercise) -> bool,
}

/// All themes. `README.md` in this folder has their rules in words.
pub const THEMES: [Theme; 9] = [
    Theme {
        name: "opening",
        rule_holds: |exercise| (41..=60).contains(&empties(exercise)),
    },
    Theme {
        name: "midgame",
        rule_holds: |exercise| (21..=40).contains(&empties(exercise)),
    },
    Theme {
        name: "ending",
        rule_holds: |exercise| empties(exercise) <= 20,
    },
    Theme {
        name: "corners",
        rule_holds: |exercise| {
            let [best, mistake] = exercise.children().map(|child| child.legal_moves());
            let given = Bitboard(mistake.0 & !best.0 & Bitboard::CORNERS.0);
            let is_corner = |square| Bitboard::CORNERS.contains(square);
            !given.is_empty() || is_corner(exercise.best) && !is_corner(exercise.mistake)
        },
    },
    Theme {
        name: "x-squares",
        rule_holds: |exercise| {
            let empty_corners = exercise.position.board.empties() & Bitboard::CORNERS;
            let x_squares = [Square::B2, Square::G2, Square::B7, Square::G7];
            let beside = empty_corners.dilated() & x_squares.into_iter().collect::<Bitboard>();
            [exercise.best, exercise.mistake]
                .iter()
                .any(|&square| beside.contains(square))
        },
    },
    Theme {
        name: "parity",
        rule_holds: |exercise| {
            let squares = exercise.position.board.empties();
            let is_odd = |square| region(squares, square).count() % 2 == 1;
            empties(exercise) <= 20 && is_odd(exercise.best) && !is_odd(exercise.mistake)
        },
    },
    Theme {
        name: "quiet",
        rule_holds: |exercise| {
            is_quiet(exercise, exercise.best) && !is_quiet(exercise, exercise.mistake)
        },
    },
    Theme {
        name: "mobility",
        rule_holds: |exercise| {
            let [best, mistake] = exercise.children().map(|child| child.legal_moves().count());
            best + 3 <= mistake
        },
    },
    Theme {
        name: "passes",
        rule_holds: |exercise| {
            let [best, mistake] = exercise.children().map(|child| child.can_move());
            !best && mistake
        },
    },
];

impl Theme {
    /// Returns whether an exercise has this theme.
    pub fn is_of(&self, exercise: &Exercise) -> bool {
        exercise.themes.contains(&self.name)
    }

    pub(super) fn holds_for(&self, exercise: &Exercise) -> bool {
        (self.rule_holds)(exercise)
    }

    /// Returns the theme with this name.
    pub fn named(name: &str) -> Option<&'static Theme> {
        THEMES.iter().find(|theme| theme.name == name)
    }
}

fn empties(exercise: &Exercise) -> u32 {
    exercise.position.board.empty_count()
}

/// Returns whether a move turns only discs that touch no empty square after it.
fn is_quiet(exercise: &Exercise, square: Square) -> bool {
    let board = &exercise.position.board;
    let frontier = board.play(square).empties().dilated();
    (board.flips(square) & frontier).is_empty()
}

/// Returns the connected empties around an empty square, itself included.
fn region(empties: Bitboard, square: Square) -> Bitboard {
    let mut region = Bitboard::of(square);
    loop {
        let grown = region.dilated() & empties;
        if grown == region {
            return region;
        }
        region = grown;
    }
}
