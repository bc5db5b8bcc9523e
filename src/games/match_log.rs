//! Log of a match: a text line with the parameters of the match, then a line of JSON for each game.
//!
//! [`MatchGame`] is the record of a finished game. It converts to a [`Game`] for other formats.

use std::iter;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::reading::{Reading, Span};
use super::{Ending, Game, Outcome, Played};
use emilia_core::board::{Color, Position, Score, Transcript, TranscriptError, excerpt_within};

/// Returns whether a text is the log of a match.
pub(super) fn is_log(text: &str) -> bool {
    text.trim_start().starts_with(PARAMETERS)
}

/// Start of a line of parameters. A log joined from several shards of a match has several such
/// lines.
const PARAMETERS: &str = "{\"match\":";

/// Maximum length of the error of a line, in characters.
const MAX_ERROR: usize = 200;

/// Reads the log that begins at byte `at`. Returns the byte offset of its end.
pub(super) fn read(out: &mut Reading, at: usize) -> usize {
    let mut end = at;
    for line in out.text[at..].split_inclusive('\n') {
        let content = line.trim();
        if !content.is_empty() && !content.starts_with('{') {
            break;
        }
        if !content.is_empty() && !content.starts_with(PARAMETERS) {
            match game(content) {
                Ok(mut game) => {
                    game.settle();
                    out.add(end..end, Span::Record, game, None);
                }
                Err(why) => {
                    let text = format!("expected a game of a match: {why}");
                    out.refuse(end..end, Span::Record, text);
                }
            }
        }
        out.mark(end..end + line.len(), Span::Record);
        end += line.len();
    }
    end
}

fn game(line: &str) -> Result<Game, String> {
    let game: Result<MatchGame, _> = serde_json::from_str(line);
    let game = game.map_err(|error| excerpt_within(&error.to_string(), MAX_ERROR))?;
    game.to_game().map_err(|error| error.to_string())
}

/// Returns the text of the position before an opening, or an empty text for the usual start
/// position.
pub fn start_text(start: &Position) -> String {
    let is_usual = *start == Position::START;
    if is_usual {
        String::new()
    } else {
        start.to_string()
    }
}

/// Finished game of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchGame {
    /// Index of the game, from 0. Games 2·n and 2·n + 1 are a pair with the same opening.
    pub game: usize,
    /// Name of the player of Black.
    pub black: String,
    /// Name of the player of White.
    pub white: String,
    /// Colour of the first player of the match, or of the pairing in a tournament.
    pub first: Color,
    /// Position before the opening. Empty for the usual start.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// Opening moves, played before the players take over.
    pub opening: String,
    /// All moves, the opening included. Passes are omitted.
    pub moves: String,
    /// Final disc difference from Black's view.
    pub score: Score,
    /// How the game ended.
    pub reason: EndReason,
    /// Date on which the game ended, such as `2026-11-27`. Empty in logs of version 0.1.0.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// Time and search data of each move after the opening, in order.
    #[serde(rename = "thoughts")]
    pub move_records: Vec<MoveRecord>,
}

/// How a game of a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// Neither side has a legal move.
    Played,
    /// The game was ended early by the adjudication rule of the match. Its score is the score under
    /// best play from there, or the score that the players expected.
    Adjudicated,
    /// A player committed a fault. The other player wins with a wipe-out.
    Fault {
        /// Colour of the player at fault.
        by: Color,
        /// Description of the fault.
        what: String,
    },
}

/// Time and search data of one move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveRecord {
    /// Elapsed time in seconds.
    pub time: f64,
    /// Search depth in plies. Number of empties if the position was solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Number of nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Final disc difference expected by the player, from its own view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<f64>,
}

impl MatchGame {
    /// Returns the index of the pair to which the game belongs.
    pub fn pair(&self) -> usize {
        self.game / 2
    }

    /// Returns the final disc difference from the first player's view.
    pub fn first_score(&self) -> Score {
        match self.first {
            Color::Black => self.score,
            Color::White => -self.score,
        }
    }

    /// Returns the moves as a transcript, passes included.
    pub fn transcript(&self) -> Result<Transcript, TranscriptError> {
        // Only a damaged log has an invalid start position. Its moves are illegal from the usual
        // start position, so parsing them returns an error.
        let start = self.start.parse().unwrap_or(Position::START);
        Transcript::parse(&self.moves, start)
    }

    /// Returns the record of each move after the opening, with the colour of its player.
    pub fn moves_by_color(&self) -> Result<Vec<(Color, &MoveRecord)>, TranscriptError> {
        let transcript = self.transcript()?;
        let movers = transcript
            .moves
            .iter()
            .zip(transcript.positions())
            .filter_map(|(mv, position)| mv.square().map(|_| position.mover));
        // Skips the moves of the opening, two characters each, which have no records.
        let after_opening = movers.skip(self.opening.len() / 2);
        Ok(after_opening.zip(&self.move_records).collect())
    }

    /// Converts the record to a [`Game`] with names, times, evaluations and outcome.
    pub fn to_game(&self) -> Result<Game, TranscriptError> {
        let transcript = self.transcript()?;
        let mut game = Game::new(transcript.start);
        // The moves of the opening, two characters each, have no records.
        let opening = iter::repeat_n(None, self.opening.len() / 2);
        let mut records = opening.chain(self.move_records.iter().map(Some));
        for mv in transcript.moves {
            let record = mv.square().and_then(|_| records.next().flatten());
            let played = Played {
                eval: record.and_then(|record| record.eval),
                time: record.and_then(|record| Duration::try_from_secs_f64(record.time).ok()),
                depth: record.and_then(|record| record.depth),
                ..mv.into()
            };
            // Cannot fail: these moves are legal.
            let _ = game.play(played);
        }
        game.tags.black.clone_from(&self.black);
        game.tags.white.clone_from(&self.white);
        game.tags.date.clone_from(&self.date);
        "Emilia match".clone_into(&mut game.tags.event);
        game.tags.outcome = Some(Outcome {
            margin: f64::from(self.score),
            ending: match self.reason {
                EndReason::Played => Ending::Played,
                EndReason::Adjudicated => Ending::Agreed,
                EndReason::Fault { .. } => Ending::Left,
            },
        });
        Ok(game)
    }
}
