//! [`THEMES`]: the themes of exercises. The position and the two moves of an exercise decide
//! whether a theme fits.

use super::Exercise;
use emilia_core::bitboard;
use emilia_core::board::{Bitboard, Square};

/// Theme of an exercise.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Short name, for tables and options.
    pub name: &'static str,
    /// Rule in words, for the user.
    pub rule: &'static str,
    rule_holds: fn(&Exercise) -> bool,
}

/// All themes. In the text of a rule, the mistake is the wrong move that was played, or that people
/// choose most often. A region is a set of connected empty squares. Diagonal neighbours are
/// connected.
pub const THEMES: [Theme; 9] = [
    Theme {
        name: "opening",
        rule: "60 to 41 empty squares",
        rule_holds: |exercise| (41..=60).contains(&empties(exercise)),
    },
    Theme {
        name: "midgame",
        rule: "40 to 21 empty squares",
        rule_holds: |exercise| (21..=40).contains(&empties(exercise)),
    },
    Theme {
        name: "ending",
        rule: "20 to 1 empty squares",
        rule_holds: |exercise| empties(exercise) <= 20,
    },
    Theme {
        name: "corners",
        rule: "the best move takes a corner and the mistake does not, or the mistake lets the \
               opponent take a corner that the best move does not give",
        rule_holds: |exercise| {
            let [best, mistake] = exercise.children().map(|child| child.legal_moves());
            let given = Bitboard(mistake.0 & !best.0 & Bitboard::CORNERS.0);
            let is_corner = |square| Bitboard::CORNERS.contains(square);
            !given.is_empty() || is_corner(exercise.best) && !is_corner(exercise.mistake)
        },
    },
    Theme {
        name: "x-squares",
        rule: "the best move or the mistake is on b2, g2, b7 or g7, and the corner beside it is \
               empty",
        rule_holds: |exercise| {
            let empty_corners = exercise.position.board.empties() & Bitboard::CORNERS;
            let beside = empty_corners.dilated() & X_SQUARES;
            [exercise.best, exercise.mistake]
                .iter()
                .any(|&square| beside.contains(square))
        },
    },
    Theme {
        name: "parity",
        rule: "20 empty squares or fewer: the best move is in a region with an odd number of \
               squares, and the mistake in one with an even number",
        rule_holds: |exercise| {
            let squares = exercise.position.board.empties();
            let is_odd = |square| region(squares, square).count() % 2 == 1;
            empties(exercise) <= 20 && is_odd(exercise.best) && !is_odd(exercise.mistake)
        },
    },
    Theme {
        name: "quiet",
        rule: "the best move turns no disc that touches an empty square, and the mistake turns at \
               least one",
        rule_holds: |exercise| {
            is_quiet(exercise, exercise.best) && !is_quiet(exercise, exercise.mistake)
        },
    },
    Theme {
        name: "mobility",
        rule: "the best move leaves the opponent at least 3 moves fewer than the mistake",
        rule_holds: |exercise| {
            let [best, mistake] = exercise.children().map(|child| child.legal_moves().count());
            best + 3 <= mistake
        },
    },
    Theme {
        name: "passes",
        rule: "the opponent must pass after the best move, but not after the mistake",
        rule_holds: |exercise| {
            let [best, mistake] = exercise.children().map(|child| child.can_move());
            !best && mistake
        },
    },
];

impl Theme {
    /// Returns whether `exercise` has this theme.
    pub fn is_of(&self, exercise: &Exercise) -> bool {
        exercise.themes.contains(&self.name)
    }

    pub(super) fn holds_for(&self, exercise: &Exercise) -> bool {
        (self.rule_holds)(exercise)
    }

    /// Returns the theme called `name`.
    pub fn named(name: &str) -> Option<&'static Theme> {
        THEMES.iter().find(|theme| theme.name == name)
    }
}

const X_SQUARES: Bitboard = bitboard! {
    . . . . . . . .
    . X . . . . X .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . X . . . . X .
    . . . . . . . .
};

fn empties(exercise: &Exercise) -> u32 {
    exercise.position.board.empty_count()
}

/// Returns whether a move flips only discs that have no empty neighbour after the move.
fn is_quiet(exercise: &Exercise, square: Square) -> bool {
    let board = &exercise.position.board;
    let frontier = board.play(square).empties().dilated();
    (board.flips(square) & frontier).is_empty()
}

/// Returns the region of empty squares that contains `square`.
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
