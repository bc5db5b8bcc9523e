//! Style sheets and scripts shared by all pages with a board.
//!
//! Each script is an ES module. The server of `emilia gui` serves a module as a file. A page that
//! consists of one file contains its modules as one script, joined by [`inlined`].

use serde::Serialize;

/// Style sheet of all pages: colours, sizes, and elements that occur on several pages.
pub const STYLE: &str = include_str!("web/tokens.css");

/// Additional style sheet of the pages that show an analysis.
pub(crate) const REPORT_STYLE: &str = include_str!("web/report.css");

/// SVG picture of the start position. A page inserts it into its element `board`.
pub const BOARD_PICTURE: &str = include_str!("web/board.svg");

/// Name and source text of an ES module.
pub type Module = (&'static str, &'static str);

/// Modules of the pages with a board. A module imports only modules earlier in this list.
pub const BOARD: [Module; 7] = [
    ("words.js", include_str!("web/words.js")),
    ("rules.js", include_str!("web/rules.js")),
    ("controls.js", include_str!("web/controls.js")),
    ("board.js", include_str!("web/board.js")),
    ("tables.js", include_str!("web/tables.js")),
    ("graph.js", include_str!("web/graph.js")),
    ("squares.js", include_str!("web/squares.js")),
];

/// Module of the pages that have a table which the user can search and sort.
pub const LIST: Module = ("list.js", include_str!("web/list.js"));

/// Returns the lines of `source` without indentation. Leaves out comments and blank lines.
pub fn lines(source: &str) -> impl Iterator<Item = &str> {
    let lines = source.lines().map(str::trim_start);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with("/**"))
}

/// Joins ES modules into one script and removes their imports and exports. No two modules may
/// define the same name.
pub(crate) fn inlined<'a>(modules: impl IntoIterator<Item = &'a str>) -> String {
    let mut script = String::new();
    let all = modules.into_iter().flat_map(lines);
    for line in all.filter(|line| !line.starts_with("import ")) {
        script.extend([line.strip_prefix("export ").unwrap_or(line), "\n"]);
    }
    script
}

/// Returns the source texts of [`BOARD`].
pub(crate) fn board() -> impl Iterator<Item = &'static str> {
    BOARD.iter().map(|(_, source)| *source)
}

/// Serialises `data` as JSON that a page can contain in a script element.
pub(crate) fn script_data(data: &impl Serialize) -> serde_json::Result<String> {
    // An unescaped `</script` in the data would end the script element.
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}
