//! Reads the games and positions named by command-line arguments: files, stdin, or plain text.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use super::{Failure, print_to_stderr};
use crate::board::{Position, Transcript};
use crate::files::{self, FileError, MIB};
use crate::game::wthor::{self, WthorNames};
use crate::game::{Collection, Game, NoGames};

/// Help text of an argument that names a position.
pub(super) const POSITION: &str = "\
64 squares and the side to move, an OBF line, or a transcript; or a file of games: FILE, \
     FILE:N (game N of several, or the only game after N moves), FILE:GAME:MOVES, or - for stdin \
     [default: the start]";

/// Largest file of games that is read, in bytes. All of WTHOR together has 8 MiB.
const LARGEST: u64 = 64 * MIB;

/// Largest file of WTHOR player or tournament names that is read, in bytes.
const LARGEST_NAMES: u64 = 16 * MIB;

/// File and part of it that an argument names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileReference {
    file: PathBuf,
    part: Part,
}

/// Part of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// `FILE`: the first game.
    First,
    /// `FILE:N`: the only game after N discs placed, or game N if the file has several.
    Number(usize),
    /// `FILE:GAME:MOVES`: game GAME, counted from 1, after MOVES discs placed.
    GameAtMove(usize, usize),
}

/// Game read from a file.
#[derive(Debug)]
pub(super) struct LoadedGame {
    pub(super) game: Game,
    /// Number of the game in the file, counted from 1.
    pub(super) number: usize,
    /// Number of games in the file.
    pub(super) count: usize,
    /// Whether the file holds this game only, and the argument names no move.
    pub(super) is_all: bool,
}

/// Reads the games of a file, or of stdin if `file` is `-`.
/// Player and tournament names of a WTHOR file come from the files beside it.
///
/// # Errors
/// If the file cannot be read, holds no games, or holds only one, which is malformed.
pub(super) fn read(file: &Path) -> Result<Collection, FileError> {
    let refused = |error: Box<dyn Error + Send + Sync>| FileError::refused(name_of(file), error);
    let collection = collection(file)?.map_err(|error| refused(error.into()))?;
    match collection.games.as_slice() {
        [Err(error)] => Err(refused(error.clone().into())),
        _ => Ok(collection),
    }
}

/// Returns the name of a file in error messages.
fn name_of(file: &Path) -> &Path {
    if file == Path::new("-") {
        Path::new("stdin")
    } else {
        file
    }
}

/// Reads the games of a file as [`read`] does, but returns the reason if it holds none.
/// A single malformed game is no error either.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn collection(file: &Path) -> Result<Result<Collection, NoGames>, FileError> {
    let is_stdin = file == Path::new("-");
    let name = name_of(file);
    let bytes = if is_stdin {
        files::read_stream(name, io::stdin().lock(), LARGEST)?
    } else {
        files::read(file, LARGEST)?
    };
    let names = if is_stdin || !wthor::is_games(&bytes) {
        WthorNames::default()
    } else {
        names_beside(file)
    };
    Ok(Collection::read(&bytes, &names))
}

/// Reads the names in the `.JOU` and `.TRN` files beside a WTHOR file.
/// Missing or malformed files give no names.
fn names_beside(file: &Path) -> WthorNames {
    let names = |ending, read: fn(&[u8]) -> Result<Vec<String>, wthor::WthorError>| {
        let path = beside(file, ending)?;
        let bytes = files::read(&path, LARGEST_NAMES);
        let names =
            bytes.and_then(|bytes| read(&bytes).map_err(|error| FileError::refused(&path, error)));
        // WthorGames are readable without names, so an error is only reported.
        names.map_err(|error| print_to_stderr(&error)).ok()
    };
    WthorNames {
        players: names("JOU", wthor::read_players).unwrap_or_default(),
        tournaments: names("TRN", wthor::read_tournaments).unwrap_or_default(),
    }
}

/// Returns the files that [`game`] and [`all`] read for these arguments.
pub(super) fn inputs(words: &[String]) -> Vec<PathBuf> {
    let places = places(words).unwrap_or_default();
    let files = places.iter().flat_map(|place| files_of(&place.file));
    files.collect()
}

/// Returns the places that the words name, or `None` if some word names none.
fn places(words: &[String]) -> Option<Vec<FileReference>> {
    words.iter().map(|word| FileReference::of(word)).collect()
}

/// Returns the files that [`read`] opens for `file`: itself, and the name files of a WTHOR file.
pub(super) fn files_of(file: &Path) -> Vec<PathBuf> {
    let is_base = file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("wtb"));
    let names = ["JOU", "TRN"].iter().filter(|_| is_base);
    let names = names.filter_map(|ending| beside(file, ending));
    names.chain([file.to_path_buf()]).collect()
}

/// Returns the first file with the extension `ending` in the folder of `file`.
fn beside(file: &Path, ending: &str) -> Option<PathBuf> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let own = path.extension();
            own.is_some_and(|own| own.eq_ignore_ascii_case(ending))
        })
        .min()
}

/// Reads all games of one or several files or of stdin, or else the single [`game`] of the
/// arguments. Of several files, one that cannot be read counts as an unreadable game.
///
/// # Errors
/// If the only file cannot be read, or the arguments name no game.
pub(super) fn all(words: &[String]) -> Result<Vec<Result<Game, FileError>>, Failure> {
    match places(words).as_deref() {
        None | Some([]) => Ok(vec![Ok(game(words)?)]),
        Some([place]) => Ok(place.games()?),
        Some(places) => {
            let games = places.iter().map(FileReference::games);
            Ok(games
                .flat_map(|games| games.unwrap_or_else(|error| vec![Err(error)]))
                .collect())
        }
    }
}

/// Reads the game that the arguments name, by default a game without moves.
/// Files are `FILE`, `FILE:N`, `FILE:GAME:MOVES`, or `-` for stdin.
/// Other texts are a transcript, or a position, which gives a game without moves.
/// Prints on stderr that `FILE` is the first game of several.
///
/// # Errors
/// If the file, game or move does not exist, or the text is neither a transcript nor a position.
pub(super) fn game(words: &[String]) -> Result<Game, Failure> {
    if words.iter().any(|word| word.trim().is_empty()) {
        return Err(Failure::Input("the position is empty".to_owned()));
    }
    let text = words.join(" ");
    if let Ok(transcript) = Transcript::parse(&text, Position::START) {
        return Ok(Game::from(&transcript));
    }
    if let [word] = words
        && let Some(place) = FileReference::of(word)
    {
        let found = place.game()?;
        if place.part == Part::First && found.count > 1 {
            print_to_stderr(&format_args!(
                "emilia: game 1 of {}; FILE:N shows another",
                found.count
            ));
        }
        return Ok(found.game);
    }
    let start = text.parse().map_err(|error| {
        let problem = problem_of_files(words);
        Failure::Input(problem.unwrap_or_else(|| format!("position: {error}")))
    })?;
    Ok(Game::new(start))
}

/// Returns what is wrong with words that are files, or `None` if no word is one.
fn problem_of_files(words: &[String]) -> Option<String> {
    if let Some(folder) = words.iter().find(|word| Path::new(word).is_dir()) {
        return Some(format!("'{folder}': it is a folder; name a file in it"));
    }
    let is_file = |word: &&String| FileReference::of(word).is_some();
    let has_files = words.iter().any(|word| is_file(&word));
    let missing = words
        .iter()
        .find(|word| !is_file(word) && (has_files || looks_like_a_file(word)));
    if let Some(missing) = missing {
        return Some(format!("'{missing}': no such file"));
    }
    let second = words.iter().filter(is_file).nth(1)?;
    Some(format!(
        "this command takes one position; '{second}' is a second file"
    ))
}

/// Returns the last position of the [`game`] that the arguments name.
pub(super) fn position(words: &[String]) -> Result<Position, Failure> {
    Ok(game(words)?.position())
}

/// Reads the game named by `FILE`, `FILE:N` or `FILE:GAME:MOVES`.
///
/// # Errors
/// If the file, game or move does not exist.
pub(super) fn from_file(word: &str) -> Result<LoadedGame, FileError> {
    let whole = FileReference {
        file: PathBuf::from(word),
        part: Part::First,
    };
    FileReference::of(word).unwrap_or(whole).game()
}

/// Reads the game named by `FILE:N` or `FILE:GAME:MOVES`.
/// Returns `None` if the word has another form or the file does not exist.
pub(super) fn numbered(word: &str) -> Option<Result<Game, FileError>> {
    let place = FileReference::of(word).filter(|place| place.part != Part::First)?;
    Some(place.game().map(|found| found.game))
}

/// Returns whether a word is probably a file name, perhaps with numbers as in `FILE:N`:
/// it has a separator, or an extension of 2 to 4 letters and is no board of dots.
fn looks_like_a_file(word: &str) -> bool {
    let file = word.trim_end_matches(|c: char| c == ':' || c.is_ascii_digit());
    let is_board = file.chars().all(|c| ".-*oxOX".contains(c));
    let is_ending = |ending: &str| {
        (2..=4).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphabetic())
    };
    let ending = Path::new(file).extension().and_then(|e| e.to_str());
    word.contains(['/', '\\']) || !is_board && ending.is_some_and(is_ending)
}

impl FileReference {
    /// Parses a word, or returns `None` if its file does not exist.
    fn of(word: &str) -> Option<FileReference> {
        let exists = |file: &str| file == "-" || Path::new(file).is_file();
        let at = |file: &str, part| FileReference {
            file: PathBuf::from(file),
            part,
        };
        if exists(word) {
            return Some(at(word, Part::First));
        }
        let (rest, last) = word.rsplit_once(':')?;
        let last = last.parse().ok()?;
        if exists(rest) {
            return Some(at(rest, Part::Number(last)));
        }
        let (file, first) = rest.rsplit_once(':')?;
        let first = first.parse().ok()?;
        exists(file).then(|| at(file, Part::GameAtMove(first, last)))
    }

    /// Reads the game that is named, or all games of the file if none is.
    ///
    /// # Errors
    /// If the file, game or move does not exist, or the only game of the file is malformed.
    fn games(&self) -> Result<Vec<Result<Game, FileError>>, FileError> {
        if self.part != Part::First {
            return Ok(vec![Ok(self.game()?.game)]);
        }
        let refused = |error| FileError::refused(name_of(&self.file), error);
        let games = read(&self.file)?.games.into_iter();
        Ok(games.map(|game| game.map_err(refused)).collect())
    }

    /// Reads the game, truncated after the number of discs named.
    ///
    /// # Errors
    /// If the file, game or move does not exist.
    fn game(&self) -> Result<LoadedGame, FileError> {
        let games = read(&self.file)?.games;
        let refuse = |why: String| Err(FileError::refused(&self.file, why));
        let count = games.len();
        let (number, ply) = match self.part {
            Part::First => (1, None),
            Part::Number(ply) if count == 1 => (1, Some(ply)),
            Part::Number(number) => (number, None),
            Part::GameAtMove(number, ply) => (number, Some(ply)),
        };
        let Some(game) = number
            .checked_sub(1)
            .and_then(|at| games.into_iter().nth(at))
        else {
            return refuse(match count {
                1 => {
                    format!("there is no game {number}, but 1 in all (FILE:N is it after N moves)")
                }
                _ => format!("there is no game {number}, but {count} in all (FILE:N is game N)"),
            });
        };
        let mut game = match game {
            Ok(game) => game,
            Err(error) => return refuse(error.to_string()),
        };
        if let Some(ply) = ply {
            if ply > game.placed() {
                let which = match count {
                    1 => "the only game".to_owned(),
                    _ => format!("game {number}"),
                };
                return refuse(format!("{which} has {} moves, not {ply}", game.placed()));
            }
            game.truncate(moves_with(&game, ply));
        }
        Ok(LoadedGame {
            game,
            number,
            count,
            is_all: count == 1 && ply.is_none(),
        })
    }
}

/// Returns the number of moves, passes included, up to the disc numbered `placed`.
fn moves_with(game: &Game, placed: usize) -> usize {
    let squares = game.moves().iter().enumerate();
    let mut squares = squares.filter(|(_, played)| played.mv.square().is_some());
    match placed.checked_sub(1) {
        None => 0,
        Some(last) => squares
            .nth(last)
            .map_or(game.moves().len(), |(at, _)| at + 1),
    }
}
