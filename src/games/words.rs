//! Words of game records in several languages: passes, sides, and names of tags.

use emilia_core::board::Color;

/// Words for a pass, in lower case.
const PASSES: &str = "pass pa ps passe passt passen pasa paso pasar passo passa skip null \
    пас пропуск パス 虚手 停手 过 過 패스 패";

/// Words for a side, in lower case. A longer word that begins with one of them names the side, too:
/// `blacks`, `黒番`.
const SIDES: [(Color, &str); 2] = [
    (
        Color::Black,
        "black noir schwarz negr nero neri pret svart zwart dark черн чёрн 黒 黑 先手 흑",
    ),
    (
        Color::White,
        "white blanc weiß weiss bianc branc vit wit light бел 白 後手 백",
    ),
];

/// PGN names of tags, each with the keys that mean this tag in a game record. The keys are in lower
/// case without blanks, hyphens and `_` (see [`plain`]). `Header::take` parses the values of the
/// last four tags. The values of the other tags stay text.
const TAGS: [(&str, &str); 13] = [
    (
        "Black",
        "black blackname blackplayer playerblack noir noirs schwarz negras negro nero neri \
         preto zwart svart черные чёрные 黒 黑 先手 흑",
    ),
    (
        "White",
        "white whitename whiteplayer playerwhite blanc blancs weiß weiss blancas blanco bianco \
         bianchi branco wit vit белые 白 後手 백",
    ),
    ("Event", "event tournament tournoi turnier torneo 大会"),
    ("Site", "site place lieu ort luogo lugar"),
    ("Round", "round ronde runde ronda turno"),
    (
        "Date",
        "date datum fecha data 日付 year created createdat startedat",
    ),
    ("BlackElo", "blackelo"),
    ("WhiteElo", "whiteelo"),
    ("Annotator", "annotator"),
    ("Time", "time clock"),
    (
        "Result",
        "result résultat ergebnis resultado risultato 結果",
    ),
    ("Start", "start"),
    ("Comment", "notes note comment comments remarks"),
];

/// Keys of lists of moves, in lower case without blanks, hyphens and `_` (see [`plain`]).
const MOVES: &str = "moves kifu record transcript game movelist history sequence 棋譜";

/// Keys of the side to move of a board, written like the keys of [`MOVES`].
const MOVERS: &str = "tomove sidetomove side turn mover player color startcolor";

/// Returns whether `words`, a list separated by blanks, contains `word`.
fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|own| own == word)
}

/// Returns whether `key`, a result of [`plain`], names the side to move of a board.
pub(super) fn is_mover(key: &str) -> bool {
    has(MOVERS, key)
}

/// Returns whether `key`, a result of [`plain`], names a list of moves.
pub(super) fn is_moves(key: &str) -> bool {
    has(MOVES, key)
}

/// Returns whether a word, in any case, is one of [`PASSES`].
pub(super) fn is_pass(word: &str) -> bool {
    word.len() <= 16 && has(PASSES, &word.to_lowercase())
}

/// Returns the side that a word names.
pub(super) fn side(word: &str) -> Option<Color> {
    let word = word.to_lowercase();
    let begins = |names: &str| names.split(' ').any(|name| word.starts_with(name));
    let named = SIDES.iter().find(|(_, names)| begins(names));
    named.map(|(side, _)| *side)
}

/// Returns the side that a label before a move names: by a word, or by a disc letter (B, X, W, O).
pub(super) fn label(word: &str) -> Option<Color> {
    match word {
        "B" | "b" | "X" | "x" => Some(Color::Black),
        "W" | "w" | "O" | "o" => Some(Color::White),
        _ => side(word),
    }
}

/// Returns the tag that a key names. Case, blanks, hyphens and `_` are ignored.
pub(super) fn tag(key: &str) -> Option<&'static str> {
    let key = plain(key);
    let named = TAGS.iter().find(|(_, names)| has(names, &key));
    named.map(|(tag, _)| *tag)
}

/// Returns a key in lower case without blanks, hyphens and `_`.
pub(super) fn plain(key: &str) -> String {
    let letters = key
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

/// Pairs of an opening and a closing quotation mark.
const QUOTES: [(&str, &str); 7] = [
    ("\"", "\""),
    ("'", "'"),
    ("\u{201c}", "\u{201d}"),
    ("\u{201d}", "\u{201d}"),
    ("\u{201e}", "\u{201c}"),
    ("\u{ab}", "\u{bb}"),
    ("&quot;", "&quot;"),
];

/// Returns the quotation mark that a text begins with, and its closing mark.
pub(super) fn quote(text: &str) -> Option<(&'static str, &'static str)> {
    QUOTES.into_iter().find(|(open, _)| text.starts_with(open))
}
