//! What is kept of a game of a match: one line of JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::{Color, Position, Score, Transcript, TranscriptError};
use crate::game::{Ending, Game, Outcome, Played};

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchGame {
    /// Its number, from 0: the games 2·n and 2·n + 1 are a pair with the same opening.
    pub game: usize,
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// The colour of the first player of the match, in a tournament of the pairing.
    #[serde(with = "ColorName")]
    pub first: Color,
    /// The moves that were given.
    pub opening: String,
    /// All moves, those of the opening included; passes are left out.
    pub moves: String,
    /// Black's final disc difference.
    pub score: Score,
    /// Why the game ended.
    pub reason: Reason,
    /// What is known of each move after the opening, in order.
    pub thoughts: Vec<MoveRecord>,
}

/// Why a game of a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Neither side could move.
    Played,
    /// It was solved; the score is that of best play.
    Adjudicated,
    /// A player did something wrong and lost all discs.
    Fault {
        /// The colour of the loser.
        #[serde(with = "ColorName")]
        by: Color,
        /// What it did.
        what: String,
    },
}

/// What is known of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveRecord {
    /// The time it took, in seconds.
    pub time: f64,
    /// How many plies the player looked ahead; as many as squares were empty if it solved the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The final disc difference that the player expected for itself, in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<f64>,
}

/// How [`Color`] is written: `"black"`, `"white"`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Color", rename_all = "lowercase")]
enum ColorName {
    Black,
    White,
}

impl MatchGame {
    /// Which pair it belongs to.
    pub fn pair(&self) -> usize {
        self.game / 2
    }

    /// The final disc difference seen by the first player.
    pub fn first_score(&self) -> Score {
        match self.first {
            Color::Black => self.score,
            Color::White => -self.score,
        }
    }

    /// The moves.
    ///
    /// # Errors
    /// If they are no legal moves.
    pub fn transcript(&self) -> Result<Transcript, TranscriptError> {
        Transcript::parse(&self.moves, Position::START)
    }

    /// What is known of each move after the opening, with who made it.
    ///
    /// # Errors
    /// If the moves are no legal moves.
    pub fn thoughts_by_color(&self) -> Result<Vec<(Color, &MoveRecord)>, TranscriptError> {
        let transcript = self.transcript()?;
        let movers = transcript
            .moves
            .iter()
            .zip(transcript.positions())
            .filter_map(|(mv, position)| mv.square().map(|_| position.mover));
        // A square is written with two letters.
        let after_opening = movers.skip(self.opening.len() / 2);
        Ok(after_opening.zip(&self.thoughts).collect())
    }

    /// The game for other programs.
    ///
    /// # Errors
    /// If the moves are no legal moves.
    pub fn to_game(&self) -> Result<Game, TranscriptError> {
        let transcript = self.transcript()?;
        let mut game = Game::new(transcript.start);
        let mut given = self.opening.len() / 2;
        let mut thoughts = self.thoughts.iter();
        for &mv in &transcript.moves {
            let mut played = Played::from(mv);
            if mv.square().is_some() {
                if given > 0 {
                    given -= 1;
                } else if let Some(thought) = thoughts.next() {
                    played.eval = thought.eval;
                    played.time = Duration::try_from_secs_f64(thought.time).ok();
                }
            }
            // The transcript has been checked.
            if game.play(played).is_err() {
                break;
            }
        }
        game.tags.black.clone_from(&self.black);
        game.tags.white.clone_from(&self.white);
        "Emilia match".clone_into(&mut game.tags.event);
        game.tags.outcome = Some(Outcome {
            margin: f64::from(self.score),
            ending: match self.reason {
                Reason::Played => Ending::Played,
                Reason::Adjudicated => Ending::Agreed,
                Reason::Fault { .. } => Ending::Left,
            },
        });
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> MatchGame {
        let thought = |time, eval| MoveRecord {
            time,
            depth: Some(2),
            nodes: None,
            eval: Some(eval),
        };
        MatchGame {
            game: 5,
            black: "a".to_owned(),
            white: "b".to_owned(),
            first: Color::White,
            opening: "d3c3f5d2d1e1b2c1".to_owned(),
            // Black must pass before the first of these.
            moves: "d3c3f5d2d1e1b2c1a3a1".to_owned(),
            score: 64,
            reason: Reason::Fault {
                by: Color::White,
                what: "resigned".to_owned(),
            },
            thoughts: vec![thought(0.5, 1.25), thought(0.25, -3.0)],
        }
    }

    #[test]
    fn a_record_is_a_line_of_json_and_back() {
        let json = serde_json::to_string(&record()).unwrap();
        assert_eq!(
            json,
            "{\"game\":5,\"black\":\"a\",\"white\":\"b\",\"first\":\"white\",\"opening\":\"d3c3f5d2d1e1b2c1\",\
             \"moves\":\"d3c3f5d2d1e1b2c1a3a1\",\"score\":64,\"reason\":{\"fault\":{\"by\":\"white\",\"what\":\
             \"resigned\"}},\"thoughts\":[{\"time\":0.5,\"depth\":2,\"eval\":1.25},{\"time\":0.25,\"depth\":2,\
             \"eval\":-3.0}]}"
        );
        assert_eq!(serde_json::from_str::<MatchGame>(&json).unwrap(), record());
        assert_eq!((record().pair(), record().first_score()), (2, -64));
    }

    #[test]
    fn thoughts_find_their_moves_across_a_pass() {
        let record = record();
        let movers: Vec<Color> = record
            .thoughts_by_color()
            .unwrap()
            .iter()
            .map(|(color, _)| *color)
            .collect();
        assert_eq!(movers, [Color::White, Color::Black]);
        let ggf = record.to_game().unwrap().to_ggf();
        assert!(
            ggf.contains("B[PA]W[A3/1.25/0.500]B[A1/-3.00/0.250]"),
            "{ggf}"
        );
        assert!(ggf.contains("PB[a]PW[b]RE[+64.00:l]"), "{ggf}");
    }
}
