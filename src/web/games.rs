//! Game records: games of any format to the page, and back.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use super::Refusal;
use emilia_core::board::{Position, Transcript};
use emilia_games::wthor::WthorNames;
use emilia_games::{Collection, Game};
use emilia_review::report::{self, AnalysedGame};

/// Maximum number of games that one request reads.
const MAX_GAMES: usize = 2000;

/// Maximum length of a link in bytes.
const MAX_LINK: usize = 4096;

/// A game as the page sends and receives it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct GameRecord {
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    #[serde(default)]
    event: String,
    #[serde(default)]
    date: String,
    /// 64 squares and the side to move.
    start: String,
    /// Moves, without forced passes.
    transcript: String,
    #[serde(default)]
    opening: Option<String>,
}

impl GameRecord {
    fn of(game: &Game) -> GameRecord {
        let tags = &game.tags;
        GameRecord {
            black: tags.black.clone(),
            white: tags.white.clone(),
            event: tags.event.clone(),
            date: tags.date.clone(),
            start: game.start().to_string(),
            transcript: game.transcript().to_string(),
            opening: game.opening().map(|opening| opening.name.to_owned()),
        }
    }

    /// # Errors
    /// If the position or a move is invalid.
    pub(crate) fn game(self) -> Result<Game, Refusal> {
        let start = position(&self.start)?;
        let mut game = Game::from(&Transcript::parse(&self.transcript, start)?);
        let tags = &mut game.tags;
        (tags.black, tags.white) = (self.black, self.white);
        (tags.event, tags.date) = (self.event, self.date);
        Ok(game)
    }
}

/// # Errors
/// If the text is not 64 squares and the side to move.
pub(super) fn position(text: &str) -> Result<Position, Refusal> {
    Ok(text.parse().map_err(|error| format!("position: {error}"))?)
}

/// The first readable games of a file, and the counts of the others.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReadGames {
    games: Vec<GameRecord>,
    /// Number of games beyond [`MAX_GAMES`].
    left_out: usize,
    /// Number of games that could not be read.
    bad: usize,
    /// Why the first bad one could not be read.
    why: Option<String>,
    /// What of the games was not read, of the first game that has such a warning.
    warning: Option<String>,
}

impl ReadGames {
    /// # Errors
    /// If no game is readable.
    pub fn new<E: Display>(
        games: impl IntoIterator<Item = Result<Game, E>>,
    ) -> Result<ReadGames, String> {
        let mut read = ReadGames::default();
        for game in games {
            match game {
                Ok(_) if read.games.len() == MAX_GAMES => read.left_out += 1,
                Ok(game) => {
                    read.games.push(GameRecord::of(&game));
                    if let Some(warning) = game.warnings().first() {
                        let number = read.games.len();
                        let warning = || format!("game {number}: {warning}");
                        read.warning.get_or_insert_with(warning);
                    }
                }
                Err(error) => {
                    read.bad += 1;
                    read.why.get_or_insert_with(|| error.to_string());
                }
            }
        }
        if read.games.is_empty() {
            return Err(read.why.unwrap_or_else(|| "there is no game".to_owned()));
        }
        Ok(read)
    }
}

/// Reads a file of any format that `emilia show` reads, or a link with the moves of a game.
///
/// # Errors
/// If there is no game in it.
pub(crate) fn read(body: &[u8]) -> Result<ReadGames, Refusal> {
    let text = body.trim_ascii();
    let is_link = text.starts_with(b"http://") || text.starts_with(b"https://");
    let record = if is_link && text.len() > MAX_LINK {
        return Err(format!("expected a link of at most {MAX_LINK} bytes").into());
    } else if is_link {
        moves_of_link(text).ok_or("there are no moves in this link")?
    } else {
        body
    };
    let found = Collection::read(record, &WthorNames::default())?;
    Ok(ReadGames::new(found.games)?)
}

/// Returns the longest run of moves in a link: `f5d6c3` of `https://example.org/?game=f5d6c3&to=3`.
fn moves_of_link(text: &[u8]) -> Option<&[u8]> {
    let is_move = |pair: &[u8]| {
        matches!(pair[0].to_ascii_lowercase(), b'a'..=b'h') && matches!(pair[1], b'1'..=b'8')
    };
    let runs = (0..text.len()).map(|start| {
        let pairs = text[start..].chunks_exact(2);
        let length = 2 * pairs.take_while(|pair| is_move(pair)).count();
        &text[start..start + length]
    });
    let longest = runs.max_by_key(|run| run.len());
    longest.filter(|run| !run.is_empty())
}

/// A game to save.
#[derive(Debug, Deserialize)]
struct SaveRequest {
    /// `sgf`, `ggf`, `pgn`, `transcript` or `page`.
    format: String,
    game: Option<GameRecord>,
    /// Its analysis, for a page.
    analysis: Option<AnalysedGame>,
}

/// Returns the text of a file with the game.
///
/// # Errors
/// If the request or its game is invalid.
pub(super) fn save(body: &[u8]) -> Result<String, Refusal> {
    let request: SaveRequest = parse(body)?;
    let game = || request.game.ok_or("expected a game")?.game();
    Ok(match request.format.as_str() {
        "page" => report::page(&request.analysis.ok_or("expected an analysis")?)?,
        "sgf" => game()?.to_sgf() + "\n",
        "ggf" => game()?.to_ggf() + "\n",
        "pgn" => game()?.to_pgn(),
        "transcript" => game()?.to_moves(),
        _ => return Err("bad request: expected sgf, ggf, pgn, transcript or page".into()),
    })
}

/// Parses the body of a request.
pub(super) fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Refusal> {
    Ok(serde_json::from_slice(body).map_err(|error| format!("bad request: {error}"))?)
}
