//! Reader of game files of every kind. The content of a file determines its kind, not its name.
//!
//! A file is either a WTHOR file or a text. A text consists of [`segments`]: parts that each have
//! one format. The structured formats are GGF, SGF, PGN, JSON and the log of a match.

use std::borrow::Cow;

use emilia_core::board::Sentence;

use super::wthor::{self, WthorError, WthorNames};
use super::{PackedGame, segments};

/// The games read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection {
    /// Whether the file is text without a structured format: positions, transcripts, and moves
    /// among words. Such a file may be a text about something else.
    pub is_text: bool,
    /// Games in the order of the file. An invalid game is an error sentence with the number of the
    /// game and its line or byte in the file. Invalid games do not affect the other games. Unread
    /// text that may hold a move, a board, a tag or the first characters of a format (such as `(;`
    /// of SGF) adds a warning to the game before this text.
    pub games: Vec<Result<PackedGame, Sentence>>,
}

/// Reason why a file has no games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGames {
    /// The file is empty, or its text holds no games.
    #[error("there are no games in it (expected moves, or PGN, GGF, SGF, OBF or a WTHOR file)")]
    Empty,
    /// The file is neither text nor WTHOR.
    #[error(
        "this is not a file of games: byte {at} is {byte:#04x} (expected text, or a WTHOR file)"
    )]
    Binary {
        /// First byte that does not occur in text.
        byte: u8,
        /// Offset of this byte, from 0.
        at: usize,
    },
    /// The file holds the names of players or tournaments of WTHOR games, but no games.
    #[error("these are names for a WTHOR file (expected the file with the games, .wtb)")]
    Names,
    /// The file is WTHOR, but its header or length is invalid.
    #[error("{0}")]
    Wthor(#[source] WthorError),
}

impl From<NoGames> for Sentence {
    fn from(no_games: NoGames) -> Sentence {
        let code = match no_games {
            NoGames::Empty => "no-games",
            NoGames::Binary { .. } => "no-text",
            NoGames::Names => "only-names",
            NoGames::Wthor(_) => "",
        };
        Sentence::new(code, no_games.to_string())
    }
}

impl Collection {
    /// Reads the games of a file. `names` are the players and events of WTHOR files.
    ///
    /// # Errors
    /// Returns an error if the file contains no games. Invalid games are errors in `games`.
    pub fn read(bytes: &[u8], names: &WthorNames) -> Result<Collection, NoGames> {
        if wthor::is_games(bytes) {
            if wthor::is_names(bytes) {
                return Err(NoGames::Names);
            }
            let games = wthor::read_games(bytes, names).map_err(NoGames::Wthor)?;
            if games.is_empty() {
                return Err(NoGames::Empty);
            }
            let games = games.into_iter();
            return Ok(Collection {
                is_text: false,
                games: games
                    .map(|game| game.map_err(|error| error.to_string().into()))
                    .collect(),
            });
        }
        let text = text(bytes)?;
        let (is_text, mut games) = segments::read(&clean(game_of_page(&text)));
        if games.is_empty() {
            return Err(NoGames::Empty);
        }
        if games.len() >= MAX_INVALID_GAMES && games.iter().all(Result::is_err) {
            games.truncate(1);
        }
        for (number, game) in (1..).zip(&mut games) {
            if let Err(problem) = game {
                *problem = problem.clone().of_game(number);
            }
        }
        Ok(Collection { is_text, games })
    }
}

/// If a text has at least this number of games and none is valid, the text is not a game file.
/// [`Collection::read`] then keeps only the error of the first game.
const MAX_INVALID_GAMES: usize = 1000;

/// Cleans a text: full-width forms of ASCII characters, which Japanese texts use, become ASCII, all
/// line breaks become line feeds, and the marks of quoted mail (`>`) become blanks.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    const BREAKS: &str = "\u{b}\u{c}\u{85}\u{2028}\u{2029}";
    let is_wide = |letter: char| ('\u{ff01}'..='\u{ff5e}').contains(&letter);
    let is_mail = text.starts_with('>') || text.contains("\n>") || text.contains("\r>");
    let has_return =
        text.contains('\r') && text.matches('\r').count() > text.matches("\r\n").count();
    let is_other = |letter: char| is_wide(letter) || BREAKS.contains(letter);
    let has_others = if text.is_ascii() {
        text.contains(['\u{b}', '\u{c}'])
    } else {
        text.contains(is_other)
    };
    if !is_mail && !has_return && !has_others {
        return Cow::Borrowed(text);
    }
    let mut letters = text.chars().peekable();
    let (mut clean, mut is_mark) = (String::with_capacity(text.len()), true);
    while let Some(letter) = letters.next() {
        clean.push(match letter {
            '\r' if letters.peek() != Some(&'\n') => '\n',
            '>' if is_mark => ' ',
            _ if is_wide(letter) => char::from((letter as u32 - 0xFF00 + 0x20) as u8),
            _ if BREAKS.contains(letter) => '\n',
            _ => letter,
        });
        is_mark = matches!(letter, '\n' | '\r') || is_mark && matches!(letter, '>' | ' ');
    }
    Cow::Owned(clean)
}

/// Returns the game in a page of `emilia analyze --html`, which is JSON, or else the whole text.
fn game_of_page(text: &str) -> &str {
    const GAME: &str = r#"<script type="application/json" id="game">"#;
    let game = text.split_once(GAME);
    let game = game.and_then(|(_, rest)| rest.split_once("</script>"));
    game.map_or(text, |(game, _)| game)
}

/// Decodes the text of a file and drops its byte order mark. The encoding is given by the mark
/// (UTF-16 or UTF-8) or by the SGF property `CA`. Other text is UTF-8 if valid, or else Latin-1.
fn text(bytes: &[u8]) -> Result<Cow<'_, str>, NoGames> {
    let units = |read: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2);
        let units = units.map(|unit| read([unit[0], unit[1]]));
        let letters = char::decode_utf16(units);
        let letters = letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER));
        letters.collect::<String>()
    };
    let wide = match bytes {
        [0xff, 0xfe, ..] => Some(units(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => Some(units(u16::from_be_bytes)),
        _ => None,
    };
    if let Some(text) = wide {
        check_text(text.as_bytes())?;
        return Ok(text.into());
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    check_text(bytes)?;
    let named = encoding_name(bytes).and_then(|name| decoded(name, bytes));
    let text = named.or_else(|| str::from_utf8(bytes).ok().map(Cow::from));
    Ok(text.unwrap_or_else(|| encoding_rs::mem::decode_latin1(bytes)))
}

/// Decodes bytes of a named encoding. Returns `None` for an unknown name or invalid bytes.
#[cfg(not(target_arch = "wasm32"))]
fn decoded<'b>(name: &[u8], bytes: &'b [u8]) -> Option<Cow<'b, str>> {
    let encoding = encoding_rs::Encoding::for_label(name)?;
    encoding.decode_without_bom_handling_and_without_replacement(bytes)
}

/// Returns `None` in WebAssembly, because the tables of all encodings would take a sixth of the
/// module's bytes. For a file that names an encoding, the page calls the browser's decoder before
/// it passes the text on.
#[cfg(target_arch = "wasm32")]
fn decoded<'b>(_name: &[u8], _bytes: &'b [u8]) -> Option<Cow<'b, str>> {
    None
}

/// Checks that `bytes` can be text.
///
/// # Errors
/// If a byte never occurs in text.
pub(super) fn check_text(bytes: &[u8]) -> Result<(), NoGames> {
    match emilia_files::first_binary(bytes) {
        Some((at, byte)) => Err(NoGames::Binary { byte, at }),
        None => Ok(()),
    }
}

/// Returns the name of the encoding in the first property `CA` of an SGF file. Returns `None` for
/// other formats, and for a file of ASCII bytes, which needs no decoding.
fn encoding_name(bytes: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"CA[";
    // Start of a GGF record. GGF has no property `CA`, so a `CA[` after it is text.
    const GGF: &[u8] = b"(;GM[Othello]";
    if bytes.is_ascii() || !bytes.trim_ascii_start().starts_with(b"(") {
        return None;
    }
    let is_ggf = |part: &[u8]| part.eq_ignore_ascii_case(GGF);
    let at = bytes.windows(NAME.len()).position(|part| part == NAME)?;
    if bytes[..at].windows(GGF.len()).any(is_ggf) {
        return None;
    }
    let mut values = bytes[at + NAME.len()..].split(|&byte| byte == b']');
    values.next()
}
