//! Laws of the tables of texts: complete, used, and in the typography of their languages.

use std::collections::{BTreeMap, BTreeSet};

use emilia_player::people::{Difficulty, Human};
use emilia_review::practice::THEMES;

use super::{DICTIONARIES, TABLES, dictionary, key};
use crate::server::{file, names};

/// Texts of a page that are the same in every language.
const SAME: &str = "Emilia JavaScript PNG SVG SGF GGF PGN XOT minimax Esc Ctrl+V";

/// Words that translations must not have.
const WORDS: &str = "lateau livre Reprendre Touches\u{a0}et\u{a0}mots Au\u{a0}choix sous\u{a0}h1 ' \
    \u{6307} \u{6c17}\u{697d} \u{306e}\u{640d} \u{6700}\u{5f37}\u{8005} \u{5e8f}\u{76e4}\u{ff1a} \
    \u{6a2a}\u{306e}\u{68d2} \u{4f60}";

/// Returns the rows of all tables: English, French, Japanese, Chinese.
fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let lines = TABLES.iter().flat_map(|(_, table)| table.lines().skip(1));
    lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        cells
            .try_into()
            .unwrap_or_else(|_| panic!("not four texts: {line}"))
    })
}

/// Replaces escaped characters: those between `prefix` and the end that `split` finds.
fn unescaped(text: &str, prefix: &str, split: fn(&str) -> Option<(&str, &str)>) -> String {
    let mut parts = text.split(prefix);
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = split(part).unwrap_or_default();
        match u32::from_str_radix(code, 16).ok().and_then(char::from_u32) {
            Some(letter) => all.extend([&*letter.to_string(), rest]),
            None => all.extend([prefix, part]),
        }
    }
    all
}

/// Returns the pages, modules and lists, without escapes: type and text.
fn sources() -> impl Iterator<Item = (&'static str, String)> {
    let files = names()
        .filter(|name| !DICTIONARIES.contains(name))
        .map(|name| {
            let (kind, bytes) = file(name).expect("a file of the page");
            (kind, String::from_utf8(bytes).unwrap_or_default())
        });
    let of_files = include_str!("../wasm/transport.js").to_owned();
    files
        .chain([("text/javascript", of_files)])
        .map(|(kind, text)| {
            let text = unescaped(&text, "&#x", |part| part.split_once(';'));
            (
                kind,
                unescaped(&text, "\\u", |part| part.split_at_checked(4)),
            )
        })
}

/// Returns the texts of a source that a reader sees.
fn texts_of<'s>(kind: &str, source: &'s str) -> Vec<&'s str> {
    let until = |end| move |part: &'s str| part.split_once(end).map(|(text, _)| text);
    if kind.starts_with("text/javascript") {
        let starts = [" t(\"", "(t(\"", "${t(\"", "!t(\"", "[t(\"", ">t(\""];
        let calls = starts.iter().flat_map(|start| source.split(start).skip(1));
        calls.filter_map(until('"')).collect()
    } else if kind.starts_with("text/plain") {
        let rows = source.lines().filter(|row| !row.starts_with('#'));
        let cells = rows.map(|row| {
            row.split('\t')
                .skip(if row.starts_with("lesson\t") { 1 } else { 5 })
        });
        cells.flatten().collect()
    } else if let Some((_, body)) = source.split_once("<body") {
        let labels = [" title=\"", " aria-label=\"", " placeholder=\""];
        let labels = labels.iter().flat_map(|label| body.split(label).skip(1));
        let texts = body
            .split('>')
            .skip(1)
            .filter_map(until('<'))
            .map(str::trim);
        labels.filter_map(until('"')).chain(texts).collect()
    } else {
        Vec::new()
    }
}

/// Returns the words that the engine sends, and that the page translates.
fn words_of_the_engine() -> impl Iterator<Item = String> {
    let people = Human::ALL.iter().map(|human| human.help().to_owned());
    let levels = ["above", "from", "up to"].map(|words| format!("{words} {{level}}"));
    let difficulties = (0..=100).map(|percent| Difficulty {
        found: f64::from(percent) / 100.0,
        loss: 0.0,
    });
    let difficulties = difficulties.map(|difficulty| difficulty.grade().to_string());
    let themes = THEMES.iter().map(|theme| theme.name.to_owned());
    themes
        .chain(people)
        .chain(levels)
        .chain(difficulties)
        .chain(["all".to_owned()])
}

#[test]
fn every_text_of_the_pages_is_in_the_tables_and_the_other_way_round() {
    let known: BTreeSet<&str> = rows().map(|[english, ..]| english).collect();
    let sources: Vec<_> = sources().collect();
    let seen = sources
        .iter()
        .flat_map(|(kind, source)| texts_of(kind, source));
    let is_word = |text: &&str| text.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let seen = seen
        .filter(is_word)
        .filter(|text| !SAME.split(' ').any(|same| same == *text));
    let engine: BTreeSet<String> = words_of_the_engine().collect();
    let missing: BTreeSet<&str> = seen
        .chain(engine.iter().map(String::as_str))
        .filter(|text| !known.contains(text))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let is_used = |text: &str| {
        engine.contains(text) || sources.iter().any(|(_, source)| source.contains(text))
    };
    let unused: Vec<&&str> = known.iter().filter(|text| !is_used(text)).collect();
    assert!(unused.is_empty(), "{unused:#?}");
}

/// Returns the names in braces of a text.
fn values(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .filter_map(|part| Some(part.split_once('}')?.0))
        .collect()
}

#[test]
fn every_text_is_there_once_with_its_values_in_the_words_of_players() {
    let mut keys = BTreeMap::new();
    for row in rows() {
        assert_eq!(keys.insert(key(row[0]), row[0]), None, "{row:?}");
        for text in row {
            assert!(!text.is_empty() && text.trim() == text, "{row:?}");
            assert!(
                text.split('|').all(|form| values(form) == values(row[0])),
                "{text}"
            );
        }
        let own = row[1..].join("\n");
        let bad = WORDS
            .split(' ')
            .map(|word| word.replace('\u{a0}', " "))
            .find(|word| own.contains(word));
        assert_eq!(bad, None, "{own}");
    }
    for (english, _) in emilia_games::opening_names("en") {
        assert_eq!(keys.insert(key(english), english), None, "{english}");
    }
    assert!(
        dictionary("ja.js")
            .expect("a dictionary")
            .contains(&format!("{}:\"\u{864e}\",", key("Tiger")))
    );
}

#[test]
fn signs_have_the_spaces_of_their_language() {
    let is_letter = |c: char| c.is_alphanumeric() || c == '}';
    for [_, french, japanese, chinese] in rows() {
        let pairs = |text: &'static str| text.chars().zip(text.chars().skip(1));
        let is_wrong = |(one, next): (char, char)| {
            // `12@73%` is a depth.
            ":;!?%\u{bb}".contains(next) && (is_letter(one) || one == ' ') && !french.contains('@')
                || one == '\u{ab}' && next != '\u{202f}'
        };
        assert!(!pairs(french).any(is_wrong), "{french}");
        let letters: Vec<char> = french.chars().collect();
        let is_decimal = |three: &[char]| {
            three[1] == '.' && three[0].is_ascii_digit() && three[2].is_ascii_digit()
        };
        assert!(!letters.windows(3).any(is_decimal), "{french}");
        for text in [japanese, chinese] {
            let is_wide = |c: char| c > '\u{2e80}' && !"\u{ff08}\u{300c}".contains(c) || c == '}';
            // Arguments in brackets have narrow commas.
            let narrow = if text.contains(['(', '[']) {
                ":;!?"
            } else {
                ",:;!?"
            };
            let is_wrong = |(one, next)| {
                is_wide(one) && narrow.contains(next)
                    || "\u{3001}\u{3002}\u{ff0c}\u{ff1a}\u{ff1b}\u{ff1f}\u{ff01}".contains(one)
                        && next == ' '
            };
            assert!(!pairs(text).any(is_wrong), "{text}");
        }
    }
}

#[test]
fn what_the_engine_refuses_has_a_code_with_words() {
    let (_, sentences) = file("sentences.js").expect("a module");
    let sentences = String::from_utf8(sentences)
        .expect("UTF-8")
        .replace('"', "");
    let games = [
        "hello",
        "\0",
        "\u{1}\u{2}",
        "a1a1",
        "(;GM[1]B[fe])",
        "(;GM[2]B[aa])",
        "(;GM[2]PC[x]",
    ];
    let games = games.map(|body| crate::games::read(body.as_bytes()).map(drop));
    let trees = [
        "[1",
        "[",
        "[1] 2",
        "best 0 1",
        "best 2 99",
        "best 20 9",
        "random 2 2 x",
        "best 20 3",
    ];
    let trees = trees.map(|text| {
        crate::lesson::lesson(
            format!(r#"{{"game":"tree","text":"{text}","algorithm":"minimax"}}"#).as_bytes(),
        )
        .map(drop)
    });
    for refused in games.into_iter().chain(trees) {
        let refusal = crate::refusal(refused.expect_err("a refusal"));
        let object: BTreeMap<String, String> = serde_json::from_str(&refusal).expect("an object");
        assert!(
            sentences.contains(&format!("\n{}: ", object["code"])),
            "{refusal}"
        );
    }
}
