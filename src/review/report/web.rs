//! Style sheet and scripts that all pages with a board share.

use serde::Serialize;

/// Style sheet of all pages.
pub const STYLE: &str = include_str!("web/style.css");

/// Style sheet and script of a board that can be clicked.
pub const SQUARES_STYLE: &str = include_str!("web/squares.css");
/// Script that draws the squares of a board.
pub const SQUARES_SCRIPT: &str = include_str!("web/squares.js");

/// Controls, rules, board, graph and tables: one script, split into files.
pub const BOARD_SCRIPT: &str = concat!(
    include_str!("web/controls.js"),
    include_str!("web/rules.js"),
    include_str!("web/board.js"),
    include_str!("web/graph.js"),
    include_str!("web/tables.js"),
);

/// Returns the JSON of the data of a page, for the inside of a script element.
pub(crate) fn script_data(data: &impl Serialize) -> serde_json::Result<String> {
    // A `</script` in the data would end the script element.
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}
