//! `emilia games`: searches archives for games, for the moves from a position, and for duplicates.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;

use serde_json::json;

use super::inputs::{archives, position, report, unless_unread, warn};
use super::options::ThreadsOption;
use super::{CommandResult, Failure, refused};
use crate::play::quoted;
use emilia_core::board::{Position, printable};
use emilia_games::archive::{
    Archives, GamePlace, MoveCount, MoveCounts, MoveKey, Query, ReachedPosition, ResultFilter,
    Words, Years, duplicates, move_key,
};
use emilia_games::{Outcome, PackedGame};
use emilia_review::{PlayedMove, json};
use emilia_view::{Align, Table, width, wrapped};

/// Maximum width in columns of the list of players who played a move.
const NAMES_WIDTH: usize = 34;

/// Maximum number of players listed for a move in JSON.
const TOP_PLAYERS: usize = 10;

/// Arguments of `emilia games`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Lists the games that match all options. The first column names a game for 'show', \
'hint', 'analyze' and 'play': 'emilia show WTH_2019.wtb:12'. A file of a single game has no number.

The result is Black's discs minus White's, as recorded or of the final position. \
--result is one of these, or several with commas between them that must all hold:
  black, white, draw  the winner
  won, lost           by --player
  2-10, 64            discs between winner and loser

With --position POS the moves played from it are counted: games, results and mean score in discs \
for the side to move, and who played it most. Games that reach a mirrored or turned image \
of POS count, too, and their moves are shown as moves of POS. A dash in place of a move stands for \
games that end there. POS is a board, a transcript, or a game in a file, as in 'emilia show'.

--duplicates compares moves, not names, and leaves out games without moves.

Examples:
  emilia games wthor/ --player 'tamenori hideshi' --year 1990-1999
  emilia games wthor/ --player tamenori --result lost
  emilia games wthor/ --event 'world championship' --year 2019
  emilia games wthor/ --position f5d6c3d3c4
  emilia games wthor/ more.ggf --duplicates --json")]
pub(super) struct Args {
    /// Files or folders of games (WTHOR, PGN, GGF, SGF, transcripts), or - for stdin
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,

    /// Games of this player: words or parts of a name, without regard to case and accents
    #[arg(long, value_name = "NAME")]
    player: Option<Words>,

    /// Games of --player against this opponent
    #[arg(long, value_name = "NAME", requires = "player")]
    against: Option<Words>,

    /// Games of this event: words or parts of its name, without regard to case and accents
    #[arg(long, value_name = "NAME")]
    event: Option<Words>,

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

    /// Print JSON, one object on each line (src/cli/JSON.md)
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadsOption,
}

/// Prints the games that match, or the moves played from `--position`, or the duplicates.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    if args.player.is_none() && args.result.iter().any(ResultFilter::is_of_player) {
        bail!("--result won and lost need --player");
    }
    let reached = match &args.position {
        Some(text) => Some(ReachedPosition::new(&position(slice::from_ref(text))?)),
        None => None,
    };
    let (archives, bad) = archives(&args.inputs, args.threads.threads_or_cores())?;
    let mut search = ArchiveSearch {
        query: Query {
            player: args.player.clone(),
            against: args.against.clone(),
            event: args.event.clone(),
            years: args.year.clone(),
            results: args.result.clone(),
        },
        json: args.json,
        count: archives.games() + bad,
        archives,
        bad,
        cut: 0,
    };
    match reached {
        Some(reached) if !args.list => search.moves(&reached, out)?,
        _ if args.duplicates => search.duplicates(out)?,
        reached => search.games(reached, out)?,
    }
    unless_unread(search.bad, search.cut, search.count)
}

/// A search in archives.
struct ArchiveSearch {
    archives: Archives,
    query: Query,
    json: bool,
    /// Number of games in the archives. A file that cannot be read counts as one game.
    count: usize,
    /// Number of games that cannot be read.
    bad: usize,
    /// Number of matching games of which a part was not read.
    cut: usize,
}

impl ArchiveSearch {
    /// Calls `visit` with each game that matches the query. Returns one result for each block of
    /// games, because blocks are visited by several threads.
    ///
    /// # Errors
    /// If no game can be read.
    fn visit<R: Default + Send>(
        &mut self,
        visit: impl Fn(&mut R, GamePlace, &PackedGame) + Sync,
    ) -> Result<Vec<R>, Failure> {
        let visited = self.archives.visit(|results, place, game| {
            if self.query.matches(game) {
                visit(results, place, game);
            }
        });
        report(&visited.bad);
        self.bad += visited.bad.len();
        match self.count {
            0 => Err(refused("there are no games in the folder")),
            count if count == self.bad => {
                Err(refused(format!("none of the {count} games could be read")))
            }
            _ => Ok(visited.results),
        }
    }

    /// Lists the games that match the query, and that reach the position if `reached` is given.
    fn games(
        &mut self,
        reached: Option<ReachedPosition>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let found = self.visit(|found: &mut Vec<GamePlace>, place, game| {
            if reached.is_none_or(|reached| reached.is_in(game)) {
                found.push(place);
            }
        })?;
        let places = found.concat();
        self.warn(&places)?;
        if self.json {
            return self.archives.visit_at(&places, |place, game| {
                Ok(json::write("game", &self.shown(place, game), out)?)
            });
        }
        let folder = self.folder(&places);
        let mut table = Table::new(GAME_COLUMNS);
        self.archives.visit_at(&places, |place, game| {
            table.row(self.cells(folder, place, game));
            Ok::<(), Failure>(())
        })?;
        if let Some(&first) = places.first() {
            writeln!(out, "{}", table.fitted(width()))?;
            // Stdin cannot be read again.
            if self.archives.file(first).0 != Path::new("-") {
                let reference = printable(&quoted(&self.reference(first, Path::new(""))));
                writeln!(out, "To see the first: emilia show {reference}")?;
            }
        }
        let (found, read) = (places.len(), self.archives.games());
        writeln!(out, "{found} of {read} games match")?;
        Ok(())
    }

    /// Counts the moves played from a position in the games that match the query.
    fn moves(&mut self, reached: &ReachedPosition, out: &mut dyn Write) -> Result<(), Failure> {
        let counts = self.visit(|counts: &mut MoveCounts, _, game| counts.add(reached, game))?;
        let moves = MoveCounts::total(reached, counts);
        let games: u32 = moves.iter().map(|(_, count)| count.games).sum();
        let (position, read) = (reached.position, self.archives.games());
        if self.json {
            let played = moves
                .iter()
                .map(|one| PlayedMove::new(one, Some(TOP_PLAYERS)));
            let shown = json!({
                "position": position.to_string(),
                "read": read,
                "games": games,
                "moves": played.collect::<Vec<_>>(),
            });
            return Ok(json::write("moves", &shown, out)?);
        }
        writeln!(out, "{position}\n{games} of {read} games reach it\n")?;
        if moves.is_empty() {
            return Ok(());
        }
        let numbers = ["games", "won", "drawn", "lost", "mean"].map(|name| (name, Align::Right));
        let columns = [("move", Align::Left)].into_iter().chain(numbers);
        let mut table = Table::new(columns.chain([("most by", Align::Left)]));
        for (square, count) in &moves {
            let counts = [count.games, count.won, count.drawn, count.lost];
            let mean = count.mean().map(|mean| format!("{mean:+.1}"));
            let name = square.map_or("-".to_owned(), |square| square.to_string());
            let cells = [name]
                .into_iter()
                .chain(counts.map(|count| count.to_string()));
            table.row(cells.chain([mean.unwrap_or_else(|| "-".to_owned()), names(count)]));
        }
        write!(out, "{}", table.fitted(width()))?;
        Ok(())
    }

    /// Lists the groups of games that match the query and have the same moves.
    fn duplicates(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let keys = self.visit(|keys: &mut Vec<(MoveKey, GamePlace)>, place, game| {
            keys.extend(move_key(game).map(|key| (key, place)));
        })?;
        let groups = duplicates(keys.into_iter().flatten().collect());
        self.warn(&groups.concat())?;
        let folder = self.folder(&groups.concat());
        let mut table = Table::new([("set", Align::Right)].into_iter().chain(GAME_COLUMNS));
        for (number, group) in (1..).zip(&groups) {
            let mut games = Vec::new();
            self.archives.visit_at(group, |place, game| {
                if self.json {
                    games.push(self.shown(place, game));
                } else {
                    let cells = self.cells(folder, place, game).into_iter();
                    table.row([number.to_string()].into_iter().chain(cells));
                }
                Ok::<(), Failure>(())
            })?;
            if self.json {
                json::write("duplicates", &json!({ "games": games }), out)?;
            }
        }
        if self.json {
            return Ok(());
        }
        if !groups.is_empty() {
            writeln!(out, "{}", table.fitted(width()))?;
        }
        let games: usize = groups.iter().map(Vec::len).sum();
        let plural = if groups.len() == 1 { "" } else { "s" };
        let (read, sets) = (self.archives.games(), groups.len());
        let total = format!("{games} of {read} games are in {sets} set{plural} of the same moves");
        writeln!(out, "{}", wrapped(&total, 0))?;
        Ok(())
    }

    /// Prints the warnings of the games at `places` on stderr. Increases `self.cut` by the number
    /// of games that were read only in part.
    fn warn(&mut self, places: &[GamePlace]) -> Result<(), Failure> {
        let mut warnings = Vec::new();
        self.archives.visit_at(places, |place, game| {
            let (sentences, is_cut) = game.warnings();
            if !sentences.is_empty() {
                let name = format!("{}: ", self.reference(place, Path::new("")));
                warnings.push((name, sentences.to_vec(), is_cut));
            }
            Ok::<(), Failure>(())
        })?;
        self.cut += warn(warnings);
        Ok(())
    }

    /// Returns the folder of the files of these games, or the empty path if the files are in
    /// several folders.
    fn folder(&self, places: &[GamePlace]) -> &Path {
        let parents = places
            .iter()
            .map(|&place| self.archives.file(place).0.parent());
        let mut folders = parents.map(|folder| folder.unwrap_or(Path::new("")));
        let first = folders.next().unwrap_or(Path::new(""));
        let are_equal = folders.all(|folder| folder == first);
        if are_equal { first } else { Path::new("") }
    }

    /// Returns the argument that names a game for other commands: `FILE:3` for the third game of a
    /// file, `FILE` for the only game of a file. The prefix `folder` of the path is left out.
    fn reference(&self, place: GamePlace, folder: &Path) -> String {
        let (path, count) = self.archives.file(place);
        let name = path.strip_prefix(folder).unwrap_or(path).display();
        match count {
            1 => name.to_string(),
            _ => format!("{name}:{}", place.game + 1),
        }
    }

    /// Returns the row of a game, in the order of [`GAME_COLUMNS`]. The prefix `folder` of the path
    /// is left out.
    fn cells(&self, folder: &Path, place: GamePlace, game: &PackedGame) -> [String; 7] {
        [
            printable(&self.reference(place, folder)),
            printable(&game.tags().black),
            printable(&game.tags().white),
            game.outcome().map_or("-".to_owned(), result),
            printable(&game.tags().date),
            printable(&game.tags().event),
            opening(game).unwrap_or("-").to_owned(),
        ]
    }

    /// Returns the JSON object of a game.
    fn shown(&self, place: GamePlace, game: &PackedGame) -> serde_json::Value {
        let (tags, start) = (game.tags(), game.start());
        let mut object = json!({
            "game": self.reference(place, Path::new("")),
            "black": tags.black,
            "white": tags.white,
            "result": game.outcome().and_then(Outcome::discs),
            "date": tags.date,
            "event": tags.event,
            "opening": opening(game),
            "transcript": game.squares().map(|square| square.to_string()).collect::<String>(),
        });
        if start != Position::START {
            object["start"] = json!(start.to_string());
        }
        object
    }
}

/// Formats Black's score in discs, or the winner as in PGN if the score is unknown.
fn result(outcome: Outcome) -> String {
    outcome
        .discs()
        .map_or_else(|| outcome.winner().to_owned(), signed)
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

fn opening(game: &PackedGame) -> Option<&'static str> {
    game.game().opening().map(|opening| opening.name)
}

/// Formats a score with its sign and without needless decimals.
fn signed(discs: f64) -> String {
    if discs == 0.0 {
        "0".to_owned()
    } else {
        format!("{discs:+}")
    }
}

/// Lists the players who played a move most often, each with the number of games. Lists at least
/// one player, and more if they fit [`NAMES_WIDTH`].
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
