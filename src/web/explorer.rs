//! The moves of a position in the opening book and in games, and openings drawn at random.

use serde::{Deserialize, Serialize};

use super::games::{GameRecord, parse, position};
use super::{App, Refusal};
use emilia_games::archive::{MoveCounts, ReachedPosition};
use emilia_games::{PackedGame, XOT};
use emilia_review::{PlayedMove, ShownMove};

/// Request for the moves of a position.
#[derive(Debug, Deserialize)]
struct ExploreRequest {
    position: String,
    /// Games that are searched for the position.
    games: Vec<GameRecord>,
}

/// Moves of a position.
#[derive(Serialize)]
struct Explored {
    /// Moves of the opening book, best first.
    book: Vec<ShownMove>,
    /// Number of games that were searched.
    read: usize,
    /// Number of games that reach the position.
    games: u32,
    /// Moves of these games, the most frequent first.
    moves: Vec<PlayedMove>,
}

/// Returns the moves of a position in the book and in games, as `emilia games --position` counts them.
pub(super) fn explore(app: &App, body: &[u8]) -> Result<String, Refusal> {
    let request: ExploreRequest = parse(body)?;
    let position = position(&request.position)?;
    let reached = ReachedPosition::new(&position);
    let (mut counts, read) = (MoveCounts::default(), request.games.len());
    for record in request.games {
        counts.add(&reached, &PackedGame::from(record.game()?));
    }
    let moves = MoveCounts::total(&reached, [counts]);
    let book = app.book.moves_if_readable(&position.board);
    let explored = Explored {
        book: book.iter().map(ShownMove::from).collect(),
        read,
        games: moves.iter().map(|(_, count)| count.games).sum(),
        moves: moves.iter().map(|one| PlayedMove::new(one, None)).collect(),
    };
    Ok(serde_json::to_string(&explored)?)
}

#[derive(Debug, Deserialize)]
struct OpeningRequest {
    seed: u64,
}

/// Returns an opening of XOT.
pub(super) fn opening(body: &[u8]) -> Result<String, Refusal> {
    let OpeningRequest { seed } = parse(body)?;
    let openings: Vec<&str> = XOT.lines().collect();
    let transcript = fastrand::Rng::with_seed(seed).choice(openings);
    Ok(serde_json::json!({ "transcript": transcript }).to_string())
}
