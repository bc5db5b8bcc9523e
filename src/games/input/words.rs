//! Command-line arguments that name games: `FILE`, `FILE:N`, `FILE:N:MOVES`, `-`, and plain texts.

use std::io;
use std::path::{Path, PathBuf};

use super::{files_of, name_of, read_games};
use crate::wthor::WthorNames;
use crate::{Collection, Game, Labelled, PackedGame};
use emilia_core::board::{Position, Sentence, Transcript, excerpt};
use emilia_files::FileError;

/// File, and the part of this file, that an argument names.
///
/// - `FILE`: the first game.
/// - `FILE:N`: game N, counted from 1.
/// - `FILE:N:MOVES`: game N after MOVES discs placed.
struct FileReference {
    file: PathBuf,
    /// Numbers after the file name: none, N, or N and MOVES.
    numbers: Vec<usize>,
}

/// Place of a game, such as `'a.txt': game 2: `, and the game or its error. [`placed_games`] puts
/// the place in front of the game's warnings.
type PlacedGame = (String, Result<PackedGame, FileError>);

/// Game read from a file, or from arguments that are the text of a game.
#[derive(Debug)]
pub struct LoadedGame {
    /// The game.
    pub game: Game,
    /// Number of games in the file or text, of which `game` is the first. 1 if the argument names
    /// the game by its number.
    pub count: usize,
}

impl FileReference {
    /// Parses an argument. Returns `None` if its file does not exist, or if more than two numbers
    /// follow the file.
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
    fn games(&self) -> Result<Vec<PlacedGame>, FileError> {
        if !self.numbers.is_empty() {
            return Ok(vec![(self.place(), Ok(self.game()?.game.into()))]);
        }
        let refused = |error| FileError::refused(name_of(&self.file), error);
        let games = read_games(&self.file)?.games;
        let are_several = games.len() > 1;
        let placed = (1..).zip(games).map(|(number, game)| {
            let number = are_several.then(|| format!("game {number}: "));
            let place = self.place() + &number.unwrap_or_default();
            (place, game.map_err(refused))
        });
        Ok(placed.collect())
    }

    /// Returns the text that stands in front of warnings about this file: `'FILE': `.
    fn place(&self) -> String {
        format!("'{}': ", name_of(&self.file).display())
    }

    /// Reads the named game, up to the named number of discs placed.
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
            count: if self.numbers.is_empty() { count } else { 1 },
        })
    }
}

/// Returns whether a path names a game of a file, as in `FILE:N`, and is not itself a file.
pub(super) fn names_game(path: &Path) -> bool {
    let reference = path.to_str().and_then(FileReference::of);
    reference.is_some_and(|reference| !reference.numbers.is_empty())
}

/// Returns the files that [`game`] and [`games`] read for these arguments.
pub fn inputs(words: &[String]) -> Vec<PathBuf> {
    let references = references(words).unwrap_or_default();
    let files = references.iter().flat_map(|one| files_of(&one.file));
    files.collect()
}

/// Parses the words as file references. Returns `None` if a word is not a file reference.
fn references(words: &[String]) -> Option<Vec<FileReference>> {
    words.iter().map(|word| FileReference::of(word)).collect()
}

/// Reads all games of the files that the arguments name. If an argument is not a file, reads the
/// games of the text that all arguments form. Among several files, an unreadable file counts as an
/// unreadable game.
///
/// # Errors
/// If the only file cannot be read, or the arguments name no game.
pub fn games(words: &[String]) -> Result<Vec<Result<Game, FileError>>, String> {
    let games = packed(words)?.into_iter();
    Ok(games.map(|(_, game)| Ok(game?.game())).collect())
}

/// Reads the games as [`games`] does, and puts the file and the number of each game in front of the
/// game's warnings.
///
/// # Errors
/// As [`games`].
pub fn placed_games(words: &[String]) -> Result<Vec<Result<Game, FileError>>, String> {
    let games = packed(words)?.into_iter();
    let placed = games.map(|(place, game)| Ok(game?.game().with_place(&place)));
    Ok(placed.collect())
}

fn packed(words: &[String]) -> Result<Vec<PlacedGame>, String> {
    match references(words).as_deref() {
        None | Some([]) => {
            let refused = |error: Sentence| FileError::refused("the argument", String::from(error));
            let games = games_in_text(words)?.into_iter();
            Ok(games
                .map(|game| (String::new(), game.map_err(refused)))
                .collect())
        }
        Some([file]) => file.games().map_err(|error| error.to_string()),
        Some(files) => {
            let games = files.iter().map(FileReference::games);
            Ok(games
                .flat_map(|games| games.unwrap_or_else(|error| vec![(String::new(), Err(error))]))
                .collect())
        }
    }
}

/// Reads the game that the arguments name. Without arguments, the game has no moves. Arguments that
/// are not files are read as a text: a transcript, the first game of another format, or a position,
/// which gives a game without moves.
///
/// # Errors
/// If the file, game or move does not exist, or the text cannot be read.
pub fn game(words: &[String]) -> Result<LoadedGame, String> {
    if let [word] = words
        && Transcript::parse(word, Position::START).is_err()
        && let Some(reference) = FileReference::of(word)
    {
        let mut loaded = reference.game().map_err(|error| error.to_string())?;
        loaded.game = loaded.game.with_place(&reference.place());
        return Ok(loaded);
    }
    let games = games_in_text(words)?;
    let count = games.len();
    let first = games.into_iter().next().transpose()?;
    Ok(LoadedGame {
        game: first.map_or(Game::default(), |game| game.game()),
        count,
    })
}

/// Reads the games of the text that the arguments form.
fn games_in_text(words: &[String]) -> Result<Vec<Result<PackedGame, Sentence>>, String> {
    if words.iter().any(|word| word.trim().is_empty()) {
        return Err("the position is empty".to_owned());
    }
    let text = words.join(" ");
    let broken = match Transcript::parse(&text, Position::START) {
        Ok(transcript) => return Ok(vec![Ok(PackedGame::from(&transcript))]),
        Err(error) => error,
    };
    let found = Collection::read(text.as_bytes(), &WthorNames::default());
    let found = found.ok().filter(|found| found.other_kind().is_none());
    let games: Vec<_> = found.map_or(Vec::new(), |found| found.games);
    match &games[..] {
        [] => {}
        // `broken`, the error of the transcript, has the column and the legal moves. It is more
        // useful than a game of which only a part was read.
        [Ok(game)] if game.warnings().1 && broken.number > 1 => {
            return Err(format!("position: {broken}"));
        }
        _ => return Ok(games),
    }
    match text.parse() {
        Ok(position) => Ok(vec![Ok(Game::new(position).into())]),
        Err(error) => Err(problem_of_files(words).unwrap_or_else(|| format!("position: {error}"))),
    }
}

/// Returns an error sentence if an argument is a folder, looks like a file that does not exist, or
/// is a second file for a command that takes one position. Otherwise returns `None`.
fn problem_of_files(words: &[String]) -> Option<String> {
    if let Some(folder) = words.iter().find(|word| Path::new(word).is_dir()) {
        let error = FileError::new(folder, io::ErrorKind::IsADirectory.into());
        return Some(error.to_string());
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

/// Returns whether a word is probably a file name, perhaps with numbers as in `FILE:N`: it has a
/// separator or an extension of 2 to 4 letters, and is not a board of dots, a link or a FEN.
fn looks_like_a_file(word: &str) -> bool {
    let file = word.trim_end_matches(|c: char| c == ':' || c.is_ascii_digit());
    let is_board = file.chars().all(|c| ".-*oxOX".contains(c)) || file.matches('/').count() == 7;
    let own = Path::new(file).extension().and_then(|own| own.to_str());
    let has_extension = own.is_some_and(|own| {
        (2..=4).contains(&own.len()) && own.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    !is_board && !word.starts_with("http") && (has_extension || word.contains(['/', '\\']))
}

/// Reads the positions that the arguments name, each a file or a text, with their scores if the
/// input has scores. An unreadable position is an error sentence with its file and line. The side
/// to move may be a separate argument after the position. A game gives its last position.
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
    let mut all = Vec::new();
    for word in &joined {
        let refused = |why: String| FileError::refused(excerpt(word), why);
        match packed(std::slice::from_ref(word)) {
            Ok(games) => all.extend(games.into_iter().map(|(_, game)| labelled(game, refused))),
            Err(error) if joined.len() == 1 => return Err(error),
            Err(error) => all.push(Err(refused(error))),
        }
    }
    match &all[..] {
        [Err(error)] => Err(error.to_string()),
        _ => Ok(all),
    }
}

/// Reads the positions in the bytes of a file. `path` is for messages.
pub fn positions_in(path: &Path, bytes: &[u8]) -> Vec<Result<Labelled, FileError>> {
    let refused = |why: String| FileError::refused(path, why);
    match Collection::read(bytes, &WthorNames::default()) {
        Ok(read) => (read.games.into_iter())
            .map(|game| labelled(game.map_err(|why| refused(why.into())), refused))
            .collect(),
        Err(no_games) => vec![Err(refused(no_games.to_string()))],
    }
}

/// Returns the last position of a game, with its scores. `refused` creates the error.
fn labelled(
    game: Result<PackedGame, FileError>,
    refused: impl Fn(String) -> FileError,
) -> Result<Labelled, FileError> {
    Labelled::try_from(&game?).map_err(refused)
}
