//! Tests of the translations: every text is translated, every translation is used, and punctuation
//! follows the rules of each language.

use std::collections::{BTreeMap, BTreeSet};

use emilia_player::people::{Difficulty, Human};
use emilia_review::practice::THEMES;
use serde_json::json;

use super::{DICTIONARIES, TABLES, dictionary, key};
use crate::server::{file, names};

/// Texts that are the same in every language, so they are not in the tables.
const SAME: &str = "Emilia JavaScript PNG SVG SGF GGF PGN XOT minimax Esc Ctrl+V";

/// Words and signs that translations must not contain, separated by spaces. Othello players use
/// other words, and French texts use another apostrophe.
const WORDS: &str = "lateau livre Reprendre Touches\u{a0}et\u{a0}mots Au\u{a0}choix sous\u{a0}h1 ' \
    \u{6307} \u{6c17}\u{697d} \u{306e}\u{640d} \u{6700}\u{5f37}\u{8005} \u{5e8f}\u{76e4}\u{ff1a} \
    \u{6a2a}\u{306e}\u{68d2} \u{4f60}";

/// Returns the rows of all tables, as [English, French, Japanese, Chinese].
fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let lines = TABLES.iter().flat_map(|(_, table)| table.lines().skip(1));
    let cells = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    cells.map(|cells| cells.try_into().expect("four texts"))
}

/// Replaces JavaScript and HTML escapes in `source` by the characters they stand for. Only
/// characters that occur in the tables are replaced.
fn unescaped(source: &str) -> String {
    let texts = rows().flat_map(|[english, ..]| english.chars());
    let signs: BTreeSet<char> = texts.filter(|sign| !sign.is_ascii()).collect();
    signs.iter().fold(source.to_owned(), |source, &sign| {
        let code = u32::from(sign);
        let hex = [format!("{code:04x}"), format!("{code:04X}")];
        let [small, large] = hex.map(|hex| format!("\\u{hex}"));
        let escapes = [small, large, format!("&#x{code:x};")];
        let replace = |source: String, escape| source.replace(escape, &sign.to_string());
        escapes.iter().fold(source, replace)
    })
}

/// Returns the media type and text of all pages, modules and text files.
fn sources() -> impl Iterator<Item = (&'static str, String)> {
    let names = names().filter(|name| !DICTIONARIES.contains(name));
    let files = names.map(|name| file(name).expect("a file of the page"));
    let of_files = include_bytes!("../wasm/transport.js").to_vec();
    let all = files.chain([("text/javascript", of_files)]);
    all.map(|(kind, bytes)| (kind, unescaped(&String::from_utf8_lossy(&bytes))))
}

/// Returns the texts in a source that users see.
fn texts_of<'s>(kind: &str, source: &'s str) -> Vec<&'s str> {
    let between = |starts: &'static [&str], end, source: &'s str| {
        let parts = starts.iter().flat_map(|start| source.split(start).skip(1));
        parts.filter_map(move |part| Some(part.split_once(end)?.0.trim()))
    };
    if kind.starts_with("text/javascript") {
        let calls = &[" t(\"", "(t(\"", "${t(\"", "!t(\"", "[t(\"", ">t(\""];
        between(calls, '"', source).collect()
    } else if kind.starts_with("text/plain") {
        let rows = source.lines().filter(|row| !row.starts_with('#'));
        let heads = |row: &str| if row.starts_with("lesson\t") { 1 } else { 5 };
        rows.flat_map(|row| row.split('\t').skip(heads(row)))
            .collect()
    } else if let Some((_, body)) = source.split_once("<body") {
        let labels = &[" title=\"", " aria-label=\"", " placeholder=\""];
        let texts = between(&[">"], '<', body);
        between(labels, '"', body).chain(texts).collect()
    } else {
        Vec::new()
    }
}

/// Returns the texts from the engine that the page translates.
fn words_of_the_engine() -> impl Iterator<Item = String> {
    let people = Human::ALL.iter().map(|human| human.help().to_owned());
    let levels = ["above", "from", "up to"].map(|words| format!("{words} {{level}}"));
    let found = (0..=100).map(|percent| f64::from(percent) / 100.0);
    let grades = found.map(|found| Difficulty { found, loss: 0.0 }.grade().to_string());
    let themes = THEMES.iter().map(|theme| theme.name.to_owned());
    let words = themes.chain(people).chain(levels).chain(grades);
    words.chain(["all".to_owned()])
}

#[test]
fn every_text_of_the_pages_is_in_the_tables_and_the_other_way_round() {
    let known: BTreeSet<&str> = rows().map(|[english, ..]| english).collect();
    let engine: BTreeSet<String> = words_of_the_engine().collect();
    let sources: Vec<_> = sources().collect();
    let seen = sources
        .iter()
        .flat_map(|(kind, source)| texts_of(kind, source));
    let is_word = |text: &&str| text.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let words = seen
        .filter(is_word)
        .filter(|text| !SAME.split(' ').any(|same| same == *text));
    let all = words.chain(engine.iter().map(String::as_str));
    let missing: BTreeSet<&str> = all.filter(|text| !known.contains(text)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let is_seen = |text: &str| sources.iter().any(|(_, source)| source.contains(text));
    let is_used = |text: &str| engine.contains(text) || is_seen(text);
    let unused: Vec<&&str> = known.iter().filter(|text| !is_used(text)).collect();
    assert!(unused.is_empty(), "{unused:#?}");
}

/// Returns the names of the values in a text. They are in braces, as `{level}`.
fn values(text: &str) -> BTreeSet<&str> {
    let parts = text.split('{').skip(1);
    parts
        .filter_map(|part| Some(part.split_once('}')?.0))
        .collect()
}

#[test]
fn every_text_is_there_once_with_its_values_in_the_words_of_players() {
    let openings = emilia_games::opening_names("en").map(|(english, _)| english);
    let mut keys = BTreeMap::new();
    for english in rows().map(|[english, ..]| english).chain(openings) {
        assert_eq!(keys.insert(key(english), english), None, "{english}");
    }
    let words: Vec<String> = WORDS
        .split(' ')
        .map(|word| word.replace('\u{a0}', " "))
        .collect();
    for row in rows() {
        for text in row {
            assert!(!text.is_empty() && text.trim() == text, "{row:?}");
            let mut forms = text.split('|');
            assert!(forms.all(|form| values(form) == values(row[0])), "{text}");
        }
        let has = |word: &&String| row[1..].iter().any(|text| text.contains(*word));
        assert_eq!(words.iter().find(has), None, "{row:?}");
    }
    let japanese = dictionary("ja.js").expect("a dictionary");
    assert!(japanese.contains(&format!("{}:\"\u{864e}\",", key("Tiger"))));
}

#[test]
fn signs_have_the_spaces_of_their_language() {
    for [_, french, japanese, chinese] in rows() {
        // French has a narrow space before these signs. A text with `@` has a search depth such as
        // `12@73%`, which has none.
        let signs = if french.contains('@') {
            ""
        } else {
            ":;!?%\u{bb}"
        };
        for (one, next) in french.chars().zip(french.chars().skip(1)) {
            let is_close = one.is_alphanumeric() || "} ".contains(one);
            assert!(!(is_close && signs.contains(next)), "{french}");
            assert!(one != '\u{ab}' || next == '\u{202f}', "{french}");
        }
        for text in [japanese, chinese] {
            // A text with brackets has arguments of a command in them, which have ASCII commas.
            let narrow = if text.contains(['(', '[']) {
                ":;!?"
            } else {
                ",:;!?"
            };
            for (one, next) in text.chars().zip(text.chars().skip(1)) {
                let is_wide = one > '\u{2e80}' && !"\u{ff08}\u{300c}".contains(one) || one == '}';
                assert!(!(is_wide && narrow.contains(next)), "{text}");
                let ends = "\u{3001}\u{3002}\u{ff0c}\u{ff1a}\u{ff1b}\u{ff1f}\u{ff01}";
                assert!(!(ends.contains(one) && next == ' '), "{text}");
            }
        }
    }
}

#[test]
fn what_the_engine_refuses_has_a_code_with_words() {
    let (_, sentences) = file("sentences.js").expect("a module");
    let sentences = String::from_utf8_lossy(&sentences).replace('"', "");
    let games = [
        "hello",
        "\0",
        "\u{1}\u{2}",
        "a1a1",
        "(;GM[1]B[fe])",
        "(;GM[2]PC[x]",
    ];
    let read = games.map(|text| crate::games::read(text.as_bytes()).map(drop));
    let trees = [
        "[1",
        "[",
        "[1] 2",
        "best 0 1",
        "best 2 99",
        "random 2 2 x",
        "best 20 9",
    ];
    let tree = |text| json!({"game": "tree", "text": text, "algorithm": "minimax"}).to_string();
    let drawn = trees.map(|text| crate::lesson::lesson(tree(text).as_bytes()).map(drop));
    for refused in read.into_iter().chain(drawn) {
        let refusal = crate::refusal(refused.expect_err("a refusal"));
        let object: BTreeMap<String, String> = serde_json::from_str(&refusal).expect("an object");
        let code = format!("\n{}: ", object["code"]);
        assert!(sentences.contains(&code), "{refusal}");
    }
}
