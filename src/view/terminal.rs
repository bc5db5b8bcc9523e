//! Text for a terminal: cuts or wraps lines to a width.

use std::fmt::Write as _;
use std::io;

#[cfg(not(target_family = "wasm"))]
use terminal_size::terminal_size_of;

/// Width in columns if there is no terminal.
const DEFAULT_WIDTH: usize = 80;

/// WebAssembly has no terminal.
#[cfg(target_family = "wasm")]
fn terminal_size_of(_: impl io::Write) -> Option<((u16,), (u16,))> {
    None
}

/// Returns the greatest line width of the output, in columns.
/// It is `COLUMNS` if set, otherwise the width of the terminal at stdout, otherwise 80.
pub fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok();
    let columns = columns.and_then(|columns| columns.parse().ok());
    columns
        .filter(|&columns| columns > 0)
        .or_else(|| Some(terminal_size_of(io::stdout())?.0.0.into()))
        .unwrap_or(DEFAULT_WIDTH)
}

/// Returns the width in columns of the terminal at stderr, where status lines go. Default 80.
pub fn status_width() -> usize {
    terminal_size_of(io::stderr()).map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
}

/// Wraps `text` to the output [`width`]. Lines after the first are indented by `indent` spaces.
pub fn wrapped(text: &str, indent: usize) -> String {
    wrap(text, width(), indent)
}

/// Returns the first words of `line` that fit `width` columns. Cuts a first word that is wider.
///
/// ```
/// use emilia_view::cut;
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
/// use emilia_view::wrap;
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
