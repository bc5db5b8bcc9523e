//! JSON objects of a position's best moves and of its moves in the opening book.

use serde::Serialize;
use serde_json::json;

use super::json::{ScoredLine, rounded};
use emilia_book::{BookMove, Counts};
use emilia_core::board::{Move, Position, Square};
use emilia_core::search::Line;
use emilia_games::archive::MoveCount;
use emilia_player::people::PeopleView;

/// JSON object of a position and its best moves.
#[derive(Debug, Serialize)]
pub struct HintedPosition {
    position: String,
    hints: Vec<ScoredLine>,
    /// Difficulty of the position for human players of a level, and the moves that they choose.
    /// Omitted unless requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<ShownPeople>,
    /// Moves of the opening book, best first. Omitted if the book does not have the position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    book: Vec<ShownMove>,
    nodes: u64,
    seconds: f64,
}

impl HintedPosition {
    /// Creates the object from the search results `lines` and the book moves of `position`.
    pub fn new(
        position: &Position,
        lines: &[Line],
        book: &[BookMove],
        people: Option<&PeopleView>,
    ) -> HintedPosition {
        let best = lines.first();
        HintedPosition {
            position: position.to_string(),
            hints: ScoredLine::of_all(lines, position.board.empty_count()),
            people: people.map(ShownPeople::from),
            book: book.iter().map(ShownMove::from).collect(),
            nodes: best.map_or(0, |line| line.nodes),
            seconds: best.map_or(0.0, |line| line.elapsed.as_secs_f64()),
        }
    }
}

/// Difficulty of a position for human players of one level, and the moves that they choose.
#[derive(Debug, Serialize)]
struct ShownPeople {
    level: String,
    difficulty: String,
    /// Share of the players who find a move within half a disc of the best, 0 to 1.
    found: f64,
    /// Expected loss of the players' moves, in discs.
    loss: f64,
    /// Moves, each with the share of players that chooses it, 0 to 1.
    moves: Vec<serde_json::Value>,
}

impl From<&PeopleView> for ShownPeople {
    fn from(view: &PeopleView) -> ShownPeople {
        let shown =
            |&(mv, share): &(Move, f64)| json!({ "move": mv.to_string(), "share": rounded(share) });
        ShownPeople {
            level: view.human.to_string(),
            difficulty: view.difficulty.grade().to_string(),
            found: rounded(view.difficulty.found),
            loss: rounded(view.difficulty.loss),
            moves: view.shares.iter().map(shown).collect(),
        }
    }
}

/// JSON object of a move in the opening book.
#[derive(Debug, Serialize)]
pub struct ShownMove {
    #[serde(rename = "move")]
    mv: String,
    value: f64,
    level: u8,
    leaf: bool,
    lines: [u32; 4],
}

impl From<&BookMove> for ShownMove {
    fn from(book_move: &BookMove) -> ShownMove {
        ShownMove {
            mv: book_move.mv.to_string(),
            value: book_move.value.discs(),
            level: book_move.level,
            leaf: book_move.is_leaf,
            lines: lines_of(book_move.lines),
        }
    }
}

/// Returns the numbers of lines of the book that the side to move wins, draws and loses, and the
/// number of all lines. A line is a sequence of book moves that ends with a move out of the book.
pub fn lines_of(lines: Counts) -> [u32; 4] {
    [lines.won, lines.drawn, lines.lost, lines.all]
}

/// JSON object of a move in a collection of games: the number of games with this move, and their
/// results for the side that played it.
#[derive(Debug, Serialize)]
pub struct PlayedMove {
    /// The move. `None`: the object counts the games that end in the position.
    r#move: Option<String>,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// Mean score of the games in discs, for the side that played the move. `None` if no score is
    /// known.
    mean: Option<f64>,
    /// Players who played the move most often, with their number of games. `None` unless requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    players: Option<Vec<serde_json::Value>>,
}

impl PlayedMove {
    /// Creates the object. `top_players` is the maximum number of players listed, or `None` for no
    /// list.
    pub fn new(
        (square, count): &(Option<Square>, MoveCount),
        top_players: Option<usize>,
    ) -> PlayedMove {
        let player = |(name, games)| json!({"name": name, "games": games});
        let players = |top| count.players().into_iter().take(top).map(player).collect();
        PlayedMove {
            r#move: square.map(|square| square.to_string()),
            games: count.games,
            won: count.won,
            drawn: count.drawn,
            lost: count.lost,
            mean: count.mean(),
            players: top_players.map(players),
        }
    }
}
