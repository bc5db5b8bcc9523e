//! Text fit for a terminal: foreign text made harmless, lines cut and wrapped to a width.

use std::fmt::Write as _;

/// `text` with its control characters written as escapes, so that text from a file, a log or another program cannot
/// command the terminal that it is shown on. Line ends are control characters too.
///
/// ```
/// use emilia::view::printable;
/// assert_eq!(printable("Ann \x1b[2J"), "Ann \\u{1b}[2J");
/// assert_eq!(printable("d'Été: \"ok\""), "d'Été: \"ok\"");
/// ```
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || is_format(character) {
            shown.extend(character.escape_debug());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Whether the character is invisible and changes how others are shown: their order above all.
fn is_format(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// As many whole words of `line` as fit `width` columns; a first word that is wider is cut.
///
/// ```
/// use emilia::view::cut;
/// assert_eq!(cut("f5 d6 c3", 8), "f5 d6 c3");
/// assert_eq!(cut("f5 d6 c3", 7), "f5 d6");
/// assert_eq!(cut("transcript", 5), "trans");
/// ```
pub fn cut(line: &str, width: usize) -> &str {
    let Some((end, _)) = line.char_indices().nth(width) else {
        return line;
    };
    if line[end..].starts_with(' ') || line[..end].ends_with(' ') {
        return line[..end].trim_end();
    }
    match line[..end].trim_end().rfind(' ') {
        Some(space) if !line[..space].trim().is_empty() => line[..space].trim_end(),
        _ => &line[..end],
    }
}

/// `text` in lines of at most `width` columns, broken between words; the lines after the first begin with `indent`
/// spaces. Words that are wider than a line stay whole.
///
/// ```
/// use emilia::view::wrap;
/// assert_eq!(wrap("play  a square that is legal", 16, 6), "play  a square\n      that is\n      legal");
/// ```
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    let (mut start, mut column, mut gap) = (0, 0, 0);
    for (index, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        gap += usize::from(index > 0);
        if word.is_empty() {
            continue;
        }
        if column > start && column + gap + length > width {
            // Writing to a string cannot fail.
            let _ = write!(wrapped, "\n{:indent$}", "");
            (start, column, gap) = (indent, indent, 0);
        }
        let _ = write!(wrapped, "{:gap$}{word}", "");
        (column, gap) = (column + gap + length, 0);
    }
    wrapped
}
