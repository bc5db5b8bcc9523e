//! Words of the command line: what `FILE`, `FILE:N`, `FILE:N:MOVES`, `-` and plain texts name.

use std::path::{Path, PathBuf};

use super::{files_of, name_of, read, read_games};
use crate::wthor::WthorNames;
use crate::{Collection, Game, Labelled, LabelledReader};
use emilia_core::board::{Position, PositionError, Transcript, excerpt_within};
use emilia_files::{FileError, MIB};

/// Maximum size in bytes of a file of positions, enough for millions of them.
pub const MAX_POSITIONS_SIZE: u64 = 256 * MIB;

/// Maximum length in characters of an argument in a message.
const MAX_QUOTED: usize = 80;

/// File and part of it that an argument names.
///
/// - `FILE`: the first game.
/// - `FILE:N`: game N, counted from 1.
/// - `FILE:N:MOVES`: game N after MOVES discs placed.
struct FileReference {
    file: PathBuf,
    /// Numbers after the name, at most two.
    numbers: Vec<usize>,
}

/// Game read from a file, or from text as the only game.
#[derive(Debug)]
pub struct LoadedGame {
    /// The game.
    pub game: Game,
    /// Number of the game in the file, counted from 1.
    pub number: usize,
    /// Number of games in the file.
    pub count: usize,
    /// Whether the argument names a file only, without a number.
    pub is_whole_file: bool,
}

impl FileReference {
    /// Parses a word, or returns `None` if its file does not exist.
    fn of(word: &str) -> Option<FileReference> {
        let (mut file, mut numbers) = (word, Vec::new());
        while file != "-" && !Path::new(file).is_file() {
            let (rest, number) = file.rsplit_once(':')?;
            numbers.insert(0, number.parse().ok()?);
            file = rest;
        }
        let file = PathBuf::from(file);
        (numbers.len() <= 2).then_some(FileReference { file, numbers })
    }

    /// Reads the named game, or all games of the file if the reference has no number.
    fn games(&self) -> Result<Vec<Result<Game, FileError>>, FileError> {
        if !self.numbers.is_empty() {
            return Ok(vec![Ok(self.game()?.game)]);
        }
        let refused = |error| FileError::refused(name_of(&self.file), error);
        let games = read_games(&self.file)?.games.into_iter();
        Ok(games
            .map(|game| Ok(game.map_err(refused)?.game()))
            .collect())
    }

    /// Reads the game, truncated after the number of discs named.
    fn game(&self) -> Result<LoadedGame, FileError> {
        let refused = |why: String| FileError::refused(&self.file, why);
        let mut games = read_games(&self.file)?.games;
        let count = games.len();
        let number = self.numbers.first().copied().unwrap_or(1);
        if !(1..=count).contains(&number) {
            let moves = format!(" (FILE:1:{number} is the only game after {number} moves)");
            let moves = if count == 1 { &moves } else { "" };
            let why = format!("there is no game {number}, but {count} in all{moves}");
            return Err(refused(why));
        }
        let mut game = games
            .swap_remove(number - 1)
            .map_err(|why| refused(why.into()))?
            .game();
        let all = game.placed();
        let placed = self.numbers.get(1).copied().unwrap_or(all);
        if placed > all {
            let why = format!("game {number} has {all} moves, not {placed}");
            return Err(refused(why));
        }
        while game.placed() > placed {
            game.undo();
        }
        Ok(LoadedGame {
            game,
            number,
            count,
            is_whole_file: self.numbers.is_empty(),
        })
    }
}

/// Returns the files that [`game`] and [`games`] read for these arguments.
pub fn inputs(words: &[String]) -> Vec<PathBuf> {
    let references = references(words).unwrap_or_default();
    let files = references.iter().flat_map(|one| files_of(&one.file));
    files.collect()
}

/// Returns the references of the words, or `None` if some word is none.
fn references(words: &[String]) -> Option<Vec<FileReference>> {
    words.iter().map(|word| FileReference::of(word)).collect()
}

/// Reads all games of one or several files, or else the single [`game`] of the arguments.
/// Of several files, an unreadable one counts as an unreadable game.
///
/// # Errors
/// If the only file cannot be read, or the arguments name no game.
pub fn games(words: &[String]) -> Result<Vec<Result<Game, FileError>>, String> {
    match references(words).as_deref() {
        None | Some([]) => {
            let refused = |error: String| FileError::refused("the argument", error);
            let games = games_in_text(words)?.into_iter();
            Ok(games.map(|game| game.map_err(refused)).collect())
        }
        Some([file]) => file.games().map_err(|error| error.to_string()),
        Some(files) => {
            let games = files.iter().map(FileReference::games);
            Ok(games
                .flat_map(|games| games.unwrap_or_else(|error| vec![Err(error)]))
                .collect())
        }
    }
}

/// Reads the game that the arguments name, by default a game without moves. Texts that are no files
/// are a transcript, or the games of another format, or a position, which gives a game without moves.
///
/// # Errors
/// If the file, game or move does not exist, or the text is neither of these.
pub fn game(words: &[String]) -> Result<LoadedGame, String> {
    if let [word] = words
        && Transcript::parse(word, Position::START).is_err()
        && let Some(reference) = FileReference::of(word)
    {
        return reference.game().map_err(|error| error.to_string());
    }
    let games = games_in_text(words)?;
    let count = games.len();
    let game = games.into_iter().next();
    let game = game.unwrap_or_else(|| Ok(Game::default()))?;
    Ok(LoadedGame {
        game,
        number: 1,
        count,
        is_whole_file: true,
    })
}

/// Reads the games of a text that is given as arguments.
fn games_in_text(words: &[String]) -> Result<Vec<Result<Game, String>>, String> {
    if words.iter().any(|word| word.trim().is_empty()) {
        return Err("the position is empty".to_owned());
    }
    let text = words.join(" ");
    let only = |game| Ok(vec![Ok(game)]);
    if let Ok(transcript) = Transcript::parse(&text, Position::START) {
        return only(Game::from(&transcript));
    }
    let found = Collection::read(text.as_bytes(), &WthorNames::default());
    let found = found.ok().filter(|found| found.other_kind().is_none());
    let (is_text, games) = found.map_or((true, Vec::new()), |found| (found.is_text, found.games));
    let games: Vec<_> = games.into_iter().map(|game| Ok(game?.game())).collect();
    // A format other than a transcript may have a board among its properties.
    if !is_text {
        return Ok(games);
    }
    let first: Option<&Game> = games.first().and_then(|game| game.as_ref().ok());
    let is_in = |position| {
        first.is_some_and(|game| game.placed() > 0 && game.positions().contains(position))
    };
    match crate::position(&text) {
        // A board with the moves that led to it, or with moves from it.
        Ok(position) if !is_in(&position) => only(Game::new(position)),
        // It has the column and the legal moves.
        Err(PositionError::Transcript(error))
            if games.len() == 1 && first.is_some_and(Game::is_cut) =>
        {
            Err(format!("position: {error}"))
        }
        Err(error) if games.is_empty() => {
            Err(problem_of_files(words).unwrap_or_else(|| format!("position: {error}")))
        }
        _ => Ok(games),
    }
}

/// Returns what is wrong with words that are files, or `None` if no word is one.
fn problem_of_files(words: &[String]) -> Option<String> {
    if let Some(folder) = words.iter().find(|word| Path::new(word).is_dir()) {
        return Some(format!("'{folder}': it is a folder; name a file in it"));
    }
    let is_file = |word: &&String| FileReference::of(word).is_some();
    let has_files = words.iter().any(|word| is_file(&word));
    let is_missing = |word: &&String| !is_file(word) && (has_files || looks_like_a_file(word));
    if let Some(missing) = words.iter().find(is_missing) {
        return Some(format!("'{missing}': no such file"));
    }
    let second = words.iter().filter(is_file).nth(1)?;
    Some(format!(
        "this command takes one position; '{second}' is a second file"
    ))
}

/// Returns whether a word is probably a file name, perhaps with numbers as in `FILE:N`:
/// it has a separator, or an extension of 2 to 4 letters and is no board of dots, link or FEN.
fn looks_like_a_file(word: &str) -> bool {
    let file = word.trim_end_matches(|c: char| c == ':' || c.is_ascii_digit());
    let is_board = file.chars().all(|c| ".-*oxOX".contains(c));
    let is_extension =
        |own: &str| (2..=4).contains(&own.len()) && own.chars().all(|c| c.is_ascii_alphabetic());
    let own = Path::new(file).extension().and_then(|own| own.to_str());
    let is_other =
        word.starts_with("http") || matches!(crate::position(word), Err(PositionError::Fen(_)));
    !is_other && (word.contains(['/', '\\']) || !is_board && own.is_some_and(is_extension))
}

/// Reads the positions that the arguments name, with their scores if the input has scores.
/// An unreadable position is an error sentence with its file and line. A side to move may be an
/// argument of its own after its position. A file of games gives the last position of each game.
///
/// # Errors
/// If the input is empty, or the only position is unreadable.
pub fn positions(words: &[String]) -> Result<Vec<Result<Labelled, FileError>>, String> {
    const SIDES: [&str; 7] = ["x", "o", "*", "b", "w", "black", "white"];
    let mut joined: Vec<String> = Vec::new();
    let is_hexadecimal = |word: &str| word.starts_with("0x") && !word.contains(' ');
    for word in words {
        let is_side = SIDES.contains(&word.to_ascii_lowercase().as_str());
        match joined.last_mut() {
            Some(board) if is_side || is_hexadecimal(board) && is_hexadecimal(word) => {
                board.extend([" ", word]);
            }
            _ => joined.push(word.clone()),
        }
    }
    let positions: Vec<_> = joined.iter().flat_map(|word| positions_of(word)).collect();
    match &positions[..] {
        [] => Err(format!(
            "no positions in {} \
             (expected OBF lines, boards, transcripts, or a table with the column board)",
            words.join(", ")
        )),
        [Err(error)] => Err(error.to_string()),
        _ => Ok(positions),
    }
}

/// Reads the positions of one argument: `-`, a file, `FILE:N`, `FILE:N:MOVES`, or a position.
fn positions_of(word: &str) -> Vec<Result<Labelled, FileError>> {
    let file = Path::new(word);
    if word == "-" || file.exists() {
        return match read(file, MAX_POSITIONS_SIZE) {
            Ok(files) => (files.iter())
                .flat_map(|file| positions_in(&file.path, &file.bytes))
                .collect(),
            Err(error) => vec![Err(error)],
        };
    }
    if let Some(reference) = FileReference::of(word) {
        let refused = |why: String| FileError::refused(&reference.file, why);
        let position = |loaded: LoadedGame| unlabelled(&loaded.game).map_err(refused);
        return vec![reference.game().and_then(position)];
    }
    let read = LabelledReader::default().read(word);
    let read = read.map_err(|error| format!(": {error}"));
    let read = read.and_then(|read| read.ok_or_else(String::new));
    vec![read.map_err(|reason| {
        let word = excerpt_within(word, MAX_QUOTED);
        FileError::refused(word, format!("no such file, and no position{reason}"))
    })]
}

/// Reads the positions in the bytes of a file. `path` is for messages.
pub fn positions_in(path: &Path, bytes: &[u8]) -> Vec<Result<Labelled, FileError>> {
    let refused = |why: String| FileError::refused(path, why);
    let collection = Collection::read(bytes, &WthorNames::default()).ok();
    let is_text = collection.as_ref().is_none_or(|read| read.is_text);
    let last_ones = || {
        let games = collection.into_iter().flat_map(|read| read.games);
        let positions = games.map(|game| unlabelled(&game?.game()));
        positions
            .map(|position| position.map_err(refused))
            .collect()
    };
    if !is_text {
        return last_ones();
    }
    if let Some((at, byte)) = emilia_files::first_binary(bytes) {
        return vec![Err(refused(format!(
            "this is no text: byte {at} is {byte:#04x} (expected a position a line)"
        )))];
    }
    let mut reader = LabelledReader::default();
    let text = String::from_utf8_lossy(bytes);
    let read = |(number, line): (usize, &str)| {
        let read = reader.read(line).transpose()?;
        Some(read.map_err(|error| refused(format!("line {number}: {error}"))))
    };
    let mut positions: Vec<_> = (1..).zip(text.lines()).filter_map(read).collect();
    let bad = positions.iter().filter(|read| read.is_err()).count();
    let all = positions.len();
    if bad > 1 && 2 * bad > all {
        // Boards of several lines, with lines around them that are none.
        let boards: Vec<Result<Labelled, FileError>> = last_ones();
        if boards.iter().any(Result::is_ok) {
            return boards;
        }
    }
    if bad > 1 && bad == all {
        // A file of another kind: one error for all lines.
        let first = positions.swap_remove(0).map_err(|error| error.reason());
        let refused = |error| refused(format!("none of {all} lines is a position; {error}"));
        return vec![first.map_err(refused)];
    }
    positions
}

/// Returns the last position of a game, without scores.
///
/// # Errors
/// If a part of the game was not read: then it is not the last one.
fn unlabelled(game: &Game) -> Result<Labelled, String> {
    if game.is_cut() {
        let warnings: Vec<&str> = game.warnings().iter().map(|why| &**why).collect();
        return Err(warnings.join("; "));
    }
    Ok(Labelled {
        position: game.position(),
        best: None,
        moves: Vec::new(),
    })
}
