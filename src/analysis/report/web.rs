//! Style sheet and scripts that all pages with a board share.

/// Style sheet of all pages.
pub(crate) const STYLE: &str = include_str!("web/style.css");

/// Controls, rules, board, graph and tables: one script, split into files.
pub(crate) const BOARD_SCRIPT: &str = concat!(
    include_str!("web/controls.js"),
    include_str!("web/rules.js"),
    include_str!("web/board.js"),
    include_str!("web/graph.js"),
    include_str!("web/tables.js"),
);
