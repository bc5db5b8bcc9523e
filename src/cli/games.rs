//! `emilia games`: searches archives for games, for the moves from a position, and for duplicates.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::inputs::{position, unless_left_out};
use super::options::GlobalOptions;
use super::{CommandResult, Failure, print_to_stderr, refused};
use emilia_core::board::{Position, Square};
use emilia_files::quoted;
use emilia_games::archive::{
    ArchivedGame, Archives, GamePlace, MoveCount, MoveCounts, MoveKey, Query, ReachedPosition,
    ResultFilter, Words, Years, duplicates, move_key,
};
use emilia_games::input::{self, NotRead};
use emilia_review::json;
use emilia_view::{Align, Table, printable, width, wrapped};

/// Maximum number of games listed without `--all`.
const SCREENFUL: usize = 20;

/// Maximum width in columns of the names of the players of a move.
const NAMES_WIDTH: usize = 34;

/// Number of players of a move in JSON.
const TOP_PLAYERS: usize = 10;

/// Arguments of `emilia games`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct Args {
    /// Files or folders of games (WTHOR, GGF, SGF, transcripts), or - for stdin
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,

    /// Games of this player: words or parts of a name, without regard to case and accents
    #[arg(long, value_name = "NAME")]
    player: Option<Words>,

    /// Games of --player against this opponent
    #[arg(long, value_name = "NAME", requires = "player")]
    against: Option<Words>,

    /// Games of a year, or from one year to another
    #[arg(long, value_name = "Y|Y-Y")]
    year: Option<Years>,

    /// Games with this result, as 'lost' or 'black,2-10'
    #[arg(long, value_name = "RESULT", value_delimiter = ',')]
    result: Vec<ResultFilter>,

    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    #[arg(help = "Count the moves that were played from this position, also mirrored or turned")]
    position: Option<String>,

    /// List the games that reach --position, instead of its moves
    #[arg(long, requires = "position")]
    list: bool,

    /// List the games with the same moves as another one, also mirrored or turned
    #[arg(long, conflicts_with = "position")]
    duplicates: bool,

    #[command(flatten)]
    listing: Listing,
}

/// How much is listed, and in which form.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Listing {
    /// List all games, not only the first
    #[arg(long)]
    all: bool,

    /// Print JSON, one object on each line (src/cli/JSON.md)
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!(
        "\
Lists the games that match all options, the first {SCREENFUL} without --all. The first column
names a game for other commands: 'emilia show WTH_2019.wtb:12'. A file of a single game has no
number.

The result is Black's discs minus White's, as recorded or of the final position.
--result is one of these, or several with commas between them that must all hold:
  black, white, draw  the winner
  won, lost           by --player
  2-10, 64            discs between winner and loser

With --position POS the moves played from it are counted: games, results and mean score in discs
for the side to move, and who played it most. Games that reach a mirrored or turned image
of POS count, too, and their moves are shown as moves of POS. A dash in place of a move stands for
games that end there. POS is a board, a transcript, or a game in a file, as in 'emilia show'.

--duplicates compares moves, not names, and leaves out games without moves.

Examples:
  emilia games wthor/ --player 'tamenori hideshi' --year 1990-1999
  emilia games wthor/ --player tamenori --result lost --all
  emilia games wthor/ --position f5d6c3d3c4
  emilia games wthor/ more.ggf --duplicates --json"
    )
}

/// Prints the games that match, or the moves played from `--position`, or the duplicates.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    if args.player.is_none() && args.result.iter().any(ResultFilter::is_of_player) {
        return Err(refused("--result won and lost need --player"));
    }
    let position = match &args.position {
        Some(text) => Some(position(std::slice::from_ref(text))?),
        None => None,
    };
    let (archives, mut bad) = read(&args.inputs, global)?;
    let search = Search {
        args,
        query: args.query(),
        archives,
    };
    let (answer, bad_games) = match position {
        Some(position) if !args.list => search.moves(&position),
        _ if args.duplicates => search.duplicates(),
        position => search.games(position.as_ref()),
    };
    for error in &bad_games {
        print_to_stderr(error);
    }
    let count = search.archives.games() + bad;
    bad += bad_games.len();
    if count == bad {
        return Err(refused(match count {
            0 => "there are no games in the folder".to_owned(),
            _ => format!("none of the {count} games could be read"),
        }));
    }
    search.write(&answer, out)?;
    unless_left_out(bad, count)
}

/// Reads the files. Returns also the number of files that could not be read, which are reported
/// on stderr.
///
/// # Errors
/// If the only file, or a folder, cannot be read.
pub(super) fn read(
    inputs: &[PathBuf],
    global: &GlobalOptions,
) -> Result<(Archives, usize), Failure> {
    let files = input::files_in(inputs)?;
    let (archives, not_read) = Archives::read(&files, global.threads_or_cores());
    let mut bad = 0;
    for problem in &not_read {
        match problem {
            NotRead::Failed(sentence) if files.len() == 1 => return Err(refused(sentence)),
            NotRead::Failed(sentence) => {
                bad += 1;
                print_to_stderr(sentence);
            }
            NotRead::Skipped(sentence) => {
                if let Some(sentence) = sentence {
                    print_to_stderr(sentence);
                }
            }
        }
    }
    Ok((archives, bad))
}

impl Args {
    fn query(&self) -> Query {
        Query {
            player: self.player.clone(),
            against: self.against.clone(),
            years: self.year.clone(),
            results: self.result.clone(),
        }
    }
}

/// What was found, and the sentences of the games that could not be read.
type Found = (Answer, Vec<String>);

enum Answer {
    Games(Vec<GamePlace>),
    Moves(Position, Vec<(Option<Square>, MoveCount)>),
    Duplicates(Vec<Vec<GamePlace>>),
}

/// A search in archives.
struct Search<'a> {
    args: &'a Args,
    query: Query,
    archives: Archives,
}

impl Search<'_> {
    /// Finds the games that match, and reach the position if there is one.
    fn games(&self, position: Option<&Position>) -> Found {
        let position = position.map(ReachedPosition::new);
        let visited = self
            .archives
            .visit(|found: &mut Vec<GamePlace>, place, game| {
                let is_reached = position.is_none_or(|position| position.is_in(game));
                if is_reached && self.query.matches(game) {
                    found.push(place);
                }
            });
        (Answer::Games(visited.results.concat()), visited.bad)
    }

    /// Counts the moves from a position in the games that match.
    fn moves(&self, position: &Position) -> Found {
        let reached = ReachedPosition::new(position);
        let visited = self.archives.visit(|counts: &mut MoveCounts, _, game| {
            if self.query.matches(game) {
                counts.add(&reached, game);
            }
        });
        let moves = MoveCounts::total(&reached, visited.results);
        (Answer::Moves(reached.position, moves), visited.bad)
    }

    /// Finds the games that match and have the same moves.
    fn duplicates(&self) -> Found {
        type Keys = Vec<(MoveKey, GamePlace)>;
        let visited = self.archives.visit(|keys: &mut Keys, place, game| {
            if self.query.matches(game)
                && let Some(key) = move_key(&game.start, &game.squares)
            {
                keys.push((key, place));
            }
        });
        let keys = visited.results.into_iter().flatten().collect();
        (Answer::Duplicates(duplicates(keys)), visited.bad)
    }

    fn write(&self, answer: &Answer, out: &mut dyn Write) -> Result<(), Failure> {
        match answer {
            Answer::Games(places) if self.args.listing.json => {
                self.archives.visit_at(places, |place, game| {
                    json::write("game", &self.shown(place, game), out)
                })?;
            }
            Answer::Games(places) => self.write_games(places, out)?,
            Answer::Moves(position, moves) => self.write_moves(position, moves, out)?,
            Answer::Duplicates(groups) if self.args.listing.json => {
                for group in groups {
                    let mut games = Vec::new();
                    self.archives.visit_at(group, |place, game| {
                        games.push(self.shown(place, game));
                        Ok::<(), Failure>(())
                    })?;
                    json::write("duplicates", &ShownDuplicates { games }, out)?;
                }
            }
            Answer::Duplicates(groups) => self.write_duplicates(groups, out)?,
        }
        Ok(())
    }

    fn write_games(&self, places: &[GamePlace], out: &mut dyn Write) -> Result<(), Failure> {
        let most = if self.args.listing.all {
            usize::MAX
        } else {
            SCREENFUL
        };
        let shown = &places[..places.len().min(most)];
        let folder = self.folder(shown);
        let mut table = Table::new(GAME_COLUMNS);
        self.archives.visit_at(shown, |place, game| {
            table.row(self.cells(folder, place, game));
            Ok::<(), Failure>(())
        })?;
        if let Some(&first) = shown.first() {
            write!(out, "{}", table.fitted(width()))?;
            writeln!(
                out,
                "\nemilia show {}",
                printable(&quoted(&self.reference(first)))
            )?;
        }
        let (found, read) = (places.len(), self.archives.games());
        let listed = listed(shown.len(), found);
        let total = format!("{found} of {read} games match{listed}");
        writeln!(out, "{}", wrapped(&total, 0))?;
        Ok(())
    }

    fn write_duplicates(
        &self,
        groups: &[Vec<GamePlace>],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut rows = 0;
        let shown = groups.iter().take_while(|group| {
            let is_first = rows == 0;
            rows += group.len();
            self.args.listing.all || is_first || rows <= SCREENFUL
        });
        let shown: Vec<&Vec<GamePlace>> = shown.collect();
        let folder = self.folder(&shown.iter().copied().flatten().copied().collect::<Vec<_>>());
        let columns = std::iter::once(("set", Align::Right)).chain(GAME_COLUMNS);
        let mut table = Table::new(columns);
        for (number, group) in (1..).zip(&shown) {
            self.archives.visit_at(group, |place, game| {
                let cells = self.cells(folder, place, game).into_iter();
                table.row(std::iter::once(number.to_string()).chain(cells));
                Ok::<(), Failure>(())
            })?;
        }
        if !shown.is_empty() {
            writeln!(out, "{}", table.fitted(width()))?;
        }
        let games: usize = groups.iter().map(Vec::len).sum();
        let plural = if groups.len() == 1 { "" } else { "s" };
        let total = format!(
            "{games} of {} games are in {} set{plural} of the same moves{}",
            self.archives.games(),
            groups.len(),
            listed(shown.len(), groups.len())
        );
        writeln!(out, "{}", wrapped(&total, 0))?;
        Ok(())
    }

    fn write_moves(
        &self,
        position: &Position,
        moves: &[(Option<Square>, MoveCount)],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let games = moves.iter().map(|(_, count)| count.games).sum();
        if self.args.listing.json {
            let shown = ShownMoves {
                position: position.to_string(),
                read: self.archives.games(),
                games,
                moves: moves.iter().map(ShownMove::new).collect(),
            };
            return Ok(json::write("moves", &shown, out)?);
        }
        writeln!(out, "{position}")?;
        let read = self.archives.games();
        writeln!(out, "{games} of {read} games reach it\n")?;
        if moves.is_empty() {
            return Ok(());
        }
        let mut table = Table::new([
            ("move", Align::Left),
            ("games", Align::Right),
            ("won", Align::Right),
            ("drawn", Align::Right),
            ("lost", Align::Right),
            ("mean", Align::Right),
            ("most by", Align::Left),
        ]);
        for (square, count) in moves {
            let [games, won, drawn, lost] =
                [count.games, count.won, count.drawn, count.lost].map(|count| count.to_string());
            let mean = count.mean().map(|mean| format!("{mean:+.1}"));
            let square = square.map_or("-".to_owned(), |square| square.to_string());
            let mean = mean.unwrap_or_else(|| "-".to_owned());
            table.row([square, games, won, drawn, lost, mean, names(count)]);
        }
        write!(out, "{}", table.fitted(width()))?;
        Ok(())
    }

    /// Returns the folder of the files of these games, if they are all in one.
    fn folder(&self, places: &[GamePlace]) -> Option<&Path> {
        let mut folders = places
            .iter()
            .map(|&place| self.archives.file(place).0.parent());
        let first = folders.next().flatten()?;
        folders.all(|folder| folder == Some(first)).then_some(first)
    }

    /// Returns the words that name a game for other commands.
    fn reference(&self, place: GamePlace) -> String {
        let (path, count) = self.archives.file(place);
        match count {
            // `FILE:N` is the only game after N moves.
            1 => path.display().to_string(),
            _ => format!("{}:{}", path.display(), place.game + 1),
        }
    }

    /// Returns the row of a game, in the order of [`GAME_COLUMNS`]. Its file has no `folder`.
    fn cells(
        &self,
        folder: Option<&Path>,
        place: GamePlace,
        game: &ArchivedGame<'_>,
    ) -> [String; 7] {
        let reference = self.reference(place);
        let folder = folder.map(|folder| folder.display().to_string());
        let short = folder.and_then(|folder| reference.strip_prefix(&folder));
        let short = short.map(|name| name.trim_start_matches(std::path::MAIN_SEPARATOR));
        [
            printable(short.unwrap_or(&reference)),
            printable(&game.black),
            printable(&game.white),
            game.margin.map_or("-".to_owned(), signed),
            printable(&game.date),
            printable(&game.event),
            opening(game).unwrap_or("-").to_owned(),
        ]
    }

    fn shown(&self, place: GamePlace, game: &ArchivedGame<'_>) -> ShownGame {
        ShownGame {
            game: self.reference(place),
            black: game.black.clone().into_owned(),
            white: game.white.clone().into_owned(),
            result: game.margin,
            date: game.date.clone().into_owned(),
            event: game.event.clone().into_owned(),
            opening: opening(game),
            start: (game.start != Position::START).then(|| game.start.to_string()),
            transcript: game.squares.iter().map(Square::to_string).collect(),
        }
    }
}

/// Columns of a list of games.
const GAME_COLUMNS: [(&str, Align); 7] = [
    ("game", Align::Right),
    ("black", Align::Left),
    ("white", Align::Left),
    ("result", Align::Right),
    ("date", Align::Left),
    ("event", Align::Left),
    ("opening", Align::Left),
];

fn opening(game: &ArchivedGame<'_>) -> Option<&'static str> {
    game.game().opening().map(|opening| opening.name)
}

/// Formats the end of a total: how many of its items are listed, if not all.
fn listed(shown: usize, found: usize) -> String {
    if shown == found {
        return String::new();
    }
    format!(", the first {shown} are listed (--all lists all)")
}

/// Formats a score with its sign and without needless decimals.
fn signed(discs: f64) -> String {
    if discs == 0.0 {
        "0".to_owned()
    } else {
        format!("{discs:+}")
    }
}

/// Names the players who played a move most, at least one, with their numbers of games.
fn names(count: &MoveCount) -> String {
    let mut text = String::new();
    for (name, games) in count.players() {
        let name = format!("{} {games}", printable(name));
        if text.is_empty() {
            text = name;
        } else if text.chars().count() + name.chars().count() + 2 <= NAMES_WIDTH {
            text.extend([", ", &name]);
        } else {
            break;
        }
    }
    text
}

/// JSON object of a game.
#[derive(Serialize)]
struct ShownGame {
    /// Reference by which other commands read the game: `FILE:N`, or `FILE` for a single game.
    game: String,
    black: String,
    white: String,
    /// Black's score in discs.
    result: Option<f64>,
    date: String,
    event: String,
    opening: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    transcript: String,
}

/// JSON object of games with the same moves.
#[derive(Serialize)]
struct ShownDuplicates {
    games: Vec<ShownGame>,
}

/// JSON object of the moves from a position.
#[derive(Serialize)]
struct ShownMoves {
    position: String,
    /// Number of games that were searched.
    read: usize,
    /// Number of games that reach the position.
    games: u32,
    moves: Vec<ShownMove>,
}

#[derive(Serialize)]
struct ShownMove {
    #[serde(rename = "move")]
    square: Option<String>,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    mean: Option<f64>,
    players: Vec<ShownPlayer>,
}

#[derive(Serialize)]
struct ShownPlayer {
    name: String,
    games: u32,
}

impl ShownMove {
    fn new((square, count): &(Option<Square>, MoveCount)) -> ShownMove {
        let players = count.players().into_iter().take(TOP_PLAYERS);
        let players = players.map(|(name, games)| ShownPlayer {
            name: name.to_owned(),
            games,
        });
        ShownMove {
            square: square.map(|square| square.to_string()),
            games: count.games,
            won: count.won,
            drawn: count.drawn,
            lost: count.lost,
            mean: count.mean(),
            players: players.collect(),
        }
    }
}
