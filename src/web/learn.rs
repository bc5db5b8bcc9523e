//! Files of the page that teaches game-tree search.

use emilia_lesson::EXAMPLES;

/// Files of the page: name, type and content. `learn.js` is the script to read first.
const FILES: [(&str, &str, &str); 13] = [
    (
        "learn.html",
        "text/html; charset=utf-8",
        include_str!("web/learn.html"),
    ),
    (
        "learn.css",
        "text/css; charset=utf-8",
        include_str!("web/learn.css"),
    ),
    ("learn.js", SCRIPT, include_str!("web/learn.js")),
    ("learn-code.js", SCRIPT, include_str!("web/learn-code.js")),
    (
        "learn-exercises.js",
        SCRIPT,
        include_str!("web/learn-exercises.js"),
    ),
    (
        "learn-server.js",
        SCRIPT,
        include_str!("web/learn-server.js"),
    ),
    (
        "learn-sentences.js",
        SCRIPT,
        include_str!("web/learn-sentences.js"),
    ),
    ("learn-state.js", SCRIPT, include_str!("web/learn-state.js")),
    ("learn-tree.js", SCRIPT, include_str!("web/learn-tree.js")),
    ("examples.txt", "text/plain; charset=utf-8", EXAMPLES),
    ("learn-en.js", SCRIPT, include_str!("web/learn-en.js")),
    ("learn-fr.js", SCRIPT, include_str!("web/learn-fr.js")),
    ("learn-ja.js", SCRIPT, include_str!("web/learn-ja.js")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Returns the names of the files.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FILES.into_iter().map(|(name, ..)| name)
}

/// Returns the type and the content of a file of the page, whose address is `learn`.
pub(super) fn file(name: &str) -> Option<(&'static str, &'static str)> {
    let name = if name == "learn" { "learn.html" } else { name };
    let mut files = FILES.into_iter();
    let (_, kind, content) = files.find(|(known, ..)| *known == name)?;
    Some((kind, content))
}
