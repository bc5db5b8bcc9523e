//! Style sheets and modules that all pages with a board share.
//!
//! A module is an ES module. The server of `emilia gui` serves each module as a file. A page that
//! is a single file contains its modules [`inlined`].

use serde::Serialize;

/// Design tokens, and the style of the parts that all pages share.
pub const STYLE: &str = include_str!("web/tokens.css");

/// Style of the pages of an analysis.
pub(crate) const REPORT_STYLE: &str = include_str!("web/report.css");

/// The board with the discs of the start, for the element `board` of a page.
pub const BOARD_PICTURE: &str = include_str!("web/board.svg");

/// Name and source of a module.
pub type Module = (&'static str, &'static str);

/// Modules of the pages with a board. Each imports only modules before it.
pub const BOARD: [Module; 7] = [
    ("words.js", include_str!("web/words.js")),
    ("rules.js", include_str!("web/rules.js")),
    ("controls.js", include_str!("web/controls.js")),
    ("board.js", include_str!("web/board.js")),
    ("tables.js", include_str!("web/tables.js")),
    ("graph.js", include_str!("web/graph.js")),
    ("squares.js", include_str!("web/squares.js")),
];

/// Module of a table that the user can search and sort.
pub const LIST: Module = ("list.js", include_str!("web/list.js"));

/// Returns the lines of an ES module without indentation, comment lines and blank lines.
pub fn lines(source: &str) -> impl Iterator<Item = &str> {
    let lines = source.lines().map(str::trim_start);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with("/**"))
}

/// Joins modules to one script, without their imports and exports. The names in the modules must
/// differ.
pub(crate) fn inlined<'a>(modules: impl IntoIterator<Item = &'a str>) -> String {
    let mut script = String::new();
    let all = modules.into_iter().flat_map(lines);
    for line in all.filter(|line| !line.starts_with("import ")) {
        script.extend([line.strip_prefix("export ").unwrap_or(line), "\n"]);
    }
    script
}

/// Returns the sources of [`BOARD`].
pub(crate) fn board() -> impl Iterator<Item = &'static str> {
    BOARD.iter().map(|(_, source)| *source)
}

/// Serialises the data of a page as JSON for a script element.
pub(crate) fn script_data(data: &impl Serialize) -> serde_json::Result<String> {
    // A `</script` in the data would end the script element.
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}
