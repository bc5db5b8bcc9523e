//! Laws of the tables of texts: complete, used, and in the typography of their languages.

use std::collections::{BTreeMap, BTreeSet};

use emilia_core::board::Position;
use emilia_player::people::{Difficulty, Human};
use emilia_review::practice::THEMES;

use super::{DICTIONARIES, TABLES, dictionary, key};
use crate::server::{file, names};

/// Texts of a page that are the same in every language.
const SAME: [&str; 12] = [
    "Emilia",
    "JavaScript",
    "PNG",
    "SVG",
    "SGF",
    "GGF",
    "PGN",
    "XOT",
    "minimax",
    "Esc",
    "0",
    "Ctrl+V",
];

/// Returns the rows of all tables: English, French, Japanese, Chinese.
fn rows() -> Vec<[&'static str; 4]> {
    let lines = TABLES.iter().flat_map(|(_, table)| table.lines().skip(1));
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        cells
            .try_into()
            .unwrap_or_else(|_| panic!("not four texts: {line}"))
    });
    rows.collect()
}

/// Returns the pages, modules and lists, with their escapes replaced: name, type and text.
fn sources() -> Vec<(&'static str, &'static str, String)> {
    let all = names().filter(|name| !DICTIONARIES.contains(name));
    let sources = all.filter_map(|name| {
        let (kind, bytes) = file(name).expect("a file of the page");
        let is_source = kind.starts_with("text/") && !kind.starts_with("text/css");
        let text = is_source.then(|| String::from_utf8(bytes).expect("UTF-8"))?;
        Some((name, kind, unescaped(&text)))
    });
    let of_files = unescaped(include_str!("../wasm/transport.js"));
    let of_files = ("wasm/transport.js", "text/javascript", of_files);
    sources.chain([of_files]).collect()
}

/// Replaces the escapes of characters in scripts and pages: `\u2026` and `&#x2026;`.
fn unescaped(source: &str) -> String {
    let (mut text, mut rest) = (String::new(), source);
    while let Some(at) = rest.find(['\\', '&']) {
        let (before, after) = rest.split_at(at);
        let (code, end) = match after
            .strip_prefix("&#x")
            .and_then(|code| code.split_once(';'))
        {
            Some((code, end)) => (code, end),
            None if after.starts_with("\\u") => after[2..].split_at(4),
            None => ("", &after[1..]),
        };
        let letter = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
        text.extend([before, &after[..usize::from(letter.is_none())]]);
        text.extend(letter);
        rest = end;
    }
    text + rest
}

/// Returns the texts between the tags of a page, and in the attributes that are read aloud or shown.
fn texts_of_page(page: &str) -> Vec<&str> {
    let (_, body) = page.split_once("<body").expect("a page");
    let mut texts = Vec::new();
    for part in body.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        texts.push(text.trim());
        for name in [" title=\"", " aria-label=\"", " placeholder=\""] {
            let value = tag
                .split_once(name)
                .and_then(|(_, value)| value.split_once('"'));
            texts.extend(value.map(|(value, _)| value));
        }
    }
    texts
}

/// Returns the texts of the lessons: the last cells of their rows.
fn texts_of_lessons(list: &str) -> Vec<&str> {
    let rows = list.lines().filter(|line| !line.starts_with('#'));
    rows.flat_map(|row| {
        let first = if row.starts_with("lesson\t") { 1 } else { 5 };
        row.split('\t').skip(first)
    })
    .collect()
}

/// Returns the words that the engine sends, and that the page translates.
fn words_of_the_engine() -> BTreeSet<String> {
    let themes = THEMES.iter().map(|theme| theme.name.to_owned());
    let people = Human::ALL.iter().map(|human| human.help().to_owned());
    let levels = ["below", "above", "from", "up to"].map(|words| format!("{words} {{level}}"));
    let difficulties = (0..=100).map(|percent| {
        let found = f64::from(percent) / 100.0;
        Difficulty { found, loss: 0.0 }.grade().to_string()
    });
    let words = themes.chain(people).chain(levels).chain(difficulties);
    words.chain(["all".to_owned()]).collect()
}

#[test]
fn every_text_is_there_once_and_in_four_languages() {
    let mut keys = BTreeMap::new();
    for row in rows() {
        for text in row {
            assert!(!text.is_empty() && text.trim() == text, "{row:?}");
        }
        assert_eq!(keys.insert(key(row[0]), row[0]), None, "{row:?}");
    }
    for (english, _) in emilia_games::opening_names("en") {
        assert_eq!(keys.insert(key(english), english), None, "{english}");
    }
}

#[test]
fn a_dictionary_has_the_texts_of_its_table_and_openings() {
    let start = Position::START.to_string();
    assert_eq!((dictionary("main.js"), dictionary(&start)), (None, None));
    for (name, english, own) in [
        ("fr.js", "Board", "Othellier"),
        ("ja.js", "Tiger", "\u{864e}"),
        ("learn-zh.js", "Tree", "\u{6811}"),
    ] {
        let source = dictionary(name).expect("a dictionary");
        let entry = format!("{}:\"{own}\",", key(english));
        assert!(source.contains(&entry), "{name}: {entry}");
    }
}

/// Returns the names in braces of a text.
fn values(text: &str) -> BTreeSet<&str> {
    let parts = text.split('{').skip(1);
    parts
        .filter_map(|part| Some(part.split_once('}')?.0))
        .collect()
}

#[test]
fn texts_have_the_same_values_in_every_language() {
    for row in rows() {
        for text in row {
            for form in text.split('|') {
                assert_eq!(values(form), values(row[0]), "{form}");
            }
        }
    }
}

#[test]
fn every_text_of_the_pages_is_in_the_tables() {
    let known: BTreeSet<&str> = rows().iter().map(|row| row[0]).collect();
    let mut missing = words_of_the_engine();
    missing.retain(|word| !known.contains(&**word));
    for (name, kind, source) in sources() {
        let texts: Vec<&str> = if kind.starts_with("text/plain") {
            texts_of_lessons(&source)
        } else if kind.starts_with("text/javascript") {
            let calls = source.split("t(\"").skip(1);
            let is_call = |at: usize| !source[..at].ends_with(|c: char| c.is_alphanumeric());
            let calls =
                calls.filter(|call| is_call(call.as_ptr().addr() - source.as_ptr().addr() - 3));
            calls
                .filter_map(|call| Some(call.split_once('"')?.0))
                .collect()
        } else {
            texts_of_page(&source)
        };
        for text in texts {
            let is_word = text.chars().filter(|c| c.is_alphabetic()).count() > 2;
            if is_word && !SAME.contains(&text) && !known.contains(text) {
                missing.insert(format!("{name}: {text}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_text_of_the_tables_is_on_a_page() {
    let sources = sources();
    let engine = words_of_the_engine();
    let is_used = |text: &str| {
        engine.contains(text) || sources.iter().any(|(.., source)| source.contains(text))
    };
    let left: Vec<&str> = rows()
        .iter()
        .map(|row| row[0])
        .filter(|text| !is_used(text))
        .collect();
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn what_the_engine_refuses_has_a_code_with_words() {
    let (_, sentences) = file("sentences.js").expect("a module");
    let sentences = String::from_utf8(sentences).expect("UTF-8");
    let refused = |what: &str, body: &str| {
        let why = match what {
            "lesson" => crate::lesson::lesson(body.as_bytes()).map(drop),
            _ => crate::games::read(body.as_bytes()).map(drop),
        };
        crate::refusal(why.expect_err(body))
    };
    let lesson = |text: &str, game: &str| {
        let body = format!(r#"{{"game":"{game}","text":"{text}","algorithm":"minimax"}}"#);
        refused("lesson", &body)
    };
    let games = [
        "hello",
        "\0",
        "\u{1}\u{2}",
        "a1a1",
        "(;GM[1]B[fe])",
        "(;GM[2]B[aa])",
        "(;GM[2]PC[x]",
    ];
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
    let refusals = games.iter().map(|body| refused("games", body));
    let refusals = refusals.chain(trees.iter().map(|text| lesson(text, "tree")));
    for refusal in refusals.chain([lesson("b2 b2", "tictactoe")]) {
        let object: BTreeMap<String, String> = serde_json::from_str(&refusal).expect("an object");
        let code = object
            .get("code")
            .unwrap_or_else(|| panic!("no code: {refusal}"));
        let (plain, quoted) = (format!("\n{code}: \""), format!("\"{code}\": \""));
        assert!(
            sentences.contains(&plain) || sentences.contains(&quoted),
            "{refusal}"
        );
    }
}

/// Words that translations must not have, with those to use.
const WORDS: [[&str; 2]; 14] = [
    ["lateau", "othellier"],
    ["livre", "biblioth\u{e8}que"],
    ["Reprendre", "Annuler le coup"],
    ["Touches et mots", "Raccourcis et lexique"],
    ["Au choix", "Personnalis\u{e9}"],
    ["sous h1", "inf\u{e9}rieur \u{e0} h1"],
    ["'", "\u{2019}"],
    ["\u{6307}", "\u{6253}\u{3064}"],
    [
        "\u{6c17}\u{697d}",
        "\u{30ab}\u{30b8}\u{30e5}\u{30a2}\u{30eb}",
    ],
    ["\u{306e}\u{640d}", "\u{77f3}\u{640d}"],
    [
        "\u{6700}\u{5f37}\u{8005}",
        "\u{4e00}\u{756a}\u{5f37}\u{3044}\u{4eba}",
    ],
    ["\u{5e8f}\u{76e4}\u{ff1a}", "\u{5b9a}\u{77f3}\u{ff1a}"],
    [
        "\u{6a2a}\u{306e}\u{68d2}",
        "\u{5f62}\u{52e2}\u{30d0}\u{30fc}",
    ],
    ["\u{4f60}", "\u{60a8}"],
];

#[test]
fn translations_use_the_terms_of_players() {
    for row in rows() {
        for [word, instead] in WORDS {
            let texts = row[1..].join(" ");
            assert!(!texts.contains(word), "{texts}: not {word}, but {instead}");
        }
    }
}

/// Narrow space that does not break, before some French signs.
const NARROW: char = '\u{202f}';

/// Whether a sign is a mark of a move or a key, as `(?)` or `??`, and no punctuation.
fn is_mark(before: Option<char>) -> bool {
    before.is_none_or(|before| " (?!\u{300c}\u{ff08}".contains(before))
}

#[test]
fn french_signs_have_a_narrow_space_and_decimals_a_comma() {
    for [_, french, ..] in rows() {
        let mut before = None;
        for letter in french.chars() {
            let is_spaced = match letter {
                '?' | '!' => before == Some(NARROW) || is_mark(before) && before != Some(' '),
                // `12@73%` is a depth.
                '%' if french.contains('@') => true,
                ':' | ';' | '%' | '\u{bb}' => before == Some(NARROW),
                _ => before != Some('\u{ab}') || letter == NARROW,
            };
            assert!(is_spaced, "{french}: no narrow space before {letter}");
            before = Some(letter);
        }
        let letters: Vec<char> = french.chars().collect();
        let is_decimal = |three: &[char]| {
            three[1] == '.' && three[0].is_ascii_digit() && three[2].is_ascii_digit()
        };
        assert!(
            !letters.windows(3).any(is_decimal),
            "{french}: no decimal comma"
        );
    }
}

#[test]
fn japanese_and_chinese_have_wide_signs_without_spaces() {
    /// Wide signs: comma, full stop, colon, semicolon, question and exclamation mark.
    const WIDE: &str = "\u{3001}\u{3002}\u{ff0c}\u{ff1a}\u{ff1b}\u{ff1f}\u{ff01}";
    for [_, _, japanese, chinese] in rows() {
        for text in [japanese, chinese] {
            let (mut before, mut brackets) = (None, 0);
            for letter in text.chars() {
                brackets += i32::from("([".contains(letter)) - i32::from(")]".contains(letter));
                let is_wide = match letter {
                    ':' | ';' => false,
                    '?' | '!' => is_mark(before),
                    // In a window or the arguments of a function.
                    ',' => brackets > 0,
                    ' ' => before.is_none_or(|before| !WIDE.contains(before)),
                    _ => true,
                };
                assert!(is_wide, "{text}: {letter:?} after {before:?}");
                before = Some(letter);
            }
        }
    }
}
