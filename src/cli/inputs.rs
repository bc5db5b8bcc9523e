//! Games and positions named by the arguments of a command.

use std::num::NonZero;
use std::path::PathBuf;

use super::{CommandResult, Failure, Verdict, print_to_stderr, refused};
use emilia_core::board::{Position, Sentence};
use emilia_files::FileError;
use emilia_games::Game;
use emilia_games::archive::Archives;
use emilia_games::input::{self, NotRead};

/// Help text of an argument that names a position.
pub(super) const POSITION: &str = "\
64 squares and the side to move, an OBF line, a board as 'show' prints it, a FEN, a transcript, \
     or a link with moves; or a file of games: FILE, FILE:N (game N), FILE:N:MOVES (game N after \
     MOVES moves), or - for stdin \
     [default: the start]";

/// Reads the game that the arguments name, by default a game without moves.
/// Returns the first game of a file that has several games, and reports this choice on stderr.
pub(super) fn game(words: &[String]) -> Result<Game, Failure> {
    let loaded = input::game(words)?;
    if loaded.count > 1 {
        note!("emilia: game 1 of {}; FILE:N shows another", loaded.count);
    }
    warn([(String::new(), loaded.game.warnings(), loaded.game.is_cut())]);
    Ok(loaded.game)
}

/// Prints at most three warnings of games on stderr, and the number of further warnings. Each item
/// of `games` is a text that names the game, its warnings, and whether a part of the game was not
/// read. Returns the number of games of which a part was not read.
pub(super) fn warn<W: AsRef<[Sentence]>>(
    games: impl IntoIterator<Item = (String, W, bool)>,
) -> usize {
    const SHOWN: usize = 3;
    let (mut count, mut cut) = (0, 0);
    for (name, warnings, is_cut) in games {
        cut += usize::from(is_cut);
        for warning in warnings.as_ref() {
            if count < SHOWN {
                note!("emilia: {name}{warning}");
            }
            count += 1;
        }
    }
    if count > SHOWN {
        note!("emilia: and {} more", count - SHOWN);
    }
    cut
}

/// Prints the warnings of `games` with [`warn`], without naming the games. Returns the number of
/// games of which a part was not read.
pub(super) fn warn_of(games: &[(usize, Game)]) -> usize {
    let warnings = games
        .iter()
        .map(|(_, game)| (String::new(), game.warnings(), game.is_cut()));
    warn(warnings)
}

/// Returns the items that were read, with their numbers, and the number of errors. Prints the
/// errors on stderr.
pub(super) fn readable<T>(
    all: impl IntoIterator<Item = (usize, Result<T, FileError>)>,
) -> (Vec<(usize, T)>, usize) {
    let (mut read, mut errors) = (Vec::new(), Vec::new());
    for (number, one) in all {
        match one {
            Ok(one) => read.push((number, one)),
            Err(error) => errors.push(error),
        }
    }
    report(&errors);
    (read, errors.len())
}

/// Reports the first three errors of each file on stderr, and the number of further errors.
pub(super) fn report(errors: &[FileError]) {
    const SHOWN: usize = 3;
    for of_file in errors.chunk_by(|one, next| one.path() == next.path()) {
        for error in of_file.iter().take(SHOWN) {
            note!("emilia: {error}");
        }
        if let Some(first) = of_file.get(SHOWN) {
            let (path, more) = (first.path().display(), of_file.len() - SHOWN);
            note!("emilia: '{path}': and {more} more");
        }
    }
}

/// Returns `Yes` if `bad` is 0, otherwise the error that `bad` of `count` items were left out.
/// `items` is the name of the items in the plural.
pub(super) fn unless_left_out(bad: usize, count: usize, items: &str) -> CommandResult {
    if bad == 0 {
        return Ok(Verdict::Yes);
    }
    bail!("{bad} of {count} {items} could not be read and were left out");
}

/// Returns `Yes` if all of `count` games were read to their ends. Otherwise returns the error that
/// `bad` games were left out, or else that `cut` games were read only in part.
pub(super) fn unless_unread(bad: usize, cut: usize, count: usize) -> CommandResult {
    unless_left_out(bad, count, "games")?;
    if cut == 0 {
        return Ok(Verdict::Yes);
    }
    bail!("{cut} of {count} games could not be read to the end");
}

/// Returns the last position of the [`game`] that the arguments name. Fails if a part of the game
/// was not read.
pub(super) fn position(words: &[String]) -> Result<Position, Failure> {
    let game = game(words)?;
    unless_unread(0, usize::from(game.is_cut()), 1)?;
    Ok(game.position())
}

/// Reads files and folders of games. Also returns the number of files that could not be read, and
/// reports these files on stderr.
///
/// # Errors
/// If the only file, or a folder, cannot be read.
pub(super) fn archives(
    inputs: &[PathBuf],
    threads: NonZero<usize>,
) -> Result<(Archives, usize), Failure> {
    let files = input::files_in(inputs)?;
    let (archives, not_read) = Archives::read(&files, threads);
    let mut bad = 0;
    for problem in not_read {
        match problem {
            NotRead::Failed(sentence) if files.len() == 1 => return Err(refused(sentence)),
            problem => bad += usize::from(is_failure(&problem)),
        }
    }
    Ok((archives, bad))
}

/// Returns whether reading a file failed, and reports the reason on stderr. A file that was found
/// in a folder and is not a game file is skipped, and does not count as a failure.
pub(super) fn is_failure(problem: &NotRead) -> bool {
    let (NotRead::Failed(sentence) | NotRead::Skipped(Some(sentence))) = problem else {
        return false;
    };
    print_to_stderr(sentence);
    matches!(problem, NotRead::Failed(_))
}
