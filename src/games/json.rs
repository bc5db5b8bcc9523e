//! Games and positions in JSON, as Othello Quest and other sites give them.
//!
//! No schema is expected. The moves of a game are a text or a list: `"moves": "f5d6…"`,
//! `["f5", "d6", …]` or `[{"m": "f5", "t": 900}, …]`. A board is a text, rows or a matrix of
//! 0, 1 and -1. Names and dates are found by their keys.

use serde_json::{Deserializer, Map, Value};

use super::tokens::{self, Token};
use super::{Game, Outcome, found, obf};
use emilia_core::board::{Position, Sentence};

/// Keys of names, dates and other tags, each with its tag in PGN. Case and `_` do not count.
const KEYS: [(&str, &str); 16] = [
    ("black", "Black"),
    ("blackname", "Black"),
    ("blackplayer", "Black"),
    ("white", "White"),
    ("whitename", "White"),
    ("whiteplayer", "White"),
    ("event", "Event"),
    ("tournament", "Event"),
    ("site", "Site"),
    ("round", "Round"),
    ("date", "Date"),
    ("created", "Date"),
    ("createdat", "Date"),
    ("startedat", "Date"),
    ("blackelo", "BlackElo"),
    ("whiteelo", "WhiteElo"),
];

/// Keys of a player's name and rating in an object.
const NAMES: [&str; 3] = ["name", "username", "id"];
const RATINGS: [&str; 4] = ["oldr", "rating", "elo", "rate"];

/// Number of levels of lists and objects below which no game is searched.
const MAX_DEPTH: usize = 8;

/// Keys of the side to move of a board.
const SIDES: [&str; 6] = ["tomove", "side", "turn", "mover", "player", "sidetomove"];

/// Fewest moves of a list that is a game, with those that cannot be read.
const FEWEST: usize = 4;

/// Returns the games of a JSON text, or of one with a JSON value on each line. A board is a game
/// without moves. Returns `None` if it is not JSON, or holds no game.
pub(super) fn read(text: &str) -> Option<Vec<Result<Game, Sentence>>> {
    let inside = text.trim_start().strip_prefix(['{', '['])?.trim_start();
    if !inside.starts_with(['"', '{', '[', ']', '}', '0', '1', '-']) {
        return None;
    }
    let mut games = Vec::new();
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    loop {
        let before = &text[..values.byte_offset()];
        let blank = text[before.len()..]
            .find(|c: char| !c.is_whitespace())
            .unwrap_or(0);
        let line = 1 + text[..before.len() + blank].matches('\n').count();
        match values.next() {
            Some(Ok(value)) => add_games(&value, line, MAX_DEPTH, &mut games),
            Some(Err(error)) => {
                games.push(Err(format!("this is not JSON: {error}").into()));
                break;
            }
            None => break,
        }
    }
    (!games.is_empty()).then_some(games)
}

/// Adds the games of a value on this line: its moves, its board, or those of its parts.
fn add_games(value: &Value, line: usize, depth: usize, games: &mut Vec<Result<Game, Sentence>>) {
    let count = games.len();
    let start = value.get("start").and_then(Value::as_str);
    let start = start.and_then(|start| start.parse().ok());
    let start = start.unwrap_or(Position::START);
    match value {
        _ if depth == 0 => {}
        _ if board(value).is_some() => games.extend(position(value, "", line)),
        Value::String(text) => add_moves(text, start, line, games),
        Value::Array(values) => match move_texts(values) {
            Some(text) => add_moves(&text, start, line, games),
            None => (values.iter()).for_each(|value| add_games(value, line, depth - 1, games)),
        },
        Value::Object(members) => {
            let (mut boards, mut side) = (Vec::new(), String::new());
            for (key, value) in members {
                match value {
                    _ if SIDES.contains(&&*plain(key)) => side = word(value),
                    _ if is_tag(key) => {}
                    Value::String(text) if board(value).is_none() => {
                        add_moves(text, start, line, games);
                    }
                    _ if board(value).is_some() => boards.push(value),
                    _ => add_games(value, line, depth - 1, games),
                }
            }
            if games.len() == count {
                let board = |value: &&Value| position(value, &side, line);
                games.extend(boards.iter().filter_map(board));
            }
            if let [Ok(game)] = &mut games[count..] {
                read_tags(members, game);
            }
        }
        _ => {}
    }
}

/// Adds the game of a list of moves, or those within a text.
fn add_moves(text: &str, start: Position, line: usize, games: &mut Vec<Result<Game, Sentence>>) {
    if !found::is_list(text) {
        let found = found::games(text, start, line);
        games.extend(found.into_iter().map(|found| Ok(found.game)));
        return;
    }
    let list = found::list(text, start, line, false);
    if list.moves >= FEWEST {
        games.push(list.game());
    }
}

/// Returns the moves of a list as a text, if most of its texts are moves. The texts are those of
/// the list, of pairs in it, or the members of objects in it whose key has moves.
fn move_texts(values: &[Value]) -> Option<String> {
    let is_moves = |value: &Value| {
        let tokens = value.as_str().map(tokens::tokens).unwrap_or_default();
        tokens.len() > 1 && tokens[..tokens.len() - 1].iter().all(Token::is_move) || *value == *"-"
    };
    let is_most = |texts: &[&Value]| {
        let count = texts.iter().filter(|text| is_moves(text)).count();
        count > 1 && 2 * count >= values.len()
    };
    let of_key = |key: &String| -> Vec<&Value> {
        values.iter().filter_map(|value| value.get(key)).collect()
    };
    let keys = values.first()?.as_object().into_iter().flat_map(Map::keys);
    let keys: Vec<&String> = keys.filter(|key| is_most(&of_key(key))).collect();
    let mut texts: Vec<&Value> = Vec::new();
    for value in values {
        match value {
            Value::Array(pair) if pair.len() <= 2 => texts.extend(pair),
            Value::Object(members) => {
                let member = |key: &&String| members.get(*key).unwrap_or(&Value::Null);
                texts.extend(keys.iter().map(member));
            }
            value => texts.push(value),
        }
    }
    while texts.pop_if(|last| last.is_null()).is_some() {}
    let words = texts.iter().map(|text| match text.as_str() {
        Some("-") => "pass".to_owned(),
        Some(text) => text.to_owned(),
        None => text.to_string(),
    });
    is_most(&texts).then(|| words.collect::<Vec<_>>().join(" "))
}

/// Returns the position of a board.
fn position(value: &Value, side: &str, line: usize) -> Option<Result<Game, Sentence>> {
    let position: Result<Position, _> = format!("{} {side}", board(value)?).trim().parse();
    let game = position.map(Game::new);
    Some(game.map_err(|error| format!("line {line}: {error}").into()))
}

/// Returns the squares of a board: a text, eight rows of eight, as texts or lists, or one list of 64.
fn board(value: &Value) -> Option<String> {
    squares(value).filter(|text| obf::holds_board(text))
}

fn squares(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Null => Some("-".to_owned()),
        Value::Number(number) => match number.as_i64()? {
            0 => Some("-".to_owned()),
            1 => Some("X".to_owned()),
            -1 | 2 => Some("O".to_owned()),
            _ => None,
        },
        Value::Array(cells) if matches!(cells.len(), 8 | 64) => cells.iter().map(squares).collect(),
        _ => None,
    }
}

fn is_tag(key: &str) -> bool {
    let key = plain(key);
    KEYS.iter().any(|(own, _)| *own == key) || matches!(&*key, "players" | "result" | "start")
}

/// Returns the key in lower case without `_`.
fn plain(key: &str) -> String {
    key.to_ascii_lowercase().replace('_', "")
}

/// Sets the tags that the members of an object give and that are not set.
fn read_tags(members: &Map<String, Value>, game: &mut Game) {
    for (key, value) in members {
        let key = plain(key);
        if let Some((_, tag)) = KEYS.iter().find(|(own, _)| *own == key) {
            set(game, tag, value);
        }
        match (&*key, value) {
            ("players", Value::Array(players)) => {
                let sides = ["Black", "White"].into_iter().zip(players);
                sides.for_each(|(side, player)| set(game, side, player));
            }
            ("players", Value::Object(players)) => read_tags(players, game),
            ("result", _) if game.tags.outcome.is_none() => {
                game.tags.outcome = Outcome::parse(&word(value)).flatten();
            }
            _ => {}
        }
    }
    // A time of the day after the date is left out.
    if let Some((date, _)) = game.tags.date.split_once('T')
        && date.starts_with(|c: char| c.is_ascii_digit())
    {
        game.tags.date = date.to_owned();
    }
}

/// Sets a tag, and the rating of a player, unless it is set.
fn set(game: &mut Game, tag: &str, value: &Value) {
    let elo = value.as_object().map(|player| first(player, &RATINGS));
    let texts = [
        (tag, word(value)),
        (&format!("{tag}Elo"), elo.unwrap_or_default()),
    ];
    for (tag, text) in texts {
        if game.tags.get(tag).is_empty() && !text.is_empty() {
            game.tags.set(tag, &text);
        }
    }
}

/// Returns a text or a number as a text, and of an object its name.
fn word(value: &Value) -> String {
    match value {
        // JSON can escape control characters, which no other format holds.
        Value::String(text) => text.replace(char::is_control, " "),
        Value::Number(number) => number.to_string(),
        Value::Object(members) => first(members, &NAMES),
        _ => String::new(),
    }
}

/// Returns the first of these members.
fn first(members: &Map<String, Value>, keys: &[&str]) -> String {
    let found = keys
        .iter()
        .find_map(|own| members.iter().find(|(key, _)| plain(key) == *own));
    found.map_or(String::new(), |(_, value)| match value {
        Value::Object(_) => String::new(),
        value => word(value),
    })
}
