//! Game records: converts game files of any supported format to [`GameRecord`]s for the page, and
//! [`GameRecord`]s to files.

use std::path::Path;

use serde::{Deserialize, Serialize, Serializer};

use super::{Refusal, Said};
use emilia_core::board::{Position, Sentence, Transcript, printable};
use emilia_files::MIB;
use emilia_games::{Ending, Game, NoGames, Outcome, PackedGame, input};
use emilia_review::report::{self, AnalysedGame};

/// Maximum number of games returned for one request.
const MAX_GAMES: usize = 60_000;

/// Maximum number of lines in the files of one request. Each line may be a game.
const MAX_LINES: usize = 500_000;

/// Maximum unpacked size of all files of one request together, in bytes.
const MAX_UNPACKED: u64 = 16 * MIB;

/// Game as the web page sends and receives it, in JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct GameRecord {
    black: String,
    white: String,
    event: String,
    date: String,
    /// Start position: 64 squares and the side to move.
    start: String,
    /// Transcript of the moves. Forced passes are left out.
    transcript: String,
    opening: Option<String>,
    /// Result in discs for Black, from the game record or from the final position. `None` if it is
    /// unknown.
    result: Option<f64>,
    /// Winner and reason, if the game ended before its discs could be counted.
    ended: Option<Ended>,
}

/// End of a game by resignation or on time, without a disc count.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ended {
    /// 1 if Black won, −1 if White won.
    winner: i8,
    why: String,
}

/// Endings without a disc count, each with its value of [`Ended::why`].
const ENDS: [(Ending, &str); 2] = [(Ending::Resigned, "resigned"), (Ending::TimedOut, "time")];

impl Ended {
    fn of(outcome: Outcome) -> Option<Ended> {
        let end = ENDS.iter().find(|end| end.0 == outcome.ending);
        end.filter(|_| outcome.is_winner_only()).map(|end| Ended {
            winner: outcome.margin.signum() as i8,
            why: end.1.to_owned(),
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        let margin = 64.0 * f64::from(self.winner.signum());
        let ending = ENDS.iter().find(|end| end.1 == self.why)?.0;
        Some(Outcome { margin, ending })
    }
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
            result: game.margin(),
            ended: tags.outcome.and_then(Ended::of),
        }
    }

    /// Converts the record to a [`Game`].
    ///
    /// # Errors
    /// If the start position or a move is invalid.
    pub(crate) fn game(self) -> Result<Game, Refusal> {
        let start = position(&self.start)?;
        let mut game = Game::from(&Transcript::parse(&self.transcript, start)?);
        let tags = &mut game.tags;
        (tags.black, tags.white) = (self.black, self.white);
        (tags.event, tags.date) = (self.event, self.date);
        let counted = self.result.map(|margin| Outcome {
            margin,
            ending: Ending::Played,
        });
        tags.outcome = self.ended.and_then(|ended| ended.outcome()).or(counted);
        Ok(game)
    }
}

/// Parses a position in any form that [`Position`] reads.
pub(super) fn position(text: &str) -> Result<Position, Refusal> {
    Ok(text.parse().map_err(|error| format!("position: {error}"))?)
}

/// Games read from the files of a request: at most `MAX_GAMES` games, and counts of the games that
/// are not included.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReadGames {
    games: Vec<GameRecord>,
    /// Number of further games, beyond [`MAX_GAMES`].
    left_out: usize,
    /// Number of games that could not be read.
    bad: usize,
    /// Reason why the first bad game could not be read.
    #[serde(serialize_with = "said")]
    why: Option<Sentence>,
    /// First warning about a game that was read in part.
    #[serde(serialize_with = "said")]
    warning: Option<Sentence>,
}

impl ReadGames {
    /// Collects games for the web page.
    ///
    /// # Errors
    /// If none of the games can be read.
    pub fn new<E: Into<Sentence>>(
        games: impl IntoIterator<Item = Result<Game, E>>,
    ) -> Result<ReadGames, Sentence> {
        let mut read = ReadGames::default();
        for game in games {
            match game {
                Ok(_) if read.games.len() == MAX_GAMES => read.left_out += 1,
                Ok(game) => {
                    read.games.push(GameRecord::of(&game));
                    if let (Some(warning), None) = (game.warnings().first(), &read.warning) {
                        read.warning = Some(warning.clone().of_game(read.games.len()));
                    }
                }
                Err(error) => {
                    read.bad += 1;
                    read.why.get_or_insert_with(|| error.into());
                }
            }
        }
        if read.games.is_empty() {
            return Err(read.why.unwrap_or_else(|| "there is no game".into()));
        }
        Ok(read)
    }
}

/// Serialises a sentence as a [`Said`] object.
#[expect(clippy::ref_option, reason = "serde passes the field")]
fn said<S: Serializer>(sentence: &Option<Sentence>, serializer: S) -> Result<S::Ok, S::Error> {
    sentence.as_ref().map(Said::of).serialize(serializer)
}

/// Reads the games in `body`: a file in any format that `emilia show` reads, text with games, or a
/// link (URL) that contains a game.
///
/// # Errors
/// If `body` contains no game.
pub(crate) fn read(body: &[u8]) -> Result<ReadGames, Refusal> {
    read_all([("", body)].into_iter())
}

/// Name and size in bytes of one file in a request. The contents of all files follow in the same
/// order.
#[derive(Debug, Deserialize)]
struct SentFile {
    name: String,
    size: usize,
}

/// Reads several files. `body` begins with one line of JSON, a list of [`SentFile`]. The contents
/// of the files follow.
///
/// # Errors
/// If the line of JSON is invalid, or none of the files has a game.
pub(crate) fn read_files(body: &[u8]) -> Result<ReadGames, Refusal> {
    let end = body.iter().position(|&byte| byte == b'\n');
    let (head, mut rest) = body.split_at(end.ok_or("bad request: expected a line with the files")?);
    rest = &rest[1..];
    let mut files = Vec::new();
    let sent: Vec<SentFile> = parse(head)?;
    for SentFile { name, size } in &sent {
        let (bytes, after) = (rest.split_at_checked(*size))
            .ok_or_else(|| format!("bad request: '{}' is incomplete", printable(name)))?;
        files.push((name.as_str(), bytes));
        rest = after;
    }
    read_all(files.into_iter())
}

/// Reads the games of all files. A file may be packed. Player names for WTHOR games may be in
/// another file of the same request. A file without games counts as one bad game.
///
/// # Errors
/// If none of the files has a game, or if the files together exceed [`MAX_UNPACKED`] or
/// [`MAX_LINES`].
fn read_all<'b>(files: impl Iterator<Item = (&'b str, &'b [u8])>) -> Result<ReadGames, Refusal> {
    let (mut unpacked, mut games) = (Vec::new(), Vec::new());
    let mut left = MAX_UNPACKED;
    for (name, bytes) in files {
        match emilia_files::unpack_within(Path::new(name), bytes.to_vec(), &mut left) {
            Ok(files) => unpacked.extend(files),
            Err(error) => games.push(Err(error.into())),
        }
        if left == 0 {
            let most = MAX_UNPACKED / MIB;
            let why = format!("the files have more than {most} MiB, unpacked; send fewer at once");
            return Err(why.into());
        }
    }
    let bytes = unpacked.iter().flat_map(|file| &file.bytes);
    if bytes.filter(|&&byte| byte == b'\n').count() > MAX_LINES {
        let why = format!("the files have more than {MAX_LINES} lines; send fewer at once");
        return Err(why.into());
    }
    let names = input::names_of(&unpacked, None);
    let is_one = unpacked.len() + games.len() == 1;
    for (path, read) in input::collections(&unpacked, names) {
        let sentence = |error: Sentence| {
            if is_one {
                return error;
            }
            let file = path.display();
            error.with("file", &file).within(format_args!("{file}: "))
        };
        match read {
            Ok(found) => games.extend(found.games.into_iter().map(|game| game.map_err(sentence))),
            Err(NoGames::Names) if !is_one => {}
            Err(error) => games.push(Err(sentence(error.into()))),
        }
    }
    let unpacked = games
        .into_iter()
        .map(|game: Result<PackedGame, Sentence>| Ok(game?.game()));
    Ok(ReadGames::new::<Sentence>(unpacked)?)
}

/// Request to write a file.
#[derive(Debug, Deserialize)]
struct SaveRequest {
    /// Format of the file: `ggf`, `pgn`, `transcript`, or `page` (the HTML page of an analysis).
    /// The web page writes SGF itself, because variations are not in a [`GameRecord`].
    format: String,
    #[serde(default)]
    games: Vec<GameRecord>,
    /// Analysis of the game. Required for the format `page`.
    analysis: Option<AnalysedGame>,
}

/// Returns the text of the requested file.
///
/// # Errors
/// If the request or a game in it is invalid.
pub(super) fn save(body: &[u8]) -> Result<String, Refusal> {
    let request: SaveRequest = parse(body)?;
    let text: fn(&Game) -> String = match request.format.as_str() {
        "page" => {
            return Ok(report::page(
                &request.analysis.ok_or("expected an analysis")?,
            )?);
        }
        "ggf" => |game| game.to_ggf() + "\n",
        "pgn" => Game::to_pgn,
        "transcript" => Game::to_moves,
        _ => return Err("bad request: expected ggf, pgn, transcript or page".into()),
    };
    if request.games.is_empty() {
        return Err("expected a game".into());
    }
    let games = request.games.into_iter();
    games.map(|game| Ok(text(&game.game()?))).collect()
}

/// Parses the JSON body of a request.
pub(super) fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Refusal> {
    Ok(serde_json::from_slice(body).map_err(|error| format!("bad request: {error}"))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;

    /// Returns the body of a request with these files, given as (name, contents).
    fn request(files: &[(&str, &[u8])]) -> Vec<u8> {
        let head = |(name, bytes): &(&str, &[u8])| {
            format!("{{\"name\":\"{name}\",\"size\":{}}}", bytes.len())
        };
        let heads: Vec<String> = files.iter().map(head).collect();
        let bytes = files.iter().flat_map(|(_, bytes)| bytes.iter().copied());
        let head = format!("[{}]\n", heads.join(","));
        head.into_bytes().into_iter().chain(bytes).collect()
    }

    #[test]
    fn several_files_of_a_request_are_read_together() {
        let body = request(&[
            ("a.png", b"\x89PNG"),
            ("x.txt", b"% Black: Ann\nf5\n"),
            ("y.txt", b"f5\n"),
        ]);
        let read = read_files(&body).unwrap();
        let names: Vec<&str> = read.games.iter().map(|game| game.black.as_str()).collect();
        assert_eq!((&names[..], read.bad), (&["Ann", ""][..], 1));
        assert!(read.why.unwrap().starts_with("a.png: "));
        let cut = &body[..body.len() - 1];
        for (body, problem) in [
            (cut, "bad request: 'y.txt' is incomplete"),
            (b"[]", "bad request: expected a line with the files"),
            (b"[]\n", "there is no game"),
            (&request(&[("a", b"a1a1")]), "game 1: line 1: 0 of 2 moves"),
        ] {
            let error = read_files(body).unwrap_err().to_string();
            assert!(error.starts_with(problem), "{error}");
        }
    }

    #[test]
    fn a_resigned_game_is_saved_with_its_result() {
        let game = r#"{"start":"---------------------------O*------*O--------------------------- *",
            "transcript":"f5","ended":{"winner":-1,"why":"resigned","ply":1}}"#;
        let request = format!("{{\"format\":\"ggf\",\"games\":[{game}]}}");
        let saved = save(request.as_bytes()).unwrap();
        assert!(saved.contains("RE[-64.00:r]"), "{saved}");
        let record: GameRecord = serde_json::from_str(game).unwrap();
        let again = GameRecord::of(&record.game().unwrap()).ended.unwrap();
        assert_eq!((again.winner, &*again.why), (-1, "resigned"));
    }

    #[test]
    fn all_files_of_a_request_share_one_limit() {
        // Returns a gzip file without the checksum at its end, so that the file counts as damaged.
        let packed = |byte, size: usize| {
            let head = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
            [&head[..], &compress_to_vec(&vec![byte; size], 6)].concat()
        };
        let plain = vec![b' '; 9 << 20];
        let damaged = packed(b' ', 9 << 20);
        for files in [
            vec![plain.clone(), plain],
            vec![damaged.clone(), damaged],
            vec![packed(b' ', 20 << 20), b"f5\n".to_vec()],
            vec![b"f5\n".repeat(MAX_LINES / 2 + 1); 2],
        ] {
            let files: Vec<(&str, &[u8])> = files.iter().map(|bytes| ("x", &bytes[..])).collect();
            let error = read_files(&request(&files)).unwrap_err().to_string();
            assert!(error.starts_with("the files have more than"), "{error}");
        }
    }
}
