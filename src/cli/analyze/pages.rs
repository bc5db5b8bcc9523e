//! Folder of `--pages`: a page for each game, a page for each player, and a list of each kind.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use super::html::{self, Links, List, cell, disc, escaped, link, name, number_cell, signed};
use super::json::{JudgedMove, Object, Side};
use super::totals::{Player, STAGES, is_player};
use crate::analysis::{Grade, SideSummary};
use crate::files::{self, FileError};
use crate::game::Game;

/// File names of the list of games and of the list of players.
const GAMES: &str = "index.html";
const PLAYERS: &str = "players.html";

/// Maximum length of a player's name in a file name, in characters.
const NAME_LENGTH: usize = 40;

/// Folder of pages, and the rows of its lists so far.
#[derive(Debug)]
pub(super) struct Pages {
    folder: PathBuf,
    /// Numbers of all games, analysed or not, in ascending order.
    numbers: Vec<usize>,
    /// File name of each player's page, by name of the player.
    files: BTreeMap<String, String>,
    /// Rows of the list of games, by game number.
    rows: BTreeMap<usize, String>,
    /// Results of each player, by name.
    players: BTreeMap<String, Record>,
}

/// Results and games of a player.
#[derive(Debug, Default)]
struct Record {
    /// Results in all games, as Black, and as White.
    scopes: [Scope; 3],
    /// Rows of the player's list of games, by game number and whether the player was White.
    rows: BTreeMap<(usize, bool), String>,
}

/// Results of a player in some of the games.
#[derive(Debug, Default)]
struct Scope {
    moves: Player,
    won: usize,
    drawn: usize,
    lost: usize,
}

impl Pages {
    /// Creates an empty set of pages for `games`, whose numbers must ascend. Writes nothing.
    pub(super) fn new<'a>(
        folder: PathBuf,
        games: impl Iterator<Item = (usize, &'a Game)>,
    ) -> Pages {
        let (mut numbers, mut files) = (Vec::new(), BTreeMap::new());
        let mut taken = BTreeSet::new();
        // Number of players whose names give the same file name.
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        for (number, game) in games {
            numbers.push(number);
            for name in [&game.tags.black, &game.tags.white] {
                if is_player(name) && !files.contains_key(name) {
                    let stem = stem(name);
                    let count = alike.entry(stem.clone()).or_default();
                    let file = loop {
                        *count += 1;
                        let file = match *count {
                            1 => format!("{stem}.html"),
                            count => format!("{stem}-{count}.html"),
                        };
                        if taken.insert(file.clone()) {
                            break file;
                        }
                    };
                    files.insert(name.clone(), file);
                }
            }
        }
        Pages {
            folder,
            numbers,
            files,
            rows: BTreeMap::new(),
            players: BTreeMap::new(),
        }
    }

    /// Returns the file names of all pages: of the games, the players and the two lists.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let games = self.numbers.iter().map(|&number| game_page(number));
        let lists = [GAMES, PLAYERS].map(str::to_owned);
        games.chain(self.files.values().cloned()).chain(lists)
    }

    /// Creates the folder unless it exists.
    ///
    /// # Errors
    /// If the folder cannot be created, or is a file.
    pub(super) fn create(&self) -> Result<(), FileError> {
        if self.folder.is_file() {
            let why = "it is a file; --pages needs a folder";
            return Err(FileError::refused(&self.folder, why));
        }
        std::fs::create_dir_all(&self.folder).map_err(|error| FileError::new(&self.folder, error))
    }

    /// Writes the page of a game and adds its rows to the lists.
    ///
    /// # Errors
    /// If the page cannot be written.
    pub(super) fn add(&mut self, object: &Object) -> Result<(), FileError> {
        let file = |name: &String| self.files.get(name).cloned();
        let links = Links {
            navigation: self.navigation(object.game),
            players: [file(&object.black), file(&object.white)],
        };
        let page = html::game(object, &links);
        let page = page.map_err(|error| FileError::new(&self.folder, io::Error::from(error)))?;
        self.write(&game_page(object.game), &page)?;
        self.rows.insert(object.game, row(object));
        for side in [Side::Black, Side::White] {
            let name = object.name(side);
            if self.files.contains_key(name) {
                let record = self.players.entry(name.clone()).or_default();
                record.add(object, side);
            }
        }
        Ok(())
    }

    /// Writes the lists and the pages of the players.
    /// A game without analysis gets a placeholder page if the page of a neighbour links to it.
    ///
    /// # Errors
    /// If a page cannot be written.
    pub(super) fn end(&self) -> Result<(), FileError> {
        self.write(GAMES, &self.list_of_games())?;
        self.write(PLAYERS, &self.list_of_players())?;
        for (name, record) in &self.players {
            self.write(&self.files[name], &record.page(name))?;
        }
        for pair in self.numbers.windows(2) {
            let is_done = |number: &usize| self.rows.contains_key(number);
            let (done, left): (Vec<usize>, Vec<usize>) = pair.iter().copied().partition(is_done);
            if let ([_], [number]) = (&done[..], &left[..]) {
                self.write(&game_page(*number), &missing(*number))?;
            }
        }
        Ok(())
    }

    fn write(&self, name: &str, page: &str) -> Result<(), FileError> {
        files::replace(&self.folder.join(name), page.as_bytes())
    }

    /// Returns the navigation of a game's page: both lists, the previous and the next game.
    fn navigation(&self, number: usize) -> String {
        let at = self.numbers.partition_point(|&other| other < number);
        let neighbour = |at: Option<usize>| at.and_then(|at| self.numbers.get(at));
        let mut links = Vec::from(lists());
        if let Some(&previous) = neighbour(at.checked_sub(1)) {
            links.push(format!(
                "<a rel=\"prev\" href=\"{}\">\u{2039} Game {previous}</a>",
                game_page(previous)
            ));
        }
        if let Some(&next) = neighbour(Some(at + 1)) {
            links.push(format!(
                "<a rel=\"next\" href=\"{}\">Game {next} \u{203a}</a>",
                game_page(next)
            ));
        }
        navigation(&links)
    }

    fn list_of_games(&self) -> String {
        let rows: Vec<&str> = self.rows.values().map(String::as_str).collect();
        List {
            title: "Analysed games",
            navigation: &navigation(&[link(PLAYERS, "Players")]),
            intro: "",
            hint: "name, year, event, opening",
            kind: "games",
            columns: &[
                ("#", true),
                ("Black", false),
                ("White", false),
                ("result", true),
                ("Black lost", true),
                ("White lost", true),
                ("date", false),
                ("event", false),
                ("opening", false),
            ],
            rows: &rows.join("\n"),
            note: "Result: in discs, for Black. Lost: mean discs lost by a move, \
                   against the best move.",
        }
        .page()
    }

    fn list_of_players(&self) -> String {
        let mut players: Vec<(&String, &Record)> = self.players.iter().collect();
        players.sort_by_key(|(_, record)| std::cmp::Reverse(record.scopes[0].moves.games));
        let rows: Vec<String> = players
            .into_iter()
            .map(|(name, record)| {
                let [all, black, white] = &record.scopes;
                let mut cells = vec![
                    cell(&link(&self.files[name], &escaped(name))),
                    number_cell(all.moves.games),
                    number_cell(all.score()),
                ];
                cells.extend([all, black, white].map(Scope::loss));
                cells.extend(all.losses_by_stage());
                format!("<tr>{}</tr>", cells.concat())
            })
            .collect();
        let mut columns = vec![
            ("player", false),
            ("games", true),
            (WON_DRAWN_LOST, true),
            ("discs lost", true),
            ("as Black", true),
            ("as White", true),
        ];
        columns.extend(STAGES.iter().map(|&(stage, _)| (stage, true)));
        List {
            title: "Players",
            navigation: &navigation(&[link(GAMES, "All games")]),
            intro: "",
            hint: "name",
            kind: "players",
            columns: &columns,
            rows: &rows.join("\n"),
            note: LOST_IN_WORDS,
        }
        .page()
    }
}

/// Explanation of the numbers of players.
const LOST_IN_WORDS: &str = "Discs lost: mean by a move, against the best move. Stages by \
                             the empty squares before the move: opening 60\u{2013}41, midgame \
                             40\u{2013}21, endgame 20\u{2013}1.";

/// Column heading of results.
const WON_DRAWN_LOST: &str = "won\u{2013}drawn\u{2013}lost";

/// Returns the file name of a game's page.
fn game_page(number: usize) -> String {
    format!("{number}.html")
}

/// Returns the file name of a player's page without extension and number.
/// It holds only letters, digits and hyphens, which are safe in paths on every system.
fn stem(name: &str) -> String {
    let mut stem = "player".to_owned();
    let longest = stem.len() + 1 + NAME_LENGTH;
    let mut is_gap = true;
    for letter in name.chars().map(|letter| letter.to_ascii_lowercase()) {
        if stem.len() >= longest {
            break;
        }
        if !letter.is_ascii_alphanumeric() {
            is_gap = true;
            continue;
        }
        if std::mem::take(&mut is_gap) {
            stem.push('-');
        }
        stem.push(letter);
    }
    stem
}

/// Returns the HTML of the navigation between pages.
fn navigation(links: &[String]) -> String {
    format!(
        "<nav class=\"pages\" aria-label=\"Pages\">{}</nav>",
        links.concat()
    )
}

/// Returns the links to both lists.
fn lists() -> [String; 2] {
    [link(GAMES, "All games"), link(PLAYERS, "Players")]
}

/// Returns the placeholder page of a game that is not analysed yet.
fn missing(number: usize) -> String {
    List {
        title: &format!("Game {number} is not analysed yet"),
        navigation: &navigation(&lists()),
        intro: "<p>The analysis was interrupted before this game. Run the same command with \
                --out and --resume to continue.</p>",
        hint: "",
        kind: "missing",
        columns: &[],
        rows: "",
        note: "",
    }
    .page()
}

/// Returns the row of a game in the list of games.
fn row(object: &Object) -> String {
    let [black_lost, white_lost] = object.mean_losses();
    let [black, white] = [Side::Black, Side::White].map(|side| escaped(name(object, side)));
    let cells = [
        number_cell(object.game),
        cell(&format!(
            "<a href=\"{}\" aria-label=\"{black} \u{2013} {white}\">{black}</a>",
            game_page(object.game)
        )),
        cell(&white),
        number_cell(object.result.map_or(String::new(), signed)),
        number_cell(format_args!("{black_lost:.2}")),
        number_cell(format_args!("{white_lost:.2}")),
        about(object),
    ];
    format!("<tr>{}</tr>", cells.concat())
}

/// Returns the cells with the date, the event and the opening of a game.
fn about(object: &Object) -> String {
    let opening = object.opening.as_deref().unwrap_or_default();
    let texts = [&object.date, &object.event, opening];
    texts.map(|text| cell(&escaped(text))).concat()
}

impl Record {
    /// Adds a game in which the player had `side`.
    fn add(&mut self, object: &Object, side: Side) {
        let own = |margin: f64| match side {
            Side::Black => margin,
            Side::White => -margin,
        };
        let result = object.result.map(own);
        for scope in [0, 1 + usize::from(side == Side::White)] {
            self.scopes[scope].add(object, side, result);
        }
        let lost = object.mean_losses()[usize::from(side == Side::White)];
        let worst = worst(object, side);
        // The link opens the page before the worst move, if there was a bad one.
        let at = worst.map_or(String::new(), |worst| format!("#before-{}", worst.number));
        let opponent = escaped(name(object, side.other()));
        let cells = [
            number_cell(object.game),
            cell(&format!("{}{}", disc(side), side.name())),
            cell(&link(&format!("{}{at}", game_page(object.game)), &opponent)),
            number_cell(result.map_or(String::new(), signed)),
            number_cell(format_args!("{lost:.2}")),
            cell(&worst.map_or(String::new(), |worst| {
                format!("{}. {}", worst.number, worst.r#move)
            })),
            number_cell(worst.map_or(String::new(), |worst| format!("{:.1}", worst.lost))),
            about(object),
        ];
        let key = (object.game, side == Side::White);
        self.rows
            .insert(key, format!("<tr>{}</tr>", cells.concat()));
    }

    /// Returns the table of the player's results and losses, with a column for each scope.
    fn table(&self) -> String {
        let line = |class: &str, name: &str, value: &dyn Fn(&Scope) -> String| {
            let cells: String = self.scopes.iter().map(value).collect();
            format!("<tr><th scope=\"row\" class=\"{class}\">{name}</th>{cells}</tr>")
        };
        let mut lines = vec![
            line("", "games", &|scope| number_cell(scope.moves.games)),
            line("", WON_DRAWN_LOST, &|scope| number_cell(scope.score())),
            line("", "discs lost", &Scope::loss),
        ];
        for (stage, (name, _)) in STAGES.iter().enumerate() {
            lines.push(line("part", name, &|scope| {
                loss_cell(&scope.moves.stages[stage])
            }));
        }
        for (grade, mark) in Grade::BAD.iter().enumerate() {
            let name = format!("{mark} {}", mark.mark());
            lines.push(line("", &name, &|scope| {
                number_cell(scope.moves.all.bad()[grade])
            }));
        }
        format!(
            "<table class=\"summary\"><thead><tr><td></td><th scope=\"col\">all</th>\
             <th scope=\"col\">as Black</th><th scope=\"col\">as White</th></tr></thead>\n\
             <tbody>{}</tbody></table>\n<p class=\"note\">{LOST_IN_WORDS}</p>",
            lines.concat()
        )
    }

    /// Returns the HTML page of the player `name`.
    fn page(&self, name: &str) -> String {
        let intro = format!(
            "{}\n<h2>Games: each opens at the player's worst move</h2>",
            self.table()
        );
        let rows: Vec<&str> = self.rows.values().map(String::as_str).collect();
        List {
            title: name,
            navigation: &navigation(&lists()),
            intro: &intro,
            hint: "name, year, event, opening",
            kind: "own",
            columns: &[
                ("#", true),
                ("side", false),
                ("opponent", false),
                ("result", true),
                ("lost a move", true),
                ("worst move", false),
                ("lost by it", true),
                ("date", false),
                ("event", false),
                ("opening", false),
            ],
            rows: &rows.join("\n"),
            note: "Result: in discs, for this player. Lost: mean discs lost by a move.",
        }
        .page()
    }
}

/// Returns the inaccuracy, mistake or blunder of a side that lost most.
fn worst(object: &Object, side: Side) -> Option<&JudgedMove> {
    let moves = object.moves.iter();
    moves
        .filter(|judged| judged.side == side && judged.is_bad())
        .max_by(|one, other| one.lost.total_cmp(&other.lost))
}

impl Scope {
    fn add(&mut self, object: &Object, side: Side, result: Option<f64>) {
        self.moves.add(object, side);
        let Some(result) = result else {
            return;
        };
        let count = match result.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => &mut self.won,
            std::cmp::Ordering::Equal => &mut self.drawn,
            std::cmp::Ordering::Less => &mut self.lost,
        };
        *count += 1;
    }

    /// Formats the results: `12–1–7`.
    fn score(&self) -> String {
        format!("{}\u{2013}{}\u{2013}{}", self.won, self.drawn, self.lost)
    }

    /// Returns the cell with the mean discs lost by a move.
    fn loss(&self) -> String {
        loss_cell(&self.moves.all)
    }

    /// Returns the cells with the mean discs lost by a move, one for each stage.
    fn losses_by_stage(&self) -> [String; STAGES.len()] {
        self.moves.stages.each_ref().map(loss_cell)
    }
}

/// Returns the cell with the mean discs lost by a move, empty if the side had no choice.
fn loss_cell(summary: &SideSummary) -> String {
    if summary.choices == 0 {
        return number_cell("");
    }
    number_cell(format_args!("{:.2}", summary.mean_loss()))
}
