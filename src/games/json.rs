//! Games in JSON, as Othello Quest and other sites give them.
//!
//! No schema is expected. The moves of a game are the squares among its texts, in their order:
//! `"moves": "f5d6…"`, `["f5", "d6", …]` or `[{"m": "f5", "t": 900}, …]`. Names and dates are found
//! by their keys.

use serde_json::{Deserializer, Map, Value};

use super::{Game, Outcome, found};
use emilia_core::board::Position;

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

/// Returns the games of a JSON text, or of one with a JSON value on each line. Returns `None` if
/// it is not JSON, or holds no game.
pub(super) fn read(text: &str) -> Option<Vec<Game>> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let values: Result<Vec<Value>, _> = Deserializer::from_str(text).into_iter().collect();
    let mut games = Vec::new();
    for value in values.ok()? {
        add_games(&value, true, MAX_DEPTH, &mut games);
    }
    (!games.is_empty()).then_some(games)
}

/// Adds the games of a value: those in its own texts, or of its parts, or of all texts in it if
/// it may be a record of its own.
fn add_games(value: &Value, is_record: bool, depth: usize, games: &mut Vec<Game>) {
    let parts: Vec<&Value> = match value {
        _ if depth == 0 => return,
        Value::Array(values) => values.iter().collect(),
        Value::Object(members) => {
            let members = members.iter().filter(|(key, _)| !is_tag(key));
            members.map(|(_, value)| value).collect()
        }
        _ => return,
    };
    let count = games.len();
    let start = value.get("start").and_then(Value::as_str);
    let start = start
        .and_then(|start| start.parse().ok())
        .unwrap_or(Position::START);
    let of_text = |text: &str| {
        found::games(text, start)
            .into_iter()
            .map(|found| found.game)
    };
    let texts: Vec<&str> = parts.iter().filter_map(|part| part.as_str()).collect();
    games.extend(of_text(&texts.join("\n")));
    if games.len() == count {
        for part in &parts {
            add_games(part, value.is_array() && part.is_object(), depth - 1, games);
        }
    }
    if games.len() == count && is_record {
        let mut text = String::new();
        for part in &parts {
            add_texts(part, &mut text);
        }
        games.extend(of_text(&text));
    }
    if let (Value::Object(members), [game]) = (value, &mut games[count..]) {
        read_tags(members, game);
    }
}

/// Appends the texts of a value, each on a line, without those that are names or dates.
fn add_texts(value: &Value, text: &mut String) {
    match value {
        Value::String(part) => text.extend([part, "\n"]),
        Value::Array(values) => values.iter().for_each(|value| add_texts(value, text)),
        Value::Object(members) => {
            let members = members.iter().filter(|(key, _)| !is_tag(key));
            members.for_each(|(_, value)| add_texts(value, text));
        }
        _ => {}
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
            set(game, tag, &word(value));
            if let Value::Object(player) = value {
                set(game, &format!("{tag}Elo"), &first(player, &RATINGS));
            }
        } else if let ("players", Value::Array(players)) = (&*key, value) {
            for (side, player) in ["Black", "White"].into_iter().zip(players) {
                set(game, side, &word(player));
                if let Value::Object(player) = player {
                    set(game, &format!("{side}Elo"), &first(player, &RATINGS));
                }
            }
        } else if let ("players", Value::Object(players)) = (&*key, value) {
            read_tags(players, game);
        } else if key == "result" && game.tags.outcome.is_none() {
            game.tags.outcome = Outcome::parse(&word(value)).flatten();
        }
    }
    // A time of the day after the date is left out.
    if let Some((date, _)) = game.tags.date.split_once('T')
        && date.starts_with(|c: char| c.is_ascii_digit())
    {
        game.tags.date = date.to_owned();
    }
}

/// Sets a tag unless it is set.
fn set(game: &mut Game, tag: &str, value: &str) {
    if game.tags.get(tag).is_empty() && !value.is_empty() {
        game.tags.set(tag, value);
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
