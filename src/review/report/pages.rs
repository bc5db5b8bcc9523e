//! HTML pages: a page for each game and each player, and a list of each kind.
//!
//! The templates in `web/` hold all markup. Text of a game record is escaped, so it is never
//! markup. A page loads nothing from elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::LazyLock;

use minijinja::Environment;
use serde_json::{Value, json};

use super::game::level_of_play;
use super::totals::{GAME_THIRDS, PlayerResults, is_player};
use super::{AnalysedGame, Totals, web};
use crate::{BookExit, Grade, SideSummary};
use emilia_core::board::{Color, printable};
use emilia_files::FileError;
use emilia_games::Game;

/// File names of the list of games and of the list of players.
const GAMES: &str = "index.html";
const PLAYERS: &str = "players.html";

/// Maximum length of a player's name in a file name, in characters.
const NAME_LENGTH: usize = 40;

/// Module of a game's page.
const GAME_SCRIPT: &str = include_str!("web/page.js");

/// Templates of all pages by name, and the scripts and style sheet that they insert.
static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    for (name, source) in [
        ("game.html", include_str!("web/page.html")),
        ("list.html", include_str!("web/list.html")),
        ("games.html", include_str!("web/games.html")),
        ("players.html", include_str!("web/players.html")),
        ("player.html", include_str!("web/player.html")),
        ("missing.html", include_str!("web/missing.html")),
        ("chart.svg", include_str!("web/chart.svg")),
        ("board.svg", web::BOARD_PICTURE),
    ] {
        let added = templates.add_template(name, source);
        added.expect("a test renders every embedded template");
    }
    let style = [web::STYLE, web::REPORT_STYLE].concat();
    templates.add_global("style", style);
    let script = web::inlined(web::board().chain([GAME_SCRIPT]));
    templates.add_global("game_script", script.trim_end());
    let script = web::inlined([web::LIST.1, include_str!("web/rows.js")]);
    templates.add_global("script", script.trim_end());
    templates.set_formatter(|out, _, value| {
        let text = value.to_string();
        let text = if value.is_safe() {
            text
        } else {
            escaped(&text)
        };
        Ok(out.write_str(&text)?)
    });
    templates
});

/// Fills a template.
pub(super) fn render(template: &str, values: &Value) -> io::Result<String> {
    let page = TEMPLATES.get_template(template);
    let page = page.and_then(|page| page.render(minijinja::value::Serde(values)));
    page.map(|page| page + "\n").map_err(io::Error::other)
}

/// Returns the HTML page of a single game, without links to other pages.
///
/// # Errors
/// If the game cannot be serialised.
pub fn page(game: &AnalysedGame) -> io::Result<String> {
    linked_page(game, &json!({ "players": [] }))
}

/// Returns the HTML page of a game with links to other pages, as the template names them.
fn linked_page(game: &AnalysedGame, links: &Value) -> io::Result<String> {
    let outcome = game.outcome();
    let book = game.book.as_ref().map(BookExit::to_string);
    let values = json!({
        "black": name(game, Color::Black),
        "white": name(game, Color::White),
        "margin": game.result.map_or(String::new(), |result| format!(", {}", signed(result))),
        "outcome": outcome.as_deref().unwrap_or("No result"),
        "about": [&game.event, &game.date, game.opening.as_deref().unwrap_or(""),
            book.as_deref().unwrap_or("")],
        "game": web::script_data(game)?,
        "links": links,
    });
    render("game.html", &values)
}

/// Folder of pages, and the rows of its lists so far.
#[derive(Debug)]
pub struct Pages {
    folder: PathBuf,
    /// Numbers of all games, analysed or not, in ascending order.
    numbers: Vec<usize>,
    /// File name of each player's page, by name of the player.
    files: BTreeMap<String, String>,
    /// Row of each analysed game in the lists, and the names of its players.
    rows: BTreeMap<usize, (Value, [String; 2])>,
}

impl Pages {
    /// Creates an empty set of pages for `games`, whose numbers must ascend. Writes nothing.
    pub fn new<'a>(folder: PathBuf, games: impl Iterator<Item = (usize, &'a Game)>) -> Pages {
        let (mut numbers, mut files) = (Vec::new(), BTreeMap::new());
        let mut taken = BTreeSet::new();
        for (number, game) in games {
            numbers.push(number);
            for name in [&game.tags.black, &game.tags.white] {
                if is_player(name) && !files.contains_key(name) {
                    let stem = stem(name);
                    let numbered = (2..).map(|count| format!("{stem}-{count}.html"));
                    let mut all = std::iter::once(format!("{stem}.html")).chain(numbered);
                    let file = all.find(|file| taken.insert(file.clone()));
                    files.insert(name.clone(), file.unwrap_or_default());
                }
            }
        }
        Pages {
            folder,
            numbers,
            files,
            rows: BTreeMap::new(),
        }
    }

    /// Returns the file names of all pages: of the games, the players and the two lists.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let games = self.numbers.iter().map(|&number| game_page(number));
        let lists = [GAMES, PLAYERS].map(str::to_owned);
        games.chain(self.files.values().cloned()).chain(lists)
    }

    /// Creates the folder unless it exists.
    ///
    /// # Errors
    /// If the folder cannot be created, or is a file.
    pub fn create(&self) -> Result<(), FileError> {
        if self.folder.is_file() {
            let why = "it is a file; --pages needs a folder";
            return Err(FileError::refused(&self.folder, why));
        }
        std::fs::create_dir_all(&self.folder).map_err(|error| FileError::new(&self.folder, error))
    }

    /// Writes the page of a game and adds its row to the lists.
    pub fn add(&mut self, game: &AnalysedGame) -> Result<(), FileError> {
        let number = game.game;
        let at = self.numbers.partition_point(|&other| other < number);
        let names = [&game.black, &game.white];
        let links = json!({
            "number": number,
            "previous": at.checked_sub(1).and_then(|at| self.numbers.get(at)),
            "next": self.numbers.get(at + 1),
            "players": names.map(|name| self.files.get(name)),
        });
        self.write(&game_page(number), linked_page(game, &links))?;
        let sides = [Color::Black, Color::White].map(|side| {
            json!({
                "side": capital(side),
                "name": name(game, side),
                "result": game.result_for(side).map_or(String::new(), signed),
                "lost": two_decimals(game.summary(side).mean_loss),
                "worst": game.worst(side).map(|worst| json!({
                    "number": worst.number,
                    "move": worst.r#move,
                    "lost": format!("{:.1}", worst.lost),
                })),
            })
        });
        let opening = game.opening.as_deref().unwrap_or_default();
        let about = [&game.date, &game.event, opening];
        let row = json!({ "number": number, "sides": sides, "about": about });
        self.rows.insert(number, (row, names.map(String::clone)));
        Ok(())
    }

    /// Writes the lists and the pages of the players with their results in `totals`.
    /// A game without analysis gets a placeholder page if the page of a neighbour links to it.
    pub fn end(&self, totals: &Totals) -> Result<(), FileError> {
        let stages = GAME_THIRDS.map(|(name, _)| name);
        let games: Vec<&Value> = self.rows.values().map(|(row, _)| row).collect();
        self.write(GAMES, render("games.html", &json!({ "games": games })))?;
        let mut players: Vec<_> = totals.players.iter().collect();
        players.retain(|(name, _)| self.files.contains_key(*name));
        players.sort_by_key(|(_, [all, ..])| std::cmp::Reverse(all.games));
        let scopes = |results: &[PlayerResults; 3]| json!(results.each_ref().map(scope));
        let rows = players.iter().map(|(name, results)| {
            json!({ "name": name, "file": self.files[*name], "scopes": scopes(results) })
        });
        let values = json!({ "players": rows.collect::<Vec<_>>(), "stages": stages });
        self.write(PLAYERS, render("players.html", &values))?;
        let grades = Grade::BAD.map(|grade| format!("{grade} {}", grade.mark()));
        for (name, results) in players {
            let games = self.rows.values().flat_map(|(row, names)| {
                let own = (0..2).filter(|&side| names[side] == *name);
                own.map(move |side| json!({ "row": row, "own": side, "other": 1 - side }))
            });
            let values = json!({
                "name": name,
                "games": games.collect::<Vec<_>>(),
                "stages": stages,
                "grades": grades,
                "scopes": scopes(results),
            });
            self.write(&self.files[name], render("player.html", &values))?;
        }
        for pair in self.numbers.windows(2) {
            let is_done = |number: &usize| self.rows.contains_key(number);
            let (done, left): (Vec<usize>, Vec<usize>) = pair.iter().copied().partition(is_done);
            if let ([_], [number]) = (&done[..], &left[..]) {
                let page = render("missing.html", &json!({ "number": number }));
                self.write(&game_page(*number), page)?;
            }
        }
        Ok(())
    }

    fn write(&self, name: &str, page: io::Result<String>) -> Result<(), FileError> {
        let path = self.folder.join(name);
        let page = page.map_err(|error| FileError::new(&path, error))?;
        emilia_files::replace(&path, page.as_bytes())
    }
}

/// Returns the file name of a game's page.
fn game_page(number: usize) -> String {
    format!("{number}.html")
}

/// Returns the file name of a player's page without extension and number.
/// It holds only letters, digits and hyphens, which are safe in paths on every system.
fn stem(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let words = words.flat_map(|word| ["-", word]);
    let name: String = words.collect::<String>().to_ascii_lowercase();
    let shortened = &name[..name.len().min(1 + NAME_LENGTH)];
    format!("player{}", shortened.trim_end_matches('-'))
}

/// Returns the values of a player's results for the templates.
fn scope(results: &PlayerResults) -> Value {
    let (won, drawn, lost, all) = (results.won, results.drawn, results.lost, &results.all);
    json!({
        "games": results.games,
        "score": format!("{won}\u{2013}{drawn}\u{2013}{lost}"),
        "lost": mean_loss(all),
        "stages": results.stages.each_ref().map(mean_loss),
        "bad": [all.inaccuracies, all.mistakes, all.blunders],
        "level": level_of_play(results.likelihood.estimate()),
    })
}

/// Formats the mean discs lost by a move. Empty if the side had no choice.
fn mean_loss(summary: &SideSummary) -> String {
    if summary.choices == 0 {
        return String::new();
    }
    two_decimals(summary.mean_loss)
}

fn two_decimals(number: f64) -> String {
    format!("{number:.2}")
}

/// Formats a number with its sign: `+4`, `−2`, `0`.
fn signed(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    format!("{number:+}").replace('-', "\u{2212}")
}

/// Returns `Black` or `White`.
fn capital(side: Color) -> &'static str {
    match side {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// Returns the recorded name of a side's player, or `Black` or `White` if it is empty.
fn name(game: &AnalysedGame, side: Color) -> &str {
    match game.name(side).as_str() {
        "" => capital(side),
        name => name,
    }
}

/// Escapes text for HTML content and attributes.
fn escaped(text: &str) -> String {
    printable(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn numbers_have_a_sign_except_zero() {
        let shown = [0.0, -0.0, 0.5, -0.5, 10.0, -4.0].map(signed);
        assert_eq!(shown, ["0", "0", "+0.5", "\u{2212}0.5", "+10", "\u{2212}4"]);
    }
}
