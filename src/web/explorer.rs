//! Requests about openings: the moves of a position in the opening book and in games, and random
//! XOT openings.

use serde::Deserialize;
use serde_json::json;

use super::games::{GameRecord, parse, position};
use super::{App, Refusal};
use emilia_games::archive::{MoveCounts, ReachedPosition};
use emilia_games::{PackedGame, XOT};
use emilia_review::{PlayedMove, ShownMove};

/// Request for the moves of a position in the opening book and in the games of the request.
#[derive(Debug, Deserialize)]
struct ExploreRequest {
    position: String,
    /// Games to search for the position.
    games: Vec<GameRecord>,
}

/// Returns the moves of a position in the book, best first, and in the games of the request, most
/// frequent first. The games are counted as `emilia games --position` does. In the response, `read`
/// is the number of games searched, and `games` is the number of games that reach the position.
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
    let played = moves.iter().map(|one| PlayedMove::new(one, None));
    let explored = json!({
        "book": book.iter().map(ShownMove::from).collect::<Vec<_>>(),
        "read": read,
        "games": moves.iter().map(|(_, count)| count.games).sum::<u32>(),
        "moves": played.collect::<Vec<_>>(),
    });
    Ok(explored.to_string())
}

#[derive(Debug, Deserialize)]
struct OpeningRequest {
    seed: u64,
}

/// Returns a random opening from the XOT list.
pub(super) fn opening(body: &[u8]) -> Result<String, Refusal> {
    let OpeningRequest { seed } = parse(body)?;
    let openings: Vec<&str> = XOT.lines().collect();
    let transcript = fastrand::Rng::with_seed(seed).choice(openings);
    Ok(json!({ "transcript": transcript }).to_string())
}
