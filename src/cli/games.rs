//! Reads the games and positions named by command-line arguments: files, stdin, or plain text.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use super::{Failure, say_on_stderr};
use crate::board::{Position, Transcript};
use crate::files::{self, FileError, MIB};
use crate::game::wthor::{self, Names};
use crate::game::{BadGame, Collection, Game, NoGames};

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
struct Place {
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
pub(super) struct FromFile {
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
        Names::default()
    } else {
        names_beside(file)
    };
    Ok(Collection::read(&bytes, &names))
}

/// Reads the names in the `.JOU` and `.TRN` files beside a WTHOR file.
/// Missing or malformed files give no names.
fn names_beside(file: &Path) -> Names {
    let names = |ending, read: fn(&[u8]) -> Result<Vec<String>, wthor::WthorError>| {
        let path = beside(file, ending)?;
        let bytes = files::read(&path, LARGEST_NAMES);
        let names =
            bytes.and_then(|bytes| read(&bytes).map_err(|error| FileError::refused(&path, error)));
        // Games are readable without names, so an error is only reported.
        names.map_err(|error| say_on_stderr(&error)).ok()
    };
    Names {
        players: names("JOU", wthor::read_players).unwrap_or_default(),
        tournaments: names("TRN", wthor::read_tournaments).unwrap_or_default(),
    }
}

/// Returns the files that [`game`] and [`all`] read for these arguments.
pub(super) fn inputs(words: &[String]) -> Vec<PathBuf> {
    match words {
        [word] => Place::of(word).map_or(Vec::new(), |place| files_of(&place.file)),
        _ => Vec::new(),
    }
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

/// Reads all games of a file or of stdin, or else the single [`game`] of the arguments.
///
/// # Errors
/// If the file cannot be read, or the arguments name no game.
pub(super) fn all(words: &[String]) -> Result<Vec<Result<Game, BadGame>>, Failure> {
    if let [word] = words
        && (word == "-" || Path::new(word).is_file())
    {
        return Ok(read(Path::new(word))?.games);
    }
    Ok(vec![Ok(game(words)?)])
}

/// Reads the game that the arguments name, by default a game without moves.
/// Files are `FILE`, `FILE:N`, `FILE:GAME:MOVES`, or `-` for stdin.
/// Other texts are a transcript, or a position, which gives a game without moves.
///
/// # Errors
/// If the file, game or move does not exist, or the text is neither a transcript nor a position.
pub(super) fn game(words: &[String]) -> Result<Game, Failure> {
    let text = words.join(" ");
    if let Ok(transcript) = Transcript::parse(&text, Position::START) {
        return Ok(Game::from(&transcript));
    }
    if let [word] = words
        && let Some(place) = Place::of(word)
    {
        return Ok(place.game()?.game);
    }
    let start = text.parse().map_err(|error| {
        let file = match words {
            [word] if looks_like_a_file(word) => format!("'{word}': no such file, and no "),
            _ => String::new(),
        };
        Failure::Input(format!("{file}position: {error}"))
    })?;
    Ok(Game::new(start))
}

/// Returns the last position of the [`game`] that the arguments name.
pub(super) fn position(words: &[String]) -> Result<Position, Failure> {
    Ok(game(words)?.position())
}

/// Reads the game named by `FILE`, `FILE:N` or `FILE:GAME:MOVES`.
///
/// # Errors
/// If the file, game or move does not exist.
pub(super) fn from_file(word: &str) -> Result<FromFile, FileError> {
    let whole = Place {
        file: PathBuf::from(word),
        part: Part::First,
    };
    Place::of(word).unwrap_or(whole).game()
}

/// Reads the game named by `FILE:N` or `FILE:GAME:MOVES`.
/// Returns `None` if the word has another form or the file does not exist.
pub(super) fn numbered(word: &str) -> Option<Result<Game, FileError>> {
    let place = Place::of(word).filter(|place| place.part != Part::First)?;
    Some(place.game().map(|found| found.game))
}

/// Returns whether a word is probably a file name: it has a separator or a 3-letter extension.
fn looks_like_a_file(word: &str) -> bool {
    word.contains(['/', '\\']) || Path::new(word).extension().is_some_and(|e| e.len() == 3)
}

impl Place {
    /// Parses a word, or returns `None` if its file does not exist.
    fn of(word: &str) -> Option<Place> {
        let exists = |file: &str| file == "-" || Path::new(file).is_file();
        let at = |file: &str, part| Place {
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

    /// Reads the game, truncated after the number of discs named.
    ///
    /// # Errors
    /// If the file, game or move does not exist.
    fn game(&self) -> Result<FromFile, FileError> {
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
        Ok(FromFile {
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
