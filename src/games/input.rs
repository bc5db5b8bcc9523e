//! Games and positions named by arguments: files, stdin, or plain text.
//!
//! A file is named as `FILE`, `FILE:N`, `FILE:N:MOVES`, or `-` for stdin. Errors are sentences for
//! the user. This file reads files and folders; `words` reads the arguments of a command line.

mod words;

pub use words::{LoadedGame, game, games, inputs, placed_games, positions, positions_in};

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::wthor::{self, WthorNames};
use super::{Collection, NoGames};
use emilia_core::board::Sentence;
use emilia_files::{FileError, MIB, Unpacked};

/// Maximum size in bytes of a file of games or positions. The whole WTHOR database has 8 MiB.
pub const MAX_SIZE: u64 = 256 * MIB;

/// File that the user named, or that is below a folder that the user named.
#[derive(Debug)]
pub struct InputFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether the user named only a folder above the file. Such a file need not hold games.
    pub is_found: bool,
}

/// Reason why an [`InputFile`] gives no games, as a sentence for the user.
#[derive(Debug)]
pub enum NotRead {
    /// The file was found in a folder and is not a game file. The sentence is `None` for a file of
    /// WTHOR names, which is read together with the games that refer to it.
    Skipped(Option<String>),
    /// The file cannot be read, or the user named it and it holds no games.
    Failed(String),
}

impl InputFile {
    /// Checks `read`, the result of reading this file, and returns its games.
    ///
    /// # Errors
    /// If the file cannot be read or has no games, or if it was found in a folder and is a text
    /// without a valid game.
    pub fn checked(
        &self,
        read: Result<Result<Collection, NoGames>, FileError>,
    ) -> Result<Collection, NotRead> {
        let collection = read
            .map_err(|error| NotRead::Failed(error.to_string()))?
            .map_err(|no_games| self.without_games(&no_games))?;
        match collection.other_kind() {
            Some(problem) if self.is_found => Err(self.skipped(&problem)),
            _ => Ok(collection),
        }
    }

    /// Returns the reason for a file without games: it is skipped if it was found in a folder, and
    /// an error if the user named it.
    fn without_games(&self, no_games: &NoGames) -> NotRead {
        match no_games {
            NoGames::Names if self.is_found => NotRead::Skipped(None),
            NoGames::Empty | NoGames::Binary { .. } if self.is_found => {
                self.skipped(&no_games.to_string())
            }
            _ => NotRead::Failed(format!("'{}': {no_games}", name_of(&self.path).display())),
        }
    }

    fn skipped(&self, why: &str) -> NotRead {
        let path = self.path.display();
        NotRead::Skipped(Some(format!("'{path}': skipped: {why}")))
    }
}

/// Returns the files of `inputs`. A folder stands for all files below it, in the order of their
/// names, except names that begin with a dot.
pub fn files_in(inputs: &[PathBuf]) -> Result<Vec<InputFile>, FileError> {
    let mut files = Vec::new();
    for input in inputs {
        if input.is_dir() {
            add_folder(input, &mut files)?;
        } else if words::names_game(input) {
            let why = "this command reads whole files; leave out the number of the game";
            return Err(FileError::refused(input, why));
        } else {
            files.push(InputFile {
                path: input.clone(),
                is_found: false,
            });
        }
    }
    Ok(files)
}

/// Appends the files below a folder to `files`, in the order of their names.
/// Links to folders are not followed, because they may form a cycle.
fn add_folder(folder: &Path, files: &mut Vec<InputFile>) -> Result<(), FileError> {
    let wrong = |error| FileError::new(folder, error);
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)
        .and_then(Iterator::collect)
        .map_err(wrong)?;
    entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().map_err(wrong)?.is_dir() {
            add_folder(&path, files)?;
        } else if path.is_file() {
            let is_found = true;
            files.push(InputFile { path, is_found });
        }
    }
    Ok(())
}

/// Returns the name of a file for error messages: `stdin` for `-`.
fn name_of(file: &Path) -> &Path {
    if file == Path::new("-") {
        Path::new("stdin")
    } else {
        file
    }
}

/// Reads a file, or stdin if `file` is `-`. If it is an archive, returns the files that it
/// contains.
pub(super) fn read(file: &Path, max_size: u64) -> Result<Vec<Unpacked>, FileError> {
    let bytes = if file == Path::new("-") {
        emilia_files::read_stream(name_of(file), io::stdin().lock(), max_size)
    } else {
        emilia_files::read_packed(file, max_size)
    }?;
    emilia_files::unpack(name_of(file), bytes, max_size)
}

/// Reads the games of a file, or of stdin if `file` is `-`.
///
/// # Errors
/// If the file cannot be read or holds no games, if its only game is malformed, or if it is a text
/// in which no line is a game.
pub fn read_games(file: &Path) -> Result<Collection, FileError> {
    let collection = collection(file)?.map_err(|error| FileError::refused(name_of(file), error))?;
    let problem = match &collection.games[..] {
        [Err(error)] => Some(error.to_string()),
        _ => collection.other_kind(),
    };
    problem.map_or(Ok(collection), |why| {
        Err(FileError::refused(name_of(file), why))
    })
}

/// Reads the games of a file, or of stdin if `file` is `-`. Player and tournament names of a WTHOR
/// file come from the name files beside it or in the same archive.
///
/// # Errors
/// If the file cannot be read. A file without games is the inner error.
pub fn collection(file: &Path) -> Result<Result<Collection, NoGames>, FileError> {
    Ok(collection_of(file, &read(file, MAX_SIZE)?))
}

/// Reads the games of `files`, which were unpacked from `file`: the file itself, or the files of an
/// archive. In an archive, a file without games is skipped and logged, and a damaged file counts as
/// an unreadable game.
///
/// # Errors
/// If none of `files` has games.
pub fn collection_of(file: &Path, files: &[Unpacked]) -> Result<Collection, NoGames> {
    let names = names_of(files, Some(file));
    if let [one] = files {
        return Collection::read(&one.bytes, &names);
    }
    let (mut games, mut damaged) = (Vec::new(), Vec::new());
    let (mut is_text, mut problem) = (None, NoGames::Empty);
    for (member, read) in collections(files, names) {
        if let Err(error) = &read {
            problem = error.clone();
        }
        let source = InputFile {
            path: member.to_owned(),
            is_found: true,
        };
        match source.checked(Ok(read)) {
            Ok(found) => {
                is_text = is_text.or(Some(found.is_text));
                let path = member.strip_prefix(file).unwrap_or(member).display();
                let of_file = |error: Sentence| error.within(format_args!("{path}: "));
                games.extend(found.games.into_iter().map(|game| game.map_err(of_file)));
            }
            Err(NotRead::Failed(sentence)) => damaged.push(Err(sentence.into())),
            Err(NotRead::Skipped(Some(sentence))) => log::error!("{sentence}"),
            Err(NotRead::Skipped(None)) => {}
        }
    }
    games.append(&mut damaged);
    let is_text = is_text.ok_or(problem)?;
    Ok(Collection { is_text, games })
}

/// Reads each of `files`. `names` are the player and tournament names of WTHOR games. If no game of
/// a text is valid, the text is not a game file, and only its first error is kept.
pub fn collections(
    files: &[Unpacked],
    names: WthorNames,
) -> impl Iterator<Item = (&Path, Result<Collection, NoGames>)> {
    files.iter().map(move |file| {
        let mut read = Collection::read(&file.bytes, &names);
        if let Ok(found) = &mut read
            && found.other_kind().is_some()
        {
            found.games.truncate(1);
        }
        (&*file.path, read)
    })
}

impl Collection {
    /// Returns an error sentence if the file is a text without a valid game, which is then not a
    /// game file.
    fn other_kind(&self) -> Option<String> {
        let is_other = self.is_text && self.games.iter().all(Result::is_err);
        let mut errors = self.games.iter().filter_map(|game| game.as_ref().err());
        let error = errors.next().filter(|_| is_other)?;
        Some(format!("this is not a file of games: {error}"))
    }
}

/// Returns the player and tournament names in `files`. If `files` has WTHOR games but no names,
/// reads the name files in the folder of `beside`.
pub fn names_of(files: &[Unpacked], beside: Option<&Path>) -> WthorNames {
    let mut lists = files
        .iter()
        .filter(|file| wthor::is_names(&file.bytes))
        .peekable();
    if let Some(file) = beside
        && lists.peek().is_none()
        && files.iter().any(|file| wthor::is_games(&file.bytes))
    {
        return names_beside(file);
    }
    let mut names = WthorNames::default();
    for file in lists {
        if let Ok(players) = wthor::read_players(&file.bytes) {
            names.players = players;
        } else if let Ok(tournaments) = wthor::read_tournaments(&file.bytes) {
            names.tournaments = tournaments;
        }
    }
    names
}

/// Reads the names in the `.JOU` and `.TRN` files beside a WTHOR file.
/// Missing or malformed files give no names.
fn names_beside(file: &Path) -> WthorNames {
    let names = |extension, read: fn(&[u8]) -> Result<Vec<String>, wthor::WthorError>| {
        let path = beside(file, extension)?;
        let names = emilia_files::read(&path, MAX_SIZE)
            .and_then(|bytes| read(&bytes).map_err(|error| FileError::refused(&path, error)));
        // Games are readable without names, so an error is only logged.
        names.map_err(|error| log::error!("{error}")).ok()
    };
    WthorNames {
        players: names("JOU", wthor::read_players).unwrap_or_default(),
        tournaments: names("TRN", wthor::read_tournaments).unwrap_or_default(),
    }
}

/// Returns the first file, by name, with this extension in the folder of `file`.
pub fn beside(file: &Path, extension: &str) -> Option<PathBuf> {
    let folder = match file.parent()? {
        folder if folder == Path::new("") => Path::new("."),
        folder => folder,
    };
    let has_extension = |path: &PathBuf| {
        let own = path.extension();
        own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
    };
    let entries = fs::read_dir(folder).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(has_extension).min()
}

/// Returns the files that reading `file` opens: `file`, and the name files of a WTHOR file.
pub fn files_of(file: &Path) -> Vec<PathBuf> {
    let is_wthor = (file.extension()).is_some_and(|own| own.eq_ignore_ascii_case("wtb"));
    let names = ["JOU", "TRN"].iter().filter(|_| is_wthor);
    let names = names.filter_map(|extension| beside(file, extension));
    names.chain([file.to_path_buf()]).collect()
}
