//! Text for a terminal: cuts or wraps lines to a width.

use std::fmt::Write as _;

/// Returns the first words of `line` that fit `width` columns. Cuts a first word that is wider.
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

/// Wraps `text` between words into lines of at most `width` columns.
/// Lines after the first begin with `indent` spaces. Words wider than a line are not cut.
///
/// ```
/// use emilia::view::wrap;
/// let wrapped = wrap("play  a square that is legal", 16, 6);
/// assert_eq!(wrapped, "play  a square\n      that is\n      legal");
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
