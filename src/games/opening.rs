//! Opening names, looked up by position, so that symmetric openings and transpositions match.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::Game;
use emilia_core::board::{Board, Position, Transcript};

/// Opening table: each line has moves and names, separated by tabs. If the column of a language is
/// empty, the English name is used in this language.
pub static OPENINGS: &str = include_str!("openings.tsv");

/// 10,784 openings of XOT by M. Berg, one transcript a line. Each has eight plies, after which the
/// position is about even.
pub static XOT: &str = include_str!("xot.txt");

/// Number of plies of an opening of XOT.
const XOT_PLIES: usize = 8;

/// Largest number of plies at which the name `XOT` replaces the name of a position. A game that
/// begins with an opening of XOT is named `XOT`, unless it reaches a named position after more
/// plies. 94 % of the XOT openings reach no such position. Games that are not of XOT can begin with
/// an XOT opening by chance: 2 % of the WTHOR games of three years do.
const GENERAL_PLIES: usize = 4;

/// Canonical board after each opening of XOT.
static XOT_BOARDS: LazyLock<HashSet<Board>> = LazyLock::new(|| {
    let games = XOT
        .lines()
        .filter_map(|line| Transcript::parse(line, Position::START).ok());
    games.map(|game| game.end().board.canonical()).collect()
});

/// Returns the rows of [`OPENINGS`], split at tabs. The first row names the columns.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    let lines = OPENINGS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

/// Yields the moves and the English name of each opening of the table.
fn all() -> impl Iterator<Item = (Transcript, &'static str)> {
    rows().skip(1).filter_map(|row| {
        let moves = Transcript::parse(row[0], Position::START).ok()?;
        Some((moves, row[1]))
    })
}

/// Maps the canonical board of each opening to its English name. All eight symmetric images of a
/// board have the same canonical board.
static NAMES: LazyLock<HashMap<Board, &str>> = LazyLock::new(|| {
    all()
        .map(|(game, name)| (game.end().board.canonical(), name))
        .collect()
});

/// Returns the moves of the opening with the English name `name`, in upper or lower case.
pub fn opening_moves(name: &str) -> Option<Transcript> {
    let is_named = |own: &str| own.eq_ignore_ascii_case(name);
    all().find(|(_, own)| is_named(own)).map(|(game, _)| game)
}

/// Returns the English names of openings that contain one of the words of `name`.
pub fn openings_like(name: &str) -> Vec<&'static str> {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let has_word = |own: &str| words.iter().any(|word| own.to_lowercase().contains(word));
    all()
        .map(|(_, own)| own)
        .filter(|own| has_word(own))
        .collect()
}

/// Yields the English name of each opening that has a name in `language` (such as `ja`), and the
/// name in `language`.
pub fn opening_names(language: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut rows = rows();
    let head = rows.next().unwrap_or_default();
    let column = head.iter().position(|name| *name == language);
    let names = rows.filter_map(move |row| Some((row[1], *row.get(column?)?)));
    names.filter(|(_, own)| !own.is_empty())
}

/// A named opening that occurred in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// English name of the opening.
    pub name: &'static str,
    /// Number of moves, passes included, after which the game reached the opening's position.
    pub moves: usize,
}

impl Game {
    /// Returns the opening of the game's last position that has a name in [`OPENINGS`]. A game that
    /// begins with an opening of XOT has the name `XOT` instead, unless the named position comes
    /// after more than [`GENERAL_PLIES`] plies.
    ///
    /// ```
    /// use emilia_core::board::{Position, Transcript};
    /// use emilia_games::Game;
    /// let game = Game::from(&Transcript::parse("c4c3d3e3f4", Position::START).unwrap());
    /// let opening = game.opening().unwrap();
    /// assert_eq!((opening.name, opening.moves), ("Cow", 5));
    /// ```
    pub fn opening(&self) -> Option<Opening> {
        let positions = self.positions();
        let named = positions
            .iter()
            .enumerate()
            .rev()
            .find_map(|(moves, position)| {
                let name = NAMES.get(&position.board.canonical())?;
                Some(Opening { name, moves })
            });
        if named.is_some_and(|opening| opening.moves > GENERAL_PLIES) {
            return named;
        }
        let is_xot = |position: &Position| XOT_BOARDS.contains(&position.board.canonical());
        match positions.get(XOT_PLIES) {
            Some(position) if is_xot(position) => Some(Opening {
                name: "XOT",
                moves: XOT_PLIES,
            }),
            _ => named,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_found_by_its_position() {
        assert_eq!(NAMES.len(), rows().count() - 1);
        for row in rows().skip(1) {
            let (moves, name) = (row[0], row[1]);
            let transcript = Transcript::parse(moves, Position::START).unwrap();
            let opening = Game::from(&transcript).opening().unwrap();
            assert_eq!((opening.name, opening.moves), (name, moves.len() / 2));
            assert!(!name.is_empty() && row.iter().all(|cell| cell.trim() == *cell));
        }
    }

    #[test]
    fn an_english_name_has_one_name_in_another_language() {
        let names: HashMap<&str, &str> = opening_names("ja").collect();
        assert_eq!(names.len(), opening_names("ja").count());
        assert_eq!((names["Cow"], names["Tiger"]), ("\u{725b}", "\u{864e}"));
        assert_eq!(opening_names("en").count(), rows().count() - 1);
        assert_eq!(opening_names("xx").count(), 0);
    }

    #[test]
    fn a_game_of_xot_is_recognised_unless_players_named_its_opening() {
        let opening = |moves| {
            let game = Game::from(&Transcript::parse(moves, Position::START).unwrap());
            game.opening().map(|opening| (opening.name, opening.moves))
        };
        assert_eq!((opening(""), opening("f5")), (None, None));
        // Symmetric games have the same opening.
        let images = ["f5f6e6d6c5", "c4c3d3e3f4", "d3c3c4c5d6"];
        assert!(
            images
                .iter()
                .all(|moves| opening(moves) == Some(("Cow", 5)))
        );
        // An XOT opening, its mirror image, and the opening without its last ply.
        assert_eq!(opening("f5d6c4d3c2b3b4b5"), Some(("XOT", 8)));
        assert_eq!(opening("e6f4d3c4b3c2d2e2"), Some(("XOT", 8)));
        assert_eq!(opening("f5d6c4d3c2b3b4"), Some(("Perpendicular", 2)));
        let named = opening("f5d6c5f4e3c6f3c3").unwrap();
        assert_eq!(named, ("Shaman, Danish", 7));
    }
}
