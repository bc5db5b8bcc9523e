//! Makes text from files and users safe to print on a terminal.
//! `printable` keeps the whole text, `excerpt` shortens it for quotation in a message.

/// Returns `text` with its control characters escaped, line ends included.
/// Text from a file, log or other program can then not control the terminal.
///
/// ```
/// use emilia_core::board::printable;
/// assert_eq!(printable("Ann \x1b[2J"), "Ann \\u{1b}[2J");
/// assert_eq!(printable("d'Été: \"ok\""), "d'Été: \"ok\"");
/// ```
pub fn printable(text: &str) -> String {
    excerpt_within(text, usize::MAX)
}

/// Returns the first 40 characters of `text`, for quotation in a message: see [`excerpt_within`].
pub fn excerpt(text: &str) -> String {
    excerpt_within(text, 40)
}

/// Returns the first `most` characters of `text`, for quotation in a message.
/// Control characters are escaped, and the result ends with `...` if characters are left out.
/// Each character of an escape sequence counts. The last sequence may exceed `most`.
pub fn excerpt_within(text: &str, most: usize) -> String {
    let (mut shown, mut length) = (String::new(), 0);
    for character in text.chars() {
        if length >= most {
            shown.push_str("...");
            break;
        }
        let before = shown.len();
        if character.is_control() || is_format(character) {
            shown.extend(character.escape_debug());
            length += shown.len() - before;
        } else {
            shown.push(character);
            length += 1;
        }
    }
    shown
}

/// Returns whether a character is invisible and affects the display of other characters, mainly
/// their order.
fn is_format(character: char) -> bool {
    matches!(
        character,
        '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}
