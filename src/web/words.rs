//! Translations of the web pages: tables of texts, and the dictionaries made from them.
//!
//! A row of a table has one text in English and in all other languages. A dictionary is an ES
//! module with all texts of one table in one language. Its keys are hashes of the English texts, as
//! in `words.js`. With hashes, a dictionary is half as large as with the English texts.

use std::fmt::Write;

use emilia_games::opening_names;

/// Tables of translations, as (prefix, text). Dictionaries of a table have its prefix, such as
/// `more-` in `more-fr.js`.
const TABLES: [(&str, &str); 4] = [
    ("", include_str!("web/words.tsv")),
    ("more-", include_str!("web/more-words.tsv")),
    ("learn-", include_str!("web/learn-words.tsv")),
    ("lesson-", include_str!("web/lesson-words.tsv")),
];

/// File names of all dictionaries.
pub(super) const DICTIONARIES: [&str; 12] = [
    "fr.js",
    "ja.js",
    "zh.js",
    "more-fr.js",
    "more-ja.js",
    "more-zh.js",
    "learn-fr.js",
    "learn-ja.js",
    "learn-zh.js",
    "lesson-fr.js",
    "lesson-ja.js",
    "lesson-zh.js",
];

/// Returns the source of the dictionary called `name`.
pub(super) fn dictionary(name: &str) -> Option<String> {
    let stem = DICTIONARIES
        .contains(&name)
        .then_some(name)?
        .strip_suffix(".js")?;
    let at = stem.rfind('-').map_or(0, |dash| dash + 1);
    let (part, language) = stem.split_at(at);
    let (_, table) = TABLES.iter().find(|(own, _)| *own == part)?;
    let openings = opening_names(language).filter(|_| part.is_empty());
    let mut source = String::from("export default {");
    for (english, own) in texts(table, language).chain(openings) {
        let own = serde_json::to_string(own).ok()?;
        write!(source, "{}:{own},", key(english)).ok()?;
    }
    Some(source + "};")
}

/// Returns the texts of `table` as (English text, text in `language`).
fn texts<'t>(table: &'t str, language: &str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let mut rows = table.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let head = rows.next().unwrap_or_default();
    let column = head.iter().position(|name| *name == language);
    rows.filter_map(move |row| Some((row[0], *row.get(column?)?)))
}

/// Returns the key of an English text: its FNV-1a hash, over characters instead of bytes.
fn key(text: &str) -> u32 {
    let add = |hash: u32, letter| (hash ^ u32::from(letter)).wrapping_mul(0x0100_0193);
    text.chars().fold(0x811c_9dc5, add)
}

#[cfg(test)]
mod tests;
