//! Text for a terminal: cuts or wraps lines to a width.

use std::borrow::Cow;
use std::io;

#[cfg(not(target_family = "wasm"))]
use terminal_size::terminal_size_of;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Width in columns of an output that is not a terminal.
const DEFAULT_WIDTH: usize = 80;

/// Replaces the function of `terminal_size` on WebAssembly, which has no terminal.
#[cfg(target_family = "wasm")]
fn terminal_size_of(_: impl io::Write) -> Option<((u16,), (u16,))> {
    None
}

/// Returns the greatest line width of the output, in columns.
/// The width is the environment variable `COLUMNS` if set, otherwise the width of the terminal at
/// stdout, and 80 if there is no terminal.
pub fn width() -> usize {
    let variable = std::env::var("COLUMNS").ok();
    let columns = variable.and_then(|columns| columns.parse().ok());
    columns
        .filter(|&columns| columns > 0)
        .or_else(|| Some(terminal_size_of(io::stdout())?.0.0.into()))
        .unwrap_or(DEFAULT_WIDTH)
}

/// Returns the width in columns of the terminal at stderr, where status lines are shown, or 80 if
/// stderr is not a terminal.
pub fn status_width() -> usize {
    terminal_size_of(io::stderr()).map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
}

/// Wraps a message to the width of the terminal at stderr. If stderr is a file or a pipe, the text
/// is returned unchanged.
pub fn message(text: &str) -> String {
    match terminal_size_of(io::stderr()) {
        Some((width, _)) => wrap(text, width.0.into(), 0),
        None => text.to_owned(),
    }
}

/// Wraps `text` to the output [`width`]. Lines after the first are indented by `indent` spaces.
pub fn wrapped(text: &str, indent: usize) -> String {
    wrap(text, width(), indent)
}

/// Options for lines that break only at spaces, and not at the hyphens of file names and options.
fn at_spaces<'a>(width: usize) -> Options<'a> {
    Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
}

/// Returns the first words of `line` that fit in `width` columns. A first word that is wider is
/// cut.
///
/// ```
/// use emilia_view::cut;
/// assert_eq!(cut("f5 d6 c3", 8), "f5 d6 c3");
/// assert_eq!(cut("f5 d6 c3", 7), "f5 d6");
/// assert_eq!(cut("transcript", 5), "trans");
/// ```
pub fn cut(line: &str, width: usize) -> &str {
    match textwrap::wrap(line, at_spaces(width)).first() {
        Some(Cow::Borrowed(first)) => first,
        _ => "",
    }
}

/// Wraps each line of `text` between words into lines of at most `width` columns.
/// Lines after the first begin with `indent` spaces. Words wider than a line are not cut.
///
/// ```
/// use emilia_view::wrap;
/// let wrapped = wrap("play  a square that is legal", 16, 6);
/// assert_eq!(wrapped, "play  a square\n      that is\n      legal");
/// ```
pub fn wrap(text: &str, width: usize, indent: usize) -> String {
    let indent = " ".repeat(indent);
    let options = at_spaces(width).break_words(false);
    textwrap::fill(text, options.subsequent_indent(&indent))
}
