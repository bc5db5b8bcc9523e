//! Words of records in the languages of the page: passes, sides, and names of tags.

use emilia_core::board::Color;

/// Words for a pass, in lower case.
const PASSES: [&str; 22] = [
    "pass",
    "pa",
    "ps",
    "passe",
    "passt",
    "passen",
    "pasa",
    "paso",
    "pasar",
    "passo",
    "passa",
    "skip",
    "null",
    "пас",
    "пропуск",
    "パス",
    "虚手",
    "停手",
    "过",
    "過",
    "패스",
    "패",
];

/// Words for a side, in lower case. A longer word may begin with one: `blacks`, `黒番`.
const SIDES: [(&str, Color); 28] = [
    ("black", Color::Black),
    ("white", Color::White),
    ("noir", Color::Black),
    ("blanc", Color::White),
    ("schwarz", Color::Black),
    ("weiß", Color::White),
    ("weiss", Color::White),
    ("negr", Color::Black),
    ("blanc", Color::White),
    ("nero", Color::Black),
    ("neri", Color::Black),
    ("bianc", Color::White),
    ("pret", Color::Black),
    ("branc", Color::White),
    ("svart", Color::Black),
    ("vit", Color::White),
    ("черн", Color::Black),
    ("чёрн", Color::Black),
    ("бел", Color::White),
    ("黒", Color::Black),
    ("黑", Color::Black),
    ("白", Color::White),
    ("先手", Color::Black),
    ("後手", Color::White),
    ("흑", Color::Black),
    ("백", Color::White),
    ("dark", Color::Black),
    ("light", Color::White),
];

/// Names of tags in lower case without marks, each with its tag in PGN.
const TAGS: [(&str, &str); 57] = [
    ("black", "Black"),
    ("blackname", "Black"),
    ("blackplayer", "Black"),
    ("playerblack", "Black"),
    ("noir", "Black"),
    ("noirs", "Black"),
    ("schwarz", "Black"),
    ("negras", "Black"),
    ("negro", "Black"),
    ("nero", "Black"),
    ("neri", "Black"),
    ("黒", "Black"),
    ("黑", "Black"),
    ("先手", "Black"),
    ("white", "White"),
    ("whitename", "White"),
    ("whiteplayer", "White"),
    ("playerwhite", "White"),
    ("blanc", "White"),
    ("blancs", "White"),
    ("weiß", "White"),
    ("weiss", "White"),
    ("blancas", "White"),
    ("blanco", "White"),
    ("bianco", "White"),
    ("bianchi", "White"),
    ("白", "White"),
    ("後手", "White"),
    ("event", "Event"),
    ("tournament", "Event"),
    ("tournoi", "Event"),
    ("turnier", "Event"),
    ("torneo", "Event"),
    ("大会", "Event"),
    ("site", "Site"),
    ("place", "Site"),
    ("lieu", "Site"),
    ("ort", "Site"),
    ("luogo", "Site"),
    ("lugar", "Site"),
    ("round", "Round"),
    ("ronde", "Round"),
    ("runde", "Round"),
    ("ronda", "Round"),
    ("turno", "Round"),
    ("date", "Date"),
    ("datum", "Date"),
    ("fecha", "Date"),
    ("data", "Date"),
    ("日付", "Date"),
    ("year", "Date"),
    ("created", "Date"),
    ("createdat", "Date"),
    ("startedat", "Date"),
    ("blackelo", "BlackElo"),
    ("whiteelo", "WhiteElo"),
    ("annotator", "Annotator"),
];

/// Keys of moves.
const MOVES: [&str; 9] = [
    "moves",
    "kifu",
    "record",
    "transcript",
    "game",
    "movelist",
    "history",
    "sequence",
    "棋譜",
];

/// Returns whether a key in plain form is that of moves.
pub(super) fn is_moves(key: &str) -> bool {
    MOVES.contains(&key)
}

/// Returns whether a word is a pass.
pub(super) fn is_pass(word: &str) -> bool {
    word.len() <= 16 && PASSES.contains(&&*word.to_lowercase())
}

/// Returns the side that a word names.
pub(super) fn side(word: &str) -> Option<Color> {
    let word = word.to_lowercase();
    let named = SIDES.iter().find(|(name, _)| word.starts_with(name));
    named.map(|(_, side)| *side)
}

/// Returns the side of a label before a move: a word or a letter of a disc.
pub(super) fn label(word: &str) -> Option<Color> {
    match word {
        "B" | "b" | "X" | "x" => Some(Color::Black),
        "W" | "w" | "O" | "o" => Some(Color::White),
        _ => side(word),
    }
}

/// Returns the tag of PGN for a key, without regard to case, blanks and `_`.
pub(super) fn tag(key: &str) -> Option<&'static str> {
    let key = plain(key);
    TAGS.iter()
        .find(|(own, _)| *own == key)
        .map(|(_, tag)| *tag)
}

/// Returns a key in lower case without blanks, hyphens and `_`.
pub(super) fn plain(key: &str) -> String {
    let letters = key
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}
